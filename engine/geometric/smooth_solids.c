// Finds which shapes are smooth, as convex functions, and which pairs of them may collide. All of it is fixed at
// creation.
//
//   solids that collision/ describes by functions (solid_surfaces.c), and
//   capsule    (|x - c|^2 / r - r) / 2, c the nearest point of its segment: its second derivatives jump where c leaves
//              the ends, which Newton's method for such functions tolerates. Against a half-space it is the two spheres
//              at its ends, exactly: the point nearest to a plane is on one of them, and a capsule that lies flat has
//              two contacts

#include "engine/geometric/smooth_solids.h"
#include "collision/shapes/solid_surfaces.h"
#include "collision/world/collider.h"
#include "engine/dynamics/block.h"
#include "engine/rows/contact_rows.h"
#include "engine/rows/material.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = SRS_SOLID_SURFACES, FIRST_CONTACTS = 16, MOST_DEFLECTIONS = 6 };

// ---------------------------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------------------------

static void capsule(const void *context, const double point[3], double *value, double *gradient, double *hessian)
{
  const double *size = context, half = 0.5 * size[1], inverse = 1 / size[0];
  const double z = point[2] - fmax(-half, fmin(half, point[2]));
  if (value != NULL) *value = 0.5 * ((point[0] * point[0] + point[1] * point[1] + z * z) * inverse - size[0]);
  if (gradient != NULL) gradient[0] = point[0] * inverse, gradient[1] = point[1] * inverse, gradient[2] = z * inverse;
  if (hessian == NULL) return;
  memset(hessian, 0, 9 * sizeof *hessian);
  hessian[0] = hessian[4] = inverse;
  hessian[8] = z != 0 ? inverse : 0;
}

// A part of the given kind in the shape's frame.
static smooth_part part_of(srs_surface_kind kind, double radius)
{
  smooth_part part = {srs_default_surface(kind), vec3_zero, mat3_identity};
  part.surface.size[0] = radius;
  return part;
}

static const srs_shape_surface *surface_of_caller(const srs_contact_settings *o, const char *shape)
{
  for (int i = 0; i < o->n_surfaces; i++)
    if (o->surfaces[i].shape != NULL && strcmp(o->surfaces[i].shape, shape) == 0) return &o->surfaces[i];
  return NULL;
}

// Checks that each of the caller's surfaces is for a sphere of the model.
static srs_status check_surfaces(const srs_model *m, const srs_contact_settings *o, srs_error *error)
{
  for (int i = 0; i < o->n_surfaces; i++) {
    const char *name = o->surfaces[i].shape;
    if (name == NULL || surface_of_caller(o, name) != &o->surfaces[i])
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "surfaces: %s",
                      name == NULL ? "one has no shape" : "a shape is named twice");
    int shape = 0;
    while (shape < m->n_shapes && strcmp(m->shapes[shape].name, name) != 0) shape++;
    if (shape == m->n_shapes)
      return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name, "surfaces: no shape is called '%.80s'", name);
    if (m->shapes[shape].kind != SRS_SHAPE_SPHERE)
      return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, name,
                      "surfaces: '%.80s' is a %s; give a surface to a sphere that holds what it bounds", name,
                      srs_shape_kind_name(m->shapes[shape].kind));
    const srs_status status = srs_surface_check(&o->surfaces[i].surface, error);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

// Fills the functions of a shape, in its own frame.  @return how many; 0: not smooth
static int parts_of(const srs_contact_settings *o, const srs_shape *shape, const srs_solid *solid, smooth_part *parts)
{
  srs_solid_surfaces known;
  const srs_shape_surface *given = surface_of_caller(o, shape->name);
  if (given != NULL) {
    *parts = (smooth_part){given->surface, vec3_zero, mat3_identity};
    return 1;
  }
  if (shape->kind == SRS_SHAPE_CAPSULE) {
    *parts = part_of(SRS_SURFACE_FUNCTION, shape->size[0]);
    parts->surface.function = capsule;
    parts->surface.context = shape->size;
    return 1;
  }
  if (!srs_solid_surfaces_make(solid, &known)) return 0;
  for (int i = 0; i < known.body.n; i++)
    parts[i] =
        (smooth_part){known.surface[i], vec3_load(known.pose[i].position), mat3_from_rows(known.pose[i].rotation)};
  return known.body.n;
}

