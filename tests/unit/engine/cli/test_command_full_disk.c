// The command on a full disk, with files that may not grow, behind a pipe that is closed, and with files that somebody
// damaged: exit status 1, one line, nothing left behind, nothing lost.
//
// The disk is a tmpfs of 64 kB that this process alone sees; where the system grants none, and with SARRUS_NO_DISK,
// limits of file sizes take its place.
#include "engine/output/hdf5/reader.h"
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
  has_disk = getenv("SARRUS_NO_DISK") == NULL && mount_disk(folder);
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

// Leaves room for LEVELS - level parts of the disk.  @param old  a file of that name is there already; NULL: none
static void fill_disk_beside(int level, const char *old)
{
  char line[4300];
  const int bytes = has_disk ? DISK * level / LEVELS : 0, taken = old != NULL ? 4096 : 0; // a page
  snprintf(line, sizeof line, "cd '%s/disk' && rm -rf * .[a-z]* && printf old >'%s' && head -c %d /dev/zero >filler",
           testing_folder(), old != NULL ? old : "filler", bytes > taken ? bytes - taken : 0);
  assert_int_equal(testing_run(line, NULL, NULL), 0);
}

static void fill_disk(int level) { fill_disk_beside(level, NULL); }

// A limit of the shell, in blocks of 512 bytes, where there is no disk. It holds for what is printed too: one at least.
static const char *limit(int level)
{
  static char text[64];
  snprintf(text, sizeof text, "ulimit -f %d;", DISK * (LEVELS - level) / LEVELS / 512 + 1);
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

static bool is_link(const char *name)
{
  char path[4200];
  struct stat info;
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

// A link outside to a file on the disk, where not one byte more has room; with a sidecar of an older run, and without.
// Limits of a file's size, where there is no disk, would hold for the file outside too: then there is nothing to try.
static void what_was_there_is_not_removed(void **state)
{
  (void)state;
  static const char *const endings[] = {"csv", "h5"};
  if (!has_disk) return;
  const char *scene = testing_source("samples/sarrus_linkage.yaml");
  for (int i = 0; i < 4; i++) {
    const char *ending = endings[i / 2];
    char line[4300], name[32];
    fill_disk(LEVELS);
    snprintf(name, sizeof name, "link.%s", ending);
    snprintf(line, sizeof line, "cd '%s' && : >disk/target && ln -sf disk/target %s", testing_folder(), name);
    assert_int_equal(testing_run(line, NULL, NULL), 0);
    if (i % 2 == 1) testing_write("link.csv.yaml", "version: 0.1.0\nintegrator: moreau\n");
    assert_int_equal(sarrus_on_disk(LEVELS, "run '%s' --duration 0.1 --out %s --quiet", scene, name), 1);
    assert_one_line();
    assert_says(command_err, "cannot be written");
    assert_true(is_link(name));
    assert_only((const char *const[]){"target"}, 1);
    if (i < 2) assert_int_equal(file_exists("link.csv.yaml"), i % 2 == 1);
    assert_true(file_exists(name)); // what it leads to
  }
}

static void comparisons_end_with_a_whole_row(void **state)
{
  (void)state;
  const char *scene = testing_source("samples/sphere.yaml");
  static const char *const names[] = {"table.csv"};
  for (int level = 0; level <= LEVELS; level++) {
    fill_disk(level);
    const int status = sarrus_on_disk(
        level, "run '%s' --compare mncp-rlm,mncp-plm --every 1 --duration 5 --out disk/table.csv", scene);
    assert_int_equal(status, 1); // more rows than the disk holds
    assert_says(command_err, "table.csv: cannot be ");
    assert_whole_lines("disk/table.csv");
    assert_only(names, 1);
  }
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

// ---------------------------------------------------------------------------------------------------------------------
// Files that are written whole
// ---------------------------------------------------------------------------------------------------------------------

static bool is_on_disk(const char *name, const char *whole)
{
  char line[8700];
  snprintf(line, sizeof line, "cd '%s' && cmp -s 'disk/%s' '%s'", testing_folder(), name, whole);
  return testing_run(line, NULL, NULL) == 0;
}

// At every level: the whole file as on a disk with room, or exit status 1, one line, and what was there before.
// @param arguments  of the command, with %s for the file's folder
static void assert_whole_or_not(const char *arguments, const char *name)
{
  const char *const names[] = {name};
  char with_room[600], on_disk[600], old[64];
  snprintf(with_room, sizeof with_room, arguments, ".");
  snprintf(on_disk, sizeof on_disk, arguments, "disk");
  snprintf(old, sizeof old, "%s.old", name);
  testing_write(old, "old");
  fill_disk(0);
  if (sarrus("%s --force", with_room) != 0) fail_msg("%s: %s", with_room, command_err);
  int written = 0;
  for (int level = 0; level <= LEVELS; level++)
    for (int has_old = 0; has_old < 2; has_old++) {
      fill_disk_beside(level, has_old ? name : NULL);
      const int status = sarrus_on_disk(level, "%s %s", on_disk, has_old ? "--force" : "");
      assert_only(names, 1);
      if (status == 0) {
        if (!is_on_disk(name, name)) fail_msg("level %d: %s is not whole", level, name);
        written++;
        continue;
      }
      if (status != 1) fail_msg("level %d: exit status %d: %s", level, status, command_err);
      assert_one_line();
      if (has_old && !is_on_disk(name, old)) fail_msg("level %d: the old %s is lost", level, name);
      if (!has_old) assert_only(NULL, 0);
    }
  print_message("%s written at %d of %d levels\n", name, written, 2 * (LEVELS + 1));
  assert_true(written > 0 && written < 2 * (LEVELS + 1));
}

static void pictures_are_written_whole_or_not_at_all(void **state)
{
  (void)state;
  char line[8700];
  assert_int_equal(sarrus("run '%s' --duration 0.3 --every 2 --out drawn.csv --quiet",
                          testing_source("samples/double_pendulum.yaml")),
                   0);
  assert_whole_or_not("plot drawn.csv 'q:*' --out %s/drawn.svg", "drawn.svg");
  // What makes the pixels may be missing: any program that reads an SVG and writes bytes will do.
  testing_write("rsvg-convert", "#!/bin/sh\nhead -c 5 | grep -q '<svg' && head -c 40000 /dev/zero\n");
  snprintf(line, sizeof line, "chmod +x '%s/rsvg-convert'", testing_folder());
  assert_int_equal(testing_run(line, NULL, NULL), 0);
  char *before = strdup(getenv("PATH"));
  snprintf(line, sizeof line, "%s:%.4000s", testing_folder(), before);
  assert_int_equal(setenv("PATH", line, 1), 0);
  assert_whole_or_not("plot drawn.csv 'q:*' --out %s/drawn.png", "drawn.png");
  testing_write("rsvg-convert", "#!/bin/sh\necho broken >&2\nexit 1\n");
  fill_disk(0);
  assert_refused(sarrus("plot drawn.csv 'q:*' --out disk/drawn.png"), 1, "rsvg-convert could not make it");
  assert_only(NULL, 0);
  assert_int_equal(setenv("PATH", before, 1), 0);
  free(before);
}

static void conversions_are_written_whole_or_not_at_all(void **state)
{
  (void)state;
  char arguments[600];
  snprintf(arguments, sizeof arguments, "convert --quiet '%.400s' %%s/arm.yaml", testing_source("samples/arm.urdf"));
  assert_whole_or_not(arguments, "arm.yaml");
  snprintf(arguments, sizeof arguments, "convert --quiet '%.400s' %%s/arm.urdf", testing_source("samples/arm.urdf"));
  assert_whole_or_not(arguments, "arm.urdf");
}

// Recorded problems are whole each; which of them are there depends on the room.
static void recorded_problems_are_whole(void **state)
{
  (void)state;
  const char *scene = testing_source("samples/boxes_sliding.yaml");
  static const char *const names[] = {"hard"};
  int refused = 0;
  for (int level = 0; level <= LEVELS; level++) {
    fill_disk(level);
    const int status =
        sarrus_on_disk(level, "run '%s' --duration 0.01 --record-problems disk/hard --record 2 --quiet", scene);
    assert_only(names, 1);
    refused += status == 1;
    if (status != 0) assert_int_equal(status, 1);
    if (status == 1) assert_one_line();
    char line[4300];
    snprintf(line, sizeof line,
             "cd '%s/disk' && for f in hard/* hard/.[a-z]*; do [ -e \"$f\" ] || continue; case $f in "
             "hard/problem-00?.hdf5) '%s' solve \"$f\" >/dev/null || exit 1 ;; *) exit 2 ;; esac; done",
             testing_folder(), testing_command());
    assert_int_equal(testing_run(line, NULL, NULL), 0);
  }
  print_message("refused at %d of %d levels\n", refused, LEVELS + 1);
  assert_in_range(refused, 1, LEVELS);
}

// ---------------------------------------------------------------------------------------------------------------------
// Callers in C
// ---------------------------------------------------------------------------------------------------------------------

static srs_status save_all(const char *path, int way, const srs_contact_file *file, srs_scene *scene, srs_error *error)
{
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  if (way == 0) return srs_contact_file_write(path, file, error);
  if (way == 1) return srs_model_save(srs_scene_model(scene), path, &options, error);
  srs_sim *sim = NULL;
  srs_trajectory *trajectory = NULL;
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, error), SRS_OK);
  srs_status status = srs_trajectory_create(path, sim, NULL, &trajectory, error);
  for (int i = 0; i < 400 && status == SRS_OK; i++) status = srs_trajectory_add(trajectory, sim, error);
  const srs_status closed = srs_trajectory_close(trajectory, status == SRS_OK ? error : NULL);
  srs_sim_destroy(sim);
  return status != SRS_OK ? status : closed;
}

static void callers_in_c_lose_nothing_at_any_level(void **state)
{
  (void)state;
  if (!has_disk) return; // limits of file sizes: test_whole_file
  static const char *const names[] = {"c.hdf5", "c.urdf", "c.csv", "c.csv.yaml"};
  char path[4200];
  srs_error error = {0};
  srs_contact_file file;
  srs_scene *scene = NULL;
  write_problem("sixty.hdf5");
  snprintf(path, sizeof path, "%s/sixty.hdf5", testing_folder());
  assert_int_equal(srs_contact_file_read(path, &file, NULL), SRS_OK);
  assert_int_equal(srs_scene_load(testing_source("samples/arm.urdf"), NULL, &scene, &error), SRS_OK);
  for (int way = 0; way < 3; way++) {
    int refused = 0;
    for (int level = 0; level <= LEVELS; level++) {
      fill_disk(level);
      snprintf(path, sizeof path, "%s/disk/%s", testing_folder(), names[way]);
      const srs_status status = save_all(path, way, &file, scene, &error);
      assert_only(&names[way], way < 2 ? 1 : 2);
      refused += status != SRS_OK;
      if (way == 2) assert_whole_lines("disk/c.csv");
      if (status == SRS_OK) continue;
      assert_int_equal(status, SRS_ERROR_FILE);
      assert_null(strchr(error.message, '\n'));
      if (way < 2) assert_int_equal(access(path, F_OK), -1);
    }
    print_message("%s refused at %d of %d levels\n", names[way], refused, LEVELS + 1);
    assert_in_range(refused, 1, LEVELS + 1);
  }
  srs_contact_file_free(&file);
  srs_scene_destroy(scene);
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

// A trajectory as HDF5 needs more than 64 kB for its places: the disk is made larger for it.
static void hdf5_on_a_full_disk_keeps_its_rows(void **state)
{
  (void)state;
  char folder[2000], line[4096];
  snprintf(folder, sizeof folder, "%s/disk", testing_folder());
  if (!has_disk || mount("none", folder, "tmpfs", MS_REMOUNT, "size=4m") != 0) {
    print_message("no disk of its own\n");
    return;
  }
  snprintf(line, sizeof line, "cd '%s' && '%s' run '%s' --quiet --duration 40 --every 1 --contacts --out disk/full.h5",
           testing_folder(), testing_command(), testing_source("samples/pendulum12.yaml"));
  assert_int_equal(testing_run(line, command_out, command_err), 1);
  assert_says(command_err, "disk/full.h5: cannot be ");
  assert_says(command_err, "No space left");
  srs_h5_rows_read rows;
  snprintf(line, sizeof line, "%s/full.h5", folder);
  assert_int_equal(srs_h5_rows_read_all(line, &rows, NULL), SRS_OK);
  assert_true(rows.n_rows > 1000);
  for (int i = 1; i < rows.n_rows; i++)
    assert_true(rows.values[(size_t)i * (size_t)rows.n_columns] ==
                (double)i / 1000); // each row in its place, up to the last
  srs_h5_rows_release(&rows);
  assert_int_equal(remove(line), 0);
  assert_int_equal(mount("none", folder, "tmpfs", MS_REMOUNT, "size=64k"), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trajectories_end_with_a_whole_row),
      cmocka_unit_test(what_was_there_is_not_removed),
      cmocka_unit_test(comparisons_end_with_a_whole_row),
      cmocka_unit_test(solutions_are_written_whole_or_not_at_all),
      cmocka_unit_test(callers_in_c_keep_the_old_file),
      cmocka_unit_test(pictures_are_written_whole_or_not_at_all),
      cmocka_unit_test(conversions_are_written_whole_or_not_at_all),
      cmocka_unit_test(recorded_problems_are_whole),
      cmocka_unit_test(hdf5_on_a_full_disk_keeps_its_rows),
      cmocka_unit_test(callers_in_c_lose_nothing_at_any_level),
      cmocka_unit_test(a_closed_pipe_is_one_line),
      cmocka_unit_test(damaged_files_do_not_take_the_command_down),
  };
  return cmocka_run_group_tests(tests, make_disk, drop_disk);
}
