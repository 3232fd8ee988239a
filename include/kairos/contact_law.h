// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contact laws of the penalty method: the force of two bodies that overlap a little.
//
// A law is a kind (kind.h) with one of two functions. A *normal* law says how hard a contact pushes
// and how much it damps; friction, rolling and spinning resistance and adhesion are then added as
// the settings and materials ask. A *whole* law says everything itself. Both get many touches at
// once:
//
//     typedef struct { double stiffness; } rubber;
//     static void rubber_normal(const void* instance, const kai_contact_touch* touches,
//                               size_t count, double h, kai_contact_normal* out)
//     {
//         const rubber* r = instance;
//         for (size_t i = 0; i < count; i++) {
//             const double d = touches[i].overlap;
//             out[i].force = r->stiffness * d * d;
//             out[i].energy = r->stiffness * d * d * d / 3.0;
//         }
//     }
//     static const kai_contact_law_kind RUBBER = {
//         .kind = KAI_KIND("rubber", rubber, PARAMS, KAI_SIZES(kai_contact_law_kind),
//                          .doc = "Stiffens as it is pressed."),
//         .normal = rubber_normal};
//
// A normal law whose push follows from the overlap and the present velocity alone may be written as
// one function of a pair instead. Two macros make the loops over touches and over the lanes of the
// fast path of spheres from it, the same ones that the built-in laws use:
//
//     KAI_CONTACT_INLINE kai_contact_normal rubber_pair(const rubber* r, kai_contact_factors f,
//                                                       kai_contact_pressed s)
//     {
//         const kai_contact_normal out = {r->stiffness * s.overlap * s.overlap, 0.0, 0.0, 0.0, …};
//         return out;
//     }
//     KAI_CONTACT_LAW_NORMAL(rubber_normal, rubber, NULL, rubber_pair)
//     KAI_CONTACT_LAW_LANES(rubber_lanes, rubber, rubber_pair)
//
// docs/contact-laws.md has the formulas of the built-in laws.
#ifndef KAIROS_CONTACT_LAW_H
#define KAIROS_CONTACT_LAW_H

#include <kairos/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a law gets --------------------------------------------------------------------------------

/// Coefficients of two materials in contact, combined from both or given for the pair.
typedef struct kai_contact_coefficients {
    double young;             ///< E* = 1 / ((1 - ν²)/E of a + the same of b), Pa
    double shear;             ///< G* = 1 / ((2 - ν)/G of a + the same of b), Pa
    double restitution;       ///< 0…1
    double damping_ratio;     ///< β of the restitution: 0 for 1, 1 for 0
    double hysteresis;        ///< η of the restitution, see `flores`
    double kn, kt;            ///< N/m, stiffness given directly; 0: not given
    double gn, gt;            ///< N s/m, damping given directly; 0: not given
    double friction;          ///< Coulomb coefficient of sliding
    double static_friction;   ///< Coulomb coefficient of sticking, >= friction
    double rolling_friction;  ///< arm of the rolling resistance, m
    double spinning_friction; ///< arm of the spinning resistance, m
    double cohesion;          ///< N
    double adhesion;          ///< N, J/m² or 1, as the adhesion part says
} kai_contact_coefficients;

/// What a touch remembers from step to step; zero when it begins. Where a and b change places,
/// `sliding` and `rolling` change sign. A user's law may keep what it needs in these nine
/// numbers.
typedef struct kai_contact_history {
    kai_vec3 sliding;    ///< elastic displacement of b against a in the contact plane, m
    kai_vec3 rolling;    ///< elastic angle of b against a about axes in the contact plane, rad
    double spinning;     ///< elastic angle of b against a about the normal, rad
    double impact_speed; ///< largest speed of approach so far, m/s
    double slipping;     ///< 1 while the contact slips, else 0
} kai_contact_history;

/// How many doubles kai_contact_history has.
#define KAI_CONTACT_HISTORY_SIZE 9

