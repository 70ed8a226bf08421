// The nearest points of two bodies given by convex functions, or the least deep ones where they overlap.
//
// With x in A, y in B, unit normal n from B to A, signed distance s, and the functions that are zero at x and y,
//
//   x - y = s n,   sum w_i grad f_i(x) = -n,   sum w_j grad f_j(y) = n,   n . n = 1,   f_i(x) = 0,   f_j(y) = 0, (1)
//
// w >= 0, all other functions below zero. Where s > 0 these are the Karush-Kuhn-Tucker conditions of the nearest
// points, sufficient by convexity. They do not degenerate where the bodies touch, and s < 0 satisfies them at each way
// out of an overlap that is the shortest nearby. (1) is solved by Levenberg-Marquardt steps with the square of the
// residual as damping, which converge quadratically even where faces leave the points undetermined. An active-set
// method chooses the functions: one whose weight turns negative is left out, one that turns positive is taken in.
//
// The start is the distance program, whose weights and points are those of (1) where the bodies are well apart. Where
// they are not, A is moved along a normal until they are, and (1) is tried from there, without the move: first along
// the line of centres, then along the normals that come out. Such a normal has a separation s(n) = g - d . n, d the
// move and g the distance, and is no worse than the one before it (cf. refine.c). An answer must be as good.
#include "collision/surfaces/surface_program.h"

#include "topology/base/errors.h"

enum {
  MOST_ACTIVE = 12,
  MOST_SYSTEM = 10 + MOST_ACTIVE,
  MOST_STEPS = 40,
  MOST_SETS = 12,
  MOST_MOVES = 60,
  MOST_DOUBLINGS = 12
};

static const double HOLDS = 1e-10; // units: a condition does
static const double APART = 0.05;  // units: how far A is moved beyond touching

// A try at (1): v is x, y, n, s, and the weights of the active surfaces.
typedef struct attempt {
  const srs_placed_surfaces *placed;
  int n_active, active[MOST_ACTIVE];
  double v[MOST_SYSTEM], residual;
  double most; // separations of the normals so far
  int iterations;
  bool is_proven;
} attempt;

// ---------------------------------------------------------------------------------------------------------------------
// Levenberg-Marquardt

typedef struct kkt_system {
  double f[MOST_SYSTEM], j[MOST_SYSTEM][MOST_SYSTEM];
  int n;
} kkt_system;

static vec3 point_of(const attempt *t, const double *v, int surface)
{
  return vec3_load(v + (surface < t->placed->n_a ? 0 : 3));
}

static void fill_pair(const double *v, kkt_system *s)
{
  const double *n = v + 6, gap = v[9];
  s->f[9] = -0.5;
  for (int i = 0; i < 3; i++) {
    s->f[i] = v[i] - v[3 + i] - gap * n[i];
    s->f[3 + i] = n[i], s->f[6 + i] = -n[i];
    s->f[9] += 0.5 * n[i] * n[i];
    s->j[i][i] = 1, s->j[i][3 + i] = -1, s->j[i][6 + i] = -gap, s->j[i][9] = -n[i];
    s->j[3 + i][6 + i] = 1, s->j[6 + i][6 + i] = -1;
    s->j[9][6 + i] = n[i];
  }
}

static void system_at(const attempt *t, const double *v, kkt_system *s)
{
  s->n = 10 + t->n_active;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->n; k++) s->j[i][k] = 0;
  fill_pair(v, s);
  for (int a = 0; a < t->n_active; a++) {
    const int k = t->active[a], block = k < t->placed->n_a ? 0 : 3, row = 3 + block, c = 10 + a;
    const srs_surface_point at = srs_placed_surface_at(t->placed, k, point_of(t, v, k));
    const double w = v[c], g[3] = {at.gradient.x, at.gradient.y, at.gradient.z};
    const sym3 *h = &at.hessian;
    const double bend[3][3] = {{h->xx, h->xy, h->xz}, {h->xy, h->yy, h->yz}, {h->xz, h->yz, h->zz}};
    s->f[c] = at.value;
    for (int i = 0; i < 3; i++) {
      s->f[row + i] += w * g[i];
      s->j[row + i][c] = s->j[c][block + i] = g[i];
      for (int m = 0; m < 3; m++) s->j[row + i][block + m] += w * bend[i][m];
    }
  }
}

