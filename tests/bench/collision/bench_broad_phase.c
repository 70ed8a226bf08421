// How long does the broad phase take? Ours beside Bullet's dynamic trees of boxes (btDbvtBroadphase), for 10 to 100 000
// cubes, at rest and moving.
//
// Cubes of 10 cm on a floor: touching in a square grid ("tiles"), in a cubic grid ("block"), or strewn in a cube with
// eight times their volume ("strewn"). Moving ones go 1 mm a step, 1 m/s at 1 ms, each in its own direction; fast ones
// 20 mm a step.
//
//   bench_broad_phase [MOST [LEAST]]     cubes
#include "collision/world/broad_phase.h"
#include "timing.h"
#ifdef BENCH_WITH_BULLET
#include "bullet_world.h"
#endif

#include <limits.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 60, STEPS_OF_MANY = 12, MANY = 50000 };

static const double side = 0.1, margin = 0.002; // m

static void die(const char *what)
{
  fprintf(stderr, "bench_broad_phase: %s\n", what);
  exit(1);
}

static double uniform(double low, double high)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

typedef enum arrangement { TILES, BLOCK, STREWN } arrangement;

static const char *const names[] = {"tiles", "block", "strewn"};

// The floor is geometry 0, cube i is i + 1. Only what the broad phase reads is there: no model that size is built.
typedef struct scene {
  int n;
  srs_geometries geometries;
  srs_filter filter;
  srs_broad_phase broad_phase;
  srs_arena memory;
  vec3 *direction; // n
  double *low, *high;
} scene;

static void place(scene *s, arrangement how)
{
  const int row = (int)ceil(how == TILES ? sqrt(s->n) : cbrt(s->n));
  const double width = 2 * cbrt(s->n) * side;
  for (int i = 0; i < s->n; i++) {
    const int x = i % row, y = how == TILES ? i / row : i / row % row, z = how == TILES ? 0 : i / row / row;
    const double at_x = uniform(0, width), at_y = uniform(0, width), at_z = uniform(0, width);
    s->geometries.bounds[i + 1].centre =
        how == STREWN ? (vec3){at_x, at_y, at_z} : (vec3){x * side, y * side, (z + 0.5) * side};
    const double way_x = uniform(-1, 1), way_y = uniform(-1, 1), part = 1 / sqrt(3);
    s->direction[i] = (vec3){copysign(part, way_x), copysign(part, way_y), part};
  }
}

static void *take(scene *s, int n, size_t size)
{
  void *memory = srs_arena_take(&s->memory, (size_t)n, size);
  if (memory == NULL) die("out of memory");
  return memory;
}

static scene *make(int n)
{
  scene *s = calloc(1, sizeof *s);
  if (s == NULL) die("out of memory");
  srs_geometries *m = &s->geometries;
  const int all = m->n = n + 1;
  s->n = n;
  m->bounds = take(s, all, sizeof *m->bounds), m->is_half_space = take(s, all, sizeof *m->is_half_space);
  int *body = take(s, all, sizeof *body), *carrier = take(s, all, sizeof *carrier);
  bool *is_static = take(s, all, sizeof *is_static);
  unsigned *group = take(s, all, sizeof *group), *mask = take(s, all, sizeof *mask);
  for (int i = 0; i < all; i++) {
    m->bounds[i] = (srs_ball){{0, 0, i == 0 ? 1 : 0}, i == 0 ? 0 : side * sqrt(3) / 2};
    m->is_half_space[i] = is_static[i] = i == 0;
    body[i] = i == 0 ? -1 : i, carrier[i] = -1, group[i] = 1, mask[i] = ~0U;
  }
  s->filter = (srs_filter){.geometries = m,
                           .body = body,
                           .carrier = carrier,
                           .is_static = is_static,
                           .group = group,
                           .mask = mask,
                           .robot = take(s, all, sizeof *s->filter.robot),
                           .tree = body,
                           .self = take(s, all, sizeof *s->filter.self)};
  s->direction = take(s, n, sizeof *s->direction);
  s->low = take(s, 3 * n, sizeof *s->low), s->high = take(s, 3 * n, sizeof *s->high);
  const long pairs = (long)n * (n + 1) / 2;
  srs_error error;
  if (srs_broad_phase_make(m, &s->filter, pairs < INT_MAX ? (int)pairs : INT_MAX, 0, &s->memory, &s->broad_phase,
                           &error) != SRS_OK)
    die(error.message);
  return s;
}

