// Shapes of a scene: the list `shapes` of a model written in place, and the list `environment` of the world.
//
// Both have the same kinds and the same keys for sizes; a shape of a model is placed by `link` and `pose`, one of the
// environment by `position` and `rotation`, and may move as prescribed. A half-space may be given by the inequality of
// its solid points, n . x <= d: its frame then has z = n/|n| and lies at z d/|n|, the point of its surface nearest to
// the origin.
#include "engine/scene/models/scene_entries.h"
#include "topology/base/names.h"
#include "topology/base/spatial.h"
#include "topology/model/shape_kind.h"

#include <stdio.h>
#include <string.h>

#define KIND(name) (1U << SRS_SHAPE_##name)
static const double PI = 3.14159265358979323846;
enum { MOST_CORNERS = 1000 };
enum { ROUND = KIND(CYLINDER) | KIND(CAPSULE) | KIND(CONE) };
enum {
  WITHOUT_SIZE = KIND(HALF_SPACE) | KIND(HULL) | KIND(HEIGHTFIELD) | KIND(PARABOLOID) | KIND(POLYGON) | KIND(SURFACE)
};

// Keys of sizes, and the kinds that have them.
static const struct {
  const char *key;
  unsigned kinds;
} measures[] = {
    {"size", ~(unsigned)WITHOUT_SIZE},
    {"exponents", KIND(SUPERELLIPSOID)},
    {"radii", KIND(PARABOLOID)},
    {"height", KIND(PARABOLOID)},
    {"radius", KIND(SPHERE) | ROUND | KIND(POLYGON)},
    {"corners", KIND(POLYGON)},
    {"thickness", KIND(POLYGON)},
    {"length", ROUND},
    {"file", KIND(MESH) | KIND(TERRAIN) | KIND(HEIGHTFIELD)},
    {"collide", KIND(MESH)},
    {"normal", KIND(HALF_SPACE)},
    {"offset", KIND(HALF_SPACE)},
    {"points", KIND(HULL) | KIND(TERRAIN) | KIND(POLYGON) | KIND(SURFACE)},
    {"triangles", KIND(TERRAIN) | KIND(SURFACE)},
    {"source", KIND(HULL) | KIND(TERRAIN) | KIND(SURFACE)},
    {"heights", KIND(HEIGHTFIELD)},
    {"spacing", KIND(HEIGHTFIELD)},
    {"range", KIND(HEIGHTFIELD)},
};
enum { N_MEASURES = sizeof measures / sizeof measures[0] };

// The article before the kind's name, a or an.
static const char *article(srs_shape_kind kind)
{
  return strchr("aeiou", srs_shape_kind_name(kind)[0]) != NULL ? "an" : "a";
}

static srs_status needs_key(const srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_kind kind,
                            const char *key)
{
  return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, map->place, key, "%s %s needs the key '%s'", article(kind),
                     srs_shape_kind_name(kind), key);
}

// ---------------------------------------------------------------------------------------------------------------------
// Kind and keys
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_kind(srs_scene_reader *reader, const srs_yaml_node *map, const char *key, srs_shape_kind *kind)
{
  const srs_yaml_node *node = srs_yaml_get(map, key);
  if (node == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, map->place, key, "a shape needs the key '%s'", key);
  const char *word;
  const srs_status status = srs_yaml_text(node, "kind of a shape", &word, reader->error);
  if (status != SRS_OK) return status;
  srs_nearest nearest = srs_nearest_to(word);
  char known[256] = "", hint[192];
  size_t length = 0;
  for (int i = 0; i < SRS_SHAPE_KINDS; i++) {
    *kind = (srs_shape_kind)i;
    if (strcmp(word, srs_shape_kind_name((srs_shape_kind)i)) == 0) return SRS_OK;
    srs_nearest_offer(&nearest, srs_shape_kind_name((srs_shape_kind)i));
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "",
                               srs_shape_kind_name((srs_shape_kind)i));
  }
  return srs_fail_at(reader->error, SRS_ERROR_NAME, node->place, word, "no shape is named '%.80s' (there are %s)%s",
                     word, known, srs_nearest_hint(&nearest, hint));
}

