// Parameters as columns: the twin's own values are moved to and fro, and come back to the bit.

#include "engine/conservation/floating_trees.h"
#include "engine/linearise/linearisation.h"
#include "topology/base/errors.h"
#include "topology/model/inertia.h"
#include "topology/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_link(srs_parameter_kind kind)
{
  return kind == SRS_PARAMETER_MASS || kind == SRS_PARAMETER_COM || kind == SRS_PARAMETER_INERTIA;
}

// The array of the twin's coordinates that a kind is in (state/own_model.h).
static int array_of(srs_parameter_kind kind)
{
  return kind == SRS_PARAMETER_ARMATURE    ? 0
         : kind == SRS_PARAMETER_DAMPING   ? 1
         : kind == SRS_PARAMETER_STIFFNESS ? 2
                                           : 3;
}

// ---------------------------------------------------------------------------------------------------------------------
// Moving
// ---------------------------------------------------------------------------------------------------------------------

// A part's ten numbers with one of mass, com and inertia moved.
static void move_part(const srs_parameter *p, double by, double *x)
{
  const vec3 com = x[0] > 0 ? scale3(1 / x[0], vec3_load(x + 1)) : vec3_zero;
  double mass = x[0], place[3] = {com.x, com.y, com.z};
  const sym3 about = sym3_add((sym3){x[4], x[5], x[6], x[7], x[8], x[9]}, sym3_point_mass(-mass, com));
  double moments[6] = {about.xx, about.yy, about.zz, about.xy, about.xz, about.yz};
  if (p->kind == SRS_PARAMETER_MASS) mass += by;
  if (p->kind == SRS_PARAMETER_COM) place[p->component] += by;
  if (p->kind == SRS_PARAMETER_INERTIA) moments[p->component] += by;
  const vec3 to = vec3_load(place);
  const sym3 I = sym3_add((sym3){moments[0], moments[1], moments[2], moments[3], moments[4], moments[5]},
                          sym3_point_mass(mass, to));
  const double all[10] = {mass, mass * to.x, mass * to.y, mass * to.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  memcpy(x, all, sizeof all);
}

static void move_link(srs_linearisation *l, const srs_parameter *p, double by)
{
  srs_own_model *own = &l->twin->own;
  double *part = own->part_inertia + 10 * (size_t)p->index;
  const int link = own->model.frame_link[p->index];
  double *whole = link >= 0 ? own->inertia + 10 * (size_t)link : NULL;
  if (by == 0) {
    memcpy(part, l->backup.part, sizeof l->backup.part);
    if (whole != NULL) memcpy(whole, l->backup.link, sizeof l->backup.link);
    own->model.mass = l->backup.mass;
    return;
  }
  memcpy(l->backup.part, part, sizeof l->backup.part);
  if (whole != NULL) memcpy(l->backup.link, whole, sizeof l->backup.link);
  l->backup.mass = own->model.mass;
  move_part(p, by, part);
  srs_own_model_weld(own, link);
}

static void move_origin(srs_linearisation *l, const srs_parameter *p, double by)
{
  srs_own_model *own = &l->twin->own;
  vec3 *offset = &own->offset[p->index];
  if (by == 0) {
    *offset = l->backup.offset;
    return;
  }
  l->backup.offset = *offset;
  const int parent = own->model.parent[p->index];
  const vec3 along = {p->component == 0 ? by : 0, p->component == 1 ? by : 0, p->component == 2 ? by : 0};
  *offset = add3(*offset, parent >= 0 ? rotate(own->model.link_axes[parent], along) : along);
}

static double *place_of(srs_linearisation *l, const srs_parameter *p)
{
  if (p->kind == SRS_PARAMETER_FRICTION) return &l->twin->constraints->friction[p->index];
  return &l->twin->own.coordinates[array_of(p->kind)][p->index];
}

static void set_gravity(srs_linearisation *l, int component, double value)
{
  double g[3] = {l->twin->workspace->gravity[0], l->twin->workspace->gravity[1], l->twin->workspace->gravity[2]};
  g[component] = value;
  l->twin->workspace->gravity = l->dynamics->gravity = v3_load(g);
}

static void move_number(srs_linearisation *l, const srs_parameter *p, double by)
{
  if (p->kind == SRS_PARAMETER_GRAVITY) {
    if (by != 0) l->backup.value = l->twin->workspace->gravity[p->component];
    set_gravity(l, p->component, l->backup.value + by);
    return;
  }
  double *value = place_of(l, p);
  if (p->kind == SRS_PARAMETER_STIFFNESS) l->twin->own.model.has_springs = true;
  if (by != 0) l->backup.value = *value;
  *value = l->backup.value + by;
  struct srs_constraints *c = l->twin->constraints;
  for (int k = 0; p->kind == SRS_PARAMETER_DRY_FRICTION && k < c->n_joint_coordinates; k++)
    if (c->coordinates[k].v == p->index) c->coordinates[k].friction = *value;
}

void srs_move_parameter(srs_linearisation *l, const srs_parameter *p, double by)
{
  if (is_of_link(p->kind))
    move_link(l, p, by);
  else if (p->kind == SRS_PARAMETER_JOINT_ORIGIN)
    move_origin(l, p, by);
  else
    move_number(l, p, by);
  l->backup.moved = by != 0 ? p : NULL;
  if ((is_of_link(p->kind) || p->kind == SRS_PARAMETER_JOINT_ORIGIN) && l->twin->floating != NULL)
    srs_tree_frames_prepare(&l->twin->floating->frames);
}

double srs_parameter_width(const srs_linearisation *l, const srs_parameter *p)
{
  const double *x = l->twin->own.part_inertia;
  double value = 0.01; // m: of lengths
  if (p->kind == SRS_PARAMETER_MASS) value = x[10 * (size_t)p->index];
  if (p->kind == SRS_PARAMETER_INERTIA) {
    x += 10 * (size_t)p->index + 4;
    value = x[0] + x[1] + x[2];
  }
  if (p->kind > SRS_PARAMETER_JOINT_ORIGIN) value = 0.01;
  return value > 0 ? 1e-3 * value : 1e-5;
}

// ---------------------------------------------------------------------------------------------------------------------
// Choosing
// ---------------------------------------------------------------------------------------------------------------------

static const char *check(const srs_linearisation *l, const srs_parameter *p)
{
  const srs_model *m = l->twin->model;
  const bool has_shapes = l->twin->constraints != NULL && l->twin->constraints->collider != NULL;
  const int components =
      p->kind == SRS_PARAMETER_INERTIA                                                                            ? 6
      : p->kind == SRS_PARAMETER_COM || p->kind == SRS_PARAMETER_JOINT_ORIGIN || p->kind == SRS_PARAMETER_GRAVITY ? 3
                                                                                                                  : 1;
  int most = 1;
  if ((int)p->kind < 0 || p->kind > SRS_PARAMETER_GRAVITY) return "its kind is none";
  if (is_of_link(p->kind)) most = m->n_parts;
  if (p->kind == SRS_PARAMETER_JOINT_ORIGIN) most = m->n_links;
  if (p->kind >= SRS_PARAMETER_ARMATURE && p->kind <= SRS_PARAMETER_DRY_FRICTION) most = m->nv;
  if (p->kind == SRS_PARAMETER_FRICTION) most = has_shapes ? m->n_shapes : 0;
  if (p->index < 0 || p->index >= most) return "its index is out of range";
  if (p->component < 0 || p->component >= components) return "its component is out of range";
  if (p->kind == SRS_PARAMETER_DRY_FRICTION && !(m->friction[p->index] > 0))
    return "the coordinate has no dry friction";
  if (is_of_link(p->kind) && p->kind != SRS_PARAMETER_MASS && !(m->part_inertia[10 * (size_t)p->index] > 0))
    return "the link has no mass";
  return NULL;
}

srs_status srs_linearisation_set_parameters(srs_linearisation *l, const srs_parameter *parameters, int n,
                                            srs_error *error)
{
  if (l == NULL || n < 0 || (n > 0 && parameters == NULL))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no linearisation, or no parameters");
  for (int i = 0; i < n; i++) {
    const char *wrong = check(l, &parameters[i]);
    if (wrong != NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "parameter %d: %s", i, wrong);
  }
  srs_parameter *copy = calloc((size_t)n + 1, sizeof *copy);
  if (copy != NULL && n > 0) memcpy(copy, parameters, (size_t)n * sizeof *copy);
  free(l->parameters);
  l->parameters = copy;
  l->n_parameters = copy != NULL ? n : 0;
  l->has_result = false;
  if (copy != NULL && srs_linearisation_take(l) == SRS_OK) return SRS_OK;
  l->n_parameters = 0;
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d parameters", n);
}
