/// A mechanism in motion: state, inputs, steps, and what acted in the last step.
#pragma once
#include <sarrus/loops.h>
#include <sarrus/simulation_options.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A simulation, as a control loop holds it. One thread at a time; two sims of one model on two threads give the same
/// bits as one after the other. A step allocates nothing (except where contact.capacity is 0), locks nothing and prints
/// nothing.
typedef struct srs_sim srs_sim;

/// Starts at t = 0 in the model's neutral configuration, at rest. Allocates.
/// @param model    must outlive the sim
/// @param options  NULL for the default
/// @param sim      out, freed by srs_sim_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _UNSUPPORTED (what the integrator does not offer), _NAME, _MODEL or _MEMORY
srs_status srs_sim_create(const srs_model *model, const srs_sim_options *options, srs_sim **sim, srs_error *error);
void srs_sim_destroy(srs_sim *sim);

// ---------------------------------------------------------------------------------------------------------------------
// State
// ---------------------------------------------------------------------------------------------------------------------

/// Returns to the state after srs_sim_create, clears the inputs, and takes back parameters that were changed
/// (<sarrus/parameters.h>).
void srs_sim_reset(srs_sim *sim);

/// Sets the state; NULL keeps that part, inputs stay. Quaternions within 1e-6 of unit length are normalised, others are
/// refused.
/// @param time  s   @param q  nq   @param v  nv
/// @return SRS_OK, SRS_ERROR_ARGUMENT or _NOT_FINITE, the state as it was
srs_status srs_sim_set_state(srs_sim *sim, double time, const double *q, const double *v, srs_error *error);

/// The model that the sim was made for, without what <sarrus/parameters.h> has changed.
const srs_model *srs_sim_model(const srs_sim *sim);

/// The options of the sim, with copies of all lists and names in them, which live as long as the sim. Given to
/// srs_sim_create while they do, they make the same sim again.
const srs_sim_options *srs_sim_get_options(const srs_sim *sim);
/// s: what it was set to, and k dt after k steps, with dt as a decimal: 1.001, not 1001 * 0.001 = 1.0009999999999999.
double srs_sim_time(const srs_sim *sim);
long srs_sim_steps(const srs_sim *sim);      // since creation or reset
const double *srs_sim_q(const srs_sim *sim); // nq, a view that the next step changes
const double *srs_sim_v(const srs_sim *sim); // nv, likewise

/// Closes the loops of the present state, its configuration and then its velocity (srs_assemble,
/// srs_assemble_velocity), at the sim's time. Allocates.
/// @param options  NULL for the default; its time is ignored
/// @param report   out, of the configuration; may be NULL
/// @return SRS_OK, or what these return, the state as it was
srs_status srs_sim_assemble(srs_sim *sim, const srs_assembly_options *options, srs_assembly_report *report,
                            srs_error *error);

/// A workspace in which srs_forward_velocity has just been called at (q, v), for srs_frame_placement,
/// srs_frame_velocity, srs_frame_jacobian, ….
srs_workspace *srs_sim_workspace(srs_sim *sim);

/// The acceleration of the present state under the present inputs, with springs, dampers and actuators bounded by their
/// limits, without contacts, limits, dry friction and loops that are not embedded.
/// @param a  nv, out, rad/s^2 or m/s^2
/// @return as srs_forward_dynamics; SRS_ERROR_DIVERGED with time and step where it overflows
srs_status srs_sim_acceleration(srs_sim *sim, double *a, srs_error *error);

/// The motion of the last step where it took its matrices and velocity terms: its start, of midpoint schemes its
/// middle. a is the change of v by all forces and impulses over dt, nv. With the mean of srs_forward_acceleration(q, v,
/// a) over both v, each body's mass times its acceleration is the sum of the forces on it.
/// @param q     out: a view that the next step changes, like the others
/// @param v, w  out: two velocities where contacts bounced in the middle of the step, at which its halves took their
///              terms; else the same one twice
/// @param a     out
/// @return false, with nothing set, before the first step, after srs_sim_set_state of q or v, and after rk4
bool srs_sim_step_motion(const srs_sim *sim, const double **q, const double **v, const double **w, const double **a);

/// The collider of the sim: NULL where contact is disabled or no two shapes can collide.
srs_collider *srs_sim_collider(srs_sim *sim);

/// The coordinate that lies farthest outside its limits.
/// @param by  out: how far, rad or m; may be NULL
/// @return its index in v; -1 where none does
int srs_outside_limits(const srs_model *model, const double *q, double *by);

