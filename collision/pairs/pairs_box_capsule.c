// Box against capsule. In the box's frame: |x_i| <= e_i; the capsule's axis is p(t) = m + t u, |t| <= h.
//
// Outside, the squared distance of p(t) from the box, the sum of (|p_i| - e_i)^2 over those beyond, is convex in t and
// made of parabolas, which change where p(t) enters or leaves a slab: at six places at most, between which the minimum
// is found exactly. Inside, the axis comes out soonest along the normal of a face or across the axis and an edge:
//
//   separation along n = |n . m| - h |n . u| - sum |n_i| e_i,   the greatest of these (all are negative then)
//
// The contact points. Along the outward normal o, the capsule's line p(t) - r o' (o' is o across the axis) is projected
// onto the plane of the face that o leaves most; the ends of its part over the face are contact points. Where the axis
// runs along an edge that o leaves between two faces, the ends of the overlap with that edge are. The nearest points
// are added, in place of the end at which they lie, where they are nearer than all of these by more than rounding.

#include "collision/pairs/pairs.h"
#include "collision/pairs/segment.h"

static const double ROUNDING = 1e-13; // of the pair's size
static const double SAME = 1e-9;      // of the pair's size: contact points this near to each other are one

typedef struct lying {
  const srs_placed *box;
  double e[3], m[3], u[3], h, radius, margin, size;
  srs_segment axis;
  double o[3]; // the outward normal, from the box to the capsule
  srs_touch *touches;
  double at[SRS_MANIFOLD_POINTS]; // the place t of each contact point
  int n;
} lying;

typedef struct nearest {
  double t, length;
  double q[3]; // the box's point
  double separation;
  double o[3];
  int edge; // the edge's axis when o is across an edge, else -1
} nearest;

// Half the derivative of the squared distance, and its slope, at t.
static double derivative(const lying *l, double t, double *slope)
{
  double sum = 0;
  *slope = 0;
  for (int i = 0; i < 3; i++) {
    const double p = l->m[i] + t * l->u[i], beyond = p - clamped(p, -l->e[i], l->e[i]);
    sum += beyond * l->u[i];
    if (beyond != 0) *slope += l->u[i] * l->u[i];
  }
  return sum;
}

// The places strictly inside where p(t) crosses a face's plane, rising.
static int breaks(const lying *l, double places[6])
{
  int n = 0;
  for (int i = 0; i < 3; i++) {
    if (l->u[i] == 0) continue;
    for (int k = -1; k <= 1; k += 2) {
      const double t = (k * l->e[i] - l->m[i]) / l->u[i];
      if (!(t > -l->h && t < l->h)) continue;
      int j = n++;
      for (; j > 0 && places[j - 1] > t; j--) places[j] = places[j - 1];
      places[j] = t;
    }
  }
  return n;
}

// The place of the axis that is nearest to the box.
static double nearest_place(const lying *l)
{
  double slope, places[6];
  if (derivative(l, -l->h, &slope) >= 0) return -l->h;
  if (derivative(l, l->h, &slope) <= 0) return l->h;
  const int n = breaks(l, places);
  double low = -l->h, high = l->h;
  for (int i = 0; i < n; i++) {
    if (derivative(l, places[i], &slope) >= 0) {
      high = places[i];
      break;
    }
    low = places[i];
  }
  // One parabola between low and high: its lowest point, taken twice for the rounding.
  double t = (low + high) / 2, unused;
  const double d = derivative(l, t, &slope);
  if (!(slope > 0)) return t;
  t = clamped(t - d / slope, low, high);
  return clamped(t - derivative(l, t, &unused) / slope, low, high);
}

static double separation(const lying *l, const double n[3], double o[3])
{
  double nm = 0, nu = 0, reach = 0;
  for (int i = 0; i < 3; i++) nm += n[i] * l->m[i], nu += n[i] * l->u[i], reach += fabs(n[i]) * l->e[i];
  for (int i = 0; i < 3; i++) o[i] = nm < 0 ? -n[i] : n[i];
  return fabs(nm) - l->h * fabs(nu) - reach;
}

