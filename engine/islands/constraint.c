// What impulses act on a mechanism in a step, and what do they change?
//
//   rows      of contacts (contact_rows.c), of loops (loop_rows.c), of limits, dry friction and actuators
//   (joint_rows.c) problem   one for each island of rows that share moving trees (island.c): w = W lambda + b, solved
//   exactly, all
//             kinds of rows together (contact.h)
//   impacts   two-phase: solve, add e times the impulse where a contact came in faster than the threshold, and where
//             that violates a row solve once more from there; Poisson's: engine/islands/poisson.h. Bilateral and box
//             rows take part in the last solve, so they hold at its end
//   answer    v+ = v_free + M^-1 J^T lambda, by the pivots of the articulated sweep
//
// What a step finds is kept apart until the step is accepted, so that one that fails leaves everything as it was.
// (Mylapilli & Jain sec. 2.6-4.)

#include "engine/islands/constraint.h"
#include "collision/world/geometries.h"
#include "contact/algebra/semidefinite.h"
#include "contact/solve/solve.h"
#include "engine/islands/corners.h"
#include "engine/islands/island.h"
#include "engine/islands/poisson.h"
#include "engine/loops/projection.h"
#include "topology/base/errors.h"

#include <float.h>
#include <string.h>

// A pivot below this share of the usual one is looked at again.
static const double doubtful_share = 1e-3;

// ---------------------------------------------------------------------------------------------------------------------
// Warm start
// ---------------------------------------------------------------------------------------------------------------------

// The last step's impulse of the same features, along this step's directions. Both lists are sorted by shapes.
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
    for (int row = 0; row < 3; row++) impulse[row] = sign * dot(a->direction[row], v3_load(w->impulse));
    if (a->n_rows > 3) impulse[3] = w->spin;
    return true;
  }
  return false;
}

static bool warm_start(const srs_sim *sim, const island *is)
{
  const struct srs_constraints *c = sim->constraints;
  bool all = !c->is_cold;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    double *impulse = is->impulse + srs_row_of_contact(is, i);
    memset(impulse, 0, (size_t)a->n_rows * sizeof *impulse);
    all = recall(c, &c->candidates[a->candidate], a, impulse) && !a->bounces && all;
  }
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++) {
    const scalar_row *scalar = &c->scalars[is->scalars[i]];
    const double *last = sim->warm_rows + 2 * (size_t)scalar->slot; // whether the last step had it, and its impulse
    is->impulse[srs_row_of_scalar(is, i)] = last[1];
    all = all && (scalar->kind == SCALAR_BILATERAL || last[0] != 0);
  }
  return all;
}

// ---------------------------------------------------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------------------------------------------------

static const char *owner_of(const srs_sim *sim, const scalar_row *scalar)
{
  return scalar->subject == SRS_ROW_OF_LOOP ? srs_model_loop_name(sim->model, scalar->index)
                                            : sim->model->v_names[scalar->index];
}

// What the row belongs to, for messages.
static const char *title_of(const srs_sim *sim, const scalar_row *scalar, char text[96])
{
  srs_print(text, 96, "%s of '%.60s'", srs_row_source_name(scalar->source), owner_of(sim, scalar));
  return text;
}

static srs_status fail_at(srs_sim *sim, const island *is, srs_status status, const char *why)
{
  struct srs_constraints *c = sim->constraints;
  char a[96], b[96];
  if (is->n_contacts == 0)
    return srs_fail(&c->error, status, NULL, 0, 0, NULL, "the problem of %d rows, one the %s: %s", is->n,
                    title_of(sim, &c->scalars[is->scalars[0]], a), why);
  const srs_contact_point *first = &c->candidates[c->active[is->contacts[0]].candidate];
  return srs_fail(&c->error, status, NULL, 0, 0, NULL, "the problem of %d contacts, one between %s and %s: %s",
                  is->n_contacts, srs_shape_title(sim->model, first->shape_a, a),
                  srs_shape_title(sim->model, first->shape_b, b), why);
}

