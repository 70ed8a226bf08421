// Which scene is a recording of? The one that it names, with the text that it had then.
#include "engine/cli/recording/recorded_scene.h"

#include "engine/cli/shared/messages.h"

#include <string.h>

int srs_recording_open_scene(const srs_command *command, srs_loading *loading, const srs_recording *recording,
                             const char *given, srs_scene **scene)
{
  const char *path = given != NULL ? given : recording->scene_file;
  srs_error error = {0};
  if (path == NULL) {
    srs_report_fill(&error, SRS_ERROR_FILE, "%s: there is no file beside it that names the scene; give it by --scene",
                    recording->path);
    return srs_report_failure(&error);
  }
  if (given == NULL) loading->text = recording->scene_text;
  loading->allows_missing_links = loading->allows_unsupported =
      true; // what ran was read, with these options or without
  const int status = srs_loading_open(command, loading, path, scene);
  if (status != SRS_EXIT_OK || loading->text == NULL) return status;
  if (strcmp(srs_scene_get_settings(*scene)->text, loading->text) != 0)
    srs_report_note(command, "%s has changed since the run; it is taken as it is now", path);
  return status;
}
