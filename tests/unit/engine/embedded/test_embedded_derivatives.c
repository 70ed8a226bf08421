// Are derivatives through embedded loops those of the mechanism? Every linkage of support/embedded.h and a free body
// tied to a ball joint's by each choice of rows, against central differences of sixth order in the independent
// coordinates, the loops closed anew at each.
//
// Differences of step 2e-3 have an error of h^6 / 140 times the seventh derivative, loops close to 1e-12 and better:
// with accelerations that turn within a tenth of a radian, 1e-7 of the largest entry. Identities hold to 1e-11: sums of
// products with X, whose entries reach 100 here.

#include "engine/embedded/motion.h"
#include "engine/loops/embedding.h"
#include "support/embedded.h"
#include <sarrus/derivatives.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

typedef struct fixture {
  const srs_model *model;
  srs_workspace *w, *other;
  int nv, frame;
  srs_axes axes;
  double q[MOST], v[MOST], a[MOST], tau[MOST], wrenches[6 * MOST];
} fixture;

// The least share that the factors leave of a column's parts: how well the independent coordinates determine the
// others. A nearly singular G turns the gaps of closed loops, 1e-12, into motions of the dependent coordinates.
static double regularity(const srs_workspace *w)
{
  double least = 1;
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (int k = 0; k < c->n_dependent; k++) least = fmin(least, fabs(c->QR[k * c->n_rows + k]) / c->size[k]);
  }
  return least;
}

// A closed configuration away from singular ones: neighbours close, and X is moderate.
static bool draw_state(testing_random *random, fixture *f)
{
  const srs_model *m = f->model;
  double X[MOST * MOST];
  for (int tries = 0; tries < 100; tries++) {
    double step[MOST] = {0};
    for (int i = 0; i < m->nv; i++) step[i] = testing_uniform(random, -0.4, 0.4);
    srs_integrate(m, m->neutral, step, 1, f->q);
    if (srs_assemble(f->w, NULL, f->q, NULL) != SRS_OK || srs_embedding_close(f->w, f->q) != SRS_OK) continue;
    for (int i = 0; i < m->nv; i++) {
      f->v[i] = testing_uniform(random, -1, 1), f->a[i] = testing_uniform(random, -1, 1);
      f->tau[i] = testing_uniform(random, -1, 1);
    }
    if (srs_embedded_motion_derivatives(f->w, f->q, f->v, f->a, X, NULL, NULL, NULL) != SRS_OK) continue;
    double largest = 0;
    for (int i = 0; i < m->nv * m->nv; i++) largest = fmax(largest, fabs(X[i]));
    if (largest < 4 && regularity(f->w) > 0.02) return true;
  }
  return false;
}

static fixture start(testing_random *random, const srs_model *model)
{
  fixture f = {.model = model, .nv = model->nv};
  assert_true(model->nq <= MOST && model->n_links <= MOST);
  assert_int_equal(srs_workspace_create(model, &f.w, NULL), SRS_OK);
  assert_int_equal(srs_workspace_create(model, &f.other, NULL), SRS_OK);
  assert_int_equal(srs_workspace_reserve_derivatives(f.w), SRS_OK);
  assert_int_equal(srs_workspace_reserve_derivatives(f.other), SRS_OK);
  for (int i = 0; i < 6 * model->n_links; i++) f.wrenches[i] = testing_uniform(random, -1, 1);
  f.frame = testing_below(random, model->n_frames);
  f.axes = testing_below(random, 2) ? SRS_AXES_LOCAL : SRS_AXES_WORLD;
  assert_true(draw_state(random, &f));
  return f;
}

static void finish(fixture *f)
{
  srs_workspace_destroy(f->w);
  srs_workspace_destroy(f->other);
}

// ---------------------------------------------------------------------------------------------------------------------
// Differences
// ---------------------------------------------------------------------------------------------------------------------

typedef void function(fixture *f, const double *q, const double *v, double *out);
typedef enum variable { BY_Q, BY_V } variable;

