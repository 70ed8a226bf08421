// Do the recursions agree with each other on any tree? Random trees with every joint kind.
//
// Tolerance 1e-10 for identities. One exception, and why: in a pure chain of a hundred random links, spinning at
// random, torques reach 1e5 N m beside inertias of order 1, and their own rounding alone is worth 1e-10 in
// acceleration. There the torques must come back, to rounding of the largest.

#include "support/matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
  srs_model *model;
  srs_workspace *workspace;
  size_t nq, nv;
  double *q, *v, *a, *tau, *out, *wrenches;
} fixture;

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

// Joints of n_kinds kinds; NULL, 0 for all of them.
static fixture start_with(testing_random *random, int n_links, double depth_bias, const srs_joint_kind *kinds,
                          int n_kinds)
{
  fixture f = {0};
  srs_error error;
  f.model = testing_random_model(random, n_links, kinds, n_kinds, depth_bias);
  assert_int_equal(srs_workspace_create(f.model, &f.workspace, &error), SRS_OK);
  f.nq = (size_t)srs_model_nq(f.model);
  f.nv = (size_t)srs_model_nv(f.model);
  f.q = numbers(f.nq), f.v = numbers(f.nv), f.a = numbers(f.nv), f.tau = numbers(f.nv), f.out = numbers(f.nv);
  f.wrenches = numbers(6 * (size_t)n_links);
  testing_random_q(random, f.model, f.q);
  testing_random_v(random, f.model, 1, f.v);
  testing_random_v(random, f.model, 1, f.a);
  for (int i = 0; i < 6 * n_links; i++) f.wrenches[i] = testing_uniform(random, -1, 1);
  return f;
}

static fixture start(testing_random *random, int n_links, double depth_bias)
{
  return start_with(random, n_links, depth_bias, NULL, 0);
}

static void finish(fixture *f)
{
  free(f->q), free(f->v), free(f->a), free(f->tau), free(f->out), free(f->wrenches);
  srs_workspace_destroy(f->workspace);
  srs_model_destroy(f->model);
}

static const int sizes[] = {1, 2, 3, 5, 10, 30, 100, 200};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

// Chains, bushes and what is between.
static double depth_bias_of(int round) { return 0.5 * (round % 3); }

static void inverse_and_forward_dynamics_undo_each_other(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < 6; round++) {
      fixture f = start(&random, sizes[s], depth_bias_of(round));
      double *back = numbers(f.nv);
      assert_int_equal(srs_inverse_dynamics(f.workspace, f.q, f.v, f.a, f.wrenches, f.tau), SRS_OK);
      assert_int_equal(srs_forward_dynamics(f.workspace, f.q, f.v, f.tau, f.wrenches, f.out), SRS_OK);
      if (depth_bias_of(round) < 1 || sizes[s] < 100)
        testing_assert_close("acceleration", f.out, f.a, (int)f.nv, 1e-10);
      assert_int_equal(srs_inverse_dynamics(f.workspace, f.q, f.v, f.out, f.wrenches, back), SRS_OK);
      testing_assert_close("torque", back, f.tau, (int)f.nv, 1e-14);
      free(back);
      finish(&f);
    }
}

// The fixture's v, a and tau are used up.
static void compare_columns(fixture *f)
{
  double *M = numbers(f->nv * f->nv), *other = numbers(f->nv * f->nv);
  const double none[3] = {0, 0, 0};
  for (size_t i = 0; i < f->nv * f->nv; i++) M[i] = NAN; // every entry is written
  assert_int_equal(srs_workspace_set_gravity(f->workspace, none), SRS_OK);
  for (int i = 0; i < 2; i++) // what the first call leaves in the workspace has no part in the second
    assert_int_equal(srs_mass_matrix(f->workspace, f->q, M), SRS_OK);
  for (size_t i = 0; i < f->nv; i++) // both triangles, to the bit
    for (size_t j = 0; j < i; j++) assert_true(M[i * f->nv + j] == M[j * f->nv + i]);
  memset(f->v, 0, f->nv * sizeof *f->v);
  memset(f->a, 0, f->nv * sizeof *f->a);
  for (size_t j = 0; j < f->nv; j++) {
    f->a[j] = 1;
    assert_int_equal(srs_inverse_dynamics(f->workspace, f->q, f->v, f->a, NULL, f->tau), SRS_OK);
    f->a[j] = 0;
    for (size_t i = 0; i < f->nv; i++) other[i * f->nv + j] = f->tau[i];
  }
  testing_assert_close("M", M, other, (int)(f->nv * f->nv), 1e-12);
  free(M), free(other);
  finish(f);
}

