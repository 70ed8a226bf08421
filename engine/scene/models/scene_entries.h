// Readers of the parts of a model, each in the file of its name: scene_joint.c, scene_shape.c, scene_mesh.c,
// scene_ground.c, scene_loop.c, scene_overrides.c. Internal.
#pragma once
#include "engine/scene/values/scene_read.h"

/// Reads one entry of a model's `joints` and adds it.
srs_status srs_scene_read_joint(srs_scene_reader *reader, const srs_yaml_node *node);

/// Reads one entry of a model's `shapes` and adds it.
srs_status srs_scene_read_shape(srs_scene_reader *reader, const srs_yaml_node *node);

/// Reads a whole number whose bits are groups.
srs_status srs_scene_read_bits(srs_scene_reader *reader, const srs_yaml_node *node, const char *key, unsigned *bits);

/// Reads what a scene says of the joints and shapes of a model from a file: `armature`, `damping`, `friction` and
/// `stiffness` by joint, `materials`, `groups` and `masks` by shape or link. They change what is in the builder.
/// @param first_joint, first_shape  where those of the model start in the builder
srs_status srs_scene_read_overrides(srs_scene_reader *reader, const srs_yaml_node *model, int first_joint,
                                    int first_shape);

/// Reads the list `environment`: shapes on the world, and what moves there as prescribed.
srs_status srs_scene_read_environment(srs_scene_reader *reader, const srs_yaml_node *list);

/// Reads the lists `closures` and `couplings` of a model or a scene and adds their entries.
srs_status srs_scene_read_loops(srs_scene_reader *reader, const srs_yaml_node *map);

/// Reads the key `motion` of `map`; where there is none its kind is SRS_MOTION_NONE.
/// @param what  "closure 'x'", for messages
srs_status srs_scene_read_motion(srs_scene_reader *reader, const srs_yaml_node *map, const char *what,
                                 srs_motion *motion);

/// Finds the file of a mesh, reports whether it is there, and checks its key `collide`.
/// @param path  out: where it is, or would be; in the reader's arena
srs_status srs_scene_find_mesh(srs_scene_reader *reader, const srs_yaml_node *map, const char **path);

/// Whether a mesh's key `collide`, which srs_scene_find_mesh has checked, says how it collides.
bool srs_scene_mesh_collides(const srs_yaml_node *map);

/// Reads the file of such a mesh and adds it as a surface, a hull, or a hull for each of its pieces, all of the mesh's
/// name; the mesh itself becomes visual.
srs_status srs_scene_add_mesh(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *mesh);

/// Reads `source`, the mesh that the points of a hull, terrain or surface are of. Its file is looked for, not read.
srs_status srs_scene_read_source(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def);

/// Reads a terrain's triangles from its key `file`, an OBJ or STL file, scaled by `size`.
srs_status srs_scene_read_terrain_file(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def);

/// Reads a heightfield's heights from its key `file`, a table of numbers.
srs_status srs_scene_read_heights_file(srs_scene_reader *reader, const srs_yaml_node *map, srs_shape_def *def);
