// A Collada file on its way through the reader, and its texts. Internal.
#pragma once
#include "topology/base/names.h"
#include "topology/mesh/mesh_draft.h"
#include "topology/xml/xml_values.h"

typedef struct srs_collada_geometry {
  srs_xml_node *node;
  size_t n_corners; // of all its polygons
} srs_collada_geometry;

typedef struct srs_collada {
  srs_mesh_draft *draft;
  srs_xml *document;
  const char *bytes;
  srs_names ids;                    // "KIND:ID" -> index into nodes
  srs_xml_node **nodes;             // room as the document has elements
  srs_collada_geometry *geometries; // likewise
  int *indices;                     // room_for_indices
  size_t room_for_indices, n_instanced;
  int n_ids, n_geometries, n_written;
} srs_collada;

/// The text of an element, word by word.
typedef struct srs_collada_words {
  const char *at, *end;
} srs_collada_words;

/// Fails with the line and name of an element.  @return SRS_ERROR_SYNTAX
srs_status srs_collada_refuse(const srs_collada *c, const srs_xml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Add to the clean copy.  @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_collada_put(srs_collada *c, const char *text, size_t n);
srs_status srs_collada_print(srs_collada *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// What an element without children holds; it is refused where it has some.
srs_status srs_collada_text(const srs_collada *c, const srs_xml_node *node, srs_collada_words *w);

/// How many numbers an element holds; refused where it holds anything else.
srs_status srs_collada_count_numbers(const srs_collada *c, const srs_xml_node *node, size_t *n);

/// Appends the indices of an element to those that are there.  @param n  in and out: how many there are
srs_status srs_collada_add_indices(srs_collada *c, const srs_xml_node *node, size_t *n);

/// A whole attribute, `otherwise` where it is missing.
srs_status srs_collada_whole(const srs_collada *c, const srs_xml_node *node, const char *name, size_t otherwise,
                             size_t *value);

/// Takes an element into the list of those with an id, and a geometry into that of geometries.
srs_status srs_collada_list(srs_collada *c, srs_xml_node *node);

/// The element of that kind that an attribute names as "#ID".
srs_status srs_collada_find(srs_collada *c, const srs_xml_node *node, const char *attribute, const char *kind,
                            srs_xml_node **found);
