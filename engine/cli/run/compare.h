// Comparing contact solvers on one scene: how far their motions diverge, and what each costs.
#pragma once
#include "engine/cli/shared/solver_choice.h"

#include <stdio.h>

enum { SRS_COMPARE_MOST = 16, SRS_COMPARE_SAMPLES = 5, SRS_COMPARE_LEVELS = 3 };

/// The distances whose first excess is reported: powers of ten.
extern const double srs_compare_levels[SRS_COMPARE_LEVELS];

/// The last few steps of a motion.
typedef struct srs_trace {
  int n;            // steps taken
  double *q;        // n x nq
  long *iterations; // n: since the start
  double *residual; // n: of each step, its worst
} srs_trace;

/// One of the solvers and its motion. Distances are from the first one's motion: the largest coordinate of the
/// difference of both configurations, rad or m.
typedef struct srs_contender {
  srs_solver_choice choice;
  srs_sim *sim;
  srs_input *input;           // NULL for none
  double wall_time, cpu_time; // s, of its steps alone; the processor time of all threads
  double energy_end;
  double difference[SRS_COMPARE_SAMPLES]; // NAN: one of them did not get there
  double difference_max;
  double exceeds[SRS_COMPARE_LEVELS]; // s: when the distance first was above the level; NAN: never
  bool has_stopped;                   // a step failed, `stop` says why
  srs_error stop;
  srs_trace trace;
  long iterations_reported; // up to the last row
  double residual_worst;    // since the last row
} srs_contender;

typedef struct srs_comparison {
  const char *scene, *output; // paths; output NULL for none
  srs_contender contender[SRS_COMPARE_MOST];
  int n;
  long n_steps, steps_done;
  int every; // steps between rows
  double energy_start;
  bool was_interrupted;
  long n_rows, whole;                    // of the table, and the bytes of whole rows on the disk; -1: of no file
  long sample_step[SRS_COMPARE_SAMPLES]; // after which steps distances are kept: 1/20, 1/10, 1/5, 1/2, all of them
  double *memory;                        // traces, and one difference
} srs_comparison;

/// Memory for what a run keeps; sims and inputs must be in place.
bool srs_comparison_prepare(srs_comparison *comparison);

/// Takes all sims through n_steps, side by side, writing a row to `file` (NULL for none) every so many steps. A sim
/// whose step fails stays where it is, and the others go on.
/// @return SRS_OK, or what was wrong with the file; error filled then
srs_status srs_compare(const srs_command *command, srs_comparison *comparison, FILE *file, srs_error *error);

/// Closes the table. Where not all of it could be written its last row is a whole one.
/// @param status  what came of the comparison, with its error   @return the same, or SRS_ERROR_FILE
srs_status srs_comparison_close(const srs_comparison *c, FILE *file, srs_status status, srs_error *error);

/// Frees what `prepare` took, sims and inputs.
void srs_comparison_free(srs_comparison *comparison);

/// Writes the results on stdout: tables, or one JSON object.
void srs_comparison_print(const srs_comparison *comparison);
void srs_comparison_json(const srs_comparison *comparison);
