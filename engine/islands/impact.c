// Impacts: restitution e > 0, round after round, as the blows of rigid bodies follow each other.
//
// Within a step the velocities go  v- -> u -> u' -> v' -> v+ : half a step of all forces, the impacts, the other half
// of the step, and last all rows with e = 0 (solve_island.c). So for one contact n.v+ = -e n.v- + (1 - e) h/2 n.a. At e
// = 1 without friction u' has the kinetic energy of u; the midpoint scheme then keeps the energy of a step with
// impacts, and semi-implicit Euler its own invariant H - h/2 g.p. (A bounce on v_free would add m g h |v| to that
// invariant each time.) The velocity terms of each half are those at its own mean velocity (step_velocity.c).
//
// A round takes the contacts with e > 0 that approach faster than the threshold and would close within the step, those
// of the largest e among them (rounds of one e cannot create energy: below), with loops, whose velocities stay:
//
//   two-phase   solves p with e = 0 and applies (1 + e) p, friction included
//   poisson     solves p with e = 0, then again with e p_n given (poisson.c)
//   newton      solves n.u' >= -e n.u
//
// Rounds follow until no such contact approaches: the last ball of a row takes all. The energy of a two-phase round
// changes by (1 + e) p.(u + W p) - (1 - e^2)/2 p.W p <= 0. Contacts without restitution, dry friction and actuators do
// not act here. A round has as many contacts as there is room for, in large islands; the others come next. After
// most_rounds, what still approaches is left to the last solve, which only takes energy.

#include "engine/islands/impact.h"
#include "engine/dynamics/kinematics.h"
#include "engine/islands/island.h"
#include "engine/islands/poisson.h"
#include "engine/islands/solve_island.h"
#include "engine/loops/mechanism.h"
#include "engine/rows/problem_sizes.h"
#include "engine/rows/row_sources.h"
#include "engine/state/step_context.h"

#include <math.h>
#include <string.h>

static const int most_rounds = 200;

// A round's problem: some of the island's rows.
typedef struct blow {
  srs_contact_problem problem;
  int *row_of; // n: each row's row in the island
  double *W, *b, *friction, *restitution, *anisotropy, *rolling, *impulse, *velocity;
  unsigned char *tangents;
  double *rest; // memory behind it
  double *u;    // the island's n: row velocities between rounds
  double *sum;  // n: impulses of both phases
} blow;

// The rows' velocities in the middle of the step, which has coordinates v_half.
static void find_velocities(const struct srs_constraints *c, const island *is, const double *v_half, double *u)
{
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &is->active[is->contacts[i]];
    const int at = srs_row_of_contact(is, i);
    for (int row = 0; row < a->n_rows; row++) u[at + row] = srs_contact_velocity(a, row, c->velocity_half);
  }
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++)
    u[srs_row_of_scalar(is, i)] = srs_row_velocity(&c->scalars[is->scalars[i]].row, c->velocity_half, v_half);
}

// ---------------------------------------------------------------------------------------------------------------------
// One round
// ---------------------------------------------------------------------------------------------------------------------

// Whether contact i strikes: it approaches at u, and would close within the step.
static bool strikes(const struct srs_constraints *c, const island *is, const blow *x, int i, double least)
{
  const int row = srs_row_of_contact(is, i);
  return is->active[is->contacts[i]].restitution > 0 && x->u[row] < -fmax(c->impact_threshold, least) &&
         is->b2[row] <= 0;
}

// The largest restitution of the contacts that strike; 0: none does.
static double next_restitution(const struct srs_constraints *c, const island *is, const blow *x, double least)
{
  double e = 0;
  for (int i = 0; i < is->n_contacts; i++)
    if (strikes(c, is, x, i, least)) e = fmax(e, is->active[is->contacts[i]].restitution);
  return e;
}

