// Do passes over groups of links, and those that choose by addresses, give what the plain recursion gives? Random trees
// of mixed joints, from chains with branches to bushes.
//
// Tolerance 1e-11 of the largest: sums over a few hundred links, of numbers up to a hundred times their result.
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/levels/levels.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Mostly joints that share groups, and one kind in sixteen that has one to itself.
#define THREE SRS_JOINT_REVOLUTE, SRS_JOINT_CONTINUOUS, SRS_JOINT_PRISMATIC
static const srs_joint_kind mixed[] = {
    THREE, THREE, THREE, THREE, THREE, SRS_JOINT_SPHERICAL, THREE, THREE, THREE, THREE, THREE, SRS_JOINT_HELICAL,
    THREE, THREE, THREE, THREE, THREE, SRS_JOINT_FREE,      THREE, THREE, THREE, THREE, THREE, SRS_JOINT_UNIVERSAL};
static const srs_joint_kind hinges[] = {SRS_JOINT_REVOLUTE};
enum { N_MIXED = sizeof mixed / sizeof mixed[0] };

typedef struct fixture {
  srs_model *model;
  srs_workspace *w;
  size_t n, nv;
  double *q, *v, *a, *tau, *out, *wrenches;
  v6 *force;
} fixture;

static void *zeros(size_t n, size_t size)
{
  void *x = calloc(n + 1, size);
  assert_non_null(x);
  return x;
}

static fixture start_of(testing_random *random, srs_model *model)
{
  fixture f = {.model = model};
  srs_error error = {0};
  if (srs_workspace_create(f.model, &f.w, &error) != SRS_OK) fail_msg("%s", error.message);
  f.n = (size_t)srs_model_n_links(f.model), f.nv = (size_t)srs_model_nv(f.model);
  f.q = zeros((size_t)srs_model_nq(f.model), sizeof *f.q);
  f.v = zeros(f.nv, sizeof *f.v), f.a = zeros(f.nv, sizeof *f.a);
  f.tau = zeros(f.nv, sizeof *f.tau), f.out = zeros(f.nv, sizeof *f.out);
  f.wrenches = zeros(6 * f.n, sizeof *f.wrenches);
  f.force = aligned_alloc(64, (f.n * sizeof *f.force + 63) / 64 * 64);
  assert_non_null(f.force);
  testing_random_q(random, f.model, f.q);
  testing_random_v(random, f.model, 1, f.v);
  testing_random_v(random, f.model, 1, f.a);
  for (size_t i = 0; i < 6 * f.n; i++) f.wrenches[i] = testing_uniform(random, -1, 1);
  return f;
}

static fixture start(testing_random *random, int n_links, double depth_bias, const srs_joint_kind *kinds, int n_kinds)
{
  return start_of(random, testing_random_model(random, n_links, kinds, n_kinds, depth_bias));
}

static void finish(fixture *f)
{
  free(f->q), free(f->v), free(f->a), free(f->tau), free(f->out), free(f->wrenches), free(f->force);
  srs_workspace_destroy(f->w);
  srs_model_destroy(f->model);
}

// Each link after the other, in the world's axes.
static void plain_recursion(fixture *f, const double *wrenches)
{
  const srs_workspace *w = f->w;
  const srs_model *m = w->model;
  assert_int_equal(srs_forward_acceleration(f->w, f->q, f->v, f->a), SRS_OK);
  for (int k = 0; k < m->n_links; k++) {
    const body b = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
    const v6 a = {w->acceleration[k].ang, w->acceleration[k].lin - w->gravity};
    f->force[k] = body_force(&b, w->velocity[k].ang, a);
    if (wrenches != NULL) f->force[k] = v6_add_scaled(f->force[k], -1, v6_load(wrenches + 6 * (size_t)k));
  }
  for (int k = m->n_links - 1; k >= 0; k--) {
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++)
      f->out[i] = v6_dot(joint_column(w, k, i), f->force[k]) + m->armature[i] * f->a[i];
    const int p = m->parent[k];
    if (p >= 0) f->force[p] = v6_add(f->force[p], carry_force(f->force[k], w->place[k].arm));
  }
}

static void compare_with_plain(fixture *f, const double *wrenches)
{
  plain_recursion(f, wrenches);
  assert_int_equal(srs_inverse_dynamics(f->w, f->q, f->v, f->a, wrenches, f->tau), SRS_OK);
  testing_assert_close("torque", f->tau, f->out, (int)f->nv, 1e-11);
  for (size_t k = 0; k < f->n; k++) {
    double wrench[6], expected[6];
    assert_int_equal(srs_joint_wrench(f->w, (int)k, wrench), SRS_OK);
    v6_store(expected, f->force[k]);
    testing_assert_close("wrench", wrench, expected, 6, 1e-11);
  }
}

static void inverse_dynamics_by_groups_is_the_plain_recursion(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2611);
  const int sizes[] = {100, 130, 400, 1000};
  int n_grouped = 0; // of a small tree the groups may be too empty
  for (int round = 0; round < 24; round++) {
    const bool is_mixed = round % 2 == 0;
    fixture f =
        start(&random, sizes[round / 2 % 4], 0.25 * (round % 3), is_mixed ? mixed : hinges, is_mixed ? N_MIXED : 1);
    n_grouped += f.w->levels != NULL;
    compare_with_plain(&f, round % 4 < 2 ? f.wrenches : NULL);
    finish(&f);
  }
  assert_true(n_grouped >= 16);
}

