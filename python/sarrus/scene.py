"""Scene files: models, environment, initial state, integrator, output (docs/scene.md)."""
from typing import Any, Optional

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import copied, path
from .errors import check, text_of
from .model import Model, _load_options
from .sim import Sim


class Scene:
    """A scene file, or a robot file as a scene of that model alone.

    model: all models of the scene as one Model
    options: its SimOptions, a copy; change it and give it to simulate()
    duration: s
    q, v: (nq,) and (nv,), the initial state as written
    output_file, output_every: where a run of it is written, and every how many steps
    text: the file's text
    """

    def __init__(self, name: Any, options: Optional["records.LoadOptions"] = None, **fields: Any):
        chosen = ffi.new("srs_scene_options *", lib.srs_default_scene_options())
        load = _load_options(options, None, fields)
        chosen.load = load._c[0]
        out, error = ffi.new("srs_scene **"), ffi.new("srs_error *")
        check(lib.srs_scene_load(path(name), chosen, out, error), error)
        self._c = ffi.gc(out[0], lib.srs_scene_destroy)
        self.name = str(name)
        self._read_settings()

    def _read_settings(self):
        settings = lib.srs_scene_get_settings(self._c)
        self.model = Model(ffi.cast("srs_model *", lib.srs_scene_model(self._c)), self, destroy=False)
        self.duration: float = settings.duration
        self.output_file: Optional[str] = text_of(settings.output_file)
        self.output_every: int = settings.output_every
        self.text: Optional[str] = text_of(settings.text)

    def __repr__(self):
        return f"<sarrus.Scene {self.name!r}: nq {self.model.nq}, nv {self.model.nv}, {self.duration:g} s of {self.options.dt:g} s>"

    @property
    def options(self) -> "records.SimOptions":
        """The scene's options of a simulation, a copy."""
        return records.read("srs_sim_options", ffi.addressof(lib.srs_scene_get_settings(self._c), "sim"))

    def _state(self, name) -> np.ndarray:
        sim = self.simulate()
        return getattr(sim, name)

    @property
    def q(self) -> np.ndarray:
        """(nq,): the initial configuration as written."""
        settings = lib.srs_scene_get_settings(self._c)
        return self._state("q") if settings.is_redundant else copied(settings.q, self.model.nq)

    @property
    def v(self) -> np.ndarray:
        """(nv,): the initial velocity as written."""
        settings = lib.srs_scene_get_settings(self._c)
        return self._state("v") if settings.is_redundant else copied(settings.v, self.model.nv)

    def simulate(self, options: Optional["records.SimOptions"] = None, **fields: Any) -> Sim:
        """A Sim at the scene's initial state, its loops closed.

        options: SimOptions in place of the scene's; fields: of these, e.g. dt=0.0005
        Raises as Sim does; UnreachableError where its loops cannot be closed.
        """
        start = ffi.new("srs_sim_options *", lib.srs_scene_get_settings(self._c).sim)
        if options is not None:
            start[0] = options._c[0]
        chosen = _changed(start, options, fields)
        out, error = ffi.new("srs_sim **"), ffi.new("srs_error *")
        check(lib.srs_scene_create_sim(self._c, chosen._c, out, error), error)
        c = ffi.gc(out[0], lib.srs_sim_destroy)
        model = ffi.cast("srs_model *", lib.srs_sim_model(c))
        return Sim._of(c, self.model if model == self.model._c else Model(model, self, destroy=False))


def _changed(start, options, fields):
    """A SimOptions over that C struct, with some fields changed."""
    chosen = object.__new__(records.SimOptions)
    object.__setattr__(chosen, "_c", start)
    object.__setattr__(chosen, "_keep", {"before": options})
    object.__setattr__(chosen, "_owner", None)
    chosen.update(**fields)
    return chosen


def load_scene(name: Any, options: Optional["records.LoadOptions"] = None, **fields: Any) -> Scene:
    """Reads a YAML scene, or a robot file as a scene of that model alone.

    options, fields: LoadOptions for a robot file; packages and strictness hold for scenes too
    Raises FileError, FileSyntaxError, NameNotKnownError ...; str() names FILE:LINE:COL.
    """
    return Scene(name, options, **fields)
