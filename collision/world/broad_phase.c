// The broad phase: which of the pairs that pass the filters are near each other?
//
// Few pairs are listed once and each is tested: bounding spheres, and signed distances to half-spaces. Many are swept
// (sweep and prune): the spheres' intervals along the coordinate axis on which their centres spread most are sorted by
// their lower ends, and each is compared with those that begin before it ends; half-spaces are compared with
// everything. The sort starts from nothing each time, and the pairs found are put in order by counting, so no call
// depends on the one before.
#include "collision/world/broad_phase.h"
#include "topology/base/errors.h"

// Up to this many pairs looking at each costs no more than a sweep, however crowded it is (measured with spheres).
enum { FEW_PAIRS = 600 };

// As many pairs a geometry are near each other in heaps of like bodies, and more.
enum { USUAL_PAIRS = 32 };

// ---------------------------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------------------------

static bool list_pairs(srs_broad_phase *b, srs_arena *arena)
{
  const int n = b->geometries->n;
  int *begin = srs_arena_take(arena, (size_t)n + 1, sizeof *begin);
  int *others = srs_arena_take(arena, (size_t)b->n_pairs, sizeof *others);
  if (arena->failed) return false;
  int count = 0;
  for (int i = 0; i < n; i++) {
    begin[i] = count;
    for (int j = i + 1; j < n; j++)
      if (srs_filter_passes(b->filter, i, j)) others[count++] = j;
  }
  begin[n] = count;
  b->begin = begin;
  b->others = others;
  return true;
}

static bool prepare_sweep(srs_broad_phase *b, srs_arena *arena)
{
  const srs_geometries *m = b->geometries;
  const size_t n = (size_t)m->n;
  int *bounded = srs_arena_take(arena, n, sizeof *bounded), *planes = srs_arena_take(arena, n, sizeof *planes);
  b->order = srs_arena_take(arena, n, sizeof *b->order);
  b->order_spare = srs_arena_take(arena, n, sizeof *b->order_spare);
  b->balls = srs_arena_take(arena, n, sizeof *b->balls);
  b->low = srs_arena_take(arena, n, sizeof *b->low);
  b->low_spare = srs_arena_take(arena, n, sizeof *b->low_spare);
  b->spare = srs_arena_take(arena, (size_t)b->capacity, sizeof *b->spare);
  b->count = srs_arena_take(arena, n + 1, sizeof *b->count);
  if (arena->failed) return false;
  for (int i = 0; i < m->n; i++) {
    if (m->is_half_space[i])
      planes[b->n_planes++] = i;
    else
      bounded[b->n_bounded++] = i;
  }
  b->bounded = bounded;
  b->planes = planes;
  return true;
}

srs_status srs_broad_phase_make(const srs_geometries *geometries, const srs_filter *filter, int n_pairs, int capacity,
                                srs_arena *arena, srs_broad_phase *b, srs_error *error)
{
  const int usual = FEW_PAIRS + USUAL_PAIRS * geometries->n, limit = capacity > 0 ? capacity : usual;
  *b = (srs_broad_phase){.geometries = geometries,
                         .filter = filter,
                         .n_pairs = n_pairs,
                         .capacity = limit < n_pairs ? limit : n_pairs,
                         .can_grow = capacity == 0 && usual < n_pairs};
  b->found = srs_arena_take(arena, (size_t)b->capacity, sizeof *b->found);
  if (b->found != NULL && (n_pairs <= FEW_PAIRS ? list_pairs(b, arena) : prepare_sweep(b, arena))) return SRS_OK;
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL,
                  "out of memory for %d pairs of shapes; set a pair_capacity for those that are near at once", n_pairs);
}

