// Which triangles is a shape of? Hulls become the fans of their faces, polygons the hull of their points half a
// thickness above and below, heightfields two triangles a cell, meshes the triangles of their files.

#include "engine/cli/view/triangles.h"

#include "collision/shapes/hull.h"
#include "topology/mesh/mesh.h"
#include "topology/mesh/mesh_solid.h"

#include <stdlib.h>

bool srs_triangles_take(srs_triangles *t, int n_points, int n_triangles)
{
  *t = (srs_triangles){.points = calloc(3 * (size_t)n_points + 1, sizeof(float)),
                       .corners = calloc(3 * (size_t)n_triangles + 1, sizeof(int32_t)),
                       .n_points = n_points,
                       .n_triangles = n_triangles};
  return t->points != NULL && t->corners != NULL;
}

static bool copy(srs_triangles *t, const double *points, int n_points, const int *corners, int n_triangles)
{
  if (!srs_triangles_take(t, n_points, n_triangles)) return false;
  for (size_t i = 0; i < 3 * (size_t)n_points; i++) t->points[i] = (float)points[i];
  for (size_t i = 0; i < 3 * (size_t)n_triangles; i++) t->corners[i] = corners[i];
  return true;
}

static bool hull_of(srs_triangles *t, const double *points, int n_points)
{
  srs_hull *hull = NULL;
  const srs_status status = srs_hull_create(points, n_points, &hull, NULL);
  if (status != SRS_OK) return status != SRS_ERROR_MEMORY; // flat: nothing to see
  const bool is_good = srs_triangles_take(t, hull->n_corners, hull->face_begin[hull->n_faces] - 2 * hull->n_faces);
  for (int i = 0; i < hull->n_corners && is_good; i++) {
    const double corner[3] = {hull->corners[i].x, hull->corners[i].y, hull->corners[i].z};
    for (size_t k = 0; k < 3; k++) t->points[3 * (size_t)i + k] = (float)corner[k];
  }
  int32_t *at = t->corners;
  for (int face = 0; face < hull->n_faces && is_good; face++) {
    const int *corners = hull->face_corners + hull->face_begin[face];
    const int n = hull->face_begin[face + 1] - hull->face_begin[face];
    for (int i = 2; i < n; i++, at += 3) at[0] = corners[0], at[1] = corners[i - 1], at[2] = corners[i];
  }
  free(hull);
  return is_good;
}

static bool prism_of(srs_triangles *t, const srs_shape *shape)
{
  double *points = malloc(6 * (size_t)shape->n_points * sizeof *points + 1);
  if (points == NULL) return false;
  for (int i = 0; i < 2 * shape->n_points; i++) {
    const double *from = shape->points + 3 * (size_t)(i / 2);
    double *to = points + 3 * (size_t)i;
    to[0] = from[0], to[1] = from[1], to[2] = (i % 2 - 0.5) * shape->size[0];
  }
  const bool is_good = hull_of(t, points, 2 * shape->n_points);
  free(points);
  return is_good;
}

static bool hills_of(srs_triangles *t, const srs_shape *shape)
{
  const int rows = shape->n_rows, columns = shape->n_columns;
  if (!srs_triangles_take(t, rows * columns, 2 * (rows - 1) * (columns - 1))) return false;
  for (int i = 0; i < rows * columns; i++) {
    const int row = i / columns, column = i % columns;
    float *point = t->points + 3 * (size_t)i;
    point[0] = (float)((column - (columns - 1) / 2.0) * shape->size[0]);
    point[1] = (float)((row - (rows - 1) / 2.0) * shape->size[1]);
    point[2] = (float)shape->heights[i];
  }
  int32_t *at = t->corners;
  for (int row = 0; row + 1 < rows; row++)
    for (int column = 0; column + 1 < columns; column++, at += 6) {
      const int corner = row * columns + column;
      at[0] = corner, at[1] = corner + 1, at[2] = corner + columns + 1;
      at[3] = corner, at[4] = corner + columns + 1, at[5] = corner + columns;
    }
  return true;
}

static bool mesh_of(srs_triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing)
{
  srs_mesh mesh;
  srs_error error = {0};
  const srs_status status = srs_mesh_read(shape->file, NULL, &mesh, &error);
  bool is_good = status != SRS_ERROR_MEMORY;
  if (status == SRS_OK) {
    srs_mesh_scale(&mesh, shape->size);
    is_good = copy(t, mesh.points, mesh.n_points, mesh.triangles, mesh.n_triangles);
  } else if (is_good && (*n_missing)++ == 0) {
    *missing = error;
  }
  srs_mesh_release(&mesh);
  return is_good;
}

bool srs_triangles_of(srs_triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing)
{
  switch (shape->kind) {
  case SRS_SHAPE_MESH: return mesh_of(t, shape, n_missing, missing);
  case SRS_SHAPE_HULL: return hull_of(t, shape->points, shape->n_points);
  case SRS_SHAPE_POLYGON: return prism_of(t, shape);
  case SRS_SHAPE_HEIGHTFIELD: return hills_of(t, shape);
  case SRS_SHAPE_TERRAIN:
  case SRS_SHAPE_SURFACE: return copy(t, shape->points, shape->n_points, shape->triangles, shape->n_triangles);
  default: return true;
  }
}

void srs_triangles_free(srs_triangles *t)
{
  free(t->points);
  free(t->corners);
  *t = (srs_triangles){0};
}
