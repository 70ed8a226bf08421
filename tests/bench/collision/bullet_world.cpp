// Bullet's whole world for two bodies, its broad phase for many, its tree of triangles.
#include "bullet_world.h"
#include <btBulletCollisionCommon.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <memory>
#include <vector>

namespace {

btVector3 corner(const double *points, int i)
{
  const double *const x = points + 3 * static_cast<ptrdiff_t>(i);
  return btVector3(x[0], x[1], x[2]);
}

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
    for (int i = 0; i < solid.n; i++) hull->addPoint(corner(solid.points, i), false);
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

bullet_tree *bullet_tree_create(int n, const double *low, const double *high)
{
  auto *tree = new bullet_tree;
  for (int i = 0; i < n; i++)
    tree->proxies.push_back(tree->broad_phase.createProxy(corner(low, i), corner(high, i), BOX_SHAPE_PROXYTYPE, nullptr,
                                                          btBroadphaseProxy::DefaultFilter,
                                                          btBroadphaseProxy::AllFilter, &tree->dispatcher));
  return tree;
}

// Its proxies are left to the end of the program: taking one out looks through all pairs.
void bullet_tree_destroy(bullet_tree *tree) { delete tree; }

int bullet_tree_find(bullet_tree *tree, const double *low, const double *high)
{
  const int n = static_cast<int>(tree->proxies.size());
  for (int i = 0; i < n; i++)
    tree->broad_phase.setAabb(tree->proxies[static_cast<size_t>(i)], corner(low, i), corner(high, i),
                              &tree->dispatcher);
  tree->broad_phase.calculateOverlappingPairs(&tree->dispatcher);
  return tree->broad_phase.getOverlappingPairCache()->getNumOverlappingPairs();
}

struct bullet_mesh {
  std::unique_ptr<btTriangleIndexVertexArray> triangles;
  std::unique_ptr<btBvhTriangleMeshShape> shape;
};

bullet_mesh *bullet_mesh_create(const double *points, int n_points, const int *triangles, int n)
{
  auto *mesh = new bullet_mesh;
  mesh->triangles = std::make_unique<btTriangleIndexVertexArray>(
      n, const_cast<int *>(triangles), 3 * sizeof(int), n_points, const_cast<double *>(points), 3 * sizeof(double));
  mesh->shape = std::make_unique<btBvhTriangleMeshShape>(mesh->triangles.get(), true);
  return mesh;
}

void bullet_mesh_destroy(bullet_mesh *mesh) { delete mesh; }

int bullet_mesh_find(bullet_mesh *mesh, const double low[3], const double high[3])
{
  struct counter : btTriangleCallback {
    int n = 0;
    void processTriangle(btVector3 *, int, int) override { n++; }
  } counted;
  mesh->shape->processAllTriangles(&counted, corner(low, 0), corner(high, 0));
  return counted.n;
}

bool bullet_mesh_cast(bullet_mesh *mesh, const double from[3], const double to[3], double *at, double normal[3])
{
  struct nearest : btTriangleRaycastCallback {
    btVector3 normal{0, 0, 0};
    nearest(const btVector3 &start, const btVector3 &end)
        : btTriangleRaycastCallback(start, end, kF_FilterBackfaces | kF_KeepUnflippedNormal)
    {
    }
    btScalar reportHit(const btVector3 &n, btScalar fraction, int, int) override
    {
      normal = n;
      return fraction;
    }
  } hit(corner(from, 0), corner(to, 0));
  mesh->shape->performRaycast(&hit, corner(from, 0), corner(to, 0));
  *at = hit.m_hitFraction;
  for (int i = 0; i < 3; i++) normal[i] = hit.normal[i];
  return hit.m_hitFraction < 1;
}
