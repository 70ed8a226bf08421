// The subcommand `run`: simulates a scene or a robot file.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/simulation.h>

/// @param argv  argc arguments, those after the subcommand's name   @return the exit status
int srs_command_run(int argc, char **argv);

/// What to do with a sim.  @return an exit status, reported
typedef int (*srs_sim_use)(void *context, srs_sim *sim);

/// Makes the sim that `run` with these arguments would make, but for its initial state; reads no input and writes no
/// file.
/// @param text  of the scene; NULL: from its own file   @return the exit status, reported, or that of `use`
int srs_run_again(const srs_command *command, int argc, char **argv, const char *text, srs_sim_use use, void *context);