static const double h = 2e-3;

static double weight(int k)
{
  static const double half[3] = {3. / 4, -3. / 20, 1. / 60};
  return (k > 0 ? 1 : -1) * half[abs(k) - 1] / h;
}

// q moved along direction X e_j (or X y) by s, with loops closed by the dependent coordinates.
static void move(fixture *f, const double *direction, double s, double *q)
{
  double step[MOST] = {0};
  for (int i = 0; i < f->nv; i++) step[i] = srs_is_independent(f->w, i) ? direction[i] : 0;
  srs_integrate(f->model, f->q, step, s, q);
  if (srs_embedding_close(f->other, q) != SRS_OK) fail_msg("%s", srs_workspace_error(f->other)->message);
}

static void differences(fixture *f, function *value, variable by, int n, double *matrix)
{
  double out[MOST * MOST], unit[MOST] = {0}, q[MOST], v[MOST];
  memset(matrix, 0, (size_t)n * (size_t)f->nv * sizeof *matrix);
  for (int j = 0; j < f->nv; j++)
    for (int k = -3; k <= 3; k++) {
      if (k == 0 || !srs_is_independent(f->w, j)) continue;
      unit[j] = 1;
      memcpy(q, f->q, sizeof q);
      memcpy(v, f->v, sizeof v);
      if (by == BY_Q) move(f, unit, k * h, q);
      if (by == BY_V) v[j] += k * h;
      unit[j] = 0;
      value(f, q, v, out);
      for (int i = 0; i < n; i++) matrix[i * f->nv + j] += weight(k) * out[i];
    }
}

// All coordinates' rates and accelerations where the independent ones have v and f->a.
static void motion(fixture *f, const double *q, const double *v, double *all_v, double *all_a)
{
  memcpy(all_v, v, (size_t)f->nv * sizeof *v);
  memcpy(all_a, f->a, (size_t)f->nv * sizeof *v);
  assert_int_equal(srs_embedding_prepare(f->other, q, all_v), SRS_OK);
  srs_embedding_lift(f->other, all_a);
  srs_embedding_add_drift(f->other, all_a);
}

static void rates(fixture *f, const double *q, const double *v, double *out)
{
  double a[MOST];
  motion(f, q, v, out, a);
  for (int i = 0; i < f->nv; i++) out[i] = srs_is_independent(f->w, i) ? 0 : out[i];
}

static void accelerations(fixture *f, const double *q, const double *v, double *out)
{
  double all_v[MOST];
  motion(f, q, v, all_v, out);
}

static void solved(fixture *f, const double *q, const double *v, double *out)
{
  assert_int_equal(srs_embedded_acceleration(f->other, q, v, f->tau, f->wrenches, out), SRS_OK);
}

// X^T ID, with X by the loops' rows at q.
static void force(fixture *f, const double *q, const double *v, double *out)
{
  double all_v[MOST], all_a[MOST], tau[MOST];
  motion(f, q, v, all_v, all_a);
  assert_int_equal(srs_inverse_dynamics(f->other, q, all_v, all_a, f->wrenches, tau), SRS_OK);
  for (int j = 0; j < f->nv; j++) {
    double unit[MOST] = {0};
    out[j] = 0;
    if (!srs_is_independent(f->w, j)) continue;
    unit[j] = 1;
    assert_int_equal(srs_embedding_map(f->other, q), SRS_OK);
    srs_embedding_lift(f->other, unit);
    for (int i = 0; i < f->nv; i++) out[j] += unit[i] * tau[i];
  }
}

static void frame_velocity(fixture *f, const double *q, const double *v, double *out)
{
  double all_v[MOST], all_a[MOST];
  motion(f, q, v, all_v, all_a);
  assert_int_equal(srs_forward_velocity(f->other, q, all_v), SRS_OK);
  assert_int_equal(srs_frame_velocity(f->other, f->frame, f->axes, out), SRS_OK);
}

