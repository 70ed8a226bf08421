// Models of a scene, its list `models`: robot files, and models written in place with links, joints, frames and shapes.
//
// Each model has a placement X in the scene. A joint, frame or shape on the world at Y in the model's terms is at X Y.
// With more than one model all names get the prefix `NAME/`.
#include "engine/scene/models/scene_models.h"

#include "engine/scene/models/scene_entries.h"
#include "topology/base/names.h"
#include "topology/base/spatial.h"
#include "topology/builder/builder.h"
#include "topology/files/robot_file.h"
#include "topology/xml/additions.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------------------------------
// Links, frames
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_link(srs_scene_reader *reader, const srs_yaml_node *node)
{
  static const char *const keys[] = {"name",     "mass",         "com", "inertia", "inertia_rotation",
                                     "carriage", "meets_parent", NULL};
  srs_error *error = reader->error;
  srs_link_def def = srs_default_link_def();
  srs_status status = srs_yaml_expect_map(node, "a link", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a link", keys, error);
  if (status == SRS_OK) status = srs_scene_read_name(reader, node, "a link", "name", true, &def.name);
  if (status != SRS_OK) return status;
  const srs_yaml_node *mass = srs_yaml_get(node, "mass"), *com = srs_yaml_get(node, "com");
  const srs_yaml_node *inertia = srs_yaml_get(node, "inertia"), *turn = srs_yaml_get(node, "inertia_rotation");
  if (mass != NULL) status = srs_yaml_number(mass, "mass", &def.mass, error);
  if (status == SRS_OK && com != NULL) status = srs_yaml_numbers(com, "com", def.com, 3, error);
  const bool is_diagonal = inertia != NULL && inertia->kind == SRS_YAML_LIST && inertia->count == 3;
  if (status == SRS_OK && inertia != NULL && inertia->kind == SRS_YAML_LIST && !is_diagonal && inertia->count != 6)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, inertia->place, "inertia",
                       "inertia has %d entries, it needs 3 (xx yy zz) or 6 (xx yy zz xy xz yz)", inertia->count);
  if (status == SRS_OK && inertia != NULL)
    status = srs_yaml_numbers(inertia, "inertia", def.inertia, is_diagonal ? 3 : 6, error);
  if (status == SRS_OK && turn != NULL) status = srs_scene_read_rotation(reader, turn, def.inertia_rotation);
  if (status != SRS_OK) return status;
  const srs_yaml_node *carriage = srs_yaml_get(node, "carriage"), *meets = srs_yaml_get(node, "meets_parent");
  bool is_carriage = false, meets_parent = false;
  if (carriage != NULL) status = srs_yaml_bool(carriage, "carriage", &is_carriage, error);
  if (status == SRS_OK && meets != NULL) status = srs_yaml_bool(meets, "meets_parent", &meets_parent, error);
  if (status != SRS_OK) return status;
  srs_scene_set_location(reader, node);
  status = srs_builder_add_link(reader->builder, &def, error);
  if (status == SRS_OK) srs_builder_set_neighbour(reader->builder, def.name, is_carriage, meets_parent);
  if (status == SRS_OK && !srs_names_reserve(reader->link_names)) return srs_scene_no_memory(reader);
  if (status == SRS_OK) srs_names_add(reader->link_names, def.name, reader->link_names->n);
  return status;
}

