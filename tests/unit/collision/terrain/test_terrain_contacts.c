// Ground of triangles: planes without edges, ridges and corners with normals between, valleys without; rays.
#include "collision/gjk/gjk.h"
#include "collision/shapes/ray.h"
#include "collision/terrain/terrain_build.h"
#include "collision/terrain/terrain_contacts.h"
#include "collision/terrain/terrain_tree.h"
#include "support/convex_check.h"

enum { ROOM = 256 };

static srs_terrain *make_mesh(const double *points, int n_points, const int *triangles, int n_triangles)
{
  const srs_shape shape = {.kind = SRS_SHAPE_TERRAIN,
                           .name = "ground",
                           .points = points,
                           .n_points = n_points,
                           .triangles = triangles,
                           .n_triangles = n_triangles};
  srs_terrain *terrain = NULL;
  srs_error error = {0};
  if (srs_terrain_create(&shape, &terrain, &error) != SRS_OK) print_error("%s\n", error.message);
  assert_non_null(terrain);
  return terrain;
}

static srs_terrain *make_heights(const double *heights, int rows, int columns, double dx, double dy)
{
  const srs_shape shape = {.kind = SRS_SHAPE_HEIGHTFIELD,
                           .name = "hills",
                           .size = {dx, dy},
                           .heights = heights,
                           .n_rows = rows,
                           .n_columns = columns};
  srs_terrain *terrain = NULL;
  assert_int_equal(srs_terrain_create(&shape, &terrain, NULL), SRS_OK);
  return terrain;
}

// 2 side^2 triangles between -half and half at z = 0, their diagonals at random.
static srs_terrain *make_floor(testing_random *random, int side, double half)
{
  double *points = calloc(3 * (size_t)(side + 1) * (size_t)(side + 1), sizeof *points);
  int *triangles = calloc(6 * (size_t)side * (size_t)side, sizeof *triangles);
  assert_true(points != NULL && triangles != NULL);
  int *corner = triangles;
  for (int i = 0; i <= side; i++)
    for (int j = 0; j <= side; j++) {
      const int here = i * (side + 1) + j;
      vec3_store(points + 3 * (size_t)here, (vec3){2 * half * j / side - half, 2 * half * i / side - half, 0});
      if (i == side || j == side) continue;
      const int a = here, b = here + 1, c = here + side + 2, d = here + side + 1;
      const int cut[2][6] = {{a, b, c, a, c, d}, {b, c, d, b, d, a}};
      for (int k = 0, which = testing_below(random, 2); k < 6; k++) *corner++ = cut[which][k];
    }
  srs_terrain *terrain = make_mesh(points, (side + 1) * (side + 1), triangles, 2 * side * side);
  free(points);
  free(triangles);
  return terrain;
}

static int touch(const srs_terrain *terrain, const srs_placed *pose, const srs_placed *solid, double margin,
                 srs_touch touches[ROOM])
{
  void *scratch = malloc(srs_terrain_scratch_size(terrain));
  assert_non_null(scratch);
  const int n = srs_terrain_touches(terrain, scratch, solid, pose, margin, touches, ROOM);
  free(scratch);
  assert_in_range(n, 0, ROOM);
  return n;
}

static const srs_placed here = {NULL, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

// Every node has the floor's own normal and height, and the lowest point's height is the deepest gap.
static void check_floor(const srs_terrain *terrain, const srs_placed *pose, const srs_placed *solid, double margin)
{
  srs_touch touches[ROOM];
  const vec3 up = pose->axes.z;
  const double lowest = dot3(up, sub3(solid_reach(solid, scale3(-1, up)), pose->origin));
  const int n = touch(terrain, pose, solid, margin, touches);
  assert_in_range(n, lowest <= margin ? 1 : 0, lowest <= margin ? SRS_MANIFOLD_POINTS : 0);
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    assert_true(norm3(sub3(touches[i].normal, up)) < 1e-15);
    const double height = dot3(up, sub3(touches[i].a, pose->origin));
    assert_true(fabs(touches[i].gap - height) < 1e-12 && touches[i].gap <= margin);
    assert_true(norm3(sub3(sub3(touches[i].a, touches[i].b), scale3(touches[i].gap, up))) < 1e-12);
    assert_true(fabs(solid_height(solid, touches[i].a)) < 1e-12);
    for (int k = 0; k < i; k++) assert_true(touches[k].feature != touches[i].feature);
    least = fmin(least, touches[i].gap);
  }
  if (n > 0) assert_true(fabs(least - lowest) < 1e-12);
}

