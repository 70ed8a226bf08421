// Which frames is a quantity of? Names of `--frames A,B`, or all frames of the model.
#include "engine/cli/eval/query.h"

#include "engine/cli/shared/messages.h"
#include "topology/base/text.h"

#include <stdlib.h>
#include <string.h>

static int refuse_for_memory(void)
{
  srs_error error;
  srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the frames");
  return srs_report_failure(&error);
}

static int refuse_frame(const srs_command *command, const srs_model *model, const char *name)
{
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < srs_model_n_frames(model); i++) srs_nearest_offer(&nearest, srs_model_frame(model, i)->name);
  char hint[192];
  return srs_usage_error(command, "--frames: the model has no link or frame '%s'%s", name,
                         srs_nearest_hint(&nearest, hint));
}

static int add_frame(const srs_command *command, srs_query *query, const char *name)
{
  const int frame = srs_model_find_frame(query->state->model, name);
  if (frame < 0) return refuse_frame(command, query->state->model, name);
  for (int i = 0; i < query->n_frames; i++)
    if (query->frames[i] == frame) return srs_usage_error(command, "--frames names '%s' twice", name);
  query->frames[query->n_frames++] = frame;
  return SRS_EXIT_OK;
}

static int add_named_frames(const srs_command *command, srs_query *query, const char *names)
{
  char *copy = strdup(names);
  if (copy == NULL) return refuse_for_memory();
  int status = SRS_EXIT_OK;
  for (char *name = copy, *next = NULL; name != NULL && status == SRS_EXIT_OK; name = next) {
    next = strchr(name, ',');
    if (next != NULL) *next++ = '\0';
    status = add_frame(command, query, name);
  }
  free(copy);
  return status;
}

int srs_query_choose_frames(const srs_command *command, srs_query *query, const char *names)
{
  const int n = srs_model_n_frames(query->state->model);
  query->frames = calloc((size_t)n + 1, sizeof *query->frames);
  if (query->frames == NULL) return refuse_for_memory();
  if (names != NULL) return add_named_frames(command, query, names);
  for (int i = 0; i < n; i++) query->frames[query->n_frames++] = i;
  return SRS_EXIT_OK;
}

void srs_query_free_frames(srs_query *query)
{
  free(query->frames);
  query->frames = NULL;
  query->n_frames = 0;
}
