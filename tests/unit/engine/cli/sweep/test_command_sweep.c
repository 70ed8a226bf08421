// `sarrus sweep`: rows against closed forms, the same bytes at any number of threads and after kills, failed runs as
// rows, what is refused.
#include "support/command.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

// A box slides on a plane: after v^2 / (2 mu g) it stands. Restitution and turning have no part: it is a point on two
// rails.
static const char slide[] = "gravity: [0, 0, -9.81]\n"
                            "models:\n"
                            "  - name: m\n"
                            "    links: [{name: box, mass: 2, inertia: [1, 1, 1]}, {name: lift, carriage: true}]\n"
                            "    joints:\n"
                            "      - {name: z, kind: prismatic, child: lift, axis: [0, 0, 1]}\n"
                            "      - {name: x, kind: prismatic, parent: lift, child: box, axis: [1, 0, 0]}\n"
                            "    shapes: [{name: box, kind: sphere, radius: 0.1, link: box}]\n"
                            "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: -0.1}]\n"
                            "contact: {friction: 0.5}\n"
                            "initial: {v: {x: 1.0}}\n"
                            "duration: 2\n";

static const char sweep[] = "scene: slide.yaml\n"
                            "seed: 5\n"
                            "repeat: 2\n"
                            "variables:\n"
                            "  - {name: mu, values: [0.2, 0.4]}\n"
                            "  - {name: speed, from: 0.5, to: 1.5, count: 3}\n"
                            "  - {name: mass, uniform: [1, 3]}\n"
                            "  - {name: scheme, values: [semi-implicit-euler, moreau-midpoint]}\n"
                            "set:\n"
                            "  contact.friction: mu\n"
                            "  initial.v.x: speed\n"
                            "  'models[m].links[box].mass': mass\n"
                            "outcomes:\n"
                            "  way: q:x\n"
                            "  stop: when(v:x < 1e-9)\n"
                            "  top: highest(v:x)\n"
                            "  moved: ever(q:x > 0.2)\n"
                            "output: rows.csv\n";

static void write_files(void)
{
  char text[2000];
  snprintf(text, sizeof text, "%sintegrator: semi-implicit-euler\n", slide);
  testing_write("slide.yaml", text);
  snprintf(text, sizeof text, "%.*s  integrator: scheme\n%s", (int)(strstr(sweep, "outcomes:") - sweep), sweep,
           strstr(sweep, "outcomes:"));
  testing_write("sweep.yaml", text);
  (void)remove(testing_write("rows.csv", ""));
}

static char *read_whole(const char *name, size_t *length)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  char *text = testing_read(path, length);
  assert_non_null(text);
  return text;
}

static void assert_same_bytes(const char *a, const char *b)
{
  size_t n, m;
  char *x = read_whole(a, &n), *y = read_whole(b, &m);
  if (n != m || memcmp(x, y, n) != 0) fail_msg("%s and %s differ", a, b);
  free(x), free(y);
}

static void rows_are_the_closed_form(void **state)
{
  (void)state;
  write_files();
  assert_int_equal(sarrus("sweep sweep.yaml"), 0);
  assert_says(command_out, "24 of 24, 0 failed");
  size_t length;
  char *text = read_whole("rows.csv", &length), *line = strtok(text, "\n");
  assert_string_equal(line, "run,mu,speed,mass,scheme,way,stop,top,moved,status,message");
  for (int run = 0; run < 24; run++) {
    line = strtok(NULL, "\n");
    assert_non_null(line);
    char *cells[9], *at = line;
    for (int i = 0; i < 9; i++) {
      cells[i] = at;
      at = strchr(at, ',');
      assert_non_null(at);
      *at++ = '\0';
    }
    const double number = strtod(cells[0], NULL), mu = strtod(cells[1], NULL), speed = strtod(cells[2], NULL);
    const double mass = strtod(cells[3], NULL), way = strtod(cells[5], NULL), stop = strtod(cells[6], NULL);
    const double top = strtod(cells[7], NULL), moved = strtod(cells[8], NULL);
    const char *scheme = cells[4];
    assert_string_equal(at, "ok,");
    // The last variable is the fastest, each point twice.
    assert_true(number == run);
    assert_true(mu == (run < 12 ? 0.2 : 0.4) && speed == 0.5 + 0.5 * (run / 4 % 3) && mass >= 1 && mass <= 3);
    assert_string_equal(scheme, run / 2 % 2 == 0 ? "semi-implicit-euler" : "moreau-midpoint");
    const double a = mu * 9.81, exact = speed * speed / 2 / a, step = 0.001; // a step's error: speed * h
    if (fabs(way - exact) > speed * step) fail_msg("run %d: %g m, not %g m", run, way, exact);
    assert_true(fabs(stop - speed / a) < 2 * step);
    assert_true(top == speed && moved == (way > 0.2));
  }
  free(text);
}

