// The <link> elements of a URDF file: inertia, visual and collision shapes.
//
// The tensor of an inertial is written about the centre of mass, in axes turned by the inertial's rpy; the builder
// takes both as they stand. A link without an inertial has no mass, unless a density is given: then that of its shapes.

#include "topology/urdf/urdf_links.h"
#include "topology/urdf/urdf_mass.h"
#include "topology/urdf/urdf_meshes.h"

#include <math.h>
#include <string.h>

srs_status srs_urdf_list_links(srs_urdf *urdf)
{
  int room = 0;
  for (const srs_xml_node *node = urdf->document->root->first_child; node != NULL; node = node->next)
    room += strcmp(node->name, "link") == 0;
  if (room == 0)
    return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(urdf->document->root), NULL,
                       "has no links: <robot> needs at least one <link name=...>");
  urdf->links = srs_arena_take(&urdf->document->memory, (size_t)room, sizeof *urdf->links);
  if (urdf->links == NULL) return srs_urdf_no_memory(urdf);
  for (srs_xml_node *node = urdf->document->root->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "link") != 0) continue;
    node->mark = SRS_XML_READ;
    srs_urdf_link link = {.node = node, .joint = -1};
    const srs_status status = srs_xml_required_text(node, "name", &link.name, urdf->error);
    if (status != SRS_OK) return status;
    const int first = srs_names_find(&urdf->link_names, link.name);
    if (first >= 0)
      return srs_fail_at(urdf->error, SRS_ERROR_NAME, srs_xml_place(node), link.name,
                         "there are two links named '%.60s'; the first is in line %d", link.name,
                         urdf->links[first].node->line);
    if (!srs_names_reserve(&urdf->link_names)) return srs_urdf_no_memory(urdf);
    srs_names_add(&urdf->link_names, link.name, urdf->n_links);
    urdf->links[urdf->n_links++] = link;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Inertia
// ---------------------------------------------------------------------------------------------------------------------

static srs_status needed_child(srs_urdf *urdf, srs_xml_node *node, const char *name, const char *link,
                               srs_xml_node **child)
{
  *child = srs_xml_child(node, name);
  if (*child != NULL) return SRS_OK;
  return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(node), link, "<%.40s> of link '%.60s' needs <%s ...>",
                     node->name, link, name);
}

