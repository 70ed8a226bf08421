"""Rollouts: the same bits with any number of threads, and as one by one; the interpreter lock is free meanwhile."""
import os
import signal
import threading
import time
import unittest

import numpy as np
import sarrus
from support import ARM, PENDULUM, ball, pendulum


def states_of(scene, n, seed=5):
    """n states near the scene's own."""
    random = np.random.default_rng(seed)
    return np.hstack([np.tile(scene.q, (n, 1)), scene.v + random.uniform(-1, 1, (n, scene.model.nv))])


def moved_by(motion):
    """A sim of a slider whose coordinate follows a function of Python."""
    builder = sarrus.Builder()
    builder.add_link("slider", mass=1, inertia=(1, 1, 1, 0, 0, 0))
    builder.add_joint("rail", "prismatic", "slider", axis=(1, 0, 0))
    builder.add_coupling("rail", motion={"kind": "function", "function": motion})
    return builder.build().simulate()


class Bits(unittest.TestCase):
    def setUp(self):
        self.scene = sarrus.load_scene(PENDULUM)
        self.states = states_of(self.scene, 7)
        self.inputs = np.random.default_rng(6).uniform(-1, 1, (7, 400, 12))

    def one_by_one(self):
        sim, nq, found = self.scene.simulate(), self.scene.model.nq, []
        start = sim.snapshot()
        for state, inputs in zip(self.states, self.inputs):
            sim.restore(start)
            sim.set_state(state[:nq], state[nq:])
            rows = [sim.q]
            for torque in inputs:
                sim.set_torque(torque)
                sim.step()
                rows.append(sim.q)
            found.append(rows)
        return np.array(found)

    def test_any_number_of_threads_gives_the_bits_of_one_by_one(self):
        expected = self.one_by_one()
        for threads in (0, 1, 2, 3, 16):
            found = self.scene.simulate().rollout(self.states, self.inputs, threads=threads)
            np.testing.assert_array_equal(found.q, expected)
            self.assertEqual((found.time.shape, found.v.shape, found.errors), ((401,), (7, 401, 12), {}))

    def test_the_sim_itself_does_not_move_and_its_inputs_act(self):
        sim = pendulum().simulate(gravity=(0, 0, 0))
        sim.set_torque([2.0])
        sim.step(10)
        before = sim.snapshot()
        found = sim.rollout(([[0.0], [0.0]], [[0.0], [1.0]]), steps=500, threads=2)
        self.assertEqual(sim.snapshot(), before)
        np.testing.assert_allclose(found.v[:, -1, 0], [1.0, 2.0], atol=1e-12)
        self.assertAlmostEqual(found.time[0], 0.01, delta=1e-15)

    def test_inputs_for_all_rows_and_samples_every_so_many(self):
        sim, rows = sarrus.load(ARM).simulate(), np.random.default_rng(7).uniform(-1, 1, (50, 7))
        found = sim.rollout((np.zeros((3, 7)), np.zeros((3, 7))), rows, every=20)
        plain = sim.run(steps=50, torque=rows)
        self.assertEqual(found.q.shape, (3, 3, 7))
        for row in found.q:
            np.testing.assert_array_equal(row, plain.q[::20])

    def test_rows_may_begin_from_snapshots_with_their_contacts(self):
        sim, shots = self.scene.simulate(), []
        for _ in range(4):
            sim.step(300)
            shots.append(sim.snapshot())
        found = sim.rollout(shots, steps=300, every=300, threads=2)
        for i in range(3):
            np.testing.assert_array_equal(found.q[i, -1], found.q[i + 1, 0])
        self.assertEqual(found.time.shape, (4, 2))


