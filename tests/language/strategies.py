"""Random programs of several kinds, as strategies of hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, settings, strategies as st

from tests.language.inputs import start, start_narrow
from tests.language.lines_elementwise import binary, mixed, special, unary
from tests.language.lines_index import index, put
from tests.language.lines_linalg import (
    batches,
    complex_transform,
    factors,
    more_products,
    product,
    solve,
    transform,
)
from tests.language.lines_narrow import cast, narrow_one, narrow_two
from tests.language.lines_positions import count_or_search, more_positions, positions
from tests.language.lines_reduce import along, reduce, statistics
from tests.language.lines_shape import arrange, join, lengths
from tests.language.lines_sparse import make_dense, make_sparse, sparse_binary, sparse_unary
from tests.language.program import Program
from tests.support.extent import TIMES

Family = Callable[[Program], None]

FREE: Sequence[Family] = (
    unary, unary, binary, binary, mixed, reduce, reduce, along, arrange, arrange, join, index,
    index, put, put, positions, lengths,
)  # fmt: skip
"""Lines that are valid for all numbers."""

GENERAL: Sequence[Family] = (
    *FREE, along, count_or_search, more_positions, product, more_products, solve, statistics,
    transform, lengths, factors, batches, complex_transform,
)  # fmt: skip
SPARSE: Sequence[Family] = (
    make_sparse, sparse_unary, sparse_unary, sparse_binary, sparse_binary, make_dense, make_dense,
    make_dense, unary, binary, reduce, arrange,
)  # fmt: skip
COMPLEX: Sequence[Family] = (
    *[complex_transform] * 6, unary, binary, reduce, product, transform, index, arrange,
)  # fmt: skip
LINEAR: Sequence[Family] = (
    *[factors] * 3, batches, batches, solve, product, more_products, unary, binary, arrange, reduce,
)  # fmt: skip
NARROW: Sequence[Family] = (
    *[narrow_one] * 3, *[narrow_two] * 4, cast, cast, index, join,
)  # fmt: skip
SPECIAL: Sequence[Family] = (*FREE, *[special] * 6)


@st.composite
def programs(
    draw: Any, families: Sequence[Family] = GENERAL, smooth: bool = False, layouts: bool = False
) -> Program:
    """Return a program of at most ten steps out of some families of lines."""
    program = start(draw, smooth, families is SPECIAL, layouts)
    return _extended(draw, program, families)


@st.composite
def narrow_programs(draw: Any) -> Program:
    """Return a program over numbers of all widths."""
    return _extended(draw, start_narrow(draw), NARROW)


def mixed_programs(smooth: bool = False, layouts: bool = False) -> st.SearchStrategy[Program]:
    """Return programs of all kinds but those with special and narrow numbers."""
    return st.one_of(*(programs(families, smooth, layouts)
                       for families in (GENERAL, GENERAL, SPARSE, COMPLEX, LINEAR)))  # fmt: skip


def _extended(draw: Any, program: Program, families: Sequence[Family]) -> Program:
    for _ in range(draw(st.integers(4, 10))):
        draw(st.sampled_from(families))(program)
    return program


def budget(examples: int) -> settings:
    """Return settings for a number of programs; ``SYMTHEANO_LONG_RUN=N`` makes N times as many."""
    return settings(
        max_examples=examples * TIMES or examples,
        derandomize=not TIMES,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
