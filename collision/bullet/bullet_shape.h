// What gjk.c and the collider need of Bullet's shapes beside solid.h. Internal to collision/.
#pragma once
#include "collision/shapes/solid.h"

/// Has Bullet an exact counterpart of this kind of solid?
bool srs_bullet_knows(srs_shape_kind kind);

/// The Bullet shape behind what srs_bullet_shape_create() returned.
void *srs_bullet_shape(const void *counterpart);
