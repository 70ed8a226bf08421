"""Sarrus: articulated rigid bodies with hard frictional contact.

    import sarrus

    model = sarrus.load("samples/arm.urdf")
    sim = model.simulate(dt=0.001)
    sim.set_state(q=[0, 0.5, 0, 1, 0, 0.5, 0])
    run = sim.run(duration=1.0)
    print(run["q:joint7"][-1])

load, Builder           -> Model      the mechanism
load_scene              -> Scene      models, environment, options, initial state
Model.dynamics          -> Dynamics   kinematics and dynamics at any state; Batch: many states
Model.simulate          -> Sim        state, inputs, steps, contacts, snapshots, rollouts
Collider                              contact points, distances, rays
ContactProblem                        contact problems and their solvers
inverse_kinematics, assemble          loops
read_csv, read_hdf5     -> Trajectory

Units are SI, angles in radians, quaternions w x y z, spatial vectors [angular; linear]. Errors are exceptions derived from
Error. docs/python.md explains; ffi and lib in sarrus._capi are the whole C library, as the public headers declare it.
"""
from . import record_table as _table
from . import records as _records
from ._capi import ffi as _ffi
from ._capi import lib as _lib
from .arrays import Pose, identity_pose, rotation_from_quaternion, rotation_from_rpy
from .collision import Collider
from .contact import (ContactFile, ContactProblem, Judgement, Solution, read_contact_problem,
                      write_contact_problem)
from .dynamics import (Batch, CentroidalMomentum, Dynamics, ForwardDerivatives, FrameDerivatives,
                       InverseDerivatives)
from .errors import (ArgumentError, BusyError, CapacityError, DivergedError, Error, FileError, FileSyntaxError,
                     ModelError, NameNotKnownError, NotFiniteError, OutOfMemoryError, SingularError,
                     UnreachableError, UnsupportedError)
from .linearisation import Linearisation, Linearised
from .loops import assemble, assemble_velocity, inverse_kinematics, loop_gaps, loop_rank
from .model import Builder, Model, load
from .page import Page
from .parameters import LinkInertia
from .records import *  # noqa: F401,F403  options, definitions and results, made from the headers
from .results import Recorder, Trajectory, read_csv, read_hdf5
from .rollout import Rollout
from .scene import Scene, load_scene
from .sensors import Sensors
from .sim import ROW_SOURCES, ROW_SUBJECTS, Sim, Snapshot

__version__ = _ffi.string(_lib.srs_version()).decode()

__all__ = [
    "ArgumentError", "Batch", "Builder", "BusyError", "CapacityError", "CentroidalMomentum", "Collider", "ContactFile",
    "ContactProblem", "DivergedError", "Dynamics", "Error", "FileError", "FileSyntaxError", "ForwardDerivatives",
    "FrameDerivatives", "InverseDerivatives", "Judgement", "Linearisation", "Linearised", "LinkInertia", "Model", "ModelError", "NameNotKnownError", "NotFiniteError",
    "OutOfMemoryError", "Page", "Pose", "ROW_SOURCES", "ROW_SUBJECTS", "Recorder", "Rollout", "Scene", "Sensors", "Sim", "SingularError",
    "Snapshot", "Solution", "Trajectory", "UnreachableError", "UnsupportedError", "assemble", "assemble_velocity",
    "identity_pose", "inverse_kinematics", "load", "load_scene", "loop_gaps", "loop_rank", "read_contact_problem",
    "read_csv", "read_hdf5", "rotation_from_quaternion", "rotation_from_rpy", "write_contact_problem",
] + _records.__all__
