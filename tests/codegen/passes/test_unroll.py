"""Unroll: a short axis whose elements are interleaved is unrolled in a long one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.unroll import unroll
from symtheano.loopir import Buffer, Builder, Index, Kernel, View
from tests.codegen.passes.change import Golden, change, changed
from tests.support.compare import check


def _pixels(channels: int | None) -> Any:
    return T.TensorType("float64", (None, None, channels))("p")


def test_three_channels_become_planes(golden: Golden) -> None:
    p = _pixels(3)
    found = change(unroll, [p], p.dimshuffle(2, 0, 1) * 2, first=[collapse])
    golden(found.text, "passes/unroll.txt")


def test_channels_of_unknown_number_have_three_versions() -> None:
    p = _pixels(None)
    found = change(unroll, [p], p.dimshuffle(2, 0, 1) * 2, first=[collapse])
    assert found.reasons == ("i: unrolled in j, its length is p_d2",)
    usual, parts, others = found.kinds[:1], found.kinds[1:4], found.kinds[4:]
    assert usual == ["independent"]
    assert parts == ["independent", "serial", "simd"]
    assert others == ["independent", "independent"]


def test_pixels_that_are_apart() -> None:
    """Three of six channels become rows of twice the length: neither side is interleaved."""
    n = Index.symbol("x_d0")
    given = Buffer("x", "float64", "input", n * 6, 0)
    out = Buffer("out", "float64", "output", n * 6, 0)
    b = Builder()
    for name in ("x", "out"):
        b.names.fresh(name)
    with b.loop("i", 3, kind="independent") as i, b.loop("j", n, kind="independent") as j:
        element = b.load(View(given, (), (), j * 6 + i), [])
        b.store(View(out, (), (), i * n * 2 + j), [], element)
    found = changed(unroll, Kernel("apart", "", b.statements()), b.names)
    found.assert_refused("not, no elements of a short axis are interleaved")


def test_nine_channels_and_pixels_in_order() -> None:
    reason = "not, no elements of a short axis are interleaved"
    nine, three = _pixels(9), _pixels(3)
    x = T.matrix("x")
    for p, result in ((nine, nine.dimshuffle(2, 0, 1)), (three, three), (x, x.T)):
        change(unroll, [p], result * 2, first=[collapse]).assert_refused(reason)


def _images(dtype: str, channels: tuple[int, ...]) -> list[Any]:
    """Return images: of few pixels, of more than one part, of none, and with strides."""
    random = np.random.default_rng(0)
    shapes = ((2, 3, 5), (1, 1, 600), (3, 0, 2))
    images = [random.integers(0, 99, (*s, c)).astype(dtype) for s in shapes for c in channels]
    return [*images, *(image[:, ::-1, ::2] for image in images[: len(channels)])]


@pytest.mark.needs_cc
def test_channels_become_planes_and_pixels() -> None:
    x, y = T.tensor4("x", dtype="uint8"), T.tensor4("y")
    outputs = [T.cast(x.dimshuffle(0, 3, 1, 2), "float32") * 0.5, y.dimshuffle(0, 2, 3, 1) * 2]

    def expected(x: Any, y: Any) -> list[Any]:
        planes = x.transpose(0, 3, 1, 2)
        return [planes.astype("float32") * np.float32(0.5), y.transpose(0, 2, 3, 1) * 2]

    images = _images("uint8", (0, 1, 2, 3, 4, 5, 17, 33))
    calls = [[image, image.transpose(0, 3, 1, 2).astype("float64")] for image in images]
    check([x, y], outputs, calls, expected, kind="channels")


@pytest.mark.needs_cc
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
