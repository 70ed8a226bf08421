"""Contact problems: which impulses solve the step? w = W lambda + b with Signorini's and Coulomb's laws."""
from typing import Any, List, NamedTuple, Optional

import numpy as np

from . import records
from ._capi import ffi, lib
from .arrays import array, copied, given, hdf5_lock, path, pointer
from .errors import check, text_of


class ContactProblem:
    """A contact problem in numbers, as <sarrus/contact.h> defines it.

    Rows in this order: bilateral, contacts (a normal, then its tangents), unilateral, box.

    W: (n, n), the Delassus matrix   b: (n,), velocities without impulses
    friction: (n_contacts,), >= 0    n_bilateral, n_unilateral: numbers of such rows
    tangents: (n_contacts,), 0 to 5 each; None: 2 each    anisotropy: (n_contacts, 3), > 0; None: 1 each
    rolling: (n_contacts,), > 0, the anisotropy of the fourth and fifth tangents; None: 1 each
    box_lower, box_upper: (n_box,), bounds of the impulses
    """

    def __init__(self, W: Any, b: Any, friction: Any, n_bilateral: int = 0, n_unilateral: int = 0, tangents: Any = None,
                 anisotropy: Any = None, box_lower: Any = (), box_upper: Any = (), rolling: Any = None):
        self.b = array(b, (-1,), "b")
        n = len(self.b)
        self.W, self.friction = array(W, (n, n), "W"), array(friction, (-1,), "friction")
        contacts = len(self.friction)
        self.tangents = None if tangents is None else array(tangents, (contacts,), "tangents", np.uint8)
        self.anisotropy = None if anisotropy is None else array(anisotropy, (contacts, 3), "anisotropy")
        self.rolling = None if rolling is None else array(rolling, (contacts,), "rolling")
        self.box_lower = array(box_lower, (-1,), "box_lower")
        self.box_upper = array(box_upper, self.box_lower.shape, "box_upper")
        self.n_bilateral, self.n_unilateral = int(n_bilateral), int(n_unilateral)
        if self.n_bilateral < 0 or self.n_unilateral < 0:
            raise ValueError("numbers of rows must not be negative")
        rows = lib.srs_contact_problem_rows(self._c()[0])
        if rows != n:
            raise ValueError(f"b has {n} entries, but the problem has {rows} rows")

    @property
    def n_contacts(self) -> int:
        """Number of contacts."""
        return len(self.friction)

    @property
    def n_rows(self) -> int:
        """Number of rows, n."""
        return len(self.b)

    @property
    def normals(self) -> np.ndarray:
        """(n_contacts,): the row of each contact's normal; its tangents follow it."""
        tangents = np.full(self.n_contacts, 2) if self.tangents is None else self.tangents.astype(int)
        return self.n_bilateral + np.cumsum(tangents + 1) - tangents - 1

    def __repr__(self):
        return (f"<sarrus.ContactProblem: {self.n_rows} rows, {self.n_contacts} contacts, {self.n_bilateral} bilateral, "
                f"{self.n_unilateral} unilateral, {len(self.box_lower)} box>")

    def _c(self):
        """The C struct, and what keeps its memory."""
        c = ffi.new("srs_contact_problem *")
        c.n_bilateral, c.n_contacts, c.n_unilateral = self.n_bilateral, self.n_contacts, self.n_unilateral
        c.n_box = len(self.box_lower)
        memory = [pointer(each) for each in (self.W, self.b, self.friction, self.box_lower, self.box_upper)]
        c.W, c.b, c.friction, c.box_lower, c.box_upper = memory
        if self.tangents is not None:
            memory.append(ffi.from_buffer("unsigned char[]", self.tangents))
            c.tangents = memory[-1]
        if self.anisotropy is not None:
            memory.append(pointer(self.anisotropy))
            c.anisotropy = memory[-1]
        if self.rolling is not None:
            memory.append(pointer(self.rolling))
            c.rolling = memory[-1]
        return c, memory

    @classmethod
    def _of(cls, c):
        """A copy of a C problem; blocks become a dense matrix."""
        n, contacts = lib.srs_contact_problem_rows(c), c.n_contacts
        if c.blocks != ffi.NULL:
            W = np.zeros((n, n))
            lib.srs_contact_blocks_expand(c.blocks, pointer(W))
        else:
            W = copied(c.W, n, n)
        return cls(W, copied(c.b, n), copied(c.friction, contacts), c.n_bilateral, c.n_unilateral,
                   None if c.tangents == ffi.NULL else copied(c.tangents, contacts, dtype=np.uint8),
                   None if c.anisotropy == ffi.NULL else copied(c.anisotropy, contacts, 3),
                   copied(c.box_lower, c.n_box), copied(c.box_upper, c.n_box),
                   None if c.rolling == ffi.NULL else copied(c.rolling, contacts))

    def __reduce__(self):
        return ContactProblem, (self.W, self.b, self.friction, self.n_bilateral, self.n_unilateral, self.tangents,
                                self.anisotropy, self.box_lower, self.box_upper, self.rolling)

    def solve(self, options: Optional["records.ContactOptions"] = None, guess: Any = None, **fields: Any) -> "Solution":
        """Solves and certifies, without the interpreter lock.

        options, fields: ContactOptions, and fields of it: method="mncp-rlm", tolerance, ...
        guess: (n,), impulses for a warm start
        Returns a Solution also when unsolved: its report says so. Raises ArgumentError, NotFiniteError, DivergedError.
        """
        chosen = options.copy() if options is not None else records.ContactOptions()
        chosen.update(**fields)
        out, error = ffi.new("srs_contact_solver **"), ffi.new("srs_error *")
        check(lib.srs_contact_solver_create(self.n_rows, out, error), error)
        solver = ffi.gc(out[0], lib.srs_contact_solver_destroy)
        check(lib.srs_contact_solver_reserve_directions(solver, self.n_rows, chosen.n_directions, error), error)
        c, memory = self._c()
        impulse = np.zeros(self.n_rows) if guess is None else np.array(array(guess, (self.n_rows,), "guess"))
        velocity, report = np.empty(self.n_rows), ffi.new("srs_contact_report *")
        status = lib.srs_contact_solve(solver, c, chosen._c, guess is not None, pointer(impulse), pointer(velocity), report)
        del memory
        check(status, ffi.NULL)
        return Solution(impulse, velocity, records.read("srs_contact_report", report))

    def certify(self, impulse: Any) -> "records.ContactReport":
        """The certificate of any impulses (n,), on the exact cone."""
        out, error = ffi.new("srs_contact_solver **"), ffi.new("srs_error *")
        check(lib.srs_contact_solver_create(self.n_rows, out, error), error)
        solver, report = ffi.gc(out[0], lib.srs_contact_solver_destroy), ffi.new("srs_contact_report *")
        c, memory = self._c()
        status = lib.srs_contact_certify(solver, c, given(impulse, (self.n_rows,), "impulse"), report)
        del memory
        check(status, ffi.NULL)
        return records.read("srs_contact_report", report)

    def judge(self, impulse: Any, velocity: Any = None) -> "Judgement":
        """Judges impulses (n,) by the laws in long double; velocity (n,): what W lambda + b is said to be."""
        claim = ffi.new("srs_contact_claim *")
        numbers = given(impulse, (self.n_rows,), "impulse"), given(velocity, (self.n_rows,), "velocity")
        claim.impulse, claim.velocity = numbers
        out, findings = ffi.new("srs_contact_judgement *"), ffi.new("srs_contact_finding[]", max(1, self.n_contacts))
        c, memory = self._c()
        status = lib.srs_contact_judge(c, claim, out, findings)
        del memory
        check(status, ffi.NULL)
        return Judgement(records.read("srs_contact_judgement", out),
                         [records.read("srs_contact_finding", findings[i]) for i in range(self.n_contacts)])


