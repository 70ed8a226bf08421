// XML as a plain tree with exact lines, and the reading of its values. Internal.
//
// A document is read as a whole and then only looked at. Whatever a reader asks for by name is marked as read, so that
// in the end everything that nobody asked for can be named (srs_xml_each_unread).
#pragma once
#include "topology/base/arena.h"
#include "topology/base/errors.h"

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
  const char *name; // as written, prefix included
  int line;         // where the start tag begins
  srs_xml_mark mark;
  srs_xml *document;
  struct srs_xml_node *parent, *first_child, *last_child, *next;
  srs_xml_attribute *attributes; // n_attributes
  int n_attributes;
  int text_line;
  char *text; // character data between the children, white space around it left out, cut to SRS_XML_TEXT bytes; NULL
              // for none
} srs_xml_node;

struct srs_xml {
  const char *path; // as given, for messages
  srs_xml_node *root;
  srs_arena memory; // everything above, and what a reader wants to keep as long
};

// ---------------------------------------------------------------------------------------------------------------------
// Documents
// ---------------------------------------------------------------------------------------------------------------------

/// Reads a file. Nothing but that file is opened; a DOCTYPE, which could define entities or name other files, is
/// refused.
/// @param document  out: to be freed by srs_xml_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY; the error names FILE:LINE:COL. Thread-safe.
srs_status srs_xml_read(const char *path, srs_xml **document, srs_error *error);

/// The same from memory; path only names it.
srs_status srs_xml_parse(const char *path, const char *bytes, size_t length, srs_xml **document, srs_error *error);

void srs_xml_destroy(srs_xml *document);

/// A formatted text that lives as long as the document, NULL when there is no memory left. printf-like.
const char *srs_xml_format(srs_xml *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------------------------------------------------------------
// Elements and values
// ---------------------------------------------------------------------------------------------------------------------

/// Where the node is written, for messages.
static inline srs_place srs_xml_place(const srs_xml_node *node)
{
  return (srs_place){node->document->path, node->line, 0};
}

/// The first child of that name, marked as read; NULL when there is none.
srs_xml_node *srs_xml_child(srs_xml_node *node, const char *name);

/// An attribute's text without marking it, NULL when there is none.
const char *srs_xml_peek(const srs_xml_node *node, const char *name);

/// An attribute's text, marked as read: NULL when there is none. Control characters in it are refused.
/// @return SRS_OK or SRS_ERROR_SYNTAX
srs_status srs_xml_text(srs_xml_node *node, const char *name, const char **text, srs_error *error);

/// The same for an attribute that must be there and must not be empty.
srs_status srs_xml_required_text(srs_xml_node *node, const char *name, const char **text, srs_error *error);

/// Exactly n numbers of an attribute, separated by white space; values untouched where it is missing.
/// @return SRS_OK or SRS_ERROR_SYNTAX with element, attribute, what it holds and what was expected
srs_status srs_xml_numbers(srs_xml_node *node, const char *name, int n, double *values, srs_error *error);

/// The same for an attribute that must be there.
srs_status srs_xml_required_numbers(srs_xml_node *node, const char *name, int n, double *values, srs_error *error);

/// Marks the element and every attribute of it as read, not what is in it.
void srs_xml_accept(srs_xml_node *node);

/// Where a node is: "robot/joint[@name='h']/dynamics", with a number where siblings share a name and have no `name`.
/// Lives as long as the document; NULL when there is no memory left.
const char *srs_xml_path(const srs_xml_node *node);

/// Called with each unread element (not with what is in it) and, of read elements, with each unread attribute and with
/// their text, in document order. attribute: NULL for an unread element, and for the text of a read one.
typedef srs_status srs_xml_visit(void *context, const srs_xml_node *node, const srs_xml_attribute *attribute);

/// @return the first status other than SRS_OK that visit returned
srs_status srs_xml_each_unread(const srs_xml *document, srs_xml_visit *visit, void *context);

/// The next node in document order, what is inside of `node` left out unless asked for; NULL at the end.
srs_xml_node *srs_xml_next(const srs_xml_node *node, bool inside);
