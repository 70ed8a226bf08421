// Reports everything in a URDF file that has no effect.
//
// Everything between <robot> and </robot> that no reader asked for is reported with its line and path; blocks meant for
// other programs once for each kind. A file that xacro has not expanded is rejected, whatever part of it could be read.

#include "topology/urdf/urdf_unread.h"

#include <string.h>

enum { MOST_UNREAD = 500 }; // warnings; more would not help

static const char *const foreign_words[SRS_URDF_FOREIGN] = {"gazebo", "transmission", "ros2_control",
                                                            "sensor", "plugin",       "mujoco"};

static int foreign_kind(const srs_xml_node *node)
{
  for (int i = 0; i < SRS_URDF_FOREIGN; i++)
    if (strcmp(node->name, foreign_words[i]) == 0) return i;
  return -1;
}

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
    const bool is_foreign = foreign_kind(node) >= 0;
    if (!is_foreign) status = refuse_in(urdf, node);
    node = srs_xml_next(node, !is_foreign);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Warnings
// ---------------------------------------------------------------------------------------------------------------------

static srs_status take_unread(void *context, const srs_xml_node *node, const srs_xml_attribute *attribute)
{
  srs_urdf *urdf = context;
  const bool is_element = node->mark == SRS_XML_UNREAD;
  const int foreign = is_element ? foreign_kind(node) : -1;
  if (foreign >= 0) {
    srs_urdf_count(&urdf->foreign[foreign], node);
    return SRS_OK;
  }
  if (urdf->unread.count >= MOST_UNREAD) {
    urdf->unread.count++;
    return SRS_OK;
  }
  srs_urdf_count(&urdf->unread, node);
  const char *path = srs_xml_path(node);
  if (path == NULL) return srs_urdf_no_memory(urdf);
  if (is_element)
    return srs_urdf_warn(urdf, node->line, srs_xml_format(urdf->document, "%s is not read and has no effect", path));
  if (attribute != NULL)
    return srs_urdf_warn(
        urdf, node->line,
        srs_xml_format(urdf->document, "%s/@%.60s is not read and has no effect", path, attribute->name));
  return srs_urdf_warn(urdf, node->text_line,
                       srs_xml_format(urdf->document, "%s/text() is not read and has no effect", path));
}

static srs_status name_foreign(srs_urdf *urdf)
{
  for (int i = 0; i < SRS_URDF_FOREIGN; i++) {
    const srs_urdf_tally *tally = &urdf->foreign[i];
    if (tally->count == 0) continue;
    const char *text =
        tally->count == 1
            ? srs_xml_format(urdf->document, "<%s> is meant for other programs and skipped", foreign_words[i])
            : srs_xml_format(urdf->document,
                             "%d <%s> blocks, from here on, are meant for other programs "
                             "and skipped",
                             tally->count, foreign_words[i]);
    const srs_status status = srs_urdf_warn(urdf, tally->first->line, text);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

static srs_status name_zeros(srs_urdf *urdf)
{
  const srs_urdf_tally *tally = &urdf->zeros;
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
  srs_status status = srs_xml_each_unread(urdf->document, take_unread, urdf);
  if (status == SRS_OK) status = name_foreign(urdf);
  if (status == SRS_OK) status = name_zeros(urdf);
  if (status != SRS_OK || urdf->unread.count <= MOST_UNREAD) return status;
  return srs_urdf_warn(urdf, urdf->unread.first->line,
                       srs_xml_format(urdf->document, "%d further elements and attributes are not read either",
                                      urdf->unread.count - MOST_UNREAD));
}
