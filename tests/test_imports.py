"""Layers import only earlier layers, and ``import symtheano`` loads no heavy packages."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "symtheano"

# A layer is a folder or a file of the package; it may import itself and earlier layers.
# `__init__` is the public API, `import symtheano`: it may import any layer, and the layers after
# it are written as users write, with the public names.
ORDER = """
    collector, errors, dataclass, config, names, keywords, files, formats, extras, cgroups
    < sources < dtypes < loopir
    < graph < scalar < lowering < tensor, sparse < sandbox < gradient < interpret < updates
    < loops, ifelse, op_from_graph < scan_module, rewrites < codegen < function < printing
    < interop < compile < distributed
    < __init__ < compat, nn < cli
"""
LAYERS = re.findall(r"\w+", ORDER)

# The folders and files of two layers, in the same way.
ORDERS = {
    "codegen": """
        affinity < threads, targets, rows, exchange, template < sizes, registers, library
        < fourier
        < products < convolutions, pooling, _abi_ffi < abi < record < plan < nests
        < passes, routines < processors < devices < numbers < frame < arrays, op_steps < region
        < lower < c < cuda < source < native < runtime
    """,
    "function": """
        available, changes, memory < request < modes, profile, callbacks
        < signature, binding, shortage, package < stages, calling < devices
        < mapping < allocators, streams, kept, inspection, c_callers < compiled < sparse < making
        < api < verify
    """,
}

# (file, imported layer): the reason. Should be empty.
EXCEPTIONS: dict[tuple[str, str], str] = {}

# What may be needed later, but never just to import the package.
HEAVY = {
    "click",
    "cuda",
    "concurrent",
    "dask",
    "distributed",
    "matplotlib",
    "mpi4py",
    "networkx",
    "pyarrow",
    "pycparser",
    "pycuda",
    "ray",
    "rich",
    "scipy",
    "setuptools",
    "sympy",
}


def imported_names(tree: ast.Module, package: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of all imports in a module, those within functions included.

    ``package`` is where relative imports start from. ``from a import b`` yields ``a.b``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module or "").split(".") if node.module else base
            yield from ((node.lineno, ".".join([*base, alias.name])) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else None
            called = node.func.id if isinstance(node.func, ast.Name) else called
            target = node.args[0]
            if called in {"import_module", "__import__"} and isinstance(target, ast.Constant):
                yield node.lineno, str(target.value)


def wrong_order(folder: Path, order: str) -> Iterator[tuple[str, int, str]]:
    """Yield (file, line, imported part) of each import of a later part of a layer."""
    rank = {
        name: number
        for number, names in enumerate(order.split("<"))
        for name in re.findall(r"\w+", names)
    }
    inside = [folder.parent.name, folder.name]
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        if parts[0] == "__init__":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for line, dotted in imported_names(tree, [*inside, *parts[:-1]]):
            there = dotted.split(".")
            part = there[2] if there[:2] == inside and there[2:] else None
            if part in rank and part != parts[0] and rank[part] > rank[parts[0]]:
                yield path.relative_to(folder).as_posix(), line, part


def layer_of(dotted: str) -> str:
    """Return the layer that contains a dotted name of the package."""
    first = dotted.split(".")[1:2]
    return first[0] if first and first[0] in LAYERS else "__init__"


def wrong_imports(package: Path) -> Iterator[tuple[str, int, str]]:
    """Yield (file, line, imported layer) of each import of a later layer."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        here = parts[0]
        if here == "__init__" or here not in LAYERS:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for line, dotted in imported_names(tree, [package.name, *parts[:-1]]):
            if dotted.split(".")[0] == package.name:
                there = layer_of(dotted)
                if there != here and LAYERS.index(there) >= LAYERS.index(here):
                    yield path.relative_to(package).as_posix(), line, there


def test_every_layer_has_a_position() -> None:
    found = {
        path.stem
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path.is_dir() and any(path.rglob("*.py")))
    }
    assert found <= set(LAYERS), "add the new layer to ORDER and docs/architecture.md"


def test_layers_import_only_earlier_ones() -> None:
    found = list(wrong_imports(PACKAGE))
    wrong = [
        f"symtheano/{file}:{line} imports {layer}, a later layer"
        for file, line, layer in found
        if (file, layer) not in EXCEPTIONS
    ]
    assert not wrong, "\n" + "\n".join(wrong)
    used = {(file, layer) for file, _, layer in found}
    assert set(EXCEPTIONS) <= used, "an exception is no longer needed"


