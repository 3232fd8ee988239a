// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Augmented Lagrangian with semi-smooth Newton steps. With a guess γ of impulses, weights R (a
// number times the mass of each contact) and û(v) of cone.h, its shifts held,
//
//     φ(v) = ½ |v - v0|²_M + Σ |P(γ - R û(v))|² / 2R
//
// is convex, with gradient M (v - v0) - D γ⁺, γ⁺ = P(γ - R û), and its Newton matrix is that of
// cone_matrix.h with W = R P'. Steps are cut back until the slope of φ along them is small. Where
// the velocities that γ⁺ gives are nearly those of the iterate a round ends, γ := γ⁺: what is left
// of û falls by a factor that grows with R. The solution need not be unique: two boxes on each other
// with eight contacts are as well posed as one ball.
//
// Rows of joints are the same with an interval in the place of the cone; those without bounds
// stand in the matrix with 1/R next to nothing.
//
// Coulomb's shifts change between rounds. The first step of a round is a Newton step of the whole
// problem, shifts included (cone_newton_shifts.c); where it leads astray it is taken back, and the
// round goes on with shifts held.
//
// R is soft where rounds are hard and stiff where they are easy.
#include "solve/cone_newton.h"

#include "base/clock.h"
#include "base/stop.h"
#include "solve/cone_newton_work.h"
#include "solve/cone_work.h"

#include <string.h>

/// Most numbers in the factors: 1 GiB.
static const size_t LIMIT = (size_t)1 << 27;

/// A round ends when the velocities of impulses are so much nearer to those of the iterate than the
/// impulses are to the guess, or so much nearer than the residual.
static const double ROUND_ENDS = 0.1, ROUNDED = 1e-3;

/// Rounds up to so many steps are easy, beyond so many hard; what weights are multiplied with then;
/// where the residual falls by GAIN in a round they need not grow.
enum { EASY = 2, HARD = 3 };
static const double GROWTH = 6.0, SHRINKAGE = 0.1, GAIN = 0.03;
static const double SOFTEST = 0.1, STIFFEST = 1e9;

/// A guess is good when its residual is so much of the speed at which surfaces come together.
static const double GOOD = 0.1;

/// A step with shifts that follow is taken back when it leaves velocities so many times as wrong as
/// the residual before; weights are multiplied with RETREAT.
static const double ASTRAY = 20.0, RETREAT = 1.0 / 3.0;

/// After so many rounds that do not halve the residual, shifts are held in steps and follow between
/// rounds, a share of the way; after so many more it is the other way again.
enum { ROUNDS = 6 };
static const double SHARE = 0.5;

typedef kai_cone_newton_work work;
typedef kai_cone_newton_point point;
typedef kai_cone_newton_bar bar;

void kai_cone_newton_init(kai_cone_newton* w, kai_memory* memory)
{
    *w = (kai_cone_newton){0};
    kai_cone_matrix_init(&w->matrix, memory, LIMIT);
    w->points = kai_array_make(sizeof(point));
    w->bars = kai_array_make(sizeof(bar));
    w->vectors = w->basis = kai_array_make(sizeof(double));
}

void kai_cone_newton_free(kai_cone_newton* w)
{
    kai_memory* memory = w->matrix.memory;
    kai_array_free(&w->points, memory);
    kai_array_free(&w->bars, memory);
    kai_array_free(&w->vectors, memory);
    kai_array_free(&w->basis, memory);
    kai_cone_matrix_free(&w->matrix);
}

// The iterate ------------------------------------------------------------------------------------

/// γ - R û of a contact, `along` the step.
static kai_cone_pair aim(const point* c, double along)
{
    kai_cone_pair u = kai_cone_pair_mix(c->speed, 1.0, c->change, along);
    u.f = kai_vec3_mul_add(u.f, c->contact->normal, c->shift);
    return kai_cone_pair_mix(c->guess, 1.0, u, -c->weight);
}

static double larger(double a, double b) { return a > b ? a : b; }

static double within(const bar* b, double x)
{
    return x < b->row->low ? b->row->low : x > b->row->high ? b->row->high : x;
}

