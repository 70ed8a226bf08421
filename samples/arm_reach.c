// Reaching under computed torque: inverse kinematics finds the goal configuration, a minimum-jerk path leads there, and
// inverse dynamics, tau = M(q) (a_ref + kp e + kd e') + c(q, v) + D v, gives the torques at 1 kHz.
// What to see: the error (m and rad) falls from 1.1 to under 1e-6. Run it from the root of the source tree.
#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 7 };

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "arm_reach: %s\n", error->message), exit(1);
}

// Moves q one damped least-squares step towards the target, dq = J^T (J J^T + 1e-4)^-1 e, and returns |e| before it.
// e = [rotation; offset] in world axes. With the axes r_k of the tool and t_k of the target,
// rotation = sum r_k x t_k / 2.
static double approach(srs_workspace *workspace, int tool, const srs_pose *target, double q[N])
{
  srs_pose at;
  double jacobian[6][N], a[6][7], square = 0;
  check(srs_forward_kinematics(workspace, q), srs_workspace_error(workspace));
  check(srs_frame_placement(workspace, tool, &at), srs_workspace_error(workspace));
  check(srs_frame_jacobian(workspace, tool, SRS_AXES_WORLD, jacobian[0]), srs_workspace_error(workspace));
  for (int i = 0; i < 6; i++) {
    const int y = 3 * ((i + 1) % 3), z = 3 * ((i + 2) % 3);
    a[i][6] = i < 3 ? 0 : target->position[i - 3] - at.position[i - 3];
    for (int k = 0; i < 3 && k < 3; k++)
      a[i][6] += (at.rotation[y + k] * target->rotation[z + k] - at.rotation[z + k] * target->rotation[y + k]) / 2;
    square += a[i][6] * a[i][6];
    for (int j = 0; j < 6; j++) {
      a[i][j] = i == j ? 1e-4 : 0;
      for (int k = 0; k < N; k++) a[i][j] += jacobian[i][k] * jacobian[j][k];
    }
  }
  for (int p = 0; p < 6; p++) // no pivoting: the matrix is positive definite
    for (int i = 0; i < 6; i++)
      for (int j = 6; i != p && j >= p; j--) a[i][j] -= a[i][p] / a[p][p] * a[p][j];
  for (int k = 0; k < N; k++)
    for (int i = 0; i < 6; i++) q[k] += jacobian[i][k] * a[i][6] / a[i][i];
  return sqrt(square);
}

int main(void)
{
  const srs_pose target = {{0.55, 0.35, 0.35}, {-1, 0, 0, 0, 1, 0, 0, 0, -1}}; // in front, to the left, pointing down
  const double start[N] = {0, 0.3, 0, 1.0, 0, 0.6, 0}, duration = 2;           // rad, s
  double goal[N] = {0, 0.3, 0, 1.0, 0, 0.6, 0}, left = 0;
  srs_model *model = NULL;
  srs_workspace *workspace = NULL;
  srs_sim *sim = NULL;
  srs_error error;
  check(srs_model_load("samples/arm.urdf", NULL, &model, &error), &error);
  check(srs_workspace_create(model, &workspace, &error), &error);
  check(srs_sim_create(model, NULL, &sim, &error), &error);
  check(srs_sim_set_state(sim, 0, start, NULL, &error), &error);
  const int tool = srs_model_find_frame(model, "tool");
  for (int i = 0; i < 100; i++) approach(workspace, tool, &target, goal);
  for (int step = 0; step <= 2500; step++) {
    const double *q = srs_sim_q(sim), *v = srs_sim_v(sim), t = fmin(srs_sim_time(sim) / duration, 1);
    const double s = t * t * t * (10 - 15 * t + 6 * t * t), ds = 30 * pow(t * (1 - t), 2) / duration;
    const double dds = 60 * t * (1 - t) * (1 - 2 * t) / pow(duration, 2);
    double a[N], tau[N], passive[N], here[N];
    for (int i = 0; i < N; i++) {
      const double way = goal[i] - start[i];
      a[i] = dds * way + 400 * (start[i] + s * way - q[i]) + 40 * (ds * way - v[i]);
      here[i] = q[i];
    }
    if (step % 500 == 0) printf("%.1f s: off by %.2e\n", 1e-3 * step, left = approach(workspace, tool, &target, here));
    check(srs_inverse_dynamics(workspace, q, v, a, NULL, tau), srs_workspace_error(workspace));
    check(srs_passive_forces(model, q, v, passive), &error);
    for (int i = 0; i < N; i++) tau[i] -= passive[i];
    check(srs_sim_set_torque(sim, tau, &error), &error);
    check(srs_sim_step(sim, 1, &error), &error);
  }
  srs_sim_destroy(sim), srs_workspace_destroy(workspace), srs_model_destroy(model);
  return left < 1e-3 ? 0 : 1;
}
