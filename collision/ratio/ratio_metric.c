// By how much must two convex bodies grow or shrink about their centres until they touch?
//
// With a facet a . y <= b of either body (b > 0, y from its centre) written as g . y <= 1, g = a / b, and d between the
// centres, the answer is a linear program in the four unknowns y, t:  min t,  g_i . y - t <= e_i,  e = 0 on body 1, e =
// g . d on body 2. Its dual asks for weights w >= 0, sum w_i = 1, sum w_i g_i = 0 with the greatest -sum w_i e_i: four
// facets whose g surround the origin. Then n = sum over body 1 of w_i g_i = dr/d(d), and r = n . d.
//
// Seidel's (1991) incremental way: facets come in a pseudo-random order, and only one that the optimum so far violates
// calls for work. In place of his recursion to a smaller program the facet joins the four and one of them leaves, so
// that weights stay >= 0 (Sharir and Welzl 1992: basis exchange; the dual simplex method): t grows until nothing is
// violated. The facets at hand are doubled each time, so that half of them have been at hand before: then the optimum
// violates few of the others, and the last scans over all dominate. Ties between zero weights (faces or edges that lie
// flat on each other) are broken as if sum w_i g_i = small * u for a fixed odd u: no cycles.
//
// Where the optimum's normal is that of a face, any facet gives a bound from below by itself: with g its gauge and w
// the other body's corner least far along it, t = g . d / (1 - g . w). The best of the two facets that weigh most, one
// of each body, is the answer where it comes up to the optimum found, else the four are two edges. So the answer
// depends on these facets, not on the other rows, of which faces that lie flat on each other leave a choice.
//
// The start is a simplex of facets so far away that they never hold. A polygon keeps one of them for good, across its
// plane: its four are three, and its program has three unknowns.
#include "collision/ratio/ratio_metric.h"

#include <limits.h>
#include <stdlib.h>

static const double ROUNDING = 4e-15;          // of a violation, beside the terms of g . y - t
static const double TIE = 1e-15;               // of weights
static const double ZERO = 1e-13;              // a weight
static const double MARGIN = 1e-9;             // from which an optimum counts as the only one
static const double ACCURATE = 1e-11;          // a violation that is left where rounding stops the exchange
static const vec3 ODD = {0.61, 0.271, 0.7453}; // u, in body 1's frame
static const double SHORT = 1e-13;             // of t: how far a facet's bound may be below the optimum
static const double EQUAL = 4e-15;             // of t: bounds of two facets
static const double TINY = 1e-10;              // weights that a move may neglect,
static const double CERTAIN = 1e-6; // by this, of t: facets that far from tight have weights below 1e-8 in any optimum
static const double LIGHT = 1e-7;   // and a weight above this is in all of them
static const double ASKEW = 1e-2;   // how far below 0 weights may be at a start
static const double NEARLY_PARALLEL = 1e-2; // between unit normals
enum { FIRST = 32, MOST_PIVOTS = 400, FAR = -1 };

typedef struct row {
  vec3 g; // axes of body 1
  double e;
  int body;  // 0, 1
  int facet; // FAR: of the simplex at the start
} row;

// Four rows and their solution: edges k = g_k - g_0 with cofactors c_k, so that c_k . edge_j = det if j = k, else 0.
typedef struct basis {
  row rows[4];
  vec3 cofactors[3];
  double inverse; // of det
  double weights[4];
  vec3 y;
  double t;
} basis;

// ---------------------------------------------------------------------------------------------------------------------
// Four rows
// ---------------------------------------------------------------------------------------------------------------------

// The x with sum over k = 1..3 of x_k edge_k = v; x_0 makes the sum that of x be `sum`.
static void combine(const basis *b, vec3 v, double sum, double x[4])
{
  x[0] = sum;
  for (int k = 0; k < 3; k++) {
    x[k + 1] = dot3(v, b->cofactors[k]) * b->inverse;
    x[0] -= x[k + 1];
  }
}

// The y with edge_k . y = s_k.
static vec3 meet(const basis *b, const double s[3])
{
  const vec3 sum =
      add_scaled3(add_scaled3(scale3(s[0], b->cofactors[0]), s[1], b->cofactors[1]), s[2], b->cofactors[2]);
  return scale3(b->inverse, sum);
}

