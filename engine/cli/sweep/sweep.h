// `sarrus sweep SWEEP`.
#pragma once

int srs_command_sweep(int argc, char **argv);
