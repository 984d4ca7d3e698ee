"""Rows run: compiled together, each interpreted by itself, and as NumPy computes them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from symtheano import Function
from symtheano.graph.encode import graph_digest
from tests.conformance.cases import Case, cases
from tests.conformance.draws import Array
from tests.conformance.row import Row
from tests.support.compare import assert_fresh, assert_same, compiled, count, oracle, outcome

ERRORS = (ValueError, IndexError, TypeError, ZeroDivisionError, np.linalg.LinAlgError)


class Made:
    """A row for one dtype: its inputs, its outputs, its calls and their results."""

    def __init__(self, row: Row, dtype: str) -> None:
        self.row, self.dtype = row, dtype
        variables = {name: arg.variable(dtype, name) for name, arg in row.args.items()}
        self.inputs = list(variables.values())
        self.outputs = row.symbolic(variables)
        self.cases = cases(row, dtype)
        interpreted = oracle(self.inputs, self.outputs)
        self.wanted = [outcome(interpreted, case.values) for case in self.cases]
        assert not isinstance(self.wanted[0], tuple), f"{self}, ordinary call: {self.wanted[0]}"

    def __str__(self) -> str:
        return f"{self.row.name} in {self.dtype}"

    def described(self, case: Case) -> str:
        """Return the number of comparisons of a case."""
        shapes = ", ".join(f"{value.dtype}{value.shape}" for value in case.values)
        return f"{self}, {case.what}, {shapes}"

    def compare_with_numpy(self) -> None:
        """Compare the interpreter's results with NumPy's, or its errors."""
        for case, wanted in zip(self.cases, self.wanted, strict=True):
            values = [np.array(value, value.dtype.newbyteorder("=")) for value in case.values]
            what = f"NumPy, {self.described(case)}"
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = self.row.numeric(values)
            except ERRORS as error:
                if not isinstance(wanted, tuple):
                    raise AssertionError(f"{what}: NumPy raises {error!r}") from error
                continue
            assert not isinstance(wanted, tuple), f"{what}: {wanted}"
            self._compare(results(wanted), [np.asarray(item) for item in expected], what, case)

    def compare(self, case: Case, got: Sequence[Array], wanted: Any) -> None:
        """Compare compiled results of a case with the interpreter's."""
        self._compare(got, results(wanted), f"C, {self.described(case)}", case)

    def _compare(
        self, got: Sequence[Array], wanted: Sequence[Array], what: str, case: Case
    ) -> None:
        assert len(got) == len(wanted), what
        for number, (mine, its) in enumerate(zip(got, wanted, strict=True)):
            allowed = self.row.allowed(its.dtype.name)
            rounding = self.row.rounding(its.dtype.name, case.values)
            assert_same(mine, its, allowed, f"output {number} against {what}", rounding)


def results(found: Any) -> list[Array]:
    """Return what a call returned as a list."""
    return [found] if isinstance(found, np.ndarray) else list(found)


def compare_interpreter(rows: Sequence[Row], dtype: str) -> None:
    """Compare the interpreter with NumPy in all calls of rows."""
    for row in rows:
        Made(row, dtype).compare_with_numpy()


Item = TypeVar("Item")


def without_equal(
    items: Sequence[Item], graph: Callable[[Item], tuple[list[Any], list[Any]]]
) -> list[Item]:
    """Return the items without those whose graph is that of another: ``x.sum()``, ``T.sum(x)``.

    Parameters
    ----------
    graph
        Returns the inputs and outputs of an item.
    """
    found: dict[Any, Item] = {}
    for item in items:
        found.setdefault(graph_digest(*graph(item)) or id(item), item)
    return list(found.values())


class Batch:
    """Rows of one dtype, compiled into one function with inputs of their own each.

    Of rows with the same graph, one is compiled.
    """

    def __init__(self, rows: Sequence[Row], dtype: str) -> None:
        self.every = [Made(row, dtype) for row in rows]
        self.made = without_equal(self.every, lambda made: (made.inputs, made.outputs))
        inputs = [item for made in self.made for item in made.inputs]
        outputs = [item for made in self.made for item in made.outputs]
        self.f: Function = compiled(inputs, outputs)

    def run(self, numpy: bool = True) -> None:
        """Make every call: good ones of all rows at once, failing ones one row at a time.

        ``numpy`` says whether to compare the interpreter, too, which is the same on each device.
        """
        if numpy:
            for made in self.every:
                made.compare_with_numpy()
        good = [
            [pair for pair in zip(m.cases, m.wanted, strict=True) if not isinstance(pair[1], tuple)]
            for m in self.made
        ]
        for number in range(max(map(len, good))):
            self._all([pairs[min(number, len(pairs) - 1)] for pairs in good])
        for position, made in enumerate(self.made):
            for case, wanted in zip(made.cases, made.wanted, strict=True):
                if isinstance(wanted, tuple):
                    chosen = [pairs[0][0] for pairs in good]
                    chosen[position] = case
                    got = outcome(self.f, _flat(chosen))
                    assert got == wanted, f"{made.described(case)}: {got!r}, not {wanted}"
            for wanted in made.wanted:
                failed = isinstance(wanted, tuple)
                count("conformance", 0 if failed else sum(item.size for item in results(wanted)))

    def _all(self, chosen: Sequence[tuple[Case, Any]]) -> None:
        args = _flat([case for case, _ in chosen])
        before = [value.copy() for value in args]
        got = outcome(self.f, args)
        assert not isinstance(got, tuple), f"{[str(made) for made in self.made]}: {got}"
        rest = results(got)
        assert_fresh(rest, args)
        for value, copy in zip(args, before, strict=True):
            np.testing.assert_array_equal(value, copy, "an input was changed")
        for made, (case, wanted) in zip(self.made, chosen, strict=True):
            mine, rest = rest[: len(made.outputs)], rest[len(made.outputs) :]
            made.compare(case, mine, wanted)


def _flat(chosen: Sequence[Case]) -> list[Array]:
    return [value for case in chosen for value in case.values]