static void frame_acceleration(fixture *f, const double *q, const double *v, double *out)
{
  double all_v[MOST], all_a[MOST];
  motion(f, q, v, all_v, all_a);
  assert_int_equal(srs_forward_acceleration(f->other, q, all_v, all_a), SRS_OK);
  assert_int_equal(srs_frame_acceleration(f->other, f->frame, f->axes, out), SRS_OK);
}

static void mass_center(fixture *f, const double *q, const double *v, double *out)
{
  srs_center_of_mass com;
  assert_int_equal(srs_com(f->other, q, v, &com), SRS_OK);
  memcpy(out, com.position, sizeof com.position);
}

static void compare(const char *name, fixture *f, function *value, variable by, int n, const double *ours)
{
  static double theirs[MOST * MOST];
  differences(f, value, by, n, theirs);
  testing_assert_close(name, ours, theirs, n * f->nv, 1e-7);
}

// ---------------------------------------------------------------------------------------------------------------------
// The claims, of one mechanism
// ---------------------------------------------------------------------------------------------------------------------

static void check_motion(fixture *f)
{
  static double X[MOST * MOST], dv[MOST * MOST], dq[MOST * MOST], da[MOST * MOST];
  assert_int_equal(srs_embedded_motion_derivatives(f->w, f->q, f->v, f->a, X, dv, dq, da), SRS_OK);
  compare("dv/dq", f, rates, BY_Q, f->nv, dv);
  compare("da/dq, dy/dt given", f, accelerations, BY_Q, f->nv, dq);
  compare("da/dv, dy/dt given", f, accelerations, BY_V, f->nv, da);
  double q[MOST], ahead[MOST]; // X is how the dependent coordinates move
  for (int j = 0; j < f->nv; j++) {
    double unit[MOST] = {0}, sum[MOST] = {0};
    unit[j] = srs_is_independent(f->w, j);
    for (int k = -3; k <= 3; k++) {
      if (k == 0) continue;
      move(f, unit, k * h, q);
      srs_difference(f->model, q, f->q, ahead);
      for (int i = 0; i < f->nv; i++) sum[i] += weight(k) * ahead[i];
    }
    for (int i = 0; i < f->nv; i++)
      if (!(fabs(sum[i] - X[i * f->nv + j]) < 1e-7)) fail_msg("X %d %d: %.10g %.10g", i, j, sum[i], X[i * f->nv + j]);
  }
}

static void check_dynamics(fixture *f)
{
  static double dq[MOST * MOST], dv[MOST * MOST], D[MOST * MOST], W[MOST * MOST];
  double tau[MOST], expected[MOST], a[MOST], b[MOST];
  const int nv = f->nv;
  assert_int_equal(srs_embedded_inverse_dynamics_derivatives(f->w, f->q, f->v, f->a, f->wrenches, tau, dq, dv, D),
                   SRS_OK);
  force(f, f->q, f->v, expected);
  testing_assert_close("tau", tau, expected, nv, 1e-11);
  compare("dtau/dq", f, force, BY_Q, nv, dq);
  compare("dtau/dv", f, force, BY_V, nv, dv);
  assert_int_equal(srs_embedded_acceleration(f->w, f->q, f->v, tau, f->wrenches, a), SRS_OK);
  for (int i = 0; i < nv; i++)
    if (srs_is_independent(f->w, i)) assert_true(fabs(a[i] - f->a[i]) < 1e-8); // one inverts the other
  assert_int_equal(srs_embedded_acceleration_derivatives(f->w, f->q, f->v, f->tau, f->wrenches, a, dq, dv, W), SRS_OK);
  solved(f, f->q, f->v, b);
  assert_memory_equal(a, b, (size_t)nv * sizeof *a);
  compare("da/dq", f, solved, BY_Q, nv, dq);
  compare("da/dv", f, solved, BY_V, nv, dv);
  for (int j = 0; j < nv; j++) { // linear in tau
    double pushed[MOST];
    memcpy(pushed, f->tau, sizeof pushed);
    pushed[j] += 1;
    assert_int_equal(srs_embedded_acceleration(f->w, f->q, f->v, pushed, f->wrenches, b), SRS_OK);
    double size = 1;
    for (int i = 0; i < nv; i++) size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    for (int i = 0; i < nv; i++) assert_true(fabs(b[i] - a[i] - W[i * nv + j]) < 1e-9 * size);
    for (int i = 0; i < nv; i++) assert_true(fabs(W[i * nv + j] - W[j * nv + i]) < 1e-9 * size);
  }
}

