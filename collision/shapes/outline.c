// The supporting feature of a convex solid: the face, disc, generator or point that faces a direction d.
//
// A face whose outward normal f has the largest f . d among those with a corner that lies farthest along d (a face
// elsewhere may have a larger one); of a cylinder its cap or its generator, whichever has; likewise of a cone. The
// normal of a generator in the direction u around the axis is u for cylinders, (L u + r z) / |(L, r)| for cones.
//
// A capsule's generator is the line r u beside the axis. Its end on the side to which d points is replaced by the
// support point, on the ball there.
//
// Points of a disc: with t the angle from facing d, four that are fixed in the solid, cos t r away from its centre
// (while t < 45 degrees), and the support point on the rim, which goes to the centre as t falls below 1e-9, where it
// has no direction. So a disc that stands flat keeps the same points, and the support point is always among them. The
// pairs with half-spaces do the same.
#include "collision/shapes/outline.h"
#include "collision/shapes/hull_support.h"
#include "collision/shapes/support.h"

static const double STEADY_TILT = 1e-9; // rad: less tilt than this has no direction
static const double AS_FAR = 1e-6;      // of the radius: corners that are as far as the farthest

static void set_point(srs_outline *o, vec3 p)
{
  o->kind = SRS_OUTLINE_POINT;
  o->n = 1;
  o->points[0] = p;
  o->names[0] = 0;
}

static void set_segment(srs_outline *o, vec3 from, vec3 to, int name)
{
  o->kind = SRS_OUTLINE_SEGMENT;
  o->n = 2;
  o->points[0] = o->line[0] = srs_to_world(o->solid, from);
  o->points[1] = o->line[1] = srs_to_world(o->solid, to);
  o->names[0] = 0;
  o->names[1] = 1;
  o->first_edge = o->name = name;
}

// side: 1 or -1, where it looks along z. d in the solid's frame.
static void set_disc(srs_outline *o, double radius, double z, double side, vec3 d, int name)
{
  const vec3 normal = {0, 0, side};
  o->kind = SRS_OUTLINE_DISC;
  o->n = 0;
  o->normal = scale3(side, o->solid->axes.z);
  o->centre = srs_to_world(o->solid, (vec3){0, 0, z});
  o->offset = dot3(o->normal, o->centre);
  o->axes = o->solid->axes;
  o->radius = radius;
  o->first_edge = o->name = name;
  const double tilt = hypot(d.x, d.y), r = radius * fabs(d.z);
  const vec3 fixed[4] = {{r, 0, z}, {0, r, z}, {-r, 0, z}, {0, -r, z}};
  for (int i = 0; i < 4 && dot3(normal, d) > tilt; i++) {
    o->points[o->n] = srs_to_world(o->solid, fixed[i]);
    o->names[o->n++] = SRS_DISC_POINTS * name + i;
  }
  const double down = radius / fmax(tilt, STEADY_TILT);
  o->points[o->n] = srs_to_world(o->solid, (vec3){down * d.x, down * d.y, z});
  o->names[o->n++] = SRS_DISC_POINTS * name + 4;
}

