// Bullet's counterparts of convex solids. Internal.
#pragma once
#include "collision/shapes/solid.h"

/// Is the libbulletc in use one for double precision? Ask before anything else of Bullet.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED, _MEMORY
srs_status srs_bullet_check(srs_error *error);

/// Has Bullet an exact counterpart of this kind of solid?
bool srs_bullet_knows(srs_shape_kind kind);

/// The counterpart of a solid: exact, margin 0 (a sphere is all margin, and exact). NULL when out of memory, and for
/// kinds that have none. A hull's corners are copied.
void *srs_bullet_shape_create(const srs_solid *solid);
void srs_bullet_shape_destroy(void *counterpart);

/// The Bullet shape behind a counterpart.
void *srs_bullet_shape(const void *counterpart);
