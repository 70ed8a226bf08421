// Trajectories as HDF5: what is in them, that they are whole whenever the program is killed, and that runs go on from
// them with the same bits.
// Under the sanitizers a fifth of the killed runs (testing_draws).
#include "engine/output/hdf5/reader.h"
#include "support/command.h"
#include "support/sims.h"

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

// A ball that falls on a floor and a pendulum beside it.
static const char scene_text[] =
    "models:\n"
    "- name: ball\n  base: floating\n  position: [0, 0, 0.6]\n  links: [{name: body, mass: 2, inertia: [1, 1, 1]}]\n"
    "  shapes: [{name: skin, link: body, kind: sphere, radius: 0.5}]\n"
    "- name: p\n  links: [{name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}]\n"
    "  joints: [{name: h, kind: revolute, axis: [1, 0, 0], child: rod, origin: {position: [5, 0, 3]}}]\n"
    "environment: [{name: floor, shape: half-space}]\n"
    "initial: {q: {p/h: 1}}\n"
    "duration: 0.6\noutput: {file: run.h5, energies: true, contacts: true, poses: true}\n";

static const char *path_of(const char *name)
{
  static char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return path;
}

static srs_h5_rows_read read_all(const char *name)
{
  srs_h5_rows_read rows;
  srs_error error;
  if (srs_h5_rows_read_all(path_of(name), &rows, &error) != SRS_OK) fail_msg("%s: %s", error.file, error.message);
  return rows;
}

static int column(const srs_h5_rows_read *rows, const char *name)
{
  for (int i = 0; i < rows->n_columns; i++)
    if (strcmp(rows->names[i], name) == 0) return i;
  fail_msg("no column %s", name);
  return -1;
}

static double value(const srs_h5_rows_read *rows, int row, const char *name)
{
  return rows->values[(size_t)row * (size_t)rows->n_columns + (size_t)column(rows, name)];
}

// Both have the same numbers, bit by bit.
static void assert_same(const char *a, const char *b)
{
  srs_h5_rows_read x = read_all(a), y = read_all(b);
  assert_int_equal(x.n_rows, y.n_rows);
  assert_int_equal(x.n_columns, y.n_columns);
  assert_int_equal(x.n_contacts, y.n_contacts);
  assert_memory_equal(x.values, y.values, (size_t)x.n_rows * (size_t)x.n_columns * sizeof *x.values);
  if (x.n_contacts > 0) {
    assert_memory_equal(x.contact_ends, y.contact_ends, (size_t)x.n_rows * sizeof *x.contact_ends);
    assert_memory_equal(x.forces, y.forces, 3 * (size_t)x.n_contacts * sizeof *x.forces);
    assert_memory_equal(x.points, y.points, 3 * (size_t)x.n_contacts * sizeof *x.points);
  }
  srs_h5_rows_release(&x);
  srs_h5_rows_release(&y);
}

static void rows_have_names_units_poses_and_contacts(void **state)
{
  (void)state;
  testing_write("s.yaml", scene_text);
  assert_int_equal(sarrus("run s.yaml --quiet"), 0);
  assert_says(command_out, "written          run.h5 (601 rows)\n");
  assert_int_equal(sarrus("run s.yaml --quiet --out run.csv"), 0); // the same numbers, by another way
  srs_h5_rows_read rows = read_all("run.h5");
  assert_int_equal(rows.n_rows, 601);
  assert_string_equal(rows.names[0], "time");
  assert_string_equal(rows.units[0], "s");
  assert_string_equal(rows.units[column(&rows, "v:p/h")], "rad/s");
  assert_string_equal(rows.units[column(&rows, "energy:kinetic")], "J");
  assert_true(value(&rows, 600, "time") == 0.6);
  assert_true(value(&rows, 0, "q:p/h") == 1 && value(&rows, 0, "q:ball/root.qw") == 1);
  // Poses: the ball's frame is its free joint's; the rod's turns about x at its joint.
  assert_true(value(&rows, 300, "pose:ball/body:z") == value(&rows, 300, "q:ball/root.z"));
  assert_true(value(&rows, 300, "pose:p/rod:z") == 3 && value(&rows, 300, "pose:p/rod:x") == 5);
  assert_true(fabs(value(&rows, 300, "pose:p/rod:qx") - sin(value(&rows, 300, "q:p/h") / 2)) < 1e-15);
  // Contacts: none while it falls, then the floor carries it.
  assert_int_equal(rows.contact_ends[100], 0);
  assert_int_equal(rows.contact_ends[600], rows.n_contacts);
  assert_true(rows.n_contacts > 100);
  const double *force = rows.forces + 3 * (size_t)(rows.n_contacts - 1);
  assert_true(fabs(force[2] - 2 * 9.81) < 1e-6 && force[0] == 0);
  assert_string_equal(rows.shapes, "ball/skin\nfloor\n");
  assert_true(value(&rows, 600, "contact:count") == 1);
  srs_h5_rows_release(&rows);
  char *text = NULL;
  assert_int_equal(srs_h5_read_text(path_of("run.h5"), "/scene", &text, NULL), SRS_OK);
  assert_string_equal(text, scene_text);
  free(text);
  assert_int_equal(srs_h5_read_text(path_of("run.h5"), "/metadata", &text, NULL), SRS_OK);
  assert_says(text, "solver: mncp-rlm");
  free(text);
}

