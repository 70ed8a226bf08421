// A path to the answer through the modes of planar contacts.
//
// With one tangent a contact is parted, sticks, or slides one way or the other; unilateral and box rows have two and
// three modes. As long as no mode changes, the equations r(z) = 0 of mncp.c are linear. So are
//
//   r(z) = t e,    e = r(z0)
//
// which z0 solves at t = 1 and the wanted z at t = 0. Their solutions are a path of straight pieces, J dz = e dt, which
// can be followed from z0. Where a row reaches the border of its mode, the next piece starts, in the mode beyond: dt
// has the sign with which that row goes on across the border. So t may rise for a while, where solutions end in pairs:
// a path turns there, while methods that only decrease |r| are left at a contact that can neither stick nor slide.
//
// W is softened, W + rho I around the impulses of z0, so that more contacts than degrees of freedom leave J regular.
// (Katzenelson 1965; Chien & Kuh 1976 on turning paths; Lemke's path is of this kind, from impulses of zero.)
#include "contact/iterate/mode_path.h"
#include "contact/iterate/mncp.h"

#include <string.h>

static const double most_t = 1e6, least_ratio = 1e-14;

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

// ---- the path ----

static bool follow(const srs_proximal *p, int most, double *modes, const double *start, double *z, int *changes)
{
  const srs_cone_problem *cone = p->cone;
  const srs_lm_memory *lm = p->lm;
  const size_t bytes = sizeof *z * (size_t)cone->n;
  double t = 1, sense = -1;
  crossing last = {.row = -1};
  for (int k = 0; k <= most && srs_lm_spend(lm, srs_lm_cost(lm, cone->n)); k++) {
    srs_mncp_jacobian(cone, modes, lm->J);
    memcpy(lm->step, start, bytes);
    if (!srs_lm_divide(lm, cone->n, lm->J, cone->stride, least_ratio, lm->step)) return false;
    if (last.row >= 0) sense = rate_of(&last.at, lm->step + last.row) < 0 ? 1 : -1;
    last = next_crossing(cone, modes, z, lm->step, sense);
    const bool arrives = sense < 0 && last.length >= t;
    if (!arrives && (last.row < 0 || t > most_t)) return false;
    const double length = sense * (arrives ? t : last.length);
    for (int i = 0; i < cone->n; i++) z[i] += length * lm->step[i];
    if (arrives) return true;
    t += length;
    modes[last.row] = last.at.normal;
    if (last.is_contact) modes[last.row + 1] = last.at.tangent;
    ++*changes;
  }
  return false;
}

bool srs_mode_path(const srs_proximal *p, double rho, int most, double *z, int *changes)
{
  srs_cone_problem *cone = p->cone;
  double *modes = p->lm->trial, *start = p->lm->trial_r;
  srs_mncp_residual(cone, z, p->lm->x, start); // softening adds nothing at its own centre
  find_modes(cone, z, modes);
  for (int i = 0; i < cone->n; i++) {
    double *own = srs_cone_diagonal(cone, i);
    p->diagonal[i] = *own;
    *own += rho;
  }
  const bool arrives = follow(p, most, modes, start, z, changes);
  for (int i = 0; i < cone->n; i++) *srs_cone_diagonal(cone, i) = p->diagonal[i];
  return arrives;
}
