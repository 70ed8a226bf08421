// Contact problems from files that may be damaged.
//
// libhdf5 trusts sizes in a file's headers. A child that reads the file as the command will read it, from the same
// state, shows whether it survives; its time is limited, and what it prints goes nowhere.
#include "engine/cli/eval/problem_file.h"
#include "topology/base/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 60 };

static _Noreturn void try_to_read(const char *path)
{
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const struct rlimit no_core = {0, 0}, time = {MOST_SECONDS, MOST_SECONDS};
  srs_contact_file file = {0};
  if (nowhere >= 0) (void)dup2(nowhere, STDERR_FILENO);
  (void)setrlimit(RLIMIT_CORE, &no_core);
  (void)setrlimit(RLIMIT_CPU, &time);
  (void)srs_contact_file_read(path, &file, NULL);
  _exit(0);
}

// What became of the child: 0, the signal that ended it, or -1 for another end.
static int end_of(pid_t child)
{
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 0;
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) == 0 ? 0 : -1;
}

srs_status srs_problem_file_read(const char *path, srs_contact_file *file, srs_error *error)
{
  const pid_t child = fork();
  if (child == 0) try_to_read(path);
  const int end = child > 0 ? end_of(child) : 0; // without a child it is read all the same
  if (end == 0) return srs_contact_file_read(path, file, error);
  *file = (srs_contact_file){0};
  return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){path, 0, 0}, "",
                     "is damaged, the HDF5 library %s reading it%s%s; copy it again",
                     end == SIGXCPU || end == SIGKILL ? "does not end" : "crashes", end > 0 ? ": " : "",
                     end > 0 ? strsignal(end) : "");
}
