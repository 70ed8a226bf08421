// Pressing and wiping under control at 1 kHz: the arm lowers its fingertip, presses on the floor with 20 N and wipes
// along a line. Motion by computed torque in task space, force by feed-forward through the Jacobian transpose:
//   a = x_ref'' + kd e' + kp e, along the floor's normal, damping alone;  qdd = a_0 + J+ (a - J'v - J a_0), a_0 = -10 v
//   tau = M qdd + c + D v + J^T f, with f the force that the hand exerts: pressure, and friction along the way
// What to see: while it wipes, the path error stays below 0.1 mm and the force error below 0.1 N. Run it from the root
// of the source tree.
#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 7 };

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "arm_wipe: %s\n", error->message), exit(1);
}

// x = J^T (J J^T + 1e-9)^-1 b, by elimination; no pivoting: the matrix is positive definite.
static void least_squares(double jacobian[6][N], const double b[6], double x[N])
{
  double a[6][7];
  for (int i = 0; i < 6; i++) {
    a[i][6] = b[i];
    for (int j = 0; j < 6; j++) {
      a[i][j] = i == j ? 1e-9 : 0;
      for (int k = 0; k < N; k++) a[i][j] += jacobian[i][k] * jacobian[j][k];
    }
  }
  for (int p = 0; p < 6; p++)
    for (int i = 0; i < 6; i++)
      for (int j = 6; i != p && j >= p; j--) a[i][j] -= a[i][p] / a[p][p] * a[p][j];
  for (int k = 0; k < N; k++)
    for (int i = 0; i < 6; i++) x[k] = (i > 0 ? x[k] : 0) + jacobian[i][k] * a[i][6] / a[i][i];
}

// A minimum-jerk motion along a line: [0] position, [1] velocity, [2] acceleration. s is in seconds.
static void along(double s, double duration, double from, double to, double x[3])
{
  const double t = fmin(fmax(s / duration, 0), 1), way = to - from;
  x[0] = from + way * t * t * t * (10 - 15 * t + 6 * t * t);
  x[1] = way * 30 * pow(t * (1 - t), 2) / duration;
  x[2] = way * 60 * t * (1 - t) * (1 - 2 * t) / pow(duration, 2);
}

int main(void)
{
  const double down[9] = {-1, 0, 0, 0, 1, 0, 0, 0, -1}, pressure = 20, kp = 900, kd = 60; // N, 1/s^2, 1/s
  double start[3] = {0}, path_error = 0, force_error = 0;
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error;
  check(srs_scene_load("samples/arm_wipe.yaml", NULL, &scene, &error), &error);
  check(srs_scene_create_sim(scene, NULL, &sim, &error), &error);
  srs_workspace *w = srs_sim_workspace(sim);
  const srs_model *model = srs_scene_model(scene);
  const int tool = srs_model_find_frame(model, "tool");
  const double friction = srs_sim_get_options(sim)->contact.friction, zero[N] = {0};
  for (int step = 0; step < 4500; step++) { // 1.5 s down, 0.5 s to press, 2 s to wipe, 0.5 s at rest
    const double *q = srs_sim_q(sim), *v = srs_sim_v(sim), t = srs_sim_time(sim);
    double jacobian[6][N], drift[6], velocity[6], ref[3][3], task[6], qdd[N], tau[N], passive[N];
    srs_pose at;
    check(srs_forward_acceleration(w, q, v, zero), srs_workspace_error(w));
    check(srs_frame_placement(w, tool, &at), srs_workspace_error(w));
    check(srs_frame_velocity(w, tool, SRS_AXES_WORLD, velocity), srs_workspace_error(w));
    check(srs_frame_acceleration(w, tool, SRS_AXES_WORLD, drift), srs_workspace_error(w)); // J'v
    check(srs_frame_jacobian(w, tool, SRS_AXES_WORLD, jacobian[0]), srs_workspace_error(w));
    for (int i = 0; step == 0 && i < 3; i++) start[i] = at.position[i];
    along(t, 1.5, start[0], 0.5, ref[0]), along(t, 1.5, start[2], 0, ref[2]);
    t < 2 ? along(t, 1.5, start[1], -0.15, ref[1]) : along(t - 2, 2, -0.15, 0.15, ref[1]);
    for (int i = 0; i < 3; i++) {
      const int y = 3 * ((i + 1) % 3), z = 3 * ((i + 2) % 3);
      task[i] = -kd * velocity[i] - drift[i]; // and turn the tool's axes r_k to the wanted t_k: sum r_k x t_k / 2
      for (int k = 0; k < 3; k++)
        task[i] += kp / 2 * (at.rotation[y + k] * down[z + k] - at.rotation[z + k] * down[y + k]);
      const double hold = i == 2 && t > 1.5 ? 0 : kp * (ref[i][0] - at.position[i]);
      task[3 + i] = ref[i][2] + kd * (ref[i][1] - velocity[3 + i]) + hold - drift[3 + i];
    }
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < N; k++) task[i] += jacobian[i][k] * 10 * v[k];
    least_squares(jacobian, task, qdd);
    for (int k = 0; k < N; k++) qdd[k] -= 10 * v[k];
    const double press = pressure * fmin(fmax((t - 1.5) / 0.4, 0), 1), rub = ref[1][1] > 0 ? friction * press : 0;
    check(srs_inverse_dynamics(w, q, v, qdd, NULL, tau), srs_workspace_error(w));
    check(srs_passive_forces(model, q, v, passive), &error);
    for (int k = 0; k < N; k++) tau[k] += jacobian[4][k] * rub - jacobian[5][k] * press - passive[k];
    check(srs_sim_set_torque(sim, tau, &error), &error);
    check(srs_sim_step(sim, 1, &error), &error);
    if (t < 2 || t > 4) continue;
    int n = 0;
    const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
    path_error = fmax(path_error, hypot(at.position[0] - ref[0][0], at.position[1] - ref[1][0]));
    force_error = fmax(force_error, n == 1 ? fabs(fabs(contacts[0].force[2]) - pressure) : pressure);
    if (step % 250 == 0) printf("%.2f s: y %.4f m, off the force by %.4f N\n", t, at.position[1], force_error);
  }
  printf("while it wiped: off the path by at most %.2e m, off the force by %.2e N\n", path_error, force_error);
  srs_sim_destroy(sim), srs_scene_destroy(scene);
  return path_error < 1e-4 && force_error < 0.1 ? 0 : 1;
}
