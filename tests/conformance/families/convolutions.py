"""Convolutions, their gradients as functions, lengths, and bilinear interpolation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tests.conformance.draws import Array, within
from tests.conformance.row import Arg, Row

AXES = ("depth", "rows", "columns")
BORDERS: dict[str, Callable[[int], tuple[int, int]]] = {
    "valid": lambda k: (0, 0),
    "half": lambda k: (k // 2, k // 2),
    "full": lambda k: (k - 1, k - 1),
    "causal": lambda k: (k - 1, 0),
}


def convolve(
    x: Array,
    w: Array,
    border: Any = "valid",
    stride: int = 1,
    apart: int = 1,
    flip: bool = True,
    groups: int = 1,
    unshared: bool = False,
) -> Array:
    """Return the convolution by windows of the padded image; those of float16 in float32."""
    dims, half = x.ndim - 2, x.dtype == "float16"
    if half:
        x, w = x.astype("float32"), w.astype("float32")
    reach = [(k - 1) * apart + 1 for k in w.shape[-dims:]]
    names = [border] * dims if isinstance(border, str) else border
    sides = [BORDERS[n](k) if isinstance(n, str) else n for n, k in zip(names, reach, strict=True)]
    padded = np.pad(x, [(0, 0), (0, 0), *sides])
    axes = tuple(range(2, 2 + dims))
    windows = np.lib.stride_tricks.sliding_window_view(padded, reach, axes)
    some = (slice(None), slice(None), *[slice(None, None, stride)] * dims)
    windows = windows[(*some, *[slice(None, None, apart)] * dims)]
    w = np.flip(w, tuple(range(-dims, 0))) if flip else w
    split = [np.split(a, groups, axis) for a, axis in ((windows, 1), (w, 0))]
    t, k = "tuv"[:dims], "klm"[:dims]
    text = f"nc{t}{k},f{t * unshared}c{k}->nf{t}"
    parts = [np.einsum(text, a, b) for a, b in zip(*split, strict=True)]
    made = np.asarray(np.concatenate(parts, axis=1))
    return made.astype("float16") if half else made


def arrays(*dims: str) -> dict[str, Arg]:
    """Return arguments x, w, v: none is large, so that all orders of sums agree."""
    return {name: Arg(item, draw=within(-2, 3)) for name, item in zip("xwv", dims, strict=False)}


def forward() -> Iterator[Row]:
    """Yield rows of convolutions of all numbers of axes."""
    two = ("n c h w", "f c 2 3")
    for text, dims, options in [
        ("T.nnet.conv2d(x, w)", two, {}),
        ("T.nnet.conv2d(x, w, border_mode='half', filter_flip=False)", two,
         {"border": "half", "flip": False}),
        ("T.nnet.conv2d(x, w, border_mode='full', subsample=(2, 2))", two,
         {"border": "full", "stride": 2}),
        ("T.nnet.conv2d(x, w, border_mode=((1, 0), 2), filter_dilation=(2, 2))", two,
         {"border": ((1, 0), (2, 2)), "apart": 2}),
        ("T.nnet.conv2d(x, w, (None, 2, None, None), (None, 2, 2, 3))",
         ("n 2 h w", "f 2 2 3"), {}),
        ("T.nnet.conv2d(x, w, num_groups=2)", ("n 4 h w", "6 2 2 3"), {"groups": 2}),
        ("T.nnet.conv2d(x, w, unshared=True)", ("n c 4 5", "f 3 3 c 2 3"), {"unshared": True}),
        ("T.nnet.conv2d(x, w)", ("n 3 h w", "f 3 1 1"), {}),
        ("T.nnet.conv1d(x, w)", ("n c h", "f c 2"), {}),
        ("T.nnet.conv1d(x, w, border_mode='causal', subsample=2)", ("n c h", "f c 2"),
         {"border": "causal", "stride": 2}),
        ("T.nnet.causal_conv1d(x, w, filter_dilation=2)", ("n c h", "f c 2"),
         {"border": "causal", "apart": 2}),
        ("T.nnet.conv3d(x, w)", ("n c 3 h w", "f c 2 2 3"), {}),
        ("T.nnet.conv3d(x, w, border_mode='half', num_groups=3)", ("n 3 h w 2", "3 1 2 3 1"),
         {"border": "half", "groups": 3}),
        ("T.nnet.abstract_conv.conv2d(x, w, None, None, 'half')", two, {"border": "half"}),
        ("T.nnet.abstract_conv.AbstractConv(1, border_mode='full')(x, w)", ("n c h", "f c 2"),
         {"border": "full"}),
        ("T.nnet.abstract_conv.AbstractConv2d(border_mode='half')(x, w)", two, {"border": "half"}),
        ("T.nnet.abstract_conv.AbstractConv3d()(x, w)", ("n c 3 h w", "f c 2 2 3"), {}),
        ("T.nnet.conv.conv2d(x, w, border_mode='full')", two, {"border": "full"}),
        ("T.nnet.conv.ConvOp(dx=2, dy=2)(x, w)", two, {"stride": 2}),
    ]:  # fmt: skip
        least = {"h": 3, "w": 5}
        yield Row(text, arrays(*dims), "iufc", edges=False, least=least,
                  plain=lambda x, w, options=options: convolve(x, w, **options))  # fmt: skip
    films = arrays("n 3 h w c", "f 2 2 3 c", "f")
    yield Row("T.nnet.Conv3D.conv3D(x, w, v, (2, 2, 2))", films, "iuf", edges=False,
              least={"h": 3, "w": 5}, plain=of_films)  # fmt: skip


def of_films(v: Any, w: Any, b: Any) -> Any:
    """Return Theano's convolution with channels last."""
    first, second = (item.transpose(0, 4, 1, 2, 3) for item in (v, w))
    found = convolve(first, second[:, :, ::-1, ::-1, ::-1], stride=2)
    return found.transpose(0, 2, 3, 4, 1) + b


