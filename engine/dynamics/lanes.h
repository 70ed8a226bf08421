// Spatial algebra on four doubles at a time, by the compiler's vector types: one register where the processor has AVX,
// two where it has not. Internal.
//
// The fourth lane of a v3, a 3-vector, is zero and stays so. + - and scaling are the language's own operators; c[i] is
// component i. Constants of the model (rotations, offsets, inertias) stay packed doubles: they only ever scale columns.
// Names and conventions are those of topology/base/spatial.h.
#pragma once
#include "engine/dynamics/lane_numbers.h"

_Static_assert(LANES == QUAD, "vectors and matrices have a lane for each component");

typedef lanes v3;

typedef struct m3 {
  v3 x, y, z; // columns
} m3;

// The same by cyclic diagonals: entry i of diagonal k is in row i and column i + k mod 3. Products with vectors and
// with [r x] then only cycle vectors; no component is spread, and no lanes are summed up.
typedef struct d33 {
  v3 d0, d1, d2;
} d33;

// A symmetric matrix: xx yy zz and xy yz zx. Its third diagonal is the second, cycled back.
typedef struct s33 {
  v3 d, e;
} s33;

typedef struct v6 {
  v3 ang, lin;
} v6;

static const v3 v3_zero = {0, 0, 0, 0};
static const v6 v6_zero = {{0, 0, 0, 0}, {0, 0, 0, 0}};
static const m3 m3_zero = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
static const s33 s33_zero = {{0, 0, 0, 0}, {0, 0, 0, 0}};
static const m3 m3_identity = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

// All bits of the first n lanes.
SRS_INLINE lane_mask first_lanes(int n)
{
  const lane_mask place = {0, 1, 2, 3};
  return place < (int64_t)n;
}

// Copies four by four entries below the diagonal from their mirror image above it.
SRS_INLINE void mirror_tile(double *matrix, size_t stride, size_t i, size_t j)
{
  const double *from = matrix + i * stride + j;
  double *to = matrix + j * stride + i;
  lanes a = lanes_load(from), b = lanes_load(from + stride);
  lanes c = lanes_load(from + 2 * stride), d = lanes_load(from + 3 * stride);
  quads_transpose(&a, &b, &c, &d);
  lanes_store(to, a);
  lanes_store(to + stride, b);
  lanes_store(to + 2 * stride, c);
  lanes_store(to + 3 * stride, d);
}

// The same of the four by four entries at the diagonal.
SRS_INLINE void mirror_corner(double *matrix, size_t stride, size_t i)
{
  double *at = matrix + i * (stride + 1);
  at[stride] = at[1], at[2 * stride] = at[2], at[3 * stride] = at[3];
  at[2 * stride + 1] = at[stride + 2], at[3 * stride + 1] = at[stride + 3];
  at[3 * stride + 2] = at[2 * stride + 3];
}

// Mirrors rows from … to - 1 of n x n into the columns.
SRS_INLINE void mirror_rows(double *matrix, size_t n, size_t from, size_t to)
{
  size_t i = from;
  for (; i + LANES <= to; i += LANES) {
    mirror_corner(matrix, n, i);
    size_t j = i + LANES;
    for (; j + LANES <= n; j += LANES) mirror_tile(matrix, n, i, j);
    if (j < n && n - LANES >= i + LANES) { // the last four once more
      mirror_tile(matrix, n, i, n - LANES);
      continue;
    }
    for (; j < n; j++)
      for (size_t a = i; a < i + LANES; a++) matrix[j * n + a] = matrix[a * n + j];
  }
  for (; i < to; i++)
    for (size_t j = i + 1; j < n; j++) matrix[j * n + i] = matrix[i * n + j];
}

SRS_INLINE v3 v3_load(const double *p) { return (v3){p[0], p[1], p[2], 0}; }
SRS_INLINE void v3_store(double *p, v3 a)
{
  p[0] = a[0];
  p[1] = a[1];
  p[2] = a[2];
}
SRS_INLINE v6 v6_load(const double *p) { return (v6){v3_load(p), v3_load(p + 3)}; }
SRS_INLINE void v6_store(double *p, v6 a)
{
  v3_store(p, a.ang);
  v3_store(p + 3, a.lin);
}
SRS_INLINE v3 v3_from(vec3 a) { return (v3){a.x, a.y, a.z, 0}; }

SRS_INLINE v3 cycle(v3 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }      // y z x
SRS_INLINE v3 cycle_back(v3 a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); } // z x y
SRS_INLINE v3 cross(v3 a, v3 b) { return cycle(a * cycle(b) - cycle(a) * b); }
SRS_INLINE double dot(v3 a, v3 b)
{
  const v3 p = a * b;
  return p[0] + p[1] + p[2];
}

// Component i in all lanes.
SRS_INLINE lanes spread_x(v3 a) { return __builtin_shufflevector(a, a, 0, 0, 0, 0); }
SRS_INLINE lanes spread_y(v3 a) { return __builtin_shufflevector(a, a, 1, 1, 1, 1); }
SRS_INLINE lanes spread_z(v3 a) { return __builtin_shufflevector(a, a, 2, 2, 2, 2); }

// Four vectors, by their components, along one axis.
SRS_INLINE lanes all_along(lanes x, lanes y, lanes z, v3 axis)
{
  return spread_x(axis) * x + spread_y(axis) * y + spread_z(axis) * z;
}

