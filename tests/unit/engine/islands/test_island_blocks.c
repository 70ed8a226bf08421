// A large problem's matrix by blocks is the matrix, and whatever the order of bodies its answers have the same bits.
#include "support/piles.h"

static const pile usual_pile = {.n = 90,
                                .width = 16,
                                .nut = 3,
                                .is_shaken = true,
                                .distance = 0.5,
                                .dt = 0.05,
                                .solver = "name: relaxed, tolerance: 1e-8"};

typedef struct problem {
  double factor_off; // of the factor from the blocks, the worst of all problems
  int n_columns;
  int n, n_nodes, n_blocks, n_bilateral; // of the largest seen
  double *W, *b;
  bool is_by_blocks;
} problem;

static double square_of(const srs_contact_blocks *blocks, double *W)
{
  const srs_contact_factor *f = blocks->factor;
  const int n = blocks->first[blocks->n_block_rows], columns = f->first[f->n_groups];
  double *L = calloc((size_t)n * (size_t)columns, sizeof *L), worst = 0;
  assert_non_null(L);
  for (int node = 0; node < blocks->n_block_rows; node++)
    for (int k = f->start[node]; k < f->start[node + 1]; k++) {
      const double *value = f->value + f->begin[k];
      for (int i = blocks->first[node]; i < blocks->first[node + 1]; i++)
        for (int c = f->first[f->group[k]]; c < f->first[f->group[k] + 1]; c++)
          L[(size_t)i * (size_t)columns + (size_t)c] = *value++;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j && f->own != NULL ? f->own[i] : 0;
      for (int c = 0; c < columns; c++)
        sum += L[(size_t)i * (size_t)columns + (size_t)c] * L[(size_t)j * (size_t)columns + (size_t)c];
      worst = fmax(worst, fabs(sum - W[(size_t)i * (size_t)n + (size_t)j]));
    }
  free(L);
  return worst;
}

static void keep_largest(void *context, const srs_contact_problem *p, const double *impulse,
                         const srs_contact_report *report)
{
  problem *kept = context;
  const int n = srs_contact_problem_rows(p);
  assert_int_equal(report->status, SRS_CONTACT_SOLVED);
  assert_non_null(impulse);
  if (n <= kept->n) return;
  const size_t rows = (size_t)n;
  free(kept->W);
  free(kept->b);
  *kept = (problem){.n = n, .n_bilateral = p->n_bilateral, .is_by_blocks = p->blocks != NULL};
  kept->W = malloc(rows * rows * sizeof *kept->W);
  kept->b = malloc(rows * sizeof *kept->b);
  assert_true(kept->W != NULL && kept->b != NULL);
  memcpy(kept->b, p->b, rows * sizeof *p->b);
  if (p->blocks != NULL) {
    kept->n_nodes = p->blocks->n_block_rows;
    kept->n_blocks = p->blocks->start[p->blocks->n_block_rows];
    srs_contact_blocks_expand(p->blocks, kept->W);
    kept->factor_off = square_of(p->blocks, kept->W);
    kept->n_columns = p->blocks->factor->first[p->blocks->factor->n_groups];
  } else {
    memcpy(kept->W, p->W, rows * rows * sizeof *p->W);
  }
}

// The largest problem of a pile's first step.
static problem first_problem(const char *solver, const char *contact)
{
  pile p = usual_pile;
  p.solver = solver;
  p.contact = contact;
  world w = pile_world(&p);
  problem kept = {0};
  srs_sim_watch_contacts(w.sim, keep_largest, &kept);
  step(w.sim, 1);
  unload(&w);
  return kept;
}

static void blocks_are_the_matrix(void **state)
{
  (void)state;
  problem by_blocks = first_problem(usual_pile.solver, NULL); // without bounces all impact laws say the same
  problem whole = first_problem("name: mncp-rlm, tolerance: 1e-8", ", impact: poisson");
  const int n = whole.n;
  assert_true(by_blocks.is_by_blocks && !whole.is_by_blocks);
  assert_int_equal(by_blocks.n, n);
  assert_int_equal(by_blocks.n_bilateral, 1); // the floor's motion
  assert_memory_equal(by_blocks.b, whole.b, sizeof *whole.b * (size_t)n);
  double apart = 0;
  for (int i = 0; i < n * n; i++) apart = fmax(apart, fabs(by_blocks.W[i] - whole.W[i]));
  print_message("%d rows, %d nodes, %d blocks of %d: %.2g apart\n", n, by_blocks.n_nodes, by_blocks.n_blocks,
                by_blocks.n_nodes * by_blocks.n_nodes, apart);
  assert_true(apart < 1e-15); // entries are sums of two terms below 1
  assert_true(by_blocks.n_blocks < 20 * by_blocks.n_nodes);
  print_message("%d columns of its factor: %.2g apart\n", by_blocks.n_columns, by_blocks.factor_off);
  assert_true(by_blocks.n_columns <= 3 * 91 + 1 && by_blocks.factor_off < 1e-14); // discs, the lift
  free(by_blocks.W);
  free(by_blocks.b);
  free(whole.W);
  free(whole.b);
}

