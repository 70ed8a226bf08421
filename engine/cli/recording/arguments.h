// `sarrus run --resume FILE.h5`: the arguments of the run that was stopped, from its file, and those given now.
#pragma once

typedef struct srs_resumed_arguments {
  int argc;
  char **argv;
  char *text;          // the arguments for the file, all but --resume and --record-run
  char *merged;        // argv likewise
  char *scene;         // the scene's text, NULL: from its own file
  char *stored, *path; // memory of argv
} srs_resumed_arguments;

/// @return SRS_EXIT_OK; SRS_EXIT_FAILED where the file cannot be read, reported. To be freed where it is SRS_EXIT_OK
int srs_run_read_arguments(int argc, char **argv, srs_resumed_arguments *arguments);
void srs_run_free_arguments(srs_resumed_arguments *arguments);

/// The arguments in such a text, which is changed.  @param argv  out: freed by the caller; NULL when out of memory
int srs_run_split_arguments(char *text, char ***argv);
