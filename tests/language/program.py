"""A program over the tensor language: lines of text that NumPy can run as well.

Where a line says ``T``, the module is Symtheano's for the variables and NumPy under Theano's names
for the values; so every line has its reference, and a failing program reads as what a user would
write: its ``repr`` is a script that runs.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse
from hypothesis import strategies as st

import symtheano.tensor as T
from symtheano import sparse as S
from tests.language.plain import NUMERIC, PREAMBLE, SYMBOLIC
from tests.support.layouts import laid_out

Array = np.ndarray[Any, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

LARGEST = 10.0
PRECISION = {"float16": 0.02, "float32": 1e-4, "complex64": 1e-4}


@contextmanager
def quiet() -> Iterator[None]:
    """Let NumPy compute without warnings: of NaN, infinities, empty means."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Return the names that a line mentions."""
    return frozenset(item.id for item in ast.walk(ast.parse(text)) if isinstance(item, ast.Name))


def largest(value: Any) -> float:
    """Return the largest absolute value among an array's finite numbers."""
    finite = value[np.isfinite(value)] if value.dtype.kind in "fc" else value
    return float(np.abs(finite).max(initial=0))


def written(value: Any) -> str:
    """Return an expression for a value."""
    if scipy.sparse.issparse(value):
        return f"scipy.sparse.{value.format}_matrix({written(value.toarray())})"
    text = f"np.array({value.tolist()}, {value.dtype.name!r})"
    return text if value.size else f"np.zeros({value.shape}, {value.dtype.name!r})"


