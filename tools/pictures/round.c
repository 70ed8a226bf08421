// What do round solids look like? The silhouette of a convex solid is made of the points that lie farthest in the
// directions d of the picture's plane; of an ellipsoid x = c + M u, |u| = 1, that is c + M M'd / |M'd|. Cylinders and
// cones are the hull of their rims; superellipsoids and paraboloids are given by that function alone. A few lines on
// the surface show how it turns: of a ball the halves of two great circles that face the viewer, of a disc a diameter.
#include "tools/pictures/sketch.h"

#include <math.h>

enum { AROUND = 48 }; // points of a full turn

static const double pi = 3.14159265358979323846;
static const double plain = 1.3; // brightness of a curved surface

static double *point_at(sketch *s, int i) { return &s->points[3 * (size_t)i]; }

// c + M u with u = cos a e_i + sin a e_j, i and j being axes of the shape; a runs over [from, to].
static void add_arc(sketch *s, sketch_kind kind, const srs_pose *pose, const double radii[3], int i, int j, double from,
                    double to, const double centre[3], double shade)
{
  const int n = kind == SKETCH_MARK ? AROUND / 2 + 1 : AROUND;
  const int first = sketch_take_points(s, n);
  if (first < 0) return;
  for (int k = 0; k < n; k++) {
    const double angle = from + (to - from) * k / (kind == SKETCH_MARK ? n - 1 : n);
    double local[3] = {centre[0], centre[1], centre[2]};
    local[i] += radii[i] * cos(angle);
    local[j] += radii[j] * sin(angle);
    sketch_point(pose, local, point_at(s, first + k));
  }
  sketch_add_path(s, kind, first, n, shade);
}

// Ellipsoids, spheres among them: M = R diag(radii). A point M u faces the viewer when (M^-T u)_z > 0.
static void ellipsoid(sketch *s, const srs_pose *pose, const double radii[3], bool is_sphere)
{
  static const double origin[3] = {0, 0, 0};
  const double *R = pose->rotation;
  const int first = sketch_take_points(s, AROUND + 2);
  if (first < 0) return;
  for (int k = 0; k < AROUND + 2; k++) { // the last two: nearest and farthest
    const double angle = 2 * pi * k / AROUND;
    const double d[3] = {k < AROUND ? cos(angle) : 0, k < AROUND ? sin(angle) : 0,
                         k == AROUND  ? 1
                         : k > AROUND ? -1
                                      : 0};
    double u[3], length = 0;
    for (int i = 0; i < 3; i++) {
      u[i] = radii[i] * (R[i] * d[0] + R[3 + i] * d[1] + R[6 + i] * d[2]);
      length += u[i] * u[i];
    }
    for (int i = 0; i < 3; i++) u[i] *= radii[i] / sqrt(length);
    sketch_point(pose, u, point_at(s, first + k));
  }
  if (is_sphere) {
    const int centre = sketch_take_points(s, 1);
    if (centre < 0) return;
    sketch_point(pose, origin, point_at(s, centre));
    sketch_add_path(s, SKETCH_DISC, centre, 1, plain);
    if (!s->has_failed) s->paths[s->n_paths - 1].radius = radii[0];
  } else {
    sketch_add_path(s, SKETCH_FACE, first, AROUND, plain);
  }
  for (int i = 0; i < 2; i++) {
    const double middle = atan2(R[8] / radii[2], R[6 + i] / radii[i]);
    add_arc(s, SKETCH_MARK, pose, radii, i, 2, middle - pi / 2, middle + pi / 2, origin, 1);
  }
}

// The farthest point in direction d of ((x/a)^p + (y/b)^p)^(q/p) + (z/c)^q <= 1: by the dual norms, of exponents
// p / (p - 1) and q / (q - 1).
static void superellipsoid_support(const srs_shape *shape, const double d[3], double point[3])
{
  const double p = shape->exponent[0], q = shape->exponent[1], dual_p = p / (p - 1), dual_q = q / (q - 1);
  const double u[3] = {shape->size[0] * d[0], shape->size[1] * d[1], shape->size[2] * d[2]};
  const double across = pow(pow(fabs(u[0]), dual_p) + pow(fabs(u[1]), dual_p), 1 / dual_p);
  const double whole = pow(pow(across, dual_q) + pow(fabs(u[2]), dual_q), 1 / dual_q);
  for (int i = 0; i < 2; i++)
    point[i] = across > 0 ? shape->size[i] * copysign(pow(fabs(u[i]) / across, dual_p - 1), u[i]) *
                                pow(across / whole, dual_q - 1)
                          : 0;
  point[2] = shape->size[2] * copysign(pow(fabs(u[2]) / whole, dual_q - 1), u[2]);
}

// The same of z <= -x^2 / 2r - y^2 / 2s, z >= -h: where the normal is d, else on the rim of the base.
static void paraboloid_support(const srs_shape *shape, const double d[3], double point[3])
{
  const double *size = shape->size;
  if (d[2] > 0) {
    for (int i = 0; i < 2; i++) point[i] = size[i] * d[i] / d[2];
    point[2] = -(point[0] * point[0] / size[0] + point[1] * point[1] / size[1]) / 2;
    if (point[2] >= -size[2]) return;
  }
  const double rim[2] = {2 * size[0] * size[2], 2 * size[1] * size[2]}; // squares of its semi-axes
  const double length = sqrt(rim[0] * d[0] * d[0] + rim[1] * d[1] * d[1]);
  for (int i = 0; i < 2; i++) point[i] = length > 0 ? rim[i] * d[i] / length : 0;
  point[2] = -size[2];
}

