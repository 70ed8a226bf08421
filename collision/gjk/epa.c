// Penetration depth by the expanding polytope algorithm: the shortest of all ways out of an overlap.
//
// The cores overlap where C (refine.c) contains the origin; the depth is the distance from the origin to the surface of
// C. A polytope of points of C bounds it from below by its nearest face; F at any normal bounds it from above. The
// nearest face is expanded to the support point along its normal. Where that shows which pieces meet, Newton's method
// (polish.c) finds the exact way out. The search ends when no face is nearer than the best F, less a tolerance.
//
// Round solids alone would need very many faces: a face tilted by an angle falls short by depth * angle^2 / 2. There
// the cap helps, within which the pieces themselves exclude better normals (polish.h). As points normal / offset the
// faces are the corners of the polar polytope, which contains a normal n of C at n / F(n). A face may stay near if it
// lies in the cone of the cap and all edges of the polar that leave the cone from there do so beyond the depth: then
// all of the polar outside the cone lies beyond it too.

#include "collision/gjk/epa.h"
#include "collision/gjk/refine.h"

enum { MOST_CORNERS = 120, MOST_FACES = 2 * MOST_CORNERS, MOST_REFINED = 6, NOT_A_PIECE = -1 };

typedef struct face {
  vec3 normal; // unit, outward
  double offset;
  short corner[3]; // counter-clockwise from outside
  short beside[3]; // across the edge from corner i to the next: 4 * face + its number of that edge
  int seen_at;     // when a point was taken in last that sees it
} face;

typedef struct polytope {
  srs_vertex corners[MOST_CORNERS];
  face faces[MOST_FACES];
  double left[MOST_FACES];    // offsets of faces that may be nearest; INFINITY for others
  short starts[MOST_CORNERS]; // the new face whose rim edge starts at the corner
  int started_at[MOST_CORNERS];
  short free[MOST_FACES];
  int n_corners, n_faces, n_free, time;
  double tiny; // m
} polytope;

static bool set_face(polytope *p, int f, int i, int j, int k)
{
  const vec3 a = p->corners[i].w, normal = cross3(sub3(p->corners[j].w, a), sub3(p->corners[k].w, a));
  const double length = norm3(normal);
  if (!(length > 0)) return false;
  const vec3 unit = scale3(1 / length, normal);
  face *made = &p->faces[f];
  made->normal = unit, made->offset = p->left[f] = dot3(unit, a);
  made->corner[0] = (short)i, made->corner[1] = (short)j, made->corner[2] = (short)k;
  made->seen_at = 0;
  return true;
}

typedef struct rim_edge {
  short from, to, outside; // outside: as in face.beside
} rim_edge;

// The faces that see the point, starting from one, and the edges around them. Returns how many edges.
static int find_rim(polytope *p, int first, vec3 point, rim_edge rim[MOST_FACES])
{
  short seen[MOST_FACES];
  int n_seen = 1, n_rim = 0;
  seen[0] = (short)first, p->faces[first].seen_at = p->time;
  for (int s = 0; s < n_seen; s++) {
    const face *f = &p->faces[seen[s]];
    for (int i = 0; i < 3; i++) {
      face *g = &p->faces[f->beside[i] >> 2];
      if (g->seen_at == p->time) continue;
      if (dot3(g->normal, point) - g->offset > p->tiny) {
        g->seen_at = p->time, seen[n_seen++] = (short)(f->beside[i] >> 2);
      } else {
        if (n_rim == MOST_FACES) return 0;
        rim[n_rim++] = (rim_edge){f->corner[i], f->corner[i == 2 ? 0 : i + 1], f->beside[i]};
      }
    }
  }
  for (int s = 0; s < n_seen; s++) p->left[seen[s]] = INFINITY, p->free[p->n_free++] = seen[s];
  return n_rim;
}

