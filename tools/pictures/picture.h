// The commands of `picture`: each reads the arguments after its name and writes one SVG.
#pragma once
#include <sarrus/base.h>

/// @return SRS_OK; SRS_ERROR_ARGUMENT: what was typed is wrong; anything else: the work failed
srs_status picture_scene(int argc, char **argv, srs_error *error);
srs_status picture_plot(int argc, char **argv, srs_error *error);
