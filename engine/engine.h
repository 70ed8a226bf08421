/// How does it move? Kinematics and dynamics of a model at any state, and a simulation that steps through time.
///
/// Spatial vectors are [angular; linear]. "World axes at a point" means: components along the world's axes, linear part
/// taken at that point. Accelerations are classical ones: the second derivative of the point's position.
///
/// (All that the folder promises stands here, in sections: one public header a folder, however long.)
#pragma once
#include <sarrus/collision.h>
#include <sarrus/contact.h>
#include <sarrus/surfaces.h>
#include <sarrus/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Dynamics at a state
// ---------------------------------------------------------------------------------------------------------------------

/// All the memory that the recursions need for one model. One thread at a time; as many workspaces as threads.
/// After creation no function below allocates. Pointers to states must not overlap outputs.
/// Common errors: SRS_ERROR_ARGUMENT (null or out of range), SRS_ERROR_NOT_FINITE (the entry is named). Quaternions in
/// q are taken as they are: unit to rounding is the caller's duty (srs_normalise).
typedef struct srs_workspace srs_workspace;

/// Allocates.
/// @param model      must outlive the workspace
/// @param workspace  out, freed by srs_workspace_destroy; NULL on failure
srs_status srs_workspace_create(const srs_model *model, srs_workspace **workspace, srs_error *error);
void srs_workspace_destroy(srs_workspace *workspace);
const srs_model *srs_workspace_model(const srs_workspace *workspace);

/// Gravity, 3, m/s^2, world axes. Default (0, 0, -9.81).
srs_status srs_workspace_set_gravity(srs_workspace *workspace, const double gravity[3]);

/// Details of the last call on this workspace that failed.
const srs_error *srs_workspace_error(const srs_workspace *workspace);

typedef enum srs_axes {
  SRS_AXES_WORLD, // the world's axes, at the frame's origin
  SRS_AXES_LOCAL, // the frame's own axes, at its origin
} srs_axes;

/// Where every link is. The functions srs_frame_… and srs_link_… below then tell.
/// @param q  nq
srs_status srs_forward_kinematics(srs_workspace *workspace, const double *q);

/// The same with velocities.  @param v  nv
srs_status srs_forward_velocity(srs_workspace *workspace, const double *q, const double *v);

/// The same with accelerations (gravity has no part in it).  @param a  nv
srs_status srs_forward_acceleration(srs_workspace *workspace, const double *q, const double *v, const double *a);

/// A frame in the world, after any of the above.  @param pose  out: origin (m), axes
srs_status srs_frame_placement(const srs_workspace *workspace, int frame, srs_pose *pose);

/// Velocity of a frame, [angular; linear], after srs_forward_velocity or _acceleration.  @param velocity  6, rad/s, m/s
srs_status srs_frame_velocity(const srs_workspace *workspace, int frame, srs_axes axes, double velocity[6]);

/// Classical acceleration of a frame, after srs_forward_acceleration.  @param acceleration  6, rad/s^2, m/s^2
srs_status srs_frame_acceleration(const srs_workspace *workspace, int frame, srs_axes axes, double acceleration[6]);

/// The matrix J with frame velocity = J v, after any of the above.  @param jacobian  6 x nv, rows first
srs_status srs_frame_jacobian(const srs_workspace *workspace, int frame, srs_axes axes, double *jacobian);

/// Adds a wrench that acts at a frame's origin to an array of wrenches on links, after any of the above.
/// @param wrench    6, [torque; force], N m and N, in the given axes
/// @param wrenches  n_links x 6, world axes at each link's origin; frames of the world are left out
srs_status srs_add_wrench(const srs_workspace *workspace, int frame, srs_axes axes, const double wrench[6],
                          double *wrenches);

/// tau = M(q) a + c(q, v) - sum J^T f: the recursive Newton-Euler algorithm, O(n). Damping, springs and dry friction
/// have no part in it; armature has.
/// @param q, v, a    nq, nv, nv
/// @param wrenches   n_links x 6: wrenches on the links, world axes at each link's origin; NULL for none
/// @param tau        nv, out, N m or N
srs_status srs_inverse_dynamics(srs_workspace *workspace, const double *q, const double *v, const double *a,
                                const double *wrenches, double *tau);

/// What the parent exerts on the link through its joint, after srs_inverse_dynamics with the true accelerations.
/// @param wrench  6, [torque; force], N m and N, world axes at the link's origin
/// @return SRS_ERROR_ARGUMENT also when another computation has succeeded on the workspace since, srs_bias included
srs_status srs_joint_wrench(const srs_workspace *workspace, int link, double wrench[6]);

/// c(q, v) = Coriolis, centrifugal and gravity terms.  @param bias  nv, out
srs_status srs_bias(srs_workspace *workspace, const double *q, const double *v, double *bias);

/// The joint-space inertia, armature included, by composite rigid bodies, O(n * depth).
/// @param mass_matrix  nv x nv, out, symmetric, both triangles
srs_status srs_mass_matrix(srs_workspace *workspace, const double *q, double *mass_matrix);

/// a = M(q)^-1 (tau - c(q, v) + sum J^T f): the articulated-body algorithm, O(n).
/// @param a  nv, out
/// @return also SRS_ERROR_SINGULAR, joint named, when nothing resists a joint in this configuration, and
///         SRS_ERROR_DIVERGED when an acceleration is beyond the finite numbers; a is untouched then, the links placed
srs_status srs_forward_dynamics(srs_workspace *workspace, const double *q, const double *v, const double *tau,
                                const double *wrenches, double *a);

/// The accelerations of a mechanism whose embedded loops (srs_closure_def) move as one: the articulated-body algorithm
/// with each loop's links as a compound link of the independent coordinates (MJ sec. 2.4.3). Other loops are left open.
/// They are those of G a + dG/dt v = 0 with multipliers. O(n) beside the compounds.
/// @param q         nq, must close the embedded loops (srs_assemble)
/// @param v         nv: those of the coordinates that follow are not read, but found from the independent ones
/// @param a         nv, out: of all coordinates; untouched on failure
/// @return as srs_forward_dynamics; SRS_ERROR_UNREACHABLE where an embedded loop is open at q, SRS_ERROR_MODEL where
/// the
///         independent coordinates do not determine the others there, or depend on each other; loop and joint named
srs_status srs_embedded_acceleration(srs_workspace *workspace, const double *q, const double *v, const double *tau,
                                     const double *wrenches, double *a);

