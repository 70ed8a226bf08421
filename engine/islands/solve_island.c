// Solves an island's problem, impacts included.
//
//   first     w = W lambda + b with all kinds of rows together (contact.h); at corners sides are chosen (corners.c)
//   impacts   under the gap law: impact.c, before everything else, and nothing here. By the papers' rule:
//             two-phase: solve, add e times the impulse where a contact closed faster than the threshold, and where
//             that violates a row solve once more from there; Poisson's: poisson.h. Bilateral and box rows are part of
//             the last solve, so they hold at its end
//   check     where no certificate says that bilateral rows hold: rank_check.h
//
// (Mylapilli & Jain sec. 2.6-4.)

#include "engine/islands/solve_island.h"
#include "collision/world/geometries.h"
#include "engine/islands/corners.h"
#include "engine/islands/poisson.h"
#include "engine/islands/rank_check.h"
#include "engine/islands/row_title.h"
#include "engine/islands/warm_start.h"
#include "engine/rows/contact_rows.h"
#include "engine/rows/statistics.h"
#include "engine/state/step_context.h"
#include "topology/base/errors.h"

#include <math.h>
#include <string.h>

static srs_status fail_at(struct srs_constraints *c, const srs_step_context *step, const island *is, srs_status status,
                          const char *why)
{
  char a[96], b[96];
  if (is->n_contacts == 0)
    return srs_fail(&c->error, status, NULL, 0, 0, NULL, "the problem of %d rows, one the %s: %s", is->n,
                    srs_scalar_title(step->model, &c->scalars[is->scalars[0]], a), why);
  const srs_contact_point *first = &c->candidates[c->active[is->contacts[0]].candidate];
  return srs_fail(&c->error, status, NULL, 0, 0, NULL, "the problem of %d contacts, one between %s and %s: %s",
                  is->n_contacts, srs_shape_title(step->model, first->shape_a, a),
                  srs_shape_title(step->model, first->shape_b, b), why);
}

// Rows of a loop that count as dependent agree only up to the angle that is counted so, and to how well the loop is
// closed. In a short step, which changes little, that is more than the solver's tolerance but no failure: the rows hold
// as well as they are known, and the projection of positions closes the loop.
static srs_status solve_beyond_rounding(struct srs_constraints *c, const srs_step_context *step, const island *is,
                                        const srs_contact_problem *problem, const srs_contact_options *options,
                                        double *impulse, double *velocity, srs_contact_report *report)
{
  if (report->status == SRS_CONTACT_SOLVED || report->bilateral_rank == is->n_bilateral || problem->b != is->b)
    return SRS_OK;
  if (!(report->bilateral <= srs_dependent_speed(c, step, is))) return SRS_OK;
  for (int i = 0; i < is->n_bilateral; i++) is->b[i] -= velocity[i];
  const double work = report->work, most_work = report->most_work;
  const srs_status status = srs_contact_solve(c->solver, problem, options, true, impulse, velocity, report);
  report->work += work, report->most_work += most_work;
  return status;
}

static const char overflow[] = "its velocities or inertias are beyond the finite numbers; lower dt";

// Adds a solve's report to the statistics.
static srs_status take_report(struct srs_constraints *c, const srs_step_context *step, const island *is,
                              const srs_contact_problem *problem, const double *impulse,
                              const srs_contact_report *report)
{
  if (report->status == SRS_CONTACT_NOT_FINITE) return fail_at(c, step, is, SRS_ERROR_DIVERGED, overflow);
  if (c->watch != NULL) c->watch(c->watcher, problem, impulse, report);
  srs_sim_statistics *s = &c->next;
  s->solves++;
  s->iterations += report->iterations;
  if (report->iterations > s->iterations_max) s->iterations_max = report->iterations;
  srs_count_work(s, report->work, report->most_work, c->is_again);
  if (report->residual > s->residual_max) s->residual_max = report->residual;
  if (report->residual > s->residual_last) s->residual_last = report->residual;
  if (report->status == SRS_CONTACT_UNSOLVED) srs_count_failure(s, *step->state->time, report->residual);
  c->is_certified = c->is_certified && report->status == SRS_CONTACT_SOLVED && report->bilateral <= SRS_CERTAIN_SPEED &&
                    report->unilateral <= SRS_CERTAIN_SPEED;
  c->rank = report->bilateral_rank;
  c->problem_pivot = report->bilateral_pivot;
  c->problem_weakest = report->bilateral_weakest;
  return SRS_OK;
}

