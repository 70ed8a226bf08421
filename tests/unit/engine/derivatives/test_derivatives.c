// Are the analytic derivatives those of the functions? Random trees with every joint kind, against central differences
// of sixth order along srs_integrate.
//
// Differences of step h = 2e-3 have an error of h^6 / 140 times the seventh derivative and of 1e-16 / h times the
// value: together below 1e-9 of the largest entry where speeds are about 1. Identities hold to 1e-12 of it.

#include "support/matrices.h"
#include "unit/engine/robot_files.h"
#include <sarrus/derivatives.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  srs_model *model;
  srs_workspace *w;
  int nq, nv, frame;
  srs_axes axes;
  double *q, *v, *a, *tau, *wrenches; // a state
  double *q_moved, *v_moved;
} fixture;

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static fixture start_with(testing_random *random, srs_model *model)
{
  fixture f = {.model = model};
  const int n_links = srs_model_n_links(model);
  assert_int_equal(srs_workspace_create(f.model, &f.w, NULL), SRS_OK);
  assert_int_equal(srs_workspace_reserve_derivatives(f.w), SRS_OK);
  f.nq = srs_model_nq(f.model), f.nv = srs_model_nv(f.model);
  f.q = numbers((size_t)f.nq), f.q_moved = numbers((size_t)f.nq);
  f.v = numbers((size_t)f.nv), f.v_moved = numbers((size_t)f.nv);
  f.a = numbers((size_t)f.nv), f.tau = numbers((size_t)f.nv);
  f.wrenches = numbers(6 * (size_t)n_links);
  testing_random_q(random, f.model, f.q);
  testing_random_v(random, f.model, 1, f.v);
  testing_random_v(random, f.model, 1, f.a);
  testing_random_v(random, f.model, 1, f.tau);
  for (int i = 0; i < 6 * n_links; i++) f.wrenches[i] = testing_uniform(random, -1, 1);
  f.frame = testing_below(random, srs_model_n_frames(f.model));
  f.axes = testing_below(random, 2) ? SRS_AXES_LOCAL : SRS_AXES_WORLD;
  return f;
}

static fixture start(testing_random *random, int n_links, double depth_bias)
{
  return start_with(random, testing_random_model(random, n_links, NULL, 0, depth_bias));
}

