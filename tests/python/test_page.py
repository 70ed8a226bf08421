"""Runs that show themselves: the page of `sarrus view` from Python."""
import os
import unittest

import numpy as np
import sarrus
from support import PENDULUM, ball, folder, pendulum
from sarrus import page


class Shows(unittest.TestCase):
    def setUp(self):
        self.opened, page.webbrowser.open = [], lambda address: self.opened.append(address)

    def show(self, run, **arguments):
        try:
            return run.show(**arguments)
        except sarrus.Error as error:
            if "three.js" not in str(error):
                raise
            print(f"not shown: {error}")  # a build without Debian's libjs-three
            return None

    def test_a_run_shows_its_own_model(self):
        shown = self.show(sarrus.load_scene(PENDULUM).simulate().run(duration=0.2, every=10), title="twelve links")
        if shown is None:
            return
        self.assertIn("twelve links", shown.text)
        self.assertIn("hinge12", shown.text)
        self.assertRegex(repr(shown), r"<sarrus.Page: [01]\.\d+ MB")
        self.assertIn('<iframe srcdoc="&lt;!doctype html', shown._repr_html_())
        self.assertTrue(self.opened[0].startswith("file://"))
        name = self.opened[0][len("file://"):]
        with open(name, encoding="utf-8") as file:
            self.assertEqual(file.read(), shown.text)
        os.remove(name)

    def test_a_recorded_run_shows_its_forces(self):
        sim = ball(height=0.1)
        with folder() as place:
            name = os.path.join(place, "ball.csv")
            with sim.recorder(name, contacts=True) as recorder:
                for _ in range(5):
                    sim.step(4)
                    recorder.add()
            shown = self.show(sarrus.read_csv(name), scene=sim.model)
        if shown is not None:
            self.assertIn("contact:", shown.text)
            os.remove(self.opened[0][len("file://"):])

    def test_hdf5_files_are_read_with_contacts(self):
        sim = ball(height=0.1)
        with folder() as place:
            name = os.path.join(place, "ball.h5")
            with sim.recorder(name, contacts=True) as recorder:
                sim.step(20)
                recorder.add()
                z = sim.q[2]
            run = sarrus.read_hdf5(name)
            self.assertEqual((run.time[-1], run["q:root.z"][-1], run.units["q:root.z"]), (sim.time, z, "m"))
            self.assertEqual(set(run.shapes), {"ball", "floor"})
            self.assertAlmostEqual(abs(run.contacts[1]["force"][0, 2]), 9.81, delta=1e-9)
            shown = self.show(run, scene=sim.model)
            if shown is not None:
                os.remove(self.opened[0][len("file://"):])
        with self.assertRaises(sarrus.FileError):
            sarrus.read_hdf5("none.h5")

    def test_what_cannot_be_shown_says_why(self):
        run = sarrus.Trajectory(np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)), ["hinge1"], ["hinge1"])
        with self.assertRaisesRegex(TypeError, "needs a scene"):
            run.show()
        with self.assertRaisesRegex(sarrus.Error, "has no column"):
            run.show(scene=ball().model)
        before, os.environ["PATH"] = os.environ["PATH"], ""
        command, page.os.access = page.os.access, lambda *_: False
        try:
            with self.assertRaisesRegex(sarrus.FileError, "SARRUS_COMMAND"):
                pendulum().simulate().run(steps=1).show()
        finally:
            os.environ["PATH"], page.os.access = before, command


if __name__ == "__main__":
    unittest.main()