class Solution(NamedTuple):
    """impulse (n,): N s   velocity (n,): W impulse + b   report: status, stage, residuals"""

    impulse: np.ndarray
    velocity: np.ndarray
    report: "records.ContactReport"


class Judgement(NamedTuple):
    """whole: of all laws   contacts: what each contact does"""

    whole: "records.ContactJudgement"
    contacts: List["records.ContactFinding"]


class ContactFile(NamedTuple):
    """A contact problem as a file in FCLIB's format holds it.

    impulse, velocity: (n,), of the solution in it; None for none   guesses: (n_guesses, n)
    """

    problem: ContactProblem
    impulse: Optional[np.ndarray] = None
    velocity: Optional[np.ndarray] = None
    guesses: Optional[np.ndarray] = None
    title: Optional[str] = None
    description: Optional[str] = None
    math_info: Optional[str] = None


def read_contact_problem(name: Any) -> ContactFile:
    """Reads a contact problem in FCLIB's HDF5 format. Raises FileError, FileSyntaxError, UnsupportedError ..."""
    file, error = ffi.new("srs_contact_file *"), ffi.new("srs_error *")
    with hdf5_lock:
        check(lib.srs_contact_file_read(path(name), file, error), error)
    try:
        problem = ContactProblem._of(ffi.addressof(file, "problem"))
        n = problem.n_rows
        vectors = [None if each == ffi.NULL else copied(each, n) for each in (file.impulse, file.velocity)]
        guesses = None if file.guesses == ffi.NULL else copied(file.guesses, file.n_guesses, n)
        return ContactFile(problem, *vectors, guesses, text_of(file.title), text_of(file.description), text_of(file.math_info))
    finally:
        lib.srs_contact_file_free(file)


def write_contact_problem(name: Any, contents: Any) -> None:
    """Writes a ContactProblem or a ContactFile in FCLIB's HDF5 format; an existing file is replaced once the new one is
    complete."""
    contents = ContactFile(contents) if isinstance(contents, ContactProblem) else contents
    file, error, n = ffi.new("srs_contact_file *"), ffi.new("srs_error *"), contents.problem.n_rows
    problem, memory = contents.problem._c()
    file.problem = problem[0]
    for field in ("impulse", "velocity"):
        memory.append(given(getattr(contents, field), (n,), field))
        setattr(file, field, memory[-1])
    if contents.guesses is not None:
        memory.append(given(contents.guesses, (-1, n), "guesses"))
        file.guesses, file.n_guesses = memory[-1], len(contents.guesses)
    for field in ("title", "description", "math_info"):
        text = getattr(contents, field)
        memory.append(ffi.NULL if text is None else ffi.new("char[]", text.encode()))
        setattr(file, field, memory[-1])
    with hdf5_lock:
        check(lib.srs_contact_file_write(path(name), file, error), error)
