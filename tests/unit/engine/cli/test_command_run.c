// `sarrus run`: what it computes, what it writes, how it is interrupted, and what it refuses.
#include "support/command.h"

#include <math.h>

static const char one_body[] = "<robot name='one'><link name='body'><inertial><mass value='2'/>"
                               "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";

static testing_json *run_json(const char *arguments)
{
  if (sarrus("run %s --json", arguments) != 0) fail_msg("%s", command_err);
  return command_json();
}

static void json_has_every_promised_key(void **state)
{
  (void)state;
  static const char *const keys[] = {
      "steps",
      "sim_time",
      "wall_time",
      "realtime_factor",
      "solver",
      "integrator",
      "contacts_max",
      "contact_steps",
      "solver_iterations/mean",
      "solver_iterations/max",
      "solver_failures",
      "first_failure_time",
      "residual_max",
      "penetration_max",
      "penetration_mean",
      "closure_error_max",
      "energy_start",
      "energy_end",
      "final/q/h",
      "final/v/h",
      "base",
      "mass",
  };
  testing_write("p.urdf", pendulum);
  testing_json *json = run_json("p.urdf --duration 0.5");
  assert_string_equal(command_err, "");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    char path[64];
    snprintf(path, sizeof path, "/%s", keys[i]);
    if (!testing_json_has(json, path)) fail_msg("no %s", path);
  }
  assert_string_equal(testing_json_text(json, "/solver"), "none");
  assert_string_equal(testing_json_text(json, "/status"), "finished");
  assert_string_equal(testing_json_text(json, "/base"), "fixed");
  assert_true(testing_json_number(json, "/mass") == 2);
  assert_true(testing_json_number(json, "/steps") == 500);
  assert_true(testing_json_number(json, "/sim_time") == 0.5);
  testing_json_free(json);
}

static void steps_are_duration_over_dt_rounded(void **state)
{
  (void)state;
  static const struct {
    const char *arguments;
    double steps, end;
  } cases[] = {
      {"--dt 0.1 --duration 0.3", 3, 3 * 0.1},
      {"--dt 0.001 --duration 1", 1000, 1},
      {"--dt 0.3 --duration 1 2>/dev/null", 3, 3 * 0.3},
      {"--dt 1 --duration 0.4 2>/dev/null", 0, 0},
      {"--duration 0", 0, 0},
  };
  testing_write("p.urdf", pendulum);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "p.urdf %s", cases[i].arguments);
    if (sarrus("run --json %s", arguments) != 0) fail_msg("%s", command_err);
    testing_json *json = command_json();
    assert_true(testing_json_number(json, "/steps") == cases[i].steps);
    // n dt to one rounding, not a sum of n roundings
    assert_true(fabs(testing_json_number(json, "/sim_time") - cases[i].end) <= 0x1p-52 * cases[i].end);
    testing_json_free(json);
  }
  assert_int_equal(sarrus("run p.urdf --dt 0.3 --duration 1 --json"), 0);
  assert_says(command_err, "not a whole number of steps");
}

static void a_floating_body_falls_and_a_fixed_one_stays(void **state)
{
  (void)state;
  testing_write("one.urdf", one_body);
  testing_json *json = run_json("one.urdf --base floating --duration 1 --dt 0.001");
  assert_string_equal(testing_json_text(json, "/base"), "floating");
  // semi-implicit Euler: v = -g t, z = -g t (t + dt) / 2; a thousand roundings of numbers below 10
  assert_true(fabs(testing_json_number(json, "/final/v/\"root.vz\"") + 9.81) < 1e-12);
  assert_true(fabs(testing_json_number(json, "/final/q/\"root.z\"") + 9.81 * 1.001 / 2) < 1e-12);
  testing_json_free(json);
  json = run_json("one.urdf --duration 1");
  assert_string_equal(testing_json_text(json, "/base"), "fixed");
  assert_true(testing_json_number(json, "/mass") == 0);
  testing_json_free(json);
  assert_int_equal(sarrus("run one.urdf --base floating --duration 0.1"), 0);
  assert_says(command_out, "base floating");
}

