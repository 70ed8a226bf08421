// Bounding boxes and spheres of shapes.
//
// The sphere is the smallest one about a point of the shape's axis: for a cone of radius r and length l >= r the point
// at z with l/2 - z = sqrt((z + l/2)^2 + r^2), so z = -r^2 / 2l; a flatter cone has the middle of its base. Bounds are
// widened by 1e-9 so that rounding never hides a contact.
#include "collision/shapes/bounds.h"
#include "collision/shapes/support.h"

static const double widened = 1 + 1e-9;

// The smallest box about points that is parallel to the axes.
static void bound_points(const double *points, int n, vec3 *middle, vec3 *half)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      low[c] = fmin(low[c], points[3 * (size_t)i + (size_t)c]);
      high[c] = fmax(high[c], points[3 * (size_t)i + (size_t)c]);
    }
  *middle = (vec3){(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
  *half = (vec3){(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2};
}

static void bound_heights(const srs_shape *s, vec3 *middle, vec3 *half)
{
  double low = s->heights[0], high = low;
  for (size_t i = 1; i < (size_t)s->n_rows * (size_t)s->n_columns; i++) {
    low = fmin(low, s->heights[i]);
    high = fmax(high, s->heights[i]);
  }
  *middle = (vec3){0, 0, (low + high) / 2};
  *half = (vec3){s->size[0] * (s->n_columns - 1) / 2, s->size[1] * (s->n_rows - 1) / 2, (high - low) / 2};
}

// Of any convex kind that has a support function.
static void bound_by_support(const srs_shape *s, vec3 *middle, vec3 *half)
{
  const srs_solid solid = {
      .kind = s->kind, .size = {s->size[0], s->size[1], s->size[2]}, .exponent = {s->exponent[0], s->exponent[1]}};
  const srs_placed placed = {&solid, mat3_identity, vec3_zero};
  const vec3 high = {srs_solid_support(&placed, (vec3){1, 0, 0}).x, srs_solid_support(&placed, (vec3){0, 1, 0}).y,
                     srs_solid_support(&placed, (vec3){0, 0, 1}).z};
  const vec3 low = {srs_solid_support(&placed, (vec3){-1, 0, 0}).x, srs_solid_support(&placed, (vec3){0, -1, 0}).y,
                    srs_solid_support(&placed, (vec3){0, 0, -1}).z};
  *middle = scale3(0.5, add3(low, high));
  *half = scale3(0.5, sub3(high, low));
}

void srs_bounding_box(const srs_shape *s, vec3 *middle, vec3 *half)
{
  const double *size = s->size;
  *middle = vec3_zero;
  switch (s->kind) {
  case SRS_SHAPE_SPHERE: *half = (vec3){size[0], size[0], size[0]}; break;
  case SRS_SHAPE_BOX: *half = (vec3){size[0] / 2, size[1] / 2, size[2] / 2}; break;
  case SRS_SHAPE_SUPERELLIPSOID:
  case SRS_SHAPE_ELLIPSOID: *half = (vec3){size[0], size[1], size[2]}; break;
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CONE: *half = (vec3){size[0], size[0], size[1] / 2}; break;
  case SRS_SHAPE_CAPSULE: *half = (vec3){size[0], size[0], size[1] / 2 + size[0]}; break;
  case SRS_SHAPE_PARABOLOID:
    *middle = (vec3){0, 0, -size[2] / 2};
    *half = (vec3){sqrt(2 * size[0] * size[2]), sqrt(2 * size[1] * size[2]), size[2] / 2};
    break;
  case SRS_SHAPE_HULL:
  case SRS_SHAPE_SURFACE:
  case SRS_SHAPE_TERRAIN: bound_points(s->points, s->n_points, middle, half); break;
  case SRS_SHAPE_POLYGON:
    bound_points(s->points, s->n_points, middle, half);
    half->z = s->size[0] / 2;
    break;
  case SRS_SHAPE_HEIGHTFIELD: bound_heights(s, middle, half); break;
  case SRS_SHAPE_HALF_SPACE:
  case SRS_SHAPE_MESH: *half = vec3_zero; break;
  default: bound_by_support(s, middle, half); break;
  }
  *half = scale3(widened, *half);
}

// The farthest of the points from the middle of their box.
static double reach_of_points(const double *points, int n, vec3 middle)
{
  double reach = 0;
  for (int i = 0; i < n; i++) reach = fmax(reach, norm3(sub3(vec3_load(points + 3 * (size_t)i), middle)));
  return reach;
}

void srs_bounding_sphere(const srs_shape *s, vec3 middle, vec3 half, vec3 *centre, double *radius)
{
  const double *size = s->size;
  *centre = middle;
  switch (s->kind) {
  case SRS_SHAPE_SPHERE: *radius = size[0]; break;
  case SRS_SHAPE_ELLIPSOID: *radius = fmax(size[0], fmax(size[1], size[2])); break;
  case SRS_SHAPE_CYLINDER: *radius = hypot(size[0], size[1] / 2); break;
  case SRS_SHAPE_CAPSULE: *radius = size[0] + size[1] / 2; break;
  case SRS_SHAPE_CONE: {
    const double down = fmin(size[0] * size[0] / (2 * size[1]), size[1] / 2);
    centre->z = -down;
    *radius = fmax(size[1] / 2 + down, size[0]);
    break;
  }
  case SRS_SHAPE_SURFACE:
  case SRS_SHAPE_HULL: *radius = reach_of_points(s->points, s->n_points, middle); break;
  case SRS_SHAPE_POLYGON: *radius = hypot(reach_of_points(s->points, s->n_points, middle), size[0] / 2); break;
  case SRS_SHAPE_HALF_SPACE: *radius = INFINITY; break;
  default: *radius = norm3(half); break;
  }
  *radius *= widened;
}

double srs_shape_reach(const srs_shape *shape)
{
  const double *s = shape->size;
  double radius = 0;
  switch (shape->kind) {
  case SRS_SHAPE_SPHERE: radius = s[0]; break;
  case SRS_SHAPE_BOX: radius = 0.5 * norm3((vec3){s[0], s[1], s[2]}); break;
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CONE: radius = hypot(s[0], 0.5 * s[1]); break;
  case SRS_SHAPE_CAPSULE: radius = s[0] + 0.5 * s[1]; break;
  case SRS_SHAPE_ELLIPSOID: radius = fmax(s[0], fmax(s[1], s[2])); break;
  case SRS_SHAPE_SUPERELLIPSOID: radius = norm3((vec3){s[0], s[1], s[2]}); break;
  case SRS_SHAPE_PARABOLOID: radius = norm3((vec3){sqrt(2 * s[0] * s[2]), sqrt(2 * s[1] * s[2]), s[2]}); break;
  case SRS_SHAPE_POLYGON:
  case SRS_SHAPE_SURFACE:
  case SRS_SHAPE_HULL:
    for (int i = 0; i < shape->n_points; i++) radius = fmax(radius, norm3(vec3_load(shape->points + 3 * (size_t)i)));
    if (shape->kind == SRS_SHAPE_POLYGON) radius = hypot(radius, 0.5 * s[0]);
    break;
  case SRS_SHAPE_MESH:
  case SRS_SHAPE_HALF_SPACE:
  case SRS_SHAPE_TERRAIN:
  case SRS_SHAPE_HEIGHTFIELD: break;
  default: {
    vec3 middle, half;
    srs_bounding_box(shape, &middle, &half);
    radius = norm3(middle) + norm3(half);
    break;
  }
  }
  return radius;
}
