// Along which normal are two cores nearest? An optimum to rounding from a normal nearby.
//
// C is the set of all b - a. F(n) = max over C of w . n is its support function, and the signed distance is -min F over
// unit n; F is the largest of a few smooth pieces F_k, one for each pair of pieces of the cores (core.h), with gradient
// w_k = b_k - a_k and curvature H_k. At an optimum with value s there are weights, sum 1, none negative:
//
//   sum weight_k w_k = s n,   F_k(n) = s for each k with a weight,   F_k(n) <= s for all others           (1)
//
// Which pieces have weight is found by GJK, which needs C apart from the origin. Where C holds the origin or nearly
// touches it, GJK is asked about C - t n0 with a t that sets them apart: if n0 is an optimum of F it is one of this
// too, and if it is not, the answer is nearer to it (by t / (t + curvature - s) on smooth parts, at once on corners).
// Then (1) is solved with the pieces found (settle.c). Every value that is returned is F at the normal that is
// returned.

#include "collision/gjk/polish.h"

enum { MOST_SUPPORTS = 48 };

// ---------------------------------------------------------------------------------------------------------------------
// The nearest point of a simplex to the origin, as weights

static vec3 nearest_on_segment(vec3 p, vec3 q, double weight[2])
{
  const vec3 d = sub3(q, p);
  const double along = -dot3(p, d), length = dot3(d, d);
  double t = along <= 0 ? 0 : 1;
  if (along > 0 && along < length) t = along / length;
  weight[0] = 1 - t, weight[1] = t;
  return add_scaled3(p, t, d);
}

// Inside the triangle the weights are the areas that the origin's projection cuts; outside it is on an edge.
static vec3 nearest_on_triangle(const vec3 p[3], double weight[3])
{
  const vec3 u = sub3(p[1], p[0]), v = sub3(p[2], p[0]), normal = cross3(u, v);
  const double area = dot3(normal, normal);
  double part[3];
  for (int i = 0; i < 3; i++) part[i] = dot3(cross3(p[(i + 1) % 3], p[(i + 2) % 3]), normal);
  if (area > 0 && part[0] >= 0 && part[1] >= 0 && part[2] >= 0) {
    const double sum = part[0] + part[1] + part[2];
    for (int i = 0; i < 3; i++) weight[i] = part[i] / sum;
    return scale3(dot3(p[0], normal) / area, normal);
  }
  vec3 best = vec3_zero;
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    double pair[2];
    const vec3 at = nearest_on_segment(p[i], p[(i + 1) % 3], pair);
    if (dot3(at, at) >= least) continue;
    least = dot3(at, at), best = at;
    weight[i] = pair[0], weight[(i + 1) % 3] = pair[1], weight[(i + 2) % 3] = 0;
  }
  return best;
}

// Is the origin on the inner corner's side of a b c, and not beyond that corner? (That it cannot be when it is inside;
// a flat tetrahedron holds nothing.)
static bool is_within(vec3 a, vec3 b, vec3 c, vec3 inner)
{
  const vec3 normal = cross3(sub3(b, a), sub3(c, a));
  const double side = dot3(normal, a), all = dot3(normal, sub3(a, inner));
  return side * all > 0 && fabs(side) <= fabs(all);
}

// Of the four triangles the nearest; false when the origin is inside.
static bool nearest_on_tetrahedron(const vec3 p[4], double weight[4], vec3 *nearest)
{
  double least = INFINITY;
  bool is_inside = true;
  for (int skip = 0; skip < 4; skip++) {
    const int i = (skip + 1) % 4, j = (skip + 2) % 4, k = (skip + 3) % 4;
    if (is_within(p[i], p[j], p[k], p[skip])) continue;
    is_inside = false;
    double part[3];
    const vec3 at = nearest_on_triangle((vec3[3]){p[i], p[j], p[k]}, part);
    if (dot3(at, at) >= least) continue;
    least = dot3(at, at), *nearest = at;
    weight[skip] = 0, weight[i] = part[0], weight[j] = part[1], weight[k] = part[2];
  }
  return !is_inside;
}

bool srs_reduce(srs_simplex *s, vec3 shift, vec3 *nearest)
{
  vec3 p[4];
  for (int i = 0; i < s->n; i++) p[i] = sub3(s->at[i].w, shift);
  switch (s->n) {
  case 1: s->weight[0] = 1, *nearest = p[0]; break;
  case 2: *nearest = nearest_on_segment(p[0], p[1], s->weight); break;
  case 3: *nearest = nearest_on_triangle(p, s->weight); break;
  default:
    if (!nearest_on_tetrahedron(p, s->weight, nearest)) return false;
  }
  int kept = 0;
  for (int i = 0; i < s->n; i++) {
    if (!(s->weight[i] > 0)) continue;
    if (kept < i) s->at[kept] = s->at[i], s->weight[kept] = s->weight[i];
    kept++;
  }
  s->n = kept;
  return true;
}
// ---------------------------------------------------------------------------------------------------------------------
// GJK

static bool has(const srs_simplex *s, const srs_vertex *v)
{
  for (int i = 0; i < s->n; i++)
    if (s->at[i].w.x == v->w.x && s->at[i].w.y == v->w.y && s->at[i].w.z == v->w.z) return true;
  return false;
}

// Supports at n and a little aside of it: the corners of a face that n is the normal of.
static void begin(const srs_search *q, vec3 n, srs_simplex *s)
{
  vec3 x, y;
  srs_axes_across(n, &x, &y);
  const double aside = 1e-5, c = -0.5 * aside, t = 0.8660254037844386 * aside;
  const vec3 start[4] = {n, add_scaled3(n, aside, x), add_scaled3(add_scaled3(n, c, x), t, y),
                         add_scaled3(add_scaled3(n, c, x), -t, y)};
  s->n = 0;
  for (int i = 0; i < 4; i++) {
    const srs_vertex v = srs_support(q, start[i]);
    if (!has(s, &v)) s->at[s->n] = v, s->weight[s->n++] = 1;
  }
}