// Refuses sizes that this kind of shape does not have.
static srs_status check_measures(const srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_kind kind)
{
  for (int i = 0; i < N_MEASURES; i++) {
    const srs_yaml_node *node = srs_yaml_get(map, measures[i].key);
    if (node == NULL || (measures[i].kinds >> kind & 1) != 0) continue;
    if (measures[i].kinds == KIND(MESH))
      return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, node->key_place, node->key, "'%s' belongs to meshes only",
                         node->key);
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, node->key_place, node->key,
                       "'%s' is not a key of a shape of kind %s", node->key, srs_shape_kind_name(kind));
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sizes
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_length(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_kind kind, const char *key,
                              double *value)
{
  const srs_yaml_node *node = srs_yaml_get(map, key);
  if (node == NULL) return needs_key(reader, map, kind, key);
  return srs_yaml_number(node, key, value, reader->error);
}

// `size`, or `radius` and `length` for what is round about z.
static srs_status read_size(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *size = srs_yaml_get(map, "size"), *radius = srs_yaml_get(map, "radius");
  const srs_yaml_node *length = srs_yaml_get(map, "length");
  const bool is_by_radius = radius != NULL || length != NULL;
  if (size != NULL && is_by_radius)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, size->key_place, "size",
                       "a shape has either 'size' or 'radius'%s", length != NULL ? " and 'length'" : "");
  if (is_by_radius) {
    const srs_status status = read_length(reader, map, def->kind, "radius", &def->size[0]);
    if (status != SRS_OK || def->kind == SRS_SHAPE_SPHERE) return status;
    return read_length(reader, map, def->kind, "length", &def->size[1]);
  }
  if (def->kind == SRS_SHAPE_MESH) def->size[0] = def->size[1] = def->size[2] = 1;
  if (size == NULL && def->kind == SRS_SHAPE_MESH) return SRS_OK;
  if (size == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, map->place, "size", "a shape needs the key 'size'%s",
                       def->kind == SRS_SHAPE_SPHERE              ? " or 'radius'"
                       : (1U << def->kind & (unsigned)ROUND) != 0 ? ", or 'radius' and 'length'"
                                                                  : "");
  if (def->kind == SRS_SHAPE_SPHERE && size->kind == SRS_YAML_SCALAR)
    return srs_yaml_number(size, "size of a sphere", def->size, reader->error);
  char label[64];
  snprintf(label, sizeof label, "size of %s %s", article(def->kind), srs_shape_kind_name(def->kind));
  return srs_yaml_numbers(size, label, def->size, srs_shape_table[def->kind].n_sizes, reader->error);
}

static srs_status read_superellipsoid(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *exponents = srs_yaml_get(map, "exponents");
  if (exponents == NULL) return needs_key(reader, map, def->kind, "exponents");
  const srs_status status = srs_yaml_numbers(exponents, "exponents", def->exponent, 2, reader->error);
  return status == SRS_OK ? read_size(reader, map, def) : status;
}

static srs_status read_paraboloid(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *radii = srs_yaml_get(map, "radii");
  if (radii == NULL) return needs_key(reader, map, def->kind, "radii");
  const srs_status status = srs_yaml_numbers(radii, "radii", def->size, 2, reader->error);
  return status == SRS_OK ? read_length(reader, map, def->kind, "height", &def->size[2]) : status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Points, triangles, heights
// ---------------------------------------------------------------------------------------------------------------------

// A list of lists of n numbers each, rows first, in the reader's arena. n < 0: as many as the first one has.
static srs_status read_rows(srs_scene_reader *reader, const srs_yaml_node *list, const char *what, const char *row_what,
                            int *n, double **values)
{
  srs_status status = srs_yaml_expect_list(list, what, reader->error);
  if (status == SRS_OK && *n < 0) {
    if (list->first != NULL) status = srs_yaml_expect_list(list->first, row_what, reader->error);
    *n = list->first != NULL && status == SRS_OK ? list->first->count : 0;
  }
  if (status != SRS_OK) return status;
  *values = srs_arena_take(reader->arena, (size_t)list->count * (size_t)*n, sizeof **values);
  if (*values == NULL) return srs_scene_no_memory(reader);
  double *next = *values;
  for (const srs_yaml_node *row = list->first; row != NULL && status == SRS_OK; row = row->next, next += *n)
    status = srs_yaml_numbers(row, row_what, next, *n, reader->error);
  return status;
}

static srs_status read_points(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *list = srs_yaml_get(map, "points");
  if (list == NULL) return needs_key(reader, map, def->kind, "points");
  int n = 3;
  double *points = NULL;
  const srs_status status = read_rows(reader, list, "points", "a point", &n, &points);
  def->points = points;
  def->n_points = list->count;
  return status;
}

// `corners` of a regular polygon at `radius`, the first on the x axis.
static srs_status read_regular(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *corners = srs_yaml_get(map, "corners");
  int n = 0;
  double radius = 0;
  if (corners == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, map->place, "points",
                       "a polygon needs the key 'points', or 'corners' and 'radius'");
  srs_status status = srs_yaml_integer(corners, "corners of a polygon", &n, reader->error);
  if (status == SRS_OK) status = read_length(reader, map, def->kind, "radius", &radius);
  if (status != SRS_OK) return status;
  if (n < 3 || n > MOST_CORNERS)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, corners->place, "corners",
                       "a polygon has 3 to %d corners, not %d", MOST_CORNERS, n);
  if (!(radius > 0))
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, srs_yaml_get(map, "radius")->place, "radius",
                       "the radius of a polygon is %.15g m; it must be positive", radius);
  double *points = srs_arena_take(reader->arena, 3 * (size_t)n, sizeof *points);
  if (points == NULL) return srs_scene_no_memory(reader);
  for (int i = 0; i < n; i++) {
    const double angle = 2 * PI * i / n;
    points[3 * (size_t)i] = radius * cos(angle);
    points[3 * (size_t)i + 1] = radius * sin(angle);
  }
  def->points = points;
  def->n_points = n;
  return SRS_OK;
}

