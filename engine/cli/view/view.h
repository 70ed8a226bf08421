// `sarrus view`, and the page that `sarrus run --view` writes.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

int srs_command_view(int argc, char **argv);
