"""Writes the C source of the module sarrus._capi, and two files made from the headers beside it:

    make_module.py HEADERS OUT     HEADERS: the folder of base.h ...; OUT: a folder, which gets
        _capi.c        compiled with the C library into sarrus/_capi
        _documents.py  what the headers say of each struct and field, and the words of enumerations
        records.pyi    the types of the records' fields
"""
import os
import pprint
import sys

import cffi

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(os.path.dirname(here), "sarrus")]
import read_headers  # noqa: E402
import record_table  # noqa: E402
import write_stubs  # noqa: E402

CALLBACKS = """
extern "Python" void sarrus_watch(void *, const srs_contact_problem *, const double *, const srs_contact_report *);
extern "Python" double sarrus_motion(const void *, double, double *);
extern "Python" void sarrus_note(void *, const char *);
"""


def write(path, text):
    """Writes a file, but leaves one alone that is the same."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(headers, out):
    text = read_headers.read_headers(headers)
    ffi = cffi.FFI()
    ffi.cdef(read_headers.declarations(text) + CALLBACKS)
    words, documents = read_headers.words(ffi), read_headers.documents(text)
    ffi.set_source("sarrus._capi", '#include <sarrus/sarrus.h>\n')
    os.makedirs(out, exist_ok=True)
    ffi.emit_c_code(os.path.join(out, "_capi.c"))
    write(os.path.join(out, "_documents.py"),
          '"""Made from the public headers by python/native/make_module.py."""\n'
          f"STRUCTS = {pprint.pformat(documents, width=160, sort_dicts=False)}\n"
          f"WORDS = {pprint.pformat(words, width=160, sort_dicts=False)}\n")
    write(os.path.join(out, "records.pyi"), write_stubs.stubs(ffi, documents, words, record_table))


if __name__ == "__main__":
    main(*sys.argv[1:])