def composed() -> Iterator[Row]:
    """Yield rows of convolutions after each other, and with other orders of axes."""
    for dims, taps in ((2, "2 2"), (3, "2 1 2")):
        lengths = " ".join("hwu"[:dims])
        once = " ".join("1" * dims)
        yield Row(
            f"T.nnet.separable_conv{dims}d(x, w, v, 2)",
            arrays(f"n 2 {lengths}", f"4 1 {taps}", f"f 4 {once}"), "F", edges=False,
            least={"h": 2, "w": 2, "u": 2}, tolerance=1e-5,
            plain=lambda x, w, v: convolve(convolve(x, w, groups=2), v),
        )  # fmt: skip
    yield Row(
        "T.nnet.conv3d2d.conv3d(x, w)", arrays("n h c w 3", "f 2 c 2 3"), "iF", edges=False,
        least={"h": 2, "w": 2},
        plain=lambda x, w: convolve(x.swapaxes(1, 2), w.swapaxes(1, 2)).swapaxes(1, 2),
    )  # fmt: skip
    yield Row(
        "T.signal.conv.conv2d(x, w)", arrays("n h w", "f 2 2"), "iF", edges=False,
        least={"h": 2, "w": 2}, plain=lambda x, w: convolve(x[:, None], w[:, None]),
    )  # fmt: skip


