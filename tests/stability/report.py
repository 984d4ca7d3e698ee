"""The page of the delicate forms: ``docs/stability.md``.

``python -m tests.stability.report`` writes it anew from the table and from ``others.json``.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np

from symtheano import function
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from tests.stability.forms import FORMS, Form
from tests.stability.measure import Errors, errors, operands
from tests.stability.others import FILE
from tests.stability.settings import SETTINGS, programs
from tests.stability.symbolic import expression

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "stability.md"

HEAD = """# Numerical stability

Written by `python -m tests.stability.report` from the table in `tests/stability/forms.py`.

The compiler recognizes formulas that lose digits or overflow as they are written, and replaces
them by equivalent formulas that do not. This includes gradients, which are derived from the
formula as it is written and then rewritten. Formulas that are already stable are not made worse.

The table compares each form with mpmath, evaluated at the same floats. Errors are the maximum
over the range, in units in the last place (ulp) of the correct result; a result that is infinite
or NaN where the correct one is finite is `inf`. Errors of derivatives with respect to the
elements of a row are relative to the largest derivative. Results too large for the dtype or below
its smallest normal number are not compared. The columns are: the form; its range; values and
gradients of this package, compiled in double precision; values of NumPy {NumPy} and SciPy {SciPy}
as written; values and gradients of JAX {JAX} (`jit`, double precision) as written. The other
packages were measured on {date}.

{count} of {all} forms are within 16 ulp, gradients included. The tests hold all of them to their
bounds, in double and in single precision, compiled and interpreted.
"""

LOSSES = """
## Losses

These forms are not within 16 ulp, for the reasons given below.

"""

WITHIN = """
## Within 16 ulp

"""

SETTINGS_HEAD = """
## In four settings

What is stable must not depend on what else a function computes, or on what reads a result. So each
form is computed alone, and its gradient alone; with its gradient in one function; with one element
read, of values, of their gradient, and of the gradient of all; and behind products, with a matrix
and with rows that are a batch of one. The columns are the largest errors of values and gradients in
each setting, in the interpreter with rewriting; the tests compile them as well, and hold both
precisions to the bounds above. The last columns are NumPy, values only, and JAX, values and
gradients, of the form as it is written.

{finite} of {all} forms are finite in all four settings wherever the truth is.

| form | alone | together | element | product | NumPy | JAX |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""

COLUMNS = (
    "| form | range | ours | gradient | NumPy | JAX | gradient |\n"
    "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
)


def measured(forms: list[Form], dtype: str = "float64") -> dict[str, Errors]:
    """Compile the forms, a few dozen at a time, and return their errors."""
    found = {}
    for start in range(0, len(forms), 40):
        some = forms[start : start + 40]
        expressions = [expression(form, dtype) for form in some]
        inputs = [item for mine, _, _ in expressions for item in mine]
        outputs = [item for _, value, slopes in expressions for item in (value, *slopes)]
        given = [item for form in some for item in operands(form, dtype)]
        results = iter(function(inputs, outputs)(*given))
        for form, (_, _, slopes) in zip(some, expressions, strict=True):
            value = next(results)
            found[form.name] = errors(form, dtype, value, [next(results) for _ in slopes])
    return found


def in_settings(form: Form) -> dict[str, float]:
    """Return the largest error of a form in each setting."""
    found = dict.fromkeys(SETTINGS, 0.0)
    for program in programs(form, "float64"):
        graph = Rewriter(default_rules()).rewrite(FunctionGraph(program.inputs, program.outputs))
        with np.errstate(all="ignore"):
            sizes = program.errors([interpret(graph, call) for call in program.calls])
        found[program.setting] = max(found[program.setting], sizes.value, sizes.gradient)
    return found


def table_of_settings(others: dict[str, list[float]]) -> str:
    """Return the part of the page about settings."""
    rows, finite = "", 0
    for form in FORMS:
        mine = in_settings(form)
        plain, jitted, slope = others[form.name]
        cells = [*mine.values(), plain, max(jitted, slope)]
        text = form.text.replace("|", "\\|")
        rows += f"| `{text}` | {' | '.join(map(number, cells))} |\n"
        finite += max(mine.values()) < math.inf
    return SETTINGS_HEAD.format(finite=finite, all=len(FORMS)) + rows


def number(error: float) -> str:
    """Return an error with two digits."""
    if math.isinf(error):
        return "inf"
    return f"{error:.1f}" if error < 1000 else f"{error:.0e}"


def is_loss(form: Form) -> bool:
    """Return whether a form is not held to 16 ulp."""
    return form.within > 16 or form.gradient > 16


def page() -> str:
    """Return the text of the page."""
    kept = json.loads(FILE.read_text())
    ours = measured(FORMS)

    def row(form: Form) -> str:
        mine, (plain, jitted, slope) = ours[form.name], kept["errors"][form.name]
        cells = [mine.value, mine.gradient, plain, jitted, slope]
        text = form.text.replace("|", "\\|")
        return f"| `{text}` | {form.range} | {' | '.join(map(number, cells))} |\n"

    def reasons() -> str:
        named: dict[str, list[str]] = {}
        for form in losses:
            named.setdefault(form.reason, []).append(f"`{form.text}`")
        return "".join(f"\n- {', '.join(names)}: {reason}" for reason, names in named.items())

    losses = [form for form in FORMS if is_loss(form)]
    others = [form for form in FORMS if not is_loss(form)]
    head = HEAD.format(**kept["versions"], date=kept["date"], count=len(others), all=len(FORMS))
    return (
        head + LOSSES + COLUMNS + "".join(map(row, losses)) + reasons() + "\n"
        + WITHIN + COLUMNS + "".join(map(row, others)) + table_of_settings(kept["errors"])
    )  # fmt: skip


if __name__ == "__main__":
    DOCUMENT.write_text(page())
