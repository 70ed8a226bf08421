"""Options, definitions and results: the structs of the C library as Python objects.

Their fields have the names, units and defaults of the public headers; help(SimOptions) prints them. Options take plain
numbers, words ("rk4"), lists, and mappings for options within options:

    SimOptions(dt=0.002, integrator="rk4", contact={"friction": 0.8})

Results are named tuples. Words of an enumeration are those of scene files.
"""
import difflib
from collections import namedtuple

import numpy as np

from . import record_table as table
from ._capi import ffi, lib
from ._documents import STRUCTS, WORDS
from .arrays import Pose, array, as_pose, copied
from .errors import text_of

CLASSES = {}


def word_of(kind, value):
    """The word of an enumerator, by the enumeration's name."""
    return WORDS[kind][value]


def number_of(kind, word, name):
    """The enumerator that a word means."""
    words = WORDS[kind]
    if word not in words:
        raise ValueError(f"{name} is {word!r}; it can be {', '.join(words)}")
    return words.index(word)


def _string(text):
    return ffi.new("char[]", text.encode())


def _set_names(c, field, count, names, keep):
    if isinstance(names, str):
        raise TypeError(f"{field} is one string, not a list of them")
    strings = [_string(name) for name in names]
    pointers = ffi.new("char *[]", strings + ([] if count else [ffi.NULL]))
    keep[field] = (strings, pointers)
    setattr(c, field, pointers)
    if count:
        setattr(c, count, len(strings))


def _get_names(c, field, count):
    start, names = getattr(c, field), []
    while start != ffi.NULL and (len(names) < getattr(c, count) if count else start[len(names)] != ffi.NULL):
        names.append(text_of(start[len(names)]))
    return names


def _set_list(struct, c, field, value, keep):
    """Sets a pointer to several, with what counts them."""
    what, count = table.LISTS[struct, field]
    if what == "NAMES":
        _set_names(c, field, count, value, keep)
    elif what == "NAME_PAIRS":
        _set_names(c, field, count, [name for a, b in value for name in (a, b)], keep)
    elif isinstance(what, tuple):
        kind, columns = what
        numbers = array(value, (-1, columns) if columns else (-1,), field, np.float64 if kind == "double" else np.int32)
        memory = ffi.from_buffer(f"{kind}[]", numbers)
        if getattr(c, count) not in (0, len(numbers)) and struct == "srs_motion":
            raise ValueError(f"{field} has {len(numbers)} numbers, but the motion has {getattr(c, count)} points")
        keep[field] = memory
        setattr(c, field, memory)
        setattr(c, count, len(numbers))
    else:
        records = [as_record(what, each) for each in value]
        memory = ffi.new(f"{what}[]", [each._c[0] for each in records])
        keep[field] = (records, memory)
        setattr(c, field, memory)
        setattr(c, count, len(records))


def _get_list(struct, c, field):
    what, count = table.LISTS[struct, field]
    if what == "NAMES":
        return _get_names(c, field, count)
    if what == "NAME_PAIRS":
        names = _get_names(c, field, count)
        return list(zip(names[::2], names[1::2]))
    n, start = getattr(c, count), getattr(c, field)
    if isinstance(what, tuple):
        kind, columns = what
        shape = (n, columns) if columns else (n,)
        return copied(start, *shape, dtype=np.float64 if kind == "double" else np.int32)
    return [_copy_of(what, start + i) for i in range(n)]


def _copy_of(struct, c):
    """A record of its own with the values of a C struct."""
    record = CLASSES[struct]()
    for name in record._fields:
        value = _get(struct, c, name, ffi.typeof(struct))
        if value is not None:
            setattr(record, name, value)
    return record


def _array_shape(name, length):
    return (3, 3) if length == 9 else (length,)


def _set_array(struct, c, name, kind, value):
    numbers = np.asarray(value, float)
    length = kind.length
    if struct in table.SHORT and numbers.size < length and numbers.ndim < 2:
        if numbers.ndim == 0 and struct == "srs_joint_def":
            numbers = np.full(length, float(numbers))
        else:
            numbers = np.concatenate([numbers.ravel(), list(getattr(c, name))[numbers.size:]])
    elif numbers.shape != (length,):
        numbers = array(numbers, _array_shape(name, length), name).ravel()
    setattr(c, name, [int(each) if kind.item.cname == "int" else each for each in numbers.tolist()])


def _set_pose(c, name, value):
    pose = as_pose(value, name)
    setattr(c, name, {"position": pose.position.tolist(), "rotation": pose.rotation.ravel().tolist()})


