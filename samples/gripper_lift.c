// A gripper that lifts a box by 0.2 m and holds it under a push, and knows from the contact problem that nothing slips.
//
// The solution of a step's contacts comes with its residual, the certificate. Where that is small and the friction of
// each point lies inside its cone, |f_t| < mu f_n, Coulomb's law leaves one answer: the point does not slide. The
// fingers close with 12 N each; both pads together bear 2 mu F = 14.4 N along them, of which weight and push may take
//
//   sqrt(weight^2 + push^2) < 2 mu F, so that 13.5 N across is the most that it holds
//
// What to see: lifted, and then under 10 N across, the box moves in the hand by less than 1e-12 m in all; the margin
// of the pads says how much more they would hold, and under a growing push the box slips where friction says, within
// 0.1 %. Run it from the root of the source tree; it writes the CSV file that is named, if any.
#include <math.h>
#include <sarrus/sarrus.h>
#include <sarrus/sensors.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIFT, LEFT, RIGHT }; // coordinates
static const double force = 12, weight = 0.5 * 9.81, friction = 0.6;

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "gripper_lift: %s\n", error->message), exit(1);
}

// How much of what the pads bear is left, 0 where one begins to slide: 1 - |f_t| / (mu f_n) of a whole pad.
static double margin_of(const srs_sensors *sensors)
{
  double least = 1;
  for (int i = 0; i < 2; i++) {
    const double *w = srs_sensors_value(sensors, i); // torque, force; the pads face each other along y
    if (fabs(w[4]) > 0) least = fmin(least, 1 - hypot(w[3], w[5]) / (friction * fabs(w[4])));
  }
  return least;
}

// 0.2 m up between 0.5 and 1.5 s.
static double height_at(double t, double *rate)
{
  const double s = fmin(fmax(t - 0.5, 0), 1);
  *rate = 0.2 * 30 * pow(s * (1 - s), 2);
  return 0.2 * s * s * s * (10 - 15 * s + 6 * s * s);
}

// N, across: 10 N until 3.5 s, then 13 N, then growing by 0.5 N a second.
static double push_at(double t)
{
  if (t < 3.5) return t < 2 ? 0 : fmin(20 * (t - 2), 10);
  return t < 4.5 ? 10 + 3 * (t - 3.5) : 13 + 0.5 * (t - 4.5);
}

int main(int argc, char **argv)
{
  srs_error error = {0};
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_sensors *sensors = NULL;
  srs_trajectory *file = NULL;
  check(srs_scene_load("samples/gripper_lift.yaml", NULL, &scene, &error), &error);
  check(srs_scene_create_sim(scene, NULL, &sim, &error), &error);
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  check(srs_sensors_create(sim, settings->sensors, settings->n_sensors, &sensors, &error), &error);
  if (argc > 1)
    check(srs_trajectory_create(argv[1], sim, &(srs_trajectory_options){.sensors = true, .instruments = sensors}, &file,
                                &error),
          &error);
  const int body = srs_model_find_frame(srs_scene_model(scene), "box/body"), nv = srs_model_nv(srs_scene_model(scene));
  const double holds = sqrt(pow(2 * friction * force, 2) - weight * weight);
  double grasped[3] = {0}, moved = 0, margin = 1, residual = 0, slipped = 0, height = 0;
  double *zeros = calloc(5 * (size_t)nv + 2, sizeof *zeros);
  if (zeros == NULL) return 1;
  double *tau = zeros, *q_ref = zeros + nv, *v_ref = q_ref + nv + 2, *kp = v_ref + nv, *kd = kp + nv;
  for (int i = 0; i <= nv; i++) q_ref[i] = srs_sim_q(sim)[i]; // the box's quaternion too
  tau[LEFT] = tau[RIGHT] = force, kp[LIFT] = 1e5, kd[LIFT] = 1e3;
  for (int step = 0; step < 6000 && slipped == 0; step++) {
    const double t = srs_sim_time(sim), push[6] = {0, 0, 0, push_at(t), 0, 0};
    q_ref[LIFT] = height_at(t, &v_ref[LIFT]);
    check(srs_sim_set_torque(sim, tau, &error), &error);
    check(srs_sim_set_servo(sim, q_ref, v_ref, kp, kd, &error), &error);
    check(srs_sim_set_wrench(sim, body, SRS_AXES_WORLD, push, &error), &error);
    if (file != NULL && step % 10 == 0) check(srs_trajectory_add(file, sim, &error), &error);
    check(srs_sim_step(sim, 1, &error), &error);
    check(srs_sensors_read(sensors, &error), &error);
    const double *box = srs_sensors_value(sensors, 2), lift = srs_sim_q(sim)[LIFT];
    double off = 0;
    for (int i = 0; i < 3; i++) {
      const double now = box[i] - (i == 2 ? lift : 0);
      if (step == 450) grasped[i] = now;
      off = hypot(off, now - grasped[i]);
    }
    if (step < 450) continue; // the fingers close
    residual = fmax(residual, srs_sim_get_statistics(sim)->residual_last);
    if (t < 3.5) moved = fmax(moved, off), margin = fmin(margin, margin_of(sensors)), height = box[2] - 0.03;
    if (off > 1e-7) slipped = push[3];
    if (step % 500 == 0)
      printf("%.1f s: %.4f m up, pushed by %.2f N, margin %.3f, moved in the hand %.1e m\n", t, box[2] - 0.03, push[3],
             margin_of(sensors), off);
  }
  printf("held: moved by at most %.1e m, margin at least %.3f, certificate %.1e\n", moved, margin, residual);
  printf("slips at %.3f N; friction says %.3f N\n", slipped, holds);
  check(srs_trajectory_close(file, &error), &error);
  free(zeros);
  srs_sensors_destroy(sensors), srs_sim_destroy(sim), srs_scene_destroy(scene);
  return fabs(height - 0.2) < 1e-3 && moved < 1e-12 && margin > 0 && residual < 1e-8 && fabs(slipped / holds - 1) < 1e-3
             ? 0
             : 1;
}
