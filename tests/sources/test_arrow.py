"""Columns of Arrow, and of Parquet files."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano.sources import as_source
from symtheano.sources.parquet import ParquetColumns

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def table() -> Any:
    return pa.table(
        {
            "x": pa.array(np.arange(10.0)),
            "k": pa.array(np.arange(10), pa.int32()),
            "b": pa.array([True, False] * 5),
            "gap": pa.array([1.0, None] * 5),
            "hole": pa.array([1, None] * 5),
            "text": pa.array(["a"] * 10),
            "v": pa.FixedSizeListArray.from_arrays(pa.array(np.arange(20.0, dtype="float32")), 2),
        }
    )


@pytest.mark.parametrize(
    ("name", "dtype"), [("x", "float64"), ("k", "int32"), ("b", "bool"), ("v", "float32")]
)
def test_columns(name: str, dtype: str) -> None:
    chunked = pa.chunked_array([*table()[name].chunks, *table()[name].slice(3, 4).chunks])
    wanted = np.array(chunked.to_pylist(), dtype)
    for column in (chunked, chunked.combine_chunks()):
        source = as_source(column)
        assert source.shape == wanted.shape
        assert source.dtype == dtype
        for start, stop in ((0, 14), (2, 5), (8, 13), (4, 4)):
            part = pickle.loads(pickle.dumps(source.part(start, stop))).load()
            assert part.dtype == dtype
            np.testing.assert_array_equal(part, wanted[start:stop])


def test_missing_values() -> None:
    gap = as_source(table()["gap"]).part(0, 2).load()
    np.testing.assert_array_equal(gap, [1, np.nan])
    with pytest.raises(ValueError, match="holes: 1 of 2 values of int64 are missing"):
        as_source(table()["hole"], 0, "holes").part(0, 2).load()
    with pytest.raises(TypeError, match="string are no numbers"):
        as_source(table()["text"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    pq.write_table(table(), tmp_path / "table.parquet", row_group_size=4)
    return tmp_path / "table.parquet"


def test_parquet(path: Path) -> None:
    one, two = ParquetColumns(path, "x"), ParquetColumns(path, ["k", "x"])
    assert (one.shape, two.shape, two.dtype) == ((10,), (10, 2), np.dtype("float64"))
    assert as_source(one).grain == 4
    wanted = np.stack([np.arange(10.0)] * 2, axis=1)
    for start, stop in ((0, 10), (3, 9), (4, 8), (9, 9), (5, 100), (-3, 10)):
        np.testing.assert_array_equal(one[start:stop], wanted[start:stop, 0])
        np.testing.assert_array_equal(
            pickle.loads(pickle.dumps(two))[start:stop], wanted[start:stop]
        )
    np.testing.assert_array_equal(as_source(two).part(3, 9).load(), wanted[3:9])


def test_parquet_lists_of_one_length(path: Path) -> None:
    vectors = ParquetColumns(path, "v")
    assert (vectors.shape, vectors.dtype) == ((10, 2), np.dtype("float32"))
    np.testing.assert_array_equal(vectors[3:9], np.arange(20.0).reshape(10, 2)[3:9])
    assert vectors[2:2].shape == (0, 2)
    with pytest.raises(TypeError, match="has lists"):
        ParquetColumns(path, ["x", "v"])


def test_parquet_in_threads(path: Path) -> None:
    columns, found = ParquetColumns(path, "k"), []

    def read() -> None:
        found.extend([columns[k : k + 3].tolist() for k in range(7)] for _ in range(20))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[[k, k + 1, k + 2] for k in range(7)]] * 80


def test_unsuitable_columns(path: Path) -> None:
    with pytest.raises(ValueError, match=r"(?s)no column 'y'.*it has x, k"):
        ParquetColumns(path, "y")
    with pytest.raises(TypeError, match=r"(?s)column 'text' of .*no numbers"):
        ParquetColumns(path, ["x", "text"])
    with pytest.raises(ValueError, match="no columns are named"):
        ParquetColumns(path, [])
    with pytest.raises(TypeError, match="slices of rows"):
        ParquetColumns(path, "x")[3]
    with pytest.raises(ValueError, match="column 'hole'"):
        ParquetColumns(path, "hole")[:3]