static srs_status read_inertial(srs_urdf *urdf, srs_xml_node *inertial, const char *link, srs_link_def *def)
{
  static const char *const entries[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  srs_pose pose;
  srs_xml_node *mass = NULL, *inertia = NULL;
  srs_status status = srs_urdf_origin(urdf, inertial, &pose);
  if (status == SRS_OK) status = needed_child(urdf, inertial, "mass", link, &mass);
  if (status == SRS_OK) status = srs_xml_required_numbers(mass, "value", 1, &def->mass, urdf->error);
  if (status == SRS_OK) status = needed_child(urdf, inertial, "inertia", link, &inertia);
  for (int i = 0; i < 6 && status == SRS_OK; i++)
    status = srs_xml_required_numbers(inertia, entries[i], 1, &def->inertia[i], urdf->error);
  if (status != SRS_OK) return status;
  memcpy(def->com, pose.position, sizeof def->com);
  memcpy(def->inertia_rotation, pose.rotation, sizeof def->inertia_rotation);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------------------------

// What a link is made of while it is read.
typedef struct link_shapes {
  const char *name; // as in the file
  bool is_still;    // welded to the world
  srs_body *bodies; // n_bodies: of its shapes to collide with; only where it has no inertial and a density is given
  int n_bodies;
} link_shapes;

static srs_status read_round(srs_urdf *urdf, srs_xml_node *solid, srs_shape_kind kind, srs_shape_def *def)
{
  def->kind = kind;
  const srs_status status = srs_xml_required_numbers(solid, "radius", 1, &def->size[0], urdf->error);
  if (status != SRS_OK || kind == SRS_SHAPE_SPHERE) return status;
  return srs_xml_required_numbers(solid, "length", 1, &def->size[1], urdf->error);
}

// Capsules are not part of the format, but several programs write them.
// @param solid  out: NULL for unknown geometry  @param mesh  out: one that was read, else NULL
static srs_status read_geometry(srs_urdf *urdf, srs_xml_node *geometry, const char *link, srs_shape_def *def,
                                srs_xml_node **solid, const srs_urdf_mesh **mesh)
{
  if ((*solid = srs_xml_child(geometry, "box")) != NULL) {
    def->kind = SRS_SHAPE_BOX;
    return srs_xml_required_numbers(*solid, "size", 3, def->size, urdf->error);
  }
  if ((*solid = srs_xml_child(geometry, "cylinder")) != NULL) return read_round(urdf, *solid, SRS_SHAPE_CYLINDER, def);
  if ((*solid = srs_xml_child(geometry, "sphere")) != NULL) return read_round(urdf, *solid, SRS_SHAPE_SPHERE, def);
  if ((*solid = srs_xml_child(geometry, "capsule")) != NULL) return read_round(urdf, *solid, SRS_SHAPE_CAPSULE, def);
  if ((*solid = srs_xml_child(geometry, "mesh")) != NULL) return srs_urdf_read_mesh(urdf, *solid, link, def, mesh);
  const char *path = srs_xml_path(geometry);
  if (path == NULL) return srs_urdf_no_memory(urdf);
  return srs_urdf_warn(urdf, geometry->line,
                       srs_xml_format(urdf->document,
                                      "%s holds no box, cylinder, sphere, capsule or mesh: the shape is left out",
                                      path));
}

static srs_status read_bits(srs_urdf *urdf, srs_xml_node *node, const char *name, unsigned *bits)
{
  double number = *bits;
  const srs_status status = srs_xml_numbers(node, name, 1, &number, urdf->error);
  if (status != SRS_OK) return status;
  if (!(number >= 0 && number <= 4294967295.0 && number == floor(number)))
    return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL,
                       "<sarrus %s=\"%.40s\">: expected a whole number of 32 bits", name, srs_xml_peek(node, name));
  *bits = (unsigned)number;
  return SRS_OK;
}

// <sarrus collide="hull|parts|surface|none" group="1" mask="3" material="rubber"/> in a <collision>.
static srs_status read_extension(srs_urdf *urdf, srs_xml_node *node, srs_shape_def *def, srs_urdf_collide *collide)
{
  static const char *const words[] = {"hull", "parts", "surface", "none"}; // from SRS_COLLIDE_HULL on
  srs_xml_node *extension = srs_xml_child(node, "sarrus");
  if (extension == NULL || def->is_visual) return SRS_OK;
  const char *word = NULL;
  srs_status status = srs_xml_text(extension, "collide", &word, urdf->error);
  if (status == SRS_OK) status = srs_xml_text(extension, "material", &def->material, urdf->error);
  if (status == SRS_OK) status = read_bits(urdf, extension, "group", &def->group);
  if (status == SRS_OK) status = read_bits(urdf, extension, "mask", &def->mask);
  if (status != SRS_OK || word == NULL) return status;
  for (int i = SRS_COLLIDE_HULL; i <= SRS_COLLIDE_NONE; i++)
    if (strcmp(word, words[i - SRS_COLLIDE_HULL]) == 0) {
      *collide = (srs_urdf_collide)i;
      return SRS_OK;
    }
  return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(extension), NULL,
                     "<sarrus collide=\"%.40s\">: expected hull, parts, surface or none", word);
}

static srs_status add_shape(srs_urdf *urdf, const srs_xml_node *solid, const srs_urdf_mesh *mesh,
                            srs_urdf_collide collide, link_shapes *link, const srs_shape_def *def)
{
  srs_urdf_locate(urdf, solid);
  if (link->bodies != NULL && !def->is_visual)
    link->bodies[link->n_bodies++] = srs_urdf_shape_body(urdf, def, mesh, urdf->options->density);
  srs_shape_def shape = *def;
  const bool is_missing = def->kind == SRS_SHAPE_MESH && mesh == NULL;
  shape.is_visual = def->is_visual || collide == SRS_COLLIDE_NONE || urdf->options->no_collision ||
                    (is_missing && urdf->options->allow_missing_meshes);
  if (mesh != NULL && !shape.is_visual) return srs_urdf_add_mesh(urdf, mesh, collide, link->is_still, &shape);
  return srs_builder_add_shape(urdf->builder, &shape, urdf->error);
}

