// The constraint system's part of a step: which impulses act, and how they change the velocity.
//
//   collide   contacts within reach (engine/rows/contact_rows.c)
//   strike    impacts of contacts with restitution, in the middle of the step (impact.c)
//   rows      of loops, limits, dry friction and actuators (engine/rows)
//   islands   rows that share moving trees: one problem each (island.c)
//   solve     w = W lambda + b, all kinds of rows together (solve_island.c)
//   respond   v+ = v_free + M^-1 J^T lambda, by the pivots of the articulated sweep
//   again     limits and contacts that v+ would break although they were left out are taken in, and everything is
//   solved
//             again from where it was. The set only grows, so that this ends; mostly there is nothing to take in
//   push out  what is inside is led back by positions (push_out.c): the motion is in `moved`
//
// Positions move afterwards (engine/step). The results stay apart until the step is accepted, so that a failed step
// leaves everything as it was. (Mylapilli & Jain sec. 2.6-4.)

#include "engine/islands/constraint_step.h"
#include "contact/solve/solve.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/elimination/elimination.h"
#include "engine/islands/impact.h"
#include "engine/islands/island.h"
#include "engine/islands/push_out.h"
#include "engine/islands/rank_check.h"
#include "engine/islands/solve_island.h"
#include "engine/islands/warm_start.h"
#include "engine/loops/mechanism.h"
#include "engine/loops/projection.h"
#include "engine/rows/contact_rows.h"
#include "engine/rows/joint_rows.h"
#include "engine/rows/row_sources.h"
#include "engine/rows/statistics.h"
#include "engine/state/step_context.h"

#include <math.h>
#include <string.h>

static void keep_contact(struct srs_constraints *c, double dt, int contact, const double *answer)
{
  active_contact *a = &c->active[contact];
  double f[CONTACT_ROWS] = {0};
  if (answer != a->answer) memcpy(a->answer, answer, (size_t)a->n_rows * sizeof *answer);
  a->has_answer = true;
  for (int row = 0; row < a->n_rows; row++) f[row] = answer[row] + a->blow[row];
  srs_sim_contact *r = &c->next_results[contact];
  v3 on_first, rolling;
  const double spin = srs_split_impulse(a, f, &on_first, &rolling);
  const v3 impulse = a->is_turned ? v3_zero - on_first : on_first;
  r->contact = c->candidates[a->candidate];
  r->friction = a->friction, r->restitution = a->restitution;
  memcpy(r->anisotropy, a->anisotropy, sizeof r->anisotropy);
  if (!(a->n_rows > 3 && a->first_torque == 0)) r->anisotropy[2] = 0;
  if (a->n_forces < 3) r->anisotropy[1] = 1;
  r->torsional_impulse = spin, r->torque = spin / dt;
  r->rolling = a->rolling;
  if (a->is_turned) rolling = v3_zero - rolling;
  v3_store(r->rolling_impulse, rolling);
  v3_store(r->rolling_torque, rolling * (1 / dt));
  v3_store(r->impulse, impulse);
  v3_store(r->force, impulse * (1 / dt));
  srs_push_links(c, a, answer);
}

// That of the last step.
static void keep_result(struct srs_constraints *c, int contact)
{
  active_contact *a = &c->active[contact];
  a->has_answer = true;
  c->next_results[contact] = c->results[contact];
  srs_push_links(c, a, a->answer);
}

static void keep_contacts(struct srs_constraints *c, double dt, const island *is)
{
  for (int i = 0; i < is->n_contacts; i++) {
    c->active[is->contacts[i]].has_rested = false;
    keep_contact(c, dt, is->contacts[i], is->impulse + srs_row_of_contact(is, i));
  }
}

static void keep_scalars(struct srs_constraints *c, const island *is)
{
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++) {
    scalar_row *scalar = &c->scalars[is->scalars[i]];
    const double answer = is->impulse[srs_row_of_scalar(is, i)];
    scalar->impulse = answer + c->blow_of_slot[scalar->slot];
    srs_row_push(&scalar->row, answer, c->impulse, c->on_coordinates);
  }
}

