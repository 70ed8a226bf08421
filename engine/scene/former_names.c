// Former keys and words of scene files, and the present ones that replaced them.
#include "engine/scene/former_names.h"

#include <stddef.h>
#include <string.h>

typedef struct renaming {
  const char *former, *present;
} renaming;

static const char *present_of(const renaming *list, const char *former)
{
  for (; list->former != NULL; list++)
    if (strcmp(list->former, former) == 0) return list->present;
  return NULL;
}

const char *srs_present_key(const char *former)
{
  static const renaming keys[] = {{"hinges", "joints"},
                                  {"drives", "actuators"},
                                  {"drive_limits", "actuator_limits"},
                                  {"stabilisation", "error_reduction"},
                                  {"max_correction_speed", "max_depenetration_velocity"},
                                  {"bullet", "euclidean"},
                                  {NULL, NULL}};
  return present_of(keys, former);
}

const char *srs_present_word(const char *text)
{
  static const renaming words[] = {
      {"hinge", "revolute"}, {"slider", "prismatic"}, {"bullet", "euclidean"}, {NULL, NULL}};
  const char *present = present_of(words, text);
  return present != NULL ? present : text;
}
