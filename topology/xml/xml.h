// An XML document as a plain tree with exact lines. Internal.
//
// A document is read as a whole. Whatever a reader then asks for by name is marked as read, so that everything that
// nothing asked for can be reported at the end (xml_values.h).
#pragma once
#include "topology/base/arena.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"

typedef struct srs_xml srs_xml;

typedef enum srs_xml_mark {
  SRS_XML_UNREAD,
  SRS_XML_READ,  // the element itself; what it holds has marks of its own
  SRS_XML_WHOLE, // the element and all that it holds
} srs_xml_mark;

typedef struct srs_xml_attribute {
  const char *name, *value; // UTF-8, references resolved
  bool is_read;
} srs_xml_attribute;

enum { SRS_XML_TEXT = 120 };

typedef struct srs_xml_node {
  const char *name;   // as written, prefix included
  int line;           // where the start tag begins
  size_t inside, end; // offsets into the bytes that were parsed: after the start tag, after the whole element. Right
                      // where these are UTF-8
  srs_xml_mark mark;
  srs_xml *document;
  struct srs_xml_node *parent, *first_child, *last_child, *next;
  srs_xml_attribute *attributes; // n_attributes
  int n_attributes;
  int text_line;
  int rank;       // the place among the siblings of its name, from 1; 0 when it is the only one. Once its parent
  bool is_ranked; // has ranked its children (xml_values.c)
  char *text; // character data between the children, white space around it left out, cut to SRS_XML_TEXT bytes; NULL
              // for none
} srs_xml_node;

struct srs_xml {
  const char *path; // as given, for messages
  srs_xml_node *root;
  srs_xml *included;    // the first of the documents that were included; next: their own
  int declaration_line; // of an XML declaration that was passed over: its version is none, or it does not come first; 0
                        // for none
  srs_arena memory;     // everything above, and what a reader wants to keep as long
};

/// Reads a file. Nothing but that file is opened; a DOCTYPE, which could define entities or name other files, is
/// refused.
/// @param files     notes it; NULL for none
/// @param document  out: to be freed by srs_xml_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY; the error names FILE:LINE:COL. Thread-safe.
srs_status srs_xml_read(const char *path, srs_read_files *files, srs_xml **document, srs_error *error);

/// The same from memory; path only names it.
srs_status srs_xml_parse(const char *path, const char *bytes, size_t length, srs_xml **document, srs_error *error);

void srs_xml_destroy(srs_xml *document);

/// A formatted text that lives as long as the document, NULL when there is no memory left. printf-like.
const char *srs_xml_format(srs_xml *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Where the node is written, for messages.
static inline srs_place srs_xml_place(const srs_xml_node *node)
{
  return (srs_place){node->document->path, node->line, 0};
}
