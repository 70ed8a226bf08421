// Settings of the compiler and classes of defaults.
//
// A <default> inside another is a class of its own that inherits what the outer says. Those directly in the document
// are one class, "main" unless one of them is named. A class that is written twice below is refused.

#include "topology/mjcf_base/mjcf_settings.h"
#include "topology/base/nearest_word.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// <compiler>
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse_coordinate(srs_mjcf *mjcf, srs_xml_node *node)
{
  const char *coordinate = srs_xml_peek(node, "coordinate");
  if (coordinate == NULL || strcmp(coordinate, "local") == 0) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_UNSUPPORTED, node, NULL,
                       "<compiler coordinate=\"%.40s\">: only local coordinates are read, as in MuJoCo since 2.3.4; "
                       "convert the file with an older MuJoCo",
                       coordinate);
}

static srs_status read_euler_sequence(srs_mjcf *mjcf, srs_xml_node *node)
{
  const char *text = srs_xml_peek(node, "eulerseq");
  if (text == NULL) return SRS_OK;
  if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL,
                         "<compiler eulerseq=\"%.40s\">: expected three letters of x y z (turning axes) or X Y Z "
                         "(fixed axes)",
                         text);
  memcpy(mjcf->compiler.euler_sequence, text, 4);
  return SRS_OK;
}

static srs_status read_group_range(srs_mjcf *mjcf, const srs_mjcf_item *item)
{
  double range[2] = {mjcf->compiler.group_range[0], mjcf->compiler.group_range[1]};
  const srs_status status = srs_mjcf_numbers(mjcf, item, "inertiagrouprange", 2, 2, range, NULL);
  for (int i = 0; i < 2 && status == SRS_OK; i++) mjcf->compiler.group_range[i] = (int)fmin(fmax(range[i], -1), 1e6);
  return status;
}

static srs_status read_compiler(srs_mjcf *mjcf, srs_xml_node *node)
{
  static const char *const angles[] = {"radian", "degree", NULL}, *const sources[] = {"auto", "true", "false", NULL};
  srs_mjcf_compiler *c = &mjcf->compiler;
  const srs_mjcf_item item = srs_mjcf_bare(node);
  int angle = c->is_degree, source = (int)c->from_geoms;
  srs_status status = refuse_coordinate(mjcf, node);
  if (status == SRS_OK) status = read_euler_sequence(mjcf, node);
  if (status == SRS_OK) status = read_group_range(mjcf, &item);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, &item, "angle", angles, &angle);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, &item, "inertiafromgeom", sources, &source);
  if (status == SRS_OK) status = srs_mjcf_flag(mjcf, &item, "autolimits", &c->auto_limits);
  if (status == SRS_OK) status = srs_mjcf_flag(mjcf, &item, "balanceinertia", &c->balance_inertia);
  if (status == SRS_OK) status = srs_mjcf_flag(mjcf, &item, "discardvisual", &c->discard_visual);
  if (status == SRS_OK) status = srs_mjcf_flag(mjcf, &item, "strippath", &c->strip_path);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "boundmass", 1, 1, &c->bound_mass, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "boundinertia", 1, 1, &c->bound_inertia, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "settotalmass", 1, 1, &c->total_mass, NULL);
  if (status != SRS_OK) return status;
  c->is_degree = angle == 1;
  c->from_geoms = (srs_mjcf_inertia_source)source;
  const char *assets = srs_xml_peek(node, "assetdir"), *meshes = srs_xml_peek(node, "meshdir");
  if (assets != NULL) c->mesh_folder = assets;
  if (meshes != NULL) c->mesh_folder = meshes;
  return SRS_OK;
}

srs_status srs_mjcf_read_compiler(srs_mjcf *mjcf)
{
  mjcf->compiler = (srs_mjcf_compiler){.is_degree = true,
                                       .auto_limits = true,
                                       .total_mass = -1,
                                       .from_geoms = SRS_MJCF_AUTO,
                                       .group_range = {0, 5},
                                       .euler_sequence = "xyz"};
  srs_status status = SRS_OK;
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL && status == SRS_OK; node = node->next)
    if (strcmp(node->name, "compiler") == 0) status = read_compiler(mjcf, node);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// <default>
// ---------------------------------------------------------------------------------------------------------------------

