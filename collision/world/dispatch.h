// Which function finds how two kinds of solids meet? Internal.
#pragma once
#include "collision/world/coplanar_faces.h"
#include "collision/world/geometries.h"
#include "collision/world/ratio_pairs.h"

/// Whether the kinds can meet in this version.
bool srs_kinds_meet(srs_shape_kind a, srs_shape_kind b);

/// What the pair functions write while they work.
typedef struct srs_pair_room {
  srs_gjk *gjk;
  void *terrain;            // scratch for the largest of the terrains
  srs_touch *touches;       // n_touches
  int n_touches;            // at least SRS_MANIFOLD_POINTS
  srs_ratio_pairs *ratio;   // pairs that go by the ratio metric
  srs_coplanar_faces flush; // neighbours on one body
  bool makes_sides;
  const double *motion;  // of the call under way; NULL: not known
  const srs_pose *links; // likewise
} srs_pair_room;

/// Takes the memory that all pairs of the members can need, up to SRS_GROUND_POINTS nodes of one pair.
/// @param ratio  must outlive the room
/// @param arena  for all but the gjk
/// @return SRS_OK, SRS_ERROR_MEMORY
srs_status srs_pair_room_make(srs_geometries *members, srs_ratio_pairs *ratio, bool makes_sides, srs_arena *arena,
                              srs_pair_room *room, srs_error *error);
void srs_pair_room_release(srs_pair_room *room);

enum { SRS_GROUND_POINTS = 4096 };

/// The nodes with gap <= margin between members i < j, as the public header has them.
/// @param contacts  room for `capacity`; more are counted, not written, nor are those beyond n_touches
/// @return how many there are
int srs_geometries_meet(const srs_geometries *members, srs_pair_room *room, int i, int j, double margin,
                        srs_contact_point *contacts, int capacity);

/// The node with the smallest Euclidean gap.  @return how many there are; above n_touches: the smallest of the first
int srs_geometries_distance(const srs_geometries *members, srs_pair_room *room, int i, int j, double margin,
                            srs_contact_point *nearest);
