// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Half-implicit Euler, the default: half a step of motion, new velocities from what holds there,
// and half a step of motion with them (Moreau's midpoint rule). One evaluation of forces a step,
// two where they depend on velocities.
//
//     x_m = x₀ + h/2 v₀,   q_m = q₀ ∘ exp(h/2 ω₀)
//     v₁ = v₀ + h (g + f/m),   ω₁ = I⁻¹ (exp(-h ω₀) I ω₀ + h τ)      f, τ at x_m, q_m and t + h/2
//     joints and contacts: G v₁ = -g/h at x_m, q_m
//     x₁ = x_m + h/2 v₁,   q₁ = q_m ∘ exp(h/2 ω₁)
//
// The gyroscopic term turns the angular momentum (principal frame) by -h ω₀ instead of adding
// h (I ω × ω): its length is kept exactly, so that |ω| ≤ |I ω| / I_min for any step and any spin.
// It comes before the velocities are final, as joints and contacts need it, and makes the method
// one of order 1; what does not turn freely is found to order 2.
//
// Where only gravity and penalty contacts act, a step needs no copy of the state it began with: x_m
// and q_m go to next poses, and velocities change only when nothing can fail any more. The kick
// and the second half of the motion are one pass then.
//
// Where only spheres and walls touch, forces ask for x_m alone, which is found on the way, and for
// ω₀ in the world frame, which q_m turns as q₀ does. Bodies take the whole step as soon as all that
// acts on them is known, while their states are in the cache. That nothing can fail is seen before.
//
// Bodies go through the formulas in small groups, stage by stage, so that each stage is one
// vectorised loop. Without loads and joints both halves of the motion are one pass.
//
// Bytes a step must move for a body: 256 (pose and motion, read and written), + 64 mass when it is
// not isotropic; with loads or joints three passes.
#include "base/simd.h"
#include "contact/contacts_grains.h"
#include "contact/contacts_surface_map.h"
#include "model/shaft.h"
#include "model/state.h"
#include "step/constraints.h"
#include "step/contacts_velocities.h"
#include "step/extrapolation.h"
#include "step/joint_effort.h"
#include "step/newmark_reuse.h"
#include "step/rotation.h"
#include "step/scalars.h"
#include "step/sphere_motion.h"
#include "step/system.h"

#include <stdatomic.h>
#include <string.h>

static const size_t BLOCK = 2048; // bodies
// Products of blocks in a factorisation, beside blocks of the factors, from which on factors
// outlive a step: a product takes about twice as long as a block in a solution.
static const size_t FACTOR_COST_RATIO = 8;

typedef struct euler_context {
    kai_world* world;
    double h;
    bool loaded;
    const kai_wrench* touch;  // penalty forces of contacts, world; NULL: none
    bool kick, drift;         // which half of the step
    bool spare;               // moved poses go to spare ones
    bool follow;              // after the kick half a step of motion
    kai_bodies_mass one;      // of bodies [one_begin, one_end)
    kai_sphere_motion sphere; // likewise
    size_t one_begin, one_end;
    const kai_contacts_list_check* watch; // of skin_boxes that moved spheres may leave; NULL: none
    bool ahead;                           // seen for the step after this one
    atomic_int left;                      // some has left its skin_box, or is wild
    atomic_int bad;                       // some state is not finite
} euler_context;

// The loops below read records as rows of eight doubles, in the order of their fields: compilers
// vectorise that, and not copies of structs.
typedef kai_sphere_motion_row record;
enum { POSE_X = 0, POSE_Q = 4, MOTION_V = 0, MOTION_W = 3, MASS_MOMENTS = 2, MASS_INVERSE = 5 };

_Static_assert(offsetof(kai_pose, rotation) == POSE_Q * sizeof(double), "order of fields");
_Static_assert(offsetof(kai_motion, spin) == MOTION_W * sizeof(double), "order of fields");
_Static_assert(offsetof(kai_bodies_mass, moments) == MASS_MOMENTS * sizeof(double),
               "order of fields");
_Static_assert(offsetof(kai_bodies_mass, inverse_moments) == MASS_INVERSE * sizeof(double),
               "order of fields");

/// What a group of bodies needs beside its records; stays in the first-level cache.
typedef struct euler_group {
    kai_rotation_group w;
    double gyroscopic[KAI_ROTATION_GROUP]; // 0 for isotropic bodies, else 1
    double h[KAI_ROTATION_GROUP];          // 0 for fixed bodies
    double x[KAI_ROTATION_GROUP], y[KAI_ROTATION_GROUP], z[KAI_ROTATION_GROUP]; // new spin
} euler_group;

