// Which shapes collide, and where are they?
//
// A shape at S in its frame, which is at F in its link's, moves with the link at L as L F S; F S is formed once, and
// for shapes on the world all of it. Bounding spheres are the smallest ones about a point of the axis: for a cone of
// radius r and length l >= r the point at z with l/2 - z = sqrt((z + l/2)^2 + r^2), so z = -r^2 / 2l; a flatter one's
// is the middle of its base. Bounds are widened by 1e-9 so that rounding never hides a contact.
#include "collision/world/geometries.h"
#include "collision/bullet/bullet_shape.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

static const double widened = 1 + 1e-9;

const char *srs_shape_title(const srs_model *model, int shape, char text[96])
{
  const srs_shape *s = &model->shapes[shape];
  if (s->name[0] != '\0')
    srs_print(text, 96, "'%.90s'", s->name);
  else if (s->frame >= 0)
    srs_print(text, 96, "%s of '%.70s'", srs_shape_kind_name(s->kind), model->frames[s->frame].name);
  else
    srs_print(text, 96, "%s of the world", srs_shape_kind_name(s->kind));
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Solids
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(const srs_geometries *m, int shape, const char *what, srs_error *error)
{
  char title[96];
  return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, m->model->shapes[shape].name, "shape %s %s",
                  srs_shape_title(m->model, shape, title), what);
}

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for the shapes that collide");
}

static bool has_size(const srs_shape *s)
{
  const double *size = s->size;
  switch (s->kind) {
  case SRS_SHAPE_SPHERE:
  case SRS_SHAPE_CAPSULE: return size[0] > 0; // a capsule without a straight part is a sphere
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CONE: return size[0] > 0 && size[1] > 0;
  case SRS_SHAPE_BOX:
  case SRS_SHAPE_SUPERELLIPSOID:
  case SRS_SHAPE_PARABOLOID:
  case SRS_SHAPE_ELLIPSOID: return size[0] > 0 && size[1] > 0 && size[2] > 0;
  default: return true;
  }
}

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

static void bound_box(const srs_shape *s, vec3 *middle, vec3 *half)
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
  case SRS_SHAPE_TERRAIN: bound_points(s->points, s->n_points, middle, half); break;
  case SRS_SHAPE_POLYGON:
    bound_points(s->points, s->n_points, middle, half);
    half->z = s->size[0] / 2;
    break;
  case SRS_SHAPE_HEIGHTFIELD: bound_heights(s, middle, half); break;
  default: *half = vec3_zero; break;
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

static void bound_sphere(const srs_shape *s, vec3 middle, vec3 half, srs_solid *solid)
{
  const double *size = s->size;
  solid->centre = middle;
  switch (s->kind) {
  case SRS_SHAPE_SPHERE: solid->radius = size[0]; break;
  case SRS_SHAPE_ELLIPSOID: solid->radius = fmax(size[0], fmax(size[1], size[2])); break;
  case SRS_SHAPE_CYLINDER: solid->radius = hypot(size[0], size[1] / 2); break;
  case SRS_SHAPE_CAPSULE: solid->radius = size[0] + size[1] / 2; break;
  case SRS_SHAPE_CONE: {
    const double down = fmin(size[0] * size[0] / (2 * size[1]), size[1] / 2);
    solid->centre.z = -down;
    solid->radius = fmax(size[1] / 2 + down, size[0]);
    break;
  }
  case SRS_SHAPE_HULL: solid->radius = reach_of_points(s->points, s->n_points, middle); break;
  case SRS_SHAPE_POLYGON: solid->radius = hypot(reach_of_points(s->points, s->n_points, middle), size[0] / 2); break;
  case SRS_SHAPE_HALF_SPACE: solid->radius = INFINITY; break;
  default: solid->radius = norm3(half); break;
  }
  solid->radius *= widened;
}

// The prism of a polygon.
static srs_status make_prism(const srs_shape *s, srs_hull **hull, srs_error *error)
{
  const size_t n = (size_t)s->n_points;
  double *corners = malloc(6 * n * sizeof *corners);
  if (corners == NULL) return no_memory(error);
  for (size_t i = 0; i < 2 * n; i++) {
    memcpy(corners + 3 * i, s->points + 3 * (i / 2), 2 * sizeof *corners);
    corners[3 * i + 2] = (i % 2 == 0 ? -0.5 : 0.5) * s->size[0];
  }
  const srs_status status = srs_hull_create(corners, (int)(2 * n), hull, error);
  free(corners);
  return status;
}

