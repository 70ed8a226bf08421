// Sensors of MJCF files: what they show against closed forms, what comes back from a scene, what is only noted.
#include "support/sims.h"
#include "unit/topology/mjcf/mjcf_cases.h"
#include <sarrus/sensors.h>

static const double g = 9.81;

// A ball of 2 kg stands on the floor and carries a box of 1 kg, welded to it; a wheel is driven from rest.
#define MACHINE                                                                                                        \
  "<mujoco><compiler angle='degree'/><option timestep='0.001' gravity='0 0 -9.81'/><worldbody>"                        \
  "<geom name='floor' type='plane' size='1 1 1'/><body name='cart' pos='0 0 0.1'>"                                     \
  "<joint name='lift' type='slide' axis='0 0 1' ref='0.5'/><geom name='ball' size='0.1' mass='2'/>"                    \
  "<site name='s' pos='0.03 0.04 0' euler='0 90 0'/><site name='eye' pos='0 0 2' euler='180 0 0'/>"                    \
  "<body name='box' pos='0.5 0 0'><geom type='box' pos='0.1 0 0' size='0.1 0.1 0.1' mass='1' contype='0' "             \
  "conaffinity='0'/><site name='wrist' pos='0.02 0 0' euler='0 0 90'/></body></body>"                                  \
  "<body name='wheel' pos='3 0 1'><joint name='spin' axis='0 0 1'/><inertial pos='0 0 0' mass='1' "                    \
  "diaginertia='0.1 0.1 0.1'/><site name='rim' pos='0.2 0 0'/></body></worldbody>"                                     \
  "<actuator><motor name='m' joint='spin'/></actuator>"
#define KEY "<keyframe><key name='k' qpos='0.5 0' ctrl='0.7'/></keyframe>"
#define INSTRUMENTS                                                                                                    \
  "<sensor><jointpos name='height' joint='lift'/><jointvel name='rate' joint='spin'/>"                                 \
  "<jointactuatorfrc name='drive' joint='spin'/><actuatorfrc name='motor' actuator='m'/>"                              \
  "<actuatorpos name='turn' actuator='m'/><actuatorvel name='speed' actuator='m'/>"                                    \
  "<gyro name='gyro' site='rim'/><accelerometer name='acc' site='s' noise='0.1'/>"                                     \
  "<velocimeter name='velo' site='rim'/><force name='force' site='wrist'/><torque name='torque' site='wrist'/>"        \
  "<touch name='touch' site='s'/><rangefinder name='far' site='eye'/><rangefinder name='near' site='eye' cutoff='1'/>" \
  "<framepos name='where' objtype='xbody' objname='wheel'/><framequat name='which way' objtype='site' objname='rim'/>" \
  "<framelinvel name='how fast' objtype='site' objname='rim'/>"                                                        \
  "<frameangvel name='how round' objtype='body' objname='wheel'/>"                                                     \
  "<frameangacc objtype='body' objname='wheel'/></sensor>"

typedef struct machine {
  srs_scene *scene;
  srs_sim *sim;
  srs_sensors *sensors;
} machine;

static machine opened(const char *path)
{
  machine m;
  srs_error error;
  srs_scene_options options = srs_default_scene_options();
  options.load.key = strstr(path, ".xml") != NULL ? "k" : NULL;
  if (srs_scene_load(path, &options, &m.scene, &error) != SRS_OK) fail_msg("line %d: %s", error.line, error.message);
  m.sim = sim_of_scene(m.scene, NULL);
  const srs_scene_settings *settings = srs_scene_get_settings(m.scene);
  if (srs_sensors_create(m.sim, settings->sensors, settings->n_sensors, &m.sensors, &error) != SRS_OK)
    fail_msg("%s", error.message);
  return m;
}

static void end(machine m)
{
  srs_sensors_destroy(m.sensors);
  srs_sim_destroy(m.sim);
  srs_scene_destroy(m.scene);
}

static void read_after(const machine *m, int steps)
{
  srs_error error;
  if (srs_sim_step(m->sim, steps, &error) != SRS_OK || srs_sensors_read(m->sensors, &error) != SRS_OK)
    fail_msg("%s", error.message);
}

// The numbers of a sensor from `first` on.
static void assert_shows(const machine *m, const char *name, int first, const double *expected, int n)
{
  const int i = srs_sensors_find(m->sensors, name);
  if (i < 0) fail_msg("no sensor '%s'", name);
  testing_assert_close(name, srs_sensors_value(m->sensors, i) + first, expected, n, 1e-9);
}

