// H ch. 4 and 6: a contact problem in the coordinates of the joints, and in those of all bodies with the joints as
// bilateral rows. With
//
//   V_free = V + h A_free - h J' v          J the bodies' velocities by those of the joints, J' its rate
//
// both have the same impulses and lead to the same velocities: J' M (V+ - V_free) = J' N' λ is the minimal form's own
// equation. Built here from Jacobians and mass matrices alone.

#include "support/testing.h"
#include <sarrus/sarrus.h>

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINKS = 4, BODY = 6 * LINKS, JOINT_ROWS = 5 * LINKS, CONTACTS = 2, ROWS = JOINT_ROWS + 3 * CONTACTS };

static const char *const names[LINKS] = {"a", "b", "c", "d"};
static const int touching[CONTACTS] = {2, 3};
static const double h = 0.01, radius = 0.05;

// Four links on revolute joints of random axes, each with a frame where the next joint is, and a ball at the tips of
// two.
static srs_builder *arm(testing_random *random, double axis[LINKS][3])
{
  srs_builder *builder = srs_builder_create();
  for (int k = 0; k < LINKS; k++) {
    srs_link_def link = srs_default_link_def();
    link.name = names[k];
    link.mass = testing_uniform(random, 0.5, 2);
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    char name[2][16] = {"hinge0", "tip0"};
    name[0][5] = name[1][3] = (char)('0' + k);
    joint.name = name[0];
    joint.parent = k > 0 ? names[k - 1] : NULL;
    joint.child = names[k];
    double length = 0;
    for (int i = 0; i < 3; i++) {
      link.com[i] = testing_uniform(random, -0.1, 0.1);
      link.inertia[i] = testing_uniform(random, 0.02, 0.03);
      axis[k][i] = testing_uniform(random, -1, 1);
      length += axis[k][i] * axis[k][i];
    }
    for (int i = 0; i < 3; i++) joint.axis[i] = axis[k][i] /= sqrt(length);
    if (k > 0) joint.origin.position[0] = 0.5;
    srs_pose tip = srs_identity_pose();
    tip.position[0] = 0.5;
    srs_error error;
    if (srs_builder_add_link(builder, &link, &error) != SRS_OK) fail_msg("%s", error.message);
    if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
    if (srs_builder_add_frame(builder, name[1], names[k], &tip, &error) != SRS_OK) fail_msg("%s", error.message);
  }
  return builder;
}

// One form: velocities without impulses, the inverse of its mass matrix, and its rows.
typedef struct form {
  const srs_model *model;
  srs_workspace *workspace;
  int nv, n_rows;
  double q[8 * LINKS], v[BODY], v_free[BODY], inverse[BODY * BODY], rows[ROWS * BODY];
} form;

static void add_row(form *f, const double *row)
{
  memcpy(f->rows + (size_t)f->n_rows++ * (size_t)f->nv, row, sizeof *row * (size_t)f->nv);
}

static void invert_mass(form *f)
{
  assert_int_equal(srs_mass_matrix(f->workspace, f->q, f->inverse), SRS_OK);
  assert_int_equal(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', f->nv, f->inverse, f->nv), 0);
  assert_int_equal(LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'L', f->nv, f->inverse, f->nv), 0);
  for (int i = 0; i < f->nv; i++)
    for (int j = i + 1; j < f->nv; j++) f->inverse[i * f->nv + j] = f->inverse[j * f->nv + i];
}

static void open_form(form *f, const srs_model *model)
{
  f->model = model;
  f->nv = srs_model_nv(model);
  assert_true(f->nv <= BODY && srs_model_nq(model) <= 8 * LINKS);
  assert_int_equal(srs_workspace_create(model, &f->workspace, NULL), SRS_OK);
}

static int frame_of(const form *f, const char *kind, int k)
{
  char name[8];
  snprintf(name, sizeof name, "%s%d", kind, k);
  return srs_model_find_frame(f->model, strcmp(kind, "") == 0 ? names[k] : name);
}

// The ball's lowest point touches a floor: normal z, tangents x and y.
static void add_contacts(form *f)
{
  for (int c = 0; c < CONTACTS; c++) {
    double J[6 * BODY], row[BODY];
    assert_int_equal(srs_frame_jacobian(f->workspace, frame_of(f, "tip", touching[c]), SRS_AXES_WORLD, J), SRS_OK);
    static const int order[3] = {2, 0, 1};
    for (int r = 0; r < 3; r++) { // w x (0, 0, -radius) = radius (-w_y, w_x, 0)
      for (int i = 0; i < f->nv; i++) {
        const double turn = order[r] == 0 ? -J[f->nv + i] : order[r] == 1 ? J[i] : 0;
        row[i] = J[(3 + order[r]) * f->nv + i] + radius * turn;
      }
      add_row(f, row);
    }
  }
}

