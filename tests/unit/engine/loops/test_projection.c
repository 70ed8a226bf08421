// Does the projection close loops to rounding, by the least correction, however redundant their rows are?

#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/projection.h"
#include "support/linkages.h"

#include <stdlib.h>
#include <string.h>

typedef struct bench {
  srs_model *model;
  srs_workspace *w;
  srs_projector *projector;
} bench;

static bench start(srs_builder *builder)
{
  bench b = {.model = testing_build(builder)};
  assert_int_equal(srs_workspace_create(b.model, &b.w, NULL), SRS_OK);
  assert_int_equal(srs_projector_create(b.w, &b.projector), SRS_OK);
  return b;
}

static void finish(bench *b)
{
  srs_projector_destroy(b->projector);
  srs_workspace_destroy(b->w);
  srs_model_destroy(b->model);
}

static void close_loops(bench *b, double *q)
{
  int bad = -1;
  const srs_status status = srs_project_closures(b->projector, 0, q, &bad);
  if (status != SRS_OK || !(srs_projection_gap(b->projector) <= 1e-12))
    fail_msg("%s, a gap of %g after %d evaluations", srs_status_string(status), srs_projection_gap(b->projector),
             srs_projection_evaluations(b->projector));
}

// From gaps of 1e-7 … 1e-2 next to configurations that are closed.
static void check_linkage(srs_builder *builder, const double *closed, int most_evaluations)
{
  testing_random random = testing_random_start(621);
  bench b = start(builder);
  double q[16], v[16];
  int evaluations = 0;
  for (int run = 0; run < 100; run++) {
    const double size = pow(10, -7 + run % 6);
    testing_random_v(&random, b.model, size, v);
    srs_integrate(b.model, closed, v, 1, q);
    close_loops(&b, q);
    if (size < 1e-3 && srs_projection_evaluations(b.projector) > evaluations)
      evaluations = srs_projection_evaluations(b.projector);
    srs_difference(b.model, q, closed, v);
    for (int i = 0; i < srs_model_nv(b.model); i++) assert_true(fabs(v[i]) < 50 * size); // near where it started
  }
  print_message("gaps were computed at most %d times from gaps below 1e-3\n", evaluations);
  assert_true(evaluations <= most_evaluations);
  finish(&b);
}

static void linkages_close_from_nearby(void **state)
{
  (void)state;
  const double zero[8] = {0};
  double q[4];
  linkages_bennett_q(100 * linkages_pi / 180, q);
  check_linkage(linkages_four_bar(SRS_CLOSURE_POINT, 1), zero, 6);
  check_linkage(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1), zero, 6);
  check_linkage(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 2), zero, 6); // every row twice
  check_linkage(linkages_sarrus(), zero, 6);
  check_linkage(linkages_bennett(false), q, 6);
  check_linkage(linkages_bennett(true), q, 6);
}

// The first correction is M^-1 G^T times something: it takes no kinetic energy from motions that keep loops closed.
static void the_correction_is_least_in_kinetic_energy(void **state)
{
  (void)state;
  bench b = start(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1));
  const double before[3] = {1e-6, -2e-6, 3e-6};
  double q[3], d[3], M[9], slide[3], sum = 0;
  memcpy(q, before, sizeof q);
  close_loops(&b, q);
  srs_difference(b.model, q, before, d);
  assert_int_equal(srs_mass_matrix(b.w, q, M), SRS_OK);
  // The motion that keeps it closed: by the loop's two equations, from positions of the pins.
  const double cx = 0.2987218950531729, cz = 0.1823875802126918, rx = -0.1012781049468271, rz = 0.2823875802126918;
  const double A[2][3] = {{cz + 0.1, cz, -rz}, {-cx, -cx, rx}}; // turned about y: (z, -x)
  slide[0] = A[0][1] * A[1][2] - A[0][2] * A[1][1];
  slide[1] = A[0][2] * A[1][0] - A[0][0] * A[1][2];
  slide[2] = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  double size = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      sum += slide[i] * M[3 * i + j] * d[j];
      size += fabs(slide[i] * M[3 * i + j] * d[j]);
    }
  assert_true(fabs(sum) < 1e-5 * size); // d is of order 1e-6: so is its second order, relative
  finish(&b);
}

