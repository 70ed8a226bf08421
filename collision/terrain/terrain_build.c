// A terrain from a mesh or a heightfield: its edges, its flat parts and its sharp corners.
//
// Points at one place are merged, so that triangles which only look joined are joined. Each edge between two triangles
// is flat (their normals differ by less than FLAT), a ridge (each lies behind the other's plane) or a valley; an edge
// that belongs to one triangle alone, to more than two, or to two in the same direction, is open. Triangles joined by
// flat edges form a group. A point is sharp if a ridge or an open edge ends there, unless just two edges that are not
// flat meet there in one line: then the contact points of these edges are enough.
#include "collision/terrain/terrain_build.h"
#include "collision/terrain/terrain_tree.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

static const double FLAT = 1e-5;  // rad
static const double AREA = 1e-12; // of the longest side's square: less is none

typedef struct place {
  vec3 p;
  int index;
} place;

typedef struct half_edge {
  int high; // its end with the higher number; sorted by the lower
  int side; // 3 * triangle + corner
} half_edge;

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory");
}

// ---------------------------------------------------------------------------------------------------------------------
// Points and triangles
// ---------------------------------------------------------------------------------------------------------------------

static int compare_points(vec3 p, vec3 q)
{
  const double from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
  for (int i = 0; i < 3; i++)
    if (from[i] != to[i]) return from[i] < to[i] ? -1 : 1;
  return 0;
}

static int by_place(const void *a, const void *b)
{
  const place *p = a, *q = b;
  const int order = compare_points(p->p, q->p);
  return order != 0 ? order : p->index < q->index ? -1 : p->index > q->index;
}

// Keeps each place once, in the order given; renamed[i]: what became of point i.
static bool weld(srs_terrain *terrain, int *renamed)
{
  const int n = terrain->n_points;
  place *places = malloc((size_t)n * sizeof *places);
  if (places == NULL) return false;
  for (int i = 0; i < n; i++) places[i] = (place){terrain->points[i], i};
  qsort(places, (size_t)n, sizeof *places, by_place);
  for (int i = 0; i < n; i++) {
    const bool is_same = i > 0 && compare_points(places[i].p, places[i - 1].p) == 0;
    renamed[places[i].index] = is_same ? renamed[places[i - 1].index] : places[i].index; // the first of them
  }
  free(places);
  int kept = 0;
  for (int i = 0; i < n; i++) { // the first of a place comes before those named after it
    const bool is_first = renamed[i] == i;
    if (is_first) terrain->points[kept] = terrain->points[i];
    renamed[i] = is_first ? kept++ : renamed[renamed[i]];
  }
  terrain->n_points = kept;
  return true;
}

static bool weld_corners(srs_terrain *terrain)
{
  int *renamed = malloc((size_t)terrain->n_points * sizeof *renamed);
  const bool is_welded = renamed != NULL && weld(terrain, renamed);
  for (size_t i = 0; is_welded && i < 3 * (size_t)terrain->n_triangles; i++)
    terrain->corners[i] = renamed[terrain->corners[i]];
  free(renamed);
  return is_welded;
}

static vec3 twice_area(const srs_terrain *terrain, int t, double *longest)
{
  const vec3 a = terrain_corner(terrain, t, 0), b = terrain_corner(terrain, t, 1), c = terrain_corner(terrain, t, 2);
  const vec3 u = sub3(b, a), v = sub3(c, a), w = sub3(c, b);
  *longest = fmax(dot3(u, u), fmax(dot3(v, v), dot3(w, w)));
  return cross3(u, v);
}

static void drop_triangles_without_area(srs_terrain *terrain)
{
  int kept = 0;
  for (int t = 0; t < terrain->n_triangles; t++) {
    double longest;
    const double area = norm3(twice_area(terrain, t, &longest));
    if (!(area > AREA * longest)) continue;
    memmove(terrain->corners + 3 * (size_t)kept, terrain->corners + 3 * (size_t)t, 3 * sizeof(int));
    kept++;
  }
  terrain->n_triangles = kept;
}

