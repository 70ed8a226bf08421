// Embedded loops against the multiplier form, linkage by linkage: accelerations, contacts' matrix, and what cannot be.

#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/closure_newton.h"
#include "engine/loops/embedding.h"
#include "engine/loops/mechanism.h"
#include "support/embedded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A x = b by Gauss's elimination with pivots from the whole matrix, entries below 1e-9 of the largest taken as zero:
// for consistent equations of which some say the same. A, b are spoiled; what is left free is 0.
static void solve(int n, double *A, double *b, double *x)
{
  int *column = malloc((size_t)n * sizeof *column);
  double largest = 0;
  for (int i = 0; i < n; i++) column[i] = i;
  int rank = 0;
  for (; rank < n; rank++) {
    int r = rank, c = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < n; j++)
        if (fabs(A[i * n + j]) > fabs(A[r * n + c])) r = i, c = j;
    largest = fmax(largest, fabs(A[r * n + c]));
    if (fabs(A[r * n + c]) <= 1e-9 * largest) break;
    for (int j = 0; j < n; j++) {
      const double entry = A[rank * n + j];
      A[rank * n + j] = A[r * n + j], A[r * n + j] = entry;
    }
    const double right = b[rank];
    b[rank] = b[r], b[r] = right;
    for (int i = 0; i < n; i++) {
      const double entry = A[i * n + rank];
      A[i * n + rank] = A[i * n + c], A[i * n + c] = entry;
    }
    const int name = column[rank];
    column[rank] = column[c], column[c] = name;
    for (int i = rank + 1; i < n; i++) {
      const double share = A[i * n + rank] / A[rank * n + rank];
      for (int j = rank; j < n; j++) A[i * n + j] -= share * A[rank * n + j];
      b[i] -= share * b[rank];
    }
  }
  memset(x, 0, (size_t)n * sizeof *x);
  for (int i = rank - 1; i >= 0; i--) {
    double sum = b[i];
    for (int j = i + 1; j < rank; j++) sum -= A[i * n + j] * x[column[j]];
    x[column[i]] = sum / A[i * n + i];
  }
  free(column);
}

// The rows' velocities at integrate(q, v, s).
static void velocities_at(srs_workspace *w, const double *q, const double *v, double s, double *out)
{
  const srs_model *m = w->model;
  double *there = malloc((size_t)m->nq * sizeof *there);
  srs_closure_row *rows = aligned_alloc(64, ((size_t)m->n_loop_rows * sizeof *rows + 63) / 64 * 64);
  srs_integrate(m, q, v, s, there);
  srs_place_links(w, there);
  const int n = srs_closure_rows(w, there, 0, rows);
  srs_move_links(w, v);
  for (int i = 0; i < n; i++) out[i] = srs_row_velocity(&rows[i].row, w->velocity, v);
  free(rows);
  free(there);
}

// dG/dt v by differences of fourth order: errors of some 1e-12.
static void bias_by_differences(srs_workspace *w, const double *q, const double *v, double *bias)
{
  static const double weight[4] = {1, -8, 8, -1};
  const double s = 2e-4;
  const int n = w->model->n_loop_rows;
  double *at = malloc((size_t)n * sizeof *at);
  memset(bias, 0, (size_t)n * sizeof *bias);
  for (int k = 0; k < 4; k++) {
    velocities_at(w, q, v, s * (k < 2 ? k - 2 : k - 1), at);
    for (int i = 0; i < n; i++) bias[i] += weight[k] * at[i] / (12 * s);
  }
  free(at);
}

// a of [M G^T; G 0] [a; -lambda] = [tau - c; -dG/dt v].
static void accelerate_by_multipliers(srs_workspace *w, const double *q, const double *v, const double *tau, double *a)
{
  const srs_model *m = w->model;
  const int nv = m->nv, n_rows = m->n_loop_rows, n = nv + n_rows;
  double *M = malloc((size_t)(nv * nv) * sizeof *M), *c = malloc((size_t)nv * sizeof *c);
  double *A = calloc((size_t)n * (size_t)n, sizeof *A), *b = malloc((size_t)n * sizeof *b),
         *x = malloc((size_t)n * sizeof *x);
  double *J = malloc((size_t)(n_rows * nv) * sizeof *J);
  srs_closure_row *rows = aligned_alloc(64, ((size_t)n_rows * sizeof *rows + 63) / 64 * 64);
  assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK);
  assert_int_equal(srs_bias(w, q, v, c), SRS_OK);
  srs_place_links(w, q);
  srs_closure_rows(w, q, 0, rows);
  srs_fill_jacobian(w, rows, n_rows, J);
  bias_by_differences(w, q, v, b + nv);
  for (int i = 0; i < nv; i++) {
    b[i] = tau[i] - c[i];
    for (int j = 0; j < nv; j++) A[i * n + j] = M[i * nv + j];
    for (int r = 0; r < n_rows; r++) A[i * n + nv + r] = A[(nv + r) * n + i] = J[r * nv + i];
  }
  for (int r = 0; r < n_rows; r++) b[nv + r] = -b[nv + r];
  solve(n, A, b, x);
  memcpy(a, x, (size_t)nv * sizeof *a);
  void *const all[] = {M, c, A, b, x, J, rows};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

