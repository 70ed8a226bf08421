// Warm start of an island's solve: the last step's impulses of the same contact features and rows. Where the step is
// solved again since contacts were left out of the island, this step's answer; islands that have no new contact start
// as they did, and so end at the same bits.
//
// Where nothing in an island moves before the step, they usually are the answer. That is seen without W, for all such
// islands at once, by the pivots of the articulated sweep:
//
//   w = J (v_free + M^-1 J^T lambda) + shifts,   W_ii = f . Upsilon f of each side
//
// with the certificate of any other answer, and if what is left of v is rounding. So what rests costs no matrix and no
// solve.
//
// All of that is a function of the trees' q, v = 0 and v_free, what is added to their mass matrix, their contacts and
// the impulses. Where these are those of the last step, to the bit, so is the answer: the contacts stay as they are,
// and their island is settled without a look.

#include "engine/islands/warm_start.h"
#include "contact/problem/certificate.h"
#include "contact/problem/problem.h"
#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/mechanism.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Impulses of the last step
// ---------------------------------------------------------------------------------------------------------------------

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

// ---------------------------------------------------------------------------------------------------------------------
// Islands at rest
// ---------------------------------------------------------------------------------------------------------------------

static const double tolerance_share = 0.1; // what is taken again and again should be no worse than an answer
static const double rounding = 1e-10;      // m: what is deeper is pushed out, which takes W

static bool is_still(const srs_model *m, const double *v, int root)
{
  for (int i = root < 0 ? 0 : m->v_index[root]; root >= 0 && i < m->v_index[m->subtree_end[root]]; i++)
    if (v[i] != 0) return false;
  return true;
}

// Whether all rows are contacts' between different trees that do not move.
static bool rests(const struct srs_constraints *c, const double *v, const island *is)
{
  if (is->n != is->n_contact_rows || is->n_contacts == 0) return false;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    if (a->tree[0] == a->tree[1]) return false;
    for (int side = 0; side < 2; side++)
      if (!is_still(c->workspace->model, v, a->tree[side])) return false;
  }
  return true;
}

static size_t numbers_of(const island *is) { return 4 * (size_t)is->n + SRS_CONTACT_NUMBERS * (size_t)is->n_contacts; }

// b2 has the scales.  @return the end
static double *lay_out(const struct srs_constraints *c, island *is, double *at)
{
  const size_t n = (size_t)is->n;
  is->impulse = at, at += n;
  is->b = at, at += n;
  is->velocity = at, at += n;
  is->b2 = at, at += n;
  return srs_lay_out_contacts(c, is, at);
}

static bool *mark_of(const struct srs_constraints *c, int number)
{
  return &c->active[c->order[c->island_begin[number]]].is_settled;
}

// ---------------------------------------------------------------------------------------------------------------------
// What stands since the last step
// ---------------------------------------------------------------------------------------------------------------------

static bool has_changed(double *kept, const double *now, int from, int to)
{
  const size_t bytes = (size_t)(to - from) * sizeof *now;
  if (memcmp(kept + from, now + from, bytes) == 0) return false;
  memcpy(kept + from, now + from, bytes);
  return true;
}

void srs_find_standing(struct srs_constraints *c, const srs_step_context *step, const double *v_free)
{
  const srs_model *m = step->model;
  const bool may_stand = c->is_projected && !c->keeps_none && c->watch == NULL && step->predicted_motion == NULL &&
                         step->workspace->embedding == NULL;
  c->n_standing = may_stand ? c->n_left : 0;
  c->n_left = 0;
  for (int k = 0; k < m->n_links && may_stand; k = m->subtree_end[k]) {
    const int end = m->subtree_end[k], v = m->v_index[k], v_end = m->v_index[end];
    const int q_end = end < m->n_links ? m->q_index[end] : m->nq;
    c->stands[k] = is_still(m, step->v, k);
    if (!c->stands[k]) continue;
    const bool changes[3] = {has_changed(c->still_q, step->q, m->q_index[k], q_end),
                             has_changed(c->still_v, v_free, v, v_end),
                             has_changed(c->still_extra, step->extra, v, v_end)};
    c->stands[k] = !changes[0] && !changes[1] && !changes[2];
  }
}

