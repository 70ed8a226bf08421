// Snapshots of the parts that a step reads. Internal; the public functions are in sim.c.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/sim_state.h"

typedef struct srs_snapshot_parts {
  const srs_model *model;
  uint64_t fingerprint;   // of the model
  const uint64_t *pieces; // srs_fingerprint_pieces, before any parameter was set
  const srs_sim_options *options;
  srs_sim_state *state;
  struct srs_constraints *constraints; // NULL for none
  double *q_scratch;                   // nq
} srs_snapshot_parts;

size_t srs_snapshot_size(const srs_snapshot_parts *parts);
void srs_snapshot_save(const srs_snapshot_parts *parts, void *bytes);

/// Checks that the bytes are a valid snapshot of such parts, and makes room for its contents.
/// @param n_warm  out: number of warm contacts
/// @return as srs_sim_snapshot_restore
srs_status srs_snapshot_check(const srs_snapshot_parts *parts, const void *bytes, size_t size, size_t *n_warm,
                              srs_error *error);

/// Restores the parts from a snapshot that was checked.
void srs_snapshot_load(const srs_snapshot_parts *parts, const void *bytes, size_t n_warm);
