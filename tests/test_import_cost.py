"""What ``import symtheano`` may load and do, which determines its cost.

A user pays the import in every process, so it brings in what builds and differentiates graphs and
no more. What compiles, prints or profiles comes when it is first called. Times are measured by
``benchmarks/import_time.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Besides NumPy, the import may load these modules of the standard library, and their imports.
STANDARD = (
    "__future__, contextlib, copy, dataclasses, functools, gc, linecache, threading, typing, "
    "warnings"
)

# Packages that are loaded when they are needed.
LATER = {"cli", "codegen", "loopir", "printing", "profile", "rewrites"}

# Modules of the tensor package that are imported with it; the others are imported on demand.
TENSOR = {
    "arrays", "basic", "checks", "conversion", "creation", "creation.filled",
    "creation.identity", "creation.ranges", "elemwise", "indexing", "indexing.geometry",
    "indexing.keys", "indexing.slices", "indexing.subtensor", "linalg", "linalg.batched",
    "linalg.dot", "messages", "nnet", "nnet.activations", "nnet.losses",
    "nnet.operands", "nnet.softmax", "operators", "reductions", "reductions.accumulators",
    "reductions.argmax", "reductions.cumulative", "reductions.moments", "reductions.others",
    "reductions.reduce",
    "shapes", "shapes.axes", "shapes.axis_numbers", "shapes.intervals", "shapes.join",
    "shapes.reshape", "shapes.same_shape", "shapes.shape", "sharedvar", "type", "variable",
}  # fmt: skip

# Python writes, compiles and runs about six methods for each dataclass, in half a millisecond: ops
# declare ``__props__`` instead, and what only compiling needs is not loaded.
MOST_DATACLASSES = 8

GRAPH = """
import symtheano
import symtheano.tensor as T

x, W = T.matrix("x"), symtheano.shared([[1.0]], name="W")
loss = (T.nnet.softmax(T.dot(x, T.as_tensor_variable([[1.0]]))[1:] + T.arange(3)) ** 2).mean()
loss = loss + T.concatenate([x, x]).reshape((-1,))[T.ivector("i")].max()
symtheano.grad(loss, x)
"""


DATACLASSES = """[
    f"{name}.{value.__name__}"
    for name, module in sys.modules.items()
    if name.startswith("symtheano.")
    for value in vars(module).values()
    if isinstance(value, type)
    and value.__module__ == name
    and "__dataclass_fields__" in vars(value)
]"""


def report(program: str, expression: str) -> Any:
    """Run ``program`` in a fresh process and return the value of ``expression`` after it."""
    text = f"{program}\nimport json, sys\nprint(json.dumps({expression}))"
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def loaded(program: str) -> set[str]:
    """Return the names of the modules that are loaded after ``program``."""
    return set(report(program, "list(sys.modules)"))


def packages(modules: set[str]) -> set[str]:
    """Return the packages of the package among module names."""
    return {name.split(".")[1] for name in modules if name.startswith("symtheano.")}


@pytest.mark.parametrize("program", ["import symtheano", "import symtheano.tensor", GRAPH])
def test_what_builds_graphs_loads_nothing_that_compiles(program: str) -> None:
    found = packages(loaded(program))
    assert {"graph", "scalar", "tensor", "function"} <= found
    assert not found & LATER


def test_what_few_programs_need_is_not_loaded() -> None:
    found = loaded("import symtheano, symtheano.tensor")
    prefix = "symtheano.tensor."
    tensor = {name.removeprefix(prefix) for name in found if name.startswith(prefix)}
    assert sorted(tensor - TENSOR) == []
    assert not {"symtheano.sparse", "symtheano.gradient.matrices"} & found


def test_import_loads_little_beside_numpy() -> None:
    allowed = loaded(f"import json, numpy, {STANDARD}") | set(sys.builtin_module_names)
    found = loaded("import json, symtheano")
    assert "numpy" in found
    assert sorted(name for name in found - allowed if name.split(".")[0] != "symtheano") == []


def test_import_makes_few_dataclasses() -> None:
    made = report("import symtheano, symtheano.tensor", DATACLASSES)
    assert "symtheano.scalar.row.ScalarOp" in made
    assert [name for name in made if name.startswith("symtheano.tensor")] == []
    assert len(made) <= MOST_DATACLASSES, made


def test_a_compiled_function_loads_what_was_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYMTHEANO_CACHE_DIR", str(tmp_path))  # what is known is not compiled
    program = (
        "import symtheano, symtheano.tensor as T\nx = T.vector('x')\nsymtheano.function([x], -x)"
    )
    assert {"codegen", "loopir", "rewrites"} <= packages(loaded(program))


# What a function loads if the cache knows its graph, with and without products: what finds the
# compiler's properties, the entry of the cache and the library of products.
WARM = {
    "abi", "affinity", "native", "native.ancestry", "native.build", "native.cache",
    "native.compiler", "native.directory", "native.entries", "native.later", "native.machine",
    "native.prebuilt", "native.toolchain", "record", "runtime", "runtime.dispatch",
    "runtime.library", "runtime.link", "template", "threads",
}  # fmt: skip
WITH_CONVOLUTIONS = {
    "convolutions", "fourier", "library", "products", "registers", "runtime.own_library",
    "runtime.packed", "runtime.tables", "sizes",
}  # fmt: skip
WITH_PRODUCTS = {"library", "products", "registers", "runtime.blas", "runtime.own_library"}

KNOWN = """
import symtheano, symtheano.tensor as T
x, W = T.matrix("x"), symtheano.shared([[1.0]], name="W")
y = {expression}
before = {{*sys.modules}}
symtheano.function([x], y)
"""


@pytest.mark.needs_cc
@pytest.mark.one_in(1)
@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("T.tanh(x)", WARM),
        ("T.dot(x, W)", WARM | WITH_PRODUCTS),
        ("T.nnet.conv2d(T.stack([[x]]), T.stack([[W]]))", WARM | WITH_CONVOLUTIONS),
    ],
)
def test_a_function_that_the_cache_knows_loads_little(expression: str, wanted: set[str]) -> None:
    program = "import sys" + KNOWN.format(expression=expression)
    report(program, "None")
    found = report(program, "sorted({*sys.modules} - before)")
    ours = [name.split(".", 1) for name in found if name.startswith("symtheano.")]
    assert packages(set(found)) <= {"cgroups", "codegen", "files", "graph", "tensor"}
    assert {name.removeprefix("codegen.") for _, name in ours if name.startswith("codegen.")} <= (
        wanted
    )
    assert "symtheano.codegen.runtime.link" in found


def test_a_program_for_the_processor_loads_no_passes_for_devices() -> None:
    modules = loaded("import symtheano\nfrom symtheano.codegen import lower")
    assert "symtheano.codegen.passes.chunk" in modules
    assert not any(name.startswith("symtheano.codegen.passes.cuda.") for name in modules)