// Fills the sphere at an end of a capsule.
static int end_of(const srs_shape *shape, double sign, smooth_part *part)
{
  *part = part_of(SRS_SURFACE_SPHERE, shape->size[0]);
  part->offset = (vec3){0, 0, sign * 0.5 * shape->size[1]};
  return 1;
}

static const srs_solid *solid_of_shape(const srs_geometries *members, int shape)
{
  for (int i = 0; i < members->n; i++)
    if (members->shape[i] == shape) return &members->solids[i];
  return NULL;
}

// Adds a solid.  @param end  -1, 1: only the sphere at that end of a capsule; 0: the whole shape
static srs_status add_solid(struct srs_geometric *g, int shape, int end, srs_error *error)
{
  const srs_model *m = g->model;
  const srs_shape *def = &m->shapes[shape];
  smooth_solid *solid = &g->solids[g->n_solids];
  *solid = (smooth_solid){.shape = shape, .link = def->frame < 0 ? -1 : m->frame_link[def->frame], .first = g->n_parts};
  smooth_part *parts = g->parts + g->n_parts;
  const srs_solid *known = solid_of_shape(&g->constraints->collider->geometries, shape);
  solid->n = end == 0 ? parts_of(g->settings, def, known, parts) : end_of(def, end, parts);
  char title[96];
  if (solid->n == 0)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, def->name,
                    "geometrically-implicit steps through smooth shapes and boxes, and %s is a %s: take another "
                    "integrator, or make it visual",
                    srs_shape_title(m, shape, title), srs_shape_kind_name(def->kind));
  const mat3 frame_axes = def->frame < 0 ? mat3_identity : m->frame_axes[def->frame];
  const vec3 frame_offset = def->frame < 0 ? vec3_zero : m->frame_offset[def->frame];
  const mat3 axes = mul3(frame_axes, mat3_from_rows(def->pose.rotation));
  const vec3 origin = add3(frame_offset, rotate(frame_axes, vec3_load(def->pose.position)));
  solid->centre = add3(origin, rotate(axes, end == 0 ? known->centre : parts->offset));
  solid->reach = end == 0 ? known->radius : def->size[0];
  for (int i = 0; i < solid->n; i++) {
    parts[i].offset = add3(origin, rotate(axes, parts[i].offset));
    parts[i].axes = mul3(axes, parts[i].axes);
    g->surfaces[g->n_parts + i] = parts[i].surface;
    vec3_store(g->poses[g->n_parts + i].position, parts[i].offset);
    mat3_to_rows(g->poses[g->n_parts + i].rotation, parts[i].axes);
  }
  solid->body = (srs_surface_body){.n = solid->n, .surfaces = g->surfaces + g->n_parts, .poses = g->poses + g->n_parts};
  g->n_parts += solid->n;
  g->n_solids++;
  return srs_surface_body_prepare(&solid->body, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------------------------

// Adds the pairs of two shapes' solids, in the order of the shapes' names.
static srs_status add_pair(struct srs_geometric *g, const struct srs_constraints *c, const int shapes[2],
                           const int solids[2], uint64_t feature, srs_error *error)
{
  const srs_contact_settings *o = g->settings;
  const bool is_turned = shapes[0] > shapes[1];
  smooth_pair *pair = &g->pairs[g->n_pairs++];
  active_contact material = {.is_turned = is_turned};
  srs_find_material(c, o, &material, shapes[is_turned], shapes[!is_turned]);
  char first[96], second[96];
  if (material.restitution > 0)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "restitution",
                    "geometrically-implicit has no restitution, and %s and %s have %g: set it to 0, or take another "
                    "integrator",
                    srs_shape_title(g->model, shapes[0], first), srs_shape_title(g->model, shapes[1], second),
                    material.restitution);
  if (material.rolling > 0)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "rolling",
                    "geometrically-implicit has no rolling friction, and %s and %s have %g m: set it to 0, or take "
                    "another integrator",
                    srs_shape_title(g->model, shapes[0], first), srs_shape_title(g->model, shapes[1], second),
                    material.rolling);
  *pair = (smooth_pair){.solid = {solids[0], solids[1]},
                        .feature = feature,
                        .friction = material.friction,
                        .anisotropy = {1, 1, material.n_rows > 3 ? material.anisotropy[2] : 0},
                        .anisotropy_side = -1,
                        .warm = g->n_warm};
  for (int k = 0; k < 2; k++)
    if (c->anisotropy[shapes[k]].layer.thickness > 0) pair->layer[pair->n_layers++] = c->anisotropy[shapes[k]].layer;
  g->n_warm += WARM_MULTIPLIERS + (size_t)(g->solids[solids[0]].n + g->solids[solids[1]].n);
  bool is_second = false;
  const shape_anisotropy *anisotropy = srs_anisotropy_of(c, shapes[0], shapes[1], &is_second);
  if (anisotropy == NULL) return SRS_OK;
  const int link = g->solids[solids[is_second]].link;
  pair->anisotropy_side = is_second;
  pair->anisotropy[0] = anisotropy->along, pair->anisotropy[1] = anisotropy->across;
  const vec3 d = {anisotropy->direction[0], anisotropy->direction[1], anisotropy->direction[2]};
  pair->anisotropy_direction = v3_from(link < 0 ? d : rotate(g->model->link_axes[link], d));
  return SRS_OK;
}

