"""Fourier transforms: the functions of ``numpy.fft``, cosine and sine transforms, and Theano's.

The functions have NumPy's arguments and complex dtypes, with two exceptions: ``theano_rfft`` and
``theano_irfft``. They transform all axes except the first one, which is a batch axis. Their complex
numbers are represented by a last axis of length 2. In Theano, they are called ``rfft`` and
``irfft``. They have these names here, too, if ``config.fft`` is ``"theano"``, for example by
``SYMTHEANO_FLAGS=fft=theano``. ``rfft1`` and ``irfft1`` are always NumPy's ``rfft`` and ``irfft``.

Arrays of float32 and complex64 are transformed in single precision, integers and booleans in double
precision. The gradient with respect to a complex array is the derivative with respect to the real
part plus ``1j`` times the derivative with respect to the imaginary part.
"""

from typing import TYPE_CHECKING, Any

from symtheano.config import config
from symtheano.names import public
from symtheano.tensor.fft import parts, real
from symtheano.tensor.fft.complex import fft, fft2, fftn, ifft, ifft2, ifftn
from symtheano.tensor.fft.cosines import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from symtheano.tensor.fft.frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from symtheano.tensor.fft.ops import FFTOp, IRFFTOp, RFFTOp
from symtheano.tensor.fft.parts import theano_irfft, theano_rfft
from symtheano.tensor.fft.real import (
    hfft,
    ihfft,
    irfft as irfft1,
    irfft2,
    irfftn,
    rfft as rfft1,
    rfft2,
    rfftn,
)

if TYPE_CHECKING:
    from symtheano.tensor.fft.real import irfft, rfft

__all__ = [
    "FFTOp", "IRFFTOp", "RFFTOp", "dct", "dctn", "dst", "dstn", "fft", "fft2", "fftfreq", "fftn",
    "fftshift", "hfft", "idct", "idctn", "idst", "idstn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "irfft", "irfft1", "irfft2", "irfftn", "rfft", "rfft1", "rfft2", "rfftfreq", "rfftn",
    "theano_irfft", "theano_rfft",
]  # fmt: skip

if not TYPE_CHECKING:
    _missing, __dir__ = public(__name__)

    def __getattr__(name: str) -> Any:
        """Return what ``rfft`` and ``irfft`` mean now."""
        if name in ("rfft", "irfft"):
            if config.fft == "theano":
                return getattr(parts, f"theano_{name}")
            return getattr(real, name)
        return _missing(name)