// Weights, and the point where all four rows hold with equality; that one is corrected once by what is left.
static void solve(basis *b)
{
  const row *r = b->rows;
  const vec3 e1 = sub3(r[1].g, r[0].g), e2 = sub3(r[2].g, r[0].g), e3 = sub3(r[3].g, r[0].g);
  b->cofactors[0] = cross3(e2, e3);
  b->cofactors[1] = cross3(e3, e1);
  b->cofactors[2] = cross3(e1, e2);
  b->inverse = 1 / dot3(e1, b->cofactors[0]);
  combine(b, scale3(-1, r[0].g), 1, b->weights);
  b->y = meet(b, (double[3]){r[1].e - r[0].e, r[2].e - r[0].e, r[3].e - r[0].e});
  double left[4];
  for (int k = 0; k < 4; k++) left[k] = r[k].e - dot3(r[k].g, b->y);
  b->y = add3(b->y, meet(b, (double[3]){left[1] - left[0], left[2] - left[0], left[3] - left[0]}));
  b->t = 0;
  for (int k = 0; k < 4; k++) b->t += b->weights[k] * (dot3(r[k].g, b->y) - r[k].e);
}

// Which row leaves when q comes in; -1: none can. Rows tie where it makes no
// difference to any weight which of them goes.
static int leaving(const basis *b, vec3 q)
{
  double along[4], ratio[4], least = INFINITY, most_along = 0;
  int best = -1, n_tied = 0;
  combine(b, sub3(q, b->rows[0].g), 1, along);
  for (int k = 0; k < 4; k++) {
    ratio[k] = INFINITY;
    if (!(along[k] > ZERO)) continue;
    ratio[k] = b->weights[k] > 0 ? b->weights[k] / along[k] : 0;
    if (ratio[k] < least) least = ratio[k], best = k;
    if (along[k] > most_along) most_along = along[k];
  }
  for (int k = 0; k < 4; k++) n_tied += (ratio[k] - least) * most_along <= TIE;
  if (best < 0 || n_tied == 1) return best;
  double tilt[4], least_tilt = INFINITY;
  combine(b, ODD, 0, tilt);
  for (int k = 0; k < 4; k++)
    if ((ratio[k] - least) * most_along <= TIE && tilt[k] / along[k] < least_tilt)
      least_tilt = tilt[k] / along[k], best = k;
  return best;
}

static row row_of(const srs_polytope_pair *pair, int body, int facet)
{
  const srs_polytope *p = pair->body[body];
  const vec3 g = {p->gauge[0][facet], p->gauge[1][facet], p->gauge[2][facet]};
  if (body == 0) return (row){g, 0, 0, facet};
  const vec3 turned = rotate(pair->axes, g);
  return (row){turned, dot3(turned, pair->between), 1, facet};
}