static void columns_of_the_mass_matrix_are_torques_of_unit_accelerations(void **state)
{
  (void)state;
  testing_random random = testing_random_start(2);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < (sizes[s] < 100 ? 6 : 3); round++) {
      fixture f = start(&random, sizes[s], depth_bias_of(round));
      compare_columns(&f);
    }
}

// Hinges in a row are done four at a time: rows of all lengths, on branches beside each other, with other joints
// between.
static void rows_of_hinges_on_branches_have_their_columns_too(void **state)
{
  (void)state;
  static const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE,   SRS_JOINT_REVOLUTE, SRS_JOINT_CONTINUOUS,
                                         SRS_JOINT_REVOLUTE,   SRS_JOINT_REVOLUTE, SRS_JOINT_REVOLUTE,
                                         SRS_JOINT_CONTINUOUS, SRS_JOINT_FREE,     SRS_JOINT_PRISMATIC};
  testing_random random = testing_random_start(12);
  for (int round = 0; round < 200; round++) {
    const double depth_bias = 0.7 + 0.3 * testing_uniform(&random, 0, 1);
    fixture f = start_with(&random, 2 + round % 29, depth_bias, kinds, round % 2 == 0 ? 7 : 9);
    compare_columns(&f);
  }
}

static void bias_is_the_torque_without_acceleration(void **state)
{
  (void)state;
  testing_random random = testing_random_start(3);
  fixture f = start(&random, 40, 0.5);
  memset(f.a, 0, f.nv * sizeof *f.a);
  assert_int_equal(srs_inverse_dynamics(f.workspace, f.q, f.v, f.a, NULL, f.tau), SRS_OK);
  assert_int_equal(srs_bias(f.workspace, f.q, f.v, f.out), SRS_OK);
  assert_memory_equal(f.tau, f.out, f.nv * sizeof *f.tau);
  finish(&f);
}

static void delassus_equals_j_minv_jt(void **state)
{
  (void)state;
  enum { NODES = 8, ROWS = 6 * NODES };
  testing_random random = testing_random_start(4);
  for (int s = 0; s < SIZES; s++)
    for (int round = 0; round < 9; round++) {
      fixture f = start(&random, sizes[s], depth_bias_of(round));
      srs_constraint_frame nodes[NODES];
      double ours[ROWS * ROWS], theirs[ROWS * ROWS];
      int n_rows = 0;
      for (int i = 0; i < NODES; i++) {
        nodes[i].frame = testing_below(&random, srs_model_n_frames(f.model));
        nodes[i].axes = testing_below(&random, 2) ? SRS_AXES_LOCAL : SRS_AXES_WORLD;
        nodes[i].rows = i % 2 ? SRS_ROWS_POINT : (unsigned)testing_below(&random, 64);
        for (unsigned r = 0; r < 6; r++) n_rows += (int)(nodes[i].rows >> r & 1u);
      }
      assert_int_equal(srs_delassus(f.workspace, f.q, nodes, NODES, ROWS, ours), SRS_OK);
      testing_delassus(f.workspace, f.q, nodes, NODES, n_rows, theirs);
      testing_assert_close("Delassus matrix", ours, theirs, n_rows * n_rows, 1e-10);
      finish(&f);
    }
}