static void take_contact(const island *is, int i, blow *x, int *n)
{
  const active_contact *a = &is->active[is->contacts[i]];
  const int at = x->problem.n_contacts++, row = srs_row_of_contact(is, i);
  x->friction[at] = is->friction[i];
  x->restitution[at] = a->restitution;
  if (is->anisotropy != NULL) memcpy(x->anisotropy + 3 * (size_t)at, a->anisotropy, sizeof a->anisotropy);
  if (is->rolling != NULL) x->rolling[at] = is->rolling[i];
  x->tangents[at] = (unsigned char)(a->n_rows - 1);
  for (int k = 0; k < a->n_rows; k++) x->row_of[(*n)++] = row + k;
}

static int choose_rows(const struct srs_constraints *c, const island *is, double e, double least, blow *x)
{
  int n = 0;
  x->problem = (srs_contact_problem){0};
  for (int i = 0; i < is->n_bilateral; i++)
    if (!(c->scalars[is->scalars[i]].softness > 0)) x->row_of[n++] = i;
  x->problem.n_bilateral = n;
  const int room = c->solver_rows < SRS_BLOCKS_FROM ? c->solver_rows : SRS_BLOCKS_FROM;
  const int most = is->has_blocks ? room : is->n;
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &is->active[is->contacts[i]];
    if (n + a->n_rows <= most && a->restitution == e && strikes(c, is, x, i, least)) take_contact(is, i, x, &n);
  }
  return n;
}

// Lays out the memory behind u, for all rows of the island.
static void lay_out(const struct srs_constraints *c, const island *is, blow *x)
{
  const size_t n = (size_t)is->n, contacts = (size_t)is->n_contacts;
  double *at = is->rest;
  x->u = at, at += n;
  x->b = at, at += n;
  x->impulse = at, at += n;
  x->velocity = at, at += n;
  x->sum = at, at += n;
  x->friction = at, at += contacts;
  x->restitution = at, at += contacts;
  x->anisotropy = at, at += 3 * contacts;
  x->rolling = at, at += contacts;
  x->tangents = (unsigned char *)at, at += contacts;
  x->W = at;
  x->row_of = c->row_of;
}

static void fill(const island *is, int n, blow *x)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      x->W[(size_t)i * (size_t)n + (size_t)j] = srs_island_entry(is, x->row_of[i], x->row_of[j]);
    x->b[i] = i < x->problem.n_bilateral ? 0 : x->u[x->row_of[i]];
  }
  x->rest = x->W + (size_t)n * (size_t)n;
  x->problem.W = x->W, x->problem.b = x->b, x->problem.friction = x->friction;
  if (is->anisotropy != NULL) x->problem.anisotropy = x->anisotropy;
  if (is->rolling != NULL) x->problem.rolling = x->rolling;
  if (is->tangents != NULL) x->problem.tangents = x->tangents;
}

static srs_status solve_by_poisson(struct srs_constraints *c, const srs_step_context *step, const island *is, blow *x)
{
  srs_poisson second;
  const int n = srs_contact_problem_rows(&x->problem);
  if (!srs_poisson_begin(&x->problem, x->impulse, x->velocity, x->restitution, x->rest, c->second_rows, &second))
    return SRS_OK;
  for (int may_push = 0; may_push < 2; may_push++) {
    srs_poisson_make(&x->problem, x->impulse, x->velocity, may_push, &second);
    const srs_status status = srs_solve_problem(c, step, is, &second.problem, false, second.impulse, second.velocity);
    if (status != SRS_OK) return status;
    memcpy(x->sum, x->impulse, (size_t)n * sizeof *x->sum);
    srs_poisson_add(&second, x->sum);
    if (!srs_poisson_is_pressed(&x->problem, &second, x->sum)) break;
  }
  memcpy(x->impulse, x->sum, (size_t)n * sizeof *x->impulse);
  return SRS_OK;
}

