// Bullet's multibody in the main experiment. Friction and restitution of two bodies are multiplied there, so each has
// the square root.
#include "pendulum.h"
#include "timing.h"

#include <btBulletDynamicsCommon.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

void set_surface(btCollisionObject &object)
{
  object.setFriction(std::sqrt(PENDULUM_FRICTION));
  object.setRestitution(std::sqrt(PENDULUM_RESTITUTION));
}

bool simulate(btMultiBodyConstraintSolver &solver, double *q, double *cpu)
{
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -9.81));
  world.getSolverInfo().m_numIterations = 10;
  world.getSolverInfo().m_restitutionVelocityThreshold = 0;

  btStaticPlaneShape floor_shape(btVector3(0, 0, 1), PENDULUM_FLOOR), wall_shape(btVector3(0, -1, 0), -PENDULUM_WALL);
  btCollisionObject ground, wall;
  ground.setCollisionShape(&floor_shape);
  wall.setCollisionShape(&wall_shape);
  for (btCollisionObject *object : {&ground, &wall}) {
    set_surface(*object);
    world.addCollisionObject(object, btBroadphaseProxy::StaticFilter,
                             btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
  }

  btSphereShape sphere(PENDULUM_RADIUS);
  btMultiBody body(PENDULUM_LINKS, 0, btVector3(0, 0, 0), true, false);
  body.setBasePos(btVector3(0, 0, PENDULUM_HEIGHT));
  for (int k = 0; k < PENDULUM_LINKS; k++)
    body.setupRevolute(k, 1, btVector3(PENDULUM_INERTIA, PENDULUM_INERTIA, PENDULUM_INERTIA), k - 1,
                       btQuaternion::getIdentity(), btVector3(1, 0, 0), btVector3(0, 0, 0), btVector3(0, 0, -1), true);
  body.finalizeMultiDof();
  body.setLinearDamping(0);
  body.setAngularDamping(0);
  body.setMaxCoordinateVelocity(1e9);
  body.setHasSelfCollision(true);
  body.setJointPos(0, PENDULUM_START);
  body.setJointVel(0, 1);
  world.addMultiBody(&body);
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
  for (int k = 0; k < PENDULUM_LINKS; k++) {
    colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(&body, k));
    colliders.back()->setCollisionShape(&sphere);
    set_surface(*colliders.back());
    world.addCollisionObject(colliders.back().get(), btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    body.getLink(k).m_collider = colliders.back().get();
  }
  btAlignedObjectArray<btQuaternion> rotations;
  btAlignedObjectArray<btVector3> origins;
  body.forwardKinematics(rotations, origins);
  body.updateCollisionObjectWorldTransforms(rotations, origins);

  const double begin = bench_cpu_time();
  for (int i = 0; i < PENDULUM_STEPS; i++) {
    world.stepSimulation(PENDULUM_STEP, 0);
    for (int k = 0; k < PENDULUM_LINKS; k++) *q++ = body.getJointPos(k);
  }
  *cpu = bench_cpu_time() - begin;
  for (auto &collider : colliders) world.removeCollisionObject(collider.get());
  world.removeMultiBody(&body);
  world.removeCollisionObject(&ground);
  world.removeCollisionObject(&wall);
  return true;
}

} // namespace

bool pendulum_bullet(double *q, double *cpu, char * /*why*/)
{
  btMultiBodyConstraintSolver solver;
  return simulate(solver, q, cpu);
}

bool pendulum_bullet_dantzig(double *q, double *cpu, char * /*why*/)
{
  btDantzigSolver dantzig;
  btMultiBodyMLCPConstraintSolver solver(&dantzig);
  return simulate(solver, q, cpu);
}
