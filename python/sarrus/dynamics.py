"""Kinematics and dynamics of a model at any state."""
import threading
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import Guard, Pose, copied, given, pointer
from .errors import check
from .model import Model

FrameLike = Union[str, int]


class ForwardDerivatives(NamedTuple):
    """a (nv,), and its derivatives by q (in tangent coordinates), v and tau, (nv, nv) each."""

    a: np.ndarray
    dq: np.ndarray
    dv: np.ndarray
    dtau: np.ndarray


class InverseDerivatives(NamedTuple):
    """Derivatives of tau by q (in tangent coordinates), v and a (the mass matrix), (nv, nv) each."""

    dq: np.ndarray
    dv: np.ndarray
    da: np.ndarray


class FrameDerivatives(NamedTuple):
    """Derivatives of a frame's velocity by q, and of its acceleration by q and v, (6, nv) each, angular rows first."""

    velocity_dq: np.ndarray
    acceleration_dq: np.ndarray
    acceleration_dv: np.ndarray


class EmbeddedMotion(NamedTuple):
    """How all coordinates move with the independent ones of embedded loops, v = map y, and the derivatives of v by q and
    of a by q and v of these, (nv, nv) each; columns of dependent coordinates are zero."""

    map: np.ndarray
    dv_dq: np.ndarray
    da_dq: np.ndarray
    da_dv: np.ndarray


class EmbeddedFrameDerivatives(NamedTuple):
    """Derivatives of a frame's velocity and acceleration by q and v of the independent coordinates, (6, nv) each, angular
    rows first."""

    velocity_dq: np.ndarray
    velocity_dv: np.ndarray
    acceleration_dq: np.ndarray
    acceleration_dv: np.ndarray


class CentroidalMomentum(NamedTuple):
    """matrix (6, nv): [angular momentum about the mass centre; linear momentum] = matrix v; rate (6, nv): its time
    derivative; jacobian (3, nv): of the mass centre's position."""

    matrix: np.ndarray
    rate: np.ndarray
    jacobian: np.ndarray