// When all loops are in one island that has no other bilateral row, the projection after the step can use the solver's
// factor. Only where loops leave nothing free, though: elsewhere the result of a correction depends on the metric,
// which would differ from the one used for loops with dependent rows.
static void pass_factor_to_projector(const struct srs_constraints *c, struct srs_projector *projector, const island *is)
{
  const srs_bilateral *factor = srs_contact_bilateral(c->solver);
  if (is->has_blocks || factor->rank != c->workspace->model->nv || is->n_bilateral != c->n_loop_rows ||
      !srs_holds_loop(c, is, is->n_bilateral - 1))
    return;
  srs_loop_diagonal diagonal = srs_no_diagonal();
  for (int i = 0; i < is->n_bilateral; i++)
    srs_note_diagonal(&diagonal, c->loop_rows[i].is_angular, *srs_island_diagonal(is, (size_t)i));
  if (srs_loops_are_well_conditioned(&diagonal, factor->rank, factor->least_pivot))
    srs_projector_take(projector, c->loop_rows, factor);
}

// An island that rests. Who watches sees its problem, too.
static srs_status keep_settled(struct srs_constraints *c, const srs_step_context *step, int number, const double *v)
{
  const int begin = c->island_begin[number], end = c->island_begin[number + 1];
  for (int i = begin; i < end; i++) {
    active_contact *a = &c->active[c->order[i]];
    if (a->is_kept)
      keep_result(c, c->order[i]);
    else
      keep_contact(c, step->options->dt, c->order[i], a->answer);
    a->has_rested = true;
  }
  if (c->watch == NULL) return SRS_OK;
  island is;
  const srs_status status = srs_open_island(c, number, v, &is);
  return status == SRS_OK ? srs_show_settled(c, &is) : status;
}

