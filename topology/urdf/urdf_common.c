// Warnings, names and placements for the parts of the URDF reader.
#include "topology/urdf/urdf_common.h"

#include <stdlib.h>

srs_status srs_urdf_no_memory(const srs_urdf *urdf)
{
  return srs_fail(urdf->error, SRS_ERROR_MEMORY, urdf->document->path, 0, 0, NULL, "out of memory");
}

static srs_status keep_words(srs_urdf *urdf, int line, const char *text, bool is_note)
{
  if (text == NULL) return srs_urdf_no_memory(urdf);
  if (urdf->n_warnings == urdf->room_for_warnings) {
    const int room = urdf->room_for_warnings > 0 ? 2 * urdf->room_for_warnings : 32;
    srs_urdf_warning *larger = realloc(urdf->warnings, (size_t)room * sizeof *larger);
    if (larger == NULL) return srs_urdf_no_memory(urdf);
    urdf->warnings = larger;
    urdf->room_for_warnings = room;
  }
  urdf->warnings[urdf->n_warnings] = (srs_urdf_warning){line, urdf->n_warnings, text, is_note};
  urdf->n_warnings++;
  return SRS_OK;
}

srs_status srs_urdf_warn(srs_urdf *urdf, int line, const char *text) { return keep_words(urdf, line, text, false); }

srs_status srs_urdf_note(srs_urdf *urdf, int line, const char *text) { return keep_words(urdf, line, text, true); }

const char *srs_urdf_prefixed(srs_urdf *urdf, const char *name)
{
  const char *prefix = urdf->options->prefix;
  return srs_xml_format(urdf->document, "%s%s", prefix != NULL ? prefix : "", name);
}

void srs_urdf_locate(srs_urdf *urdf, const srs_xml_node *node)
{
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
