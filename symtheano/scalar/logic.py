"""Bitwise and logical operations, and shifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.row import ScalarOp, Signature


def _bitwise(name: str, symbol: str, ufunc: Any, identity: int, alias: str, doc: str) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=2,
        numpy=ufunc,
        signature=row.bitwise,
        c={"biu": f"{{0}} {symbol} {{1}}"},
        symbol=symbol,
        identity=identity,
        commutative=True,
        associative=True,
        aliases=(alias,),
        doc=doc,
    )


# -1 has all bits set, in every integer dtype.
and_ = _bitwise("and_", "&", np.bitwise_and, -1, "bitwise_and", "Bitwise and; for bools, and.")
or_ = _bitwise("or_", "|", np.bitwise_or, 0, "bitwise_or", "Bitwise or; for bools, or.")
xor = _bitwise("xor", "^", np.bitwise_xor, 0, "bitwise_xor", "Bitwise exclusive or.")

invert = ScalarOp(
    name="invert",
    nin=1,
    numpy=np.invert,
    signature=row.bitwise,
    c={"b": "!{0}", "iu": "~{0}"},
    symbol="~",
    aliases=("bitwise_not", "bitwise_invert"),
    doc="Bitwise not; for booleans, logical not.",
)


def _shift(name: str, symbol: str, ufunc: Any, unsigned: str, signed: str, doc: str) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=2,
        numpy=ufunc,
        signature=row.integers,
        c={"u": unsigned, "i": signed},
        symbol=symbol,
        domain=((0, 10), (0, 6)),
        aliases=(f"bitwise_{name}",),
        doc=doc,
    )


# In C, shifts by the width or more are undefined; a negative count is a large unsigned number.
left_shift = _shift(
    "left_shift",
    "<<",
    np.left_shift,
    "{1} < sizeof({t}) * 8 ? {0} << {1} : 0",
    "(u{t}){1} < sizeof({t}) * 8 ? (u{t}){0} << {1} : 0",
    "The first operand shifted left by the second; "
    "0 if the second is negative or at least the width.",
)
right_shift = _shift(
    "right_shift",
    ">>",
    np.right_shift,
    "{1} < sizeof({t}) * 8 ? {0} >> {1} : 0",
    "(u{t}){1} < sizeof({t}) * 8 ? {0} >> {1} : -({0} < 0)",
    "The first operand shifted right by the second, keeping its sign; "
    "by all bits if the second is negative or large.",
)


def _count_signature(operands: tuple[str, ...]) -> Signature:
    return Signature(row.bitwise(operands).compute, "uint8")


bitwise_count = ScalarOp(
    name="bitwise_count",
    nin=1,
    numpy=np.bitwise_count,
    signature=_count_signature,
    c={
        "bu": "__builtin_popcountll({0})",
        "i": "__builtin_popcountll((uint64_t)({0} < 0 ? -(int64_t){0} : {0}))",
    },
    cost=4,
    doc="The number of bits that are set in the absolute value.",
)


def _logical(
    name: str, expression: str, ufunc: Callable[..., Any], identity: int, doc: str
) -> ScalarOp:
    return ScalarOp(
        name=name,
        nin=2,
        numpy=ufunc,
        signature=row.logical,
        c={"b": expression},
        identity=identity,
        commutative=True,
        associative=True,
        domain=(0, 1),
        doc=doc,
    )


logical_and = _logical(
    "logical_and", "{0} & {1}", np.logical_and, 1, "Whether both operands are true."
)
logical_or = _logical(
    "logical_or", "{0} | {1}", np.logical_or, 0, "Whether at least one operand is true."
)
logical_xor = _logical(
    "logical_xor", "{0} != {1}", np.logical_xor, 0, "Whether exactly one operand is true."
)

logical_not = ScalarOp(
    name="logical_not",
    nin=1,
    numpy=np.logical_not,
    signature=row.logical,
    c={"b": "!{0}"},
    domain=(0, 1),
    doc="Whether the operand is false (zero).",
)

ROWS = (
    and_, or_, xor, invert, left_shift, right_shift, bitwise_count, logical_and, logical_or,
    logical_xor, logical_not,
)  # fmt: skip
