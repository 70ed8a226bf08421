// LQR: a force on a cart balances the double pendulum on it. The step is linearised where all stands upright, the
// discrete Riccati equation gives the gains of u = -K x, and x is what the sim says at each step.
//
//   K = (R + B^T P B)^-1 B^T P A,   P = Q + K^T R K + (A - B K)^T P (A - B K),   A, B of the step itself
//
// What to see: it comes to the middle of the track from 0.4 m and 5 degrees, and at 4 s takes a push of 0.5 N on its
// tip for 50 ms. Run it from the root of the source tree; it writes the CSV file that is named, if any.
#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

enum { NV = 3, N = 2 * NV, STEPS = 8000 };

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "balance: %s\n", error->message), exit(1);
}

// The gains of the cost sum x^T Q x + R u^2, by iteration of the Riccati equation in Joseph's form, which keeps P
// symmetric and positive. Returns how much K still changes.
static double find_gains(double A[N][N], const double B[N], const double Q[N], double R, double K[N])
{
  double P[N][N] = {{0}}, C[N][N], PC[N][N], change = 1;
  for (int i = 0; i < N; i++) P[i][i] = Q[i];
  for (int k = 0; k < 100000 && change > 1e-12; k++) {
    double PB[N] = {0}, square = R;
    change = 0;
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) PB[i] += P[i][j] * B[j];
      square += B[i] * PB[i];
    }
    for (int j = 0; j < N; j++) {
      double gain = 0;
      for (int i = 0; i < N; i++) gain += PB[i] * A[i][j] / square;
      change = fmax(change, fabs(gain - K[j]));
      K[j] = gain;
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) C[i][j] = A[i][j] - B[i] * K[j];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        PC[i][j] = 0;
        for (int l = 0; l < N; l++) PC[i][j] += P[i][l] * C[l][j];
      }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        P[i][j] = (i == j ? Q[i] : 0) + R * K[i] * K[j];
        for (int l = 0; l < N; l++) P[i][j] += C[l][i] * PC[l][j];
      }
  }
  return change;
}

// Linearises the step where all stands upright at rest.
static void linearise(srs_sim *sim, double A[N][N], double B[N])
{
  srs_error error;
  srs_linearisation *l = NULL;
  srs_linearisation_report report;
  const double upright[NV] = {0}, rest[NV] = {0};
  double all[N][NV];
  check(srs_linearisation_create(sim, &l, &error), &error);
  check(srs_sim_set_state(sim, 0, upright, rest, &error), &error);
  check(srs_sim_linearise(sim, l, A[0], all[0], &report, &error), &error);
  printf("linearised: %s\n", srs_linearisation_status_name(report.status));
  for (int i = 0; i < N; i++) B[i] = all[i][0]; // the force on the cart alone
  srs_linearisation_destroy(l);
}

int main(int argc, char **argv)
{
  srs_error error;
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_trajectory *file = NULL;
  double A[N][N], B[N], K[N] = {0}, most = 0;
  const double Q[N] = {1, 10, 10, 0.1, 1, 1}, R = 0.01; // m, rad, rad, m/s, rad/s, rad/s; N
  check(srs_scene_load("samples/balance.yaml", NULL, &scene, &error), &error);
  check(srs_scene_create_sim(scene, NULL, &sim, &error), &error);
  linearise(sim, A, B);
  const double left = find_gains(A, B, Q, R, K);
  printf("gains: %.3f %.3f %.3f %.3f %.3f %.3f (change %.0e)\n", K[0], K[1], K[2], K[3], K[4], K[5], left);

  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  check(srs_sim_set_state(sim, 0, settings->q, settings->v, &error), &error);
  if (argc > 1) check(srs_trajectory_create(argv[1], sim, NULL, &file, &error), &error);
  const int tip = srs_model_find_frame(srs_scene_model(scene), "tip");
  for (int k = 0; k < STEPS; k++) {
    const double *q = srs_sim_q(sim), *v = srs_sim_v(sim), push[6] = {0, 0, 0, k >= 4000 && k < 4050 ? 0.5 : 0, 0, 0};
    double tau[NV] = {0};
    for (int i = 0; i < NV; i++) tau[0] -= K[i] * q[i] + K[NV + i] * v[i];
    most = fmax(most, fabs(tau[0]));
    if (k % 10 == 0 && file != NULL) check(srs_trajectory_add(file, sim, &error), &error);
    check(srs_sim_set_torque(sim, tau, &error), &error);
    check(srs_sim_set_wrench(sim, tip, SRS_AXES_WORLD, push, &error), &error);
    check(srs_sim_step(sim, 1, &error), &error);
  }
  const double *q = srs_sim_q(sim), *v = srs_sim_v(sim);
  printf("after %g s: cart %.1e m, hinges %.1e and %.1e rad; largest force %.1f N\n", srs_sim_time(sim), q[0], q[1],
         q[2], most);
  const double off = fmax(fabs(q[0]), fmax(fabs(q[1]), fmax(fabs(q[2]), fmax(fabs(v[0]), fabs(v[1])))));
  check(srs_trajectory_close(file, &error), &error);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return off < 0.01 ? 0 : 1;
}