static srs_status take_mesh(const srs_shape *shape, srs_terrain *terrain, srs_error *error)
{
  if (shape->n_points < 3 || shape->n_triangles < 1 || shape->points == NULL || shape->triangles == NULL)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, shape->name,
                    "a terrain has no triangle: give points and triangles");
  terrain->n_points = shape->n_points;
  terrain->n_triangles = shape->n_triangles;
  terrain->reach[0] = terrain->reach[1] = INFINITY;
  terrain->points = srs_arena_take(&terrain->memory, (size_t)shape->n_points, sizeof *terrain->points);
  terrain->corners = srs_arena_take(&terrain->memory, 3 * (size_t)shape->n_triangles, sizeof(int));
  if (terrain->memory.failed) return no_memory(error);
  for (int i = 0; i < shape->n_points; i++)
    terrain->points[i] = add3(vec3_load(shape->points + 3 * (size_t)i), vec3_zero);
  for (size_t i = 0; i < 3 * (size_t)shape->n_triangles; i++) {
    if (shape->triangles[i] < 0 || shape->triangles[i] >= shape->n_points)
      return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, shape->name,
                      "triangle %d of a terrain has corner %d, but the points are 0 to %d", (int)(i / 3),
                      shape->triangles[i], shape->n_points - 1);
    terrain->corners[i] = shape->triangles[i];
  }
  return SRS_OK;
}

static srs_status take_heights(const srs_shape *shape, srs_terrain *terrain, srs_error *error)
{
  const int rows = shape->n_rows, columns = shape->n_columns;
  if (rows < 2 || columns < 2 || shape->heights == NULL || !(shape->size[0] > 0) || !(shape->size[1] > 0))
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, shape->name,
                    "a heightfield needs two rows and two columns or more, and spacings above 0");
  if ((long)rows * columns > 100000000)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, shape->name, "a heightfield of %d x %d is too large", rows,
                    columns);
  terrain->n_points = rows * columns;
  terrain->n_triangles = 2 * (rows - 1) * (columns - 1);
  terrain->thickness = fmax(shape->size[0], shape->size[1]);
  terrain->reach[0] = 0.5 * (columns - 1) * shape->size[0];
  terrain->reach[1] = 0.5 * (rows - 1) * shape->size[1];
  terrain->points = srs_arena_take(&terrain->memory, (size_t)terrain->n_points, sizeof *terrain->points);
  terrain->corners = srs_arena_take(&terrain->memory, 3 * (size_t)terrain->n_triangles, sizeof(int));
  if (terrain->memory.failed) return no_memory(error);
  int *corner = terrain->corners;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      const int here = i * columns + j;
      terrain->points[here] = (vec3){(j - 0.5 * (columns - 1)) * shape->size[0],
                                     (i - 0.5 * (rows - 1)) * shape->size[1], shape->heights[here] + 0.0};
      if (i + 1 == rows || j + 1 == columns) continue;
      const int across = here + columns + 1, cell[6] = {here, here + 1, across, here, across, here + columns};
      memcpy(corner, cell, sizeof cell);
      corner += 6;
    }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Edges
// ---------------------------------------------------------------------------------------------------------------------

static srs_terrain_edge edge_between(const srs_terrain *terrain, int t, int k, int other)
{
  const vec3 n = terrain->normals[t], m = terrain->normals[other], a = terrain_corner(terrain, t, k);
  if (dot3(n, m) > 0 && norm3(cross3(n, m)) <= FLAT) return SRS_EDGE_FLAT;
  double height = 0; // of the other triangle's far corner
  for (int j = 0; j < 3; j++) {
    const double h = dot3(n, sub3(terrain_corner(terrain, other, j), a));
    if (fabs(h) > fabs(height)) height = h;
  }
  return height < 0 ? SRS_EDGE_RIDGE : SRS_EDGE_VALLEY;
}

static void join_two(srs_terrain *terrain, int a, int b)
{
  if (terrain->corners[a] == terrain->corners[b]) return; // both in one direction
  terrain->across[a] = b / 3;
  terrain->across[b] = a / 3;
  terrain->edges[a] = terrain->edges[b] = (unsigned char)edge_between(terrain, a / 3, a % 3, b / 3);
}

static bool comes_before(const half_edge *a, const half_edge *b)
{
  return a->high != b->high ? a->high < b->high : a->side < b->side;
}

// The sides at one point, sorted by their other ends and then by number: joins those that are two.
static void join_at_point(srs_terrain *terrain, half_edge *sides, int n)
{
  int gap = 1;
  while (gap < n / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (int i = gap; i < n; i++) {
      const half_edge moving = sides[i];
      int k = i;
      for (; k >= gap && comes_before(&moving, &sides[k - gap]); k -= gap) sides[k] = sides[k - gap];
      sides[k] = moving;
    }
  for (int i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && sides[end].high == sides[i].high;) end++;
    if (end == i + 2) join_two(terrain, sides[i].side, sides[i + 1].side);
  }
}

