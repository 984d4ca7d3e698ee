"""Updates of many small shared variables."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"
RATE, B1, B2, EPSILON = 1e-2, 0.9, 0.999, 1e-8


@workload
class Adam(Workload):
    """A step of Adam on 20 small tensors; the cost is half the squared distance to targets."""

    name = "adam_small"
    family = "training"
    variants = ({"tensors": 20, "dtype": F},)
    check_calls = 3
    tolerance = 1e-4

    def make(self, case, rs):
        data = {}
        for i in range(case["tensors"]):
            shape = (16, 16) if i % 2 == 0 else (16,)
            data[f"w{i}"] = rs.randn(*shape).astype(F)
            data[f"t{i}"] = rs.randn(*shape).astype(F)
        return data

    def names(self, case, letter):
        return [f"{letter}{i}" for i in range(case["tensors"])]

    def both(self, case, data):
        return [[data[name] for name in self.names(case, letter)] for letter in "wt"]

    def step(self, w, target, m, v, rate, sqrt):
        """Return the new parameter and moments; ``rate`` has the correction of the bias."""
        g = w - target
        m = B1 * m + (1 - B1) * g
        v = B2 * v + (1 - B2) * g * g
        return w - rate * m / (sqrt(v) + EPSILON), m, v

    def rate(self, t, sqrt):
        return RATE * sqrt(1 - B2**t) / (1 - B1**t)

    def advance(self, state, targets, t):
        rate = float(self.rate(t, np.sqrt))
        rows = zip(*state, targets, strict=True)
        stepped = [self.step(w, to, m, v, rate, np.sqrt) for w, m, v, to in rows]
        return [list(column) for column in zip(*stepped, strict=True)]

    def start(self, parameters):
        return [list(parameters), *([np.zeros_like(w) for w in parameters] for _ in range(2))]

    def ref(self, case, data):
        w, targets = self.both(case, data)
        state = self.start(w)
        for t in range(1, self.check_calls + 1):
            state = self.advance(state, targets, t)
        return state[0]

    def numpy(self, lib, case, data):
        w, targets = self.both(case, data)
        box = [self.start(w), 0]

        def call():
            box[1] += 1
            box[0] = self.advance(box[0], targets, box[1])

        return call, (lambda: box[0][0])

    def sym(self, lib, case, data):
        values, targets = self.both(case, data)
        w, m, v = ([lib.shared(value) for value in column] for column in self.start(values))
        t = lib.shared(np.float32(0))
        cost = sum(
            ((p - lib.shared(to)) ** 2).sum() * np.float32(0.5)
            for p, to in zip(w, targets, strict=True)
        )
        now = t + np.float32(1)
        rate = self.rate(now, lib.T.sqrt)
        updates = [(t, now)]
        for p, first, second, g in zip(w, m, v, lib.grad(cost, w), strict=True):
            new_first = B1 * first + np.float32(1 - B1) * g
            new_second = B2 * second + np.float32(1 - B2) * g * g
            new = p - rate * new_first / (lib.T.sqrt(new_second) + np.float32(EPSILON))
            updates += [(p, new), (first, new_first), (second, new_second)]
        f = lib.function([], [], updates=updates)
        return f, (lambda: [p.get_value() for p in w])

    def torch(self, lib, case, data):
        t = lib.torch
        targets = [lib.arr(data, name) for name in self.names(case, "t")]
        parameters = [lib.arr(data, name).clone() for name in self.names(case, "w")]
        for p in parameters:
            p.grad = t.zeros_like(p)
        rule = t.optim.Adam(
            parameters, lr=RATE, betas=(B1, B2), eps=EPSILON, fused=not lib.compiled
        )

        def step():
            for p, to in zip(parameters, targets, strict=True):
                p.grad = p.detach() - to
            rule.step()

        return lib.compile(step), (lambda: parameters)

    def jax(self, lib, case, data):
        values, targets = self.both(case, data)
        targets = [lib.jnp.asarray(to) for to in targets]
        state = [[lib.jnp.asarray(x) for x in column] for column in self.start(values)]

        def cost(w, targets):
            return sum(((p - to) ** 2).sum() * 0.5 for p, to in zip(w, targets, strict=True))

        def step(state, targets):
            (w, m, v), t = state
            t = t + 1
            rate = self.rate(t, lib.jnp.sqrt)
            new = [], [], []
            for p, a, b, g in zip(w, m, v, lib.jax.grad(cost)(w, targets), strict=True):
                a = B1 * a + (1 - B1) * g
                b = B2 * b + (1 - B2) * g * g
                p = p - rate * a / (lib.jnp.sqrt(b) + EPSILON)
                for column, value in zip(new, (p, a, b), strict=True):
                    column.append(value)
            return list(new), t

        call, box = lib.stepper(step, (state, lib.jnp.zeros((), F)), targets)
        return call, (lambda: box[0][0][0])
