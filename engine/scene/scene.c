// Loading a scene: its models, initial state, integrator and output.
//
// The file becomes a tree of values that know their place (yaml.c), its models go into one builder (scene_models.c),
// its initial coordinates are found by the model's names (state_file.c). Whatever is not understood is an error:
// nothing is ignored.
#include "engine/output/columns/column_table.h"
#include "engine/scene/models/scene_entries.h"
#include "engine/scene/models/scene_models.h"
#include "engine/scene/scene_options.h"
#include "engine/scene/scene_settings.h"
#include "engine/scene/state_file.h"
#include "topology/base/text.h"
#include "topology/builder/builder.h"
#include "topology/files/robot_file.h"
#include "topology/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct srs_scene {
  srs_arena arena;
  srs_model *model;
  srs_model *redundant; // while a scene with `coordinates: redundant` is read, then `model`
  srs_scene_settings settings;
};

srs_scene_options srs_default_scene_options(void) { return (srs_scene_options){.load = srs_default_load_options()}; }

// ---------------------------------------------------------------------------------------------------------------------
// Top-level keys
// ---------------------------------------------------------------------------------------------------------------------

// Beside the options of the table.
static const char *const scene_keys[] = {
    "gravity",  "models",  "environment", "collision",   "contact",  "solver",  "initial",
    "duration", "output",  "closures",    "couplings",   "assemble", "frozen",  "allow_impossible_inertia",
    "limits",   "closure", "actuators",   "coordinates", "implicit", "sensors", "wrenches",
    NULL};

static srs_status read_coordinates(const srs_yaml_node *root, bool *is_redundant, srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(root, "coordinates"), *actuators = srs_yaml_get(root, "actuators");
  const srs_yaml_node *sensors = srs_yaml_get(root, "sensors");
  if (node == NULL) return SRS_OK;
  const char *name;
  const srs_status status = srs_yaml_text(node, "coordinates", &name, error);
  if (status != SRS_OK) return status;
  *is_redundant = strcmp(name, "redundant") == 0;
  if (!*is_redundant && strcmp(name, "minimal") != 0)
    return srs_fail_at(error, SRS_ERROR_NAME, node->place, name, "coordinates are minimal or redundant, not '%.80s'",
                       name);
  if (*is_redundant && actuators != NULL)
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, actuators->key_place, "actuators",
                       "actuators act on coordinates of joints, which redundant coordinates do not have");
  if (*is_redundant && sensors != NULL)
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, sensors->key_place, "sensors",
                       "sensors are on joints and frames of a tree, which redundant coordinates do not have");
  return SRS_OK;
}

static srs_status read_duration(const srs_yaml_node *root, srs_scene_settings *s, srs_error *error)
{
  const srs_yaml_node *dt = srs_yaml_get(root, "dt"), *duration = srs_yaml_get(root, "duration");
  srs_status status = SRS_OK;
  if (duration != NULL) status = srs_yaml_number(duration, "duration", &s->duration, error);
  if (status == SRS_OK && !(s->duration >= 0))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, duration->place, "duration",
                       "duration must not be negative, here is %.80s", duration->text);
  if (status == SRS_OK && !(s->duration / s->sim.dt <= 1e15))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, (dt != NULL ? dt : duration)->place, "dt",
                       "duration / dt is more than 1e15 steps, take a larger dt");
  return status;
}

static srs_status read_implicit(const srs_yaml_node *root, srs_sim_options *options, srs_error *error)
{
  static const char *const none[] = {NULL};
  const srs_yaml_node *node = srs_yaml_get(root, "implicit");
  if (node == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_map(node, "implicit", error);
  if (status == SRS_OK) status = srs_scene_check_option_keys(node, "implicit", "implicit", none, error);
  return status == SRS_OK ? srs_scene_read_options(node, "implicit", options, error) : status;
}

static srs_status read_output_file(srs_scene *scene, const srs_yaml_node *file, srs_error *error)
{
  const char *name = NULL;
  const srs_status status = srs_yaml_text(file, "file of output", &name, error);
  if (status != SRS_OK) return status;
  scene->settings.output_file = srs_text_copy(&scene->arena, name, strlen(name));
  if (scene->settings.output_file != NULL) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_MEMORY, file->place, "", "no memory left");
}

