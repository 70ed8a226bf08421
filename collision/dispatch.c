// Which function finds how two kinds of solids meet?
//
// Each function has its own order of the two solids. For two of one kind the first is the one whose frame comes first
// by name, so that the geometry of a contact does not depend on the order in which shapes were added; the result is
// then turned to the order of their indices.
#include "collision/dispatch.h"

typedef struct meeting {
  srs_pair_function *find; // NULL: none in this order
  bool is_costly;          // worth a finer look at the bounds first
} meeting;

#define EACH_WITH_CONVEX(kind)                                                                                         \
  [SRS_SHAPE_CYLINDER] = {kind, true}, [SRS_SHAPE_CONE] = {kind, true}, [SRS_SHAPE_HULL] = {kind, true}

static const meeting meetings[SRS_SHAPE_KINDS][SRS_SHAPE_KINDS] = {
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
                        [SRS_SHAPE_HULL] = {srs_pair_convex, true}},
    [SRS_SHAPE_HULL] =
        {[SRS_SHAPE_HALF_SPACE] = {srs_pair_hull_half_space, false}, [SRS_SHAPE_HULL] = {srs_pair_convex, true}},
    [SRS_SHAPE_ELLIPSOID] =
        {[SRS_SHAPE_HALF_SPACE] = {srs_pair_ellipsoid_half_space, false}, [SRS_SHAPE_HULL] = {srs_pair_convex, true}},
};

bool srs_kinds_meet(srs_shape_kind a, srs_shape_kind b)
{
  return meetings[a][b].find != NULL || meetings[b][a].find != NULL;
}

static void store(const srs_members *m, int i, int j, const srs_touch *touch, bool is_turned, srs_contact *contact)
{
  contact->shape_a = m->shape[i];
  contact->shape_b = m->shape[j];
  contact->link_a = m->link[i];
  contact->link_b = m->link[j];
  vec3_store(contact->point_a, is_turned ? touch->b : touch->a);
  vec3_store(contact->point_b, is_turned ? touch->a : touch->b);
  vec3_store(contact->normal,
             is_turned ? (vec3){0 - touch->normal.x, 0 - touch->normal.y, 0 - touch->normal.z} : touch->normal);
  contact->gap = touch->gap;
  contact->feature = touch->feature;
}

int srs_members_meet(const srs_members *m, srs_gjk *scratch, int i, int j, double margin, srs_contact *contacts,
                     int capacity)
{
  const srs_shape_kind kind_i = m->solids[i].kind, kind_j = m->solids[j].kind;
  const bool is_turned = kind_i == kind_j ? m->rank[i] > m->rank[j] : meetings[kind_i][kind_j].find == NULL;
  const meeting *way = is_turned ? &meetings[kind_j][kind_i] : &meetings[kind_i][kind_j];
  if (way->find == NULL || (way->is_costly && !srs_boxes_meet(m, i, j, margin))) return 0;
  srs_touch touches[SRS_PATCH_POINTS];
  const int n = way->find(scratch, &m->placed[is_turned ? j : i], &m->placed[is_turned ? i : j], margin, touches);
  for (int k = 0; k < n && k < capacity; k++) store(m, i, j, &touches[k], is_turned, &contacts[k]);
  return n;
}
