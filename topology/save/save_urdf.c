// Writes a model as URDF: links with inertias and shapes, joints with limits, dynamics and mimic.
//
// What reads back as the same model to the bit: a tree with one root, welded to the world at its origin (or on a free
// joint, read with a floating base), of joints that URDF has, with box, sphere, cylinder, capsule and mesh shapes.
// Everything else is noted, one line for each kind of thing. Joints to the world other than the root's hang on a link
// `world` that is added; added frames become links without mass on fixed joints.
#include "topology/save/save_urdf.h"
#include "topology/base/names.h"
#include "topology/model/joint_kind.h"
#include "topology/model/model.h"
#include "topology/model/shape_kind.h"
#include "topology/save/save_rotation.h"

#include <math.h>
#include <string.h>

enum { MOST_KINDS = 24 };

// What cannot be said, one line a kind: the first name and how many.
typedef struct tally {
  const char *what, *first;
  int count;
} tally;

typedef struct writer {
  srs_save *save;
  const srs_builder *source;
  int root_joint; // of the source: the joint to the world that a reader makes again; -1: there is a link for the world
  const char *world; // the name of that link, NULL for none
  char world_name[32];
  tally tallies[MOST_KINDS];
  int n_tallies;
} writer;

static void cannot(writer *w, const char *what, const char *name)
{
  int i = 0;
  while (i < w->n_tallies && strcmp(w->tallies[i].what, what) != 0) i++;
  if (i == MOST_KINDS) return;
  if (i == w->n_tallies) w->tallies[w->n_tallies++] = (tally){what, name != NULL ? name : "", 0};
  w->tallies[i].count++;
}