class Dynamics:
    """Kinematics and dynamics of a model at any state; loops are open, contacts absent.

        dynamics = model.dynamics()
        M = dynamics.mass_matrix(q)
        J = dynamics.jacobian(q, "tool")

    gravity: (3,), m/s^2, world axes

    q is (nq,), with unit quaternions; v, a and tau are (nv,); wrenches are (n_links, 6), [torque; force] on each moving
    link, world axes at its origin. Spatial vectors are [angular; linear]; axes are "world" or "local", at the frame's
    origin. Results are new arrays. Calls release the interpreter lock; one thread at a time (BusyError).
    Raises NotFiniteError, which names the entry; SingularError, DivergedError where stated.
    """

    def __init__(self, model: Model, gravity: Sequence[float] = (0, 0, -9.81)):
        out, error = ffi.new("srs_workspace **"), ffi.new("srs_error *")
        check(lib.srs_workspace_create(model._c, out, error), error)
        self._c, self.model = ffi.gc(out[0], lib.srs_workspace_destroy), model
        self._guard = Guard(threading.Lock(), "Dynamics")
        self._reserved = False
        self._call(lib.srs_workspace_set_gravity, given(gravity, (3,), "gravity"))
        self._gravity = tuple(float(g) for g in gravity)

    def __repr__(self):
        return f"<sarrus.Dynamics: nq {self.model.nq}, nv {self.model.nv}, gravity {self._gravity}>"

    def _call(self, function, *arguments):
        with self._guard:
            check(function(self._c, *arguments), lib.srs_workspace_error(self._c))

    def _q(self, q, name="q"):
        return given(q, (self.model.nq,), name)

    def _v(self, v, name="v"):
        return given(v, (self.model.nv,), name)

    def _wrenches(self, wrenches):
        return given(wrenches, (lib.srs_model_n_links(self.model._c), 6), "wrenches")

    def _vector(self, function, *arguments):
        out = np.empty(self.model.nv)
        self._call(function, *arguments, pointer(out))
        return out

    def _matrices(self, count, rows=None):
        return [np.empty((self.model.nv if rows is None else rows, self.model.nv)) for _ in range(count)]

    def _at(self, q, v, a, function, frame, *rest):
        """Places the links, then calls a getter of a frame."""
        index = self.model.frame_index(frame)
        with self._guard:
            if a is not None:
                status = lib.srs_forward_acceleration(self._c, self._q(q), self._v(v), self._v(a, "a"))
            elif v is not None:
                status = lib.srs_forward_velocity(self._c, self._q(q), self._v(v))
            else:
                status = lib.srs_forward_kinematics(self._c, self._q(q))
            check(status or function(self._c, index, *rest), lib.srs_workspace_error(self._c))

    # Kinematics

    def placement(self, q: Any, frame: FrameLike) -> Pose:
        """A frame's placement in the world."""
        c = ffi.new("srs_pose *")
        self._at(q, None, None, lib.srs_frame_placement, frame, c)
        return Pose(copied(c.position, 3), copied(c.rotation, 3, 3))

    def placements(self, q: Any) -> Tuple[np.ndarray, np.ndarray]:
        """Of all frames: positions (n_frames, 3), m, and rotations (n_frames, 3, 3)."""
        n = lib.srs_model_n_frames(self.model._c)
        c, positions, rotations = ffi.new("srs_pose *"), np.empty((n, 3)), np.empty((n, 3, 3))
        with self._guard:
            check(lib.srs_forward_kinematics(self._c, self._q(q)), lib.srs_workspace_error(self._c))
            for i in range(n):
                lib.srs_frame_placement(self._c, i, c)
                positions[i], rotations[i] = list(c.position), np.reshape(list(c.rotation), (3, 3))
        return positions, rotations

    def velocity(self, q: Any, v: Any, frame: FrameLike, axes: str = "world") -> np.ndarray:
        """(6,): a frame's velocity, rad/s and m/s."""
        out = np.empty(6)
        self._at(q, v, None, lib.srs_frame_velocity, frame, records.number_of("srs_axes", axes, "axes"), pointer(out))
        return out

    def acceleration(self, q: Any, v: Any, a: Any, frame: FrameLike, axes: str = "world") -> np.ndarray:
        """(6,): a frame's classical acceleration, rad/s^2 and m/s^2, without gravity."""
        out = np.empty(6)
        self._at(q, v, a, lib.srs_frame_acceleration, frame, records.number_of("srs_axes", axes, "axes"), pointer(out))
        return out

    def jacobian(self, q: Any, frame: FrameLike, axes: str = "world") -> np.ndarray:
        """(6, nv): J with frame velocity = J v, angular rows 0 to 2, linear rows 3 to 5."""
        out = np.empty((6, self.model.nv))
        self._at(q, None, None, lib.srs_frame_jacobian, frame, records.number_of("srs_axes", axes, "axes"), pointer(out))
        return out

    # Dynamics

    def inverse_dynamics(self, q: Any, v: Any, a: Any, wrenches: Any = None) -> np.ndarray:
        """(nv,): tau = M(q) a + c(q, v) - sum J^T f, N m or N. Armature is included; damping, springs and friction are
        not (Model.passive_forces)."""
        return self._vector(lib.srs_inverse_dynamics, self._q(q), self._v(v), self._v(a, "a"), self._wrenches(wrenches))

    def forward_dynamics(self, q: Any, v: Any, tau: Any, wrenches: Any = None) -> np.ndarray:
        """(nv,): a = M(q)^-1 (tau - c(q, v) + sum J^T f), rad/s^2 or m/s^2. Raises SingularError, DivergedError."""
        return self._vector(lib.srs_forward_dynamics, self._q(q), self._v(v), self._v(tau, "tau"), self._wrenches(wrenches))

    def embedded_acceleration(self, q: Any, v: Any, tau: Any, wrenches: Any = None) -> np.ndarray:
        """(nv,): forward dynamics with embedded loops closed; q must close them. Raises UnreachableError, ModelError."""
        return self._vector(lib.srs_embedded_acceleration, self._q(q), self._v(v), self._v(tau, "tau"),
                            self._wrenches(wrenches))

    def bias(self, q: Any, v: Any) -> np.ndarray:
        """(nv,): c(q, v): Coriolis, centrifugal and gravity terms, N m or N."""
        return self._vector(lib.srs_bias, self._q(q), self._v(v))

    def mass_matrix(self, q: Any) -> np.ndarray:
        """(nv, nv): the joint-space inertia, armature included, kg m^2 and kg; symmetric."""
        out = np.empty((self.model.nv, self.model.nv))
        self._call(lib.srs_mass_matrix, self._q(q), pointer(out))
        return out

    def coriolis_matrix(self, q: Any, v: Any) -> np.ndarray:
        """(nv, nv): C of the Christoffel symbols, C v = bias without gravity, N m s or N s."""
        self._reserve()
        out = np.empty((self.model.nv, self.model.nv))
        self._call(lib.srs_coriolis_matrix, self._q(q), self._v(v), pointer(out))
        return out

    # Seen from frames

    def _frames(self, frames, axes):
        """srs_constraint_frame[] and the number of rows, of names, indices, or (frame, rows) with rows a mask."""
        turned = records.number_of("srs_axes", axes, "axes")
        given_frames = [frames] if isinstance(frames, (str, int)) or _is_pair(frames) else list(frames)
        items = [each if _is_pair(each) else (each, lib.SRS_ROWS_ALL) for each in given_frames]
        c = ffi.new("srs_constraint_frame[]", [(self.model.frame_index(frame), turned, _mask(rows)) for frame, rows in items])
        n = sum(bin(_mask(rows)).count("1") for _, rows in items)
        with self._guard:
            check(lib.srs_workspace_reserve_rows(self._c, n), lib.srs_workspace_error(self._c))
        return c, len(items), n

    def delassus(self, q: Any, frames: Any, axes: str = "world") -> np.ndarray:
        """(n, n): W = J M^-1 J^T of the selected rows of frames, in O(links) without M.

        frames: a frame, or several; each a name, an index, or a pair (frame, rows) with rows "all" (6, the default), "point"
            (the linear 3), "angular", or a mask with bits 0-2 angular x y z, 3-5 linear x y z
        """
        c, count, n = self._frames(frames, axes)
        out = np.empty((n, n))
        self._call(lib.srs_delassus, self._q(q), c, count, n, pointer(out))
        return out

    def operational_space_inertia(self, q: Any, frames: Any, axes: str = "world", pseudo_inverse: bool = False) -> np.ndarray:
        """(n, n): Lambda = (J M^-1 J^T)^-1 of the same rows (Khatib 1987), kg, kg m and kg m^2.

        pseudo_inverse: the Moore-Penrose inverse where rows depend on each other; else SingularError names the frame
        """
        c, count, n = self._frames(frames, axes)
        out = np.empty((n, n))
        self._call(lib.srs_operational_space_inertia, self._q(q), c, count, n, bool(pseudo_inverse), pointer(out))
        return out

    # Momentum and energy

    def com(self, q: Any, v: Any = None) -> "records.CenterOfMass":
        """Mass (kg), position (3, m) and velocity (3, m/s) of the centre of mass of the links that can move."""
        out = ffi.new("srs_center_of_mass *")
        self._call(lib.srs_com, self._q(q), self._v(v), out)
        return records.read("srs_center_of_mass", out)

    def momentum(self, q: Any, v: Any) -> np.ndarray:
        """(6,): [angular about the world's origin; linear], kg m^2/s and kg m/s."""
        out = np.empty(6)
        self._call(lib.srs_momentum, self._q(q), self._v(v), pointer(out))
        return out

    def energy(self, q: Any, v: Any) -> "records.Energies":
        """Kinetic and potential energy, J."""
        out = ffi.new("srs_energies *")
        self._call(lib.srs_energy, self._q(q), self._v(v), out)
        return records.read("srs_energies", out)

    # Derivatives: with respect to q in tangent coordinates, so that every matrix has nv columns

    def _reserve(self):
        if not self._reserved:
            self._call(lib.srs_workspace_reserve_derivatives)
            self._reserved = True

    def inverse_dynamics_derivatives(self, q: Any, v: Any, a: Any, wrenches: Any = None) -> InverseDerivatives:
        """Derivatives of inverse_dynamics by q, v and a."""
        self._reserve()
        out = self._matrices(3)
        self._call(lib.srs_inverse_dynamics_derivatives, self._q(q), self._v(v), self._v(a, "a"), self._wrenches(wrenches),
                   *[pointer(each) for each in out])
        return InverseDerivatives(*out)

    def forward_dynamics_derivatives(self, q: Any, v: Any, tau: Any, wrenches: Any = None) -> ForwardDerivatives:
        """forward_dynamics and its derivatives by q, v and tau. Raises SingularError."""
        self._reserve()
        a, out = np.empty(self.model.nv), self._matrices(3)
        self._call(lib.srs_forward_dynamics_derivatives, self._q(q), self._v(v), self._v(tau, "tau"),
                   self._wrenches(wrenches), pointer(a), *[pointer(each) for each in out])
        return ForwardDerivatives(a, *out)

    def frame_derivatives(self, q: Any, v: Any, a: Any, frame: FrameLike, axes: str = "world") -> FrameDerivatives:
        """Derivatives of a frame's velocity and acceleration at (q, v, a)."""
        self._reserve()
        out = self._matrices(3, 6)
        self._call(lib.srs_frame_derivatives, self._q(q), self._v(v), self._v(a, "a"), self.model.frame_index(frame),
                   records.number_of("srs_axes", axes, "axes"), *[pointer(each) for each in out])
        return FrameDerivatives(*out)

    def centroidal_momentum(self, q: Any, v: Any) -> CentroidalMomentum:
        """The centroidal momentum matrix, its rate along v, and the Jacobian of the mass centre."""
        self._reserve()
        matrix, rate = self._matrices(2, 6)
        jacobian, = self._matrices(1, 3)
        self._call(lib.srs_centroidal_momentum_matrix, self._q(q), self._v(v), pointer(matrix), pointer(rate),
                   pointer(jacobian))
        return CentroidalMomentum(matrix, rate, jacobian)

    # Through embedded loops, by their independent coordinates: q closes the loops; of v and a the entries of dependent
    # coordinates are computed, not read; columns of dependent coordinates are zero. Raise UnreachableError, ModelError

    def embedded_motion(self, q: Any, v: Any, a: Any = None) -> EmbeddedMotion:
        """How all coordinates move with the independent ones, and how that changes; a: zeros unless given."""
        self._reserve()
        out = self._matrices(4)
        self._call(lib.srs_embedded_motion_derivatives, self._q(q), self._v(v), self._or_null(a),
                   *[pointer(each) for each in out])
        return EmbeddedMotion(*out)

    def embedded_inverse_dynamics_derivatives(self, q: Any, v: Any, a: Any, wrenches: Any = None) -> InverseDerivatives:
        """As inverse_dynamics_derivatives, over the independent coordinates; rows of the others are zero."""
        self._reserve()
        out = self._matrices(3)
        self._call(lib.srs_embedded_inverse_dynamics_derivatives, self._q(q), self._v(v), self._v(a, "a"),
                   self._wrenches(wrenches), ffi.NULL, *[pointer(each) for each in out])
        return InverseDerivatives(*out)

    def embedded_forward_dynamics_derivatives(self, q: Any, v: Any, tau: Any, wrenches: Any = None) -> ForwardDerivatives:
        """embedded_acceleration and its derivatives. Raises SingularError, too."""
        self._reserve()
        a, out = np.empty(self.model.nv), self._matrices(3)
        self._call(lib.srs_embedded_acceleration_derivatives, self._q(q), self._v(v), self._v(tau, "tau"),
                   self._wrenches(wrenches), pointer(a), *[pointer(each) for each in out])
        return ForwardDerivatives(a, *out)

    def embedded_frame_derivatives(self, q: Any, v: Any, a: Any, frame: FrameLike,
                                   axes: str = "world") -> EmbeddedFrameDerivatives:
        """As frame_derivatives, and the velocity's derivative by v."""
        self._reserve()
        out = self._matrices(4, 6)
        self._call(lib.srs_embedded_frame_derivatives, self._q(q), self._v(v), self._or_null(a),
                   self.model.frame_index(frame), records.number_of("srs_axes", axes, "axes"), *[pointer(each) for each in out])
        return EmbeddedFrameDerivatives(*out)

    def embedded_coriolis_matrix(self, q: Any, v: Any) -> np.ndarray:
        """(nv, nv): as coriolis_matrix, over the independent coordinates."""
        self._reserve()
        out, = self._matrices(1)
        self._call(lib.srs_embedded_coriolis_matrix, self._q(q), self._v(v), pointer(out))
        return out

    def embedded_centroidal_momentum(self, q: Any, v: Any) -> CentroidalMomentum:
        """As centroidal_momentum, over the independent coordinates."""
        self._reserve()
        matrix, rate = self._matrices(2, 6)
        jacobian, = self._matrices(1, 3)
        self._call(lib.srs_embedded_centroidal_momentum_matrix, self._q(q), self._v(v), pointer(matrix), pointer(rate),
                   pointer(jacobian))
        return CentroidalMomentum(matrix, rate, jacobian)

    def _or_null(self, a):
        return ffi.NULL if a is None else self._v(a, "a")