static srs_status solve_islands(struct srs_constraints *c, const srs_step_context *step,
                                struct srs_projector *projector, int n_contacts, const double *v_free)
{
  const bool is_projected =
      c->n_loop_rows > 0 && step->options->closure.projection && step->workspace->embedding == NULL;
  if (is_projected) srs_projector_forget(projector);
  const int n_islands = srs_find_islands(c, n_contacts);
  const bool any_settled = srs_settle_islands(c, step, n_islands, v_free);
  memset(c->impulse, 0, (size_t)step->model->n_links * sizeof *c->impulse);
  if (c->n_scalars > 0) memset(c->on_coordinates, 0, (size_t)step->model->nv * sizeof *c->on_coordinates);
  c->has_push = false;
  for (int i = 0; i < n_contacts && c->n_groups > 0; i++) c->active[i].is_left_out = false;
  for (int k = 0; k < n_islands; k++) {
    island is;
    if (any_settled && srs_is_settled(c, k)) {
      const srs_status status = keep_settled(c, step, k, v_free);
      if (status != SRS_OK) return status;
      continue;
    }
    srs_status status = srs_open_island(c, k, v_free, &is);
    if (status == SRS_OK) status = srs_solve_island(c, step, &is);
    if (status != SRS_OK) return status;
    if (is_projected) pass_factor_to_projector(c, projector, &is);
    srs_push_out(c, step, &is);
    keep_contacts(c, step->options->dt, &is);
    keep_scalars(c, &is);
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// By elimination
// ---------------------------------------------------------------------------------------------------------------------

// Of the velocities that were to be stopped, the largest and all together. Of the largest pivot: below that share a
// change point may be near, and W has to tell (rank_check.c).
static const double most_left = 1e-12, doubtful_share = 1e-3;

// Whether the loops' rows are all that there is. Where the rank has changed W has to tell how.
static bool has_loops_alone(const struct srs_constraints *c, const srs_step_context *step, int n_contacts)
{
  return step->workspace->elimination != NULL && n_contacts == 0 && c->n_scalars == c->n_loop_rows &&
         !c->counts_loops && c->watch == NULL && !c->is_at_change_point;
}

static bool factor_loops(struct srs_constraints *c, const srs_step_context *step, srs_elimination_report *report)
{
  if (!srs_elimination_factor(step->workspace->elimination, c->scalars, sizeof *c->scalars, true, report)) return false;
  if (report->weakest >= 0 && report->least_own < doubtful_share * c->largest_pivot) return false;
  return c->largest_rank == 0 || report->rank == c->largest_rank;
}

static void note_rank(struct srs_constraints *c, const srs_elimination_report *report)
{
  c->rank = report->rank;
  c->next.bilateral_rank += report->rank;
  for (int i = 0; i < c->n_loop_rows; i++) c->largest_diagonal[i] = fmax(c->largest_diagonal[i], report->mobility[i]);
  if (report->weakest < 0) return;
  c->pivot = report->least_own;
  c->pivot_loop = c->scalars[report->weakest].index;
}

// Stops the rows' velocities x, by impulses; dv is the response, x what is left. Once more, for the rounding of the
// first.  @param moved  n_loop_rows: scratch   @return the residual, as contact.h has it; NAN: x is more than that
static double stop_loops(struct srs_constraints *c, const srs_step_context *step, const double *mobility, double *x,
                         double *impulse, double *moved)
{
  const int n = c->n_loop_rows, nv = step->model->nv;
  double before = 0, size = 0, left = 0, residual = 0;
  for (int i = 0; i < n; i++) {
    if (!(mobility[i] > 0)) x[i] = 0;
    before = fmax(before, fabs(x[i]));
    if (mobility[i] > 0) size += x[i] * x[i] / mobility[i];
    c->scalars[i].impulse = 0;
  }
  memset(c->dv, 0, (size_t)nv * sizeof *c->dv);
  for (int pass = 0; pass < 2; pass++) {
    srs_elimination_solve(step->workspace->elimination, x, impulse, c->v_trial, moved);
    left = residual = 0;
    for (int i = 0; i < nv; i++) c->dv[i] += c->v_trial[i];
    for (int i = 0; i < n; i++) {
      c->scalars[i].impulse += impulse[i];
      if (!(mobility[i] > 0)) continue;
      x[i] += moved[i];
      residual += x[i] * x[i] / mobility[i];
      left = fmax(left, fabs(x[i]));
    }
  }
  residual = size > 0 ? sqrt(residual / size) : 0;
  return left <= most_left * before && residual <= most_left ? residual : NAN;
}

// Solves the rows of loops, where they are alone and elimination answers for certain; the response is in dv.
static bool eliminate_loops(struct srs_constraints *c, const srs_step_context *step, struct srs_projector *projector,
                            int n_contacts, const double *v_free)
{
  srs_elimination_report report;
  if (!has_loops_alone(c, step, n_contacts) || !factor_loops(c, step, &report)) return false;
  const size_t n = (size_t)c->n_loop_rows;
  double *x = c->pivot_matrix, *impulse = x + n, *moved = impulse + n;
  for (size_t i = 0; i < n; i++)
    x[i] = srs_row_velocity(&c->scalars[i].row, step->workspace->velocity, v_free) + c->scalars[i].shift;
  const double residual = stop_loops(c, step, report.mobility, x, impulse, moved);
  if (isnan(residual)) return false;
  if (step->options->closure.projection) srs_projector_forget(projector);
  c->has_push = false;
  note_rank(c, &report);
  c->next.solves++;
  c->next.residual_last = fmax(c->next.residual_last, residual);
  c->next.residual_max = fmax(c->next.residual_max, residual);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rounds
// ---------------------------------------------------------------------------------------------------------------------

// Where impulses stop a joint, v_free + dv is rounding and counts as 0. So what rests has no speed at all.
static void stop_what_rounds(struct srs_constraints *c, double h, const double *v_free)
{
  const srs_model *m = c->workspace->model;
  for (int k = 0; k < m->n_links && c->is_projected; k++) {
    const double rounding = srs_speed_that_rounds(m, k, h, v_free);
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++)
      if (c->dv[i] != 0 && fabs(c->v_trial[i]) <= rounding) c->v_trial[i] = 0;
  }
}

// Solves all rows, from v_free; the response is in dv.
static srs_status solve_rows_once(struct srs_constraints *c, const srs_step_context *step,
                                  struct srs_projector *projector, int n_contacts, const double *v_free)
{
  c->n_scalars = 0;
  c->next.bilateral_rank = 0;
  c->pivot = c->scaled_pivot = INFINITY;
  srs_fill_rows(c, step, v_free);
  if (n_contacts + c->n_scalars == 0) return SRS_OK;
  if (!eliminate_loops(c, step, projector, n_contacts, v_free)) {
    const srs_status status = solve_islands(c, step, projector, n_contacts, v_free);
    if (status != SRS_OK) return status;
    const double *on_coordinates = c->n_scalars > 0 ? c->on_coordinates : NULL;
    if (!c->has_response) srs_respond(step->workspace, c->impulse, on_coordinates, c->dv);
  }
  for (int i = 0; i < step->model->nv; i++) c->v_trial[i] = v_free[i] + c->dv[i];
  stop_what_rounds(c, step->options->dt, v_free);
  return SRS_OK;
}

// Takes in what v_trial would break although it was left out: limits, and under the gap law contacts. Afterwards the
// links have the velocities v_free.  @return whether there was anything
static bool take_left_out(struct srs_constraints *c, const srs_step_context *step, bool is_moved, const double *v_free,
                          int *n_contacts)
{
  const srs_contact_settings *o = &step->options->contact;
  const bool limits = c->n_coordinates > 0 && srs_find_broken_limits(c, step->options->dt, c->v_trial);
  is_moved = is_moved || (c->n_coordinates > 0 && c->has_loop_joint_limits);
  const int n = *n_contacts;
  if (c->collider != NULL && o->normal == SRS_NORMAL_GAP && o->activation == SRS_ACTIVATION_PREDICT &&
      n < c->n_candidates && c->n_groups == 0) {
    srs_move_links(step->workspace, c->v_trial);
    is_moved = true;
    *n_contacts = srs_take_left_out(c, step, n);
  }
  if (is_moved && (limits || *n_contacts > n)) srs_move_links(step->workspace, v_free);
  return limits || *n_contacts > n;
}

// v_next holds v_free until the response is added.
static srs_status solve_rows(struct srs_constraints *c, const srs_step_context *step, struct srs_projector *projector,
                             int *n_contacts, double *v_next)
{
  for (int i = 0; i < c->n_coordinates; i++)
    c->coordinates[i].is_kept_from_lower = c->coordinates[i].is_kept_from_upper = false;
  bool is_moved = false; // the links have other velocities than v_free
  for (bool is_again = false;; is_again = true) {
    if (is_again) c->next.second_rounds++;
    for (int i = 0; i < *n_contacts && is_again; i++) c->active[i].is_kept = c->active[i].has_rested = false;
    c->is_again = c->is_again || is_again;
    const double *from;
    srs_status status = srs_strike(c, step, *n_contacts, v_next, &from);
    if (status == SRS_OK) status = solve_rows_once(c, step, projector, *n_contacts, from);
    if (status != SRS_OK) return status;
    is_moved = is_moved || from != v_next;
    if (*n_contacts + c->n_scalars == 0) return SRS_OK;
    if (!take_left_out(c, step, is_moved, v_next, n_contacts)) break;
  }
  memcpy(v_next, c->v_trial, (size_t)step->model->nv * sizeof *v_next);
  srs_push_out_end(c, step);
  return SRS_OK;
}

// Removes the contacts of sides that were not chosen. Returns how many are left.
static int drop_left_out(struct srs_constraints *c, int n)
{
  if (c->n_groups == 0) return n;
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (!c->active[i].is_left_out) c->next_results[kept++] = c->next_results[i];
  if (c->n_groups > c->next.groups_max) c->next.groups_max = c->n_groups;
  return kept;
}

void srs_constraints_predict(struct srs_constraints *c, const srs_step_context *step)
{
  if (step->traits->is_mean && c->is_at_start && c->is_projected && c->collider != NULL) srs_record_start(c, step);
  srs_place_links(step->workspace, step->q);
  srs_move_links(step->workspace, step->predicted_motion);
  memcpy(c->predicted_motion, step->workspace->velocity, (size_t)step->model->n_links * sizeof *c->predicted_motion);
}

srs_status srs_constraints_step(struct srs_constraints *c, const srs_step_context *step,
                                struct srs_projector *projector, double *v_next)
{
  c->n_next = c->n_scalars = c->n_groups = c->n_candidates = 0;
  c->has_push = c->has_blows = false;
  c->deepest = 0;
  srs_restart_statistics(&c->statistics, &c->next);
  c->next.residual_last = c->next.infeasibility_last = 0;
  c->is_again = c->next.step_most_work > 0;
  if (srs_first_not_finite(v_next, step->model->nv) >= 0) return SRS_OK; // srs_sim_step names the entry
  if (c->collider != NULL || c->n_loop_rows > 0) {
    srs_move_links(step->workspace, step->v);
    memcpy(c->velocity_before, step->workspace->velocity, (size_t)step->model->n_links * sizeof *c->velocity_before);
    srs_move_links(step->workspace, v_next);
  }
  if (c->collider != NULL) srs_find_standing(c, step, v_next);
  int n = 0;
  srs_status status = c->collider != NULL ? srs_select_contacts(c, step, &n) : SRS_OK;
  if (status == SRS_OK) status = solve_rows(c, step, projector, &n, v_next);
  if (status != SRS_OK) return status;
  n = drop_left_out(c, n);
  if (n > 0) c->next.contact_steps++;
  if (n > c->next.contacts_max) c->next.contacts_max = n;
  c->next.bilateral_rows = 0;
  for (int i = 0; i < c->n_scalars; i++)
    c->next.bilateral_rows += c->scalars[i].kind == SCALAR_BILATERAL && c->scalars[i].softness == 0;
  if (c->n_scalars > c->next.rows_max) c->next.rows_max = c->n_scalars;
  c->n_next = n;
  return SRS_OK;
}
