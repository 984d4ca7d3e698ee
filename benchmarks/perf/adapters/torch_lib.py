"""PyTorch, eager."""

import torch

from benchmarks.perf.adapters.base import Base


class Adapter(Base):
    flavours = ("torch",)
    compiled = False
    torch = m = torch

    def __init__(self):
        torch.set_num_threads(self.threads())

    def version(self):
        return f"torch {torch.__version__}"

    def compile(self, f, **kw):
        """Return f itself: eager execution."""
        return f

    def arr(self, data, *names):
        """Return tensors that share the memory of the arrays; a single one by itself."""
        tensors = [torch.from_numpy(data[name]) for name in names]
        return tensors[0] if len(tensors) == 1 else tensors

    def value_and_grad(self, f, wrt):
        """Return a call that gives the value of f and its gradients in the tensors ``wrt``."""
        leaves = [w.clone().requires_grad_(True) for w in wrt]
        g = self.compile(f)

        def call():
            v = g(*leaves)
            return (v.detach(), *torch.autograd.grad(v, leaves))

        return call

    def train(self, loss, params, update):
        """Return a training step in place, and its parameters."""
        leaves = [w.clone().requires_grad_(True) for w in params]

        def call():
            v = loss(*leaves)
            gradients = torch.autograd.grad(v, leaves)
            with torch.no_grad():
                update(leaves, gradients)
            return v

        return call, leaves

    def to_numpy(self, x):
        return x.detach().numpy() if isinstance(x, torch.Tensor) else x

    def sigmoid(self, x):
        return torch.sigmoid(x)

    def softplus(self, x):
        return torch.nn.functional.softplus(x)

    def relu(self, x):
        return torch.relu(x)

    def cast(self, x, dtype):
        return x.to(getattr(torch, dtype))

    def batched_dot(self, a, b):
        return torch.bmm(a, b)

    def scattered(self, target, index, values):
        return target.index_add(0, index, values)

    def flip(self, x):
        return torch.flip(x, (0,))

    def largest(self, x, axis):
        return torch.amax(x, axis)

    def logsumexp(self, x, axis):
        return torch.logsumexp(x, axis)

    def gammaln(self, x):
        return torch.lgamma(x)

    def powers(self, x):
        return torch.abs(torch.fft.rfft(x)) ** 2