/// One constraint node: a frame and the rows of its velocity that are constrained.
typedef struct srs_constraint_frame {
  int frame;
  srs_axes axes;
  unsigned rows; // bit 0-2: angular x y z, bit 3-5: linear x y z; others are refused
} srs_constraint_frame;

enum { SRS_ROWS_POINT = 0x38, SRS_ROWS_ALL = 0x3f };

/// Lambda = J M^-1 J^T for the selected rows of the nodes, in their order, without forming M: articulated-body sweep,
/// base-to-tip sweep of Upsilon, blocks at nearest common ancestors (Mylapilli & Jain sec. 3.2).
/// O(n) + O(n_nodes * depth) + O(n_nodes^2).
/// @param capacity  rows that `lambda` has room for along one side; must be at least the number of selected rows
/// @param lambda    n_rows x n_rows, out, symmetric; rows of frames on the world are zero
srs_status srs_delassus(srs_workspace *workspace, const double *q, const srs_constraint_frame *nodes, int n_nodes,
                        int capacity, double *lambda);

/// Rows that one call of srs_delassus may select; more memory is taken here, once.
/// Default 6 * n_links + 36. Allocates.
srs_status srs_workspace_reserve_rows(srs_workspace *workspace, int n_rows);

/// The coordinate that a revolute or prismatic closure leaves free: the angle from a to b about a's axis, or b's travel
/// along it, after srs_forward_kinematics (srs_forward_velocity for the rate) in a configuration that closes the loop.
/// @param near  an angle that is about right, such as the one before: of all that differ by whole turns, the nearest to
///              it is told, so that what moves on is counted over any number of turns
/// @param rate  out, NULL: not wanted
/// @return SRS_ERROR_ARGUMENT also for closures of other kinds
srs_status srs_closure_coordinate(const srs_workspace *workspace, int closure, double near, double *value,
                                  double *rate);

typedef struct srs_center_of_mass {
  double mass;        // kg, of the links that can move
  double position[3]; // m, world
  double velocity[3]; // m/s, world
} srs_center_of_mass;

/// @param v  nv, NULL for rest
srs_status srs_com(srs_workspace *workspace, const double *q, const double *v, srs_center_of_mass *com);

/// @param momentum  6, [angular about the world's origin; linear], kg m^2/s and kg m/s, world axes
srs_status srs_momentum(srs_workspace *workspace, const double *q, const double *v, double momentum[6]);

typedef struct srs_energies {
  double kinetic;   // J, armature included
  double potential; // J, gravity (zero at the world's origin); springs included
} srs_energies;

srs_status srs_energy(srs_workspace *workspace, const double *q, const double *v, srs_energies *energy);

/// What springs and dampers exert at a state: the negative gradient of sum k difference(q, reference)^2 / 2, and -D v.
/// @param tau  nv, out
srs_status srs_passive_forces(const srs_model *model, const double *q, const double *v, double *tau);

// ---------------------------------------------------------------------------------------------------------------------
// Loops: how far they are from closed, assembly, inverse kinematics
// ---------------------------------------------------------------------------------------------------------------------

/// How far each loop is from closed: the distance that its linear rows keep from zero (m) or the angle that its angular
/// ones do (rad), the larger number.  @param gaps  n_loops, out. Allocates.
srs_status srs_loop_gaps(srs_workspace *workspace, const double *q, double time, double *gaps);

/// How many rows of the loops are independent at a configuration: nv less the rank is what can move there.
/// Allocates.
/// @param loop_ranks  n_loops, out: of each loop's rows by themselves; NULL: not wanted
/// @param rank        out: of all rows together
srs_status srs_loop_ranks(srs_workspace *workspace, const double *q, double time, int *loop_ranks, int *rank);

typedef struct srs_assembly_options {
  const bool *frozen;  // nv: coordinates (of v) that stay as they are; NULL for none
  const bool *loops;   // n_loops: those to be closed; NULL for all
  double time;         // s: when, for prescribed motions. Default 0
  double tolerance;    // m and rad. Default 1e-12
  int max_iterations;  // of each start. Default 200
  int max_restarts;    // from elsewhere, where no configuration near the start is found. Default 20
  bool respect_limits; // of coordinates that are within theirs at the start; of cones, twists and loop joints where
                       // that is possible, else those that are kept at the start. Default true
} srs_assembly_options;

srs_assembly_options srs_default_assembly_options(void);

typedef struct srs_assembly_report {
  double before, after; // largest |gap|, m or rad (of velocities: m/s or rad/s)
  int worst;            // the loop that has it afterwards, -1 where there is none
  int iterations, restarts;
  double change; // length of the change of q (or v): root of the sum of squares, rad and m (rad/s and m/s) alike
} srs_assembly_report;

/// Closes the loops by the smallest change of q. First each coordinate that follows another takes its place (unless
/// frozen, or its loop is not asked for); then, from there, Levenberg-Marquardt on the configuration manifold finds a
/// closed configuration, and moves along those that are to the one where the change is least: the root of the sum of
/// squares of srs_difference, rad and m counted alike. Allocates.
/// @param options  NULL for the default
/// @param q        nq, in: the start; out: closed. Untouched on failure
/// @param report   out, of failures too: what is left is of the best found; NULL: not wanted
/// @return SRS_OK; SRS_ERROR_UNREACHABLE: none was found, the workspace's error names the loops, what is left of their
///         gaps, and where a limit forbids it, which; SRS_ERROR_NOT_FINITE, _ARGUMENT or _MEMORY
srs_status srs_assemble(srs_workspace *workspace, const srs_assembly_options *options, double *q,
                        srs_assembly_report *report);

