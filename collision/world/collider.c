// The collider: contact points and overlaps of the shapes of a model at given placements.
//
// Geometries are placed; the broad phase finds the pairs with overlapping bounds (broad_phase.c); the narrow phase
// finds the contact points of each pair (narrow_phase.c), in order of the shapes. All memory is allocated when the
// collider is made (but for pairs in heaps denser than usual), and each call overwrites what the one before wrote
// there.
#include "collision/world/collider.h"
#include "collision/world/pair_count.h"
#include "collision/world/self_overlaps.h"
#include "topology/base/errors.h"
#include "topology/model/shape_kind.h"

#include <limits.h>
#include <stdlib.h>

srs_collider_options srs_default_collider_options(void) { return (srs_collider_options){0}; }

// ---------------------------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------------------------

static bool are_planes(srs_shape_kind a, srs_shape_kind b)
{
  return a == SRS_SHAPE_HALF_SPACE && b == SRS_SHAPE_HALF_SPACE;
}

// What a kind can meet instead.
static const char *known_pairs(srs_shape_kind a, srs_shape_kind b)
{
  if (are_planes(a, b)) return ", both are unbounded";
  if (a == SRS_SHAPE_PARABOLOID || b == SRS_SHAPE_PARABOLOID)
    return " (a paraboloid collides with half-spaces, spheres, ellipsoids, superellipsoids and paraboloids)";
  if (a == SRS_SHAPE_SUPERELLIPSOID || b == SRS_SHAPE_SUPERELLIPSOID)
    return " (a superellipsoid collides with half-spaces, spheres, boxes, cylinders, ellipsoids, superellipsoids and "
           "paraboloids)";
  if (srs_shape_table[a].is_ground || srs_shape_table[b].is_ground)
    return " (ground collides with spheres, boxes, cylinders, capsules, cones, hulls and surfaces; a mesh of a URDF "
           "that "
           "stands still is a hull with <sarrus collide=\"hull\"/>)";
  return "";
}

static srs_status refuse_pair(const srs_geometries *m, int i, int j, srs_error *error)
{
  char first[96], second[96];
  const srs_shape_kind a = m->solids[i].kind, b = m->solids[j].kind;
  return srs_fail(
      error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, m->model->shapes[m->shape[i]].name,
      "shapes %s (%s) and %s (%s) cannot collide in this version%s: exclude the pair, separate them by group "
      "and mask, or make one visual",
      srs_shape_title(m->model, m->shape[i], first), srs_shape_kind_name(a),
      srs_shape_title(m->model, m->shape[j], second), srs_shape_kind_name(b), known_pairs(a, b));
}

static bool may_meet_by_pairs(srs_shape_kind a, srs_shape_kind b)
{
  return srs_kinds_collide(a, b) || !are_planes(a, b);
}

// Names the first pair without a method.
static srs_status refuse_first_pair(const srs_collider *c, srs_kinds_function *has_method, srs_error *error)
{
  const srs_geometries *m = &c->geometries;
  for (int i = 0; i < m->n; i++)
    for (int j = i + 1; j < m->n; j++)
      if (srs_filter_passes(&c->filter, i, j) && !has_method(m->solids[i].kind, m->solids[j].kind))
        return refuse_pair(m, i, j, error);
  return SRS_OK;
}

static srs_status count_pairs(const srs_collider *c, bool is_for_pairs, int *n_pairs, srs_error *error)
{
  srs_kinds_function *const has_method = is_for_pairs ? may_meet_by_pairs : srs_kinds_collide;
  long n;
  bool refused;
  if (!srs_count_pairs(&c->filter, has_method, &n, &refused))
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for a collider");
  if (refused) {
    const srs_status status = refuse_first_pair(c, has_method, error);
    if (status != SRS_OK) return status;
  }
  if (n > INT_MAX)
    return srs_fail(error, SRS_ERROR_CAPACITY, NULL, 0, 0, NULL,
                    "%ld pairs of shapes may collide, more than can be counted here; separate them by group and mask",
                    n);
  *n_pairs = (int)n;
  return SRS_OK;
}

// What a collider is made for, and from.
typedef struct purpose {
  bool is_for_pairs;
  const srs_collider *alike; // or NULL
} purpose;

static srs_status leave_out_overlaps(srs_collider *c, const srs_collider *alike, srs_error *error)
{
  if (alike != NULL) return srs_self_overlaps_take(&alike->filter, &c->filter, &c->memory, error);
  return srs_self_overlaps_exclude(&c->geometries, &c->narrow_phase, &c->filter, &c->memory, error);
}

