"""What do the public headers declare? They are read as text and give three things:

- declarations(): C without comments and preprocessor lines, as cffi takes it;
- documents():    what the comments say of each struct, field by field;
- words(ffi):     for each enumeration the words that Python uses for it, in order.

The headers are the only place where a function, a field or a unit is written down; the module is made from them.
"""
import os
import re


def read_headers(folder, first="sarrus.h"):
    """The texts of a header and of all that it includes, each once, what is included first.

    folder: where base.h, topology.h ... are (or links to them).
    """
    texts, seen = [], set()

    def read(name):
        if name in seen:
            return
        seen.add(name)
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        for included in re.findall(r"^#include <sarrus/(\w+\.h)>", text, flags=re.M):
            read(included)
        texts.append(text)

    read(first)
    return "\n".join(texts)


def declarations(text):
    """C that cffi parses: without comments, preprocessor lines, attributes and the braces of extern "C"."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
    return re.sub(r"\n\s*\n+", "\n", text)


def _plain(comment):
    return re.sub(r"\s+", " ", comment).strip()


def _names(code):
    """The names that a declaration of fields declares."""
    found = re.findall(r"\(\*(\w+)\)\s*\(", code)  # a pointer to a function
    if found:
        return found
    code = re.sub(r"\[[^\]]*\]", "", code).rstrip("; ")
    return [part.split()[-1].lstrip("*") for part in code.split(",") if part.split()]


def _fields(body):
    """(names, comment) of each declaration in a struct's body."""
    found, code, leading, last = [], "", [], None
    for line in body.split("\n"):
        head, _, comment = line.partition("//")
        if not head.strip():
            if comment.strip() and len(head) > 4 and last is not None:
                last[1].append(comment.lstrip("/"))  # goes on from the line before
            elif comment.strip() and not code:
                leading.append(comment.lstrip("/"))
            continue
        if not code:
            last = ([], leading)
            leading = []
        code += " " + head.strip()
        if comment:
            last[1].append(comment.lstrip("/"))
        if head.rstrip().endswith(";"):
            last[0].extend(_names(code))
            found.append(last)
            code = ""
    return [(names, _plain(" ".join(comment))) for names, comment in found]


def documents(text):
    """{struct: (what it is, {field: its comment})}"""
    found = {}
    for match in re.finditer(r"((?:^///[^\n]*\n)*)^typedef struct (srs_\w+) \{\n(.*?)^\} \2;", text, flags=re.S | re.M):
        above, name, body = match.groups()
        fields = {}
        for names, comment in _fields(body):
            for field in names:
                fields[field] = comment
        found[name] = (_plain(above.replace("///", " ")), fields)
    return found


def words(ffi):
    """{enumeration: its words}: enumerators without what they share at the front, "SRS_MOREAU_MIDPOINT" as
    "moreau-midpoint". They are the words of scene files."""
    found = {}
    for name in ffi.list_types()[0]:
        kind = ffi.typeof(name)
        if kind.kind != "enum":
            continue
        names = [kind.elements[value] for value in sorted(kind.elements)]
        shared = os.path.commonprefix(names) if len(names) > 1 else "SRS_"
        shared = shared[:shared.rfind("_") + 1]
        found[name] = tuple(each[len(shared):].lower().replace("_", "-") for each in names)
    return found
