// What is there to see of a mechanism at a state? The shapes of each link: those for the eye where it has any that can
// be drawn, else those for contact. Lines from a link's origin to the joints, closures and shapes that it carries (to
// its centre of mass where it carries none), but where shapes cover its ends. Rods between their ends; dots on joints
// and closures.
#include "tools/pictures/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gathering {
  srs_workspace *workspace;
  const srs_model *model;
  srs_pose eye;     // the world, seen
  srs_pose *links;  // n_links, seen
  bool *has_shapes; // 1 + n_links: world first
  bool *has_visual;
  stage_frame *frame;
  int n_shapes; // solids of links' shapes; sticks follow them
} gathering;

static bool is_drawn(const srs_shape *shape) { return shape->kind != SRS_SHAPE_MESH; }

static bool is_ground(const srs_shape *shape)
{
  return shape->kind == SRS_SHAPE_HALF_SPACE || shape->kind == SRS_SHAPE_TERRAIN ||
         shape->kind == SRS_SHAPE_HEIGHTFIELD || shape->kind == SRS_SHAPE_SURFACE;
}

static int link_of(const srs_model *model, const srs_shape *shape)
{
  return shape->frame < 0 ? -1 : srs_model_frame(model, shape->frame)->link;
}

static const srs_pose *place_of(const gathering *g, int link) { return link < 0 ? &g->eye : &g->links[link]; }

static void find_shapes(gathering *g)
{
  for (int i = 0; i < srs_model_n_shapes(g->model); i++) {
    const srs_shape *shape = srs_model_shape(g->model, i);
    const int link = link_of(g->model, shape);
    if (!is_drawn(shape) || (is_ground(shape) && link < 0)) continue;
    g->has_shapes[link + 1] = true;
    if (shape->is_visual && !is_ground(shape)) g->has_visual[link + 1] = true;
  }
}

static void add_shapes(gathering *g)
{
  stage_frame *frame = g->frame;
  for (int i = 0; i < srs_model_n_shapes(g->model); i++) {
    const srs_shape *shape = srs_model_shape(g->model, i);
    if (!is_drawn(shape)) continue;
    const int link = link_of(g->model, shape);
    srs_pose pose = *place_of(g, link);
    if (shape->frame >= 0) pose = sketch_compose(&pose, &srs_model_frame(g->model, shape->frame)->pose);
    pose = sketch_compose(&pose, &shape->pose);
    if (shape->kind == SRS_SHAPE_HALF_SPACE)
      frame->planes[frame->n_planes++] = (sketch_plane){pose, i, -1};
    else if (is_ground(shape))
      frame->terrains[frame->n_terrains++] = (stage_terrain){i, pose};
    else if (shape->is_visual == g->has_visual[link + 1])
      sketch_shape(&frame->solids, shape, &pose, link);
  }
}

// Whether a point lies in a shape of the link, as far as bounds tell.
static bool is_covered(const gathering *g, int link, const double point[3])
{
  for (int i = 0; i < g->n_shapes; i++) {
    const sketch_solid *solid = &g->frame->solids.solids[i];
    if (solid->owner != link) continue;
    bool is_within = true;
    for (int k = 0; k < 3; k++) {
      const double slack = 0.1 * (solid->high[k] - solid->low[k]) + 1e-9;
      is_within &= point[k] >= solid->low[k] - slack && point[k] <= solid->high[k] + slack;
    }
    if (is_within) return true;
  }
  return false;
}

// A line from a link's origin to a point of it.
static void add_stick(gathering *g, int link, const double end[3], int *count)
{
  if (link < 0) return;
  const double *from = g->links[link].position;
  if (hypot(hypot(end[0] - from[0], end[1] - from[1]), end[2] - from[2]) < 1e-9) return;
  if (is_covered(g, link, from) && is_covered(g, link, end)) return;
  sketch_line(&g->frame->solids, SKETCH_STICK, from, end, link);
  count[link]++;
}

// To the shapes of a link that a joint carries by its origin.
static void add_shape_sticks(gathering *g, int *n_sticks)
{
  for (int i = 0; i < g->n_shapes; i++) {
    const sketch_solid *solid = &g->frame->solids.solids[i];
    const int link = solid->owner;
    if (link < 0) continue;
    const srs_joint_kind kind = srs_model_joint(g->model, link)->kind;
    if (kind == SRS_JOINT_FREE || kind == SRS_JOINT_PLANAR) continue;
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = (solid->low[k] + solid->high[k]) / 2;
    add_stick(g, link, middle, n_sticks);
  }
}

static void add_dot(gathering *g, stage_dot_kind kind, const double at[3])
{
  stage_dot *dot = &g->frame->dots[g->frame->n_dots++];
  dot->kind = kind;
  memcpy(dot->at, at, sizeof dot->at);
}

