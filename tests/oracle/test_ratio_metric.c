// The ratio metric, its points, normals and events against exact rationals.
#include "support/ratio_check.h"

#include <stdio.h>

typedef struct zoo {
  srs_polytope *cube, *tetrahedron, *box, *icosahedron;
} zoo;

static zoo make_zoo(void) { return (zoo){box_of(1, 1, 1), tetrahedron(), box_of(1, 2, 0.5), icosahedron()}; }

static void free_zoo(zoo *z)
{
  srs_polytope_destroy(z->cube);
  srs_polytope_destroy(z->tetrahedron);
  srs_polytope_destroy(z->box);
  srs_polytope_destroy(z->icosahedron);
}

static void bodies_of_case(const zoo *z, const char *name, stand *one, stand *two)
{
  static const struct {
    const char *prefix;
    int one, two; // of the zoo
  } prefixes[] = {{"ico_ico", 3, 3}, {"box_cube", 2, 0}, {"cc", 0, 0}, {"tc", 0, 1}, {"tt", 1, 1}, {"ic", 0, 3}};
  const srs_polytope *animals[4] = {z->cube, z->tetrahedron, z->box, z->icosahedron};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (strncmp(name, prefixes[i].prefix, strlen(prefixes[i].prefix)) != 0) continue;
    one->polytope = animals[prefixes[i].one], two->polytope = animals[prefixes[i].two];
    return;
  }
  fail_msg("no bodies are known for the case %s", name);
}

static void pose_of_case(const testing_json *json, int i, int body, srs_pose *pose)
{
  char path[64];
  snprintf(path, sizeof path, "/cases/%d/x%d", i, body);
  testing_json_numbers(json, path, pose->position, 3);
  snprintf(path, sizeof path, "/cases/%d/R%d", i, body);
  testing_json_numbers(json, path, pose->rotation, 9);
}

static double number_of_case(const testing_json *json, int i, const char *key)
{
  char path[64];
  snprintf(path, sizeof path, "/cases/%d/%s", i, key);
  return testing_json_number(json, path);
}

static bool claim_of_case(const testing_json *json, int i, const char *key)
{
  char path[64];
  snprintf(path, sizeof path, "/cases/%d/%s", i, key);
  return strcmp(testing_json_text(json, path), "true") == 0;
}

// A fraction as text, or else the double.
static double exact_r(const testing_json *json, int i)
{
  char path[64];
  snprintf(path, sizeof path, "/cases/%d/r_exact", i);
  if (!testing_json_has(json, path) || strchr("0123456789", testing_json_text(json, path)[0]) == NULL)
    return number_of_case(json, i, "r");
  char *end;
  const double upper = strtod(testing_json_text(json, path), &end);
  return *end == '/' ? upper / strtod(end + 1, NULL) : upper;
}

// The file counts what meets at the optimum. Of these, events whose normals ask for less are left out by default.
static void check_counts(const testing_json *json, int i, const char *name, const stand *one, const stand *two,
                         const srs_ratio *ratio, int *n_false)
{
  static const char *const keys[3] = {"n_events/CoF12", "n_events/CoF21", "n_events/EoE"};
  srs_ratio_event events[64];
  srs_ratio_event_options exact = srs_default_ratio_event_options(one->polytope, two->polytope, 0);
  exact.epsilon_h = INFINITY;
  const int n = srs_ratio_events(one->polytope, &one->pose, two->polytope, &two->pose, ratio, &exact, events, 64);
  assert_in_range(n, 1, 64);
  int count[3] = {0, 0, 0}, n_points = 0;
  for (int k = 0; k < n; k++) {
    count[events[k].kind]++;
    bool is_new = true;
    for (int l = 0; l < k; l++)
      is_new = is_new && norm3(sub3(vec3_load(events[k].witness), vec3_load(events[l].witness))) > 1e-6;
    n_points += is_new;
  }
  for (int k = 0; k < 3; k++)
    if (count[k] != (int)number_of_case(json, i, keys[k]))
      fail_msg("%s: %s is %d, not %g", name, keys[k], count[k], number_of_case(json, i, keys[k]));
  if (n_points != (int)number_of_case(json, i, "n_points"))
    fail_msg("%s: %d points, not %g", name, n_points, number_of_case(json, i, "n_points"));
  int n_feasible = 0;
  for (int k = 0; k < n; k++) n_feasible += asked_by(one, two, vec3_load(events[k].normal)) >= ratio->r - 1e-9;
  exact.epsilon_h = exact.epsilon_t;
  srs_ratio_event feasible[64];
  const int left = srs_ratio_events(one->polytope, &one->pose, two->polytope, &two->pose, ratio, &exact, feasible, 64);
  assert_int_equal(left, n_feasible);
  for (int k = 0; k < left; k++)
    assert_true(fabs(asked_by(one, two, vec3_load(feasible[k].normal)) - ratio->r) <= 1e-9);
  *n_false += n - left;
}

static void ratio_is_that_of_exact_arithmetic_and_so_are_the_events(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/ratio_metric.json"));
  zoo z = make_zoo();
  const int n = testing_json_count(json, "/cases");
  assert_true(n >= 24);
  int n_false = 0;
  for (int i = 0; i < n; i++) {
    char path[64], name[64];
    snprintf(path, sizeof path, "/cases/%d/name", i);
    snprintf(name, sizeof name, "%s", testing_json_text(json, path));
    stand one, two;
    bodies_of_case(&z, name, &one, &two);
    pose_of_case(json, i, 1, &one.pose);
    pose_of_case(json, i, 2, &two.pose);
    srs_ratio ratio;
    assert_true(ratio_of(&one, &two, NULL, &ratio));
    assert_true(ratio.is_proven);
    const double r = exact_r(json, i);
    if (!(fabs(ratio.r - r) <= 1e-14)) fail_msg("%s: r is %.17g, not %.17g", name, ratio.r, r);
    assert_true(fabs(ratio.rho - number_of_case(json, i, "rho")) <= 1e-13);
    double expected[3];
    if (claim_of_case(json, i, "n_unique")) {
      snprintf(path, sizeof path, "/cases/%d/n", i);
      testing_json_numbers(json, path, expected, 3);
      testing_assert_close(name, ratio.normal, expected, 3, 1e-13);
    }
    if (claim_of_case(json, i, "x_unique")) {
      snprintf(path, sizeof path, "/cases/%d/x_star", i);
      testing_json_numbers(json, path, expected, 3);
      testing_assert_close(name, ratio.witness, expected, 3, 1e-13);
    }
    check_counts(json, i, name, &one, &two, &ratio, &n_false);
    // Metric equivalence with what the file knows of distances.
    const double inradii = one.polytope->inradius + two.polytope->inradius;
    const double between = norm3(sub3(centre_of(&two), centre_of(&one)));
    const double apart = number_of_case(json, i, "dist"), deep = number_of_case(json, i, "mpd");
    if (r >= 1) assert_true(apart / between <= ratio.rho + 1e-13 && ratio.rho <= apart / (inradii + apart) + 1e-13);
    if (r <= 1) assert_true(ratio.rho <= -deep / between + 1e-13);
    if (r <= 1 && deep < inradii) assert_true(-deep / (inradii - deep) <= ratio.rho + 1e-13);
  }
  assert_true(n_false > 0); // there are some to leave out
  free_zoo(&z);
  testing_json_free(json);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ratio_is_that_of_exact_arithmetic_and_so_are_the_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
