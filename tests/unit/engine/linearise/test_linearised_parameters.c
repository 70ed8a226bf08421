// Are the derivatives of a step by parameters those of steps with other parameters? By setters of
// <sarrus/parameters.h>, and lengths by scenes with other ones. Central differences over 1e-5 of the parameter: 1e-10
// of truncation, and rounding of 1e-16 over the width and, where a gap counts, over dt.

#include "support/world.h"
#include <sarrus/linearisation.h>
#include <sarrus/parameters.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NV = 7, ARM = 6, MOST = 24 };

// A robot of two links, the first of two parts. %s: its base; %.17g: the arm's joint; %s: more.
static const char robot[] = "models:\n"
                            "  - name: r\n"
                            "    base: %s\n"
                            "    position: [0, 0, 0.05002]\n"
                            "    links:\n"
                            "      - {name: body, mass: 2, com: [0.01, 0.02, -0.01], inertia: [0.03, 0.04, 0.05]}\n"
                            "      - {name: pack, mass: 0.4, com: [0.02, 0, 0.01], inertia: [0.001, 0.001, 0.0015]}\n"
                            "      - {name: arm, mass: 0.5, com: [0, 0, 0.15], inertia: [0.004, 0.004, 0.001]}\n"
                            "    joints:\n"
                            "      - {name: mount, kind: fixed, parent: body, child: pack, origin: {position: [0, 0.1, "
                            "0.1], rotation: {rpy: [0.3, "
                            "0.2, 0.1]}}}\n"
                            "      - {name: swing, kind: revolute, parent: body, child: arm, axis: [0, 1, 0], origin: "
                            "{position: [%.17g, 0, 0.1]}, "
                            "damping: 0.01, stiffness: 0.5, friction: 0.02, armature: 0.001}\n"
                            "    shapes: [{link: body, kind: sphere, radius: 0.05}, {link: arm, kind: sphere, radius: "
                            "0.03, pose: {position: [0, 0, "
                            "0.3]}}]\n"
                            "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
                            "initial: {q: {swing: 0.4}, v: {%sswing: 2}}\n";

static world robot_at(const char *base, const char *v, double length)
{
  char text[4096];
  snprintf(text, sizeof text, robot, base, length, v);
  return load(text);
}

// Moves a parameter of the sim by `by`, from what it is.
static void move(srs_sim *sim, const srs_parameter *p, double by)
{
  srs_error error = {0};
  srs_link_inertia link;
  srs_coordinate_parameters at;
  srs_status status = SRS_OK;
  if (p->kind <= SRS_PARAMETER_INERTIA) {
    assert_int_equal(srs_sim_get_link_inertia(sim, p->index, &link), SRS_OK);
    if (p->kind == SRS_PARAMETER_MASS) link.mass += by;
    if (p->kind == SRS_PARAMETER_COM) link.com[p->component] += by;
    if (p->kind == SRS_PARAMETER_INERTIA) link.inertia[p->component] += by;
    status = srs_sim_set_link_inertia(sim, p->index, &link, &error);
  } else if (p->kind <= SRS_PARAMETER_DRY_FRICTION) {
    assert_int_equal(srs_sim_get_coordinate_parameters(sim, p->index, &at), SRS_OK);
    if (p->kind == SRS_PARAMETER_ARMATURE) at.armature += by;
    if (p->kind == SRS_PARAMETER_DAMPING) at.damping += by;
    if (p->kind == SRS_PARAMETER_STIFFNESS) at.stiffness += by;
    if (p->kind == SRS_PARAMETER_DRY_FRICTION) at.friction += by;
    status = srs_sim_set_coordinate_parameters(sim, p->index, &at, &error);
  } else if (p->kind == SRS_PARAMETER_FRICTION) {
    double friction, restitution;
    assert_int_equal(srs_sim_get_shape_material(sim, p->index, &friction, &restitution), SRS_OK);
    status = srs_sim_set_shape_material(sim, p->index, friction + by, restitution, &error);
  } else {
    double g[3];
    memcpy(g, srs_sim_get_options(sim)->gravity, sizeof g);
    g[p->component] += by;
    status = srs_sim_set_gravity(sim, g, &error);
  }
  if (status != SRS_OK) fail_msg("%s", error.message);
}

// The state after a step with the parameter moved.
static void step_with(const char *base, const char *v, const srs_parameter *p, double by, int nq, double *end)
{
  const bool is_length = p->kind == SRS_PARAMETER_JOINT_ORIGIN;
  world w = robot_at(base, v, 0.1 + (is_length ? by : 0));
  if (!is_length) move(w.sim, p, by);
  step(w.sim, 1);
  memcpy(end, srs_sim_q(w.sim), (size_t)nq * sizeof *end);
  memcpy(end + nq, srs_sim_v(w.sim), (size_t)srs_model_nv(w.model) * sizeof *end);
  unload(&w);
}