srs_status srs_solve_problem(struct srs_constraints *c, const srs_step_context *step, const island *is,
                             const srs_contact_problem *problem, bool is_warm, double *impulse, double *velocity)
{
  srs_contact_report report;
  const srs_contact_options options = srs_problem_options(c, &step->options->contact.solver);
  srs_status status = srs_contact_solve(c->solver, problem, &options, is_warm, impulse, velocity, &report);
  while (status == SRS_ERROR_CAPACITY && is->has_blocks && !c->is_fixed) { // elimination filled in more than fits
    const srs_contact_sizes none = {0};
    if (srs_contact_solver_reserve_blocks(c->solver, &none, NULL) != SRS_OK) break;
    c->next.growths = ++c->statistics.growths;
    status = srs_contact_solve(c->solver, problem, &options, is_warm, impulse, velocity, &report);
  }
  if (status == SRS_OK) status = solve_beyond_rounding(c, step, is, problem, &options, impulse, velocity, &report);
  if (status == SRS_ERROR_DIVERGED || status == SRS_ERROR_NOT_FINITE)
    return fail_at(c, step, is, SRS_ERROR_DIVERGED, overflow);
  if (status != SRS_OK) return fail_at(c, step, is, status, srs_status_string(status));
  return take_report(c, step, is, problem, impulse, &report);
}

srs_status srs_show_settled(struct srs_constraints *c, const island *is)
{
  const srs_contact_problem problem = srs_island_problem(is, is->b, is->lower, is->upper);
  srs_contact_report report;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    memcpy(is->impulse + srs_row_of_contact(is, i), a->answer, (size_t)a->n_rows * sizeof *a->answer);
  }
  const srs_status status = srs_contact_certify(c->solver, &problem, is->impulse, &report);
  if (status != SRS_OK)
    return srs_fail(&c->error, status, NULL, 0, 0, NULL, "an island at rest: %s", srs_status_string(status));
  report.stage = SRS_STAGE_WARM;
  c->watch(c->watcher, &problem, is->impulse, &report);
  return SRS_OK;
}

// w = W impulse + b; returns whether the velocity of a contact's normal or of a unilateral row is negative beyond
// rounding.
static bool violates(const island *is, const double *impulse, double *w)
{
  const int end = is->n_bilateral + is->n_contact_rows;
  double scale = 0, lowest = 0;
  for (int i = 0; i < is->n; i++) {
    w[i] = srs_island_velocity(is, impulse, i);
    scale = fmax(scale, fabs(is->b[i]));
  }
  for (int i = 0; i < is->n_contacts; i++) lowest = fmin(lowest, w[srs_row_of_contact(is, i)]);
  for (int i = end; i < end + is->n_unilateral; i++) lowest = fmin(lowest, w[i]);
  return lowest < -1e-11 * scale;
}

// The first solve. It removes sides of groups that are not chosen from the island.
static srs_status solve_first(struct srs_constraints *c, const srs_step_context *step, island *is)
{
  const bool is_warm = srs_warm_start(c, step->state->warm_rows, is);
  if (c->n_groups == 0 || !srs_has_groups(is)) {
    const srs_contact_problem problem = srs_island_problem(is, is->b, is->lower, is->upper);
    return srs_solve_problem(c, step, is, &problem, is_warm, is->impulse, is->velocity);
  }
  srs_contact_report report;
  const srs_status status = srs_choose_sides(c, step->options, is_warm, is, &report);
  if (status == SRS_ERROR_NOT_FINITE) return fail_at(c, step, is, SRS_ERROR_DIVERGED, overflow);
  if (status != SRS_OK) return fail_at(c, step, is, status, srs_status_string(status));
  const srs_contact_problem left = srs_island_problem(is, is->b, is->lower, is->upper);
  return take_report(c, step, is, &left, is->impulse, &report);
}

