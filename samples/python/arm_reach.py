"""Reaching under computed torque, arm_reach.c in Python: inverse kinematics finds the goal configuration, a minimum-jerk path
leads there, and inverse dynamics, tau = M(q) (a_ref + kp e + kd e') + c(q, v) + D v, gives the torques at 1 kHz.

What to see: the error (m and rad) falls from 1.1 to under 1e-6. Run it from the root of the source tree:

    PYTHONPATH=build/release/python python3 samples/python/arm_reach.py
"""
import numpy as np
import sarrus

TARGET = sarrus.Pose(np.array([0.55, 0.35, 0.35]), np.diag([-1.0, 1.0, -1.0]))  # in front, to the left, pointing down
START, DURATION = np.array([0, 0.3, 0, 1.0, 0, 0.6, 0]), 2.0  # rad, s


def path(t):
    """Minimum jerk from 0 to 1 in DURATION: (s, ds/dt, d2s/dt2)."""
    t = min(t / DURATION, 1.0)
    return (t ** 3 * (10 - 15 * t + 6 * t * t), 30 * (t * (1 - t)) ** 2 / DURATION,
            60 * t * (1 - t) * (1 - 2 * t) / DURATION ** 2)


def error_at(place):
    """|[rotation; offset]| from the target, rad and m alike."""
    turn = sum(np.cross(place.rotation[:, k], TARGET.rotation[:, k]) for k in range(3)) / 2
    return np.linalg.norm(np.r_[turn, TARGET.position - place.position])


def main():
    model = sarrus.load("samples/arm.urdf")
    dynamics, sim = model.dynamics(), model.simulate()
    goal, _ = sarrus.inverse_kinematics(model, {"tool": TARGET}, q=START)
    sim.set_state(q=START)
    way = goal - START
    for step in range(2501):
        q, v = sim.q, sim.v
        s, ds, dds = path(sim.time)
        a = dds * way + 400 * (START + s * way - q) + 40 * (ds * way - v)
        if step % 500 == 0:
            off = error_at(sim.placement("tool"))
            print(f"{1e-3 * step:.1f} s: off by {off:.2e}")
        sim.set_torque(dynamics.inverse_dynamics(q, v, a) - model.passive_forces(q, v))
        sim.step()
    assert off < 1e-3


if __name__ == "__main__":
    main()
