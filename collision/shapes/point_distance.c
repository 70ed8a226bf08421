// The signed distance of a point from a convex solid, and the ways out for a point inside.
//
// Polyhedra: inside, the face whose plane is nearest; outside, the nearest point of all faces that p is in front of.
// Cylinders and cones are polygons turned around z: the same in the plane of z and p. Spheres and capsules: from their
// cores.
//
// Ellipsoids: the nearest point y of p has p - y along the normal D^-2 y, so y_i = a_i^2 p_i / (a_i^2 + t) with the t
// that puts it on the surface: F(t) = sum (a_i p_i / (a_i^2 + t))^2 - 1 = 0, t > -a_min^2. F falls and is convex there,
// so Newton's method from a t with F >= 0, such as the largest a_i |p_i| - a_i^2, comes down to the root and never
// beyond. Where p lies in the middle plane of the shortest axis and near the centre there is no such t: then y leaves
// that plane by what is missing to the surface.
#include "collision/shapes/point_distance.h"

typedef struct point2 {
  double x, y;
} point2;

typedef struct found {
  double distance;
  vec3 normal; // solid's frame
} found;

static found from_centre(vec3 r, vec3 otherwise, double radius)
{
  const double length = norm3(r);
  return (found){length - radius, length > 1e-150 ? scale3(1 / length, r) : otherwise};
}

static found from_box(const double size[3], vec3 p)
{
  const double at[3] = {p.x, p.y, p.z};
  double over[3], normal[3] = {0, 0, 0};
  int nearest = 0;
  for (int i = 0; i < 3; i++) {
    over[i] = fabs(at[i]) - 0.5 * size[i];
    if (over[i] > over[nearest]) nearest = i;
  }
  if (over[nearest] <= 0) {
    normal[nearest] = copysign(1, at[nearest]);
    return (found){over[nearest], vec3_load(normal)};
  }
  const vec3 r = {copysign(fmax(over[0], 0), p.x), copysign(fmax(over[1], 0), p.y), copysign(fmax(over[2], 0), p.z)};
  return from_centre(r, vec3_zero, 0);
}

// From a convex line of corners, the solid on the left of its edges seen with y up and x to the right.
static double from_line(const point2 *corners, int n, point2 p, point2 *normal)
{
  double inside = -INFINITY, outside = INFINITY;
  point2 inward = {0, 0}, outward = {0, 0};
  for (int i = 0; i + 1 < n; i++) {
    const point2 a = corners[i], along = {corners[i + 1].x - a.x, corners[i + 1].y - a.y};
    const double length = hypot(along.x, along.y);
    if (!(length > 0)) continue;
    const point2 out = {along.y / length, -along.x / length}, r = {p.x - a.x, p.y - a.y};
    const double height = out.x * r.x + out.y * r.y;
    if (height > inside) inside = height, inward = out;
    const double t = fmin(fmax((along.x * r.x + along.y * r.y) / (length * length), 0), 1);
    const point2 away = {r.x - t * along.x, r.y - t * along.y};
    const double distance = hypot(away.x, away.y);
    if (height <= 0 || distance >= outside) continue;
    outside = distance;
    outward = t > 0 && t < 1 ? out : (point2){away.x / distance, away.y / distance};
  }
  *normal = inside <= 0 ? inward : outward;
  return inside <= 0 ? inside : outside;
}

static found from_turned(const point2 *corners, int n, vec3 p)
{
  const double across = sqrt(p.x * p.x + p.y * p.y);
  const vec3 u = across > 1e-150 ? (vec3){p.x / across, p.y / across, 0} : (vec3){1, 0, 0};
  point2 normal;
  const double distance = from_line(corners, n, (point2){across, p.z}, &normal);
  return (found){distance, {normal.x * u.x, normal.x * u.y, normal.y}};
}

// From a face to p, which is `height` in front of its plane: from the foot of p if that is over it, else from its
// border.
static vec3 way_from_face(const srs_hull *hull, int face, vec3 p, double height)
{
  const int begin = hull->face_begin[face], end = hull->face_begin[face + 1];
  double least = INFINITY;
  vec3 way = scale3(height, hull->normals[face]);
  for (int i = begin; i < end; i++) {
    const vec3 a = hull->corners[hull->face_corners[i]];
    const vec3 along = sub3(hull->corners[hull->face_corners[i + 1 < end ? i + 1 : begin]], a), r = sub3(p, a);
    if (dot3(cross3(along, hull->normals[face]), r) <= 0) continue;
    const double t = fmin(fmax(dot3(along, r) / dot3(along, along), 0), 1);
    const vec3 from_edge = add_scaled3(r, -t, along);
    if (dot3(from_edge, from_edge) >= least) continue;
    least = dot3(from_edge, from_edge);
    way = from_edge;
  }
  return way;
}

// Farther than `most` is INFINITY where a face's plane says so.
static found from_hull(const srs_hull *hull, vec3 p, double most)
{
  double least = INFINITY;
  int top;
  vec3 way = vec3_zero;
  const double highest = srs_face_tree_highest(&hull->tree, p, larger(most, 0), &top);
  if (highest <= 0) return (found){highest, hull->normals[top]};
  if (highest > most) return (found){INFINITY, hull->normals[top]};
  for (int face = 0; face < hull->n_faces; face++) {
    const double height = srs_face_height(&hull->tree, face, p);
    if (height <= 0 || height >= least) continue;
    const vec3 r = way_from_face(hull, face, p, height);
    if (norm3(r) < least) least = norm3(r), way = r;
  }
  return from_centre(way, hull->normals[top], 0);
}

