// Randomisation: one sim, 1000 draws of mass, friction, size and gravity, without a new model or memory. Each draw, a
// box is pushed over a floor and slides to rest. What to see: the way is v^2 / (2 mu g) to the step's own error,
// whatever the mass and the size; reset takes the values back.
#include <math.h>
#include <sarrus/sarrus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DRAWS = 1000 };

static const double speed = 1, pi = 3.14159265358979323846; // m/s

static void check(srs_status status, const srs_error *error)
{
  if (status != SRS_OK) fprintf(stderr, "randomise: %s\n", error->message), exit(1);
}

static double uniform(uint64_t *seed, double low, double high) // xorshift
{
  *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
  return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static srs_model *box_on_floor(srs_error *error)
{
  srs_builder *builder = srs_builder_create();
  srs_model *model = NULL;
  srs_link_def link = srs_default_link_def();
  link.name = "box", link.mass = 1;
  for (int i = 0; i < 3; i++) link.inertia[i] = 0.002;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  joint.name = "root", joint.child = "box";
  srs_shape_def box = srs_default_shape_def(SRS_SHAPE_BOX), floor = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  box.name = "box", box.link = "box", floor.name = "floor";
  for (int i = 0; i < 3; i++) box.size[i] = 0.1;
  check(srs_builder_add_link(builder, &link, error), error);
  check(srs_builder_add_joint(builder, &joint, error), error);
  check(srs_builder_add_shape(builder, &box, error), error);
  check(srs_builder_add_shape(builder, &floor, error), error);
  check(srs_builder_build(builder, NULL, &model, error), error);
  srs_builder_destroy(builder);
  return model;
}

// One draw: how far the box slides, and how far it would by the formula.
static double slide(srs_sim *sim, uint64_t *seed, double *expected)
{
  srs_error error;
  const double mass = exp(uniform(seed, log(0.1), log(10))), mu = uniform(seed, 0.2, 0.8);
  const double side = uniform(seed, 0.2, 0.4), height = uniform(seed, 0.02, 0.1), g = uniform(seed, 1.6, 24.8);
  const double heading = uniform(seed, 0, 2 * pi), size[3] = {side, side, height}, gravity[3] = {0, 0, -g};
  const double moment = mass * side * side / 6;
  const srs_link_inertia inertia = {mass, {0, 0, 0}, {moment, moment, moment, 0, 0, 0}};
  srs_sim_reset(sim);
  check(srs_sim_set_link_inertia(sim, 0, &inertia, &error), &error);
  check(srs_sim_set_gravity(sim, gravity, &error), &error);
  for (int i = 0; i < 2; i++) check(srs_sim_set_shape_material(sim, i, mu, 0, &error), &error);
  check(srs_sim_set_shape_size(sim, 0, size, &error), &error);
  const double q[7] = {0, 0, height / 2, 1, 0, 0, 0}, v[6] = {speed * cos(heading), speed * sin(heading), 0, 0, 0, 0};
  check(srs_sim_set_state(sim, 0, q, v, &error), &error);
  while (hypot(srs_sim_v(sim)[0], srs_sim_v(sim)[1]) > 1e-9) check(srs_sim_step(sim, 1, &error), &error);
  *expected = speed * speed / (2 * mu * g);
  return hypot(srs_sim_q(sim)[0], srs_sim_q(sim)[1]);
}

int main(void)
{
  srs_error error;
  srs_sim *sim = NULL;
  srs_model *model = box_on_floor(&error);
  check(srs_sim_create(model, NULL, &sim, &error), &error);
  uint64_t seed = 22;
  double shortest = INFINITY, longest = 0, sum = 0, worst = 0;
  for (int i = 0; i < DRAWS; i++) {
    double expected;
    const double way = slide(sim, &seed, &expected);
    shortest = fmin(shortest, way), longest = fmax(longest, way), sum += way;
    worst = fmax(worst, fabs(way - expected));
  }
  printf("%d draws: ways from %.3f to %.3f m, mean %.3f m\n", DRAWS, shortest, longest, sum / DRAWS);
  printf("largest difference from v^2 / (2 mu g): %.2g m; half a step's way is %.2g m\n", worst, 0.5e-3 * speed);
  srs_sim_reset(sim);
  printf("parameters are the model's again: %s\n", srs_sim_has_own_parameters(sim) ? "no" : "yes");
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  return worst < 0.6e-3 * speed ? 0 : 1;
}
