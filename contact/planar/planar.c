// Which impulses solve a large problem of planar contacts, heaps above all?
//
// In heaps with friction Newton's method ends at contacts that can neither stick nor slide, from nearly every start.
// Here impulses are proximal points: x' solves the problem softened around x,
//
//   w = W x' + rho (x' - x) + b
//
// and is the end of a path through the modes of contacts from x (mode_path.h). With a large rho there is one such x',
// however contacts are wedged, and the path arrives. Where it does, rho becomes less, the less the fewer modes changed;
// where it closes, a contact has no equilibrium near x, and rho becomes larger: then the points move past that place,
// to where it has one. At the end rho is next to nothing, and x is a solution. (Rockafellar 1976 on proximal points;
// x - x' is a step of implicit Euler of length 1 / rho along -r: so points leave where methods that decrease |r| stay.)
//
// The first x is that of a few rounds of relaxed problems (contact/large/large.c).
//
// Where points do not settle, one path remains, of many changes: from impulses of zero, where all contacts are parted
// by velocities that are the only solution,
//
//   w_n >= mu |w_t|    at t = 1
//
// As no other solution is there, it cannot come back, and leads to t = 0 (Lemke 1965; Cottle, Pang & Stone 1992).
#include "contact/planar/planar.h"
#include "contact/iterate/mncp.h"
#include "contact/planar/mode_path.h"

#include <math.h>
#include <string.h>

enum { POINTS = 400, LAST_POINTS = 40, SHARE = 10 }; // of all; after the long path; rows a change on a short path
enum { FEW_SHARE = 200, SOME_SHARE = 50, MOST_CHANGES = 200 }; // rows a change; changes a row of the long path
static const double first_rho = 0.1, least_rho = 1e-9, most_rho = 1e3;
static const double softer = 3;
static const double soft_rho = 1e-6; // of the long path
static const double apart = 1e-3;    // least velocity at which contacts part on the long path: b has the length 1

// From x to the next proximal point.
static bool follow(srs_fallback *l, double rho, int most, int *changes)
{
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  const int before = l->iterations;
  srs_cone_velocity(&l->cone, l->x, l->w);
  for (int i = 0; i < l->cone.n; i++) l->z[i] = l->w[i] - l->x[i];
  const bool arrives = srs_mode_path(&proximal, rho, most, l->z, &l->iterations);
  if (arrives) srs_mncp_impulse(&l->cone, l->z, l->x);
  *changes = l->iterations - before;
  return arrives;
}

static double natural_map(srs_fallback *l)
{
  srs_cone_velocity(&l->cone, l->x, l->w);
  return srs_cone_residual(&l->cone, l->x, l->w);
}

// rho of the next point, after a path of so many changes.
static double harden(double rho, int n, int changes)
{
  const double part = changes == 0 ? 0.1 : changes < n / FEW_SHARE ? 0.35 : changes < n / SOME_SHARE ? 0.7 : 0.85;
  return fmax(part * rho, least_rho);
}

// Proximal points from x.
static bool settle(srs_fallback *l, double rho, int most)
{
  const int n = l->cone.n;
  for (int k = 0; k < most && l->left > 0; k++) {
    int changes = 0;
    if (natural_map(l) <= l->answer) return true;
    if (follow(l, rho, n / SHARE + 10, &changes))
      rho = harden(rho, n, changes);
    else if ((rho *= softer) > most_rho)
      return false;
  }
  return natural_map(l) <= l->answer;
}

// The long path.
static bool insert_all(srs_fallback *l)
{
  const srs_cone_problem *cone = &l->cone;
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  memcpy(l->z, cone->b, sizeof *l->z * (size_t)cone->n);
  for (int c = 0; c < cone->n_contacts; c++) {
    const int i = srs_cone_first(cone, c);
    const double across = srs_cone_tangents(cone, c) > 0 ? cone->friction[c] * fabs(l->z[i + 1]) : 0;
    l->z[i] = fmax(l->z[i], across + apart);
  }
  for (int i = scalars; i < boxes; i++) l->z[i] = fmax(l->z[i], apart);
  for (int i = boxes; i < cone->n; i++) l->z[i] = 0;
  if (!srs_mode_path(&proximal, soft_rho, MOST_CHANGES * cone->n, l->z, &l->iterations)) return false;
  srs_mncp_impulse(cone, l->z, l->x);
  return true;
}

bool srs_planar_search(srs_fallback *l, srs_planar_start *start, void *data)
{
  if (start(data, l->x) && settle(l, first_rho, POINTS)) return true;
  return l->left > 0 && insert_all(l) && settle(l, soft_rho, LAST_POINTS);
}
