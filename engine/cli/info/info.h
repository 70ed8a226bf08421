// The subcommand `info`: shows a model.
#pragma once

/// @param argv  argc arguments, those after the subcommand's name   @return the exit status
int srs_command_info(int argc, char **argv);
