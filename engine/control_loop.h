/// A control loop around a sim: control at a fixed rate over finer steps, a delay, callbacks, and pacing.
///
/// The other style needs none of this: set inputs, srs_sim_step, read. Here the loop calls the controller.
#pragma once
#include <sarrus/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Computes torques from the state of the sim; called at every control sample, before its first step.
/// @param tau  nv, N m and N: in, those computed last (zeros at first); out
/// @return false stops the loop before that step
typedef bool (*srs_control)(void *context, srs_sim *sim, double *tau);

/// Called before or after each step; it may set inputs and parameters, and read results.
/// @return false stops the loop there
typedef bool (*srs_step_callback)(void *context, srs_sim *sim);

typedef struct srs_control_loop_options {
  srs_control control;                       // NULL: torques stay as they are. Default NULL
  srs_step_callback before_step, after_step; // NULL: none. Default NULL
  void *context;                             // their first argument. Default NULL
  int steps_per_control; // >= 1: steps of dt from one control sample to the next; torques hold in between. Default 1
  int delay;             // >= 0: control samples from computing torques until they act; zeros act before. Default 0
  double pace;           // seconds of simulation per second of the clock; 0: as fast as it goes. Default 0
} srs_control_loop_options;

srs_control_loop_options srs_default_control_loop_options(void);

/// What a loop did since it was made.
typedef struct srs_control_loop_report {
  long steps, controls; // made; calls of `control`
  long overruns;        // control samples that began late, by more than a hundredth of their length
  double worst_delay;   // s: the latest of these
  bool is_stopped;      // a callback stopped it
} srs_control_loop_report;

typedef struct srs_control_loop srs_control_loop;

/// Allocates.
/// @param sim      must outlive the loop   @param options  NULL for the default
/// @param loop     out, freed by srs_control_loop_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT or _MEMORY
srs_status srs_control_loop_create(srs_sim *sim, const srs_control_loop_options *options, srs_control_loop **loop,
                                   srs_error *error);
void srs_control_loop_destroy(srs_control_loop *loop);

/// Makes up to n steps, and goes on where the last call ended. Without pace it makes no system call and allocates
/// nothing, as a step does; with pace it sleeps until each control sample is due. One that is late begins at once;
/// after a sample that is late by more than its own length, the clock starts anew.
/// @return SRS_OK also where a callback stopped it: ask the report; else as srs_sim_step or srs_sim_set_torque
srs_status srs_control_loop_run(srs_control_loop *loop, long n, srs_error *error);

const srs_control_loop_report *srs_control_loop_get_report(const srs_control_loop *loop);

/// Begins anew: no torques are known or under way, the report is empty, the next step is a control sample.
void srs_control_loop_reset(srs_control_loop *loop);

/// Keeps all memory of the process in RAM, now and later, so that a step makes no page fault. For the whole process,
/// like the system's own call; where the system does not say so, SRS_ERROR_UNSUPPORTED with what it wants (ulimit -l).
srs_status srs_sim_lock_memory(srs_error *error);

#ifdef __cplusplus
}
#endif