@pytest.mark.parametrize("layer", ORDERS)
def test_parts_of_a_layer_import_only_earlier_ones(layer: str) -> None:
    folder = PACKAGE / layer
    parts = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    named = set(re.findall(r"\w+", ORDERS[layer]))
    assert parts - {"__init__", "__pycache__"} == named, "change ORDERS"
    wrong = [
        f"symtheano/{layer}/{file}:{line} imports {part}, a later part"
        for file, line, part in wrong_order(folder, ORDERS[layer])
    ]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("file", "source", "layer"),
    [
        ("graph/op.py", "import symtheano.codegen.c.program", "codegen"),
        ("graph/op.py", "from symtheano.codegen import c", "codegen"),
        ("graph/op.py", "from symtheano import function", "function"),
        ("graph/op.py", "from ..tensor.basic import dot", "tensor"),
        ("graph/op.py", "from .. import scalar", "scalar"),
        ("graph/__init__.py", "from ..tensor import dot", "tensor"),
        ("tensor/nnet/conv.py", "from ...gradient import grad", "gradient"),
        ("gradient.py", "from . import loops", "loops"),
        ("gradient.py", "def f():\n    from symtheano.interpret import run", "interpret"),
        ("gradient.py", "if TYPE_CHECKING:\n    from symtheano.loops import Scan", "loops"),
        ("gradient.py", "import importlib\nimportlib.import_module('symtheano.nn')", "nn"),
        ("gradient.py", "import symtheano", "__init__"),
        ("gradient.py", "from symtheano import shared", "__init__"),
    ],
)
def test_later_layer_is_found(tmp_path: Path, file: str, source: str, layer: str) -> None:
    path = tmp_path / "symtheano" / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert [(f, r) for f, _, r in wrong_imports(tmp_path / "symtheano")] == [(file, layer)]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("__init__.py", "from symtheano.cli import main"),
        ("gradient.py", "from symtheano import config\nfrom symtheano.graph.op import Op"),
        ("graph/op.py", "from symtheano.graph import walk\nfrom .variable import Variable"),
        ("graph/op.py", "from symtheanot import codegen\nimport numpy.tensor"),
        ("tensor/nnet/conv.py", "from .pool import x\nfrom ..op import y\nfrom ... import graph"),
        ("nn/model.py", "import symtheano\nfrom symtheano import shared"),
    ],
)
def test_an_import_to_the_left_is_not(tmp_path: Path, file: str, source: str) -> None:
    path = tmp_path / "symtheano" / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert list(wrong_imports(tmp_path / "symtheano")) == []


def test_planning_and_printing_rewrite_nothing() -> None:
    """The graphs of loops, and all expressions of lengths, are in normal form before."""
    found = [
        f"{path.relative_to(PACKAGE).as_posix()}:{line} imports {dotted}"
        for path in sorted((PACKAGE / "codegen").rglob("*.py"))
        for line, dotted in imported_names(
            ast.parse(path.read_text(encoding="utf-8"), str(path)), ["symtheano", "codegen"]
        )
        if layer_of(dotted) == "rewrites"
    ]
    assert found == []


# -- circles -------------------------------------------------------------------------------------

# Modules in a circle: the reason. Should be empty.
CIRCLES: dict[frozenset[str], str] = {}


def import_graph(package: Path) -> dict[str, set[str]]:
    """Return the modules that each module imports: also in functions, and for types only."""
    paths = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    graph: dict[str, set[str]] = {}
    for module, path in paths.items():
        parts = path.relative_to(package.parent).parts[:-1]
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        names = {dotted for _, dotted in imported_names(tree, list(parts))}
        found = {name if name in paths else name.rpartition(".")[0] for name in names}
        graph[module] = (found & paths.keys()) - {module}
    return graph


def circles(graph: dict[str, set[str]]) -> list[frozenset[str]]:
    """Return the largest sets of modules that all import each other, directly or indirectly."""
    reached: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        stack = [start]
        while stack:
            for name in graph[stack.pop()] - seen:
                seen.add(name)
                stack.append(name)
        reached[start] = seen
    return sorted(
        {
            frozenset(other for other in seen if start in reached[other])
            for start, seen in reached.items()
            if start in seen
        },
        key=sorted,
    )


def test_no_modules_import_each_other() -> None:
    found = circles(import_graph(PACKAGE))
    assert [sorted(circle) for circle in found if circle not in CIRCLES] == []
    assert set(CIRCLES) <= set(found), "an exception is no longer needed"


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (("import symtheano.b", "import symtheano.a"), ["a", "b"]),
        (("def f():\n    from symtheano.b import g", "from symtheano import a"), ["a", "b"]),
        (("if TYPE_CHECKING:\n    from symtheano.b import B", "from .a import A"), ["a", "b"]),
        (
            ("from symtheano.b import f", "import symtheano.c", "import symtheano.a"),
            ["a", "b", "c"],
        ),
        (("from symtheano.b import f", "import symtheano.c", "import numpy.a"), []),
    ],
)
def test_circles_are_found(tmp_path: Path, sources: tuple[str, ...], expected: list[str]) -> None:
    package = tmp_path / "symtheano"
    package.mkdir()
    for name, source in zip("abc", sources, strict=False):
        (package / f"{name}.py").write_text(source)
    wanted = [frozenset(f"symtheano.{name}" for name in expected)] if expected else []
    assert circles(import_graph(package)) == wanted


def test_import_is_light_and_silent() -> None:
    report = "import json, sys, symtheano; print(json.dumps(list(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", report],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    loaded = {name.split(".")[0] for name in json.loads(result.stdout)}
    assert "numpy" in loaded
    assert not loaded & HEAVY


# -- tests mirror the package ----------------------------------------------------------------------

# Layers whose tests are at the mirrored paths: codegen/passes/sink.py is tested by
# tests/codegen/passes/test_sink.py. Modules whose names begin with an underscore are generated.
MIRRORED = ("codegen", "function", "loopir", "nn", "scalar", "sparse", "tensor")


def defines_something(path: Path) -> bool:
    """Return whether a module has more than names of other modules, tables and protocols."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return any(
        isinstance(node, kinds) and "Protocol" not in map(ast.unparse, getattr(node, "bases", ()))
        for node in ast.parse(path.read_text("utf-8")).body
    )


def test_every_module_has_its_test_module() -> None:
    modules = [
        path.relative_to(PACKAGE)
        for layer in MIRRORED
        for path in sorted((PACKAGE / layer).rglob("*.py"))
        if not path.name.startswith("_") and defines_something(path)
    ]
    assert len(modules) > 100
    missing = [
        module.as_posix()
        for module in modules
        if not (Path(__file__).parent / module.parent / f"test_{module.name}").exists()
    ]
    assert missing == []
