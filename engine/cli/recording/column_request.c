// Options of columns: a flag for each group, and a list of names and patterns with commas between.
#include "engine/cli/recording/column_request.h"

#include "engine/cli/shared/messages.h"
#include "engine/output/columns/column_sources.h"

#include <stdlib.h>
#include <string.h>

const char *srs_column_request_name(const srs_column_request *r)
{
  const struct {
    bool is_given;
    const char *name;
  } options[] = {{r->list != NULL, "columns"}, {r->torques, "torques"},   {r->accelerations, "accelerations"},
                 {r->energies, "energies"},    {r->contacts, "contacts"}, {r->body_contacts, "body-contacts"},
                 {r->loops, "loops"},          {r->efforts, "efforts"},   {r->wrenches, "wrenches"},
                 {r->frames, "frames"},        {r->sensors, "sensors"}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (options[i].is_given) return options[i].name;
  return NULL;
}

static int no_memory(void)
{
  srs_error error;
  srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the columns");
  return srs_report_failure(&error);
}

// Two places are for what a page needs and the end.
static int read_list(const srs_command *command, srs_column_request *r)
{
  size_t n = 1;
  for (const char *c = r->list; *c != '\0'; c++) n += *c == ',';
  r->text = strdup(r->list);
  r->patterns = calloc(n + 2, sizeof *r->patterns);
  if (r->text == NULL || r->patterns == NULL) return no_memory();
  char *rest = NULL;
  size_t i = 0;
  for (char *part = strtok_r(r->text, ",", &rest); part != NULL; part = strtok_r(NULL, ",", &rest))
    r->patterns[i++] = part;
  if (i == n) return SRS_EXIT_OK;
  return srs_usage_error(command, "--columns '%s' is no list of columns: names or patterns with commas between",
                         r->list);
}

// A page is made from the coordinates.
static int add_coordinates(srs_column_request *r, const srs_model *model, srs_trajectory_options *options)
{
  if (options->columns == NULL || srs_model_nq(model) == 0) return SRS_EXIT_OK;
  size_t n = 0;
  while (options->columns[n] != NULL) n++;
  const char **columns = calloc(n + 2, sizeof *columns);
  if (columns == NULL) return no_memory();
  memcpy(columns, options->columns, n * sizeof *columns);
  columns[n] = "q:*";
  free(r->patterns);
  options->columns = r->patterns = columns;
  return SRS_EXIT_OK;
}

int srs_column_request_apply(const srs_command *command, srs_column_request *r, srs_sim *sim, bool shows,
                             srs_trajectory_options *o)
{
  int status = r->list != NULL ? read_list(command, r) : SRS_EXIT_OK;
  if (status == SRS_EXIT_OK && r->list != NULL) o->columns = r->patterns;
  if (status == SRS_EXIT_OK && shows) status = add_coordinates(r, srs_sim_model(sim), o);
  if (status != SRS_EXIT_OK) return status;
  o->torques = o->torques || r->torques;
  o->accelerations = o->accelerations || r->accelerations;
  o->energies = o->energies || r->energies;
  o->loops = o->loops || r->loops;
  o->efforts = o->efforts || r->efforts;
  o->wrenches = o->wrenches || r->wrenches;
  o->poses = o->poses || r->frames;
  o->twists = o->twists || r->frames;
  o->sensors = (o->sensors && r->list == NULL) || r->sensors;
  const srs_collider *collider = srs_sim_collider(sim);
  const int n_pairs = collider != NULL ? srs_collider_n_pairs(collider) : 0;
  const bool has_arrows = shows && n_pairs <= SRS_CONTACT_COLUMN_PAIRS;
  o->contacts = o->contacts || r->contacts || has_arrows;
  o->body_contacts = o->body_contacts || r->body_contacts;
  if (o->contacts && !o->body_contacts && n_pairs > SRS_CONTACT_COLUMN_PAIRS) {
    srs_report_note(command, "%d pairs of shapes may collide: the contact columns are of pairs of links that touch",
                    n_pairs);
    o->body_contacts = true;
  }
  return SRS_EXIT_OK;
}

void srs_column_request_free(srs_column_request *r)
{
  free(r->patterns);
  free(r->text);
  r->patterns = NULL;
  r->text = NULL;
}
