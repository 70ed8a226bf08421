// How does a model become three files of C? The model as segments, each function recorded and written, the texts
// complete before the first file is.
#include "engine/generate/generate.h"

#include "engine/generate/plan.h"
#include "topology/base/errors.h"
#include "topology/base/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES = 3 };

static const char *const endings[FILES] = {".h", ".c", "_test.c"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_prefix(const char *text)
{
  if (text == NULL || !is_letter(text[0]) || strlen(text) > 48) return false;
  for (const char *c = text; *c != '\0'; c++)
    if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '_') return false;
  return true;
}

unsigned srs_functions_of(const srs_model *model)
{
  const unsigned all = (1U << SRS_GENERATED_FUNCTIONS) - 1;
  return model->is_bare ? all & ~(1U << SRS_GENERATED_ABA) : all;
}

static srs_status check(const srs_model *model, const srs_generate_options *options, srs_error *error)
{
  if (!is_prefix(options->prefix))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, options->prefix,
                    "'%s' cannot begin the names of C functions: a letter, then letters, digits and _, at most 48",
                    options->prefix == NULL ? "" : options->prefix);
  if (model->n_closures > 0) {
    const srs_closure *closure = &model->closures[0];
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, closure->file, closure->line, closure->column, closure->name,
                    "%s '%s' closes a loop, and code is generated for trees only: take it out of the model",
                    closure->is_embedded ? "embedded closure" : "closure", closure->name);
  }
  if ((options->functions & ~srs_functions_of(model)) != 0)
    return srs_fail(error, SRS_ERROR_SINGULAR, NULL, 0, 0, model->joints[model->bare_link].name,
                    "there is no forward dynamics: nothing resists joint '%s' in any configuration; give link '%s' "
                    "mass, or leave out 'aba'",
                    model->joints[model->bare_link].name, model->links[model->bare_link].name);
  if (model->nv == 0)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, NULL,
                    "nothing moves: the model has no joint with a coordinate");
  return SRS_OK;
}

// The frames asked for, else those of the file's links that carry no other.
static bool choose_frames(srs_plan *plan)
{
  const srs_model *m = plan->model;
  plan->frames = plan->options->frames;
  plan->n_frames = plan->options->n_frames;
  if (plan->n_frames > 0) return true;
  int *frames = srs_arena_take(&plan->arena, (size_t)m->n_parts, sizeof *frames);
  bool *carries = srs_arena_take(&plan->arena, (size_t)m->n_parts, sizeof *carries);
  if (plan->arena.failed) return false;
  for (int i = 0; i < m->n_parts; i++)
    if (m->part_parent[i] >= 0) carries[m->part_parent[i]] = true;
  for (int i = 0; i < m->n_parts; i++)
    if (!carries[i]) frames[plan->n_frames++] = i;
  plan->frames = frames;
  return true;
}

static srs_status make_folder(const char *folder, srs_error *error)
{
  struct stat there;
  if (mkdir(folder, 0777) == 0) return SRS_OK;
  const int cause = errno;
  if (cause == EEXIST && stat(folder, &there) == 0 && S_ISDIR(there.st_mode)) return SRS_OK;
  return srs_fail(error, SRS_ERROR_FILE, folder, 0, 0, NULL, "cannot make this folder: %s",
                  cause == EEXIST ? "a file has its name" : strerror(cause));
}

static srs_status write_files(const srs_plan *plan, const char *folder, const srs_save *texts, srs_error *error)
{
  const srs_generate_options *options = plan->options;
  const srs_existing existing = options->overwrite ? SRS_EXISTING_IS_REPLACED : SRS_EXISTING_STAYS;
  srs_arena arena = {0};
  const char *paths[FILES];
  for (int i = 0; i < FILES; i++)
    paths[i] = srs_arena_print(&arena, "%s/%s_dynamics%s", folder, options->prefix, endings[i]);
  srs_status status = SRS_OK;
  if (arena.failed) status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for paths");
  if (status == SRS_OK) status = make_folder(folder, error);
  for (int i = 0; i < FILES && status == SRS_OK; i++)
    if (!options->overwrite && srs_is_name_taken(paths[i], error)) status = SRS_ERROR_FILE;
  for (int i = 0; i < FILES && status == SRS_OK; i++)
    status = srs_write_whole_file(paths[i], texts[i].text, texts[i].length, existing, error);
  srs_arena_release(&arena);
  return status;
}

srs_status srs_generate(const srs_model *model, const char *folder, const srs_generate_options *options,
                        srs_generated_cost *costs, srs_error *error)
{
  srs_status status = check(model, options, error);
  if (status != SRS_OK) return status;
  srs_save texts[FILES] = {{0}};
  srs_plan plan = {.model = model, .options = options, .costs = costs};
  for (int i = 0; i < SRS_GENERATED_FUNCTIONS; i++) costs[i] = (srs_generated_cost){0};
  if (!srs_segments_make(&plan.arena, model, &plan.segments) || !choose_frames(&plan)) status = SRS_ERROR_MEMORY;
  if (status == SRS_OK) status = srs_write_source(&plan, &texts[1]);
  if (status == SRS_OK) srs_write_header(&plan, &texts[0]);
  if (status == SRS_OK && texts[0].failed) status = SRS_ERROR_MEMORY;
  if (status == SRS_ERROR_MEMORY)
    status = srs_fail(error, status, NULL, 0, 0, NULL, "out of memory for code of %d coordinates", model->nv);
  if (status == SRS_OK) status = srs_write_test(&plan, &texts[2], error);
  if (status == SRS_OK) status = write_files(&plan, folder, texts, error);
  for (int i = 0; i < FILES; i++) free(texts[i].text);
  srs_arena_release(&plan.arena);
  return status;
}
