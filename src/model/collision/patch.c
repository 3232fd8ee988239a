// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "model/collision/patch.h"

#include "base/error.h"
#include "model/id.h"
#include "model/node.h"

#include <string.h>

enum { BLOCK = 256 };

// The kind of shape ------------------------------------------------------------------------------

typedef kai_patch_params params;

#define HIDDEN(name_, type_, columns_)                                                         \
    {                                                                                          \
        .name = #name_, .type = type_, .offset = offsetof(params, name_), .columns = columns_, \
        .hidden = true                                                                         \
    }

static const kai_param PARAMS[] = {
    HIDDEN(radius, KAI_PARAM_REAL, 0),  HIDDEN(frames, KAI_PARAM_BOOL, 0),
    HIDDEN(ends, KAI_PARAM_REAL, 6),    HIDDEN(element, KAI_PARAM_REAL, 2),
    HIDDEN(corners, KAI_PARAM_REAL, 9),
};

static void bounds(const void* instance, const kai_mat33* rotation, kai_vec3* centre,
                   kai_vec3* half)
{
    const params* p = instance;
    kai_vec3 low = kai_mat33_mul_vec(*rotation, p->corners[0]), high = low;
    for (int k = 1; k < KAI_PATCH_ENDS; k++) {
        const kai_vec3 x = kai_mat33_mul_vec(*rotation, p->corners[k]);
        low = kai_vec3_min(low, x);
        high = kai_vec3_max(high, x);
    }
    const kai_vec3 r = kai_vec3_make(p->radius, p->radius, p->radius);
    *centre = kai_vec3_lerp(low, high, 0.5);
    *half = kai_vec3_add(kai_vec3_scale(kai_vec3_sub(high, low), 0.5), r);
}

static kai_result prepare(void* instance, const void* like, kai_memory* memory, kai_error* err)
{
    (void)like;
    (void)memory;
    const params* p = instance;
    if (p->radius > 0.0 && p->ends[0] >= 1.0 && p->ends[2] >= 1.0) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "surface: made for structures alone; see their contacts");
}

static void release(void* instance, kai_memory* memory)
{
    (void)instance;
    (void)memory;
}

const kai_shape_kind kai_patch_kind = {
    .kind = KAI_KIND("surface", params, PARAMS, .hidden = true,
                     .doc = "A line or a triangle of a structure; structures make them."),
    .bounds = bounds,
    .prepare = prepare,
    .release = release};

// Lists ------------------------------------------------------------------------------------------

void kai_patch_init(kai_patch* s)
{
    *s = (kai_patch){.facets = kai_array_make(sizeof(kai_patch_facet))};
    s->facet_of = s->first = s->around = kai_array_make(sizeof(uint32_t));
}

void kai_patch_free(kai_patch* s, kai_memory* memory)
{
    kai_array* all[] = {&s->facets, &s->facet_of, &s->first, &s->around};
    for (size_t i = 0; i < KAI_COUNT(all); i++) kai_array_free(all[i], memory);
}

static const kai_store_batch* batch_of(const kai_world* world, size_t* which)
{
    for (size_t b = 0; b < world->shapes.batch_count; b++) {
        if (world->shapes.batches[b].kind != &kai_patch_kind.kind) continue;
        *which = b;
        return &world->shapes.batches[b];
    }
    return NULL;
}

/// The id in two numbers of an instance, which a file may have spoilt.
static kai_id id_of(const kai_world* world, const double* pair)
{
    if (!(pair[0] >= 1.0 && pair[0] < 4294967295.0 && pair[1] >= 0.0 && pair[1] < 65536.0))
        return (kai_id){0};
    return (kai_id){(uint32_t)pair[0], (uint16_t)pair[1], world->tag};
}

/// The slot of an end; UINT32_MAX when it is gone.
static uint32_t slot_of(const kai_world* world, kai_id id, bool frames)
{
    if (!frames) return kai_node_slot(world, KAI_ID_AS(kai_node, id));
    const size_t slot = kai_bodies_slot(&world->bodies, KAI_ID_AS(kai_body, id));
    return slot == SIZE_MAX ? UINT32_MAX : (uint32_t)slot;
}

