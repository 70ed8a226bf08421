// Which sticks and knobs does a mechanism need beside its shapes?
//
// A body's ends are the places of the joints and loops that it carries and the middles of its shapes. A stick goes from
// its origin to each end, unless its shapes cover both. Whether they cover a point is told by their boxes, a tenth of
// their sides larger at each side.
#include "engine/cli/view/sticks.h"

#include "engine/cli/view/solids.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct shown {
  int body;
  srs_pose pose; // seen from the body
  double low[3], high[3];
} shown;

typedef struct end_point {
  int body;
  double at[3];
} end_point;

typedef struct plan {
  const srs_model *model;
  shown *boxes; // of the shapes that are seen
  end_point *ends;
  bool *has_shape, *has_end, *has_child; // of each link
  int n_boxes, n_ends;
  srs_sticks *out;
} plan;

static bool is_loose(const srs_model *model, int link)
{
  const srs_joint_kind kind = srs_model_joint(model, link)->kind;
  return kind == SRS_JOINT_FREE || kind == SRS_JOINT_PLANAR;
}

// ---------------------------------------------------------------------------------------------------------------------
// Boxes
// ---------------------------------------------------------------------------------------------------------------------

static bool add_box(plan *p, const srs_shape *shape, int body)
{
  srs_triangles t = {0};
  srs_error missing;
  int n_missing = 0;
  const bool is_good = srs_solid_triangles(&t, shape, &n_missing, &missing);
  if (is_good && t.n_points > 0) {
    shown *box = &p->boxes[p->n_boxes++];
    *box = (shown){body, shape->pose, {DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    if (shape->frame >= 0) box->pose = srs_solid_compose(&srs_model_frame(p->model, shape->frame)->pose, &shape->pose);
    for (int i = 0; i < 3 * t.n_points; i++) {
      box->low[i % 3] = fmin(box->low[i % 3], t.points[i]);
      box->high[i % 3] = fmax(box->high[i % 3], t.points[i]);
    }
  }
  srs_triangles_free(&t);
  return is_good;
}

static bool covers(const shown *box, const double point[3])
{
  const double *r = box->pose.rotation, *o = box->pose.position;
  for (int i = 0; i < 3; i++) {
    const double margin = 0.1 * (box->high[i] - box->low[i]);
    double at = 0;
    for (int k = 0; k < 3; k++) at += r[3 * k + i] * (point[k] - o[k]);
    if (at < box->low[i] - margin || at > box->high[i] + margin) return false;
  }
  return true;
}

static bool is_covered(const plan *p, int body, const double point[3])
{
  for (int i = 0; i < p->n_boxes; i++)
    if (p->boxes[i].body == body && covers(&p->boxes[i], point)) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Ends
// ---------------------------------------------------------------------------------------------------------------------

static void add_end(plan *p, int body, const double at[3])
{
  if (body < 0) return;
  end_point *end = &p->ends[p->n_ends++];
  end->body = body;
  memcpy(end->at, at, sizeof end->at);
  p->has_end[body] = true;
}

static void add_knob(plan *p, int body, const double at[3], bool is_pivot)
{
  if (is_pivot && is_covered(p, body, at)) return;
  srs_knob *knob = &p->out->knobs[p->out->n_knobs++];
  *knob = (srs_knob){.body = body, .is_pivot = is_pivot};
  memcpy(knob->at, at, sizeof knob->at);
}

static void meet_joints(plan *p)
{
  for (int i = 0; i < srs_model_n_links(p->model); i++) {
    const srs_joint *joint = srs_model_joint(p->model, i);
    const int parent = srs_model_link(p->model, i)->parent;
    if (parent >= 0) p->has_child[parent] = true;
    if (is_loose(p->model, i)) continue;
    add_end(p, parent, joint->origin.position);
    if (joint->kind != SRS_JOINT_PRISMATIC && joint->kind != SRS_JOINT_FIXED)
      add_knob(p, parent, joint->origin.position, true);
  }
}

static void meet_closures(plan *p)
{
  for (int i = 0; i < srs_model_n_closures(p->model); i++) {
    const srs_closure *closure = srs_model_closure(p->model, i);
    for (int side = 0; side < 2; side++) {
      add_end(p, closure->link[side], closure->pose[side].position);
      add_knob(p, closure->link[side], closure->pose[side].position, true);
    }
  }
}

// Masses of links without shapes, and the middles of shapes.
static void meet_links(plan *p)
{
  for (int i = 0; i < srs_model_n_links(p->model); i++) {
    const double *com = srs_model_link(p->model, i)->com;
    if (!p->has_end[i] && !p->has_shape[i] && !is_loose(p->model, i)) add_end(p, i, com);
    if (!p->has_shape[i] && (!p->has_end[i] || !p->has_child[i])) add_knob(p, i, com, false);
  }
  for (int i = 0; i < p->n_boxes; i++) {
    const shown *box = &p->boxes[i];
    if (box->body < 0 || is_loose(p->model, box->body)) continue;
    double middle[3];
    for (int k = 0; k < 3; k++) {
      const double *row = box->pose.rotation + (size_t)k * 3;
      middle[k] = box->pose.position[k];
      for (int c = 0; c < 3; c++) middle[k] += row[c] * (box->low[c] + box->high[c]) / 2;
    }
    add_end(p, box->body, middle);
  }
}

static void add_sticks(plan *p)
{
  const double origin[3] = {0, 0, 0};
  for (int i = 0; i < p->n_ends; i++) {
    const end_point *end = &p->ends[i];
    if (hypot(hypot(end->at[0], end->at[1]), end->at[2]) < 1e-9) continue;
    if (is_covered(p, end->body, origin) && is_covered(p, end->body, end->at)) continue;
    srs_stick *stick = &p->out->sticks[p->out->n_sticks++];
    *stick = (srs_stick){.body = end->body};
    memcpy(stick->to, end->at, sizeof stick->to);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------------------------------------------------

static bool meet_shapes(plan *p)
{
  for (int i = 0; i < srs_model_n_shapes(p->model); i++) {
    const srs_shape *shape = srs_model_shape(p->model, i);
    const int body = srs_shape_body(p->model, shape);
    if (shape->kind == SRS_SHAPE_HALF_SPACE) continue;
    if (body >= 0) p->has_shape[body] = true;
    if (srs_shape_is_seen(p->model, shape) && !add_box(p, shape, body)) return false;
  }
  return true;
}

bool srs_sticks_make(const srs_model *model, srs_sticks *sticks)
{
  const size_t links = (size_t)srs_model_n_links(model), closures = (size_t)srs_model_n_closures(model),
               shapes = (size_t)srs_model_n_shapes(model), most = 2 * links + 2 * closures + shapes + 1;
  *sticks = (srs_sticks){.sticks = calloc(most, sizeof *sticks->sticks), .knobs = calloc(most, sizeof *sticks->knobs)};
  bool *flags = calloc(3 * links + 1, sizeof *flags);
  plan p = {.model = model,
            .boxes = calloc(shapes + 1, sizeof *p.boxes),
            .ends = calloc(most, sizeof *p.ends),
            .has_shape = flags,
            .out = sticks};
  bool is_good = flags != NULL && p.boxes != NULL && p.ends != NULL && sticks->sticks != NULL && sticks->knobs != NULL;
  if (is_good) {
    p.has_end = flags + links;
    p.has_child = flags + 2 * links;
    is_good = meet_shapes(&p);
  }
  if (is_good) {
    meet_joints(&p);
    meet_closures(&p);
    meet_links(&p);
    add_sticks(&p);
  }
  free(flags);
  free(p.boxes);
  free(p.ends);
  return is_good;
}

void srs_sticks_free(srs_sticks *sticks)
{
  free(sticks->sticks);
  free(sticks->knobs);
  *sticks = (srs_sticks){.n_sticks = 0};
}
