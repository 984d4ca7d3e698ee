"""The project itself; what is missing is reported as unsupported."""

import symtheano
import symtheano.tensor as T
from benchmarks.perf.adapters.theano_style import TheanoStyle
from benchmarks.perf.workload import Unsupported


class Adapter(TheanoStyle):
    mod, T = symtheano, T

    def begin(self, case):
        super().begin(case)
        # Kernels that are compiled in the background are there when timing begins.
        symtheano.config.deterministic = "more"

    def scan(self, fn, **kw):
        if not hasattr(symtheano, "scan"):
            raise Unsupported("there are no scans yet")
        return super().scan(fn, **kw)

    def conv2d(self, x, w, border_mode, xshape=None, wshape=None):
        if not hasattr(T.nnet, "conv2d"):
            raise Unsupported("there are no convolutions yet")
        return super().conv2d(x, w, border_mode, xshape, wshape)

    def pool2(self, x):
        """Return the maxima of 2×2 patches."""
        from symtheano.tensor.signal.pool import pool_2d

        return pool_2d(x, (2, 2), ignore_border=True)

    def pool(self, x, k, s, p):
        """Return the maxima of patches of k x k, s apart, of images with a border."""
        from symtheano.tensor.signal.pool import pool_2d

        return pool_2d(x, (k, k), ignore_border=True, stride=(s, s), pad=(p, p))

    def normal(self, n):
        """Return n normal numbers, new ones in each call."""
        from symtheano.tensor.random import RandomStreams

        return RandomStreams(seed=1).normal(size=(n,))

    def powers(self, x):
        return abs(T.fft.rfft(x)) ** 2
