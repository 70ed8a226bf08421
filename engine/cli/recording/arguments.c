// The file keeps the arguments of its run, one after the other with a unit separator (0x1f) between. They are read
// again, then `--out` with the file, then what is given now, which holds where both say something. Whether the run was
// watched (`--live`) is a matter of that call alone.
#include "engine/cli/recording/arguments.h"

#include "engine/cli/shared/command.h"
#include "engine/cli/shared/messages.h"
#include "engine/output/hdf5/reader.h"
#include "topology/base/whole_file.h"

#include <stdlib.h>
#include <string.h>

static const char between[] = "\x1f", resume[] = "--resume", record_run[] = "--record-run", live[] = "--live";
static char out[] = "--out"; // argv has no const

// The file of such an option at argv[i], NULL where there is none.  @param n  out: arguments that it takes
static const char *file_at(const char *name, int argc, char **argv, int i, int *n)
{
  const size_t length = strlen(name);
  if (strncmp(argv[i], name, length) != 0) return NULL;
  *n = 1;
  if (argv[i][length] == '=') return argv[i] + length + 1;
  if (argv[i][length] != '\0' || i + 1 >= argc) return NULL;
  *n = 2;
  return argv[i + 1];
}

static const char *find_file(const char *name, int argc, char **argv)
{
  int n;
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *file = file_at(name, argc, argv, i, &n);
    if (file != NULL) return file;
  }
  return NULL;
}

// Without files that another run would not have.
static char *join(int argc, char **argv)
{
  size_t length = 1;
  int n;
  for (int i = 0; i < argc; i++) length += strlen(argv[i]) + 1;
  char *text = calloc(length, 1), *at = text;
  for (int i = 0; i < argc && text != NULL; i++) {
    if (file_at(resume, argc, argv, i, &n) != NULL || file_at(record_run, argc, argv, i, &n) != NULL) {
      i += n - 1;
      continue;
    }
    if (at != text) *at++ = between[0];
    const size_t part = strlen(argv[i]);
    memcpy(at, argv[i], part);
    at += part;
  }
  return text;
}

static int no_memory(srs_resumed_arguments *arguments)
{
  srs_error error;
  srs_run_free_arguments(arguments);
  srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory");
  return srs_report_failure(&error);
}

static size_t count_parts(const char *text)
{
  size_t n = 1;
  for (const char *c = text; *c != '\0'; c++) n += *c == between[0];
  return n;
}

static int split(char *text, char **argv)
{
  int n = 0;
  char *rest = NULL;
  for (char *part = strtok_r(text, between, &rest); part != NULL; part = strtok_r(NULL, between, &rest))
    argv[n++] = part;
  return n;
}

int srs_run_split_arguments(char *text, char ***argv)
{
  *argv = calloc(count_parts(text) + 1, sizeof **argv);
  return *argv != NULL ? split(text, *argv) : 0;
}

// Takes `--live PORT` out.  @return how many arguments are left
static int leave_out_live(int argc, char **argv)
{
  int kept = 0, n;
  for (int i = 0; i < argc; i++) {
    if (file_at(live, argc, argv, i, &n) != NULL)
      i += n - 1;
    else
      argv[kept++] = argv[i];
  }
  return kept;
}

// Stored arguments, --out FILE, the ones given now.
static bool merge(int argc, char **argv, const char *file, srs_resumed_arguments *a)
{
  a->argv = calloc(count_parts(a->stored) + 2 + (size_t)argc + 1, sizeof *a->argv);
  char *path = strdup(file);
  if (a->argv == NULL || path == NULL) {
    free(path);
    return false;
  }
  a->argc = leave_out_live(split(a->stored, a->argv), a->argv);
  a->argv[a->argc++] = out;
  a->argv[a->argc++] = path;
  a->path = path;
  for (int i = 0; i < argc; i++) a->argv[a->argc++] = argv[i];
  a->merged = join(a->argc, a->argv);
  return a->merged != NULL;
}

int srs_run_read_arguments(int argc, char **argv, srs_resumed_arguments *a)
{
  srs_error error = {0};
  const char *file = find_file(resume, argc, argv), *other = find_file(out, argc, argv);
  *a = (srs_resumed_arguments){.argc = argc, .text = join(argc, argv)};
  if (a->text == NULL) return no_memory(a);
  if (file == NULL) {
    a->argv = calloc((size_t)argc + 1, sizeof *a->argv);
    if (a->argv == NULL) return no_memory(a);
    if (argc > 0) memcpy(a->argv, argv, (size_t)argc * sizeof *argv);
    a->merged = join(argc, argv);
    return a->merged != NULL ? SRS_EXIT_OK : no_memory(a);
  }
  a->argc = 0;
  if (other != NULL && !srs_is_same_file(other, file)) {
    srs_run_free_arguments(a);
    return srs_usage_error(&(srs_command){.name = "run"},
                           "--resume %s goes on in that file: leave out --out %s; to keep the file as it is, copy it "
                           "and resume the copy",
                           file, other);
  }
  srs_status status = srs_h5_read_text(file, "/arguments", &a->stored, &error);
  if (status == SRS_OK) status = srs_h5_read_text(file, "/scene", &a->scene, &error);
  if (status != SRS_OK) {
    srs_run_free_arguments(a);
    return srs_report_failure(&error);
  }
  return merge(argc, argv, file, a) ? SRS_EXIT_OK : no_memory(a);
}

void srs_run_free_arguments(srs_resumed_arguments *a)
{
  free(a->argv);
  free(a->text);
  free(a->merged);
  free(a->scene);
  free(a->stored);
  free(a->path);
  *a = (srs_resumed_arguments){0};
}
