/// Kinematics and dynamics of a model at any state.
///
/// Spatial vectors are [angular; linear]. "World axes at a point" means: components along the world's axes, linear part
/// taken at that point. Accelerations are classical: the second derivative of the point's position. Units are SI.
///
/// Common errors, not repeated below: SRS_ERROR_ARGUMENT (a null pointer, an index out of range), SRS_ERROR_NOT_FINITE
/// (the entry is named). srs_workspace_error has the message. Quaternions in q are not checked: they must have unit
/// length (srs_normalise).
#pragma once
#include <sarrus/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Workspace
// ---------------------------------------------------------------------------------------------------------------------

/// The memory of the recursions for one model. A workspace serves one thread at a time; threads that share a model have
/// a workspace each. Functions of this header allocate only where stated. Outputs must not overlap q, v or given
/// accelerations.
typedef struct srs_workspace srs_workspace;

/// Allocates.
/// @param model      must outlive the workspace
/// @param workspace  out, freed by srs_workspace_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT or _MEMORY
srs_status srs_workspace_create(const srs_model *model, srs_workspace **workspace, srs_error *error);
void srs_workspace_destroy(srs_workspace *workspace);
const srs_model *srs_workspace_model(const srs_workspace *workspace);

/// Sets gravity.  @param gravity  3, m/s^2, world axes. Default (0, 0, -9.81)
srs_status srs_workspace_set_gravity(srs_workspace *workspace, const double gravity[3]);

/// Details of the last failed call on this workspace.
const srs_error *srs_workspace_error(const srs_workspace *workspace);

// ---------------------------------------------------------------------------------------------------------------------
// Kinematics
// ---------------------------------------------------------------------------------------------------------------------

/// The axes of a frame's velocity, Jacobian or wrench; its origin is the reference point in either case.
typedef enum srs_axes {
  SRS_AXES_WORLD, // the world's axes
  SRS_AXES_LOCAL, // the frame's own axes
} srs_axes;

/// Computes the placements of all links, O(n), for the getters below.  @param q  nq
srs_status srs_forward_kinematics(srs_workspace *workspace, const double *q);

/// Computes placements and velocities, O(n).  @param v  nv
srs_status srs_forward_velocity(srs_workspace *workspace, const double *q, const double *v);

/// Computes placements, velocities and accelerations (without gravity), O(n).  @param a  nv
srs_status srs_forward_acceleration(srs_workspace *workspace, const double *q, const double *v, const double *a);

/// A frame's placement in the world, after any of the three.  @param pose  out: origin (m), axes
srs_status srs_frame_placement(const srs_workspace *workspace, int frame, srs_pose *pose);

/// A frame's velocity, after srs_forward_velocity or srs_forward_acceleration.
/// @param velocity  6, out, [angular; linear], rad/s and m/s
srs_status srs_frame_velocity(const srs_workspace *workspace, int frame, srs_axes axes, double velocity[6]);

/// A frame's classical acceleration, after srs_forward_acceleration.
/// @param acceleration  6, out, [angular; linear], rad/s^2 and m/s^2
srs_status srs_frame_acceleration(const srs_workspace *workspace, int frame, srs_axes axes, double acceleration[6]);

/// A frame's Jacobian J, with frame velocity = J v, after any of the three.
/// @param jacobian  6 x nv, out, rows first: angular rows 0-2, linear rows 3-5
srs_status srs_frame_jacobian(const srs_workspace *workspace, int frame, srs_axes axes, double *jacobian);

/// Adds a wrench that acts at a frame's origin to the wrenches on links, after any of the three.
/// @param wrench    6, [torque; force], N m and N, in the given axes
/// @param wrenches  n_links x 6, in and out, world axes at each link's origin; a frame on the world adds nothing
srs_status srs_add_wrench(const srs_workspace *workspace, int frame, srs_axes axes, const double wrench[6],
                          double *wrenches);

