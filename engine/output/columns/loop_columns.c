// Loop columns of a trajectory: how well do loops hold, and where do loop joints stand?
//
// For each loop the length of its gap and of the error of its rows' velocities, linear or angular, whichever number is
// larger; for revolute and prismatic closures the coordinate that they leave free, and its rate.

#include "engine/loops/closure.h"
#include "engine/output/columns/column_sources.h"

#include <math.h>
#include <string.h>

typedef struct loop_state {
  srs_closure_row *rows; // n_loop_rows: scratch
  double *square;        // 4 n_loops: linear and angular gap, linear and angular speed of each
} loop_state;

static bool name_columns(srs_arena *arena, const srs_model *model, srs_columns *c)
{
  bool is_good = true;
  for (int i = 0; i < srs_model_n_loops(model) && is_good; i++) {
    const char *loop = srs_model_loop_name(model, i);
    const srs_closure *closure = srs_model_closure(model, i);
    const srs_coupling *coupling = srs_model_coupling(model, i - srs_model_n_closures(model));
    const bool is_scalar = closure == NULL || closure->kind == SRS_CLOSURE_TENDON;
    const bool turns = closure == NULL ? coupling->is_angle
                       : is_scalar     ? srs_closure_turns(closure)
                                       : (closure->rows & 0x7) != 0;
    const bool travels = is_scalar ? !turns : closure->kind == SRS_CLOSURE_ROD || (closure->rows & 0x38) != 0;
    const char *unit = turns && travels ? "m or rad" : turns ? "rad" : "m";
    const char *rate = turns && travels ? "m/s or rad/s" : turns ? "rad/s" : "m/s";
    is_good = srs_columns_add(arena, c, "loop:", loop, ":gap", unit) &&
              srs_columns_add(arena, c, "loop:", loop, ":speed", rate);
    if (!is_good || !srs_closure_has_coordinate(closure)) continue;
    const bool is_joint = srs_closure_turns(closure);
    is_good = srs_columns_add(arena, c, "loop:", loop, is_joint ? ":angle" : ":travel", is_joint ? "rad" : "m") &&
              srs_columns_add(arena, c, "loop:", loop, ":rate", is_joint ? "rad/s" : "m/s");
  }
  return is_good;
}

srs_status srs_loop_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const srs_model *model = srs_sim_model(sim);
  const size_t n = (size_t)srs_model_n_loops(model), n_rows = (size_t)srs_model_n_loop_rows(model);
  bool is_good = srs_columns_reserve(arena, c, 4 * n, sizeof(loop_state));
  loop_state *s = c->state;
  if (is_good) {
    s->square = srs_arena_take(arena, 4 * n, sizeof *s->square);
    s->rows = srs_arena_take(arena, n_rows, sizeof *s->rows);
    is_good = s->square != NULL && s->rows != NULL;
  }
  return srs_columns_made(is_good && name_columns(arena, model, c), "loop columns", error);
}

// Squares of gaps and of velocity errors.
static void sum_squares(loop_state *s, const srs_workspace *w, const double *q, const double *v, double time)
{
  const int n = srs_closure_rows(w, q, time, s->rows);
  memset(s->square, 0, 4 * (size_t)srs_model_n_loops(w->model) * sizeof *s->square);
  for (int i = 0; i < n; i++) {
    const srs_closure_row *row = &s->rows[i];
    const double off = srs_row_velocity(&row->row, w->velocity, v) - row->rate;
    double *of_loop = s->square + 4 * (size_t)row->closure + row->is_angular;
    of_loop[0] += row->gap * row->gap;
    of_loop[2] += off * off;
  }
}

srs_status srs_loop_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  loop_state *s = c->state;
  const srs_workspace *w = srs_sim_workspace(sim);
  const double time = srs_sim_time(sim), passed = time - c->filled_at;
  sum_squares(s, w, srs_sim_q(sim), srs_sim_v(sim), time);
  double *at = c->values;
  for (int i = 0; i < srs_model_n_loops(w->model); i++) {
    const double *square = s->square + 4 * (size_t)i;
    *at++ = sqrt(fmax(square[0], square[1]));
    *at++ = sqrt(fmax(square[2], square[3]));
    if (!srs_closure_has_coordinate(srs_model_closure(w->model, i))) continue;
    double value, rate;
    srs_free_coordinate(w, srs_sim_q(sim), srs_sim_v(sim), i, 0, &value, &rate);
    const double near = isnan(passed) ? 0 : at[0] + 0.5 * (at[1] + rate) * passed;
    srs_free_coordinate(w, srs_sim_q(sim), srs_sim_v(sim), i, near, &value, &rate);
    *at++ = value;
    *at++ = rate;
  }
  return SRS_OK;
}
