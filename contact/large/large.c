// Solver of large problems, given by blocks.
//
// `relaxed`: by an interior point. `relaxed-fixed-point`: by iterating it (contact/iterate/relaxation.h). Methods with
// the exact cone run the fallback sequence (contact/iterate/fallback.h). Methods with a polyhedron start Newton's
// method on Fischer-Burmeister equations (contact/large/large_polyhedral.h) from the impulses handed in, from an
// interior point, from zero, from sweeps, and from the fixed point of relaxed problems, which is a solution itself.
// Lemke's pivoting would take thousands of pivots: `mlcp-lemke` means the interior point here.
#include "contact/large/large.h"
#include "contact/algebra/budget.h"
#include "contact/iterate/admissible.h"
#include "contact/iterate/fallback.h"
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/method.h"
#include "contact/planar/mode_path.h"
#include "contact/planar/planar.h"
#include "contact/problem/certificate.h"

#include <limits.h>
#include <math.h>
#include <string.h>

bool srs_large_reserve(srs_large *s, const srs_contact_sizes *sizes)
{
  const size_t directions = (size_t)sizes->n_block_rows * (size_t)(sizes->n_directions + 2);
  return directions <= INT_MAX && srs_interior_reserve(&s->interior, sizes, (int)directions) &&
         srs_large_cone_reserve(&s->cone, sizes->n_rows, sizes->n_block_rows, sizes->n_blocks, sizes->n_values) &&
         srs_large_dense_reserve(&s->dense, sizes->n_rows) &&
         srs_large_polyhedral_reserve(&s->polyhedral, s->interior.most_rows, s->interior.most_nodes,
                                      sizes->n_directions) &&
         srs_body_newton_reserve(&s->body_newton, s->interior.most_rows, s->interior.most_nodes,
                                 s->interior.most_columns);
}

bool srs_large_has_room(const srs_large *s, const srs_contact_sizes *sizes)
{
  return srs_interior_has_room(&s->interior, sizes, sizes->n_block_rows * (sizes->n_directions + 2));
}

void srs_large_release(srs_large *s)
{
  srs_interior_release(&s->interior);
  srs_large_cone_release(&s->cone);
  srs_large_dense_release(&s->dense);
  srs_large_polyhedral_release(&s->polyhedral);
  srs_body_newton_release(&s->body_newton);
}

static srs_method_family family_of(const srs_contact_options *options) { return srs_methods[options->method].family; }

// |mu sigma - Gamma|, and `part` of that added to Gamma.
static double go_on(srs_interior *s, double part)
{
  const srs_contact_problem *p = s->problem;
  double sum = 0;
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = p->blocks->first[p->n_bilateral + c];
    const double slip = srs_polyhedron_slip(&s->polyhedron, srs_contact_tangents(p, c), s->w + i + 1);
    const double off = p->friction[c] * slip - s->ahead[c];
    sum += off * off;
    s->ahead[c] += part * off;
    s->b[i] += part * off;
  }
  return sqrt(sum);
}

static srs_status relax(srs_interior *s, double goal, int max_iterations, srs_contact_report *report)
{
  const double residual = srs_interior_minimise(s, goal, max_iterations, &report->iterations);
  if (residual < 0) return SRS_ERROR_CAPACITY;
  memcpy(s->answer, s->best, sizeof *s->best * (size_t)s->n_rows);
  return SRS_OK;
}

static srs_status iterate(srs_interior *s, double goal, int max_iterations, int most_rounds, srs_contact_report *report)
{
  enum { PATIENCE = 20 };
  double last = INFINITY, mark = INFINITY, part = 1, best = INFINITY;
  int waited = 0;
  memset(s->ahead, 0, sizeof *s->ahead * (size_t)s->problem->n_contacts);
  for (int i = 0; i < most_rounds && (i == 0 || *s->left > 0); i++) {
    if (srs_interior_minimise(s, 0.1 * goal, max_iterations, &report->iterations) < 0) return SRS_ERROR_CAPACITY;
    const double residual = srs_interior_map(s, s->ahead);
    if (residual < best) {
      best = residual;
      memcpy(s->answer, s->best, sizeof *s->best * (size_t)s->n_rows);
    }
    if (best <= goal) break;
    const double length = go_on(s, part);
    if (last > 1e-9 && last < INFINITY) report->contraction = length / last;
    if (length < 0.9 * mark) mark = length, waited = -1;
    waited++;
    last = length;
    if (waited < PATIENCE) continue;
    if (part < 0.2) break;
    part *= 0.5, waited = 0, mark = INFINITY;
  }
  return SRS_OK;
}

