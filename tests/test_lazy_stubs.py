"""Declarations for type checkers are those that the tables of lazy packages give."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest

from tests.support import lazy_stubs


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
def test_stubs_are_those_of_the_tables(package: str, update_golden: bool) -> None:
    path, text = lazy_stubs.path_of(package), lazy_stubs.stub(package)
    if update_golden:
        path.write_text(text)
    how = f"{path.name} of {package} is old: pytest --update-golden tests/test_lazy_stubs.py"
    assert path.exists(), how
    assert path.read_text() == text, how


@pytest.mark.parametrize("package", lazy_stubs.PACKAGES)
def test_every_public_name_is_declared_once(package: str) -> None:
    module = import_module(package)
    path = lazy_stubs.path_of(package)
    public = {name for name in dir(module) if not name.startswith("_")}
    own = lazy_stubs.defined(path.with_name("__init__.py"))
    late = declared(path.read_text())
    assert public - own - late == EXCEPTIONS.get(package, set())
    assert all(hasattr(module, name) for name in late)
    assert late & own == set()