// Whether all contacts of an island are kept, and were all of an island that was settled.
static bool is_kept(const struct srs_constraints *c, int number)
{
  const int *scalars = c->scalar_begin + (size_t)SCALAR_KINDS * (size_t)number;
  const int begin = c->island_begin[number], end = c->island_begin[number + 1];
  if (begin == end || scalars[0] != scalars[SCALAR_KINDS]) return false;
  for (int i = begin; i < end; i++)
    if (!c->active[c->order[i]].is_kept) return false;
  return c->active[c->order[begin]].n_settled == end - begin;
}

static void count_settled(struct srs_constraints *c, double residual)
{
  c->next.solves++;
  c->next.residual_max = fmax(c->next.residual_max, residual);
  c->next.residual_last = fmax(c->next.residual_last, residual);
}

static int settle_kept(struct srs_constraints *c, int n_islands)
{
  int n = 0;
  for (int k = 0; k < n_islands && c->n_standing > 0; k++) {
    if (!is_kept(c, k)) continue;
    *mark_of(c, k) = true;
    count_settled(c, c->active[c->order[c->island_begin[k]]].residual);
    n++;
  }
  return n;
}

// ---------------------------------------------------------------------------------------------------------------------
// What settles
// ---------------------------------------------------------------------------------------------------------------------

// Marks the islands that may have their answer, and adds it to the links' impulses.  @return whether there are any
static bool gather_resting(struct srs_constraints *c, const srs_step_context *step, int n_islands)
{
  double *at = c->problem, *end = c->problem + c->problem_room;
  bool any = false;
  for (int k = 0; k < n_islands; k++) {
    island is;
    if (c->n_standing > 0 && is_kept(c, k)) continue;
    srs_begin_island(c, k, &is);
    if (is.n_contacts == 0) continue;
    *mark_of(c, k) = false;
    for (int i = 0; i < is.n_contacts; i++) c->active[is.contacts[i]].is_kept = false;
    if (!rests(c, step->v, &is) || numbers_of(&is) > (size_t)(end - at)) continue;
    double *next = lay_out(c, &is, at);
    if (!srs_warm_start(c, step->state->warm_rows, &is)) continue;
    if (!any) memset(c->impulse, 0, (size_t)step->model->n_links * sizeof *c->impulse);
    any = *mark_of(c, k) = true;
    at = next;
    srs_fill_contacts(c, &is);
    for (int i = 0; i < is.n_contacts; i++)
      srs_push_links(c, &c->active[is.contacts[i]], is.impulse + srs_row_of_contact(&is, i));
  }
  return any;
}

// Rows' velocities after the impulses, and their scales.
static void fill_velocities(const struct srs_constraints *c, const island *is)
{
  const srs_workspace *w = c->workspace;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    const int at = srs_row_of_contact(is, i);
    for (int row = 0; row < a->n_rows; row++) {
      is->b2[at + row] = 0;
      is->velocity[at + row] = srs_contact_velocity(a, row, w->velocity) + (row < a->n_forces ? a->turn[row] : 0);
    }
    for (int side = 0; side < 2; side++)
      if (a->link[side] >= 0) srs_add_link_mobilities(w, a->link[side], a->wrench[side], a->n_rows, is->b2 + at);
    is->velocity[at] += a->shift;
    if (is->b2[at] > 0) continue;
    for (int row = 0; row < a->n_rows; row++) is->b[at + row] = is->velocity[at + row] = 0; // neither side can move
  }
}

double srs_speed_that_rounds(const srs_model *m, int link, double h, const double *v_free)
{
  const double share = 1e-13, least = 1e-17 / h;
  double before = 0;
  for (int i = m->v_index[link]; i < m->v_index[link + 1]; i++) before = fmax(before, fabs(v_free[i]));
  return fmax(share * before, least);
}

// Whether a tree's velocity after the impulses is rounding.
static bool stays(const struct srs_constraints *c, const srs_step_context *step, const double *v_free, int root)
{
  const srs_model *m = step->model;
  for (int k = root; root >= 0 && k < m->subtree_end[root]; k++) {
    const double least = srs_speed_that_rounds(m, k, step->options->dt, v_free);
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++)
      if (!(fabs(c->v_trial[i]) <= least)) return false;
  }
  return true;
}

