"""Hostile lengths: no crash, no loop without end, and no silent result.

C and the interpreter return the same, or an error of the same class. Where one of them can do
without an array that is too large, only the other raises ``MemoryError``. Values are NumPy's. Run
under sanitizers with ``SYMTHEANO_LONG_RUN=1`` these are some ten thousand calls:
``.ci/sanitize python tests/language/test_hostile.py``.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from tests.language.hostile import LINES, Numbers, put, ranged
from tests.support.extent import ALL, TIMES
from tests.support.memory import little_memory

_KINDS = (MemoryError, IndexError, ValueError)
"""The error classes that are documented for lengths; others are defects."""

# NumPy's words for what is a MemoryError in symtheano.
_TOO_LARGE = ("array is too big", "Maximum allowed size", "too large", "Maximum allowed dimension")

Result = tuple[str, Any]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Limit memory, and hide warnings of overflows."""
    with little_memory(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _variables(form: str) -> tuple[list[Any], dict[str, Any]]:
    """Return the inputs of a function, and what the names in a line stand for."""
    x, m, v, w = T.dvector("x"), T.dmatrix("m"), T.lvector("v"), T.lvector("w")
    a, b, s = T.dscalars("a", "b", "s")
    numbers = list(T.lscalars("n", "k", "l")) if form == "scalars" else [w[0], w[1], w[2]]
    names = dict(zip("nklabsxmv", [*numbers, a, b, s, x, m, v], strict=True))
    return [*(numbers if form == "scalars" else [w]), a, b, s, x, m, v], names


def _given(form: str, values: dict[str, Any]) -> list[Any]:
    numbers = [values[name] for name in "nkl"]
    return [*(numbers if form == "scalars" else [np.array(numbers)]),
            *(values[name] for name in "absxmv")]  # fmt: skip


def _result(call: Any) -> Result:
    """Return a value, or the class of an error and its first line."""
    try:
        return "value", np.asarray(call())
    except _KINDS as error:
        text = str(error).partition("\n")[0]
        if any(words in text for words in _TOO_LARGE):
            return "MemoryError", text
        return next(k.__name__ for k in _KINDS if isinstance(error, k)), text


def _by_numpy(text: str | None, values: dict[str, Any]) -> Result | None:
    """Return NumPy's result; nothing where its function does not take such arguments at all."""
    if text is None:
        return None
    try:
        return _result(lambda: eval(text, {"np": np, "put": put, "ranged": ranged, **values}))
    except (OverflowError, TypeError, ZeroDivisionError):
        return None


def _differ(mine: Result, its: Result) -> bool:
    if mine[0] == its[0] == "value":
        one, other = mine[1], its[1]
        if one.shape != other.shape:
            return True
        return one.size > 0 and not np.allclose(one, other, equal_nan=True)
    return mine[0] != its[0] and "MemoryError" not in (mine[0], its[0])


def _is_refused(mine: Result, its: Result, values: dict[str, Any]) -> bool:
    """Return whether a negative length is an error of ours only: NumPy's result is empty."""
    negative = min(values[name] for name in "nkl") < 0
    return mine[0] == "ValueError" and its[0] == "value" and negative and its[1].size == 0


def _shown(result: Result) -> str:
    if result[0] != "value":
        return f"{result[0]} ({result[1]})"
    return f"{result[1].shape} {result[1].ravel()[:8].tolist()}"


def _used(text: str) -> set[str]:
    """Return the names of a line."""
    return set(re.findall(r"\b[nklabsxmv]\b", text))


def check_line(text: str, form: str, seed: int, calls: int) -> Iterator[str]:
    """Call a line's functions; yield what is wrong."""
    inputs, names = _variables(form)
    output = eval(text, {"T": T, **names})
    f, g = (
        function(inputs, output, mode=mode, on_unused_input="ignore")
        for mode in ("FAST_RUN", "INTERPRET")
    )
    numbers, used = Numbers(seed), _used(text)
    for _ in range(calls):
        values = numbers.arguments(used)
        given = _given(form, values)
        mine, its = _result(partial(f, *given)), _result(partial(g, *given))
        shown = {k: v if np.size(v) < 9 else np.shape(v) for k, v in values.items() if k in used}
        if _differ(mine, its):
            yield f"{text}: {_shown(mine)} in C, {_shown(its)} in the interpreter: {shown}"
        for result in (mine, its):
            if not isinstance(result[1], np.ndarray) and not result[1]:
                yield f"{text}: an error without a message: {shown}"
        want = _by_numpy(LINES[text], values)
        if want is not None and _differ(mine, want) and not _is_refused(mine, want, values):
            yield f"{text}: {_shown(mine)}, {_shown(want)} in NumPy: {shown}"
        _TALLY[mine[0]] += 1


_TALLY: Counter[str] = Counter()

# What a run takes unless it takes all: lines that failed before, one for each cause.
_FEW = (
    "T.set_subtensor(x[n:k:l], 9.0)",
    "T.join(0, T.zeros((n,)), T.zeros((k,)), x)",
    "T.arange(n, k, l)",
    "T.repeat(x, v)",
    "T.reshape(x, (n, k))",
    "T.pad(x, (n, k))",
    "T.tri(n, k, l)",
    "T.diagonal(m, n)",
    "T.tile(x, (n, k))",
    "T.zeros((n, k)).flatten().shape",
)


@pytest.mark.needs_cc
@pytest.mark.parametrize("text", LINES if ALL else _FEW)
@pytest.mark.parametrize("form", ("scalars", "vector") if ALL else ("scalars",))
def test_hostile_numbers(text: str, form: str) -> None:
    wrong = [*check_line(text, form, seed=TIMES, calls=50 if TIMES else 25)]
    assert not wrong, "\n".join(wrong[:5])


@pytest.mark.parametrize("text", LINES if ALL else _FEW)
def test_hostile_numbers_in_the_graph(text: str) -> None:
    """Python ints are constants: an error may come when the graph is made."""
    inputs, names = _variables("scalars")
    numbers, used = Numbers(TIMES), _used(text)
    for _ in range(20 if TIMES else 10):
        values = numbers.arguments(used)
        known = {name: values[name] for name in "nkl"}

        def call(values: dict[str, Any] = values, known: dict[str, Any] = known) -> Any:
            output = eval(text, {"T": T, **names, **known})
            f = function(inputs, output, mode="INTERPRET", on_unused_input="ignore")
            return f(*_given("scalars", values))

        mine, want = _result(call), _by_numpy(LINES[text], values)
        differ = want is not None and _differ(mine, want)
        assert not differ or _is_refused(mine, want, values), f"{text}: {_shown(mine)}, {values}"