enum { WHOLE, LOWER_END, UPPER_END, ENDS };

// Finds the solid of a shape, or of an end of a capsule, and makes it if it does not exist yet.
static srs_status solid_of(struct srs_geometric *g, int shape, int end, int *known, int *solid, srs_error *error)
{
  static const int sign[ENDS] = {[WHOLE] = 0, [LOWER_END] = -1, [UPPER_END] = 1};
  int *at = &known[ENDS * shape + end];
  srs_status status = SRS_OK;
  if (*at < 0) {
    *at = g->n_solids;
    status = add_solid(g, shape, sign[end], error);
  }
  *solid = *at;
  return status;
}

static srs_status add_shapes(struct srs_geometric *g, const struct srs_constraints *c, const int shapes[2], int *known,
                             srs_error *error)
{
  const srs_shape_kind kind[2] = {g->model->shapes[shapes[0]].kind, g->model->shapes[shapes[1]].kind};
  int capsule = -1;
  for (int k = 0; k < 2; k++)
    if (kind[k] == SRS_SHAPE_CAPSULE && kind[1 - k] == SRS_SHAPE_HALF_SPACE) capsule = k;
  srs_status status = SRS_OK;
  for (int end = capsule < 0 ? WHOLE : LOWER_END; end <= (capsule < 0 ? WHOLE : UPPER_END) && status == SRS_OK; end++) {
    int solids[2] = {0, 0};
    for (int k = 0; k < 2 && status == SRS_OK; k++)
      status = solid_of(g, shapes[k], k == capsule ? end : WHOLE, known, &solids[k], error);
    if (status == SRS_OK) status = add_pair(g, c, shapes, solids, (uint64_t)end, error);
  }
  return status;
}

