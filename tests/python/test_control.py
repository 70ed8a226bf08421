"""In the control loop from Python: linearisation, sensors, parameters that change, tendons."""
import unittest

import numpy as np
import sarrus
from support import ARM, Q_ARM, ball, pendulum

G = 9.81


def box(mass=2.0, friction=0.4):
    """A sim of a box on a floor, at rest."""
    builder = sarrus.Builder()
    builder.add_link("box", mass=mass, inertia=(0.02, 0.02, 0.02, 0, 0, 0))
    builder.add_joint("root", "free", "box", origin=(0, 0, 0.1))
    builder.add_shape("box", "box", size=(0.2, 0.2, 0.2), name="box")
    builder.add_shape("half-space", name="floor")
    return builder.build().simulate(contact={"friction": friction})


class Linearisation(unittest.TestCase):
    def test_of_a_pendulum(self):
        h, sim = 1e-3, pendulum(length=0.5, mass=3).simulate(dt=1e-3)
        A, B, P, status, *_ = sim.linearisation([("mass", "bob1"), ("gravity", 2)])()
        rate = -h * G / 0.5  # semi-implicit Euler: v+ = v - h g/l q, q+ = q + h v+
        np.testing.assert_allclose(A, [[1 + h * rate, h], [rate, 1]], atol=1e-12)
        np.testing.assert_allclose(B, [[h * h / 0.75], [h / 0.75]], atol=1e-12)
        np.testing.assert_allclose(P, np.zeros((2, 2)), atol=1e-12)
        self.assertEqual(status, "smooth")

    def test_of_an_arm_against_differences(self):
        model = sarrus.load(ARM)
        sim = model.simulate(joint={"friction": False, "limits": False})
        v, tau = np.linspace(-1, 1, 7), np.linspace(3, -2, 7)

        def end(q, v, tau):
            sim.set_state(q, v, 0)
            sim.set_torque(tau)
            sim.step()
            return np.concatenate([sim.q, sim.v])

        found = {}
        sim.set_state(Q_ARM, v)
        sim.set_torque(tau)
        found["A"], found["B"], *_ = sim.linearisation()()
        e, eye = 1e-5, np.eye(7)
        columns = [(e * each, 0, 0) for each in eye] + [(0, e * each, 0) for each in eye] + [(0, 0, e * each) for each in eye]
        differences = [(end(Q_ARM + a, v + b, tau + c) - end(Q_ARM - a, v - b, tau - c)) / (2 * e) for a, b, c in columns]
        np.testing.assert_allclose(np.hstack([found["A"], found["B"]]), np.array(differences).T, atol=1e-7)

    def test_a_box_that_slides_names_its_friction(self):
        sim = box()
        sim.step(5)
        sim.set_state(v=[1, 0, 0, 0, 0, 0])
        _, _, P, status, n_rows, *_ = sim.linearisation([("friction", "box"), ("mass", "box")])()
        self.assertGreater(n_rows, 0)
        self.assertIn(status, ("one-sided", "not smooth"))
        mu = sim.shape_material("box")[0]
        combined = 0.5 * np.sqrt(0.4 / mu)  # friction of a pair is the geometric mean
        self.assertAlmostEqual(P[6, 0], -G * 1e-3 * combined, delta=1e-9)
        self.assertAlmostEqual(P[6, 1], 0, delta=1e-9)

    def test_what_it_does_not_do(self):
        with self.assertRaisesRegex(sarrus.UnsupportedError, "rk4"):
            pendulum().simulate(integrator="rk4").linearisation()
        sim = pendulum().simulate()
        with self.assertRaisesRegex(ValueError, "parameter is 'masss'; it can be mass, com"):
            sim.linearisation([("masss", "bob1")])
        with self.assertRaisesRegex(ValueError, "needs what it is of"):
            sim.linearisation(["mass"])
        with self.assertRaisesRegex(KeyError, "no frame 'bob7'"):
            sim.linearisation([("mass", "bob7")])


class Sensors(unittest.TestCase):
    def test_what_instruments_show(self):
        sim = ball(height=0.1)
        sensors = sim.sensors({"imu": {"kind": "imu", "frame": "ball"}, "foot": {"kind": "contact", "frame": "ball", "axes": "world"},
                               "where": {"kind": "pose", "frame": "ball"}})
        sim.step(20)
        shown = sensors.read()
        np.testing.assert_allclose(shown["imu"], [0, 0, 0, 0, 0, G], atol=1e-9)
        np.testing.assert_allclose(shown["foot"], [0, 0, 0, 0, 0, G], atol=1e-9)
        np.testing.assert_allclose(shown["where"], [0, 0, 0.1, 1, 0, 0, 0], atol=1e-9)
        self.assertEqual(len(sensors.columns), 19)
        self.assertEqual(sensors.columns[0].split(":")[0], "imu")
        np.testing.assert_array_equal(np.concatenate(list(shown.values())), sensors.read_all())

    def test_of_joints(self):
        sim = pendulum().simulate()
        sensors = sim.sensors({"angle": {"kind": "joint-position", "coordinate": "hinge1"},
                               "rate": {"kind": "joint-velocity", "coordinate": 0}})
        sim.set_state(q=[0.3], v=[2.0])
        self.assertEqual({name: float(x[0]) for name, x in sensors.read().items()}, {"angle": 0.3, "rate": 2.0})
        self.assertEqual(sensors.columns, ["angle", "rate"])

    def test_wrong_ones_are_named(self):
        sim = pendulum().simulate()
        with self.assertRaisesRegex(TypeError, "sensor 'a' needs a frame"):
            sim.sensors({"a": {"kind": "imu"}})
        with self.assertRaisesRegex(ValueError, "kind of sensor 'a' is 'imp'"):
            sim.sensors({"a": {"kind": "imp", "frame": "bob1"}})
        with self.assertRaisesRegex(TypeError, "sensor 'a' has no 'colour'"):
            sim.sensors({"a": {"kind": "imu", "frame": "bob1", "colour": 3}})
        with self.assertRaisesRegex(sarrus.ArgumentError, "range"):
            sim.sensors({"a": {"kind": "range", "frame": "bob1", "range": -1}})


