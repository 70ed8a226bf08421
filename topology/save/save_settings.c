// How does a scene say what a robot file says beyond the mechanism? With its own keys: gravity, dt, integrator,
// initial, actuators, wrenches, sensors, contact, collision. Frictions of two shapes are the larger of theirs, which is
// the rule `larger`, or those of a pair of materials.
#include "topology/save/save_settings.h"
#include "topology/model/model.h"
#include "topology/save/save_shape.h"

#include <math.h>

static void begin(srs_save *save, const char *key, int *n)
{
  if ((*n)++ == 0) srs_save_print(save, "%s:\n", key);
}

static void add_options(srs_save *save, const srs_file_settings *file)
{
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint", "semi-implicit-euler"};
  if (file->has_gravity) {
    srs_save_add(save, "gravity: [");
    srs_save_numbers(save, file->gravity, 3, ", ", ".inf");
    srs_save_add(save, "]\n");
  }
  if (file->has_step) {
    srs_save_add(save, "dt: ");
    srs_save_numbers(save, &file->step, 1, "", ".inf");
    srs_save_add(save, "\n");
  }
  if (file->has_integrator) srs_save_print(save, "integrator: %s\n", integrators[file->integrator]);
}

static void add_unless(srs_save *save, const char *key, double value, double plain)
{
  if (value != plain) srs_scene_numbers(save, key, &value, 1);
}

static void add_actuators(srs_save *save, const srs_file_settings *file)
{
  for (int i = 0, n = 0; i < file->n_actuators; i++) {
    const srs_file_actuator *a = &file->actuators[i];
    begin(save, "actuators", &n);
    srs_save_add(save, "  - {");
    srs_scene_text(save, a->is_of_closure ? "closure" : "coordinate", a->coordinate);
    add_unless(save, "gear", a->gear, 1);
    add_unless(save, "torque", a->torque, 0);
    if (a->kp > 0) {
      srs_scene_numbers(save, "position", &a->position, 1);
      srs_scene_numbers(save, "kp", &a->kp, 1);
    }
    if (a->kd > 0) {
      srs_scene_numbers(save, "velocity", &a->velocity, 1);
      srs_scene_numbers(save, "kd", &a->kd, 1);
    }
    srs_save_add(save, "}\n");
  }
  for (int i = 0, n = 0; i < file->n_wrenches; i++) {
    begin(save, "wrenches", &n);
    srs_save_add(save, "  - {");
    srs_scene_text(save, "frame", file->wrenches[i].frame);
    srs_scene_numbers(save, "force", file->wrenches[i].wrench + 3, 3);
    srs_scene_numbers(save, "torque", file->wrenches[i].wrench, 3);
    srs_save_add(save, "}\n");
  }
}

static void add_sensors(srs_save *save, const srs_file_settings *file)
{
  for (int i = 0, n = 0; i < file->n_sensors; i++) {
    const srs_file_sensor *s = &file->sensors[i];
    begin(save, "sensors", &n);
    srs_save_add(save, "  - {");
    srs_scene_text(save, "name", s->name);
    srs_scene_text(save, "kind", s->kind);
    if (s->coordinate[0] != '\0') srs_scene_text(save, "coordinate", s->coordinate);
    if (s->frame[0] != '\0') srs_scene_text(save, "frame", s->frame);
    if (s->other[0] != '\0') srs_scene_text(save, "other", s->other);
    if (s->is_in_world) srs_scene_text(save, "axes", "world");
    add_unless(save, "range", s->range, 0);
    srs_save_add(save, "}\n");
  }
}

static void add_velocities(srs_save *save, const srs_file_settings *file)
{
  for (int i = 0; i < file->n_velocities; i++) {
    const srs_file_velocity *velocity = &file->velocities[i];
    srs_save_add(save, i == 0 ? "initial:\n  v: {" : ", ");
    srs_scene_word(save, velocity->joint);
    srs_save_add(save, velocity->nv > 1 ? ": [" : ": ");
    srs_save_numbers(save, velocity->v, velocity->nv, ", ", ".inf");
    srs_save_add(save, velocity->nv > 1 ? "]" : "");
  }
  if (file->n_velocities > 0) srs_save_add(save, "}\n");
}

static srs_file_grip own_grip(const srs_file_material *m)
{
  return (srs_file_grip){srs_file_own_friction(m), srs_file_own_torsional(m), srs_file_own_rolling(m)};
}