// When (1) is tried: never; once C - shift is seen to be apart from the origin along pieces that came before; at once
// too, where the start may be good, and whenever pieces came before.
typedef enum trying { NEVER, WHEN_APART, AT_ONCE } trying;

// The normal nearest to the origin of C - shift, as far as supports go; true once (1) is solved on the way.
static bool descend(const srs_search *q, vec3 shift, trying when, srs_simplex *s, vec3 *normal, bool *is_apart)
{
  *is_apart = true;
  for (int i = 0; i < MOST_SUPPORTS; i++) {
    vec3 v = vec3_zero;
    *is_apart = srs_reduce(s, shift, &v);
    const double length = *is_apart ? norm3(v) : 0;
    *is_apart = length > 1e-15 * q->scale;
    if (!*is_apart) return false;
    *normal = scale3(-1 / length, v);
    if (when == AT_ONCE && i == 0 && (srs_polish_on_cap(q, *normal) || srs_polish(q, s, *normal)))
      return true; // the start was good
    const srs_vertex next = srs_support(q, *normal);
    const double bound = -dot3(sub3(next.w, shift), *normal); // no point of C - shift is nearer than this
    if (-dot3(next.w, *normal) > q->far) return srs_offer(q, *normal, dot3(next.w, *normal), s, 0, true);
    if (length - bound <= 1e-14 * q->scale || has(s, &next)) return false;
    if (when != NEVER && (when == AT_ONCE || bound > 0.6 * length || length < 3e-3 * q->scale) &&
        srs_has_pieces(s, &next) && (srs_polish_on_cap(q, *normal) || srs_polish(q, s, *normal)))
      return true;
    s->at[s->n] = next, s->weight[s->n++] = 0;
  }
  return false;
}

// The simplex' nearest point is no farther than the normal tells C from the origin: nothing between is left open.
static bool is_tight(const srs_search *q, const srs_simplex *s, double f)
{
  vec3 v = vec3_zero;
  for (int i = 0; i < s->n; i++) v = add_scaled3(v, s->weight[i], s->at[i].w);
  return norm3(v) + f <= 2e-14 * q->scale;
}

void srs_refine(const srs_core *a, const srs_core *b, vec3 start, double scale, int rounds, srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, INFINITY};
  const double tiny = 1e-15 * scale;
  srs_simplex s;
  const srs_vertex at_start = srs_support(&q, start);
  srs_simplex_start(&s, &at_start);
  vec3 n = start;
  double f = dot3(s.at[0].w, n);
  optimum->gap = -INFINITY;
  srs_offer(&q, n, f, &s, 0, false);
  for (int round = 0; round < rounds; round++) {
    const double shift = fmax(0, f + 0.05 * scale);
    bool is_apart;
    vec3 found = n;
    begin(&q, n, &s);
    if (descend(&q, scale3(shift, n), AT_ONCE, &s, &found, &is_apart) || !is_apart || srs_polish(&q, &s, found)) break;
    const double lower = dot3(srs_support(&q, found).w, found), moved = norm3(sub3(found, n));
    srs_offer(&q, found, lower, &s, 0, shift == 0 && is_tight(&q, &s, lower));
    if (shift == 0 || lower > f + tiny || (lower > f - tiny && moved < 1e-12)) break;
    n = found, f = lower;
  }
}

static bool has_few_pieces(const srs_core *core)
{
  return core->kind == SRS_SHAPE_SPHERE || core->kind == SRS_SHAPE_CAPSULE;
}

void srs_near(const srs_core *a, const srs_core *b, vec3 start, double scale, double far, srs_simplex *simplex,
              srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, far + 1e-12 * scale};
  const srs_vertex at_start = srs_support(&q, start);
  srs_simplex_start(simplex, &at_start);
  const bool few = has_few_pieces(a) || has_few_pieces(b);
  vec3 n = start;
  bool is_apart;
  optimum->gap = -INFINITY;
  const double first = dot3(simplex->at[0].w, n);
  srs_offer(&q, n, first, simplex, 0, -first > q.far);
  if (optimum->is_proven || descend(&q, vec3_zero, few ? AT_ONCE : WHEN_APART, simplex, &n, &is_apart) || !is_apart ||
      srs_polish(&q, simplex, n))
    return;
  const double f = dot3(srs_support(&q, n).w, n);
  srs_offer(&q, n, f, simplex, 0, is_tight(&q, simplex, f));
}

void srs_part(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, INFINITY};
  srs_simplex s;
  vec3 n = optimum->normal;
  bool is_apart;
  begin(&q, n, &s);
  if (descend(&q, vec3_zero, AT_ONCE, &s, &n, &is_apart) || !is_apart || srs_polish(&q, &s, n)) return;
  const double f = dot3(srs_support(&q, n).w, n);
  srs_offer(&q, n, f, &s, 0, is_tight(&q, &s, f));
}

void srs_points(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, INFINITY};
  const double shift = 1e-7 * scale - optimum->gap;
  srs_simplex s;
  vec3 n = optimum->normal;
  bool is_apart;
  begin(&q, n, &s);
  descend(&q, scale3(shift, n), NEVER, &s, &n, &is_apart);
  if (!is_apart) return;
  optimum->a = optimum->b = vec3_zero;
  for (int i = 0; i < s.n; i++) {
    optimum->a = add_scaled3(optimum->a, s.weight[i], s.at[i].a);
    optimum->b = add_scaled3(optimum->b, s.weight[i], s.at[i].b);
  }
}