// The greatest separation along faces' normals and across edges.
static void separate(const lying *l, nearest *near)
{
  near->separation = -INFINITY;
  near->edge = -1;
  for (int i = 0; i < 3; i++) {
    double o[3], n[3] = {0, 0, 0};
    n[i] = 1;
    const double s = separation(l, n, o);
    if (s > near->separation) {
      near->separation = s;
      for (int k = 0; k < 3; k++) near->o[k] = o[k];
    }
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double length = hypot(l->u[j], l->u[k]);
    if (!(length > 1e-13)) continue;
    double o[3], n[3] = {0, 0, 0};
    n[j] = -l->u[k] / length;
    n[k] = l->u[j] / length;
    const double s = separation(l, n, o);
    if (s > near->separation + ROUNDING * l->size) {
      near->separation = s;
      near->edge = i;
      for (int c = 0; c < 3; c++) near->o[c] = o[c];
    }
  }
}

// The edge along axis k that lies farthest along o.
static srs_segment edge_along(const lying *l, const double o[3], int k)
{
  double middle[3], axis[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) middle[i] = o[i] < 0 ? -l->e[i] : l->e[i];
  middle[k] = 0;
  axis[k] = 1;
  return (srs_segment){vec3_load(middle), vec3_load(axis), l->e[k]};
}

static double o_dot_u(const lying *l) { return l->o[0] * l->u[0] + l->o[1] * l->u[1] + l->o[2] * l->u[2]; }

// The deepest points when the axis is inside; false where the face's contact points show them.
static bool deepest_inside(const lying *l, nearest *near)
{
  if (near->edge >= 0) {
    const srs_segment edge = edge_along(l, l->o, near->edge);
    const srs_segment_pair pair = srs_segment_nearest(&edge, &l->axis);
    near->t = pair.t;
    vec3_store(near->q, segment_point(&edge, pair.s));
    return true;
  }
  near->t = o_dot_u(l) > 0 ? -l->h : l->h;
  bool is_over = true;
  for (int i = 0; i < 3; i++) {
    const double p = l->m[i] + near->t * l->u[i];
    near->q[i] = l->o[i] != 0 ? l->o[i] * l->e[i] : clamped(p, -l->e[i], l->e[i]);
    if (l->o[i] == 0 && fabs(p) > l->e[i] + SAME * l->size) is_over = false;
  }
  return is_over;
}

// Normal and nearest points. False: the nearest points are not known yet.
static bool find_nearest(lying *l, nearest *near)
{
  near->t = nearest_place(l);
  double d[3];
  for (int i = 0; i < 3; i++) {
    const double p = l->m[i] + near->t * l->u[i];
    near->q[i] = clamped(p, -l->e[i], l->e[i]);
    d[i] = p - near->q[i];
  }
  near->length = norm3(vec3_load(d));
  separate(l, near);
  const bool is_outside = near->length > ROUNDING * l->size;
  // A normal of the faces or across an edge is free of rounding: it serves wherever it separates as far.
  const bool is_exact = near->separation >= near->length - ROUNDING * l->size;
  for (int i = 0; i < 3; i++) l->o[i] = is_outside && !is_exact ? d[i] / near->length : near->o[i];
  return is_outside || deepest_inside(l, near);
}

// A contact point between the box's point q and the capsule's surface about the place t.
static srs_touch touch_at(const lying *l, vec3 q, double t, vec3 outward, uint32_t feature)
{
  const vec3 inward = srs_segment_outward(&l->axis, t, scale3(-1, outward));
  const vec3 p = add_scaled3(segment_point(&l->axis, t), l->radius, inward);
  return (srs_touch){q, p, scale3(-1, outward), dot3(outward, sub3(p, q)), feature};
}

static void put(lying *l, srs_touch touch, double t)
{
  if (!(touch.gap <= l->margin)) return;
  for (int i = 0; i < l->n; i++) {
    if (norm3(sub3(l->touches[i].a, touch.a)) <= SAME * l->size) return;
  }
  l->touches[l->n] = touch;
  l->at[l->n++] = t;
}

