"""Short axes whose elements are interleaved: channels of pixels become planes, and the reverse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from tests.support.compare import check

pytestmark = pytest.mark.needs_cc


def _images(dtype: str, channels: tuple[int, ...]) -> list[Any]:
    """Return images: of few pixels, of more than one part, of none, and with strides."""
    random = np.random.default_rng(0)
    shapes = ((2, 3, 5), (1, 1, 600), (3, 0, 2))
    images = [random.integers(0, 99, (*s, c)).astype(dtype) for s in shapes for c in channels]
    return [*images, *(image[:, ::-1, ::2] for image in images[: len(channels)])]


def test_channels_become_planes_and_pixels() -> None:
    x, y = T.tensor4("x", dtype="uint8"), T.tensor4("y")
    outputs = [T.cast(x.dimshuffle(0, 3, 1, 2), "float32") * 0.5, y.dimshuffle(0, 2, 3, 1) * 2]

    def expected(x: Any, y: Any) -> list[Any]:
        planes = x.transpose(0, 3, 1, 2)
        return [planes.astype("float32") * np.float32(0.5), y.transpose(0, 2, 3, 1) * 2]

    images = _images("uint8", (0, 1, 2, 3, 4, 5, 17, 33))
    calls = [[image, image.transpose(0, 3, 1, 2).astype("float64")] for image in images]
    check([x, y], outputs, calls, expected, kind="channels")


def test_known_lengths() -> None:
    x = T.TensorType("float32", shape=(None, None, None, 4))("x")
    scale = T.fvector("scale")
    f = check(
        [x, scale],
        [(x * scale).dimshuffle(0, 3, 1, 2)],
        [[image, np.arange(4, dtype="float32")] for image in _images("float32", (4,))],
        lambda x, scale: [(x * scale).transpose(0, 3, 1, 2)],
        kind="channels",
    )
    assert str(f.lowered.program).count("= x[") == 4  # each pixel is read at once
