"""Pooling: C functions for the result, its gradients, and derivatives along a direction.

Each is ``st_NAME_SUFFIX(runtime, pools, arrays..., memory, bytes)`` for one dtype; the pools are a
pointer to ``st_pools`` (``codegen/pooling/windows.c``). Our own library computes them, if the
host has it; the files here compute with plain loops, to the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from symtheano.codegen.pooling import LIBRARY, WANTED, WINDOWS, largest_of_two
from symtheano.codegen.record import POOLING
from symtheano.codegen.routines import own
from symtheano.codegen.template import file_text, fill
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, Struct, signature
from symtheano.scalar.render import c_type

_POOLS = Struct("st_pools", {"n": 1, **dict.fromkeys(("i", "t", "k", "s", "p"), 3), "counted": 1})


def _sections(name: str, file: str, arrays: Mapping[str, str], dtype: str) -> tuple[str, ...]:
    """Return the C text of a routine for one dtype."""
    kind, suffix = c_type(dtype), short_name(dtype)
    *read, output = arrays
    inputs = (name if name in arrays else "0" for name in "xyg")
    words = {
        "LINK": f"ST_POOLING_{suffix.upper()}",
        "WANTED": str(WANTED.index(name.removeprefix("pool_"))),
        "PARAMETERS": ", ".join((*(f"const {kind} *{name}" for name in read), f"{kind} *{output}")),
        "ARRAYS": ", ".join((*inputs, output)),
        "MADE_SIZE": arrays[output],
        "ITEM": ", ".join(f"{name} + n * {size}" for name, size in arrays.items()),
        "TWO": "a + b" if name == "pool_sum" else largest_of_two(dtype),
        "NAME": name,
        "TYPE": kind,
        "SUFFIX": suffix,
    }
    text = file_text(__file__, f"{file}.c") + "\n" + file_text(__file__, "drive.c")
    return (own.KERNELS, WINDOWS, fill(text, {}, words))


def _routine(name: str, file: str, text: str) -> Routine:
    """Return a routine; the text names arrays, as large as images or results; the last is made."""
    arrays = dict(word.split(":") for word in text.split())
    *read, output = arrays
    parameters = ", ".join(
        (*_POOLS.members, *(f"{name}: in T" for name in read), f"{output}: out T")
    )
    return Routine(
        name, signature(parameters), partial(_sections, name, file, arrays),
        LIBRARY.dtypes,
        workspace=True,
        links=(POOLING,),
        struct=_POOLS,
    )  # fmt: skip


POOLINGS = (
    _routine("pool_max", "result", "x:pixels made:places"),
    _routine("pool_max_image", "max_image", "x:pixels y:places g:places made:pixels"),
    _routine("pool_max_tangent", "max_tangent", "x:pixels y:places g:pixels made:places"),
    _routine("pool_sum", "result", "x:pixels made:places"),
    _routine("pool_sum_image", "sum_image", "g:places made:pixels"),
)
"""The routines; what they compute stands in their files."""
