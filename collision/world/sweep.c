// What does a shape hit first on a straight way?
//
// Conservative advancement. At each place of the way the nearest points have a gap g and a normal n from the other
// shape to the moving one. Between convex shapes the plane across n keeps them apart for as long as g + s n . d > 0, d
// the unit direction: so the shape may go on by g / (-n . d), and where n . d >= 0 it never hits. A surface of
// triangles is anywhere at least g away: the shape may go on by g. It has arrived where g is rounding.
#include "collision/world/collider.h"
#include "topology/base/errors.h"

enum { STEPS = 2000 };

static const double ARRIVED = 1e-9; // of the size

static bool is_finite3(const double *x) { return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]); }

static int geometry_of(const srs_geometries *m, int shape)
{
  for (int i = 0; i < m->n; i++)
    if (m->shape[i] == shape) return i;
  return -1;
}

static srs_status check(const srs_geometries *m, int shape, const double direction[3], double length, srs_error *error)
{
  const int moving = geometry_of(m, shape);
  if (moving < 0 || m->is_half_space[moving])
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_collider_sweep: shape %d %s", shape,
                    moving < 0 ? "is none that collides" : "is a half-space: it has no end, and cannot be swept");
  if (!is_finite3(direction) || !isfinite(length))
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "the %s of the sweep is not finite",
                    isfinite(length) ? "direction" : "length");
  if (!(norm3(vec3_load(direction)) > 1e-9) || length < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "the sweep has %s",
                    length < 0 ? "a negative length" : "no direction; give one of any length above 1e-9");
  return SRS_OK;
}

// Whether the bounds of the other come near on the way.
static bool may_hit(const srs_geometries *m, int moving, int other, vec3 d, double length)
{
  const srs_ball *ball = &m->bounds[moving], *bound = &m->bounds[other];
  if (m->is_half_space[other]) {
    const double height = dot3(bound->centre, ball->centre) - bound->reach, rate = dot3(bound->centre, d);
    return height + smaller(rate, 0) * length <= ball->reach;
  }
  const vec3 q = sub3(bound->centre, ball->centre);
  const double along = smaller(larger(dot3(q, d), 0), length), sum = ball->reach + bound->reach;
  const vec3 miss = add_scaled3(q, -along, d);
  return dot3(miss, miss) <= sum * sum * (1 + 1e-9);
}

typedef struct sweep {
  srs_collider *c;
  int moving;
  vec3 from, centre, d; // where it starts: its frame's origin, and the middle of its bounds
} sweep;

static void put(const sweep *s, double way)
{
  srs_geometries *m = &s->c->geometries;
  m->placed[s->moving].origin = add_scaled3(s->from, way, s->d);
  m->bounds[s->moving].centre = add_scaled3(s->centre, way, s->d);
}

// How far it gets; false when it passes, or gets as far as the length.
static bool advance(const sweep *s, int other, double length, double *way, srs_contact_point *nearest)
{
  const srs_geometries *m = &s->c->geometries;
  const bool is_turned = s->moving > other, has_triangles = m->has_triangles[s->moving] || m->has_triangles[other];
  const int i = is_turned ? other : s->moving, j = is_turned ? s->moving : other;
  const double arrived = ARRIVED * m->solids[s->moving].radius;
  *way = 0;
  for (int k = 0; k < STEPS; k++) {
    put(s, *way);
    if (!srs_collider_nearest(s->c, i, j, length - *way + arrived, nearest)) return false;
    const double rate = (is_turned ? -1 : 1) * dot3(vec3_load(nearest->normal), s->d);
    if (nearest->gap <= arrived) return *way == 0 || rate < 0 || has_triangles;
    if (!has_triangles && !(rate < 0)) return false;
    *way += has_triangles ? nearest->gap : nearest->gap / -rate;
    if (*way > length) return false;
  }
  return true;
}

static void take(const srs_geometries *m, int moving, int other, double way, const srs_contact_point *nearest,
                 srs_ray_hit *hit)
{
  const bool is_turned = moving > other;
  hit->shape = m->shape[other];
  hit->distance = way;
  vec3_store(hit->point, vec3_load(is_turned ? nearest->point_a : nearest->point_b));
  vec3_store(hit->normal, scale3(is_turned ? -1 : 1, vec3_load(nearest->normal)));
}

srs_status srs_collider_sweep(srs_collider *c, const srs_pose *links, int shape, const double direction[3],
                              double length, srs_ray_hit *hit, srs_error *error)
{
  if (c == NULL || direction == NULL || hit == NULL || (links == NULL && c->geometries.model->n_links > 0))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_collider_sweep: an argument is NULL");
  srs_geometries *m = &c->geometries;
  srs_status status = check(m, shape, direction, length, error);
  if (status == SRS_OK) status = srs_collider_place(c, links, error);
  if (status != SRS_OK) return status;
  const int moving = geometry_of(m, shape);
  const vec3 d = vec3_load(direction);
  const sweep s = {c, moving, m->placed[moving].origin, m->bounds[moving].centre, scale3(1 / norm3(d), d)};
  double least = length;
  *hit = (srs_ray_hit){.shape = -1};
  for (int i = 0; i < m->n && status == SRS_OK; i++) {
    srs_contact_point nearest;
    double way;
    put(&s, 0);
    if (i == moving || m->link[i] == m->link[moving] || !may_hit(m, moving, i, s.d, least)) continue;
    if (!srs_kinds_collide(m->solids[moving].kind, m->solids[i].kind))
      status = srs_collider_refuse_distance(m, moving < i ? moving : i, moving < i ? i : moving, error);
    else if (advance(&s, i, least, &way, &nearest) && (hit->shape < 0 || way < least))
      least = way, take(m, moving, i, way, &nearest, hit);
  }
  put(&s, 0);
  return status;
}