static double size_of(const kkt_system *s)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++) sum += s->f[i] * s->f[i];
  return sqrt(sum);
}

// (J^T J + damping) x = -J^T f by Cholesky's factors.
static void damped_step(const kkt_system *s, double damping, double x[MOST_SYSTEM])
{
  double a[MOST_SYSTEM][MOST_SYSTEM];
  const int n = s->n;
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    for (int k = 0; k < n; k++) x[i] -= s->j[k][i] * s->f[k];
    for (int m = 0; m <= i; m++) a[i][m] = i == m ? damping : 0;
  }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (s->j[k][i] != 0)
        for (int m = 0; m <= i; m++) a[i][m] += s->j[k][i] * s->j[k][m];
  for (int i = 0; i < n; i++) {
    for (int m = 0; m <= i; m++) {
      double sum = a[i][m];
      for (int k = 0; k < m; k++) sum -= a[i][k] * a[m][k];
      a[i][m] = m < i ? sum / a[m][m] : sqrt(fmax(sum, 1e-16));
    }
    for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
}

// Steps until the residual stops falling.
static void solve_conditions(attempt *t)
{
  kkt_system s, next;
  double step[MOST_SYSTEM], v[MOST_SYSTEM], more = 1;
  system_at(t, t->v, &s);
  t->residual = size_of(&s);
  for (int round = 0; round < MOST_STEPS && t->residual > 2e-16; round++) {
    damped_step(&s, more * fmin(1e-2, t->residual * t->residual) + 1e-15, step);
    for (int i = 0; i < s.n; i++) v[i] = t->v[i] + step[i];
    system_at(t, v, &next);
    const double residual = size_of(&next);
    t->iterations++;
    if (residual < t->residual) {
      const bool is_slow = residual > 0.5 * t->residual && t->residual < 1e-13;
      for (int i = 0; i < s.n; i++) t->v[i] = v[i];
      s = next, t->residual = residual, more = fmax(1e-3, 0.1 * more);
      if (is_slow) return;
    } else {
      if (t->residual < 1e-13 || more > 1e8) return;
      more *= 10;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Which functions are zero

static bool is_active(const attempt *t, int surface)
{
  for (int a = 0; a < t->n_active; a++)
    if (t->active[a] == surface) return true;
  return false;
}

static void activate(attempt *t, int surface, double weight)
{
  t->active[t->n_active] = surface;
  t->v[10 + t->n_active++] = weight;
}

static void drop(attempt *t, int a)
{
  t->n_active--;
  for (int k = a; k < t->n_active; k++) t->active[k] = t->active[k + 1], t->v[10 + k] = t->v[11 + k];
}

static int count_of_side(const attempt *t, int a)
{
  const bool is_a = t->active[a] < t->placed->n_a;
  int n = 0;
  for (int k = 0; k < t->n_active; k++) n += (t->active[k] < t->placed->n_a) == is_a;
  return n;
}

// Adds or drops one function where the solution requires it; false where the set is right.
static bool change_set(attempt *t)
{
  int least = -1, worst = -1;
  for (int a = 0; a < t->n_active; a++)
    if (t->v[10 + a] < -HOLDS && (least < 0 || t->v[10 + a] < t->v[10 + least]) && count_of_side(t, a) > 1) least = a;
  if (least >= 0) {
    drop(t, least);
    return true;
  }
  double most = HOLDS;
  for (int k = 0; k < t->placed->n; k++) {
    if (is_active(t, k)) continue;
    const double value = srs_placed_surface_at(t->placed, k, point_of(t, t->v, k)).value;
    if (value > most) most = value, worst = k;
  }
  if (worst < 0 || t->n_active == MOST_ACTIVE) return false;
  activate(t, worst, 0);
  return true;
}

// Weights not below zero, and all other functions.
static bool holds(const attempt *t)
{
  if (!(t->residual <= HOLDS)) return false;
  for (int a = 0; a < t->n_active; a++)
    if (t->v[10 + a] < -HOLDS) return false;
  for (int k = 0; k < t->placed->n; k++)
    if (!is_active(t, k) && srs_placed_surface_at(t->placed, k, point_of(t, t->v, k)).value > HOLDS) return false;
  return true;
}

// From the end of a program whose weights of A pull with `pull` along n, with the functions whose weights are above
// `likely` times what they are below zero.
static void begin(attempt *t, const srs_program_end *end, vec3 n, double gap, double pull, double likely)
{
  vec3_store(t->v, end->point_a), vec3_store(t->v + 3, end->point_b), vec3_store(t->v + 6, n);
  t->v[9] = gap;
  t->n_active = 0;
  for (int side = 0; side < 2; side++) {
    const int first = side == 0 ? 0 : t->placed->n_a, last = side == 0 ? t->placed->n_a : t->placed->n;
    int best = first, taken = 0;
    for (int k = first; k < last; k++)
      if (end->weight[k] * end->below[best] > end->weight[best] * end->below[k]) best = k;
    for (int k = first; k < last; k++)
      if (k == best || (end->weight[k] > likely * pull * end->below[k] && taken + 1 < MOST_ACTIVE / 2))
        activate(t, k, end->weight[k] / pull), taken++;
  }
}

// Is the way out the shortest among those nearby? If A is moved by e across n, n turns by d with (R + s) d = e, R the
// radii of curvature of both bodies together; that has to have no negative eigenvalue, nor has its inverse.
static bool is_least(const attempt *t)
{
  kkt_system s;
  vec3 across[2], turned[2];
  const vec3 n = vec3_load(t->v + 6);
  const vec3 axis = fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  const vec3 first = cross3(n, axis);
  across[0] = scale3(1 / norm3(first), first), across[1] = cross3(n, across[0]);
  system_at(t, t->v, &s);
  for (int i = 0; i < 2; i++) {
    double step[MOST_SYSTEM];
    for (int k = 0; k < s.n; k++) s.f[k] = 0;
    vec3_store(s.f, across[i]);
    damped_step(&s, 1e-15, step);
    turned[i] = vec3_load(step + 6);
    double rest = 0;
    for (int k = 0; k < s.n; k++) {
      double sum = s.f[k];
      for (int m = 0; m < s.n; m++) sum += s.j[k][m] * step[m];
      rest = fmax(rest, fabs(sum));
    }
    if (rest > 1e-3) return true; // all around is as good
  }
  const double xx = dot3(across[0], turned[0]), yy = dot3(across[1], turned[1]);
  const double xy = 0.5 * (dot3(across[0], turned[1]) + dot3(across[1], turned[0]));
  const double least = 0.5 * (xx + yy) - hypot(0.5 * (xx - yy), xy);
  return least >= -1e-6 * (1 + fabs(xx) + fabs(yy)) || least < -1e5;
}

// Is there an answer to (1) near this start, apart or with a gap no less than this?
static bool solve_active_set(attempt *t, double least)
{
  for (int set = 0; set < MOST_SETS; set++) {
    solve_conditions(t);
    if (!(t->residual < 1e-3)) return false;
    if (change_set(t)) continue;
    return t->is_proven = holds(t) && (t->v[9] > -1e-9 || (t->v[9] >= least - 1e-7 && is_least(t)));
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// The query

typedef struct query {
  srs_placed_surfaces placed;
  vec3 origin;             // of the units, world
  vec3 centre_a, centre_b; // strictly inside, units
} query;

// Tries (1) from where A moved by `shift` is nearest to B; keeps the result if it is better than `best`, and returns
// in `normal` where to continue. False where they are not well apart there.
static bool try_from(const query *q, vec3 shift, attempt *best, vec3 *normal, bool *is_solved)
{
  srs_program_end end;
  *is_solved = false;
  const bool is_found = srs_distance_program(&q->placed, shift, q->centre_a, q->centre_b, 0.5 * APART, &end);
  best->iterations += end.iterations;
  const vec3 r = add3(shift, sub3(end.point_a, end.point_b));
  const double distance = norm3(r);
  if (!is_found || !(distance > 0.5 * APART)) return false;
  *normal = scale3(1 / distance, r);
  const double gap = distance - dot3(shift, *normal), most = fmax(gap, best->most);
  attempt t = *best;
  static const double likely[3] = {1, 1e-3, 1e-6};
  for (int i = 0; i < 3 && !*is_solved; i++) {
    begin(&t, &end, *normal, gap, distance, likely[i]);
    *is_solved = solve_active_set(&t, most);
    if (!(t.residual < 1e-3)) break;
  }
  best->iterations = t.iterations;
  if (*is_solved || gap > best->most) *best = t, best->most = most;
  return true;
}

// The first normal: from the line of centres, or, where that leads nowhere, from an axis.
static bool first_try(const query *q, attempt *t, vec3 *n, bool *is_solved)
{
  const vec3 between = sub3(q->centre_a, q->centre_b);
  const double far = norm3(between);
  const vec3 ways[7] = {far > 1e-9 ? scale3(1 / far, between) : (vec3){0, 0, 1},
                        {1, 0, 0},
                        {-1, 0, 0},
                        {0, 1, 0},
                        {0, -1, 0},
                        {0, 0, 1},
                        {0, 0, -1}};
  if (try_from(q, vec3_zero, t, n, is_solved)) return true;
  for (int way = 0; way < 7; way++)
    for (int doubling = 0; doubling < MOST_DOUBLINGS; doubling++)
      if (try_from(q, scale3(ldexp(1, doubling), ways[way]), t, n, is_solved)) return true;
  return false;
}

// Normals that follow each other slowly point the way: as long as that gets better, twice as far each time.
static bool solve_query(const query *q, attempt *t)
{
  *t = (attempt){.placed = &q->placed, .most = -INFINITY, .residual = INFINITY};
  vec3 best, turn = vec3_zero;
  bool is_solved;
  double beyond = 0;
  if (!first_try(q, t, &best, &is_solved)) return false;
  for (int round = 0; round < MOST_MOVES && !is_solved; round++) {
    const double before = t->most;
    const vec3 ahead = add_scaled3(best, beyond, turn), n = scale3(1 / norm3(ahead), ahead);
    vec3 found;
    if (!try_from(q, scale3((fmax(0, -before) + APART) / dot3(n, best), n), t, &found, &is_solved)) break;
    const bool is_better = t->most > before;
    if (!is_better && beyond == 0) break;
    beyond = is_better ? fmin(fmax(1, 2 * beyond), 0.5 / norm3(sub3(found, best))) : 0;
    if (is_better) turn = sub3(found, best), best = found;
  }
  return true;
}

static bool is_half_space(const srs_surface_body *body)
{
  return body->n == 1 && body->surfaces[0].kind == SRS_SURFACE_HALF_SPACE;
}

typedef struct frame {
  mat3 axes;
  vec3 origin;
} frame;

static frame frame_of(const srs_pose *pose)
{
  return (frame){mat3_from_rows(pose->rotation), vec3_load(pose->position)};
}

static void place_body(const srs_surface_body *body, const frame *at, vec3 origin, srs_placed_surfaces *placed)
{
  for (int i = 0; i < body->n; i++) {
    const int k = placed->n++;
    frame own = {mat3_identity, vec3_zero};
    if (body->poses != NULL) own = frame_of(&body->poses[i]);
    placed->surface[k] = &body->surfaces[i];
    placed->axes[k] = mul3(at->axes, own.axes);
    placed->origin[k] = scale3(1 / placed->scale, add3(sub3(at->origin, origin), rotate(at->axes, own.origin)));
  }
}

// Where a body's point lies that is well inside; of half-spaces one near the other body's, as deep.
static vec3 centre_of(const query *q, const srs_surface_body *body, const frame *at, int first, vec3 other)
{
  if (is_half_space(body)) {
    const double height = srs_placed_surface_at(&q->placed, first, other).value;
    return add_scaled3(other, -fmax(height, 0) - 1, q->placed.axes[first].z);
  }
  const vec3 centre = add3(at->origin, rotate(at->axes, vec3_load(body->centre)));
  return scale3(1 / q->placed.scale, sub3(centre, q->origin));
}

static void write_gap(const query *q, const attempt *t, srs_surface_gap *gap)
{
  const double scale = q->placed.scale;
  *gap = (srs_surface_gap){
      .gap = scale * t->v[9], .iterations = t->iterations, .residual = t->residual, .is_proven = t->is_proven};
  vec3_store(gap->point_a, add_scaled3(q->origin, scale, vec3_load(t->v)));
  vec3_store(gap->point_b, add_scaled3(q->origin, scale, vec3_load(t->v + 3)));
  vec3_store(gap->normal, vec3_load(t->v + 6));
  for (int a = 0; a < t->n_active; a++) {
    const int k = t->active[a], n_a = q->placed.n_a;
    double *weight = k < n_a ? &gap->weight_a[k] : &gap->weight_b[k - n_a];
    *weight = fmax(0, t->v[10 + a]);
  }
}

bool srs_surface_closest(const srs_surface_body *a, const srs_pose *pose_a, const srs_surface_body *b,
                         const srs_pose *pose_b, srs_surface_gap *gap)
{
  if (is_half_space(a) && is_half_space(b)) return false;
  query q;
  const frame at_a = frame_of(pose_a), at_b = frame_of(pose_b);
  const bool is_b_origin = is_half_space(a);
  const frame *first = is_b_origin ? &at_b : &at_a;
  q.origin = add3(first->origin, rotate(first->axes, vec3_load(is_b_origin ? b->centre : a->centre)));
  q.placed.n = 0;
  q.placed.scale = (is_half_space(a) ? b->depth : a->depth) + (is_half_space(b) ? a->depth : b->depth);
  place_body(a, &at_a, q.origin, &q.placed);
  q.placed.n_a = q.placed.n;
  place_body(b, &at_b, q.origin, &q.placed);
  q.centre_a = centre_of(&q, a, &at_a, 0, vec3_zero); // the origin is the other body's centre where it matters
  q.centre_b = centre_of(&q, b, &at_b, q.placed.n_a, vec3_zero);
  attempt t;
  if (!solve_query(&q, &t) || !(t.residual < INFINITY)) return false;
  write_gap(&q, &t, gap);
  return true;
}

bool srs_surface_union_closest(const srs_surface_body *a, int n_a, const srs_pose *pose_a, const srs_surface_body *b,
                               int n_b, const srs_pose *pose_b, srs_surface_gap *gap)
{
  gap->gap = INFINITY;
  for (int i = 0; i < n_a; i++)
    for (int j = 0; j < n_b; j++) {
      srs_surface_gap other;
      if (!srs_surface_closest(&a[i], pose_a, &b[j], pose_b, &other)) return false;
      if (!(other.gap < gap->gap)) continue;
      *gap = other;
      gap->body_a = i, gap->body_b = j;
    }
  return gap->gap < INFINITY;
}

// ---------------------------------------------------------------------------------------------------------------------

// The largest of a surface's lengths: its sizes, and how far its frame is from the mean of all.
static double length_of(const srs_surface_body *body, vec3 mean, int i)
{
  const srs_surface *s = &body->surfaces[i];
  double length = body->poses != NULL ? norm3(sub3(vec3_load(body->poses[i].position), mean)) : 0;
  for (int c = 0; c < srs_surface_sizes[s->kind]; c++) length = fmax(length, s->size[c]);
  return length;
}

srs_status srs_surface_body_prepare(srs_surface_body *body, srs_error *error)
{
  if (body->n < 1 || body->n > SRS_BODY_SURFACES)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a body has 1 to %d surfaces, not %d",
                    SRS_BODY_SURFACES, body->n);
  vec3 mean = vec3_zero;
  double length = 0;
  for (int i = 0; i < body->n; i++) {
    const srs_status status = srs_surface_check(&body->surfaces[i], error);
    if (status != SRS_OK) return status;
    if (body->poses != NULL) mean = add_scaled3(mean, 1.0 / body->n, vec3_load(body->poses[i].position));
  }
  for (int i = 0; i < body->n; i++) length = fmax(length, length_of(body, mean, i));
  srs_placed_surfaces placed = {.n = 0, .n_a = body->n, .scale = length > 0 ? length : 1};
  const frame at = {mat3_identity, vec3_zero};
  place_body(body, &at, vec3_zero, &placed);
  srs_program_end end;
  srs_level_program(&placed, scale3(1 / placed.scale, mean), -1, &end);
  if (!(end.level < -1e-9))
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL,
                    "a body has no inside: no point lies below zero of all of its %d surfaces", body->n);
  vec3_store(body->centre, scale3(placed.scale, end.point_a));
  body->depth = -placed.scale * end.level;
  return SRS_OK;
}
