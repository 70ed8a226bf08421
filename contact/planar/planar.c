// Which impulses solve a large problem of planar contacts, heaps above all?
//
// In heaps with friction Newton's method ends at contacts that can neither stick nor slide, from nearly every start.
// A path from the relaxed law to the exact one comes first (contact/large/law_path.h): where it arrives, the modes of
// nearly all contacts are known. Where not, three methods bring each other on:
//
//   relaxed problems   with b_n + mu |w_t| of the last one for b_n: convex, solved at once as a whole (Acary, Cadoux,
//                      Lemarechal & Malick 2011). A few rounds, of half their length, settle the heap's forces, but for
//                      some contacts they go on to and fro
//   sweeps             over the contacts, each solved alone with the law itself. They settle these, and need thousands
//                      for what is wrong over long distances
//   paths              through the modes of contacts (mode_path.h). From where the rest is small they often arrive;
//                      else they end nearer, and sweeps go on from there
//
// and again: the velocities at the end are those that the next relaxed problem starts from.
#include "contact/planar/planar.h"
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/mncp.h"
#include "contact/planar/mode_path.h"

#include <string.h>

enum { ROUNDS = 8, SWEEPS = 2000 };              // before the first path
enum { PATHS = 20, IDLE = 4 };                   // until the next relaxed problem; that are no nearer
enum { MORE_SWEEPS = 1000, MOST_CHANGES = 300 }; // between paths; on one
static const double softness = 1e-6, softness_least = 1e-9, softness_most = 1e-4;

// From x, to x.
static bool follow(srs_fallback *l, double rho)
{
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  srs_cone_velocity(&l->cone, l->x, l->w);
  for (int i = 0; i < l->cone.n; i++) l->z[i] = l->w[i] - l->x[i];
  const bool arrives = srs_mode_path(&proximal, rho, MOST_CHANGES, l->z, &l->iterations);
  srs_mncp_impulse(&l->cone, l->z, l->x);
  return arrives;
}

static double natural_map(srs_fallback *l)
{
  srs_cone_velocity(&l->cone, l->x, l->w);
  return srs_cone_residual(&l->cone, l->x, l->w);
}

// Proximal points, from where a path arrived: each is a path of its own, of no change or a few.
static bool finish(srs_fallback *l)
{
  enum { MOST = 12 };
  double rho = 0.1 * softness;
  for (int k = 0; k < MOST; k++) {
    if (natural_map(l) <= l->answer) return true;
    memcpy(l->good, l->x, sizeof *l->x * (size_t)l->cone.n);
    if (follow(l, rho)) {
      rho = fmax(0.1 * rho, softness_least);
    } else {
      memcpy(l->x, l->good, sizeof *l->x * (size_t)l->cone.n);
      rho = fmin(10 * rho, softness_most);
    }
  }
  return false;
}

// As long as sweeps bring x nearer.
static bool arrive(srs_fallback *l)
{
  double best = INFINITY;
  for (int k = 0, idle = 0; k < PATHS && idle < IDLE; k++, idle++) {
    if (k > 0 && !srs_sweep_within(l, MORE_SWEEPS, l->x)) return false;
    const double here = natural_map(l);
    if (here < 0.8 * best) best = here, idle = 0;
    if (follow(l, softness) && finish(l)) return true;
  }
  return false;
}

// From near a solution: a path from there has no change of modes or a few.
static bool refine(srs_fallback *l) { return natural_map(l) <= l->answer || (follow(l, 0.1 * softness) && finish(l)); }

bool srs_planar_search(srs_fallback *l, srs_planar_relax *relax, void *data)
{
  const double *w = NULL;
  while (l->left > 0) {
    const srs_planar_start start = relax(data, ROUNDS, w, l->x);
    if (start == SRS_PLANAR_NEAR && refine(l)) return true;
    if (start == SRS_PLANAR_NONE || !srs_sweep_within(l, SWEEPS, l->x)) return false;
    if (arrive(l)) return true;
    srs_cone_velocity(&l->cone, l->x, l->w);
    w = l->w;
  }
  return false;
}