class Parameters(unittest.TestCase):
    def test_masses_and_gravity(self):
        sim = box(friction=0)
        sim.set_link_mass("box", 8)
        self.assertEqual(sim.link_inertia("box").mass, 8)
        np.testing.assert_allclose(sim.link_inertia("box").inertia, [0.08, 0.08, 0.08, 0, 0, 0], rtol=1e-14)
        sim.set_gravity((0, 0, -2))
        sim.set_wrench("box", (0, 0, 0, 4, 0, 0))
        sim.step(100)
        self.assertAlmostEqual(sim.v[0], 0.05, delta=1e-12)  # 4 N / 8 kg in 0.1 s
        self.assertAlmostEqual(sim.contacts["force"][:, 2].sum(), 16, delta=1e-8)
        self.assertTrue(sim.has_own_parameters)
        sim.reset()
        self.assertFalse(sim.has_own_parameters)
        self.assertEqual(sim.link_inertia("box").mass, 2)
        sim.set_link_inertia("box", 2, (0, 0, 0), 0.05 * np.eye(3))
        np.testing.assert_allclose(sim.link_inertia("box").inertia, [0.05, 0.05, 0.05, 0, 0, 0], rtol=1e-14)
        with self.assertRaises(sarrus.ArgumentError):
            sim.set_link_mass("box", -1)

    def test_joints_and_shapes(self):
        sim = pendulum().simulate()
        sim.set_coordinate_parameters("hinge1", damping=2.0)
        self.assertEqual(sim.coordinate_parameters("hinge1").damping, 2)
        with self.assertRaisesRegex(AttributeError, "did you mean 'damping'"):
            sim.set_coordinate_parameters("hinge1", dampin=2.0)
        sim = ball(height=0.3)
        sim.set_shape_size("ball", 0.25)
        sim.set_shape_material("ball", 0.1, 0.5)
        self.assertEqual((sim.shape_size("ball")[0], sim.shape_material("ball")), (0.25, (0.1, 0.5)))
        with self.assertRaisesRegex(KeyError, "no shape 'bell'"):
            sim.set_shape_size("bell", 1)

    def test_rollouts_have_the_parameters_of_their_sim(self):
        sim = box()
        sim.set_link_mass("box", 5)
        sim.set_shape_material("box", 0.05)
        start = sim.snapshot()
        v = np.array([[speed, 0, 0, 0, 0, 0] for speed in (0.5, 1, 2, 3)], float)
        out = sim.rollout((np.tile(sim.q, (4, 1)), v), steps=50, threads=2)
        for row, speed in enumerate(v):
            sim.restore(start)
            sim.set_state(v=speed)
            sim.step(50)
            np.testing.assert_array_equal(out.q[row, -1], sim.q)
            np.testing.assert_array_equal(out.v[row, -1], sim.v)


class Tendons(unittest.TestCase):
    def test_a_spring_over_two_pulleys(self):
        builder = sarrus.Builder()
        for name in ("a", "b"):
            builder.add_link(name, mass=1, inertia=(1, 1, 1, 0, 0, 0))
            builder.add_joint(f"turn_{name}", "continuous", name, axis=(0, 0, 1))
        builder.add_tendon("rope", {"turn_a": 0.1, "turn_b": -0.2}, stiffness=50.0)
        sim = builder.build().simulate(dt=1e-4, integrator="moreau-midpoint")
        sim.set_state(q=[0.5, 0])
        sim.step(1)
        length = 0.05
        np.testing.assert_allclose(sim.v, [-50 * length * 0.1 * 1e-4, 50 * length * 0.2 * 1e-4], rtol=1e-6)

    def test_a_rope_that_holds_a_ratio(self):
        builder = sarrus.Builder()
        for name in ("a", "b"):
            builder.add_link(name, mass=1, inertia=(1, 1, 1, 0, 0, 0))
            builder.add_joint(f"turn_{name}", "continuous", name, axis=(0, 0, 1))
        builder.add_tendon("belt", {"turn_a": 1.0}, {"turn_b": 1.0}, polynomial=(0, 2))
        sim = builder.build().simulate()
        sim.set_torque([5.0, 0])
        sim.step(1000)
        self.assertAlmostEqual(sim.q[0], 2 * sim.q[1], delta=1e-10)
        self.assertAlmostEqual(sim.v[0], 4 * 5.0 / 5, delta=1e-9)  # (1 + 1/4) a = 5


if __name__ == "__main__":
    unittest.main()
