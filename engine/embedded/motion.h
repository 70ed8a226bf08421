// How all coordinates move with the independent ones, and how matrices over all become matrices over these. Internal.
//
// Matrices keep nv columns (and rows): those of dependent coordinates are zero.
#pragma once
#include "engine/embedded/loop_jets.h"

/// Whether coordinate i is not one that an embedded loop determines.
bool srs_is_independent(const srs_workspace *w, int i);

/// At q, which closes the loops: fills v and a of all coordinates from those of the independent ones, and X = dq/dy,
/// dv_q, da_q, da_v (memory.h): v = X y, a = X dy/dt + drift, as y or the configuration change.
/// @param a  nv, NULL for zeros
/// @return as srs_embedded_acceleration
srs_status srs_embedded_move(srs_workspace *w, const double *q, const double *v, const double *a);

/// Z <- Z X.  @param Z  rows x nv
void srs_times_map(const srs_workspace *w, int rows, double *Z);

/// Z <- X^T Z.  @param Z  nv x nv
void srs_map_times(const srs_workspace *w, double *Z);

/// out += factor Z B for B of dv_q, da_q, da_v.  @param Z, out  rows x nv
void srs_add_times(const srs_workspace *w, int rows, const double *Z, const double *B, double factor, double *out);

/// Z of independent rows: fills those of dependent coordinates, X Z.  @param Z  nv x nv
void srs_lift_rows(const srs_workspace *w, double *Z);

/// out += (dX/dy_k)^T force in column k: how the map itself changes.  @param force  nv   @param out  nv x nv
void srs_add_turned_map(srs_workspace *w, const double *force, double *out);
