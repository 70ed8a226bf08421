// Contact points of boxes, hulls and polygons by the ratio metric.
//
// Two polygons, whose mechanism moves in their plane, have contact points of two dimensions: a corner in front and one
// behind are one. With boxes and hulls they are prisms.
//
// Along the optimum's unit normal the bodies are (r - 1) / |n| apart. If that is within the margin, all events up to t
// = 1 + margin / (i1 + i2) are examined, since |n| <= 1 / (i1 + i2) with the inradii i; those with gap <= margin are
// the contact points. Events of less t than r push along other normals than the one that separates the bodies: a box
// that lies on a table near its rim would be pushed over it. Only those as good as the optimum, to a tenth of |r - 1|,
// are taken.
//
// A pair starts from the facets that carried it last time. These stand in a hash table; another pair with the same
// place takes it over and starts anew. Since a start changes no bit of the result, the table is not part of a
// simulation's state: restored runs and queries out of turn give the same results.
//
// Flat faces make many events of one point: corner on face, and edges that end there on others. One of each is kept.
#include "collision/world/ratio_pairs.h"
#include "collision/manifold/reduce.h"
#include "collision/ratio/ratio_events.h"
#include "collision/world/polygon_plane.h"
#include "topology/base/errors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const double SAME_POINT = 1e-6; // of the smaller body's reach
static const double SAME_NORMAL = 1e-6;
static const double ROUNDING = 1e-9, AS_GOOD = 0.1;
enum { LEAST_KNOWN = 64, KNOWN_EACH = 8 }; // places in the table, and for each geometry

typedef struct srs_ratio_known {
  int first, second; // the pair that has this place; 0, 0: none
  srs_ratio_start start;
} srs_ratio_known;

// ---------------------------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------------------------

bool srs_ratio_pairs_has(const srs_ratio_pairs *p, int i, int j)
{
  if (p->polytopes == NULL || p->polytopes[i] == NULL || p->polytopes[j] == NULL) return false;
  if (p->on.n > 0 && srs_pair_set_has(&p->on, i, j)) return true;
  return p->everywhere && !(p->off.n > 0 && srs_pair_set_has(&p->off, i, j));
}

static bool is_polyhedron(const srs_geometries *m, int i) { return m->solids[i].hull != NULL; }

static bool can_go(const srs_geometries *m, const srs_pair_set *set)
{
  for (int k = 0; k < set->n; k++)
    if (is_polyhedron(m, (int)(set->keys[k] >> 32)) && is_polyhedron(m, (int)(set->keys[k] & 0xffffffff))) return true;
  return false;
}

// A named pair that cannot have the metric is a mistake.
static srs_status check_pairs(const srs_geometries *m, const char *const *names, srs_arena *arena, srs_error *error)
{
  for (const char *const *name = names; name != NULL && *name != NULL; name += 2) {
    const char *const one[] = {name[0], name[1], NULL};
    srs_pair_set set;
    const srs_status status = srs_pair_set_make(m, one, "ratio-metric", arena, &set, error);
    if (status != SRS_OK) return status;
    if (can_go(m, &set)) continue;
    if (set.n == 0)
      return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name[0],
                      "ratio-metric pairs: '%s' and '%s' have no two shapes that could collide", name[0], name[1]);
    char first[96], second[96];
    const int a = m->shape[set.keys[0] >> 32], b = m->shape[set.keys[0] & 0xffffffff];
    return srs_fail(
        error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, m->model->shapes[a].name,
        "ratio-metric pairs: shapes %s (%s) and %s (%s) are not both boxes, hulls or polygons, which alone have the "
        "ratio metric; name the pair under euclidean",
        srs_shape_title(m->model, a, first), srs_shape_kind_name(m->model->shapes[a].kind),
        srs_shape_title(m->model, b, second), srs_shape_kind_name(m->model->shapes[b].kind));
  }
  return SRS_OK;
}

static srs_status make_room(int n_geometries, srs_arena *arena, srs_ratio_pairs *p, srs_error *error)
{
  p->n_known = LEAST_KNOWN;
  while (p->n_known < KNOWN_EACH * (long)n_geometries && p->n_known <= INT_MAX / 4) p->n_known *= 2;
  p->polytopes = srs_arena_take(arena, (size_t)n_geometries, sizeof *p->polytopes);
  p->polygons = srs_arena_take(arena, (size_t)n_geometries, sizeof *p->polygons);
  p->events = srs_arena_take(arena, SRS_RATIO_EVENTS, sizeof *p->events);
  p->touches = srs_arena_take(arena, SRS_RATIO_EVENTS, sizeof *p->touches);
  p->known = srs_arena_take(arena, (size_t)p->n_known, sizeof *p->known);
  if (arena->failed) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for the ratio metric");
  for (int i = 0; i < n_geometries; i++) p->polytopes[i] = p->polygons[i] = NULL;
  for (int i = 0; i < p->n_known; i++) p->known[i] = (srs_ratio_known){0};
  p->n = n_geometries;
  return SRS_OK;
}

