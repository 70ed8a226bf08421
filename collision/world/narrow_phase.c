// The narrow phase: the function that finds the contact points for each pair of kinds, and its result as public
// contacts.
//
// Each function has its own order of the two solids. For two of one kind the first is the one whose frame comes first
// by name, so that the geometry of a contact does not depend on the order in which shapes were added; the result is
// then turned to the order of their indices. Ground is always second. Pairs with the ratio metric are asked first.
#include "collision/world/narrow_phase.h"
#include "collision/manifold/convex.h"
#include "collision/pairs/pairs.h"
#include "collision/terrain/terrain_contacts.h"
#include "topology/base/errors.h"
#include "topology/model/shape_kind.h"

#include <limits.h>

typedef struct pair_method {
  srs_pair_function *find; // NULL: none in this order
  bool is_costly;          // worth a finer look at the bounds first
} pair_method;

#define EACH_WITH_CONVEX(kind)                                                                                         \
  [SRS_SHAPE_CYLINDER] = {kind, true}, [SRS_SHAPE_CONE] = {kind, true}, [SRS_SHAPE_HULL] = {kind, true},               \
  [SRS_SHAPE_ELLIPSOID] = {kind, true}

static const pair_method methods[SRS_SHAPE_KINDS][SRS_SHAPE_KINDS] = {
    [SRS_SHAPE_SPHERE] = {[SRS_SHAPE_SPHERE] = {srs_pair_sphere_sphere, false},
                          [SRS_SHAPE_BOX] = {srs_pair_sphere_box, false},
                          [SRS_SHAPE_CAPSULE] = {srs_pair_sphere_capsule, false},
                          [SRS_SHAPE_CYLINDER] = {srs_pair_sphere_cylinder, false},
                          [SRS_SHAPE_HALF_SPACE] = {srs_pair_sphere_half_space, false},
                          [SRS_SHAPE_CONE] = {srs_pair_convex, true},
                          [SRS_SHAPE_HULL] = {srs_pair_convex, true},
                          [SRS_SHAPE_ELLIPSOID] = {srs_pair_convex, true}},
    [SRS_SHAPE_BOX] = {[SRS_SHAPE_BOX] = {srs_pair_box_box, true},
                       [SRS_SHAPE_CAPSULE] = {srs_pair_box_capsule, true},
                       [SRS_SHAPE_HALF_SPACE] = {srs_pair_box_half_space, false},
                       EACH_WITH_CONVEX(srs_pair_convex)},
    [SRS_SHAPE_CAPSULE] = {[SRS_SHAPE_CAPSULE] = {srs_pair_capsule_capsule, true},
                           [SRS_SHAPE_HALF_SPACE] = {srs_pair_capsule_half_space, false},
                           EACH_WITH_CONVEX(srs_pair_convex)},
    [SRS_SHAPE_CYLINDER] = {[SRS_SHAPE_HALF_SPACE] = {srs_pair_cylinder_half_space, false},
                            EACH_WITH_CONVEX(srs_pair_convex)},
    [SRS_SHAPE_CONE] = {[SRS_SHAPE_HALF_SPACE] = {srs_pair_cone_half_space, false},
                        [SRS_SHAPE_CONE] = {srs_pair_convex, true},
                        [SRS_SHAPE_HULL] = {srs_pair_convex, true},
                        [SRS_SHAPE_ELLIPSOID] = {srs_pair_convex, true}},
    [SRS_SHAPE_HULL] = {[SRS_SHAPE_HALF_SPACE] = {srs_pair_hull_half_space, false},
                        [SRS_SHAPE_HULL] = {srs_pair_convex, true},
                        [SRS_SHAPE_ELLIPSOID] = {srs_pair_convex, true}},
    [SRS_SHAPE_ELLIPSOID] = {[SRS_SHAPE_HALF_SPACE] = {srs_pair_ellipsoid_half_space, false},
                             [SRS_SHAPE_ELLIPSOID] = {srs_pair_convex, true}},
    [SRS_SHAPE_SUPERELLIPSOID] = {[SRS_SHAPE_HALF_SPACE] = {srs_pair_support_half_space, false},
                                  [SRS_SHAPE_SPHERE] = {srs_pair_surface, true},
                                  [SRS_SHAPE_BOX] = {srs_pair_surface, true},
                                  [SRS_SHAPE_CYLINDER] = {srs_pair_surface, true},
                                  [SRS_SHAPE_ELLIPSOID] = {srs_pair_surface, true},
                                  [SRS_SHAPE_PARABOLOID] = {srs_pair_surface, true},
                                  [SRS_SHAPE_SUPERELLIPSOID] = {srs_pair_surface, true}},
    [SRS_SHAPE_PARABOLOID] = {[SRS_SHAPE_HALF_SPACE] = {srs_pair_paraboloid_half_space, false},
                              [SRS_SHAPE_SPHERE] = {srs_pair_surface, true},
                              [SRS_SHAPE_ELLIPSOID] = {srs_pair_surface, true},
                              [SRS_SHAPE_PARABOLOID] = {srs_pair_surface, true}},
    [SRS_SHAPE_SURFACE] = {[SRS_SHAPE_HALF_SPACE] = {srs_pair_hull_half_space, false}}, // of its hull
};

