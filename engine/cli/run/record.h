// The hardest contact problems of a run, kept as files that `sarrus solve` and others read.
#pragma once
#include "engine/cli/shared/command.h"
#include <sarrus/engine.h>

typedef struct srs_record srs_record;

/// Creates the folder if needed, allocates all memory, and watches the sim from now on. The sim must outlive the
/// record.
///  @param n         problems to keep
///  @param replaces  whether problems that are in the folder may be replaced; else they are an error
srs_status srs_record_create(const char *folder, int n, bool replaces, srs_sim *sim, srs_record **record,
                             srs_error *error);

/// NULL is harmless.
void srs_record_destroy(srs_record *record);

/// Ends the watch and writes what was kept: problem-001.hdf5 is the hardest. Problems too large to keep, and rows that
/// files have no place for, are reported in a note.  @param record  NULL: nothing to do   @param error  may be NULL
srs_status srs_record_write(srs_record *record, const srs_command *command, const char *scene, srs_error *error);

/// Files written.
int srs_record_count(const srs_record *record);
