/// What a mechanism is made of: links, joints, frames, shapes and loop closures, and the builder that gathers them,
/// from calls or from files, and compiles them into an immutable model.
///
/// Units are SI: m, kg, s, rad, N, N m. Frames are right-handed. A link's frame is its URDF frame: it coincides with
/// the joint's frame on the child side. Coordinates are named `<joint>` where a joint has one, else
/// `<joint>.<component>`:
///
///   | joint                 | q                       | v                                   |
///   |-----------------------|-------------------------|-------------------------------------|
///   | fixed                 |                         |                                     |
///   | revolute, continuous  | angle                   | rate                                |
///   | prismatic             | travel                  | rate                                |
///   | helical               | angle                   | rate (advance = pitch * angle)      |
///   | cylindrical           | angle z                 | angle z (both about and along axis) |
///   | universal             | angle1 angle2           | angle1 angle2                       |
///   | planar                | x y angle               | x y angle                           |
///   | spherical             | qw qx qy qz             | wx wy wz, in the link's axes        |
///   | free                  | x y z qw qx qy qz       | vx vy vz, of the link's origin in   |
///   |                       |                         | the parent-side axes; wx wy wz in   |
///   |                       |                         | the link's axes                     |
///
/// The angle of a continuous joint is never wrapped. Planar: with n the (normalised) axis, x runs along e1
/// and y along e2 = n x e1, where e1 is the coordinate axis that follows n's largest component in the cycle x y z, made
/// orthogonal to n. So the axis z has (x, y), x has (y, z), y has (z, x).
#pragma once
#include <sarrus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum srs_joint_kind {
  SRS_JOINT_FIXED,
  SRS_JOINT_REVOLUTE,
  SRS_JOINT_CONTINUOUS,
  SRS_JOINT_PRISMATIC,
  SRS_JOINT_HELICAL,
  SRS_JOINT_CYLINDRICAL,
  SRS_JOINT_UNIVERSAL,
  SRS_JOINT_SPHERICAL,
  SRS_JOINT_PLANAR,
  SRS_JOINT_FREE,
} srs_joint_kind;

enum { SRS_JOINT_KINDS = SRS_JOINT_FREE + 1, SRS_MAX_JOINT_NQ = 7, SRS_MAX_JOINT_NV = 6 };

/// "fixed", "revolute", …; the words that scene files use.
const char *srs_joint_kind_name(srs_joint_kind kind);

// ---------------------------------------------------------------------------------------------------------------------
// Definitions for a builder
// ---------------------------------------------------------------------------------------------------------------------

/// One rigid link.
typedef struct srs_link_def {
  const char *name;           // unique among links and frames; copied
  double mass;                // kg, 0 or 1e-40 to 1e40
  double com[3];              // centre of mass in the link's frame, m
  double inertia[6];          // I_xx I_yy I_zz I_xy I_xz I_yz about the centre of mass, kg m^2
  double inertia_rotation[9]; // axes in which `inertia` is written, seen from the link's frame, rows first
} srs_link_def;

/// No name, no mass, axes aligned with the link's.
srs_link_def srs_default_link_def(void);

/// One joint between two links. Arrays run over the joint's coordinates in the order of the table above.
typedef struct srs_joint_def {
  const char *name; // unique among joints; copied; may be NULL for a fixed joint
  srs_joint_kind kind;
  const char *parent; // name of a link, NULL for the world
  const char *child;  // name of a link
  srs_pose origin;    // the joint's frame seen from the parent's
  double axis[3];     // in the joint's frame, any length above 1e-9; planar: the plane's normal; universal: the first
                      // axis; spherical: that of max_swing and twists, in both frames, zero where max_swing
                      // bounds the whole rotation
  double axis2[3];    // universal: the second axis, fixed in the child, not parallel to the first
  double pitch;       // helical: advance per angle, m/rad
  double armature[SRS_MAX_JOINT_NV];  // rotor inertia, kg m^2 or kg, >= 0: adds to M's diagonal and to nothing else
  double damping[SRS_MAX_JOINT_NV];   // N m s/rad or N s/m, >= 0
  double stiffness[SRS_MAX_JOINT_NV]; // N m/rad or N/m, >= 0
  double reference[SRS_MAX_JOINT_NQ]; // rest position of the spring: coordinates q
  double friction[SRS_MAX_JOINT_NV];  // dry friction, N m or N, >= 0
  double lower[SRS_MAX_JOINT_NV], upper[SRS_MAX_JOINT_NV];             // of q where nq = nv, -+INFINITY for none
  double max_effort[SRS_MAX_JOINT_NV], max_velocity[SRS_MAX_JOINT_NV]; // of actuators; INFINITY for none
  // Limits of a spherical joint, rad. Swing: the largest angle between the child's axis and the parent's, in (0, pi),
  // INFINITY for none. Twist: the rotation about that axis once the swing is undone, both in (-pi, pi), -+INFINITY for
  // none.
  double max_swing, min_twist, max_twist;
} srs_joint_def;

