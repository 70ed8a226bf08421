// The command with little memory: it does its work, or ends with status 1 and one line. It never prints an error and
// ends with 0, never crashes, and never waits for memory that does not come.
//
// The limit is that of addresses (ulimit -v). Below some 120 MB the command does not even start: the loader says so, or
// OpenBLAS, which takes its own memory before it (docs/safety.md); with one thread that takes less. Its other threads
// wait for theirs as long as there is none, which the command must not wait for.
#include "support/command.h"

#ifdef __SANITIZE_ADDRESS__ // it takes terabytes of addresses
enum { HAS_LIMITS = false };
#else
enum { HAS_LIMITS = true };
#endif

enum { LEAST = 80000, MOST = 300000, STEP = 11000 }; // kB

static int runs(const char *command, int threads, int kilobytes)
{
  char line[6000];
  snprintf(line, sizeof line, "cd '%s' && ulimit -v %d && ulimit -t 20 && OPENBLAS_NUM_THREADS=%d exec '%s' %s",
           testing_folder(), kilobytes, threads, testing_command(), command);
  return testing_run(line, command_out, command_err);
}

static bool is_one_line(const char *text)
{
  const char *end = strchr(text, '\n');
  return strncmp(text, "sarrus: ", 8) == 0 && end != NULL && end[1] == '\0';
}

// Nothing but warnings and notes.
static bool has_no_error(const char *text)
{
  for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
    if (strncmp(line, "sarrus: warning: ", 17) != 0 && strncmp(line, "sarrus: note: ", 14) != 0) return false;
    if (strchr(line, '\n') == NULL) return false;
  }
  return true;
}

static void little_memory_is_success_or_one_line(void **state)
{
  (void)state;
  if (!HAS_LIMITS) return;
  testing_write("p.urdf", pendulum);
  static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0.1, 0}, friction = 0.5;
  const srs_contact_file file = {.problem = {.n_contacts = 1, .W = W, .b = b, .friction = &friction}};
  assert_int_equal(srs_contact_file_write(testing_write("one.hdf5", ""), &file, NULL), SRS_OK);
  char commands[9][600];
  const char *arm = testing_source("samples/arm.urdf"), *scene = testing_source("samples/grasp.yaml"),
             *mjcf = testing_source("samples/gripper_arm.xml");
  int n = 0, outcomes[2] = {0};
  snprintf(commands[n++], sizeof *commands, "info '%.500s'", arm);
  snprintf(commands[n++], sizeof *commands, "info '%.500s'", scene);
  snprintf(commands[n++], sizeof *commands, "info '%.500s' --json", mjcf);
  snprintf(commands[n++], sizeof *commands, "run '%.500s' --duration 0.01 --out run.csv --quiet", arm);
  snprintf(commands[n++], sizeof *commands, "run '%.500s' --duration 0.01 --quiet", mjcf);
  snprintf(commands[n++], sizeof *commands, "check '%.500s'", arm);
  snprintf(commands[n++], sizeof *commands, "convert p.urdf p.yaml --force --quiet");
  snprintf(commands[n++], sizeof *commands, "eval p.urdf mass-matrix");
  snprintf(commands[n++], sizeof *commands, "solve one.hdf5");
  for (int i = 0; i < n; i++)
    for (int kilobytes = LEAST; kilobytes < MOST; kilobytes += STEP) {
      const int status = runs(commands[i], 1, kilobytes);
      if (status == 127 && strstr(command_err, "shared libraries") != NULL) continue;
      if (status == 0 && command_out[0] != '\0' && has_no_error(command_err)) {
        outcomes[0]++;
        continue;
      }
      if (status != 1 || !is_one_line(command_err))
        fail_msg("%s with %d kB: exit status %d, %zu bytes of results, '%s'", commands[i], kilobytes, status,
                 strlen(command_out), command_err);
      outcomes[1]++;
    }
  print_message("%d successes, %d failures\n", outcomes[0], outcomes[1]);
  assert_true(outcomes[0] > 0 && outcomes[1] > 0);
}

// OpenBLAS starts as many threads as there are processors, up to these.
static void threads_without_memory_do_not_hold_the_command(void **state)
{
  (void)state;
  if (!HAS_LIMITS) return;
  testing_write("p.urdf", pendulum);
  static const char *const commands[] = {"info p.urdf", "eval p.urdf energy", "--version"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    for (int kilobytes = 200000; kilobytes <= 600000; kilobytes += 50000) {
      const int status = runs(commands[i], 4, kilobytes);
      if (status == 0 ? command_out[0] == '\0' || !has_no_error(command_err) : status != 1 || !is_one_line(command_err))
        fail_msg("%s with %d kB: exit status %d, '%s'", commands[i], kilobytes, status, command_err);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(little_memory_is_success_or_one_line),
                                     cmocka_unit_test(threads_without_memory_do_not_hold_the_command)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
