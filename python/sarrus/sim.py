"""A mechanism in motion: state, inputs, steps, and what acted in the last step."""
import threading
from typing import Any, Callable, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import Guard, Pose, array, copied, given, path, pointer, table, view
from .errors import BusyError, UnsupportedError, check, exception
from .model import Model
from .parameters import Parameters
from .results import Trajectory

_step, _set_torque, _time = lib.srs_sim_step, lib.srs_sim_set_torque, lib.srs_sim_time
_from_buffer, _DOUBLES, _FLOAT = ffi.from_buffer, ffi.typeof("double[]"), np.dtype(float)
_BUSY = "this Sim is at work in another thread, or calls back: one thread at a time"
_PIECE = 20000  # steps between two looks at Ctrl-C

CONTACT = table({}, ffi.typeof("srs_sim_contact"))
ROW = table({}, ffi.typeof("srs_sim_row"))


class Snapshot:
    """Everything that the next step reads besides model and options, at one instant. Can be pickled, compared and kept.

    A Sim of the same model and options that restores it, in this process or another one on the same kind of machine,
    continues with the same bits.

    data: the bytes
    time: s
    """

    __slots__ = ("data", "time")

    def __init__(self, data: bytes, time: float):
        self.data, self.time = bytes(data), float(time)

    def __repr__(self):
        return f"<sarrus.Snapshot: t = {self.time:g} s, {len(self.data)} bytes>"

    def __eq__(self, other):
        return self.data == other.data if isinstance(other, Snapshot) else NotImplemented

    def __hash__(self):
        return hash(self.data)

    def __reduce__(self):
        return Snapshot, (self.data, self.time)


