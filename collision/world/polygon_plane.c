// Does a geometry stay in a plane, wherever the mechanism moves?
//
// A joint keeps the plane with normal n of what it carries if it turns about n (revolute, continuous), slides across n
// (prismatic), or does both (planar, its own normal along n); a fixed one keeps any plane. n is then the same seen from
// the joint's frame and from the link's, so from the world it is the product of the origins' rotations, and n . x that
// of the neutral configuration.
#include "collision/world/polygon_plane.h"

static const double ALIKE = 1e-9;

static bool keeps(const srs_joint *joint, vec3 n)
{
  const vec3 axis = vec3_load(joint->axis);
  switch (joint->kind) {
  case SRS_JOINT_FIXED: return true;
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS:
  case SRS_JOINT_PLANAR: return norm3(cross3(axis, n)) <= ALIKE;
  case SRS_JOINT_PRISMATIC: return fabs(dot3(axis, n)) <= ALIKE;
  default: return false;
  }
}

srs_plane srs_plane_of_geometry(const srs_geometries *m, int i)
{
  vec3 n = m->axes[i].z, x = m->offset[i];
  for (int k = m->link[i]; k >= 0; k = m->model->links[k].parent) {
    const srs_joint *joint = &m->model->joints[k];
    if (!keeps(joint, n)) return (srs_plane){.joint = k};
    const mat3 turn = mat3_from_rows(joint->origin.rotation);
    n = rotate(turn, n);
    x = add3(vec3_load(joint->origin.position), rotate(turn, x));
  }
  return (srs_plane){n, dot3(n, x), -1};
}

bool srs_planes_are_one(const srs_plane *a, const srs_plane *b, double size)
{
  const double along = dot3(a->normal, b->normal);
  return norm3(cross3(a->normal, b->normal)) <= ALIKE &&
         fabs(a->level - (along < 0 ? -b->level : b->level)) <= ALIKE * size;
}
