// What does the ground look like? A half-space n.x <= 0 seen edge-on (n_z = 0) is all that lies under a line; from
// above it is a rectangle in the plane with a grid, from which each other plane's half-space is cut (Sutherland and
// Hodgman 1974, one edge at a time), so that a floor ends at the wall. Triangles of a terrain are painted from the
// farthest to the nearest, each as bright as its normal says.
#include "tools/pictures/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const canvas_colour earth = 0xd9dde2, patch = 0xeef0f3, grid = 0xd3d8de, rim = 0x8b939d;

enum { MAX_CORNERS = 64, LINES = 60 };

double ground_round(double length)
{
  const double power = pow(10, floor(log10(length)));
  const double mantissa = length / power * (1 + 1e-9);
  return (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1) * power;
}

void ground_to_pixels(const ground_window *w, const double seen[3], double xy[2])
{
  xy[0] = w->x + w->scale * (seen[0] - w->left);
  xy[1] = w->y + w->scale * (w->top - seen[1]);
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// ---------------------------------------------------------------------------------------------------------------------
// Planes
// ---------------------------------------------------------------------------------------------------------------------

typedef struct patch_polygon {
  double corners[MAX_CORNERS][3];
  int n;
} patch_polygon;

static void normal_of(const sketch_plane *plane, double normal[3])
{
  for (int i = 0; i < 3; i++) normal[i] = plane->pose.rotation[3 * i + 2];
}

// Keeps what lies outside a half-space (side 1) or in it (side -1).
static void cut(patch_polygon *polygon, const sketch_plane *plane, double side)
{
  double normal[3];
  normal_of(plane, normal);
  for (int i = 0; i < 3; i++) normal[i] *= side;
  const double offset = dot(normal, plane->pose.position);
  patch_polygon out = {.n = 0};
  for (int i = 0; i < polygon->n && out.n + 2 <= MAX_CORNERS; i++) {
    const double *a = polygon->corners[i], *b = polygon->corners[(i + 1) % polygon->n];
    const double above_a = dot(normal, a) - offset, above_b = dot(normal, b) - offset;
    if (above_a >= 0) memcpy(out.corners[out.n++], a, 3 * sizeof *a);
    if ((above_a >= 0) == (above_b >= 0)) continue;
    const double t = above_a / (above_a - above_b);
    for (int k = 0; k < 3; k++) out.corners[out.n][k] = a[k] + t * (b[k] - a[k]);
    out.n++;
  }
  *polygon = out;
}

// Keeps the part of a plane that can be seen: in the others of its solid, outside of planes on their own.
static void cut_by_others(patch_polygon *polygon, const sketch_plane *planes, int n, int self)
{
  for (int i = 0; i < n; i++) {
    const bool is_same = planes[i].solid >= 0 && planes[i].solid == planes[self].solid;
    if (i != self && (is_same || planes[i].solid < 0)) cut(polygon, &planes[i], is_same ? -1 : 1);
  }
}

static void fill(canvas *c, const ground_window *w, const patch_polygon *polygon, canvas_paint paint)
{
  double xy[2 * MAX_CORNERS];
  for (int i = 0; i < polygon->n; i++) ground_to_pixels(w, polygon->corners[i], &xy[(size_t)i * 2]);
  if (polygon->n >= 3) canvas_polygon(c, xy, polygon->n, paint);
  if (polygon->n == 2) canvas_polyline(c, xy, 2, paint);
}

// The line ends where others rise above it; fills may lie over each other.
static void draw_edge_on(canvas *c, const ground_window *w, const sketch_plane *planes, int n_planes, int self,
                         bool is_line)
{
  const sketch_plane *plane = &planes[self];
  double normal[3];
  normal_of(plane, normal);
  const double length = hypot(normal[0], normal[1]), n[2] = {normal[0] / length, normal[1] / length};
  const double centre[2] = {(w->left + w->right) / 2, (w->bottom + w->top) / 2};
  const double reach = hypot(w->right - w->left, w->top - w->bottom);
  const double above = n[0] * (centre[0] - plane->pose.position[0]) + n[1] * (centre[1] - plane->pose.position[1]);
  if (above > reach) return;
  const double foot[2] = {centre[0] - above * n[0], centre[1] - above * n[1]};
  patch_polygon under = {.n = 4};
  for (int i = 0; i < 4; i++) {
    const double along = i == 0 || i == 3 ? -reach : reach, depth = i < 2 ? 0 : 2 * reach;
    under.corners[i][2] = plane->pose.position[2];
    under.corners[i][0] = foot[0] + along * n[1] - depth * n[0];
    under.corners[i][1] = foot[1] - along * n[0] - depth * n[1];
  }
  if (!is_line) {
    for (int i = 0; i < n_planes; i++)
      if (i != self && plane->solid >= 0 && planes[i].solid == plane->solid) cut(&under, &planes[i], -1);
    fill(c, w, &under, (canvas_paint){.fill = earth, .stroke = CANVAS_NONE});
    return;
  }
  under.n = 2;
  cut_by_others(&under, planes, n_planes, self);
  if (under.n >= 2) under.n = 2;
  fill(c, w, &under, (canvas_paint){.fill = CANVAS_NONE, .stroke = rim, .width = 1.2});
}

// A rectangle in the plane's own axes e1, e2 about what the scene covers of it.
static void draw_patch(canvas *c, const ground_window *w, const sketch_plane *planes, int n, int self,
                       const double low[3], const double high[3])
{
  const sketch_plane *plane = &planes[self];
  double from[2] = {INFINITY, INFINITY}, to[2] = {-INFINITY, -INFINITY}, axes[2][3];
  for (int e = 0; e < 2; e++) {
    for (int i = 0; i < 3; i++) axes[e][i] = plane->pose.rotation[3 * i + e];
    for (int corner = 0; corner < 8; corner++) {
      double x[3];
      for (int i = 0; i < 3; i++) x[i] = ((corner >> i) & 1 ? high[i] : low[i]) - plane->pose.position[i];
      from[e] = fmin(from[e], dot(axes[e], x));
      to[e] = fmax(to[e], dot(axes[e], x));
    }
  }
  const double step = ground_round(fmax(to[0] - from[0], to[1] - from[1]) / 5);
  for (int e = 0; e < 2; e++) {
    from[e] = step * floor(from[e] / step - 0.5);
    to[e] = step * ceil(to[e] / step + 0.5);
  }
  patch_polygon polygon = {.n = 4};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      polygon.corners[i][k] = plane->pose.position[k] + axes[0][k] * (i == 1 || i == 2 ? to[0] : from[0]) +
                              axes[1][k] * (i >= 2 ? to[1] : from[1]);
  cut_by_others(&polygon, planes, n, self);
  fill(c, w, &polygon, (canvas_paint){.fill = patch, .stroke = rim, .width = 0.8});
  for (int e = 0; e < 2; e++) {
    const int count = (int)fmin(LINES, nearbyint((to[e] - from[e]) / step));
    for (int line = 1; line < count; line++) {
      patch_polygon pair = {.n = 2};
      for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
          pair.corners[i][k] = plane->pose.position[k] + axes[e][k] * (from[e] + line * step) +
                               axes[1 - e][k] * (i == 0 ? from[1 - e] : to[1 - e]);
      cut_by_others(&pair, planes, n, self);
      if (pair.n >= 2) pair.n = 2;
      fill(c, w, &pair, (canvas_paint){.fill = CANVAS_NONE, .stroke = grid, .width = 0.6});
    }
  }
}

void ground_draw_planes(canvas *c, const ground_window *w, const sketch_plane *planes, int n, const double low[3],
                        const double high[3])
{
  for (int i = 0; i < n; i++)
    if (planes[i].pose.rotation[8] > 1e-3) draw_patch(c, w, planes, n, i, low, high);
  for (int i = 0; i < 2 * n; i++)
    if (fabs(planes[i % n].pose.rotation[8]) <= 1e-3) draw_edge_on(c, w, planes, n, i % n, i >= n);
}

// ---------------------------------------------------------------------------------------------------------------------
// Terrain
// ---------------------------------------------------------------------------------------------------------------------

typedef struct triangle {
  double corners[3][3], depth;
} triangle;

static int by_depth(const void *a, const void *b)
{
  const triangle *x = a, *y = b;
  return (x->depth > y->depth) - (x->depth < y->depth);
}

static void height_at(const srs_shape *shape, int row, int column, double local[3])
{
  local[0] = (column - (shape->n_columns - 1) / 2.0) * shape->size[0];
  local[1] = (row - (shape->n_rows - 1) / 2.0) * shape->size[1];
  local[2] = shape->heights[(size_t)row * (size_t)shape->n_columns + (size_t)column];
}

static void corner_of(const srs_shape *shape, int t, int k, double local[3])
{
  if (shape->kind != SRS_SHAPE_HEIGHTFIELD) {
    memcpy(local, &shape->points[3 * (size_t)shape->triangles[3 * (size_t)t + (size_t)k]], 3 * sizeof *local);
    return;
  }
  static const int offsets[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}}; // row, column
  const int cell = t / 2, *offset = offsets[t % 2][k];
  height_at(shape, cell / (shape->n_columns - 1) + offset[0], cell % (shape->n_columns - 1) + offset[1], local);
}

