// Which corners, facets and edges carry the contact of two bodies that have grown or shrunk until they touch?
//
// In the frame of body 1, d from its centre to the other's, w and v corners of bodies 1 and 2 from their centres:
//
//   corner w on the facet g . v <= 1 of body 2:  t = -g . d / (1 - g . w),  n = -g / (1 - g . w),  x = t w
//   corner v on a facet of body 1: the same with the bodies exchanged
//   edges p + s a and q + u b, m = a x b:        t = m . d / m . (p - q),   n = m / m . (p - q),    x = t (p + s a)
//
// n = dt/dd and n . d = t in each. A feature of n parts the bodies if no points have n . (w - v) > 1 (h = 1); where h
// is greater, n alone asks for t / h only, and an event at t is none of these bodies'.
//
// Where to look: with the optimum's n (h1 + h2 = 1, n . d = r), a point near both grown bodies lies between the planes
// n . x = t h1 and r - t h2. So features of body 1 reach up to n . w >= h1 - (1 - r/t) - 2 epsilon_x |n| / t, those of
// body 2 likewise: few do, and only those are paired, a block of each at a time.
#include "collision/ratio/ratio_events.h"

static const double SMALLEST = 1e-9;
static const double PARALLEL = 1e-9; // sine of the angle between two edges
enum { BLOCK = 256 };

typedef struct search {
  const srs_polytope_pair *pair;
  const srs_ratio_event_options *options;
  double r, least_t, most_t;
  vec3 n[2];                     // outward for each body, in its frame: n and -n
  double level[2];               // features of each body below this are not near
  vec3 toward[2];                // the other's centre from each, in its frame
  int n_some[2], some[2][BLOCK]; // near corners of each body, as many as there is room for
  srs_ratio_event *events;
  int capacity, n_kept, n_found;
} search;

// ---------------------------------------------------------------------------------------------------------------------
// Keeping
// ---------------------------------------------------------------------------------------------------------------------

static int by_features(const srs_ratio_event *a, const srs_ratio_event *b)
{
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->feature_1 != b->feature_1) return a->feature_1 < b->feature_1 ? -1 : 1;
  return a->feature_2 < b->feature_2 ? -1 : a->feature_2 > b->feature_2;
}

static bool is_worse(const srs_ratio_event *a, const srs_ratio_event *b)
{
  return a->t != b->t ? a->t > b->t : by_features(a, b) > 0;
}

