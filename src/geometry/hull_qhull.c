// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#define _GNU_SOURCE // fmemopen
#include "geometry/hull_qhull.h"

#include <limits.h>

#ifdef KAIROS_HAVE_QHULL

#include <libqhull_r/qhull_ra.h>

#include <string.h>

typedef struct job {
    kai_memory* memory;
    kai_array* first;
    kai_array* corners;
    kai_error* err;
    kai_result result;
} job;

static kai_result copy_facet(qhT* qh, facetT* facet, const job* j)
{
    vertexT *vertex, **vertexp;
    setT* ring = qh_facet3vertex(qh, facet);
    kai_result r = KAI_OK;
    FOREACHvertex_(ring)
    {
        const uint32_t index = (uint32_t)qh_pointid(qh, vertex->point);
        if (r == KAI_OK) r = kai_array_append(j->corners, j->memory, &index, 1, j->err);
    }
    qh_settempfree(qh, &ring);
    const uint32_t end = (uint32_t)j->corners->count;
    return r == KAI_OK ? kai_array_append(j->first, j->memory, &end, 1, j->err) : r;
}

// Qhull leaves through longjmp on errors; nothing here owns memory of its own across one.
static int copy_facets(qhT* qh, job* j)
{
    facetT* facet;
    const int code = setjmp(qh->errexit);
    if (code != 0) return code;
    qh->NOerrexit = False;
    const uint32_t zero = 0;
    j->result = kai_array_append(j->first, j->memory, &zero, 1, j->err);
    FORALLfacets
    {
        if (j->result == KAI_OK) j->result = copy_facet(qh, facet, j);
    }
    return 0;
}

kai_result kai_hull_qhull_facets(double* points, size_t count, const char* options,
                                 kai_memory* memory, kai_array* first, kai_array* corners,
                                 kai_error* err)
{
    if (count > INT_MAX / 4)
        return kai_error_set(err, KAI_ERROR_LIMIT, "hull: %zu points; at most %d", count,
                             INT_MAX / 4);
    char said[512] = "", command[64];
    FILE* log = fmemopen(said, sizeof said - 1, "w");
    if (!log) return kai_error_set(err, KAI_ERROR_MEMORY, "hull: out of memory");
    job j = {memory, first, corners, err, KAI_OK};
    qhT qh;
    qh_zero(&qh, log);
    snprintf(command, sizeof command, "qhull %s", options);
    int code = qh_new_qhull(&qh, 3, (int)count, points, False, command, NULL, log);
    if (code == 0) code = copy_facets(&qh, &j);
    qh.NOerrexit = True;
    int left, total;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left, &total);
    fclose(log);
    if (code == 0) return j.result;
    said[strcspn(said, "\n")] = '\0';
    return kai_error_set(err, code == qh_ERRmem ? KAI_ERROR_MEMORY : KAI_ERROR_ARGUMENT,
                         "hull: Qhull gives up (code %d): %s", code, said);
}

#else

kai_result kai_hull_qhull_facets(double* points, size_t count, const char* options,
                                 kai_memory* memory, kai_array* first, kai_array* corners,
                                 kai_error* err)
{
    (void)points, (void)count, (void)options, (void)memory, (void)first, (void)corners;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "hull: Kairos was built without Qhull (Debian package libqhull-dev)");
}

#endif
