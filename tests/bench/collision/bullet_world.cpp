// Bullet's whole world for two bodies, and its broad phase for many.
#include "bullet_world.h"
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace {

std::unique_ptr<btCollisionShape> shape_of(const bullet_solid &solid)
{
  const double *const x = solid.size;
  switch (solid.kind) {
  case 'b': return std::make_unique<btBoxShape>(btVector3(x[0] / 2, x[1] / 2, x[2] / 2));
  case 'y': return std::make_unique<btCylinderShapeZ>(btVector3(x[0], x[0], x[1] / 2));
  case 'o': return std::make_unique<btConeShapeZ>(x[0], x[1]);
  case 'c': return std::make_unique<btCapsuleShapeZ>(x[0], x[1]);
  case 's': return std::make_unique<btSphereShape>(x[0]);
  default: {
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < solid.n; i++)
      hull->addPoint(btVector3(solid.points[3 * i], solid.points[3 * i + 1], solid.points[3 * i + 2]), false);
    hull->recalcLocalAabb();
    return hull;
  }
  }
}

btTransform transform(const double *x)
{
  return btTransform(btMatrix3x3(x[0], x[4], x[8], x[1], x[5], x[9], x[2], x[6], x[10]),
                     btVector3(x[12], x[13], x[14]));
}

} // namespace

struct bullet_world {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btCollisionWorld world{&dispatcher, &broad_phase, &configuration};
  std::unique_ptr<btCollisionShape> shapes[2];
  btCollisionObject objects[2];
};

bullet_world *bullet_world_create(const bullet_solid *a, const bullet_solid *b)
{
  auto *w = new bullet_world;
  const bullet_solid *const solids[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    w->shapes[i] = shape_of(*solids[i]);
    w->objects[i].setCollisionShape(w->shapes[i].get());
    w->world.addCollisionObject(&w->objects[i]);
  }
  return w;
}

void bullet_world_destroy(bullet_world *w)
{
  for (auto &object : w->objects) w->world.removeCollisionObject(&object);
  delete w;
}

void bullet_world_ask(bullet_world *w, const double a[16], const double b[16], bool forgets, bullet_answer *answer)
{
  w->objects[0].setWorldTransform(transform(a));
  w->objects[1].setWorldTransform(transform(b));
  for (int i = 0; forgets && i < w->dispatcher.getNumManifolds(); i++)
    w->dispatcher.getManifoldByIndexInternal(i)->clearManifold();
  w->world.performDiscreteCollisionDetection();
  *answer = bullet_answer{0, INFINITY, {0, 0, 0}};
  for (int i = 0; i < w->dispatcher.getNumManifolds(); i++) {
    const btPersistentManifold *const manifold = w->dispatcher.getManifoldByIndexInternal(i);
    const double sign = manifold->getBody0() == &w->objects[0] ? 1 : -1;
    for (int k = 0; k < manifold->getNumContacts(); k++) {
      const btManifoldPoint &point = manifold->getContactPoint(k);
      answer->n++;
      if (point.getDistance() >= answer->gap) continue;
      answer->gap = point.getDistance();
      for (int c = 0; c < 3; c++) answer->normal[c] = sign * point.m_normalWorldOnB[c];
    }
  }
}

struct bullet_tree {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  std::vector<btBroadphaseProxy *> proxies;
};

static btVector3 corner(const double *x, int i) { return btVector3(x[3 * i], x[3 * i + 1], x[3 * i + 2]); }

bullet_tree *bullet_tree_create(int n, const double *low, const double *high)
{
  auto *tree = new bullet_tree;
  for (int i = 0; i < n; i++)
    tree->proxies.push_back(tree->broad_phase.createProxy(corner(low, i), corner(high, i), BOX_SHAPE_PROXYTYPE, nullptr,
                                                          btBroadphaseProxy::DefaultFilter,
                                                          btBroadphaseProxy::AllFilter, &tree->dispatcher));
  return tree;
}

void bullet_tree_destroy(bullet_tree *tree)
{
  for (auto *proxy : tree->proxies) tree->broad_phase.destroyProxy(proxy, &tree->dispatcher);
  delete tree;
}

int bullet_tree_find(bullet_tree *tree, const double *low, const double *high)
{
  const int n = static_cast<int>(tree->proxies.size());
  for (int i = 0; i < n; i++)
    tree->broad_phase.setAabb(tree->proxies[static_cast<size_t>(i)], corner(low, i), corner(high, i),
                              &tree->dispatcher);
  tree->broad_phase.calculateOverlappingPairs(&tree->dispatcher);
  return tree->broad_phase.getOverlappingPairCache()->getNumOverlappingPairs();
}