static void sensors_show_what_closed_forms_say(void **state)
{
  (void)state;
  const machine m = opened(testing_write("sensors.xml", MACHINE KEY INSTRUMENTS "</mujoco>"));
  assert_int_equal(srs_model_n_warnings(srs_scene_model(m.scene)), 0);
  assert_int_equal(srs_sensors_count(m.sensors), 19);
  read_after(&m, 100);
  const double w = 7 * 0.1, turn = srs_sim_q(m.sim)[1], load = 3 * g;
  assert_shows(&m, "height", 0, &(double){0.5}, 1);
  assert_shows(&m, "rate", 0, &w, 1);
  assert_shows(&m, "speed", 0, &w, 1);
  assert_shows(&m, "turn", 0, &turn, 1);
  assert_shows(&m, "drive", 0, &(double){0.7}, 1);
  assert_shows(&m, "motor", 0, &(double){0.7}, 1);
  assert_shows(&m, "gyro", 0, (double[]){0, 0, w}, 3);
  assert_shows(&m, "acc", 3, (double[]){-g, 0, 0}, 3); // the site's x points down
  assert_shows(&m, "velo", 3, (double[]){0, 0.2 * w, 0}, 3);
  assert_shows(&m, "force", 3, (double[]){0, 0, g}, 3);
  assert_shows(&m, "torque", 0, (double[]){-0.08 * g, 0, 0}, 3); // about the world's -y, the site's -x
  assert_shows(&m, "touch", 0, (double[]){0, 0.03 * load, -0.04 * load, -load, 0, 0}, 6);
  assert_shows(&m, "far", 0, &(double){2.1}, 1);
  assert_shows(&m, "near", 0, &(double){1}, 1);
  assert_shows(&m, "where", 0, (double[]){3, 0, 1}, 3);
  assert_shows(&m, "which way", 3, (double[]){cos(turn / 2), 0, 0, sin(turn / 2)}, 4);
  assert_shows(&m, "how fast", 3, (double[]){-0.2 * w * sin(turn), 0.2 * w * cos(turn), 0}, 3);
  assert_shows(&m, "how round", 0, (double[]){0, 0, w}, 3);
  assert_shows(&m, "sensor18", 0, (double[]){0, 0, 7}, 3);
  end(m);
}

// Axes of frames are in their poses. A frame's acceleration at rest is zero, where MuJoCo shows minus gravity: noted.
static void axes_and_accelerations_of_frames(void **state)
{
  (void)state;
  const machine m = opened(testing_write("axes.xml", MACHINE KEY
                                         "<sensor><framexaxis name='x' objtype='site' objname='s'/><framezaxis "
                                         "name='z' objtype='site' objname='rim'/>\n<framelinacc name='still' "
                                         "objtype='xbody' objname='cart'/><framelinacc name='rim' objtype='site' "
                                         "objname='rim'/></sensor></mujoco>"));
  assert_warns(srs_scene_model(m.scene), 2,
               "sensor <framelinacc> (2 times, from here on) differs: gravity is not taken off");
  read_after(&m, 1);
  const double half = sqrt(0.5), turn = srs_sim_q(m.sim)[1];
  assert_shows(&m, "x", 3, (double[]){half, 0, half, 0}, 4); // a quarter about y: its x axis is (0, 0, -1)
  assert_shows(&m, "z", 3, (double[]){cos(turn / 2), 0, 0, sin(turn / 2)}, 4);
  assert_shows(&m, "still", 3, (double[]){0, 0, 0}, 3);
  assert_shows(&m, "rim", 3, (double[]){0, 0.2 * 7, 0}, 3); // 0.7 N m on 0.1 kg m^2, from rest
  end(m);
}