// Random trees of all joints, closed by what fits their random configuration, then displaced.
static void random_loops_close(void **state)
{
  (void)state;
  testing_random random = testing_random_start(622);
  for (int run = 0; run < 60; run++) {
    srs_builder *builder = testing_random_builder(&random, 14, NULL, 0, 0.8);
    srs_model *open = NULL;
    assert_int_equal(srs_builder_build(builder, NULL, &open, NULL), SRS_OK);
    double *q = calloc((size_t)srs_model_nq(open), sizeof *q), *v = calloc((size_t)srs_model_nv(open), sizeof *v);
    assert_true(q != NULL && v != NULL);
    testing_random_q(&random, open, q);
    srs_workspace *w = NULL;
    assert_int_equal(srs_workspace_create(open, &w, NULL), SRS_OK);
    assert_int_equal(srs_forward_kinematics(w, q), SRS_OK);
    srs_closure_def def = srs_default_closure_def((srs_closure_kind)(run % SRS_CLOSURE_ROD)); // point … slider
    def.name = "loop";
    def.frame_b = "link13";
    const int frame = srs_model_find_frame(open, "link13");
    assert_int_equal(srs_frame_placement(w, frame, &def.pose_a), SRS_OK); // where it is, held to the world
    linkages_close(builder, &def);
    srs_workspace_destroy(w);
    srs_model_destroy(open);
    bench b = start(builder);
    testing_random_v(&random, b.model, 0.01, v);
    srs_integrate(b.model, q, v, 1, q);
    close_loops(&b, q);
    free(q);
    free(v);
    finish(&b);
  }
}

// Velocities: along the loops afterwards, by the least change in kinetic energy, and a second time by none.
static void velocities_are_projected_along_the_loops(void **state)
{
  (void)state;
  testing_random random = testing_random_start(623);
  for (int which = 0; which < 3; which++) {
    bench b = start(which == 0   ? linkages_sarrus()
                    : which == 1 ? linkages_bennett(true)
                                 : linkages_four_bar(SRS_CLOSURE_REVOLUTE, 2));
    const int nv = b.model->nv;
    double q[5] = {0}, v[5], once[5], again[5], M[25];
    if (which == 1) linkages_bennett_q(1.2, q);
    for (int run = 0; run < 20; run++) {
      testing_random_v(&random, b.model, 1e-4, v);
      srs_integrate(b.model, q, v, 1, q);
      close_loops(&b, q);
      const bool is_fresh = run % 2 == 0; // the metric is that of q, not that of where q was before
      if (is_fresh) close_loops(&b, q);
      testing_random_v(&random, b.model, 1, v);
      memcpy(once, v, sizeof v);
      int bad;
      assert_int_equal(srs_project_velocities(b.projector, 0, q, once, &bad), SRS_OK);
      memcpy(again, once, sizeof once);
      assert_int_equal(srs_project_velocities(b.projector, 0, q, again, &bad), SRS_OK);
      testing_assert_close("projected twice", again, once, nv, 1e-11); // pivots down to 1e-4 or so
      srs_closure_row rows[16];
      srs_place_links(b.w, q);
      srs_move_links(b.w, once);
      const int n = srs_closure_rows(b.w, q, 0, rows);
      for (int i = 0; i < n; i++) assert_true(fabs(srs_row_velocity(&rows[i].row, b.w->velocity, once)) < 1e-12);
      assert_int_equal(srs_mass_matrix(b.w, q, M), SRS_OK);
      double inner = 0; // of what was taken away and what is left
      for (int i = 0; i < nv; i++)
        for (int j = 0; j < nv; j++) inner += (v[i] - once[i]) * M[i * nv + j] * once[j];
      assert_true(fabs(inner) < (is_fresh ? 1e-12 : 1e-3));
    }
    finish(&b);
  }
}

static void what_cannot_close_is_named_and_left(void **state)
{
  (void)state;
  srs_builder *builder = linkages_four_bar(SRS_CLOSURE_POINT, 1);
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_ROD);
  def.name = "too short";
  def.frame_b = "crank";
  def.pose_b.position[2] = 0.1;
  def.length = 0.2; // the crank's pin is 0.1 m from the world's origin
  linkages_close(builder, &def);
  bench b = start(builder);
  double q[3] = {0.01, 0, 0};
  int bad = -1;
  assert_int_equal(srs_project_closures(b.projector, 0, q, &bad), SRS_ERROR_UNREACHABLE);
  assert_true(q[0] == 0.01 && q[1] == 0 && q[2] == 0);
  assert_string_equal(srs_model_loop_name(b.model, srs_projection_loop(b.projector)), "too short");
  assert_true(fabs(srs_projection_gap(b.projector) - 0.1) < 1e-3);
  finish(&b);
}

static void what_is_closed_stays_as_it_is(void **state)
{
  (void)state;
  bench b = start(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1));
  double q[3] = {0, 0, 0};
  close_loops(&b, q);
  assert_true(q[0] == 0 && q[1] == 0 && q[2] == 0);
  assert_int_equal(srs_projection_evaluations(b.projector), 1);
  finish(&b);
  srs_builder *builder = srs_builder_create();
  linkages_add(builder, "h", "l", NULL, srs_identity_pose(), 0, 0, 1);
  b = start(builder);
  assert_null(b.projector);
  finish(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linkages_close_from_nearby),
      cmocka_unit_test(the_correction_is_least_in_kinetic_energy),
      cmocka_unit_test(random_loops_close),
      cmocka_unit_test(velocities_are_projected_along_the_loops),
      cmocka_unit_test(what_cannot_close_is_named_and_left),
      cmocka_unit_test(what_is_closed_stays_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
