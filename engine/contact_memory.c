// What memory do contacts take, and which friction and restitution has each shape? Taken at creation; grown by half
// when a step finds more contacts than there is room for, unless the capacity is fixed.

#include "engine/constraint.h"
#include "topology/internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 32 };

double srs_impact_threshold(const srs_sim_options *options)
{
  const double chosen = options->contact.impact_threshold;
  return isnan(chosen) ? 2 * norm3(vec3_load(options->gravity)) * options->dt : chosen;
}

double srs_combine(srs_combination rule, double a, double b)
{
  switch (rule) {
  case SRS_COMBINE_MEAN: return 0.5 * (a + b);
  case SRS_COMBINE_LARGER: return a > b ? a : b;
  case SRS_COMBINE_SMALLER: return a < b ? a : b;
  case SRS_COMBINE_PRODUCT: return a * b;
  case SRS_COMBINE_GEOMETRIC_MEAN: break;
  }
  return a == b ? a : sqrt(a * b);
}

// Memory that starts on a vector's boundary, zeroed.
static void *take(size_t count, size_t size)
{
  const size_t bytes = (count * size + 63) / 64 * 64 + 64;
  void *memory = aligned_alloc(64, bytes);
  if (memory != NULL) memset(memory, 0, bytes);
  return memory;
}

// The farthest point of a shape from its link's origin.
static double shape_reach(const srs_model *m, const srs_shape *shape)
{
  const vec3 frame = shape->frame >= 0 ? m->frame_offset[shape->frame] : vec3_zero;
  const double *s = shape->size;
  double radius = 0;
  switch (shape->kind) {
  case SRS_SHAPE_SPHERE: radius = s[0]; break;
  case SRS_SHAPE_BOX: radius = 0.5 * norm3((vec3){s[0], s[1], s[2]}); break;
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CONE: radius = hypot(s[0], 0.5 * s[1]); break;
  case SRS_SHAPE_CAPSULE: radius = s[0] + 0.5 * s[1]; break;
  case SRS_SHAPE_ELLIPSOID: radius = fmax(s[0], fmax(s[1], s[2])); break;
  case SRS_SHAPE_HULL:
    for (int i = 0; i < shape->n_points; i++) radius = fmax(radius, norm3(vec3_load(shape->points + 3 * (size_t)i)));
    break;
  case SRS_SHAPE_MESH:
  case SRS_SHAPE_HALF_SPACE:
  case SRS_SHAPE_TERRAIN:
  case SRS_SHAPE_HEIGHTFIELD: break;
  }
  return norm3(frame) + norm3(vec3_load(shape->pose.position)) + radius;
}

static void measure_reach(struct srs_contacts *c, const srs_model *m)
{
  for (int k = 0; k < m->n_links; k++) c->reach[k] = -1;
  for (int i = 0; i < m->n_shapes; i++) {
    const srs_shape *shape = &m->shapes[i];
    const int link = shape->frame >= 0 ? m->frame_link[shape->frame] : -1;
    if (link < 0 || shape->is_visual || shape->kind == SRS_SHAPE_MESH) continue;
    c->reach[link] = fmax(c->reach[link], shape_reach(m, shape));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Materials
// ---------------------------------------------------------------------------------------------------------------------

static srs_status check_value(const char *what, const char *name, double value, double most, srs_error *error)
{
  if (isnan(value) || (value >= 0 && value <= most)) return SRS_OK;
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "%s of '%s' must be between 0 and %g, not %g", what,
                  name, most, value);
}

static const srs_material *material_of(const srs_contact_settings *o, const char *name)
{
  for (int i = 0; i < o->n_materials; i++)
    if (strcmp(o->materials[i].name, name) == 0) return &o->materials[i];
  return NULL;
}

static srs_status set_materials(struct srs_contacts *c, const srs_model *m, const srs_contact_settings *o,
                                srs_error *error)
{
  for (int i = 0; i < o->n_materials; i++) {
    srs_status status = check_value("friction", o->materials[i].name, o->materials[i].friction, 1e6, error);
    if (status == SRS_OK)
      status = check_value("restitution", o->materials[i].name, o->materials[i].restitution, 1, error);
    if (status != SRS_OK) return status;
  }
  for (int i = 0; i < m->n_shapes; i++) {
    const char *name = m->shapes[i].material;
    c->friction[i] = o->friction;
    c->restitution[i] = o->restitution;
    if (name == NULL || name[0] == '\0') continue;
    const srs_material *material = material_of(o, name);
    if (material == NULL)
      return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name, "there is no material '%s'; list it among the materials",
                      name);
    if (!isnan(material->friction)) c->friction[i] = material->friction;
    if (!isnan(material->restitution)) c->restitution[i] = material->restitution;
  }
  return SRS_OK;
}