static srs_status read_corners(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *list = srs_yaml_get(map, "points");
  static const char *const others[] = {"corners", "radius"};
  for (int i = 0; i < 2; i++) {
    const srs_yaml_node *other = srs_yaml_get(map, others[i]);
    if (other != NULL)
      return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, other->key_place, other->key,
                         "a polygon has either 'points' or 'corners' and 'radius'");
  }
  int n = 2;
  double *flat = NULL;
  srs_status status = read_rows(reader, list, "points", "a point of a polygon", &n, &flat);
  if (status != SRS_OK) return status;
  double *points = srs_arena_take(reader->arena, 3 * (size_t)list->count, sizeof *points);
  if (points == NULL) return srs_scene_no_memory(reader);
  for (size_t i = 0; i < (size_t)list->count; i++) memcpy(points + 3 * i, flat + 2 * i, 2 * sizeof *flat);
  def->points = points;
  def->n_points = list->count;
  return SRS_OK;
}

// Its thickness is that of its farthest corner from the origin, unless it is given.
static srs_status read_polygon(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *thickness = srs_yaml_get(map, "thickness");
  const srs_status status =
      srs_yaml_get(map, "points") != NULL ? read_corners(reader, map, def) : read_regular(reader, map, def);
  if (status != SRS_OK) return status;
  for (int i = 0; i < def->n_points; i++)
    def->size[0] = fmax(def->size[0], norm3(vec3_load(def->points + 3 * (size_t)i)));
  return thickness != NULL ? srs_yaml_number(thickness, "thickness", &def->size[0], reader->error) : SRS_OK;
}

static srs_status read_triangle(srs_scene_reader *reader, const srs_yaml_node *node, int corners[3])
{
  srs_status status = srs_yaml_expect_list(node, "a triangle", reader->error);
  if (status == SRS_OK && node->count != 3)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, node->place, "triangles",
                       "a triangle has %d corners, 3 are needed", node->count);
  if (status != SRS_OK) return status;
  for (const srs_yaml_node *corner = node->first; corner != NULL && status == SRS_OK; corner = corner->next)
    status = srs_yaml_integer(corner, "a corner", corners++, reader->error);
  return status;
}

static srs_status read_triangles(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *list = srs_yaml_get(map, "triangles");
  if (list == NULL) return needs_key(reader, map, def->kind, "triangles");
  srs_status status = srs_yaml_expect_list(list, "triangles", reader->error);
  if (status != SRS_OK) return status;
  int *triangles = srs_arena_take(reader->arena, 3 * (size_t)list->count, sizeof *triangles);
  if (triangles == NULL) return srs_scene_no_memory(reader);
  def->triangles = triangles;
  def->n_triangles = list->count;
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next, triangles += 3)
    status = read_triangle(reader, node, triangles);
  return status;
}

static srs_status read_heights(srs_scene_reader *reader, const srs_yaml_node *list, srs_shape_def *def)
{
  int n = -1;
  double *heights = NULL;
  const srs_status status = read_rows(reader, list, "heights", "a row of heights", &n, &heights);
  if (status != SRS_OK) return status;
  def->heights = heights;
  def->n_rows = list->count;
  def->n_columns = n;
  return SRS_OK;
}

