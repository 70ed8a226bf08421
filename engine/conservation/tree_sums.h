// Mass centre, inertia and momentum of a tree that floats, in one sweep. Internal. Mathematics: tree_sums.c.
#pragma once
#include "engine/dynamics/workspace.h"

/// Mass, motion and inertia of a tree, in the axes of its root link; or of trees together, in the world's.
typedef struct mass_sum {
  sym3 inertia;        // about the centre
  vec3 angular;        // momentum, about the centre
  vec3 centre, linear; // both in the world's axes
  double mass;
} mass_sum;

/// The axes of a free root's six coordinates, in the world: of the linear ones, and of the angular ones, which are
/// those of the link; and its origin.
typedef struct srs_root_axes {
  mat3 linear, angular;
  vec3 origin;
  bool has_turn; // the linear ones are not the world's
} srs_root_axes;

/// A vector from the axes of the root's linear coordinates to those of the world, and back.
SRS_INLINE vec3 linear_to_world(const srs_root_axes *axes, vec3 a)
{
  return axes->has_turn ? rotate(axes->linear, a) : a;
}
SRS_INLINE vec3 linear_from_world(const srs_root_axes *axes, vec3 a)
{
  return axes->has_turn ? rotate_back(axes->linear, a) : a;
}

typedef double two __attribute__((vector_size(16)));

/// What lies beyond a joint, in the axes of its link and about its origin: first moment B, second moments S, and the
/// momentum of its motion relative to the link, linear p and angular l. Pairs are the x and y of vectors.
typedef struct srs_link_sum {
  two p, l, pl_z;    // the last: (p_z, l_z)
  two b, s, square;  // B, (S_xz, S_yz), (S_xx, S_yy)
  double bz, zz, xy; // B_z, S_zz, S_xy
} srs_link_sum;

/// A vector, by the pairs that its products take.
typedef struct srs_arm {
  two flat, across; // (x, y), (y, -x)
  two up, turned;   // (z, z), (-z, z)
} srs_arm;

/// How a hinge's axis lies to that of its parent.
typedef enum srs_twist { SRS_TWIST_NONE, SRS_TWIST_SQUARE, SRS_TWIST_ANY } srs_twist;

/// A joint's step inwards. A hinge turns about z by `swing`, about x by `twist`, about z by `start` and its own angle.
/// Angles are (cosine, sine).
typedef struct srs_joint_step {
  const srs_link_sum *base; // what the parent has so far
  srs_link_sum *to;         // the parent's
  bool is_first;            // of the parent's children: the parent is next
  bool is_hinge, has_swing;
  int v, angle; // of a hinge
  srs_twist twist;
  two start, swing;
  two twist_cosine, twist_sine; // both lanes alike
  srs_arm arm;                  // from the parent's origin
} srs_joint_step;

/// The frames of a model's links, and memory for a sweep.
typedef struct srs_tree_frames {
  const srs_model *model;
  double *mass;         // n_links: of each link and all beyond it
  two *heading;         // n_links: by which the axes are turned about z from those of the model, (cosine, sine)
  srs_joint_step *step; // n_links
  srs_link_sum *own;    // n_links: of the link alone, with the masses beyond its hinges at their origins
  srs_link_sum *sum;    // n_links: scratch
  v6 *column;           // nv: scratch
} srs_tree_frames;

/// Fills the frames from the model; the arrays are there.
void srs_tree_frames_prepare(srs_tree_frames *frames);

/// The sums at (q, v) of the tree with this root on a free joint; w has the sines and cosines of q's angles.
/// @param axes  in: the linear ones, which are the model's; out: the others
void srs_sum_tree(const srs_tree_frames *frames, const srs_workspace *w, int root, const double *q, const double *v,
                  srs_root_axes *axes, mass_sum *sum);