/// Revolute about x at the parent's origin; no armature, damping, spring, friction or limits; reference at the neutral
/// configuration (zero; quaternion 1 0 0 0).
srs_joint_def srs_default_joint_def(srs_joint_kind kind);

typedef enum srs_shape_kind {
  SRS_SHAPE_SPHERE,         // size: radius
  SRS_SHAPE_BOX,            // size: full lengths x y z
  SRS_SHAPE_CYLINDER,       // size: radius, full length along z
  SRS_SHAPE_CAPSULE,        // size: radius, length of the straight part along z
  SRS_SHAPE_MESH,           // size: scale x y z; file holds the path. Drawn only, if it is visual; else a mesh that was
                            // not found, and srs_sim_create refuses the model. Scenes make hulls or a surface of it
  SRS_SHAPE_HALF_SPACE,     // all of z <= 0 in its own frame
  SRS_SHAPE_CONE,           // size: radius of the base, full length along z; base at -length/2, apex at +length/2
  SRS_SHAPE_ELLIPSOID,      // size: semi-axes x y z
  SRS_SHAPE_HULL,           // the convex hull of its points
  SRS_SHAPE_TERRAIN,        // triangles of its points, counter-clockwise seen from outside; only on the world
  SRS_SHAPE_HEIGHTFIELD,    // heights over a grid; only on the world
  SRS_SHAPE_SUPERELLIPSOID, // size: semi-axes x y z; exponents p, q: all with N <= 1 (surfaces.h, srs_surface_kind)
  SRS_SHAPE_PARABOLOID, // size: radii of curvature along x and y at the vertex, height; vertex at the origin, base at
                        // z = -height
  SRS_SHAPE_POLYGON, // size: thickness, > 0. The prism on the convex hull of its points, half of it on either side of
                     // z = 0; in a mechanism that moves in that plane its contacts may be those of the plane
  SRS_SHAPE_SURFACE, // the solid, dented or not, that triangles of its points enclose; these as in terrain
} srs_shape_kind;

enum { SRS_SHAPE_KINDS = SRS_SHAPE_SURFACE + 1 };

/// "sphere", "half-space", …; the words that scene files use. NULL when there is no such kind.
const char *srs_shape_kind_name(srs_shape_kind kind);

/// A solid on a link, for collision or for drawing only.
typedef struct srs_shape_def {
  srs_shape_kind kind;
  const char *name;     // may be NULL; copied
  const char *link;     // name of a link, NULL for the world
  srs_pose pose;        // in the link's frame
  double size[3];       // m; of a hull, terrain or surface with a file: the scale of that mesh
  double exponent[2];   // superellipsoids: across z and along it, each >= 2
  const char *file;     // meshes: the path, copied. Hulls, terrain and surfaces: that of the mesh that their points are
                        // of, for what writes models; NULL for none
  int part;             // hulls with a file: which of the mesh's convex parts, from 1; 0: the hull of all
  bool is_visual;       // drawn only, never collides
  const double *points; // hulls, terrain, surfaces, polygons (z = 0): n_points x 3, m, in the shape's frame; copied
  int n_points;
  const int *triangles; // terrain, surfaces: n_triangles x 3, indices into points; copied
  int n_triangles;
  const double *heights; // heightfields: n_rows x n_columns, m, rows along y, columns along x; copied
  int n_rows,
      n_columns; // each >= 2; size[0], size[1]: spacing along x and y; the grid's middle is at the frame's origin
  unsigned group, mask; // two shapes meet if (a.group & b.mask) != 0 and (b.group & a.mask) != 0. Default 1, all bits
  const char *material; // name of a material, copied; NULL for none
} srs_shape_def;

