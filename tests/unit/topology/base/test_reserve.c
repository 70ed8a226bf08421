// Reserved memory: zeroed, on a line's start, small or larger than the machine's memory; impossible sizes are refused.
#include "support/testing.h"
#include "topology/base/reserve.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void blocks_are_zero_and_start_on_a_line(void **state)
{
  (void)state;
  const size_t counts[] = {0, 1, 7, 1000, (size_t)4 << 20, (size_t)40 << 20};
  for (size_t k = 0; k < 2 * (sizeof counts / sizeof *counts); k++) {
    const bool is_unused = k % 2 == 1;
    char *block = is_unused ? srs_reserve_unused(counts[k / 2], 1) : srs_reserve(counts[k / 2], 1);
    assert_non_null(block);
    if (!is_unused) assert_int_equal((uintptr_t)block % 64, 0);
    for (size_t i = 0; i < counts[k / 2]; i += 509) {
      assert_int_equal(block[i], 0);
      block[i] = 1;
    }
    if (counts[k / 2] > 0) block[counts[k / 2] - 1] = 1;
    srs_release(block);
  }
  srs_release(NULL);
}

static void sizes_beyond_all_addresses_are_refused(void **state)
{
  (void)state;
  assert_null(srs_reserve(SIZE_MAX / 8, 16));
  assert_null(srs_reserve_unused(SIZE_MAX / 8, 16));
  assert_null(srs_reserve(SIZE_MAX - 64, 1));
  assert_null(srs_reserve(SIZE_MAX / 4, 1));
}

static void pages_start_on_a_line_and_can_be_written_to_their_end(void **state)
{
  (void)state;
  const size_t sizes[] = {0, 1, 1000, (size_t)2 << 20, ((size_t)40 << 20) + 1};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char *block = srs_take_pages(sizes[k]);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 64, 0);
    memset(block, 1, sizes[k]);
    free(block);
  }
  assert_null(srs_take_pages(SIZE_MAX));
  assert_null(srs_take_pages(SIZE_MAX / 2));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_zero_and_start_on_a_line),
      cmocka_unit_test(sizes_beyond_all_addresses_are_refused),
      cmocka_unit_test(pages_start_on_a_line_and_can_be_written_to_their_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