static void finish(fixture *f)
{
  free(f->q), free(f->v), free(f->a), free(f->tau), free(f->wrenches), free(f->q_moved), free(f->v_moved);
  srs_workspace_destroy(f->w);
  srs_model_destroy(f->model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Differences
// ---------------------------------------------------------------------------------------------------------------------

// A function of the state; writes n numbers.
typedef void function(fixture *f, const double *q, const double *v, double *out);

static const double h = 2e-3;

// Of the value at k h, k from -3 to 3.
static double weight(int k)
{
  static const double half[3] = {3. / 4, -3. / 20, 1. / 60};
  return (k > 0 ? 1 : -1) * half[abs(k) - 1] / h;
}

typedef enum variable { BY_Q, BY_V } variable;

// n x nv: how the function's values change with each coordinate.
static void differences(fixture *f, function *value, variable by, int n, double *matrix)
{
  double *out = numbers((size_t)n), *step = numbers((size_t)f->nv);
  memset(matrix, 0, (size_t)n * (size_t)f->nv * sizeof *matrix);
  for (int j = 0; j < f->nv; j++)
    for (int k = -3; k <= 3; k++) {
      if (k == 0) continue;
      step[j] = 1;
      memcpy(f->q_moved, f->q, (size_t)f->nq * sizeof *f->q);
      memcpy(f->v_moved, f->v, (size_t)f->nv * sizeof *f->v);
      if (by == BY_Q) srs_integrate(f->model, f->q, step, k * h, f->q_moved);
      if (by == BY_V) f->v_moved[j] += k * h;
      step[j] = 0;
      value(f, f->q_moved, f->v_moved, out);
      for (int i = 0; i < n; i++) matrix[i * f->nv + j] += weight(k) * out[i];
    }
  free(out), free(step);
}

static void force(fixture *f, const double *q, const double *v, double *out)
{
  assert_int_equal(srs_inverse_dynamics(f->w, q, v, f->a, f->wrenches, out), SRS_OK);
}

static void acceleration(fixture *f, const double *q, const double *v, double *out)
{
  assert_int_equal(srs_forward_dynamics(f->w, q, v, f->tau, f->wrenches, out), SRS_OK);
}

static void frame_velocity(fixture *f, const double *q, const double *v, double *out)
{
  assert_int_equal(srs_forward_velocity(f->w, q, v), SRS_OK);
  assert_int_equal(srs_frame_velocity(f->w, f->frame, f->axes, out), SRS_OK);
}

static void frame_acceleration(fixture *f, const double *q, const double *v, double *out)
{
  assert_int_equal(srs_forward_acceleration(f->w, q, v, f->a), SRS_OK);
  assert_int_equal(srs_frame_acceleration(f->w, f->frame, f->axes, out), SRS_OK);
}

static void mass_center(fixture *f, const double *q, const double *v, double *out)
{
  srs_center_of_mass com;
  assert_int_equal(srs_com(f->w, q, v, &com), SRS_OK);
  memcpy(out, com.position, sizeof com.position);
}

// ---------------------------------------------------------------------------------------------------------------------
// The claims
// ---------------------------------------------------------------------------------------------------------------------

static const int sizes[] = {1, 2, 3, 5, 8, 13, 30};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void compare(const char *name, fixture *f, function *value, variable by, int n, const double *ours,
                    double within)
{
  double *theirs = numbers((size_t)n * (size_t)f->nv);
  differences(f, value, by, n, theirs);
  testing_assert_close(name, ours, theirs, n * f->nv, within);
  free(theirs);
}

static void inverse_dynamics_changes_as_its_derivatives_say(void **state)
{
  (void)state;
  testing_random random = testing_random_start(41);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < (sizes[s] < 30 ? 9 : 3); round++) {
      fixture f = start(&random, sizes[s], 0.5 * (round % 3));
      const size_t n = (size_t)f.nv * (size_t)f.nv;
      double *dq = numbers(n), *dv = numbers(n), *M = numbers(n), *mass = numbers(n);
      assert_int_equal(srs_inverse_dynamics_derivatives(f.w, f.q, f.v, f.a, f.wrenches, dq, dv, M), SRS_OK);
      assert_int_equal(srs_mass_matrix(f.w, f.q, mass), SRS_OK);
      testing_assert_close("mass matrix", M, mass, (int)n, 1e-13);
      compare("dtau/dq", &f, force, BY_Q, f.nv, dq, 1e-9);
      compare("dtau/dv", &f, force, BY_V, f.nv, dv, 1e-9);
      free(dq), free(dv), free(M), free(mass);
      finish(&f);
    }
}

static void forward_dynamics_changes_as_its_derivatives_say(void **state)
{
  (void)state;
  testing_random random = testing_random_start(42);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < (sizes[s] < 30 ? 9 : 3); round++) {
      fixture f = start(&random, sizes[s], 0.5 * (round % 3));
      const size_t n = (size_t)f.nv * (size_t)f.nv;
      double *dq = numbers(n), *dv = numbers(n), *inverse = numbers(n), *a = numbers((size_t)f.nv), *b = numbers(n);
      assert_int_equal(srs_forward_dynamics_derivatives(f.w, f.q, f.v, f.tau, f.wrenches, a, dq, dv, inverse), SRS_OK);
      acceleration(&f, f.q, f.v, b);
      assert_memory_equal(a, b, (size_t)f.nv * sizeof *a);
      compare("da/dq", &f, acceleration, BY_Q, f.nv, dq, 1e-8); // more curved than forces are
      compare("da/dv", &f, acceleration, BY_V, f.nv, dv, 1e-8);
      assert_int_equal(srs_mass_matrix(f.w, f.q, b), SRS_OK);
      for (int i = 0; i < f.nv; i++)
        for (int j = 0; j < f.nv; j++) {
          double sum = 0;
          for (int k = 0; k < f.nv; k++) sum += b[i * f.nv + k] * inverse[k * f.nv + j];
          assert_true(fabs(sum - (i == j)) <= 1e-8); // the mass matrix's condition is 1e6 and less
        }
      free(dq), free(dv), free(inverse), free(a), free(b);
      finish(&f);
    }
}

