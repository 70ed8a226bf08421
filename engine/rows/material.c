// Materials: friction, restitution, anisotropic, torsional and rolling friction of shapes and pairs. Also the reach of
// shapes from their links and the order of shapes by name. All of it is fixed at creation.

#include "engine/rows/material.h"
#include "collision/shapes/bounds.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

double srs_impact_threshold(const srs_sim_options *options)
{
  const double chosen = options->contact.impact_threshold;
  return isnan(chosen) ? 2 * norm3(vec3_load(options->gravity)) * options->dt : chosen;
}

double srs_combine(srs_combination rule, double a, double b)
{
  switch (rule) {
  case SRS_COMBINE_MEAN: return 0.5 * (a + b);
  case SRS_COMBINE_LARGER: return a > b ? a : b;
  case SRS_COMBINE_SMALLER: return a < b ? a : b;
  case SRS_COMBINE_PRODUCT: return a * b;
  case SRS_COMBINE_GEOMETRIC_MEAN: break;
  }
  return a == b ? a : sqrt(a * b);
}

// The distance of a shape's farthest point from its link's origin.
static double shape_reach(const srs_model *m, const srs_shape *shape)
{
  const vec3 frame = shape->frame >= 0 ? m->frame_offset[shape->frame] : vec3_zero;
  return norm3(frame) + norm3(vec3_load(shape->pose.position)) + srs_shape_reach(shape);
}

void srs_measure_reach(struct srs_constraints *c, const srs_model *m)
{
  for (int k = 0; k < m->n_links; k++) c->reach[k] = -1;
  for (int i = 0; i < m->n_shapes; i++) {
    const srs_shape *shape = &m->shapes[i];
    const int link = shape->frame >= 0 ? m->frame_link[shape->frame] : -1;
    if (link < 0 || shape->is_visual || shape->kind == SRS_SHAPE_MESH) continue;
    c->reach[link] = fmax(c->reach[link], shape_reach(m, shape));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Compliant layers
// ---------------------------------------------------------------------------------------------------------------------

// Whether d . (m d) > -margin |m| |d|^2 for every d, by the leading minors of the symmetric part.
static bool is_definite(const double m[9], double margin)
{
  double largest = 0;
  for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(m[i]));
  if (largest == 0) return margin > 0;
  const double a = m[0] / largest + margin, b = m[4] / largest + margin, c = m[8] / largest + margin;
  const double x = 0.5 * (m[1] + m[3]) / largest, y = 0.5 * (m[2] + m[6]) / largest, z = 0.5 * (m[5] + m[7]) / largest;
  return a > 0 && a * b - x * x > 0 && a * (b * c - z * z) - x * (x * c - z * y) + y * (x * z - b * y) > 0;
}

srs_status srs_layer_check(const srs_compliant_layer *layer, const char *material, srs_error *error)
{
  if (!srs_layer_exists(layer)) {
    if (layer->thickness == 0) return SRS_OK;
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, material,
                    "the layer of '%s' must have a thickness above 0, not %g", material, layer->thickness);
  }
  for (int i = 0; i < 9; i++)
    if (!isfinite(layer->stiffness[i]) || !isfinite(layer->damping[i]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, material,
                      "stiffness or damping of the layer of '%s' is not finite", material);
  for (int i = 0; i < 9; i += 4)
    if (!(layer->stiffness[i] > 0) || !(layer->damping[i] >= 0))
      return srs_fail(
          error, SRS_ERROR_ARGUMENT, NULL, 0, 0, material,
          "the layer of '%s' needs stiffnesses above 0 and dampings of 0 or more along each axis, not %g and "
          "%g",
          material, layer->stiffness[i], layer->damping[i]);
  const bool is_stiff = is_definite(layer->stiffness, 0);
  if (!is_stiff || !is_definite(layer->damping, 1e-6))
    return srs_fail(
        error, SRS_ERROR_ARGUMENT, NULL, 0, 0, material,
        "the %s of the layer of '%s' pushes along some direction that it is moved in; lower what is off the "
        "diagonal until the symmetric part is positive definite",
        is_stiff ? "damping" : "stiffness", material);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Materials
// ---------------------------------------------------------------------------------------------------------------------

static srs_status check_value(const char *what, const char *name, double value, double most, srs_error *error)
{
  if (isnan(value) || (value >= 0 && value <= most)) return SRS_OK;
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "%s of '%s' must be between 0 and %g, not %g", what,
                  name, most, value);
}

static const srs_material *material_of(const srs_contact_settings *o, const char *name)
{
  for (int i = 0; i < o->n_materials; i++)
    if (strcmp(o->materials[i].name, name) == 0) return &o->materials[i];
  return NULL;
}

srs_material srs_default_material(const char *name)
{
  return (srs_material){
      .name = name, .friction = NAN, .restitution = NAN, .torsional = NAN, .rolling = NAN, .along = 1, .across = 1};
}

static srs_status check_material(const srs_material *m, srs_error *error)
{
  srs_status status = check_value("friction", m->name, m->friction, 1e6, error);
  if (status == SRS_OK) status = check_value("restitution", m->name, m->restitution, 1, error);
  if (status == SRS_OK) status = check_value("torsional", m->name, m->torsional, 1e3, error);
  if (status == SRS_OK) status = check_value("rolling", m->name, m->rolling, 1e3, error);
  if (status == SRS_OK) status = srs_layer_check(&m->layer, m->name, error);
  if (status != SRS_OK || norm3(vec3_load(m->direction)) == 0) return status;
  if (isfinite(norm3(vec3_load(m->direction))) && m->along >= 1e-3 && m->along <= 1e3 && m->across >= 1e-3 &&
      m->across <= 1e3)
    return SRS_OK;
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, m->name,
                  "anisotropy of '%s': along and across must be between 0.001 and 1000, direction finite", m->name);
}