static double torsional_length(const srs_file_grip *g) { return srs_file_torque_length(g->friction, g->torsional); }
static double rolling_length(const srs_file_grip *g) { return srs_file_torque_length(g->friction, g->rolling); }

static void add_materials(srs_save *save, const srs_file_settings *file)
{
  for (int i = 0; i < file->n_materials; i++) {
    const srs_file_material *m = &file->materials[i];
    const srs_file_grip grip = own_grip(m);
    if (i == 0) srs_save_add(save, "contact:\n  friction_rule: larger\n  materials:\n");
    srs_save_add(save, "    - {");
    srs_scene_text(save, "name", m->name);
    srs_scene_numbers(save, "friction", &grip.friction, 1);
    add_unless(save, "torsional", torsional_length(&grip), 0);
    add_unless(save, "rolling", rolling_length(&grip), 0);
    srs_save_add(save, "}\n");
  }
}

static void add_friction(srs_save *save, const char *a, const char *b, const srs_file_grip *grip, int *n)
{
  const double torsional = torsional_length(grip), rolling = rolling_length(grip);
  if ((*n)++ == 0) srs_save_add(save, save->file->n_materials > 0 ? "  pairs:\n" : "contact:\n  pairs:\n");
  srs_save_add(save, "    - {between: [");
  srs_scene_word(save, a);
  srs_save_add(save, ", ");
  srs_scene_word(save, b);
  srs_save_add(save, "]");
  srs_scene_numbers(save, "friction", &grip->friction, 1);
  srs_scene_numbers(save, "torsional", &torsional, 1);
  srs_scene_numbers(save, "rolling", &rolling, 1);
  srs_save_add(save, "}\n");
}

// Two materials are a pair where the scene's rule, the larger of each number, is not the file's.
static void add_contact(srs_save *save, const srs_file_settings *file)
{
  int n = 0;
  add_materials(save, file);
  for (int i = 0; i < file->n_materials; i++)
    for (int j = i + 1; j < file->n_materials; j++) {
      const srs_file_material *a = &file->materials[i], *b = &file->materials[j];
      const srs_file_grip one = own_grip(a), other = own_grip(b);
      srs_file_grip grip;
      if (!srs_file_friction(a, b, &grip)) continue;
      if (grip.friction != fmax(one.friction, other.friction) ||
          torsional_length(&grip) != fmax(torsional_length(&one), torsional_length(&other)) ||
          rolling_length(&grip) != fmax(rolling_length(&one), rolling_length(&other)))
        add_friction(save, a->name, b->name, &grip, &n);
    }
  for (int i = 0; i < file->n_pairs; i++) {
    const srs_file_pair *pair = &file->pairs[i];
    if (pair->has_friction) add_friction(save, pair->a, pair->b, &pair->grip, &n);
  }
}

// One pair of a list under `collision`; n, m: how many stand there, in all and in the list.
static void add_pair(srs_save *save, const char *key, const char *one, const char *other, int *n, int *m)
{
  begin(save, "collision", n);
  if ((*m)++ == 0) srs_save_print(save, "  %s:\n", key);
  srs_save_add(save, "    - [");
  srs_scene_word(save, one);
  srs_save_add(save, ", ");
  srs_scene_word(save, other);
  srs_save_add(save, "]\n");
}

static void add_collision(srs_save *save, const srs_file_settings *file)
{
  const srs_frame *frames = save->model->frames;
  int n = 0, n_excluded = 0, n_included = 0;
  for (int i = 0, a = 0, b = 0; srs_model_excluded(save->model, i, &a, &b); i++)
    add_pair(save, "exclude", frames[a].name, frames[b].name, &n, &n_excluded);
  for (int i = 0; i < file->n_pairs; i++)
    if (!file->pairs[i].touches) add_pair(save, "exclude", file->pairs[i].a, file->pairs[i].b, &n, &n_excluded);
  for (int i = 0; i < file->n_pairs; i++)
    if (file->pairs[i].touches) add_pair(save, "include", file->pairs[i].a, file->pairs[i].b, &n, &n_included);
}

void srs_save_settings(srs_save *save)
{
  const srs_file_settings *file = save->file;
  if (!save->options->model_only) {
    add_options(save, file);
    add_actuators(save, file);
    add_velocities(save, file);
  }
  add_sensors(save, file);
  add_contact(save, file);
  add_collision(save, file);
}
