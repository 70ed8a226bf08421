// Where do the shapes of a model touch, at given placements?
#include <sarrus/collision.h>

srs_collider_options srs_default_collider_options(void) { return (srs_collider_options){0}; }
