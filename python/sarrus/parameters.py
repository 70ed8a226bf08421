"""Parameters of a simulation that may change while it runs: masses, joints, materials, sizes, gravity."""
from typing import Any, NamedTuple, Sequence, Tuple, Union

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import copied, given
from .errors import ArgumentError, check


class LinkInertia(NamedTuple):
    """The mass and inertia of a link.

    mass: kg   com: (3,), m, in the link's frame
    inertia: (6,), I_xx I_yy I_zz I_xy I_xz I_yz about com, the link's axes, kg m^2
    """

    mass: float
    com: np.ndarray
    inertia: np.ndarray


class Parameters:
    """What Sim has for its own values of masses, joints, materials, sizes and gravity.

    They start as the model's and the options'. A new value holds from the next step on. reset() returns to the values of
    the model and the options; set_state() leaves them alone. The model and other sims of it never change.
    """

    __slots__ = ()

    @property
    def has_own_parameters(self) -> bool:
        """Whether some value is not that of the model or the options."""
        return bool(lib.srs_sim_has_own_parameters(self._c))

    def _set(self, function, *arguments):
        with self._guard:
            check(function(self._c, *arguments, self._error), self._error)

    def _get(self, function, message, *arguments):
        with self._guard:
            if function(self._c, *arguments):
                raise ArgumentError(message)

    def link_inertia(self, link: Union[str, int]) -> LinkInertia:
        """Mass and inertia of a link of the file, lumped by a fixed joint or not."""
        index, c = self.model.frame_index(link), ffi.new("srs_link_inertia *")
        self._get(lib.srs_sim_get_link_inertia, f"{link!r} is not a link of the file", index, c)
        return LinkInertia(c.mass, copied(c.com, 3), copied(c.inertia, 6))

    def set_link_inertia(self, link: Union[str, int], mass: float, com: Sequence[float], inertia: Any) -> None:
        """Sets mass and inertia of a link of the file.

        mass: kg   com: (3,), m, in the link's frame   inertia: (6,) as in LinkInertia, or (3, 3), about com, kg m^2
        Raises ArgumentError where no body can have them.
        """
        moments = np.asarray(inertia, float)
        if moments.shape == (3, 3):
            moments = moments[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        c = ffi.new("srs_link_inertia *", {"mass": mass})
        ffi.memmove(c.com, given(com, (3,), "com"), 24)
        ffi.memmove(c.inertia, given(moments, (6,), "inertia"), 48)
        self._set(lib.srs_sim_set_link_inertia, self.model.frame_index(link), c)

    def set_link_mass(self, link: Union[str, int], mass: float) -> None:
        """Sets the mass of a link, kg, with moments that grow with it: as if its density had changed."""
        self._set(lib.srs_sim_set_link_mass, self.model.frame_index(link), mass)

    def coordinate_parameters(self, coordinate: Union[str, int]) -> "records.CoordinateParameters":
        """What acts on one coordinate of v, a copy: armature, damping, stiffness, friction, limits, bounds of actuators."""
        index, c = self.model.v_index(coordinate), ffi.new("srs_coordinate_parameters *")
        self._get(lib.srs_sim_get_coordinate_parameters, f"there is no coordinate {coordinate!r}", index, c)
        return records.read("srs_coordinate_parameters", c)

    def set_coordinate_parameters(self, coordinate: Union[str, int], **fields: Any) -> None:
        """Sets some of them; the others stay.  fields: of CoordinateParameters

        Raises UnsupportedError for dry friction, limits and bounds that the model does not have at all.
        """
        values = self.coordinate_parameters(coordinate)
        values.update(**fields)
        self._set(lib.srs_sim_set_coordinate_parameters, self.model.v_index(coordinate), values._c)

    def shape_material(self, shape: Union[str, int]) -> Tuple[float, float]:
        """(friction, restitution) of a shape, before those of two shapes are combined."""
        c, index = ffi.new("double[2]"), self.model.shape_index(shape)
        self._get(lib.srs_sim_get_shape_material, "nothing can collide", index, c, c + 1)
        return c[0], c[1]

    def set_shape_material(self, shape: Union[str, int], friction: float, restitution: float = 0.0) -> None:
        """Sets friction, >= 0, and restitution, 0 to 1, of a shape."""
        self._set(lib.srs_sim_set_shape_material, self.model.shape_index(shape), friction, restitution)

    def shape_size(self, shape: Union[str, int]) -> np.ndarray:
        """(3,): the lengths of a shape, m, as in ShapeDef; those that its kind does not have are 0."""
        c, index = ffi.new("double[3]"), self.model.shape_index(shape)
        self._get(lib.srs_sim_get_shape_size, f"there is no shape {shape!r}", index, c)
        return copied(c, 3)

    def set_shape_size(self, shape: Union[str, int], size: Any) -> None:
        """Sets the size, m, of a sphere, box, capsule, cylinder or ellipsoid; its mass stays."""
        numbers = np.zeros(3)
        lengths = np.atleast_1d(np.asarray(size, float))
        if lengths.ndim != 1 or not 1 <= len(lengths) <= 3:
            raise ValueError(f"size has the shape {np.shape(size)}, not one to three lengths")
        numbers[:len(lengths)] = lengths
        self._set(lib.srs_sim_set_shape_size, self.model.shape_index(shape), given(numbers, (3,), "size"))

    def set_gravity(self, gravity: Sequence[float]) -> None:
        """Sets gravity, (3,), m/s^2, world axes."""
        self._set(lib.srs_sim_set_gravity, given(gravity, (3,), "gravity"))