static void the_order_of_bodies_does_not_change_a_bit(void **state)
{
  (void)state;
  pile p = usual_pile;
  world first = pile_world(&p);
  p.is_reversed = true;
  world second = pile_world(&p);
  step(first.sim, 20);
  step(second.sim, 20);
  const srs_model *m = first.model, *other = second.model;
  assert_int_equal(srs_model_nq(m), srs_model_nq(other));
  for (int i = 0; i < srs_model_nq(m); i++) {
    int j = 0;
    while (strcmp(srs_model_q_name(m, i), srs_model_q_name(other, j)) != 0) j++;
    assert_true(srs_sim_q(first.sim)[i] == srs_sim_q(second.sim)[j]);
  }
  assert_int_equal(srs_sim_get_statistics(first.sim)->failures, 0);
  unload(&first);
  unload(&second);
}

// Two sims of one scene, one after the other and by turns.
static void nothing_is_remembered_from_other_sims(void **state)
{
  (void)state;
  world first = pile_world(&usual_pile), second = pile_world(&usual_pile);
  step(first.sim, 10);
  for (int i = 0; i < 10; i++) step(second.sim, 1);
  assert_memory_equal(srs_sim_q(first.sim), srs_sim_q(second.sim), sizeof(double) * (size_t)srs_model_nq(first.model));
  unload(&first);
  unload(&second);
}

// Every solver takes the pile's problems by blocks, and none is called solved that is not.
static void every_solver_takes_blocks(void **state)
{
  (void)state;
  for (int name = 0; name < SRS_CONTACT_METHODS; name++) {
    char solver[64];
    (void)snprintf(solver, sizeof solver, "name: %s, tolerance: 1e-8",
                   srs_contact_method_name((srs_contact_method)name));
    problem kept = first_problem(solver, NULL);
    assert_true(kept.is_by_blocks);
    free(kept.W);
    free(kept.b);
  }
}

// A plate on 11 x 11 feet, whose contacts are all coupled: whole where memory may grow, by blocks where it is set
// aside.
static void plate(int capacity, bool is_by_blocks)
{
  enum { FEET = 11 };
  pile_text t = {.room = 32768};
  t.text = malloc(t.room);
  assert_non_null(t.text);
  pile_print(&t, "gravity: [0, 0, -9.81]\nmodels:\n  - name: plate\n    base: floating\n"
                 "    links: [{name: top, mass: 10, inertia: [20, 20, 40]}]\n    shapes:\n");
  for (int i = 0; i < FEET * FEET; i++)
    pile_print(&t, "      - {link: top, kind: sphere, radius: 0.05, pose: {position: [%.17g, %.17g, 0]}}\n",
               0.3 * (i % FEET - 5), 0.3 * (i / FEET - 5)); // NOLINT(bugprone-integer-division)
  pile_print(&t,
             "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
             "contact: {friction: 0.5, capacity: %d}\ndt: 0.002\ninitial: {q: {root: [0, 0, 0.05, 1, 0, 0, "
             "0]}, v: {root: [0.5, 0.1, 0, 0, 0, 0.2]}}\n",
             capacity);
  world w = {0};
  srs_error error;
  if (srs_scene_load(testing_write("plate.yaml", t.text), NULL, &w.scene, &error) != SRS_OK ||
      srs_scene_create_sim(w.scene, NULL, &w.sim, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  problem kept = {0};
  srs_sim_watch_contacts(w.sim, keep_largest, &kept);
  step(w.sim, 10);
  assert_true(kept.n == 3 * FEET * FEET && kept.is_by_blocks == is_by_blocks);
  free(kept.W);
  free(kept.b);
  free(t.text);
  unload(&w);
}

static void coupled_contacts_stay_whole(void **state)
{
  (void)state;
  plate(0, false);
  plate(130, true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_the_matrix),
      cmocka_unit_test(every_solver_takes_blocks),
      cmocka_unit_test(coupled_contacts_stay_whole),
      cmocka_unit_test(the_order_of_bodies_does_not_change_a_bit),
      cmocka_unit_test(nothing_is_remembered_from_other_sims),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
