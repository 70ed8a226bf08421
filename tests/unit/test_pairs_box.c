#include "pairs_check.h"

static void boxes_touch_where_nothing_is_nearer(void **state)
{
  (void)state;
  check_poses(srs_pair_box_box, SRS_SHAPE_BOX, SRS_SHAPE_BOX);
}

static void gaps_of_boxes_are_continuous(void **state)
{
  (void)state;
  check_paths(srs_pair_box_box, SRS_SHAPE_BOX, SRS_SHAPE_BOX);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_touch_where_nothing_is_nearer),
      cmocka_unit_test(gaps_of_boxes_are_continuous),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