// A list of names and patterns; which columns there are is known when a file is made.
static srs_status read_columns(srs_scene *scene, const srs_yaml_node *node, srs_error *error)
{
  if (node->kind != SRS_YAML_LIST)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "columns",
                       "columns must be a list of names and patterns, as ['q:*', 'energy:kinetic']");
  size_t n = 0, at = 0;
  for (const srs_yaml_node *item = node->first; item != NULL; item = item->next) n++;
  const char **columns = srs_arena_take(&scene->arena, n + 1, sizeof *columns);
  srs_status status =
      columns != NULL ? SRS_OK : srs_fail_at(error, SRS_ERROR_MEMORY, node->place, "", "no memory left");
  for (const srs_yaml_node *item = node->first; item != NULL && status == SRS_OK; item = item->next) {
    const char *name = NULL;
    status = srs_yaml_text(item, "an entry of columns", &name, error);
    if (status != SRS_OK) break;
    columns[at] = srs_text_copy(&scene->arena, name, strlen(name));
    if (columns[at++] == NULL) status = srs_fail_at(error, SRS_ERROR_MEMORY, node->place, "", "no memory left");
  }
  if (status == SRS_OK) scene->settings.output.columns = columns;
  return status;
}

// `file`, `every`, `columns`, and a yes or no for each group of columns.
static srs_status read_output(srs_scene *scene, const srs_yaml_node *node, srs_error *error)
{
  const char *keys[SRS_COLUMN_SOURCES + 5] = {"file", "every", "columns", "compress"};
  int n_keys = 4;
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++)
    if (srs_column_sources[i].key != NULL) keys[n_keys++] = srs_column_sources[i].key;
  srs_scene_settings *s = &scene->settings;
  srs_status status = srs_yaml_expect_map(node, "output", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "output", keys, error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *file = srs_yaml_get(node, "file"), *every = srs_yaml_get(node, "every"),
                      *columns = srs_yaml_get(node, "columns"), *compress = srs_yaml_get(node, "compress");
  if (file != NULL) status = read_output_file(scene, file, error);
  if (status == SRS_OK && every != NULL) status = srs_yaml_integer(every, "every", &s->output_every, error);
  if (status == SRS_OK && s->output_every < 1)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, every->place, "every", "every must be 1 step or more, here is %.80s",
                       every->text);
  if (compress != NULL && status == SRS_OK) status = srs_yaml_bool(compress, "compress", &s->output.compresses, error);
  if (columns != NULL && status == SRS_OK) status = read_columns(scene, columns, error);
  s->output.sensors = columns == NULL; // which has them, where it names them
  for (int i = 0; i < SRS_COLUMN_SOURCES && status == SRS_OK; i++) {
    const srs_column_source *source = &srs_column_sources[i];
    const srs_yaml_node *option = source->key != NULL ? srs_yaml_get(node, source->key) : NULL;
    if (option != NULL) status = srs_yaml_bool(option, source->key, srs_column_option(source, &s->output), error);
  }
  return status;
}