static bool goes_by(const srs_model *m, int shape, const char *name)
{
  const srs_shape *s = &m->shapes[shape];
  return strcmp(s->name, name) == 0 || strcmp(s->material, name) == 0 ||
         (s->frame >= 0 && strcmp(m->frames[s->frame].name, name) == 0);
}

static srs_status known(const srs_model *m, const srs_contact_settings *o, const char *name, srs_error *error)
{
  for (int i = 0; i < m->n_shapes; i++)
    if (goes_by(m, i, name)) return SRS_OK;
  if (material_of(o, name) != NULL) return SRS_OK;
  return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name, "no material, shape or frame is called '%s'", name);
}

static int compare_overrides(const void *left, const void *right)
{
  const pair_override *a = left, *b = right;
  if (a->shape_a != b->shape_a) return a->shape_a < b->shape_a ? -1 : 1;
  if (a->shape_b != b->shape_b) return a->shape_b < b->shape_b ? -1 : 1;
  return a->turn < b->turn ? -1 : a->turn > b->turn;
}

// One entry a pair; later ones win over earlier ones.
static void merge_overrides(struct srs_contacts *c)
{
  if (c->n_overrides == 0) return;
  qsort(c->overrides, (size_t)c->n_overrides, sizeof *c->overrides, compare_overrides);
  int n = 0;
  for (int i = 1; i < c->n_overrides; i++) {
    const pair_override *p = &c->overrides[i];
    pair_override *last = &c->overrides[n];
    if (p->shape_a != last->shape_a || p->shape_b != last->shape_b) {
      c->overrides[++n] = *p;
      continue;
    }
    if (!isnan(p->friction)) last->friction = p->friction;
    if (!isnan(p->restitution)) last->restitution = p->restitution;
  }
  c->n_overrides = n + 1;
}

