// The normal along which two cores are nearest, to rounding, from a normal nearby: GJK and Newton's method.
//
// C, the Minkowski difference, is the set of all b - a. Its support function is F(n) = max over C of w . n, and the
// signed distance is -min F over unit n. F is the largest of a few smooth pieces F_k, one for each pair of pieces of
// the cores (core.h), with gradient w_k = b_k - a_k and curvature H_k. At an optimum with value s there are weights,
// sum 1, none negative:
//
//   sum weight_k w_k = s n,   F_k(n) = s for each k with a weight,   F_k(n) <= s for all others           (1)
//
// GJK finds which pieces have weight. It needs C apart from the origin. Where C contains the origin or nearly touches
// it, GJK runs on C - t n0 with a t that separates them: if n0 is an optimum of F, it is one of this problem too; if
// not, the result is nearer to the optimum (by t / (t + curvature - s) on smooth parts, at once on corners). Then
// Newton's method solves (1) for these pieces (polish.c). Every value returned is F at the normal returned.

#include "collision/gjk/refine.h"
#include "collision/gjk/polish.h"

enum { MOST_SUPPORTS = 48 };

// ---------------------------------------------------------------------------------------------------------------------
// GJK

static bool has(const srs_simplex *s, const srs_vertex *v)
{
  for (int i = 0; i < s->n; i++)
    if (s->at[i].w.x == v->w.x && s->at[i].w.y == v->w.y && s->at[i].w.z == v->w.z) return true;
  return false;
}

// Support points at n and a little aside of it: the corners of a face with the normal n.
static void begin(const srs_search *q, vec3 n, srs_simplex *s)
{
  vec3 x, y;
  srs_axes_across(n, &x, &y);
  const double aside = 1e-5, c = -0.5 * aside, t = 0.8660254037844386 * aside;
  const vec3 start[4] = {n, add_scaled3(n, aside, x), add_scaled3(add_scaled3(n, c, x), t, y),
                         add_scaled3(add_scaled3(n, c, x), -t, y)};
  s->n = 0;
  for (int i = 0; i < 4; i++) {
    const srs_vertex v = srs_minkowski_support(q, start[i]);
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
    *is_apart = srs_simplex_reduce(s, shift, &v);
    const double length = *is_apart ? norm3(v) : 0;
    *is_apart = length > 1e-15 * q->scale;
    if (!*is_apart) return false;
    *normal = scale3(-1 / length, v);
    if (when == AT_ONCE && i == 0 && (srs_polish_on_cap(q, *normal) || srs_polish(q, s, *normal)))
      return true; // the start was good
    const srs_vertex next = srs_minkowski_support(q, *normal);
    const double bound = -dot3(sub3(next.w, shift), *normal); // no point of C - shift is nearer than this
    if (-dot3(next.w, *normal) > q->far) return srs_optimum_offer(q, *normal, dot3(next.w, *normal), s, 0, true);
    if (length - bound <= 1e-14 * q->scale || has(s, &next)) return false;
    if (when != NEVER && (when == AT_ONCE || bound > 0.6 * length || length < 3e-3 * q->scale) &&
        srs_simplex_has_pieces(s, &next) && (srs_polish_on_cap(q, *normal) || srs_polish(q, s, *normal)))
      return true;
    s->at[s->n] = next, s->weight[s->n++] = 0;
  }
  return false;
}

// Whether upper and lower bound of the distance agree: the nearest point of the simplex and F at the normal.
static bool is_tight(const srs_search *q, const srs_simplex *s, double f)
{
  vec3 v = vec3_zero;
  for (int i = 0; i < s->n; i++) v = add_scaled3(v, s->weight[i], s->at[i].w);
  return norm3(v) + f <= 2e-14 * q->scale;
}

void srs_gjk_refine(const srs_core *a, const srs_core *b, vec3 start, double scale, int rounds,
                    srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, INFINITY};
  const double tiny = 1e-15 * scale;
  srs_simplex s;
  const srs_vertex at_start = srs_minkowski_support(&q, start);
  srs_simplex_start(&s, &at_start);
  vec3 n = start;
  double f = dot3(s.at[0].w, n);
  optimum->gap = -INFINITY;
  srs_optimum_offer(&q, n, f, &s, 0, false);
  for (int round = 0; round < rounds; round++) {
    const double shift = fmax(0, f + 0.05 * scale);
    bool is_apart;
    vec3 found = n;
    begin(&q, n, &s);
    if (descend(&q, scale3(shift, n), AT_ONCE, &s, &found, &is_apart) || !is_apart || srs_polish(&q, &s, found)) break;
    const double lower = dot3(srs_minkowski_support(&q, found).w, found), moved = norm3(sub3(found, n));
    srs_optimum_offer(&q, found, lower, &s, 0, shift == 0 && is_tight(&q, &s, lower));
    if (shift == 0 || lower > f + tiny || (lower > f - tiny && moved < 1e-12)) break;
    n = found, f = lower;
  }
}

static bool has_few_pieces(const srs_core *core)
{
  return core->kind == SRS_SHAPE_SPHERE || core->kind == SRS_SHAPE_CAPSULE;
}

void srs_gjk_near(const srs_core *a, const srs_core *b, vec3 start, double scale, double far, srs_simplex *simplex,
                  srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, far + 1e-12 * scale};
  const srs_vertex at_start = srs_minkowski_support(&q, start);
  srs_simplex_start(simplex, &at_start);
  const bool few = has_few_pieces(a) || has_few_pieces(b);
  vec3 n = start;
  bool is_apart;
  optimum->gap = -INFINITY;
  const double first = dot3(simplex->at[0].w, n);
  srs_optimum_offer(&q, n, first, simplex, 0, -first > q.far);
  if (optimum->is_proven || descend(&q, vec3_zero, few ? AT_ONCE : WHEN_APART, simplex, &n, &is_apart) || !is_apart ||
      srs_polish(&q, simplex, n))
    return;
  const double f = dot3(srs_minkowski_support(&q, n).w, n);
  srs_optimum_offer(&q, n, f, simplex, 0, is_tight(&q, simplex, f));
}

void srs_gjk_separate(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, INFINITY};
  srs_simplex s;
  vec3 n = optimum->normal;
  bool is_apart;
  begin(&q, n, &s);
  if (descend(&q, vec3_zero, AT_ONCE, &s, &n, &is_apart) || !is_apart || srs_polish(&q, &s, n)) return;
  const double f = dot3(srs_minkowski_support(&q, n).w, n);
  srs_optimum_offer(&q, n, f, &s, 0, is_tight(&q, &s, f));
}

void srs_gjk_witnesses(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum)
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
