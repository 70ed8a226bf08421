// What do the figures say? Tables for people, JSON for programs, ratios to the fastest engine known.
#pragma once
#include "peers/peers.h"
#include <stdio.h>

enum { BENCH_BATCHES = 31, BENCH_REFERENCE_COLUMNS = 6 };

// The engines' places in every table. No rivals: BENCH_BATCH, ours 64 states at a time, and BENCH_OTHER, another build
// of ours. BENCH_SCALE was where the reference was measured too.
enum {
  BENCH_OURS,
  BENCH_SCALE,
  BENCH_DART,
  BENCH_BULLET,
  BENCH_PINOCCHIO,
  BENCH_RBDL,
  BENCH_BATCH,
  BENCH_OTHER,
  BENCH_ENGINES,
};

// Columns of the reference table: chains of 12, 50, 200, Panda, UR5, Talos.
typedef struct bench_result {
  char model[32];
  int n_links, nv;
  int column;                                         // of the reference table
  bool stands_in;                                     // the column is of another, comparable robot
  const char *absent[BENCH_ENGINES];                  // why an engine has no figures; NULL where it has
  double difference[BENCH_ENGINES];                   // of accelerations, relative, to the first engine; NAN for none
  double answers[BENCH_ENGINES][BENCH_LAMBDA_12 + 1]; // likewise of RNEA, CRBA and the Lambdas; NAN where not told
  double median[BENCH_QUANTITIES][BENCH_ENGINES];     // s a call; NAN for none
  double batches[BENCH_QUANTITIES][BENCH_ENGINES][BENCH_BATCHES]; // s a call, in the order of the rounds; NAN for none
} bench_result;

const char *bench_quantity_key(bench_quantity quantity);

/// Rows that were measured only for the sake of a scale are left out by `shown`, bit k: quantity k.
void bench_print_tables(FILE *out, const bench_result *results, int n, const char *const titles[], unsigned shown);
void bench_print_json(FILE *out, const bench_result *results, int n, const char *const titles[], unsigned shown);