static v3 direction_on_link(const srs_model *m, const srs_shape *shape, const double *direction)
{
  const vec3 d = vec3_load(direction);
  const double length = norm3(d);
  if (length == 0) return v3_zero;
  const vec3 on_frame = rotate(mat3_from_rows(shape->pose.rotation), scale3(1 / length, d));
  const vec3 on_link =
      shape->frame >= 0 ? rotate(mat3_from_rows(m->frames[shape->frame].pose.rotation), on_frame) : on_frame;
  return (v3){on_link.x, on_link.y, on_link.z};
}

static void set_anisotropy(struct srs_constraints *c, const srs_model *m, int shape, const srs_material *material)
{
  shape_anisotropy *g = &c->anisotropy[shape];
  if (!isnan(material->torsional)) g->torsional = material->torsional;
  if (!isnan(material->rolling)) g->rolling = material->rolling;
  g->direction = direction_on_link(m, &m->shapes[shape], material->direction);
  g->along = material->along, g->across = material->across;
  g->layer = material->layer;
}

static void find_roundness(struct srs_constraints *c, const srs_model *m)
{
  bool has_anisotropy = false, resists_spin = false;
  for (int i = 0; i < m->n_shapes; i++) {
    has_anisotropy = has_anisotropy || dot(c->anisotropy[i].direction, c->anisotropy[i].direction) > 0;
    resists_spin = resists_spin || c->anisotropy[i].torsional > 0;
    c->has_rolling = c->has_rolling || c->anisotropy[i].rolling > 0;
  }
  for (int i = 0; i < c->n_overrides; i++) {
    resists_spin = resists_spin || c->overrides[i].torsional > 0;
    c->has_rolling = c->has_rolling || c->overrides[i].rolling > 0;
  }
  c->is_round = !has_anisotropy && !resists_spin && !c->has_rolling;
  c->contact_rows = 3 + resists_spin + 2 * c->has_rolling;
}

