// Looking up by name.
#include "support/testing.h"
#include "topology/base/names.h"

#include <stdio.h>
#include <string.h>

static char texts[3000][16];

static void names_are_found_and_cut(void **state)
{
  (void)state;
  srs_names names = {0};
  assert_int_equal(srs_names_find(&names, "nobody"), -1);
  for (int i = 0; i < 3000; i++) {
    snprintf(texts[i], sizeof texts[i], "n%d", i * 7919 % 3000);
    assert_int_equal(srs_names_find(&names, texts[i]), -1);
    assert_true(srs_names_reserve(&names));
    srs_names_add(&names, texts[i], 2 * i);
  }
  for (int i = 0; i < 3000; i++) assert_int_equal(srs_names_find(&names, texts[i]), 2 * i);
  srs_names_cut(&names, 2000); // the numbers below are those of the first thousand
  for (int i = 0; i < 3000; i++) assert_int_equal(srs_names_find(&names, texts[i]), i < 1000 ? 2 * i : -1);
  assert_int_equal(srs_names_find(&names, ""), -1);
  srs_names_release(&names);
}

static void sorting_is_stable(void **state)
{
  (void)state;
  const char *items[] = {"b", "a", "", "b", "a", "ab"};
  int order[6];
  assert_true(srs_names_sort(items, 6, order));
  assert_memory_equal(order, ((int[]){2, 1, 4, 5, 0, 3}), sizeof order);
  assert_true(srs_names_sort(NULL, 0, NULL));
}

static void lists_read_like_sentences(void **state)
{
  (void)state;
  const char *items[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  char text[100];
  assert_string_equal(srs_names_join(items, 1, text, sizeof text), "'a'");
  assert_string_equal(srs_names_join(items, 2, text, sizeof text), "'a' and 'b'");
  assert_string_equal(srs_names_join(items, 3, text, sizeof text), "'a', 'b' and 'c'");
  assert_string_equal(srs_names_join(items, 6, text, sizeof text), "'a', 'b', 'c', 'd', 'e' and 'f'");
  assert_string_equal(srs_names_join(items, 8, text, sizeof text), "'a', 'b', 'c', 'd', 'e' and 3 more");
  assert_string_equal(srs_names_join(items, 8, text, 9), "'a', 'b'");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_found_and_cut),
      cmocka_unit_test(sorting_is_stable),
      cmocka_unit_test(lists_read_like_sentences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
