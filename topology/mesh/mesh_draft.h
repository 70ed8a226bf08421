// A mesh on its way from a file: what is handed to assimp, and where each face stands in the file. Internal.
#pragma once
#include "topology/base/arena.h"
#include <sarrus/base.h>
#include <stddef.h>

typedef struct srs_mesh_face {
  int group, line, n_triangles;
} srs_mesh_face;

typedef struct srs_mesh_draft {
  const char *path;
  srs_error *error;
  const char *format; // for assimp: "obj", "stl" or "dae"
  char *clean;        // n_clean bytes, checked and in the plainest form of the format: what assimp gets
  size_t n_clean, clean_room;
  double *numbers; // n_numbers: three for each corner of an OBJ file, nine for each triangle of an STL file in text, as
                   // the file has them; of other files none
  size_t n_numbers, number_room;
  srs_mesh_face *faces; // n_faces, in the file's order; none for binary and Collada files
  size_t n_faces, face_room;
  const char **names; // n_names: of groups, [0] = ""
  int n_names, name_room;
  srs_arena *memory; // for names
  bool is_single;    // the file's numbers are in single precision
  char up;           // as in srs_mesh
} srs_mesh_draft;

/// The colours r, g of an OBJ's corner in the clean copy are its number: r + g SRS_MESH_COLOURS.
enum { SRS_MESH_COLOURS = 1 << 20 };

/// OBJ, text and binary STL (mesh_clean.c): checks a file and writes what matters of it anew. bytes: n and a zero byte;
/// changed.
/// @return SRS_OK, SRS_ERROR_SYNTAX, _MODEL, _FILE, _NOT_FINITE or _MEMORY, with the line
srs_status srs_mesh_clean_obj(srs_mesh_draft *draft, char *bytes, size_t n);
srs_status srs_mesh_clean_stl(srs_mesh_draft *draft, char *bytes, size_t n);

/// Collada (topology/collada/collada.c): the same. The clean copy has geometry and placements alone.
srs_status srs_mesh_clean_collada(srs_mesh_draft *draft, const char *bytes, size_t n);

/// Room for n more bytes of the clean copy; false when out of memory.
bool srs_mesh_reserve(srs_mesh_draft *draft, size_t n);

/// One more group of that name, which is copied. Its nodes are called "gN" or "gN_..." in the clean copy, N its
/// number.
srs_status srs_mesh_add_name(srs_mesh_draft *draft, const char *name);

/// Adds a whole number >= 0 and a character to the clean copy; false when out of memory.
bool srs_mesh_put_number(srs_mesh_draft *draft, int number, char after);

/// Whether a word is a decimal number of digits, sign, point and exponent: what assimp reads safely.
bool srs_mesh_is_number(const char *word, size_t length);

srs_status srs_mesh_no_memory(const srs_mesh_draft *draft);
void srs_mesh_draft_release(srs_mesh_draft *draft);
