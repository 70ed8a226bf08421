// The processes of a sweep that mpirun started, as far as the command is built with MPI; else there is one.
#pragma once
#include "engine/sweep/sweep_run.h"

/// Begins, where mpirun started this process.  @return false: under mpirun, but built without MPI
bool srs_ranks_begin(int *rank, int *n_ranks);
void srs_ranks_end(void);
void srs_ranks_count(int *rank, int *n_ranks);

/// Rank 0, where there is nothing to do: tells all others so.
void srs_ranks_dismiss(void);

enum { SRS_RANKS_CHUNK = 256 }; // rows of a message at most

/// Another rank asks rank 0 for runs and hands in the rows of those before.
/// @param rows  n_rows, or NULL   @param first, n  out; n 0: there are no more
void srs_ranks_ask(const srs_sweep_row *rows, int n_rows, int most, long *first, int *n);

/// Rank 0: the next message, if one is there.
/// @param rows  SRS_RANKS_CHUNK, out   @param n_rows, most, from  out: rows handed in, runs asked for, and by whom
bool srs_ranks_listen(srs_sweep_row *rows, int *n_rows, int *most, int *from);
void srs_ranks_answer(int to, long first, int n);
