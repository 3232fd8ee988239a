// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A point x of a body, or a node, stays on the centre line c(s) of a chain of cables or beams, and
// slides along it without friction. Between two nodes the line is the cubic of their positions and
// tangents, s the length along it without load: that of `ancf-cable`, whose tangents are slopes,
// and for `euler-beam` that of bending, with tangents fixed to the bodies (where beams meet at an
// angle, the mean of theirs). It is smooth from element to element; beyond the ends it goes on
// straight.
//
// With the point of the line nearest to x, r = x - c, r · c' = 0, and two normals n_k:
//     g_k = n_k · r,     n_1 = (e × t) / |e × t|,  n_2 = t × n_1,  t = c' / |c'|
// and for c = Σ S_a q_a (q: positions and tangents)
//     ∂g_k/∂x   = m_k = n_k + u_k c',      u_k = w_k · c'' / (c' · c' - r · c'')
//     ∂g_k/∂q_a = -S_a m_k + S_a' p_k,     p_k = w_k + u_k r
//     w_1 = g_2 w, w_2 = -g_1 w,           w = (n_2 × e - t (t · (n_2 × e))) / (|e × t| |c'|)
// so that a reaction goes to the nodes by the shape functions S_a.
//
// The joint holds the nodes of two elements, a *window* about the point. It moves on between steps,
// where the point passes the middle of an element: there the line is the same in both windows.
#include "base/error.h"
#include "model/id.h"
#include "model/joint.h"
#include "model/joints/joint_node.h"
#include "model/joints/joint_node_line.h"
#include "model/label.h"

#include <string.h>

typedef kai_joint_node_line_slide params;
typedef kai_joint_node_slide_params slide_given;

enum { WINDOW = 3, COLUMNS = KAI_JOINT_NODE_LINE_COLUMNS, NEWTON = 50 };
enum { SLIDER = WINDOW, NODES = WINDOW + 2, FURTHER = WINDOW + 2 * (1 + WINDOW) };

static const double NEAR = 0.01; // of the length of an element: how far off it may be created

// The line ---------------------------------------------------------------------------------------

/// The part of the line that the joint holds.
typedef struct window {
    int nodes; // 0: ends are gone
    kai_vec3 position[WINDOW], tangent[WINDOW];
    bool second[WINDOW];       // it is the second slope of the node that lies along the line
    double length[WINDOW - 1]; // from node to node
} window;

/// A point of it: c, c', c'', and shape functions of the ends of its piece, position and tangent of
/// each.
typedef struct spot {
    int piece;
    double s[4], ds[4];
    kai_vec3 c, d, dd;
} spot;

static const double* row_of(const params* p, int64_t i)
{
    const int64_t rows = p->line.rows;
    return p->line.data + COLUMNS * (p->closed ? (i % rows + rows) % rows : i);
}

/// Pieces of the line: one less than nodes, but for a ring.
static int64_t node_slide_pieces(const params* p) { return (int64_t)p->line.rows - !p->closed; }

static kai_vec3 row_tangent(const double* row) { return kai_vec3_make(row[2], row[3], row[4]); }

/// The window of an instance, whose ends are in these slots.
static window node_slide_look(const params* p, const uint32_t* slot, const kai_pose* pose,
                              const kai_node_record* nodes)
{
    window w = {0};
    const int64_t rows = p->line.rows, count = rows < WINDOW ? rows : WINDOW;
    if (p->line.columns != COLUMNS || p->first < 0 || rows < 2 || p->first >= rows) return w;
    for (int k = 0; k < count; k++) {
        const uint32_t at = slot[p->frames ? k : NODES + 2 * k];
        const double* row = row_of(p, p->first + k);
        if (at == UINT32_MAX || (!p->closed && p->first + k >= rows)) return (window){0};
        const kai_vec3 t = row_tangent(row);
        w.position[k] = p->frames ? pose[at].position : nodes[at].def.position;
        w.second[k] = !p->frames && t.x > 0.5 && nodes[at].def.slopes == 2;
        w.tangent[k] =
            p->frames ? kai_quat_rotate(pose[at].rotation, t) : nodes[at].def.slope[w.second[k]];
        if (k + 1 < count) w.length[k] = row[5];
    }
    w.nodes = (int)count;
    return w;
}