/// The smallest change of v (likewise) so that the loops stay closed at q, or move as they are prescribed to.
/// Allocates.  @param v  nv, in and out; untouched on failure
/// @return as srs_assemble; SRS_ERROR_UNREACHABLE where frozen velocities contradict the loops, by more than 1e-9 m/s
/// or
///         rad/s
srs_status srs_assemble_velocity(srs_workspace *workspace, const srs_assembly_options *options, const double *q,
                                 double *v, srs_assembly_report *report);

/// Where a frame is wanted.
typedef struct srs_ik_target {
  int frame;
  srs_pose pose; // in the world
  unsigned rows; // what of it counts, as in srs_closure_def, in the target's axes: SRS_ROWS_POINT the position, 0x7
                 // the orientation, SRS_ROWS_ALL both
  double weight; // of its rows against those of other targets where not all can be reached, > 0
} srs_ik_target;

/// All of a frame at a placement, weight 1.
srs_ik_target srs_default_ik_target(int frame, const srs_pose *pose);

/// Memory for inverse kinematics of one model. One thread at a time.
typedef struct srs_ik srs_ik;

typedef struct srs_ik_options {
  double tolerance;    // m and rad, of targets and loops. Default 1e-10
  int max_iterations;  // of each start. Default 100
  int max_restarts;    // from a sequence of configurations that is the same each time. Default 100
  bool respect_limits; // q stays within the joints' limits, a start outside is brought in; cones, twists and limits of
                       // loop joints are kept to the tolerance. Default true
  const bool *frozen;  // nv: coordinates that stay as they are; NULL for none
  double time;         // s: when, for prescribed motions. Default 0
} srs_ik_options;

srs_ik_options srs_default_ik_options(void);

typedef struct srs_ik_report {
  double position_error;    // m: the largest among the targets' linear rows
  double orientation_error; // rad: likewise angular
  double loop_error;        // m or rad: the largest gap of loops
  int target;               // the one that is farthest from reached, -1 for none
  int iterations, restarts; // all together
} srs_ik_report;

/// Allocates.  @param model  must outlive it   @param max_targets  in one call
srs_status srs_ik_create(const srs_model *model, int max_targets, srs_ik **ik, srs_error *error);
void srs_ik_destroy(srs_ik *ik);

/// A configuration that takes frames to targets, several at once, within the joints' limits and with loops closed:
/// Levenberg-Marquardt from q, then from elsewhere. Allocates nothing.
/// @param options  NULL for the default
/// @param q        nq, in: the start; out: reached. Untouched on failure
/// @param report   out, of failures too: the errors are those of the best found; NULL: not wanted
/// @return SRS_OK; SRS_ERROR_UNREACHABLE: none was found, srs_ik_error says how near the best came;
///         SRS_ERROR_NOT_FINITE or _ARGUMENT
srs_status srs_inverse_kinematics(srs_ik *ik, const srs_ik_target *targets, int n_targets,
                                  const srs_ik_options *options, double *q, srs_ik_report *report);

/// The best configuration of the last call, nq, reached or not.
const double *srs_ik_best(const srs_ik *ik);

/// Details of the last call that failed.
const srs_error *srs_ik_error(const srs_ik *ik);

// ---------------------------------------------------------------------------------------------------------------------
// Redundant coordinates: the same mechanism as free links and closures
// ---------------------------------------------------------------------------------------------------------------------

/// Builds what srs_builder_build would, but with every joint cut (Mylapilli & Jain sec. 2.4): each moving body has six
/// coordinates of its own, those of a free joint named as its link, and is held by closures named as the joints were.
/// Links, frames, shapes, loops and which bodies may touch stay as they were. For comparison: motions are the same to
/// O(h), the cost is not. Fixed joints join links in either form. Allocates.
/// @param options  NULL for the default
/// @param model    out: to be freed by srs_model_destroy; NULL on failure
/// @return also SRS_ERROR_UNSUPPORTED, by name, for what no closure does: helical joints, universal ones whose axes are
///         not at right angles, springs, damping, limits, friction and armature of joints, couplings; SRS_ERROR_MODEL
///         for a moving body without mass
srs_status srs_build_redundant(const srs_builder *builder, const srs_build_options *options, srs_model **model,
                               srs_error *error);

/// A state of the minimal form in the coordinates of the redundant one, both built from the same builder. Allocates.
/// @param q, v          of the minimal model   @param q_out, v_out  of the redundant one, out
srs_status srs_redundant_state(const srs_model *minimal, const srs_model *redundant, const double *q, const double *v,
                               double *q_out, double *v_out, srs_error *error);

// ---------------------------------------------------------------------------------------------------------------------
// Simulation
// ---------------------------------------------------------------------------------------------------------------------

typedef enum srs_integrator {
  SRS_SEMI_IMPLICIT_EULER, // v+ = v + h M^-1 (tau - c); q+ = integrate(q, h v+). Order 1
  SRS_MOREAU_MIDPOINT,     // the same at q^m = integrate(q, h/2 v); q+ = integrate(q, h (v + v+)/2). Order 1, 2 where c
                           // does not depend on v
  SRS_RK4,                 // the classical one of order 4 on the configuration manifold; springs and dampers explicit
  // The first two with matrices, velocity terms and contact directions where the step comes to, found by iteration:
  SRS_IMPLICIT_EULER,  // all at (q+, v+). Order 1; takes energy away
  SRS_IMPLICIT_MOREAU, // all at the mean: q^m = integrate(q, h/2 v^m), v^m = (v + v+)/2. Order 2 where nothing strikes
  SRS_GEOMETRICALLY_IMPLICIT, // semi-implicit-euler whose contacts, gaps and normals too, are those at q+, found with
                              // it (Chakraborty, Berard, Akella & Trinkle). Order 1; smooth shapes and boxes, inelastic
} srs_integrator;

enum { SRS_INTEGRATORS = SRS_GEOMETRICALLY_IMPLICIT + 1 };

/// "semi-implicit-euler", "moreau-midpoint", "rk4", "implicit-euler", "implicit-moreau", "geometrically-implicit"
const char *srs_integrator_name(srs_integrator integrator);
bool srs_integrator_from_name(const char *name, srs_integrator *integrator);