static void tell(const writer *w)
{
  for (int i = 0; i < w->n_tallies; i++) {
    const tally *t = &w->tallies[i];
    if (t->count == 1)
      srs_save_note(w->save, "'%s': %s", t->first, t->what);
    else
      srs_save_note(w->save, "'%s' and %d more: %s", t->first, t->count - 1, t->what);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Pieces of text
// ---------------------------------------------------------------------------------------------------------------------

static void add_escaped(srs_save *save, const char *text)
{
  char one[2] = "";
  for (; *text != '\0'; text++) {
    one[0] = *text;
    srs_save_add(save, *text == '&'   ? "&amp;"
                       : *text == '<' ? "&lt;"
                       : *text == '>' ? "&gt;"
                       : *text == '"' ? "&quot;"
                                      : one);
  }
}

static void add_attribute(srs_save *save, const char *name, const char *value)
{
  srs_save_print(save, " %s=\"", name);
  add_escaped(save, value);
  srs_save_add(save, "\"");
}

static void add_numbers(srs_save *save, const char *name, const double *values, int n)
{
  srs_save_print(save, " %s=\"", name);
  srs_save_numbers(save, values, n, " ", "inf");
  srs_save_add(save, "\"");
}

// <origin>, left out where it is the identity.
static void add_origin(writer *w, const char *indent, const double position[3], const double rotation[9],
                       const char *name)
{
  double rpy[3];
  static const double zero[3] = {0, 0, 0};
  const bool is_turned = !srs_is_identity_rotation(rotation), is_moved = !srs_are_same(position, zero, 3);
  if (!is_turned && !is_moved) return;
  if (is_turned && !srs_save_rpy(rotation, rpy))
    cannot(w, "no roll, pitch and yaw give its rotation to the bit; written to rounding", name);
  srs_save_print(w->save, "%s<origin", indent);
  if (is_moved) add_numbers(w->save, "xyz", position, 3);
  if (is_turned) add_numbers(w->save, "rpy", rpy, 3);
  srs_save_add(w->save, "/>\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------------------------

static void add_inertial(writer *w, const srs_link_def *def)
{
  static const char *const entries[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  if (def->mass == 0 && srs_all_are(def->com, 3, 0) && srs_all_are(def->inertia, 6, 0) &&
      srs_is_identity_rotation(def->inertia_rotation))
    return;
  srs_save_add(w->save, "    <inertial>\n");
  add_origin(w, "      ", def->com, def->inertia_rotation, def->name);
  srs_save_add(w->save, "      <mass");
  add_numbers(w->save, "value", &def->mass, 1);
  srs_save_add(w->save, "/>\n      <inertia");
  for (int i = 0; i < 6; i++) add_numbers(w->save, entries[i], &def->inertia[i], 1);
  srs_save_add(w->save, "/>\n    </inertial>\n");
}

// What is made of a mesh is read from that mesh again.
static bool is_mesh(const srs_shape_def *def)
{
  return def->kind == SRS_SHAPE_MESH || (srs_shape_table[def->kind].may_be_of_file && def->file != NULL);
}

// Whether fixed joints alone lead from the world to a link.
static bool stands_still(const writer *w, const char *link)
{
  for (int i = 0; i < w->source->n_joints; i++) {
    const srs_joint_def *joint = &w->source->joints[i].def;
    if (strcmp(joint->child, link) != 0) continue;
    if (joint->kind != SRS_JOINT_FIXED || joint->parent == NULL) return joint->kind == SRS_JOINT_FIXED;
    link = joint->parent;
    i = -1;
  }
  return false;
}

// How a mesh collides, where a reader would not do so by itself; NULL where it would.
static const char *way_of_mesh(const writer *w, const srs_shape_def *def)
{
  if (def->kind == SRS_SHAPE_SURFACE) return "surface";
  if (def->kind != SRS_SHAPE_HULL) return NULL;
  return def->part > 0 ? "parts" : stands_still(w, def->link) ? "hull" : NULL;
}

// What URDF has no words for, in a tag of our own.
static void add_extension(writer *w, const srs_shape_def *def)
{
  const double group = def->group, mask = def->mask;
  const char *way = is_mesh(def) && def->link != NULL ? way_of_mesh(w, def) : NULL;
  if (way == NULL && def->group == 1 && def->mask == ~0U && def->material == NULL) return;
  srs_save_add(w->save, "      <sarrus");
  if (way != NULL) add_attribute(w->save, "collide", way);
  if (def->group != 1) add_numbers(w->save, "group", &group, 1);
  if (def->mask != ~0U) add_numbers(w->save, "mask", &mask, 1);
  if (def->material != NULL) add_attribute(w->save, "material", def->material);
  srs_save_add(w->save, "/>\n");
}

static bool can_say_shape(const srs_shape_def *def)
{
  return def->kind == SRS_SHAPE_BOX || def->kind == SRS_SHAPE_SPHERE || def->kind == SRS_SHAPE_CYLINDER ||
         def->kind == SRS_SHAPE_CAPSULE || is_mesh(def);
}

static void add_solid(const writer *w, const srs_shape_def *def)
{
  static const char *const round[] = {[SRS_SHAPE_CYLINDER] = "cylinder", [SRS_SHAPE_CAPSULE] = "capsule"};
  srs_save *save = w->save;
  srs_save_add(save, "      <geometry>");
  if (def->kind == SRS_SHAPE_BOX) {
    srs_save_add(save, "<box");
    add_numbers(save, "size", def->size, 3);
  } else if (is_mesh(def)) {
    srs_save_add(save, "<mesh");
    add_attribute(save, "filename", srs_save_file_name(save, def->file));
    if (!srs_all_are(def->size, 3, 1)) add_numbers(save, "scale", def->size, 3);
  } else {
    srs_save_print(save, "<%s", def->kind == SRS_SHAPE_SPHERE ? "sphere" : round[def->kind]);
    add_numbers(save, "radius", &def->size[0], 1);
    if (def->kind != SRS_SHAPE_SPHERE) add_numbers(save, "length", &def->size[1], 1);
  }
  srs_save_add(save, "/></geometry>\n");
}

static void add_shape(writer *w, const srs_shape_def *def)
{
  const char *label = def->name != NULL ? def->name : def->link != NULL ? def->link : "world";
  if (!can_say_shape(def)) {
    cannot(w, "URDF has no shape of this kind; left out", label);
    return;
  }
  if (is_mesh(def) && strstr(def->file, "://") == NULL && def->file[0] != '/')
    cannot(w, "the mesh was not found; its name is written as it stands", def->file);
  if (def->part > 1) return; // the first one stands for all
  const bool has_words = def->material != NULL || def->group != 1 || def->mask != ~0U;
  if (has_words)
    cannot(w,
           def->is_visual ? "URDF has no material of contact, group and mask of a shape that is only drawn; left out"
                          : "material of contact, group and mask of a shape are in <sarrus>, which other programs pass "
                            "over",
           label);
  const char *element = def->is_visual ? "visual" : "collision";
  srs_save_print(w->save, "    <%s", element);
  if (def->name != NULL && def->name[0] != '\0') add_attribute(w->save, "name", def->name);
  srs_save_add(w->save, ">\n");
  add_origin(w, "      ", def->pose.position, def->pose.rotation, label);
  add_solid(w, def);
  if (!def->is_visual) add_extension(w, def);
  srs_save_print(w->save, "    </%s>\n", element);
}

static bool is_same_link(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

// def NULL: the link for the world. from: the shapes of link i, one after the other.
static void add_link(writer *w, const srs_link_def *def)
{
  const srs_builder *source = w->source;
  srs_save_add(w->save, "  <link");
  add_attribute(w->save, "name", def != NULL ? def->name : w->world);
  srs_save_add(w->save, ">\n");
  if (def != NULL) add_inertial(w, def);
  for (int i = 0; i < source->n_shapes; i++) {
    const srs_shape_def *shape = &source->shapes[i].def;
    if (is_same_link(shape->link, def != NULL ? def->name : NULL)) add_shape(w, shape);
  }
  srs_save_add(w->save, "  </link>\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints
// ---------------------------------------------------------------------------------------------------------------------

static const char *type_of(srs_joint_kind kind)
{
  static const char *const types[SRS_JOINT_KINDS] = {
      [SRS_JOINT_FIXED] = "fixed",         [SRS_JOINT_REVOLUTE] = "revolute", [SRS_JOINT_CONTINUOUS] = "continuous",
      [SRS_JOINT_PRISMATIC] = "prismatic", [SRS_JOINT_PLANAR] = "planar",     [SRS_JOINT_FREE] = "floating"};
  return types[kind];
}

static void add_limit(writer *w, const srs_joint_def *def)
{
  const bool has_range = isfinite(def->lower[0]) || isfinite(def->upper[0]);
  const bool has_most = isfinite(def->max_effort[0]) || isfinite(def->max_velocity[0]);
  if (!has_range && !has_most) return;
  srs_save_add(w->save, "    <limit");
  if (def->kind != SRS_JOINT_CONTINUOUS) {
    if (!has_range || isinf(def->lower[0]) || isinf(def->upper[0]))
      cannot(w, "a joint is without limit on one side or both; written as inf, which other programs may refuse",
             def->name);
    add_numbers(w->save, "lower", &def->lower[0], 1);
    add_numbers(w->save, "upper", &def->upper[0], 1);
  }
  const double effort = isfinite(def->max_effort[0]) ? def->max_effort[0] : 0; // 0: not given
  const double velocity = isfinite(def->max_velocity[0]) ? def->max_velocity[0] : 0;
  if (def->max_effort[0] == 0 || def->max_velocity[0] == 0)
    cannot(w, "an effort or velocity limit of 0 means none in a URDF", def->name);
  add_numbers(w->save, "effort", &effort, 1);
  add_numbers(w->save, "velocity", &velocity, 1);
  srs_save_add(w->save, "/>\n");
}

static void add_dynamics(writer *w, const srs_joint_def *def)
{
  if (def->damping[0] == 0 && def->friction[0] == 0) return;
  srs_save_add(w->save, "    <dynamics");
  if (def->damping[0] != 0) add_numbers(w->save, "damping", &def->damping[0], 1);
  if (def->friction[0] != 0) add_numbers(w->save, "friction", &def->friction[0], 1);
  srs_save_add(w->save, "/>\n");
}

// Of joints with one coordinate, what URDF has no words for, in a tag of our own.
static void add_joint_extension(writer *w, const srs_joint_def *def)
{
  if (def->armature[0] == 0 && def->stiffness[0] == 0 && def->reference[0] == 0) return;
  srs_save_add(w->save, "    <sarrus");
  if (def->armature[0] != 0) add_numbers(w->save, "armature", def->armature, 1);
  if (def->stiffness[0] != 0) add_numbers(w->save, "stiffness", def->stiffness, 1);
  if (def->reference[0] != 0) add_numbers(w->save, "reference", def->reference, 1);
  srs_save_add(w->save, "/>\n");
  cannot(w, "armature and spring of a joint are in <sarrus>, which other programs pass over", def->name);
}

static void note_joint(writer *w, const srs_builder_joint *joint)
{
  const srs_joint_def *def = &joint->def;
  const int nv = srs_joint_kind_nv(def->kind), nq = srs_joint_kind_nq(def->kind);
  const srs_joint_def plain = srs_default_joint_def(def->kind);
  const bool is_single = nv == 1, has_range = nq == nv && !is_single;
  if (!is_single && !srs_all_are(def->armature, nv, 0))
    cannot(w, "URDF has no armature of a joint of several coordinates; left out", def->name);
  if (!is_single && (!srs_all_are(def->stiffness, nv, 0) || !srs_are_same(def->reference, plain.reference, nq)))
    cannot(w, "URDF has no spring at a joint of several coordinates; left out", def->name);
  if (!srs_are_same(joint->neutral, plain.reference, nq)) // zero, quaternion 1 0 0 0, both
    cannot(w, "URDF does not say where a joint starts; left out", def->name);
  if (!is_single && (!srs_all_are(def->damping, nv, 0) || !srs_all_are(def->friction, nv, 0)))
    cannot(w, "URDF has no damping and friction of a joint of several coordinates; left out", def->name);
  const bool has_most = !srs_all_are(def->max_effort, nv, INFINITY) || !srs_all_are(def->max_velocity, nv, INFINITY);
  const bool has_limits =
      has_range && (!srs_all_are(def->lower, nv, -INFINITY) || !srs_all_are(def->upper, nv, INFINITY));
  if (!is_single && (has_most || has_limits))
    cannot(w, "URDF has no limits of a joint of several coordinates; left out", def->name);
}

// The mimic of a joint: the coupling that it follows, where URDF can say it.
static bool is_mimic(const writer *w, const srs_coupling_def *def)
{
  if (def->leader == NULL || def->motion.kind != SRS_MOTION_NONE || !srs_all_are(def->coefficients + 2, 3, 0))
    return false;
  int found = 0;
  for (int i = 0; i < w->source->n_joints; i++) {
    const srs_joint_def *joint = &w->source->joints[i].def;
    if (joint->name == NULL || srs_joint_kind_nv(joint->kind) != 1) continue;
    found += strcmp(joint->name, def->follower) == 0 || strcmp(joint->name, def->leader) == 0;
  }
  return found == 2;
}

static void add_mimic(writer *w, const char *name)
{
  for (int i = 0; i < w->source->n_couplings; i++) {
    const srs_coupling_def *def = &w->source->couplings[i].def;
    if (strcmp(def->follower, name) != 0 || !is_mimic(w, def)) continue;
    srs_save_add(w->save, "    <mimic");
    add_attribute(w->save, "joint", def->leader);
    if (def->coefficients[1] != 1) add_numbers(w->save, "multiplier", &def->coefficients[1], 1);
    if (def->coefficients[0] != 0) add_numbers(w->save, "offset", &def->coefficients[0], 1);
    srs_save_add(w->save, "/>\n");
    if (def->name != NULL && strcmp(def->name, name) != 0)
      cannot(w, "a mimic has no name of its own; it becomes the joint's", def->name);
  }
}

static void add_ends(writer *w, const char *parent, const char *child)
{
  srs_save_add(w->save, "    <parent");
  add_attribute(w->save, "link", parent != NULL ? parent : w->world);
  srs_save_add(w->save, "/>\n    <child");
  add_attribute(w->save, "link", child);
  srs_save_add(w->save, "/>\n");
}

static srs_status add_joint(writer *w, const srs_builder_joint *joint)
{
  const srs_joint_def *def = &joint->def;
  const char *type = type_of(def->kind), *name = def->name != NULL ? def->name : def->child;
  if (type == NULL)
    return srs_fail(w->save->error, SRS_ERROR_UNSUPPORTED, w->save->path, 0, 0, name,
                    "joint '%.100s' is %s, which URDF does not have; write a scene (.yaml) instead", name,
                    srs_joint_kind_name(def->kind));
  if (def->name == NULL) cannot(w, "a fixed joint has no name; it gets that of its link", name);
  srs_save_add(w->save, "  <joint");
  add_attribute(w->save, "name", name);
  add_attribute(w->save, "type", type);
  srs_save_add(w->save, ">\n");
  add_origin(w, "    ", def->origin.position, def->origin.rotation, name);
  add_ends(w, def->parent, def->child);
  if (srs_joint_kind_has_axis(def->kind)) {
    srs_save_add(w->save, "    <axis");
    add_numbers(w->save, "xyz", def->axis, 3);
    srs_save_add(w->save, "/>\n");
  }
  note_joint(w, joint);
  if (srs_joint_kind_nv(def->kind) == 1) {
    add_limit(w, def);
    add_dynamics(w, def);
    add_mimic(w, name);
    add_joint_extension(w, def);
  }
  srs_save_add(w->save, "  </joint>\n");
  return SRS_OK;
}

static void add_frame(writer *w, const srs_builder_frame *frame)
{
  if (frame->link == NULL && w->world == NULL) {
    cannot(w, "URDF has no frames on the world; left out", frame->name);
    return;
  }
  cannot(w, "URDF has no frames; written as a link without mass on a fixed joint", frame->name);
  srs_save_add(w->save, "  <link");
  add_attribute(w->save, "name", frame->name);
  srs_save_add(w->save, "/>\n  <joint");
  add_attribute(w->save, "name", frame->name);
  srs_save_add(w->save, " type=\"fixed\">\n");
  add_origin(w, "    ", frame->pose.position, frame->pose.rotation, frame->name);
  add_ends(w, frame->link, frame->name);
  srs_save_add(w->save, "  </joint>\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

static bool is_name_taken(const srs_builder *source, const char *name)
{
  bool taken = false;
  for (int i = 0; i < source->n_links; i++) taken = taken || strcmp(source->links[i].def.name, name) == 0;
  for (int i = 0; i < source->n_frames; i++) taken = taken || strcmp(source->frames[i].name, name) == 0;
  return taken;
}

// One root, welded without a name or free, is what a reader makes of a URDF; else there is a link for the world.
static void find_root(writer *w)
{
  const srs_builder *source = w->source;
  int n = 0, at = -1;
  for (int i = 0; i < source->n_joints; i++)
    if (source->joints[i].def.parent == NULL) n++, at = i;
  const srs_joint_def *def = &source->joints[at].def;
  const bool is_free = n == 1 && def->kind == SRS_JOINT_FREE && strncmp(def->name, "root", 4) == 0;
  const bool is_welded = n == 1 && def->kind == SRS_JOINT_FIXED && def->name == NULL;
  w->root_joint = is_free || is_welded ? at : -1;
  if (is_free) cannot(w, "the base floats: a URDF does not say so, read it with a floating base", def->child);
  if (is_free) note_joint(w, &source->joints[at]);
  if (w->root_joint >= 0 && !srs_is_identity(&def->origin))
    cannot(w, "a URDF does not say where its base is; left out", def->child);
  if (w->root_joint >= 0) return;
  srs_print(w->world_name, sizeof w->world_name, "world");
  for (int i = 1; is_name_taken(source, w->world_name); i++)
    srs_print(w->world_name, sizeof w->world_name, "world_%d", i);
  w->world = w->world_name;
  cannot(w, "a link that stands for the world is added, since joints hang on it", w->world);
}

// A reader lists shapes link by link.
static bool find_order_of_shapes(writer *w)
{
  srs_names links = {0};
  bool is_held = true;
  for (int i = 0; i < w->source->n_links && is_held; i++) {
    is_held = srs_names_reserve(&links);
    if (is_held) srs_names_add(&links, w->source->links[i].def.name, i);
  }
  int last = -1;
  for (int i = 0; i < w->source->n_shapes && is_held; i++) {
    const srs_shape_def *def = &w->source->shapes[i].def;
    if (def->link == NULL && w->world == NULL)
      cannot(w, "URDF has no shapes on the world; left out", def->name != NULL ? def->name : "world");
    if (!can_say_shape(def) || (def->link == NULL && w->world == NULL)) continue;
    const int link = def->link != NULL ? srs_names_find(&links, def->link) : -1;
    if (link < last)
      cannot(w, "written link by link, shapes change their order",
             def->name != NULL   ? def->name
             : def->link != NULL ? def->link
                                 : "world");
    last = link > last ? link : last;
  }
  srs_names_release(&links);
  return is_held;
}

static void note_loops(writer *w)
{
  const srs_model *model = w->save->model;
  for (int i = 0, a = 0, b = 0; srs_model_excluded(model, i, &a, &b); i++)
    cannot(w, "URDF has no pairs of links that do not collide, an SRDF file has; left out", model->frames[a].name);
  for (int i = 0; i < w->source->n_closures; i++)
    cannot(w, "URDF has no loop closures; left out", w->source->closures[i].def.name);
  for (int i = 0; i < w->source->n_couplings; i++) {
    const srs_coupling_def *def = &w->source->couplings[i].def;
    if (!is_mimic(w, def)) cannot(w, "URDF has no such coupling of coordinates; left out", def->follower);
  }
}

// What is between the last slash and the last point of the path.
static void add_robot_name(srs_save *save)
{
  const char *slash = strrchr(save->path, '/'), *name = slash != NULL ? slash + 1 : save->path;
  char stem[256];
  srs_print(stem, sizeof stem, "%s", name);
  char *point = strrchr(stem, '.');
  if (point != NULL) *point = '\0';
  add_attribute(save, "name", stem[0] != '\0' ? stem : "robot");
}

srs_status srs_save_urdf(srs_save *save)
{
  writer w = {.save = save, .source = save->source};
  const srs_builder *source = save->source;
  if (source->n_links == 0)
    return srs_fail(save->error, SRS_ERROR_UNSUPPORTED, save->path, 0, 0, NULL,
                    "the model has no links, and a URDF needs one; write a scene (.yaml) instead");
  find_root(&w);
  if (!find_order_of_shapes(&w)) save->failed = true;
  srs_save_add(save, "<?xml version=\"1.0\"?>\n<robot");
  add_robot_name(save);
  srs_save_add(save, ">\n");
  if (w.world != NULL) add_link(&w, NULL);
  for (int i = 0; i < source->n_links; i++) add_link(&w, &source->links[i].def);
  srs_status status = SRS_OK;
  for (int i = 0; i < source->n_joints && status == SRS_OK; i++)
    if (i != w.root_joint) status = add_joint(&w, &source->joints[i]);
  for (int i = 0; i < source->n_frames && status == SRS_OK; i++) add_frame(&w, &source->frames[i]);
  srs_save_add(save, "</robot>\n");
  if (status != SRS_OK) return status;
  note_loops(&w);
  tell(&w);
  return SRS_OK;
}
