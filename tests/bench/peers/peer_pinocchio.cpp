// Pinocchio beside us: its headers alone, without its libraries, so that every template is compiled with the flags
// given.
//
// States: a free joint's velocity is the link's twist in the link's axes, there (R^T v, w) for our (v, w); the
// quaternion is x y z w. With T = diag(R, 1): our force is T f, our mass matrix T M T^T, our linear acceleration R (a +
// w x R^T v). A point's rows are in the link's axes there: R turns them into the world's.
#include "peers.h"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/contact-info.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/delassus.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Contacts {
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintModel) models;
  PINOCCHIO_STD_VECTOR_WITH_EIGEN_ALLOCATOR(pinocchio::RigidConstraintData) data;
  std::unique_ptr<pinocchio::Data> memory;
  MatrixXd delassus;
};

struct Instance {
  bool floats;
  pinocchio::Model model;
  std::unique_ptr<pinocchio::Data> data;
  std::vector<VectorXd> q, v, a, tau; // of all states
  Contacts contacts[3];
};

// ---------------------------------------------------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------------------------------------------------

// Joints about an axis of their frame have kinds of their own, which are faster.
pinocchio::JointModel joint_of(const bench_link &link)
{
  const Vector3d axis(link.axis);
  if (link.joint == BENCH_FREE) return pinocchio::JointModelFreeFlyer();
  if (link.joint == BENCH_REVOLUTE) {
    if (axis == Vector3d::UnitX()) return pinocchio::JointModelRX();
    if (axis == Vector3d::UnitY()) return pinocchio::JointModelRY();
    if (axis == Vector3d::UnitZ()) return pinocchio::JointModelRZ();
    return pinocchio::JointModelRevoluteUnaligned(axis);
  }
  if (axis == Vector3d::UnitX()) return pinocchio::JointModelPX();
  if (axis == Vector3d::UnitY()) return pinocchio::JointModelPY();
  if (axis == Vector3d::UnitZ()) return pinocchio::JointModelPZ();
  return pinocchio::JointModelPrismaticUnaligned(axis);
}

pinocchio::Model build(const bench_model &model)
{
  pinocchio::Model built;
  built.gravity.linear() = Vector3d(0, 0, BENCH_GRAVITY);
  for (int k = 0; k < model.n_links; k++) {
    const bench_link &link = model.links[k];
    const pinocchio::SE3 placement(Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(link.rotation),
                                   Vector3d(link.position));
    const auto joint = built.addJoint(static_cast<pinocchio::JointIndex>(link.parent + 1), joint_of(link), placement,
                                      std::string("joint ") + link.name);
    Matrix3d inertia;
    inertia << link.inertia[0], link.inertia[3], link.inertia[4], link.inertia[3], link.inertia[1], link.inertia[5],
        link.inertia[4], link.inertia[5], link.inertia[2];
    built.appendBodyToJoint(joint, pinocchio::Inertia(link.mass, Vector3d(link.com), inertia));
  }
  return built;
}

void add_contacts(Instance &instance, const bench_model &model)
{
  for (int set = 0; set < 3; set++) {
    Contacts &contacts = instance.contacts[set];
    const int n = bench_node_count(static_cast<bench_quantity>(BENCH_LAMBDA_1 + set));
    for (int i = 0; i < n; i++) {
      const auto joint = static_cast<pinocchio::JointIndex>(bench_node_link(&model, n, i) + 1);
      contacts.models.emplace_back(pinocchio::CONTACT_3D, instance.model, joint, pinocchio::LOCAL);
    }
    for (const auto &contact : contacts.models) contacts.data.emplace_back(contact);
    contacts.memory = std::make_unique<pinocchio::Data>(instance.model);
    contacts.delassus = MatrixXd::Zero(BENCH_NODE_ROWS * n, BENCH_NODE_ROWS * n);
    pinocchio::initPvDelassus(instance.model, *contacts.memory, contacts.models);
  }
}

Matrix3d rotation(const double *q) { return Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix(); }

