// What do searches by rows that rest share? W = L L^T, and what they tried. Internal.
#pragma once
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/problem/cone.h"

#include <stdint.h>

enum { SRS_RESTING_KNOWN = 64, SRS_RESTING_CORES = 16 };

typedef struct srs_resting {
  const srs_cone_problem *problem; // dense, without box rows
  const srs_lm_memory *lm;         // scratch, and the budget
  double *velocity, *impulse;      // stride each: scratch
  double *least;                   // stride: u for which |w| is least
  double slip;                     // and w's root mean square there
  const double *guide;             // impulses whose modes are likely; NULL: none are
  uint64_t *state;                 // of the pseudo-random numbers
  int rank, n_known;               // of W, whose factor lm->gram holds; velocities tried
  double known[SRS_RESTING_KNOWN]; // a number of each of the last
  int n_cores;                     // smaller problems tried (contact/refine/core.h)
  double cores[SRS_RESTING_CORES]; // a number of each of the last
} srs_resting;

/// Factors W, and finds `least`; false where its rank is too near to its rows, or the budget too small.
bool srs_resting_begin(srs_resting *resting);

/// Contacts, then unilateral rows: each a node.
static inline int srs_resting_nodes(const srs_cone_problem *p) { return p->n_contacts + p->n_unilateral; }

static inline int srs_resting_first(const srs_cone_problem *p, int node)
{
  return node < p->n_contacts ? srs_cone_first(p, node) : srs_cone_scalars(p) + node - p->n_contacts;
}

/// Tangents that can stick.
static inline int srs_resting_tangents(const srs_cone_problem *p, int node)
{
  return node < p->n_contacts && p->friction[node] > 0 ? srs_cone_tangents(p, node) : 0;
}

/// L, W = L L^T: n x rank, its stride that of the rank.
static inline double *srs_resting_factor(const srs_resting *s) { return s->lm->gram; }

static const double srs_resting_zero = 1e-13, srs_resting_same = 1e-12; // of velocities; of `known` and `cores`

/// Over the largest: an impulse not below it may be zero. Directions of slip are known to the rounding of velocities
/// over their size, and turn friction of the largest impulse by so much.
static inline double srs_resting_least_impulse(const srs_resting *s) { return -(1e-10 + 1e-15 / fmax(s->slip, 1e-12)); }