static srs_status read_heightfield(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_yaml_node *list = srs_yaml_get(map, "heights"), *spacing = srs_yaml_get(map, "spacing");
  const bool is_in_file = srs_yaml_get(map, "file") != NULL;
  if ((list == NULL && !is_in_file) || spacing == NULL)
    return needs_key(reader, map, def->kind, spacing != NULL ? "heights" : "spacing");
  const srs_yaml_node *range = srs_yaml_get(map, "range");
  if (range != NULL && !is_in_file)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, range->key_place, range->key,
                       "'range' belongs to a picture, the 'file' of a heightfield");
  srs_status status = is_in_file ? srs_scene_read_heights_file(reader, map, def) : read_heights(reader, list, def);
  if (status != SRS_OK) return status;
  if (spacing->kind != SRS_YAML_SCALAR) return srs_yaml_numbers(spacing, "spacing", def->size, 2, reader->error);
  status = srs_yaml_number(spacing, "spacing", &def->size[0], reader->error);
  def->size[1] = def->size[0];
  return status;
}

static srs_status read_terrain(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  if (srs_yaml_get(map, "file") != NULL) return srs_scene_read_terrain_file(reader, map, def);
  const srs_yaml_node *size = srs_yaml_get(map, "size");
  if (size != NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, size->key_place, "size",
                       "the 'size' of a terrain scales its 'file'; points are as they are");
  const srs_status status = read_points(reader, map, def);
  return status == SRS_OK ? read_triangles(reader, map, def) : status;
}

static srs_status read_surface(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  const srs_status status = read_points(reader, map, def);
  return status == SRS_OK ? read_triangles(reader, map, def) : status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Half-spaces by their inequality
// ---------------------------------------------------------------------------------------------------------------------

// A rotation whose third column is the unit vector n; the identity for z.
static mat3 axes_along(vec3 n)
{
  const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  const vec3 away = x <= y && x <= z ? (vec3){1, 0, 0} : y <= z ? (vec3){0, 1, 0} : (vec3){0, 0, 1};
  const vec3 side = add_scaled3(away, -dot3(away, n), n);
  const vec3 first = scale3(1 / norm3(side), side);
  return (mat3){first, cross3(n, first), n};
}

// Changes the pose of a half-space that is given by `normal` and `offset` in the frame that `pose` stands for.
static srs_status read_inequality(srs_scene_reader *reader, const srs_yaml_node *map, bool has_pose, srs_pose *pose)
{
  const srs_yaml_node *normal = srs_yaml_get(map, "normal"), *offset = srs_yaml_get(map, "offset");
  if (normal == NULL && offset == NULL) return SRS_OK;
  const srs_yaml_node *given = normal != NULL ? normal : offset;
  if (has_pose)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, given->key_place, given->key,
                       "a half-space is placed either by 'normal' and 'offset' or by its pose");
  if (normal == NULL) return needs_key(reader, map, SRS_SHAPE_HALF_SPACE, "normal");
  double n[3], d = 0;
  srs_status status = srs_yaml_numbers(normal, "normal", n, 3, reader->error);
  if (status == SRS_OK && offset != NULL) status = srs_yaml_number(offset, "offset", &d, reader->error);
  if (status != SRS_OK) return status;
  const double length = norm3(vec3_load(n));
  if (!(length > 1e-9 && length < 1e9))
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, normal->place, "normal",
                       "the normal of a half-space needs a direction, best of length 1");
  const vec3 unit = {n[0] / length, n[1] / length, n[2] / length};
  const mat3 outer = mat3_from_rows(pose->rotation);
  vec3_store(pose->position, add3(vec3_load(pose->position), rotate(outer, scale3(d / length, unit))));
  mat3_to_rows(pose->rotation, mul3(outer, axes_along(unit)));
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Whole shapes
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_scene_read_bits(srs_scene_reader *reader, const srs_yaml_node *node, const char *key, unsigned *bits)
{
  double number;
  const srs_status status = srs_yaml_number(node, key, &number, reader->error);
  if (status != SRS_OK) return status;
  if (!(number >= 0 && number <= 4294967295.0 && number == floor(number)))
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, node->place, key,
                       "%s must be a whole number from 0 to 4294967295 whose bits are the groups, here is %.80s", key,
                       node->text);
  *bits = (unsigned)number;
  return SRS_OK;
}