static srs_status add_pairs(struct srs_geometric *g, const struct srs_constraints *c, int n_pairs, srs_error *error)
{
  const int n_known = ENDS * g->model->n_shapes;
  int *known = malloc(((size_t)n_known + 1) * sizeof *known); // the solid of each shape and its ends, -1: not made yet
  if (known == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for smooth shapes");
  for (int i = 0; i < n_known; i++) known[i] = -1;
  srs_status status = SRS_OK;
  int at[2] = {0, 0};
  for (int p = 0; p < n_pairs && status == SRS_OK; p++) {
    int a = 0, b = 0;
    srs_collider_next_pair(c->collider, at, &a, &b);
    const bool is_turned = c->shape_rank[b] < c->shape_rank[a];
    status = add_shapes(g, c, is_turned ? (const int[2]){b, a} : (const int[2]){a, b}, known, error);
  }
  free(known);
  g->n_warm += (size_t)g->model->nv;
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

static size_t lay_out(struct srs_geometric *g, char *base, int n_shapes, int n_pairs)
{
  const srs_model *m = g->model;
  const size_t nv = (size_t)m->nv, shapes = ENDS * (size_t)n_shapes,
               parts = (size_t)(MOST_PARTS + ENDS) * (size_t)n_shapes;
  const size_t pairs = 2 * (size_t)n_pairs;
  const size_t rows = g->constraints != NULL ? (size_t)g->constraints->scalar_capacity : 0;
  size_t used = 0;
  g->parts = srs_block_take(base, &used, parts, sizeof *g->parts);
  g->surfaces = srs_block_take(base, &used, parts, sizeof *g->surfaces);
  g->poses = srs_block_take(base, &used, parts, sizeof *g->poses);
  g->solids = srs_block_take(base, &used, shapes, sizeof *g->solids);
  g->pairs = srs_block_take(base, &used, pairs, sizeof *g->pairs);
  g->is_in = srs_block_take(base, &used, pairs, sizeof *g->is_in);
  g->clearance = srs_block_take(base, &used, pairs, sizeof *g->clearance);
  g->warm_next =
      srs_block_take(base, &used, pairs * (size_t)(WARM_MULTIPLIERS + 2 * MOST_PARTS) + nv, sizeof *g->warm_next);
  g->rows = srs_block_take(base, &used, rows, sizeof *g->rows);
  g->mass = srs_block_take(base, &used, nv * nv, sizeof *g->mass);
  g->row_matrix = srs_block_take(base, &used, rows * nv, sizeof *g->row_matrix);
  g->trial_v = srs_block_take(base, &used, nv, sizeof *g->trial_v);
  g->one_side = srs_block_take(base, &used, nv, sizeof *g->one_side);
  g->scale = srs_block_take(base, &used, nv, sizeof *g->scale);
  g->v_free = srs_block_take(base, &used, nv, sizeof *g->v_free);
  g->v_next = srs_block_take(base, &used, nv, sizeof *g->v_next);
  g->q_next = srs_block_take(base, &used, (size_t)m->nq, sizeof *g->q_next);
  return used;
}

static size_t lay_out_step(struct srs_geometric *g, char *base, int n_contacts, int unknowns)
{
  const size_t n = (size_t)unknowns, contacts = (size_t)n_contacts, path = contacts * (size_t)g->model->nv;
  size_t used = 0;
  g->contacts = srs_block_take(base, &used, contacts, sizeof *g->contacts);
  g->best_contacts = srs_block_take(base, &used, contacts, sizeof *g->best_contacts);
  g->values = srs_block_take(base, &used, (size_t)2 * MOST_PARTS * contacts, sizeof *g->values);
  g->path = srs_block_take(base, &used, path, sizeof *g->path);
  g->side = srs_block_take(base, &used, path, sizeof *g->side);
  g->has_side = srs_block_take(base, &used, path, sizeof *g->has_side);
  g->motions = srs_block_take(base, &used, 2 * path, sizeof *g->motions);
  g->at = srs_block_take(base, &used, n, sizeof *g->at);
  g->F = srs_block_take(base, &used, n, sizeof *g->F);
  g->spare_F = srs_block_take(base, &used, n, sizeof *g->spare_F);
  g->z = srs_block_take(base, &used, n, sizeof *g->z);
  g->unknowns = srs_block_take(base, &used, n, sizeof *g->unknowns);
  g->lower = srs_block_take(base, &used, n, sizeof *g->lower);
  g->upper = srs_block_take(base, &used, n, sizeof *g->upper);
  return used;
}

srs_status srs_geometric_reserve(struct srs_geometric *g, int n_contacts)
{
  if (n_contacts <= g->capacity && g->solver != NULL) return SRS_OK;
  int parts = 2; // of a pair, the largest number
  for (int p = 0; p < g->n_pairs; p++) {
    const int n = g->solids[g->pairs[p].solid[0]].n + g->solids[g->pairs[p].solid[1]].n;
    if (n > parts) parts = n;
  }
  const int rows = g->constraints->scalar_capacity;
  const int unknowns = g->model->nv + rows + n_contacts * (4 + parts + 1 + FRICTION_ROWS + MOST_DEFLECTIONS);
  const struct srs_geometric old = *g;
  srs_mcp_solver *solver;
  const srs_status status = srs_mcp_solver_create(unknowns, &solver, NULL);
  if (status != SRS_OK) return status;
  const size_t size = lay_out_step(g, NULL, n_contacts, unknowns);
  void *memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size + SRS_BLOCK_ALIGNMENT);
  if (memory == NULL) {
    srs_mcp_solver_destroy(solver);
    *g = old;
    return SRS_ERROR_MEMORY;
  }
  memset(memory, 0, size);
  lay_out_step(g, memory, n_contacts, unknowns);
  for (int k = 0; k < g->n_contacts; k++) g->contacts[k] = old.contacts[k]; // pairs and starts of the step under way
  free(old.step_memory);
  srs_mcp_solver_destroy(old.solver);
  g->step_memory = memory;
  g->solver = solver;
  g->capacity = n_contacts;
  return SRS_OK;
}

srs_status srs_geometric_create(srs_workspace *workspace, struct srs_constraints *c, const srs_sim_options *options,
                                struct srs_geometric **geometric, srs_error *error)
{
  const srs_model *m = workspace->model;
  *geometric = NULL;
  if (c == NULL) return SRS_OK;
  for (int i = 0; i < m->n_closures; i++)
    if (m->closures[i].is_embedded)
      return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, m->closures[i].name,
                      "geometrically-implicit closes loops by rows, and '%.80s' is embedded: leave out embed",
                      m->closures[i].name);
  if (c->corners != SRS_CORNERS_CONVEX)
    return srs_fail(
        error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "corners",
        "geometrically-implicit meets corners of convex bodies where they are, and has no corners: %s; leave "
        "it out, or take another integrator",
        srs_corners_name(c->corners));
  srs_status status = check_surfaces(m, &options->contact, error);
  if (status != SRS_OK) return status;
  const int n_pairs = c->collider != NULL ? srs_collider_n_pairs(c->collider) : 0;
  struct srs_geometric *g = calloc(1, sizeof *g);
  status = SRS_ERROR_MEMORY;
  if (g != NULL) {
    g->model = m;
    g->workspace = workspace;
    g->constraints = c;
    g->settings = &options->contact;
    const size_t size = lay_out(g, NULL, m->n_shapes, n_pairs);
    g->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size + SRS_BLOCK_ALIGNMENT);
    if (g->memory != NULL) {
      memset(g->memory, 0, size);
      lay_out(g, g->memory, m->n_shapes, n_pairs);
      status = add_pairs(g, c, n_pairs, error);
      const int most = options->contact.capacity, first = most > 0 ? most : FIRST_CONTACTS;
      if (status == SRS_OK) status = srs_geometric_reserve(g, first < g->n_pairs ? first : g->n_pairs);
    }
  }
  if (status == SRS_ERROR_MEMORY) srs_fail(error, status, NULL, 0, 0, NULL, "no memory for %d pairs", n_pairs);
  if (status != SRS_OK) {
    srs_geometric_destroy(g);
    return status;
  }
  g->settings = NULL;
  *geometric = g;
  return SRS_OK;
}

void srs_geometric_destroy(struct srs_geometric *g)
{
  if (g == NULL) return;
  srs_mcp_solver_destroy(g->solver);
  free(g->memory);
  free(g->step_memory);
  free(g);
}
