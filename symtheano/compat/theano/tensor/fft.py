"""``theano.tensor.fft``: transforms of the last axes, with real and imaginary parts in an axis."""

from __future__ import annotations

from symtheano.tensor.fft import theano_irfft as irfft, theano_rfft as rfft

__all__ = ["irfft", "rfft"]