// Everything but the name and the place.
static srs_status read_solid(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  srs_status status = check_measures(reader, map, def->kind);
  if (status != SRS_OK) return status;
  switch (def->kind) {
  case SRS_SHAPE_HALF_SPACE: break;
  case SRS_SHAPE_MESH:
    status = read_size(reader, map, def);
    if (status == SRS_OK) status = srs_scene_find_mesh(reader, map, &def->file);
    break;
  case SRS_SHAPE_HULL: status = read_points(reader, map, def); break;
  case SRS_SHAPE_TERRAIN: status = read_terrain(reader, map, def); break;
  case SRS_SHAPE_SURFACE: status = read_surface(reader, map, def); break;
  case SRS_SHAPE_HEIGHTFIELD: status = read_heightfield(reader, map, def); break;
  case SRS_SHAPE_POLYGON: status = read_polygon(reader, map, def); break;
  case SRS_SHAPE_SUPERELLIPSOID: status = read_superellipsoid(reader, map, def); break;
  case SRS_SHAPE_PARABOLOID: status = read_paraboloid(reader, map, def); break;
  default: status = read_size(reader, map, def); break;
  }
  if (status == SRS_OK) status = srs_scene_read_source(reader, map, def);
  const srs_yaml_node *visual = srs_yaml_get(map, "visual"), *material = srs_yaml_get(map, "material");
  if (status == SRS_OK && visual != NULL) status = srs_yaml_bool(visual, "visual", &def->is_visual, reader->error);
  if (status == SRS_OK && material != NULL) status = srs_yaml_text(material, "material", &def->material, reader->error);
  const srs_yaml_node *group = srs_yaml_get(map, "group"), *mask = srs_yaml_get(map, "mask");
  if (status == SRS_OK && group != NULL) status = srs_scene_read_bits(reader, group, "group", &def->group);
  if (status == SRS_OK && mask != NULL) status = srs_scene_read_bits(reader, mask, "mask", &def->mask);
  return status;
}

#define SOLID_KEYS                                                                                                     \
  "name", "size", "radius", "length", "file", "collide", "normal", "offset", "points", "corners", "thickness",         \
      "triangles", "source", "heights", "spacing", "range", "exponents", "radii", "height", "visual", "group", "mask", \
      "material"

static srs_status add_shape(srs_scene_reader *reader, const srs_yaml_node *node, srs_shape_def *def)
{
  srs_scene_set_location(reader, node);
  const srs_status status = srs_scene_mesh_collides(node) ? srs_scene_add_mesh(reader, node, def) : SRS_OK;
  return status == SRS_OK ? srs_builder_add_shape(reader->builder, def, reader->error) : status;
}

srs_status srs_scene_read_shape(srs_scene_reader *reader, const srs_yaml_node *node)
{
  static const char *const keys[] = {"kind", "link", "pose", SOLID_KEYS, NULL};
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_SPHERE);
  srs_status status = srs_yaml_expect_map(node, "a shape", reader->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a shape", keys, reader->error);
  if (status == SRS_OK) status = read_kind(reader, node, "kind", &def.kind);
  if (status == SRS_OK) status = srs_scene_read_name(reader, node, "a shape", "name", false, &def.name);
  if (status == SRS_OK) status = srs_scene_read_link_name(reader, node, "a shape", "link", false, &def.link);
  if (status == SRS_OK) status = srs_scene_read_pose_key(reader, node, def.link == NULL, &def.pose);
  if (status == SRS_OK) status = read_solid(reader, node, &def);
  if (status == SRS_OK) status = read_inequality(reader, node, srs_yaml_get(node, "pose") != NULL, &def.pose);
  if (status != SRS_OK) return status;
  return add_shape(reader, node, &def);
}

