// The command on a full disk, with files that may not grow, behind a pipe that is closed, and with files that somebody
// damaged: exit status 1, one line, nothing left behind, nothing lost.
//
// The disk is a tmpfs of 64 kB that this process alone sees; where the system grants none, limits of file sizes take
// its place.
#include "support/command.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

enum { LEVELS = 20, DISK = 65536 };

static bool has_disk;

static bool put_text(const char *path, const char *text)
{
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool is_good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
  if (file >= 0) close(file);
  return is_good;
}

static bool mount_disk(const char *folder)
{
  char map[64];
  const unsigned user = geteuid(), group = getegid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    snprintf(map, sizeof map, "0 %u 1\n", user);
    if (!put_text("/proc/self/setgroups", "deny") || !put_text("/proc/self/uid_map", map)) return false;
    snprintf(map, sizeof map, "0 %u 1\n", group);
    if (!put_text("/proc/self/gid_map", map)) return false;
  }
  return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount("none", folder, "tmpfs", 0, "size=64k") == 0;
}

static int make_disk(void **state)
{
  (void)state;
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/disk", testing_folder());
  if (mkdir(folder, 0777) != 0) return -1;
  has_disk = mount_disk(folder);
  print_message("%s\n", has_disk ? "a disk of 64 kB" : "limits of file sizes");
  return 0;
}

static int drop_disk(void **state)
{
  (void)state;
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/disk", testing_folder());
  if (has_disk) (void)umount(folder);
  return 0;
}

// Leaves room for LEVELS - level parts of the disk.
static void fill_disk(int level)
{
  char line[4300];
  snprintf(line, sizeof line, "cd '%s/disk' && rm -rf * .[a-z]* && head -c %d /dev/zero >filler", testing_folder(),
           has_disk ? DISK * level / LEVELS : 0);
  assert_int_equal(testing_run(line, NULL, NULL), 0);
}

// A limit of the shell, in blocks of 512 bytes, where there is no disk.
static const char *limit(int level)
{
  static char text[64];
  snprintf(text, sizeof text, "ulimit -f %d;", DISK * (LEVELS - level) / LEVELS / 512);
  return has_disk ? "" : text;
}

__attribute__((format(printf, 2, 3))) static int sarrus_on_disk(int level, const char *format, ...)
{
  char arguments[3000], line[4300];
  va_list list;
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  snprintf(line, sizeof line, "cd '%s' || exit 9; %s '%s' %s", testing_folder(), limit(level), testing_command(),
           arguments);
  return testing_run(line, command_out, command_err);
}

static void assert_one_line(void)
{
  const char *end = strchr(command_err, '\n');
  if (end == NULL || end[1] != '\0') fail_msg("not one line: '%s'", command_err);
}

// Only the files named are on the disk.
static void assert_only(const char *const names[], int n)
{
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/disk", testing_folder());
  DIR *entries = opendir(folder);
  assert_non_null(entries);
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    bool is_known =
        strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || strcmp(entry->d_name, "filler") == 0;
    for (int i = 0; i < n; i++) is_known = is_known || strcmp(entry->d_name, names[i]) == 0;
    if (!is_known) fail_msg("left behind: %s", entry->d_name);
  }
  closedir(entries);
}

static void assert_whole_lines(const char *name)
{
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return;
  const bool is_empty = fseek(file, 0, SEEK_END) == 0 && ftell(file) == 0;
  if (!is_empty) {
    assert_int_equal(fseek(file, -1, SEEK_END), 0);
    assert_int_equal(fgetc(file), '\n');
  }
  assert_int_equal(fclose(file), 0);
}

static void trajectories_end_with_a_whole_row(void **state)
{
  (void)state;
  const char *scene = testing_source("samples/sarrus_linkage.yaml");
  static const char *const names[] = {"run.csv", "run.csv.yaml"};
  int refused = 0;
  for (int level = 0; level <= LEVELS; level++) {
    fill_disk(level);
    const int status = sarrus_on_disk(level, "run '%s' --every 1 --duration 10 --out disk/run.csv --quiet", scene);
    assert_int_equal(status, 1); // more rows than the disk holds
    assert_one_line();
    assert_says(command_err, "cannot be ");
    assert_whole_lines("disk/run.csv");
    assert_only(names, 2);
    refused += status == 1;
  }
  print_message("refused at %d of %d levels\n", refused, LEVELS + 1);
}