bool ground_draw_terrain(canvas *c, const ground_window *w, const srs_shape *shape, const srs_pose *pose)
{
  const int n =
      shape->kind != SRS_SHAPE_HEIGHTFIELD ? shape->n_triangles : 2 * (shape->n_rows - 1) * (shape->n_columns - 1);
  triangle *triangles = malloc((size_t)(n > 0 ? n : 1) * sizeof *triangles);
  if (triangles == NULL) return false;
  for (int t = 0; t < n; t++) {
    triangles[t].depth = 0;
    for (int k = 0; k < 3; k++) {
      double local[3];
      corner_of(shape, t, k, local);
      sketch_point(pose, local, triangles[t].corners[k]);
      triangles[t].depth += triangles[t].corners[k][2];
    }
  }
  qsort(triangles, (size_t)n, sizeof *triangles, by_depth);
  for (int t = 0; t < n; t++) {
    const double *p = triangles[t].corners[0], *q = triangles[t].corners[1], *r = triangles[t].corners[2];
    const double a[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, b[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double length = sqrt(dot(normal, normal));
    if (length == 0 || fabs(normal[2]) < 1e-9 * length) continue;
    for (int i = 0; i < 3; i++) normal[i] /= normal[2] > 0 ? length : -length;
    double xy[6];
    for (int k = 0; k < 3; k++) ground_to_pixels(w, triangles[t].corners[k], &xy[(size_t)k * 2]);
    canvas_polygon(c, xy, 3,
                   (canvas_paint){.fill = canvas_shade(0xc4cad2, fmin(1.7, sketch_brightness(normal))),
                                  .stroke = rim,
                                  .width = 0.3});
  }
  free(triangles);
  return true;
}
