// Meshes of a scene: where the file is, and how it collides.
//
// By default a mesh is visual: its file is looked for and reported, not read. With `collide: parts` it is read, and
// each of its pieces, which must be convex, becomes a hull on the same link with the mesh's name, groups and material,
// so that a name in a filter or a pair stands for all of them.
#include "engine/scene/scene_entries.h"
#include "topology/mesh/mesh_pieces.h"
#include "topology/mesh/resource.h"

#include <string.h>

bool srs_scene_mesh_collides(const srs_yaml_node *map)
{
  const srs_yaml_node *collide = srs_yaml_get(map, "collide");
  return collide != NULL && collide->kind == SRS_YAML_SCALAR && strcmp(collide->text, "parts") == 0;
}

static srs_status check_collide(const srs_scene_reader *reader, const srs_yaml_node *map)
{
  const srs_yaml_node *node = srs_yaml_get(map, "collide"), *visual = srs_yaml_get(map, "visual");
  if (node == NULL) return SRS_OK;
  const char *word;
  srs_status status = srs_yaml_text(node, "collide", &word, reader->error);
  if (status != SRS_OK) return status;
  if (strcmp(word, "parts") != 0 && strcmp(word, "none") != 0)
    return srs_fail_at(reader->error, SRS_ERROR_NAME, node->place, word,
                       "a mesh may collide as: parts (each piece convex), none; not '%.80s'", word);
  bool is_visual = false;
  if (visual != NULL) status = srs_yaml_bool(visual, "visual", &is_visual, reader->error);
  if (status == SRS_OK && is_visual && strcmp(word, "parts") == 0)
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
  if (srs_resource_find(name, reader->file, reader->load->packages, &found) != SRS_OK)
    return srs_scene_no_memory(reader);
  *path = found.path != NULL ? srs_text_copy(reader->arena, found.path, strlen(found.path))
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
    status = srs_builder_note(reader->builder, "mesh '%s' is not read yet (found at %s)", name, found.path);
  else
    status =
        srs_builder_warn(reader->builder, "mesh '%s' is not read yet (not found; looked for %s)", name, found.tried);
  srs_resource_release(&found);
  return status;
}

srs_status srs_scene_add_parts(srs_scene_reader *reader, srs_shape_def *mesh)
{
  srs_mesh read;
  const srs_mesh_piece *pieces = NULL;
  int n = 0;
  srs_status status = srs_mesh_read(mesh->file, &read, reader->error);
  if (status == SRS_OK) status = srs_mesh_convex_pieces(&read, mesh->size, reader->arena, &pieces, &n, reader->error);
  srs_mesh_release(&read);
  for (int i = 0; i < n && status == SRS_OK; i++) {
    srs_shape_def hull = *mesh;
    hull.kind = SRS_SHAPE_HULL;
    hull.file = NULL;
    hull.points = pieces[i].points;
    hull.n_points = pieces[i].n_points;
    status = srs_builder_add_shape(reader->builder, &hull, reader->error);
  }
  mesh->is_visual = true;
  return status;
}