// What the row's sides move at by themselves, before they cancel.
static double speed_of(const srs_sim *sim, const srs_step_row *row)
{
  double sum = 0;
  for (int i = 0; i < row->n_sides; i++)
    sum += row->is_coordinate[i] ? fabs(row->coefficient[i] * sim->v[row->coordinate[i]])
                                 : fabs(v6_dot(row->wrench[i], sim->constraints->velocity_before[row->link[i]]));
  return sum;
}

// Rows of a loop that depend on others do so but for rounding, and as well as the loop is closed, 1e-12: they are left
// with that share of the speeds that they are differences of. Of a short step, which changes little, that is more than
// the solver's tolerance, and no failure of it: what they do is what they ask for.
static srs_status solve_beyond_rounding(srs_sim *sim, const island *is, const srs_contact_problem *problem,
                                        double *impulse, double *velocity, srs_contact_report *report)
{
  struct srs_constraints *c = sim->constraints;
  if (report->status == SRS_CONTACT_SOLVED || report->bilateral_rank == is->n_bilateral || problem->b != is->b)
    return SRS_OK;
  double speed = 0;
  for (int i = 0; i < is->n_bilateral; i++) speed = fmax(speed, speed_of(sim, &c->scalars[is->scalars[i]].row));
  if (!(report->bilateral <= 1e-12 * speed)) return SRS_OK;
  for (int i = 0; i < is->n_bilateral; i++) is->b[i] -= velocity[i];
  return srs_contact_solve(c->solver, problem, &sim->options.contact.solver, true, impulse, velocity, report);
}

static const double certain_speed = 1e-7; // that no row is asked about, in its own unit a second

// What a solve says of itself, into the statistics.
static srs_status take_report(srs_sim *sim, const island *is, const srs_contact_problem *problem, const double *impulse,
                              const srs_contact_report *report)
{
  struct srs_constraints *c = sim->constraints;
  if (report->status == SRS_CONTACT_NOT_FINITE)
    return fail_at(sim, is, SRS_ERROR_DIVERGED, "its velocities or inertias are beyond the finite numbers; lower dt");
  if (sim->watch != NULL) sim->watch(sim->watcher, problem, impulse, report);
  srs_sim_statistics *s = &c->next;
  s->solves++;
  s->iterations += report->iterations;
  if (report->iterations > s->iterations_max) s->iterations_max = report->iterations;
  if (report->residual > s->residual_max) s->residual_max = report->residual;
  if (report->residual > s->residual_last) s->residual_last = report->residual;
  if (report->status != SRS_CONTACT_SOLVED) s->failures++;
  c->is_certain = c->is_certain && report->status == SRS_CONTACT_SOLVED && report->bilateral <= certain_speed &&
                  report->unilateral <= certain_speed;
  c->rank = report->bilateral_rank;
  c->problem_pivot = report->bilateral_pivot;
  c->problem_weakest = report->bilateral_weakest;
  return SRS_OK;
}

static srs_status solve_problem(srs_sim *sim, const island *is, const srs_contact_problem *problem, bool is_warm,
                                double *impulse, double *velocity)
{
  struct srs_constraints *c = sim->constraints;
  srs_contact_report report;
  srs_status status =
      srs_contact_solve(c->solver, problem, &sim->options.contact.solver, is_warm, impulse, velocity, &report);
  while (status == SRS_ERROR_CAPACITY && is->has_blocks && !c->is_fixed) { // elimination fills more than there is room
    const srs_contact_sizes none = {0};
    if (srs_contact_solver_reserve_blocks(c->solver, &none, NULL) != SRS_OK) break;
    c->next.growths = ++c->statistics.growths;
    status = srs_contact_solve(c->solver, problem, &sim->options.contact.solver, is_warm, impulse, velocity, &report);
  }
  if (status == SRS_OK) status = solve_beyond_rounding(sim, is, problem, impulse, velocity, &report);
  if (status != SRS_OK) return fail_at(sim, is, status, srs_status_string(status));
  return take_report(sim, is, problem, impulse, &report);
}

