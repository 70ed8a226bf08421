// Which impulses solve a large problem of planar contacts, heaps above all?
//
// In heaps with friction Newton's method ends at contacts that can neither stick nor slide, from nearly every start.
// Four methods bring each other on:
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

enum { ROUNDS = 4, SWEEPS = 2000 };                          // before the first path
enum { PATHS = 20, MORE_SWEEPS = 1000, MOST_CHANGES = 300 }; // until the next relaxed problem; between paths; on one
static const double softness = 1e-6, softness_end = 1e-9;

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

static bool sweep(srs_fallback *l, int sweeps)
{
  l->left -= 2.0 * sweeps * srs_cone_numbers(&l->cone);
  return l->left > 0 && srs_gauss_seidel(&l->cone, sweeps, l->x);
}

static bool arrive(srs_fallback *l)
{
  for (int k = 0; k < PATHS && (k == 0 || sweep(l, MORE_SWEEPS)); k++) {
    if (!follow(l, softness)) continue;
    for (double rho = 0.1 * softness; rho > softness_end; rho *= 0.1) {
      srs_cone_velocity(&l->cone, l->x, l->w);
      if (srs_cone_residual(&l->cone, l->x, l->w) <= l->answer || !follow(l, rho)) break;
    }
    return true;
  }
  return false;
}

bool srs_planar_search(srs_fallback *l, srs_planar_relax *relax, void *data)
{
  const double *w = NULL;
  while (l->left > 0) {
    if (!relax(data, ROUNDS, w, l->x) || !sweep(l, SWEEPS)) return false;
    if (arrive(l)) return true;
    srs_cone_velocity(&l->cone, l->x, l->w);
    w = l->w;
  }
  return false;
}
