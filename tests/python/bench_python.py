"""What Python costs over C: a step of the 12-link pendulum, and rollouts on one thread and on all.

    PYTHONPATH=build/release/python python3 tests/python/bench_python.py

Read, not asserted. Each figure is the least of many tries, interleaved.
"""
import os
import time

import numpy as np
import sarrus

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "samples", "pendulum12.yaml")
STEPS, TRIES = 300, 600


def of(scene, call):
    """Seconds that STEPS steps from the scene's start take."""
    sim = scene.simulate()
    start = time.perf_counter()
    call(sim)
    return time.perf_counter() - start


def in_c(sim):
    sim.run(steps=STEPS, every=STEPS, torque=NONE)


def stepping(sim):
    step = sim.step
    for _ in range(STEPS):
        step()


def loop(sim):
    tau = np.zeros(sim.model.nv)
    for _ in range(STEPS):
        sim.set_torque(tau)
        sim.step()
        sim.q, sim.v


def rollouts(scene, threads):
    sim, n = scene.simulate(), 64
    states = np.hstack([np.tile(scene.q, (n, 1)), scene.v + np.linspace(0, 1, n)[:, None]])
    start, processor = time.perf_counter(), time.process_time()
    sim.rollout(states, steps=1000, every=100, threads=threads)
    return time.perf_counter() - start, time.process_time() - processor


scene = sarrus.load_scene(SCENE)
NONE = np.zeros((STEPS, scene.model.nv))
least = {}
for _ in range(TRIES):
    for call in (in_c, stepping, loop):
        least[call] = min(least.get(call, np.inf), of(scene, call))
base = least[in_c] / STEPS * 1e6
print(f"a step with its torques, in C                 {base:6.2f} us")
print(f"sim.step()                                    {least[stepping] / STEPS * 1e6:6.2f} us   {least[stepping] / STEPS * 1e6 - base:+.2f}")
print(f"set_torque, step, q, v                        {least[loop] / STEPS * 1e6:6.2f} us   {least[loop] / STEPS * 1e6 - base:+.2f}")
cores = sarrus.rollout.cores()
one, many = ([min(each) for each in zip(*[rollouts(scene, threads) for _ in range(9)])] for threads in (1, cores))
print(f"64 rollouts of 1000 steps, 1 thread {one[0] * 1e3:.0f} ms, {cores} threads {many[0] * 1e3:.0f} ms: {one[0] / many[0]:.2f} times "
      f"as fast; processor time {one[1] * 1e3:.0f} and {many[1] * 1e3:.0f} ms")
