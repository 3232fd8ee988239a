// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "view/bundle.h"
#include "view/server.h"

#include <kairos/view.h>

kai_result kai_view_serve(const kai_view_serve_def* def, kai_error* err)
{
    static const volatile int never = 0;
    KAI_GIVEN(err, def);
    if (def->directory == NULL || def->directory[0] == '\0')
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "kai_view_serve: def.directory is empty");
    kai_bundle bundle;
    kai_server* server = NULL;
    KAI_TRY(kai_bundle_open(&bundle, def->directory, err));
    const kai_server_source source = {.context = &bundle, .find = kai_bundle_find};
    const kai_result r = kai_server_create(&server, def->host, def->port, &source, err);
    if (r == KAI_OK) {
        if (def->ready != NULL) def->ready(def->context, kai_server_url(server));
        kai_server_run(server, def->stop != NULL ? def->stop : &never);
    }
    kai_server_destroy(server);
    kai_bundle_close(&bundle);
    return r;
}
