// What floats keeps its momentum: of the whole, and angular about the mass centre, under any inner forces; forces from
// outside change it by their impulses. All integrators but rk4, which has order 4 and sets nothing.
// Under the sanitizers a fifth of the time and of the drawn trees (testing_draws).

#include "support/sims.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER,
                                             SRS_IMPLICIT_MOREAU, SRS_GEOMETRICALLY_IMPLICIT};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

typedef struct momenta {
  double linear[3], angular[3], centre[3]; // angular about the mass centre
  double mass;
} momenta;

static void cross(const double a[3], const double b[3], double out[3])
{
  for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static momenta momenta_at(srs_workspace *w, const double *q, const double *v)
{
  momenta out;
  double all[6], swing[3];
  srs_center_of_mass com;
  assert_int_equal(srs_momentum(w, q, v, all), SRS_OK);
  assert_int_equal(srs_com(w, q, v, &com), SRS_OK);
  memcpy(out.linear, all + 3, sizeof out.linear);
  memcpy(out.centre, com.position, sizeof out.centre);
  cross(com.position, all + 3, swing);
  for (int i = 0; i < 3; i++) out.angular[i] = all[i] - swing[i];
  out.mass = com.mass;
  return out;
}

static momenta momenta_of(srs_sim *sim) { return momenta_at(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim)); }

static double distance(const double *a, const double *b)
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static double length(const double *a)
{
  const double zero[3] = {0, 0, 0};
  return distance(a, zero);
}

// The worst of a run, relative to the scale of what moves: sqrt(2 T m), and that times a length.
typedef struct worst_drift {
  double linear, angular;
} worst_drift;

static void compare(worst_drift *worst, const momenta *now, const momenta *expected, double scale, double arm)
{
  worst->linear = fmax(worst->linear, distance(now->linear, expected->linear) / scale);
  worst->angular = fmax(worst->angular, distance(now->angular, expected->angular) / (scale * arm));
}

// ---------------------------------------------------------------------------------------------------------------------
// The three scenes
// ---------------------------------------------------------------------------------------------------------------------

static const char pair[] =
    "gravity: [0, 0, 0]\n"
    "models:\n"
    "  - name: m\n"
    "    base: floating\n"
    "    links: [{name: a, mass: 1, inertia: [0.02, 0.02, 0.02]}, {name: b, mass: 1, com: [0.2, 0.05, 0], inertia: "
    "[0.02, 0.02, 0.02]}]\n"
    "    joints: [{name: j, kind: spherical, parent: a, child: b, origin: {position: [0.2, 0, 0]}}]\n"
    "initial: {v: {root: [0.5, 0, 0, 1, 2, 3], j: [3, -2, 4]}}\n";

static const char leg[] =
    "gravity: [0, 0, 0]\n"
    "models:\n"
    "  - name: m\n"
    "    base: floating\n"
    "    links: [{name: a, mass: 10, inertia: [0.1, 0.3, 0.35]}, {name: b, mass: 1, com: [0,0,-0.2], inertia: [0.02, "
    "0.02, 0.001]}]\n"
    "    joints: [{name: j, kind: revolute, axis: [0,1,0], parent: a, child: b, origin: {position: [0.2, 0, 0]}}]\n"
    "initial: {v: {root: [0.1, 0.2, 0, 0.3, 0.2, 0.1], j: [1]}}\n";

