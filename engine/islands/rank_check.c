// Checks the bilateral rows of an island: which depend on each other, and whether all of them hold. Loops can be
// redundant, and can pass change points, where rows that are independent elsewhere nearly depend on each other.

#include "engine/islands/rank_check.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/semidefinite.h"
#include "engine/dynamics/recursion.h"
#include "engine/islands/row_title.h"
#include "engine/state/step_context.h"
#include "topology/base/errors.h"

#include <float.h>
#include <math.h>

// A pivot below this share of the largest one yet is examined again.
static const double doubtful_share = 1e-3;

// Rows at smaller angles to the others count as dependent (contact.h, bilateral_rank).
static const double dependent_angle = 1e-6;

// The speeds of a row's sides, before they cancel.
double srs_own_speed(const struct srs_constraints *c, const srs_sim_state *state, const srs_step_row *row)
{
  double sum = 0;
  for (int i = 0; i < row->n_sides; i++)
    sum += row->is_coordinate[i] ? fabs(row->coefficient[i] * state->v[row->coordinate[i]])
                                 : fabs(v6_dot(row->wrench[i], c->velocity_before[row->link[i]]));
  return sum;
}

// |v|^2 in the metric of kinetic energy, the larger of the step's start and of v_free.
static double square_of_motion(const struct srs_constraints *c, const srs_step_context *step)
{
  const srs_model *m = step->model;
  const srs_workspace *w = step->workspace;
  double before = 0, free = 0;
  for (int k = 0; k < m->n_links; k++) {
    const body b = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
    before += v6_dot(c->velocity_before[k], body_momentum(&b, c->velocity_before[k]));
    free += v6_dot(w->velocity[k], body_momentum(&b, w->velocity[k]));
  }
  for (int i = 0; i < m->nv; i++) before += m->armature[i] * step->v[i] * step->v[i];
  return fmax(before, free);
}

double srs_dependent_speed(const struct srs_constraints *c, const srs_step_context *step, const island *is)
{
  double most = 0;
  for (size_t i = 0; i < (size_t)is->n_bilateral; i++) most = fmax(most, *srs_island_diagonal(is, i));
  return dependent_angle * sqrt(most * square_of_motion(c, step));
}

// The rounding of the bilateral rows' velocities, the largest: each is a sum of W_ij lambda_j <= sqrt(W_ii) sqrt(W_jj)
// |lambda_j|.
static double rounding_of(const island *is)
{
  double sum = 0, most = 0;
  for (size_t i = 0; i < (size_t)is->n; i++) sum += sqrt(*srs_island_diagonal(is, i)) * fabs(is->impulse[i]);
  for (size_t i = 0; i < (size_t)is->n_bilateral; i++) most = fmax(most, *srs_island_diagonal(is, i));
  return DBL_EPSILON / 2 * sqrt(most) * sum;
}

// The largest violation of a limit: the solver may give way there instead.
static double limit_violation(const island *is)
{
  double worst = 0;
  for (int k = is->n_bilateral; k < is->n_bilateral + is->n_unilateral; k++)
    worst = fmax(worst, -srs_island_velocity(is, is->impulse, srs_row_of_scalar(is, k)));
  return worst;
}

