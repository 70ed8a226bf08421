// Reduction of a contact manifold: the few points that bound the contact area, a polygon grown from inside.
//
// The points are seen along the normal of the deepest. The first two are the one farthest from the middle and the one
// farthest from that; each further point lies farthest outside the polygon so far. Last, the deepest replaces the one
// added last, unless one as deep is kept. Candidates are sorted by feature first, and a later one must be better by
// more than rounding: regular areas, where all is a tie, keep the same points from step to step.

#include "collision/manifold/reduce.h"

typedef struct point2 {
  double x, y;
} point2;

typedef struct selection {
  const srs_touch *touches;
  int n;
  vec3 right, up;                 // of the plane it is seen in
  double extent;                  // largest distance from the middle
  int kept[SRS_MANIFOLD_POINTS];  // counter-clockwise
  point2 at[SRS_MANIFOLD_POINTS]; // where these are
  int n_kept, last;               // last: index of the contact point that came last
} selection;

static void sort_by_feature(srs_touch *touches, int n)
{
  for (int i = 1; i < n; i++) {
    const srs_touch touch = touches[i];
    int k = i;
    for (; k > 0 && touches[k - 1].feature > touch.feature; k--) touches[k] = touches[k - 1];
    touches[k] = touch;
  }
}

static int deepest_of(const srs_touch *touches, int n)
{
  int deepest = 0;
  for (int i = 1; i < n; i++) {
    if (touches[i].gap < touches[deepest].gap) deepest = i;
  }
  return deepest;
}

// Any two axes across the normal; nothing depends on which.
static void set_view(selection *p, vec3 normal)
{
  const vec3 least = fabs(normal.x) <= fabs(normal.y) && fabs(normal.x) <= fabs(normal.z) ? (vec3){1, 0, 0}
                     : fabs(normal.y) <= fabs(normal.z)                                   ? (vec3){0, 1, 0}
                                                                                          : (vec3){0, 0, 1};
  const vec3 right = cross3(least, normal);
  p->right = scale3(1 / norm3(right), right);
  p->up = cross3(normal, p->right);
}

static point2 seen(const selection *p, int i)
{
  const vec3 d = sub3(p->touches[i].a, p->touches[0].a);
  return (point2){dot3(p->right, d), dot3(p->up, d)};
}

static double distance2(point2 a, point2 b) { return hypot(a.x - b.x, a.y - b.y); }

static int farthest(const selection *p, point2 from, double *distance)
{
  int best = 0;
  *distance = distance2(seen(p, 0), from);
  for (int i = 1; i < p->n; i++) {
    const double d = distance2(seen(p, i), from);
    if (d > *distance * (1 + 1e-9)) *distance = d, best = i;
  }
  return best;
}

// How far q lies to the right of the line from a to b, which is outside.
static double outside_edge(point2 a, point2 b, point2 q)
{
  const double x = b.x - a.x, y = b.y - a.y;
  return (y * (q.x - a.x) - x * (q.y - a.y)) / hypot(x, y);
}

// The contact point that lies farthest outside of those kept, and behind which of them it belongs; -1: none does.
static int farthest_outside(const selection *p, int *behind)
{
  int best = -1;
  double most = 0;
  for (int i = 0; i < p->n; i++) {
    const point2 q = seen(p, i);
    for (int k = 0; k < p->n_kept; k++) {
      const double d = outside_edge(p->at[k], p->at[(k + 1) % p->n_kept], q);
      if (d > most + 1e-9 * p->extent) most = d, best = i, *behind = k;
    }
  }
  return best;
}

static void keep(selection *p, int node, int place)
{
  for (int k = p->n_kept; k > place; k--) p->kept[k] = p->kept[k - 1], p->at[k] = p->at[k - 1];
  p->kept[place] = node;
  p->at[place] = seen(p, node);
  p->last = node;
  p->n_kept++;
}

static void keep_deepest(selection *p, int deepest)
{
  int last = 0;
  for (int k = 0; k < p->n_kept; k++) {
    if (p->touches[p->kept[k]].gap <= p->touches[deepest].gap + 1e-12 * p->extent) return;
    if (p->kept[k] == p->last) last = k;
  }
  if (p->n_kept == SRS_MANIFOLD_POINTS)
    p->kept[last] = deepest;
  else
    p->kept[p->n_kept++] = deepest;
}

int srs_manifold_reduce(srs_touch *touches, int n)
{
  sort_by_feature(touches, n);
  if (n <= SRS_MANIFOLD_POINTS) return n;
  selection p = {.touches = touches, .n = n};
  const int deepest = deepest_of(touches, n);
  set_view(&p, touches[deepest].normal);
  point2 middle = {0, 0};
  for (int i = 0; i < n; i++) {
    const point2 q = seen(&p, i);
    middle.x += q.x / n, middle.y += q.y / n;
  }
  double length;
  keep(&p, farthest(&p, middle, &p.extent), 0);
  const int opposite = farthest(&p, p.at[0], &length);
  if (length > 0) keep(&p, opposite, 1);
  while (p.n_kept >= 2 && p.n_kept < SRS_MANIFOLD_POINTS) {
    int behind = 0;
    const int node = farthest_outside(&p, &behind);
    if (node < 0) break;
    keep(&p, node, behind + 1);
  }
  if (p.n_kept == 1)
    p.kept[0] = deepest; // all lie in one place
  else
    keep_deepest(&p, deepest);

  srs_touch kept[SRS_MANIFOLD_POINTS];
  for (int k = 0; k < p.n_kept; k++) kept[k] = touches[p.kept[k]];
  for (int k = 0; k < p.n_kept; k++) touches[k] = kept[k];
  sort_by_feature(touches, p.n_kept);
  return p.n_kept;
}
