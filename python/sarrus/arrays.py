"""Numbers between NumPy and C: every array that goes in is checked for its shape, every one that comes out is new."""
import os
import threading
from typing import Any, NamedTuple, Sequence, Tuple, Union

import numpy as np

from ._capi import ffi, lib
from .errors import BusyError

hdf5_lock = threading.Lock()  # HDF5 serves one thread at a time

_from_buffer = ffi.from_buffer


class Pose(NamedTuple):
    """A rigid placement: where a frame is, seen from another.

    position: (3,), the frame's origin, m
    rotation: (3, 3), its columns are the frame's axes
    """

    position: np.ndarray
    rotation: np.ndarray

    @property
    def quaternion(self) -> np.ndarray:
        """(4,): the rotation as a unit quaternion w x y z with w >= 0."""
        out = np.empty(4)
        lib.srs_quaternion_from_rotation(pointer(np.ascontiguousarray(self.rotation, float)), pointer(out))
        return out

    @property
    def matrix(self) -> np.ndarray:
        """(4, 4): the homogeneous matrix."""
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = self.rotation, self.position
        return out


#: What serves as a placement: a Pose, a 4 x 4 matrix, a position (3,), or a pair of a position and a rotation: a matrix
#: 3 x 3 or a quaternion w x y z.
PoseLike = Union[Pose, np.ndarray, Sequence[float], Tuple[Any, Any]]


def identity_pose() -> Pose:
    """Position zero, no rotation."""
    return Pose(np.zeros(3), np.eye(3))


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """(3, 3): fixed-axis roll, pitch, yaw (rad) as URDF has them, R = Rz(yaw) Ry(pitch) Rx(roll)."""
    out = np.empty((3, 3))
    lib.srs_rotation_from_rpy([roll, pitch, yaw], pointer(out))
    return out


def rotation_from_quaternion(wxyz: Sequence[float]) -> np.ndarray:
    """(3, 3): of a quaternion w x y z, which is normalised first."""
    out = np.empty((3, 3))
    lib.srs_rotation_from_quaternion(pointer(array(wxyz, (4,), "quaternion")), pointer(out))
    return out


def as_pose(value: PoseLike, name: str = "pose") -> Pose:
    """A placement from what serves as one."""
    if isinstance(value, Pose):
        return Pose(array(value.position, (3,), f"{name}.position"), array(value.rotation, (3, 3), f"{name}.rotation"))
    if isinstance(value, tuple) and len(value) == 2:
        turn = np.asarray(value[1], float)
        return Pose(array(value[0], (3,), f"{name}'s position"),
                    rotation_from_quaternion(turn) if turn.shape == (4,) else array(turn, (3, 3), f"{name}'s rotation"))
    numbers = np.asarray(value, float)
    if numbers.shape == (4, 4):
        return Pose(numbers[:3, 3].copy(), numbers[:3, :3].copy())
    return Pose(array(numbers, (3,), name), np.eye(3))


def array(values: Any, shape: Tuple[int, ...], name: str, dtype: Any = float) -> np.ndarray:
    """values as a C-contiguous array of just this shape; ValueError otherwise. -1 in shape: any length."""
    numbers = np.asarray(values)
    if numbers.dtype.kind == "c":
        raise TypeError(f"{name} is complex")
    numbers = np.ascontiguousarray(numbers, dtype)
    if numbers.shape != shape and (numbers.ndim != len(shape)
                                   or any(n not in (-1, m) for n, m in zip(shape, numbers.shape))):
        raise ValueError(f"{name} has the shape {np.shape(values)}, not {tuple('n' if n < 0 else n for n in shape)}"
                         .replace("'", ""))
    return numbers


def pointer(numbers: np.ndarray) -> Any:
    """The memory of a contiguous array of doubles, which the result keeps alive."""
    return _from_buffer("double[]", numbers)


def given(values: Any, shape: Tuple[int, ...], name: str) -> Any:
    """The memory of values as doubles of this shape; NULL for None."""
    return ffi.NULL if values is None else _from_buffer("double[]", array(values, shape, name))


def copied(source: Any, *shape: int, dtype: Any = np.float64) -> np.ndarray:
    """A new array with the numbers that a C pointer points to."""
    count = 1
    for n in shape:
        count *= n
    if count == 0:
        return np.empty(shape, dtype)
    size = count * np.dtype(dtype).itemsize
    return np.frombuffer(bytearray(ffi.buffer(source, size)), dtype).reshape(shape)


class _Memory:
    def __init__(self, owner, address, shape, typestr):
        self.owner = owner
        self.__array_interface__ = {"shape": shape, "typestr": typestr, "data": (address, True), "version": 3}


def view(owner: Any, source: Any, *shape: int) -> np.ndarray:
    """A read-only array over the C library's own memory, which keeps the owner alive."""
    if 0 in shape:
        return np.empty(shape)
    return np.asarray(_Memory(owner, int(ffi.cast("uintptr_t", source)), shape, np.dtype(np.float64).str))


def path(name: Any) -> bytes:
    """A file's name, str or path-like, as C takes it."""
    return os.fsencode(os.fspath(name))


class Guard:
    """Lets one thread at a time into an object; a second one, or a callback that comes back, gets BusyError."""

    __slots__ = ("lock", "name")

    def __init__(self, lock, name):
        self.lock, self.name = lock, name

    def __enter__(self):
        if not self.lock.acquire(False):
            raise BusyError(f"this {self.name} is at work in another thread, or calls back: one thread at a time")

    def __exit__(self, *_):
        self.lock.release()


def table(names, kind):
    """The structured dtype of a C struct: same memory, parts of nested structs as fields of the whole.

    names: {field: (dtype of an enumeration's words or None)}, unused fields left out where it is None
    """
    fields, offsets, formats = [], [], []

    def add(kind, base):
        for name, field in kind.fields:
            inner = field.type
            if inner.kind == "struct":
                add(inner, base + field.offset)
                continue
            shape = ()
            if inner.kind == "array":
                shape, inner = (inner.length,), inner.item
            size = ffi.sizeof(inner)
            code = "f8" if inner.cname == "double" else f"{'u' if 'unsigned' in inner.cname or 'uint' in inner.cname else 'i'}{size}"
            fields.append(names.get(name, name))
            offsets.append(base + field.offset)
            formats.append((np.dtype(code), shape))

    add(kind, 0)
    return np.dtype({"names": fields, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(kind)})
