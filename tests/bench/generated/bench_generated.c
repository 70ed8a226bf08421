// How long does code of one model take, beside the library on any model?
//
// For each robot its code is generated, compiled by cc with each set of flags, and loaded. Then the library and the
// builds take turns on 64 random states; a cell is the middle of five runs of the processor time of one call, and
// behind it its ratio to the library's, with the least and the most of the runs (timing.h). Bytes of machine code
// and of stack (of the copy for AVX2) are the compiler's own.
//
//   bench_generated [ROBOT...]    of robots.h; panda and ur5 unless named
#include "engine/generate/generate.h"
#include "robots.h"
#include "timing.h"

#include <dlfcn.h>
#include <sarrus/derivatives.h>
#include <string.h>

enum { BUILDS = 3, MOST_FRAMES = 16, QUANTITIES = SRS_GENERATED_FUNCTIONS };

static const char *const flags[BUILDS] = {"-std=c99 -O2", "-std=c99 -O3", "-std=gnu99 -O3 -march=native"};

typedef void function3(const double *, const double *, const double *, double *);
typedef void function1(const double *, double *);
typedef void function5(const double *, const double *, const double *, double *, double *, double *);

typedef struct instance {
  robot r;
  int frames[MOST_FRAMES], n_frames;
  double *out, *matrices; // of one call
  void *library[BUILDS];
  void *symbol[BUILDS][QUANTITIES];
  long stack[QUANTITIES], code[QUANTITIES]; // bytes, of the first build
  srs_generated_cost costs[QUANTITIES];
} instance;

static void run_command(const char *command)
{
  if (system(command) != 0) die(command); // NOLINT(cert-env33-c): a compiler is called as a user would
}

// The frames that the code has by default: those of the links that carry no other.
static void choose_frames(instance *s)
{
  const srs_model *m = s->r.model;
  for (int i = 0; i < srs_model_n_links(m) && s->n_frames < MOST_FRAMES; i++)
    if (srs_model_link(m, i)->subtree_end == i + 1)
      s->frames[s->n_frames++] = srs_model_find_frame(m, srs_model_link(m, i)->name);
}

// What nm and -fstack-usage say of the functions.
static void read_sizes(instance *s, const char *folder)
{
  char command[1024], name[128];
  for (int i = 0; i < QUANTITIES; i++) {
    snprintf(name, sizeof name, "robot_%s", srs_generated_names[i]);
    snprintf(command, sizeof command,
             "nm -S --size-sort %s/0.so | awk '/ %s(.arch_x86_64_v3)?$/ {s = $2} END {print \"0x\" s}'", folder, name);
    char line[128] = "";
    FILE *pipe = popen(command, "r"); // NOLINT(cert-env33-c)
    if (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) s->code[i] = strtol(line, NULL, 16);
    if (pipe != NULL) pclose(pipe);
    snprintf(command, sizeof command, "cat %s/*.su | awk '/:%s(.arch_x86_64_v3)?\\t/ {s = $2} END {print s}'", folder,
             name);
    pipe = popen(command, "r"); // NOLINT(cert-env33-c)
    if (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) s->stack[i] = strtol(line, NULL, 10);
    if (pipe != NULL) pclose(pipe);
  }
}

static void build(instance *s, const char *folder, int which)
{
  char command[1024], path[512];
  snprintf(command, sizeof command, "cd %s && cc %s %s -fPIC -shared robot_dynamics.c -o %d.so -lm", folder,
           flags[which], which == 0 ? "-fstack-usage" : "", which);
  run_command(command);
  snprintf(path, sizeof path, "%s/%d.so", folder, which);
  s->library[which] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (s->library[which] == NULL) die(dlerror());
  for (int i = 0; i < QUANTITIES; i++) {
    snprintf(path, sizeof path, "robot_%s", srs_generated_names[i]);
    s->symbol[which][i] = dlsym(s->library[which], path);
    if (s->symbol[which][i] == NULL) die(path);
  }
}

static instance start(const robot *which, const char *folder)
{
  instance s = {.r = robot_start(which)};
  const size_t nv = s.r.nv;
  srs_error error = {0};
  if (srs_workspace_reserve_derivatives(s.r.w) != SRS_OK) die("no memory");
  choose_frames(&s);
  const srs_generate_options options = {.prefix = "robot",
                                        .functions = (1U << QUANTITIES) - 1,
                                        .frames = s.frames,
                                        .n_frames = s.n_frames,
                                        .gravity = {0, 0, -9.81},
                                        .overwrite = true};
  if (srs_generate(s.r.model, folder, &options, s.costs, &error) != SRS_OK) die(error.message);
  s.out = numbers(nv), s.matrices = numbers(3 * nv * nv + (size_t)(6 * MOST_FRAMES) * (nv + 2));
  for (int i = 0; i < BUILDS; i++) build(&s, folder, i);
  read_sizes(&s, folder);
  return s;
}

static void finish(instance *s)
{
  for (int i = 0; i < BUILDS; i++) dlclose(s->library[i]);
  free(s->out), free(s->matrices);
  robot_finish(&s->r);
}

