// Which numbers of a mechanism are odd?
//
// A body whose farthest point is R from its centre of mass has a radius of gyration sqrt(I / m) <= R about every axis.
// A mass and moments I1, I2, I3 make an ellipsoid of semi-axes a1^2 = 5 (I2 + I3 - I1) / (2 m), and a density m /
// (4/3 pi a1 a2 a3): between those of foam and of gold for whatever robots are made of, with room on either side for
// what files simplify.
//
// A robot's joints are as far from their parent links as its parts are long. Of the robots that these bounds were
// measured on the longest such distance d is at most 0.8 (2 r + 0.1 m), where r is the largest of the distances of all
// other joints and of how far shapes and centres of mass are from the origins of their links.
#include "engine/cli/check/lint.h"
#include "topology/base/spatial.h"
#include "topology/base/text.h"
#include "topology/builder/source.h"
#include "topology/mesh/mesh.h"
#include "topology/model/inertia.h"
#include "topology/model/joint_kind.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// How far anything of the model is from the origin of the link that it belongs to, m.
typedef struct lengths {
  double joints[2]; // the two farthest
  double parts;     // shapes and centres of mass
  int n_joints;     // that are not where their parent is
} lengths;

typedef struct linter {
  const srs_builder *source;
  srs_folds *doubts;
  lengths lengths;
  bool failed;
} linter;

__attribute__((format(printf, 3, 4))) static void doubt(linter *l, srs_place place, const char *format, ...)
{
  char text[800], whole[1200];
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  srs_print(whole, sizeof whole, "%s:%d: %s", place.file != NULL ? place.file : "model", place.line, text);
  srs_tidy(whole);
  if (!srs_folds_add(l->doubts, whole)) l->failed = true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes
// ---------------------------------------------------------------------------------------------------------------------

// The largest side of the box around the points, and how far they are from the origin.
static double span_of(const double *points, int n, const double scale[3], double *radius)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, span = 0;
  for (int i = 0; i < n; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      const double x = scale[k] * points[3 * (size_t)i + (size_t)k];
      low[k] = fmin(low[k], x), high[k] = fmax(high[k], x), square += x * x;
    }
    *radius = fmax(*radius, sqrt(square));
  }
  for (int k = 0; k < 3 && n > 0; k++) span = fmax(span, high[k] - low[k]);
  return span;
}

static void lint_mesh(linter *l, const srs_builder_shape *shape, double *radius)
{
  static const double whole[3] = {1, 1, 1};
  const srs_shape_def *def = &shape->def;
  const double *s = def->size;
  double span = 0;
  if (s[0] * s[1] * s[2] < 0)
    doubt(l, shape->place, "the scale %g %g %g of '%s' mirrors the mesh: a left-handed frame", s[0], s[1], s[2],
          def->file);
  else if (s[0] * s[1] * s[2] == 0)
    doubt(l, shape->place, "the scale %g %g %g of '%s' makes the mesh flat", s[0], s[1], s[2], def->file);
  else if (s[0] != s[1] || s[1] != s[2])
    doubt(l, shape->place, "the scale %g %g %g of '%s' is not the same along its axes", s[0], s[1], s[2], def->file);
  if (def->kind == SRS_SHAPE_HULL) {
    span = span_of(def->points, def->n_points, whole, radius);
  } else if (srs_has_ending(def->file, ".stl") || srs_has_ending(def->file, ".obj")) {
    srs_mesh mesh;
    if (srs_mesh_read(def->file, NULL, &mesh, NULL) == SRS_OK) span = span_of(mesh.points, mesh.n_points, s, radius);
    srs_mesh_release(&mesh);
  }
  if (span == 0 && (fabs(s[0]) > 100 || (s[0] != 0 && fabs(s[0]) < 1e-5)))
    doubt(l, shape->place, "the scale %g of '%s' is far from the 1 of m and the 0.001 of mm", s[0], def->file);
  if (span > 5)
    doubt(l, shape->place, "mesh '%s' is %.3g m large: in mm? then its scale is 0.001", def->file, span);
  else if (span > 0 && span < 1e-3)
    doubt(l, shape->place, "mesh '%s' is %.3g mm large: scaled by 0.001 once too often?", def->file, 1000 * span);
}

// ---------------------------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------------------------

