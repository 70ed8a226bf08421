// Events of the ratio metric: none missed, none false, derivatives, momenta, gaps.
#include "support/ratio_check.h"

#include <stdio.h>

enum { MOST = 4096 };

static srs_polytope *random_body(testing_random *random)
{
  switch (testing_below(random, 4)) {
  case 0: {
    const double x = testing_uniform(random, 0.3, 1), y = testing_uniform(random, 0.3, 1);
    return box_of(x, y, testing_uniform(random, 0.3, 1));
  }
  case 1: return tetrahedron();
  case 2: return icosahedron();
  default: return random_ball(random, 5 + testing_below(random, 20), 0.2);
  }
}

// Brings body 2 to where r is as wanted: r is homogeneous in the distance of the centres.
static void bring_to(const stand *one, stand *two, double wanted)
{
  srs_ratio ratio;
  assert_true(ratio_of(one, two, NULL, &ratio));
  const vec3 x1 = centre_of(one), x2 = centre_of(two);
  const vec3 shift = scale3(wanted / ratio.r - 1, sub3(x2, x1));
  vec3_store(two->pose.position, add3(vec3_load(two->pose.position), shift));
}

// Two bodies near contact; every second time a face of one lies nearly flat on a face of the other.
static void draw(testing_random *random, int i, stand *one, stand *two)
{
  *one = (stand){random_body(random), random_pose(random, 3, 1)};
  *two = (stand){random_body(random), random_pose(random, 3, 1)};
  if (i % 2 == 0) {
    const vec3 a = facet_normal(one, 0), b = scale3(-1, facet_normal(two, 0));
    const vec3 axis = cross3(b, a);
    const double cosine = dot3(a, b), s = sqrt(2 * (1 + cosine));
    if (s > 0.1) { // the turn that takes b to a, and a little more
      const vec3 tilt = random_point(random, i % 4 == 0 ? 0 : 0.01);
      const double q[4] = {s / 2, axis.x / s + tilt.x, axis.y / s + tilt.y, axis.z / s + tilt.z};
      double by[9];
      srs_rotation_from_quaternion(q, by);
      mat3_to_rows(two->pose.rotation, mul3(mat3_from_rows(by), mat3_from_rows(two->pose.rotation)));
      vec3_store(two->pose.position, add3(add_scaled3(centre_of(one), 2, a), random_point(random, 0.5)));
    }
  }
  bring_to(one, two, testing_uniform(random, 0.95, 1.05));
}

static void release(stand *one, stand *two)
{
  srs_polytope_destroy((srs_polytope *)one->polytope);
  srs_polytope_destroy((srs_polytope *)two->polytope);
}

static int events_of(const stand *one, const stand *two, const srs_ratio_event_options *options,
                     srs_ratio_event *events)
{
  srs_ratio ratio;
  assert_true(ratio_of(one, two, NULL, &ratio));
  const int n = srs_ratio_events(one->polytope, &one->pose, two->polytope, &two->pose, &ratio, options, events, MOST);
  assert_in_range(n, 1, MOST);
  return n;
}

// ---------------------------------------------------------------------------------------------------------------------
// Brute force
// ---------------------------------------------------------------------------------------------------------------------

typedef struct candidate {
  double t, beyond;
  vec3 n;
} candidate;

static double from_segment(vec3 a, vec3 b, vec3 x)
{
  const vec3 along = sub3(b, a);
  const double part = fmin(fmax(dot3(sub3(x, a), along) / dot3(along, along), 0), 1);
  return norm3(sub3(x, add_scaled3(a, part, along)));
}

