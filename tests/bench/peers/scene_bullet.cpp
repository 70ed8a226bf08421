// Bullet in the scenes with contacts: trees are multibodies, lone boxes rigid bodies. Friction and restitution of two
// bodies are multiplied there, so each has the square root.
#include "bullet_links.h"
#include "contact/scenes.h"
#include "timing.h"

#include <algorithm>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct World {
  const contact_scene *scene;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;
  std::vector<std::unique_ptr<btMultiBody>> bodies; // of each tree, empty for rigid bodies
  std::vector<btRigidBody *> boxes;                 // of each tree, null for multibodies

  ~World()
  {
    for (auto &object : objects) world.removeCollisionObject(object.get());
    for (auto &body : bodies)
      if (body) world.removeMultiBody(body.get());
  }
};

void set_surface(const contact_scene &scene, btCollisionObject &object)
{
  object.setFriction(std::sqrt(scene.friction));
  object.setRestitution(std::sqrt(scene.restitution));
}

btCollisionShape *shape_of(World &w, const scene_shape &shape)
{
  if (shape.is_box)
    w.shapes.push_back(std::make_unique<btBoxShape>(vector_at(shape.size) / 2));
  else
    w.shapes.push_back(std::make_unique<btSphereShape>(shape.size[0]));
  return w.shapes.back().get();
}

