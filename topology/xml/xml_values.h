// The values of an XML document, asked for by name; asking marks them as read. Internal.
#pragma once
#include "topology/xml/xml.h"

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
