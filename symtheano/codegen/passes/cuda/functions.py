"""Functions: which rows of the scalar table have a text in CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from symtheano.codegen.targets import Target
from symtheano.loopir import Assign, Expression, For, Let
from symtheano.loopir.names import walk
from symtheano.loopir.operands import element_of
from symtheano.scalar.render import render_prototypes
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op

_OF_OURS = frozenset(("cabs", "cabsf"))
"""C's functions of complex numbers that our header has."""


def lacking(row: ScalarOp, signature: Signature) -> bool:
    """Return whether CUDA has no text for a row: for other libraries' functions, and complex ones.

    Examples
    --------
    >>> from symtheano.scalar.table import scalar_op
    >>> row = scalar_op("exp")
    >>> [lacking(row, row.signature((dtype,))) for dtype in ("float32", "complex64")]
    [False, True]
    """
    if row.external:
        return True
    prototypes = render_prototypes(row, signature)
    return any("_Complex" in text and name not in _OF_OURS for name, text in prototypes.items())


def missing_function(loop: For, target: Target) -> str | None:
    """Return the name of a row in a loop for which a target has no text, or None."""
    for op, dtypes, dtype in _rows(loop):
        if op != "cast" and target.functions.lacking(scalar_op(op), Signature(dtypes, dtype)):
            return op
    return None


def _rows(loop: For) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for s in walk([loop]):
        if isinstance(s, Let):
            yield s.op, tuple(element_of(a.dtype) for a in s.arguments), s.target.dtype
        elif isinstance(s, Assign) and isinstance(s.value, Expression):
            waiting = [s.value]
            while waiting:
                item = waiting.pop()
                yield item.op, item.dtypes, item.dtype
                waiting += [a for a in item.arguments if isinstance(a, Expression)]
