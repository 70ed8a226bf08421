"""Trajectories: samples of a run, from memory or from a CSV file."""
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

import numpy as np

from ._capi import ffi, lib
from .arrays import copied, hdf5_lock, table
from .errors import FileError, FileSyntaxError, check, text_of

if TYPE_CHECKING:
    from .page import Page

CONTACT = table({}, ffi.typeof("srs_result_contact"))


class Trajectory:
    """Samples of a run.

    time: (n,), s   q: (n, nq)   v: (n, nv)
    q_names, v_names: names of their columns
    columns: {name: (n,)}: further columns of a file, "energy:kinetic", "contact:count" ...
    model: of which it is; None for a file's   file: its name; None for a run's
    units: {name: unit}, contacts: {row: structured array of contact points}, shapes: their labels, of HDF5 files

    trajectory["q:hinge1"] is one column, by the name that files give it.
    """

    def __init__(self, time: np.ndarray, q: np.ndarray, v: np.ndarray, q_names: List[str], v_names: List[str],
                 columns: Optional[Dict[str, np.ndarray]] = None):
        self.time, self.q, self.v, self.q_names, self.v_names = time, q, v, q_names, v_names
        self.columns: Dict[str, np.ndarray] = columns if columns is not None else {}
        self.model: Any = None
        self.file: Optional[str] = None
        self.units: Dict[str, str] = {}
        self.contacts: Dict[int, np.ndarray] = {}
        self.shapes: List[str] = []

    def __len__(self):
        return len(self.time)

    def __repr__(self):
        span = f"t = {self.time[0]:g} … {self.time[-1]:g} s" if len(self.time) else "no time"
        return f"<sarrus.Trajectory: {len(self.time)} samples, {span}, nq {len(self.q_names)}, nv {len(self.v_names)}, {len(self.columns)} columns>"

    @property
    def names(self) -> List[str]:
        """Names of all columns, "time" first."""
        return ["time"] + [f"q:{name}" for name in self.q_names] + [f"v:{name}" for name in self.v_names] + list(self.columns)

    def __getitem__(self, name: str) -> np.ndarray:
        if name == "time":
            return self.time
        if name in self.columns:
            return self.columns[name]
        kind, _, rest = name.partition(":")
        for letter, names, numbers in (("q", self.q_names, self.q), ("v", self.v_names, self.v)):
            if kind == letter and rest in names:
                return numbers[:, names.index(rest)]
        raise KeyError(f"no column {name!r}; there are {', '.join(self.names)}")

    def show(self, scene: Any = None, columns: Optional[Sequence[str]] = None, title: Optional[str] = None,
             height: int = 600) -> "Page":
        """Shows the run in 3-D, with the page of `sarrus view`: in a notebook below the cell, else in the browser.

        scene: Model, Scene or file to draw; None: the model of the run, or the scene that the file names
        columns: whose curves are drawn first   height: px, in a notebook
        Returns the Page. Raises Error with the command's message, FileError where there is no command.
        """
        from .page import is_notebook, make_page
        page = make_page(self, scene, columns, title, height)
        if not is_notebook():
            page.open()
        return page

    def write_csv(self, name: Any) -> None:
        """Writes a CSV file with time, q and v as `sarrus run` does; reading it back gives the same doubles. No FILE.yaml
        beside it; Sim.recorder writes one."""
        columns = [self.time[:, None], self.q, self.v] + [each[:, None] for each in self.columns.values()]
        with open(name, "w", encoding="utf-8") as file:
            file.write(",".join(self.names) + "\n")
            for row in np.hstack(columns):
                file.write(",".join(map(repr, row.tolist())) + "\n")


def read_csv(name: Any) -> Trajectory:
    """Reads a trajectory that `sarrus run`, a Recorder or Trajectory.write_csv wrote. Units are in FILE.yaml beside it.

    Raises FileError where it cannot be read, FileSyntaxError with the line where it is no trajectory.
    """
    name = os.fspath(name)
    try:
        with open(name, encoding="utf-8") as file:
            header = file.readline().rstrip("\n").split(",")
            rows = [_numbers(name, i, line, len(header)) for i, line in enumerate(file, 2) if line.strip()]
    except OSError as error:
        raise FileError(f"{name}: {error.strerror}", name) from None
    if header[0] != "time":
        raise FileSyntaxError("the first column is not 'time'", name, 1, text=f"{name}:1: the first column is not 'time'")
    found = _of_columns(header, np.array(rows, float).reshape(len(rows), len(header)))
    found.file = os.path.abspath(name)
    return found