/// A shape of no size on the world, identity pose, exponents 2, group 1, all masks; nothing else.
srs_shape_def srs_default_shape_def(srs_shape_kind kind);

/// How shapes of one robot collide with each other, as far as other filters let them (srs_collider_options). A robot is
/// what one file, one model of a scene, or srs_builder_end_robot makes one.
typedef enum srs_self_collision {
  SRS_SELF_COLLISION_OWN,  // of a collider's options: as each robot says; of a robot: all pairs
  SRS_SELF_COLLISION_ALL,  // all pairs
  SRS_SELF_COLLISION_AUTO, // all but those of one tree that overlap by more than 1 um in the neutral configuration.
                           // Joints to the world and free joints join no trees
  SRS_SELF_COLLISION_NONE, // none
} srs_self_collision;

enum { SRS_SELF_COLLISIONS = SRS_SELF_COLLISION_NONE + 1 };

// Constraints beside the joints of the tree. Loops are closures and couplings together, closures first.

typedef enum srs_motion_kind {
  SRS_MOTION_NONE,
  SRS_MOTION_RATE,     // start + rate t
  SRS_MOTION_SINE,     // start + amplitude sin(frequency t + phase)
  SRS_MOTION_TABLE,    // start + values, linear between the points, constant before the first and after the last
  SRS_MOTION_FUNCTION, // start + the caller's function
} srs_motion_kind;

enum { SRS_MOTION_KINDS = SRS_MOTION_FUNCTION + 1 };

enum { SRS_COUPLING_TERMS = 5 }; // of polynomials

/// A prescribed motion: a position over time (m or rad; MJ, eq. 15).
typedef struct srs_motion {
  srs_motion_kind kind;
  double start;            // at time 0
  double rate;             // of SRS_MOTION_RATE, per second
  double amplitude;        // of SRS_MOTION_SINE
  double frequency, phase; // likewise, rad/s and rad
  const double *times;     // of SRS_MOTION_TABLE: n_points, s, rising; copied
  const double *values;    // n_points; copied
  int n_points;            // 2 or more
  double (*function)(const void *context, double time, double *rate); // called by every thread that steps the model
  const void *context;                                                // passed on; must outlive the model
} srs_motion;

/// Position and rate at a time; rate may be NULL. At a point of a table, the rate of the segment after it.
double srs_motion_at(const srs_motion *motion, double time, double *rate);

typedef enum srs_closure_kind {
  SRS_CLOSURE_POINT,     // the origins coincide: 3 rows
  SRS_CLOSURE_REVOLUTE,  // and so do the axes: 5
  SRS_CLOSURE_WELD,      // the frames coincide: 6
  SRS_CLOSURE_PRISMATIC, // only travel along the axis of a stays free: 5
  SRS_CLOSURE_ROD,       // the origins keep their distance (a distance constraint): 1
  SRS_CLOSURE_PLANAR,    // b's origin stays in a's plane, whose normal is the axis, and the axes are parallel: 3
  SRS_CLOSURE_UNIVERSAL, // the origins coincide, a's axis stays at right angles to b's second axis: 4
  SRS_CLOSURE_ROWS,      // those of a mask
  SRS_CLOSURE_TENDON,    // no frames: a sum of coordinates, which is free (0 rows) or held (1)
} srs_closure_kind;

enum { SRS_CLOSURE_KINDS = SRS_CLOSURE_TENDON + 1, SRS_TENDON_TERMS = 16 };

/// "point", "revolute", "weld", "prismatic", "rod", "planar", "universal", "rows", "tendon"; "none", "rate", "sine",
/// "table", "function". The words that scene files use. NULL when there is no such kind.
const char *srs_closure_kind_name(srs_closure_kind kind);
const char *srs_motion_kind_name(srs_motion_kind kind);

