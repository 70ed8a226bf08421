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
// Then Newton's method solves (1) with the pieces found, in the plane across n:
//
//   K d + sum weight_k w_k = 0,   (w_k - w_1) . d = F_1 - F_k,   K = sum weight_k H_k - s
//
// and (1) is checked with F itself. Every value that is returned is F at the normal that is returned.

#include "collision/refine.h"

enum { MOST_SUPPORTS = 48, MOST_NEWTON = 12 };

typedef struct vertex {
  vec3 w, a, b; // w = b - a
  int piece_a, piece_b;
} vertex;

typedef struct simplex {
  vertex at[4];
  double weight[4];
  int n;
} simplex;

typedef struct search {
  const srs_core *a, *b;
  double scale;
  srs_pair_optimum *best; // the lowest F so far
} search;

// ---------------------------------------------------------------------------------------------------------------------
// Supports

static vertex support(const search *q, vec3 n)
{
  const srs_core_point a = core_support_local(q->a, scale3(-1, n));
  const srs_core_point b = core_support_local(q->b, rotate_back(q->b->axes, n));
  const vec3 at_b = add3(q->b->origin, rotate(q->b->axes, b.at));
  return (vertex){sub3(at_b, a.at), a.at, at_b, a.piece, b.piece};
}

// Takes a normal with its F and the points that meet there, unless a better one is known. Of equals the later one: its
// points are the better ones.
static bool offer(const search *q, vec3 n, double f, const simplex *s, bool is_proven)
{
  srs_pair_optimum *best = q->best;
  if (-f < best->gap - 1e-15 * q->scale) return false;
  *best = (srs_pair_optimum){n, vec3_zero, vec3_zero, -f, s->at[0].piece_a, s->at[0].piece_b, is_proven};
  double most = 0;
  for (int i = 0; i < s->n; i++) {
    best->a = add_scaled3(best->a, s->weight[i], s->at[i].a);
    best->b = add_scaled3(best->b, s->weight[i], s->at[i].b);
    if (s->weight[i] > most) most = s->weight[i], best->piece_a = s->at[i].piece_a, best->piece_b = s->at[i].piece_b;
  }
  return is_proven;
}

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