static srs_status read_shape(srs_urdf *urdf, srs_xml_node *node, link_shapes *link, bool is_visual)
{
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_SPHERE);
  srs_urdf_collide collide = SRS_COLLIDE_OWN;
  const srs_urdf_mesh *mesh = NULL;
  const char *name = NULL;
  srs_xml_node *geometry = NULL, *solid = NULL;
  def.link = srs_urdf_prefixed(urdf, link->name);
  def.is_visual = is_visual;
  node->mark = SRS_XML_READ;
  srs_status status = srs_xml_text(node, "name", &name, urdf->error);
  if (status == SRS_OK) status = srs_urdf_origin(urdf, node, &def.pose);
  if (status == SRS_OK) status = needed_child(urdf, node, "geometry", link->name, &geometry);
  if (status == SRS_OK) status = read_extension(urdf, node, &def, &collide);
  // What does not collide anyway may be missing; what is weighed is read.
  const bool is_idle = collide == SRS_COLLIDE_NONE || (urdf->options->no_collision && link->bodies == NULL);
  def.is_visual = is_visual || is_idle;
  if (status == SRS_OK) status = read_geometry(urdf, geometry, link->name, &def, &solid, &mesh);
  if (status != SRS_OK) return status;
  srs_xml_node *material = srs_xml_child(node, "material");
  if (material != NULL) material->mark = SRS_XML_WHOLE; // a colour has no effect
  if (solid == NULL) return SRS_OK;
  if (name != NULL && *name != '\0') def.name = srs_urdf_prefixed(urdf, name);
  if (def.link == NULL || (name != NULL && *name != '\0' && def.name == NULL)) return srs_urdf_no_memory(urdf);
  return add_shape(urdf, solid, mesh, collide, link, &def);
}

static srs_status read_shapes(srs_urdf *urdf, const srs_urdf_link *link, link_shapes *shapes)
{
  srs_status status = SRS_OK;
  for (srs_xml_node *node = link->node->first_child; node != NULL && status == SRS_OK; node = node->next) {
    const bool is_visual = strcmp(node->name, "visual") == 0;
    if (is_visual || strcmp(node->name, "collision") == 0) status = read_shape(urdf, node, shapes, is_visual);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------------------------

static srs_status take_mass_of_shapes(srs_urdf *urdf, const srs_urdf_link *link, const link_shapes *shapes,
                                      srs_link_def *def)
{
  if (shapes->n_bodies == 0) return SRS_OK;
  const srs_body body = srs_body_weld(shapes->bodies, shapes->n_bodies);
  if (body.mass == 0) return SRS_OK;
  def->mass = body.mass;
  vec3_store(def->com, body.com);
  sym3_store(def->inertia, body.inertia);
  return srs_urdf_warn(
      urdf, link->node->line,
      srs_xml_format(urdf->document,
                     "link '%s' has no <inertial>: it gets %.6g kg, its shapes at %.6g kg/m^3 (density)", link->name,
                     body.mass, urdf->options->density));
}

// Whether fixed joints alone lead from the world to a link. Links on the way are marked, so that each is passed once.
static bool stands_still(const srs_urdf *urdf, srs_urdf_link *link)
{
  srs_urdf_link *end = link;
  while (end->stillness == SRS_UNKNOWN_YET && end->joint >= 0 && urdf->joints[end->joint].kind == SRS_JOINT_FIXED)
    end = &urdf->links[urdf->joints[end->joint].parent];
  if (end->stillness == SRS_UNKNOWN_YET)
    end->stillness = end->joint < 0 && urdf->options->base == SRS_BASE_FIXED ? SRS_STILL : SRS_MOVING;
  for (; link != end; link = &urdf->links[urdf->joints[link->joint].parent]) link->stillness = end->stillness;
  return end->stillness == SRS_STILL;
}

static srs_status add_link(srs_urdf *urdf, srs_urdf_link *link)
{
  srs_link_def def = srs_default_link_def();
  link_shapes shapes = {.name = link->name, .is_still = stands_still(urdf, link)};
  def.name = srs_urdf_prefixed(urdf, link->name);
  if (def.name == NULL) return srs_urdf_no_memory(urdf);
  srs_xml_node *inertial = srs_xml_child(link->node, "inertial");
  if (inertial == NULL && urdf->options->density > 0) {
    size_t n = 0;
    for (const srs_xml_node *node = link->node->first_child; node != NULL; node = node->next) n++;
    shapes.bodies = srs_arena_take(&urdf->document->memory, n, sizeof *shapes.bodies);
    if (shapes.bodies == NULL) return srs_urdf_no_memory(urdf);
  }
  srs_status status = inertial != NULL ? read_inertial(urdf, inertial, link->name, &def) : SRS_OK;
  if (status == SRS_OK) status = read_shapes(urdf, link, &shapes);
  if (status == SRS_OK) status = take_mass_of_shapes(urdf, link, &shapes, &def);
  if (status != SRS_OK) return status;
  srs_urdf_locate(urdf, inertial != NULL ? inertial : link->node);
  return srs_builder_add_link(urdf->builder, &def, urdf->error);
}

srs_status srs_urdf_add_links(srs_urdf *urdf)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < urdf->n_links && status == SRS_OK; i++)
    if (!urdf->links[i].is_left_out) status = add_link(urdf, &urdf->links[i]);
  return status == SRS_OK ? srs_urdf_tell_meshes(urdf) : status;
}
