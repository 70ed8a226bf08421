// `sarrus generate`. Internal.
#pragma once

/// argv after the subcommand's name.  @return the exit status
int srs_command_generate(int argc, char **argv);
