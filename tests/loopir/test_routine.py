"""What a routine says of its parameters."""

from __future__ import annotations

import pytest

from symtheano.codegen.routines import ROUTINES
from symtheano.loopir.routine import Parameter, Routine, Struct, signature


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


def test_members_of_a_struct_are_one_argument() -> None:
    lengths = Struct("st_lengths", {"n": 1, "k": 3, "flip": 1})
    assert lengths.members == ("n", "k0", "k1", "k2", "flip")
    parameters = signature(", ".join((*lengths.members, "x: in T")))
    routine = Routine("convolution", parameters, lambda _: (), struct=lengths)
    given = dict(zip((*lengths.members, "x"), ["m", "1", "2", "3", "0", "x"], strict=True))
    text = ", ".join(routine.grouped(given))
    assert text == "&(st_lengths){.n = m, .k = {1, 2, 3}, .flip = 0}, x"
    plain = Routine("convolution", parameters, lambda _: ())
    assert plain.grouped({"n": "m", "x": "x"}) == ["m", "x"]
    spread = Routine("product", signature("k: T, n, x: in T, i, y: in T"), lambda _: (),
                     struct=Struct("st_lengths", {"n": 1, "i": 1}))  # fmt: skip
    given = {"k": "1.0", "n": "m", "x": "x", "i": "4", "y": "y"}
    assert ", ".join(spread.grouped(given)) == "1.0, &(st_lengths){.n = m, .i = 4}, x, y"


@pytest.mark.parametrize("name", ["convolution", "convolution_weights", "pool_max"])
def test_the_first_parameters_are_the_members_of_the_struct(name: str) -> None:
    routine = ROUTINES[name]
    assert routine.struct is not None
    members = routine.struct.members
    assert tuple(p.name for p in routine.parameters[: len(members)]) == members
    assert routine.integers[: len(members)] == tuple(range(len(members)))
