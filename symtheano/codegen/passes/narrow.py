"""Narrow: short sums of terms that are never negative are accumulated in the dtype of the terms.

Sums of float32 numbers are accumulated in float64, because the error of a long sum, or of one whose
terms cancel, would be large. A sum of up to eight squares, exponentials or absolute values has a
relative error of a few times that of its terms. Without conversions, twice as many terms fit into a
vector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import Declare, For, Kernel, Let, Literal, Reduce, Statement, Value
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, names_used, unless_same, with_nested

_NEVER_NEGATIVE = {"abs", "exp", "exp2", "sqr", "sqrt"}


def narrow(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Narrow accumulators of loops with a short known length; bodies must be naive."""

    def is_short(loop: For) -> bool:
        length = loop.stop.constant
        return (
            length is not None
            and length <= target.rows.unrolled
            and target.rows.interleaves(length)
        )

    def block(statements: Body) -> Body:
        statements, names = narrow_sums(statements, is_short)
        for name in names:
            context.note(None, "{} is accumulated in float32, since its terms are at most {}, and "
                         "never negative", name, target.rows.unrolled)  # fmt: skip
        return unless_same([with_nested(statement, block) for statement in statements], statements)

    # sums outside of loops are results, which have their names
    narrowed = replace(kernel, body=tuple(with_nested(s, block) for s in kernel.body))
    context.otherwise("not, no short sum is accumulated in a wider dtype than that of its terms")
    return narrowed


def narrow_sums(statements: Body, is_short: Callable[[For], bool]) -> tuple[Body, list[str]]:
    """Return statements in which sums over short loops are narrow, and the names of these sums."""
    names: list[str] = []
    for declared in [s for s in statements if isinstance(s, Declare)]:
        term = _narrow_term(declared, statements, is_short)
        if term is not None:
            statements = _narrowed(declared, term, statements)
            names.append(declared.target.name)
    return statements, names


def _narrow_term(
    declared: Declare, statements: Sequence[Statement], is_short: Callable[[For], bool]
) -> Value | None:
    """Return the term of a sum whose accumulator may be narrow."""
    total = declared.target
    if total.dtype != "float64" or declared.initial != neutral_element("add", total.dtype):
        return None
    term: Value | None = None
    for statement in statements:
        if isinstance(statement, For):
            uses = [s for s in walk([statement]) if _mentions(s, total)]
            if not uses:
                continue
            if term is not None or len(uses) != 1 or not is_short(statement):
                return None
            term = _term_of(uses[0], statement)
            if term is None:
                return None
        elif (
            statement is not declared
            and _mentions(statement, total)
            and (term is None or not _is_cast(statement, term.dtype))
        ):
            return None
    return term


def _mentions(statement: Statement, total: Value) -> bool:
    reduced = isinstance(statement, Reduce) and statement.target.name == total.name
    return reduced or total.name in names_used(statement)


def _is_cast(statement: Statement, dtype: str) -> bool:
    return isinstance(statement, Let) and statement.op == "cast" and statement.target.dtype == dtype


def _term_of(statement: Statement, loop: For) -> Value | None:
    """Return the converted number that a loop adds, if it is never negative."""
    if not isinstance(statement, Reduce) or statement.op != "add" or statement not in loop.body:
        return None
    parts = {s.target.name: s for s in loop.body if isinstance(s, Let)}
    cast = parts.get(statement.value.name) if isinstance(statement.value, Value) else None
    if cast is None or cast.op != "cast":
        return None
    (term,) = cast.arguments
    if not isinstance(term, Value) or term.dtype != "float32" or not _never_negative(term, parts):
        return None
    return term


def _never_negative(operand: Operand, parts: dict[str, Let]) -> bool:
    if isinstance(operand, Literal):
        return not isinstance(operand.value, complex) and operand.value >= 0
    definition = parts.get(operand.name)
    if definition is None:
        return False
    if definition.op in ("mul", "add", "true_div"):
        first, *_ = definition.arguments
        same = definition.op == "mul" and all(a == first for a in definition.arguments)
        return same or all(_never_negative(a, parts) for a in definition.arguments)
    return definition.op in _NEVER_NEGATIVE


def _narrowed(declared: Declare, term: Value, statements: Body) -> Body:
    """Return statements in which a sum has the dtype of its terms."""
    wide, total = declared.target, Value(declared.target.name, term.dtype)
    copier = Copier(None, values={wide.name: total})
    changed: list[Statement] = []
    for statement in statements:
        if isinstance(statement, Declare) and statement.target == wide:
            changed.append(Declare(total, neutral_element("add", term.dtype)))
        elif isinstance(statement, For) and any(_mentions(s, wide) for s in statement.body):
            body = tuple(
                replace(s, target=total, value=term)
                if isinstance(s, Reduce) and s.target == wide
                else s
                for s in statement.body
            )
            changed += copier.statement(replace(statement, body=_without_unused(body)))
        elif isinstance(statement, Let) and wide.name in names_used(statement):
            copier.values[statement.target.name] = total
        else:
            changed += copier.statement(statement)
    return tuple(changed)


def _without_unused(body: Body) -> Body:
    """Return statements without conversions that nothing reads."""
    used = {name for s in walk(body) for name in names_used(s)}
    return tuple(
        s for s in body
        if not (isinstance(s, Let) and s.op == "cast" and s.target.name not in used)
    )  # fmt: skip
