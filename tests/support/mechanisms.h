// Scenes in which everything that holds a mechanism acts at once.
#pragma once

/// F50: the four-bar of F44 on a free box of 2 kg that rests on the floor, with dry friction and limits in its rocker
/// and an actuator with limits on its crank. %s: more keys of the scene.
static const char mechanisms_four_bar_on_a_box[] =
    "models:\n"
    "  - name: walker\n"
    "    base: floating\n"
    "    position: [0, 0, 0.05]\n"
    "    links:\n"
    "      - {name: box, mass: 2, inertia: [0.02, 0.05, 0.05]}\n"
    "      - {name: crank, mass: 0.0356, com: [0, 0, 0.05], inertia: [3.9e-5, 3.9e-5, 1.8e-6]}\n"
    "      - {name: coupler, mass: 0.114, com: [0.1493609475, 0, 0.0911937901], inertia: [3.5e-4, 1.26e-3, 9.2e-4, 0, "
    "-5.5e-4, 0]}\n"
    "      - {name: rocker, mass: 0.0984, com: [-0.0506390525, 0, 0.1411937901], inertia: [7.2e-4, 8.1e-4, 9.7e-5, 0, "
    "2.5e-4, 0]}\n"
    "    joints:\n"
    "      - {name: q1, kind: revolute, parent: box, child: crank, axis: [0, 1, 0], origin: {position: [-0.2, 0, "
    "0.05]}, "
    "friction: 0.01, max_effort: 0.5, max_velocity: 6}\n"
    "      - {name: q2, kind: revolute, parent: crank, child: coupler, axis: [0, 1, 0], origin: {position: [0, 0, "
    "0.1]}}\n"
    "      - {name: q3, kind: revolute, parent: box, child: rocker, axis: [0, 1, 0], origin: {position: [0.2, 0, "
    "0.05]}, friction: 0.05, lower: -1.5, upper: 1.5}\n"
    "    closures:\n"
    "      - {name: coupler-rocker, kind: revolute, axis: [0, 1, 0], frame_a: coupler, frame_b: rocker,\n"
    "         pose_a: {position: [0.2987218950531729, 0, 0.1823875802126918]},\n"
    "         pose_b: {position: [-0.1012781049468271, 0, 0.2823875802126918]}}\n"
    "    shapes: [{link: box, kind: box, size: [0.5, 0.3, 0.1]}]\n"
    "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
    "%s\n";