/// The cubic of piece k at z of its length L: shape functions and their derivatives by s.
static void node_slide_shapes(double z, double length, double s[4], double ds[4], double dds[4])
{
    const double a = 1.0 - z, i = 1.0 / length;
    s[0] = a * a * (1.0 + 2.0 * z);
    s[1] = length * z * a * a;
    s[2] = z * z * (3.0 - 2.0 * z);
    s[3] = -length * z * z * a;
    ds[0] = -6.0 * i * z * a;
    ds[1] = a * (1.0 - 3.0 * z);
    ds[2] = 6.0 * i * z * a;
    ds[3] = z * (3.0 * z - 2.0);
    dds[0] = i * i * (12.0 * z - 6.0);
    dds[1] = i * (6.0 * z - 4.0);
    dds[2] = i * i * (6.0 - 12.0 * z);
    dds[3] = i * (6.0 * z - 2.0);
}

static kai_vec3 node_slide_blend(const window* w, int piece, const double s[4])
{
    kai_vec3 sum = kai_vec3_scale(w->position[piece], s[0]);
    sum = kai_vec3_mul_add(sum, w->tangent[piece], s[1]);
    sum = kai_vec3_mul_add(sum, w->position[piece + 1], s[2]);
    return kai_vec3_mul_add(sum, w->tangent[piece + 1], s[3]);
}

/// The line at s, counted from the first node of the window; straight beyond its ends.
static spot line_at(const window* w, double s)
{
    double dds[4], start = 0.0;
    spot at = {0};
    while (at.piece < w->nodes - 2 && s > start + w->length[at.piece])
        start += w->length[at.piece++];
    const double length = w->length[at.piece], inside = fmin(fmax(s - start, 0.0), length),
                 beyond = s - start - inside;
    node_slide_shapes(inside / length, length, at.s, at.ds, dds);
    if (beyond != 0.0) {
        for (int k = 0; k < 4; k++) at.s[k] += beyond * at.ds[k];
        memset(dds, 0, sizeof dds);
    }
    at.c = node_slide_blend(w, at.piece, at.s);
    at.d = node_slide_blend(w, at.piece, at.ds);
    at.dd = node_slide_blend(w, at.piece, dds);
    return at;
}

/// Where the chords of the window are nearest to x.
static double first_guess(const window* w, kai_vec3 x)
{
    double best = 0.0, least = HUGE_VAL, start = 0.0;
    for (int k = 0; k + 1 < w->nodes; k++) {
        const kai_vec3 chord = kai_vec3_sub(w->position[k + 1], w->position[k]),
                       r = kai_vec3_sub(x, w->position[k]);
        const double n = kai_vec3_norm2(chord),
                     z = n > 0.0 ? fmin(fmax(kai_vec3_dot(r, chord) / n, 0.0), 1.0) : 0.0;
        const double off = kai_vec3_norm2(kai_vec3_mul_add(r, chord, -z));
        if (off < least) least = off, best = start + z * w->length[k];
        start += w->length[k];
    }
    return best;
}

/// The point nearest to x by Newton's method.
static spot node_slide_nearest(const window* w, kai_vec3 x, double* s)
{
    *s = first_guess(w, x);
    spot at = line_at(w, *s);
    for (int k = 0; k < NEWTON; k++) {
        const kai_vec3 r = kai_vec3_sub(x, at.c);
        const double speed2 = kai_vec3_norm2(at.d), reach = 0.5 * w->length[at.piece],
                     slope = fmax(speed2 - kai_vec3_dot(r, at.dd), 0.1 * speed2);
        const double step = fmin(fmax(kai_vec3_dot(r, at.d) / slope, -reach), reach);
        if (!isfinite(step)) break;
        *s += step;
        at = line_at(w, *s);
        if (!(fabs(step) > 1e-8 * reach)) break; // what is left after this step is its square
    }
    return at;
}

// Rows -------------------------------------------------------------------------------------------

/// What rows are made of: see the top.
typedef struct slide_row {
    double g;
    kai_vec3 m, p;
} slide_row;

static void find_rows(const spot* at, kai_vec3 x, kai_vec3 e, slide_row rows[2])
{
    const kai_vec3 r = kai_vec3_sub(x, at->c);
    const double speed = kai_vec3_norm(at->d);
    const kai_vec3 t = kai_vec3_scale(at->d, 1.0 / speed), side = kai_vec3_cross(e, t);
    const double length = kai_vec3_norm(side);
    const kai_vec3 n1 = kai_vec3_scale(side, 1.0 / length), n2 = kai_vec3_cross(t, n1);
    rows[0].g = kai_vec3_dot(n1, r);
    rows[1].g = kai_vec3_dot(n2, r);
    const kai_vec3 turn = kai_vec3_cross(n2, e);
    const kai_vec3 w =
        kai_vec3_scale(kai_vec3_mul_add(turn, t, -kai_vec3_dot(t, turn)), 1.0 / (length * speed));
    const double slope = speed * speed - kai_vec3_dot(r, at->dd);
    for (int k = 0; k < 2; k++) {
        const kai_vec3 wk = kai_vec3_scale(w, k == 0 ? rows[1].g : -rows[0].g);
        const double u = kai_vec3_dot(wk, at->dd) / slope;
        rows[k].m = kai_vec3_mul_add(k == 0 ? n1 : n2, at->d, u);
        rows[k].p = kai_vec3_mul_add(wk, r, u);
    }
}

