"""Models from files and from the builder, by name and by index; pickling; errors that say what the C library says."""
import os
import pickle
import unittest

import numpy as np
import sarrus
from support import ARM, CHAIN, SOURCE, folder, pendulum, random_state, sample


def four_bar():
    """F44: crank 0.1, coupler 0.35, rocker 0.3, ground 0.4, in the plane x z, closed at q = 0."""
    builder = sarrus.Builder()
    far = (0.2987218950531729, 0, 0.1823875802126918)
    for name, tip in (("crank", (0, 0, 0.1)), ("coupler", far), ("rocker", (-0.1012781049468271, 0, 0.2823875802126918))):
        length = np.linalg.norm(tip)
        mass, along = 1000 * 0.0001 * np.pi * length, np.array(tip) / length
        inertia = mass * length ** 2 / 12 * (np.eye(3) - np.outer(along, along)) + 1e-6 * np.eye(3)
        builder.add_link(name, mass=mass, com=np.array(tip) / 2,
                         inertia=[*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]])
    builder.add_joint("q1", "continuous", "crank", axis=(0, 1, 0))
    builder.add_joint("q2", "continuous", "coupler", "crank", axis=(0, 1, 0), origin=(0, 0, 0.1))
    builder.add_joint("q3", "continuous", "rocker", axis=(0, 1, 0), origin=(0.4, 0, 0))
    builder.add_closure("pin", "point", "coupler", "rocker", pose_a=far, pose_b=(-0.1012781049468271, 0, 0.2823875802126918))
    return builder.build()


def same(a, b):
    """Whether two records, arrays or numbers are the same to the bit."""
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=True)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b or (a != a and b != b)


class Files(unittest.TestCase):
    def test_a_robot_file_is_read_with_its_names_and_units(self):
        model = sarrus.load(ARM)
        self.assertEqual((model.nq, model.nv, len(model.links)), (7, 7, 7))
        self.assertEqual(model.q_names[0], "joint1")
        self.assertEqual((model.q_units[0], model.v_units[0]), ("rad", "rad/s"))
        self.assertEqual(model.frames[model.frame_index("tool")].name, "tool")
        self.assertAlmostEqual(model.mass, 17.7, delta=1e-12)
        self.assertEqual(model.joints[0].kind, "revolute")
        self.assertEqual(model.lower.shape, (7,))

    def test_a_floating_base_adds_a_free_joint_and_a_prefix_names(self):
        model = sarrus.load(ARM, base="floating", prefix="left/", placement=((0, 0, 1), (1, 0, 0, 0)))
        self.assertEqual(model.q_names[:7], [f"left/root.{each}" for each in ("x", "y", "z", "qw", "qx", "qy", "qz")])
        np.testing.assert_allclose(model.dynamics().placement(model.neutral, "left/tool").position[2] - 1,
                                   sarrus.load(ARM).dynamics().placement(np.zeros(7), "tool").position[2], atol=1e-12)

    def test_mjcf_is_read_too(self):
        model = sarrus.load(sample("gripper_arm.xml"))
        self.assertGreater(model.nv, 3)
        self.assertGreater(len(model.closures) + len(model.couplings), 0)

    def test_a_scene_has_model_options_and_state(self):
        scene = sarrus.load_scene(sample("pendulum12.yaml"))
        self.assertEqual((scene.duration, scene.options.dt, scene.output_file, scene.output_every), (20, 1e-3, "pendulum12.csv", 10))
        self.assertEqual(scene.options.contact.restitution, 0.7)
        self.assertAlmostEqual(scene.q[0], -np.pi / 4, delta=1e-15)
        self.assertEqual(scene.v[0], 1)
        self.assertIn("MJ 6.2", scene.text)
        sim = scene.simulate(dt=0.002, contact={"restitution": 0.1})
        self.assertEqual((sim.options.dt, sim.options.contact.restitution, sim.options.contact.normal), (0.002, 0.1, "velocity"))

    def test_errors_name_the_file_the_line_and_the_cure(self):
        with self.assertRaises(sarrus.FileError) as caught:
            sarrus.load("none.urdf")
        self.assertIsInstance(caught.exception, OSError)
        self.assertTrue(str(caught.exception).startswith("none.urdf"))
        with folder() as place:
            name = os.path.join(place, "bad.urdf")
            with open(name, "w", encoding="utf-8") as file:
                file.write('<robot name="x">\n<link name="a"/>\n<link name="a"/>\n</robot>\n')
            with self.assertRaises(sarrus.Error) as caught:
                sarrus.load(name)
            error = caught.exception
            self.assertEqual((error.line, error.subject, error.file), (3, "a", name))
            self.assertTrue(str(error).startswith(f"{name}:3"))
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(again), again.line, type(again)), (str(error), 3, type(error)))
            scene = os.path.join(place, "bad.yaml")
            with open(scene, "w", encoding="utf-8") as file:
                file.write("gravty: [0, 0, 0]\n")
            with self.assertRaisesRegex(sarrus.Error, "bad.yaml:1:1: .*gravty"):
                sarrus.load_scene(scene)


