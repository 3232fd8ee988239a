// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The cone problem is min ½ |v - v0|²_M over velocities with z = Dᵀv + b ∈ K* (b: bias and shift of
// cone.h). With multipliers γ and weights R, one a contact, alternating directions are
//
//     (M + D R Dᵀ) (v - v0) = D (γ + R (z - Dᵀv0 - b))       one sparse factorisation (ldl.h)
//     y = Dᵀv + b
//     γ' = P(γ - R y),  z' = y + (γ' - γ) / R                contact by contact
//
// γ is admissible at all times and is the impulse. Compliance c makes the second line the point of
// K that is least in ½ c γ_n² + |γ - (γ_old - R y)|² / 2R. y is over-relaxed with the z before. R
// is a number r times the mass of the contact; r is adapted so that both residuals fall alike (as
// OSQP does, Stellato and others 2020), and the matrix factorised anew.
//
// Joints are a second constraint, v = w with w as joints make it: M gets a factor 1 + r, and w =
// project(v - η / r), for `project` is the nearest point in the metric M.
//
// Couples count as in the residual: κ / L and L ω.
#include "solve/cone_admm.h"

#include "base/parallel.h"
#include "base/stop.h"
#include "solve/cone_values.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = KAI_CONE_PACK_LANES, WIDTH = KAI_LDL_WIDTH, ADAPT = 10, LIMIT = 32 << 20 };

#define RELAXATION 1.6

// Six numbers: velocity and spin, or impulse and couple.
typedef struct pair {
    kai_vec3 f, k;
} pair;

static pair pair_mix(pair a, double s, pair b, double t)
{
    return (pair){kai_vec3_add(kai_vec3_scale(a.f, s), kai_vec3_scale(b.f, t)),
                  kai_vec3_add(kai_vec3_scale(a.k, s), kai_vec3_scale(b.k, t))};
}

static double pair_norm2(pair a) { return kai_vec3_norm2(a.f) + kai_vec3_norm2(a.k); }

// A contact. Couples are in units of L.
typedef struct state {
    const kai_cone_contact* contact;
    double* lane;    // its numbers in cone->values
    uint32_t edge;   // UINT32_MAX: one of its bodies does not move
    double mass;     // m of the residual
    double length;   // L; 0: no couples
    pair start;      // Dᵀv0 + bias
    pair z, impulse; // iterate
    double shift;
} state;

typedef struct link {
    uint64_t bodies; // smaller index first
    uint32_t state;
} link;

typedef struct admm {
    kai_cone_work* work;
    const kai_cone_problem* problem;
    kai_ldl* ldl;
    state* states;
    size_t count;
    link* links; // by bodies
    size_t link_count;
    double* x;                 // [6 bodies] v - v0
    double (*moments)[6];      // [bodies] inertia
    kai_cone_motion *w, *eta;  // joints; NULL: none
    double r;                  // weight
    double primal, dual, push; // sums of squares: residuals, impulses
    double speed;              // of speeds that there were
} admm;

void kai_cone_admm_init(kai_cone* cone)
{
    cone->nodes = kai_array_make(sizeof(kai_ldl_node));
    cone->edges = kai_array_make(sizeof(kai_ldl_edge));
    cone->states = kai_array_make(sizeof(state));
    cone->links = kai_array_make(sizeof(link));
    kai_ldl_init(&cone->ldl, cone->memory);
    cone->ldl.limit = LIMIT;
}

// Set-up -----------------------------------------------------------------------------------------

static bool translates(const kai_cone_motion* m) { return m->inverse_mass > 0.0; }
static bool turns(const kai_cone_motion* m) { return m->inverse_moment != 0.0; }

static bool moves(const kai_cone_problem* p, uint32_t body)
{
    return body != KAI_CONE_NONE && (translates(&p->motion[body]) || turns(&p->motion[body]));
}

static double lane_at(const state* s, int row) { return s->lane[row * LANES]; }
static kai_vec3 lane3_at(const state* s, int row)
{
    return kai_vec3_make(lane_at(s, row), lane_at(s, row + 1), lane_at(s, row + 2));
}

