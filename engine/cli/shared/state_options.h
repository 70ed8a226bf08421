// A state from the command line: q, v, a, tau, from the neutral configuration, a scene, a file and lists.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

/// The four arrays of a state, in their usual order.
typedef enum srs_state_part { SRS_STATE_Q, SRS_STATE_V, SRS_STATE_A, SRS_STATE_TAU } srs_state_part;

enum { SRS_STATE_PARTS = SRS_STATE_TAU + 1 };

typedef struct srs_state {
  const srs_model *model;
  double *parts[SRS_STATE_PARTS]; // nq, nv, nv, nv
} srs_state;

/// Starts from q (nq) and v (nv), with a and tau zero.  @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_state_create(const srs_model *model, const double *q, const double *v, srs_state *state);
void srs_state_destroy(srs_state *state);

/// Reads the list of the option --q, --v, --a or --tau. NULL text: nothing to do.
int srs_state_read_list(const srs_command *command, srs_state *state, srs_state_part part, const char *text);

/// Reads {"q": ..., "v": ..., "a": ..., "tau": ...}, each an array of all entries or an object by name of joint or
/// coordinate. What is not named stays as it was. NULL path: nothing to do.
int srs_state_read_file(srs_state *state, const char *path);

/// Scales quaternions that are within 1e-6 of unit length to it.
/// @return SRS_OK, or SRS_ERROR_ARGUMENT naming the joint and its quaternion's length
srs_status srs_state_normalise(srs_state *state, srs_error *error);

/// Sets the state of a sim to what --q and --v say; NULL for what is not given, which keeps what the scene has, to the
/// bit.
/// @return SRS_EXIT_OK, SRS_EXIT_USAGE or SRS_EXIT_FAILED, reported
int srs_start_state_set(const srs_command *command, const char *q, const char *v, srs_sim *sim);

/// Closes the loops where the scene asks for it, and notes which were open. The scene's own state is closed already,
/// one from the command line is not.
int srs_start_state_assemble(const srs_command *command, const srs_scene *scene, bool has_q, bool has_v, srs_sim *sim);
