// Do Hart & Anitescu's experiments come out as an independent program has them? (HA 3, H ch. 7; hart_anitescu.json)
//
// Infeasibility is max(0, -phi) over all contacts. The reference's average is over the configurations after each of n
// steps; a sim measures where its steps take their contacts, so it makes one step more.
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
  srs_scene *scene;
  srs_sim *sim;
} run;

static run start(const char *path)
{
  run r;
  r.scene = scene_of_file(path);
  r.sim = sim_of_scene(r.scene, NULL);
  return r;
}

static void end(run *r)
{
  srs_sim_destroy(r->sim);
  srs_scene_destroy(r->scene);
}

// A sample; `word`, which stands there once, becomes `by`.
static run start_sample(const char *name, const char *word, const char *by)
{
  if (word == NULL) return start(testing_source(name));
  size_t length;
  char *text = testing_read(testing_source(name), &length), *at = strstr(text, word);
  assert_non_null(at);
  const size_t room = length + strlen(by) + 1;
  char *changed = malloc(room);
  snprintf(changed, room, "%.*s%s%s", (int)(at - text), text, by, at + strlen(word));
  const run r = start(testing_write("sample.yaml", changed));
  free(changed);
  free(text);
  return r;
}

// Of the n steps made so far, by one step more.
static double average_infeasibility(srs_sim *sim, long n)
{
  step(sim, 1);
  return srs_sim_get_statistics(sim)->infeasibility_sum / (double)n;
}

static void assert_all_solved(const srs_sim *sim)
{
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  assert_true(srs_sim_get_statistics(sim)->residual_max < 1e-12);
}

static void the_ellipse_rocks_on_its_table(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/hart_anitescu.json"));
  double average[2], q[3];
  for (int i = 0; i < 2; i++) { // gamma 1, 0
    char path[64];
    run r = start_sample("samples/ellipse.yaml", "error_reduction: 1",
                         i == 0 ? "error_reduction: 1" : "error_reduction: 0");
    step(r.sim, 400);
    snprintf(path, sizeof path, "/ellipse/runs/%d/q_end", i);
    testing_json_numbers(json, path, q, 3);
    testing_assert_close("where it is after 20 s", srs_sim_q(r.sim), q, 3, 1e-9); // 1e-13 here
    average[i] = average_infeasibility(r.sim, 400);
    snprintf(path, sizeof path, "/ellipse/runs/%d/avg_infeas", i);
    assert_true(fabs(average[i] - testing_json_number(json, path)) < 1e-9);
    assert_all_solved(r.sim);
    end(&r);
  }
  print_message("average infeasibility %.4g m with gamma 1, %.4g m with 0\n", average[0], average[1]);
  assert_true(fabs(average[0] - 1.61e-3) < 0.05 * 1.61e-3 && average[1] > 200 * average[0]);
  testing_json_free(json);
}

static void all_discs_end_on_the_table(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/hart_anitescu.json"));
  run r = start_sample("samples/disks.yaml", NULL, NULL);
  double q[63];
  for (int i = 0; i < 6; i++) {
    char path[64];
    snprintf(path, sizeof path, "/disks/perturbed/0/snaps/%d/0", i);
    const double t = testing_json_number(json, path);
    step(r.sim, lround(t / 0.05) - lround(srs_sim_time(r.sim) / 0.05));
    snprintf(path, sizeof path, "/disks/perturbed/0/snaps/%d/1", i);
    testing_json_numbers(json, path, q, 63);
    double off = 0;
    for (int k = 0; k < 63; k++) off = fmax(off, fabs(srs_sim_q(r.sim)[k] - q[k]));
    print_message("t = %g: off by %.2g\n", t, off);
    assert_true(off < (t <= 2 ? 1e-9 : t <= 5 ? 1e-7 : 1e-3)); // what rounding has grown to: 9e-12, 5e-10, 5e-7 here
  }
  memcpy(q, srs_sim_q(r.sim), sizeof q);
  for (int i = 0; i < 63; i += 3) {
    assert_true(fabs(q[i + 1] - 3) < 1e-3);
    for (int j = 0; j < i; j += 3) assert_true(hypot(q[i] - q[j], q[i + 1] - q[j + 1]) > 6 - 1e-6);
  }
  const double average = average_infeasibility(r.sim, 400);
  assert_true(fabs(average - testing_json_number(json, "/disks/perturbed/0/avg_infeas")) < 1e-6);
  assert_all_solved(r.sim);
  end(&r);
  testing_json_free(json);
}

