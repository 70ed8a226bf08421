// Snapshots of the parts that a step starts from. Internal; the public form is in sim.c.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/state/sim_state.h"

typedef struct srs_snapshot_parts {
  const srs_model *model;
  uint64_t fingerprint; // of the model
  srs_sim_state *state;
  struct srs_constraints *constraints; // NULL for none
  double *q_scratch;                   // nq
} srs_snapshot_parts;

size_t srs_snapshot_size(const srs_snapshot_parts *parts);
void srs_snapshot_save(const srs_snapshot_parts *parts, void *bytes);

/// Whether the bytes are a snapshot of such parts, whole and finite; then there is room for what they hold.
/// @param n_warm  out: contacts in it
/// @return as srs_sim_snapshot_restore
srs_status srs_snapshot_check(const srs_snapshot_parts *parts, const void *bytes, size_t size, size_t *n_warm,
                              srs_error *error);

/// The parts become those of a snapshot that was checked.
void srs_snapshot_load(const srs_snapshot_parts *parts, const void *bytes, size_t n_warm);
