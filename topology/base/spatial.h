// Small fixed-size algebra: 3-vectors, rotations, spatial vectors, rigid-body inertia.
//
// A rotation is kept as its three columns, the frame's axes seen from outside: R a = a.x R.x + a.y R.y + a.z R.z.
// A spatial vector is [angular; linear]. A force moved from a point to the one that lies r behind it keeps its linear
// part and gains r x f; a motion gains w x r the other way.
// A rigid-body inertia about a point is (m, h = m c, I): momentum [I w + h x v; m v - h x w].
//
// Everything is static inline and by value: the compiler keeps it in registers.
#pragma once
#include <math.h>

typedef struct vec3 {
  double x, y, z;
} vec3;

typedef struct mat3 {
  vec3 x, y, z; // columns
} mat3;

typedef struct sym3 {
  double xx, yy, zz, xy, xz, yz;
} sym3;

typedef struct spatial {
  vec3 ang, lin;
} spatial;

#define SRS_INLINE static inline __attribute__((always_inline, unused))

static const vec3 vec3_zero = {0, 0, 0};

SRS_INLINE vec3 vec3_load(const double *p) { return (vec3){p[0], p[1], p[2]}; }
SRS_INLINE void vec3_store(double *p, vec3 a)
{
  p[0] = a.x;
  p[1] = a.y;
  p[2] = a.z;
}
SRS_INLINE vec3 add3(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
SRS_INLINE vec3 sub3(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
SRS_INLINE vec3 scale3(double s, vec3 a) { return (vec3){s * a.x, s * a.y, s * a.z}; }
SRS_INLINE vec3 add_scaled3(vec3 a, double s, vec3 b) { return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
SRS_INLINE double dot3(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SRS_INLINE double norm3(vec3 a) { return sqrt(dot3(a, a)); }
SRS_INLINE vec3 cross3(vec3 a, vec3 b)
{
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static const mat3 mat3_identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Nine numbers, rows first, as the public headers have them.
SRS_INLINE mat3 mat3_from_rows(const double *p)
{
  return (mat3){{p[0], p[3], p[6]}, {p[1], p[4], p[7]}, {p[2], p[5], p[8]}};
}
SRS_INLINE void mat3_to_rows(double *p, mat3 r)
{
  p[0] = r.x.x, p[1] = r.y.x, p[2] = r.z.x;
  p[3] = r.x.y, p[4] = r.y.y, p[5] = r.z.y;
  p[6] = r.x.z, p[7] = r.y.z, p[8] = r.z.z;
}
SRS_INLINE vec3 rotate(mat3 r, vec3 a) { return add_scaled3(add_scaled3(scale3(a.x, r.x), a.y, r.y), a.z, r.z); }
SRS_INLINE vec3 rotate_back(mat3 r, vec3 a) { return (vec3){dot3(r.x, a), dot3(r.y, a), dot3(r.z, a)}; }
SRS_INLINE mat3 mul3(mat3 a, mat3 b) { return (mat3){rotate(a, b.x), rotate(a, b.y), rotate(a, b.z)}; }
SRS_INLINE mat3 transpose3(mat3 a)
{
  return (mat3){{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}

// The rotation for a unit quaternion w x y z.
SRS_INLINE mat3 mat3_from_quaternion(const double *q)
{
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return (mat3){{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

static const sym3 sym3_zero = {0, 0, 0, 0, 0, 0};

SRS_INLINE vec3 sym3_times(sym3 s, vec3 a)
{
  return (vec3){s.xx * a.x + s.xy * a.y + s.xz * a.z, s.xy * a.x + s.yy * a.y + s.yz * a.z,
                s.xz * a.x + s.yz * a.y + s.zz * a.z};
}
SRS_INLINE sym3 sym3_add(sym3 a, sym3 b)
{
  return (sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
SRS_INLINE sym3 sym3_load(const double *p) { return (sym3){p[0], p[1], p[2], p[3], p[4], p[5]}; }
SRS_INLINE void sym3_store(double *p, sym3 s)
{
  p[0] = s.xx, p[1] = s.yy, p[2] = s.zz;
  p[3] = s.xy, p[4] = s.xz, p[5] = s.yz;
}

// R S R^T
SRS_INLINE sym3 sym3_rotate(mat3 r, sym3 s)
{
  // Columns of R S, then its product with R^T, upper triangle only.
  const vec3 a = add_scaled3(add_scaled3(scale3(s.xx, r.x), s.xy, r.y), s.xz, r.z);
  const vec3 b = add_scaled3(add_scaled3(scale3(s.xy, r.x), s.yy, r.y), s.yz, r.z);
  const vec3 c = add_scaled3(add_scaled3(scale3(s.xz, r.x), s.yz, r.y), s.zz, r.z);
  return (sym3){a.x * r.x.x + b.x * r.y.x + c.x * r.z.x, a.y * r.x.y + b.y * r.y.y + c.y * r.z.y,
                a.z * r.x.z + b.z * r.y.z + c.z * r.z.z, a.x * r.x.y + b.x * r.y.y + c.x * r.z.y,
                a.x * r.x.z + b.x * r.y.z + c.x * r.z.z, a.y * r.x.z + b.y * r.y.z + c.y * r.z.z};
}

// The inertia of a point mass: m (|r|^2 1 - r r^T).
SRS_INLINE sym3 sym3_point_mass(double m, vec3 r)
{
  const double xx = m * r.x * r.x, yy = m * r.y * r.y, zz = m * r.z * r.z;
  return (sym3){yy + zz, xx + zz, xx + yy, -m * r.x * r.y, -m * r.x * r.z, -m * r.y * r.z};
}
