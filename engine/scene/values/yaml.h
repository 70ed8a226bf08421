// YAML and JSON files as a tree whose values know their place. Internal.
//
// One document of maps, lists and scalars. Refused, with FILE:LINE:COL: anything not well formed, a key given twice,
// keys that are not plain words, several documents, tags, anchors and aliases (so nothing can expand), nesting deeper
// than 32.
#pragma once
#include "topology/base/text.h"

typedef enum srs_yaml_kind { SRS_YAML_SCALAR, SRS_YAML_LIST, SRS_YAML_MAP } srs_yaml_kind;

typedef struct srs_yaml_node srs_yaml_node;
struct srs_yaml_node {
  srs_yaml_kind kind;
  bool is_plain;   // scalars: written without quotes and not as a block
  const char *key; // in a map, else NULL
  srs_place place, key_place;
  const char *text; // scalars, terminated
  size_t length;
  int count;                  // lists and maps
  const srs_yaml_node *first; // of a list or map
  const srs_yaml_node *next;  // in the list or map that holds this
};

typedef struct srs_yaml {
  srs_arena arena;
  const char *file;
  const char *text; // the file as it is
  size_t length;
  const srs_yaml_node *root;
} srs_yaml;

/// Reads a file. An empty one (nothing but comments) is an error.
/// @param yaml  out, freed by srs_yaml_free; zeroed on failure
srs_status srs_yaml_load(const char *path, srs_yaml *yaml, srs_error *error);

/// The same from memory; `path` is for messages.
srs_status srs_yaml_parse(const char *path, const char *text, size_t length, srs_yaml *yaml, srs_error *error);
void srs_yaml_free(srs_yaml *yaml);

/// The value of a key, NULL when there is none.
const srs_yaml_node *srs_yaml_get(const srs_yaml_node *map, const char *key);

/// "a number", "text", "a list", "a map", "nothing": what stands there, for messages.
const char *srs_yaml_describe(const srs_yaml_node *node);

/// Each reads one value or reports what is wrong with it. `what` is its name in messages.
srs_status srs_yaml_number(const srs_yaml_node *node, const char *what, double *value, srs_error *error);
srs_status srs_yaml_integer(const srs_yaml_node *node, const char *what, int *value, srs_error *error);
srs_status srs_yaml_bool(const srs_yaml_node *node, const char *what, bool *value, srs_error *error);
srs_status srs_yaml_text(const srs_yaml_node *node, const char *what, const char **value,
                         srs_error *error); // not empty

/// A list of exactly n numbers.
srs_status srs_yaml_numbers(const srs_yaml_node *node, const char *what, double *values, int n, srs_error *error);

/// A map (what: "a scene", "a link", …).
srs_status srs_yaml_expect_map(const srs_yaml_node *node, const char *what, srs_error *error);
srs_status srs_yaml_expect_list(const srs_yaml_node *node, const char *what, srs_error *error);

/// Every key of a map is one of these, NULL-terminated; else the error names the nearest.
srs_status srs_yaml_check_keys(const srs_yaml_node *map, const char *what, const char *const *keys, srs_error *error);