// A tetrahedron, of which body 1 fills a small part; for polygons a triangle and the plane's normal.
static void start_far(const srs_polytope_pair *pair, basis *b)
{
  static const vec3 solid[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  static const vec3 flat[4] = {{1, 0, 0}, {-0.5, 0.8660254037844386, 0}, {-0.5, -0.8660254037844386, 0}, {0, 0, 1}};
  const bool is_solid = pair->body[0]->dimension == 3;
  for (int k = 0; k < 4; k++)
    b->rows[k] = (row){scale3(0.125 / pair->body[0]->reach, is_solid ? solid[k] : flat[k]), 0, 0, FAR};
  solve(b);
}

// ---------------------------------------------------------------------------------------------------------------------
// All facets
// ---------------------------------------------------------------------------------------------------------------------

enum { BLOCK = 64 };

// The largest g . y of a block: halves against each other, so that the compiler takes several at once.
static double largest_of_block(const double *restrict gx, const double *restrict gy, const double *restrict gz, vec3 y)
{
  double s[BLOCK];
  for (int i = 0; i < BLOCK; i++) s[i] = gx[i] * y.x + gy[i] * y.y + gz[i] * y.z;
  for (int half = BLOCK / 2; half >= 1; half /= 2)
    for (int i = 0; i < half; i++) s[i] = s[i] > s[i + half] ? s[i] : s[i + half];
  return s[0];
}

// The facet among the first n with the largest g . y, and that.
static int farthest(const srs_polytope *p, int n, vec3 y, double *most)
{
  const double *gx = p->gauge[0], *gy = p->gauge[1], *gz = p->gauge[2];
  int best = 0;
  double far = -INFINITY;
  for (int begin = 0; begin < n; begin += BLOCK) {
    const int end = begin + BLOCK < n ? begin + BLOCK : n;
    if (end - begin == BLOCK && !(largest_of_block(gx + begin, gy + begin, gz + begin, y) > far)) continue;
    for (int i = begin; i < end; i++) {
      const double s = gx[i] * y.x + gy[i] * y.y + gz[i] * y.z;
      if (s > far) far = s, best = i;
    }
  }
  *most = far;
  return best;
}

// How many facets have g . y >= level.
static int count_above(const srs_polytope *p, vec3 y, double level)
{
  const double *gx = p->gauge[0], *gy = p->gauge[1], *gz = p->gauge[2];
  int n = 0;
  for (int i = 0; i < p->n_facets; i++) n += gx[i] * y.x + gy[i] * y.y + gz[i] * y.z >= level;
  return n;
}

static vec3 seen_from_second(const srs_polytope_pair *pair, vec3 y)
{
  return rotate_back(pair->axes, sub3(y, pair->between));
}

static bool has(const basis *b, int body, int facet)
{
  for (int k = 0; k < 4; k++)
    if (b->rows[k].facet == facet && b->rows[k].body == body && facet != FAR) return true;
  return false;
}

// Exchanges until no facet is violated, the first ones of each body to begin with. False: rounding, or the limit,
// stopped it where one still was.
static bool exchange(const srs_polytope_pair *pair, int first, basis *b, srs_ratio_work *work)
{
  const srs_polytope *p = pair->body[0], *q = pair->body[1];
  const int all = p->n_facets > q->n_facets ? p->n_facets : q->n_facets;
  for (int n = first; work->pivots < MOST_PIVOTS;) {
    double far[2];
    const vec3 y[2] = {b->y, seen_from_second(pair, b->y)};
    const int found[2] = {farthest(p, n < p->n_facets ? n : p->n_facets, y[0], &far[0]),
                          farthest(q, n < q->n_facets ? n : q->n_facets, y[1], &far[1])};
    const int body = far[1] > far[0];
    const double over = far[body] - b->t;
    const double size = (fabs(y[0].x) + fabs(y[0].y) + fabs(y[0].z)) / p->inradius +
                        (fabs(y[1].x) + fabs(y[1].y) + fabs(y[1].z)) / q->inradius + fabs(b->t);
    work->facets += (n < p->n_facets ? n : p->n_facets) + (n < q->n_facets ? n : q->n_facets);
    if ((work->is_exact = !(over > ROUNDING * size))) {
      if (n >= all) return true;
      n *= 2;
      continue;
    }
    const row entering = row_of(pair, body, found[body]);
    const int k = has(b, body, found[body]) ? -1 : leaving(b, entering.g);
    if (k < 0) return n >= all && over <= ACCURATE * size;
    b->rows[k] = entering;
    solve(b);
    work->pivots++;
  }
  return false;
}

// The facet of a body, none of the four, that is first on the way from their point along dy at a rate dt, and how far.
static int first_met(const srs_polytope_pair *pair, const basis *b, int body, vec3 dy, double dt, double *way)
{
  const srs_polytope *p = pair->body[body];
  const vec3 y = body == 0 ? b->y : seen_from_second(pair, b->y);
  int best = -1;
  if (body == 1) dy = rotate_back(pair->axes, dy);
  for (int i = 0; i < p->n_facets; i++) {
    const vec3 g = {p->gauge[0][i], p->gauge[1][i], p->gauge[2][i]};
    const double closing = dot3(g, dy) - dt, room = b->t - dot3(g, y);
    if (has(b, body, i) || !(closing > ZERO * (fabs(g.x * dy.x) + fabs(g.y * dy.y) + fabs(g.z * dy.z)))) continue;
    const double there = room > 0 ? room / closing : 0;
    if (there < *way) *way = there, best = i;
  }
  return best;
}

// Where rounding has left a row with a negative weight in a feasible y: without that row t can still fall, until
// another facet is met, which takes its place (the primal simplex method). False: there was none.
static bool lower(const srs_polytope_pair *pair, basis *b, srs_ratio_work *work)
{
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (b->weights[i] < b->weights[k]) k = i;
  if (!(b->weights[k] < -TIE)) return false;
  double s[3] = {1, 1, 1}; // row k gets room 1, the others none
  for (int i = 0; k > 0 && i < 3; i++) s[i] = i == k - 1 ? -1 : 0;
  const vec3 dy = meet(b, s);
  double way[2] = {INFINITY, INFINITY};
  const int met[2] = {first_met(pair, b, 0, dy, b->weights[k], &way[0]),
                      first_met(pair, b, 1, dy, b->weights[k], &way[1])};
  const int body = way[1] < way[0];
  if (met[body] < 0) return false;
  b->rows[k] = row_of(pair, body, met[body]);
  solve(b);
  work->pivots++;
  return true;
}

// Both until neither finds anything to do.
static bool optimise(const srs_polytope_pair *pair, int first, basis *b, srs_ratio_work *work)
{
  enum { ROUNDS = 16 };
  bool is_proven = exchange(pair, first, b, work);
  for (int round = 0; round < ROUNDS && lower(pair, b, work); round++) is_proven = exchange(pair, INT_MAX / 2, b, work);
  return is_proven;
}

static double least_weight(const basis *b)
{
  double least = INFINITY;
  for (int k = 0; k < 4; k++)
    if (b->rows[k].facet != FAR) least = fmin(least, b->weights[k]);
  return least;
}

// ---------------------------------------------------------------------------------------------------------------------
// Starts and ends
// ---------------------------------------------------------------------------------------------------------------------

static bool is_before(const row *a, const row *b)
{
  if ((a->facet == FAR) != (b->facet == FAR)) return b->facet == FAR;
  return a->body != b->body ? a->body < b->body : a->facet < b->facet;
}

// One order for the same four, so that they give the same bits.
static void sort(basis *b)
{
  for (int i = 1; i < 4; i++) {
    const row r = b->rows[i];
    int k = i;
    for (; k > 0 && is_before(&r, &b->rows[k - 1]); k--) b->rows[k] = b->rows[k - 1];
    b->rows[k] = r;
  }
  solve(b);
}

// n, from the body that has fewer facets in it: a face's own normal comes out as it is.
static vec3 normal_of(const basis *b)
{
  int count[2] = {0, 0};
  for (int k = 0; k < 4; k++) count[b->rows[k].body] += b->weights[k] > ZERO;
  const int body = count[1] < count[0];
  vec3 n = vec3_zero;
  for (int k = 0; k < 4; k++)
    if (b->rows[k].body == body && b->weights[k] > ZERO) n = add_scaled3(n, b->weights[k], b->rows[k].g);
  return body == 0 ? n : scale3(-1, n);
}

// How many weights of each body count; false where one neither does nor vanishes.
static bool count_weights(const basis *b, int count[2])
{
  count[0] = count[1] = 0;
  for (int k = 0; k < 4; k++) {
    if (b->weights[k] > MARGIN)
      count[b->rows[k].body]++;
    else if (b->weights[k] > ZERO)
      return false;
  }
  return true;
}

// A corner of one body inside a facet of the other, each the only one to be so to within the margin: then t, y and n
// follow from these two, whichever facets around the corner are among the four. False: it is not so.
static bool finish_corner(const srs_polytope_pair *pair, const int count[2], basis *b, vec3 *n)
{
  const int holder = count[0] == 1 ? 0 : 1, other = 1 - holder; // of the facet
  const srs_polytope *p = pair->body[holder], *q = pair->body[other];
  const vec3 at = holder == 0 ? b->y : seen_from_second(pair, b->y);
  int facet = 0;
  for (int k = 0; k < 4; k++)
    if (b->rows[k].body == holder && b->weights[k] > MARGIN) facet = b->rows[k].facet;
  if (count_above(p, at, b->t - MARGIN * b->t) != 1) return false;
  const vec3 g = row_of(pair, holder, facet).g;
  const vec3 inward = scale3(-1, holder == 0 ? rotate_back(pair->axes, g) : g); // in the other's frame
  double most = -INFINITY, second = -INFINITY;
  int corner = 0;
  for (int i = 0; i < q->n_corners; i++) {
    const double far = dot3(inward, q->corners[i]);
    if (far > most)
      second = most, most = far, corner = i;
    else if (far > second)
      second = far;
  }
  if (!(most - second > MARGIN)) return false;
  const vec3 w = other == 0 ? q->corners[corner] : rotate(pair->axes, q->corners[corner]);
  const double span = 1 - dot3(g, w), across = dot3(g, pair->between);
  b->t = (holder == 0 ? across : -across) / span;
  b->y = add_scaled3(other == 0 ? vec3_zero : pair->between, b->t, w);
  *n = scale3((holder == 0 ? 1 : -1) / span, g);
  return true;
}

// The answer of the four, and whether it is the only one there is, with room for rounding.
static bool finish(const srs_polytope_pair *pair, basis *b, vec3 *n)
{
  int count[2];
  sort(b);
  *n = normal_of(b);
  if (!count_weights(b, count) || count[0] + count[1] != pair->body[0]->dimension + 1) return false;
  if (count[0] == 1 || count[1] == 1) return finish_corner(pair, count, b, n);
  const double level = b->t - MARGIN * b->t;
  return count_above(pair->body[0], b->y, level) == 2 &&
         count_above(pair->body[1], seen_from_second(pair, b->y), level) == 2;
}

// From the facets of an earlier answer. False: they are of no use here.
static bool start_warm(const srs_polytope_pair *pair, const srs_ratio *last, basis *b)
{
  const int dimension = pair->body[0]->dimension;
  if (last->n_active != dimension + 1) return false;
  start_far(pair, b);
  for (int k = 0; k <= dimension; k++) {
    const int body = last->active[k].body - 1, facet = last->active[k].facet;
    if (body < 0 || body > 1 || facet < 0 || facet >= pair->body[body]->n_facets) return false;
    b->rows[k] = row_of(pair, body, facet);
  }
  solve(b);
  for (int k = 0; k <= dimension; k++)
    if (!(b->weights[k] > MARGIN)) return false;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// r and the normal alone
// ---------------------------------------------------------------------------------------------------------------------

// The lower bound of t from one facet.
static double bound_of(const srs_polytope_pair *pair, const row *facet, vec3 *n)
{
  const int body = facet->body;
  const vec3 g = facet->g, inward = scale3(-1, g);
  const double sign = body == 0 ? 1 : -1;
  int corner;
  const double span =
      1 + srs_polytope_support(pair->body[1 - body], body == 0 ? rotate_back(pair->axes, inward) : inward, &corner);
  *n = scale3(sign / span, g);
  return sign * dot3(g, pair->between) / span;
}

// The facet of a body that weighs most; NULL: none is among the four.
static const row *heaviest(const basis *b, int body)
{
  int best = -1;
  for (int k = 0; k < 4; k++)
    if (b->rows[k].facet != FAR && b->rows[k].body == body && (best < 0 || b->weights[k] > b->weights[best])) best = k;
  return best < 0 ? NULL : &b->rows[best];
}

// An optimal point at which facets of no weight have given way a bit.
static vec3 point_inside(const basis *b)
{
  double slack[4];
  for (int k = 0; k < 4; k++) slack[k] = b->rows[k].facet != FAR && b->weights[k] <= TINY ? 2 * CERTAIN * b->t : 0;
  return add3(b->y, meet(b, (double[3]){slack[0] - slack[1], slack[0] - slack[2], slack[0] - slack[3]}));
}

// Whether no facet of a body is violated there.
static bool is_within(const srs_polytope_pair *pair, const basis *b, int body, vec3 y)
{
  const srs_polytope *p = pair->body[body];
  const vec3 at = body == 0 ? y : seen_from_second(pair, y);
  double far;
  (void)farthest(p, p->n_facets, at, &far);
  return far - b->t <= 2 * ROUNDING * ((fabs(at.x) + fabs(at.y) + fabs(at.z)) / p->inradius + b->t);
}

static int count_tight(const srs_polytope_pair *pair, const basis *b, int body, vec3 y)
{
  return count_above(pair->body[body], body == 0 ? y : seen_from_second(pair, y), b->t - CERTAIN * b->t);
}

// Whether some facet of body 1 is tight at y and would be preferred to one of body 2 with this bound and normal.
static bool is_outbid(const srs_polytope_pair *pair, const basis *b, vec3 y, double bound, vec3 n)
{
  const srs_polytope *p = pair->body[0];
  const vec3 unit = scale3(1 / norm3(n), n);
  for (int i = 0; i < p->n_facets; i++) {
    const row facet = row_of(pair, 0, i);
    vec3 unused;
    if (dot3(facet.g, y) < b->t - CERTAIN * b->t || norm3(sub3(p->normals[i], unit)) > NEARLY_PARALLEL) continue;
    if (bound_of(pair, &facet, &unused) >= bound * (1 - EQUAL)) return true;
  }
  return false;
}

// t and n of the four. True: any other start would have led to the same, since one facet alone is tight at an optimal
// point, or two and two.
static bool finish_value(const srs_polytope_pair *pair, basis *b, double *t, vec3 *n)
{
  double bounds[2] = {-INFINITY, -INFINITY};
  vec3 normals[2] = {vec3_zero, vec3_zero};
  sort(b);
  const double least = least_weight(b);
  for (int body = 0; body < 2; body++) {
    const row *facet = heaviest(b, body);
    if (facet != NULL) bounds[body] = bound_of(pair, facet, &normals[body]);
  }
  const int best = bounds[0] >= bounds[1] * (1 - EQUAL) ? 0 : 1;
  const bool is_facet = bounds[best] >= b->t * (1 - SHORT);
  *t = is_facet ? bounds[best] : b->t;
  *n = is_facet ? normals[best] : normal_of(b);
  // With room for rounding on either side of what was just decided.
  if (!(b->t > 0 && least >= -TIE)) return false;
  if (!is_facet)
    return bounds[best] < b->t * (1 - 2 * SHORT) && least > LIGHT && count_tight(pair, b, 0, b->y) == 2 &&
           count_tight(pair, b, 1, b->y) == 2;
  const vec3 y = point_inside(b);
  return bounds[best] >= b->t * (1 - SHORT / 2) && count_tight(pair, b, best, y) == 1 &&
         is_within(pair, b, 1 - best, y) && (best == 0 || !is_outbid(pair, b, y, bounds[best], *n));
}

static bool start_again(const srs_polytope_pair *pair, const srs_ratio_start *start, basis *b)
{
  start_far(pair, b);
  for (int k = 0; k <= pair->body[0]->dimension; k++) {
    const int named = start->facets[k], body = named < 0, facet = abs(named) - 1;
    if (named == 0 || facet >= pair->body[body]->n_facets) return false;
    b->rows[k] = row_of(pair, body, facet);
  }
  solve(b);
  for (int k = 0; k < 4; k++)
    if (!(b->weights[k] > -ASKEW)) return false;
  return true;
}

void srs_ratio_solve_again(const srs_polytope_pair *pair, srs_ratio_start *start, srs_ratio *ratio,
                           srs_ratio_work *work)
{
  basis b;
  double t = 0;
  vec3 n = vec3_zero;
  srs_ratio_work unwanted;
  if (work == NULL) work = &unwanted;
  *work = (srs_ratio_work){0};
  *ratio = (srs_ratio){.rho = -INFINITY, .is_proven = true};
  if (dot3(pair->between, pair->between) == 0) return; // all weights will do
  work->was_warm = start_again(pair, start, &b) && optimise(pair, INT_MAX / 2, &b, work) && work->is_exact &&
                   finish_value(pair, &b, &t, &n);
  if (!work->was_warm) {
    work->pivots = 0;
    start_far(pair, &b);
    ratio->is_proven = optimise(pair, FIRST, &b, work);
    (void)finish_value(pair, &b, &t, &n);
  }
  *start = (srs_ratio_start){0};
  for (int k = 0; k < 4; k++)
    if (b.rows[k].facet != FAR) start->facets[k] = b.rows[k].body == 0 ? b.rows[k].facet + 1 : -b.rows[k].facet - 1;
  ratio->r = fmax(t, 0);
  if (ratio->r > 0) ratio->rho = (ratio->r - 1) / ratio->r;
  vec3_store(ratio->normal, rotate(pair->to_world, n));
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole answer
// ---------------------------------------------------------------------------------------------------------------------

static void report(const srs_polytope_pair *pair, const basis *b, vec3 n, bool is_proven, srs_ratio *ratio)
{
  const vec3 world_n = rotate(pair->to_world, n);
  *ratio = (srs_ratio){.r = fmax(b->t, 0), .is_proven = is_proven};
  ratio->rho = ratio->r > 0 ? (ratio->r - 1) / ratio->r : -INFINITY;
  vec3_store(ratio->witness, add3(pair->origin, rotate(pair->to_world, b->y)));
  vec3_store(ratio->normal, world_n);
  vec3_store(ratio->turn1, cross3(world_n, rotate(pair->to_world, b->y)));
  vec3_store(ratio->turn2, cross3(rotate(pair->to_world, sub3(b->y, pair->between)), world_n));
  for (int k = 0; k < 4; k++) {
    if (b->rows[k].facet == FAR) continue;
    ratio->active[ratio->n_active++] = (srs_ratio_facet){b->rows[k].body + 1, b->rows[k].facet, fmax(b->weights[k], 0)};
  }
}

bool srs_polytope_pair_make(const srs_polytope *body_1, mat3 axes_1, vec3 position_1, const srs_polytope *body_2,
                            mat3 axes_2, vec3 position_2, srs_polytope_pair *pair)
{
  const mat3 to_first = transpose3(axes_1);
  pair->body[0] = body_1, pair->body[1] = body_2;
  pair->axes = mul3(to_first, axes_2);
  pair->to_world = axes_1;
  pair->origin = add3(position_1, rotate(axes_1, body_1->centre));
  const vec3 other = rotate(axes_2, body_2->centre);
  pair->between = rotate(to_first, add3(sub3(position_2, position_1), sub3(other, rotate(axes_1, body_1->centre))));
  if (body_1->dimension == 2) pair->between.z = 0;
  const double sum = norm3(pair->between) + norm3(pair->axes.x) + norm3(pair->axes.y) + norm3(pair->axes.z);
  return body_1->dimension == body_2->dimension && isfinite(sum);
}

void srs_ratio_solve_counted(const srs_polytope_pair *pair, const srs_ratio *last, srs_ratio *ratio,
                             srs_ratio_work *work)
{
  basis b;
  vec3 n;
  *work = (srs_ratio_work){0};
  if (last != NULL && start_warm(pair, last, &b)) {
    work->was_warm = optimise(pair, INT_MAX / 2, &b, work) && finish(pair, &b, &n);
    if (work->was_warm) {
      report(pair, &b, n, true, ratio);
      return;
    }
    work->pivots = 0;
  }
  if (dot3(pair->between, pair->between) == 0) { // all weights will do
    *ratio = (srs_ratio){.rho = -INFINITY, .is_proven = true};
    vec3_store(ratio->witness, pair->origin);
    return;
  }
  start_far(pair, &b);
  const bool is_proven = optimise(pair, FIRST, &b, work);
  (void)finish(pair, &b, &n);
  report(pair, &b, n, is_proven, ratio);
}

void srs_ratio_solve(const srs_polytope_pair *pair, const srs_ratio *last, srs_ratio *ratio)
{
  srs_ratio_work work;
  srs_ratio_solve_counted(pair, last, ratio, &work);
}

bool srs_ratio_metric(const srs_polytope *polytope_1, const srs_pose *pose_1, const srs_polytope *polytope_2,
                      const srs_pose *pose_2, const srs_ratio *last, srs_ratio *ratio)
{
  srs_polytope_pair pair;
  if (!srs_polytope_pair_make(polytope_1, mat3_from_rows(pose_1->rotation), vec3_load(pose_1->position), polytope_2,
                              mat3_from_rows(pose_2->rotation), vec3_load(pose_2->position), &pair))
    return false;
  if (polytope_1->dimension == 2) pair.origin.z = 0;
  srs_ratio_solve(&pair, last, ratio);
  return true;
}