typedef void (*support)(const srs_shape *shape, const double d[3], double point[3]);

// A solid by its support function alone; nearest and farthest points are for the order of painting.
static void by_support(sketch *s, const srs_shape *shape, const srs_pose *pose, support farthest)
{
  enum { N = 2 * AROUND };
  const double *R = pose->rotation;
  const int first = sketch_take_points(s, N + 2);
  if (first < 0) return;
  for (int k = 0; k < N + 2; k++) {
    const double angle = 2 * pi * k / N, seen[3] = {k < N ? cos(angle) : 0, k < N ? sin(angle) : 0,
                                                    k < N    ? 0
                                                    : k == N ? 1
                                                             : -1};
    double d[3], point[3];
    for (int i = 0; i < 3; i++) d[i] = R[i] * seen[0] + R[3 + i] * seen[1] + R[6 + i] * seen[2];
    farthest(shape, d, point);
    sketch_point(pose, point, point_at(s, first + k));
  }
  sketch_add_silhouette(s, SKETCH_FACE, plain);
}

static void capsule(sketch *s, const srs_pose *pose, double radius, double length)
{
  const double axis[2] = {pose->rotation[2], pose->rotation[5]};
  const int first = sketch_take_points(s, AROUND);
  if (first < 0) return;
  for (int k = 0; k < AROUND; k++) {
    const double angle = 2 * pi * k / AROUND, d[2] = {cos(angle), sin(angle)};
    const double end[3] = {0, 0, d[0] * axis[0] + d[1] * axis[1] >= 0 ? length / 2 : -length / 2};
    double *p = point_at(s, first + k);
    sketch_point(pose, end, p);
    p[0] += radius * d[0];
    p[1] += radius * d[1];
  }
  sketch_add_silhouette(s, SKETCH_FACE, plain);
  for (int side = 0; side < 2; side++) { // for the order of painting
    const int end = sketch_take_points(s, 2);
    if (end < 0) return;
    const double middle[3] = {0, 0, side == 0 ? length / 2 : -length / 2};
    for (int k = 0; k < 2; k++) {
      sketch_point(pose, middle, point_at(s, end + k));
      point_at(s, end + k)[2] += k == 0 ? radius : -radius;
    }
  }
}

// A cylinder, or a cone whose upper rim has no size.
static void cylinder(sketch *s, const srs_pose *pose, double radius, double length, bool is_cone)
{
  const int n_upper = is_cone ? 1 : AROUND;
  const int first = sketch_take_points(s, AROUND + n_upper);
  if (first < 0) return;
  for (int k = 0; k < AROUND + n_upper; k++) {
    const double angle = 2 * pi * (k % AROUND) / AROUND, r = is_cone && k == AROUND ? 0 : radius;
    const double local[3] = {r * cos(angle), r * sin(angle), k < AROUND ? -length / 2 : length / 2};
    sketch_point(pose, local, point_at(s, first + k));
  }
  const double axis[3] = {pose->rotation[2], pose->rotation[5], pose->rotation[8]},
               under[3] = {-axis[0], -axis[1], -axis[2]};
  sketch_add_normal(s, axis);
  if (!is_cone) sketch_add_normal(s, under);
  sketch_add_silhouette(s, SKETCH_FACE, plain);

  const bool sees_upper = axis[2] > 1e-6 && !is_cone, sees_lower = axis[2] < -1e-6;
  if (!sees_upper && !sees_lower) return;
  const double radii[3] = {radius, radius, 0}, rim[3] = {0, 0, sees_upper ? length / 2 : -length / 2};
  add_arc(s, SKETCH_FACE, pose, radii, 0, 1, 0, 2 * pi, rim, sketch_brightness(sees_upper ? axis : under));
  const int mark = sketch_take_points(s, 2);
  if (mark < 0) return;
  for (int k = 0; k < 2; k++) {
    const double end[3] = {k == 0 ? radius : -radius, 0, rim[2]};
    sketch_point(pose, end, point_at(s, mark + k));
  }
  sketch_add_path(s, SKETCH_MARK, mark, 2, 1);
}

void sketch_round(sketch *s, const srs_shape *shape, const srs_pose *pose)
{
  const double *size = shape->size, ball[3] = {size[0], size[0], size[0]};
  switch (shape->kind) {
  case SRS_SHAPE_SPHERE: ellipsoid(s, pose, ball, true); break;
  case SRS_SHAPE_ELLIPSOID: ellipsoid(s, pose, size, false); break;
  case SRS_SHAPE_CAPSULE: capsule(s, pose, size[0], size[1]); break;
  case SRS_SHAPE_CYLINDER: cylinder(s, pose, size[0], size[1], false); break;
  case SRS_SHAPE_CONE: cylinder(s, pose, size[0], size[1], true); break;
  case SRS_SHAPE_SUPERELLIPSOID: by_support(s, shape, pose, superellipsoid_support); break;
  case SRS_SHAPE_PARABOLOID: by_support(s, shape, pose, paraboloid_support); break;
  default: break;
  }
}
