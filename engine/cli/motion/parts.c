// Which solids does one see, and where?
#include "engine/cli/motion/parts.h"

#include "engine/cli/motion/solids.h"
#include "engine/cli/view/scenery.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int body_of(const srs_model *model, const srs_shape *shape)
{
  return shape->frame >= 0 ? srs_model_frame(model, shape->frame)->link : -1;
}

static bool has_visual(const srs_model *model, int body)
{
  for (int i = 0; i < srs_model_n_shapes(model); i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    if (shape->is_visual && body_of(model, shape) == body) return true;
  }
  return false;
}

bool srs_parts_make(const srs_model *model, srs_parts *p)
{
  *p = (srs_parts){.parts = calloc((size_t)srs_model_n_shapes(model) + 1, sizeof *p->parts)};
  if (p->parts == NULL) return false;
  for (int i = 0; i < srs_model_n_shapes(model); i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    const int body = body_of(model, shape);
    if (!shape->is_visual && has_visual(model, body)) continue;
    srs_part *part = &p->parts[p->n++];
    part->name = shape->label;
    part->body = body;
    part->is_visual = shape->is_visual;
    part->is_ground = shape->kind == SRS_SHAPE_HALF_SPACE && body < 0;
    part->pose = shape->frame >= 0 ? srs_scenery_compose(&srs_model_frame(model, shape->frame)->pose, &shape->pose)
                                   : shape->pose;
    if (!srs_solid_triangles(&part->triangles, shape, &p->n_missing, &p->missing)) return false;
    if (part->triangles.n_triangles == 0) srs_triangles_free(&p->parts[--p->n].triangles);
  }
  return true;
}

void srs_parts_free(srs_parts *p)
{
  for (int i = 0; i < p->n; i++) srs_triangles_free(&p->parts[i].triangles);
  free(p->parts);
  *p = (srs_parts){.n = 0};
}

// How far solids of a body reach from its origin.
static double reach_of(const srs_parts *parts, int body)
{
  double reach = 0;
  for (int i = 0; i < parts->n; i++) {
    const srs_part *part = &parts->parts[i];
    const double *p = part->pose.position, away = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < part->triangles.n_points && part->body == body; k++) {
      const float *at = part->triangles.points + 3 * (size_t)k;
      reach = fmax(reach, away + hypot(hypot(at[0], at[1]), at[2]));
    }
  }
  return reach;
}

static double round_up(double length)
{
  const double power = pow(10, floor(log10(length))), mantissa = length / power;
  return (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10) * power;
}

void srs_parts_fit_ground(const srs_film *film, srs_parts *parts)
{
  for (int i = 0; i < parts->n; i++) {
    srs_part *ground = &parts->parts[i];
    double farthest = 0;
    for (int body = 0; body < film->n_bodies && ground->is_ground; body++) {
      const double reach = reach_of(parts, body);
      for (int frame = 0; frame < film->n_frames; frame++) {
        const float *at = film->positions + 3 * ((size_t)frame * (size_t)film->n_bodies + (size_t)body);
        const double *o = ground->pose.position, away = hypot(hypot(at[0] - o[0], at[1] - o[1]), at[2] - o[2]);
        farthest = fmax(farthest, away + reach);
      }
    }
    if (!ground->is_ground || !(farthest > 0) || !isfinite(farthest)) continue;
    const double scale = round_up(farthest) / SRS_HALF_SPACE_SIDE;
    for (int k = 0; k < 3 * ground->triangles.n_points; k++)
      ground->triangles.points[k] = (float)(scale * ground->triangles.points[k]);
  }
}

void srs_film_pose(const srs_film *film, int frame, int body, double position[3], double quaternion[4])
{
  const size_t at = (size_t)frame * (size_t)film->n_bodies + (size_t)body;
  double square = 0;
  for (size_t i = 0; i < 3; i++) position[i] = film->positions[3 * at + i];
  for (size_t i = 0; i < 4; i++) {
    quaternion[i] = film->rotations[4 * at + i];
    square += quaternion[i] * quaternion[i];
  }
  for (int i = 0; i < 4; i++) quaternion[i] /= sqrt(square);
}

void srs_rotation_of(const double q[4], double r[9])
{
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                          2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                          2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
  memcpy(r, rows, sizeof rows);
}
