// Is the operational-space inertia the inverse of J M^-1 J^T, and its pseudo-inverse where rows depend on each other?
// On random trees, against matrices made with LAPACK.

#include "support/matrices.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4, MOST = 6 * FRAMES, MOST_LINKS = 30, MOST_Q = 7 * MOST_LINKS };

typedef struct fixture {
  srs_model *model;
  srs_workspace *workspace;
  double q[MOST_Q];
  srs_constraint_frame frames[FRAMES];
  int n_frames, n; // n rows
  double W[MOST * MOST], lambda[MOST * MOST];
} fixture;

static void choose_rows(fixture *f, testing_random *random, int n_frames)
{
  f->n_frames = n_frames;
  f->n = 0;
  for (int i = 0; i < n_frames; i++) {
    f->frames[i].frame = testing_below(random, srs_model_n_frames(f->model));
    f->frames[i].axes = testing_below(random, 2) ? SRS_AXES_LOCAL : SRS_AXES_WORLD;
    f->frames[i].rows = i % 2 ? SRS_ROWS_POINT : (unsigned)testing_below(random, 64);
    for (unsigned r = 0; r < 6; r++) f->n += (int)(f->frames[i].rows >> r & 1u);
  }
}

static fixture start(testing_random *random, int n_links, bool floats, double depth_bias)
{
  fixture f = {0};
  static const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE, SRS_JOINT_PRISMATIC, SRS_JOINT_SPHERICAL};
  static const srs_joint_kind free_joint = SRS_JOINT_FREE;
  f.model = floats && n_links == 1
                ? testing_random_model(random, 1, &free_joint, 1, 1)
                : testing_random_model(random, n_links, floats ? NULL : kinds, 3 * !floats, depth_bias);
  assert_int_equal(srs_workspace_create(f.model, &f.workspace, NULL), SRS_OK);
  testing_random_q(random, f.model, f.q);
  choose_rows(&f, random, 1 + testing_below(random, FRAMES));
  testing_delassus(f.workspace, f.q, f.frames, f.n_frames, f.n, f.W);
  return f;
}

static void finish(fixture *f)
{
  srs_workspace_destroy(f->workspace);
  srs_model_destroy(f->model);
}

static srs_status call(fixture *f, bool pseudo_inverse)
{
  return srs_operational_space_inertia(f->workspace, f->q, f->frames, f->n_frames, f->n, pseudo_inverse, f->lambda);
}

// Eigenvalues of W above 1e-5 and above 1e-13 of the largest.
static void spectrum(const fixture *f, int *n_large, int *n_some)
{
  double A[MOST * MOST], values[MOST];
  memcpy(A, f->W, sizeof A);
  *n_large = *n_some = 0;
  if (f->n == 0) return;
  assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', f->n, A, f->n, values), 0);
  const double largest = fmax(values[f->n - 1], 0);
  for (int i = 0; i < f->n; i++) *n_large += values[i] > 1e-5 * largest, *n_some += values[i] > 1e-13 * largest;
}

static void assert_symmetric(const fixture *f)
{
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < i; j++) assert_true(f->lambda[i * f->n + j] == f->lambda[j * f->n + i]);
}

// With eigenvalues above 1e-5 of the largest the residual of an inverse is below 1e5 n^2 roundings: 1e-8.
static void assert_inverse(const fixture *f)
{
  double product[MOST * MOST], one[MOST * MOST] = {0};
  for (int i = 0; i < f->n; i++) one[(size_t)i * ((size_t)f->n + 1)] = 1;
  testing_product(f->n, f->lambda, f->W, product);
  testing_assert_close("Lambda J M^-1 J^T", product, one, f->n * f->n, 1e-8);
}

// W P W = W, P W P = P, and W P and P W symmetric; 1e-8 of each side's largest entry, as above.
static void assert_pseudo_inverse(const fixture *f)
{
  const int n = f->n;
  double WP[MOST * MOST], PW[MOST * MOST], whole[MOST * MOST], turned[MOST * MOST];
  testing_product(n, f->W, f->lambda, WP);
  testing_product(n, f->lambda, f->W, PW);
  testing_product(n, WP, f->W, whole);
  testing_assert_close("W P W", whole, f->W, n * n, 1e-8);
  testing_product(n, PW, f->lambda, whole);
  testing_assert_close("P W P", whole, f->lambda, n * n, 1e-8);
  for (int side = 0; side < 2; side++) {
    const double *product = side == 0 ? WP : PW;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) turned[i * n + j] = product[j * n + i];
    testing_assert_close("symmetry", product, turned, n * n, 1e-8);
  }
}

