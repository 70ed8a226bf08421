// What in a file did its reader refuse? Internal.
#pragma once
#include <sarrus/topology.h>

typedef struct srs_refused {
  char element[80], attribute[80]; // attribute "": the element itself
  int line;                        // of the element's start tag
} srs_refused;

/// Finds the element or attribute of an XML file that an error is about, in its line or inside of the element there.
/// @return false where the error names no line of a file that is XML
bool srs_refused_find(const srs_error *error, srs_refused *refused);
