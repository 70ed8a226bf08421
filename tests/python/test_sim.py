"""Simulations from Python: the same bits as the command's, closed forms, inputs, contacts, snapshots, callbacks."""
import os
import pickle
import unittest

import numpy as np
import sarrus
from support import ARM, CHAIN, PENDULUM, Q_ARM, ball, folder, pendulum, run, sample


class Motion(unittest.TestCase):
    def test_a_run_has_the_bits_of_the_command(self):
        with folder() as place:
            name = os.path.join(place, "p.csv")
            run("run", PENDULUM, "--duration", "0.5", "--out", name, "--json")
            command = sarrus.read_csv(name)
        here = sarrus.load_scene(PENDULUM).simulate().run(duration=0.5, every=10)
        self.assertEqual(here.q_names, command.q_names)
        np.testing.assert_array_equal(here.time, command.time)
        np.testing.assert_array_equal(here.q, command.q)
        np.testing.assert_array_equal(here.v, command.v)

    def test_a_ball_falls_by_half_g_t_squared(self):
        sim = ball(height=100)
        sim.step(1000)  # semi-implicit Euler: -g dt^2 n (n + 1) / 2
        self.assertAlmostEqual(sim.q[2], -9.81 * 1e-6 * 1000 * 1001 / 2, delta=1e-12)
        self.assertAlmostEqual(sim.time, 1, delta=1e-12)
        self.assertEqual(sim.steps, 1000)

    def test_a_ball_at_rest_weighs_what_gravity_says(self):
        sim = ball(height=0.1)
        sim.step(50)
        contacts = sim.contacts
        self.assertEqual(len(contacts), 1)
        floor, ball_ = [shape.name for shape in sim.model.shapes].index("floor"), 0
        self.assertEqual({int(contacts["shape_a"][0]), int(contacts["shape_b"][0])}, {ball_, floor})
        self.assertAlmostEqual(abs(contacts["force"][0, 2]), 9.81, delta=1e-9)
        self.assertAlmostEqual(abs(contacts["normal"][0, 2]), 1, delta=1e-15)
        self.assertEqual(contacts["friction"][0], 0.5)
        self.assertEqual(sim.statistics.contacts_max, 1)

    def test_a_swing_keeps_its_energy_with_rk4(self):
        sim = pendulum().simulate(integrator="rk4")
        sim.set_state(q=[1.0])
        start = sim.energies
        sim.step(1000)
        end = sim.energies
        self.assertAlmostEqual(start.kinetic + start.potential, end.kinetic + end.potential, delta=1e-9)

    def test_run_counts_steps_and_samples(self):
        sim = pendulum().simulate()
        run_ = sim.run(steps=25, every=10)
        self.assertEqual((len(run_), sim.steps), (3, 25))
        np.testing.assert_allclose(run_.time, [0, 0.01, 0.02], atol=1e-15)
        self.assertEqual(len(sim.run(duration=0.1)), 101)
        with self.assertRaises(TypeError):
            sim.run()
        with self.assertRaises(ValueError):
            sim.run(steps=-1)

    def test_long_step_calls_are_the_same_as_short_ones(self):
        one, many = pendulum().simulate(), pendulum().simulate()
        for sim in (one, many):
            sim.set_state(q=[1.0])
        one.step(45000)
        for _ in range(45):
            many.step(1000)
        np.testing.assert_array_equal(one.q, many.q)

    def test_divergence_is_raised_with_time_and_step_and_the_state_stays(self):
        sim = pendulum(2).simulate()
        sim.step(3)
        sim.set_torque([1e308, -1e308])
        with self.assertRaisesRegex(sarrus.DivergedError, "step"):
            sim.step(100)
        self.assertTrue(np.isfinite(sim.q).all() and np.isfinite(sim.v).all())