// A shape that moves as prescribed is on a link of its name, on a joint of that name whose coordinate follows the
// motion: along or about a direction of the world, through the shape's origin. What the link weighs does not matter.
static srs_status put_on_motion(srs_scene_reader *reader, const srs_yaml_node *node, srs_shape_def *def)
{
  const srs_yaml_node *along = srs_yaml_get(node, "along"), *about = srs_yaml_get(node, "about");
  const srs_yaml_node *motion = srs_yaml_get(node, "motion"), *way = along != NULL ? along : about;
  srs_error *error = reader->error;
  if (motion == NULL && way == NULL) return SRS_OK;
  if ((def->kind == SRS_SHAPE_TERRAIN || def->kind == SRS_SHAPE_HEIGHTFIELD) && !def->is_visual)
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, (motion != NULL ? motion : way)->place, def->name,
                       "'%s': a %s does not move; give a closed surface (kind: mesh, collide: surface) or convex parts",
                       def->name, def->kind == SRS_SHAPE_TERRAIN ? "terrain" : "heightfield");
  if (motion == NULL || (along != NULL) == (about != NULL))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, (motion != NULL ? motion : way)->place, "motion",
                       "'%s' moves by 'motion' and one of 'along' and 'about', a direction in the world", def->name);
  srs_joint_def joint = srs_default_joint_def(along != NULL ? SRS_JOINT_PRISMATIC : SRS_JOINT_CONTINUOUS);
  srs_link_def link = srs_default_link_def();
  srs_coupling_def coupling = srs_default_coupling_def();
  double axis[3];
  char what[160];
  snprintf(what, sizeof what, "'%.120s'", def->name);
  srs_status status = srs_yaml_numbers(way, way->key, axis, 3, error);
  if (status == SRS_OK) status = srs_scene_read_motion(reader, node, what, &coupling.motion);
  if (status != SRS_OK) return status;
  if (!(norm3(vec3_load(axis)) > 1e-9))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, way->place, way->key, "'%s' needs a direction, best of length 1",
                       way->key);
  link.name = joint.name = joint.child = coupling.name = coupling.follower = def->link = def->name;
  link.mass = 1, link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.1;
  joint.origin = def->pose;
  vec3_store(joint.axis, rotate_back(mat3_from_rows(def->pose.rotation), vec3_load(axis)));
  def->pose = srs_identity_pose();
  srs_scene_set_location(reader, node);
  status = srs_builder_add_link(reader->builder, &link, error);
  if (status == SRS_OK) status = srs_builder_add_joint(reader->builder, &joint, error);
  return status == SRS_OK ? srs_builder_add_coupling(reader->builder, &coupling, error) : status;
}

static srs_status read_environment_shape(srs_scene_reader *reader, const srs_yaml_node *node, srs_names *names)
{
  static const char *const keys[] = {"shape", "position", "rotation", "along", "about", "motion", SOLID_KEYS, NULL};
  srs_error *error = reader->error;
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_SPHERE);
  srs_status status = srs_yaml_expect_map(node, "a shape of the environment", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a shape of the environment", keys, error);
  if (status == SRS_OK) status = read_kind(reader, node, "shape", &def.kind);
  if (status == SRS_OK)
    status = srs_scene_read_name(reader, node, "a shape of the environment", "name", true, &def.name);
  if (status == SRS_OK && strcmp(def.name, "world") == 0)
    return srs_fail_at(error, SRS_ERROR_NAME, srs_yaml_get(node, "name")->place, def.name,
                       "'world' is the name of the world itself, as in `other: world` of a sensor; name the shape "
                       "otherwise, such as 'floor'");
  if (status == SRS_OK) status = srs_scene_read_pose(reader, node, &def.pose);
  if (status == SRS_OK) status = read_solid(reader, node, &def);
  const bool has_pose = srs_yaml_get(node, "position") != NULL || srs_yaml_get(node, "rotation") != NULL;
  if (status == SRS_OK) status = read_inequality(reader, node, has_pose, &def.pose);
  if (status != SRS_OK) return status;
  if (def.kind == SRS_SHAPE_MESH && !def.is_visual && !srs_scene_mesh_collides(node))
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, node->place, def.name,
                       "'%s': meshes do not collide by themselves; say collide: surface, hull or parts, give its "
                       "triangles as terrain, or say visual: true",
                       def.name);
  if (srs_names_find(names, def.name) >= 0)
    return srs_fail_at(error, SRS_ERROR_NAME, srs_yaml_get(node, "name")->place, def.name,
                       "two shapes of the environment are named '%s'; rename one", def.name);
  if (!srs_names_reserve(names)) return srs_scene_no_memory(reader);
  srs_names_add(names, def.name, names->n);
  status = put_on_motion(reader, node, &def);
  return status == SRS_OK ? add_shape(reader, node, &def) : status;
}

srs_status srs_scene_read_environment(srs_scene_reader *reader, const srs_yaml_node *list)
{
  srs_names names = {0};
  reader->prefix = "";
  reader->placement = srs_identity_pose();
  srs_status status = srs_yaml_expect_list(list, "environment", reader->error);
  if (status != SRS_OK) return status;
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next) {
    status = read_environment_shape(reader, node, &names);
    if (status != SRS_OK) srs_place_error(reader->error, node->place);
  }
  srs_names_release(&names);
  return status;
}
