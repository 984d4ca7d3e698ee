"""Docstrings of elementwise functions, generated from their rows."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter, Signature
from textwrap import wrap
from typing import Any

from symtheano import dtypes
from symtheano.errors import NullTypeGradError
from symtheano.function import function
from symtheano.function.modes import Mode
from symtheano.gradient import grad
from symtheano.printing.pp import pp
from symtheano.scalar.row import ScalarOp
from symtheano.scalar.table import TABLE
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.row_signature import signature_of
from symtheano.tensor.type import TensorType

_LETTERS = "abcd"
_WIDTH = 88
# Operands of examples; the first suitable ones are used. They are no binary fractions, so that the
# arrays have double precision.
_EXAMPLES: tuple[tuple[list[Any], ...], ...] = (
    ([0.3, 2.6], [1.6, 0.7], [1.9, 3.1], [0.3, 0.6]),
    ([0.3, 0.6], [0.7, 0.4], [0.9, 0.6], [0.2, 0.8]),
    ([1.3, 2.6], [2.3, 1.6], [3.3, 2.8], [0.3, 0.6]),
    ([6, 5], [3, 2], [1, 4], [7, 9]),
    ([0.3, 2.6], [3, 2], [1, 4], [7, 9]),
)


def describe(row: ScalarOp) -> str:
    """Return the docstring of a row's tensor function.

    Examples
    --------
    >>> print(describe(TABLE["exp"]))
    exp(a, /, *, name=None)
    <BLANKLINE>
    The exponential: e to the power of the operand.
    ...
    >>> T.exp([0.3, 2.6]).eval()
    array([ 1.34985881, 13.46373804])
    """
    if row.name not in TABLE:
        return row.doc
    aliases = f" Also called {', '.join(row.aliases)}." if row.aliases else ""
    return "\n".join(
        [
            f"{row.name}{_plain(signature_of(row))}",
            "",
            *wrap(row.doc + aliases, _WIDTH),
            "",
            "Computed element by element; operands are repeated along axes that they lack,",
            "and along axes whose length is known to be one.",
            "",
            *_section("Dtypes", _dtypes(row)),
            *_section("Derivatives", _derivatives(row)),
            *_section("Examples", _example(row)),
        ]
    ).rstrip()


def _plain(signature: Signature) -> Signature:
    """Return a signature without annotations."""
    parameters = signature.parameters.values()
    return Signature([item.replace(annotation=Parameter.empty) for item in parameters])


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [title, "-" * len(title), *lines, ""] if lines else []


def _dtypes(row: ScalarOp) -> list[str]:
    """Return a line for each dtype of the result, with the operands that give it."""
    operands_of: dict[str, list[str]] = {}
    for dtype in dtypes.ALL:
        try:
            result = row.signature((dtype,) * row.nin).result
        except TypeError:
            continue
        operands_of.setdefault(result, []).append(dtype)
    if all(operands == [result] for result, operands in operands_of.items()):
        return wrap(f"The operands' own: {', '.join(operands_of)}.", _WIDTH)
    lines = [f"{result} of {', '.join(operands)}" for result, operands in operands_of.items()]
    return [part for line in lines for part in wrap(line, _WIDTH, subsequent_indent="    ")]


def _derivatives(row: ScalarOp) -> list[str]:
    """Return a line for each operand with its derivative in float64, as compiled."""
    operands = [TensorType("float64", ())(name) for name in _LETTERS[: row.nin]]
    try:
        result = elemwise(row)(*operands)
    except TypeError:
        return []
    if result.dtype != "float64":
        return []
    lines = []
    for name, operand in zip(_LETTERS, operands, strict=False):
        try:
            slope = grad(result, operand, disconnected_inputs="ignore")
            f = function(
                operands, slope, mode=Mode("interpret", "fast_run"), on_unused_input="ignore"
            )
            text = pp(f.graph.outputs[0])
        except NullTypeGradError:
            text = "not implemented"
        lines += wrap(f"by {name}: {text}", _WIDTH, subsequent_indent="    ")
    return lines


def _example(row: ScalarOp) -> list[str]:
    """Return a call with numbers, and its result."""
    operands = _operands(row)
    arguments = ", ".join(map(repr, operands))
    value = row.evaluate(operands, _dtypes_of(operands))
    return [f">>> T.{row.name}({arguments}).eval()", repr(value)]


def _operands(row: ScalarOp) -> tuple[Any, ...]:
    """Return operands for a row, within its domain if possible."""
    domains = row.domain if isinstance(row.domain[0], tuple) else (row.domain,) * row.nin

    def is_outside(operands: Sequence[list[Any]]) -> bool:
        pairs = zip(operands, domains, strict=True)
        return not all(low <= min(x) and max(x) <= high for x, (low, high) in pairs)

    taken = [values[: row.nin] for values in _EXAMPLES if _takes(row, values[: row.nin])]
    return min(taken, key=is_outside)


def _dtypes_of(operands: Sequence[Any]) -> tuple[str, ...]:
    return tuple(as_tensor_variable(item).dtype for item in operands)


def _takes(row: ScalarOp, operands: Sequence[Any]) -> bool:
    try:
        row.signature(_dtypes_of(operands))
    except TypeError:
        return False
    return True
