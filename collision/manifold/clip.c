// Contact points between two facing parts of surfaces, by clipping along a normal n.
//
// Seen along n the two parts A and B overlap in a convex region. Over it the gap n . (a - b) of the points of A and B
// on one line along n is linear, or convex, so it is bounded by the region's corners: points of A over B, points of B
// over A, and crossings of their borders. Each contact point is exact on both: one of its two points is a corner or
// lies on an edge, the other is where the line along n through it meets the plane of the other part ("lifted").
//
// Borders cross by clipping. An edge p + t (q - p) is inside a polygon for one interval of t, that all half-planes
// leave, and inside a disc between the roots of |p + t (q - p)|^2 = r^2 in the disc's plane. The rims of two discs
// cross where the distance of one rim from the other's centre passes r: bracketed by samples, the first at the point
// nearest to that centre (where any overlap shows), then bisected.
//
// Two generators contribute their ends where the ray along n from an end hits the other solid.
#include "collision/manifold/clip.h"
#include "collision/manifold/reduce.h"
#include "collision/shapes/ray.h"

enum { NONE = -1, RIM_SAMPLES = 16, RIM_HALVINGS = 52 };

// The part of an edge that is inside; crossed_in and crossed_out say which edge of the other bounds it, or NONE.
typedef struct edge_part {
  double in, out;
  int crossed_in, crossed_out;
} edge_part;

uint32_t srs_contact_feature(int what, int a, int b)
{
  return (uint32_t)what << 30 | ((uint32_t)a & 0x7fff) << 15 | ((uint32_t)b & 0x7fff);
}

void srs_manifold_add(srs_manifold *manifold, vec3 a, vec3 b, uint32_t feature)
{
  const double gap = dot3(manifold->normal, sub3(a, b));
  if (!(gap <= manifold->margin) || gap < manifold->least) return;
  const srs_touch touch = {a, b, manifold->normal, gap, feature};
  for (int i = 0; i < manifold->n; i++) {
    srs_touch *known = &manifold->touches[i];
    const vec3 apart = sub3(a, known->a);
    if (known->feature != feature && dot3(apart, apart) > manifold->near * manifold->near) continue;
    if (gap < known->gap - 1e-4 * manifold->near) *known = touch;
    return;
  }
  if (manifold->n == SRS_MANIFOLD_CANDIDATES) manifold->n = srs_manifold_reduce(manifold->touches, manifold->n);
  manifold->touches[manifold->n++] = touch;
}

// Where the line through p along n meets the plane of a polygon or disc.
static vec3 lift(const srs_outline *o, vec3 p, vec3 n)
{
  return add_scaled3(p, (o->offset - dot3(o->normal, p)) / dot3(o->normal, n), n);
}

// A polygon's or disc's border seen along n: outside of edge i is out[i] . p > offset[i], in m across n.
typedef struct border {
  const srs_outline *of;
  vec3 n;
  double slack;
  vec3 out[SRS_OUTLINE_POINTS];
  double offset[SRS_OUTLINE_POINTS];
} border;

static void set_border(border *b, const srs_outline *o, vec3 n, double slack)
{
  b->of = o;
  b->n = n;
  b->slack = slack;
  if (o->kind != SRS_OUTLINE_POLYGON) return;
  const double side = copysign(1, dot3(o->normal, n)); // counter-clockwise seen from the polygon's normal
  for (int i = 0; i < o->n; i++) {
    const vec3 out = cross3(sub3(o->points[i + 1 < o->n ? i + 1 : 0], o->points[i]), n);
    const double length = norm3(out);
    b->out[i] = length > 0 ? scale3(side / length, out) : vec3_zero;
    b->offset[i] = dot3(b->out[i], o->points[i]);
  }
}

static double outside_disc(const srs_outline *o, vec3 p, vec3 n)
{
  return norm3(sub3(lift(o, p, n), o->centre)) - o->radius;
}