static srs_status make(srs_collider *c, const srs_model *model, const srs_collider_options *options, purpose why,
                       srs_error *error)
{
  int n_pairs = 0;
  srs_status status = srs_geometries_make(model, &c->geometries, error);
  if (status == SRS_OK && options->detector == SRS_DETECTOR_BULLET)
    status = srs_geometries_give_to_bullet(&c->geometries, error);
  if (status == SRS_OK) status = srs_filter_make(&c->geometries, options, &c->memory, &c->filter, error);
  if (status == SRS_OK) status = srs_ratio_pairs_make(&c->geometries, options, &c->memory, &c->ratio, error);
  if (status == SRS_OK)
    status = srs_narrow_phase_make(&c->geometries, &c->ratio, options, &c->memory, &c->narrow_phase, error);
  if (status == SRS_OK) status = leave_out_overlaps(c, why.alike, error);
  if (status == SRS_OK) status = count_pairs(c, why.is_for_pairs, &n_pairs, error);
  if (status == SRS_OK)
    status = srs_broad_phase_make(&c->geometries, &c->filter, n_pairs, options->pair_capacity, &c->memory,
                                  &c->broad_phase, error);
  return status == SRS_OK ? srs_ratio_pairs_check_planes(&c->ratio, &c->geometries, &c->filter, error) : status;
}

