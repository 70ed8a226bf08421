// A scene and a sim of it, held together.
#pragma once
#include "support/sims.h"

typedef struct world {
  srs_scene *scene;
  srs_sim *sim;
  const srs_model *model;
} world;

static inline world world_of_scene(srs_scene *scene)
{
  srs_sim *sim = sim_of_scene(scene, NULL);
  return (world){scene, sim, srs_sim_model(sim)};
}

static inline world load(const char *text) { return world_of_scene(scene_of_text(text)); }

static inline void unload(world *w)
{
  srs_sim_destroy(w->sim);
  srs_scene_destroy(w->scene);
}
