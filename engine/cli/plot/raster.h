// SVG as PNG, by a program that the system has. Internal.
#pragma once
#include "topology/base/whole_file.h"

/// Runs rsvg-convert (Debian: librsvg2-bin) on a document and writes what it gives, whole or not at all.
/// @return SRS_OK; SRS_ERROR_UNSUPPORTED where the program is not installed; SRS_ERROR_FILE where it or writing fails;
///         SRS_ERROR_MEMORY
srs_status srs_svg_to_png(const char *svg, const char *path, srs_existing existing, srs_error *error);
