// Pictures of grey levels, for ground whose heights they are. Internal.
#pragma once
#include "topology/base/text.h"

typedef struct srs_grey_image {
  int n_rows, n_columns;
  double *levels; // n_rows x n_columns, from 0 (black) to 1 (white), the picture's upper row first; ended by free()
} srs_grey_image;

/// Reads a PNG file of 8 or 16 bits a level, interlaced or not. Levels are taken as they are stored: no gamma.
/// Allocates.
/// @param files  notes it; NULL for none
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX (damaged, or no PNG), _UNSUPPORTED (colours, an alpha channel, other depths,
///         too large), _MEMORY; with an error levels is NULL
srs_status srs_grey_image_read(const char *path, srs_read_files *files, srs_grey_image *image, srs_error *error);