class Program:
    """Lines that make one variable each, and what they are for the inputs at hand.

    Parameters
    ----------
    draw
        Draws from a strategy of hypothesis.
    smooth
        Whether the program shall be differentiable where it is evaluated, in double precision.
    special
        Whether NaN, infinities and the like are welcome.
    """

    def __init__(self, draw: Draw, smooth: bool = False, special: bool = False) -> None:
        self.draw, self.smooth, self.special = draw, smooth, special
        self.variables: dict[str, Any] = {}
        self.values: dict[str, Array] = {}
        self.parts: dict[str, tuple[Any, Any]] = {}
        self.inputs: dict[str, str] = {}
        self.lines: dict[str, str] = {}
        self.guards: list[str] = []

    def __repr__(self) -> str:
        inputs, names = self.used(), self.results()
        steps = "\n".join(f"{name} = {text}{self.described(name)}"
                          for name, text in self.lines.items())  # fmt: skip
        made = "\n".join(f"{name} = {self.constructor(name)}" for name in inputs)
        given = "\n".join(f"    {self.argument(name)}" for name in inputs)
        return (
            f"\n\n{PREAMBLE}\n{made}\n{steps}\n"
            f"f = function([{', '.join(inputs)}], [{', '.join(names)}])\n"
            f"results = f(\n{given}\n)\nprint(*results, sep='\\n')\n"
        )

    def described(self, name: str) -> str:
        """Return a comment: what the line is."""
        value = self.values.get(name)
        return "" if value is None else f"  # {value.dtype}{value.shape}"

    def constructor(self, name: str) -> str:
        """Return an expression that makes an input."""
        if name in self.parts:
            return f"S.matrix({self.parts[name][1].format!r}, {name!r})"
        kind = self.variables[name].type
        return f"T.TensorType({kind.dtype!r}, {kind.shape})({name!r})"

    def argument(self, name: str) -> str:
        """Return an expression for what an input is given."""
        text, layout = written(self.given()[name]), self.inputs[name]
        return f"{text}," if layout in ("contiguous", "sparse") else f"{text},  # {layout}"

    def used(self) -> list[str]:
        """Return the names of the inputs that the lines mention."""
        words = {word for text in self.lines.values() for word in names_in(text)}
        return [name for name in self.inputs if name in words]

    def input(
        self, name: str, value: Array, shape: Sequence[int | None] | None = None,
        layout: str = "contiguous",
    ) -> None:  # fmt: skip
        """Add an input; ``shape`` says which lengths are static."""
        shape = [None] * value.ndim if shape is None else shape
        self.variables[name] = T.TensorType(value.dtype.name, tuple(shape))(name)
        self.values[name], self.inputs[name] = value, layout

    def sparse_input(self, name: str, value: Any) -> None:
        """Add an input that is a sparse matrix; only lines for these use it."""
        self.parts[name] = S.matrix(value.format, name, dtype=value.dtype.name), value
        self.inputs[name] = "sparse"

    def given(self) -> dict[str, Any]:
        """Return the inputs' values by name."""
        return {name: self.values.get(name, self.parts.get(name, [None, None])[1])
                for name in self.inputs}  # fmt: skip

    def arguments(self) -> list[Any]:
        """Return what the inputs in use are given, in the layouts that were drawn."""
        given = self.given()
        return [given[name] if self.inputs[name] == "sparse"
                else laid_out(given[name], self.inputs[name]) for name in self.used()]  # fmt: skip

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of every line as NumPy computes it."""
        found = dict(values)
        with quiet():
            for names, text in self.lines.items():
                made = eval(text, {**NUMERIC, **found})
                if "," in names:
                    found.update(zip(names.split(", "), made, strict=True))
                else:
                    found[names] = made if scipy.sparse.issparse(made) else np.asarray(made)
        return found

    def is_certain(self, found: Mapping[str, Any]) -> bool:
        """Return whether what :meth:`run` found is moderate and no line near a jump or a kink."""
        results = [found[name] for name in self.results()]
        moderate = all(largest(value) <= LARGEST for value in results if value.dtype.kind in "fc")
        finite = self.special or all(np.isfinite(value).all() for value in results)
        with quiet():
            near = any((np.abs(eval(guard, {**NUMERIC, **found})) < self.near()).any()
                       for guard in self.guards)  # fmt: skip
        return bool(moderate and finite and not near)

    def results(self, most: int = 100) -> list[str]:
        """Return the names of the last lines that are arrays."""
        return [name for name in self.lines if name in self.values][-most:]

    def differentiable(self, most: int) -> tuple[list[str], list[str]]:
        """Return the used inputs and the last lines that are of double precision."""
        double = {n for n, value in self.values.items() if value.dtype in ("float64", "complex128")}
        return (
            [name for name in self.used() if name in double],
            [name for name in self.results(most) if name in double],
        )

    def magnitude(self) -> float:
        """Return the largest finite number among the values, at least one."""
        return max([1.0, *(largest(v) for v in self.values.values() if v.dtype.kind in "fc")])

    def precision(self) -> float:
        """Return how far results may be off, relative to the magnitude."""
        dtypes = {self.values[name].dtype.name for name in (*self.used(), *self.results())
                  if name in self.values}  # fmt: skip
        return max(PRECISION.get(name, 1e-9) for name in (*dtypes, "float64"))

    def near(self) -> float:
        """Return how close to a jump a value is uncertain."""
        return max(1e-6, 3 * self.precision() * (self.precision() > 1e-9))

    def changes(
        self, inputs: Sequence[str], names: Sequence[str], step: float
    ) -> tuple[dict[str, Array], list[Array]]:
        """Return a direction, and how lines change along it by NumPy's central differences."""
        random = np.random.default_rng(1)
        direction: dict[str, Array] = {}
        for name in inputs:
            value = self.values[name]
            direction[name] = np.asarray(random.uniform(-1, 1, value.shape))
            if value.dtype.kind == "c":
                direction[name] = direction[name] + 1j * random.uniform(-1, 1, value.shape)
        given = self.given()
        ahead, behind = (
            self.run(given | {name: given[name] + h * direction[name] for name in inputs})
            for h in (step, -step)
        )
        return direction, [(ahead[name] - behind[name]) / (2 * step) for name in names]

    def number(self, text: str) -> Array:
        """Return what a line is for the values at hand."""
        with quiet():
            return np.asarray(eval(text, {**NUMERIC, **self._values()}))

    def _values(self) -> dict[str, Any]:
        return {**self.values, **{name: value for name, (_, value) in self.parts.items()}}

    def _symbolic(self, name: str, text: str) -> Any:
        parts = {name: variable for name, (variable, _) in self.parts.items()}
        try:
            return eval(text, {**SYMBOLIC, **self.variables, **parts})
        except Exception as error:
            raise AssertionError(f"{self!r}\n{name} = {text}\n{error}") from error

    def bind(self, names: str, text: str) -> list[str]:
        """Add a line of which only other lines use the results: factors, or a sparse matrix.

        Parameters
        ----------
        names
            Words, of which each gets the line's number behind it.
        text
            The line's right-hand side.
        """
        targets = [f"{name}{len(self.lines) + 1}" for name in names.split()]
        target = ", ".join(targets)
        variables = self._symbolic(target, text)
        with quiet():
            values = eval(text, {**NUMERIC, **self._values()})
        if len(targets) == 1:
            variables, values = [variables], [values]
        self.parts.update(zip(targets, zip(variables, values, strict=True), strict=True))
        self.lines[target] = text
        return targets

    def add(self, text: str, jump: str = "", kink: str = "") -> bool:
        """Add a line, unless its value would be large, uncertain or (mostly) infinite.

        Parameters
        ----------
        text
            The line's right-hand side.
        jump, kink
            The line jumps, or has a kink, where this is zero.
        """
        guard = jump or (kink if self.smooth else "")
        if guard and (np.abs(self.number(guard)) < self.near()).any():
            return False
        value = self.number(text)
        if value.ndim > 4 or value.size > 600:
            return False
        if not self.special and not np.isfinite(value).all():
            return False
        if self.smooth and value.dtype in ("float32", "complex64"):
            return False
        if value.dtype.kind in "fc" and largest(value) > LARGEST:
            factor = "np.float16(0.125)" if value.dtype == "float16" else "0.125"
            text = f"T.tanh(({text}) * {factor})" if value.dtype.kind == "f" else f"({text}) / 128"
            value = self.number(text)
            if largest(value) > LARGEST:
                return False
        name = f"v{len(self.lines) + 1}"
        self.variables[name] = self._symbolic(name, text)
        self.values[name], self.lines[name] = value, text
        if guard:
            self.guards.append(guard)
        return True

    def pick(self, allowed: Callable[[Array], bool] = lambda value: True) -> str | None:
        """Return the name of a variable whose value is allowed, later ones more often."""
        names = [name for name, value in self.values.items() if allowed(value)]
        late = [name for name in names if name in self.lines][-3:]
        return self.draw(st.sampled_from([*names, *late, *late])) if names else None

    def pick_of(self, kinds: str, ndim: int = 0, most: int = 4) -> str | None:
        """Return the name of a variable with a dtype kind out of ``kinds`` and some axes."""
        return self.pick(lambda value: value.dtype.kind in kinds and ndim <= value.ndim <= most)

    def pick_sparse(self, allowed: Callable[[Any], bool] = lambda value: True) -> str | None:
        """Return the name of a sparse matrix."""
        names = [name for name, (_, value) in self.parts.items()
                 if scipy.sparse.issparse(value) and allowed(value)]  # fmt: skip
        return self.draw(st.sampled_from(names)) if names else None

    def beside(self, x: str, kinds: str) -> str | None:
        """Return the name of a variable that broadcasts with another, by static ones only."""

        def fits(name: str) -> bool:
            one, two = self.values[x].shape[::-1], self.values[name].shape[::-1]
            mine, its = (self.variables[n].type.shape[::-1] for n in (x, name))
            return all(
                n == m or 1 in (fixed, other)
                for n, m, fixed, other in zip(one, two, mine, its, strict=False)
            )

        names = [n for n, v in self.values.items() if v.dtype.kind in kinds and fits(n)]
        return self.draw(st.sampled_from(names)) if names else None

    def axis(self, x: str) -> int:
        """Draw an axis of a variable, counted from either end."""
        ndim = self.values[x].ndim
        return int(self.draw(st.integers(-ndim, ndim - 1)))

    def one_of(self, *choices: Any) -> Any:
        """Draw one of some values."""
        return self.draw(st.sampled_from(choices))