def spread(of_image: bool, lengths: Sequence[int], border: str = "valid", stride: int = 1) -> Any:
    """Return a function for a gradient of a convolution: terms are added one by one."""

    def gradient(x: Array, w: Array) -> Array:
        image, kernel, y = (None, w, x) if of_image else (x, None, w)
        taps = lengths if kernel is None else kernel.shape[2:]
        inside = lengths if image is None else image.shape[2:]
        sides = [BORDERS[border](k) for k in taps]
        wide = [low + i + high for (low, high), i in zip(sides, inside, strict=True)]
        core = tuple(slice(low, low + i) for (low, _), i in zip(sides, inside, strict=True))
        dtype = np.result_type(x, w)
        padded = np.zeros((len(y), w.shape[1] if of_image else x.shape[1], *wide), dtype)
        made = np.zeros((y.shape[1], padded.shape[1], *taps), dtype)
        if image is not None:
            padded[(..., *core)] = image
        for place in np.ndindex(*y.shape[2:]):
            for tap in np.ndindex(*taps):
                read = [k - 1 - n for k, n in zip(taps, tap, strict=True)]
                at = (..., *(t * stride + k for t, k in zip(place, read, strict=True)))
                if kernel is None:
                    made[(..., *tap)] += y[(..., *place)].T @ padded[at]
                else:
                    padded[at] += y[(..., *place)] @ kernel[(..., *tap)]
        return made if kernel is None else padded[(..., *core)]

    return gradient


def gradients() -> Iterator[Row]:
    """Yield rows of gradients as functions, with the gradient of the result as an argument."""
    abstract = "T.nnet.abstract_conv.AbstractConv"
    two, three = "(None, None, 4, 5)", "(None, None, 3, 2, 3)"
    strided = {"stride": 2, "border": "half"}
    windows = "border_mode='half', subsample=(2, 2)"
    result, kernel = "n f 3 3", "f c 2 3"
    of_image = [
        (f"T.nnet.conv2d_grad_wrt_inputs(x, w, {two})", result, kernel, (4, 5), {}),
        (f"T.nnet.conv2d_transpose(x, w, {two})", result, kernel, (4, 5), {}),
        (f"T.nnet.conv2d_grad_wrt_inputs(x, w, {two}, {windows})", "n f 3 3", kernel,
         (4, 5), strided),
        (f"T.nnet.conv3d_grad_wrt_inputs(x, w, {three})", "n f 2 2 2", "f c 2 1 2",
         (3, 2, 3), {}),
        (f"{abstract}_gradInputs(2)(w, x)", result, kernel, (4, 5), {}),
        (f"{abstract}2d_gradInputs(subsample=(2, 2), border_mode='half')(w, x, (4, 5))", result,
         kernel, (4, 5), strided),
        (f"{abstract}3d_gradInputs()(w, x, [3, 2, 3])", "n f 2 2 2", "f c 2 1 2",
         (3, 2, 3), {}),
    ]  # fmt: skip
    for text, x, w, shape, options in of_image:
        yield Row(text, arrays(x, w), "iF", edges=False, tolerance=1e-5,
                  plain=spread(True, shape, **options))  # fmt: skip
    image = "n c 4 5"
    of_filter = [
        ("T.nnet.conv2d_grad_wrt_weights(x, w, (None, None, 2, 3))", image, result,
         (2, 3), {}),
        (f"T.nnet.conv2d_grad_wrt_weights(x, w, (None, None, 2, 3), {windows})", image, result,
         (2, 3), strided),
        ("T.nnet.conv3d_grad_wrt_weights(x, w, (None, None, 2, 1, 2))", "n c 3 2 3",
         "n f 2 2 2", (2, 1, 2), {}),
        (f"{abstract}_gradWeights(2)(x, w)", image, result, (2, 3), {}),
        (f"{abstract}2d_gradWeights()(x, w, (2, 3))", image, result, (2, 3), {}),
        (f"{abstract}3d_gradWeights()(x, w, (2, 1, 2))", "n c 3 2 3", "n f 2 2 2",
         (2, 1, 2), {}),
    ]  # fmt: skip
    for text, x, w, shape, options in of_filter:
        yield Row(text, arrays(x, w), "iF", edges=False, tolerance=1e-5,
                  plain=spread(False, shape, **options))  # fmt: skip


