// Warm start of an island's solve: the last step's impulses of the same contact features and rows. Where the step is
// solved again since contacts were left out of the island, this step's answer; islands that have no new contact start
// as they did, and so end at the same bits.

#include "engine/islands/warm_start.h"

#include <string.h>

// Finds the last step's impulse of the same features, along this step's directions. Both lists are sorted by shapes.
static bool recall(const struct srs_constraints *c, const srs_contact_point *contact, const active_contact *a,
                   double *impulse)
{
  int low = 0, high = c->n_warm;
  while (low < high) {
    const int middle = (low + high) / 2;
    const warm_contact *w = &c->warm[middle];
    if (w->shape_a < contact->shape_a || (w->shape_a == contact->shape_a && w->shape_b < contact->shape_b))
      low = middle + 1;
    else
      high = middle;
  }
  const double sign = a->is_turned ? -1 : 1;
  for (int i = low; i < c->n_warm; i++) {
    const warm_contact *w = &c->warm[i];
    if (w->shape_a != contact->shape_a || w->shape_b != contact->shape_b) return false;
    if (w->feature != contact->feature) continue;
    for (int row = 0; row < a->n_forces; row++) impulse[row] = sign * dot(a->direction[row], v3_load(w->impulse));
    for (int row = a->n_forces; row < a->n_rows; row++) {
      const int axis = srs_torque_direction(a, row);
      impulse[row] = axis == 0 ? w->torsional_impulse : sign * dot(a->direction[axis], v3_load(w->rolling_impulse));
    }
    return true;
  }
  return false;
}

bool srs_warm_start(const struct srs_constraints *c, const double *warm_rows, const island *is)
{
  bool all = !c->is_cold, has_new = false;
  for (int i = 0; i < is->n_contacts; i++) has_new = has_new || !c->active[is->contacts[i]].has_answer;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    double *impulse = is->impulse + srs_row_of_contact(is, i);
    memset(impulse, 0, (size_t)a->n_rows * sizeof *impulse);
    if (has_new && a->has_answer) {
      memcpy(impulse, a->answer, (size_t)a->n_rows * sizeof *impulse);
      continue;
    }
    all = recall(c, &c->candidates[a->candidate], a, impulse) && !a->bounces && all;
  }
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++) {
    const scalar_row *scalar = &c->scalars[is->scalars[i]];
    const double *last = warm_rows + 2 * (size_t)scalar->slot; // whether the last step had the row, and its impulse
    is->impulse[srs_row_of_scalar(is, i)] = last[1];
    all = all && (scalar->kind == SCALAR_BILATERAL || last[0] != 0);
  }
  return all;
}
