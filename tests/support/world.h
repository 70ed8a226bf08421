// A scene written in a test, and a sim of it.
#pragma once
#include "support/testing.h"
#include <sarrus/sarrus.h>

typedef struct world {
  srs_scene *scene;
  srs_sim *sim;
  const srs_model *model;
} world;

static inline world load(const char *text)
{
  world w;
  srs_error error;
  if (srs_scene_load(testing_write("scene.yaml", text), NULL, &w.scene, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  if (srs_scene_create_sim(w.scene, NULL, &w.sim, &error) != SRS_OK) fail_msg("%s", error.message);
  w.model = srs_sim_model(w.sim);
  return w;
}

static inline void unload(world *w)
{
  srs_sim_destroy(w->sim);
  srs_scene_destroy(w->scene);
}
