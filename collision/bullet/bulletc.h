// The part of libbulletc's C interface that Sarrus calls: names and signatures are that library's, built for double
// precision. Internal; every use of Bullet goes through here.
//
// Objects are opaque addresses, made by ..._new and ended by the ..._delete of their base. What is read and written:
//   vector         3 doubles
//   transform     16 doubles: 4 x 4, columns first; the axes in 0-2, 4-6, 8-10, the origin in 12-14, 15 is 1
//   point array    4 doubles a point, the fourth ignored, on a 16-byte boundary: Bullet's own layout, read in place
// All are copied at the call but for point arrays, which must outlive the shape.
// A single-precision build takes other registers and reads other sizes: srs_bullet_check() finds that out.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Shapes. A margin is a layer around the shape; a sphere's and a capsule's is its radius and cannot be set.
void *btSphereShape_new(double radius);
double btSphereShape_getRadius(void *sphere);
void *btBoxShape_new3(double half_x, double half_y, double half_z);
void *btCylinderShapeZ_new2(double half_x, double half_y, double half_z); // round about z, radius half_x
void *btConeShapeZ_new(double radius, double height);                     // apex at +height/2
void *btCapsuleShapeZ_new(double radius, double height);                  // height of the straight part
void *btConvexPointCloudShape_new2(void *points, int n_points, const void *scaling, bool compute_bounds);
void btCollisionShape_setMargin(void *shape, double margin);
void btCollisionShape_delete(void *shape);

// The pair detector: GJK for what is apart, and a depth solver for what overlaps.
void *btVoronoiSimplexSolver_new(void);
void btVoronoiSimplexSolver_delete(void *simplex_solver);
void *btGjkEpaPenetrationDepthSolver_new(void);
void btConvexPenetrationDepthSolver_delete(void *depth_solver);
void *btGjkPairDetector_new(const void *shape_a, const void *shape_b, void *simplex_solver, void *depth_solver);
void btGjkPairDetector_setMinkowskiA(void *detector, const void *shape);
void btGjkPairDetector_setMinkowskiB(void *detector, const void *shape);
void btGjkPairDetector_setIgnoreMargin(void *detector, bool ignore);

// A question to it, and where its answer goes. The normal points from B to A.
void *btDiscreteCollisionDetectorInterface_ClosestPointInput_new(void);
void btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformA(void *input, const void *transform);
void btDiscreteCollisionDetectorInterface_ClosestPointInput_setTransformB(void *input, const void *transform);
void btDiscreteCollisionDetectorInterface_ClosestPointInput_setMaximumDistanceSquared(void *input, double squared);
void btDiscreteCollisionDetectorInterface_ClosestPointInput_delete(void *input);
void btDiscreteCollisionDetectorInterface_getClosestPoints(void *detector, const void *input, void *result,
                                                           void *debug_draw, bool swap_results);
void btDiscreteCollisionDetectorInterface_delete(void *detector);
void *btPointCollector_new(void);
void btPointCollector_setDistance(void *collector, double distance); // only a nearer answer than this is taken
void btPointCollector_setHasResult(void *collector, bool has_result);
bool btPointCollector_getHasResult(void *collector);
double btPointCollector_getDistance(void *collector);
void btPointCollector_getPointInWorld(void *collector, void *point); // on B
void btPointCollector_getNormalOnBInWorld(void *collector, void *normal);
void btDiscreteCollisionDetectorInterface_Result_delete(void *result);

#ifdef __cplusplus
}
#endif