static void floors_of_many_triangles_feel_like_one_plane(void **state)
{
  (void)state;
  testing_random random = testing_random_start(81);
  const double flat[9] = {0};
  srs_terrain *grounds[2] = {make_floor(&random, 20, 2), make_heights(flat, 3, 3, 2, 2)};
  for (int k = 0; k < CONVEX_KINDS; k++) {
    srs_solid solid;
    make_solid(&random, convex_kinds[k], &solid);
    for (int trial = 0; trial < 10000; trial++) {
      mat3 axes = random_axes(&random);
      if (trial % 2 == 0) axes = rotation_about((vec3){0, 0, testing_uniform(&random, 0, 6)}); // flat
      if (trial % 4 == 0) axes = mul3(axes, (mat3){{0, 0, -1}, {0, 1, 0}, {1, 0, 0}});         // on its side
      srs_placed placed = {&solid, axes, vec3_zero};
      const double low = solid_reach(&placed, (vec3){0, 0, -1}).z, most = 2 - solid.radius;
      placed.origin = random_at(&random, most, 0);
      placed.origin.z = -low + (trial % 3 == 0 ? 0 : testing_uniform(&random, -0.02, 0.02));
      srs_placed pose = here;
      if (trial % 5 == 0) { // anywhere
        pose.axes = random_axes(&random);
        pose.origin = random_vector(&random, 3);
        placed.axes = mul3(pose.axes, placed.axes);
        placed.origin = add3(pose.origin, rotate(pose.axes, placed.origin));
      }
      check_floor(grounds[trial & 1], &pose, &placed, 0.015);
    }
    release_solid(&solid);
  }
  srs_terrain_destroy(grounds[0]);
  srs_terrain_destroy(grounds[1]);
}

static void a_box_slides_over_edges_with_the_same_four_nodes(void **state)
{
  (void)state;
  testing_random random = testing_random_start(82);
  srs_terrain *terrain = make_floor(&random, 20, 2);
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 0.3, 0.2, 0.1);
  uint32_t names[4];
  for (int step = 0; step <= 2000; step++) {
    const srs_placed placed = {&box, mat3_identity, {-1.5 + 0.0015 * step, step < 1000 ? 0 : 0.1, 0.05 - 1e-5}};
    srs_touch touches[ROOM];
    assert_int_equal(touch(terrain, &here, &placed, 1e-3, touches), 4);
    for (int i = 0; i < 4; i++) {
      if (step == 0) names[i] = touches[i].feature;
      assert_int_equal(touches[i].feature, names[i]);
      assert_true(touches[i].normal.z == 1 && fabs(touches[i].gap + 1e-5) < 1e-15);
    }
  }
  srs_terrain_destroy(terrain);
}

// Two slopes that meet at x = 0, in strips along y; slope > 0: a ridge, else a valley.
static srs_terrain *make_slopes(double slope, int strips)
{
  double points[3 * 3 * 41];
  int triangles[12 * 40];
  for (int i = 0; i <= strips; i++)
    for (int j = 0; j < 3; j++)
      vec3_store(points + 9 * (size_t)i + 3 * (size_t)j,
                 (vec3){2 * j - 2, 4.0 * i / strips - 2, j == 1 ? 0 : -2 * slope});
  for (int i = 0; i < strips; i++)
    for (int j = 0; j < 2; j++) {
      const int a = 3 * i + j, cell[6] = {a, a + 1, a + 4, a, a + 4, a + 3};
      for (int k = 0; k < 6; k++) triangles[12 * i + 6 * j + k] = cell[k];
    }
  return make_mesh(points, 3 * (strips + 1), triangles, 4 * strips);
}