// Adds a point that a face sees: the faces that see it are removed, and their rim is joined to it. False when there is
// no room, or rounding has spoilt the polytope.
static bool take_in(polytope *p, int first, const srs_vertex *point)
{
  rim_edge rim[MOST_FACES];
  short made[MOST_FACES];
  if (p->n_corners == MOST_CORNERS) return false;
  p->time++;
  const int n = find_rim(p, first, point->w, rim), at = p->n_corners++;
  if (n < 3) return false;
  p->corners[at] = *point, p->started_at[at] = 0;
  for (int e = 0; e < n; e++) {
    if (p->n_free == 0 && p->n_faces == MOST_FACES) return false;
    const short f = made[e] = p->n_free > 0 ? p->free[--p->n_free] : (short)p->n_faces++, from = rim[e].from;
    if (!set_face(p, f, from, rim[e].to, at) || p->started_at[from] == p->time) return false;
    p->starts[from] = f, p->started_at[from] = p->time;
    p->faces[f].beside[0] = rim[e].outside;
    p->faces[rim[e].outside >> 2].beside[rim[e].outside & 3] = (short)(4 * f);
  }
  for (int e = 0; e < n; e++) {
    if (p->started_at[rim[e].to] != p->time) return false;
    const short next = p->starts[rim[e].to];
    p->faces[made[e]].beside[1] = (short)(4 * next + 2), p->faces[next].beside[2] = (short)(4 * made[e] + 1);
  }
  return true;
}

static bool take_in_from_anywhere(polytope *p, vec3 point, vec3 a, vec3 b)
{
  const srs_vertex v = {point, a, b, NOT_A_PIECE, NOT_A_PIECE};
  int best = -1;
  double most = p->tiny;
  for (int f = 0; f < p->n_faces; f++) {
    if (p->left[f] == INFINITY) continue;
    const double above = dot3(p->faces[f].normal, point) - p->faces[f].offset;
    if (above > most) most = above, best = f;
  }
  return best < 0 || take_in(p, best, &v);
}

// ---------------------------------------------------------------------------------------------------------------------
// The first four corners

// Of the supports along d and -d the one that lies farther from a plane through `from` across d.
static srs_vertex farther(const srs_search *q, vec3 from, vec3 d)
{
  const srs_vertex one = srs_minkowski_support(q, d), other = srs_minkowski_support(q, scale3(-1, d));
  return fabs(dot3(d, sub3(other.w, from))) > fabs(dot3(d, sub3(one.w, from))) ? other : one;
}

static bool is_solid(const srs_vertex c[4], double tiny)
{
  const vec3 d = cross3(sub3(c[1].w, c[0].w), sub3(c[2].w, c[0].w));
  return fabs(dot3(d, sub3(c[3].w, c[0].w))) > tiny * norm3(d);
}

// One behind the optimum that is known, three at its sides, about where its cap ends.
static bool spread(const srs_search *q, double tiny, srs_vertex c[4])
{
  vec3 x, y;
  const vec3 n = q->best->normal;
  srs_axes_across(n, &x, &y);
  const double t = smaller(q->best->cap, 1),
               aside[3][2] = {{t, 0}, {-0.5 * t, 0.8660254037844386 * t}, {-0.5 * t, -0.8660254037844386 * t}};
  for (int i = 0; i < 3; i++)
    c[i] = srs_minkowski_support(q, add_scaled3(add_scaled3(n, aside[i][0], x), aside[i][1], y));
  c[3] = srs_minkowski_support(q, scale3(-1, n));
  return is_solid(c, tiny);
}

// Four points of C that span a volume, those of the simplex first if it has four. Where C has none, as for the cores of
// two capsules that cross: false, and in `flat` a normal along which C has no width.
static bool span(const srs_search *q, const srs_simplex *simplex, double tiny, srs_vertex c[4], vec3 *flat)
{
  if (simplex->n == 4) {
    for (int i = 0; i < 4; i++) c[i] = simplex->at[i];
    if (is_solid(c, tiny)) return true;
  }
  if (q->best->is_proven && spread(q, tiny, c)) return true;
  *flat = q->best->normal;
  c[0] = srs_minkowski_support(q, *flat);
  c[1] = srs_minkowski_support(q, scale3(-1, *flat));
  const vec3 line = sub3(c[1].w, c[0].w);
  if (!(norm3(line) > tiny)) return false;
  vec3 d = cross3(line, fabs(line.x) < fabs(line.y) ? (vec3){1, 0, 0} : (vec3){0, 1, 0});
  *flat = d = scale3(1 / norm3(d), d);
  c[2] = farther(q, c[0].w, d);
  if (!(fabs(dot3(d, sub3(c[2].w, c[0].w))) > tiny)) return false;
  d = cross3(line, sub3(c[2].w, c[0].w));
  *flat = d = scale3(1 / norm3(d), d);
  c[3] = farther(q, c[0].w, d);
  return fabs(dot3(d, sub3(c[3].w, c[0].w))) > tiny;
}

