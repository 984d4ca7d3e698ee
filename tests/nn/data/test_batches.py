"""Batches of arrays that are read in parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from symtheano import nn
from symtheano.errors import ReadError, ShapeError
from symtheano.nn.data import Batches
from symtheano.nn.data.batches import MIXED


def numbers(batches: Any) -> list[list[int]]:
    return [y.tolist() for x, y in batches]


@given(
    st.integers(1, 60), st.integers(1, 20), st.integers(1, 13), st.booleans(), st.booleans(),
    st.integers(1, 3),
)  # fmt: skip
def test_each_sample_comes_once_with_its_target(
    count: int, size: int, block: int, shuffle: bool, drop: bool, ahead: int
) -> None:
    x, y = np.stack([np.arange(count)] * 2, axis=1) * 1.5, np.arange(count)
    batches = Batches(
        x, y, batch_size=size, block=block, shuffle=shuffle, drop_last=drop, ahead=ahead
    )
    for _ in range(2):
        found = list(batches)
        assert len(found) == len(batches) == (count // size if drop else -(-count // size))
        assert all(len(b) == size for _, b in found[:-1])
        for a, b in found:
            np.testing.assert_array_equal(a, np.stack([b, b], axis=1) * 1.5)
        seen = [label for _, b in found for label in b.tolist()]
        assert len(set(seen)) == len(seen) == (count // size * size if drop else count)
        assert shuffle or seen == sorted(seen)
    assert batches.epoch == 2


def test_orders_depend_on_seed_and_epoch_only() -> None:
    y = np.arange(200)

    def epochs(seed: int, ahead: int = 2) -> list[list[list[int]]]:
        batches = Batches(y, y, batch_size=10, block=8, shuffle=True, seed=seed, ahead=ahead)
        return [numbers(batches) for _ in range(2)]

    first, second = epochs(1)
    assert first != second
    assert epochs(1, ahead=9) == [first, second]
    assert epochs(2)[0] != first
    later = Batches(y, y, batch_size=10, block=8, shuffle=True, seed=1)
    later.epoch = 1
    assert numbers(later) == second


def test_samples_of_many_blocks_are_mixed() -> None:
    batches = Batches(np.arange(800), np.arange(800), batch_size=40, block=10, shuffle=True)
    blocks = [{label // 10 for label in batch} for batch in numbers(batches)]
    assert all(3 <= len(one) <= MIXED for one in blocks)


def test_forms_of_arguments() -> None:
    a, b = np.arange(4.0), np.arange(4)
    ((x, y, w),) = Batches([a, b], {"p": b, "q": a}, a + 1, batch_size=9)
    assert [one.dtype.kind for one in x] == ["f", "i"]
    assert sorted(y) == ["p", "q"]
    np.testing.assert_array_equal(w, a + 1)
    ((x, y),) = Batches([[1.0, 2.0], [3.0, 4.0]], (0, 1), batch_size=9)
    assert (x.shape, y.tolist()) == ((2, 2), [0, 1])


@pytest.mark.parametrize("shuffle", [False, True])
def test_shares_are_equal_and_disjoint(shuffle: bool) -> None:
    y = np.arange(103)
    shares = [
        Batches(y, y, batch_size=8, block=5, shuffle=shuffle, seed=k, share=(k, 4))
        for k in range(4)
    ]
    assert [len(share) for share in shares] == [4] * 4
    found = [[label for batch in numbers(share) for label in batch] for share in shares]
    assert [len(one) for one in found] == [25] * 4
    assert sorted(label for one in found for label in one) == list(range(100))
    for share in ((4, 4), (-1, 4)):
        with pytest.raises(ValueError, match=r"there is no share -?\d of 4"):
            Batches(y, y, share=share)


def test_empty_arrays_have_no_batches() -> None:
    batches = Batches(np.ones((0, 3)), np.ones(0), shuffle=True)
    assert len(batches) == 0
    assert list(batches) == []


class Broken:
    shape, dtype = (100, 3), np.dtype("float32")

    def __getitem__(self, key: Any) -> Any:
        if key[0].start >= 40:
            raise OSError("the disk is gone")
        return np.zeros((key[0].stop - key[0].start, 3), "float32")


def test_errors_name_the_rows() -> None:
    batches = iter(Batches(Broken(), np.zeros(100), batch_size=20, block=20))
    next(batches), next(batches)
    with pytest.raises(ReadError, match=r"rows 40 to 60 of x can't be read: the disk") as raised:
        next(batches)
    assert isinstance(raised.value.__cause__, OSError)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"y": np.zeros(4)}, ShapeError, r"(?s)different numbers.*x: 3 samples.*y: 4 samples"),
        ({"batch_size": 0}, ValueError, "batch_size"),
        ({"block": 0}, ValueError, "block"),
        ({"seed": -1}, ValueError, "seed"),
        ({"x": 3.0}, ShapeError, "Batches: x has no axis 0"),
    ],
)
def test_unsuitable_arguments(options: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        Batches(**{"x": np.zeros(3), "y": np.zeros(3), **options})


def test_blocks_follow_stored_groups() -> None:
    class Stored(Broken):
        chunks = (7, 3)

    assert Batches(Stored(), np.zeros(100), batch_size=10).block % 7 == 0
    assert Batches(np.zeros((9, 1024)), np.zeros(9)).block == (4 << 20) // (8 * 1025)


@pytest.mark.needs_cc
def test_models_learn_from_files(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", "float32", (2000, 4))
    x[:] = rng.normal(size=x.shape)
    y = (x[:, 0] > x[:, 1]).astype("int32")

    def fitted(data: Any) -> Any:
        model = nn.Sequential(seed=0).dense(16, "relu").dense(2, "softmax").model
        model.compile("sparse_categorical_crossentropy", "adam", metrics=["accuracy"])
        history = model.fit(data, epochs=8, verbose=0)
        return model, history

    batches = Batches(np.load(tmp_path / "x.npy", mmap_mode="r"), y, batch_size=20, shuffle=True)
    model, history = fitted(batches)
    assert history["accuracy"][-1] > 0.9
    whole = model.evaluate(x, y)
    parts = model.evaluate(Batches(x, y, batch_size=300))
    np.testing.assert_allclose(parts["loss"], whole["loss"], rtol=1e-5)
    _, again = fitted(Batches(x, y, batch_size=20, shuffle=True))
    assert again["loss"] == history["loss"]
