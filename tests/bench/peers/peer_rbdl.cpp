// RBDL beside us. Its floating base is three travels and a spherical joint: our coordinates, but for the quaternion's
// place.
#include "peers.h"

#include <rbdl/rbdl.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

namespace {

using RigidBodyDynamics::Math::Matrix3d;
using RigidBodyDynamics::Math::MatrixNd;
using RigidBodyDynamics::Math::Quaternion;
using RigidBodyDynamics::Math::SpatialVector;
using RigidBodyDynamics::Math::Vector3d;
using RigidBodyDynamics::Math::VectorNd;
namespace rbdl = RigidBodyDynamics;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Instance {
  rbdl::Model model;
  std::vector<VectorNd> q, v, a, tau; // of all states
  VectorNd out;
  MatrixNd mass;
};

// Joints about an axis of their frame have kinds of their own, which are faster.
rbdl::Joint joint_of(const bench_link &link)
{
  const Vector3d axis(link.axis[0], link.axis[1], link.axis[2]);
  if (link.joint == BENCH_FREE) return {rbdl::JointTypeFloatingBase};
  if (link.joint == BENCH_PRISMATIC) return {SpatialVector(0, 0, 0, axis[0], axis[1], axis[2])};
  if (axis == Vector3d(1, 0, 0)) return {rbdl::JointTypeRevoluteX};
  if (axis == Vector3d(0, 1, 0)) return {rbdl::JointTypeRevoluteY};
  if (axis == Vector3d(0, 0, 1)) return {rbdl::JointTypeRevoluteZ};
  return {SpatialVector(axis[0], axis[1], axis[2], 0, 0, 0)};
}

// The bodies' numbers are told by RBDL, which makes two of a free joint.
std::vector<unsigned> build(const bench_model &model, rbdl::Model &built)
{
  std::vector<unsigned> bodies;
  built.gravity = Vector3d(0, 0, BENCH_GRAVITY);
  for (int k = 0; k < model.n_links; k++) {
    const bench_link &link = model.links[k];
    const double *r = link.rotation, *t = link.inertia;
    const Matrix3d to_child(r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]);
    const Matrix3d inertia(t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2]);
    const rbdl::Math::SpatialTransform placement(to_child,
                                                 Vector3d(link.position[0], link.position[1], link.position[2]));
    const rbdl::Body body(link.mass, Vector3d(link.com[0], link.com[1], link.com[2]), inertia);
    const unsigned parent = link.parent < 0 ? 0 : bodies[static_cast<size_t>(link.parent)];
    bodies.push_back(built.AddBody(parent, placement, joint_of(link), body, link.name));
  }
  return bodies;
}

void add_states(Instance &instance, const bench_model &model, const bench_states &states, unsigned base)
{
  const auto row = [](const double *from, int state, int n) {
    return VectorNd(Eigen::Map<const Eigen::VectorXd>(from + static_cast<ptrdiff_t>(state) * n, n));
  };
  for (int s = 0; s < BENCH_STATES; s++) {
    const VectorNd ours = row(states.q, s, model.nq);
    VectorNd q = VectorNd::Zero(model.nq);
    if (model.links[0].joint == BENCH_FREE) {
      q.head(3) = ours.head(3);
      q.segment(6, model.nv - 6) = ours.tail(model.nv - 6);
      instance.model.SetQuaternion(base, Quaternion(ours[4], ours[5], ours[6], ours[3]), q);
    } else {
      q = ours;
    }
    instance.q.push_back(q), instance.v.push_back(row(states.v, s, model.nv));
    instance.a.push_back(row(states.a, s, model.nv)), instance.tau.push_back(row(states.tau, s, model.nv));
  }
}

void *create(const bench_model *model, const bench_states *states, char *why)
try {
  auto instance = std::make_unique<Instance>();
  const auto bodies = build(*model, instance->model);
  add_states(*instance, *model, *states, bodies[0]);
  instance->out = VectorNd::Zero(model->nv);
  instance->mass = MatrixNd::Zero(model->nv, model->nv);
  return instance.release();
} catch (const std::exception &failure) {
  std::snprintf(why, BENCH_WHY, "%s", failure.what());
  return nullptr;
}

void destroy(void *self) { delete static_cast<Instance *>(self); }

void compute(Instance &self, bench_quantity quantity, int state)
{
  const auto at = static_cast<size_t>(state);
  const VectorNd &q = self.q[at], &v = self.v[at], &a = self.a[at], &tau = self.tau[at];
  switch (quantity) {
  case BENCH_FK: rbdl::UpdateKinematicsCustom(self.model, &q, nullptr, nullptr); return;
  case BENCH_RNEA: rbdl::InverseDynamics(self.model, q, v, a, self.out); return;
  case BENCH_CRBA:
    self.mass.setZero();
    rbdl::CompositeRigidBodyAlgorithm(self.model, q, self.mass);
    return;
  default: rbdl::ForwardDynamics(self.model, q, v, tau, self.out); return;
  }
}

bool run(void *self, bench_quantity quantity, long first, long n)
{
  for (long i = first; i < first + n; i++)
    compute(*static_cast<Instance *>(self), quantity, bench_state_of_call(quantity, i));
  return true;
}

bool acceleration(void *pointer, int state, double *out)
{
  Instance &self = *static_cast<Instance *>(pointer);
  compute(self, BENCH_ABA, state);
  Eigen::Map<Eigen::VectorXd>(out, self.out.size()) = self.out;
  return true;
}

bool answer(void *pointer, bench_quantity quantity, int state, double *out)
{
  Instance &self = *static_cast<Instance *>(pointer);
  if (quantity != BENCH_RNEA && quantity != BENCH_CRBA) return false;
  compute(self, quantity, state);
  if (quantity == BENCH_RNEA)
    Eigen::Map<Eigen::VectorXd>(out, self.out.size()) = self.out;
  else
    Eigen::Map<RowMatrix>(out, self.mass.rows(), self.mass.cols()) = self.mass;
  return true;
}

} // namespace

const bench_engine bench_rbdl = {
    "rbdl",       "RBDL", 1u << BENCH_FK | 1u << BENCH_RNEA | 1u << BENCH_CRBA | 1u << BENCH_ABA, create, destroy, run,
    acceleration, answer,
};