static void a_ball_rolls_over_a_ridge_without_a_jump(void **state)
{
  (void)state;
  const double slope = 0.75, r = 0.2;
  srs_terrain *terrain = make_slopes(slope, 7);
  const srs_solid ball = solid_of(SRS_SHAPE_SPHERE, r, 0, 0);
  const vec3 left = {-slope / 1.25, 0, 1 / 1.25}, right = {slope / 1.25, 0, 1 / 1.25};
  for (int step = -1000; step <= 1000; step++) {
    const double x = 0.0005 * step;
    const vec3 centre = {x, 0.1 * sin(step), 0.17};
    // The nearest point of the roof: on a slope if the foot is below the ridge, else the ridge itself.
    const vec3 ridge = {0, centre.y, 0}, up = sub3(centre, ridge);
    vec3 n = scale3(1 / norm3(up), up);
    double gap = norm3(up) - r;
    if (n.x < left.x) n = left, gap = dot3(left, up) - r;
    if (n.x > right.x) n = right, gap = dot3(right, up) - r;
    const srs_placed placed = {&ball, mat3_identity, centre};
    srs_touch touches[ROOM];
    const int n_nodes = touch(terrain, &here, &placed, 0.05, touches);
    if (fabs(gap - 0.05) > 1e-9) assert_int_equal(n_nodes, gap <= 0.05);
    if (n_nodes == 0) continue;
    assert_true(norm3(sub3(touches[0].normal, n)) < 1e-7); // an arc's end is 1e-7 wide
    assert_true(fabs(touches[0].gap - gap) < 1e-12);
  }
  srs_terrain_destroy(terrain);
}

static void a_box_lies_on_a_ridge_with_two_nodes(void **state)
{
  (void)state;
  srs_terrain *terrain = make_slopes(0.75, 7);
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 0.4, 0.6, 0.2);
  srs_solid hull;
  make_box_hull(&hull, 0.4, 0.6, 0.2);
  for (int trial = 0; trial < 400; trial++) {
    const double gap = trial % 2 == 0 ? 1e-4 : -1e-4, turn = 0.0025 * (trial - trial % 4), tilt = 0.002 * (trial % 100);
    const mat3 axes = mul3(rotation_about((vec3){0, tilt, 0}), rotation_about((vec3){0, 0, trial < 200 ? 0 : turn}));
    const vec3 up = rotate(axes, (vec3){0, 0, 1});
    const srs_placed placed = {trial & 2 ? &hull : &box, axes, scale3(0.1 + gap, up)};
    srs_touch touches[ROOM];
    int n_ridge = 0;
    for (int i = touch(terrain, &here, &placed, 1e-3, touches); i-- > 0;) {
      if (touches[i].b.z < -1e-6) { // a corner of the box is as near as the margin to a slope
        assert_true(touches[i].gap > gap && fabs(fabs(touches[i].normal.x) - 0.6) < 1e-12);
        continue;
      }
      assert_true(norm3(sub3(touches[i].normal, up)) < 1e-9);
      assert_true(fabs(touches[i].gap - gap) < 1e-12);
      assert_true(fabs(touches[i].b.x) < 1e-12 && fabs(touches[i].b.z) < 1e-12 && fabs(touches[i].b.y) > 0.2);
      n_ridge++;
    }
    assert_int_equal(n_ridge, 2);
  }
  release_solid(&hull);
  srs_terrain_destroy(terrain);
}

static void a_ball_in_a_valley_touches_both_slopes_and_no_edge(void **state)
{
  (void)state;
  const double r = 0.2;
  srs_terrain *terrain = make_slopes(-0.75, 7);
  const srs_solid ball = solid_of(SRS_SHAPE_SPHERE, r, 0, 0);
  for (int step = -200; step <= 200; step++) {
    const vec3 centre = {0.0001 * step, 0.005 * step, 1.25 * r + 1e-3};
    const srs_placed placed = {&ball, mat3_identity, centre};
    srs_touch touches[ROOM];
    assert_int_equal(touch(terrain, &here, &placed, 0.1, touches), 2);
    for (int i = 0; i < 2; i++) {
      const vec3 n = {touches[i].normal.x > 0 ? 0.6 : -0.6, 0, 0.8}; // slope 3 : 4
      assert_true(norm3(sub3(touches[i].normal, n)) < 1e-15);
      assert_true(fabs(touches[i].gap - (dot3(n, centre) - r)) < 1e-15);
    }
    assert_true(touches[0].normal.x * touches[1].normal.x < 0);
  }
  srs_terrain_destroy(terrain);
}