// w = W impulse + b; returns whether a normal velocity or that of a unilateral row is negative beyond rounding.
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

// With sides of groups: those that are not chosen are no part of the island after it.
static srs_status solve_first(srs_sim *sim, island *is)
{
  const bool is_warm = warm_start(sim, is);
  if (sim->constraints->n_groups == 0 || !srs_has_groups(is)) {
    const srs_contact_problem problem = srs_island_problem(is, is->b, is->lower, is->upper);
    return solve_problem(sim, is, &problem, is_warm, is->impulse, is->velocity);
  }
  srs_contact_report report;
  const srs_status status = srs_choose_sides(sim, is_warm, is, &report);
  if (status != SRS_OK) return fail_at(sim, is, status, srs_status_string(status));
  const srs_contact_problem left = srs_island_problem(is, is->b, is->lower, is->upper);
  return take_report(sim, is, &left, is->impulse, &report);
}

// Two phases: the impulse of each bouncing contact grows by e, and what that pushes together is solved once more, with
// all that must hold exactly.
static srs_status bounce(srs_sim *sim, const island *is)
{
  const struct srs_constraints *c = sim->constraints;
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
  const srs_status status = solve_problem(sim, is, &problem, false, is->phase, is->velocity);
  for (int i = 0; i < is->n && status == SRS_OK; i++) is->impulse[i] += is->phase[i];
  return status;
}

// Poisson's: e times the normal impulse of each bouncing contact is given, and all else solved again.
static srs_status decompress(srs_sim *sim, const island *is)
{
  const srs_contact_problem first = srs_island_problem(is, is->b, is->lower, is->upper);
  const size_t bytes = (size_t)is->n * sizeof *is->impulse;
  srs_poisson second;
  if (!srs_poisson_begin(&first, is->impulse, is->velocity, is->restitution, is->rest, sim->constraints->second_rows,
                         &second))
    return SRS_OK;
  sim->constraints->is_certain = false; // together they are no problem that was certified
  for (int may_push = 0; may_push < 2; may_push++) {
    srs_poisson_make(&first, is->impulse, is->velocity, may_push, &second);
    const srs_status status = solve_problem(sim, is, &second.problem, false, second.impulse, second.velocity);
    if (status != SRS_OK) return status;
    memcpy(is->phase, is->impulse, bytes);
    srs_poisson_add(&second, is->phase);
    if (!srs_poisson_is_pressed(&first, &second, is->phase)) break;
  }
  memcpy(is->impulse, is->phase, bytes);
  return SRS_OK;
}

// Of the bilateral rows' velocities, each a sum of W_ij lambda_j <= sqrt(W_ii) sqrt(W_jj) |lambda_j|, the largest.
static double rounding_of(const island *is)
{
  double sum = 0, most = 0;
  for (size_t i = 0; i < (size_t)is->n; i++) sum += sqrt(*srs_island_diagonal(is, i)) * fabs(is->impulse[i]);
  for (size_t i = 0; i < (size_t)is->n_bilateral; i++) most = fmax(most, *srs_island_diagonal(is, i));
  return DBL_EPSILON / 2 * sqrt(most) * sum;
}

// By how much limits are passed all the same: the solver may give in there instead.
static double lacking_at_limits(const island *is)
{
  double worst = 0;
  for (int k = is->n_bilateral; k < is->n_bilateral + is->n_unilateral; k++)
    worst = fmax(worst, -srs_island_velocity(is, is->impulse, srs_row_of_scalar(is, k)));
  return worst;
}