// ---- work ----

// Time of a multiplication by blocks over one of large dense matrices: work is counted in the latter.
static const double slower = 4;

// In a plane the usual work is for so many rows: then it is ten times what most heaps take.
static const double planar_rows = 300;

// The matrix is copied and ordered for each method's form, and multiplied by a few times.
static void begin_work(srs_large *large, const srs_contact_problem *p, const srs_contact_options *options,
                       double factorisation, double share)
{
  const double fixed = 4e4 + 60 * (double)p->blocks->begin[p->blocks->n_block_rows] + 2000.0 * p->blocks->n_block_rows;
  large->allowance = srs_allow(options->most_work / slower, fixed, factorisation, share * srs_usual_work / slower);
  large->cone.fallback.left = srs_allowance_search(&large->allowance);
}

static void end_work(const srs_large *large, srs_contact_report *report)
{
  report->work = slower * (large->allowance.most - large->allowance.held - large->cone.fallback.left);
  report->most_work = slower * large->allowance.most;
}

// Polyhedra: by the interior point.
static srs_status solve_relaxed(srs_large *large, const srs_contact_problem *problem,
                                const srs_contact_options *options, double size, double *impulse,
                                srs_contact_report *report)
{
  srs_interior *s = &large->interior;
  const bool is_fixed_point = family_of(options) == SRS_FAMILY_FIXED_POINT;
  srs_polyhedron polyhedron;
  srs_polyhedron_make(options->n_directions, options->direction_angle, &polyhedron);
  if (!srs_interior_begin(s, problem, s->scale, size, &polyhedron)) return SRS_ERROR_CAPACITY;
  begin_work(large, problem, options, s->work, 1);
  const double goal = 0.5 * options->tolerance;
  s->polyhedron.is_relaxed = true;
  const srs_status status = is_fixed_point
                                ? iterate(s, goal, options->max_iterations, 20 * options->max_iterations, report)
                                : relax(s, goal, options->max_iterations, report);
  s->polyhedron.is_relaxed = !is_fixed_point;
  for (int i = 0; i < s->n_rows; i++) impulse[i] = s->scale[i] * size * s->answer[i];
  return status;
}

// ---- the exact cone, and polyhedra ----

typedef struct search {
  srs_large *large;
  const srs_contact_problem *problem;
  const srs_contact_form *form;
  const srs_contact_options *options;
  double size;
  double *impulse;
  srs_contact_report *report; // `iterations` and `contraction` are used
  bool lacks_room;
  bool slides;        // by the impulses handed in
  const double *warm; // impulses handed in, of the cone problem; or NULL
} search;

// An interior point starts with all unknowns equal, or near the result of sweeps.
typedef struct interior_start {
  int sweeps;
  double weight;
} interior_start;

static const interior_start starts[] = {{0, 0.1},    {0, 1},   {30, 0.01}, {0, 10},      {300, 0.01},
                                        {300, 1e-3}, {0, 100}, {30, 1e-3}, {3000, 0.01}, {3000, 1e-3}};
enum { STARTS = sizeof starts / sizeof *starts };
static const double relaxed_goal = 1e-9, interior_goal = 1e-9,
                    near_enough = 1e-3; // |Fischer-Burmeister|: tolerance; limit of useful starts

// The result goes into the fallback's x.  @return whether it is a useful start
static bool find_interior(search *s, int number)
{
  srs_fallback *l = &s->large->cone.fallback;
  const interior_start *from = &starts[number];
  if (from->sweeps > 0) {
    memset(l->x, 0, sizeof *l->x * (size_t)l->cone.n);
    if (!srs_sweep_within(l, from->sweeps, l->x)) return false;
  }
  return srs_large_polyhedral_interior(&s->large->polyhedral, from->sweeps > 0, from->weight, interior_goal,
                                       3 * s->options->max_iterations) < near_enough;
}

