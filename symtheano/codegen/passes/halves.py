"""Halves: loops that do more than add and multiply compute float16 as float32, and round it.

Few processors compute with halves, and compilers convert them one at a time, so that such a loop
fills no vectors. In these loops the values are floats, which are rounded to halves after each
operation by integer arithmetic on their bits. The results are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Assign,
    Builder,
    For,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import convert_literal
from symtheano.loopir.names import operands
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import with_loops
from symtheano.scalar.table import TABLE

# Processors that compute with halves are faster with these.
_NATIVE = frozenset(("add", "sub", "mul", "sqr", "neg", "abs"))
# Their results are among their operands, or exact.
_EXACT = frozenset(("neg", "abs", "switch", "maximum", "minimum", "larger", "smaller", "identity"))
# Their values are rounded to halves once, not to floats before.
_ROUNDED_ONCE = ("float64", "complex64", "complex128")


def halves(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Compute with floats in the loops in lanes that compute with halves."""

    def change(loop: For) -> Sequence[Statement] | None:
        if not loop.kind.endswith("simd") or not _gains(loop):
            return None
        context.note(loop, "halves are computed as floats, and rounded")
        return _Floats(context).loop(loop)

    widened = with_loops(kernel, change)
    context.otherwise("not, no loop in lanes does more with halves than add and multiply")
    return widened


def _gains(loop: For) -> bool:
    """Return whether a loop can compute with halves as floats, and is faster so."""
    gains = False
    for s in loop.body:
        if not isinstance(s, Let | LetIndex | Load | Store | Assign):
            return False
        if isinstance(s, Assign) and any(x.dtype == "float16" for x in operands(s)):
            return False
        if isinstance(s, Let):
            dtypes = [s.target.dtype, *(operand.dtype for operand in s.arguments)]
            if "float16" not in dtypes:
                continue
            if any(dtype in _ROUNDED_ONCE for dtype in dtypes):
                return False
            row = TABLE.get(s.op)
            if row is not None and row.external:
                return False
            gains |= s.op not in _NATIVE
    return gains


class _Floats:
    """Floats that stand for the halves of one loop."""

    def __init__(self, context: Context) -> None:
        self.names = context.names
        self.before, self.body = Builder(context.names), Builder(context.names)
        self.floats: dict[str, Value] = {}

    def loop(self, loop: For) -> Sequence[Statement]:
        """Return the loop, after the conversion of halves that are known before it."""
        for s in loop.body:
            self.statement(s)
        return (*self.before.statements(), replace(loop, body=self.body.statements()))

    def statement(self, s: Statement) -> None:
        if isinstance(s, Load) and s.target.dtype == "float16":
            self.body.emit(replace(s, target=self.float_of(s.target)))
        elif isinstance(s, Let):
            self.let(s)
        elif isinstance(s, Store) and isinstance(s.value, Value):
            self.body.emit(replace(s, value=self.floats.get(s.value.name, s.value)))
        else:
            self.body.emit(s)

    def float_of(self, half: Value) -> Value:
        """Return the float that takes the name of a half which is defined in the loop."""
        single = self.floats[half.name] = Value(half.name, "float32")
        return single

    def let(self, s: Let) -> None:
        arguments = tuple(map(self.operand, s.arguments))
        if s.target.dtype != "float16":
            self.body.emit(replace(s, arguments=arguments))
            return
        target = self.float_of(s.target)
        halves = all(operand.dtype in ("float16", "bool") for operand in s.arguments)
        if s.op in _EXACT and halves:
            self.body.emit(replace(s, target=target, arguments=arguments))
            return
        exact = Value(self.names.fresh(f"{target.name}_exact"), "float32")
        self.body.emit(replace(s, target=exact, arguments=arguments))
        self.body.emit(Let(target, "round_half", (exact,)))

    def operand(self, operand: Operand) -> Operand:
        """Return the float for a half; other operands stay as they are."""
        if operand.dtype != "float16":
            return operand
        if isinstance(operand, Literal):
            return convert_literal(operand, "float32")
        if operand.name not in self.floats:
            name = f"{operand.name}_f32"
            self.floats[operand.name] = self.before.let("cast", "float32", [operand], name)
        return self.floats[operand.name]
