"""Declarations for type checkers are those that the tables of lazy packages give."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import lazy_stubs


@pytest.fixture(scope="module")
def read() -> dict[str, Any]:
    """Return stubs, names and names of modules by package, from a process of their own.

    Collecting doctests imports packages a second time, without what later layers add to them.
    """
    program = """if True:
        import json
        from importlib import import_module
        from types import ModuleType
        from tests.support.lazy_stubs import PACKAGES, chain_stub, declared, stub
        names = {p: dir(import_module(p)) for p in PACKAGES}
        def modules(package: str) -> list[str]:
            values = {n: getattr(import_module(package), n) for n in declared(stub(package))}
            return [name for name, value in values.items() if isinstance(value, ModuleType)]

        stubs = {p: [stub(p), names[p], modules(p)] for p in PACKAGES}
        print(json.dumps(stubs | {"chain": [chain_stub()]}))
    """
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=lazy_stubs.ROOT,
    )
    return dict(json.loads(result.stdout))


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
    public = {name for name in read[package][1] if not name.startswith("_")}
    own = lazy_stubs.defined(lazy_stubs.source_of(package))
    late = lazy_stubs.declared(lazy_stubs.path_of(package).read_text())
    assert public - own - late == EXCEPTIONS.get(package, set())
    assert late & own == set()


def exported(package: str) -> set[str] | None:
    """Return what pyright reads of a package's ``__all__``, None if there is none for it.

    It reads lists of strings and ``module.__all__``. It ignores other items of lists, and so
    considers what they stand for private.
    """
    names: set[str] | None = None
    for node in statements(lazy_stubs.source_of(package)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if "__all__" not in [target.id for target in targets if isinstance(target, ast.Name)]:
            continue
        assert isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
        names = names or set()
        if isinstance(node.value, ast.Attribute):
            assert ast.unparse(node.value) == "_lazy.__all__"
            names |= listed(lazy_stubs.path_of(package))
        else:
            assert isinstance(node.value, ast.List)
            names |= set(ast.literal_eval(node.value))
    return names


def statements(path: Path) -> Iterator[ast.stmt]:
    """Yield the statements of a module that pyright reads."""
    todo = ast.parse(path.read_text()).body[::-1]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "not MYPY"):
            todo += reversed(node.body)
        else:
            yield node


def listed(path: Path) -> set[str]:
    """Return the names in the ``__all__`` of a stub."""
    node = ast.parse(path.read_text()).body[-1]
    assert isinstance(node, ast.AnnAssign)
    assert isinstance(node.value, ast.List)
    assert ast.unparse(node.target) == "__all__"
    return set(ast.literal_eval(node.value))


@pytest.mark.parametrize("package", lazy_stubs.PACKAGES)
def test_every_public_name_is_exported(package: str, read: dict[str, Any]) -> None:
    path = lazy_stubs.path_of(package)
    assert listed(path) == lazy_stubs.declared(path.read_text())
    names = exported(package)
    public = {name for name in read[package][1] if not name.startswith("_")}
    assert names is None or public <= names


def test_names_of_modules_without_a_list_are_exported() -> None:
    assert [package for package in lazy_stubs.PACKAGES if exported(package) is None] == [
        "symtheano.tensor.linalg", "symtheano.tensor.random", "symtheano.tensor.special",
    ]  # fmt: skip


@pytest.mark.parametrize("package", lazy_stubs.PACKAGES)
def test_functions_come_before_submodules_of_their_names(
    package: str, read: dict[str, Any]
) -> None:
    """Jedi finds names that are imported one by one, submodules, and names from ``*``."""
    source = lazy_stubs.source_of(package)
    single = {
        alias.name
        for node in statements(source)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    late = lazy_stubs.declared(lazy_stubs.path_of(package).read_text())
    modules = {path.stem for path in source.parent.iterdir() if source.name == "__init__.py"}
    shown = {name for name in late & modules if name not in read[package][2]}
    assert shown - single == set()
