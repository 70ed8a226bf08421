// Writes rows to a trajectory's places (layout.h). Internal.
//
// Rows are gathered in memory and written together, at least four times a second. The order makes the file whole at any
// time: first numbers, then the file's end in its first block, then how many rows there are, last of all those of the
// first stream, `time`. Where a program is killed between two of these other streams may have rows that `time` has not
// yet; they are none. A snapshot of the simulation goes to one of two places in turn, with a sum over its bytes.
#pragma once
#include "engine/output/hdf5/layout.h"

typedef struct srs_h5_writer srs_h5_writer;

/// Makes the file; takes memory from the arena, which must outlive it. Adding rows allocates nothing.
/// @return SRS_OK; as srs_layout_make; SRS_ERROR_FILE
srs_status srs_h5_create(srs_layout *layout, srs_arena *arena, srs_h5_writer **writer, srs_error *error);

/// Opens a file to go on behind its last good snapshot; rows after that are cut off.
/// @param rows, snapshot, size  out: rows that stay, and the snapshot, in the arena
/// @return as srs_layout_find; SRS_ERROR_FILE
srs_status srs_h5_resume(srs_layout *layout, srs_arena *arena, srs_h5_writer **writer, uint64_t *rows, void **snapshot,
                         size_t *size, srs_error *error);

/// Adds a row to one stream whose bytes the caller fills at once.
srs_status srs_h5_add(srs_h5_writer *writer, int stream, void **row, srs_error *error);

/// Adds a row to one stream: doubles or 32-bit integers.  @return SRS_OK, SRS_ERROR_FILE, SRS_ERROR_CAPACITY
srs_status srs_h5_put(srs_h5_writer *writer, int stream, const void *row, srs_error *error);

/// Rows of a stream so far.
uint64_t srs_h5_rows(const srs_h5_writer *writer, int stream);

/// Ends a row of all streams.  @param is_due  out: srs_h5_flush is wanted
void srs_h5_end_row(srs_h5_writer *writer, bool *is_due);

/// Writes what is gathered. The snapshot is that of the row added last; left out where it does not fit.
srs_status srs_h5_flush(srs_h5_writer *writer, const void *snapshot, size_t size, uint64_t steps, srs_error *error);

/// After a write that failed: makes the rows that are whole in the file part of it.
void srs_h5_rescue(srs_h5_writer *writer);

/// Closes the file.
void srs_h5_close(srs_h5_writer *writer);
