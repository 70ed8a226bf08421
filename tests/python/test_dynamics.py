"""Kinematics and dynamics from Python are those of the C library and of closed forms."""
import os
import unittest

import numpy as np
import sarrus
from support import ARM, CHAIN, Q_ARM, folder, pendulum, random_state, run, text


class ClosedForms(unittest.TestCase):
    def test_a_pendulum_has_inertia_m_l_squared_and_swings_by_g_over_l(self):
        model = pendulum(length=0.5, mass=3)
        dynamics = model.dynamics()
        self.assertAlmostEqual(dynamics.mass_matrix([0.3])[0, 0], 3 * 0.5 ** 2, delta=1e-15)
        self.assertAlmostEqual(dynamics.forward_dynamics([0.3], [2.0], [0.0])[0], -9.81 / 0.5 * np.sin(0.3), delta=1e-13)
        self.assertAlmostEqual(dynamics.energy([0.3], [2.0]).kinetic, 3 * 0.5 ** 2 * 2.0 ** 2 / 2, delta=1e-14)

    def test_a_double_pendulum_has_the_mass_matrix_and_bias_of_textbooks(self):
        model, (a, b), (u, w) = pendulum(2), (0.4, -0.7), (1.1, 0.6)
        dynamics = model.dynamics()
        c, s = np.cos(b), np.sin(b)
        np.testing.assert_allclose(dynamics.mass_matrix([a, b]), [[3 + 2 * c, 1 + c], [1 + c, 1]], atol=1e-14)
        gravity = 9.81 * np.array([2 * np.sin(a) + np.sin(a + b), np.sin(a + b)])
        speed = np.array([-s * (2 * u * w + w * w), s * u * u])
        np.testing.assert_allclose(dynamics.bias([a, b], [u, w]), speed + gravity, atol=1e-13)

    def test_a_frame_is_where_the_angles_put_it(self):
        model = pendulum(2)
        place = model.dynamics().placement([0.4, -0.7], "bob2")
        np.testing.assert_allclose(place.position, [-np.sin(0.4), 0, -np.cos(0.4)], atol=1e-15)
        np.testing.assert_allclose(place.rotation @ [1, 0, 0], [np.cos(-0.3), 0, -np.sin(-0.3)], atol=1e-15)
        np.testing.assert_allclose(place.quaternion, [np.cos(-0.15), 0, np.sin(-0.15), 0], atol=1e-15)

    def test_gravity_is_that_which_was_asked_for(self):
        dynamics = pendulum().dynamics(gravity=(0, 0, -1.62))
        self.assertAlmostEqual(dynamics.bias([0.5], [0])[0], 1.62 * np.sin(0.5), delta=1e-15)


