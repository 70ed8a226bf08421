// Solids against a half-space. The half-space is all of n . x <= n . o; the normal is always n, and the gap of a
// contact point is the height n . (a - o) of a point a of the solid.
//
// Polyhedra: every corner within the margin. Sphere: c - r n. Capsule: that at the lower end of its axis, and c - r n'
// at the upper, where n' is the unit part of n across the axis. Ellipsoid with semi-axes D (n in its own frame): a =
// -D^2 n / |D n|, height of the centre - |D n|.
//
// A disc of radius r (the caps of a cylinder, the base of a cone) whose axis makes the angle t with n has its lowest
// point at c - r (n - (n . u) u) / sin t. This one is always a contact point, for each disc: for a lying solid these
// are the ends of the generator. For a standing solid the lowest point may be anywhere on the rim and jumps at the
// slightest tilt. So four points fixed in the disc, cos t r away from its centre, are contact points as well, and the
// offset r of the lowest point goes to 0 with t once t < 1e-9, where its height differs from theirs by less than 1e-9
// r. Those four belong to the lower disc while t < 45 degrees; beyond, the lowest point is deeper than they are by 0.2
// r.

#include "collision/manifold/reduce.h"
#include "collision/pairs/pairs.h"

static const double STEADY_TILT = 1e-9; // rad: less tilt than this has no direction

typedef struct points {
  srs_touch *touches;
  int n;
  vec3 normal, origin;
  double margin;
} points;

SRS_INLINE points points_over(const srs_placed *half_space, double margin, srs_touch *touches)
{
  return (points){touches, 0, half_space->axes.z, half_space->origin, margin};
}

// A contact point at the solid's point a (world), where it is within the margin.
SRS_INLINE void put(points *over, vec3 a, uint32_t feature)
{
  const double gap = dot3(over->normal, sub3(a, over->origin));
  if (!(gap <= over->margin)) return;
  over->touches[over->n++] = (srs_touch){a, add_scaled3(a, -gap, over->normal), over->normal, gap, feature};
}

int srs_pair_sphere_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                               srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  put(&over, add_scaled3(a->origin, -a->solid->size[0], over.normal), 0);
  return over.n;
}

int srs_pair_capsule_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                                srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  const double radius = a->solid->size[0], half = a->solid->size[1] / 2;
  const vec3 n = rotate_back(a->axes, over.normal), low = add_scaled3(a->origin, -radius, over.normal);
  if (!(half > 0)) return put(&over, low, 0), over.n;
  // The upper end's lowest point is where the side begins; level, both are such.
  const double tilt = hypot(n.x, n.y), sense = n.z < 0 ? -1 : 1;
  const vec3 across = unit_or((vec3){n.x, n.y, 0}, tilt, (vec3){1, 0, 0});
  const vec3 upper = srs_to_world(a, (vec3){-radius * across.x, -radius * across.y, sense * half});
  const vec3 lower = add_scaled3(low, -sense * half, a->axes.z);
  put(&over, sense < 0 ? upper : lower, 0);
  put(&over, sense < 0 ? lower : upper, 1);
  return over.n;
}

int srs_pair_box_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                            srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  const double *size = a->solid->size;
  const vec3 x = scale3(size[0] / 2, a->axes.x), y = scale3(size[1] / 2, a->axes.y), z = scale3(size[2] / 2, a->axes.z);
  for (uint32_t corner = 0; corner < 8; corner++) {
    vec3 p = add_scaled3(a->origin, corner & 1 ? 1 : -1, x);
    p = add_scaled3(p, corner & 2 ? 1 : -1, y);
    put(&over, add_scaled3(p, corner & 4 ? 1 : -1, z), corner);
  }
  return over.n;
}

int srs_pair_hull_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                             srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  enum { CANDIDATES = 128 };
  srs_touch candidates[CANDIDATES];
  points over = points_over(b, margin, candidates);
  const srs_hull *hull = a->solid->hull;
  for (int i = 0; i < hull->n_corners; i++) {
    if (over.n == CANDIDATES) over.n = srs_manifold_reduce(candidates, over.n);
    put(&over, srs_to_world(a, hull->corners[i]), (uint32_t)i);
  }
  const int n = srs_manifold_reduce(candidates, over.n);
  for (int i = 0; i < n; i++) touches[i] = candidates[i];
  return n;
}

int srs_pair_ellipsoid_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                                  srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  const double *size = a->solid->size;
  const vec3 n = rotate_back(a->axes, over.normal);
  const vec3 dn = {size[0] * n.x, size[1] * n.y, size[2] * n.z};
  const vec3 down = unit_or(dn, norm3(dn), vec3_zero);
  put(&over, srs_to_world(a, (vec3){-size[0] * down.x, -size[1] * down.y, -size[2] * down.z}), 0);
  return over.n;
}

int srs_pair_support_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                                srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  put(&over, srs_solid_support(a, scale3(-1, over.normal)), 0);
  return over.n;
}

// A paraboloid touches where its surface has the normal. Where it stands on its base four points of that are contact
// points as well, as a disc's are, and the rim's lowest is left out while it has no direction.
int srs_pair_paraboloid_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                                   srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  const double *size = a->solid->size;
  const vec3 n = rotate_back(a->axes, over.normal);
  const double x = sqrt(2 * size[0] * size[2]), y = sqrt(2 * size[1] * size[2]), r = n.z;
  const vec3 rim[4] = {{r * x, 0, -size[2]}, {0, r * y, -size[2]}, {-r * x, 0, -size[2]}, {0, -r * y, -size[2]}};
  const bool is_under = n.z > 0.5 && x * y > 0;
  if (is_under)
    for (uint32_t i = 0; i < 4; i++) put(&over, srs_to_world(a, rim[i]), i + 1);
  if (!(is_under && hypot(n.x, n.y) < STEADY_TILT)) put(&over, srs_solid_support(a, scale3(-1, over.normal)), 0);
  return over.n;
}

// The contact points of a disc at height z of the solid, n being the half-space's normal in the solid's frame.
static void put_disc(points *over, const srs_placed *solid, vec3 n, double z, bool is_under, uint32_t feature)
{
  const double radius = solid->solid->size[0], tilt = hypot(n.x, n.y);
  const double r = radius * fabs(n.z);
  if (is_under && fabs(n.z) > tilt && r > 0) {
    put(over, srs_to_world(solid, (vec3){r, 0, z}), feature);
    put(over, srs_to_world(solid, (vec3){0, r, z}), feature + 1);
    put(over, srs_to_world(solid, (vec3){-r, 0, z}), feature + 2);
    put(over, srs_to_world(solid, (vec3){0, -r, z}), feature + 3);
  }
  const double down = -radius / fmax(tilt, STEADY_TILT);
  put(over, srs_to_world(solid, (vec3){down * n.x, down * n.y, z}), feature + 4);
}

int srs_pair_cylinder_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                                 srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  const vec3 n = rotate_back(a->axes, over.normal);
  const double half = a->solid->size[1] / 2;
  put_disc(&over, a, n, -half, n.z > 0, 0);
  if (half > 0) put_disc(&over, a, n, half, n.z < 0, 5);
  return over.n;
}

int srs_pair_cone_half_space(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                             srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  points over = points_over(b, margin, touches);
  const vec3 n = rotate_back(a->axes, over.normal);
  const double half = a->solid->size[1] / 2;
  put_disc(&over, a, n, -half, n.z > 0, 0);
  put(&over, srs_to_world(a, (vec3){0, 0, half}), 5);
  return over.n;
}
