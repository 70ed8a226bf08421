/// The mechanism: links, joints, frames, shapes and loop closures. A builder gathers them, from calls (mechanism.h) or
/// from files (model_files.h), and compiles them into an immutable model, which this header reads.
#pragma once
#include <sarrus/mechanism.h>
#include <sarrus/model_files.h>

#ifdef __cplusplus
extern "C" {
#endif

void srs_model_destroy(srs_model *model);

// ---------------------------------------------------------------------------------------------------------------------
// The model. Indices start at 0; -1 stands for the world or for "none". Pointers stay valid as long as the model. None
// of these functions, nor of those of the configuration manifold, takes NULL for the model; they allocate nothing.
// ---------------------------------------------------------------------------------------------------------------------

/// A moving link, with all that fixed joints join to it. Joint k connects link k to its parent.
typedef struct srs_link {
  const char *name;
  int parent;        // index of the parent link, always smaller; -1: the world
  int subtree_end;   // links k … subtree_end - 1 are the subtree of this link
  double mass;       // kg, lumped
  double com[3];     // in the link's frame, m, lumped
  double inertia[6]; // I_xx I_yy I_zz I_xy I_xz I_yz about com, link's axes, kg m^2, lumped
} srs_link;

typedef struct srs_joint {
  const char *name; // "" for a nameless fixed joint that was kept
  srs_joint_kind kind;
  int q_index, nq; // its coordinates are q[q_index … q_index + nq - 1]
  int v_index, nv;
  srs_pose origin;                        // seen from the parent link's frame (the world's for a root)
  double axis[3];                         // unit, joint's frame; spherical: where it has a limit
  double axis2[3];                        // universal: unit
  double pitch;                           // helical, m/rad
  double max_swing, min_twist, max_twist; // spherical, about `axis`: as in srs_joint_def
} srs_joint;

/// A named placement on a link or on the world. Every link of the file is one, lumped or not.
typedef struct srs_frame {
  const char *name;
  int link;      // -1: the world
  srs_pose pose; // seen from the link's frame
} srs_frame;

typedef struct srs_shape {
  srs_shape_kind kind;
  const char *name; // "" for none
  // What results, filters and scenes call it: its name, or that of its link ("world"). Where several shapes that
  // collide would have one label they have .1, .2, ... after it, in their order. Of shapes that collide no two are the
  // same.
  const char *label;
  int frame;     // frame of the file's link that owns it, -1: the world
  srs_pose pose; // seen from that frame
  double size[3];
  double exponent[2];
  const char *file; // "" for none
  int part;
  bool is_visual;
  const double *points; // n_points x 3
  int n_points;
  const int *triangles; // n_triangles x 3
  int n_triangles;
  const double *heights; // n_rows x n_columns
  int n_rows, n_columns;
  unsigned group, mask;
  const char *material;              // "" for none
  int robot;                         // from 1, 0: of none
  srs_self_collision self_collision; // of that robot; of none SRS_SELF_COLLISION_OWN
} srs_shape;

typedef struct srs_closure {
  const char *name;
  srs_closure_kind kind;
  int link[2];      // of a and b; -1: the world
  srs_pose pose[2]; // the closure's frames seen from these links' frames, turned: their z is the axis (universal: y of
                    // a's is the axis, z of b's the second)
  unsigned rows;    // as in srs_closure_def, in the turned axes of a; 0 for a rod
  int n_rows;
  double length; // rod, m
  srs_motion motion;
  int motion_row;
  srs_loop_joint joint;
  bool is_embedded;
  const int *independent; // n_independent: indices of v
  int n_independent;
  const char *file; // where it was written; NULL, and 0, where that is unknown
  int line, column;
} srs_closure;

/// In the model's order a leader comes before its followers.
typedef struct srs_coupling {
  const char *name;
  int follower_q, follower_v; // indices
  int leader_q, leader_v;     // -1 for none
  bool is_angle;              // of the follower: rad, else m
  double coefficients[SRS_COUPLING_TERMS];
  srs_motion motion;
  const char *file; // as of a closure
  int line, column;
} srs_coupling;

int srs_model_n_links(const srs_model *model); // moving links, and joints, each
int srs_model_n_frames(const srs_model *model);
int srs_model_n_shapes(const srs_model *model);
int srs_model_nq(const srs_model *model);
int srs_model_nv(const srs_model *model);

int srs_model_n_closures(const srs_model *model);
int srs_model_n_couplings(const srs_model *model);

/// Closures and couplings together, closures first; each has constraint rows.
int srs_model_n_loops(const srs_model *model);
int srs_model_n_loop_rows(const srs_model *model);         // of all together
int srs_model_loop_rows(const srs_model *model, int loop); // 0 when out of range
const char *srs_model_loop_name(const srs_model *model, int loop);

/// NULL when the index is out of range.
const srs_link *srs_model_link(const srs_model *model, int link);
const srs_joint *srs_model_joint(const srs_model *model, int link);
const srs_frame *srs_model_frame(const srs_model *model, int frame);
const srs_shape *srs_model_shape(const srs_model *model, int shape);
const srs_closure *srs_model_closure(const srs_model *model, int closure);
const srs_coupling *srs_model_coupling(const srs_model *model, int coupling);

/// -1 when there is none of that name. O(log n).
int srs_model_find_link(const srs_model *model, const char *name); // moving links
int srs_model_find_joint(const srs_model *model, const char *name);
int srs_model_find_frame(const srs_model *model, const char *name); // every link of the file, and added frames
int srs_model_find_loop(const srs_model *model, const char *name);  // O(n)

/// Pairs of frames whose shapes never collide (srs_builder_exclude).
int srs_model_n_excluded(const srs_model *model);
bool srs_model_excluded(const srs_model *model, int index, int *frame_a, int *frame_b); // false when out of range

/// The name of one coordinate, as files and messages have it; NULL when out of range.
const char *srs_model_q_name(const srs_model *model, int index);
const char *srs_model_v_name(const srs_model *model, int index);
int srs_model_find_q(const srs_model *model, const char *name);
int srs_model_find_v(const srs_model *model, const char *name);
const char *srs_model_q_unit(const srs_model *model, int index); // "rad", "m" or "1"
const char *srs_model_v_unit(const srs_model *model, int index); // "rad/s" or "m/s"

/// Arrays over all coordinates, nv long each (see srs_joint_def).
const double *srs_model_armature(const srs_model *model);
const double *srs_model_damping(const srs_model *model);
const double *srs_model_stiffness(const srs_model *model);
const double *srs_model_friction(const srs_model *model);
const double *srs_model_lower(const srs_model *model);
const double *srs_model_upper(const srs_model *model);
const double *srs_model_max_effort(const srs_model *model);
const double *srs_model_max_velocity(const srs_model *model);
const double *srs_model_reference(const srs_model *model); // nq
const double *srs_model_neutral(const srs_model *model);   // nq: where a simulation starts by default

/// Mass of the links that can move, kg.
double srs_model_mass(const srs_model *model);

/// "FILE:LINE: text", in order; notes are among them.
int srs_model_n_warnings(const srs_model *model);
const char *srs_model_warning(const srs_model *model, int index);

/// Whether it is a note (srs_builder_note); false when out of range.
bool srs_model_is_note(const srs_model *model, int index);

// ---------------------------------------------------------------------------------------------------------------------
// The configuration manifold
// ---------------------------------------------------------------------------------------------------------------------

/// q_out = q moved along v for time h: added where coordinates are numbers, by the exponential map where they are
/// quaternions, which come out unit to rounding. q_out may be q. Allocates nothing.
/// @param q, q_out  nq   @param v  nv   @param h  s
void srs_integrate(const srs_model *model, const double *q, const double *v, double h, double *q_out);

/// The v (nv) with srs_integrate(q0, v, 1) = q1, rotations by the shorter way. Allocates nothing.
void srs_difference(const srs_model *model, const double *q1, const double *q0, double *v);

/// Scales q's quaternions to unit length.
/// @return false, q untouched, when one of them is shorter than 1e-9 or not finite
bool srs_normalise(const srs_model *model, double *q);

#ifdef __cplusplus
}
#endif