def _of_columns(names, numbers):
    """A Trajectory of named columns, the first of which is the time."""
    places: Dict[str, List[int]] = {"q": [], "v": []}
    columns = {}
    for i, column in enumerate(names[1:], 1):
        kind = column.partition(":")[0]
        if kind in places:
            places[kind].append(i)
        else:
            columns[column] = numbers[:, i].copy()
    called = {kind: [names[i].partition(":")[2] for i in each] for kind, each in places.items()}
    return Trajectory(numbers[:, 0].copy(), numbers[:, places["q"]], numbers[:, places["v"]], called["q"], called["v"], columns)


def _numbers(name, line, text, count):
    words = text.rstrip("\n").split(",")
    try:
        if len(words) != count:
            raise ValueError
        return [float(word) for word in words]
    except ValueError:
        what = f"line {line} does not have {count} numbers"
        raise FileSyntaxError(what, name, line, text=f"{name}:{line}: {what}") from None


def read_hdf5(name: Any) -> Trajectory:
    """Reads a trajectory from an HDF5 file of `sarrus run --out FILE.h5` or of a Recorder, whole; docs/trajectories.md.

    units: {name: its unit}, contacts: {row: its contact points}, a structured array each, are attributes of it besides.
    Raises FileError where it cannot be read, FileSyntaxError where it is no trajectory or damaged.
    """
    name, out, error = os.fspath(name), ffi.new("srs_results **"), ffi.new("srs_error *")
    with hdf5_lock:
        check(lib.srs_results_read(os.fsencode(name), out, error), error)
    results = ffi.gc(out[0], lib.srs_results_destroy)
    n, m = lib.srs_results_rows(results), lib.srs_results_columns(results)
    names = [text_of(lib.srs_results_name(results, i)) for i in range(m)]
    numbers = copied(lib.srs_results_values(results), n, m)
    found = _of_columns(names, numbers)
    found.file = os.path.abspath(name)
    found.units = {each: text_of(lib.srs_results_unit(results, i)) for i, each in enumerate(names)}
    count = ffi.new("int *")
    for row in range(n):
        first = lib.srs_results_contacts(results, row, count)
        if count[0] > 0:
            found.contacts[row] = copied(first, count[0], dtype=CONTACT)
    while lib.srs_results_shape(results, len(found.shapes)) != ffi.NULL:
        found.shapes.append(text_of(lib.srs_results_shape(results, len(found.shapes))))
    return found


class Recorder:
    """A CSV file being written, with FILE.yaml beside it, or an HDF5 file (.h5); Sim.recorder makes one.

        with sim.recorder("run.csv", energies=True, contacts=True) as recorder:
            for _ in range(1000):
                sim.step(10)
                recorder.add()
    """

    def __init__(self, sim, name, columns):
        self._sim, self._c = sim, ffi.NULL
        options = ffi.new("srs_trajectory_options *", lib.srs_default_trajectory_options())
        allowed = [field for field, kind in ffi.typeof("srs_trajectory_options").fields if kind.type.cname == "_Bool"]
        texts = []  # memory of names and patterns
        for column, wanted in columns.items():
            if column == "columns":
                texts = [ffi.new("char[]", text.encode()) for text in wanted]
                texts.append(ffi.new("char *[]", texts + [ffi.NULL]))
                options.columns = texts[-1]
                continue
            if column not in allowed:
                raise TypeError(f"there are no columns {column!r}; there are columns, {', '.join(allowed)}")
            setattr(options, column, bool(wanted))
        out = ffi.new("srs_trajectory **")
        with sim._guard:
            check(lib.srs_trajectory_create(name, sim._c, options, out, sim._error), sim._error)
        self._c = out[0]
        self.add()

    def add(self) -> None:
        """Adds the sim's present state as a row."""
        if self._c == ffi.NULL:
            raise ValueError("the recorder is closed")
        with self._sim._guard:
            check(lib.srs_trajectory_add(self._c, self._sim._c, self._sim._error), self._sim._error)

    def close(self) -> None:
        """Closes the file. FileError where not all was written."""
        c, self._c = self._c, ffi.NULL
        if c != ffi.NULL:
            error = ffi.new("srs_error *")
            check(lib.srs_trajectory_close(c, error), error)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_c", ffi.NULL) != ffi.NULL:
            lib.srs_trajectory_close(self._c, ffi.NULL)