/// ∇φ without contacts.
static void begin_gradient(work* w)
{
    kai_cone_newton_work_weigh(w, false, w->x, w->gradient);
    for (size_t i = 0; i < w->problem->row_count; i++) {
        bar* b = &w->bars[i];
        b->held = true;
        if (b->bounded) {
            const double p = b->guess - b->weight * b->speed;
            b->impulse = within(b, p);
            b->held = p > b->row->low && p < b->row->high;
        }
        kai_cone_newton_work_push_row(w, b->row, -b->impulse, w->gradient);
    }
}

/// Impulses at the iterate, their slopes, and ∇φ.
static void evaluate(work* w)
{
    begin_gradient(w);
    for (size_t i = 0; i < w->count; i++) {
        point* c = &w->points[i];
        c->impulse = kai_cone_friction_nearest(&c->cone, aim(c, 0.0), c->stiff, c->slope);
        kai_cone_newton_work_push(w, c, c->impulse, -1.0, w->gradient);
    }
}

/// The same of the guess alone.
static void evaluate_guess(work* w)
{
    begin_gradient(w);
    for (size_t i = 0; i < w->count; i++) {
        w->points[i].impulse = w->points[i].guess;
        kai_cone_newton_work_push(w, &w->points[i], w->points[i].guess, -1.0, w->gradient);
    }
}

/// The impulse that tells what a contact does in the first step. Contacts without a guess: what would
/// stop their bodies alone; where those are at rest, any that sticks. False: the contact is open.
static bool find_hint(const point* c, kai_cone_pair* hint)
{
    const kai_vec3 n = c->contact->normal;
    const double rate = kai_vec3_dot(c->speed.f, n);
    *hint = c->guess;
    if (kai_vec3_dot(c->guess.f, n) > 0.0) return true;
    if (rate > 1e-12) return false;
    *hint = (kai_cone_pair){n, kai_vec3_zero()};
    if (rate >= -1e-12) return true;
    const double push = -c->mass * rate, limit = c->cone.limit[0] * push;
    const kai_vec3 t = kai_vec3_mul_add(c->speed.f, n, -rate);
    const double stop = c->mass * kai_vec3_norm(t);
    hint->f = kai_vec3_mul_add(kai_vec3_scale(n, push), t,
                               stop > limit ? -c->mass * limit / stop : -c->mass);
    return true;
}

/// The velocity û of a contact with such an impulse: none where it sticks, as now across the normal
/// where it slips.
static kai_cone_pair expect(const work* w, const point* c, kai_cone_pair hint)
{
    const kai_vec3 n = c->contact->normal;
    kai_cone_pair lean, speed = {kai_vec3_zero(), kai_vec3_zero()};
    if (w->options->associated || !kai_cone_friction_lean(&c->cone, hint, c->speed, 0.0, &lean))
        return speed;
    speed = c->speed;
    speed.f = kai_vec3_mul_add(
        speed.f, n, kai_cone_friction_shift(&c->cone, speed) - kai_vec3_dot(c->speed.f, n));
    return speed;
}

/// The first step goes from the guess, as if contacts that carry had the velocities that they are
/// expected to have: what they do is mostly right, where velocities without contacts say little.
static void lean_on_guess(work* w)
{
    const bool coulomb = !w->options->associated;
    begin_gradient(w);
    for (size_t i = 0; i < w->count; i++) {
        point* c = &w->points[i];
        c->carries = find_hint(c, &c->hint);
        if (c->carries) {
            const kai_cone_pair expected = expect(w, c, c->hint);
            if (coulomb) c->shift = kai_cone_friction_shift(&c->cone, expected);
            const kai_cone_pair p = kai_cone_pair_mix(c->hint, 1.0, expected, -c->weight);
            kai_cone_friction_nearest(&c->cone, p, c->stiff, c->slope);
            kai_cone_pair u = c->speed;
            u.f = kai_vec3_mul_add(u.f, c->contact->normal, c->shift);
            u = kai_cone_pair_mix(u, 1.0, expected, -1.0);
            c->impulse =
                kai_cone_pair_mix(c->guess, 1.0, kai_cone_newton_work_slope(c, u, c->weight), -1.0);
        } else {
            c->impulse = kai_cone_friction_nearest(&c->cone, aim(c, 0.0), c->stiff, c->slope);
        }
        kai_cone_newton_work_push(w, c, c->impulse, -1.0, w->gradient);
    }
}