// Two directions across a unit vector.
static void across(const double a[3], double out[2][3])
{
  const int least = fabs(a[0]) < fabs(a[1]) ? (fabs(a[0]) < fabs(a[2]) ? 0 : 2) : (fabs(a[1]) < fabs(a[2]) ? 1 : 2);
  double e[3] = {0}, length = 0;
  e[least] = 1;
  for (int i = 0; i < 3; i++) out[0][i] = e[i] - a[least] * a[i], length += out[0][i] * out[0][i];
  for (int i = 0; i < 3; i++) out[0][i] /= sqrt(length);
  for (int i = 0; i < 3; i++) out[1][i] = a[(i + 1) % 3] * out[0][(i + 2) % 3] - a[(i + 2) % 3] * out[0][(i + 1) % 3];
}

// A joint: its two points stay together, and nothing turns across its axis.
static void add_joint(form *f, int k, const double axis[3])
{
  double child[6 * BODY], parent[6 * BODY] = {0}, row[BODY], side[2][3];
  srs_pose pose;
  const int frame = frame_of(f, "", k);
  assert_int_equal(srs_frame_jacobian(f->workspace, frame, SRS_AXES_WORLD, child), SRS_OK);
  assert_int_equal(srs_frame_placement(f->workspace, frame, &pose), SRS_OK);
  if (k > 0)
    assert_int_equal(srs_frame_jacobian(f->workspace, frame_of(f, "tip", k - 1), SRS_AXES_WORLD, parent), SRS_OK);
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < f->nv; i++) row[i] = child[(3 + r) * f->nv + i] - parent[(3 + r) * f->nv + i];
    add_row(f, row);
  }
  across(axis, side);
  for (int s = 0; s < 2; s++) {
    for (int i = 0; i < f->nv; i++) {
      row[i] = 0;
      for (int r = 0; r < 3; r++) {
        double world = 0;
        for (int j = 0; j < 3; j++) world += pose.rotation[3 * r + j] * side[s][j];
        row[i] += world * (child[r * f->nv + i] - parent[r * f->nv + i]);
      }
    }
    add_row(f, row);
  }
}

static void find_free(form *f)
{
  double a[BODY], zero[BODY] = {0};
  assert_int_equal(srs_forward_dynamics(f->workspace, f->q, f->v, zero, NULL, a), SRS_OK);
  for (int i = 0; i < f->nv; i++) f->v_free[i] = f->v[i] + h * a[i];
  invert_mass(f);
  assert_int_equal(srs_forward_velocity(f->workspace, f->q, f->v), SRS_OK);
}

// J' v of the free joints' velocities: linear in the world's axes, angular in the link's.
static void subtract_drift(const form *minimal, form *maximal)
{
  double zero[LINKS] = {0};
  assert_int_equal(srs_forward_acceleration(minimal->workspace, minimal->q, minimal->v, zero), SRS_OK);
  for (int k = 0; k < LINKS; k++) {
    double world[6], local[6];
    assert_int_equal(srs_frame_acceleration(minimal->workspace, frame_of(minimal, "", k), SRS_AXES_WORLD, world),
                     SRS_OK);
    assert_int_equal(srs_frame_acceleration(minimal->workspace, frame_of(minimal, "", k), SRS_AXES_LOCAL, local),
                     SRS_OK);
    char name[8];
    snprintf(name, sizeof name, "%s.vx", names[k]);
    double *v = maximal->v_free + srs_model_find_v(maximal->model, name);
    for (int i = 0; i < 3; i++) v[i] -= h * world[3 + i], v[3 + i] -= h * local[i];
  }
}