static srs_status make_hull(const srs_geometries *m, const srs_shape *s, int shape, srs_solid *solid, srs_error *error)
{
  double corners[24];
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 3; c++) corners[3 * i + c] = (i >> c & 1) != 0 ? s->size[c] / 2 : -s->size[c] / 2;
  const bool is_box = s->kind == SRS_SHAPE_BOX;
  srs_hull *hull = NULL;
  srs_error why = {0};
  const srs_status status = s->kind == SRS_SHAPE_POLYGON
                                ? make_prism(s, &hull, &why)
                                : srs_hull_create(is_box ? corners : s->points, is_box ? 8 : s->n_points, &hull, &why);
  solid->hull = hull;
  if (status == SRS_OK) return SRS_OK;
  return status == SRS_ERROR_MEMORY ? no_memory(error) : refuse(m, shape, why.message, error);
}

// Ground holds what has sunk below it by its thickness: its bounds reach as far.
static srs_status make_ground(srs_geometries *m, const srs_shape *s, int i, srs_error *error)
{
  srs_error why = {0};
  const srs_status status = srs_terrain_create(s, &m->terrain[i], &why);
  if (status == SRS_ERROR_MEMORY) return no_memory(error);
  if (status != SRS_OK) return refuse(m, m->shape[i], why.message, error);
  const double depth = srs_terrain_thickness(m->terrain[i]);
  m->half[i] = add3(m->half[i], (vec3){depth, depth, depth});
  return SRS_OK;
}