static void add_joints(gathering *g, int *n_sticks)
{
  for (int k = 0; k < srs_model_n_links(g->model); k++) {
    const srs_joint *joint = srs_model_joint(g->model, k);
    const int parent = srs_model_link(g->model, k)->parent;
    if (joint->kind == SRS_JOINT_FREE || joint->kind == SRS_JOINT_PLANAR) continue;
    double at[3];
    sketch_point(place_of(g, parent), joint->origin.position, at);
    const bool is_slide = joint->kind == SRS_JOINT_PRISMATIC, parent_is_seen = parent >= 0 && g->has_shapes[parent + 1];
    if (!is_slide || !parent_is_seen) add_stick(g, parent, at, n_sticks);
    if (joint->kind == SRS_JOINT_FIXED) continue;
    if (is_slide) { // the way it has gone
      if (!parent_is_seen && !is_covered(g, k, at))
        sketch_line(&g->frame->solids, SKETCH_ROD, at, g->links[k].position, STAGE_CLOSURE);
      if (!g->has_shapes[k + 1]) add_dot(g, STAGE_JOINT, g->links[k].position);
      continue;
    }
    add_dot(g, parent < 0 && !g->has_shapes[0] ? STAGE_PIVOT : STAGE_JOINT, at);
  }
}

static void add_closures(gathering *g, int *n_sticks)
{
  for (int i = 0; i < srs_model_n_closures(g->model); i++) {
    const srs_closure *closure = srs_model_closure(g->model, i);
    double ends[2][3];
    for (int side = 0; side < 2; side++) {
      sketch_point(place_of(g, closure->link[side]), closure->pose[side].position, ends[side]);
      add_stick(g, closure->link[side], ends[side], n_sticks);
      if (side == 0 || closure->kind == SRS_CLOSURE_ROD) add_dot(g, STAGE_LOOP, ends[side]);
    }
    if (closure->kind == SRS_CLOSURE_ROD) sketch_line(&g->frame->solids, SKETCH_ROD, ends[0], ends[1], STAGE_CLOSURE);
  }
}

static void add_ends(gathering *g, int *n_sticks)
{
  for (int k = 0; k < srs_model_n_links(g->model); k++) {
    if (n_sticks[k] > 0 || g->has_shapes[k + 1]) continue;
    double centre[3];
    sketch_point(&g->links[k], srs_model_link(g->model, k)->com, centre);
    add_stick(g, k, centre, n_sticks);
    add_dot(g, STAGE_JOINT, centre);
  }
}

static bool place_links(gathering *g, const sketch_view *view)
{
  for (int k = 0; k < srs_model_n_links(g->model); k++) {
    srs_pose pose;
    const int frame = srs_model_find_frame(g->model, srs_model_link(g->model, k)->name);
    if (srs_frame_placement(g->workspace, frame, &pose) != SRS_OK) return false;
    g->links[k] = sketch_pose(view, &pose);
  }
  return true;
}

bool stage_gather(srs_workspace *workspace, const sketch_view *view, stage_frame *frame)
{
  const srs_model *model = srs_workspace_model(workspace);
  const srs_pose world = srs_identity_pose();
  const size_t n_links = (size_t)srs_model_n_links(model), n_shapes = (size_t)srs_model_n_shapes(model);
  gathering g = {.workspace = workspace, .model = model, .eye = sketch_pose(view, &world), .frame = frame};
  g.links = calloc(n_links + 1, sizeof *g.links);
  g.has_shapes = calloc(n_links + 1, sizeof *g.has_shapes);
  g.has_visual = calloc(n_links + 1, sizeof *g.has_visual);
  int *n_sticks = calloc(n_links + 1, sizeof *n_sticks);
  frame->dots = calloc(2 * n_links + 2 * (size_t)srs_model_n_closures(model) + 1, sizeof *frame->dots);
  frame->planes = calloc(n_shapes + 1, sizeof *frame->planes);
  frame->terrains = calloc(n_shapes + 1, sizeof *frame->terrains);
  bool is_good = g.links != NULL && g.has_shapes != NULL && g.has_visual != NULL && n_sticks != NULL &&
                 frame->dots != NULL && frame->planes != NULL && frame->terrains != NULL;
  if (is_good && place_links(&g, view)) {
    find_shapes(&g);
    add_shapes(&g);
    g.n_shapes = frame->solids.n_solids;
    add_shape_sticks(&g, n_sticks);
    add_joints(&g, n_sticks);
    add_closures(&g, n_sticks);
    add_ends(&g, n_sticks);
    is_good = !frame->solids.has_failed;
  }
  free(g.links);
  free(g.has_shapes);
  free(g.has_visual);
  free(n_sticks);
  return is_good;
}
