// Which solids are painted over which? Two convex solids that do not overlap have a plane between them; the one on the
// viewer's side of it is painted later. Planes are looked for along the normals of both and along the line of their
// centres; a normal n parts them when min n.a - max n.b over their points is (nearly) positive, and of all tried the
// one with the widest gap counts. Where none parts them the nearer centre decides. The solids are then drawn so that
// each comes after all that it hides (a topological sort, by nearness among those that are free to go); where these go
// in a circle the farthest of them goes first.
#include "tools/pictures/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool overlap(const sketch_solid *a, const sketch_solid *b)
{
  for (int i = 0; i < 2; i++)
    if (a->low[i] >= b->high[i] || b->low[i] >= a->high[i]) return false;
  return true;
}

static void span(const sketch *s, const sketch_solid *solid, const double n[3], double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (int i = 0; i < solid->n_points; i++) {
    const double *p = &s->points[3 * (size_t)(solid->first_point + i)];
    const double along = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
    *low = fmin(*low, along);
    *high = fmax(*high, along);
  }
}

typedef struct parting {
  double gap; // the widest so far
  int verdict;
} parting;

// What the plane with normal n says.
static void try_normal(const sketch *s, const sketch_solid *a, const sketch_solid *b, const double n[3], parting *best)
{
  double a_low, a_high, b_low, b_high;
  span(s, a, n, &a_low, &a_high);
  span(s, b, n, &b_low, &b_high);
  const double a_above = a_low - b_high, b_above = b_low - a_high;
  const double gap = fmax(a_above, b_above);
  if (gap <= best->gap) return;
  best->gap = gap;
  const double toward = a_above >= b_above ? n[2] : -n[2]; // from b to a
  best->verdict = fabs(toward) < 1e-9 ? 0 : toward > 0 ? 1 : -1;
}

static double middle(const sketch_solid *a, int i) { return (a->low[i] + a->high[i]) / 2; }

int order_compare(const sketch *s, int first, int second)
{
  const sketch_solid *a = &s->solids[first], *b = &s->solids[second];
  double size = 0, line[3], length = 0;
  for (int i = 0; i < 3; i++) {
    size = fmax(size, fmin(a->high[i] - a->low[i], b->high[i] - b->low[i]));
    line[i] = middle(a, i) - middle(b, i);
    length = hypot(length, line[i]);
  }
  parting best = {-0.02 * size - 1e-12, 0}; // solids that touch overlap a little
  const double before = best.gap;
  for (int i = 0; i < a->n_normals; i++) try_normal(s, a, b, &s->normals[3 * (size_t)(a->first_normal + i)], &best);
  for (int i = 0; i < b->n_normals; i++) try_normal(s, a, b, &s->normals[3 * (size_t)(b->first_normal + i)], &best);
  if (length > 0) {
    for (int i = 0; i < 3; i++) line[i] /= length;
    try_normal(s, a, b, line, &best);
  }
  if (best.gap > before) return best.verdict;
  const double toward = middle(a, 2) - middle(b, 2);
  return toward > 1e-9 * size ? 1 : toward < -1e-9 * size ? -1 : 0;
}

// Takes the farthest solid of those that hide nothing unpainted; of all where there is none such.
static int next_solid(const sketch *s, const int *n_behind, const bool *is_done)
{
  int best = -1;
  for (int i = 0; i < s->n_solids; i++) {
    if (is_done[i]) continue;
    if (best >= 0) {
      const bool is_free = n_behind[i] == 0, best_is_free = n_behind[best] == 0;
      if (best_is_free && !is_free) continue;
      if (best_is_free == is_free && middle(&s->solids[i], 2) >= middle(&s->solids[best], 2)) continue;
    }
    best = i;
  }
  return best;
}

bool order_solids(const sketch *s, int *order)
{
  const size_t n = (size_t)s->n_solids;
  signed char *nearer = calloc(n * n + 1, 1); // n x n: 1 where the row's solid hides the column's
  int *n_behind = calloc(n + 1, sizeof *n_behind);
  bool *is_done = calloc(n + 1, sizeof *is_done);
  const bool has_memory = nearer != NULL && n_behind != NULL && is_done != NULL;
  if (has_memory) {
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < i; j++) {
        if (!overlap(&s->solids[i], &s->solids[j])) continue;
        const int verdict = order_compare(s, (int)i, (int)j);
        if (verdict == 0) continue;
        nearer[verdict > 0 ? i * n + j : j * n + i] = 1;
        n_behind[verdict > 0 ? i : j]++;
      }
    }
    for (size_t k = 0; k < n; k++) {
      const int next = next_solid(s, n_behind, is_done);
      order[k] = next;
      is_done[next] = true;
      for (size_t i = 0; i < n; i++)
        if (nearer[i * n + (size_t)next] != 0) n_behind[i]--;
    }
  }
  free(nearer);
  free(n_behind);
  free(is_done);
  return has_memory;
}
