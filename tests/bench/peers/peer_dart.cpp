// DART beside us: a skeleton built link by link, and its own functions for each quantity.
//
// DART's free joint has the velocity of the link's origin in the link's axes, angular first. With R the link's axes in
// the world and (f, n) our generalised force, its force is (n, R^T f); its acceleration (alpha, d) gives ours as (R (d
// + w x u), alpha), where u is the velocity in the link's axes.
#include "peers.h"

#include <cstdio>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <exception>
#include <memory>
#include <vector>

namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
namespace dynamics = dart::dynamics;

using rows_first = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
Vector3d vector_at(const double *p) { return {p[0], p[1], p[2]}; }

struct dart_state {
  VectorXd q, v, a, tau;
};

struct instance {
  const bench_model *model;
  const bench_states *states;
  dynamics::SkeletonPtr skeleton;
  dart::simulation::WorldPtr world;
  std::vector<dart_state> own; // the states in DART's coordinates
};

Isometry3d pose_of(const double *position, const Matrix3d &rotation)
{
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = vector_at(position);
  pose.linear() = rotation;
  return pose;
}

template <class Joint> void set_axis(typename Joint::Properties &properties, const bench_link &link)
{
  properties.mAxis = vector_at(link.axis);
}

template <> void set_axis<dynamics::FreeJoint>(dynamics::FreeJoint::Properties & /*none*/, const bench_link & /*none*/)
{
}

template <class Joint>
void add(const dynamics::SkeletonPtr &skeleton, dynamics::BodyNode *parent, const bench_link &link)
{
  typename Joint::Properties joint;
  joint.mName = std::string("joint ") + link.name;
  joint.mT_ParentBodyToJoint = pose_of(link.position, rows_first(link.rotation));
  set_axis<Joint>(joint, link);
  dynamics::BodyNode::Properties body;
  body.mName = link.name;
  const double *t = link.inertia;
  Matrix3d moments;
  moments << t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2];
  body.mInertia = dynamics::Inertia(link.mass, vector_at(link.com), moments);
  skeleton->createJointAndBodyNodePair<Joint>(parent, joint, body);
}

Matrix3d base_rotation(const double *q) { return Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix(); }

// One state in DART's coordinates.
dart_state translate(const instance &self, size_t state)
{
  const auto nq = static_cast<size_t>(self.model->nq), nv = static_cast<size_t>(self.model->nv);
  const double *q = self.states->q + state * nq, *v = self.states->v + state * nv;
  const double *a = self.states->a + state * nv, *tau = self.states->tau + state * nv;
  const VectorXd zero = VectorXd::Zero(self.model->nv);
  dart_state to{zero, zero, zero, zero};
  for (int k = 0; k < self.model->n_links; k++) {
    const bench_link &link = self.model->links[k];
    const auto at = static_cast<Eigen::Index>(self.skeleton->getJoint(static_cast<size_t>(k))->getIndexInSkeleton(0));
    if (link.joint != BENCH_FREE) {
      to.q[at] = q[link.q_index];
      to.v[at] = v[link.v_index];
      to.a[at] = a[link.v_index];
      to.tau[at] = tau[link.v_index];
      continue;
    }
    const Matrix3d r = base_rotation(q);
    const Vector3d w = vector_at(v + 3), u = r.transpose() * vector_at(v);
    to.q.segment<6>(at) = dynamics::FreeJoint::convertToPositions(pose_of(q, r));
    to.v.segment<6>(at) << w, u;
    to.a.segment<6>(at) << vector_at(a + 3), r.transpose() * vector_at(a) - w.cross(u);
    to.tau.segment<6>(at) << vector_at(tau + 3), r.transpose() * vector_at(tau);
  }
  return to;
}