// Corner of `one` on a facet of `two`; n from one to two.
static candidate corner_on_facet(const stand *one, const stand *two, int corner, int facet)
{
  const vec3 w = corner_of(one, corner), a = facet_normal(two, facet), d = sub3(centre_of(one), centre_of(two));
  const double b = two->polytope->offsets[facet];
  candidate c = {.t = dot3(a, d) / (b - dot3(a, w)), .beyond = INFINITY};
  c.n = scale3(-1 / (b - dot3(a, w)), a);
  const vec3 x = add_scaled3(d, c.t, w);
  const int *ring = two->polytope->facet_corners + two->polytope->facet_begin[facet];
  const int n = two->polytope->facet_begin[facet + 1] - two->polytope->facet_begin[facet];
  bool is_inside = two->polytope->dimension == 3;
  for (int i = 0; i < n; i++) {
    const vec3 p = scale3(c.t, corner_of(two, ring[i])), q = scale3(c.t, corner_of(two, ring[(i + 1) % n]));
    is_inside = is_inside && dot3(cross3(sub3(q, p), sub3(x, p)), a) >= 0;
    c.beyond = fmin(c.beyond, from_segment(p, q, x));
  }
  if (is_inside) c.beyond = 0;
  return c;
}

// By solving for t and both points: d + t (q + u b) = t (p + s a), an equation in 1/t, s, u.
static candidate edge_on_edge(const stand *one, const stand *two, int edge_1, int edge_2)
{
  const vec3 p = corner_of(one, one->polytope->edges[edge_1].from), a = edge_along(one, edge_1);
  const vec3 q = corner_of(two, two->polytope->edges[edge_2].from), b = edge_along(two, edge_2);
  const vec3 d = sub3(centre_of(two), centre_of(one)), m = cross3(a, b);
  if (norm3(m) <= 1e-9 * norm3(a) * norm3(b)) return (candidate){.t = NAN, .beyond = INFINITY};
  const double det = dot3(d, cross3(scale3(-1, a), b)); // columns d, -a, b; right side p - q
  const vec3 right = sub3(p, q);
  const double inverse_t = dot3(right, cross3(scale3(-1, a), b)) / det;
  const double s = dot3(d, cross3(right, b)) / det, u = dot3(d, cross3(scale3(-1, a), right)) / det;
  candidate c = {.t = 1 / inverse_t, .n = scale3(1 / dot3(m, right), m)};
  c.beyond = c.t * fmax(norm3(a) * fmax(fmax(-s, s - 1), 0), norm3(b) * fmax(fmax(-u, u - 1), 0));
  return c;
}

// In or out, or so near the limits that rounding may say either (then the count is of no use).
static bool counts(const stand *one, const stand *two, const candidate *c, double r, const srs_ratio_event_options *o,
                   bool *is_doubtful)
{
  if (!(isfinite(c->t) && isfinite(c->beyond))) return false;
  const double h = support_of(one, c->n) + support_of(two, scale3(-1, c->n));
  const double slack = 1e-11;
  const double over[4] = {c->t - r - o->epsilon_t, r - o->epsilon_0 - c->t, c->beyond - o->epsilon_x,
                          c->t - c->t / h - o->epsilon_h};
  double most = -INFINITY;
  for (int k = 0; k < 4; k++) most = fmax(most, over[k]);
  *is_doubtful = *is_doubtful || fabs(most) <= slack;
  return most <= 0;
}

static int count_by_force(const stand *one, const stand *two, double r, const srs_ratio_event_options *o,
                          bool *is_doubtful)
{
  int n = 0;
  *is_doubtful = false;
  const srs_polytope *p = one->polytope, *q = two->polytope;
  for (int i = 0; i < p->n_corners; i++)
    for (int f = 0; f < q->n_facets; f++) {
      const candidate c = corner_on_facet(one, two, i, f);
      n += counts(one, two, &c, r, o, is_doubtful);
    }
  for (int i = 0; i < q->n_corners; i++)
    for (int f = 0; f < p->n_facets; f++) {
      candidate c = corner_on_facet(two, one, i, f);
      c.n = scale3(-1, c.n);
      n += counts(one, two, &c, r, o, is_doubtful);
    }
  for (int i = 0; i < p->n_edges; i++)
    for (int k = 0; k < q->n_edges; k++) {
      const candidate c = edge_on_edge(one, two, i, k);
      n += counts(one, two, &c, r, o, is_doubtful);
    }
  return n;
}