class Sim(Parameters):
    """A simulation, as a control loop holds it. It starts at t = 0 in the neutral configuration, at rest.

        sim = sarrus.Sim(model, dt=0.001, integrator="implicit-moreau", contact={"friction": 0.8})
        sim.set_torque(tau)
        sim.step()
        log.append(sim.q)   # a new array each time

    options, fields: SimOptions, and fields of it
    Raises ArgumentError, UnsupportedError, NameNotKnownError, ModelError.

    Arrays that come out are copies. view_q() and view_v() are the simulation's own memory, which every step changes; they
    are read-only and keep it alive. Steps and runs release the interpreter lock. One thread at a time: a second thread, or
    a callback of the sim, that calls it meanwhile gets BusyError. Sims of one model in several threads need no lock.
    """

    __slots__ = ("_c", "model", "_lock", "_guard", "_error", "_q", "_v", "_shape", "_watch", "_handle", "_raised",
                 "__weakref__")

    def __init__(self, model: Model, options: Optional["records.SimOptions"] = None, **fields: Any):
        chosen = options
        if fields or options is None:
            chosen = options.copy() if options is not None else records.SimOptions()
            chosen.update(**fields)
        out, error = ffi.new("srs_sim **"), ffi.new("srs_error *")
        check(lib.srs_sim_create(model._c, chosen._c, out, error), error)
        self._begin(ffi.gc(out[0], lib.srs_sim_destroy), model)

    @classmethod
    def _of(cls, c, model):
        sim = object.__new__(cls)
        sim._begin(c, model)
        return sim

    def _begin(self, c, model):
        self._c, self.model = c, model
        self._lock = threading.Lock()
        self._guard = Guard(self._lock, "Sim")
        self._error = ffi.new("srs_error *")
        self._q, self._v = view((c, model), lib.srs_sim_q(c), model.nq), view((c, model), lib.srs_sim_v(c), model.nv)
        self._shape = (model.nv,)
        self._watch = self._handle = self._raised = None

    def __repr__(self):
        options = self.options
        return (f"<sarrus.Sim: t = {self.time:g} s, step {self.steps}, {options.integrator}, dt {options.dt:g} s, "
                f"nq {self.model.nq}, nv {self.model.nv}>")

    def __reduce__(self):
        raise TypeError("a Sim cannot be pickled; pickle sim.model, sim.options and sim.snapshot()")

    # State

    @property
    def time(self) -> float:
        """s"""
        return _time(self._c)

    @property
    def steps(self) -> int:
        """Steps since creation or reset."""
        return lib.srs_sim_steps(self._c)

    @property
    def q(self) -> np.ndarray:
        """(nq,): the configuration, a copy."""
        if self._lock.locked():
            raise BusyError(_BUSY)
        return self._q.copy()

    @property
    def v(self) -> np.ndarray:
        """(nv,): the velocity, a copy."""
        if self._lock.locked():
            raise BusyError(_BUSY)
        return self._v.copy()

    def view_q(self) -> np.ndarray:
        """(nq,): the configuration as it is at any time, read-only. Every step changes it. It keeps the simulation's
        memory alive; do not read it while another thread steps."""
        return self._q.view()

    def view_v(self) -> np.ndarray:
        """(nv,): the velocity as it is at any time; see view_q()."""
        return self._v.view()

    @property
    def options(self) -> "records.SimOptions":
        """The options of the simulation, a copy."""
        return records.read("srs_sim_options", lib.srs_sim_get_options(self._c))

    def reset(self) -> None:
        """Returns to the state after creation and clears the inputs."""
        with self._guard:
            lib.srs_sim_reset(self._c)

    def set_state(self, q: Any = None, v: Any = None, time: Optional[float] = None) -> None:
        """Sets the state; None keeps that part, inputs stay.

        q: (nq,), quaternions within 1e-6 of unit length   v: (nv,)   time: s
        """
        q, v = given(q, (self.model.nq,), "q"), given(v, (self.model.nv,), "v")
        with self._guard:
            check(lib.srs_sim_set_state(self._c, _time(self._c) if time is None else time, q, v, self._error), self._error)

    def assemble(self, frozen: Optional[Sequence[Union[str, int]]] = None, **fields: Any) -> "records.AssemblyReport":
        """Closes the loops of the present state, configuration and velocity.

        frozen: coordinates of v that keep their values   fields: of AssemblyOptions
        Raises UnreachableError, the state as it was.
        """
        from .loops import _assembly_options
        options = _assembly_options(self.model, frozen, None, fields)
        report = ffi.new("srs_assembly_report *")
        with self._guard:
            check(lib.srs_sim_assemble(self._c, options._c, report, self._error), self._error)
        return records.read("srs_assembly_report", report)

    # Inputs: they hold, step after step, until they are set again or cleared

    @property
    def torque(self) -> np.ndarray:
        """(nv,): the torques last set, N m or N. Assigning is set_torque()."""
        return copied(lib.srs_sim_torque(self._c), self.model.nv)

    @torque.setter
    def torque(self, tau: Any) -> None:
        self.set_torque(tau)

    def set_torque(self, tau: Any) -> None:
        """Sets the torques and forces on all coordinates.  tau: (nv,), N m or N"""
        if type(tau) is not np.ndarray or tau.dtype is not _FLOAT or tau.shape != self._shape or not tau.flags.c_contiguous:
            tau = array(tau, self._shape, "tau")
        if not self._lock.acquire(False):
            raise BusyError(_BUSY)
        try:
            status = _set_torque(self._c, _from_buffer(_DOUBLES, tau), self._error)
            if status:
                raise exception(status, self._error)
        finally:
            self._lock.release()

    def set_wrench(self, frame: Union[str, int], wrench: Any, axes: str = "world") -> None:
        """Sets the wrench that acts at a frame's origin.

        wrench: (6,), [torque; force], N m and N   axes: "world" or "local", in which it is constant
        """
        index, turned = self.model.frame_index(frame), records.number_of("srs_axes", axes, "axes")
        numbers = given(wrench, (6,), "wrench")
        with self._guard:
            check(lib.srs_sim_set_wrench(self._c, index, turned, numbers, self._error), self._error)

    def set_servo(self, q_ref: Any, v_ref: Any, kp: Any, kd: Any) -> None:
        """Sets a PD servo, kp (q_ref - q) + kd (v_ref - v), implicit, so that no gain is too stiff for dt.

        q_ref: (nq,)   v_ref: (nv,), None for zeros   kp, kd: (nv,) or one number for all, >= 0
        """
        nq, nv = self.model.nq, self.model.nv
        v_ref = np.zeros(nv) if v_ref is None else v_ref
        kp, kd = (np.broadcast_to(np.asarray(gain, float), (nv,)) if np.ndim(gain) == 0 else gain for gain in (kp, kd))
        numbers = (given(q_ref, (nq,), "q_ref"), given(v_ref, (nv,), "v_ref"), given(kp, (nv,), "kp"), given(kd, (nv,), "kd"))
        with self._guard:
            check(lib.srs_sim_set_servo(self._c, *numbers, self._error), self._error)

    def set_actuator(self, coordinate: Union[str, int], is_of_closure: bool = False, **fields: Any) -> None:
        """Sets the motor of one coordinate of v, or of the coordinate that a closure leaves free.

        fields: of Actuator: gear, torque, position, velocity, kp, kd
        """
        model = self.model
        index = model.loop_index(coordinate) if is_of_closure else model.v_index(coordinate)
        actuator = records.Actuator(coordinate=index, is_of_closure=is_of_closure, **fields)
        with self._guard:
            check(lib.srs_sim_set_actuator(self._c, actuator._c, self._error), self._error)

    def set_motion(self, loop: Union[str, int], position: float, rate: float) -> None:
        """Sets where a loop's prescribed motion is now, and how fast it goes on: m or rad, m/s or rad/s.

        The closure or coupling must have a motion in the model, of rate 0 at least.
        """
        index = self.model.loop_index(loop)
        with self._guard:
            check(lib.srs_sim_set_motion(self._c, index, position, rate, self._error), self._error)

    def clear_inputs(self) -> None:
        """Takes away torques, wrenches, servos, actuators and targets of motions."""
        with self._guard:
            lib.srs_sim_clear_inputs(self._c)

    # Steps

    def step(self, n: int = 1) -> None:
        """Makes n steps of dt, without the interpreter lock.

        Raises SingularError, DivergedError, CapacityError; the state is then that of the last good step.
        """
        if n > _PIECE:
            self._step_in_pieces(n)
            return
        if not self._lock.acquire(False):
            raise BusyError(_BUSY)
        try:
            status = _step(self._c, n, self._error)
            if status or self._raised is not None:
                self._fail(status)
        finally:
            self._lock.release()

    def _step_in_pieces(self, n):
        while n > 0:
            self.step(min(n, _PIECE))
            n -= _PIECE

    def _fail(self, status):
        """Raises what a callback raised, or the status."""
        raised, self._raised = self._raised or self.model._raised_by_motion(), None
        if raised is not None:
            raise raised
        check(status, self._error)

    def run(self, duration: Optional[float] = None, steps: Optional[int] = None, every: int = 1, torque: Any = None,
            callback: Optional[Callable[["Sim"], Any]] = None) -> Trajectory:
        """Steps on and returns the samples.

        duration: s, or steps: how many
        every: steps from a sample to the next; the first one is the present state
        torque: (steps, nv), N m or N, held for a step each; None: inputs stay as they are
        callback: called with the sim before each step (with `every` > 1 before each so many); may set inputs
        Raises as step(); the interpreter lock is released while it steps.
        """
        if (duration is None) == (steps is None):
            raise TypeError("run takes either duration or steps")
        if steps is None:
            steps = int(round(duration / lib.srs_sim_get_options(self._c).dt))
        if steps < 0 or every < 1:
            raise ValueError("steps must not be negative, and every is at least 1")
        samples = Samples(self.model, steps, every, torque)
        if callback is None:
            self._run(samples)
        else:
            self._run_with(callback, samples)
        return samples.trajectory()

    def _run(self, samples):
        with self._guard:
            status = lib.srs_rollout_row(self._c, samples.c, 0, self._error)
            if status or self._raised is not None:
                self._fail(status)

    def _run_with(self, callback, samples):
        q, v = self._q, self._v
        samples.add(self.time, q, v)
        for start in range(0, samples.n_steps, samples.every):
            callback(self)
            n = min(samples.every, samples.n_steps - start)
            if samples.torque is None:
                self.step(n)
            else:
                for row in samples.torque[start:start + n]:
                    self.set_torque(row)
                    self.step()
            if n == samples.every:
                samples.add(self.time, q, v)

    def rollout(self, states: Any, inputs: Any = None, steps: Optional[int] = None, every: int = 1, threads: int = 0,
                errors: str = "raise", lanes: bool = False) -> "Any":
        """Runs from many states, on all cores, without the interpreter lock; the sim itself does not move.

        states: n states to begin from: a pair (q, v) of arrays (n, nq) and (n, nv), an array (n, nq + nv), or a sequence
            of Snapshots. Time, and inputs that `inputs` does not replace, are the sim's (a snapshot's own)
        inputs: torques (n, steps, nv), or (steps, nv) for all, N m or N, held for a step each; None: give `steps`
        every: steps from a sample to the next
        threads: 0: one for each core
        errors: "raise" the first one (by row) | "keep": in the result, whose samples from there on are NaN
        lanes: rows several at a time in vector lanes, at a quarter to half of the time: for semi-implicit Euler, where
            nothing but torques, dampers, springs and servos acts. Rows are then those of one Sim to rounding, not to
            the bit; what meets a limit runs once more alone. UnsupportedError says what is in the way and what cures it

        Returns a Rollout: time (samples,) or (n, samples), q (n, samples, nq), v (n, samples, nv). The bits are the same
        with any number of threads, and those of one Sim that goes through the rows one by one. Ctrl-C is raised when all
        rows are through.
        """
        from .rollout import roll_out
        return roll_out(self, states, inputs, steps, every, threads, errors, lanes)

    def linearisation(self, parameters: Sequence[Any] = ()) -> "Any":
        """A Linearisation: call it for A, B and P of the next step, [dq+; dv+] = A [dq; dv] + B dtau + P dp.

        parameters: what P is by: ("mass", link), ("friction", shape), ("damping", coordinate), ("com", link, 0) …
        """
        from .linearisation import Linearisation
        return Linearisation(self, parameters)

    def sensors(self, definitions: Any) -> "Any":
        """Sensors: instruments that are read after a step.  definitions: {name: {"kind": "imu", "frame": "tool"}, …}"""
        from .sensors import Sensors
        return Sensors(self, definitions)

    # Snapshots

    def snapshot(self) -> Snapshot:
        """The present state with everything that the next step reads."""
        with self._guard:
            size = lib.srs_sim_snapshot_size(self._c)
            memory = bytearray(size)
            lib.srs_sim_snapshot_save(self._c, ffi.from_buffer(memory))
            return Snapshot(memory, _time(self._c))

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot of this model and these options. ArgumentError for another one's, nothing changed."""
        with self._guard:
            check(lib.srs_sim_snapshot_restore(self._c, ffi.from_buffer(snapshot.data), len(snapshot.data), self._error),
                  self._error)

    # What is, and what acted in the last step

    @property
    def contacts(self) -> np.ndarray:
        """A structured array, one row for each contact of the last step, a copy.

        shape_a, shape_b, link_a, link_b: indices (-1: the world); point_a, point_b, normal (3, from B to A): m, world;
        gap: m, negative where they overlap; friction, restitution; impulse (3): on A by B, N s; force (3): N;
        torsional_impulse, torque, rolling, rolling_impulse (3), rolling_torque (3); feature, phi, slope, witness,
        anisotropy, side, n_sides: <sarrus/simulation.h>
        """
        return self._table(lib.srs_sim_contacts, CONTACT)

    @property
    def rows(self) -> np.ndarray:
        """A structured array, one row for each scalar row of the last step's problem besides contacts, a copy.

        source: index into ROW_SOURCES; subject: into ROW_SUBJECTS; index: coordinate in v, or loop; row: of a loop; gap;
        impulse: N m s or N s; force: N m or N
        """
        return self._table(lib.srs_sim_rows, ROW)

    def _table(self, function, dtype):
        with self._guard:
            n = ffi.new("int *")
            return copied(function(self._c, n), n[0], dtype=dtype)

    def _workspace(self, function, frame, *rest):
        """Calls a getter of the workspace at the present state."""
        index = self.model.frame_index(frame)
        with self._guard:
            workspace = lib.srs_sim_workspace(self._c)
            check(function(workspace, index, *rest), lib.srs_workspace_error(workspace))

    def placement(self, frame: Union[str, int]) -> Pose:
        """A frame's placement in the world."""
        c = ffi.new("srs_pose *")
        self._workspace(lib.srs_frame_placement, frame, c)
        return Pose(copied(c.position, 3), copied(c.rotation, 3, 3))

    def velocity(self, frame: Union[str, int], axes: str = "world") -> np.ndarray:
        """(6,): a frame's velocity, [angular; linear], rad/s and m/s, in "world" or "local" axes at its origin."""
        out = np.empty(6)
        self._workspace(lib.srs_frame_velocity, frame, records.number_of("srs_axes", axes, "axes"), pointer(out))
        return out

    def jacobian(self, frame: Union[str, int], axes: str = "world") -> np.ndarray:
        """(6, nv): a frame's Jacobian, angular rows first."""
        out = np.empty((6, self.model.nv))
        self._workspace(lib.srs_frame_jacobian, frame, records.number_of("srs_axes", axes, "axes"), pointer(out))
        return out

    def acceleration(self) -> np.ndarray:
        """(nv,): of the present state under the present inputs, without contacts, limits, dry friction and loops."""
        out = np.empty(self.model.nv)
        with self._guard:
            check(lib.srs_sim_acceleration(self._c, pointer(out), self._error), self._error)
        return out

    @property
    def energies(self) -> "records.Energies":
        """Kinetic and potential energy, J."""
        out = ffi.new("srs_energies *")
        with self._guard:
            check(lib.srs_sim_energies(self._c, out, self._error), self._error)
        return records.read("srs_energies", out)

    @property
    def energy_balance(self) -> "records.EnergyBalance":
        """Changes of energy and the works that made them, J. UnsupportedError without the option energy_balance."""
        out = ffi.new("srs_energy_balance *")
        with self._guard:
            if not lib.srs_sim_get_options(self._c).energy_balance:
                raise UnsupportedError("the works are not added up; make the sim with energy_balance=True")
            check(lib.srs_sim_energy_balance(self._c, out), ffi.NULL)
        return records.read("srs_energy_balance", out)

    @property
    def actuator_effort(self) -> np.ndarray:
        """(nv,): torques and servos as max_effort and max_velocity let them act, N m or N."""
        with self._guard:
            return copied(lib.srs_sim_actuator_effort(self._c), self.model.nv)

    def joint_wrench(self, frame: Union[str, int], axes: str = "world") -> np.ndarray:
        """(6,): [torque; force] on a link from its parent through its joint, mean over the last step, N m and N, about the
        link's origin."""
        index, turned = self.model.frame_index(frame), records.number_of("srs_axes", axes, "axes")
        out = np.empty(6)
        with self._guard:
            check(lib.srs_sim_joint_wrench(self._c, index, turned, pointer(out)), ffi.NULL)
        return out

    def loop_wrench(self, loop: Union[str, int]) -> Tuple[int, np.ndarray]:
        """The wrench of a closure: (index of the link that it acts on, [torque; force] (6,), N m and N, world axes about
        that link's origin)."""
        link, out = ffi.new("int *"), np.empty(6)
        index = self.model.loop_index(loop)
        with self._guard:
            check(lib.srs_sim_loop_wrench(self._c, index, link, pointer(out)), ffi.NULL)
        return link[0], out

    def closure_coordinate(self, closure: Union[str, int]) -> Tuple[float, float, float]:
        """What a revolute or prismatic closure leaves free: (value, rate, effort), rad or m, counting turns."""
        value, index = ffi.new("double[3]"), self.model.loop_index(closure)
        with self._guard:
            check(lib.srs_sim_closure_coordinate(self._c, index, value, value + 1, value + 2), ffi.NULL)
        return value[0], value[1], value[2]

    def _statistics(self, struct, function):
        with self._guard:
            return records.read(struct, function(self._c))

    @property
    def statistics(self) -> "records.SimStatistics":
        """What contact cost and how well it was solved, since creation or reset."""
        return self._statistics("srs_sim_statistics", lib.srs_sim_get_statistics)

    @property
    def implicit_statistics(self) -> "records.ImplicitStatistics":
        """What the implicit integrators cost."""
        return self._statistics("srs_implicit_statistics", lib.srs_sim_get_implicit_statistics)

    @property
    def spin_statistics(self) -> "records.SpinStatistics":
        """How well steps follow what turns fast."""
        return self._statistics("srs_spin_statistics", lib.srs_sim_get_spin_statistics)

    def watch_contacts(self, function: Optional[Callable[..., Any]]) -> None:
        """Calls function(problem, impulse, report) with each contact problem of further steps, once it is solved; None ends
        it. The problem is a ContactProblem, a copy. The function must not use the sim (BusyError); what it raises ends the
        step's call after the step."""
        with self._guard:
            self._watch = function
            self._handle = ffi.NULL if function is None else ffi.new_handle(_Watch(self, function))
            watch = ffi.NULL if function is None else lib.sarrus_watch
            lib.srs_sim_watch_contacts(self._c, watch, self._handle)

    def recorder(self, name: Any, **columns: Any) -> "Any":
        """Writes samples to a CSV file, with FILE.yaml beside it, or to an HDF5 file, as `sarrus run` does; see Recorder.

        columns: further groups: torques, accelerations, energies, contacts, body_contacts, loops, efforts, wrenches,
        poses, twists (True); columns: a list of names and patterns in place of q and v, as ["q:*", "contact:foot*"]
        """
        from .results import Recorder
        return Recorder(self, path(name), columns)


