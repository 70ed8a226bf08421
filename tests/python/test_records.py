"""Options and definitions: fields, words, lists and defaults are those of the headers."""
import copy
import pickle
import unittest

import numpy as np
import sarrus
from sarrus import record_table, records
from sarrus._capi import ffi, lib


class Options(unittest.TestCase):
    def test_defaults_are_the_librarys(self):
        options, c = sarrus.SimOptions(), lib.srs_default_sim_options()
        self.assertEqual(options.dt, c.dt)
        self.assertEqual(options.contact.friction, c.contact.friction)
        self.assertEqual(options.contact.solver.method, "mncp-rlm")
        self.assertEqual(options.integrator, "semi-implicit-euler")
        np.testing.assert_array_equal(options.gravity, [0, 0, -9.81])
        self.assertEqual(repr(options), "SimOptions()")
        self.assertEqual(sarrus.ContactSettings().friction, 0.5)
        self.assertEqual(sarrus.LoopJoint().max_effort, np.inf)

    def test_parts_are_set_in_place_by_mapping_or_as_a_whole(self):
        options = sarrus.SimOptions(contact={"friction": 0.8})
        options.contact.restitution = 0.3
        options.contact = {"distance": 0.01}
        self.assertEqual((options.contact.friction, options.contact.restitution, options.contact.distance), (0.8, 0.3, 0.01))
        options.contact.solver.method = "mlcp-lemke"
        self.assertEqual(options.contact.solver.method, "mlcp-lemke")
        options.contact = sarrus.ContactSettings(friction=0.1)
        self.assertEqual((options.contact.friction, options.contact.restitution), (0.1, 0.0))
        self.assertIn("friction=0.1", repr(options))

    def test_lists_and_names_go_in_and_come_back(self):
        options = sarrus.SimOptions()
        options.contact.materials = [sarrus.Material(name="ice", friction=0.05), {"name": "rubber", "friction": 1.2}]
        options.contact.pairs = [{"a": "ice", "b": "rubber", "friction": 0.2, "restitution": 0.0, "torsional": 0.0}]
        options.contact.collider.excluded = [("a", "b"), ("c", "d")]
        self.assertEqual([each.name for each in options.contact.materials], ["ice", "rubber"])
        self.assertEqual(options.contact.materials[1].friction, 1.2)
        self.assertEqual(options.contact.pairs[0].b, "rubber")
        self.assertEqual(options.contact.collider.excluded, [("a", "b"), ("c", "d")])

    def test_options_reach_the_simulation_and_come_back(self):
        builder = sarrus.Builder()
        builder.add_link("ball", mass=1, inertia=(1, 1, 1, 0, 0, 0))
        builder.add_joint("root", "free", "ball", origin=(0, 0, 0.1))
        builder.add_shape("sphere", "ball", size=0.1, material="ice", name="ball")
        builder.add_shape("half-space", name="floor", material="ice")
        sim = builder.build().simulate(contact={"materials": [{"name": "ice", "friction": 0.05, "restitution": 0.0}]})
        sim.step()
        self.assertEqual(sim.contacts["friction"][0], 0.05)
        self.assertEqual(sim.options.contact.materials[0].name, "ice")

    def test_copies_are_their_own(self):
        options = sarrus.SimOptions(dt=0.002, contact={"materials": [sarrus.Material(name="ice", friction=0.1)]})
        for other in (options.copy(), copy.deepcopy(options), pickle.loads(pickle.dumps(options))):
            self.assertEqual(other, options)
            other.contact.friction = 0.9
            self.assertNotEqual(other, options)
        self.assertEqual(options.contact.friction, 0.5)

    def test_wrong_fields_words_and_types_say_what_is_right(self):
        for fields, kind, words in ((dict(dtt=1), AttributeError, "did you mean 'dt'"),
                                    (dict(integrator="rk5"), ValueError, "rk4"), (dict(dt="fast"), (TypeError, ValueError), ""),
                                    (dict(keep_momentum=1), TypeError, "True or False"), (dict(gravity=(0, 1)), ValueError, "gravity"),
                                    (dict(contact=3), TypeError, "ContactSettings"),
                                    (dict(contact={"frction": 1}), AttributeError, "friction"),
                                    (dict(contact={"capacity": 1.5e30}), (TypeError, OverflowError), "")):
            with self.assertRaisesRegex(kind, words):
                sarrus.SimOptions(**fields)

    def test_every_field_can_be_read_and_has_a_line_of_help(self):
        for struct in record_table.INPUTS:
            record = records.CLASSES[struct]()
            for name in record._fields:
                getattr(record, name)
                self.assertIn(f"\n{name}: ", type(record).__doc__)
        for field in ("dt: s, > 0. Default 0.001", "(semi-implicit-euler, moreau-midpoint, rk4"):
            self.assertIn(field, sarrus.SimOptions.__doc__)


class Words(unittest.TestCase):
    def test_words_are_those_of_the_library(self):
        """Where C has a function for the word of an enumerator, Python has the same word."""
        for kind, function in (("srs_integrator", lib.srs_integrator_name), ("srs_contact_method", lib.srs_contact_method_name),
                               ("srs_joint_kind", lib.srs_joint_kind_name), ("srs_shape_kind", lib.srs_shape_kind_name),
                               ("srs_closure_kind", lib.srs_closure_kind_name), ("srs_motion_kind", lib.srs_motion_kind_name),
                               ("srs_activation", lib.srs_activation_name), ("srs_normal_law", lib.srs_normal_law_name),
                               ("srs_impact_law", lib.srs_impact_law_name), ("srs_corners", lib.srs_corners_name),
                               ("srs_combination", lib.srs_combination_name), ("srs_alignment", lib.srs_alignment_name),
                               ("srs_velocity_terms", lib.srs_velocity_terms_name), ("srs_contact_stage", lib.srs_contact_stage_name)):
            for i, word in enumerate(records.WORDS[kind]):
                self.assertEqual(ffi.string(function(i)).decode(), word, kind)

    def test_every_status_is_an_exception(self):
        statuses = set(range(1, len(records.WORDS["srs_status"])))
        self.assertEqual(set(sarrus.errors.CLASSES), statuses)


class TheWholeLibrary(unittest.TestCase):
    def test_every_function_of_the_headers_is_there(self):
        self.assertEqual(ffi.string(lib.srs_status_string(0)).decode(), ffi.string(lib.srs_status_string(0)).decode())
        for name in ("srs_mcp_solve", "srs_ratio_metric", "srs_surface_closest", "srs_scene_load", "srs_sim_step"):
            if name in dir(lib):
                self.assertTrue(callable(getattr(lib, name)))
        self.assertGreater(len([name for name in dir(lib) if name.startswith("srs_")]), 150)


if __name__ == "__main__":
    unittest.main()
