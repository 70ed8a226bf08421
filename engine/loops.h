/// Loops of a mechanism: how far they are from closed, assembly, inverse kinematics, redundant coordinates.
#pragma once
#include <sarrus/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Gaps and ranks
// ---------------------------------------------------------------------------------------------------------------------

/// How far each loop is from closed: the length of its linear gap (m) or of its angular gap (rad), whichever number is
/// larger. Allocates.
/// @param q     nq
/// @param time  s, for prescribed motions
/// @param gaps  n_loops, out
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _NOT_FINITE, _MEMORY or _DIVERGED (a gap exceeds the finite numbers)
srs_status srs_loop_gaps(srs_workspace *workspace, const double *q, double time, double *gaps);

/// How many rows of the loops are independent at a configuration: the mechanism has nv - rank degrees of freedom there.
/// Allocates.
/// @param loop_ranks  n_loops, out: of each loop's rows by themselves; may be NULL
/// @param rank        out: of all rows together
/// @return as srs_loop_gaps
srs_status srs_loop_ranks(srs_workspace *workspace, const double *q, double time, int *loop_ranks, int *rank);

// ---------------------------------------------------------------------------------------------------------------------
// Assembly
// ---------------------------------------------------------------------------------------------------------------------

typedef struct srs_assembly_options {
  const bool *frozen;  // nv: coordinates (of v) that keep their values; NULL for none
  const bool *loops;   // n_loops: which loops to close; NULL for all
  double time;         // s, for prescribed motions. Default 0
  double tolerance;    // m and rad. Default 1e-12
  int max_iterations;  // of each start. Default 200
  int max_restarts;    // from other configurations, where none near the start closes the loops. Default 20
  bool respect_limits; // of coordinates that start within their limits; of cones, twists and loop joints where that is
                       // possible, else of those within theirs at the start. Default true
} srs_assembly_options;

srs_assembly_options srs_default_assembly_options(void);

typedef struct srs_assembly_report {
  double before, after;     // largest |gap|, m or rad (of velocities: m/s or rad/s)
  int worst;                // the loop with the largest gap afterwards, -1 without loops
  int iterations, restarts; // of all starts together
  double change;            // root of the sum of squares of the change of q (or v), rad and m (rad/s and m/s) alike
} srs_assembly_report;

/// Closes the loops by the smallest change of q. Coordinates that follow another one first take their places (unless
/// frozen, or their loop is not selected). From there Levenberg-Marquardt on the configuration manifold finds a closed
/// configuration, then moves along the closed ones to the one nearest to the start: the least root of the sum of
/// squares of srs_difference, rad and m alike. Allocates.
/// @param options  NULL for the default
/// @param q        nq, in: the start; out: closed. Untouched on failure
/// @param report   out, also on failure, then of the best configuration found; may be NULL
/// @return SRS_OK; SRS_ERROR_UNREACHABLE where none was found: the workspace's error names the loops, their gaps
///         and the limit that prevents it, if one does; SRS_ERROR_NOT_FINITE, _ARGUMENT, _MEMORY or _DIVERGED
srs_status srs_assemble(srs_workspace *workspace, const srs_assembly_options *options, double *q,
                        srs_assembly_report *report);

/// Finds the smallest change of v that keeps the loops closed at q, or moving as prescribed. Allocates.
/// @param v  nv, in and out; untouched on failure
/// @return as srs_assemble; SRS_ERROR_UNREACHABLE where frozen velocities contradict the loops by more than 1e-9 m/s or
///         rad/s
srs_status srs_assemble_velocity(srs_workspace *workspace, const srs_assembly_options *options, const double *q,
                                 double *v, srs_assembly_report *report);

// ---------------------------------------------------------------------------------------------------------------------
// Inverse kinematics
// ---------------------------------------------------------------------------------------------------------------------

/// The placement wanted for a frame.
typedef struct srs_ik_target {
  int frame;
  srs_pose pose; // in the world
  unsigned rows; // which rows count, in the target's axes, as in srs_closure_def: SRS_ROWS_POINT the position, 0x7 the
                 // orientation, SRS_ROWS_ALL both
  double weight; // > 0: of its rows against those of other targets, where not all can be reached
} srs_ik_target;

