// Former keys and words of scene files, and the present ones that replaced them.
#include "engine/scene/values/former_names.h"

#include <stddef.h>
#include <string.h>

typedef struct renaming {
  const char *former, *present;
} renaming;

static const renaming keys[] = {{"hinges", "joints"},
                                {"drives", "actuators"},
                                {"drive_limits", "actuator_limits"},
                                {"stabilisation", "error_reduction"},
                                {"max_correction_speed", "max_depenetration_velocity"},
                                {NULL, NULL}};

static const renaming words[] = {{"hinge", "revolute"}, {"slider", "prismatic"}, {NULL, NULL}};

static const char *present_of(const renaming *list, const char *former)
{
  for (; list->former != NULL; list++)
    if (strcmp(list->former, former) == 0) return list->present;
  return NULL;
}

const char *srs_present_key(const char *former) { return present_of(keys, former); }

const char *srs_present_word(const char *text)
{
  const char *present = present_of(words, text);
  return present != NULL ? present : text;
}

static void offer(const renaming *list, const char *present, srs_nearest *nearest)
{
  srs_nearest_offer(nearest, present);
  for (; list->former != NULL; list++) {
    if (strcmp(list->present, present) != 0) continue;
    srs_nearest_offer(nearest, list->former);
    if (nearest->best == list->former) nearest->best = present;
  }
}

void srs_offer_key(srs_nearest *nearest, const char *key) { offer(keys, key, nearest); }

void srs_offer_word(srs_nearest *nearest, const char *word) { offer(words, word, nearest); }
