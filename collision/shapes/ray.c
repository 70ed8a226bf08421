// Ray casting: where does a ray x(t) = o + t d hit a convex solid?
//
// In the solid's frame, with t counted from the point nearest to the middle of its bounding sphere, so that nothing
// large cancels. A convex solid is an intersection of simple sets (capsules: a union that is convex), and the ray is
// inside each for one interval of t: half-spaces n . x <= c; balls, cylinders and single cones by a quadratic A t^2 + 2
// B t + C <= 0, whose roots are q / A and C / q with q = -(B + sign(B) sqrt(B^2 - A C)). The solid's interval is the
// intersection of these; the ray hits the set whose interval begins last.
#include "collision/shapes/ray.h"

#include "collision/surfaces/implicit_surface.h"

typedef struct line {
  vec3 o, d;
} line;

typedef struct span {
  double in, out; // in >= out: none
  vec3 normal;    // of the surface at `in`, any length
} span;

static const span EVERYWHERE = {-INFINITY, INFINITY, {0, 0, 0}};
static const span NOWHERE = {INFINITY, -INFINITY, {0, 0, 0}};

static span common(span a, span b)
{
  return (span){fmax(a.in, b.in), fmin(a.out, b.out), a.in >= b.in ? a.normal : b.normal};
}

static span within_half_space(line l, vec3 n, double offset)
{
  const double height = dot3(n, l.o) - offset, rate = dot3(n, l.d);
  if (rate == 0) return height <= 0 ? EVERYWHERE : NOWHERE;
  const double t = -height / rate;
  return rate < 0 ? (span){t, INFINITY, n} : (span){-INFINITY, t, vec3_zero};
}

// Where A t^2 + 2 B t + C <= 0 for A > 0.
static span within_quadratic(double A, double B, double C)
{
  const double root = B * B - A * C;
  if (!(root >= 0)) return NOWHERE;
  const double q = -(B + copysign(sqrt(root), B));
  if (q == 0) return (span){0, 0, vec3_zero};
  const double s = q / A, t = C / q;
  return (span){fmin(s, t), fmax(s, t), vec3_zero};
}

static span within_ball(line l, vec3 middle, double radius)
{
  const vec3 r = sub3(l.o, middle);
  // The offset from the ray rather than from o: no cancellation however far o is.
  const double along = dot3(r, l.d) / dot3(l.d, l.d);
  const vec3 across = add_scaled3(r, -along, l.d);
  span s = within_quadratic(dot3(l.d, l.d), 0, dot3(across, across) - radius * radius);
  s.in -= along, s.out -= along;
  s.normal = add_scaled3(r, s.in, l.d);
  return s;
}

static span within_cylinder(line l, double radius)
{
  const double A = l.d.x * l.d.x + l.d.y * l.d.y, cross = l.d.x * l.o.y - l.d.y * l.o.x;
  if (A == 0) return l.o.x * l.o.x + l.o.y * l.o.y <= radius * radius ? EVERYWHERE : NOWHERE;
  const double along = (l.o.x * l.d.x + l.o.y * l.d.y) / A;
  span s = within_quadratic(A, 0, cross * cross / A - radius * radius);
  s.in -= along, s.out -= along;
  s.normal = (vec3){l.o.x + s.in * l.d.x, l.o.y + s.in * l.d.y, 0};
  return s;
}

static span within_slab(line l, double half)
{
  return common(within_half_space(l, (vec3){0, 0, 1}, half), within_half_space(l, (vec3){0, 0, -1}, half));
}

// The cone below its apex at height h, x^2 + y^2 <= k^2 (h - z)^2, without end.
static span within_cone(line l, double k, double h)
{
  const double w = h - l.o.z, kk = k * k;
  const double A = l.d.x * l.d.x + l.d.y * l.d.y - kk * l.d.z * l.d.z;
  const double B = l.o.x * l.d.x + l.o.y * l.d.y + kk * w * l.d.z;
  const double C = l.o.x * l.o.x + l.o.y * l.o.y - kk * w * w;
  span s = NOWHERE;
  if (A > 0) {
    s = within_quadratic(A, B, C);
    if (!(s.in < s.out) || w - 0.5 * (s.in + s.out) * l.d.z < 0) return NOWHERE; // that is the cone above
  } else {
    // Steeper than the sides, or as steep: inside both cones, up to the first root and from the second on.
    const double q = -(B + copysign(sqrt(fmax(B * B - A * C, 0)), B));
    if (A == 0 && q == 0) return NOWHERE;
    const double one = A != 0 ? q / A : copysign(INFINITY, -q), other = q != 0 ? C / q : 0;
    s = l.d.z > 0 ? (span){-INFINITY, fmin(one, other), vec3_zero} : (span){fmax(one, other), INFINITY, vec3_zero};
  }
  const double z = h - (l.o.z + s.in * l.d.z);
  s.normal = (vec3){l.o.x + s.in * l.d.x, l.o.y + s.in * l.d.y, kk * z};
  return s;
}

static span within_box(line l, const double size[3])
{
  span s = EVERYWHERE;
  for (int k = 0; k < 3; k++) {
    const vec3 n = {k == 0, k == 1, k == 2};
    s = common(s, common(within_half_space(l, n, 0.5 * size[k]), within_half_space(l, scale3(-1, n), 0.5 * size[k])));
  }
  return s;
}

static span within_hull(line l, const srs_hull *hull)
{
  span s = EVERYWHERE;
  for (int i = 0; i < hull->n_faces && s.in <= s.out; i++)
    s = common(s, within_half_space(l, hull->normals[i], hull->offsets[i]));
  return s;
}