/// Two bodies that overlap at a point. World frame.
typedef struct kai_contact_touch {
    double overlap;            ///< m, > 0
    double radius;             ///< effective: 1 / (1/radius_a + 1/radius_b), m, finite
    double mass;               ///< effective: 1 / (1/mass of a + 1/mass of b), kg
    double radius_a, radius_b; ///< of the surfaces at the point, m; HUGE_VAL: flat
    kai_vec3 normal;           ///< unit vector from a to b
    kai_vec3 velocity;         ///< of b against a at the point, m/s
    kai_vec3 spin;             ///< angular velocity of b against a, rad/s
    kai_vec3
        extra_slide; ///< displacement of b against a in the step, less h velocity, m; 0 in euler
    kai_vec3 extra_turn; ///< the same of the rotation, less h spin, rad
    const kai_contact_coefficients* pair;
    kai_contact_history* history; ///< in and out; never NULL
} kai_contact_touch;

// What a law answers -----------------------------------------------------------------------------

/// The answer of a whole law; zeroed beforehand. What acts on a is the opposite.
typedef struct kai_contact_answer {
    kai_vec3 force;     ///< on b at the point of contact, N
    kai_vec3 couple;    ///< on b, in addition to the moment of the force, N m
    double energy;      ///< stored elastic energy, J
    double dissipation; ///< power turned into heat, W
} kai_contact_answer;

/// The answer of a normal law; zeroed beforehand.
typedef struct kai_contact_normal {
    double force;   ///< elastic push, N, >= 0
    double damping; ///< N s/m: the push grows by this times the speed of approach
    double kt;      ///< tangential stiffness, N/m; 0: no friction spring
    double gt;      ///< tangential damping, N s/m
    double energy;  ///< stored in the normal direction, J; the safe step is found with it
} kai_contact_normal;

// The lanes of the fast path --------------------------------------------------------------------

/// Touches that are worked on together in the fast path of spheres. The loops below go over
/// multiples of KAI_CONTACT_WIDTH, so that no vector unit needs a loop for the rest.
#define KAI_CONTACT_LANES 64
#define KAI_CONTACT_WIDTH 8 ///< numbers of the widest vector unit

/// How many numbers a law may keep for a pair of materials.
#define KAI_CONTACT_FACTORS 6

/// What a law finds once for a pair of materials, in its prepare().
typedef struct kai_contact_factors {
    double f[KAI_CONTACT_FACTORS];
} kai_contact_factors;

/// What the push of a pair follows from.
typedef struct kai_contact_pressed {
    double overlap;   ///< m, >= 0
    double radius;    ///< effective, m
    double mass;      ///< effective, kg
    double departure; ///< speed at which the surfaces part, m/s
    double h;         ///< step, s
} kai_contact_pressed;

/// Touches by number. Where two spheres do not touch their overlap is 0: they are computed along,
/// and what a law answers about them is not used; nor about those that were not asked for, which
/// may be anything.
typedef struct kai_contact_lanes {
    double overlap[KAI_CONTACT_LANES];
    double departure[KAI_CONTACT_LANES];
    double radius[KAI_CONTACT_LANES];
    double mass[KAI_CONTACT_LANES];
    double factors[KAI_CONTACT_FACTORS][KAI_CONTACT_LANES];
    // The answers, as in kai_contact_normal
    double force[KAI_CONTACT_LANES];
    double damping[KAI_CONTACT_LANES];
    double kt[KAI_CONTACT_LANES];
    double gt[KAI_CONTACT_LANES];
    double energy[KAI_CONTACT_LANES];
    // For all; behind the arrays, so that these begin with cache lines
    double h;     ///< step, s
    bool uniform; ///< radius, mass and factors are those of number 0 for all
} kai_contact_lanes;

// A kind -----------------------------------------------------------------------------------------