// The least share that the factors leave of a column's parts: how well the independent coordinates determine the
// others.
static double regularity(srs_workspace *w, const double *q)
{
  double least = 1;
  if (srs_embedding_map(w, q) != SRS_OK) return 0;
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (int k = 0; k < c->n_dependent; k++) least = fmin(least, fabs(c->QR[k * c->n_rows + k]) / c->size[k]);
  }
  return least;
}

// A closed configuration, not next to a singular one, where either form loses digits, and velocities that move along
// the loops, from random ones near the start.
static void random_state(testing_random *random, srs_workspace *w, double *q, double *v)
{
  const srs_model *m = w->model;
  srs_error error;
  srs_assembly_options options = srs_default_assembly_options();
  srs_assembly_report report;
  for (int tries = 0; tries < 100; tries++) {
    for (int i = 0; i < m->nv; i++) v[i] = testing_uniform(random, -0.4, 0.4);
    srs_integrate(m, m->neutral, v, 1, q);
    if (srs_assemble(w, &options, q, &report) != SRS_OK || regularity(w, q) < 1e-3) continue;
    for (int i = 0; i < m->nv; i++) v[i] = testing_uniform(random, -3, 3);
    if (srs_assemble_velocity(w, &options, q, v, &report) == SRS_OK) return;
  }
  error = *srs_workspace_error(w);
  fail_msg("%s", error.message);
}

static void accelerations_are_those_of_multipliers(void **state)
{
  (void)state;
  testing_random random = testing_random_start(11);
  for (int i = 0; i < EMBEDDED_MECHANISMS; i++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "");
    const srs_model *m = srs_scene_model(scene);
    srs_workspace *w = NULL;
    assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
    double q[64], v[64], tau[64], a[64], b[64], worst = 0;
    for (int trial = 0; trial < 20; trial++) {
      random_state(&random, w, q, v);
      for (int k = 0; k < m->nv; k++) tau[k] = testing_uniform(&random, -1, 1);
      if (srs_embedded_acceleration(w, q, v, tau, NULL, a) != SRS_OK) fail_msg("%s", srs_workspace_error(w)->message);
      accelerate_by_multipliers(w, q, v, tau, b);
      double size = 1, off = 0;
      for (int k = 0; k < m->nv; k++) size = fmax(size, fabs(b[k])), off = fmax(off, fabs(a[k] - b[k]));
      worst = fmax(worst, off / size);
    }
    print_message("%s: %.3g\n", embedded_mechanisms[i].name, worst);
    assert_true(worst < 1e-9);
    srs_workspace_destroy(w);
    srs_scene_destroy(scene);
  }
}