// Relative velocity and L times the relative spin that two motions give.
static pair speed_of(const state* s, const kai_cone_motion* a, const kai_cone_motion* b)
{
    const kai_cone_contact* c = s->contact;
    pair u = {kai_vec3_zero(), kai_vec3_zero()};
    if (b) {
        u.f = kai_vec3_add(b->v, kai_vec3_cross(b->w, c->arm_b));
        u.k = b->w;
    }
    if (a) {
        u.f = kai_vec3_sub(u.f, kai_vec3_add(a->v, kai_vec3_cross(a->w, c->arm_a)));
        u.k = kai_vec3_sub(u.k, a->w);
    }
    u.k = kai_vec3_scale(u.k, s->length);
    return u;
}

static void begin_state(admm* a, uint32_t i, double* lane, uint32_t kind)
{
    const kai_cone_problem* p = a->problem;
    const kai_cone_contact* c = &p->contacts[i];
    state* s = &a->states[a->count];
    *s = (state){.contact = c, .lane = lane, .edge = UINT32_MAX};
    s->mass = lane_at(s, KAI_CONE_ROW_MASS_N);
    s->length = kind == KAI_CONE_COUPLED && !p->smooth ? lane_at(s, KAI_CONE_ROW_LENGTH) : 0.0;
    s->start = speed_of(s, c->a == KAI_CONE_NONE ? NULL : &p->motion[c->a],
                        c->b == KAI_CONE_NONE ? NULL : &p->motion[c->b]);
    s->start.f = kai_vec3_mul_add(s->start.f, c->normal, c->bias);
    s->impulse.f = lane3_at(s, KAI_CONE_ROW_IMPULSE);
    if (s->length > 0.0)
        s->impulse.k = kai_vec3_scale(lane3_at(s, KAI_CONE_ROW_COUPLE), 1.0 / s->length);
    a->speed += s->mass * pair_norm2(s->start);
    if (moves(p, c->a) && moves(p, c->b)) {
        const uint64_t low = c->a < c->b ? c->a : c->b, high = c->a < c->b ? c->b : c->a;
        a->links[a->link_count++] = (link){low << 32 | high, (uint32_t)a->count};
    }
    a->count++;
}

// Contacts in the order of the packs; those that nothing moves are left out.
static void begin_states(admm* a)
{
    const kai_cone* cone = a->work->cone;
    const kai_cone_run* runs = cone->runs.data;
    const uint32_t* at = cone->contact_at.data;
    for (size_t r = 0; r < cone->runs.count; r++) {
        for (size_t g = 0; g < runs[r].count; g++) {
            double* group = (double*)cone->values.data + runs[r].value + g * runs[r].rows * LANES;
            for (uint32_t k = 0; k < LANES; k++) {
                const uint32_t i = at[(runs[r].first + g) * LANES + k];
                if (i == UINT32_MAX) continue;
                const kai_cone_contact* c = &a->problem->contacts[i];
                if (moves(a->problem, c->a) || moves(a->problem, c->b))
                    begin_state(a, i, group + k, runs[r].kind);
            }
        }
    }
}

static int by_bodies(const void* x, const void* y)
{
    const link *a = x, *b = y;
    if (a->bodies != b->bodies) return a->bodies < b->bodies ? -1 : 1;
    return (a->state > b->state) - (a->state < b->state);
}

// Pairs of bodies that touch become edges, each once.
static kai_result begin_matrix(admm* a, kai_error* err)
{
    kai_cone* cone = a->work->cone;
    const kai_cone_problem* p = a->problem;
    KAI_TRY(kai_array_reserve(&cone->nodes, cone->memory, p->body_count, err));
    KAI_TRY(kai_array_reserve(&cone->edges, cone->memory, a->link_count, err));
    kai_ldl_node* nodes = cone->nodes.data;
    kai_ldl_edge* edges = cone->edges.data;
    for (size_t i = 0; i < p->body_count; i++) nodes[i] = (kai_ldl_node){.rows = 6};
    if (a->link_count > 0) qsort(a->links, a->link_count, sizeof *a->links, by_bodies);
    uint32_t count = 0;
    for (size_t i = 0; i < a->link_count; i++) {
        const uint64_t bodies = a->links[i].bodies;
        if (i == 0 || bodies != a->links[i - 1].bodies)
            edges[count++] = (kai_ldl_edge){(uint32_t)(bodies >> 32), (uint32_t)bodies};
        a->states[a->links[i].state].edge = count - 1;
    }
    a->ldl->stop = a->work->options->stop;
    const kai_result r = kai_ldl_analyze(a->ldl, nodes, (uint32_t)p->body_count, edges, count, err);
    if (r == KAI_ERROR_LIMIT)
        return kai_error_set(
            err, r,
            "admm: factors for %zu bodies and %zu contacts take more than 256 MiB; "
            "another method (apgd, psor) must be used",
            p->body_count, p->contact_count);
    return r;
}

