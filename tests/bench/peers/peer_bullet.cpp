// Bullet's multibody beside us: kinematics, the articulated-body algorithm, a step of its world.
#include "bullet_links.h"
#include "peers.h"

#include <btBulletDynamicsCommon.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <cstdio>
#include <memory>

namespace {

// Where the base is and how it moves: link 0's frame, in the world.
struct base_state {
  btMatrix3x3 rotation;
  btVector3 arm; // from the link's origin to its centre of mass, world axes
  btVector3 omega;
};

struct instance {
  const bench_model *model;
  const bench_states *states;
  bool floating;
  std::unique_ptr<btDefaultCollisionConfiguration> configuration;
  std::unique_ptr<btCollisionDispatcher> dispatcher;
  std::unique_ptr<btDbvtBroadphase> broadphase;
  std::unique_ptr<btMultiBodyConstraintSolver> solver;
  std::unique_ptr<btMultiBodyDynamicsWorld> world;
  std::unique_ptr<btMultiBody> body;
  btAlignedObjectArray<btScalar> scratch_r;
  btAlignedObjectArray<btVector3> scratch_v, origins;
  btAlignedObjectArray<btMatrix3x3> scratch_m;
  btAlignedObjectArray<btQuaternion> rotations;

  ~instance()
  {
    if (world && body) world->removeMultiBody(body.get());
  }