static void links_and_joints_may_share_a_name_and_none_is_reserved(void **state)
{
  (void)state;
  static const char robot[] = "<robot name='r'><link name='world'/><link name='base_link'><inertial><mass value='1'/>"
                              "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                              "<joint name='base_link' type='%s'><parent link='world'/><child link='base_link'/><axis "
                              "xyz='0 0 1'/></joint></robot>";
  static const struct {
    const char *type, *options, *entry, *base;
  } cases[] = {
      {"floating", "", "/final/v/\"base_link.vz\"", "floating"},
      {"fixed", "--base floating", "/final/v/\"root.vz\"", "floating"},
      {"prismatic", "", "/final/v/base_link", "fixed"},
  };
  for (int i = 0; i < 3; i++) {
    char text[1024], arguments[128];
    snprintf(text, sizeof text, robot, cases[i].type);
    if (strcmp(cases[i].type, "prismatic") == 0) {
      char *end = strstr(text, "</joint>");
      memmove(end + strlen("<limit lower='-9' upper='9' effort='1' velocity='1'/>"), end, strlen(end) + 1);
      memcpy(end, "<limit lower='-9' upper='9' effort='1' velocity='1'/>",
             strlen("<limit lower='-9' upper='9' effort='1' velocity='1'/>"));
    }
    testing_write("names.urdf", text);
    snprintf(arguments, sizeof arguments, "names.urdf --duration 1 %s", cases[i].options);
    testing_json *json = run_json(arguments);
    assert_true(fabs(testing_json_number(json, cases[i].entry) + 9.81) < 1e-12); // a thousand roundings
    assert_string_equal(testing_json_text(json, "/base"), cases[i].base);
    testing_json_free(json);
  }
}

static void options_go_before_the_scene(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("scene.yaml", "models:\n  - {file: p.urdf}\ninitial: {q: {h: 0.3}, v: {h: 1}}\ngravity: [0, 0, 0]\n"
                              "dt: 0.01\nduration: 1\nintegrator: rk4\n");
  testing_json *json = run_json("scene.yaml");
  assert_true(fabs(testing_json_number(json, "/final/q/h") - 1.3) < 1e-13); // a hundred roundings
  assert_string_equal(testing_json_text(json, "/integrator"), "rk4");
  assert_true(testing_json_number(json, "/steps") == 100);
  testing_json_free(json);
  json = run_json("scene.yaml --q 0 --v=-2 --dt 0.5 --duration 2 --integrator moreau-midpoint");
  assert_true(testing_json_number(json, "/final/q/h") == -4);
  assert_string_equal(testing_json_text(json, "/integrator"), "moreau-midpoint");
  assert_true(testing_json_number(json, "/steps") == 4);
  testing_json_free(json);
  json = run_json("scene.yaml --duration 0.01 --gravity 0,0,-9.81 --q 0 --v 0");
  assert_true(testing_json_number(json, "/energy_start") == -9.81);
  testing_json_free(json);
}

static void known_solvers_are_taken_and_unknown_refused(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) {
    assert_int_equal(
        sarrus("run p.urdf --duration 0 --solver %s --json", srs_contact_method_name((srs_contact_method)i)), 0);
    assert_string_equal(command_err, "");
  }
  assert_refused(sarrus("run p.urdf --solver mncp-rml"), 2, "did you mean 'mncp-rlm'?");
  assert_refused(sarrus("run p.urdf --integrator euler"), 2, "semi-implicit-euler");
}

static void the_trajectory_has_a_row_for_the_start_every_n_steps_and_the_end(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_json *json = run_json("p.urdf --duration 1 --dt 0.01 --every 7 --out rows.csv");
  const int rows = 1 + 100 / 7 + 1;
  assert_int_equal(assert_whole_csv("rows.csv"), rows);
  assert_true(testing_json_number(json, "/rows") == rows);
  assert_string_equal(testing_json_text(json, "/output"), "rows.csv");
  assert_true(file_exists("rows.csv.yaml"));
  testing_json_free(json);
}

