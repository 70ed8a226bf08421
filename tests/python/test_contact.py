"""Contact problems, collisions, loops and inverse kinematics from Python."""
import os
import pickle
import unittest

import numpy as np
import sarrus
from support import ARM, ball, folder, sample


def problem(b, friction=0.5, scale=1.0):
    """One contact of a body of 1 kg: W = 1/m."""
    return sarrus.ContactProblem(np.eye(3) / scale, b, [friction])


class Solving(unittest.TestCase):
    def test_one_contact_sticks_slides_and_opens_as_coulomb_says(self):
        sticks = problem([-1, 0.3, 0.0]).solve()
        np.testing.assert_allclose(sticks.impulse, [1, -0.3, 0], atol=1e-12)
        np.testing.assert_allclose(sticks.velocity, 0, atol=1e-12)
        slides = problem([-1, 3.0, 4.0]).solve()
        np.testing.assert_allclose(slides.impulse, [1, -0.3, -0.4], atol=1e-11)
        opens = problem([1, 3.0, 4.0]).solve()
        np.testing.assert_allclose(opens.impulse, 0, atol=1e-15)

    def test_every_method_solves_a_problem_without_friction(self):
        W, b = np.array([[2.0, 1], [1, 2]]), np.array([-1.0, -3])
        for method in sarrus.records.WORDS["srs_contact_method"]:
            solution = sarrus.ContactProblem(W, b, [0.0, 0.0], tangents=[0, 0]).solve(method=method)
            np.testing.assert_allclose(solution.impulse, [0, 1.5], atol=1e-10, err_msg=method)
            self.assertEqual(solution.report.status, "solved")

    def test_all_kinds_of_rows(self):
        solution = sarrus.ContactProblem(np.eye(4), [1.0, -2.0, -3.0, 5.0], [], n_bilateral=1, n_unilateral=1,
                                         box_lower=[-1, -2], box_upper=[1, 2]).solve()
        np.testing.assert_allclose(solution.impulse, [-1, 2, 1, -2], atol=1e-12)

    def test_the_judge_and_the_certificate_agree_with_the_report(self):
        one = problem([-1, 3.0, 4.0])
        solution = one.solve()
        judged = one.judge(solution.impulse, solution.velocity)
        self.assertLess(judged.whole.residual, 1e-12)
        self.assertEqual([each.mode for each in judged.contacts], ["slides"])
        self.assertLess(one.certify(solution.impulse).residual, 1e-12)
        self.assertGreater(one.judge([0, 0, 0]).whole.residual, 0.1)

    def test_a_warm_start_from_the_answer_stays_there(self):
        one = problem([-1, 3.0, 4.0])
        first = one.solve()
        again = one.solve(guess=first.impulse)
        np.testing.assert_allclose(again.impulse, first.impulse, atol=1e-12)
        self.assertLessEqual(again.report.iterations, 1)

    def test_wrong_sizes_and_numbers_are_refused(self):
        with self.assertRaisesRegex(ValueError, "3 entries, but the problem has 6"):
            sarrus.ContactProblem(np.eye(3), [0, 0, 0], [0.5, 0.5])
        with self.assertRaisesRegex(ValueError, "negative"):
            sarrus.ContactProblem(np.eye(1), [1], [], n_unilateral=-1, box_lower=[0, 0], box_upper=[0, 0])
        with self.assertRaisesRegex(ValueError, "W"):
            sarrus.ContactProblem(np.eye(2), [0, 0, 0], [0.5])
        with self.assertRaises(sarrus.NotFiniteError):
            problem([np.nan, 0, 0]).solve()
        with self.assertRaisesRegex(ValueError, "mncp-rlm"):
            problem([0, 0, 0]).solve(method="simplex")

    def test_problems_are_pickled_and_written_in_fclibs_format(self):
        one = problem([-1, 3.0, 4.0])
        solution = pickle.loads(pickle.dumps(one)).solve()
        with folder() as place:
            name = os.path.join(place, "one.hdf5")
            sarrus.write_contact_problem(name, sarrus.ContactFile(one, solution.impulse, solution.velocity, title="one contact"))
            back = sarrus.read_contact_problem(name)
            self.assertEqual(back.title, "one contact")
            np.testing.assert_array_equal(back.problem.W, one.W)
            np.testing.assert_array_equal(back.impulse, solution.impulse)
            self.assertIsNone(back.guesses)
            with self.assertRaises(sarrus.FileError):
                sarrus.read_contact_problem(name + ".none")