/// The coordinate that a revolute or prismatic closure leaves free: the angle from a to b about a's axis, or b's travel
/// along it, after srs_forward_kinematics (for the rate: srs_forward_velocity) in a configuration that closes the loop.
/// @param near   rad: of the angles that differ by whole turns, the nearest to this one is returned. A caller that
///               passes the previous value counts turns
/// @param value  out, rad or m
/// @param rate   out, rad/s or m/s; may be NULL
/// @return SRS_ERROR_ARGUMENT also for closures of other kinds
srs_status srs_closure_coordinate(const srs_workspace *workspace, int closure, double near, double *value,
                                  double *rate);

// ---------------------------------------------------------------------------------------------------------------------
// Inverse and forward dynamics
// ---------------------------------------------------------------------------------------------------------------------

/// tau = M(q) a + c(q, v) - sum J^T f, by the recursive Newton-Euler algorithm, O(n). Armature is included; damping,
/// springs and dry friction are not.
/// @param q, v, a   nq, nv, nv
/// @param wrenches  n_links x 6: wrenches f on the links, world axes at each link's origin; NULL for none
/// @param tau       nv, out, N m or N
srs_status srs_inverse_dynamics(srs_workspace *workspace, const double *q, const double *v, const double *a,
                                const double *wrenches, double *tau);

/// The wrench that the parent exerts on a link through its joint, after srs_inverse_dynamics at the true accelerations.
/// @param wrench  6, out, [torque; force], N m and N, world axes at the link's origin
/// @return SRS_ERROR_ARGUMENT also when another computation on the workspace, srs_bias included, has succeeded since
srs_status srs_joint_wrench(const srs_workspace *workspace, int link, double wrench[6]);

/// c(q, v): Coriolis, centrifugal and gravity terms, O(n).  @param bias  nv, out, N m or N
srs_status srs_bias(srs_workspace *workspace, const double *q, const double *v, double *bias);

/// The joint-space inertia M(q), armature included, by the composite-rigid-body algorithm, O(n * depth).
/// @param mass_matrix  nv x nv, out, symmetric, both triangles, kg m^2 and kg
srs_status srs_mass_matrix(srs_workspace *workspace, const double *q, double *mass_matrix);

/// a = M(q)^-1 (tau - c(q, v) + sum J^T f), by the articulated-body algorithm, O(n).
/// @param tau       nv, N m or N
/// @param wrenches  as in srs_inverse_dynamics
/// @param a         nv, out, rad/s^2 or m/s^2; untouched on failure
/// @return also SRS_ERROR_SINGULAR where nothing resists a joint in this configuration (the joint is named), and
///         SRS_ERROR_DIVERGED where an acceleration exceeds the finite numbers; the links are placed in either case
srs_status srs_forward_dynamics(srs_workspace *workspace, const double *q, const double *v, const double *tau,
                                const double *wrenches, double *a);

/// Forward dynamics of a mechanism with embedded loops (srs_closure_def): the articulated-body algorithm with the links
/// of each embedded loop as one compound link of the independent coordinates (MJ sec. 2.4.3). The accelerations satisfy
/// G a + dG/dt v = 0 with multipliers. Loops that are not embedded stay open. The cost is O(n)
/// besides the compounds.
/// @param q  nq; must close the embedded loops (srs_assemble)
/// @param v  nv; velocities of dependent coordinates are computed from the independent ones, not read
/// @param a  nv, out, of all coordinates; untouched on failure
/// @return as srs_forward_dynamics; SRS_ERROR_UNREACHABLE where an embedded loop is open at q; SRS_ERROR_MODEL where
///         the independent coordinates do not determine the others at q, or depend on each other (loop and joint are
///         named)
srs_status srs_embedded_acceleration(srs_workspace *workspace, const double *q, const double *v, const double *tau,
                                     const double *wrenches, double *a);

// ---------------------------------------------------------------------------------------------------------------------
// Dynamics seen from frames
// ---------------------------------------------------------------------------------------------------------------------

/// A frame and the selected rows of its velocity.
typedef struct srs_constraint_frame {
  int frame;
  srs_axes axes;
  unsigned rows; // bits 0-2: angular x y z, bits 3-5: linear x y z; other bits are refused
} srs_constraint_frame;

