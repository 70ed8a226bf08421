// The subcommand `sarrus plot`.
#pragma once

/// @return an exit status
int srs_command_plot(int argc, char **argv);