static void drop(scene *s)
{
  srs_arena_release(&s->memory);
  free(s);
}

static int steps_of(const scene *s) { return s->n < MANY ? STEPS : STEPS_OF_MANY; }

// One step further, in the first half of the steps outwards: the crowd stays much as it is.
static void move(scene *s, int step, double way)
{
  const int turn = steps_of(s) / 2;
  for (int i = 0; i < s->n; i++) {
    srs_ball *ball = &s->geometries.bounds[i + 1];
    ball->centre = add_scaled3(ball->centre, step < turn ? way : -way, s->direction[i]);
  }
}

#ifdef BENCH_WITH_BULLET
// The boxes around the bounding spheres, so that both look for the same pairs.
static void find_boxes(scene *s)
{
  for (int i = 0; i < s->n; i++) {
    const srs_ball *ball = &s->geometries.bounds[i + 1];
    const double reach = ball->reach + margin / 2;
    vec3_store(s->low + 3 * (size_t)i, sub3(ball->centre, (vec3){reach, reach, reach}));
    vec3_store(s->high + 3 * (size_t)i, add3(ball->centre, (vec3){reach, reach, reach}));
  }
}
#endif

static long find(scene *s)
{
  long n = srs_broad_phase_find(&s->broad_phase, margin);
  if (n > s->broad_phase.capacity) {
    if (!srs_broad_phase_grow(&s->broad_phase, n, &s->memory)) die("out of memory");
    n = srs_broad_phase_find(&s->broad_phase, margin);
  }
  return n;
}

static void bench(scene *s, arrangement how, double way)
{
  double ours[STEPS];
  const int steps = steps_of(s);
  long n_pairs = 0;
  place(s, how);
  find(s);
  for (int step = 0; step < steps; step++) {
    move(s, step, way);
    const double start = bench_cpu_time();
    n_pairs = find(s);
    ours[step] = bench_cpu_time() - start;
  }
  double sum = 0;
  for (int step = 0; step < steps; step++) sum += ours[step];
  printf("%-8s %7d %-7s %8ld  %10.1f %10.1f", names[how], s->n,
         way == 0     ? "resting"
         : way < 0.01 ? "moving"
                      : "fast",
         n_pairs, 1e6 * sum / steps, 1e6 * bench_quantile(ours, steps, 1));
#ifdef BENCH_WITH_BULLET
  double theirs[STEPS];
  place(s, how);
  find_boxes(s);
  bullet_tree *tree = bullet_tree_create(s->n, s->low, s->high);
  bullet_tree_find(tree, s->low, s->high);
  int n = 0;
  sum = 0;
  for (int step = 0; step < steps; step++) {
    move(s, step, way);
    find_boxes(s);
    const double start = bench_cpu_time();
    n = bullet_tree_find(tree, s->low, s->high);
    theirs[step] = bench_cpu_time() - start, sum += theirs[step];
  }
  printf(" %10.1f %10.1f %8d", 1e6 * sum / steps, 1e6 * bench_quantile(theirs, steps, 1), n);
  bullet_tree_destroy(tree);
#endif
  putchar('\n');
}

int main(int argc, char **argv)
{
  const long most = argc > 1 ? strtol(argv[1], NULL, 10) : 100000, least = argc > 2 ? strtol(argv[2], NULL, 10) : 10;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!bench_pin()) fprintf(stderr, "bench_broad_phase: not pinned to one processor\n");
  static const double ways[] = {0, 1e-3, 0.02};
  puts("us a step                       pairs        ours      worst     Bullet      worst    pairs");
  for (int n = 10; n <= most; n *= 10) {
    if (n < least) continue;
    scene *s = make(n);
    for (arrangement how = TILES; how <= STREWN; how++)
      for (int k = 0; k < 3; k++) bench(s, how, ways[k]);
    drop(s);
  }
  return 0;
}
