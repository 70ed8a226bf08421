"""Runs from many states at once, on the C library's pool of threads: one call, without the interpreter lock."""
from typing import Any, Dict, NamedTuple

import numpy as np

from ._capi import ffi, lib
from .arrays import array, pointer
from .errors import check, exception


class Rollout(NamedTuple):
    """What Sim.rollout returns, for n states and m samples each.

    time: (m,), s; (n, m) where rows began from snapshots
    q: (n, m, nq)
    v: (n, m, nv)
    errors: {row: the exception that ended it}; its samples are NaN from there on
    """

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    errors: Dict[int, Exception]

    def __repr__(self):
        n, m, nq = self.q.shape
        return f"<sarrus.Rollout: {n} states, {m} samples, nq {nq}, nv {self.v.shape[2]}, {len(self.errors)} errors>"


class _Job:
    """What to run, as a C struct, with the arrays that it points to."""

    def __init__(self, model, states, inputs, steps, every):
        self.snapshots, self.q, self.v = _beginnings(model, states)
        self.n = len(self.snapshots) if self.q is None else len(self.q)
        self.inputs = None if inputs is None else np.asarray(inputs)
        if self.inputs is not None:
            shape = (-1, model.nv) if self.inputs.ndim == 2 else (self.n, -1, model.nv)
            self.inputs = array(self.inputs, shape, "inputs")
            if steps not in (None, self.inputs.shape[-2]):
                raise ValueError(f"steps is {steps}, but inputs are for {self.inputs.shape[-2]}")
            steps = self.inputs.shape[-2]
        if steps is None:
            raise TypeError("rollout takes inputs or steps")
        if int(steps) < 0 or int(every) < 1:
            raise ValueError("steps must not be negative, and every is at least 1")
        m = int(steps) // int(every) + 1
        self.time = np.empty((self.n, m))
        self.q_out, self.v_out = np.empty((self.n, m, model.nq)), np.empty((self.n, m, model.nv))
        self._point(int(steps), int(every))

    def _point(self, steps, every):
        self.errors_c = ffi.new("srs_error[]", self.n)
        self.c = ffi.new("srs_rollout_job *", lib.srs_default_rollout_job(self.n, steps))
        self.c.every, self.c.errors = every, self.errors_c
        self.c.torques_are_shared = self.inputs is not None and self.inputs.ndim == 2
        self.memory = []
        for name, numbers in (("q", self.q), ("v", self.v), ("torques", self.inputs), ("time", self.time),
                              ("q_out", self.q_out), ("v_out", self.v_out)):
            if numbers is not None:
                self.memory.append(pointer(numbers))
                setattr(self.c, name, self.memory[-1])
        if self.snapshots:
            starts = ffi.new("srs_rollout_start[]", self.n)
            self.memory.append(starts)
            for start, shot in zip(starts, self.snapshots):
                self.memory.append(ffi.from_buffer(shot.data))
                start.snapshot, start.size = self.memory[-1], len(shot.data)
            self.c.starts, self.c.n_starts = starts, self.n

    def run(self, sim, threads, lanes):
        """Runs all rows; their errors."""
        out, error = ffi.new("srs_rollout **"), ffi.new("srs_error *")
        with sim._guard:
            check(lib.srs_rollout_create(sim._c, threads, out, error), error)
        pool = ffi.gc(out[0], lib.srs_rollout_destroy)
        try:
            if lanes:
                check(lib.srs_rollout_use_lanes(pool, error), error)
            status = lib.srs_rollout_run(pool, self.c, error)
            if lib.srs_rollout_failures(pool, ffi.NULL) == 0:
                check(status, error)
        finally:
            ffi.release(pool)  # its threads end now
        if not status:
            return {}
        return {row: exception(each.status, ffi.addressof(self.errors_c, row))
                for row, each in enumerate(self.errors_c) if each.status}


def _beginnings(model, states):
    """(snapshots, q, v): a snapshot for each row, or q and v for each."""
    from .sim import Snapshot
    if not isinstance(states, np.ndarray) and len(states) > 0 and isinstance(states[0], Snapshot):
        if not all(isinstance(each, Snapshot) for each in states):
            raise TypeError("states are either all Snapshots or arrays")
        return list(states), None, None
    if isinstance(states, tuple) and len(states) == 2:
        q, v = array(states[0], (-1, model.nq), "q"), array(states[1], (-1, model.nv), "v")
        if len(q) != len(v):
            raise ValueError(f"{len(q)} rows of q, but {len(v)} of v")
    else:
        whole = array(states, (-1, model.nq + model.nv), "states")
        q, v = np.ascontiguousarray(whole[:, :model.nq]), np.ascontiguousarray(whole[:, model.nq:])
    return [], q, v


def cores() -> int:
    """How many cores this process may use."""
    return lib.srs_usable_processors()


def roll_out(sim: Any, states: Any, inputs: Any, steps: Any, every: int, threads: int, errors: str,
             lanes: bool = False) -> Rollout:
    """Sim.rollout."""
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors is {errors!r}; it can be raise or keep")
    job = _Job(sim.model, states, inputs, steps, every)
    failed = job.run(sim, max(1, min(threads or cores(), job.n, lib.SRS_MOST_THREADS)), lanes)
    if failed and errors == "raise":
        raise sim.model._raised_by_motion() or failed[min(failed)]
    time = job.time
    if job.n > 0 and job.q is not None:  # all rows have the same times; the one that went farthest has most of them
        time = job.time[np.argmin(np.isnan(job.time).sum(axis=1))]
    return Rollout(time, job.q_out, job.v_out, failed)