static void frames_change_as_their_derivatives_say(void **state)
{
  (void)state;
  testing_random random = testing_random_start(43);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < 9; round++) {
      fixture f = start(&random, sizes[s], 0.5 * (round % 3));
      double *velocity = numbers(6 * (size_t)f.nv), *dq = numbers(6 * (size_t)f.nv), *dv = numbers(6 * (size_t)f.nv);
      assert_int_equal(srs_frame_derivatives(f.w, f.q, f.v, f.a, f.frame, f.axes, velocity, dq, dv), SRS_OK);
      compare("velocity, dq", &f, frame_velocity, BY_Q, 6, velocity, 1e-9);
      compare("acceleration, dq", &f, frame_acceleration, BY_Q, 6, dq, 1e-9);
      compare("acceleration, dv", &f, frame_acceleration, BY_V, 6, dv, 1e-9);
      free(velocity), free(dq), free(dv);
      finish(&f);
    }
}

// dM/dt by differences along v.
static void mass_matrix_rate(fixture *f, double *rate)
{
  const size_t n = (size_t)f->nv * (size_t)f->nv;
  double *M = numbers(n);
  memset(rate, 0, n * sizeof *rate);
  for (int k = -3; k <= 3; k++) {
    if (k == 0) continue;
    srs_integrate(f->model, f->q, f->v, k * h, f->q_moved);
    assert_int_equal(srs_mass_matrix(f->w, f->q_moved, M), SRS_OK);
    for (size_t i = 0; i < n; i++) rate[i] += weight(k) * M[i];
  }
  free(M);
}

// dM/dt - 2 C is skew-symmetric: dM/dt = C + C^T, to rounding. Column j of dM/dt is the derivative of M e_j, which is
// inverse dynamics at rest without gravity, by q along v. Gravity is off afterwards.
static void check_skewness(fixture *f)
{
  const size_t n = (size_t)f->nv * (size_t)f->nv;
  const double none[3] = {0, 0, 0};
  double *C = numbers(n), *sum = numbers(n), *rate = numbers(n), *dq = numbers(n), *dv = numbers(n);
  double *unit = numbers((size_t)f->nv), *zero = numbers((size_t)f->nv);
  assert_int_equal(srs_workspace_set_gravity(f->w, none), SRS_OK);
  assert_int_equal(srs_coriolis_matrix(f->w, f->q, f->v, C), SRS_OK);
  for (int j = 0; j < f->nv; j++) {
    unit[j] = 1;
    assert_int_equal(srs_inverse_dynamics_derivatives(f->w, f->q, zero, unit, NULL, dq, dv, NULL), SRS_OK);
    unit[j] = 0;
    for (int i = 0; i < f->nv; i++) {
      sum[i * f->nv + j] = C[i * f->nv + j] + C[j * f->nv + i];
      for (int k = 0; k < f->nv; k++) rate[i * f->nv + j] += dq[i * f->nv + k] * f->v[k];
    }
  }
  testing_assert_close("dM/dt - 2 C", sum, rate, (int)n, 1e-12);
  free(C), free(sum), free(rate), free(dq), free(dv), free(unit), free(zero);
}

