// Push-out: leads positions back where a step ends inside a body or beyond a limit. Velocities stay as they are, so
// that penetration never turns into speed, force or energy.
//
//   dq = argmin 1/2 dq^T M dq + the rows' violations,   with for each row of the island, W its matrix and dx its motion
//
//     a contact's normal, a limit   dx >= p,  p = gamma * depth where the step ends inside by `depth`, the speed p/h
//                                   bounded; -gap where it ends outside: the gap may close, no more
//     a contact's tangents          dx = 0 where it sticks
//     loops; locks                  dx = 0; dx = -gamma * gap
//
// The impulses x of dq = M^-1 J^T x (kg m) solve W x - p >= 0, complementary to x >= 0, by proximal points: each x is
// the answer, by projected Gauss-Seidel, of W x + softness diag(W) (x - x_last) - p >= 0. Where overlaps oppose each
// other there is no answer; then dq converges all the same, to the compromise of weighted least squares. A turn of more
// than most_turn at once, of a short lever, or a way of many times the push would leave the range in which rows are
// linear; the island's motion is shortened then. Contacts that could part only by sliding many times as far are not
// pushed. (Rockafellar, SIAM J. Control Optim. 14 (1976).)
//
// The depth at the step's end is gap + h n.V+, in midpoint schemes gap + h/2 n.V+, since theirs is measured half a step
// later. Motions of rows are W x alone: W x + b - b would leave the rounding of b in them, which can be more than the
// accuracy at which sweeps end.

#include "engine/islands/push_out.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/mechanism.h"
#include "engine/rows/contact_rows.h"

#include <math.h>
#include <string.h>

enum {
  MOST_POINTS = 16,
  MOST_SWEEPS = 40, // sweeps a point
  MOST_WAYS = 10
}; // a link's way, in largest pushes

// Depths below `rounding` (m or rad) are no penetration.
static const double rounding = 1e-10, softness = 0.1, most_turn = 0.02, least_mobility = 1e-4, immobile = 1e-13;

// Of the largest target, at which sweeps and points end; rough in large problems, whose next step goes on.
static double accuracy_for(const island *is) { return is->has_blocks ? 1e-3 : 1e-11; }

// p of a row that ends with this gap.
static double target(double end_gap, double gamma, double most)
{
  return end_gap < 0 ? fmin(-gamma * end_gap, most) : -end_gap;
}

static bool sticks(const active_contact *a, const double *impulse)
{
  if (!(impulse[0] > 0)) return false;
  const double bound = a->friction * impulse[0], x = impulse[1] / a->anisotropy[0],
               y = a->n_forces < 3 ? 0 : impulse[2] / a->anisotropy[1];
  return x * x + y * y < (1 - 1e-6) * bound * bound;
}

// Whether a contact can part without sliding by many times as much, along a surface that its joints nearly follow.
static bool moves_along_normal(const island *is, int row, int n_forces)
{
  double aside = 0;
  for (int k = 1; k < n_forces; k++) aside = fmax(aside, *srs_island_diagonal(is, (size_t)row + (size_t)k));
  return *srs_island_diagonal(is, (size_t)row) > least_mobility * aside;
}

// Fills the contacts' targets, NAN for rows that are free; returns whether one ends inside. The rows' velocities push
// in other laws.
static bool aim_contacts(const struct srs_constraints *c, const srs_step_context *step, const island *is, double *p)
{
  const srs_contact_settings *o = &step->options->contact;
  const double h = step->options->dt, share = step->traits->is_mean ? 0.5 * h : h;
  bool any = false;
  if (!c->is_projected) {
    for (int i = 0; i < is->n_contact_rows; i++) p[is->n_bilateral + i] = NAN;
    return false;
  }
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &is->active[is->contacts[i]];
    const int row = srs_row_of_contact(is, i);
    const double end_gap = a->gap + share * (is->velocity[row] - a->shift - a->turn[0]);
    const bool can_leave = end_gap >= 0 || moves_along_normal(is, row, a->n_forces);
    any = any || (end_gap < -rounding && can_leave);
    p[row] = !can_leave ? 0 : target(end_gap, o->error_reduction, h * o->max_depenetration_velocity);
    const bool is_held = a->n_rows >= 2 && sticks(a, is->impulse + row);
    for (int k = 1; k < a->n_rows; k++) p[row + k] = is_held && k < a->n_forces ? 0 : NAN;
  }
  return any;
}

