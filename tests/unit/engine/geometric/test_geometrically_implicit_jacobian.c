// The derivatives of the geometrically implicit step's equations against differences of them.

#include "engine/geometric/geometrically_implicit_jacobian.h"
#include "engine/geometric/geometrically_implicit_rows.h"
#include "engine/geometric/quasi_rigid.h"
#include "support/inside_sim.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_shape(srs_builder *builder, testing_random *random, const char *link)
{
  static const srs_shape_kind kinds[] = {SRS_SHAPE_ELLIPSOID, SRS_SHAPE_BOX, SRS_SHAPE_SPHERE, SRS_SHAPE_CYLINDER};
  srs_shape_def shape = srs_default_shape_def(kinds[testing_below(random, 4)]);
  shape.link = link;
  shape.material = "wood";
  for (int i = 0; i < 3; i++) {
    shape.size[i] = testing_uniform(random, 0.4, 1);
    shape.pose.position[i] = testing_uniform(random, -0.3, 0.3);
  }
  const double rpy[3] = {testing_uniform(random, -3, 3), testing_uniform(random, -1, 1),
                         testing_uniform(random, -3, 3)};
  srs_rotation_from_rpy(rpy, shape.pose.rotation);
  assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
}

// A tree whose links carry solids that overlap each other and the ground, with a loop and limits.
static srs_model *crowd(testing_random *random, int n_links)
{
  srs_builder *builder = testing_random_builder(random, n_links, NULL, 0, 0.5);
  for (int i = 0; i < n_links; i++) {
    char name[32];
    snprintf(name, sizeof name, "link%d", i);
    add_shape(builder, random, name);
  }
  srs_shape_def ground = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  ground.name = "ground";
  assert_int_equal(srs_builder_add_shape(builder, &ground, NULL), SRS_OK);
  if (n_links > 1) {
    srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
    closure.name = "loop";
    closure.frame_a = "link0", closure.frame_b = "link1";
    assert_int_equal(srs_builder_add_closure(builder, &closure, NULL), SRS_OK);
  }
  return testing_build(builder);
}

// Velocities of about 1, points within centimetres of where they start, weights and impulses of about 1.
static void random_unknowns(const struct srs_geometric *g, testing_random *random, double *z)
{
  const int nv = g->model->nv;
  for (int i = 0; i < nv; i++) z[i] = testing_uniform(random, -1, 1) / g->scale[i];
  for (int i = nv; i < nv + g->n_rows; i++) z[i] = testing_uniform(random, -1, 1);
  for (int k = 0; k < g->n_contacts; k++) {
    const smooth_contact *c = &g->contacts[k];
    for (int i = 0; i < 4; i++) z[c->first + i] = testing_uniform(random, -0.05, 0.05) / c->gap_scale;
    for (int i = srs_smooth_multiplier(c, 0); i <= srs_smooth_impulse(c); i++) z[i] = testing_uniform(random, 0.2, 1);
    for (int i = 0; i < c->n_friction; i++) z[srs_smooth_impulse(c) + 1 + i] = testing_uniform(random, -1, 1);
    for (int l = 0; l < g->pairs[c->pair].n_layers; l++)
      for (int row = 0; row < srs_layer_size(c); row++)
        z[srs_layer_unknown(c, l, row)] = testing_uniform(random, -0.05, 0.05) / c->gap_scale;
  }
}

static double worst_difference(struct srs_geometric *g, testing_random *random)
{
  const int n = g->n;
  double *z = calloc((size_t)n, sizeof *z), *J = calloc((size_t)n * (size_t)n, sizeof *J);
  double *F[4];
  for (int k = 0; k < 4; k++) F[k] = calloc((size_t)n, sizeof *z);
  random_unknowns(g, random, z);
  srs_geometric_jacobian(g, z, J, n);
  double worst = 0;
  for (int j = 0; j < n; j++) { // order 4: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h
    const double step = 1e-4 * fmax(1, fabs(z[j])), at = z[j], places[4] = {step, -step, 2 * step, -2 * step};
    for (int k = 0; k < 4; k++) {
      z[j] = at + places[k];
      srs_geometric_function(g, z, F[k]);
    }
    z[j] = at;
    for (int i = 0; i < n; i++) {
      const double slope = (8 * (F[0][i] - F[1][i]) - (F[2][i] - F[3][i])) / (12 * step);
      const double found = J[(size_t)i * (size_t)n + (size_t)j], off = fabs(found - slope) / fmax(1, fabs(slope));
      if (off > 1e-6)
        print_message("row %d column %d of %d (nv %d): %g, not %g\n", i, j, n, g->model->nv, found, slope);
      worst = fmax(worst, off);
    }
  }
  for (int k = 0; k < 4; k++) free(F[k]);
  free(z);
  free(J);
  return worst;
}

static void the_jacobian_is_the_derivative(void **state)
{
  (void)state;
  testing_random random = testing_random_start(64);
  int contacts = 0;
  for (int run = 0; run < 40; run++) {
    srs_model *model = crowd(&random, 1 + run % 4);
    srs_sim_options options = srs_default_sim_options();
    srs_material wood = srs_default_material("wood");
    wood.friction = run % 3 == 0 ? 0.1 : 0.9;
    wood.torsional = 0.2;
    if (run % 2 == 0) wood.direction[run % 3] = 1, wood.along = 0.5, wood.across = 1.5;
    wood.layer.thickness = run % 5 == 0 ? 0 : run % 2 == 0 ? 0.02 : INFINITY;
    for (int i = 0; i < 9; i++) {
      wood.layer.stiffness[i] = (i % 4 == 0 ? 3 : 1) * pow(10, run % 4) * testing_uniform(&random, 0.5, 1);
      wood.layer.damping[i] = (i % 4 == 0 ? 3 : 1) * testing_uniform(&random, 0.5, 1);
    }
    options.contact.materials = &wood, options.contact.n_materials = 1;
    options.integrator = SRS_GEOMETRICALLY_IMPLICIT;
    options.dt = 0.1;
    options.contact.solver.most_work = 1; // the system is wanted, not its answer
    srs_sim *sim;
    srs_error error;
    double q[64], v[64];
    if (srs_sim_create(model, &options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
    testing_random_q(&random, model, q);
    testing_random_v(&random, model, 1, v);
    assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
    (void)srs_sim_step(sim, 1, NULL); // solved or not, it sets the system up
    assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
    sim->geometric->has_values = false;
    contacts += sim->geometric->n_contacts;
    assert_true(worst_difference(sim->geometric, &random) < 1e-6); // where no kink lies within the differences
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
  assert_true(contacts > 40);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_jacobian_is_the_derivative)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
