"""PyTensor in its default mode."""

import numpy as np
import pytensor
import pytensor.tensor as pt

from benchmarks.perf.adapters.theano_style import TheanoStyle
from benchmarks.perf.workload import Unsupported


class Adapter(TheanoStyle):
    mod, T = pytensor, pt

    def var(self, name, value):
        value = np.asarray(value)
        return pt.tensor(name, dtype=str(value.dtype), shape=(None,) * value.ndim)

    def grad(self, cost, wrt):
        return pytensor.grad(cost, wrt)

    def scan(self, fn, **kw):
        return pytensor.scan(fn, return_updates=False, **kw)

    def sigmoid(self, x):
        return pt.sigmoid(x)

    def softplus(self, x):
        return pt.softplus(x)

    def softmax(self, x):
        return pt.special.softmax(x, axis=-1)

    def relu(self, x):
        return pt.maximum(x, np.asarray(0, dtype=x.dtype))

    def xent(self, p, y):
        return -pt.log(p)[pt.arange(y.shape[0]), y].mean()

    def conv2d(self, x, w, border_mode, xshape=None, wshape=None):
        raise Unsupported("there are no convolutions of batches with pooling")

    def logsumexp(self, x, axis):
        return pt.logsumexp(x, axis=axis)

    def batched_dot(self, a, b):
        return pt.matmul(a, b)

    def normal(self, n):
        return pt.random.RandomStream(seed=1).normal(size=(n,))
