// The geometries of a Collada file. Internal.
#pragma once
#include "topology/collada/collada_words.h"

/// Writes a geometry into the clean copy as "mN", N its number: its positions and its polygons.
srs_status srs_collada_write_geometry(srs_collada *c, int number);
