// The nearest or deepest points of two convex solids, by Bullet. Internal.
#pragma once
#include "collision/shapes/touch.h"

typedef struct srs_bullet_pair srs_bullet_pair;

/// Bullet's GJK and EPA with all memory that they need; NULL when there is none. Nothing below allocates.
srs_bullet_pair *srs_bullet_pair_create(void);
void srs_bullet_pair_destroy(srs_bullet_pair *pair);

/// For solids that have counterparts (srs_solid.bullet) of one unit. The answer is Bullet's: gap and normal are as
/// right as docs/contact.md says. No answer depends on earlier ones.
/// @return false when they are farther apart than max_gap, or Bullet knows no answer
bool srs_bullet_closest(srs_bullet_pair *pair, const srs_placed *a, const srs_placed *b, double max_gap,
                        srs_touch *nearest);
