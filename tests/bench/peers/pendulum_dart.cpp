// DART in the main experiment, with its own collision detector: floor and wall are the faces of large boxes.
#include "pendulum.h"
#include "timing.h"

#include <cstdio>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <exception>
#include <string>

namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
namespace dynamics = dart::dynamics;

void add_shape(dynamics::BodyNode *body, const dynamics::ShapePtr &shape, const Vector3d &at)
{
  auto *node = body->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = at;
  node->setRelativeTransform(pose);
  node->getDynamicsAspect()->setFrictionCoeff(PENDULUM_FRICTION);
  // DART multiplies the restitutions of two shapes: 1 on floor and wall leaves 0.7 there, 0.49 between spheres.
  node->getDynamicsAspect()->setRestitutionCoeff(
      shape->getType() == dynamics::BoxShape::getStaticType() ? 1 : PENDULUM_RESTITUTION);
}

dynamics::SkeletonPtr chain()
{
  auto skeleton = dynamics::Skeleton::create("chain");
  dynamics::BodyNode *parent = nullptr;
  const auto sphere = std::make_shared<dynamics::SphereShape>(PENDULUM_RADIUS);
  for (int k = 0; k < PENDULUM_LINKS; k++) {
    dynamics::RevoluteJoint::Properties joint;
    joint.mName = "hinge" + std::to_string(k + 1);
    joint.mAxis = Vector3d::UnitX();
    joint.mT_ParentBodyToJoint.translation() = k == 0 ? Vector3d(0, 0, PENDULUM_HEIGHT) : Vector3d(0, 0, -1);
    dynamics::BodyNode::Properties link;
    link.mName = "link" + std::to_string(k + 1);
    link.mInertia =
        dynamics::Inertia(1, Vector3d(0, 0, -1), Eigen::Matrix3d(PENDULUM_INERTIA * Eigen::Matrix3d::Identity()));
    parent = skeleton->createJointAndBodyNodePair<dynamics::RevoluteJoint>(parent, joint, link).second;
    add_shape(parent, sphere, Vector3d(0, 0, -1));
  }
  skeleton->enableSelfCollisionCheck();
  skeleton->setPosition(0, PENDULUM_START);
  skeleton->setVelocity(0, 1);
  return skeleton;
}

dynamics::SkeletonPtr surroundings()
{
  auto skeleton = dynamics::Skeleton::create("surroundings");
  dynamics::BodyNode *body = skeleton->createJointAndBodyNodePair<dynamics::WeldJoint>().second;
  add_shape(body, std::make_shared<dynamics::BoxShape>(Vector3d(100, 100, 10)), Vector3d(0, 0, PENDULUM_FLOOR - 5));
  add_shape(body, std::make_shared<dynamics::BoxShape>(Vector3d(100, 10, 100)), Vector3d(0, PENDULUM_WALL + 5, 0));
  skeleton->setMobile(false);
  return skeleton;
}

} // namespace

bool pendulum_dart(double *q, double *cpu, char *why)
try {
  auto world = dart::simulation::World::create();
  world->setGravity(Vector3d(0, 0, -9.81));
  world->setTimeStep(PENDULUM_STEP);
  world->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
  const auto skeleton = chain();
  world->addSkeleton(surroundings());
  world->addSkeleton(skeleton);
  const double begin = bench_cpu_time();
  for (int i = 0; i < PENDULUM_STEPS; i++) {
    world->step();
    for (int k = 0; k < PENDULUM_LINKS; k++) *q++ = skeleton->getPosition(static_cast<size_t>(k));
  }
  *cpu = bench_cpu_time() - begin;
  return true;
} catch (const std::exception &failure) {
  std::snprintf(why, PENDULUM_WHY, "%s", failure.what());
  return false;
}