/// The largest speed at which surfaces come together.
static double approach_of(const work* w)
{
    double approach = 0.0;
    for (size_t i = 0; i < w->count; i++)
        approach =
            larger(approach, -kai_vec3_dot(w->points[i].speed.f, w->points[i].contact->normal));
    return approach;
}

/// The iterate becomes the velocities that the guess gives.
static void begin_at_guess(work* w)
{
    for (size_t i = 0; i < w->unknowns; i++) w->x[i] = w->free[i];
    for (size_t i = 0; i < w->count; i++) {
        point* c = &w->points[i];
        c->speed = kai_cone_pair_mix(c->speed, 1.0, kai_cone_newton_work_speed(w, c, w->free), 1.0);
    }
    for (size_t i = 0; i < w->problem->row_count; i++)
        w->bars[i].speed += kai_cone_newton_work_row_speed(w, w->bars[i].row, w->free);
}

/// Shifts go a share of the way to those of the iterate.
static void follow_speeds(work* w, double share)
{
    for (size_t i = 0; !w->options->associated && i < w->count; i++) {
        point* c = &w->points[i];
        const double to = kai_cone_friction_shift(&c->cone, c->speed);
        c->shift = share < 1.0 ? c->shift + share * (to - c->shift) : to;
    }
}

static void set_weights(work* w, double times)
{
    if (w->stiff * times > STIFFEST || w->stiff * times < SOFTEST) return;
    w->stiff *= times;
    for (size_t i = 0; i < w->count; i++) {
        w->points[i].weight *= times;
        w->points[i].stiff *= times;
    }
    for (size_t i = 0; i < w->problem->row_count; i++)
        if (w->bars[i].bounded) w->bars[i].weight *= times;
}

/// Ends a round of so many steps: impulses become the guess.
static void end_round(work* w, int steps, bool lags, double* outer_before)
{
    for (size_t i = 0; i < w->count; i++) w->points[i].guess = w->points[i].impulse;
    for (size_t i = 0; i < w->problem->row_count; i++) w->bars[i].guess = w->bars[i].impulse;
    follow_speeds(w, lags ? SHARE : 1.0);
    if (steps > HARD)
        set_weights(w, SHRINKAGE);
    else if (steps <= EASY && w->outer > GAIN * *outer_before)
        set_weights(w, GROWTH);
    *outer_before = w->outer;
}

// Residual ---------------------------------------------------------------------------------------

static void measure_point(work* w, const point* c)
{
    const kai_vec3 n = c->contact->normal;
    const kai_cone_pair off = kai_cone_newton_work_speed(w, c, w->free);
    kai_cone_pair u = kai_cone_pair_mix(c->speed, 1.0, off, 1.0);
    double more = c->contact->compliance * kai_vec3_dot(c->impulse.f, n);
    if (!w->options->associated) more += kai_cone_friction_shift(&c->cone, u);
    u.f = kai_vec3_mul_add(u.f, n, more);
    const kai_cone_pair to = kai_cone_friction_nearest(
        &c->cone, kai_cone_pair_mix(c->impulse, 1.0, u, -c->mass), 0.0, NULL);
    const kai_cone_pair wrong = kai_cone_pair_mix(c->impulse, 1.0, to, -1.0),
                        moved = kai_cone_pair_mix(c->impulse, 1.0, c->guess, -1.0);
    const double residual = sqrt(kai_cone_pair_norm2(wrong)) / c->mass;
    // A NaN stays.
    if (!(residual <= w->residual)) w->residual = residual;
    w->inner = larger(w->inner, sqrt(kai_cone_pair_norm2(off)));
    w->outer = larger(w->outer, sqrt(kai_cone_pair_norm2(moved)) / c->weight);
}

static void measure_bar(work* w, const bar* b)
{
    const double off = kai_cone_newton_work_row_speed(w, b->row, w->free);
    const double to = within(b, b->impulse - b->mass * (b->speed + off));
    const double residual = fabs(b->impulse - to) / b->mass;
    if (!(residual <= w->residual)) w->residual = residual;
    w->inner = larger(w->inner, fabs(off));
    w->outer = larger(w->outer, fabs(b->impulse - b->guess) / b->weight);
}

