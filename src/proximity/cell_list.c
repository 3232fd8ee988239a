// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Skins are much as those of the broad phase (broad.c): a point may travel as now for a horizon of
// steps that makes the sum of search and pairs least. They are a little smaller: a search costs
// less, and each pair more.
//
// While a ball is inside its skin box [l, l + w], its centre is in [l + r, l + w - r]. The least
// distance of two such cubes decides whether two balls can touch.
#include "proximity/cell_list.h"

#include "base/parallel.h"

#include <float.h>
#include <string.h>

enum { BLOCK = KAI_CELL_LIST_BLOCK, MOST_THREADS = 256, LANES = 16, MOST_NEAR = 1024 };

static const double LEAST_SKIN = 0.0015; // of a diameter

/// What a thread has seen; put together by minima, maxima and sums of integers, so that the number
/// of threads does not show.
typedef struct cells_sight {
    double low[3], high[3];  // of centres
    double smallest, widest; // radius; half a skin box
    uint64_t motion;         // sum of travel / size, in units of 2⁻²⁴
    double finite;           // 0, or NaN where some point is not finite
} cells_sight;

typedef struct cells_context {
    const kai_cell_list_points* points;
    kai_cell_list_box* boxes; // by point
    kai_vec3 origin;
    cells_sight sights[MOST_THREADS];
    int threads;
    double mean, horizon, skin;
    double low[3], inverse; // of the grid: corner, 1 / width of a cell
    size_t row, layer, cells;
    double far; // largest extent
    uint32_t *cell, *start;
    int32_t* order;
    float *centre[3], *play, *radius;
} cells_context;

static double radius_of(const kai_cell_list_points* p, size_t i)
{
    return *kai_cell_list_at(p->radius, p->radius_stride, i);
}

static kai_vec3 velocity_of(const kai_cell_list_points* p, size_t i)
{
    const double* v = kai_cell_list_at(p->velocity, p->velocity_stride, i);
    return kai_vec3_make(v[0], v[1], v[2]);
}

static kai_vec3 centre_of(const kai_cell_list_points* p, size_t i)
{
    const double* at = kai_cell_list_at(p->position, p->position_stride, i);
    return kai_vec3_mul_add(kai_vec3_make(at[0], at[1], at[2]), velocity_of(p, i), p->lead);
}

static double travel_of(const kai_cell_list_points* p, size_t i)
{
    return kai_vec3_norm(velocity_of(p, i)) * p->step;
}

// Skin boxes -------------------------------------------------------------------------------------

static void cells_see_range(size_t begin, size_t end, int worker, void* context)
{
    cells_context* c = context;
    cells_sight* s = &c->sights[worker];
    for (size_t i = begin; i < end; i++) {
        const kai_vec3 at = centre_of(c->points, i);
        const double x[3] = {at.x, at.y, at.z}, r = radius_of(c->points, i),
                     travel = travel_of(c->points, i);
        for (int k = 0; k < 3; k++) {
            s->low[k] = fmin(s->low[k], x[k]);
            s->high[k] = fmax(s->high[k], x[k]);
        }
        s->smallest = fmin(s->smallest, r);
        s->motion += (uint64_t)(fmin(0.5 * travel / r, 16.0) * 0x1p24);
        s->finite += 0.0 * (x[0] + x[1] + x[2] + r + travel);
    }
}

/// A cube that holds a ball and its skin, in floats.
static kai_cell_list_box box_around(kai_vec3 at, kai_vec3 origin, double half)
{
    const double x[3] = {at.x - origin.x, at.y - origin.y, at.z - origin.z};
    const double far = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
    const double more = 0x1p-21 * (far + half);
    kai_cell_list_box box = {.width = (float)(2.0 * (half + more) + 0x1p-21 * (far + half))};
    for (int k = 0; k < 3; k++) box.low[k] = (float)(x[k] - half - more);
    return box;
}

static void cells_box_range(size_t begin, size_t end, int worker, void* context)
{
    cells_context* c = context;
    cells_sight* s = &c->sights[worker];
    for (size_t i = begin; i < end; i++) {
        const double r = radius_of(c->points, i), size = 2.0 * r;
        const double skin =
            fmin(fmax(c->horizon * (travel_of(c->points, i) / size) + LEAST_SKIN, c->skin), 4.0);
        c->boxes[i] = box_around(centre_of(c->points, i), c->origin, r + size * skin);
        s->widest = fmax(s->widest, 0.5 * (double)c->boxes[i].width);
    }
}

