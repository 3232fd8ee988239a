// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "base/check.h"
#include "view/bundle.h"

#include <jansson.h>
#include <kairos/view.h>

kai_result kai_view_page_frames(const char* directory, size_t* frames, kai_error* err)
{
    KAI_GIVEN(err, directory, frames);
    kai_bundle bundle;
    *frames = 0;
    KAI_TRY(kai_bundle_open_page(&bundle, directory, err));
    json_t* root = json_loadb(bundle.manifest, bundle.manifest_size, 0, NULL);
    const json_t* count = json_object_get(json_object_get(root, "frames"), "count");
    const json_int_t n = json_integer_value(count);
    if (n > 0) *frames = (size_t)n;
    json_decref(root);
    kai_bundle_close(&bundle);
    return KAI_OK;
}