// Bilateral rows that depend on each other may ask for what cannot be: then some do not hold. At a change point it is a
// row's turning within the step, a small share of the speeds, that the next steps take back; what contradicts is not.
// Where a limit, a contact or friction contradicts a row, impulses grow until velocities are lost in their rounding, or
// the limit is passed. Asked only where no certificate says that all hold.
static srs_status check_bilateral(srs_sim *sim, const island *is)
{
  struct srs_constraints *c = sim->constraints;
  double size = 0, worst = 0, speed = 0;
  int at = 0;
  for (int i = 0; i < is->n_bilateral; i++) {
    const double velocity = fabs(srs_island_velocity(is, is->impulse, i));
    size = fmax(size, fabs(is->b[i]));
    if (velocity > worst) worst = velocity, at = i;
  }
  worst = fmax(worst, fmax(rounding_of(is), lacking_at_limits(is)));
  if (!(worst > 1e-6 * size + certain_speed)) return SRS_OK;
  for (int i = 0; i < is->n_bilateral; i++) speed = fmax(speed, speed_of(sim, &c->scalars[is->scalars[i]].row));
  if (worst <= 0.01 * speed) return SRS_OK;
  char title[96];
  const scalar_row *scalar = &c->scalars[is->scalars[at]];
  return srs_fail(&c->error, SRS_ERROR_MODEL, NULL, 0, 0, owner_of(sim, scalar),
                  "the %s cannot be held beside the other rows of its mechanism: its velocity is left at %.3g, "
                  "its gap is %.3g",
                  title_of(sim, scalar, title), worst, scalar->gap);
}

// Beside those of loops, bilateral rows lock a coordinate or yield (loop joints); these depend on no other.
static bool holds_loop(const struct srs_constraints *c, const island *is, int i)
{
  return c->scalars[is->scalars[i]].source == SRS_ROW_LOOP;
}

static int loop_row_of(const struct srs_constraints *c, const island *is, int i)
{
  return c->scalars[is->scalars[i]].slot - JOINT_SLOTS * c->n_coordinates;
}

static double *diagonal_of(const struct srs_constraints *c, const island *is, int i)
{
  return &c->usual_diagonal[loop_row_of(c, is, i)];
}

// The last independent pivot of n loop rows, scaled by what their diagonals can be. A row that vanishes for a moment,
// while another says what it would, does not count: by its own diagonal it would look independent, or lost.
static double sure_pivot_of(const struct srs_constraints *c, const island *is, int n, int rank)
{
  const int stride = srs_dense_stride(n);
  double *line = c->pivot_matrix;
  for (int i = 0; i < is->n_bilateral; i++) {
    if (!holds_loop(c, is, i)) continue;
    int column = 0;
    for (int j = 0; j < is->n_bilateral; j++) {
      if (!holds_loop(c, is, j)) continue;
      const double scale = sqrt(*diagonal_of(c, is, i) * *diagonal_of(c, is, j));
      line[column++] = scale > 0 ? srs_island_entry(is, i, j) / scale : 0;
    }
    while (column < stride) line[column++] = 0;
    line += stride;
  }
  if (srs_semidefinite_factor(n, c->pivot_matrix, stride, c->pivot_order, 1e-14, line) < rank) return 0;
  return srs_semidefinite_pivot(c->pivot_matrix, stride, c->pivot_order, rank - 1);
}

static void note_pivot(struct srs_constraints *c, const island *is)
{
  int n = 0, yielding = 0;
  for (int i = 0; i < is->n_bilateral; i++) {
    yielding += c->scalars[is->scalars[i]].softness > 0;
    if (!holds_loop(c, is, i)) continue;
    double *usual = diagonal_of(c, is, i), own = *srs_island_diagonal(is, (size_t)i);
    if (own > *usual) *usual = own;
    n++;
  }
  const int rank = c->rank - (is->n_bilateral - n);
  c->next.bilateral_rank += c->rank - yielding;
  if (rank < 1 || c->problem_weakest < 0 || !holds_loop(c, is, c->problem_weakest)) return;
  if (c->is_at_change_point || c->problem_pivot < doubtful_share * c->usual_pivot)
    c->sure_pivot = fmin(c->sure_pivot, sure_pivot_of(c, is, n, rank));
  if (!(c->problem_pivot < c->pivot)) return;
  c->pivot = c->problem_pivot;
  c->pivot_loop = c->scalars[is->scalars[c->problem_weakest]].index;
}

