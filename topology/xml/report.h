// What a reader of an XML vocabulary has to say about its file: warnings, notes, and all that nothing has read.
// Internal.
#pragma once
#include "topology/xml/xml_values.h"
#include <sarrus/topology.h>

typedef struct srs_xml_warning {
  const srs_xml *document; // the file it is about
  int line, order;         // order: as they came
  const char *text;
  bool is_note;
} srs_xml_warning;

typedef struct srs_xml_report {
  srs_xml_warning *warnings; // n_warnings
  int n_warnings, room;
  srs_error *error;
} srs_xml_report;

/// Keeps a warning for a line of a document; they reach the builder in the order of files and lines. A note is nothing
/// that a strict build refuses.  @param text  lives as long as the document; NULL: out of memory
srs_status srs_xml_report_add(srs_xml_report *report, const srs_xml *document, int line, const char *text,
                              bool is_note);

/// Hands all on to the builder.
srs_status srs_xml_report_hand_on(srs_xml_report *report, srs_builder *builder);

void srs_xml_report_release(srs_xml_report *report);

/// What many elements share one warning for.
typedef struct srs_xml_tally {
  int count;
  const srs_xml_node *first;
} srs_xml_tally;

static inline void srs_xml_count(srs_xml_tally *tally, const srs_xml_node *node)
{
  if (tally->count++ == 0) tally->first = node;
}

enum { SRS_XML_FOREIGN = 8 };

/// Which of the words the element is named by, -1 for none.  @param words  at most SRS_XML_FOREIGN, ended by NULL
int srs_xml_word(const srs_xml_node *node, const char *const *words);

/// Warns of every element, attribute and text that nothing has read, with its path; a note on the elements that are
/// meant for other programs, once for each kind. Comes last.
/// @param foreign  names of such elements, as srs_xml_word takes them
srs_status srs_xml_report_unread(srs_xml_report *report, srs_xml *document, const char *const *foreign);