static kai_result begin(admm* a, kai_cone_work* work)
{
    kai_cone* cone = work->cone;
    const kai_cone_problem* p = work->problem;
    const size_t bodies = p->body_count;
    *a = (admm){.work = work, .problem = p, .ldl = &cone->ldl, .r = 1.0};
    KAI_TRY(kai_array_reserve(&cone->states, cone->memory, p->contact_count, work->err));
    KAI_TRY(kai_array_reserve(&cone->links, cone->memory, p->contact_count, work->err));
    KAI_TRY(kai_array_reserve(&cone->dense, cone->memory, 12 * bodies, work->err));
    a->states = cone->states.data;
    a->links = cone->links.data;
    a->x = cone->dense.data;
    a->moments = (double(*)[6])(a->x + 6 * bodies);
    begin_states(a);
    for (size_t i = 0; i < bodies; i++) kai_cone_values_inertia(p, i, a->moments[i]);
    KAI_TRY(begin_matrix(a, work->err));
    if (p->project == NULL) return KAI_OK;
    for (int k = 0; k < 2; k++) {
        KAI_TRY(kai_array_reserve(&cone->bodies[k], cone->memory, bodies, work->err));
        memcpy(cone->bodies[k].data, cone->motion.data, bodies * sizeof(kai_cone_motion));
    }
    a->w = cone->bodies[0].data;
    a->eta = cone->bodies[1].data;
    for (size_t i = 0; i < bodies; i++) a->eta[i].v = a->eta[i].w = kai_vec3_zero();
    return KAI_OK;
}

// Matrix -----------------------------------------------------------------------------------------

// m += s [x]× or, at (0, 0) with y, m += -s [x]× [y]×.
static void add_cross(double* m, double s, kai_vec3 x)
{
    m[1] -= s * x.z;
    m[2] += s * x.y;
    m[WIDTH] += s * x.z;
    m[WIDTH + 2] -= s * x.x;
    m[2 * WIDTH] -= s * x.y;
    m[2 * WIDTH + 1] += s * x.x;
}

static void add_double_cross(double* m, double s, kai_vec3 x, kai_vec3 y)
{
    // -[x]× [y]× = (x·y) 1 - y xᵀ
    const double dot = kai_vec3_dot(x, y);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            m[i * WIDTH + j] +=
                s * ((i == j ? dot : 0.0) - kai_vec3_get(y, i) * kai_vec3_get(x, j));
    }
}

// J_xᵀ R J_y of a contact: J = ±[1, -[arm]×] for velocities, ±[0, 1] for spins. Rows and columns
// that do not move are left alone.
static void add_block(double* m, const kai_cone_motion* x, kai_vec3 arm_x, const kai_cone_motion* y,
                      kai_vec3 arm_y, double weight, double couple)
{
    if (translates(x) && translates(y))
        for (int i = 0; i < 3; i++) m[i * (WIDTH + 1)] += weight;
    if (translates(x) && turns(y)) add_cross(m + 3, -weight, arm_y);
    if (turns(x) && translates(y)) add_cross(m + 3 * WIDTH, weight, arm_x);
    if (turns(x) && turns(y)) {
        add_double_cross(m + 3 * WIDTH + 3, weight, arm_x, arm_y);
        for (int i = 0; i < 3; i++) m[(3 + i) * (WIDTH + 1)] += couple;
    }
}