// Likewise, the approximate fixed point of relaxed problems.
static bool find_fixed_point(search *s, const srs_polyhedron *polyhedron, double goal)
{
  enum { ROUNDS = 60 };
  srs_interior *interior = &s->large->interior;
  srs_fallback *l = &s->large->cone.fallback;
  if (!srs_interior_begin(interior, s->problem, interior->scale, s->size, polyhedron)) return false;
  interior->polyhedron.is_relaxed = true;
  const srs_status status = iterate(interior, goal, s->options->max_iterations, ROUNDS, s->report);
  if (status != SRS_OK) return false;
  for (int i = 0; i < interior->n_rows; i++) s->impulse[i] = interior->scale[i] * s->size * interior->answer[i];
  srs_large_cone_gather(&s->large->cone, s->impulse, l->x);
  return true;
}

// Whether Newton's method has steps by bodies.
static bool has_factor(const search *s)
{
  const srs_contact_factor *factor = s->problem->blocks->factor;
  return factor != NULL && factor->own == NULL;
}

// Where a search by proximal points is the first that is tried.
static bool starts_first(const search *s)
{
  const srs_fallback *l = &s->large->cone.fallback;
  return has_factor(s) && srs_is_planar(&l->cone) && l->last_stage >= SRS_STAGE_INTERIOR;
}

static bool begin_newton(search *s)
{
  srs_groups *groups = &s->large->interior.groups;
  if (!has_factor(s)) return false;
  const bool has_begun = srs_body_newton_begin(&s->large->body_newton, groups, &s->large->cone);
  s->lacks_room = groups->is_short;
  return has_begun;
}

// Rounds of the fixed point of relaxed problems, of half their length: srs_planar_start. They settle the forces of a
// heap; for some contacts they go on to and fro, and after a few Newton's method comes nearer sooner.
static bool relax_planar(void *data, double *x)
{
  enum { ROUNDS = 4 };
  search *s = data;
  srs_interior *interior = &s->large->interior;
  srs_polyhedron polyhedron;
  srs_polyhedron_make(4, 0, &polyhedron);
  if (!srs_interior_begin(interior, s->problem, interior->scale, s->size, &polyhedron)) return false;
  interior->polyhedron.is_relaxed = true;
  memset(interior->ahead, 0, sizeof *interior->ahead * (size_t)s->problem->n_contacts);
  for (int k = 0; k < ROUNDS; k++) {
    if (k > 0) (void)go_on(interior, 0.5);
    if (srs_interior_minimise(interior, relaxed_goal, s->options->max_iterations, &s->report->iterations) < 0)
      return false;
    (void)srs_interior_map(interior, interior->ahead);
  }
  for (int i = 0; i < interior->n_rows; i++) s->impulse[i] = interior->scale[i] * s->size * interior->best[i];
  srs_large_cone_gather(&s->large->cone, s->impulse, x);
  return !has_factor(s) || begin_newton(s); // its memory was the relaxed problems'
}

// A few proximal points from the impulses handed in, if any; then from those of relaxed problems.
static bool search_planar(search *s)
{
  enum { WARM_STEPS = 12 };
  srs_fallback *l = &s->large->cone.fallback;
  srs_body_newton *newton = &s->large->body_newton;
  const bool is_ready = begin_newton(s);
  if (s->lacks_room) return false;
  const size_t bytes = sizeof *l->x * (size_t)l->cone.n;
  if (s->warm != NULL && is_ready) {
    memcpy(l->x, s->warm, bytes);
    if (srs_planar_try(l, &newton->planar, WARM_STEPS)) return true;
    memcpy(l->x, s->warm, bytes);
  } else {
    memset(l->x, 0, bytes);
  }
  return srs_planar_search(l, relax_planar, s, is_ready ? &newton->planar : NULL);
}

