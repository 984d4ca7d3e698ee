"""The C printer: LoopIR to one readable C11 file. It makes no decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from symtheano.codegen.c.needs import Needs, find_needs, library_functions
from symtheano.codegen.c.prelude import prelude
from symtheano.codegen.c.printer import Printer
from symtheano.codegen.c.separate import separate
from symtheano.codegen.c.summary import summary
from symtheano.codegen.c.text import comment_text, filled, literal_text, without_comments
from symtheano.codegen.c.vector_math import own_functions
from symtheano.codegen.targets import MEASURED, Target
from symtheano.dataclass import dataclass
from symtheano.graph.lazy import lazy
from symtheano.loopir.operands import Buffer, Literal
from symtheano.loopir.program import Program
from symtheano.scalar.render import stored_type


@dataclass(frozen=True)
class CSource:
    """A C file.

    Attributes
    ----------
    text
        The text.
    entry
        Name of its entry point.
    links
        What it is linked with; see :class:`symtheano.codegen.record.Record`.
    needs, vector_functions, accuracy, target
        What its prelude was made of.
    """

    text: str
    entry: str
    links: tuple[str, ...]
    needs: Needs
    vector_functions: frozenset[str]
    accuracy: str
    target: Target

    @lazy
    def compiled(self) -> str:
        """The text without comments, which contain lines of the user's program."""
        return without_comments(self.text)

    @property
    def of_libmvec(self) -> frozenset[str]:
        """The functions whose bits depend on whether the compiler vectorizes a loop."""
        functions = library_functions(self.needs).keys() if self.accuracy != "libm" else ()
        return self.vector_functions.intersection(functions) - own_functions()

    def separate(self) -> tuple[str, tuple[str, ...]]:
        """Return the compiled text without routines, and the texts of these routines."""
        return separate(
            self.compiled, self.needs, self.vector_functions, self.accuracy, self.target
        )


def print_c(
    program: Program,
    vector_functions: frozenset[str] = frozenset(),
    accuracy: str = "default",
    target: Target = MEASURED,
    printer_class: type[Printer] = Printer,
    declarations: Callable[[Needs], str] = lambda needs: "",
) -> CSource:
    """Print a verified program as C, the same text in every process.

    Parameters
    ----------
    program
        The program.
    vector_functions
        C library functions with vectorized versions that can be linked.
    accuracy
        The option ``accuracy``, which selects the functions for their names.
    target
        The processor.
    printer_class
        What prints its statements.
    declarations
        Function that returns what they need besides the usual prelude.

    Examples
    --------
    >>> from symtheano.loopir import Allocate, Builder, Index, Store
    >>> n = Index.symbol("n")
    >>> y = Buffer("y", "float32", "output", n, 0)
    >>> b = Builder()
    >>> b.emit(Allocate(y, (n,)))
    >>> with b.loop("i", n, kind="simd") as i:
    ...     b.emit(Store(y, i, Literal(0.5, "float32")))
    >>> x = Buffer("x", "float32", "input", n, 0)
    >>> source = print_c(Program("f", (x,), (("n",),), (y,), b.statements()))
    >>> "        y[i] = 0.5f;" in source.text.splitlines()
    True
    """
    needs = find_needs(program)
    printer = printer_class(program, needs)
    lines = printer.entry()
    parameters = (
        "const st_runtime *runtime",
        "const st_array *inputs",
        "st_array *outputs",
        "st_error *error",
    )
    opening = filled(f"ST_EXPORT int32_t {printer.spell(program.name)}(", parameters, ") {", "")
    entry = "\n".join([*opening, *lines, "}"]) + "\n"
    top = [_static_table(printer, buffer, values) for buffer, values in program.constants]
    head = "" if not program.title else comment_text(program.title) + "\n\n"
    start = prelude(needs, vector_functions, accuracy, target)
    sections = [start, declarations(needs), *top, *printer.structs, *printer.texts]
    sections.append(summary(printer) + entry)
    text = head + "\n".join(filter(None, sections))
    entry_point = printer.spell(program.name)
    return CSource(text, entry_point, needs.links, needs, vector_functions, accuracy, target)


def _static_table(printer: Printer, buffer: Buffer, values: Sequence[object]) -> str:
    numbers = np.asarray(values, dtype=buffer.dtype).ravel().tolist()
    words = [literal_text(Literal(number, buffer.dtype)) for number in numbers] or ["0"]
    name = printer.spell(buffer.name)
    head = f"static const {stored_type(buffer.dtype)} {name}[{len(words)}] = {{"
    return "\n".join(filled(head, words, "};", "")) + "\n"
