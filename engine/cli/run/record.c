// Recording the hardest contact problems of a run: those with the largest residual above the tolerance, then those with
// the most iterations. (Below the tolerance residuals are rounding errors and say nothing.)
//
// Problems are copied, as they are solved, into slots allocated before the run; a new one replaces the easiest. A slot
// has room for MOST_ROWS rows; the system provides its memory only as far as it is used.
#include "engine/cli/run/record.h"
#include "engine/cli/shared/messages.h"
#include "topology/base/whole_file.h"
#include <sarrus/contact_file.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  LONGEST_PATH = 4200,
  MOST_ROWS = 1000,
  MOST_CONTACTS = 500,
  DOUBLES = MOST_ROWS * MOST_ROWS + 4 * MOST_ROWS + 5 * MOST_CONTACTS
};

typedef struct slot {
  srs_contact_problem problem; // its arrays are in `memory`
  srs_contact_report report;
  double *impulse;
  double time;
  long step;
  double *memory; // DOUBLES
  unsigned char *tangents;
} slot;

struct srs_record {
  const char *folder;
  srs_sim *sim;
  slot *slots; // n
  int n, count, easiest, n_written;
  long n_too_large;
};

static double excess(const srs_record *r, const srs_contact_report *report)
{
  return report->residual > srs_sim_get_options(r->sim)->contact.solver.tolerance ? report->residual : 0;
}

static bool is_harder(const srs_record *r, const srs_contact_report *a, const srs_contact_report *b)
{
  const double excess_a = excess(r, a), excess_b = excess(r, b);
  return excess_a != excess_b ? excess_a > excess_b : a->iterations > b->iterations;
}

// ---- during the run ----

static double *keep(double **memory, const double *from, size_t n)
{
  double *to = *memory;
  if (from == NULL) return NULL;
  memcpy(to, from, n * sizeof *to);
  *memory += n;
  return to;
}

static void copy(slot *s, const srs_contact_problem *p, const double *impulse, const srs_contact_report *report)
{
  const size_t n = (size_t)srs_contact_problem_rows(p), contacts = (size_t)p->n_contacts;
  double *memory = s->memory;
  s->problem = *p;
  s->report = *report;
  s->problem.blocks = NULL;
  s->problem.W = memory;
  if (p->blocks != NULL) {
    srs_contact_blocks_expand(p->blocks, memory);
    memory += n * n;
  } else {
    (void)keep(&memory, p->W, n * n);
  }
  s->problem.b = keep(&memory, p->b, n);
  s->problem.friction = keep(&memory, p->friction, contacts);
  s->problem.anisotropy = keep(&memory, p->anisotropy, 3 * contacts);
  s->problem.rolling = keep(&memory, p->rolling, contacts);
  s->problem.box_lower = keep(&memory, p->box_lower, (size_t)p->n_box);
  s->problem.box_upper = keep(&memory, p->box_upper, (size_t)p->n_box);
  s->impulse = keep(&memory, impulse, n);
  if (p->tangents == NULL) return;
  memcpy(s->tangents, p->tangents, contacts);
  s->problem.tangents = s->tangents;
}

static void watch(void *context, const srs_contact_problem *problem, const double *impulse,
                  const srs_contact_report *report)
{
  srs_record *r = context;
  if (r->count == r->n && !is_harder(r, report, &r->slots[r->easiest].report)) return;
  if (srs_contact_problem_rows(problem) > MOST_ROWS || problem->n_contacts > MOST_CONTACTS) {
    r->n_too_large++;
    return;
  }
  slot *s = &r->slots[r->count < r->n ? r->count++ : r->easiest];
  copy(s, problem, impulse, report);
  s->time = srs_sim_time(r->sim);
  s->step = srs_sim_steps(r->sim) + 1;
  r->easiest = 0;
  for (int i = 1; i < r->count; i++)
    if (is_harder(r, &r->slots[r->easiest].report, &r->slots[i].report)) r->easiest = i;
}

// ---- before and after ----

static srs_status make_folder(const char *folder, srs_error *error)
{
  struct stat info;
  char why[128];
  const bool is_made = mkdir(folder, 0777) == 0;
  int number = is_made ? 0 : errno;
  const bool is_there = is_made || (number == EEXIST && stat(folder, &info) == 0 && S_ISDIR(info.st_mode));
  if (is_there && access(folder, W_OK | X_OK) == 0) return SRS_OK;
  if (is_there || number == EEXIST) number = is_there ? errno : ENOTDIR;
  srs_report_fill(error, SRS_ERROR_FILE,
                  "cannot be %s: %s; name a folder that can be written to, or a new one inside such a folder",
                  is_there ? "written to" : "created", strerror_r(number, why, sizeof why));
  snprintf(error->file, sizeof error->file, "%s", folder);
  return SRS_ERROR_FILE;
}