/// Which contacts enter a step's problem; phi is the gap at the configuration where the step takes its matrices.
typedef enum srs_activation {
  SRS_ACTIVATION_PREDICT,     // phi + h n.v_free <= 0: those that would close; under the gap law, where
                              // nothing bounces, also what comes as near as gravity takes a body in a step
  SRS_ACTIVATION_DISTANCE,    // phi <= distance
  SRS_ACTIVATION_PENETRATING, // phi <= 0
} srs_activation;

/// What a contact's normal row asks.
typedef enum srs_normal_law {
  SRS_NORMAL_GAP, // n.v+ + phi/h >= 0, so that a body arrives at the surface; once phi < 0, n.v+ + gamma phi/h >= 0
  SRS_NORMAL_VELOCITY, // n.v+ >= 0; + gamma phi/h when phi < 0
  SRS_NORMAL_HART,     // n.v+ + gamma phi/h >= 0 for either sign, without a speed cap (Hart & Anitescu)
} srs_normal_law;

/// How restitution e > 0 acts, at contacts with n.v- < -impact_threshold at the start of the step.
typedef enum srs_impact_law {
  SRS_IMPACT_TWO_PHASE, // solve with e = 0, add e times the impulse, friction too, and solve again where that violates
                        // a row
  SRS_IMPACT_POISSON,   // solve with e = 0; then e times the normal impulse is given, and the rest, friction too, is
                        // solved again (Anitescu & Potra). Adds no energy to v_free where two-phase adds none
  SRS_IMPACT_NEWTON,    // n.v+ >= -e n.v-. With friction this law can create energy; here because papers use it
} srs_impact_law;

/// Which way a contact's first tangent points, and with it the friction polyhedron of the mlcp solvers (its directions
/// are turned by solver.direction_angle from there). The exact cone does not care.
typedef enum srs_alignment {
  SRS_ALIGNMENT_SLIP, // along the slip at the start of the step: right as long as the slip keeps its direction (MJ 3.1)
  SRS_ALIGNMENT_FIXED, // along the world's x axis brought into the tangent plane (y where that is nearly the normal),
                       // turned counter-clockwise as seen from above
} srs_alignment;

/// What keeps bodies apart at the corners of solids (docs/corners.md).
typedef enum srs_corners {
  SRS_CORNERS_CONVEX,    // each node's plane goes on without end
  SRS_CORNERS_MAX,       // of the planes that meet in a corner one has to hold, in max form
  SRS_CORNERS_SUMMATION, // the same in summation form (contact.h): corners are capped, friction is polyhedral
} srs_corners;

/// Half-spaces that bound one solid between them: what is in all of them. With SRS_CORNERS_CONVEX each holds by itself.
typedef struct srs_half_space_solid {
  const char *const *half_spaces; // n: names of shapes
  int n;
} srs_half_space_solid;

/// How the values of two materials make one.
typedef enum srs_combination {
  SRS_COMBINE_GEOMETRIC_MEAN,
  SRS_COMBINE_MEAN,
  SRS_COMBINE_LARGER,
  SRS_COMBINE_SMALLER,
  SRS_COMBINE_PRODUCT,
} srs_combination;

/// "convex", "max", "summation". "" for a number that is none.
const char *srs_corners_name(srs_corners corners);

/// "predict", "distance", "penetrating"; "gap", "velocity", "hart"; "two-phase", "poisson", "newton"; "slip", "fixed";
/// "geometric-mean", "mean", "larger", "smaller", "product". "" for a number that is none.
const char *srs_activation_name(srs_activation activation);
const char *srs_normal_law_name(srs_normal_law law);
const char *srs_impact_law_name(srs_impact_law law);
const char *srs_alignment_name(srs_alignment alignment);
const char *srs_combination_name(srs_combination rule);

/// A compliant layer around a rigid core (Chakraborty, Berard, Akella & Trinkle, sec. 5), for
/// SRS_GEOMETRICALLY_IMPLICIT. It bears stiffness d + damping d' for a deflection d along the contact's normal and its
/// two tangents; along the normal at most by its thickness, beyond which the core pushes.
typedef struct srs_compliant_layer {
  double thickness;    // m; INFINITY: the core is never met. 0: there is no layer
  double stiffness[9]; // N/m, rows: normal, t, o; t as for friction. The symmetric part positive definite
  double damping[9];   // N s/m, likewise; semi-definite
} srs_compliant_layer;

typedef struct srs_material {
  const char *name;
  double friction, restitution; // NAN: the default
  double torsional;             // m: what mu lambda_n is multiplied by to bound the torque about the normal. NAN: the
                                // default; 0: none
  double direction[3];          // of the anisotropy, in the shape's frame, any length. Zero: the same in all directions
  double along, across; // > 0, with a direction: mu is multiplied by these along it (brought into the tangent plane)
                        // and across. Where the normal lies along the direction, all is across
  srs_compliant_layer layer; // default: none
} srs_material;

/// A material that leaves all to the defaults.
srs_material srs_default_material(const char *name);

/// Overrides what the combination gives. Names of materials, shapes or frames.
typedef struct srs_material_pair {
  const char *a, *b;
  double friction, restitution, torsional; // NAN: leave it to the combination
} srs_material_pair;

/// A caller's surface in the place of a sphere, for SRS_GEOMETRICALLY_IMPLICIT only: its frame is the shape's, and the
/// body that it bounds lies inside the sphere, which goes on to tell where it is (queries, pairs, pictures see the
/// sphere).
typedef struct srs_shape_surface {
  const char *shape;   // name of a sphere
  srs_surface surface; // of any kind that bounds a body; a function's context has to last as long as the sim
} srs_shape_surface;