// Whether a contact that bears something has all of its friction, as those that slide have.
static bool has_sliding(const srs_contact_problem *p, const double *impulse)
{
  const double least_share = 1e-9, share = 1 - 1e-9;
  double most = 0;
  for (int c = 0; c < p->n_contacts; c++) most = fmax(most, impulse[p->blocks->first[p->n_bilateral + c]]);
  for (int c = 0; c < p->n_contacts; c++) {
    const double *f = impulse + p->blocks->first[p->n_bilateral + c], limit = p->friction[c] * f[0];
    if (srs_contact_tangents(p, c) < 2 || !(f[0] > least_share * most) || !(limit > 0)) continue;
    if (hypot(f[1], f[2]) >= share * limit) return true;
  }
  return false;
}

// The relaxed problem by an interior point, a step by bodies: the answer where nothing slides.
static srs_start start_relaxed(search *s, double *x)
{
  enum { MOST = 24 }; // a wall of 48 bricks at rest takes 18; where it takes more, something slides
  const int most = s->options->max_iterations < MOST ? s->options->max_iterations : MOST;
  srs_interior *interior = &s->large->interior;
  const srs_fallback *l = &s->large->cone.fallback;
  srs_polyhedron polyhedron;
  srs_polyhedron_make(4, 0, &polyhedron);
  if (!has_factor(s) || srs_is_planar(&l->cone) || s->slides) return SRS_START_NONE;
  if (!srs_interior_begin(interior, s->problem, interior->scale, s->size, &polyhedron)) return SRS_START_NONE;
  interior->polyhedron.is_relaxed = true;
  if (srs_interior_minimise(interior, 0.1 * l->enough, most, &s->report->iterations) < 0) return SRS_START_NONE;
  for (int i = 0; i < interior->n_rows; i++) s->impulse[i] = interior->scale[i] * s->size * interior->best[i];
  srs_large_cone_gather(&s->large->cone, s->impulse, x);
  return SRS_START_NEAR;
}

// Over smoothed contacts, by bodies where W is given as a sum over these.
static srs_start start_crowd(search *s, double *x)
{
  enum { LEAST_ROWS = 60 };
  srs_large_cone *cone = &s->large->cone;
  srs_fallback *l = &cone->fallback;
  const bool is_crowd = s->problem->n_bilateral == 0 && l->cone.n >= LEAST_ROWS && !srs_is_planar(&l->cone);
  if (!is_crowd || !srs_large_cone_has_planes(cone)) return SRS_START_NONE;
  bool is_done = false;
  if (begin_newton(s))
    is_done = srs_fallback_crowd(l, &s->large->body_newton.smooth);
  else if (!s->lacks_room && srs_large_dense_fits(&s->large->dense, cone))
    is_done = srs_large_dense_search(&s->large->dense, cone, slower);
  if (!is_done) return SRS_START_NONE;
  memcpy(x, l->best, sizeof *x * (size_t)cone->pattern.n);
  return SRS_START_NEAR;
}

// Interior points, each again with the pyramids aligned to its own solution; then the fixed point.
static srs_start start_cone(void *data, int number, double *x)
{
  search *s = data;
  srs_large_cone *cone = &s->large->cone;
  const size_t bytes = sizeof *x * (size_t)cone->pattern.n;
  const bool is_turned = number % 2 == 1;
  bool is_near;
  srs_polyhedron polyhedron;
  if (number == SRS_START_FIRST) return start_relaxed(s, x);
  if (number == SRS_START_CROWD) return start_crowd(s, x);
  srs_polyhedron_make(4, 0, &polyhedron);
  if (number == 0 && srs_is_planar(&cone->fallback.cone) && search_planar(s)) {
    memcpy(x, cone->fallback.x, bytes);
    return SRS_START_NEAR;
  }
  if (s->lacks_room || number > 2 * STARTS) return SRS_START_NONE;
  if (is_turned && !srs_large_cone_has_planes(cone)) return SRS_START_FAR;
  if (number == 2 * STARTS) {
    is_near = find_fixed_point(s, &polyhedron, 1e-6);
  } else {
    const double *towards = is_turned ? memcpy(cone->warm, x, bytes) : NULL;
    s->lacks_room = !srs_large_polyhedral_begin(&s->large->polyhedral, cone, &polyhedron, towards);
    if (s->lacks_room) return SRS_START_NONE;
    is_near = find_interior(s, number / 2);
  }
  if (is_near || !is_turned) memcpy(x, cone->fallback.x, bytes);
  return is_near ? SRS_START_NEAR : SRS_START_FAR;
}

