// The support function of a convex hull: the corner that lies farthest along a direction, and those as far.
//
// All corners are compared, four at a time in two rows: each lane keeps its first farthest corner; of the eight the
// farthest wins, of equals the one that comes first. That is the corner which a plain loop would find, since sums are
// formed in its order and multiplications are not fused (CMakeLists.txt). Up to a few hundred corners this is faster
// than walking from corner to corner.
#include "collision/shapes/hull_support.h"
#include "topology/base/kernel.h"

#include <stdint.h>
#include <string.h>

enum { LANES = 4 };

typedef double lanes __attribute__((vector_size(32), aligned(32)));
typedef int64_t mask __attribute__((vector_size(32), aligned(32)));

typedef struct farthest {
  lanes most;
  mask at;
} farthest;

// Of four corners from i on; columns: x, y, z.
SRS_INLINE lanes along(const double *const columns[3], size_t i, vec3 d)
{
  lanes x, y, z;
  memcpy(&x, columns[0] + i, sizeof x);
  memcpy(&y, columns[1] + i, sizeof y);
  memcpy(&z, columns[2] + i, sizeof z);
  return x * d.x + y * d.y + z * d.z;
}

SRS_INLINE farthest pick(farthest a, farthest b, mask is_b)
{
  const lanes most = (lanes)(((mask)b.most & is_b) | ((mask)a.most & ~is_b));
  return (farthest){most, (b.at & is_b) | (a.at & ~is_b)};
}

// Of each lane's two the farther, of equals the one that comes first.
SRS_INLINE farthest merge(farthest a, farthest b)
{
  return pick(a, b, (b.most > a.most) | ((b.most == a.most) & (b.at < a.at)));
}

SRS_KERNEL static int find(const double *corners, int n_padded, vec3 d)
{
  const size_t n = (size_t)n_padded;
  const double *const columns[3] = {corners, corners + n, corners + 2 * n};
  mask at = {0, 1, 2, 3};
  farthest row = {along(columns, 0, d), at}, other = {along(columns, LANES, d), at + LANES};
  for (size_t i = SRS_HULL_PADDING; i < n; i += SRS_HULL_PADDING) {
    at += SRS_HULL_PADDING;
    const farthest next = {along(columns, i, d), at}, after = {along(columns, i + LANES, d), at + LANES};
    row = pick(row, next, next.most > row.most);
    other = pick(other, after, after.most > other.most);
  }
  row = merge(row, other);
  const farthest half = {__builtin_shufflevector(row.most, row.most, 2, 3, 0, 1),
                         __builtin_shufflevector(row.at, row.at, 2, 3, 0, 1)};
  row = merge(row, half);
  const farthest neighbour = {__builtin_shufflevector(row.most, row.most, 1, 0, 3, 2),
                              __builtin_shufflevector(row.at, row.at, 1, 0, 3, 2)};
  return (int)merge(row, neighbour).at[0];
}

// The first from a corner on in steps of four, all lanes at once; no more than n_padded when there is none.
SRS_KERNEL static int find_next(const double *corners, int n_padded, vec3 d, double far, int from)
{
  const size_t n = (size_t)n_padded;
  const double *const columns[3] = {corners, corners + n, corners + 2 * n};
  const mask lane = {0, 1, 2, 3};
  for (size_t i = (size_t)from & ~(size_t)(LANES - 1); i < n; i += LANES) {
    const mask at = lane + (int64_t)i, found = (along(columns, i, d) >= far) & (at >= from);
    if ((found[0] | found[1] | found[2] | found[3]) == 0) continue;
    return (int)i + (found[0] ? 0 : found[1] ? 1 : found[2] ? 2 : 3);
  }
  return n_padded;
}

int srs_hull_next_as_far(const srs_hull *hull, vec3 d, double far, int from)
{
  const int next = find_next(hull->columns, hull->n_padded, d, far, from);
  return next < hull->n_corners ? next : hull->n_corners;
}

int srs_hull_support(const srs_hull *hull, vec3 d) { return find(hull->columns, hull->n_padded, d); }
