// Corners in a simulation: which groups enter, what is left of them, what scenes may say, and that nothing is
// remembered.
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const srs_sim_statistics *statistics(const world *w) { return srs_sim_get_statistics(w->sim); }

// A ball of 0.1 m, 1 kg, beside and above a table that ends at x = 0.
static world ball(const char *contact, double x, double z, double vx, double vz)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models: [{name: m, base: floating, links: [{name: m, mass: 1, inertia: [0.004, 0.004, 0.004]}], shapes: "
           "[{link: m, kind: sphere, radius: 0.1}]}]\nenvironment: [{name: table, shape: box, size: [2, 2, 0.2], "
           "position: [1, 0, -0.1]}]\ngravity: [0, 0, 0]\ncontact: {friction: 0, %s}\ndt: 0.01\ninitial: {q: {root: "
           "[%.17g, 0, %.17g, 1, 0, 0, 0]}, v: {root: [%.17g, 0, %.17g, 0, 0, 0]}}\n",
           contact, x, z, vx, vz);
  return load(text);
}

static void a_group_enters_where_no_side_is_free(void **state)
{
  (void)state;
  world past = ball("corners: max", -0.05, 0.101, 10, 0); // level with the top: free above it
  step(past.sim, 1);
  assert_int_equal(statistics(&past)->groups_max, 0);
  assert_int_equal(statistics(&past)->solves, 0);
  assert_true(srs_sim_v(past.sim)[0] == 10);
  unload(&past);
  world down = ball("corners: max", -0.05, 0.101, 10, -1); // 1 cm down in the step: over the table by then
  step(down.sim, 1);
  const srs_sim_statistics *s = statistics(&down);
  assert_int_equal(s->groups_max, 1);
  assert_int_equal(s->corner_solves, 1);
  assert_true(s->tries >= 1 && s->tries_max >= 1);
  assert_int_equal(s->failures, 0);
  const double *q = srs_sim_q(down.sim), *v = srs_sim_v(down.sim);
  assert_true(v[0] == 10 && fabs(q[2] - 0.1) < 1e-12); // it lands on the top, and the edge takes nothing
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(down.sim, &n);
  assert_int_equal(n, 1); // of the sides not chosen nothing is left
  assert_true(fabs(fabs(contacts[0].contact.normal[2]) - 1) < 1e-12);
  unload(&down);
}

// The second phase of an impact knows the side that was chosen alone: half of the speed down comes back.
static void a_ball_bounces_off_the_side_that_was_chosen(void **state)
{
  (void)state;
  static const char *const laws[] = {"two-phase", "poisson", "newton"};
  for (int i = 0; i < 3; i++) {
    char contact[128];
    snprintf(contact, sizeof contact, "corners: max, restitution: 0.5, impact: %s, impact_threshold: 0", laws[i]);
    world w = ball(contact, -0.05, 0.101, 10, -2);
    step(w.sim, 1);
    const double *v = srs_sim_v(w.sim);
    assert_true(fabs(v[0] - 10) < 1e-12 && fabs(v[2] - 1) < 1e-12);
    unload(&w);
  }
}

static void an_edge_that_is_hit_head_on_stops_the_ball(void **state)
{
  (void)state;
  static const char *const forms[] = {"convex", "max", "summation"};
  for (int i = 0; i < 3; i++) {
    char contact[64];
    snprintf(contact, sizeof contact, "corners: %s", forms[i]);
    // Towards the edge from below 45 degrees: on the way out of the corner nothing is free.
    world w = ball(contact, -0.2, 0.2, 10, -10);
    for (int k = 0; k < 20; k++) {
      step(w.sim, 1);
      const double *q = srs_sim_q(w.sim);
      const double dx = fmin(q[0], 0), distance = hypot(dx, q[2]);
      assert_true(distance > 0.1 - 2e-3 || q[2] > 0.1 - 2e-3); // summation: the cap, and the edge is round
    }
    unload(&w);
  }
}

// ---- snapshots, memory ----

