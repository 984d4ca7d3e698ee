"""Arrays that are read in parts."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from symtheano.errors import ShapeError
from symtheano.sources import as_source
from symtheano.sources.files import FilePart


def parts(value: Any, axis: int = 0, step: int = 3) -> np.ndarray[Any, Any]:
    """Return the parts of a source, each pickled, joined again."""
    source = as_source(value, axis)
    found = []
    for start in range(0, source.shape[axis], step):
        part = source.part(start, min(start + step, source.shape[axis]))
        found.append(pickle.loads(pickle.dumps(part)).load())
    joined = np.concatenate(found, axis)
    assert joined.shape == source.shape
    assert {one.dtype for one in found} == {source.dtype}
    return joined


ARRAY = np.arange(40.0).reshape(10, 4)


@pytest.mark.parametrize("axis", [0, 1])
def test_arrays_and_views(axis: int) -> None:
    for view in (ARRAY, ARRAY.T, ARRAY[::-1], ARRAY[:, ::2], np.asfortranarray(ARRAY)):
        np.testing.assert_array_equal(parts(view, axis), view)
    np.testing.assert_array_equal(parts([[1, 2], [3, 4]], axis), [[1, 2], [3, 4]])


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_memory_maps(tmp_path: Path, axis: int, mode: Any) -> None:
    np.save(tmp_path / "array.npy", ARRAY)
    mapped = np.load(tmp_path / "array.npy", mmap_mode=mode)
    for view in (mapped, mapped[2:], mapped.T, mapped[::2, 1:], mapped[3:, ::-1], mapped[4:4]):
        if view.size or axis == 1:
            np.testing.assert_array_equal(parts(view, axis), view)
    size = len(pickle.dumps(as_source(mapped).part(0, 10)))
    assert isinstance(as_source(mapped).part(0, 10), FilePart) == (mode != "c")
    assert size < 400 or mode == "c"


def test_changes_of_a_copy_on_write_map_are_seen(tmp_path: Path) -> None:
    np.save(tmp_path / "array.npy", ARRAY)
    mapped = np.load(tmp_path / "array.npy", mmap_mode="c")
    mapped[0, 0] = 99
    assert as_source(mapped).part(0, 1).load()[0, 0] == 99


def test_a_file_that_is_gone_is_read_through_its_map(tmp_path: Path) -> None:
    np.save(tmp_path / "array.npy", ARRAY)
    mapped = np.load(tmp_path / "array.npy", mmap_mode="r")
    (tmp_path / "array.npy").unlink()
    np.testing.assert_array_equal(parts(mapped), ARRAY)


def test_foreign_byte_order_and_offsets(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_bytes(b"head" + ARRAY.astype(">f8").tobytes())
    mapped = np.memmap(path, ">f8", "r", 4, (10, 4))
    np.testing.assert_array_equal(parts(mapped), ARRAY)


def test_zarr(tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    array = zarr.create_array(tmp_path / "a.zarr", shape=(10, 4), chunks=(4, 2), dtype="float64")
    array[:] = ARRAY
    assert as_source(array).grain == 4
    assert as_source(array, 1).grain == 2
    np.testing.assert_array_equal(parts(array), ARRAY)
    np.testing.assert_array_equal(parts(array, 1), ARRAY)


def test_dask() -> None:
    da = pytest.importorskip("dask.array")
    array = da.from_array(ARRAY, chunks=(4, 4)) * 2
    assert as_source(array).grain == 4
    np.testing.assert_array_equal(parts(array), ARRAY * 2)
    with pytest.raises(ShapeError, match=r"(?s)not known.*compute_chunk_sizes"):
        as_source(array[array[:, 0] > 3])


class Foreign:
    """An array in memory whose dtype is not NumPy's."""

    shape, dtype = ARRAY.shape, "foreign.float64"

    def __getitem__(self, key: Any) -> Any:
        raise AssertionError

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return ARRAY


def test_arrays_with_dtypes_of_their_own_are_converted() -> None:
    np.testing.assert_array_equal(parts(Foreign()), ARRAY)


def test_unsuitable_values() -> None:
    with pytest.raises(TypeError, match="toarray"):
        as_source(scipy.sparse.eye(3, format="csr"))
    with pytest.raises(ShapeError, match="rows has no axis 1"):
        as_source(np.ones(3), 1, "rows")
    with pytest.raises(ShapeError, match="has no axis 0"):
        as_source(3.0)