/// The gyroscopic term: l = I ω becomes l + 2 c t - ..., turned by -h ω. Isotropic bodies keep ω to
/// the bit.
KAI_INLINE void gyrate(euler_group* restrict g, const record* restrict mass, size_t n, double h)
{
    kai_rotation_half_angles(&g->w, n, h);
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        const double wx = g->w.x[i], wy = g->w.y[i], wz = g->w.z[i], c = g->w.c[i], k = g->w.k[i];
        const double lx = mass[i][MASS_MOMENTS] * wx, ly = mass[i][MASS_MOMENTS + 1] * wy,
                     lz = mass[i][MASS_MOMENTS + 2] * wz;
        // u = k ω is the vector part of the turn; t = -2 u × l; the turned l is l + c t - u × t.
        const double ux = k * wx, uy = k * wy, uz = k * wz;
        const double tx = 2.0 * (uz * ly - uy * lz), ty = 2.0 * (ux * lz - uz * lx),
                     tz = 2.0 * (uy * lx - ux * ly);
        const double ax = lx + c * tx - (uy * tz - uz * ty), ay = ly + c * ty - (uz * tx - ux * tz),
                     az = lz + c * tz - (ux * ty - uy * tx);
        const double s = g->gyroscopic[i];
        g->w.x[i] = wx + s * (mass[i][MASS_INVERSE] * ax - wx);
        g->w.y[i] = wy + s * (mass[i][MASS_INVERSE + 1] * ay - wy);
        g->w.z[i] = wz + s * (mass[i][MASS_INVERSE + 2] * az - wz);
    }
}

/// What forces, wrench[0 …], add to the velocities. `world`: torques are in the world frame. `one`:
/// the mass of all, or NULL.
KAI_INLINE void push(euler_group* g, const kai_bodies* bodies, const kai_wrench* wrench, bool world,
                     const kai_bodies_mass* one, size_t first, size_t n, double h)
{
    for (size_t i = 0; i < n; i++) {
        const kai_bodies_mass* mass = one ? one : kai_bodies_mass_of(bodies, first + i);
        kai_wrench f = wrench[i];
        if (world) f.torque = kai_quat_unrotate(bodies->pose[first + i].rotation, f.torque);
        kai_motion* m = &bodies->motion[first + i];
        const kai_vec3 spin = kai_rotation_spin(mass, f.torque);
        m->velocity = kai_vec3_mul_add(m->velocity, f.force, h * mass->inverse_mass);
        g->w.x[i] += h * spin.x;
        g->w.y[i] += h * spin.y;
        g->w.z[i] += h * spin.z;
    }
}

/// Gravity, then x and q at the new velocities. Returns a sum that is NaN when some state is not
/// finite.
KAI_INLINE double drift(const euler_group* restrict g, record* restrict pose,
                        record* restrict motion, size_t n, kai_vec3 gravity)
{
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        const double h = g->h[i];
        const double vx = motion[i][0] + h * gravity.x, vy = motion[i][1] + h * gravity.y,
                     vz = motion[i][2] + h * gravity.z;
        // with the mean of old and new velocity
        const double s = 0.5 * h, x = pose[i][0] + s * (motion[i][0] + vx),
                     y = pose[i][1] + s * (motion[i][1] + vy),
                     z = pose[i][2] + s * (motion[i][2] + vz);
        // q ∘ (c, k ω), then one Newton step towards norm 1 as in kai_rotation_polish
        const double c = g->w.c[i], bx = g->w.k[i] * g->w.x[i], by = g->w.k[i] * g->w.y[i],
                     bz = g->w.k[i] * g->w.z[i];
        const double aw = pose[i][POSE_Q], ax = pose[i][POSE_Q + 1], ay = pose[i][POSE_Q + 2],
                     az = pose[i][POSE_Q + 3];
        const double qw = aw * c - ax * bx - ay * by - az * bz,
                     qx = aw * bx + ax * c + ay * bz - az * by,
                     qy = aw * by - ax * bz + ay * c + az * bx,
                     qz = aw * bz + ax * by - ay * bx + az * c;
        const double f = h > 0.0 ? 1.5 - 0.5 * (qw * qw + qx * qx + qy * qy + qz * qz) : 1.0;
        motion[i][0] = vx, motion[i][1] = vy, motion[i][2] = vz;
        motion[i][MOTION_W] = g->x[i], motion[i][MOTION_W + 1] = g->y[i],
        motion[i][MOTION_W + 2] = g->z[i];
        pose[i][0] = x, pose[i][1] = y, pose[i][2] = z;
        pose[i][POSE_Q] = f * qw, pose[i][POSE_Q + 1] = f * qx, pose[i][POSE_Q + 2] = f * qy,
        pose[i][POSE_Q + 3] = f * qz;
        sum += 0.0 * (x + y + z + qw + qx + qy + qz);
    }
    return sum;
}

