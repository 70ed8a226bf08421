// States of callers into lanes and back. Internal.
#pragma once
#include "engine/batch/memory.h"

/// Entries first … first + LANES - 1 of n states of `size` numbers each, into `size` lanes. Beyond the last state it
/// repeats that one.
void srs_batch_load(int n, int first, int size, const double *from, lanes *to);

/// The lanes that are states, back.  @return true only if all numbers are finite; false may be said of enormous ones
bool srs_batch_store(int n, int first, int size, const lanes *from, double *to);

/// Finds the sines and cosines of the angles of the batch's q.
void srs_batch_find_angles(srs_batch *batch);

/// Loads q and the sines and cosines of its angles.
void srs_batch_load_q(srs_batch *batch, int n, int first, const double *q);
