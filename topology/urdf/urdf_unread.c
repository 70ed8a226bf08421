// Reports everything in a URDF file that has no effect.
//
// Everything between <robot> and </robot> that no reader asked for is reported with its line and path; blocks meant for
// other programs once for each kind. A file that xacro has not expanded is rejected, whatever part of it could be read.

#include "topology/urdf/urdf_unread.h"

#include <string.h>

static const char *const foreign_words[SRS_XML_FOREIGN] = {
    "gazebo", "transmission", "ros2_control", "sensor", "plugin", "mujoco", NULL};

static bool is_for_xacro(const char *value) { return strstr(value, "${") != NULL || strstr(value, "$(") != NULL; }

static srs_status refuse_in(srs_urdf *urdf, const srs_xml_node *node)
{
  if (strncmp(node->name, "xacro:", 6) == 0)
    return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL,
                       "unexpanded xacro, run xacro first: <%.60s>", node->name);
  for (int i = 0; i < node->n_attributes; i++) {
    const srs_xml_attribute *attribute = &node->attributes[i];
    if (!is_for_xacro(attribute->value)) continue;
    return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL,
                       "unexpanded xacro, run xacro first: <%.40s %.40s=\"%.80s\">", node->name, attribute->name,
                       attribute->value);
  }
  return SRS_OK;
}

srs_status srs_urdf_refuse_xacro(srs_urdf *urdf)
{
  srs_status status = SRS_OK;
  const srs_xml_node *node = urdf->document->root;
  while (node != NULL && status == SRS_OK) {
    const bool is_foreign = srs_xml_word(node, foreign_words) >= 0;
    if (!is_foreign) status = refuse_in(urdf, node);
    node = srs_xml_next(node, !is_foreign);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Warnings
// ---------------------------------------------------------------------------------------------------------------------

static srs_status name_zeros(srs_urdf *urdf)
{
  const srs_xml_tally *tally = &urdf->zeros;
  if (tally->count == 0) return SRS_OK;
  return srs_urdf_note(
      urdf, tally->first->line,
      srs_xml_format(urdf->document,
                     "%d effort or velocity limit%s of 0, from here on: taken as not given, so there is "
                     "none",
                     tally->count, tally->count == 1 ? "" : "s"));
}

srs_status srs_urdf_name_unread(srs_urdf *urdf)
{
  for (srs_xml_node *node = urdf->document->root->first_child; node != NULL; node = node->next)
    if (strcmp(node->name, "material") == 0) node->mark = SRS_XML_WHOLE; // a colour has no effect
  const srs_status status = srs_xml_report_unread(&urdf->report, urdf->document, foreign_words);
  return status == SRS_OK ? name_zeros(urdf) : status;
}
