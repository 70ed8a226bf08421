// Two models beside each other: which link and joint of one is which of the other, and where links are within the rigid
// bodies that fixed joints make of them. Internal.
#pragma once
#include "engine/cli/against/differences.h"
#include "topology/base/names.h"
#include "topology/base/spatial.h"
#include "topology/builder/source.h"

/// Where a frame is, seen from another.
typedef struct srs_placed {
  vec3 at;
  mat3 axes;
} srs_placed;

static const srs_placed srs_placed_identity = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

SRS_INLINE srs_placed srs_placed_of(const srs_pose *pose)
{
  return (srs_placed){vec3_load(pose->position), mat3_from_rows(pose->rotation)};
}

/// b, given in a, as it is seen from where a is seen from.
SRS_INLINE srs_placed srs_placed_in(srs_placed a, srs_placed b)
{
  return (srs_placed){add3(a.at, rotate(a.axes, b.at)), mul3(a.axes, b.axes)};
}

/// b seen from a, both given in one frame.
SRS_INLINE srs_placed srs_placed_from(srs_placed a, srs_placed b)
{
  return (srs_placed){rotate_back(a.axes, sub3(b.at, a.at)), mul3(transpose3(a.axes), b.axes)};
}

/// One of the two. Arrays run over the links and joints of the source, as its file has them.
typedef struct srs_side {
  const srs_model *model;
  const srs_builder *source;
  bool is_urdf;                    // says nothing of how it stands on the world
  srs_names links, joints, frames; // names of joints: those that have one
  int *joint_of;                   // n_links: the joint that carries it; -1: none
  int *parent;                     // n_links: -1: the world
  int *body;                       // n_links: the first link of its rigid body; n_links: the world's
  srs_placed *in_body;             // n_links: seen from that link, or from the world
  int *twin;                       // n_links: the same link of the other model; -1: none
  int *joint_twin;                 // n_joints: likewise
} srs_side;

typedef struct srs_sides {
  srs_side side[2];
  srs_differences *found;
} srs_sides;

/// Fills the sides from their models and is_urdf; links that are known by their joints alone are told as renamed.
/// @return false when out of memory
bool srs_sides_match(srs_sides *sides);
void srs_sides_release(srs_sides *sides);

/// The body of a link, which may be -1, the world.
int srs_side_body(const srs_side *side, int link);
srs_placed srs_side_in_body(const srs_side *side, int link);

/// A link of the first model in the rigid body of `link` whose twin is in that of `other`, as near above `link` as can
/// be; -1, the world, where both stand on that.
/// @param link, other  -1 for the world   @return whether there is one
bool srs_sides_common(const srs_sides *sides, int link, int other, int *common);

/// What the other file calls a joint of this one, which its coordinate is called after; the name itself where the other
/// has no such joint or it is no joint's.
const char *srs_sides_joint_name(const srs_sides *sides, int which, const char *name);

/// Where a frame in the body of a link is, seen from a common link: in the first model (0) or the second (1).
srs_placed srs_sides_seen(const srs_sides *sides, int which, int common, int link, srs_placed in_link);

/// The index of a link by its name; -1 for NULL, the world.
int srs_side_link(const srs_side *side, const char *name);

/// A place that is not there.
SRS_INLINE srs_place srs_no_place(void) { return (srs_place){NULL, -1, 0}; }