def _set(struct, c, name, kind, value, keep):
    """Sets a field of a C struct from a value of Python."""
    if (struct, name) in table.LISTS:
        _set_list(struct, c, name, value, keep)
    elif table.is_heights(struct, name):
        numbers = array(value, (-1, -1), name)
        keep[name] = ffi.from_buffer("double[]", numbers)
        c.heights, (c.n_rows, c.n_columns) = keep[name], numbers.shape
    elif kind.kind == "enum":
        setattr(c, name, number_of(table.type_name(kind), value, name))
    elif kind.kind == "array":
        _set_array(struct, c, name, kind, value)
    elif kind.kind == "struct" and table.type_name(kind) == "srs_pose":
        _set_pose(c, name, value)
    elif kind.kind == "struct":
        given = as_record(table.type_name(kind), value)
        setattr(c, name, given._c[0])
        keep[name] = given
    elif kind.kind == "function":
        keep[name] = _set_function(c, value)
    elif kind.kind == "pointer":
        keep[name] = ffi.NULL if value is None else _string(value)
        setattr(c, name, keep[name])
    elif table.type_name(kind) == "_Bool":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} is {value!r}, not True or False")
        setattr(c, name, bool(value))
    else:
        setattr(c, name, float(value) if table.type_name(kind) == "double" else int(value))


def _get(struct, c, name, kind):
    """A field of a C struct as a value of Python."""
    kind = dict(kind.fields)[name].type
    if (struct, name) in table.LISTS:
        return _get_list(struct, c, name)
    if table.is_heights(struct, name):
        return copied(c.heights, c.n_rows, c.n_columns)
    value = getattr(c, name)
    if kind.kind == "enum":
        return word_of(table.type_name(kind), int(ffi.cast("int", value)))
    if kind.kind == "array":
        return np.array(list(value)).reshape(_array_shape(name, kind.length))
    if kind.kind == "struct" and table.type_name(kind) == "srs_pose":
        return Pose(np.array(list(value.position)), np.array(list(value.rotation)).reshape(3, 3))
    if kind.kind == "struct":
        return read(table.type_name(kind), value)
    if kind.kind == "function":
        return None
    if kind.kind == "pointer":
        return text_of(value) if kind.item.cname == "char" else None
    return value


# ----------------------------------------------------------------------------------------------------------------------
# Prescribed motions that are functions
# ----------------------------------------------------------------------------------------------------------------------


class _Motion:
    """A function of the caller's for srs_motion, and what it raised."""

    def __init__(self, function):
        self.function, self.raised = function, None


def _set_function(c, function):
    if not callable(function):
        raise TypeError("a motion's function must be callable: function(time) -> (position, rate)")
    motion = _Motion(function)
    handle = ffi.new_handle(motion)
    c.function, c.context = lib.sarrus_motion, handle
    return motion, handle


def motions_of(keep):
    """The _Motions in what a record keeps."""
    for value in keep.values():
        if isinstance(value, dict):
            yield from motions_of(value)
        elif isinstance(value, Record):
            yield from motions_of(value._keep)
        elif isinstance(value, tuple) and isinstance(value[0], _Motion):
            yield value[0]


@ffi.def_extern(onerror=None, error=float("nan"))
def sarrus_motion(context, time, rate):
    motion = ffi.from_handle(ffi.cast("void *", context))
    try:
        position, speed = motion.function(time)
        if rate != ffi.NULL:
            rate[0] = speed
        return position
    except BaseException as raised:  # the step ends with a number that is not finite; the next check raises this
        motion.raised = raised
        if rate != ffi.NULL:
            rate[0] = float("nan")
        return float("nan")


# ----------------------------------------------------------------------------------------------------------------------
# Options and definitions
# ----------------------------------------------------------------------------------------------------------------------


class Record:
    """Base of options and definitions: a C struct, with its defaults, whose fields are attributes."""

    __slots__ = ("_c", "_keep", "_owner")
    _struct = ""
    _fields = ()

    def __init__(self, **fields):
        object.__setattr__(self, "_c", _defaults(self._struct, fields))
        object.__setattr__(self, "_keep", {})
        object.__setattr__(self, "_owner", None)
        self.update(**fields)

    def update(self, **fields):
        """Sets several fields."""
        for name, value in fields.items():
            setattr(self, name, value)

    def copy(self):
        """A record of its own with the same values."""
        return type(self)(**self._changes())

    def __setattr__(self, name, value):
        kind = self._kinds.get(name)
        if kind is None:
            raise AttributeError(self._unknown(name))
        if kind.kind == "struct" and table.type_name(kind) in table.INPUTS and hasattr(value, "keys"):
            getattr(self, name).update(**{each: value[each] for each in value.keys()})  # the other fields stay
            return
        try:
            _set(self._struct, self._c, name, kind, value, self._keep)
        except (TypeError, OverflowError) as error:
            raise TypeError(f"{type(self).__name__}.{name}: {error}") from None

    def __getattr__(self, name):
        kind = type(self)._kinds.get(name)
        if kind is None:
            raise AttributeError(self._unknown(name))
        if kind.kind == "struct" and table.type_name(kind) in CLASSES and table.type_name(kind) in table.INPUTS:
            return _part(CLASSES[table.type_name(kind)], self, name)
        if kind.kind == "function":
            kept = self._keep.get(name)
            return None if kept is None else kept[0].function
        return _get(self._struct, self._c, name, ffi.typeof(self._struct))

    def _unknown(self, name):
        near = difflib.get_close_matches(name, self._fields, 1)
        return f"{type(self).__name__} has no field {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")

    def _changes(self):
        """The fields that differ from the defaults."""
        start = {"kind": self.kind} if "kind" in self._fields and _takes_kind(self._struct) else {}
        if "coordinate" in self._fields:
            start["coordinate"] = self.coordinate
        plain, found = type(self)(**start), dict(start)
        for name in self._fields:
            value = getattr(self, name)
            if isinstance(value, Record):
                inner = value._changes()
                if inner:
                    found[name] = type(value)(**inner)
            elif not _same(value, getattr(plain, name)):
                found[name] = value
        return found

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._changes().items())})"

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, name), getattr(other, name)) for name in self._fields)

    __hash__ = None

    def __reduce__(self):
        return _rebuild, (type(self), self._changes())

    def __dir__(self):
        return list(object.__dir__(self)) + list(self._fields)