static char *hole(const char *from, const char *to)
{
  size_t length;
  char *text = testing_read(testing_source("samples/hole.yaml"), &length);
  char *changed = calloc(length + 256, 1), *at = from != NULL ? strstr(text, from) : NULL;
  assert_non_null(changed);
  if (from != NULL) assert_non_null(at);
  if (at == NULL)
    snprintf(changed, length + 256, "%s", text);
  else
    snprintf(changed, length + 256, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  free(text);
  return changed;
}

static void a_snapshot_goes_on_bit_for_bit(void **state)
{
  (void)state;
  char *text = hole("  friction: 0\n", "  friction: 0.1\n");
  for (int start = 10; start < 100; start += 30) {
    world one = load(text), two = load(text);
    step(one.sim, start);
    const size_t size = srs_sim_snapshot_size(one.sim);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    srs_sim_snapshot_save(one.sim, bytes);
    srs_error error;
    step(two.sim, 5); // has seen something else
    assert_int_equal(srs_sim_snapshot_restore(two.sim, bytes, size, &error), SRS_OK);
    step(one.sim, 100 - start);
    step(two.sim, 100 - start);
    assert_memory_equal(srs_sim_q(one.sim), srs_sim_q(two.sim), 3 * sizeof(double));
    assert_memory_equal(srs_sim_v(one.sim), srs_sim_v(two.sim), 3 * sizeof(double));
    free(bytes);
    unload(&one);
    unload(&two);
  }
  free(text);
}

static void the_order_of_planes_is_no_matter(void **state)
{
  (void)state;
  char *one = hole(NULL, NULL), *two = hole("[[top, slope]]", "[[slope, top]]");
  world first = load(one), second = load(two);
  step(first.sim, 100);
  step(second.sim, 100);
  assert_memory_equal(srs_sim_q(first.sim), srs_sim_q(second.sim), 3 * sizeof(double));
  unload(&first);
  unload(&second);
  free(one);
  free(two);
}

static void memory_grows_with_the_sides(void **state)
{
  (void)state;
  char text[4096], *at = text;
  at += sprintf(at, "models:\n");
  for (int i = 0; i < 12; i++) // boxes that fall on each other's edges
    at +=
        sprintf(at,
                "  - {name: b%d, base: floating, position: [0.0%d, 0.03, %d.2e-1], rotation: {rpy: [0.3, 0.%d, 0.2]}, "
                "links: [{name: l, mass: 1, inertia: [0.001, 0.001, 0.001]}], shapes: [{link: l, kind: box, size: "
                "[0.1, 0.1, 0.1]}]}\n",
                i, 9 - i % 9, 2 * i + 1, i % 9);
  (void)sprintf(at, "environment: [{name: post, shape: box, size: [0.1, 0.1, 1], position: [0, 0, -0.5]}]\n"
                    "contact: {corners: max}\nduration: 1\n");
  world w = load(text);
  step(w.sim, 1000);
  assert_true(statistics(&w)->groups_max >= 1);
  assert_true(statistics(&w)->penetration_max < 5e-3);
  unload(&w);
}

// ---- wrong input ----

static void refuse(const char *from, const char *to, int line, const char *says)
{
  char *text = hole(from, to);
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error = {0};
  srs_status status = srs_scene_load(testing_write("bad.yaml", text), NULL, &scene, &error);
  if (status == SRS_OK) status = srs_scene_create_sim(scene, NULL, &sim, &error);
  assert_int_not_equal(status, SRS_OK);
  if (strstr(error.message, says) == NULL) fail_msg("'%s' does not say '%s'", error.message, says);
  if (line > 0) assert_int_equal(error.line, line);
  assert_null(strchr(error.message, '\n'));
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  free(text);
}

static void what_is_wrong_is_named(void **state)
{
  (void)state;
  refuse("  corners: max", "  corners: maxx", 20, "no corners is named 'maxx' (there are convex, max, summation)");
  refuse("  corners: max", "  corners: [max]", 20, "corners");
  refuse("  corners: max", "  corners: max\n  corner_cap: 0", 21, "corner_cap must be greater than 0");
  refuse("[[top, slope]]", "[top, slope]", 21, "a solid");
  refuse("[[top, slope]]", "[[top]]", 21, "two or more half-spaces");
  refuse("[[top, slope]]", "[[top, slop]]", 21, "no half-space is named 'slop', did you mean 'slope'?");
  refuse("[[top, slope]]", "[[top, floor]]", 21, "'floor' is not a half-space");
  refuse("[[top, slope]]", "[[top, slope], [top, slope]]", 21, "named twice");
  srs_sim_options options = srs_default_sim_options();
  assert_true(options.contact.corners == SRS_CORNERS_CONVEX && options.contact.corner_cap > 0);
  assert_string_equal(srs_corners_name(SRS_CORNERS_SUMMATION), "summation");
  assert_string_equal(srs_corners_name((srs_corners)7), "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_group_enters_where_no_side_is_free),
      cmocka_unit_test(a_ball_bounces_off_the_side_that_was_chosen),
      cmocka_unit_test(an_edge_that_is_hit_head_on_stops_the_ball),
      cmocka_unit_test(a_snapshot_goes_on_bit_for_bit),
      cmocka_unit_test(the_order_of_planes_is_no_matter),
      cmocka_unit_test(memory_grows_with_the_sides),
      cmocka_unit_test(what_is_wrong_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