static run start_seesaw(double h, double gamma)
{
  char text[1600];
  snprintf(text, sizeof text,
           "gravity: [0, -9.81, 0]\n"
           "models:\n"
           "  - links: [{name: plank, mass: 2.4, inertia: [7.232, 7.232, 7.232]}]\n"
           "    joints: [{name: plank, kind: planar, axis: [0, 0, 1], child: plank}]\n"
           "    shapes: [{link: plank, kind: box, size: [6, 0.4, 1]}]\n"
           "environment:\n"
           "  - {name: wedge, shape: hull, points: [[-1, 0, 0.5], [1, 0, 0.5], [0, 1, 0.5], [-1, 0, -0.5], "
           "[1, 0, -0.5], [0, 1, -0.5]]}\n"
           "collision: {distance: ratio-metric}\n"
           "contact: {friction: 0, activation: distance, distance: 0.2, normal: hart, error_reduction: %.17g}\n"
           "solver: {name: relaxed}\n"
           "initial: {q: {plank: [-1, 1.2, 0]}, v: {plank: [2, 0, 0]}}\n"
           "dt: %.17g\n",
           gamma, h);
  return start(testing_write("seesaw.yaml", text));
}

// The slope of log y over log x by least squares.
static double order_of(const double *x, const double *y, int n)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) sx += log(x[i]), sy += log(y[i]);
  for (int i = 0; i < n; i++) {
    const double dx = log(x[i]) - sx / n;
    sxx += dx * dx, sxy += dx * (log(y[i]) - sy / n);
  }
  return sxy / sxx;
}

// A plank on the tip of a triangle without friction: O(h^2) in phi with error_reduction, O(h) without.
static void infeasibility_is_of_second_order_with_error_reduction(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/hart_anitescu.json"));
  for (int g = 0; g < 3; g++) {
    double hs[5], averages[5], gamma = 0;
    for (int k = 0; k < 5; k++) { // the entries with h <= 0.02
      char path[64];
      snprintf(path, sizeof path, "/seesaw_order/runs/%d/gamma", 7 * g + 2 + k);
      gamma = testing_json_number(json, path);
      snprintf(path, sizeof path, "/seesaw_order/runs/%d/h", 7 * g + 2 + k);
      hs[k] = testing_json_number(json, path);
      const long n = lround(1 / hs[k]);
      run r = start_seesaw(hs[k], gamma);
      step(r.sim, n);
      averages[k] = average_infeasibility(r.sim, n);
      snprintf(path, sizeof path, "/seesaw_order/runs/%d/avg", 7 * g + 2 + k);
      const double expected = testing_json_number(json, path);
      assert_true(fabs(averages[k] - expected) < 1e-9 * expected); // 1e-12 here
      assert_all_solved(r.sim);
      end(&r);
    }
    const double order = order_of(hs, averages, 5);
    print_message("gamma %g: order %.3f, average * gamma / h^2 = %.3f\n", gamma, order,
                  averages[4] * gamma / (hs[4] * hs[4]));
    assert_true(fabs(order - (gamma > 0 ? 2 : 1)) < 0.1);
  }
  testing_json_free(json);
}

// With the pair's phi in place of each event's it never would.
static void a_tilted_square_lands_flat(void **state)
{
  (void)state;
  char text[1024];
  for (int solver = SRS_METHOD_MNCP_RLM; solver < SRS_CONTACT_METHODS; solver++) {
    snprintf(text, sizeof text,
             "gravity: [0, -9.81, 0]\n"
             "models:\n"
             "  - links: [{name: square, mass: 1, inertia: [0.16666666666666666, 0.16666666666666666, "
             "0.16666666666666666]}]\n"
             "    joints: [{name: square, kind: planar, axis: [0, 0, 1], child: square}]\n"
             "    shapes: [{link: square, kind: box, size: [1, 1, 1]}]\n"
             "environment: [{name: floor, shape: box, size: [20, 2, 2], position: [0, -1, 0]}]\n"
             "collision: {distance: ratio-metric}\n"
             "contact: {friction: 0.5, activation: distance, distance: 0.05, normal: hart, error_reduction: 1}\n"
             "solver: {name: %s}\n"
             "initial: {q: {square: [0, 0.5243647148328223, 0.05]}}\n" // a corner on the floor
             "dt: 0.01\n",
             srs_contact_method_name((srs_contact_method)solver));
    run r = start(testing_write("square.yaml", text));
    step(r.sim, 200);
    const double *q = srs_sim_q(r.sim);
    assert_true(fabs(q[2]) < 1e-10 && fabs(q[1] - 0.5) < 1e-10);
    assert_int_equal(srs_sim_get_statistics(r.sim)->failures, 0);
    end(&r);
  }
}

