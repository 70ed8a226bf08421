// How long does it take to find the triangles of ground that are near a body? Our tree of boxes beside Bullet's
// (btBvhTriangleMeshShape), over hills of 10 cm cells, for boxes of 0.2 m, 1 m and 5 m on them.
#include "collision/terrain/terrain_build.h"
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
#ifdef BENCH_WITH_BULLET
    bullet_mesh_destroy(tree);
    free(points);
#endif
    srs_terrain_destroy(terrain);
  }
  return 0;
}