/// The point that slides; `*arm` is its arm on the body.
static kai_vec3 node_slide_slider(const params* p, uint32_t body, const uint32_t* slot,
                                  const kai_pose* pose, const kai_node_record* nodes, kai_vec3* arm)
{
    *arm = kai_vec3_zero();
    if (body == UINT32_MAX) return nodes[slot[SLIDER]].def.position;
    *arm = kai_quat_rotate(pose[body].rotation, p->point);
    return kai_vec3_add(pose[body].position, *arm);
}

/// Factors of the ends of the piece in one row.
static void put_ends(const params* p, const window* w, const spot* at, const slide_row* row,
                     const uint32_t* slot, const kai_pose* pose, kai_wrench* further)
{
    for (int k = 0; k < 2; k++) {
        const int node = at->piece + k;
        const double *s = at->s + 2 * k, *ds = at->ds + 2 * k;
        const kai_vec3 of_position = kai_vec3_mul_add(kai_vec3_scale(row->p, ds[0]), row->m, -s[0]),
                       of_tangent = kai_vec3_mul_add(kai_vec3_scale(row->p, ds[1]), row->m, -s[1]);
        kai_wrench* f = &further[p->frames ? node : NODES + 2 * node];
        f->force = of_position;
        if (p->frames)
            f->torque = kai_quat_unrotate(pose[slot[node]].rotation,
                                          kai_vec3_cross(w->tangent[node], of_tangent));
        else if (w->second[node])
            f[1].force = of_tangent;
        else
            f->torque = of_tangent;
    }
}

static void node_slide_evaluate(const kai_joint_batch* b)
{
    for (size_t i = b->begin; i < b->end; i++) {
        const params* p = kai_joint_view_instance(b, i);
        const uint32_t *slot = b->further_slot + FURTHER * i, body = b->slot[2 * i];
        kai_joint_row* rows = b->rows + 2 * i;
        rows[0] = rows[1] = (kai_joint_row){0};
        const window w = node_slide_look(p, slot, b->pose, b->nodes);
        if (w.nodes == 0 || (body == UINT32_MAX && slot[SLIDER] == UINT32_MAX)) continue;
        kai_vec3 arm;
        const kai_vec3 x = node_slide_slider(p, body, slot, b->pose, b->nodes, &arm);
        double s;
        slide_row found[2];
        const spot at = node_slide_nearest(&w, x, &s);
        find_rows(&at, x, p->across, found);
        for (int k = 0; k < 2; k++) {
            kai_wrench* further = b->further + FURTHER * (2 * i + (size_t)k);
            rows[k].g = found[k].g;
            put_ends(p, &w, &at, &found[k], slot, b->pose, further);
            if (body == UINT32_MAX) {
                further[SLIDER].force = found[k].m;
                continue;
            }
            rows[k].a.force = found[k].m;
            rows[k].a.torque =
                kai_quat_unrotate(b->pose[body].rotation, kai_vec3_cross(arm, found[k].m));
        }
    }
}

// From element to element ------------------------------------------------------------------------

/// Takes the window that begins at p->first.
static void take_window(const kai_world* world, params* p)
{
    for (int k = 0; k < WINDOW; k++) {
        kai_id id = {0};
        if (k < (int64_t)p->line.rows) {
            const double* row = row_of(p, p->first + k);
            id = (kai_id){(uint32_t)row[0], (uint16_t)row[1], world->tag};
        }
        p->others[k] = p->frames ? KAI_ID_AS(kai_body, id) : (kai_body){0};
        p->window[k] = p->frames ? (kai_node){0} : KAI_ID_AS(kai_node, id);
    }
}