typedef struct srs_contact_settings {
  bool enabled;                  // default true
  double friction, restitution;  // of shapes without a material. Default 0.5 and 0
  double torsional;              // m, likewise. Default 0. Of two shapes the larger counts
  const srs_material *materials; // n_materials; copied
  int n_materials;
  const srs_material_pair *pairs; // n_pairs; copied
  int n_pairs;
  srs_combination friction_rule;     // default SRS_COMBINE_GEOMETRIC_MEAN
  srs_combination restitution_rule;  // default SRS_COMBINE_LARGER
  srs_impact_law impact;             // default SRS_IMPACT_TWO_PHASE
  double impact_threshold;           // m/s, >= 0; NAN: 2 |gravity| dt. Default NAN
  srs_activation activation;         // default SRS_ACTIVATION_PREDICT
  double distance;                   // m, for SRS_ACTIVATION_DISTANCE. Default 0
  srs_normal_law normal;             // default SRS_NORMAL_GAP
  double error_reduction;            // gamma, in [0, 1]. Default 0.2
  double max_depenetration_velocity; // m/s: bound of the push out of penetration, for gap and velocity. Default 1
  int capacity;            // contacts a step may have, beyond which it fails; 0: grows, by allocation. Default 0
  srs_alignment alignment; // default SRS_ALIGNMENT_SLIP
  srs_corners corners;     // default SRS_CORNERS_CONVEX
  double corner_cap;       // m/s, > 0: summation, the cap of a corner over the step's length. Default 1e-3
  const srs_half_space_solid *solids; // n_solids, no half-space in two; copied
  int n_solids;
  const srs_shape_surface *surfaces; // n_surfaces; copied
  int n_surfaces;
  srs_contact_options solver;
  srs_collider_options collider; // copied
} srs_contact_settings;

/// What acts on the coordinates of joints, where the model has it.
typedef struct srs_joint_settings {
  bool limits;            // position limits stop the coordinate. Default true
  bool friction;          // dry friction, which holds where it can. Default true
  bool actuator_limits;   // max_effort and max_velocity bind torques and servos. Default true
  double restitution;     // of position limits, in [0, 1], at stops hit faster than what two steps change: leaves
                          // with e times the speed. Default 0
  double error_reduction; // gamma, in [0, 1]: share of what lies outside a limit that a step takes back. Default 0.2
  double max_depenetration_velocity; // rad/s or m/s: bound of that. Default 1
} srs_joint_settings;

/// How loops are held: closures, couplings, prescribed motions.
typedef struct srs_closure_settings {
  bool projection;        // closes the configuration to rounding after every step. Default true
  double error_reduction; // gamma, in [0, 1]: without projection, share of a gap that a step takes back. Default 0.2
} srs_closure_settings;

/// How the implicit integrators iterate.
typedef struct srs_implicit_settings {
  double tolerance; // > 0: the iteration ends when no velocity changes by more than this share of 1 + the largest.
                    // Default 1e-10
  int iterations;   // >= 1: each solves one contact problem an island. Default 50
  int halvings;     // in [0, 20]: a step that does not converge is made of 2, 4, … 2^halvings smaller ones; one that
                    // does not converge then fails. Default 8
} srs_implicit_settings;

typedef struct srs_sim_options {
  double dt;                 // s, > 0. Default 0.001
  srs_integrator integrator; // default SRS_SEMI_IMPLICIT_EULER
  double gravity[3];         // m/s^2, world. Default (0, 0, -9.81)
  bool implicit_gyroscopic;  // bodies that float alone (a free joint, nothing carried): w x I w taken implicitly by one
                             // Newton step, so that fast spin loses energy instead of gaining it. Not for rk4. Default
                             // false
  srs_joint_settings joint;
  srs_closure_settings closure;
  srs_implicit_settings implicit;
  srs_contact_settings contact;
} srs_sim_options;

srs_sim_options srs_default_sim_options(void);

/// The approach speed above which contacts bounce, m/s: contact.impact_threshold, or what its default comes to.
double srs_impact_threshold(const srs_sim_options *options);

/// A mechanism in motion: what a control loop holds. One thread at a time; two sims of one model on two threads give
/// the same bits as one after the other. A step allocates nothing, locks nothing, prints nothing.
typedef struct srs_sim srs_sim;

/// Starts at t = 0, q = the model's neutral configuration, v = 0. Allocates.
/// @param model    must outlive the sim
/// @param options  NULL for the default
srs_status srs_sim_create(const srs_model *model, const srs_sim_options *options, srs_sim **sim, srs_error *error);
void srs_sim_destroy(srs_sim *sim);

/// Back to where srs_sim_create left it, inputs cleared.
void srs_sim_reset(srs_sim *sim);

/// Sets the state; NULL keeps that part. Quaternions are normalised when they are within 1e-6 of unit length, else
/// refused. Inputs stay.  @param q  nq   @param v  nv
srs_status srs_sim_set_state(srs_sim *sim, double time, const double *q, const double *v, srs_error *error);

const srs_model *srs_sim_model(const srs_sim *sim);
const srs_sim_options *srs_sim_get_options(const srs_sim *sim);
double srs_sim_time(const srs_sim *sim);
long srs_sim_steps(const srs_sim *sim);      // since creation or reset
const double *srs_sim_q(const srs_sim *sim); // nq, a view: the next step changes it
const double *srs_sim_v(const srs_sim *sim); // nv, likewise

/// Inputs: both kinds persist, step after step, until they are set again or cleared; snapshots hold them.
/// @param tau  nv, N m or N
srs_status srs_sim_set_torque(srs_sim *sim, const double *tau, srs_error *error);

/// The torques last set, nv, a view.
const double *srs_sim_torque(const srs_sim *sim);

/// Sets (does not add to) the wrench on a frame's link that this frame carries, fixed in the given axes, acting at the
/// frame's origin as it moves. Different frames add up.  @param wrench  6, [torque; force]
srs_status srs_sim_set_wrench(srs_sim *sim, int frame, srs_axes axes, const double wrench[6], srs_error *error);
void srs_sim_clear_inputs(srs_sim *sim);

/// A PD reference for coordinates where q - q_ref is meant: adds tau = kp (q_ref - q) + kd (v_ref - v), taken
/// implicitly (except by rk4), per coordinate of the velocity space, so no gain is too stiff for dt. Where torque and
/// servo together are more than max_effort, the step is solved with the clamp of their sum at its end. Persists
/// likewise. Not for control that must be exact to a bit against an outside loop: use srs_sim_set_torque there.
/// @param q_ref  nq   @param v_ref  nv   @param kp, kd  nv each, >= 0; zero switches a coordinate's servo off
srs_status srs_sim_set_servo(srs_sim *sim, const double *q_ref, const double *v_ref, const double *kp, const double *kd,
                             srs_error *error);

