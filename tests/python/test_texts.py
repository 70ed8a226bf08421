"""Docstrings, stubs and the page: everything public is explained, typed, and the examples run."""
import ast
import inspect
import os
import re
import subprocess
import sys
import unittest

import sarrus
from sarrus import record_table, records
from support import COMMAND, SOURCE, folder

PACKAGE = os.path.dirname(sarrus.__file__)


def public(owner):
    """(name, thing) of what a class or module shows."""
    return [(name, getattr(owner, name)) for name in vars(owner) if not name.startswith("_")]


def blocks(page, language):
    """The code blocks of a page in one language."""
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        return re.findall(rf"^```{language}\n(.*?)^```$", file.read(), flags=re.M | re.S)


class Docstrings(unittest.TestCase):
    def test_everything_public_says_what_it_does(self):
        for name in sarrus.__all__:
            thing = getattr(sarrus, name)
            if not inspect.isclass(thing) and not inspect.isfunction(thing):
                continue
            self.assertTrue(thing.__doc__, name)
            if inspect.isclass(thing) and not issubclass(thing, (tuple, records.Record, Exception)):
                for inner, member in public(thing):
                    if not inspect.ismemberdescriptor(member):
                        self.assertTrue(inspect.getdoc(member), f"{name}.{inner}")

    def test_arrays_have_shapes_in_their_docstrings(self):
        for owner in (sarrus.Dynamics, sarrus.Batch, sarrus.Sim, sarrus.Model):
            for name, member in public(owner):
                function = member.fget if isinstance(member, property) else member
                if "ndarray" in str(getattr(function, "__annotations__", {}).get("return", "")):
                    text = inspect.getdoc(member)
                    self.assertRegex(text, r"\((n|6|3|4|nv|nq|n_\w+)(,|\))|structured array", f"{owner.__name__}.{name}")


class Stubs(unittest.TestCase):
    def test_every_function_has_types(self):
        for name in sorted(os.listdir(PACKAGE)):
            if not name.endswith(".py") or name in ("_documents.py", "records.py", "record_table.py", "__init__.py"):
                continue
            with open(os.path.join(PACKAGE, name), encoding="utf-8") as file:
                tree = ast.parse(file.read())
            for owner in [tree] + [each for each in tree.body if isinstance(each, ast.ClassDef) and each.name in sarrus.__all__]:
                for function in owner.body:
                    if not isinstance(function, ast.FunctionDef) or function.name.startswith("_"):
                        continue
                    arguments = [each for each in function.args.args + function.args.kwonlyargs if each.arg != "self"]
                    if owner is tree and function.name not in sarrus.__all__:
                        continue
                    for argument in arguments:
                        self.assertIsNotNone(argument.annotation, f"{name}: {function.name}({argument.arg})")
                    self.assertIsNotNone(function.returns, f"{name}: {function.name}")

    def test_the_stub_of_records_has_their_fields_and_no_others(self):
        with open(os.path.join(PACKAGE, "records.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        classes = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
        for struct in list(record_table.INPUTS) + record_table.OUTPUTS:
            body = classes[record_table.class_name(struct)].body
            names = {each.name for each in body if isinstance(each, ast.FunctionDef)} - {"__init__"}
            names |= {each.target.id for each in body if isinstance(each, ast.AnnAssign)}
            self.assertEqual(names, set(records.CLASSES[struct]._fields), struct)
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))

    def test_mypy_agrees_where_it_is_installed(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("mypy is not installed")
        with folder() as place:
            user = os.path.join(place, "user.py")
            with open(user, "w", encoding="utf-8") as file:
                file.write('import sarrus\nmodel: sarrus.Model = sarrus.load("a.urdf", base="floating")\n'
                           'options = sarrus.SimOptions(dt=0.002, integrator="rk4", contact={"friction": 0.8})\n'
                           "options.contact.friction = 0.3\nn: int = model.nq\nx: float = sarrus.Sim(model, options).energies.kinetic\n")
            check = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", place, user]
            env = {**os.environ, "MYPYPATH": os.path.dirname(PACKAGE), "LD_PRELOAD": ""}
            done = subprocess.run(check, env=env, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            with open(user, "a", encoding="utf-8") as file:
                file.write('options.integrator = "rk5"\noptions.dtt = 1\n')
            done = subprocess.run(check, env=env, capture_output=True, text=True)
            self.assertEqual(done.stdout.count("error:"), 2, done.stdout)


class Pages(unittest.TestCase):
    def run_blocks(self, page):
        """Runs a page's Python blocks in order, in one process, from a copy of the source tree's samples."""
        code = "\n".join(blocks(page, "python"))
        self.assertTrue(code, page)
        with folder() as place:
            os.symlink(os.path.join(SOURCE, "samples"), os.path.join(place, "samples"))
            os.makedirs(os.path.join(place, "build"))
            env = {**os.environ, "PATH": os.path.dirname(COMMAND) + os.pathsep + os.environ["PATH"]}
            done = subprocess.run([sys.executable, "-B", "-c", code], cwd=place, env=env, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_python_of_the_page_runs(self):
        self.run_blocks("docs/python.md")

    def test_the_python_of_the_readme_runs(self):
        self.run_blocks("README.md")

    def test_the_example_of_the_module_runs(self):
        example = sarrus.__doc__.split("import sarrus\n", 1)[1].split("load, Builder", 1)[0]
        code = "import sarrus\n" + "\n".join(line[4:] for line in example.splitlines())
        done = subprocess.run([sys.executable, "-B", "-c", code], cwd=SOURCE, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


class Samples(unittest.TestCase):
    def run_sample(self, name, *arguments):
        done = subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "samples", "python", name), *arguments], cwd=SOURCE,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_arm_reaches_its_target(self):
        self.assertRegex(self.run_sample("arm_reach.py"), r"2\.5 s: off by \d\.\d+e-(0[6-9]|1)")

    def test_the_environments_hold_what_gymnasium_asks(self):
        self.assertIn("pendulum chain", self.run_sample("environments.py"))


if __name__ == "__main__":
    unittest.main()