/// What acts on the coordinate that a revolute closure (an angle) or a prismatic closure (a travel) leaves free, or on
/// the length of a tendon. It is the same as for a joint of the tree, so that a loop may be cut at any of its joints.
typedef struct srs_loop_joint {
  double lower, upper;             // rad or m, -+INFINITY for none
  double friction;                 // dry, N m or N, >= 0
  double damping;                  // N m s/rad or N s/m, >= 0
  double stiffness, reference;     // N m/rad or N/m, >= 0; where the spring is at rest
  double armature;                 // rotor inertia, kg m^2 or kg, >= 0
  double max_effort, max_velocity; // of its actuator; INFINITY for none
} srs_loop_joint;

/// A term of a tendon's length: coefficient times a coordinate outside a quaternion.
typedef struct srs_tendon_term {
  const char *coordinate; // a coordinate's name
  double coefficient;     // not 0
} srs_tendon_term;

/// A tendon over joints, as over pulleys: its length is L = sum coefficient q. It is free, and then has what a loop
/// joint has; or it is held at L = sum_k polynomial[k] L2^k, L2 being the length of a second one, which may be empty.
typedef struct srs_tendon_def {
  const srs_tendon_term *terms;   // n_terms, of L; copied
  const srs_tendon_term *leaders; // n_leaders, of L2; copied. Both together at most SRS_TENDON_TERMS
  int n_terms, n_leaders;
  bool is_held;
  double polynomial[SRS_COUPLING_TERMS]; // constant first; only where it is held
} srs_tendon_def;

/// A loop closure: a joint between two links of the tree. It holds a frame b to a frame a. Each end is a frame (a link,
/// or one that was added) and a placement seen from it; the two must not be on one body.
typedef struct srs_closure_def {
  const char *name; // unique among loops; copied
  srs_closure_kind kind;
  const char *frame_a, *frame_b; // NULL: the world
  srs_pose pose_a, pose_b;       // the closure's frame, seen from these
  double axis[3];  // revolute, prismatic, planar: in both of the closure's frames; universal: in a's; of any length
  double axis2[3]; // universal: in b's
  double length;   // rod: m, > 0
  unsigned rows;   // of SRS_CLOSURE_ROWS, a's axes: bit 0-2 angular x y z, bit 3-5 linear x y z. Two angular rows keep
                   // the third axes parallel; one, x, keeps y of a and z of b at right angles (y: z, x; z: x, y)
  srs_motion motion;    // added to what one row keeps (zero, or the rod's length)
  int motion_row;       // which of the closure's rows, from 0: angular before linear
  srs_loop_joint joint; // revolute, prismatic: what acts on the free coordinate; other kinds: the default
  bool embed;           // constraint embedding: no rows in a step, see srs_embedded_acceleration. Not with a motion
  const char *const *independent; // n_independent: coordinates of v on the loop, or joints for all of theirs, that
                                  // determine the others; only with embed; copied
  int n_independent;
  srs_tendon_def tendon; // of SRS_CLOSURE_TENDON: neither frames nor a motion, and not embedded
} srs_closure_def;

/// Axis z, second axis x, identity placements, no motion, not embedded; no limits, friction, damping, spring or
/// armature.
srs_closure_def srs_default_closure_def(srs_closure_kind kind);

/// Couples one coordinate to another (mimic joint, gear), or to time: q_follower = sum_k coefficients[k] q_leader^k +
/// motion. Both may be any coordinate outside a quaternion: angles, travel, x y z of a free joint. Between two angles
/// it is a gear, between an angle and a travel a rack. A coordinate follows at most one leader; a follower may lead
/// others.
typedef struct srs_coupling_def {
  const char *name;                        // unique among loops; copied; NULL: the follower's
  const char *follower;                    // a coordinate's name
  const char *leader;                      // likewise; NULL: follows the motion alone
  double coefficients[SRS_COUPLING_TERMS]; // offset first, then the ratio
  srs_motion motion;
} srs_coupling_def;

/// Ratio 1, no offset, no motion.
srs_coupling_def srs_default_coupling_def(void);

// ---------------------------------------------------------------------------------------------------------------------
// The builder
// ---------------------------------------------------------------------------------------------------------------------

