// A link of ours as one of Bullet's multibody.
//
// Bullet keeps every link in principal axes at its centre of mass. With P the principal axes and c the centre of mass
// seen from the link's frame, T and o the joint's origin seen from the parent's:
//   rotation this to parent  P_p^T T P_k,   parent's centre to joint  P_p^T (o - c_p),   joint to centre  P_k^T c_k.
// A floating link 0 is Bullet's base, else the base is the world.
#pragma once
#include "peers.h"

#include <btBulletDynamicsCommon.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>

inline btVector3 vector_at(const double *p) { return {p[0], p[1], p[2]}; }
inline btMatrix3x3 matrix_at(const double *p) { return {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]}; }
inline btQuaternion quaternion_of(const btMatrix3x3 &m)
{
  btQuaternion q;
  m.getRotation(q);
  return q;
}

inline void set_up_link(btMultiBody &body, const bench_model &model, int k)
{
  const int n_base = model.links[0].joint == BENCH_FREE ? 1 : 0; // our link k is Bullet's k - n_base
  const bench_link &link = model.links[k];
  btMatrix3x3 parent_axes = btMatrix3x3::getIdentity();
  btVector3 parent_com(0, 0, 0);
  if (link.parent >= 0) {
    parent_axes = matrix_at(model.links[link.parent].principal);
    parent_com = vector_at(model.links[link.parent].com);
  }
  const btMatrix3x3 to_parent = parent_axes.transpose() * matrix_at(link.rotation);
  const btMatrix3x3 axes = matrix_at(link.principal);
  const btQuaternion rotation = quaternion_of((to_parent * axes).transpose());
  const btVector3 axis = axes.transpose() * vector_at(link.axis), com = axes.transpose() * vector_at(link.com);
  const btVector3 pivot = parent_axes.transpose() * (vector_at(link.position) - parent_com);
  const btVector3 moments = vector_at(link.moments);
  const int at = k - n_base, parent = link.parent - n_base;
  if (link.joint == BENCH_PRISMATIC)
    body.setupPrismatic(at, link.mass, moments, parent, rotation, axis, pivot, com, true);
  else
    body.setupRevolute(at, link.mass, moments, parent, rotation, axis, pivot, com, true);
}
