// `sarrus convert`. Internal.
#pragma once

/// argv after the subcommand's name.  @return the exit status
int srs_command_convert(int argc, char **argv);
