// Operational-space control in contact at 1 kHz: the arm lowers its fingertip and polishes a circle on the floor with a
// force that swells and falls, while its elbow swings aside, which no one sees at the tip (Khatib, 1987).
//
//   tau = M a_0 + c + D v + J^T Lambda (a - J'v - J a_0) - J^T f,   Lambda = (J M^-1 J^T)^-1
//
// a is what the task asks of the tip, a_0 what the joints do besides, of which Lambda lets through what leaves the tip
// alone; f is the force of the hand, pressure along the normal and friction along the way.
//
// What to see: with the elbow turning to and fro by 0.6 rad and the force between 10 and 30 N, the tip stays on the
// circle within 0.11 mm and the force within 0.11 N. Run it from the root of the source tree; it writes the CSV file
// that is named, if any.
#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7, STEPS = 6000 };

static const double kp = 900, kd = 60, radius = 0.08, pi = 3.14159265358979323846; // 1/s^2, 1/s, m

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "arm_polish: %s\n", error->message), exit(1);
}

// A minimum-jerk motion: [0] position, [1] velocity, [2] acceleration.
static void along(double s, double duration, double from, double to, double x[3])
{
  const double t = fmin(fmax(s / duration, 0), 1), way = to - from;
  x[0] = from + way * t * t * t * (10 - 15 * t + 6 * t * t);
  x[1] = way * 30 * pow(t * (1 - t), 2) / duration;
  x[2] = way * 60 * t * (1 - t) * (1 - 2 * t) / pow(duration, 2);
}

// Where the tip should be: down in 1.5 s, from 2 s on twice round in 4 s.
static void path_at(double t, const double start[3], double ref[3][3])
{
  double turn[3];
  along(t, 1.5, start[0], 0.5 + radius, ref[0]), along(t, 1.5, start[1], 0, ref[1]), along(t, 1.5, start[2], 0, ref[2]);
  if (t < 2) return;
  along(t - 2, 4, 0, 4 * pi, turn);
  const double c = radius * cos(turn[0]), s = radius * sin(turn[0]), square = turn[1] * turn[1];
  const double x[3] = {0.5 + c, -s * turn[1], -c * square - s * turn[2]};
  const double y[3] = {s, c * turn[1], -s * square + c * turn[2]};
  memcpy(ref[0], x, sizeof x), memcpy(ref[1], y, sizeof y);
}

// N: on in 0.4 s, then 20 and 10 up and down at 1 Hz.
static double pressure_at(double t)
{
  const double on = fmin(fmax((t - 1.5) / 0.4, 0), 1);
  return on * (20 + (t > 2 ? 10 * sin(2 * pi * (t - 2)) : 0));
}

// What the task asks of the tip, [angular; linear], less what it does anyway.
static void task_of(srs_workspace *w, int tool, double t, double ref[3][3], double task[6])
{
  static const double down[9] = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
  double drift[6], velocity[6];
  srs_pose at;
  check(srs_frame_placement(w, tool, &at), srs_workspace_error(w));
  check(srs_frame_velocity(w, tool, SRS_AXES_WORLD, velocity), srs_workspace_error(w));
  check(srs_frame_acceleration(w, tool, SRS_AXES_WORLD, drift), srs_workspace_error(w)); // J'v + J a_0
  for (int i = 0; i < 3; i++) {
    const int y = 3 * ((i + 1) % 3), z = 3 * ((i + 2) % 3);
    task[i] = -kd * velocity[i] - drift[i]; // and turn the tool's axes r_k to the wanted t_k: sum r_k x t_k / 2
    for (int k = 0; k < 3; k++)
      task[i] += kp / 2 * (at.rotation[y + k] * down[z + k] - at.rotation[z + k] * down[y + k]);
    const double hold =
        i == 2 && t > 1.5 ? 0 : kp * (ref[i][0] - at.position[i]); // the floor holds it along its normal
    task[3 + i] = ref[i][2] + kd * (ref[i][1] - velocity[3 + i]) + hold - drift[3 + i];
  }
}