kai_cell_list_box kai_cell_list_box_of(const kai_cell_list_points* points, kai_vec3 origin,
                                       size_t i, double least)
{
    const double r = radius_of(points, i), size = 2.0 * r, steps = 24.0;
    const double skin = fmin(fmax(steps * travel_of(points, i) / size + LEAST_SKIN, least), 4.0);
    return box_around(centre_of(points, i), origin, r + size * skin);
}

static void clear_sights(cells_context* c)
{
    for (int t = 0; t < c->threads; t++) {
        c->sights[t] = (cells_sight){.smallest = HUGE_VAL};
        for (int k = 0; k < 3; k++)
            c->sights[t].low[k] = HUGE_VAL, c->sights[t].high[k] = -HUGE_VAL;
    }
}

/// Adds up what threads have seen, into the first one's.
static const cells_sight* join_sights(cells_context* c)
{
    cells_sight* sum = c->sights;
    for (int t = 1; t < c->threads; t++) {
        const cells_sight* s = &c->sights[t];
        for (int k = 0; k < 3; k++) {
            sum->low[k] = fmin(sum->low[k], s->low[k]);
            sum->high[k] = fmax(sum->high[k], s->high[k]);
        }
        sum->smallest = fmin(sum->smallest, s->smallest);
        sum->widest = fmax(sum->widest, s->widest);
        sum->motion += s->motion;
        sum->finite += s->finite;
    }
    return sum;
}

/// Lays skin boxes; false: points are not fit for cells.
static bool cells_lay_boxes(cells_context* c)
{
    const size_t n = c->points->count;
    clear_sights(c);
    kai_parallel_for_workers(c->threads, n, BLOCK, cells_see_range, c);
    const cells_sight* s = join_sights(c);
    double far = 0.0;
    for (int k = 0; k < 3; k++) far = fmax(far, s->high[k] - s->low[k]);
    c->far = far;
    if (s->finite != 0.0 || !(far < 1e6 * s->smallest) || !(s->smallest > 0.0)) return false;
    c->mean = (double)s->motion * 0x1p-24 / (double)n;
    c->horizon = c->mean > 0.0 ? fmin(fmax(1.0 / sqrt(c->mean), 1.0), 64.0) : 0.0;
    c->skin = c->horizon > 0.0 ? fmin(c->horizon * c->mean + LEAST_SKIN, 4.0) : 0.02;
    c->origin = kai_vec3_make(0.5 * (s->low[0] + s->high[0]), 0.5 * (s->low[1] + s->high[1]),
                              0.5 * (s->low[2] + s->high[2]));
    kai_parallel_for_workers(c->threads, n, BLOCK, cells_box_range, c);
    join_sights(c);
    return s->widest <= 2.0 * s->smallest;
}

// Cells -------------------------------------------------------------------------------------------

/// Chooses the grid; false: it would be mostly empty.
static bool cells_lay_grid(cells_context* c)
{
    const cells_sight* s = c->sights;
    const double width = 2.0 * s->widest * (1.0 + 1e-6);
    const double origin[3] = {c->origin.x, c->origin.y, c->origin.z};
    double cells[3];
    c->inverse = 1.0 / width;
    for (int k = 0; k < 3; k++) {
        // Middles of skin boxes are off by rounding; the border is whole cells.
        c->low[k] = s->low[k] - origin[k] - 1.5 * width;
        cells[k] = floor((s->high[k] - s->low[k]) * c->inverse) + 5.0;
    }
    if (cells[0] * cells[1] * cells[2] > 4.0 * (double)c->points->count + 4096.0) return false;
    c->row = (size_t)cells[0];
    c->layer = c->row * (size_t)cells[1];
    c->cells = c->layer * (size_t)cells[2];
    return true;
}

static size_t place(const cells_context* c, const kai_cell_list_box* box, int k)
{
    return (size_t)(((double)box->low[k] + 0.5 * (double)box->width - c->low[k]) * c->inverse);
}

