// Box against box. In A's frame: A is |x_i| <= e_i, B has its middle at c, axes r_j and half sizes f_j.
//
// For any unit n the boxes are apart by at least (separating axis test)
//
//   s(n) = |n . c| - sum |n_i| e_i - sum |n . r_j| f_j
//
// and the greatest s over the normals of faces and across two edges is the depth where they overlap. Where they do not
// overlap, that n is right if two points are found as near as s; else a corner or two edges are nearest, and the pair
// is found among corner and box, and edge and edge. n points from B to A.
//
// The manifold. The face of each box that looks most at the other is seen along n. In A's face plane B's face is a
// parallelogram: y (along B's two axes) |-> x = x0 + G y, and the gap there is affine in y too. Corners of either
// inside the other and crossings of their edges are the corners of the intersection, at most eight. Corners within 1e-9
// of the size of an edge count as inside, and no edge is crossed there: coplanar faces keep exactly their corners. The
// nearest points join where no corner is as near.

#include "collision/manifold/reduce.h"
#include "collision/pairs/pairs.h"
#include "collision/pairs/segment.h"
#include <string.h>

static const double ROUNDING = 1e-13; // of the boxes' size
static const double SAME = 1e-9;      // of the boxes' size

enum { CORNERS_B = 8, CROSSINGS = 16, CANDIDATES = 20 }; // features: A's corners, B's, edge of A x edge of B

typedef struct boxes {
  double e[3], f[3], c[3];
  double r[3][3]; // r[j]: B's axis j
  double size, margin;
} boxes;

// A direction from B to A and how far it keeps them apart.
typedef struct apart {
  double n[3], separation;
  int face;           // whose normal n is, 0-2 of A, 3-5 of B; -1: across two edges
  int edge_a, edge_b; // the axes of these, else -1
} apart;

// Two points near to each other, in A's frame.
typedef struct points {
  vec3 a, b;
  double n[3]; // unit, from B to A
  double distance;
  uint32_t feature;
} points;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static boxes boxes_of(const srs_placed *a, const srs_placed *b, double margin)
{
  boxes x = {.margin = margin};
  vec3_store(x.c, rotate_back(a->axes, sub3(b->origin, a->origin)));
  vec3_store(x.r[0], rotate_back(a->axes, b->axes.x));
  vec3_store(x.r[1], rotate_back(a->axes, b->axes.y));
  vec3_store(x.r[2], rotate_back(a->axes, b->axes.z));
  for (int i = 0; i < 3; i++) {
    x.e[i] = a->solid->size[i] / 2;
    x.f[i] = b->solid->size[i] / 2;
    x.size += x.e[i] + x.f[i];
  }
  return x;
}

// ---------------------------------------------------------------------------------------------------------------------
// The direction that keeps them apart most
// ---------------------------------------------------------------------------------------------------------------------

static void take(apart *best, const boxes *x, const double n[3], double separation, int face, int edge_a, int edge_b)
{
  const double sign = dot(n, x->c) > 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) best->n[i] = sign * n[i];
  best->separation = separation;
  best->face = face;
  best->edge_a = edge_a;
  best->edge_b = edge_b;
}

// Faces of A, then of B. False: farther apart than the margin.
static bool separate_faces(const boxes *x, apart *best)
{
  best->separation = -INFINITY;
  for (int i = 0; i < 3; i++) {
    const double reach = x->f[0] * fabs(x->r[0][i]) + x->f[1] * fabs(x->r[1][i]) + x->f[2] * fabs(x->r[2][i]);
    const double s = fabs(x->c[i]) - x->e[i] - reach;
    if (s > x->margin) return false;
    if (s <= best->separation) continue;
    double n[3] = {0, 0, 0};
    n[i] = 1;
    take(best, x, n, s, i, -1, -1);
  }
  for (int j = 0; j < 3; j++) {
    const double *n = x->r[j];
    const double s =
        fabs(dot(n, x->c)) - x->f[j] - (x->e[0] * fabs(n[0]) + x->e[1] * fabs(n[1]) + x->e[2] * fabs(n[2]));
    if (s > x->margin) return false;
    if (s > best->separation + ROUNDING * x->size) take(best, x, n, s, 3 + j, -1, -1);
  }
  return true;
}

