// Spatial algebra for several states at a time: every number is a vector with a lane for each state. Internal.
//
// Names and conventions are those of topology/base/spatial.h; constants of the model are plain doubles, the same in all
// lanes.
#pragma once

// Straight code of hundreds of instructions, of which 16 registers hold little at a time: ordered to need fewer. Before
// all that is inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("schedule-insns", "sched-pressure")
#endif

#include "engine/dynamics/lane_numbers.h"
#include "topology/base/kernel.h"

typedef struct wide3 {
  lanes x, y, z;
} wide3;

typedef struct wide33 {
  wide3 x, y, z; // columns
} wide33;

typedef struct wide6 {
  wide3 ang, lin;
} wide6;

typedef struct wide_sym {
  lanes xx, yy, zz, xy, xz, yz;
} wide_sym;

static const wide3 wide3_zero = {{0}, {0}, {0}};

// Stores vector by vector. As assignments of whole structs the compiler clears and copies bytes, and what reads them
// next as vectors waits.
SRS_INLINE void wide_store3(wide3 *to, wide3 a) { to->x = a.x, to->y = a.y, to->z = a.z; }
SRS_INLINE wide3 wide_load3(const wide3 *from)
{
  const lanes x = from->x, y = from->y, z = from->z;
  return (wide3){x, y, z};
}
SRS_INLINE void wide_store6(wide6 *to, wide3 ang, wide3 lin)
{
  wide_store3(&to->ang, ang);
  wide_store3(&to->lin, lin);
}
SRS_INLINE void wide_store33(wide33 *to, wide33 a)
{
  wide_store3(&to->x, a.x);
  wide_store3(&to->y, a.y);
  wide_store3(&to->z, a.z);
}

SRS_INLINE lanes wide_number(double a) { return a - (lanes){0}; } // to the bit
SRS_INLINE wide3 wide_vector(vec3 a) { return (wide3){wide_number(a.x), wide_number(a.y), wide_number(a.z)}; }
SRS_INLINE wide33 wide_matrix(const mat3 *a)
{
  return (wide33){wide_vector(a->x), wide_vector(a->y), wide_vector(a->z)};
}