// Bilateral rows that depend on each other may contradict, and then some do not hold. At a change point the error is a
// row's rotation within the step, a small share of the speeds, and the next steps correct it; a contradiction is
// larger. Where a limit, a contact or friction contradicts a row, impulses grow until velocities are lost in their
// rounding, or the limit is exceeded. Called only where no certificate says that all rows hold.
srs_status srs_check_bilateral(struct srs_constraints *c, const srs_step_context *step, const island *is)
{
  double size = 0, worst = 0, speed = 0;
  int at = 0;
  for (int i = 0; i < is->n_bilateral; i++) {
    const double velocity = fabs(srs_island_velocity(is, is->impulse, i));
    size = fmax(size, fabs(is->b[i]));
    if (velocity > worst) worst = velocity, at = i;
  }
  worst = fmax(worst, fmax(rounding_of(is), limit_violation(is)));
  if (!(worst > 1e-6 * size + SRS_CERTAIN_SPEED)) return SRS_OK;
  for (int i = 0; i < is->n_bilateral; i++)
    speed = fmax(speed, srs_own_speed(c, step->state, &c->scalars[is->scalars[i]].row));
  if (worst <= 0.01 * speed) return SRS_OK;
  char title[96];
  const scalar_row *scalar = &c->scalars[is->scalars[at]];
  return srs_fail(&c->error, SRS_ERROR_MODEL, NULL, 0, 0, srs_scalar_owner(step->model, scalar),
                  "the %s cannot be held beside the other rows of its mechanism: its velocity is left at %.3g, "
                  "its gap is %.3g",
                  srs_scalar_title(step->model, scalar, title), worst, scalar->gap);
}

// Bilateral rows that are not of loops lock a coordinate or are compliant (loop joints); these depend on no other.
bool srs_holds_loop(const struct srs_constraints *c, const island *is, int i)
{
  return c->scalars[is->scalars[i]].source == SRS_ROW_LOOP;
}

static int loop_row_of(const struct srs_constraints *c, const island *is, int i)
{
  return c->scalars[is->scalars[i]].slot - JOINT_SLOTS * c->n_coordinates;
}

static double *diagonal_of(const struct srs_constraints *c, const island *is, int i)
{
  return &c->largest_diagonal[loop_row_of(c, is, i)];
}

// The last independent pivot of n loop rows, scaled by their largest diagonals. A row that vanishes for a moment while
// another takes its place does not count: scaled by its own present diagonal it would look independent, or lost.
static double scaled_pivot_of(const struct srs_constraints *c, const island *is, int n, int rank)
{
  const int stride = srs_dense_stride(n);
  double *line = c->pivot_matrix;
  for (int i = 0; i < is->n_bilateral; i++) {
    if (!srs_holds_loop(c, is, i)) continue;
    int column = 0;
    for (int j = 0; j < is->n_bilateral; j++) {
      if (!srs_holds_loop(c, is, j)) continue;
      const double scale = sqrt(*diagonal_of(c, is, i) * *diagonal_of(c, is, j));
      line[column++] = scale > 0 ? srs_island_entry(is, i, j) / scale : 0;
    }
    while (column < stride) line[column++] = 0;
    line += stride;
  }
  if (srs_semidefinite_factor(n, c->pivot_matrix, stride, c->pivot_order, 1e-14, line) < rank) return 0;
  return srs_semidefinite_pivot(c->pivot_matrix, stride, c->pivot_order, rank - 1);
}

void srs_record_pivot(struct srs_constraints *c, const island *is)
{
  int n = 0, yielding = 0;
  for (int i = 0; i < is->n_bilateral; i++) {
    yielding += c->scalars[is->scalars[i]].softness > 0;
    if (!srs_holds_loop(c, is, i)) continue;
    double *usual = diagonal_of(c, is, i), own = *srs_island_diagonal(is, (size_t)i);
    if (own > *usual) *usual = own;
    n++;
  }
  const int rank = c->rank - (is->n_bilateral - n);
  c->next.bilateral_rank += c->rank - yielding;
  if (rank < 1 || c->problem_weakest < 0 || !srs_holds_loop(c, is, c->problem_weakest)) return;
  if (c->is_at_change_point || c->problem_pivot < doubtful_share * c->largest_pivot)
    c->scaled_pivot = fmin(c->scaled_pivot, scaled_pivot_of(c, is, n, rank));
  if (!(c->problem_pivot < c->pivot)) return;
  c->pivot = c->problem_pivot;
  c->pivot_loop = c->scalars[is->scalars[c->problem_weakest]].index;
}
