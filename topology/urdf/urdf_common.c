// Warnings, names and placements for the parts of the URDF reader.
#include "topology/urdf/urdf_common.h"

srs_status srs_urdf_no_memory(const srs_urdf *urdf)
{
  return srs_fail(urdf->error, SRS_ERROR_MEMORY, urdf->document->path, 0, 0, NULL, "out of memory");
}

srs_status srs_urdf_warn(srs_urdf *urdf, int line, const char *text)
{
  return srs_xml_report_add(&urdf->report, urdf->document, line, text, false);
}

srs_status srs_urdf_note(srs_urdf *urdf, int line, const char *text)
{
  return srs_xml_report_add(&urdf->report, urdf->document, line, text, true);
}

const char *srs_urdf_prefixed(srs_urdf *urdf, const char *name)
{
  const char *prefix = urdf->options->prefix;
  return srs_xml_format(urdf->document, "%s%s", prefix != NULL ? prefix : "", name);
}

void srs_urdf_locate(srs_urdf *urdf, const srs_xml_node *node)
{
  urdf->builder_line = node->line;
  srs_builder_set_location(urdf->builder, urdf->document->path, node->line, 0);
}

srs_status srs_urdf_origin(srs_urdf *urdf, srs_xml_node *node, srs_pose *pose)
{
  *pose = srs_identity_pose();
  srs_xml_node *origin = srs_xml_child(node, "origin");
  if (origin == NULL) return SRS_OK;
  double rpy[3] = {0, 0, 0};
  srs_status status = srs_xml_numbers(origin, "xyz", 3, pose->position, urdf->error);
  if (status == SRS_OK) status = srs_xml_numbers(origin, "rpy", 3, rpy, urdf->error);
  if (status == SRS_OK) srs_rotation_from_rpy(rpy, pose->rotation);
  return status;
}
