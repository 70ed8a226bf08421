"""The linearised step: how the state after a step changes with the state before it, with torques and parameters."""
from typing import Any, List, NamedTuple, Sequence, Tuple, Union

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import pointer
from .errors import check

_KINDS = records.WORDS["srs_parameter_kind"]
_OF_LINKS, _OF_COORDINATES = ("mass", "com", "inertia"), ("armature", "damping", "stiffness", "dry-friction")


class Linearised(NamedTuple):
    """[dq+; dv+] = A [dq; dv] + B dtau + P dp, q in tangent coordinates.

    A: (2 nv, 2 nv)   B: (2 nv, nv)   P: (2 nv, n), for the n parameters that were asked for
    status: "smooth" | "one-sided" | "not smooth"
    n_rows, n_active, rank: of the step's problem: its rows, those that fix the motion or slide, how many are independent
    geometry_error: how far the turning of normals and the growth of gaps may be off, as a share of the largest derivative
    weak: what keeps the step from being smooth, a line for each row
    """

    A: np.ndarray
    B: np.ndarray
    P: np.ndarray
    status: str
    n_rows: int
    n_active: int
    rank: int
    geometry_error: float
    weak: List[str]

    def __repr__(self):
        n = self.B.shape[1]
        return f"<sarrus.Linearised: nv {n}, {self.P.shape[1]} parameters, {self.status}, {self.n_active} of {self.n_rows} rows active>"


#: A parameter: ("gravity", component), ("mass", link), ("com" or "inertia", link, component),
#: ("joint-origin", link of the model, component), ("friction", shape), or a word of a coordinate's, ("damping", joint).
ParameterLike = Union[Tuple[str, Any], Tuple[str, Any, int]]


def _parameter(model, given):
    """(kind, index, component) of what was given."""
    kind, *rest = (given,) if isinstance(given, str) else given
    if kind not in _KINDS:
        raise ValueError(f"parameter is {kind!r}; it can be {', '.join(_KINDS)}")
    if not 1 <= len(rest) <= 2:
        raise ValueError(f"parameter {given!r} needs what it is of: (kind, name) or (kind, name, component)")
    if kind == "gravity":
        return _KINDS.index(kind), 0, int(rest[0])
    component = int(rest[1]) if len(rest) > 1 else 0
    if kind in _OF_LINKS:
        index = model.frame_index(rest[0])
    elif kind in _OF_COORDINATES:
        index = model.v_index(rest[0])
    elif kind == "friction":
        index = model.shape_index(rest[0])
    else:
        index = model.link_index(rest[0])
    return _KINDS.index(kind), index, component


class Linearisation:
    """Memory in which the steps of one Sim are linearised; Sim.linearisation makes one.

        linearisation = sim.linearisation([("mass", "cup"), ("friction", "cup")])
        for _ in range(100):
            A, B, P, *_ = linearisation()
            sim.step()

    Raises UnsupportedError, naming what is not offered: other integrators than semi-implicit-euler, embedded loops, …
    """

    def __init__(self, sim, parameters: Sequence[ParameterLike] = ()):
        out = ffi.new("srs_linearisation **")
        rows = [_parameter(sim.model, each) for each in parameters]
        with sim._guard:
            check(lib.srs_linearisation_create(sim._c, out, sim._error), sim._error)
            self._c = ffi.gc(out[0], lib.srs_linearisation_destroy)
            chosen = ffi.new("srs_parameter[]", rows) if rows else ffi.NULL
            check(lib.srs_linearisation_set_parameters(self._c, chosen, len(rows), sim._error), sim._error)
        self.sim, self.parameters = sim, list(parameters)

    def __repr__(self):
        return f"<sarrus.Linearisation: nv {self.sim.model.nv}, {len(self.parameters)} parameters>"

    def __call__(self) -> Linearised:
        """Linearises the next step from the sim's present state and inputs; the sim does not move."""
        sim, nv, n = self.sim, self.sim.model.nv, len(self.parameters)
        A, B, P = np.empty((2 * nv, 2 * nv)), np.empty((2 * nv, nv)), np.empty((2 * nv, n))
        report = ffi.new("srs_linearisation_report *")
        with sim._guard:
            check(lib.srs_sim_linearise(sim._c, self._c, pointer(A), pointer(B), report, sim._error), sim._error)
            if n > 0:
                check(lib.srs_linearisation_parameters(self._c, pointer(P)), ffi.NULL)
            weak = [self._text(report.weak + i) for i in range(report.n_weak)]
        status = ffi.string(lib.srs_linearisation_status_name(report.status)).decode()
        return Linearised(A, B, P, status, report.n_rows, report.n_active, report.rank, report.geometry_error, weak)

    def _text(self, row):
        text = ffi.new("char[]", 512)
        return ffi.string(lib.srs_weak_row_text(self.sim.model._c, row, text, 512)).decode()