static void check_frames(fixture *f)
{
  static double velocity_q[6 * MOST], velocity_v[6 * MOST], dq[6 * MOST], dv[6 * MOST];
  assert_int_equal(
      srs_embedded_frame_derivatives(f->w, f->q, f->v, f->a, f->frame, f->axes, velocity_q, velocity_v, dq, dv),
      SRS_OK);
  compare("velocity, dq", f, frame_velocity, BY_Q, 6, velocity_q);
  compare("velocity, dv", f, frame_velocity, BY_V, 6, velocity_v);
  compare("acceleration, dq", f, frame_acceleration, BY_Q, 6, dq);
  compare("acceleration, dv", f, frame_acceleration, BY_V, 6, dv);
}

// Along the motion y: rates of D and of the momentum matrix, and what identities say of both.
static void check_matrices(fixture *f)
{
  static double C[MOST * MOST], D[MOST * MOST], dq[MOST * MOST], dv[MOST * MOST], turned[MOST * MOST];
  static double A[6 * MOST], rate[6 * MOST], J[3 * MOST], moved[6 * MOST];
  static double D_rate[MOST * MOST], A_rate[6 * MOST];
  const int nv = f->nv;
  double q[MOST], tau[MOST], product[MOST] = {0};
  const double none[3] = {0, 0, 0}, zeros[MOST] = {0};
  assert_int_equal(srs_workspace_set_gravity(f->w, none), SRS_OK);
  assert_int_equal(srs_embedded_coriolis_matrix(f->w, f->q, f->v, C), SRS_OK);
  assert_int_equal(srs_embedded_centroidal_momentum_matrix(f->w, f->q, f->v, A, rate, J), SRS_OK);
  assert_int_equal(srs_embedded_inverse_dynamics_derivatives(f->w, f->q, f->v, zeros, NULL, tau, dq, dv, NULL), SRS_OK);
  memset(D_rate, 0, sizeof D_rate);
  memset(A_rate, 0, sizeof A_rate);
  for (int k = -3; k <= 3; k++) {
    if (k == 0) continue;
    move(f, f->v, k * h, q);
    assert_int_equal(srs_embedded_inverse_dynamics_derivatives(f->other, q, zeros, zeros, NULL, NULL, dq, dv, D),
                     SRS_OK);
    assert_int_equal(srs_embedded_centroidal_momentum_matrix(f->other, q, NULL, moved, NULL, NULL), SRS_OK);
    for (int i = 0; i < nv * nv; i++) D_rate[i] += weight(k) * D[i];
    for (int i = 0; i < 6 * nv; i++) A_rate[i] += weight(k) * moved[i];
  }
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++) {
      turned[i * nv + j] = C[i * nv + j] + C[j * nv + i];
      if (srs_is_independent(f->w, j)) product[i] += C[i * nv + j] * f->v[j];
    }
  testing_assert_close("C + C^T = dD/dt", turned, D_rate, nv * nv, 1e-7);
  testing_assert_close("C y", product, tau, nv, 1e-11);
  testing_assert_close("dA/dt", rate, A_rate, 6 * nv, 1e-7);
  compare("mass centre", f, mass_center, BY_Q, 3, J);
}