static void add_mass(const admm* a, size_t i)
{
    const kai_cone_motion* b = &a->problem->motion[i];
    const double* q = a->moments[i];
    const double s = a->w ? 1.0 + a->r : 1.0;
    double* m = kai_ldl_diagonal(a->ldl, (uint32_t)i);
    for (int k = 0; k < 3; k++) m[k * (WIDTH + 1)] += translates(b) ? s / b->inverse_mass : 1.0;
    double* t = m + 3 * (WIDTH + 1);
    if (!turns(b)) {
        for (int k = 0; k < 3; k++) t[k * (WIDTH + 1)] += 1.0;
        return;
    }
    const double full[3][3] = {{q[0], q[3], q[4]}, {q[3], q[1], q[5]}, {q[4], q[5], q[2]}};
    for (int k = 0; k < 9; k++) t[k / 3 * WIDTH + k % 3] += s * full[k / 3][k % 3];
}

static kai_result factorise(admm* a)
{
    const kai_cone_problem* p = a->problem;
    const int threads = a->work->options->threads;
    uint32_t bad;
    kai_ldl_clear(a->ldl, threads);
    for (uint32_t e = 0; e < a->ldl->edge_count; e++) {
        bool flipped;
        memset(kai_ldl_block(a->ldl, e, &flipped), 0, 6 * WIDTH * sizeof(double));
    }
    for (size_t i = 0; i < p->body_count; i++) add_mass(a, i);
    for (size_t i = 0; i < a->count; i++) {
        const state* s = &a->states[i];
        const kai_cone_contact* c = s->contact;
        const kai_cone_motion* ma = moves(p, c->a) ? &p->motion[c->a] : NULL;
        const kai_cone_motion* mb = moves(p, c->b) ? &p->motion[c->b] : NULL;
        const double weight = a->r * s->mass, couple = weight * s->length * s->length;
        if (ma)
            add_block(kai_ldl_diagonal(a->ldl, c->a), ma, c->arm_a, ma, c->arm_a, weight, couple);
        if (mb)
            add_block(kai_ldl_diagonal(a->ldl, c->b), mb, c->arm_b, mb, c->arm_b, weight, couple);
        if (s->edge == UINT32_MAX) continue;
        bool flipped;
        double* m = kai_ldl_block(a->ldl, s->edge, &flipped);
        // The edge has the smaller index first; `flipped` turns that round.
        if ((c->a < c->b) != flipped)
            add_block(m, ma, c->arm_a, mb, c->arm_b, -weight, -couple);
        else
            add_block(m, mb, c->arm_b, ma, c->arm_a, -weight, -couple);
    }
    if (kai_ldl_factor(a->ldl, threads, 0.0, &bad)) return KAI_OK;
    if (bad == KAI_LDL_STOPPED) return kai_stop_error(a->work->err);
    return kai_error_set(a->work->err, KAI_ERROR_DIVERGED,
                         "the matrix of body %u and its contacts is not positive definite", bad);
}

// Iterations -------------------------------------------------------------------------------------

static void add_impulse(const admm* a, uint32_t body, kai_vec3 arm, double length, pair g, double s)
{
    if (!moves(a->problem, body)) return;
    const kai_cone_motion* m = &a->problem->motion[body];
    const kai_vec3 turn = kai_vec3_mul_add(kai_vec3_cross(arm, g.f), g.k, length);
    double* x = a->x + 6 * (size_t)body;
    for (int k = 0; k < 3; k++) {
        if (translates(m)) x[k] += s * kai_vec3_get(g.f, k);
        if (turns(m)) x[3 + k] += s * kai_vec3_get(turn, k);
    }
}

// What joints pull with: M (r (w - v0) + η).
static void add_joints(const admm* a)
{
    for (size_t i = 0; i < a->problem->body_count; i++) {
        const kai_cone_motion *b = &a->problem->motion[i], *w = &a->w[i], *eta = &a->eta[i];
        const kai_vec3 v = kai_vec3_mul_add(eta->v, kai_vec3_sub(w->v, b->v), a->r);
        const kai_vec3 s = kai_vec3_mul_add(eta->w, kai_vec3_sub(w->w, b->w), a->r);
        const double* m = a->moments[i];
        double* x = a->x + 6 * i;
        if (translates(b))
            for (int k = 0; k < 3; k++) x[k] += kai_vec3_get(v, k) / b->inverse_mass;
        if (!turns(b)) continue;
        x[3] += m[0] * s.x + m[3] * s.y + m[4] * s.z;
        x[4] += m[3] * s.x + m[1] * s.y + m[5] * s.z;
        x[5] += m[4] * s.x + m[5] * s.y + m[2] * s.z;
    }
}

