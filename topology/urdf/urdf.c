// Reads a URDF file into a builder.
//
// The file is parsed first and only then read: names, then the tree, then values, so that joints may come before the
// links they name. Each value is asked for by name and thereby marked; what stays unmarked becomes a warning. The
// builder is rolled back when anything fails.
//
// The root link, the only one that is no joint's child, is attached to the world: welded at options->placement (T, p),
// or on a free joint whose neutral coordinates are (p, quaternion of T).

#include "topology/urdf/urdf.h"
#include "topology/builder/builder.h"
#include "topology/builder/check.h"
#include "topology/urdf/urdf_joints.h"
#include "topology/urdf/urdf_links.h"
#include "topology/urdf/urdf_unread.h"

#include <stdlib.h>
#include <string.h>

srs_load_options srs_default_load_options(void)
{
  return (srs_load_options){
      .base = SRS_BASE_FIXED, .placement = srs_identity_pose(), .build = srs_default_build_options()};
}

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

static int by_line(const void *a, const void *b)
{
  const srs_urdf_warning *left = a, *right = b;
  if (left->line != right->line) return left->line < right->line ? -1 : 1;
  return (left->order > right->order) - (left->order < right->order);
}

static srs_status hand_on_warnings(srs_urdf *urdf)
{
  if (urdf->n_warnings > 0) qsort(urdf->warnings, (size_t)urdf->n_warnings, sizeof *urdf->warnings, by_line);
  for (int i = 0; i < urdf->n_warnings; i++) {
    const srs_urdf_warning *warning = &urdf->warnings[i];
    srs_builder_set_location(urdf->builder, urdf->document->path, warning->line, 0);
    const srs_status status = warning->is_note ? srs_builder_note(urdf->builder, "%s", warning->text)
                                               : srs_builder_warn(urdf->builder, "%s", warning->text);
    if (status != SRS_OK) return srs_urdf_no_memory(urdf);
  }
  return SRS_OK;
}

static srs_status check_kind_of_file(srs_urdf *urdf)
{
  srs_xml_node *root = urdf->document->root;
  if (strcmp(root->name, "mujoco") == 0)
    return srs_fail_at(urdf->error, SRS_ERROR_UNSUPPORTED, srs_xml_place(root), NULL,
                       "is an MJCF file (its root element is <mujoco>): MJCF is not read yet, give a URDF file");
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
  return status == SRS_OK ? hand_on_warnings(urdf) : status;
}

static srs_status check_options(const srs_load_options *options, srs_error *error)
{
  if (options->base != SRS_BASE_FIXED && options->base != SRS_BASE_FLOATING)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL,
                    "base is neither SRS_BASE_FIXED nor SRS_BASE_FLOATING");
  srs_pose placement = options->placement;
  const srs_status status = srs_check_pose(&placement, "option", "placement", (srs_place){NULL, 0, 0}, error);
  if (status != SRS_OK) return status;
  for (const char *const *entry = options->packages; entry != NULL && *entry != NULL; entry++) {
    const char *equals = strchr(*entry, '=');
    if (equals == NULL || equals == *entry || equals[1] == '\0')
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, *entry,
                      "package '%.100s' is not of the form name=directory", *entry);
  }
  return SRS_OK;
}

srs_status srs_urdf_add(srs_builder *builder, srs_xml *document, const srs_load_options *options, srs_error *error)
{
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  srs_urdf urdf = {.builder = builder, .document = document, .options = options, .error = error};
  const srs_status status = read_robot(&urdf);
  if (status != SRS_OK)
    srs_builder_roll_back(builder, mark);
  else
    srs_builder_set_location(builder, NULL, 0, 0);
  srs_names_release(&urdf.link_names);
  srs_names_release(&urdf.joint_names);
  free(urdf.warnings);
  return status;
}

srs_status srs_builder_add_urdf(srs_builder *builder, const char *path, const srs_load_options *options,
                                srs_error *error)
{
  if (builder == NULL || path == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s is NULL", builder == NULL ? "builder" : "path");
  const srs_load_options standard = srs_default_load_options();
  if (options == NULL) options = &standard;
  srs_status status = check_options(options, error);
  if (status != SRS_OK) return status;
  srs_xml *document = NULL;
  status = srs_xml_read(path, &document, error);
  if (status != SRS_OK) return status;
  status = srs_urdf_add(builder, document, options, error);
  srs_xml_destroy(document);
  return status;
}
