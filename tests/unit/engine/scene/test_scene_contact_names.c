// Names in a scene's `contact` that name nothing, or the wrong thing: refused at their place.
#include "support/scene_cases.h"

// A ball on the half-spaces `top` and `slope` and the box `step`; `contact` follows in line 6.
#define BODIES                                                                                                         \
  "models: [{name: m, base: floating, links: [{name: m, mass: 1, inertia: [1, 1, 1]}], shapes: [{link: m, name: "      \
  "ball, "                                                                                                             \
  "kind: sphere, radius: 0.1}]}]\n"                                                                                    \
  "environment:\n"                                                                                                     \
  "  - {name: top, shape: half-space, normal: [0, 0, 1], offset: 0}\n"                                                 \
  "  - {name: slope, shape: half-space, normal: [1, 0, 1], offset: 0}\n"                                               \
  "  - {name: step, shape: box, size: [1, 1, 1], position: [3, 0, 0]}\n"

static void names_that_are_there_are_taken(void **state)
{
  (void)state;
  static const char *const contacts[] = {
      "contact: {corners: max, solids: [[top, slope]]}\n",
      "contact: {corners: convex, solids: [[top, slope]]}\n",
      "contact: {materials: [{name: ice, friction: 0}], pairs: [{between: [ice, top], friction: 0}]}\n",
      "contact: {pairs: [{between: [ball, step], friction: 0}, {between: [m, slope], friction: 0.1}]}\n",
      "contact: {pairs: [], solids: []}\n",
  };
  for (size_t i = 0; i < sizeof contacts / sizeof *contacts; i++) {
    char text[2048];
    srs_scene *scene = NULL;
    srs_error error;
    (void)snprintf(text, sizeof text, BODIES "%s", contacts[i]);
    if (load_text(text, &scene, &error) != SRS_OK) fail_msg("%s%s", contacts[i], error.message);
    srs_scene_destroy(scene);
  }
}

static void a_solid_is_of_half_spaces_that_are_there(void **state)
{
  (void)state;
  expect_fault(BODIES "contact: {corners: max, solids: [[top, slop]]}\n", SRS_ERROR_NAME, 6, 40,
               "no half-space is named 'slop', did you mean 'slope'?");
  expect_fault(BODIES "contact:\n  solids:\n    - [top, slope]\n    - [nothing, slope]\n", SRS_ERROR_NAME, 9, 8,
               "no half-space is named 'nothing'");
  expect_fault(BODIES "contact: {corners: max, solids: [[top, step]]}\n", SRS_ERROR_UNSUPPORTED, 6, 40,
               "'step' is not a half-space; boxes and hulls are solids by themselves");
  expect_fault(BODIES "contact: {corners: convex, solids: [[top, 3]]}\n", SRS_ERROR_NAME, 6, -1, "named '3'");
}

static void a_half_space_bounds_one_solid(void **state)
{
  (void)state;
  expect_fault(BODIES "contact: {solids: [[top, top]]}\n", SRS_ERROR_NAME, 6, 26, "half-space 'top' is named twice");
  expect_fault(BODIES "contact: {solids: [[slope, top], [top, slope]]}\n", SRS_ERROR_NAME, 6, 35,
               "half-space 'top' is named twice; it can bound one solid only");
}

static void a_pair_is_of_names_that_are_there(void **state)
{
  (void)state;
  expect_fault(BODIES "contact: {pairs: [{between: [ball, steb], friction: 0.1}]}\n", SRS_ERROR_NAME, 6, 36,
               "no material, no shape and no link with shapes is named 'steb', did you mean 'step'?");
  expect_fault(BODIES
               "contact:\n  materials: [{name: rubber}]\n  pairs:\n    - {between: [rubbber, top], friction: 1}\n",
               SRS_ERROR_NAME, 9, 18, "did you mean 'rubber'?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_that_are_there_are_taken),
      cmocka_unit_test(a_solid_is_of_half_spaces_that_are_there),
      cmocka_unit_test(a_half_space_bounds_one_solid),
      cmocka_unit_test(a_pair_is_of_names_that_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