// impulse: of the contacts; v_next
static void solve(form *f, int n_bilateral, double gap, double impulse[3 * CONTACTS], double *v_next)
{
  const int n = f->n_rows, nv = f->nv;
  double W[ROWS * ROWS], b[ROWS], MN[BODY * ROWS], lambda[ROWS];
  const double friction[CONTACTS] = {0.4, 0.7};
  for (int i = 0; i < nv; i++)
    for (int r = 0; r < n; r++) {
      MN[i * n + r] = 0;
      for (int j = 0; j < nv; j++) MN[i * n + r] += f->inverse[i * nv + j] * f->rows[r * nv + j];
    }
  for (int r = 0; r < n; r++) {
    for (int s = 0; s < n; s++) {
      W[r * n + s] = 0;
      for (int i = 0; i < nv; i++) W[r * n + s] += f->rows[r * nv + i] * MN[i * n + s];
    }
    b[r] = r >= n_bilateral && (r - n_bilateral) % 3 == 0 ? gap / h : 0;
    for (int i = 0; i < nv; i++) b[r] += f->rows[r * nv + i] * f->v_free[i];
  }
  const srs_contact_problem problem = {
      .n_bilateral = n_bilateral, .n_contacts = CONTACTS, .W = W, .b = b, .friction = friction};
  srs_contact_solver *solver;
  srs_contact_report report;
  assert_int_equal(srs_contact_solver_create(n, &solver, NULL), SRS_OK);
  assert_int_equal(srs_contact_solve(solver, &problem, NULL, false, lambda, NULL, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  srs_contact_solver_destroy(solver);
  memcpy(impulse, lambda + n_bilateral, (size_t)3 * CONTACTS * sizeof *impulse);
  for (int i = 0; i < nv; i++) {
    v_next[i] = f->v_free[i];
    for (int r = 0; r < n; r++) v_next[i] += MN[i * n + r] * lambda[r];
  }
}

static double largest(const double *x, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static void minimal_and_maximal_coordinates_have_the_same_impulses(void **state)
{
  (void)state;
  testing_random random = testing_random_start(71);
  int pressed = 0;
  double worst = 0, worst_v = 0;
  for (int trial = 0; trial < 200; trial++) {
    double axis[LINKS][3];
    srs_builder *builder = arm(&random, axis);
    srs_model *models[2] = {NULL, NULL};
    srs_error error;
    if (srs_builder_build(builder, NULL, &models[0], &error) != SRS_OK) fail_msg("%s", error.message);
    if (srs_build_redundant(builder, NULL, &models[1], &error) != SRS_OK) fail_msg("%s", error.message);
    srs_builder_destroy(builder);
    static form minimal, maximal;
    memset(&minimal, 0, sizeof minimal);
    memset(&maximal, 0, sizeof maximal);
    open_form(&minimal, models[0]);
    open_form(&maximal, models[1]);
    testing_random_q(&random, models[0], minimal.q);
    testing_random_v(&random, models[0], 3, minimal.v);
    assert_int_equal(srs_redundant_state(models[0], models[1], minimal.q, minimal.v, maximal.q, maximal.v, NULL),
                     SRS_OK);
    find_free(&minimal);
    find_free(&maximal);
    for (int k = 0; k < LINKS; k++) add_joint(&maximal, k, axis[k]);
    double held[JOINT_ROWS];
    for (int r = 0; r < JOINT_ROWS; r++) {
      held[r] = 0;
      for (int i = 0; i < maximal.nv; i++) held[r] += maximal.rows[r * maximal.nv + i] * maximal.v[i];
    }
    assert_true(largest(held, JOINT_ROWS) < 1e-12); // the rows hold what the joints hold
    add_contacts(&minimal);
    add_contacts(&maximal);
    subtract_drift(&minimal, &maximal);
    double impulse[2][3 * CONTACTS], v_next[2][BODY], q_next[BODY + LINKS], mapped[BODY];
    const double gap = testing_uniform(&random, 0, 0.02);
    solve(&minimal, 0, gap, impulse[0], v_next[0]);
    solve(&maximal, JOINT_ROWS, gap, impulse[1], v_next[1]);
    assert_int_equal(srs_redundant_state(models[0], models[1], minimal.q, v_next[0], q_next, mapped, NULL), SRS_OK);
    const double size = fmax(1, largest(impulse[0], 3 * CONTACTS));
    for (int i = 0; i < 3 * CONTACTS; i++) worst = fmax(worst, fabs(impulse[1][i] - impulse[0][i]) / size);
    for (int i = 0; i < maximal.nv; i++) worst_v = fmax(worst_v, fabs(v_next[1][i] - mapped[i]));
    pressed += largest(impulse[0], 3 * CONTACTS) > 0;
    srs_workspace_destroy(minimal.workspace);
    srs_workspace_destroy(maximal.workspace);
    for (int i = 0; i < 2; i++) srs_model_destroy(models[i]);
  }
  print_message("%d of 200 arms press: impulses agree to %.2g, velocities to %.2g\n", pressed, worst, worst_v);
  assert_true(pressed > 50 && worst < 1e-10 && worst_v < 1e-10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(minimal_and_maximal_coordinates_have_the_same_impulses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