void add_states(Instance &instance, const bench_model &model, const bench_states &states)
{
  for (int s = 0; s < BENCH_STATES; s++) {
    const double *q = states.q + static_cast<ptrdiff_t>(s) * model.nq;
    const auto row = [&](const double *from) {
      return VectorXd(Eigen::Map<const VectorXd>(from + static_cast<ptrdiff_t>(s) * model.nv, model.nv));
    };
    VectorXd own = Eigen::Map<const VectorXd>(q, model.nq), v = row(states.v), a = row(states.a), tau = row(states.tau);
    if (instance.floats) {
      const Matrix3d to_link = rotation(q).transpose();
      own.segment<4>(3) << q[4], q[5], q[6], q[3];
      const Vector3d velocity = to_link * v.head<3>(), turning = v.segment<3>(3);
      v.head<3>() = velocity;
      a.head<3>() = (to_link * a.head<3>() - turning.cross(velocity)).eval();
      tau.head<3>() = (to_link * tau.head<3>()).eval();
    }
    instance.q.push_back(own), instance.v.push_back(v), instance.a.push_back(a), instance.tau.push_back(tau);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The engine
// ---------------------------------------------------------------------------------------------------------------------

void *create(const bench_model *model, const bench_states *states, char *why)
try {
  auto instance = std::make_unique<Instance>();
  instance->floats = model->links[0].joint == BENCH_FREE;
  instance->model = build(*model);
  instance->data = std::make_unique<pinocchio::Data>(instance->model);
  add_contacts(*instance, *model);
  add_states(*instance, *model, *states);
  return instance.release();
} catch (const std::exception &failure) {
  std::snprintf(why, BENCH_WHY, "%s", failure.what());
  return nullptr;
}

void destroy(void *self) { delete static_cast<Instance *>(self); }

void compute(Instance &self, bench_quantity quantity, int state)
{
  const auto at = static_cast<size_t>(state);
  const VectorXd &q = self.q[at], &v = self.v[at], &a = self.a[at], &tau = self.tau[at];
  switch (quantity) {
  case BENCH_FK: pinocchio::forwardKinematics(self.model, *self.data, q); return;
  case BENCH_RNEA: pinocchio::rnea(self.model, *self.data, q, v, a); return;
  case BENCH_CRBA: pinocchio::crba(self.model, *self.data, q, pinocchio::Convention::WORLD); return;
  case BENCH_ABA: pinocchio::aba(self.model, *self.data, q, v, tau, pinocchio::Convention::WORLD); return;
  case BENCH_D_RNEA: pinocchio::computeRNEADerivatives(self.model, *self.data, q, v, a); return;
  case BENCH_D_ABA: pinocchio::computeABADerivatives(self.model, *self.data, q, v, tau); return;
  default: break;
  }
  Contacts &contacts = self.contacts[quantity - BENCH_LAMBDA_1];
  pinocchio::computePvDelassusMatrix(self.model, *contacts.memory, q, contacts.models, contacts.data, contacts.delassus,
                                     0.0);
}

bool run(void *self, bench_quantity quantity, long first, long n)
{
  for (long i = first; i < first + n; i++)
    compute(*static_cast<Instance *>(self), quantity, bench_state_of_call(quantity, i));
  return true;
}

Matrix3d world_of(const Instance &self, int state)
{
  const VectorXd &q = self.q[static_cast<size_t>(state)];
  return self.floats ? Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix() : Matrix3d(Matrix3d::Identity());
}

bool acceleration(void *pointer, int state, double *out)
{
  Instance &self = *static_cast<Instance *>(pointer);
  compute(self, BENCH_ABA, state);
  VectorXd a = self.data->ddq;
  if (self.floats) {
    const VectorXd &v = self.v[static_cast<size_t>(state)];
    const Vector3d linear = a.head<3>() + Vector3d(v.segment<3>(3)).cross(Vector3d(v.head<3>()));
    a.head<3>() = world_of(self, state) * linear;
  }
  Eigen::Map<VectorXd>(out, self.model.nv) = a;
  return true;
}

void lambda(Instance &self, bench_quantity quantity, double *out)
{
  Contacts &contacts = self.contacts[quantity - BENCH_LAMBDA_1];
  const int n = bench_node_count(quantity), rows = BENCH_NODE_ROWS * n;
  Eigen::Map<RowMatrix> full(out, rows, rows);
  full = contacts.delassus.selfadjointView<Eigen::Upper>();
  for (int i = 0; i < n; i++) {
    const Matrix3d turn = contacts.data[static_cast<size_t>(i)].oMc1.rotation();
    full.middleRows<3>(3 * i) = (turn * full.middleRows<3>(3 * i)).eval();
    full.middleCols<3>(3 * i) = (full.middleCols<3>(3 * i) * turn.transpose()).eval();
  }
}

bool answer(void *pointer, bench_quantity quantity, int state, double *out)
{
  Instance &self = *static_cast<Instance *>(pointer);
  if (quantity != BENCH_RNEA && quantity != BENCH_CRBA && (quantity < BENCH_LAMBDA_1 || quantity > BENCH_LAMBDA_12))
    return false;
  compute(self, quantity, state);
  const Matrix3d world = world_of(self, state);
  if (quantity == BENCH_RNEA) {
    VectorXd tau = self.data->tau;
    if (self.floats) tau.head<3>() = (world * tau.head<3>()).eval();
    Eigen::Map<VectorXd>(out, self.model.nv) = tau;
  } else if (quantity == BENCH_CRBA) {
    Eigen::Map<RowMatrix> full(out, self.model.nv, self.model.nv);
    full = self.data->M.selfadjointView<Eigen::Upper>();
    if (self.floats) {
      full.topRows<3>() = (world * full.topRows<3>()).eval();
      full.leftCols<3>() = (full.leftCols<3>() * world.transpose()).eval();
    }
  } else {
    lambda(self, quantity, out);
  }
  return true;
}

} // namespace

const bench_engine bench_pinocchio = {"pinocchio",  "Pinocchio", ((1u << BENCH_QUANTITIES) - 1) & ~(1u << BENCH_STEP),
                                      create,       destroy,     run,
                                      acceleration, answer};
