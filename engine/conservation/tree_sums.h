// Mass centre, inertia and momentum of a tree that floats, in one sweep. Internal. Mathematics: tree_sums.c.
#pragma once
#include "engine/dynamics/workspace.h"

/// Mass, motion and inertia of a tree, or of trees together.
typedef struct mass_sum {
  m3 inertia;  // about the centre
  v6 momentum; // angular about the centre
  v3 centre;   // in the world
  double mass;
} mass_sum;

/// The axes of a free root's six coordinates, in the world: of the linear ones, of the angular ones; and its origin.
typedef struct srs_root_axes {
  m3 linear, angular;
  v3 origin;
} srs_root_axes;

typedef double two __attribute__((vector_size(16)));

/// What lies beyond a joint, in the axes of its link and about its origin: momentum in motion relative to the link, first
/// moment B, and inertia I, as the pairs that turn alike.
typedef struct srs_link_sum {
  two momentum[3]; // x, y, z: (linear, angular)
  two x, y, z;     // (B_x, I_xz), (B_y, I_yz), (B_z, I_zz)
  two across;      // ((I_xx - I_yy) / 2, I_xy)
  double mean;     // (I_xx + I_yy) / 2
} srs_link_sum;

/// A hinge's placement: turn z by `swing`, x by `twist`, z by the hinge's angle plus `start`. Pairs are (cosine, sine).
typedef struct srs_hinge_frame {
  vec3 arm;                 // from the parent's origin
  two start, twist, twist2; // the last: of twice the angle
  two swing;
  bool has_swing;
} srs_hinge_frame;

/// The frames of a model's links, and memory for a sweep.
typedef struct srs_tree_frames {
  const srs_model *model;
  double *mass;           // n_links: of each link and all beyond it
  double *heading;        // n_links x 2: by which the axes are turned about z from those of the model, (cosine, sine)
  srs_hinge_frame *hinge; // n_links
  srs_link_sum *own;      // n_links: of the link alone, with the masses beyond its hinges at their origins
  srs_link_sum *sum;      // n_links: scratch
  v6 *column;             // nv: scratch
} srs_tree_frames;

/// Fills the frames from the model; the arrays are there.
void srs_tree_frames_prepare(srs_tree_frames *frames);

/// The sums at (q, v) of the tree with this root on a free joint; w has the sines and cosines of q's angles.
void srs_sum_tree(const srs_tree_frames *frames, const srs_workspace *w, int root, const double *q, const double *v,
                  srs_root_axes *axes, mass_sum *sum);

/// m (|a|^2 1 - a a^T), the inertia of a point.
SRS_INLINE m3 point_inertia(double mass, v3 a)
{
  const double square = dot(a, a);
  const v3 n = mass * a;
  return (m3){mass * square * m3_identity.x - spread_x(a) * n, mass * square * m3_identity.y - spread_y(a) * n,
              mass * square * m3_identity.z - spread_z(a) * n};
}
