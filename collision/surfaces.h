/// Implicit surfaces: convex bodies as functions of a point, and the nearest points of two of them.
#pragma once
#include <sarrus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum srs_surface_kind {
  SRS_SURFACE_HALF_SPACE,     // z
  SRS_SURFACE_SPHERE,         // size: radius r. (|x|^2 / r - r) / 2
  SRS_SURFACE_ELLIPSOID,      // size: semi-axes a, m their geometric mean. m ((x/a1)^2 + (y/a2)^2 + (z/a3)^2 - 1) / 2
  SRS_SURFACE_CYLINDER,       // about z, without ends; size: radius r. ((x^2 + y^2) / r - r) / 2
  SRS_SURFACE_SUPERELLIPSOID, // size: semi-axes; exponent: p across z, q along it, each >= 2. m (N^2 - 1) / 2 with
                              // N = (((x/a1)^p + (y/a2)^p)^(q/p) + (z/a3)^q)^(1/q): p = q = 2 is the ellipsoid, large
                              // ones come near a box. Barr's e1 = 2/q, e2 = 2/p. C2 but at the centre, and for
                              // q = 2 < p on the z axis
  SRS_SURFACE_PARABOLOID, // vertex at the origin, below z = 0; size: radii of curvature there. z + x^2/2r1 + y^2/2r2
  SRS_SURFACE_FUNCTION,   // the function of the caller
} srs_surface_kind;

enum { SRS_SURFACE_KINDS = SRS_SURFACE_FUNCTION + 1 };

/// A convex function f of a point, twice continuously differentiable: the solid is where f <= 0.
/// Near the surface f is about a distance: the gradient has unit length on the surfaces of half-space, sphere, cylinder
/// and at a paraboloid's vertex; for ellipsoids and superellipsoids it lies between m over the longest and m over the
/// shortest semi-axis.
typedef struct srs_surface {
  srs_surface_kind kind;
  double size[3];     // m, > 0; see the kinds
  double exponent[2]; // superellipsoids
  /// SRS_SURFACE_FUNCTION: convex, with gradient[3] and hessian[9] (rows; symmetric); each may be NULL.
  /// Must be finite for every finite point, the gradient not 0 where the value is >= 0. Called from every thread that
  /// uses the surface.
  void (*function)(const void *context, const double point[3], double *value, double *gradient, double *hessian);
  const void *context; // passed on
} srs_surface;

/// A surface of a kind with sizes 1 and exponents 2.
srs_surface srs_default_surface(srs_surface_kind kind);

/// Checks sizes, exponents and function against the kind.
/// @return SRS_OK, SRS_ERROR_MODEL
srs_status srs_surface_check(const srs_surface *surface, srs_error *error);

/// @param point  in the surface's own frame, m   @return m; negative inside. Allocates nothing
double srs_surface_value(const srs_surface *surface, const double point[3]);

/// Value, gradient and second derivatives at one point of the surface's own frame.
/// @param gradient  out: no unit   @param hessian  out: 9, 1/m, rows; symmetric, no eigenvalue below zero
void srs_surface_evaluate(const srs_surface *surface, const double point[3], double *value, double gradient[3],
                          double hessian[9]);

enum { SRS_BODY_SURFACES = 16 }; // of one body at most

/// A convex solid: the intersection of its surfaces' solids. A cylinder with ends is a cylinder and two half-spaces.
/// The caller fills in all but the last two members, which srs_surface_body_prepare sets.
typedef struct srs_surface_body {
  int n;                       // 1 to SRS_BODY_SURFACES
  const srs_surface *surfaces; // n
  const srs_pose *poses;       // n: of the surfaces' frames in the body's; NULL: all are the body's
  double centre[3];            // a point well inside, body's frame
  double depth;                // m: each function is at most -depth there; a measure of the body's size
} srs_surface_body;

/// Checks the surfaces and finds a point inside. Allocates nothing.
/// @return SRS_OK, SRS_ERROR_MODEL (an invalid surface; an empty intersection), _ARGUMENT (too many surfaces)
srs_status srs_surface_body_prepare(srs_surface_body *body, srs_error *error);

/// The nearest points of two such bodies.
///
/// Separated bodies, gap > 0: the points satisfy, with weights that are not negative and zero for functions below zero,
///
///   point_a - point_b = gap normal,   sum weight_a grad f_a(point_a) = -normal,   sum weight_b grad f_b(point_b) =
///   normal,
///
/// and all functions of a body are at most zero at its point; for convex functions this proves that they are nearest.
/// Overlapping bodies, gap < 0: they satisfy the same, and -gap is how far A must move along the normal until the two
/// just touch; the gap passes through zero smoothly. Of several ways out it is one that the line between the centres
/// leads to, no longer than the way along this line, and not always the shortest.
typedef struct srs_surface_gap {
  double gap;                         // m
  double point_a[3], point_b[3];      // world
  double normal[3];                   // unit, from B to A, world
  double weight_a[SRS_BODY_SURFACES]; // one for each of A's surfaces
  double weight_b[SRS_BODY_SURFACES]; // and of B's
  int body_a, body_b;                 // of unions: the indices of these bodies
  int iterations;                     // of all systems solved
  double residual;                    // of the conditions, in lengths of the bodies' size
  bool is_proven;                     // they hold to 1e-10, in lengths of the bodies' size
} srs_surface_gap;

/// In each direction at least one of the two must be bounded. Allocates nothing, keeps no state; any number of threads.
/// @param a, b  prepared   @param pose_a, pose_b  of the bodies' frames in the world
/// @return false when no answer was found: the overlap is unbounded, or a function is not convex or not finite. For a
///         proof that fails see is_proven
bool srs_surface_closest(const srs_surface_body *a, const srs_pose *pose_a, const srs_surface_body *b,
                         const srs_pose *pose_b, srs_surface_gap *gap);

/// The same for two unions of bodies, each in one frame: the pair with the least gap, the first of equals.
/// @param a, b  n_a, n_b   @return false when one of the pairs has no answer
bool srs_surface_union_closest(const srs_surface_body *a, int n_a, const srs_pose *pose_a, const srs_surface_body *b,
                               int n_b, const srs_pose *pose_b, srs_surface_gap *gap);

#ifdef __cplusplus
}
#endif
