// The broad phase: which of the pairs that pass the filters are near each other?
//
// Few pairs are listed once and each is tested: bounding spheres, and signed distances to half-spaces. Many are
// searched for by grids of cells (grid.c), and half-spaces are compared with everything.
//
// What a search finds within the margin and some slack is kept as a list. While no sphere has moved by more than half
// of what is left of the slack, and no half-space at all, every pair within the margin is in the list, and only these
// are tested. So what rests is not searched for again. The list changes the time and never the result: the pairs found
// and their order are those of a search from nothing.
#include "collision/world/broad_phase.h"
#include "topology/base/errors.h"

// Up to this many pairs looking at each costs no more than a search, however crowded it is (measured with spheres).
enum { FEW_PAIRS = 600 };

// As many pairs a geometry are near each other in heaps of like bodies, and more.
enum { USUAL_PAIRS = 32 };

static const double SLACK = 0.125; // of the usual width: more of it means fewer searches and longer lists

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

static bool prepare_search(srs_broad_phase *b, srs_arena *arena)
{
  const srs_geometries *m = b->geometries;
  const size_t n = (size_t)m->n;
  int *bounded = srs_arena_take(arena, n, sizeof *bounded), *planes = srs_arena_take(arena, n, sizeof *planes);
  b->balls = srs_arena_take(arena, n, sizeof *b->balls);
  b->then = srs_arena_take(arena, n, sizeof *b->then);
  b->near = srs_arena_take(arena, (size_t)b->capacity, sizeof *b->near);
  b->spare = srs_arena_take(arena, (size_t)b->capacity, sizeof *b->spare);
  b->count = srs_arena_take(arena, n + 1, sizeof *b->count);
  if (arena->failed) return false;
  for (int i = 0; i < m->n; i++) {
    if (m->is_half_space[i]) {
      planes[b->n_planes++] = i;
    } else {
      b->balls[b->n_bounded] = &m->bounds[i];
      bounded[b->n_bounded++] = i;
    }
  }
  b->bounded = bounded;
  b->planes = planes;
  b->n_near = -1;
  if (!srs_grid_make(b->balls, b->n_bounded, arena, &b->grid)) return false;
  b->slack = SLACK * srs_grid_usual_width(&b->grid);
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
  if (b->found != NULL && (n_pairs <= FEW_PAIRS ? list_pairs(b, arena) : prepare_search(b, arena))) return SRS_OK;
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL,
                  "out of memory for %d pairs of shapes; set a pair_capacity for those that are near at once", n_pairs);
}

bool srs_broad_phase_grow(srs_broad_phase *b, long n, srs_arena *arena)
{
  const long wanted = n + n / 2;
  const int capacity = wanted < b->n_pairs ? (int)wanted : b->n_pairs;
  srs_pair *found = srs_arena_take(arena, (size_t)capacity, sizeof *found);
  srs_pair *spare = srs_arena_take(arena, (size_t)capacity, sizeof *spare);
  srs_pair *near = srs_arena_take(arena, (size_t)capacity, sizeof *near);
  if (found == NULL || spare == NULL || near == NULL) return false;
  b->found = found, b->spare = spare, b->near = near, b->capacity = capacity;
  b->n_near = -1;
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
// Many: search, or look through the list
// ---------------------------------------------------------------------------------------------------------------------

// Where pairs go that a search finds.
typedef struct finding {
  srs_broad_phase *b;
  long n; // may pass the capacity: then they are only counted
} finding;

static void add_if_it_passes(finding *f, int i, int j)
{
  const int first = i < j ? i : j, second = i < j ? j : i;
  if (srs_filter_passes(f->b->filter, first, second)) add(f->b, &f->n, first, second);
}

static void add_balls(void *user, int k, int l)
{
  finding *f = user;
  add_if_it_passes(f, f->b->bounded[k], f->b->bounded[l]);
}

// One pass of counting sort by i or by j, which keeps the order of equals.
static void sort_pairs(const srs_pair *from, srs_pair *to, int n, int *count, int n_geometries, bool by_i)
{
  for (int k = 0; k <= n_geometries; k++) count[k] = 0;
  for (int k = 0; k < n; k++) count[(by_i ? from[k].i : from[k].j) + 1]++;
  for (int k = 0; k < n_geometries; k++) count[k + 1] += count[k];
  for (int k = 0; k < n; k++) to[count[by_i ? from[k].i : from[k].j]++] = from[k];
}

// All pairs within the margin, from nothing: sorted in b->found.
static long search(srs_broad_phase *b, double margin)
{
  const srs_geometries *m = b->geometries;
  finding f = {b, 0};
  srs_grid_find(&b->grid, b->balls, margin, add_balls, &f);
  for (int k = 0; k < b->n_planes; k++) {
    const int plane = b->planes[k];
    for (int l = 0; l < b->n_bounded; l++)
      if (srs_bounds_meet(m, plane, b->bounded[l], margin)) add_if_it_passes(&f, plane, b->bounded[l]);
    for (int l = k + 1; l < b->n_planes; l++) add_if_it_passes(&f, plane, b->planes[l]);
  }
  if (f.n > b->capacity) return f.n;
  sort_pairs(b->found, b->spare, (int)f.n, b->count, m->n, false);
  sort_pairs(b->spare, b->found, (int)f.n, b->count, m->n, true);
  return f.n;
}

// Whether the list has all pairs within the margin: distances have shrunk by no more than twice the farthest way.
static bool list_holds(const srs_broad_phase *b, double margin)
{
  const srs_geometries *m = b->geometries;
  if (b->n_near < 0) return false;
  const double way = 0.5 * (b->near_margin - margin) * (1 - 1e-6); // rounding
  if (!(way > 0)) return false;
  for (int i = 0; i < m->n; i++) {
    const vec3 moved = sub3(m->bounds[i].centre, b->then[i].centre);
    if (!(dot3(moved, moved) <= (m->is_half_space[i] ? 0 : way * way))) return false;
    if (m->is_half_space[i] && m->bounds[i].reach != b->then[i].reach) return false;
  }
  return true;
}

// Makes the list anew; there is none where it is longer than the capacity.
static void make_list(srs_broad_phase *b, double margin)
{
  b->near_margin = margin + b->slack;
  const long n = search(b, b->near_margin);
  b->n_near = n <= b->capacity ? (int)n : -1;
  if (b->n_near < 0) return;
  srs_pair *near = b->near;
  b->near = b->found, b->found = near;
  for (int i = 0; i < b->geometries->n; i++) b->then[i] = b->geometries->bounds[i];
}

static long look_through_list(srs_broad_phase *b, double margin)
{
  const srs_geometries *m = b->geometries;
  long n = 0;
  for (int k = 0; k < b->n_near; k++) {
    const srs_pair pair = b->near[k];
    b->found[n] = pair; // stays if they meet
    n += srs_bounds_meet(m, pair.i, pair.j, margin);
  }
  return n;
}

long srs_broad_phase_find(srs_broad_phase *b, double margin)
{
  if (b->begin != NULL) return look_at_each(b, margin);
  if (!list_holds(b, margin)) make_list(b, margin);
  return b->n_near >= 0 ? look_through_list(b, margin) : search(b, margin);
}