static void cells_place_range(size_t begin, size_t end, void* context)
{
    const cells_context* c = context;
    for (size_t i = begin; i < end; i++) {
        const kai_cell_list_box* box = &c->boxes[i];
        c->cell[i] =
            (uint32_t)(place(c, box, 0) + place(c, box, 1) * c->row + place(c, box, 2) * c->layer);
    }
}

static void cells_copy_range(size_t begin, size_t end, void* context)
{
    const cells_context* c = context;
    for (size_t i = begin; i < end; i++) {
        const size_t a = (size_t)c->order[i];
        const kai_cell_list_box* box = &c->boxes[a];
        const double r = radius_of(c->points, a);
        for (int k = 0; k < 3; k++)
            c->centre[k][i] = (float)((double)box->low[k] + 0.5 * (double)box->width);
        c->play[i] = (float)(0.5 * (double)box->width - r);
        if (c->radius) c->radius[i] = (float)r;
    }
}

/// Points by cell, and in a cell by number.
static void cells_fill(cells_context* c)
{
    const size_t n = c->points->count;
    uint32_t* next = c->start + 1;
    memset(c->start, 0, (c->cells + 2) * sizeof *c->start);
    kai_parallel_for(c->threads, n, BLOCK, cells_place_range, c);
    for (size_t i = 0; i < n; i++) next[c->cell[i] + 1]++;
    for (size_t k = 0; k < c->cells; k++) next[k + 1] += next[k];
    // Filling moves each beginning to its end: one place on.
    for (size_t i = 0; i < n; i++) c->order[next[c->cell[i]]++] = (int32_t)i;
    kai_parallel_for(c->threads, n, BLOCK, cells_copy_range, c);
}

/// Lays arrays out in the scratch memory.
static kai_result cells_make_room(cells_context* c, kai_memory* memory, kai_array* scratch,
                                  kai_error* err)
{
    const size_t n = c->points->count, lanes = n + LANES,
                 floats = c->points->radius_stride == 0 ? 4 : 5;
    const size_t words = lanes * (floats + 1) + n + c->cells + 2;
    scratch->count = 0; // nothing in it is kept
    KAI_TRY(kai_array_fit(scratch, memory, words * sizeof(uint32_t) / scratch->stride + 1, err));
    float* at = scratch->data;
    for (int k = 0; k < 3; k++) c->centre[k] = at + (size_t)k * lanes;
    c->play = at + 3 * lanes;
    c->radius = floats == 4 ? NULL : at + 4 * lanes;
    c->order = (int32_t*)(void*)(at + floats * lanes);
    c->cell = (uint32_t*)(void*)(c->order + lanes);
    c->start = c->cell + n;
    // Lanes past the end are read, and never taken.
    for (size_t k = 0; k < floats; k++) memset(at + k * lanes + n, 0, LANES * sizeof *at);
    memset(c->order + n, 0xff, LANES * sizeof *c->order);
    return KAI_OK;
}

kai_result kai_cell_list_make(const kai_cell_list_points* points, kai_memory* memory, int threads,
                              kai_cell_list_box* boxes, kai_array* scratch, kai_cell_list* out,
                              bool* done, kai_error* err)
{
    cells_context c = {.points = points, .boxes = boxes};
    c.threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    *done = false;
    if (points->count == 0 || points->count >= UINT32_MAX / 8) return KAI_OK;
    if (!cells_lay_boxes(&c) || !cells_lay_grid(&c)) return KAI_OK;
    KAI_TRY(cells_make_room(&c, memory, scratch, err));
    cells_fill(&c);
    *out = (kai_cell_list){.points = points,
                           .boxes = boxes,
                           .origin = c.origin,
                           .cell = c.cell,
                           .start = c.start,
                           .order = c.order,
                           .centre = {c.centre[0], c.centre[1], c.centre[2]},
                           .play = c.play,
                           .radius = c.radius,
                           .row = c.row,
                           .layer = c.layer,
                           .skin = c.skin,
                           .margin = (float)(0x1p-20 * (c.far + c.sights->widest))};
    *done = true;
    return KAI_OK;
}

// Search ------------------------------------------------------------------------------------------