enum { SRS_ROWS_POINT = 0x38, SRS_ROWS_ALL = 0x3f };

/// The Delassus matrix W = J M^-1 J^T of the selected rows of frames: which velocity an impulse along one row gives to
/// each row. Found without M: an articulated-body sweep, a base-to-tip sweep of Upsilon, blocks at nearest common
/// ancestors (Mylapilli & Jain sec. 3.2). O(n) + O(n_frames * depth) + O(n_frames^2). Allocates nothing.
/// @param q         nq
/// @param frames    n_frames; rows are numbered frame by frame, bit 0 first
/// @param capacity  rows that `delassus` has room for along one side, at least the number of selected ones
/// @param delassus  n_rows x n_rows, out, symmetric, positive semi-definite, in the inverse of SI units of mass and
///                  inertia; rows of frames on the world are zero
/// @return SRS_OK; SRS_ERROR_SINGULAR as srs_forward_dynamics; SRS_ERROR_ARGUMENT also beyond `capacity` or what
///         srs_workspace_reserve_rows has made room for; SRS_ERROR_NOT_FINITE
srs_status srs_delassus(srs_workspace *workspace, const double *q, const srs_constraint_frame *frames, int n_frames,
                        int capacity, double *delassus);

/// The operational-space inertia Lambda = (J M^-1 J^T)^-1 of the same rows (Khatib 1987): which forces along the rows
/// give them a unit acceleration. O(n) + O(n_rows^3). Allocates nothing.
/// @param pseudo_inverse  where rows depend on each other: false refuses them, true gives the Moore-Penrose inverse.
///                        That is the one in SI units: where angular and linear rows depend on each other, it would be
///                        another one in other units
/// @param lambda          n_rows x n_rows, out, symmetric, kg, kg m and kg m^2; undefined on failure
/// @return as srs_delassus; SRS_ERROR_SINGULAR also where a row depends on the others, with the frame as the subject: a
///         frame on the world, more rows than the mechanism has freedoms there, a singular configuration. That is where
///         beside the others less is left of a row's motion than 1e-6 of what the frame moves in other directions
srs_status srs_operational_space_inertia(srs_workspace *workspace, const double *q, const srs_constraint_frame *frames,
                                         int n_frames, int capacity, bool pseudo_inverse, double *lambda);

/// Rows that one call of srs_delassus or srs_operational_space_inertia may select; more memory is taken here, once.
/// Default 6 * n_links + 36. Allocates.
srs_status srs_workspace_reserve_rows(srs_workspace *workspace, int n_rows);

// ---------------------------------------------------------------------------------------------------------------------
// Momentum, energy, passive forces
// ---------------------------------------------------------------------------------------------------------------------

typedef struct srs_center_of_mass {
  double mass;        // kg, of the links that can move
  double position[3]; // m, world
  double velocity[3]; // m/s, world
} srs_center_of_mass;

/// Mass and centre of mass of the links that can move, O(n).  @param v  nv, NULL for rest
srs_status srs_com(srs_workspace *workspace, const double *q, const double *v, srs_center_of_mass *com);

/// Momentum of all links, O(n).
/// @param momentum  6, out, [angular about the world's origin; linear], kg m^2/s and kg m/s, world axes
srs_status srs_momentum(srs_workspace *workspace, const double *q, const double *v, double momentum[6]);

typedef struct srs_energies {
  double kinetic;   // J, armature included
  double potential; // J, of gravity (zero at the world's origin) and springs
  double springs;   // J, the springs' part of it
} srs_energies;

/// Kinetic and potential energy, O(n).
srs_status srs_energy(srs_workspace *workspace, const double *q, const double *v, srs_energies *energy);

/// The forces of springs and dampers: -d/dq sum k difference(q, reference)^2 / 2 - D v.
/// @param tau  nv, out, N m or N
/// @return SRS_ERROR_DIVERGED: one of them has overflowed, or an entry of q or v is no finite number
srs_status srs_passive_forces(const srs_model *model, const double *q, const double *v, double *tau);

#ifdef __cplusplus
}
#endif