/// Position and orientation of a frame, weight 1.
srs_ik_target srs_default_ik_target(int frame, const srs_pose *pose);

/// The memory of inverse kinematics for one model. One thread at a time.
typedef struct srs_ik srs_ik;

typedef struct srs_ik_options {
  double tolerance;    // m and rad, of targets and loops. Default 1e-10
  int max_iterations;  // of each start. Default 100
  int max_restarts;    // from a fixed sequence of configurations, the same in each call. Default 100
  bool respect_limits; // q stays within the joints' limits, and a start outside is moved inside; cones, twists and
                       // limits of loop joints hold to the tolerance. Default true
  const bool *frozen;  // nv: coordinates that keep their values; NULL for none
  double time;         // s, for prescribed motions. Default 0
} srs_ik_options;

srs_ik_options srs_default_ik_options(void);

typedef struct srs_ik_report {
  double position_error;    // m: the largest among the targets' linear rows
  double orientation_error; // rad: the largest among the targets' angular rows
  double loop_error;        // m or rad: the largest gap of a loop
  int target;               // the one that is farthest from reached, -1 without targets
  int iterations, restarts; // of all starts together
} srs_ik_report;

/// Allocates.
/// @param model        must outlive `ik`
/// @param max_targets  most targets of one call
/// @param ik           out, freed by srs_ik_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT or _MEMORY
srs_status srs_ik_create(const srs_model *model, int max_targets, srs_ik **ik, srs_error *error);
void srs_ik_destroy(srs_ik *ik);

/// Finds a configuration that takes frames to targets, within the joints' limits and with loops closed, by
/// Levenberg-Marquardt from q, then from other starts. Allocates nothing.
/// @param targets  n_targets
/// @param options  NULL for the default
/// @param q        nq, in: the start; out: reached. Untouched on failure
/// @param report   out, also on failure, then of the best configuration found; may be NULL
/// @return SRS_OK; SRS_ERROR_UNREACHABLE where none was found: srs_ik_error says how near the best one came;
///         SRS_ERROR_NOT_FINITE, _ARGUMENT or _DIVERGED
srs_status srs_inverse_kinematics(srs_ik *ik, const srs_ik_target *targets, int n_targets,
                                  const srs_ik_options *options, double *q, srs_ik_report *report);

/// The best configuration of the last call, nq, whether or not it reaches the targets.
const double *srs_ik_best(const srs_ik *ik);

/// Details of the last failed call.
const srs_error *srs_ik_error(const srs_ik *ik);

// ---------------------------------------------------------------------------------------------------------------------
// Redundant coordinates: the same mechanism as free links and closures
// ---------------------------------------------------------------------------------------------------------------------

/// Builds the model of srs_builder_build with every joint cut (Mylapilli & Jain sec. 2.4): each moving body gets six
/// coordinates, those of a free joint named as its link, and is held by closures named as the joints were. Links,
/// frames, shapes, loops and the pairs that may collide stay the same. It serves comparisons: motions agree to O(h),
/// the cost differs. Fixed joints merge links in either form. Allocates.
/// @param options  NULL for the default
/// @param model    out, freed by srs_model_destroy; NULL on failure
/// @return as srs_builder_build; also SRS_ERROR_UNSUPPORTED, by name, for what closures do not offer: helical joints,
///         universal ones whose axes are not at right angles, springs, damping, limits, friction and armature of
///         joints, couplings; SRS_ERROR_MODEL for a moving body without mass
srs_status srs_build_redundant(const srs_builder *builder, const srs_build_options *options, srs_model **model,
                               srs_error *error);

/// Converts a state of the minimal model to one of the redundant model built from the same builder. Allocates.
/// @param q, v          nq, nv of the minimal model
/// @param q_out, v_out  nq, nv of the redundant model, out
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _NOT_FINITE or _MEMORY
srs_status srs_redundant_state(const srs_model *minimal, const srs_model *redundant, const double *q, const double *v,
                               double *q_out, double *v_out, srs_error *error);

#ifdef __cplusplus
}
#endif