bool srs_broad_phase_grow(srs_broad_phase *b, long n, srs_arena *arena)
{
  const long wanted = n + n / 2;
  const int capacity = wanted < b->n_pairs ? (int)wanted : b->n_pairs;
  srs_pair *found = srs_arena_take(arena, (size_t)capacity, sizeof *found);
  srs_pair *spare = srs_arena_take(arena, (size_t)capacity, sizeof *spare);
  if (found == NULL || spare == NULL) return false;
  b->found = found, b->spare = spare, b->capacity = capacity;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Few: each pair
// ---------------------------------------------------------------------------------------------------------------------

static void add(srs_broad_phase *b, long *n, int i, int j)
{
  if (*n < b->capacity) b->found[*n] = (srs_pair){i, j};
  ++*n;
}

static long look_at_each(srs_broad_phase *b, double margin)
{
  const srs_geometries *m = b->geometries;
  long n = 0;
  for (int i = 0; i < m->n; i++) {
    const srs_ball ball = m->bounds[i];
    const bool is_plane = m->is_half_space[i];
    for (int k = b->begin[i]; k < b->begin[i + 1]; k++) {
      const int j = b->others[k];
      const srs_ball *other = &m->bounds[j];
      const bool meets = is_plane              ? srs_ball_meets_half_space(&ball, other, margin)
                         : m->is_half_space[j] ? srs_ball_meets_half_space(other, &ball, margin)
                                               : srs_balls_meet(&ball, other, margin);
      if (meets) add(b, &n, i, j);
    }
  }
  return n;
}

// ---------------------------------------------------------------------------------------------------------------------
// Many: sort and sweep
// ---------------------------------------------------------------------------------------------------------------------

static double along(vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// Where the centres' variance is largest.
static int widest_axis(const srs_broad_phase *b)
{
  vec3 sum = vec3_zero, squares = vec3_zero;
  for (int k = 0; k < b->n_bounded; k++) {
    const vec3 c = b->geometries->bounds[b->bounded[k]].centre;
    sum = add3(sum, c);
    squares = add3(squares, (vec3){c.x * c.x, c.y * c.y, c.z * c.z});
  }
  const double n = b->n_bounded;
  const vec3 spread = {n * squares.x - sum.x * sum.x, n * squares.y - sum.y * sum.y, n * squares.z - sum.z * sum.z};
  return spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2;
}

// Merge sort of `order` by `low`, both moved; equal ends keep the order of the geometries.
static void sort_by_low(srs_broad_phase *b)
{
  const int n = b->n_bounded;
  for (int width = 1; width < n; width *= 2) {
    for (int start = 0; start < n; start += 2 * width) {
      const int middle = start + width < n ? start + width : n, end = middle + width < n ? middle + width : n;
      for (int left = start, right = middle, out = start; out < end; out++) {
        const bool takes_left = left < middle && (right >= end || b->low[left] <= b->low[right]);
        const int from = takes_left ? left++ : right++;
        b->low_spare[out] = b->low[from];
        b->order_spare[out] = b->order[from];
      }
    }
    double *low = b->low;
    int *order = b->order;
    b->low = b->low_spare, b->order = b->order_spare;
    b->low_spare = low, b->order_spare = order;
  }
}

static void add_if_it_passes(srs_broad_phase *b, long *n, int i, int j)
{
  const int first = i < j ? i : j, second = i < j ? j : i;
  if (srs_filter_passes(b->filter, first, second)) add(b, n, first, second);
}

// Each sphere with those that begin before it ends.
static void sweep_balls(srs_broad_phase *b, double margin, long *n)
{
  for (int k = 0; k < b->n_bounded; k++) {
    const srs_ball ball = b->balls[k];
    // Rounding of the ends: a pair that only just meets may not be lost.
    const double high = b->low[k] + 2 * ball.reach + margin, end = high + 1e-12 * (fabs(high) + ball.reach);
    for (int l = k + 1; l < b->n_bounded && b->low[l] <= end; l++)
      if (srs_balls_meet(&ball, &b->balls[l], margin)) add_if_it_passes(b, n, b->order[k], b->order[l]);
  }
}

static long sweep(srs_broad_phase *b, double margin)
{
  const srs_geometries *m = b->geometries;
  const int axis = widest_axis(b);
  long n = 0;
  for (int k = 0; k < b->n_bounded; k++) {
    const int i = b->bounded[k];
    b->order[k] = i;
    b->low[k] = along(m->bounds[i].centre, axis) - m->bounds[i].reach;
  }
  sort_by_low(b);
  for (int k = 0; k < b->n_bounded; k++) b->balls[k] = m->bounds[b->order[k]];
  sweep_balls(b, margin, &n);
  for (int k = 0; k < b->n_planes; k++) {
    const int plane = b->planes[k];
    for (int l = 0; l < b->n_bounded; l++)
      if (srs_bounds_meet(m, plane, b->bounded[l], margin)) add_if_it_passes(b, &n, plane, b->bounded[l]);
    for (int l = k + 1; l < b->n_planes; l++) add_if_it_passes(b, &n, plane, b->planes[l]);
  }
  return n;
}

// One pass of counting sort by i or by j, which keeps the order of equals.
static void sort_pairs(const srs_pair *from, srs_pair *to, int n, int *count, int n_geometries, bool by_i)
{
  for (int k = 0; k <= n_geometries; k++) count[k] = 0;
  for (int k = 0; k < n; k++) count[(by_i ? from[k].i : from[k].j) + 1]++;
  for (int k = 0; k < n_geometries; k++) count[k + 1] += count[k];
  for (int k = 0; k < n; k++) to[count[by_i ? from[k].i : from[k].j]++] = from[k];
}

long srs_broad_phase_find(srs_broad_phase *b, double margin)
{
  if (b->begin != NULL) return look_at_each(b, margin);
  const long n = sweep(b, margin);
  if (n > b->capacity) return n;
  sort_pairs(b->found, b->spare, (int)n, b->count, b->geometries->n, false);
  sort_pairs(b->spare, b->found, (int)n, b->count, b->geometries->n, true);
  return n;
}
