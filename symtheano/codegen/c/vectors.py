"""Loops that are printed in vectors: the compiler has no choice in how their elements are widened.

The vectors are types that gcc and clang know for each processor; the lanes are as many as the
prelude says. The elements that remain are added by a loop over scalars.
"""

from __future__ import annotations

from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.statements import StatementPrinter
from symtheano.loopir.index import Index
from symtheano.loopir.nodes import For, Let, Load, Statement
from symtheano.loopir.rewrite import Copier, names_used

_LANES = Index.symbol("ST_LANES")


def print_vectors(printer: StatementPrinter, loop: For, out: Lines) -> None:
    """Print a loop that adds to sums, with several vectors for each sum."""
    counter, stop = printer.spell(loop.index.name), printer.index(loop.stop)
    sums = [value.name for value, _ in loop.reductions]
    parts = [
        {name: f"st_sum_{number}_{part}" for number, name in enumerate(sums)}
        for part in range(loop.vectors)
    ]
    step = "ST_LANES" if loop.vectors == 1 else f"{loop.vectors}*ST_LANES"
    with out.block(""):
        out.add(f"int64_t {counter} = {printer.index(loop.start)};")
        for part in parts:
            out.add_filled("st_f64v ", [f"{name} = {{0.0}}" for name in part.values()], ";")
        with out.block(f"for (; {counter} <= {stop} - {step}; {counter} += {step})"):
            for number, part in enumerate(parts):
                with out.block(""):
                    _print_part(printer, loop, number, part, out)
        for name in sums:
            total = " + ".join(part[name] for part in parts)
            out.add(f"{printer.spell(name)} += st_total({total});")
        with out.block(f"for (; {counter} < {stop}; {counter}++)"):
            printer.block(loop.body, out)


def _print_part(
    printer: StatementPrinter, loop: For, number: int, sums: dict[str, str], out: Lines
) -> None:
    """Print the body for one vector of each sum."""
    outside, printer.names = printer.names, {**printer.names, **sums}
    moved = Copier(None, {loop.index.name: loop.index.index + _LANES * number})
    vectors = set(sums)
    for statement in moved.block(loop.body) if number else loop.body:
        _print_statement(printer, statement, loop.index.name, vectors, out)
    printer.names = outside


def _print_statement(
    printer: StatementPrinter, s: Statement, counter: str, vectors: set[str], out: Lines
) -> None:
    """Print one statement, whose target is a vector if it depends on vectors."""
    if isinstance(s, Load) and s.index.coefficient(counter) != 0:
        made, read = {"float32": ("st_f32v", "st_f32v"), "float64": ("st_f64v", "st_f64m")}[
            s.buffer.dtype
        ]
        value = f"*(const {read} *)&{printer.spell(s.buffer.name)}[{printer.index(s.index)}]"
    elif isinstance(s, Let) and not vectors.isdisjoint(names_used(s)):
        out.at(s.origin)
        made, value = "st_f64v", printer.expression(s)
        if s.op == "cast":
            value = f"st_widened({printer.operand(s.arguments[0])})"
    else:
        printer.statement(s, out)
        return
    vectors.add(s.target.name)
    out.add(f"const {made} {printer.spell(s.target.name)} = {value};")