class Errors(unittest.TestCase):
    def setUp(self):
        self.sim = pendulum(2).simulate()
        self.states, self.inputs = np.zeros((3, 4)), np.zeros((3, 100, 2))
        self.inputs[1] = (1e308, -1e308)

    def test_the_first_error_by_row_is_raised(self):
        with self.assertRaises(sarrus.DivergedError):
            self.sim.rollout(self.states, self.inputs)

    def test_or_kept_with_samples_up_to_there(self):
        found = self.sim.rollout(self.states, self.inputs, errors="keep", threads=2)
        self.assertEqual(list(found.errors), [1])
        self.assertIsInstance(found.errors[1], sarrus.DivergedError)
        self.assertTrue(np.isfinite(found.q[[0, 2]]).all() and np.isfinite(found.time).all())
        self.assertTrue(np.isfinite(found.q[1, 0]).all() and np.isnan(found.q[1, -1]).all())

    def test_the_kept_errors_are_those_of_a_sim_alone(self):
        inputs = np.zeros((9, 100, 2))
        inputs[4, 50], inputs[7, 20, 0] = (1e308, -1e308), np.nan
        for threads in (1, 2, 8):
            found = self.sim.rollout(np.zeros((9, 4)), inputs, errors="keep", threads=threads, every=10)
            self.assertEqual(list(found.errors), [4, 7])
            for row, samples in ((4, 6), (7, 3)):
                with self.assertRaises(sarrus.Error) as alone:
                    pendulum(2).simulate().run(steps=100, torque=inputs[row])
                self.assertIs(type(found.errors[row]), type(alone.exception))
                self.assertEqual(str(found.errors[row]), str(alone.exception))
                self.assertTrue(np.isfinite(found.q[row, :samples]).all() and np.isnan(found.q[row, samples:]).all())

    def test_wrong_input_is_refused_before_anything_runs(self):
        sim = self.sim
        for arguments, kind in ((dict(states=np.zeros((3, 5)), steps=1), ValueError), (dict(states=self.states), TypeError),
                                (dict(states=self.states, inputs=np.zeros((2, 9, 2))), ValueError),
                                (dict(states=self.states, inputs=self.inputs, steps=9), ValueError),
                                (dict(states=self.states, steps=-1), ValueError),
                                (dict(states=self.states, steps=1, errors="ignore"), ValueError),
                                (dict(states=(np.zeros((3, 2)), np.zeros((2, 2))), steps=1), ValueError)):
            with self.assertRaises(kind):
                sim.rollout(**arguments)
        with self.assertRaises(TypeError):
            sim.rollout([sim.snapshot(), "x"], steps=1)
        with self.assertRaises(sarrus.NotFiniteError):
            sim.rollout(np.full((2, 4), np.nan), steps=1)

    def test_no_states_give_no_rows(self):
        self.assertEqual(self.sim.rollout(np.zeros((0, 4)), steps=3).q.shape, (0, 4, 2))


