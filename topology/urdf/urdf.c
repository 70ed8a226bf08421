// Reads a URDF file into a builder.
//
// The file is parsed first and only then read: names, then the tree, then values, so that joints may come before the
// links they name. Each value is asked for by name and thereby marked; what stays unmarked becomes a warning. The
// builder is rolled back when anything fails (xml/loader.c).
//
// The root link, the only one that is no joint's child, is attached to the world: welded at options->placement (T, p),
// or on a free joint whose neutral coordinates are (p, quaternion of T).

#include "topology/urdf/urdf.h"
#include "topology/builder/builder.h"
#include "topology/urdf/urdf_joints.h"
#include "topology/urdf/urdf_links.h"
#include "topology/urdf/urdf_meshes.h"
#include "topology/urdf/urdf_unread.h"
#include "topology/xml/loader.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// The root
// ---------------------------------------------------------------------------------------------------------------------

static srs_status attach_root(srs_urdf *urdf, int root)
{
  const srs_load_options *options = urdf->options;
  const char *link = srs_urdf_prefixed(urdf, urdf->links[root].name);
  if (link == NULL) return srs_urdf_no_memory(urdf);
  srs_urdf_locate(urdf, urdf->links[root].node);
  return srs_builder_attach_base(urdf->builder, link, options->base, &options->placement,
                                 options->prefix != NULL ? options->prefix : "", urdf->error);
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

static srs_status check_kind_of_file(srs_urdf *urdf)
{
  srs_xml_node *root = urdf->document->root;
  if (strcmp(root->name, "mujoco") == 0)
    return srs_fail_at(
        urdf->error, SRS_ERROR_UNSUPPORTED, srs_xml_place(root), NULL,
        "is an MJCF file (its root element is <mujoco>): give it to srs_builder_add_mjcf, or to srs_model_load");
  if (strcmp(root->name, "robot") != 0)
    return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(root), NULL,
                       "is not a URDF file: the root element is <%.60s>, expected <robot>", root->name);
  root->mark = SRS_XML_READ;
  const char *ignored = NULL; // neither the robot's name nor the format's version changes anything
  const srs_status status = srs_xml_text(root, "name", &ignored, urdf->error);
  return status != SRS_OK ? status : srs_xml_text(root, "version", &ignored, urdf->error);
}

static srs_status read_robot(srs_urdf *urdf)
{
  int root = -1;
  srs_status status = check_kind_of_file(urdf);
  if (status == SRS_OK) status = srs_urdf_refuse_xacro(urdf);
  if (status == SRS_OK) status = srs_urdf_list_links(urdf);
  if (status == SRS_OK) status = srs_urdf_list_joints(urdf);
  if (status == SRS_OK) status = srs_urdf_find_root(urdf, &root);
  if (status == SRS_OK) status = srs_urdf_add_links(urdf);
  if (status == SRS_OK) status = srs_urdf_add_joints(urdf);
  if (status == SRS_OK) status = attach_root(urdf, root);
  if (status == SRS_OK) status = srs_urdf_name_unread(urdf);
  if (status == SRS_OK && urdf->document->declaration_line > 0)
    status = srs_urdf_note(urdf, urdf->document->declaration_line,
                           "the XML declaration is passed over: its version is none, or something comes before it");
  return status == SRS_OK ? srs_xml_report_hand_on(&urdf->report, urdf->builder) : status;
}

static srs_status read_document(srs_builder *builder, srs_xml *document, const srs_load_options *options,
                                srs_error *error)
{
  srs_urdf urdf = {
      .builder = builder, .document = document, .options = options, .error = error, .report = {.error = error}};
  const bool was_lenient = builder->is_lenient;
  srs_builder_be_lenient(builder, true);
  const srs_status status = read_robot(&urdf);
  srs_builder_be_lenient(builder, was_lenient);
  srs_names_release(&urdf.link_names);
  srs_names_release(&urdf.joint_names);
  srs_xml_report_release(&urdf.report);
  srs_urdf_release_meshes(&urdf);
  return status;
}

srs_status srs_urdf_add(srs_builder *builder, srs_xml *document, const srs_load_options *options, srs_error *error)
{
  return srs_xml_load_document(builder, document, options, read_document, error);
}

srs_status srs_builder_add_urdf(srs_builder *builder, const char *path, const srs_load_options *options,
                                srs_error *error)
{
  return srs_xml_load(builder, path, options, read_document, error);
}