const pair_override *srs_override_of(const struct srs_contacts *c, int shape_a, int shape_b)
{
  for (int low = 0, high = c->n_overrides; low < high;) {
    const int middle = (low + high) / 2;
    const pair_override *p = &c->overrides[middle];
    if (p->shape_a == shape_a && p->shape_b == shape_b) return p;
    if (p->shape_a < shape_a || (p->shape_a == shape_a && p->shape_b < shape_b))
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static srs_status set_overrides(struct srs_contacts *c, const srs_model *m, const srs_contact_settings *o,
                                srs_error *error)
{
  int room = 0;
  for (int p = 0; p < o->n_pairs; p++) {
    const srs_material_pair *pair = &o->pairs[p];
    srs_status status = known(m, o, pair->a, error);
    if (status == SRS_OK) status = known(m, o, pair->b, error);
    if (status == SRS_OK) status = check_value("friction", pair->a, pair->friction, 1e6, error);
    if (status == SRS_OK) status = check_value("restitution", pair->a, pair->restitution, 1, error);
    if (status != SRS_OK) return status;
    for (int i = 0; i < m->n_shapes; i++)
      for (int j = i + 1; j < m->n_shapes; j++) {
        if (!(goes_by(m, i, pair->a) && goes_by(m, j, pair->b)) && !(goes_by(m, i, pair->b) && goes_by(m, j, pair->a)))
          continue;
        if (c->n_overrides == room) {
          room = room > 0 ? 2 * room : 16;
          pair_override *larger = realloc(c->overrides, (size_t)room * sizeof *larger);
          if (larger == NULL)
            return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for material pairs");
          c->overrides = larger;
        }
        c->overrides[c->n_overrides++] = (pair_override){i, j, pair->friction, pair->restitution, p};
      }
  }
  merge_overrides(c);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------------------------

typedef struct named_shape {
  const char *frame, *name; // "" for the world, or where it has none
  int shape;
} named_shape;

static int compare_names(const void *left, const void *right)
{
  const named_shape *a = left, *b = right;
  const int by_frame = strcmp(a->frame, b->frame), by_name = by_frame != 0 ? by_frame : strcmp(a->name, b->name);
  return by_name != 0 ? by_name : a->shape < b->shape ? -1 : a->shape > b->shape;
}

static srs_status rank_shapes(struct srs_contacts *c, const srs_model *m, srs_error *error)
{
  const size_t n = (size_t)m->n_shapes;
  named_shape *shapes = malloc((n + 1) * sizeof *shapes);
  if (shapes == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for contacts");
  for (int i = 0; i < m->n_shapes; i++) {
    const srs_shape *s = &m->shapes[i];
    shapes[i] = (named_shape){s->frame >= 0 ? m->frames[s->frame].name : "", s->name, i};
  }
  qsort(shapes, n, sizeof *shapes, compare_names);
  for (int i = 0; i < m->n_shapes; i++) c->shape_rank[shapes[i].shape] = i;
  c->n_shapes = m->n_shapes;
  free(shapes);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Creation and growth
// ---------------------------------------------------------------------------------------------------------------------

static void *larger(void *old, size_t used, size_t count, size_t size)
{
  void *memory = take(count, size);
  if (memory != NULL && old != NULL && used > 0) memcpy(memory, old, used * size);
  return memory;
}

srs_status srs_contacts_reserve(struct srs_contacts *c, int capacity)
{
  if (capacity <= c->capacity) return SRS_OK;
  const size_t n = (size_t)capacity, warm = (size_t)c->n_warm, results = (size_t)c->n_results;
  if (srs_workspace_reserve_rows(c->workspace, 6 * capacity) != SRS_OK) return SRS_ERROR_MEMORY;
  enum { BLOCKS = 11 };
  void *fresh[BLOCKS] = {take(n, sizeof *c->candidates),
                         take(n, sizeof *c->active),
                         take(n, sizeof *c->by_name),
                         take(n, sizeof *c->order),
                         take(n + 1, sizeof *c->island_begin),
                         take(2 * n, sizeof *c->sides),
                         larger(c->results, results, n, sizeof *c->results),
                         larger(c->warm, warm, n, sizeof *c->warm),
                         take(n, sizeof *c->next_results),
                         take(6 * n, sizeof *c->rows),
                         take(6 * n, sizeof *c->second_rows)};
  void *old[BLOCKS] = {c->candidates, c->active, c->by_name,      c->order, c->island_begin, c->sides,
                       c->results,    c->warm,   c->next_results, c->rows,  c->second_rows};
  bool failed = false;
  for (int i = 0; i < BLOCKS; i++) failed = failed || fresh[i] == NULL;
  for (int i = 0; i < BLOCKS; i++) free(failed ? fresh[i] : old[i]);
  if (failed) return SRS_ERROR_MEMORY;
  c->candidates = fresh[0], c->active = fresh[1], c->by_name = fresh[2], c->order = fresh[3];
  c->island_begin = fresh[4], c->sides = fresh[5], c->results = fresh[6], c->warm = fresh[7];
  c->next_results = fresh[8], c->rows = fresh[9], c->second_rows = fresh[10];
  c->capacity = capacity;
  return SRS_OK;
}

srs_status srs_contacts_reserve_problem(struct srs_contacts *c, int n_contacts)
{
  const size_t doubles = srs_island_doubles(n_contacts);
  if (doubles > c->problem_room) {
    double *problem = take(doubles, sizeof *problem);
    if (problem == NULL) return SRS_ERROR_MEMORY;
    free(c->problem);
    c->problem = problem;
    c->problem_room = doubles;
  }
  const int rows = (c->has_second_phase ? 6 : 3) * n_contacts;
  return srs_contact_solver_reserve_directions(c->solver, rows, c->n_directions, NULL);
}

static srs_status check_settings(const srs_contact_settings *o, srs_error *error)
{
  const char *wrong = NULL;
  if (!(o->friction >= 0) || !isfinite(o->friction))
    wrong = "friction must be a number of 0 or more";
  else if (!(o->restitution >= 0 && o->restitution <= 1))
    wrong = "restitution must be between 0 and 1";
  else if (!isnan(o->impact_threshold) && !(o->impact_threshold >= 0))
    wrong = "impact_threshold must be 0 m/s or more";
  else if (!(o->distance >= 0) || !isfinite(o->distance))
    wrong = "distance must be 0 m or more";
  else if (!(o->stabilisation >= 0 && o->stabilisation <= 1))
    wrong = "stabilisation must be between 0 and 1";
  else if (!(o->max_correction_speed >= 0))
    wrong = "max_correction_speed must be 0 m/s or more";
  else if (o->capacity < 0)
    wrong = "capacity must be 0 contacts or more";
  else if (o->solver.n_directions < 4 || o->solver.n_directions > SRS_CONTACT_DIRECTIONS_MOST ||
           o->solver.n_directions % 2 != 0)
    wrong = "n_directions must be an even number from 4 to 64";
  if (wrong == NULL) return SRS_OK;
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "contact", "contact: %s", wrong);
}

static srs_status fill(struct srs_contacts *c, const srs_model *m, const srs_sim_options *options, srs_error *error)
{
  const srs_contact_settings *o = &options->contact;
  const size_t n = (size_t)m->n_links + 1, n_shapes = (size_t)m->n_shapes + 1;
  c->poses = take(n, sizeof *c->poses);
  c->velocity_before = take(n, sizeof *c->velocity_before);
  c->impulse = take(n, sizeof *c->impulse);
  c->tree_island = take(n, sizeof *c->tree_island);
  c->tree_mark = take(n, sizeof *c->tree_mark);
  c->shape_rank = take(n_shapes, sizeof *c->shape_rank);
  c->rank_begin = take(n_shapes, sizeof *c->rank_begin);
  c->reach = take(n, sizeof *c->reach);
  c->friction = take(n_shapes, sizeof *c->friction);
  c->restitution = take(n_shapes, sizeof *c->restitution);
  c->dv = take((size_t)m->nv + 1, sizeof *c->dv);
  if (!c->poses || !c->velocity_before || !c->impulse || !c->tree_island || !c->tree_mark || !c->shape_rank ||
      !c->rank_begin || !c->reach || !c->friction || !c->restitution || !c->dv)
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for contacts");
  c->impact_threshold = srs_impact_threshold(options);
  c->is_fixed = o->capacity > 0;
  c->n_directions = o->solver.solver >= SRS_SOLVER_MLCP_LEMKE ? o->solver.n_directions : 4;
  const int capacity = o->capacity > 0 ? o->capacity : FIRST_CAPACITY;
  c->has_second_phase = o->impact == SRS_IMPACT_POISSON;
  srs_status status = srs_contact_solver_create(3 * capacity, &c->solver, error);
  if (status == SRS_OK &&
      (srs_contacts_reserve(c, capacity) != SRS_OK || srs_contacts_reserve_problem(c, capacity) != SRS_OK))
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d contacts", capacity);
  if (status == SRS_OK) status = set_materials(c, m, o, error);
  if (status == SRS_OK) status = set_overrides(c, m, o, error);
  if (status == SRS_OK) status = rank_shapes(c, m, error);
  measure_reach(c, m);
  return status;
}

srs_status srs_contacts_create(srs_workspace *workspace, const srs_sim_options *options, struct srs_contacts **contacts,
                               srs_error *error)
{
  const srs_model *model = workspace->model;
  *contacts = NULL;
  srs_status status = check_settings(&options->contact, error);
  if (status != SRS_OK || !options->contact.enabled) return status;
  struct srs_contacts *c = take(1, sizeof *c);
  if (c == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for contacts");
  c->workspace = workspace;
  status = srs_collider_create(model, &options->contact.collider, &c->collider, error);
  if (status == SRS_OK && srs_collider_n_pairs(c->collider) == 0) {
    srs_contacts_destroy(c);
    return SRS_OK;
  }
  if (status == SRS_OK && options->integrator == SRS_RK4)
    status =
        srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "rk4",
                 "rk4 cannot step through contacts, and shapes of this mechanism can meet: take another integrator, or "
                 "switch contact off");
  if (status == SRS_OK) status = fill(c, model, options, error);
  if (status != SRS_OK) {
    srs_contacts_destroy(c);
    return status;
  }
  *contacts = c;
  return SRS_OK;
}

void srs_contacts_destroy(struct srs_contacts *c)
{
  if (c == NULL) return;
  srs_collider_destroy(c->collider);
  srs_contact_solver_destroy(c->solver);
  void *const owned[] = {c->poses,      c->velocity_before, c->impulse,     c->tree_island, c->tree_mark,
                         c->reach,      c->friction,        c->restitution, c->dv,          c->overrides,
                         c->shape_rank, c->rank_begin,      c->candidates,  c->active,      c->by_name,
                         c->order,      c->island_begin,    c->sides,       c->results,     c->warm,
                         c->problem,    c->next_results,    c->rows,        c->second_rows};
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) free(owned[i]);
  free(c);
}
