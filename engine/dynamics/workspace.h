// The memory of the recursions: the struct behind srs_workspace. Internal.
//
// All quantities are in WORLD axes, taken at each link's OWN origin (recursion.h).
#pragma once
#include "engine/dynamics/lanes.h"
#include "topology/base/kernel.h"
#include "topology/model/model.h"
#include <sarrus/engine.h>

struct srs_embedding;         // engine/loops/compound.h
struct srs_levels;            // engine/levels/levels.h
struct srs_derivative_memory; // engine/derivatives/memory.h
struct srs_elimination;       // engine/elimination/elimination.h

// The inward passes and the last outward one need axes.z and the arm alone: they lie side by side.
typedef struct placement {
  m3 axes;   // the turned frame
  v3 arm;    // the origin seen from the parent's (for a root: from the world's)
  v3 origin; // of the link in the world
} placement;

// A rigid body about its link's origin.
typedef struct body {
  s33 inertia;
  v3 moment; // mass * centre
  double mass;
} body;

// An articulated body's inertia about its link's origin: [torque; force] = [J K^T; K M] [alpha; a]. J and M are
// symmetric.
typedef struct articulated {
  s33 J, M;
  d33 K;
} articulated;

// What the elimination of one coordinate stores: U = P s, 1/D, and u = its share of the force; of hinges also G = -U/D
// at the origin of the parent.
typedef struct pivot {
  v6 U, G;
  double D_inverse;
  double u;
} pivot;

// One side of a constraint row: the unit force that it exerts on a link (-1: the world), about the link's origin, world
// axes; or the generalised force `coefficient` on one coordinate of the link's joint.
typedef struct srs_row {
  int link;
  int coordinate; // -1: a force on the link
  double coefficient;
  v6 force; // zero where there is a coordinate
} srs_row;

enum { SRS_ROW_SHARES = 6 }; // coordinates of a joint

// Four links side by side, each in its own turned axes: how they move, and forces on them.
typedef struct four_links {
  double w[3][LANES], alpha[3][LANES], a[3][LANES];
  double n[3][LANES], f[3][LANES];
} four_links;

struct srs_workspace {
  const srs_model *model;
  v3 gravity;
  int state_level;       // what the getters may show: 0 nothing, 1 placements, 2 velocities, 3 accelerations
  bool has_joint_forces; // `own` holds the result of srs_inverse_dynamics
  bool has_angles;       // `cosine` and `sine` are known to be those of angles_q
  bool is_late;          // placements are those of angles_q, and found when a getter asks

  placement *place;         // n_links
  v6 *velocity;             // n_links
  v6 *acceleration;         // n_links
  v6 *force;                // n_links
  body *bodies;             // n_links
  articulated *articulated; // n_links
  pivot *pivots;            // nv
  v6 *column;               // nv: filled for joints with more than one coordinate
  double *cosine, *sine;    // n_angles (padded)
  double *angles_q;         // nq: where has_angles or is_late
  double *rows;             // 6 x nv (padded): forces of unit motions, for the mass matrix
  double *scratch_v;        // nv
  double *zero_v;           // nv zeros
  size_t v_stride;          // distance between the six rows

  // The Delassus matrix (delassus.c).
  articulated *upsilon; // n_links: [lin-lin lin-ang; . ang-ang]
  srs_row *node_rows;   // row_capacity: rows as given
  double *node_force;   // 6 x row_stride: forces of the rows sorted by link
  double *node_share;   // SRS_ROW_SHARES x row_stride: what the sorted rows have of some coordinates
  double *node_product; // row_stride: products of one row with others
  int *node_order;      // row_capacity: caller's index of each sorted row
  int *node_fill;       // n_links, zero between calls
  int *row_begin;       // n_links + 1: first sorted row of each link
  int *root;            // n_links: the root of each link's tree
  int *tips;            // n_tips: links that carry no other
  int n_tips;
  const int *tree; // n_links: the same; of trees tied together by embedded loops, the first tree's root
  int row_capacity;
  bool rows_on_coordinates; // whether any of the sorted rows is one
  size_t row_stride;        // from one array of rows to the next: four lanes may start at any row

  struct srs_derivative_memory *derivatives; // NULL until srs_workspace_reserve_derivatives

  struct srs_embedding *embedding; // NULL where the model embeds no loop
  bool is_embedded;                // forward dynamics and the Delassus matrix use compound links (loops/mechanism.h)

  struct srs_elimination *elimination; // of the loops' rows; NULL where their matrix takes less time

  srs_error error;
  // Inverse dynamics.
  struct srs_levels *levels; // NULL where passes go link by link
  four_links *own;           // n_links in fours; none with levels
  placement *own_place;      // n_links: seen from the parent's axes; of joints with columns
  mat3 *own_axes;            // n_links: likewise; of other joints whose turn is any; none with levels
  v6 *own_column;            // nv: likewise

  void *memory, *row_memory;
};

/// Takes the memory for a model. srs_workspace_create (engine/loops/mechanism.c) adds what embedded loops need.
/// Allocates.
srs_status srs_workspace_take(const srs_model *model, srs_workspace **workspace, srs_error *error);
void srs_workspace_release(srs_workspace *workspace);
