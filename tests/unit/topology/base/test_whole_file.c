// Files written whole or not at all: what the name leads to before, after and when something fails.
#include "support/testing.h"
#include "topology/base/whole_file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path_of(const char *name)
{
  static char paths[4][4200];
  static int next = 0;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", testing_folder(), name);
  return path;
}

static srs_status put(const char *name, const char *text, srs_existing existing, srs_error *error)
{
  return srs_write_whole_file(path_of(name), text, strlen(text), existing, error);
}

static void assert_holds(const char *name, const char *text)
{
  char found[64] = "";
  FILE *file = fopen(path_of(name), "rb");
  assert_non_null(file);
  const size_t n = fread(found, 1, sizeof found - 1, file);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(n, strlen(text));
  assert_string_equal(found, text);
}

static int count_files(const char *folder)
{
  int n = 0;
  DIR *entries = opendir(folder);
  assert_non_null(entries);
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
    n += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
  closedir(entries);
  return n;
}

static void a_file_is_made_replaced_or_left(void **state)
{
  (void)state;
  srs_error error = {0};
  assert_int_equal(put("a.txt", "first", SRS_EXISTING_STAYS, &error), SRS_OK);
  assert_holds("a.txt", "first");
  assert_int_equal(put("a.txt", "second", SRS_EXISTING_STAYS, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "is there already"));
  assert_non_null(strstr(error.file, "a.txt"));
  assert_holds("a.txt", "first");
  assert_int_equal(chmod(path_of("a.txt"), 0640), 0);
  assert_int_equal(put("a.txt", "third", SRS_EXISTING_IS_REPLACED, &error), SRS_OK);
  assert_holds("a.txt", "third");
  struct stat info;
  assert_int_equal(stat(path_of("a.txt"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_int_equal(put("empty", "", SRS_EXISTING_STAYS, &error), SRS_OK);
  assert_holds("empty", "");
  assert_int_equal(count_files(testing_folder()), 2);
}

static void links_are_followed_and_stay_links(void **state)
{
  (void)state;
  srs_error error = {0};
  struct stat info;
  assert_int_equal(mkdir(path_of("far"), 0777), 0);
  assert_int_equal(put("far/real.txt", "old", SRS_EXISTING_STAYS, &error), SRS_OK);
  assert_int_equal(symlink("far/real.txt", path_of("link")), 0);
  assert_int_equal(put("link", "new", SRS_EXISTING_STAYS, &error), SRS_ERROR_FILE);
  assert_int_equal(put("link", "new", SRS_EXISTING_IS_REPLACED, &error), SRS_OK);
  assert_holds("far/real.txt", "new");
  assert_int_equal(lstat(path_of("link"), &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(symlink("nowhere.txt", path_of("dangling")), 0);
  assert_int_equal(put("dangling", "new", SRS_EXISTING_IS_REPLACED, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "symbolic link"));
  assert_int_equal(count_files(path_of("far")), 1);
}

static void what_is_no_file_is_refused(void **state)
{
  (void)state;
  srs_error error = {0};
  const int before = count_files(testing_folder());
  assert_int_equal(put(".", "x", SRS_EXISTING_IS_REPLACED, &error), SRS_ERROR_FILE);
  assert_int_equal(put("no/folder", "x", SRS_EXISTING_IS_REPLACED, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "cannot be created"));
  assert_int_equal(srs_write_whole_file("/dev/full", "x", 1, SRS_EXISTING_IS_REPLACED, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "no regular file"));
  char name[300];
  memset(name, 'n', sizeof name);
  name[255] = '\0'; // the longest that there is
  assert_int_equal(put(name, "long", SRS_EXISTING_STAYS, &error), SRS_OK);
  assert_int_equal(unlink(path_of(name)), 0);
  assert_int_equal(count_files(testing_folder()), before);
}

// The largest size of a file stands for a full disk.
static void a_write_that_fails_leaves_the_old_file_alone(void **state)
{
  (void)state;
  srs_error error = {0};
  assert_int_equal(put("kept", "old", SRS_EXISTING_STAYS, &error), SRS_OK);
  const int before = count_files(testing_folder());
  const pid_t child = fork();
  if (child == 0) {
    static const char much[100000];
    const struct rlimit small = {1000, 1000};
    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &small) != 0) _exit(2);
    const srs_status status =
        srs_write_whole_file(path_of("kept"), much, sizeof much, SRS_EXISTING_IS_REPLACED, &error);
    _exit(status == SRS_ERROR_FILE && strstr(error.message, "cannot be written") != NULL ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_holds("kept", "old");
  assert_int_equal(count_files(testing_folder()), before);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_made_replaced_or_left),
      cmocka_unit_test(links_are_followed_and_stay_links),
      cmocka_unit_test(what_is_no_file_is_refused),
      cmocka_unit_test(a_write_that_fails_leaves_the_old_file_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