// A force sensor at a body with joints off its origin, so that the body is a frame on what its joint carries.
static void forces_are_those_of_the_body_of_the_site(void **state)
{
  (void)state;
  const machine m = opened(testing_write(
      "hung.xml", "<mujoco><option timestep='0.001' gravity='0 0 -9.81'/><worldbody><body name='a' pos='1 2 3'>"
                  "<joint name='j' axis='0 1 0' pos='0 0 0.4'/><joint name='i' axis='1 0 0' pos='0 0 0.4'/><geom "
                  "size='0.1' mass='3'/><site name='s' pos='0.1 0 0.4'/></body></worldbody><sensor><force name='f' "
                  "site='s'/><torque name='t' site='s'/></sensor><keyframe><key name='k'/></keyframe></mujoco>"));
  read_after(&m, 10);
  assert_shows(&m, "f", 3, (double[]){0, 0, 3 * g}, 3);
  assert_shows(&m, "t", 0, (double[]){0, 0.1 * 3 * g, 0}, 3); // (-0.1, 0, 0) x (0, 0, 3 g)
  end(m);
}

static void scenes_keep_them(void **state)
{
  (void)state;
  machine before = opened(testing_write("kept.xml", MACHINE KEY INSTRUMENTS "</mujoco>"));
  srs_error error;
  const char *copy = testing_write("kept.yaml", "");
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  if (srs_model_save(srs_scene_model(before.scene), copy, &options, &error) != SRS_OK) fail_msg("%s", error.message);
  machine after = opened(copy);
  read_after(&before, 50);
  read_after(&after, 50);
  int n[2];
  const double *x = srs_sensors_values(before.sensors, &n[0]), *y = srs_sensors_values(after.sensors, &n[1]);
  assert_int_equal(n[0], n[1]);
  assert_memory_equal(x, y, (size_t)n[0] * sizeof *x);
  end(before);
  end(after);
}

static void what_has_no_counterpart_is_noted_by_kind(void **state)
{
  (void)state;
  const char *text = MACHINE "<actuator><motor name='geared' joint='lift' gear='3'/><motor name='twin' joint='spin'/>"
                             "</actuator><sensor>\n<subtreecom body='cart'/>\n<subtreecom body='box'/>\n"
                             "<framepos objtype='geom' objname='ball'/>\n<framepos objtype='body' objname='cart'/>\n"
                             "<framepos objtype='site' objname='s' reftype='xbody' refname='cart'/>\n"
                             "<gyro site='nowhere'/>\n<actuatorfrc actuator='geared'/>\n<actuatorfrc actuator='m'/>\n"
                             "<jointpos joint='lift' cutoff='2'/>\n<gyro site='s' sight='s'/>\n<nonsense/></sensor>"
                             "</mujoco>";
  srs_model *model = loaded(text);
  assert_warns(model, 2, "<subtreecom> (2 times, from here on) is not read");
  assert_warns(model, 4, "sensor <framepos> (2 times, from here on) is left out: only bodies (xbody) and sites");
  assert_warns(model, 6, "it is seen from another frame");
  assert_warns(model, 7, "no site has the name");
  assert_warns(model, 8, "sensor <actuatorfrc> (2 times, from here on) is left out: its actuator has a gear");
  assert_warns(model, 10, "sensor <jointpos> differs: its numbers are not cut off");
  assert_warns(model, 11, "@sight is no word of MJCF");
  assert_warns(model, 12, "nonsense is no element of MJCF");
  srs_model_destroy(model);
  refused("<mujoco><worldbody><body name='b'><joint name='j'/>" BALL "</body></worldbody><sensor>\n<jointpos name='a' "
          "joint='j'/>\n<jointvel name='a' joint='j'/></sensor></mujoco>",
          SRS_ERROR_NAME, 3, "'a'");
}

// A ray needs something to meet; sensors are nothing that a strict reader refuses.
static void a_file_with_sensors_alone_is_no_reason_to_refuse(void **state)
{
  (void)state;
  srs_load_options options = srs_default_load_options();
  options.build.strict = true;
  srs_model *model =
      loaded_with("<mujoco><worldbody><body name='b'><joint name='j'/>" BALL "<site name='s'/></body></worldbody>"
                  "<sensor>\n<rangefinder site='s'/><clock/><gyro/></sensor></mujoco>",
                  &options);
  assert_warns(model, 2, "nothing here can collide");
  assert_warns(model, 2, "<clock> is not read");
  assert_int_equal(srs_model_n_warnings(model), 3);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sensors_show_what_closed_forms_say),
      cmocka_unit_test(axes_and_accelerations_of_frames),
      cmocka_unit_test(forces_are_those_of_the_body_of_the_site),
      cmocka_unit_test(scenes_keep_them),
      cmocka_unit_test(what_has_no_counterpart_is_noted_by_kind),
      cmocka_unit_test(a_file_with_sensors_alone_is_no_reason_to_refuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