/// Reads the angular velocities and flags of a group; true when some body has a gyroscopic term.
KAI_INLINE bool begin_group(euler_group* restrict g, const kai_motion* restrict motion, size_t n,
                            double h)
{
    uint64_t all = KAI_BODY_ISOTROPIC;
    for (size_t i = 0; i < n; i++) {
        g->w.x[i] = motion[i].spin.x;
        g->w.y[i] = motion[i].spin.y;
        g->w.z[i] = motion[i].spin.z;
        g->h[i] = motion[i].flags & KAI_BODY_FIXED ? 0.0 : h;
        g->gyroscopic[i] = motion[i].flags & (KAI_BODY_ISOTROPIC | KAI_BODY_FIXED) ? 0.0 : 1.0;
        all &= motion[i].flags;
    }
    return !all;
}

/// Writes new velocities back without moving anything.
KAI_INLINE void store(const euler_group* g, kai_motion* motion, size_t n, kai_vec3 gravity)
{
    for (size_t i = 0; i < n; i++) {
        motion[i].velocity = kai_vec3_mul_add(motion[i].velocity, gravity, g->h[i]);
        motion[i].spin = kai_vec3_make(g->w.x[i], g->w.y[i], g->w.z[i]);
    }
}

/// Keeps the new spin, and turns bodies by the mean of it and the old one.
KAI_INLINE void average(euler_group* restrict g, const kai_motion* restrict motion, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g->x[i] = g->w.x[i];
        g->y[i] = g->w.y[i];
        g->z[i] = g->w.z[i];
        g->w.x[i] = 0.5 * (motion[i].spin.x + g->x[i]);
        g->w.y[i] = 0.5 * (motion[i].spin.y + g->y[i]);
        g->w.z[i] = 0.5 * (motion[i].spin.z + g->z[i]);
    }
}

/// A step of motion with the mean of old and new velocities.
KAI_INLINE double move(euler_group* g, const kai_bodies* bodies, bool spare, size_t first, size_t n,
                       double h, kai_vec3 gravity)
{
    kai_pose* pose = spare ? &bodies->pose_next[first] : &bodies->pose[first];
    kai_motion* motion = &bodies->motion[first];
    if (spare) memcpy(pose, &bodies->pose[first], n * sizeof *pose);
    average(g, motion, n);
    kai_rotation_half_angles(&g->w, n, h);
    return drift(g, (record*)pose, (record*)motion, n, gravity);
}

/// The mass of all bodies of a group, NULL where they are not known to be equal: a line less to
/// read for each of them.
static const kai_bodies_mass* mass_of(const euler_context* c, size_t first, size_t n)
{
    return first >= c->one_begin && first + n <= c->one_end ? &c->one : NULL;
}

/// The masses of a group of bodies as rows.
static const record* masses_of(const kai_bodies* bodies, size_t first, size_t n,
                               kai_bodies_mass* room)
{
    return (const void*)kai_bodies_masses_of(bodies, first, n, room);
}

/// Velocities, motion, or both in one pass over the bodies when nothing comes between.
KAI_CLONES
static void euler_range(size_t begin, size_t end, int worker, void* context)
{
    (void)worker;
    euler_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    const kai_vec3 gravity = c->kick ? c->world->gravity : kai_vec3_zero();
    double sum = 0.0;
    euler_group g;
    kai_bodies_mass room[KAI_ROTATION_GROUP];
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP) {
        const size_t n = end - first < KAI_ROTATION_GROUP ? end - first : KAI_ROTATION_GROUP;
        kai_motion* motion = &bodies->motion[first];
        const bool gyroscopic = begin_group(&g, motion, n, c->h);
        if (c->kick && gyroscopic) gyrate(&g, masses_of(bodies, first, n, room), n, c->h);
        if (c->kick && c->loaded)
            push(&g, bodies, bodies->wrench + first, false, NULL, first, n, c->h);
        if (c->kick && c->touch)
            push(&g, bodies, c->touch + first, true, mass_of(c, first, n), first, n, c->h);
        if (c->drift) {
            sum += move(&g, bodies, c->spare, first, n, c->h, gravity);
            // Forces of what is wild may be no numbers; it is to be known before they are found.
            if (c->spare && kai_contacts_list_check_wild(&bodies->pose_next[first], motion, n))
                atomic_store_explicit(&c->bad, 1, memory_order_relaxed);
            if (c->watch && !kai_contacts_list_check_holds(c->watch, bodies->pose_next,
                                                           bodies->motion, 0.0, first, n))
                atomic_store_explicit(&c->left, 1, memory_order_relaxed);
        } else {
            store(&g, motion, n, gravity);
        }
        if (c->follow) {
            begin_group(&g, motion, n, 0.5 * c->h);
            sum += move(&g, bodies, false, first, n, 0.5 * c->h, kai_vec3_zero());
        }
    }
    if (sum != 0.0) atomic_store_explicit(&c->bad, 1, memory_order_relaxed);
}

