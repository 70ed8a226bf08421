// Bilateral constraint rows of loops: closures, couplings and prescribed motions.
//
//   semi-implicit Euler   G v+ = U(t + h), G at q
//                         (implicit: at q+)
//   Moreau midpoint       G (v + v+) / 2 = U(t + h/2), G at q^m: rows on the mean velocity do no work in the step, so
//                         the scheme keeps its order, and v+ satisfies the loops' rows at q+ to O(h^2)
//
// With the projection of q+ (loops/projection.c) there is no gap to begin with. Without it, gamma Theta / h is added,
// the error reduction, Theta the gap at the configuration of the matrices, which is then of order h^2 (mathematics:
// docs/theory.md).

#include "engine/rows/loop_rows.h"
#include "engine/loops/embedding.h"
#include "engine/state/step_context.h"
#include "topology/base/errors.h"

// The prescribed rate of each row at a time.
static void rates_at(const srs_model *m, double time, double *rates)
{
  for (int i = 0, row = 0; i < m->n_closures; row += m->closures[i++].n_rows) {
    const srs_closure *c = &m->closures[i];
    for (int k = 0; k < c->n_rows; k++) rates[row + k] = 0;
    if (c->motion.kind != SRS_MOTION_NONE) srs_motion_at(&c->motion, time, &rates[row + c->motion_row]);
  }
  double *of_coupling = rates + m->n_loop_rows - m->n_couplings;
  for (int i = 0; i < m->n_couplings; i++) srs_motion_at(&m->couplings[i].motion, time, &of_coupling[i]);
}

void srs_add_loop_rows(struct srs_constraints *c, const srs_step_context *step)
{
  const srs_closure_settings *o = &step->options->closure;
  const bool is_mean = step->traits->is_mean;
  const double h = step->options->dt, time = *step->state->time + (is_mean                          ? 0.5 * h
                                                                   : step->predicted_motion != NULL ? h
                                                                                                    : 0);
  srs_closure_row *rows = c->loop_rows;
  if (!is_mean) rates_at(step->model, time + h, c->loop_rates);
  const int n = srs_closure_rows(step->workspace, step->q, time, rows);
  for (int i = 0; i < n; i++) {
    if (srs_loop_is_embedded(step->model, rows[i].closure)) continue;
    scalar_row *scalar = &c->scalars[c->n_scalars++];
    const double at_start = is_mean ? srs_row_velocity(&rows[i].row, c->velocity_before, step->v) : 0;
    srs_row_copy(&rows[i].row, &scalar->row);
    scalar->kind = SCALAR_BILATERAL;
    scalar->source = SRS_ROW_LOOP;
    scalar->subject = SRS_ROW_OF_LOOP;
    scalar->index = rows[i].closure;
    scalar->sign = 1;
    scalar->row_of_loop = i > 0 && rows[i - 1].closure == rows[i].closure ? scalar[-1].row_of_loop + 1 : 0;
    scalar->slot = JOINT_SLOTS * c->n_coordinates + i;
    scalar->gap = rows[i].gap;
    scalar->shift = is_mean ? at_start - 2 * rows[i].rate : -c->loop_rates[i];
    scalar->softness = scalar->lower = scalar->upper = scalar->impulse = 0;
    scalar->is_pushed = false;
    if (step->predicted_motion != NULL) { // the gap at an explicit scheme's configuration
      scalar->gap -= srs_row_velocity(&rows[i].row, c->predicted_motion, step->predicted_motion);
      if (!is_mean) scalar->gap += h * c->loop_rates[i];
    }
    if (!o->projection) scalar->shift += o->error_reduction * scalar->gap / h;
  }
}