static void check_model(testing_random *random, const srs_model *model)
{
  fixture f = start(random, model);
  check_motion(&f);
  check_dynamics(&f);
  check_frames(&f);
  check_matrices(&f);
  finish(&f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Mechanisms
// ---------------------------------------------------------------------------------------------------------------------

static void linkages_change_as_their_derivatives_say(void **state)
{
  (void)state;
  testing_random random = testing_random_start(51);
  for (int i = 0; i < EMBEDDED_MECHANISMS; i++)
    for (int round = 0; round < 4; round++) {
      srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "");
      print_message("%s\n", embedded_mechanisms[i].name);
      check_model(&random, srs_scene_model(scene));
      srs_scene_destroy(scene);
    }
}

// A free body, held to one on a ball joint by the rows of a mask: these determine its own coordinates.
static srs_model *tied_by(testing_random *random, unsigned mask)
{
  static const char *const own[] = {"f.wx", "f.wy", "f.wz", "f.vx", "f.vy", "f.vz"};
  static const srs_joint_kind kinds[] = {SRS_JOINT_SPHERICAL, SRS_JOINT_FREE};
  srs_builder *builder = srs_builder_create();
  assert_non_null(builder);
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = i == 0 ? "a" : "b";
    link.mass = testing_uniform(random, 0.5, 1);
    for (int j = 0; j < 3; j++) link.inertia[j] = 0.1, link.com[j] = testing_uniform(random, -0.2, 0.2);
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    srs_joint_def joint = srs_default_joint_def(kinds[i]);
    joint.name = i == 0 ? "s" : "f";
    joint.child = link.name;
    joint.origin.position[0] = 0.3 * i;
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  }
  const char *independent[7];
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_ROWS);
  def.name = "tie", def.frame_a = "a", def.frame_b = "b";
  def.rows = mask, def.embed = true, def.independent = independent;
  independent[def.n_independent++] = "s";
  for (int i = 0; i < 6; i++)
    if ((mask >> i & 1U) == 0) independent[def.n_independent++] = own[i];
  def.pose_a.position[0] = 0.3;
  assert_int_equal(srs_builder_add_closure(builder, &def, NULL), SRS_OK);
  return testing_build(builder);
}

static void every_choice_of_rows_changes_as_its_derivatives_say(void **state)
{
  (void)state;
  testing_random random = testing_random_start(52);
  for (unsigned mask = 1; mask < 64; mask++) {
    srs_model *model = tied_by(&random, mask);
    check_model(&random, model);
    srs_model_destroy(model);
  }
}

static void misuse_is_told(void **state)
{
  (void)state;
  srs_scene *scene = embedded_scene(&embedded_mechanisms[0], true, "");
  const srs_model *m = srs_scene_model(scene);
  srs_workspace *w = NULL;
  double q[MOST], v[MOST] = {0}, x[MOST * MOST], y[MOST * MOST], z[MOST * MOST];
  assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
  memcpy(q, m->neutral, (size_t)m->nq * sizeof *q);
  assert_int_equal(srs_assemble(w, NULL, q, NULL), SRS_OK);
  assert_int_equal(srs_embedded_motion_derivatives(w, q, v, NULL, x, NULL, NULL, NULL), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(srs_workspace_error(w)->message, "srs_workspace_reserve_derivatives"));
  assert_int_equal(srs_workspace_reserve_derivatives(w), SRS_OK);
  assert_int_equal(srs_embedded_coriolis_matrix(w, q, v, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_embedded_frame_derivatives(w, q, v, NULL, 99, SRS_AXES_WORLD, x, y, NULL, NULL),
                   SRS_ERROR_ARGUMENT);
  v[0] = INFINITY;
  assert_int_equal(srs_embedded_acceleration_derivatives(w, q, v, x, NULL, NULL, x, y, z), SRS_ERROR_NOT_FINITE);
  v[0] = 0;
  q[2] += 0.1;
  assert_int_equal(srs_embedded_inverse_dynamics_derivatives(w, q, v, v, NULL, NULL, x, y, z), SRS_ERROR_UNREACHABLE);
  srs_workspace_destroy(w);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linkages_change_as_their_derivatives_say),
      cmocka_unit_test(every_choice_of_rows_changes_as_its_derivatives_say),
      cmocka_unit_test(misuse_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
