// What a batch works in. Internal.
//
// All numbers are vectors with a lane for each of LANES states, four or eight (kernels.h). A link has a frame of the
// batch's own (frames.c): its turned frame, or, for hinges, that one turned about the hinge's axis and moved along it.
// A link's placement is relative to its parent's frame: R its axes seen from there, r its origin there. Motions and
// forces are in the axes of the link's frame, at its origin.
#pragma once
#include "engine/batch/wide.h"
#include "topology/model/model.h"
#include <sarrus/batch.h>

// How a link's axes turn into its parent's. A hinge's turn by Rz(angle), Rx(b), Rz(a); of WAY_SHORT ones a is zero and
// so is r's y, as in the parameters of Denavit and Hartenberg; of WAY_SQUARE ones b is a right angle besides, of
// WAY_PARALLEL ones zero. Of WAY_CORNER ones b alone is special, a right angle. Others have R.
typedef enum batch_way { WAY_ANY, WAY_HINGE, WAY_CORNER, WAY_SHORT, WAY_SQUARE, WAY_PARALLEL } batch_way;

// What the model gives of a link.
typedef struct batch_link {
  mat3 turn;                                 // of the joint's frame, seen from the parent's
  vec3 offset;                               // likewise its origin: r of hinges
  double cosine_a, sine_a, cosine_b, sine_b; // hinges
  double inertia[10];                        // as a model's
  double least[10];                          // without what a hinge's axis does not notice (frames.c)
  double carried;                            // kg: of these, its own mass and those of what it carries
  batch_way way;
  int stride; // so many links at once that columns of mass matrices climb from here; 0: in a stride from above
} batch_link;

// A frame, seen from its link's. Most have axes along those of the link and an origin on its z.
typedef struct batch_frame {
  vec3 offset;
  mat3 axes;
  bool is_on_z, is_square;
  int along[3];   // square ones: along which of the link's axes each axis points
  double sign[3]; // which way
} batch_frame;

// P = [J K^T; K M] about the link's origin; J and M symmetric.
typedef struct wide_articulated {
  wide_sym J, M;
  wide33 K;
} wide_articulated;

typedef struct wide_link {
  wide33 R;          // axes in the parent's; not of hinges
  wide3 r;           // origin in the parent's axes; not of hinges
  wide3 w, alpha, a; // angular velocity and acceleration, acceleration of the origin
  wide6 force;
} wide_link;

// What the elimination of a coordinate leaves: U = P s, 1 / D, u its share of the force.
typedef struct wide_pivot {
  wide6 U;
  lanes D_inverse, u;
} wide_pivot;

// Composite bodies: m c and the inertia about the link's origin, in the link's axes.
typedef struct wide_body {
  wide3 h;
  wide_sym I;
} wide_body;

// Up to so many coordinates the mass matrices of LANES states are kept whole. With more, those of eight would leave the
// second cache.
enum { SRS_BATCH_WHOLE = 64 };

// Numbers of a mass matrix that are zero whatever the state, from one up to the other.
typedef struct batch_gap {
  int from, to;
} batch_gap;

// An angle: so many right ones, and the cosine and sine of the rest.
typedef struct batch_turn {
  int64_t quarters;
  double cosine, sine;
  bool is_right; // no rest
} batch_turn;

// The angles of the states that come next.
typedef struct batch_ahead {
  lanes *q, *cosine, *sine; // as the batch's own, with which they change places
  int n_angles;             // 0 when no state comes
  bool has_large;
} batch_ahead;

struct srs_batch {
  const struct srs_batch_kernels *kernels;
  srs_batch *narrow; // for mass matrices of many coordinates: of four lanes; NULL where this one does
  const srs_model *model;
  vec3 gravity;
  batch_link *fixed;   // n_links
  batch_frame *frames; // n_frames
  batch_turn *turns;   // n_angles: what is added to an angle
  int *order;          // n_links: level by level from the roots, so that neighbours do not wait for each other
  int *row_end;        // nv: one past the last coordinate that the coordinate's link carries
  batch_gap *gaps;     // n_gaps: in mass matrices that stand whole in lanes
  int n_gaps;
  bool climbs;            // mass matrices: columns go from link to link (mass_matrix.c)
  lanes *q, *v, *a, *tau; // nq, nv, nv, nv
  double *extra;          // nv: what a step adds to the diagonal of M
  lanes *cosine, *sine;   // n_angles
  batch_ahead ahead;
  wide_link *links;              // n_links
  wide33 *axes;                  // n_links: axes in the world
  wide3 *origin;                 // n_links: in the world
  wide6 *column;                 // nv: of joints with several coordinates
  wide_articulated *articulated; // n_links
  wide_pivot *pivots;            // nv
  wide_body *bodies;             // n_links
  wide6 *motions, *forces;       // nv: of unit rates, for the mass matrix
  lanes *matrix;                 // nv x nv up to SRS_BATCH_WHOLE, then LANES x nv: mass matrices or four rows of them
  double *spare;                 // nv x nv: where the matrices of lanes go that are no states
  srs_error error;
  void *memory;
};