static void run_cone(search *s, bool is_warm)
{
  srs_large_cone *cone = &s->large->cone;
  srs_fallback *l = &cone->fallback;
  l->minimise = srs_methods[s->options->method].minimise;
  l->start = start_cone;
  l->start_data = s;
  l->starts_first = starts_first(s);
  s->warm = is_warm ? cone->warm : NULL;
  srs_fallback_run(l, is_warm ? cone->warm : NULL);
}

// Keeps the fallback's x if it is the best; true if it is a solution.
static bool keep_if_best(search *s, srs_contact_stage name)
{
  srs_fallback *l = &s->large->cone.fallback;
  srs_interior *interior = &s->large->interior;
  srs_contact_report report = {0};
  srs_large_cone_spread(&s->large->cone, l->x, s->impulse);
  srs_contact_measure(s->problem, s->form, interior->scale, s->size, &s->large->polyhedral.polyhedron, s->impulse,
                      interior->velocity, &report);
  if (report.residual < l->best_residual) {
    l->best_residual = report.residual;
    l->stage = name;
    memcpy(l->best, l->x, sizeof *l->x * (size_t)l->cone.n);
  }
  srs_contact_set_status(s->problem, interior->scale, s->size, s->options->tolerance, s->impulse, &report);
  return report.status != SRS_CONTACT_UNSOLVED;
}

// From the fallback's x.
static bool try_polyhedral(search *s, srs_contact_stage name)
{
  const srs_fallback *l = &s->large->cone.fallback;
  (void)srs_large_polyhedral_newton(&s->large->polyhedral, l->goal, 0.1 * l->enough, s->options->max_iterations);
  return keep_if_best(s, name);
}

// With one tangent a polyhedron is the cone.
static bool try_planar(search *s)
{
  srs_fallback *l = &s->large->cone.fallback;
  return srs_is_planar(&l->cone) && search_planar(s) &&
         (keep_if_best(s, SRS_STAGE_INTERIOR) || try_polyhedral(s, SRS_STAGE_INTERIOR));
}

static void run_polyhedral(search *s, bool is_warm)
{
  srs_large_cone *cone = &s->large->cone;
  srs_large_polyhedral *p = &s->large->polyhedral;
  srs_fallback *l = &cone->fallback;
  const srs_method *method = &srs_methods[s->options->method];
  const size_t bytes = sizeof *l->x * (size_t)l->cone.n;
  srs_polyhedron polyhedron;
  srs_polyhedron_make(s->options->n_directions, s->options->direction_angle, &polyhedron);
  s->lacks_room = !srs_large_polyhedral_begin(p, cone, &polyhedron, NULL);
  if (s->lacks_room) return;
  p->weight = method->is_penalised ? s->options->penalty_weight : 1;
  p->is_monotone = method->minimise != srs_plm;
  l->best_residual = INFINITY;
  l->stage = SRS_STAGE_COLD;
  memset(l->best, 0, bytes);
  s->warm = is_warm ? cone->warm : NULL;
  l->starts_first = starts_first(s);
  if (l->starts_first && (try_planar(s) || s->lacks_room)) return;
  if (is_warm) memcpy(l->x, cone->warm, bytes);
  if (is_warm && (try_polyhedral(s, SRS_STAGE_WARM) || l->last_stage < SRS_STAGE_COLD)) return;
  for (int k = 0; k < STARTS && l->last_stage >= SRS_STAGE_INTERIOR && l->left > 0; k++) {
    if (k == 1 && !l->starts_first && try_planar(s)) return;
    if (find_interior(s, k) && try_polyhedral(s, SRS_STAGE_INTERIOR)) return;
  }
  memset(l->x, 0, bytes);
  if (try_polyhedral(s, SRS_STAGE_COLD) || l->last_stage < SRS_STAGE_GAUSS_SEIDEL) return;
  memset(l->swept, 0, bytes);
  for (int sweeps = 30; sweeps <= 480 && l->left > 0; sweeps *= 4) {
    if (!srs_sweep_within(l, sweeps, l->swept)) break;
    memcpy(l->x, l->swept, bytes);
    if (try_polyhedral(s, SRS_STAGE_GAUSS_SEIDEL)) return;
  }
  if (l->last_stage < SRS_STAGE_INTERIOR || l->left <= 0 ||
      !find_fixed_point(s, &polyhedron, 0.5 * s->options->tolerance))
    return;
  if (!keep_if_best(s, SRS_STAGE_INTERIOR)) (void)try_polyhedral(s, SRS_STAGE_INTERIOR);
}

