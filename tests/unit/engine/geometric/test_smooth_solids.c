// Shapes as the geometrically implicit step has them, wherever they are on links whose joints' axes lie anyhow.

#include "engine/dynamics/recursion.h"
#include "support/inside_sim.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

// Solids of many kinds on a chain of random joints.
static srs_model *decorated(testing_random *random)
{
  enum { LINKS = 5 };
  static const srs_shape_kind kinds[LINKS] = {SRS_SHAPE_SPHERE, SRS_SHAPE_BOX, SRS_SHAPE_CYLINDER, SRS_SHAPE_CAPSULE,
                                              SRS_SHAPE_ELLIPSOID};
  srs_builder *builder = testing_random_builder(random, LINKS, NULL, 0, 0.5);
  for (int i = 0; i < LINKS; i++) {
    char name[8] = "link0";
    name[4] = (char)('0' + i);
    srs_shape_def shape = srs_default_shape_def(kinds[i]);
    shape.link = name;
    const double rpy[3] = {testing_uniform(random, -3, 3), testing_uniform(random, -1, 1),
                           testing_uniform(random, -3, 3)};
    srs_rotation_from_rpy(rpy, shape.pose.rotation);
    for (int k = 0; k < 3; k++) {
      shape.size[k] = testing_uniform(random, 0.2, 0.5);
      shape.pose.position[k] = testing_uniform(random, -0.5, 0.5);
    }
    assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
  }
  srs_shape_def floor = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  floor.pose.position[2] = -1;
  assert_int_equal(srs_builder_add_shape(builder, &floor, NULL), SRS_OK);
  return testing_build(builder);
}

static double largest_value(const struct srs_geometric *g, const smooth_solid *solid, v3 point)
{
  const placement *at = solid->link < 0 ? &world_placement : &g->workspace->place[solid->link];
  double most = -INFINITY;
  for (int i = 0; i < solid->n; i++) {
    const smooth_part *part = &g->parts[solid->first + i];
    const m3 axes = m3_times_matrix(at->axes, &part->axes);
    const v3 local = m3_times_back(axes, point - (at->origin + m3_times_packed(at->axes, &part->offset)));
    most = fmax(most, srs_surface_value(&part->surface, (const double[3]){local[0], local[1], local[2]}));
  }
  return most;
}

// The collider's points lie on the surfaces.
static void solids_are_where_the_shapes_are(void **state)
{
  (void)state;
  enum { MOST = 400 };
  static srs_contact_point contacts[MOST];
  testing_random random = testing_random_start(3);
  int checked = 0;
  for (int run = 0; run < 20; run++) {
    srs_model *model = decorated(&random);
    srs_sim_options options = srs_default_sim_options();
    options.integrator = SRS_GEOMETRICALLY_IMPLICIT;
    srs_sim *sim;
    srs_error error;
    double q[64];
    if (srs_sim_create(model, &options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
    testing_random_q(&random, model, q);
    assert_int_equal(srs_sim_set_state(sim, 0, q, NULL, NULL), SRS_OK);
    srs_pose links[8];
    for (int k = 0; k < srs_model_n_links(model); k++)
      srs_frame_placement(srs_sim_workspace(sim), srs_model_find_frame(model, srs_model_link(model, k)->name),
                          &links[k]);
    int n = 0;
    assert_int_equal(srs_collider_contacts(srs_sim_collider(sim), links, 5, contacts, MOST, &n, NULL), SRS_OK);
    const struct srs_geometric *g = sim->geometric;
    for (int i = 0; i < n; i++)
      for (int s = 0; s < g->n_solids; s++) {
        const srs_shape *shape = srs_model_shape(model, g->solids[s].shape);
        const bool is_end = shape->kind == SRS_SHAPE_CAPSULE && g->parts[g->solids[s].first].surface.function == NULL;
        if (is_end) continue;
        if (contacts[i].shape_a == g->solids[s].shape)
          assert_true(fabs(largest_value(g, &g->solids[s], v3_load(contacts[i].point_a))) < 1e-8);
        if (contacts[i].shape_b == g->solids[s].shape)
          assert_true(fabs(largest_value(g, &g->solids[s], v3_load(contacts[i].point_b))) < 1e-8);
        checked++;
      }
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
  assert_true(checked > 200);
}

static void a_capsule_on_a_half_space_is_two_spheres(void **state)
{
  (void)state;
  testing_random random = testing_random_start(3);
  srs_model *model = decorated(&random);
  srs_sim_options options = srs_default_sim_options();
  options.integrator = SRS_GEOMETRICALLY_IMPLICIT;
  srs_sim *sim;
  assert_int_equal(srs_sim_create(model, &options, &sim, NULL), SRS_OK);
  const struct srs_geometric *g = sim->geometric;
  int ends = 0;
  for (int p = 0; p < g->n_pairs; p++) {
    srs_shape_kind kind[2];
    for (int s = 0; s < 2; s++) kind[s] = srs_model_shape(model, g->solids[g->pairs[p].solid[s]].shape)->kind;
    const int capsule = kind[0] == SRS_SHAPE_CAPSULE ? 0 : 1;
    if (kind[capsule] != SRS_SHAPE_CAPSULE || kind[1 - capsule] != SRS_SHAPE_HALF_SPACE) continue;
    assert_int_equal(g->parts[g->solids[g->pairs[p].solid[capsule]].first].surface.kind, SRS_SURFACE_SPHERE);
    ends++;
  }
  assert_int_equal(ends, 2);
  assert_int_equal(g->n_pairs, srs_collider_n_pairs(srs_sim_collider(sim)) + 1);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids_are_where_the_shapes_are),
      cmocka_unit_test(a_capsule_on_a_half_space_is_two_spheres),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