/// Closes the loops of the present state: configuration, then velocity (srs_assemble, srs_assemble_velocity), at the
/// sim's time. Allocates.
/// @param options  NULL for the default; its time is not looked at
/// @param report   out, of the configuration; NULL: not wanted
/// @return SRS_OK, or what these return, the state as it was
srs_status srs_sim_assemble(srs_sim *sim, const srs_assembly_options *options, srs_assembly_report *report,
                            srs_error *error);

/// How a motor drives one coordinate, in the motor's own units: it turns `gear` times as fast as the coordinate.
typedef struct srs_actuator {
  int coordinate;     // index in v
  bool is_of_closure; // then `coordinate` is the index of a closure, whose free coordinate is driven. Default false
  double gear;        // not 0; negative: the other way round. Default 1
  double torque;      // feed-forward, N m or N. Default 0
  double position, velocity; // references. Default 0
  double kp, kd;             // gains of the servo, >= 0; kd alone: a velocity servo. Default 0
} srs_actuator;

srs_actuator srs_default_actuator(int coordinate);

/// Sets the inputs of one coordinate, as srs_sim_set_torque and srs_sim_set_servo set those of all: torque and gains on
/// the coordinate are gear times and gear^2 times the motor's. The joint's max_effort and max_velocity are those of
/// the coordinate.
/// Of a closure, only this sets them; they act as on a joint, a servo as a row of the step's problem.
/// @return SRS_OK, SRS_ERROR_ARGUMENT (also kp on a coordinate that turns a quaternion, and closures that are neither
///         revolute nor prismatic) or _NOT_FINITE
srs_status srs_sim_set_actuator(srs_sim *sim, const srs_actuator *actuator, srs_error *error);

/// Where a loop joint stands: the coordinate that a revolute or prismatic closure leaves free. Angles are counted over
/// turns, from that which is nearest the middle of the limits (nearest 0 without two) where the state was set.
/// @param rate    out, NULL: not wanted
/// @param effort  out, NULL: not wanted; what its actuator gave in the last step, N m or N
/// @return SRS_OK, or SRS_ERROR_ARGUMENT also for other kinds
srs_status srs_sim_closure_coordinate(srs_sim *sim, int closure, double *value, double *rate, double *effort);

/// Whether q has an entry for that coordinate alone.
bool srs_actuator_takes_position(const srs_model *model, int coordinate);

/// n steps of dt. On failure the state is that of the last good step.
/// @return SRS_OK, SRS_ERROR_SINGULAR, _DIVERGED (an implicit step that does not converge, too), _CAPACITY or _MEMORY;
///         error names time, step and joint
srs_status srs_sim_step(srs_sim *sim, long n, srs_error *error);

/// The dynamics of the present state: a workspace in which srs_forward_velocity has just been called at (q, v), for
/// srs_frame_placement, srs_frame_velocity, srs_frame_jacobian, ….
srs_workspace *srs_sim_workspace(srs_sim *sim);

/// The acceleration that the present state and inputs have, springs and dampers included, actuators cut off at their
/// limits; without contacts, loops that are not embedded, limits and dry friction.  @param a  nv, out
srs_status srs_sim_acceleration(srs_sim *sim, double *a, srs_error *error);

/// One contact of the last step: what acted in (t - dt, t]; of a step that was made of smaller ones, in the last of
/// these.
typedef struct srs_sim_contact {
  srs_contact_point contact; // nodes, normal and gap at the configuration where the step took its matrices
  double friction, restitution;
  double
      anisotropy[3]; // of friction: along t1, t2 as the problem has them, 1 for round; about the normal, m, 0 for none
  double impulse[3]; // on A by B, N s, world axes
  double force[3];   // the same over dt, N
  double spin;       // torque impulse on A about the normal, N m s; 0 without torsional friction
  double torque;     // the same over dt, N m
} srs_sim_contact;

/// Contacts that entered the last step's problem, with their impulses (zero where they opened). A view: the next step
/// changes it.  @param n  out
const srs_sim_contact *srs_sim_contacts(const srs_sim *sim, int *n);

/// What a scalar row of the step's problem stands for.
typedef enum srs_row_source {
  SRS_ROW_LOOP, // a closure, a coupling, a prescribed motion
  SRS_ROW_LOWER_LIMIT,
  SRS_ROW_UPPER_LIMIT,
  SRS_ROW_FRICTION,
  SRS_ROW_ACTUATOR, // of an actuator at its limits; srs_sim_actuator_effort has the whole. Of a loop joint: of its
                    // servo
  SRS_ROW_PASSIVE,  // spring, damper and armature of a loop joint
} srs_row_source;

enum { SRS_ROW_SOURCES = SRS_ROW_PASSIVE + 1 };

/// "loop", "lower limit", "upper limit", "dry friction", "actuator", "spring and damper"
const char *srs_row_source_name(srs_row_source source);

/// What a scalar row acts on.
typedef enum srs_row_subject {
  SRS_ROW_OF_COORDINATE, // of a joint
  SRS_ROW_OF_LOOP,       // what it holds, or the coordinate that a revolute or prismatic closure leaves free
  SRS_ROW_OF_SWING,      // the angle between a spherical joint's axes
  SRS_ROW_OF_TWIST,      // its turn about that axis
} srs_row_subject;

/// One row of the last step beside contacts: what acted in (t - dt, t], or in the last of smaller ones as of contacts.
typedef struct srs_sim_row {
  srs_row_source source;
  srs_row_subject subject;
  int index;      // of the coordinate, in v (of swing and twist: the joint's first); of the loop
  int row;        // loops: which of its rows, from 0; else 0
  double gap;     // loops and limits (negative outside): where the step took its matrices
  double impulse; // N m s or N s; of limits >= 0, away from the stop; of friction along the coordinate
  double force;   // the same over dt
} srs_sim_row;

/// Rows that entered the last step's problem. A view: the next step changes it.  @param n  out
const srs_sim_row *srs_sim_rows(const srs_sim *sim, int *n);