// Across edge i of A and edge j of B. Everything is taken along the unit n as it came out, so that its rounding does
// not count; parallel edges add nothing to the faces.
static bool separate_edges(const boxes *x, apart *best)
{
  for (int i = 0; i < 3; i++) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    for (int j = 0; j < 3; j++) {
      const double y = x->r[j][k], z = x->r[j][l], square = y * y + z * z;
      if (square < 1e-26) continue;
      const double inverse = 1 / sqrt(square);
      double n[3] = {0, 0, 0};
      n[k] = -z * inverse;
      n[l] = y * inverse;
      const double *p = x->r[(j + 1) % 3], *q = x->r[(j + 2) % 3];
      const double s = fabs(n[k] * x->c[k] + n[l] * x->c[l]) - x->e[k] * fabs(n[k]) - x->e[l] * fabs(n[l]) -
                       x->f[(j + 1) % 3] * fabs(n[k] * p[k] + n[l] * p[l]) -
                       x->f[(j + 2) % 3] * fabs(n[k] * q[k] + n[l] * q[l]);
      if (s > x->margin) return false;
      if (s > best->separation + ROUNDING * x->size) take(best, x, n, s, -1, i, j);
    }
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Corners and edges
// ---------------------------------------------------------------------------------------------------------------------

static double signed_half(double half, uint32_t bits, int axis) { return bits >> axis & 1 ? half : -half; }

static vec3 corner_a(const boxes *x, uint32_t bits)
{
  return (vec3){signed_half(x->e[0], bits, 0), signed_half(x->e[1], bits, 1), signed_half(x->e[2], bits, 2)};
}

static vec3 point_b(const boxes *x, const double y[3])
{
  vec3 p = vec3_load(x->c);
  for (int j = 0; j < 3; j++) p = add_scaled3(p, y[j], vec3_load(x->r[j]));
  return p;
}

static vec3 corner_b(const boxes *x, uint32_t bits)
{
  const double y[3] = {signed_half(x->f[0], bits, 0), signed_half(x->f[1], bits, 1), signed_half(x->f[2], bits, 2)};
  return point_b(x, y);
}

// An edge's name, 0-11: its axis and the signs of the other two.
static uint32_t edge_name(int axis, uint32_t bits)
{
  const uint32_t low = bits >> ((axis + 1) % 3) & 1, high = bits >> ((axis + 2) % 3) & 1;
  return (uint32_t)axis * 4 + low + 2 * high;
}

static srs_segment edge_of_a(const boxes *x, int axis, uint32_t bits)
{
  double middle[3], along[3] = {0, 0, 0};
  vec3_store(middle, corner_a(x, bits));
  middle[axis] = 0;
  along[axis] = 1;
  return (srs_segment){vec3_load(middle), vec3_load(along), x->e[axis]};
}

static srs_segment edge_of_b(const boxes *x, int axis, uint32_t bits)
{
  double y[3];
  for (int j = 0; j < 3; j++) y[j] = j == axis ? 0 : signed_half(x->f[j], bits, j);
  return (srs_segment){point_b(x, y), vec3_load(x->r[axis]), x->f[axis]};
}

// The corner of A that lies farthest against n, of B farthest along n.
static uint32_t support_a(const double n[3])
{
  return (n[0] < 0 ? 1U : 0U) | (n[1] < 0 ? 2U : 0U) | (n[2] < 0 ? 4U : 0U);
}

static uint32_t support_b(const boxes *x, const double n[3])
{
  return (dot(n, x->r[0]) > 0 ? 1U : 0U) | (dot(n, x->r[1]) > 0 ? 2U : 0U) | (dot(n, x->r[2]) > 0 ? 4U : 0U);
}

static void set_points(points *best, vec3 a, vec3 b, double distance, uint32_t feature)
{
  best->a = a;
  best->b = b;
  best->distance = distance;
  best->feature = feature;
}

// Corners of B from box A, corners of A from box B.
static void nearest_corners(const boxes *x, points *best)
{
  for (uint32_t bits = 0; bits < 8; bits++) {
    double p[3], q[3];
    const vec3 b = corner_b(x, bits);
    vec3_store(p, b);
    for (int i = 0; i < 3; i++) q[i] = clamped(p[i], -x->e[i], x->e[i]);
    const vec3 a = vec3_load(q), d = sub3(a, b);
    const double distance = norm3(d);
    if (!(distance < best->distance)) continue;
    set_points(best, a, b, distance, CORNERS_B + bits);
    if (distance > 0) vec3_store(best->n, scale3(1 / distance, d));
  }
  for (uint32_t bits = 0; bits < 8; bits++) {
    double y[3], inside[3];
    const vec3 a = corner_a(x, bits), from_c = sub3(a, vec3_load(x->c));
    vec3 d = vec3_zero;
    for (int j = 0; j < 3; j++) {
      y[j] = dot3(from_c, vec3_load(x->r[j]));
      inside[j] = clamped(y[j], -x->f[j], x->f[j]);
      d = add_scaled3(d, y[j] - inside[j], vec3_load(x->r[j]));
    }
    const double distance = norm3(d);
    if (!(distance < best->distance)) continue;
    set_points(best, a, point_b(x, inside), distance, bits);
    if (distance > 0) vec3_store(best->n, scale3(1 / distance, d));
  }
}

static void nearest_edges_of(const boxes *x, int i, uint32_t bits_a, int j, uint32_t bits_b, points *best)
{
  const srs_segment a = edge_of_a(x, i, bits_a), b = edge_of_b(x, j, bits_b);
  const srs_segment_pair pair = srs_segment_nearest(&a, &b);
  if (!(pair.length < best->distance)) return;
  const uint32_t name = CROSSINGS + 12 * edge_name(i, bits_a) + edge_name(j, bits_b);
  set_points(best, segment_point(&a, pair.s), segment_point(&b, pair.t), pair.length, name);
  if (pair.length > 0) vec3_store(best->n, scale3(1 / pair.length, pair.r));
}

// All pairs of edges that are near enough along the direction that keeps the boxes apart.
static void nearest_edges(const boxes *x, const apart *best_apart, points *best)
{
  const double *n = best_apart->n;
  const vec3 along = vec3_load(n);
  const double top = dot3(along, corner_b(x, support_b(x, n))), bottom = dot3(along, corner_a(x, support_a(n)));
  for (int i = 0; i < 3; i++) {
    for (uint32_t bits_a = 0; bits_a < 8; bits_a++) {
      if (bits_a >> i & 1) continue;
      const srs_segment a = edge_of_a(x, i, bits_a);
      if (dot3(along, a.middle) - a.half * fabs(n[i]) - top >= best->distance) continue;
      for (int j = 0; j < 3; j++) {
        for (uint32_t bits_b = 0; bits_b < 8; bits_b++) {
          if (bits_b >> j & 1) continue;
          const srs_segment b = edge_of_b(x, j, bits_b);
          if (bottom - dot3(along, b.middle) - b.half * fabs(dot(n, x->r[j])) >= best->distance) continue;
          nearest_edges_of(x, i, bits_a, j, bits_b, best);
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The manifold
// ---------------------------------------------------------------------------------------------------------------------

// The two faces that look at each other, seen along n.
typedef struct faces {
  int a, a1, a2, b, b1, b2;                    // axis of each face, and the two across it
  uint32_t bits_a, bits_b;                     // the faces' side: the bit of their own axis
  double plane, x0[2], g[2][2], inverse[2][2]; // g[k][j]: x_k by y_j
  vec3 n;
} faces;

typedef struct manifold {
  const boxes *x;
  faces faces;
  srs_touch touches[CANDIDATES];
  int n;
} manifold;

static int largest(const double v[3])
{
  const int i = fabs(v[1]) > fabs(v[0]) ? 1 : 0;
  return fabs(v[2]) > fabs(v[i]) ? 2 : i;
}

static faces faces_along(const boxes *x, const double n[3])
{
  const double nb[3] = {dot(n, x->r[0]), dot(n, x->r[1]), dot(n, x->r[2])};
  faces v = {.a = largest(n), .b = largest(nb), .n = vec3_load(n)};
  v.a1 = (v.a + 1) % 3, v.a2 = (v.a + 2) % 3;
  v.b1 = (v.b + 1) % 3, v.b2 = (v.b + 2) % 3;
  v.bits_a = n[v.a] < 0 ? 1U << v.a : 0;
  v.bits_b = nb[v.b] > 0 ? 1U << v.b : 0;
  v.plane = signed_half(x->e[v.a], v.bits_a, v.a);
  const double up_b = signed_half(x->f[v.b], v.bits_b, v.b);
  const int across[2] = {v.a1, v.a2}, axes_b[2] = {v.b1, v.b2};
  for (int k = 0; k < 2; k++) {
    const double slant = n[across[k]] / n[v.a];
    const double middle = x->c[across[k]] + up_b * x->r[v.b][across[k]];
    v.x0[k] = middle - slant * (x->c[v.a] + up_b * x->r[v.b][v.a] - v.plane);
    for (int j = 0; j < 2; j++) v.g[k][j] = x->r[axes_b[j]][across[k]] - slant * x->r[axes_b[j]][v.a];
  }
  const double det = v.g[0][0] * v.g[1][1] - v.g[0][1] * v.g[1][0];
  v.inverse[0][0] = v.g[1][1] / det, v.inverse[0][1] = -v.g[0][1] / det;
  v.inverse[1][0] = -v.g[1][0] / det, v.inverse[1][1] = v.g[0][0] / det;
  return v;
}

// A contact point at (x1, x2) of A's face and (y1, y2) of B's.
static void put(manifold *p, double x1, double x2, double y1, double y2, uint32_t feature)
{
  const faces *v = &p->faces;
  double a[3], y[3];
  a[v->a] = v->plane;
  a[v->a1] = clamped(x1, -p->x->e[v->a1], p->x->e[v->a1]);
  a[v->a2] = clamped(x2, -p->x->e[v->a2], p->x->e[v->a2]);
  y[v->b] = signed_half(p->x->f[v->b], v->bits_b, v->b);
  y[v->b1] = clamped(y1, -p->x->f[v->b1], p->x->f[v->b1]);
  y[v->b2] = clamped(y2, -p->x->f[v->b2], p->x->f[v->b2]);
  const srs_touch touch = touch_between(vec3_load(a), point_b(p->x, y), v->n, feature);
  if (!(touch.gap <= p->x->margin) || p->n == CANDIDATES) return;
  for (int i = 0; i < p->n; i++) {
    if (norm3(sub3(p->touches[i].a, touch.a)) <= SAME * p->x->size) return;
  }
  p->touches[p->n++] = touch;
}

static uint32_t bits_of(uint32_t face, int axis1, bool high1, int axis2, bool high2)
{
  return face | (high1 ? 1U << axis1 : 0) | (high2 ? 1U << axis2 : 0);
}

static void put_corners(manifold *p)
{
  const faces *v = &p->faces;
  const double e1 = p->x->e[v->a1], e2 = p->x->e[v->a2], f1 = p->x->f[v->b1], f2 = p->x->f[v->b2];
  const double same = SAME * p->x->size;
  for (int k = 0; k < 4; k++) {
    const bool high1 = k & 1, high2 = k & 2;
    const double x1 = high1 ? e1 : -e1, x2 = high2 ? e2 : -e2;
    const double d1 = x1 - v->x0[0], d2 = x2 - v->x0[1];
    const double y1 = v->inverse[0][0] * d1 + v->inverse[0][1] * d2;
    const double y2 = v->inverse[1][0] * d1 + v->inverse[1][1] * d2;
    if (fabs(y1) <= f1 + same && fabs(y2) <= f2 + same)
      put(p, x1, x2, y1, y2, bits_of(v->bits_a, v->a1, high1, v->a2, high2));
  }
  for (int k = 0; k < 4; k++) {
    const bool high1 = k & 1, high2 = k & 2;
    const double y1 = high1 ? f1 : -f1, y2 = high2 ? f2 : -f2;
    const double x1 = v->x0[0] + v->g[0][0] * y1 + v->g[0][1] * y2;
    const double x2 = v->x0[1] + v->g[1][0] * y1 + v->g[1][1] * y2;
    if (fabs(x1) <= e1 + same && fabs(x2) <= e2 + same)
      put(p, x1, x2, y1, y2, CORNERS_B + bits_of(v->bits_b, v->b1, high1, v->b2, high2));
  }
}

// Where B's edge y_j = +-f_j crosses A's edge x_k = +-e_k, each with its ends clear on both sides of the other.
static void put_crossing(manifold *p, int j, bool high_b, int k, bool high_a)
{
  const faces *v = &p->faces;
  const double e[2] = {p->x->e[v->a1], p->x->e[v->a2]}, f[2] = {p->x->f[v->b1], p->x->f[v->b2]};
  const double same = SAME * p->x->size;
  const int i = 1 - j, m = 1 - k; // B's edge runs along y_i, A's along x_m
  const double line_a = high_a ? e[k] : -e[k], line_b = high_b ? f[j] : -f[j];
  const double start = v->x0[k] + v->g[k][j] * line_b - line_a, run = v->g[k][i] * f[i];
  if (fabs(run) - fabs(start) <= same) return;
  const double y_i = -start / v->g[k][i];
  const double x_m = v->x0[m] + v->g[m][j] * line_b + v->g[m][i] * y_i;
  // A's ends, seen by B.
  const double from = v->inverse[j][k] * (line_a - v->x0[k]) - v->inverse[j][m] * v->x0[m] - line_b;
  if (fabs(v->inverse[j][m]) * e[m] - fabs(from) <= same) return;
  const int axes_a[2] = {v->a1, v->a2}, axes_b[2] = {v->b1, v->b2};
  const uint32_t bits_a = v->bits_a | (high_a ? 1U << axes_a[k] : 0),
                 bits_b = v->bits_b | (high_b ? 1U << axes_b[j] : 0);
  const uint32_t name = CROSSINGS + 12 * edge_name(axes_a[m], bits_a) + edge_name(axes_b[i], bits_b);
  const double at_x[2] = {k == 0 ? line_a : x_m, k == 0 ? x_m : line_a};
  const double at_y[2] = {j == 0 ? line_b : y_i, j == 0 ? y_i : line_b};
  put(p, at_x[0], at_x[1], at_y[0], at_y[1], name);
}

static void find_manifold(manifold *p, const double n[3])
{
  p->n = 0;
  p->faces = faces_along(p->x, n);
  put_corners(p);
  for (int k = 0; k < 16; k++) put_crossing(p, k & 1, k & 2, k >> 2 & 1, k >> 3 & 1);
}

static double deepest_gap(const manifold *p)
{
  double gap = INFINITY;
  for (int i = 0; i < p->n; i++) gap = fmin(gap, p->touches[i].gap);
  return gap;
}

// Are two of the manifold's points as near as d?
static bool reaches(const manifold *p, double d)
{
  for (int i = 0; i < p->n; i++) {
    if (norm3(sub3(p->touches[i].a, p->touches[i].b)) <= d) return true;
  }
  return false;
}

// The points of a separating direction: where the two edges cross, or the corner that faces a face and the point of the
// face below it.
static points points_along(const boxes *x, const apart *best)
{
  const uint32_t bits_a = support_a(best->n), bits_b = support_b(x, best->n);
  points at = {.distance = INFINITY};
  if (best->edge_a >= 0) {
    nearest_edges_of(x, best->edge_a, bits_a, best->edge_b, bits_b, &at);
  } else if (best->face < 3) {
    double q[3];
    const vec3 b = corner_b(x, bits_b);
    vec3_store(q, b);
    for (int i = 0; i < 3; i++)
      q[i] = i == best->face ? signed_half(x->e[i], bits_a, i) : clamped(q[i], -x->e[i], x->e[i]);
    set_points(&at, vec3_load(q), b, best->separation, CORNERS_B + bits_b);
  } else {
    double y[3];
    const vec3 a = corner_a(x, bits_a), from_c = sub3(a, vec3_load(x->c));
    for (int j = 0; j < 3; j++)
      y[j] = j == best->face - 3 ? signed_half(x->f[j], bits_b, j)
                                 : clamped(dot3(from_c, vec3_load(x->r[j])), -x->f[j], x->f[j]);
    set_points(&at, a, point_b(x, y), best->separation, bits_a);
  }
  memcpy(at.n, best->n, sizeof at.n);
  return at;
}

static void put_nearest(manifold *p, const points *near)
{
  srs_touch touch = touch_between(near->a, near->b, vec3_load(near->n), near->feature);
  if (!(touch.gap <= p->x->margin)) return;
  if (deepest_gap(p) <= touch.gap + ROUNDING * p->x->size) return;
  for (int i = 0; i < p->n; i++) {
    if (p->touches[i].feature != touch.feature) continue;
    p->touches[i] = touch;
    return;
  }
  p->touches[p->n++] = touch;
}

int srs_pair_box_box(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                     srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  const boxes x = boxes_of(a, b, margin);
  apart best;
  if (!separate_faces(&x, &best) || !separate_edges(&x, &best)) return 0;
  manifold p;
  p.x = &x;
  find_manifold(&p, best.n);
  const double rounding = ROUNDING / 5 * x.size;
  if (best.separation > rounding && !reaches(&p, best.separation + rounding)) {
    points near = {.distance = INFINITY};
    nearest_corners(&x, &near);
    nearest_edges(&x, &best, &near);
    if (near.distance > margin) return 0;
    if (near.distance > best.separation + rounding)
      find_manifold(&p, near.n);
    else
      memcpy(near.n, best.n, sizeof near.n); // free of rounding
    put_nearest(&p, &near);
  } else if (best.separation <= rounding && deepest_gap(&p) > best.separation + rounding) {
    const points near = points_along(&x, &best);
    put_nearest(&p, &near);
  }
  const int n = srs_manifold_reduce(p.touches, p.n);
  for (int i = 0; i < n; i++) {
    const srs_touch *t = &p.touches[i];
    touches[i] =
        (srs_touch){srs_to_world(a, t->a), srs_to_world(a, t->b), rotate(a->axes, t->normal), t->gap, t->feature};
  }
  return n;
}