// The triangles of a hull as ground.
static srs_terrain *make_block(const srs_hull *hull)
{
  int triangles[3 * 200], n = 0;
  for (int f = 0; f < hull->n_faces; f++)
    for (int i = hull->face_begin[f] + 1; i + 1 < hull->face_begin[f + 1]; i++) {
      triangles[n++] = hull->face_corners[hull->face_begin[f]];
      triangles[n++] = hull->face_corners[i];
      triangles[n++] = hull->face_corners[i + 1];
    }
  return make_mesh(&hull->corners[0].x, hull->n_corners, triangles, n / 3);
}

// A block of triangles is a convex solid: what is nearest to it is known. Apart, the terrain's nearest node is that.
// Overlapping, each of its places has an own normal, and none but the nearest place's is as shallow; where a cone and a
// shard as sharp cross, it may be missed, or a longer way out be told. Over the seeds 1 to 12 and 101 to 124, 53 of
// 138000 are off by more than 1 mm, all of them overlap. Counted: at most one in 500, and none that is apart.
static void solids_meet_convex_ground_as_they_meet_a_hull(void **state)
{
  (void)state;
  testing_random random = testing_random_start(83);
  int n_met = 0, n_wrong = 0, n_wrong_apart = 0;
  for (int trial = 0; trial < 4000; trial++) {
    srs_solid hull, solid;
    make_solid(&random, SRS_SHAPE_HULL, &hull);
    make_solid(&random, convex_kinds[trial % CONVEX_KINDS], &solid);
    srs_terrain *terrain = make_block(hull.hull);
    const srs_placed pose = {&hull, random_axes(&random), vec3_zero};
    srs_placed placed = random_placed(&random, &solid, 1.2);
    srs_touch nearest, touches[ROOM];
    if (srs_gjk_closest(&placed, &pose, 10, &nearest)) // to a small gap
      placed.origin = add_scaled3(placed.origin, testing_uniform(&random, -0.01, 0.02) - nearest.gap, nearest.normal);
    if (srs_gjk_closest(&placed, &pose, 0.03, &nearest) && nearest.gap > -0.02) {
      const int n = touch(terrain, &pose, &placed, 0.03, touches);
      double least = INFINITY;
      for (int i = 0; i < n; i++) {
        const srs_touch *t = &touches[i];
        assert_true(fabs(dot3(t->normal, sub3(t->a, t->b)) - t->gap) < 1e-12);
        assert_true(fabs(solid_height(&placed, t->a)) < 1e-8 && fabs(solid_height(&pose, t->b)) < 1e-8);
        least = fmin(least, t->gap);
      }
      const bool is_right = fabs(least - nearest.gap) < 1e-7;
      n_met++;
      n_wrong += !is_right && (nearest.gap > 0 || fabs(least - nearest.gap) > 1e-3);
      n_wrong_apart += !is_right && nearest.gap > 0;
    }
    srs_terrain_destroy(terrain);
    release_solid(&solid);
    release_solid(&hull);
  }
  print_message("%d of %d off\n", n_wrong, n_met);
  assert_true(n_met > 3500 && n_wrong <= n_met / 500 && n_wrong_apart == 0);
}

// How far p is from a triangle; by clamping to its sides where the foot is outside.
static double distance_to_triangle(vec3 p, const vec3 c[3])
{
  const vec3 cross = cross3(sub3(c[1], c[0]), sub3(c[2], c[0])), n = scale3(1 / norm3(cross), cross);
  double least = INFINITY;
  bool is_over = true;
  for (int k = 0; k < 3; k++) {
    const vec3 along = sub3(c[(k + 1) % 3], c[k]), r = sub3(p, c[k]);
    const double t = fmin(fmax(dot3(along, r) / dot3(along, along), 0), 1);
    is_over = is_over && dot3(cross3(along, n), r) <= 0;
    least = fmin(least, norm3(sub3(r, scale3(t, along))));
  }
  return is_over ? fabs(dot3(n, sub3(p, c[0]))) : least;
}