/// A kind of contact law. One of `normal` and `evaluate` is there. A parameter that has the name of
/// one of kai_contact_kind, such as characteristic_speed, and is not given (its default is a
/// negative number out of its range), takes the value of kai_contact_def.
typedef struct kai_contact_law_kind {
    kai_kind kind;
    /// A normal law: the push of `count` touches in the middle of a step of h seconds, with the
    /// velocities before it. Implicit integrators ask with h = 0: velocities are those of the same
    /// instant as overlaps. Runs on several threads at once: writes `out` and the histories of its
    /// own touches, nothing else.
    void (*normal)(const void* instance, const kai_contact_touch* touches, size_t count, double h,
                   kai_contact_normal* out);
    /// A whole law: everything about `count` touches over that step. Threads as above.
    void (*evaluate)(const void* instance, const kai_contact_touch* touches, size_t count, double h,
                     kai_contact_answer* out);
    /// A normal law for the fast path of spheres: answers for numbers [begin, end) of the lanes.
    /// NULL: spheres of this law take the general path.
    void (*lanes)(const void* instance, kai_contact_lanes* lanes, size_t begin, size_t end);
    /// Before `lanes`: the factors of a pair of materials. `radius` and `mass` are the effective
    /// ones where all pairs have the same, else 0. False: this pair takes the general path. NULL:
    /// the law needs no factors.
    bool (*prepare)(const void* instance, const kai_contact_coefficients* pair, double radius,
                    double mass, kai_contact_factors* out);
    int factor_count; ///< how many factors prepare() fills
    /// True: damping never turns the push into a pull. Laws whose restitution counts on the pull at
    /// the end of a contact leave it false.
    bool no_pull;
    /// True: the damping is a dashpot, whose velocity lags by half a step; Kairos corrects for that
    /// (docs/contact-laws.md, "Steps"), and in the fast path asks `normal` about the first and last
    /// step of a contact.
    bool dashpot;
} kai_contact_law_kind;

// From one function of a pair to loops -----------------------------------------------------------
//
// Compile with -O3 (-fno-math-errno where the law has square roots), so that the lanes become vector
// code.

#if defined(__clang__)
/// Stands before a loop whose turns do not depend on each other. Where the compiler runs with
/// -fopenmp-simd, _Pragma("omp simd") may be put in its place.
#define KAI_CONTACT_SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
/// Stands before a loop whose turns do not depend on each other.
#define KAI_CONTACT_SIMD _Pragma("GCC ivdep")
#endif

/// A function of a pair: inlined into the loops below, and compiled for devices by CUDA.
#define KAI_CONTACT_INLINE KAI_HD static inline __attribute__((always_inline))

/// Number i of the lanes; `one`: of the pair that stands for all.
KAI_CONTACT_INLINE kai_contact_pressed kai_contact_lanes_get(const kai_contact_lanes* lanes,
                                                             size_t i, size_t one)
{
    const kai_contact_pressed s = {lanes->overlap[i], lanes->radius[one], lanes->mass[one],
                                   lanes->departure[i], lanes->h};
    return s;
}

/// Its factors.
KAI_CONTACT_INLINE kai_contact_factors kai_contact_lanes_factors(const kai_contact_lanes* lanes,
                                                                 size_t one)
{
    const kai_contact_factors f = {{lanes->factors[0][one], lanes->factors[1][one],
                                    lanes->factors[2][one], lanes->factors[3][one],
                                    lanes->factors[4][one], lanes->factors[5][one]}};
    return f;
}

/// Its answer.
KAI_CONTACT_INLINE void kai_contact_lanes_put(kai_contact_lanes* lanes, size_t i,
                                              kai_contact_normal e)
{
    lanes->force[i] = e.force;
    lanes->damping[i] = e.damping;
    lanes->kt[i] = e.kt;
    lanes->gt[i] = e.gt;
    lanes->energy[i] = e.energy;
}

/// A touch as a law of a pair sees it.
KAI_CONTACT_INLINE kai_contact_pressed kai_contact_pressed_of(const kai_contact_touch* t, double h)
{
    const kai_contact_pressed s = {t->overlap, t->radius, t->mass,
                                   kai_vec3_dot(t->velocity, t->normal), h};
    return s;
}

