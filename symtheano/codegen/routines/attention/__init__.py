"""Attention and its gradient: C functions that hold a block of scores at a time.

``st_attention_SUFFIX`` computes the result and, for each row, the largest score and the sum of
exponentials, and, if they are kept, all exponentials; ``st_attention_gradient_SUFFIX`` computes the
gradients of q, k and v. They stand in ``result.c`` and ``gradient.c``, and what they share in
``scores.c``, before the form feed what all dtypes have. Products are those of our own library,
whose right factors are copied to panels once for all blocks of rows; as long as there is none, BLAS
computes them. Threads share the items, or the blocks of an item; the bits do not depend on the
number of threads.
"""

from __future__ import annotations

from functools import partial

from symtheano.codegen.record import BLAS
from symtheano.codegen.routines.blas import panel_sections
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text, fill
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, Struct, signature
from symtheano.scalar.render import c_type

_LENGTHS = Struct(
    "st_attention_lengths",
    dict.fromkeys(("items", "rows", "keys", "depth", "width", "causal", "kept"), 1),
)
_STEPS = ", ".join(
    f"{name}: lengths"
    for name in ("batch", "q_steps", "k_steps", "v_steps", "bias_steps", "chosen_steps")
)
_READ = "q: in T, k: in T, v: in T, scale: T, bias: in T?, chosen: in bool?, fill: T"


def _sections(name: str, dtype: str) -> tuple[str, ...]:
    """Return the C text of a routine for one dtype."""
    end = "f" if dtype == "float32" else ""
    words = {
        "EXP": f"exp{end}",
        "INFINITE": f"__builtin_inf{end}()",
        "TYPE": c_type(dtype),
        "SUFFIX": short_name(dtype),
    }
    files = (file_text(__file__, "scores.c"), file_text(__file__, f"{name}.c"))
    texts = [part for text in files for part in fill(text, {}, words).split("\f")]
    return (SIZES, *panel_sections(dtype), *texts)


def _routine(name: str, file: str, parameters: str) -> Routine:
    return Routine(
        name, signature(f"{', '.join(_LENGTHS.members)}, {parameters}"),
        partial(_sections, file), ("float32", "float64"),
        workspace=True, links=(BLAS,), functions=("exp",), struct=_LENGTHS,
    )  # fmt: skip


ATTENTION = (
    _routine(
        "attention",
        "result",
        f"{_STEPS}, {_READ}, result: out T, tops: out T, sums: out T, exponentials: out T?",
    ),
    _routine(
        "attention_gradient",
        "gradient",
        f"{_STEPS}, g_steps: lengths, {_READ}, result: in T, tops: in T, "
        "sums: in T, exponentials: in T, g: in T, q_scale: T, k_scale: T, dq: out T, dk: out T, "
        "dv: out T",
    ),
)
"""The two routines; what they compute stands in their files."""