/// The residual of the impulses, with the velocities that they give, and how far those are from the
/// iterate's. Keeps the best impulses.
static void measure(work* w)
{
    w->residual = w->inner = w->outer = 0.0;
    kai_cone_newton_work_weigh(w, true, w->gradient, w->free);
    for (size_t i = 0; i < w->unknowns; i++) w->free[i] = -w->free[i];
    for (size_t i = 0; i < w->count; i++) measure_point(w, &w->points[i]);
    for (size_t i = 0; i < w->problem->row_count; i++)
        if (w->bars[i].mass > 0.0) measure_bar(w, &w->bars[i]);
    if (!(w->residual < w->least)) return;
    w->least = w->residual;
    for (size_t i = 0; i < w->count; i++) w->points[i].best = w->points[i].impulse;
    for (size_t i = 0; i < w->problem->row_count; i++) w->bars[i].best = w->bars[i].impulse;
}

// Steps ------------------------------------------------------------------------------------------

static kai_result factorise(work* w)
{
    kai_cone_matrix* m = w->matrix;
    kai_cone_matrix_begin(m, w->problem, w->threads);
    for (size_t i = 0; i < w->count; i++) {
        const point* c = &w->points[i];
        double weights[36];
        for (int k = 0; k < (c->cone.couples ? 36 : 9); k++) weights[k] = c->weight * c->slope[k];
        kai_cone_matrix_add(m, w->problem, c->index, weights, c->cone.couples, c->length);
    }
    for (size_t i = 0; i < w->problem->row_count; i++) {
        const bar* b = &w->bars[i];
        kai_cone_matrix_put_row(m, w->problem, b->group, b->place, b->held ? b->weight : 0.0);
    }
    return kai_cone_matrix_factor(m, w->threads, w->err);
}

/// The place of a row among the unknowns.
static size_t place_of(const work* w, const bar* b)
{
    return kai_cone_matrix_place(w->matrix, w->matrix->movers + b->group) + b->place;
}

/// The Newton step; `*live`: with shifts that follow; then becomes whether any contact slips.
static kai_result find_step(work* w, bool* live)
{
    KAI_TRY(factorise(w));
    const size_t moving = kai_cone_matrix_place(w->matrix, w->matrix->movers);
    for (size_t i = 0; i < moving; i++) w->step[i] = -w->gradient[i];
    for (size_t i = 0; i < w->problem->row_count; i++) {
        const bar* b = &w->bars[i];
        w->step[place_of(w, b)] =
            b->bounded || !b->held ? 0.0 : -(b->speed + (b->impulse - b->guess) / b->weight);
    }
    kai_ldl_solve(&w->matrix->ldl, w->threads, w->step);
    if (*live) KAI_TRY(kai_cone_newton_shifts_follow(w, live));
    for (size_t i = 0; i < w->count; i++)
        w->points[i].change = kai_cone_newton_work_speed(w, &w->points[i], w->step);
    for (size_t i = 0; i < w->problem->row_count; i++) {
        bar* b = &w->bars[i];
        b->change = kai_cone_newton_work_row_speed(w, b->row, w->step);
        b->more = -w->step[place_of(w, b)];
    }
    return KAI_OK;
}

/// dφ/dα at x + α dx, where masses add linear + α square.
static double slope_along(const work* w, double at, double linear, double square)
{
    double sum = linear + at * square;
    for (size_t i = 0; i < w->count; i++) {
        const point* c = &w->points[i];
        const kai_cone_pair g = kai_cone_friction_nearest(&c->cone, aim(c, at), c->stiff, NULL);
        sum -= kai_vec3_dot(g.f, c->change.f) + kai_vec3_dot(g.k, c->change.k);
    }
    for (size_t i = 0; i < w->problem->row_count; i++) {
        const bar* b = &w->bars[i];
        const double impulse = b->bounded
                                   ? within(b, b->guess - b->weight * (b->speed + at * b->change))
                                   : b->impulse + at * b->more;
        sum -= impulse * b->change;
    }
    return sum;
}