static void csv_and_hdf5_hold_the_same_numbers(void **state)
{
  (void)state;
  testing_write("s.yaml", scene_text);
  assert_int_equal(sarrus("run s.yaml --quiet"), 0);
  assert_int_equal(sarrus("run s.yaml --quiet --out run.csv"), 0);
  srs_h5_rows_read rows = read_all("run.h5");
  char *text = testing_read(path_of("run.csv"), NULL), *line = strtok(text, "\n");
  char header[8192];
  snprintf(header, sizeof header, "%s", line);
  for (int row = 0; row < rows.n_rows; row++) {
    line = strtok(NULL, "\n");
    assert_non_null(line);
    for (int i = 0; i < 1 + 8 + 7; i++) { // time, q, v stand first in both
      assert_true(strtod(line, &line) == rows.values[(size_t)row * (size_t)rows.n_columns + (size_t)i]);
      line++;
    }
  }
  assert_says(header, ",pose:p/rod:qz");
  free(text);
  srs_h5_rows_release(&rows);
}

// ---------------------------------------------------------------------------------------------------------------------
// Killed
// ---------------------------------------------------------------------------------------------------------------------

// Steps and adds rows until it is killed.
static void write_for_ever(const char *path)
{
  srs_scene *scene = scene_of_file(testing_source("samples/pendulum12.yaml"));
  srs_sim *sim = sim_of_scene(scene, NULL);
  srs_trajectory_options options = srs_default_trajectory_options();
  options.contacts = options.energies = true;
  srs_trajectory *trajectory = NULL;
  if (srs_trajectory_create(path, sim, &options, &trajectory, NULL) != SRS_OK) _exit(1);
  for (;;)
    if (srs_trajectory_add(trajectory, sim, NULL) != SRS_OK || srs_sim_step(sim, 1, NULL) != SRS_OK) _exit(2);
}

// The first block comes last: from then on there is a file.
static void wait_until_there(const char *path)
{
  const struct timespec moment = {0, 1000000};
  for (char begin[4] = "";;) {
    FILE *file = fopen(path, "rb");
    const bool is_there = file != NULL && fread(begin, 1, 4, file) == 4 && memcmp(begin, "\x89HDF", 4) == 0;
    if (file != NULL) fclose(file);
    if (is_there) return;
    nanosleep(&moment, NULL);
  }
}

static void F90_a_killed_run_leaves_whole_rows(void **state)
{
  (void)state;
  testing_random random = testing_random_start(23);
  int longest = 0;
  for (int round = 0; round < testing_draws(100); round++) {
    const char *path = path_of("killed.h5");
    (void)remove(path);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) write_for_ever(path);
    wait_until_there(path);
    const struct timespec pause = {0, (long)testing_uniform(&random, 0, round % 10 == 0 ? 6e8 : 3e7)};
    nanosleep(&pause, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    srs_h5_rows_read rows;
    srs_error error;
    const srs_status status = srs_h5_rows_read_all(path, &rows, &error);
    if (status != SRS_OK) {
      assert_string_equal(error.message, "has no rows"); // killed before the first were written
      continue;
    }
    for (int i = 1; i < rows.n_rows; i++)
      assert_true(rows.values[(size_t)i * (size_t)rows.n_columns] >
                  rows.values[(size_t)(i - 1) * (size_t)rows.n_columns]);
    for (int i = 0; i < rows.n_contacts; i++)
      assert_true(rows.points[3 * (size_t)i + 2] != 0 || rows.points[3 * (size_t)i + 1] != 0);
    if (rows.n_rows > longest) longest = rows.n_rows;
    srs_h5_rows_release(&rows);
  }
  assert_true(longest > 100);
}

