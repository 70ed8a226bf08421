// Where are the links at given coordinates?
//
// A link's turned frame (model.h) is at (offset, turn) J(q) in its parent's, J being the joint's motion in axes whose z
// is the joint's axis. Its own frame has the turned axes times B^T.
#include "topology/model/link_placement.h"
#include "topology/model/joint_kind.h"

static mat3 turn_z(double angle)
{
  const double c = cos(angle), s = sin(angle);
  return (mat3){{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

srs_link_placement srs_place_link(const srs_model *model, int k, const double *q)
{
  vec3 d = vec3_zero;
  mat3 j = mat3_identity, inner = mat3_identity;
  switch ((srs_joint_kind)model->kind[k]) {
  case SRS_JOINT_FIXED: break;
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: j = turn_z(q[0]); break;
  case SRS_JOINT_PRISMATIC: d.z = q[0]; break;
  case SRS_JOINT_HELICAL:
    j = turn_z(q[0]);
    d.z = model->pitch[k] * q[0];
    break;
  case SRS_JOINT_CYLINDRICAL:
    j = turn_z(q[0]);
    d.z = q[1];
    break;
  case SRS_JOINT_UNIVERSAL:
    inner = mul3(model->turn2[k], turn_z(q[1]));
    j = mul3(turn_z(q[0]), inner);
    break;
  case SRS_JOINT_PLANAR:
    j = turn_z(q[2]);
    d = (vec3){q[0], q[1], 0};
    break;
  case SRS_JOINT_SPHERICAL: j = mat3_from_quaternion(q); break;
  case SRS_JOINT_FREE:
    j = mat3_from_quaternion(q + 3);
    d = vec3_load(q);
    break;
  }
  return (srs_link_placement){add3(model->offset[k], rotate(model->turn[k], d)), mul3(model->turn[k], j), inner};
}

void srs_pose_links(const srs_model *model, const double *q, srs_pose *links)
{
  for (int k = 0; k < model->n_links; k++) { // the turned frames first, of which those of children are made
    const srs_link_placement at = srs_place_link(model, k, q + model->q_index[k]);
    const int parent = model->parent[k];
    const mat3 outer = parent >= 0 ? mat3_from_rows(links[parent].rotation) : mat3_identity;
    const vec3 origin = parent >= 0 ? vec3_load(links[parent].position) : vec3_zero;
    vec3_store(links[k].position, add3(origin, rotate(outer, at.offset)));
    mat3_to_rows(links[k].rotation, mul3(outer, at.axes));
  }
  for (int k = 0; k < model->n_links; k++)
    mat3_to_rows(links[k].rotation, mul3(mat3_from_rows(links[k].rotation), model->link_axes[k]));
}
