"""The page of `sarrus view`: a run in 3-D, in a notebook or in the browser."""
import html
import os
import pathlib
import shutil
import subprocess
import tempfile
import webbrowser
from typing import Any, List, Optional, Sequence

from .errors import Error, FileError


def find_command() -> str:
    """The command `sarrus`: that of the environment's SARRUS_COMMAND, the module's own, or the one on the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    own = os.path.join(here, "bin", "sarrus")  # of a wheel, or of a build folder
    beside = os.path.normpath(os.path.join(here, "..", "..", "..", "..", "bin", "sarrus"))  # PREFIX/bin
    for name in (os.environ.get("SARRUS_COMMAND"), own, beside, shutil.which("sarrus")):
        if name and os.access(name, os.X_OK):
            return name
    raise FileError("the command sarrus was not found; install it, or set SARRUS_COMMAND to its path")


def main() -> None:
    """Becomes the command `sarrus`, for the script of that name that a wheel installs."""
    import sys
    name = find_command()
    os.execv(name, [name] + sys.argv[1:])


class Page:
    """One HTML page that shows a run and needs no network. A notebook displays it.

    text: the page   height: px, in a notebook
    """

    def __init__(self, text: str, height: int = 600):
        self.text, self.height = text, height

    def __repr__(self):
        return f"<sarrus.Page: {len(self.text) / 1e6:.2f} MB; open() shows it in the browser, save(name) writes it>"

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="{int(self.height)}" '
                'style="border:0" allowfullscreen></iframe>')

    def save(self, name: Any) -> None:
        """Writes the page to a file."""
        with open(name, "w", encoding="utf-8") as file:
            file.write(self.text)

    def open(self) -> None:
        """Opens the page in the browser, from a temporary file that stays there for it."""
        handle, name = tempfile.mkstemp(suffix=".html", prefix="sarrus-")
        os.close(handle)
        self.save(name)
        webbrowser.open(pathlib.Path(name).as_uri())


def make_page(trajectory: Any, scene: Any, columns: Optional[Sequence[str]], title: Optional[str], height: int) -> Page:
    """The page of a trajectory.  scene: a Model, a Scene, or a file; None: what the trajectory is of"""
    with tempfile.TemporaryDirectory() as place:
        name, out = trajectory.file, os.path.join(place, "run.html")
        if name is None:
            name = os.path.join(place, "run.csv")
            trajectory.write_csv(name)
            scene = trajectory.model if scene is None else scene
            if scene is None:
                raise TypeError("show needs a scene: the model that this trajectory is of, or a scene file")
        arguments: List[str] = [os.fspath(name), "--out", out, "--quiet"]
        if scene is not None:
            arguments += ["--scene", _scene_file(scene, place)]
        if columns is not None:
            arguments += ["--columns", ",".join(columns)]
        if title is not None:
            arguments += ["--title", title]
        done = subprocess.run([find_command(), "view", *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Error(done.stderr.strip().removeprefix("sarrus: "))
        with open(out, encoding="utf-8") as file:
            return Page(file.read(), height)


def _scene_file(scene, place):
    model = getattr(scene, "model", scene)
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    name = os.path.join(place, "scene.yaml")
    model.save(name)
    return name


def is_notebook() -> bool:
    """Whether IPython shows what an expression gives."""
    try:
        return get_ipython().has_trait("kernel")  # type: ignore[name-defined]  # noqa: F821
    except NameError:
        return False
