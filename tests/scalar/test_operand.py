"""The declarations of ``Tensor`` are those of the methods that symbolic arrays have."""

from __future__ import annotations

import ast
import inspect

import pytest

from symtheano.scalar import operand
from symtheano.tensor.operators import Operators
from symtheano.tensor.variable import TensorMixin, TensorVariable

# Used before the class of a variable is known: found by name.
UNDECLARED = {"apply_scalar", "stack_with", "_binary", "_compares", "_no_number"}
# These raise errors; type checkers refuse them because they are not declared.
UNDECLARED |= {"__call__", "__contains__", "__delitem__", "__format__"}


def functions_of(*classes: type) -> dict[str, ast.FunctionDef]:
    """Return the functions that are written in the bodies of classes, by name."""
    trees = [ast.parse(inspect.getsource(cls)) for cls in classes]
    found = [item for tree in trees for item in ast.walk(tree) if isinstance(item, ast.FunctionDef)]
    return {item.name: item for item in found}


DECLARED = functions_of(operand.Tensor)
WRITTEN = functions_of(TensorMixin, Operators)


def test_all_methods_are_declared() -> None:
    """Methods, properties and operators are declared; tests/test_types.py looks for others."""
    assert DECLARED.keys() >= WRITTEN.keys() - UNDECLARED


@pytest.mark.parametrize("name", sorted(DECLARED.keys() & WRITTEN.keys()))
def test_parameters(name: str) -> None:
    """A declaration has the parameters of the definition, with the same defaults."""
    found = inspect.getattr_static(TensorVariable, name)
    arguments = DECLARED[name].args
    if isinstance(found, property):
        assert [item.arg for item in arguments.args] == ["self"]
        return
    parameters = inspect.signature(found).parameters.values()
    given = (*arguments.args, arguments.vararg, *arguments.kwonlyargs)
    names = [item.arg for item in given if item is not None]
    assert names == [item.name for item in parameters]
    defaults = [item.default for item in parameters if item.default is not item.empty]
    written = [*arguments.defaults, *(item for item in arguments.kw_defaults if item)]
    assert [ast.literal_eval(item) for item in written] == defaults
