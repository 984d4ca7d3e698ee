"""NumPy: what a user would write by hand."""

import numpy as np
from scipy.special import gammaln

from benchmarks.perf.adapters.base import Base


class Adapter(Base):
    flavours = ("numpy",)
    m = np

    def version(self):
        return f"numpy {np.__version__}"

    def sigmoid(self, x):
        return 1 / (1 + np.exp(-x))

    def softplus(self, x):
        return np.logaddexp(x.dtype.type(0), x)

    def relu(self, x):
        return np.maximum(x, x.dtype.type(0))

    def cast(self, x, dtype):
        return x.astype(dtype)

    def batched_dot(self, a, b):
        return np.matmul(a, b)

    def scattered(self, target, index, values):
        result = target.copy()
        np.add.at(result, index, values)
        return result

    def largest(self, x, axis):
        return x.max(axis)

    def logsumexp(self, x, axis):
        highest = x.max(axis, keepdims=True)
        return np.log(np.exp(x - highest).sum(axis)) + highest.squeeze(axis)

    def gammaln(self, x):
        return gammaln(x)

    def powers(self, x):
        return np.abs(np.fft.rfft(x)) ** 2
