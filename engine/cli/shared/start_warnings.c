// What looks like a mistake where a scene starts?
//
//   nothing to meet   a model on a free joint without a shape that may collide with another; a shape of the world that
//   nothing
//                     may touch
//   meshes            that are for collision and do not collide
//   overlap           shapes that may collide and lie more than 1 um inside each other
//   limits            a coordinate that starts outside its position limits; a servo target outside them
//
// A tree floats if its root hangs on a free joint and no closure ties it, over whatever other trees, to the world.
#include "engine/cli/shared/start_warnings.h"
#include "collision/world/collider.h"

#include "engine/cli/shared/shape_overlaps.h"
#include "topology/base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 6 }; // overlaps that a warning names

static void add(srs_start_warnings *found, const char *text)
{
  if (text != NULL) found->texts[found->n++] = text;
}

static const char *unit_of(bool is_angle) { return is_angle ? "rad" : "m"; }

static bool is_angle(const srs_model *model, int v_index)
{
  return strncmp(srs_model_v_unit(model, v_index), "rad", 3) == 0;
}

static const char *number(srs_arena *memory, double value)
{
  char text[32];
  srs_format_number(value, text);
  return srs_arena_copy(memory, text);
}

// ---------------------------------------------------------------------------------------------------------------------
// Nothing to meet
// ---------------------------------------------------------------------------------------------------------------------

static int root_of(const srs_model *model, int link)
{
  while (link >= 0 && srs_model_link(model, link)->parent >= 0) link = srs_model_link(model, link)->parent;
  return link;
}

static int link_of_shape(const srs_model *model, int shape)
{
  const int frame = srs_model_shape(model, shape)->frame;
  return frame >= 0 ? srs_model_frame(model, frame)->link : -1;
}

// For each link that is a root: whether its tree floats.
static void find_floating(const srs_model *model, bool *floats)
{
  for (int k = 0; k < srs_model_n_links(model); k++)
    floats[k] = srs_model_link(model, k)->parent < 0 && srs_model_joint(model, k)->kind == SRS_JOINT_FREE;
  for (bool changes = true; changes;) {
    changes = false;
    for (int i = 0; i < srs_model_n_closures(model); i++) {
      const srs_closure *closure = srs_model_closure(model, i);
      const int a = root_of(model, closure->link[0]), b = root_of(model, closure->link[1]);
      const bool a_floats = a >= 0 && floats[a], b_floats = b >= 0 && floats[b];
      if (a_floats == b_floats) continue;
      floats[a_floats ? a : b] = false;
      changes = true;
    }
  }
}

// A floating body without shapes is worth a warning if the scene has shapes that it could be meant to meet.
static void warn_of_untouchable_models(const srs_model *model, const bool *floats, const bool *meets, bool has_gravity,
                                       srs_start_warnings *found)
{
  const int n_links = srs_model_n_links(model), n_shapes = srs_model_n_shapes(model);
  const char **names = srs_arena_take(&found->memory, (size_t)n_links, sizeof *names);
  int n = 0;
  for (int k = 0; k < n_links && names != NULL; k++) {
    if (!floats[k]) continue;
    int n_own = 0;
    bool may_meet = false;
    for (int s = 0; s < n_shapes; s++) {
      if (root_of(model, link_of_shape(model, s)) != k) continue;
      n_own++;
      may_meet = may_meet || meets[s];
    }
    if (!may_meet && (n_own < n_shapes || (n_own > 0 && has_gravity))) names[n++] = srs_model_link(model, k)->name;
  }
  if (n == 0) return;
  char list[512];
  srs_names_join(names, n, list, sizeof list);
  add(found,
      srs_arena_print(&found->memory,
                      "no shape of the floating model%s with the root link%s %s may collide with anything, so nothing "
                      "stops %s: give %s shapes that collide, or look at group, mask and 'collision'",
                      n == 1 ? "" : "s", n == 1 ? "" : "s", list, n == 1 ? "it" : "them", n == 1 ? "it" : "them"));
}

static void warn_of_untouchable_shapes(const srs_model *model, const bool *meets, srs_start_warnings *found)
{
  const int n_shapes = srs_model_n_shapes(model);
  const char **names = srs_arena_take(&found->memory, (size_t)n_shapes, sizeof *names);
  int n = 0;
  for (int s = 0; s < n_shapes && names != NULL; s++) {
    const srs_shape *shape = srs_model_shape(model, s);
    if (meets[s] || shape->frame >= 0 || shape->is_visual || shape->kind == SRS_SHAPE_MESH) continue;
    names[n++] = shape->name[0] != '\0' ? shape->name : srs_shape_kind_name(shape->kind);
  }
  if (n == 0) return;
  char list[512];
  srs_names_join(names, n, list, sizeof list);
  add(found,
      srs_arena_print(
          &found->memory,
          "nothing can touch the world's shape%s %s: no moving link has a shape that may collide with %s; give it "
          "one that collides, or look at group, mask and 'collision'",
          n == 1 ? "" : "s", list, n == 1 ? "it" : "them"));
}