// In two dimensions.
static srs_status make_polygon(const srs_shape *s, srs_polytope **polygon, srs_error *error)
{
  double *points = malloc(2 * (size_t)s->n_points * sizeof *points);
  if (points == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for a polygon");
  for (size_t i = 0; i < (size_t)s->n_points; i++) memcpy(points + 2 * i, s->points + 3 * i, 2 * sizeof *points);
  const srs_status status = srs_polytope_create(points, s->n_points, 2, NULL, polygon, error);
  free(points);
  return status;
}

static srs_status make_polytopes(const srs_geometries *m, srs_arena *arena, srs_ratio_pairs *p, srs_error *error)
{
  const srs_status made = make_room(m->n, arena, p, error);
  if (made != SRS_OK) return made;
  for (int i = 0; i < m->n; i++) {
    if (!is_polyhedron(m, i)) continue;
    const bool is_box = m->solids[i].kind == SRS_SHAPE_BOX; // its middle, exactly
    const srs_status status =
        srs_polytope_from_hull(m->solids[i].hull, is_box ? &vec3_zero : NULL, &p->polytopes[i], error);
    if (status != SRS_OK) return status;
    const srs_shape *shape = &m->model->shapes[m->shape[i]];
    const srs_status flat = shape->kind == SRS_SHAPE_POLYGON ? make_polygon(shape, &p->polygons[i], error) : SRS_OK;
    if (flat != SRS_OK) return flat;
  }
  return SRS_OK;
}

srs_status srs_ratio_pairs_make(const srs_geometries *m, const srs_collider_options *options, srs_arena *arena,
                                srs_ratio_pairs *p, srs_error *error)
{
  *p = (srs_ratio_pairs){.everywhere = options->distance == SRS_DISTANCE_RATIO_METRIC};
  srs_status status = srs_pair_set_make(m, options->ratio_metric, "ratio-metric", arena, &p->on, error);
  if (status == SRS_OK) status = check_pairs(m, options->ratio_metric, arena, error);
  if (status == SRS_OK) status = srs_pair_set_make(m, options->euclidean, "euclidean", arena, &p->off, error);
  if (status != SRS_OK || (!p->everywhere && p->on.n == 0)) return status;
  return make_polytopes(m, arena, p, error);
}

void srs_ratio_pairs_release(srs_ratio_pairs *p)
{
  for (int i = 0; i < p->n; i++) {
    srs_polytope_destroy(p->polytopes[i]);
    srs_polytope_destroy(p->polygons[i]);
  }
  p->n = 0;
}

static srs_status refuse_planes(const srs_geometries *m, int i, int j, const srs_plane *a, const srs_plane *b,
                                srs_error *error)
{
  char first[96], second[96];
  const srs_model *model = m->model;
  (void)srs_shape_title(model, m->shape[i], first);
  (void)srs_shape_title(model, m->shape[j], second);
  const char *name = model->shapes[m->shape[i]].name;
  const int joint = a->joint >= 0 ? a->joint : b->joint;
  if (joint < 0)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, name,
                    "polygons %s and %s lie in different planes: by the ratio metric they meet in one plane only; put "
                    "them into one, exclude the pair, or name it under euclidean, where they are prisms",
                    first, second);
  return srs_fail(
      error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, name,
      "polygons %s and %s meet by the ratio metric in their plane, but the %s joint '%.60s' moves %s out of "
      "it: use planar, revolute or prismatic joints in the plane, hulls, or name the pair under euclidean",
      first, second, srs_joint_kind_name(model->joints[joint].kind), model->joints[joint].name,
      a->joint >= 0 ? first : second);
}

