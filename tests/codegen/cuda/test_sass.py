"""Machine code of kernels: how often and how widely they access memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.gradient import grad
from tests.support.sass import accesses, instructions

a, b = T.fvector("a"), T.fvector("b")


def rows(length: int, name: str = "x") -> T.TensorVariable:
    return T.TensorType("float32", (None, length))(name)


@pytest.mark.parametrize(
    "y",
    [
        a * a + b * b + 2 * a * b,
        T.tanh(a) * b,
        T.exp(a + b),
        T.switch(a > b, a, b),
        T.clip(a, 0, 1) / T.sqrt(b),
        grad((T.erf(a) * b).sum(), a),
    ],
)
def test_elements_are_accessed_in_vectors(y: T.TensorVariable, tmp_path: Path) -> None:
    (counts,) = accesses([a, b], y, tmp_path)
    assert counts["LDG.E.128"] == 2
    assert counts["STG.E.128"] == 1


def test_elements_of_tensors_and_several_results_are_accessed_in_vectors(tmp_path: Path) -> None:
    x, s = T.ftensor4("x"), T.fscalar("s")
    (counts,) = accesses([x, s], T.nnet.relu(x) * s, tmp_path)
    assert (counts["LDG.E.128"], counts["STG.E.128"]) == (1, 1)
    velocity, gradient, w = (T.fvector(name) for name in ("velocity", "gradient", "w"))
    new = np.float32(0.9) * velocity - np.float32(0.1) * gradient
    (counts,) = accesses([velocity, gradient, w], [new, w + new], tmp_path)
    assert (counts["LDG.E.128"], counts["STG.E.128"]) == (3, 2)


def test_rows_that_are_repeated_or_joined_are_accessed_in_vectors(tmp_path: Path) -> None:
    m = T.fmatrix("m")
    (counts,) = accesses([m, a], T.nnet.relu(m + a), tmp_path)
    assert (counts["LDG.E.128"], counts["STG.E.128"]) == (2, 1)
    for counts in accesses([a, b], T.concatenate([a, b]), tmp_path):
        assert (counts["LDG.E.128"], counts["STG.E.128"]) == (1, 1)


def test_two_accesses_for_vectors_of_doubles(tmp_path: Path) -> None:
    d = T.dvector("d")
    (counts,) = accesses([d], d * d, tmp_path)
    assert (counts["LDG.E.128"], counts["STG.E.128"]) == (2, 2)


def once(counts: Counter[str], loads: int, stores: int, fours: bool) -> bool:
    """Return whether a thread loads and stores so many elements, and has no array in memory.

    Those of ``fours`` are accessed four at a time, or one by one where they are not aligned.
    """
    wanted = {"LDG.E": loads, "STG.E": stores}
    if fours:
        wanted |= {"LDG.E.128": loads // 4, "STG.E.128": stores // 4}
    return counts == wanted


# Lengths of rows, and how many elements a thread has: a warp has 32 threads for a row, a block 256.
LENGTHS = pytest.mark.parametrize(
    ("length", "elements"), [(1001, 32), (1024, 32), (4096, 16), (3000, 12)]
)


@LENGTHS
def test_rows_are_loaded_once(length: int, elements: int, tmp_path: Path) -> None:
    x = rows(length)
    (counts,) = accesses([x], T.nnet.softmax(x), tmp_path)
    assert once(counts, elements, elements, length % 4 == 0)
    centred = x - x.mean(1, keepdims=True)
    normed = centred / T.sqrt(T.sqr(centred).mean(1, keepdims=True) + np.float32(1e-5))
    (counts,) = accesses([x], normed, tmp_path)
    assert once(counts, elements, elements, length % 4 == 0)
    c = rows(length, "c")
    (counts,) = accesses([x, c], grad((T.nnet.softmax(x) * c).sum(), x), tmp_path)
    assert once(counts, 2 * elements, elements, length % 4 == 0)


@LENGTHS
def test_gradients_load_rows_once(length: int, elements: int, tmp_path: Path) -> None:
    """Those of layer normalization, and of cross-entropy with labels or with a distribution."""
    x, c, k = rows(length), rows(length, "c"), T.lvector("k")
    p, fours = T.nnet.softmax(x), length % 4 == 0
    centred = x - x.mean(1, keepdims=True)
    normed = centred / T.sqrt(T.sqr(centred).mean(1, keepdims=True) + np.float32(1e-5))
    for cost in ((normed * c).sum(), T.nnet.categorical_crossentropy(p, c).mean()):
        (counts,) = accesses([x, c], grad(cost, x), tmp_path)
        assert once(counts, 2 * elements, elements, fours)
    picked = -T.log(p)[T.arange(k.shape[0]), k].mean()
    for cost in (picked, T.nnet.categorical_crossentropy(p, k).mean()):
        (counts,) = (each for each in accesses([x, k], grad(cost, x), tmp_path) if each["STG.E"])
        labels = counts.pop("LDG.E.64")
        assert labels == 2  # the label of a row, and the number of rows
        assert once(counts, elements, elements, fours)


def test_arrays_of_unknown_length_are_registers(tmp_path: Path) -> None:
    x = T.fmatrix("x")
    for counts in accesses([x], T.nnet.softmax(x), tmp_path):
        assert not any(word.startswith(("LDL", "STL")) for word in counts)


def test_sums_of_columns_are_registers(tmp_path: Path) -> None:
    """Each row of a chunk adds to sums, which are read and written once."""
    x, c, g = rows(4096), rows(4096, "c"), T.fvector("g")
    normed = x / T.sqrt(T.sqr(x).mean(1, keepdims=True) + np.float32(1e-5)) * g
    for counts in accesses([x, c, g], grad((normed * c).sum(), [x, g]), tmp_path):
        assert not any(word.startswith(("LDL", "STL")) for word in counts)
        if counts["LDG.E"]:
            assert counts["LDG.E"] == 16 * 3  # x, c and g
            assert counts["LDG.E.64"] == 16


def test_places_are_computed_in_32_bits(tmp_path: Path) -> None:
    """Numbers of 64 bits are divided by a function, and multiplied by several instructions."""
    known, x = T.TensorType("float32", (64, 100, 300))("known"), T.ftensor3("x")
    (code,) = instructions([known], known.dimshuffle(2, 1, 0) + 1, tmp_path)
    assert not any(word.startswith(("CALL", "I2F")) for word in code)
    for y in (x.dimshuffle(1, 0, 2) + 1, x[::2, :, ::3] + 1):
        (narrow,) = instructions([x], y, tmp_path)
        (wide,) = instructions([x], y, tmp_path, wide=True)
        assert not any(word.startswith("CALL") for word in narrow)
        assert any(word.startswith("CALL") for word in wide)
        assert len(narrow) < 0.5 * len(wide)


def test_a_tile_is_loaded_before_it_is_stored(tmp_path: Path) -> None:
    x = T.fmatrix("x")
    (code,) = instructions([x], x.T * 2, tmp_path)
    found = [word[:3] for word in code if word.startswith(("LDG", "STS", "LDS", "STG"))]
    assert found == [word for word in ("LDG", "STS", "LDS", "STG") for _ in range(4)]


def test_one_division_for_a_position(tmp_path: Path) -> None:
    """A thread divides the number of its element by the length of each axis but the first."""
    x, w = T.ftensor4("x"), T.TensorType("float32", (2, 3, 3, 3))("w")
    (code,) = instructions([x, w], T.nnet.conv2d(x, w, filter_shape=(2, 3, 3, 3)), tmp_path)
    blocks, axes = 2, 2
    assert sum(word.startswith("I2F.U32") for word in code) == blocks + axes