static void bytes_are_the_same_at_any_number_of_threads(void **state)
{
  (void)state;
  write_files();
  for (int threads = 1; threads <= 7; threads += 3)
    assert_int_equal(sarrus("sweep sweep.yaml --threads %d --out t%d.csv", threads, threads), 0);
  assert_same_bytes("t1.csv", "t4.csv");
  assert_same_bytes("t1.csv", "t7.csv");
  assert_int_equal(sarrus("sweep sweep.yaml --threads 1 --out a.h5 && cp a.h5 first.h5"), 0);
  assert_int_equal(sarrus("sweep sweep.yaml --threads 3 --force --out a.h5"), 0);
  assert_same_bytes("first.h5", "a.h5");
  assert_false(file_exists("a.h5.rows.csv"));
}

// Killed at any moment, without warning, and cut anywhere.
static void a_sweep_goes_on_after_kills(void **state)
{
  (void)state;
  write_files();
  assert_int_equal(sarrus("sweep sweep.yaml --out whole.csv"), 0);
  size_t n, length;
  char *whole = read_whole("whole.csv", &n);
  testing_random random = testing_random_start(3);
  for (int i = 0; i < 12; i++) {
    const int cut = testing_below(&random, (int)n);
    assert_int_equal(sarrus("sweep sweep.yaml --out cut.csv --force --most-runs 1"), 0);
    char path[1200];
    snprintf(path, sizeof path, "%s/cut.csv", testing_folder());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(whole, 1, (size_t)cut, file), cut);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(sarrus("sweep sweep.yaml --out cut.csv --threads 2"), 0);
    assert_same_bytes("cut.csv", "whole.csv");
  }
  free(whole);
  (void)sarrus("sweep sweep.yaml --out killed.csv --force --most-runs 1");
  for (int i = 0; i < 40; i++) {
    const double wait = testing_uniform(&random, 0.002, 0.05);
    (void)sarrus(
        "sweep sweep.yaml --out killed.csv --quiet >/dev/null & p=$!; sleep %.3f; kill -9 $p 2>/dev/null; wait", wait);
  }
  assert_int_equal(sarrus("sweep sweep.yaml --out killed.csv"), 0);
  assert_same_bytes("killed.csv", "whole.csv");
  assert_int_equal(sarrus("sweep sweep.yaml --out killed.csv"), 0); // once more: nothing is left to do
  assert_same_bytes("killed.csv", "whole.csv");
  char *text = read_whole("killed.csv", &length);
  free(text);
}

// A file with a row or a name that is not the sweep's own is not gone on with.
static void changed_rows_are_refused(void **state)
{
  (void)state;
  write_files();
  static const char *const edits[][2] = {{"5d", "changed.csv:5:1: this is not the row"},
                                         {"5s/^/x/", "changed.csv:5:1: this is not the row"},
                                         {"5p", "changed.csv:6:1: this is not the row"},
                                         {"5s/.*//", "changed.csv:5:1: this is not the row"},
                                         {"1s/run/rum/", "changed.csv:1:1: this is not the header"},
                                         {"1s/$/,more/", "changed.csv:1:1: this is not"}};
  for (int i = 0; i < 6; i++) {
    assert_int_equal(sarrus("sweep sweep.yaml --out changed.csv --force"), 0);
    char line[2400];
    snprintf(line, sizeof line, "sed -i '%s' '%s/changed.csv'", edits[i][0], testing_folder());
    assert_int_equal(testing_run(line, NULL, NULL), 0);
    assert_refused(sarrus("sweep sweep.yaml --out changed.csv"), 1, edits[i][1]);
  }
}