// Velocities at which contacts (and joints) pull as they did.
static void solve_velocities(admm* a)
{
    memset(a->x, 0, 6 * a->problem->body_count * sizeof(double));
    for (size_t i = 0; i < a->count; i++) {
        const state* s = &a->states[i];
        const kai_cone_contact* c = s->contact;
        pair off = pair_mix(s->z, 1.0, s->start, -1.0);
        off.f = kai_vec3_mul_add(off.f, c->normal, -s->shift);
        const pair g = pair_mix(s->impulse, 1.0, off, a->r * s->mass);
        add_impulse(a, c->a, c->arm_a, s->length, g, -1.0);
        add_impulse(a, c->b, c->arm_b, s->length, g, 1.0);
    }
    if (a->w) add_joints(a);
    kai_ldl_solve(a->ldl, a->work->options->threads, a->x);
}

static kai_cone_motion increment(const admm* a, uint32_t body)
{
    const double* x = a->x + 6 * (size_t)body;
    return (kai_cone_motion){.v = {x[0], x[1], x[2]}, .w = {x[3], x[4], x[5]}};
}

// The point of K nearest to p; the normal part weighs 1 + stiff. See project_point in
// cone_kernel_loops.h.
static pair nearest(const state* s, pair p, double stiff)
{
    const kai_cone_contact* c = s->contact;
    const kai_vec3 n = c->normal;
    const double per = s->length > 0.0 ? 1.0 / s->length : 0.0;
    const double along = kai_vec3_dot(p.f, n), about = kai_vec3_dot(p.k, n);
    const kai_vec3 t = kai_vec3_mul_add(p.f, n, -along), r = kai_vec3_mul_add(p.k, n, -about);
    const double size[3] = {kai_vec3_norm(t), fabs(about), kai_vec3_norm(r)};
    const double limit[3] = {lane_at(s, KAI_CONE_ROW_FRICTION), c->spinning * per,
                             c->rolling * per};
    double x = 0.0, keep[3];
    for (int set = 0; set < 8; set++) {
        double top = along, low = 1.0 + stiff;
        for (int k = 0; k < 3; k++) {
            if (!(set >> k & 1)) continue;
            top += limit[k] * size[k];
            low += limit[k] * limit[k];
        }
        x = fmax(x, top / low);
    }
    for (int k = 0; k < 3; k++) keep[k] = size[k] > limit[k] * x ? limit[k] * x / size[k] : 1.0;
    return (pair){kai_vec3_mul_add(kai_vec3_scale(t, keep[0]), n, x),
                  kai_vec3_mul_add(kai_vec3_scale(r, keep[2]), n, about * keep[1])};
}

static double shift_of(const state* s, pair u)
{
    const kai_cone_contact* c = s->contact;
    const kai_vec3 n = c->normal;
    const double along = kai_vec3_dot(u.f, n), about = kai_vec3_dot(u.k, n);
    const double per = s->length > 0.0 ? 1.0 / s->length : 0.0;
    return lane_at(s, KAI_CONE_ROW_FRICTION) * kai_vec3_norm(kai_vec3_mul_add(u.f, n, -along)) +
           c->spinning * per * fabs(about) +
           c->rolling * per * kai_vec3_norm(kai_vec3_mul_add(u.k, n, -about));
}

static void solve_contact(admm* a, state* s)
{
    const kai_cone_problem* p = a->problem;
    const kai_cone_contact* c = s->contact;
    const double weight = a->r * s->mass;
    kai_cone_motion ma, mb;
    if (moves(p, c->a)) ma = increment(a, c->a);
    if (moves(p, c->b)) mb = increment(a, c->b);
    const pair u = speed_of(s, moves(p, c->a) ? &ma : NULL, moves(p, c->b) ? &mb : NULL);
    pair y = pair_mix(s->start, 1.0, u, 1.0);
    if (!a->work->options->associated) s->shift = shift_of(s, y);
    y.f = kai_vec3_mul_add(y.f, c->normal, s->shift);
    const pair eased = pair_mix(y, RELAXATION, s->z, 1.0 - RELAXATION);
    const pair free = pair_mix(s->impulse, 1.0, eased, -weight);
    const pair impulse = nearest(s, free, c->compliance * weight);
    const pair z = pair_mix(eased, 1.0, pair_mix(impulse, 1.0, s->impulse, -1.0), 1.0 / weight);
    a->primal += s->mass * pair_norm2(pair_mix(y, 1.0, z, -1.0));
    a->dual += s->mass * pair_norm2(pair_mix(z, 1.0, s->z, -1.0));
    a->push += pair_norm2(impulse) / s->mass;
    s->impulse = impulse;
    s->z = z;
}

