// Which of many nodes are kept.

#include "collision/manifold/reduce.h"
#include "support/pairs_check.h"

enum { MOST = 200 };

static srs_touch node_at(double x, double y, double gap, uint32_t feature)
{
  return (srs_touch){{x, y, gap}, {x, y, 0}, {0, 0, 1}, gap, feature};
}

// n nodes at random in a disc, gaps at random.
static int random_nodes(testing_random *random, srs_touch *touches, int n)
{
  for (int i = 0; i < n; i++) {
    const double angle = testing_uniform(random, 0, 6.3), r = testing_uniform(random, 0, 1);
    touches[i] = node_at(r * cos(angle), r * sin(angle), testing_uniform(random, -0.1, 0.1), (uint32_t)(7 * i + 3));
  }
  return n;
}

static void up_to_eight_nodes_are_kept_in_the_order_of_their_features(void **state)
{
  (void)state;
  assert_int_equal(srs_manifold_reduce(NULL, 0), 0);
  srs_touch touches[SRS_MANIFOLD_POINTS];
  for (uint32_t i = 0; i < 8; i++) touches[i] = node_at(i, 0, 0, 7 - i);
  assert_int_equal(srs_manifold_reduce(touches, 8), 8);
  for (uint32_t i = 0; i < 8; i++) assert_true(touches[i].feature == i && touches[i].a.x == 7.0 - i);
}

static void the_deepest_is_always_kept_and_no_order_matters(void **state)
{
  (void)state;
  testing_random random = testing_random_start(51);
  for (int round = 0; round < 1000; round++) {
    srs_touch touches[MOST], shuffled[MOST];
    const int n = random_nodes(&random, touches, 9 + testing_below(&random, MOST - 9));
    memcpy(shuffled, touches, sizeof touches);
    for (int i = n - 1; i > 0; i--) {
      const int k = testing_below(&random, i + 1);
      const srs_touch t = shuffled[i];
      shuffled[i] = shuffled[k];
      shuffled[k] = t;
    }
    const double deepest = touches[deepest_of(touches, n)].gap;
    const int kept = srs_manifold_reduce(touches, n);
    assert_in_range(kept, 3, SRS_MANIFOLD_POINTS);
    assert_true(touches[deepest_of(touches, kept)].gap == deepest);
    assert_int_equal(srs_manifold_reduce(shuffled, n), kept);
    assert_memory_equal(touches, shuffled, (size_t)kept * sizeof *touches);
  }
}

// The support in a direction is how far the nodes reach along it. A circle is halved and halved again: seven corners
// and the deepest may leave one quarter uncut, where they reach cos 45 degrees as far.
static void those_kept_bound_the_patch(void **state)
{
  (void)state;
  testing_random random = testing_random_start(52);
  for (int round = 0; round < 300; round++) {
    srs_touch touches[MOST], all[MOST];
    const int n = random_nodes(&random, touches, MOST);
    memcpy(all, touches, sizeof touches);
    const int kept = srs_manifold_reduce(touches, n);
    for (int i = 0; i < 72; i++) {
      const double c = cos(i * 0.0872664626), s = sin(i * 0.0872664626);
      double whole = -1, left = -1;
      for (int k = 0; k < n; k++) whole = fmax(whole, c * all[k].a.x + s * all[k].a.y);
      for (int k = 0; k < kept; k++) left = fmax(left, c * touches[k].a.x + s * touches[k].a.y);
      assert_true(left > 0.7 * whole);
    }
  }
}

static void a_square_among_many_keeps_its_corners(void **state)
{
  (void)state;
  srs_touch touches[25];
  for (int i = 0; i < 25; i++) {
    const int column = i % 5, row = i / 5;
    touches[i] = node_at(column, row, 0, (uint32_t)i);
  }
  assert_int_equal(srs_manifold_reduce(touches, 25), 4);
  const uint32_t corners[4] = {0, 4, 20, 24};
  for (int i = 0; i < 4; i++) assert_int_equal(touches[i].feature, corners[i]);
}

static void nodes_on_a_line_or_in_a_point_leave_their_ends(void **state)
{
  (void)state;
  srs_touch touches[25];
  for (int i = 0; i < 25; i++) touches[i] = node_at(3 * i, 4 * i, i == 10 ? -1 : 0, (uint32_t)i);
  assert_int_equal(srs_manifold_reduce(touches, 25), 3);
  assert_true(touches[0].feature == 0 && touches[1].feature == 10 && touches[2].feature == 24);
  for (int i = 0; i < 25; i++) touches[i] = node_at(1, 2, i == 10 ? -1 : 0, (uint32_t)i);
  assert_int_equal(srs_manifold_reduce(touches, 25), 1);
  assert_int_equal(touches[0].feature, 10);
}

static void regular_patches_keep_the_same_nodes_under_rounding(void **state)
{
  (void)state;
  testing_random random = testing_random_start(53);
  srs_touch first[100], touches[100];
  for (int round = 0; round < 1000; round++) {
    for (int i = 0; i < 100; i++) {
      const double angle = i * 0.06283185307179587, noise = round == 0 ? 0 : 1e-15;
      touches[i] = node_at(cos(angle) + testing_uniform(&random, -noise, noise),
                           sin(angle) + testing_uniform(&random, -noise, noise),
                           testing_uniform(&random, -noise, noise), (uint32_t)i);
    }
    assert_int_equal(srs_manifold_reduce(touches, 100), 8);
    if (round == 0) memcpy(first, touches, sizeof touches);
    for (int k = 0; k < 8; k++) assert_int_equal(touches[k].feature, first[k].feature);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(up_to_eight_nodes_are_kept_in_the_order_of_their_features),
      cmocka_unit_test(the_deepest_is_always_kept_and_no_order_matters),
      cmocka_unit_test(those_kept_bound_the_patch),
      cmocka_unit_test(a_square_among_many_keeps_its_corners),
      cmocka_unit_test(nodes_on_a_line_or_in_a_point_leave_their_ends),
      cmocka_unit_test(regular_patches_keep_the_same_nodes_under_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