static void write_problem(const char *name)
{
  enum { N = 60 };
  static double W[N * N], b[N], friction[N / 3];
  testing_random random = testing_random_start(7);
  char path[4200];
  srs_error error = {0};
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) W[i * N + j] = W[j * N + i] = 1e-3 * testing_uniform(&random, -1, 1);
    W[i * N + i] = 1;
    b[i] = testing_uniform(&random, -1, 1);
    friction[i / 3] = 0.5;
  }
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  const srs_contact_file file = {.problem = {.n_contacts = N / 3, .W = W, .b = b, .friction = friction}};
  if (srs_contact_file_write(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
}

static void solutions_are_written_whole_or_not_at_all(void **state)
{
  (void)state;
  static const char *const names[] = {"solved.hdf5"};
  char path[4200];
  int written = 0;
  write_problem("sixty.hdf5");
  snprintf(path, sizeof path, "%s/disk/solved.hdf5", testing_folder());
  for (int level = 0; level <= LEVELS; level++) {
    fill_disk(level);
    const int status = sarrus_on_disk(level, "solve sixty.hdf5 --out disk/solved.hdf5");
    assert_only(names, 1);
    if (status == 0) {
      srs_contact_file back;
      assert_int_equal(srs_contact_file_read(path, &back, NULL), SRS_OK);
      srs_contact_file_free(&back);
      written++;
      continue;
    }
    assert_int_equal(status, 1);
    assert_one_line();
    assert_int_equal(access(path, F_OK), -1);
  }
  print_message("written at %d of %d levels\n", written, LEVELS + 1);
  assert_true(written > 0 && written < LEVELS);
}

static void callers_in_c_keep_the_old_file(void **state)
{
  (void)state;
  char path[4200], line[8500];
  srs_error error = {0};
  if (!has_disk) return; // limits of file sizes: test_whole_file
  write_problem("sixty.hdf5");
  fill_disk(0);
  snprintf(path, sizeof path, "%s/disk/kept.hdf5", testing_folder());
  snprintf(line, sizeof line,
           "cd '%s' && head -c 9000 sixty.hdf5 >disk/kept.hdf5 && head -c 40000 /dev/zero >disk/filler",
           testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  srs_contact_file file;
  char from[4200];
  snprintf(from, sizeof from, "%s/sixty.hdf5", testing_folder());
  assert_int_equal(srs_contact_file_read(from, &file, NULL), SRS_OK);
  assert_int_equal(srs_contact_file_write(path, &file, &error), SRS_ERROR_FILE);
  assert_says(error.message, "cannot be written");
  snprintf(line, sizeof line, "cd '%s' && head -c 9000 sixty.hdf5 | cmp - disk/kept.hdf5", testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  static const char *const names[] = {"kept.hdf5"};
  assert_only(names, 1);
  srs_contact_file_free(&file);
}

static void a_closed_pipe_is_one_line(void **state)
{
  (void)state;
  char line[4300];
  snprintf(
      line, sizeof line,
      "cd '%s' && { '%s' run '%s' --every 1 --out /dev/stdout; echo $? >status; } | head -n 1 >/dev/null; cat status",
      testing_folder(), testing_command(), testing_source("samples/sarrus_linkage.yaml"));
  assert_int_equal(testing_run(line, command_out, command_err), 0);
  assert_string_equal(command_out, "1\n");
  assert_one_line();
  assert_says(command_err, "Broken pipe");
}

// A file whose headers lead the HDF5 library out of its memory: whatever that does, the command says one line. What the
// library leaks then is its own (LeakSanitizer would tell).
static void damaged_files_do_not_take_the_command_down(void **state)
{
  (void)state;
  const char *path = testing_data("contact-problems/NESpheres_10_1.hdf5");
  static const unsigned char values[] = {0x15, 0xff, 0x00, 0x80};
  char line[4300], copy[4200];
  int refused = 0;
  snprintf(copy, sizeof copy, "%s/damaged.hdf5", testing_folder());
  for (int at = 8100; at < 8260; at++) {
    snprintf(line, sizeof line, "cp '%s' '%s'", path, copy);
    if (at % 10 == 0 || at == 8176)
      assert_int_equal(testing_run(line, NULL, NULL), 0);
    else
      continue;
    FILE *file = fopen(copy, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    fwrite(values, 1, 2, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(setenv("ASAN_OPTIONS", "detect_leaks=0", 1), 0);
    const int status = sarrus("solve damaged.hdf5 --quiet");
    if (status == 0) continue;
    if (status != 1) fail_msg("byte %d: exit status %d: %s", at, status, command_err);
    assert_one_line();
    refused++;
  }
  print_message("%d damaged files refused\n", refused);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trajectories_end_with_a_whole_row),
      cmocka_unit_test(solutions_are_written_whole_or_not_at_all),
      cmocka_unit_test(callers_in_c_keep_the_old_file),
      cmocka_unit_test(a_closed_pipe_is_one_line),
      cmocka_unit_test(damaged_files_do_not_take_the_command_down),
  };
  return cmocka_run_group_tests(tests, make_disk, drop_disk);
}