def enlarged(x: Array, ratio: int, every: int = 1) -> Array:
    """Return images enlarged along both axes, the last elements repeated outside of them."""
    for axis in (2, 3):
        count = x.shape[axis]
        places = (np.arange(0, count * ratio, every) - (ratio - 1) // 2) / ratio
        low = np.clip(np.floor(places).astype(int), 0, count - 1)
        high = np.clip(np.floor(places).astype(int) + 1, 0, count - 1)
        shape = [-1 if a == axis else 1 for a in range(4)]
        share = (places - np.floor(places)).astype(x.dtype).reshape(shape)
        x = np.take(x, low, axis) * (1 - share) + np.take(x, high, axis) * share
    return x


def interpolations() -> Iterator[Row]:
    """Yield rows of bilinear interpolation."""
    image = {"x": Arg("n c h w")}
    least = {"h": 1, "w": 1}
    for text, ratio, every in [
        ("T.nnet.bilinear_upsampling(x, 2)", 2, 1),
        ("T.nnet.bilinear_upsampling(x, ratio=3, use_1D_kernel=False)", 3, 1),
        ("T.nnet.bilinear_upsampling(x, frac_ratio=(3, 2))", 3, 2),
        ("T.nnet.frac_bilinear_upsampling(x, ((6, 4), (3, 2)))", 3, 2),
    ]:
        yield Row(text, image, "F", edges=False, least=least, tolerance=1e-5,
                  plain=lambda x, r=ratio, e=every: enlarged(x, r, e))  # fmt: skip
    count = {"n": Arg("", "int64", within(1, 5), edges=False)}
    one = "np.append(np.arange(1.0, n + 1), np.arange(n - 1.0, 0, -1))"
    yield Row("T.nnet.bilinear_kernel_1D(n)", count, "l", plain=f"{one} / n", slope=False)
    yield Row("T.nnet.bilinear_kernel_2D(n, False)", count, "l", plain=f"np.outer({one}, {one})",
              slope=False)  # fmt: skip


def lengths() -> Iterator[Row]:
    """Yield rows of functions of lengths, which are arguments."""
    module = "T.nnet.abstract_conv"
    number = Arg("", "int64", within(3, 9), edges=False)
    both, one = {"n": number, "m": number}, {"n": number}
    for text, args, plain in [
        ("get_conv_shape_1axis(n, 3, 'half', 2)", one, "(n - 1) // 2 + 1"),
        ("get_conv_gradinputs_shape_1axis(3, n, 'full', 1, 2)", one, "n - 4"),
        ("get_conv_gradweights_shape_1axis(n, m, (20, 0), 1, 1)", both, "n - m + 21"),
        ("get_conv_output_shape((1, 2, n, m), (4, 2, 3, 2), 'valid', (1, 1))[2:]", both,
         "[n - 2, m - 1]"),
        ("get_conv_gradinputs_shape((4, 2, 3, 2), (1, 4, n, m), 'valid', (1, 1))[2:]", both,
         "[n + 2, m + 1]"),
        ("get_conv_gradweights_shape((1, 2, n, m), (1, 4, 2, 1), 'valid', (1, 1))[2:]", both,
         "[n - 1, m]"),
        ("border_mode_to_pad('half', 2, (n, m))[1]", both, "[m // 2, m // 2]"),
        ("assert_conv_shape((2, n, m))[1:]", both, "[n, m]"),
    ]:  # fmt: skip
        yield Row(f"list({module}.{text})" if text.endswith("]") else f"{module}.{text}", args,
                  "l", plain=plain, slope=False)  # fmt: skip
    known = "(1, 1, 9, 9), (1, 1, 3, 3), (1, 1, 4, 4), 'valid', (2, 2)"
    yield Row(f"T.switch({module}.check_conv_gradinputs_shape({known}), n, 0)", one, "l", plain="n",
              slope=False)  # fmt: skip
    yield Row(f"{module}.assert_shape(x, (None, 2))", {"x": Arg("n 2")}, "bF", plain="x")


ROWS: list[Row] = [
    *forward(), *composed(), *gradients(), *interpolations(), *lengths(),
]  # fmt: skip