// dG/dt v of every kind of closure, rows of angular axes one by one and two by two, where the frames meet and move so.
// 1e-9: what differences of fourth order leave here.
static void the_bias_is_the_derivative_of_the_rows(void **state)
{
  (void)state;
  testing_random random = testing_random_start(3);
  int n_compared = 0;
  for (int kind = 0; kind < SRS_CLOSURE_TENDON; kind++) // those that hold frames
    for (unsigned mask = 1; mask < (kind == SRS_CLOSURE_ROWS ? 64U : 2U); mask++) {
      srs_builder *builder = testing_random_builder(&random, 7, NULL, 0, 0.6);
      srs_closure_def def = srs_default_closure_def((srs_closure_kind)kind);
      def.name = "loop", def.frame_a = "link2", def.frame_b = "link5";
      def.rows = mask;
      def.length = 0.7;
      for (int i = 0; i < 3; i++) {
        def.axis[i] = testing_uniform(&random, -1, 1);
        def.pose_a.position[i] = testing_uniform(&random, -0.3, 0.3);
      }
      assert_int_equal(srs_builder_add_closure(builder, &def, NULL), SRS_OK);
      srs_model *m = testing_build(builder);
      srs_workspace *w = NULL;
      assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
      double q[64], v[64], bias[6], expected[6];
      srs_assembly_options options = srs_default_assembly_options();
      options.respect_limits = false;
      bool is_closed = false;
      for (int tries = 0; tries < 50 && !is_closed; tries++) {
        testing_random_q(&random, m, q);
        testing_random_v(&random, m, 1, v);
        is_closed =
            srs_assemble(w, &options, q, NULL) == SRS_OK && srs_assemble_velocity(w, &options, q, v, NULL) == SRS_OK;
        for (int i = 0; i < m->nq; i++) is_closed = is_closed && fabs(q[i]) < 100; // travel with all its digits
      }
      if (is_closed) { // random mechanisms need not reach
        bias_by_differences(w, q, v, expected);
        srs_place_links(w, q);
        srs_move_links(w, v);
        srs_accelerate_links(w, v, w->zero_v);
        srs_closure_bias(w, bias);
        testing_assert_close(srs_closure_kind_name((srs_closure_kind)kind), bias, expected, m->n_loop_rows, 1e-9);
      }
      n_compared += is_closed;
      srs_workspace_destroy(w);
      srs_model_destroy(m);
    }
  print_message("%d closures compared\n", n_compared);
  assert_true(n_compared > 40);
}

// The velocity of a row at v.
static double velocity_of(srs_workspace *w, const srs_row *row, const double *v)
{
  if (row->coordinate >= 0) return row->coefficient * v[row->coordinate];
  return v6_dot(row->force, w->velocity[row->link]);
}

// X of the whole mechanism: what coordinate `v_index` being 1 and all other independent ones 0 does; false where it
// follows.
static bool unit_motion(const srs_workspace *w, int v_index, double *v)
{
  memset(v, 0, (size_t)w->model->nv * sizeof *v);
  const struct srs_embedding *e = w->embedding;
  const int link = w->model->link_of_v[v_index];
  for (int i = 0; e->of_link[link] >= 0 && i < e->compounds[e->of_link[link]].n_dependent; i++)
    if (e->compounds[e->of_link[link]].v[e->compounds[e->of_link[link]].dependent[i]] == v_index) return false;
  v[v_index] = 1;
  srs_embedding_lift(w, v);
  return true;
}

// J X (X^T (M + extra) X)^-1 X^T J^T
static void dense_lambda(srs_workspace *w, const double *q, const double *extra, const srs_row *rows, int n,
                         double *lambda)
{
  enum { MOST = 32 };
  const int nv = w->model->nv;
  double M[MOST * MOST], X[MOST][MOST], J[MOST][MOST], A[MOST * MOST], b[MOST], x[MOST];
  assert_int_equal(srs_mass_matrix(w, q, M), SRS_OK);
  assert_int_equal(srs_embedding_map(w, q), SRS_OK);
  int n_independent = 0;
  for (int i = 0; i < nv; i++) {
    if (!unit_motion(w, i, X[n_independent])) continue;
    srs_move_links(w, X[n_independent]);
    for (int r = 0; r < n; r++) J[r][n_independent] = velocity_of(w, &rows[r], X[n_independent]);
    n_independent++;
  }
  for (int r = 0; r < n; r++) {
    for (int i = 0; i < n_independent; i++) {
      b[i] = J[r][i];
      for (int j = 0; j < n_independent; j++) {
        A[i * n_independent + j] = 0;
        for (int k = 0; k < nv; k++)
          for (int l = 0; l < nv; l++)
            A[i * n_independent + j] += X[i][k] * (M[k * nv + l] + (k == l ? extra[k] : 0)) * X[j][l];
      }
    }
    solve(n_independent, A, b, x);
    for (int s = 0; s < n; s++) {
      lambda[s * n + r] = 0;
      for (int i = 0; i < n_independent; i++) lambda[s * n + r] += J[s][i] * x[i];
    }
  }
}

