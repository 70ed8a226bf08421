// Contact laws, materials and the contact solver of a scene: the keys `contact` and `solver`.

#include "engine/scene/scene_options.h"
#include "engine/scene/scene_settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Messages name the key as it stands in the file, which may be a former name.
static srs_status read_number(const srs_yaml_node *map, const char *key, double low, double high, double *value,
                              srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(map, key);
  if (node == NULL) return SRS_OK;
  double x = 0;
  const srs_status status = srs_yaml_number(node, node->key, &x, error);
  if (status != SRS_OK) return status;
  if (x < low || x > high)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, node->key, "%s must be between %g and %g, here is %.80s",
                       node->key, low, high, node->text);
  *value = x;
  return SRS_OK;
}

static const double no_limit = 1e300;

// `distance` is a length, of the activation `distance`, or a word: the measure of distance of boxes and hulls.
static srs_status read_length_or_distance(const srs_yaml_node *map, srs_contact_settings *o, srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(map, "distance");
  if (node == NULL || node->text == NULL || strchr("+-.0123456789", node->text[0]) != NULL)
    return read_number(map, "distance", 0, no_limit, &o->distance, error);
  return srs_scene_read_distance(map, &o->collider.distance, error);
}

static srs_status read_values(const srs_yaml_node *node, double *friction, double *restitution, double *torsional,
                              double *rolling, srs_error *error)
{
  srs_status status = read_number(node, "friction", 0, 1e6, friction, error);
  if (status == SRS_OK) status = read_number(node, "restitution", 0, 1, restitution, error);
  if (status == SRS_OK) status = read_number(node, "torsional", 0, 1e3, torsional, error);
  return status == SRS_OK ? read_number(node, "rolling", 0, 1e3, rolling, error) : status;
}

