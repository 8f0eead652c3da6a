"""Tell cffi what the kernels offer: the public headers, without their '#' lines, are the declarations."""

import re
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).parent
HEADERS = ["pk.h", "probe.h", "cross.h", "queens.h", "countdown.h", "tiling.h"]

declarations = "\n".join((HERE / header).read_text(encoding="utf-8") for header in HEADERS)

ffibuilder = FFI()
ffibuilder.cdef(re.sub(r"(?m)^#.*$", "", declarations))
ffibuilder.set_source(
    "puzzlekit._kernel",
    "\n".join(f'#include "{header}"' for header in HEADERS),
    sources=sorted(f"csrc/{path.relative_to(HERE).as_posix()}" for path in HERE.rglob("*.c")),
    depends=sorted(f"csrc/{path.relative_to(HERE).as_posix()}" for path in HERE.rglob("*.h")),
    include_dirs=["csrc"],
)