def _rebuild(kind, fields):
    return kind(**fields)


def _same(a, b):
    if isinstance(a, (np.ndarray, Pose)):
        return all(np.array_equal(x, y, equal_nan=True) for x, y in (zip(a, b) if isinstance(a, Pose) else [(a, b)]))
    return a == b or (a != a and b != b)


def _takes_kind(struct):
    function = table.INPUTS[struct]
    return bool(function) and len(ffi.typeof(getattr(lib, function)).args) == 1


def _defaults(struct, fields):
    """A new C struct with the library's defaults."""
    function = table.INPUTS[struct]
    if not function:
        return ffi.new(f"{struct} *")
    function = getattr(lib, function)
    part = table.PART.get(struct)
    arguments = ffi.typeof(function).args
    if not arguments:
        whole = function()
    elif arguments[0].kind == "enum":
        kind = "revolute" if part or "kind" not in fields else fields["kind"]
        whole = function(number_of(table.type_name(arguments[0]), "sphere" if struct == "srs_shape_def" and "kind" not in fields
                                   else kind, "kind"))
    elif arguments[0].kind == "pointer":
        whole = function(ffi.NULL)
    else:
        whole = function(int(fields.get("coordinate", 0)))
    return ffi.new(f"{struct} *", getattr(whole, part) if part else whole)


def _part(kind, owner, name):
    """A record that shares the memory of a field of another."""
    record = object.__new__(kind)
    object.__setattr__(record, "_c", ffi.addressof(owner._c, name))
    object.__setattr__(record, "_keep", owner._keep.setdefault(("part", name), {}))
    object.__setattr__(record, "_owner", owner)
    return record


def as_record(struct, value):
    """A record from a record or from a mapping of fields."""
    kind = CLASSES[struct]
    if isinstance(value, kind):
        return value
    if hasattr(value, "keys"):
        return kind(**{name: value[name] for name in value.keys()})
    raise TypeError(f"{value!r} is no {kind.__name__} and no mapping of its fields")


def _documented(struct, names):
    what, fields = STRUCTS.get(struct, ("", {}))
    lines = [what or table.class_name(struct), ""]
    for name in names:
        kind = dict(ffi.typeof(struct).fields)[name].type
        words = f" ({', '.join(WORDS[table.type_name(kind)])})" if kind.kind == "enum" else ""
        lines.append(f"{name}: {fields.get(name, '')}{words}")
    return "\n".join(lines)


def _field_names(struct):
    return [name for name, field in ffi.typeof(struct).fields if table.has_field(struct, name, field.type)]


def _make_inputs():
    for struct in table.INPUTS:
        names = tuple(_field_names(struct))
        kinds = {name: field.type for name, field in ffi.typeof(struct).fields if name in names}
        name = table.class_name(struct)
        CLASSES[struct] = type(name, (Record,), {
            "__slots__": (), "__module__": __name__, "__doc__": _documented(struct, names), "_struct": struct,
            "_fields": names, "_kinds": kinds})
        globals()[name] = CLASSES[struct]


def _make_outputs():
    for struct in table.OUTPUTS:
        names = [name for name in _field_names(struct)]
        kind = namedtuple(table.class_name(struct), names, module=__name__)
        kind.__doc__ = _documented(struct, names)
        CLASSES[struct] = globals()[kind.__name__] = kind


_make_inputs()
_make_outputs()


def read(struct, c):
    """The result of that struct, from the C struct or a pointer to it."""
    kind = CLASSES[struct]
    if struct in table.INPUTS:
        return _copy_of(struct, c)
    layout = ffi.typeof(struct)
    return kind(*[_get(struct, c, name, layout) for name in kind._fields])


__all__ = [kind.__name__ for kind in CLASSES.values()]
