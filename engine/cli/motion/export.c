// A recording becomes another file, by the ending of its name.
#include "engine/cli/motion/export.h"

#include "engine/cli/recording/recorded_scene.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/values.h"
#include "engine/output/output_files.h"
#include "topology/base/text.h"
#include "topology/base/whole_file.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_FILES = 300 }; // of frames, for ParaView

bool srs_is_run_file(const char *path) { return srs_is_hdf5(path) || srs_has_ending(path, ".csv"); }

bool srs_is_export(const char *from, const char *to)
{
  return srs_is_run_file(from) &&
         (srs_has_ending(to, ".csv") || srs_has_ending(to, ".pvd") || srs_has_ending(to, ".gltf"));
}

srs_status srs_export_write(FILE *memory, char **text, const size_t *length, const char *path, bool is_forced,
                            srs_error *error)
{
  bool is_good = ferror(memory) == 0;
  is_good = fclose(memory) == 0 && is_good;
  const srs_status status =
      is_good
          ? srs_write_whole_file(path, *text, *length, is_forced ? SRS_EXISTING_IS_REPLACED : SRS_EXISTING_STAYS, error)
          : srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  free(*text);
  *text = NULL;
  return status;
}

static int write_film(const srs_command *command, const srs_export_request *request, const srs_recording *recording,
                      const srs_scene *scene, int every)
{
  srs_film film;
  srs_parts parts;
  srs_error error = {0};
  const bool is_pvd = srs_has_ending(request->to, ".pvd");
  if (every == 0 && is_pvd) every = (recording->table.n_rows + MOST_FILES - 1) / MOST_FILES;
  if (srs_film_make(srs_scene_model(scene), recording, every, &film, &error) != SRS_OK)
    return srs_report_failure(&error);
  srs_status status = SRS_OK;
  if (!srs_parts_make(film.model, &parts) || !srs_parts_add_sticks(&film, &parts))
    status = srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for solids");
  if (status == SRS_OK) srs_parts_fit_ground(&film, &parts);
  if (status == SRS_OK && parts.n_missing > 0) srs_report_missing_meshes(command, parts.n_missing, &parts.missing);
  if (status == SRS_OK)
    status = (is_pvd ? srs_export_pvd : srs_export_gltf)(&film, &parts, request->to, request->is_forced, &error);
  if (status == SRS_OK)
    printf("written  %s  (%d of %d rows, %d solids)\n", request->to, film.n_frames, recording->table.n_rows, parts.n);
  srs_parts_free(&parts);
  srs_film_free(&film);
  return status == SRS_OK ? SRS_EXIT_OK : srs_report_failure(&error);
}

static int convert(const srs_command *command, srs_loading *loading, const srs_export_request *request,
                   const srs_recording *recording, int every)
{
  srs_error error = {0};
  if (srs_has_ending(request->to, ".csv")) {
    const srs_status status = srs_export_csv(recording, request->to, request->is_forced, &error);
    if (status != SRS_OK) return srs_report_failure(&error);
    printf("written  %s  (%d rows)\n", request->to, recording->table.n_rows);
    return SRS_EXIT_OK;
  }
  srs_scene *scene = NULL;
  int status = srs_recording_open_scene(command, loading, recording, request->scene, &scene);
  if (status == SRS_EXIT_OK) status = write_film(command, request, recording, scene, every);
  srs_scene_destroy(scene);
  return status;
}

int srs_export_run(const srs_command *command, srs_loading *loading, const srs_export_request *request)
{
  srs_recording recording;
  srs_error error = {0};
  int every = 0;
  int status = request->every != NULL ? srs_value_count(command, "every", request->every, &every) : SRS_EXIT_OK;
  if (status != SRS_EXIT_OK) return status;
  if (srs_is_same_file(request->from, request->to)) {
    srs_report_fill(&error, SRS_ERROR_ARGUMENT, "%.300s is the run itself, give OUT another name", request->to);
    return srs_report_failure(&error);
  }
  if (srs_recording_read(request->from, &recording, &error) != SRS_OK) return srs_report_failure(&error);
  status = convert(command, loading, request, &recording, every);
  srs_recording_free(&recording);
  return status;
}