static bool has_gravity(const srs_sim_options *options)
{
  return options->gravity[0] != 0 || options->gravity[1] != 0 || options->gravity[2] != 0;
}

// Terrain and hulls that the sim's own collider refuses have kept the sim from being made: all pairs are known here.
static void warn_of_untouchables(srs_sim *sim, srs_start_warnings *found)
{
  const srs_model *model = srs_sim_model(sim);
  const srs_collider *collider = srs_sim_collider(sim);
  bool *floats = srs_arena_take(&found->memory, (size_t)srs_model_n_links(model), sizeof *floats);
  bool *meets = srs_arena_take(&found->memory, (size_t)srs_model_n_shapes(model), sizeof *meets);
  if (floats == NULL || meets == NULL) return;
  int at[2] = {0, 0}, a, b;
  while (collider != NULL && srs_collider_next_pair(collider, at, &a, &b)) meets[a] = meets[b] = true;
  find_floating(model, floats);
  warn_of_untouchable_models(model, floats, meets, has_gravity(srs_sim_get_options(sim)), found);
  warn_of_untouchable_shapes(model, meets, found);
}

// "no mesh of links 'a', 'b' collides: ..." Links of which something else collides are counted too.
static void warn_of_meshes(const srs_model *model, srs_start_warnings *found)
{
  const int n_shapes = srs_model_n_shapes(model);
  const char **names = srs_arena_take(&found->memory, (size_t)n_shapes, sizeof *names);
  int n_meshes = 0, n = 0, last = -2;
  for (int s = 0; s < n_shapes && names != NULL; s++) {
    const srs_shape *shape = srs_model_shape(model, s);
    if (shape->is_visual || shape->kind != SRS_SHAPE_MESH) continue;
    n_meshes++;
    if (shape->frame != last) names[n++] = shape->frame >= 0 ? srs_model_frame(model, shape->frame)->name : "world";
    last = shape->frame;
  }
  if (n_meshes == 0) return;
  char list[512];
  srs_names_join(names, n, list, sizeof list);
  add(found, srs_arena_print(&found->memory,
                             "%d mesh%s for collision, on %s: nothing of %s collides; give the links shapes "
                             "that do ('shapes' of the model in a scene)",
                             n_meshes, n_meshes == 1 ? "" : "es", list, n_meshes == 1 ? "it" : "them"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Overlaps
// ---------------------------------------------------------------------------------------------------------------------

// "2 pairs of shapes overlap at the start: 'a' and 'b' by 5 mm, …"
static void warn_of_overlaps(srs_sim *sim, srs_start_warnings *found)
{
  const srs_model *model = srs_sim_model(sim);
  srs_overlap *overlaps = NULL;
  int n = 0;
  if (!srs_acting_overlaps(sim, &overlaps, &n)) found->memory.failed = true;
  const char *list = n > 0 ? "" : NULL;
  for (int i = 0; i < n && i < NAMED && list != NULL; i++) {
    char a[160], b[160];
    list = srs_arena_print(&found->memory, "%s%s%s and %s by %.4g mm", list, i > 0 ? "; " : "",
                           srs_shape_label(model, overlaps[i].shape_a, a),
                           srs_shape_label(model, overlaps[i].shape_b, b), 1000 * overlaps[i].depth);
  }
  if (list != NULL && n > NAMED) list = srs_arena_print(&found->memory, "%s; and %d more", list, n - NAMED);
  if (list != NULL)
    add(found,
        srs_arena_print(&found->memory, "%d pair%s of shapes overlap%s at the start and will be pushed apart: %s", n,
                        n == 1 ? "" : "s", n == 1 ? "s" : "", list));
  free(overlaps);
}

static void note_left_out(srs_sim *sim, srs_start_warnings *found)
{
  const srs_model *model = srs_sim_model(sim);
  srs_left_out out;
  char a[160], b[160];
  if (!srs_left_out_find(sim, &out)) found->memory.failed = true;
  if (out.n == 0) return;
  found->left_out =
      srs_arena_print(&found->memory,
                      "self_collision: auto leaves out %d pair%s of shapes that overlap%s where all coordinates are "
                      "zero, the deepest by "
                      "%.4g mm (%s and %s); 'sarrus check --pairs' lists them",
                      out.n, out.n == 1 ? "" : "s", out.n == 1 ? "s" : "", 1000 * out.deepest.depth,
                      srs_shape_label(model, out.deepest.shape_a, a), srs_shape_label(model, out.deepest.shape_b, b));
}

// ---------------------------------------------------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------------------------------------------------

// The loop joint that is farthest outside its limits, if by more than *by, which is raised; else -1.
static int loop_joint_outside_limits(srs_sim *sim, double *by)
{
  const srs_model *model = srs_sim_model(sim);
  int worst = -1;
  for (int i = 0; i < srs_model_n_closures(model); i++) {
    const srs_loop_joint *joint = &srs_model_closure(model, i)->joint;
    double value;
    if (isinf(joint->lower) && isinf(joint->upper)) continue;
    if (srs_sim_closure_coordinate(sim, i, &value, NULL, NULL) != SRS_OK) continue;
    const double outside = fmax(joint->lower - value, value - joint->upper);
    if (outside > *by) *by = outside, worst = i;
  }
  return worst;
}

static void warn_of_start(srs_sim *sim, srs_start_warnings *found)
{
  const srs_model *model = srs_sim_model(sim);
  double by;
  const int i = srs_outside_limits(model, srs_sim_q(sim), &by);
  const int loop = loop_joint_outside_limits(sim, &by);
  if (i < 0 && loop < 0) return;
  const bool turns = loop >= 0 ? srs_closure_turns(srs_model_closure(model, loop)) : is_angle(model, i);
  add(found,
      srs_arena_print(&found->memory,
                      "'%s' starts %s %s beyond its limits, farther than any other coordinate; the limits push it back",
                      loop >= 0 ? srs_model_loop_name(model, loop) : srs_model_v_name(model, i),
                      number(&found->memory, by), unit_of(turns)));
}

// One line for all targets: the first by name, and how many more.
static void warn_of_targets(const srs_model *model, const srs_scene_settings *settings, srs_start_warnings *found)
{
  const char *text = NULL;
  int n = 0;
  for (int i = 0; i < settings->n_actuators; i++) {
    const srs_actuator *actuator = &settings->actuators[i];
    if (!(actuator->kp > 0)) continue;
    const int at = actuator->coordinate;
    const srs_loop_joint *joint = actuator->is_of_closure ? &srs_model_closure(model, at)->joint : NULL;
    const double lower = joint != NULL ? joint->lower : srs_model_lower(model)[at];
    const double upper = joint != NULL ? joint->upper : srs_model_upper(model)[at];
    const double target = actuator->position / actuator->gear;
    if (!(target < lower) && !(target > upper)) continue;
    if (n++ > 0) continue;
    const bool turns = joint != NULL ? srs_closure_turns(srs_model_closure(model, at)) : is_angle(model, at);
    text = srs_arena_print(&found->memory, "the servo of '%s' aims at %s %s, beyond the %s limit of %s %s",
                           joint != NULL ? srs_model_loop_name(model, at) : srs_model_v_name(model, at),
                           number(&found->memory, target), unit_of(turns), target < lower ? "lower" : "upper",
                           number(&found->memory, target < lower ? lower : upper), unit_of(turns));
  }
  if (text == NULL) return;
  const char *more = n > 1 ? srs_arena_print(&found->memory, " (and %d more)", n - 1) : "";
  add(found, srs_arena_print(&found->memory, "%s%s: it pushes against the stop for good", text, more));
}

static void warn_of_references(const srs_model *model, const srs_input *input, srs_start_warnings *found)
{
  int at;
  double time, target;
  if (!srs_input_beyond_limits(input, &at, &time, &target)) return;
  const double lower = srs_model_lower(model)[at], upper = srs_model_upper(model)[at];
  const char *unit = unit_of(is_angle(model, at));
  add(found, srs_arena_print(&found->memory,
                             "the input's servo of '%s' aims at %s %s from t = %s s, beyond the %s limit of %s %s: it "
                             "pushes against the stop",
                             srs_model_v_name(model, at), number(&found->memory, target), unit,
                             number(&found->memory, time), target < lower ? "lower" : "upper",
                             number(&found->memory, target < lower ? lower : upper), unit));
}

bool srs_start_warnings_find(srs_sim *sim, const srs_scene_settings *settings, const srs_input *input,
                             srs_start_warnings *found)
{
  const srs_sim_options *options = srs_sim_get_options(sim);
  *found = (srs_start_warnings){.n = 0};
  if (options->contact.enabled) warn_of_untouchables(sim, found);
  if (options->contact.enabled) warn_of_meshes(srs_sim_model(sim), found);
  if (options->contact.enabled) note_left_out(sim, found);
  if (srs_sim_collider(sim) != NULL) warn_of_overlaps(sim, found);
  if (options->joint.limits) warn_of_start(sim, found);
  if (options->joint.limits) warn_of_targets(srs_sim_model(sim), settings, found);
  if (options->joint.limits) warn_of_references(srs_sim_model(sim), input, found);
  return !found->memory.failed;
}

void srs_start_warnings_free(srs_start_warnings *found) { srs_arena_release(&found->memory); }
