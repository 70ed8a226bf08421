// How long does the broad phase take? Ours beside Bullet's dynamic trees of boxes (btDbvtBroadphase), for 10 to 100 000
// cubes, at rest and moving.
//
// Cubes of 10 cm on a floor: touching in a square grid ("tiles"), in a cubic grid ("block"), or strewn in a cube with
// eight times their volume ("strewn"). Moving ones go 1 mm a step, 1 m/s at 1 ms, each in its own direction; fast ones
// 20 mm a step.
//
//   bench_broad_phase [MOST]
#include "collision/world/broad_phase.h"
#include "timing.h"
#ifdef BENCH_WITH_BULLET
#include "bullet_world.h"
#endif

#include <limits.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 60 };

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

typedef struct scene {
  int n;
  srs_model *model;
  srs_geometries geometries;
  srs_filter filter;
  srs_broad_phase broad_phase;
  srs_arena memory;
  srs_pose *links; // n
  vec3 *direction; // n
  double *low, *high;
} scene;

static void add_cube(srs_builder *builder, int i)
{
  char name[16];
  snprintf(name, sizeof name, "c%d", i);
  srs_link_def link = srs_default_link_def();
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_BOX);
  link.name = joint.name = joint.child = def.link = name;
  link.mass = link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
  def.size[0] = def.size[1] = def.size[2] = side;
  srs_error error;
  if (srs_builder_add_link(builder, &link, &error) != SRS_OK ||
      srs_builder_add_joint(builder, &joint, &error) != SRS_OK ||
      srs_builder_add_shape(builder, &def, &error) != SRS_OK)
    die(error.message);
}

static void place(scene *s, arrangement how)
{
  const int row = (int)ceil(how == TILES ? sqrt(s->n) : cbrt(s->n));
  const double width = 2 * cbrt(s->n) * side;
  for (int i = 0; i < s->n; i++) {
    srs_pose *pose = &s->links[i];
    *pose = srs_identity_pose();
    const int x = i % row, y = i / row % (how == TILES ? INT_MAX : row), z = how == TILES ? 0 : i / row / row;
    for (int c = 0; c < 3; c++) {
      const double at[3] = {x * side, y * side, (z + 0.5) * side};
      pose->position[c] = how == STREWN ? uniform(0, width) : at[c];
    }
    s->direction[i] = scale3(1 / sqrt(3), (vec3){uniform(-1, 1) < 0 ? -1 : 1, uniform(-1, 1) < 0 ? -1 : 1, 1});
  }
}

static scene *make(int n)
{
  scene *s = calloc(1, sizeof *s);
  srs_builder *builder = srs_builder_create();
  srs_shape_def floor = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  srs_error error;
  srs_collider_options options = srs_default_collider_options();
  if (s == NULL || builder == NULL || srs_builder_add_shape(builder, &floor, &error) != SRS_OK) die("out of memory");
  s->n = n;
  for (int i = 0; i < n; i++) add_cube(builder, i);
  if (srs_builder_build(builder, NULL, &s->model, &error) != SRS_OK) die(error.message);
  srs_builder_destroy(builder);
  s->links = calloc((size_t)n, sizeof *s->links), s->direction = calloc((size_t)n, sizeof *s->direction);
  s->low = calloc(3 * (size_t)n, sizeof *s->low), s->high = calloc(3 * (size_t)n, sizeof *s->high);
  if (s->links == NULL || s->direction == NULL || s->low == NULL || s->high == NULL) die("out of memory");
  const long all = (long)n * (n + 1) / 2;
  if (srs_geometries_make(s->model, &s->geometries, &error) != SRS_OK ||
      srs_filter_make(&s->geometries, &options, &s->memory, &s->filter, &error) != SRS_OK ||
      srs_broad_phase_make(&s->geometries, &s->filter, all < INT_MAX ? (int)all : INT_MAX, 0, &s->memory,
                           &s->broad_phase, &error) != SRS_OK)
    die(error.message);
  return s;
}

static void drop(scene *s)
{
  srs_geometries_release(&s->geometries);
  srs_arena_release(&s->memory);
  srs_model_destroy(s->model);
  free(s->links), free(s->direction), free(s->low), free(s->high);
  free(s);
}

// One step further, in the first half of the steps outwards: the crowd stays much as it is.
static void move(scene *s, int step, double way)
{
  for (int i = 0; i < s->n; i++) {
    const vec3 at = vec3_load(s->links[i].position);
    vec3_store(s->links[i].position, add_scaled3(at, step < STEPS / 2 ? way : -way, s->direction[i]));
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
  double ours[STEPS], placing[STEPS];
  long n_pairs = 0;
  place(s, how);
  srs_geometries_place(&s->geometries, s->links);
  find(s);
  for (int step = 0; step < STEPS; step++) {
    move(s, step, way);
    const double start = bench_cpu_time();
    srs_geometries_place(&s->geometries, s->links);
    const double placed = bench_cpu_time();
    n_pairs = find(s);
    placing[step] = placed - start, ours[step] = bench_cpu_time() - placed;
  }
  double sum = 0;
  for (int step = 0; step < STEPS; step++) sum += ours[step];
  printf("%-8s %7d %-7s %8ld  %10.1f %10.1f %10.1f", names[how], s->n,
         way == 0     ? "resting"
         : way < 0.01 ? "moving"
                      : "fast",
         n_pairs, 1e6 * bench_quantile(placing, STEPS, 0.5), 1e6 * sum / STEPS, 1e6 * bench_quantile(ours, STEPS, 1));
#ifdef BENCH_WITH_BULLET
  double theirs[STEPS];
  place(s, how);
  srs_geometries_place(&s->geometries, s->links);
  find_boxes(s);
  bullet_tree *tree = bullet_tree_create(s->n, s->low, s->high);
  bullet_tree_find(tree, s->low, s->high);
  int n = 0;
  sum = 0;
  for (int step = 0; step < STEPS; step++) {
    move(s, step, way);
    srs_geometries_place(&s->geometries, s->links);
    find_boxes(s);
    const double start = bench_cpu_time();
    n = bullet_tree_find(tree, s->low, s->high);
    theirs[step] = bench_cpu_time() - start, sum += theirs[step];
  }
  printf(" %10.1f %10.1f %8d", 1e6 * sum / STEPS, 1e6 * bench_quantile(theirs, STEPS, 1), n);
  bullet_tree_destroy(tree);
#endif
  putchar('\n');
}

int main(int argc, char **argv)
{
  const int most = argc > 1 ? atoi(argv[1]) : 100000;
  if (!bench_pin()) fprintf(stderr, "bench_broad_phase: not pinned to one processor\n");
  static const double ways[] = {0, 1e-3, 0.02};
  puts("us a step                       pairs     placing       ours      worst     Bullet      worst    pairs");
  for (int n = 10; n <= most; n *= 10) {
    scene *s = make(n);
    for (arrangement how = TILES; how <= STREWN; how++)
      for (int k = 0; k < 3; k++) bench(s, how, ways[k]);
    drop(s);
  }
  return 0;
}
