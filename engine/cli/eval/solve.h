// The subcommand `solve`: solves a contact problem in a file.
#pragma once

/// @param argv  argc arguments, those after the subcommand's name   @return the exit status
int srs_command_solve(int argc, char **argv);