static bool begin(polytope *p, const srs_search *q, const srs_simplex *simplex, vec3 *flat)
{
  srs_vertex *c = p->corners;
  p->n_corners = 4, p->n_faces = 4, p->n_free = 0, p->time = 0;
  if (!span(q, simplex, p->tiny, c, flat)) return false;
  const vec3 d = cross3(sub3(c[1].w, c[0].w), sub3(c[2].w, c[0].w));
  const bool is_above = dot3(d, sub3(c[3].w, c[0].w)) > 0; // the first face looks away from corner 3
  const int u = is_above ? 2 : 1, v = is_above ? 1 : 2;
  for (int i = 0; i < 4; i++) p->started_at[i] = 0;
  static const short beside[4][3] = {{12, 8, 4}, {2, 10, 13}, {1, 14, 5}, {0, 6, 9}};
  for (int f = 0; f < 4; f++)
    for (int i = 0; i < 3; i++) p->faces[f].beside[i] = beside[f][i];
  return set_face(p, 0, 0, u, v) && set_face(p, 1, 0, v, 3) && set_face(p, 2, v, u, 3) && set_face(p, 3, u, 0, 3);
}

// ---------------------------------------------------------------------------------------------------------------------

static bool is_in_cap(const srs_pair_optimum *optimum, const face *f)
{
  const double along = dot3(f->normal, optimum->normal);
  const vec3 aside = add_scaled3(f->normal, -along, optimum->normal);
  return along > 0 && dot3(aside, aside) <= optimum->cap * optimum->cap * along * along;
}

// Is the polar beyond `depth` wherever its edges from this corner leave the cone of the cap?
static bool cap_covers(const polytope *p, const srs_pair_optimum *optimum, int f, double depth)
{
  const face *here = &p->faces[f];
  if (!(optimum->is_proven && here->offset > 0 && is_in_cap(optimum, here))) return false;
  const vec3 x = scale3(depth / here->offset, here->normal);
  for (int i = 0; i < 3; i++) {
    const face *there = &p->faces[here->beside[i] >> 2];
    if (there->offset > 0 && is_in_cap(optimum, there)) continue;
    if (there->offset < depth) return false;
    const vec3 way = sub3(scale3(depth / there->offset, there->normal), x);
    const double aa = dot3(way, way), ab = dot3(x, way), root = ab * ab - aa * (dot3(x, x) - 1);
    if (!(root >= 0 && aa > 0)) return false;
    face leaves = {.normal = add_scaled3(x, (-ab - sqrt(root)) / aa, way)};
    if (!is_in_cap(optimum, &leaves)) return false;
  }
  return true;
}

static int nearest_face(const polytope *p)
{
  int even = 0, odd = 1; // two chains of comparisons, each as long as half of the faces
  for (int f = 2; f < p->n_faces; f++) {
    if (p->left[f] < p->left[even]) even = f;
    if (++f < p->n_faces && p->left[f] < p->left[odd]) odd = f;
  }
  return p->left[odd] < p->left[even] || (p->left[odd] == p->left[even] && odd < even) ? odd : even;
}

// The pieces that meet at a face.
static void corners_of(const polytope *p, const face *f, srs_simplex *s)
{
  s->n = 0;
  for (int i = 0; i < 3; i++) {
    const srs_vertex *v = &p->corners[f->corner[i]];
    if (v->piece_a != NOT_A_PIECE) s->at[s->n] = *v, s->weight[s->n++] = 1.0 / 3;
  }
}

// Polishes the pieces that meet at a normal; returns whether that is a better way out than the known ones.
static bool improves(const srs_search *q, const srs_simplex *s, vec3 n)
{
  const double before = q->best->is_proven ? q->best->gap + 1e-13 * q->scale : -INFINITY;
  return s->n > 0 && (srs_polish_on_cap(q, n) || srs_polish(q, s, n)) && q->best->gap > before;
}

