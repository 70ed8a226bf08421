// The compiled mechanism: flat arrays that the recursions read. Internal; engine/ reads it, nothing writes to it after
// building.
//
// Every link has, beside its own frame (the file's), a TURNED frame with the same origin, whose z axis is the joint's
// axis: B = [e1 e2 n] are the turned axes seen from the link's. Spherical, free and fixed joints have B = 1. With T, o
// the joint's origin seen from the parent's link frame, the recursions place the turned frame as
//
//   R_k = R_p turn_k J(q),  p_k = p_p + R_p (offset_k + turn_k d(q)),   turn_k = B_p^T T B_k,  offset_k = B_p^T o
//
// with J, d of the joint kind: revolute J = Rz(angle); prismatic d = (0, 0, q); helical both, d = (0, 0, pitch angle);
// cylindrical both; planar J = Rz(angle), d = (x, y, 0); spherical J = R(quaternion); free both, d = (x, y, z);
// universal J = Rz(angle1) turn2 Rz(angle2), where turn_k has the first axis' B1 in place of B_k, turn2 = B1^T B2 and
// B_k = B2.
#pragma once
#include "topology/base/spatial.h"
#include "topology/model/file_settings.h"
#include <sarrus/topology.h>

// Where a closure's two frames are, seen from the turned frames of their links (from the world for -1).
typedef struct srs_closure_ends {
  vec3 offset[2];
  mat3 axes[2];
  int part[2]; // the link of the file that each is on, as a frame; -1: the world
} srs_closure_ends;

// Rotations that cost less than others, as exactly as they are stored. Joints along the axes of their files' frames
// leave the first three.
typedef enum srs_turn_way {
  SRS_TURN_NONE,
  SRS_TURN_FORTH, // its columns are y z x
  SRS_TURN_BACK,  // z x y
  SRS_TURN_ABOUT_X,
  SRS_TURN_ANY,
} srs_turn_way;

struct srs_model {
  int n_links, n_frames, n_shapes, n_warnings;
  int n_closures, n_couplings, n_loop_rows;
  int most_row_sides; // of a row of a loop, a limit or a friction: the most links and coordinates, at least 4
  int nq, nv;
  int n_angles;
  double mass;                 // of the moving links, kg
  bool has_impossible_inertia; // moments that no body has, or none where there must be some, of a file that may
  srs_error obstacle;          // why no simulation can be made of it; status SRS_OK for none
  bool is_bare;                // nothing resists the joint of bare_link, in any configuration
  int bare_link;

  // Per link, parents first, subtrees contiguous.
  const unsigned char *kind; // n_links: srs_joint_kind
  const int *parent;         // n_links: -1 for the world
  const int *subtree_end;    // n_links
  const int *q_index;        // n_links: first of its q
  const int *v_index;        // n_links + 1: first of its v; one past the last at the end
  const int *first_angle;    // n_links: index of its first angle, among n_angles
  const mat3 *turn;          // n_links
  const unsigned char *way;  // n_links: srs_turn_way, what `turn` is
  const vec3 *offset;        // n_links, m
  const mat3 *turn2;         // n_links: universal, else identity
  const double *pitch;       // n_links: helical, else 0
  const double *inertia;     // n_links x 10, turned axes, about the origin: m, m c (3), I_xx I_yy I_zz I_xy I_xz I_yz
  const mat3 *link_axes;     // n_links: the link's own axes seen from the turned frame, B^T

  // Angles: the entries of q whose sine and cosine the kinematics need, in link order.
  const int *angle_q; // n_angles: index into q

  // Per frame.
  const int *frame_link;    // n_frames: -1 for the world
  const vec3 *frame_offset; // n_frames: origin in the turned frame of its link (in the world for -1)
  const mat3 *frame_axes;   // n_frames: its axes likewise

  // Rigid bodies as the file's fixed joints join its links, whether lumped or kept, and what carries them. The world
  // itself is none of them, so two robots that are welded to it are two bodies.
  const int *frame_body;    // n_frames: frame of the body's first link; -1: the frame is on the world itself
  const int *frame_carrier; // n_frames: the body that its body hangs on by a joint that holds it; -1: none, the world
                            // itself, or a free joint
  const bool *frame_is_static; // n_frames: no joint moves it

  // Parts: the links of the file, lumped or not. Part i is frame i, parents come first.
  int n_parts;
  const int *part_parent;     // n_parts: -1 for the world
  const double *part_inertia; // n_parts x 10, the part's own axes, about its origin: as `inertia`
  const int *part_of_frame;   // n_frames: -1 for the world

  // Per coordinate.
  const int *link_of_v;                                                                                // nv
  const double *armature, *damping, *stiffness, *friction, *lower, *upper, *max_effort, *max_velocity; // nv
  const double *reference, *neutral;                                                                   // nq
  bool has_springs, has_damping;

  // Loops.
  const srs_closure *closures;          // n_closures
  const srs_closure_ends *closure_ends; // n_closures
  const srs_coupling *couplings;        // n_couplings

  const int *excluded; // n_excluded x 2: frames whose shapes never collide
  int n_excluded;

  // What the public getters show.
  const srs_link *links;   // n_links
  const srs_joint *joints; // n_links
  const srs_frame *frames; // n_frames
  const srs_shape *shapes; // n_shapes
  const char *const *q_names, *const *v_names;
  const char *const *warnings; // n_warnings
  const bool *is_note;         // n_warnings

  // Index orders sorted by name, for searching.
  const int *links_by_name, *joints_by_name, *frames_by_name, *q_by_name, *v_by_name;

  const struct srs_builder *source; // the definitions it was built from (builder/source.h)
  srs_file_settings file;           // what the file says beyond the mechanism

  void *memory; // everything above
};

/// The link whose joint has q's entry `index`, which must be within nq. O(log n).
int srs_link_of_q(const srs_model *model, int index);

/// Whether a link's joint is on the way round a loop: it carries one end and not the other.
bool srs_is_on_loop(const srs_model *model, const srs_closure *closure, int link);
