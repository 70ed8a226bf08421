// Forces on their way to the root, four in a register: those of unit impulses of constraint rows, and of unit rates of
// coordinates. Internal.
//
// At each coordinate, with column s, a force has the share u = s . f and goes on as f <- f - U u / D; then it goes to
// the parent's origin, n <- n + r x f.
#pragma once
#include "engine/dynamics/recursion.h"

// The six components of many forces: one array a component, so that loops over rows take several at a time.
typedef struct row_block {
  double *nx, *ny, *nz, *fx, *fy, *fz;
} row_block;

/// @param stride  from one component to the next
SRS_INLINE row_block row_block_at(double *start, size_t stride)
{
  return (row_block){
      start, start + stride, start + 2 * stride, start + 3 * stride, start + 4 * stride, start + 5 * stride};
}

SRS_INLINE v6 row_at(row_block b, int i)
{
  return (v6){{b.nx[i], b.ny[i], b.nz[i], 0}, {b.fx[i], b.fy[i], b.fz[i], 0}};
}

SRS_INLINE void set_row(row_block b, int i, v6 f)
{
  b.nx[i] = f.ang[0], b.ny[i] = f.ang[1], b.nz[i] = f.ang[2];
  b.fx[i] = f.lin[0], b.fy[i] = f.lin[1], b.fz[i] = f.lin[2];
}

// Stores what `from` holds of rows i … end - 1, and leaves the rows behind them.
SRS_INLINE void store_rows(double *to, int i, int end, lanes from)
{
  if (end - i >= LANES)
    lanes_store(to + i, from);
  else
    lanes_store(to + i, lanes_choose(first_lanes(end - i), from, lanes_load(to + i)));
}

// Four rows' forces.
typedef struct four_rows {
  lanes nx, ny, nz, fx, fy, fz;
} four_rows;

SRS_INLINE four_rows rows_at(row_block f, int i)
{
  return (four_rows){lanes_load(f.nx + i), lanes_load(f.ny + i), lanes_load(f.nz + i),
                     lanes_load(f.fx + i), lanes_load(f.fy + i), lanes_load(f.fz + i)};
}

SRS_INLINE void keep_rows(row_block f, int i, int end, const four_rows *r)
{
  store_rows(f.nx, i, end, r->nx), store_rows(f.ny, i, end, r->ny), store_rows(f.nz, i, end, r->nz);
  store_rows(f.fx, i, end, r->fx), store_rows(f.fy, i, end, r->fy), store_rows(f.fz, i, end, r->fz);
}

SRS_INLINE void add_shared(four_rows *r, lanes share, v6 g)
{
  r->nx += share * spread_x(g.ang), r->ny += share * spread_y(g.ang), r->nz += share * spread_z(g.ang);
  r->fx += share * spread_x(g.lin), r->fy += share * spread_y(g.lin), r->fz += share * spread_z(g.lin);
}

// How rows meet a coordinate: f <- f - U (u / D) with u = s . f; u starts with what it holds where rows are on the
// coordinate.
SRS_INLINE void meet_coordinate(row_block f, int begin, int end, v6 s, const pivot *p, bool starts, double *u)
{
  const v6 g = v6_scale(-p->D_inverse, p->U);
  for (int i = begin; i < end; i += LANES) {
    four_rows r = rows_at(f, i);
    lanes share = all_along(r.nx, r.ny, r.nz, s.ang) + all_along(r.fx, r.fy, r.fz, s.lin);
    if (starts) share += lanes_load(u + i);
    lanes_store(u + i, share);
    add_shared(&r, share, g);
    keep_rows(f, i, end, &r);
  }
}

// How rows meet a hinge about z, on the way to the parent's origin.
SRS_INLINE void meet_hinge(row_block f, int begin, int end, v3 z, v3 arm, const pivot *p, double *u)
{
  const v6 G = p->G;
  const lanes x = spread_x(arm), y = spread_y(arm), zz = spread_z(arm);
  for (int i = begin; i < end; i += LANES) {
    four_rows r = rows_at(f, i);
    const lanes share = all_along(r.nx, r.ny, r.nz, z);
    lanes_store(u + i, share);
    r.nx += y * r.fz - zz * r.fy, r.ny += zz * r.fx - x * r.fz, r.nz += x * r.fy - y * r.fx;
    add_shared(&r, share, G);
    keep_rows(f, i, end, &r);
  }
}

// How rows meet a free joint on the world, where they end: its coordinates, three turning ones and three sliding ones,
// the last one first.
SRS_INLINE void meet_free(const srs_workspace *w, row_block f, int begin, int end, int first, double *u)
{
  lanes constants[SRS_ROW_SHARES][9];
  for (int c = 0; c < SRS_ROW_SHARES; c++) {
    const pivot *p = &w->pivots[first + SRS_ROW_SHARES - 1 - c];
    const v6 s = w->column[first + SRS_ROW_SHARES - 1 - c], g = v6_scale(-p->D_inverse, p->U);
    const v3 parts[3] = {c < 3 ? s.ang : s.lin, g.ang, g.lin};
    for (size_t i = 0; i < 3; i++) {
      constants[c][3 * i] = spread_x(parts[i]);
      constants[c][3 * i + 1] = spread_y(parts[i]);
      constants[c][3 * i + 2] = spread_z(parts[i]);
    }
  }
  for (int i = begin; i < end; i += LANES) {
    four_rows r = rows_at(f, i);
    for (int c = 0; c < SRS_ROW_SHARES; c++) {
      const lanes *k = constants[c];
      const lanes share = c < 3 ? k[0] * r.nx + k[1] * r.ny + k[2] * r.nz : k[0] * r.fx + k[1] * r.fy + k[2] * r.fz;
      lanes_store(u + (size_t)c * w->row_stride + i, share);
      r.nx += share * k[3], r.ny += share * k[4], r.nz += share * k[5];
      r.fx += share * k[6], r.fy += share * k[7], r.fz += share * k[8];
    }
  }
}

SRS_INLINE void carry_rows_in(row_block f, int from, int to, v3 arm)
{
  double *restrict nx = f.nx, *restrict ny = f.ny, *restrict nz = f.nz;
  const double *restrict fx = f.fx, *restrict fy = f.fy, *restrict fz = f.fz;
  const double x = arm[0], y = arm[1], z = arm[2];
  SRS_INDEPENDENT
  for (int i = from; i < to; i++) {
    nx[i] += y * fz[i] - z * fy[i];
    ny[i] += z * fx[i] - x * fz[i];
    nz[i] += x * fy[i] - y * fx[i];
  }
}
