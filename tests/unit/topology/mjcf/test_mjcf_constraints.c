// Loops, couplings, and which geoms meet with what friction.
#include "topology/model/model.h"
#include "unit/topology/mjcf/mjcf_cases.h"

#define FOUR_BAR                                                                                                       \
  "<worldbody><body name='crank'><joint name='q1' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 0.1' "          \
  "size='0.01'/><body name='coupler' pos='0 0 0.1'><joint name='q2' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 " \
  "0.2987218950531729 0 0.1823875802126918' size='0.01'/></body></body><body name='rocker' pos='0.4 0 0'><joint "      \
  "name='q3' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 -0.1012781049468271 0 0.2823875802126918' size='0.01'/>" \
  "</body></worldbody><contact><exclude body1='coupler' body2='rocker'/><exclude body1='crank' body2='rocker'/>"       \
  "</contact>"

static srs_sim *started(const srs_model *model, double dt)
{
  srs_sim_options options = srs_default_sim_options();
  options.dt = dt;
  options.gravity[2] = 0;
  srs_sim *sim;
  srs_error error;
  if (srs_sim_create(model, &options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return sim;
}

// F44, F31: the anchor is a point of the first body; at the start it closes exactly.
static void connect_closes_a_four_bar(void **state)
{
  (void)state;
  srs_model *model = loaded("<mujoco>" FOUR_BAR "<equality><connect name='c' body1='coupler' body2='rocker' "
                            "anchor='0.2987218950531729 0 0.1823875802126918'/></equality></mujoco>");
  const srs_closure *closure = srs_model_closure(model, 0);
  assert_int_equal(closure->kind, SRS_CLOSURE_POINT);
  const double in_rocker[3] = {-0.1012781049468271, 0, 0.2823875802126918};
  testing_assert_close("anchor", closure->pose[1].position, in_rocker, 3, 1e-15);
  srs_sim *sim = started(model, 1e-3);
  const double v[3] = {5, 0, 0};
  srs_error error;
  assert_int_equal(srs_sim_set_state(sim, 0, srs_model_neutral(model), v, &error), SRS_OK);
  assert_int_equal(srs_sim_step(sim, 500, &error), SRS_OK);
  const double *q = srs_sim_q(sim);
  assert_true(fabs(q[0]) > 1); // it turns: one degree of freedom is left
  const srs_pose a = frame_at(model, "coupler", q), b = frame_at(model, "rocker", q);
  double gap = 0;
  for (int i = 0; i < 3; i++) {
    const double *p = closure->pose[0].position, *r = closure->pose[1].position;
    double x = a.position[i] - b.position[i];
    for (int k = 0; k < 3; k++) x += a.rotation[3 * i + k] * p[k] - b.rotation[3 * i + k] * r[k];
    gap += x * x;
  }
  assert_true(sqrt(gap) < 1e-8); // F44's
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// F31
static void joints_are_coupled_by_their_polynomial(void **state)
{
  (void)state;
  srs_model *model = loaded(
      "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom type='sphere' size='0.1' pos='0.3 0 0'/></body>"
      "<body pos='0 1 0'><joint name='b' axis='0 1 0'/><geom type='sphere' size='0.1' pos='0.2 0 0'/></body>"
      "</worldbody><equality><joint joint1='a' joint2='b' polycoef='0.1 -2 0 0 0'/></equality></mujoco>");
  assert_int_equal(srs_model_n_couplings(model), 1);
  srs_sim *sim = started(model, 1e-3);
  srs_error error;
  const double q[2] = {0.1, 0}, v[2] = {0, 0}, tau[2] = {3, -1};
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, &error), SRS_OK);
  assert_int_equal(srs_sim_set_torque(sim, tau, &error), SRS_OK);
  for (int i = 0; i < 100; i++) {
    assert_int_equal(srs_sim_step(sim, 1, &error), SRS_OK);
    assert_number(srs_sim_q(sim)[0], 0.1 - 2 * srs_sim_q(sim)[1], 1e-8);
  }
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  // Both count from their ref: q_a - 1 = 2 (q_b - 3)
  model =
      loaded("<mujoco><worldbody><body><joint name='a' type='slide' ref='1'/>" BALL "</body><body><joint name='b' "
             "type='slide' ref='3'/>" BALL "</body></worldbody><equality><joint joint1='a' joint2='b' polycoef='0 2'/>"
             "</equality></mujoco>");
  const double expected[5] = {-5, 2, 0, 0, 0};
  testing_assert_close("polynomial", srs_model_coupling(model, 0)->coefficients, expected, 5, 1e-15);
  srs_model_destroy(model);
}

static void weld_keeps_the_pose_of_the_start_or_the_given_one(void **state)
{
  (void)state;
#define TWO                                                                                                            \
  "<worldbody><body name='a' pos='0 0 1' euler='0 0 90'><freejoint/>" BALL "</body><body name='b' pos='0 2 1'>"        \
  "<freejoint/>" BALL "</body></worldbody>"
  srs_model *model = loaded("<mujoco>" TWO "<equality><weld body1='a' body2='b'/></equality></mujoco>");
  const double seen[3] = {2, 0, 0};
  testing_assert_close("weld", srs_model_closure(model, 0)->pose[0].position, seen, 3, 1e-15);
  assert_int_equal(srs_model_loop_rows(model, 0), 6);
  srs_model_destroy(model);
  model = loaded("<mujoco>" TWO "<equality><weld body1='a' body2='b' relpose='0 1 0 1 0 0 0'/></equality></mujoco>");
  const double given[3] = {0, 1, 0};
  testing_assert_close("weld", srs_model_closure(model, 0)->pose[0].position, given, 3, 0);
  srs_model_destroy(model);
  refused("<mujoco>" TWO "<equality>\n<connect body1='a' body2='c' anchor='0 0 0'/></equality></mujoco>",
          SRS_ERROR_NAME, 2, "no body is named 'c'");
}

static bool pair_may_collide(const srs_model *model, const char *a, const char *b)
{
  srs_collider *collider;
  srs_error error;
  const srs_collider_options options = srs_default_collider_options();
  if (srs_collider_create(model, &options, &collider, &error) != SRS_OK) fail_msg("%s", error.message);
  bool found = false;
  for (int i = 0; i < srs_collider_n_pairs(collider); i++) {
    int one, other;
    srs_collider_pair(collider, i, &one, &other);
    const char *x = srs_model_shape(model, one)->name, *y = srs_model_shape(model, other)->name;
    found = found || (strcmp(x, a) == 0 && strcmp(y, b) == 0) || (strcmp(x, b) == 0 && strcmp(y, a) == 0);
  }
  srs_collider_destroy(collider);
  return found;
}

static void loops_between_what_stands_still_are_left_out(void **state)
{
  (void)state;
  srs_model *model =
      loaded("<mujoco><worldbody><body name='a'><geom size='0.1'/></body><body name='b' pos='1 0 0'><geom "
             "size='0.1'/><body name='c'><geom size='0.1'/></body></body><body name='d' pos='2 0 0'>"
             "<freejoint/><geom size='0.1'/></body></worldbody><equality>\n<weld body1='a' body2='c'/>\n"
             "<connect body1='b' anchor='0 0 0'/>\n<weld body1='d' body2='c'/></equality></mujoco>");
  assert_int_equal(srs_model_n_closures(model), 1);
  assert_warns(model, 2, "<weld> is left out: both its ends stand still");
  assert_warns(model, 3, "<connect> is left out");
  srs_model_destroy(model);
}

static void types_parents_pairs_and_exclusions_say_what_meets(void **state)
{
  (void)state;
  srs_model *model =
      loaded("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
             "<body name='post'><geom name='post' size='0.1'/><body name='a' pos='1 0 0'><joint name='x' type='slide' "
             "axis='1 0 "
             "0'/><joint name='y' type='slide' axis='0 1 0'/><geom name='ga' size='0.1'/>"
             "<body name='b' pos='1 0 0'><joint name='h1' axis='0 1 0'/><joint name='h2' axis='1 0 0'/><geom name='gb' "
             "size='0.1'/>"
             "<body name='c' pos='1 0 0'><joint/><geom name='gc' size='0.1'/><geom name='only' size='0.1' contype='0' "
             "conaffinity='2'/><geom name='two' size='0.1' contype='2' "
             "conaffinity='0'/></body></body></body></body></worldbody>"
             "<contact><exclude body1='a' body2='c'/><pair geom1='ga' geom2='gb' friction='0.7'/></contact></mujoco>");
  assert_true(pair_may_collide(model, "floor", "ga"));
  assert_true(pair_may_collide(model, "post", "ga")); // what stands still is no parent
  assert_true(pair_may_collide(model, "ga", "gb"));   // parent and child, but paired
  assert_false(pair_may_collide(model, "gb", "gc"));  // parent and child
  assert_false(pair_may_collide(model, "ga", "gc"));  // excluded
  assert_true(pair_may_collide(model, "post", "gc"));
  assert_false(pair_may_collide(model, "only", "floor")); // conaffinity 2 against contype 1
  assert_false(pair_may_collide(model, "two", "post"));   // contype 2 against conaffinity 1
  srs_model_destroy(model);
}

// F32, and what bounds the effort.
static void actuators_drive_their_joints(void **state)
{
  (void)state;
  const char *text = "<mujoco><option gravity='0 0 0' timestep='0.001'/><worldbody><body><joint name='h' axis='0 0 1'/>"
                     "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body><body><joint name='m' axis='0 0 "
                     "1'/><inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></worldbody><actuator>"
                     "<position joint='h' kp='20' kv='2' gear='3' ctrlrange='-1 1'/><motor joint='m' gear='50' "
                     "ctrlrange='-0.4 0.4'/></actuator><keyframe><key name='home' ctrl='0.3 0' qpos='0 0.5' qvel='0 "
                     "2'/></keyframe></mujoco>";
  srs_scene_options options = srs_default_scene_options();
  options.load.key = "home";
  srs_scene *scene;
  srs_error error;
  if (srs_scene_load(testing_write("drive.xml", text), &options, &scene, &error) != SRS_OK)
    fail_msg("%s", error.message);
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  assert_true(settings->sim.dt == 0.001 && settings->sim.gravity[2] == 0);
  assert_true(settings->q[1] == 0.5 && settings->v[1] == 2);
  assert_int_equal(settings->n_actuators, 2);
  const srs_actuator *servo = &settings->actuators[0];
  assert_true(servo->kp == 20 && servo->kd == 2 && servo->gear == 3);
  assert_number(servo->position, 0.3, 1e-15);
  assert_number(srs_model_max_effort(srs_scene_model(scene))[1], 20, 1e-14); // 50 * 0.4
  srs_sim *sim;
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
  double a[2];
  assert_int_equal(srs_sim_acceleration(sim, a, &error), SRS_OK);
  assert_number(a[0], 180, 1e-9); // 3 * 20 * 0.3 / 0.1
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  options.load.key = "hoem";
  assert_int_equal(srs_scene_load(testing_write("drive.xml", text), &options, &scene, &error), SRS_ERROR_NAME);
  assert_has(error.message, "did you mean 'home'?");
}

// F32: a servo of kp = 1e5 at steps of 0.01 s, by every integrator that takes its gains implicitly: it goes to its
// input, and its energy about that never rises.
static void stiff_servos_are_stable(void **state)
{
  (void)state;
  const char *path = testing_write(
      "stiff.xml", "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody><body><joint name='h' axis='0 0 1'/>"
                   "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></worldbody><actuator><position "
                   "joint='h' kp='1e5' kv='2' gear='3'/></actuator><keyframe><key ctrl='0.3'/></keyframe></mujoco>");
  static const srs_integrator all[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER,
                                       SRS_IMPLICIT_MOREAU};
  for (int i = 0; i < 4; i++) {
    srs_scene *scene;
    srs_sim *sim;
    srs_error error;
    srs_scene_options options = srs_default_scene_options();
    options.load.key = "0";
    assert_int_equal(srs_scene_load(path, &options, &scene, &error), SRS_OK);
    srs_sim_options how = srs_scene_get_settings(scene)->sim;
    how.integrator = all[i];
    assert_int_equal(srs_scene_create_sim(scene, &how, &sim, &error), SRS_OK);
    const double stiffness = 9e5, to = 0.1; // gear^2 kp; 0.3 = 3 q
    const double start = 0.5 * stiffness * to * to;
    double energy = start, most = 0;
    for (int k = 0; k < 1000; k++) {
      assert_int_equal(srs_sim_step(sim, 1, &error), SRS_OK);
      const double q = srs_sim_q(sim)[0] - to, v = srs_sim_v(sim)[0];
      energy = 0.5 * stiffness * q * q + 0.05 * v * v;
      most = fmax(most, energy);
    }
    if (!(most <= start * (1 + 1e-9) && energy <= 0.01 * start))
      fail_msg("%s: energy %g at most, %g at the end, %g at the start", srs_integrator_name(all[i]), most, energy,
               start);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// Activations have no state here: said with their line, and refused by a strict reader.
static void activations_are_reported(void **state)
{
  (void)state;
  static const struct {
    const char *actuator, *words;
  } cases[] = {{"<general joint='h' dyntype='filter' dynprm='0.1'/>", "the filter of an actuator's input"},
               {"<general joint='h' dyntype='filterexact' dynprm='0.1'/>", "the filter of an actuator's input"},
               {"<position joint='h' timeconst='0.1'/>", "the filter of an actuator's input"},
               {"<general joint='h' dyntype='integrator'/>", "an actuator's integrator"},
               {"<intvelocity joint='h' actrange='-1 1'/>", "an actuator's integrator"},
               {"<general joint='h' dyntype='muscle'/>", "its input passes through dynamics"},
               {"<muscle joint='h'/>", "<muscle> is not honoured"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[640];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body><joint name='h'/>" BALL "</body></worldbody><actuator>\n%s</actuator></mujoco>",
             cases[i].actuator);
    srs_model *model = loaded_in_part(text);
    assert_warns(model, 2, cases[i].words);
    srs_model_destroy(model);
    srs_load_options strict = srs_default_load_options();
    strict.build.strict = true;
    srs_error error;
    assert_true(srs_model_load(testing_write("strict.xml", text), &strict, &model, &error) != SRS_OK);
    assert_int_equal(error.line, 2);
  }
}

// Of two geoms the larger friction holds, and the larger condim says whether it does; the one of higher priority alone.
static void frictions_combine_as_in_mujoco(void **state)
{
  (void)state;
  const struct {
    const char *floor, *box;
    double friction, torsional, rolling;
  } cases[] = {{"condim='1' friction='0.9'", "condim='3' friction='0.2'", 0.9, 0, 0},
               {"condim='1' friction='0.9'", "condim='1' friction='0.2'", 0, 0, 0},
               {"condim='3' friction='0.1 0.3'", "condim='4' friction='0.2 0.01'", 0.2, 0.3, 0},
               {"condim='4' friction='0.9'", "condim='1' friction='0.2' priority='1'", 0, 0, 0},
               {"condim='1' friction='0.9'", "condim='4' friction='0.2 0.04' priority='1'", 0.2, 0.04, 0},
               {"condim='3' friction='0.1 0.3 0.02'", "condim='6' friction='0.2 0.01 0.001'", 0.2, 0.3, 0.02},
               {"condim='6'", "condim='4' friction='0.2 0.04 0.1' priority='1'", 0.2, 0.04, 0},
               {"condim='1'", "condim='6' friction='0.2 0.04 0.01' priority='1'", 0.2, 0.04, 0.01}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[640];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><geom type='plane' size='1 1 1' %s/><body><freejoint/><geom type='box' size='1 1 1' "
             "%s/></body></worldbody></mujoco>",
             cases[i].floor, cases[i].box);
    srs_model *model = loaded(text);
    srs_file_grip grip;
    assert_true(srs_file_friction(srs_file_material_of(&model->file, srs_model_shape(model, 0)->material),
                                  srs_file_material_of(&model->file, srs_model_shape(model, 1)->material), &grip));
    assert_true(grip.friction == cases[i].friction && grip.torsional == cases[i].torsional);
    assert_true(grip.rolling == cases[i].rolling);
    srs_model_destroy(model);
  }
}

// Flags switch off what acts; a key without effect elsewhere.
static void flags_switch_off_what_acts(void **state)
{
  (void)state;
  const char *text =
      "<mujoco><option><flag %s='disable'/></option><worldbody><body><joint name='h' stiffness='2' "
      "damping='3' frictionloss='4' range='-10 10'/><geom size='0.1'/></body></worldbody><actuator><motor "
      "joint='h'/></actuator></mujoco>";
  static const char *const flags[] = {"spring", "damper", "frictionloss", "limit", "actuation"};
  for (int i = 0; i < 5; i++) {
    char file[640];
    snprintf(file, sizeof file, text, flags[i]);
    srs_model *model = loaded(file);
    assert_int_equal(srs_model_n_warnings(model), 0);
    assert_true(srs_model_stiffness(model)[0] == (i == 0 ? 0 : 2));
    assert_true(srs_model_damping(model)[0] == (i == 1 ? 0 : 3));
    assert_true(model->friction[0] == (i == 2 ? 0 : 4));
    assert_true(isinf(srs_model_upper(model)[0]) == (i == 3));
    assert_int_equal(model->file.n_actuators, i == 4 ? 0 : 1);
    srs_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(connect_closes_a_four_bar),
      cmocka_unit_test(joints_are_coupled_by_their_polynomial),
      cmocka_unit_test(weld_keeps_the_pose_of_the_start_or_the_given_one),
      cmocka_unit_test(loops_between_what_stands_still_are_left_out),
      cmocka_unit_test(types_parents_pairs_and_exclusions_say_what_meets),
      cmocka_unit_test(actuators_drive_their_joints),
      cmocka_unit_test(stiff_servos_are_stable),
      cmocka_unit_test(activations_are_reported),
      cmocka_unit_test(frictions_combine_as_in_mujoco),
      cmocka_unit_test(flags_switch_off_what_acts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
