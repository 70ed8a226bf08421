// Hints at mistyped words.

#include "support/testing.h"
#include "topology/base/nearest_word.h"

#include <string.h>

static const char *hint(const char *word, const char *const *candidates, int n, char text[192])
{
  srs_nearest nearest = srs_nearest_to(word);
  for (int i = 0; i < n; i++) srs_nearest_offer(&nearest, candidates[i]);
  return srs_nearest_hint(&nearest, text);
}

static void the_word_that_is_fewest_edits_away_is_meant(void **state)
{
  (void)state;
  static const char *const words[] = {"friction", "stiffness", "damping", "q1", "a/q1"};
  char text[192];
  assert_string_equal(hint("Fricton", words, 5, text), ", did you mean 'friction'?");
  assert_string_equal(hint("dampign", words, 5, text), ", did you mean 'damping'?");
  assert_string_equal(hint("qq1", words, 5, text), ", did you mean 'q1'?");
  assert_string_equal(hint("mass", words, 5, text), "");
  assert_string_equal(hint("", words, 5, text), "");
  assert_string_equal(hint("q1", words, 0, text), "");
}

static void a_name_that_lacks_its_model_is_found(void **state)
{
  (void)state;
  static const char *const names[] = {"shoulder", "left/elbow", "right/elbow", "right/wrist_yaw_joint", "elbows"};
  char text[192];
  assert_string_equal(hint("elbow", names, 5, text), ", did you mean 'left/elbow'?");
  assert_string_equal(hint("Wrist_Yaw_Joint", names, 5, text), ", did you mean 'right/wrist_yaw_joint'?");
  assert_string_equal(hint("aw_joint", names, 5, text), "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_word_that_is_fewest_edits_away_is_meant),
      cmocka_unit_test(a_name_that_lacks_its_model_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