// ---------------------------------------------------------------------------------------------------------------------
// Resumed
// ---------------------------------------------------------------------------------------------------------------------

static void a_resumed_run_has_the_same_bits(void **state)
{
  (void)state;
  const char *scene = testing_source("samples/pendulum12.yaml");
  assert_int_equal(sarrus("run '%s' --quiet --contacts --duration 5 --every 7 --dt 0.0005 --out whole.h5", scene), 0);
  assert_int_equal(sarrus("run '%s' --quiet --contacts --duration 2.001 --every 7 --dt 0.0005 --out part.h5", scene),
                   0);
  assert_int_equal(sarrus("run --resume part.h5 --quiet --duration 5"), 0);
  assert_same("whole.h5", "part.h5");
  // A killed one.
  const char *path = path_of("killed.h5");
  (void)remove(path);
  char line[4096];
  snprintf(line, sizeof line,
           "cd '%s' && '%s' run '%s' --quiet --contacts --duration 60 --every 7 --out killed.h5 >/dev/null & sleep 1; "
           "kill -9 $!; wait 2>/dev/null; exit 0",
           testing_folder(), testing_command(), scene);
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  assert_int_equal(sarrus("run --resume killed.h5 --quiet --duration 20"), 0);
  assert_int_equal(sarrus("run '%s' --quiet --contacts --duration 20 --every 7 --out other.h5", scene), 0);
  srs_h5_rows_read rows = read_all("killed.h5");
  if (rows.n_rows == 20000 / 7 + 1) assert_same("other.h5", "killed.h5"); // else it was past 20 s when it died
  srs_h5_rows_release(&rows);
}

// Nothing is left to do: all is as it was, the row of the end too, which tells what acted in a step.
static void a_finished_run_is_resumed_to_itself(void **state)
{
  (void)state;
  for (int every = 3; every <= 10; every += 7) {
    const char *scene = testing_source("samples/pendulum12.yaml");
    assert_int_equal(sarrus("run '%s' --quiet --contacts --accelerations --efforts --wrenches --duration 1 --every %d "
                            "--out whole.h5",
                            scene, every),
                     0);
    assert_int_equal(sarrus("run '%s' --quiet --contacts --accelerations --efforts --wrenches --duration 1 --every %d "
                            "--out part.h5",
                            scene, every),
                     0);
    assert_int_equal(sarrus("run --resume part.h5 --quiet"), 0);
    assert_same("whole.h5", "part.h5");
  }
}

// Signs of quaternions and turns of loop joints continue from those of the row before.
static void resumed_columns_continue(void **state)
{
  (void)state;
  static const char *const scenes[] = {"samples/stand.yaml", "samples/four_bar.yaml"};
  for (int i = 0; i < 2; i++) {
    const char *scene = testing_source(scenes[i]);
    assert_int_equal(sarrus("run '%s' --quiet --frames --loops --duration 8 --out whole.h5 --every 10", scene), 0);
    assert_int_equal(sarrus("run '%s' --quiet --frames --loops --duration 6 --out part.h5 --every 10", scene), 0);
    assert_int_equal(sarrus("run --resume part.h5 --quiet --duration 8"), 0);
    assert_same("whole.h5", "part.h5");
  }
}

// All but the times that it took, when it was resumed, and where it is written.
static void the_summary_of_a_resumed_run_is_that_of_the_whole(void **state)
{
  (void)state;
  static const char filter[] = "grep -v -e '^wall' -e '^realtime' -e '^resumed' -e '^written'";
  static const char *const scenes[] = {"samples/pendulum12.yaml", "samples/bowl.yaml", "samples/four_bar.yaml"};
  char whole[sizeof command_out];
  for (int i = 0; i < 3; i++) {
    const char *scene = testing_source(scenes[i]);
    assert_int_equal(sarrus("run '%s' --quiet --duration 2 --every 10 --out whole.h5 | %s", scene, filter), 0);
    memcpy(whole, command_out, sizeof whole);
    assert_says(whole, "turned over");
    assert_int_equal(sarrus("run '%s' --quiet --duration 1.003 --every 10 --out part.h5", scene), 0);
    assert_int_equal(sarrus("run --resume part.h5 --quiet --duration 2 | %s", filter), 0);
    assert_string_equal(command_out, whole);
  }
  assert_int_equal(sarrus("run --resume part.h5 --quiet --duration 2.1"), 0);
  assert_says(command_out, "resumed at       2 s\n");
}

