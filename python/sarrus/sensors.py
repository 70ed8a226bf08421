"""Sensors: what instruments on a mechanism would show, as numbers of the last step."""
from typing import Any, Dict, List, Mapping

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import copied
from .errors import check

_OF_COORDINATES = ("joint-position", "joint-velocity", "joint-effort", "joint-acceleration")
_OTHERS = {"world": -1, "any": -2}


class Sensors:
    """Instruments on a Sim, read together; Sim.sensors makes them.

        sensors = sim.sensors({"gyro": {"kind": "imu", "frame": "tool"},
                               "elbow": {"kind": "joint-velocity", "coordinate": "joint4"},
                               "grip": {"kind": "contact", "frame": "finger", "other": "any"}})
        sim.step()
        print(sensors.read()["gyro"])

    Kinds, and how many numbers they show: <sarrus/sensors.h>. A sensor is of a `coordinate` (joint-…) or a `frame`; `axes`
    is "local" or "world"; `other` a link, "world" or "any"; `range`, m.
    Raises ArgumentError, UnsupportedError.
    """

    def __init__(self, sim, definitions: Mapping[str, Mapping[str, Any]]):
        self.sim, keep = sim, []
        defs = ffi.new("srs_sensor_def[]", len(definitions))
        for i, (name, fields) in enumerate(definitions.items()):
            keep.append(ffi.new("char[]", name.encode()))
            defs[i] = _definition(sim.model, keep[-1], name, dict(fields))
        out = ffi.new("srs_sensors **")
        with sim._guard:
            check(lib.srs_sensors_create(sim._c, defs, len(definitions), out, sim._error), sim._error)
        self._c = ffi.gc(out[0], lib.srs_sensors_destroy)
        self.names: List[str] = list(definitions)
        self._sizes = [lib.srs_sensor_kind_size(c.kind) for c in defs]

    def __repr__(self):
        return f"<sarrus.Sensors: {', '.join(self.names)}>"

    def __len__(self):
        return len(self.names)

    @property
    def columns(self) -> List[str]:
        """The name of each number, "gyro:wx", in the order of read_all()."""
        found = []
        for i, name in enumerate(self.names):
            kind = lib.srs_sensors_def(self._c, i).kind
            parts = [ffi.string(lib.srs_sensor_component(kind, k)).decode() for k in range(self._sizes[i])]
            found += [f"{name}:{part}" if part else name for part in parts]
        return found

    def read_all(self) -> np.ndarray:
        """All numbers of the last step, one sensor after the other, a new array."""
        with self.sim._guard:
            check(lib.srs_sensors_read(self._c, self.sim._error), self.sim._error)
            n = ffi.new("int *")
            return copied(lib.srs_sensors_values(self._c, n), n[0])

    def read(self) -> Dict[str, np.ndarray]:
        """{name: its numbers}, of the last step."""
        numbers = np.split(self.read_all(), np.cumsum(self._sizes)[:-1]) if self.names else []
        return dict(zip(self.names, numbers))


def _definition(model, text, name, fields):
    kind = fields.pop("kind", None)
    c = lib.srs_default_sensor_def(records.number_of("srs_sensor_kind", kind, f"the kind of sensor {name!r}"), text)
    if kind in _OF_COORDINATES:
        c.coordinate = model.v_index(_needed(fields, "coordinate", name))
    else:
        c.frame = model.frame_index(_needed(fields, "frame", name))
    if "other" in fields:
        other = fields.pop("other")
        c.other = _OTHERS[other] if other in _OTHERS else model.frame_index(other)
    if "axes" in fields:
        c.axes = records.number_of("srs_axes", fields.pop("axes"), f"axes of sensor {name!r}")
    if "range" in fields:
        c.range = fields.pop("range")
    if fields:
        raise TypeError(f"sensor {name!r} has no {', '.join(map(repr, fields))}")
    return c


def _needed(fields, field, name):
    if field not in fields:
        raise TypeError(f"sensor {name!r} needs a {field}")
    return fields.pop(field)
