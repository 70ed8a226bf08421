"""The mechanism: an immutable model, loaded from a robot file or made by a Builder."""
import os
import pickle
import tempfile
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import PoseLike, array, as_pose, copied, given, path, pointer
from .errors import Error, check, text_of

_error = ffi.typeof("srs_error *")


class Model:
    """A compiled mechanism: links, joints, frames, shapes and loops. It never changes; any number of threads may share it.

    Make one with load(), Builder.build() or Scene.model. Coordinates, links and frames go by name or by index; names of
    coordinates are `<joint>` where a joint has one, else `<joint>.<component>`. Units are SI, angles in radians,
    quaternions w x y z. Models can be pickled, except those with a motion that is a function; meshes are read again from
    their files then.

    nq, nv: numbers of coordinates and of velocities
    """

    def __init__(self, c, keep=None, destroy=True, motions=()):
        self._c = ffi.gc(c, lib.srs_model_destroy) if destroy else c
        self._keep = keep  # a scene that owns the memory, or definitions of which motions are part
        self._motions = tuple(motions)
        self.nq: int = lib.srs_model_nq(c)
        self.nv: int = lib.srs_model_nv(c)

    def __repr__(self):
        names = [link.name for link in self.links]
        some = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        return (f"<sarrus.Model: {len(names)} links ({some}), nq {self.nq}, nv {self.nv}, "
                f"{len(self.closures) + len(self.couplings)} loops, {len(self.shapes)} shapes, {self.mass:.6g} kg>")

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{joint.name}</td><td>{joint.kind}</td><td>{link.name}</td><td>{link.mass:.6g}</td></tr>"
                       for link, joint in zip(self.links, self.joints))
        return f"<table><tr><th>joint</th><th>kind</th><th>link</th><th>mass, kg</th></tr>{rows}</table>"

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "model.yaml")
            differences = self.save(name)
            with open(name, "rb") as file:
                text = file.read()
        differences += self._differences(text)
        if differences:
            raise pickle.PicklingError("this model would not come back the same: " + "; ".join(differences))
        return _from_text, (text,)

    def _differences(self, text: bytes) -> List[str]:
        """Why the model of a scene's text is another one: it must take a snapshot of this one."""
        from .sim import Sim
        fields: dict = {}
        try:
            sim = Sim(self)
        except Error:  # of materials that only a simulation's options have
            fields = {"contact": {"enabled": False}}
        try:
            sim = Sim(self, **fields)
            Sim(_from_text(text), **fields).restore(sim.snapshot())
        except Error as error:
            return [str(error)]
        return []

    # What it consists of

    def _all(self, struct: str, count, one) -> Tuple[Any, ...]:
        return tuple(records.read(struct, one(self._c, i)) for i in range(count(self._c)))

    @property
    def links(self) -> Tuple["records.Link", ...]:
        """The moving links, parents first; joint k connects link k to its parent."""
        return self._all("srs_link", lib.srs_model_n_links, lib.srs_model_link)

    @property
    def joints(self) -> Tuple["records.Joint", ...]:
        """The joints, one for each link, in the same order."""
        return self._all("srs_joint", lib.srs_model_n_links, lib.srs_model_joint)

    @property
    def frames(self) -> Tuple["records.Frame", ...]:
        """Named placements: every link of the file, lumped or not, and added frames."""
        return self._all("srs_frame", lib.srs_model_n_frames, lib.srs_model_frame)

    @property
    def shapes(self) -> Tuple["records.Shape", ...]:
        """Solids, those drawn only among them."""
        return self._all("srs_shape", lib.srs_model_n_shapes, lib.srs_model_shape)

    @property
    def closures(self) -> Tuple["records.Closure", ...]:
        """Loop closures."""
        return self._all("srs_closure", lib.srs_model_n_closures, lib.srs_model_closure)

    @property
    def couplings(self) -> Tuple["records.Coupling", ...]:
        """Mimic joints and gears."""
        return self._all("srs_coupling", lib.srs_model_n_couplings, lib.srs_model_coupling)

    @property
    def loop_names(self) -> List[str]:
        """Names of closures and couplings, closures first."""
        return [text_of(lib.srs_model_loop_name(self._c, i)) for i in range(lib.srs_model_n_loops(self._c))]

    @property
    def q_names(self) -> List[str]:
        """Names of the nq coordinates."""
        return [text_of(lib.srs_model_q_name(self._c, i)) for i in range(self.nq)]

    @property
    def v_names(self) -> List[str]:
        """Names of the nv velocities."""
        return [text_of(lib.srs_model_v_name(self._c, i)) for i in range(self.nv)]

    @property
    def q_units(self) -> List[str]:
        """Units of the coordinates: "rad", "m" or "1"."""
        return [text_of(lib.srs_model_q_unit(self._c, i)) for i in range(self.nq)]

    @property
    def v_units(self) -> List[str]:
        """Units of the velocities: "rad/s" or "m/s"."""
        return [text_of(lib.srs_model_v_unit(self._c, i)) for i in range(self.nv)]

    @property
    def mass(self) -> float:
        """Mass of the links that can move, kg."""
        return lib.srs_model_mass(self._c)

    @property
    def warnings(self) -> List[str]:
        """What reading and building remarked: "FILE:LINE: text"."""
        return [text_of(lib.srs_model_warning(self._c, i)) for i in range(lib.srs_model_n_warnings(self._c))]

    def _per_coordinate(self, function) -> np.ndarray:
        return copied(function(self._c), self.nv)

    @property
    def armature(self) -> np.ndarray:
        """(nv,): rotor inertia, kg m^2 or kg."""
        return self._per_coordinate(lib.srs_model_armature)

    @property
    def damping(self) -> np.ndarray:
        """(nv,): N m s/rad or N s/m."""
        return self._per_coordinate(lib.srs_model_damping)

    @property
    def stiffness(self) -> np.ndarray:
        """(nv,): of springs, N m/rad or N/m."""
        return self._per_coordinate(lib.srs_model_stiffness)

    @property
    def friction(self) -> np.ndarray:
        """(nv,): dry friction, N m or N."""
        return self._per_coordinate(lib.srs_model_friction)

    @property
    def lower(self) -> np.ndarray:
        """(nv,): lower position limits, rad or m; -inf for none."""
        return self._per_coordinate(lib.srs_model_lower)

    @property
    def upper(self) -> np.ndarray:
        """(nv,): upper position limits, rad or m; inf for none."""
        return self._per_coordinate(lib.srs_model_upper)

    @property
    def max_effort(self) -> np.ndarray:
        """(nv,): of actuators, N m or N; inf for none."""
        return self._per_coordinate(lib.srs_model_max_effort)

    @property
    def max_velocity(self) -> np.ndarray:
        """(nv,): of actuators, rad/s or m/s; inf for none."""
        return self._per_coordinate(lib.srs_model_max_velocity)

    @property
    def neutral(self) -> np.ndarray:
        """(nq,): the configuration in which a simulation starts by default."""
        return copied(lib.srs_model_neutral(self._c), self.nq)

    def _raised_by_motion(self) -> Optional[BaseException]:
        """What a motion of Python raised since the last time, None for nothing."""
        for motion in self._motions:
            if motion.raised is not None:
                raised, motion.raised = motion.raised, None
                return raised
        return None

    # Names to indices

    def _index(self, what: Union[str, int], find, count: int, kind: str) -> int:
        if isinstance(what, str):
            index = find(self._c, what.encode())
            if index < 0:
                raise KeyError(f"the model has no {kind} {what!r}")
            return index
        if not 0 <= what < count:
            raise IndexError(f"{kind} {what} is not one of {count}")
        return int(what)

    def frame_index(self, frame: Union[str, int]) -> int:
        """The index of a frame; KeyError where there is none of that name."""
        return self._index(frame, lib.srs_model_find_frame, lib.srs_model_n_frames(self._c), "frame")

    def link_index(self, link: Union[str, int]) -> int:
        """The index of a moving link, and of its joint."""
        return self._index(link, lib.srs_model_find_link, lib.srs_model_n_links(self._c), "moving link")

    def joint_index(self, joint: Union[str, int]) -> int:
        """The index of a joint, and of the link that it carries."""
        return self._index(joint, lib.srs_model_find_joint, lib.srs_model_n_links(self._c), "joint")

    def q_index(self, name: Union[str, int]) -> int:
        """The place of a coordinate in q."""
        return self._index(name, lib.srs_model_find_q, self.nq, "coordinate of q")

    def v_index(self, name: Union[str, int]) -> int:
        """The place of a velocity in v."""
        return self._index(name, lib.srs_model_find_v, self.nv, "coordinate of v")

    def loop_index(self, loop: Union[str, int]) -> int:
        """The index of a closure or coupling among the loops."""
        return self._index(loop, lib.srs_model_find_loop, lib.srs_model_n_loops(self._c), "loop")

    def shape_index(self, shape: Union[str, int]) -> int:
        """The index of a shape, by its label."""
        def find(c, label):
            labels = (ffi.string(lib.srs_model_shape(c, i).label) for i in range(lib.srs_model_n_shapes(c)))
            return next((i for i, each in enumerate(labels) if each == label), -1)
        return self._index(shape, find, lib.srs_model_n_shapes(self._c), "shape")

    # The configuration manifold

    def integrate(self, q: Any, v: Any, h: float = 1.0) -> np.ndarray:
        """(nq,): q (nq) moved along v (nv) for the time h, s; quaternions by the exponential map."""
        out = np.empty(self.nq)
        lib.srs_integrate(self._c, given(q, (self.nq,), "q"), given(v, (self.nv,), "v"), h, pointer(out))
        return out

    def difference(self, q1: Any, q0: Any) -> np.ndarray:
        """(nv,): the v with integrate(q0, v, 1) = q1, rotations by the shorter way."""
        out = np.empty(self.nv)
        lib.srs_difference(self._c, given(q1, (self.nq,), "q1"), given(q0, (self.nq,), "q0"), pointer(out))
        return out

    def normalise(self, q: Any) -> np.ndarray:
        """(nq,): q with its quaternions scaled to unit length; ValueError where one is shorter than 1e-9."""
        out = np.array(array(q, (self.nq,), "q"))
        if not lib.srs_normalise(self._c, pointer(out)):
            raise ValueError("a quaternion in q is shorter than 1e-9 or not finite")
        return out

    def passive_forces(self, q: Any, v: Any) -> np.ndarray:
        """(nv,): the forces of springs and dampers at q, v, N m or N."""
        out = np.empty(self.nv)
        check(lib.srs_passive_forces(self._c, given(q, (self.nq,), "q"), given(v, (self.nv,), "v"), pointer(out)), ffi.NULL)
        return out

    # What it is used for

    def save(self, name: Any, overwrite: bool = False) -> List[str]:
        """Writes the model to a file, .urdf or .yaml (a scene of this model alone), which reads back the same to the bit.

        overwrite: a file of that name is replaced; else that is FileError
        Returns a line for each kind of thing that the format cannot say. Raises FileError, UnsupportedError, ArgumentError.
        """
        notes: List[str] = []
        handle, error = ffi.new_handle(notes), ffi.new(_error)
        options = ffi.new("srs_save_options *", {"overwrite": bool(overwrite), "note": lib.sarrus_note, "context": handle})
        check(lib.srs_model_save(self._c, path(name), options, error), error)
        return notes

    def simulate(self, options: Optional["records.SimOptions"] = None, **fields: Any) -> "Any":
        """A Sim of this model; see Sim."""
        from .sim import Sim
        return Sim(self, options, **fields)

    def dynamics(self, gravity: Sequence[float] = (0, 0, -9.81)) -> "Any":
        """Kinematics and dynamics at any state; see Dynamics."""
        from .dynamics import Dynamics
        return Dynamics(self, gravity)


