// `sarrus run --record-run` and `sarrus replay`: the same run is the same file, a changed bit is found at its step and
// coordinate, and whatever is wrong with the file is one line.
#include "support/command.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

static const char two[] = "models:\n"
                          "  - name: m\n"
                          "    links: [{name: a, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]},\n"
                          "            {name: b, mass: 2, com: [0, 0, -0.4], inertia: [0.1, 0.1, 0.1]}]\n"
                          "    joints: [{name: left, kind: revolute, child: a, axis: [0, 1, 0]},\n"
                          "             {name: right, kind: revolute, child: b, axis: [0, 1, 0]}]\n"
                          "duration: 0.2\n"
                          "initial: {q: {left: 0.3, right: 1}}\n";

// ---------------------------------------------------------------------------------------------------------------------
// The file's bytes
// ---------------------------------------------------------------------------------------------------------------------

enum { AT_LENGTH = 8, AT_HASH = 16, HASHED_FROM = 24 };

static char *read_run(const char *name, size_t *length)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return testing_read(path, length);
}

static void write_run(const char *name, const char *bytes, size_t length)
{
  char path[1200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

// FNV-1a, so that what is changed on purpose is not damage.
static void seal(char *bytes, size_t length)
{
  uint64_t hash = 14695981039346656037U;
  for (size_t i = HASHED_FROM; i < length; i++) hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211U;
  memcpy(bytes + AT_HASH, &hash, sizeof hash);
}

static char *find_bytes(char *bytes, size_t length, const void *wanted, size_t n)
{
  char *at = memmem(bytes, length, wanted, n);
  assert_non_null(at);
  return at;
}

// ---------------------------------------------------------------------------------------------------------------------

static void recorded_runs_are_the_same_again(void **state)
{
  (void)state;
  const struct {
    const char *scene, *options;
  } runs[] = {
      {"samples/pendulum12.yaml", "--duration 1"},
      {"samples/double_pendulum.yaml", "--duration 0.2 --integrator rk4 --gravity 0,0,-3"},
      {"samples/double_pendulum.yaml", "--integrator implicit-moreau --duration 1"},
      {"samples/four_bar.yaml", "--duration 0.5"},
      {"samples/boxes_stacking.yaml", "--duration 0.2 --dt 0.002"},
      {"samples/rolling_disc.yaml", "--duration 0.2"},
      {"samples/arm.urdf", "--duration 0.5 --q 0,0.5,0,1,0,0.5,0 --v=0,0,0.1,0,0,0,0"},
      {"samples/gripper_arm.xml", "--duration 0.3"},
  };
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    char scene[1024];
    snprintf(scene, sizeof scene, "%s", testing_source(runs[i].scene));
    if (sarrus("run '%s' %s --record-run r --out o.csv --quiet", scene, runs[i].options) != 0)
      fail_msg("%s: %s", runs[i].scene, command_err);
    if (sarrus("replay r") != 0) fail_msg("%s: %s", runs[i].scene, command_err);
    assert_says(command_out, "the same to the bit\n");
  }
  assert_int_equal(sarrus("replay r --json"), 0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/outcome"), "same");
  assert_int_equal((int)testing_json_number(json, "/steps"), 300);
  testing_json_free(json);
}

// Threads of the libraries below, processors that the process may use, runs at the same time.
static void a_hundred_runs_are_one_file(void **state)
{
  (void)state;
  char line[2000];
  snprintf(line, sizeof line,
           "cd '%s' || exit 9; for i in $(seq 0 24); do for n in 1 2 4 16; do OPENBLAS_NUM_THREADS=$n "
           "OMP_NUM_THREADS=$n '%s' "
           "run '%s' --duration 0.15 --quiet --record-run hundred-$i-$n >/dev/null & done; wait; done; "
           "sha256sum hundred-* | cut -d' ' -f1 | sort | uniq -c; rm hundred-*",
           testing_folder(), testing_command(), testing_source("samples/pendulum12.yaml"));
  assert_int_equal(testing_run(line, command_out, command_err), 0);
  const char *sums = strstr(command_out, "    100 ");
  if (sums == NULL || strchr(sums, '\n')[1] != '\0') fail_msg("not one file: %s %s", command_out, command_err);
}

// Trees of their own: what turns the one turns nothing else. The flips are of any weight; the lightest may be lost in
// the rounding of a velocity and of a work, until they are not.
static void a_flipped_bit_of_an_input_is_found(void **state)
{
  (void)state;
  const double torque = 0.7310585786300049;
  testing_write("two.yaml", two);
  testing_write("two.csv", "time,tau:left,tau:right\n0,0.1,0.2\n0.05,0.1,0.7310585786300049\n0.1,0.3,0.4\n");
  assert_int_equal(sarrus("run two.yaml --input two.csv --record-run r"), 0);
  size_t length;
  char *bytes = read_run("r", &length);
  assert_int_equal(sarrus("replay r"), 0);
  for (int bit = 0; bit < 64; bit += bit % 4 < 2 ? 2 : 3) {
    char *changed = malloc(length);
    assert_non_null(changed);
    memcpy(changed, bytes, length);
    char *at = find_bytes(changed, length, &torque, sizeof torque);
    at[bit / 8] = (char)(at[bit / 8] ^ 1 << bit % 8);
    write_run("flipped", changed, length);
    assert_refused(sarrus("replay flipped"), 1, "is damaged: its checksum");
    seal(changed, length);
    write_run("flipped", changed, length);
    free(changed);
    assert_refused(sarrus("replay flipped"), 1,
                   bit < 8    ? "is the first that differs"
                   : bit < 62 ? "step 51, to t = 0.051 s, is the first that differs"
                              : "t = 0.05"); // where the velocity overflows
    if (bit >= 8) assert_says(command_err, "right'");
    assert_null(strstr(command_err, "'left'"));
    if (bit >= 20 && bit != 62) assert_says(command_err, "differs: q of 'right' is ");
  }
  free(bytes);
}

static void a_changed_state_is_found(void **state)
{
  (void)state;
  testing_write("two.yaml", two);
  assert_int_equal(sarrus("run two.yaml --record-run r --out two.csv --quiet"), 0);
  // v of 'left' after step 150, from the trajectory, as %.17g writes it
  size_t length, text_length;
  char *text = read_run("two.csv", &text_length), *line = text, *bytes = read_run("r", &length);
  for (int i = 0; i < 151; i++) line = strchr(line, '\n') + 1;
  double row[5];
  for (int i = 0; i < 5; i++, line++) row[i] = strtod(line, &line);
  char *at = find_bytes(bytes, length, row + 3, sizeof *row);
  at[0] ^= 1;
  seal(bytes, length);
  write_run("flipped", bytes, length);
  // only what was recorded differs there, not the hash of the motion
  assert_int_equal(sarrus("replay flipped"), 0);
  at[0] ^= 1;
  at[-(ptrdiff_t)(3 * sizeof *row)] ^= 1; // the hash before q and v
  seal(bytes, length);
  write_run("flipped", bytes, length);
  assert_refused(sarrus("replay flipped"), 1, "step 150, to t = 0.15 s, is the first that differs, in no coordinate");
  at[0] ^= 1;
  seal(bytes, length);
  write_run("flipped", bytes, length);
  assert_refused(sarrus("replay flipped"), 1, "step 150, to t = 0.15 s, is the first that differs: v of 'left' is ");
  assert_int_equal(sarrus("replay flipped --json"), 1);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/outcome"), "different");
  assert_int_equal((int)testing_json_number(json, "/coordinate_step"), 150);
  assert_string_equal(testing_json_text(json, "/coordinate"), "left");
  assert_true(testing_json_number(json, "/here") == row[3]);
  testing_json_free(json);
  free(text);
  free(bytes);
}

static void damaged_and_short_files_are_told(void **state)
{
  (void)state;
  testing_write("two.yaml", two);
  assert_int_equal(sarrus("run two.yaml --record-run r --duration 0.02"), 0);
  size_t length;
  char *bytes = read_run("r", &length);
  for (size_t at = 0; at < length; at += at < 96 ? 3 : length / 60) { // the head, and all the rest
    bytes[at] ^= 4;
    write_run("bad", bytes, length);
    bytes[at] ^= 4;
    assert_refused(sarrus("replay bad"), 1, "bad: ");
  }
  for (size_t n = 0; n < length; n += n < 96 ? 5 : length / 40) {
    write_run("bad", bytes, n);
    assert_refused(sarrus("replay bad"), 1, n < 6 ? "is no recorded run" : n < 8 ? "bad: " : "is cut short");
  }
  char *longer = calloc(1, length + 1);
  assert_non_null(longer);
  memcpy(longer, bytes, length);
  write_run("bad", longer, length + 1);
  assert_refused(sarrus("replay bad"), 1, "is damaged");
  // Sizes that do not fit are no trouble either.
  for (size_t at = HASHED_FROM; at < HASHED_FROM + 64; at += 4) {
    memcpy(longer, bytes, length);
    longer[at] ^= 0x11;
    seal(longer, length);
    write_run("bad", longer, length);
    const int status = sarrus("replay bad");
    if (status != 0) assert_refused(status, 1, "bad: "); // the number of steps, and how it ended, say less
  }
  free(longer);
  free(bytes);
  assert_refused(sarrus("replay two.yaml"), 1, "two.yaml: is no recorded run; sarrus run SCENE --record-run FILE");
  assert_refused(sarrus("replay nothing"), 1, "nothing: cannot be opened");
  assert_refused(sarrus("replay ."), 1, "cannot be read");
  assert_refused(sarrus("replay"), 2, "FILE");
}

static void other_versions_and_models_are_told(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("p.yaml", "models: [{file: p.urdf}]\nduration: 0.1\n");
  assert_int_equal(sarrus("run p.yaml --record-run r"), 0);
  size_t length;
  char *bytes = read_run("r", &length);
  char *version = find_bytes(bytes + 88, length - 88, srs_version(), strlen(srs_version()) + 1);
  version[0] = '9';
  seal(bytes, length);
  write_run("bad", bytes, length);
  assert_refused(sarrus("replay bad"), 1, "bad: was recorded by sarrus 9");
  bytes[6] = '9';
  write_run("bad", bytes, length);
  assert_refused(sarrus("replay bad"), 1, "another format than this version's");
  free(bytes);
  char heavier[4096];
  snprintf(heavier, sizeof heavier, "%s", pendulum);
  strstr(heavier, "value='2'")[7] = '3';
  testing_write("p.urdf", heavier);
  assert_refused(sarrus("replay r"), 1, "r: this snapshot is of another model of this size: ");
  testing_write("p.urdf", "<robot name='r'><link name='a'/></robot>");
  assert_refused(sarrus("replay r"), 1, "r: this snapshot is of a model with ");
  testing_write("p.urdf", "");
  assert_refused(sarrus("replay r"), 1, "p.urdf");
}

static void files_that_a_run_needs_are_spared(void **state)
{
  (void)state;
  testing_write("p.urdf", pendulum);
  testing_write("p.yaml", "models: [{file: p.urdf}]\nduration: 0.1\n");
  assert_refused(sarrus("run p.yaml --record-run p.yaml"), 1, "is the scene itself");
  assert_refused(sarrus("run p.yaml --record-run p.urdf"), 1, "is a robot of the scene");
  assert_refused(sarrus("run p.yaml --out o.csv --record-run o.csv"), 2, "o.csv");
  assert_refused(sarrus("run p.yaml --record-run none/r"), 1, "none/r");
  assert_refused(sarrus("run p.yaml --compare all --record-run r"), 2, "--record-run");
}

// A run that goes on from a file, and one that fails.
static void resumed_and_failed_runs_replay(void **state)
{
  (void)state;
  testing_write("two.yaml", two);
  assert_int_equal(sarrus("run two.yaml --duration 0.1 --out r.h5"), 0);
  assert_int_equal(sarrus("run --resume r.h5 --duration 0.2 --record-run r"), 0);
  assert_int_equal(sarrus("replay r"), 0);
  assert_says(command_out, "100 steps of two.yaml to t = 0.2 s");
  testing_write("stiff.yaml",
                "models:\n"
                "  - name: m\n"
                "    links: [{name: a, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
                "    joints: [{name: left, kind: prismatic, child: a, axis: [0, 1, 0], stiffness: 1e12}]\n"
                "integrator: rk4\nduration: 1\ninitial: {q: [1]}\n");
  assert_int_equal(sarrus("run stiff.yaml --quiet --record-run r"), 1);
  assert_int_equal(sarrus("replay r"), 0);
  assert_says(command_out, "the same to the bit, and then fails as it did\n");
}

// Sends a request to the live run; @return the socket, its answer unread
static int ask(int port, const char *request)
{
  const struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_true(s >= 0);
  assert_int_equal(connect(s, (const struct sockaddr *)&address, sizeof address), 0);
  assert_int_equal(send(s, request, strlen(request), MSG_NOSIGNAL), (int)strlen(request));
  return s;
}

// A run that is watched and pushed goes on with its own inputs, which the record keeps.
static void a_run_that_was_pushed_replays(void **state)
{
  (void)state;
  char line[3000], address[300] = "", request[600], token[40], answer[64] = "";
  testing_write("ball.yaml", "gravity: [0, 0, 0]\nduration: 1\nmodels:\n- name: ball\n  base: floating\n"
                             "  links: [{name: body, mass: 1, inertia: [1, 1, 1]}]\n"
                             "  shapes: [{link: body, kind: sphere, radius: 0.3}]\n");
  snprintf(
      line, sizeof line,
      "cd '%s' && rm -f live.txt r && exec '%s' run ball.yaml --live 0 --quiet --record-run r >/dev/null 2>live.txt",
      testing_folder(), testing_command());
  FILE *run = popen(line, "re"); // NOLINT(cert-env33-c): the command is our own
  assert_non_null(run);
  snprintf(line, sizeof line, "%s/live.txt", testing_folder());
  for (int tries = 0; tries < 500 && strchr(address, '\n') == NULL; tries++) {
    usleep(20000);
    FILE *file = fopen(line, "re");
    if (file == NULL) continue;
    if (fgets(address, sizeof address, file) == NULL) address[0] = '\0';
    assert_int_equal(fclose(file), 0);
  }
  const char *at = strstr(address, "http://127.0.0.1:");
  if (at == NULL) { // built without the page
    print_message("not run: %s", address);
    (void)pclose(run);
    return;
  }
  char *slash;
  const int port = (int)strtol(at + strlen("http://127.0.0.1:"), &slash, 10);
  snprintf(token, sizeof token, "%.32s", slash + 1);
  snprintf(request, sizeof request, "GET /%s/states HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", token, port);
  const int states = ask(port, request);
  usleep(200000);
  const char push[] = "0 0.1 0 0 0 2 0";
  snprintf(request, sizeof request, "POST /%s/push HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d\r\n\r\n%s",
           token, port, (int)strlen(push), push);
  const int pushed = ask(port, request);
  assert_true(recv(pushed, answer, sizeof answer - 1, 0) > 0);
  assert_says(answer, "204");
  char passed[4096];
  while (recv(states, passed, sizeof passed, 0) > 0) continue; // to the end of the run
  assert_int_equal(close(pushed) + close(states), 0);
  assert_int_equal(pclose(run), 0);
  assert_int_equal(sarrus("replay r"), 0);
  assert_says(command_out, "1000 steps of ball.yaml to t = 1 s, the same to the bit\n");
  size_t length; // and the push is in it: the ball has moved
  char *bytes = read_run("r", &length);
  double y; // the last state: q = x y z qw qx qy qz, v = 6 numbers
  memcpy(&y, bytes + length - 12 * sizeof y, sizeof y);
  assert_true(y > 0.01);
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recorded_runs_are_the_same_again),   cmocka_unit_test(a_hundred_runs_are_one_file),
      cmocka_unit_test(a_flipped_bit_of_an_input_is_found), cmocka_unit_test(a_changed_state_is_found),
      cmocka_unit_test(damaged_and_short_files_are_told),   cmocka_unit_test(other_versions_and_models_are_told),
      cmocka_unit_test(files_that_a_run_needs_are_spared),  cmocka_unit_test(resumed_and_failed_runs_replay),
      cmocka_unit_test(a_run_that_was_pushed_replays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
