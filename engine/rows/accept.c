// Accepts a step's constraints: its contacts, rows and loop wrenches become those of the last step, for queries and
// warm starts. Also detects whether loops passed a change point.

#include "engine/rows/accept.h"
#include "engine/rows/statistics.h"
#include "topology/base/errors.h"

#include <string.h>

// Adds a row's force to the wrench of its loop.
static void add_to_wrench(const struct srs_constraints *c, int loop, const srs_step_row *row, double force)
{
  v6 *wrench = &c->loop_wrench[loop];
  for (int side = 0; side < row->n_sides; side++)
    if (!row->is_coordinate[side] && row->link[side] == srs_link_of_loop(c->workspace->model, loop))
      *wrench = v6_add_scaled(*wrench, force, row->wrench[side]);
}

static void keep_loop_wrenches(const struct srs_constraints *c, double dt, bool has_loop_joint_actuator)
{
  for (int i = 0; i < srs_model_n_loops(c->workspace->model); i++) c->loop_wrench[i] = v6_zero;
  for (int i = 0; i < c->n_scalars; i++) {
    const scalar_row *s = &c->scalars[i];
    if (s->subject == SRS_ROW_OF_LOOP) add_to_wrench(c, s->index, &s->row, s->impulse / dt);
  }
  for (int k = c->n_joint_coordinates; k < c->n_coordinates && has_loop_joint_actuator; k++) {
    const joint_coordinate *at = &c->coordinates[k];
    if (at->subject == SRS_ROW_OF_LOOP && at->has_plan) add_to_wrench(c, at->closure, &at->row, at->plan.base / dt);
  }
}

static void accept_rows(struct srs_constraints *c, double dt, srs_sim_state *state)
{
  memset(state->warm_rows, 0, 2 * (size_t)c->n_slots * sizeof *state->warm_rows);
  for (int i = 0; i < c->n_scalars; i++) {
    const scalar_row *s = &c->scalars[i];
    double *last = state->warm_rows + 2 * (size_t)s->slot;
    last[0] = 1, last[1] = s->impulse;
    c->row_results[i] =
        (srs_sim_row){s->source, s->subject, s->index, s->row_of_loop, s->gap, s->impulse, s->impulse / dt};
  }
  c->n_row_results = c->n_scalars;
  keep_loop_wrenches(c, dt, *state->inputs.has_loop_joint_actuator != 0);
}

// Pivots grow with the square of the angle to a change point. A change point that is passed at speed is met within half
// a step at best. The first bound is the pivot left there at 30 rad/s and 1 ms: a passage begins below it, and ends
// well above.
static const double begin_of_passage = 3e-4, end_of_passage = 3e-3;

static void note_change_point(struct srs_constraints *c, double time)
{
  const int rank = c->next.bilateral_rank;
  if (c->n_loop_rows == 0 || rank == 0 || c->pivot == INFINITY) return;
  if (rank > c->largest_rank && c->largest_rank > 0 && !c->is_at_change_point) { // it was at one until now
    c->next.change_points++;
    c->next.change_point_loop = c->pivot_loop;
    c->next.change_point_time = time;
    c->next.change_point_rank = c->largest_rank;
    c->is_at_change_point = true;
  }
  if (rank > c->largest_rank) c->largest_rank = rank;
  if (c->pivot > c->largest_pivot) c->largest_pivot = c->pivot;
  const bool is_near =
      rank < c->largest_rank || c->scaled_pivot < (c->is_at_change_point ? end_of_passage : begin_of_passage);
  if (is_near && !c->is_at_change_point) {
    c->next.change_points++;
    c->next.change_point_loop = c->pivot_loop;
    c->next.change_point_time = time;
    c->next.change_point_rank = rank;
  }
  c->is_at_change_point = is_near;
}

void srs_constraints_accept(struct srs_constraints *c, double dt, srs_sim_state *state)
{
  srs_sim_contact *const results = c->next_results;
  c->next_results = c->results;
  c->results = results;
  c->has_same_warm = c->n_next == c->n_warm;
  bool any_rests = false;
  for (int i = 0; i < c->n_next; i++) {
    const srs_sim_contact *r = &results[i];
    const warm_contact warm = {
        r->contact.shape_a,   r->contact.shape_b,
        r->contact.feature,   {r->impulse[0], r->impulse[1], r->impulse[2]},
        r->torsional_impulse, {r->rolling_impulse[0], r->rolling_impulse[1], r->rolling_impulse[2]}};
    const bool rests = c->n_groups == 0 && c->active[i].has_rested;
    const void *now = &warm, *last = &c->warm[i]; // to the bit: they have no padding
    const bool is_same = (rests || c->has_same_warm) && i < c->n_warm && memcmp(now, last, sizeof warm) == 0;
    c->active[i].has_rested = rests && is_same;
    any_rests = any_rests || c->active[i].has_rested;
    c->has_same_warm = c->has_same_warm && is_same;
    c->warm[i] = warm;
  }
  c->n_results = c->n_warm = c->n_next;
  c->n_left = any_rests ? c->n_next : 0;
  if (c->n_slots > 0) accept_rows(c, dt, state);
  note_change_point(c, *state->time);
  c->statistics = c->next;
}

void srs_constraints_forget(struct srs_constraints *c, srs_sim_state *state)
{
  c->n_results = c->n_warm = c->n_row_results = c->n_left = 0;
  for (int i = 0; i < srs_model_n_loops(c->workspace->model); i++) c->loop_wrench[i] = v6_zero;
  if (c->n_slots > 0) memset(state->warm_rows, 0, 2 * (size_t)c->n_slots * sizeof *state->warm_rows);
  c->statistics.residual_last = c->statistics.infeasibility_last = 0;
  srs_start_work(&c->statistics);
  c->largest_pivot = 0;
  c->largest_rank = 0;
  c->is_at_change_point = false;
  for (int i = 0; i < c->n_loop_rows; i++) c->largest_diagonal[i] = 0;
}
