"""Output files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing bytes, beside the target, and rename it there when all went well.

    It is opened at once, so that a folder that does not exist or may not be written to is an OSError before any work.
    If anything fails, an older file of that name is untouched and nothing else is left behind. Devices and pipes are
    written directly; a link stays, and what it points to is replaced.
    """
    name = os.fspath(path)
    if not name or name.endswith(tuple(filter(None, (os.sep, os.altsep)))):
        raise IsADirectoryError(f"{name!r} is not the name of a file")
    mode = os.stat(path).st_mode if os.path.exists(path) else None
    target = Path(os.path.realpath(path))
    try:
        os.lstat(target)
    except FileNotFoundError:
        pass
    except OSError as error:  # a name that is too long
        error.filename = name
        raise
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{name} is a folder")
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            yield file
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(f"{name} may not be written to")
    beside = target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}.part")
    try:
        file = open(beside, "xb")  # noqa: SIM115
    except OSError as error:
        error.filename = name  # the name that the caller knows
        raise
    try:
        with file:
            if mode is not None:
                os.chmod(beside, stat.S_IMODE(mode))
            yield file
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