/// Fills a facet but for its body; false when an end is gone.
static bool fill(const kai_world* world, const params* p, kai_patch_facet* facet)
{
    facet->frames = p->frames;
    facet->count = p->ends[4] >= 1.0 ? 3 : 2;
    for (int k = 0; k < facet->count; k++) {
        facet->ends[k] = slot_of(world, id_of(world, &p->ends[2 * k]), p->frames);
        if (facet->ends[k] == UINT32_MAX) return false;
        // What stands for something else moves with it, and is no end.
        if (p->frames && (world->bodies.motion[facet->ends[k]].flags & KAI_BODY_NODE)) return false;
    }
    return true;
}

/// A facet is fixed when all of its ends are, whoever asks first: contacts look at the flag when
/// they make their items, before elements have told facets what their ends weigh.
static void settle(kai_world* world, const kai_patch_facet* facet)
{
    const kai_motion* motion = world->bodies.motion;
    bool fixed = true;
    for (int k = 0; k < facet->count; k++)
        fixed = fixed && (facet->frames ? motion[facet->ends[k]].flags & KAI_BODY_FIXED
                                        : kai_node_is_fixed(&kai_node_all(world)[facet->ends[k]]));
    kai_bodies_set_fixed(&world->bodies, facet->body, fixed);
}

static kai_result list_pieces(kai_patch* s, kai_world* world, const kai_store_batch* batch,
                              kai_error* err)
{
    const kai_bodies_entry* entries = world->bodies.entries.data;
    const params* instances = batch->items.data;
    const uint32_t* owner = batch->owner.data;
    uint32_t* facet_of = s->facet_of.data;
    memset(facet_of, 0, world->bodies.count * sizeof *facet_of);
    for (size_t i = 0; i < batch->items.count; i++) {
        kai_patch_facet facet = {.instance = (uint32_t)i,
                                 .shape = owner[i],
                                 .body =
                                     entries[kai_shape_record_of(world, owner[i]).body - 1].slot};
        if (!fill(world, &instances[i], &facet) || facet_of[facet.body]) continue;
        settle(world, &facet);
        KAI_TRY(kai_array_append(&s->facets, &world->memory, &facet, 1, err));
        facet_of[facet.body] = (uint32_t)s->facets.count;
        s->frames = s->frames || facet.frames;
    }
    return KAI_OK;
}

/// Nodes come first, then bodies.
static size_t place_of(const kai_world* world, const kai_patch_facet* facet, int k)
{
    return facet->ends[k] + (facet->frames ? world->nodes.count : 0);
}

/// Facets at each end: a counting sort.
static kai_result list_around(kai_patch* s, kai_world* world, kai_error* err)
{
    const size_t places = world->nodes.count + world->bodies.count;
    const kai_patch_facet* facets = s->facets.data;
    KAI_TRY(kai_array_resize(&s->first, &world->memory, places + 2, err));
    uint32_t* first = s->first.data;
    memset(first, 0, (places + 2) * sizeof *first);
    for (size_t i = 0; i < s->facets.count; i++)
        for (int k = 0; k < facets[i].count; k++) first[place_of(world, &facets[i], k) + 2]++;
    for (size_t i = 2; i < places + 2; i++) first[i] += first[i - 1];
    KAI_TRY(kai_array_resize(&s->around, &world->memory, first[places + 1], err));
    for (size_t i = 0; i < s->facets.count; i++)
        for (int k = 0; k < facets[i].count; k++)
            ((uint32_t*)s->around.data)[first[place_of(world, &facets[i], k) + 1]++] = (uint32_t)i;
    return KAI_OK;
}

