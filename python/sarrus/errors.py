"""Exceptions: one class for each status of the C library, with the C message.

Every one is an Error, and also the built-in exception nearest to it, so `except ValueError` catches what a Python
programmer expects. Nothing has changed when one is raised.
"""
from ._capi import ffi, lib


class Error(Exception):
    """What the library refused or could not do.

    str() is "FILE:LINE:COL: message", unknown parts left out. Attributes:

    message: what, and how to mend it
    file: the file at fault, "" for none
    line, column: in it, from 1; 0 where unknown
    subject: name of the link, joint, frame or key concerned, "" for none
    """

    def __init__(self, message, file="", line=0, column=0, subject="", text=None):
        super().__init__(text or message)
        self.message, self.file, self.line, self.column, self.subject = message, file, line, column, subject

    def __reduce__(self):
        return type(self), (self.message, self.file, self.line, self.column, self.subject, str(self))

    def __str__(self):
        return self.args[0]


class ArgumentError(Error, ValueError):
    """An index or a size out of range, an option that makes no sense."""


class NotFiniteError(Error, ValueError):
    """An input holds a NaN or an infinity."""


class OutOfMemoryError(Error, MemoryError):
    """The system has no memory left."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""


class FileSyntaxError(Error, ValueError):
    """A file is not well formed, or a value in it has the wrong type."""


class NameNotKnownError(Error, LookupError):
    """A name that does not exist, or that exists twice."""


class ModelError(Error, ValueError):
    """The mechanism is impossible: a cycle, a negative mass, a joint without inertia on it."""


class UnsupportedError(Error, NotImplementedError):
    """This version does not do what was asked."""


class SingularError(Error, ArithmeticError):
    """A joint carries no inertia in this configuration, or rows depend on each other."""


class DivergedError(Error, ArithmeticError):
    """The motion is no longer finite."""


class CapacityError(Error, RuntimeError):
    """More than the memory set aside can hold; the message says how much is needed."""


class UnreachableError(Error, ArithmeticError):
    """No configuration was found that closes the loops, or that reaches a target."""


class BusyError(RuntimeError):
    """Another thread is inside this object, or a callback of its own called it. One thread at a time."""


CLASSES = {
    lib.SRS_ERROR_ARGUMENT: ArgumentError, lib.SRS_ERROR_NOT_FINITE: NotFiniteError,
    lib.SRS_ERROR_MEMORY: OutOfMemoryError, lib.SRS_ERROR_FILE: FileError, lib.SRS_ERROR_SYNTAX: FileSyntaxError,
    lib.SRS_ERROR_NAME: NameNotKnownError, lib.SRS_ERROR_MODEL: ModelError,
    lib.SRS_ERROR_UNSUPPORTED: UnsupportedError, lib.SRS_ERROR_SINGULAR: SingularError,
    lib.SRS_ERROR_DIVERGED: DivergedError, lib.SRS_ERROR_CAPACITY: CapacityError,
    lib.SRS_ERROR_UNREACHABLE: UnreachableError,
}


def text_of(characters):
    """A C string as str; None for NULL."""
    return None if characters == ffi.NULL else ffi.string(characters).decode(errors="replace")


def exception(status, error):
    """The exception that an srs_error (a pointer, or NULL) describes."""
    kind = CLASSES.get(status, Error)
    if error == ffi.NULL:
        return kind(text_of(lib.srs_status_string(status)))
    buffer = ffi.new("char[]", 1024)
    text = text_of(lib.srs_error_format(error, buffer, 1024))
    return kind(text_of(error.message), text_of(error.file), error.line, error.column, text_of(error.subject), text)


def check(status, error):
    """Raises what a status other than SRS_OK stands for."""
    if status:
        raise exception(status, error)
