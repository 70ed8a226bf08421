# The C library as cffi gives it: every function, type and constant of the public headers.
from typing import Any

ffi: Any
lib: Any