static void fixed_joints_have_no_coordinate_in_a_group(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2612);
  const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE, SRS_JOINT_FIXED, SRS_JOINT_PRISMATIC};
  for (int round = 0; round < 4; round++) {
    srs_build_options options = srs_default_build_options();
    options.keep_fixed_joints = true;
    srs_model *model = NULL;
    srs_error error = {0};
    srs_builder *builder = testing_random_builder(&random, 300, kinds, 3, 0.3);
    if (srs_builder_build(builder, &options, &model, &error) != SRS_OK) fail_msg("%s", error.message);
    srs_builder_destroy(builder);
    fixture f = start_of(&random, model);
    assert_non_null(f.w->levels);
    compare_with_plain(&f, f.wrenches);
    finish(&f);
  }
}

// Each link has one slot, its parent's group comes before its own, and its parent's motion is still in the ring then.
static void every_link_follows_its_parent(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2613);
  for (int round = 0; round < 12; round++) {
    fixture f = start(&random, 300 + testing_below(&random, 700), 0.1 * (round % 5), mixed, N_MIXED);
    const srs_levels *l = f.w->levels;
    assert_non_null(l);
    int n_filled = 0;
    for (int slot = 0; slot < l->n_slots; slot++) {
      const int k = l->link[slot];
      if (k < 0) continue;
      n_filled++;
      assert_int_equal(l->slot[k], slot);
      const int p = f.model->parent[k];
      if (p < 0) {
        assert_int_equal(l->parent[slot], l->n_slots);
        continue;
      }
      const int first = slot / SRS_LEVEL_LANES * SRS_LEVEL_LANES;
      assert_int_equal(l->parent[slot], l->slot[p]);
      assert_true(l->slot[p] < first && first - l->slot[p] <= l->ring_mask + 1);
      assert_int_equal(l->from[slot], l->slot[p] & l->ring_mask);
    }
    assert_int_equal(n_filled, (int)f.n);
    finish(&f);
  }
}

static void chains_and_joints_with_columns_go_link_by_link(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2614);
  const srs_joint_kind balls[] = {SRS_JOINT_SPHERICAL};
  fixture chain = start(&random, 300, 1, hinges, 1), bush = start(&random, 300, 0, balls, 1),
          few = start(&random, 40, 0, hinges, 1);
  assert_null(chain.w->levels);
  assert_null(bush.w->levels);
  assert_null(few.w->levels);
  finish(&chain), finish(&bush), finish(&few);
}

// Trees so long that passes choose by addresses.
static void forward_dynamics_of_long_trees_undoes_inverse_dynamics(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2615);
  for (int round = 0; round < 4; round++) {
    fixture f = start(&random, VERY_LONG + 500, 0.3 * (round % 2), round < 2 ? mixed : NULL, round < 2 ? N_MIXED : 0);
    assert_true(has_far_parents(f.w));
    plain_recursion(&f, f.wrenches);
    memcpy(f.tau, f.out, f.nv * sizeof *f.tau);
    assert_int_equal(srs_forward_dynamics(f.w, f.q, f.v, f.tau, f.wrenches, f.out), SRS_OK);
    testing_assert_close("acceleration", f.out, f.a, (int)f.nv, 1e-10);
    finish(&f);
  }
}

// Motion of the points per force on them, by forward dynamics at rest.
static void the_delassus_matrix_of_long_trees_is_what_forces_do(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2616);
  fixture f = start(&random, VERY_LONG + 300, 0.4, mixed, N_MIXED);
  enum { POINTS = 3, ROWS = 3 * POINTS };
  const double none[3] = {0, 0, 0};
  srs_constraint_frame points[POINTS];
  double W[ROWS * ROWS], expected[ROWS * ROWS];
  for (int i = 0; i < POINTS; i++)
    points[i] = (srs_constraint_frame){testing_below(&random, (int)f.n), SRS_AXES_WORLD, SRS_ROWS_POINT};
  assert_int_equal(srs_workspace_set_gravity(f.w, none), SRS_OK);
  memset(f.v, 0, f.nv * sizeof *f.v), memset(f.tau, 0, f.nv * sizeof *f.tau);
  for (int j = 0; j < ROWS; j++) {
    double unit[6] = {0}, motion[6];
    unit[3 + j % 3] = 1;
    memset(f.wrenches, 0, 6 * f.n * sizeof *f.wrenches);
    assert_int_equal(srs_forward_kinematics(f.w, f.q), SRS_OK);
    assert_int_equal(srs_add_wrench(f.w, points[j / 3].frame, SRS_AXES_WORLD, unit, f.wrenches), SRS_OK);
    assert_int_equal(srs_forward_dynamics(f.w, f.q, f.v, f.tau, f.wrenches, f.out), SRS_OK);
    assert_int_equal(srs_forward_acceleration(f.w, f.q, f.v, f.out), SRS_OK);
    for (int i = 0; i < POINTS; i++) {
      assert_int_equal(srs_frame_acceleration(f.w, points[i].frame, SRS_AXES_WORLD, motion), SRS_OK);
      for (int r = 0; r < 3; r++) expected[(3 * i + r) * ROWS + j] = motion[3 + r];
    }
  }
  assert_int_equal(srs_delassus(f.w, f.q, points, POINTS, ROWS, W), SRS_OK);
  testing_assert_close("Delassus matrix", W, expected, ROWS * ROWS, 1e-10);
  finish(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_dynamics_by_groups_is_the_plain_recursion),
      cmocka_unit_test(fixed_joints_have_no_coordinate_in_a_group),
      cmocka_unit_test(every_link_follows_its_parent),
      cmocka_unit_test(chains_and_joints_with_columns_go_link_by_link),
      cmocka_unit_test(forward_dynamics_of_long_trees_undoes_inverse_dynamics),
      cmocka_unit_test(the_delassus_matrix_of_long_trees_is_what_forces_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