static srs_status run(search *s, bool is_warm)
{
  srs_large_cone *cone = &s->large->cone;
  srs_fallback *l = &cone->fallback;
  if (!srs_large_cone_begin(cone, s->problem, s->large->interior.scale, s->size, s->options->tolerance))
    return SRS_ERROR_CAPACITY;
  l->max_iterations = s->options->max_iterations;
  l->last_stage = s->options->last_stage;
  l->iterations = s->large->polyhedral.iterations = 0;
  l->lm.left = &l->left;
  const double share = srs_is_planar(&l->cone) ? fmax(1, l->cone.n / planar_rows) : 1;
  begin_work(s->large, s->problem, s->options, srs_lm_cost(&l->lm, l->cone.n), share);
  if (is_warm) srs_large_cone_gather(cone, s->impulse, cone->warm);
  s->slides = is_warm && has_sliding(s->problem, s->impulse);
  if (family_of(s->options) == SRS_FAMILY_CONE)
    run_cone(s, is_warm);
  else
    run_polyhedral(s, is_warm);
  if (s->lacks_room) return SRS_ERROR_CAPACITY;
  srs_large_cone_spread(cone, l->best, s->impulse);
  s->report->stage = l->stage;
  s->report->iterations += l->iterations + s->large->polyhedral.iterations;
  s->report->contraction = 0;
  return SRS_OK;
}

// ---- no answer ----

static srs_polyhedron polyhedron_for(const srs_contact_options *options)
{
  srs_polyhedron polyhedron;
  srs_polyhedron_make(options->n_directions, options->direction_angle, &polyhedron);
  polyhedron.is_relaxed = family_of(options) == SRS_FAMILY_RELAXED;
  return polyhedron;
}

static void measure(const search *s, const srs_polyhedron *polyhedron)
{
  srs_interior *interior = &s->large->interior;
  srs_contact_measure(s->problem, s->form, interior->scale, s->size, polyhedron, s->impulse, interior->velocity,
                      s->report);
  srs_contact_set_status(s->problem, interior->scale, s->size, s->options->tolerance, s->impulse, s->report);
}

typedef struct trial {
  const search *search;
  const srs_polyhedron *polyhedron;
} trial;

static double measure_trial(void *data, const double *x)
{
  const trial *t = data;
  srs_large_cone_spread(&t->search->large->cone, x, t->search->impulse);
  measure(t->search, t->polyhedron);
  return t->search->report->residual;
}

// The best impulses that are no worse than none in place of those that a method ended with.
static void hold_back(search *s, const srs_polyhedron *polyhedron)
{
  srs_large_cone *cone = &s->large->cone;
  srs_fallback *l = &cone->fallback;
  trial t = {s, polyhedron};
  srs_admissible admissible = {.fallback = l, .polyhedron = polyhedron, .measure = measure_trial, .data = &t};
  admissible.work = 4 * (double)s->problem->blocks->begin[s->problem->blocks->n_block_rows];
  l->left += s->large->allowance.held;
  s->large->allowance.held = 0;
  if (!srs_large_cone_begin(cone, s->problem, s->large->interior.scale, s->size, s->options->tolerance)) {
    memset(s->impulse, 0, sizeof *s->impulse * (size_t)s->form->n);
  } else {
    l->lm.left = &l->left;
    l->iterations = 0;
    srs_large_cone_gather(cone, s->impulse, cone->warm);
    srs_admissible_begin(&admissible);
    srs_admissible_offer(&admissible, cone->warm);
    srs_admissible_sweep(&admissible);
    srs_admissible_soften(&admissible);
    srs_admissible_descend(&admissible);
    srs_large_cone_spread(cone, l->best, s->impulse);
    s->report->iterations += l->iterations;
  }
  measure(s, polyhedron);
}

