// Computed torque at 1 kHz with motors that are too weak for the motion that is asked: it is made as much slower as
// they need, along the same path (Hollerbach, J. Dyn. Syst. Meas. Control 106, 1984).
//
// In a motion c times as fast, velocity terms and accelerations are c^2 as large, damping c times, weight the same. The
// largest c <= 1 at which inverse dynamics stays within 95 % of every motor is found by halving. Steps are of
// 0.25 ms, torques hold for four of them.
// What to see: the arm lifts its tool in what was to be 0.5 s, with motors of half the effort in its file. With torques
// that are cut at the limits it is thrown off its path, by 5 rad; with the motion that they can make, of 1.1 s, it
// stays within 4 thousandths, which is what holding torques for a millisecond costs. Run it from the root of the source
// tree; it writes the CSV file that is named, if any.
#include <math.h>
#include <sarrus/control_loop.h>
#include <sarrus/parameters.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 7, STEPS = 8000 };

static const double from[N] = {-1, 0.9, 0, 1.6, 0, 0.6, 0}, to[N] = {1, -0.3, 0.3, 0.4, 0.5, 0.2, 0.3};
static const double duration = 0.5, share = 0.5;

typedef struct controller {
  srs_workspace *workspace; // of its own, for the model
  double limit[N];
  double c;         // how fast: 1 as asked
  double off, left; // rad: the largest error, that of now
} controller;

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "computed_torque: %s\n", error->message), exit(1);
}

// A minimum-jerk path in a time: [0] position, [1] velocity, [2] acceleration.
static void path_at(double time, double whole, double x[3][N])
{
  const double t = fmin(fmax(time / whole, 0), 1);
  for (int i = 0; i < N; i++) {
    const double way = to[i] - from[i];
    x[0][i] = from[i] + way * t * t * t * (10 - 15 * t + 6 * t * t);
    x[1][i] = way * 30 * pow(t * (1 - t), 2) / whole;
    x[2][i] = way * 60 * t * (1 - t) * (1 - 2 * t) / pow(whole, 2);
  }
}

static void torques(const srs_model *model, srs_workspace *w, const double *q, const double *v, const double *a,
                    double *tau)
{
  double passive[N];
  srs_error error = {0};
  check(srs_inverse_dynamics(w, q, v, a, NULL, tau), srs_workspace_error(w));
  check(srs_passive_forces(model, q, v, passive), &error);
  for (int i = 0; i < N; i++) tau[i] -= passive[i];
}

// The largest part of a motor's limit that the motion needs.
static double need(const srs_model *model, const controller *c, double fast)
{
  double x[3][N], tau[N], most = 0;
  for (int k = 0; k <= 500; k++) {
    path_at(k * duration / fast / 500, duration / fast, x);
    torques(model, c->workspace, x[0], x[1], x[2], tau);
    for (int i = 0; i < N; i++) most = fmax(most, fabs(tau[i]) / c->limit[i]);
  }
  return most;
}

static double find_speed(const srs_model *model, const controller *c)
{
  double slow = 0.05, fast = 1;
  if (need(model, c, fast) <= 0.95) return fast;
  for (int k = 0; k < 40; k++) {
    const double middle = (slow + fast) / 2;
    if (need(model, c, middle) <= 0.95)
      slow = middle;
    else
      fast = middle;
  }
  return slow;
}

static bool control(void *context, srs_sim *sim, double *tau)
{
  controller *c = context;
  const double *q = srs_sim_q(sim), *v = srs_sim_v(sim);
  double x[3][N], square = 0;
  path_at(srs_sim_time(sim), duration / c->c, x);
  for (int i = 0; i < N; i++) {
    square += (x[0][i] - q[i]) * (x[0][i] - q[i]);
    x[2][i] += 900 * (x[0][i] - q[i]) + 60 * (x[1][i] - v[i]);
  }
  c->left = sqrt(square);
  c->off = fmax(c->off, c->left);
  torques(srs_sim_model(sim), c->workspace, q, v, x[2], tau);
  return true;
}

// Runs it once.  @return the largest effort over its limit, of all motors
static double lift(const srs_model *model, controller *c, bool is_scaled, const char *path)
{
  srs_error error = {0};
  srs_sim *sim = NULL;
  srs_control_loop *loop = NULL;
  srs_trajectory *file = NULL;
  srs_sim_options options = srs_default_sim_options();
  options.dt = 0.25e-3;
  check(srs_sim_create(model, &options, &sim, &error), &error);
  check(srs_workspace_create(model, &c->workspace, &error), &error);
  for (int i = 0; i < N; i++) { // weak motors; how fast they turn is no matter here
    srs_coordinate_parameters p;
    srs_sim_get_coordinate_parameters(sim, i, &p);
    p.max_effort *= share, p.max_velocity = INFINITY;
    c->limit[i] = p.max_effort;
    check(srs_sim_set_coordinate_parameters(sim, i, &p, &error), &error);
  }
  check(srs_sim_set_state(sim, 0, from, NULL, &error), &error);
  c->c = is_scaled ? find_speed(model, c) : 1;
  srs_control_loop_options o = srs_default_control_loop_options();
  o.control = control, o.context = c, o.steps_per_control = 4;
  check(srs_control_loop_create(sim, &o, &loop, &error), &error);
  if (path != NULL)
    check(srs_trajectory_create(path, sim, &(srs_trajectory_options){.efforts = true}, &file, &error), &error);
  double most = 0;
  for (int n = 0; n < STEPS; n += 20) {
    if (file != NULL) check(srs_trajectory_add(file, sim, &error), &error);
    check(srs_control_loop_run(loop, 20, &error), &error);
    for (int i = 0; i < N; i++) most = fmax(most, fabs(srs_sim_actuator_effort(sim)[i]) / c->limit[i]);
  }
  check(srs_trajectory_close(file, &error), &error);
  srs_control_loop_destroy(loop), srs_workspace_destroy(c->workspace), srs_sim_destroy(sim);
  return most;
}

int main(int argc, char **argv)
{
  srs_error error = {0};
  srs_model *model = NULL;
  check(srs_model_load("samples/arm.urdf", NULL, &model, &error), &error);
  controller cut = {0}, scaled = {0};
  const double effort_cut = lift(model, &cut, false, NULL),
               effort = lift(model, &scaled, true, argc > 1 ? argv[1] : NULL);
  printf("torques cut at their limits: off the path by %.2g rad\n", cut.off);
  printf("in %.2f s, not %.2f s: off the path by %.2g rad, at last by %.1g\n", duration / scaled.c, duration,
         scaled.off, scaled.left);
  printf("largest effort, of what the motors have: %.3f and %.3f\n", effort_cut, effort);
  srs_model_destroy(model);
  const bool is_bounded = effort <= 1 + 1e-9 && effort_cut <= 1 + 1e-9;
  return is_bounded && scaled.off < 4e-3 && scaled.left < 1e-6 && cut.off > 1 ? 0 : 1;
}