// anisotropy: {direction: [1, 0, 0], along: 1, across: 0.5}
static srs_status read_anisotropy(const srs_yaml_node *material, srs_material *m, srs_error *error)
{
  static const char *const keys[] = {"direction", "along", "across", NULL};
  const srs_yaml_node *node = srs_yaml_get(material, "anisotropy");
  if (node == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_map(node, "anisotropy", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "anisotropy", keys, error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *direction = srs_yaml_get(node, "direction");
  if (direction == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "direction",
                       "anisotropy needs a direction, three numbers in the shape's frame");
  status = srs_yaml_numbers(direction, "direction", m->direction, 3, error);
  if (status == SRS_OK && m->direction[0] == 0 && m->direction[1] == 0 && m->direction[2] == 0)
    status = srs_fail_at(error, SRS_ERROR_SYNTAX, direction->place, "direction", "direction must not be zero");
  if (status == SRS_OK) status = read_number(node, "along", 1e-3, 1e3, &m->along, error);
  return status == SRS_OK ? read_number(node, "across", 1e-3, 1e3, &m->across, error) : status;
}

// A number: the same along each axis; three: along normal, t and o; nine: rows of the matrix.
static srs_status read_matrix(const srs_yaml_node *layer, const char *key, double matrix[9], srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(layer, key);
  if (node == NULL) return SRS_OK;
  if (node->kind == SRS_YAML_SCALAR) {
    const srs_status status = srs_yaml_number(node, key, matrix, error);
    matrix[4] = matrix[8] = matrix[0];
    return status;
  }
  const srs_status status = srs_yaml_expect_list(node, key, error);
  if (status != SRS_OK || node->count != 3)
    return status != SRS_OK ? status : srs_yaml_numbers(node, key, matrix, 9, error);
  double diagonal[3];
  const srs_status read = srs_yaml_numbers(node, key, diagonal, 3, error);
  for (int i = 0; i < 3 && read == SRS_OK; i++) matrix[4 * (size_t)i] = diagonal[i];
  return read;
}

// layer: {stiffness: 1000, damping: 0, thickness: 0.05}
static srs_status read_layer(const srs_yaml_node *material, srs_compliant_layer *layer, srs_error *error)
{
  static const char *const keys[] = {"stiffness", "damping", "thickness", NULL};
  const srs_yaml_node *node = srs_yaml_get(material, "layer");
  if (node == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_map(node, "layer", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "layer", keys, error);
  if (status != SRS_OK) return status;
  if (srs_yaml_get(node, "stiffness") == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "stiffness", "a layer needs the key 'stiffness'");
  layer->thickness = INFINITY;
  const srs_yaml_node *thickness = srs_yaml_get(node, "thickness");
  if (thickness != NULL) status = srs_yaml_number(thickness, "thickness", &layer->thickness, error);
  if (status == SRS_OK && !(layer->thickness > 0))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, thickness->place, "thickness",
                       "the thickness of a layer must be above 0, here it is %.80s", thickness->text);
  if (status == SRS_OK) status = read_matrix(node, "stiffness", layer->stiffness, error);
  return status == SRS_OK ? read_matrix(node, "damping", layer->damping, error) : status;
}

static srs_status no_memory(const srs_yaml_node *node, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, node->place, "", "no memory left for '%s'", node->key);
}

static srs_status copy_text(srs_arena *arena, const srs_yaml_node *node, const char *what, const char **text,
                            srs_error *error)
{
  const srs_status status = srs_yaml_text(node, what, text, error);
  if (status != SRS_OK) return status;
  *text = srs_text_copy(arena, *text, strlen(*text));
  return *text != NULL ? SRS_OK : no_memory(node, error);
}

// Refuses a name that an earlier entry of the list has.
static srs_status check_is_new(const srs_yaml_node *list, const srs_yaml_node *entry, const srs_yaml_node *name,
                               srs_error *error)
{
  for (const srs_yaml_node *node = list->first; node != entry; node = node->next) {
    const srs_yaml_node *first = srs_yaml_get(node, "name");
    if (strcmp(first->text, name->text) == 0)
      return srs_fail_at(error, SRS_ERROR_NAME, name->place, name->text,
                         "two materials are named '%.80s', the first in line %d: rename one, or leave it out",
                         name->text, first->place.line);
  }
  return SRS_OK;
}

// materials: [{name: ice, friction: 0.02, restitution: 0.1, torsional: 0.001, rolling: 1e-4, anisotropy: {…}}, …]
static srs_status read_materials(const srs_yaml_node *list, srs_arena *arena, srs_contact_settings *o, srs_error *error)
{
  static const char *const keys[] = {"name",    "friction",   "restitution", "torsional",
                                     "rolling", "anisotropy", "layer",       NULL};
  srs_status status = srs_yaml_expect_list(list, "materials", error);
  if (status != SRS_OK) return status;
  srs_material *materials = srs_arena_take(arena, (size_t)list->count + 1, sizeof *materials);
  if (materials == NULL) return no_memory(list, error);
  for (const srs_yaml_node *node = list->first; node != NULL; node = node->next) {
    srs_material *m = &materials[o->n_materials++];
    *m = srs_default_material(NULL);
    status = srs_yaml_expect_map(node, "a material", error);
    if (status == SRS_OK) status = srs_yaml_check_keys(node, "a material", keys, error);
    if (status != SRS_OK) return status;
    const srs_yaml_node *name = srs_yaml_get(node, "name");
    if (name == NULL) return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "name", "a material needs a name");
    status = copy_text(arena, name, "name of a material", &m->name, error);
    if (status == SRS_OK) status = check_is_new(list, node, name, error);
    if (status == SRS_OK) status = read_values(node, &m->friction, &m->restitution, &m->torsional, &m->rolling, error);
    if (status == SRS_OK) status = read_anisotropy(node, m, error);
    if (status == SRS_OK) status = read_layer(node, &m->layer, error);
    if (status != SRS_OK) return status;
  }
  o->materials = materials;
  return SRS_OK;
}

// pairs: [{between: [ice, floor], friction: 0.1}, …]
static srs_status read_pairs(const srs_yaml_node *list, srs_arena *arena, srs_contact_settings *o, srs_error *error)
{
  static const char *const keys[] = {"between", "friction", "restitution", "torsional", "rolling", NULL};
  srs_status status = srs_yaml_expect_list(list, "pairs", error);
  if (status != SRS_OK) return status;
  srs_material_pair *pairs = srs_arena_take(arena, (size_t)list->count + 1, sizeof *pairs);
  if (pairs == NULL) return no_memory(list, error);
  for (const srs_yaml_node *node = list->first; node != NULL; node = node->next) {
    srs_material_pair *p = &pairs[o->n_pairs++];
    *p = (srs_material_pair){.friction = NAN, .restitution = NAN, .torsional = NAN, .rolling = NAN};
    status = srs_yaml_expect_map(node, "a pair", error);
    if (status == SRS_OK) status = srs_yaml_check_keys(node, "a pair", keys, error);
    if (status != SRS_OK) return status;
    const srs_yaml_node *between = srs_yaml_get(node, "between");
    if (between == NULL || between->kind != SRS_YAML_LIST || between->count != 2)
      return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "between",
                         "a pair needs 'between', a list of two names of materials, shapes or links");
    status = copy_text(arena, between->first, "name in a pair", &p->a, error);
    if (status == SRS_OK) status = copy_text(arena, between->first->next, "name in a pair", &p->b, error);
    if (status == SRS_OK) status = read_values(node, &p->friction, &p->restitution, &p->torsional, &p->rolling, error);
    if (status != SRS_OK) return status;
  }
  o->pairs = pairs;
  return SRS_OK;
}

