// A sphere against a sphere, box, capsule or cylinder: the point of the other solid nearest to its centre.
//
// In the other solid's frame, with p the sphere's centre and q the solid's point nearest to it: outside, the normal is
// (p - q) / |p - q| and the gap |p - q| - r; inside, the normal of the nearest face and the gap -|p - q| - r. Both
// agree on the surface. A centre equally near to several faces takes the first of x, y, z, and + before -; one that
// lies on an axis or in the other's centre takes a fixed direction of B.

#include "collision/pairs/pairs.h"

// The one contact point between a sphere and the point b of B's surface; distance of the centre from it, negative
// inside.
static int sphere_touch(const srs_placed *sphere, vec3 b, vec3 normal, double distance, double margin, uint32_t feature,
                        srs_touch *touch)
{
  const double radius = sphere->solid->size[0];
  *touch = (srs_touch){add_scaled3(sphere->origin, -radius, normal), b, normal, distance - radius, feature};
  return touch->gap <= margin ? 1 : 0;
}

int srs_pair_sphere_sphere(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                           srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  const vec3 d = sub3(a->origin, b->origin);
  const double distance = norm3(d), radius = b->solid->size[0];
  const vec3 normal = unit_or(d, distance, b->axes.z);
  return sphere_touch(a, add_scaled3(b->origin, radius, normal), normal, distance - radius, margin, 0, touches);
}

int srs_pair_sphere_capsule(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                            srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  const double radius = b->solid->size[0], half = b->solid->size[1] / 2;
  const vec3 p = rotate_back(b->axes, sub3(a->origin, b->origin));
  const double z = clamped(p.z, -half, half);
  const vec3 d = {p.x, p.y, p.z - z}; // no component along the axis where the nearest point is inside it
  const double distance = norm3(d);
  const vec3 n = unit_or(d, distance, (vec3){1, 0, 0});
  const vec3 surface = {radius * n.x, radius * n.y, z + radius * n.z};
  const uint32_t feature = p.z < -half ? 0 : p.z > half ? 2 : 1;
  return sphere_touch(a, srs_to_world(b, surface), rotate(b->axes, n), distance - radius, margin, feature, touches);
}

// -1, 0, 1 as x is below, within and above +-half.
static int side(double x, double half) { return x < -half ? -1 : x > half ? 1 : 0; }

int srs_pair_sphere_box(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                        srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  double p[3], q[3], n[3] = {0, 0, 0};
  vec3_store(p, rotate_back(b->axes, sub3(a->origin, b->origin)));
  int nearest = 0, sides[3];
  double depth[3];
  for (int i = 0; i < 3; i++) {
    const double half = b->solid->size[i] / 2;
    q[i] = clamped(p[i], -half, half);
    sides[i] = side(p[i], half);
    depth[i] = half - fabs(p[i]);
    if (depth[i] < depth[nearest]) nearest = i;
  }
  const vec3 d = sub3(vec3_load(p), vec3_load(q));
  double distance = norm3(d);
  if (!(distance > 1e-140)) { // inside, or on it
    sides[nearest] = p[nearest] < 0 ? -1 : 1;
    n[nearest] = sides[nearest];
    q[nearest] = sides[nearest] * b->solid->size[nearest] / 2;
    distance = -depth[nearest];
  } else
    vec3_store(n, scale3(1 / distance, d));
  const uint32_t feature = (uint32_t)(sides[0] + 1 + 3 * (sides[1] + 1) + 9 * (sides[2] + 1));
  const vec3 normal = rotate(b->axes, vec3_load(n));
  return sphere_touch(a, srs_to_world(b, vec3_load(q)), normal, distance, margin, feature, touches);
}

int srs_pair_sphere_cylinder(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                             srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  const double radius = b->solid->size[0], half = b->solid->size[1] / 2;
  const vec3 p = rotate_back(b->axes, sub3(a->origin, b->origin));
  const double from_axis = hypot(p.x, p.y);
  const vec3 away = unit_or((vec3){p.x, p.y, 0}, from_axis, (vec3){1, 0, 0});
  const vec3 up = {0, 0, p.z < 0 ? -1 : 1};
  const double beside = from_axis - radius, above = fabs(p.z) - half; // beyond the side, beyond the cap
  vec3 n, q;
  double distance;
  int region; // 1: cap, 2: side, 3: rim
  if (beside > 0 || above > 0) {
    const vec3 d = add3(scale3(fmax(beside, 0), away), scale3(fmax(above, 0), up));
    distance = norm3(d);
    region = (above > 0 ? 1 : 0) + (beside > 0 ? 2 : 0);
    n = unit_or(d, distance, above > 0 ? up : away);
    q = add3(scale3(fmin(from_axis, radius), away), (vec3){0, 0, clamped(p.z, -half, half)});
  } else {
    distance = fmax(beside, above);
    region = above >= beside ? 1 : 2;
    n = above >= beside ? up : away;
    q = above >= beside ? (vec3){p.x, p.y, half * up.z} : add3(scale3(radius, away), (vec3){0, 0, p.z});
  }
  const uint32_t feature = (uint32_t)(region + (region != 2 && p.z < 0 ? 4 : 0));
  return sphere_touch(a, srs_to_world(b, q), rotate(b->axes, n), distance, margin, feature, touches);
}