/// Square of the least distance of centres in two boxes, r the sum of radii.
KAI_INLINE double least_square(const kai_cell_list_box* p, const kai_cell_list_box* q, double r)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double right = (double)q->low[k] - ((double)p->low[k] + (double)p->width) + r,
                     left = (double)p->low[k] - ((double)q->low[k] + (double)q->width) + r;
        const double more = right > left ? right : left, gap = more > 0.0 ? more : 0.0;
        square += gap * gap;
    }
    return square;
}

/// Short rows: those that come last are mostly the largest.
static void sort_row(uint32_t* row, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint32_t x = row[i];
        size_t k = i;
        for (; k > 0 && row[k - 1] > x; k--) row[k] = row[k - 1];
        row[k] = x;
    }
}

/// Which of sixteen points from place k on have a number above `a` and may be near, in floats: bits.
KAI_INLINE uint32_t cells_sift(const kai_cell_list* cells, const float* at, float play, float r,
                               int32_t a, size_t k)
{
    static const int32_t bit[LANES] = {1 << 0,  1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                       1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                       1 << 12, 1 << 13, 1 << 14, 1 << 15};
    const float *x = cells->centre[0] + k, *y = cells->centre[1] + k, *z = cells->centre[2] + k;
    int32_t near[LANES], bits = 0;
#pragma omp simd
    for (size_t i = 0; i < LANES; i++) {
        const float more = play + cells->play[k + i];
        const float reach = cells->radius ? r + cells->radius[k + i] : r;
        const float dx = fabsf(x[i] - at[0]) - more, dy = fabsf(y[i] - at[1]) - more,
                    dz = fabsf(z[i] - at[2]) - more;
        const float gx = dx > 0.0f ? dx : 0.0f, gy = dy > 0.0f ? dy : 0.0f,
                    gz = dz > 0.0f ? dz : 0.0f;
        near[i] = (gx * gx + gy * gy + gz * gz <= reach * reach) & (cells->order[k + i] > a);
    }
#pragma omp simd reduction(| : bits)
    for (size_t i = 0; i < LANES; i++) bits |= -near[i] & bit[i];
    return (uint32_t)bits;
}

bool kai_cell_list_near(const kai_cell_list_points* points, const kai_cell_list_box* boxes,
                        size_t a, size_t b)
{
    const double sum = radius_of(points, a) + radius_of(points, b);
    return least_square(&boxes[a], &boxes[b], sum) <= sum * sum * (1.0 + 1e-12);
}

/// Those of `count` points that are near enough, exactly.
static size_t choose(const kai_cell_list* cells, size_t a, uint32_t* row, size_t count)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        row[kept] = row[k];
        kept += kai_cell_list_near(cells->points, cells->boxes, a, row[k]);
    }
    return kept;
}

/// Where cell `a` and those around it begin, one of nine rows of three.
KAI_INLINE const uint32_t* row_at(const kai_cell_list* cells, size_t a, int row)
{
    return cells->start + cells->cell[a] + (row / 3 - 1) * (ptrdiff_t)cells->layer +
           (row % 3 - 1) * (ptrdiff_t)cells->row;
}

/// Points above `behind` that may be near a, where cells are crowded; SIZE_MAX: there are more than
/// a row has room for.
KAI_INLINE size_t cells_search_crowded(const kai_cell_list* cells, const float* at, float play,
                                       float r, size_t a, int32_t behind, uint32_t* out)
{
    size_t count = 0;
    for (int row = 0; row < 9; row++) {
        const uint32_t* start = row_at(cells, a, row);
        const size_t end = start[2];
        if (end - start[-1] > MOST_NEAR) return SIZE_MAX;
        for (size_t k = start[-1]; k < end; k += LANES) {
            uint32_t near = cells_sift(cells, at, play, r, behind, k);
            if (end - k < LANES) near &= (1u << (end - k)) - 1; // no more are in the row
            for (; near; near &= near - 1) {
                if (count == KAI_CELL_LIST_ROW) return SIZE_MAX;
                out[count++] = (uint32_t)cells->order[k + (size_t)__builtin_ctz(near)];
            }
        }
    }
    return count;
}