// Five links in a chain, the last on the first.
static const char loop[] =
    "models:\n"
    "  - name: m\n"
    "    base: floating\n"
    "    links:\n"
    "      - {name: l0, mass: 1.0, com: [0.1, 0.02, 0.03], inertia: [0.01, 0.02, 0.025, 0.001, 0, 0.002]}\n"
    "      - {name: l1, mass: 1.3, com: [0.1, 0.02, 0.03], inertia: [0.01, 0.02, 0.025, 0.001, 0, 0.002]}\n"
    "      - {name: l2, mass: 1.6, com: [0.1, 0.02, 0.03], inertia: [0.01, 0.02, 0.025, 0.001, 0, 0.002]}\n"
    "      - {name: l3, mass: 1.9, com: [0.1, 0.02, 0.03], inertia: [0.01, 0.02, 0.025, 0.001, 0, 0.002]}\n"
    "      - {name: l4, mass: 2.2, com: [0.1, 0.02, 0.03], inertia: [0.01, 0.02, 0.025, 0.001, 0, 0.002]}\n"
    "    joints:\n"
    "      - {name: b1, kind: spherical, parent: l0, child: l1, origin: {position: [0.2, 0, 0.01]}}\n"
    "      - {name: b2, kind: spherical, parent: l1, child: l2, origin: {position: [0.2, 0, 0.01]}}\n"
    "      - {name: b3, kind: spherical, parent: l2, child: l3, origin: {position: [0.2, 0, 0.01]}}\n"
    "      - {name: b4, kind: spherical, parent: l3, child: l4, origin: {position: [0.2, 0, 0.01]}}\n"
    "    closures: [{name: c, kind: point, frame_a: l0, frame_b: l4, pose_b: {position: [0.2, 0, 0]}}]\n"
    "initial:\n"
    "  q:\n"
    "    b1: [0.7071067811865476, 0, 0, 0.7071067811865476]\n"
    "    b2: [0.7071067811865476, 0, 0, 0.7071067811865476]\n"
    "    b3: [0.7071067811865476, 0, 0, 0.7071067811865476]\n";