// ---------------------------------------------------------------------------------------------------------------------
// Inputs. They hold, step after step, until they are set again or cleared; snapshots contain them.
// ---------------------------------------------------------------------------------------------------------------------

/// Sets the torques and forces on all coordinates.  @param tau  nv, N m or N
srs_status srs_sim_set_torque(srs_sim *sim, const double *tau, srs_error *error);

/// The torques last set, nv, a view.
const double *srs_sim_torque(const srs_sim *sim);

/// Sets the wrench of a frame, which acts on its link at the frame's origin as it moves, constant in the given axes. It
/// replaces the frame's previous wrench; wrenches of different frames add up.
/// @param wrench  6, [torque; force], N m and N
srs_status srs_sim_set_wrench(srs_sim *sim, int frame, srs_axes axes, const double wrench[6], srs_error *error);
void srs_sim_clear_inputs(srs_sim *sim);

/// Sets a PD servo on the coordinates: tau = kp (q_ref - q) + kd (v_ref - v) is added implicitly (by rk4 explicitly),
/// per coordinate of v, so that no gain is too stiff for dt. Where torque and servo together exceed max_effort, the
/// step is solved with their sum bounded at its end. For control that must equal an outside loop to the bit use
/// srs_sim_set_torque.
/// @param q_ref  nq   @param v_ref  nv   @param kp, kd  nv each, >= 0; zero switches a coordinate's servo off
srs_status srs_sim_set_servo(srs_sim *sim, const double *q_ref, const double *v_ref, const double *kp, const double *kd,
                             srs_error *error);

/// How a motor drives one coordinate, in the motor's own units: it turns `gear` times as fast as the coordinate.
typedef struct srs_actuator {
  int coordinate;     // index in v
  bool is_of_closure; // then `coordinate` is the index of a closure, whose free coordinate is driven. Default false
  double gear;        // not 0; negative: opposite sense. Default 1
  double torque;      // feed-forward, N m or N. Default 0
  double position, velocity; // references. Default 0
  double kp, kd;             // gains of the servo, >= 0; kd alone: a velocity servo. Default 0
} srs_actuator;

srs_actuator srs_default_actuator(int coordinate);

/// Sets the inputs of one coordinate, as srs_sim_set_torque and srs_sim_set_servo set those of all. Torque and gains on
/// the coordinate are gear and gear^2 times the motor's; the joint's max_effort and max_velocity are the coordinate's.
/// This is the only way to drive a closure, where a servo is a row of the step's problem.
/// @return SRS_OK, SRS_ERROR_ARGUMENT (also for kp on a coordinate of a quaternion, and for closures that are neither
///         revolute nor prismatic) or _NOT_FINITE
srs_status srs_sim_set_actuator(srs_sim *sim, const srs_actuator *actuator, srs_error *error);

/// Sets where a prescribed motion is now, and how fast it goes on from there: for what is moved from outside, a table,
/// a conveyor, a door. The loop is a closure or a coupling that has a motion in the model, of rate 0 where nothing else
/// is known; what hangs on it moves so exactly, with whatever force it takes, and contacts see its velocity. A position
/// that jumps is reached within the step, by projection, which no contact sees as a velocity.
///
/// As other inputs it holds until it is set again: snapshots contain it, srs_sim_set_state keeps it; srs_sim_reset and
/// srs_sim_clear_inputs return to the model's motion. Allocates nothing; O(1).
/// @param loop      closures first, then couplings (srs_model_loop_name)
/// @param position  m or rad, as srs_motion_at of the motion that it replaces   @param rate  m/s or rad/s
/// @return SRS_OK, SRS_ERROR_ARGUMENT also for a loop without motion, SRS_ERROR_NOT_FINITE
srs_status srs_sim_set_motion(srs_sim *sim, int loop, double position, double rate, srs_error *error);

/// Where a prescribed motion is at the sim's time.  @param position, rate  out; may be NULL
srs_status srs_sim_get_motion(const srs_sim *sim, int loop, double *position, double *rate);

/// Whether a servo may hold a position of a coordinate of v: q has an entry for that coordinate alone.
bool srs_actuator_takes_position(const srs_model *model, int coordinate);

