// The planes along which two convex solids may separate, at corners and edges.
//
// Two convex solids are apart if and only if some n has s(n) = min over A of n . a - max over B of n . b >= 0. During a
// step n is constant: what is free then is a union, over the directions that are tried, of half-spaces in the space of
// their placements. Which directions? If a straight motion of one polyhedron past another is free, a plane separates
// the swept solid from the other, and so separates the two at the start. Hence: the normals of all faces that separate
// them now, and the direction of the nearest points, which is that of the two edges where edges cross. (In two
// dimensions faces are enough, but for motions that graze a corner.)
//
//   one direction    a corner over a face: an ordinary contact
//   several          a corner at a corner, a corner at an edge, two edges: at least one must keep the two apart
//                    (Egan, Berard & Trinkle, figures 5, 6 and 8)
//
// If A lies in front of a face of B, it is nowhere nearer to B than to the plane of the face: so the nearest point of B
// is behind that plane by at most the gap, and other faces need not be examined.
#include "collision/manifold/separating_planes.h"
#include "collision/manifold/clip.h"
#include "collision/manifold/reduce.h"
#include "collision/shapes/support.h"

static const double TOLERANCE = 1e-3;                                 // of the smaller solid's radius
static const double SAME = 1e-7;                                      // rad
static const double HEAD_ON = 1e-3;                                   // rad: a motion that leaves no plane alone
static const double AS_DEEP = 1e-10, SLACK = 1e-9, SAME_POINT = 1e-6; // of the smaller solid's radius

static bool has_faces(srs_shape_kind kind) { return kind == SRS_SHAPE_BOX || kind == SRS_SHAPE_HULL; }

static bool is_bounded_solid(srs_shape_kind kind)
{
  return has_faces(kind) || kind == SRS_SHAPE_SPHERE || kind == SRS_SHAPE_CAPSULE || kind == SRS_SHAPE_CYLINDER ||
         kind == SRS_SHAPE_CONE || kind == SRS_SHAPE_ELLIPSOID;
}

bool srs_kinds_have_sides(srs_shape_kind a, srs_shape_kind b)
{
  return (has_faces(a) && is_bounded_solid(b)) || (has_faces(b) && is_bounded_solid(a));
}

static double smaller_radius(const srs_placed *a, const srs_placed *b)
{
  return fmin(a->solid->radius, b->solid->radius);
}

// What two solids may overlap by and still be seen as touching, m.
static double side_tolerance(const srs_placed *a, const srs_placed *b) { return TOLERANCE * smaller_radius(a, b); }

// Adds a side, or what it knows to one with its direction; the first stands whatever it parts by.
static int add_side(srs_side sides[SRS_SIDES], int n, const srs_side *side)
{
  for (int k = 0; k < n; k++) {
    srs_side *known = &sides[k];
    if (norm3(sub3(side->normal, known->normal)) > SAME) continue;
    if (srs_side_is_nearest(known)) *known = *side; // free of rounding
    if (known->face_a < 0) known->face_a = side->face_a;
    if (known->face_b < 0) known->face_b = side->face_b;
    return n;
  }
  if (n < SRS_SIDES) {
    sides[n] = *side;
    return n + 1;
  }
  int least = 1;
  for (int k = 2; k < n; k++)
    if (sides[k].separation < sides[least].separation) least = k;
  if (side->separation > sides[least].separation) sides[least] = *side;
  return n;
}

// The faces of A or B that the other solid lies in front of. p: its nearest point.
static int add_faces(const srs_placed *a, const srs_placed *b, bool is_of_a, vec3 p, double gap, double least,
                     srs_side sides[SRS_SIDES], int n)
{
  const srs_placed *of = is_of_a ? a : b;
  const srs_hull *hull = of->solid->hull;
  if (hull == NULL) return n;
  const vec3 local = rotate_back(of->axes, sub3(p, of->origin));
  for (int f = 0; f < hull->n_faces; f++) {
    if (dot3(hull->normals[f], local) - hull->offsets[f] < fmin(least, 0) - fabs(gap)) continue;
    const vec3 outward = rotate(of->axes, hull->normals[f]), normal = is_of_a ? scale3(-1, outward) : outward;
    const srs_side side = {normal, srs_separation(a, b, normal), is_of_a ? f : -1, is_of_a ? -1 : f, false};
    if (side.separation >= least) n = add_side(sides, n, &side);
  }
  return n;
}

