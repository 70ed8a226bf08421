// `sarrus run --view`: the finished trajectory is read back as `sarrus view` would.
#include "engine/cli/run/show.h"

#include "engine/cli/shared/messages.h"
#include "engine/cli/view/write_page.h"

#include <stdlib.h>
#include <string.h>

int srs_run_prepare_page(const char *scene, const char **output, char **own)
{
  srs_error error = {0};
  *own = NULL;
  if (!srs_page_is_possible(&error)) return srs_report_failure(&error);
  if (*output != NULL) return SRS_EXIT_OK;
  const char *slash = strrchr(scene, '/');
  *output = *own = srs_recording_beside(slash != NULL ? slash + 1 : scene, ".csv");
  if (*own != NULL) return SRS_EXIT_OK;
  srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory");
  return srs_report_failure(&error);
}

static bool has_display(void)
{
  const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  return (x11 != NULL && x11[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
}

int srs_run_show(const srs_command *command, const srs_scene *scene, const char *output, bool is_aside)
{
  srs_recording recording;
  srs_error error = {0};
  if (srs_recording_read(output, &recording, &error) != SRS_OK) return srs_report_failure(&error);
  const srs_page_request request = {
      .recording = &recording, .scene = scene, .replaces_pages = true, .opens = has_display(), .is_aside = is_aside};
  const int status = srs_write_page(command, &request);
  srs_recording_free(&recording);
  return status;
}
