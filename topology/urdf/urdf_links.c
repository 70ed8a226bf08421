// The <link> elements of a URDF file: inertia, visual and collision shapes.
//
// The tensor of an inertial is written about the centre of mass, in axes turned by the inertial's rpy; the builder
// takes both as they stand. A link without an inertial has no mass.

#include "topology/urdf/urdf_links.h"
#include "topology/mesh/resource.h"

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

static srs_status report_mesh(srs_urdf *urdf, const srs_xml_node *mesh, const char *address, const srs_resource *found)
{
  if (found->path != NULL)
    return srs_urdf_note(
        urdf, mesh->line,
        srs_xml_format(urdf->document, "mesh '%s' is not read yet (found at %s)", address, found->path));
  return srs_urdf_warn(
      urdf, mesh->line,
      srs_xml_format(urdf->document, "mesh '%s' is not read yet (not found; looked for %s)", address, found->tried));
}

static srs_status read_mesh(srs_urdf *urdf, srs_xml_node *mesh, srs_shape_def *def)
{
  const char *address = NULL;
  srs_status status = srs_xml_required_text(mesh, "filename", &address, urdf->error);
  if (status != SRS_OK) return status;
  def->kind = SRS_SHAPE_MESH;
  for (int i = 0; i < 3; i++) def->size[i] = 1;
  status = srs_xml_numbers(mesh, "scale", 3, def->size, urdf->error);
  if (status != SRS_OK) return status;
  srs_resource found;
  if (srs_resource_find(address, urdf->document->path, urdf->options->packages, &found) != SRS_OK)
    return srs_urdf_no_memory(urdf);
  def->file = srs_arena_copy(&urdf->document->memory, found.path != NULL ? found.path : address);
  status = def->file != NULL ? report_mesh(urdf, mesh, address, &found) : srs_urdf_no_memory(urdf);
  srs_resource_release(&found);
  return status;
}

static srs_status read_round(srs_urdf *urdf, srs_xml_node *solid, srs_shape_kind kind, srs_shape_def *def)
{
  def->kind = kind;
  const srs_status status = srs_xml_required_numbers(solid, "radius", 1, &def->size[0], urdf->error);
  if (status != SRS_OK || kind == SRS_SHAPE_SPHERE) return status;
  return srs_xml_required_numbers(solid, "length", 1, &def->size[1], urdf->error);
}

// Capsules are not part of the format, but several programs write them.  @param solid  out: NULL for unknown geometry
static srs_status read_geometry(srs_urdf *urdf, srs_xml_node *geometry, srs_shape_def *def, srs_xml_node **solid)
{
  if ((*solid = srs_xml_child(geometry, "box")) != NULL) {
    def->kind = SRS_SHAPE_BOX;
    return srs_xml_required_numbers(*solid, "size", 3, def->size, urdf->error);
  }
  if ((*solid = srs_xml_child(geometry, "cylinder")) != NULL) return read_round(urdf, *solid, SRS_SHAPE_CYLINDER, def);
  if ((*solid = srs_xml_child(geometry, "sphere")) != NULL) return read_round(urdf, *solid, SRS_SHAPE_SPHERE, def);
  if ((*solid = srs_xml_child(geometry, "capsule")) != NULL) return read_round(urdf, *solid, SRS_SHAPE_CAPSULE, def);
  if ((*solid = srs_xml_child(geometry, "mesh")) != NULL) return read_mesh(urdf, *solid, def);
  const char *path = srs_xml_path(geometry);
  if (path == NULL) return srs_urdf_no_memory(urdf);
  return srs_urdf_warn(urdf, geometry->line,
                       srs_xml_format(urdf->document,
                                      "%s holds no box, cylinder, sphere, capsule or mesh: the shape is left out",
                                      path));
}

static srs_status read_shape(srs_urdf *urdf, srs_xml_node *node, const char *link, bool is_visual)
{
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_SPHERE);
  def.link = srs_urdf_prefixed(urdf, link);
  def.is_visual = is_visual;
  const char *name = NULL;
  srs_xml_node *geometry = NULL, *solid = NULL;
  node->mark = SRS_XML_READ;
  srs_status status = srs_xml_text(node, "name", &name, urdf->error);
  if (status == SRS_OK) status = srs_urdf_origin(urdf, node, &def.pose);
  if (status == SRS_OK) status = needed_child(urdf, node, "geometry", link, &geometry);
  if (status == SRS_OK) status = read_geometry(urdf, geometry, &def, &solid);
  if (status != SRS_OK) return status;
  srs_xml_node *material = srs_xml_child(node, "material");
  if (material != NULL) material->mark = SRS_XML_WHOLE; // a colour has no effect
  if (solid == NULL) return SRS_OK;
  if (name != NULL && *name != '\0') def.name = srs_urdf_prefixed(urdf, name);
  if (def.link == NULL || (name != NULL && *name != '\0' && def.name == NULL)) return srs_urdf_no_memory(urdf);
  srs_urdf_locate(urdf, solid);
  return srs_builder_add_shape(urdf->builder, &def, urdf->error);
}

static srs_status add_link(srs_urdf *urdf, const srs_urdf_link *link)
{
  srs_link_def def = srs_default_link_def();
  def.name = srs_urdf_prefixed(urdf, link->name);
  if (def.name == NULL) return srs_urdf_no_memory(urdf);
  srs_xml_node *inertial = srs_xml_child(link->node, "inertial");
  srs_status status = inertial != NULL ? read_inertial(urdf, inertial, link->name, &def) : SRS_OK;
  if (status != SRS_OK) return status;
  srs_urdf_locate(urdf, inertial != NULL ? inertial : link->node);
  status = srs_builder_add_link(urdf->builder, &def, urdf->error);
  for (srs_xml_node *node = link->node->first_child; node != NULL && status == SRS_OK; node = node->next) {
    const bool is_visual = strcmp(node->name, "visual") == 0;
    if (is_visual || strcmp(node->name, "collision") == 0) status = read_shape(urdf, node, link->name, is_visual);
  }
  return status;
}

srs_status srs_urdf_add_links(srs_urdf *urdf)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < urdf->n_links && status == SRS_OK; i++) status = add_link(urdf, &urdf->links[i]);
  return status;
}