// How far a shape reaches from its own origin; 0 where that is not known. What is too large or small is named.
static double reach_of(linter *l, const srs_builder_shape *shape)
{
  const srs_shape_def *def = &shape->def;
  const double *s = def->size;
  double reach = 0;
  switch (def->kind) {
  case SRS_SHAPE_SPHERE: reach = s[0]; break;
  case SRS_SHAPE_BOX: reach = 0.5 * hypot(s[0], hypot(s[1], s[2])); break;
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CONE: reach = hypot(s[0], 0.5 * s[1]); break;
  case SRS_SHAPE_CAPSULE: reach = s[0] + 0.5 * s[1]; break;
  case SRS_SHAPE_ELLIPSOID:
  case SRS_SHAPE_SUPERELLIPSOID: reach = hypot(s[0], hypot(s[1], s[2])); break;
  case SRS_SHAPE_MESH: lint_mesh(l, shape, &reach); return reach;
  case SRS_SHAPE_SURFACE:
  case SRS_SHAPE_HULL:
    if (def->file != NULL) lint_mesh(l, shape, &reach);
    for (int i = 0; i < def->n_points; i++) reach = fmax(reach, norm3(vec3_load(def->points + 3 * (size_t)i)));
    return reach;
  default: return 0;
  }
  if (def->link != NULL && reach > 10)
    doubt(l, shape->place, "a %s of link '%s' is %.3g m large", srs_shape_kind_name(def->kind), def->link, 2 * reach);
  if (def->link != NULL && reach < 2.5e-4)
    doubt(l, shape->place, "a %s of link '%s' is %.3g mm large", srs_shape_kind_name(def->kind), def->link,
          2000 * reach);
  return reach;
}

// Per link: how far from its centre of mass its shapes and its children's joints are.
typedef struct extent {
  double shapes, joints;
  bool is_unknown; // some shape could not be measured
  bool is_carried; // by another link
} extent;

static void add_joint(lengths *of, double away)
{
  of->n_joints += away > 0;
  if (away > of->joints[0])
    of->joints[1] = of->joints[0], of->joints[0] = away;
  else
    of->joints[1] = fmax(of->joints[1], away);
}

static void measure(linter *l, const srs_names *links, extent *extents)
{
  for (int i = 0; i < l->source->n_shapes; i++) {
    const srs_builder_shape *shape = &l->source->shapes[i];
    const double reach = reach_of(l, shape);
    const int link = shape->def.link != NULL ? srs_names_find(links, shape->def.link) : -1;
    if (link < 0) continue;
    const vec3 away = sub3(vec3_load(shape->def.pose.position), vec3_load(l->source->links[link].def.com));
    if (reach == 0)
      extents[link].is_unknown = true;
    else
      extents[link].shapes = fmax(extents[link].shapes, reach + norm3(away));
    if (reach > 0) l->lengths.parts = fmax(l->lengths.parts, reach + norm3(vec3_load(shape->def.pose.position)));
    if (reach > 0 && norm3(vec3_load(shape->def.pose.position)) > 20 * reach + 1)
      doubt(l, shape->place, "a shape of link '%s' is %.3g m away from it, and reaches %.3g m", shape->def.link,
            norm3(vec3_load(shape->def.pose.position)), reach);
  }
  for (int i = 0; i < l->source->n_joints; i++) {
    const srs_joint_def *def = &l->source->joints[i].def;
    const int link = def->parent != NULL ? srs_names_find(links, def->parent) : -1;
    if (link < 0) continue;
    const vec3 away = sub3(vec3_load(def->origin.position), vec3_load(l->source->links[link].def.com));
    const int child = srs_names_find(links, def->child);
    if (child >= 0) extents[child].is_carried = true;
    extents[link].joints = fmax(extents[link].joints, norm3(away));
    add_joint(&l->lengths, norm3(vec3_load(def->origin.position)));
  }
  for (int i = 0; i < l->source->n_links; i++)
    if (l->source->links[i].def.mass > 0)
      l->lengths.parts = fmax(l->lengths.parts, norm3(vec3_load(l->source->links[i].def.com)));
}

static void lint_density(linter *l, const srs_builder_link *link)
{
  const srs_link_def *def = &link->def;
  double moments[3];
  srs_principal_moments(sym3_load(def->inertia), moments);
  const double m = def->mass, sum = moments[0] + moments[1] + moments[2];
  double volume = 4.0 / 3 * PI;
  for (int i = 0; i < 3; i++) {
    const double square = 2.5 * (sum - 2 * moments[i]) / m;
    if (!(square > 0)) return; // flat, or impossible, which is told elsewhere
    volume *= sqrt(square);
  }
  const double density = m / volume;
  if (density > 1e5)
    doubt(l, link->place,
          "link '%s': %g kg with these moments is a body of %.2g kg/m^3, denser than any metal: moments too small, or "
          "mass too large",
          def->name, m, density);
  else if (density < 1)
    doubt(l, link->place,
          "link '%s': %g kg with these moments is a body of %.2g kg/m^3, lighter than air: moments too large, or mass "
          "too small",
          def->name, m, density);
}

