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
  static const char *const kinds[] = {"effort", "velocity"};
  srs_status status = SRS_OK;
  for (int i = 0; i < 2 && status == SRS_OK; i++) {
    const srs_urdf_joint_list *list = &urdf->zeros[i];
    char names[400];
    if (list->n > 0)
      status = srs_urdf_note(
          urdf, list->line,
          srs_xml_format(urdf->document, "%s limit of 0 of joint%s %s: taken as not given, so there is none", kinds[i],
                         list->n == 1 ? "" : "s", srs_names_join(list->names, list->n, names, sizeof names)));
  }
  return status;
}

static srs_status name_unused(srs_urdf *urdf)
{
  static const char *const names[] = {"safety_controller", "calibration"};
  srs_status status = SRS_OK;
  for (int i = 0; i < 2 && status == SRS_OK; i++) {
    const srs_xml_tally *tally = &urdf->unused[i];
    if (tally->count > 0)
      status = srs_urdf_note(urdf, tally->first->line,
                             tally->count == 1
                                 ? srs_xml_format(urdf->document, "<%s> of joint '%s' is known but has no effect",
                                                  names[i], srs_xml_peek(tally->first->parent, "name"))
                                 : srs_xml_format(urdf->document,
                                                  "%d <%s> elements, from here on, are known but have no effect",
                                                  tally->count, names[i]));
  }
  return status;
}

srs_status srs_urdf_name_unread(srs_urdf *urdf)
{
  for (srs_xml_node *node = urdf->document->root->first_child; node != NULL; node = node->next)
    if (strcmp(node->name, "material") == 0) node->mark = SRS_XML_WHOLE; // a colour has no effect
  srs_status status = srs_xml_report_unread(&urdf->report, urdf->document, foreign_words);
  if (status == SRS_OK) status = name_zeros(urdf);
  return status == SRS_OK ? name_unused(urdf) : status;
}