class _Watch:
    def __init__(self, sim, function):
        import weakref
        self.sim, self.function = weakref.ref(sim), function


@ffi.def_extern()
def sarrus_watch(context, problem, impulse, report):
    from .contact import ContactProblem
    watch = ffi.from_handle(context)
    sim = watch.sim()
    if sim is None or sim._raised is not None:
        return
    try:
        copy = ContactProblem._of(problem)
        watch.function(copy, copied(impulse, copy.n_rows), records.read("srs_contact_report", report))
    except BaseException as raised:
        sim._raised = raised


class Samples:
    """Memory for the samples of a run, and the C struct that says what to run: a rollout's job of one row."""

    def __init__(self, model, n_steps, every, torque):
        self.model, self.n_steps, self.every, self.taken = model, int(n_steps), int(every), 0
        n = self.n_steps // self.every + 1
        self.time, self.q, self.v = np.empty(n), np.empty((n, model.nq)), np.empty((n, model.nv))
        self.torque = None if torque is None else array(torque, (self.n_steps, model.nv), "torque")
        self.c = ffi.new("srs_rollout_job *", lib.srs_default_rollout_job(1, self.n_steps))
        self.memory = [pointer(each) for each in (self.time, self.q, self.v)]
        self.c.time, self.c.q_out, self.c.v_out = self.memory
        if self.torque is not None:
            self.memory.append(pointer(self.torque))
            self.c.torques = self.memory[-1]
        self.c.every = self.every

    def add(self, time, q, v):
        i = self.taken
        self.time[i], self.q[i], self.v[i] = time, q, v
        self.taken = i + 1

    def trajectory(self) -> Trajectory:
        model = self.model
        columns: Dict[str, np.ndarray] = {}
        found = Trajectory(self.time, self.q, self.v, model.q_names, model.v_names, columns)
        found.model = model
        return found


#: What `source` and `subject` of Sim.rows mean.
ROW_SOURCES = records.WORDS["srs_row_source"]
ROW_SUBJECTS = records.WORDS["srs_row_subject"]