// Finds the round's impulses, in x->impulse.
static srs_status solve_round(struct srs_constraints *c, const srs_step_context *step, const island *is, double e,
                              int n, blow *x)
{
  const srs_impact_law law = step->options->contact.impact;
  for (int i = 0, row = x->problem.n_bilateral; law == SRS_IMPACT_NEWTON && i < x->problem.n_contacts; i++) {
    x->b[row] *= 1 + e;
    row += 1 + (x->problem.tangents != NULL ? x->problem.tangents[i] : 2);
  }
  const srs_status status = srs_solve_problem(c, step, is, &x->problem, false, x->impulse, x->velocity);
  if (status != SRS_OK) return status;
  if (law == SRS_IMPACT_POISSON) return solve_by_poisson(c, step, is, x);
  for (int i = 0; law == SRS_IMPACT_TWO_PHASE && i < n; i++) x->impulse[i] *= 1 + e;
  return SRS_OK;
}

// The work of the round's impulses of contacts, p . (u + u')/2: half of it before they act, half afterwards.
static void add_half_work(struct srs_constraints *c, const blow *x)
{
  int row = x->problem.n_bilateral;
  for (int i = 0; i < x->problem.n_contacts; i++) {
    const int end = row + 1 + (x->problem.tangents != NULL ? x->problem.tangents[i] : 2);
    c->blow_normal += 0.5 * x->impulse[row] * x->u[x->row_of[row]];
    for (row++; row < end; row++) c->blow_friction += 0.5 * x->impulse[row] * x->u[x->row_of[row]];
  }
}

// Adds the round's impulses to the phase, and what they change to u and b2.
static void apply(struct srs_constraints *c, const island *is, int n, const blow *x)
{
  add_half_work(c, x);
  for (int j = 0; j < n; j++) is->phase[x->row_of[j]] += x->impulse[j];
  for (int i = 0; i < is->n; i++) {
    double change = 0;
    for (int j = 0; j < n; j++)
      if (x->impulse[j] != 0) change += srs_island_entry(is, i, x->row_of[j]) * x->impulse[j];
    x->u[i] += change;
    is->b2[i] += change;
  }
  add_half_work(c, x);
}