class Collisions(unittest.TestCase):
    def test_a_ball_touches_the_floor_below_its_radius(self):
        model = ball(height=0.0).model
        collider = sarrus.Collider(model)
        self.assertEqual(len(collider.pairs), 1)
        q = model.neutral
        q[2] = 0.095
        points = collider.contacts(q)
        self.assertAlmostEqual(points["gap"][0], -0.005, delta=1e-15)
        q[2] = 0.2
        self.assertEqual(len(collider.contacts(q)), 0)
        self.assertEqual(len(collider.contacts(q, margin=0.2)), 1)
        self.assertAlmostEqual(collider.distance(q, "ball", "world").gap, 0.1, delta=1e-15)
        hit = collider.cast_ray(q, (0, 0, 1), (0, 0, -2), 5)
        self.assertEqual(model.shapes[hit.shape].name, "ball")
        self.assertAlmostEqual(hit.distance, 1 - 0.3, delta=1e-12)
        self.assertIsNone(collider.cast_ray(q, (0, 0, 1), (0, 0, 1), 5))

    def test_more_contacts_than_room_at_first(self):
        builder = sarrus.Builder()
        for i in range(80):
            builder.add_link(f"b{i}", mass=1, inertia=(1, 1, 1, 0, 0, 0))
            builder.add_joint(f"j{i}", "free", f"b{i}", origin=(2 * i, 0, 0.5))
            builder.add_shape("box", f"b{i}", size=(1, 1, 1))
        builder.add_shape("half-space", name="floor")
        model = builder.build()
        self.assertEqual(len(sarrus.Collider(model).contacts(model.neutral, margin=1e-9)), 320)


class Kinematics(unittest.TestCase):
    def test_inverse_kinematics_reaches_position_and_orientation(self):
        model = sarrus.load(ARM)
        target = sarrus.Pose(np.array([0.55, 0.35, 0.35]), np.diag([-1.0, 1, -1]))
        q, report = sarrus.inverse_kinematics(model, {"tool": target}, q=[0, 0.3, 0, 1.0, 0, 0.6, 0])
        found = model.dynamics().placement(q, "tool")
        np.testing.assert_allclose(found.position, target.position, atol=1e-9)
        np.testing.assert_allclose(found.rotation, target.rotation, atol=1e-9)
        self.assertLess(report.position_error, 1e-9)
        self.assertTrue((model.lower <= q).all() and (q <= model.upper).all())

    def test_a_bare_position_leaves_the_orientation_free(self):
        model = sarrus.load(ARM)
        q, _ = sarrus.inverse_kinematics(model, {"tool": (0.5, 0.2, 0.5)})
        np.testing.assert_allclose(model.dynamics().placement(q, "tool").position, (0.5, 0.2, 0.5), atol=1e-9)

    def test_what_is_out_of_reach_is_said(self):
        with self.assertRaisesRegex(sarrus.UnreachableError, "tool"):
            sarrus.inverse_kinematics(sarrus.load(ARM), {"tool": (9, 9, 9)}, max_restarts=1)

    def test_a_loop_is_assembled_and_its_velocities_follow(self):
        model = sarrus.load_scene(sample("four_bar.yaml")).model
        q, report = sarrus.assemble(model, [0.5, 0, 0], frozen=["q1"])
        self.assertEqual(q[0], 0.5)
        self.assertLess(sarrus.loop_gaps(model, q).max(), 1e-12)
        v, _ = sarrus.assemble_velocity(model, q, [5, 0, 0], frozen=["q1"])
        moved = model.integrate(q, v, 1e-6)
        self.assertLess(sarrus.loop_gaps(model, moved).max(), 1e-9)  # h^2 times the curvature
        self.assertGreater(report.iterations, 0)


if __name__ == "__main__":
    unittest.main()
