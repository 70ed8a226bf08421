// A path to the answer through the modes of planar contacts.
//
// With one tangent a contact is parted, sticks, or slides one way or the other; unilateral and box rows have two and
// three modes. As long as no mode changes, the equations r(z) = 0 of mncp.c are linear. So are
//
//   r(z) = t e,    e = r(z0)
//
// which z0 solves at t = 1 and the wanted z at t = 0. Their solutions are a path of straight
// pieces, J dz = e dt, which can be followed from z0. Where a row reaches the border of its mode, the next piece
// starts, in the mode beyond: dt has the sign with which that row goes on across the border. So t may rise for a while,
// where solutions end in pairs: a path turns there, while methods that only decrease |r| are left at a contact that can
// neither stick nor slide. (Katzenelson 1965; Chien & Kuh 1976 on turning paths; Lemke's path is of this kind, from
// impulses of zero.)
//
// A path may close: it comes back to z0, mostly after a few changes of a few contacts that cannot have less of r as
// things are around them.
//
// One change of mode changes J = I + (W - I) D by a matrix of rank one, p q^T in D:
//
//   J' = J + u q^T    u = (W - I) p    y = J^-1 u    J'^-1 = (I - y q^T / (1 + q . y)) J^-1
//
// so a change costs one solve with kept factors instead of a factorisation; after some, J is factored again.
//
// W is softened, W + rho I around the impulses of z0. A little of that leaves J regular where there are more contacts
// than degrees of freedom; with more, paths turn and close less.
#include "contact/planar/mode_path.h"
#include "contact/iterate/mncp.h"

#include <string.h>

enum { UPDATES = SRS_SPARSE_VECTORS, SOLVER_UPDATES = 48 }; // of one factorisation

static const double most_t = 1e6, least_ratio = 1e-14;
static const double least_pivot = 1e-6; // of an update, over its summands
static const double same = 1e-6;        // distance from z0 at which a path is closed, over its length

// A border of a row's mode: a z_i + b z_(i+1) + c, 0 there and above 0 within the mode.
typedef struct border {
  double a, b, c;
  double normal, tangent; // the representatives of the mode beyond
} border;

bool srs_is_planar(const srs_cone_problem *cone)
{
  for (int c = 0; c < cone->n_contacts; c++)
    if (srs_cone_tangents(cone, c) > 1) return false;
  return true;
}

// ---- modes: kept as one z for each, whatever its distance from the borders ----

static double inside_of(double lower, double upper)
{
  if (isfinite(lower)) return isfinite(upper) ? 0.5 * (lower + upper) : lower + 1;
  return isfinite(upper) ? upper - 1 : 0;
}

static void find_modes(const srs_cone_problem *cone, const double *z, double *modes)
{
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c);
    const double mu = cone->friction[c];
    modes[i] = z[i] < 0 ? -1 : 1;
    if (srs_cone_tangents(cone, c) > 0)
      modes[i + 1] = z[i] < 0 && fabs(z[i + 1]) <= -mu * z[i] ? 0 : copysign(1 + mu, z[i + 1]);
  }
  for (int i = scalars; i < boxes; i++) modes[i] = z[i] < 0 ? -1 : 1;
  for (int i = boxes; i < cone->n; i++) {
    const double lower = cone->lower[i - boxes], upper = cone->upper[i - boxes];
    modes[i] = -(-z[i] <= lower ? lower - 1 : -z[i] >= upper ? upper + 1 : inside_of(lower, upper));
  }
}

// ---- borders ----

static int contact_borders(const double *mode, const double *z, double mu, border *out)
{
  if (mode[0] > 0) {
    out[0] = (border){1, 0, 0, -1, copysign(1 + mu, z[1])};
    return 1;
  }
  if (mode[1] == 0) {
    out[0] = (border){-mu, -1, 0, -1, 1 + mu};
    out[1] = (border){-mu, 1, 0, -1, -1 - mu};
    return 2;
  }
  out[0] = (border){-1, 0, 0, 1, mode[1]};
  out[1] = (border){mu, mode[1] > 0 ? 1 : -1, 0, -1, 0};
  return 2;
}

static int box_borders(double mode, double lower, double upper, border *out)
{
  const double inside = -inside_of(lower, upper);
  if (-mode < lower) {
    out[0] = (border){1, 0, lower, inside, 0};
    return 1;
  }
  if (-mode > upper) {
    out[0] = (border){-1, 0, -upper, inside, 0};
    return 1;
  }
  int n = 0;
  if (isfinite(lower)) out[n++] = (border){-1, 0, -lower, 1 - lower, 0};
  if (isfinite(upper)) out[n++] = (border){1, 0, upper, -upper - 1, 0};
  return n;
}

static double value_of(const border *g, const double *z) { return g->a * z[0] + (g->b != 0 ? g->b * z[1] : 0) + g->c; }