static srs_status solve_island(srs_sim *sim, island *is)
{
  sim->constraints->is_certain = true;
  srs_status status = solve_first(sim, is);
  if (status != SRS_OK) return status;
  note_pivot(sim->constraints, is);
  switch (sim->options.contact.impact) {
  case SRS_IMPACT_TWO_PHASE: status = bounce(sim, is); break;
  case SRS_IMPACT_POISSON: status = decompress(sim, is); break;
  case SRS_IMPACT_NEWTON: break;
  }
  const bool is_certain = is->n_bilateral == 0 || sim->constraints->is_certain;
  return status == SRS_OK && !is_certain ? check_bilateral(sim, is) : status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The step
// ---------------------------------------------------------------------------------------------------------------------

static void keep_contacts(srs_sim *sim, const island *is)
{
  struct srs_constraints *c = sim->constraints;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    const double *f = is->impulse + srs_row_of_contact(is, i);
    srs_sim_contact *r = &c->next_results[is->contacts[i]];
    const v3 on_first = f[0] * a->direction[0] + f[1] * a->direction[1] + f[2] * a->direction[2];
    const v3 impulse = a->is_turned ? v3_zero - on_first : on_first;
    r->contact = c->candidates[a->candidate];
    r->friction = a->friction, r->restitution = a->restitution;
    memcpy(r->anisotropy, a->anisotropy, sizeof r->anisotropy);
    r->spin = a->n_rows > 3 ? f[3] : 0, r->torque = r->spin / sim->options.dt;
    v3_store(r->impulse, impulse);
    v3_store(r->force, impulse * (1 / sim->options.dt));
    for (int side = 0; side < 2; side++) {
      if (a->link[side] < 0) continue;
      v6 *on = &c->impulse[a->link[side]];
      for (int row = 0; row < a->n_rows; row++) *on = v6_add_scaled(*on, f[row], a->wrench[side][row]);
    }
  }
}

static void keep_scalars(srs_sim *sim, const island *is)
{
  struct srs_constraints *c = sim->constraints;
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++) {
    scalar_row *scalar = &c->scalars[is->scalars[i]];
    scalar->impulse = is->impulse[srs_row_of_scalar(is, i)];
    srs_row_push(&scalar->row, scalar->impulse, c->impulse, c->on_coordinates);
  }
}

// All loops in one island, with no other bilateral row: the projection behind the step can do with the solver's factor.
// Only where loops leave nothing free, though: elsewhere what a correction leaves depends on the metric, which would
// then not be the same for loops with dependent rows.
static void hand_to_projector(const srs_sim *sim, const island *is)
{
  const struct srs_constraints *c = sim->constraints;
  const srs_bilateral *factor = srs_contact_bilateral(c->solver);
  if (is->has_blocks || factor->rank != sim->model->nv || is->n_bilateral != c->n_loop_rows ||
      !holds_loop(c, is, is->n_bilateral - 1))
    return;
  srs_loop_diagonal diagonal = srs_no_diagonal();
  for (int i = 0; i < is->n_bilateral; i++)
    srs_note_diagonal(&diagonal, c->loop_rows[i].is_angular, *srs_island_diagonal(is, (size_t)i));
  if (srs_loops_are_sure(&diagonal, factor->rank, factor->least_pivot))
    srs_projector_take(sim->projector, c->loop_rows, factor);
}

static srs_status solve_islands(srs_sim *sim, int n_contacts, const double *v_free)
{
  struct srs_constraints *c = sim->constraints;
  const bool is_projected = c->n_loop_rows > 0 && sim->options.closure.projection && sim->workspace->embedding == NULL;
  if (is_projected) srs_projector_forget(sim->projector);
  memset(c->impulse, 0, (size_t)sim->model->n_links * sizeof *c->impulse);
  if (c->n_scalars > 0) memset(c->on_coordinates, 0, (size_t)sim->model->nv * sizeof *c->on_coordinates);
  for (int i = 0; i < n_contacts && c->n_groups > 0; i++) c->active[i].is_left_out = false;
  const int n_islands = srs_find_islands(c, n_contacts);
  for (int k = 0; k < n_islands; k++) {
    island is;
    srs_status status = srs_open_island(sim, k, v_free, &is);
    if (status == SRS_OK) status = solve_island(sim, &is);
    if (status != SRS_OK) return status;
    if (is_projected) hand_to_projector(sim, &is);
    keep_contacts(sim, &is);
    keep_scalars(sim, &is);
  }
  return SRS_OK;
}

