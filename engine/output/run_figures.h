// What the summary of a run counts and a simulation does not. Internal.
//
// It is saved with each snapshot of an HDF5 file, so that a run that is resumed has the summary of one that never
// stopped.
#pragma once
#include <sarrus/scene.h>

typedef struct srs_run_figures {
  double energy_start; // J: kinetic and potential, of the start
  double turnover;     // J: kinetic energy at the start, and what it gained and lost up to `sampled`
  double change_max;   // J: of the kinetic energy in a step, the largest mean over a sample
  double kinetic;      // J: at `sampled`
  double sampled;      // step
} srs_run_figures;

/// Those of the trajectory, zeros at first; of one that is resumed those of its snapshot.
srs_run_figures *srs_trajectory_figures(srs_trajectory *trajectory);
