// Warnings of a reader, and the report of what nothing has read.
//
// Readers ask for what they understand (xml_values.h). Everything else between the root's tags is reported here, with
// its line and its path; blocks that are meant for other programs once for each kind.

#include "topology/xml/report.h"
#include "topology/builder/builder.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_UNREAD = 500 }; // warnings; more would not help

static srs_status no_memory(const srs_xml_report *report, const srs_xml *document)
{
  return srs_fail(report->error, SRS_ERROR_MEMORY, document->path, 0, 0, NULL, "out of memory");
}

srs_status srs_xml_report_add(srs_xml_report *report, const srs_xml *document, int line, const char *text, bool is_note)
{
  if (text == NULL) return no_memory(report, document);
  if (report->n_warnings == report->room) {
    const int room = report->room > 0 ? 2 * report->room : 32;
    srs_xml_warning *larger = realloc(report->warnings, (size_t)room * sizeof *larger);
    if (larger == NULL) return no_memory(report, document);
    report->warnings = larger;
    report->room = room;
  }
  report->warnings[report->n_warnings] = (srs_xml_warning){document, line, report->n_warnings, text, is_note};
  report->n_warnings++;
  return SRS_OK;
}

static int by_line(const void *a, const void *b)
{
  const srs_xml_warning *left = a, *right = b;
  if (left->document != right->document) {
    const int paths = strcmp(left->document->path, right->document->path);
    if (paths != 0) return paths;
  }
  if (left->line != right->line) return left->line < right->line ? -1 : 1;
  return (left->order > right->order) - (left->order < right->order);
}

srs_status srs_xml_report_hand_on(srs_xml_report *report, srs_builder *builder)
{
  if (report->n_warnings > 0) qsort(report->warnings, (size_t)report->n_warnings, sizeof *report->warnings, by_line);
  for (int i = 0; i < report->n_warnings; i++) {
    const srs_xml_warning *warning = &report->warnings[i];
    srs_builder_set_location(builder, warning->document->path, warning->line, 0);
    const srs_status status = warning->is_note ? srs_builder_note(builder, "%s", warning->text)
                                               : srs_builder_warn(builder, "%s", warning->text);
    if (status != SRS_OK) return no_memory(report, warning->document);
  }
  return SRS_OK;
}

void srs_xml_report_release(srs_xml_report *report)
{
  free(report->warnings);
  *report = (srs_xml_report){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// What was not read
// ---------------------------------------------------------------------------------------------------------------------

int srs_xml_word(const srs_xml_node *node, const char *const *words)
{
  for (int i = 0; i < SRS_XML_FOREIGN && words[i] != NULL; i++)
    if (strcmp(node->name, words[i]) == 0) return i;
  return -1;
}

typedef struct unread {
  srs_xml_report *report;
  srs_xml *document;
  const char *const *foreign_words;
  srs_xml_tally foreign[SRS_XML_FOREIGN], all;
} unread;

static srs_status take_unread(void *context, const srs_xml_node *node, const srs_xml_attribute *attribute)
{
  unread *u = context;
  const bool is_element = node->mark == SRS_XML_UNREAD;
  const int foreign = is_element ? srs_xml_word(node, u->foreign_words) : -1;
  if (foreign >= 0) {
    srs_xml_count(&u->foreign[foreign], node);
    return SRS_OK;
  }
  if (u->all.count >= MOST_UNREAD) {
    u->all.count++;
    return SRS_OK;
  }
  srs_xml_count(&u->all, node);
  const char *path = srs_xml_path(node);
  const char *text = NULL;
  if (path != NULL && is_element)
    text = srs_xml_format(u->document, "%s is not read and has no effect", path);
  else if (path != NULL && attribute != NULL)
    text = srs_xml_format(u->document, "%s/@%.60s is not read and has no effect", path, attribute->name);
  else if (path != NULL)
    text = srs_xml_format(u->document, "%s/text() is not read and has no effect", path);
  const int line = is_element || attribute != NULL ? node->line : node->text_line;
  return srs_xml_report_add(u->report, node->document, line, text, false);
}

static srs_status name_foreign(const unread *u)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < SRS_XML_FOREIGN && u->foreign_words[i] != NULL && status == SRS_OK; i++) {
    const srs_xml_tally *tally = &u->foreign[i];
    if (tally->count == 0) continue;
    const char *text =
        tally->count == 1
            ? srs_xml_format(u->document, "<%s> is meant for other programs and skipped", u->foreign_words[i])
            : srs_xml_format(u->document, "%d <%s> blocks, from here on, are meant for other programs and skipped",
                             tally->count, u->foreign_words[i]);
    status = srs_xml_report_add(u->report, tally->first->document, tally->first->line, text, true);
  }
  return status;
}

srs_status srs_xml_report_unread(srs_xml_report *report, srs_xml *document, const char *const *foreign)
{
  unread u = {.report = report, .document = document, .foreign_words = foreign};
  srs_status status = srs_xml_each_unread(document, take_unread, &u);
  if (status == SRS_OK) status = name_foreign(&u);
  if (status != SRS_OK || u.all.count <= MOST_UNREAD) return status;
  return srs_xml_report_add(
      report, u.all.first->document, u.all.first->line,
      srs_xml_format(document, "%d further elements and attributes are not read either", u.all.count - MOST_UNREAD),
      false);
}