// Sides by the lower of their points, by counting.
static bool join_triangles(srs_terrain *terrain)
{
  const size_t n = 3 * (size_t)terrain->n_triangles;
  srs_arena scratch = {0};
  half_edge *sides = srs_arena_take(&scratch, n, sizeof *sides);
  int *end = srs_arena_take(&scratch, (size_t)terrain->n_points + 1, sizeof *end);
  if (!scratch.failed) {
    memset(end, 0, ((size_t)terrain->n_points + 1) * sizeof *end);
    for (int pass = 0; pass < 2; pass++) { // count, then fill
      for (size_t i = 0; i < n; i++) {
        const int from = terrain->corners[i], to = terrain->corners[i % 3 < 2 ? i + 1 : i - 2];
        const int low = from < to ? from : to;
        if (pass == 0)
          end[low + 1]++;
        else
          sides[end[low]++] = (half_edge){from < to ? to : from, (int)i};
      }
      for (int p = 0; pass == 0 && p < terrain->n_points; p++) end[p + 1] += end[p];
    }
    for (size_t i = 0; i < n; i++) terrain->across[i] = -1, terrain->edges[i] = SRS_EDGE_OPEN;
    for (int p = 0; p < terrain->n_points; p++) {
      const int begin = p > 0 ? end[p - 1] : 0;
      join_at_point(terrain, sides + begin, end[p] - begin);
    }
  }
  const bool has_memory = !scratch.failed;
  srs_arena_release(&scratch);
  return has_memory;
}

static bool group_triangles(srs_terrain *terrain)
{
  int *stack = malloc((size_t)terrain->n_triangles * sizeof *stack);
  if (stack == NULL) return false;
  int n_groups = 0;
  for (int t = 0; t < terrain->n_triangles; t++) terrain->group[t] = -1;
  for (int seed = 0; seed < terrain->n_triangles; seed++) {
    if (terrain->group[seed] >= 0) continue;
    int n = 0;
    terrain->group[seed] = n_groups;
    stack[n++] = seed;
    while (n > 0) {
      const size_t t = (size_t)stack[--n];
      for (size_t k = 0; k < 3; k++) {
        const int other = terrain->across[3 * t + k];
        if (terrain->edges[3 * t + k] != SRS_EDGE_FLAT || terrain->group[other] >= 0) continue;
        terrain->group[other] = n_groups;
        stack[n++] = other;
      }
    }
    n_groups++;
  }
  free(stack);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Corners
// ---------------------------------------------------------------------------------------------------------------------

static void gather_fans(srs_terrain *terrain)
{
  const size_t n = 3 * (size_t)terrain->n_triangles;
  int *begin = terrain->fan_begin; // counts first, one place up
  for (size_t i = 0; i < n; i++) begin[terrain->corners[i] + 1]++;
  for (int i = 0; i < terrain->n_points; i++) begin[i + 1] += begin[i];
  for (size_t i = 0; i < n; i++) terrain->fan[begin[terrain->corners[i]]++] = (int)(i / 3);
  memmove(begin + 1, begin, (size_t)terrain->n_points * sizeof *begin);
  begin[0] = 0;
}

// Whether the edges that are not flat are just two in one line; each is met from one or two of its triangles.
static bool is_straight(const vec3 *along, int n)
{
  for (int i = 1; i < n; i++)
    if (norm3(cross3(along[0], along[i])) > FLAT) return false;
  int n_opposite = 0;
  for (int i = 0; i < n; i++) n_opposite += dot3(along[0], along[i]) < 0;
  return n_opposite > 0;
}

static bool is_sharp(const srs_terrain *terrain, int point)
{
  enum { MOST = 8 };
  vec3 along[MOST];
  int n = 0;
  bool points_out = false;
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++) {
    const int t = terrain->fan[i];
    for (int k = 0; k < 3; k++) {
      const int from = terrain->corners[3 * (size_t)t + (size_t)k];
      const int to = terrain->corners[3 * (size_t)t + (size_t)((k + 1) % 3)];
      const int kind = terrain->edges[3 * (size_t)t + (size_t)k];
      if ((from != point && to != point) || kind == SRS_EDGE_FLAT) continue;
      points_out = points_out || kind != SRS_EDGE_VALLEY;
      const vec3 side = sub3(terrain->points[from == point ? to : from], terrain->points[point]);
      if (n < MOST) along[n] = scale3(1 / norm3(side), side);
      n++;
    }
  }
  return points_out && (n > MOST || !is_straight(along, n));
}

