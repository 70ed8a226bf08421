// The narrow phase: contact points of one pair of geometries. Internal.
#pragma once
#include "collision/bullet/bullet_pair.h"
#include "collision/terrain/surface_contacts.h"
#include "collision/world/coplanar_faces.h"
#include "collision/world/geometries.h"
#include "collision/world/ratio_pairs.h"

/// Whether there is a method for a pair of these kinds.
bool srs_kinds_collide(srs_shape_kind a, srs_shape_kind b);

/// The methods' memory and options.
typedef struct srs_narrow_phase {
  srs_bullet_pair *bullet;     // what Bullet answers for solids that have counterparts; NULL: all is exact
  void *terrain;               // scratch for the largest of the terrains
  srs_surface_scratch surface; // for two surfaces, or a surface and ground
  srs_touch *touches;          // n_touches
  int n_touches;               // at least SRS_MANIFOLD_POINTS
  srs_ratio_pairs *ratio;      // pairs with the ratio metric
  srs_coplanar_faces coplanar; // neighbours on one body
  bool makes_sides;
  const double *motion;  // of the current call; NULL: not known
  const srs_pose *links; // likewise
} srs_narrow_phase;

/// Takes the memory that all pairs of the geometries can need, up to SRS_GROUND_POINTS contact points of one pair.
/// @param ratio  must outlive the narrow phase
/// @param arena  for all but Bullet
/// @return SRS_OK, SRS_ERROR_MEMORY
srs_status srs_narrow_phase_make(srs_geometries *geometries, srs_ratio_pairs *ratio,
                                 const srs_collider_options *options, srs_arena *arena, srs_narrow_phase *narrow,
                                 srs_error *error);
void srs_narrow_phase_release(srs_narrow_phase *narrow);

enum { SRS_GROUND_POINTS = 4096 };

/// The contact points with gap <= margin between geometries i < j, in the public form.
/// @param contacts  room for `capacity`; those beyond it and beyond n_touches are counted but not written
/// @return how many there are
int srs_geometries_contacts(const srs_geometries *geometries, srs_narrow_phase *narrow, int i, int j, double margin,
                            srs_contact_point *contacts, int capacity);

/// The contact point with the smallest Euclidean gap.
/// @return how many there are; above n_touches the smallest of the first n_touches is returned
int srs_geometries_distance(const srs_geometries *geometries, srs_narrow_phase *narrow, int i, int j, double margin,
                            srs_contact_point *nearest);