// d(kinetic + potential)/dt = v . tau + wrenches' power, by central differences along the motion.
static void power_balances_energy(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5);
  for (int round = 0; round < 20; round++) {
    fixture f = start(&random, 12, depth_bias_of(round));
    const double h = 1e-5;
    double *q2 = numbers(f.nq), *v2 = numbers(f.nv), *step = numbers(f.nv), energy[2], power = 0;
    assert_int_equal(srs_forward_dynamics(f.workspace, f.q, f.v, f.tau, NULL, f.a), SRS_OK);
    for (int side = 0; side < 2; side++) {
      const double t = side == 0 ? -h : h;
      srs_energies e;
      for (size_t i = 0; i < f.nv; i++) {
        step[i] = f.v[i] * t + 0.5 * f.a[i] * t * t;
        v2[i] = f.v[i] + f.a[i] * t;
      }
      srs_integrate(f.model, f.q, step, 1, q2);
      assert_int_equal(srs_energy(f.workspace, q2, v2, &e), SRS_OK);
      energy[side] = e.kinetic + e.potential;
    }
    for (size_t i = 0; i < f.nv; i++) power += f.tau[i] * f.v[i];
    const double rate = (energy[1] - energy[0]) / (2 * h);
    testing_assert_close("power", &rate, &power, 1, 1e-6); // truncation h^2 times the third derivative
    free(q2), free(v2), free(step);
    finish(&f);
  }
}

static void jacobians_map_rates_to_frame_velocities_and_accelerations(void **state)
{
  (void)state;
  testing_random random = testing_random_start(6);
  for (int round = 0; round < 12; round++) {
    fixture f = start(&random, 15, depth_bias_of(round));
    double *J = numbers(6 * f.nv), *zero = numbers(f.nv);
    for (int frame = 0; frame < srs_model_n_frames(f.model); frame++)
      for (int axes = 0; axes < 2; axes++) {
        double velocity[6], product[6] = {0}, with[6], without[6], difference[6], share[6] = {0};
        assert_int_equal(srs_forward_velocity(f.workspace, f.q, f.v), SRS_OK);
        assert_int_equal(srs_frame_jacobian(f.workspace, frame, (srs_axes)axes, J), SRS_OK);
        assert_int_equal(srs_frame_velocity(f.workspace, frame, (srs_axes)axes, velocity), SRS_OK);
        assert_int_equal(srs_forward_acceleration(f.workspace, f.q, f.v, f.a), SRS_OK);
        assert_int_equal(srs_frame_acceleration(f.workspace, frame, (srs_axes)axes, with), SRS_OK);
        assert_int_equal(srs_forward_acceleration(f.workspace, f.q, f.v, zero), SRS_OK);
        assert_int_equal(srs_frame_acceleration(f.workspace, frame, (srs_axes)axes, without), SRS_OK);
        for (size_t r = 0; r < 6; r++) {
          for (size_t i = 0; i < f.nv; i++)
            product[r] += J[r * f.nv + i] * f.v[i], share[r] += J[r * f.nv + i] * f.a[i];
          difference[r] = with[r] - without[r];
        }
        testing_assert_close("velocity", velocity, product, 6, 1e-12);
        testing_assert_close("acceleration", difference, share, 6, 1e-11);
      }
    free(J), free(zero);
    finish(&f);
  }
}