/// The coordinate that a revolute or prismatic closure leaves free. Angles count turns, starting from the one nearest
/// to the middle of the limits (to 0 without two limits) when the state was set.
/// @param value   out, rad or m
/// @param rate    out, may be NULL, rad/s or m/s
/// @param effort  out, may be NULL: of its actuator in the last step, N m or N
/// @return SRS_OK, or SRS_ERROR_ARGUMENT also for other kinds
srs_status srs_sim_closure_coordinate(srs_sim *sim, int closure, double *value, double *rate, double *effort);

// ---------------------------------------------------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------------------------------------------------

/// Makes n steps of dt. On failure the state is that of the last good step.
/// @return SRS_OK, SRS_ERROR_SINGULAR, _DIVERGED (also where an implicit step does not converge), _CAPACITY or _MEMORY;
///         the error names time, step and joint
srs_status srs_sim_step(srs_sim *sim, long n, srs_error *error);

/// A snapshot holds everything that the next step reads besides model and options. A sim of the same model and options
/// that restores it, in this process or another one on the same kind of machine, continues with the same bits. It
/// carries the options, dt and gravity among them, and a fingerprint of the model: elsewhere it is refused.
/// @return bytes; the size grows with the contacts of the last step, so ask before each save
size_t srs_sim_snapshot_size(const srs_sim *sim);

/// @param bytes  srs_sim_snapshot_size of them, out
void srs_sim_snapshot_save(const srs_sim *sim, void *bytes);

/// @param size  as srs_sim_snapshot_size returned
/// @return SRS_OK; SRS_ERROR_ARGUMENT where the bytes are of another model or other options (the error names the first
///         difference, and the option or shape is its subject), have been changed, or hold a quaternion that is not
///         unit within 1e-6; SRS_ERROR_NOT_FINITE names the number. On failure the sim is unchanged
srs_status srs_sim_snapshot_restore(srs_sim *sim, const void *bytes, size_t size, srs_error *error);

// ---------------------------------------------------------------------------------------------------------------------
// What acted in the last step, in (t - dt, t]. Where the step was split into smaller ones (srs_implicit_settings): in
// the last of these. Pointers are views that the next step changes.
// ---------------------------------------------------------------------------------------------------------------------

typedef struct srs_sim_contact {
  srs_contact_point contact; // points, normal and gap at the configuration where the step took its matrices
  double friction, restitution;
  double anisotropy[3];      // of friction: factors along t1 and t2, 1 where isotropic; torsional radius, m, 0 for none
  double impulse[3];         // on A by B, N s, world axes
  double force[3];           // impulse over dt, N
  double torsional_impulse;  // torsional impulse on A about the normal, N m s; 0 without torsional friction
  double torque;             // that over dt, N m
  double rolling;            // radius of rolling friction, m, 0 for none
  double rolling_impulse[3]; // of rolling friction on A: a torque across the normal, N m s, world axes
  double rolling_torque[3];  // that over dt, N m
} srs_sim_contact;

/// The contacts of the step's problem with their impulses, zero where they opened.  @param n  out
const srs_sim_contact *srs_sim_contacts(const srs_sim *sim, int *n);

/// The source of a scalar row of the step's problem.
typedef enum srs_row_source {
  SRS_ROW_LOOP, // a closure, a coupling, a prescribed motion
  SRS_ROW_LOWER_LIMIT,
  SRS_ROW_UPPER_LIMIT,
  SRS_ROW_FRICTION,
  SRS_ROW_ACTUATOR, // an actuator at its limits (srs_sim_actuator_effort has the whole effort); of a loop joint: its
                    // servo
  SRS_ROW_PASSIVE,  // spring, damper and armature of a loop joint
} srs_row_source;

enum { SRS_ROW_SOURCES = SRS_ROW_PASSIVE + 1 };

/// "loop", "lower limit", "upper limit", "dry friction", "actuator", "spring and damper"
const char *srs_row_source_name(srs_row_source source);

/// What a scalar row acts on.
typedef enum srs_row_subject {
  SRS_ROW_OF_COORDINATE, // of a joint
  SRS_ROW_OF_LOOP,       // its constraint, or the coordinate that a revolute or prismatic closure leaves free
  SRS_ROW_OF_SWING,      // the angle between the axes of a spherical joint
  SRS_ROW_OF_TWIST,      // its rotation about that axis
} srs_row_subject;

/// One row of the step's problem besides contacts.
typedef struct srs_sim_row {
  srs_row_source source;
  srs_row_subject subject;
  int index;      // of the coordinate, in v (of swing and twist: the joint's first); of the loop
  int row;        // of a loop: its row, from 0; else 0
  double gap;     // of loops and limits (negative outside), at the configuration where the step took its matrices
  double impulse; // N m s or N s; of limits >= 0, away from the stop; of friction along the coordinate
  double force;   // impulse over dt, N m or N
} srs_sim_row;

