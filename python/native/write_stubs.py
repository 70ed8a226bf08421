"""The types of records' fields, as a stub file, from the C types of the headers."""

NUMBERS = {"double": "float", "float": "float", "_Bool": "bool"}


def _annotation(ffi, table, struct, name, kind):
    """What a field gives; None for one that Python does not have."""
    if not table.has_field(struct, name, kind):
        return None
    if (struct, name) in table.LISTS:
        what = table.LISTS[struct, name][0]
        if isinstance(what, tuple):
            return "NDArray[Any]"
        return {"NAMES": "list[str]", "NAME_PAIRS": "list[tuple[str, str]]"}.get(what) or f"list[{table.class_name(what)}]"
    if table.is_heights(struct, name):
        return "NDArray[np.float64]"
    if kind.kind == "enum":
        return table.class_name(table.type_name(kind))
    if kind.kind == "primitive":
        return NUMBERS.get(table.type_name(kind), "int")
    if kind.kind == "struct":
        return table.class_name(table.type_name(kind))
    if kind.kind == "array":
        return "NDArray[Any]"
    if kind.kind == "pointer" and kind.item.cname == "char":
        return "Optional[str]"
    if kind.kind == "function" or (kind.kind == "pointer" and kind.item.kind == "function"):
        return "Optional[Callable[[float], tuple[float, float]]]"
    return None


def _takes(table, struct, annotation):
    """What may be given for it."""
    if annotation in ("float", "int", "bool", "Optional[str]") or annotation.startswith("Optional[Callable"):
        return annotation
    if annotation == "Pose":
        return "PoseLike"
    if annotation.startswith("NDArray"):
        return "ArrayLike"
    if annotation.startswith("list["):
        return annotation.replace("list[", "Sequence[", 1)
    if table.class_name(struct) and annotation in {table.class_name(each) for each in table.INPUTS}:
        return f"Union[{annotation}, Mapping[str, Any]]"
    return annotation


def _fields(ffi, table, struct):
    fields = [(name, _annotation(ffi, table, struct, name, field.type)) for name, field in ffi.typeof(struct).fields]
    return [(name, annotation) for name, annotation in fields if annotation]


def stubs(ffi, documents, words, table):
    """The text of records.pyi."""
    lines = ["# Made from the public headers by python/native/make_module.py.",
             "from typing import Any, Callable, Literal, Mapping, NamedTuple, Optional, Sequence, Union", "",
             "import numpy as np", "from numpy.typing import ArrayLike, NDArray", "", "from .arrays import Pose as Pose, PoseLike", ""]
    for enumeration, each in words.items():
        lines.append(f"{table.class_name(enumeration)} = Literal[{', '.join(repr(word) for word in each)}]")
    lines += ["", "class Record:", "    def update(self, **fields: Any) -> None: ...", "    def copy(self) -> Any: ..."]
    for struct in table.INPUTS:
        fields = _fields(ffi, table, struct)
        arguments = ", ".join(f"{name}: {_takes(table, struct, annotation)} = ..." for name, annotation in fields)
        lines += ["", f"class {table.class_name(struct)}(Record):", f"    def __init__(self, *, {arguments}) -> None: ..."]
        for name, annotation in fields:
            lines += ["    @property", f"    def {name}(self) -> {annotation}: ...", f"    @{name}.setter",
                      f"    def {name}(self, value: {_takes(table, struct, annotation)}) -> None: ..."]
    for struct in table.OUTPUTS:
        lines += ["", f"class {table.class_name(struct)}(NamedTuple):"]
        lines += [f"    {name}: {annotation}" for name, annotation in _fields(ffi, table, struct)]
    return "\n".join(lines) + "\n"