class Inputs(unittest.TestCase):
    def test_torque_holds_until_it_is_cleared(self):
        sim = pendulum().simulate(gravity=(0, 0, 0))
        sim.torque = [2.0]
        sim.step(500)
        self.assertAlmostEqual(sim.v[0], 2.0 * 0.5, delta=1e-12)
        np.testing.assert_array_equal(sim.torque, [2.0])
        sim.clear_inputs()
        sim.step(500)
        self.assertAlmostEqual(sim.v[0], 1.0, delta=1e-12)

    def test_a_wrench_turns_as_its_lever_says(self):
        sim = pendulum().simulate(gravity=(0, 0, 0))
        sim.set_wrench("bob1", [0, 3, 0, 0, 0, 0])
        sim.step()
        self.assertAlmostEqual(sim.v[0], 3e-3, delta=1e-15)
        with self.assertRaisesRegex(ValueError, "wrench"):
            sim.set_wrench("bob1", [1, 2, 3])

    def test_a_servo_reaches_its_reference(self):
        sim = pendulum().simulate(gravity=(0, 0, 0))
        sim.set_servo([0.7], None, 1e4, 2e2)
        sim.step(2000)
        self.assertAlmostEqual(sim.q[0], 0.7, delta=1e-9)
        sim.set_actuator("hinge1", torque=1.0, kp=0.0, kd=0.0)
        sim.step()
        self.assertAlmostEqual(sim.actuator_effort[0], 1.0, delta=1e-12)

    def test_rows_of_torques_are_held_for_a_step_each(self):
        rows = np.random.default_rng(3).uniform(-1, 1, (50, 7))
        one, two = (sarrus.load(ARM).simulate() for _ in range(2))
        run_ = one.run(steps=50, torque=rows)
        for row in rows:
            two.set_torque(row)
            two.step()
        np.testing.assert_array_equal(run_.q[-1], two.q)
        np.testing.assert_array_equal(run_.v[-1], two.v)

    def test_a_callback_may_set_inputs(self):
        rows, calls = np.random.default_rng(3).uniform(-1, 1, (50, 7)), []

        def control(sim):
            calls.append(sim.time)
            sim.set_torque(rows[len(calls) - 1])

        one, two = (sarrus.load(ARM).simulate() for _ in range(2))
        with_callback, plain = one.run(steps=50, callback=control), two.run(steps=50, torque=rows)
        np.testing.assert_array_equal(with_callback.q, plain.q)
        self.assertEqual(len(calls), 50)


class ViewsAndCopies(unittest.TestCase):
    def test_F91_a_log_of_q_keeps_each_configuration(self):
        sim, log = sarrus.load(CHAIN).simulate(), []
        sim.set_state(v=np.ones(12))
        for _ in range(3):
            sim.step()
            log.append(sim.q)
        self.assertFalse(np.array_equal(log[0], log[1]) or np.array_equal(log[1], log[2]))

    def test_a_view_follows_the_state_and_cannot_be_written(self):
        sim = sarrus.load(CHAIN).simulate()
        q, v = sim.view_q(), sim.view_v()
        sim.set_state(v=np.ones(12))
        sim.step()
        np.testing.assert_array_equal(q, sim.q)
        np.testing.assert_array_equal(v, sim.v)
        with self.assertRaises(ValueError):
            q[0] = 1
        sim.reset()
        np.testing.assert_array_equal(v, np.zeros(12))

    def test_copies_can_be_written_and_change_nothing(self):
        sim = sarrus.load(CHAIN).simulate()
        q = sim.q
        q[:] = 7
        np.testing.assert_array_equal(sim.q, np.zeros(12))
        with self.assertRaisesRegex(sarrus.UnsupportedError, "energy_balance=True"):
            sim.energy_balance


class Snapshots(unittest.TestCase):
    def test_a_run_goes_on_from_a_pickled_snapshot_with_the_same_bits(self):
        scene = sarrus.load_scene(PENDULUM)
        sim = scene.simulate()
        sim.step(1000)
        shot = pickle.loads(pickle.dumps(sim.snapshot()))
        sim.step(500)
        other = scene.simulate()
        other.restore(shot)
        self.assertEqual(other.time, shot.time)
        other.step(500)
        np.testing.assert_array_equal(sim.q, other.q)
        self.assertEqual(sim.snapshot(), other.snapshot())

    def test_another_models_snapshot_is_refused_and_nothing_changes(self):
        arm, chain = sarrus.load(ARM).simulate(), sarrus.load(CHAIN).simulate()
        arm.set_state(q=Q_ARM)
        with self.assertRaises(sarrus.ArgumentError):
            arm.restore(chain.snapshot())
        np.testing.assert_array_equal(arm.q, Q_ARM)
        with self.assertRaises(sarrus.ArgumentError):
            arm.restore(sarrus.Snapshot(b"rubbish", 0))

    def test_a_sim_says_how_to_pickle_it(self):
        with self.assertRaisesRegex(TypeError, "snapshot"):
            pickle.dumps(sarrus.load(ARM).simulate())


