// Round shapes are a grid of points over two parameters in [0, 1]: u around the axis z, w from below to above. The
// profile of a cylinder, capsule or cone is a radius and a height at each w.
//
//   ellipsoid       (a cos f cos t, b cos f sin t, c sin f),  t = 2 pi u, f = pi (w - 1/2)
//   superellipsoid  the same with powers: ((x/a)^p + (y/b)^p)^(q/p) + (z/c)^q = 1
//   paraboloid      z = -x^2 / 2r - y^2 / 2s from the vertex down to -h, and its base
#include "engine/cli/view/solids.h"

#include <math.h>

enum { AROUND = 32, UP = 16 };

static const double pi = 3.14159265358979323846, ground = SRS_HALF_SPACE_SIDE;

typedef void (*surface)(const srs_shape *shape, double u, double w, double point[3]);

static double power(double x, double exponent) { return copysign(pow(fabs(x), exponent), x); }

static void on_ellipsoid(const double axes[3], double p, double q, double u, double w, double point[3])
{
  const double around = 2 * pi * u, up = pi * (w - 0.5), across = power(fmax(cos(up), 0), 2 / q);
  point[0] = axes[0] * across * power(cos(around), 2 / p);
  point[1] = axes[1] * across * power(sin(around), 2 / p);
  point[2] = axes[2] * power(sin(up), 2 / q);
}

static void at_sphere(const srs_shape *shape, double u, double w, double point[3])
{
  const double axes[3] = {shape->size[0], shape->size[0], shape->size[0]};
  on_ellipsoid(axes, 2, 2, u, w, point);
}

static void at_ellipsoid(const srs_shape *shape, double u, double w, double point[3])
{
  on_ellipsoid(shape->size, 2, 2, u, w, point);
}

static void at_superellipsoid(const srs_shape *shape, double u, double w, double point[3])
{
  on_ellipsoid(shape->size, shape->exponent[0], shape->exponent[1], u, w, point);
}

static void revolve(double radius, double height, double u, double point[3])
{
  point[0] = radius * cos(2 * pi * u);
  point[1] = radius * sin(2 * pi * u);
  point[2] = height;
}

// The axis below, the rim below, the rim above, the axis above.
static void at_cylinder(const srs_shape *shape, double u, double w, double point[3])
{
  const bool is_rim = w > 0.2 && w < 0.8;
  revolve(is_rim ? shape->size[0] : 0, w < 0.5 ? -shape->size[1] / 2 : shape->size[1] / 2, u, point);
}

static void at_cone(const srs_shape *shape, double u, double w, double point[3])
{
  const bool is_rim = w > 0.25 && w < 0.75;
  revolve(is_rim ? shape->size[0] : 0, w < 0.75 ? -shape->size[1] / 2 : shape->size[1] / 2, u, point);
}

static void at_capsule(const srs_shape *shape, double u, double w, double point[3])
{
  const double below = fmin(w / 0.45, 1), above = fmax((w - 0.55) / 0.45, 0), side = w < 0.5 ? -1 : 1;
  const double angle = pi / 2 * (w < 0.5 ? below - 1 : above);
  revolve(shape->size[0] * fmax(cos(angle), 0), shape->size[0] * sin(angle) + side * shape->size[1] / 2, u, point);
}

static void at_paraboloid(const srs_shape *shape, double u, double w, double point[3])
{
  const double r = shape->size[0], s = shape->size[1], h = shape->size[2];
  const double out = w < 0.5 ? 2 * w : 2 - 2 * w;
  point[0] = sqrt(2 * r * h) * out * cos(2 * pi * u);
  point[1] = sqrt(2 * s * h) * out * sin(2 * pi * u);
  point[2] = w < 0.5 ? -h : -h * out * out; // the base first, so that triangles look outwards
}