SRS_INLINE wide3 wide_add(wide3 a, wide3 b) { return (wide3){a.x + b.x, a.y + b.y, a.z + b.z}; }
SRS_INLINE wide3 wide_sub(wide3 a, wide3 b) { return (wide3){a.x - b.x, a.y - b.y, a.z - b.z}; }
SRS_INLINE wide3 wide_scale(lanes s, wide3 a) { return (wide3){s * a.x, s * a.y, s * a.z}; }
SRS_INLINE wide3 wide_add_scaled(wide3 a, lanes s, wide3 b)
{
  return (wide3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
SRS_INLINE lanes wide_dot(wide3 a, wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SRS_INLINE wide3 wide_cross(wide3 a, wide3 b)
{
  return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The same with constants.
SRS_INLINE wide3 wide_cross_by(wide3 a, vec3 b)
{
  return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
SRS_INLINE wide3 wide_combine(const mat3 *m, lanes a, lanes b, lanes c) // m [a; b; c]
{
  return (wide3){a * m->x.x + b * m->y.x + c * m->z.x, a * m->x.y + b * m->y.y + c * m->z.y,
                 a * m->x.z + b * m->y.z + c * m->z.z};
}

SRS_INLINE wide3 wide_rotate(const wide33 *r, wide3 a)
{
  return (wide3){r->x.x * a.x + r->y.x * a.y + r->z.x * a.z, r->x.y * a.x + r->y.y * a.y + r->z.y * a.z,
                 r->x.z * a.x + r->y.z * a.y + r->z.z * a.z};
}
SRS_INLINE wide3 wide_rotate_back(const wide33 *r, wide3 a)
{
  return (wide3){wide_dot(r->x, a), wide_dot(r->y, a), wide_dot(r->z, a)};
}
// Rz a and Rx a, the angle by its cosine and sine.
SRS_INLINE wide3 wide_about_z(wide3 a, lanes c, lanes s) { return (wide3){c * a.x - s * a.y, s * a.x + c * a.y, a.z}; }
SRS_INLINE wide3 wide_about_x(wide3 a, lanes c, lanes s) { return (wide3){a.x, c * a.y - s * a.z, s * a.y + c * a.z}; }
// The same, added to another vector.
SRS_INLINE wide3 wide_add_about_z(wide3 to, wide3 a, lanes c, lanes s)
{
  return (wide3){to.x + c * a.x - s * a.y, to.y + s * a.x + c * a.y, to.z + a.z};
}
SRS_INLINE wide3 wide_add_about_x(wide3 to, wide3 a, lanes c, lanes s)
{
  return (wide3){to.x + a.x, to.y + c * a.y - s * a.z, to.z + s * a.y + c * a.z};
}
SRS_INLINE wide33 wide_times_constant(const wide33 *a, const mat3 *b) // a b
{
  return (wide33){wide_rotate(a, wide_vector(b->x)), wide_rotate(a, wide_vector(b->y)),
                  wide_rotate(a, wide_vector(b->z))};
}
SRS_INLINE wide33 wide_constant_times(const mat3 *a, const wide33 *b) // a b
{
  return (wide33){wide_combine(a, b->x.x, b->x.y, b->x.z), wide_combine(a, b->y.x, b->y.y, b->y.z),
                  wide_combine(a, b->z.x, b->z.y, b->z.z)};
}
SRS_INLINE wide33 wide_turn(wide33 r, lanes c, lanes s) // r Rz
{
  return (wide33){wide_add_scaled(wide_scale(c, r.x), s, r.y), wide_add_scaled(wide_scale(c, r.y), -s, r.x), r.z};
}

// The rotation for unit quaternions w x y z.
SRS_INLINE wide33 wide_from_quaternion(lanes w, lanes x, lanes y, lanes z)
{
  return (wide33){{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                  {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                  {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

SRS_INLINE wide3 wide_sym_times(const wide_sym *s, wide3 a)
{
  return (wide3){s->xx * a.x + s->xy * a.y + s->xz * a.z, s->xy * a.x + s->yy * a.y + s->yz * a.z,
                 s->xz * a.x + s->yz * a.y + s->zz * a.z};
}
// A symmetric constant times a vector: xx yy zz xy xz yz.
SRS_INLINE wide3 wide_constant_sym_times(const double *s, wide3 a)
{
  return (wide3){s[0] * a.x + s[3] * a.y + s[4] * a.z, s[3] * a.x + s[1] * a.y + s[5] * a.z,
                 s[4] * a.x + s[5] * a.y + s[2] * a.z};
}

// R S R^T
SRS_INLINE wide_sym wide_sym_rotate(const wide33 *r, const wide_sym *s)
{
  const wide3 a = wide_rotate(r, (wide3){s->xx, s->xy, s->xz}), b = wide_rotate(r, (wide3){s->xy, s->yy, s->yz}),
              c = wide_rotate(r, (wide3){s->xz, s->yz, s->zz}); // columns of R S
  return (wide_sym){a.x * r->x.x + b.x * r->y.x + c.x * r->z.x, a.y * r->x.y + b.y * r->y.y + c.y * r->z.y,
                    a.z * r->x.z + b.z * r->y.z + c.z * r->z.z, a.x * r->x.y + b.x * r->y.y + c.x * r->z.y,
                    a.x * r->x.z + b.x * r->y.z + c.x * r->z.z, a.y * r->x.z + b.y * r->y.z + c.y * r->z.z};
}

// Rz S Rz^T: with d = xx - yy, xx - s (s d + 2 c xy) and its like.
SRS_INLINE wide_sym wide_sym_about_z(const wide_sym *S, lanes c, lanes s)
{
  const lanes w = s * (S->xx - S->yy) + c * (S->xy + S->xy);
  return (wide_sym){S->xx - s * w, S->yy + s * w, S->zz, c * w - S->xy, c * S->xz - s * S->yz, s * S->xz + c * S->yz};
}
SRS_INLINE wide_sym wide_sym_about_x(const wide_sym *S, lanes c, lanes s)
{
  const lanes w = s * (S->yy - S->zz) + c * (S->yz + S->yz);
  return (wide_sym){S->xx, S->yy - s * w, S->zz + s * w, c * S->xy - s * S->xz, s * S->xy + c * S->xz, c * w - S->yz};
}
SRS_INLINE wide_sym wide_sym_square(const wide_sym *S) // about x by a right angle
{
  return (wide_sym){S->xx, S->zz, S->yy, -S->xz, S->xy, -S->yz};
}
// The same of any matrix.
SRS_INLINE wide33 wide_matrix_about_z(const wide33 *K, lanes c, lanes s)
{
  const lanes w = s * (K->x.x - K->y.y) + c * (K->y.x + K->x.y);
  return (wide33){{K->x.x - s * w, c * w - K->y.x, c * K->x.z - s * K->y.z},
                  {c * w - K->x.y, K->y.y + s * w, s * K->x.z + c * K->y.z},
                  wide_about_z(K->z, c, s)};
}
SRS_INLINE wide33 wide_matrix_about_x(const wide33 *K, lanes c, lanes s)
{
  const lanes w = s * (K->y.y - K->z.z) + c * (K->z.y + K->y.z);
  return (wide33){wide_about_x(K->x, c, s),
                  {c * K->y.x - s * K->z.x, K->y.y - s * w, c * w - K->z.y},
                  {s * K->y.x + c * K->z.x, c * w - K->y.z, K->z.z + s * w}};
}
SRS_INLINE wide33 wide_matrix_square(const wide33 *K)
{
  return (wide33){{K->x.x, -K->x.z, K->x.y}, {-K->z.x, K->z.z, -K->z.y}, {K->y.x, -K->y.z, K->y.y}};
}

// Four numbers of each state, side by side in memory, lane l's at `to[l] + at`.
SRS_INLINE void wide_put4(double *const to[LANES], size_t at, lanes a, lanes b, lanes c, lanes d)
{
#ifdef SRS_EIGHT_LANES
  const lanes ab0 = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
  const lanes ab1 = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const lanes cd0 = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
  const lanes cd1 = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  const lanes of[QUAD] = {__builtin_shufflevector(ab0, cd0, 0, 1, 8, 9, 4, 5, 12, 13),
                          __builtin_shufflevector(ab1, cd1, 0, 1, 8, 9, 4, 5, 12, 13),
                          __builtin_shufflevector(ab0, cd0, 2, 3, 10, 11, 6, 7, 14, 15),
                          __builtin_shufflevector(ab1, cd1, 2, 3, 10, 11, 6, 7, 14, 15)}; // of states i and i + 4
  for (int i = 0; i < QUAD; i++) {
    quad_store(to[i] + at, __builtin_shufflevector(of[i], of[i], 0, 1, 2, 3));
    quad_store(to[i + QUAD] + at, __builtin_shufflevector(of[i], of[i], 4, 5, 6, 7));
  }
#else
  quads_transpose(&a, &b, &c, &d);
  quad_store(to[0] + at, a);
  quad_store(to[1] + at, b);
  quad_store(to[2] + at, c);
  quad_store(to[3] + at, d);
#endif
}

// LANES by LANES numbers, rows to columns.
SRS_INLINE void wide_transpose(lanes rows[LANES])
{
#ifdef SRS_EIGHT_LANES
  lanes pairs[LANES], quads[LANES];
  for (int i = 0; i < LANES; i += 2) {
    pairs[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < LANES; i += QUAD)
    for (int j = i; j < i + 2; j++) {
      quads[j] = __builtin_shufflevector(pairs[j], pairs[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      quads[j + 2] = __builtin_shufflevector(pairs[j], pairs[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < QUAD; i++) {
    rows[i] = __builtin_shufflevector(quads[i], quads[i + QUAD], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[i + QUAD] = __builtin_shufflevector(quads[i], quads[i + QUAD], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#else
  quads_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
#endif
}