/// A whole step of bodies [begin, end) that nothing but gravity and `sums` acts on. Returns a sum
/// that is NaN when some state is not finite.
KAI_INLINE double whole_step(const euler_context* c, size_t begin, size_t end,
                             const kai_grains_sum* sums)
{
    const kai_bodies* bodies = &c->world->bodies;
    const double half = 0.5 * c->h;
    double sum = 0.0;
    euler_group g;
    kai_wrench wrench[KAI_ROTATION_GROUP];
    kai_bodies_mass room[KAI_ROTATION_GROUP];
    for (size_t first = begin; first < end; first += KAI_ROTATION_GROUP) {
        const size_t n = end - first < KAI_ROTATION_GROUP ? end - first : KAI_ROTATION_GROUP;
        kai_motion* motion = &bodies->motion[first];
        begin_group(&g, motion, n, half);
        sum += move(&g, bodies, false, first, n, half, kai_vec3_zero());
        const bool gyroscopic = begin_group(&g, motion, n, c->h);
        if (gyroscopic) gyrate(&g, masses_of(bodies, first, n, room), n, c->h);
        for (size_t i = 0; i < n; i++) {
            const double* f = sums[first - begin + i];
            wrench[i] =
                (kai_wrench){kai_vec3_make(f[0], f[1], f[2]), kai_vec3_make(f[5], f[6], f[7])};
        }
        push(&g, bodies, wrench, true, NULL, first, n, c->h);
        store(&g, motion, n, c->world->gravity);
        begin_group(&g, motion, n, half);
        sum += move(&g, bodies, false, first, n, half, kai_vec3_zero());
    }
    return sum;
}

/// The same, fast where bodies are alike; and a look at where the next step will find them.
KAI_CLONES
static void whole_range(size_t begin, size_t end, const kai_grains_sum* sums, void* context)
{
    euler_context* c = context;
    const kai_bodies* bodies = &c->world->bodies;
    const size_t one = begin > c->one_begin ? begin : c->one_begin,
                 other = end < c->one_end ? end : c->one_end;
    const bool alike = one < other;
    double sum = whole_step(c, begin, alike ? one : end, sums);
    bool inside = true;
    if (alike) {
        // Bodies of the watch are those that are alike.
        const kai_grains_skin_box* skin_boxes =
            c->ahead ? c->watch->skin_boxes + (one - c->one_begin) : NULL;
        inside = kai_sphere_motion_step(&c->sphere, (record*)&bodies->pose[one],
                                        (record*)&bodies->motion[one], sums + (one - begin),
                                        skin_boxes, other - one);
        sum += whole_step(c, other, end, sums + (other - begin));
    }
    if (sum != 0.0) atomic_store_explicit(&c->bad, 1, memory_order_relaxed);
    if (c->ahead && inside) {
        // Others; those that were seen are none of them.
        const size_t to = alike ? one : end, from = alike ? other : end;
        inside = !kai_contacts_list_check_look(c->watch, bodies, 0.5 * c->h, begin, to) &&
                 !kai_contacts_list_check_look(c->watch, bodies, 0.5 * c->h, from, end);
    }
    // All of them are bodies of one block.
    if (c->ahead && c->watch->left) c->watch->left[begin / KAI_GRAINS_BLOCK] = !inside;
    if (!inside) atomic_store_explicit(&c->left, 1, memory_order_relaxed);
}

/// Moves nodes of elements for h at their velocities.
static void drift_nodes(const kai_world* world, double h)
{
    kai_node_def* nodes = kai_node_all(world);
    for (size_t i = 0; i < world->nodes.count; i++) {
        double *q = kai_node_q(&nodes[i]), *v = kai_node_v(&nodes[i]);
        for (size_t k = 0; k < kai_node_size(&nodes[i]); k++) q[k] += h * v[k];
    }
}

static void pass(euler_context* c, double h, bool kick, bool drift)
{
    c->h = h;
    c->kick = kick;
    c->drift = drift;
    kai_parallel_for(c->world->threads, c->world->bodies.count, BLOCK, euler_range, c);
    if (kick) kai_scalars_kick(c->world, h);
    if (drift) kai_scalars_drift(c->world, h);
    if (drift) drift_nodes(c->world, h);
}

/// What acts in a step beside loads.
typedef struct euler_terms {
    kai_constraints* joints; // NULL: none
    kai_contacts* contacts;  // likewise
    double heat;             // that contacts took in the last solution, J
} euler_terms;

