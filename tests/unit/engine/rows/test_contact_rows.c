// Which rows does a contact get? Without friction the normal alone; where both bodies can move in one plane only, the
// normal and one tangent; three otherwise. What is left out changes no motion.
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The tangents of the contacts of the problems seen, each count once.
typedef struct seen {
  bool tangents[4];
  int problems;
} seen;

static void note(void *context, const srs_contact_problem *problem, const double *impulse,
                 const srs_contact_report *report)
{
  (void)impulse, (void)report;
  seen *s = context;
  s->problems++;
  for (int i = 0; i < problem->n_contacts; i++)
    s->tangents[problem->tangents == NULL ? 2 : problem->tangents[i]] = true;
}

#define BODY     "links: [{name: b, mass: 2, inertia: [0.05, 0.06, 0.07]}]"
#define BOX      "shapes: [{link: b, kind: box, size: [0.2, 0.2, 0.2]}]"
#define FLOOR    "environment: [{name: floor, shape: half-space}]\n"
#define IN_PLANE "joints: [{name: j, kind: planar, axis: [0, 1, 0], child: b, origin: {position: [0, 0, 0.1]}}]"

typedef struct rows_case {
  const char *what, *scene;
  int tangents; // of all contacts
} rows_case;

static const rows_case cases[] = {
    {"a free box", "models: [{name: m, base: floating, position: [0, 0, 0.1], " BODY ", " BOX "}]\n" FLOOR, 2},
    {"without friction",
     "models: [{name: m, base: floating, position: [0, 0, 0.1], " BODY ", " BOX "}]\n" FLOOR "contact: {friction: 0}\n",
     0},
    {"a box in a plane", "models: [{name: m, " BODY ", " IN_PLANE ", " BOX "}]\n" FLOOR, 1},
    {"in a plane without friction",
     "models: [{name: m, " BODY ", " IN_PLANE ", " BOX "}]\n" FLOOR "contact: {friction: 0}\n", 0},
    {"in a plane, the floor across it leans",
     "models: [{name: m, " BODY ", " IN_PLANE ", " BOX "}]\n"
     "environment: [{name: floor, shape: half-space, normal: [0, 0.1, 1]}]\n",
     2},
    {"on a slide and a hinge across it",
     "models: [{name: m, links: [{name: a, mass: 1, inertia: [0.01, 0.01, 0.01]}, {name: b, mass: 2, inertia: [0.05, "
     "0.06, 0.07]}], joints: [{name: s, kind: prismatic, axis: [0, 0, 1], child: a, origin: {position: [0, 0, 0.1]}}, "
     "{name: h, kind: continuous, axis: [0, 1, 0], parent: a, child: b}], " BOX "}]\n" FLOOR,
     1},
    {"on a slide and a hinge along it",
     "models: [{name: m, links: [{name: a, mass: 1, inertia: [0.01, 0.01, 0.01]}, {name: b, mass: 2, inertia: [0.05, "
     "0.06, 0.07]}], joints: [{name: s, kind: prismatic, axis: [0, 0, 1], child: a, origin: {position: [0, 0, 0.1]}}, "
     "{name: h, kind: continuous, axis: [0, 0, 1], parent: a, child: b}], " BOX "}]\n" FLOOR,
     2},
    {"in a plane, against a jaw that slides in it",
     "models: [{name: m, " BODY ", joints: [{name: j, kind: planar, axis: [0, 1, 0], child: b}], " BOX "},\n"
     "  {name: jaw, links: [{name: p, mass: 1, inertia: [0.01, 0.01, 0.01]}], joints: [{name: s, kind: prismatic, "
     "axis: [1, 0, 0], child: p, origin: {position: [-0.2, 0, 0]}}], shapes: [{link: p, kind: box, size: [0.2, 0.2, "
     "0.2]}]}]\ngravity: [-9.81, 0, 0]\n"
     "environment: [{name: wall, shape: half-space, normal: [1, 0, 0], offset: -0.3}]\n",
     1},
};

static void contacts_get_the_rows_they_need(void **state)
{
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    srs_scene *scene = scene_of_text(cases[k].scene);
    srs_sim *sim = sim_of_scene(scene, NULL);
    seen s = {0};
    srs_sim_watch_contacts(sim, note, &s);
    step(sim, 20);
    print_message("%s: %d problems\n", cases[k].what, s.problems);
    assert_true(s.problems > 0);
    for (int d = 0; d < 4; d++)
      if (k != 7) assert_int_equal(s.tangents[d], d == cases[k].tangents);
    if (k == 7) assert_true(s.tangents[1] && !s.tangents[0] && !s.tangents[3]); // the jaw alone slides on a line
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

static void velocity_of(srs_sim *sim, int frame, const double *v, double twist[6])
{
  srs_workspace *w = srs_sim_workspace(sim);
  assert_int_equal(srs_forward_velocity(w, srs_sim_q(sim), v), SRS_OK);
  assert_int_equal(srs_frame_velocity(w, frame, SRS_AXES_WORLD, twist), SRS_OK);
}

// A box that slides in a plane is slowed by mu g exactly, by any solver: a polyhedron's directions are +-1 there. A
// plane at any angle to the axes does the same.
static void a_box_in_a_plane_is_slowed_by_its_friction(void **state)
{
  (void)state;
  static const char *const solvers[] = {"mncp-rlm", "mlcp-lemke@4", "mlcp-pfb-rlm@6", "relaxed-fixed-point@4"};
  for (int k = 0; k < 4; k++) {
    const double turn = 0.3 * k + 0.1, mu = 0.3, v = 2, h = 1e-3, sine = sin(turn), cosine = cos(turn);
    char text[1024], name[32];
    snprintf(name, sizeof name, "%s", solvers[k]);
    char *at = strchr(name, '@');
    if (at != NULL) *at = 0;
    snprintf(text, sizeof text,
             "models: [{name: m, " BODY ", joints: [{name: j, kind: planar, axis: [%.17g, %.17g, 0], child: b, "
             "origin: {position: [0, 0, 0.1]}}], " BOX "}]\n" FLOOR "contact: {friction: %g}\nsolver: {name: %s%s%s}\n"
             "dt: %g\n",
             -sine, cosine, mu, name, at != NULL ? ", directions: " : "", at != NULL ? at + 1 : "", h);
    srs_scene *scene = scene_of_text(text);
    srs_sim *sim = sim_of_scene(scene, NULL);
    const int body = srs_model_find_frame(srs_sim_model(sim), "b");
    double rates[3] = {0}; // v along (cosine, sine), by the joint's two coordinates
    for (int i = 0; i < 2; i++) {
      const double unit[3] = {i == 0, i == 1, 0};
      double twist[6];
      velocity_of(sim, body, unit, twist);
      rates[i] = v * (cosine * twist[3] + sine * twist[4]);
    }
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, rates, NULL), SRS_OK);
    step(sim, 100);
    double twist[6];
    velocity_of(sim, body, srs_sim_v(sim), twist);
    srs_pose pose;
    assert_int_equal(srs_frame_placement(srs_sim_workspace(sim), body, &pose), SRS_OK);
    const double left = hypot(twist[3], twist[4]);
    print_message("%s: %.15g m/s left\n", solvers[k], left);
    assert_true(fabs(left - (v - mu * 9.81 * 0.1)) < 1e-9 && fabs(pose.position[2] - 0.1) < 1e-9);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_get_the_rows_they_need),
      cmocka_unit_test(a_box_in_a_plane_is_slowed_by_its_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
