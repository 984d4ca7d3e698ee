"""Random numbers."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"


@workload
class Normal(Workload):
    """Normal numbers, of which the mean and the variance are checked."""

    name = "random_normal"
    variants = tuple({"n": n, "dtype": F} for n in (10_000, 1_000_000))
    tolerance = 0.1

    def make(self, case, rs):
        return {}

    def ref(self, case, data):
        return [np.array([0.0, 1.0])]

    def checked(self, lib, call):
        def state():
            numbers = np.asarray(lib.to_numpy(call()), "float64")
            return [np.array([numbers.mean(), numbers.var()])]

        return call, state

    def numpy(self, lib, case, data):
        rng = np.random.default_rng(1)
        return self.checked(lib, lambda: rng.standard_normal(case["n"], dtype=F))

    def sym(self, lib, case, data):
        return self.checked(lib, lib.function([], lib.normal(case["n"])))

    def torch(self, lib, case, data):
        return self.checked(lib, lib.compile(lambda: lib.torch.randn(case["n"])))

    def jax(self, lib, case, data):
        random = lib.jax.random

        def step(state):
            key, part = random.split(state[0])
            return key, random.normal(part, (case["n"],), F)

        call, box = lib.stepper(step, (random.key(1), lib.jnp.zeros(case["n"], F)))

        def numbers():
            call()
            return box[0][1]

        return self.checked(lib, numbers)
