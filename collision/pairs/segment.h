// Nearest points of segments: capsules' axes and edges. Internal.
#pragma once
#include "topology/base/spatial.h"

// The axis of a capsule, or an edge: middle + s axis, |s| <= half.
typedef struct srs_segment {
  vec3 middle, axis;
  double half;
} srs_segment;

// Two points of two segments, r from B's to A's.
typedef struct srs_segment_pair {
  double s, t;
  vec3 r;
  double length; // of r
} srs_segment_pair;

SRS_INLINE vec3 segment_point(const srs_segment *segment, double s)
{
  return add_scaled3(segment->middle, s, segment->axis);
}

// The nearest points; where they are not unique, any of them.
srs_segment_pair srs_segment_nearest(const srs_segment *a, const srs_segment *b);

// The ends of the overlap of two segments that run at most 60 degrees apart: sides[0] towards -a.axis, sides[1] towards
// +a.axis. Returns 2, or 0 where they lie beside each other nowhere.
int srs_segment_sides(const srs_segment *a, const srs_segment *b, srs_segment_pair sides[2]);

// The unit part of d across an axis; d itself where there is none.
vec3 srs_across(vec3 d, vec3 axis);

// The direction nearest to d that is normal to a capsule's surface somewhere about the point s of its axis.
vec3 srs_segment_outward(const srs_segment *segment, double s, vec3 d);