static void coriolis_matrix_gives_the_bias_and_the_mass_matrix_rate(void **state)
{
  (void)state;
  testing_random random = testing_random_start(44);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < 9; round++) {
      fixture f = start(&random, sizes[s], 0.5 * (round % 3));
      const size_t n = (size_t)f.nv * (size_t)f.nv;
      double *C = numbers(n), *sum = numbers(n), *rate = numbers(n), *product = numbers((size_t)f.nv),
             *bias = numbers((size_t)f.nv);
      const double none[3] = {0, 0, 0};
      assert_int_equal(srs_workspace_set_gravity(f.w, none), SRS_OK);
      assert_int_equal(srs_coriolis_matrix(f.w, f.q, f.v, C), SRS_OK);
      assert_int_equal(srs_bias(f.w, f.q, f.v, bias), SRS_OK);
      for (int i = 0; i < f.nv; i++)
        for (int j = 0; j < f.nv; j++) {
          product[i] += C[i * f.nv + j] * f.v[j];
          sum[i * f.nv + j] = C[i * f.nv + j] + C[j * f.nv + i];
        }
      testing_assert_close("C v", product, bias, f.nv, 1e-12);
      mass_matrix_rate(&f, rate);
      testing_assert_close("C + C^T", sum, rate, (int)n, 1e-9);
      check_skewness(&f);
      free(C), free(sum), free(rate), free(product), free(bias);
      finish(&f);
    }
}

static void centroidal_momentum_is_its_matrix_times_the_velocity(void **state)
{
  (void)state;
  testing_random random = testing_random_start(45);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < 9; round++) {
      fixture f = start(&random, sizes[s], 0.5 * (round % 3));
      const size_t n = 6 * (size_t)f.nv;
      double *A = numbers(n), *rate = numbers(n), *J = numbers(n), *moved = numbers(n), *by_differences = numbers(n);
      double momentum[6], product[6] = {0};
      srs_center_of_mass com;
      assert_int_equal(srs_momentum(f.w, f.q, f.v, momentum), SRS_OK);
      assert_int_equal(srs_com(f.w, f.q, f.v, &com), SRS_OK);
      for (int i = 0; i < 3; i++) { // to the mass centre
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        momentum[i] -= com.position[j] * momentum[3 + k] - com.position[k] * momentum[3 + j];
      }
      assert_int_equal(srs_centroidal_momentum_matrix(f.w, f.q, f.v, A, rate, J), SRS_OK);
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < f.nv; j++) product[i] += A[i * f.nv + j] * f.v[j];
      testing_assert_close("A v", product, momentum, 6, 1e-12);
      compare("mass centre", &f, mass_center, BY_Q, 3, J, 1e-9);
      for (int k = -3; k <= 3; k++) {
        if (k == 0) continue;
        srs_integrate(f.model, f.q, f.v, k * h, f.q_moved);
        assert_int_equal(srs_centroidal_momentum_matrix(f.w, f.q_moved, NULL, moved, NULL, NULL), SRS_OK);
        for (size_t i = 0; i < n; i++) by_differences[i] += weight(k) * moved[i];
      }
      testing_assert_close("dA/dt", rate, by_differences, (int)n, 1e-9);
      free(A), free(rate), free(J), free(moved), free(by_differences);
      finish(&f);
    }
}

// Of the last frame, which is at the end of a chain, and of momentum.
static void check_robot_frames(fixture *f)
{
  const size_t n = 6 * (size_t)f->nv;
  double *velocity = numbers(n), *dq = numbers(n), *dv = numbers(n), *A = numbers(n), *rate = numbers(n),
         *J = numbers(n);
  f->frame = srs_model_n_frames(f->model) - 1;
  assert_int_equal(srs_frame_derivatives(f->w, f->q, f->v, f->a, f->frame, f->axes, velocity, dq, dv), SRS_OK);
  compare("velocity, dq", f, frame_velocity, BY_Q, 6, velocity, 1e-8);
  compare("acceleration, dq", f, frame_acceleration, BY_Q, 6, dq, 1e-8);
  compare("acceleration, dv", f, frame_acceleration, BY_V, 6, dv, 1e-8);
  assert_int_equal(srs_centroidal_momentum_matrix(f->w, f->q, f->v, A, rate, J), SRS_OK);
  compare("mass centre", f, mass_center, BY_Q, 3, J, 1e-8);
  double *up = numbers(n), *down = numbers(n);
  for (int side = -1; side <= 1; side += 2) {
    srs_integrate(f->model, f->q, f->v, side * 1e-5, f->q_moved);
    assert_int_equal(srs_centroidal_momentum_matrix(f->w, f->q_moved, NULL, side < 0 ? down : up, NULL, NULL), SRS_OK);
  }
  for (size_t i = 0; i < n; i++) up[i] = (up[i] - down[i]) / 2e-5;
  testing_assert_close("dA/dt", rate, up, (int)n, 1e-6);
  free(velocity), free(dq), free(dv), free(A), free(rate), free(J), free(up), free(down);
}