// The same from the normal alone.
static bool refining_improves(const srs_search *q, vec3 n)
{
  srs_pair_optimum other;
  srs_gjk_refine(q->a, q->b, n, q->scale, 3, &other);
  const double more = other.gap - q->best->gap;
  const bool is_better = other.is_proven && more > (q->best->is_proven ? 1e-13 : -1e-15) * q->scale;
  if (is_better) *q->best = other;
  return is_better;
}

// The least F is known to be where a face is, but not yet what meets there.
static void prove(const polytope *p, const srs_search *q, int nearest)
{
  srs_simplex s;
  corners_of(p, &p->faces[nearest], &s);
  const vec3 best = q->best->normal;
  if (!improves(q, &s, p->faces[nearest].normal)) refining_improves(q, best);
}

// Expands the nearest face towards C's surface. False where it cannot.
static bool push(polytope *p, const srs_search *q, int nearest, int *n_refined)
{
  const face *f = &p->faces[nearest];
  const srs_vertex v = srs_minkowski_support(q, f->normal);
  const double depth = dot3(v.w, f->normal), part = depth - f->offset, best = -q->best->gap;
  // Normals beside a way out that is much shorter than the solids are wide look worse than the best: it is searched for
  // now and then.
  // Between flat solids pushing on is quicker, for it ends at faces of C.
  const bool is_flat = !core_is_round(q->a) && !core_is_round(q->b);
  const bool is_slow = p->n_corners >= (is_flat ? 60 : 20) && p->n_corners % 10 == 0;
  const bool is_close = part <= p->tiny || (!is_flat && part <= 0.2 * depth), is_lower = depth < best - p->tiny;
  if (is_lower || is_slow) {
    srs_simplex s;
    bool is_better = false;
    if (is_close || is_slow) {
      corners_of(p, f, &s);
      is_better = (part <= p->tiny || srs_simplex_has_pieces(&s, &v)) && improves(q, &s, f->normal);
    }
    if (!is_better && is_lower) {
      srs_simplex_start(&s, &v);
      srs_optimum_offer(q, f->normal, depth, &s, 0, false);
    }
    if (!is_better && (is_slow || (!is_flat && is_close && part <= larger(0.01 * depth, p->tiny))) &&
        *n_refined < MOST_REFINED) {
      is_better = refining_improves(q, f->normal);
      ++*n_refined;
    }
    const int before = p->n_corners;
    if (is_better && !take_in_from_anywhere(p, sub3(q->best->b, q->best->a), q->best->a, q->best->b)) return false;
    if (p->n_corners > before) return true;
  }
  if (part > p->tiny) return take_in(p, nearest, &v);
  p->left[nearest] = INFINITY; // a face of C
  return true;
}

bool srs_epa(const srs_core *a, const srs_core *b, double scale, const srs_simplex *simplex, srs_pair_optimum *optimum)
{
  const srs_search q = {a, b, scale, optimum, INFINITY};
  polytope p;
  vec3 flat = vec3_zero;
  p.tiny = 1e-13 * scale;
  if (!begin(&p, &q, simplex, &flat)) {
    for (int i = 0; i < 2; i++) {
      srs_pair_optimum other;
      srs_gjk_refine(a, b, scale3(i ? -1 : 1, flat), scale, 3, &other);
      if (other.gap > optimum->gap || (other.is_proven && other.gap > optimum->gap - 1e-15 * scale)) *optimum = other;
    }
    return true;
  }
  int n_refined = 0;
  if (optimum->is_proven && !take_in_from_anywhere(&p, sub3(optimum->b, optimum->a), optimum->a, optimum->b))
    return false;
  for (;;) {
    const int nearest = nearest_face(&p);
    const double depth = -optimum->gap - 1e-8 * scale;
    if (p.left[nearest] >= depth) {
      if (!optimum->is_proven) prove(&p, &q, nearest);
      return true;
    }
    if (cap_covers(&p, optimum, nearest, depth))
      p.left[nearest] = INFINITY;
    else if (!push(&p, &q, nearest, &n_refined))
      return false;
  }
}