static bool has_triangles(srs_shape_kind kind) { return srs_shape_table[kind].is_ground || kind == SRS_SHAPE_SURFACE; }

static bool meets_triangles(srs_shape_kind kind)
{
  return kind == SRS_SHAPE_SPHERE || kind == SRS_SHAPE_BOX || kind == SRS_SHAPE_CYLINDER || kind == SRS_SHAPE_CAPSULE ||
         kind == SRS_SHAPE_CONE || kind == SRS_SHAPE_HULL || kind == SRS_SHAPE_ELLIPSOID;
}

bool srs_kinds_collide(srs_shape_kind a, srs_shape_kind b)
{
  if (has_triangles(a) && has_triangles(b)) return a == SRS_SHAPE_SURFACE || b == SRS_SHAPE_SURFACE;
  if (methods[a][b].find != NULL || methods[b][a].find != NULL) return true;
  if (has_triangles(a)) return meets_triangles(b);
  if (has_triangles(b)) return meets_triangles(a);
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

// A flat part gives up to SRS_MANIFOLD_POINTS contact points and an edge two, each of which a triangle has three of,
// and corners.
static long most_contacts(const srs_shape *s)
{
  const long n = s->kind != SRS_SHAPE_HEIGHTFIELD ? s->n_triangles : 2L * (s->n_rows - 1) * (s->n_columns - 1);
  return n > INT_MAX ? SRS_GROUND_POINTS : n * (SRS_MANIFOLD_POINTS + 3 * 2 + 3);
}

srs_status srs_narrow_phase_make(srs_geometries *m, srs_ratio_pairs *ratio, const srs_collider_options *options,
                                 srs_arena *arena, srs_narrow_phase *narrow, srs_error *error)
{
  size_t scratch = 0;
  int n_surface = 0, n_other = 0; // most triangles of a surface, and of surfaces and ground
  long most = ratio->polytopes != NULL ? SRS_RATIO_EVENTS : SRS_MANIFOLD_POINTS;
  if (most < (long)SRS_SIDES * SRS_MANIFOLD_POINTS) most = (long)SRS_SIDES * SRS_MANIFOLD_POINTS;
  for (int i = 0; i < m->n; i++) {
    if (!m->has_triangles[i]) continue;
    const int n_triangles = m->terrain[i]->n_triangles;
    const bool is_surface = m->solids[i].kind == SRS_SHAPE_SURFACE;
    if (is_surface && n_triangles > n_surface) n_surface = n_triangles;
    if (n_triangles > n_other) n_other = n_triangles;
    const size_t size = srs_terrain_scratch_size(m->terrain[i]);
    const long own = most_contacts(&m->model->shapes[m->shape[i]]);
    scratch = size > scratch ? size : scratch;
    most = is_surface ? SRS_GROUND_POINTS : own > most ? own : most;
  }
  narrow->n_touches = (int)(most < SRS_GROUND_POINTS ? most : SRS_GROUND_POINTS);
  narrow->touches = srs_arena_take(arena, (size_t)narrow->n_touches, sizeof *narrow->touches);
  narrow->terrain = srs_arena_take(arena, scratch, 1);
  if (n_surface > 0) srs_surface_scratch_make(arena, n_surface, n_other, narrow->n_touches, &narrow->surface);
  narrow->ratio = ratio;
  narrow->makes_sides = options->makes_sides;
  const bool asks_bullet = options->detector == SRS_DETECTOR_BULLET;
  narrow->bullet = asks_bullet ? srs_bullet_pair_create() : NULL;
  if (arena->failed || (asks_bullet && narrow->bullet == NULL))
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for a collider");
  return srs_coplanar_make(m, arena, &narrow->coplanar, error);
}

void srs_narrow_phase_release(srs_narrow_phase *narrow)
{
  srs_bullet_pair_destroy(narrow->bullet);
  narrow->bullet = NULL;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

// A surface comes before ground; of two surfaces the first by name.
static int find_between_surfaces(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j, double margin,
                                 bool *is_turned)
{
  const bool are_both = m->solids[i].kind == m->solids[j].kind;
  *is_turned = are_both ? m->rank[i] > m->rank[j] : m->solids[i].kind != SRS_SHAPE_SURFACE;
  const int a = *is_turned ? j : i, b = *is_turned ? i : j;
  if (!srs_boxes_meet(m, i, j, margin)) return 0;
  const srs_terrain *const mesh[2] = {m->terrain[a], m->terrain[b]};
  const srs_placed *const pose[2] = {&m->placed[a], &m->placed[b]};
  return srs_surface_touches(mesh, pose, smaller(m->solids[a].radius, m->solids[b].radius), margin, &narrow->surface,
                             narrow->touches, narrow->n_touches);
}

static int find_on_triangles(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j, double margin,
                             bool *is_turned)
{
  if (m->has_triangles[i] && m->has_triangles[j]) return find_between_surfaces(m, narrow, i, j, margin, is_turned);
  *is_turned = m->has_triangles[i];
  const int ground = *is_turned ? i : j, solid = *is_turned ? j : i;
  if (!meets_triangles(m->solids[solid].kind) || !srs_boxes_meet(m, i, j, margin)) return 0;
  return srs_terrain_touches(m->terrain[ground], narrow->terrain, &m->placed[solid], &m->placed[ground], margin,
                             narrow->touches, narrow->n_touches);
}

// Fills narrow->touches; is_turned: with j as A.
static int find(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j, double margin, bool *is_turned)
{
  const srs_shape_kind kind_i = m->solids[i].kind, kind_j = m->solids[j].kind;
  const bool is_half_space = m->is_half_space[i] || m->is_half_space[j];
  if ((m->has_triangles[i] || m->has_triangles[j]) && !is_half_space)
    return find_on_triangles(m, narrow, i, j, margin, is_turned);
  *is_turned = kind_i == kind_j ? m->rank[i] > m->rank[j] : methods[kind_i][kind_j].find == NULL;
  const pair_method *method = *is_turned ? &methods[kind_j][kind_i] : &methods[kind_i][kind_j];
  const bool is_for_bullet = m->solids[i].bullet != NULL && m->solids[j].bullet != NULL;
  if (method->find == NULL || ((method->is_costly || is_for_bullet) && !srs_boxes_meet(m, i, j, margin))) return 0;
  srs_pair_function *const find_touches = is_for_bullet ? srs_pair_bullet : method->find;
  return find_touches(narrow->bullet, &m->placed[*is_turned ? j : i], &m->placed[*is_turned ? i : j], margin,
                      narrow->touches);
}

static vec3 turned(vec3 normal) { return (vec3){0 - normal.x, 0 - normal.y, 0 - normal.z}; }

static void name_shapes(const srs_geometries *m, int i, int j, srs_contact_point *contact)
{
  contact->shape_a = m->shape[i];
  contact->shape_b = m->shape[j];
  contact->link_a = m->link[i];
  contact->link_b = m->link[j];
  contact->side = contact->n_sides = 0;
}

static void store(const srs_geometries *m, int i, int j, const srs_touch *touch, bool is_turned,
                  srs_contact_point *contact)
{
  name_shapes(m, i, j, contact);
  vec3_store(contact->point_a, is_turned ? touch->b : touch->a);
  vec3_store(contact->point_b, is_turned ? touch->a : touch->b);
  vec3_store(contact->normal, is_turned ? turned(touch->normal) : touch->normal);
  contact->gap = contact->phi = touch->gap + 0.0; // never -0
  contact->feature = touch->feature;
  contact->slope = 1;
  vec3_store(contact->witness, scale3(0.5, add3(touch->a, touch->b)));
}

// An event's normal points from its first body to the second.
static void store_event(const srs_geometries *m, int i, int j, const srs_ratio_event *e, bool is_turned,
                        srs_contact_point *contact)
{
  const vec3 n = vec3_load(e->normal), point_1 = vec3_load(e->point_1), point_2 = vec3_load(e->point_2);
  const double length = norm3(n);
  name_shapes(m, i, j, contact);
  vec3_store(contact->point_a, is_turned ? point_2 : point_1);
  vec3_store(contact->point_b, is_turned ? point_1 : point_2);
  vec3_store(contact->normal, is_turned ? add3(scale3(1 / length, n), vec3_zero) : turned(scale3(1 / length, n)));
  contact->gap = e->gap;
  contact->feature = (uint64_t)e->kind << 60 | (uint64_t)e->feature_1 << 30 | (uint64_t)e->feature_2;
  contact->phi = e->phi;
  contact->slope = length / (e->t * e->t);
  vec3_store(contact->witness, vec3_load(e->witness));
}

// By the ratio metric; -1: undefined, since the centres coincide.
static int contacts_by_ratio(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j, double margin,
                             srs_contact_point *contacts, int capacity)
{
  if (!srs_boxes_meet(m, i, j, margin)) return 0;
  const bool is_turned = m->rank[i] > m->rank[j];
  const int n = srs_ratio_pairs_events(narrow->ratio, m, is_turned ? j : i, is_turned ? i : j, margin);
  for (int k = 0; k < n && k < capacity; k++) store_event(m, i, j, &narrow->ratio->events[k], is_turned, &contacts[k]);
  return n;
}

static bool may_have_sides(const srs_geometries *m, const srs_narrow_phase *narrow, int i, int j)
{
  return (narrow->makes_sides || srs_coplanar_has(&narrow->coplanar, i) || srs_coplanar_has(&narrow->coplanar, j)) &&
         srs_kinds_have_sides(m->solids[i].kind, m->solids[j].kind);
}

static vec3 velocity_at(const srs_geometries *m, const srs_narrow_phase *narrow, int i, vec3 p)
{
  const int link = m->link[i];
  if (link < 0) return vec3_zero;
  const double *motion = narrow->motion + 6 * (size_t)link;
  const vec3 arm = sub3(p, vec3_load(narrow->links[link].position));
  return add3(vec3_load(motion + 3), cross3(vec3_load(motion), arm));
}

static vec3 motion_between(const srs_geometries *m, const srs_narrow_phase *narrow, int a, int b,
                           const srs_touch *nearest)
{
  if (narrow->motion == NULL || !narrow->makes_sides) return vec3_zero;
  return sub3(velocity_at(m, narrow, a, nearest->a), velocity_at(m, narrow, b, nearest->b));
}

// Replaces the n contact points in narrow->touches by those of the pair's sides, where it has several or its neighbours
// cover some. Without makes_sides only the nearest side counts, which stays or not. Returns how many; -1: the contact
// points stay as they are.
static int find_sides(const srs_geometries *m, srs_narrow_phase *narrow, int a, int b, double margin, int n,
                      srs_side sides[SRS_SIDES], int n_contacts[SRS_SIDES], int *n_sides)
{
  const srs_placed *on_a = &m->placed[a], *on_b = &m->placed[b];
  srs_touch nearest = narrow->touches[0];
  for (int k = 1; k < n; k++)
    if (narrow->touches[k].gap < nearest.gap) nearest = narrow->touches[k];
  bool nearest_stands = true;
  *n_sides = srs_find_sides(on_a, on_b, &nearest, motion_between(m, narrow, a, b, &nearest), sides);
  if (narrow->coplanar.begin != NULL)
    *n_sides = srs_coplanar_filter(&narrow->coplanar, m, a, b, narrow->touches, n, sides, *n_sides, &nearest_stands);
  if (!narrow->makes_sides) return nearest_stands ? -1 : 0;
  if (nearest_stands && *n_sides == 1) return -1;
  int total = 0;
  for (int k = 0; k < *n_sides; k++) {
    n_contacts[k] = srs_side_contacts(on_a, on_b, &sides[k], &nearest, *n_sides == 1, margin, narrow->touches + total);
    if (n_contacts[k] == 0) return 0; // nothing comes near along it: the two stay apart
    total += n_contacts[k];
  }
  return total;
}

// In the upper half of a feature.
static uint64_t name_of(const srs_side *side)
{
  if (side->is_along) return (uint64_t)0xffff << 48;
  return (uint64_t)((side->face_a + 1) & 0x7fff) << 48 | (uint64_t)((side->face_b + 1) & 0xffff) << 32;
}

static int contacts_at_sides(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j, bool is_turned,
                             double margin, int n, srs_contact_point *contacts, int capacity)
{
  srs_side sides[SRS_SIDES];
  int n_contacts[SRS_SIDES], n_sides, at = 0;
  const int total = find_sides(m, narrow, is_turned ? j : i, is_turned ? i : j, margin, n, sides, n_contacts, &n_sides);
  if (total < 0) return -1;
  for (int side = 0; side < n_sides && total > 0; side++)
    for (int k = 0; k < n_contacts[side]; k++, at++) {
      if (at >= capacity) return total;
      store(m, i, j, &narrow->touches[at], is_turned, &contacts[at]);
      if (n_sides == 1) continue;
      contacts[at].side = side + 1, contacts[at].n_sides = n_sides;
      contacts[at].feature |= name_of(&sides[side]);
    }
  return total;
}

int srs_geometries_contacts(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j, double margin,
                            srs_contact_point *contacts, int capacity)
{
  if (srs_ratio_pairs_has(narrow->ratio, i, j)) {
    const int found = contacts_by_ratio(m, narrow, i, j, margin, contacts, capacity);
    if (found >= 0) return found;
  }
  bool is_turned;
  const int n = find(m, narrow, i, j, margin, &is_turned);
  if (n > 0 && may_have_sides(m, narrow, i, j)) {
    const int found = contacts_at_sides(m, narrow, i, j, is_turned, margin, n, contacts, capacity);
    if (found >= 0) return found;
  }
  const int kept = n < narrow->n_touches ? n : narrow->n_touches;
  for (int k = 0; k < kept && k < capacity; k++) store(m, i, j, &narrow->touches[k], is_turned, &contacts[k]);
  return n;
}

int srs_geometries_distance(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j, double margin,
                            srs_contact_point *nearest)
{
  bool is_turned;
  const int n = find(m, narrow, i, j, margin, &is_turned);
  int best = 0;
  for (int k = 1; k < n && k < narrow->n_touches; k++)
    if (narrow->touches[k].gap < narrow->touches[best].gap) best = k;
  if (n > 0) store(m, i, j, &narrow->touches[best], is_turned, nearest);
  return n;
}
