// What does a solid look like? Boxes and hulls by their faces, all others by their silhouette (round.c).
//
// A face of a polyhedron is seen when its normal points toward the viewer; of a convex solid no seen face hides
// another, so they are drawn in any order, each as bright as its normal says, and the hull of the projected corners
// goes round them all. The facets of a hull of points are those of srs_polytope; the corners on one of them, sorted by
// angle about their mean, are its polygon.
#include "tools/pictures/sketch.h"

#include <math.h>
#include <sarrus/collision.h>
#include <sarrus/ratio_metric.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---------------------------------------------------------------------------------------------------------------------
// Views
// ---------------------------------------------------------------------------------------------------------------------

// sin and cos of degrees, exact at right angles so that planes seen edge-on are.
static void turn(double degrees, double *sine, double *cosine)
{
  const double quarters = degrees / 90;
  if (quarters == nearbyint(quarters)) {
    const int k = (int)((long)fmod(quarters, 4) + 4) % 4;
    *sine = k == 1 ? 1 : k == 3 ? -1 : 0;
    *cosine = k == 0 ? 1 : k == 2 ? -1 : 0;
    return;
  }
  *sine = sin(degrees * pi / 180);
  *cosine = cos(degrees * pi / 180);
}

sketch_view sketch_look(double azimuth, double elevation)
{
  double sa, ca, se, ce;
  turn(azimuth, &sa, &ca);
  turn(elevation, &se, &ce);
  const double right[3] = {ca, sa, 0}, toward[3] = {sa * ce, -ca * ce, se};
  return (sketch_view){{right[0], right[1], right[2],
                        toward[1] * right[2] - toward[2] * right[1], // up = toward x right
                        toward[2] * right[0] - toward[0] * right[2], toward[0] * right[1] - toward[1] * right[0],
                        toward[0], toward[1], toward[2]}};
}

static void rotate(const double rotation[9], const double x[3], double out[3])
{
  const double a = x[0], b = x[1], c = x[2], *row = rotation;
  for (int i = 0; i < 3; i++, row += 3) out[i] = row[0] * a + row[1] * b + row[2] * c;
}

void sketch_point(const srs_pose *pose, const double local[3], double seen[3])
{
  rotate(pose->rotation, local, seen);
  for (int i = 0; i < 3; i++) seen[i] += pose->position[i];
}

srs_pose sketch_compose(const srs_pose *parent, const srs_pose *child)
{
  srs_pose out;
  sketch_point(parent, child->position, out.position);
  for (int column = 0; column < 3; column++) {
    double axis[3] = {child->rotation[column], child->rotation[3 + column], child->rotation[6 + column]};
    rotate(parent->rotation, axis, axis);
    for (int i = 0; i < 3; i++) out.rotation[3 * i + column] = axis[i];
  }
  return out;
}

srs_pose sketch_pose(const sketch_view *view, const srs_pose *world)
{
  srs_pose eye = {.position = {0, 0, 0}};
  memcpy(eye.rotation, view->axes, sizeof eye.rotation);
  return sketch_compose(&eye, world);
}

double sketch_brightness(const double normal[3])
{
  static const double light[3] = {-0.35, 0.6, 0.72}; // from the upper left, behind the viewer
  return 0.9 + 0.55 * fmax(0, normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2]);
}

// ---------------------------------------------------------------------------------------------------------------------
// Keeping
// ---------------------------------------------------------------------------------------------------------------------

// The items, moved where that makes room for `needed` of them; as they were when memory is short.
static void *grown(sketch *s, void *items, int needed, int *capacity, size_t size)
{
  if (s->has_failed || needed <= *capacity) return items;
  const int enough = 2 * needed + 64;
  void *moved = realloc(items, (size_t)enough * size);
  if (moved == NULL) {
    s->has_failed = true;
    return items;
  }
  *capacity = enough;
  return moved;
}

void sketch_destroy(sketch *s)
{
  free(s->points);
  free(s->normals);
  free(s->paths);
  free(s->solids);
  *s = (sketch){0};
}

int sketch_take_points(sketch *s, int n)
{
  s->points = grown(s, s->points, s->n_points + n, &s->point_capacity, 3 * sizeof(double));
  if (s->has_failed) return -1;
  s->n_points += n;
  return s->n_points - n;
}

void sketch_add_path(sketch *s, sketch_kind kind, int first, int n, double shade)
{
  s->paths = grown(s, s->paths, s->n_paths + 1, &s->path_capacity, sizeof *s->paths);
  if (s->has_failed) return;
  s->paths[s->n_paths++] = (sketch_path){.kind = kind, .first = first, .n = n, .shade = shade};
}