static srs_status read_frame(srs_scene_reader *reader, const srs_yaml_node *node)
{
  static const char *const keys[] = {"name", "link", "pose", NULL};
  const char *name, *link = NULL;
  srs_pose pose;
  srs_status status = srs_yaml_expect_map(node, "a frame", reader->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a frame", keys, reader->error);
  if (status == SRS_OK) status = srs_scene_read_name(reader, node, "a frame", "name", true, &name);
  if (status == SRS_OK) status = srs_scene_read_link_name(reader, node, "a frame", "link", false, &link);
  if (status == SRS_OK) status = srs_scene_read_pose_key(reader, node, link == NULL, &pose);
  if (status != SRS_OK) return status;
  srs_scene_set_location(reader, node);
  return srs_builder_add_frame(reader->builder, name, link, &pose, reader->error);
}

// ---------------------------------------------------------------------------------------------------------------------
// One model written in place
// ---------------------------------------------------------------------------------------------------------------------

// `self_collision` of a model; what it is without stays where it is not there.
static srs_status read_self_collision(srs_scene_reader *reader, const srs_yaml_node *model, srs_self_collision *how)
{
  static const struct {
    const char *word;
    srs_self_collision how;
  } words[] = {{"false", SRS_SELF_COLLISION_NONE}, {"auto", SRS_SELF_COLLISION_AUTO}, {"all", SRS_SELF_COLLISION_ALL}};
  const srs_yaml_node *node = srs_yaml_get(model, "self_collision");
  if (node == NULL) return SRS_OK;
  const bool is_word = node->kind == SRS_YAML_SCALAR;
  for (size_t i = 0; is_word && i < sizeof words / sizeof *words; i++) {
    if (strcmp(node->text, words[i].word) != 0) continue;
    *how = words[i].how;
    return SRS_OK;
  }
  return srs_fail_at(reader->error, SRS_ERROR_NAME, node->place, "self_collision",
                     "self_collision must be false, auto or all, not %s%.80s", is_word ? "" : srs_yaml_describe(node),
                     is_word ? node->text : "");
}

// Finds the one link that is no joint's child, and joins it to the world.
static srs_status hang_base(srs_scene_reader *reader, const srs_yaml_node *model, srs_base_kind base)
{
  const char *base_link = NULL;
  const srs_yaml_node *node = srs_yaml_get(model, "links")->first;
  for (int i = 0; i < reader->link_names->n; i++, node = node->next) {
    const char *name = reader->link_names->names[i];
    if (srs_names_find(reader->child_names, name) >= 0) continue;
    if (base_link != NULL)
      return srs_fail_at(reader->error, SRS_ERROR_MODEL, node->place, name,
                         "links '%s' and '%s' both hang on no joint, a model has one base link", base_link, name);
    base_link = name;
    srs_scene_set_location(reader, node);
  }
  if (base_link != NULL)
    return srs_builder_attach_base(reader->builder, base_link, base, &reader->placement, reader->prefix, reader->error);
  if (base == SRS_BASE_FLOATING)
    return srs_fail_at(reader->error, SRS_ERROR_MODEL, model->place, "base",
                       "base: floating needs a link that hangs on no joint, here every link hangs on one");
  return SRS_OK;
}

static srs_status read_inline(srs_scene_reader *reader, const srs_yaml_node *model, srs_base_kind base)
{
  srs_names link_names = {0}, child_names = {0};
  const int first_shape = reader->builder->n_shapes;
  srs_self_collision self_collision = SRS_SELF_COLLISION_ALL;
  reader->links = srs_yaml_get(model, "links");
  reader->link_names = &link_names;
  reader->child_names = &child_names;
  srs_status status = srs_scene_read_entries(reader, model, "links", read_link);
  if (status == SRS_OK && link_names.n == 0)
    status = srs_fail_at(reader->error, SRS_ERROR_MODEL, reader->links->place, "links", "a model needs a link");
  if (status == SRS_OK) status = srs_scene_read_entries(reader, model, "joints", srs_scene_read_joint);
  if (status == SRS_OK) status = hang_base(reader, model, base);
  if (status == SRS_OK) status = srs_scene_read_entries(reader, model, "shapes", srs_scene_read_shape);
  if (status == SRS_OK) status = srs_scene_read_entries(reader, model, "frames", read_frame);
  if (status == SRS_OK) status = read_self_collision(reader, model, &self_collision);
  if (status == SRS_OK) srs_builder_set_robot(reader->builder, first_shape, self_collision);
  srs_names_release(&link_names);
  srs_names_release(&child_names);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The list of models
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_base(srs_scene_reader *reader, const srs_yaml_node *model, srs_base_kind *base)
{
  *base = SRS_BASE_FIXED;
  const srs_yaml_node *node = srs_yaml_get(model, "base");
  if (node == NULL) return SRS_OK;
  const bool is_word = node->kind == SRS_YAML_SCALAR;
  if (is_word && strcmp(node->text, "floating") == 0)
    *base = SRS_BASE_FLOATING;
  else if (!is_word || strcmp(node->text, "fixed") != 0)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, node->place, "base",
                       "base must be fixed or floating, not %s%.80s", is_word ? "" : srs_yaml_describe(node),
                       is_word ? node->text : "");
  return SRS_OK;
}

// The file that a key names, beside the scene; NULL where the key is not there. It is noted among the robot files.
static srs_status find_file(srs_scene_reader *reader, const srs_yaml_node *model, const char *key, const char *what,
                            const char **path)
{
  const srs_yaml_node *node = srs_yaml_get(model, key);
  char label[64];
  const char *name;
  *path = NULL;
  if (node == NULL) return SRS_OK;
  snprintf(label, sizeof label, "%s of a model", key);
  const srs_status status = srs_yaml_text(node, label, &name, reader->error);
  if (status != SRS_OK) return status;
  *path = srs_text_beside(reader->arena, reader->file, name);
  if (*path == NULL) return srs_scene_no_memory(reader);
  if (access(*path, R_OK) != 0) {
    char why[128];
    return srs_fail_at(reader->error, SRS_ERROR_FILE, node->place, name, "the %s file %s cannot be read: %s", what,
                       *path, strerror_r(errno, why, sizeof why));
  }
  reader->robot_files[reader->n_robot_files++] = *path;
  return SRS_OK;
}

static bool list_links(const srs_builder *builder, int first, srs_names *names)
{
  for (int i = first; i < builder->n_links; i++) {
    if (!srs_names_reserve(names)) return false;
    srs_names_add(names, builder->links[i].def.name, names->n);
  }
  return true;
}

// What the scene adds to the model of a file, and what it changes.
static srs_status read_additions(srs_scene_reader *reader, const srs_yaml_node *model, const srs_builder_mark *mark)
{
  srs_names link_names = {0};
  reader->link_names = &link_names;
  srs_status status = list_links(reader->builder, mark->n_links, &link_names) ? SRS_OK : srs_scene_no_memory(reader);
  if (status == SRS_OK) status = srs_scene_read_entries(reader, model, "shapes", srs_scene_read_shape);
  if (status == SRS_OK) status = srs_scene_read_entries(reader, model, "frames", read_frame);
  if (status == SRS_OK) status = srs_scene_read_overrides(reader, model, mark->n_joints, mark->n_shapes);
  srs_names_release(&link_names);
  reader->link_names = NULL;
  return status;
}

static srs_status read_robot_file(srs_scene_reader *reader, const srs_yaml_node *model, srs_base_kind base)
{
  const char *path;
  const srs_builder_mark mark = srs_builder_take_mark(reader->builder);
  srs_load_options load = *reader->load;
  load.base = base;
  load.placement = reader->placement;
  load.prefix = reader->prefix;
  load.srdf = NULL;
  srs_status status = find_file(reader, model, "file", "robot", &path);
  if (status == SRS_OK) status = find_file(reader, model, "srdf", "SRDF", &load.srdf);
  if (status == SRS_OK) status = read_self_collision(reader, model, &load.self_collision);
  load.key = NULL;
  const srs_yaml_node *key = srs_yaml_get(model, "key");
  if (status == SRS_OK && key != NULL) status = srs_yaml_text(key, "key of a model", &load.key, reader->error);
  if (status == SRS_OK) status = srs_builder_add_robot_file(reader->builder, path, &load, reader->error);
  if (status == SRS_OK) status = read_additions(reader, model, &mark);
  if (status == SRS_OK) srs_builder_set_robot(reader->builder, mark.n_shapes, load.self_collision);
  return status;
}

static srs_status check_model_keys(srs_scene_reader *reader, const srs_yaml_node *model, bool *is_file)
{
#define MODEL_KEYS "name", "base", "position", "rotation", "frames", "shapes", "closures", "couplings", "self_collision"
#define FILE_KEYS  "file", "key", "srdf", "materials", "groups", "masks", "armature", "damping", "friction", "stiffness"
  static const char *const file_keys[] = {MODEL_KEYS, FILE_KEYS, NULL};
  static const char *const inline_keys[] = {MODEL_KEYS, "links", "joints", NULL};
  static const char *const any_keys[] = {MODEL_KEYS, FILE_KEYS, "links", "joints", NULL};
#undef MODEL_KEYS
#undef FILE_KEYS
  srs_status status = srs_yaml_expect_map(model, "a model", reader->error);
  if (status != SRS_OK) return status;
  status = srs_yaml_check_keys(model, "a model", any_keys, reader->error);
  if (status != SRS_OK) return status;
  *is_file = srs_yaml_get(model, "file") != NULL;
  if (!*is_file && srs_yaml_get(model, "links") == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, model->place, "",
                       "a model needs either 'file', a robot file, or 'links', written in place");
  return srs_yaml_check_keys(model, *is_file ? "a model that is a file" : "a model written in place",
                             *is_file ? file_keys : inline_keys, reader->error);
}

// The prefix of a model: none where it is the only one.
static srs_status read_prefix(srs_scene_reader *reader, const srs_yaml_node *list, const srs_yaml_node *model)
{
  reader->prefix = "";
  const char *name;
  const srs_yaml_node *node = srs_yaml_get(model, "name");
  const bool is_one = list->count == 1;
  if (node == NULL && is_one) return SRS_OK;
  if (node == NULL)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, model->place, "name",
                       "where there are several models each needs a 'name'");
  const srs_status status = srs_yaml_text(node, "name of a model", &name, reader->error);
  if (status != SRS_OK) return status;
  if (strchr(name, '/') != NULL)
    return srs_fail_at(reader->error, SRS_ERROR_NAME, node->place, name, "the name of a model must not hold a slash");
  for (const srs_yaml_node *other = list->first; other != model; other = other->next) {
    const srs_yaml_node *same = srs_yaml_get(other, "name");
    if (strcmp(same->text, name) == 0)
      return srs_fail_at(reader->error, SRS_ERROR_NAME, node->place, name,
                         "two models are named '%.80s', the first in line %d", name, same->place.line);
  }
  if (is_one) return SRS_OK;
  reader->prefix = srs_text_join(reader->arena, name, "/", "");
  return reader->prefix != NULL ? SRS_OK : srs_scene_no_memory(reader);
}

