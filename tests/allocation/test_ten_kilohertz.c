// A seven-joint arm at 10 kHz that presses its fingertip on a table, under computed torque: do its steps take memory,
// page faults, system calls? 10^5 steps, 10^6 with SARRUS_LONG.
//
// Page faults are those of getrusage, after srs_sim_lock_memory. System calls are told by a filter of the kernel that
// ends the process at any of them: in a child, which makes the same steps.
#include "allocation/counted_allocator.h"
#include "support/world.h"
#include <sarrus/control_loop.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 7, WARM = 2000 };

static long n_steps(void) { return getenv("SARRUS_LONG") != NULL ? 1000000 : 100000; }

typedef struct press {
  world w;
  srs_control_loop *loop;
  srs_workspace *own; // of the controller
  int tool;
  double hold[N], passive[N];
  long without; // samples without the one contact
} press;

// tau = M (kp (q_0 - q) - kd v) + c + J^T f, f of 20 N downwards
static bool control(void *context, srs_sim *sim, double *tau)
{
  press *p = context;
  const double *q = srs_sim_q(sim), *v = srs_sim_v(sim);
  double qdd[N], jacobian[6 * N];
  int n;
  (void)srs_sim_contacts(sim, &n);
  p->without += n != 1;
  for (int i = 0; i < N; i++) qdd[i] = 400 * (p->hold[i] - q[i]) - 40 * v[i];
  bool is_good = srs_forward_velocity(p->own, q, v) == SRS_OK &&
                 srs_frame_jacobian(p->own, p->tool, SRS_AXES_WORLD, jacobian) == SRS_OK &&
                 srs_inverse_dynamics(p->own, q, v, qdd, NULL, tau) == SRS_OK;
  for (int i = 0; i < N; i++) tau[i] -= 20 * jacobian[5 * N + i];
  return is_good;
}

// The table stands under the fingertip.
static void begin(press *p)
{
  char text[1024];
  srs_pose tip = {0};
  *p = (press){0};
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text,
             "models: [{file: %s}]\n"
             "environment: [{name: table, shape: box, size: [0.2, 0.2, 0.02], position: [%.17g, 0, %.17g]}]\n"
             "initial: {q: {joint2: 0.3, joint4: 1.8, joint6: 1.0415926535897931}}\n"
             "dt: 1e-4\n",
             testing_source("samples/arm.urdf"), tip.position[0], k == 0 ? -1 : tip.position[2] - 0.01);
    if (k == 1) unload(&p->w);
    p->w = load(text);
    p->tool = srs_model_find_frame(p->w.model, "tool");
    assert_int_equal(srs_frame_placement(srs_sim_workspace(p->w.sim), p->tool, &tip), SRS_OK);
  }
  assert_int_equal(srs_workspace_create(p->w.model, &p->own, NULL), SRS_OK);
  for (int i = 0; i < N; i++) p->hold[i] = srs_sim_q(p->w.sim)[i];
  srs_control_loop_options o = srs_default_control_loop_options();
  o.control = control, o.context = p;
  assert_int_equal(srs_control_loop_create(p->w.sim, &o, &p->loop, NULL), SRS_OK);
  assert_int_equal(srs_control_loop_run(p->loop, WARM, NULL), SRS_OK);
  p->without = 0;
}

static void end(press *p)
{
  srs_control_loop_destroy(p->loop);
  srs_workspace_destroy(p->own);
  unload(&p->w);
}

// At rest it presses with what it was told.
static void assert_presses(const press *p)
{
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(p->w.sim, &n);
  assert_int_equal(n, 1);
  assert_int_equal(p->without, 0);
  assert_true(fabs(fabs(contacts[0].force[2]) - 20) < 1e-6);
}

static void steps_take_no_memory_and_no_page_faults(void **state)
{
  (void)state;
  press p;
  begin(&p);
  srs_error error = {0};
  const bool is_locked = srs_sim_lock_memory(&error) == SRS_OK;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  const long taken = requests;
  assert_int_equal(srs_control_loop_run(p.loop, n_steps(), NULL), SRS_OK);
  assert_int_equal(requests, taken);
  getrusage(RUSAGE_SELF, &after);
  assert_presses(&p);
  if (is_locked) {
    assert_int_equal(after.ru_minflt - before.ru_minflt, 0);
    assert_int_equal(after.ru_majflt - before.ru_majflt, 0);
    assert_int_equal(munlockall(), 0);
  } else {
    print_message("page faults are not counted, memory cannot be locked here: %s\n", error.message);
  }
  end(&p);
}

enum { MADE = 0, FAILED = 1, NO_FILTER = 2 };

// From here on any system call but exit_group ends the process.
static bool forbid_system_calls(void)
{
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  const struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int status_of_child(press *p, bool calls)
{
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (!forbid_system_calls()) _exit(NO_FILTER);
    const srs_status status = srs_control_loop_run(p->loop, calls ? 10 : n_steps(), NULL);
    if (calls) (void)getppid();
    _exit(status == SRS_OK ? MADE : FAILED);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void steps_make_no_system_call(void **state)
{
  (void)state;
  press p;
  begin(&p);
  const int one = status_of_child(&p, true), none = status_of_child(&p, false);
  end(&p);
  if (WIFEXITED(one) && WEXITSTATUS(one) == NO_FILTER) {
    print_message("system calls are not counted: the kernel takes no filter here\n");
    return;
  }
  assert_true(WIFSIGNALED(one) && WTERMSIG(one) == SIGSYS); // the filter tells one
  assert_true(WIFEXITED(none));
  assert_int_equal(WEXITSTATUS(none), MADE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_take_no_memory_and_no_page_faults),
      cmocka_unit_test(steps_make_no_system_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