// Acceleration at world axes is the derivative of velocity, and velocity that of position.
static void velocities_and_accelerations_are_derivatives(void **state)
{
  (void)state;
  testing_random random = testing_random_start(7);
  for (int round = 0; round < 12; round++) {
    fixture f = start(&random, 10, depth_bias_of(round));
    const double h = 1e-5;
    double *q2 = numbers(f.nq), *v2 = numbers(f.nv), *step = numbers(f.nv);
    const int frame = testing_below(&random, srs_model_n_frames(f.model));
    double velocity[2][6], position[2][3], acceleration[6], now[6];
    for (int side = 0; side < 2; side++) {
      const double t = side == 0 ? -h : h;
      srs_pose pose;
      for (size_t i = 0; i < f.nv; i++) {
        step[i] = f.v[i] * t + 0.5 * f.a[i] * t * t;
        v2[i] = f.v[i] + f.a[i] * t;
      }
      srs_integrate(f.model, f.q, step, 1, q2);
      assert_int_equal(srs_forward_velocity(f.workspace, q2, v2), SRS_OK);
      assert_int_equal(srs_frame_velocity(f.workspace, frame, SRS_AXES_WORLD, velocity[side]), SRS_OK);
      assert_int_equal(srs_frame_placement(f.workspace, frame, &pose), SRS_OK);
      memcpy(position[side], pose.position, sizeof position[side]);
    }
    assert_int_equal(srs_forward_acceleration(f.workspace, f.q, f.v, f.a), SRS_OK);
    assert_int_equal(srs_frame_acceleration(f.workspace, frame, SRS_AXES_WORLD, acceleration), SRS_OK);
    assert_int_equal(srs_frame_velocity(f.workspace, frame, SRS_AXES_WORLD, now), SRS_OK);
    double a[6], v[3];
    for (int i = 0; i < 6; i++) a[i] = (velocity[1][i] - velocity[0][i]) / (2 * h);
    for (int i = 0; i < 3; i++) v[i] = (position[1][i] - position[0][i]) / (2 * h);
    testing_assert_close("acceleration", a, acceleration, 6,
                         1e-6); // truncation h^2 times third derivatives, rounding eps/h
    testing_assert_close("velocity", v, now + 3, 3, 1e-8);
    free(q2), free(v2), free(step);
    finish(&f);
  }
}

// A wrench on a frame is worth J^T f.
static void wrenches_act_through_the_jacobian(void **state)
{
  (void)state;
  testing_random random = testing_random_start(8);
  for (int round = 0; round < 12; round++) {
    fixture f = start(&random, 15, depth_bias_of(round));
    const int frame = testing_below(&random, srs_model_n_frames(f.model));
    const srs_axes axes = testing_below(&random, 2) ? SRS_AXES_LOCAL : SRS_AXES_WORLD;
    double *J = numbers(6 * f.nv), *with = numbers(f.nv), wrench[6];
    memset(f.wrenches, 0, (size_t)6 * 15 * sizeof *f.wrenches);
    for (int i = 0; i < 6; i++) wrench[i] = testing_uniform(&random, -1, 1);
    assert_int_equal(srs_forward_kinematics(f.workspace, f.q), SRS_OK);
    assert_int_equal(srs_frame_jacobian(f.workspace, frame, axes, J), SRS_OK);
    assert_int_equal(srs_add_wrench(f.workspace, frame, axes, wrench, f.wrenches), SRS_OK);
    assert_int_equal(srs_inverse_dynamics(f.workspace, f.q, f.v, f.a, NULL, f.tau), SRS_OK);
    assert_int_equal(srs_inverse_dynamics(f.workspace, f.q, f.v, f.a, f.wrenches, with), SRS_OK);
    for (size_t i = 0; i < f.nv; i++)
      for (size_t r = 0; r < 6; r++) f.tau[i] -= J[r * f.nv + i] * wrench[r];
    testing_assert_close("torques", with, f.tau, (int)f.nv, 1e-12);
    free(J), free(with);
    finish(&f);
  }
}

