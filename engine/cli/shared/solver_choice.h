// A contact solver and its friction polyhedron: NAME or NAME@DIRECTIONS.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

typedef struct srs_solver_choice {
  char label[32]; // as it was typed
  srs_contact_method solver;
  int n_directions; // 0: those of the scene
} srs_solver_choice;

/// Both report what is wrong.  @return SRS_EXIT_OK or SRS_EXIT_USAGE
int srs_solver_choice_read(const srs_command *command, const char *option, const char *text, srs_solver_choice *choice);

/// A list, or `all`: every solver there is. No solver may be named twice.
/// @param choices  `most` of them, out
int srs_solver_choices_read(const srs_command *command, const char *option, const char *text, int most,
                            srs_solver_choice *choices, int *n);

void srs_solver_choice_apply(const srs_solver_choice *choice, srs_contact_options *options);
