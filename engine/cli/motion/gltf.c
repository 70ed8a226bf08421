// A recording as an animation: glTF 2.0, one file with its numbers in it.
//
// The world's z points up and glTF's y does, so all hangs on a node that turns by -90 degrees about x. A node for each
// body is moved by the animation, positions and quaternions at the time of each frame, linear between; a node for each
// solid on it has its mesh. Numbers lie in one buffer: times, then for each body positions and quaternions, then for
// each solid points and triangles. Where only q differs from -q a quaternion is turned to that of the frame before.
#include "engine/cli/motion/export.h"

#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"
#include <sarrus/sarrus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = 5126, UNSIGNED = 5125, ARRAY = 34962, ELEMENTS = 34963 };

typedef struct gltf {
  const srs_film *film;
  const srs_parts *parts;
  srs_json json;
  unsigned char *bytes; // of the buffer
  size_t n;
} gltf;

// ---------------------------------------------------------------------------------------------------------------------
// The buffer
// ---------------------------------------------------------------------------------------------------------------------

static size_t frame_bytes(const gltf *g) { return (size_t)g->film->n_frames * sizeof(float); }

static size_t measure(const gltf *g)
{
  size_t n = frame_bytes(g) * (1 + 7 * (size_t)g->film->n_bodies);
  for (int i = 0; i < g->parts->n; i++) {
    const srs_triangles *t = &g->parts->parts[i].triangles;
    n += 3 * sizeof(float) * ((size_t)t->n_points + (size_t)t->n_triangles);
  }
  return n;
}

static void put(gltf *g, const void *bytes, size_t n)
{
  if (n > 0) memcpy(g->bytes + g->n, bytes, n);
  g->n += n;
}

static void put_motion(gltf *g, int body)
{
  double position[3], quaternion[4], before[4] = {0, 0, 0, 1};
  for (int frame = 0; frame < g->film->n_frames; frame++) {
    srs_film_pose(g->film, frame, body, position, quaternion);
    const float values[3] = {(float)position[0], (float)position[1], (float)position[2]};
    put(g, values, sizeof values);
  }
  for (int frame = 0; frame < g->film->n_frames; frame++) {
    double product = 0;
    srs_film_pose(g->film, frame, body, position, quaternion);
    for (int i = 0; i < 4; i++) product += before[i] * quaternion[i];
    float values[4];
    for (int i = 0; i < 4; i++) {
      before[i] = product < 0 ? -quaternion[i] : quaternion[i];
      values[i] = (float)before[i];
    }
    put(g, values, sizeof values);
  }
}

