"""What must hold for the sources: names, layers, no state in C, and the wheel on every Python here."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import puzzlekit

KERNELS = sorted((ROOT / "csrc").rglob("*.c"))
MODULES = sorted((ROOT / "puzzlekit").rglob("*.py"))
COMPILER = shlex.split(os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc") or "")


def imports(path: Path) -> set[str]:
    """The modules of puzzlekit that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return {name for name in found if name.startswith("puzzlekit")}


def test_only_call_touches_the_compiled_module():
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        touches = "puzzlekit._kernel" in imports(path) or re.search(r"^\s*(import|from) cffi", text, re.MULTILINE)
        assert bool(touches) == (path.name == "_call.py"), path


def test_families_do_not_import_one_another_and_nothing_imports_the_command_line():
    families = {name for name in puzzlekit.__all__ if name.islower() and name != "build_info"}
    for path in MODULES:
        relative = path.relative_to(ROOT / "puzzlekit")
        family = relative.parts[0].removesuffix(".py")
        if family in families:
            others = {f"puzzlekit.{name}" for name in families - {family}}
            assert not {name for name in imports(path) if name.startswith(tuple(others))}, path
        if relative.parts[0] not in ("_commands", "__main__.py"):
            assert not {name for name in imports(path) if "__main__" in name or "_commands" in name}, path


def test_kernels_do_not_include_one_another():
    public = set(re.findall(r'"(\w+\.h)"', (ROOT / "csrc/ffi_build.py").read_text())) - {"pk.h"}
    for path in KERNELS:
        included = set(re.findall(r'#include "(?:\w+/)?(\w+\.h)"', path.read_text(encoding="utf-8")))
        families = {name.split(".")[0].split("_")[0] for name in included & public}
        assert len(families) <= 1, path


def symbols(path: Path, folder: Path) -> list[tuple[str, str]]:
    """Kind and name of each symbol that a C file defines."""
    made = folder / "object.o"
    subprocess.run([*COMPILER, "-std=gnu11", "-O0", f"-I{ROOT / 'csrc'}", "-c", str(path), "-o", str(made)], check=True)
    listed = subprocess.run(["nm", "--defined-only", str(made)], capture_output=True, text=True, check=True).stdout
    pairs = [line.split()[-2:] for line in listed.splitlines()]
    return [(kind, name.removeprefix("_") if sys.platform == "darwin" else name) for kind, name in pairs]


@pytest.mark.skipif(not COMPILER or not shutil.which("nm"), reason="needs a C compiler and nm")
@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_symbols(path, tmp_path):
    """External names begin with pk_, and there is no variable that could be written: nothing in .data or .bss."""
    for kind, name in symbols(path, tmp_path):
        if kind.isupper():
            assert name.startswith("pk_"), name
        assert kind not in "dDbBcC", f"{name} is a writable variable"


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("nm"), reason="needs ELF and nm")
def test_the_module_exports_its_entry_only():
    module = next(Path(puzzlekit.__file__).parent.glob("_kernel*.so"))
    assert ".abi3." in module.name
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", str(module)], capture_output=True, text=True, check=True
    ).stdout
    names = {line.split()[-1] for line in listed.splitlines()}
    assert names - {"_init", "_fini"} == {"PyInit__kernel"}


def test_the_wheel_holds_what_it_should():
    folder = Path(puzzlekit.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "_kernel.pyi").exists()
    assert not [path for path in folder.rglob("*") if path.suffix in (".c", ".h")]
    assert not (folder.parent / "csrc").exists()
    installed = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert installed == {path.relative_to(ROOT / "puzzlekit").as_posix() for path in MODULES}


SMOKE = """
import puzzlekit as pk
assert len(pk.cross.enumerate(range(1, 17)).array) == 33608
assert pk.cross.count([1, 2, 3, 4] * 4) == 472
assert pk.cross.count(tolerance=1, threads=2) == 5240400
print(pk.__version__, pk.build_info())
"""


def pythons() -> list[str]:
    """Every CPython from 3.10 on that runs here and takes abi3 wheels, one a version."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [*sorted(root.glob("versions/*/bin/python3")), *(f"python3.{minor}" for minor in range(10, 30))]
    found = {}
    for candidate in map(str, candidates):
        try:
            ask = [candidate, "-c", "import sys; print(*sys.version_info[:2], sys.implementation.name + sys.abiflags)"]
            done = subprocess.run(ask, capture_output=True, text=True, timeout=30, check=False)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.split()[2] == "cpython":
            version = tuple(map(int, done.stdout.split()[:2]))
            if version >= (3, 10):
                found.setdefault(version, candidate)
    return list(found.values())


@pytest.mark.wheels
def test_the_wheel_on_every_python(tmp_path, request):
    wheel = request.config.getoption("--wheel").resolve()
    assert re.fullmatch(r"puzzlekit_c-[\d.]+-cp310-abi3-\w+\.whl", wheel.name)
    found = pythons()
    assert found
    for place, python in enumerate(found):
        folder = tmp_path / str(place)
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
        scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        subprocess.run([str(scripts / "python"), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
        smoke = [str(scripts / "python"), "-c", SMOKE]
        done = subprocess.run(smoke, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{python}: {done.stderr}"
        counted = subprocess.run([str(scripts / "puzzlekit"), "cross", "--count"], capture_output=True, check=True)
        assert counted.stdout == b"33608\n"
        print(python, done.stdout)
