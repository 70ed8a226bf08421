// Which way out of an overlap is the shortest of all? srs_refine() finds one that no way nearby beats; here those that
// are far from it are ruled out, or found.
//
// The cores overlap where C (refine.c) holds the origin, and the depth is the distance from there to the surface of C.
// A polytope of points of C, grown as EPA does, bounds it from below by its nearest face; F at any normal bounds it
// from above. The nearest face is pushed out to the support along its normal until no face is nearer than the best F,
// less a tolerance. A normal that promises to beat the best is refined. The point of C that a refined optimum touches
// becomes a corner: then the faces about it, which meet at that depth, fall short by no more than depth * tilt^2 / 2,
// and round solids need few of them.

#include "collision/refine.h"

enum { MOST_CORNERS = 120, MOST_FACES = 2 * MOST_CORNERS, MOST_EDGES = 3 * MOST_FACES };

typedef struct face {
  vec3 normal; // unit, outward
  double offset;
  int corner[3]; // counter-clockwise from outside
} face;

typedef struct polytope {
  vec3 corners[MOST_CORNERS];
  face faces[MOST_FACES];
  int n_corners, n_faces;
  double tiny; // m
} polytope;

static vec3 support_point(const srs_core *a, const srs_core *b, vec3 n)
{
  const srs_core_point on_a = core_support_local(a, scale3(-1, n));
  const srs_core_point on_b = core_support_local(b, rotate_back(b->axes, n));
  return sub3(add3(b->origin, rotate(b->axes, on_b.at)), on_a.at);
}

static bool add_face(polytope *p, int i, int j, int k)
{
  if (p->n_faces == MOST_FACES) return false;
  const vec3 a = p->corners[i], normal = cross3(sub3(p->corners[j], a), sub3(p->corners[k], a));
  const double length = norm3(normal);
  if (!(length > 0)) return false;
  const vec3 unit = scale3(1 / length, normal);
  p->faces[p->n_faces++] = (face){unit, dot3(unit, a), {i, j, k}};
  return true;
}

// Takes the point in: the faces that see it go, and their rim is joined to it. False when there is no room, or rounding
// has spoilt the shape.
static bool take_in(polytope *p, vec3 point)
{
  int edges[MOST_EDGES][2], n_edges = 0;
  for (int f = 0; f < p->n_faces;) {
    const face *seen = &p->faces[f];
    if (dot3(seen->normal, point) - seen->offset <= p->tiny) {
      f++;
      continue;
    }
    for (int i = 0; i < 3; i++) {
      const int from = seen->corner[i], to = seen->corner[(i + 1) % 3];
      int twin = 0;
      while (twin < n_edges && (edges[twin][0] != to || edges[twin][1] != from)) twin++;
      if (twin < n_edges) {
        n_edges--;
        edges[twin][0] = edges[n_edges][0], edges[twin][1] = edges[n_edges][1];
      } else {
        edges[n_edges][0] = from, edges[n_edges][1] = to, n_edges++;
      }
    }
    p->faces[f] = p->faces[--p->n_faces];
  }
  if (n_edges == 0) return true;
  if (p->n_corners == MOST_CORNERS) return false;
  p->corners[p->n_corners] = point;
  for (int e = 0; e < n_edges; e++)
    if (!add_face(p, edges[e][0], edges[e][1], p->n_corners)) return false;
  p->n_corners++;
  return true;
}

// Of the supports along d and -d the one that lies farther from a plane through `from` across d.
static vec3 farther(const srs_core *a, const srs_core *b, vec3 from, vec3 d)
{
  const vec3 one = support_point(a, b, d), other = support_point(a, b, scale3(-1, d));
  return fabs(dot3(d, sub3(other, from))) > fabs(dot3(d, sub3(one, from))) ? other : one;
}

// Four points of C that span a volume. Where C has none, as for the cores of two capsules that cross: false, and in
// `flat` a normal along which C has no width.
static bool begin(polytope *p, const srs_core *a, const srs_core *b, vec3 n, vec3 *flat)
{
  vec3 *c = p->corners;
  *flat = n;
  c[0] = support_point(a, b, n);
  c[1] = support_point(a, b, scale3(-1, n));
  const vec3 line = sub3(c[1], c[0]);
  if (!(norm3(line) > p->tiny)) return false;
  vec3 d = cross3(line, fabs(line.x) < fabs(line.y) ? (vec3){1, 0, 0} : (vec3){0, 1, 0});
  *flat = d = scale3(1 / norm3(d), d);
  c[2] = farther(a, b, c[0], d);
  if (!(fabs(dot3(d, sub3(c[2], c[0]))) > p->tiny)) return false;
  d = cross3(line, sub3(c[2], c[0]));
  *flat = d = scale3(1 / norm3(d), d);
  c[3] = farther(a, b, c[0], d);
  const double width = dot3(d, sub3(c[3], c[0]));
  if (!(fabs(width) > p->tiny)) return false;
  const int u = width > 0 ? 2 : 1, v = width > 0 ? 1 : 2; // the first face looks away from corner 3
  p->n_corners = 4, p->n_faces = 0;
  return add_face(p, 0, u, v) && add_face(p, 0, v, 3) && add_face(p, v, u, 3) && add_face(p, u, 0, 3);
}

static const face *nearest_face(const polytope *p)
{
  const face *nearest = &p->faces[0];
  for (int f = 1; f < p->n_faces; f++)
    if (p->faces[f].offset < nearest->offset) nearest = &p->faces[f];
  return nearest;
}

// Refines from a normal and keeps what is better, or as good and proven.
static void try_from(const srs_core *a, const srs_core *b, vec3 normal, double scale, srs_pair_optimum *optimum)
{
  srs_pair_optimum other;
  srs_refine(a, b, normal, scale, 3, &other);
  if (other.gap > optimum->gap || (other.is_proven && other.gap > optimum->gap - 1e-15 * scale)) *optimum = other;
}

void srs_expand(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum)
{
  polytope p;
  vec3 flat;
  p.tiny = 1e-13 * scale;
  if (!begin(&p, a, b, optimum->normal, &flat)) {
    try_from(a, b, flat, scale, optimum);
    try_from(a, b, scale3(-1, flat), scale, optimum);
    return;
  }
  bool grows = take_in(&p, sub3(optimum->b, optimum->a));
  while (grows && p.n_faces > 0) {
    const face *f = nearest_face(&p);
    const vec3 normal = f->normal, point = support_point(a, b, normal);
    const double reached = f->offset, depth = dot3(point, normal);
    if (reached >= -optimum->gap - 1e-8 * scale) {
      if (!optimum->is_proven) try_from(a, b, normal, scale, optimum);
      return;
    }
    if (depth < -optimum->gap - p.tiny && depth - reached <= fmax(0.2 * depth, p.tiny)) {
      try_from(a, b, normal, scale, optimum);
      grows = take_in(&p, sub3(optimum->b, optimum->a));
    }
    if (depth - reached <= p.tiny) return;
    grows = grows && take_in(&p, point);
  }
}
