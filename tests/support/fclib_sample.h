// What the tests of contact problems in files share: a problem to write, reading and writing that must go well.
#pragma once
#include "support/testing.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 7, CONTACTS = 2, BILATERAL = 1 };

// A joint and two contacts, numbers that no decimal holds.
typedef struct sample {
  double W[ROWS * ROWS], b[ROWS], friction[CONTACTS], impulse[ROWS], velocity[ROWS], guesses[2 * ROWS];
  srs_contact_file file;
} sample;

static inline void make_sample(sample *s)
{
  *s = (sample){.friction = {1.0 / 3, 0}};
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < ROWS; j++) s->W[i * ROWS + j] = i == j ? 3 + i : (i + j) % 3 == 0 ? 1.0 / (7 + i + j) : 0;
    s->b[i] = sin(i + 1);
    s->impulse[i] = cos(i), s->velocity[i] = i < BILATERAL ? 0 : 1.0 / (i + 1);
    s->guesses[i] = i, s->guesses[ROWS + i] = -i / 9.0;
  }
  s->file = (srs_contact_file){.problem = {.n_bilateral = BILATERAL, .n_contacts = CONTACTS, .W = s->W, .b = s->b},
                               .impulse = s->impulse,
                               .velocity = s->velocity,
                               .guesses = s->guesses,
                               .n_guesses = 2,
                               .title = "two contacts",
                               .description = "and a joint",
                               .math_info = "one answer"};
  s->file.problem.friction = s->friction;
}

static inline const char *path_of(const char *name)
{
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return path;
}

static inline void write_good(const char *path, const srs_contact_file *file)
{
  srs_error error = {0};
  if (srs_contact_file_write(path, file, &error) != SRS_OK) fail_msg("%s", error.message);
}

static inline srs_contact_file read_good(const char *path)
{
  srs_contact_file file = {0};
  srs_error error = {0};
  if (srs_contact_file_read(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
  return file;
}