// Where LAPACK sees neither a clear rank nor none, either answer is right.
static void it_inverts_or_refuses_as_the_rank_says(void **state)
{
  (void)state;
  testing_random random = testing_random_start(61);
  static const int sizes[] = {1, 2, 3, 6, 12, MOST_LINKS};
  int inverted = 0, refused = 0;
  for (int round = 0; round < 600; round++) {
    fixture f = start(&random, sizes[round % 6], round % 2 == 0, 0.5 * (round / 12 % 3));
    int n_large, n_some;
    spectrum(&f, &n_large, &n_some);
    if (n_large == f.n) {
      assert_int_equal(call(&f, false), SRS_OK);
      assert_symmetric(&f);
      assert_inverse(&f);
      double plain[MOST * MOST];
      memcpy(plain, f.lambda, sizeof plain);
      assert_int_equal(call(&f, true), SRS_OK);
      assert_memory_equal(plain, f.lambda, (size_t)(f.n * f.n) * sizeof *plain);
      inverted++;
    } else if (n_large == n_some) {
      assert_int_equal(call(&f, false), SRS_ERROR_SINGULAR);
      assert_int_equal(call(&f, true), SRS_OK);
      assert_symmetric(&f);
      assert_pseudo_inverse(&f);
      refused++;
    }
    finish(&f);
  }
  assert_true(inverted > 100);
  assert_true(refused > 100);
}

// A planar arm of two joints about z, 1 m and 1 m long; its tip is named `tip`.
static srs_model *arm(void)
{
  srs_builder *builder = srs_builder_create();
  srs_error error;
  for (int k = 0; k < 2; k++) {
    srs_link_def link = srs_default_link_def();
    link.name = k == 0 ? "upper" : "lower";
    link.mass = 1;
    for (int i = 0; i < 3; i++) link.inertia[i] = 0.1;
    assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    joint.name = k == 0 ? "shoulder" : "elbow";
    joint.parent = k == 0 ? NULL : "upper";
    joint.child = link.name;
    joint.axis[0] = 0, joint.axis[2] = 1;
    joint.origin.position[0] = k;
    assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  }
  srs_pose tip = srs_identity_pose();
  tip.position[0] = 1;
  assert_int_equal(srs_builder_add_frame(builder, "tip", "lower", &tip, &error), SRS_OK);
  return testing_build(builder);
}

static void the_frame_of_a_dependent_row_is_named_with_the_cure(void **state)
{
  (void)state;
  fixture f = {.model = arm(), .n_frames = 1};
  assert_int_equal(srs_workspace_create(f.model, &f.workspace, NULL), SRS_OK);
  const int tip = srs_model_find_frame(f.model, "tip"), lower = srs_model_find_frame(f.model, "lower");
  static const struct {
    double elbow;
    unsigned rows;
    const char *text;
  } cases[] = {
      {0.5, 0x38,
       "the row linear z of frame 'tip' cannot move in this configuration (2 of 3 rows are independent); leave out"},
      {0, 0x18, "the row linear x of frame 'tip' cannot move"},
      {0.5, 0x0c, "the row linear x of frame 'tip' depends on the other rows in this configuration (1 of 2 rows"},
      {0.8, 0x1c, "the row linear y of frame 'tip' depends on the other rows in this configuration (2 of 3 rows"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    f.q[0] = cases[i].elbow > 0.5 ? 0.3 : 0; // at 0 both joints move the tip alike along x
    f.q[1] = cases[i].elbow;
    f.frames[0] = (srs_constraint_frame){tip, SRS_AXES_WORLD, cases[i].rows};
    f.n = MOST;
    assert_int_equal(call(&f, false), SRS_ERROR_SINGULAR);
    assert_string_equal(srs_workspace_error(f.workspace)->subject, "tip");
    if (strstr(srs_workspace_error(f.workspace)->message, cases[i].text) == NULL)
      fail_msg("%s", srs_workspace_error(f.workspace)->message);
    assert_non_null(strstr(srs_workspace_error(f.workspace)->message, "pseudo-inverse"));
  }
  f.q[1] = 0.5;
  f.n_frames = 2;
  f.frames[0] = (srs_constraint_frame){tip, SRS_AXES_WORLD, 0x18};
  f.frames[1] = (srs_constraint_frame){lower, SRS_AXES_WORLD, 0x20 | 0x04};
  assert_int_equal(call(&f, false), SRS_ERROR_SINGULAR);
  assert_string_equal(srs_workspace_error(f.workspace)->subject, "lower");
  finish(&f);
}

static void what_delassus_refuses_is_refused(void **state)
{
  (void)state;
  fixture f = {.model = arm(), .n_frames = 1, .n = 1, .frames = {{0, SRS_AXES_WORLD, SRS_ROWS_POINT}}};
  assert_int_equal(srs_workspace_create(f.model, &f.workspace, NULL), SRS_OK);
  assert_int_equal(call(&f, true), SRS_ERROR_ARGUMENT); // room for one row, three are selected
  f.n = 3, f.frames[0].frame = 99;
  assert_int_equal(call(&f, true), SRS_ERROR_ARGUMENT);
  f.frames[0].frame = 0, f.q[0] = NAN;
  assert_int_equal(call(&f, true), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_operational_space_inertia(NULL, f.q, f.frames, 1, 3, true, f.lambda), SRS_ERROR_ARGUMENT);
  f.q[0] = 0, f.n_frames = 0;
  assert_int_equal(srs_operational_space_inertia(f.workspace, f.q, NULL, 0, 0, false, NULL), SRS_OK);
  finish(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_inverts_or_refuses_as_the_rank_says),
      cmocka_unit_test(the_frame_of_a_dependent_row_is_named_with_the_cure),
      cmocka_unit_test(what_delassus_refuses_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
