// States of callers into lanes and back. Internal.
#pragma once
#include "engine/batch/memory.h"
#include "engine/dynamics/sincos.h"

/// Entries first … first + LANES - 1 of n states of `size` numbers each, into `size` lanes. Beyond the last state it
/// repeats that one.
void srs_batch_load(int n, int first, int size, const double *from, lanes *to);

/// The lanes that are states, back.  @return true only if all numbers are finite; false may be said of enormous ones
bool srs_batch_store(int n, int first, int count, const lanes *from, double *to);

/// The same of the mass matrices that stand whole in lanes.
bool srs_batch_store_matrix(const srs_batch *batch, int n, int first, double *to);

/// Finds the sines and cosines of the angles of the batch's q.
void srs_batch_find_angles(srs_batch *batch);

/// Loads q and the sines and cosines of its angles; nothing when n is 0.
void srs_batch_load_q(srs_batch *batch, int n, int first, const double *q);

/// Loads q of the states from `first` on, if there are any, for srs_batch_turn_ahead.
void srs_batch_look_ahead(srs_batch *batch, int n, int first, const double *q);

/// Makes them the batch's own when all angles are turned.
void srs_batch_take_ahead(srs_batch *batch);

// Cosine and sine of x and what is added to it, when x is not large.
SRS_INLINE void srs_batch_turn(const batch_turn *turn, lanes x, lanes *cosine, lanes *sine)
{
  lanes s, c;
  sincos_turned(x, turn->quarters, &s, &c);
  if (turn->is_right) {
    *cosine = c, *sine = s;
    return;
  }
  *cosine = turn->cosine * c - turn->sine * s;
  *sine = turn->cosine * s + turn->sine * c;
}

/// Cosine and sine of angle i of what is ahead, if there is one: between the links of a pass that wait for each other.
/// @return lanes in which it is large
SRS_INLINE lane_mask srs_batch_turn_ahead(const srs_batch *b, int i)
{
  if (i >= b->ahead.n_angles) return (lane_mask){0};
  const lanes x = b->ahead.q[b->model->angle_q[i]];
  srs_batch_turn(&b->turns[i], x, &b->ahead.cosine[i], &b->ahead.sine[i]);
  return (x > SRS_SINCOS_LIMIT) | (x < -SRS_SINCOS_LIMIT);
}

// Those that are left, from `done` on.  @param large  of those before
SRS_INLINE void srs_batch_turn_rest(srs_batch *b, int done, lane_mask large)
{
  for (int i = done; i < b->ahead.n_angles; i++) large |= srs_batch_turn_ahead(b, i);
  int64_t any = 0;
  for (int l = 0; l < LANES; l++) any |= large[l];
  b->ahead.has_large = any != 0;
}