static srs_status read_model(srs_scene_reader *reader, const srs_yaml_node *list, const srs_yaml_node *model)
{
  bool is_file = false;
  srs_base_kind base;
  srs_status status = check_model_keys(reader, model, &is_file);
  if (status == SRS_OK) status = read_prefix(reader, list, model);
  if (status == SRS_OK) status = read_base(reader, model, &base);
  if (status == SRS_OK) status = srs_scene_read_pose(reader, model, &reader->placement);
  if (status != SRS_OK) return status;
  status = is_file ? read_robot_file(reader, model, base) : read_inline(reader, model, base);
  return status == SRS_OK ? srs_scene_read_loops(reader, model) : status;
}

srs_status srs_scene_read_models(srs_scene_reader *reader, const srs_yaml_node *models)
{
  srs_status status = srs_yaml_expect_list(models, "models", reader->error);
  if (status == SRS_OK && models->count == 0)
    return srs_fail_at(reader->error, SRS_ERROR_SYNTAX, models->place, "models", "models is empty, a scene needs one");
  if (status != SRS_OK) return status;
  reader->robot_files = srs_arena_take(reader->arena, 2 * (size_t)models->count + 1, sizeof *reader->robot_files);
  if (reader->robot_files == NULL) return srs_scene_no_memory(reader);
  for (const srs_yaml_node *model = models->first; model != NULL && status == SRS_OK; model = model->next)
    status = read_model(reader, models, model);
  return status;
}