class Callbacks(unittest.TestCase):
    def test_contact_problems_are_seen_and_solve_to_the_same_impulses(self):
        sim, seen = ball(height=0.1), []
        sim.watch_contacts(lambda *arguments: seen.append(arguments))
        sim.step(5)
        sim.watch_contacts(None)
        sim.step(5)
        self.assertIn(len(seen), (5, 6))  # a step may solve twice
        problem, impulse, report = seen[-1]
        self.assertEqual(report.status, "solved")
        np.testing.assert_allclose(problem.solve().impulse, impulse, atol=1e-12)
        self.assertAlmostEqual(impulse[0], 9.81e-3, delta=1e-12)

    def test_what_a_callback_raises_comes_out_of_the_step(self):
        sim = ball(height=0.1)

        def fail(*_):
            raise KeyError("mine")

        sim.watch_contacts(fail)
        with self.assertRaisesRegex(KeyError, "mine"):
            sim.step(5)
        sim.watch_contacts(None)
        sim.step(5)

    def test_a_callback_that_uses_its_sim_gets_BusyError(self):
        sim, found = ball(height=0.1), []

        def use(*_):
            try:
                sim.step()
            except sarrus.BusyError:
                found.append("step")
            try:
                found.append(sim.q)
            except sarrus.BusyError:
                found.append("q")

        sim.watch_contacts(use)
        sim.step()
        self.assertEqual(found[:2], ["step", "q"])

    def test_a_motion_may_be_a_function_of_python(self):
        builder = sarrus.Builder()
        builder.add_link("slider", mass=1, inertia=(1, 1, 1, 0, 0, 0))
        builder.add_joint("rail", "prismatic", "slider", axis=(1, 0, 0))
        builder.add_coupling("rail", motion={"kind": "function", "function": lambda t: (0.1 * np.sin(t), 0.1 * np.cos(t))})
        sim = builder.build().simulate()
        sim.step(500)
        self.assertAlmostEqual(sim.q[0], 0.1 * np.sin(0.5), delta=1e-9)

    def test_what_a_motion_raises_comes_out_of_the_step(self):
        def fail(t):
            if t > 0.01:
                raise ZeroDivisionError("in the motion")
            return 0.0, 0.0

        builder = sarrus.Builder()
        builder.add_link("slider", mass=1, inertia=(1, 1, 1, 0, 0, 0))
        builder.add_joint("rail", "prismatic", "slider", axis=(1, 0, 0))
        builder.add_coupling("rail", motion=sarrus.Motion(kind="function", function=fail))
        sim = builder.build().simulate()
        with self.assertRaisesRegex(ZeroDivisionError, "in the motion"):
            sim.step(100)


class Results(unittest.TestCase):
    def test_a_recorder_takes_names_and_patterns(self):
        with folder() as place:
            name = os.path.join(place, "chosen.csv")
            sim = pendulum(1).simulate()
            with sim.recorder(name, columns=["q:*", "energy:kinetic"]) as recorder:
                sim.step(10)
                recorder.add()
            with open(name) as file:
                header = file.readline().rstrip("\n").split(",")
            self.assertEqual(header[0], "time")
            self.assertEqual(header[-1], "energy:kinetic")
            self.assertTrue(all(each.startswith("q:") for each in header[1:-1]))
            with self.assertRaises(sarrus.Error):
                sim.recorder(name, columns=["w:*"])

    def test_a_recorder_writes_what_read_csv_reads(self):
        with folder() as place:
            name = os.path.join(place, "ball.csv")
            sim = ball(height=0.1)
            with sim.recorder(name, contacts=True) as recorder:
                for _ in range(3):
                    sim.step(10)
                    recorder.add()
            back = sarrus.read_csv(name)
            self.assertEqual(len(back), 4)
            self.assertAlmostEqual(abs(back["contact:ball:floor:fz"][-1]), 9.81, delta=1e-9)
            np.testing.assert_array_equal(back.q[-1], sim.q)
            self.assertTrue(os.path.exists(name + ".yaml"))
            with self.assertRaisesRegex(TypeError, "wrenches"):
                sim.recorder(name, everything=True)

    def test_write_csv_reads_back_the_same_doubles(self):
        run_ = pendulum(2).simulate().run(steps=100, every=7)
        with folder() as place:
            name = os.path.join(place, "p.csv")
            run_.write_csv(name)
            back = sarrus.read_csv(name)
        np.testing.assert_array_equal(back.q, run_.q)
        np.testing.assert_array_equal(back["v:hinge2"], run_["v:hinge2"])
        with self.assertRaisesRegex(KeyError, "q:hinge1"):
            back["q:hinge9"]

    def test_files_that_are_no_trajectories_are_refused_by_line(self):
        with folder() as place:
            name = os.path.join(place, "bad.csv")
            with open(name, "w", encoding="utf-8") as file:
                file.write("time,q:a\n0,1\n1,x\n")
            with self.assertRaisesRegex(sarrus.FileSyntaxError, "bad.csv:3"):
                sarrus.read_csv(name)
            with self.assertRaises(sarrus.FileError):
                sarrus.read_csv(name + ".none")

    def test_frames_loops_and_joints_can_be_asked_of_a_sim(self):
        sim = sarrus.load_scene(sample("four_bar.yaml")).simulate()
        sim.step(100)
        self.assertLess(sim.statistics.closure_error_max, 1e-12)
        link, wrench = sim.loop_wrench("coupler-rocker")
        self.assertEqual((sim.model.links[link].name, wrench.shape), ("rocker", (6,)))
        np.testing.assert_allclose(sim.jacobian("rocker") @ sim.v, sim.velocity("rocker"), atol=1e-12)
        self.assertEqual(sim.joint_wrench("crank").shape, (6,))
        np.testing.assert_allclose(sim.placement("rocker").position, [0.4, 0, 0], atol=1e-15)
        self.assertEqual(set(np.array(sarrus.ROW_SOURCES)[sim.rows["source"]]), {"loop"})
        self.assertEqual(sim.acceleration().shape, (3,))
        balance = sim.energy_balance
        self.assertAlmostEqual(balance.kinetic, balance.rest + balance.loops, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