// Rows of one robot are not gone on with by runs of another.
static void a_sweep_whose_robot_has_changed_is_refused(void **state)
{
  (void)state;
  static const char robot[] = "<robot name='r'><link name='base'/><link name='bob'><inertial><mass value='%g'/>"
                              "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                              "<joint name='j' type='continuous'><parent link='base'/><child link='bob'/>"
                              "<axis xyz='1 0 0'/></joint></robot>\n";
  char text[600], line[1300];
  snprintf(text, sizeof text, robot, 1.0);
  testing_write("bob.urdf", text);
  testing_write("bob.yaml", "models: [{file: bob.urdf}]\ninitial: {v: {j: 1}}\nduration: 0.01\n");
  testing_write("spins.yaml", "scene: bob.yaml\nvariables: [{name: v, from: 1, to: 9, count: 9}]\n"
                              "set: {initial.v.j: v}\noutcomes: {angle: q:j}\n");
  assert_int_equal(sarrus("sweep spins.yaml --out spins.csv --force --most-runs 4"), 0);
  snprintf(text, sizeof text, robot, 2.0);
  testing_write("bob.urdf", text);
  assert_refused(sarrus("sweep spins.yaml --out spins.csv"), 1, "not of this sweep as it is now");
  snprintf(text, sizeof text, robot, 1.0);
  testing_write("bob.urdf", text);
  snprintf(line, sizeof line, "cd / && '%s' sweep '%s/spins.yaml' --out '%s/spins.csv'", testing_command(),
           testing_folder(), testing_folder());
  assert_int_equal(testing_run(line, command_out, command_err), 0); // from another folder
  assert_says(command_out, "9 of 9, 0 failed");
}

// Under mpirun, where it is installed and the command is built for it.
static void bytes_are_the_same_at_any_number_of_ranks(void **state)
{
  (void)state;
  static const char ranks[] =
      "cd '%s' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe "
      "-n %d '%s' sweep sweep.yaml --quiet --force --threads 1 --out ranks.csv%s";
  char line[4000];
  if (testing_run("command -v mpirun", command_out, command_err) != 0) {
    printf("no mpirun: not tested\n");
    return;
  }
  write_files();
  assert_int_equal(sarrus("sweep sweep.yaml --out alone.csv --threads 1 --force"), 0);
  for (int n = 1; n <= 4; n *= 2) {
    snprintf(line, sizeof line, ranks, testing_folder(), n, testing_command(), "");
    const int status = testing_run(line, command_out, command_err);
    if (status != 0 && strstr(command_err, "built without MPI") != NULL) {
      printf("built without MPI: not tested\n");
      return;
    }
    if (status != 0) fail_msg("%s", command_err);
    assert_same_bytes("ranks.csv", "alone.csv");
  }
  for (int k = 0; k < 3; k++) { // begun by ranks, gone on with alone and by ranks
    snprintf(line, sizeof line, ranks, testing_folder(), 2 + k, testing_command(), " --most-runs 7");
    assert_int_equal(testing_run(line, command_out, command_err), 0);
    assert_int_equal(sarrus("sweep sweep.yaml --out ranks.csv --most-runs %d", 1 + 6 * k), 0);
    snprintf(line, sizeof line, ranks, testing_folder(), 2, testing_command(), "");
    memset(strstr(line, "--force"), ' ', 7); // goes on
    assert_int_equal(testing_run(line, command_out, command_err), 0);
    assert_same_bytes("ranks.csv", "alone.csv");
  }
}

// Where the file cannot be described nothing is begun, and once there is room the same command does all of it.
static void a_full_disk_leaves_a_beginning(void **state)
{
  (void)state;
  write_files();
  char out[65536], err[65536], line[3000];
  for (int blocks = 1; blocks <= 3; blocks += 2) { // of 512 bytes: less than the description, and less than the rows
    snprintf(line, sizeof line, "cd '%s' && ulimit -f %d && '%s' sweep sweep.yaml --out full.csv", testing_folder(),
             blocks, testing_command());
    assert_int_equal(testing_run(line, out, err), 1);
    assert_says(err, "cannot be written");
    assert_true(strchr(err, '\n') == err + strlen(err) - 1);
    assert_int_equal(file_exists("full.csv"), blocks > 1);
  }
  assert_int_equal(sarrus("sweep sweep.yaml --out full.csv"), 0);
  assert_int_equal(sarrus("sweep sweep.yaml --out roomy.csv"), 0);
  assert_same_bytes("full.csv", "roomy.csv");
}