// As in contact/solve/solve.c.
static bool overflows(search *s, const srs_polyhedron *polyhedron)
{
  const double *velocity = s->large->interior.velocity;
  if (srs_contact_is_finite(s->form->n, s->impulse, velocity, s->report)) return false;
  memset(s->impulse, 0, sizeof *s->impulse * (size_t)s->form->n);
  measure(s, polyhedron);
  return !srs_contact_is_finite(s->form->n, s->impulse, velocity, s->report);
}

// ---- all of them ----

// Impulses handed in may be the answer, as those of the step before often are: they stay as they are.
static bool is_answered(search *s, const srs_polyhedron *polyhedron, double *velocity)
{
  const double share = 0.1; // of the tolerance: what is taken again and again should be no worse than an answer
  srs_interior *interior = &s->large->interior;
  srs_contact_measure(s->problem, s->form, interior->scale, s->size, polyhedron, s->impulse, interior->velocity,
                      s->report);
  if (!(s->report->residual <= share * s->options->tolerance)) return false;
  srs_contact_set_status(s->problem, interior->scale, s->size, s->options->tolerance, s->impulse, s->report);
  if (s->report->status != SRS_CONTACT_SOLVED) return false;
  s->report->stage = SRS_STAGE_WARM;
  if (velocity != NULL) memcpy(velocity, interior->velocity, sizeof *velocity * (size_t)s->form->n);
  return true;
}

srs_status srs_large_solve(srs_large *large, const srs_contact_problem *problem, const srs_contact_form *form,
                           const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                           srs_contact_report *report)
{
  srs_interior *s = &large->interior;
  *report = (srs_contact_report){.stage = SRS_STAGE_COLD,
                                 .bilateral_rank = problem->n_bilateral,
                                 .bilateral_pivot = INFINITY,
                                 .bilateral_weakest = -1};
  if (form->n > s->most_rows) return SRS_ERROR_CAPACITY;
  srs_contact_scales(problem, form, s->scale);
  const double size = srs_contact_size(form->n, problem->b, s->scale);
  s->left = &large->cone.fallback.left;
  search all = {large, problem, form, options, size, impulse, report, false, false, NULL};
  srs_status status = SRS_OK;
  const srs_polyhedron polyhedron = polyhedron_for(options),
                       *of = family_of(options) == SRS_FAMILY_CONE ? NULL : &polyhedron;
  const bool is_relaxed = srs_contact_method_is_relaxed(options->method);
  if (is_warm && size > 0 && !is_relaxed && is_answered(&all, of, velocity)) return SRS_OK;
  if (size == 0)
    memset(impulse, 0, sizeof *impulse * (size_t)form->n);
  else if (is_relaxed)
    status = solve_relaxed(large, problem, options, size, impulse, report);
  else
    status = run(&all, is_warm);
  if (status != SRS_OK) return status;
  all.size = size == 0 ? 1 : size;
  measure(&all, of);
  if (report->status == SRS_CONTACT_UNSOLVED) hold_back(&all, of);
  const bool is_overflow = srs_contact_may_overflow(report) && overflows(&all, of);
  if (is_overflow) report->status = SRS_CONTACT_NOT_FINITE;
  if (size > 0) end_work(large, report);
  if (velocity != NULL) memcpy(velocity, s->velocity, sizeof *velocity * (size_t)form->n);
  return is_overflow ? SRS_ERROR_DIVERGED : SRS_OK;
}
