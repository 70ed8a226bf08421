// How long does it take to find the triangles of ground that are near a body? Our tree of boxes beside Bullet's
// (btBvhTriangleMeshShape), over hills of 10 cm cells, for boxes of 0.2 m, 1 m and 5 m on them. And how long does a ray
// take: across all of it, down on it, and down on its edges and corners, where none may slip through? Normals must be
// those of a triangle there, and distances right.
#include "collision/terrain/terrain_build.h"
#include "collision/terrain/terrain_tree.h"
#include "timing.h"
#include "topology/model/model.h"
#ifdef BENCH_WITH_BULLET
#include "bullet_world.h"
#endif

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUERIES = 2000, ROUNDS = 9 };

static const double spacing = 0.1; // m

static void die(const char *what)
{
  fprintf(stderr, "bench_middle_phase: %s\n", what);
  exit(1);
}

static double uniform(double low, double high)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static double height_at(double x, double y) { return 0.3 * sin(0.7 * x) * sin(0.9 * y) + 0.02 * sin(9 * x + 7 * y); }

static srs_terrain *make_hills(int n)
{
  double *heights = calloc((size_t)n * (size_t)n, sizeof *heights);
  if (heights == NULL) die("out of memory");
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) heights[y * n + x] = height_at(spacing * x, spacing * y);
  srs_shape shape = {.kind = SRS_SHAPE_HEIGHTFIELD, .heights = heights, .n_rows = n, .n_columns = n, .name = ""};
  shape.size[0] = shape.size[1] = spacing;
  srs_terrain *terrain = NULL;
  srs_error error;
  if (srs_terrain_create(&shape, &terrain, &error) != SRS_OK) die(error.message);
  free(heights);
  return terrain;
}

static int find(const srs_terrain *terrain, vec3 low, vec3 high)
{
  int n = 0;
  for (int i = 0; i < terrain->n_nodes;) {
    const srs_terrain_node *node = &terrain->nodes[i];
    const bool meets = terrain_node_meets(node, low, high);
    if (meets) n += node->n;
    i = meets ? i + 1 : node->skip;
  }
  return n;
}

static void bench(const srs_terrain *terrain, int n, double size, void *mesh)
{
  static vec3 low[QUERIES], high[QUERIES];
  double ours[ROUNDS], theirs[ROUNDS];
  long found = 0, found_by_bullet = 0;
  const double width = spacing * (n - 1);
  for (int q = 0; q < QUERIES; q++) {
    const double x = uniform(0, width), y = uniform(0, width), z = height_at(x, y);
    low[q] = (vec3){x - width / 2 - size / 2, y - width / 2 - size / 2, z - size / 4};
    high[q] = add3(low[q], (vec3){size, size, size});
  }
  for (int round = 0; round < ROUNDS; round++) {
    const double start = bench_cpu_time();
    found = 0;
    for (int q = 0; q < QUERIES; q++) found += find(terrain, low[q], high[q]);
    const double middle = bench_cpu_time();
    ours[round] = (middle - start) / QUERIES;
    found_by_bullet = 0;
#ifdef BENCH_WITH_BULLET
    for (int q = 0; q < QUERIES; q++) {
      double from[3], to[3];
      vec3_store(from, low[q]), vec3_store(to, high[q]);
      found_by_bullet += bullet_mesh_find(mesh, from, to);
    }
#else
    (void)mesh;
#endif
    theirs[round] = (bench_cpu_time() - middle) / QUERIES;
  }
  printf("%9d %8.1f %12.3f %12.1f %12.3f %12.1f\n", terrain->n_triangles, size, 1e6 * bench_quantile(ours, ROUNDS, 0.5),
         (double)found / QUERIES, 1e6 * bench_quantile(theirs, ROUNDS, 0.5), (double)found_by_bullet / QUERIES);
}

enum { ACROSS, DOWN, AT_EDGES, AT_CORNERS, AIMS };

typedef struct ray {
  vec3 from, to;
  double length; // to the ground, where it is known
  int triangle;  // which is aimed at
} ray;

static ray draw_ray(const srs_terrain *terrain, double width, int aim)
{
  const double x = uniform(-0.45, 0.45) * width, y = uniform(-0.45, 0.45) * width;
  if (aim == ACROSS) return (ray){{-0.5 * width, y, 0.6}, {0.5 * width, uniform(-0.5, 0.5) * width, -0.4}, 0, -1};
  const double most = 0.49 * width; // an aim at the border may miss it
  int t = 0, k = 0;
  vec3 middle = {INFINITY, 0, 0};
  while (!(fabs(middle.x) < most - spacing && fabs(middle.y) < most - spacing)) {
    t = (int)uniform(0, terrain->n_triangles), k = (int)uniform(0, 3);
    middle = terrain_corner(terrain, t, k);
  }
  const double s = aim == AT_CORNERS ? 0 : uniform(0, 1), u = aim == DOWN ? uniform(0, 1 - s) : 0;
  const vec3 a = terrain_corner(terrain, t, k), b = terrain_corner(terrain, t, k + 1),
             c = terrain_corner(terrain, t, k + 2);
  const vec3 at = add_scaled3(add_scaled3(a, s, sub3(b, a)), u, sub3(c, a));
  const vec3 from = {at.x + 0.02 * x / width, at.y + 0.02 * y / width, at.z + 2}; // steeper than the ground
  return (ray){from, add_scaled3(from, 2, sub3(at, from)), norm3(sub3(at, from)), t};
}