static void torques_come_from_the_input(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("in.csv", "time,tau:h\n0,3\n0.5,-6\n");
  testing_json *json = run_json("p.urdf --gravity 0,0,0 --duration 1 --input in.csv");
  // 500 steps of 3 / 0.6 and 500 of -6 / 0.6, rounded a thousand times
  assert_true(fabs(testing_json_number(json, "/final/v/h") - (0.5 * 5 - 0.5 * 10)) < 1e-12);
  testing_json_free(json);
}

static void references_come_from_the_input_with_gains(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("ref.csv", "time,q_ref:h,v_ref:h\n0,0.5,0\n");
  testing_json *json = run_json("p.urdf --gravity 0,0,0 --duration 20 --input ref.csv --kp 60 --kd 12");
  // M s^2 + 12 s + 60 = 0 has both roots at -10: e^-200 is nothing
  assert_true(fabs(testing_json_number(json, "/final/q/h") - 0.5) < 1e-12);
  testing_json_free(json);
  assert_refused(sarrus("run p.urdf --kp 1"), 2, "--input");
  assert_refused(sarrus("run p.urdf --input ref.csv --kd=-1"), 2, "--kd must not be below 0");
}

static void stats_order_the_times_of_steps(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_json *json = run_json("p.urdf --duration 1 --stats");
  const double median = testing_json_number(json, "/step_time/median");
  const double more = testing_json_number(json, "/step_time/\"p99.9\""),
               most = testing_json_number(json, "/step_time/\"p99.99\"");
  assert_true(median > 0 && median <= more && more <= most && most <= testing_json_number(json, "/step_time/worst"));
  testing_json_free(json);
  assert_int_equal(sarrus("run p.urdf --duration 1 --stats"), 0);
  assert_says(command_out, "99.99 %");
}

static void the_summary_names_what_matters(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("run p.urdf --duration 0.1 --out summary.csv --v 1"), 0);
  static const char *const parts[] = {"p.urdf", "base fixed", "2 kg", "100",        "0.1 s",
                                      "energy", "q:h",        "v:h",  "summary.csv"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) assert_says(command_out, parts[i]);
  assert_string_equal(command_err, "");
}

static void an_interrupted_run_leaves_whole_lines(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  static const char *const signals[] = {"INT", "TERM"};
  for (int i = 0; i < 2; i++) {
    // Waits until rows are there, then sends the signal; the run would take days.
    const int status = sarrus("run p.urdf --duration 1e8 --every 10 --out int%d.csv --json & "
                              "n=0; until [ $(cat int%d.csv 2>/dev/null | wc -c) -gt 1000 ] || [ $n -gt 200 ]; "
                              "do n=$((n+1)); sleep 0.05; done; kill -%s $!; wait $!",
                              i, i, signals[i]);
    assert_int_equal(status, 1);
    assert_says(command_err, "interrupted at t = ");
    testing_json *json = command_json();
    assert_string_equal(testing_json_text(json, "/status"), "interrupted");
    char name[16];
    snprintf(name, sizeof name, "int%d.csv", i);
    assert_true(testing_json_number(json, "/rows") == assert_whole_csv(name));
    testing_json_free(json);
  }
}

// With damping explicit, as rk4 has it, dt d / M = 83 is far outside the stable range: each step multiplies v by 10^6.
static void a_failing_step_names_time_step_and_joint_and_leaves_whole_rows(void **state)
{
  (void)state;
  char stiff[2048];
  const char *axis = strstr(pendulum, "<axis");
  snprintf(stiff, sizeof stiff, "%.*s<dynamics damping='5000'/>%s", (int)(axis - pendulum), pendulum, axis);
  testing_write("stiff.urdf", stiff);
  assert_refused(sarrus("run stiff.urdf --integrator rk4 --dt 0.01 --v 1 --duration 10 --out stiff.csv --json"), 1,
                 "h");
  assert_says(command_err, "stiff.csv");
  assert_says(command_err, "step");
  assert_says(command_err, "stiff.urdf");
  assert_true(assert_whole_csv("stiff.csv") > 1);
}

