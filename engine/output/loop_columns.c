// How well do loops hold, and where do loop joints stand? Columns of a trajectory.
//
// For each loop the length of its gaps and of what its rows' velocities are off, linear or angular, the larger number;
// for revolute and prismatic closures the coordinate that they leave free, and its rate.

#include "engine/output/loop_columns.h"
#include "topology/base/text.h"

#include <string.h>

static bool has_coordinate(const srs_closure *closure)
{
  return closure != NULL && (closure->kind == SRS_CLOSURE_REVOLUTE || closure->kind == SRS_CLOSURE_PRISMATIC);
}

static bool add_column(srs_arena *arena, srs_loop_columns *c, const char *loop, const char *what, const char *unit)
{
  const char *name = srs_text_join(arena, "loop:", loop, what);
  c->names[c->n_columns] = name;
  c->units[c->n_columns++] = unit;
  return name != NULL;
}

static bool name_columns(srs_arena *arena, const srs_model *model, srs_loop_columns *c)
{
  bool is_good = true;
  for (int i = 0; i < srs_model_n_loops(model) && is_good; i++) {
    const char *loop = srs_model_loop_name(model, i);
    const srs_closure *closure = srs_model_closure(model, i);
    const srs_coupling *coupling = srs_model_coupling(model, i - srs_model_n_closures(model));
    const bool turns = closure != NULL ? (closure->rows & 0x7) != 0 : coupling->is_angle;
    const bool travels = closure != NULL ? closure->kind == SRS_CLOSURE_ROD || (closure->rows & 0x38) != 0 : !turns;
    const char *unit = turns && travels ? "m or rad" : turns ? "rad" : "m";
    const char *rate = turns && travels ? "m/s or rad/s" : turns ? "rad/s" : "m/s";
    is_good = add_column(arena, c, loop, ":gap", unit) && add_column(arena, c, loop, ":speed", rate);
    if (!is_good || !has_coordinate(closure)) continue;
    const bool is_joint = closure->kind == SRS_CLOSURE_REVOLUTE;
    is_good = add_column(arena, c, loop, is_joint ? ":angle" : ":travel", is_joint ? "rad" : "m") &&
              add_column(arena, c, loop, ":rate", is_joint ? "rad/s" : "m/s");
  }
  return is_good;
}

srs_status srs_loop_columns_make(srs_arena *arena, srs_sim *sim, srs_loop_columns *c, srs_error *error)
{
  const srs_model *model = srs_sim_model(sim);
  const size_t n = (size_t)srs_model_n_loops(model), n_rows = (size_t)srs_model_n_loop_rows(model);
  *c = (srs_loop_columns){.time = NAN};
  c->names = srs_arena_take(arena, 4 * n, sizeof *c->names);
  c->units = srs_arena_take(arena, 4 * n, sizeof *c->units);
  c->values = srs_arena_take(arena, 4 * n, sizeof *c->values);
  c->gap2 = srs_arena_take(arena, 4 * n, sizeof *c->gap2);
  c->rows = srs_arena_take(arena, n_rows, sizeof *c->rows);
  const bool has_memory =
      c->names != NULL && c->units != NULL && c->values != NULL && c->gap2 != NULL && c->rows != NULL;
  if (has_memory && name_columns(arena, model, c)) return SRS_OK;
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the loop columns");
}

// Squares of gaps and of velocities that are off: linear and angular gap, linear and angular speed of each loop.
static void sum_squares(srs_loop_columns *c, const srs_workspace *w, const double *q, const double *v, double time)
{
  const int n = srs_closure_rows(w, q, time, c->rows);
  memset(c->gap2, 0, 4 * (size_t)srs_model_n_loops(w->model) * sizeof *c->gap2);
  for (int i = 0; i < n; i++) {
    const srs_closure_row *row = &c->rows[i];
    const double off = srs_row_velocity(&row->row, w->velocity, v) - row->rate;
    double *of_loop = c->gap2 + 4 * (size_t)row->closure + row->is_angular;
    of_loop[0] += row->gap * row->gap;
    of_loop[2] += off * off;
  }
}

void srs_loop_columns_fill(srs_loop_columns *c, srs_sim *sim)
{
  const srs_workspace *w = srs_sim_workspace(sim);
  const double time = srs_sim_time(sim), passed = time - c->time;
  sum_squares(c, w, srs_sim_q(sim), srs_sim_v(sim), time);
  double *at = c->values;
  for (int i = 0; i < srs_model_n_loops(w->model); i++) {
    const double *square = c->gap2 + 4 * (size_t)i;
    *at++ = sqrt(fmax(square[0], square[1]));
    *at++ = sqrt(fmax(square[2], square[3]));
    if (!has_coordinate(srs_model_closure(w->model, i))) continue;
    double value, rate;
    srs_closure_coordinate(w, i, 0, &value, &rate);
    const double near = isnan(passed) ? 0 : at[0] + 0.5 * (at[1] + rate) * passed;
    srs_closure_coordinate(w, i, near, &value, &rate);
    *at++ = value;
    *at++ = rate;
  }
  c->time = time;
}