static srs_status read_settings(srs_scene *scene, const srs_yaml_node *root, srs_error *error)
{
  srs_scene_settings *s = &scene->settings;
  const srs_yaml_node *gravity = srs_yaml_get(root, "gravity"), *output = srs_yaml_get(root, "output");
  const srs_yaml_node *contact = srs_yaml_get(root, "contact"), *solver = srs_yaml_get(root, "solver");
  srs_status status = SRS_OK;
  if (gravity != NULL) status = srs_yaml_numbers(gravity, "gravity", s->sim.gravity, 3, error);
  if (status == SRS_OK) status = read_coordinates(root, &s->is_redundant, error);
  if (status == SRS_OK) status = srs_scene_read_options(root, "", &s->sim, error);
  if (status == SRS_OK) status = read_implicit(root, &s->sim, error);
  if (status == SRS_OK) status = read_duration(root, s, error);
  if (status == SRS_OK && contact != NULL) status = srs_scene_read_contact(contact, &scene->arena, &s->sim, error);
  s->collider.distance = s->sim.contact.collider.distance;
  if (status == SRS_OK && solver != NULL) status = srs_scene_read_solver(solver, &s->sim, error);
  if (status == SRS_OK && output != NULL) status = read_output(scene, output, error);
  if (status == SRS_OK) status = srs_scene_read_mechanism(root, &s->sim, error);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Model and state
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_model(srs_scene *scene, const srs_yaml *yaml, const srs_load_options *load, srs_error *error)
{
  const srs_yaml_node *models = srs_yaml_get(yaml->root, "models");
  if (models == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, yaml->root->place, "models",
                       "a scene needs 'models', a list of robot files or of models written in place");
  srs_build_options build = load->build;
  bool is_allowed = false;
  const srs_yaml_node *allow = srs_yaml_get(yaml->root, "allow_impossible_inertia");
  srs_status status = allow != NULL ? srs_yaml_bool(allow, allow->key, &is_allowed, error) : SRS_OK;
  if (status != SRS_OK) return status;
  build.allow_impossible_inertia = build.allow_impossible_inertia || is_allowed;
  srs_builder *builder = srs_builder_create();
  if (builder == NULL) return srs_fail_at(error, SRS_ERROR_MEMORY, models->place, "", "no memory left for the models");
  srs_scene_reader reader = {
      .builder = builder, .arena = &scene->arena, .file = yaml->file, .load = load, .prefix = "", .error = error};
  srs_builder_be_lenient(builder, is_allowed); // all that a robot file may have
  const srs_yaml_node *environment = srs_yaml_get(yaml->root, "environment");
  const srs_yaml_node *sensors = srs_yaml_get(yaml->root, "sensors"), *wrenches = srs_yaml_get(yaml->root, "wrenches");
  status =
      srs_note_read(&builder->read, yaml->file) ? srs_scene_read_models(&reader, models) : srs_scene_no_memory(&reader);
  scene->settings.robot_files = reader.robot_files;
  reader.prefix = ""; // what follows is of the scene itself
  reader.placement = srs_identity_pose();
  if (status == SRS_OK) status = srs_scene_read_loops(&reader, yaml->root);
  if (status == SRS_OK && environment != NULL) status = srs_scene_read_environment(&reader, environment);
  if (status == SRS_OK && sensors != NULL) status = srs_scene_read_sensors(&reader, sensors);
  if (status == SRS_OK && wrenches != NULL) status = srs_scene_read_wrenches(&reader, wrenches);
  if (status == SRS_OK) status = srs_builder_build(builder, &build, &scene->model, error);
  if (status == SRS_OK && wrenches != NULL) status = srs_scene_check_wrenches(wrenches, scene->model, error);
  if (status == SRS_OK && scene->settings.is_redundant)
    status = srs_build_redundant(builder, &build, &scene->redundant, error);
  if (status != SRS_OK) srs_place_error(error, models->place);
  srs_builder_destroy(builder);
  return status;
}

// The initial state, its loops closed in minimal coordinates, in redundant ones; these are the scene's from here on.
static srs_status become_redundant(srs_scene *scene, srs_error *error)
{
  srs_scene_settings *s = &scene->settings;
  const srs_model *redundant = scene->redundant;
  double *q = srs_arena_take(&scene->arena, (size_t)srs_model_nq(redundant) + 1, sizeof *q);
  double *v = srs_arena_take(&scene->arena, (size_t)srs_model_nv(redundant) + 1, sizeof *v);
  if (q == NULL || v == NULL)
    return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){NULL, 0, 0}, "", "no memory left for the initial state");
  srs_sim_options options = srs_default_sim_options();
  options.contact.enabled = false;
  srs_sim *sim = NULL;
  srs_assembly_options assembly = srs_default_assembly_options();
  assembly.frozen = s->frozen;
  srs_status status = srs_sim_create(scene->model, &options, &sim, error);
  if (status == SRS_OK) status = srs_sim_set_state(sim, 0, s->q, s->v, error);
  if (status == SRS_OK && s->assemble) status = srs_sim_assemble(sim, &assembly, NULL, error);
  if (status == SRS_OK)
    status = srs_redundant_state(scene->model, redundant, srs_sim_q(sim), srs_sim_v(sim), q, v, error);
  srs_sim_destroy(sim);
  if (status != SRS_OK) return status;
  srs_model_destroy(scene->model);
  scene->model = scene->redundant;
  scene->redundant = NULL;
  s->q = q, s->v = v, s->frozen = NULL;
  return SRS_OK;
}

static void take_file_velocities(const srs_model *model, double *v)
{
  for (int i = 0; i < model->file.n_velocities; i++) {
    const srs_file_velocity *from = &model->file.velocities[i];
    const srs_joint *joint = srs_model_joint(model, srs_model_find_joint(model, from->joint));
    if (joint != NULL && joint->nv == from->nv) memcpy(v + joint->v_index, from->v, (size_t)from->nv * sizeof *v);
  }
}

