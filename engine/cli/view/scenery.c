// What is there to see of a model? Each shape with its body and its pose there. Hulls become the fans of their faces,
// polygons the hull of their points half a thickness above and below, heightfields two triangles a cell, meshes the
// triangles of their files.

#include "engine/cli/view/scenery.h"

#include "collision/shapes/hull.h"
#include "topology/mesh/mesh.h"
#include "topology/mesh/mesh_solid.h"

#include <stdint.h>
#include <stdlib.h>

/// Triangles to draw. Either array may be NULL where memory was short.
typedef struct triangles {
  float *points;    // n_points x 3
  int32_t *corners; // n_triangles x 3
  int n_points, n_triangles;
} triangles;

static void put_vector(srs_json *json, const char *key, const double v[3]) { srs_json_numbers(json, key, v, 3); }

static void put_quaternion(srs_json *json, const char *key, const double rotation[9])
{
  double q[4];
  srs_quaternion_from_rotation(rotation, q);
  const double xyzw[4] = {q[1], q[2], q[3], q[0]};
  srs_json_numbers(json, key, xyzw, 4);
}

static srs_pose compose(const srs_pose *parent, const srs_pose *child)
{
  srs_pose pose;
  for (int i = 0; i < 3; i++) {
    const double *row = parent->rotation + (size_t)i * 3;
    pose.position[i] = parent->position[i];
    for (int j = 0; j < 3; j++) {
      pose.position[i] += row[j] * child->position[j];
      pose.rotation[3 * i + j] =
          row[0] * child->rotation[j] + row[1] * child->rotation[3 + j] + row[2] * child->rotation[6 + j];
    }
  }
  return pose;
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------------------------

static bool take(triangles *t, int n_points, int n_triangles)
{
  *t = (triangles){.points = calloc(3 * (size_t)n_points + 1, sizeof(float)),
                   .corners = calloc(3 * (size_t)n_triangles + 1, sizeof(int32_t)),
                   .n_points = n_points,
                   .n_triangles = n_triangles};
  return t->points != NULL && t->corners != NULL;
}

static bool copy(triangles *t, const double *points, int n_points, const int *corners, int n_triangles)
{
  if (!take(t, n_points, n_triangles)) return false;
  for (size_t i = 0; i < 3 * (size_t)n_points; i++) t->points[i] = (float)points[i];
  for (size_t i = 0; i < 3 * (size_t)n_triangles; i++) t->corners[i] = corners[i];
  return true;
}

static bool hull_of(triangles *t, const double *points, int n_points)
{
  srs_hull *hull = NULL;
  const srs_status status = srs_hull_create(points, n_points, &hull, NULL);
  if (status != SRS_OK) return status != SRS_ERROR_MEMORY; // flat: nothing to see
  const bool is_good = take(t, hull->n_corners, hull->face_begin[hull->n_faces] - 2 * hull->n_faces);
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

static bool prism_of(triangles *t, const srs_shape *shape)
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

static bool hills_of(triangles *t, const srs_shape *shape)
{
  const int rows = shape->n_rows, columns = shape->n_columns;
  if (!take(t, rows * columns, 2 * (rows - 1) * (columns - 1))) return false;
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

static bool mesh_of(triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing)
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

static bool triangles_of(triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing)
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

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

static bool is_solid_of_triangles(srs_shape_kind kind)
{
  return kind == SRS_SHAPE_MESH || kind == SRS_SHAPE_HULL || kind == SRS_SHAPE_POLYGON ||
         kind == SRS_SHAPE_HEIGHTFIELD || kind == SRS_SHAPE_TERRAIN || kind == SRS_SHAPE_SURFACE;
}

static bool put_shape(srs_json *json, const srs_model *model, const srs_shape *shape, int *n_missing,
                      srs_error *missing)
{
  triangles t = {0};
  const bool is_good = triangles_of(&t, shape, n_missing, missing);
  if (is_good && (t.n_triangles > 0 || !is_solid_of_triangles(shape->kind))) {
    const srs_frame *frame = shape->frame >= 0 ? srs_model_frame(model, shape->frame) : NULL;
    const srs_pose pose = frame != NULL ? compose(&frame->pose, &shape->pose) : shape->pose;
    srs_json_object(json, NULL);
    srs_json_text(json, "name", shape->label);
    srs_json_text(json, "kind", t.n_triangles > 0 ? "triangles" : srs_shape_kind_name(shape->kind));
    srs_json_integer(json, "body", frame != NULL ? frame->link : -1);
    put_vector(json, "position", pose.position);
    put_quaternion(json, "rotation", pose.rotation);
    put_vector(json, "size", shape->size);
    if (shape->kind == SRS_SHAPE_SUPERELLIPSOID) srs_json_numbers(json, "exponent", shape->exponent, 2);
    srs_json_integer(json, "visual", shape->is_visual);
    if (t.n_triangles > 0) {
      srs_json_bytes(json, "points", t.points, 3 * (size_t)t.n_points * sizeof *t.points);
      srs_json_bytes(json, "triangles", t.corners, 3 * (size_t)t.n_triangles * sizeof *t.corners);
    }
    srs_json_close(json);
  }
  free(t.points);
  free(t.corners);
  return is_good;
}

static void put_bodies(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "bodies");
  for (int i = 0; i < srs_model_n_links(model); i++) {
    const srs_link *link = srs_model_link(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", link->name);
    srs_json_integer(json, "parent", link->parent);
    srs_json_number(json, "mass", link->mass);
    put_vector(json, "com", link->com);
    srs_json_close(json);
  }
  srs_json_close(json);
}

// A joint's place is seen from the body that carries it.
static void put_joints(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "joints");
  for (int i = 0; i < srs_model_n_links(model); i++) {
    const srs_joint *joint = srs_model_joint(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", joint->name);
    srs_json_text(json, "kind", srs_joint_kind_name(joint->kind));
    put_vector(json, "position", joint->origin.position);
    srs_json_close(json);
  }
  srs_json_close(json);
}

static void put_closures(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "closures");
  for (int i = 0; i < srs_model_n_closures(model); i++) {
    const srs_closure *closure = srs_model_closure(model, i);
    const double bodies[2] = {closure->link[0], closure->link[1]};
    srs_json_object(json, NULL);
    srs_json_text(json, "name", closure->name);
    srs_json_integer(json, "rod", closure->kind == SRS_CLOSURE_ROD);
    srs_json_numbers(json, "bodies", bodies, 2);
    put_vector(json, "a", closure->pose[0].position);
    put_vector(json, "b", closure->pose[1].position);
    srs_json_close(json);
  }
  srs_json_close(json);
}

static void put_frames(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "frames");
  for (int i = 0; i < srs_model_n_frames(model); i++) {
    const srs_frame *frame = srs_model_frame(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", frame->name);
    srs_json_integer(json, "body", frame->link);
    put_vector(json, "position", frame->pose.position);
    put_quaternion(json, "rotation", frame->pose.rotation);
    srs_json_close(json);
  }
  srs_json_close(json);
}

srs_status srs_scenery_write(srs_json *json, const srs_model *model, int *n_missing, srs_error *missing)
{
  bool is_good = true;
  *n_missing = 0;
  put_bodies(json, model);
  srs_json_array(json, "shapes");
  for (int i = 0; i < srs_model_n_shapes(model) && is_good; i++)
    is_good = put_shape(json, model, srs_model_shape(model, i), n_missing, missing);
  srs_json_close(json);
  put_joints(json, model);
  put_closures(json, model);
  put_frames(json, model);
  return is_good ? SRS_OK : SRS_ERROR_MEMORY;
}