static span within_ellipsoid(line l, const double half[3])
{
  const line unit = {{l.o.x / half[0], l.o.y / half[1], l.o.z / half[2]},
                     {l.d.x / half[0], l.d.y / half[1], l.d.z / half[2]}};
  span s = within_ball(unit, vec3_zero, 1);
  s.normal = (vec3){s.normal.x / half[0], s.normal.y / half[1], s.normal.z / half[2]};
  return s;
}

// Below z = -x^2 / 2 r1 - y^2 / 2 r2.
static span within_paraboloid(line l, const double radii[2])
{
  const vec3 of_o = {l.o.x / radii[0], l.o.y / radii[1], 1}, of_d = {l.d.x / radii[0], l.d.y / radii[1], 0};
  const double A = 0.5 * (of_d.x * l.d.x + of_d.y * l.d.y), B = 0.5 * dot3(of_o, l.d);
  const double C = l.o.z + 0.5 * (of_o.x * l.o.x + of_o.y * l.o.y);
  span s = A > 0 ? within_quadratic(A, B, C) : within_half_space(l, of_o, dot3(of_o, l.o) - C);
  s.normal = add_scaled3(of_o, s.in, of_d);
  return s;
}

// Newton's method from far on one side, sign(t): f along the ray is convex, so that it comes up to the root and never
// beyond. NAN: there is none.
static double come_to(const srs_surface *surface, line l, double t)
{
  const double side = t;
  for (int round = 0; round < 200; round++) {
    const srs_surface_point at = srs_surface_at(surface, add_scaled3(l.o, t, l.d));
    const double rate = dot3(at.gradient, l.d), next = t - at.value / rate;
    if (!(at.value > 0) || next == t) return t;
    if (!(rate * side > 0)) return NAN;
    t = next;
  }
  return t;
}

static span within_superellipsoid(line l, const srs_solid *solid)
{
  const srs_surface surface = {.kind = SRS_SURFACE_SUPERELLIPSOID,
                               .size = {solid->size[0], solid->size[1], solid->size[2]},
                               .exponent = {solid->exponent[0], solid->exponent[1]}};
  const double far = 2 * solid->radius;
  span s = {come_to(&surface, l, -far), come_to(&surface, l, far), vec3_zero};
  if (isnan(s.in) || isnan(s.out)) return NOWHERE;
  s.normal = srs_surface_at(&surface, add_scaled3(l.o, s.in, l.d)).gradient;
  return s;
}

static span within_capsule(line l, double radius, double half)
{
  const span parts[3] = {common(within_cylinder(l, radius), within_slab(l, half)),
                         within_ball(l, (vec3){0, 0, half}, radius), within_ball(l, (vec3){0, 0, -half}, radius)};
  span s = NOWHERE;
  for (int i = 0; i < 3; i++) {
    if (!(parts[i].in <= parts[i].out)) continue;
    if (parts[i].in < s.in) s.in = parts[i].in, s.normal = parts[i].normal;
    s.out = fmax(s.out, parts[i].out);
  }
  return s;
}

static span within_solid(line l, const srs_solid *solid)
{
  const double *size = solid->size, half = 0.5 * size[1];
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: return within_ball(l, vec3_zero, size[0]);
  case SRS_SHAPE_BOX: return within_box(l, size);
  case SRS_SHAPE_CYLINDER: return common(within_cylinder(l, size[0]), within_slab(l, half));
  case SRS_SHAPE_CAPSULE: return within_capsule(l, size[0], half);
  case SRS_SHAPE_CONE:
    return common(within_cone(l, size[0] / size[1], half), within_half_space(l, (vec3){0, 0, -1}, half));
  case SRS_SHAPE_ELLIPSOID: return within_ellipsoid(l, size);
  case SRS_SHAPE_SUPERELLIPSOID: return within_superellipsoid(l, solid);
  case SRS_SHAPE_PARABOLOID: return common(within_paraboloid(l, size), within_half_space(l, (vec3){0, 0, -1}, size[2]));
  case SRS_SHAPE_HALF_SPACE: return within_half_space(l, (vec3){0, 0, 1}, 0);
  case SRS_SHAPE_HULL: return within_hull(l, solid->hull);
  default: return NOWHERE;
  }
}

bool srs_solid_cast_ray(const srs_placed *solid, vec3 from, vec3 direction, double length, double *distance,
                        vec3 *normal)
{
  const bool is_bounded = solid->solid->kind != SRS_SHAPE_HALF_SPACE;
  const vec3 to = sub3(from, solid->origin);
  line l = {rotate_back(solid->axes, to), rotate_back(solid->axes, direction)};
  const double skipped = is_bounded ? dot3(sub3(solid->solid->centre, l.o), l.d) : 0;
  l.o = add_scaled3(l.o, skipped, l.d);
  if (is_bounded) {
    const double away = norm3(sub3(l.o, solid->solid->centre)), radius = solid->solid->radius;
    if (away > radius * (1 + 1e-12) || skipped > length + radius || skipped < -radius) return false;
  }
  const span s = within_solid(l, solid->solid);
  const double t = s.in + skipped, rounding = is_bounded ? 1e-14 * (solid->solid->radius + fabs(skipped)) : 0;
  if (!(s.in < s.out) || !(t >= -rounding) || !(t <= length)) return false;
  *distance = fmax(t, 0);
  const double size = norm3(s.normal);
  *normal = size > 0 ? rotate(solid->axes, scale3(1 / size, s.normal)) : scale3(-1, direction);
  return true;
}
