// The support function of a solid: the point that lies farthest along a direction d, max over the solid of x . d.
//
// Superellipsoids: the dual norm of d scaled by the semi-axes. Paraboloids: the point of the bowl where the normal is
// d, or, where that is below the base, a point of the base's rim.
#include "collision/shapes/support.h"
#include "collision/shapes/hull_support.h"

// The point of the unit circle of the k-norm that lies farthest along (s, t), and how far that is: the norm with the
// exponent 1 / (1 - 1/k) of (s, t).
static double reach_of_norm(double s, double t, double k, double *at_s, double *at_t)
{
  const double big = fmax(fabs(s), fabs(t));
  *at_s = 1, *at_t = 0;
  if (!(big > 0)) return 0;
  const double dual = k / (k - 1), c = fabs(s) / big, d = fabs(t) / big;
  const double far = pow(pow(c, dual) + pow(d, dual), 1 / dual);
  *at_s = copysign(pow(c / far, dual - 1), s), *at_t = copysign(pow(d / far, dual - 1), t);
  return big * far;
}

static vec3 superellipsoid_support(const srs_solid *solid, vec3 d)
{
  const double *size = solid->size;
  double x, y, across, z;
  const double flat = reach_of_norm(size[0] * d.x, size[1] * d.y, solid->exponent[0], &x, &y);
  reach_of_norm(flat, size[2] * d.z, solid->exponent[1], &across, &z);
  return (vec3){size[0] * across * x, size[1] * across * y, size[2] * z};
}

// On the bowl where the normal is d, or, where that is below the base, on the base's rim.
static vec3 paraboloid_support(const double size[3], vec3 d)
{
  const vec3 on_bowl = {size[0] * d.x, size[1] * d.y, 0}; // times 1 / d.z
  const double down = 0.5 * (on_bowl.x * d.x + on_bowl.y * d.y);
  if (d.z > 0 && down <= size[2] * d.z * d.z) return (vec3){on_bowl.x / d.z, on_bowl.y / d.z, -down / (d.z * d.z)};
  const double across = sqrt(2 * down), part = across > 0 ? sqrt(2 * size[2]) / across : 0;
  return (vec3){part * on_bowl.x, part * on_bowl.y, -size[2]};
}

vec3 srs_solid_support(const srs_placed *placed, vec3 direction)
{
  const srs_solid *solid = placed->solid;
  const double *size = solid->size, half = 0.5 * size[1];
  const vec3 d = rotate_back(placed->axes, direction);
  vec3 p = vec3_zero;
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: return add_scaled3(placed->origin, size[0] / norm3(direction), direction);
  case SRS_SHAPE_CAPSULE:
    p.z = d.z >= 0 ? half : -half;
    return add_scaled3(srs_to_world(placed, p), size[0] / norm3(direction), direction);
  case SRS_SHAPE_BOX:
    p = (vec3){copysign(0.5 * size[0], d.x), copysign(0.5 * size[1], d.y), copysign(0.5 * size[2], d.z)};
    break;
  case SRS_SHAPE_CYLINDER: p = srs_rim_support(size[0], d.z >= 0 ? half : -half, d); break;
  case SRS_SHAPE_CONE: {
    const vec3 rim = srs_rim_support(size[0], -half, d), apex = {0, 0, half};
    p = dot3(apex, d) > dot3(rim, d) ? apex : rim;
    break;
  }
  case SRS_SHAPE_ELLIPSOID: {
    const vec3 s = {size[0] * d.x, size[1] * d.y, size[2] * d.z};
    const double length = norm3(s);
    p = (vec3){size[0] * s.x / length, size[1] * s.y / length, size[2] * s.z / length};
    break;
  }
  case SRS_SHAPE_SUPERELLIPSOID: p = superellipsoid_support(solid, d); break;
  case SRS_SHAPE_PARABOLOID: p = paraboloid_support(size, d); break;
  case SRS_SHAPE_HULL: p = solid->hull->corners[srs_hull_support(solid->hull, d)]; break;
  default: break;
  }
  return srs_to_world(placed, p);
}