/// Nodes of elements get their forces as impulses, and the matrix H = M + h² K + h C: with
/// positions of mid-step this is implicit in the elements' forces, stable at any h, and stiff
/// vibrations are gone after two steps.
static kai_result push_elements(kai_constraints* c, kai_world* world, const kai_wrench* touch,
                                const kai_contacts* contacts, double h, kai_error* err)
{
    kai_elements* e = &c->elements;
    const double* force = e->fea->force.data;
    double* pushed = e->pushed.data;
    for (size_t i = 0; i < e->fea->coordinates; i++) pushed[i] = h * force[i];
    const kai_fea_touch* touching = e->fea->touching.data;
    for (size_t i = 0; touch && i < e->fea->touching.count; i++) {
        const kai_vec3 f = touch[touching[i].body].force;
        pushed[touching[i].first] += h * f.x;
        pushed[touching[i].first + 1] += h * f.y;
        pushed[touching[i].first + 2] += h * f.z;
    }
    if (touch) kai_contacts_surface_map_nodes(contacts, world, e->fea->first.data, h, pushed);
    e->push = e->prefers_block_cg = true;
    return kai_elements_find(e, world, h * h, h, err);
}

/// New velocities from the forces last evaluated, and what joints and contacts make of them.
static kai_result find_velocities(kai_system* system, const kai_system_backup* start,
                                  euler_terms* terms, euler_context* c, double h, bool last,
                                  kai_error* err)
{
    kai_elements* elements = terms->joints ? &terms->joints->elements : NULL;
    const bool flexible = elements && elements->fea;
    c->loaded = c->world->plan.body.count > 0 || (flexible && elements->fea->bodies.count > 0);
    pass(c, h, true, false);
    if (terms->joints) {
        if (flexible)
            KAI_TRY(push_elements(terms->joints, c->world, c->touch, terms->contacts, h, err));
        kai_constraints_evaluate(terms->joints, c->world, system->time + h);
        const uint64_t factors = terms->joints->factors;
        kai_result r = kai_constraints_velocities(terms->joints, c->world, h, err);
        if (r == KAI_OK && terms->joints->lasting && terms->joints->factors != factors) {
            // Velocities have changed since, but these factors do not depend on them.
            r = kai_newmark_reuse_note(terms->joints, c->world, h * h, h, system->time + h, err);
            terms->joints->ready = elements->fea->has_tangents;
        }
        elements->push = false;
        KAI_TRY(r);
    }
    if (!terms->contacts || c->world->contact_def.method != KAI_CONTACT_NSC) return KAI_OK;
    terms->heat = 0.0;
    return kai_contacts_velocities(terms->contacts, c->world, terms->joints, start, h, last,
                                   &terms->heat, err);
}

/// Forces at the middle of the step. Those that depend on velocities are found twice: the second
/// time with the mean of the old velocities and of those that the first time led to.
static kai_result middle_forces(kai_system* system, const kai_system_backup* start,
                                euler_terms* terms, euler_context* c, double h, kai_error* err)
{
    kai_world* world = system->world;
    const double middle = system->time + 0.5 * h;
    KAI_TRY(kai_system_evaluate(system, KAI_SYSTEM_FORCES, middle, err));
    if (!kai_load_needs_velocity(world)) return KAI_OK;
    KAI_TRY(find_velocities(system, start, terms, c, h, false, err));
    kai_scalars_average(world, start);
    KAI_TRY(kai_system_evaluate(system, KAI_SYSTEM_FORCES, middle, err));
    kai_shaft_def* shafts = kai_shaft_all(world);
    if (world->bodies.count > 0)
        memcpy(world->bodies.motion, start->motion, world->bodies.count * sizeof *start->motion);
    for (size_t i = 0; i < world->shafts.count; i++) shafts[i].speed = start->scalars[2 * i + 1];
    kai_fea_write(world, NULL, start->node_v);
    return KAI_OK;
}

/// Who touches whom at the middle of the step, and by penalty how hard.
static kai_result find_contacts(euler_terms* terms, kai_world* world, euler_context* c, double h,
                                kai_error* err)
{
    KAI_TRY(kai_contacts_find(terms->contacts, world, h, err));
    if (world->contact_def.method != KAI_CONTACT_SMC) return KAI_OK;
    const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
    const kai_result r = kai_contacts_push(terms->contacts, world, h, &terms->heat, err);
    kai_clock_end(&world->clock, outer);
    if (r == KAI_OK && (terms->contacts->fast || world->collision->proximity.contact_count > 0))
        c->touch = terms->contacts->sums.data;
    return r;
}

/// Books what acts on elements from outside for half a step; after it, at the velocities that
/// damping was taken with, its heat for all of it.
static kai_result spend_on_elements(kai_fea* fea, kai_world* world, double time, double h,
                                    bool after, kai_error* err)
{
    double work, heat = 0.0;
    KAI_TRY(kai_fea_forces_work(fea, world, time, &work, err));
    if (after) KAI_TRY(kai_fea_forces_heat(fea, world, KAI_FEA_RESTING, &heat, err));
    world->work += 0.5 * h * work;
    world->dissipated += h * heat;
    return KAI_OK;
}