static void name_file(char path[LONGEST_PATH], const char *folder, int rank)
{
  snprintf(path, LONGEST_PATH, "%s/problem-%03d.hdf5", folder, rank);
}

static srs_status spare_files(const char *folder, int n, srs_error *error)
{
  char path[LONGEST_PATH];
  for (int i = 1; i <= n; i++) {
    name_file(path, folder, i);
    if (srs_is_name_taken(path, error)) return SRS_ERROR_FILE;
  }
  return SRS_OK;
}

srs_status srs_record_create(const char *folder, int n, bool replaces, srs_sim *sim, srs_record **record,
                             srs_error *error)
{
  enum { MOST = 999 };
  if (n > MOST) return srs_report_fill(error, SRS_ERROR_ARGUMENT, "--record %d: at most %d problems are kept", n, MOST);
  srs_record *r = calloc(1, sizeof *r);
  bool is_good = r != NULL && (r->slots = calloc((size_t)n, sizeof *r->slots)) != NULL;
  for (int i = 0; i < n && is_good; i++) {
    slot *s = &r->slots[r->n++];
    s->memory = calloc(DOUBLES, sizeof *s->memory);
    s->tangents = calloc(MOST_CONTACTS, sizeof *s->tangents);
    is_good = s->memory != NULL && s->tangents != NULL;
  }
  srs_status status = is_good ? make_folder(folder, error)
                              : srs_report_fill(error, SRS_ERROR_MEMORY, "no memory to record %d problems", n);
  if (status == SRS_OK && !replaces) status = spare_files(folder, n, error);
  if (status != SRS_OK) {
    srs_record_destroy(r);
    return status;
  }
  r->folder = folder, r->sim = sim;
  srs_sim_watch_contacts(sim, watch, r);
  *record = r;
  return SRS_OK;
}

void srs_record_destroy(srs_record *r)
{
  if (r == NULL) return;
  for (int i = 0; i < r->n; i++) {
    free(r->slots[i].memory);
    free(r->slots[i].tangents);
  }
  free(r->slots);
  free(r);
}

static void sort(srs_record *r)
{
  for (int i = 1; i < r->count; i++) {
    const slot moved = r->slots[i];
    int at = i;
    for (; at > 0 && is_harder(r, &moved.report, &r->slots[at - 1].report); at--) r->slots[at] = r->slots[at - 1];
    r->slots[at] = moved;
  }
}

// Includes the impulses where they are a solution.
static srs_status write_slot(const srs_record *r, const slot *s, int rank, const char *scene, srs_error *error)
{
  char path[LONGEST_PATH], title[LONGEST_PATH], description[256], number[2][32];
  name_file(path, r->folder, rank);
  srs_format_number(s->time, number[0]);
  srs_format_number(s->report.residual, number[1]);
  snprintf(title, sizeof title, "%s: step %ld, from t = %s s", scene, s->step, number[0]);
  snprintf(description, sizeof description,
           "contacts: %d, bilateral rows: %d; %s: %s, residual %s, %d iterations, from %s", s->problem.n_contacts,
           s->problem.n_bilateral, srs_contact_method_name(srs_sim_get_options(r->sim)->contact.solver.method),
           srs_contact_status_name(s->report.status), number[1], s->report.iterations,
           srs_contact_stage_name(s->report.stage));
  const srs_contact_file file = {.problem = s->problem,
                                 .impulse = s->report.status == SRS_CONTACT_SOLVED ? s->impulse : NULL,
                                 .title = title,
                                 .description = description,
                                 .math_info = "W = J M^-1 J^T: symmetric, positive semi-definite"};
  return srs_contact_file_write(path, &file, error);
}

srs_status srs_record_write(srs_record *r, const srs_command *command, const char *scene, srs_error *error)
{
  if (r == NULL) return SRS_OK;
  srs_sim_watch_contacts(r->sim, NULL, NULL);
  sort(r);
  int n_unsupported = 0;
  for (int i = 0; i < r->count; i++) {
    const srs_status status = write_slot(r, &r->slots[i], r->n_written + 1, scene, error);
    if (status == SRS_ERROR_UNSUPPORTED)
      n_unsupported++;
    else if (status != SRS_OK)
      return status;
    else
      r->n_written++;
  }
  if (n_unsupported > 0)
    srs_report_note(command,
                    "%d of the hardest problems are not recorded: the file format cannot represent some of their rows",
                    n_unsupported);
  if (r->n_too_large > 0)
    srs_report_note(command,
                    "%ld hard problems were too large to be recorded: at most %d rows and %d contacts are kept",
                    r->n_too_large, MOST_ROWS, MOST_CONTACTS);
  return SRS_OK;
}

int srs_record_count(const srs_record *r) { return r != NULL ? r->n_written : 0; }
