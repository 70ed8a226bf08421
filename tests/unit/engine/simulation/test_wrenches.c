// What joints and loops carry: F51 and F06 at rest, and in motion against Newton's and Euler's laws, with contacts,
// loops, limits, friction and motors.

#include "support/embedded.h"
#include "support/linkages.h"
#include "support/mechanisms.h"
#include "support/sims.h"

#include <stdlib.h>
#include <string.h>

static srs_sim *start(const srs_model *model, srs_integrator integrator)
{
  srs_sim_options options = srs_default_sim_options();
  options.integrator = integrator;
  return sim_of_model(model, &options);
}

static void wrench_of(srs_sim *sim, const char *link, srs_axes axes, double wrench[6])
{
  const int frame = srs_model_find_frame(srs_sim_model(sim), link);
  assert_int_equal(srs_sim_joint_wrench(sim, frame, axes, wrench), SRS_OK);
}

// F51: two stacked links of 1 kg hang from a fixed joint; the lower one on a fixed joint or on a joint.
static void F51_a_fixed_joint_carries_the_weight_of_what_hangs_on_it(void **state)
{
  (void)state;
  for (int way = 0; way < 4; way++) {
    srs_builder *builder = srs_builder_create();
    for (int i = 0; i < 2; i++) {
      srs_link_def link = srs_default_link_def();
      link.name = i == 0 ? "upper" : "lower";
      link.mass = 1;
      link.com[2] = -0.5;
      link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.1;
      srs_joint_def joint = srs_default_joint_def(i == 0 || (way & 1) == 0 ? SRS_JOINT_FIXED : SRS_JOINT_REVOLUTE);
      joint.name = i == 0 ? "top" : "middle";
      joint.parent = i == 0 ? NULL : "upper";
      joint.child = link.name;
      joint.origin.position[0] = i == 0 ? 0.3 : 0.1, joint.origin.position[2] = i == 0 ? 2 : -1;
      assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
      assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
    }
    srs_model *model = NULL;
    srs_build_options options = srs_default_build_options();
    options.keep_fixed_joints = (way & 2) != 0;
    assert_int_equal(srs_builder_build(builder, &options, &model, NULL), SRS_OK);
    srs_sim *sim = start(model, SRS_SEMI_IMPLICIT_EULER);
    for (int after = 0; after < 2; after++) { // of the state, and of a step
      const double upper[6] = {0, -0.1 * 9.81, 0, 0, 0, 19.62}, lower[6] = {0, 0, 0, 0, 0, 9.81};
      double wrench[6];
      wrench_of(sim, "upper", SRS_AXES_WORLD, wrench);
      testing_assert_close("top", wrench, upper, 6, 1e-14);
      wrench_of(sim, "lower", SRS_AXES_WORLD, wrench);
      testing_assert_close("middle", wrench, lower, 6, 1e-14);
      step(sim, 1);
    }
    srs_sim_destroy(sim);
    srs_model_destroy(model);
    srs_builder_destroy(builder);
  }
}

