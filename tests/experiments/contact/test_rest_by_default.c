// What must rest rests, with no option set: loads, pushes below the friction that holds, overlaps at the start.
//
// The scenes of data/cases with the right values of its page, and drawn variants of their kinds.

#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

static world load_case(const char *name)
{
  char path[96];
  snprintf(path, sizeof path, "cases/%s.yaml", name);
  return world_of_scene(scene_of_file(testing_data(path)));
}

// With all overlaps: by default those of a robot file do not collide.
static world load_overlapping(const char *name)
{
  char path[96];
  snprintf(path, sizeof path, "cases/%s.yaml", name);
  srs_scene_options options = srs_default_scene_options();
  options.self_collision = SRS_SELF_COLLISION_ALL;
  srs_scene *scene = NULL;
  srs_error error;
  if (srs_scene_load(testing_data(path), &options, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  return world_of_scene(scene);
}

static bool is_long(void) { return getenv("SARRUS_LONG") != NULL; }

static void push(srs_sim *sim, const char *coordinate, double force)
{
  double tau[64] = {0};
  tau[srs_model_find_v(srs_sim_model(sim), coordinate)] = force;
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
}

// The largest vertical force on the shape from above or below, N: the sum over its contacts with the world.
static double from_below(const srs_sim *sim)
{
  int n;
  const srs_sim_contact *c = srs_sim_contacts(sim, &n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    if (c[i].contact.link_a < 0 || c[i].contact.link_b < 0) sum += (c[i].contact.link_a < 0 ? -1 : 1) * c[i].force[2];
  return sum;
}

static double speed_of(const srs_sim *sim)
{
  double most = 0;
  for (int i = 0; i < srs_model_nv(srs_sim_model(sim)); i++) most = fmax(most, fabs(srs_sim_v(sim)[i]));
  return most;
}

// ---------------------------------------------------------------------------------------------------------------------
// Loads
// ---------------------------------------------------------------------------------------------------------------------

typedef struct tray {
  const char *kind;
  double mass, load, friction, push, dt; // push: share of what friction holds
  double size, width, depth, height, edge;
} tray;

static world make_tray(const tray *t)
{
  char text[4096], shape[1024];
  const double w = 0.5 * t->width, d = 0.5 * t->depth, z = 0.5 * t->height;
  if (strcmp(t->kind, "box") == 0)
    snprintf(shape, sizeof shape, "kind: box, size: [%.17g, %.17g, %.17g]", t->width, t->depth, t->height);
  else if (strcmp(t->kind, "cylinder") == 0)
    snprintf(shape, sizeof shape, "kind: cylinder, radius: %.17g, length: %.17g", w, t->height);
  else
    snprintf(shape, sizeof shape,
             "kind: hull, points: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, "
             "%.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]",
             w, d, z, w, -d, z, -w, d, z, -w, -d, z, w, d, -z, w, -d, -z, -w, d, -z, -w, -d, -z);
  const double flat = t->mass * (t->width * t->width + t->depth * t->depth) / 12,
               cube = t->load * t->edge * t->edge / 6;
  snprintf(text, sizeof text,
           "models:\n"
           "  - {name: t, base: floating, position: [0, 0, %.17g], links: [{name: t, mass: %.17g, inertia: [%.17g, "
           "%.17g, %.17g]}], shapes: [{name: tray, link: t, %s}]}\n"
           "  - {name: l, base: floating, position: [0, 0, %.17g], links: [{name: l, mass: %.17g, inertia: [%.17g, "
           "%.17g, %.17g]}], shapes: [{name: load, link: l, kind: box, size: [%.17g, %.17g, %.17g]}]}\n"
           "environment: [{name: floor, shape: half-space}]\n"
           "contact: {friction: %.17g}\ndt: %.17g\n",
           z, t->mass, 0.6 * flat, 0.6 * flat, flat, shape, t->height + 0.5 * t->edge, t->load, cube, cube, cube,
           t->edge, t->edge, t->edge, t->friction, t->dt);
  return load(text);
}

static tray draw_tray(testing_random *random)
{
  static const char *const kinds[] = {"box", "hull", "cylinder"};
  const double mass = pow(10, testing_uniform(random, -1, 2)), size = 0.1 * pow(10, testing_uniform(random, -0.5, 0.5));
  return (tray){.kind = kinds[testing_below(random, 3)],
                .mass = mass,
                .load = mass * pow(10, testing_uniform(random, -1, 3)),
                .friction = testing_uniform(random, 0.2, 0.9),
                .push = testing_uniform(random, 0.1, 0.95),
                .dt = (is_long() ? 1e-4 : 1e-3) * pow(10, testing_uniform(random, 0, is_long() ? 1.7 : 0.7)),
                .size = size,
                .width = size * testing_uniform(random, 1.5, 3),
                .depth = size * testing_uniform(random, 1.5, 3),
                .height = size * testing_uniform(random, 0.1, 0.4),
                .edge = size * testing_uniform(random, 0.5, 1.2)};
}

// A tray under a load is pushed with less than friction holds. The worst creep in a second, and how far the force of
// the floor is off the weight.
static void a_loaded_tray_does_not_creep(void **state)
{
  (void)state;
  testing_random random = testing_random_start(91);
  double creep = 0, off = 0;
  long failures = 0, rounds = 0, steps = 0;
  for (int k = 0; k < (is_long() ? 200 : 24); k++) {
    const tray t = draw_tray(&random);
    world w = make_tray(&t);
    double start[14];
    memcpy(start, srs_sim_q(w.sim), sizeof start);
    const double weight = (t.mass + t.load) * g;
    push(w.sim, "t/root.vx", t.push * t.friction * weight);
    for (long i = 0, n = lround(1 / t.dt); i < n; i++, steps++) {
      step(w.sim, 1);
      for (int j = 0; j < 14; j++) creep = fmax(creep, fabs(srs_sim_q(w.sim)[j] - start[j]));
      off = fmax(off, fabs(from_below(w.sim) / weight - 1));
    }
    failures += srs_sim_get_statistics(w.sim)->failures;
    rounds += srs_sim_get_statistics(w.sim)->second_rounds;
    unload(&w);
  }
  print_message("creep %.2g m, force off by %.2g of the weight, %ld unsolved, %ld second rounds in %ld steps\n", creep,
                off, failures, rounds, steps);
  assert_true(creep < 1e-9 && off < 1e-9 && failures == 0);
}

static void the_tray_the_wedge_and_the_foot_rest(void **state)
{
  (void)state;
  static const struct {
    const char *name, *coordinate;
    double push, force;
  } cases[] = {{"tray", "t/root.vx", 40, 201.105}, {"wedge", NULL, 0, 206.01}, {"foot", NULL, 0, 598.41}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    world w = load_case(cases[k].name);
    double start[64];
    const int nq = srs_model_nq(w.model);
    memcpy(start, srs_sim_q(w.sim), (size_t)nq * sizeof *start);
    if (cases[k].coordinate != NULL) push(w.sim, cases[k].coordinate, cases[k].push);
    double creep = 0, low = INFINITY, high = 0;
    for (int i = 0; i < 1000; i++) {
      step(w.sim, 1);
      for (int j = 0; j < nq; j++) creep = fmax(creep, fabs(srs_sim_q(w.sim)[j] - start[j]));
      low = fmin(low, from_below(w.sim)), high = fmax(high, from_below(w.sim));
    }
    print_message("%s: creep %.2g, force %.6f ... %.6f N\n", cases[k].name, creep, low, high);
    assert_true(creep < 1e-9 && low > cases[k].force - 0.01 && high < cases[k].force + 0.01);
    assert_int_equal(srs_sim_get_statistics(w.sim)->failures, 0);
    unload(&w);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Overlaps at the start
// ---------------------------------------------------------------------------------------------------------------------

static double largest_force(const srs_sim *sim)
{
  int n;
  const srs_sim_contact *c = srs_sim_contacts(sim, &n);
  double most = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(c[i].force[k]));
  return most;
}

// No energy comes of what overlaps, and no force beyond what the weight explains.
static void overlaps_part_without_energy(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double seconds, force;
  } cases[] = {{"plank", 1, 100},
               {"still_overlap", 1, 1e-6},
               {"self_overlap", 0.1, 200},
               {"anymal", 0.3, INFINITY}}; // it lands, on joints that overlap
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    world w = load_overlapping(cases[k].name);
    const double before = total_energy(w.sim);
    double most = -INFINITY, force = 0;
    for (long i = 0; i < lround(cases[k].seconds / 1e-3); i++) {
      step(w.sim, 1);
      most = fmax(most, total_energy(w.sim) - before), force = fmax(force, largest_force(w.sim));
    }
    const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
    print_message("%s: energy at most %+.3g J, forces to %.3g N, %ld of %ld unsolved, positions moved %ld times\n",
                  cases[k].name, most, force, s->failures, s->solves, s->pushes);
    assert_true(most < 1e-9 * (1 + fabs(before)) && force <= cases[k].force);
    // Near misses are the last digits of forces a thousand times the weight.
    assert_true(s->failures <= s->solves / 100 || (s->failures <= s->solves / 25 && s->residual_max < 1e-9));
    unload(&w);
  }
}

// Robots as their files have them, shapes of neighbouring links inside each other by up to 51 mm, and contacts among
// them that no joint moves: they part, and move no faster than they would fall.
static void robots_of_overlapping_shapes_part(void **state)
{
  (void)state;
  static const char *const names[] = {"robots/anymal.urdf", "robots/more/baxter.urdf"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    char text[512];
    snprintf(text, sizeof text, "models: [{file: %s, self_collision: all}]\n", testing_data(names[k]));
    srs_scene_options options = srs_default_scene_options();
    options.load.allow_missing_meshes = true; // two of baxter's many shapes
    srs_scene *scene = NULL;
    srs_error error;
    if (srs_scene_load(testing_write("robot.yaml", text), &options, &scene, &error) != SRS_OK)
      fail_msg("%s", error.message);
    world w = world_of_scene(scene);
    const double free_fall = 0.5 * srs_model_mass(w.model) * g * g; // J after 1 s
    double most = 0;
    for (int i = 0; i < 60; i++) {
      step(w.sim, 1);
      const double t = srs_sim_time(w.sim);
      most = fmax(most, kinetic_energy(w.sim) / (free_fall * t * t));
    }
    const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
    print_message("%s: at most %.2g of the energy of free fall, %ld of %ld unsolved\n", names[k], most, s->failures,
                  s->solves);
    assert_true(most < 1 && s->failures == 0);
    unload(&w);
  }
}

// With the four pairs that overlap left out it stands on servos, and comes to rest.
static void anymal_stands_on_servos(void **state)
{
  (void)state;
  static const char *const legs[] = {"LF", "RF", "LH", "RH"};
  static char text[8192];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "models: [{file: %s, base: floating, position: [0, 0, 0.55]}]\n"
                                 "environment: [{name: floor, shape: half-space}]\n"
                                 "collision: {exclude: [[base, LF_THIGH], [base, RF_THIGH], [base, LH_THIGH], [base, "
                                 "RH_THIGH]]}\nactuators:\n",
                                 testing_data("robots/anymal.urdf"));
  for (int i = 0; i < 12; i++) {
    static const char *const joints[] = {"HAA", "HFE", "KFE"};
    const double bent[] = {0, i < 6 ? 0.7 : -0.7, i < 6 ? -1.2 : 1.2};
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "  - {coordinate: %s_%s, position: %g, kp: 400, kd: 10}\n",
                         legs[i / 3], joints[i % 3], bent[i % 3]);
  }
  snprintf(text + used, sizeof text - used,
           "initial: {q: {LF_HFE: 0.7, LF_KFE: -1.2, RF_HFE: 0.7, RF_KFE: -1.2, LH_HFE: -0.7, LH_KFE: 1.2, RH_HFE: "
           "-0.7, RH_KFE: 1.2}}\n");
  world w = load(text);
  const double before = total_energy(w.sim);
  double most = -INFINITY;
  for (int i = 0; i < 10000; i++) {
    step(w.sim, 1);
    most = fmax(most, total_energy(w.sim) - before);
  }
  const double weight = g * srs_model_mass(w.model);
  print_message("stands %.3f m high, speed %.2g, force off by %.2g of the weight, energy at most %+.2g J\n",
                srs_sim_q(w.sim)[2], speed_of(w.sim), from_below(w.sim) / weight - 1, most);
  assert_true(srs_sim_q(w.sim)[2] > 0.4 && speed_of(w.sim) < 1e-9 && fabs(from_below(w.sim) / weight - 1) < 1e-9);
  assert_true(most < 1e-6 && srs_sim_get_statistics(w.sim)->failures == 0);
  unload(&w);
}