// Contacts' and limits' matrix, and the answer to their impulses. 1e-10: as of the recursion without loops.
static void the_matrix_of_rows_is_the_dense_one(void **state)
{
  (void)state;
  enum { ROWS = 8 };
  testing_random random = testing_random_start(5);
  for (int i = 0; i < EMBEDDED_MECHANISMS; i++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "");
    const srs_model *m = srs_scene_model(scene);
    srs_workspace *w = NULL;
    assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
    double q[64], v[64], a[64], extra[64], lambda[ROWS * ROWS], expected[ROWS * ROWS];
    for (int trial = 0; trial < 10; trial++) {
      srs_row rows[ROWS];
      for (int r = 0; r < ROWS; r++) {
        const int k = testing_below(&random, m->n_links), at = testing_below(&random, m->nv);
        double f[6];
        for (int c = 0; c < 6; c++) f[c] = testing_uniform(&random, -1, 1);
        rows[r] = r % 3 == 2 ? (srs_row){m->link_of_v[at], at, f[0], v6_zero} : (srs_row){k, -1, 0, v6_load(f)};
      }
      random_state(&random, w, q, v);
      for (int k = 0; k < m->nv; k++) extra[k] = testing_uniform(&random, 0, 0.01);
      dense_lambda(w, q, extra, rows, ROWS, expected);
      int bad;
      srs_embedding_drift(w, v);
      w->is_embedded = true;
      assert_int_equal(srs_solve_forward(w, q, v, w->zero_v, extra, NULL, a, &bad), SRS_OK);
      for (int k = 0; k < m->n_links; k++) assert_int_equal(w->tree[k], 0); // these mechanisms are one tree each
      srs_delassus_of_tree(w, 0, rows, ROWS, lambda);
      w->is_embedded = false;
      testing_assert_close(embedded_mechanisms[i].name, lambda, expected, ROWS * ROWS, 1e-10);
    }
    srs_workspace_destroy(w);
    srs_scene_destroy(scene);
  }
}

static const char parallelogram[] =
    "models:\n- links:\n" EMBEDDED_BAR("crank", "0.4") EMBEDDED_BAR("coupler", "0.7") EMBEDDED_BAR(
        "rocker",
        "0.5") "  joints:\n"
               "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}\n"
               "  - {name: q2, kind: continuous, parent: crank, child: coupler, axis: [0, 1, 0], origin: {position: "
               "[0.1, 0, "
               "0]}}\n"
               "  - {name: q3, kind: continuous, child: rocker, axis: [0, 1, 0], origin: {position: [0.4, 0, 0]}}\n"
               "  closures:\n  - {name: pin, kind: revolute, axis: [0, 1, 0], frame_a: coupler, frame_b: rocker, "
               "pose_a: "
               "{position: "
               "[0.4, 0, 0]}, pose_b: {position: [0.1, 0, 0]}@q1@}\n";

// What an acceleration at the neutral configuration, or a configuration at which loops are open, is refused for.
static void expect_refusal(const char *text, double first, srs_status status, const char *const words[3])
{
  const embedded_mechanism mechanism = {"", text};
  srs_scene *scene = embedded_scene(&mechanism, true, "");
  const srs_model *m = srs_scene_model(scene);
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(m, &w, NULL), SRS_OK);
  double q[16] = {first}, v[16] = {0}, tau[16] = {0}, a[16] = {7};
  assert_int_equal(srs_embedded_acceleration(w, q, v, tau, NULL, a), status);
  const char *message = srs_workspace_error(w)->message;
  print_message("%s\n", message);
  for (int i = 0; i < 3; i++) assert_non_null(strstr(message, words[i]));
  assert_true(a[0] == 7);
  srs_workspace_destroy(w);
  srs_scene_destroy(scene);
}

static void coordinates_that_do_not_determine_a_loop_are_refused_by_name(void **state)
{
  (void)state;
  char text[4096];
  // In line: coupler and rocker may turn either way.
  expect_refusal(parallelogram, 0, SRS_ERROR_MODEL,
                 (const char *[]){"'pin'", "do not determine", "choose another independent coordinate"});
  expect_refusal(embedded_mechanisms[0].text, 0.3, SRS_ERROR_UNREACHABLE,
                 (const char *[]){"'pin'", "is open by", "assemble"});
  const char *at = strstr(embedded_mechanisms[0].text, "@q1@");
  const int n = (int)(at - embedded_mechanisms[0].text);
  (void)snprintf(text, sizeof text, "%.*s@q1, q3@%s", n, embedded_mechanisms[0].text, at + 4);
  expect_refusal(text, 0, SRS_ERROR_MODEL, (const char *[]){"'pin'", "'q1'", "name fewer"});
  (void)snprintf(text, sizeof text, "%.*s@@%s", n, embedded_mechanisms[0].text, at + 4);
  expect_refusal(text, 0, SRS_ERROR_MODEL, (const char *[]){"'pin'", "(none)", "one more"});
}