// F06: 2 kg behind a lumped joint that is turned by a right angle about x; the joint's axis is vertical, so it rests.
static void F06_a_lumped_joint_carries_the_weight_behind_it(void **state)
{
  (void)state;
  static const char robot[] =
      "<robot name=\"lump\"><link name=\"w\"/><link name=\"arm\"><inertial><mass value=\"1\"/><inertia ixx=\"0.12\" "
      "iyy=\"0.2\" izz=\"0.3\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><link name=\"bracket\"><inertial>"
      "<mass value=\"2\"/><inertia ixx=\"0.03\" iyy=\"0.02\" izz=\"0.04\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>"
      "</link><link name=\"probe\"/><joint name=\"h\" type=\"continuous\"><parent link=\"w\"/><child link=\"arm\"/>"
      "<axis xyz=\"0 0 1\"/></joint><joint name=\"f1\" type=\"fixed\"><parent link=\"arm\"/><child link=\"bracket\"/>"
      "<origin xyz=\"0.5 0 0\" rpy=\"1.5707963267948966 0 0\"/></joint><joint name=\"f2\" type=\"fixed\">"
      "<parent link=\"bracket\"/><child link=\"probe\"/><origin xyz=\"0 0 0.1\"/></joint></robot>";
  srs_model *model = NULL;
  assert_int_equal(srs_model_load(testing_write("lump.urdf", robot), NULL, &model, NULL), SRS_OK);
  srs_sim *sim = start(model, SRS_SEMI_IMPLICIT_EULER);
  step(sim, 1);
  double wrench[6];
  const double weight[6] = {0, 0, 0, 0, 0, 19.62}, own[6] = {0, 0, 0, 0, 19.62, 0};
  wrench_of(sim, "bracket", SRS_AXES_WORLD, wrench);
  testing_assert_close("f1", wrench, weight, 6, 1e-14);
  wrench_of(sim, "bracket", SRS_AXES_LOCAL, wrench);
  testing_assert_close("f1 in the bracket's axes", wrench, own, 6, 1e-14);
  // A force on the probe goes through f2 and f1 to the arm, with its torque.
  const double pull[6] = {0, 0, 0, 3, 0, 0};
  assert_int_equal(srs_sim_set_wrench(sim, srs_model_find_frame(model, "probe"), SRS_AXES_WORLD, pull, NULL), SRS_OK);
  step(sim, 1);
  const double held[6] = {0, 0, 0, -3, 0, 0}; // the massless probe keeps its balance
  wrench_of(sim, "probe", SRS_AXES_WORLD, wrench);
  testing_assert_close("f2", wrench, held, 6, 1e-14);
  assert_int_equal(srs_sim_joint_wrench(sim, 99, SRS_AXES_WORLD, wrench), SRS_ERROR_ARGUMENT);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// In motion
// ---------------------------------------------------------------------------------------------------------------------

// Centre of mass of a link at (q, v), and what changes of its velocity while v stays.
static void centre(srs_workspace *w, int frame, const srs_link *link, const double *q, const double *v, double speed[3],
                   double drift[3])
{
  double zero[32] = {0}, velocity[6], a[6], swing[3];
  srs_pose pose;
  assert_int_equal(srs_forward_acceleration(w, q, v, zero), SRS_OK);
  srs_frame_placement(w, frame, &pose);
  srs_frame_velocity(w, frame, SRS_AXES_WORLD, velocity);
  srs_frame_acceleration(w, frame, SRS_AXES_WORLD, a);
  double c[3];
  for (int i = 0; i < 3; i++) {
    c[i] = 0;
    for (int j = 0; j < 3; j++) c[i] += pose.rotation[3 * i + j] * link->com[j];
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    swing[i] = velocity[j] * c[k] - velocity[k] * c[j];
    speed[i] = velocity[3 + i] + swing[i];
    drift[i] = a[3 + i] + a[j] * c[k] - a[k] * c[j];
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    drift[i] += velocity[j] * swing[k] - velocity[k] * swing[j];
  }
}

// Forces on each link but the joints' own: weight, contacts, loops.
static void other_forces(srs_sim *sim, int frame, double force[3])
{
  const srs_model *model = srs_sim_model(sim);
  const int link = srs_model_frame(model, frame)->link;
  force[0] = force[1] = 0;
  force[2] = -9.81 * srs_model_link(model, link)->mass;
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++) {
      if (contacts[i].contact.link_a == link) force[j] += contacts[i].force[j];
      if (contacts[i].contact.link_b == link) force[j] -= contacts[i].force[j];
    }
  for (int i = 0; i < srs_model_n_closures(model); i++) {
    double wrench[6];
    int on;
    assert_int_equal(srs_sim_loop_wrench(sim, i, &on, wrench), SRS_OK);
    for (int end = 0; end < 2; end++)
      for (int j = 0; j < 3; j++)
        if (srs_model_closure(model, i)->link[end] == link) force[j] += link == on ? wrench[3 + j] : -wrench[3 + j];
  }
}