class Threads(unittest.TestCase):
    def test_the_interpreter_goes_on_while_a_sim_steps(self):
        sim, entered = sarrus.load_scene(PENDULUM).simulate(), threading.Event()

        def work():
            entered.set()
            sim.run(steps=50000, every=50000)

        thread, count, busy = threading.Thread(target=work), 0, 0
        thread.start()
        entered.wait()
        while thread.is_alive():  # were the lock held, this would be entered once or never
            count += 1
            try:
                sim.q
            except sarrus.BusyError:
                busy += 1
        thread.join()
        self.assertGreater(busy, 100)

    def test_a_second_thread_in_one_sim_gets_BusyError(self):
        sim, found = sarrus.load_scene(PENDULUM).simulate(), []

        def work():
            while True:
                try:
                    sim.run(steps=50000, every=50000)
                    return
                except sarrus.BusyError:  # the other one came first
                    pass

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive() and not found:
            time.sleep(0.001)  # steps without a pause would keep the other one out: each holds the sim whenever the lock is free
            try:
                sim.step()
            except sarrus.BusyError as error:
                found.append(error)
        thread.join()
        self.assertTrue(found)
        sim.step()

    def test_sims_of_one_model_in_threads_give_the_bits_of_one_thread(self):
        scene = sarrus.load_scene(PENDULUM)
        sims = [scene.simulate() for _ in range(4)]
        threads = [threading.Thread(target=sim.step, args=(5000,)) for sim in sims]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alone = scene.simulate()
        alone.step(5000)
        for sim in sims:
            np.testing.assert_array_equal(sim.q, alone.q)

    def test_motions_of_python_are_called_from_all_threads(self):
        sim = moved_by(lambda t: (0.1 * t, 0.1))
        found = sim.rollout(np.zeros((6, 2)), steps=200, threads=3)
        np.testing.assert_allclose(found.q[:, -1, 0], 0.02, atol=1e-12)

    def test_what_a_motion_raises_in_any_thread_comes_out(self):
        def motion(t):
            if t > 0.05:
                raise KeyError("too late")
            return 0.1 * t, 0.1

        sim = moved_by(motion)
        for threads in (1, 3):
            with self.assertRaises(KeyError):
                sim.rollout(np.zeros((6, 2)), steps=200, threads=threads)
            self.assertEqual(sim.rollout(np.zeros((6, 2)), steps=20, threads=threads).q.shape, (6, 21, 1))

    def test_rollouts_with_motions_in_several_threads_of_python(self):
        sims, found = [moved_by(lambda t, k=k: (k * t, k)) for k in range(4)], [None] * 4

        def work(k):
            found[k] = sims[k].rollout(np.zeros((5, 2)), steps=100, threads=2).q[:, -1, 0]

        workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for each in workers:
            each.start()
        for each in workers:
            each.join(60)
            self.assertFalse(each.is_alive())
        for k in range(4):
            np.testing.assert_allclose(found[k], 0.1 * k, atol=1e-12)

    def test_the_interpreter_goes_on_while_rows_run(self):
        scene = sarrus.load_scene(PENDULUM)
        sim, entered = scene.simulate(), threading.Event()

        def work():
            entered.set()
            sim.rollout(states_of(scene, 4), steps=20000, every=20000, threads=2)

        thread, count = threading.Thread(target=work), 0
        thread.start()
        entered.wait()
        while thread.is_alive():  # were the lock held, this would be entered once or never
            count += 1
        self.assertGreater(count, 100)

    def test_an_interrupt_is_raised_and_leaves_the_sim_usable(self):
        scene = sarrus.load_scene(PENDULUM)
        sim, states = scene.simulate(), states_of(scene, 20)
        for threads in (1, 2):
            timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
            with self.assertRaises(KeyboardInterrupt):
                timer.start()
                for _ in range(1000):
                    sim.rollout(states, steps=2000, every=2000, threads=threads)
            timer.join()
            sim.rollout(states, steps=2, threads=threads)

    def test_watched_sims_roll_out_without_their_callback(self):
        sim, seen = ball(height=0.1), []
        sim.watch_contacts(lambda *_: seen.append(1))
        sim.rollout([sim.snapshot()] * 3, steps=5, threads=2)
        self.assertEqual(seen, [])


class Lanes(unittest.TestCase):
    def setUp(self):
        self.scene = sarrus.load_scene(PENDULUM)
        self.sim = self.scene.simulate(contact={"enabled": False}, velocity_terms="mean")
        self.states = states_of(self.scene, 7)

    def test_rows_are_those_alone_to_rounding(self):
        inputs = np.random.default_rng(8).uniform(-1, 1, (7, 20, 12))
        alone = self.sim.rollout(self.states, inputs, every=5)
        for threads in (1, 2):
            found = self.sim.rollout(self.states, inputs, every=5, threads=threads, lanes=True)
            np.testing.assert_array_equal(found.time, alone.time)
            np.testing.assert_allclose(found.q, alone.q, rtol=0, atol=1e-12)
            np.testing.assert_allclose(found.v, alone.v, rtol=0, atol=1e-10)

    def test_what_is_in_the_way_is_said_with_its_cure(self):
        with self.assertRaisesRegex(sarrus.UnsupportedError, "switch contact off, or take no lanes"):
            self.scene.simulate().rollout(self.states, steps=3, lanes=True)

    def test_a_row_that_fails_does_so_as_alone(self):
        inputs = np.zeros((7, 10, 12))
        inputs[4, 3, 0] = np.nan
        found = self.sim.rollout(self.states, inputs, errors="keep", lanes=True)
        self.assertEqual(list(found.errors), [4])
        self.assertTrue(np.isnan(found.q[4, 4:]).all() and np.isfinite(found.q[[0, 1, 2, 3, 5, 6]]).all())


if __name__ == "__main__":
    unittest.main()