static void negative_damping_is_refused_with_the_joint(void **state)
{
  (void)state;
  char growing[2048];
  const char *axis = strstr(pendulum, "<axis");
  snprintf(growing, sizeof growing, "%.*s\n<dynamics damping='-50'/>%s", (int)(axis - pendulum), pendulum, axis);
  testing_write("growing.urdf", growing);
  assert_refused(sarrus("run growing.urdf --out growing.csv"), 1, "growing.urdf:5");
  assert_says(command_err, "damping");
  assert_says(command_err, "h");
  assert_false(file_exists("growing.csv"));
}

static void warnings_go_to_stderr_and_quiet_silences_them(void **state)
{
  (void)state;
  char meshed[2048];
  const char *inertial = strstr(pendulum, "<inertial>");
  snprintf(meshed, sizeof meshed,
           "%.*s<odd/><visual><geometry><mesh filename='package://none/a.stl'/></geometry></visual>%s",
           (int)(inertial - pendulum), pendulum, inertial);
  testing_write("meshed.urdf", meshed);
  assert_int_equal(sarrus("run meshed.urdf --duration 0 --json"), 0);
  assert_says(command_err, "sarrus: warning: ");
  assert_says(command_err, "meshed.urdf:3");
  testing_json_free(command_json());
  assert_int_equal(sarrus("run meshed.urdf --duration 0 --quiet"), 0);
  assert_string_equal(command_err, "");
  assert_refused(sarrus("run meshed.urdf --duration 0 --strict"), 1, "meshed.urdf:3");
}

static void a_warning_lists_every_place_where_a_mesh_was_looked_for(void **state)
{
  (void)state;
  char meshed[6000], name[3001];
  const char *inertial = strstr(pendulum, "<inertial>");
  memset(name, 'm', sizeof name - 1), name[sizeof name - 1] = '\0';
  snprintf(meshed, sizeof meshed, "%.*s<visual><geometry><mesh filename='package://none/%s'/></geometry></visual>%s",
           (int)(inertial - pendulum), pendulum, name, inertial);
  testing_write("meshed.urdf", meshed);
  assert_int_equal(sarrus("run meshed.urdf --duration 0 --package none=/nowhere --package none=/elsewhere"), 0);
  assert_says(command_err, "/nowhere/mm");
  assert_says(command_err, "m, /elsewhere/mm");
  assert_says(command_err, "mm)\n"); // the end of the list
  snprintf(meshed, sizeof meshed,
           "%.*s<collision><geometry><mesh filename='package://none/a.stl'/></geometry></collision>%s",
           (int)(inertial - pendulum), pendulum, inertial);
  testing_write("meshed.urdf", meshed);
  assert_refused(sarrus("run meshed.urdf --duration 0 --strict"), 1,
                 "meshed.urdf:3: a warning, refused as strict: mesh '");
  assert_refused(sarrus("run meshed.urdf --duration 0"), 1, "name its folder with a package (--package NAME=DIR)");
  assert_int_equal(sarrus("run meshed.urdf --duration 0 --no-collision"), 0);
}

