"""Integers at the limits in every op: no crash, no loop without end, and no silent result.

C and the interpreter return the same, or both raise an error of a documented class. Where one can
do without an array that is too large, only the other raises ``MemoryError``. Under sanitizers, with
``SYMTHEANO_LONG_RUN=1``, these are over ten thousand calls:
``.ci/sanitize python tests/language/test_limits.py``.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from symtheano import function
from symtheano.errors import CompileError
from tests.conformance.table import FAMILIES
from tests.language.limits import (
    HOSTILE,
    REFUSED,
    Alone,
    changed,
    family,
    hostile_places,
    hostile_values,
    integers_of,
    new_kinds,
)
from tests.support.compare import count
from tests.support.extent import ALL, TIMES, is_taken
from tests.support.memory import little_memory

RAISED = (MemoryError, IndexError, ValueError, OverflowError, ZeroDivisionError, AssertionError)
"""What a call may raise; ``AssertionError`` only by the ops that are conditions of users."""
CONDITIONS = ("Assert", "SpecifyShape")
"""Their names."""

# What the interpreter does not define: where arrays that are not sorted are searched, numbers from
# words that are no state of a generator; and output on the terminal, functions of users.
UNSPECIFIED = ("SearchSorted", "MRGUniform", "Print", "FromFunctionOp")
CALLS = 20

Result = tuple[str, Any]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Limit memory, and hide warnings of overflows."""
    with little_memory(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def result(alone: Alone, f: Any, values: list[Any]) -> Result:
    """Return the results, or the error; others than documented ones are raised."""
    try:
        return "value", [np.asarray(item) for item in f(*values)]
    except RAISED as error:
        raised = error
    assert str(raised), f"{alone.name}: {type(raised).__name__} without a message"
    asserted = isinstance(raised, AssertionError)
    assert not asserted or type(alone.op).__name__ in CONDITIONS, f"{alone.name}: {raised}"
    too_large = isinstance(raised, MemoryError) or "too big" in str(raised)
    return "MemoryError" if too_large else "error", raised


def differ(mine: Result, its: Result) -> bool:
    """Return whether results of C and of the interpreter cannot both be right."""
    if "MemoryError" in (mine[0], its[0]):
        return False
    if mine[0] != its[0]:
        return True
    return mine[0] == "value" and not all(map(alike, mine[1], its[1]))


def alike(x: Any, y: Any) -> bool:
    """Return whether two arrays are equal, up to rounding."""
    if (x.shape, x.dtype) != (y.shape, y.dtype):
        return False
    if x.dtype.kind not in "fc":
        return bool((x == y).all())
    return bool(np.allclose(x, y, rtol=1e-4, atol=1e-6, equal_nan=True))


def compiled(alone: Alone, op: Any) -> list[Any]:
    """Return functions in C and of the interpreter; none if both refuse the graph."""
    outputs = alone.outputs(op)
    found = [made(alone.variables, outputs, mode) for mode in ("FAST_RUN", "INTERPRET")]
    functions = [item for item in found if not isinstance(item, Exception)]
    assert len(functions) in (0, 2), f"{alone.name}: only one of two is made: {found}"
    return functions


def made(inputs: list[Any], outputs: list[Any], mode: str) -> Any:
    """Return a function, or the error that refuses the graph."""
    try:
        return function(inputs, outputs, mode=mode, on_unused_input="ignore")
    except CompileError:
        raise
    except (*RAISED, NotImplementedError) as error:
        return error


def nodes(name: str, what: str) -> list[Alone]:
    """Return the nodes of a family that a run takes: of all families, each kind once."""
    members = new_kinds()[name] if ALL else family(name)
    found = [node for node in members if type(node.op).__name__ not in UNSPECIFIED]
    return [node for node in found if is_taken(f"{what} {node.name}", 20)]


@pytest.mark.needs_cc
@pytest.mark.one_in(1)
@pytest.mark.parametrize("name", FAMILIES if ALL else FAMILIES[::7])
def test_arguments(name: str) -> None:
    """Integers among the inputs of a call."""
    for alone in nodes(name, "arguments"):
        if not hostile_places(alone):
            continue
        pick = random.Random(f"{TIMES} {alone.name}")
        functions = compiled(alone, alone.op)
        for _ in range(CALLS if functions else 0):
            values = hostile_values(alone, pick)
            mine, its = (result(alone, f, values) for f in functions)
            assert not differ(mine, its), (
                f"{alone.row.name}: {alone.name} of {values}: {mine}, {its}"
            )
            count("hostile arguments", 1)


@pytest.mark.needs_cc
@pytest.mark.one_in(1)
@pytest.mark.parametrize("name", FAMILIES if ALL else FAMILIES[3::7])
def test_fields(name: str) -> None:
    """Integers among the fields of an op, as they may be in a file."""
    for alone in nodes(name, "fields"):
        pick = random.Random(f"{TIMES} {alone.name}")
        for place in integers_of(alone.op):
            for number in pick.sample(HOSTILE, 6):
                try:
                    op = changed(alone.op, [(place, number)])
                    functions = compiled(alone, op)
                except REFUSED:
                    continue
                values = list(alone.values)
                found = [result(alone, f, values) for f in functions]
                what = f"{alone.row.name}: {alone.name}, {place} = {number}"
                assert not found or not differ(*found), f"{what}: {found}"
                count("hostile fields", 1)
