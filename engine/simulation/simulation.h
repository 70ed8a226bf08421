// What a simulation holds. Internal: the steppers read and write it.
//
// Everything that the next step reads is in `state`, one block of doubles that a snapshot copies: time, counters, q, v,
// inputs. Beside it only scratch memory.
#pragma once
#include "engine/dynamics/workspace.h"

#include <stdint.h>

struct srs_constraints; // constraint.h

enum { LOOP_JOINT_ACTUATOR = 5, SRS_IMPLICIT_DEPTH = 3 };

struct srs_sim {
  const srs_model *model;
  srs_sim_options options;
  uint64_t fingerprint; // of the model, for snapshots
  srs_workspace *workspace;

  double *state; // n_state: all of the following, up to warm_rows
  size_t n_state;
  double *time;                // 1
  double *steps;               // 1: a count, exact as a double
  double *start;               // 2: time and step count that time is counted from
  double *flags;               // 3: 1 where a wrench, a servo, a loop joint's actuator is set
  double *q, *v;               // nq, nv
  double *tau;                 // nv
  double *wrench;              // n_frames x 7: in use (0; 1 world axes, 2 the frame's), torque, force
  double *q_ref, *v_ref;       // nq, nv: servo
  double *kp, *kd;             // nv: servo
  double *loop_joint_actuator; // n_closures x LOOP_JOINT_ACTUATOR: torque, position, velocity, kp, kd on the coordinate
                               // that each leaves free
  double *loop_joint_turn;     // n_closures: about where that coordinate is
  double *smooth_warm;         // of the geometrically implicit step's pairs (geometrically_implicit.h)
  double *warm_rows; // n_slots x 2: of each scalar row (constraint.h) whether the last step had it, and its impulse

  // Scratch of a step.
  double *q_next, *v_next; // nq, nv
  double *q_mid;           // nq
  double *force, *extra;   // nv
  double *a;               // nv
  double *error_v;         // nv: distance from a reference
  double *mean_v;          // nv
  double *embedded_v;      // nv: v at the matrices' configuration, where loops are embedded
  double *stage[8];        // nv each: rk4's rates of q and v
  double *lifted_bias;     // nv: as embedded_v, of the velocity that c takes
  // Of implicit schemes; NULL for others.
  double *guess;    // nv: the velocity that the step is thought to end with
  double *gain;     // nv: that less the velocity at the start
  double *ahead;    // nv: from where an explicit scheme would take its matrices to where this one does
  double *residual; // nv: what an iteration changes the guess by
  double *changes[2 * SRS_IMPLICIT_DEPTH]; // nv each: how residuals, and velocities found, changed in the last ones
  double *before;                          // n_state: the state before a step that is halved
  double *link_wrench;                     // n_links x 6
  double *actuator_force;                  // nv: applied torques and servos, as they are if v stays
  double *actuator_change;                 // nv: impulse that servos lose per velocity gained in the step
  double *actuator_effort;                 // nv: of the actuators in the last step that was accepted
  double *loop_joint_effort;               // n_closures: likewise, of loop joints
  double *mean_a;                          // nv: what the step under way changes v by, over dt
  double *last_q, *last_v, *last_a;        // nq, nv, nv: of the last step that was accepted, where it took its matrices
  double *last_wrench;                     // n_frames x 7: `wrench` as it was then, where has_last_wrench
  double *part_wrench;     // n_parts x 6: what joints carried then (wrenches.c), where knows_part_wrench
  double *last_load;       // nv: what is exerted along joints then, where loops are embedded
  double *embedded_wrench; // n_closures x 6: of embedded ones, where knows_part_wrench
  const double *bias_v;    // nv: the velocity whose terms c the step under way took
  bool has_last, has_last_wrench, knows_part_wrench;
  bool actuators_are_rows; // in the step under way: limited actuators are in the problem, not in the mass matrix
  struct srs_constraints *constraints; // NULL where there are none
  struct srs_geometric *geometric;     // NULL for other integrators, and where there is nothing to solve for
  struct srs_projector *projector;     // NULL where there are no loops
  srs_implicit_statistics implicit;
  bool workspace_is_current;
  srs_contact_watch watch; // of contact problems, NULL for none
  void *watcher;
  void *memory;
};