static void the_scene_of_a_run_is_shown(void **state)
{
  (void)state;
  write_files();
  assert_int_equal(sarrus("sweep sweep.yaml --show 23"), 0);
  assert_says(command_out, "contact: {friction: 0.4}");
  assert_says(command_out, "initial: {v: {x: 1.5}}");
  assert_says(command_out, "integrator: moreau-midpoint");
  assert_int_equal(sarrus("sweep sweep.yaml --show 23 >run23.yaml && '%s' run run23.yaml --quiet --json --no-output",
                          testing_command()),
                   sarrus("run run23.yaml --quiet --json --no-output"));
}

// A run whose values make no scene is a row that says why; the others are as they are.
static void failed_runs_are_rows(void **state)
{
  (void)state;
  write_files();
  testing_write("fails.yaml", "scene: slide.yaml\n"
                              "variables: [{name: mass, values: [1, -1, 2]}]\n"
                              "set: {'models[m].links[box].mass': mass}\n"
                              "outcomes: {way: q:x}\n");
  assert_int_equal(sarrus("sweep fails.yaml --out fails.csv"), 0);
  assert_says(command_out, "3 of 3, 1 failed");
  size_t length;
  char *text = read_whole("fails.csv", &length);
  assert_says(text, "\n1,-1,nan,failed,slide.yaml:4:");
  assert_says(text, "\n2,2,0.1");
  free(text);
  // Also where the first run is the one whose values are no scene; not where no run is.
  testing_write("fails.yaml", "scene: slide.yaml\nvariables: [{name: step, values: [-1, 1]}]\nset: {duration: step}\n");
  assert_int_equal(sarrus("sweep fails.yaml --out fails.csv --force"), 0);
  assert_says(command_out, "2 of 2, 1 failed");
  testing_write("fails.yaml",
                "scene: slide.yaml\nvariables: [{name: step, values: [-1, -2]}]\nset: {duration: step}\n");
  assert_refused(sarrus("sweep fails.yaml --out fails.csv --force"), 1, "slide.yaml:");
}

static void refuse(const char *lines, const char *message)
{
  testing_write("bad.yaml", lines);
  assert_refused(sarrus("sweep bad.yaml --out bad.csv"), 1, message);
  assert_false(file_exists("bad.csv"));
}

#define HEAD "scene: slide.yaml\nvariables: [{name: a, values: [1, 2]}]\n"