static void events_are_those_of_all_corners_facets_and_edges(void **state)
{
  (void)state;
  testing_random random = testing_random_start(801);
  static const double travels[] = {1e-7, 0.001, 0.01, 0.1};
  int n_sure = 0;
  srs_ratio_event *events = malloc(MOST * sizeof *events);
  for (int i = 0; i < 1200; i++) {
    stand one, two;
    draw(&random, i, &one, &two);
    srs_ratio_event_options options = srs_default_ratio_event_options(one.polytope, two.polytope, travels[i / 2 % 4]);
    if (i % 3 == 0) options.epsilon_0 = 1e-7;
    if (i % 7 == 0) options.epsilon_x *= 0.1;
    srs_ratio ratio;
    ratio_of(&one, &two, NULL, &ratio);
    bool is_doubtful;
    const int by_force = count_by_force(&one, &two, ratio.r, &options, &is_doubtful);
    const int n = events_of(&one, &two, &options, events);
    if (!is_doubtful && n != by_force) fail_msg("case %d: %d events, by force %d", i, n, by_force);
    n_sure += !is_doubtful;
    release(&one, &two);
  }
  assert_true(n_sure > 900);
  free(events);
}

static void events_of_polygons_are_those_of_all_corners_and_sides(void **state)
{
  (void)state;
  testing_random random = testing_random_start(807);
  int n_sure = 0;
  srs_ratio_event events[64];
  for (int i = 0; i < 2000; i++) {
    stand one = {random_polygon(&random, 3 + i % 7), random_pose(&random, 2, 1)};
    stand two = {random_polygon(&random, 3 + i % 5), random_pose(&random, 2, 1)};
    bring_to(&one, &two, testing_uniform(&random, 0.95, 1.05));
    const srs_ratio_event_options options =
        srs_default_ratio_event_options(one.polytope, two.polytope, i % 2 ? 0.01 : 0);
    srs_ratio ratio;
    ratio_of(&one, &two, NULL, &ratio);
    bool is_doubtful;
    const int by_force = count_by_force(&one, &two, ratio.r, &options, &is_doubtful);
    const int n = srs_ratio_events(one.polytope, &one.pose, two.polytope, &two.pose, &ratio, &options, events, 64);
    if (!is_doubtful) assert_int_equal(n, by_force);
    n_sure += !is_doubtful;
    assert_in_range(n, 1, 64);
    for (int k = 0; k < n; k++) {
      assert_true(events[k].kind != SRS_RATIO_EVENT_EDGE_ON_EDGE && events[k].normal[2] == 0 &&
                  events[k].witness[2] == 0);
      assert_true(events[k].turn1[0] == 0 && events[k].turn1[1] == 0);
    }
    release(&one, &two);
  }
  assert_true(n_sure > 1900);
}

static bool is_among(const srs_ratio_event *event, const srs_ratio_event *events, int n)
{
  for (int i = 0; i < n; i++)
    if (events[i].kind == event->kind && events[i].feature_1 == event->feature_1 &&
        events[i].feature_2 == event->feature_2)
      return true;
  return false;
}

// Turned about the centre and shifted so that no point of it moves farther than `most`.
static srs_pose random_move(testing_random *random, const stand *s, double most)
{
  const vec3 axis = random_point(random, 0.28 * most / s->polytope->reach); // at most half of it
  const vec3 shift = random_point(random, 0.28 * most);
  const double angle = norm3(axis);
  const vec3 half = scale3(angle > 0 ? sin(angle / 2) / angle : 0, axis);
  const mat3 axes = mul3(mat3_from_quaternion((const double[]){cos(angle / 2), half.x, half.y, half.z}),
                         mat3_from_rows(s->pose.rotation));
  srs_pose pose;
  mat3_to_rows(pose.rotation, axes);
  vec3_store(pose.position, sub3(add3(centre_of(s), shift), rotate(axes, s->polytope->centre)));
  return pose;
}