static void a_ball_over_hills_is_as_near_as_the_nearest_triangle(void **state)
{
  (void)state;
  testing_random random = testing_random_start(87);
  enum { SIDE = 12 };
  double heights[SIDE * SIDE];
  int n_met = 0;
  for (int trial = 0; trial < 20; trial++) {
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = testing_uniform(&random, 0, 0.02 + 0.02 * trial);
    srs_terrain *terrain = make_heights(heights, SIDE, SIDE, 0.2, 0.25);
    const srs_solid ball = solid_of(SRS_SHAPE_SPHERE, testing_uniform(&random, 0.05, 0.3), 0, 0);
    for (int k = 0; k < 200; k++) {
      const vec3 centre =
          add3(random_at(&random, 0.8, 0), (vec3){0, 0, 0.02 + 0.02 * trial + testing_uniform(&random, 0.01, 0.3)});
      double nearest = INFINITY;
      for (int i = 0; i + 1 < SIDE; i++)
        for (int j = 0; j + 1 < SIDE; j++) {
          vec3 c[4];
          for (int m = 0; m < 4; m++) {
            const int row = i + m / 2, column = j + m % 2;
            c[m] = (vec3){0.2 * (column - 5.5), 0.25 * (row - 5.5), heights[SIDE * row + column]};
          }
          const vec3 lower[3] = {c[0], c[1], c[3]}, upper[3] = {c[0], c[3], c[2]};
          nearest = fmin(nearest, fmin(distance_to_triangle(centre, lower), distance_to_triangle(centre, upper)));
        }
      const srs_placed placed = {&ball, random_axes(&random), centre};
      srs_touch touches[ROOM];
      const int n = touch(terrain, &here, &placed, 0.1, touches);
      double least = INFINITY;
      for (int i = 0; i < n; i++) least = fmin(least, touches[i].gap);
      if (nearest - ball.size[0] < 0.1 - 1e-9) assert_true(fabs(least - (nearest - ball.size[0])) < 1e-9);
      if (nearest - ball.size[0] > 0.1 + 1e-9) assert_int_equal(n, 0);
      n_met += n > 0;
    }
    srs_terrain_destroy(terrain);
  }
  assert_true(n_met > 1000);
}

// A box that stands on a table and over its edge feels the top alone, as far as it reaches.
static void a_box_over_the_edge_of_a_table_is_held_by_the_top(void **state)
{
  (void)state;
  srs_solid table;
  make_box_hull(&table, 1, 1, 0.5);
  srs_terrain *terrain = make_block(table.hull);
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 0.2, 0.2, 0.2);
  testing_random random = testing_random_start(84);
  for (int trial = 0; trial < 2000; trial++) {
    const double x = testing_uniform(&random, 0.42, 0.54), y = trial % 2 == 0 ? 0 : testing_uniform(&random, 0.3, 0.54);
    const double gap = trial % 3 == 0 ? 1e-5 : -1e-5, turn = trial % 5 == 0 ? 0 : testing_uniform(&random, 0, 6);
    const srs_placed placed = {&box, rotation_about((vec3){0, 0, turn}), {x, y, 0.35 + gap}};
    srs_touch touches[ROOM];
    double most = -INFINITY;
    int n_top = 0;
    for (int i = touch(terrain, &here, &placed, 1e-3, touches); i-- > 0;) {
      const srs_touch *t = &touches[i];
      if (t->normal.z < 1 - 1e-9) { // a corner of the box beside the table and as near as the margin
        assert_true(t->gap > 0);
        continue;
      }
      assert_true(norm3(sub3(t->normal, (vec3){0, 0, 1})) < 1e-12 && fabs(t->gap - gap) < 1e-12);
      most = fmax(most, t->b.x);
      n_top++;
    }
    assert_in_range(n_top, 3, 8);
    const double reach = solid_reach(&placed, (vec3){1, 0, 0}).x;
    if (y < 0.3 && turn == 0) assert_true(fabs(most - fmin(reach, 0.5)) < 1e-9);
  }
  srs_terrain_destroy(terrain);
  release_solid(&table);
}

// F55: the ground a cube of twelve triangles, the solids cubes as boxes and as hulls; as on a box (test_convex.c).
static void cubes_on_a_cube_of_triangles_have_four_nodes_at_their_corners(void **state)
{
  (void)state;
  srs_solid ground;
  make_box_hull(&ground, 1, 1, 1);
  srs_terrain *terrain = make_block(ground.hull);
  const double edges[] = {0.1, 0.005}, gaps[] = {1e-4, 0, -1e-5};
  for (int k = 0; k < 48; k++) {
    const double edge = edges[k % 2], h = edge / 2, gap = gaps[k % 3];
    srs_solid cube = solid_of(SRS_SHAPE_BOX, edge, edge, edge);
    if (k % 4 < 2) make_box_hull(&cube, edge, edge, edge);
    const srs_placed a = {&cube, rotation_about((vec3){0, 0, 0.1 * k}), {0.01 * k - 0.2, -0.13, 0.5 + h + gap}};
    srs_touch touches[ROOM];
    assert_int_equal(touch(terrain, &here, &a, 1e-3, touches), 4);
    for (int i = 0; i < 4; i++) {
      assert_true(norm3(sub3(touches[i].normal, (vec3){0, 0, 1})) < 1e-15);
      assert_true(fabs(touches[i].gap - gap) < 1e-15);
      const vec3 local = rotate_back(a.axes, sub3(touches[i].a, a.origin));
      assert_true(fabs(fabs(local.x) - h) < 1e-15 && fabs(fabs(local.y) - h) < 1e-15 && fabs(local.z + h) < 1e-15);
      for (int other = 0; other < i; other++) assert_true(touches[i].feature != touches[other].feature);
    }
    release_solid(&cube);
  }
  srs_terrain_destroy(terrain);
  release_solid(&ground);
}

