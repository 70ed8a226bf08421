// Sims that are made and stepped, where a test fails if that does.
#pragma once
#include "support/testing.h"
#include <sarrus/sarrus.h>

static inline srs_sim *sim_of_model(const srs_model *model, const srs_sim_options *options)
{
  srs_sim *sim = NULL;
  srs_error error;
  if (srs_sim_create(model, options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return sim;
}

/// @param options  NULL for the scene's own
static inline srs_sim *sim_of_scene(const srs_scene *scene, const srs_sim_options *options)
{
  srs_sim *sim = NULL;
  srs_error error;
  if (srs_scene_create_sim(scene, options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return sim;
}

static inline void step(srs_sim *sim, long n)
{
  srs_error error;
  if (srs_sim_step(sim, n, &error) != SRS_OK) fail_msg("%s", error.message);
}