static void moving_the_whole_mechanism_changes_nothing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(9);
  const srs_joint_kind kinds[] = {SRS_JOINT_FREE};
  srs_model *model = testing_random_model(&random, 1, kinds, 1, 1);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double q[7], v[6], near[36], far[36];
  testing_random_q(&random, model, q);
  testing_random_v(&random, model, 1, v);
  assert_int_equal(srs_mass_matrix(w, q, near), SRS_OK);
  q[0] += 1e6;
  assert_int_equal(srs_mass_matrix(w, q, far), SRS_OK);
  assert_memory_equal(near, far, sizeof near); // own origins: a million metres away, the same bits
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void not_finite_input_is_refused_by_name(void **state)
{
  (void)state;
  testing_random random = testing_random_start(10);
  const srs_joint_kind kinds[] = {SRS_JOINT_REVOLUTE};
  srs_model *model = testing_random_model(&random, 3, kinds, 1, 1);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double q[3] = {0, 0, 0}, v[3] = {0, 0, 0}, a[3] = {7, 7, 7}, bad[3] = {0, NAN, 0}, huge[3] = {0, 0, INFINITY};
  assert_int_equal(srs_forward_dynamics(w, bad, v, v, NULL, a), SRS_ERROR_NOT_FINITE);
  assert_string_equal(srs_workspace_error(w)->subject, "joint1");
  assert_int_equal(srs_forward_dynamics(w, q, v, huge, NULL, a), SRS_ERROR_NOT_FINITE);
  assert_string_equal(srs_workspace_error(w)->subject, "joint2");
  assert_true(a[0] == 7 && a[1] == 7 && a[2] == 7);
  assert_int_equal(srs_forward_kinematics(w, NULL), SRS_ERROR_ARGUMENT);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

// What the getters show of frame 0 of the last link.
static void look(fixture *f, double shown[24])
{
  const int frame = srs_model_n_frames(f->model) - 1;
  srs_pose pose;
  assert_int_equal(srs_frame_placement(f->workspace, frame, &pose), SRS_OK);
  memcpy(shown, pose.position, sizeof pose.position);
  memcpy(shown + 3, pose.rotation, sizeof pose.rotation);
  assert_int_equal(srs_frame_velocity(f->workspace, frame, SRS_AXES_WORLD, shown + 12), SRS_OK);
  assert_int_equal(srs_frame_acceleration(f->workspace, frame, SRS_AXES_WORLD, shown + 18), SRS_OK);
}

static void a_failed_call_leaves_what_the_getters_show(void **state)
{
  (void)state;
  testing_random random = testing_random_start(21);
  fixture f = start(&random, 5, 1);
  srs_workspace *w = f.workspace;
  double before[24], after[24], *q = numbers(f.nq), *bad = numbers(f.nv), momentum[6];
  srs_center_of_mass com;
  srs_energies energies;
  testing_random_q(&random, f.model, q);
  bad[f.nv - 1] = NAN;
  assert_int_equal(srs_forward_acceleration(w, f.q, f.v, f.a), SRS_OK);
  look(&f, before);
  assert_int_equal(srs_forward_velocity(w, q, bad), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_forward_velocity(w, q, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_forward_acceleration(w, q, bad, f.a), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_forward_acceleration(w, q, f.v, bad), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_forward_acceleration(w, q, f.v, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_com(w, q, bad, &com), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_com(w, q, f.v, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_energy(w, q, bad, &energies), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_momentum(w, q, bad, momentum), SRS_ERROR_NOT_FINITE);
  look(&f, after);
  assert_memory_equal(before, after, sizeof before);
  free(q);
  free(bad);
  finish(&f);
}

static void joint_wrenches_are_those_of_inverse_dynamics_or_refused(void **state)
{
  (void)state;
  testing_random random = testing_random_start(22);
  fixture f = start(&random, 4, 1);
  srs_workspace *w = f.workspace;
  double wrench[6], *mass = numbers(f.nv * f.nv);
  assert_int_equal(srs_joint_wrench(w, 0, wrench), SRS_ERROR_ARGUMENT);
  for (int other = 0; other < 5; other++) {
    assert_int_equal(srs_inverse_dynamics(w, f.q, f.v, f.a, NULL, f.tau), SRS_OK);
    assert_int_equal(srs_joint_wrench(w, 0, wrench), SRS_OK);
    switch (other) {
    case 0: assert_int_equal(srs_bias(w, f.q, f.v, f.out), SRS_OK); break;
    case 1: assert_int_equal(srs_forward_dynamics(w, f.q, f.v, f.tau, NULL, f.out), SRS_OK); break;
    case 2: assert_int_equal(srs_forward_kinematics(w, f.q), SRS_OK); break;
    case 3: assert_int_equal(srs_mass_matrix(w, f.q, mass), SRS_OK); break;
    default: assert_int_equal(srs_forward_velocity(w, f.q, f.v), SRS_OK); break;
    }
    assert_int_equal(srs_joint_wrench(w, 0, wrench), SRS_ERROR_ARGUMENT);
  }
  assert_int_equal(srs_inverse_dynamics(w, f.q, f.v, f.a, NULL, f.tau), SRS_OK);
  assert_int_equal(srs_forward_kinematics(w, NULL), SRS_ERROR_ARGUMENT); // failed: nothing changes
  assert_int_equal(srs_joint_wrench(w, 0, wrench), SRS_OK);
  free(mass);
  finish(&f);
}

// Placements are found when they are asked for, of the last call's configuration. A joint's forces are what its wrench
// does along its columns.
static void getters_show_where_inverse_dynamics_was_computed(void **state)
{
  (void)state;
  testing_random random = testing_random_start(24);
  for (int round = 0; round < 12; round++) {
    fixture f = start(&random, 15, depth_bias_of(round));
    srs_workspace *w = f.workspace, *placed;
    double *q = numbers(f.nq), *bad = numbers(f.nq), *J = numbers(6 * f.nv);
    const double *armature = srs_model_armature(f.model), *wrenches = round % 2 == 0 ? NULL : f.wrenches;
    srs_error error;
    bad[0] = NAN;
    assert_int_equal(srs_workspace_create(f.model, &placed, &error), SRS_OK);
    testing_random_q(&random, f.model, q);
    assert_int_equal(srs_inverse_dynamics(w, q, f.v, f.a, NULL, f.out), SRS_OK);
    assert_int_equal(srs_inverse_dynamics(w, f.q, f.v, f.a, wrenches, f.tau), SRS_OK);
    assert_int_equal(srs_inverse_dynamics(w, bad, f.v, f.a, NULL, f.out), SRS_ERROR_NOT_FINITE);
    assert_int_equal(srs_forward_kinematics(placed, f.q), SRS_OK);
    for (int k = 0; k < srs_model_n_links(f.model); k++) {
      const srs_joint *joint = srs_model_joint(f.model, k);
      const int frame = srs_model_find_frame(f.model, srs_model_link(f.model, k)->name);
      double wrench[6], projected[SRS_MAX_JOINT_NV] = {0}, tau[SRS_MAX_JOINT_NV] = {0};
      srs_pose pose, expected;
      assert_int_equal(srs_joint_wrench(w, k, wrench), SRS_OK);
      assert_int_equal(srs_frame_placement(w, frame, &pose), SRS_OK);
      assert_int_equal(srs_frame_placement(placed, frame, &expected), SRS_OK);
      assert_memory_equal(&pose, &expected, sizeof pose);
      assert_int_equal(srs_frame_jacobian(w, frame, SRS_AXES_WORLD, J), SRS_OK);
      for (int i = 0; i < joint->nv; i++) {
        const size_t at = (size_t)joint->v_index + (size_t)i;
        tau[i] = f.tau[at] - armature[at] * f.a[at];
        for (size_t r = 0; r < 6; r++) projected[i] += J[r * f.nv + at] * wrench[r];
      }
      testing_assert_close("forces of a joint", projected, tau, joint->nv, 1e-12);
    }
    assert_int_equal(srs_inverse_dynamics(w, q, f.v, f.a, NULL, f.out), SRS_OK);
    assert_int_equal(srs_forward_kinematics(w, f.q), SRS_OK); // not what inverse dynamics left to be found
    srs_pose pose, expected;
    const int last = srs_model_n_frames(f.model) - 1;
    assert_int_equal(srs_frame_placement(w, last, &pose), SRS_OK);
    assert_int_equal(srs_frame_placement(placed, last, &expected), SRS_OK);
    assert_memory_equal(&pose, &expected, sizeof pose);
    srs_workspace_destroy(placed);
    free(q), free(bad), free(J);
    finish(&f);
  }
}

static void unknown_axes_and_rows_are_refused(void **state)
{
  (void)state;
  testing_random random = testing_random_start(23);
  fixture f = start(&random, 3, 1);
  srs_workspace *w = f.workspace;
  const srs_axes none = (srs_axes)2;
  double six[6] = {0}, lambda[36], *jacobian = numbers(6 * f.nv);
  assert_int_equal(srs_forward_acceleration(w, f.q, f.v, f.a), SRS_OK);
  assert_int_equal(srs_frame_velocity(w, 0, none, six), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_frame_acceleration(w, 0, none, six), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_frame_jacobian(w, 0, none, jacobian), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_add_wrench(w, 0, none, six, f.wrenches), SRS_ERROR_ARGUMENT);
  const srs_constraint_frame bad_axes = {0, none, SRS_ROWS_ALL}, bad_rows = {0, SRS_AXES_WORLD, 0x41};
  assert_int_equal(srs_delassus(w, f.q, &bad_axes, 1, 6, lambda), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_delassus(w, f.q, &bad_rows, 1, 6, lambda), SRS_ERROR_ARGUMENT);
  assert_string_equal(srs_workspace_error(w)->message, "frames[0]: rows 0x41 has bits beyond 0x3f");
  srs_sim *sim = NULL;
  assert_int_equal(srs_sim_create(f.model, NULL, &sim, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_wrench(sim, 0, none, six, NULL), SRS_ERROR_ARGUMENT);
  srs_sim_destroy(sim);
  free(jacobian);
  finish(&f);
}

static void accelerations_beyond_the_finite_numbers_are_refused(void **state)
{
  (void)state;
  testing_random random = testing_random_start(24);
  fixture f = start(&random, 5, 1);
  for (size_t i = 0; i < f.nv; i++) f.v[i] = 1e200, f.out[i] = 7; // its square is infinite
  assert_int_equal(srs_forward_dynamics(f.workspace, f.q, f.v, f.tau, NULL, f.out), SRS_ERROR_DIVERGED);
  assert_non_null(strstr(srs_workspace_error(f.workspace)->message, "too large"));
  for (size_t i = 0; i < f.nv; i++) assert_true(f.out[i] == 7);
  finish(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_and_forward_dynamics_undo_each_other),
      cmocka_unit_test(columns_of_the_mass_matrix_are_torques_of_unit_accelerations),
      cmocka_unit_test(rows_of_hinges_on_branches_have_their_columns_too),
      cmocka_unit_test(bias_is_the_torque_without_acceleration),
      cmocka_unit_test(delassus_equals_j_minv_jt),
      cmocka_unit_test(power_balances_energy),
      cmocka_unit_test(jacobians_map_rates_to_frame_velocities_and_accelerations),
      cmocka_unit_test(velocities_and_accelerations_are_derivatives),
      cmocka_unit_test(wrenches_act_through_the_jacobian),
      cmocka_unit_test(moving_the_whole_mechanism_changes_nothing),
      cmocka_unit_test(not_finite_input_is_refused_by_name),
      cmocka_unit_test(a_failed_call_leaves_what_the_getters_show),
      cmocka_unit_test(joint_wrenches_are_those_of_inverse_dynamics_or_refused),
      cmocka_unit_test(getters_show_where_inverse_dynamics_was_computed),
      cmocka_unit_test(unknown_axes_and_rows_are_refused),
      cmocka_unit_test(accelerations_beyond_the_finite_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
