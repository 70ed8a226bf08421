// Robots as their files have them, with every default: bolted down, and standing on the ground without torques. No
// contact problem stays unsolved, and their energy never rises.
#include "support/sims.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The scene of a robot, or NULL where its file is refused, as some are (robots/README.md).
static srs_scene *try_robot(const char *path, const char *base, double height)
{
  char text[4096];
  srs_scene *scene = NULL;
  srs_error error;
  snprintf(text, sizeof text,
           "models: [{file: '%s', base: %s, position: [0, 0, %.17g]}]\n%sallow_impossible_inertia: true\n"
           "velocity_terms: mean\n",
           path, base, height, height > 0 ? "environment: [{name: floor, shape: half-space}]\n" : "");
  srs_scene_options options = srs_default_scene_options();
  options.load.allow_missing_meshes = true; // few of their meshes are in the data
  return srs_scene_load(testing_write("robot.yaml", text), &options, &scene, &error) == SRS_OK ? scene : NULL;
}

// How far above the floor the robot's lowest shape is; 0 where nothing of it collides.
static double clearance(const srs_scene *scene)
{
  const srs_model *model = srs_scene_model(scene);
  srs_collider *collider = NULL;
  srs_error error;
  double least = INFINITY;
  srs_workspace *workspace = NULL;
  srs_pose *links = calloc((size_t)srs_model_n_links(model) + 1, sizeof *links);
  assert_int_equal(srs_workspace_create(model, &workspace, &error), SRS_OK);
  assert_int_equal(srs_forward_kinematics(workspace, srs_model_neutral(model)), SRS_OK);
  for (int k = 0; k < srs_model_n_links(model); k++)
    srs_frame_placement(workspace, srs_model_find_frame(model, srs_model_link(model, k)->name), &links[k]);
  assert_int_equal(srs_collider_create(model, NULL, &collider, &error), SRS_OK);
  for (int f = 0; f < srs_model_n_frames(model); f++) {
    srs_contact_point nearest;
    if (srs_collider_distance(collider, links, f, -1, &nearest, &error) == SRS_OK) least = fmin(least, nearest.gap);
  }
  srs_collider_destroy(collider);
  srs_workspace_destroy(workspace);
  free(links);
  return isfinite(least) ? least : 0;
}

static void run(const char *name, srs_scene *scene, double seconds)
{
  srs_sim *sim = sim_of_scene(scene, NULL);
  const double scale = 1 + fabs(total_energy(sim)) + 9.81 * srs_model_mass(srs_scene_model(scene));
  double last = total_energy(sim), rise = 0;
  const double before = last;
  srs_error error;
  for (long i = 0; i < lround(seconds / 1e-3); i++) {
    if (srs_sim_step(sim, 1, &error) != SRS_OK) fail_msg("%s: %s", name, error.message);
    srs_energy_balance balance;
    assert_int_equal(srs_sim_energy_balance(sim, &balance), SRS_OK);
    last = total_energy(sim);
    rise = fmax(rise, last - before - balance.push_out); // joints that start beyond a limit are led back, told so
  }
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("%s: %.2g s, energy %+.3g J, at most %+.2g J, %ld of %ld unsolved\n", name, seconds, last - before,
                rise, s->failures, s->solves);
  assert_int_equal(s->failures, 0);
  assert_true(rise <= 1e-3 * scale); // of what 1 m of fall gives: the scheme's own error of the first steps
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void run_robot(const char *path, const char *name)
{
  srs_scene *scene = try_robot(path, "fixed", 0);
  if (scene == NULL) {
    print_message("%s: refused\n", name);
    return;
  }
  run(name, scene, 0.1);
  scene = try_robot(path, "floating", 10);
  if (scene == NULL) return; // a base without inertia
  const double height = 10 - clearance(scene) + 0.01;
  srs_scene_destroy(scene);
  if (height > 9.99) return; // nothing of it collides
  run(name, try_robot(path, "floating", height), 0.25);
}

static void robots_move_by_default_without_unsolved_problems_or_energy_from_nothing(void **state)
{
  (void)state;
  static const char *const folders[] = {"robots", "robots/more"};
  for (int k = 0; k < 2; k++) {
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s", testing_data(folders[k]));
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
      const char *dot = strrchr(entries[i]->d_name, '.');
      snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
      if (dot != NULL && strcmp(dot, ".urdf") == 0) run_robot(path, entries[i]->d_name);
      free(entries[i]);
    }
    free(entries);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_move_by_default_without_unsolved_problems_or_energy_from_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
