// The command `sarrus`: finds the subcommand and calls it. docs/command.md describes them.
#include "engine/cli/check/check.h"
#include "engine/cli/convert/convert.h"
#include "engine/cli/eval/eval.h"
#include "engine/cli/eval/solve.h"
#include "engine/cli/generate/generate.h"
#include "engine/cli/info/info.h"
#include "engine/cli/plot/plot.h"
#include "engine/cli/replay/replay.h"
#include "engine/cli/run/run.h"
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/sweep/sweep.h"
#include "engine/cli/view/view.h"
#include "topology/base/text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct subcommand {
  const char *name, *purpose;
  int (*call)(int argc, char **argv);
} subcommand;

static const subcommand subcommands[] = {
    {"run", "simulate a scene or a robot file", srs_command_run},
    {"info", "show a model: links, joints, masses, degrees of freedom, warnings", srs_command_info},
    {"eval", "print one quantity at a state as JSON: fk, jacobian, mass-matrix, delassus, ...", srs_command_eval},
    {"solve", "solve a contact problem in a file", srs_command_solve},
    {"check", "say what became of all that a file says, and what is odd; compare detectors of collision",
     srs_command_check},
    {"plot", "draw columns of a trajectory as SVG or PNG", srs_command_plot},
    {"view", "write a page that shows a trajectory in 3-D, for a browser", srs_command_view},
    {"convert", "write a model or a recorded run as another kind of file", srs_command_convert},
    {"sweep", "simulate a scene many times with other values, a row for each run", srs_command_sweep},
    {"replay", "make a recorded run again and find where it differs", srs_command_replay},
    {"generate", "write the dynamics of a model as straight-line C", srs_command_generate},
};

enum { N_SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static const srs_command no_subcommand = {.name = ""};

static const subcommand *find(const char *name)
{
  for (int i = 0; i < N_SUBCOMMANDS; i++)
    if (strcmp(subcommands[i].name, name) == 0) return &subcommands[i];
  return NULL;
}

// "run, info, …"
static const char *list_subcommands(char known[128])
{
  size_t length = 0;
  for (int i = 0; i < N_SUBCOMMANDS && length < 128; i++)
    length += (size_t)snprintf(known + length, 128 - length, "%s%s", i > 0 ? ", " : "", subcommands[i].name);
  return known;
}

static int refuse_nothing(void)
{
  char known[128];
  return srs_usage_error(&no_subcommand, "a subcommand is missing; there are %s", list_subcommands(known));
}

static int refuse(const char *name)
{
  srs_nearest nearest = srs_nearest_to(name);
  char known[128];
  list_subcommands(known);
  for (int i = 0; i < N_SUBCOMMANDS; i++) srs_nearest_offer(&nearest, subcommands[i].name);
  if (name[0] == '-' && name[1] != '\0')
    return srs_usage_error(&no_subcommand, "unknown option '%s': options follow the subcommand, one of %s", name,
                           known);
  if (nearest.best == NULL) return srs_usage_error(&no_subcommand, "no subcommand '%s'; there are %s", name, known);
  return srs_usage_error(&no_subcommand, "no subcommand '%s'; did you mean '%s'? There are %s", name, nearest.best,
                         known);
}

static int help(void)
{
  printf("usage: sarrus SUBCOMMAND ...\n\nDynamics of articulated rigid bodies, version %s.\n\nsubcommands:\n",
         srs_version());
  for (int i = 0; i < N_SUBCOMMANDS; i++) printf("  %-8s %s\n", subcommands[i].name, subcommands[i].purpose);
  puts("\n`sarrus SUBCOMMAND --help` shows its options; `sarrus --version` prints the version.\n"
       "Results go to stdout, messages to stderr. Exit status: 0 success, 1 the work failed, 2 wrong usage.");
  return SRS_EXIT_OK;
}

static int dispatch(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "";
  const bool wants_help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
  if (wants_help && argc == 2) return help();
  if (strcmp(name, "--version") == 0) {
    printf("sarrus %s\n", srs_version());
    return SRS_EXIT_OK;
  }
  if (argc < 2) return refuse_nothing();
  const subcommand *wanted = find(wants_help ? argv[2] : name);
  if (wanted == NULL) return refuse(wants_help ? argv[2] : name);
  if (wants_help) {
    char option[] = "--help";
    char *only_help[] = {option, NULL};
    return wanted->call(1, only_help);
  }
  return wanted->call(argc - 2, argv + 2);
}

// If the command is started with a standard stream closed, the next file opened takes its number and messages go into
// that file. So /dev/null takes the place, opened in the direction that refuses any use of it.
static void occupy_standard_streams(void)
{
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

// A pipe whose reader left and a file at its largest size are failures of a write, which says so and cleans up.
static void let_writes_fail(void)
{
  (void)signal(SIGPIPE, SIG_IGN);
  (void)signal(SIGXFSZ, SIG_IGN);
}

// OpenBLAS starts a thread per processor before main, and each asks for its buffer, 128 MB and a little of addresses,
// again and again until it gets one. At exit OpenBLAS waits for these threads: where there is no room for all of them,
// for ever.
static bool threads_can_end(void)
{
  const size_t buffer = (size_t)129 << 20;
  const long processors = sysconf(_SC_NPROCESSORS_CONF);
  const size_t room = buffer * (size_t)(processors > 0 ? processors : 1);
  void *probe = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (probe == MAP_FAILED) return false;
  (void)munmap(probe, room);
  return true;
}

int main(int argc, char **argv)
{
  occupy_standard_streams();
  let_writes_fail();
  const int status = srs_report_finish(dispatch(argc, argv));
  if (threads_can_end()) return status;
  (void)fflush(NULL); // what is left of the library is memory
  _exit(status);
}