/// Gathers a mechanism in any order; checked as a whole by srs_builder_build. One thread at a time.
typedef struct srs_builder srs_builder;

/// A compiled mechanism, immutable. Any number of threads may read it without a lock.
typedef struct srs_model srs_model;

/// An empty builder, NULL when out of memory.
srs_builder *srs_builder_create(void);
void srs_builder_destroy(srs_builder *builder);

/// Sets the place that later additions come from, for messages. file NULL, line 0: unknown. The name is copied.
void srs_builder_set_location(srs_builder *builder, const char *file, int line, int column);

/// Each adds one item and checks it by itself: finite numbers, a new name, mass >= 0, an axis that is not zero.
/// Building looks up the names of parents and children and validates the inertias. Allocates.
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _NOT_FINITE, _NAME, _MODEL or _MEMORY
srs_status srs_builder_add_link(srs_builder *builder, const srs_link_def *def, srs_error *error);
srs_status srs_builder_add_joint(srs_builder *builder, const srs_joint_def *def, srs_error *error);
srs_status srs_builder_add_shape(srs_builder *builder, const srs_shape_def *def, srs_error *error);

/// Adds a named placement on a link (NULL: on the world). Frames and links share one set of names.
srs_status srs_builder_add_frame(srs_builder *builder, const char *name, const char *link, const srs_pose *pose,
                                 srs_error *error);

/// Adds a closure, or a coupling of coordinates. Building looks up frames and coordinates, and rejects couplings that
/// form a cycle.
srs_status srs_builder_add_closure(srs_builder *builder, const srs_closure_def *def, srs_error *error);
srs_status srs_builder_add_coupling(srs_builder *builder, const srs_coupling_def *def, srs_error *error);

/// Says that the shapes of two links never collide, unless they are included by name (srs_collider_options). Building
/// looks the links up. Allocates.
/// @param a, b  names of links   @return SRS_OK, SRS_ERROR_ARGUMENT or _MEMORY
srs_status srs_builder_exclude(srs_builder *builder, const char *a, const char *b, srs_error *error);

/// Makes one robot of the shapes on links that were added since the last one was made; shapes on the world are of none.
/// Robot files do this themselves (srs_load_options.self_collision). Shapes of no robot collide like those of different
/// ones.
void srs_builder_end_robot(srs_builder *builder, srs_self_collision self_collision);

/// Adds a warning at the current location; the model keeps it. printf-like, of any length; control characters become
/// spaces.
srs_status srs_builder_warn(srs_builder *builder, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/// Adds a note: a warning that a strict build does not reject. For what is kept without being used (meshes that are
/// drawn only) and for values read in the only way that makes sense (an effort limit of 0).
srs_status srs_builder_note(srs_builder *builder, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

typedef struct srs_build_options {
  bool keep_fixed_joints;        // every fixed joint stays a joint without coordinates. Default false
  bool strict;                   // a warning is an error, a note (srs_builder_note) is not. Default false
  bool allow_impossible_inertia; // an inertia that breaks the triangle inequality is a warning, with its numbers, not
                                 // an error. Default false
} srs_build_options;

srs_build_options srs_default_build_options(void);

/// Checks the whole and compiles it: each link has one parent, there is no cycle, every chain ends at the world, and
/// every joint carries inertia (a massless link is legal where the articulated-body inertia on each axis stays
/// positive). Links that fixed joints join are lumped into one, exactly, and remain as frames. Order: depth first,
/// siblings in the order in which they were added.
///
/// Each such body must have a possible inertia: a mass, moments that are not negative, none above the sum of the others
/// (to 1e-5 of the largest). A link that violates this inside a body that does not causes a warning. With
/// allow_impossible_inertia a moment above the sum of the others is a warning too; the body then moves as its numbers
/// say.
/// @param options  NULL for the default
/// @param model    out: to be freed by srs_model_destroy; NULL on failure. The builder is left as it was.
/// @return SRS_OK, SRS_ERROR_NAME, _MODEL or _MEMORY. Allocates.
srs_status srs_builder_build(const srs_builder *builder, const srs_build_options *options, srs_model **model,
                             srs_error *error);

#ifdef __cplusplus
}
#endif
