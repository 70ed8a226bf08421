// What the tests of the URDF reader are written with: small robots, loaded or refused.
#pragma once
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

#define BALL  "<inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>"
#define LIMIT "<limit lower='-3' upper='3' effort='10' velocity='50'/>"

static inline srs_model *loaded_file(const char *path, const srs_load_options *options)
{
  srs_model *model = NULL;
  srs_error error;
  char text[1024];
  if (srs_model_load(path, options, &model, &error) != SRS_OK)
    fail_msg("%s", srs_error_format(&error, text, sizeof text));
  assert_non_null(model);
  return model;
}

static inline srs_model *loaded_with(const char *text, const srs_load_options *options)
{
  return loaded_file(testing_write("robot.urdf", text), options);
}

static inline srs_model *loaded(const char *text) { return loaded_with(text, NULL); }

static inline void assert_has(const char *text, const char *words)
{
  if (strstr(text, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", text, words);
}

// The text must be refused, in one line, at that line of the file (0: none).
static inline srs_error refused_with(const char *text, const srs_load_options *options, srs_status status, int line,
                                     const char *words)
{
  const char *path = testing_write("bad.urdf", text);
  srs_model *model = NULL;
  srs_error error;
  memset(&error, 0, sizeof error);
  const srs_status got = srs_model_load(path, options, &model, &error);
  if (got == SRS_OK) fail_msg("loaded: %s", text);
  assert_null(model);
  assert_has(error.message, words);
  assert_int_equal(got, status);
  assert_int_equal(error.status, status);
  assert_string_equal(error.file, path);
  assert_int_equal(error.line, line);
  assert_null(strpbrk(error.message, "\n\r\t"));
  return error;
}

static inline srs_error refused(const char *text, srs_status status, int line, const char *words)
{
  return refused_with(text, NULL, status, line, words);
}

// Whether some warning starts with ":LINE: " behind the file's name and holds the words.
static inline bool warns(const srs_model *model, int line, const char *words)
{
  char place[32];
  snprintf(place, sizeof place, ".urdf:%d: ", line);
  for (int i = 0; i < srs_model_n_warnings(model); i++)
    if (strstr(srs_model_warning(model, i), place) != NULL && strstr(srs_model_warning(model, i), words) != NULL)
      return true;
  return false;
}

static inline void assert_warns(const srs_model *model, int line, const char *words)
{
  if (warns(model, line, words)) return;
  for (int i = 0; i < srs_model_n_warnings(model); i++) print_message("warning: %s\n", srs_model_warning(model, i));
  fail_msg("no warning in line %d says \"%s\"", line, words);
}

// A robot of one moving link whose joint and link hold the given elements.
static inline const char *one_joint(const char *type, const char *in_joint, const char *in_link)
{
  static char text[4096];
  snprintf(text, sizeof text,
           "<robot name='r'><link name='w'/>\n<link name='p'>%s</link>\n<joint name='h' type='%s'><parent link='w'/>"
           "<child link='p'/>\n%s</joint></robot>",
           in_link, type, in_joint);
  return text;
}

static inline const srs_joint *joint_named(const srs_model *model, const char *name)
{
  const int index = srs_model_find_joint(model, name);
  if (index < 0) fail_msg("there is no joint %s", name);
  return srs_model_joint(model, index);
}
