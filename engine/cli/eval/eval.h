// The subcommand `eval`: prints one quantity at a state.
#pragma once

/// @param argv  argc arguments, those after the subcommand's name   @return the exit status
int srs_command_eval(int argc, char **argv);
