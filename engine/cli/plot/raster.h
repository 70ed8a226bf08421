// SVG as PNG, by a program that the system has. Internal.
#pragma once
#include <sarrus/base.h>

/// Runs rsvg-convert (Debian: librsvg2-bin) on a document, into a new file.
/// @param path  must not exist
/// @return SRS_OK; SRS_ERROR_UNSUPPORTED where the program is not installed; SRS_ERROR_FILE where it fails
srs_status srs_svg_to_png(const char *svg, const char *path, srs_error *error);
