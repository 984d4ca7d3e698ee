"""View: every view reads the elements that the NumPy view of the same name reads."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pytest

from symtheano.loopir import Buffer, Index, View

N, M, K = map(Index.symbol, "nmk")
SIZES = {"n": 3, "m": 4, "k": 2}
WHOLE = np.arange(24).reshape(3, 4, 2)


def whole() -> View:
    return View.contiguous(Buffer("x", "int64", "input", N * M * K, 0), (N, M, K))


def elements(view: View) -> npt.NDArray[np.int64]:
    """Read all of a view from a buffer that holds its own positions."""
    shape = tuple(dim.replace(SIZES).constant or 0 for dim in view.shape)
    found = np.zeros(shape, np.int64)
    for position in itertools.product(*map(range, shape)):
        index = view.at([Index.of(p) for p in position]).replace(SIZES).constant
        assert index is not None
        found[position] = index
    return found


CASES = {
    "contiguous": (whole(), WHOLE),
    "transpose": (whole().permuted((2, 0, 1)), WHOLE.transpose(2, 0, 1)),
    "new axis": (whole().permuted((0, "x", 2, 1)), WHOLE[:, None].transpose(0, 1, 3, 2)),
    "slice": (whole().sliced(1, 1, 2, 2), WHOLE[:, 1:4:2]),
    "reverse": (whole().sliced(0, N - 1, N, -1), WHOLE[::-1]),
    "item": (whole().item(1, 2), WHOLE[:, 2]),
    "last item": (whole().item(0, N - 1), WHOLE[-1]),
    "row repeated": (
        whole().item(0, 0).broadcast((N, M, K)),
        np.broadcast_to(WHOLE[0], (3, 4, 2)),
    ),
    "axis repeated": (
        whole().sliced(1, 0, 1, 1).broadcast((N, M, K)),
        np.broadcast_to(WHOLE[:, :1], (3, 4, 2)),
    ),
    "reshape": (whole().reshaped((N * M, K)), WHOLE.reshape(12, 2)),
    "slice of transpose": (
        whole().permuted((1, 0, 2)).sliced(0, M - 1, 2, -2).item(2, 1),
        WHOLE.transpose(1, 0, 2)[::-2, :, 1],
    ),
    "scalar": (whole().item(0, 1).item(0, 1).item(0, 1), WHOLE[1, 1, 1]),
}


@pytest.mark.parametrize("name", CASES)
def test_reads_what_numpy_reads(name: str) -> None:
    view, expected = CASES[name]
    found = elements(view)
    assert view.ndim == expected.ndim
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


def test_contiguity() -> None:
    assert whole().is_contiguous()
    assert whole().item(0, N - 1).is_contiguous()
    assert whole().permuted((0, "x", 1, 2)).is_contiguous()
    assert not whole().permuted((1, 0, 2)).is_contiguous()
    assert not whole().sliced(2, 0, 1, 2).sliced(0, 0, N, 1).is_contiguous()
    assert not whole().item(0, 0).broadcast((N, M, K)).is_contiguous()


def test_only_contiguous_views_reshape() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        whole().permuted((1, 0, 2)).reshaped((N * M * K,))


def test_properties() -> None:
    view = whole().item(0, 2)
    assert view.dtype == "int64"
    assert view.size == M * K
    assert view.address.buffer is view.buffer
    assert view.address.offset == M * K * 2
