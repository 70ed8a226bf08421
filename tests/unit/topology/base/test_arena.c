// Memory taken piece by piece.
#include "support/testing.h"
#include "topology/base/arena.h"

#include <string.h>

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
  (void)state;
  testing_random random = testing_random_start(21);
  srs_arena arena = {0};
  unsigned char *pieces[500];
  size_t sizes[500];
  for (int i = 0; i < 500; i++) {
    sizes[i] = (size_t)testing_below(&random, i % 50 == 0 ? 60000 : 600);
    pieces[i] = srs_arena_take(&arena, sizes[i], 1);
    assert_non_null(pieces[i]);
    assert_int_equal((uintptr_t)pieces[i] % 64, 0);
    for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(pieces[i][j], 0);
    memset(pieces[i], i & 0xff, sizes[i]);
  }
  for (int i = 0; i < 500; i++)
    for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(pieces[i][j], i & 0xff);
  srs_arena_release(&arena);
  assert_null(arena.chunks);
}

static void texts_are_copied(void **state)
{
  (void)state;
  srs_arena arena = {0};
  char text[] = "joint";
  const char *copy = srs_arena_copy(&arena, text);
  text[0] = 'x';
  assert_string_equal(copy, "joint");
  assert_string_equal(srs_arena_copy(&arena, ""), "");
  assert_null(srs_arena_copy_or_null(&arena, NULL));
  srs_arena_release(&arena);
}

static void texts_are_printed_whatever_their_length(void **state)
{
  (void)state;
  srs_arena arena = {0};
  char word[40001];
  memset(word, 'w', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  const char *printed = srs_arena_print(&arena, "%s and %.1f", word, 1.5);
  assert_int_equal(strlen(printed), sizeof word - 1 + 8);
  assert_string_equal(printed + sizeof word - 1, " and 1.5");
  srs_arena_release(&arena);
}

static void a_request_too_large_fails_and_stays_failed(void **state)
{
  (void)state;
  srs_arena arena = {0};
  assert_null(srs_arena_take(&arena, SIZE_MAX / 2, 8));
  assert_true(arena.failed);
  assert_null(srs_arena_take(&arena, 1, 1));
  srs_arena_release(&arena);
  assert_non_null(srs_arena_take(&arena, 1, 1));
  srs_arena_release(&arena);
}

static void an_arena_may_lie_in_itself(void **state)
{
  (void)state;
  srs_arena arena = {0};
  srs_arena *kept = srs_arena_take(&arena, 1, sizeof *kept);
  *kept = arena;
  srs_arena_release(kept); // the sanitizer tells
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
      cmocka_unit_test(texts_are_copied),
      cmocka_unit_test(texts_are_printed_whatever_their_length),
      cmocka_unit_test(a_request_too_large_fails_and_stays_failed),
      cmocka_unit_test(an_arena_may_lie_in_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