class Identities(unittest.TestCase):
    def setUp(self):
        self.model = sarrus.load(ARM, base="floating")
        self.dynamics = self.model.dynamics()
        self.q, self.v = random_state(self.model, 1)
        self.tau = np.random.default_rng(2).uniform(-1, 1, self.model.nv)

    def test_forward_dynamics_inverts_inverse_dynamics(self):
        a = self.dynamics.forward_dynamics(self.q, self.v, self.tau)
        np.testing.assert_allclose(self.dynamics.inverse_dynamics(self.q, self.v, a), self.tau, atol=1e-9)
        M, c = self.dynamics.mass_matrix(self.q), self.dynamics.bias(self.q, self.v)
        np.testing.assert_allclose(M @ a + c, self.tau, atol=1e-9)

    def test_wrenches_act_through_the_jacobian(self):
        wrenches, force = np.zeros((len(self.model.links), 6)), np.array([0.1, 0.2, 0.3, 1, 2, 3])
        tip = self.model.links[-1].name
        wrenches[-1] = force
        a, J = np.zeros(self.model.nv), self.dynamics.jacobian(self.q, tip)
        np.testing.assert_allclose(self.dynamics.inverse_dynamics(self.q, self.v, a, wrenches),
                                   self.dynamics.inverse_dynamics(self.q, self.v, a) - J.T @ force, atol=1e-12)

    def test_velocity_is_the_jacobian_times_v_in_both_axes(self):
        for axes in ("world", "local"):
            J = self.dynamics.jacobian(self.q, "tool", axes)
            np.testing.assert_allclose(J @ self.v, self.dynamics.velocity(self.q, self.v, "tool", axes), atol=1e-13)

    def test_the_delassus_matrix_and_its_inverse_are_those_of_the_mass_matrix(self):
        J, M = self.dynamics.jacobian(self.q, "tool"), self.dynamics.mass_matrix(self.q)
        W = J @ np.linalg.solve(M, J.T)
        np.testing.assert_allclose(self.dynamics.delassus(self.q, "tool"), W, rtol=1e-10, atol=1e-11)
        np.testing.assert_allclose(self.dynamics.delassus(self.q, ("tool", "point")), W[3:, 3:], rtol=1e-10, atol=1e-11)
        np.testing.assert_allclose(self.dynamics.operational_space_inertia(self.q, "tool"), np.linalg.inv(W), rtol=1e-7,
                                   atol=1e-8)
        self.assertEqual(self.dynamics.delassus(self.q, ["tool", "forearm"]).shape, (12, 12))

    def test_rows_that_depend_on_each_other_are_refused_by_name(self):
        arm = sarrus.load(ARM)
        with self.assertRaisesRegex(sarrus.SingularError, "tool"):
            arm.dynamics().operational_space_inertia(np.zeros(7), ["tool", "tool"])

    def test_energy_and_momentum_agree_with_the_centre_of_mass(self):
        com, p = self.dynamics.com(self.q, self.v), self.dynamics.momentum(self.q, self.v)
        np.testing.assert_allclose(p[3:], com.mass * com.velocity, atol=1e-12)
        self.assertAlmostEqual(self.dynamics.energy(self.q, self.v).kinetic,
                               self.v @ self.dynamics.mass_matrix(self.q) @ self.v / 2, delta=1e-11)
        self.assertAlmostEqual(com.mass, self.model.mass, delta=1e-12)
        A = self.dynamics.centroidal_momentum(self.q, self.v)
        np.testing.assert_allclose(A.jacobian @ self.v, com.velocity, atol=1e-13)
        np.testing.assert_allclose((A.matrix @ self.v)[3:], p[3:], atol=1e-12)

    def test_derivatives_are_the_slopes_of_central_differences(self):
        h, n = 1e-6, self.model.nv  # the differences are good to h^2 and to rounding / h
        exact = self.dynamics.forward_dynamics_derivatives(self.q, self.v, self.tau)
        f = self.dynamics.forward_dynamics

        def slope(of):
            return np.array([(of(h * e) - of(-h * e)) / (2 * h) for e in np.eye(n)]).T

        for found, difference in ((exact.dq, slope(lambda d: f(self.model.integrate(self.q, d), self.v, self.tau))),
                                  (exact.dv, slope(lambda d: f(self.q, self.v + d, self.tau))),
                                  (exact.dtau, slope(lambda d: f(self.q, self.v, self.tau + d)))):
            np.testing.assert_allclose(found, difference, atol=1e-6 * max(1, np.abs(found).max()))
        inverse = self.dynamics.inverse_dynamics_derivatives(self.q, self.v, exact.a)
        np.testing.assert_allclose(inverse.da, self.dynamics.mass_matrix(self.q), atol=1e-12)
        np.testing.assert_allclose(-inverse.da @ exact.dq, inverse.dq, atol=1e-8)
        C = self.dynamics.coriolis_matrix(self.q, self.v)
        free = self.model.dynamics(gravity=(0, 0, 0))
        np.testing.assert_allclose(C @ self.v, free.bias(self.q, self.v), atol=1e-11)
        frame = self.dynamics.frame_derivatives(self.q, self.v, exact.a, "tool")
        self.assertEqual([each.shape for each in frame], [(6, n)] * 3)

    def test_a_batch_gives_what_states_one_by_one_give(self):
        batch, states = sarrus.Batch(self.model), [random_state(self.model, seed) for seed in range(5)]
        q, v = np.array([s[0] for s in states]), np.array([s[1] for s in states])
        np.testing.assert_allclose(batch.forward_dynamics(q, v, v), [self.dynamics.forward_dynamics(a, b, b) for a, b in states],
                                   rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(batch.inverse_dynamics(q, v), [self.dynamics.bias(a, b) for a, b in states], atol=1e-10)
        np.testing.assert_allclose(batch.mass_matrix(q), [self.dynamics.mass_matrix(a) for a, _ in states], atol=1e-11)
        positions, rotations = batch.placements(q, ["tool"])
        np.testing.assert_allclose(positions[2, 0], self.dynamics.placement(q[2], "tool").position, atol=1e-12)
        self.assertEqual(rotations.shape, (5, 1, 3, 3))
        q2, v2 = batch.step(1e-3, q, v)
        np.testing.assert_allclose(q2[1], self.model.integrate(q[1], v2[1], 1e-3), atol=1e-12)


class TheCommandAgrees(unittest.TestCase):
    """The command prints numbers that read back as the same doubles, so these are equal to the bit."""

    def check(self, found, what, *arguments):
        np.testing.assert_array_equal(np.asarray(found), np.array(run("eval", ARM, what, "--q", text(Q_ARM), *arguments)["value"]))

    def test_mass_matrix_bias_and_dynamics(self):
        dynamics, v, tau = sarrus.load(ARM).dynamics(), np.linspace(-1, 1, 7), np.linspace(3, -2, 7)
        self.check(dynamics.mass_matrix(Q_ARM), "mass-matrix")
        self.check(dynamics.bias(Q_ARM, v), "bias", "--v", text(v))
        self.check(dynamics.inverse_dynamics(Q_ARM, v, tau), "inverse-dynamics", "--v", text(v), "--a", text(tau))
        self.check(dynamics.forward_dynamics(Q_ARM, v, tau), "forward-dynamics", "--v", text(v), "--tau", text(tau))
        self.check(dynamics.operational_space_inertia(Q_ARM, "tool"), "operational-space-inertia", "--frames", "tool")

    def test_placements_and_energy(self):
        dynamics = sarrus.load(ARM).dynamics()
        value = run("eval", ARM, "fk", "--q", text(Q_ARM), "--frames", "tool")["value"]["tool"]
        np.testing.assert_array_equal(dynamics.placement(Q_ARM, "tool").position, value["position"])
        energy = run("eval", ARM, "energy", "--q", text(Q_ARM))["value"]
        self.assertEqual(dynamics.energy(Q_ARM, np.zeros(7)).potential, energy["potential"])

    LOOP = """models:
- links:
  - {name: crank, mass: 0.4, com: [0.02, 0.01, 0.06], inertia: [8e-4, 1e-3, 7e-4]}
  - {name: coupler, mass: 0.7, com: [0.02, 0.01, 0.06], inertia: [8e-4, 1e-3, 7e-4]}
  - {name: rocker, mass: 0.5, com: [0.02, 0.01, 0.06], inertia: [8e-4, 1e-3, 7e-4]}
  joints:
  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}
  - {name: q2, kind: continuous, parent: crank, child: coupler, axis: [0, 1, 0], origin: {position: [0, 0, 0.1]}}
  - {name: q3, kind: continuous, child: rocker, axis: [0, 1, 0], origin: {position: [0.4, 0, 0]}}
  closures:
  - {name: pin, kind: point, frame_a: coupler, frame_b: rocker, embed: true, independent: [q1],
     pose_a: {position: [0.2987218950531729, 0, 0.1823875802126918]},
     pose_b: {position: [-0.1012781049468271, 0, 0.2823875802126918]}}
"""

    def test_derivatives_through_embedded_loops(self):
        with folder() as place:
            path = os.path.join(place, "loop.yaml")
            with open(path, "w") as file:
                file.write(self.LOOP)
            dynamics = sarrus.load_scene(path).model.dynamics()
            q, v, x = np.zeros(3), np.array([1.5, 0, 0]), np.array([0.3, 0, 0])  # closed at q = 0

            def value(what, *more):
                return run("eval", path, "embedded-" + what, "--v", text(v), *more)["value"]

            def check(found, fields, expected):
                for field, name in fields.items():
                    np.testing.assert_allclose(getattr(found, field), expected[name], atol=1e-9, err_msg=name)

            motion = dynamics.embedded_motion(q, v, x)
            check(motion, {each: each for each in motion._fields}, value("motion", "--a", text(x)))
            check(dynamics.embedded_inverse_dynamics_derivatives(q, v, x), {"dq": "dtau_dq", "dv": "dtau_dv", "da": "dtau_da"},
                  value("inverse-dynamics-derivatives", "--a", text(x)))
            forward = dynamics.embedded_forward_dynamics_derivatives(q, v, x)
            np.testing.assert_allclose(forward.a, dynamics.embedded_acceleration(q, v, x), atol=1e-12)
            check(forward, {"dq": "da_dq", "dv": "da_dv", "dtau": "da_dtau"},
                  value("forward-dynamics-derivatives", "--tau", text(x)))
            frame = dynamics.embedded_frame_derivatives(q, v, None, "rocker")
            check(frame, {each: "d" + each for each in frame._fields},
                  value("frame-derivatives", "--frames", "rocker")["rocker"])
            np.testing.assert_allclose(dynamics.embedded_coriolis_matrix(q, v), value("coriolis-matrix"), atol=1e-12)
            check(dynamics.embedded_centroidal_momentum(q, v), {"matrix": "matrix", "rate": "rate", "jacobian": "com_jacobian"},
                  value("centroidal-momentum-matrix"))
            with self.assertRaises(sarrus.UnreachableError):
                dynamics.embedded_motion([0.3, 0, 0], v)


class WrongInput(unittest.TestCase):
    def setUp(self):
        self.dynamics = sarrus.load(CHAIN).dynamics()

    def test_shapes_are_checked_and_named(self):
        with self.assertRaisesRegex(ValueError, r"q has the shape \(11,\), not \(12,\)"):
            self.dynamics.mass_matrix(np.zeros(11))
        with self.assertRaisesRegex(ValueError, "wrenches"):
            self.dynamics.forward_dynamics(np.zeros(12), np.zeros(12), np.zeros(12), np.zeros(6))
        with self.assertRaises(TypeError):
            self.dynamics.mass_matrix(np.zeros(12, complex))
        with self.assertRaises(ValueError):
            self.dynamics.mass_matrix(["a"] * 12)

    def test_what_is_not_finite_is_named(self):
        q = np.zeros(12)
        q[4] = np.nan
        with self.assertRaisesRegex(sarrus.NotFiniteError, "hinge5"):
            self.dynamics.bias(q, np.zeros(12))

    def test_unknown_frames_and_axes_are_named(self):
        with self.assertRaisesRegex(KeyError, "nose"):
            self.dynamics.jacobian(np.zeros(12), "nose")
        with self.assertRaises(IndexError):
            self.dynamics.jacobian(np.zeros(12), 99)
        with self.assertRaisesRegex(ValueError, "world, local"):
            self.dynamics.jacobian(np.zeros(12), "tip", "body")

    def test_strides_and_other_types_of_numbers_are_taken(self):
        wide = np.zeros((12, 3))
        wide[:, 1] = np.linspace(0, 1, 12)
        expected = self.dynamics.mass_matrix(np.ascontiguousarray(wide[:, 1]))
        np.testing.assert_array_equal(self.dynamics.mass_matrix(wide[:, 1]), expected)
        np.testing.assert_array_equal(self.dynamics.mass_matrix(list(wide[:, 1])), expected)
        self.dynamics.mass_matrix(np.zeros(12, np.float32))
        self.dynamics.mass_matrix(range(12))


if __name__ == "__main__":
    unittest.main()