/// The window as it stands, and where the point is in it.
static kai_result find_place(const kai_world* world, const params* p, window* w, spot* at,
                             double* s, kai_error* err)
{
    uint32_t slot[FURTHER];
    kai_vec3 arm;
    kai_joint_find_further(world, &kai_joint_node_slide, p, slot);
    const uint32_t body = (uint32_t)kai_bodies_slot(&world->bodies, p->given.base.bodies[0]);
    *w = node_slide_look(p, slot, world->bodies.pose, kai_node_all(world));
    if (w->nodes == 0)
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "node-slide: a node of its line, one of those from number %lld on, is "
                             "gone; remove the joint first",
                             (long long)p->first);
    const kai_vec3 x =
        node_slide_slider(p, body, slot, world->bodies.pose, kai_node_all(world), &arm);
    *at = node_slide_nearest(w, x, s);
    return KAI_OK;
}

/// Where the window has to go: -1, 0 or 1.
static int node_slide_way(const params* p, const window* w, double s)
{
    if (w->nodes < WINDOW) return 0;
    if (s < 0.5 * w->length[0] && (p->closed || p->first > 0)) return -1;
    const bool more = p->closed || p->first + WINDOW < (int64_t)p->line.rows;
    return s > w->length[0] + 0.5 * w->length[1] && more ? 1 : 0;
}

/// Moves the window until the point is in the middle of it. A direction across the line that has
/// come too near to it is replaced.
static kai_result node_slide_settle(const kai_world* world, params* p, bool* changed,
                                    kai_error* err)
{
    window w;
    spot at;
    double s;
    for (int64_t k = 0, last = 0; k <= node_slide_pieces(p); k++) {
        KAI_TRY(find_place(world, p, &w, &at, &s, err));
        const int go = node_slide_way(p, &w, s);
        if (go == 0 || go == -last) break; // it does not go back and forth
        last = go;
        p->first += go;
        if (p->closed) p->first = (p->first + (int64_t)p->line.rows) % (int64_t)p->line.rows;
        take_window(world, p);
        *changed = true;
    }
    KAI_TRY(find_place(world, p, &w, &at, &s, err));
    const kai_vec3 t = kai_vec3_normalize(at.d);
    if (!(kai_vec3_norm(kai_vec3_cross(p->across, t)) < 0.3)) return KAI_OK;
    p->across = kai_vec3_axis(fabs(t.x) < 0.6 ? 0 : fabs(t.y) < 0.6 ? 1 : 2);
    *changed = true;
    return KAI_OK;
}

static kai_result node_slide_pass(const kai_world* world, void* instance, bool* changed,
                                  kai_error* err)
{
    return node_slide_settle(world, instance, changed, err);
}

// Creation ---------------------------------------------------------------------------------------

/// What slides, for messages.
static void node_slide_describe(const kai_world* world, const params* p, char* out, size_t size)
{
    if (KAI_IS_NULL(p->given.base.bodies[0]))
        kai_node_describe(world, kai_node_slot(world, p->given.node), out, size);
    else
        kai_label_body(world, kai_bodies_slot(&world->bodies, p->given.base.bodies[0]), out, size);
}

/// The window nearest to the point, of all of the line.
static kai_result find_window(const kai_world* world, params* p, kai_error* err)
{
    window w;
    spot at;
    double s, least = HUGE_VAL;
    int64_t best = 0;
    uint32_t slot[FURTHER];
    kai_vec3 arm;
    kai_joint_find_further(world, &kai_joint_node_slide, p, slot);
    const uint32_t body = (uint32_t)kai_bodies_slot(&world->bodies, p->given.base.bodies[0]);
    const kai_vec3 x =
        node_slide_slider(p, body, slot, world->bodies.pose, kai_node_all(world), &arm);
    const int64_t last = p->closed ? (int64_t)p->line.rows - 1
                                   : (int64_t)p->line.rows - (p->line.rows < WINDOW ? 2 : WINDOW);
    for (p->first = 0; p->first <= last; p->first++) {
        take_window(world, p);
        KAI_TRY(find_place(world, p, &w, &at, &s, err));
        const double off = kai_vec3_norm2(kai_vec3_sub(x, at.c));
        if (off < least) least = off, best = p->first;
    }
    p->first = best;
    take_window(world, p);
    KAI_TRY(find_place(world, p, &w, &at, &s, err));
    const kai_vec3 r = kai_vec3_sub(x, at.c);
    const double off = kai_vec3_norm(r), most = NEAR * w.length[at.piece];
    if (off <= most) return KAI_OK;
    char text[KAI_STRING_SIZE + 96];
    node_slide_describe(world, p, text, sizeof text);
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "node-slide: the point of %s is %g m from the line, whose nearest point "
                         "is [%g, %g, %g]; must be within %g m, %g of an element's length",
                         text, off, at.c.x, at.c.y, at.c.z, most, NEAR);
}

