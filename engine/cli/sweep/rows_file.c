// Rows are written whole, one behind the other. After a kill the file holds the rows of runs 0 to n - 1 and perhaps a
// broken line, which is cut off; the sweep goes on with run n. FILE.yaml beside it has the texts of sweep and scene and
// hashes of the robot files: only if they are the same to the byte is the file gone on with.
#include "engine/cli/sweep/rows_file.h"

#include "topology/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the rows");
}

static srs_status fail_file(const srs_rows_file *f, const char *what, srs_error *error)
{
  char why[128];
  return srs_fail(error, SRS_ERROR_FILE, f->rows_path, 0, 0, NULL, "%s: %s", what, strerror_r(errno, why, sizeof why));
}

// ---------------------------------------------------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------------------------------------------------

static bool put(srs_rows_file *f, const char *text, size_t length)
{
  if (f->length + length > f->room) {
    const size_t room = 2 * (f->room + length) + 4096;
    char *more = realloc(f->buffer, room);
    if (more == NULL) return false;
    f->buffer = more, f->room = room;
  }
  memcpy(f->buffer + f->length, text, length);
  f->length += length;
  return true;
}

static bool put_text(srs_rows_file *f, const char *text) { return put(f, text, strlen(text)); }

static bool put_number(srs_rows_file *f, double value)
{
  char text[40];
  if (isnan(value)) return put_text(f, "nan,");
  if (isinf(value)) return put_text(f, value > 0 ? "inf," : "-inf,");
  const size_t length = (size_t)srs_format_number(value, text);
  text[length] = ',';
  return put(f, text, length + 1);
}

// RFC 4180.
static bool put_message(srs_rows_file *f, const char *text)
{
  bool is_good = true;
  if (strpbrk(text, ",\"") == NULL) return put_text(f, text);
  is_good = put_text(f, "\"");
  for (const char *c = text; *c != '\0' && is_good; c++) is_good = put(f, c, 1) && (*c != '"' || put(f, c, 1));
  return is_good && put_text(f, "\"");
}

static bool put_header(srs_rows_file *f)
{
  const srs_sweep_plan *plan = f->plan;
  bool is_good = put_text(f, "run,");
  for (int i = 0; i < plan->n_variables; i++)
    is_good = is_good && put_text(f, plan->variables[i].name) && put_text(f, ",");
  for (int i = 0; i < plan->n_outcomes; i++)
    is_good = is_good && put_text(f, plan->outcomes[i].name) && put_text(f, ",");
  return is_good && put_text(f, "status,message\n");
}

static bool put_row(srs_rows_file *f, const srs_sweep_row *row)
{
  const srs_sweep_plan *plan = f->plan;
  bool is_good = put_number(f, (double)row->run);
  for (int i = 0; i < plan->n_variables && is_good; i++) {
    const char *const *words = plan->variables[i].words;
    is_good =
        words != NULL ? put_text(f, words[(int)row->values[i]]) && put_text(f, ",") : put_number(f, row->values[i]);
  }
  for (int i = 0; i < plan->n_outcomes && is_good; i++) is_good = put_number(f, row->outcomes[i]);
  return is_good && put_text(f, row->is_good ? "ok," : "failed,") && put_message(f, row->message) && put_text(f, "\n");
}

// A key and a text of several lines.
static bool put_block(srs_rows_file *f, const char *key, const char *text)
{
  bool is_good = put_text(f, key) && put_text(f, ": |2\n");
  for (const char *line = text; *line != '\0' && is_good;) {
    const char *end = strchr(line, '\n');
    const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
    is_good = put_text(f, "  ") && put(f, line, length) && put_text(f, "\n");
    line += length + (end != NULL);
  }
  return is_good;
}