int main(int argc, char **argv)
{
  srs_error error = {0};
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_trajectory *file = NULL;
  double start[3] = {0}, path_error = 0, force_error = 0, elbow[2] = {0};
  check(srs_scene_load("samples/arm_wipe.yaml", NULL, &scene, &error), &error);
  check(srs_scene_create_sim(scene, NULL, &sim, &error), &error);
  srs_workspace *w = srs_sim_workspace(sim);
  const srs_model *model = srs_scene_model(scene);
  const int tool = srs_model_find_frame(model, "tool");
  const srs_constraint_frame rows = {tool, SRS_AXES_WORLD, SRS_ROWS_ALL};
  const double friction = srs_sim_get_options(sim)->contact.friction;
  if (argc > 1)
    check(
        srs_trajectory_create(argv[1], sim, &(srs_trajectory_options){.contacts = true, .poses = true}, &file, &error),
        &error);
  for (int step = 0; step < STEPS; step++) {
    const double *q = srs_sim_q(sim), *v = srs_sim_v(sim), t = srs_sim_time(sim);
    double jacobian[6][N], lambda[6][6], ref[3][3], task[6], a0[N], tau[N], passive[N];
    srs_pose at;
    for (int k = 0; k < N; k++) a0[k] = -10 * v[k];
    a0[2] += t > 2 ? 10 * 0.4 * sin(pi * (t - 2)) : 0; // the elbow aside and back
    check(srs_forward_acceleration(w, q, v, a0), srs_workspace_error(w));
    check(srs_frame_placement(w, tool, &at), srs_workspace_error(w));
    if (step == 0) memcpy(start, at.position, sizeof start);
    path_at(t, start, ref);
    task_of(w, tool, t, ref, task);
    check(srs_frame_jacobian(w, tool, SRS_AXES_WORLD, jacobian[0]), srs_workspace_error(w));
    check(srs_inverse_dynamics(w, q, v, a0, NULL, tau), srs_workspace_error(w));
    check(srs_operational_space_inertia(w, q, &rows, 1, 6, false, lambda[0]), srs_workspace_error(w));
    check(srs_passive_forces(model, q, v, passive), &error);
    const double press = pressure_at(t), speed = hypot(ref[0][1], ref[1][1]);
    double force[6] = {0, 0, 0, 0, 0, -press}; // of the hand on the floor
    for (int i = 0; i < 2; i++) force[3 + i] = speed > 0 && t > 2 ? friction * press * ref[i][1] / speed : 0;
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 6; k++) force[i] += lambda[i][k] * task[k];
    for (int k = 0; k < N; k++) {
      tau[k] -= passive[k];
      for (int i = 0; i < 6; i++) tau[k] += jacobian[i][k] * force[i];
    }
    check(srs_sim_set_torque(sim, tau, &error), &error);
    if (file != NULL && step % 10 == 0) check(srs_trajectory_add(file, sim, &error), &error);
    check(srs_sim_step(sim, 1, &error), &error);
    if (t < 2.2 || t > 5.8) continue;
    int n = 0;
    const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
    path_error = fmax(path_error, hypot(at.position[0] - ref[0][0], at.position[1] - ref[1][0]));
    force_error = fmax(force_error, n == 1 ? fabs(fabs(contacts[0].force[2]) - press) : press);
    elbow[0] = fmin(elbow[0], q[2]), elbow[1] = fmax(elbow[1], q[2]);
    if (step % 500 == 250)
      printf("%.1f s: presses with %.2f N, off by %.4f N and %.1e m\n", t, press, force_error, path_error);
  }
  printf("off the circle by at most %.1e m, off the force by %.2e N; joint3 from %.2f to %.2f rad\n", path_error,
         force_error, elbow[0], elbow[1]);
  check(srs_trajectory_close(file, &error), &error);
  srs_sim_destroy(sim), srs_scene_destroy(scene);
  return path_error < 1.5e-4 && force_error < 0.15 && elbow[1] - elbow[0] > 0.5 ? 0 : 1;
}
