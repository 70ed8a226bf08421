// A JSON writer: one object on a stream, indented, with numbers that read back as the same double.
#pragma once
#include <stdbool.h>
#include <stdio.h>

enum { SRS_JSON_DEPTH = 16 };

/// Start with {.file = …}. Every call takes the key, NULL inside arrays and for the outermost value.
typedef struct srs_json {
  FILE *file;
  int depth;                      // of open objects and arrays
  bool has_items[SRS_JSON_DEPTH]; // of each open one
  char closing[SRS_JSON_DEPTH];   // its bracket
} srs_json;

void srs_json_object(srs_json *json, const char *key);
void srs_json_array(srs_json *json, const char *key);
void srs_json_close(srs_json *json); // the innermost object or array; the outermost ends the line

void srs_json_text(srs_json *json, const char *key, const char *text); // bytes that are not UTF-8 become U+FFFD
void srs_json_number(srs_json *json, const char *key, double value);   // null where not finite
void srs_json_integer(srs_json *json, const char *key, long value);
void srs_json_null(srs_json *json, const char *key);

/// n numbers on one line.
void srs_json_numbers(srs_json *json, const char *key, const double *values, int n);

/// rows x columns numbers, rows first, a line for each row.
void srs_json_matrix(srs_json *json, const char *key, const double *values, int rows, int columns);

/// Bytes as base64 text (RFC 4648).
void srs_json_bytes(srs_json *json, const char *key, const void *bytes, size_t n);
void srs_put_base64(FILE *file, const void *bytes, size_t n);
