"""PyTorch through torch.compile."""

import torch

from benchmarks.perf.adapters import torch_lib
from benchmarks.perf.workload import Unsupported


class Adapter(torch_lib.Adapter):
    compiled = True

    def version(self):
        return f"torch.compile {torch.__version__}"

    def compile(self, f, **kw):
        """Compile for the shapes at hand."""
        return torch.compile(f, dynamic=False, **kw)

    def release(self):
        torch._dynamo.reset()

    def value_and_grad(self, f, wrt):
        """As the base, but forward and backward are one compiled region."""
        leaves = [w.clone() for w in wrt]
        both = torch.func.grad_and_value(f, argnums=tuple(range(len(leaves))))

        def whole(*args):
            gradients, value = both(*args)
            return (value, *gradients)

        g = self.compile(whole)
        return lambda: g(*leaves)

    def train(self, loss, params, update):
        """As the base, but forward, backward and update are one compiled region."""
        leaves = [w.clone() for w in params]
        both = torch.func.grad_and_value(loss, argnums=tuple(range(len(leaves))))

        def whole(ps):
            gradients, value = both(*ps)
            update(ps, gradients)
            return value

        g = self.compile(whole)

        def call():
            with torch.no_grad():
                return g(leaves)

        return call, leaves

    def rounds(self, step, start, sequences, constants, count):
        """As the base, for few iterations: it unrolls them."""
        many = len(sequences[0]) if count is None else count
        if many > 50:
            raise Unsupported(f"{many} unrolled iterations take minutes to compile")
        return super().rounds(step, start, sequences, constants, count)