/// How far to go along the step: φ falls all the way there, and is about as low as it gets.
static double find_length(work* w)
{
    enum { TRIES = 20 };
    double linear = 0.0, square = 0.0;
    kai_cone_newton_work_weigh(w, false, w->step, w->free);
    const size_t moving = kai_cone_matrix_place(w->matrix, w->matrix->movers);
    for (size_t i = 0; i < moving; i++) {
        linear += w->x[i] * w->free[i];
        square += w->step[i] * w->free[i];
    }
    const double begin = slope_along(w, 0.0, linear, square);
    double low = 0.0, high = 1.0, at_low = begin, at_high = slope_along(w, 1.0, linear, square);
    if (!(begin < 0.0) || at_high <= -0.5 * begin) return 1.0;
    double to = 1.0;
    for (int k = 0; k < TRIES; k++) {
        to = low + (high - low) * fmin(fmax(at_low / (at_low - at_high), 0.1), 0.9);
        const double slope = slope_along(w, to, linear, square);
        if (fabs(slope) <= -0.3 * begin) break;
        *(slope > 0.0 ? &high : &low) = to;
        *(slope > 0.0 ? &at_high : &at_low) = slope;
    }
    return to;
}

static void take_step(work* w, double length)
{
    for (size_t i = 0; i < w->unknowns; i++) w->x[i] += length * w->step[i];
    for (size_t i = 0; i < w->count; i++)
        w->points[i].speed =
            kai_cone_pair_mix(w->points[i].speed, 1.0, w->points[i].change, length);
    for (size_t i = 0; i < w->problem->row_count; i++) {
        bar* b = &w->bars[i];
        b->speed += length * b->change;
        if (!b->bounded) b->impulse += length * b->more;
    }
}

static void keep(work* w)
{
    for (size_t i = 0; i < w->unknowns; i++) w->kept[i] = w->x[i];
    for (size_t i = 0; i < w->count; i++) {
        w->points[i].kept_speed = w->points[i].speed;
        w->points[i].kept_shift = w->points[i].shift;
    }
    for (size_t i = 0; i < w->problem->row_count; i++) {
        w->bars[i].kept_speed = w->bars[i].speed;
        w->bars[i].kept = w->bars[i].impulse;
    }
}

static void put_back(work* w)
{
    for (size_t i = 0; i < w->unknowns; i++) w->x[i] = w->kept[i];
    for (size_t i = 0; i < w->count; i++) {
        w->points[i].speed = w->points[i].kept_speed;
        w->points[i].shift = w->points[i].kept_shift;
    }
    for (size_t i = 0; i < w->problem->row_count; i++) {
        w->bars[i].speed = w->bars[i].kept_speed;
        w->bars[i].impulse = w->bars[i].kept;
    }
}

// Rounds -----------------------------------------------------------------------------------------

/// Where the method is between two steps.
typedef struct progress {
    bool live;       // shifts followed in the last step, where contacts slipped
    int steps;       // of the round
    double outer;    // at the end of the round before
    double residual; // likewise
    double mark;     // the least residual when it was last halved,
    int rounds;      // and how many ended since
    bool lags;       // shifts follow between rounds alone
} progress;

/// What the next step is, and from where it goes. Returns whether shifts follow in it.
static bool prepare(work* w, uint32_t k, progress* p)
{
    const bool coulomb = !w->options->associated;
    w->first = k == 0;
    if (k == 0 && w->residual <= GOOD * approach_of(w)) {
        w->first = false;
        begin_at_guess(w);
        follow_speeds(w, 1.0);
        evaluate(w);
        return coulomb;
    }
    if (k == 0) {
        lean_on_guess(w);
        return coulomb;
    }
    if (p->live && k > 1 && !(w->inner <= ASTRAY * p->residual)) {
        put_back(w);
        set_weights(w, RETREAT);
        evaluate(w);
        return false;
    }
    // Rounding may keep both equally small.
    if (w->inner > ROUND_ENDS * w->outer && w->inner > ROUNDED * w->residual) return false;
    p->rounds++;
    if (!(w->least > 0.5 * p->mark)) {
        p->mark = w->least;
        p->rounds = 0;
    } else if (p->rounds >= ROUNDS) {
        p->lags = coulomb && !p->lags;
        p->rounds = 0;
    }
    end_round(w, p->steps, p->lags, &p->outer);
    evaluate(w);
    keep(w);
    p->residual = w->residual;
    p->steps = 0;
    return coulomb && !p->lags;
}

static kai_result advance(work* w, uint32_t k, progress* p)
{
    const bool follow = prepare(w, k, p);
    p->live = follow;
    KAI_TRY(find_step(w, &p->live));
    take_step(w, k == 0 || p->live ? 1.0 : find_length(w));
    p->steps++;
    if (follow) follow_speeds(w, 1.0);
    evaluate(w);
    measure(w);
    return KAI_OK;
}