/// The wrench by which a closure acted in the last step on the link of its frame b (where b is on the world: on that of
/// a), [torque; force] in world axes about the origin of that link's frame, N m and N: the step's impulse over dt. On
/// the other link acts the opposite. With what a loop joint's limits, friction and actuator give. Zero for a coupling,
/// whose force is its row's, and where there was no step. Where a loop holds something twice, the smallest wrench that
/// does. Of an embedded loop, which has no impulses, by what its joints are left with: O(n) once a step.
/// @param link  out: the link; may be NULL
/// @return SRS_OK, SRS_ERROR_ARGUMENT, or of an embedded loop what srs_sim_joint_wrench returns
srs_status srs_sim_loop_wrench(srs_sim *sim, int loop, int *link, double wrench[6]);

/// What the parent exerted on a link through the joint that carries it, in the last step: its mean over the step,
/// impacts included; all that acts there, what holds the link in place and what drives, brakes and stops it. Also
/// across fixed joints, lumped or not, up to the world; what holds a link on the world itself is what it stands on.
/// Contacts, loops, weight and wrenches (srs_sim_set_wrench) act on the link of the file that they were given for. With
/// all of them, each link's mass times its mean acceleration is the sum of the forces on it, to rounding.
///
/// Where the step took its matrices (its start; the middle, of moreau-midpoint; contacts of geometrically-implicit act
/// at its end, which is off by their force times the way of a step). Of a step that had to be made of smaller ones
/// (srs_implicit_settings) the last of these is told, here and of contacts, rows and actuators. After rk4, and where
/// there was no step yet, of the present state without contacts, loops, limits and dry friction. Allocates nothing;
/// O(n) once a step.
/// @param frame   that of a link of the file (srs_model_find_frame): link and joint are the child's
/// @param wrench  6, out: [torque; force] on the link, about its frame's origin, N m and N
/// @return SRS_ERROR_ARGUMENT also for a frame that is no link; or what srs_sim_acceleration returns
srs_status srs_sim_joint_wrench(srs_sim *sim, int frame, srs_axes axes, double wrench[6]);

/// What the actuators gave in the last step: applied torques and servos as max_effort and max_velocity let them.
/// @return nv, N m or N, a view
const double *srs_sim_actuator_effort(const srs_sim *sim);

/// The coordinate that lies farthest outside its limits.  @param by  out: how far, rad or m; NULL for not wanted
/// @return its index in v; -1 where none does
int srs_outside_limits(const srs_model *model, const double *q, double *by);

/// What contact cost and left, since creation or reset.
typedef struct srs_sim_statistics {
  long contact_steps;      // steps with at least one contact in the problem
  int contacts_max;        // in one step
  long solves, iterations; // contact problems (one an island and phase) and their iterations together; of an implicit
                           // step those of its last iteration (srs_implicit_statistics counts these)
  int iterations_max;
  long failures;          // problems that ended above the tolerance; the best iterate was used
  double residual_max;    // scaled natural map
  double residual_last;   // the worst of the last step, 0 where it had no contact
  double penetration_max; // m
  double penetration_sum; // m: of each step's deepest, over the steps
  // H (5.3): the largest violation of a constraint against overlap, max of 0 and -phi over all nodes, phi being the
  // measure that the node stands for (srs_contact_point): m, of the ratio metric without unit.
  double infeasibility_max;
  double infeasibility_sum;  // of each step's, over the steps
  double infeasibility_last; // of the last step
  long growths;              // times that contact memory was enlarged
  int rows_max;              // rows beside contacts in one step
  int bilateral_rows;        // that hold loops in the last step
  int bilateral_rank;        // how many of them are independent: the others carry what makes all impulses smallest
  int groups_max;            // corners, groups of sides, in the problems of one step
  long corner_solves;        // problems with groups, and how many choices of sides (max), or ways to pivot (summation),
  long tries;                // were tried for them together
  int tries_max;             // for one
  double closure_error_max;  // m or rad: largest gap of a loop after a step
  long change_points;        // passages through configurations where rows that are independent elsewhere nearly depend
                             // on each other, so that a loop could go on another way: counted once a passage
  int change_point_loop;     // the loop of the last one
  double change_point_time;  // s: when the step that met it began
} srs_sim_statistics;

const srs_sim_statistics *srs_sim_get_statistics(const srs_sim *sim);

/// Sees every contact problem of the sim's steps, as solved; the pointers hold during the call. Not to change the sim.
/// @param context  as given to srs_sim_watch_contacts
typedef void (*srs_contact_watch)(void *context, const srs_contact_problem *problem, const double *impulse,
                                  const srs_contact_report *report);

/// Has each problem shown from now on, in the midst of a step (srs_sim_time is that of its start). NULL: no more.
void srs_sim_watch_contacts(srs_sim *sim, srs_contact_watch watch, void *context);

/// What the implicit integrators took, since creation or reset.
typedef struct srs_implicit_statistics {
  long solves;        // steps that were solved by iteration, smaller ones counted each
  long iterations;    // of all these
  int iterations_max; // of one
  long halved;        // steps of dt that had to be made of smaller ones
} srs_implicit_statistics;

const srs_implicit_statistics *srs_sim_get_implicit_statistics(const srs_sim *sim);

/// The collider of the sim: NULL where contact is disabled or no two shapes can meet.
srs_collider *srs_sim_collider(srs_sim *sim);

/// A snapshot is a block of bytes that holds everything the next step reads beside model and options; a sim of the same
/// model and options that restores it, in this process or another on the same kind of machine, goes on bit-equal.
/// Its size grows with the contacts of the last step: ask each time.
size_t srs_sim_snapshot_size(const srs_sim *sim);
void srs_sim_snapshot_save(const srs_sim *sim, void *bytes);

/// @param size  as srs_sim_snapshot_size; refused with SRS_ERROR_ARGUMENT when the bytes are of another model or size,
///              have changed since, or hold a quaternion that is not unit within 1e-6; SRS_ERROR_NOT_FINITE names what
///              is no finite number. A sim that refuses stays as it was
srs_status srs_sim_snapshot_restore(srs_sim *sim, const void *bytes, size_t size, srs_error *error);