static void values_of_options_that_make_no_sense_are_refused(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("scene.yaml", "models:\n  - {file: p.urdf}\n");
  static const struct {
    const char *arguments, *message;
  } cases[] = {
      {"p.urdf --dt 0", "--dt must be above 0"},
      {"p.urdf --dt -0.1", "--dt must be above 0"},
      {"p.urdf --dt nan", "finite"},
      {"p.urdf --dt 0,001", "'0,001' is not a finite number"},
      {"p.urdf --dt 1ms", "'1ms'"},
      {"p.urdf --duration -1", "--duration must not be below 0"},
      {"p.urdf --duration 1e300", "more steps than can be counted"},
      {"p.urdf --every 0", "--every must be a whole number"},
      {"p.urdf --every 1.5", "--every must be a whole number"},
      {"p.urdf --q 1,2", "--q has 2 numbers, the model needs 1: h"},
      {"p.urdf --v ''", "--v has 0 numbers"},
      {"scene.yaml --base floating", "--base is for robot files"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_refused(sarrus("run --out refused.csv %s", cases[i].arguments), 2, cases[i].message);
  assert_false(file_exists("refused.csv"));
}

static void a_trajectory_that_cannot_be_written_is_a_failure(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  assert_refused(sarrus("run p.urdf --duration 0.1 --out no/such/folder/a.csv"), 1, "no/such/folder/a.csv");
  assert_refused(sarrus("run p.urdf --duration 0.1 --out ."), 1, ".");
  assert_refused(sarrus("run p.urdf --input none.csv --out input.csv"), 1, "none.csv");
  assert_false(file_exists("input.csv"));
}

static void assert_unchanged(const char *name, const char *text)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  char *now = testing_read(path, NULL);
  assert_string_equal(now, text);
  free(now);
}

// Whether by its own name, through a link, or as the metadata.
static void no_output_overwrites_what_the_run_reads(void **state)
{
  (void)state;
  static const char scene[] = "models:\n  - file: spared.urdf\nduration: 0.1\n";
  static const char scene_with_output[] =
      "models:\n  - file: spared.urdf\nduration: 0.1\noutput: {file: spared.urdf}\n";
  static const char input[] = "time,tau:h\n0,1\n", mesh[] = "solid none\n";
  static const char with_mesh[] = "<robot name='r'><link name='base'><visual><geometry><mesh filename='spared.stl'/>"
                                  "</geometry></visual></link></robot>";
  testing_write("spared.urdf", pendulum);
  testing_write("spared.csv.yaml", scene);
  testing_write("spared_output.yaml", scene_with_output);
  testing_write("spared_input.csv", input);
  testing_write("spared.stl", mesh);
  testing_write("meshed.urdf", with_mesh);
  static const struct {
    const char *arguments, *message;
  } cases[] = {
      {"spared.csv.yaml --out spared.csv.yaml", "spared.csv.yaml: is the scene itself"},
      {"spared.csv.yaml --out spared.csv", "spared.csv.yaml: is the scene itself"},
      {"spared.csv.yaml --out ./spared.urdf", "spared.urdf: is a robot of the scene"},
      {"spared_output.yaml", "spared.urdf: is a robot of the scene"},
      {"spared.urdf --duration 0.1 --out spared.urdf", "is the scene itself"},
      {"spared.urdf --duration 0.1 --input spared_input.csv --out spared_input.csv", "is the run's input"},
      {"meshed.urdf --quiet --duration 0.1 --out spared.stl", "is a mesh of the model"},
      {"spared.csv.yaml --out spared_link.csv", "spared_link.csv: is a robot of the scene"},
  };
  char link[512], target[512];
  snprintf(link, sizeof link, "%s/spared_link.csv", testing_folder());
  snprintf(target, sizeof target, "%s/spared.urdf", testing_folder());
  assert_int_equal(symlink(target, link), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_refused(sarrus("run %s", cases[i].arguments), 1, cases[i].message);
  assert_unchanged("spared.urdf", pendulum);
  assert_unchanged("spared.csv.yaml", scene);
  assert_unchanged("spared_input.csv", input);
  assert_unchanged("spared.stl", mesh);
  assert_false(file_exists("spared.csv"));
  assert_false(file_exists("spared.urdf.yaml"));
  assert_false(file_exists("spared_link.csv.yaml"));
}

static void a_sidecar_of_something_else_stays(void **state)
{
  (void)state;
  static const char *const others[] = {"version: my notes\n", "version: 1\n", "version: 1.2\nscene_file: mine\n",
                                       "versions\n", "version: 2\nscene_file: \"a\"\ncolumns: 3\n"};
  static const char *const ours[] = {"", "version: 0.1.0\nintegrator: moreau\n",
                                     "version: 0.1.0\nscene_file: \"a.yaml\"\nintegrator: moreau\n"};
  testing_write("noted.urdf", pendulum);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    testing_write("noted.csv.yaml", others[i]);
    assert_refused(sarrus("run noted.urdf --duration 0.1 --quiet --out noted.csv"), 1, "describes no run");
    assert_unchanged("noted.csv.yaml", others[i]);
    assert_false(file_exists("noted.csv"));
  }
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    testing_write("noted.csv.yaml", ours[i]);
    assert_int_equal(sarrus("run noted.urdf --duration 0.1 --quiet --out noted.csv"), 0);
    assert_int_equal(sarrus("run noted.urdf --duration 0.1 --quiet --out noted.csv"), 0); // what it has written itself
  }
}

