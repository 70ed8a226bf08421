// Closed mechanisms as scenes, each as it is and with its loops embedded.
#pragma once
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

typedef struct embedded_mechanism {
  const char *name;
  const char *text; // @names@ stands where a closure may be embedded, with these independent coordinates
} embedded_mechanism;

#define EMBEDDED_BAR(name, mass)                                                                                       \
  "  - {name: " name ", mass: " mass ", com: [0.02, 0.01, 0.06], inertia: [8e-4, 1e-3, 7e-4]}\n"

// Planar, joints along y: crank 0.1, coupler 0.35, rocker 0.3, ground 0.4.
#define EMBEDDED_FOUR_BAR(kind)                                                                                        \
  "models:\n- base: fixed\n  links:\n" EMBEDDED_BAR("crank", "0.4") EMBEDDED_BAR("coupler", "0.7")                     \
      EMBEDDED_BAR("rocker", "0.5") "  joints:\n"                                                                      \
                                    "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0], damping: 0.01}\n" \
                                    "  - {name: q2, kind: continuous, parent: crank, child: coupler, axis: [0, 1, "    \
                                    "0], origin: {position: [0, 0, "                                                   \
                                    "0.1]}}\n"                                                                         \
                                    "  - {name: q3, kind: continuous, child: rocker, axis: [0, 1, 0], armature: "      \
                                    "0.002, origin: {position: [0.4, 0, "                                              \
                                    "0]}}\n"                                                                           \
                                    "  closures:\n  - {name: pin, kind: " kind                                         \
                                    ", frame_a: coupler, frame_b: rocker, pose_a: {position: "                         \
                                    "[0.2987218950531729, 0, 0.1823875802126918]}, pose_b: {position: "                \
                                    "[-0.1012781049468271, 0, 0.2823875802126918]}"                                    \
                                    "@q1@}\n"