/// The same. Bits of all rows are gathered before they are looked at: which of them are set cannot
/// be foretold, and processors guess.
KAI_CLONES
static size_t cells_search(const kai_cell_list* cells, size_t a, int32_t behind, uint32_t* out)
{
    const kai_cell_list_box* box = &cells->boxes[a];
    const double ra = radius_of(cells->points, a), half = 0.5 * (double)box->width;
    float at[3];
    for (int k = 0; k < 3; k++) at[k] = (float)((double)box->low[k] + half);
    const float play = (float)(half - ra) + cells->margin;
    const float r = (float)(cells->radius ? ra : 2.0 * ra) + cells->margin;
    uint64_t bits[3] = {0}; // four rows each
    uint32_t begin[9];
    for (int row = 0; row < 9; row++) {
        const uint32_t *start = row_at(cells, a, row), n = start[2] - start[-1];
        if (n > LANES) return cells_search_crowded(cells, at, play, r, a, behind, out);
        begin[row] = start[-1];
        const uint32_t near = cells_sift(cells, at, play, r, behind, begin[row]);
        bits[row / 4] |= (uint64_t)(near & ((1u << n) - 1)) << LANES * (row % 4);
    }
    size_t count = 0;
    for (size_t word = 0; word < 3; word++)
        for (uint64_t left = bits[word]; left; left &= left - 1) {
            const size_t bit = (size_t)__builtin_ctzll(left);
            out[count++] = (uint32_t)cells->order[begin[4 * word + bit / LANES] + bit % LANES];
        }
    return count;
}

size_t kai_cell_list_row(const kai_cell_list* cells, size_t a, bool all, uint32_t* out)
{
    size_t n = cells_search(cells, a, all ? -1 : (int32_t)a, out);
    if (n == SIZE_MAX) return n;
    for (size_t k = 0; all && k < n; k++)
        if (out[k] == a) out[k--] = out[--n];
    // What floats let through beside: too little to be worth a second look, or not.
    if ((double)cells->margin > 0x1p-10 * radius_of(cells->points, a)) n = choose(cells, a, out, n);
    sort_row(out, n);
    return n;
}

/// One half space, of several.
KAI_INLINE void meet(const kai_cell_list_points* points, const kai_cell_list_box* boxes,
                     kai_vec3 origin, const kai_cell_list_plane* plane, size_t begin, size_t end,
                     uint64_t bit, uint64_t* restrict out)
{
    const kai_vec3 m = plane->normal, o = origin;
    const double far = fabs(m.x) + fabs(m.y) + fabs(m.z);
    const double level = plane->offset - kai_vec3_dot(m, o);
    const size_t stride = points->radius_stride;
    const double one = *(const double*)points->radius;
    // What is lost to rounding, of coordinates that are at most so large.
    const double lost = 0x1p-48 * (fabs(plane->offset) + kai_vec3_max_abs(o));
#pragma omp simd
    for (size_t i = 0; i < end - begin; i++) {
        const kai_cell_list_box* box = &boxes[begin + i];
        const double half = 0.5 * (double)box->width,
                     r = stride ? *kai_cell_list_at(points->radius, stride, begin + i) : one;
        const double x = (double)box->low[0] + half, y = (double)box->low[1] + half,
                     z = (double)box->low[2] + half;
        const double least = m.x * x + m.y * y + m.z * z - far * (half - r);
        const double slack = lost + 0x1p-48 * (fabs(x) + fabs(y) + fabs(z) + r);
        out[i] |= least <= level + r + slack ? bit : 0;
    }
}

KAI_CLONES
static void meet_all(const kai_cell_list_points* points, const kai_cell_list_box* boxes,
                     kai_vec3 origin, const void* planes, size_t stride, size_t plane_count,
                     size_t begin, size_t end, uint64_t* out)
{
    for (size_t k = 0; k < plane_count; k++)
        meet(points, boxes, origin, (const void*)((const char*)planes + k * stride), begin, end,
             UINT64_C(1) << k, out);
}

void kai_cell_list_planes(const kai_cell_list_points* points, const kai_cell_list_box* boxes,
                          kai_vec3 origin, const void* planes, size_t stride, size_t plane_count,
                          size_t begin, size_t end, uint64_t* out)
{
    memset(out, 0, (end - begin) * sizeof *out);
    meet_all(points, boxes, origin, planes, stride, plane_count, begin, end, out);
}