static void compute_frames(instance *s, const double *q, bool is_jacobian)
{
  srs_pose pose;
  srs_status status = srs_forward_kinematics(s->r.w, q);
  for (int i = 0; i < s->n_frames && status == SRS_OK; i++)
    status = is_jacobian ? srs_frame_jacobian(s->r.w, s->frames[i], SRS_AXES_WORLD, s->matrices)
                         : srs_frame_placement(s->r.w, s->frames[i], &pose);
  if (status != SRS_OK) die("frames");
}

static void compute(instance *s, srs_generated what, size_t k)
{
  const size_t nv = s->r.nv;
  const double *q = s->r.q + k * s->r.nq, *v = s->r.v + k * nv, *a = s->r.a + k * nv;
  double *x = s->matrices;
  srs_status status = SRS_OK;
  switch (what) {
  case SRS_GENERATED_RNEA: status = srs_inverse_dynamics(s->r.w, q, v, a, NULL, s->out); break;
  case SRS_GENERATED_ABA: status = srs_forward_dynamics(s->r.w, q, v, a, NULL, s->out); break;
  case SRS_GENERATED_CRBA: status = srs_mass_matrix(s->r.w, q, x); break;
  case SRS_GENERATED_FK: compute_frames(s, q, false); break;
  case SRS_GENERATED_JACOBIAN: compute_frames(s, q, true); break;
  case SRS_GENERATED_DERIVATIVES:
    status = srs_inverse_dynamics_derivatives(s->r.w, q, v, a, NULL, x, x + nv * nv, x + 2 * nv * nv);
    break;
  }
  if (status != SRS_OK) die(srs_workspace_error(s->r.w)->message);
}

static void compute_generated(instance *s, int which, srs_generated what, size_t k)
{
  const size_t nv = s->r.nv;
  const double *q = s->r.q + k * s->r.nq, *v = s->r.v + k * nv, *a = s->r.a + k * nv;
  double *x = s->matrices;
  void *symbol = s->symbol[which][what];
  function1 *of_q;
  function3 *of_three;
  function5 *of_five;
  switch (what) {
  case SRS_GENERATED_RNEA:
  case SRS_GENERATED_ABA: memcpy(&of_three, &symbol, sizeof symbol), of_three(q, v, a, s->out); break;
  case SRS_GENERATED_CRBA:
  case SRS_GENERATED_FK:
  case SRS_GENERATED_JACOBIAN: memcpy(&of_q, &symbol, sizeof symbol), of_q(q, x); break;
  case SRS_GENERATED_DERIVATIVES:
    memcpy(&of_five, &symbol, sizeof symbol), of_five(q, v, a, x, x + nv * nv, x + 2 * nv * nv);
    break;
  }
}

typedef struct compared {
  instance *s;
  srs_generated what;
} compared;

static void repeat(void *context, int who, long calls)
{
  const compared *c = context;
  for (long i = 0; i < calls; i++)
    if (who == 0)
      compute(c->s, c->what, (size_t)i % STATES);
    else
      compute_generated(c->s, who - 1, c->what, (size_t)i % STATES);
}

static void measure(instance *s, srs_generated what)
{
  double times[BUILDS + 1][BENCH_RUNS];
  char ratio[BENCH_SPREAD_TEXT];
  bench_take_turns(repeat, &(compared){s, what}, BUILDS + 1, 2e-3, times);
  printf("  %-11s %7.3f", srs_generated_names[what], 1e6 * bench_spread_of(times[0]).median);
  for (int i = 1; i <= BUILDS; i++)
    printf("  %7.3f %s", 1e6 * bench_spread_of(times[i]).median,
           bench_spread_print(bench_ratio(times[i], times[0]), ratio));
  const srs_generated_cost *c = &s->costs[what];
  printf(" %7d %3d %5d %7ld %6ld\n", c->additions + c->multiplications, c->divisions, c->sines, s->code[what],
         s->stack[what]);
}

static bool is_wanted(const char *name, int argc, char **argv)
{
  bool wanted = argc < 2 && (strcmp(name, "panda") == 0 || strcmp(name, "ur5") == 0);
  for (int i = 1; i < argc; i++) wanted = wanted || strcmp(name, argv[i]) == 0;
  return wanted;
}

int main(int argc, char **argv)
{
  char folder[] = "bench_generated_XXXXXX", command[64];
  if (mkdtemp(folder) == NULL) die("no folder for the code can be made here");
  (void)bench_pin();
  printf("us per call    library  ");
  for (int i = 0; i < BUILDS; i++) printf("%s   ", flags[i]);
  printf("+ and *   /  sin    code  stack\n");
  for (size_t i = 0; i < ROBOTS; i++) {
    if (!is_wanted(robots[i].name, argc, argv)) continue;
    instance s = start(&robots[i], folder);
    printf("%s, %d frames\n", robots[i].name, s.n_frames);
    for (int what = 0; what < QUANTITIES; what++) measure(&s, (srs_generated)what);
    finish(&s);
  }
  snprintf(command, sizeof command, "rm -rf %s", folder);
  run_command(command);
  return 0;
}