// ---------------------------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------------------------

/// A scene file: models, environment, initial state, integrator, output (docs/scene.md lists the keys).
typedef struct srs_scene srs_scene;

typedef struct srs_scene_options {
  srs_load_options load; // for a scene that is a robot file, and the packages and strictness for all
} srs_scene_options;

srs_scene_options srs_default_scene_options(void);

/// Reads a YAML scene, or a robot file (.urdf) as a scene of that model alone. Allocates.
/// @param options  NULL for the default
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NAME, _UNSUPPORTED, … ; error names FILE:LINE:COL
srs_status srs_scene_load(const char *path, const srs_scene_options *options, srs_scene **scene, srs_error *error);
void srs_scene_destroy(srs_scene *scene);

/// All of the scene's models as one. Lives as long as the scene.
const srs_model *srs_scene_model(const srs_scene *scene);

/// What the scene asks for; change a copy to override it.
typedef struct srs_scene_settings {
  srs_sim_options sim;
  srs_collider_options collider; // which shapes may meet; its names live as long as the scene
  double duration;               // s, >= 0
  const char *output_file;       // NULL for none; relative to the working directory
  int output_every;              // rows every so many steps, >= 1
  bool output_torques, output_energies, output_contacts, output_loops; // see srs_trajectory_options
  bool output_efforts, output_wrenches;                                // likewise
  const double *q, *v;                                                 // initial state, nq and nv, as it is written
  const srs_actuator *actuators;                                       // n_actuators: set at the start
  int n_actuators;
  bool is_redundant;              // the model has every joint cut (srs_build_redundant); q and v are mapped to it
  bool assemble;                  // loops are closed before the first step. Default true
  const bool *frozen;             // nv: coordinates that this leaves as they are written; NULL for none
  const char *text;               // the file's text, for the record
  const char *const *robot_files; // that it names, ended by NULL; NULL for a robot file
} srs_scene_settings;

const srs_scene_settings *srs_scene_get_settings(const srs_scene *scene);

/// A sim of the scene's model at its initial state, assembled (srs_sim_assemble) unless the scene says otherwise.
/// @param options  NULL: the scene's
/// @return also SRS_ERROR_UNREACHABLE where its loops cannot be closed
srs_status srs_scene_create_sim(const srs_scene *scene, const srs_sim_options *options, srs_sim **sim,
                                srs_error *error);

// ---------------------------------------------------------------------------------------------------------------------
// Trajectories
// ---------------------------------------------------------------------------------------------------------------------

/// A CSV file under construction: `time`, `q:<name>` …, `v:<name>` …, and on request more; one line a sample,
/// flushed so that an interrupted run leaves whole lines. FILE.yaml beside it holds scene, integrator, dt, version and
/// units.
typedef struct srs_trajectory srs_trajectory;

typedef struct srs_trajectory_options {
  bool torques;  // also the applied torques. Default false
  bool energies; // also `energy:kinetic`, `energy:potential`. Default false
  bool contacts; // also `contact:count`, `contact:gap` (m, the smallest of the last step's contacts, 0 without),
                 // `contact:residual`, and for each pair of shapes that may meet (at most 200)
                 // `contact:<A>:<B>:fx` fy fz, the force on A by B in (t - dt, t] (N, world axes), and x y z,
                 // the centre of pressure: the mean of its points weighted by normal force (m; the plain mean without
                 // force; 0 without contact). A shape goes by its name, else by its link's, with #2, … where that is
                 // taken. Default false
  bool loops; // also, for each loop, `loop:<name>:gap` (m or rad), `loop:<name>:speed` (what the velocity of its rows
              // is off, m/s or rad/s), and of revolute and prismatic closures `loop:<name>:angle` (counted over turns)
              // or travel, and rate. Default false
  bool efforts;  // also `effort:<name>` of all coordinates and of loop joints (srs_sim_actuator_effort), and where the
                 // model has limits or dry friction `limit:<name>` and `friction:<name>`, along the coordinate, of ball
                 // joints `limit:<joint>.swing` and `.twist`: N m or N, of the last step. Default false
  bool wrenches; // also, for each link of the file but those on free joints, `wrench:<link>:tx` ty tz fx fy fz, see
                 // srs_sim_joint_wrench (world axes), and for each closure `loop:<name>:tx` …, see
                 // srs_sim_loop_wrench; of (t - dt, t]. Default false
  const char *scene_text;         // for the metadata file, NULL for none
  const char *scene_file;         // likewise
  const char *const *robot_files; // of the scene, ended by NULL; NULL for none
  const char *input_file;         // of srs_input_load, NULL for none
} srs_trajectory_options;

srs_trajectory_options srs_default_trajectory_options(void);

/// Opens and writes the header. Allocates; adding rows does not.
/// Refused with SRS_ERROR_ARGUMENT, nothing touched, where the file or the metadata file is one that the run reads: the
/// scene, a robot file, a mesh of the model, the input.
srs_status srs_trajectory_create(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                                 srs_trajectory **trajectory, srs_error *error);

/// Adds the sim's present state as a row.
srs_status srs_trajectory_add(srs_trajectory *trajectory, srs_sim *sim, srs_error *error);

/// Flushes, closes and frees, and says whether all was written. NULL is SRS_OK.
srs_status srs_trajectory_close(srs_trajectory *trajectory, srs_error *error);

/// Inputs over time from a CSV with `time` and columns `tau:<name>`, `q_ref:<name>`, `v_ref:<name>`, held between rows.
typedef struct srs_input srs_input;

/// @param model  the names' meaning; must outlive the input. Allocates.
srs_status srs_input_load(const char *path, const srs_model *model, srs_input **input, srs_error *error);
void srs_input_destroy(srs_input *input);

/// Applies the row that holds at the sim's time: torques, and servo references with the gains given by
/// srs_input_set_gains. Allocates nothing.
srs_status srs_input_apply(srs_input *input, srs_sim *sim, srs_error *error);

/// Gains for all reference columns (defaults kp 100, kd 10).
void srs_input_set_gains(srs_input *input, double kp, double kd);

#ifdef __cplusplus
}
#endif
