// iLQR: one motor at the shoulder swings a double pendulum up and holds it there.
//
// The step is linearised along a motion; a backward pass finds the change of torques that the cost asks for, and gains
// about the motion that comes of it (Tassa, Erez & Todorov, IROS 2012):
//
//   x+ = A x + B u;   V = x^T Q_f x at the end;   Q_uu = R + B^T V B + mu,   k = -Q_u / Q_uu,   K = -B^T V A / Q_uu
//
// What to see: the torque stays below 3 N m, where 3.3 N m would hold the arm stretched out, so that it has to swing;
// with a fifth more mass in the upper link than the plan knows, the gains lead it up all the same, and LQR holds it.
// Run it from the root of the source tree; it writes the CSV file that is named, if any.
#include <math.h>
#include <sarrus/parameters.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NV = 2, N = 2 * NV, STEPS = 600, HOLD = 600, MOST = 400 };

static const double at_end[N] = {400, 400, 40, 40}, on_way[N] = {0.002, 0.002, 0.0002, 0.0002}, R = 0.02;

typedef struct plan {
  double x[STEPS + 1][N], u[STEPS];
  double A[STEPS][N][N], B[STEPS][N];
  double k[STEPS], K[STEPS][N];
  double cost;
} plan;

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "swing_up: %s\n", error->message), exit(1);
}

static void set_torque(srs_sim *sim, double u)
{
  srs_error error;
  const double tau[NV] = {u, 0};
  check(srs_sim_set_torque(sim, tau, &error), &error);
}

static void state_of(const srs_sim *sim, double x[N])
{
  memcpy(x, srs_sim_q(sim), NV * sizeof *x);
  memcpy(x + NV, srs_sim_v(sim), NV * sizeof *x);
}

static double weighted(const double w[N], const double x[N])
{
  double sum = 0;
  for (int i = 0; i < N; i++) sum += w[i] * x[i] * x[i] / 2;
  return sum;
}

// The motion under u + a k + K (x - x_old).
static void roll_out(srs_sim *sim, const plan *old, double a, plan *p)
{
  srs_error error;
  check(srs_sim_set_state(sim, 0, old->x[0], old->x[0] + NV, &error), &error);
  p->cost = 0;
  for (int t = 0; t < STEPS; t++) {
    state_of(sim, p->x[t]);
    p->u[t] = old->u[t] + a * old->k[t];
    for (int i = 0; i < N; i++) p->u[t] += old->K[t][i] * (p->x[t][i] - old->x[t][i]);
    p->cost += weighted(on_way, p->x[t]) + R * p->u[t] * p->u[t] / 2;
    set_torque(sim, p->u[t]);
    if (srs_sim_step(sim, 1, &error) != SRS_OK || !(fabs(srs_sim_v(sim)[0]) < 1e3)) {
      p->cost = INFINITY;
      return;
    }
  }
  state_of(sim, p->x[STEPS]);
  p->cost += weighted(at_end, p->x[STEPS]);
}

static void linearise(srs_sim *sim, srs_linearisation *l, plan *p)
{
  srs_error error;
  double B[N][NV];
  for (int t = 0; t < STEPS; t++) {
    check(srs_sim_set_state(sim, 0, p->x[t], p->x[t] + NV, &error), &error);
    set_torque(sim, p->u[t]);
    check(srs_sim_linearise(sim, l, p->A[t][0], B[0], NULL, &error), &error);
    for (int i = 0; i < N; i++) p->B[t][i] = B[i][0];
  }
}

// One step of the backward pass: V and its gradient v before the step from those after it.
static bool step_back(double A[N][N], const double B[N], const double q[N], const double w[N], double r, double mu,
                      double V[N][N], double v[N], double *k, double K[N])
{
  double VA[N][N], VB[N] = {0}, M[N][N], g[N], Quu = R, Qu = r;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) VB[i] += V[i][j] * B[j];
  for (int i = 0; i < N; i++) Quu += B[i] * (VB[i] + mu * B[i]), Qu += B[i] * v[i];
  if (!(Quu > 0)) return false;
  *k = -Qu / Quu;
  for (int j = 0; j < N; j++) {
    double Qux = 0, reg = 0;
    for (int i = 0; i < N; i++) Qux += VB[i] * A[i][j], reg += mu * B[i] * A[i][j];
    K[j] = -(Qux + reg) / Quu;
  }
  // V = W + K R K + (A + B K)^T V (A + B K), in Joseph's form
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) M[i][j] = A[i][j] + B[i] * K[j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      VA[i][j] = 0;
      for (int m = 0; m < N; m++) VA[i][j] += V[i][m] * M[m][j];
    }
  for (int j = 0; j < N; j++) {
    g[j] = q[j] + K[j] * (r + R * *k);
    for (int i = 0; i < N; i++) g[j] += M[i][j] * (v[i] + VB[i] * *k);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      V[i][j] = (i == j ? w[i] : 0) + R * K[i] * K[j];
      for (int m = 0; m < N; m++) V[i][j] += M[m][i] * VA[m][j];
    }
  memcpy(v, g, sizeof g);
  return true;
}

