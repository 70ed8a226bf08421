// What the tests of the MJCF reader are written with: small models, loaded or refused.
#pragma once
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BALL "<geom type='sphere' size='0.1'/>"

static inline void assert_has(const char *text, const char *words)
{
  if (strstr(text, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", text, words);
}

static inline srs_model *loaded_with(const char *text, const srs_load_options *options)
{
  srs_model *model = NULL;
  srs_error error;
  char words[1024];
  if (srs_model_load(testing_write("model.xml", text), options, &model, &error) != SRS_OK)
    fail_msg("%s", srs_error_format(&error, words, sizeof words));
  return model;
}

static inline srs_model *loaded(const char *text) { return loaded_with(text, NULL); }

/// The same where what has no counterpart may be left out.
__attribute__((unused)) static inline srs_model *loaded_in_part(const char *text)
{
  srs_load_options options = srs_default_load_options();
  options.allow_unsupported = true;
  return loaded_with(text, &options);
}

/// A file of these bodies.
static inline srs_model *world(const char *settings, const char *bodies)
{
  static char text[16384];
  snprintf(text, sizeof text, "<mujoco>%s<worldbody>%s</worldbody></mujoco>", settings, bodies);
  return loaded(text);
}

// The text must be refused, in one line, at that line of the file (0: none).
static inline srs_error refused(const char *text, srs_status status, int line, const char *words)
{
  const char *path = testing_write("bad.xml", text);
  srs_model *model = NULL;
  srs_error error;
  memset(&error, 0, sizeof error);
  const srs_status got = srs_model_load(path, NULL, &model, &error);
  if (got == SRS_OK) fail_msg("loaded: %s", text);
  assert_null(model);
  assert_has(error.message, words);
  assert_int_equal(got, status);
  if (line > 0) assert_string_equal(error.file, path);
  assert_int_equal(error.line, line);
  assert_null(strpbrk(error.message, "\n\r\t"));
  return error;
}

static inline void assert_warns(const srs_model *model, int line, const char *words)
{
  char place[32];
  snprintf(place, sizeof place, ".xml:%d: ", line);
  for (int i = 0; i < srs_model_n_warnings(model); i++)
    if (strstr(srs_model_warning(model, i), place) != NULL && strstr(srs_model_warning(model, i), words) != NULL)
      return;
  for (int i = 0; i < srs_model_n_warnings(model); i++) print_message("warning: %s\n", srs_model_warning(model, i));
  fail_msg("no warning in line %d says \"%s\"", line, words);
}

static inline const srs_joint *joint_named(const srs_model *model, const char *name)
{
  const srs_joint *joint = srs_model_joint(model, srs_model_find_joint(model, name));
  assert_non_null(joint);
  return joint;
}

static inline const srs_shape *shape_named(const srs_model *model, const char *name)
{
  for (int i = 0; i < srs_model_n_shapes(model); i++)
    if (strcmp(srs_model_shape(model, i)->name, name) == 0) return srs_model_shape(model, i);
  fail_msg("no shape '%s'", name);
  return NULL;
}

/// The placement of a frame at q, or at the start where q is NULL.
static inline srs_pose frame_at(const srs_model *model, const char *name, const double *q)
{
  srs_workspace *w;
  srs_pose pose;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  assert_int_equal(srs_forward_kinematics(w, q != NULL ? q : srs_model_neutral(model)), SRS_OK);
  assert_int_equal(srs_frame_placement(w, srs_model_find_frame(model, name), &pose), SRS_OK);
  srs_workspace_destroy(w);
  return pose;
}

static inline void assert_at(const srs_model *model, const char *frame, const double *q, double x, double y, double z)
{
  const srs_pose pose = frame_at(model, frame, q);
  const double expected[3] = {x, y, z};
  testing_assert_close(frame, pose.position, expected, 3, 1e-14); // a few roundings
}

static inline void assert_number(double got, double expected, double tolerance)
{
  testing_assert_close("number", &got, &expected, 1, tolerance);
}