// The plane that the motion leaves alone, nearest to that of the nearest points. It is where a motion is free, and must
// not be where bodies rest: they are apart along it.
static int add_along(const srs_placed *a, const srs_placed *b, vec3 motion, srs_side sides[SRS_SIDES], int n)
{
  const double square = dot3(motion, motion);
  if (!(square > 0)) return n;
  const vec3 across = add_scaled3(sides[0].normal, -dot3(sides[0].normal, motion) / square, motion);
  const double length = norm3(across);
  if (!(length > HEAD_ON)) return n;
  const vec3 normal = scale3(1 / length, across);
  const srs_side side = {normal, srs_separation(a, b, normal), -1, -1, true};
  return side.separation > 0 ? add_side(sides, n, &side) : n;
}

int srs_find_sides(const srs_placed *a, const srs_placed *b, const srs_touch *nearest, vec3 motion,
                   srs_side sides[SRS_SIDES])
{
  const double least = fmin(nearest->gap, 0) - side_tolerance(a, b);
  sides[0] = (srs_side){nearest->normal, nearest->gap, -1, -1, false};
  int n = add_faces(a, b, false, nearest->b, nearest->gap, least, sides, 1);
  n = add_faces(a, b, true, nearest->a, nearest->gap, least, sides, n);
  return add_along(a, b, motion, sides, n);
}

static double least_gap(const srs_manifold *manifold)
{
  double least = INFINITY;
  for (int i = 0; i < manifold->n; i++) least = fmin(least, manifold->touches[i].gap);
  return least;
}

// Points of the one solid that face the plane of the other's face without being over the face, up to a gap.
static void add_beside(const srs_placed *a, const srs_placed *b, const srs_outline *of_a, const srs_outline *of_b,
                       const srs_side *side, double most, srs_manifold *manifold)
{
  const bool is_plane_of_b = side->face_b >= 0;
  const srs_outline *of = is_plane_of_b ? of_a : of_b;
  const vec3 n = side->normal, on_plane = is_plane_of_b ? srs_solid_support(b, n) : srs_solid_support(a, scale3(-1, n));
  for (int i = 0; i < of->n; i++) {
    const vec3 p = of->points[i], other = add_scaled3(p, dot3(n, sub3(on_plane, p)), n);
    if (dot3(n, sub3(p, on_plane)) * (is_plane_of_b ? 1 : -1) > most) continue;
    if (is_plane_of_b)
      srs_manifold_add(manifold, p, other, srs_contact_feature(SRS_FEATURE_POINT_OF_A, of->names[i], of_b->name));
    else
      srs_manifold_add(manifold, other, p, srs_contact_feature(SRS_FEATURE_POINT_OF_B, of_a->name, of->names[i]));
  }
}

int srs_side_contacts(const srs_placed *a, const srs_placed *b, const srs_side *side, const srs_touch *nearest,
                      bool is_alone, double margin, srs_touch touches[SRS_MANIFOLD_POINTS])
{
  const vec3 n = side->normal, towards_b = scale3(-1, n);
  const double apart = srs_separation(a, b, n), radius = smaller_radius(a, b), rounding = AS_DEEP * radius;
  if (apart > margin) return 0;
  srs_manifold manifold;
  manifold.n = 0;
  manifold.normal = n;
  manifold.margin = margin;
  manifold.least = apart - rounding;
  manifold.near = SAME_POINT * radius;
  srs_outline of_a, of_b;
  srs_solid_outline(a, towards_b, &of_a);
  srs_solid_outline(b, n, &of_b);
  if (of_a.kind != SRS_OUTLINE_POINT && of_b.kind != SRS_OUTLINE_POINT)
    srs_clip(&of_a, &of_b, fmax(margin, SLACK * radius), &manifold);
  const bool is_of_face = side->face_a >= 0 || side->face_b >= 0,
             misses_deepest = least_gap(&manifold) > apart + rounding;
  if (is_of_face && manifold.n == 0)
    add_beside(a, b, &of_a, &of_b, side, margin, &manifold);
  else if (is_of_face && misses_deepest && !is_alone)
    add_beside(a, b, &of_a, &of_b, side, apart + rounding, &manifold);
  else if (!is_of_face && misses_deepest) {
    const vec3 on_a = srs_side_is_nearest(side) ? nearest->a : srs_solid_support(a, towards_b);
    manifold.near = 0;
    srs_manifold_add(&manifold, on_a, add_scaled3(on_a, -apart, n),
                     srs_contact_feature(SRS_FEATURE_NEAREST, of_a.name, of_b.name));
  }
  const int count = srs_manifold_reduce(manifold.touches, manifold.n);
  for (int i = 0; i < count; i++) touches[i] = manifold.touches[i];
  return count;
}