// Whether a run was watched is no matter of the next one, which would wait for a browser.
static void a_live_run_is_resumed_without_waiting(void **state)
{
  (void)state;
  char line[4096];
  testing_write("s.yaml", scene_text);
  (void)remove(path_of("live.h5"));
  snprintf(
      line, sizeof line,
      "cd '%s' && '%s' run s.yaml --quiet --live 0 --out live.h5 >/dev/null 2>live.err & n=0; while ! grep -q http "
      "'%s/live.err' && [ $n -lt 100 ]; do n=$((n + 1)); sleep 0.1; done; kill -9 $!; wait 2>/dev/null; exit 0",
      testing_folder(), testing_command(), testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  snprintf(line, sizeof line, "cd '%s' && timeout 60 '%s' run --resume live.h5 --quiet", testing_folder(),
           testing_command());
  assert_int_equal(testing_run(line, command_out, command_err), 0);
  assert_says(command_out, "written          live.h5 (601 rows)\n");
}

static void what_cannot_be_resumed_is_told(void **state)
{
  (void)state;
  testing_write("s.yaml", scene_text);
  testing_write("t.h5", "no HDF5");
  assert_int_equal(sarrus("run s.yaml --quiet"), 0);
  assert_refused(sarrus("run --resume none.h5"), 1, "none.h5: cannot be read");
  assert_refused(sarrus("run --resume t.h5"), 1, "t.h5: is no HDF5 file");
  assert_refused(sarrus("run --resume run.h5 --dt 0.01 --quiet"), 1, "dt");
  assert_refused(sarrus("run --resume run.h5 --out other.h5"), 2, "leave out --out other.h5");
  assert_int_equal(sarrus("run --resume run.h5 --out ./run.h5 --quiet"), 0); // the same file
  assert_int_equal(sarrus("run s.yaml --out s.csv --compress"), 0);
  assert_says(command_err, "--compress has no effect: s.csv is CSV");
  assert_int_equal(sarrus("run --resume run.h5 --quiet"), 0); // nothing is left to do
  assert_refused(sarrus("run s.yaml --compare all --out d.h5"), 2, "CSV, not HDF5");
}

// ---------------------------------------------------------------------------------------------------------------------
// Full
// ---------------------------------------------------------------------------------------------------------------------

static void a_full_disk_leaves_the_rows_before(void **state)
{
  (void)state;
  char line[4096];
  int n_rows = 0;
  for (int blocks = 8; blocks <= 4000; blocks += blocks < 400 ? 80 : 900) {
    (void)remove(path_of("full.h5"));
    snprintf(line, sizeof line,
             "cd '%s' && ulimit -f %d && '%s' run '%s' --quiet --duration 40 --every 1 --out full.h5", testing_folder(),
             blocks, testing_command(), testing_source("samples/pendulum12.yaml"));
    assert_int_equal(testing_run(line, command_out, command_err), 1);
    assert_says(command_err, "full.h5: cannot be ");
    srs_h5_rows_read rows;
    const srs_status status = srs_h5_rows_read_all(path_of("full.h5"), &rows, NULL);
    if (status == SRS_OK) n_rows = rows.n_rows;
    if (status == SRS_OK) srs_h5_rows_release(&rows);
  }
  assert_true(n_rows > 1000);
}

static void compressed_files_hold_the_same_and_texts(void **state)
{
  (void)state;
  testing_write("s.yaml", scene_text);
  assert_int_equal(sarrus("run s.yaml --quiet"), 0);
  srs_h5_rows_read whole, small;
  assert_int_equal(srs_h5_rows_read_all(path_of("run.h5"), &whole, NULL), SRS_OK);
  assert_int_equal(sarrus("run s.yaml --quiet --compress"), 0);
  assert_int_equal(srs_h5_rows_read_all(path_of("run.h5"), &small, NULL), SRS_OK);
  assert_int_equal(small.n_rows, whole.n_rows);
  assert_int_equal(small.n_columns, whole.n_columns);
  assert_int_equal(small.n_contacts, whole.n_contacts);
  assert_memory_equal(small.values, whole.values,
                      (size_t)whole.n_rows * (size_t)whole.n_columns * sizeof *whole.values);
  assert_memory_equal(small.forces, whole.forces, 3 * (size_t)whole.n_contacts * sizeof *whole.forces);
  for (int i = 0; i < whole.n_columns; i++) assert_string_equal(small.units[i], whole.units[i]);
  srs_h5_rows_release(&whole);
  srs_h5_rows_release(&small);
  assert_refused(sarrus("run --resume run.h5 --quiet"), 1, "compressed");
  char *text = NULL;
  assert_int_equal(srs_h5_read_text(path_of("run.h5"), "seed", &text, NULL), SRS_OK);
  assert_string_equal(text, "0");
  free(text);
  // Robot files are in it, as the scene is.
  testing_write("p.urdf", pendulum);
  assert_int_equal(sarrus("run p.urdf --duration 0.01 --out robot.h5 --quiet"), 0);
  assert_int_equal(srs_h5_read_text(path_of("robot.h5"), "/robots/1", &text, NULL), SRS_OK);
  assert_string_equal(text, pendulum);
  free(text);
}

// Whatever Python finds: h5py and pandas, without any option.
static void h5py_and_pandas_read_it(void **state)
{
  (void)state;
  static const char script[] =
      "import sys\n"
      "try:\n import h5py, pandas\n"
      "except ImportError:\n print('none'); sys.exit(0)\n"
      "f = h5py.File(sys.argv[1])\n"
      "v = pandas.DataFrame(f['v'][:], columns=f['v'].attrs['names'], index=f['time'][:])\n"
      "c = pandas.read_csv(sys.argv[2])\n"
      "assert list('v:' + name for name in v.columns) == [name for name in c.columns if name.startswith('v:')]\n"
      "w = c[[name for name in c.columns if name.startswith('v:')]].to_numpy()\n" // pandas rounds digits its own way
      "assert (abs(v.to_numpy() - w) <= 1e-14 * abs(w)).all() and abs(w).max() > 0\n"
      "assert (abs(v.index - c['time']) <= 1e-14).all() and len(f['v'].attrs['units']) == v.shape[1]\n"
      "print('read')\n";
  char line[4096];
  testing_write("s.yaml", scene_text);
  testing_write("read.py", script);
  assert_int_equal(sarrus("run s.yaml --quiet"), 0);
  assert_int_equal(sarrus("run s.yaml --quiet --out run.csv"), 0);
  for (int compressed = 0; compressed < 2; compressed++) {
    snprintf(line, sizeof line, "cd '%s' && /usr/bin/python3 read.py run.h5 run.csv", testing_folder());
    const int status = testing_run(line, command_out, command_err);
    if (status == 127 || strcmp(command_out, "none\n") == 0) {
      print_message("neither h5py nor pandas is installed\n");
      return;
    }
    if (status != 0) fail_msg("%s", command_err);
    assert_string_equal(command_out, "read\n");
    assert_int_equal(sarrus("run s.yaml --quiet --compress"), 0);
  }
}

static void more_rows_than_were_planned_are_refused(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(scene_text);
  srs_sim *sim = sim_of_scene(scene, NULL);
  srs_trajectory_options options = srs_default_trajectory_options();
  options.most_rows = 5;
  srs_trajectory *trajectory = NULL;
  srs_error error;
  assert_int_equal(srs_trajectory_create(path_of("few.h5"), sim, &options, &trajectory, &error), SRS_OK);
  srs_status status = SRS_OK;
  int n = 0;
  for (; n < 2000 && status == SRS_OK; n++) status = srs_trajectory_add(trajectory, sim, &error);
  assert_int_equal(status, SRS_ERROR_CAPACITY); // it has room for a chunk, not for ever
  assert_says(error.message, "is full");
  assert_int_equal(srs_trajectory_close(trajectory, &error), SRS_ERROR_CAPACITY);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_have_names_units_poses_and_contacts),
      cmocka_unit_test(csv_and_hdf5_hold_the_same_numbers),
      cmocka_unit_test(F90_a_killed_run_leaves_whole_rows),
      cmocka_unit_test(a_resumed_run_has_the_same_bits),
      cmocka_unit_test(resumed_columns_continue),
      cmocka_unit_test(a_finished_run_is_resumed_to_itself),
      cmocka_unit_test(the_summary_of_a_resumed_run_is_that_of_the_whole),
      cmocka_unit_test(a_live_run_is_resumed_without_waiting),
      cmocka_unit_test(what_cannot_be_resumed_is_told),
      cmocka_unit_test(a_full_disk_leaves_the_rows_before),
      cmocka_unit_test(more_rows_than_were_planned_are_refused),
      cmocka_unit_test(compressed_files_hold_the_same_and_texts),
      cmocka_unit_test(h5py_and_pandas_read_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
