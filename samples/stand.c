// A quadruped that stands under a push: the wrench that keeps its body in place, shared among the feet.
//
//   W = [k_R e_R - d_R w; m g + k e - d v],   sum over feet [r_i x f_i; f_i] = W,   f the smallest such forces
//   tau = weight of the legs - J^T f
//
// The smallest f is G^T (G G^T)^-1 W. Each foot must press, and within its cone of friction: the sensors of the scene
// say how much of it is used.
//
// What to see: pushed sideways with 20 N for 0.3 s, a sixth of its weight, the body sways by 14 mm and comes back to
// within a micrometre; every foot presses all the time and keeps a tenth of its friction, so that none slips. Run it
// from the root of the source tree; it writes the CSV file that is named, if any.
#include <math.h>
#include <sarrus/sarrus.h>
#include <sarrus/sensors.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEET = 4, NV = 18, STEPS = 4000 };
static const char *const feet[FEET] = {"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"};

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "stand: %s\n", error->message), exit(1);
}

// x of A x = b, A symmetric and positive definite.
static void solve(double A[6][6], const double b[6], double x[6])
{
  double a[6][7];
  for (int i = 0; i < 6; i++) {
    memcpy(a[i], A[i], sizeof A[i]);
    a[i][6] = b[i];
  }
  for (int p = 0; p < 6; p++)
    for (int i = 0; i < 6; i++)
      for (int j = 6; i != p && j >= p; j--) a[i][j] -= a[i][p] / a[p][p] * a[p][j];
  for (int i = 0; i < 6; i++) x[i] = a[i][6] / a[i][i];
}

// The smallest forces at the arms that make the wrench about their common origin.
static void share(double arm[FEET][3], const double wrench[6], double force[FEET][3])
{
  double G[6][3 * FEET] = {{0}}, square[6][6], x[6];
  for (int f = 0; f < FEET; f++)
    for (int k = 0; k < 3; k++) {
      const int y = (k + 1) % 3, z = (k + 2) % 3;
      G[y][3 * f + k] = arm[f][z], G[z][3 * f + k] = -arm[f][y]; // arm x e_k
      G[3 + k][3 * f + k] = 1;
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      square[i][j] = 0;
      for (int k = 0; k < 3 * FEET; k++) square[i][j] += G[i][k] * G[j][k];
    }
  solve(square, wrench, x);
  for (int k = 0; k < 3 * FEET; k++) {
    force[k / 3][k % 3] = 0;
    for (int i = 0; i < 6; i++) force[k / 3][k % 3] += G[i][k] * x[i];
  }
}

// The wrench about the mass centre that leads the body back to where it stood.
static void wish(srs_workspace *w, const double *q, const double *v, const double start[3], double wrench[6])
{
  srs_center_of_mass com;
  check(srs_com(w, q, v, &com), srs_workspace_error(w));
  const double turn = q[3] < 0 ? -2 : 2; // of a small rotation, about the axes of the body or the world
  for (int i = 0; i < 3; i++) {
    wrench[i] = -300 * turn * q[4 + i] - 20 * v[3 + i];
    wrench[3 + i] = 1500 * (start[i] - com.position[i]) - 200 * com.velocity[i] + (i == 2 ? 9.81 * com.mass : 0);
  }
}

// tau of the motors for forces of the ground on the feet.
static void torques(srs_workspace *w, const int frames[FEET], const double *q, double force[FEET][3], double tau[NV])
{
  const double zero[NV] = {0};
  double jacobian[6][NV];
  check(srs_inverse_dynamics(w, q, zero, zero, NULL, tau), srs_workspace_error(w));
  for (int f = 0; f < FEET; f++) {
    check(srs_frame_jacobian(w, frames[f], SRS_AXES_WORLD, jacobian[0]), srs_workspace_error(w));
    for (int k = 6; k < NV; k++)
      for (int i = 0; i < 3; i++) tau[k] -= jacobian[3 + i][k] * force[f][i];
  }
  memset(tau, 0, 6 * sizeof *tau); // the body has no motor
}

int main(int argc, char **argv)
{
  srs_error error = {0};
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_sensors *sensors = NULL;
  srs_trajectory *file = NULL;
  srs_center_of_mass com;
  double start[3], sway = 0, left = 0, margin = 1, effort = 0;
  int frames[FEET];
  check(srs_scene_load("samples/stand.yaml", NULL, &scene, &error), &error);
  check(srs_scene_create_sim(scene, NULL, &sim, &error), &error);
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  const srs_model *model = srs_scene_model(scene);
  check(srs_sensors_create(sim, settings->sensors, settings->n_sensors, &sensors, &error), &error);
  if (argc > 1)
    check(srs_trajectory_create(argv[1], sim, &(srs_trajectory_options){.sensors = true, .instruments = sensors}, &file,
                                &error),
          &error);
  for (int f = 0; f < FEET; f++) frames[f] = srs_model_find_frame(model, feet[f]);
  const int body = srs_model_find_frame(model, "body");
  srs_workspace *w = srs_sim_workspace(sim);
  check(srs_com(w, srs_sim_q(sim), NULL, &com), srs_workspace_error(w));
  memcpy(start, com.position, sizeof start);
  const double friction = settings->sim.contact.friction;
  for (int step = 0; step < STEPS; step++) {
    const double *q = srs_sim_q(sim), *v = srs_sim_v(sim), t = srs_sim_time(sim);
    double arm[FEET][3], force[FEET][3], wrench[6], tau[NV];
    w = srs_sim_workspace(sim);
    wish(w, q, v, start, wrench);
    check(srs_com(w, q, v, &com), srs_workspace_error(w));
    for (int f = 0; f < FEET; f++) {
      srs_pose at;
      check(srs_frame_placement(w, frames[f], &at), srs_workspace_error(w));
      for (int i = 0; i < 3; i++) arm[f][i] = at.position[i] - com.position[i] - (i == 2 ? 0.02 : 0);
    }
    share(arm, wrench, force);
    torques(w, frames, q, force, tau);
    const double push[6] = {0, 0, 0, 0, t >= 1 && t < 1.3 ? 20 : 0, 0};
    check(srs_sim_set_torque(sim, tau, &error), &error);
    check(srs_sim_set_wrench(sim, body, SRS_AXES_WORLD, push, &error), &error);
    if (file != NULL && step % 10 == 0) check(srs_trajectory_add(file, sim, &error), &error);
    check(srs_sim_step(sim, 1, &error), &error);
    check(srs_sensors_read(sensors, &error), &error);
    left = hypot(com.position[0] - start[0], com.position[1] - start[1]);
    sway = fmax(sway, left);
    if (step < 100) continue; // it comes down on its feet
    for (int f = 0; f < FEET; f++) {
      const double *felt = srs_sensors_value(sensors, f);
      margin = fmin(margin, felt[5] > 0 ? 1 - hypot(felt[3], felt[4]) / (friction * felt[5]) : 0);
    }
    for (int k = 6; k < NV; k++) effort = fmax(effort, fabs(srs_sim_actuator_effort(sim)[k]));
    if (step % 250 == 0) printf("%.2f s: off by %.4f m, margin so far %.3f\n", t, left, margin);
  }
  printf("swayed by %.4f m, at last off by %.1e m; margin of friction at least %.3f; largest torque %.1f N m\n", sway,
         left, margin, effort);
  check(srs_trajectory_close(file, &error), &error);
  srs_sensors_destroy(sensors), srs_sim_destroy(sim), srs_scene_destroy(scene);
  return sway > 0.005 && sway < 0.02 && left < 1e-6 && margin > 0.05 && effort < 10 ? 0 : 1;
}
