"""``theano.sandbox.fourier``."""

from symtheano.tensor.fft import *
