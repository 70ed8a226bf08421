// How a trajectory lies in an HDF5 file. Internal.
//
// A stream is a data set whose first dimension counts rows. All chunks of all streams get their places when the file is
// made; from then on a row goes to its place by one write, and becomes part of the file when the number of rows in
// the data set's header is set, eight bytes. So the file is whole HDF5 at any time, however the program ends.
//
// Chunks of equal number lie together, so that the file grows with the rows that are there.
#pragma once
#include "engine/output/hdf5/page_file.h"
#include "topology/base/arena.h"
#include <sarrus/base.h>

/// A data set of rows.
typedef struct srs_stream {
  const char *path;                        // "/q", "/contacts/force"
  int width;                               // numbers a row; 0: the data set has one dimension
  bool is_integer;                         // of 32 bits; else double
  bool is_ragged;                          // rows are contacts
  const char *const *names, *const *units; // width; NULL: none
  const char *const *axes;                 // width: along whose axes; NULL: none
  const char *note;                        // NULL: none
  const char *unit;                        // of all; NULL: none

  // Where it lies.
  size_t row_size;     // bytes
  uint64_t chunk_rows; // rows a chunk
  uint64_t n_chunks;
  uint64_t *chunks;  // n_chunks: addresses
  uint64_t count_at; // address of the number of rows
} srs_stream;

typedef struct srs_text_entry {
  const char *name, *text;
  const char *file; // of texts: where it was read, an attribute; NULL: none
} srs_text_entry;

/// What a file is made of.
typedef struct srs_layout {
  const char *path; // of the file, for messages
  srs_stream *streams;
  int n_streams;
  uint64_t most_rows, most_contacts; // that the file can take
  uint64_t contacts_a_row;           // those that are usual
  const srs_text_entry *attributes;  // n_attributes: of the file
  int n_attributes;
  const srs_text_entry *texts; // n_texts: data sets with a text each
  int n_texts;
  size_t slot; // bytes of each of two places for snapshots

  uint64_t slots_at; // address of the places
  uint64_t end;      // bytes up to the first chunk
} srs_layout;

/// Lays the file out, without rows.
/// @param arena  for the addresses   @param file  out: zero before; to be released, after a failure too
/// @return SRS_OK, SRS_ERROR_CAPACITY (more columns than a header takes), SRS_ERROR_MEMORY
srs_status srs_layout_make(srs_layout *layout, srs_arena *arena, srs_page_file *file, srs_error *error);

/// Finds the places in a file that was laid out for the same streams.
/// @return SRS_OK, SRS_ERROR_SYNTAX (another layout), SRS_ERROR_FILE, SRS_ERROR_MEMORY
srs_status srs_layout_find(srs_layout *layout, srs_arena *arena, int descriptor, srs_error *error);
