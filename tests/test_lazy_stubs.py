"""Declarations for type checkers are those that the tables of lazy packages give."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from typing import Any

import pytest

from tests.support import lazy_stubs


@pytest.fixture(scope="module")
def read() -> dict[str, Any]:
    """Return stubs and names by package, from a process of their own.

    Collecting doctests imports packages a second time, without what later layers add to them.
    """
    program = """if True:
        import json
        from importlib import import_module
        from tests.support.lazy_stubs import PACKAGES, chain_stub, stub
        names = {p: dir(import_module(p)) for p in PACKAGES}
        stubs = {p: [stub(p), names[p]] for p in PACKAGES}
        print(json.dumps(stubs | {"chain": [chain_stub(), []]}))
    """
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=lazy_stubs.ROOT,
    )
    return dict(json.loads(result.stdout))


def declared(text: str) -> set[str]:
    """Return the public names that a stub declares."""
    names: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname is not None}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


EXCEPTIONS = {"symtheano.tensor": {"TensorVariable"}}
"""To type checkers, TensorVariable is another name of Tensor: ``__init__.py`` declares it."""


@pytest.mark.parametrize("package", lazy_stubs.PACKAGES)
def test_stubs_are_those_of_the_tables(
    package: str, update_golden: bool, read: dict[str, Any]
) -> None:
    path, text = lazy_stubs.path_of(package), read[package][0]
    if update_golden:
        path.write_text(text)
    how = f"{path.name} of {package} is old: pytest --update-golden tests/test_lazy_stubs.py"
    assert path.exists(), how
    assert path.read_text() == text, how


def test_methods_of_chains_are_those_of_the_tables(
    update_golden: bool, read: dict[str, Any]
) -> None:
    text = read["chain"][0]
    if update_golden:
        lazy_stubs.CHAIN.write_text(text)
    how = "chain.pyi is old: pytest --update-golden tests/test_lazy_stubs.py"
    assert lazy_stubs.CHAIN.read_text() == text, how


@pytest.mark.parametrize("package", lazy_stubs.PACKAGES)
def test_every_public_name_is_declared_once(package: str, read: dict[str, Any]) -> None:
    path = lazy_stubs.path_of(package)
    public = {name for name in read[package][1] if not name.startswith("_")}
    own = lazy_stubs.defined(path.with_name("__init__.py"))
    late = declared(path.read_text())
    assert public - own - late == EXCEPTIONS.get(package, set())
    assert late & own == set()
