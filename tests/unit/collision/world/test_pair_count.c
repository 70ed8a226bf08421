// The count of pairs that may collide is that of asking each, on random trees with groups, masks and named pairs.
#include "support/bodies.h"

enum { LINKS = 12, SHAPES = 30, MODELS = 200 };

typedef struct drawn {
  char links[LINKS][16], shapes[SHAPES][16];
  const char *excluded[9], *included[9];
} drawn;

static void draw_names(drawn *d, testing_random *random, const char **names, int n)
{
  for (int i = 0; i < 2 * n; i++)
    names[i] = testing_below(random, 2) != 0 ? d->links[testing_below(random, LINKS)]
                                             : d->shapes[testing_below(random, SHAPES)];
  names[(ptrdiff_t)2 * n] = NULL;
}

static srs_model *draw(drawn *d, testing_random *random)
{
  static const srs_joint_kind joints[] = {SRS_JOINT_FREE, SRS_JOINT_REVOLUTE, SRS_JOINT_FIXED};
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < LINKS; i++) {
    snprintf(d->links[i], sizeof d->links[i], "l%d", i);
    const int parent = testing_below(random, i + 1) - 1;
    const srs_joint_kind kind = parent < 0 ? joints[testing_below(random, 3)] : joints[1 + testing_below(random, 2)];
    bodies_add_link(builder, d->links[i], kind, parent < 0 ? NULL : d->links[parent]);
  }
  for (int i = 0; i < SHAPES; i++) {
    snprintf(d->shapes[i], sizeof d->shapes[i], "s%d", i);
    const int link = testing_below(random, LINKS + 2) - 2;
    srs_shape_def def = bodies_shape(i % 3 == 0 ? SRS_SHAPE_BOX : SRS_SHAPE_SPHERE, d->shapes[i],
                                     link < 0 ? NULL : d->links[link], 1, 1, 1);
    if (testing_below(random, 3) == 0) def.group = 1U << testing_below(random, 3);
    if (testing_below(random, 3) == 0) def.mask = (unsigned)testing_below(random, 8);
    bodies_add_shape(builder, &def);
  }
  return bodies_build(builder);
}

static void pairs_are_counted_as_if_each_were_asked(void **state)
{
  (void)state;
  testing_random random = testing_random_start(77);
  int n_made = 0;
  for (int i = 0; i < MODELS; i++) {
    drawn d;
    srs_model *model = draw(&d, &random);
    draw_names(&d, &random, d.excluded, testing_below(&random, 5));
    draw_names(&d, &random, d.included, testing_below(&random, 3));
    const srs_collider_options options = {
        .excluded = d.excluded, .included = d.included, .parent_child = testing_below(&random, 3) == 0};
    srs_collider *collider = NULL;
    srs_error error;
    if (srs_collider_create(model, &options, &collider, &error) == SRS_OK) { // else what is included can never touch
      int n = 0, a, b;
      while (srs_collider_pair(collider, n, &a, &b)) n++;
      assert_int_equal(srs_collider_n_pairs(collider), n);
      n_made++;
    }
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
  assert_true(n_made > MODELS / 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_are_counted_as_if_each_were_asked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