@ffi.def_extern()
def sarrus_note(context, text):
    ffi.from_handle(context).append(text_of(text))


def _from_text(text: bytes) -> Model:
    """The model of a scene's text; its file need not last."""
    from .scene import Scene
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "model.yaml")
        with open(name, "wb") as file:
            file.write(text)
        return Scene(name).model


def load(name: Any, options: Optional["records.LoadOptions"] = None, placement: Optional[PoseLike] = None,
         **fields: Any) -> Model:
    """Reads a robot file: URDF, or MJCF where the root element is <mujoco>.

    options, fields: LoadOptions, and fields of it: base="floating", prefix, packages, srdf, key, density ...
    placement: of the root link in the world
    Raises FileError, FileSyntaxError, NameNotKnownError, ModelError ...; str() names FILE:LINE. What has no effect is in
    Model.warnings. Scenes are read by load_scene.
    """
    chosen = _load_options(options, placement, fields)
    out, error = ffi.new("srs_model **"), ffi.new(_error)
    check(lib.srs_model_load(path(name), chosen._c, out, error), error)
    return Model(out[0])


def _load_options(options, placement, fields):
    chosen = options.copy() if options is not None else records.LoadOptions()
    chosen.update(**fields)
    if placement is not None:
        chosen.placement = placement
    return chosen