// Edges at a small angle cross far away after a small turn: by travel / sine.
static bool runs_away(const stand *one, const stand *two, const srs_ratio_event *event)
{
  if (event->kind != SRS_RATIO_EVENT_EDGE_ON_EDGE) return false;
  const vec3 a = edge_along(one, event->feature_1), b = edge_along(two, event->feature_2);
  return norm3(cross3(a, b)) < 0.25 * norm3(a) * norm3(b);
}

static void what_touches_after_a_step_was_an_event_before(void **state)
{
  (void)state;
  testing_random random = testing_random_start(802);
  srs_ratio_event *before = malloc(MOST * sizeof *before), *after = malloc(MOST * sizeof *after);
  long n_after = 0;
  for (int i = 0; i < 3000; i++) {
    stand one, two;
    draw(&random, i, &one, &two);
    bring_to(&one, &two, testing_uniform(&random, 0.97, 1));
    const double travel = i % 3 == 0 ? 0.02 : 0.001;
    const srs_ratio_event_options exact = srs_default_ratio_event_options(one.polytope, two.polytope, 0);
    const srs_ratio_event_options near = srs_default_ratio_event_options(one.polytope, two.polytope, travel);
    const int n = events_of(&one, &two, &exact, after);
    // The step, backwards in time.
    one.pose = random_move(&random, &one, travel / 2);
    two.pose = random_move(&random, &two, travel / 2);
    const int m = events_of(&one, &two, &near, before);
    for (int k = 0; k < n; k++)
      if (!runs_away(&one, &two, &after[k]) && !is_among(&after[k], before, m))
        fail_msg("case %d: event %d of %d was missed", i, k, n);
    n_after += n;
    release(&one, &two);
  }
  print_message("%ld events\n", n_after);
  free(before);
  free(after);
}

// ---------------------------------------------------------------------------------------------------------------------
// What an event says
// ---------------------------------------------------------------------------------------------------------------------

static void the_optimum_is_the_greatest_of_feasible_events(void **state)
{
  (void)state;
  testing_random random = testing_random_start(803);
  srs_ratio_event *events = malloc(MOST * sizeof *events);
  for (int i = 0; i < 1000; i++) {
    stand one, two;
    draw(&random, i, &one, &two);
    srs_ratio ratio;
    ratio_of(&one, &two, NULL, &ratio);
    const srs_ratio_event_options exact = srs_default_ratio_event_options(one.polytope, two.polytope, 0);
    srs_ratio_event_options open = exact; // all that are feasible, wherever
    open.epsilon_0 = INFINITY, open.epsilon_x = open.epsilon_t = 1e3;
    const int n = srs_ratio_events(one.polytope, &one.pose, two.polytope, &two.pose, &ratio, &exact, events, MOST);
    assert_true(n >= 1); // with the optimum itself
    const int m = srs_ratio_events(one.polytope, &one.pose, two.polytope, &two.pose, &ratio, &open, events, MOST);
    assert_true(m >= n);
    for (int k = 0; k < m; k++) assert_true(events[k].t <= ratio.r * (1 + 1e-11) + 1.1e-9);
    release(&one, &two);
  }
  free(events);
}

