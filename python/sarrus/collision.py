"""Where do bodies touch? Contact points, distances and rays for the shapes of a model at a configuration."""
import threading
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import Guard, array, copied, given, table
from .errors import check
from .model import Model

CONTACT_POINT = table({}, ffi.typeof("srs_contact_point"))


class Collider:
    """The shapes of one model prepared for collision detection; the same configuration gives the same contacts.

    options, fields: ColliderOptions, and fields of it
    One thread at a time (BusyError). Raises NameNotKnownError, UnsupportedError, ModelError.
    """

    def __init__(self, model: Model, options: Optional["records.ColliderOptions"] = None, **fields: Any):
        chosen = options.copy() if options is not None else records.ColliderOptions()
        chosen.update(**fields)
        out, error, space = ffi.new("srs_collider **"), ffi.new("srs_error *"), ffi.new("srs_workspace **")
        check(lib.srs_collider_create(model._c, chosen._c, out, error), error)
        self._c, self.model = ffi.gc(out[0], lib.srs_collider_destroy), model
        check(lib.srs_workspace_create(model._c, space, error), error)
        self._workspace = ffi.gc(space[0], lib.srs_workspace_destroy)
        self._guard, self._error = Guard(threading.Lock(), "Collider"), error
        self._links = ffi.new("srs_pose[]", max(1, lib.srs_model_n_links(model._c)))
        self._frames = [model.frame_index(link.name) for link in model.links]

    def __repr__(self):
        return f"<sarrus.Collider: {lib.srs_collider_n_pairs(self._c)} pairs of {len(self.model.shapes)} shapes>"

    @property
    def pairs(self) -> List[Tuple[int, int]]:
        """The pairs of shapes that pass the filters, by index, sorted."""
        a, b = ffi.new("int *"), ffi.new("int *")
        found = []
        for i in range(lib.srs_collider_n_pairs(self._c)):
            lib.srs_collider_pair(self._c, i, a, b)
            found.append((a[0], b[0]))
        return found

    def _place(self, q):
        check(lib.srs_forward_kinematics(self._workspace, given(q, (self.model.nq,), "q")),
              lib.srs_workspace_error(self._workspace))
        for i, frame in enumerate(self._frames):
            lib.srs_frame_placement(self._workspace, frame, self._links + i)

    def contacts(self, q: Any, margin: float = 0.0) -> np.ndarray:
        """A structured array of all contact points with gap <= margin (m) at q (nq): shape_a, shape_b, link_a, link_b,
        point_a, point_b, normal (3, from B to A), gap, ... in world axes."""
        with self._guard:
            self._place(q)
            capacity, n = 256, ffi.new("int *")
            while True:
                out = ffi.new("srs_contact_point[]", capacity)
                status = lib.srs_collider_contacts(self._c, self._links, margin, out, capacity, n, self._error)
                if status == lib.SRS_ERROR_CAPACITY and n[0] > capacity:
                    capacity = n[0]
                    continue
                check(status, self._error)
                return copied(out, n[0], dtype=CONTACT_POINT)

    def distance(self, q: Any, frame_a: Union[str, int], frame_b: Union[str, int]) -> "records.ContactPoint":
        """The nearest points between all shapes of two frames at q, whatever the filters say. "world" or -1: the world."""
        a, b = (-1 if each in ("world", -1) else self.model.frame_index(each) for each in (frame_a, frame_b))
        out = ffi.new("srs_contact_point *")
        with self._guard:
            self._place(q)
            check(lib.srs_collider_distance(self._c, self._links, a, b, out, self._error), self._error)
        return records.read("srs_contact_point", out)

    def cast_ray(self, q: Any, start: Sequence[float], direction: Sequence[float],
                 length: float) -> Optional["records.RayHit"]:
        """The first shape that a ray from start (3, m) along direction (3, any length) hits within length, m; None for
        none."""
        numbers = array(start, (3,), "start").tolist(), array(direction, (3,), "direction").tolist()
        out = ffi.new("srs_ray_hit *")
        with self._guard:
            self._place(q)
            check(lib.srs_collider_cast_ray(self._c, self._links, *numbers, length, out, self._error), self._error)
        return None if out.shape < 0 else records.read("srs_ray_hit", out)
