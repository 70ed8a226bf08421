// Writes a model as a scene of one model in place, with the shapes at its end that stand on the world as environment.
//
// Every definition is an entry of a list, in its order, so that what reads back is the same model to the bit. A root
// that is welded to the world at its origin needs no entry; any other joint to the world is written out.
#include "topology/save/save_scene.h"
#include "topology/model/joint_kind.h"
#include "topology/model/model.h"
#include "topology/save/save_settings.h"
#include "topology/save/save_shape.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Links, frames
// ---------------------------------------------------------------------------------------------------------------------

static void add_link(srs_save *save, const srs_builder_link *link, int *n)
{
  const srs_link_def *def = &link->def;
  srs_scene_entry(save, "    ", "links", n);
  srs_scene_text(save, "name", def->name);
  if (def->mass != 0) srs_scene_numbers(save, "mass", &def->mass, 1);
  if (!srs_all_are(def->com, 3, 0)) srs_scene_numbers(save, "com", def->com, 3);
  if (!srs_all_are(def->inertia, 6, 0))
    srs_scene_numbers(save, "inertia", def->inertia, srs_all_are(def->inertia + 3, 3, 0) ? 3 : 6);
  srs_scene_rotation(save, "inertia_rotation", def->inertia_rotation);
  if (link->is_carriage) srs_save_add(save, ", carriage: true");
  if (link->meets_neighbour) srs_save_add(save, ", meets_parent: true");
  srs_save_add(save, "}\n");
}