/// The best impulses, and the velocities that they give.
static void publish(work* w)
{
    const kai_cone_problem* p = w->problem;
    for (size_t i = 0; i < w->unknowns; i++) w->gradient[i] = 0.0;
    memset(p->impulse, 0, p->contact_count * sizeof *p->impulse);
    if (p->couple) memset(p->couple, 0, p->contact_count * sizeof *p->couple);
    for (size_t i = 0; i < w->count; i++) {
        const point* c = &w->points[i];
        kai_cone_newton_work_push(w, c, c->best, 1.0, w->gradient);
        p->impulse[c->index] = c->best.f;
        if (c->cone.couples) p->couple[c->index] = kai_vec3_scale(c->best.k, c->length);
    }
    for (size_t i = 0; i < p->row_count; i++) {
        kai_cone_newton_work_push_row(w, w->bars[i].row, w->bars[i].best, w->gradient);
        p->multiplier[i] = w->bars[i].best;
    }
    kai_cone_newton_work_weigh(w, true, w->gradient, w->free);
    const uint32_t* body = w->matrix->body_of.data;
    for (uint32_t n = 0; n < w->matrix->movers; n++) {
        kai_cone_motion* m = &p->motion[body[n]];
        const double* d = w->free + kai_cone_matrix_place(w->matrix, n);
        m->v = kai_vec3_add(m->v, kai_vec3_make(d[0], d[1], d[2]));
        if (m->inverse_moment != 0.0) m->w = kai_vec3_add(m->w, kai_vec3_make(d[3], d[4], d[5]));
    }
}

static void note(const work* w, uint32_t k, kai_cone_result* result)
{
    const kai_cone_options* o = w->options;
    result->iterations = k;
    result->residual = w->least;
    if (o->trace_seconds) o->trace_seconds[k] = kai_clock_now() - w->began;
    if (o->trace) o->trace[k] = w->least;
}

/// What the residual is held to: part of the speed of an impact is forgiven.
static double limit_of(const work* w)
{
    const kai_cone_options* o = w->options;
    double approach = 0.0;
    if (!(o->limit > 0.0)) return (double)INFINITY;
    for (size_t i = 0; i < w->count; i++)
        approach =
            larger(approach, -kai_vec3_dot(w->points[i].speed.f, w->points[i].contact->normal));
    return larger(o->limit, o->impact * approach);
}

/// Near the tolerance, rounding may leave nothing to gain.
static bool stalls(const work* w, uint32_t k, double* mark, uint32_t* since)
{
    enum { PATIENCE = 12 };
    if (w->least < 0.5 * *mark) {
        *mark = w->least;
        *since = k;
    }
    return k - *since > PATIENCE && w->least <= 100.0 * w->options->tolerance;
}

kai_result kai_cone_newton_solve(kai_cone_newton* newton, const kai_cone_problem* problem,
                                 const kai_cone_options* options, kai_cone_result* result,
                                 kai_error* err)
{
    work w = {.newton = newton,
              .matrix = &newton->matrix,
              .problem = problem,
              .options = options,
              .least = (double)INFINITY,
              .began = kai_clock_now(),
              .err = err};
    progress p = {.mark = (double)INFINITY};
    KAI_TRY(kai_cone_work_given(problem, err));
    KAI_TRY(kai_cone_newton_work_begin(&w));
    *result = (kai_cone_result){.limit = limit_of(&w)};
    evaluate_guess(&w);
    measure(&w);
    note(&w, 0, result);
    double mark = (double)INFINITY;
    uint32_t since = 0;
    for (uint32_t k = 0; k < options->iterations; k++) {
        if (options->tolerance > 0.0 && w.least <= options->tolerance) break;
        KAI_TRY(kai_stop_check(options->stop, err));
        KAI_TRY(advance(&w, k, &p));
        note(&w, k + 1, result);
        if (!isfinite(w.residual) || stalls(&w, k, &mark, &since)) break; // the best so far is left
    }
    if (!isfinite(w.least))
        return kai_error_set(err, KAI_ERROR_DIVERGED, "velocities of contacts are not finite");
    publish(&w);
    return KAI_OK;
}
