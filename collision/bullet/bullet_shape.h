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
/// @param unit  m: of the lengths that Bullet is told; that of all solids which are to meet
void *srs_bullet_shape_create(const srs_solid *solid, double unit);
void srs_bullet_shape_destroy(void *counterpart);

/// The unit for solids of which the smallest has this radius, m: a power of two.
double srs_bullet_unit_for(double radius);

/// The Bullet shape behind a counterpart, and its unit.
void *srs_bullet_shape(const void *counterpart);
double srs_bullet_unit(const void *counterpart);