// solids: [[top, slope], …], names of half-spaces
static srs_status read_solids(const srs_yaml_node *list, srs_arena *arena, srs_contact_settings *o, srs_error *error)
{
  srs_status status = srs_yaml_expect_list(list, "solids", error);
  if (status != SRS_OK) return status;
  srs_half_space_solid *solids = srs_arena_take(arena, (size_t)list->count + 1, sizeof *solids);
  if (solids == NULL) return no_memory(list, error);
  for (const srs_yaml_node *node = list->first; node != NULL; node = node->next) {
    status = srs_yaml_expect_list(node, "a solid", error);
    if (status != SRS_OK) return status;
    if (node->count < 2)
      return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "solids",
                         "a solid is a list of two or more half-spaces, by name");
    const char **names = srs_arena_take(arena, (size_t)node->count, sizeof *names);
    if (names == NULL) return no_memory(list, error);
    int n = 0;
    for (const srs_yaml_node *name = node->first; name != NULL && status == SRS_OK; name = name->next)
      status = copy_text(arena, name, "name in a solid", &names[n++], error);
    if (status != SRS_OK) return status;
    solids[o->n_solids++] = (srs_half_space_solid){names, n};
  }
  o->solids = solids;
  return SRS_OK;
}

srs_status srs_scene_read_contact(const srs_yaml_node *node, srs_arena *arena, srs_sim_options *options,
                                  srs_error *error)
{
  static const char *const others[] = {"materials", "pairs", "solids", "distance", NULL};
  srs_contact_settings *o = &options->contact;
  srs_status status = srs_yaml_expect_map(node, "contact", error);
  if (status == SRS_OK) status = srs_scene_check_option_keys(node, "contact", "contact", others, error);
  if (status == SRS_OK) status = srs_scene_read_options(node, "contact", options, error);
  if (status == SRS_OK) status = read_length_or_distance(node, o, error);
  const srs_yaml_node *materials = srs_yaml_get(node, "materials"), *pairs = srs_yaml_get(node, "pairs");
  const srs_yaml_node *solids = srs_yaml_get(node, "solids");
  if (status == SRS_OK && solids != NULL) status = read_solids(solids, arena, o, error);
  if (status == SRS_OK && materials != NULL) status = read_materials(materials, arena, o, error);
  if (status == SRS_OK && pairs != NULL) status = read_pairs(pairs, arena, o, error);
  return status;
}

static srs_status unknown_solver(const srs_yaml_node *name, const char *text, srs_error *error)
{
  char known[256] = "";
  size_t length = 0;
  for (int i = 0; i < SRS_CONTACT_METHODS && length < sizeof known; i++)
    length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "",
                               srs_contact_method_name((srs_contact_method)i));
  return srs_fail_at(error, SRS_ERROR_NAME, name->place, text, "no contact solver is named '%.80s'; there are %s", text,
                     known);
}

srs_status srs_scene_read_solver(const srs_yaml_node *node, srs_sim_options *options, srs_error *error)
{
  static const char *const others[] = {"name", NULL};
  srs_status status = srs_yaml_expect_map(node, "solver", error);
  if (status == SRS_OK) status = srs_scene_check_option_keys(node, "solver", "solver", others, error);
  const srs_yaml_node *name = srs_yaml_get(node, "name");
  const char *text = NULL;
  if (status == SRS_OK && name != NULL) status = srs_yaml_text(name, "name of a solver", &text, error);
  if (status == SRS_OK && text != NULL && !srs_contact_method_from_name(text, &options->contact.solver.method))
    return unknown_solver(name, text, error);
  return status == SRS_OK ? srs_scene_read_options(node, "solver", options, error) : status;
}