static kai_result solve_joints(admm* a)
{
    const kai_cone_problem* p = a->problem;
    for (uint32_t i = 0; i < p->body_count; i++) {
        const kai_cone_motion x = increment(a, i), *b = &p->motion[i];
        a->w[i].v = kai_vec3_mul_add(kai_vec3_add(b->v, x.v), a->eta[i].v, -1.0 / a->r);
        a->w[i].w = kai_vec3_mul_add(kai_vec3_add(b->w, x.w), a->eta[i].w, -1.0 / a->r);
    }
    KAI_TRY(p->project(p->project_context, a->w, true, a->work->err));
    for (uint32_t i = 0; i < p->body_count; i++) {
        const kai_cone_motion x = increment(a, i), *b = &p->motion[i];
        const kai_vec3 v = kai_vec3_sub(kai_vec3_add(b->v, x.v), a->w[i].v);
        const kai_vec3 w = kai_vec3_sub(kai_vec3_add(b->w, x.w), a->w[i].w);
        a->eta[i].v = kai_vec3_mul_add(a->eta[i].v, v, -a->r);
        a->eta[i].w = kai_vec3_mul_add(a->eta[i].w, w, -a->r);
    }
    return KAI_OK;
}

// Impulses to the packs, and the velocities that they give.
static kai_result publish(admm* a)
{
    for (size_t i = 0; i < a->count; i++) {
        const state* s = &a->states[i];
        for (int k = 0; k < 3; k++) {
            s->lane[(KAI_CONE_ROW_IMPULSE + k) * LANES] = kai_vec3_get(s->impulse.f, k);
            if (s->length > 0.0)
                s->lane[(KAI_CONE_ROW_COUPLE + k) * LANES] =
                    s->length * kai_vec3_get(s->impulse.k, k);
        }
    }
    return kai_cone_work_restart(a->work);
}

// Balances the residuals, each against what it is a residual of.
static kai_result adapt(admm* a, uint32_t k)
{
    const double primal = sqrt(a->primal / fmax(a->speed, 1e-300));
    const double dual = a->r * sqrt(a->dual / fmax(a->push, 1e-300));
    const double factor = sqrt(primal / fmax(dual, 1e-300));
    // Ever more seldom, so that it settles.
    if (k % ADAPT != 0 || (k > 20 * ADAPT && k % (10 * ADAPT) != 0)) return KAI_OK;
    if (!(factor > 2.0 || factor < 0.5) || !isfinite(factor)) return KAI_OK;
    a->r = fmin(fmax(a->r * fmin(fmax(factor, 0.1), 10.0), 1e-6), 1e6);
    return factorise(a);
}

kai_result kai_cone_admm(kai_cone_work* work)
{
    const kai_cone_options* o = work->options;
    admm a;
    bool stop = false;
    KAI_TRY(begin(&a, work));
    KAI_TRY(factorise(&a));
    KAI_TRY(kai_cone_work_check(work, 0, &stop));
    for (uint32_t k = 1; k <= o->iterations && !stop; k++) {
        a.primal = a.dual = a.push = 0.0;
        solve_velocities(&a);
        for (size_t i = 0; i < a.count; i++) solve_contact(&a, &a.states[i]);
        if (a.w) KAI_TRY(solve_joints(&a));
        if (kai_cone_work_looks(work, k)) KAI_TRY(publish(&a));
        KAI_TRY(kai_cone_work_check(work, k, &stop));
        if (!stop && k < o->iterations) KAI_TRY(adapt(&a, k));
    }
    return publish(&a);
}