void sketch_add_normal(sketch *s, const double normal[3])
{
  s->normals = grown(s, s->normals, s->n_normals + 1, &s->normal_capacity, 3 * sizeof(double));
  if (s->has_failed) return;
  memcpy(&s->normals[3 * (size_t)s->n_normals++], normal, 3 * sizeof *normal);
}

void sketch_begin_solid(sketch *s, int owner)
{
  s->solids = grown(s, s->solids, s->n_solids + 1, &s->solid_capacity, sizeof *s->solids);
  if (s->has_failed) return;
  s->solids[s->n_solids] = (sketch_solid){
      .owner = owner, .first_path = s->n_paths, .first_point = s->n_points, .first_normal = s->n_normals};
}

void sketch_end_solid(sketch *s)
{
  if (s->has_failed) return;
  sketch_solid *solid = &s->solids[s->n_solids];
  solid->n_paths = s->n_paths - solid->first_path;
  solid->n_points = s->n_points - solid->first_point;
  solid->n_normals = s->n_normals - solid->first_normal;
  for (int i = 0; i < 3; i++) {
    solid->low[i] = INFINITY;
    solid->high[i] = -INFINITY;
  }
  for (int p = solid->first_point; p < s->n_points; p++) {
    for (int i = 0; i < 3; i++) {
      solid->low[i] = fmin(solid->low[i], s->points[3 * (size_t)p + (size_t)i]);
      solid->high[i] = fmax(solid->high[i], s->points[3 * (size_t)p + (size_t)i]);
    }
  }
  s->n_solids++;
}

void sketch_line(sketch *s, sketch_kind kind, const double a[3], const double b[3], int owner)
{
  sketch_begin_solid(s, owner);
  const int first = sketch_take_points(s, 2);
  if (first < 0) return;
  memcpy(&s->points[3 * (size_t)first], a, 3 * sizeof *a);
  memcpy(&s->points[3 * (size_t)first + 3], b, 3 * sizeof *b);
  sketch_add_path(s, kind, first, 2, 1);
  sketch_end_solid(s);
}

// ---------------------------------------------------------------------------------------------------------------------
// Hulls
// ---------------------------------------------------------------------------------------------------------------------

typedef struct keyed {
  double key, second;
  int index;
} keyed;

static int by_key(const void *a, const void *b)
{
  const keyed *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->second != y->second) return x->second < y->second ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

// Twice the area of the triangle a b c, positive when it goes counter-clockwise.
static double area(const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Andrew's monotone chain: a lower chain to the right, an upper one back.
int sketch_hull(const double *points, int n, int *corners)
{
  if (n < 3) {
    for (int i = 0; i < n; i++) corners[i] = i;
    return n;
  }
  keyed *sorted = malloc((size_t)n * sizeof *sorted);
  int *chain = malloc(2 * (size_t)n * sizeof *chain);
  int count = 0;
  if (sorted != NULL && chain != NULL) {
    for (int i = 0; i < n; i++) sorted[i] = (keyed){points[3 * (size_t)i], points[3 * (size_t)i + 1], i};
    qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    for (int pass = 0; pass < 2; pass++) {
      const int begin = count;
      for (int k = 0; k < n; k++) {
        const int next = sorted[pass == 0 ? k : n - 1 - k].index;
        while (count >= begin + 2 && area(&points[3 * (size_t)chain[count - 2]], &points[3 * (size_t)chain[count - 1]],
                                          &points[3 * (size_t)next]) <= 1e-300)
          count--;
        chain[count++] = next;
      }
      count--; // the other chain begins with it
    }
    if (count > n) count = n;
    memcpy(corners, chain, (size_t)count * sizeof *corners);
  }
  free(sorted);
  free(chain);
  return count;
}

void sketch_add_silhouette(sketch *s, sketch_kind kind, double shade)
{
  if (s->has_failed) return;
  const int first = s->solids[s->n_solids].first_point, n = s->n_points - first;
  int *corners = malloc((size_t)(n > 0 ? n : 1) * sizeof *corners);
  const int count = corners != NULL ? sketch_hull(&s->points[3 * (size_t)first], n, corners) : 0;
  const int start = sketch_take_points(s, count);
  if (corners == NULL || start < 0) {
    s->has_failed = true;
  } else {
    for (int i = 0; i < count; i++)
      memcpy(&s->points[3 * (size_t)(start + i)], &s->points[3 * (size_t)(first + corners[i])], 3 * sizeof(double));
    sketch_add_path(s, kind, start, count, shade);
  }
  free(corners);
}

// ---------------------------------------------------------------------------------------------------------------------
// Polyhedra
// ---------------------------------------------------------------------------------------------------------------------

// The polygon of one facet, from those of the points that lie on it.
static void add_facet(sketch *s, const double *local, int n, const double normal[3], double offset, double size,
                      const srs_pose *pose, keyed *sorted)
{
  double seen_normal[3];
  rotate(pose->rotation, normal, seen_normal);
  sketch_add_normal(s, seen_normal);
  if (seen_normal[2] < 1e-6) return;

  double mean[3] = {0, 0, 0};
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double *p = &local[3 * (size_t)i];
    if (fabs(normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - offset) > 1e-7 * size) continue;
    sorted[count++].index = i;
    for (int k = 0; k < 3; k++) mean[k] += p[k];
  }
  if (count < 3) return;
  for (int k = 0; k < 3; k++) mean[k] /= count;
  double middle[3];
  sketch_point(pose, mean, middle);
  for (int i = 0; i < count; i++) { // seen from the viewer's side the order by angle is the polygon's
    double corner[3];
    sketch_point(pose, &local[3 * (size_t)sorted[i].index], corner);
    sorted[i].key = atan2(corner[1] - middle[1], corner[0] - middle[0]);
    sorted[i].second = 0;
  }
  qsort(sorted, (size_t)count, sizeof *sorted, by_key);
  const int first = sketch_take_points(s, count);
  if (first < 0) return;
  for (int i = 0; i < count; i++)
    sketch_point(pose, &local[3 * (size_t)sorted[i].index], &s->points[3 * (size_t)(first + i)]);
  sketch_add_path(s, SKETCH_FACE, first, count, sketch_brightness(seen_normal));
}