static void scenes_tell_what_is_wrong_with_an_embedding(void **state)
{
  (void)state;
  static const struct {
    const char *keys, *message;
  } cases[] = {
      {", embed: true, independent: [q9]", "no joint or coordinate is named 'q9'"},
      {", embed: true, independent: [root.xw]", "did you mean 'root.wx'?"},
      {", embed: true, independent: [l1, l1]", "'l1' is named twice"},
      {", embed: true, independent: [s]", "'s' is not on the loop"},
      {", independent: [l1]", "'embed: true'"},
      {", embed: 3, independent: [l1]", "embed"},
      {", embed: true, independent: l1", "independent"},
      {", embed: true, independent: [l1], motion: {rate: 1}", "a closure with a motion cannot be embedded"},
  };
  const embedded_mechanism *five_bar = &embedded_mechanisms[4]; // s is the joint of its arm
  const char *at = strstr(five_bar->text, "@l1, r1@");
  assert_non_null(at);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[8192];
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - five_bar->text), five_bar->text, cases[i].keys, at + 8);
    srs_scene *scene = NULL;
    srs_error error;
    assert_int_not_equal(srs_scene_load(testing_write("wrong.yaml", text), NULL, &scene, &error), SRS_OK);
    print_message("%s\n", error.message);
    assert_non_null(strstr(error.message, cases[i].message));
    assert_true(error.line > 0 && strstr(error.file, "wrong.yaml") != NULL);
  }
}

// The four-bar by its rocker at crank angles on both sides of the one where crank and coupler are in line.
static void passing_a_singular_configuration_is_seen(void **state)
{
  (void)state;
  char text[4096];
  const char *at = strstr(embedded_mechanisms[0].text, "@q1@");
  (void)snprintf(text, sizeof text, "%.*s@q3@%s", (int)(at - embedded_mechanisms[0].text), embedded_mechanisms[0].text,
                 at + 4);
  const embedded_mechanism by_rocker = {"", text};
  srs_scene *scene = embedded_scene(&by_rocker, true, "");
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(srs_scene_model(scene), &w, NULL), SRS_OK);
  srs_assembly_options options = srs_default_assembly_options();
  const bool frozen[3] = {true, false, false};
  options.frozen = frozen;
  double q[3] = {0}, rate[2] = {0};
  int passages = 0;
  for (int i = 0; i <= 60; i++) {
    q[0] = 0.1 * i + 0.013; // a turn of the crank passes both dead points
    assert_int_equal(srs_assemble(w, &options, q, NULL), SRS_OK);
    assert_int_equal(srs_embedding_map(w, q), SRS_OK);
    double v[3] = {0, 0, 1};
    srs_embedding_lift(w, v);
    rate[i % 2] = v[0];
    const bool turns = i > 0 && rate[0] * rate[1] < 0; // of the rocker against the crank: only through infinity
    if (i > 0) assert_int_equal(srs_embedding_check_passage(w), turns ? SRS_ERROR_MODEL : SRS_OK);
    if (turns) assert_non_null(strstr(srs_workspace_error(w)->message, "passes a configuration"));
    passages += turns;
    srs_embedding_keep(w);
  }
  assert_int_equal(passages, 2);
  srs_workspace_destroy(w);
  srs_scene_destroy(scene);
}

static void in_redundant_coordinates_nothing_is_embedded(void **state)
{
  (void)state;
  srs_scene *scene = embedded_scene(&embedded_mechanisms[3], true, "coordinates: redundant\n");
  const srs_model *m = srs_scene_model(scene);
  for (int i = 0; i < srs_model_n_closures(m); i++) assert_false(srs_model_closure(m, i)->is_embedded);
  srs_scene_destroy(scene);
}

// A run that is interrupted and resumed has the same bits.
static void snapshots_resume_embedded_runs_bit_by_bit(void **state)
{
  (void)state;
  for (int i = 0; i < EMBEDDED_MECHANISMS; i++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "");
    srs_sim *sim = NULL, *other = NULL;
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
    assert_int_equal(srs_scene_create_sim(scene, NULL, &other, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 50, NULL), SRS_OK);
    void *bytes = malloc(srs_sim_snapshot_size(sim));
    srs_sim_snapshot_save(sim, bytes);
    assert_int_equal(srs_sim_snapshot_restore(other, bytes, srs_sim_snapshot_size(sim), NULL), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 50, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(other, 50, NULL), SRS_OK);
    const srs_model *m = srs_sim_model(sim);
    assert_memory_equal(srs_sim_q(sim), srs_sim_q(other), (size_t)srs_model_nq(m) * sizeof(double));
    assert_memory_equal(srs_sim_v(sim), srs_sim_v(other), (size_t)srs_model_nv(m) * sizeof(double));
    free(bytes);
    srs_sim_destroy(sim);
    srs_sim_destroy(other);
    srs_scene_destroy(scene);
  }
}