static srs_status make_solid(srs_geometries *m, int i, srs_error *error)
{
  const int shape = m->shape[i];
  const srs_shape *s = &m->model->shapes[shape];
  srs_solid *solid = &m->solids[i];
  if (!has_size(s)) return refuse(m, shape, "has no size; give it one, or say that it is visual", error);
  solid->kind = s->kind == SRS_SHAPE_POLYGON ? SRS_SHAPE_HULL : s->kind;
  memcpy(solid->size, s->size, sizeof solid->size);
  memcpy(solid->exponent, s->exponent, sizeof solid->exponent);
  if (s->kind == SRS_SHAPE_BOX || solid->kind == SRS_SHAPE_HULL) {
    const srs_status status = make_hull(m, s, shape, solid, error);
    if (status != SRS_OK) return status;
  }
  if (m->is_ground[i]) {
    const srs_status status = make_ground(m, s, i, error);
    if (status != SRS_OK) return status;
  }
  bound_sphere(s, m->middle[i], m->half[i], solid);
  if (m->is_ground[i] || !srs_bullet_knows(solid->kind)) return SRS_OK;
  solid->bullet = srs_bullet_shape_create(solid);
  return solid->bullet != NULL ? SRS_OK : no_memory(error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Placements
// ---------------------------------------------------------------------------------------------------------------------

SRS_INLINE void place(srs_geometries *m, int i, mat3 axes, vec3 origin)
{
  srs_placed *placed = &m->placed[i];
  placed->axes = axes;
  placed->origin = origin;
  if (m->is_half_space[i])
    m->bounds[i] = (srs_ball){axes.z, dot3(axes.z, origin)};
  else
    m->bounds[i].centre = add3(origin, rotate(axes, m->solids[i].centre));
}

static bool all_finite(const srs_pose *links, int n)
{
  double position[3] = {0}, rotation[9] = {0},
         sum = 0; // 0 x is 0 for every finite x; twelve sums, none waits for another
  for (int k = 0; k < n; k++) {
    for (int c = 0; c < 3; c++) position[c] += 0 * links[k].position[c];
    for (int c = 0; c < 9; c++) rotation[c] += 0 * links[k].rotation[c];
  }
  for (int c = 0; c < 3; c++) sum += position[c];
  for (int c = 0; c < 9; c++) sum += rotation[c];
  return sum == 0;
}

bool srs_geometries_place(srs_geometries *m, const srs_pose *links)
{
  if (!all_finite(links, m->model->n_links)) return false;
  for (int i = 0; i < m->n; i++) {
    if (m->link[i] < 0) continue;
    const srs_pose *pose = &links[m->link[i]];
    const mat3 axes = mat3_from_rows(pose->rotation);
    place(m, i, mul3(axes, m->axes[i]), add3(vec3_load(pose->position), rotate(axes, m->offset[i])));
  }
  return true;
}

bool srs_boxes_meet(const srs_geometries *m, int i, int j, double margin)
{
  for (int side = 0; side < 2; side++) {
    const int box = side == 0 ? i : j, ball = side == 0 ? j : i;
    const srs_placed *p = &m->placed[box];
    const vec3 at = sub3(rotate_back(p->axes, sub3(m->bounds[ball].centre, p->origin)), m->middle[box]);
    const vec3 half = m->half[box];
    const vec3 out = {fmax(fabs(at.x) - half.x, 0), fmax(fabs(at.y) - half.y, 0), fmax(fabs(at.z) - half.z, 0)};
    const double limit = m->bounds[ball].reach + margin;
    if (dot3(out, out) > limit * limit) return false;
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------------------------

static bool collides(const srs_shape *s) { return !s->is_visual && s->kind != SRS_SHAPE_MESH; }

static bool take_memory(srs_geometries *m)
{
  srs_arena *arena = &m->memory;
  const size_t n = (size_t)m->n;
  m->shape = srs_arena_take(arena, n, sizeof *m->shape);
  m->link = srs_arena_take(arena, n, sizeof *m->link);
  m->rank = srs_arena_take(arena, n, sizeof *m->rank);
  m->solids = srs_arena_take(arena, n, sizeof *m->solids);
  m->placed = srs_arena_take(arena, n, sizeof *m->placed);
  m->offset = srs_arena_take(arena, n, sizeof *m->offset);
  m->axes = srs_arena_take(arena, n, sizeof *m->axes);
  m->bounds = srs_arena_take(arena, n, sizeof *m->bounds);
  m->is_half_space = srs_arena_take(arena, n, sizeof *m->is_half_space);
  m->middle = srs_arena_take(arena, n, sizeof *m->middle);
  m->half = srs_arena_take(arena, n, sizeof *m->half);
  m->is_ground = srs_arena_take(arena, n, sizeof *m->is_ground);
  m->terrain = srs_arena_take(arena, n, sizeof *m->terrain);
  return !arena->failed;
}

// All that is known before the solids are made.
static void fill(srs_geometries *m, const int *rank_of_frame)
{
  const srs_model *model = m->model;
  int n = 0;
  for (int s = 0; s < model->n_shapes; s++) {
    const srs_shape *shape = &model->shapes[s];
    if (!collides(shape)) continue;
    const srs_pose identity = srs_identity_pose();
    const srs_pose *frame = shape->frame >= 0 ? &model->frames[shape->frame].pose : &identity;
    const mat3 axes = mat3_from_rows(frame->rotation);
    m->shape[n] = s;
    m->link[n] = shape->frame >= 0 ? model->frames[shape->frame].link : -1;
    m->rank[n] = shape->frame >= 0 ? rank_of_frame[shape->frame] : -1;
    m->axes[n] = mul3(axes, mat3_from_rows(shape->pose.rotation));
    m->offset[n] = add3(vec3_load(frame->position), rotate(axes, vec3_load(shape->pose.position)));
    m->is_half_space[n] = shape->kind == SRS_SHAPE_HALF_SPACE;
    m->is_ground[n] = shape->kind == SRS_SHAPE_TERRAIN || shape->kind == SRS_SHAPE_HEIGHTFIELD;
    bound_box(shape, &m->middle[n], &m->half[n]);
    m->placed[n].solid = &m->solids[n];
    n++;
  }
}

static srs_status check_ground(const srs_geometries *m, int i, srs_error *error)
{
  const int frame = m->model->shapes[m->shape[i]].frame;
  if (!m->is_ground[i] || frame < 0 || m->model->frame_is_static[frame]) return SRS_OK;
  return refuse(m, m->shape[i], "is on a link that moves: terrain is for the world; give convex parts instead", error);
}

srs_status srs_geometries_make(const srs_model *model, srs_geometries *m, srs_error *error)
{
  *m = (srs_geometries){.model = model};
  for (int s = 0; s < model->n_shapes; s++) m->n += collides(&model->shapes[s]);
  int *rank_of_frame = srs_arena_take(&m->memory, (size_t)model->n_frames, sizeof *rank_of_frame);
  if (!take_memory(m)) {
    m->n = 0;
    return no_memory(error);
  }
  for (int r = 0; r < model->n_frames; r++) rank_of_frame[model->frames_by_name[r]] = r;
  fill(m, rank_of_frame);
  srs_status status = SRS_OK;
  for (int i = 0; i < m->n && status == SRS_OK; i++) {
    status = check_ground(m, i, error);
    if (status == SRS_OK) status = make_solid(m, i, error);
    if (status != SRS_OK) break;
    m->bounds[i].reach = m->solids[i].radius;
    if (m->link[i] < 0) place(m, i, m->axes[i], m->offset[i]);
  }
  return status;
}

void srs_geometries_release(srs_geometries *m)
{
  for (int i = 0; i < m->n; i++) {
    free((void *)m->solids[i].hull);
    srs_bullet_shape_destroy(m->solids[i].bullet);
    srs_terrain_destroy(m->terrain[i]);
  }
  srs_arena_release(&m->memory);
  m->n = 0;
}