static void sketch_polyhedron(sketch *s, const double *local, int n, const srs_pose *pose)
{
  const int first = sketch_take_points(s, n);
  if (first < 0) return;
  for (int i = 0; i < n; i++) sketch_point(pose, &local[3 * (size_t)i], &s->points[3 * (size_t)(first + i)]);
  srs_polytope *polytope = NULL;
  keyed *sorted = malloc((size_t)n * sizeof *sorted);
  if (sorted == NULL) {
    s->has_failed = true;
  } else if (srs_polytope_create(local, n, 3, NULL, &polytope, NULL) == SRS_OK) {
    double size = 0;
    for (int i = 0; i < 3 * n; i++) size = fmax(size, fabs(local[i]));
    for (int f = 0; f < srs_polytope_n_facets(polytope); f++) {
      double normal[3], offset;
      srs_polytope_facet(polytope, f, normal, &offset);
      add_facet(s, local, n, normal, offset, size, pose, sorted);
    }
    sketch_add_silhouette(s, SKETCH_OUTLINE, 1);
  } else { // flat
    sketch_add_silhouette(s, SKETCH_FACE, 1.2);
  }
  free(sorted);
  srs_polytope_destroy(polytope);
}

static void sketch_prism(sketch *s, const srs_shape *shape, const srs_pose *pose)
{
  double *corners = malloc(6 * (size_t)shape->n_points * sizeof *corners);
  s->has_failed = s->has_failed || corners == NULL;
  if (corners == NULL) return;
  for (size_t i = 0; i < 2 * (size_t)shape->n_points; i++) {
    for (size_t c = 0; c < 2; c++) corners[3 * i + c] = shape->points[3 * (i / 2) + c];
    corners[3 * i + 2] = (i % 2 == 0 ? -0.5 : 0.5) * shape->size[0];
  }
  sketch_polyhedron(s, corners, 2 * shape->n_points, pose);
  free(corners);
}

bool sketch_shape(sketch *s, const srs_shape *shape, const srs_pose *pose, int owner)
{
  switch (shape->kind) {
  case SRS_SHAPE_MESH:
  case SRS_SHAPE_HALF_SPACE:
  case SRS_SHAPE_TERRAIN:
  case SRS_SHAPE_SURFACE:
  case SRS_SHAPE_HEIGHTFIELD: return false;
  default: break;
  }
  sketch_begin_solid(s, owner);
  if (shape->kind == SRS_SHAPE_BOX) {
    double corners[24];
    for (int i = 0; i < 24; i++) corners[i] = (((i / 3) >> (i % 3)) & 1 ? 0.5 : -0.5) * shape->size[i % 3];
    sketch_polyhedron(s, corners, 8, pose);
  } else if (shape->kind == SRS_SHAPE_POLYGON) {
    sketch_prism(s, shape, pose);
  } else if (shape->kind == SRS_SHAPE_HULL) {
    sketch_polyhedron(s, shape->points, shape->n_points, pose);
  } else {
    sketch_round(s, shape, pose);
  }
  if (!s->has_failed && s->n_points == s->solids[s->n_solids].first_point) return false; // of a kind unknown here
  sketch_end_solid(s);
  return true;
}