// Heights, terrain, SRDF, files that are included, assets.
static void no_output_overwrites_what_the_model_was_read_from(void **state)
{
  (void)state;
  static const char scene[] = "models: [{links: [{name: l, mass: 1, inertia: [1, 1, 1]}], joints: [{name: h, kind: "
                              "revolute, child: l}]}]\nenvironment: [{name: g, shape: %s}]\nduration: 0.01\n";
  static const struct {
    const char *name, *text;
  } files[] = {
      {"read.csv", "0, 0\n0, 0\n"},
      {"read.csv.yaml", "0, 0\n0, 0\n"},
      {"read.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"},
      {"read.srdf", "<robot name='r'/>"},
      {"read.xml", "<mujoco><option timestep='0.002'/></mujoco>"},
      {"read_heights.yaml", "heightfield, file: read.csv, spacing: 4"},
      {"read_sidecar.yaml", "heightfield, file: read.csv.yaml, spacing: 4"},
      {"read_terrain.yaml", "terrain, file: read.obj"},
      {"reads.xml", "<mujoco><include file='read.xml'/><asset><mesh name='c' file='read.obj'/></asset><worldbody><body>"
                    "<joint type='hinge'/><geom type='mesh' mesh='c'/></body></worldbody></mujoco>"},
  };
  char text[1024];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(text, sizeof text, strstr(files[i].text, "file: ") != NULL ? scene : "%s", files[i].text);
    testing_write(files[i].name, text);
  }
  testing_write("read.urdf", pendulum);
  char link[512], target[512];
  snprintf(link, sizeof link, "%s/read_link.h5", testing_folder());
  snprintf(target, sizeof target, "%s/read.csv", testing_folder());
  assert_int_equal(symlink(target, link), 0);
  static const struct {
    const char *arguments, *spared;
  } cases[] = {
      {"read_heights.yaml --out read.csv", "read.csv"},
      {"read_heights.yaml --out ./read_link.h5", "read_link.h5"},
      {"read_heights.yaml --compare mncp-rlm --out read.csv", "read.csv"},
      {"read_sidecar.yaml --out read.csv", "read.csv.yaml"},
      {"read_terrain.yaml --out read.obj", "read.obj"},
      {"read.urdf --srdf read.srdf --out read.srdf", "read.srdf"},
      {"reads.xml --out read.xml", "read.xml"},
      {"reads.xml --out read.obj", "read.obj"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_refused(sarrus("run %s --quiet", cases[i].arguments), 1, ", give the output another name");
    assert_says(command_err, cases[i].spared);
  }
  for (size_t i = 0; i < 5; i++) assert_unchanged(files[i].name, files[i].text);
}

static void paths_that_say_nothing_are_refused(void **state)
{
  (void)state;
  assert_refused(sarrus("run ''"), 1, "the path is empty");
  assert_refused(sarrus("info ''"), 1, "the path is empty");
}