static void wrong_input_is_told_with_its_place(void **state)
{
  (void)state;
  write_files();
  refuse("seed: 1\n", "bad.yaml:1:1: a sweep needs 'scene'");
  refuse("scene: none.yaml\n", "none.yaml");
  refuse(HEAD "sett: {x: 1}\n", "bad.yaml:3:1: unknown key 'sett'");
  refuse(HEAD "set: {contact.frictoin: a}\n", "bad.yaml:3:7: 'contact.frictoin': the scene has no key 'frictoin' here");
  refuse(HEAD "set: {contact.restitution: a}\n", "must be written in the scene");
  refuse(HEAD "set: {'models[n].links[box].mass': a}\n", "no entry 'n'");
  refuse(HEAD "set: {'models[m].links[box].inertia': a}\n", "a sweep sets single values");
  refuse(HEAD "set: {contact.friction: b}\n", "bad.yaml:3:25: nothing is named 'b'");
  refuse(HEAD "set: {contact.friction: a, contact.friction: a}\n", "given twice");
  refuse(HEAD "outcomes: {o: q:y}\n", "nothing is named 'q:y'");
  refuse(HEAD "outcomes: {o: 1 +}\n", "bad.yaml:3:");
  refuse(HEAD "outcomes: {a: q:x}\n", "cannot name an outcome");
  refuse(HEAD "stop: (v:x\n", "')' is missing");
  refuse(HEAD "repeat: 0\n", "bad.yaml:3:9: repeat is 1 or more");
  refuse(HEAD "seed: -1\n", "seed is a whole number");
  refuse("scene: slide.yaml\nvariables: [{name: a}]\n", "needs one of: values; from, to and count");
  refuse("scene: slide.yaml\nvariables: [{name: a, values: []}]\n", "values is empty");
  refuse("scene: slide.yaml\nvariables: [{name: a, uniform: [2, 1]}]\n", "low not above high");
  refuse("scene: slide.yaml\nvariables: [{name: status, values: [1]}]\n", "cannot name a variable");
  refuse("scene: slide.yaml\nvariables: [{name: a, values: [1], uniform: [0, 1]}]\n", "more than one way");
  refuse("scene: slide.yaml\nvariables: [{name: a, values: [1]}, {name: a, values: [1]}]\n", "two variables");
  refuse("scene: slide.yaml\nvariables: [{name: a, from: 0, to: 1, count: 100000}, {name: b, from: 0, to: 1, count: "
         "100000}]\n",
         "10^9 at most");
  assert_refused(sarrus("sweep none.yaml --out a.csv"), 1, "none.yaml");
  testing_write("good.yaml", HEAD);
  assert_refused(sarrus("sweep good.yaml"), 1, "give --out FILE");
  assert_refused(sarrus("sweep good.yaml --out a.csv --threads 0"), 2, "--threads");
  assert_refused(sarrus("sweep good.yaml --out slide.yaml"), 1, "name another by --out");
  testing_write("theirs.csv", "1,2\n");
  assert_refused(sarrus("sweep good.yaml --out theirs.csv"), 1, "--force");
}

static void pictures_are_drawn_of_rows(void **state)
{
  (void)state;
  write_files();
  assert_int_equal(sarrus("sweep sweep.yaml --out p.csv"), 0);
  assert_int_equal(sarrus("plot p.csv way --heat mu,speed --force --out heat.svg"), 0);
  size_t length;
  char *svg = read_whole("heat.svg", &length);
  assert_says(svg, ">way, mean<");
  assert_says(svg, ">speed<");
  assert_int_equal(svg[length - 1], '\n');
  free(svg);
  assert_int_equal(sarrus("plot p.csv way --histogram 10 --force --out bars.svg"), 0);
  assert_int_equal(sarrus("sweep sweep.yaml --out p.h5"), 0); // the same rows, and so the same picture
  assert_int_equal(sarrus("plot p.h5 way --heat mu,speed --out heat_h5.svg"), 0);
  char *first = read_whole("heat.svg", &length), *second = read_whole("heat_h5.svg", &length);
  assert_string_equal(first, second);
  free(first), free(second);
  assert_int_equal(sarrus("plot p.h5 way --histogram 10 --out bars_h5.svg"), 0);
  assert_refused(sarrus("plot p.h5 wya --heat mu,speed --out no.svg"), 1, "did you mean 'way'?");
  assert_refused(sarrus("plot p.h5 way --heat mu,scheme --out no.svg"), 1, "no numbers");
  assert_refused(sarrus("plot none.h5 way --heat mu,speed --out no.svg"), 1, "none.h5: cannot be read");
  testing_write("text.h5", "no HDF5");
  assert_refused(sarrus("plot text.h5 way --heat mu,speed --out no.svg"), 1, "holds no rows of a sweep");
  assert_refused(sarrus("plot p.csv wya --heat mu,speed --out no.svg"), 1, "did you mean 'way'?");
  assert_refused(sarrus("plot p.csv way --heat mu --out no.svg"), 1, "two columns");
  assert_refused(sarrus("plot p.csv way --heat mu,scheme --out no.svg"), 1, "no numbers");
  assert_refused(sarrus("plot p.csv way --histogram 0 --out no.svg"), 2, "--histogram");
}

// ---------------------------------------------------------------------------------------------------------------------
// Lanes
// ---------------------------------------------------------------------------------------------------------------------

