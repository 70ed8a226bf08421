// Is the linearised step that of the step? Against central differences, as linearised.h takes them.

#include "linearised.h"
#include "support/mechanisms.h"

static void check_sim(const char *what, srs_sim *sim, srs_linearisation_status status, int least_active, double most)
{
  srs_linearisation_report report;
  const double error = largest_error(sim, 2e-6, &report);
  printf("%-44s %-10s rows %3d active %3d rank %3d geometry %.1e error %.1e\n", what,
         srs_linearisation_status_name(report.status), report.n_rows, report.n_active, report.rank,
         report.geometry_error, error);
  assert_int_equal(report.status, status);
  assert_true(report.n_active >= least_active);
  if (status == SRS_LINEARISATION_NOT_SMOOTH) return;
  assert_true(error < (status == SRS_LINEARISATION_ONE_SIDED ? 100 * most : most));
}

// ---------------------------------------------------------------------------------------------------------------------
// Without rows
// ---------------------------------------------------------------------------------------------------------------------

static void trees_of_every_joint_kind(void **unused)
{
  (void)unused;
  testing_random random = testing_random_start(22);
  for (int k = 0; k < 6; k++) {
    srs_model *model = testing_random_model(&random, 2 + 2 * k, NULL, 0, 0.5);
    srs_sim_options options = srs_default_sim_options();
    options.joint.limits = options.joint.friction = options.contact.enabled = false;
    if (k % 2 == 1) options.velocity_terms = SRS_VELOCITY_TERMS_START;
    srs_sim *sim = sim_of_model(model, &options);
    double *q = numbers(srs_model_nq(model)), *v = numbers(srs_model_nv(model));
    testing_random_q(&random, model, q);
    testing_random_v(&random, model, k < 4 ? 1 : 20, v);
    assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
    check_sim("random tree", sim, SRS_LINEARISATION_SMOOTH, 0, 1e-6);
    free(q), free(v);
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

// A scene written here, at its initial state.
static void check_text(const char *what, const char *text, srs_linearisation_status status, int least_active)
{
  world w = load(text);
  check_sim(what, w.sim, status, least_active, 1e-6);
  unload(&w);
}

// A sample after n steps.
static void check_file(const char *file, long n, srs_linearisation_status status, int least_active, double most)
{
  char path[64];
  snprintf(path, sizeof path, "samples/%s", file);
  srs_scene *scene = scene_of_file(testing_source(path));
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.integrator = SRS_SEMI_IMPLICIT_EULER;
  srs_sim *sim = sim_of_scene(scene, &options);
  step(sim, n);
  check_sim(file, sim, status, least_active, most);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

#define CART                                                                                                           \
  "models:\n"                                                                                                          \
  "  - name: cart\n"                                                                                                   \
  "    links:\n"                                                                                                       \
  "      - {name: base, mass: 2, inertia: [0.1, 0.1, 0.1]}\n"                                                          \
  "      - {name: pole, mass: 1, com: [0, 0, 0.3], inertia: [0.05, 0.04, 0.01]}\n"                                     \
  "    joints:\n"                                                                                                      \
  "      - {name: x, kind: prismatic, child: base, axis: [1, 0, 0]%s}\n"                                               \
  "      - {name: tilt, kind: revolute, parent: base, child: pole, axis: [0, 1, 0]%s}\n"

static void check_cart(const char *what, const char *of_x, const char *of_tilt, const char *more,
                       srs_linearisation_status status, int least_active)
{
  char text[2048];
  const int n = snprintf(text, sizeof text, CART, of_x, of_tilt);
  snprintf(text + n, sizeof text - (size_t)n, "%s", more);
  check_text(what, text, status, least_active);
}

static void limits_dry_friction_and_springs(void **unused)
{
  (void)unused;
  check_cart("a limit that is hit", ", upper: 0.5", "", "initial: {q: {x: 0.4995, tilt: 0.3}, v: {x: 1, tilt: 2}}\n",
             SRS_LINEARISATION_SMOOTH, 1);
  check_cart("a limit that rests", ", upper: 0.5", "", "initial: {q: {x: 0.5, tilt: 0.3}, v: {x: 1, tilt: 2}}\n",
             SRS_LINEARISATION_ONE_SIDED, 1);
  check_cart("a limit that is passed", ", upper: 0.5", "", "initial: {q: {x: 0.501, tilt: 0.3}, v: {x: 1, tilt: 2}}\n",
             SRS_LINEARISATION_SMOOTH, 1);
  check_cart("dry friction that sticks", ", friction: 20", "", "initial: {q: {tilt: 0.3}, v: {tilt: 2}}\n",
             SRS_LINEARISATION_SMOOTH, 1);
  check_cart("dry friction that slips", ", friction: 2", ", friction: 0.1",
             "initial: {q: {tilt: 0.3}, v: {x: -1, tilt: 2}}\n", SRS_LINEARISATION_SMOOTH, 2);
  check_cart("springs and dampers", ", stiffness: 300, damping: 4", ", stiffness: 20, reference: 0.2, damping: 0.3",
             "initial: {q: {x: 0.1, tilt: 0.3}, v: {x: 1, tilt: 2}}\n", SRS_LINEARISATION_SMOOTH, 0);
  check_cart("a drive beside one that is too fast", ", max_effort: 5, max_velocity: 8", ", max_velocity: 1",
             "initial: {q: {tilt: 0.3}, v: {x: 2, tilt: 2}}\n"
             "actuators: [{coordinate: x, torque: -4}, {coordinate: tilt, torque: 1}]\n",
             SRS_LINEARISATION_SMOOTH, 2);
  check_cart("a lock on one side of its place", ", lower: 0.5, upper: 0.5", "",
             "initial: {q: {x: 0.501, tilt: 0.3}, v: {tilt: 2}}\n", SRS_LINEARISATION_SMOOTH, 1);
  check_cart("a lock on the other side, far off", ", lower: 0.5, upper: 0.5", "",
             "initial: {q: {x: 0.49, tilt: 0.3}, v: {tilt: 2}}\n", SRS_LINEARISATION_SMOOTH, 1);
}

// Off its place a lock leads positions back, at it it does not.
static void a_lock_holds_for_motions_that_keep_it(void **unused)
{
  (void)unused;
  char text[2048];
  snprintf(text, sizeof text, CART "initial: {q: {x: 0.5, tilt: 0.3}, v: {tilt: 2}}\n", ", lower: 0.5, upper: 0.5", "");
  world w = load(text);
  srs_linearisation_report report;
  largest_error(w.sim, 2e-6, &report);
  assert_int_equal(report.status, SRS_LINEARISATION_ONE_SIDED);
  assert_int_equal(report.n_weak, 1);
  unload(&w);
}

#define FLOOR "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
#define BODY(shape)                                                                                                    \
  "models:\n"                                                                                                          \
  "  - name: body\n"                                                                                                   \
  "    base: floating\n"                                                                                               \
  "    links: [{name: body, mass: 2, com: [0.01, 0.02, -0.01], inertia: [0.03, 0.04, 0.05]}]\n"                        \
  "    shapes: [{link: body, " shape "}]\n" FLOOR

static void contacts_that_stick_and_slide(void **unused)
{
  (void)unused;
  const char *const ball = BODY("kind: sphere, radius: 0.1"), *const box = BODY("kind: box, size: [0.2, 0.3, 0.1]");
  static const struct {
    const char *what, *initial;
    bool is_box;
    srs_linearisation_status status;
    int active;
  } cases[] = {
      {"a ball that rolls", "q: {root: [0, 0, 0.100002, 1, 0, 0, 0]}, v: {root: [0.2, 0.1, -0.05, -1, 2, 0.5]}", false,
       SRS_LINEARISATION_SMOOTH, 3},
      {"a ball that slides", "q: {root: [0, 0, 0.100002, 1, 0, 0, 0]}, v: {root: [2, 1, -0.05, 1, 2, 3]}", false,
       SRS_LINEARISATION_SMOOTH, 3},
      {"a ball at the floor", "q: {root: [0, 0, 0.1, 1, 0, 0, 0]}, v: {root: [2, 1, -0.05, 1, 2, 3]}", false,
       SRS_LINEARISATION_ONE_SIDED, 3},
      {"a ball inside the floor", "q: {root: [0, 0, 0.0999, 1, 0, 0, 0]}, v: {root: [2, 1, -0.05, 1, 2, 3]}", false,
       SRS_LINEARISATION_SMOOTH, 3},
      {"a ball that leaves the floor, deep inside",
       "q: {root: [0, 0, 0.0945, 1, 0, 0, 0]}, v: {root: [0, 0, 1, 1, 2, 3]}", false, SRS_LINEARISATION_SMOOTH, 0},
      {"a ball in the air", "q: {root: [0, 0, 0.5, 1, 0, 0, 0]}, v: {root: [2, 1, -0.05, 1, 2, 3]}", false,
       SRS_LINEARISATION_SMOOTH, 0},
      {"a box that lands flat", "q: {root: [0, 0, 0.050002, 1, 0, 0, 0]}, v: {root: [0.01, 0, -0.05, 0, 0, 0]}", true,
       SRS_LINEARISATION_SMOOTH, 3},
      {"a box that slides", "q: {root: [0, 0, 0.050002, 1, 0, 0, 0]}, v: {root: [1, 0.4, -0.05, 0, 0, 0]}", true,
       SRS_LINEARISATION_NOT_SMOOTH, 3},
      {"a box that slides and spins", "q: {root: [0, 0, 0.050002, 1, 0, 0, 0]}, v: {root: [1, 0.4, -0.05, 0, 0, 0.5]}",
       true, SRS_LINEARISATION_NOT_SMOOTH, 3},
      {"a box that slides on an edge",
       "q: {root: [0, 0, 0.084472, 0.98078528, 0, 0.19509032, 0]}, v: {root: [1, 0.4, -0.05, 0, 0, 0]}", true,
       SRS_LINEARISATION_SMOOTH, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%sinitial: {%s}\n", cases[i].is_box ? box : ball, cases[i].initial);
    check_text(cases[i].what, text, cases[i].status, cases[i].active);
  }
}

// Rows of this loop depend on each other, and off the loop disagree; its one motion goes along v. No smooth case: the
// rounding of rows that nearly vanish is divided by them, which moves A from one configuration to another, and from one
// build to another, by some 1e-6 and now and then by 2e-5 (40 configurations, three builds). Where the loop has gone
// after so many steps: how far A v is from what the step does, as a share of the largest entry.
static double off_along_the_motion(int steps)
{
  srs_scene *scene = scene_of_file(testing_source("samples/sarrus_linkage.yaml"));
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.integrator = SRS_SEMI_IMPLICIT_EULER;
  srs_sim *sim = sim_of_scene(scene, &options);
  step(sim, steps);
  srs_linearisation *l = NULL;
  srs_linearisation_report report;
  assert_int_equal(srs_linearisation_create(sim, &l, NULL), SRS_OK);
  stepped s = at_state(sim);
  const int nv = s.nv, n = 2 * nv;
  const double width = 1e-5;
  double *A = numbers(n * n), *up = numbers(n), *along = numbers(n);
  assert_int_equal(srs_sim_linearise(sim, l, A, NULL, &report, NULL), SRS_OK);
  assert_int_equal(report.status, SRS_LINEARISATION_ONE_SIDED);
  assert_int_equal(report.weak[0].weakness, SRS_WEAK_DEPENDENCE);
  for (int sign = -1; sign <= 1; sign += 2) { // v stays: it is along the motion, to the order of the width
    srs_integrate(s.model, s.q, s.v, sign * width, s.moved);
    for (int i = 0; i < nv; i++) s.other[i] = (1 + sign * width) * s.v[i];
    assert_int_equal(srs_sim_set_state(sim, s.time, s.moved, s.other, NULL), SRS_OK);
    step(sim, 1);
    if (sign < 0) memcpy(s.q_up, srs_sim_q(sim), (size_t)s.nq * sizeof *s.q_up);
    for (int i = 0; i < nv; i++) up[nv + i] += sign * srs_sim_v(sim)[i];
  }
  srs_difference(s.model, srs_sim_q(sim), s.q_up, up);
  double most = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) along[i] += A[i * n + j] * s.v[j % nv];
    most = fmax(most, fabs(along[i]));
  }
  double worst = 0;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(along[i] - 0.5 / width * up[i]) / most);
  free(A), free(up), free(along);
  put_back(&s);
  srs_linearisation_destroy(l);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return worst;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void a_loop_with_dependent_rows_is_linear_along_its_motion(void **unused)
{
  (void)unused;
  enum { PLACES = 21 };
  double off[PLACES];
  for (int i = 0; i < PLACES; i++) off[i] = off_along_the_motion(60 + 4 * i);
  qsort(off, PLACES, sizeof *off, by_size);
  assert_true(off[PLACES / 2] < 1e-5);
  assert_true(off[PLACES - 1] < 1e-4);
}

static void loops_and_chains_in_contact(void **unused)
{
  (void)unused;
  check_file("double_pendulum.yaml", 100, SRS_LINEARISATION_SMOOTH, 0, 1e-6);
  check_file("four_bar.yaml", 100, SRS_LINEARISATION_SMOOTH, 2, 1e-6);
  check_file("slider_crank.yaml", 100, SRS_LINEARISATION_SMOOTH, 2, 1e-6);
  check_file("stewart.yaml", 100, SRS_LINEARISATION_SMOOTH, 2, 1e-6);
  check_file("delta.yaml", 100, SRS_LINEARISATION_SMOOTH, 2, 1e-6);
  check_file("gripper_arm.xml", 100, SRS_LINEARISATION_SMOOTH, 2, 1e-6);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is not smooth or not offered
// ---------------------------------------------------------------------------------------------------------------------

// A ball that gravity pulls aside as hard as friction can just make it roll: mu g_n = a I / (I + m r^2), I / (m r^2)
// = 2.
static void rows_at_their_edge_are_named(void **unused)
{
  (void)unused;
  world w = load("gravity: [4.905, 0, -9.81]\nmodels:\n  - name: body\n    base: floating\n"
                 "    links: [{name: body, mass: 2, inertia: [0.03, 0.04, 0.05]}]\n"
                 "    shapes: [{link: body, kind: sphere, radius: 0.1}]\n" FLOOR
                 "contact: {friction: 0.3333333333333333}\ninitial: {q: {root: [0, 0, 0.1, 1, 0, 0, 0]}}\n");
  srs_linearisation *l = NULL;
  srs_linearisation_report report;
  char text[256];
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  assert_int_equal(srs_sim_linearise(w.sim, l, NULL, NULL, &report, NULL), SRS_OK);
  assert_int_equal(report.status, SRS_LINEARISATION_NOT_SMOOTH);
  assert_int_equal(report.n_weak, 2);
  assert_int_equal(report.weak[0].weakness, SRS_WEAK_AT_SURFACE);
  assert_int_equal(report.weak[1].weakness, SRS_WEAK_FRICTION);
  assert_string_equal(
      srs_weak_row_text(w.model, &report.weak[1], text, sizeof text),
      "contact of sphere of 'body' and 'floor': it does not slip, and its friction is at the edge of the "
      "cone");
  srs_weak_row other = report.weak[1];
  other.shape_b = 7; // of no such shape, and of no such coordinate
  assert_string_equal(srs_weak_row_text(w.model, &other, text, sizeof text), "");
  other = (srs_weak_row){.source = SRS_ROW_FRICTION, .subject = SRS_ROW_OF_COORDINATE, .index = -1};
  assert_string_equal(srs_weak_row_text(w.model, &other, text, sizeof text), "");
  srs_linearisation_destroy(l);
  unload(&w);
}

static void what_is_not_offered_is_refused_by_name(void **unused)
{
  (void)unused;
  const char *const ball = BODY("kind: sphere, radius: 0.1");
  for (int i = 1; i < SRS_INTEGRATORS; i++) {
    world w = load(ball);
    srs_sim_options options = *srs_sim_get_options(w.sim);
    options.integrator = (srs_integrator)i;
    options.contact.enabled = false;
    srs_sim *sim = sim_of_model(w.model, &options);
    srs_linearisation *l = NULL;
    srs_error error = {0};
    assert_int_equal(srs_linearisation_create(sim, &l, &error), SRS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, srs_integrator_name((srs_integrator)i)));
    assert_null(l);
    srs_sim_destroy(sim);
    unload(&w);
  }
  char text[1024];
  snprintf(text, sizeof text, "%scontact: {rolling: 0.01}\n", ball);
  world w = load(text);
  srs_linearisation *l = NULL;
  srs_error error = {0};
  assert_int_equal(srs_linearisation_create(w.sim, &l, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "rolling"));
  assert_null(l);
  unload(&w);
}

static void a_bounce_is_refused_and_leaves_the_sim_as_it_was(void **unused)
{
  (void)unused;
  char text[1024];
  snprintf(text, sizeof text,
           "%scontact: {restitution: 0.5}\n"
           "initial: {q: {root: [0, 0, 0.101, 1, 0, 0, 0]}, v: {root: [0, 0, -2, 0, 0, 0]}}\n",
           BODY("kind: sphere, radius: 0.1"));
  world w = load(text);
  srs_linearisation *l = NULL;
  srs_error error = {0};
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  assert_int_equal(srs_sim_linearise(w.sim, l, NULL, NULL, NULL, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "bounce"));
  step(w.sim, 10); // above the floor again
  assert_int_equal(srs_sim_linearise(w.sim, l, NULL, NULL, NULL, &error), SRS_OK);
  srs_linearisation_destroy(l);
  unload(&w);
}

static double *run_with(const char *text, bool linearises)
{
  world w = load(text);
  srs_linearisation *l = NULL;
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  for (int i = 0; i < 50; i++) {
    if (linearises) assert_int_equal(srs_sim_linearise(w.sim, l, NULL, NULL, NULL, NULL), SRS_OK);
    step(w.sim, 1);
  }
  double *q = copied(srs_sim_q(w.sim), srs_model_nq(w.model));
  srs_linearisation_destroy(l);
  unload(&w);
  return q;
}

static void the_sim_goes_on_with_the_same_bits(void **unused)
{
  (void)unused;
  char text[1024];
  snprintf(text, sizeof text, "%sinitial: {q: {root: [0, 0, 0.06, 1, 0, 0, 0]}, v: {root: [1, 0, -1, 1, 2, 3]}}\n",
           BODY("kind: box, size: [0.2, 0.3, 0.1]"));
  double *q = run_with(text, false), *other = run_with(text, true);
  assert_memory_equal(q, other, 7 * sizeof *q);
  free(q), free(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_of_every_joint_kind),
      cmocka_unit_test(limits_dry_friction_and_springs),
      cmocka_unit_test(a_lock_holds_for_motions_that_keep_it),
      cmocka_unit_test(contacts_that_stick_and_slide),
      cmocka_unit_test(a_loop_with_dependent_rows_is_linear_along_its_motion),
      cmocka_unit_test(loops_and_chains_in_contact),
      cmocka_unit_test(rows_at_their_edge_are_named),
      cmocka_unit_test(what_is_not_offered_is_refused_by_name),
      cmocka_unit_test(a_bounce_is_refused_and_leaves_the_sim_as_it_was),
      cmocka_unit_test(the_sim_goes_on_with_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
