"""What a routine says of its parameters."""

from __future__ import annotations

import pytest

from symtheano.codegen.routines import ROUTINES
from symtheano.loopir.routine import Parameter, Routine, signature


def test_a_signature_is_read() -> None:
    assert signature("n, t: transposed, alpha: T, x: in R, y: out int64, z: inout any?") == (
        Parameter("n"),
        Parameter("t", "transposed"),
        Parameter("alpha", "T"),
        Parameter("x", "R", "in"),
        Parameter("y", "int64", "out"),
        Parameter("z", "any", "inout", True),
    )


@pytest.mark.parametrize("text", ["n m", "x: of T", "x: in matrix", "n: int64", "x: in integer"])
def test_a_wrong_signature_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="LoopIR"):
        signature(text)


def test_dtypes_of_parameters() -> None:
    x, s, y, order = signature("x: in T, s: out R, y: out any, order: out int64")
    found = [parameter.dtype("complex64") for parameter in (x, s, y, order)]
    assert found == ["complex64", "float32", None, "int64"]


def test_what_is_written() -> None:
    assert ROUTINES["copy"].written == (0,)
    assert ROUTINES["gemm"].written == (11,)
    assert ROUTINES["svd"].written == (5, 6, 7)
    assert ROUTINES["dot"].written == (5,)


@pytest.mark.parametrize("routine", ROUTINES.values(), ids=str)
def test_every_routine_has_its_text(routine: Routine) -> None:
    for dtype in routine.dtypes:
        pieces = routine.sections(dtype)
        name = f"st_{routine.name}"
        # A macro makes the functions that draw with NumPy's generator.
        assert name in pieces[-1].replace("ST_PCG64_DRAW(", "st_pcg64_")
        assert routine.sections(dtype) == pieces
