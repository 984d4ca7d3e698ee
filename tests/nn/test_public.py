"""Networks are written in the public language, and load when they are asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import symtheano
from symtheano import nn

PACKAGE = Path(nn.__file__).parent
PUBLIC = {
    "symtheano",
    "symtheano.distributed",
    "symtheano.errors",
    "symtheano.extras",  # about no expressions: optional packages
    "symtheano.files",  # about no expressions: how files are replaced
    "symtheano.graph.variable",  # which values can be called: variables cannot
    "symtheano.graph.origin",  # the user's line, for warnings
    "symtheano.sources",  # about no expressions: arrays that are read in parts
    "symtheano.names",  # messages about names that do not exist
    "symtheano.keywords",  # messages about keywords that do not exist
    "symtheano.tensor",
    "symtheano.tensor.nnet",
    "symtheano.tensor.nnet.formats",  # the axis of the channels
    "symtheano.tensor.random",
    "symtheano.tensor.signal.pool",
    "symtheano.updates",
}


def test_nothing_needs_a_private_name_of_the_compiler() -> None:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            for module in modules:
                if module.startswith("symtheano") and not module.startswith("symtheano.nn"):
                    found.add(module)
                    names = node.names if isinstance(node, ast.ImportFrom) else []
                    assert not [a.name for a in names if a.name.startswith("_")], path
    assert found <= PUBLIC, found - PUBLIC


def test_every_name_exists_and_is_listed() -> None:
    assert symtheano.nn is nn
    for name in nn.__all__:
        assert getattr(nn, name) is not None
    assert dir(nn) == sorted(nn.__all__)


def test_importing_the_package_does_not_load_networks() -> None:
    code = "import symtheano, sys; print(any(n.startswith('symtheano.nn') for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