static void find_planar_trees(struct srs_constraints *c, const srs_model *m)
{
  srs_find_tree_motions(c->workspace, c->tree_motion);
  for (int k = 0; k < m->n_links; k++)
    c->has_planar_trees = c->has_planar_trees || (m->parent[k] < 0 && c->tree_motion[k].kind == SRS_TREE_PLANAR);
}

static srs_status set_materials(struct srs_constraints *c, const srs_model *m, const srs_contact_settings *o,
                                srs_error *error)
{
  for (int i = 0; i < o->n_materials; i++) {
    const srs_status status = check_material(&o->materials[i], error);
    if (status != SRS_OK) return status;
  }
  for (int i = 0; i < m->n_shapes; i++) {
    const char *name = m->shapes[i].material;
    c->friction[i] = o->friction;
    c->restitution[i] = o->restitution;
    c->anisotropy[i] = (shape_anisotropy){
        .torsional = o->torsional, .rolling = o->rolling, .along = 1, .across = 1, .direction = v3_zero};
    if (name == NULL || name[0] == '\0') continue;
    const srs_material *material = material_of(o, name);
    const srs_file_material *of_file = material == NULL ? srs_file_material_of(&m->file, name) : NULL;
    if (of_file != NULL) {
      c->friction[i] = srs_file_own_friction(of_file);
      c->anisotropy[i].torsional = srs_file_torque_length(c->friction[i], srs_file_own_torsional(of_file));
      c->anisotropy[i].rolling = srs_file_torque_length(c->friction[i], srs_file_own_rolling(of_file));
      continue;
    }
    if (material == NULL)
      return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name, "there is no material '%s'; list it among the materials",
                      name);
    if (!isnan(material->friction)) c->friction[i] = material->friction;
    if (!isnan(material->restitution)) c->restitution[i] = material->restitution;
    set_anisotropy(c, m, i, material);
  }
  return SRS_OK;
}

static bool goes_by(const srs_model *m, int shape, const char *name)
{
  const srs_shape *s = &m->shapes[shape];
  return strcmp(s->name, name) == 0 || strcmp(s->material, name) == 0 ||
         (s->frame >= 0 && strcmp(m->frames[s->frame].name, name) == 0);
}

static srs_status known(const srs_model *m, const srs_contact_settings *o, const char *name, srs_error *error)
{
  for (int i = 0; i < m->n_shapes; i++)
    if (goes_by(m, i, name)) return SRS_OK;
  if (material_of(o, name) != NULL) return SRS_OK;
  return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name, "no material, shape or frame is called '%s'", name);
}

static int compare_overrides(const void *left, const void *right)
{
  const pair_override *a = left, *b = right;
  if (a->shape_a != b->shape_a) return a->shape_a < b->shape_a ? -1 : 1;
  if (a->shape_b != b->shape_b) return a->shape_b < b->shape_b ? -1 : 1;
  return a->turn < b->turn ? -1 : a->turn > b->turn;
}

// Leaves one entry per pair; later ones override earlier ones.
static void merge_overrides(struct srs_constraints *c)
{
  if (c->n_overrides == 0) return;
  qsort(c->overrides, (size_t)c->n_overrides, sizeof *c->overrides, compare_overrides);
  int n = 0;
  for (int i = 1; i < c->n_overrides; i++) {
    const pair_override *p = &c->overrides[i];
    pair_override *last = &c->overrides[n];
    if (p->shape_a != last->shape_a || p->shape_b != last->shape_b) {
      c->overrides[++n] = *p;
      continue;
    }
    if (!isnan(p->friction)) last->friction = p->friction;
    if (!isnan(p->restitution)) last->restitution = p->restitution;
    if (!isnan(p->torsional)) last->torsional = p->torsional;
    if (!isnan(p->rolling)) last->rolling = p->rolling;
  }
  c->n_overrides = n + 1;
}