static void lint_link(linter *l, const srs_builder_link *link, const extent *e)
{
  const srs_link_def *def = &link->def;
  const double *I = def->inertia, m = def->mass;
  if (!(m > 0)) return;
  if (m > 1e4 || m < 1e-6) doubt(l, link->place, "link '%s' has a mass of %g kg", def->name, m);
  const double largest = fmax(I[0], fmax(I[1], I[2]));
  if (largest == 0) return;
  lint_density(l, link);
  const double gyration = sqrt(largest / m), reach = fmax(e->shapes, e->joints);
  if (e->shapes > 0 && !e->is_unknown && gyration > 1.05 * reach)
    doubt(l, link->place,
          "link '%s': its radius of gyration is %.3g m, but its shapes and joints reach no farther than %.3g m from "
          "its centre of mass",
          def->name, gyration, reach);
  if (reach > 0 && norm3(vec3_load(def->com)) > 10 * (gyration + 0.05) && norm3(vec3_load(def->com)) > 1)
    doubt(l, link->place, "link '%s': its centre of mass is %.3g m from its origin", def->name,
          norm3(vec3_load(def->com)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints
// ---------------------------------------------------------------------------------------------------------------------

static void lint_joint(linter *l, const srs_builder_joint *joint)
{
  const srs_joint_def *def = &joint->def;
  if (srs_joint_kind_nv(def->kind) != 1 || def->kind == SRS_JOINT_CONTINUOUS) return;
  const double low = def->lower[0], high = def->upper[0];
  const bool is_angle = def->kind == SRS_JOINT_REVOLUTE;
  const double farthest = fmax(isfinite(low) ? fabs(low) : 0, isfinite(high) ? fabs(high) : 0);
  if (is_angle && farthest > 6.5)
    doubt(l, joint->place, "joint '%s': limits %g to %g rad are more than a turn: in degrees?", def->name, low, high);
  if (!is_angle && isfinite(high - low) && high - low > 10)
    doubt(l, joint->place, "joint '%s': limits %g to %g m are %g m apart: in mm?", def->name, low, high, high - low);
  if (low == high) doubt(l, joint->place, "joint '%s': both limits are %g, so it cannot move", def->name, low);
  if (low > 0 || high < 0)
    doubt(l, joint->place, "joint '%s': its zero lies outside its limits %g to %g", def->name, low, high);
  if (isfinite(def->max_velocity[0]) && def->max_velocity[0] > 200)
    doubt(l, joint->place, "joint '%s': a velocity limit of %g %s", def->name, def->max_velocity[0],
          is_angle ? "rad/s: in degrees?" : "m/s");
  if (isfinite(def->max_effort[0]) && def->max_effort[0] > 1e5)
    doubt(l, joint->place, "joint '%s': an effort limit of %g %s", def->name, def->max_effort[0],
          is_angle ? "N m" : "N");
}

// Where the robot itself gives no length to compare with, a stick figure of few joints, only 3 m are odd. So it is on a
// root without mass and shapes, which is a file's world: its joints place the robot.
static void lint_origin(linter *l, const srs_builder_joint *joint, int parent, const extent *of_parent)
{
  const double away = norm3(vec3_load(joint->def.origin.position));
  const char *name = joint->def.name != NULL ? joint->def.name : joint->def.child;
  if (joint->def.damping[0] > 1e4) doubt(l, joint->place, "joint '%s': a damping of %g", name, joint->def.damping[0]);
  if (parent < 0) return;
  const lengths *all = &l->lengths;
  const double others = fmax(all->joints[away >= all->joints[0] ? 1 : 0], all->parts);
  const bool is_world = l->source->links[parent].def.mass == 0 && !of_parent->is_carried;
  const bool has_scale = of_parent->shapes > 0 || (all->n_joints > 3 && !is_world);
  if (has_scale && away > 2 * others + 0.1)
    doubt(l, joint->place,
          "joint '%s' is %.3g m from its parent link '%s', but all other joints, shapes and centres of mass are within "
          "%.3g m of their links",
          name, away, joint->def.parent, others);
  else if (away > 3 && away > 5 * of_parent->shapes)
    doubt(l, joint->place, "joint '%s' is %.3g m from its parent link '%s'", name, away, joint->def.parent);
}

bool srs_lint_values(const srs_model *model, srs_folds *doubts)
{
  linter l = {.source = srs_source_of(model), .doubts = doubts};
  const srs_builder *source = l.source;
  srs_names links = {0};
  extent *extents = calloc((size_t)source->n_links + 1, sizeof *extents);
  bool is_held = extents != NULL;
  for (int i = 0; i < source->n_links && is_held; i++) {
    is_held = srs_names_reserve(&links);
    if (is_held) srs_names_add(&links, source->links[i].def.name, i);
  }
  if (is_held) measure(&l, &links, extents);
  for (int i = 0; i < source->n_links && is_held; i++) lint_link(&l, &source->links[i], &extents[i]);
  for (int i = 0; i < source->n_joints && is_held; i++) {
    const char *parent = source->joints[i].def.parent;
    lint_joint(&l, &source->joints[i]);
    const int at = parent != NULL ? srs_names_find(&links, parent) : -1;
    lint_origin(&l, &source->joints[i], at, &extents[at >= 0 ? at : source->n_links]);
  }
  srs_names_release(&links);
  free(extents);
  return is_held && !l.failed;
}
