// Along which planes convex solids may part, and the nodes along each.
#include "collision/gjk/gjk.h"
#include "collision/manifold/convex.h"
#include "collision/manifold/separating_planes.h"
#include "support/convex_check.h"

static srs_placed at(const srs_solid *solid, double x, double y, double z)
{
  return (srs_placed){solid, mat3_identity, {x, y, z}};
}

static srs_solid box(double x, double y, double z)
{
  srs_solid solid;
  make_box_hull(&solid, x, y, z);
  return solid;
}

static int sides_of(const srs_placed *a, const srs_placed *b, vec3 motion, srs_touch *nearest,
                    srs_side sides[SRS_SIDES])
{
  srs_touch touches[SRS_MANIFOLD_POINTS];
  const int n = srs_pair_convex(NULL, a, b, 1, touches);
  assert_true(n > 0);
  *nearest = touches[deepest_of(touches, n)];
  return srs_find_sides(a, b, nearest, motion, sides);
}

static void give_back(srs_solid *solid) { free((void *)solid->hull); }

static bool has_side(const srs_side *sides, int n, vec3 normal, double separation)
{
  for (int k = 0; k < n; k++)
    if (norm3(sub3(sides[k].normal, normal)) < 1e-9 && fabs(sides[k].separation - separation) < 1e-9) return true;
  return false;
}

// EBT, figure 5: over a face a corner is a contact as any other.
static void a_corner_over_a_face_has_one_side(void **state)
{
  (void)state;
  srs_solid large = box(4, 4, 1), small = box(0.2, 0.3, 0.4);
  const double angle = 0.3;
  srs_placed a = at(&small, 0.4, 0.5, 0.72), b = at(&large, 0, 0, 0);
  for (int tilted = 0; tilted < 2; tilted++) {
    srs_touch nearest;
    srs_side sides[SRS_SIDES];
    if (tilted != 0)
      a.axes = (mat3){{cos(angle), 0, -sin(angle)}, {0, 1, 0}, {sin(angle), 0, cos(angle)}}, a.origin.z = 0.75;
    assert_int_equal(sides_of(&a, &b, vec3_zero, &nearest, sides), 1);
    assert_true(has_side(sides, 1, (vec3){0, 0, 1}, nearest.gap));
  }
  give_back(&large), give_back(&small);
}

// Figure 8: beside an edge both faces count, and the direction between the edges. A motion level with the top adds
// none.
static void beside_an_edge_there_are_its_faces_and_the_way_between(void **state)
{
  (void)state;
  srs_solid large = box(4, 4, 1), small = box(0.2, 0.3, 0.4);
  const srs_placed a = at(&small, -2.13, 0, 0.74), b = at(&large, 0, 0, 0);
  srs_touch nearest;
  srs_side sides[SRS_SIDES];
  const int n = sides_of(&a, &b, (vec3){3, 0, 0}, &nearest, sides);
  assert_int_equal(n, 3);
  assert_true(has_side(sides, n, (vec3){-0.6, 0, 0.8}, 0.05));
  assert_true(has_side(sides, n, (vec3){-1, 0, 0}, 0.03));
  assert_true(has_side(sides, n, (vec3){0, 0, 1}, 0.04));
  // On the top's plane the two lower corners that look at the box, no others: the edge of the box over A's floor too.
  for (int k = 0; k < n; k++) {
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int nodes = srs_side_contacts(&a, &b, &sides[k], &nearest, false, 0.1, touches);
    assert_true(nodes >= 2);
    for (int i = 0; i < nodes; i++) {
      assert_true(fabs(touches[i].gap - sides[k].separation) < 1e-12);
      assert_true(fabs(touches[i].a.x + 2.03) < 0.04 || fabs(touches[i].b.x + 2) < 0.04);
    }
    assert_int_equal(srs_side_contacts(&a, &b, &sides[k], &nearest, false, 0.5 * sides[k].separation, touches), 0);
  }
  give_back(&large), give_back(&small);
}

// Whether A, moved by u, stays clear of B all the way.
static bool is_free(const srs_placed *a, const srs_placed *b, vec3 u)
{
  for (int i = 0; i <= 40; i++) {
    srs_placed there = *a;
    srs_touch nearest;
    there.origin = add_scaled3(a->origin, i / 40.0, u);
    if (srs_gjk_closest(&there, b, 10, &nearest) && nearest.gap < 1e-6) return false;
  }
  return true;
}

typedef struct tally {
  int n, several, free, taken, plane, plane_taken;
} tally;

