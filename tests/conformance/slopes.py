"""Derivatives of rows: ``grad`` against finite differences, ``Rop`` against ``Lop``, C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.gradient import Lop, Rop
from tests.conformance.cases import draw, lengths
from tests.conformance.draws import Array
from tests.conformance.row import Row
from tests.conformance.run import ERRORS, without_equal
from tests.support.compare import assert_same, compiled, count, oracle
from tests.support.gradients import verify_slopes


class Slope:
    """A row's derivatives in double precision, at the ordinary sizes and the single ones."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.variables = {name: arg.variable("float64", name) for name, arg in row.args.items()}
        outputs = row.symbolic(self.variables)
        self.outputs = [item for item in outputs if item.dtype == "float64"]
        self.wrt = [item for item in self.variables.values() if item.dtype == "float64"]
        self.weights = [item.type("weight") for item in self.outputs]
        self.directions = [item.type("direction") for item in self.wrt]
        self.inputs = [*self.variables.values(), *self.weights, *self.directions]
        backward = Lop(self.outputs, self.wrt, self.weights, disconnected_inputs="ignore")
        forward = Rop(self.outputs, self.wrt, self.directions)
        self.backward, self.forward = list(backward), list(forward)

    def points(self) -> list[tuple[Array, ...]]:
        """Return the values at which derivatives are compared: two sizes at most."""
        names = self.row.sizes
        single = "single axes" if len(names) > 1 else f"single {''.join(names)}"
        sizes = lengths(self.row)
        values = [draw(self.row, "float64", sizes[w]) for w in ("ordinary", single) if w in sizes]
        return [item for item in values if self._is_defined(item)]

    def _is_defined(self, values: Sequence[Array]) -> bool:
        """Return whether the expression is no error there."""
        try:
            self.row.numeric(values)
        except ERRORS:
            return False
        return True

    def check_by_differences(self) -> None:
        """Compare gradients with differences, and Rop with Lop, at every point."""
        if not self.outputs:
            return
        names = list(self.row.args)
        free = [name for name, item in self.variables.items() if item.dtype == "float64"]
        for values in self.points():
            given = dict(zip(names, values, strict=True))
            points = [given.pop(name) for name in free]

            def one(*variables: Any, given: Any = given) -> Any:
                outputs = self.row.symbolic({**given, **dict(zip(free, variables, strict=True))})
                real = [item.flatten() for item in outputs if item.dtype == "float64"]
                return T.concatenate(real) if len(real) > 1 else real[0]

            try:
                verify_slopes(one, points, np.random.default_rng(4))
            except Exception as error:
                shapes = [value.shape for value in points]
                raise AssertionError(f"{self.row.name} at {shapes}: {error}") from error
            count("conformance of gradients", sum(value.size for value in points))


def compare_in_c(slopes: Sequence[Slope]) -> None:
    """Compile derivatives of several rows together, and compare with the interpreter's."""
    if not slopes:
        return
    slopes = without_equal(slopes, lambda slope: (slope.inputs, [*slope.backward, *slope.forward]))
    inputs = [item for slope in slopes for item in slope.inputs]
    outputs = [item for slope in slopes for item in (*slope.backward, *slope.forward)]
    f = compiled(inputs, outputs)
    interpreted = [oracle(slope.inputs, [*slope.backward, *slope.forward]) for slope in slopes]
    random = np.random.default_rng(6)
    points = [_with_directions(slope, random) for slope in slopes]
    for number in range(max(map(len, points))):
        chosen = [options[min(number, len(options) - 1)] for options in points]
        got = f(*(value for values in chosen for value in values))
        rest = [got] if isinstance(got, np.ndarray) else list(got)
        for slope, values, g in zip(slopes, chosen, interpreted, strict=True):
            wanted = g(*values)
            mine, rest = rest[: len(wanted)], rest[len(wanted) :]
            for one, its in zip(mine, wanted, strict=True):
                what = f"derivatives of {slope.row.name}"
                # Terms of about one may cancel, and other kernels add them in another order.
                allowed = slope.row.allowed("float64") or 1e-12
                assert_same(one, its, allowed, what, rounding=1e-15)


def _with_directions(slope: Slope, random: np.random.Generator) -> list[list[Array]]:
    found = []
    for values in slope.points():
        outputs = [np.asarray(item) for item in slope.row.numeric(values)]
        real = [item for item in outputs if item.dtype == "float64"]
        free = [
            value
            for value, item in zip(values, slope.variables.values(), strict=True)
            if item.dtype == "float64"
        ]
        shapes = [item.shape for item in (*real, *free)]
        found.append([*values, *(np.asarray(random.uniform(-1, 1, shape)) for shape in shapes)])
    return found