static bool is_limit(const scalar_row *s)
{
  return s->source == SRS_ROW_LOWER_LIMIT || s->source == SRS_ROW_UPPER_LIMIT;
}

// The same for scalar rows.
static bool aim_scalars(const struct srs_constraints *c, const srs_step_context *step, const island *is, double *p)
{
  const srs_joint_settings *o = &step->options->joint;
  const double h = step->options->dt, share = step->traits->is_mean ? 0.5 * h : h;
  const double most = h * o->max_depenetration_velocity;
  bool any = false;
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++) {
    const scalar_row *s = &c->scalars[is->scalars[i]];
    const int row = srs_row_of_scalar(is, i);
    p[row] = s->kind == SCALAR_BILATERAL && s->softness == 0 ? 0 : NAN;
    if (!is_limit(s) || !o->projection) continue;
    const double end_gap = s->gap + share * (srs_island_velocity(is, is->impulse, row) - s->shift);
    const bool is_lock = s->kind == SCALAR_BILATERAL, is_off = is_lock ? fabs(end_gap) > rounding : end_gap < -rounding;
    any = any || is_off;
    p[row] =
        is_lock ? fmax(-most, fmin(most, -o->error_reduction * end_gap)) : target(end_gap, o->error_reduction, most);
  }
  return any;
}

// One row's step of Gauss-Seidel; returns by how much its motion changes.
static double relax(const island *is, const double *p, const double *last, double *x, int row, bool is_one_sided)
{
  if (isnan(p[row])) return 0;
  const double own = *srs_island_diagonal(is, (size_t)row);
  const double moved = srs_island_response(is, x, row) + softness * own * (x[row] - last[row]);
  double next = x[row] + (p[row] - moved) / ((1 + softness) * own);
  if (is_one_sided && next < 0) next = 0;
  const double change = own * fabs(next - x[row]);
  x[row] = next;
  return change;
}

static double sweep(const island *is, const double *p, const double *last, double *x)
{
  double most = 0;
  const int contacts_end = is->n_bilateral + is->n_contact_rows;
  for (int i = 0; i < is->n_bilateral; i++) most = fmax(most, relax(is, p, last, x, i, false));
  for (int i = 0; i < is->n_contacts; i++) {
    const int row = srs_row_of_contact(is, i);
    for (int k = 0; k < is->active[is->contacts[i]].n_rows; k++)
      most = fmax(most, relax(is, p, last, x, row + k, k == 0));
  }
  for (int i = 0; i < is->n_unilateral; i++) most = fmax(most, relax(is, p, last, x, contacts_end + i, true));
  return most;
}

// Rows that nothing moves have diagonal entries of rounding, of either sign: no impulse of theirs means anything.
static void free_immobile(const island *is, double *p)
{
  double most = 0;
  for (int i = 0; i < is->n; i++) most = fmax(most, *srs_island_diagonal(is, (size_t)i));
  for (int i = 0; i < is->n; i++)
    if (!(*srs_island_diagonal(is, (size_t)i) > immobile * most)) p[i] = NAN;
}

static void begin(struct srs_constraints *c, const srs_model *m)
{
  if (c->has_push) return;
  c->has_push = true;
  memset(c->push, 0, (size_t)m->n_links * sizeof *c->push);
  memset(c->push_on, 0, (size_t)m->nv * sizeof *c->push_on);
  memset(c->motion, 0, 2 * (size_t)m->n_links * sizeof *c->motion);
}

static bool holds(const double *p, const double *x, int row, bool is_one_sided)
{
  return !isnan(p[row]) && (!is_one_sided || x[row] > 0);
}