static bool covers(const border *b, vec3 p)
{
  if (b->of->kind == SRS_OUTLINE_DISC) return outside_disc(b->of, p, b->n) <= b->slack;
  for (int i = 0; i < b->of->n; i++)
    if (dot3(b->out[i], p) - b->offset[i] > b->slack) return false;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Crossings
// ---------------------------------------------------------------------------------------------------------------------

static bool part_in_polygon(const border *b, vec3 p, vec3 q, edge_part *part)
{
  *part = (edge_part){0, 1, NONE, NONE};
  for (int i = 0; i < b->of->n; i++) {
    const double at_p = dot3(b->out[i], p) - b->offset[i], at_q = dot3(b->out[i], q) - b->offset[i];
    if (at_p <= b->slack && at_q <= b->slack) continue;
    if (at_p > b->slack && at_q > b->slack) return false;
    const double t = fmin(fmax(at_p / (at_p - at_q), 0), 1);
    if (at_p > b->slack && t > part->in) part->in = t, part->crossed_in = i;
    if (at_q > b->slack && t < part->out) part->out = t, part->crossed_out = i;
  }
  return part->in <= part->out;
}

static bool part_in_disc(const border *b, vec3 p, vec3 q, edge_part *part)
{
  const srs_outline *o = b->of;
  const vec3 from = sub3(lift(o, p, b->n), o->centre), to = sub3(lift(o, q, b->n), o->centre);
  const vec3 along = sub3(to, from);
  const double A = dot3(along, along), B = dot3(from, along), C = dot3(from, from) - o->radius * o->radius;
  *part = (edge_part){0, 1, NONE, NONE};
  const bool is_p_in = norm3(from) <= o->radius + b->slack, is_q_in = norm3(to) <= o->radius + b->slack;
  if (is_p_in && is_q_in) return true;
  const double middle = A > 0 ? -B / A : 0, root = A > 0 ? middle * middle - C / A : -1;
  if (!(root >= 0)) return false;
  const double first = middle - sqrt(root), second = middle + sqrt(root);
  if (!is_p_in) part->in = first, part->crossed_in = 0;
  if (!is_q_in) part->out = second, part->crossed_out = 1;
  return part->in >= 0 && part->out <= 1 && part->in <= part->out;
}

// Crossings of `edged`'s edges, or its generator, with a border; is_a: edged is A.
static void cross_edges(const srs_outline *edged, const border *b, bool is_a, srs_manifold *manifold)
{
  const srs_outline *area = b->of;
  const bool is_segment = edged->kind == SRS_OUTLINE_SEGMENT;
  for (int i = 0; i < (is_segment ? 1 : edged->n); i++) {
    const vec3 p = is_segment ? edged->line[0] : edged->points[i];
    const vec3 q = is_segment ? edged->line[1] : edged->points[i + 1 < edged->n ? i + 1 : 0];
    edge_part part;
    const bool is_disc = area->kind == SRS_OUTLINE_DISC;
    if (!(is_disc ? part_in_disc : part_in_polygon)(b, p, q, &part)) continue;
    const double at[2] = {part.in, part.out};
    const int crossed[2] = {part.crossed_in, part.crossed_out};
    for (int k = 0; k < 2; k++) {
      if (crossed[k] == NONE) continue;
      const vec3 on_edge = add_scaled3(p, at[k], sub3(q, p)), lifted = lift(area, on_edge, b->n);
      const int edge = edged->first_edge + i, other = area->first_edge + crossed[k];
      if (is_a)
        srs_manifold_add(manifold, on_edge, lifted, srs_contact_feature(SRS_FEATURE_CROSSING, edge, other));
      else
        srs_manifold_add(manifold, lifted, on_edge, srs_contact_feature(SRS_FEATURE_CROSSING, other, edge));
    }
  }
}

static vec3 rim_point(const srs_outline *disc, double angle)
{
  const vec3 x = scale3(disc->radius * cos(angle), disc->axes.x), y = scale3(disc->radius * sin(angle), disc->axes.y);
  return add3(disc->centre, add3(x, y));
}

// Crossings of B's rim with A's.
static void cross_rims(const srs_outline *a, const srs_outline *b, double slack, srs_manifold *manifold)
{
  const double pi = 3.14159265358979323846, step = 2 * pi / RIM_SAMPLES;
  const vec3 n = manifold->normal, to_a = sub3(lift(b, a->centre, n), b->centre);
  const double start = atan2(dot3(b->axes.y, to_a), dot3(b->axes.x, to_a));
  bool was_in = outside_disc(a, rim_point(b, start), n) <= slack;
  for (int i = 1; i <= RIM_SAMPLES; i++) {
    double low = start + (i - 1) * step, high = start + i * step;
    const bool is_in = outside_disc(a, rim_point(b, high), n) <= slack;
    if (is_in == was_in) continue;
    for (int k = 0; k < RIM_HALVINGS; k++) {
      const double middle = 0.5 * (low + high);
      if ((outside_disc(a, rim_point(b, middle), n) <= slack) == was_in)
        low = middle;
      else
        high = middle;
    }
    const vec3 p = rim_point(b, was_in ? low : high);
    srs_manifold_add(manifold, lift(a, p, n), p,
                     srs_contact_feature(SRS_FEATURE_CROSSING, 2 * a->first_edge + is_in, b->first_edge));
    was_in = is_in;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Points of one over the other
// ---------------------------------------------------------------------------------------------------------------------

static void add_points(const srs_outline *of, const border *b, bool is_a, srs_manifold *manifold)
{
  const srs_outline *over = b->of;
  for (int i = 0; i < of->n; i++) {
    const vec3 p = of->points[i];
    if (!covers(b, p)) continue;
    const vec3 lifted = lift(over, p, b->n);
    if (is_a)
      srs_manifold_add(manifold, p, lifted, srs_contact_feature(SRS_FEATURE_POINT_OF_A, of->names[i], over->name));
    else
      srs_manifold_add(manifold, lifted, p, srs_contact_feature(SRS_FEATURE_POINT_OF_B, over->name, of->names[i]));
  }
}

// The ends of a generator over another solid; toward: from the generator's side to the other.
static void add_ends(const srs_outline *of, const srs_outline *over, bool is_a, srs_manifold *manifold)
{
  const vec3 toward = scale3(is_a ? -1 : 1, manifold->normal);
  const double back = 2 * (of->solid->solid->radius + over->solid->solid->radius);
  for (int i = 0; i < 2; i++) {
    const vec3 p = of->points[i], from = add_scaled3(p, -back, toward);
    double distance;
    vec3 normal;
    if (!srs_solid_cast_ray(over->solid, from, toward, INFINITY, &distance, &normal)) continue;
    const vec3 met = add_scaled3(from, distance, toward);
    if (is_a)
      srs_manifold_add(manifold, p, met, srs_contact_feature(SRS_FEATURE_POINT_OF_A, i, over->name));
    else
      srs_manifold_add(manifold, met, p, srs_contact_feature(SRS_FEATURE_POINT_OF_B, over->name, i));
  }
}

void srs_clip(const srs_outline *a, const srs_outline *b, double slack, srs_manifold *manifold)
{
  if (a->kind == SRS_OUTLINE_SEGMENT && b->kind == SRS_OUTLINE_SEGMENT) {
    add_ends(a, b, true, manifold);
    add_ends(b, a, false, manifold);
    return;
  }
  border around_a, around_b;
  set_border(&around_a, a, manifold->normal, slack);
  set_border(&around_b, b, manifold->normal, slack);
  if (srs_outline_is_area(b)) add_points(a, &around_b, true, manifold);
  if (srs_outline_is_area(a)) add_points(b, &around_a, false, manifold);
  if (a->kind == SRS_OUTLINE_POINT || b->kind == SRS_OUTLINE_POINT) return;
  if (a->kind == SRS_OUTLINE_DISC && b->kind == SRS_OUTLINE_DISC)
    cross_rims(a, b, slack, manifold);
  else if (srs_outline_is_area(b) && a->kind != SRS_OUTLINE_DISC)
    cross_edges(a, &around_b, true, manifold);
  else
    cross_edges(b, &around_a, false, manifold);
}
