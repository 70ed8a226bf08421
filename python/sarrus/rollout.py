"""Runs from many states at once: each thread has a Sim of its own, and no step holds the interpreter lock."""
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, NamedTuple

import numpy as np

from ._capi import ffi, lib
from .arrays import array, pointer
from .errors import exception


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
    """What all threads read: where each row begins, its inputs, and where its samples go."""

    def __init__(self, sim, states, inputs, steps, every):
        model = sim.model
        self.sim, self.model = sim, model
        self.snapshots, self.q, self.v = _beginnings(sim, states)
        self.n = len(self.snapshots) if self.q is None else len(self.q)
        self.inputs = None if inputs is None else np.asarray(inputs)
        if self.inputs is not None and self.inputs.ndim == 2:
            self.inputs = np.broadcast_to(array(self.inputs, (-1, model.nv), "inputs"), (self.n,) + self.inputs.shape)
        elif self.inputs is not None:
            self.inputs = array(self.inputs, (self.n, -1, model.nv), "inputs")
        if self.inputs is not None and steps not in (None, self.inputs.shape[1]):
            raise ValueError(f"steps is {steps}, but inputs are for {self.inputs.shape[1]}")
        if self.inputs is None and steps is None:
            raise TypeError("rollout takes inputs or steps")
        self.steps, self.every = int(steps if self.inputs is None else self.inputs.shape[1]), int(every)
        if self.steps < 0 or self.every < 1:
            raise ValueError("steps must not be negative, and every is at least 1")
        m = self.steps // self.every + 1
        self.time = np.full((self.n, m), np.nan)
        self.q_out, self.v_out = np.full((self.n, m, model.nq), np.nan), np.full((self.n, m, model.nv), np.nan)
        self.errors: Dict[int, Exception] = {}
        self.next, self.lock = iter(range(self.n)), threading.Lock()

    def work(self, sim):
        """Takes rows, one after the other, until there are none."""
        error, run = ffi.new("srs_error *"), ffi.new("sarrus_rollout *")
        run.n_steps, run.every = self.steps, self.every
        while True:
            with self.lock:
                row = next(self.next, None)
            if row is None:
                return
            memory = self.prepare(run, row)
            status = lib.sarrus_roll_out(sim._c, run, error)
            del memory
            if status:
                self.errors[row] = exception(status, error)

    def prepare(self, run, row):
        """Fills in what is of this row; the result keeps its memory."""
        shot = self.snapshots[0 if self.q is not None else row]
        memory = [ffi.from_buffer(shot.data)]
        run.snapshot, run.snapshot_size = memory[0], len(shot.data)
        for name, source in (("q", self.q), ("v", self.v), ("torques", self.inputs)):
            here = ffi.NULL if source is None else pointer(source[row])
            memory.append(here)
            setattr(run, name, here)
        for name, out in (("time", self.time), ("q_out", self.q_out), ("v_out", self.v_out)):
            memory.append(pointer(out[row]))
            setattr(run, name, memory[-1])
        return memory


def _beginnings(sim, states):
    """(snapshots, q, v): one snapshot for all rows with q and v, or one for each without."""
    from .sim import Snapshot
    model = sim.model
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
    return [sim.snapshot()], q, v


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def roll_out(sim: Any, states: Any, inputs: Any, steps: Any, every: int, threads: int, errors: str) -> Rollout:
    """Sim.rollout."""
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors is {errors!r}; it can be raise or keep")
    job = _Job(sim, states, inputs, steps, every)
    count = max(1, min(threads or cores(), job.n))
    sims = [sim._clone() for _ in range(count)]
    if count == 1:
        job.work(sims[0])
    else:
        with ThreadPoolExecutor(count) as pool:
            for done in [pool.submit(job.work, each) for each in sims]:
                done.result()
    if job.errors and errors == "raise":
        raise sim.model._raised_by_motion() or job.errors[min(job.errors)]
    time = job.time
    if job.n > 0 and job.q is not None:  # all rows have the same times; the one that went farthest has most of them
        time = job.time[np.argmin(np.isnan(job.time).sum(axis=1))]
    return Rollout(time, job.q_out, job.v_out, dict(sorted(job.errors.items())))