// What FILE.yaml says, in the buffer.
static bool put_note(srs_rows_file *f)
{
  char head[160];
  srs_print(head, sizeof head, "version: \"%s\"\nruns: %ld\n", srs_version(), f->plan->n_runs);
  const char *files = f->plan->read_files;
  return put_text(f, head) && put_block(f, "sweep", f->plan->text) && put_block(f, "scene", f->plan->scene_text) &&
         (files == NULL || files[0] == '\0' || put_block(f, "files", files)) && put(f, "", 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Going on
// ---------------------------------------------------------------------------------------------------------------------

// Where in a line a sign stands, and whether all before it is as it should be: the header's text, the number of the
// run.
typedef struct line_check {
  long line, run, column; // line 0: the header
  bool is_run_read, is_wrong;
} line_check;

static void check_sign(const srs_rows_file *f, line_check *c, char sign)
{
  if (c->line == 0)
    c->is_wrong = c->is_wrong || c->column >= (long)f->length || f->buffer[c->column] != sign;
  else if (!c->is_run_read && sign == ',')
    c->is_run_read = true, c->is_wrong = c->is_wrong || c->column == 0 || c->run != c->line - 1;
  else if (!c->is_run_read)
    c->is_wrong = c->is_wrong || sign < '0' || sign > '9' || c->column > 9, c->run = 10 * c->run + sign - '0';
  c->column++;
}

// Counts whole lines behind the header, which is in the buffer, and those that failed.
// @param size  out: where the last whole one ends
static bool count_rows(srs_rows_file *f, off_t *size, srs_error *error)
{
  line_check check = {.line = 0};
  char block[1 << 16], tail[16] = "";
  long lines = 0;
  off_t at = 0;
  ssize_t n;
  bool is_in_status = false;
  *size = 0;
  while ((n = pread(f->descriptor, block, sizeof block, at)) > 0) {
    for (ssize_t i = 0; i < n; i++) {
      memmove(tail, tail + 1, 8);
      tail[7] = block[i];
      if (!check.is_wrong) check_sign(f, &check, block[i]);
      if (!is_in_status && memcmp(tail, ",failed,", 8) == 0) is_in_status = true, f->n_failed++;
      if (block[i] != '\n') continue;
      if (check.is_wrong) {
        srs_fail(error, SRS_ERROR_FILE, f->rows_path, (int)lines + 1, 1, NULL,
                 "%s: another program has changed the file; --force begins anew",
                 lines == 0 ? "this is not the header of the sweep" : "this is not the row of the run that comes here");
        return false;
      }
      lines++;
      check = (line_check){.line = lines};
      *size = at + i + 1;
      is_in_status = false;
    }
    at += n;
  }
  if (is_in_status) f->n_failed--; // of a broken line
  f->n_rows = lines > 0 ? lines - 1 : 0;
  if (n < 0) fail_file(f, "cannot be read", error);
  return n == 0;
}

static srs_status go_on(srs_rows_file *f, srs_error *error)
{
  off_t size = 0;
  if (!put_header(f)) return no_memory(error);
  if (!count_rows(f, &size, error)) return SRS_ERROR_FILE;
  if (f->n_rows > f->plan->n_runs)
    return srs_fail(error, SRS_ERROR_FILE, f->rows_path, 0, 0, NULL,
                    "it has more rows than the sweep has runs: another program has changed it; --force begins anew");
  if (ftruncate(f->descriptor, size) != 0 || lseek(f->descriptor, size, SEEK_SET) < 0)
    return fail_file(f, "cannot be cut behind its last whole row", error);
  if (size > 0) f->length = 0; // the header is there
  return srs_rows_file_flush(f, error);
}

// Whether FILE.yaml is as this sweep would write it.
static bool has_same_note(const srs_rows_file *f, const char *expected)
{
  char *text = NULL;
  size_t length = 0;
  if (srs_read_text(f->note_path, NULL, &text, &length, NULL) != SRS_OK) return false;
  const bool is_same = strcmp(text, expected) == 0;
  free(text);
  return is_same;
}

static srs_status open_rows(srs_rows_file *f, bool is_forced, srs_error *error)
{
  if (!put_note(f)) return no_memory(error);
  const bool is_there = access(f->rows_path, F_OK) == 0;
  if (is_there && !is_forced && !has_same_note(f, f->buffer))
    return srs_fail(error, SRS_ERROR_FILE, f->rows_path, 0, 0, NULL,
                    "is there already and not of this sweep as it is now: name another file by --out, or replace it "
                    "with --force");
  srs_status status = SRS_OK;
  if (!is_there) // first, so that no rows stand without it
    status = srs_write_whole_file(f->note_path, f->buffer, strlen(f->buffer), SRS_EXISTING_IS_REPLACED, error);
  if (status != SRS_OK) return status;
  f->descriptor = open(f->rows_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (f->descriptor < 0) return fail_file(f, "cannot be opened", error);
  struct stat about;
  if (fstat(f->descriptor, &about) != 0 || !S_ISREG(about.st_mode))
    return srs_fail(error, SRS_ERROR_FILE, f->rows_path, 0, 0, NULL,
                    "is not a regular file: rows of a sweep need one, so that it can be gone on with");
  if (flock(f->descriptor, LOCK_EX | LOCK_NB) != 0)
    return srs_fail(error, SRS_ERROR_FILE, f->rows_path, 0, 0, NULL,
                    "another sweep is writing it: wait for its end, or name another file by --out");
  if (is_forced && ftruncate(f->descriptor, 0) != 0) return fail_file(f, "cannot be emptied", error);
  if (is_there && is_forced)
    status = srs_write_whole_file(f->note_path, f->buffer, strlen(f->buffer), SRS_EXISTING_IS_REPLACED, error);
  f->length = 0;
  return status == SRS_OK ? go_on(f, error) : status;
}

static bool is_read_from(const srs_sweep_plan *plan, const char *path)
{
  return srs_is_same_file(path, plan->file) || srs_is_same_file(path, plan->scene_file);
}

srs_status srs_rows_file_open(const char *path, const srs_sweep_plan *plan, bool is_forced, srs_rows_file *f,
                              srs_error *error)
{
  *f = (srs_rows_file){.plan = plan, .descriptor = -1};
  f->is_hdf5 = srs_has_ending(path, ".h5") || srs_has_ending(path, ".hdf5");
  const size_t room = strlen(path) + 32;
  f->path = malloc(room), f->rows_path = malloc(room), f->note_path = malloc(room);
  if (f->path == NULL || f->rows_path == NULL || f->note_path == NULL) return no_memory(error);
  srs_print(f->path, room, "%s", path);
  srs_print(f->rows_path, room, "%s%s", path, f->is_hdf5 ? ".rows.csv" : "");
  srs_print(f->note_path, room, "%s.yaml", f->rows_path);
  if (is_read_from(plan, path) || is_read_from(plan, f->note_path))
    return srs_fail(error, SRS_ERROR_ARGUMENT, path, 0, 0, NULL,
                    "the sweep reads this file, or one that would be written beside it: name another by --out");
  if (f->is_hdf5 && !is_forced && srs_is_name_taken(path, error)) return SRS_ERROR_FILE;
  return open_rows(f, is_forced, error);
}

srs_status srs_rows_file_add(srs_rows_file *f, const srs_sweep_row *row, srs_error *error)
{
  if (!put_row(f, row)) return no_memory(error);
  f->n_rows++;
  f->n_failed += !row->is_good;
  return f->length > (1U << 16) ? srs_rows_file_flush(f, error) : SRS_OK;
}

srs_status srs_rows_file_flush(srs_rows_file *f, srs_error *error)
{
  size_t written = 0;
  if (f->length == 0) return SRS_OK;
  const bool is_good = srs_write_all(f->descriptor, f->buffer, f->length, &written);
  f->length = 0;
  return is_good ? SRS_OK : fail_file(f, "cannot be written; make room and run the same command again", error);
}

srs_status srs_rows_file_close(srs_rows_file *f, srs_error *error)
{
  srs_status status = f->descriptor >= 0 ? srs_rows_file_flush(f, error) : SRS_OK;
  if (f->descriptor >= 0 && status == SRS_OK && f->is_hdf5 && f->n_rows == f->plan->n_runs) {
    status = srs_rows_to_hdf5(f->rows_path, f->note_path, f->plan, f->path, error);
    if (status == SRS_OK) (void)unlink(f->rows_path), (void)unlink(f->note_path);
  }
  if (f->descriptor >= 0 && close(f->descriptor) != 0 && status == SRS_OK)
    status = fail_file(f, "cannot be written", error);
  free(f->path), free(f->rows_path), free(f->note_path), free(f->buffer);
  f->path = f->rows_path = f->note_path = f->buffer = NULL;
  f->descriptor = -1;
  return status;
}