static void add_frame(srs_save *save, const srs_builder_frame *frame, int *n)
{
  srs_scene_entry(save, "    ", "frames", n);
  srs_scene_text(save, "name", frame->name);
  srs_scene_text(save, "link", frame->link);
  srs_scene_pose_key(save, "pose", &frame->pose);
  srs_save_add(save, "}\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints
// ---------------------------------------------------------------------------------------------------------------------

static void add_values(srs_save *save, const char *key, const double *values, int n, double plain)
{
  if (!srs_all_are(values, n, plain)) srs_scene_numbers(save, key, values, n);
}

static void add_axes(srs_save *save, const srs_joint_def *def)
{
  const bool has_cone = isfinite(def->max_swing) || isfinite(def->min_twist) || isfinite(def->max_twist);
  if (srs_joint_kind_has_axis(def->kind) || has_cone) srs_scene_numbers(save, "axis", def->axis, 3);
  if (def->kind == SRS_JOINT_UNIVERSAL) srs_scene_numbers(save, "axis2", def->axis2, 3);
  if (def->kind == SRS_JOINT_HELICAL) srs_scene_numbers(save, "pitch", &def->pitch, 1);
  add_values(save, "max_swing", &def->max_swing, 1, INFINITY);
  add_values(save, "min_twist", &def->min_twist, 1, -INFINITY);
  add_values(save, "max_twist", &def->max_twist, 1, INFINITY);
}

static void add_joint(srs_save *save, const srs_builder_joint *joint, int *n)
{
  const srs_joint_def *def = &joint->def, plain = srs_default_joint_def(def->kind);
  const int nv = srs_joint_kind_nv(def->kind), nq = srs_joint_kind_nq(def->kind);
  srs_scene_entry(save, "    ", "joints", n);
  srs_scene_text(save, "name", def->name);
  srs_scene_text(save, "kind", srs_joint_kind_name(def->kind));
  srs_scene_text(save, "parent", def->parent);
  srs_scene_text(save, "child", def->child);
  srs_scene_pose_key(save, "origin", &def->origin);
  add_axes(save, def);
  add_values(save, "armature", def->armature, nv, 0);
  add_values(save, "damping", def->damping, nv, 0);
  add_values(save, "stiffness", def->stiffness, nv, 0);
  if (!srs_are_same(def->reference, plain.reference, nq)) srs_scene_numbers(save, "reference", def->reference, nq);
  add_values(save, "friction", def->friction, nv, 0);
  if (nq == nv && def->kind != SRS_JOINT_CONTINUOUS) {
    add_values(save, "lower", def->lower, nv, -INFINITY);
    add_values(save, "upper", def->upper, nv, INFINITY);
  }
  add_values(save, "max_effort", def->max_effort, nv, INFINITY);
  add_values(save, "max_velocity", def->max_velocity, nv, INFINITY);
  if (!srs_are_same(joint->neutral, plain.reference, nq)) srs_scene_numbers(save, "neutral", joint->neutral, nq);
  srs_save_add(save, "}\n");
}

// Whether the joint is what `base: fixed` makes: the last one, nameless, of the one link on the world, at its origin.
static bool is_made_by_base(const srs_builder *source, int joint)
{
  const srs_joint_def *def = &source->joints[joint].def;
  if (joint != source->n_joints - 1 || def->kind != SRS_JOINT_FIXED || def->name != NULL || def->parent != NULL)
    return false;
  return srs_is_identity(&def->origin);
}

// ---------------------------------------------------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------------------------------------------------

static srs_status add_motion(srs_save *save, const srs_motion *motion, const char *name)
{
  switch (motion->kind) {
  case SRS_MOTION_NONE: return SRS_OK;
  case SRS_MOTION_FUNCTION:
    return srs_fail(save->error, SRS_ERROR_UNSUPPORTED, save->path, 0, 0, name,
                    "the motion of '%.100s' is a function of the program, which no file can hold; give it a table",
                    name);
  default: break;
  }
  srs_save_add(save, ", motion: {");
  if (motion->start != 0) srs_scene_numbers(save, "start", &motion->start, 1);
  if (motion->kind == SRS_MOTION_RATE) srs_scene_numbers(save, "rate", &motion->rate, 1);
  if (motion->kind == SRS_MOTION_SINE) {
    srs_save_add(save, motion->start != 0 ? ", sine: {" : "sine: {");
    srs_scene_numbers(save, "amplitude", &motion->amplitude, 1);
    srs_scene_numbers(save, "frequency", &motion->frequency, 1);
    if (motion->phase != 0) srs_scene_numbers(save, "phase", &motion->phase, 1);
    srs_save_add(save, "}");
  }
  if (motion->kind == SRS_MOTION_TABLE) {
    srs_save_add(save, motion->start != 0 ? ", table: [" : "table: [");
    for (int i = 0; i < motion->n_points; i++) {
      const double point[2] = {motion->times[i], motion->values[i]};
      srs_save_add(save, i > 0 ? ", [" : "[");
      srs_save_numbers(save, point, 2, ", ", ".inf");
      srs_save_add(save, "]");
    }
    srs_save_add(save, "]");
  }
  srs_save_add(save, "}");
  return SRS_OK;
}

static void add_loop_joint(srs_save *save, const srs_loop_joint *j)
{
  add_values(save, "lower", &j->lower, 1, -INFINITY);
  add_values(save, "upper", &j->upper, 1, INFINITY);
  add_values(save, "friction", &j->friction, 1, 0);
  add_values(save, "damping", &j->damping, 1, 0);
  add_values(save, "stiffness", &j->stiffness, 1, 0);
  add_values(save, "reference", &j->reference, 1, 0);
  add_values(save, "armature", &j->armature, 1, 0);
  add_values(save, "max_effort", &j->max_effort, 1, INFINITY);
  add_values(save, "max_velocity", &j->max_velocity, 1, INFINITY);
}

static void add_words(srs_save *save, const char *key, const char *const *words, int n)
{
  srs_save_print(save, ", %s: [", key);
  for (int i = 0; i < n; i++) srs_save_print(save, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
  srs_save_add(save, "]");
}

static void add_rows(srs_save *save, unsigned rows)
{
  static const char *const words[6] = {"wx", "wy", "wz", "x", "y", "z"};
  const char *chosen[6];
  int n = 0;
  for (unsigned i = 0; i < 6; i++)
    if ((rows >> i & 1) != 0) chosen[n++] = words[i];
  add_words(save, "rows", chosen, n);
}

static void add_terms(srs_save *save, const char *key, const srs_tendon_term *terms, int n)
{
  if (n > 0) srs_save_print(save, ", %s: [", key);
  for (int i = 0; i < n; i++) {
    srs_save_add(save, i > 0 ? ", {" : "{");
    srs_scene_text(save, "coordinate", terms[i].coordinate);
    srs_scene_numbers(save, "coefficient", &terms[i].coefficient, 1);
    srs_save_add(save, "}");
  }
  if (n > 0) srs_save_add(save, "]");
}

static void add_tendon(srs_save *save, const srs_closure_def *def)
{
  const srs_tendon_def *t = &def->tendon;
  add_terms(save, "terms", t->terms, t->n_terms);
  add_terms(save, "leaders", t->leaders, t->n_leaders);
  if (t->is_held) srs_scene_numbers(save, "held_at", t->polynomial, SRS_COUPLING_TERMS);
  if (!t->is_held) add_loop_joint(save, &def->joint);
  srs_save_add(save, "}\n");
}

static srs_status add_closure(srs_save *save, const srs_closure_def *def, int *n)
{
  const srs_closure_kind kind = def->kind;
  const bool is_driven = kind == SRS_CLOSURE_REVOLUTE || kind == SRS_CLOSURE_PRISMATIC;
  srs_scene_entry(save, "    ", "closures", n);
  srs_scene_text(save, "name", def->name);
  srs_scene_text(save, "kind", srs_closure_kind_name(kind));
  if (kind == SRS_CLOSURE_TENDON) {
    add_tendon(save, def);
    return SRS_OK;
  }
  srs_scene_text(save, "frame_a", def->frame_a);
  srs_scene_pose_key(save, "pose_a", &def->pose_a);
  srs_scene_text(save, "frame_b", def->frame_b);
  srs_scene_pose_key(save, "pose_b", &def->pose_b);
  if (is_driven || kind == SRS_CLOSURE_PLANAR || kind == SRS_CLOSURE_UNIVERSAL)
    srs_scene_numbers(save, "axis", def->axis, 3);
  if (kind == SRS_CLOSURE_UNIVERSAL) srs_scene_numbers(save, "axis2", def->axis2, 3);
  if (kind == SRS_CLOSURE_ROD) srs_scene_numbers(save, "length", &def->length, 1);
  if (kind == SRS_CLOSURE_ROWS) add_rows(save, def->rows);
  if (is_driven) add_loop_joint(save, &def->joint);
  const srs_status status = add_motion(save, &def->motion, def->name);
  if (def->motion.kind != SRS_MOTION_NONE && def->motion_row != 0)
    srs_save_print(save, ", motion_row: %d", def->motion_row);
  if (def->embed) srs_save_add(save, ", embed: true");
  if (def->n_independent > 0) add_words(save, "independent", def->independent, def->n_independent);
  srs_save_add(save, "}\n");
  return status;
}

static srs_status add_coupling(srs_save *save, const srs_coupling_def *def, int *n)
{
  int terms = SRS_COUPLING_TERMS;
  while (terms > 2 && def->coefficients[terms - 1] == 0) terms--;
  srs_scene_entry(save, "    ", "couplings", n);
  srs_scene_text(save, "name", def->name);
  srs_scene_text(save, "follower", def->follower);
  srs_scene_text(save, "leader", def->leader);
  if (terms > 2) srs_scene_numbers(save, "coefficients", def->coefficients, terms);
  if (terms == 2) add_values(save, "ratio", &def->coefficients[1], 1, 1);
  if (terms == 2) add_values(save, "offset", &def->coefficients[0], 1, 0);
  const srs_status status = add_motion(save, &def->motion, def->name != NULL ? def->name : def->follower);
  srs_save_add(save, "}\n");
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

// The first of the shapes at the end that the list `environment` can hold: on the world, each of a name of its own.
static int find_environment(const srs_builder *source)
{
  int first = source->n_shapes;
  while (first > 0) {
    const srs_shape_def *def = &source->shapes[first - 1].def;
    bool fits = def->link == NULL && def->name != NULL && (def->kind != SRS_SHAPE_MESH || def->is_visual);
    for (int i = first; i < source->n_shapes && fits; i++) fits = strcmp(source->shapes[i].def.name, def->name) != 0;
    if (!fits) break;
    first--;
  }
  return first;
}

// How the shapes of the one model that is written may collide with each other: as they do, where its robots agree.
static void add_self_collision(srs_save *save, int n_own_shapes)
{
  static const char *const words[SRS_SELF_COLLISIONS] = {
      [SRS_SELF_COLLISION_AUTO] = "auto", [SRS_SELF_COLLISION_NONE] = "false"};
  srs_self_collision how = SRS_SELF_COLLISION_OWN;
  int robot = 0;
  bool is_one = true, agree = true;
  for (int i = 0; i < n_own_shapes; i++) {
    const srs_builder_shape *shape = &save->source->shapes[i];
    if (shape->def.link == NULL || shape->def.is_visual) continue;
    const srs_self_collision own = shape->robot > 0 ? shape->self_collision : SRS_SELF_COLLISION_ALL;
    is_one = is_one && (how == SRS_SELF_COLLISION_OWN || robot == shape->robot);
    agree = agree && (how == SRS_SELF_COLLISION_OWN || how == own);
    how = own, robot = shape->robot;
  }
  if (!agree || (!is_one && how == SRS_SELF_COLLISION_NONE))
    srs_save_note(save, "robots become one model, whose shapes may all collide: self_collision of each is left out");
  else if (words[how] != NULL)
    srs_save_print(save, "    self_collision: %s\n", words[how]);
}

static void add_tree(srs_save *save, int n_own_shapes)
{
  const srs_builder *source = save->source;
  int n_links = 0, n_joints = 0, n_shapes = 0, n_frames = 0;
  for (int i = 0; i < source->n_links; i++) add_link(save, &source->links[i], &n_links);
  for (int i = 0; i < source->n_joints; i++)
    if (!is_made_by_base(source, i)) add_joint(save, &source->joints[i], &n_joints);
  for (int i = 0; i < n_own_shapes; i++) {
    srs_scene_entry(save, "    ", "shapes", &n_shapes);
    srs_scene_shape(save, &source->shapes[i].def, false);
  }
  for (int i = 0; i < source->n_frames; i++) add_frame(save, &source->frames[i], &n_frames);
  add_self_collision(save, n_own_shapes);
}

srs_status srs_save_scene(srs_save *save)
{
  const srs_builder *source = save->source;
  const int n_own_shapes = find_environment(source);
  int n_closures = 0, n_couplings = 0, n_ground = 0;
  if (source->n_links == 0)
    return srs_fail(save->error, SRS_ERROR_UNSUPPORTED, save->path, 0, 0, NULL,
                    "the model has no links, and a model in a scene needs one");
  srs_save_add(save, "models:\n  -\n");
  add_tree(save, n_own_shapes);
  srs_status status = SRS_OK;
  for (int i = 0; i < source->n_closures && status == SRS_OK; i++)
    status = add_closure(save, &source->closures[i].def, &n_closures);
  for (int i = 0; i < source->n_couplings && status == SRS_OK; i++)
    status = add_coupling(save, &source->couplings[i].def, &n_couplings);
  for (int i = n_own_shapes; i < source->n_shapes; i++) {
    srs_scene_entry(save, "", "environment", &n_ground);
    srs_scene_shape(save, &source->shapes[i].def, true);
  }
  if (save->model->has_impossible_inertia) srs_save_add(save, "allow_impossible_inertia: true\n");
  srs_save_settings(save);
  return status;
}