SRS_INLINE v3 m3_times(m3 m, v3 a) { return m.x * spread_x(a) + m.y * spread_y(a) + m.z * spread_z(a); }
SRS_INLINE v3 m3_times_packed(m3 m, const vec3 *a) { return m.x * a->x + m.y * a->y + m.z * a->z; }
SRS_INLINE m3 m3_times_matrix(m3 m, const mat3 *a)
{
  return (m3){m3_times_packed(m, &a->x), m3_times_packed(m, &a->y), m3_times_packed(m, &a->z)};
}
SRS_INLINE m3 m3_add(m3 a, m3 b) { return (m3){a.x + b.x, a.y + b.y, a.z + b.z}; }

// The sums of the lanes of three vectors, as one vector.
SRS_INLINE v3 sums(v3 a, v3 b, v3 c)
{
  const lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const lanes c0 = __builtin_shufflevector(c, v3_zero, 0, 4, 2, 6) + __builtin_shufflevector(c, v3_zero, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, c0, 0, 1, 4, 5) + __builtin_shufflevector(ab, c0, 2, 3, 6, 7);
}
SRS_INLINE v3 m3_times_back(m3 m, v3 a) { return sums(m.x * a, m.y * a, m.z * a); } // transpose of m times a

SRS_INLINE m3 m3_transpose(m3 m)
{
  const lanes xy_even = __builtin_shufflevector(m.x, m.y, 0, 4, 2, 6);
  const lanes xy_odd = __builtin_shufflevector(m.x, m.y, 1, 5, 3, 7);
  const lanes z_even = __builtin_shufflevector(m.z, v3_zero, 0, 4, 2, 6);
  const lanes z_odd = __builtin_shufflevector(m.z, v3_zero, 1, 5, 3, 7);
  return (m3){__builtin_shufflevector(xy_even, z_even, 0, 1, 4, 5), __builtin_shufflevector(xy_odd, z_odd, 0, 1, 4, 5),
              __builtin_shufflevector(xy_even, z_even, 2, 3, 6, 7)};
}

SRS_INLINE s33 s33_add(s33 a, s33 b) { return (s33){a.d + b.d, a.e + b.e}; }
SRS_INLINE v3 s33_times(s33 s, v3 a) { return s.d * a + s.e * cycle(a) + cycle_back(s.e) * cycle_back(a); }
SRS_INLINE m3 m3_from_s3(s33 s)
{
  return (m3){__builtin_shufflevector(s.d, s.e, 0, 4, 6, 3), __builtin_shufflevector(s.d, s.e, 4, 1, 5, 3),
              __builtin_shufflevector(s.d, s.e, 6, 5, 2, 3)};
}
// S - (a b^T + b a^T)
SRS_INLINE s33 s33_less_pair(s33 s, v3 a, v3 b) { return (s33){s.d - 2 * (a * b), s.e - a * cycle(b) - b * cycle(a)}; }

SRS_INLINE d33 d33_add(d33 a, d33 b) { return (d33){a.d0 + b.d0, a.d1 + b.d1, a.d2 + b.d2}; }
SRS_INLINE v3 d33_times(d33 m, v3 a) { return m.d0 * a + m.d1 * cycle(a) + m.d2 * cycle_back(a); }
SRS_INLINE v3 d33_times_back(d33 m, v3 a) { return m.d0 * a + cycle_back(m.d1 * a) + cycle(m.d2 * a); }
SRS_INLINE d33 d33_cross(v3 r) { return (d33){v3_zero, -cycle_back(r), cycle(r)}; } // [r x]
// M + a b^T
SRS_INLINE d33 d33_add_outer(d33 m, v3 a, v3 b)
{
  return (d33){m.d0 + a * b, m.d1 + a * cycle(b), m.d2 + a * cycle_back(b)};
}

SRS_INLINE m3 m3_times_m3(m3 a, m3 b) { return (m3){m3_times(a, b.x), m3_times(a, b.y), m3_times(a, b.z)}; }

SRS_INLINE m3 turn_about_z(m3 r, double c, double s) { return (m3){c * r.x + s * r.y, c * r.y - s * r.x, r.z}; }

SRS_INLINE v6 v6_add(v6 a, v6 b) { return (v6){a.ang + b.ang, a.lin + b.lin}; }
SRS_INLINE v6 v6_scale(double s, v6 a) { return (v6){s * a.ang, s * a.lin}; }
SRS_INLINE v6 v6_add_scaled(v6 a, double s, v6 b) { return (v6){a.ang + s * b.ang, a.lin + s * b.lin}; }
SRS_INLINE double v6_dot(v6 a, v6 b)
{
  const v3 p = a.ang * b.ang + a.lin * b.lin;
  return p[0] + p[1] + p[2];
}

// Carries a motion (velocity, or acceleration without its velocity terms) from the parent's origin along the arm.
SRS_INLINE v6 carry_motion(v6 m, v3 arm) { return (v6){m.ang, m.lin + cross(m.ang, arm)}; }
// Moves a force to the parent's origin.
SRS_INLINE v6 carry_force(v6 f, v3 arm) { return (v6){f.ang + cross(arm, f.lin), f.lin}; }

// Tells the compiler that the iterations of the next loop do not depend on each other.
#if defined(__clang__)
#define SRS_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define SRS_INDEPENDENT _Pragma("GCC ivdep")
#endif
