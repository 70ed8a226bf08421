// What the tests of scene files share: a scene written as text, loaded or refused.
#pragma once
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

/// A base and a link that swings about x, each 1 kg; scenes find it as `one.urdf`.
static const char one_urdf[] = "<robot name=\"one\"><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
                               "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
                               "iyz=\"0\"/></inertial></link><link name=\"l\"><inertial><origin xyz=\"0 0 -1\"/><mass "
                               "value=\"1\"/><inertia ixx=\"1\" "
                               "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"h\" "
                               "type=\"continuous\"><parent "
                               "link=\"b\"/><child link=\"l\"/><axis xyz=\"1 0 0\"/></joint></robot>\n";

/// Loads text as `scene.yaml`.
static inline srs_status load_text(const char *text, srs_scene **scene, srs_error *error)
{
  *error = (srs_error){0};
  testing_write("one.urdf", one_urdf);
  return srs_scene_load(testing_write("scene.yaml", text), NULL, scene, error);
}

/// Loads text as `scene.yaml`, or fails with the message.
static inline srs_scene *load_good(const char *text)
{
  srs_scene *scene;
  srs_error error;
  char line[1024];
  if (load_text(text, &scene, &error) != SRS_OK) fail_msg("%s\n%s", text, srs_error_format(&error, line, sizeof line));
  return scene;
}

/// Fails unless the text is refused with this status, place (column -1: any) and words, in one line.
static inline void expect_fault(const char *text, srs_status status, int line, int column, const char *words)
{
  srs_scene *scene = (srs_scene *)1;
  srs_error error;
  const srs_status got = load_text(text, &scene, &error);
  if (got != status || error.status != status || error.line != line || (column >= 0 && error.column != column) ||
      strstr(error.message, words) == NULL)
    fail_msg("%s\nstatus %d (%s) at %d:%d '%s', not %d at %d:%d with '%s'", text, got, srs_status_string(got),
             error.line, error.column, error.message, status, line, column, words);
  assert_null(scene);
  assert_non_null(strstr(error.file, "scene.yaml"));
  assert_null(strchr(error.message, '\n'));
  assert_null(strstr(error.message, "(null)"));
}