// F38
static void a_start_outside_the_limits_is_told(void **state)
{
  (void)state;
  static const char scene[] =
      "models: [{links: [{name: l, mass: 1, inertia: [1, 1, 1]}], joints: [{name: h, kind: revolute, child: l, upper: "
      "0.5}]}]\ngravity: [0, 0, 0]\ninitial: {q: {h: 0.75}}\nduration: 0.1\n%s";
  char text[512];
  snprintf(text, sizeof text, scene, "");
  testing_write("outside.yaml", text);
  assert_int_equal(sarrus("run outside.yaml"), 0);
  assert_says(command_err, "'h' starts 0.25 rad beyond its limits");
  snprintf(text, sizeof text, scene, "limits: false\n");
  testing_write("outside.yaml", text);
  assert_int_equal(sarrus("run outside.yaml"), 0);
  assert_null(strstr(command_err, "beyond its limits"));
}

// Speeds that are finite, but reach farther than numbers do within a step.
static void a_motion_beyond_the_numbers_says_when_and_what_to_do(void **state)
{
  (void)state;
  testing_write("ball.yaml",
                "models: [{name: b, base: floating, position: [0, 0, 9], links: [{name: b, mass: 1, inertia: "
                "[1, 1, 1]}], shapes: [{kind: sphere, radius: 1, link: b}]}]\n"
                "environment: [{name: floor, shape: half-space}]\ninitial: {v: {root.vx: 1.0e+200}}\n");
  assert_refused(sarrus("run ball.yaml"), 1, "t = 0 s, step 0: the energy has overflowed");
  assert_refused(sarrus("run '%s' --dt 0.05 --out p.csv", testing_source("samples/pendulum12.yaml")), 1,
                 "the velocities of '");
  char *after;
  const double t = strtod(strstr(command_err, "t = ") + 4, &after);
  assert_memory_equal(after, " s, step ", 9);
  const long step = strtol(after + 9, NULL, 10);
  assert_true(step > 0 && fabs(t - 0.05 * (double)step) < 1e-9); // which one is left to rounding: its motion is chaotic
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_has_every_promised_key),
      cmocka_unit_test(steps_are_duration_over_dt_rounded),
      cmocka_unit_test(a_floating_body_falls_and_a_fixed_one_stays),
      cmocka_unit_test(links_and_joints_may_share_a_name_and_none_is_reserved),
      cmocka_unit_test(options_go_before_the_scene),
      cmocka_unit_test(known_solvers_are_taken_and_unknown_refused),
      cmocka_unit_test(the_trajectory_has_a_row_for_the_start_every_n_steps_and_the_end),
      cmocka_unit_test(torques_come_from_the_input),
      cmocka_unit_test(references_come_from_the_input_with_gains),
      cmocka_unit_test(stats_order_the_times_of_steps),
      cmocka_unit_test(the_summary_names_what_matters),
      cmocka_unit_test(an_interrupted_run_leaves_whole_lines),
      cmocka_unit_test(a_failing_step_names_time_step_and_joint_and_leaves_whole_rows),
      cmocka_unit_test(negative_damping_is_refused_with_the_joint),
      cmocka_unit_test(warnings_go_to_stderr_and_quiet_silences_them),
      cmocka_unit_test(a_warning_lists_every_place_where_a_mesh_was_looked_for),
      cmocka_unit_test(values_of_options_that_make_no_sense_are_refused),
      cmocka_unit_test(a_trajectory_that_cannot_be_written_is_a_failure),
      cmocka_unit_test(no_output_overwrites_what_the_run_reads),
      cmocka_unit_test(a_sidecar_of_something_else_stays),
      cmocka_unit_test(no_output_overwrites_what_the_model_was_read_from),
      cmocka_unit_test(paths_that_say_nothing_are_refused),
      cmocka_unit_test(a_start_outside_the_limits_is_told),
      cmocka_unit_test(a_motion_beyond_the_numbers_says_when_and_what_to_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
