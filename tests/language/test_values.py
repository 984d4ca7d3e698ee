"""Random programs over the whole language: compiled, interpreted, and as NumPy runs them.

``SYMTHEANO_LONG_RUN=N`` runs N times as many programs, at random.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.language.check import compare, rewritten
from tests.language.program import Program
from tests.language.strategies import (
    COMPLEX,
    GENERAL,
    LINEAR,
    SPARSE,
    SPECIAL,
    budget,
    mixed_programs,
    narrow_programs,
    programs,
)
from tests.support.compare import compiled


@pytest.mark.needs_cc
@budget(20)
@given(mixed_programs(layouts=True))
def test_in_c(program: Program) -> None:
    compare(program, compiled, "programs of the whole language")


@pytest.mark.needs_cc
@budget(6)
@given(programs(SPECIAL))
def test_special_numbers_in_c(program: Program) -> None:
    compare(program, compiled, "programs with special numbers")


@pytest.mark.needs_cc
@budget(6)
@given(narrow_programs())
def test_narrow_numbers_in_c(program: Program) -> None:
    compare(program, compiled, "programs with narrow numbers")


@budget(60)
@given(programs(GENERAL))
def test_rewritten(program: Program) -> None:
    compare(program, rewritten, "programs of the whole language")


@budget(30)
@given(programs(SPECIAL))
def test_special_numbers_rewritten(program: Program) -> None:
    compare(program, rewritten, "programs with special numbers")


@budget(30)
@given(narrow_programs())
def test_narrow_numbers_rewritten(program: Program) -> None:
    compare(program, rewritten, "programs with narrow numbers")


@budget(20)
@given(programs(SPARSE))
def test_sparse_rewritten(program: Program) -> None:
    compare(program, rewritten, "programs with sparse matrices")


@budget(15)
@given(programs(COMPLEX))
def test_complex_rewritten(program: Program) -> None:
    compare(program, rewritten, "programs with complex numbers")


@budget(15)
@given(programs(LINEAR))
def test_linear_algebra_rewritten(program: Program) -> None:
    compare(program, rewritten, "programs of linear algebra")