static double rate_of(const border *g, const double *dz) { return g->a * dz[0] + (g->b != 0 ? g->b * dz[1] : 0); }

// The border that is reached first.
typedef struct crossing {
  double length; // of t
  int row;       // the first of its contact; -1: none
  bool is_contact;
  border at;
} crossing;

static void compare(const border *g, int n, int row, bool is_contact, const double *z, const double *dz, double sense,
                    crossing *first)
{
  for (int k = 0; k < n; k++) {
    const double rate = sense * rate_of(&g[k], dz + row);
    if (!(rate < 0)) continue;
    const double length = fmax(value_of(&g[k], z + row), 0) / -rate;
    if (length < first->length) *first = (crossing){length, row, is_contact, g[k]};
  }
}

static crossing next_crossing(const srs_cone_problem *cone, const double *modes, const double *z, const double *dz,
                              double sense)
{
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  crossing first = {.length = INFINITY, .row = -1};
  border g[2];
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c);
    const bool has_tangent = srs_cone_tangents(cone, c) > 0;
    if (has_tangent)
      compare(g, contact_borders(modes + i, z + i, cone->friction[c], g), i, true, z, dz, sense, &first);
    else
      compare(&(border){-modes[i] > 0 ? -1 : 1, 0, 0, -modes[i], 0}, 1, i, false, z, dz, sense, &first);
  }
  for (int i = scalars; i < boxes; i++)
    compare(&(border){modes[i] > 0 ? 1 : -1, 0, 0, -modes[i], 0}, 1, i, false, z, dz, sense, &first);
  for (int i = boxes; i < cone->n; i++)
    compare(g, box_borders(modes[i], cone->lower[i - boxes], cone->upper[i - boxes], g), i, false, z, dz, sense,
            &first);
  return first;
}

// ---- steps ----

// J' = J + u q^T
typedef struct update {
  int row;
  double q[2], inverse; // of 1 + q . y
} update;

typedef struct path {
  const srs_proximal *p;
  const srs_mode_solver *solver;
  double rho;
  int n;
  double *modes, *e, *dz; // dz: for dt = 1
  double *factors, *y;    // y: n of each update
  int n_updates;
  update updates[UPDATES];
  double cost; // multiplications of a solve
} path;

static double along(const double *q, const double *x) { return q[0] * x[0] + (q[1] != 0 ? q[1] * x[1] : 0); }

// x <- J^-1 x
SRS_CONTACT_KERNEL
static void divide(const path *s, double *x)
{
  if (s->solver != NULL)
    s->solver->divide(s->solver->data, x);
  else
    srs_sparse_apply(s->p->lm->sparse, s->factors, x);
  for (int k = 0; k < s->n_updates; k++) {
    const update *last = &s->updates[k];
    const double *y = s->y + (size_t)k * (size_t)s->n, part = along(last->q, x + last->row) * last->inverse;
    for (int i = 0; part != 0 && i < s->n; i++) x[i] -= part * y[i];
  }
}

static bool factor(path *s)
{
  const srs_lm_memory *lm = s->p->lm;
  const double work = s->solver != NULL ? s->solver->factor_work : srs_lm_cost(lm, s->n);
  if (!srs_lm_spend(lm, work + s->cost)) return false;
  s->n_updates = 0;
  if (s->solver == NULL) srs_mncp_jacobian(s->p->cone, s->modes, lm->J);
  if (s->solver != NULL ? !s->solver->factor(s->solver->data, s->rho, s->modes)
                        : !srs_sparse_factor(lm->sparse, lm->J, least_ratio, s->factors))
    return false;
  memcpy(s->dz, s->e, sizeof *s->dz * (size_t)s->n);
  divide(s, s->dz);
  return true;
}

// D of a single row in a mode: 1 where its impulse is free.
static bool is_free(const srs_cone_problem *cone, int row, double mode)
{
  const int box = row - srs_cone_scalars(cone) - cone->n_unilateral;
  return box < 0 ? mode < 0 : -mode > cone->lower[box] && -mode < cone->upper[box];
}

// p and q of the change of D across a border.
static void find_change(const path *s, const crossing *at, double p[2], double q[2])
{
  const srs_cone_problem *cone = s->p->cone;
  const double *old = s->modes + at->row, normal = at->at.normal, tangent = at->at.tangent;
  p[0] = 1, p[1] = 0, q[0] = 1, q[1] = 0;
  if (!at->is_contact) {
    if (!is_free(cone, at->row, normal)) p[0] = -1;
    return;
  }
  const double mu = cone->friction[cone->sparse->node[at->row]];
  if (old[0] > 0) { // parted, then sliding
    p[1] = -copysign(mu, tangent);
  } else if (normal > 0) {
    p[0] = -1, p[1] = copysign(mu, old[1]);
  } else { // between sticking and sliding
    const double sign = tangent == 0 ? 1 : -1;
    p[0] = 0, p[1] = 1, q[0] = sign * copysign(mu, tangent == 0 ? old[1] : tangent), q[1] = sign;
  }
}