static const char swings[] = "models:\n"
                             "  - name: m\n"
                             "    links: [{name: a, mass: 2, com: [0, 0, -1], inertia: [1, 1, 1]},\n"
                             "            {name: b, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}]\n"
                             "    joints:\n"
                             "      - {name: p, kind: continuous, child: a, axis: [0, 1, 0], damping: 0.5}\n"
                             "      - {name: r, kind: revolute, parent: a, child: b, axis: [0, 1, 0],\n"
                             "         origin: {position: [0, 0, -1]}, lower: -2, upper: 2}\n"
                             "initial: {q: {p: 1.0, r: 0.0}}\n"
                             "duration: 0.3\n";

static const char of_swings[] =
    "scene: swings.yaml\n"
    "variables: [{name: p, from: -1, to: 1, count: 5}, {name: r, from: 0, to: 2.5, count: 3}]\n"
    "set: {initial.q.p: p, initial.q.r: r}\n"
    "stop: r < 1 && time > 0.2\n"
    "outcomes: {first: 'q:p', top: highest(v:r), late: 'a:p', end: time}\n"
    "every: 7\n"
    "output: lanes.csv\n";

// Figures of one file against those of another, cell by cell, as far as they are numbers.
static void assert_close_rows(const char *name, const char *other, double tolerance)
{
  size_t n, m;
  char *a = read_whole(name, &n), *b = read_whole(other, &m), *x = a, *y = b;
  int count = 0;
  while (*x != '\0' && *y != '\0') {
    char *end_x, *end_y;
    const double u = strtod(x, &end_x), v = strtod(y, &end_y);
    if (end_x == x || end_y == y) {
      assert_int_equal(*x++, *y++);
      continue;
    }
    if (fabs(u - v) > tolerance) fail_msg("%s: %.17g, not %.17g", name, u, v);
    x = end_x, y = end_y, count++;
  }
  assert_true(*x == *y && count > 100);
  free(a), free(b);
}

// The third of the runs that begins beyond its limit runs alone.
static void rows_in_lanes_are_those_alone_to_rounding(void **state)
{
  (void)state;
  testing_write("swings.yaml", swings);
  testing_write("swinging.yaml", of_swings);
  if (sarrus("sweep swinging.yaml --out one_by_one.csv") != 0) fail_msg("%s", command_err);
  assert_int_equal(sarrus("sweep swinging.yaml --threads 1 --lanes --out lanes.csv"), 0);
  assert_int_equal(sarrus("sweep swinging.yaml --threads 3 --lanes --out more.csv"), 0);
  assert_close_rows("lanes.csv", "one_by_one.csv", 1e-10);
  assert_same_bytes("lanes.csv", "more.csv");
}

static void what_lanes_cannot_do_is_told(void **state)
{
  (void)state;
  write_files();
  assert_refused(sarrus("sweep sweep.yaml --lanes --out no.csv"), 1, "switch contact off, or take no lanes");
  testing_write("heavy.yaml", "scene: swings.yaml\nvariables: [{name: m, values: [1, 2, 3]}]\n"
                              "set: {'models[m].links[b].mass': m}\noutcomes: {p: 'q:p'}\noutput: no.csv\n");
  assert_refused(sarrus("sweep heavy.yaml --lanes"), 1, "let values set the initial state alone");
  assert_false(file_exists("no.csv"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_the_closed_form),
      cmocka_unit_test(bytes_are_the_same_at_any_number_of_threads),
      cmocka_unit_test(a_sweep_goes_on_after_kills),
      cmocka_unit_test(changed_rows_are_refused),
      cmocka_unit_test(a_sweep_whose_robot_has_changed_is_refused),
      cmocka_unit_test(bytes_are_the_same_at_any_number_of_ranks),
      cmocka_unit_test(a_full_disk_leaves_a_beginning),
      cmocka_unit_test(the_scene_of_a_run_is_shown),
      cmocka_unit_test(failed_runs_are_rows),
      cmocka_unit_test(wrong_input_is_told_with_its_place),
      cmocka_unit_test(pictures_are_drawn_of_rows),
      cmocka_unit_test(rows_in_lanes_are_those_alone_to_rounding),
      cmocka_unit_test(what_lanes_cannot_do_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