void add_planes(World &w)
{
  for (int i = 0; i < w.scene->n_planes; i++) {
    w.shapes.push_back(std::make_unique<btStaticPlaneShape>(vector_at(w.scene->planes[i]), w.scene->planes[i][3]));
    w.objects.push_back(std::make_unique<btCollisionObject>());
    w.objects.back()->setCollisionShape(w.shapes.back().get());
    set_surface(*w.scene, *w.objects.back());
    w.world.addCollisionObject(w.objects.back().get(), btBroadphaseProxy::StaticFilter,
                               btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
  }
}

void add_box(World &w, int tree)
{
  const bench_link &link = w.scene->trees[tree].links[0];
  const double *q = w.scene->q + w.scene->q_first[tree];
  const auto at = std::find_if(w.scene->shapes, w.scene->shapes + w.scene->n_shapes,
                               [&](const scene_shape &shape) { return shape.tree == tree; });
  btRigidBody::btRigidBodyConstructionInfo info(link.mass, nullptr, shape_of(w, *at), vector_at(link.moments));
  info.m_startWorldTransform = btTransform(btQuaternion(q[4], q[5], q[6], q[3]), vector_at(q));
  auto body = std::make_unique<btRigidBody>(info);
  set_surface(*w.scene, *body);
  w.world.addRigidBody(body.get());
  w.boxes[static_cast<size_t>(tree)] = body.get();
  w.objects.push_back(std::move(body));
}

void add_colliders(World &w, int tree, btMultiBody &body)
{
  const bench_model &model = w.scene->trees[tree];
  const int n_base = model.links[0].joint == BENCH_FREE ? 1 : 0;
  for (int i = 0; i < w.scene->n_shapes; i++) {
    const scene_shape &shape = w.scene->shapes[i];
    if (shape.tree != tree) continue;
    const bench_link &link = model.links[shape.link];
    const btMatrix3x3 to_link = matrix_at(link.principal).transpose(); // colliders have the body's frame
    auto compound = std::make_unique<btCompoundShape>();
    btCollisionShape *bare = shape_of(w, shape);
    const btVector3 centre = to_link * (vector_at(shape.position) - vector_at(link.com));
    compound->addChildShape(btTransform(to_link, centre), bare);
    const bool is_centred = centre.length() < 1e-12 && (!shape.is_box || to_link == btMatrix3x3::getIdentity());
    auto collider = std::make_unique<btMultiBodyLinkCollider>(&body, shape.link - n_base);
    collider->setCollisionShape(is_centred ? bare : compound.get());
    w.shapes.push_back(std::move(compound));
    set_surface(*w.scene, *collider);
    w.world.addCollisionObject(collider.get(), btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    if (shape.link - n_base < 0)
      body.setBaseCollider(collider.get());
    else
      body.getLink(shape.link - n_base).m_collider = collider.get();
    w.objects.push_back(std::move(collider));
  }
}

void add_tree(World &w, int tree)
{
  const bench_model &model = w.scene->trees[tree];
  const double *q = w.scene->q + w.scene->q_first[tree], *v = w.scene->v + w.scene->v_first[tree];
  const bench_link &root = model.links[0];
  const bool floats = root.joint == BENCH_FREE;
  const int n_base = floats ? 1 : 0;
  auto body = std::make_unique<btMultiBody>(model.n_links - n_base, floats ? root.mass : 0,
                                            floats ? vector_at(root.moments) : btVector3(0, 0, 0), !floats, false);
  for (int k = n_base; k < model.n_links; k++) set_up_link(*body, model, k);
  body->finalizeMultiDof();
  body->setLinearDamping(0);
  body->setAngularDamping(0);
  body->setMaxCoordinateVelocity(1e9);
  body->setHasSelfCollision(w.scene->self_collision);
  if (floats) {
    const btMatrix3x3 r(btQuaternion(q[4], q[5], q[6], q[3]));
    body->setBaseWorldTransform(btTransform(r * matrix_at(root.principal), vector_at(q) + r * vector_at(root.com)));
  }
  for (int k = n_base; k < model.n_links; k++) {
    body->setJointPos(k - n_base, q[model.links[k].q_index]);
    body->setJointVel(k - n_base, v[model.links[k].v_index]);
  }
  w.world.addMultiBody(body.get());
  add_colliders(w, tree, *body);
  btAlignedObjectArray<btQuaternion> rotations;
  btAlignedObjectArray<btVector3> origins;
  body->forwardKinematics(rotations, origins);
  body->updateCollisionObjectWorldTransforms(rotations, origins);
  w.bodies[static_cast<size_t>(tree)] = std::move(body);
}

void store_free(const bench_link &link, const btTransform &at, const btVector3 &velocity, const btVector3 &omega,
                double *q, double *v)
{
  const btMatrix3x3 r = at.getBasis() * matrix_at(link.principal).transpose();
  const btQuaternion turned = quaternion_of(r);
  const btVector3 arm = r * vector_at(link.com), origin = at.getOrigin() - arm, linear = velocity - omega.cross(arm);
  const btVector3 local = r.transpose() * omega;
  for (int i = 0; i < 3; i++) q[i] = origin[i], v[i] = linear[i], v[3 + i] = local[i];
  q[3] = turned.w(), q[4] = turned.x(), q[5] = turned.y(), q[6] = turned.z();
}

void read_state(const World &w, double *q, double *v)
{
  for (int t = 0; t < w.scene->n_trees; t++) {
    const bench_model &model = w.scene->trees[t];
    double *own_q = q + w.scene->q_first[t], *own_v = v + w.scene->v_first[t];
    if (const btRigidBody *box = w.boxes[static_cast<size_t>(t)]) {
      store_free(model.links[0], box->getWorldTransform(), box->getLinearVelocity(), box->getAngularVelocity(), own_q,
                 own_v);
      continue;
    }
    const btMultiBody &body = *w.bodies[static_cast<size_t>(t)];
    const int n_base = model.links[0].joint == BENCH_FREE ? 1 : 0;
    if (n_base == 1)
      store_free(model.links[0], body.getBaseWorldTransform(), body.getBaseVel(), body.getBaseOmega(), own_q, own_v);
    for (int k = n_base; k < model.n_links; k++) {
      own_q[model.links[k].q_index] = body.getJointPos(k - n_base);
      own_v[model.links[k].v_index] = body.getJointVel(k - n_base);
    }
  }
}

void push(World &w, const double *tau)
{
  for (int t = 0; t < w.scene->n_trees; t++) {
    const bench_model &model = w.scene->trees[t];
    const int n_base = model.links[0].joint == BENCH_FREE ? 1 : 0;
    for (int k = n_base; k < model.n_links; k++)
      w.bodies[static_cast<size_t>(t)]->addJointTorque(k - n_base, tau[w.scene->v_first[t] + model.links[k].v_index]);
  }
}

} // namespace

bool scene_bullet(const contact_scene *scene, double *q, double *v, double *cpu, char * /*why*/)
{
  auto w = std::make_unique<World>();
  w->scene = scene;
  w->world.setGravity(btVector3(0, 0, BENCH_GRAVITY));
  w->bodies.resize(static_cast<size_t>(scene->n_trees));
  w->boxes.resize(static_cast<size_t>(scene->n_trees));
  add_planes(*w);
  for (int t = 0; t < scene->n_trees; t++)
    if (scene->trees[t].n_links == 1 && scene->trees[t].links[0].joint == BENCH_FREE)
      add_box(*w, t);
    else
      add_tree(*w, t);
  std::vector<double> tau(static_cast<size_t>(scene->nv)), now_q(static_cast<size_t>(scene->nq)), now_v(tau);
  read_state(*w, now_q.data(), now_v.data());
  const double begin = bench_cpu_time();
  for (int i = 1; i <= scene->steps; i++) {
    scene_torque(scene, now_q.data(), now_v.data(), tau.data());
    push(*w, tau.data());
    w->world.stepSimulation(scene->dt, 0);
    read_state(*w, now_q.data(), now_v.data());
    if (i % scene->every != 0) continue;
    q = std::copy(now_q.begin(), now_q.end(), q);
    v = std::copy(now_v.begin(), now_v.end(), v);
  }
  *cpu = bench_cpu_time() - begin;
  return true;
}
