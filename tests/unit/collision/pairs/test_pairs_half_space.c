// Solids on a half-space. The lowest point is found again by search over the surface.

#include "collision/pairs/pairs.h"
#include "support/pairs_check.h"

typedef struct half_space_kind {
  srs_shape_kind kind;
  srs_pair_function *pair;
} half_space_kind;

static const half_space_kind kinds[] = {
    {SRS_SHAPE_SPHERE, srs_pair_sphere_half_space},
    {SRS_SHAPE_BOX, srs_pair_box_half_space},
    {SRS_SHAPE_CAPSULE, srs_pair_capsule_half_space},
    {SRS_SHAPE_CYLINDER, srs_pair_cylinder_half_space},
    {SRS_SHAPE_CONE, srs_pair_cone_half_space},
    {SRS_SHAPE_ELLIPSOID, srs_pair_ellipsoid_half_space},
    {SRS_SHAPE_SUPERELLIPSOID, srs_pair_support_half_space},
    {SRS_SHAPE_PARABOLOID, srs_pair_paraboloid_half_space},
    {SRS_SHAPE_HULL, srs_pair_hull_half_space},
};
enum { KINDS = sizeof kinds / sizeof *kinds, HULL_CORNERS = 300 };

static vec3 hull_corners[HULL_CORNERS];
static srs_hull hull = {.corners = hull_corners};

static void set_box_hull(const double *size)
{
  hull.n_corners = 8;
  for (int i = 0; i < 8; i++)
    hull_corners[i] =
        (vec3){(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], (i & 4 ? 0.5 : -0.5) * size[2]};
}

// A point of the surface for two angles; covers where the lowest may be.
static vec3 surface(const srs_solid *solid, double u, double v)
{
  const double x = solid->size[0], y = solid->size[1], z = solid->size[2];
  const vec3 ball = {cos(u) * cos(v), sin(u) * cos(v), sin(v)};
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: return scale3(x, ball);
  case SRS_SHAPE_CAPSULE: return (vec3){x * ball.x, x * ball.y, x * ball.z + (v < 0 ? -y / 2 : y / 2)};
  case SRS_SHAPE_CYLINDER: return (vec3){x * cos(u), x * sin(u), v < 0 ? -y / 2 : y / 2};
  case SRS_SHAPE_CONE: return v > 0 ? (vec3){0, 0, y / 2} : (vec3){x * cos(u), x * sin(u), -y / 2};
  case SRS_SHAPE_ELLIPSOID: return (vec3){x * ball.x, y * ball.y, z * ball.z};
  default: { // corners
    const vec3 d = {cos(u), sin(u), v};
    return (vec3){copysign(x / 2, d.x), copysign(y / 2, d.y), copysign(z / 2, d.z)};
  }
  }
}

static double surface_height(const srs_placed *a, vec3 n, double u, double v)
{
  return dot3(n, rotate(a->axes, surface(a->solid, u, v)));
}

// Coarse search, then steps that shrink; in the upper half (v > 0) or the lower. Above a->origin, along n.
static double lowest_in_half(const srs_placed *a, vec3 n, double sign)
{
  double best = INFINITY, at_u = 0, at_v = 0;
  for (int i = 0; i < 12; i++) {
    for (int k = 0; k < 4; k++) {
      const double u = 0.1 + i * (6.2831853 / 12), v = sign * (0.1 + k * 0.45), h = surface_height(a, n, u, v);
      if (h < best) best = h, at_u = u, at_v = v;
    }
  }
  static const double way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  for (double step = 0.25; step > 2e-8;) {
    bool is_lower = false;
    for (int i = 0; i < 8; i++) {
      const double u = at_u + step * way[i][0], v = at_v + step * way[i][1], h = surface_height(a, n, u, v);
      if (h < best && sign * v > 0) best = h, at_u = u, at_v = v, is_lower = true;
    }
    if (!is_lower) step /= 4;
  }
  return best;
}

static double lowest_by_search(const srs_placed *a, vec3 n)
{
  return fmin(lowest_in_half(a, n, -1), lowest_in_half(a, n, 1));
}