static srs_mjcf_class *find_class(const srs_mjcf *mjcf, const char *name)
{
  for (int i = 0; i < mjcf->n_classes; i++)
    if (strcmp(mjcf->classes[i]->name, name) == 0) return mjcf->classes[i];
  return NULL;
}

static srs_mjcf_class *add_class(srs_mjcf *mjcf, const char *name, const srs_mjcf_class *parent)
{
  srs_mjcf_class *class = srs_arena_take(&mjcf->document->memory, 1, sizeof *class);
  srs_mjcf_class **classes =
      srs_mjcf_grow(mjcf, mjcf->classes, mjcf->n_classes, &mjcf->class_room, sizeof(srs_mjcf_class *));
  if (class == NULL || classes == NULL) return NULL;
  *class = (srs_mjcf_class){.name = name, .parent = parent};
  mjcf->classes = classes;
  mjcf->classes[mjcf->n_classes++] = class;
  return class;
}

static bool add_node(srs_mjcf *mjcf, srs_mjcf_class *class, srs_xml_node *node)
{
  srs_xml_node **nodes = srs_arena_take(&mjcf->document->memory, (size_t) class->n_nodes + 1, sizeof(srs_xml_node *));
  if (nodes == NULL) return false;
  if (class->n_nodes > 0) memcpy(nodes, class->nodes, (size_t) class->n_nodes * sizeof(srs_xml_node *));
  nodes[class->n_nodes++] = node;
  class->nodes = nodes;
  return true;
}

// The classes inside of a class's element, one level after the other: elements nest at most 200 deep.
static srs_status read_inner(srs_mjcf *mjcf, srs_mjcf_class *outer, srs_xml_node *element) // NOLINT(misc-no-recursion)
{
  for (srs_xml_node *node = element->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "default") != 0) continue;
    const char *name = NULL;
    srs_status status = srs_xml_required_text(node, "class", &name, mjcf->error);
    if (status != SRS_OK) return status;
    if (find_class(mjcf, name) != NULL)
      return srs_mjcf_fail(mjcf, SRS_ERROR_NAME, node, name, "two default classes are named '%.80s'; rename one", name);
    srs_mjcf_class *class = add_class(mjcf, name, outer);
    if (class == NULL || !add_node(mjcf, class, node)) return srs_mjcf_no_memory(mjcf);
    status = read_inner(mjcf, class, node);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

srs_status srs_mjcf_read_classes(srs_mjcf *mjcf)
{
  srs_mjcf_class *outermost = add_class(mjcf, "main", NULL);
  if (outermost == NULL) return srs_mjcf_no_memory(mjcf);
  srs_status status = SRS_OK;
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL && status == SRS_OK; node = node->next) {
    if (strcmp(node->name, "default") != 0) continue;
    const char *name = srs_xml_peek(node, "class");
    if (name != NULL && *name != '\0') outermost->name = name;
    if (!add_node(mjcf, outermost, node)) return srs_mjcf_no_memory(mjcf);
    status = read_inner(mjcf, outermost, node);
  }
  return status;
}

srs_status srs_mjcf_class_of(srs_mjcf *mjcf, srs_xml_node *node, const char *attribute, const srs_mjcf_class *outer,
                             const srs_mjcf_class **class)
{
  *class = outer != NULL ? outer : mjcf->classes[0];
  const char *name = srs_xml_peek(node, attribute);
  if (name == NULL) return SRS_OK;
  *class = find_class(mjcf, name);
  if (*class != NULL) return SRS_OK;
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < mjcf->n_classes; i++) srs_nearest_offer(&nearest, mjcf->classes[i]->name);
  char hint[192];
  return srs_mjcf_fail(mjcf, SRS_ERROR_NAME, node, name, "<%.40s %s=\"%.80s\">: there is no such default class%s",
                       node->name, attribute, name, srs_nearest_hint(&nearest, hint));
}

srs_status srs_mjcf_item_of(srs_mjcf *mjcf, srs_xml_node *node, const char *tag, const srs_mjcf_class *outer,
                            srs_mjcf_item *item)
{
  *item = (srs_mjcf_item){.node = node, .tag = tag};
  return srs_mjcf_class_of(mjcf, node, "class", outer, &item->class);
}
