// The normals of a ridge between two triangles, and how high a solid is along them. Internal.
#pragma once
#include "collision/shapes/solid.h"

enum { SRS_ARC_SAMPLES = 8 };
static const double SRS_ARC_END = 1e-7; // rad: nearer than this to an end of an arc is at it

typedef struct srs_arc {
  const srs_placed *solid;
  vec3 start, across, point; // normals: cos t start + sin t across; a point of the edge
  double end, margin;
} srs_arc;

/// The lowest point of the solid at one normal of the arc, from the edge: s = n . r, and how it grows with t.
typedef struct srs_arc_point {
  double t, s, slope;
  vec3 r;
} srs_arc_point;

typedef enum srs_arc_place { SRS_ARC_FIRST, SRS_ARC_BETWEEN, SRS_ARC_OTHER } srs_arc_place;

/// Looks at normals spread over the arc; false as soon as one separates solid and edge by the margin.
bool srs_arc_look(const srs_arc *arc, srs_arc_point at[SRS_ARC_SAMPLES + 1]);

/// Whether s has a peak at or beside a sample.
bool srs_arc_has_peak(const srs_arc_point at[SRS_ARC_SAMPLES + 1], int i);

/// That peak: at an end of the arc, or between at *t, which is left alone at the ends.
srs_arc_place srs_arc_peak(const srs_arc *arc, const srs_arc_point at[SRS_ARC_SAMPLES + 1], int i, double *t);