// Sinks the event at `hole` in a heap whose top is the worst, or the last by features.
static void sink(srs_ratio_event *heap, int n, int hole, srs_ratio_event moving, bool by_t)
{
  for (int child = 2 * hole + 1; child < n; child = 2 * hole + 1) {
    if (child + 1 < n &&
        (by_t ? is_worse(&heap[child + 1], &heap[child]) : by_features(&heap[child + 1], &heap[child]) > 0))
      child++;
    if (by_t ? !is_worse(&heap[child], &moving) : by_features(&heap[child], &moving) <= 0) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = moving;
}

static void heapify(srs_ratio_event *events, int n, bool by_t)
{
  for (int i = n / 2 - 1; i >= 0; i--) sink(events, n, i, events[i], by_t);
}

static void sort_by_features(srs_ratio_event *events, int n)
{
  heapify(events, n, false);
  for (int end = n - 1; end > 0; end--) {
    const srs_ratio_event last = events[end];
    events[end] = events[0];
    sink(events, end, 0, last, false);
  }
}

// The greatest n . (w - v) over both bodies; n in the first's frame.
static double span_of(const srs_polytope_pair *pair, vec3 n)
{
  int corner;
  return srs_polytope_support(pair->body[0], n, &corner) +
         srs_polytope_support(pair->body[1], rotate_back(pair->axes, scale3(-1, n)), &corner);
}

// Whether corners nearby already show that n separates too little: most normals that do not separate the bodies fail
// here.
static bool is_refuted(const search *s, double t, vec3 n)
{
  const vec3 outward[2] = {n, rotate_back(s->pair->axes, scale3(-1, n))};
  double span = 0;
  for (int body = 0; body < 2; body++) {
    double most = -INFINITY;
    for (int i = 0; i < s->n_some[body]; i++)
      most = fmax(most, dot3(outward[body], s->pair->body[body]->corners[s->some[body][i]]));
    span += most;
  }
  return !(t - t / span <= s->options->epsilon_h);
}

// n, x, w, v in the first's frame; w and v from the bodies' own centres.
static void keep(search *s, srs_ratio_event_kind kind, int feature_1, int feature_2, double t, vec3 n, vec3 x, vec3 w,
                 vec3 v)
{
  const srs_polytope_pair *pair = s->pair;
  if (is_refuted(s, t, n)) return;
  const double span = span_of(pair, n);
  if (!(t - t / span <= s->options->epsilon_h)) return;
  const vec3 world_n = rotate(pair->to_world, n), arm = rotate(pair->to_world, x);
  const vec3 other = rotate(pair->to_world, sub3(x, pair->between));
  srs_ratio_event e = {.kind = kind, .feature_1 = feature_1, .feature_2 = feature_2, .t = t, .phi = (t - 1) / t};
  vec3_store(e.witness, add3(pair->origin, arm));
  vec3_store(e.normal, world_n);
  vec3_store(e.turn1, cross3(world_n, arm));
  vec3_store(e.turn2, cross3(other, world_n));
  vec3_store(e.point_1, add3(pair->origin, rotate(pair->to_world, w)));
  vec3_store(e.point_2, add3(pair->origin, rotate(pair->to_world, add3(pair->between, v))));
  e.gap = (t - 1) / norm3(n); // phi n . d / |n|
  s->n_found++;
  if (s->n_kept < s->capacity) {
    s->events[s->n_kept++] = e;
    if (s->n_kept == s->capacity) heapify(s->events, s->n_kept, true);
  } else if (s->capacity > 0 && is_worse(&s->events[0], &e)) {
    sink(s->events, s->n_kept, 0, e, true);
  }
}

static bool is_in_time(const search *s, double t) { return t > 0 && t >= s->least_t && t <= s->most_t; }

// ---------------------------------------------------------------------------------------------------------------------
// Corners on facets
// ---------------------------------------------------------------------------------------------------------------------

// How far a point of a facet's plane is from the facet.
static double beyond_facet(const srs_polytope *p, int facet, vec3 x)
{
  const int begin = p->facet_begin[facet], end = p->facet_begin[facet + 1];
  const bool is_segment = p->dimension == 2;
  double least = INFINITY;
  bool is_inside = true;
  for (int i = begin; i < end; i++) {
    const vec3 a = p->corners[p->facet_corners[i]];
    const vec3 along = sub3(p->corners[p->facet_corners[i + 1 < end ? i + 1 : begin]], a), from = sub3(x, a);
    if (!is_segment && dot3(cross3(along, p->normals[facet]), from) <= 0) continue;
    const double part = dot3(along, from) / dot3(along, along);
    is_inside = is_inside && is_segment && part >= 0 && part <= 1;
    least = fmin(least, norm3(add_scaled3(from, -fmin(fmax(part, 0), 1), along)));
  }
  return is_inside ? 0 : least;
}

static bool is_near(const search *s, int body, vec3 corner) { return dot3(s->n[body], corner) >= s->level[body]; }

// Near corners from *next on; *next becomes the first that was not looked at.
static int gather_corners(const search *s, int body, int *next, int near[BLOCK])
{
  const srs_polytope *p = s->pair->body[body];
  int n = 0;
  for (; *next < p->n_corners && n < BLOCK; (*next)++)
    if (is_near(s, body, p->corners[*next])) near[n++] = *next;
  return n;
}

static bool facet_is_near(const search *s, int body, int facet)
{
  const srs_polytope *p = s->pair->body[body];
  for (int i = p->facet_begin[facet]; i < p->facet_begin[facet + 1]; i++)
    if (is_near(s, body, p->corners[p->facet_corners[i]])) return true;
  return false;
}

// A corner w of one body, seen from the centre and in the frame of the facet's, `holder`.
static void try_corner(search *s, int holder, int facet, int corner, vec3 w)
{
  const srs_polytope_pair *pair = s->pair;
  const srs_polytope *p = pair->body[holder];
  const vec3 g = {p->gauge[0][facet], p->gauge[1][facet], p->gauge[2][facet]};
  const vec3 between = s->toward[holder]; // to the centre of the corner's body
  const double span = 1 - dot3(g, w), t = dot3(g, between) / span;
  if (!is_in_time(s, t)) return;
  const vec3 x = add_scaled3(between, t, w), on = scale3(1 / t, x); // from the facet's centre
  if (!(t * beyond_facet(p, facet, on) <= s->options->epsilon_x)) return;
  const vec3 n = scale3(1 / span, g);
  // As they are, t = 1: the corner, and its foot on the facet's plane.
  const vec3 at = add3(between, w);
  const vec3 foot = add_scaled3(at, p->offsets[facet] - dot3(p->normals[facet], at), p->normals[facet]);
  if (holder == 0)
    keep(s, SRS_RATIO_EVENT_FACET_ON_CORNER, facet, corner, t, n, x, foot, sub3(at, between));
  else
    keep(s, SRS_RATIO_EVENT_CORNER_ON_FACET, corner, facet, t, rotate(pair->axes, scale3(-1, n)),
         add3(pair->between, rotate(pair->axes, x)), rotate(pair->axes, w), rotate(pair->axes, foot));
}

static void try_corners(search *s, int holder)
{
  const srs_polytope_pair *pair = s->pair;
  const int body = 1 - holder;
  int near[BLOCK];
  for (int next = 0; next < pair->body[body]->n_corners;) {
    const int n = gather_corners(s, body, &next, near);
    vec3 seen[BLOCK];
    for (int i = 0; i < n; i++) {
      const vec3 w = pair->body[body]->corners[near[i]];
      seen[i] = body == 0 ? rotate_back(pair->axes, w) : rotate(pair->axes, w);
    }
    for (int facet = 0; n > 0 && facet < pair->body[holder]->n_facets; facet++) {
      if (!facet_is_near(s, holder, facet)) continue;
      for (int i = 0; i < n; i++) try_corner(s, holder, facet, near[i], seen[i]);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges on edges
// ---------------------------------------------------------------------------------------------------------------------

static int gather_edges(const search *s, int body, int *next, int near[BLOCK])
{
  const srs_polytope *p = s->pair->body[body];
  int n = 0;
  for (; *next < p->n_edges && n < BLOCK; (*next)++)
    if (is_near(s, body, p->corners[p->edges[*next].from]) || is_near(s, body, p->corners[p->edges[*next].to]))
      near[n++] = *next;
  return n;
}

static double beyond_edge(double part, double length) { return length * fmax(fmax(-part, part - 1), 0); }

typedef struct edge_line {
  vec3 from, along;
} edge_line;

// Points of the edges as they are, t = 1, from those that meet at t. The nearest points of both lines, if they are on
// the edges. Else (edges at a small angle, whose crossing runs far) about where they meet: those two are phi d apart,
// and what of that is across m is taken half from each.
static void points_on_edges(const srs_polytope_pair *pair, double t, vec3 m, edge_line one, edge_line two, vec3 *w,
                            vec3 *v)
{
  const vec3 now = add3(pair->between, sub3(two.from, one.from));
  const double square = dot3(m, m), part_1 = dot3(cross3(now, two.along), m) / square,
               part_2 = dot3(cross3(now, one.along), m) / square;
  if (part_1 >= 0 && part_1 <= 1 && part_2 >= 0 && part_2 <= 1) {
    *w = add_scaled3(one.from, part_1, one.along);
    *v = add_scaled3(two.from, part_2, two.along);
    return;
  }
  const vec3 apart = scale3((t - 1) / t, pair->between);
  const vec3 across = add_scaled3(apart, -dot3(apart, m) / square, m);
  *w = add_scaled3(*w, 0.5, across);
  *v = add_scaled3(*v, -0.5, across);
}

static void try_edges(search *s, int edge_1, int edge_2)
{
  const srs_polytope_pair *pair = s->pair;
  const srs_polytope *one = pair->body[0], *two = pair->body[1];
  const vec3 p = one->corners[one->edges[edge_1].from], a = sub3(one->corners[one->edges[edge_1].to], p);
  const vec3 from = two->corners[two->edges[edge_2].from], to = two->corners[two->edges[edge_2].to];
  const vec3 q = rotate(pair->axes, from), b = rotate(pair->axes, sub3(to, from));
  const vec3 m = cross3(a, b), apart = sub3(p, q);
  const double square = dot3(m, m), span = dot3(m, apart), t = dot3(m, pair->between) / span;
  if (!(square > PARALLEL * PARALLEL * dot3(a, a) * dot3(b, b)) || !is_in_time(s, t)) return;
  const vec3 left = add_scaled3(scale3(-1, apart), 1 / t, pair->between);
  const double part_1 = dot3(cross3(left, b), m) / square, part_2 = dot3(cross3(left, a), m) / square;
  if (!(t * fmax(beyond_edge(part_1, norm3(a)), beyond_edge(part_2, norm3(b))) <= s->options->epsilon_x)) return;
  const vec3 x = scale3(t, add_scaled3(p, part_1, a));
  vec3 w = add_scaled3(p, part_1, a), v = add_scaled3(q, part_2, b);
  points_on_edges(pair, t, m, (edge_line){p, a}, (edge_line){q, b}, &w, &v);
  keep(s, SRS_RATIO_EVENT_EDGE_ON_EDGE, edge_1, edge_2, t, scale3(1 / span, m), x, w, v);
}

static void try_all_edges(search *s)
{
  int near_1[BLOCK], near_2[BLOCK];
  for (int next_1 = 0; next_1 < s->pair->body[0]->n_edges;) {
    const int n_1 = gather_edges(s, 0, &next_1, near_1);
    for (int next_2 = 0; n_1 > 0 && next_2 < s->pair->body[1]->n_edges;) {
      const int n_2 = gather_edges(s, 1, &next_2, near_2);
      for (int i = 0; i < n_1; i++)
        for (int k = 0; k < n_2; k++) try_edges(s, near_1[i], near_2[k]);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The search
// ---------------------------------------------------------------------------------------------------------------------

int srs_ratio_find_events(const srs_polytope_pair *pair, const srs_ratio *ratio, const srs_ratio_event_options *options,
                          srs_ratio_event *events, int capacity)
{
  if (!(ratio->r > 0)) return 0;
  const vec3 n = rotate_back(pair->to_world, vec3_load(ratio->normal));
  search s = {.pair = pair, .options = options, .r = ratio->r, .events = events, .capacity = capacity};
  s.least_t = ratio->r - options->epsilon_0;
  s.most_t = ratio->r + options->epsilon_t;
  s.n[0] = n, s.n[1] = rotate_back(pair->axes, scale3(-1, n));
  s.toward[0] = pair->between, s.toward[1] = rotate_back(pair->axes, scale3(-1, pair->between));
  const double slack =
      1 - ratio->r / s.most_t + 2 * options->epsilon_x * norm3(n) / fmax(s.least_t, 1e-300) + SMALLEST; // for rounding
  for (int body = 0; body < 2; body++) {
    int corner;
    s.level[body] = srs_polytope_support(pair->body[body], s.n[body], &corner) - slack;
    int next = 0;
    s.n_some[body] = gather_corners(&s, body, &next, s.some[body]);
  }
  try_corners(&s, 1);
  try_corners(&s, 0);
  try_all_edges(&s);
  sort_by_features(events, s.n_kept);
  return s.n_found;
}

int srs_ratio_events(const srs_polytope *polytope_1, const srs_pose *pose_1, const srs_polytope *polytope_2,
                     const srs_pose *pose_2, const srs_ratio *ratio, const srs_ratio_event_options *options,
                     srs_ratio_event *events, int capacity)
{
  srs_polytope_pair pair;
  if (!srs_polytope_pair_make(polytope_1, mat3_from_rows(pose_1->rotation), vec3_load(pose_1->position), polytope_2,
                              mat3_from_rows(pose_2->rotation), vec3_load(pose_2->position), &pair))
    return 0;
  if (polytope_1->dimension == 2) pair.origin.z = 0;
  return srs_ratio_find_events(&pair, ratio, options, events, capacity);
}

srs_ratio_event_options srs_default_ratio_event_options(const srs_polytope *one, const srs_polytope *two, double travel)
{
  const double inradii = one->inradius + two->inradius, reach = one->reach + two->reach;
  const double epsilon_t = fmax(2 * travel / inradii, SMALLEST);
  return (srs_ratio_event_options){.epsilon_x =
                                       fmax(travel * (1 + reach / inradii), SMALLEST * fmin(one->reach, two->reach)),
                                   .epsilon_t = epsilon_t,
                                   .epsilon_0 = epsilon_t,
                                   .epsilon_h = epsilon_t};
}
