"""Records: what is stored of a compiled file comes back, and nothing else."""

from __future__ import annotations

import marshal

import numpy as np
import pytest

from symtheano.codegen.record import BLAS, LAPACK, OutputSpec, Record
from symtheano.graph.stacks import LEAST_STACK

ARRAY = np.arange(6, dtype="float32").reshape(2, 3)
PLAIN = Record("0" * 64, "f", (), (("float64", 0, None),), 0)
FULL = Record(
    "a" * 64, "entry", (BLAS, "i0", LAPACK), (("float64", 2, None), ("int8", 0, 1)), 1,
    (("float32", (2, 3), ARRAY.tobytes()), ("bool", (), b"\1")), (("exp", "a.py:3"), ("sum", None)),
)  # fmt: skip


@pytest.mark.parametrize("record", [PLAIN, FULL])
def test_round_trip(record: Record) -> None:
    data = record.to_bytes()
    assert data is not None
    assert Record.from_bytes(data) == record


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"\0" * 40])
def test_damaged_bytes_are_an_error(damage: bytes) -> None:
    data = PLAIN.to_bytes()
    assert data is not None
    for broken in (damage, data[: len(data) // 2], marshal.dumps(tuple(PLAIN)[:3])):
        with pytest.raises((ValueError, EOFError, TypeError)):
            Record.from_bytes(broken)


def test_constants_come_back_as_arrays() -> None:
    table, flag = FULL.constant_arrays()
    np.testing.assert_array_equal(table, ARRAY)
    assert (table.dtype, table.shape) == (ARRAY.dtype, ARRAY.shape)
    assert flag.shape == ()
    assert flag


def test_large_constants_are_not_stored_twice() -> None:
    large = ("int8", (1 << 20,), bytes(1 << 20))
    assert PLAIN._replace(constants=(large,)).to_bytes() is not None
    assert PLAIN._replace(constants=(large, ("int8", (1,), b"\0"))).to_bytes() is None


def test_what_it_is_linked_with() -> None:
    assert FULL.uses_blas
    assert FULL.externals == ("i0", LAPACK)
    assert not PLAIN.uses_blas
    assert PLAIN.externals == ()
    assert PLAIN._replace(links=(LAPACK,)).externals == (LAPACK,)


def test_libraries_need_larger_stacks() -> None:
    assert PLAIN.stacks == (LEAST_STACK, 0)
    assert PLAIN._replace(links=(BLAS,)).stacks == (2 * LEAST_STACK, 0)
    of_one, of_more = FULL.stacks
    assert of_one == 2 * LEAST_STACK
    assert of_more > 8 * 540_000


def test_outputs() -> None:
    assert FULL.output_specs() == (
        OutputSpec(np.dtype("float64"), 2),
        OutputSpec(np.dtype("int8"), 0, 1),
    )