// ---------------------------------------------------------------------------------------------------------------------
// The terrain
// ---------------------------------------------------------------------------------------------------------------------

static bool take_rest(srs_terrain *terrain)
{
  srs_arena *arena = &terrain->memory;
  const size_t n = (size_t)terrain->n_triangles, n_points = (size_t)terrain->n_points;
  terrain->normals = srs_arena_take(arena, n, sizeof *terrain->normals);
  terrain->group = srs_arena_take(arena, n, sizeof *terrain->group);
  terrain->across = srs_arena_take(arena, 3 * n, sizeof *terrain->across);
  terrain->edges = srs_arena_take(arena, 3 * n, sizeof *terrain->edges);
  terrain->fan = srs_arena_take(arena, 3 * n, sizeof *terrain->fan);
  terrain->fan_begin = srs_arena_take(arena, n_points + 1, sizeof *terrain->fan_begin);
  terrain->is_sharp = srs_arena_take(arena, n_points, sizeof *terrain->is_sharp);
  return !arena->failed && srs_terrain_grow_tree(terrain);
}

static srs_status build(const srs_shape *shape, srs_terrain *terrain, srs_error *error)
{
  const bool is_mesh = shape->kind != SRS_SHAPE_HEIGHTFIELD;
  const srs_status status = is_mesh ? take_mesh(shape, terrain, error) : take_heights(shape, terrain, error);
  if (status != SRS_OK) return status;
  for (int i = 0; i < terrain->n_points; i++)
    if (!isfinite(terrain->points[i].x + terrain->points[i].y + terrain->points[i].z))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, shape->name, "point %d of a terrain is not finite", i);
  if (is_mesh && !weld_corners(terrain)) return no_memory(error);
  drop_triangles_without_area(terrain);
  if (terrain->n_triangles == 0)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, shape->name, "no triangle of a terrain has an area");
  if (!take_rest(terrain)) return no_memory(error);
  for (int t = 0; t < terrain->n_triangles; t++) {
    double longest;
    const vec3 n = twice_area(terrain, t, &longest);
    const double length = norm3(n);
    terrain->normals[t] = (vec3){n.x / length, n.y / length, n.z / length}; // exactly 1 along an axis
  }
  if (!join_triangles(terrain) || !group_triangles(terrain)) return no_memory(error);
  gather_fans(terrain);
  for (int i = 0; i < terrain->n_points; i++) terrain->is_sharp[i] = is_sharp(terrain, i);
  return SRS_OK;
}

srs_status srs_terrain_create(const srs_shape *shape, srs_terrain **terrain, srs_error *error)
{
  *terrain = NULL;
  srs_terrain *made = calloc(1, sizeof *made);
  if (made == NULL) return no_memory(error);
  const srs_status status = build(shape, made, error);
  if (status == SRS_OK)
    *terrain = made;
  else
    srs_terrain_destroy(made);
  return status;
}

void srs_terrain_destroy(srs_terrain *terrain)
{
  if (terrain == NULL) return;
  srs_arena_release(&terrain->memory);
  free(terrain);
}

double srs_terrain_thickness(const srs_terrain *terrain) { return terrain->thickness; }

int srs_terrain_open_edges(const srs_terrain *terrain, int *triangle)
{
  int n = 0;
  for (int t = 0; t < terrain->n_triangles; t++)
    for (size_t k = 0; k < 3; k++)
      if (terrain->edges[3 * (size_t)t + k] == SRS_EDGE_OPEN && n++ == 0) *triangle = t;
  return n;
}

double srs_terrain_volume(const srs_terrain *terrain)
{
  double volume = 0;
  const vec3 from = terrain->points[0];
  for (int t = 0; t < terrain->n_triangles; t++) {
    const vec3 a = sub3(terrain_corner(terrain, t, 0), from), b = sub3(terrain_corner(terrain, t, 1), from);
    volume += dot3(a, cross3(b, sub3(terrain_corner(terrain, t, 2), from))) / 6;
  }
  return volume;
}
