// The robots of the data folder, fixed and floating, for tests of what holds for every robot.
#pragma once
#include "support/testing.h"
#include <sarrus/sarrus.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

typedef void robot_visit(testing_random *random, srs_model *model, void *context);

/// A base without mass on a free joint leaves a model for kinematics.
static inline bool robot_lacks_inertia(const srs_model *model)
{
  for (int i = 0; i < srs_model_n_warnings(model); i++)
    if (strstr(srs_model_warning(model, i), "nothing resists joint") != NULL) return true;
  return false;
}

static inline int robot_visit_bases(const char *path, testing_random *random, robot_visit *visit, void *context)
{
  int seen = 0;
  for (int base = 0; base < 2; base++) {
    srs_load_options options = srs_default_load_options();
    options.base = base == 0 ? SRS_BASE_FIXED : SRS_BASE_FLOATING;
    srs_model *model = NULL;
    if (srs_model_load(path, &options, &model, NULL) != SRS_OK) continue; // test_more_robots has these
    visit(random, model, context);
    seen++;
  }
  return seen;
}

/// Visits each URDF file of the folders `robots` and `robots/more`, at least 20 models, none where there is no data.
/// `visit` destroys the model.
static inline void robot_files_visit(testing_random *random, robot_visit *visit, void *context)
{
  static const char *const folders[] = {"robots", "robots/more"};
  int seen = 0;
  if (!testing_has_data(folders[0])) return;
  for (int k = 0; k < 2; k++) {
    char folder[1024], path[1300];
    snprintf(folder, sizeof folder, "%s", testing_data(folders[k]));
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) { // NOLINT(concurrency-mt-unsafe): one thread
      const char *ending = strrchr(entry->d_name, '.');
      if (ending == NULL || strcmp(ending, ".urdf") != 0) continue;
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      seen += robot_visit_bases(path, random, visit, context);
    }
    assert_int_equal(closedir(stream), 0);
  }
  assert_true(seen >= 20);
}
