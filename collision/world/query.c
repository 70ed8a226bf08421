// Distances between the shapes of two frames, and ray casts.
//
// Filters do not apply to either: any two shapes have a distance, and a ray hits every shape.
#include "collision/shapes/ray.h"
#include "collision/terrain/terrain_tree.h"
#include "collision/world/collider.h"
#include "topology/base/errors.h"

static const double far_away = 1e15; // m: beyond anything that doubles place with some sense

static srs_status no_argument(const char *function, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s: an argument is NULL", function);
}

// ---------------------------------------------------------------------------------------------------------------------
// Distances
// ---------------------------------------------------------------------------------------------------------------------

static bool is_on(const srs_geometries *m, int i, int frame) { return m->model->shapes[m->shape[i]].frame == frame; }

static srs_status check_frame(const srs_geometries *m, int frame, srs_error *error)
{
  if (frame < -1 || frame >= m->model->n_frames)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no frame %d", frame);
  for (int i = 0; i < m->n; i++)
    if (is_on(m, i, frame)) return SRS_OK;
  const char *name = frame >= 0 ? m->model->frames[frame].name : "";
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "%s%s%s carries no shape that collides",
                  frame >= 0 ? "frame '" : "the world (frame -1)", name, frame >= 0 ? "'" : "");
}

srs_status srs_collider_refuse_distance(const srs_geometries *m, int i, int j, srs_error *error)
{
  char first[96], second[96];
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, m->model->shapes[m->shape[i]].name,
                  "the distance between %s (%s) and %s (%s) cannot be found in this version",
                  srs_shape_title(m->model, m->shape[i], first), srs_shape_kind_name(m->solids[i].kind),
                  srs_shape_title(m->model, m->shape[j], second), srs_shape_kind_name(m->solids[j].kind));
}

// Terrain finds all contact points within a margin: the margin grows until there is one, and shrinks where there are
// more than fit.
static bool nearest_on_ground(srs_collider *c, int i, int j, double limit, srs_contact_point *nearest)
{
  enum { HALVINGS = 60 };
  const srs_geometries *m = &c->geometries;
  double none = 0, margin = fmin(m->bounds[m->has_triangles[i] ? j : i].reach, limit);
  int n;
  while ((n = srs_geometries_distance(m, &c->narrow_phase, i, j, margin, nearest)) == 0) {
    if (margin >= limit) return false;
    none = margin;
    margin = fmin(2 * margin, limit);
  }
  for (int k = 0; k < HALVINGS && n > c->narrow_phase.n_touches; k++) {
    const double middle = none + (margin - none) / 2;
    srs_contact_point closer;
    const int found = srs_geometries_distance(m, &c->narrow_phase, i, j, middle, &closer);
    if (found == 0) {
      none = middle;
    } else {
      margin = middle;
      n = found;
      *nearest = closer;
    }
  }
  return true;
}

bool srs_collider_nearest(srs_collider *c, int i, int j, double limit, srs_contact_point *nearest)
{
  const srs_geometries *m = &c->geometries;
  const bool has_ground = m->has_triangles[i] || m->has_triangles[j];
  return has_ground ? nearest_on_ground(c, i, j, limit, nearest)
                    : srs_geometries_distance(m, &c->narrow_phase, i, j, limit, nearest) > 0;
}

// Keeps the contact point with the smallest gap of a pair when it is below *best.
static void look_at(srs_collider *c, int i, int j, double *best, srs_contact_point *nearest)
{
  srs_contact_point found;
  if (!srs_collider_nearest(c, i, j, *best, &found)) return;
  if (!(found.gap < *best)) return;
  *best = found.gap;
  *nearest = found;
}

srs_status srs_collider_distance(srs_collider *c, const srs_pose *links, int frame_a, int frame_b,
                                 srs_contact_point *nearest, srs_error *error)
{
  if (c == NULL || nearest == NULL || (links == NULL && c->geometries.model->n_links > 0))
    return no_argument("srs_collider_distance", error);
  const srs_geometries *m = &c->geometries;
  srs_status status = check_frame(m, frame_a, error);
  if (status == SRS_OK) status = check_frame(m, frame_b, error);
  if (status == SRS_OK && frame_a == frame_b)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a frame has no distance to itself");
  if (status == SRS_OK) status = srs_collider_place(c, links, error);
  if (status != SRS_OK) return status;
  double best = far_away;
  for (int i = 0; i < m->n; i++)
    for (int j = i + 1; j < m->n; j++) {
      if (!(is_on(m, i, frame_a) && is_on(m, j, frame_b)) && !(is_on(m, i, frame_b) && is_on(m, j, frame_a))) continue;
      if (!srs_kinds_collide(m->solids[i].kind, m->solids[j].kind)) return srs_collider_refuse_distance(m, i, j, error);
      look_at(c, i, j, &best, nearest);
    }
  if (best < far_away) return SRS_OK;
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, NULL,
                  "ground has a distance from the side that it shows only, and nothing of the other frame is there");
}

// ---------------------------------------------------------------------------------------------------------------------
// Rays
// ---------------------------------------------------------------------------------------------------------------------

// Whether a ray comes near a geometry's bounding sphere: at q = centre - from, the nearest point of the ray is at q .
// d.
static bool may_hit(const srs_geometries *m, int i, vec3 from, vec3 direction, double length)
{
  if (m->is_half_space[i]) return true;
  const vec3 q = sub3(m->bounds[i].centre, from);
  const double along = fmin(fmax(dot3(q, direction), 0), length);
  const vec3 miss = add_scaled3(q, -along, direction);
  return dot3(miss, miss) <= m->bounds[i].reach * m->bounds[i].reach * (1 + 1e-9);
}

static bool is_finite3(const double *x) { return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]); }

srs_status srs_collider_cast_ray(srs_collider *c, const srs_pose *links, const double from[3],
                                 const double direction[3], double length, srs_ray_hit *hit, srs_error *error)
{
  if (c == NULL || from == NULL || direction == NULL || hit == NULL ||
      (links == NULL && c->geometries.model->n_links > 0))
    return no_argument("srs_collider_cast_ray", error);
  if (!is_finite3(from) || !is_finite3(direction) || isnan(length))
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "the ray's %s is not finite",
                    !is_finite3(from)        ? "start"
                    : !is_finite3(direction) ? "direction"
                                             : "length");
  const double size = norm3(vec3_load(direction));
  if (!(size > 1e-9) || isinf(size) || length < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "the ray has %s",
                    length < 0 ? "a negative length" : "no direction; give one of any length above 1e-9");
  const srs_status status = srs_collider_place(c, links, error);
  if (status != SRS_OK) return status;
  const srs_geometries *m = &c->geometries;
  const vec3 start = vec3_load(from), unit = scale3(1 / size, vec3_load(direction));
  double nearest = length;
  *hit = (srs_ray_hit){.shape = -1};
  for (int i = 0; i < m->n; i++) {
    double distance = 0;
    vec3 normal = vec3_zero;
    if (!may_hit(m, i, start, unit, nearest)) continue;
    if (!(m->has_triangles[i]
              ? srs_terrain_cast_ray(m->terrain[i], &m->placed[i], start, unit, nearest, &distance, &normal)
              : srs_solid_cast_ray(&m->placed[i], start, unit, nearest, &distance, &normal)))
      continue;
    if (hit->shape >= 0 && !(distance < nearest)) continue;
    nearest = distance;
    hit->shape = m->shape[i];
    hit->distance = distance;
    vec3_store(hit->point, add_scaled3(start, distance, unit));
    vec3_store(hit->normal, normal);
  }
  return SRS_OK;
}
