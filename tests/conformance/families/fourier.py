"""Fourier transforms: Theano's, of batches of real arrays, and NumPy's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.conformance.draws import Array, one_of
from tests.conformance.row import Arg, Row, each

NORMS = {"": "backward", ", norm='ortho'": "ortho", ", norm='no_norm'": None}
"""Theano's ways to scale a transform, and NumPy's names; None means no factor."""

ANY: Any = {"edges": False, "slope": False}
SOME: Any = {"edges": False, "least": {"n": 2, "m": 2}}
"""With one number kept, an even number of results is 0, which is an error."""
ONE = {"n": 1, "m": 1, "k": 1}
"""Without numbers, NumPy's result is uninitialized memory."""


def floats(x: Array) -> Array:
    """Return what ``rfft`` transforms: integers are doubles."""
    return x.astype("float64") if x.dtype.kind in "biu" else x


def rfft(norm: str | None) -> Callable[[Array], Array]:
    """Return Theano's transform of all axes but the first."""

    def transformed(x: Array) -> Array:
        x = floats(x)
        found = np.fft.rfftn(x, axes=range(1, x.ndim), norm=norm or "backward")
        return np.stack([found.real, found.imag], -1).astype(x.dtype)

    return transformed


def irfft(norm: str | None, odd: bool = False) -> Callable[[Array], Array]:
    """Return the inverse of Theano's transform."""

    def transformed(x: Array) -> Array:
        x = floats(x)
        z = x[..., 0] + 1j * x[..., 1]
        lengths = [*z.shape[1:-1], 2 * (z.shape[-1] - 1) + odd]
        found = np.fft.irfftn(z, lengths, range(1, z.ndim), norm or "forward")
        return np.asarray(found.astype(x.dtype))

    return transformed


def theanos() -> Iterator[Row]:
    """Yield rows of Theano's transforms."""
    for text, norm in NORMS.items():
        for dims in ("b n", "b n m"):
            forward = f"T.fft.theano_rfft(x{text})"
            yield from each([forward], [dims], "biuF", plain=rfft(norm), edges=False)
        for dims in ("b n 2", "b n m 2"):
            yield from each(
                [f"T.fft.theano_irfft(x{text})"], [dims], "iuF", plain=irfft(norm), **ANY
            )
    yield from each(
        ["T.fft.theano_irfft(x, is_odd=True)"], ["b n 2", "b n m 2"], "F",
        plain=irfft("backward", True), edges=False,
    )  # fmt: skip
    for dims in ("b n 2", "b n m 2"):
        plain = irfft("backward")
        yield from each(["T.fft.theano_irfft(x, None, False)"], [dims], "F", plain=plain, **SOME)
    text = "T.fft.theano_irfft(T.fft.theano_rfft(x), is_odd=True)"
    yield from each([text], ["b 5", "b n 7"], "F", plain="x", edges=False, least={"n": 1})


def numpys() -> Iterator[Row]:
    """Yield rows of NumPy's transforms; infinities spread otherwise in our algorithm."""
    for text, dims in [
        ("T.fft.fft(x)", "n"),
        ("T.fft.fft(x)", "n m"),
        ("T.fft.fft(x, axis=0)", "n m"),
        ("T.fft.fft(x, n=3, axis=1)", "n m"),
        ("T.fft.fft(x, 6, norm='ortho')", "n m"),
        ("T.fft.fft(x, norm='forward')", "n"),
        ("T.fft.ifft(x)", "n"),
        ("T.fft.ifft(x, 7, 0, 'ortho')", "n m"),
        ("T.fft.ifft(x, norm='forward')", "n m"),
        ("T.fft.fft2(x)", "n m"),
        ("T.fft.fft2(x, s=(2, 5), axes=(0, 2))", "n m k"),
        ("T.fft.fft2(x, norm='forward')", "n m"),
        ("T.fft.ifft2(x)", "n m k"),
        ("T.fft.ifft2(x, axes=(1, 0), norm='ortho')", "n m"),
        ("T.fft.fftn(x)", "n m k"),
        ("T.fft.fftn(x, axes=(2, 0))", "n m k"),
        ("T.fft.fftn(x, (3, 4), axes=(0, 2), norm='ortho')", "n m k"),
        ("T.fft.ifftn(x)", "n m"),
        ("T.fft.ifftn(x, axes=(-1,), norm='forward')", "n m"),
    ]:
        yield from each([text], [dims], "biuFc", edges=False)
    # NumPy rounds the factor of half precision to half precision.
    yield from each(
        ["T.fft.fft(x, norm='ortho')"],
        ["n m"],
        "h",
        plain="np.fft.fft(x.astype('complex64'), norm='ortho')",
        edges=False,
    )


def halves() -> Iterator[Row]:
    """Yield rows of NumPy's transforms between real and Hermitian numbers."""
    for text, dims in [
        ("T.fft.rfft1(x)", "n m"),
        ("T.fft.rfft1(x, 5, 0, 'ortho')", "n m"),
        ("T.fft.rfft2(x)", "n m k"),
        ("T.fft.rfftn(x, (3, 6), axes=(2, 0), norm='forward')", "n m k"),
        ("T.fft.ihfft(x)", "n m"),
    ]:
        yield from each([text], [dims], "biuF", plain=text.replace("rfft1", "rfft"), edges=False)
    for text, dims in [
        ("T.fft.irfft1(x, n=7)", "n m"),
        ("T.fft.irfft1(x, 6, axis=0, norm='ortho')", "n m"),
        ("T.fft.irfft2(x, s=(3, 5))", "n m k"),
        ("T.fft.irfftn(x, (4, 4), axes=(0, 1), norm='forward')", "n m"),
        ("T.fft.hfft(x, 6)", "n m"),
    ]:
        plain = text.replace("irfft1", "irfft")
        yield from each([text], [dims], "Fc", plain=plain, edges=False, least=ONE)


def places() -> Iterator[Row]:
    """Yield rows of frequencies and of their order."""
    for text in ("T.fft.fftshift(x)", "T.fft.ifftshift(x)", "T.fft.fftshift(x, axes=(0,))"):
        yield from each([text], ["n m"])
    count = {"x": Arg("", "int64", one_of(1, 2, 5, 8))}
    for text in ("T.fft.fftfreq(x)", "T.fft.rfftfreq(x, 0.5)"):
        yield Row(text, count, "D", plain=text.replace("(x", "(int(x)"), slope=False)


def cosines() -> Iterator[Row]:
    """Yield rows of cosine and sine transforms, whose type 1 needs two elements or more."""
    for name in ("dct", "idct", "dst", "idst"):
        for text, letters in (
            (f"[T.fft.{name}(x, kind) for kind in (1, 2, 3, 4)]", "Fc"),
            (f"[T.fft.{name}(x, kind, 4, 0, 'ortho') for kind in (1, 2, 3, 4)]", "Fc"),
            # SciPy ignores ``orthogonalize`` for complex numbers.
            (f"T.fft.{name}(x, norm='forward', orthogonalize=True)", "F"),
            (f"[T.fft.{name}n(x, 3), T.fft.{name}n(x, 4, (3, 5), norm='ortho')]", "Fc"),
        ):
            plain = text.replace("T.fft", "scipy.fft")
            yield from each([text], ["n m"], letters, plain=plain, edges=False, slack=10,
                            least={"n": 2, "m": 2})  # fmt: skip


ROWS: list[Row] = [*theanos(), *numpys(), *halves(), *places(), *cosines()]