static const embedded_mechanism embedded_mechanisms[] = {
    {"four-bar, revolute", EMBEDDED_FOUR_BAR("revolute, axis: [0, 1, 0]")},
    {"four-bar, point", EMBEDDED_FOUR_BAR("point")},
    {"slider-crank",
     "models:\n- links:\n" EMBEDDED_BAR("crank", "0.3") EMBEDDED_BAR("rod", "0.4") EMBEDDED_BAR(
         "piston",
         "0.8") "  joints:\n"
                "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}\n"
                "  - {name: q2, kind: continuous, parent: crank, child: rod, axis: [0, 1, 0], origin: {position: [0, "
                "0, 0.1]}}\n"
                "  - {name: x, kind: prismatic, child: piston, axis: [1, 0, 0], origin: {position: [0.3, 0, 0.1]}}\n"
                "  closures:\n  - {name: wrist, kind: revolute, axis: [0, 1, 0], frame_a: rod, frame_b: piston, "
                "pose_a: "
                "{position: "
                "[0.3, 0, 0]}@q1@}\n"},
    {"Sarrus", "models:\n- links:\n" EMBEDDED_BAR("lower_a", "0.3") EMBEDDED_BAR("upper_a", "0.35")
                   EMBEDDED_BAR("table", "1") EMBEDDED_BAR("lower_b", "0.3")
                       EMBEDDED_BAR("upper_b", "0.4") "  joints:\n"
                                                      "  - {name: a1, kind: continuous, child: lower_a, axis: [0, 1, "
                                                      "0], origin: {position: [0.1, 0, 0]}}\n"
                                                      "  - {name: a2, kind: continuous, parent: lower_a, child: "
                                                      "upper_a, axis: [0, 1, 0], origin: {position: [0.1, 0, "
                                                      "0.1]}}\n"
                                                      "  - {name: a3, kind: continuous, parent: upper_a, child: table, "
                                                      "axis: [0, 1, 0], origin: {position: [-0.1, 0, "
                                                      "0.1]}}\n"
                                                      "  - {name: b1, kind: continuous, child: lower_b, axis: [1, 0, "
                                                      "0], origin: {position: [0, 0.1, 0]}}\n"
                                                      "  - {name: b2, kind: continuous, parent: lower_b, child: "
                                                      "upper_b, axis: [1, 0, 0], origin: {position: [0, 0.1, "
                                                      "0.1]}}\n"
                                                      "  closures:\n  - {name: b3, kind: revolute, axis: [1, 0, 0], "
                                                      "frame_a: upper_b, frame_b: table, pose_a: {position: "
                                                      "[0, -0.1, 0.1]}, pose_b: {position: [-0.1, 0.1, 0]}@a1@}\n"},
    {"five-bar of two motions on a free box that carries an arm on its coupler",
     "models:\n- base: floating\n  links:\n" EMBEDDED_BAR("box", "3") EMBEDDED_BAR("left", "0.4") EMBEDDED_BAR("left2",
                                                                                                               "0.5")
         EMBEDDED_BAR("arm", "0.2") EMBEDDED_BAR("hand", "0.3") EMBEDDED_BAR("right", "0.4") EMBEDDED_BAR(
             "right2",
             "0.5") "  joints:\n"
                    "  - {name: l1, kind: continuous, parent: box, child: left, axis: [0, 1, 0], origin: {position: "
                    "[-0.1, 0, 0.1]}}\n"
                    "  - {name: l2, kind: continuous, parent: left, child: left2, axis: [0, 1, 0], origin: {position: "
                    "[-0.1, 0, "
                    "0.2]}}\n"
                    "  - {name: s, kind: spherical, parent: left2, child: arm, origin: {position: [0.1, 0.05, 0.1]}}\n"
                    "  - {name: s2, kind: cylindrical, parent: arm, child: hand, axis: [1, 0, 1], origin: {position: "
                    "[0.1, 0, 0.1]}}\n"
                    "  - {name: r1, kind: continuous, parent: box, child: right, axis: [0, 1, 0], origin: {position: "
                    "[0.1, 0, 0.1]}}\n"
                    "  - {name: r2, kind: continuous, parent: right, child: right2, axis: [0, 1, 0], origin: "
                    "{position: [0.1, 0, "
                    "0.2]}}\n"
                    "  closures:\n  - {name: tip, kind: revolute, axis: [0, 1, 0], frame_a: left2, frame_b: right2, "
                    "pose_a: {position: "
                    "[0.2, 0, 0.2]}, pose_b: {position: [-0.2, 0, 0.2]}@l1, r1@}\n"
                    "initial: {v: {root.wx: 1, root.wy: 2, l1: 3, r1: -2, s2.angle: 4}}\nfrozen: [l1, r1]\n"},
    {"crank, spherical rod ends and rocker, the rod's spin its own",
     "models:\n- links:\n" EMBEDDED_BAR("crank", "0.4") EMBEDDED_BAR("rod", "0.5") EMBEDDED_BAR(
         "rocker",
         "0.6") "  joints:\n"
                "  - {name: q1, kind: continuous, child: crank, axis: [0, 0, 1]}\n"
                "  - {name: u, kind: universal, parent: crank, child: rod, axis: [0, 0, 1], axis2: [1, 0, 0], origin: "
                "{position: "
                "[0, 0.1, 0]}}\n"
                "  - {name: q3, kind: continuous, child: rocker, axis: [0, 1, 0], origin: {position: [0.5, 0.1, 0]}}\n"
                "  closures:\n  - {name: ball, kind: point, frame_a: rod, frame_b: rocker, pose_a: {position: [0.3, "
                "0.2, 0.2]}, "
                "pose_b: {position: [-0.2, 0.2, 0.2]}@q1@}\n"},
    {"two four-bars that share a rocker, one closed by a rod",
     "models:\n- links:\n" EMBEDDED_BAR("crank", "0.4") EMBEDDED_BAR("coupler", "0.7") EMBEDDED_BAR("rocker", "0.5")
         EMBEDDED_BAR(
             "lever",
             "0.3") "  joints:\n"
                    "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}\n"
                    "  - {name: q2, kind: continuous, parent: crank, child: coupler, axis: [0, 1, 0], origin: "
                    "{position: [0, 0, "
                    "0.1]}}\n"
                    "  - {name: q3, kind: continuous, child: rocker, axis: [0, 1, 0], origin: {position: [0.4, 0, "
                    "0]}}\n"
                    "  - {name: q4, kind: continuous, child: lever, axis: [0, 1, 0], origin: {position: [0.8, 0, 0]}}\n"
                    "  closures:\n  - {name: pin, kind: revolute, axis: [0, 1, 0], frame_a: coupler, frame_b: rocker, "
                    "pose_a: {position: "
                    "[0.2987218950531729, 0, 0.1823875802126918]}, pose_b: {position: [-0.1012781049468271, 0, "
                    "0.2823875802126918]}"
                    "@q1@}\n"
                    "  - {name: strut, kind: rod, length: 0.4, frame_a: rocker, frame_b: lever, pose_a: {position: [0, "
                    "0, 0.2]}, "
                    "pose_b: {position: [0, 0, 0.2]}@@}\n"},
    {"a four-bar on a link of another loop, which one of its own links is part of",
     "models:\n- links:\n" EMBEDDED_BAR("base", "0.6") EMBEDDED_BAR("crank", "0.4") EMBEDDED_BAR("coupler", "0.7")
         EMBEDDED_BAR("rocker", "0.5") EMBEDDED_BAR(
             "lever",
             "0.3") "  joints:\n"
                    "  - {name: q0, kind: continuous, child: base, axis: [0, 1, 0], origin: {position: [0, 0, 0.5]}}\n"
                    "  - {name: q1, kind: continuous, parent: base, child: crank, axis: [0, 1, 0]}\n"
                    "  - {name: q2, kind: continuous, parent: crank, child: coupler, axis: [0, 1, 0], origin: "
                    "{position: [0, 0, "
                    "0.1]}}\n"
                    "  - {name: q3, kind: continuous, parent: base, child: rocker, axis: [0, 1, 0], origin: {position: "
                    "[0.4, 0, "
                    "0]}}\n"
                    "  - {name: q4, kind: continuous, child: lever, axis: [0, 1, 0], origin: {position: [0.8, 0, "
                    "0.5]}}\n"
                    "  closures:\n  - {name: strut, kind: rod, length: 0.41, frame_a: rocker, frame_b: lever, pose_a: "
                    "{position: [0, "
                    "0, 0.2]}, pose_b: {position: [0, 0, 0.2]}@q0@}\n"
                    "  - {name: pin, kind: revolute, axis: [0, 1, 0], frame_a: coupler, frame_b: rocker, pose_a: "
                    "{position: "
                    "[0.2987218950531729, 0, 0.1823875802126918]}, pose_b: {position: [-0.1012781049468271, 0, "
                    "0.2823875802126918]}"
                    "@q1@}\n"},
    {"a truss of nothing that moves, with a pendulum",
     "models:\n- links:\n" EMBEDDED_BAR("left", "0.4") EMBEDDED_BAR("bob", "0.3") EMBEDDED_BAR(
         "right",
         "0.5") "  joints:\n"
                "  - {name: q1, kind: continuous, child: left, axis: [0, 1, 0]}\n"
                "  - {name: s, kind: universal, parent: left, child: bob, axis: [0, 1, 0], axis2: [1, 0, 0], origin: "
                "{position: "
                "[0.2, 0, 0.3]}}\n"
                "  - {name: q2, kind: continuous, child: right, axis: [0, 1, 0], origin: {position: [0.4, 0, 0]}}\n"
                "  closures:\n  - {name: apex, kind: point, frame_a: left, frame_b: right, pose_a: {position: [0.2, 0, "
                "0.3]}, "
                "pose_b: {position: [-0.2, 0, 0.3]}@@}\n"},
    {"two pendulums tied by a planar and a universal closure",
     "models:\n- links:\n" EMBEDDED_BAR("a", "0.4") EMBEDDED_BAR("b", "0.7") EMBEDDED_BAR(
         "c", "0.7") "  joints:\n"
                     "  - {name: s, kind: spherical, child: a, origin: {position: [0, 0, 0.1]}}\n"
                     "  - {name: f, kind: free, child: b, origin: {position: [0.3, 0, 0]}}\n"
                     "  - {name: w, kind: free, parent: a, child: c, origin: {position: [0, 0.3, 0]}}\n"
                     "  closures:\n"
                     "  - {name: plane, kind: planar, axis: [0, 1, 0], frame_a: a, frame_b: b@s, f.vx, f.vz, f.wy@}\n"
                     "  - {name: cross, kind: universal, axis: [0, 0, 1], axis2: [1, 0, 0], frame_a: b, frame_b: c, "
                     "pose_a: {position: "
                     "[0, 0.3, 0]}, pose_b: {position: [0.3, 0, 0]}@w.wx, w.wz@}\n"},
};

enum { EMBEDDED_MECHANISMS = sizeof embedded_mechanisms / sizeof embedded_mechanisms[0] };

/// One of them with its loops embedded or not, and more lines after it; to be destroyed.
static inline srs_scene *embedded_scene(const embedded_mechanism *mechanism, bool is_embedded, const char *more)
{
  char text[8192] = "";
  size_t n = 0;
  const char *from = mechanism->text;
  for (const char *at = strchr(from, '@'); at != NULL; at = strchr(from, '@')) {
    const char *end = strchr(at + 1, '@');
    assert_non_null(end);
    n += (size_t)snprintf(text + n, sizeof text - n, "%.*s", (int)(at - from), from);
    if (is_embedded)
      n += (size_t)snprintf(text + n, sizeof text - n, ", embed: true, independent: [%.*s]", (int)(end - at - 1),
                            at + 1);
    from = end + 1;
  }
  n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", from, more);
  assert_true(n < sizeof text);
  srs_scene *scene = NULL;
  srs_error error;
  if (srs_scene_load(testing_write("mechanism.yaml", text), NULL, &scene, &error) != SRS_OK)
    fail_msg("%s", error.message);
  return scene;
}