// The largest |sum of forces - m a| of a link in the last step, from q, v at its matrices to v_next, its velocity terms
// at v.
static double largest_residue(srs_sim *sim, const double *q, const double *v, const double *v_next)
{
  const srs_model *model = srs_sim_model(sim);
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  double worst = 0;
  for (int k = 0; k < srs_model_n_links(model); k++) {
    const srs_link *link = srs_model_link(model, k);
    const int frame = srs_model_find_frame(model, link->name);
    double before[3], after[3], drift[3], ignored[3], force[3], wrench[6];
    centre(w, frame, link, q, v, before, drift);
    centre(w, frame, link, q, v_next, after, ignored);
    other_forces(sim, frame, force);
    for (int child = k; child < srs_model_n_links(model); child++) {
      if (child != k && srs_model_link(model, child)->parent != k) continue;
      wrench_of(sim, srs_model_link(model, child)->name, SRS_AXES_WORLD, wrench);
      for (int i = 0; i < 3; i++) force[i] += child == k ? wrench[3 + i] : -wrench[3 + i];
    }
    const double h = srs_sim_get_options(sim)->dt;
    for (int i = 0; i < 3; i++)
      worst = fmax(worst, fabs(force[i] - link->mass * ((after[i] - before[i]) / h + drift[i])));
  }
  srs_workspace_destroy(w);
  return worst;
}