/// Defines `static void name(…)` for kai_contact_law_kind.normal: `pair_law` for each touch, with the
/// factors that `find` (a prepare(), or NULL) finds. `type` is that of an instance.
#define KAI_CONTACT_LAW_NORMAL(name, type, find, pair_law)                                   \
    static void name(const void* instance, const kai_contact_touch* touches, size_t count,   \
                     double h, kai_contact_normal* out)                                      \
    {                                                                                        \
        bool (*const prepare)(const void*, const kai_contact_coefficients*, double, double,  \
                              kai_contact_factors*) = find;                                  \
        for (size_t i = 0; i < count; i++) {                                                 \
            kai_contact_factors factors = {{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};                  \
            const kai_contact_touch* t = &touches[i];                                        \
            if (prepare) prepare(instance, t->pair, t->radius, t->mass, &factors);           \
            out[i] = pair_law((const type*)instance, factors, kai_contact_pressed_of(t, h)); \
        }                                                                                    \
    }

/// Defines `static void name(…)` for kai_contact_law_kind.lanes. Where all pairs are the same, what
/// follows from radius, mass and factors alone is computed once.
#define KAI_CONTACT_LAW_LANES(name, type, pair_law)                                             \
    static void name(const void* instance, kai_contact_lanes* __restrict__ lanes, size_t begin, \
                     size_t end)                                                                \
    {                                                                                           \
        const type* law = (const type*)instance;                                                \
        if (lanes->uniform) {                                                                   \
            const kai_contact_factors factors = kai_contact_lanes_factors(lanes, 0);            \
            KAI_CONTACT_SIMD for (size_t i = begin; i < end; i++) kai_contact_lanes_put(        \
                lanes, i, pair_law(law, factors, kai_contact_lanes_get(lanes, i, 0)));          \
            return;                                                                             \
        }                                                                                       \
        KAI_CONTACT_SIMD for (size_t i = begin; i < end; i++)                                   \
            kai_contact_lanes_put(lanes, i,                                                     \
                                  pair_law(law, kai_contact_lanes_factors(lanes, i),            \
                                           kai_contact_lanes_get(lanes, i, i)));                \
    }

// The built-in laws ------------------------------------------------------------------------------

/// Parameters of `hooke`.
typedef struct kai_contact_law_hooke_params {
    /// m/s: the speed of impact at which stiffness from Young's modulus matches Hertz in energy;
    /// negative: that of kai_contact_def.
    double characteristic_speed;
} kai_contact_law_hooke_params;

/// Hertz: F = 4/3 E* √R δ^(3/2), damped so that restitution is what the pair asks for.
KAI_API extern const kai_contact_law_kind kai_contact_law_hertz;
/// Hooke: F = kn δ; see kai_contact_law_hooke_params.
KAI_API extern const kai_contact_law_kind kai_contact_law_hooke;
/// Flores: Hertz with damping that follows the force and the speed of impact; never pulls.
KAI_API extern const kai_contact_law_kind kai_contact_law_flores;

/// How friction works with a normal law.
typedef enum kai_contact_tangential {
    KAI_CONTACT_TANGENTIAL_HISTORY,  ///< a spring that follows the displacement since the touch
                                     ///< began
    KAI_CONTACT_TANGENTIAL_ONE_STEP, ///< a spring over the displacement of one step; creeps under
                                     ///< load
    KAI_CONTACT_TANGENTIAL_NONE      ///< none: no friction
} kai_contact_tangential;

/// How contacts attract.
typedef enum kai_contact_adhesion {
    KAI_CONTACT_ADHESION_NONE,     ///< not at all
    KAI_CONTACT_ADHESION_CONSTANT, ///< `adhesion` or `cohesion`, whichever is larger, N
    KAI_CONTACT_ADHESION_DMT,      ///< 4π γ R, `adhesion` is the surface energy γ, J/m²
    KAI_CONTACT_ADHESION_PERKO     ///< 0.036 S² R N/m, `adhesion` is the cleanliness S
} kai_contact_adhesion;

#ifdef __cplusplus
}
#endif

#endif
