// Loop closures and couplings of a scene: the lists `closures` and `couplings`, of a model or of the whole scene.
//
// In a model, names get its prefix, and a closure's frame on the world is placed relative to the model, as for joints.
// At the scene's level names are complete and the world is the scene's, so that models can be joined there.
#include "engine/scene/models/scene_entries.h"
#include "engine/scene/values/former_names.h"

#include <stdio.h>
#include <string.h>

typedef struct loop_reader {
  srs_scene_reader *scene;
  const srs_yaml_node *map;
  const char *what; // "closure 'x'", for messages
} loop_reader;

static srs_status fail_at(const loop_reader *r, const srs_yaml_node *node, const char *what)
{
  return srs_fail_at(r->scene->error, SRS_ERROR_SYNTAX, node->place, node->key, "%s: %s", r->what, what);
}

static srs_status optional_number(const loop_reader *r, const srs_yaml_node *map, const char *key, double *value)
{
  const srs_yaml_node *node = srs_yaml_get(map, key);
  return node != NULL ? srs_yaml_number(node, key, value, r->scene->error) : SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Motions
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_sine(const loop_reader *r, const srs_yaml_node *node, srs_motion *motion)
{
  static const char *const keys[] = {"amplitude", "frequency", "phase", NULL};
  srs_status status = srs_yaml_expect_map(node, "sine", r->scene->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "sine", keys, r->scene->error);
  if (status == SRS_OK && (srs_yaml_get(node, "amplitude") == NULL || srs_yaml_get(node, "frequency") == NULL))
    return fail_at(r, node, "a sine needs 'amplitude' and 'frequency' (rad/s)");
  if (status == SRS_OK) status = optional_number(r, node, "amplitude", &motion->amplitude);
  if (status == SRS_OK) status = optional_number(r, node, "frequency", &motion->frequency);
  return status == SRS_OK ? optional_number(r, node, "phase", &motion->phase) : status;
}

static srs_status read_table(const loop_reader *r, const srs_yaml_node *node, srs_motion *motion)
{
  srs_status status = srs_yaml_expect_list(node, "table", r->scene->error);
  if (status != SRS_OK) return status;
  double *times = srs_arena_take(r->scene->arena, (size_t)node->count + 1, sizeof *times);
  double *values = srs_arena_take(r->scene->arena, (size_t)node->count + 1, sizeof *values);
  if (times == NULL || values == NULL) return srs_scene_no_memory(r->scene);
  for (const srs_yaml_node *point = node->first; point != NULL; point = point->next) {
    double pair[2];
    status = srs_yaml_numbers(point, "a point of a table", pair, 2, r->scene->error);
    if (status != SRS_OK) return status;
    times[motion->n_points] = pair[0];
    values[motion->n_points++] = pair[1];
  }
  motion->times = times, motion->values = values;
  return SRS_OK;
}

// The key `motion`: {rate: 2}, {sine: {…}} or {table: [[0, 0], [1, 0.5]]}, each with an optional start.
static srs_status read_motion(const loop_reader *r, srs_motion *motion)
{
  static const char *const keys[] = {"start", "rate", "sine", "table", NULL};
  const srs_yaml_node *node = srs_yaml_get(r->map, "motion");
  *motion = (srs_motion){.kind = SRS_MOTION_NONE};
  if (node == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_map(node, "motion", r->scene->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "motion", keys, r->scene->error);
  if (status == SRS_OK) status = optional_number(r, node, "start", &motion->start);
  if (status != SRS_OK) return status;
  const srs_yaml_node *rate = srs_yaml_get(node, "rate"), *sine = srs_yaml_get(node, "sine");
  const srs_yaml_node *table = srs_yaml_get(node, "table");
  if ((rate != NULL) + (sine != NULL) + (table != NULL) != 1)
    return fail_at(r, node, "a motion needs one of 'rate', 'sine' and 'table'");
  motion->kind = rate != NULL ? SRS_MOTION_RATE : sine != NULL ? SRS_MOTION_SINE : SRS_MOTION_TABLE;
  if (rate != NULL) return srs_yaml_number(rate, "rate", &motion->rate, r->scene->error);
  return sine != NULL ? read_sine(r, sine, motion) : read_table(r, table, motion);
}

srs_status srs_scene_read_motion(srs_scene_reader *reader, const srs_yaml_node *map, const char *what,
                                 srs_motion *motion)
{
  const loop_reader r = {reader, map, what};
  return read_motion(&r, motion);
}

// ---------------------------------------------------------------------------------------------------------------------
// Closures
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_kind(const loop_reader *r, srs_closure_kind *kind)
{
  const srs_yaml_node *node = srs_yaml_get(r->map, "kind");
  if (node == NULL) return fail_at(r, r->map, "a closure needs the key 'kind'");
  const char *word;
  const srs_status status = srs_yaml_text(node, "kind of a closure", &word, r->scene->error);
  if (status != SRS_OK) return status;
  srs_nearest nearest = srs_nearest_to(word);
  char known[256] = "", hint[192];
  for (int i = 0; i < SRS_CLOSURE_KINDS; i++) {
    const char *name = srs_closure_kind_name((srs_closure_kind)i);
    *kind = (srs_closure_kind)i;
    if (strcmp(name, srs_present_word(word)) == 0) return SRS_OK;
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", name);
    srs_offer_word(&nearest, name);
  }
  return srs_fail_at(r->scene->error, SRS_ERROR_NAME, node->place, word,
                     "no kind of closure is named '%.80s' (there are %s)%s", word, known,
                     srs_nearest_hint(&nearest, hint));
}

static srs_status read_rows(const loop_reader *r, const srs_yaml_node *node, unsigned *rows)
{
  static const char *const words[6] = {"wx", "wy", "wz", "x", "y", "z"};
  srs_status status = srs_yaml_expect_list(node, "rows", r->scene->error);
  if (status != SRS_OK) return status;
  *rows = 0;
  for (const srs_yaml_node *entry = node->first; entry != NULL; entry = entry->next) {
    const char *word;
    status = srs_yaml_text(entry, "a row", &word, r->scene->error);
    if (status != SRS_OK) return status;
    unsigned i = 0;
    while (i < 6 && strcmp(words[i], word) != 0) i++;
    if (i == 6) return fail_at(r, entry, "rows are wx wy wz (turning) and x y z");
    if ((*rows & 1u << i) != 0) return fail_at(r, entry, "a row is named twice; leave one out");
    *rows |= 1u << i;
  }
  return *rows != 0 ? SRS_OK : fail_at(r, node, "rows is empty; name some of wx wy wz (turning) and x y z");
}

static const char *const joint_keys[] = {"lower",     "upper",    "friction",   "damping",      "stiffness",
                                         "reference", "armature", "max_effort", "max_velocity", NULL};

// What acts on the coordinate that the closure leaves free.
static srs_status read_joint(const loop_reader *r, srs_loop_joint *j)
{
  double *const values[] = {&j->lower,     &j->upper,    &j->friction,   &j->damping,     &j->stiffness,
                            &j->reference, &j->armature, &j->max_effort, &j->max_velocity};
  srs_status status = SRS_OK;
  for (int i = 0; joint_keys[i] != NULL && status == SRS_OK; i++)
    status = optional_number(r, r->map, joint_keys[i], values[i]);
  return status;
}

// Refuses keys that a kind does not have, and requires those that it needs.
static srs_status check_closure_keys(const loop_reader *r, srs_closure_kind kind)
{
  const bool is_universal = kind == SRS_CLOSURE_UNIVERSAL, is_rod = kind == SRS_CLOSURE_ROD;
  const bool is_tendon = kind == SRS_CLOSURE_TENDON;
  const bool has_axis =
      is_universal || kind == SRS_CLOSURE_REVOLUTE || kind == SRS_CLOSURE_PRISMATIC || kind == SRS_CLOSURE_PLANAR;
  const struct {
    const char *key;
    bool is_wanted;
  } rules[] = {{"axis", has_axis},
               {"axis2", is_universal},
               {"length", is_rod},
               {"rows", kind == SRS_CLOSURE_ROWS},
               {"terms", is_tendon}};
  const bool has_joint = is_tendon || kind == SRS_CLOSURE_REVOLUTE || kind == SRS_CLOSURE_PRISMATIC;
  for (int i = 0; joint_keys[i] != NULL && !has_joint; i++) {
    const srs_yaml_node *node = srs_yaml_get(r->map, joint_keys[i]);
    if (node == NULL) continue;
    return srs_fail_at(r->scene->error, SRS_ERROR_SYNTAX, node->key_place, joint_keys[i],
                       "%s: '%s' is for revolute and prismatic closures and tendons, not for a %s; leave it out",
                       r->what, joint_keys[i], srs_closure_kind_name(kind));
  }
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const srs_yaml_node *node = srs_yaml_get(r->map, rules[i].key);
    if ((node != NULL) == rules[i].is_wanted) continue;
    return srs_fail_at(r->scene->error, SRS_ERROR_SYNTAX, node != NULL ? node->key_place : r->map->place, rules[i].key,
                       "%s: a %s closure %s '%s'", r->what, srs_closure_kind_name(kind),
                       node != NULL ? "has no" : "needs the key", rules[i].key);
  }
  return SRS_OK;
}

static srs_status read_end(const loop_reader *r, const char *frame_key, const char *pose_key, const char **frame,
                           srs_pose *pose)
{
  static const char *const keys[] = {"position", "rotation", NULL};
  srs_status status = srs_scene_read_name(r->scene, r->map, r->what, frame_key, false, frame);
  if (status != SRS_OK) return status;
  const srs_yaml_node *node = srs_yaml_get(r->map, pose_key);
  if (node != NULL) {
    status = srs_yaml_expect_map(node, pose_key, r->scene->error);
    if (status == SRS_OK) status = srs_yaml_check_keys(node, pose_key, keys, r->scene->error);
    if (status == SRS_OK) status = srs_scene_read_pose(r->scene, node, pose);
  }
  if (status == SRS_OK && *frame == NULL) *pose = srs_scene_place(r->scene, pose);
  return status;
}

// embed: true, independent: [names]
static srs_status read_embedding(const loop_reader *r, srs_closure_def *def)
{
  srs_error *error = r->scene->error;
  const srs_yaml_node *embed = srs_yaml_get(r->map, "embed"), *list = srs_yaml_get(r->map, "independent");
  srs_status status = embed != NULL ? srs_yaml_bool(embed, "embed", &def->embed, error) : SRS_OK;
  if (status != SRS_OK || list == NULL) return status;
  if (!def->embed) return fail_at(r, list, "independent coordinates are for a closure with 'embed: true'");
  status = srs_yaml_expect_list(list, "independent", error);
  if (status != SRS_OK) return status;
  const char **names = srs_arena_take(r->scene->arena, (size_t)list->count, sizeof *names);
  if (names == NULL) return srs_scene_no_memory(r->scene);
  def->independent = names;
  for (const srs_yaml_node *entry = list->first; entry != NULL && status == SRS_OK; entry = entry->next) {
    const char *name;
    status = srs_yaml_text(entry, "an independent coordinate", &name, error);
    if (status == SRS_OK)
      names[def->n_independent++] = srs_arena_print(r->scene->arena, "%s%s", r->scene->prefix, name);
  }
  return status == SRS_OK && r->scene->arena->failed ? srs_scene_no_memory(r->scene) : status;
}

// A list of {coordinate, coefficient}.
static srs_status read_terms(const loop_reader *r, const srs_yaml_node *list, const srs_tendon_term **terms, int *n)
{
  static const char *const keys[] = {"coordinate", "coefficient", NULL};
  srs_status status = srs_yaml_expect_list(list, "terms of a tendon", r->scene->error);
  if (status != SRS_OK) return status;
  srs_tendon_term *read = srs_arena_take(r->scene->arena, (size_t)list->count, sizeof *read);
  if (read == NULL) return srs_scene_no_memory(r->scene);
  *terms = read;
  for (const srs_yaml_node *entry = list->first; entry != NULL && status == SRS_OK; entry = entry->next) {
    srs_tendon_term *term = &read[(*n)++];
    *term = (srs_tendon_term){NULL, 1};
    status = srs_yaml_expect_map(entry, "a term of a tendon", r->scene->error);
    if (status == SRS_OK) status = srs_yaml_check_keys(entry, "a term of a tendon", keys, r->scene->error);
    if (status == SRS_OK)
      status = srs_scene_read_name(r->scene, entry, "a term of a tendon", "coordinate", true, &term->coordinate);
    if (status == SRS_OK) status = optional_number(r, entry, "coefficient", &term->coefficient);
  }
  return status;
}

// terms; held: polynomial and leaders
static srs_status read_tendon(const loop_reader *r, srs_tendon_def *tendon)
{
  srs_error *error = r->scene->error;
  const srs_yaml_node *terms = srs_yaml_get(r->map, "terms"), *leaders = srs_yaml_get(r->map, "leaders"),
                      *held = srs_yaml_get(r->map, "held_at");
  srs_status status = terms != NULL ? read_terms(r, terms, &tendon->terms, &tendon->n_terms) : SRS_OK;
  if (status == SRS_OK && leaders != NULL) status = read_terms(r, leaders, &tendon->leaders, &tendon->n_leaders);
  if (status != SRS_OK || held == NULL) return status;
  tendon->is_held = true;
  status = srs_yaml_expect_list(held, "held_at", error);
  if (status != SRS_OK) return status;
  if (held->count < 1 || held->count > SRS_COUPLING_TERMS)
    return fail_at(r, held, "held_at is 1 to 5 numbers, of the powers 0, 1, … of the leaders' length");
  return srs_yaml_numbers(held, "held_at", tendon->polynomial, held->count, error);
}

static srs_status read_closure_values(const loop_reader *r, srs_closure_def *def)
{
  srs_error *error = r->scene->error;
  const srs_yaml_node *axis = srs_yaml_get(r->map, "axis"), *axis2 = srs_yaml_get(r->map, "axis2");
  const srs_yaml_node *rows = srs_yaml_get(r->map, "rows"), *motion_row = srs_yaml_get(r->map, "motion_row");
  srs_status status = check_closure_keys(r, def->kind);
  if (status == SRS_OK) status = read_end(r, "frame_a", "pose_a", &def->frame_a, &def->pose_a);
  if (status == SRS_OK) status = read_end(r, "frame_b", "pose_b", &def->frame_b, &def->pose_b);
  if (status == SRS_OK && axis != NULL) status = srs_yaml_numbers(axis, "axis", def->axis, 3, error);
  if (status == SRS_OK && axis2 != NULL) status = srs_yaml_numbers(axis2, "axis2", def->axis2, 3, error);
  if (status == SRS_OK) status = optional_number(r, r->map, "length", &def->length);
  if (status == SRS_OK && rows != NULL) status = read_rows(r, rows, &def->rows);
  if (status == SRS_OK) status = read_joint(r, &def->joint);
  if (status == SRS_OK && def->kind == SRS_CLOSURE_TENDON) status = read_tendon(r, &def->tendon);
  if (status == SRS_OK) status = read_motion(r, &def->motion);
  if (status == SRS_OK && motion_row != NULL && def->motion.kind == SRS_MOTION_NONE)
    return fail_at(r, motion_row, "motion_row is for a closure with a motion");
  if (status == SRS_OK && motion_row != NULL)
    status = srs_yaml_integer(motion_row, "motion_row", &def->motion_row, error);
  return status == SRS_OK ? read_embedding(r, def) : status;
}

static srs_status read_closure(srs_scene_reader *reader, const srs_yaml_node *node)
{
  static const char *const keys[] = {"name",       "kind",         "frame_a",  "frame_b", "pose_a",      "pose_b",
                                     "axis",       "axis2",        "length",   "rows",    "motion",      "motion_row",
                                     "lower",      "upper",        "friction", "damping", "stiffness",   "reference",
                                     "max_effort", "max_velocity", "armature", "embed",   "independent", "terms",
                                     "leaders",    "held_at",      NULL};
  loop_reader r = {reader, node, "a closure"};
  srs_closure_kind kind = SRS_CLOSURE_POINT;
  const char *name;
  srs_status status = srs_yaml_expect_map(node, "a closure", reader->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a closure", keys, reader->error);
  if (status == SRS_OK) status = srs_scene_read_name(reader, node, "a closure", "name", true, &name);
  if (status != SRS_OK) return status;
  char what[160];
  snprintf(what, sizeof what, "closure '%.100s'", name + strlen(reader->prefix));
  r.what = what;
  status = read_kind(&r, &kind);
  srs_closure_def def = srs_default_closure_def(kind);
  def.name = name;
  if (status == SRS_OK) status = read_closure_values(&r, &def);
  if (status != SRS_OK) return status;
  srs_scene_set_location(reader, node);
  return srs_builder_add_closure(reader->builder, &def, reader->error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Couplings
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_coefficients(const loop_reader *r, srs_coupling_def *def)
{
  const srs_yaml_node *list = srs_yaml_get(r->map, "coefficients");
  const srs_yaml_node *ratio = srs_yaml_get(r->map, "ratio"), *offset = srs_yaml_get(r->map, "offset");
  if (list != NULL && (ratio != NULL || offset != NULL))
    return fail_at(r, list, "give either 'coefficients' or 'ratio' and 'offset'");
  if (list == NULL) {
    const srs_status status = optional_number(r, r->map, "ratio", &def->coefficients[1]);
    return status == SRS_OK ? optional_number(r, r->map, "offset", &def->coefficients[0]) : status;
  }
  const srs_status status = srs_yaml_expect_list(list, "coefficients", r->scene->error);
  if (status != SRS_OK) return status;
  if (list->count < 1 || list->count > SRS_COUPLING_TERMS)
    return fail_at(r, list, "coefficients are 1 to 5 numbers, of the powers 0, 1, … of the leader");
  memset(def->coefficients, 0, sizeof def->coefficients);
  return srs_yaml_numbers(list, "coefficients", def->coefficients, list->count, r->scene->error);
}

static srs_status read_coupling(srs_scene_reader *reader, const srs_yaml_node *node)
{
  static const char *const keys[] = {"name", "follower", "leader", "coefficients", "ratio", "offset", "motion", NULL};
  loop_reader r = {reader, node, "a coupling"};
  srs_coupling_def def = srs_default_coupling_def();
  srs_status status = srs_yaml_expect_map(node, "a coupling", reader->error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a coupling", keys, reader->error);
  if (status == SRS_OK) status = srs_scene_read_name(reader, node, "a coupling", "name", false, &def.name);
  if (status == SRS_OK) status = srs_scene_read_name(reader, node, "a coupling", "follower", true, &def.follower);
  if (status == SRS_OK) status = srs_scene_read_name(reader, node, "a coupling", "leader", false, &def.leader);
  if (status == SRS_OK) status = read_coefficients(&r, &def);
  if (status == SRS_OK) status = read_motion(&r, &def.motion);
  if (status != SRS_OK) return status;
  srs_scene_set_location(reader, node);
  return srs_builder_add_coupling(reader->builder, &def, reader->error);
}

srs_status srs_scene_read_loops(srs_scene_reader *reader, const srs_yaml_node *map)
{
  const srs_status status = srs_scene_read_entries(reader, map, "closures", read_closure);
  return status == SRS_OK ? srs_scene_read_entries(reader, map, "couplings", read_coupling) : status;
}
