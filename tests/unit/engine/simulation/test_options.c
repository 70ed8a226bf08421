// The options of a sim are its own: they outlive the caller's lists, and make the same sim again.
#include "support/testing.h"

#include <stdlib.h>
#include <string.h>

// Two boxes above a floor and a wedge, with every list that a scene can give.
static const char scene_text[] =
    "models:\n"
    "  - {name: a, base: floating, position: [0, 0, 0.06], links: [{name: l, mass: 1, inertia: [1.0e-2, 1.0e-2, "
    "1.0e-2]}],\n"
    "     shapes: [{name: box, kind: box, size: [0.1, 0.1, 0.1], link: l, material: ice}]}\n"
    "  - {name: b, base: floating, position: [0.02, 0, 0.18], links: [{name: l, mass: 1, inertia: [1.0e-2, 1.0e-2, "
    "1.0e-2]}],\n"
    "     shapes: [{name: box, kind: box, size: [0.1, 0.1, 0.1], link: l}]}\n"
    "environment:\n"
    "  - {name: floor, shape: half-space, material: rubber}\n"
    "  - {name: slope, shape: half-space, normal: [1, 0, 1], offset: -0.2}\n"
    "collision: {exclude: [[b/box, slope]], include: [[a/box, b/box]], ratio-metric: [[a/box, b/box]]}\n"
    "contact:\n"
    "  materials: [{name: ice, friction: 0.1}, {name: rubber, friction: 0.9, restitution: 0.3}]\n"
    "  pairs: [{between: [ice, rubber], friction: 0.7}]\n"
    "  solids: [[floor, slope]]\n"
    "initial: {v: {a/root.vx: 0.5, b/root.wy: 1}}\n";

static void options_given_back_make_the_same_sim(void **state)
{
  (void)state;
  srs_scene *scene = NULL;
  srs_error error;
  srs_sim *first = NULL, *second = NULL;
  if (srs_scene_load(testing_write("lists.yaml", scene_text), NULL, &scene, &error) != SRS_OK)
    fail_msg("%d: %s", error.line, error.message);
  assert_int_equal(srs_scene_create_sim(scene, NULL, &first, NULL), SRS_OK);
  srs_sim_options options = *srs_sim_get_options(first);
  assert_int_equal(options.contact.n_materials, 2);
  assert_int_equal(options.contact.n_pairs, 1);
  assert_int_equal(options.contact.n_solids, 1);
  assert_string_equal(options.contact.collider.excluded[1], "slope");
  if (srs_sim_create(srs_scene_model(scene), &options, &second, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_collider_n_pairs(srs_sim_collider(first)), 4);
  assert_int_equal(srs_collider_n_pairs(srs_sim_collider(second)), 4);
  const int nq = srs_model_nq(srs_scene_model(scene)), nv = srs_model_nv(srs_scene_model(scene));
  assert_int_equal(srs_sim_set_state(second, 0, srs_sim_q(first), srs_sim_v(first), NULL), SRS_OK);
  for (int i = 0; i < 200; i++) {
    assert_int_equal(srs_sim_step(first, 1, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(second, 1, NULL), SRS_OK);
  }
  assert_true(srs_sim_get_statistics(first)->contact_steps > 50);
  assert_memory_equal(srs_sim_q(first), srs_sim_q(second), (size_t)nq * sizeof(double));
  assert_memory_equal(srs_sim_v(first), srs_sim_v(second), (size_t)nv * sizeof(double));
  srs_sim_destroy(first);
  srs_sim_destroy(second);
  srs_scene_destroy(scene);
}

// The lists and names that were given may go as soon as the sim is made.
static void the_caller_s_lists_are_copied(void **state)
{
  (void)state;
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error;
  if (srs_scene_load(testing_write("lists.yaml", scene_text), NULL, &scene, &error) != SRS_OK)
    fail_msg("%s", error.message);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  char name[8] = "ice", a[8] = "floor", b[8] = "a/box";
  srs_material materials[2] = {srs_default_material(name), srs_default_material("rubber")};
  srs_material_pair pair = {a, b, 0.25, 0, 0, 0};
  const char *excluded[] = {a, b, NULL};
  materials[0].friction = 0.5;
  options.contact.materials = materials, options.contact.n_materials = 2;
  options.contact.pairs = &pair, options.contact.n_pairs = 1;
  options.contact.solids = NULL, options.contact.n_solids = 0;
  options.contact.collider = srs_default_collider_options();
  options.contact.collider.excluded = excluded;
  const srs_status status = srs_sim_create(srs_scene_model(scene), &options, &sim, &error);
  if (status == SRS_OK) {
    memset(name, 'x', 7), memset(a, 'x', 7), memset(b, 'x', 7);
    materials[0].friction = 9, pair.friction = 9, excluded[0] = NULL;
    const srs_contact_settings *kept = &srs_sim_get_options(sim)->contact;
    assert_string_equal(kept->materials[0].name, "ice");
    assert_true(kept->materials[0].friction == 0.5 && kept->pairs[0].friction == 0.25);
    assert_string_equal(kept->pairs[0].a, "floor");
    assert_string_equal(kept->pairs[0].b, "a/box");
    assert_string_equal(kept->collider.excluded[0], "floor");
    assert_string_equal(kept->collider.excluded[1], "a/box");
    assert_null(kept->collider.excluded[2]);
    assert_null(kept->collider.included);
  } else {
    fail_msg("%s", error.message);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_given_back_make_the_same_sim),
      cmocka_unit_test(the_caller_s_lists_are_copied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
