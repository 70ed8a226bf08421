// A whole run: steps, rows of the trajectory, inputs, and its outcome.
#pragma once
#include "engine/cli/live/live.h"
#include "engine/cli/recording/kept_run.h"
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/step_times.h"
#include <sarrus/engine.h>

/// The parts of a run. `input`, `trajectory`, `times` and `keeper` may be NULL.
typedef struct srs_run_plan {
  srs_sim *sim;
  srs_input *input;
  srs_trajectory *trajectory;
  long n_steps;
  long first_step;       // where it goes on
  bool is_resumed;       // the trajectory has the rows up to there
  int every;             // steps between rows
  srs_step_times *times; // of every single step
  srs_run_keeper *keeper;
  srs_sensors *sensors; // that the trajectory has columns of
  srs_live *live;       // shown while it runs, at the pace of the clock; NULL: not
} srs_run_plan;

typedef struct srs_run_outcome {
  bool was_interrupted;
  double wall_time; // s
  long n_rows;      // of the trajectory
  bool was_resumed;
  double time_start;               // s: where this call began, or went on
  double energy_start, energy_end; // J
  double turnover;                 // J: kinetic energy at the start, and what it gained and lost
  double change_max;               // J: of the kinetic energy in a step, the largest mean over a sample
  srs_energy_balance balance;
  bool has_balance; // the scene's energy_balance is on
} srs_run_outcome;

/// Runs until the last step, a failure, or SIGINT or SIGTERM, each of which lets the present step finish. Rows are
/// added for the start and after each `every` steps. Between the steps nothing is allocated, but by the keeper.
/// @return SRS_OK, or what stopped the run, with the error filled
srs_status srs_simulate(const srs_command *command, const srs_run_plan *plan, srs_run_outcome *outcome,
                        srs_error *error);

/// Kinetic and potential energy of the present state.  @param energy  out, J   @return error filled if not SRS_OK
srs_status srs_total_energy(srs_sim *sim, double *energy, srs_error *error);
