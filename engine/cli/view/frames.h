// The frames of a film: a run as a page shows it. Internal.
#pragma once
#include "engine/cli/recording/recording.h"
#include <sarrus/engine.h>

/// A pair that may touch, of the columns `contact:A:B:fx` …. Where A does not move the two are exchanged, so that
/// forces are those on what moves.
typedef struct srs_film_pair {
  char *names; // memory of the two
  const char *side[2];
  int body[2];    // links; -1: the world, or unknown
  double sign;    // -1 where exchanged
  int columns[6]; // of force x y z (N, on A, world axes) and point x y z (m) in the recording
} srs_film_pair;

/// Frames of a recording: some of its rows.
typedef struct srs_film {
  const srs_model *model;
  const srs_recording *recording;
  int n_frames, n_bodies; // bodies: the links of the model
  int *rows;              // n_frames: of the recording
  float *positions;       // n_frames x n_bodies x 3: of the link's frame, m, world axes
  int16_t *rotations;     // n_frames x n_bodies x 4: unit quaternions x y z w, times 32767
  float *energies;        // n_frames x n_bodies: kinetic, J; NULL where the recording has no velocities
  int n_pairs;
  srs_film_pair *pairs;
  int32_t *contact_ends; // n_frames: contacts of frame i are those from contact_ends[i - 1] on, 0 for the first
  int32_t *contact_pair; // n_contacts: into pairs
  float *contacts;       // n_contacts x 6: point (m), force on side 0 (N), world axes
  float *cones;          // n_contacts x 4: normal towards side 0, friction coefficient; NULL where they are not known
  int n_contacts;
} srs_film;

/// The recording's column of the name head + name + tail, looked for at `near` first; -1: none.
int srs_film_column(const srs_recording *recording, const char *head, const char *name, const char *tail, int near);

/// The recording's row of a frame.
const double *srs_film_row(const srs_film *film, int frame);