// Factors that outlive a step --------------------------------------------------------------------
// As those of newmark_reuse.h: where factors cost much more than solutions, those of an earlier
// step serve as long as a few corrections lead to the solution of this one.

/// Gets factors of an earlier step ready, where there are some.
static kai_result begin_lasting(kai_constraints* c, kai_world* world, double h, kai_error* err)
{
    const kai_array* state = &world->integrator_state;
    c->ready = false;
    c->lasting = kai_newmark_reuse_possible(c) && c->solver == KAI_SOLVER_DIRECT &&
                 world->contact_def.method != KAI_CONTACT_NSC &&
                 c->ldl.products > FACTOR_COST_RATIO * c->ldl.reached;
    if (!c->lasting) return KAI_OK;
    if (world->integrator_steps != world->steps + 1 || state->count != kai_newmark_reuse_size(c)) {
        c->kept.count = 0;
        return KAI_OK;
    }
    KAI_TRY(kai_newmark_reuse_write(c, world, state->data, err));
    c->elements.fea->still = c->elements.prefers_block_cg = true;
    return kai_newmark_reuse_find(c, world, h * h, h, &c->ready, err);
}

/// Keeps what the factors were found for.
static kai_result end_lasting(kai_constraints* c, kai_world* world, kai_error* err)
{
    if (!c->lasting) return KAI_OK;
    c->lasting = false;
    if (!c->ready) kai_newmark_reuse_forget(c);
    kai_array* state = &world->integrator_state;
    KAI_TRY(kai_array_resize(state, &world->memory, kai_newmark_reuse_size(c), err));
    kai_newmark_reuse_read(c, state->data);
    world->integrator_steps = world->steps + 2;
    return KAI_OK;
}

/// Half the motion, velocities, joints, the other half.
static kai_result step_in_halves(kai_system* system, const kai_system_backup* start,
                                 euler_context* c, double h, kai_error* err)
{
    kai_world* world = system->world;
    euler_terms terms = {0};
    KAI_TRY(kai_constraints_get(world, &terms.joints, err));
    if (world->contact_def.method != KAI_CONTACT_NONE)
        KAI_TRY(kai_contacts_get(world, &terms.contacts, err));
    kai_constraints* joints = terms.joints;
    if (joints) KAI_TRY(begin_lasting(joints, world, h, err));
    if (joints) KAI_TRY(kai_extrapolation_begin(joints, world, start->node_v, h, err));
    pass(c, 0.5 * h, false, true);
    KAI_TRY(kai_scalars_begin(system, start, h, err));
    kai_fea* fea = joints ? joints->elements.fea : NULL;
    if (fea) kai_fea_follow_nodes(fea, world);
    // f(q, v₁) = f(q, 0) - C v₁: with velocities of the start damping would count twice.
    if (fea) fea->still = true;
    if (terms.contacts) KAI_TRY(find_contacts(&terms, world, c, h, err));
    // Tangents of elements will be those of the same state, unless forces lead to another.
    if (fea && !kai_load_needs_velocity(world))
        fea->early = (kai_fea_early){.position = h * h, .velocity = h};
    KAI_TRY(middle_forces(system, start, &terms, c, h, err));
    // A constant force over the step does the work h F · (v₀ + v₁) / 2.
    KAI_TRY(kai_load_energy_spend(world, 0.5 * h, err));
    const double middle = system->time + 0.5 * h;
    if (fea) KAI_TRY(spend_on_elements(fea, world, middle, h, false, err));
    KAI_TRY(find_velocities(system, start, &terms, c, h, true, err));
    world->dissipated += terms.heat;
    if (joints) world->work += h * kai_joint_effort_power(joints, world);
    if (joints) world->dissipated += h * kai_joint_effort_loss(joints, world, start);
    if (joints) KAI_TRY(end_lasting(joints, world, err));
    if (joints) KAI_TRY(kai_extrapolation_end(joints, world, start->node_v, h, err));
    KAI_TRY(kai_load_energy_spend(world, 0.5 * h, err));
    if (fea) KAI_TRY(spend_on_elements(fea, world, middle, h, true, err));
    KAI_TRY(kai_scalars_finish(system, start, h, err));
    pass(c, 0.5 * h, false, true);
    if (fea) kai_fea_follow_nodes(fea, world);
    if (fea && world->collision) kai_patch_follow(&world->collision->surface, world);
    const bool scalars = world->shafts.count + world->nodes.count + kai_state_total(world) > 0;
    if (scalars) return kai_system_check_finite(system, system->time + h, err);
    return atomic_load(&c->bad) ? kai_system_check_finite(system, system->time + h, err) : KAI_OK;
}