class Builder:
    """Gathers a mechanism in any order, from calls and from files; build() checks the whole and compiles it.

        builder = sarrus.Builder()
        builder.add_link("bob", mass=1, inertia=(0.01, 0.01, 0.01, 0, 0, 0), com=(0, 0, -1))
        builder.add_joint("pivot", "revolute", child="bob", axis=(0, 1, 0))
        model = builder.build()

    Fields are those of LinkDef, JointDef, ShapeDef, ClosureDef and CouplingDef. Raises ArgumentError, NotFiniteError,
    NameNotKnownError, ModelError; a call that raises adds nothing.
    """

    def __init__(self):
        self._c = ffi.gc(lib.srs_builder_create(), lib.srs_builder_destroy)
        self._motions: List[Any] = []

    def __repr__(self):
        return "<sarrus.Builder>"

    def _add(self, function, definition):
        error = ffi.new(_error)
        check(function(self._c, definition._c, error), error)

    def add_link(self, name: str, **fields: Any) -> None:
        """Adds a rigid link. Fields of LinkDef: mass (kg), com (3, m), inertia (6: I_xx I_yy I_zz I_xy I_xz I_yz about com,
        kg m^2), inertia_rotation (3, 3)."""
        self._add(lib.srs_builder_add_link, records.LinkDef(name=name, **fields))

    def add_joint(self, name: Optional[str], kind: str, child: str, parent: Optional[str] = None, **fields: Any) -> None:
        """Adds a joint from a link (None: the world) to a link. Fields of JointDef: origin (a pose), axis, pitch, lower,
        upper, damping, stiffness, armature, friction ..., one number for each coordinate or one for all."""
        self._add(lib.srs_builder_add_joint, records.JointDef(kind=kind, name=name, child=child, parent=parent, **fields))

    def add_shape(self, kind: str, link: Optional[str] = None, **fields: Any) -> None:
        """Adds a solid to a link (None: the world). Fields of ShapeDef: size, pose, name, material, is_visual, points,
        triangles, heights, group, mask."""
        self._add(lib.srs_builder_add_shape, records.ShapeDef(kind=kind, link=link, **fields))

    def add_frame(self, name: str, link: Optional[str] = None, pose: PoseLike = (0, 0, 0)) -> None:
        """Adds a named placement on a link (None: on the world)."""
        place, error = as_pose(pose), ffi.new(_error)
        c = ffi.new("srs_pose *", {"position": place.position.tolist(), "rotation": place.rotation.ravel().tolist()})
        on = ffi.NULL if link is None else link.encode()
        check(lib.srs_builder_add_frame(self._c, name.encode(), on, c, error), error)

    def add_closure(self, name: str, kind: str, frame_a: Optional[str] = None, frame_b: Optional[str] = None,
                    **fields: Any) -> None:
        """Adds a loop closure between two frames (None: the world). Fields of ClosureDef: pose_a, pose_b, axis, length,
        motion (a Motion), joint (a LoopJoint), embed ..."""
        definition = records.ClosureDef(kind=kind, name=name, frame_a=frame_a, frame_b=frame_b, **fields)
        self._add(lib.srs_builder_add_closure, definition)
        self._motions.append(definition)

    def add_tendon(self, name: str, terms: Mapping[str, float], leaders: Optional[Mapping[str, float]] = None,
                   polynomial: Optional[Sequence[float]] = None, **joint: Any) -> None:
        """Adds a tendon over joints, its length L = sum coefficient q.

        terms: {coordinate: coefficient} of L   leaders: of a second one, L2
        polynomial: L is held at polynomial[0] + polynomial[1] L2 + …; None: L is free
        joint: fields of LoopJoint, what acts on a free one: stiffness, damping, lower, upper …
        """
        terms, leaders = ([{"coordinate": each, "coefficient": c} for each, c in (given_terms or {}).items()]
                          for given_terms in (terms, leaders))
        tendon = {"terms": terms, "leaders": leaders, "is_held": polynomial is not None}
        if polynomial is not None:
            tendon["polynomial"] = list(polynomial) + [0.0] * (lib.SRS_COUPLING_TERMS - len(polynomial))
        self._add(lib.srs_builder_add_closure, records.ClosureDef(kind="tendon", name=name, tendon=tendon, joint=joint))

    def add_coupling(self, follower: str, leader: Optional[str] = None, ratio: float = 1.0, offset: float = 0.0,
                     **fields: Any) -> None:
        """Couples a coordinate to another one (None: to its motion alone): follower = offset + ratio leader + motion.
        Fields of CouplingDef: name, coefficients (5), motion."""
        fields.setdefault("coefficients", (offset, ratio, 0, 0, 0))
        definition = records.CouplingDef(follower=follower, leader=leader, **fields)
        self._add(lib.srs_builder_add_coupling, definition)
        self._motions.append(definition)

    def _add_file(self, function, name, options, placement, fields):
        chosen, error = _load_options(options, placement, fields), ffi.new(_error)
        check(function(self._c, path(name), chosen._c, error), error)

    def add_urdf(self, name: Any, options: Optional["records.LoadOptions"] = None, placement: Optional[PoseLike] = None,
                 **fields: Any) -> None:
        """Reads a URDF file into the builder, as load() does."""
        self._add_file(lib.srs_builder_add_urdf, name, options, placement, fields)

    def add_mjcf(self, name: Any, options: Optional["records.LoadOptions"] = None, placement: Optional[PoseLike] = None,
                 **fields: Any) -> None:
        """Reads an MJCF file into the builder, as load() does."""
        self._add_file(lib.srs_builder_add_mjcf, name, options, placement, fields)

    def add_srdf(self, name: Any, prefix: Optional[str] = None) -> None:
        """Reads the pairs of links that do not collide from an SRDF file."""
        error = ffi.new(_error)
        check(lib.srs_builder_add_srdf(self._c, path(name), ffi.NULL if prefix is None else prefix.encode(), error), error)

    def exclude(self, a: str, b: str) -> None:
        """Says that the shapes of two links never collide."""
        error = ffi.new(_error)
        check(lib.srs_builder_exclude(self._c, a.encode(), b.encode(), error), error)

    def end_robot(self, self_collision: str = "auto") -> None:
        """Makes one robot of the shapes on links added since the last one: "all", "auto" or "none" of its pairs collide."""
        lib.srs_builder_end_robot(self._c, records.number_of("srs_self_collision", self_collision, "self_collision"))

    def build(self, options: Optional["records.BuildOptions"] = None, **fields: Any) -> Model:
        """Checks the whole and compiles it. The builder stays as it was.

        options, fields: BuildOptions, and fields of it: keep_fixed_joints, strict, allow_impossible_inertia
        Raises NameNotKnownError, ModelError.
        """
        chosen = options.copy() if options is not None else records.BuildOptions()
        chosen.update(**fields)
        out, error = ffi.new("srs_model **"), ffi.new(_error)
        check(lib.srs_builder_build(self._c, chosen._c, out, error), error)
        definitions = list(self._motions)
        return Model(out[0], definitions, motions=[each for one in definitions for each in records.motions_of(one._keep)])