void *create(const bench_model *model, const bench_states *states, char why[BENCH_WHY])
try {
  auto self = std::make_unique<instance>();
  self->model = model;
  self->states = states;
  self->skeleton = dynamics::Skeleton::create(model->name);
  for (int k = 0; k < model->n_links; k++) {
    const bench_link &link = model->links[k];
    dynamics::BodyNode *parent =
        link.parent < 0 ? nullptr : self->skeleton->getBodyNode(static_cast<size_t>(link.parent));
    if (link.joint == BENCH_FREE) add<dynamics::FreeJoint>(self->skeleton, parent, link);
    if (link.joint == BENCH_REVOLUTE) add<dynamics::RevoluteJoint>(self->skeleton, parent, link);
    if (link.joint == BENCH_PRISMATIC) add<dynamics::PrismaticJoint>(self->skeleton, parent, link);
  }
  self->world = dart::simulation::World::create();
  self->world->setGravity(Vector3d(0, 0, BENCH_GRAVITY));
  self->world->setTimeStep(BENCH_STEP_SIZE);
  self->world->addSkeleton(self->skeleton);
  for (size_t s = 0; s < BENCH_STATES; s++) self->own.push_back(translate(*self, s));
  return self.release();
} catch (const std::exception &failure) {
  std::snprintf(why, BENCH_WHY, "%s", failure.what());
  return nullptr;
}

void destroy(void *self) { delete static_cast<instance *>(self); }

void set_state(dynamics::Skeleton &skeleton, const dart_state &state)
{
  skeleton.setPositions(state.q);
  skeleton.setVelocities(state.v);
  skeleton.setForces(state.tau);
}

void compute(instance &self, bench_quantity quantity, const dart_state &state)
{
  dynamics::Skeleton &skeleton = *self.skeleton;
  switch (quantity) {
  case BENCH_FK:
    skeleton.setPositions(state.q);
    skeleton.computeForwardKinematics(true, false, false);
    break;
  case BENCH_RNEA:
    skeleton.setPositions(state.q);
    skeleton.setVelocities(state.v);
    skeleton.setAccelerations(state.a);
    skeleton.computeInverseDynamics();
    break;
  case BENCH_CRBA:
    skeleton.setPositions(state.q);
    skeleton.getMassMatrix();
    break;
  default: set_state(skeleton, state); skeleton.computeForwardDynamics();
  }
}

bool run(void *pointer, bench_quantity quantity, long first, long n)
{
  instance &self = *static_cast<instance *>(pointer);
  for (long i = first; i < first + n; i++) {
    const dart_state &state = self.own[static_cast<size_t>(bench_state_of_call(quantity, i))];
    if (quantity != BENCH_STEP) {
      compute(self, quantity, state);
      continue;
    }
    if (bench_starts_anew(i, first)) set_state(*self.skeleton, state);
    self.world->step(false);
  }
  return true;
}

bool acceleration(void *pointer, int number, double *a)
{
  instance &self = *static_cast<instance *>(pointer);
  const dart_state &state = self.own[static_cast<size_t>(number)];
  compute(self, BENCH_ABA, state);
  const VectorXd own = self.skeleton->getAccelerations();
  for (int k = 0; k < self.model->n_links; k++) {
    const bench_link &link = self.model->links[k];
    const auto at = static_cast<Eigen::Index>(self.skeleton->getJoint(static_cast<size_t>(k))->getIndexInSkeleton(0));
    if (link.joint != BENCH_FREE) {
      a[link.v_index] = own[at];
      continue;
    }
    const Matrix3d r =
        base_rotation(self.states->q + static_cast<size_t>(number) * static_cast<size_t>(self.model->nq));
    const Vector3d w = state.v.segment<3>(at), u = state.v.segment<3>(at + 3);
    Eigen::Map<Vector3d>(a, 3) = r * (own.segment<3>(at + 3) + w.cross(u));
    Eigen::Map<Vector3d>(a + 3, 3) = own.segment<3>(at);
  }
  return true;
}

} // namespace

const bench_engine bench_dart = {
    "dart",       "DART",  1u << BENCH_FK | 1u << BENCH_RNEA | 1u << BENCH_CRBA | 1u << BENCH_ABA | 1u << BENCH_STEP,
    create,       destroy, run,
    acceleration, nullptr,
};
