// The mechanism as the recursions of generated code see it: a tree of segments with one kind of motion each. Internal.
//
// Every joint becomes one segment or several without mass between: a free joint three slides and a ball, a planar joint
// two slides and a turn, a cylindrical joint a slide and a turn, a universal joint two turns. Segment k is placed as
//
//   R_k = R_p turn J(q),  p_k = p_p + R_p (offset + turn d(q))
//   turn: J = Rz(q + shift); slide: d = q e_axis; screw: both, d = pitch q e_z; ball: J = R(quaternion)
//
// Frames are free about and along the axis of a turn, so they are chosen for sparse transforms: as Denavit and
// Hartenberg's, for a segment's first child turn = Rx(alpha), and offset has as few entries as can be (Khalil &
// Kleinfinger, A new geometric notation for open and closed-loop robots, ICRA 1986).
//
// Inertia that a joint cannot tell from its parent's goes there, which changes no joint force (Gautier & Khalil,
// IEEE Trans. Robotics and Automation 6(3), 1990): the mass of a turn, its first moment along the axis and the part
// I_yy diag(1, 1, 0) of its inertia; the inertia of a slide; the mass of a ball. What reaches the world is dropped.
#pragma once
#include "topology/base/arena.h"
#include "topology/model/model.h"

typedef enum srs_segment_kind {
  SRS_SEGMENT_TURN,
  SRS_SEGMENT_SLIDE,
  SRS_SEGMENT_SCREW,
  SRS_SEGMENT_BALL,
  SRS_SEGMENT_RIGID,
} srs_segment_kind;

typedef struct srs_segment_body {
  double mass;
  vec3 moment;  // m c
  sym3 inertia; // about the segment's origin
} srs_segment_body;

typedef struct srs_segment {
  srs_segment_kind kind;
  int parent; // -1: the world
  int link;   // of the model
  int q, v;   // first of its coordinates
  int nv;
  int axis; // of a slide: 0, 1, 2
  double shift, pitch;
  mat3 turn;
  vec3 offset;
  srs_segment_body body;
} srs_segment;

// A frame fixed to a segment.
typedef struct srs_segment_frame {
  int segment; // -1: the world
  mat3 axes;
  vec3 offset;
} srs_segment_frame;

typedef struct srs_segments {
  const srs_model *model;
  int n;
  srs_segment *segment;
  srs_segment_frame *frame; // of each frame of the model
} srs_segments;

/// Zeros and ones that rounding has missed.
static inline double srs_snap(double x)
{
  if (fabs(x) < 1e-15) return 0;
  return fabs(fabs(x) - 1) < 1e-15 ? copysign(1, x) : x;
}

/// @return false when out of memory
bool srs_segments_make(srs_arena *arena, const srs_model *model, srs_segments *segments);