// Any axes, every third time nearly upright or nearly lying.
static mat3 random_stance(testing_random *random)
{
  const mat3 any = random_axes(random);
  const int which = testing_below(random, 6);
  if (which > 1) return any;
  const vec3 tilt = scale3(pow(10, testing_uniform(random, -17, -1)), random_unit(random));
  const mat3 turned = rotation_about((vec3){0, 0, testing_uniform(random, -3, 3)});
  const mat3 lying = rotation_about((vec3){which == 0 ? 0 : 1.5707963267948966, 0, 0});
  return mul3(rotation_about(tilt), mul3(lying, turned));
}

static void the_deepest_node_is_the_lowest_point(void **state)
{
  (void)state;
  testing_random random = testing_random_start(41);
  const srs_solid ground = solid_of(SRS_SHAPE_HALF_SPACE, 0, 0, 0);
  for (int kind = 0; kind < KINDS; kind++) {
    // A search would crawl over what is nearly flat: there the points are those whose gradient is the normal.
    const bool is_known = kinds[kind].kind == SRS_SHAPE_SUPERELLIPSOID || kinds[kind].kind == SRS_SHAPE_PARABOLOID;
    for (int pose = 0; pose < pairs_poses(); pose++) {
      srs_solid solid = random_solid(&random, kinds[kind].kind);
      solid.hull = &hull;
      if (solid.kind == SRS_SHAPE_HULL) set_box_hull(solid.size);
      const mat3 turn = pose % 2 == 0 ? random_axes(&random) : mat3_identity;
      const srs_placed b = {&ground, turn, random_vector(&random, 1)};
      srs_placed a = {&solid, mul3(turn, random_stance(&random)), random_vector(&random, 1)};
      srs_touch touches[SRS_MANIFOLD_POINTS];
      const int n = kinds[kind].pair(NULL, &a, &b, 100, touches);
      assert_true(n > 0);
      solid.kind = solid.kind == SRS_SHAPE_HULL ? SRS_SHAPE_BOX : solid.kind;
      assert_nodes_are_sound(&a, &b, 100, touches, n);
      const double gap = touches[deepest_of(touches, n)].gap;
      const double lowest = is_known ? dot3(turn.z, sub3(support(&a, scale3(-1, turn.z)), b.origin))
                                     : dot3(turn.z, sub3(a.origin, b.origin)) + lowest_by_search(&a, turn.z);
      // A disc tilted by less than 1e-9 is level to 1e-9 of its radius; else rounding, and what the search leaves.
      const double level = solid.kind == SRS_SHAPE_CYLINDER || solid.kind == SRS_SHAPE_CONE ? 3e-10 * solid.size[0] : 0;
      const double as_level = solid.kind == SRS_SHAPE_PARABOLOID ? 2e-9 : level;
      assert_true(fabs(gap - lowest) < 1e-12 + as_level);
      assert_int_equal(kinds[kind].pair(NULL, &a, &b, gap - 1e-9, touches), 0);
      assert_true(kinds[kind].pair(NULL, &a, &b, gap, touches) >= 1);
    }
  }
}

static void gaps_over_a_half_space_are_continuous(void **state)
{
  (void)state;
  for (int kind = 0; kind + 1 < KINDS; kind++) check_paths(kinds[kind].pair, kinds[kind].kind, SRS_SHAPE_HALF_SPACE);
}

