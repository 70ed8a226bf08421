// Which shapes overlap where a scene starts?
//
// The search runs with the scene's filters, with all pairs of a robot, and with parent-child pairs too: overlaps that
// only a later one finds have no effect on the motion, but are worth knowing. Depths up to 1 um are rounding errors of
// files.
#include "engine/cli/shared/shape_overlaps.h"

#include "collision/world/collider.h"
#include "engine/cli/shared/messages.h"
#include "engine/dynamics/kinematics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double negligible = 1e-6; // m

const char *srs_shape_label(const srs_model *model, int shape, char text[160])
{
  const srs_shape *s = srs_model_shape(model, shape);
  if (s->name[0] != '\0')
    snprintf(text, 160, "'%.150s'", s->name);
  else if (s->frame >= 0)
    snprintf(text, 160, "%s of '%.120s'", srs_shape_kind_name(s->kind), srs_model_frame(model, s->frame)->name);
  else
    snprintf(text, 160, "%s of the world", srs_shape_kind_name(s->kind));
  return text;
}

const char *srs_overlap_reason(const srs_overlap *overlap)
{
  if (overlap->acts) return "";
  return overlap->is_self ? " (self_collision: they do not collide)" : " (parent and child: they do not collide)";
}

const char *srs_overlap_filter(const srs_overlap *overlap)
{
  if (overlap->acts) return "none";
  return overlap->is_self ? "self-collision" : "parent-child";
}

typedef struct overlap_list {
  srs_overlap *items;
  int n, room;
  bool failed;
} overlap_list;

static void add_overlap(void *user, const srs_contact_point *deepest)
{
  overlap_list *list = user;
  if (list->n == list->room) {
    const int room = 2 * list->room + 16;
    srs_overlap *items = realloc(list->items, (size_t)room * sizeof *items);
    if (items == NULL) {
      list->failed = true;
      return;
    }
    list->items = items;
    list->room = room;
  }
  list->items[list->n++] = (srs_overlap){deepest->shape_a, deepest->shape_b, -deepest->gap, false, false};
}

// Which pairs overlap; a failure's message goes to the error.
static srs_status look(srs_collider *collider, const srs_pose *links, overlap_list *list, srs_error *error)
{
  const srs_status status = srs_collider_overlaps(collider, links, negligible, add_overlap, list, error);
  return list->failed ? srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for overlaps") : status;
}