// Two phases: the impulse of each bouncing contact grows by e; where that presses rows together, everything is solved
// once more.
static srs_status solve_two_phase(struct srs_constraints *c, const srs_step_context *step, const island *is)
{
  const int boxes = is->n - is->n_box;
  bool any = false;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    if (!a->bounces) continue;
    any = true;
    for (int row = 0; row < a->n_rows; row++) is->impulse[srs_row_of_contact(is, i) + row] *= 1 + a->restitution;
  }
  if (!any || (!violates(is, is->impulse, is->b2) && is->n_bilateral + is->n_box == 0)) return SRS_OK;
  for (int i = 0; i < is->n_box; i++) {
    is->lower2[i] = fmin(0, is->lower[i] - is->impulse[boxes + i]);
    is->upper2[i] = fmax(0, is->upper[i] - is->impulse[boxes + i]);
  }
  const srs_contact_problem problem = srs_island_problem(is, is->b2, is->lower2, is->upper2);
  const srs_status status = srs_solve_problem(c, step, is, &problem, false, is->phase, is->velocity);
  for (int i = 0; i < is->n && status == SRS_OK; i++) is->impulse[i] += is->phase[i];
  return status;
}

// Poisson's second phase: each bouncing contact receives e times its normal impulse, and everything else is solved
// again.
static srs_status solve_poisson(struct srs_constraints *c, const srs_step_context *step, const island *is)
{
  const srs_contact_problem first = srs_island_problem(is, is->b, is->lower, is->upper);
  const size_t bytes = (size_t)is->n * sizeof *is->impulse;
  srs_poisson second;
  if (!srs_poisson_begin(&first, is->impulse, is->velocity, is->restitution, is->rest, c->second_rows, &second))
    return SRS_OK;
  c->is_certified = false; // the sum of both phases has no certificate
  for (int may_push = 0; may_push < 2; may_push++) {
    srs_poisson_make(&first, is->impulse, is->velocity, may_push, &second);
    const srs_status status = srs_solve_problem(c, step, is, &second.problem, false, second.impulse, second.velocity);
    if (status != SRS_OK) return status;
    memcpy(is->phase, is->impulse, bytes);
    srs_poisson_add(&second, is->phase);
    if (!srs_poisson_is_pressed(&first, &second, is->phase)) break;
  }
  memcpy(is->impulse, is->phase, bytes);
  return SRS_OK;
}

// Solves first with e = 0, then impacts, as the papers print them.
static srs_status solve_then_impacts(struct srs_constraints *c, const srs_step_context *step, island *is)
{
  const srs_status status = solve_first(c, step, is);
  if (status != SRS_OK) return status;
  srs_record_pivot(c, is);
  switch (step->options->contact.impact) {
  case SRS_IMPACT_TWO_PHASE: return solve_two_phase(c, step, is);
  case SRS_IMPACT_POISSON: return solve_poisson(c, step, is);
  case SRS_IMPACT_NEWTON: break;
  }
  return SRS_OK;
}

srs_status srs_solve_island(struct srs_constraints *c, const srs_step_context *step, island *is)
{
  c->is_certified = true;
  srs_status status = SRS_OK;
  if (c->is_projected) {
    status = solve_first(c, step, is);
    if (status == SRS_OK) srs_record_pivot(c, is);
  } else
    status = solve_then_impacts(c, step, is);
  const bool is_certified = is->n_bilateral == 0 || c->is_certified;
  return status == SRS_OK && !is_certified ? srs_check_bilateral(c, step, is) : status;
}