// Finds the nearest point of the simplex, moved by -shift, and drops the vertices without weight.
static bool reduce(simplex *s, vec3 shift, vec3 *nearest)
{
  vec3 p[4] = {vec3_zero};
  for (int i = 0; i < s->n; i++) p[i] = sub3(s->at[i].w, shift);
  switch (s->n) {
  case 1: s->weight[0] = 1, *nearest = p[0]; break;
  case 2: *nearest = nearest_on_segment(p[0], p[1], s->weight); break;
  case 3: *nearest = nearest_on_triangle(p, s->weight); break;
  default:
    if (!nearest_on_tetrahedron(p, s->weight, nearest)) return false;
  }
  int kept = 0;
  for (int i = 0; i < s->n; i++)
    if (s->weight[i] > 0) s->at[kept] = s->at[i], s->weight[kept++] = s->weight[i];
  s->n = kept;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Newton's method on (1)

typedef struct vec2 {
  double x, y;
} vec2;
typedef struct sym2 {
  double xx, yy, xy;
} sym2;

static inline double dot2(vec2 a, vec2 b) { return a.x * b.x + a.y * b.y; }
static inline vec2 sub2(vec2 a, vec2 b) { return (vec2){a.x - b.x, a.y - b.y}; }
static inline double det2(vec2 a, vec2 b) { return a.x * b.y - a.y * b.x; }
static inline vec2 times2(sym2 k, vec2 a) { return (vec2){k.xx * a.x + k.xy * a.y, k.xy * a.x + k.yy * a.y}; }

// Two axes across a unit normal.
static void across(vec3 n, vec3 *x, vec3 *y)
{
  const vec3 least = fabs(n.x) < fabs(n.y) ? (fabs(n.x) < fabs(n.z) ? (vec3){1, 0, 0} : (vec3){0, 0, 1})
                                           : (fabs(n.y) < fabs(n.z) ? (vec3){0, 1, 0} : (vec3){0, 0, 1});
  const vec3 c = cross3(n, least);
  *x = scale3(1 / norm3(c), c);
  *y = cross3(n, *x);
}

// The pieces that take part, at one normal.
typedef struct active {
  simplex s;     // one vertex and weight for each pair of pieces
  double f[3];   // F_k
  vec2 slope[3]; // w_k across n
  sym2 bend[3];  // H_k
  vec3 x, y;     // the axes across n
} active;

static void add_bend(sym2 *bend, double curvature, vec3 along, const active *p)
{
  const vec2 t = {dot3(along, p->x), dot3(along, p->y)};
  bend->xx += curvature * t.x * t.x, bend->yy += curvature * t.y * t.y, bend->xy += curvature * t.x * t.y;
}

static void evaluate(const search *q, vec3 n, active *p)
{
  across(n, &p->x, &p->y);
  for (int k = 0; k < p->s.n; k++) {
    vertex *v = &p->s.at[k];
    double curvature;
    vec3 along;
    p->bend[k] = (sym2){0, 0, 0};
    v->a = core_piece_local(q->a, v->piece_a, scale3(-1, n), &curvature, &along);
    if (curvature > 0) add_bend(&p->bend[k], curvature, along, p);
    const vec3 b = core_piece_local(q->b, v->piece_b, rotate_back(q->b->axes, n), &curvature, &along);
    if (curvature > 0) add_bend(&p->bend[k], curvature, rotate(q->b->axes, along), p);
    v->b = add3(q->b->origin, rotate(q->b->axes, b));
    v->w = sub3(v->b, v->a);
    p->f[k] = dot3(v->w, n);
    p->slope[k] = (vec2){dot3(v->w, p->x), dot3(v->w, p->y)};
  }
}

static sym2 stiffness_of(const active *p)
{
  sym2 k = {0, 0, 0};
  for (int i = 0; i < p->s.n; i++) {
    const double c = p->s.weight[i];
    k.xx += c * (p->bend[i].xx - p->f[i]), k.yy += c * (p->bend[i].yy - p->f[i]), k.xy += c * p->bend[i].xy;
  }
  return k;
}

// Steps d, and the weights that go with them; false where (1) is singular or no minimum. Cores that overlap barely, if
// at all, along a normal where K shows no minimum are taken to be apart: there -s is |w| at the optimum, and is put so
// here.
static bool step_with_one(active *p, double barely, vec2 *d)
{
  const double f = p->f[0];
  const vec2 w = p->slope[0];
  p->s.weight[0] = 1;
  sym2 k = stiffness_of(p);
  double det = k.xx * k.yy - k.xy * k.xy;
  if (!(k.xx + k.yy > 0 && det > 0)) {
    if (f > barely) return false;
    const double away = f + sqrt(f * f + dot2(w, w));
    k.xx += away, k.yy += away;
    det = k.xx * k.yy - k.xy * k.xy;
    if (!(det > 0)) return false;
  }
  *d = (vec2){(k.xy * w.y - k.yy * w.x) / det, (k.xy * w.x - k.xx * w.y) / det};
  return true;
}

static bool step_with_two(active *p, double tiny, double barely, vec2 *d)
{
  const double f = p->f[0];
  const vec2 w = p->slope[0], u = sub2(p->slope[1], w);
  double *weight = p->s.weight;
  const double length = sqrt(dot2(u, u));
  if (length < tiny) return false;
  const vec2 e = {u.x / length, u.y / length}, t = {-e.y, e.x};
  weight[1] = fmin(fmax(-dot2(e, w) / length, 0), 1), weight[0] = 1 - weight[1];
  const sym2 k = stiffness_of(p);
  const double out = (f - p->f[1]) / length, aside = dot2(t, w);
  double stiffness = dot2(t, times2(k, t));
  if (!(stiffness > 0) && f < barely) stiffness += f + sqrt(f * f + aside * aside);
  if (!(stiffness > -barely)) return false;
  // About an axis the depth may be nearly the same all around: downhill then, but not far.
  const double push = -(aside + out * dot2(t, times2(k, e))), most = 0.1;
  const double slide = fabs(push) < most * stiffness ? push / stiffness : copysign(most, push);
  *d = (vec2){out * e.x + slide * t.x, out * e.y + slide * t.y};
  weight[1] = -(dot2(e, w) + dot2(e, times2(k, *d))) / length;
  weight[0] = 1 - weight[1];
  return true;
}

static bool step_with_three(active *p, double tiny, vec2 *d)
{
  const vec2 w = p->slope[0], u = sub2(p->slope[1], w), v = sub2(p->slope[2], w);
  const double det = det2(u, v), fu = p->f[0] - p->f[1], fv = p->f[0] - p->f[2];
  if (fabs(det) < tiny * sqrt(fmax(dot2(u, u), dot2(v, v)))) return false;
  *d = (vec2){(fu * v.y - fv * u.y) / det, (fv * u.x - fu * v.x) / det};
  double *weight = p->s.weight;
  const vec2 kd = times2(stiffness_of(p), *d), rest = {-w.x - kd.x, -w.y - kd.y};
  weight[1] = det2(rest, v) / det, weight[2] = det2(u, rest) / det;
  weight[0] = 1 - weight[1] - weight[2];
  return true;
}

static bool newton_step(const search *q, active *p, vec2 *d)
{
  const double tiny = 1e-9 * q->scale, barely = 0.01 * q->scale;
  switch (p->s.n) {
  case 1: return step_with_one(p, barely, d);
  case 2: return step_with_two(p, tiny, barely, d);
  default: return step_with_three(p, tiny, d);
  }
}

// Does (1) hold to rounding already? Where the cores barely touch, rounding alone keeps the steps from getting smaller.
static bool is_exact(const search *q, const active *p)
{
  vec2 rest = {0, 0};
  double apart = 0;
  for (int k = 0; k < p->s.n; k++) {
    rest.x += p->s.weight[k] * p->slope[k].x, rest.y += p->s.weight[k] * p->slope[k].y;
    apart = fmax(apart, fabs(p->f[k] - p->f[0]));
  }
  const double tiny = 4e-16 * q->scale;
  return fabs(rest.x) + fabs(rest.y) <= tiny && apart <= tiny;
}

static bool newton(const search *q, active *p, vec3 *normal)
{
  vec3 n = *normal;
  for (int i = 0; i < MOST_NEWTON; i++) {
    vec2 d;
    evaluate(q, n, p);
    if (!newton_step(q, p, &d)) return false;
    const double length = sqrt(dot2(d, d));
    if (!(length < 2)) return false;
    if (length < 1e-3 && is_exact(q, p)) {
      *normal = n;
      return true;
    }
    const vec3 moved = add_scaled3(add_scaled3(n, d.x, p->x), d.y, p->y);
    n = scale3(1 / norm3(moved), moved);
    if (length > 1e-8) continue; // the error is squared with each step: after this one it is below rounding
    evaluate(q, n, p);
    *normal = n;
    return true;
  }
  return false;
}

// Solves (1) with the pieces of a simplex, dropping those whose weight turns negative, and offers what holds.
static bool settle(const search *q, const simplex *s, vec3 n)
{
  active p = {.s.n = 0};
  for (int i = 0; i < s->n; i++) {
    int k = 0;
    while (k < p.s.n && (p.s.at[k].piece_a != s->at[i].piece_a || p.s.at[k].piece_b != s->at[i].piece_b)) k++;
    if (k < p.s.n) {
      p.s.weight[k] += s->weight[i];
      continue;
    }
    if (k == 3) return false;
    p.s.at[k] = s->at[i], p.s.weight[k] = s->weight[i], p.s.n++;
  }
  while (p.s.n > 0) {
    vec3 found = n;
    if (!newton(q, &p, &found)) return false;
    int least = 0;
    for (int k = 1; k < p.s.n; k++)
      if (p.s.weight[k] < p.s.weight[least]) least = k;
    if (p.s.weight[least] < -1e-12) {
      p.s.n--, p.s.at[least] = p.s.at[p.s.n], p.s.weight[least] = p.s.weight[p.s.n];
      continue;
    }
    const double f = dot3(support(q, found).w, found);
    const bool holds = f <= p.f[0] + 1e-14 * q->scale;
    return offer(q, found, f, &p.s, holds);
  }
  return false;
}

// A cap of a cylinder or cone is a corner of F along its axis: the optimum when the other core's point lies over it.
static bool settle_on_cap(const search *q, vec3 n)
{
  for (int i = 0; i < 2; i++) {
    const srs_core *core = i ? q->b : q->a;
    if (!core_is_round(core)) continue;
    const double outward = i ? 1 : -1, along = outward * dot3(core->axes.z, n);
    if (fabs(along) < 0.98 || (core->kind == SRS_SHAPE_CONE && along > 0)) continue;
    const vec3 normal = scale3(along < 0 ? -outward : outward, core->axes.z);
    vertex v = support(q, normal);
    const vec3 over = rotate_back(core->axes, sub3(i ? v.a : v.b, core->origin));
    if (over.x * over.x + over.y * over.y > core->half.x * core->half.x) continue;
    const vec3 on_cap = {over.x, over.y, along < 0 ? -core->half.z : core->half.z};
    *(i ? &v.b : &v.a) = add3(core->origin, rotate(core->axes, on_cap));
    const simplex s = {.at = {v}, .weight = {1}, .n = 1};
    if (offer(q, normal, dot3(v.w, normal), &s, true)) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// GJK

static bool has(const simplex *s, const vertex *v)
{
  for (int i = 0; i < s->n; i++)
    if (s->at[i].w.x == v->w.x && s->at[i].w.y == v->w.y && s->at[i].w.z == v->w.z) return true;
  return false;
}

static bool has_pieces(const simplex *s, const vertex *v)
{
  for (int i = 0; i < s->n; i++)
    if (s->at[i].piece_a == v->piece_a && s->at[i].piece_b == v->piece_b) return true;
  return false;
}

// Supports at n and a little aside of it: the corners of a face that n is the normal of.
static void begin(const search *q, vec3 n, simplex *s)
{
  vec3 x, y;
  across(n, &x, &y);
  const double aside = 1e-5, c = -0.5 * aside, t = 0.8660254037844386 * aside;
  const vec3 start[4] = {n, add_scaled3(n, aside, x), add_scaled3(add_scaled3(n, c, x), t, y),
                         add_scaled3(add_scaled3(n, c, x), -t, y)};
  s->n = 0;
  for (int i = 0; i < 4; i++) {
    const vertex v = support(q, start[i]);
    if (!has(s, &v)) s->at[s->n] = v, s->weight[s->n++] = 1;
  }
}

// The normal nearest to the origin of C - shift, as far as supports go; true once (1) is solved on the way, if it may
// be.
static bool descend(const search *q, vec3 shift, bool may_settle, simplex *s, vec3 *normal, bool *is_apart)
{
  *is_apart = true;
  for (int i = 0; i < MOST_SUPPORTS; i++) {
    vec3 v = vec3_zero;
    *is_apart = reduce(s, shift, &v);
    const double length = *is_apart ? norm3(v) : 0;
    *is_apart = length > 1e-15 * q->scale;
    if (!*is_apart) return false;
    *normal = scale3(-1 / length, v);
    if (may_settle && i == 0 && (settle_on_cap(q, *normal) || settle(q, s, *normal))) return true; // the start was good
    const vertex next = support(q, *normal);
    const double bound = -dot3(sub3(next.w, shift), *normal); // no point of C - shift is nearer than this
    if (length - bound <= 1e-14 * q->scale || has(s, &next)) return false;
    if (may_settle && has_pieces(s, &next) && (settle_on_cap(q, *normal) || settle(q, s, *normal))) return true;
    s->at[s->n] = next, s->weight[s->n++] = 0;
  }
  return false;
}

// The simplex' nearest point is no farther than the normal tells C from the origin: nothing between is left open.
static bool is_tight(const search *q, const simplex *s, double f)
{
  vec3 v = vec3_zero;
  for (int i = 0; i < s->n; i++) v = add_scaled3(v, s->weight[i], s->at[i].w);
  return norm3(v) + f <= 2e-14 * q->scale;
}

void srs_refine(const srs_core *a, const srs_core *b, vec3 start, double scale, int rounds, srs_pair_optimum *optimum)
{
  const search q = {a, b, scale, optimum};
  const double tiny = 1e-15 * scale;
  simplex s = {.at = {support(&q, start)}, .weight = {1}, .n = 1};
  vec3 n = start;
  double f = dot3(s.at[0].w, n);
  optimum->gap = -INFINITY;
  offer(&q, n, f, &s, false);
  for (int round = 0; round < rounds; round++) {
    const double shift = fmax(0, f + 0.05 * scale);
    bool is_apart;
    vec3 found = n;
    begin(&q, n, &s);
    if (descend(&q, scale3(shift, n), true, &s, &found, &is_apart) || !is_apart || settle(&q, &s, found)) break;
    const double lower = dot3(support(&q, found).w, found), moved = norm3(sub3(found, n));
    offer(&q, found, lower, &s, shift == 0 && is_tight(&q, &s, lower));
    if (shift == 0 || lower > f + tiny || (lower > f - tiny && moved < 1e-12)) break;
    n = found, f = lower;
  }
}

void srs_part(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum)
{
  const search q = {a, b, scale, optimum};
  simplex s;
  vec3 n = optimum->normal;
  bool is_apart;
  begin(&q, n, &s);
  if (descend(&q, vec3_zero, true, &s, &n, &is_apart) || !is_apart || settle(&q, &s, n)) return;
  const double f = dot3(support(&q, n).w, n);
  offer(&q, n, f, &s, is_tight(&q, &s, f));
}

void srs_points(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum)
{
  const search q = {a, b, scale, optimum};
  const double shift = 1e-7 * scale - optimum->gap;
  simplex s;
  vec3 n = optimum->normal;
  bool is_apart;
  begin(&q, n, &s);
  descend(&q, scale3(shift, n), false, &s, &n, &is_apart);
  if (!is_apart) return;
  optimum->a = optimum->b = vec3_zero;
  for (int i = 0; i < s.n; i++) {
    optimum->a = add_scaled3(optimum->a, s.weight[i], s.at[i].a);
    optimum->b = add_scaled3(optimum->b, s.weight[i], s.at[i].b);
  }
}
