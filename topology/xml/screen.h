// What a text of XML must not hold, found before a parser sees it. Internal.
#pragma once
#include "topology/base/errors.h"

enum { SRS_XML_MOST_ATTRIBUTES = 1000 }; // of an element, and name spaces of a file

/// Passes once over the text. Refuses zero bytes, more than SRS_XML_MOST_ATTRIBUTES attributes in an element, as many
/// name spaces, and encodings in which a byte of ASCII may stand for anything else (UTF-7, EBCDIC, …). Time and memory:
/// O(length) and none.
/// @param path  only names the text
/// @return SRS_OK or SRS_ERROR_SYNTAX; the error names FILE:LINE. Thread-safe.
srs_status srs_xml_screen(const char *path, const char *bytes, size_t length, srs_error *error);
