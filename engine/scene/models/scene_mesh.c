// Meshes of a scene: where the file is, and how it collides.
//
// By default a mesh is visual: its file is looked for and reported, not read. Else it is read, and becomes shapes on
// the same link with the mesh's name, groups and material, so that a name in a filter or a pair stands for all of them:
//
//   surface  one shape of its triangles as they are, which must enclose a solid;
//   hull     the convex hull of all its points;
//   parts    a hull for each of its pieces, which must be convex.
#include "engine/scene/models/scene_entries.h"
#include "topology/builder/builder.h"
#include "topology/mesh/mesh_pieces.h"
#include "topology/mesh/resource.h"

#include <string.h>

static const char *const ways[] = {"parts", "hull", "surface"};
enum { PARTS, HULL, SURFACE, N_WAYS };

// N_WAYS: it does not collide.
static int way_of(const srs_yaml_node *map)
{
  const srs_yaml_node *collide = srs_yaml_get(map, "collide");
  int way = 0;
  if (collide == NULL || collide->kind != SRS_YAML_SCALAR) return N_WAYS;
  while (way < N_WAYS && strcmp(collide->text, ways[way]) != 0) way++;
  return way;
}

bool srs_scene_mesh_collides(const srs_yaml_node *map) { return way_of(map) < N_WAYS; }

static srs_status check_collide(const srs_scene_reader *reader, const srs_yaml_node *map)
{
  const srs_yaml_node *node = srs_yaml_get(map, "collide"), *visual = srs_yaml_get(map, "visual");
  if (node == NULL) return SRS_OK;
  const char *word;
  srs_status status = srs_yaml_text(node, "collide", &word, reader->error);
  if (status != SRS_OK) return status;
  const bool collides = way_of(map) < N_WAYS;
  if (!collides && strcmp(word, "none") != 0)
    return srs_fail_at(reader->error, SRS_ERROR_NAME, node->place, word,
                       "a mesh may collide as: surface (its triangles), hull, parts (each piece convex), none; not "
                       "'%.80s'",
                       word);
  bool is_visual = false;
  if (visual != NULL) status = srs_yaml_bool(visual, "visual", &is_visual, reader->error);
  if (status == SRS_OK && is_visual && collides)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, node->key_place, node->key,
                       "a mesh that is visual does not collide; leave out one of 'visual' and 'collide'");
  return status;
}

srs_status srs_scene_find_mesh(srs_scene_reader *reader, const srs_yaml_node *map, const char **path)
{
  const srs_yaml_node *file = srs_yaml_get(map, "file");
  const char *name = NULL;
  if (file == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, map->place, "file", "a mesh needs the key 'file'");
  srs_status status = srs_yaml_text(file, "file of a mesh", &name, reader->error);
  if (status == SRS_OK) status = check_collide(reader, map);
  if (status != SRS_OK) return status;
  srs_resource found;
  if (srs_resource_find(name, reader->file, reader->load->packages, &reader->builder->read, &found) != SRS_OK)
    return srs_scene_no_memory(reader);
  const char *known = found.path != NULL ? found.path : name;
  const bool is_as_written = found.path != NULL || strstr(name, "://") != NULL; // an address stays as it is written
  *path = is_as_written ? srs_text_copy(reader->arena, known, strlen(known))
                        : srs_text_beside(reader->arena, reader->file, name);
  srs_scene_set_location(reader, file);
  if (*path == NULL)
    status = srs_scene_no_memory(reader);
  else if (srs_scene_mesh_collides(map) && found.path == NULL)
    status = srs_fail_at(reader->error, SRS_ERROR_FILE, file->place, name, "mesh '%.100s' was not found; looked for %s",
                         name, found.tried);
  else if (srs_scene_mesh_collides(map))
    status = SRS_OK;
  else if (found.path != NULL)
    status = srs_builder_note(reader->builder, "mesh '%s' does not collide (found at %s)", name, found.path);
  else
    status =
        srs_builder_warn(reader->builder, "mesh '%s' does not collide (not found; looked for %s)", name, found.tried);
  srs_resource_release(&found);
  return status;
}