// A box on a rail that is nearly parallel to the floor it is sunk into: to part it would have to go 500 m.
static void what_cannot_part_stays(void **state)
{
  (void)state;
  world w = load("models: [{links: [{name: f, mass: 1, inertia: [.01, .01, .01]}], joints: [{name: x, kind: prismatic, "
                 "axis: [1, 0, 0], child: f}], shapes: [{name: box, kind: box, size: [.1, .1, .1], link: f}]}]\n"
                 "environment: [{name: floor, shape: half-space, normal: [1.0e-5, 0, 1], offset: -.045}]\n");
  step(w.sim, 100);
  assert_true(fabs(srs_sim_q(w.sim)[0]) < 1e-3 && speed_of(w.sim) < 1e-3);
  unload(&w);
}

// Pairs that overlap, alone and with another pair 100 m away: the same bits.
static void pushes_far_away_are_no_matter(void **state)
{
  (void)state;
  static const char pair[] = "  - {name: a%d, base: floating, position: [%g, 0, .05], links: [{name: l, mass: 1, "
                             "inertia: [1e-4, 1e-4, 1e-4]}], "
                             "shapes: [{link: l, kind: box, size: [.1, .1, .1]}]}\n"
                             "  - {name: b%d, base: floating, position: [%g, .01, .13], rotation: {rpy: [%g, .2, .1]}, "
                             "links: [{name: l, mass: 1, "
                             "inertia: [1e-4, 1e-4, 1e-4]}], shapes: [{link: l, kind: box, size: [.1, .1, .1]}]}\n";
  double q[2][14];
  for (int both = 0; both < 2; both++) {
    char text[4096];
    int used = snprintf(text, sizeof text, "gravity: [0, 0, 0]\nmodels:\n");
    used += snprintf(text + used, sizeof text - (size_t)used, pair, 0, 0.0, 0, 0.02, 0.3);
    if (both) snprintf(text + used, sizeof text - (size_t)used, pair, 1, 100.0, 1, 100.09, 0.5);
    world w = load(text);
    step(w.sim, 50);
    memcpy(q[both], srs_sim_q(w.sim), sizeof q[both]);
    assert_true(srs_sim_get_statistics(w.sim)->pushes > 0);
    unload(&w);
  }
  assert_memory_equal(q[0], q[1], sizeof q[0]);
}

