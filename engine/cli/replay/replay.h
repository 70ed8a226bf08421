// The subcommand `replay`: makes a recorded run again and finds where it first differs.
#pragma once

/// @param argv  argc arguments, those after the subcommand's name   @return the exit status
int srs_command_replay(int argc, char **argv);