_ROWS = {"all": 0x3f, "point": 0x38, "angular": 0x7}


def _mask(rows):
    return _ROWS[rows] if isinstance(rows, str) else int(rows)


def _is_pair(frames):
    return (isinstance(frames, tuple) and len(frames) == 2
            and (isinstance(frames[1], int) or frames[1] in _ROWS) and isinstance(frames[0], (str, int)))


class Batch:
    """One model at many states, side by side in vector lanes; loops are open, contacts absent.

    Arrays are (n, nq) and (n, nv), for any n. Results are those of Dynamics to rounding.
    """

    def __init__(self, model: Model, gravity: Sequence[float] = (0, 0, -9.81)):
        out, error = ffi.new("srs_batch **"), ffi.new("srs_error *")
        check(lib.srs_batch_create(model._c, out, error), error)
        self._c, self.model = ffi.gc(out[0], lib.srs_batch_destroy), model
        self._guard = Guard(threading.Lock(), "Batch")
        self._call(lib.srs_batch_set_gravity, given(gravity, (3,), "gravity"))

    def __repr__(self):
        return f"<sarrus.Batch: nq {self.model.nq}, nv {self.model.nv}, {lib.srs_batch_width(self._c)} at a time>"

    def _call(self, function, *arguments):
        with self._guard:
            check(function(self._c, *arguments), lib.srs_batch_error(self._c))

    def _rows(self, q, **others):
        q = np.asarray(q, float)
        n = len(q) if q.ndim == 2 else -1
        return [n, given(q, (-1, self.model.nq), "q")] + [given(each, (n, self.model.nv), name)
                                                          for name, each in others.items()]

    def placements(self, q: Any, frames: Sequence[FrameLike]) -> Tuple[np.ndarray, np.ndarray]:
        """Positions (n, n_frames, 3), m, and rotations (n, n_frames, 3, 3)."""
        index = [self.model.frame_index(frame) for frame in frames]
        n, c = self._rows(q)
        positions, rotations = np.empty((n, len(index), 3)), np.empty((n, len(index), 3, 3))
        self._call(lib.srs_batch_forward_kinematics, n, c, index, len(index), pointer(positions), pointer(rotations))
        return positions, rotations

    def inverse_dynamics(self, q: Any, v: Any, a: Any = None) -> np.ndarray:
        """(n, nv): M(q) a + c(q, v), N m or N; a None for zeros."""
        rows = self._rows(q, v=v, a=a)
        out = np.empty((rows[0], self.model.nv))
        self._call(lib.srs_batch_inverse_dynamics, *rows, pointer(out))
        return out

    def forward_dynamics(self, q: Any, v: Any, tau: Any = None) -> np.ndarray:
        """(n, nv): M(q)^-1 (tau - c(q, v)); tau None for zeros. Raises SingularError."""
        rows = self._rows(q, v=v, tau=tau)
        out = np.empty((rows[0], self.model.nv))
        self._call(lib.srs_batch_forward_dynamics, *rows, pointer(out))
        return out

    def mass_matrix(self, q: Any) -> np.ndarray:
        """(n, nv, nv): the mass matrices, armature included."""
        rows = self._rows(q)
        out = np.empty((rows[0], self.model.nv, self.model.nv))
        self._call(lib.srs_batch_mass_matrix, *rows, pointer(out))
        return out

    def step(self, h: float, q: Any, v: Any, tau: Any = None) -> Tuple[np.ndarray, np.ndarray]:
        """q (n, nq) and v (n, nv) after one contact-free step of semi-implicit Euler of h, s; what is given stays."""
        q, v = np.array(q, float), np.array(v, float)
        n, c, speeds, torques = self._rows(q, v=v, tau=tau)
        self._call(lib.srs_batch_step, n, h, pointer(q), pointer(v), torques)
        return q, v