static void impulses_of_events_conserve_momentum(void **state)
{
  (void)state;
  testing_random random = testing_random_start(804);
  srs_ratio_event *events = malloc(MOST * sizeof *events);
  for (int i = 0; i < 600; i++) {
    stand one, two;
    draw(&random, i, &one, &two);
    const srs_ratio_event_options options = srs_default_ratio_event_options(one.polytope, two.polytope, 0.01);
    const int n = events_of(&one, &two, &options, events);
    const vec3 x1 = centre_of(&one), x2 = centre_of(&two);
    for (int k = 0; k < n; k++) {
      const srs_ratio_event *e = &events[k];
      const vec3 normal = vec3_load(e->normal), unit = scale3(1 / norm3(normal), normal);
      // A unit impulse on body 2 along dt/dx2, on body 1 along dt/dx1 = -dt/dx2, angular parts about the world's
      // origin.
      const vec3 angular = add3(add3(vec3_load(e->turn1), vec3_load(e->turn2)), cross3(sub3(x2, x1), normal));
      assert_true(norm3(angular) <= 1e-12 * norm3(normal));
      const vec3 between = sub3(vec3_load(e->point_2), vec3_load(e->point_1));
      assert_true(norm3(cross3(unit, between)) <= 1e-12); // at the points as they are: likewise
      assert_true(fabs(e->gap - dot3(unit, between)) <= 1e-12);
      assert_true(fabs(e->phi - e->gap / dot3(unit, sub3(x2, x1))) <= 1e-12);
      assert_true(fabs(dot3(normal, sub3(x2, x1)) - e->t) <= 1e-12);
    }
    release(&one, &two);
  }
  free(events);
}

static const double STEP = 1e-5;

// t of the same event where the bodies are.
static bool t_of(const stand *one, const stand *two, const srs_ratio_event *event, double *t)
{
  srs_ratio ratio;
  ratio_of(one, two, NULL, &ratio);
  const srs_ratio_event_options wide = {.epsilon_x = 0.5, .epsilon_t = 0.2, .epsilon_0 = 0.2, .epsilon_h = INFINITY};
  srs_ratio_event *events = malloc(MOST * sizeof *events);
  const int n = srs_ratio_events(one->polytope, &one->pose, two->polytope, &two->pose, &ratio, &wide, events, MOST);
  bool found = false;
  for (int i = 0; i < n && i < MOST; i++)
    if (is_among(event, &events[i], 1)) *t = events[i].t, found = true;
  free(events);
  return found;
}

static srs_pose stepped(const stand *s, int coordinate, double step)
{
  double x[3] = {0, 0, 0};
  x[coordinate % 3] = step;
  const vec3 shift = coordinate < 3 ? vec3_load(x) : vec3_zero, turn = coordinate < 3 ? vec3_zero : vec3_load(x);
  const double angle = norm3(turn);
  const vec3 half = scale3(angle > 0 ? sin(angle / 2) / angle : 0, turn);
  const mat3 axes = mul3(mat3_from_quaternion((const double[]){cos(angle / 2), half.x, half.y, half.z}),
                         mat3_from_rows(s->pose.rotation));
  srs_pose pose;
  mat3_to_rows(pose.rotation, axes);
  vec3_store(pose.position, sub3(add3(centre_of(s), shift), rotate(axes, s->polytope->centre)));
  return pose;
}

static void gradients_of_events_are_central_differences(void **state)
{
  (void)state;
  testing_random random = testing_random_start(805);
  srs_ratio_event *events = malloc(MOST * sizeof *events);
  int n_checked[3] = {0, 0, 0};
  for (int i = 0; i < 120; i++) {
    stand one, two;
    draw(&random, i, &one, &two);
    const srs_ratio_event_options options = srs_default_ratio_event_options(one.polytope, two.polytope, 0.01);
    const int n = events_of(&one, &two, &options, events);
    const srs_ratio_event event = events[testing_below(&random, n)];
    double gradient[12], slopes[12];
    for (int k = 0; k < 3; k++) {
      gradient[k] = -event.normal[k], gradient[3 + k] = event.turn1[k];
      gradient[6 + k] = event.normal[k], gradient[9 + k] = event.turn2[k];
    }
    // Edges that are nearly parallel turn their normal so fast that third derivatives show.
    if (norm3(vec3_load(event.turn1)) > 3 || norm3(vec3_load(event.turn2)) > 3) {
      release(&one, &two);
      continue;
    }
    bool found = true;
    for (int k = 0; k < 12; k++) {
      double t[2] = {0, 0};
      for (int side = 0; side < 2; side++) {
        stand a = one, b = two;
        if (k < 6)
          a.pose = stepped(&one, k, side ? STEP : -STEP);
        else
          b.pose = stepped(&two, k - 6, side ? STEP : -STEP);
        found = found && t_of(&a, &b, &event, &t[side]);
      }
      slopes[k] = (t[1] - t[0]) / (2 * STEP);
    }
    if (found) testing_assert_close("gradient of an event", gradient, slopes, 12, 1e-8);
    n_checked[event.kind] += found;
    release(&one, &two);
  }
  for (int k = 0; k < 3; k++) assert_true(n_checked[k] >= 10);
  free(events);
}

