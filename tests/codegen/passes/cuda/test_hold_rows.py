"""Hold rows: elements that several loops over a row use stay in registers."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.hold_rows import hold_rows
from symtheano.codegen.passes.cuda.row_chunks import row_chunks
from symtheano.dataclass import replace
from symtheano.gradient import grad
from symtheano.loopir import Buffer, For, Load, Store
from symtheano.loopir.names import walk
from tests.codegen.passes.change import TINY, Change, Golden, Shapes, before, change
from tests.codegen.passes.cuda.programs import assert_emulated, emulated
from tests.codegen.passes.kernels import k, v, x

BEFORE = before(hold_rows, CUDA.passes)
FIRST = [each for each in BEFORE if each is not row_chunks]  # that cuts few rows
THEN = CUDA.passes[len(BEFORE) + 1 :]
# Rows of a warp, of a block, of a block whose registers do not hold them; whole fours.
ROWS: Shapes = ((3, 4), (2, 7), (2, 1), (0, 5), (3, 0), (1, 70), (2, 32), (1, 68))
c = T.dmatrix("c")
SOFTMAX = T.nnet.softmax(x)
FIXED = T.TensorType("float64", (None, 11))("fixed")


def held(
    inputs: list[T.TensorVariable], outputs: object, registers: int = 32, shapes: Shapes = ROWS
) -> Change:
    """Return what the pass makes of a kernel; values are compared."""
    device = replace(TINY.device, held=registers)
    target = replace(TINY, device=device)
    return change(hold_rows, inputs, outputs, first=FIRST, then=THEN, target=target, shapes=shapes)


def arrays(found: Change) -> set[str]:
    """Return the arrays of registers."""
    stores = [s for s in walk(found.after.body) if isinstance(s, Store)]
    return {f"{b.name}[{b.size}]" for s in stores if (b := s.buffer).space == "stack"}


def in_memory(found: Change, kind: type[Load | Store], unrolled: bool = True) -> list[str]:
    """Return the arrays in memory that unrolled loops, or all others, load or store."""
    loops = [s for s in walk(found.after.body) if isinstance(s, For) and s.kind == "unrolled"]
    inside = {id(s): s for loop in loops for s in walk(loop.body)}
    every = inside.values() if unrolled else [
        s for s in walk(found.after.body) if id(s) not in inside
    ]  # fmt: skip
    return sorted(s.buffer.name for s in every if isinstance(s, kind) and s.buffer.space != "stack")


def test_softmax(golden: Golden) -> None:
    golden(held([x], SOFTMAX).text, "passes/cuda/hold_rows.txt")


def test_each_element_is_loaded_and_stored_once() -> None:
    found = held([FIXED], T.nnet.softmax(FIXED))
    assert arrays(found) == {"fixed_held[2]", "out_held[2]"}
    assert in_memory(found, Load) == ["fixed"]
    assert in_memory(found, Store) == ["out"]
    assert not {"fixed", "out"}.intersection(in_memory(found, Load, unrolled=False))


def test_rows_longer_than_registers() -> None:
    """What is beyond the registers is loaded from memory by each loop."""
    found = held([x], SOFTMAX, registers=16)
    assert {name.split("[")[1] for name in arrays(found)} == {"1]", "4]"}
    assert in_memory(found, Load, unrolled=False).count("x") == 4  # two of them for whole fours


def test_registers_go_to_what_saves_most() -> None:
    reasons = held([x], SOFTMAX, registers=8).reasons
    assert [reason.split(" of ")[0] for reason in reasons] == [
        "j: x", "j: SOFTMAX", "j_4: x", "j_4: not, SOFTMAX",
    ]  # fmt: skip


def test_rows_without_elements() -> None:
    empty = T.TensorType("float64", (None, 0))("empty")
    found = held([empty], empty / (1 + T.abs(empty.sum(1, keepdims=True))))
    assert not arrays(found)


def test_no_register() -> None:
    found = held([x], SOFTMAX, registers=0)
    assert found.after == found.before


def test_elements_that_are_used_once() -> None:
    found = held([x, v], (x * v).sum(1))
    found.assert_refused("not, no loops over a row use the same elements")


@pytest.mark.parametrize("registers", [10, 32, 1000])
def test_sums_of_columns_around_rows(registers: int, golden: Golden) -> None:
    """Sums that pass from row to row are added to memory after the rows of a chunk."""
    y = (x - x.mean(1, keepdims=True)) * v
    found = held([x, v, c], grad((y * c).sum(), [x, v]), registers, ((5, 7), (7, 70), (0, 3)))
    assert any(name.startswith("v_grad_parts_held") for name in arrays(found))
    if registers == 32:
        golden(found.text, "passes/cuda/hold_rows_sums.txt")


def test_extrema_of_columns_around_rows() -> None:
    y = x - x.mean(1, keepdims=True)
    found = held([x], [y, y.max(0)], shapes=((5, 7), (7, 40), (1, 1)))
    assert "-inf" in found.text


def test_elements_at_labels_stay_in_memory() -> None:
    loss = T.nnet.categorical_crossentropy(SOFTMAX, k).mean()
    found = held([x, k], grad(loss, x), shapes=((3, 4), (2, 7), (1, 70), (2, 36), (1, 160)))
    kept = {name.split("_held")[0] for name in arrays(found) if "_held" in name}
    assert kept == {"x", "x_grad"}


@pytest.mark.needs_cxx
@pytest.mark.parametrize("length", [0, 1, 2, 31, 33, 127, 600, 1024, 1025, 4096, 5000])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_values(length: int, dtype: str) -> None:
    y = T.matrix("y", dtype=dtype)
    rows = np.random.default_rng(1).normal(size=(3, length)).astype(dtype)
    if length > 3:
        rows[0, 2], rows[1, length - 1] = np.inf, np.nan
    f = T.nnet.softmax(y) if length else y - y.mean(1, keepdims=True)
    with np.errstate(all="ignore"):
        tolerance = 2e-3 if dtype == "float16" else 1e-6
        want = function([y], f, mode="INTERPRET")(rows)
        np.testing.assert_allclose(emulated([y], f)(rows), want, tolerance, 1e-9)


@pytest.mark.needs_cxx
@pytest.mark.parametrize("length", [5, 300, 5000])
def test_values_of_sums_around_rows(length: int) -> None:
    y, d, g = T.fmatrix("y"), T.fmatrix("d"), T.fvector("g")
    centred = y - y.mean(1, keepdims=True)
    normed = centred / T.sqrt(T.sqr(centred).mean(1, keepdims=True) + np.float32(1e-5)) * g
    first, second = np.random.default_rng(2).normal(size=(2, 20, length)).astype("float32")
    values = [first, second, first[0]]
    assert_emulated([y, d, g], grad((normed * d).sum(), [y, g]), values)


@pytest.mark.needs_cxx
@pytest.mark.parametrize("length", [7, 700, 1502, 8192])
def test_values_of_known_lengths(length: int) -> None:
    """Rows whose length is known, of a view with steps, and of truth values."""
    y = T.TensorType("float32", (None, length))("y")
    rows = np.random.default_rng(2).normal(size=(4, 2 * length)).astype("float32")[:, ::2]
    centred = y - y.mean(1, keepdims=True)
    normed = centred / T.sqrt(T.sqr(centred).mean(1, keepdims=True) + np.float32(1e-5))
    outputs = [normed, grad(T.tanh(normed).sum(), y), T.nnet.softmax(y)]
    assert_emulated([y], outputs, [rows], atol=2e-6)  # NumPy's tanh depends on the processor
    bits = T.TensorType("bool", (None, length))("bits")
    total = bits.sum(1, keepdims=True)
    assert_emulated([bits], T.switch(bits, total, -total), [rows > 0])


def test_registers_have_a_dtype() -> None:
    buffers = {s.buffer for s in walk(held([x], SOFTMAX).after.body) if isinstance(s, Store)}
    assert {b.dtype for b in buffers if isinstance(b, Buffer) and b.space == "stack"} == {"float64"}
