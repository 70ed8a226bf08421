// What the tests of the `sarrus` command share: running it and looking at what it said.
#pragma once
#include "support/testing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMAND_CAUGHT = 65536 };

/// What the last command printed.
static char command_out[COMMAND_CAUGHT], command_err[COMMAND_CAUGHT];

/// A pendulum about x with mass 2 kg at 0.5 m below its joint and 0.1 kg m^2 about the centre of mass: M = 0.6 kg m^2,
/// gravity's torque -9.81 sin q. `tip` is a frame 1 m below the joint.
#define PENDULUM(base)                                                                                                 \
  "<robot name='pendulum'>\n"                                                                                          \
  "<link name='base'>" base "</link>\n"                                                                                \
  "<link name='rod'><inertial><origin xyz='0 0 -0.5'/><mass value='2'/>"                                               \
  "<inertia ixx='0.1' iyy='0.1' izz='0.02' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"                              \
  "<link name='tip'/>\n"                                                                                               \
  "<joint name='h' type='continuous'><parent link='base'/><child link='rod'/><axis xyz='1 0 0'/></joint>\n"            \
  "<joint name='f' type='fixed'><parent link='rod'/><child link='tip'/><origin xyz='0 0 -1'/></joint>\n"               \
  "</robot>\n"

static const char pendulum[] = PENDULUM("");

/// The same on a base of 3 kg, for `--base floating`.
__attribute__((unused)) static const char pendulum_on_base[] =
    PENDULUM("<inertial><mass value='3'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>");

/// Runs `sarrus ARGUMENTS` through the shell, in the temporary folder.  @return the exit status
__attribute__((format(printf, 1, 2))) static inline int sarrus(const char *format, ...)
{
  char arguments[3000], line[4096];
  va_list list;
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  snprintf(line, sizeof line, "cd '%s' || exit 9; '%s' %s", testing_folder(), testing_command(), arguments);
  return testing_run(line, command_out, command_err);
}

static inline void assert_says(const char *text, const char *part)
{
  if (strstr(text, part) == NULL) fail_msg("\"%s\" is not in: %s", part, text);
}

/// Exit status as expected, nothing on stdout, one line on stderr that begins with "sarrus: " and has `part` in it.
static inline void assert_refused(int status, int expected, const char *part)
{
  if (status != expected) fail_msg("exit status %d, not %d: %s", status, expected, command_err);
  assert_string_equal(command_out, "");
  assert_memory_equal(command_err, "sarrus: ", 8);
  const char *end = strchr(command_err, '\n');
  if (end == NULL || end[1] != '\0') fail_msg("not one line: %s", command_err);
  assert_says(command_err, part);
}

/// The JSON object that the last command printed; the test fails if there is anything else.
static inline testing_json *command_json(void)
{
  const size_t length = strlen(command_out);
  if (length < 3 || command_out[0] != '{' || strcmp(command_out + length - 2, "}\n") != 0)
    fail_msg("not one JSON object: %s; %s", command_out, command_err);
  return testing_json_parse(command_out);
}

static inline bool file_exists(const char *name)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return access(path, F_OK) == 0;
}

/// A CSV is whole: it ends with a line break and every line has as many commas as the first.  @return rows without
/// header
static inline int assert_whole_csv(const char *name)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  size_t length = 0;
  char *text = testing_read(path, &length);
  assert_true(length > 0 && text[length - 1] == '\n');
  int rows = 0, commas = 0, expected = -1;
  for (const char *c = text; *c != '\0'; c++) {
    commas += *c == ',';
    if (*c != '\n') continue;
    if (expected < 0) expected = commas;
    assert_int_equal(commas, expected);
    commas = 0;
    rows++;
  }
  free(text);
  return rows - 1;
}
