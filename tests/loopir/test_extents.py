"""Extents: which integers of a kernel may have 32 bits, and what has to be found out for that."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    Builder,
    For,
    Index,
    Launch,
    Let,
    LetIndex,
    Literal,
    Load,
    Program,
    Store,
    Update,
    Value,
)
from symtheano.loopir.extents import Extents, covers, narrow_integers
from symtheano.loopir.operands import LANES
from symtheano.loopir.program import Function
from symtheano.loopir.verify import VerificationError, verify
from tests.codegen.passes.cuda.programs import cuda_program
from tests.support.loops import Array, Machine

N, M = Index.symbol("n"), Index.symbol("m")
ROWS, COLUMNS = Value("n", "int64"), Value("m", "int64")


def kernel(b: Builder, *values: Value) -> Function:
    function = Function("k", b.statements(), (X, P), values, frozenset(["x"]))
    return replace(function, narrow=narrow_integers(function))


X = Buffer("x", "float32", "arena", N * M, place="device")
P = Buffer("p", "int64", "arena", N, place="device")


def test_counters_and_lengths_are_narrow_and_data_is_not() -> None:
    b = Builder()
    with b.loop("i", N, kind="grid") as i, b.loop("t", 1, kind="thread"):
        place = b.value("place", "int64")
        b.emit(Load(place, P, i))
        data = b.let("mul", "int64", [COLUMNS, place], "data")
        half = b.let("int_div", "int64", [COLUMNS, Literal(2, "int64")], "half")
        assert isinstance(half, Value)
        b.emit(Store(P, i, data))
        b.emit(Store(X, place.index * M + half.index, Literal(1.0, "float32")))
    k = kernel(b, ROWS, COLUMNS)
    loops = {s.index.name for s in k.body if isinstance(s, For)} | {"t"}
    assert k.narrow == loops | {"n", "m", "half"}
    assert covers(Extents(k).bound, M + M)  # the product of place and m has 64 bits


def test_what_is_computed_from_what_is_loaded_has_no_extent() -> None:
    b = Builder()
    place = b.value("place", "int64")
    b.emit(Load(place, P, Index.of(0)))
    k = Function("k", b.statements(), (P,), (), frozenset(), narrow=frozenset(["place"]))
    assert Extents(k).bound == 0  # it is not defined by what has an extent
    b.index_value(place.index + 1, "next")
    k = replace(k, body=b.statements())
    names = {s.target.name for s in k.body if isinstance(s, LetIndex)}
    with pytest.raises(ValueError, match="has no extent"):
        Extents(replace(k, narrow=frozenset(names)))


@pytest.mark.parametrize(
    ("op", "operands", "extent"),
    [
        ("minimum", [ROWS, COLUMNS], N + M),
        ("and_", [ROWS, Literal(-4, "int64")], N + 4),
        ("sub", [ROWS, COLUMNS], N + M),
        ("mul", [ROWS, COLUMNS], N * M),
        ("mod", [ROWS, COLUMNS], M),
        ("place_div", [ROWS, COLUMNS], N),
        ("switch", [Value("yes", "bool"), ROWS, Literal(7, "int64")], N + 7),
    ],
)
def test_extents_of_what_rows_compute(op: str, operands: list[Any], extent: Index) -> None:
    b = Builder()
    value = b.let(op, "int64", operands, "value")
    assert isinstance(value, Value)
    b.emit(Store(X, value.index, Literal(1.0, "float32")))
    k = kernel(b, ROWS, COLUMNS, Value("yes", "bool"))
    assert value.name in k.narrow
    assert extent in Extents(k).needed


def test_all_parts_of_an_address_are_needed() -> None:
    """An address with a place that is loaded has 64 bits, but not the terms without it."""
    b = Builder()
    with b.loop("i", N, kind="grid") as i, b.loop("t", 1, kind="thread"):
        place = b.value("place", "int64")
        b.emit(Load(place, P, i))
        b.emit(Store(X, (place.index + i * M) * M - N, Literal(1.0, "float32")))
    assert N * M * M + M + N in Extents(kernel(b, ROWS, COLUMNS)).needed


class _Checked(Machine):
    """Runs a kernel, and checks that extents hold of all that is computed with 32 bits."""

    def __init__(self, k: Function, integers: Mapping[str, int], arrays: Mapping[str, Array]):
        super().__init__(integers, arrays)
        self.narrow, self.checked = k.narrow, 0
        sizes = {name: max(1, abs(value)) for name, value in integers.items()}
        self.most = Machine(sizes, {}).index(Extents(k).bound)

    def _check(self, value: int) -> None:
        self.checked += 1
        assert abs(value) <= self.most

    def index(self, index: Index) -> int:
        parts = [
            coefficient * math.prod(int(self.values[n]) for n in names if n in self.narrow)
            for names, coefficient in index.terms
        ]
        self._check(sum(abs(part) for part in parts))
        return super().index(index)

    def place(self, statement: Load | Store | Update) -> tuple[Array, int]:
        """Return some element: lengths are arbitrary, and do not fit each other."""
        if statement.buffer.space == "stack":
            return super().place(statement)
        array = self.memory(statement.buffer)
        return array, self.index(statement.index) % (array.size - LANES)

    def _let(self, s: Let) -> None:
        super()._let(s)
        if s.target.name in self.narrow:
            self._check(int(self.values[s.target.name]))


x, y, v, p = T.fmatrix("x"), T.ftensor3("y"), T.fvector("v"), T.lvector("p")


@pytest.mark.parametrize(
    "output",
    [
        x.T * 2,
        y.dimshuffle(1, 0, 2) + 1,
        y[::-1, ::2, ::-3] * 2,
        x.sum(0),
        x[p] * v,
        T.cumsum(v),
        T.sort(v),
        T.roll(x, 3, axis=1),
        T.concatenate([x, x], axis=1),
        T.set_subtensor(x[1:, ::2], 0.0),
        T.tile(v, 3),
    ],
)
def test_extents_hold(output: T.TensorVariable) -> None:
    program = cuda_program([x, y, v, p], output)
    for k in program.kernels:
        assert k.narrow
        integers = {value.name: 5 + at for at, value in enumerate(k.values)}
        arrays = {b.name: np.zeros(1 << 15, b.dtype) for b in k.buffers}
        machine = _Checked(k, integers, arrays)
        machine.run(k.body)
        assert machine.checked > 0


def launched(program: Program, change: Any) -> Program:
    """Return a program with other launches."""
    return replace(
        program,
        functions=tuple(
            replace(f, body=tuple(change(s) if isinstance(s, Launch) else s for s in f.body))
            for f in program.functions
        ),
    )


def test_a_launch_finds_out_whether_32_bits_suffice() -> None:
    program = cuda_program([x], x.T * 2)
    verify(program)
    with pytest.raises(VerificationError, match="may need more than 32 bits"):
        verify(launched(program, lambda s: replace(s, bound=Index.of(0))))
    smaller = launched(program, lambda s: replace(s, bound=Index.symbol(s.values[0].name)))
    with pytest.raises(VerificationError, match="may need more than 32 bits"):
        verify(smaller)
    wide = tuple(replace(k, narrow=frozenset()) for k in program.kernels)
    verify(launched(replace(program, kernels=wide), lambda s: replace(s, bound=Index.of(0))))


def test_nothing_else_may_have_32_bits() -> None:
    program = cuda_program([x, p], x[p])
    computed = {
        s.target.name
        for k in program.kernels
        for s in Program("p", (), (), (), (), functions=(k,)).statements()
        if isinstance(s, Let) and s.target.dtype == "int64" and s.target.name not in k.narrow
    }
    assert computed
    kernels = tuple(replace(k, narrow=k.narrow | computed) for k in program.kernels)
    with pytest.raises(VerificationError, match="has no extent"):
        verify(replace(program, kernels=kernels))