const pair_override *srs_override_of(const struct srs_constraints *c, int shape_a, int shape_b)
{
  for (int low = 0, high = c->n_overrides; low < high;) {
    const int middle = (low + high) / 2;
    const pair_override *p = &c->overrides[middle];
    if (p->shape_a == shape_a && p->shape_b == shape_b) return p;
    if (p->shape_a < shape_a || (p->shape_a == shape_a && p->shape_b < shape_b))
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static bool keep_override(struct srs_constraints *c, int *room, pair_override override)
{
  if (c->n_overrides == *room) {
    *room = *room > 0 ? 2 * *room : 16;
    pair_override *larger = realloc(c->overrides, (size_t)*room * sizeof *larger);
    if (larger == NULL) return false;
    c->overrides = larger;
  }
  c->overrides[c->n_overrides++] = override;
  return true;
}

// Shapes whose file says how their friction combines, and its pairs; what the settings say comes later.
static bool set_file_overrides(struct srs_constraints *c, const srs_model *m, const srs_contact_settings *o, int *room)
{
  const srs_file_settings *file = &m->file;
  for (int i = 0; i < m->n_shapes && file->n_materials > 0; i++) {
    const srs_file_material *a = srs_file_material_of(file, m->shapes[i].material);
    for (int j = i + 1; j < m->n_shapes && a != NULL && material_of(o, a->name) == NULL; j++) {
      const srs_file_material *b = srs_file_material_of(file, m->shapes[j].material);
      srs_file_grip grip;
      if (a == b || !srs_file_friction(a, b, &grip) || material_of(o, b->name) != NULL) continue;
      const pair_override p = {i,
                               j,
                               grip.friction,
                               NAN,
                               srs_file_torque_length(grip.friction, grip.torsional),
                               srs_file_torque_length(grip.friction, grip.rolling),
                               -2};
      if (!keep_override(c, room, p)) return false;
    }
  }
  for (int k = 0; k < file->n_pairs; k++) {
    const srs_file_pair *pair = &file->pairs[k];
    for (int i = 0; i < m->n_shapes && pair->has_friction; i++)
      for (int j = i + 1; j < m->n_shapes; j++) {
        const char *a = m->shapes[i].name, *b = m->shapes[j].name;
        if (!(strcmp(a, pair->a) == 0 && strcmp(b, pair->b) == 0) &&
            !(strcmp(a, pair->b) == 0 && strcmp(b, pair->a) == 0))
          continue;
        const srs_file_grip *grip = &pair->grip;
        const pair_override p = {i,
                                 j,
                                 grip->friction,
                                 NAN,
                                 srs_file_torque_length(grip->friction, grip->torsional),
                                 srs_file_torque_length(grip->friction, grip->rolling),
                                 -1};
        if (!keep_override(c, room, p)) return false;
      }
  }
  return true;
}

static srs_status set_overrides(struct srs_constraints *c, const srs_model *m, const srs_contact_settings *o,
                                srs_error *error)
{
  int room = 0;
  if (!set_file_overrides(c, m, o, &room))
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for material pairs");
  for (int p = 0; p < o->n_pairs; p++) {
    const srs_material_pair *pair = &o->pairs[p];
    srs_status status = known(m, o, pair->a, error);
    if (status == SRS_OK) status = known(m, o, pair->b, error);
    if (status == SRS_OK) status = check_value("friction", pair->a, pair->friction, 1e6, error);
    if (status == SRS_OK) status = check_value("restitution", pair->a, pair->restitution, 1, error);
    if (status == SRS_OK) status = check_value("torsional", pair->a, pair->torsional, 1e3, error);
    if (status == SRS_OK) status = check_value("rolling", pair->a, pair->rolling, 1e3, error);
    if (status != SRS_OK) return status;
    for (int i = 0; i < m->n_shapes; i++)
      for (int j = i + 1; j < m->n_shapes; j++) {
        if (!(goes_by(m, i, pair->a) && goes_by(m, j, pair->b)) && !(goes_by(m, i, pair->b) && goes_by(m, j, pair->a)))
          continue;
        const pair_override own = {i, j, pair->friction, pair->restitution, pair->torsional, pair->rolling, p};
        if (!keep_override(c, &room, own))
          return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for material pairs");
      }
  }
  merge_overrides(c);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------------------------

typedef struct named_shape {
  const char *frame, *name; // "" for the world, or where it has none
  int shape;
} named_shape;

static int compare_names(const void *left, const void *right)
{
  const named_shape *a = left, *b = right;
  const int by_frame = strcmp(a->frame, b->frame), by_name = by_frame != 0 ? by_frame : strcmp(a->name, b->name);
  return by_name != 0 ? by_name : a->shape < b->shape ? -1 : a->shape > b->shape;
}

static srs_status rank_shapes(struct srs_constraints *c, const srs_model *m, srs_error *error)
{
  const size_t n = (size_t)m->n_shapes;
  named_shape *shapes = malloc((n + 1) * sizeof *shapes);
  if (shapes == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for contacts");
  for (int i = 0; i < m->n_shapes; i++) {
    const srs_shape *s = &m->shapes[i];
    shapes[i] = (named_shape){s->frame >= 0 ? m->frames[s->frame].name : "", s->name, i};
  }
  qsort(shapes, n, sizeof *shapes, compare_names);
  for (int i = 0; i < m->n_shapes; i++) c->shape_rank[shapes[i].shape] = i;
  c->n_shapes = m->n_shapes;
  free(shapes);
  return SRS_OK;
}

srs_status srs_contact_materials_create(struct srs_constraints *c, const srs_model *m, const srs_contact_settings *o,
                                        srs_error *error)
{
  srs_status status = set_materials(c, m, o, error);
  if (status == SRS_OK) status = set_overrides(c, m, o, error);
  if (status == SRS_OK) status = rank_shapes(c, m, error);
  if (status == SRS_OK) srs_measure_reach(c, m);
  if (status == SRS_OK) find_roundness(c, m);
  if (status == SRS_OK) find_planar_trees(c, m);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Material of a contact
// ---------------------------------------------------------------------------------------------------------------------

void srs_find_material(const struct srs_constraints *c, const srs_contact_settings *o, active_contact *a, int shape_a,
                       int shape_b)
{
  a->friction = srs_combine(o->friction_rule, c->friction[shape_a], c->friction[shape_b]);
  a->restitution = srs_combine(o->restitution_rule, c->restitution[shape_a], c->restitution[shape_b]);
  const pair_override *p = srs_override_of(c, shape_a, shape_b);
  if (p != NULL && !isnan(p->friction)) a->friction = p->friction;
  if (p != NULL && !isnan(p->restitution)) a->restitution = p->restitution;
  a->n_rows = a->n_forces = 3;
  a->anisotropy[0] = a->anisotropy[1] = 1, a->anisotropy[2] = a->rolling = 0;
  if (c->is_round) return;
  a->anisotropy[2] = fmax(c->anisotropy[shape_a].torsional, c->anisotropy[shape_b].torsional);
  if (p != NULL && !isnan(p->torsional)) a->anisotropy[2] = p->torsional;
  const bool resists_spin = a->anisotropy[2] > 0;
  a->rolling = fmax(c->anisotropy[shape_a].rolling, c->anisotropy[shape_b].rolling);
  if (p != NULL && !isnan(p->rolling)) a->rolling = p->rolling;
  a->first_torque = resists_spin ? 0 : 1;
  a->n_rows = 3 + resists_spin + (a->rolling > 0 ? 2 : 0);
  if (a->rolling > 0 && !resists_spin) a->anisotropy[2] = a->rolling;
}

static double contrast(const shape_anisotropy *g)
{
  return dot(g->direction, g->direction) > 0 ? fabs(log(g->along / g->across)) : 0;
}

const shape_anisotropy *srs_anisotropy_of(const struct srs_constraints *c, int first, int second, bool *is_second)
{
  *is_second = contrast(&c->anisotropy[second]) > contrast(&c->anisotropy[first]);
  const shape_anisotropy *g = &c->anisotropy[*is_second ? second : first];
  return dot(g->direction, g->direction) > 0 ? g : NULL;
}
