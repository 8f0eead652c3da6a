"""The compiled module: cffi's two names. Only _call uses it."""

from typing import Any

ffi: Any
lib: Any
