// The worst time of a step that `sarrus run --stats` prints holds: for problems that use up all of their work, since no
// residual is within their tolerance.
//
// Time is processor time of this thread: other programs do not count, but that they empty caches and share a core does.
// So each motion is made six times, the same to the bit, and a step takes the least of its six times; and what a
// multiplication takes is measured by the command with a margin of 5. What a step takes without any search is measured
// before and after. Memory is reserved beforehand.
#include "support/command.h"
#include "support/piles.h"
#include "support/sims.h"

#include <math.h>
#include <time.h>

static const double most_work = 3e6, unreachable = 1e-15;
#ifdef __SANITIZE_ADDRESS__
static const double allowed = 3; // checks slow some loops down more than others
#else
static const double allowed = 1;
#endif

typedef srs_scene *maker(void);

static srs_scene *heavy_on_light(void)
{
  static const double masses[3] = {1, 1e3, 1e6};
  char text[2000];
  int at = snprintf(text, sizeof text, "models:\n");
  for (int i = 0; i < 3; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: c%d, base: floating, position: [%g, 0, %g], rotation: {rpy: [0.02, 0.01, %d]}, "
                   "links: [{name: b, mass: %g, inertia: [%g, %g, %g]}], "
                   "shapes: [{kind: box, size: [0.1, 0.1, 0.1], link: b}]}\n",
                   i, 0.01 * i, 0.053 + 0.103 * i, i, masses[i], masses[i] / 600, masses[i] / 600, masses[i] / 600);
  snprintf(text + at, sizeof text - (size_t)at, "environment: [{name: floor, shape: half-space}]\ndt: 0.001\n");
  return scene_of_text(text);
}

static srs_scene *tower(void) { return scene_of_file(testing_source("samples/boxes_stacking.yaml")); }

// More than 300 rows: by blocks.
static srs_scene *heap(void)
{
  const pile p = {.n = 120, .width = 18, .distance = 0.5, .dt = 0.05, .solver = "name: mncp-rlm"};
  return pile_scene(&p);
}

static double thread_time(void)
{
  struct timespec now;
  assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Seconds a multiplication, as the command says for this method.
static double time_of_work(srs_contact_method method)
{
  testing_write("ball.yaml", "models:\n  - base: floating\n    position: [0, 0, 0.5]\n"
                             "    links: [{name: ball, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
                             "    shapes: [{link: ball, kind: sphere, radius: 0.5}]\n"
                             "environment: [{name: floor, shape: half-space}]\nduration: 0.01\n");
  if (sarrus("run ball.yaml --stats --json --solver %s", srs_contact_method_name(method)) != 0)
    fail_msg("%s", command_err);
  testing_json *json = command_json();
  const double result = testing_json_number(json, "/work/time");
  testing_json_free(json);
  return result;
}

enum { STEPS = 40, TIMES = 6, CAPACITY = 500 };

// One motion: the least times of its steps so far, s; what they were bounded by and took at most, multiplications.
static void time_steps(srs_scene *scene, const srs_sim_options *options, double *times, double *bound, double *taken)
{
  srs_sim *sim = sim_of_scene(scene, options);
  for (int i = 0; i < STEPS; i++) {
    const double begin = thread_time();
    step(sim, 1);
    times[i] = fmin(times[i], thread_time() - begin);
  }
  *bound = srs_sim_get_statistics(sim)->step_most_work_max;
  *taken = srs_sim_get_statistics(sim)->step_work_max;
  srs_sim_destroy(sim);
}

static double longest_step(maker *make, srs_contact_method method, double work, double *bound, double *taken)
{
  srs_scene *scene = make();
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  double times[STEPS], longest = 0;
  options.contact.solver.method = method;
  options.contact.solver.most_work = work;
  options.contact.solver.tolerance = unreachable;
  options.contact.capacity = CAPACITY;
  for (int i = 0; i < STEPS; i++) times[i] = INFINITY;
  for (int k = 0; k < TIMES; k++) time_steps(scene, &options, times, bound, taken);
  for (int i = 0; i < STEPS; i++) longest = fmax(longest, times[i]);
  srs_scene_destroy(scene);
  return longest;
}

static void the_worst_time_of_a_step_holds(void **state)
{
  (void)state;
  static const srs_contact_method methods[] = {SRS_METHOD_MNCP_RLM, SRS_METHOD_MLCP_LEMKE, SRS_METHOD_MLCP_PFB_RLM,
                                               SRS_METHOD_RELAXED};
  static maker *const scenes[] = {heavy_on_light, tower, heap};
  static const char *const names[] = {"heavy on light", "tower", "heap"};
  int n_used_up = 0;
  for (int m = 0; m < 4; m++) {
    const double time = time_of_work(methods[m]);
    for (int k = 0; k < 3; k++) {
      double least, bound, taken;
      const double before = longest_step(scenes[k], methods[m], 1, &least, &taken);
      const double longest = longest_step(scenes[k], methods[m], most_work, &bound, &taken);
      double taken_after;
      const double rest = fmax(before, longest_step(scenes[k], methods[m], 1, &least, &taken_after));
      const double most = bound * time + rest;
      print_message("%-14s %-13s %.3g of %.3g multiplications, %.2g of %.2g s\n", names[k],
                    srs_contact_method_name(methods[m]), taken, bound, longest, most);
      n_used_up += taken > 0.8 * bound;
      if (!(longest <= allowed * most)) fail_msg("%g s: more than %g", longest, most);
    }
  }
  assert_true(n_used_up >= 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_worst_time_of_a_step_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