// Counter-clockwise from outside: u goes around to the left, w up. Triangles at the poles have no area and are left
// out.
static bool patch(srs_triangles *t, const srs_shape *shape, surface at, int rows)
{
  if (!srs_triangles_take(t, AROUND * (rows + 1), 2 * AROUND * (rows - 1))) return false;
  for (int row = 0; row <= rows; row++)
    for (int column = 0; column < AROUND; column++) {
      double point[3];
      at(shape, (double)column / AROUND, (double)row / rows, point);
      for (int k = 0; k < 3; k++) t->points[3 * (size_t)(row * AROUND + column) + (size_t)k] = (float)point[k];
    }
  int32_t *to = t->corners;
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < AROUND; column++) {
      const int a = row * AROUND + column, b = row * AROUND + (column + 1) % AROUND;
      if (row > 0) to[0] = a, to[1] = b, to[2] = b + AROUND, to += 3;
      if (row + 1 < rows) to[0] = a, to[1] = b + AROUND, to[2] = a + AROUND, to += 3;
    }
  return true;
}

static bool box_of(srs_triangles *t, const double size[3])
{
  static const int32_t corners[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  if (!srs_triangles_take(t, 8, 12)) return false;
  for (int i = 0; i < 24; i++) t->points[i] = (float)(size[i % 3] * ((i / 3 >> i % 3 & 1) - 0.5));
  for (int i = 0; i < 36; i++) t->corners[i] = corners[i];
  return true;
}

static bool ground_of(srs_triangles *t)
{
  static const int32_t corners[6] = {0, 1, 3, 0, 3, 2};
  if (!srs_triangles_take(t, 4, 2)) return false;
  for (int i = 0; i < 4; i++) {
    t->points[3 * (size_t)i] = (float)(i % 2 > 0 ? ground : -ground);
    t->points[3 * (size_t)i + 1] = (float)(i / 2 > 0 ? ground : -ground);
  }
  for (int i = 0; i < 6; i++) t->corners[i] = corners[i];
  return true;
}

bool srs_solid_triangles(srs_triangles *t, const srs_shape *shape, int *n_missing, srs_error *missing)
{
  switch (shape->kind) {
  case SRS_SHAPE_SPHERE: return patch(t, shape, at_sphere, UP);
  case SRS_SHAPE_ELLIPSOID: return patch(t, shape, at_ellipsoid, UP);
  case SRS_SHAPE_SUPERELLIPSOID: return patch(t, shape, at_superellipsoid, UP);
  case SRS_SHAPE_PARABOLOID: return patch(t, shape, at_paraboloid, UP);
  case SRS_SHAPE_CYLINDER: return patch(t, shape, at_cylinder, 3);
  case SRS_SHAPE_CONE: return patch(t, shape, at_cone, 2);
  case SRS_SHAPE_CAPSULE: return patch(t, shape, at_capsule, 20);
  case SRS_SHAPE_BOX: return box_of(t, shape->size);
  case SRS_SHAPE_HALF_SPACE: return ground_of(t);
  default: return srs_triangles_of(t, shape, n_missing, missing);
  }
}

srs_pose srs_solid_compose(const srs_pose *parent, const srs_pose *child)
{
  srs_pose pose;
  for (int i = 0; i < 3; i++) {
    const double *row = parent->rotation + (size_t)i * 3;
    pose.position[i] = parent->position[i];
    for (int j = 0; j < 3; j++) {
      pose.position[i] += row[j] * child->position[j];
      pose.rotation[3 * i + j] =
          row[0] * child->rotation[j] + row[1] * child->rotation[3 + j] + row[2] * child->rotation[6 + j];
    }
  }
  return pose;
}

int srs_shape_body(const srs_model *model, const srs_shape *shape)
{
  return shape->frame >= 0 ? srs_model_frame(model, shape->frame)->link : -1;
}

bool srs_shape_is_seen(const srs_model *model, const srs_shape *shape)
{
  const int body = srs_shape_body(model, shape);
  for (int i = 0; i < srs_model_n_shapes(model) && !shape->is_visual; i++) {
    const srs_shape *other = srs_model_shape(model, i);
    if (other->is_visual && srs_shape_body(model, other) == body) return false;
  }
  return true;
}
