"""Libraries with Theano's interface.

A subclass sets ``mod`` (the package) and ``T`` (its tensor module), and overrides what the library
spells differently.
"""

import numpy as np

from benchmarks.perf.adapters.base import Base
from benchmarks.perf.workload import Unsupported


class TheanoStyle(Base):
    flavours = ("sym",)
    mode = None

    @property
    def m(self):
        return self.T

    def version(self):
        return f"{self.mod.__name__} {self.mod.__version__}"

    def begin(self, case):
        # With floatX=float32, Python floats become float32 even with float64 tensors, and with
        # float64 they widen float32 tensors.
        self.mod.config.floatX = case.get("dtype", "float32")

    def var(self, name, value):
        """Return a variable with the dtype and the rank of a NumPy value."""
        value = np.asarray(value)
        return self.T.TensorType(dtype=str(value.dtype), broadcastable=(False,) * value.ndim)(name)

    def shared(self, value, name=None):
        return self.mod.shared(value, name=name)

    def function(self, inputs, outputs=None, updates=None, **kw):
        return self.mod.function(
            inputs, outputs, updates=updates, mode=self.mode, on_unused_input="ignore", **kw
        )

    def caller(self, inputs, values, outputs):
        """Compile and return a call without arguments on the given values."""
        f = self.function(inputs, outputs)
        return lambda: f(*values)

    def grad(self, cost, wrt):
        return self.T.grad(cost, wrt)

    def scan(self, fn, **kw):
        """Return the outputs without the updates."""
        return self.mod.scan(fn, **kw)[0]

    def sigmoid(self, x):
        return self.T.nnet.sigmoid(x)

    def softplus(self, x):
        return self.T.nnet.softplus(x)

    def softmax(self, x):
        return self.T.nnet.softmax(x)

    def relu(self, x):
        return self.T.nnet.relu(x)

    def xent(self, p, y):
        """Return the mean cross-entropy of probabilities p and labels y."""
        return self.T.nnet.categorical_crossentropy(p, y).mean()

    def conv2d(self, x, w, border_mode, xshape=None, wshape=None):
        return self.T.nnet.conv2d(
            x,
            w,
            border_mode=border_mode,
            filter_flip=False,
            input_shape=xshape,
            filter_shape=wshape,
        )

    def logsumexp(self, x, axis):
        m = x.max(axis=axis, keepdims=True)
        return (m + self.T.log(self.T.exp(x - m).sum(axis=axis, keepdims=True))).sum(axis=axis)

    def erf(self, x):
        return self.T.erf(x)

    def equal(self, a, b):
        return self.T.eq(a, b)

    def cast(self, x, dtype):
        return x.astype(dtype)

    def batched_dot(self, a, b):
        return self.T.batched_dot(a, b)

    def scattered(self, target, index, values):
        return self.T.inc_subtensor(target[index], values)

    def largest(self, x, axis):
        return x.max(axis=axis)

    def gammaln(self, x):
        return self.T.gammaln(x)

    def powers(self, x):
        raise Unsupported("there are no transforms to complex numbers")

    def last_states(self, step, start, sequences=(), constants=(), count=None):
        histories = self.histories(step, start, sequences, constants, count)
        return [history[-1] for history in histories[: len(start)]]

    def histories(self, step, start, sequences=(), constants=(), count=None):
        rows = [self.T.as_tensor_variable(row)[0] for row in sequences]
        others = len(step(*rows, *start, *constants)) - len(start)
        histories = self.scan(
            lambda *given: list(step(*given)),
            sequences=list(sequences),
            outputs_info=[*start, *[None] * others],
            non_sequences=list(constants),
            n_steps=count,
        )
        return histories if isinstance(histories, list) else [histories]
