// How does a recording become a page on the disk? Its film, the columns whose curves are drawn first, the page, the
// file.

#include "engine/cli/view/write_page.h"

#include "engine/cli/shared/messages.h"
#include "engine/cli/view/page.h"
#include "topology/base/whole_file.h"

#include <errno.h>
#include <fnmatch.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

enum { FIRST_CURVES = 3 };

bool srs_page_is_possible(srs_error *error)
{
  if (srs_page_is_built_in()) return true;
  srs_report_fill(error, SRS_ERROR_UNSUPPORTED,
                  "this sarrus was built without three.js, which the page of a run needs: install the Debian package "
                  "libjs-three, then configure and build again");
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

static bool is_in_list(const char *name, const char *list)
{
  for (const char *at = list; at != NULL;) {
    const char *comma = strchr(at, ',');
    char pattern[256];
    snprintf(pattern, sizeof pattern, "%.*s", (int)(comma != NULL ? comma - at : (ptrdiff_t)strlen(at)), at);
    if (fnmatch(pattern, name, 0) == 0 || strcmp(pattern, name) == 0) return true;
    at = comma != NULL ? comma + 1 : NULL;
  }
  return false;
}

static int choose_columns(const srs_page_request *request, int *chosen)
{
  const table *t = &request->recording->table;
  int n = 0;
  for (int i = 1; i < t->n_columns; i++) {
    const bool is_first = n < FIRST_CURVES && strncmp(t->names[i], "q:", 2) == 0;
    if (request->columns != NULL ? is_in_list(t->names[i], request->columns) : is_first) chosen[n++] = i;
  }
  return n;
}

// ---------------------------------------------------------------------------------------------------------------------
// The page
// ---------------------------------------------------------------------------------------------------------------------

// The scene's name without folders and ending.
static void name_page(const srs_page_request *request, char title[256])
{
  const srs_recording *recording = request->recording;
  const char *path = recording->scene_file != NULL ? recording->scene_file : recording->name;
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
  snprintf(title, 256, "%.*s", (int)(dot != NULL && dot != name ? dot - name : (ptrdiff_t)strlen(name)), name);
}

static srs_status make_text(const srs_command *command, const srs_page_request *request, const srs_film *film,
                            const int *chosen, int n_chosen, char **text, size_t *length, srs_error *error)
{
  char title[256];
  name_page(request, title);
  int n_missing = 0;
  srs_error missing = {0};
  srs_page page = {
      .film = film, .title = request->title != NULL ? request->title : title, .chosen = chosen, .n_chosen = n_chosen};
  memcpy(page.gravity, srs_scene_get_settings(request->scene)->sim.gravity, sizeof page.gravity);
  const srs_status status = srs_page_make(&page, text, length, &n_missing, &missing, error);
  if (status == SRS_OK && n_missing > 0) srs_report_missing_meshes(command, n_missing, &missing);
  return status;
}

// Whether a file begins like a page of ours.
static bool is_page(const char *path)
{
  char head[512] = "";
  FILE *file = fopen(path, "rbe");
  if (file == NULL) return false;
  head[fread(head, 1, sizeof head - 1, file)] = '\0';
  (void)fclose(file);
  return strstr(head, "<title>Sarrus</title>") != NULL;
}

static int open_page(const char *path)
{
  char program[] = "xdg-open";
  char *const arguments[] = {program, (char *)(uintptr_t)path, NULL};
  pid_t child = 0;
  int exit_status = 0;
  srs_error error = {0};
  const int failure = posix_spawnp(&child, program, NULL, NULL, arguments, environ);
  while (failure == 0 && waitpid(child, &exit_status, 0) < 0 && errno == EINTR) continue;
  if (failure == 0 && WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0) return SRS_EXIT_OK;
  srs_report_fill(&error, SRS_ERROR_FILE, "xdg-open could not open %s (Debian package xdg-utils); open it in a browser",
                  path);
  return srs_report_failure(&error);
}

static int put_page(const srs_command *command, const srs_page_request *request, const srs_film *film, const char *path,
                    const int *chosen, int n_chosen)
{
  static const char line[] = "%s  (%d of %d rows, %.2f MB)";
  char *text = NULL;
  size_t length = 0;
  srs_error error = {0};
  srs_status status = make_text(command, request, film, chosen, n_chosen, &text, &length, &error);
  if (status == SRS_OK) status = srs_write_whole_file(path, text, length, SRS_EXISTING_IS_REPLACED, &error);
  free(text);
  if (status != SRS_OK) return srs_report_failure(&error);
  char what[1200];
  snprintf(what, sizeof what, line, path, film->n_frames, request->recording->table.n_rows, (double)length / 1e6);
  if (request->is_aside)
    srs_report_note(command, "written %s", what);
  else
    printf("written  %s\n", what);
  return request->opens ? open_page(path) : SRS_EXIT_OK;
}

int srs_write_page(const srs_command *command, const srs_page_request *request)
{
  srs_film film;
  srs_error error = {0};
  const srs_recording *recording = request->recording;
  int *chosen = calloc((size_t)recording->table.n_columns + 1, sizeof *chosen);
  char *path = request->out != NULL ? strdup(request->out) : srs_recording_beside(recording->path, ".html");
  srs_status status = chosen != NULL && path != NULL ? SRS_OK : SRS_ERROR_MEMORY;
  if (status != SRS_OK) srs_report_fill(&error, status, "out of memory for the page");
  const bool may_replace = request->is_forced || (path != NULL && request->replaces_pages && is_page(path));
  if (status == SRS_OK && !may_replace && srs_is_name_taken(path, &error)) status = error.status;
  const int n_chosen = status == SRS_OK ? choose_columns(request, chosen) : 0;
  if (status == SRS_OK && request->columns != NULL && n_chosen == 0)
    status = srs_report_fill(&error, SRS_ERROR_NAME,
                             "%s: no column is like '%.200s'; `sarrus plot %s '*' --list` shows them", recording->path,
                             request->columns, recording->path);
  if (status == SRS_OK)
    status = srs_film_make(srs_scene_model(request->scene), recording, request->every, &film, &error);
  int exit_status = SRS_EXIT_OK;
  if (status == SRS_OK) {
    exit_status = put_page(command, request, &film, path, chosen, n_chosen);
    srs_film_free(&film);
  } else {
    exit_status = srs_report_failure(&error);
  }
  free(chosen);
  free(path);
  return exit_status;
}