srs_status srs_ratio_pairs_check_planes(const srs_ratio_pairs *p, const srs_geometries *m, const srs_filter *filter,
                                        srs_error *error)
{
  for (int i = 0; i < p->n; i++) {
    if (p->polygons[i] == NULL) continue;
    const srs_plane a = srs_plane_of_geometry(m, i);
    for (int j = i + 1; j < p->n; j++) {
      if (p->polygons[j] == NULL || !srs_filter_passes(filter, i, j) || !srs_ratio_pairs_has(p, i, j)) continue;
      const srs_plane b = srs_plane_of_geometry(m, j);
      const double size = p->polytopes[i]->reach + p->polytopes[j]->reach;
      if (a.joint >= 0 || b.joint >= 0 || !srs_planes_are_one(&a, &b, size))
        return refuse_planes(m, i, j, &a, &b, error);
    }
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contact points
// ---------------------------------------------------------------------------------------------------------------------

static vec3 unit_normal(const srs_ratio_event *e)
{
  const vec3 n = vec3_load(e->normal);
  return scale3(1 / norm3(n), n);
}

static bool have_one_normal(const srs_ratio_event *a, const srs_ratio_event *b)
{
  return norm3(sub3(unit_normal(a), unit_normal(b))) <= SAME_NORMAL;
}

static bool are_alike(const srs_ratio_event *a, const srs_ratio_event *b, double near)
{
  return norm3(sub3(vec3_load(a->point_1), vec3_load(b->point_1))) <= near &&
         norm3(sub3(vec3_load(a->point_2), vec3_load(b->point_2))) <= near && have_one_normal(a, b);
}

static int drop_copies(srs_ratio_event *events, int n, double margin, double near)
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    bool is_new = events[i].gap <= margin;
    for (int k = 0; k < kept && is_new; k++) is_new = !are_alike(&events[i], &events[k], near);
    if (is_new) events[kept++] = events[i];
  }
  return kept;
}

// Of too many events with one normal only those that bound the contact area stay; the others get the gap INFINITY.
static void thin_out(srs_ratio_pairs *p, int first, int n)
{
  int size = 0;
  for (int i = first; i < n; i++) {
    const srs_ratio_event *e = &p->events[i];
    if (e->gap == INFINITY || !have_one_normal(e, &p->events[first])) continue;
    p->touches[size++] = (srs_touch){vec3_load(e->point_2), vec3_load(e->point_1), unit_normal(e), e->gap, (uint32_t)i};
  }
  if (size <= SRS_MANIFOLD_POINTS) return;
  bool is_kept[SRS_RATIO_EVENTS] = {false}, is_of_it[SRS_RATIO_EVENTS] = {false};
  for (int k = 0; k < size; k++) is_of_it[p->touches[k].feature] = true;
  const int left = srs_manifold_reduce(p->touches, size);
  for (int k = 0; k < left; k++) is_kept[p->touches[k].feature] = true;
  for (int i = first; i < n; i++)
    if (is_of_it[i] && !is_kept[i]) p->events[i].gap = INFINITY;
}

// The place of a pair in the table.
static srs_ratio_start *start_of(srs_ratio_pairs *p, int first, int second)
{
  const uint64_t mixed = ((uint64_t)first << 32 | (uint64_t)second) * 0x9e3779b97f4a7c15U;
  srs_ratio_known *known = &p->known[(mixed >> 32) & (uint64_t)(p->n_known - 1)];
  if (known->first != first || known->second != second) *known = (srs_ratio_known){.first = first, .second = second};
  return &known->start;
}

int srs_ratio_pairs_events(srs_ratio_pairs *p, const srs_geometries *m, int first, int second, double margin)
{
  const srs_placed *a = &m->placed[first], *b = &m->placed[second];
  const bool is_flat = p->polygons[first] != NULL && p->polygons[second] != NULL;
  const srs_polytope *one = is_flat ? p->polygons[first] : p->polytopes[first];
  const srs_polytope *two = is_flat ? p->polygons[second] : p->polytopes[second];
  srs_polytope_pair pair;
  srs_ratio ratio;
  if (!srs_polytope_pair_make(one, a->axes, a->origin, two, b->axes, b->origin, &pair)) return -1;
  srs_ratio_solve_again(&pair, start_of(p, first, second), &ratio, NULL);
  if (!(ratio.r > 0)) return -1;
  if ((ratio.r - 1) / norm3(vec3_load(ratio.normal)) > margin) return 0;
  const double size = fmin(one->reach, two->reach);
  const double epsilon_t = fmax(1 + margin / (one->inradius + two->inradius) - ratio.r, ROUNDING);
  const srs_ratio_event_options options = {.epsilon_x = fmax(margin, ROUNDING * size),
                                           .epsilon_t = epsilon_t,
                                           .epsilon_0 = ROUNDING + AS_GOOD * fabs(ratio.r - 1) * fmin(ratio.r, 1),
                                           .epsilon_h = epsilon_t};
  const int found = srs_ratio_find_events(&pair, &ratio, &options, p->events, SRS_RATIO_EVENTS);
  const int n = drop_copies(p->events, found < SRS_RATIO_EVENTS ? found : SRS_RATIO_EVENTS, margin, SAME_POINT * size);
  for (int i = 0; i < n; i++)
    if (p->events[i].gap < INFINITY) thin_out(p, i, n);
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (p->events[i].gap < INFINITY) p->events[kept++] = p->events[i];
  return kept;
}
