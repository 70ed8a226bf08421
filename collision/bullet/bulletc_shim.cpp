// libbulletc's symbols over Debian's libbullet, those of bulletc.h and no other: built where no libbulletc is
// installed.
//
// Objects are kept as addresses of their bases, so that one ..._delete ends them all. Memory is allocated before an
// object is built in it: what does not fit comes back as a null pointer, since no C++ exception may pass through C.

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexPointCloudShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btConvexPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <cstddef>
#include <cstdlib>

#ifdef SARRUS_BULLETC_SHARED // as libbulletc.so: everything else stays hidden
#pragma GCC visibility push(default)
#endif
#include "collision/bullet/bulletc.h"
#ifdef SARRUS_BULLETC_SHARED
#pragma GCC visibility pop
#endif

#ifndef BT_USE_DOUBLE_PRECISION
#error "Sarrus needs Bullet in double precision: Debian's bullet-float64"
#endif

namespace {

typedef btDiscreteCollisionDetectorInterface detector_base;
typedef detector_base::ClosestPointInput pair_input;

template <class Base, class Object, class... Arguments> void *make(Arguments... arguments)
{
  static_assert(alignof(Object) <= alignof(std::max_align_t), "malloc's alignment is enough");
  void *const memory = std::malloc(sizeof(Object)); // Bullet's own allocator writes to what it was not given
  return memory ? static_cast<Base *>(new (memory) Object(arguments...)) : nullptr;
}

template <class Base> void end(void *object)
{
  if (object) static_cast<Base *>(object)->~Base();
  std::free(object);
}

template <class Object> const btConvexShape *convex(Object *shape)
{
  return static_cast<const btConvexShape *>(static_cast<const btCollisionShape *>(shape));
}

btVector3 vector(const void *numbers)
{
  const double *const x = static_cast<const double *>(numbers);
  return btVector3(x[0], x[1], x[2]);
}

void store(const btVector3 &a, void *numbers)
{
  double *const x = static_cast<double *>(numbers);
  for (int i = 0; i < 3; i++) x[i] = a[i];
}

btTransform transform(const void *numbers)
{
  const double *const x = static_cast<const double *>(numbers);
  return btTransform(btMatrix3x3(x[0], x[4], x[8], x[1], x[5], x[9], x[2], x[6], x[10]), vector(x + 12));
}

btGjkPairDetector *gjk(void *detector)
{
  return static_cast<btGjkPairDetector *>(static_cast<detector_base *>(detector));
}

btPointCollector *collected(void *collector)
{
  return static_cast<btPointCollector *>(static_cast<detector_base::Result *>(collector));
}

} // namespace

void *btSphereShape_new(double radius) { return make<btCollisionShape, btSphereShape>(radius); }

double btSphereShape_getRadius(void *sphere)
{
  return static_cast<btSphereShape *>(static_cast<btCollisionShape *>(sphere))->getRadius();
}

void *btBoxShape_new3(double half_x, double half_y, double half_z)
{
  return make<btCollisionShape, btBoxShape>(btVector3(half_x, half_y, half_z));
}

void *btCylinderShapeZ_new2(double half_x, double half_y, double half_z)
{
  return make<btCollisionShape, btCylinderShapeZ>(btVector3(half_x, half_y, half_z));
}

void *btConeShapeZ_new(double radius, double height) { return make<btCollisionShape, btConeShapeZ>(radius, height); }

void *btCapsuleShapeZ_new(double radius, double height)
{
  return make<btCollisionShape, btCapsuleShapeZ>(radius, height);
}

void *btConvexPointCloudShape_new2(void *points, int n_points, const void *scaling, bool compute_bounds)
{
  return make<btCollisionShape, btConvexPointCloudShape>(static_cast<btVector3 *>(points), n_points, vector(scaling),
                                                         compute_bounds);
}

void btCollisionShape_setMargin(void *shape, double margin)
{
  static_cast<btCollisionShape *>(shape)->setMargin(margin);
}

void btCollisionShape_delete(void *shape) { end<btCollisionShape>(shape); }

void *btVoronoiSimplexSolver_new(void) { return make<btVoronoiSimplexSolver, btVoronoiSimplexSolver>(); }

void btVoronoiSimplexSolver_delete(void *simplex_solver) { end<btVoronoiSimplexSolver>(simplex_solver); }

void *btGjkEpaPenetrationDepthSolver_new(void)
{
  return make<btConvexPenetrationDepthSolver, btGjkEpaPenetrationDepthSolver>();
}

void btConvexPenetrationDepthSolver_delete(void *depth_solver) { end<btConvexPenetrationDepthSolver>(depth_solver); }

void *btGjkPairDetector_new(const void *shape_a, const void *shape_b, void *simplex_solver, void *depth_solver)
{
  return make<detector_base, btGjkPairDetector>(convex(shape_a), convex(shape_b),
                                                static_cast<btVoronoiSimplexSolver *>(simplex_solver),
                                                static_cast<btConvexPenetrationDepthSolver *>(depth_solver));
}

void btGjkPairDetector_setMinkowskiA(void *detector, const void *shape) { gjk(detector)->setMinkowskiA(convex(shape)); }

void btGjkPairDetector_setMinkowskiB(void *detector, const void *shape) { gjk(detector)->setMinkowskiB(convex(shape)); }

void btGjkPairDetector_setIgnoreMargin(void *detector, bool ignore) { gjk(detector)->setIgnoreMargin(ignore); }

void *btDiscreteCollisionDetectorInterface_ClosestPointInput_new(void) { return make<pair_input, pair_input>(); }

void btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformA(void *input, const void *placement)
{
  static_cast<pair_input *>(input)->m_transformA = transform(placement);
}

void btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformB(void *input, const void *placement)
{
  static_cast<pair_input *>(input)->m_transformB = transform(placement);
}

void btDiscreteCollisionDetectorInterface_ClosestPointInput_setMaximumDistanceSquared(void *input, double squared)
{
  static_cast<pair_input *>(input)->m_maximumDistanceSquared = squared;
}

void btDiscreteCollisionDetectorInterface_ClosestPointInput_delete(void *input) { end<pair_input>(input); }

void btDiscreteCollisionDetectorInterface_getClosestPoints(void *detector, const void *input, void *result,
                                                           void *debug_draw, bool swap_results)
{
  static_cast<detector_base *>(detector)->getClosestPoints(*static_cast<const pair_input *>(input),
                                                           *static_cast<detector_base::Result *>(result),
                                                           static_cast<btIDebugDraw *>(debug_draw), swap_results);
}

void btDiscreteCollisionDetectorInterface_delete(void *detector) { end<detector_base>(detector); }

void *btPointCollector_new(void) { return make<detector_base::Result, btPointCollector>(); }

void btPointCollector_setDistance(void *collector, double distance) { collected(collector)->m_distance = distance; }

void btPointCollector_setHasResult(void *collector, bool has_result) { collected(collector)->m_hasResult = has_result; }

bool btPointCollector_getHasResult(void *collector) { return collected(collector)->m_hasResult; }

double btPointCollector_getDistance(void *collector) { return collected(collector)->m_distance; }

void btPointCollector_getPointInWorld(void *collector, void *point)
{
  store(collected(collector)->m_pointInWorld, point);
}

void btPointCollector_getNormalOnBInWorld(void *collector, void *normal)
{
  store(collected(collector)->m_normalOnBInWorld, normal);
}

void btDiscreteCollisionDetectorInterface_Result_delete(void *result) { end<detector_base::Result>(result); }
