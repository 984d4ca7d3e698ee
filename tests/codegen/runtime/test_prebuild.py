"""What a package compiles ahead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from symtheano.codegen.native.prebuilt import Unit, prebuilt_units
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.prebuild import NATIVE, package_units, prebuild
from symtheano.errors import CompileError
from tests.support.toolchains import plain

pytestmark = pytest.mark.needs_cc


def test_the_directory_is_replaced(toolchain: Toolchain, tmp_path: Path) -> None:
    for count in (2, 1):
        units = {str(k): Unit(f"int x = {k};") for k in range(count)}
        assert len(list(prebuild(units, plain(toolchain), [NATIVE], str(tmp_path)))) == count
        (listed,) = prebuilt_units(str(tmp_path))
        libraries = {file.stem for file in tmp_path.glob("*.so")}
        assert libraries == set(listed.digests)
        assert len(libraries) == count


def test_an_unknown_processor(toolchain: Toolchain, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="no-such-processor"):
        list(
            prebuild({"x": Unit("int x;")}, plain(toolchain), ["no-such-processor"], str(tmp_path))
        )


PROGRAM = """
import sys
import numpy as np
import symtheano
import symtheano.tensor as T
from symtheano.codegen.native import prebuilt
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.runtime import prebuild

prebuilt.DIRECTORY, symtheano.config.cache_dir = sys.argv[1:]
names = ("dispatcher", "product_f32", "product_f64", "pooling_f32", "routine_gemm_f32")
units = {name: prebuild.package_units()[name] for name in names}
tools = find_toolchain(directory=symtheano.config.cache_dir)
made = list(prebuild.prebuild(units, tools, [prebuild.NATIVE], prebuilt.DIRECTORY))
assert len(made) == 5, made
x = T.ftensor4("x")
y = symtheano.tensor.signal.pool.pool_2d(x, ws=(2, 2), ignore_border=True)
f = symtheano.function([x], [y, T.dot(x[0, 0], x[0, 0])])
assert (f(np.ones((1, 1, 4, 4), "float32"))[0] == 1).all()
f.wait()
kept = [entry for entry in Cache(symtheano.config.cache_dir).entries() if entry.kind == "library"]
print(len(kept), type(f).__mro__[1].__name__)
"""


def test_programs_use_them(toolchain: Toolchain, tmp_path: Path) -> None:
    """In a new process, with an empty cache, nothing but the program's own file is compiled."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "package"), str(tmp_path / "cache")],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "SYMTHEANO_CC": toolchain.command[0]},
        cwd=Path(__file__).parents[3],
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 Dispatcher\n", "")


def test_units_of_the_package() -> None:
    names = {name.partition("_")[0] for name in package_units()}
    assert names == {"dispatcher", "product", "convolution", "pooling", "routine", "function"}