// Adds the rows' impulses to those on links and coordinates.
static void add(struct srs_constraints *c, const island *is, const double *p, const double *x)
{
  for (int i = 0; i < is->n_contacts; i++) {
    active_contact *a = &c->active[is->contacts[i]];
    const int at = srs_row_of_contact(is, i);
    const double *f = x + at;
    for (int row = 0; row < a->n_rows; row++)
      a->is_pushed[row] = holds(p, x, at + row, row == 0), a->push[row] = f[row];
    for (int side = 0; side < 2; side++)
      for (int row = 0; row < a->n_rows && a->link[side] >= 0; row++)
        c->push[a->link[side]] = v6_add_scaled(c->push[a->link[side]], f[row], a->wrench[side][row]);
  }
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++) {
    scalar_row *s = &c->scalars[is->scalars[i]];
    const int row = srs_row_of_scalar(is, i);
    s->is_pushed = holds(p, x, row, s->kind == SCALAR_UNILATERAL), s->push = x[row];
    srs_row_push(&s->row, x[row], c->push, c->push_on);
  }
}

// The root that stands for the island.
static int root_of(struct srs_constraints *c, const island *is)
{
  if (is->n_contacts == 0) return srs_island_of_tree(c, c->workspace->tree[c->scalars[is->scalars[0]].row.link[0]]);
  const int *tree = is->active[is->contacts[0]].tree;
  return srs_island_of_tree(c, tree[0] >= 0 ? tree[0] : tree[1]);
}

void srs_push_out(struct srs_constraints *c, const srs_step_context *step, const island *is)
{
  double *p = is->b2, *x = is->phase, *last = is->velocity, most = 0;
  const bool contacts = aim_contacts(c, step, is, p), scalars = aim_scalars(c, step, is, p);
  if (!contacts && !scalars) return;
  free_immobile(is, p);
  for (int i = 0; i < is->n; i++) {
    x[i] = 0;
    if (!isnan(p[i])) most = fmax(most, fabs(p[i]));
  }
  const double enough = accuracy_for(is) * most;
  for (int point = 0, more = 1; point < MOST_POINTS && more; point++) {
    memcpy(last, x, (size_t)is->n * sizeof *x);
    for (int k = 0; k < MOST_SWEEPS && sweep(is, p, last, x) > enough; k++) continue;
    more = 0;
    for (int i = 0; i < is->n; i++) more = more || *srs_island_diagonal(is, (size_t)i) * fabs(x[i] - last[i]) > enough;
  }
  begin(c, step->model);
  double *way = &c->motion[step->model->n_links + root_of(c, is)];
  *way = fmax(*way, most);
  add(c, is, p, x);
  c->next.pushes++;
}

// By how much a link's motion is to be shortened.
static double share_of(v6 motion, double most_way)
{
  const double turn = sqrt(dot(motion.ang, motion.ang)), way = sqrt(dot(motion.lin, motion.lin));
  return fmin(1, fmin(turn > most_turn ? most_turn / turn : 1, way > most_way ? most_way / way : 1));
}

double *srs_push_out_shares(struct srs_constraints *c, srs_workspace *w)
{
  const int n_links = w->model->n_links;
  double *share = c->motion;
  for (int k = 0; k < n_links; k++) share[k] = 1;
  for (int k = 0; k < n_links; k++) {
    const int root = srs_island_of_tree(c, w->tree[k]);
    share[root] = fmin(share[root], share_of(w->velocity[k], MOST_WAYS * share[n_links + root]));
  }
  return share;
}

void srs_push_out_end(struct srs_constraints *c, const srs_step_context *step)
{
  srs_workspace *w = step->workspace;
  const srs_model *m = step->model;
  if (!c->has_push) return;
  srs_respond(w, c->push, c->push_on, c->moved);
  srs_move_links(w, c->moved);
  const double *share = srs_push_out_shares(c, w);
  for (int i = 0; i < m->nv; i++) c->moved[i] *= share[srs_island_of_tree(c, w->tree[m->link_of_v[i]])];
}
