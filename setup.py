"""Build the C kernels. All metadata is in pyproject.toml.

Switches, as environment variables:
    PUZZLEKIT_DEBUG=1     no optimisation, assertions on
    PUZZLEKIT_SANITIZE=1  AddressSanitizer and UndefinedBehaviorSanitizer
    PUZZLEKIT_WERROR=1    warnings are errors, and so is a compiler without OpenMP (CI)
"""

import os
import sysconfig
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError

DEBUG, SANITIZE, WERROR = (
    os.environ.get(f"PUZZLEKIT_{name}", "0") not in ("", "0") for name in ("DEBUG", "SANITIZE", "WERROR")
)
OPENMP = "-fopenmp"
PROBE = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"


class BuildKernels(build_ext):
    def build_extension(self, ext):
        compile_args = ["-std=gnu11", "-fvisibility=hidden", "-Wall", "-Wextra"]
        link_args = []
        compile_args += ["-O0", "-g", "-UNDEBUG"] if DEBUG else ["-O3"]
        if SANITIZE:
            sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
            compile_args += [*sanitizers, "-O1", "-g", "-fno-omit-frame-pointer", "-UNDEBUG"]
            link_args += sanitizers
        if WERROR:
            compile_args.append("-Werror")
        if self.accepts(OPENMP):
            compile_args.append(OPENMP)
            link_args.append(OPENMP)
        elif WERROR:
            raise CompileError("this compiler has no OpenMP")
        ext.extra_compile_args += compile_args
        ext.extra_link_args += link_args
        super().build_extension(ext)

    def accepts(self, flag):
        """Whether a small OpenMP program compiles and links; without it the kernels are built to run serially."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "probe.c")
            source.write_text(PROBE)
            try:
                objects = self.compiler.compile([str(source)], output_dir=folder, extra_postargs=[flag])
                self.compiler.link_executable(objects, "probe", output_dir=folder, extra_postargs=[flag])
            except (CompileError, LinkError):
                return False
        return True


# The stable ABI is not there for free-threaded Python: such a build gets a wheel of its own.
limited_api = {} if sysconfig.get_config_var("Py_GIL_DISABLED") else {"py_limited_api": "cp310"}

setup(
    cffi_modules=["csrc/ffi_build.py:ffibuilder"],
    cmdclass={"build_ext": BuildKernels},
    options={"bdist_wheel": limited_api},
)
