"""Signatures of elementwise functions, made from their rows."""

from __future__ import annotations

from inspect import Parameter, Signature

from symtheano.scalar.row import ScalarOp

_LETTERS = "abcd"


def signature_of(row: ScalarOp) -> Signature:
    """Return the signature of a row's tensor function.

    Associative functions take any number of operands, but at least one.

    Examples
    --------
    >>> from symtheano.scalar.table import TABLE
    >>> for name in ("tanh", "add", "switch"):
    ...     print(", ".join(signature_of(TABLE[name]).parameters))
    a, name
    a, more, name
    a, b, c, name
    """
    if row.associative:
        operands = [
            Parameter("a", Parameter.POSITIONAL_ONLY, annotation="TensorLike"),
            Parameter("more", Parameter.VAR_POSITIONAL, annotation="TensorLike"),
        ]
    else:
        operands = [
            Parameter(letter, Parameter.POSITIONAL_ONLY, annotation="TensorLike")
            for letter in _LETTERS[: row.nin]
        ]
    name = Parameter("name", Parameter.KEYWORD_ONLY, default=None, annotation="str | None")
    return Signature([*operands, name], return_annotation="Tensor")