static kai_result check_slider(const kai_world* world, const params* p, kai_error* err)
{
    const bool body = !KAI_IS_NULL(p->given.base.bodies[0]), node = !KAI_IS_NULL(p->given.node);
    if (body == node)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "node-slide: %s; give one of body and node",
                             body ? "body and node are both given" : "nothing is there to slide");
    const uint32_t index = body ? p->given.base.bodies[0].index : p->given.node.index;
    for (uint32_t i = 0; body == p->frames && i < p->line.rows; i++) {
        if ((uint32_t)row_of(p, i)[0] != index) continue;
        char text[KAI_STRING_SIZE + 96];
        node_slide_describe(world, p, text, sizeof text);
        return kai_error_set(err, KAI_ERROR_ARGUMENT,
                             "node-slide: %s is a node of the line itself; must not be", text);
    }
    return KAI_OK;
}

static kai_result node_slide_prepare(const kai_world* world, void* instance, kai_error* err)
{
    params* p = instance;
    bool changed;
    // Scratch memory is no state; what is taken goes back when the joint is made.
    kai_arena* arena = &((kai_world*)(uintptr_t)world)->arena;
    KAI_TRY(kai_joint_node_line_find(world, arena, p, err));
    KAI_TRY(check_slider(world, p, err));
    if (!isnan(p->given.base.at.x))
        p->point = kai_joint_node_inner(world, p->given.base.bodies[0], p->given.base.at, true);
    p->across = kai_vec3_axis(2);
    KAI_TRY(find_window(world, p, err));
    return node_slide_settle(world, p, &changed, err);
}

static kai_result node_slide_check(const void* instance, kai_error* err)
{
    const slide_given* p = instance;
    const int given =
        (p->structure.text[0] != 0) + (p->element.text[0] != 0) + !KAI_IS_NULL(p->along);
    if (given == 1) return KAI_OK;
    return kai_error_set(err, KAI_ERROR_ARGUMENT,
                         "node-slide: %s; give one of structure and element",
                         given ? "the line is given twice" : "there is no line");
}

static const kai_param PARAMS[] = {
    KAI_PARAM_AS("body", BODY, kai_joint_base, bodies[0],
                 .doc = "Body that slides; instead of node."),
    KAI_PARAM(
        VEC3, kai_joint_base, at, .placing = KAI_PLACING_POINT, .unit = "m",
        .initial = {(double)NAN, (double)NAN, (double)NAN},
        .doc =
            "Point of the body that slides, world coordinates at t = 0; its mass centre when absent."),
    KAI_PARAM_AS("node", NODE, slide_given, node, .doc = "Node that slides; instead of body."),
    KAI_PARAM(
        STRING, slide_given, structure,
        .doc =
            "Name of the structure along which it slides: one line of `ancf-cable` or `euler-beam`, open or closed."),
    KAI_PARAM(
        STRING, slide_given, element,
        .doc =
            "Instead of structure, the name of an element: the line consists of all elements of its kind that are connected to it by shared nodes; a strand of a net continues straight through its knots."),
    KAI_JOINT_MADE,
    KAI_PARAM(BOOL, kai_joint_base, active, .initial = {1.0},
              .doc = "Whether the constraint acts."),
    KAI_PARAM_AS("window", NODE, params, window, .columns = WINDOW, .hidden = true),
    KAI_PARAM_AS("bodies", BODY, params, others, .columns = WINDOW, .hidden = true),
    KAI_PARAM(VEC3, params, point, .hidden = true),
    KAI_PARAM(VEC3, params, across, .hidden = true),
    KAI_PARAM(TABLE, params, line, .columns = COLUMNS, .hidden = true),
    KAI_PARAM(INT, params, first, .hidden = true),
    KAI_PARAM(BOOL, params, closed, .hidden = true),
    KAI_PARAM(BOOL, params, frames, .hidden = true),
};

const kai_joint_kind kai_joint_node_slide = {
    .kind = KAI_KIND(
        "node-slide", params, PARAMS, .given = sizeof(slide_given), .check = node_slide_check,
        .doc =
            "A point of a body, or a node, slides along the centre line of cables or beams, from element to element, without friction. Beyond its ends the line continues straight."),
    .rows = 2,
    .evaluate = node_slide_evaluate,
    .prepare = node_slide_prepare,
    .pass = node_slide_pass,
    .others = offsetof(params, others),
    .other_count = WINDOW,
    .nodes = offsetof(slide_given, node),
    .node_count = 1 + WINDOW,
    .frameless = true};