static void check(const char *what, const char *base, const char *v, const srs_parameter *list, int n, double least)
{
  world w = robot_at(base, v, 0.1);
  const int nv = srs_model_nv(w.model), nq = srs_model_nq(w.model);
  srs_linearisation *l = NULL;
  srs_linearisation_report report;
  srs_error error = {0};
  double P[2 * NV * MOST], up[2 * NV + 1], down[2 * NV + 1], column[2 * NV], worst = 0;
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  assert_int_equal(srs_linearisation_parameters(l, P), SRS_ERROR_ARGUMENT);
  if (srs_linearisation_set_parameters(l, list, n, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_sim_linearise(w.sim, l, NULL, NULL, &report, NULL), SRS_OK);
  assert_int_equal(report.status, SRS_LINEARISATION_SMOOTH);
  assert_true(report.n_active >= least);
  assert_int_equal(srs_linearisation_parameters(l, P), SRS_OK);
  for (int j = 0; j < n; j++) {
    const bool is_small = list[j].kind == SRS_PARAMETER_INERTIA || list[j].kind == SRS_PARAMETER_ARMATURE;
    const double by = is_small ? 1e-6 : 1e-5; // of moments of 1e-3 kg m^2
    step_with(base, v, &list[j], by, nq, up);
    step_with(base, v, &list[j], -by, nq, down);
    srs_difference(w.model, up, down, column);
    double most = 0, apart = 0;
    for (int i = 0; i < 2 * nv; i++) {
      column[i] = 0.5 / by * (i < nv ? column[i] : up[nq + i - nv] - down[nq + i - nv]);
      most = fmax(most, fabs(column[i]));
      apart = fmax(apart, fabs(column[i] - P[i * n + j]));
    }
    if (!(apart <= 1e-6 * fmax(most, 1e-2))) printf("  parameter %d: apart %.1e of %.1e\n", j, apart, most);
    worst = fmax(worst, apart / fmax(most, 1e-2));
  }
  printf("%s: %d parameters, %d active rows, error %.1e\n", what, n, report.n_active, worst);
  assert_true(worst < 1e-6);
  srs_linearisation_destroy(l);
  unload(&w);
}

static const srs_parameter of_floating[] = {
    {SRS_PARAMETER_MASS, 0, 0},        {SRS_PARAMETER_MASS, 1, 0},
    {SRS_PARAMETER_MASS, 2, 0},        {SRS_PARAMETER_COM, 0, 0},
    {SRS_PARAMETER_COM, 1, 1},         {SRS_PARAMETER_COM, 2, 2},
    {SRS_PARAMETER_INERTIA, 0, 0},     {SRS_PARAMETER_INERTIA, 1, 1},
    {SRS_PARAMETER_INERTIA, 2, 4},     {SRS_PARAMETER_JOINT_ORIGIN, 1, 0},
    {SRS_PARAMETER_ARMATURE, ARM, 0},  {SRS_PARAMETER_DAMPING, ARM, 0},
    {SRS_PARAMETER_STIFFNESS, ARM, 0}, {SRS_PARAMETER_DRY_FRICTION, ARM, 0},
    {SRS_PARAMETER_FRICTION, 0, 0},    {SRS_PARAMETER_FRICTION, 2, 0},
    {SRS_PARAMETER_GRAVITY, 0, 0},     {SRS_PARAMETER_GRAVITY, 0, 2},
};

enum { FLOATING = sizeof of_floating / sizeof *of_floating };

static void parameters_of_what_floats_slides_and_rolls(void **unused)
{
  (void)unused;
  check("slides", "floating", "root: [2, 1, -0.05, 1, 2, 3], ", of_floating, FLOATING, 4);
  check("rolls", "floating", "root: [0.02, 0.01, -0.05, -0.2, 0.4, 0.1], ", of_floating, FLOATING, 4);
  check("flies", "floating", "root: [2, 1, 3, 1, 2, 3], ", of_floating, FLOATING, 1);
}

static void parameters_of_a_fixed_base(void **unused)
{
  (void)unused;
  const srs_parameter list[] = {{SRS_PARAMETER_MASS, 2, 0},         {SRS_PARAMETER_COM, 2, 2},
                                {SRS_PARAMETER_INERTIA, 2, 1},      {SRS_PARAMETER_ARMATURE, 0, 0},
                                {SRS_PARAMETER_DAMPING, 0, 0},      {SRS_PARAMETER_STIFFNESS, 0, 0},
                                {SRS_PARAMETER_DRY_FRICTION, 0, 0}, {SRS_PARAMETER_GRAVITY, 0, 0}};
  check("on a fixed base", "fixed", "", list, 8, 1);
}

static void what_is_no_parameter_is_refused_by_number(void **unused)
{
  (void)unused;
  world w = robot_at("floating", "", 0.1);
  srs_linearisation *l = NULL;
  srs_error error = {0};
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  const srs_parameter wrong[] = {{SRS_PARAMETER_MASS, 99, 0},        {SRS_PARAMETER_COM, 0, 3},
                                 {SRS_PARAMETER_DRY_FRICTION, 0, 0}, {SRS_PARAMETER_FRICTION, -1, 0},
                                 {(srs_parameter_kind)99, 0, 0},     {SRS_PARAMETER_MASS, 0, 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const srs_parameter list[2] = {{SRS_PARAMETER_MASS, 0, 0}, wrong[i]};
    assert_int_equal(srs_linearisation_set_parameters(l, list, 2, &error), SRS_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "parameter 1"));
  }
  srs_linearisation_destroy(l);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_of_what_floats_slides_and_rolls),
      cmocka_unit_test(parameters_of_a_fixed_base),
      cmocka_unit_test(what_is_no_parameter_is_refused_by_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
