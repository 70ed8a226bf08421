// Trajectories: what is in the file, what stands beside it, and what is left when something goes wrong.
#include "engine/scene/values/yaml.h"
#include "support/sims.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static srs_model *build(const char *joint_name)
{
  srs_builder *builder = srs_builder_create();
  srs_link_def a = srs_default_link_def(), b = srs_default_link_def();
  a.name = "a", a.mass = 1, a.inertia[0] = a.inertia[1] = a.inertia[2] = 1;
  b = a, b.name = "b";
  srs_joint_def h = srs_default_joint_def(SRS_JOINT_REVOLUTE), f = srs_default_joint_def(SRS_JOINT_FREE);
  h.name = joint_name, h.child = "a";
  f.name = "fly", f.child = "b";
  srs_model *model = NULL;
  assert_int_equal(srs_builder_add_link(builder, &a, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_link(builder, &b, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &h, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &f, NULL), SRS_OK);
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  return model;
}

static srs_sim *start(const srs_model *model)
{
  srs_sim *sim;
  assert_int_equal(srs_sim_create(model, NULL, &sim, NULL), SRS_OK);
  const double q[8] = {0.1, 1, -2, 1e-300, 0, 1, 0, 0}, v[7] = {1.0 / 3, 0, 0, 0, 1, 2, 3}, tau[7] = {0.7};
  assert_int_equal(srs_sim_set_state(sim, 0.5, q, v, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
  return sim;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static const char *path_of(const char *name)
{
  const char *path = testing_write(name, "");
  assert_int_equal(unlink(path), 0);
  return path;
}

static const char *metadata_of(const char *path)
{
  static char text[2048];
  snprintf(text, sizeof text, "%s.yaml", path);
  return text;
}

static void write_rows(const char *path, const srs_trajectory_options *options, int n)
{
  srs_model *model = build("swing");
  srs_sim *sim = start(model);
  srs_trajectory *trajectory;
  assert_int_equal(srs_trajectory_create(path, sim, options, &trajectory, NULL), SRS_OK);
  for (int i = 0; i < n; i++) {
    assert_int_equal(srs_trajectory_add(trajectory, sim, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
  }
  assert_int_equal(srs_trajectory_close(trajectory, NULL), SRS_OK);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void header_and_rows_are_as_promised(void **state)
{
  (void)state;
  const char *path = path_of("plain.csv");
  write_rows(path, NULL, 1);
  char *text = testing_read(path, NULL);
  assert_string_equal(text, "time,q:swing,q:fly.x,q:fly.y,q:fly.z,q:fly.qw,q:fly.qx,q:fly.qy,q:fly.qz,"
                            "v:swing,v:fly.vx,v:fly.vy,v:fly.vz,v:fly.wx,v:fly.wy,v:fly.wz\n"
                            "0.5,0.1,1,-2,1e-300,0,1,0,0,0.3333333333333333,0,0,0,1,2,3\n");
  free(text);
}

static void torques_and_energies_come_on_request(void **state)
{
  (void)state;
  srs_trajectory_options options = srs_default_trajectory_options();
  options.torques = options.energies = true;
  const char *path = path_of("more.csv");
  write_rows(path, &options, 1);
  char *text = testing_read(path, NULL);
  assert_non_null(strstr(text, ",v:fly.wz,tau:swing,tau:fly.vx,tau:fly.vy,tau:fly.vz,tau:fly.wx,tau:fly.wy,tau:fly.wz,"
                               "energy:kinetic,energy:potential\n"));
  assert_non_null(strstr(text, ",1,2,3,0.7,0,0,0,0,0,0,"));
  // Both inertias are 1: kinetic energy is (1/9 + 1 + 4 + 9) / 2; both masses are at height 0 (to 1e-300).
  double energy[2];
  const char *tail = strstr(text, ",0.7,0,0,0,0,0,0,") + strlen(",0.7,0,0,0,0,0,0,");
  const char *comma = strchr(tail, ',');
  assert_true(srs_parse_number(tail, (size_t)(comma - tail), energy));
  assert_true(srs_parse_number(comma + 1, strcspn(comma + 1, "\n"), energy + 1));
  testing_assert_close("energies", energy, (const double[]){(1.0 / 9 + 14) / 2, 0}, 2, 1e-15); // a few roundings
  free(text);
}

static void numbers_read_back_as_the_same_doubles(void **state)
{
  (void)state;
  srs_model *model = build("swing");
  srs_sim *sim = start(model);
  const char *path = path_of("exact.csv");
  srs_trajectory *trajectory;
  double states[100][16];
  assert_int_equal(srs_trajectory_create(path, sim, NULL, &trajectory, NULL), SRS_OK);
  for (int i = 0; i < 100; i++) {
    assert_int_equal(srs_sim_step(sim, 7, NULL), SRS_OK);
    states[i][0] = srs_sim_time(sim);
    memcpy(states[i] + 1, srs_sim_q(sim), 8 * sizeof(double));
    memcpy(states[i] + 9, srs_sim_v(sim), 7 * sizeof(double));
    assert_int_equal(srs_trajectory_add(trajectory, sim, NULL), SRS_OK);
  }
  assert_int_equal(srs_trajectory_close(trajectory, NULL), SRS_OK);
  char *text = testing_read(path, NULL), *at = strchr(text, '\n') + 1;
  for (int i = 0; i < 100 * 16; i++) {
    const size_t length = strcspn(at, ",\n");
    double value;
    assert_true(srs_parse_number(at, length, &value));
    assert_true(value == states[i / 16][i % 16]);
    assert_int_equal(at[length], i % 16 == 15 ? '\n' : ',');
    at += length + 1;
  }
  assert_int_equal(*at, '\0');
  free(text);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void the_metadata_tells_what_the_numbers_mean(void **state)
{
  (void)state;
  static const char *const scenes[] = {
      "  indented: [1]\n# \xc3\xa4 comment: \"quoted\" \\ back\n\n\nlast: 1",
      "a: 1\n",
      "a: 1\n\n\n",
      "a: 1\r\nb: \t2\n",
      "  \n",
      "",
      "\tx: 1\n \n",
      "bell \x07 and \xe2\x80\xa8\n",
  };
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
    srs_trajectory_options options = srs_default_trajectory_options();
    options.torques = true;
    options.scene_text = scenes[i];
    options.scene_file = "folder/my \"scene\".yaml";
    const char *path = path_of("told.csv");
    write_rows(path, &options, 2);
    srs_yaml yaml;
    srs_error error;
    if (srs_yaml_load(metadata_of(path), &yaml, &error) != SRS_OK) fail_msg("%d: %s", error.line, error.message);
    assert_string_equal(srs_yaml_get(yaml.root, "scene")->text, scenes[i]);
    assert_string_equal(srs_yaml_get(yaml.root, "scene_file")->text, options.scene_file);
    assert_string_equal(srs_yaml_get(yaml.root, "version")->text, srs_version());
    assert_string_equal(srs_yaml_get(yaml.root, "integrator")->text, "semi-implicit-euler");
    assert_string_equal(srs_yaml_get(yaml.root, "solver")->text, "none");
    assert_string_equal(srs_yaml_get(yaml.root, "dt")->text, "0.001");
    static const char *const units[] = {"s",   "rad",   "m",   "m",   "m",   "1",     "1",     "1",
                                        "1",   "rad/s", "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s",
                                        "N m", "N",     "N",   "N",   "N m", "N m",   "N m"};
    const srs_yaml_node *columns = srs_yaml_get(yaml.root, "columns");
    assert_int_equal(columns->count, sizeof units / sizeof units[0]);
    const srs_yaml_node *column = columns->first;
    for (int k = 0; column != NULL; column = column->next, k++)
      assert_string_equal(srs_yaml_get(column, "unit")->text, units[k]);
    assert_string_equal(srs_yaml_get(columns->first->next, "name")->text, "q:swing");
    srs_yaml_free(&yaml);
  }
}

static void bytes_that_are_no_utf8_become_replacement_characters(void **state)
{
  (void)state;
  srs_trajectory_options options = srs_default_trajectory_options();
  options.scene_text = "a\xff"
                       "b\xc3";
  const char *path = path_of("bytes.csv");
  write_rows(path, &options, 1);
  srs_yaml yaml;
  assert_int_equal(srs_yaml_load(metadata_of(path), &yaml, NULL), SRS_OK);
  assert_string_equal(srs_yaml_get(yaml.root, "scene")->text, "a\xef\xbf\xbd"
                                                              "b\xef\xbf\xbd");
  srs_yaml_free(&yaml);
}

static void names_with_commas_are_quoted_and_control_characters_refused(void **state)
{
  (void)state;
  srs_model *model = build("say \"a,b\"");
  srs_sim *sim = start(model);
  srs_trajectory *trajectory;
  srs_error error;
  const char *path = path_of("quoted.csv");
  assert_int_equal(srs_trajectory_create(path, sim, NULL, &trajectory, NULL), SRS_OK);
  assert_int_equal(srs_trajectory_close(trajectory, NULL), SRS_OK);
  char *text = testing_read(path, NULL);
  assert_ptr_equal(strstr(text, "time,\"q:say \"\"a,b\"\"\",q:fly.x,"), text);
  free(text);
  srs_sim_destroy(sim);
  srs_model_destroy(model);

  model = build("two\nlines");
  sim = start(model);
  path = path_of("lines.csv");
  assert_int_equal(srs_trajectory_create(path, sim, NULL, &trajectory, &error), SRS_ERROR_NAME);
  assert_null(strchr(error.message, '\n'));
  assert_false(exists(path) || exists(metadata_of(path)));
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void what_cannot_be_written_is_an_error_and_leaves_nothing(void **state)
{
  (void)state;
  srs_model *model = build("swing");
  srs_sim *sim = start(model);
  srs_trajectory *trajectory = (srs_trajectory *)1;
  srs_error error;
  assert_int_equal(srs_trajectory_create("/nowhere/a.csv", sim, NULL, &trajectory, &error), SRS_ERROR_FILE);
  assert_string_equal(error.file, "/nowhere/a.csv");
  assert_string_equal(error.message,
                      "cannot be created: No such file or directory; name a file in an existing folder that "
                      "can be written to");
  assert_null(trajectory);
  assert_int_equal(srs_trajectory_create(testing_folder(), sim, NULL, &trajectory, &error), SRS_ERROR_FILE);
  assert_int_equal(srs_trajectory_create("", sim, NULL, &trajectory, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_trajectory_create(NULL, sim, NULL, &trajectory, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_trajectory_create("x.csv", NULL, NULL, &trajectory, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_trajectory_create("/nowhere/run.H5", sim, NULL, &trajectory, &error), SRS_ERROR_FILE);
  assert_string_equal(error.message, "cannot be created: No such file or directory");

  // The header does not fit on a full device.
  assert_int_equal(srs_trajectory_create("/dev/full", sim, NULL, &trajectory, &error), SRS_ERROR_FILE);
  assert_string_equal(error.file, "/dev/full");
  assert_non_null(strstr(error.message, "No space left"));
  assert_false(exists("/dev/full.yaml"));
  assert_true(exists("/dev/full"));

  // A folder stands where the metadata should go: an older result is not touched, a new file not left.
  const char *path = path_of("blocked.csv");
  assert_int_equal(mkdir(metadata_of(path), 0700), 0);
  assert_int_equal(srs_trajectory_create(path, sim, NULL, &trajectory, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.file, "blocked.csv.yaml"));
  assert_false(exists(path));
  testing_write("blocked.csv", "older");
  assert_int_equal(srs_trajectory_create(path, sim, NULL, &trajectory, &error), SRS_ERROR_FILE);
  char *text = testing_read(path, NULL);
  assert_string_equal(text, "older");
  free(text);

  // The scene itself is not written over.
  srs_trajectory_options options = srs_default_trajectory_options();
  options.scene_file = path = testing_write("scene.yaml", "models: []\n");
  assert_int_equal(srs_trajectory_create(path, sim, &options, &trajectory, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "is the scene itself"));
  text = testing_read(path, NULL);
  assert_string_equal(text, "models: []\n");
  free(text);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void a_longer_older_file_is_replaced_as_a_whole(void **state)
{
  (void)state;
  char *old = malloc(100001);
  assert_non_null(old);
  memset(old, 'x', 100000);
  old[100000] = '\0';
  const char *path = testing_write("again.csv", old);
  free(old);
  write_rows(path, NULL, 3);
  char *text = testing_read(path, NULL);
  assert_null(strstr(text, "xxx"));
  int lines = 0;
  for (const char *c = text; *c != '\0'; c++) lines += *c == '\n';
  assert_int_equal(lines, 4);
  free(text);
}

// A file may grow to a size that is no whole number of rows.
static void a_full_disk_ends_the_file_with_its_last_whole_line(void **state)
{
  (void)state;
  srs_model *model = build("swing");
  srs_sim *sim = start(model);
  const char *path = path_of("full.csv");
  srs_trajectory *trajectory;
  srs_error error = {0};
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {5000, before.rlim_max};
  assert_int_equal(srs_trajectory_create(path, sim, NULL, &trajectory, NULL), SRS_OK);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  srs_status status = SRS_OK;
  int rows = 0;
  for (; status == SRS_OK && rows < 1000; rows++) status = srs_trajectory_add(trajectory, sim, &error);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, SRS_ERROR_FILE);
  assert_string_equal(error.file, path);
  assert_int_equal(srs_trajectory_add(trajectory, sim, &error), SRS_ERROR_FILE); // and stays so
  error = (srs_error){0};
  assert_int_equal(srs_trajectory_close(trajectory, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "cannot be written"));
  size_t length;
  char *text = testing_read(path, &length);
  int lines = 0;
  for (const char *c = text; *c != '\0'; c++) lines += *c == '\n';
  assert_int_equal(text[length - 1], '\n');
  assert_int_equal(lines, rows); // header and the rows that fitted: the last one did not
  free(text);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// F90: killed in the middle, without a chance to tidy up.
static void a_killed_run_leaves_whole_lines(void **state)
{
  (void)state;
  const char *path = path_of("killed.csv");
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    srs_model *model = build("swing");
    srs_sim *sim = start(model);
    srs_trajectory *trajectory = NULL;
    if (srs_trajectory_create(path, sim, NULL, &trajectory, NULL) != SRS_OK) _exit(1);
    for (int i = 0; i < 1000; i++) {
      if (srs_trajectory_add(trajectory, sim, NULL) != SRS_OK || srs_sim_step(sim, 1, NULL) != SRS_OK) _exit(1);
      if (i == 499 && write(ready[1], "x", 1) == 1) raise(SIGKILL);
    }
    _exit(0);
  }
  char got;
  int status;
  close(ready[1]);
  assert_int_equal(read(ready[0], &got, 1), 1);
  close(ready[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  size_t length;
  char *text = testing_read(path, &length);
  int lines = 0, commas = 0;
  for (const char *c = text; *c != '\0'; c++) lines += *c == '\n', commas += *c == ',';
  assert_int_equal(lines, 501); // the header and all 500 rows that were added
  assert_int_equal(commas, 501 * 15);
  assert_int_equal(text[length - 1], '\n');
  assert_true(exists(metadata_of(path)));
  free(text);
}

// A box of 2 kg that rests on the ground, F72. Two shapes on it have no name, and so go by that of their link.
static const char resting[] = "models:\n"
                              "  - name: m\n"
                              "    base: floating\n"
                              "    position: [0.3, -0.2, 0.05]\n"
                              "    links: [{name: box, mass: 2, inertia: [0.01, 0.01, 0.01]}]\n"
                              "    shapes:\n"
                              "      - {link: box, kind: box, size: [0.1, 0.1, 0.1]}\n"
                              "      - {link: box, kind: sphere, radius: 0.01}\n"
                              "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
                              "contact: {friction: 0.3}\n";

static srs_sim *start_scene(const char *text, srs_scene **scene)
{
  *scene = scene_of_text(text);
  srs_sim *sim = sim_of_scene(*scene, NULL);
  return sim;
}

static void write_contacts(const char *path, const char *text, int n)
{
  srs_scene *scene;
  srs_sim *sim = start_scene(text, &scene);
  srs_trajectory_options options = srs_default_trajectory_options();
  options.contacts = true;
  srs_trajectory *trajectory;
  srs_error error;
  if (srs_trajectory_create(path, sim, &options, &trajectory, &error) != SRS_OK) fail_msg("%s", error.message);
  for (int i = 0; i < n; i++) {
    if (i > 0) assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
    assert_int_equal(srs_trajectory_add(trajectory, sim, NULL), SRS_OK);
  }
  assert_int_equal(srs_trajectory_close(trajectory, NULL), SRS_OK);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// The last n numbers of a line.
static void read_tail(const char *line, double *values, int n)
{
  const char *end = line + strcspn(line, "\n");
  for (int i = n - 1; i >= 0; i--) {
    const char *begin = end;
    while (begin[-1] != ',') begin--;
    assert_true(srs_parse_number(begin, (size_t)(end - begin), &values[i]));
    end = begin - 1;
  }
}

static void F72_contact_columns_hold_the_force_on_A_by_B(void **state)
{
  (void)state;
  const char *path = path_of("contacts.csv");
  write_contacts(path, resting, 3);
  char *text = testing_read(path, NULL);
  assert_non_null(strstr(text, ",contact:count,contact:gap,contact:residual,contact:infeasibility,"
                               "contact:box.1:ground:fx,contact:box.1:ground:fy,contact:box.1:ground:fz,"
                               "contact:box.1:ground:x,contact:box.1:ground:y,contact:box.1:ground:z,"
                               "contact:box.2:ground:fx,contact:box.2:ground:fy,contact:box.2:ground:fz,"
                               "contact:box.2:ground:x,contact:box.2:ground:y,contact:box.2:ground:z\n"));
  double row[16];
  const char *line = strchr(text, '\n') + 1;
  read_tail(line, row, 16);
  for (int i = 0; i < 16; i++) assert_true(row[i] == 0); // nothing has acted yet
  line = strchr(strchr(line, '\n') + 1, '\n') + 1;
  read_tail(line, row, 16);
  // Four corners on the ground; the sphere inside is 40 mm away from it.
  assert_true(row[0] == 4 && fabs(row[1]) < 1e-12 && row[2] >= 0 && row[2] < 1e-12);
  assert_true(row[3] >= 0 && row[3] < 1e-12);
  testing_assert_close("force and point", row + 4, (const double[]){0, 0, 19.62, 0.3, -0.2, 0}, 6, 1e-10);
  for (int i = 10; i < 16; i++) assert_true(row[i] == 0);
  free(text);
}

static void the_metadata_says_what_contact_columns_and_settings_are(void **state)
{
  (void)state;
  const char *path = path_of("contacts.csv");
  write_contacts(path, resting, 1);
  srs_yaml yaml;
  srs_error error;
  if (srs_yaml_load(metadata_of(path), &yaml, &error) != SRS_OK) fail_msg("%d: %s", error.line, error.message);
  assert_string_equal(srs_yaml_get(yaml.root, "solver")->text, "mncp-rlm");
  assert_non_null(strstr(srs_yaml_get(yaml.root, "contact_columns")->text, "the force on A by B (N, world axes"));
  const srs_yaml_node *contact = srs_yaml_get(yaml.root, "contact");
  static const char *const expected[][2] = {{"friction", "0.3"},
                                            {"restitution", "0"},
                                            {"friction_rule", "geometric-mean"},
                                            {"restitution_rule", "larger"},
                                            {"impact", "two-phase"},
                                            {"activation", "predict"},
                                            {"normal", "gap"},
                                            {"error_reduction", "0.2"},
                                            {"max_depenetration_velocity", "1"},
                                            {"impact_threshold", "0.019620000000000002"},
                                            {"distance", "0"},
                                            {"capacity", "0"}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    assert_string_equal(srs_yaml_get(contact, expected[i][0])->text, expected[i][1]);
  static const char *const units[] = {"1", "m", "1", "m or 1", "N", "N", "N", "m", "m", "m"};
  const srs_yaml_node *column = srs_yaml_get(yaml.root, "columns")->first;
  while (strcmp(srs_yaml_get(column, "name")->text, "contact:count") != 0) column = column->next;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++, column = column->next)
    assert_string_equal(srs_yaml_get(column, "unit")->text, units[i]);
  srs_yaml_free(&yaml);
}

static void more_pairs_than_columns_can_show_are_refused(void **state)
{
  (void)state;
  char text[16384] = "models:\n  - name: m\n    links: [{name: l, mass: 1, inertia: [1, 1, 1]}]\n    shapes:\n";
  for (int i = 0; i < 201; i++) strcat(text, "      - {link: l, kind: sphere, radius: 1}\n");
  strcat(text, "    joints: [{name: h, kind: free, child: l}]\n"
               "environment: [{name: ground, shape: half-space, normal: [0, 0, 1], offset: -5}]\n");
  srs_scene *scene;
  srs_sim *sim = start_scene(text, &scene);
  srs_trajectory_options options = srs_default_trajectory_options();
  options.contacts = true;
  srs_trajectory *trajectory;
  srs_error error;
  const char *path = path_of("many.csv");
  assert_int_equal(srs_trajectory_create(path, sim, &options, &trajectory, &error), SRS_ERROR_CAPACITY);
  assert_non_null(strstr(error.message, "201 pairs of shapes may collide"));
  assert_non_null(strstr(error.message, "exclude"));
  assert_false(exists(path));
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void the_locale_changes_no_byte(void **state)
{
  (void)state;
  const char *plain = path_of("c.csv"), *german = path_of("de.csv");
  const char *plain_contacts = path_of("contacts_c.csv"), *german_contacts = path_of("contacts_de.csv");
  srs_trajectory_options options = srs_default_trajectory_options();
  options.energies = true;
  write_rows(plain, &options, 20);
  write_contacts(plain_contacts, resting, 20);
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "de_DE.utf8") == NULL) {
    print_message("skipped: the locale de_DE is not installed\n");
    skip();
  }
  write_rows(german, &options, 20);
  write_contacts(german_contacts, resting, 20);
  setlocale(LC_ALL, "C");
  char side[2][2048];
  snprintf(side[0], sizeof side[0], "%s", metadata_of(plain_contacts));
  snprintf(side[1], sizeof side[1], "%s", metadata_of(german_contacts));
  const char *const same[][2] = {{plain, german}, {plain_contacts, german_contacts}, {side[0], side[1]}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    size_t n, m;
    char *a = testing_read(same[i][0], &n), *b = testing_read(same[i][1], &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
  }
}

static void a_stream_gets_the_rows_and_nothing_beside_it(void **state)
{
  (void)state;
  const char *path = testing_write("stream.csv", "");
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  char stream[64];
  snprintf(stream, sizeof stream, "/dev/fd/%d", fileno(file));
  write_rows(stream, NULL, 3);
  assert_int_equal(fclose(file), 0);
  char *text = testing_read(path, NULL);
  int lines = 0;
  for (const char *c = text; *c != '\0'; c++) lines += *c == '\n';
  assert_int_equal(lines, 4);
  assert_false(exists(metadata_of(stream)) || exists(metadata_of(path)));
  free(text);
}

static void a_trajectory_takes_its_own_sim_only_and_null_closes(void **state)
{
  (void)state;
  srs_model *model = build("swing"), *other = build("swing");
  srs_sim *sim = start(model), *stranger = start(other);
  srs_trajectory *trajectory;
  srs_error error;
  assert_int_equal(srs_trajectory_create(path_of("own.csv"), sim, NULL, &trajectory, NULL), SRS_OK);
  assert_int_equal(srs_trajectory_add(trajectory, stranger, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_trajectory_add(NULL, sim, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_trajectory_add(trajectory, sim, &error), SRS_OK);
  assert_int_equal(srs_trajectory_close(trajectory, &error), SRS_OK);
  assert_int_equal(srs_trajectory_close(NULL, &error), SRS_OK);
  srs_sim_destroy(sim);
  srs_sim_destroy(stranger);
  srs_model_destroy(model);
  srs_model_destroy(other);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(header_and_rows_are_as_promised),
      cmocka_unit_test(torques_and_energies_come_on_request),
      cmocka_unit_test(numbers_read_back_as_the_same_doubles),
      cmocka_unit_test(the_metadata_tells_what_the_numbers_mean),
      cmocka_unit_test(bytes_that_are_no_utf8_become_replacement_characters),
      cmocka_unit_test(names_with_commas_are_quoted_and_control_characters_refused),
      cmocka_unit_test(what_cannot_be_written_is_an_error_and_leaves_nothing),
      cmocka_unit_test(a_longer_older_file_is_replaced_as_a_whole),
      cmocka_unit_test(a_full_disk_ends_the_file_with_its_last_whole_line),
      cmocka_unit_test(a_killed_run_leaves_whole_lines),
      cmocka_unit_test(F72_contact_columns_hold_the_force_on_A_by_B),
      cmocka_unit_test(the_metadata_says_what_contact_columns_and_settings_are),
      cmocka_unit_test(more_pairs_than_columns_can_show_are_refused),
      cmocka_unit_test(the_locale_changes_no_byte),
      cmocka_unit_test(a_stream_gets_the_rows_and_nothing_beside_it),
      cmocka_unit_test(a_trajectory_takes_its_own_sim_only_and_null_closes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
