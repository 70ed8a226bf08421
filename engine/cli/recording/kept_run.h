// A run that can be made again: `sarrus run --record-run R` writes it, `sarrus replay R` makes it again and compares.
#pragma once
#include <sarrus/engine.h>

#include <stdint.h>

/// What stands in the file besides its steps.
typedef struct srs_kept_run {
  const char *version;    // of Sarrus
  const char *build;      // compiler, and the instructions that kernels use
  const char *scene_file; // its path as it was given
  const char *scene;      // its text; "" for a robot file
  const char *arguments;  // of the run, a unit separator between
  const void *start;      // a snapshot, n_start bytes
  size_t n_start;
  int nq, nv;
  size_t n_inputs; // srs_sim_input_count
  long n_steps;
  bool has_failed;      // the step after the last could not be made
  const char *at, *end; // its steps; `at` is the next one to read
  char *bytes;          // memory of all
} srs_kept_run;

/// Whether two numbers are the same to the bit: a zero of the other sign is another.
bool srs_is_same_bits(const double *a, const double *b);

/// This library's own.
const char *srs_kept_run_build(void);

/// Reads a file and checks that it is whole.  @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _UNSUPPORTED or _MEMORY
srs_status srs_kept_run_load(const char *path, srs_kept_run *run, srs_error *error);
void srs_kept_run_free(srs_kept_run *run);

/// Sets the inputs of the next step.  @return false where they are none
bool srs_kept_run_apply(srs_kept_run *run, srs_sim *sim);

/// The state after it.  @param hash  out: srs_sim_state_hash   @param x  out: nq + nv, coordinates and velocities
/// @return false behind the last one
bool srs_kept_run_state(srs_kept_run *run, uint64_t *hash, double *x);

/// Keeps a run step by step, in memory.
typedef struct srs_run_keeper srs_run_keeper;

/// @param sim  where it starts; must outlive the keeper   @param facts  scene_file, scene, arguments
srs_status srs_run_keeper_create(srs_sim *sim, const srs_kept_run *facts, srs_run_keeper **keeper, srs_error *error);
void srs_run_keeper_destroy(srs_run_keeper *keeper);

/// Adds the step that was just made.  @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_run_keeper_add(srs_run_keeper *keeper, srs_error *error);

/// Writes the file, whole or not at all. NULL: nothing to do.
srs_status srs_run_keeper_write(srs_run_keeper *keeper, const char *path, bool has_failed, srs_error *error);
