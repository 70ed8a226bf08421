// `sarrus check MODEL`.
#pragma once

/// @return the exit status
int srs_command_check(int argc, char **argv);