// What the solver's tolerance lets pass would be a creep of what rests: impulses that are found again leave less.
static bool all_stay(const struct srs_constraints *c, const srs_step_context *step, const double *v_free,
                     const island *is)
{
  for (int i = 0; i < is->n_contacts; i++)
    for (int side = 0; side < 2; side++)
      if (!stays(c, step, v_free, c->active[is->contacts[i]].tree[side])) return false;
  return true;
}

static bool has_overlap(const struct srs_constraints *c, const srs_step_context *step, const island *is)
{
  const double share = step->traits->is_mean ? 0.5 * step->options->dt : step->options->dt;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    const double v = is->velocity[srs_row_of_contact(is, i)];
    if (!(a->gap + share * (v - a->shift - a->turn[0]) >= -rounding)) return true;
  }
  return false;
}

static bool is_answered(struct srs_constraints *c, const srs_step_context *step, const double *v_free, const island *is)
{
  active_contact *first = &c->active[is->contacts[0]];
  if (!all_stay(c, step, v_free, is)) return false;
  const srs_contact_problem problem = srs_island_problem(is, is->b, NULL, NULL);
  const double tolerance = step->options->contact.solver.tolerance;
  const srs_contact_form form = {.n = is->n, .tangents = is->anisotropy == NULL && is->has_two_tangents ? 2 : -1};
  srs_contact_report report = {0};
  fill_velocities(c, is);
  srs_contact_scales_of(&problem, &form, is->b2, 1, is->b2);
  const double size = srs_contact_size(is->n, is->b, is->b2);
  if (size == 0 || has_overlap(c, step, is)) return false;
  srs_contact_measure_velocities(&problem, &form, is->b2, size, NULL, is->impulse, is->velocity, &report);
  if (!(report.residual <= tolerance_share * tolerance)) return false;
  srs_contact_set_status(&problem, is->b2, size, tolerance, is->impulse, &report);
  if (report.status != SRS_CONTACT_SOLVED) return false;
  first->n_settled = is->n_contacts, first->residual = report.residual;
  count_settled(c, report.residual);
  return true;
}

// Lets the gathered impulses act.  @return how many islands have their answer
static int settle_gathered(struct srs_constraints *c, const srs_step_context *step, int n_islands, const double *v_free)
{
  srs_workspace *w = step->workspace;
  srs_find_mobilities(w, c->v_trial);
  srs_respond(w, c->impulse, NULL, c->dv);
  for (int i = 0; i < step->model->nv; i++) c->v_trial[i] = v_free[i] + c->dv[i];
  srs_move_links(w, c->v_trial);
  double *at = c->problem;
  int n = 0;
  for (int k = 0; k < n_islands; k++) {
    island is;
    if (c->n_standing > 0 && is_kept(c, k)) continue;
    srs_begin_island(c, k, &is);
    if (is.n_contacts == 0 || !*mark_of(c, k)) continue;
    at = lay_out(c, &is, at);
    *mark_of(c, k) = is_answered(c, step, v_free, &is);
    n += *mark_of(c, k);
    for (int i = 0; i < is.n_contacts && *mark_of(c, k); i++) {
      active_contact *a = &c->active[is.contacts[i]];
      memcpy(a->answer, is.impulse + srs_row_of_contact(&is, i), (size_t)a->n_rows * sizeof *a->answer);
    }
  }
  srs_move_links(w, v_free);
  return n;
}

bool srs_settle_islands(struct srs_constraints *c, const srs_step_context *step, int n_islands, const double *v_free)
{
  c->has_response = false;
  if (c->collider == NULL || !c->is_projected || c->n_groups > 0 || step->workspace->embedding != NULL ||
      srs_contact_method_has_polyhedron(step->options->contact.solver.method))
    return false;
  const int n_kept = settle_kept(c, n_islands);
  if (n_kept == n_islands || !gather_resting(c, step, n_islands)) return n_kept > 0;
  const int n_settled = settle_gathered(c, step, n_islands, v_free);
  c->has_response = n_settled == n_islands && c->n_scalars == 0;
  return n_kept + n_settled > 0;
}