/// The rows of the step's problem besides contacts.  @param n  out
const srs_sim_row *srs_sim_rows(const srs_sim *sim, int *n);

/// The energy balance since creation, reset or the last srs_sim_set_state of q or v:
///   kinetic + gravity + springs = the works + rest
/// A step's impulse p on a velocity that it changes from w- to w+ does the work p (w- + w+)/2, at the configuration
/// where the step takes its matrices. Works are negative where they take energy from the mechanism, all are in J.
typedef struct srs_energy_balance {
  double kinetic, gravity, springs;        // changes of energy: of motion, potential of gravity and of joints' springs
  double drives;                           // torques, servos and wrenches (srs_sim_set_wrench)
  double dampers, dry_friction;            // of joints
  double contact_normal, contact_friction; // the elastic energy of compliant layers counts as their work
  double limits;                           // position limits of joints
  double loops;                            // prescribed motions; closures without one do no work
  double loop_joints;                      // springs, dampers and rotors of loop joints, of which no energy above knows
  double push_out;                         // speed given to what overlaps, or is beyond a limit, to lead it back
  double rest; // what the scheme itself has made (positive) or lost, of the order of its error; keep_momentum, the
               // projection of loops and implicit_gyroscopic are in it
} srs_energy_balance;

/// The energies at the sim's state, as srs_energy gives them.
/// @return SRS_OK, or SRS_ERROR_DIVERGED with time and step where they overflow
srs_status srs_sim_energies(srs_sim *sim, srs_energies *energies, srs_error *error);

/// Snapshots contain the works and the start. O(n): the energies of the start and of the present state are found anew.
/// Contacts, limits and dry friction do no positive work in a step: engine/conservation/energy_balance.c says how they
/// are measured.
/// @return SRS_OK, SRS_ERROR_ARGUMENT, SRS_ERROR_UNSUPPORTED without the option energy_balance, or as srs_energy
srs_status srs_sim_energy_balance(srs_sim *sim, srs_energy_balance *balance);

/// The efforts of actuators: torques and servos as max_effort and max_velocity let them act, the last step's impulse
/// over dt (under rk4 the mean of its stages by its weights).  @return nv, N m or N
const double *srs_sim_actuator_effort(const srs_sim *sim);

/// The wrench of a closure on the link of its frame b (on the link of a, where b is on the world), including limits,
/// friction and actuator of a loop joint: the step's impulse over dt. The opposite acts on the other link. Zero for a
/// coupling, whose force is in its row, and before the first step. Where loops constrain something twice, the smallest
/// wrench. An embedded loop has no impulses: its wrench follows from the balance of its links. O(n) once a step.
/// @param link    out: the link; may be NULL
/// @param wrench  6, out, [torque; force], N m and N, world axes about the origin of that link's frame
/// @return SRS_OK, SRS_ERROR_ARGUMENT, or of an embedded loop what srs_sim_joint_wrench returns
srs_status srs_sim_loop_wrench(srs_sim *sim, int loop, int *link, double wrench[6]);

/// The wrench that the parent exerts on a link through its joint: the mean over the step, impacts included, of all that
/// acts in the joint: constraint, actuator, friction and limits. Fixed joints have one too, merged or not, up to the
/// world. Contacts, loops, weight and wrenches (srs_sim_set_wrench) act on the link of the file that they belong to, so
/// that each link's mass times its mean acceleration is the sum of its forces, to rounding.
///
/// Taken where the step took its matrices, with the velocity terms of the step: at its start, or its middle for
/// moreau-midpoint; contacts of geometrically-implicit act at its end, which shifts them by a step's motion. After rk4,
/// and before the first step: of the present state without contacts, loops, limits and dry friction. Allocates nothing;
/// O(n) once a step.
/// @param frame   of a link of the file (srs_model_find_frame), the joint's child
/// @param wrench  6, out, [torque; force] on the link about its frame's origin, N m and N, in the given axes
/// @return SRS_OK, SRS_ERROR_ARGUMENT also for a frame that is no link, SRS_ERROR_DIVERGED where a wrench overflows;
///         else as srs_sim_acceleration
srs_status srs_sim_joint_wrench(srs_sim *sim, int frame, srs_axes axes, double wrench[6]);