class TheBuilder(unittest.TestCase):
    def test_F94_a_four_bar_without_files_is_the_same_after_saving(self):
        model = four_bar()
        self.assertEqual(sarrus.loop_rank(model, model.neutral), 2)
        np.testing.assert_allclose(sarrus.loop_gaps(model, model.neutral), 0, atol=1e-15)
        with folder() as place:
            name = os.path.join(place, "four_bar.yaml")
            self.assertEqual(model.save(name), [])
            back = sarrus.load_scene(name).model
            for part in ("links", "joints", "frames", "shapes"):
                self.assertTrue(same(getattr(model, part), getattr(back, part)), part)
            self.assertEqual(back.closures[0].name, "pin")
            with self.assertRaisesRegex(sarrus.FileError, "four_bar.yaml"):
                model.save(name)
            model.save(name, overwrite=True)

    def test_all_kinds_of_joints_can_be_built(self):
        for kind in ("revolute", "continuous", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar", "free"):
            builder = sarrus.Builder()
            builder.add_link("a", mass=1, inertia=(1, 1, 1, 0, 0, 0))
            more = {"axis2": (0, 1, 0)} if kind == "universal" else {"pitch": 0.1} if kind == "helical" else {}
            builder.add_joint("j", kind, "a", axis=(1, 0, 0), **more)
            model = builder.build()
            self.assertEqual(model.joints[0].kind, kind)
            q, v = random_state(model, 4)
            np.testing.assert_allclose(model.difference(model.integrate(q, v, 0.1), q), 0.1 * v, atol=1e-13)

    def test_one_number_or_one_for_each_coordinate(self):
        builder = sarrus.Builder()
        builder.add_link("a", mass=1, inertia=(1, 1, 1, 0, 0, 0))
        builder.add_joint("j", "cylindrical", "a", damping=0.3, lower=(-1, -2), upper=2, armature=(0.1, 0.2))
        model = builder.build()
        np.testing.assert_array_equal(model.damping, [0.3, 0.3])
        np.testing.assert_array_equal(model.lower, [-1, -2])
        np.testing.assert_array_equal(model.upper, [2, 2])
        np.testing.assert_array_equal(model.armature, [0.1, 0.2])

    def test_shapes_of_points_and_heights_keep_their_numbers(self):
        builder = sarrus.Builder()
        builder.add_link("a", mass=1, inertia=(1, 1, 1, 0, 0, 0))
        builder.add_joint("j", "free", "a", origin=(0, 0, 3))
        corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
        builder.add_shape("hull", "a", points=corners)
        heights = np.arange(12.0).reshape(3, 4) / 100
        builder.add_shape("heightfield", heights=heights, size=(1, 1, 0), name="hills")
        hull, hills = builder.build().shapes
        np.testing.assert_array_equal(hull.points, corners)
        np.testing.assert_array_equal(hills.heights, heights)

    def test_a_gear_couples_and_a_failed_call_adds_nothing(self):
        builder = sarrus.Builder()
        for name in "ab":
            builder.add_link(name, mass=1, inertia=(1, 1, 1, 0, 0, 0))
            builder.add_joint(f"j{name}", "continuous", name, axis=(0, 0, 1))
        with self.assertRaises(sarrus.NameNotKnownError):
            builder.add_link("a", mass=1)
        with self.assertRaises(sarrus.Error):
            builder.add_link("c", mass=-1)
        builder.add_coupling("jb", "ja", ratio=-2, offset=0.5)
        model = builder.build()
        np.testing.assert_array_equal(model.couplings[0].coefficients, [0.5, -2, 0, 0, 0])
        q, report = sarrus.assemble(model, [0.3, 0.0], frozen=["ja"])
        np.testing.assert_allclose(q, [0.3, 0.5 - 0.6], atol=1e-12)
        self.assertLess(report.after, 1e-12)

    def test_what_is_missing_is_named(self):
        builder = sarrus.Builder()
        builder.add_link("a", mass=1)
        builder.add_joint("j", "revolute", "b")
        with self.assertRaisesRegex(sarrus.Error, "'b'"):
            builder.build()
        with self.assertRaisesRegex(AttributeError, "did you mean 'mass'"):
            builder.add_link("c", mas=1)
        with self.assertRaisesRegex(ValueError, "revolute, continuous"):
            builder.add_joint("k", "hinge", "a")

    def test_several_files_go_into_one_builder(self):
        builder = sarrus.Builder()
        builder.add_urdf(ARM, prefix="a/")
        builder.add_urdf(CHAIN, prefix="b/", placement=(2, 0, 0))
        builder.exclude("a/shoulder", "b/link1")
        model = builder.build()
        self.assertEqual(model.nv, 19)
        self.assertEqual(model.q_index("b/hinge1"), 7)


class Pickling(unittest.TestCase):
    def test_models_come_back_to_the_bit(self):
        for model in (sarrus.load(ARM), sarrus.load(ARM, base="floating"), four_bar(), pendulum(3),
                      sarrus.load_scene(sample("stewart.yaml")).model):
            back = pickle.loads(pickle.dumps(model))
            for part in ("links", "joints", "frames", "shapes"):
                for a, b in zip(getattr(model, part), getattr(back, part)):
                    self.assertTrue(same(a, b), (a, b))
            self.assertEqual(back.v_names, model.v_names)

    def test_a_pickled_model_takes_the_snapshots_of_the_first(self):
        for path_ in (ARM, CHAIN):
            model = sarrus.load(path_)
            sim, back = model.simulate(), pickle.loads(pickle.dumps(model)).simulate()
            sim.set_state(v=np.full(model.nv, 0.1))
            sim.step(100)
            back.restore(sim.snapshot())
            sim.step(100)
            back.step(100)
            np.testing.assert_array_equal(sim.q, back.q)

    def test_a_model_that_would_come_back_otherwise_is_refused(self):
        builder = sarrus.Builder()
        builder.add_urdf(ARM)
        builder.exclude("shoulder", "forearm")
        with self.assertRaisesRegex(pickle.PicklingError, "not come back the same"):
            pickle.dumps(builder.build())


class Manifold(unittest.TestCase):
    def test_quaternions_are_integrated_and_normalised(self):
        model = sarrus.load(ARM, base="floating")
        v = np.zeros(model.nv)
        v[3:6] = (0, 0, np.pi / 2)
        q = model.integrate(model.neutral, v)
        np.testing.assert_allclose(q[3:7], [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=1e-15)
        np.testing.assert_allclose(model.normalise(np.r_[q[:3], 3 * q[3:7], q[7:]]), q, atol=1e-15)
        with self.assertRaises(ValueError):
            model.normalise(np.zeros(model.nq))

    def test_rotations_come_from_angles_and_quaternions(self):
        R = sarrus.rotation_from_rpy(0.1, 0.2, 0.3)
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)
        pose = sarrus.Pose(np.zeros(3), R)
        np.testing.assert_allclose(sarrus.rotation_from_quaternion(pose.quaternion), R, atol=1e-15)
        np.testing.assert_array_equal(pose.matrix[:3, :3], R)


class Texts(unittest.TestCase):
    def test_everything_says_what_it_is(self):
        model = sarrus.load(ARM)
        sim = model.simulate()
        for thing, words in ((model, "7 links"), (sim, "semi-implicit-euler"), (sim.snapshot(), "bytes"), (model.dynamics(), "nv 7"),
                             (sarrus.Batch(model), "at a time"), (sim.run(steps=1), "2 samples"), (sarrus.Builder(), "Builder"),
                             (sarrus.load_scene(sample("sphere.yaml")), "0.6 s"), (sarrus.Collider(model), "pairs"),
                             (sim.rollout([sim.snapshot()], steps=1), "1 states")):
            self.assertIn(words, repr(thing))
        self.assertIn("joint7", model._repr_html_())
        self.assertRegex(sarrus.__version__, r"^\d+\.\d+\.\d+$")
        self.assertTrue(os.path.isdir(SOURCE))


if __name__ == "__main__":
    unittest.main()