static void swap_poses(kai_bodies* bodies)
{
    kai_pose* spare = bodies->pose_next;
    bodies->pose_next = bodies->pose;
    bodies->pose = spare;
}

/// A step in which only gravity and penalty contacts act. `*done` false: forces are not finite, and
/// nothing has changed.
static kai_result step_with_contacts(kai_system* system, euler_context* c, double h, bool* done,
                                     kai_error* err)
{
    kai_world* world = system->world;
    euler_terms terms = {0};
    *done = false;
    KAI_TRY(kai_bodies_need_pose_next(&world->bodies, err));
    KAI_TRY(kai_contacts_get(world, &terms.contacts, err));
    terms.contacts->grain_safe = true;
    kai_contacts_list_check watch;
    if (kai_contacts_grains_watch(terms.contacts, world, &watch)) c->watch = &watch;
    c->spare = true;
    pass(c, 0.5 * h, false, true);
    c->spare = false;
    swap_poses(&world->bodies);
    if (c->watch) kai_contacts_grains_seen(terms.contacts, world, !atomic_load(&c->left));
    c->watch = NULL;
    kai_result r = KAI_OK;
    if (!atomic_load(&c->bad)) {
        r = find_contacts(&terms, world, c, h, err);
        *done = r == KAI_OK && isfinite(world->contact_elastic + terms.heat);
    }
    if (*done) {
        c->follow = true;
        kai_contacts_grains_uniform(terms.contacts, &c->one_begin, &c->one_end);
        if (c->one_begin < c->one_end) c->one = *kai_bodies_mass_of(&world->bodies, c->one_begin);
        pass(c, h, true, false);
        world->dissipated += terms.heat;
        if (atomic_load(&c->bad)) r = kai_system_check_finite(system, system->time + h, err);
    } else {
        swap_poses(&world->bodies);
    }
    kai_contacts_end(terms.contacts, world, *done);
    terms.contacts->grain_safe = false;
    return r;
}

/// Finds contacts in the middle of a step that bodies have not moved to. `*fit` false: some state
/// is not fit for a step that cannot fail.
static kai_result find_ahead(kai_contacts* contacts, kai_world* world, double h, bool* fit,
                             kai_error* err)
{
    kai_contacts_list_check watch = {0};
    const bool watched = kai_contacts_grains_watch(contacts, world, &watch);
    const int seen =
        watch.left && kai_contacts_grains_cache_list_check_valid(contacts, world, h)
            ? kai_contacts_list_check_again(&watch, &world->bodies, 0.5 * h)
            : kai_contacts_list_check_see(&watch, &world->bodies, 0.5 * h, world->threads);
    *fit = !(seen & KAI_CONTACTS_LIST_CHECK_OVERFLOW);
    if (!*fit) return KAI_OK;
    if (watched)
        kai_contacts_grains_seen(
            contacts, world,
            !seen || kai_contacts_grains_list_repair(contacts, world, &watch, 0.5 * h));
    world->collision->lead = 0.5 * h;
    contacts->grain_whole = true;
    const kai_result r = kai_contacts_find(contacts, world, h, err);
    contacts->grain_whole = false;
    world->collision->lead = 0.0;
    return r;
}

/// Bodies that kai_sphere_motion_step moves.
static void find_alike(const kai_contacts* contacts, const kai_world* world, euler_context* c)
{
    kai_contacts_grains_uniform(contacts, &c->one_begin, &c->one_end);
    if (c->one_begin == c->one_end) return;
    const kai_bodies_mass* mass = kai_bodies_mass_of(&world->bodies, c->one_begin);
    const uint64_t flags = world->bodies.motion[c->one_begin].flags;
    if ((flags & KAI_BODY_FIXED) || !(flags & KAI_BODY_ISOTROPIC) || !contacts->grains.equal)
        c->one_begin = c->one_end;
    c->sphere = (kai_sphere_motion){
        .h = c->h,
        .kick = c->h * mass->inverse_mass,
        .turn = c->h * mass->inverse_moments.x,
        .pull = {c->h * world->gravity.x, c->h * world->gravity.y, c->h * world->gravity.z},
        .look = c->ahead};
    if (!c->ahead) return;
    c->sphere.radius = c->watch->radius;
    c->sphere.origin[0] = c->watch->origin.x;
    c->sphere.origin[1] = c->watch->origin.y;
    c->sphere.origin[2] = c->watch->origin.z;
}