static bool pass_back(plan *p, double mu)
{
  double V[N][N] = {{0}}, v[N];
  for (int i = 0; i < N; i++) V[i][i] = at_end[i], v[i] = at_end[i] * p->x[STEPS][i];
  for (int t = STEPS - 1; t >= 0; t--) {
    double q[N];
    for (int i = 0; i < N; i++) q[i] = on_way[i] * p->x[t][i];
    if (!step_back(p->A[t], p->B[t], q, on_way, R * p->u[t], mu, V, v, &p->k[t], p->K[t])) return false;
  }
  return true;
}

// Iterates until the cost hardly falls.  @return iterations
static int optimise(srs_sim *sim, srs_linearisation *l, plan *p, plan *next)
{
  double mu = 1e-6;
  roll_out(sim, p, 0, next);
  memcpy(p->x, next->x, sizeof p->x);
  p->cost = next->cost;
  for (int n = 1; n <= MOST; n++) {
    linearise(sim, l, p);
    const double before = p->cost;
    bool is_better = false;
    while (!is_better && mu < 1e6) {
      const bool is_found = pass_back(p, mu);
      for (int half = 0; is_found && half < 10 && !is_better; half++) {
        roll_out(sim, p, ldexp(1, -half), next);
        is_better = next->cost < before;
      }
      mu = is_better ? fmax(mu / 3, 1e-9) : 4 * mu;
    }
    if (!is_better) return n;
    memcpy(p->x, next->x, sizeof p->x);
    memcpy(p->u, next->u, sizeof p->u);
    p->cost = next->cost;
    if (n % 20 == 0) printf("%3d: cost %.6f\n", n, p->cost);
    if (before - p->cost < 1e-7 * before) return n;
  }
  return MOST;
}

// Gains that hold it upright: the same pass, without end.
static void find_gains(srs_sim *sim, srs_linearisation *l, double K[N])
{
  srs_error error;
  const double rest[N] = {0}, w[N] = {10, 10, 1, 1};
  double A[N][N], all[N][NV], B[N], V[N][N] = {{0}}, v[N] = {0}, k;
  check(srs_sim_set_state(sim, 0, rest, rest, &error), &error);
  set_torque(sim, 0);
  check(srs_sim_linearise(sim, l, A[0], all[0], NULL, &error), &error);
  for (int i = 0; i < N; i++) B[i] = all[i][0], V[i][i] = w[i];
  for (int n = 0; n < 20000; n++) step_back(A, B, rest, w, 0, 0, V, v, &k, K);
}

int main(int argc, char **argv)
{
  srs_error error;
  srs_scene *scene = NULL;
  srs_sim *sim = NULL, *real = NULL;
  srs_linearisation *l = NULL;
  srs_trajectory *file = NULL;
  static plan p, next;
  double hold[N], x[N], most = 0, late = 0;
  check(srs_scene_load("samples/swing_up.yaml", NULL, &scene, &error), &error);
  check(srs_scene_create_sim(scene, NULL, &sim, &error), &error);
  check(srs_scene_create_sim(scene, NULL, &real, &error), &error);
  check(srs_linearisation_create(sim, &l, &error), &error);
  state_of(sim, p.x[0]);
  for (int t = 0; t < STEPS; t++) p.u[t] = 0.3 * sin(0.005 * t * 4);
  const int iterations = optimise(sim, l, &p, &next);
  for (int t = 0; t < STEPS; t++) most = fmax(most, fabs(p.u[t]));
  printf("%d iterations, cost %.4f, torque at most %.3f N m, ends at %.4f, %.4f rad\n", iterations, p.cost, most,
         p.x[STEPS][0], p.x[STEPS][1]);
  linearise(sim, l, &p);
  if (!pass_back(&p, 0)) return 1;
  find_gains(sim, l, hold);

  const int upper = srs_model_find_frame(srs_scene_model(scene), "upper");
  check(srs_sim_set_link_mass(real, upper, 1.2 * 0.3, &error), &error);
  if (argc > 1)
    check(srs_trajectory_create(argv[1], real, &(srs_trajectory_options){.torques = true}, &file, &error), &error);
  for (int t = 0; t < STEPS + HOLD; t++) {
    state_of(real, x);
    double u = t < STEPS ? p.u[t] : 0;
    for (int i = 0; i < N; i++) u += t < STEPS ? p.K[t][i] * (x[i] - p.x[t][i]) : hold[i] * x[i];
    set_torque(real, u);
    if (file != NULL) check(srs_trajectory_add(file, real, &error), &error);
    check(srs_sim_step(real, 1, &error), &error);
    if (t == STEPS + HOLD / 2) late = 0;
    state_of(real, x);
    late = fmax(late, fmax(fabs(x[0]), fabs(x[1])));
    most = fmax(most, fabs(u));
  }
  printf("with a fifth more mass: torque at most %.3f N m; off upright by at most %.2e rad in the last 1.5 s\n", most,
         late);
  if (file != NULL) check(srs_trajectory_close(file, &error), &error);
  srs_linearisation_destroy(l);
  srs_sim_destroy(real), srs_sim_destroy(sim), srs_scene_destroy(scene);
  return most < 3 && late < 0.01 ? 0 : 1;
}
