"""Loops that are printed in vectors: the compiler has no choice in how their elements are widened.

The vectors are types that gcc and clang know for each processor; the lanes are as many as the
prelude says. The elements that remain are added by a loop over scalars.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.loopir.index import Index
from symtheano.loopir.nodes import For, Let, Load, Statement
from symtheano.loopir.rewrite import Copier, names_used

if TYPE_CHECKING:
    from symtheano.codegen.c_statements import Lines, StatementPrinter

VECTORS = """\
/* Vectors of doubles, and of as many floats; those in memory have the alignment of an element. */
#ifdef __AVX__
#define ST_LANES 4
#define ST_LIST(v) {v[0], v[1], v[2], v[3]}
#define ST_TOTAL(v) ((v[0] + v[1]) + (v[2] + v[3]))
#else
#define ST_LANES 2
#define ST_LIST(v) {v[0], v[1]}
#define ST_TOTAL(v) (v[0] + v[1])
#endif
typedef float st_f32v __attribute__((vector_size(4 * ST_LANES), aligned(4), may_alias));
typedef double st_f64v __attribute__((vector_size(8 * ST_LANES)));
typedef double st_f64m __attribute__((vector_size(8 * ST_LANES), aligned(8), may_alias));
#define ST_VECTOR static inline __attribute__((always_inline))

/* gcc 12 makes one instruction of this, but several of __builtin_convertvector. */
ST_VECTOR st_f64v st_widened(st_f32v v) { return (st_f64v)ST_LIST(v); }
ST_VECTOR double st_total(st_f64v v) { return ST_TOTAL(v); }
"""

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
