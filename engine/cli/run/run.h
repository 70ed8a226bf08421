// The subcommand `run`: simulates a scene or a robot file.
#pragma once

/// @param argv  argc arguments, those after the subcommand's name   @return the exit status
int srs_command_run(int argc, char **argv);