// ---------------------------------------------------------------------------------------------------------------------
// Statistics, since creation or reset
// ---------------------------------------------------------------------------------------------------------------------

/// What contact cost and how well it was solved.
typedef struct srs_sim_statistics {
  long contact_steps;      // steps with at least one contact in the problem
  int contacts_max;        // in one step
  long solves, iterations; // contact problems (one per island and phase) and their iterations; of an implicit step
                           // those of its last iteration (srs_implicit_statistics counts these)
  int iterations_max;      // of one problem
  long second_rounds;      // times that a step was solved again because it would have broken a contact or a limit
                           // that had been left out
  long pushes;             // problems after which positions were moved out of penetration or passed limits
  double work_max, step_work_max; // multiplications that one problem took, and all of one step, with those that were
                                  // solved again
  double most_work_max, step_most_work_max; // what they were bounded by (srs_contact_options.most_work)
  double step_work, step_most_work;         // of the last step
  long failures;               // problems that ended above the tolerance and above rounding; the best iterate was used
  double first_failure_time;   // s: the start of the step of the first one; NAN without failures
  double failure_residual_max; // scaled natural map: the worst of these problems, 0 without failures
  double residual_max;         // scaled natural map
  double residual_last;        // the largest of the last step, 0 without contacts
  double penetration_max;      // m
  double penetration_sum;      // m: of each step's deepest, over the steps
  double infeasibility_max;  // H (5.3): the largest violation of non-penetration, max(0, -phi) over all contact points,
                             // phi as srs_contact_point measures it: m, for the ratio metric without unit
  double infeasibility_sum;  // of each step's, over the steps
  double infeasibility_last; // of the last step
  long growths;              // how often contact memory was enlarged
  int rows_max;              // rows besides contacts in one step
  int bilateral_rows;        // rows that hold loops in the last step
  int bilateral_rank;        // how many of these are independent; the least-norm impulses solve the others
  int groups_max;            // corners (groups of sides) in the problems of one step
  long corner_solves;        // problems with groups
  long tries;                // choices of sides (max form) or of pivots (summation form) tried for all of them
  int tries_max;             // for one
  double closure_error_max;  // m or rad: largest gap of a loop after a step
  long change_points;    // passages through configurations where rows that are independent elsewhere nearly depend on
                         // each other, so that a loop could branch; counted once per passage
  int change_point_loop; // the loop of the last one
  double change_point_time; // s: the start of the step that met it
  int change_point_rank;    // how many rows of loops were independent there
} srs_sim_statistics;

const srs_sim_statistics *srs_sim_get_statistics(const srs_sim *sim);

/// What the implicit integrators cost.
typedef struct srs_implicit_statistics {
  long solves;        // steps solved by iteration, smaller ones counted each
  long iterations;    // of all these
  int iterations_max; // of one
  long halved;        // steps of dt that were split
} srs_implicit_statistics;

const srs_implicit_statistics *srs_sim_get_implicit_statistics(const srs_sim *sim);

/// How well steps follow what turns fast. Not of rk4.
typedef struct srs_spin_statistics {
  long iterated;      // steps whose velocity terms were iterated (srs_sim_options.velocity_terms)
  long iterations;    // of all these
  int iterations_max; // of one
  long unconverged;   // steps whose velocity terms did not converge; the best iterate was used
  long unresolved;    // these, and steps that turned a joint by more than 0.5 rad; not a hinge that carries one link
                      // round about its axis, a wheel. With SRS_VELOCITY_TERMS_START of models with ball joints only
  double first_time;  // s: the start of the first unresolved step; NAN without any
  int link;           // the link that turned fastest in such a step,
  double speed;       // its speed, rad/s (that of its joint), 0 without any,
  double dt;          // and the step that resolves it, s
} srs_spin_statistics;

const srs_spin_statistics *srs_sim_get_spin_statistics(const srs_sim *sim);

/// Called with every contact problem of the sim's steps, once it is solved. The pointers are valid during the call,
/// which must not change the sim.
/// @param context  as given to srs_sim_watch_contacts
typedef void (*srs_contact_watch)(void *context, const srs_contact_problem *problem, const double *impulse,
                                  const srs_contact_report *report);

/// Sets the function that each further problem is shown to, in the middle of a step (srs_sim_time is its start); NULL
/// ends it.
void srs_sim_watch_contacts(srs_sim *sim, srs_contact_watch watch, void *context);

#ifdef __cplusplus
}
#endif