static found from_ellipsoid(const double half[3], vec3 at)
{
  const double p[3] = {at.x, at.y, at.z};
  double y[3], n[3], above[3], missing = 1, u = -INFINITY; // above: a_i^2 - a_min^2; u = t + a_min^2
  int shortest = 0;
  for (int i = 0; i < 3; i++)
    if (half[i] < half[shortest]) shortest = i;
  for (int i = 0; i < 3; i++) {
    above[i] = (half[i] - half[shortest]) * (half[i] + half[shortest]);
    u = fmax(u, half[i] * fabs(p[i]) - above[i]);
  }
  for (int round = 0; round < 200; round++) {
    double f = -1, slope = 0;
    for (int i = 0; i < 3; i++) {
      if (p[i] == 0) continue;
      const double q = half[i] * p[i] / (above[i] + u);
      f += q * q;
      slope -= 2 * q * q / (above[i] + u);
    }
    const double next = u - f / slope;
    if (!(f > 0) || !(next > u)) break;
    u = next;
  }
  for (int i = 0; i < 3; i++) {
    y[i] = p[i] != 0 ? half[i] * half[i] * p[i] / (above[i] + u) : 0;
    missing -= y[i] * y[i] / (half[i] * half[i]);
  }
  if (u <= 0) y[shortest] = half[shortest] * sqrt(fmax(missing, 0));
  for (int i = 0; i < 3; i++) n[i] = y[i] / (half[i] * half[i]);
  const vec3 normal = scale3(1 / norm3(vec3_load(n)), vec3_load(n));
  return (found){dot3(normal, sub3(at, vec3_load(y))), normal};
}

double srs_solid_distance_within(const srs_placed *placed, vec3 p, double most, vec3 *normal)
{
  const srs_solid *solid = placed->solid;
  const vec3 at = rotate_back(placed->axes, sub3(p, placed->origin));
  const double *size = solid->size, half = 0.5 * size[1];
  found f = {INFINITY, {0, 0, 1}};
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: f = from_centre(at, (vec3){0, 0, 1}, size[0]); break;
  case SRS_SHAPE_CAPSULE:
    f = from_centre((vec3){at.x, at.y, at.z - fmin(fmax(at.z, -half), half)}, (vec3){1, 0, 0}, size[0]);
    break;
  case SRS_SHAPE_BOX: f = from_box(size, at); break;
  case SRS_SHAPE_CYLINDER:
    f = from_turned((const point2[]){{0, -half}, {size[0], -half}, {size[0], half}, {0, half}}, 4, at);
    break;
  case SRS_SHAPE_CONE: f = from_turned((const point2[]){{0, -half}, {size[0], -half}, {0, half}}, 3, at); break;
  case SRS_SHAPE_HULL: f = from_hull(solid->hull, at, most); break;
  case SRS_SHAPE_ELLIPSOID: f = from_ellipsoid(size, at); break;
  case SRS_SHAPE_HALF_SPACE: f.distance = at.z; break;
  default: break;
  }
  *normal = rotate(placed->axes, f.normal);
  return f.distance;
}

double srs_solid_distance(const srs_placed *placed, vec3 p, vec3 *normal)
{
  return srs_solid_distance_within(placed, p, INFINITY, normal);
}

// From the i-th edge of a line turned around z.
static bool part_of_turned(const point2 *corners, int n, vec3 p, int i, found *f)
{
  if (i + 1 >= n) return false;
  const double across = sqrt(p.x * p.x + p.y * p.y);
  const vec3 u = across > 1e-150 ? (vec3){p.x / across, p.y / across, 0} : (vec3){1, 0, 0};
  const point2 along = {corners[i + 1].x - corners[i].x, corners[i + 1].y - corners[i].y};
  const double length = hypot(along.x, along.y);
  const point2 out = {along.y / length, -along.x / length};
  *f = (found){out.x * (across - corners[i].x) + out.y * (p.z - corners[i].y), {out.x * u.x, out.x * u.y, out.y}};
  return true;
}

bool srs_solid_way_out(const srs_placed *placed, vec3 p, int i, double *distance, vec3 *normal)
{
  const srs_solid *solid = placed->solid;
  const vec3 at = rotate_back(placed->axes, sub3(p, placed->origin));
  const double *size = solid->size, half = 0.5 * size[1], places[3] = {at.x, at.y, at.z};
  found f = {0, {0, 0, 1}};
  bool is_one = i == 0;
  switch (solid->kind) {
  case SRS_SHAPE_BOX: {
    is_one = i < 6;
    double out[3] = {0, 0, 0};
    out[i % 3] = i < 3 ? 1 : -1;
    f = (found){out[i % 3] * places[i % 3] - 0.5 * size[i % 3], vec3_load(out)};
    break;
  }
  case SRS_SHAPE_CYLINDER:
    is_one = part_of_turned((const point2[]){{0, -half}, {size[0], -half}, {size[0], half}, {0, half}}, 4, at, i, &f);
    break;
  case SRS_SHAPE_CONE:
    is_one = part_of_turned((const point2[]){{0, -half}, {size[0], -half}, {0, half}}, 3, at, i, &f);
    break;
  case SRS_SHAPE_HULL:
    is_one = i < solid->hull->n_faces;
    if (is_one) f = (found){dot3(solid->hull->normals[i], at) - solid->hull->offsets[i], solid->hull->normals[i]};
    break;
  default:
    if (is_one) *distance = srs_solid_distance(placed, p, normal);
    return is_one;
  }
  if (is_one) *distance = f.distance, *normal = rotate(placed->axes, f.normal);
  return is_one;
}