static void deep_solids_are_still_pushed_out(void **state)
{
  (void)state;
  testing_random random = testing_random_start(85);
  srs_terrain *mesh = make_floor(&random, 10, 2);
  const double flat[25] = {0};
  srs_terrain *field = make_heights(flat, 5, 5, 1, 1);
  const srs_solid ball = solid_of(SRS_SHAPE_SPHERE, 0.2, 0, 0);
  for (int step = 0; step < 140; step++) {
    const double depth = 0.01 * step + 0.005;
    const srs_placed placed = {&ball, mat3_identity, {0.123, 0.456, 0.2 - depth}};
    srs_touch touches[ROOM];
    const int n[2] = {touch(mesh, &here, &placed, 0, touches), touch(field, &here, &placed, 0, touches)};
    assert_int_equal(n[0], depth < 0.3); // the middle 0.1 below: a quarter of the width
    assert_int_equal(n[1], depth < 1.3); // and the spacing
    if (n[1] == 1) assert_true(touches[0].normal.z == 1 && fabs(touches[0].gap + depth) < 1e-15);
  }
  assert_true(srs_terrain_thickness(mesh) == 0 && srs_terrain_thickness(field) == 1);
  srs_terrain_destroy(mesh);
  srs_terrain_destroy(field);
}

static void a_spike_carries_a_box(void **state)
{
  (void)state;
  // A pyramid: its tip under the middle of a box's face, then under its side.
  const double points[15] = {1, 1, 0, -1, 1, 0, -1, -1, 0, 1, -1, 0, 0, 0, 1};
  const int triangles[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
  srs_terrain *terrain = make_mesh(points, 5, triangles, 4);
  const srs_solid box = solid_of(SRS_SHAPE_BOX, 0.5, 0.5, 0.2);
  for (int step = 0; step < 100; step++) {
    const double gap = step % 2 == 0 ? 1e-3 : -1e-3, tilt = 0.005 * step;
    const mat3 axes = rotation_about((vec3){tilt, 0.5 * tilt, 0.1 * step});
    const srs_placed placed = {&box, axes, add3((vec3){0, 0, 1}, scale3(0.1 + gap, axes.z))};
    srs_touch touches[ROOM];
    assert_int_equal(touch(terrain, &here, &placed, 2e-3, touches), 1);
    assert_true(norm3(sub3(touches[0].normal, axes.z)) < 1e-12);
    assert_true(fabs(touches[0].gap - gap) < 1e-12 && norm3(sub3(touches[0].b, (vec3){0, 0, 1})) < 1e-12);
  }
  srs_terrain_destroy(terrain);
}

static void rays_meet_the_first_triangle_and_never_slip_between(void **state)
{
  (void)state;
  testing_random random = testing_random_start(86);
  srs_terrain *floor = make_floor(&random, 20, 2);
  for (int trial = 0; trial < 20000; trial++) {
    // Many aim at corners and edges of the grid.
    const double x = trial % 2 == 0 ? testing_uniform(&random, -1.9, 1.9) : 0.2 * testing_below(&random, 18) - 1.8;
    const double y = trial % 3 == 0 ? testing_uniform(&random, -1.9, 1.9) : 0.2 * testing_below(&random, 18) - 1.8;
    const vec3 at = {x, y, 0}, from = trial % 5 == 0 ? (vec3){x, y, 1} : add3(at, random_at(&random, 1, 1));
    const vec3 way = sub3(at, from), along = scale3(1 / norm3(way), way);
    double distance;
    vec3 normal;
    assert_true(srs_terrain_cast_ray(floor, &here, from, along, 10, &distance, &normal));
    assert_true(fabs(distance - norm3(way)) < 1e-14 && normal.z == 1);
    assert_false(srs_terrain_cast_ray(floor, &here, from, along, norm3(way) - 1e-9, &distance, &normal));
    assert_false(
        srs_terrain_cast_ray(floor, &here, add3(from, (vec3){0, 0, -2}), scale3(-1, along), 10, &distance, &normal) &&
        distance < 0);
  }
  srs_terrain_destroy(floor);
  for (int trial = 0; trial < 300; trial++) { // against the same block as a hull
    srs_solid hull;
    make_solid(&random, SRS_SHAPE_HULL, &hull);
    srs_terrain *block = make_block(hull.hull);
    const srs_placed pose = random_placed(&random, &hull, 1);
    for (int i = 0; i < 100; i++) {
      const vec3 from = random_vector(&random, 3), way = sub3(add3(pose.origin, random_vector(&random, 0.4)), from);
      const vec3 along = scale3(1 / norm3(way), way);
      double d[2] = {-1, -1};
      vec3 n[2] = {vec3_zero, vec3_zero};
      const bool is_met = srs_solid_cast_ray(&pose, from, along, 5, &d[0], &n[0]);
      const bool is_met_too = srs_terrain_cast_ray(block, &pose, from, along, 5, &d[1], &n[1]);
      if (solid_height(&pose, from) < 1e-6) continue;
      assert_int_equal(is_met, is_met_too);
      assert_true(fabs(d[0] - d[1]) < 1e-6); // coplanar facets are one face of the hull
    }
    srs_terrain_destroy(block);
    release_solid(&hull);
  }
}

static void impossible_ground_is_refused(void **state)
{
  (void)state;
  const double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.5, 0};
  const int fine[3] = {0, 1, 2}, wild[3] = {0, 1, 9}, thin[3] = {1, 2, 3};
  srs_shape shape = {.kind = SRS_SHAPE_TERRAIN, .name = "g", .points = points, .n_points = 4, .n_triangles = 1};
  srs_terrain *terrain = NULL;
  srs_error error = {0};
  shape.triangles = wild;
  assert_int_equal(srs_terrain_create(&shape, &terrain, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "corner 9"));
  shape.triangles = thin;
  assert_int_equal(srs_terrain_create(&shape, &terrain, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "area"));
  shape.triangles = fine;
  const double bad[12] = {0, 0, 0, 1, 0, NAN, 0, 1, 0, 1, 1, 0};
  shape.points = bad;
  assert_int_equal(srs_terrain_create(&shape, &terrain, &error), SRS_ERROR_NOT_FINITE);
  shape.n_triangles = 0;
  assert_int_equal(srs_terrain_create(&shape, &terrain, &error), SRS_ERROR_MODEL);
  assert_null(terrain);
  shape = (srs_shape){.kind = SRS_SHAPE_HEIGHTFIELD, .name = "h", .heights = points, .n_rows = 1, .n_columns = 4};
  assert_int_equal(srs_terrain_create(&shape, &terrain, &error), SRS_ERROR_MODEL);
  assert_null(terrain);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floors_of_many_triangles_feel_like_one_plane),
      cmocka_unit_test(a_box_slides_over_edges_with_the_same_four_nodes),
      cmocka_unit_test(a_ball_rolls_over_a_ridge_without_a_jump),
      cmocka_unit_test(a_box_lies_on_a_ridge_with_two_nodes),
      cmocka_unit_test(a_ball_in_a_valley_touches_both_slopes_and_no_edge),
      cmocka_unit_test(solids_meet_convex_ground_as_they_meet_a_hull),
      cmocka_unit_test(a_ball_over_hills_is_as_near_as_the_nearest_triangle),
      cmocka_unit_test(a_box_over_the_edge_of_a_table_is_held_by_the_top),
      cmocka_unit_test(cubes_on_a_cube_of_triangles_have_four_nodes_at_their_corners),
      cmocka_unit_test(deep_solids_are_still_pushed_out),
      cmocka_unit_test(a_spike_carries_a_box),
      cmocka_unit_test(rays_meet_the_first_triangle_and_never_slip_between),
      cmocka_unit_test(impossible_ground_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