static const srs_solid floor_solid = {.kind = SRS_SHAPE_HALF_SPACE, .radius = INFINITY};
static const srs_placed floor_at = {&floor_solid, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

static void cubes_large_and_small_rest_on_four_corners(void **state)
{
  (void)state;
  static const double sizes[] = {0.005, 0.1};
  for (int i = 0; i < 2; i++) {
    for (int as_hull = 0; as_hull < 2; as_hull++) {
      srs_solid cube = solid_of(SRS_SHAPE_BOX, sizes[i], sizes[i], sizes[i]);
      set_box_hull(cube.size);
      cube.hull = &hull;
      const srs_placed a = {&cube, mat3_identity, {1, 2, sizes[i] / 2}};
      srs_touch touches[SRS_MANIFOLD_POINTS];
      srs_pair_function *pair = as_hull ? srs_pair_hull_half_space : srs_pair_box_half_space;
      assert_int_equal(pair(NULL, &a, &floor_at, 1e-3, touches), 4);
      for (int k = 0; k < 4; k++) {
        assert_true(touches[k].gap == 0);
        assert_true(touches[k].a.z == 0 && touches[k].b.z == 0);
        assert_int_equal(touches[k].feature, k);
      }
    }
  }
}

// F68: a cylinder of 30 mm radius and 100 mm length.
static const srs_solid can = {.kind = SRS_SHAPE_CYLINDER, .size = {0.03, 0.1, 0}, .radius = 0.06};

static void a_standing_cylinder_keeps_its_nodes_as_it_rocks(void **state)
{
  (void)state;
  testing_random random = testing_random_start(42);
  const mat3 turned = rotation_about((vec3){0, 0, 0.7});
  const srs_placed upright = {&can, turned, {0.3, -0.2, 0.05}};
  srs_touch first[SRS_MANIFOLD_POINTS], touches[SRS_MANIFOLD_POINTS];
  const int n_first = srs_pair_cylinder_half_space(NULL, &upright, &floor_at, 1e-3, first);
  assert_true(n_first >= 3);
  for (int i = 0; i < 2000; i++) {
    // What a solver leaves moves no node; rocking moves none of the four that bound the disc.
    const bool is_breath = i % 2 == 0;
    const vec3 w = random_vector(&random, is_breath ? 1e-11 : 1e-3);
    const srs_placed a = {&can, mul3(rotation_about(w), turned), upright.origin};
    const int n = srs_pair_cylinder_half_space(NULL, &a, &floor_at, 1e-3, touches);
    assert_int_equal(n, n_first);
    for (int k = 0; k < n; k++) {
      assert_int_equal(touches[k].feature, first[k].feature);
      if (is_breath || touches[k].feature % 5 != 4) assert_true(norm3(sub3(touches[k].a, first[k].a)) < 1e-3);
    }
  }
  // The four of them are the rim's quarters.
  for (int k = 0; k < 4; k++) {
    const vec3 own = rotate_back(turned, sub3(first[k].a, upright.origin));
    assert_true(fabs(hypot(own.x, own.y) - 0.03) < 1e-15 && fabs(own.z + 0.05) < 1e-15);
  }
}

static void a_lying_cylinder_has_two_nodes_at_its_ends(void **state)
{
  (void)state;
  testing_random random = testing_random_start(43);
  for (int i = 0; i < 1000; i++) {
    const mat3 rolled = rotation_about((vec3){0, 0, testing_uniform(&random, -3, 3)});
    mat3 lying = mul3(rotation_about((vec3){0, 1.5707963267948966, 0}), rolled); // its axis along x
    lying = mul3(rotation_about((vec3){0, testing_uniform(&random, -1e-3, 1e-3), 0}), lying);
    const srs_placed a = {&can, lying, {0, 0, 0.03}};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(srs_pair_cylinder_half_space(NULL, &a, &floor_at, 1e-3, touches), 2);
    assert_true(fabs(touches[0].a.x + 0.05) < 1e-4 && fabs(touches[1].a.x - 0.05) < 1e-4);
    assert_true(fabs(touches[0].a.y) < 1e-9 && fabs(touches[1].a.y) < 1e-9);
    assert_int_equal(touches[0].feature, 4);
    assert_int_equal(touches[1].feature, 9);
  }
}

static void a_cone_stands_on_its_rim_lies_on_a_side_and_spins_on_its_apex(void **state)
{
  (void)state;
  const srs_solid cone = solid_of(SRS_SHAPE_CONE, 0.03, 0.1, 0);
  srs_touch touches[SRS_MANIFOLD_POINTS];
  srs_placed a = {&cone, mat3_identity, {0, 0, 0.05}};
  assert_true(srs_pair_cone_half_space(NULL, &a, &floor_at, 1e-3, touches) >= 3);
  a.axes = rotation_about((vec3){3.141592653589793, 0, 0});
  assert_int_equal(srs_pair_cone_half_space(NULL, &a, &floor_at, 1e-3, touches), 1);
  assert_true(fabs(touches[0].gap) < 1e-16);
  // On a side its axis is tilted by the half angle at the apex, towards the floor.
  const double half_angle = atan2(0.03, 0.1);
  a.axes = rotation_about((vec3){1.5707963267948966 + half_angle, 0, 0});
  assert_int_equal(srs_pair_cone_half_space(NULL, &a, &floor_at, 0.1, touches), 2);
  assert_true(fabs(touches[0].gap - touches[1].gap) < 1e-15);
}

static void solids_without_size_have_points(void **state)
{
  (void)state;
  srs_touch touches[SRS_MANIFOLD_POINTS];
  for (int kind = 0; kind + 1 < KINDS; kind++) {
    const srs_solid point = solid_of(kinds[kind].kind, 0, 0, 0);
    const srs_placed a = {&point, mat3_identity, {1, 2, 0.25}};
    const int n = kinds[kind].pair(NULL, &a, &floor_at, 1, touches);
    assert_true(n >= 1);
    for (int i = 0; i < n; i++) {
      assert_true(touches[i].gap == 0.25);
      assert_true(touches[i].a.x == 1 && touches[i].a.y == 2 && touches[i].a.z == 0.25);
    }
    if (kinds[kind].kind != SRS_SHAPE_BOX && kinds[kind].kind != SRS_SHAPE_CONE) assert_int_equal(n, 1);
  }
}

static void a_round_hull_rests_on_eight_of_its_corners_and_keeps_them(void **state)
{
  (void)state;
  testing_random random = testing_random_start(44);
  enum { SIDES = HULL_CORNERS / 2 };
  hull.n_corners = HULL_CORNERS;
  for (int i = 0; i < HULL_CORNERS; i++) {
    const double angle = (i % SIDES) * (6.283185307179586 / SIDES);
    hull_corners[i] = (vec3){0.1 * cos(angle), 0.1 * sin(angle), i < SIDES ? -0.05 : 0.05};
  }
  const srs_solid prism = {.kind = SRS_SHAPE_HULL, .hull = &hull, .radius = 0.2};
  srs_touch first[SRS_MANIFOLD_POINTS], touches[SRS_MANIFOLD_POINTS];
  srs_placed a = {&prism, mat3_identity, {0, 0, 0.05}};
  assert_int_equal(srs_pair_hull_half_space(NULL, &a, &floor_at, 1e-3, first), 8);
  double reach = INFINITY; // the support they give: how far the least of directions reaches
  for (int i = 0; i < 360; i++) {
    double most = -1;
    for (int k = 0; k < 8; k++) most = fmax(most, cos(i * 0.01745) * first[k].a.x + sin(i * 0.01745) * first[k].a.y);
    reach = fmin(reach, most);
  }
  assert_true(reach > 0.07);
  for (int i = 0; i < 1000; i++) {
    a.axes = rotation_about(random_vector(&random, 1e-14));
    assert_int_equal(srs_pair_hull_half_space(NULL, &a, &floor_at, 1e-3, touches), 8);
    for (int k = 0; k < 8; k++) assert_int_equal(touches[k].feature, first[k].feature);
    a.axes = rotation_about(random_vector(&random, 1e-3)); // tilted, the lowest corner is among them
    const int n = srs_pair_hull_half_space(NULL, &a, &floor_at, 1, touches);
    double lowest = INFINITY;
    for (int k = 0; k < HULL_CORNERS; k++) lowest = fmin(lowest, 0.05 + rotate(a.axes, hull_corners[k]).z);
    assert_true(fabs(touches[deepest_of(touches, n)].gap - lowest) < 1e-12);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_deepest_node_is_the_lowest_point),
      cmocka_unit_test(gaps_over_a_half_space_are_continuous),
      cmocka_unit_test(cubes_large_and_small_rest_on_four_corners),
      cmocka_unit_test(a_standing_cylinder_keeps_its_nodes_as_it_rocks),
      cmocka_unit_test(a_lying_cylinder_has_two_nodes_at_its_ends),
      cmocka_unit_test(a_cone_stands_on_its_rim_lies_on_a_side_and_spins_on_its_apex),
      cmocka_unit_test(solids_without_size_have_points),
      cmocka_unit_test(a_round_hull_rests_on_eight_of_its_corners_and_keeps_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
