"""Nothing outlives what it points to: models, scenes, sims, views and callbacks may be dropped in any order."""
import gc
import os
import threading
import unittest
import weakref

import numpy as np
import sarrus
from support import ARM, PENDULUM, ball, pendulum, sample


class Order(unittest.TestCase):
    def test_a_sim_keeps_its_model_and_a_model_its_scene(self):
        sim = sarrus.load_scene(PENDULUM).simulate()
        gc.collect()
        sim.step(300)
        self.assertEqual(sim.model.q_names[0], "hinge1")
        model = sarrus.load_scene(PENDULUM).model
        gc.collect()
        self.assertEqual(model.links[-1].name, "link12")

    def test_a_view_keeps_the_memory_of_its_sim(self):
        sim = pendulum(4).simulate()
        sim.set_state(q=[1, 2, 3, 4])
        view, part = sim.view_q(), sim.view_q()[1:3]
        del sim
        gc.collect()
        fill = [pendulum(4).simulate() for _ in range(20)]
        np.testing.assert_array_equal(view, [1, 2, 3, 4])
        np.testing.assert_array_equal(part, [2, 3])
        del fill

    def test_dynamics_batches_and_colliders_keep_their_model(self):
        things = [sarrus.load(ARM).dynamics(), sarrus.Batch(sarrus.load(ARM)), sarrus.Collider(sarrus.load(ARM))]
        gc.collect()
        self.assertEqual(things[0].mass_matrix(np.zeros(7)).shape, (7, 7))
        self.assertEqual(things[1].mass_matrix(np.zeros((2, 7))).shape, (2, 7, 7))
        things[2].contacts(np.zeros(7))

    def test_lists_and_names_of_options_live_as_long_as_they_are_needed(self):
        def options():
            made = sarrus.SimOptions()
            made.contact.materials = [sarrus.Material(name="m" * 50 + str(i), friction=0.1 * i) for i in range(20)]
            made.contact.collider.excluded = [("ball", "floor")]
            return made

        made = options()
        gc.collect()
        junk = [b"x" * 60 for _ in range(10000)]
        self.assertEqual(made.contact.materials[7].name, "m" * 50 + "7")
        part = options().contact
        gc.collect()
        junk += [b"y" * 60 for _ in range(10000)]
        self.assertEqual(part.materials[3].friction, 0.1 * 3)

    def test_a_motion_lives_as_long_as_its_model(self):
        def model():
            builder = sarrus.Builder()
            builder.add_link("slider", mass=1, inertia=(1, 1, 1, 0, 0, 0))
            builder.add_joint("rail", "prismatic", "slider", axis=(1, 0, 0))
            builder.add_coupling("rail", motion={"kind": "function", "function": lambda t: (0.5 * t, 0.5)})
            return builder.build()

        sim = model().simulate()
        gc.collect()
        sim.step(100)
        self.assertAlmostEqual(sim.q[0], 0.05, delta=1e-12)
        builder = sarrus.Builder()
        builder.add_link("slider", mass=1, inertia=(1, 1, 1, 0, 0, 0))
        builder.add_joint("rail", "prismatic", "slider", axis=(1, 0, 0))
        builder.add_coupling("rail", motion={"kind": "table", "times": np.arange(5.0), "values": np.arange(5.0) ** 2})
        sim = builder.build().simulate()
        del builder
        gc.collect()
        sim.step(1500)
        self.assertAlmostEqual(sim.q[0], 1 + 0.5 * 3, delta=1e-9)

    def test_a_recorder_may_be_forgotten(self):
        from support import folder
        with folder() as place:
            sim = ball()
            recorder = sim.recorder(f"{place}/x.csv")
            sim.step()
            recorder.add()
            del recorder
            gc.collect()
            self.assertEqual(len(sarrus.read_csv(f"{place}/x.csv")), 2)


class Circles(unittest.TestCase):
    def test_a_callback_that_knows_its_sim_does_not_keep_it_for_ever(self):
        sim = ball(height=0.1)
        sim.watch_contacts(lambda *_: sim)
        sim.step()
        gone = weakref.ref(sim)
        del sim
        gc.collect()
        self.assertIsNone(gone())

    def test_sims_are_freed_when_they_are_dropped(self):
        model = sarrus.load(ARM)
        sims = [model.simulate() for _ in range(10)]
        gone = [weakref.ref(sim) for sim in sims]
        del sims
        self.assertTrue(all(each() is None for each in gone))

    @unittest.skipIf("asan" in os.environ.get("LD_PRELOAD", ""), "AddressSanitizer keeps what was freed")
    def test_memory_does_not_grow(self):
        def used():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * 4096

        def once():
            scene = sarrus.load_scene(sample("four_bar.yaml"))
            sim = scene.simulate()
            sim.step(5)
            sim.rollout([sim.snapshot()] * 2, steps=3, threads=2)
            sarrus.Collider(scene.model).contacts(sim.q)
            sarrus.ContactProblem(np.eye(3), [-1, 0, 0], [0.5]).solve()

        for _ in range(60):
            once()
        gc.collect()
        before = used()
        for _ in range(200):
            once()
        gc.collect()
        self.assertLess(used() - before, 8 << 20)  # a leaked sim and model would be 200 times 100 kB


class Threads(unittest.TestCase):
    def test_models_are_made_and_dropped_in_many_threads(self):
        errors = []

        def work():
            try:
                for _ in range(20):
                    sim = sarrus.load(ARM).simulate()
                    sim.step(20)
                    sim.contacts
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_one_dynamics_in_two_threads_is_right_or_busy(self):
        dynamics, q = sarrus.load(ARM).dynamics(), np.linspace(0, 1, 7)
        expected, wrong = dynamics.mass_matrix(q), []

        def work():
            for _ in range(2000):
                try:
                    if not np.array_equal(dynamics.mass_matrix(q), expected):
                        wrong.append(1)
                except sarrus.BusyError:
                    pass

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
