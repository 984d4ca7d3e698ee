"""Fourier transforms: Theano's for batches of real arrays, and NumPy's.

Theano's ``rfft`` and ``irfft`` transform all axes except the first, which is a batch; complex
numbers are represented by a last axis of length 2. All other functions have NumPy's arguments and
complex dtypes. NumPy's ``rfft`` and ``irfft`` are called ``rfft1`` and ``irfft1``.

Arrays of float32 and complex64 are transformed in single precision, integers and booleans in double
precision. The gradient with respect to a complex array is the derivative with respect to the real
part plus ``1j`` times the derivative with respect to the imaginary part.
"""

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.fft.complex import fft, fft2, fftn, ifft, ifft2, ifftn
from symtheano.tensor.fft.frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from symtheano.tensor.fft.ops import FFTOp, IRFFTOp, RFFTOp
from symtheano.tensor.fft.parts import irfft, rfft
from symtheano.tensor.fft.real import (
    hfft,
    ihfft,
    irfft1,
    irfft2,
    irfftn,
    rfft1,
    rfft2,
    rfftn,
)

__all__ = [
    "FFTOp",
    "IRFFTOp",
    "RFFTOp",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft1",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft1",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