  int n_base() const { return floating ? 1 : 0; } // our link k is Bullet's k - n_base()
  const double *q(int state) const { return states->q + static_cast<size_t>(state) * static_cast<size_t>(model->nq); }
  const double *v(int state) const { return states->v + static_cast<size_t>(state) * static_cast<size_t>(model->nv); }
  const double *tau(int state) const
  {
    return states->tau + static_cast<size_t>(state) * static_cast<size_t>(model->nv);
  }
};

base_state base_of(const instance &self, int state)
{
  const double *q = self.q(state), *v = self.v(state);
  const btMatrix3x3 r(btQuaternion(q[4], q[5], q[6], q[3]));
  return {r, r * vector_at(self.model->links[0].com), r * vector_at(v + 3)};
}

void set_position(instance &self, int state)
{
  const double *q = self.q(state);
  if (self.floating) {
    const base_state base = base_of(self, state);
    const btMatrix3x3 axes = base.rotation * matrix_at(self.model->links[0].principal);
    self.body->setBaseWorldTransform(btTransform(axes, vector_at(q) + base.arm));
  }
  for (int k = self.n_base(); k < self.model->n_links; k++)
    self.body->setJointPos(k - self.n_base(), q[self.model->links[k].q_index]);
}

void set_velocity(instance &self, int state)
{
  const double *v = self.v(state);
  if (self.floating) {
    const base_state base = base_of(self, state);
    self.body->setBaseVel(vector_at(v) + base.omega.cross(base.arm));
    self.body->setBaseOmega(base.omega);
  }
  for (int k = self.n_base(); k < self.model->n_links; k++)
    self.body->setJointVel(k - self.n_base(), v[self.model->links[k].v_index]);
}

void set_torque(instance &self, int state)
{
  const double *tau = self.tau(state);
  self.body->clearForcesAndTorques();
  if (self.floating) {
    const base_state base = base_of(self, state);
    const btVector3 force = vector_at(tau);
    self.body->addBaseForce(force);
    self.body->addBaseTorque(base.rotation * vector_at(tau + 3) - base.arm.cross(force));
  }
  for (int k = self.n_base(); k < self.model->n_links; k++)
    self.body->addJointTorque(k - self.n_base(), tau[self.model->links[k].v_index]);
}

// Leaves h times the acceleration added to the velocities.
void accelerate(instance &self, int state, double h)
{
  set_position(self, state);
  set_velocity(self, state);
  set_torque(self, state);
  const btVector3 gravity(0, 0, BENCH_GRAVITY);
  if (self.floating) self.body->addBaseForce(gravity * self.body->getBaseMass());
  for (int i = 0; i < self.body->getNumLinks(); i++) self.body->addLinkForce(i, gravity * self.body->getLinkMass(i));
  self.body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(h, self.scratch_r, self.scratch_v, self.scratch_m,
                                                                  false, false, false);
}

void *create(const bench_model *model, const bench_states *states, char why[BENCH_WHY])
{
  auto self = std::make_unique<instance>();
  self->model = model;
  self->states = states;
  self->floating = model->links[0].joint == BENCH_FREE;
  for (int k = self->n_base(); k < model->n_links; k++) {
    if (model->links[k].joint != BENCH_FREE) continue;
    std::snprintf(why, BENCH_WHY, "link '%s' floats, but is not the first", model->links[k].name);
    return nullptr;
  }
  self->configuration = std::make_unique<btDefaultCollisionConfiguration>();
  self->dispatcher = std::make_unique<btCollisionDispatcher>(self->configuration.get());
  self->broadphase = std::make_unique<btDbvtBroadphase>();
  self->solver = std::make_unique<btMultiBodyConstraintSolver>();
  self->world = std::make_unique<btMultiBodyDynamicsWorld>(self->dispatcher.get(), self->broadphase.get(),
                                                           self->solver.get(), self->configuration.get());
  self->world->setGravity(btVector3(0, 0, BENCH_GRAVITY));

  const bench_link &root = model->links[0];
  const int n_links = model->n_links - self->n_base();
  self->body = std::make_unique<btMultiBody>(n_links, self->floating ? root.mass : 0,
                                             self->floating ? vector_at(root.moments) : btVector3(0, 0, 0),
                                             !self->floating, false);
  for (int k = self->n_base(); k < model->n_links; k++) set_up_link(*self->body, *model, k);
  self->body->finalizeMultiDof();
  self->body->setLinearDamping(0);
  self->body->setAngularDamping(0);
  self->body->setMaxCoordinateVelocity(1e9);
  self->world->addMultiBody(self->body.get());
  return self.release();
}

void destroy(void *self) { delete static_cast<instance *>(self); }

bool run(void *pointer, bench_quantity quantity, long first, long n)
{
  instance &self = *static_cast<instance *>(pointer);
  for (long i = first; i < first + n; i++) {
    const int state = bench_state_of_call(quantity, i);
    if (quantity == BENCH_FK) {
      set_position(self, state);
      self.body->forwardKinematics(self.rotations, self.origins);
    } else if (quantity == BENCH_ABA) {
      accelerate(self, state, BENCH_STEP_SIZE);
    } else {
      if (bench_starts_anew(i, first)) {
        set_position(self, state);
        set_velocity(self, state);
      }
      set_torque(self, state); // the world forgets forces after each step
      self.world->stepSimulation(BENCH_STEP_SIZE, 0);
    }
  }
  return true;
}

bool acceleration(void *pointer, int state, double *a)
{
  instance &self = *static_cast<instance *>(pointer);
  accelerate(self, state, 1);
  const double *v = self.v(state);
  if (self.floating) {
    const base_state base = base_of(self, state);
    const btVector3 alpha = self.body->getBaseOmega() - base.omega;
    const btVector3 of_com = self.body->getBaseVel() - (vector_at(v) + base.omega.cross(base.arm));
    const btVector3 linear = of_com - alpha.cross(base.arm) - base.omega.cross(base.omega.cross(base.arm));
    const btVector3 angular = base.rotation.transpose() * alpha;
    for (int i = 0; i < 3; i++) a[i] = linear[i], a[3 + i] = angular[i];
  }
  for (int k = self.n_base(); k < self.model->n_links; k++) {
    const int at = self.model->links[k].v_index;
    a[at] = self.body->getJointVel(k - self.n_base()) - v[at];
  }
  return true;
}

} // namespace

const bench_engine bench_bullet = {
    "bullet",     "Bullet", 1u << BENCH_FK | 1u << BENCH_ABA | 1u << BENCH_STEP, create, destroy, run,
    acceleration, nullptr,
};