static srs_status add_parts(srs_scene_reader *reader, const srs_mesh *read, const srs_shape_def *mesh)
{
  const srs_mesh_piece *pieces = NULL;
  int n = 0;
  srs_status status = srs_mesh_convex_pieces(read, mesh->size, reader->arena, &pieces, &n, reader->error);
  for (int i = 0; i < n && status == SRS_OK; i++) {
    srs_shape_def hull = *mesh;
    hull.kind = SRS_SHAPE_HULL;
    hull.part = i + 1;
    hull.points = pieces[i].points;
    hull.n_points = pieces[i].n_points;
    status = srs_builder_add_shape(reader->builder, &hull, reader->error);
  }
  return status;
}

// Its points as one hull, or its triangles. The builder copies them.
static srs_status add_whole(srs_scene_reader *reader, const srs_mesh *read, const srs_shape_def *mesh,
                            srs_shape_kind kind)
{
  const size_t n = 3 * (size_t)read->n_points, n_corners = 3 * (size_t)read->n_triangles;
  double *points = srs_arena_take(reader->arena, n, sizeof *points);
  int *triangles = srs_arena_take(reader->arena, n_corners, sizeof *triangles);
  if (points == NULL || triangles == NULL) return srs_scene_no_memory(reader);
  const bool is_mirrored = (mesh->size[0] < 0) ^ (mesh->size[1] < 0) ^ (mesh->size[2] < 0);
  for (size_t i = 0; i < n; i++) points[i] = mesh->size[i % 3] * read->points[i];
  for (size_t i = 0; i < n_corners; i++)
    triangles[i] = read->triangles[!is_mirrored ? i : i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1];
  srs_shape_def whole = *mesh;
  whole.kind = kind;
  whole.points = points, whole.n_points = read->n_points;
  if (kind == SRS_SHAPE_SURFACE) whole.triangles = triangles, whole.n_triangles = read->n_triangles;
  return srs_builder_add_shape(reader->builder, &whole, reader->error);
}

srs_status srs_scene_add_mesh(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *mesh)
{
  srs_mesh read;
  const int way = way_of(map);
  srs_status status = srs_mesh_read(mesh->file, &reader->builder->read, &read, reader->error);
  if (status == SRS_OK)
    status = way == PARTS ? add_parts(reader, &read, mesh)
                          : add_whole(reader, &read, mesh, way == HULL ? SRS_SHAPE_HULL : SRS_SHAPE_SURFACE);
  srs_mesh_release(&read);
  mesh->is_visual = true;
  return status;
}

srs_status srs_scene_read_source(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def)
{
  static const char *const keys[] = {"file", "size", "part", NULL};
  const srs_yaml_node *node = srs_yaml_get(map, "source");
  if (node == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_map(node, "source", reader->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "source", keys, reader->error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *file = srs_yaml_get(node, "file"), *size = srs_yaml_get(node, "size");
  const srs_yaml_node *part = srs_yaml_get(node, "part");
  const char *name = NULL;
  if (file == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, node->place, "file",
                       "the source of points needs the key 'file'");
  def->size[0] = def->size[1] = def->size[2] = 1;
  status = srs_yaml_text(file, "file of a source", &name, reader->error);
  if (status == SRS_OK && size != NULL) status = srs_yaml_numbers(size, "size", def->size, 3, reader->error);
  if (status == SRS_OK && part != NULL) status = srs_yaml_integer(part, "part", &def->part, reader->error);
  if (status != SRS_OK) return status;
  if (def->part < 0)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, part->place, "part", "parts of a mesh count from 1");
  srs_resource found;
  if (srs_resource_find(name, reader->file, reader->load->packages, &reader->builder->read, &found) != SRS_OK)
    return srs_scene_no_memory(reader);
  def->file = found.path != NULL ? srs_text_copy(reader->arena, found.path, strlen(found.path))
                                 : srs_text_beside(reader->arena, reader->file, name);
  srs_resource_release(&found);
  return def->file != NULL ? SRS_OK : srs_scene_no_memory(reader);
}