// The four-bar on its box, dropped, pushed by its motor and against its stop: impacts, friction, a loop. Wrenches
// balance the acceleration by forces and impulses, so the sums are taken where keep_momentum changes no velocity.
static void forces_sum_to_mass_times_acceleration_through_impacts(void **state)
{
  (void)state;
  for (int variant = 0; variant < 4; variant++) {
    const int integrator = variant % 2;
    char text[4096];
    snprintf(text, sizeof text, mechanisms_four_bar_on_a_box,
             integrator == 0 ? "contact: {friction: 0.6, restitution: 0.5}\nintegrator: semi-implicit-euler\n"
                               "velocity_terms: start"
                             : "contact: {friction: 0.6, restitution: 0.5}\nintegrator: moreau-midpoint");
    srs_scene *scene = scene_of_text(text);
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.keep_momentum = variant >= 2;
    srs_sim *sim = sim_of_scene(scene, &options);
    const srs_model *model = srs_sim_model(sim);
    const int nv = srs_model_nv(model);
    double tau[16] = {0}, q[20], v[16], wrench[6], worst = 0, root = 0, largest = 0;
    tau[srs_model_find_v(model, "q1")] = 0.4;
    double high[20];
    memcpy(high, srs_sim_q(sim), (size_t)srs_model_nq(model) * sizeof *high);
    high[2] += 0.1;
    assert_int_equal(srs_sim_set_state(sim, 0, high, NULL, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
    for (int i = 0; i < 600; i++) {
      const double h = srs_sim_get_options(sim)->dt;
      memcpy(v, srs_sim_v(sim), (size_t)nv * sizeof *v);
      srs_integrate(model, srs_sim_q(sim), v, integrator == 0 ? 0 : h / 2, q);
      step(sim, 1);
      const char *base = srs_model_link(model, 0)->name;
      wrench_of(sim, base, SRS_AXES_WORLD, wrench); // a free joint carries nothing
      for (int j = 0; j < 6; j++) root = fmax(root, fabs(wrench[j]));
      wrench_of(sim, "crank", SRS_AXES_WORLD, wrench);
      largest = fmax(largest, fabs(wrench[5]));
      if (integrator == 0 && !options.keep_momentum) worst = fmax(worst, largest_residue(sim, q, v, srs_sim_v(sim)));
    }
    print_message(
        "largest |sum of forces - m a| %.3g N, on the free joint %.3g N; crank's joint carries up to %.3g N\n", worst,
        root, largest);
    assert_true(worst < 1e-9 && root < 1e-9);
    assert_true(srs_sim_get_statistics(sim)->contact_steps > 100);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// The loop of F44 carries what the rocker's joint and weight do not; about its joint the rocker feels no torque, and
// the crank feels its motor's.
static void joint_axes_carry_what_the_motors_give(void **state)
{
  (void)state;
  srs_builder *builder = linkages_four_bar(SRS_CLOSURE_POINT, 1);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  for (int integrator = 0; integrator < 2; integrator++) {
    srs_sim *sim = start(model, (srs_integrator)integrator);
    const double tau[3] = {0.05, 0, 0};
    assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
    for (int i = 0; i < 300; i++) {
      step(sim, 1);
      double wrench[6];
      const char *const links[3] = {"crank", "coupler", "rocker"};
      for (int k = 0; k < 3; k++) {
        wrench_of(sim, links[k], SRS_AXES_WORLD, wrench);
        assert_true(fabs(wrench[1] - tau[k]) < 1e-10); // about y; impulses of some N over 1 ms
      }
    }
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

// A ball spins on a bare upright joint until torsional friction of the floor stops it. The joint has no part in that.
static void a_joint_does_not_carry_the_spin_that_the_floor_takes(void **state)
{
  (void)state;
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint", "implicit-euler",
                                            "implicit-moreau", "geometrically-implicit"};
  for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
    char text[2048];
    snprintf(text, sizeof text,
             "models:\n- links:\n  - {name: slide, mass: 0.1, inertia: [1e-3, 1e-3, 1e-3]}\n"
             "  - {name: ball, mass: 1, inertia: [4e-3, 4e-3, 4e-3]}\n  joints:\n"
             "  - {name: z, kind: prismatic, child: slide, axis: [0, 0, 1], origin: {position: [0, 0, 0.1]}}\n"
             "  - {name: spin, kind: continuous, parent: slide, child: ball, axis: [0, 0, 1]}\n"
             "  shapes: [{kind: sphere, radius: 0.1, link: ball}]\n"
             "environment: [{shape: half-space, name: floor, normal: [0, 0, 1]}]\n"
             "contact: {friction: 0.5, torsional: 0.05}\ninitial: {v: {spin: 4}}\nintegrator: %s\n",
             integrators[i]);
    srs_sim *sim = NULL;
    srs_scene *scene = scene_of_text(text);
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
    for (int n = 0; n < 100; n++) {
      const double before = srs_sim_v(sim)[1];
      double wrench[6];
      step(sim, 1);
      wrench_of(sim, "ball", SRS_AXES_WORLD, wrench);
      assert_true(fabs(wrench[2]) < (i < 4 ? 1e-12 : 1e-10)); // the last iterates to that
      if (n < 20) assert_true(fabs(before - srs_sim_v(sim)[1] - 1e-3 * 0.5 * 0.05 * 1.1 * 9.81 / 4e-3) < 1e-11);
    }
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// At rest every closure form of a mechanism carries what its joint carried: a pendulum held at its middle by friction.
static void a_closure_carries_what_the_joint_did(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  linkages_add(builder, "h1", "one", NULL, linkages_pose(0, 0, 0, 0), 1, 0, 0);
  linkages_add(builder, "h2", "two", "one", linkages_pose(0, 0, -0.5, 0.3), 1, 0, 0);
  srs_model *model[2] = {NULL, NULL};
  assert_int_equal(srs_builder_build(builder, NULL, &model[0], NULL), SRS_OK);
  assert_int_equal(srs_build_redundant(builder, NULL, &model[1], NULL), SRS_OK);
  srs_builder_destroy(builder);
  double off[2];
  for (int fine = 0; fine < 2; fine++) {
    double wrench[2][6];
    for (int i = 0; i < 2; i++) {
      srs_sim_options options = srs_default_sim_options();
      options.dt = fine ? 5e-5 : 1e-4;
      srs_sim *sim = NULL;
      assert_int_equal(srs_sim_create(model[i], &options, &sim, NULL), SRS_OK);
      step(sim, 1 + lround(0.2 / options.dt));
      if (i == 0)
        wrench_of(sim, "two", SRS_AXES_WORLD, wrench[i]);
      else
        assert_int_equal(srs_sim_loop_wrench(sim, 1, NULL, wrench[i]), SRS_OK);
      srs_sim_destroy(sim);
    }
    off[fine] = 0;
    for (int j = 3; j < 6; j++) off[fine] = fmax(off[fine], fabs(wrench[1][j] - wrench[0][j]));
  }
  print_message("force of joint and closure differ by %.3g N, %.3g with half the step\n", off[0], off[1]);
  assert_true(off[1] < 0.6 * off[0] && off[0] < 0.05);
  srs_model_destroy(model[0]);
  srs_model_destroy(model[1]);
}

// The columns of a trajectory are these wrenches, zero before the first step; free joints have none.
static void trajectories_have_wrenches(void **state)
{
  (void)state;
  char text[4096], line[4096], header[4096];
  snprintf(text, sizeof text, mechanisms_four_bar_on_a_box, "output: {wrenches: true}");
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  assert_int_equal(srs_scene_load(testing_write("box.yaml", text), NULL, &scene, NULL), SRS_OK);
  assert_true(srs_scene_get_settings(scene)->output.wrenches);
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
  srs_trajectory_options options = srs_default_trajectory_options();
  options.wrenches = true;
  srs_trajectory *trajectory = NULL;
  char path[1024];
  snprintf(path, sizeof path, "%s", testing_write("wrenches.csv", ""));
  assert_int_equal(srs_trajectory_create(path, sim, &options, &trajectory, NULL), SRS_OK);
  assert_int_equal(srs_trajectory_add(trajectory, sim, NULL), SRS_OK);
  step(sim, 5);
  assert_int_equal(srs_trajectory_add(trajectory, sim, NULL), SRS_OK);
  assert_int_equal(srs_trajectory_close(trajectory, NULL), SRS_OK);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(header, sizeof header, file));
  char first[4096];
  assert_non_null(fgets(first, sizeof first, file));
  assert_non_null(fgets(line, sizeof line, file));
  fclose(file);
  assert_null(strstr(header, "wrench:box"));
  const char *names = strstr(header, "wrench:crank:tx,wrench:crank:ty");
  assert_non_null(names);
  assert_non_null(strstr(names, "wrench:rocker:fz,loop:coupler-rocker:tx"));
  int column = 0;
  for (const char *c = header; c < names; c++) column += *c == ',';
  const char *at = line, *none = first;
  for (int left = column; left > 0; none++) left -= *none == ',';
  for (; *none != '\n'; none++) assert_true(*none == '0' || *none == ',');
  for (; column > 0; at++) column -= *at == ',';
  double expected[6], found;
  wrench_of(sim, "crank", SRS_AXES_WORLD, expected);
  for (int i = 0; i < 6; i++, at += strcspn(at, ",\n") + 1) {
    assert_true(srs_parse_number(at, strcspn(at, ",\n"), &found));
    assert_true(found == expected[i]);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Embedded loops
// ---------------------------------------------------------------------------------------------------------------------

// Every mechanism's links get what they need for the accelerations that the step took: Newton's law for each of them,
// with the accelerations of srs_sim_acceleration, which knows nothing of wrenches. And a joint on which nothing is
// exerted has no torque about its axis.
static void forces_sum_to_mass_times_acceleration_beside_embedded_loops(void **state)
{
  (void)state;
  for (int i = 0; i < EMBEDDED_MECHANISMS; i++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "velocity_terms: start\n");
    srs_workspace *w = NULL;
    srs_error error;
    srs_sim *sim = sim_of_scene(scene, NULL);
    const srs_model *model = srs_sim_model(sim);
    assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
    double tau[32] = {0}, q[40], v[32], a[32], worst = 0, carried = 0;
    tau[srs_model_nv(model) - 1] = 0.02;
    assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
    for (int n = 0; n < 150; n++) {
      memcpy(q, srs_sim_q(sim), (size_t)srs_model_nq(model) * sizeof *q);
      memcpy(v, srs_sim_v(sim), (size_t)srs_model_nv(model) * sizeof *v);
      assert_int_equal(srs_sim_acceleration(sim, a, &error), SRS_OK);
      step(sim, 1);
      assert_int_equal(srs_forward_acceleration(w, q, v, a), SRS_OK);
      for (int k = 0; k < srs_model_n_links(model); k++) {
        const srs_link *link = srs_model_link(model, k);
        const int frame = srs_model_find_frame(model, link->name);
        double force[3], wrench[6], still[32] = {0}, speed[3], drift[3], acceleration[6], of_v[6];
        other_forces(sim, frame, force);
        for (int child = k; child < srs_model_n_links(model); child++) {
          if (child != k && srs_model_link(model, child)->parent != k) continue;
          wrench_of(sim, srs_model_link(model, child)->name, SRS_AXES_WORLD, wrench);
          for (int j = 0; j < 3; j++) force[j] += child == k ? wrench[3 + j] : -wrench[3 + j];
          carried = fmax(carried, fabs(wrench[5]));
        }
        // The centre's acceleration: its drift, and what a alone would give it as a velocity.
        centre(w, frame, link, q, v, speed, drift);
        assert_int_equal(srs_forward_acceleration(w, q, a, still), SRS_OK);
        centre(w, frame, link, q, a, acceleration, of_v);
        for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(force[j] - link->mass * (acceleration[j] + drift[j])));
      }
    }
    print_message("%s: largest |sum of forces - m a| %.3g N; joints carry up to %.3g N\n", embedded_mechanisms[i].name,
                  worst, carried);
    if (i > 1) assert_true(worst < 1e-12 * fmax(1, carried)); // the four-bar is damped, implicitly: another a
    srs_workspace_destroy(w);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// The largest difference of what joints and closures carry after some time, embedded and by multipliers.
static double apart(const embedded_mechanism *mechanism, const char *integrator, double time, double dt, double *most)
{
  srs_scene *scene[2];
  srs_sim *sim[2];
  double worst = 0;
  for (int i = 0; i < 2; i++) {
    srs_error error;
    scene[i] = embedded_scene(mechanism, i == 0, integrator);
    srs_sim_options options = srs_scene_get_settings(scene[i])->sim;
    options.dt = dt;
    if (srs_scene_create_sim(scene[i], &options, &sim[i], &error) != SRS_OK) fail_msg("%s", error.message);
    step(sim[i], lround(time / dt));
  }
  const srs_model *model = srs_sim_model(sim[0]);
  for (int k = 0; k < srs_model_n_links(model) + srs_model_n_closures(model); k++) {
    const int closure = k - srs_model_n_links(model);
    double wrench[2][6];
    for (int i = 0; i < 2; i++)
      if (closure < 0)
        wrench_of(sim[i], srs_model_link(model, k)->name, SRS_AXES_WORLD, wrench[i]);
      else
        assert_int_equal(srs_sim_loop_wrench(sim[i], closure, NULL, wrench[i]), SRS_OK);
    for (int j = 0; j < 6; j++) {
      worst = fmax(worst, fabs(wrench[0][j] - wrench[1][j]));
      *most = fmax(*most, fabs(wrench[1][j]));
    }
  }
  for (int i = 0; i < 2; i++) {
    srs_sim_destroy(sim[i]);
    srs_scene_destroy(scene[i]);
  }
  return worst;
}

// Both forms of a loop are the same mechanism to order h, and so is what it carries, redundant rows too.
static void embedded_loops_carry_what_multipliers_do(void **state)
{
  (void)state;
  static const char *const integrators[] = {"integrator: semi-implicit-euler\n", "integrator: implicit-euler\n",
                                            "integrator: moreau-midpoint\n", "integrator: implicit-moreau\n"};
  for (size_t scheme = 0; scheme < sizeof integrators / sizeof *integrators; scheme++)
    for (int i = 0; i < EMBEDDED_MECHANISMS; i++) {
      double most = 0;
      const double time = 0.15;
      const double one = apart(&embedded_mechanisms[i], integrators[scheme], time, 2.5e-4, &most);
      const double half = apart(&embedded_mechanisms[i], integrators[scheme], time, 1.25e-4, &most);
      print_message("%s%s: %.3g of %.3g apart, with half the step a factor %.3f less\n", integrators[scheme],
                    embedded_mechanisms[i].name, one, most, one / half);
      assert_true(one < 1e-9 || one / half > 1.8); // towards 2, the smaller the step
    }
}

// The four-bar's coupler turns on two bare joints: no torque about their axes. The crank feels its motor and damper
// (implicit: at the step's end), the rocker the inertia of its rotor.
static void joint_axes_beside_embedded_loops_carry_what_is_exerted(void **state)
{
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    srs_scene *scene = embedded_scene(&embedded_mechanisms[kind], true, "");
    srs_sim *sim = NULL;
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, NULL), SRS_OK);
    const srs_model *model = srs_sim_model(sim);
    const int q1 = srs_model_find_v(model, "q1"), q2 = srs_model_find_v(model, "q2");
    double tau[3] = {0};
    tau[q1] = 0.05;
    assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
    for (int i = 0; i < 300; i++) {
      double wrench[6], coupler[6];
      step(sim, 1);
      wrench_of(sim, "coupler", SRS_AXES_WORLD, coupler);
      assert_true(fabs(coupler[1]) < 1e-12);
      wrench_of(sim, "crank", SRS_AXES_WORLD, wrench);
      // v1 at the step's end is that of the sim: q1 is independent.
      assert_true(fabs(wrench[1] - 0.05 + 0.01 * srs_sim_v(sim)[q1]) < 1e-12);
      assert_true(srs_sim_actuator_effort(sim)[q2] == 0);
    }
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// Columns, and the state before the first step: the joints' wrenches are those of the accelerations there, the loop's
// are zero; asking does not change what comes.
static void trajectories_have_wrenches_of_embedded_loops(void **state)
{
  (void)state;
  srs_scene *scene = embedded_scene(&embedded_mechanisms[0], true, "output: {wrenches: true}\n");
  srs_sim *sims[2] = {NULL, NULL};
  srs_error error;
  double wrench[6], before[6];
  for (int i = 0; i < 2; i++) assert_int_equal(srs_scene_create_sim(scene, NULL, &sims[i], NULL), SRS_OK);
  assert_int_equal(srs_sim_loop_wrench(sims[0], 0, NULL, wrench), SRS_OK);
  for (int i = 0; i < 6; i++) assert_true(wrench[i] == 0);
  wrench_of(sims[0], "coupler", SRS_AXES_WORLD, before);
  assert_true(fabs(before[1]) < 1e-12 && before[5] > 0.1);
  srs_trajectory_options options = srs_default_trajectory_options();
  options.wrenches = true;
  srs_trajectory *trajectory = NULL;
  char path[1024], header[4096];
  snprintf(path, sizeof path, "%s", testing_write("embedded.csv", ""));
  if (srs_trajectory_create(path, sims[0], &options, &trajectory, &error) != SRS_OK) fail_msg("%s", error.message);
  for (int i = 0; i < 20; i++) {
    assert_int_equal(srs_trajectory_add(trajectory, sims[0], NULL), SRS_OK);
    step(sims[0], 1);
    step(sims[1], 1);
    assert_memory_equal(srs_sim_q(sims[0]), srs_sim_q(sims[1]), 3 * sizeof(double));
    assert_memory_equal(srs_sim_v(sims[0]), srs_sim_v(sims[1]), 3 * sizeof(double));
  }
  wrench_of(sims[0], "coupler", SRS_AXES_WORLD, wrench);
  wrench_of(sims[1], "coupler", SRS_AXES_WORLD, before);
  assert_memory_equal(wrench, before, sizeof wrench);
  assert_int_equal(srs_trajectory_close(trajectory, NULL), SRS_OK);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(header, sizeof header, file));
  fclose(file);
  assert_non_null(strstr(header, "wrench:rocker:fz,loop:pin:tx"));
  for (int i = 0; i < 2; i++) srs_sim_destroy(sims[i]);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F51_a_fixed_joint_carries_the_weight_of_what_hangs_on_it),
      cmocka_unit_test(F06_a_lumped_joint_carries_the_weight_behind_it),
      cmocka_unit_test(forces_sum_to_mass_times_acceleration_through_impacts),
      cmocka_unit_test(joint_axes_carry_what_the_motors_give),
      cmocka_unit_test(a_joint_does_not_carry_the_spin_that_the_floor_takes),
      cmocka_unit_test(a_closure_carries_what_the_joint_did),
      cmocka_unit_test(trajectories_have_wrenches),
      cmocka_unit_test(forces_sum_to_mass_times_acceleration_beside_embedded_loops),
      cmocka_unit_test(embedded_loops_carry_what_multipliers_do),
      cmocka_unit_test(joint_axes_beside_embedded_loops_carry_what_is_exerted),
      cmocka_unit_test(trajectories_have_wrenches_of_embedded_loops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