enum { SRS_WRENCH_SIZE = 7, SRS_WRENCH_OFF = 0, SRS_WRENCH_WORLD = 1, SRS_WRENCH_LOCAL = 2 };

/// Keeps what srs_sim_joint_wrench needs of the step that is being accepted (wrenches.c).
void srs_wrenches_keep(srs_sim *sim);

/// One step of the sim's integrator into q_next, v_next. bad_v: with SRS_ERROR_SINGULAR, the coordinate.
/// @return SRS_ERROR_DIVERGED: an implicit step did not converge
srs_status srs_step(srs_sim *sim, int *bad_v);

/// What stands in q_next, v_next is the sim's state from now on; the clock is the caller's.
void srs_sim_accept(srs_sim *sim);

/// There was no last step: no contacts, rows, wrenches and efforts of one.
void srs_sim_forget_last_step(srs_sim *sim);

/// A step of dt as 2, 4, … smaller ones, accepted one by one, after srs_step did not converge. On failure the state is
/// as before (implicit.c).
srs_status srs_halved_step(srs_sim *sim, int *bad_v);

/// Where a step from (q, v) takes what it computes with.
typedef struct srs_scheme {
  const double *q;       // nq: matrices and rows
  const double *q_force; // nq: springs and servos
  const double *v_bias;  // nv: velocity terms, dampers and servos
  double h_q, h_v;       // what positions and velocities change by with v+: srs_sim_forces
  // Of implicit schemes; zero for others.
  double gain;                     // v_guess - v = gain (v_bias - v)
  double ahead_bias, ahead_before; // ahead = ahead_bias v_bias + ahead_before v
} srs_scheme;

/// v_next of a step, with what acts and holds.
srs_status srs_find_velocities(srs_sim *sim, const srs_scheme *scheme, int *bad_v);

/// q_mid, where a step takes its matrices `ahead` from its start, onto the loops: rows that depend on each other where
/// loops are closed depend on each other there too. bad_v: with SRS_ERROR_SINGULAR.
srs_status srs_close_ahead(srs_sim *sim, double ahead, int *bad_v);

/// The steps of the implicit schemes up to q_next (implicit.c).
srs_status srs_iterate_step(srs_sim *sim, int *bad_v);

/// Which of the options an integrator has.
static inline bool srs_is_implicit(srs_integrator i) { return i == SRS_IMPLICIT_EULER || i == SRS_IMPLICIT_MOREAU; }

/// Whether rows are held, and springs taken, at the mean of both ends.
static inline bool srs_is_mean(srs_integrator i) { return i == SRS_MOREAU_MIDPOINT || i == SRS_IMPLICIT_MOREAU; }

/// Applied torques, springs, dampers and servos at (q, v), as force; with their linear change over a step as diagonal:
/// position change h_q per change of v, velocity change h_v (see step.c). Of an implicit scheme, as they would be if v
/// stayed, by that linear change from its guess.
void srs_sim_forces(const srs_sim *sim, const double *q, const double *v, double h_q, double h_v, double *force,
                    double *extra);

/// The frames' wrenches as wrenches on links at q; NULL when there are none.
const double *srs_sim_link_wrenches(srs_sim *sim, const double *q);

/// What the actuators gave in the step that is being accepted, as actuator_effort.
void srs_find_actuator_efforts(srs_sim *sim);

/// Whether all quaternions of q have unit length within 1e-6; the error names the joint and the length.
srs_status srs_check_quaternions(const srs_model *model, const double *q, srs_error *error);

/// A number for all that makes a model move as it does, so that another one of the same size is told from it.
uint64_t srs_model_fingerprint(const srs_model *model);
