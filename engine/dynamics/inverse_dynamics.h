// Inverse dynamics: what its passes link by link and those by levels share. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

typedef struct motion {
  vec3 w, alpha, a;
} motion;

typedef struct link_wrench {
  vec3 n, f;
} link_wrench;

// A vector of each of four links.
typedef struct lanes3 {
  lanes x, y, z;
} lanes3;

SRS_INLINE lanes3 lanes3_load(const double from[3][LANES])
{
  return (lanes3){lanes_load(from[0]), lanes_load(from[1]), lanes_load(from[2])};
}
SRS_INLINE void lanes3_store(double to[3][LANES], lanes3 a)
{
  lanes_store(to[0], a.x), lanes_store(to[1], a.y), lanes_store(to[2], a.z);
}
SRS_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b)
{
  return (lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SRS_INLINE lanes3 lanes3_add_cross(lanes3 a, lanes3 b, lanes3 r)
{
  return (lanes3){a.x + b.y * r.z - b.z * r.y, a.y + b.z * r.x - b.x * r.z, a.z + b.x * r.y - b.y * r.x};
}

typedef struct inertias {
  lanes mass;
  lanes3 h;
  lanes xx, yy, zz, xy, xz, yz;
} inertias;

SRS_INLINE lanes3 inertias_times(const inertias *I, lanes3 a)
{
  return (lanes3){I->xx * a.x + I->xy * a.y + I->xz * a.z, I->xy * a.x + I->yy * a.y + I->yz * a.z,
                  I->xz * a.x + I->yz * a.y + I->zz * a.z};
}

// The force that each body needs for its motion: F = [I alpha + w x I w + h x a; m a + alpha x h + w x (w x h)].
SRS_INLINE lanes3 torque_of(const inertias *I, lanes3 spin, lanes3 alpha, lanes3 a)
{
  return lanes3_add_cross(lanes3_add_cross(inertias_times(I, alpha), spin, inertias_times(I, spin)), I->h, a);
}
SRS_INLINE lanes3 force_of(const inertias *I, lanes3 spin, lanes3 alpha, lanes3 a)
{
  const lanes3 f = lanes3_add_cross((lanes3){I->mass * a.x, I->mass * a.y, I->mass * a.z}, alpha, I->h);
  return lanes3_add_cross(f, spin, lanes3_cross(spin, I->h));
}

/// inverse_dynamics.c: the motion of link k with any joint, from its parent's, in its own axes.
/// @param c  in: the parent's; out: the link's
void srs_move_anyhow(srs_workspace *w, int k, const double *q, const double *v, const double *a, motion *c);

/// Projects a force on the coordinates of any joint, and passes it to the parent.
/// @param force  in: the link's; out: on the parent, in its axes   @return 0, NaN where not finite
double srs_pass_anyhow(srs_workspace *w, int k, const double *a, double *tau, link_wrench *force);

/// engine/levels/passes/inverse_dynamics.c: the passes where w->levels orders the links. Outward, with the force that
/// each link needs by itself; and inward.  @return 0, NaN where not finite
void srs_level_motions_out(srs_workspace *w, const double *q, const double *v, const double *a);
double srs_level_forces_in(srs_workspace *w, const double *q, const double *a, double *tau);