// Runs 10 s at 1 ms, 2 s under the sanitizers, with torques of +-`torque` on the joints, which turn their sign every so
// many steps; gravity changes p by its impulse and L not at all.
static void keeps(const char *name, const char *text, double torque, int every)
{
  srs_scene *scene = scene_of_text(text);
  const int nv = srs_model_nv(srs_scene_model(scene));
  for (int k = 0; k < INTEGRATORS; k++) {
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.integrator = integrators[k];
    options.keep_momentum = true;
    options.dt = 1e-3;
    srs_sim *sim = sim_of_scene(scene, &options);
    const momenta start = momenta_of(sim);
    const double e0 = total_energy(sim);
    double tau[MOST] = {0}, energy = 0;
    worst_drift worst = {0};
    double scale = fmax(length(start.linear), 1), arm = 0.2;
    for (int s = 1; s <= testing_draws(10000); s++) {
      for (int i = 6; i < nv; i++) tau[i] = (s / every) % 2 == 0 ? torque : -torque;
      if (torque > 0) assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
      step(sim, 1);
      if (s % 100 != 0) continue;
      momenta expected = start;
      const double t = srs_sim_time(sim);
      for (int i = 0; i < 3; i++) expected.linear[i] += t * start.mass * options.gravity[i];
      const momenta now = momenta_of(sim);
      compare(&worst, &now, &expected, fmax(scale, length(expected.linear)), arm);
      energy = fmax(energy, fabs(total_energy(sim) - e0));
    }
    print_message("%s, %g N m, %-22s: linear %.1e, angular %.1e; energy off by %.3g of %.3g J\n", name, torque,
                  srs_integrator_name(integrators[k]), worst.linear, worst.angular, energy, e0);
    assert_true(worst.linear < 1e-10);
    assert_true(worst.angular < 1e-8);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

static void the_pair_keeps_momentum(void **state)
{
  (void)state;
  keeps("pair", pair, 0, 1);
  keeps("pair", pair, 0.3, 500);
}

static void the_leg_keeps_momentum(void **state)
{
  (void)state;
  keeps("leg", leg, 0, 1);
  keeps("leg", leg, 0.3, 500);
}

static void the_loop_keeps_momentum(void **state)
{
  (void)state;
  keeps("loop", loop, 0, 1);
  keeps("loop", loop, 0.3, 50);
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawn trees
// ---------------------------------------------------------------------------------------------------------------------

// A scene of one tree: a trunk and limbs on joints with springs, dampers, limits and dry friction; balls on the trunk
// and on a limb of a limb, a hundredth apart.
static void draw_scene(testing_random *random, char *text, size_t size)
{
  const int n = 3 + testing_below(random, 4);
  const double length = pow(10, testing_uniform(random, -1, 0.5));
  double masses[8], sizes[8], x[8] = {0}, z[8] = {0}; // of origins in the zero pose
  size_t used = (size_t)snprintf(text, size, "models:\n  - name: m\n    base: floating\n    links:\n");
  for (int k = 0; k < n; k++) {
    masses[k] = pow(10, testing_uniform(random, -1, 2)), sizes[k] = length * testing_uniform(random, 0.5, 1);
    const double I = masses[k] * sizes[k] * sizes[k] / 12;
    used += (size_t)snprintf(text + used, size - used,
                             "      - {name: l%d, mass: %.6g, com: [%.4g, %.4g, %.4g], inertia: [%.6g, %.6g, %.6g]", k,
                             masses[k], sizes[k] * testing_uniform(random, -0.5, 0.5),
                             sizes[k] * testing_uniform(random, -0.5, 0.5),
                             sizes[k] * testing_uniform(random, -0.5, 0.5), I, 1.2 * I, 0.6 * I);
    used += (size_t)snprintf(text + used, size - used, "}\n");
  }
  used += (size_t)snprintf(text + used, size - used, "    joints:\n");
  for (int k = 1; k < n; k++) {
    static const char *const kinds[4] = {"revolute, axis: [0, 1, 0]", "revolute, axis: [1, 0, 0]", "spherical",
                                         "prismatic, axis: [0, 0.6, 0.8]"};
    const int kind = testing_below(random, 4);
    const int parent = k < n - 1 ? testing_below(random, k) : 1 + testing_below(random, k - 1);
    const double side = length * testing_uniform(random, -1, 1);
    x[k] = x[parent] + side, z[k] = z[parent] + length;
    used += (size_t)snprintf(text + used, size - used,
                             "      - {name: j%d, kind: %s, parent: l%d, child: l%d, origin: {position: [%.4g, %.4g, "
                             "0]}",
                             k, kinds[kind], parent, k, side, length);
    const double stiffness = masses[k] * sizes[k] * sizes[k] * testing_uniform(random, 0, 30);
    if (kind != 2)
      used += (size_t)snprintf(text + used, size - used,
                               ", lower: -0.4, upper: 0.3, friction: %.4g, stiffness: %.4g, damping: %.4g",
                               0.02 * stiffness, stiffness, 0.02 * stiffness);
    used += (size_t)snprintf(text + used, size - used, "}\n");
  }
  const double radius = 0.495 * hypot(x[n - 1], z[n - 1]);
  used += (size_t)snprintf(text + used, size - used,
                           "    shapes:\n      - {kind: sphere, link: l0, radius: %.4g}\n"
                           "      - {kind: sphere, link: l%d, radius: %.4g}\n",
                           radius, n - 1, radius);
  const double dt = pow(10, testing_uniform(random, -4, -2.3));
  snprintf(text + used, size - used, "dt: %.4g\ngravity: [0.3, 0, -9.81]\n", dt);
}

// What a drawn tree is driven with: a start, a wrench at a frame, and torques that change in every step.
typedef struct drawn_drive {
  double v[MOST], wrench[6];
  int frame;
  double torque; // at most, N m: that of the lightest link, so that it does not whirl
} drawn_drive;

typedef struct drawn_count {
  long runs, lost, rows, contacts;
} drawn_count;

static drawn_drive draw_drive(testing_random *random, const srs_model *model)
{
  drawn_drive drive = {.frame = testing_below(random, srs_model_n_links(model)), .torque = INFINITY};
  testing_random_v(random, model, 1, drive.v);
  for (int i = 0; i < 6; i++) drive.wrench[i] = testing_uniform(random, -1, 1);
  for (int l = 0; l < srs_model_n_links(model); l++)
    drive.torque = fmin(drive.torque, 5 * srs_model_link(model, l)->inertia[2]);
  return drive;
}

// Adds what a step's gravity and the wrench change.
static void expect(momenta *expected, srs_sim *sim, int frame, const double wrench[6])
{
  const srs_sim_options *options = srs_sim_get_options(sim);
  srs_workspace *w = srs_sim_workspace(sim);
  srs_pose pose;
  assert_int_equal(srs_forward_kinematics(w, srs_sim_q(sim)), SRS_OK);
  assert_int_equal(srs_frame_placement(w, frame, &pose), SRS_OK);
  const momenta now = momenta_of(sim);
  double lever[3], torque[3];
  for (int i = 0; i < 3; i++) lever[i] = pose.position[i] - now.centre[i];
  cross(lever, wrench + 3, torque);
  for (int i = 0; i < 3; i++) {
    expected->linear[i] += options->dt * (expected->mass * options->gravity[i] + wrench[3 + i]);
    expected->angular[i] += options->dt * (torque[i] + wrench[i]);
  }
}

// 400 steps. A run is lost where an implicit step does not converge, or where an explicit scheme runs away, as it does
// with and without keep_momentum on a tree too stiff for its dt. 1e6 kg m/s is eighty times what gravity gives the
// heaviest tree.
static void run_drawn(testing_random *random, srs_sim *sim, const drawn_drive *drive, worst_drift *worst,
                      drawn_count *count)
{
  const int nv = srs_model_nv(srs_sim_model(sim));
  const srs_integrator integrator = srs_sim_get_options(sim)->integrator;
  double wrench[6];
  memcpy(wrench, drive->wrench, sizeof wrench);
  // Where matrices are those of the step's start the lever is known; elsewhere the wrench is a torque.
  const bool at_start = integrator == SRS_SEMI_IMPLICIT_EULER || integrator == SRS_GEOMETRICALLY_IMPLICIT;
  if (!at_start) memset(wrench + 3, 0, 3 * sizeof *wrench);
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, drive->v, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_wrench(sim, drive->frame, SRS_AXES_WORLD, wrench, NULL), SRS_OK);
  momenta expected = momenta_of(sim);
  double scale = sqrt(2 * kinetic_energy(sim) * expected.mass);
  for (int s = 0; s < 400; s++) {
    double tau[MOST] = {0};
    for (int i = 6; i < nv; i++) tau[i] = drive->torque * testing_uniform(random, -1, 1);
    assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
    expect(&expected, sim, drive->frame, wrench);
    const bool stepped = srs_sim_step(sim, 1, NULL) == SRS_OK;
    if (stepped) scale = fmax(scale, sqrt(2 * kinetic_energy(sim) * expected.mass));
    if (!stepped || !(scale < 1e6)) {
      count->lost++;
      return;
    }
    const momenta now = momenta_of(sim);
    compare(worst, &now, &expected, scale, 1);
    int n;
    srs_sim_rows(sim, &n);
    count->rows += n;
    srs_sim_contacts(sim, &n);
    count->contacts += n;
  }
  count->runs++;
}

static void drawn_trees_keep_momentum(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1601);
  worst_drift all[INTEGRATORS] = {0};
  drawn_count count = {0};
  for (int drawn = 0; drawn < testing_draws(40); drawn++) {
    char text[8192];
    draw_scene(&random, text, sizeof text);
    srs_scene *scene = scene_of_text(text);
    const drawn_drive drive = draw_drive(&random, srs_scene_model(scene));
    for (int k = 0; k < INTEGRATORS; k++) {
      srs_sim_options options = srs_scene_get_settings(scene)->sim;
      options.integrator = integrators[k];
      options.keep_momentum = true;
      srs_sim *sim = NULL;
      if (srs_scene_create_sim(scene, &options, &sim, NULL) != SRS_OK) continue; // the scheme does not take the rows
      run_drawn(&random, sim, &drive, &all[k], &count);
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
  for (int k = 0; k < INTEGRATORS; k++)
    print_message("%-22s: linear %.1e, angular %.1e\n", srs_integrator_name(integrators[k]), all[k].linear,
                  all[k].angular);
  print_message("%ld runs, %ld lost, %ld rows, %ld contacts\n", count.runs, count.lost, count.rows, count.contacts);
  assert_true(count.runs > testing_draws(100) && 20 * count.lost <= count.runs);
  assert_true(count.rows > testing_draws(100) && count.contacts > testing_draws(50));
  for (int k = 0; k < INTEGRATORS; k++) assert_true(all[k].linear < 1e-10 && all[k].angular < 1e-10);
}

// ---------------------------------------------------------------------------------------------------------------------
// Several trees, wheels, and where it is left out
// ---------------------------------------------------------------------------------------------------------------------

static void two_trees_that_a_loop_ties_or_that_meet_keep_the_momentum_of_both(void **state)
{
  (void)state;
  static const char *const ends[2] = {
      ", closures: [{name: c, kind: point, frame_a: a, frame_b: b, pose_a: {position: [0.5, 0, 0]}, pose_b: "
      "{position: [-0.5, 0, 0]}}]",
      ""};
  for (int meets = 0; meets < 2; meets++) {
    char text[2048];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nmodels:\n"
             "  - {name: m, base: fixed, links: [{name: a, mass: 1, inertia: [0.02, 0.03, 0.04]}, {name: b, mass: 3, "
             "inertia: [0.2, 0.1, 0.15]}], %sjoints: [{name: ja, kind: free, child: a}, {name: jb, kind: free, child: "
             "b}]%s}\n"
             "initial: {q: {jb.x: 1}}\n",
             meets ? "shapes: [{kind: sphere, link: a, radius: 0.4}, {kind: sphere, link: b, radius: 0.4}], " : "",
             ends[meets]);
    srs_scene *scene = scene_of_text(text);
    for (int k = 0; k < INTEGRATORS; k++) {
      srs_sim_options options = srs_scene_get_settings(scene)->sim;
      options.integrator = integrators[k];
      options.keep_momentum = true;
      srs_sim *sim = sim_of_scene(scene, &options);
      const double v[12] = {meets, 0, 0, 0.3, 2, 1, 0, 0, 0, -1, 2 * (1 - meets), 1};
      assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
      step(sim, meets ? 1 : 200); // the loop's speeds fit after the first steps
      const momenta start = momenta_of(sim);
      worst_drift worst = {0};
      for (int s = 0; s < 2000; s++) {
        step(sim, 1);
        const momenta now = momenta_of(sim);
        compare(&worst, &now, &start, 1, 1);
      }
      print_message("%s, %-22s: linear %.1e, angular %.1e\n", meets ? "meeting" : "tied",
                    srs_integrator_name(integrators[k]), worst.linear, worst.angular);
      assert_true(worst.linear < 1e-10);
      if (!meets || integrators[k] != SRS_GEOMETRICALLY_IMPLICIT) assert_true(worst.angular < 1e-8);
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
}

static void a_satellite_keeps_its_nutation(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text("gravity: [0, 0, 0]\n"
                                   "models:\n"
                                   "  - base: floating\n"
                                   "    links:\n"
                                   "      - {name: body, mass: 10, inertia: [0.2, 0.2, 0.25]}\n"
                                   "      - {name: wheel, mass: 1, inertia: [0.003, 0.003, 0.005]}\n"
                                   "    joints: [{name: s, kind: continuous, parent: body, child: wheel, axis: [0, 0, "
                                   "1]}]\n"
                                   "initial: {v: {root.wx: 0.1, s: 600}}\n");
  for (int k = 0; k < INTEGRATORS; k++) {
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.integrator = integrators[k];
    options.keep_momentum = true;
    srs_sim *sim = sim_of_scene(scene, &options);
    step(sim, 60000);
    const double *v = srs_sim_v(sim), w = hypot(v[3], v[4]);
    print_message("%-22s: nutation %.5f rad/s after 60 s, energy %.6f J\n", srs_integrator_name(integrators[k]), w,
                  kinetic_energy(sim));
    assert_true(fabs(w - 0.1) < 1e-3);
    assert_true(fabs(kinetic_energy(sim) - 900.001015) < 1e-3);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

// A body that tumbles about its middle axis at 0.1 rad a step.
static void the_implicit_midpoint_step_keeps_energy_too(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text("gravity: [0, 0, 0]\n"
                                   "models:\n"
                                   "  - base: floating\n"
                                   "    links: [{name: b, mass: 1, inertia: [0.01, 0.02, 0.025]}]\n"
                                   "initial: {v: {root: [0, 0, 0, 0.01, 100, 0.01]}}\n"
                                   "integrator: implicit-moreau\n"
                                   "keep_momentum: true\n");
  srs_sim *sim = sim_of_scene(scene, NULL);
  const momenta start = momenta_of(sim);
  const double energy = kinetic_energy(sim);
  step(sim, 10000);
  const momenta end = momenta_of(sim);
  print_message("energy %.3g of %.3g J more, L off by %.2g\n", kinetic_energy(sim) - energy, energy,
                distance(end.angular, start.angular));
  assert_true(fabs(kinetic_energy(sim) / energy - 1) < 1e-8);
  assert_true(distance(end.angular, start.angular) < 1e-8 * length(start.angular));
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void replay_and_snapshots_are_equal_bit_by_bit(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(pair);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.keep_momentum = true;
  srs_sim *sim = sim_of_scene(scene, &options), *other = sim_of_scene(scene, &options);
  const int nq = srs_model_nq(srs_scene_model(scene)), nv = srs_model_nv(srs_scene_model(scene));
  step(sim, 500);
  static double bytes[4096];
  assert_true(srs_sim_snapshot_size(sim) <= sizeof bytes);
  srs_sim_snapshot_save(sim, bytes);
  step(sim, 500);
  step(other, 3); // what is kept of other states must not show
  assert_int_equal(srs_sim_snapshot_restore(other, bytes, srs_sim_snapshot_size(sim), NULL), SRS_OK);
  step(other, 500);
  assert_memory_equal(srs_sim_q(sim), srs_sim_q(other), (size_t)nq * sizeof(double));
  assert_memory_equal(srs_sim_v(sim), srs_sim_v(other), (size_t)nv * sizeof(double));
  srs_sim_destroy(sim);
  srs_sim_destroy(other);
  srs_scene_destroy(scene);
}

// What the state keeps of the momentum would be wrong after another scheme's steps: snapshots do not cross over.
static void a_snapshot_stays_with_its_scheme(void **state)
{
  (void)state;
  srs_scene *scene = scene_of_text(pair);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  srs_sim *sim = sim_of_scene(scene, &options);
  options.integrator = SRS_RK4;
  srs_sim *other = sim_of_scene(scene, &options);
  static double bytes[4096];
  srs_error error;
  assert_true(srs_sim_snapshot_size(sim) <= sizeof bytes);
  step(sim, 10);
  srs_sim_snapshot_save(sim, bytes);
  assert_int_equal(srs_sim_snapshot_restore(other, bytes, srs_sim_snapshot_size(sim), &error), SRS_ERROR_ARGUMENT);
  assert_string_equal(error.subject, "integrator");
  assert_non_null(strstr(error.message, "integrator = semi-implicit-euler, here it is rk4"));
  srs_sim_destroy(sim);
  srs_sim_destroy(other);
  srs_scene_destroy(scene);
}

static bool touches_nothing(const srs_sim *sim)
{
  int contacts, rows;
  srs_sim_contacts(sim, &contacts);
  srs_sim_rows(sim, &rows);
  return contacts == 0 && rows == 0;
}

// Chains thrown onto a floor, which they strike and leave: in each step of flight p changes by gravity's impulse, and L
// not at all.
static void thrown_chains_keep_their_momentum_between_bounces(void **state)
{
  (void)state;
  testing_random random = testing_random_start(907);
  long flights = 0, strikes = 0, begun = 0;
  for (int drawn = 0; drawn < 6; drawn++) {
    srs_scene *scene = scene_of_text(
        "models:\n"
        "  - name: m\n"
        "    base: floating\n"
        "    position: [0, 0, 0.5]\n"
        "    links: [{name: a, mass: 1, com: [0.1, 0, 0], inertia: [0.002, 0.02, 0.02]}, {name: b, mass: 0.7, com: "
        "[0.1, 0, 0], inertia: [0.001, 0.012, 0.012]}, {name: c, mass: 0.5, com: [0.05, 0, 0], inertia: [0.001, 0.004, "
        "0.004]}]\n"
        "    joints: [{name: j, kind: spherical, parent: a, child: b, origin: {position: [0.25, 0, 0]}}, {name: k, "
        "kind: "
        "revolute, axis: [0, 1, 0], parent: b, child: c, origin: {position: [0.25, 0, 0]}}]\n"
        "    shapes: [{kind: sphere, link: a, radius: 0.05}, {kind: sphere, link: b, radius: 0.05}, {kind: sphere, "
        "link: "
        "c, radius: 0.05}]\n"
        "environment: [{name: floor, shape: half-space}]\n"
        "contact: {friction: 0.3, restitution: 0.8}\n");
    const srs_model *model = srs_scene_model(scene);
    double v[MOST];
    testing_random_v(&random, model, 2, v);
    v[2] = 2;
    for (int k = 0; k < INTEGRATORS; k++) {
      srs_sim_options options = srs_scene_get_settings(scene)->sim;
      options.integrator = integrators[k];
      if (integrators[k] == SRS_GEOMETRICALLY_IMPLICIT) options.contact.restitution = 0;
      srs_sim *sim = sim_of_scene(scene, &options);
      assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
      worst_drift worst = {0};
      bool flew = true;
      for (int s = 0; s < 1500; s++) {
        momenta expected = momenta_of(sim);
        if (srs_sim_step(sim, 1, NULL) != SRS_OK) break; // an implicit step that does not converge
        const bool flies = touches_nothing(sim);
        flights += flies, strikes += !flies, begun += flies && !flew;
        flew = flies;
        if (!flies) continue;
        for (int i = 0; i < 3; i++) expected.linear[i] += options.dt * expected.mass * options.gravity[i];
        const momenta now = momenta_of(sim);
        compare(&worst, &now, &expected, sqrt(2 * kinetic_energy(sim) * expected.mass), 0.2);
      }
      assert_true(worst.linear < 1e-12 && worst.angular < 1e-12);
      srs_sim_destroy(sim);
    }
    srs_scene_destroy(scene);
  }
  print_message("%ld steps of flight, %ld in contact, %ld flights begun\n", flights, strikes, begun);
  assert_true(flights > 5000 && strikes > 1000 && begun > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pair_keeps_momentum),
      cmocka_unit_test(the_leg_keeps_momentum),
      cmocka_unit_test(the_loop_keeps_momentum),
      cmocka_unit_test(drawn_trees_keep_momentum),
      cmocka_unit_test(two_trees_that_a_loop_ties_or_that_meet_keep_the_momentum_of_both),
      cmocka_unit_test(a_satellite_keeps_its_nutation),
      cmocka_unit_test(the_implicit_midpoint_step_keeps_energy_too),
      cmocka_unit_test(replay_and_snapshots_are_equal_bit_by_bit),
      cmocka_unit_test(a_snapshot_stays_with_its_scheme),
      cmocka_unit_test(thrown_chains_keep_their_momentum_between_bounces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