// Corners of a cube that is tilted over another: all four of the lower face, at their own t.
static void a_tilted_cube_has_its_four_lower_corners(void **state)
{
  (void)state;
  srs_polytope *small = box_of(0.5, 0.5, 0.5), *large = box_of(2, 2, 1);
  const stand table = {large, srs_identity_pose()};
  stand cube = {small, srs_identity_pose()};
  const double angle = 0.002;
  double rotation[9];
  srs_rotation_from_quaternion((const double[]){cos(angle / 2), sin(angle / 2), 0, 0}, rotation);
  memcpy(cube.pose.rotation, rotation, sizeof rotation);
  cube.pose.position[2] = 1.5 + 0.001;
  const srs_ratio_event_options options = srs_default_ratio_event_options(small, large, 0.01);
  srs_ratio_event events[64];
  const int n = events_of(&cube, &table, &options, events);
  int n_corners = 0;
  double least = INFINITY, most = -INFINITY;
  for (int k = 0; k < n; k++) {
    if (events[k].kind != SRS_RATIO_EVENT_CORNER_ON_FACET) continue;
    n_corners++;
    assert_true(fabs(events[k].gap - (events[k].point_1[2] - 1)) <= 1e-15);
    least = fmin(least, events[k].phi), most = fmax(most, events[k].phi);
  }
  assert_int_equal(n_corners, 4);
  assert_true(most - least > 0.9 * sin(angle) / 1.5 && least > 0);
  srs_polytope_destroy(small);
  srs_polytope_destroy(large);
}

static void where_there_is_no_room_those_of_least_t_are_kept(void **state)
{
  (void)state;
  testing_random random = testing_random_start(806);
  srs_ratio_event *all = malloc(MOST * sizeof *all), few[8];
  for (int i = 0; i < 200; i++) {
    stand one, two;
    draw(&random, i, &one, &two);
    srs_ratio ratio;
    ratio_of(&one, &two, NULL, &ratio);
    const srs_ratio_event_options options = srs_default_ratio_event_options(one.polytope, two.polytope, 0.05);
    const int n = events_of(&one, &two, &options, all);
    const int m = srs_ratio_events(one.polytope, &one.pose, two.polytope, &two.pose, &ratio, &options, few, 8);
    assert_int_equal(n, m);
    double most = -INFINITY;
    for (int k = 0; k < n && k < 8; k++) {
      assert_true(is_among(&few[k], all, n));
      most = fmax(most, few[k].t);
    }
    int n_less = 0;
    for (int k = 0; k < n; k++) n_less += all[k].t < most;
    assert_true(n <= 8 || n_less < 8);
    release(&one, &two);
  }
  free(all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_are_those_of_all_corners_facets_and_edges),
      cmocka_unit_test(events_of_polygons_are_those_of_all_corners_and_sides),
      cmocka_unit_test(what_touches_after_a_step_was_an_event_before),
      cmocka_unit_test(the_optimum_is_the_greatest_of_feasible_events),
      cmocka_unit_test(impulses_of_events_conserve_momentum),
      cmocka_unit_test(gradients_of_events_are_central_differences),
      cmocka_unit_test(a_tilted_cube_has_its_four_lower_corners),
      cmocka_unit_test(where_there_is_no_room_those_of_least_t_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