// Finds the impulses of the island's impacts, in its phase. b2 = b + W phase says which contacts still close.
static srs_status strike_island(struct srs_constraints *c, const srs_step_context *step, const island *is,
                                const double *v_half)
{
  blow x = {0};
  lay_out(c, is, &x);
  find_velocities(c, is, v_half, x.u);
  double scale = 0;
  for (int i = 0; i < is->n; i++) {
    is->phase[i] = 0;
    is->b2[i] = is->b[i];
    scale = fmax(scale, fabs(x.u[i]));
  }
  const double least = 1e-11 * scale; // slower approaches are rounding
  for (int k = 0; k < most_rounds; k++) {
    const double e = next_restitution(c, is, &x, least);
    if (!(e > 0)) break;
    const int n = choose_rows(c, is, e, least, &x);
    if (x.problem.n_contacts == 0) break; // more loops than there is room for
    fill(is, n, &x);
    const srs_status status = solve_round(c, step, is, e, n, &x);
    if (status != SRS_OK) return status;
    apply(c, is, n, &x);
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// All islands
// ---------------------------------------------------------------------------------------------------------------------

static bool has_impacts(const struct srs_constraints *c, int from, int to)
{
  for (int i = from; i < to; i++)
    if (c->active[c->order[i]].bounces) return true;
  return false;
}

static void keep(struct srs_constraints *c, const island *is)
{
  for (int i = 0; i < is->n_contacts; i++) {
    active_contact *a = &c->active[is->contacts[i]];
    const double *f = is->phase + srs_row_of_contact(is, i);
    memcpy(a->blow, f, (size_t)a->n_rows * sizeof *f);
    for (int side = 0; side < 2; side++)
      for (int row = 0; row < a->n_rows && a->link[side] >= 0; row++)
        c->impulse[a->link[side]] = v6_add_scaled(c->impulse[a->link[side]], f[row], a->wrench[side][row]);
  }
  for (int i = 0; i < is->n_bilateral; i++) { // no other scalar row takes part
    const scalar_row *s = &c->scalars[is->scalars[i]];
    c->blow_of_slot[s->slot] = is->phase[i];
    srs_row_push(&s->row, is->phase[i], c->impulse, c->on_coordinates);
  }
}

static srs_status strike_islands(struct srs_constraints *c, const srs_step_context *step, int n_contacts,
                                 const double *v_free, const double *v_half)
{
  memset(c->impulse, 0, (size_t)step->model->n_links * sizeof *c->impulse);
  memset(c->on_coordinates, 0, (size_t)step->model->nv * sizeof *c->on_coordinates);
  const int n_islands = srs_find_islands(c, n_contacts);
  for (int k = 0; k < n_islands; k++) {
    if (!has_impacts(c, c->island_begin[k], c->island_begin[k + 1])) continue;
    island is;
    srs_status status = srs_open_island(c, k, v_free, &is);
    if (status == SRS_OK) status = strike_island(c, step, &is, v_half);
    if (status != SRS_OK) return status;
    keep(c, &is);
  }
  return SRS_OK;
}

// Trees that took no blow go on from v_free, to the bit.
static void leave_others_alone(struct srs_constraints *c, const srs_step_context *step, const double *v_free)
{
  const srs_model *m = step->model;
  const int *tree = step->workspace->tree;
  for (int i = 0; i < m->nv; i++)
    if (c->dv[i] != 0) c->tree_mark[tree[m->link_of_v[i]]] = 1;
  for (int i = 0; i < m->nv; i++) {
    const bool is_struck = c->tree_mark[tree[m->link_of_v[i]]] != 0;
    c->v_rows[i] = is_struck ? c->v_struck[i] : step->v[i];
    if (is_struck) continue;
    c->v_struck[i] = v_free[i];
    step->half_bias_v[0][i] = step->half_bias_v[1][i] = step->bias_v[i];
  }
  memset(c->tree_mark, 0, (size_t)m->n_links * sizeof *c->tree_mark);
}

// Whether contacts bounce; forgets the last blows.
static bool begin(struct srs_constraints *c, int n_contacts)
{
  bool any = false;
  c->has_blows = false;
  c->blow_normal = c->blow_friction = 0;
  if (c->n_slots > 0) memset(c->blow_of_slot, 0, (size_t)c->n_slots * sizeof *c->blow_of_slot);
  for (int i = 0; i < n_contacts; i++) {
    memset(c->active[i].blow, 0, sizeof c->active[i].blow);
    any = any || c->active[i].bounces;
  }
  return any;
}

srs_status srs_strike(struct srs_constraints *c, const srs_step_context *step, int n_contacts, const double *v_free,
                      const double **from)
{
  srs_workspace *w = step->workspace;
  double *half = c->v_trial;
  *from = v_free;
  if (!begin(c, n_contacts) || !c->is_projected) return SRS_OK;
  srs_status status = step->half(step->half_of, step->v, step->half_bias_v[0], half);
  if (status != SRS_OK) return status;
  srs_move_links(w, half);
  memcpy(c->velocity_half, w->velocity, (size_t)step->model->n_links * sizeof *c->velocity_half);
  srs_move_links(w, v_free);
  c->n_scalars = 0;
  srs_fill_rows(c, step, v_free);
  status = strike_islands(c, step, n_contacts, v_free, half);
  if (status != SRS_OK) return status;
  srs_respond(w, c->impulse, c->n_scalars > 0 ? c->on_coordinates : NULL, c->dv);
  for (int i = 0; i < step->model->nv; i++) half[i] += c->dv[i];
  status = step->half(step->half_of, half, step->half_bias_v[1], c->v_struck);
  if (status != SRS_OK) return status;
  leave_others_alone(c, step, v_free);
  srs_move_links(w, c->v_struck);
  c->has_blows = true;
  *from = c->v_struck;
  return SRS_OK;
}