kai_result kai_patch_list(kai_patch* s, kai_world* world, kai_error* err)
{
    const kai_store_batch* batch = batch_of(world, &s->batch);
    const uint64_t version = (batch ? batch->version : 0) + 1;
    if (s->term_slots_version == world->term_slots_version && s->shapes_version == version) {
        const bool room = s->facets.count == 0 || s->facet_of.count >= world->bodies.count;
        return room ? KAI_OK
                    : kai_array_resize(&s->facet_of, &world->memory, world->bodies.count, err);
    }
    s->shapes_version = 0;
    s->facets.count = 0;
    s->frames = false;
    if (batch && batch->items.count > 0) {
        KAI_TRY(kai_array_resize(&s->facet_of, &world->memory, world->bodies.count, err));
        KAI_TRY(list_pieces(s, world, batch, err));
        KAI_TRY(list_around(s, world, err));
    }
    s->term_slots_version = world->term_slots_version;
    s->shapes_version = version;
    s->lists++;
    return KAI_OK;
}

/// Whether the families of two facets let them touch.
static bool may_touch(const kai_world* world, uint32_t a, uint32_t b)
{
    const kai_shape_record x = kai_shape_record_of(world, a), y = kai_shape_record_of(world, b);
    return (kai_shape_record_mask(&x) >> kai_shape_record_family(&y) & 1u) &&
           (kai_shape_record_mask(&y) >> kai_shape_record_family(&x) & 1u);
}

kai_result kai_patch_neighbours(const kai_patch* s, kai_world* world, kai_array* pairs,
                                kai_error* err)
{
    const kai_patch_facet* facets = s->facets.data;
    const uint32_t *first = s->first.data, *around = s->around.data;
    for (size_t i = 0; i < s->facets.count; i++) {
        for (int k = 0; k < facets[i].count; k++) {
            const size_t at = place_of(world, &facets[i], k);
            for (uint32_t j = first[at]; j < first[at + 1]; j++) {
                if (around[j] <= i || !may_touch(world, facets[i].shape, facets[around[j]].shape))
                    continue;
                const uint64_t a = facets[i].body, b = facets[around[j]].body;
                const uint64_t pair = a < b ? a << 32 | b : b << 32 | a;
                KAI_TRY(kai_array_append(pairs, &world->memory, &pair, 1, err));
            }
        }
    }
    return KAI_OK;
}

/// What a joint holds at one place: the facets there and, behind them, the body itself.
static size_t held_at(const kai_patch* s, const kai_world* world, size_t place, size_t k,
                      uint64_t* body)
{
    const uint32_t *first = s->first.data, *around = s->around.data;
    const size_t facets = first[place + 1] - first[place];
    const bool own = place >= world->nodes.count;
    if (k < facets)
        *body = ((const kai_patch_facet*)s->facets.data)[around[first[place] + k]].body;
    else
        *body = place - world->nodes.count;
    return facets + own;
}

static kai_result add_held(const kai_patch* s, kai_world* world, size_t p, size_t q,
                           kai_array* pairs, kai_error* err)
{
    uint64_t a = 0, b = 0;
    for (size_t i = 0; i < held_at(s, world, p, i, &a); i++) {
        for (size_t k = 0; k < held_at(s, world, q, k, &b); k++) {
            if (a == b) continue;
            const uint64_t pair = a < b ? a << 32 | b : b << 32 | a;
            KAI_TRY(kai_array_append(pairs, &world->memory, &pair, 1, err));
        }
    }
    return KAI_OK;
}