// The capsule's line over the face that o leaves most.
static void put_face_points(lying *l)
{
  int f = 0;
  for (int i = 1; i < 3; i++) {
    if (fabs(l->o[i]) > fabs(l->o[f])) f = i;
  }
  double across[3], line[3]; // the line's point at t = 0
  const vec3 o = vec3_load(l->o), down = srs_across(o, l->axis.axis);
  if (!(fabs(o_dot_u(l)) < 1 - 1e-12) || l->h == 0) return; // it stands
  vec3_store(across, down);
  for (int i = 0; i < 3; i++) line[i] = l->m[i] - l->radius * across[i];
  const double plane = l->o[f] < 0 ? -l->e[f] : l->e[f];
  double low = -l->h, high = l->h;
  for (int i = 0; i < 3; i++) { // where the shadow on the plane, x(t) = x + v t, is over the face
    if (i == f) continue;
    const double slant = l->o[i] / l->o[f], bound = l->e[i] + SAME * l->size;
    const double x = line[i] - slant * (line[f] - plane), v = l->u[i] - slant * l->u[f];
    if (fabs(v) * l->h <= SAME * SAME * l->size) {
      if (fabs(x) > bound) return;
      continue;
    }
    const double one = (-bound - x) / v, other = (bound - x) / v;
    low = fmax(low, fmin(one, other));
    high = fmin(high, fmax(one, other));
  }
  if (!(low < high)) return;
  for (int side = 0; side < 2; side++) {
    const double t = side ? high : low;
    const double height = (line[f] + t * l->u[f] - plane) / l->o[f];
    double q[3], p[3];
    for (int i = 0; i < 3; i++) {
      p[i] = line[i] + t * l->u[i];
      q[i] = i == f ? plane : clamped(p[i] - height * l->o[i], -l->e[i], l->e[i]);
    }
    const vec3 a = vec3_load(q), b = vec3_load(p);
    put(l, (srs_touch){a, b, scale3(-1, o), dot3(o, sub3(b, a)), (uint32_t)side}, t);
  }
}

// The axis along an edge, outside.
static void put_edge_points(lying *l)
{
  int k = 0;
  for (int i = 1; i < 3; i++) {
    if (fabs(l->u[i]) > fabs(l->u[k])) k = i;
  }
  if (l->o[(k + 1) % 3] == 0 || l->o[(k + 2) % 3] == 0) return;
  const srs_segment edge = edge_along(l, l->o, k);
  srs_segment_pair sides[2];
  const int n = srs_segment_sides(&l->axis, &edge, sides);
  for (int i = 0; i < n; i++) {
    if (!(sides[i].length > 0)) continue;
    const vec3 outward = scale3(1 / sides[i].length, sides[i].r);
    if (!(dot3(outward, vec3_load(l->o)) >= 0.5)) continue; // it faces elsewhere
    put(l, touch_at(l, segment_point(&edge, sides[i].t), sides[i].s, outward, (uint32_t)(2 + i)), sides[i].s);
  }
}

// The nearest points, unless a contact point is as near; in place of the one at the same end.
static void put_nearest(lying *l, const nearest *near)
{
  srs_touch touch = touch_at(l, vec3_load(near->q), near->t, vec3_load(l->o), 4);
  if (!(touch.gap <= l->margin)) return;
  int same = -1;
  for (int i = 0; i < l->n; i++) {
    const srs_touch *other = &l->touches[i];
    const double distance = touch.gap > 0 ? norm3(sub3(other->a, other->b)) : other->gap;
    if (distance <= touch.gap + ROUNDING * l->size) return;
    if (fabs(l->at[i] - near->t) <= SAME * l->size) same = i;
  }
  if (same >= 0) touch.feature = l->touches[same].feature;
  l->touches[same >= 0 ? same : l->n++] = touch;
}

int srs_pair_box_capsule(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                         srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)scratch;
  lying l = {.box = a, .h = b->solid->size[1] / 2, .radius = b->solid->size[0], .margin = margin, .touches = touches};
  l.axis = (srs_segment){rotate_back(a->axes, sub3(b->origin, a->origin)), rotate_back(a->axes, b->axes.z), l.h};
  vec3_store(l.m, l.axis.middle);
  vec3_store(l.u, l.axis.axis);
  l.size = l.h + l.radius;
  for (int i = 0; i < 3; i++) l.e[i] = a->solid->size[i] / 2, l.size += l.e[i];
  nearest near;
  const bool is_known = find_nearest(&l, &near);
  if (near.length - l.radius > margin) return 0;
  put_face_points(&l);
  if (near.length > ROUNDING * l.size) put_edge_points(&l);
  if (is_known || l.n == 0) put_nearest(&l, &near);
  for (int i = 0; i < l.n; i++) {
    touches[i].a = srs_to_world(a, touches[i].a);
    touches[i].b = srs_to_world(a, touches[i].b);
    touches[i].normal = rotate(a->axes, touches[i].normal);
  }
  return l.n;
}
