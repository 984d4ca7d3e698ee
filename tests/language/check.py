"""How results of programs are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtheano import Mode, function
from tests.language.program import Array, Program
from tests.support.compare import assert_fresh, count, oracle

REWRITTEN = Mode("interpret", "fast_run")


def rewritten(inputs: Sequence[Any], outputs: Any, **options: Any) -> Any:
    """Return a function that the interpreter runs after rewriting."""
    return function(list(inputs), outputs, mode=REWRITTEN, on_unused_input="ignore", **options)


def variables_of(program: Program, names: Sequence[str]) -> list[Any]:
    """Return the variables of some names, sparse ones too."""
    return [program.parts[name][0] if name in program.parts else program.variables[name]
            for name in names]  # fmt: skip


def agree(got: Array, want: Array, small: float, scale: float, what: str) -> None:
    """Fail unless dtype, shape and numbers are the same, floats up to rounding.

    NaN and infinities must be at the same positions.
    """
    assert (got.dtype, got.shape) == (want.dtype, want.shape), what
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(got, want, rtol=small, atol=small * scale, err_msg=what)
    else:
        np.testing.assert_array_equal(got, want, what)


def agree_all(
    program: Program, names: Sequence[str], got: Sequence[Array], want: Mapping[str, Array], by: str
) -> None:
    """Compare several lines of a program with their references."""
    small, scale = program.precision(), program.magnitude()
    for name, mine in zip(names, got, strict=True):
        agree(mine, want[name], small, scale, f"{name} against {by} in{program!r}")


def compare(program: Program, make: Callable[..., Any], kind: str) -> None:
    """Compare a function with the interpreter that rewrites nothing and with NumPy."""
    names, inputs = program.results(8), program.used()
    if not names:
        return
    variables, outputs = variables_of(program, inputs), variables_of(program, names)
    values = program.arguments()
    mine, its = make(variables, outputs)(*values), oracle(variables, outputs)(*values)
    assert_fresh(mine, [value for value in values if isinstance(value, np.ndarray)])
    agree_all(program, names, mine, program.values, "NumPy")
    agree_all(program, names, mine, dict(zip(names, its, strict=True)), "the interpreter")
    count(kind, sum(got.size for got in mine))
