// Scenes and sims that are made and stepped, where a test fails with the message if that does.
#pragma once
#include "support/testing.h"
#include <sarrus/sarrus.h>

/// Loads a scene's file, such as testing_source("samples/four_bar.yaml").
static inline srs_scene *scene_of_file(const char *path)
{
  srs_scene *scene = NULL;
  srs_error error;
  if (srs_scene_load(path, NULL, &scene, &error) != SRS_OK) fail_msg("line %d: %s", error.line, error.message);
  return scene;
}

/// Loads a scene written in a test, as `scene.yaml`.
static inline srs_scene *scene_of_text(const char *text) { return scene_of_file(testing_write("scene.yaml", text)); }

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

/// A sim with the scene's options but for the step, s. dt 0: the scene's.
static inline srs_sim *sim_with_step(const srs_scene *scene, double dt)
{
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  if (dt > 0) options.dt = dt;
  return sim_of_scene(scene, &options);
}

static inline void step(srs_sim *sim, long n)
{
  srs_error error;
  if (srs_sim_step(sim, n, &error) != SRS_OK) fail_msg("%s", error.message);
}

/// The kinetic energy of a sim's state, J.
static inline double kinetic_energy(srs_sim *sim)
{
  srs_energies energies;
  assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &energies), SRS_OK);
  return energies.kinetic;
}

/// The kinetic and the potential energy together, J.
static inline double total_energy(srs_sim *sim)
{
  srs_energies energies;
  assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &energies), SRS_OK);
  return energies.kinetic + energies.potential;
}
