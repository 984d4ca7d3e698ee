"""Functions: which rows of the scalar table have a text in CUDA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symtheano.codegen.targets import Target
from symtheano.loopir import Assign, Expression, For, Let
from symtheano.loopir.names import walk
from symtheano.loopir.operands import element_of
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op

SPECIAL: Mapping[str, frozenset[str]] = {
    "special_functions.h": frozenset(
        "psi erfcx __pyx_fuse_1erfcx erfinv erfcinv ndtr ndtri log_ndtr i0 i1 i0e i1e rel_entr "
        "kl_div gammainc gammaincc beta betaln betainc betaincc".split()
    ),
    "inverse_functions.h": frozenset("gammaincinv gammainccinv betaincinv owens_t binom".split()),
    "bessel_functions.h": frozenset("kv kve iv ive jv".split()),
}
"""SciPy's functions of which there are texts for CUDA, by files in ``codegen/cuda``. Functions of
the first file are called by those of the others."""


def lacking(row: ScalarOp, signature: Signature) -> bool:
    """Return whether CUDA has no text for a row: for functions of other libraries.

    Examples
    --------
    >>> from symtheano.scalar.table import scalar_op
    >>> rows = [scalar_op(name) for name in ("exp", "hyp2f1")]
    >>> [lacking(row, row.signature(("float32",) * row.nin)) for row in rows]
    [False, True]
    """
    return row.external is not None and not any(row.external in own for own in SPECIAL.values())


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