// Every side: nodes no deeper than what it parts the two by, and one as deep; no direction twice.
static void check_sides(const srs_placed *a, const srs_placed *b, const srs_touch *nearest, const srs_side *sides,
                        int n, vec3 u, bool *leaves_free)
{
  const double margin = norm3(u) + 1e-9;
  *leaves_free = false;
  assert_in_range(n, 1, SRS_SIDES);
  for (int k = 0; k < n; k++) {
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int nodes = srs_side_contacts(a, b, &sides[k], nearest, false, margin, touches);
    assert_true(fabs(norm3(sides[k].normal) - 1) < 1e-12);
    for (int j = 0; j < k; j++) assert_true(norm3(sub3(sides[k].normal, sides[j].normal)) > 1e-8);
    double after = INFINITY;
    for (int i = 0; i < nodes; i++) {
      assert_true(touches[i].gap >= sides[k].separation - 1e-9);
      assert_true(fabs(dot3(touches[i].normal, sub3(touches[i].a, touches[i].b)) - touches[i].gap) < 1e-9);
      after = fmin(after, touches[i].gap + dot3(sides[k].normal, u));
    }
    if (nodes == 0) assert_true(sides[k].separation > margin - 1e-9);
    *leaves_free = *leaves_free || after >= -1e-9;
  }
}

static void try_pair(testing_random *random, bool is_plane, tally *t)
{
  srs_solid one, two;
  const srs_shape_kind kinds[] = {SRS_SHAPE_HULL, SRS_SHAPE_BOX, SRS_SHAPE_SPHERE, SRS_SHAPE_CAPSULE,
                                  SRS_SHAPE_CYLINDER};
  make_solid(random, is_plane ? SRS_SHAPE_HULL : kinds[testing_below(random, 5)], &one);
  make_box_hull(&two, testing_uniform(random, 0.3, 1), testing_uniform(random, 0.3, 1),
                testing_uniform(random, 0.3, 1));
  if (is_plane) {
    free((void *)one.hull);
    make_box_hull(&one, testing_uniform(random, 0.3, 1), 0.5, testing_uniform(random, 0.3, 1));
  }
  srs_placed a = random_placed(random, &one, 1), b = random_placed(random, &two, 0.1);
  if (is_plane) { // both turned about y alone
    const double p = testing_uniform(random, -3, 3), q = testing_uniform(random, -3, 3);
    a.axes = (mat3){{cos(p), 0, -sin(p)}, {0, 1, 0}, {sin(p), 0, cos(p)}}, a.origin.y = b.origin.y;
    b.axes = (mat3){{cos(q), 0, -sin(q)}, {0, 1, 0}, {sin(q), 0, cos(q)}};
  }
  vec3 u = random_vector(random, 0.3);
  if (is_plane) u.y = 0;
  srs_touch nearest;
  if (srs_gjk_closest(&a, &b, norm3(u), &nearest) && nearest.gap > 1e-3) {
    srs_side sides[SRS_SIDES];
    bool leaves_free;
    const int n = srs_find_sides(&a, &b, &nearest, u, sides);
    check_sides(&a, &b, &nearest, sides, n, u, &leaves_free);
    const bool may_go = is_free(&a, &b, u);
    t->n++, t->several += n > 1, t->free += may_go, t->taken += may_go && leaves_free;
    if (leaves_free) assert_true(is_free(&a, &b, scale3(1 - 1e-3, u))); // nothing is let through
  }
  give_back(&one), give_back(&two);
}

// A translation that meets nothing is free of one of the planes, and one that is free of a plane meets nothing.
static void what_flies_past_is_not_stopped(void **state)
{
  (void)state;
  testing_random random = testing_random_start(971);
  for (int is_plane = 0; is_plane < 2; is_plane++) {
    tally t = {0};
    for (int i = 0; i < 3000; i++) try_pair(&random, is_plane != 0, &t);
    print_message("%s: %d pairs, %d with several sides; %d motions meet nothing, of these %d are free (%.2f %%)\n",
                  is_plane != 0 ? "in a plane" : "in space", t.n, t.several, t.free, t.taken, 100.0 * t.taken / t.free);
    assert_true(t.free > 300);
    assert_true(t.taken >= (is_plane != 0 ? 0.99 : 0.96) * t.free); // long motions that turn around a corner are not
  }
}

static void kinds_without_faces_have_no_sides(void **state)
{
  (void)state;
  assert_true(srs_kinds_have_sides(SRS_SHAPE_BOX, SRS_SHAPE_SPHERE));
  assert_true(srs_kinds_have_sides(SRS_SHAPE_CAPSULE, SRS_SHAPE_HULL));
  assert_false(srs_kinds_have_sides(SRS_SHAPE_SPHERE, SRS_SHAPE_CAPSULE));
  assert_false(srs_kinds_have_sides(SRS_SHAPE_BOX, SRS_SHAPE_HALF_SPACE));
  assert_false(srs_kinds_have_sides(SRS_SHAPE_TERRAIN, SRS_SHAPE_BOX));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_over_a_face_has_one_side),
      cmocka_unit_test(beside_an_edge_there_are_its_faces_and_the_way_between),
      cmocka_unit_test(what_flies_past_is_not_stopped),
      cmocka_unit_test(kinds_without_faces_have_no_sides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