static void dominoes_fall_and_come_to_rest(void **state)
{
  (void)state;
  const bool is_long = getenv("SARRUS_LONG") != NULL;
  const long n = is_long ? 1000 : 300;
  run r = start_sample("samples/pyramid1.yaml", NULL, NULL);
  step(r.sim, n);
  const double *q = srs_sim_q(r.sim), *v = srs_sim_v(r.sim);
  assert_true(q[2] < -0.5); // the first bar has fallen to the right
  for (int i = 0; i < 30 && is_long; i++) assert_true(fabs(v[i]) < 1e-8);
  const double average = average_infeasibility(r.sim, n);
  print_message("average infeasibility %.2g after %ld steps\n", average, n);
  assert_true(average < 2e-3);
  assert_all_solved(r.sim);
  end(&r);
}

// Bars that lie on each other have more contacts than degrees of freedom, and gaps that miss each other by 1e-10.
static void pivots_solve_every_problem_of_the_dominoes(void **state)
{
  (void)state;
  run r = start_sample("samples/pyramid1.yaml", "{name: relaxed}", "{name: mlcp-lemke}");
  step(r.sim, 1000);
  assert_all_solved(r.sim);
  end(&r);
}

static void the_upper_die_falls_beside_the_lower(void **state)
{
  (void)state;
  run r = start_sample("samples/dice3.yaml", NULL, NULL);
  step(r.sim, 300);
  const double *q = srs_sim_q(r.sim);
  assert_true(fabs(q[2] - 0.5) < 1e-3 && fabs(q[9] - 0.5) < 0.02); // relaxed: what slides is lifted
  assert_true(q[7] - q[0] > 1);
  const double average = average_infeasibility(r.sim, 300);
  print_message("average infeasibility %.2g\n", average);
  assert_true(average < 1e-4);
  assert_all_solved(r.sim);
  end(&r);
}

static void the_balance_tips_when_the_square_falls_on_it(void **state)
{
  (void)state;
  run r = start_sample("samples/balance2.yaml", NULL, NULL);
  step(r.sim, 30);
  assert_true(fabs(srs_sim_q(r.sim)[5]) < 1e-9); // level until then: it is a balance
  step(r.sim, 370);
  const double average = average_infeasibility(r.sim, 400);
  print_message("average infeasibility %.2g\n", average);
  assert_true(average < 1e-4);          // h^2
  assert_true(srs_sim_q(r.sim)[4] < 1); // the plank has left the tip
  for (int i = 0; i < 6; i++) assert_true(srs_sim_q(r.sim)[3 * i + 1] > 0.19);
  assert_all_solved(r.sim);
  end(&r);
}

static void the_tetrahedron_slides_into_the_corner(void **state)
{
  (void)state;
  run r = start_sample("samples/setup6.yaml", NULL, NULL);
  step(r.sim, 300);
  const double *q = srs_sim_q(r.sim);
  assert_true(q[0] < -0.5 && q[1] < -0.2 && q[7] > 1 && fabs(q[9] - 0.5) < 1e-3); // the cube on the floor beside it
  const double average = average_infeasibility(r.sim, 300);
  print_message("average infeasibility %.2g\n", average);
  assert_true(average < 1e-4); // h^2
  assert_all_solved(r.sim);
  end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ellipse_rocks_on_its_table),
      cmocka_unit_test(all_discs_end_on_the_table),
      cmocka_unit_test(infeasibility_is_of_second_order_with_error_reduction),
      cmocka_unit_test(a_tilted_square_lands_flat),
      cmocka_unit_test(dominoes_fall_and_come_to_rest),
      cmocka_unit_test(pivots_solve_every_problem_of_the_dominoes),
      cmocka_unit_test(the_upper_die_falls_beside_the_lower),
      cmocka_unit_test(the_balance_tips_when_the_square_falls_on_it),
      cmocka_unit_test(the_tetrahedron_slides_into_the_corner),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