// At a random configuration, and at the one where all coordinates are zero, which is singular for most arms.
static void check_robot(testing_random *random, srs_model *model)
{
  fixture f = start_with(random, model);
  const size_t n = (size_t)f.nv * (size_t)f.nv;
  double *dq = numbers(n), *dv = numbers(n);
  for (int round = 0; round < 2; round++) {
    if (round == 1) memcpy(f.q, srs_model_neutral(f.model), (size_t)f.nq * sizeof *f.q);
    assert_int_equal(srs_inverse_dynamics_derivatives(f.w, f.q, f.v, f.a, f.wrenches, dq, dv, NULL), SRS_OK);
    compare("dtau/dq", &f, force, BY_Q, f.nv, dq, 1e-8); // lighter links: a larger share of rounding
    compare("dtau/dv", &f, force, BY_V, f.nv, dv, 1e-8);
    assert_int_equal(srs_forward_dynamics_derivatives(f.w, f.q, f.v, f.tau, f.wrenches, NULL, dq, dv, NULL), SRS_OK);
    compare("da/dq", &f, acceleration, BY_Q, f.nv, dq, 1e-6); // torques of 1 N m turn fingers at 1e5 rad/s^2
    compare("da/dv", &f, acceleration, BY_V, f.nv, dv, 1e-6);
    check_robot_frames(&f);
  }
  check_skewness(&f);
  free(dq), free(dv);
  finish(&f);
}

static void check_robot_with_inertia(testing_random *random, srs_model *model, void *context)
{
  (void)context;
  if (robot_lacks_inertia(model))
    srs_model_destroy(model);
  else
    check_robot(random, model);
}

static void robots_change_as_their_derivatives_say(void **state)
{
  (void)state;
  testing_random random = testing_random_start(47);
  robot_files_visit(&random, check_robot_with_inertia, NULL);
}

static void misuse_is_told(void **state)
{
  (void)state;
  testing_random random = testing_random_start(46);
  fixture f = start(&random, 3, 0.5);
  srs_workspace *bare = NULL;
  double *matrix = numbers((size_t)f.nv * (size_t)f.nv), *other = numbers((size_t)f.nv * (size_t)f.nv);
  assert_int_equal(srs_workspace_create(f.model, &bare, NULL), SRS_OK);
  assert_int_equal(srs_inverse_dynamics_derivatives(bare, f.q, f.v, f.a, NULL, matrix, other, NULL),
                   SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(srs_workspace_error(bare)->message, "srs_workspace_reserve_derivatives"));
  f.v[0] = NAN;
  assert_int_equal(srs_inverse_dynamics_derivatives(f.w, f.q, f.v, f.a, NULL, matrix, other, NULL),
                   SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_frame_derivatives(f.w, f.q, f.v, f.a, 1000, SRS_AXES_WORLD, matrix, NULL, NULL),
                   SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_coriolis_matrix(f.w, f.q, f.a, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_workspace_reserve_derivatives(NULL), SRS_ERROR_ARGUMENT);
  free(matrix), free(other);
  srs_workspace_destroy(bare);
  finish(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_dynamics_changes_as_its_derivatives_say),
      cmocka_unit_test(forward_dynamics_changes_as_its_derivatives_say),
      cmocka_unit_test(frames_change_as_their_derivatives_say),
      cmocka_unit_test(coriolis_matrix_gives_the_bias_and_the_mass_matrix_rate),
      cmocka_unit_test(centroidal_momentum_is_its_matrix_times_the_velocity),
      cmocka_unit_test(robots_change_as_their_derivatives_say),
      cmocka_unit_test(misuse_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