// Two links two joints apart, whose shapes overlap by millimetres; levers from 0.1 mm to 3 cm.
static void drawn_overlaps_part_without_energy(void **state)
{
  (void)state;
  testing_random random = testing_random_start(92);
  double worst = -INFINITY;
  long failures = 0;
  for (int k = 0; k < (is_long() ? 200 : 20); k++) {
    const double lever = pow(10, testing_uniform(&random, -4, -1.5)), overlap = testing_uniform(&random, 0.001, 0.01);
    char text[2048];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, %.17g]\n"
        "models:\n"
        "  - base: floating\n"
        "    links:\n"
        "      - {name: base, mass: %.17g, inertia: [0.1, 0.1, 0.1]}\n"
        "      - {name: hip, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3]}\n"
        "      - {name: thigh, mass: %.17g, com: [0, 0, -0.1], inertia: [5e-3, 5e-3, 1e-3]}\n"
        "    joints:\n"
        "      - {name: a, kind: revolute, parent: base, child: hip, axis: [1, 0, 0], origin: {position: [0, 0.1, "
        "%.17g]}}\n"
        "      - {name: f, kind: revolute, parent: hip, child: thigh, axis: [0, 1, 0], origin: {position: [0, 0.1, "
        "%.17g]}}\n"
        "    shapes:\n"
        "      - {name: trunk, link: base, kind: cylinder, radius: 0.1, length: 0.4, pose: {rotation: {rpy: [0, "
        "1.5707963267948966, 0]}}}\n"
        "      - {name: drive, link: thigh, kind: cylinder, radius: 0.06, length: %.17g, pose: {rotation: {rpy: "
        "[1.5707963267948966, 0, 0]}}}\n"
        "initial: {q: {f: %.17g}, v: {f: %.17g}}\n",
        k % 2 == 0 ? 0 : -g, pow(10, testing_uniform(&random, 0, 1)), pow(10, testing_uniform(&random, -0.5, 0.5)),
        lever, lever, 2 * (0.1 + overlap), testing_uniform(&random, -0.3, 0.3),
        k % 4 < 2 ? 0 : testing_uniform(&random, -1, 1));
    world w = load(text);
    const double before = total_energy(w.sim);
    const double scale = 0.01 + kinetic_energy(w.sim);
    for (int i = 0; i < 100; i++) {
      step(w.sim, 1);
      worst = fmax(worst, (total_energy(w.sim) - before) / scale);
    }
    failures += srs_sim_get_statistics(w.sim)->failures;
    unload(&w);
  }
  print_message("energy gained: at most %.3g of 0.01 J and the motion's own; %ld unsolved\n", worst, failures);
  assert_true(worst < 0.02 && failures == 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Friction and stops
// ---------------------------------------------------------------------------------------------------------------------

static void what_friction_holds_has_no_speed_at_all(void **state)
{
  (void)state;
  static const char *const names[] = {"stop_friction_loop", "stop_friction_cut"};
  for (int k = 0; k < 2; k++) {
    world w = load_case(names[k]);
    step(w.sim, 3000);
    const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
    print_message("%s: speed %g, %ld of %ld unsolved\n", names[k], speed_of(w.sim), s->failures, s->solves);
    assert_true(speed_of(w.sim) == 0 && s->failures == 0);
    unload(&w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loaded_tray_does_not_creep),
      cmocka_unit_test(the_tray_the_wedge_and_the_foot_rest),
      cmocka_unit_test(overlaps_part_without_energy),
      cmocka_unit_test(robots_of_overlapping_shapes_part),
      cmocka_unit_test(anymal_stands_on_servos),
      cmocka_unit_test(what_cannot_part_stays),
      cmocka_unit_test(pushes_far_away_are_no_matter),
      cmocka_unit_test(drawn_overlaps_part_without_energy),
      cmocka_unit_test(what_friction_holds_has_no_speed_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