kai_result kai_patch_joined(const kai_patch* s, kai_world* world, const kai_kind* kind,
                            const void* joint, kai_array* pairs, kai_error* err)
{
    enum { MOST = 8 };
    size_t places[MOST], count = 0;
    if (s->facets.count == 0) return KAI_OK;
    for (size_t i = 0; i < kind->param_count; i++) {
        const kai_param* p = &kind->params[i];
        const char* field = (const char*)joint + p->offset;
        for (size_t k = 0; k < kai_kind_repeats(p) && count < MOST; k++) {
            if (p->type == KAI_PARAM_NODE) {
                const uint32_t slot =
                    kai_node_slot(world, ((const kai_node*)(const void*)field)[k]);
                if (slot != UINT32_MAX) places[count++] = slot;
            } else if (p->type == KAI_PARAM_BODY) {
                const size_t slot =
                    kai_bodies_slot(&world->bodies, ((const kai_body*)(const void*)field)[k]);
                if (slot != SIZE_MAX) places[count++] = world->nodes.count + slot;
            }
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            KAI_TRY(add_held(s, world, places[i], places[k], pairs, err));
    return KAI_OK;
}

kai_element kai_patch_element(const kai_world* world, const kai_patch_params* p)
{
    const kai_id id = id_of(world, p->element);
    return KAI_ID_AS(kai_element, id);
}

bool kai_patch_uses(const kai_world* world, kai_node node)
{
    size_t which;
    const kai_store_batch* batch = batch_of(world, &which);
    const params* p = batch ? batch->items.data : NULL;
    for (size_t i = 0; batch && i < batch->items.count; i++)
        for (int k = 0; !p[i].frames && k < KAI_PATCH_ENDS; k++)
            if (p[i].ends[2 * k] == node.index && p[i].ends[2 * k + 1] == node.generation)
                return true;
    return false;
}

// Places -----------------------------------------------------------------------------------------

kai_vec3 kai_patch_end(const kai_world* world, const kai_patch_facet* facet, int k)
{
    return facet->frames ? world->bodies.pose[facet->ends[k]].position
                         : kai_node_all(world)[facet->ends[k]].def.position;
}

static kai_vec3 velocity_of(const kai_world* world, const kai_patch_facet* facet, int k)
{
    return facet->frames ? world->bodies.motion[facet->ends[k]].velocity
                         : kai_node_all(world)[facet->ends[k]].def.velocity;
}

typedef struct follow_context {
    const kai_patch* s;
    kai_world* world;
} follow_context;

static void follow_range(size_t begin, size_t end, void* context)
{
    const follow_context* c = context;
    for (size_t i = begin; i < end; i++) {
        const kai_patch_facet* facet = (const kai_patch_facet*)c->s->facets.data + i;
        params* p = kai_patch_instance(c->s, c->world, facet);
        kai_pose* pose = &c->world->bodies.pose[facet->body];
        kai_motion* motion = &c->world->bodies.motion[facet->body];
        kai_vec3 x[KAI_PATCH_ENDS], middle = kai_vec3_zero(), v = kai_vec3_zero();
        for (int k = 0; k < facet->count; k++) {
            x[k] = kai_patch_end(c->world, facet, k);
            middle = kai_vec3_add(middle, x[k]);
            v = kai_vec3_add(v, velocity_of(c->world, facet, k));
        }
        pose->position = kai_vec3_scale(middle, 1.0 / facet->count);
        motion->velocity = kai_vec3_scale(v, 1.0 / facet->count);
        motion->spin = kai_vec3_zero();
        pose->rotation = kai_quat_identity();
        for (int k = 0; k < facet->count; k++) p->corners[k] = kai_vec3_sub(x[k], pose->position);
        if (facet->count == 3) continue;
        const kai_vec3 along = kai_vec3_sub(x[1], x[0]);
        const double half = 0.5 * kai_vec3_norm(along);
        if (half > 0.0) pose->rotation = kai_quat_from_z_axis(along);
        p->corners[0] = kai_vec3_make(0.0, 0.0, -half);
        p->corners[1] = p->corners[2] = kai_vec3_make(0.0, 0.0, half);
    }
}

void kai_patch_follow(const kai_patch* s, kai_world* world)
{
    follow_context c = {s, world};
    kai_parallel_for(world->threads, s->facets.count, BLOCK, follow_range, &c);
}

// Points -----------------------------------------------------------------------------------------

/// Weights of a line.
static void weigh_line(const kai_vec3* x, kai_vec3 at, kai_patch_point* out)
{
    const kai_vec3 along = kai_vec3_sub(x[1], x[0]);
    const double length2 = kai_vec3_norm2(along);
    const double s = length2 > 0.0 ? kai_vec3_dot(kai_vec3_sub(at, x[0]), along) / length2 : 0.5;
    out->weight[1] = fmin(fmax(s, 0.0), 1.0);
    out->weight[0] = 1.0 - out->weight[1];
    out->slope[1] = length2 > 0.0 ? kai_vec3_scale(along, 1.0 / length2) : kai_vec3_zero();
    out->slope[0] = kai_vec3_neg(out->slope[1]);
}

/// Of a triangle without area the nearest corner carries all.
static void weigh_corner(const kai_vec3* x, kai_vec3 at, kai_patch_point* out)
{
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (kai_vec3_distance(x[k], at) < kai_vec3_distance(x[best], at)) best = k;
    out->weight[best] = 1.0;
}

/// Weights of a triangle: w₁ grows from the opposite side, ∇w₁ = e₂ × N / N².
static void weigh_triangle(const kai_vec3* x, kai_vec3 at, kai_patch_point* out)
{
    const kai_vec3 e1 = kai_vec3_sub(x[1], x[0]), e2 = kai_vec3_sub(x[2], x[0]);
    const kai_vec3 n = kai_vec3_cross(e1, e2), d = kai_vec3_sub(at, x[0]);
    const double n2 = kai_vec3_norm2(n);
    if (!(n2 > 1e-24 * kai_vec3_norm2(e1) * kai_vec3_norm2(e2))) {
        weigh_corner(x, at, out);
        return;
    }
    out->slope[1] = kai_vec3_scale(kai_vec3_cross(e2, n), 1.0 / n2);
    out->slope[2] = kai_vec3_scale(kai_vec3_cross(n, e1), 1.0 / n2);
    out->slope[0] = kai_vec3_neg(kai_vec3_add(out->slope[1], out->slope[2]));
    out->normal = kai_vec3_scale(n, 1.0 / sqrt(n2));
    const double a = kai_vec3_dot(out->slope[1], d), b = kai_vec3_dot(out->slope[2], d);
    const double w[3] = {fmax(1.0 - a - b, 0.0), fmax(a, 0.0), fmax(b, 0.0)};
    for (int k = 0; k < 3; k++) out->weight[k] = w[k] / (w[0] + w[1] + w[2]);
}

void kai_patch_locate(const kai_world* world, const kai_patch_facet* facet, kai_vec3 middle,
                      kai_vec3 at, kai_patch_point* out)
{
    kai_vec3 x[KAI_PATCH_ENDS];
    *out = (kai_patch_point){.count = facet->count, .frames = facet->frames};
    for (int k = 0; k < facet->count; k++) {
        out->ends[k] = facet->ends[k];
        x[k] = kai_patch_end(world, facet, k);
    }
    if (facet->count == 2)
        weigh_line(x, middle, out);
    else
        weigh_triangle(x, middle, out);
    kai_vec3 on = kai_vec3_zero();
    for (int k = 0; k < facet->count; k++) on = kai_vec3_mul_add(on, x[k], out->weight[k]);
    out->arm = kai_vec3_sub(at, on);
}

/// ω of nodes, without what the line cannot tell.
static kai_vec3 turn_of(const kai_patch_point* p, const kai_vec3* v)
{
    kai_vec3 c = kai_vec3_zero();
    for (int k = 0; k < p->count; k++) c = kai_vec3_add(c, kai_vec3_cross(p->slope[k], v[k]));
    return kai_vec3_mul_add(c, p->normal, -0.5 * kai_vec3_dot(p->normal, c));
}

kai_vec3 kai_patch_velocity(const kai_patch_point* p, const kai_vec3* v, const kai_vec3* w)
{
    kai_vec3 sum = kai_vec3_zero();
    for (int k = 0; k < p->count; k++) sum = kai_vec3_mul_add(sum, v[k], p->weight[k]);
    if (kai_vec3_norm2(p->arm) == 0.0) return sum;
    return kai_vec3_add(sum, kai_vec3_cross(kai_patch_spin(p, v, w), p->arm));
}

kai_vec3 kai_patch_spin(const kai_patch_point* p, const kai_vec3* v, const kai_vec3* w)
{
    if (!p->frames) return turn_of(p, v);
    kai_vec3 sum = kai_vec3_zero();
    for (int k = 0; k < p->count; k++) sum = kai_vec3_mul_add(sum, w[k], p->weight[k]);
    return sum;
}

void kai_patch_motion(const kai_world* world, const kai_patch_point* p, kai_vec3* v, kai_vec3* w)
{
    kai_vec3 speed[KAI_PATCH_ENDS] = {{0}}, spin[KAI_PATCH_ENDS] = {{0}};
    for (int k = 0; k < p->count; k++) {
        const uint32_t end = p->ends[k];
        speed[k] =
            p->frames ? world->bodies.motion[end].velocity : kai_node_all(world)[end].def.velocity;
        spin[k] = p->frames ? kai_quat_rotate(world->bodies.pose[end].rotation,
                                              world->bodies.motion[end].spin)
                            : kai_vec3_zero();
    }
    *v = kai_patch_velocity(p, speed, spin);
    *w = kai_patch_spin(p, speed, spin);
}

void kai_patch_spread(const kai_patch_point* p, kai_vec3 force, kai_vec3 couple, kai_vec3* f,
                      kai_vec3* m)
{
    const kai_vec3 t = kai_vec3_add(kai_vec3_cross(p->arm, force), couple);
    const kai_vec3 turn = kai_vec3_mul_add(t, p->normal, -0.5 * kai_vec3_dot(p->normal, t));
    for (int k = 0; k < p->count; k++) {
        f[k] = kai_vec3_scale(force, p->weight[k]);
        m[k] = p->frames ? kai_vec3_scale(t, p->weight[k]) : kai_vec3_zero();
        if (!p->frames) f[k] = kai_vec3_add(f[k], kai_vec3_cross(turn, p->slope[k]));
    }
}

// Mass -------------------------------------------------------------------------------------------

// A body that stands for a facet never turns: its moments hold what its ends weigh.
static const double STILL = 1e30; // kg: an end that does not move

double kai_patch_inverse_mass(const kai_world* world, const kai_patch_facet* facet, int k)
{
    if (facet->frames) return kai_bodies_mass_of(&world->bodies, facet->ends[k])->inverse_mass;
    const kai_vec3* m = &kai_bodies_mass_of(&world->bodies, facet->body)->moments;
    const double mass = k == 0 ? m->x : k == 1 ? m->y : m->z;
    return mass >= STILL ? 0.0 : 1.0 / mass;
}

void kai_patch_set_mass(kai_world* world, const kai_patch_facet* facet,
                        const double mass[KAI_PATCH_ENDS])
{
    const bool fixed = world->bodies.motion[facet->body].flags & KAI_BODY_FIXED;
    double m[KAI_PATCH_ENDS], least = STILL;
    for (int k = 0; k < KAI_PATCH_ENDS; k++) {
        m[k] = k < facet->count && mass[k] > 0.0 ? fmin(mass[k], STILL) : STILL;
        least = fmin(least, m[k]);
    }
    kai_bodies_set_mass(&world->bodies, facet->body, fixed ? 1.0 : least,
                        kai_vec3_make(m[0], m[1], m[2]), fixed);
}

// Creation ---------------------------------------------------------------------------------------

static kai_result make_body(kai_world* world, kai_body* out)
{
    const kai_body_def def = kai_body_def_default();
    KAI_TRY(kai_body_create(world, &def, out));
    const size_t slot = kai_bodies_slot(&world->bodies, *out);
    world->bodies.motion[slot].flags |= KAI_BODY_STRAIGHT | KAI_BODY_NODE;
    // Until the mass of elements is known.
    kai_bodies_set_mass(&world->bodies, slot, 1.0, kai_vec3_make(1.0, 1.0, 1.0), false);
    return KAI_OK;
}

kai_result kai_patch_add(kai_world* world, const kai_id* ends, int count, bool frames,
                         kai_element element, double radius, const kai_shape_def* def,
                         kai_error* err)
{
    params p = {.radius = radius, .frames = frames, .element = {element.index, element.generation}};
    kai_body body;
    kai_shape shape;
    for (int k = 0; k < count; k++) {
        p.ends[2 * k] = ends[k].index;
        p.ends[2 * k + 1] = ends[k].generation;
    }
    KAI_TRY(make_body(world, &body));
    const kai_result r = kai_shape_create(world, body, &kai_patch_kind, &p, def, &shape);
    if (r != KAI_OK) {
        const kai_error keep = *err;
        kai_body_destroy(world, body);
        *err = keep;
    }
    return r;
}