// q at the model's neutral configuration, v at rest, or as a file has them.
static srs_status start_state(srs_scene *scene, double **q, double **v, srs_error *error)
{
  const size_t nq = (size_t)srs_model_nq(scene->model), nv = (size_t)srs_model_nv(scene->model);
  *q = srs_arena_take(&scene->arena, nq + 1, sizeof(double));
  *v = srs_arena_take(&scene->arena, nv + 1, sizeof(double));
  if (*q == NULL || *v == NULL)
    return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){NULL, 0, 0}, "", "no memory left for the initial state");
  if (nq > 0) memcpy(*q, srs_model_neutral(scene->model), nq * sizeof(double));
  take_file_velocities(scene->model, *v);
  scene->settings.q = *q;
  scene->settings.v = *v;
  return SRS_OK;
}

static srs_status read_initial(srs_scene *scene, const srs_yaml_node *root, srs_error *error)
{
  static const char *const keys[] = {"q", "v", NULL};
  double *q, *v;
  srs_status status = start_state(scene, &q, &v, error);
  const srs_yaml_node *node = srs_yaml_get(root, "initial");
  if (status != SRS_OK || node == NULL) return status;
  status = srs_yaml_expect_map(node, "initial", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "initial", keys, error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *q_node = srs_yaml_get(node, "q"), *v_node = srs_yaml_get(node, "v");
  if (q_node != NULL) status = srs_state_read(q_node, "q", scene->model, true, q, error);
  if (status == SRS_OK && v_node != NULL) status = srs_state_read(v_node, "v", scene->model, false, v, error);
  return status;
}

// A joint, all of its coordinates, or one coordinate.
static srs_status freeze_named(const srs_model *model, const srs_yaml_node *node, bool *frozen, srs_error *error)
{
  const char *name;
  const srs_status status = srs_yaml_text(node, "a name in frozen", &name, error);
  if (status != SRS_OK) return status;
  const int joint = srs_model_find_joint(model, name), v = srs_model_find_v(model, name);
  if (joint < 0 && v < 0) {
    char hint[192];
    srs_nearest nearest = srs_nearest_to(name);
    for (int i = 0; i < srs_model_nv(model); i++) srs_nearest_offer(&nearest, srs_model_v_name(model, i));
    for (int i = 0; i < srs_model_n_links(model); i++) srs_nearest_offer(&nearest, srs_model_joint(model, i)->name);
    return srs_fail_at(error, SRS_ERROR_NAME, node->place, name, "frozen: no joint or coordinate is named '%.80s'%s",
                       name, srs_nearest_hint(&nearest, hint));
  }
  const srs_joint *found = joint >= 0 ? srs_model_joint(model, joint) : NULL;
  for (int i = 0; found != NULL && i < found->nv; i++) frozen[found->v_index + i] = true;
  if (found == NULL) frozen[v] = true;
  return SRS_OK;
}

static srs_status read_assembly(srs_scene *scene, const srs_yaml_node *root, srs_error *error)
{
  const srs_yaml_node *assemble = srs_yaml_get(root, "assemble"), *list = srs_yaml_get(root, "frozen");
  srs_status status = SRS_OK;
  if (assemble != NULL) status = srs_yaml_bool(assemble, "assemble", &scene->settings.assemble, error);
  if (status != SRS_OK || list == NULL) return status;
  status = srs_yaml_expect_list(list, "frozen", error);
  if (status != SRS_OK) return status;
  bool *frozen = srs_arena_take(&scene->arena, (size_t)srs_model_nv(scene->model) + 1, sizeof *frozen);
  if (frozen == NULL) return srs_fail_at(error, SRS_ERROR_MEMORY, list->place, "", "no memory left for 'frozen'");
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next)
    status = freeze_named(scene->model, node, frozen, error);
  scene->settings.frozen = frozen;
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------------------------------------------------

static srs_status keep_text(srs_scene *scene, const char *path, const char *text, size_t length, srs_error *error)
{
  scene->settings.text = srs_text_copy(&scene->arena, text, length);
  if (scene->settings.text != NULL) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left to keep the file's text");
}

// Actuators of robot files drive what the scene itself does not.
static srs_status add_file_actuators(srs_scene *scene, srs_error *error)
{
  const srs_file_settings *file = &scene->model->file;
  srs_scene_settings *s = &scene->settings;
  const size_t room = (size_t)s->n_actuators + (size_t)file->n_actuators;
  if (file->n_actuators == 0 || s->is_redundant) return SRS_OK;
  srs_actuator *all = srs_arena_take(&scene->arena, room, sizeof *all);
  if (all == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the actuators");
  int n = s->n_actuators;
  if (n > 0) memcpy(all, s->actuators, (size_t)n * sizeof *all);
  for (int i = 0; i < file->n_actuators; i++) {
    const srs_file_actuator *from = &file->actuators[i];
    const int coordinate = from->is_of_closure ? srs_model_find_loop(scene->model, from->coordinate)
                                               : srs_model_find_v(scene->model, from->coordinate);
    bool is_driven = coordinate < 0;
    for (int k = 0; k < s->n_actuators; k++)
      is_driven = is_driven ||
                  (s->actuators[k].is_of_closure == from->is_of_closure && s->actuators[k].coordinate == coordinate);
    if (is_driven) continue;
    srs_actuator *to = &all[n++];
    *to = srs_default_actuator(coordinate);
    to->is_of_closure = from->is_of_closure;
    to->gear = from->gear, to->torque = from->torque;
    to->position = from->position, to->velocity = from->velocity;
    to->kp = from->kp, to->kd = from->kd;
  }
  s->actuators = all;
  s->n_actuators = n;
  return SRS_OK;
}

static srs_status find_sensors(srs_scene *scene, const srs_yaml_node *list, srs_error *error)
{
  srs_scene_settings *s = &scene->settings;
  if (s->is_redundant) return SRS_OK;
  return srs_scene_find_sensors(&scene->arena, list, scene->model, &s->sensors, &s->n_sensors, error);
}

static srs_status load_scene_file(srs_scene *scene, const char *path, const char *text, const srs_load_options *load,
                                  srs_error *error)
{
  srs_yaml yaml;
  srs_status status =
      text != NULL ? srs_yaml_parse(path, text, strlen(text), &yaml, error) : srs_yaml_load(path, &yaml, error);
  if (status != SRS_OK) return status;
  status = srs_yaml_expect_map(yaml.root, "a scene", error);
  if (status == SRS_OK) status = srs_scene_check_option_keys(yaml.root, "a scene", "", scene_keys, error);
  if (status == SRS_OK) status = keep_text(scene, path, yaml.text, yaml.length, error);
  if (status == SRS_OK) status = read_settings(scene, yaml.root, error);
  if (status == SRS_OK) status = read_model(scene, &yaml, load, error);
  if (status == SRS_OK) status = read_initial(scene, yaml.root, error);
  const srs_yaml_node *collision = srs_yaml_get(yaml.root, "collision"),
                      *actuators = srs_yaml_get(yaml.root, "actuators");
  const srs_yaml_node *contact = srs_yaml_get(yaml.root, "contact");
  if (status == SRS_OK && actuators != NULL)
    status = srs_scene_read_actuators(&scene->arena, actuators, scene->model, &scene->settings.actuators,
                                      &scene->settings.n_actuators, error);
  if (status == SRS_OK) status = add_file_actuators(scene, error);
  if (status == SRS_OK) status = find_sensors(scene, srs_yaml_get(yaml.root, "sensors"), error);
  if (status == SRS_OK) status = read_assembly(scene, yaml.root, error);
  if (status == SRS_OK && scene->settings.is_redundant) status = become_redundant(scene, error);
  if (status == SRS_OK && collision != NULL)
    status = srs_scene_read_collision(&scene->arena, collision, scene->model, &scene->settings.collider, error);
  if (status == SRS_OK && contact != NULL)
    status = srs_scene_check_contact_names(contact, scene->model, &scene->settings.sim.contact, error);
  scene->settings.sim.contact.collider = scene->settings.collider;
  srs_yaml_free(&yaml);
  return status;
}

// Gravity, step and integrator of a robot file that is a scene by itself.
static void take_file_options(srs_scene *scene)
{
  static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_SEMI_IMPLICIT_EULER};
  const srs_file_settings *file = &scene->model->file;
  srs_sim_options *sim = &scene->settings.sim;
  if (file->has_gravity) memcpy(sim->gravity, file->gravity, sizeof file->gravity);
  if (file->has_step) sim->dt = file->step;
  if (file->has_integrator) sim->integrator = integrators[file->integrator];
}

static srs_status load_robot_file(srs_scene *scene, const char *path, const srs_load_options *load, srs_error *error)
{
  char *text = NULL;
  size_t length = 0;
  double *q, *v;
  srs_status status = srs_read_text(path, NULL, &text, &length, error);
  if (status == SRS_OK) status = srs_model_load(path, load, &scene->model, error);
  if (status == SRS_OK) status = keep_text(scene, path, text, length, error);
  if (status == SRS_OK) status = start_state(scene, &q, &v, error);
  if (status == SRS_OK) status = add_file_actuators(scene, error);
  if (status == SRS_OK) status = find_sensors(scene, NULL, error);
  if (status == SRS_OK) take_file_options(scene);
  free(text);
  return status;
}

srs_status srs_scene_load(const char *path, const srs_scene_options *options, srs_scene **scene, srs_error *error)
{
  const srs_place nowhere = {NULL, 0, 0};
  if (scene == NULL) return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", "scene is null");
  *scene = NULL;
  if (path == NULL) return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", "the path of the scene is null");
  const srs_scene_options defaults = srs_default_scene_options();
  const srs_load_options *load = options != NULL ? &options->load : &defaults.load;
  srs_scene *new_scene = calloc(1, sizeof *new_scene);
  if (new_scene == NULL) return srs_fail_at(error, SRS_ERROR_MEMORY, nowhere, "", "no memory left for a scene");
  new_scene->settings = (srs_scene_settings){.sim = srs_default_sim_options(),
                                             .collider = srs_default_collider_options(),
                                             .duration = 10,
                                             .output = srs_default_trajectory_options(),
                                             .output_every = 1,
                                             .assemble = true};
  new_scene->settings.sim.energy_balance = true;
  new_scene->settings.output.sensors = true;
  if (options != NULL) new_scene->settings.collider.self_collision = options->self_collision;
  new_scene->settings.sim.contact.collider = new_scene->settings.collider;
  const char *text = options != NULL ? options->text : NULL;
  const srs_status status = srs_is_robot_file(path) ? load_robot_file(new_scene, path, load, error)
                                                    : load_scene_file(new_scene, path, text, load, error);
  if (status == SRS_OK)
    *scene = new_scene;
  else
    srs_scene_destroy(new_scene);
  return status;
}

void srs_scene_destroy(srs_scene *scene)
{
  if (scene == NULL) return;
  srs_model_destroy(scene->model);
  srs_model_destroy(scene->redundant);
  srs_arena_release(&scene->arena);
  free(scene);
}

const srs_model *srs_scene_model(const srs_scene *scene) { return scene->model; }

const srs_scene_settings *srs_scene_get_settings(const srs_scene *scene) { return &scene->settings; }

// Actuators of robot files that act at frames. Those of one frame add.
static srs_status set_file_wrenches(const srs_scene *scene, srs_sim *sim, srs_error *error)
{
  const srs_file_settings *file = &scene->model->file;
  srs_status status = SRS_OK;
  for (int i = 0; i < file->n_wrenches && status == SRS_OK; i++) {
    const int frame = srs_model_find_frame(scene->model, file->wrenches[i].frame);
    double sum[6] = {0};
    for (int k = 0; k < file->n_wrenches; k++)
      for (int j = 0; j < 6 && strcmp(file->wrenches[k].frame, file->wrenches[i].frame) == 0; j++)
        sum[j] += file->wrenches[k].wrench[j];
    if (frame >= 0) status = srs_sim_set_wrench(sim, frame, SRS_AXES_LOCAL, sum, error);
  }
  return status;
}

srs_status srs_scene_create_sim(const srs_scene *scene, const srs_sim_options *options, srs_sim **sim, srs_error *error)
{
  const srs_place nowhere = {NULL, 0, 0};
  if (sim == NULL || scene == NULL)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", "%s is null", sim == NULL ? "sim" : "scene");
  *sim = NULL;
  srs_sim *new_sim = NULL;
  srs_status status = srs_sim_create(scene->model, options != NULL ? options : &scene->settings.sim, &new_sim, error);
  if (status == SRS_OK) status = srs_sim_set_state(new_sim, 0, scene->settings.q, scene->settings.v, error);
  srs_assembly_options assembly = srs_default_assembly_options();
  assembly.frozen = scene->settings.frozen;
  for (int i = 0; i < scene->settings.n_actuators && status == SRS_OK; i++)
    status = srs_sim_set_actuator(new_sim, &scene->settings.actuators[i], error);
  if (status == SRS_OK) status = set_file_wrenches(scene, new_sim, error);
  if (status == SRS_OK && scene->settings.assemble) status = srs_sim_assemble(new_sim, &assembly, NULL, error);
  if (status == SRS_OK)
    *sim = new_sim;
  else if (new_sim != NULL)
    srs_sim_destroy(new_sim);
  return status;
}
