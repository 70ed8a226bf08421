// Newton's method for the normal of given pieces, and how far around it no normal is better.
//
// The conditions (1) and their symbols are those of refine.c. With w_k, F_k and H_k at a normal n, in the plane across
// n,
//
//   K d + sum weight_k w_k = 0,   (w_k - w_1) . d = F_1 - F_k,   K = sum weight_k H_k - s
//
// is solved for a step d and the weights; then (1) is checked with F itself. Every value that is offered is F at the
// normal that is offered.
//
// In an overlap, s > 0, the conditions hold at every way out that is the shortest nearby. How near is found from the
// pieces: F(n + t) >= max_k F_k(n + t) for t across n, and where that is >= s |n + t| no normal is better (cap_of).

#include "collision/gjk/polish.h"

enum { MOST_NEWTON = 12 };

bool srs_optimum_offer(const srs_search *q, vec3 n, double f, const srs_simplex *s, double cap, bool is_proven)
{
  srs_pair_optimum *best = q->best;
  if (-f < best->gap - 1e-15 * q->scale) return false;
  *best = (srs_pair_optimum){n, vec3_zero, vec3_zero, -f, cap, s->at[0].piece_a, s->at[0].piece_b, is_proven};
  double most = 0;
  for (int i = 0; i < s->n; i++) {
    best->a = add_scaled3(best->a, s->weight[i], s->at[i].a);
    best->b = add_scaled3(best->b, s->weight[i], s->at[i].b);
    if (s->weight[i] > most) most = s->weight[i], best->piece_a = s->at[i].piece_a, best->piece_b = s->at[i].piece_b;
  }
  return is_proven;
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

// The pieces that take part, at one normal.
typedef struct active {
  srs_simplex s; // one vertex and weight for each pair of pieces
  double f[3];   // F_k
  vec2 slope[3]; // w_k across n
  sym2 bend[3];  // H_k
  vec3 x, y;     // the axes across n
  double across; // of the rims that take part: the least part of n across their axes; see also cap_of
} active;

static void add_bend(sym2 *bend, double curvature, vec3 along, double radius, active *p)
{
  p->across = smaller(p->across, radius / curvature);
  const vec2 t = {dot3(along, p->x), dot3(along, p->y)};
  bend->xx += curvature * t.x * t.x, bend->yy += curvature * t.y * t.y, bend->xy += curvature * t.x * t.y;
}

// d: the normal, or its opposite, in the core's frame.
static void add_bend_of_ellipsoid(sym2 *bend, const srs_core *core, vec3 d, active *p)
{
  sym2 own;
  core_ellipsoid_bend(core->half, d, rotate_back(core->axes, p->x), rotate_back(core->axes, p->y), &own.xx, &own.yy,
                      &own.xy);
  bend->xx += own.xx, bend->yy += own.yy, bend->xy += own.xy;
  const double far = dot3(core_ellipsoid(core->half, d), d);
  p->across = fmin(p->across, 1.5 * far / fmax(core->half.x, fmax(core->half.y, core->half.z)));
}

static void evaluate(const srs_search *q, vec3 n, active *p)
{
  srs_axes_across(n, &p->x, &p->y);
  p->across = INFINITY;
  for (int k = 0; k < p->s.n; k++) {
    srs_vertex *v = &p->s.at[k];
    double curvature;
    vec3 along;
    p->bend[k] = (sym2){0, 0, 0};
    v->a = core_piece_local(q->a, v->piece_a, scale3(-1, n), &curvature, &along);
    if (curvature > 0) add_bend(&p->bend[k], curvature, along, q->a->half.x, p);
    if (q->a->kind == SRS_SHAPE_ELLIPSOID) add_bend_of_ellipsoid(&p->bend[k], q->a, n, p);
    const vec3 b = core_piece_local(q->b, v->piece_b, rotate_back(q->b->axes, n), &curvature, &along);
    if (curvature > 0) add_bend(&p->bend[k], curvature, rotate(q->b->axes, along), q->b->half.x, p);
    if (q->b->kind == SRS_SHAPE_ELLIPSOID) add_bend_of_ellipsoid(&p->bend[k], q->b, rotate_back(q->b->axes, n), p);
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
  weight[1] = smaller(larger(-dot2(e, w) / length, 0), 1), weight[0] = 1 - weight[1];
  const sym2 k = stiffness_of(p);
  const double out = (f - p->f[1]) / length, aside = dot2(t, w);
  double stiffness = dot2(t, times2(k, t));
  if (!(stiffness > 0) && f < barely) stiffness += f + sqrt(f * f + aside * aside);
  if (!(stiffness > -barely)) return false;
  // About an axis the depth may be nearly the same all around: downhill then, but not far.
  const double push = -(aside + out * dot2(t, times2(k, e))), most = 0.1;
  double slide = fabs(push) < most * stiffness ? push / stiffness : copysign(most, push);
  if (fabs(push) < 1e-6 * tiny) slide = 0; // all around it is the same
  *d = (vec2){out * e.x + slide * t.x, out * e.y + slide * t.y};
  weight[1] = -(dot2(e, w) + dot2(e, times2(k, *d))) / length;
  weight[0] = 1 - weight[1];
  return true;
}

static bool step_with_three(active *p, double tiny, vec2 *d)
{
  const vec2 w = p->slope[0], u = sub2(p->slope[1], w), v = sub2(p->slope[2], w);
  const double det = det2(u, v), fu = p->f[0] - p->f[1], fv = p->f[0] - p->f[2];
  if (fabs(det) < tiny * sqrt(larger(dot2(u, u), dot2(v, v)))) return false;
  *d = (vec2){(fu * v.y - fv * u.y) / det, (fv * u.x - fu * v.x) / det};
  double *weight = p->s.weight;
  const vec2 kd = times2(stiffness_of(p), *d), rest = {-w.x - kd.x, -w.y - kd.y};
  weight[1] = det2(rest, v) / det, weight[2] = det2(u, rest) / det;
  weight[0] = 1 - weight[1] - weight[2];
  return true;
}

static bool newton_step(const srs_search *q, active *p, vec2 *d)
{
  const double tiny = 1e-9 * q->scale, barely = 0.01 * q->scale;
  switch (p->s.n) {
  case 1: return step_with_one(p, barely, d);
  case 2: return step_with_two(p, tiny, barely, d);
  default: return step_with_three(p, tiny, d);
  }
}

// How far the points are from lying on one line along the normal.
static double rest_of(const active *p)
{
  vec2 rest = {0, 0};
  for (int k = 0; k < p->s.n; k++) rest.x += p->s.weight[k] * p->slope[k].x, rest.y += p->s.weight[k] * p->slope[k].y;
  return fabs(rest.x) + fabs(rest.y);
}

// Does (1) hold to rounding already? Where the cores barely touch, rounding alone keeps the steps from getting smaller.
static bool is_exact(const srs_search *q, const active *p)
{
  double apart = 0;
  for (int k = 0; k < p->s.n; k++) apart = larger(apart, fabs(p->f[k] - p->f[0]));
  const double tiny = 4e-16 * q->scale;
  return rest_of(p) <= tiny && apart <= tiny;
}

static bool newton(const srs_search *q, active *p, vec3 *normal)
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
    // The error is squared with each step, over how far a rim's axis is: after this one it is below rounding.
    if (length > 1e-8 * smaller(1, larger(p->across, 1e-4))) continue;
    evaluate(q, n, p);
    *normal = n;
    return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// How far around an optimum no normal is better
//
// With s = F(n) and t across n, |t| <= T: s |n + t| <= s + s t^2 / 2, and F_k(n + t) >= s + w_k . t + (shrunk H_k)(t,
// t) / 2 where a rim's r (sqrt(u^2 + v^2) - u), u = across + ..., shrinks by across / (across + 3/2 T), and an
// ellipsoid's |D (n + t)| - |D n| - ... by |D n| / (|D n| + a T), a its longest semi-axis: as if across were 3/2 |D n|
// / a. Three corners
// around n rise by their least distance from it; an edge rises by the shares of its ends, and aside by H.

static double cap_of_three(const active *p, double s)
{
  const vec2 u = sub2(p->slope[1], p->slope[0]), v = sub2(p->slope[2], p->slope[0]), w = sub2(v, u);
  const double area = fabs(det2(u, v)), *share = p->s.weight;
  const double rise =
      area * smaller(share[0] / sqrt(dot2(w, w)), smaller(share[1] / sqrt(dot2(v, v)), share[2] / sqrt(dot2(u, u))));
  return 2 * rise / s;
}

// Shares of the ends moved by half of the smaller one gain half of it for each unit along the edge.
static double cap_of_two(const active *p, double s, double most)
{
  const vec2 u = sub2(p->slope[1], p->slope[0]);
  const double length = sqrt(dot2(u, u)), least = smaller(p->s.weight[0], p->s.weight[1]);
  if (!(length > 0 && least > 0)) return 0;
  const vec2 e = {u.x / length, u.y / length}, t = {-e.y, e.x};
  const double shrunk = p->across / (p->across + 1.5 * most);
  double aside[2], along = 0;
  for (int k = 0; k < 2; k++) {
    aside[k] = shrunk * dot2(t, times2(p->bend[k], t));
    along = larger(along, dot2(e, times2(p->bend[k], e)));
  }
  const double one = p->s.weight[0] * aside[0] + p->s.weight[1] * aside[1];
  const double bend = one - 0.5 * least * fabs(aside[0] - aside[1]);
  if (!(bend > s)) return 0;
  return smaller(most, least * length * (bend - s) / (s * (bend - s + along))); // bend aside stays s, the rest is along
}

static double cap_of_one(const active *p, double s, double most)
{
  const double shrunk = p->across / (p->across + 1.5 * most);
  const sym2 k = {shrunk * p->bend[0].xx - s, shrunk * p->bend[0].yy - s, shrunk * p->bend[0].xy};
  return k.xx + k.yy > 0 && k.xx * k.yy > k.xy * k.xy ? most : 0;
}

static double cap_of(const active *p)
{
  const double s = p->f[0];
  if (!(s > 0)) return INFINITY;
  if (p->s.n == 3) return cap_of_three(p, s);
  double cap = 0, most = 64;
  for (int i = 0; i < 13 && !(cap > 0.5 * most); i++) { // down to 1/64
    most = ldexp(64, -i);
    cap = larger(cap, p->s.n == 1 ? cap_of_one(p, s, most) : cap_of_two(p, s, most));
  }
  return cap;
}

// Solves (1) with the pieces of a simplex, dropping those whose weight turns negative, and offers what holds.
bool srs_polish(const srs_search *q, const srs_simplex *s, vec3 n)
{
  active p;
  p.s.n = 0;
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
    const double f = dot3(srs_minkowski_support(q, found).w, found);
    const bool holds = f <= p.f[0] + 1e-14 * q->scale && rest_of(&p) < 1e-9 * q->scale;
    return srs_optimum_offer(q, found, f, &p.s, holds ? cap_of(&p) : 0, holds);
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Caps
//
// A cap of a cylinder or cone is a corner of F along its axis: the optimum when a point of the other core that is
// farthest along it lies over the cap.

// Of equally far corners the point of their polygon that is nearest to a line along d. GJK in the plane across d.
static vec3 nearest_of_corners(const srs_core *core, vec3 d, double tiny, vec3 line)
{
  const vec3 far = core_support_local(core, d).at;
  const double least = dot3(far, d) - tiny;
  const vec3 x = add_scaled3(sub3(far, line), -dot3(sub3(far, line), d), d);
  srs_simplex s = {.at = {{.w = x, .a = far}}, .weight = {1}, .n = 1};
  vec3 way = x;
  for (int round = 0; round < 16 && dot3(way, way) > tiny * tiny; round++) {
    const vec3 *best = NULL;
    double nearest = dot3(way, way) - tiny * norm3(way);
    vec3 best_w = vec3_zero;
    for (int i = 0; i < core->hull->n_corners; i++) {
      const vec3 *corner = &core->hull->corners[i];
      if (dot3(*corner, d) < least) continue;
      const vec3 r = sub3(*corner, line), w = add_scaled3(r, -dot3(r, d), d);
      if (dot3(w, way) < nearest) nearest = dot3(w, way), best = corner, best_w = w;
    }
    if (best == NULL || s.n == 4) break;
    s.at[s.n] = (srs_vertex){.w = best_w, .a = *best}, s.n++;
    if (!srs_simplex_reduce(&s, vec3_zero, &way)) break;
  }
  vec3 at = vec3_zero;
  for (int i = 0; i < s.n; i++) at = add_scaled3(at, s.weight[i], s.at[i].a);
  return at;
}

static double clamp_free(double far, double d, double half, double tiny, double to)
{
  return 2 * half * fabs(d) > tiny ? far : smaller(larger(to, -half), half);
}

// Of the points of a core that lie farthest along a unit d the one nearest to a line along d; all in the core's frame.
static vec3 nearest_of_farthest(const srs_core *core, vec3 d, double tiny, vec3 line)
{
  const vec3 h = core->half, far = core_support_local(core, d).at;
  const double across = sqrt(d.x * d.x + d.y * d.y);
  switch (core->kind) {
  case SRS_SHAPE_HULL: return nearest_of_corners(core, d, tiny, line);
  case SRS_SHAPE_BOX:
    return (vec3){clamp_free(far.x, d.x, h.x, tiny, line.x), clamp_free(far.y, d.y, h.y, tiny, line.y),
                  clamp_free(far.z, d.z, h.z, tiny, line.z)};
  case SRS_SHAPE_CAPSULE: return (vec3){0, 0, clamp_free(far.z, d.z, h.z, tiny, line.z)};
  case SRS_SHAPE_CONE:
    if (d.z > 0 && fabs(2 * h.z * d.z - h.x * across) <= tiny) { // a generator
      const vec3 rim = core_rim(h.x, -h.z, d), apex = {0, 0, h.z}, up = sub3(apex, rim);
      return add_scaled3(rim, smaller(larger(dot3(sub3(line, rim), up) / dot3(up, up), 0), 1), up);
    }
    if (d.z > 0) return far;
    break;
  case SRS_SHAPE_CYLINDER:
    if (across > 0.5) return (vec3){far.x, far.y, clamp_free(far.z, d.z, h.z, tiny, line.z)};
    break;
  default: return far;
  }
  if (2 * h.x * across > tiny) return far;
  const double out = sqrt(line.x * line.x + line.y * line.y), part = out > h.x ? h.x / out : 1;
  return (vec3){part * line.x, part * line.y, far.z};
}

bool srs_polish_on_cap(const srs_search *q, vec3 n)
{
  const srs_core *cores[2] = {q->a, q->b};
  for (int i = 0; i < 2; i++) {
    const srs_core *core = cores[i], *other = cores[1 - i];
    if (!core_is_round(core)) continue;
    const double outward = i ? 1 : -1, along = outward * dot3(core->axes.z, n);
    if (fabs(along) < 0.98 || (core->kind == SRS_SHAPE_CONE && along > 0)) continue;
    const double up = along < 0 ? -1 : 1;
    const vec3 normal = scale3(up * outward, core->axes.z);
    const vec3 centre = add_scaled3(core->origin, up * core->half.z, core->axes.z);
    const vec3 far = nearest_of_farthest(other, rotate_back(other->axes, scale3(-up, core->axes.z)), 1e-14 * q->scale,
                                         rotate_back(other->axes, sub3(centre, other->origin)));
    const vec3 there = add3(other->origin, rotate(other->axes, far)),
               over = rotate_back(core->axes, sub3(there, centre));
    const double out = sqrt(over.x * over.x + over.y * over.y);
    if (out > core->half.x) continue;
    const vec3 here = add3(centre, rotate(core->axes, (vec3){over.x, over.y, 0}));
    const srs_vertex at = srs_minkowski_support(q, normal);
    const vec3 a = i ? there : here, b = i ? here : there;
    const srs_simplex s = {.at = {{sub3(b, a), a, b, at.piece_a, at.piece_b}}, .weight = {1}, .n = 1};
    const double f = dot3(at.w, normal);
    if (srs_optimum_offer(q, normal, f, &s, f > 0 ? 2 * (core->half.x - out) / f : INFINITY, true)) return true;
  }
  return false;
}
