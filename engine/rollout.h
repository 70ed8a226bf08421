/// Rollouts: many runs of one model, each from a state and with torques of its own, shared out over threads.
///
/// For controllers that sample, for learning and identification: made once, run at every control sample. Each thread
/// has a sim of its own and takes the next row when it is through with one; the bits are the same with any number of
/// threads, and those of one sim that goes through the rows one by one.
///
/// A rollout serves one thread at a time. It is of no use in a child process (fork), where its threads are not. Motions
/// that are functions of the program (srs_motion) are called from all threads.
#pragma once
#include <sarrus/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A snapshot that rows begin from.
typedef struct srs_rollout_start {
  const void *snapshot; // as srs_sim_snapshot_save wrote it, of the same model, options and parameters
  size_t size;          // bytes
} srs_rollout_start;

/// What to run, and where results go. With m = n_steps / every + 1 samples a row; all memory is the caller's.
typedef struct srs_rollout_job {
  long n_rows;                     // >= 0
  long n_steps;                    // >= 0, of dt: as many for each row
  long every;                      // >= 1: steps from one sample to the next; the first is the start. Default 1
  const srs_rollout_start *starts; // n_starts; NULL for none. Default NULL
  long n_starts;                   // n_rows; 1: for all rows; 0: rows begin as the sim was. Default 0
  const double *q, *v;             // n_rows x nq, n_rows x nv: set after the start; NULL keeps that part. Default NULL
  const double *torques;           // n_rows x n_steps x nv, N m or N, each held for a step; NULL: inputs stay as they
                                   // are. Default NULL
  bool torques_are_shared;         // then they are n_steps x nv, for all rows. Default false
  double *time;                    // n_rows x m, out, s; NULL: not wanted. Default NULL
  double *q_out, *v_out;           // n_rows x m x nq, n_rows x m x nv, out; NULL: not wanted. Default NULL
  srs_status *status;              // n_rows, out: what each row ended with; may be NULL. Default NULL
  srs_error *errors;               // n_rows, out: of rows that failed, others stay; may be NULL. Default NULL
} srs_rollout_job;

srs_rollout_job srs_default_rollout_job(long n_rows, long n_steps);

typedef struct srs_rollout srs_rollout;

enum { SRS_MOST_THREADS = 1024 };

/// Starts threads and makes a sim for each, with the sim's model, options and parameters (<sarrus/parameters.h>) as
/// they are now. Rows without a start begin from the sim's present state and inputs. Allocates.
/// @param sim      only read; its model must outlive the rollout
/// @param threads  1 to SRS_MOST_THREADS, the one that calls srs_rollout_run among them: with 1 it does all alone
/// @param rollout  out, freed by srs_rollout_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT, or _MEMORY (also where the system starts no more threads)
srs_status srs_rollout_create(const srs_sim *sim, int threads, srs_rollout **rollout, srs_error *error);

/// From now on rows run several at a time in vector lanes, as far as nothing acts on them but forces on coordinates:
/// torques, dampers, springs, servos. Semi-implicit Euler with either choice of velocity_terms; no loops, contacts, dry
/// friction, wrenches, nor trees that float and keep their momentum. Results are those of rows alone to
/// rounding (velocities to 1e-11 of the largest entry in a step where the mass matrix's condition is 1e4, positions to
/// 1e-13), the same with any number of threads. A row that meets a limit
/// of a joint or an actuator's of effort or speed (applied torques are cut off, as alone), or that fails, runs
/// once more alone, from its start, and so has the bits that it would have had. Allocates, once.
/// @return SRS_OK, SRS_ERROR_MEMORY, or _UNSUPPORTED with a message that says what is in the way and what cures it:
/// rows then run alone
srs_status srs_rollout_use_lanes(srs_rollout *rollout, srs_error *error);

/// How many rows of the last run lanes did not carry to their end: they ran alone. 0 where there are no lanes.
long srs_rollout_rows_alone(const srs_rollout *rollout);

/// Ends the threads.
void srs_rollout_destroy(srs_rollout *rollout);

/// How many threads run at a time at best: the processors that the system lets this process use, at least 1.
int srs_usable_processors(void);

/// Runs all rows, and returns when the last one is through. A row that fails does not stop the others; its samples from
/// there on are NaN. Allocates nothing but what a step does (contact.capacity 0).
/// @return SRS_OK; SRS_ERROR_ARGUMENT for a job that makes no sense: nothing is run or written, and
/// srs_rollout_failures
///         is 0; else the status of the first row, by index, that failed, with its error: as srs_sim_snapshot_restore,
///         srs_sim_set_state, srs_sim_set_torque and srs_sim_step
srs_status srs_rollout_run(srs_rollout *rollout, const srs_rollout_job *job, srs_error *error);

/// How many rows of the last run failed.
/// @param first  out: the first of them, -1 for none; may be NULL
long srs_rollout_failures(const srs_rollout *rollout, long *first);

/// Runs one row of a job in a sim of one's own, in this thread; without a start it begins as the sim is. Samples are
/// written, job->status and job->errors are not. Allocates nothing but what a step does.
/// @param row  0 to n_rows - 1
/// @return as srs_rollout_run; the sim is then where the row ended
srs_status srs_rollout_row(srs_sim *sim, const srs_rollout_job *job, long row, srs_error *error);

#ifdef __cplusplus
}
#endif