static srs_status create(const srs_model *model, const srs_collider_options *options, purpose why,
                         srs_collider **collider, srs_error *error)
{
  if (collider != NULL) *collider = NULL;
  if (model == NULL || collider == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_collider_create: an argument is NULL");
  const srs_collider_options chosen = options != NULL ? *options : srs_default_collider_options();
  if (chosen.pair_capacity < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "pair_capacity %d is negative", chosen.pair_capacity);
  srs_collider *c = calloc(1, sizeof *c);
  if (c == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for a collider");
  const srs_status status = make(c, model, &chosen, why, error);
  if (status == SRS_OK)
    *collider = c;
  else
    srs_collider_destroy(c);
  return status;
}

srs_status srs_collider_create(const srs_model *model, const srs_collider_options *options, srs_collider **collider,
                               srs_error *error)
{
  return create(model, options, (purpose){false, NULL}, collider, error);
}

srs_status srs_collider_create_for_pairs(const srs_model *model, const srs_collider_options *options,
                                         srs_collider **collider, srs_error *error)
{
  return create(model, options, (purpose){true, NULL}, collider, error);
}

srs_status srs_collider_create_alike(const srs_collider *other, const srs_collider_options *options,
                                     srs_collider **collider, srs_error *error)
{
  return create(other->geometries.model, options, (purpose){false, other}, collider, error);
}

void srs_collider_destroy(srs_collider *c)
{
  if (c == NULL) return;
  srs_narrow_phase_release(&c->narrow_phase);
  srs_ratio_pairs_release(&c->ratio);
  srs_geometries_release(&c->geometries);
  srs_arena_release(&c->memory);
  free(c);
}

int srs_collider_n_pairs(const srs_collider *c) { return c->broad_phase.n_pairs; }

bool srs_collider_pair(const srs_collider *c, int pair, int *shape_a, int *shape_b)
{
  const srs_geometries *m = &c->geometries;
  for (int i = 0; pair >= 0 && i < m->n; i++)
    for (int j = i + 1; j < m->n; j++) {
      if (!srs_filter_passes(&c->filter, i, j) || pair-- > 0) continue;
      *shape_a = m->shape[i];
      *shape_b = m->shape[j];
      return true;
    }
  return false;
}

bool srs_collider_next_pair(const srs_collider *c, int at[2], int *shape_a, int *shape_b)
{
  const srs_geometries *m = &c->geometries;
  int i = at[0], j = at[1] + 1;
  for (; i < m->n; i++, j = i + 1)
    for (; j < m->n; j++) {
      if (!srs_filter_passes(&c->filter, i, j)) continue;
      *shape_a = m->shape[i], *shape_b = m->shape[j];
      at[0] = i, at[1] = j;
      return true;
    }
  at[0] = i;
  return false;
}

static int geometry_of(const srs_geometries *m, int shape)
{
  for (int i = 0; i < m->n; i++)
    if (m->shape[i] == shape) return i;
  return -1;
}

bool srs_collider_has_pair(const srs_collider *c, int shape_a, int shape_b)
{
  const int a = geometry_of(&c->geometries, shape_a), b = geometry_of(&c->geometries, shape_b);
  return a >= 0 && b >= 0 && a != b && srs_filter_passes(&c->filter, a < b ? a : b, a < b ? b : a);
}

int srs_collider_n_left_out(const srs_collider *c) { return c->filter.n_left_out; }

bool srs_collider_left_out(const srs_collider *c, int pair, int *shape_a, int *shape_b, double *depth)
{
  if (pair < 0 || pair >= c->filter.n_left_out) return false;
  const srs_self_overlap *overlap = &c->filter.left_out[pair];
  *shape_a = c->geometries.shape[overlap->i];
  *shape_b = c->geometries.shape[overlap->j];
  *depth = overlap->depth;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking
// ---------------------------------------------------------------------------------------------------------------------

static srs_status no_argument(const char *function, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s: an argument is NULL", function);
}

srs_status srs_collider_place(srs_collider *c, const srs_pose *links, srs_error *error)
{
  if (srs_geometries_place(&c->geometries, links)) return SRS_OK;
  const srs_model *model = c->geometries.model;
  for (int k = 0; k < model->n_links; k++) {
    const double *numbers = links[k].position; // position and rotation
    bool is_finite = true;
    for (int i = 0; i < 3; i++) is_finite = is_finite && isfinite(numbers[i]);
    for (int i = 0; i < 9; i++) is_finite = is_finite && isfinite(links[k].rotation[i]);
    if (!is_finite)
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, model->links[k].name,
                      "the placement of link '%s' is not finite", model->links[k].name);
  }
  return SRS_OK;
}

// Places the geometries and finds the pairs whose bounds overlap.
static srs_status find_pairs(srs_collider *c, const srs_pose *links, double margin, int *n, srs_error *error)
{
  *n = 0;
  const srs_status status = srs_collider_place(c, links, error);
  if (status != SRS_OK) return status;
  long found = srs_broad_phase_find(&c->broad_phase, margin);
  if (found > c->broad_phase.capacity && c->broad_phase.can_grow) {
    if (!srs_broad_phase_grow(&c->broad_phase, found, &c->memory))
      return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for %ld pairs of shapes", found);
    found = srs_broad_phase_find(&c->broad_phase, margin);
  }
  if (found > c->broad_phase.capacity)
    return srs_fail(error, SRS_ERROR_CAPACITY, NULL, 0, 0, NULL,
                    "%ld pairs of shapes are near each other at once, but pair_capacity is %d", found,
                    c->broad_phase.capacity);
  *n = (int)found;
  return SRS_OK;
}

static srs_status refuse_crowd(const srs_collider *c, const srs_pair *pair, srs_error *error)
{
  const srs_geometries *m = &c->geometries;
  char first[96], second[96];
  return srs_fail(
      error, SRS_ERROR_CAPACITY, NULL, 0, 0, m->model->shapes[m->shape[pair->i]].name,
      "shapes %s and %s touch in more than %d points; give the ground coarser triangles, or the solid in parts",
      srs_shape_title(m->model, m->shape[pair->i], first), srs_shape_title(m->model, m->shape[pair->j], second),
      c->narrow_phase.n_touches);
}

srs_status srs_collider_contacts(srs_collider *c, const srs_pose *links, double margin, srs_contact_point *contacts,
                                 int capacity, int *n, srs_error *error)
{
  return srs_collider_contacts_moving(c, links, NULL, margin, contacts, capacity, n, error);
}

srs_status srs_collider_contacts_moving(srs_collider *c, const srs_pose *links, const double *motion, double margin,
                                        srs_contact_point *contacts, int capacity, int *n, srs_error *error)
{
  if (n != NULL) *n = 0;
  if (c == NULL || n == NULL || (links == NULL && c->geometries.model->n_links > 0) ||
      (contacts == NULL && capacity > 0))
    return no_argument("srs_collider_contacts", error);
  if (!(margin >= 0) || isinf(margin) || capacity < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s must not be negative, and finite",
                    capacity < 0 ? "the capacity for contacts" : "the margin");
  int n_pairs;
  const srs_status status = find_pairs(c, links, margin, &n_pairs, error);
  if (status != SRS_OK) return status;
  c->narrow_phase.motion = motion, c->narrow_phase.links = links;
  long count = 0;
  const srs_pair *crowded = NULL; // a pair with more contact points than there is room to find
  for (int p = 0; p < n_pairs; p++) {
    const srs_pair *pair = &c->broad_phase.found[p];
    const int used = (int)(count < capacity ? count : capacity);
    const int found = srs_geometries_contacts(&c->geometries, &c->narrow_phase, pair->i, pair->j, margin,
                                              contacts + used, capacity - used);
    if (found > c->narrow_phase.n_touches && crowded == NULL) crowded = pair;
    count += found;
  }
  *n = (int)(count < INT_MAX ? count : INT_MAX);
  if (crowded != NULL) return refuse_crowd(c, crowded, error);
  if (count <= capacity) return SRS_OK;
  return srs_fail(error, SRS_ERROR_CAPACITY, NULL, 0, 0, NULL, "there are %ld contacts, but room for %d only", count,
                  capacity);
}

srs_status srs_collider_overlaps(srs_collider *c, const srs_pose *links, double depth,
                                 void (*report)(void *user, const srs_contact_point *deepest), void *user,
                                 srs_error *error)
{
  if (c == NULL || report == NULL || (links == NULL && c->geometries.model->n_links > 0))
    return no_argument("srs_collider_overlaps", error);
  if (!(depth >= 0))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "the depth of overlaps must not be negative");
  int n_pairs;
  const srs_status status = find_pairs(c, links, 0, &n_pairs, error);
  if (status != SRS_OK) return status;
  for (int p = 0; p < n_pairs; p++) {
    srs_contact_point deepest;
    const srs_pair pair = c->broad_phase.found[p];
    const int found = srs_geometries_distance(&c->geometries, &c->narrow_phase, pair.i, pair.j, 0, &deepest);
    if (found > 0 && deepest.gap < -depth) report(user, &deepest);
  }
  return SRS_OK;
}

void srs_collider_resize(srs_collider *c)
{
  for (int i = 0; i < c->geometries.n; i++)
    if (srs_shape_resizes(c->geometries.model->shapes[c->geometries.shape[i]].kind))
      srs_geometry_resize(&c->geometries, i);
  c->broad_phase.n_near = -1; // its list was made for the former bounds
}
