// A convex shape made ready for the pair functions, and what those return. Internal to collision/.
#pragma once
#include "topology/base/spatial.h"
#include <sarrus/collision.h>

enum { SRS_HULL_PADDING = 8 };

/// Faces, edges and corners of a convex polyhedron, in the shape's frame, all indices into flat arrays.
typedef struct srs_hull {
  int n_corners, n_faces, n_edges;
  int n_padded;            // n_corners, up to a multiple of SRS_HULL_PADDING
  const vec3 *corners;     // n_corners
  const double *columns;   // 3 x n_padded: all x, all y, all z of the corners, each filled up with the first one's
  const vec3 *normals;     // n_faces: unit, outward
  const double *offsets;   // n_faces: normal . x <= offset inside
  const int *face_begin;   // n_faces + 1: into face_corners
  const int *face_corners; // each face's corners, counter-clockwise seen from outside
  const int *fan_begin;    // n_corners + 1: into fan
  const int *fan;          // the faces around each corner, by number
  const int *edges;        // n_edges x 4: two corners, two faces
} srs_hull;

typedef struct srs_solid {
  srs_shape_kind kind;
  double size[3];       // as in srs_shape_def
  double exponent[2];   // likewise
  const srs_hull *hull; // hulls and boxes (a box is one too), else NULL
  vec3 centre;          // of the bounding sphere, shape's frame
  double radius;        // of the bounding sphere; INFINITY for half-spaces
  void *bullet;         // its counterpart in Bullet, without margin; NULL where no pair needs one
} srs_solid;

/// A solid where it is.
typedef struct srs_placed {
  const srs_solid *solid;
  mat3 axes;
  vec3 origin;
} srs_placed;

/// One node of a patch. normal points from B to A; gap = normal . (a - b).
typedef struct srs_touch {
  vec3 a, b, normal;
  double gap;
  uint32_t feature; // stable name of the features that meet, unique within the patch
} srs_touch;

/// A pair function finds the nodes with gap <= margin between two placed solids of its kinds, at most
/// SRS_MANIFOLD_POINTS. scratch: what GJK needs, unused by closed forms.
typedef int srs_pair_function(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                              srs_touch touches[SRS_MANIFOLD_POINTS]);

/// Closed forms (pairs_*.c). The first-named kind is A.
srs_pair_function srs_pair_sphere_sphere, srs_pair_sphere_box, srs_pair_sphere_capsule, srs_pair_sphere_cylinder;
srs_pair_function srs_pair_capsule_capsule, srs_pair_box_capsule, srs_pair_box_box;
/// B is the half-space.
srs_pair_function srs_pair_sphere_half_space, srs_pair_box_half_space, srs_pair_capsule_half_space,
    srs_pair_cylinder_half_space, srs_pair_cone_half_space, srs_pair_ellipsoid_half_space, srs_pair_hull_half_space,
    srs_pair_superellipsoid_half_space, srs_pair_paraboloid_half_space;

/// Any two of {box, hull, cylinder, cone, capsule, sphere, ellipsoid} through GJK for normal and depth, and the clipped
/// supporting faces for the patch (convex.c).
srs_pair_function srs_pair_convex;

/// Any two of {superellipsoid, paraboloid, sphere, ellipsoid, box, cylinder, half-space} by their functions
/// (surface_closest.c), one node.
srs_pair_function srs_pair_surface;

/// As fmax and fmin between numbers, and one instruction each.
SRS_INLINE double larger(double a, double b) { return a > b ? a : b; }
SRS_INLINE double smaller(double a, double b) { return a < b ? a : b; }

/// Keeps at most SRS_MANIFOLD_POINTS of n candidates: the deepest, then those that bound the patch (patch.c).
/// Deterministic and independent of the candidates' order up to ties, which go by feature. Returns how many.
int srs_manifold_reduce(srs_touch *touches, int n);

/// Is the libbulletc in use one for double precision? Ask before anything else of Bullet.
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED, _MEMORY
srs_status srs_bullet_check(srs_error *error);

/// GJK, ours and Bullet's (gjk.c): the nearest or deepest points of two solids that have Bullet counterparts, or are
/// ellipsoids.
typedef struct srs_gjk srs_gjk;
srs_gjk *srs_gjk_create(void); // NULL when out of memory. All it ever needs; nothing below allocates
void srs_gjk_destroy(srs_gjk *gjk);
/// @return false when they are farther apart than max_gap
bool srs_gjk_closest(srs_gjk *gjk, const srs_placed *a, const srs_placed *b, double max_gap, srs_touch *nearest);

/// Bullet's counterpart of a solid: exact, margin 0 (a sphere is all margin, and exact). NULL when out of memory, and
/// for kinds that have none. A hull's corners are copied.
void *srs_bullet_shape_create(const srs_solid *solid);
void srs_bullet_shape_destroy(void *shape);

/// The convex hull of points (hull.c): coplanar facets merged, corners that are not extreme left out; deterministic.
/// Allocates one block, freed by free().
/// @return SRS_OK, SRS_ERROR_MODEL (fewer than four points that span a volume), _NOT_FINITE, _MEMORY
srs_status srs_hull_create(const double *points, int n_points, srs_hull **hull, srs_error *error);

/// The corner that lies farthest along d, of any length; of equals the first (farthest.c).
int srs_hull_support(const srs_hull *hull, vec3 d);

/// The first corner x, from one of them on, with x . d >= far; n_corners when there is none.
int srs_hull_next_as_far(const srs_hull *hull, vec3 d, double far, int from);
