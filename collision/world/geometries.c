// The collision geometries: the shapes of a model that collide, as solids, and where they are.
//
// A shape at S in its frame, which is at F in its link's, moves with the link at L as L F S; F S is formed once, and
// for shapes on the world all of it.
#include "collision/world/geometries.h"
#include "collision/bullet/bullet_shape.h"
#include "collision/shapes/bounds.h"
#include "collision/terrain/terrain_build.h"
#include "topology/base/errors.h"
#include "topology/builder/source.h"
#include "topology/model/shape_kind.h"

#include <stdlib.h>
#include <string.h>

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
  return srs_fail_at(error, SRS_ERROR_MODEL, srs_source_of(m->model)->shapes[shape].place, m->model->shapes[shape].name,
                     "shape %s %s", srs_shape_title(m->model, shape, title), what);
}

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for the shapes that collide");
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

// Triangles: ground, or a surface, which must enclose a solid.
static srs_status check_surface(const srs_geometries *m, int i, srs_error *error)
{
  char text[160];
  int triangle;
  const srs_terrain *terrain = m->terrain[i];
  const int n_open = srs_terrain_open_edges(terrain, &triangle);
  if (n_open > 0) {
    const vec3 p = terrain_corner(terrain, triangle, 0);
    srs_print(text, sizeof text,
              "is no closed surface: %d edges have no triangle on their other side, one near (%.3g, %.3g, %.3g); close "
              "it, or give it as terrain",
              n_open, p.x, p.y, p.z);
    return refuse(m, m->shape[i], text, error);
  }
  if (!(srs_terrain_volume(terrain) > 0))
    return refuse(m, m->shape[i],
                  "shows its inside: give the corners of its triangles counter-clockwise seen from "
                  "outside",
                  error);
  return SRS_OK;
}

// Ground pushes out what has sunk below it by up to its thickness: its bounds reach as far.
static srs_status make_ground(srs_geometries *m, const srs_shape *s, int i, srs_error *error)
{
  srs_error why = {0};
  const srs_status status = srs_terrain_create(s, &m->terrain[i], &why);
  if (status == SRS_ERROR_MEMORY) return no_memory(error);
  if (status != SRS_OK) return refuse(m, m->shape[i], why.message, error);
  const double depth = srs_terrain_thickness(m->terrain[i]);
  m->half[i] = add3(m->half[i], (vec3){depth, depth, depth});
  return s->kind == SRS_SHAPE_SURFACE ? check_surface(m, i, error) : SRS_OK;
}

static bool has_size(const srs_shape *s)
{
  for (int i = 0; i < srs_shape_table[s->kind].n_solid; i++)
    if (!(s->size[i] > 0)) return false;
  return true;
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
  if (m->has_triangles[i]) {
    const srs_status status = make_ground(m, s, i, error);
    if (status != SRS_OK) return status;
  }
  if (s->kind == SRS_SHAPE_SURFACE) { // half-spaces meet its hull
    const srs_status status = make_hull(m, s, shape, solid, error);
    if (status != SRS_OK) return status;
  }
  srs_bounding_sphere(s, m->middle[i], m->half[i], &solid->centre, &solid->radius);
  return SRS_OK;
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
  m->has_triangles = srs_arena_take(arena, n, sizeof *m->has_triangles);
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
    m->has_triangles[n] = srs_shape_table[shape->kind].is_ground || shape->kind == SRS_SHAPE_SURFACE;
    srs_bounding_box(shape, &m->middle[n], &m->half[n]);
    m->placed[n].solid = &m->solids[n];
    n++;
  }
}

static srs_status check_ground(const srs_geometries *m, int i, srs_error *error)
{
  const srs_shape *shape = &m->model->shapes[m->shape[i]];
  const int frame = shape->frame;
  if (!srs_shape_table[shape->kind].is_ground || frame < 0 || m->model->frame_is_static[frame]) return SRS_OK;
  return refuse(m, m->shape[i],
                "is on a link that moves: terrain is for the world; give a closed surface or convex parts instead",
                error);
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

// The hull of a box, stretched along its axes.
static void stretch(srs_hull *hull, const double share[3])
{
  vec3 *corners = (vec3 *)hull->corners;
  double *columns = (double *)hull->columns, *offsets = (double *)hull->offsets;
  for (int i = 0; i < hull->n_corners; i++)
    corners[i] = (vec3){share[0] * corners[i].x, share[1] * corners[i].y, share[2] * corners[i].z};
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < hull->n_padded; i++) columns[c * hull->n_padded + i] *= share[c];
  for (int i = 0; i < hull->n_faces; i++) {
    const vec3 n = hull->normals[i];
    offsets[i] *= fabs(n.x) > 0.5 ? share[0] : fabs(n.y) > 0.5 ? share[1] : share[2];
  }
}

void srs_geometry_resize(srs_geometries *m, int i)
{
  const srs_shape *s = &m->model->shapes[m->shape[i]];
  srs_solid *solid = &m->solids[i];
  if (solid->size[0] == s->size[0] && solid->size[1] == s->size[1] && solid->size[2] == s->size[2]) return;
  if (s->kind == SRS_SHAPE_BOX) {
    const double share[3] = {s->size[0] / solid->size[0], s->size[1] / solid->size[1], s->size[2] / solid->size[2]};
    stretch((srs_hull *)solid->hull, share);
  }
  memcpy(solid->size, s->size, sizeof solid->size);
  srs_bounding_box(s, &m->middle[i], &m->half[i]);
  srs_bounding_sphere(s, m->middle[i], m->half[i], &solid->centre, &solid->radius);
  m->bounds[i].reach = solid->radius;
  if (m->link[i] < 0) place(m, i, m->axes[i], m->offset[i]);
}

srs_status srs_geometries_give_to_bullet(srs_geometries *m, srs_error *error)
{
  const srs_status status = srs_bullet_check(error);
  if (status != SRS_OK) return status;
  double least = INFINITY;
  for (int i = 0; i < m->n; i++)
    if (srs_bullet_knows(m->solids[i].kind)) least = smaller(least, m->solids[i].radius);
  for (int i = 0; i < m->n; i++) {
    srs_solid *solid = &m->solids[i];
    if (!srs_bullet_knows(solid->kind)) continue;
    solid->bullet = srs_bullet_shape_create(solid, srs_bullet_unit_for(least));
    if (solid->bullet == NULL) return no_memory(error);
  }
  return SRS_OK;
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