static void set_box_face(srs_outline *o, const double size[3], vec3 d)
{
  static const int turn[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const double part[3] = {d.x, d.y, d.z};
  const int i = fabs(part[0]) >= fabs(part[1]) && fabs(part[0]) >= fabs(part[2]) ? 0
                : fabs(part[1]) >= fabs(part[2])                                 ? 1
                                                                                 : 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3, side = part[i] >= 0 ? 1 : -1;
  const vec3 axes[3] = {o->solid->axes.x, o->solid->axes.y, o->solid->axes.z};
  o->kind = SRS_OUTLINE_POLYGON;
  o->n = 4;
  o->normal = scale3(side, axes[i]);
  o->offset = dot3(o->normal, o->solid->origin) + 0.5 * size[i];
  o->name = 2 * i + (side > 0);
  o->first_edge = 4 * o->name;
  for (int corner = 0; corner < 4; corner++) {
    const int *at = turn[side > 0 ? corner : 3 - corner];
    const vec3 middle = add_scaled3(o->solid->origin, 0.5 * side * size[i], axes[i]);
    o->points[corner] =
        add_scaled3(add_scaled3(middle, 0.5 * at[0] * size[j], axes[j]), 0.5 * at[1] * size[k], axes[k]);
    o->names[corner] = (side > 0) << i | (at[0] > 0) << j | (at[1] > 0) << k;
  }
}

// How many corners of a face are as far as that; 0 if another than `first` is the first of them.
static int count_farthest(const srs_hull *hull, int face, int first, vec3 d, double far)
{
  int n = 0;
  for (int i = hull->face_begin[face]; i < hull->face_begin[face + 1]; i++) {
    const int corner = hull->face_corners[i];
    if (dot3(hull->corners[corner], d) < far) continue;
    if (n == 0 && corner != first) return 0;
    n++;
  }
  return n;
}

// The face that has the most corners as far as the farthest, of equals the one that faces d most.
static int farthest_face(const srs_hull *hull, vec3 d, double far)
{
  int best = 0, most = 0;
  double facing = -INFINITY;
  const int first = srs_hull_next_as_far(hull, d, far, 0), second = srs_hull_next_as_far(hull, d, far, first + 1);
  const bool is_alone = second == hull->n_corners;
  for (int corner = first, next = second; corner < hull->n_corners; corner = next) {
    if (corner != first) next = srs_hull_next_as_far(hull, d, far, corner + 1);
    for (int i = hull->fan_begin[corner]; i < hull->fan_begin[corner + 1]; i++) {
      const int face = hull->fan[i], count = is_alone ? 1 : count_farthest(hull, face, corner, d, far);
      if (count == 0 || count < most) continue;
      const double f = dot3(hull->normals[face], d);
      if (count == most && (f < facing || (f == facing && face > best))) continue;
      most = count, facing = f, best = face;
    }
  }
  return best;
}

static void set_hull_face(srs_outline *o, const srs_hull *hull, vec3 d)
{
  const int farthest = srs_hull_support(hull, d);
  const double far = dot3(hull->corners[farthest], d) - AS_FAR * o->solid->solid->radius;
  const int best = farthest_face(hull, d, far);
  const int begin = hull->face_begin[best], n = hull->face_begin[best + 1] - begin;
  const int stride = (n + SRS_OUTLINE_POINTS - 1) / SRS_OUTLINE_POINTS;
  o->kind = SRS_OUTLINE_POLYGON;
  o->n = 0;
  o->normal = rotate(o->solid->axes, hull->normals[best]);
  o->offset = dot3(o->normal, o->solid->origin) + hull->offsets[best];
  o->name = best;
  o->first_edge = begin;
  for (int i = 0; i < n; i += stride) {
    const int corner = hull->face_corners[begin + i];
    o->points[o->n] = srs_to_world(o->solid, hull->corners[corner]);
    o->names[o->n++] = corner;
  }
}

static void set_cylinder(srs_outline *o, double radius, double half, vec3 d)
{
  const double side = d.z >= 0 ? 1 : -1;
  if (d.z * d.z > d.x * d.x + d.y * d.y)
    set_disc(o, radius, side * half, side, d, side > 0);
  else
    set_segment(o, srs_rim_support(radius, -half, d), srs_rim_support(radius, half, d), 2);
}

static void set_cone(srs_outline *o, double radius, double length, vec3 d)
{
  const double around_z = hypot(d.x, d.y), facing = (length * around_z + radius * d.z) / hypot(length, radius);
  if (-d.z > facing)
    set_disc(o, radius, -0.5 * length, -1, d, 0);
  else
    set_segment(o, srs_rim_support(radius, -0.5 * length, d), (vec3){0, 0, 0.5 * length}, 2);
}

static void set_capsule(srs_outline *o, double radius, double half, vec3 d)
{
  const bool is_upper = d.z >= 0;
  set_segment(o, srs_rim_support(radius, -half, d), srs_rim_support(radius, half, d), 2);
  o->points[is_upper] = srs_to_world(o->solid, add_scaled3((vec3){0, 0, is_upper ? half : -half}, radius, d));
}

void srs_solid_outline(const srs_placed *placed, vec3 direction, srs_outline *o)
{
  const srs_solid *solid = placed->solid;
  const vec3 d = rotate_back(placed->axes, direction);
  o->solid = placed;
  o->name = o->first_edge = 0;
  switch (solid->kind) {
  case SRS_SHAPE_BOX: set_box_face(o, solid->size, d); break;
  case SRS_SHAPE_HULL: set_hull_face(o, solid->hull, d); break;
  case SRS_SHAPE_CYLINDER: set_cylinder(o, solid->size[0], 0.5 * solid->size[1], d); break;
  case SRS_SHAPE_CONE: set_cone(o, solid->size[0], solid->size[1], d); break;
  case SRS_SHAPE_CAPSULE:
    if (solid->size[1] > 0) {
      set_capsule(o, solid->size[0], 0.5 * solid->size[1], d);
      break;
    }
    // fall through
  default: set_point(o, srs_solid_support(placed, direction));
  }
}