// v_free is v_next until the response is added. A limit that only the other impulses break is put in, and all is solved
// again: at most as often as there are limits, in practice once.
static srs_status solve_rows(srs_sim *sim, const double *q, const double *v, int n_contacts, double *v_next)
{
  struct srs_constraints *c = sim->constraints;
  const int nv = sim->model->nv;
  for (int i = 0; i < c->n_coordinates; i++)
    c->coordinates[i].is_kept_from_lower = c->coordinates[i].is_kept_from_upper = false;
  for (int pass = 0; pass <= 2 * c->n_coordinates; pass++) {
    c->n_scalars = 0;
    c->next.bilateral_rank = 0;
    c->pivot = c->sure_pivot = INFINITY;
    if (c->n_loop_rows > 0) srs_add_loop_rows(sim, q, v);
    srs_add_joint_rows(sim, q, v, v_next);
    if (n_contacts + c->n_scalars == 0) return SRS_OK;
    const srs_status status = solve_islands(sim, n_contacts, v_next);
    if (status != SRS_OK) return status;
    srs_respond(sim->workspace, c->impulse, c->n_scalars > 0 ? c->on_coordinates : NULL, c->dv);
    if (c->n_coordinates == 0) break;
    for (int i = 0; i < nv; i++) c->v_trial[i] = v_next[i] + c->dv[i];
    if (!srs_find_broken_limits(sim, c->v_trial)) break;
    if (c->has_loop_joint_limits) srs_move_links(sim->workspace, v_next);
  }
  for (int i = 0; i < nv; i++) v_next[i] += c->dv[i];
  return SRS_OK;
}

// Sides that were not chosen are no contacts. Returns how many are left.
static int drop_left_out(struct srs_constraints *c, int n)
{
  if (c->n_groups == 0) return n;
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (!c->active[i].is_left_out) c->next_results[kept++] = c->next_results[i];
  if (c->n_groups > c->next.groups_max) c->next.groups_max = c->n_groups;
  return kept;
}

void srs_constraints_look_ahead(srs_sim *sim, const double *q)
{
  struct srs_constraints *c = sim->constraints;
  if (c == NULL || sim->ahead == NULL) return;
  srs_place_links(sim->workspace, q);
  srs_move_links(sim->workspace, sim->ahead);
  memcpy(c->velocity_ahead, sim->workspace->velocity, (size_t)sim->model->n_links * sizeof *c->velocity_ahead);
  if (srs_is_mean(sim->options.integrator)) c->n_starts = -1;
}

srs_status srs_constraints_step(srs_sim *sim, const double *q, const double *v, double *v_next)
{
  struct srs_constraints *c = sim->constraints;
  c->n_next = c->n_scalars = c->n_groups = 0;
  c->next = c->statistics;
  c->next.residual_last = c->next.infeasibility_last = 0;
  if (srs_first_not_finite(v_next, sim->model->nv) >= 0) return SRS_OK; // srs_sim_step says which
  if (c->collider != NULL || c->n_loop_rows > 0) {
    srs_move_links(sim->workspace, v);
    memcpy(c->velocity_before, sim->workspace->velocity, (size_t)sim->model->n_links * sizeof *c->velocity_before);
    srs_move_links(sim->workspace, v_next);
  }
  int n = 0;
  srs_status status = c->collider != NULL ? srs_select_contacts(sim, &n) : SRS_OK;
  if (status == SRS_OK) status = solve_rows(sim, q, v, n, v_next);
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
