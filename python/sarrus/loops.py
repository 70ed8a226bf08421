"""Loops of a mechanism and inverse kinematics."""
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import PoseLike, array, as_pose, given, pointer
from .errors import check
from .model import Model


def _flags(count, indices):
    """bool[count], true at these indices."""
    c = ffi.new("bool[]", count)
    for index in indices:
        c[index] = True
    return c


def _assembly_options(model, frozen, loops, fields):
    options = records.AssemblyOptions(**fields)
    if frozen is not None:
        options._keep["frozen"] = _flags(model.nv, [model.v_index(each) for each in frozen])
        options._c.frozen = options._keep["frozen"]
    if loops is not None:
        options._keep["loops"] = _flags(lib.srs_model_n_loops(model._c), [model.loop_index(each) for each in loops])
        options._c.loops = options._keep["loops"]
    return options


def _workspace(model):
    out, error = ffi.new("srs_workspace **"), ffi.new("srs_error *")
    check(lib.srs_workspace_create(model._c, out, error), error)
    return ffi.gc(out[0], lib.srs_workspace_destroy)


def loop_gaps(model: Model, q: Any, time: float = 0.0) -> np.ndarray:
    """(n_loops,): how far each loop is from closed at q (nq), m or rad.  time: s, for prescribed motions"""
    workspace, out = _workspace(model), np.empty(lib.srs_model_n_loops(model._c))
    check(lib.srs_loop_gaps(workspace, given(q, (model.nq,), "q"), time, pointer(out)), lib.srs_workspace_error(workspace))
    return out


def loop_rank(model: Model, q: Any, time: float = 0.0) -> int:
    """How many rows of all loops are independent at q: the mechanism has nv - rank degrees of freedom there."""
    workspace, rank = _workspace(model), ffi.new("int *")
    check(lib.srs_loop_ranks(workspace, given(q, (model.nq,), "q"), time, ffi.NULL, rank), lib.srs_workspace_error(workspace))
    return rank[0]


def assemble(model: Model, q: Any, frozen: Optional[Sequence[Union[str, int]]] = None,
             loops: Optional[Sequence[Union[str, int]]] = None, **fields: Any) -> Tuple[np.ndarray, "records.AssemblyReport"]:
    """Closes the loops by the smallest change of q.

    q: (nq,), where to start   frozen: coordinates of v that keep their values   loops: which to close, None for all
    fields: of AssemblyOptions: time, tolerance, max_iterations, max_restarts, respect_limits
    Returns the closed configuration (nq,) and a report. Raises UnreachableError, which names the loops and their gaps.
    """
    options, report = _assembly_options(model, frozen, loops, fields), ffi.new("srs_assembly_report *")
    workspace, out = _workspace(model), np.array(array(q, (model.nq,), "q"))
    check(lib.srs_assemble(workspace, options._c, pointer(out), report), lib.srs_workspace_error(workspace))
    return out, records.read("srs_assembly_report", report)


def assemble_velocity(model: Model, q: Any, v: Any, frozen: Optional[Sequence[Union[str, int]]] = None,
                      loops: Optional[Sequence[Union[str, int]]] = None,
                      **fields: Any) -> Tuple[np.ndarray, "records.AssemblyReport"]:
    """The smallest change of v (nv) that keeps the loops closed at q (nq), or moving as prescribed; as assemble()."""
    options, report = _assembly_options(model, frozen, loops, fields), ffi.new("srs_assembly_report *")
    workspace, out = _workspace(model), np.array(array(v, (model.nv,), "v"))
    check(lib.srs_assemble_velocity(workspace, options._c, given(q, (model.nq,), "q"), pointer(out), report),
          lib.srs_workspace_error(workspace))
    return out, records.read("srs_assembly_report", report)


def inverse_kinematics(model: Model, targets: Any, q: Any = None, frozen: Optional[Sequence[Union[str, int]]] = None,
                       **fields: Any) -> Tuple[np.ndarray, "records.IkReport"]:
    """A configuration that takes frames to targets, within the joints' limits and with loops closed.

    targets: {frame: pose}, or a sequence of (frame, pose), (frame, pose, rows) or (frame, pose, rows, weight); a bare
        position (3,) as the pose counts as rows="point". rows: "all", "point", "angular" or a mask
    q: (nq,), where to start; None: the neutral configuration   frozen: coordinates of v that keep their values
    fields: of IkOptions: tolerance, max_iterations, max_restarts, respect_limits, time
    Returns the configuration (nq,) and a report. Raises UnreachableError, which says how near the best one came.
    """
    from .dynamics import _mask
    items = list(targets.items()) if hasattr(targets, "items") else list(targets)
    c = ffi.new("srs_ik_target[]", len(items))
    for target, (frame, pose, *rest) in zip(c, items):
        _set_target(target, model.frame_index(frame), pose, rest, _mask)
    options = records.IkOptions(**fields)
    flags = None if frozen is None else _flags(model.nv, [model.v_index(each) for each in frozen])
    options._c.frozen = ffi.NULL if flags is None else flags
    out, error, report = ffi.new("srs_ik **"), ffi.new("srs_error *"), ffi.new("srs_ik_report *")
    check(lib.srs_ik_create(model._c, max(1, len(items)), out, error), error)
    ik = ffi.gc(out[0], lib.srs_ik_destroy)
    found = np.array(array(model.neutral if q is None else q, (model.nq,), "q"))
    check(lib.srs_inverse_kinematics(ik, c, len(items), options._c, pointer(found), report), lib.srs_ik_error(ik))
    return found, records.read("srs_ik_report", report)


def _set_target(target, frame: int, pose: PoseLike, rest, mask):
    place = as_pose(pose)
    is_point = not isinstance(pose, tuple) or not hasattr(pose[0], "__len__")
    rows = rest[0] if rest else "point" if is_point and np.shape(pose) == (3,) else "all"
    target.frame, target.rows = frame, mask(rows)
    target.weight = float(rest[1]) if len(rest) > 1 else 1.0
    target.pose = {"position": place.position.tolist(), "rotation": place.rotation.ravel().tolist()}