typedef struct cast {
  double time, length_error, normal_error;
  int n_missed;
} cast;

// One more answer: distance < 0 for none. A normal must be that of a triangle around the place.
static void judge(const srs_terrain *terrain, const ray *r, double distance, vec3 normal, cast *c)
{
  c->n_missed += distance < 0;
  if (r->triangle < 0 || distance < 0) return;
  c->length_error = fmax(c->length_error, fabs(distance - r->length));
  double error = INFINITY;
  for (int k = 0; k < 3; k++) {
    const int point = terrain->corners[3 * (size_t)r->triangle + (size_t)k];
    for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++)
      error = fmin(error, norm3(sub3(normal, terrain->normals[terrain->fan[i]])));
  }
  c->normal_error = fmax(c->normal_error, error);
}

static void cast_ours(const srs_terrain *terrain, const ray *rays, cast *c)
{
  static double lengths[QUERIES];
  static int met[QUERIES];
  const double start = bench_cpu_time();
  for (int q = 0; q < QUERIES; q++) {
    const vec3 way = sub3(rays[q].to, rays[q].from);
    lengths[q] = norm3(way);
    met[q] = srs_terrain_first_met(terrain, rays[q].from, scale3(1 / lengths[q], way), &lengths[q]);
  }
  c->time = (bench_cpu_time() - start) / QUERIES;
  for (int q = 0; q < QUERIES; q++)
    judge(terrain, &rays[q], met[q] < 0 ? -1 : lengths[q], met[q] < 0 ? vec3_zero : terrain->normals[met[q]], c);
}

#ifdef BENCH_WITH_BULLET
static void cast_theirs(const srs_terrain *terrain, bullet_mesh *mesh, const ray *rays, cast *c)
{
  static double at[QUERIES], normals[3 * QUERIES];
  static bool is_met[QUERIES];
  const double start = bench_cpu_time();
  for (int q = 0; q < QUERIES; q++) {
    double from[3], to[3];
    vec3_store(from, rays[q].from), vec3_store(to, rays[q].to);
    is_met[q] = bullet_mesh_cast(mesh, from, to, &at[q], normals + 3 * (size_t)q);
  }
  c->time = (bench_cpu_time() - start) / QUERIES;
  for (int q = 0; q < QUERIES; q++)
    judge(terrain, &rays[q], is_met[q] ? at[q] * norm3(sub3(rays[q].to, rays[q].from)) : -1,
          vec3_load(normals + 3 * (size_t)q), c);
}
#endif

static void bench_rays(const srs_terrain *terrain, int n, void *mesh)
{
  static const char *const names[AIMS] = {"across", "down", "at edges", "at corners"};
  static ray rays[QUERIES];
  for (int aim = 0; aim < AIMS; aim++) {
    double ours[ROUNDS], theirs[ROUNDS] = {0};
    cast by_us = {0}, by_bullet = {0};
    for (int q = 0; q < QUERIES; q++) rays[q] = draw_ray(terrain, spacing * (n - 1), aim);
    for (int round = 0; round < ROUNDS; round++) {
      by_us.n_missed = by_bullet.n_missed = 0;
      cast_ours(terrain, rays, &by_us);
      ours[round] = by_us.time;
#ifdef BENCH_WITH_BULLET
      cast_theirs(terrain, mesh, rays, &by_bullet);
      theirs[round] = by_bullet.time;
#else
      (void)mesh;
#endif
    }
    printf("%9d %10s %9.3f %7d %9.1e %9.1e %9.3f %7d %9.1e %9.1e\n", terrain->n_triangles, names[aim],
           1e6 * bench_quantile(ours, ROUNDS, 0.5), by_us.n_missed, by_us.length_error, by_us.normal_error,
           1e6 * bench_quantile(theirs, ROUNDS, 0.5), by_bullet.n_missed, by_bullet.length_error,
           by_bullet.normal_error);
  }
}

int main(void)
{
  static const int grids[] = {10, 32, 100, 316, 1000};
  static const double sizes[] = {0.2, 1, 5};
  if (!bench_pin()) fprintf(stderr, "bench_middle_phase: not pinned to one processor\n");
  puts("triangles   box, m     ours, us    triangles   Bullet, us    triangles");
  for (int g = 0; g < 5; g++) {
    srs_terrain *terrain = make_hills(grids[g]);
    void *mesh = NULL;
#ifdef BENCH_WITH_BULLET
    double *points = calloc(3 * (size_t)terrain->n_points, sizeof *points);
    if (points == NULL) die("out of memory");
    for (int i = 0; i < terrain->n_points; i++) vec3_store(points + 3 * (size_t)i, terrain->points[i]);
    bullet_mesh *tree = bullet_mesh_create(points, terrain->n_points, terrain->corners, terrain->n_triangles);
    mesh = tree;
#endif
    for (int s = 0; s < 3; s++) bench(terrain, grids[g], sizes[s], mesh);
    puts("             rays  ours, us  missed  distance    normal Bullet,us  missed  distance    normal");
    bench_rays(terrain, grids[g], mesh);
#ifdef BENCH_WITH_BULLET
    bullet_mesh_destroy(tree);
    free(points);
#endif
    srs_terrain_destroy(terrain);
  }
  return 0;
}
