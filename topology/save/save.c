// How does a model become a file? By the writer of the file's ending, in the table below, from the definitions that the
// model was built from (builder/source.h). The file is written whole or not at all.
#include "topology/base/text.h"
#include "topology/base/whole_file.h"
#include "topology/builder/source.h"
#include "topology/model/model.h"
#include "topology/save/save_scene.h"
#include "topology/save/save_urdf.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *ending;
  srs_status (*write)(srs_save *save);
} formats[] = {
    {".urdf", srs_save_urdf},
    {".yaml", srs_save_scene},
    {".yml", srs_save_scene},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

srs_save_options srs_default_save_options(void) { return (srs_save_options){0}; }

// The folder that the file will lie in, resolved, "/" at its end; NULL where there is none, or no memory.
static char *folder_of(const char *path, bool *is_out_of_memory)
{
  srs_arena arena = {0};
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? "." : srs_text_copy(&arena, path, (size_t)(slash - path) + 1);
  char *resolved = name != NULL ? realpath(name, NULL) : NULL;
  *is_out_of_memory = name == NULL || (resolved == NULL && errno == ENOMEM);
  srs_arena_release(&arena);
  if (resolved == NULL) return NULL;
  const size_t size = strlen(resolved) + 2;
  char *folder = malloc(size);
  *is_out_of_memory = folder == NULL;
  if (folder != NULL) srs_print(folder, size, "%s/", resolved);
  free(resolved);
  return folder;
}

static srs_status check(const srs_model *model, const char *path, int *format, srs_error *error)
{
  if (model == NULL || path == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_model_save: %s is NULL",
                    model == NULL ? "model" : "path");
  for (*format = 0; *format < FORMATS; (*format)++)
    if (srs_has_ending(path, formats[*format].ending)) return SRS_OK;
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, path, 0, 0, NULL,
                  "a model is written as .urdf or as a scene, .yaml: give the file one of these endings");
}

// What an MJCF file says beyond the mechanism, where only a scene could say it.
static void note_settings(const srs_save *save)
{
  const srs_file_settings *file = &save->model->file;
  const int n =
      file->n_materials + file->n_pairs + file->n_actuators + file->n_velocities + file->n_wrenches + file->n_sensors;
  if (n > 0 || file->has_gravity || file->has_step || file->has_integrator)
    srs_save_note(save,
                  "friction, pairs, actuators, sensors, velocities at the start, gravity and step of the robot file "
                  "are no part of the mechanism: left out");
}

srs_status srs_model_save(const srs_model *model, const char *path, const srs_save_options *options, srs_error *error)
{
  const srs_save_options standard = srs_default_save_options();
  if (options == NULL) options = &standard;
  int format = 0;
  srs_status status = check(model, path, &format, error);
  if (status != SRS_OK) return status;
  if (!options->overwrite && srs_is_name_taken(path, error)) return SRS_ERROR_FILE;
  srs_save save = {.path = path,
                   .model = model,
                   .source = srs_source_of(model),
                   .file = &model->file,
                   .options = options,
                   .error = error};
  save.folder = folder_of(path, &save.failed);
  if (!save.failed) status = formats[format].write(&save);
  if (!save.failed && formats[format].write != srs_save_scene) note_settings(&save);
  if (status == SRS_OK && save.failed)
    status = srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "out of memory while writing");
  if (status == SRS_OK)
    status = srs_write_whole_file(path, save.text, save.length,
                                  options->overwrite ? SRS_EXISTING_IS_REPLACED : SRS_EXISTING_STAYS, error);
  free(save.text);
  free(save.folder);
  return status;
}
