// What a batch works in. Internal.
//
// All numbers are vectors with a lane for each of LANES states. A link's placement is relative to its parent's turned
// frame: R its axes seen from there, r its origin there. Motions and forces are in the axes of the link's turned frame,
// at its origin.
#pragma once
#include "engine/batch/wide.h"
#include "topology/model/model.h"
#include <sarrus/batch.h>

// P = [J K^T; K M] about the link's origin; J and M symmetric.
typedef struct wide_articulated {
  wide_sym J, M;
  wide33 K;
} wide_articulated;

typedef struct wide_link {
  wide33 R;          // axes in the parent's
  wide3 r;           // origin in the parent's axes
  wide3 w, alpha, a; // angular velocity and acceleration, acceleration of the origin
  wide6 force;
} wide_link;

// What the elimination of a coordinate leaves: U = P s, 1 / D, u its share of the force.
typedef struct wide_pivot {
  wide6 U;
  lanes D_inverse, u;
} wide_pivot;

struct srs_batch {
  const srs_model *model;
  vec3 gravity;
  lanes *q, *v, *a, *tau;        // nq, nv, nv, nv
  lanes *cosine, *sine;          // n_angles
  wide_link *links;              // n_links
  wide33 *axes;                  // n_links: axes in the world
  wide3 *origin;                 // n_links: in the world
  wide6 *column;                 // nv: of joints with several coordinates
  wide_articulated *articulated; // n_links
  wide_pivot *pivots;            // nv
  wide6 *forces;                 // nv: of unit rates, for the mass matrix
  lanes *moments;                // n_links x 10: composite bodies in world axes: m, h (3), inertia (6)
  lanes *matrix;                 // nv x nv
  srs_error error;
  void *memory;
};