/// A step in which only gravity and penalty contacts of spheres and walls act. `*done` false: it is
/// not of that kind, or may fail; nothing has changed.
static kai_result step_with_grains(kai_system* system, euler_context* c, double h, bool* done,
                                   kai_error* err)
{
    kai_world* world = system->world;
    kai_contacts* contacts;
    kai_contacts_list_check watch;
    bool alone, fit;
    *done = false;
    KAI_TRY(kai_contacts_get(world, &contacts, err));
    KAI_TRY(kai_contacts_grains_alone(contacts, world, &alone, err));
    if (!alone) return KAI_OK;
    kai_result r = find_ahead(contacts, world, h, &fit, err);
    if (r == KAI_OK && !fit) return KAI_OK;
    double heat = 0.0;
    if (r == KAI_OK) {
        const int outer = kai_clock_begin(&world->clock, KAI_CLOCK_formulation);
        c->h = h;
        c->ahead = world->unobserved && kai_contacts_grains_watch(contacts, world, &watch);
        c->watch = &watch;
        find_alike(contacts, world, c);
        r = kai_contacts_grains_step(contacts, world, h, whole_range, c, &heat, err);
        kai_clock_end(&world->clock, outer);
    }
    *done = r == KAI_OK;
    if (*done) {
        world->dissipated += heat;
        kai_contacts_grains_cache_list_check(contacts, world, c->ahead ? h : 0.0);
        if (atomic_load(&c->bad)) r = kai_system_check_finite(system, system->time + h, err);
    }
    kai_contacts_end(contacts, world, *done);
    return r;
}

/// Whether gravity alone is nothing to fear.
static bool is_gentle(const kai_world* world, double h)
{
    static const double MOST = 1e60;
    return h < MOST && h * kai_vec3_max_abs(world->gravity) < MOST;
}

/// Whether a step of free flight may leave finite numbers. Where no place, velocity or spin is
/// beyond 1e60, none overflows within 2⁶⁴ such steps: v grows by h g, x by h v, and angular
/// momentum is kept. So bodies are looked at only when somebody has changed a state, or after steps
/// of another sort.
static bool may_fail(const kai_world* world, double h)
{
    if (!is_gentle(world, h)) return true;
    if (world->tame_steps == world->steps + 1) return false;
    const kai_contacts_list_check all = {0};
    return kai_contacts_list_check_see(&all, &world->bodies, 0.0, world->threads) &
           KAI_CONTACTS_LIST_CHECK_OVERFLOW;
}

/// A step in which only gravity acts: in place, with a copy of the state only where it may fail.
static kai_result step_freely(kai_system* system, euler_context* c, double h, kai_error* err)
{
    kai_world* world = system->world;
    kai_system_backup backup;
    const bool wild = may_fail(world, h);
    if (wild) KAI_TRY(kai_system_save(system, &backup, err));
    pass(c, h, true, true);
    const kai_result r =
        atomic_load(&c->bad) ? kai_system_check_finite(system, system->time + h, err) : KAI_OK;
    if (wild) kai_system_end(system, &backup, r == KAI_OK);
    world->tame_steps = wild ? 0 : world->steps + 2; // the step that is counted when all is done
    return r;
}

static kai_result step(kai_system* system, const void* instance, double h, kai_error* err)
{
    (void)instance;
    kai_world* world = system->world;
    euler_context c = {.world = world};
    const bool bare = world->loads.count == 0 && world->plan.body.count == 0 &&
                      world->joints.count == 0 && world->nodes.count + world->elements.count == 0 &&
                      world->shafts.count + kai_state_total(world) == 0;
    if (bare && world->contact_def.method == KAI_CONTACT_NONE)
        return step_freely(system, &c, h, err);
    if (bare && world->contact_def.method == KAI_CONTACT_SMC && is_gentle(world, h)) {
        bool done;
        kai_result r = step_with_grains(system, &c, h, &done, err);
        if (r != KAI_OK || done) return r;
        c = (euler_context){.world = world};
        r = step_with_contacts(system, &c, h, &done, err);
        if (r != KAI_OK || done) return r;
        c = (euler_context){.world = world};
    }
    kai_system_backup backup;
    KAI_TRY(kai_system_save(system, &backup, err));
    const kai_result r = step_in_halves(system, &backup, &c, h, err);
    if (world->fea) {
        world->fea->still = false;
        world->fea->early = (kai_fea_early){0};
    }
    if (world->solver) world->solver->lasting = false;
    if (world->contact) kai_contacts_end(world->contact, world, r == KAI_OK);
    kai_system_end(system, &backup, r == KAI_OK);
    return r;
}

const kai_integrator_kind kai_integrator_euler = {
    .kind =
        {.name = "euler",
         .doc =
             "Half-implicit Euler: order 1, stable at any spin, one evaluation of forces a step."},
    .order = 1,
    .capabilities = KAI_INTEGRATOR_JOINTS | KAI_INTEGRATOR_BOUNDS | KAI_INTEGRATOR_ELEMENTS |
                    KAI_INTEGRATOR_PENALTY_CONTACT | KAI_INTEGRATOR_CONE_CONTACT |
                    KAI_INTEGRATOR_FAST_SPIN,
    .step = step};