// What a step left is not told of another state.
static void nothing_is_told_of_a_step_that_did_not_lead_here(void **state)
{
  (void)state;
  for (int is_embedded = 0; is_embedded < 2; is_embedded++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[0], is_embedded != 0,
                                      "actuators: [{coordinate: q3, kp: 5, kd: 1, position: 0.2}]\n");
    srs_sim *sim = NULL;
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
    void *bytes = malloc(srs_sim_snapshot_size(sim));
    srs_sim_snapshot_save(sim, bytes);
    for (int way = 0; way < 3; way++) {
      double wrench[6], size = 0;
      assert_int_equal(srs_sim_step(sim, 10, NULL), SRS_OK);
      const double q3 = srs_sim_actuator_effort(sim)[2];
      assert_int_equal(srs_sim_set_state(sim, 1, NULL, NULL, NULL), SRS_OK); // the clock alone
      assert_int_equal(srs_sim_loop_wrench(sim, 0, NULL, wrench), SRS_OK);
      assert_true(q3 != 0 && srs_sim_actuator_effort(sim)[2] == q3 && wrench[5] != 0);
      if (way == 0) assert_int_equal(srs_sim_snapshot_restore(sim, bytes, srs_sim_snapshot_size(sim), NULL), SRS_OK);
      if (way == 1) assert_int_equal(srs_sim_set_state(sim, 0, NULL, srs_sim_v(sim), NULL), SRS_OK);
      if (way == 2) srs_sim_reset(sim);
      assert_int_equal(srs_sim_loop_wrench(sim, 0, NULL, wrench), SRS_OK);
      for (int i = 0; i < 6; i++) size += fabs(wrench[i]);
      for (int i = 0; i < 3; i++) size += fabs(srs_sim_actuator_effort(sim)[i]);
      assert_true(size == 0);
    }
    free(bytes);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// A servo on the rocker, which follows: what it gives with its value at the step's end is within its bounds in every
// step, also in that in which the actuator comes to them. (The drift is part of the rate that it sees.)
static void a_servo_on_what_follows_gives_no_more_than_it_may(void **state)
{
  (void)state;
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint", "implicit-euler",
                                            "implicit-moreau"};
  static const char key[] = "armature: 0.002";
  static const double gains[2][2] = {{500, 20}, {1e5, 1e3}};
  char text[4096], more[256];
  const char *from = embedded_mechanisms[0].text, *at = strstr(from, key);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*smax_effort: 0.5%s", (int)(at - from), from, at + strlen(key));
  const embedded_mechanism mechanism = {"four-bar with a weak motor", text};
  for (int i = 0; i < 8; i++) {
    snprintf(more, sizeof more, "integrator: %s\ndrives: [{coordinate: q3, kp: %g, kd: %g}]\ninitial: {v: {q1: 20}}\n",
             integrators[i % 4], gains[i / 4][0], gains[i / 4][1]);
    srs_scene *scene = embedded_scene(&mechanism, true, more);
    srs_sim *sim = NULL;
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
    const int q3 = srs_model_find_v(srs_sim_model(sim), "q3");
    double most = 0;
    for (int n = 0; n < 600; n++) {
      assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
      most = fmax(most, fabs(srs_sim_actuator_effort(sim)[q3]));
    }
    assert_true(most > 0.5 * (1 - 1e-12) && most < 0.5 * (1 + 1e-9));
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bias_is_the_derivative_of_the_rows),
      cmocka_unit_test(accelerations_are_those_of_multipliers),
      cmocka_unit_test(the_matrix_of_rows_is_the_dense_one),
      cmocka_unit_test(coordinates_that_do_not_determine_a_loop_are_refused_by_name),
      cmocka_unit_test(scenes_tell_what_is_wrong_with_an_embedding),
      cmocka_unit_test(passing_a_singular_configuration_is_seen),
      cmocka_unit_test(in_redundant_coordinates_nothing_is_embedded),
      cmocka_unit_test(snapshots_resume_embedded_runs_bit_by_bit),
      cmocka_unit_test(nothing_is_told_of_a_step_that_did_not_lead_here),
      cmocka_unit_test(a_servo_on_what_follows_gives_no_more_than_it_may),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
