// Which solids does one see, and where?
#include "engine/cli/motion/parts.h"

#include "engine/cli/view/solids.h"
#include "engine/cli/view/sticks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool srs_parts_make(const srs_model *model, srs_parts *p)
{
  *p = (srs_parts){.parts = calloc((size_t)srs_model_n_shapes(model) + 1, sizeof *p->parts)};
  if (p->parts == NULL) return false;
  for (int i = 0; i < srs_model_n_shapes(model); i++) {
    const srs_shape *shape = srs_model_shape(model, i);
    const int body = srs_shape_body(model, shape);
    if (!srs_shape_is_seen(model, shape)) continue;
    srs_part *part = &p->parts[p->n++];
    part->name = shape->label;
    part->body = body;
    part->is_visual = shape->is_visual;
    part->is_ground = shape->kind == SRS_SHAPE_HALF_SPACE && body < 0;
    part->pose =
        shape->frame >= 0 ? srs_solid_compose(&srs_model_frame(model, shape->frame)->pose, &shape->pose) : shape->pose;
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

// ---------------------------------------------------------------------------------------------------------------------
// Sticks
// ---------------------------------------------------------------------------------------------------------------------

typedef struct bounds {
  double low[3], high[3];
} bounds;

static const bounds nothing = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};

static void widen(bounds *b, const double position[3], const double rotation[9], const double point[3])
{
  for (int i = 0; i < 3; i++) {
    const double *row = rotation + (size_t)i * 3;
    const double at = position[i] + row[0] * point[0] + row[1] * point[1] + row[2] * point[2];
    b->low[i] = fmin(b->low[i], at);
    b->high[i] = fmax(b->high[i], at);
  }
}

// Of each body by itself: origin, centre of mass, solids.
static void bound_bodies(const srs_film *film, const srs_parts *parts, bounds *own)
{
  const srs_pose here = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < film->n_bodies; i++) {
    own[i] = nothing;
    widen(&own[i], here.position, here.rotation, here.position);
    widen(&own[i], here.position, here.rotation, srs_model_link(film->model, i)->com);
  }
  for (int i = 0; i < parts->n; i++) {
    const srs_part *part = &parts->parts[i];
    for (int k = 0; k < part->triangles.n_points && part->body >= 0; k++) {
      const float *at = part->triangles.points + 3 * (size_t)k;
      const double point[3] = {at[0], at[1], at[2]};
      widen(&own[part->body], part->pose.position, part->pose.rotation, point);
    }
  }
}

// Half the diagonal of all bodies' boxes at the time when it is largest, of 100 times: what the marks of the page of
// `sarrus view` follow.
static double size_of(const srs_film *film, const bounds *own)
{
  const int every = film->n_frames > 100 ? film->n_frames / 100 : 1;
  double largest = 0;
  for (int frame = 0; frame < film->n_frames && film->n_bodies > 0; frame += every) {
    bounds all = nothing;
    for (int body = 0; body < film->n_bodies; body++) {
      double position[3], quaternion[4], rotation[9];
      srs_film_pose(film, frame, body, position, quaternion);
      srs_rotation_of(quaternion, rotation);
      for (int corner = 0; corner < 8; corner++) {
        double point[3];
        for (int i = 0; i < 3; i++) point[i] = corner >> i & 1 ? own[body].high[i] : own[body].low[i];
        widen(&all, position, rotation, point);
      }
    }
    const double *l = all.low, *h = all.high;
    largest = fmax(largest, hypot(hypot(h[0] - l[0], h[1] - l[1]), h[2] - l[2]));
  }
  return largest / 2;
}

static bool add_part(srs_parts *p, const srs_part *part, srs_shape_kind kind, double radius, double length)
{
  const srs_shape shape = {.kind = kind, .size = {radius, length, 0}};
  srs_part *to = &p->parts[p->n++];
  *to = *part;
  return srs_solid_triangles(&to->triangles, &shape, &p->n_missing, &p->missing);
}

// z along the stick; x across the axis that is farthest from it.
static bool add_stick(srs_parts *p, const srs_stick *stick, double radius)
{
  srs_part part = {.name = "stick", .body = stick->body, .is_visual = true};
  double z[3], x[3] = {0}, length = 0;
  int across = 0;
  for (int i = 0; i < 3; i++) {
    z[i] = stick->to[i] - stick->from[i];
    length = hypot(length, z[i]);
    part.pose.position[i] = (stick->from[i] + stick->to[i]) / 2;
    if (fabs(z[i]) < fabs(z[across])) across = i;
  }
  for (int i = 0; i < 3; i++) z[i] /= length;
  const double rest = sqrt(1 - z[across] * z[across]);
  for (int i = 0; i < 3; i++) x[i] = ((i == across) - z[across] * z[i]) / rest;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    double *row = part.pose.rotation + (size_t)i * 3;
    row[0] = x[i];
    row[1] = z[j] * x[k] - z[k] * x[j];
    row[2] = z[i];
  }
  return add_part(p, &part, SRS_SHAPE_CYLINDER, radius, length);
}

static bool add_knob(srs_parts *p, const srs_knob *knob, double radius)
{
  srs_part part = {.name = knob->is_pivot ? "pivot" : "mass", .body = knob->body, .is_visual = true};
  part.is_pivot = knob->is_pivot;
  part.pose = (srs_pose){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(part.pose.position, knob->at, sizeof knob->at);
  return add_part(p, &part, SRS_SHAPE_SPHERE, radius, 0);
}

bool srs_parts_add_sticks(const srs_film *film, srs_parts *p)
{
  srs_sticks s;
  bounds *own = calloc((size_t)film->n_bodies + 1, sizeof *own);
  bool is_good = srs_sticks_make(film->model, &s) && own != NULL;
  if (is_good) {
    const size_t n = (size_t)p->n + (size_t)s.n_sticks + (size_t)s.n_knobs + 1;
    srs_part *more = realloc(p->parts, n * sizeof *more);
    is_good = more != NULL;
    if (is_good) p->parts = more;
  }
  if (is_good) {
    bound_bodies(film, p, own);
    const double size = size_of(film, own);
    for (int i = 0; i < s.n_sticks && is_good && size > 0; i++) is_good = add_stick(p, &s.sticks[i], size / 130);
    for (int i = 0; i < s.n_knobs && is_good && size > 0; i++) is_good = add_knob(p, &s.knobs[i], size / 75);
  }
  free(own);
  srs_sticks_free(&s);
  return is_good;
}

// ---------------------------------------------------------------------------------------------------------------------
// The ground, and poses
// ---------------------------------------------------------------------------------------------------------------------

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