// y += part (W - I)_i
static void add_column(const srs_cone_problem *cone, int i, double part, double *y)
{
  const srs_sparse *s = cone->sparse;
  const double *row = srs_sparse_row(s, cone->packed, s->node[i], i); // W is symmetric
  for (int k = s->run_start[s->node[i]]; k < s->run_start[s->node[i] + 1]; k++)
    for (int j = s->run[k].from; j < s->run[k].to; j++) y[j] += part * *row++;
  y[i] -= part;
}

// Into the mode beyond a border.
static bool change_mode(path *s, const crossing *at)
{
  double p[2], q[2], *y = s->y + (size_t)s->n_updates * (size_t)s->n;
  find_change(s, at, p, q);
  s->modes[at->row] = at->at.normal;
  if (at->is_contact) s->modes[at->row + 1] = at->at.tangent;
  if (s->n_updates == (s->solver != NULL ? SOLVER_UPDATES : UPDATES)) return factor(s);
  if (!srs_lm_spend(s->p->lm, s->cost + 2.0 * s->n * s->n_updates)) return false;
  memset(y, 0, sizeof *y * (size_t)s->n);
  add_column(s->p->cone, at->row, p[0], y);
  if (p[1] != 0) add_column(s->p->cone, at->row + 1, p[1], y);
  divide(s, y);
  const double product = along(q, y + at->row), pivot = 1 + product;
  if (!(fabs(pivot) > least_pivot * (1 + fabs(product)))) return factor(s);
  s->updates[s->n_updates++] = (update){at->row, {q[0], q[1]}, 1 / pivot};
  const double part = along(q, s->dz + at->row) / pivot;
  for (int i = 0; i < s->n; i++) s->dz[i] -= part * y[i];
  return true;
}

// ---- the path ----

// Whether the piece from z passes through the start, `part` of the way.
static bool returns(const path *s, double part, double length, const double *z)
{
  if (!(part > 0 && part <= 1)) return false;
  double off = 0, size = 0;
  for (int i = 0; i < s->n; i++) {
    const double start = s->p->centre[i], away = z[i] + part * length * s->dz[i] - start;
    off += away * away, size += start * start;
  }
  return off <= same * same * size;
}

static bool follow(path *s, int most, double *z, int *changes)
{
  double t = 1, sense = -1;
  if (!factor(s)) return false;
  for (int k = 0; k <= most; k++) {
    crossing next = next_crossing(s->p->cone, s->modes, z, s->dz, sense);
    const bool arrives = sense < 0 && next.length >= t;
    if (!arrives && (next.row < 0 || t > most_t)) return false;
    const double length = sense * (arrives ? t : next.length);
    if (k > 0 && !arrives && returns(s, (1 - t) / length, length, z)) return false;
    for (int i = 0; i < s->n; i++) z[i] += length * s->dz[i];
    if (arrives) return true;
    t += length;
    if (next.is_contact && s->modes[next.row] > 0) next.at.tangent = copysign(next.at.tangent, z[next.row + 1]);
    if (!change_mode(s, &next)) return false;
    sense = rate_of(&next.at, s->dz + next.row) < 0 ? 1 : -1;
    ++*changes;
  }
  return false;
}

bool srs_mode_path(const srs_proximal *p, const srs_mode_solver *solver, double rho, int most, double *z, int *changes)
{
  srs_cone_problem *cone = p->cone;
  const srs_lm_memory *lm = p->lm;
  const size_t factors = solver != NULL ? 0 : srs_sparse_factor_doubles(cone->sparse);
  path s = {.p = p,
            .solver = solver,
            .rho = rho,
            .n = cone->n,
            .modes = lm->trial,
            .e = lm->trial_r,
            .dz = lm->step,
            .factors = lm->gram,
            .y = lm->gram + factors,
            .cost = (solver != NULL ? solver->divide_work : srs_sparse_apply_work(cone->sparse)) + 20.0 * cone->n};
  memcpy(p->centre, z, sizeof *z * (size_t)cone->n);
  srs_mncp_residual(cone, z, lm->x, s.e); // softening adds nothing at its own centre
  find_modes(cone, z, s.modes);
  for (int i = 0; i < cone->n; i++) {
    double *own = srs_cone_diagonal(cone, i);
    p->diagonal[i] = *own;
    *own += rho;
  }
  const bool arrives = follow(&s, most, z, changes);
  for (int i = 0; i < cone->n; i++) *srs_cone_diagonal(cone, i) = p->diagonal[i];
  return arrives;
}