static srs_status place_start(const srs_scene *scene, srs_pose **links, srs_error *error)
{
  const srs_model *model = srs_scene_model(scene);
  srs_workspace *workspace = NULL;
  *links = calloc((size_t)srs_model_n_links(model) + 1, sizeof **links);
  if (*links == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for placements");
  srs_status status = srs_workspace_create(model, &workspace, error);
  if (status != SRS_OK) return status;
  status = srs_forward_kinematics(workspace, srs_scene_get_settings(scene)->q);
  if (status == SRS_OK)
    srs_link_poses(workspace, *links);
  else
    *error = *srs_workspace_error(workspace);
  srs_workspace_destroy(workspace);
  return status;
}

static void count_shapes(const srs_model *model, srs_shape_overlaps *found)
{
  for (int i = 0; i < srs_model_n_shapes(model); i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    found->n_visual += shape->is_visual;
    found->n_meshes += !shape->is_visual && shape->kind == SRS_SHAPE_MESH;
  }
}

// All overlaps, whatever filters of robots say, in the place of those that act. Kinds that cannot meet may be joined by
// a joint: the search then fails, and nothing is lost that acts.
static void look_at_all(const srs_collider *acting, const srs_collider_options *options, const srs_pose *links,
                        overlap_list *list)
{
  overlap_list all = {0};
  srs_collider_options wider = *options;
  srs_collider *self = NULL, *wide = NULL;
  srs_error ignored;
  for (int i = 0; i < list->n; i++) list->items[i].acts = true;
  wider.self_collision = SRS_SELF_COLLISION_ALL;
  srs_status status = srs_collider_create(acting->geometries.model, &wider, &self, &ignored);
  wider.parent_child = true;
  if (status == SRS_OK) status = srs_collider_create(acting->geometries.model, &wider, &wide, &ignored);
  if (status == SRS_OK && look(wide, links, &all, &ignored) == SRS_OK) {
    for (int i = 0; i < all.n; i++) {
      srs_overlap *o = &all.items[i];
      o->acts = srs_collider_has_pair(acting, o->shape_a, o->shape_b);
      o->is_self = !o->acts && srs_collider_has_pair(self, o->shape_a, o->shape_b);
    }
    free(list->items);
    *list = all;
  } else {
    free(all.items);
  }
  srs_collider_destroy(self);
  srs_collider_destroy(wide);
}

bool srs_shape_overlaps_find(const srs_scene *scene, const srs_collider *alike, srs_shape_overlaps *found)
{
  const srs_model *model = srs_scene_model(scene);
  const srs_collider_options *options = &srs_scene_get_settings(scene)->collider;
  overlap_list list = {0};
  srs_collider *collider = NULL;
  srs_pose *links = NULL;
  srs_error error = {0};
  *found = (srs_shape_overlaps){.n_pairs = -1};
  count_shapes(model, found);
  srs_status status = place_start(scene, &links, &error);
  if (status == SRS_OK)
    status = alike != NULL ? srs_collider_create_alike(alike, options, &collider, &error)
                           : srs_collider_create(model, options, &collider, &error);
  if (status == SRS_OK) found->n_pairs = srs_collider_n_pairs(collider);
  if (status == SRS_OK) status = look(collider, links, &list, &error);
  if (status == SRS_OK)
    look_at_all(collider, options, links, &list);
  else
    snprintf(found->problem, sizeof found->problem, "%s", error.message);
  found->overlaps = list.items;
  found->n_overlaps = list.n;
  free(links);
  srs_collider_destroy(collider);
  return status != SRS_ERROR_MEMORY;
}

bool srs_left_out_find(srs_sim *sim, srs_left_out *found)
{
  const srs_collider *used = srs_sim_collider(sim);
  srs_collider *own = NULL;
  srs_error ignored;
  *found = (srs_left_out){0};
  if (used == NULL) {
    const srs_collider_options *options = &srs_sim_get_options(sim)->contact.collider;
    const srs_status status = srs_collider_create(srs_sim_model(sim), options, &own, &ignored);
    if (status != SRS_OK) return status != SRS_ERROR_MEMORY;
    used = own;
  }
  srs_overlap one = {0};
  found->n = srs_collider_n_left_out(used);
  for (int i = 0; srs_collider_left_out(used, i, &one.shape_a, &one.shape_b, &one.depth); i++)
    if (one.depth > found->deepest.depth) found->deepest = one;
  srs_collider_destroy(own);
  return true;
}

// A collider of its own: that of the sim belongs to its steps.
bool srs_acting_overlaps(srs_sim *sim, srs_overlap **overlaps, int *n)
{
  overlap_list list = {0};
  srs_collider *collider = NULL;
  srs_error error;
  srs_pose *links = calloc((size_t)srs_model_n_links(srs_sim_model(sim)) + 1, sizeof *links);
  if (links == NULL) return false;
  srs_link_poses(srs_sim_workspace(sim), links);
  const srs_collider_options *options = &srs_sim_get_options(sim)->contact.collider;
  srs_status status = srs_collider_create_alike(srs_sim_collider(sim), options, &collider, &error);
  if (status == SRS_OK) status = look(collider, links, &list, &error);
  srs_collider_destroy(collider);
  free(links);
  for (int i = 0; i < list.n; i++) list.items[i].acts = true;
  *overlaps = list.items;
  *n = list.n;
  return status != SRS_ERROR_MEMORY;
}

void srs_shape_overlaps_free(srs_shape_overlaps *found)
{
  free(found->overlaps);
  *found = (srs_shape_overlaps){0};
}