static bool fill_buffer(gltf *g)
{
  g->bytes = malloc(measure(g) + 1);
  if (g->bytes == NULL) return false;
  for (int frame = 0; frame < g->film->n_frames; frame++) {
    const float time = (float)(srs_film_row(g->film, frame)[0] - srs_film_row(g->film, 0)[0]);
    put(g, &time, sizeof time);
  }
  for (int body = 0; body < g->film->n_bodies; body++) put_motion(g, body);
  for (int i = 0; i < g->parts->n; i++) {
    const srs_triangles *t = &g->parts->parts[i].triangles;
    put(g, t->points, 3 * sizeof *t->points * (size_t)t->n_points);
    put(g, t->corners, 3 * sizeof *t->corners * (size_t)t->n_triangles);
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Accessors, a view for each
// ---------------------------------------------------------------------------------------------------------------------

// The accessors of a body's positions and quaternions, of a solid's points and triangles.
static int positions_of(int body) { return 1 + 2 * body; }
static int points_of(const gltf *g, int part) { return 1 + 2 * g->film->n_bodies + 2 * part; }

static void put_view(gltf *g, size_t *at, size_t n, int target)
{
  srs_json_object(&g->json, NULL);
  srs_json_integer(&g->json, "buffer", 0);
  srs_json_integer(&g->json, "byteOffset", (long)*at);
  srs_json_integer(&g->json, "byteLength", (long)n);
  if (target > 0) srs_json_integer(&g->json, "target", target);
  srs_json_close(&g->json);
  *at += n;
}

static void put_views(gltf *g)
{
  size_t at = 0;
  srs_json_array(&g->json, "bufferViews");
  put_view(g, &at, frame_bytes(g), 0);
  for (int body = 0; body < g->film->n_bodies; body++) {
    put_view(g, &at, 3 * frame_bytes(g), 0);
    put_view(g, &at, 4 * frame_bytes(g), 0);
  }
  for (int i = 0; i < g->parts->n; i++) {
    const srs_triangles *t = &g->parts->parts[i].triangles;
    put_view(g, &at, 3 * sizeof(float) * (size_t)t->n_points, ARRAY);
    put_view(g, &at, 3 * sizeof(int32_t) * (size_t)t->n_triangles, ELEMENTS);
  }
  srs_json_close(&g->json);
}

static void put_accessor(gltf *g, int *view, long count, int component, const char *type, const float *values,
                         int width)
{
  double least[3], most[3];
  srs_json_object(&g->json, NULL);
  srs_json_integer(&g->json, "bufferView", (*view)++);
  srs_json_integer(&g->json, "componentType", component);
  srs_json_integer(&g->json, "count", count);
  srs_json_text(&g->json, "type", type);
  for (int k = 0; k < width; k++) least[k] = most[k] = values[k];
  for (long i = 0; i < count; i++)
    for (int k = 0; k < width; k++) {
      least[k] = fmin(least[k], values[i * width + k]);
      most[k] = fmax(most[k], values[i * width + k]);
    }
  if (width > 0) srs_json_numbers(&g->json, "min", least, width);
  if (width > 0) srs_json_numbers(&g->json, "max", most, width);
  srs_json_close(&g->json);
}

static void put_accessors(gltf *g)
{
  int view = 0;
  const long frames = g->film->n_frames;
  srs_json_array(&g->json, "accessors");
  put_accessor(g, &view, frames, FLOAT, "SCALAR", (const float *)(const void *)g->bytes, 1);
  for (int body = 0; body < g->film->n_bodies; body++) {
    put_accessor(g, &view, frames, FLOAT, "VEC3", NULL, 0);
    put_accessor(g, &view, frames, FLOAT, "VEC4", NULL, 0);
  }
  for (int i = 0; i < g->parts->n; i++) {
    const srs_triangles *t = &g->parts->parts[i].triangles;
    put_accessor(g, &view, t->n_points, FLOAT, "VEC3", t->points, 3);
    put_accessor(g, &view, 3L * t->n_triangles, UNSIGNED, "SCALAR", NULL, 0);
  }
  srs_json_close(&g->json);
}

// ---------------------------------------------------------------------------------------------------------------------
// Nodes: the root, the bodies, the solids
// ---------------------------------------------------------------------------------------------------------------------

static void put_children(gltf *g, int body)
{
  bool has_any = body < 0 && g->film->n_bodies > 0;
  for (int i = 0; i < g->parts->n; i++) has_any = has_any || g->parts->parts[i].body == body;
  if (!has_any) return;
  srs_json_array(&g->json, "children");
  for (int i = 0; i < g->film->n_bodies && body < 0; i++) srs_json_integer(&g->json, NULL, 1 + i);
  for (int i = 0; i < g->parts->n; i++)
    if (g->parts->parts[i].body == body) srs_json_integer(&g->json, NULL, 1 + g->film->n_bodies + i);
  srs_json_close(&g->json);
}

static void put_place(gltf *g, const double position[3], const double quaternion[4])
{
  srs_json_numbers(&g->json, "translation", position, 3);
  srs_json_numbers(&g->json, "rotation", quaternion, 4);
}

static void put_nodes(gltf *g)
{
  const double up[4] = {-sqrt(0.5), 0, 0, sqrt(0.5)}, origin[3] = {0};
  double position[3], q[4];
  srs_json_array(&g->json, "nodes");
  srs_json_object(&g->json, NULL);
  srs_json_text(&g->json, "name", "world");
  put_place(g, origin, up);
  put_children(g, -1);
  srs_json_close(&g->json);
  for (int body = 0; body < g->film->n_bodies; body++) {
    srs_json_object(&g->json, NULL);
    srs_json_text(&g->json, "name", srs_model_link(g->film->model, body)->name);
    srs_film_pose(g->film, 0, body, position, q);
    put_place(g, position, q);
    put_children(g, body);
    srs_json_close(&g->json);
  }
  for (int i = 0; i < g->parts->n; i++) {
    const srs_part *part = &g->parts->parts[i];
    srs_quaternion_from_rotation(part->pose.rotation, q);
    const double xyzw[4] = {q[1], q[2], q[3], q[0]};
    srs_json_object(&g->json, NULL);
    srs_json_text(&g->json, "name", part->name);
    srs_json_integer(&g->json, "mesh", i);
    put_place(g, part->pose.position, xyzw);
    srs_json_close(&g->json);
  }
  srs_json_close(&g->json);
}

// The world's, two for bodies in turn, that of pivots.
static int material_of(const srs_part *part) { return part->is_pivot ? 3 : part->body < 0 ? 0 : 1 + part->body % 2; }

static void put_meshes(gltf *g)
{
  srs_json_array(&g->json, "meshes");
  for (int i = 0; i < g->parts->n; i++) {
    srs_json_object(&g->json, NULL);
    srs_json_array(&g->json, "primitives");
    srs_json_object(&g->json, NULL);
    srs_json_object(&g->json, "attributes");
    srs_json_integer(&g->json, "POSITION", points_of(g, i));
    srs_json_close(&g->json);
    srs_json_integer(&g->json, "indices", points_of(g, i) + 1);
    srs_json_integer(&g->json, "material", material_of(&g->parts->parts[i]));
    srs_json_close(&g->json);
    srs_json_close(&g->json);
    srs_json_close(&g->json);
  }
  srs_json_close(&g->json);
}

static void put_materials(gltf *g)
{
  static const double colours[4][4] = {
      {0.6, 0.62, 0.65, 1}, {0.9, 0.45, 0.1, 1}, {0.2, 0.4, 0.7, 1}, {0.19, 0.2, 0.23, 1}};
  srs_json_array(&g->json, "materials");
  for (int i = 0; i < 4; i++) {
    srs_json_object(&g->json, NULL);
    srs_json_object(&g->json, "pbrMetallicRoughness");
    srs_json_numbers(&g->json, "baseColorFactor", colours[i], 4);
    srs_json_number(&g->json, "metallicFactor", 0.1);
    srs_json_number(&g->json, "roughnessFactor", 0.7);
    srs_json_close(&g->json);
    srs_json_close(&g->json);
  }
  srs_json_close(&g->json);
}

// ---------------------------------------------------------------------------------------------------------------------
// The animation
// ---------------------------------------------------------------------------------------------------------------------

static void put_channel(gltf *g, int sampler, int body, const char *path)
{
  srs_json_object(&g->json, NULL);
  srs_json_integer(&g->json, "sampler", sampler);
  srs_json_object(&g->json, "target");
  srs_json_integer(&g->json, "node", 1 + body);
  srs_json_text(&g->json, "path", path);
  srs_json_close(&g->json);
  srs_json_close(&g->json);
}

static void put_animation(gltf *g)
{
  srs_json_array(&g->json, "animations");
  srs_json_object(&g->json, NULL);
  srs_json_text(&g->json, "name", "run");
  srs_json_array(&g->json, "samplers");
  for (int i = 0; i < 2 * g->film->n_bodies; i++) {
    srs_json_object(&g->json, NULL);
    srs_json_integer(&g->json, "input", 0);
    srs_json_integer(&g->json, "output", positions_of(0) + i);
    srs_json_close(&g->json);
  }
  srs_json_close(&g->json);
  srs_json_array(&g->json, "channels");
  for (int body = 0; body < g->film->n_bodies; body++) {
    put_channel(g, 2 * body, body, "translation");
    put_channel(g, 2 * body + 1, body, "rotation");
  }
  srs_json_close(&g->json);
  srs_json_close(&g->json);
  srs_json_close(&g->json);
}

static void put_buffer(gltf *g, FILE *out)
{
  fprintf(out, ",\n  \"buffers\": [{\"byteLength\": %zu, \"uri\": \"data:application/octet-stream;base64,", g->n);
  srs_put_base64(out, g->bytes, g->n);
  fputs("\"}]\n}\n", out);
}

static void put_document(gltf *g)
{
  srs_json *json = &g->json;
  char generator[64];
  snprintf(generator, sizeof generator, "Sarrus %s", srs_version());
  srs_json_object(json, NULL);
  srs_json_object(json, "asset");
  srs_json_text(json, "version", "2.0");
  srs_json_text(json, "generator", generator);
  srs_json_close(json);
  srs_json_integer(json, "scene", 0);
  srs_json_array(json, "scenes");
  srs_json_object(json, NULL);
  srs_json_array(json, "nodes");
  srs_json_integer(json, NULL, 0);
  srs_json_close(json);
  srs_json_close(json);
  srs_json_close(json);
  put_nodes(g);
  if (g->parts->n > 0) put_meshes(g);
  put_materials(g);
  if (g->film->n_bodies > 0) put_animation(g);
  put_accessors(g);
  put_views(g);
}

srs_status srs_export_gltf(const srs_film *film, const srs_parts *parts, const char *path, bool is_forced,
                           srs_error *error)
{
  char *text = NULL;
  size_t length = 0;
  gltf g = {.film = film, .parts = parts};
  FILE *out = fill_buffer(&g) ? open_memstream(&text, &length) : NULL;
  if (out == NULL) {
    free(g.bytes);
    return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  }
  g.json.file = out;
  put_document(&g);
  put_buffer(&g, out);
  free(g.bytes);
  return srs_export_write(out, &text, &length, path, is_forced, error);
}
