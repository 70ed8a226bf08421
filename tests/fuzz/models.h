// The scenes that targets of the C API start from: small, and between them with every kind of joint, closure and shape
// that steps treat in a way of its own.
#pragma once
#include "fuzz/fuzz.h"

#define FUZZ_LINK(name) "{name: " name ", mass: 1, com: [0.1, 0, 0], inertia: [0.02, 0.03, 0.04]}"
#define FUZZ_FLOOR      "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"

enum { FUZZ_MODELS = 7, FUZZ_MOST_V = 16, FUZZ_MOST_Q = 20 };

static const char *const fuzz_models[FUZZ_MODELS] = {
    // A hinge, a slide and a hinge with all that joints can have.
    "models:\n"
    "  - {name: arm, base: fixed, links: [" FUZZ_LINK("a") ", " FUZZ_LINK("b") ", " FUZZ_LINK(
        "c") "], joints: [\n"
             "      {name: h, kind: revolute, child: a, axis: [0, 1, 0], lower: -1, upper: 1, friction: 0.3, damping: "
             "0.1, "
             "max_effort: 5, max_velocity: 3},\n"
             "      {name: p, kind: prismatic, parent: a, child: b, lower: -0.2, upper: 0.2, stiffness: 100, damping: "
             "1},\n"
             "      {name: g, kind: revolute, parent: b, child: c, axis: [1, 0, 0], armature: 0.01}]}\n",
    // A ball joint between a free body and its arm.
    "models:\n"
    "  - {name: s, base: floating, position: [0, 0, 0.3], links: [" FUZZ_LINK("a") ", " FUZZ_LINK(
        "b") "], joints: [\n"
             "      {name: ball, kind: spherical, parent: a, child: b, damping: [0.1, 0.1, 0.1]}],\n"
             "     shapes: [{link: a, kind: sphere, radius: 0.2}, {link: b, kind: capsule, radius: 0.05, length: "
             "0.3}]}\n" //
    FUZZ_FLOOR,
    // Two boxes, one on the other.
    "models:\n"
    "  - {name: a, base: floating, position: [0, 0, 0.1], links: [{name: l, mass: 1, inertia: [0.01, 0.01, 0.01]}], "
    "shapes: [{link: l, kind: box, size: [0.2, 0.2, 0.2]}]}\n"
    "  - {name: b, base: floating, position: [0, 0, 0.3], links: [{name: l, mass: 2, inertia: [0.02, 0.02, 0.02]}], "
    "shapes: [{link: l, kind: box, size: [0.2, 0.2, 0.2]}]}\n" //
    FUZZ_FLOOR,
    // A four-bar linkage on a hinge that closes it, with an actuator's limits.
    "models:\n"
    "  - {name: f, base: fixed, links: [" FUZZ_LINK("a") ", " FUZZ_LINK("b") ", " FUZZ_LINK(
        "c") "], joints: [\n"
             "      {name: h, kind: revolute, child: a, axis: [0, 1, 0], max_effort: 5, max_velocity: 5},\n"
             "      {name: g, kind: revolute, parent: a, child: b, axis: [0, 1, 0], origin: {position: [0, 0, 0.5]}},\n"
             "      {name: k, kind: revolute, child: c, axis: [0, 1, 0], origin: {position: [1, 0, 0]}}],\n"
             "     closures: [{name: loop, kind: revolute, axis: [0, 1, 0], frame_a: b, frame_b: c,\n"
             "       pose_a: {position: [1, 0, 0]}, pose_b: {position: [0, 0, 0.5]}}]}\n",
    // A sphere, a cylinder and an ellipsoid, all free.
    "models:\n"
    "  - {name: a, base: floating, position: [0, 0, 0.1], links: [{name: l, mass: 1, inertia: [0.01, 0.01, 0.01]}], "
    "shapes: [{link: l, kind: sphere, radius: 0.1}]}\n"
    "  - {name: b, base: floating, position: [0.15, 0, 0.1], links: [{name: l, mass: 1, inertia: [0.01, 0.01, 0.01]}], "
    "shapes: [{link: l, kind: cylinder, radius: 0.1, length: 0.2}]}\n" //
    FUZZ_FLOOR,
    // A hinge that follows another one.
    "models:\n"
    "  - {name: c, base: fixed, links: [" FUZZ_LINK("a") ", " FUZZ_LINK(
        "b") "], joints: [\n"
             "      {name: h, kind: revolute, child: a, axis: [1, 0, 0], lower: -2, upper: 2},\n"
             "      {name: g, kind: revolute, parent: a, child: b, axis: [0, 1, 0]}],\n"
             "     couplings: [{name: gear, follower: g, leader: h}]}\n",
    // Nothing that moves.
    "models:\n"
    "  - {name: w, base: fixed, links: [{name: l, mass: 1, inertia: [1, 1, 1]}], shapes: [{link: l, kind: box, size: "
    "[1, 1, 1]}]}\n",
};

/// The scene of one of them, loaded once.
static inline const srs_scene *fuzz_model(int which)
{
  static srs_scene *scenes[FUZZ_MODELS];
  if (scenes[which] == NULL) scenes[which] = fuzz_scene(fuzz_models[which]);
  const srs_model *model = srs_scene_model(scenes[which]);
  fuzz_demand(srs_model_nq(model) <= FUZZ_MOST_Q && srs_model_nv(model) <= FUZZ_MOST_V, "models are small");
  return scenes[which];
}
