/// The mechanism: links, joints, frames, shapes and loop closures. A builder gathers them, from calls or from files,
/// and compiles them into an immutable model.
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
  double mass;                // kg, >= 0
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
  SRS_SHAPE_HULL,           // the convex hull of its points; of a mesh: file holds its path, size its scale
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
  double size[3];       // m
  double exponent[2];   // superellipsoids: across z and along it, each >= 2
  const char *file;     // meshes, and hulls of meshes: the path, copied; else NULL
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

enum { SRS_CLOSURE_KINDS = SRS_CLOSURE_TENDON + 1, SRS_TENDON_TERMS = 4 };

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

/// Adds a note: a warning that a strict build does not reject. For what this version keeps without using it (meshes
/// that were found) and for values read in the only way that makes sense (an effort limit of 0).
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

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

/// How the root link of a robot is attached to the world.
typedef enum srs_base_kind {
  SRS_BASE_FIXED,    // the root link is welded to the world
  SRS_BASE_FLOATING, // the root link gets a free joint named `root` (`root_1` where that name is taken, …)
} srs_base_kind;

/// What became of an element of a robot file in XML, or of one of its attributes.
typedef enum srs_item_state {
  SRS_ITEM_READ,   // a reader asked for it
  SRS_ITEM_KNOWN,  // known to have no effect (colours); what is in it is not visited
  SRS_ITEM_UNREAD, // nothing asked for it; what is in it is not visited
} srs_item_state;

typedef struct srs_file_item {
  const char *file;
  int line;
  const char *path;      // names of the elements from the root on: "robot/link/inertial"
  const char *attribute; // NULL for the element itself
  srs_item_state state;
} srs_file_item;

/// Called for an item of a file; the item and its texts live as long as the call.
typedef void (*srs_file_visit)(void *context, const srs_file_item *item);

typedef struct srs_load_options {
  srs_base_kind base;          // default SRS_BASE_FIXED
  srs_pose placement;          // of the root link in the world; floating: where it starts (neutral q). Default identity
  const char *prefix;          // put before every name, e.g. "left/"; NULL for none
  const char *const *packages; // "name=directory" for package:// addresses, ended by NULL; NULL for none
  srs_file_visit visit; // called in document order for every element and attribute of the file, when it has been read
                        // or refused. Default NULL
  void *visit_context;
  srs_self_collision self_collision; // default SRS_SELF_COLLISION_AUTO
  const char *srdf;   // a file whose `disable_collisions` are excluded (srs_builder_add_srdf); NULL for none
  const char *key;    // MJCF: name of the <key> that it starts at; NULL: as the file draws it
  bool allow_outside; // MJCF: <include> may name files outside the model's folder. Default false
  bool no_collision;  // shapes of the file are drawn only, and meshes to collide with may be missing. Default false
  bool allow_missing_meshes; // where a mesh to collide with is missing the rest collides. Default false
  double density; // kg/m^3, of the shapes to collide with of links that have no inertial: they get the mass and the
                  // inertia of these shapes, and a warning says so. 0: they have none. Default 0
  srs_build_options build;
} srs_load_options;

srs_load_options srs_default_load_options(void);

/// Reads a URDF file into a builder: links, inertials, joints of all URDF types, limits, dynamics, mimic, shapes;
/// meshes to collide with (.stl, .obj, .dae) as their convex hulls. docs/urdf.md lists every element. What has no
/// effect is reported as warnings with their line numbers. Several files may go into one builder. Network access and
/// entity expansion are off. Allocates.
///
/// Robot files often hold what a simulation cannot use. It is then a warning, and the model serves for what needs it
/// not: moments that no body has are taken as they are (the nearest possible ones are printed); where a mesh to collide
/// with is missing, or a joint moves nothing that has inertia, kinematics works and srs_sim_create refuses.
/// build.strict refuses all of these at once.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, or what adding returns; error names FILE:LINE
srs_status srs_builder_add_urdf(srs_builder *builder, const char *path, const srs_load_options *options,
                                srs_error *error);

/// Reads the pairs of links that do not collide from an SRDF file: `disable_collisions`, and
/// `disable_default_collisions` but for `enable_collisions`. What else such a file says has no effect. The links must
/// be in the builder; pairs with others are left out, with one warning. Allocates.
/// @param prefix  put before every name; NULL for none   @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY
srs_status srs_builder_add_srdf(srs_builder *builder, const char *path, const char *prefix, srs_error *error);

/// Reads an MJCF file (MuJoCo's format) into a builder: bodies with their joints, geoms, sites, masses; docs/mjcf.md
/// has it element by element. The file itself says how its bodies hang on the world: options->base must be
/// SRS_BASE_FIXED, and the placement is that of the file's world. What is not honoured is reported as warnings, one for
/// each kind. Included files lie in the model's folder unless options->allow_outside. Allocates.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, or what adding returns; error names FILE:LINE
srs_status srs_builder_add_mjcf(srs_builder *builder, const char *path, const srs_load_options *options,
                                srs_error *error);

/// Reads one robot file and builds it: URDF, or MJCF where the root element is <mujoco>. Allocates.  @param options
/// NULL for the default
srs_status srs_model_load(const char *path, const srs_load_options *options, srs_model **model, srs_error *error);

/// How a model is written to a file.
typedef struct srs_save_options {
  bool overwrite; // a file of that name is replaced. Default false: it stays, and that is an error
  void (*note)(void *context, const char *text); // called with a line for each kind of thing that the format cannot
                                                 // say and how it was written. Default NULL
  void *context;                                 // passed on
  bool model_only; // a scene: without gravity, step, actuators and velocities of the model's robot file. Default false
} srs_save_options;

srs_save_options srs_default_save_options(void);

/// Writes a model, from a file or from a builder, in the format of the path's ending: .urdf, or .yaml for a scene of
/// this model alone (docs/scene.md). What the format can say reads back as the same model to the bit: numbers are the
/// shortest that give the same double, rotations the roll, pitch and yaw (in scenes else the matrix) that give the same
/// nine entries. Files of meshes are named from the written file's folder where they lie in it, else by their whole
/// path. A scene can say all but motions that are functions; URDF one tree of its joint kinds with boxes, spheres,
/// cylinders, capsules and meshes. The file is written whole or not at all. Allocates.
/// @param options  NULL for the default
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _FILE (also: the name is taken), _UNSUPPORTED (another ending; a joint kind or a
///         motion that the format does not have) or _MEMORY
srs_status srs_model_save(const srs_model *model, const char *path, const srs_save_options *options, srs_error *error);

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

/// A tendon: the terms of its length, then those of the second one.
typedef struct srs_tendon {
  int n_terms, n_leaders; // together at most SRS_TENDON_TERMS
  int q[SRS_TENDON_TERMS], v[SRS_TENDON_TERMS];
  double coefficients[SRS_TENDON_TERMS];
  double polynomial[SRS_COUPLING_TERMS];
  bool is_held, is_angle; // is_angle: of its first coordinate
} srs_tendon;

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
  const srs_tendon *tendon; // NULL for other kinds, whose links are then -1
  const char *file;         // where it was written; NULL, and 0, where that is unknown
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

/// Whether a closure leaves a coordinate free that may be driven: a revolute or prismatic one, or a free tendon. NULL,
/// a coupling, does not. And whether that coordinate, or the row of a held tendon, is an angle.
bool srs_closure_has_coordinate(const srs_closure *closure);
bool srs_closure_turns(const srs_closure *closure);

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
