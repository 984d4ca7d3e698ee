"""Tables of vectors with gradients, and setting or adding at pairs of indices."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.workload import Workload, workload

F = "float32"


class Emb(Workload):
    """A table of 50000 vectors of 128 numbers, of which 4096 are read."""

    variants = ({"dtype": F},)

    def make(self, case, rs):
        return {
            "E": (rs.randn(50000, 128) * 0.5).astype(F),
            "ids": rs.randint(0, 50000, 4096),
            "c": rs.randn(4096, 128).astype(F),
        }


@workload
class EmbGather(Emb):
    """Only the reading."""

    name = "embed_gather"

    def bytes(self, case):
        return None

    def ref(self, case, data):
        return [data["E"][data["ids"]]]

    def numpy(self, lib, case, data):
        E, ids = data["E"], data["ids"]
        return lambda: E[ids]

    def sym(self, lib, case, data):
        E, ids = lib.shared(data["E"]), lib.var("ids", data["ids"])
        return lib.caller([ids], [data["ids"]], E[ids])

    def torch(self, lib, case, data):
        E, ids = lib.arr(data, "E", "ids")
        f = lib.compile(lambda E, ids: E[ids])
        return lambda: f(E, ids)

    def jax(self, lib, case, data):
        return lib.caller(lambda E, i: E[i], *lib.arr(data, "E", "ids"))


@workload
class EmbDense(Emb):
    """sum(tanh(E[ids])*c), and its gradient in the whole table."""

    name = "embed_dense_grad"

    def bytes(self, case):
        return 50000 * 128 * 4

    def ref(self, case, data):
        r = np.tanh(data["E"][data["ids"]])
        g = np.zeros_like(data["E"])
        np.add.at(g, data["ids"], data["c"] * (1 - r * r))
        return [(r * data["c"]).sum(), g]

    def numpy(self, lib, case, data):
        E, ids, c = data["E"], data["ids"], data["c"]

        def call():
            r = np.tanh(E[ids])
            g = np.zeros_like(E)
            np.add.at(g, ids, c * (1 - r * r))
            return (r * c).sum(), g

        return call

    def sym(self, lib, case, data):
        E, ids, c = lib.shared(data["E"]), lib.var("ids", data["ids"]), lib.var("c", data["c"])
        v = (lib.T.tanh(E[ids]) * c).sum()
        return lib.caller([ids, c], [data["ids"], data["c"]], [v, lib.grad(v, E)])

    def torch(self, lib, case, data):
        E, ids, c = lib.arr(data, "E", "ids", "c")
        return lib.value_and_grad(
            lambda E: (lib.torch.tanh(lib.torch.nn.functional.embedding(ids, E)) * c).sum(), [E]
        )

    def jax(self, lib, case, data):
        return lib.caller(
            lib.jax.value_and_grad(lambda E, i, c: (lib.jnp.tanh(E[i]) * c).sum()),
            *lib.arr(data, "E", "ids", "c"),
        )


@workload
class EmbSGD(Emb):
    """The gradient of the rows that were read, subtracted in place."""

    name = "embed_sparse_sgd"
    check_calls = 2
    LR = np.float32(0.01)

    def np_step(self, E, ids, c, lr):
        r = np.tanh(E[ids])
        np.add.at(E, ids, -lr * c * (1 - r * r))
        return (r * c).sum()

    def ref(self, case, data):
        E = data["E"].copy()
        for _ in range(2):
            self.np_step(E, data["ids"], data["c"], float(self.LR))
        return [E]

    def numpy(self, lib, case, data):
        E = data["E"].copy()
        return (lambda: self.np_step(E, data["ids"], data["c"], self.LR)), (lambda: [E])

    def sym(self, lib, case, data):
        E, ids, c = lib.shared(data["E"]), lib.var("ids", data["ids"]), lib.var("c", data["c"])
        rows = E[ids]
        v = (lib.T.tanh(rows) * c).sum()
        f = lib.function(
            [ids, c], v, updates=[(E, lib.T.inc_subtensor(rows, -self.LR * lib.grad(v, rows)))]
        )
        return (lambda: f(data["ids"], data["c"])), (lambda: [E.get_value()])

    def torch(self, lib, case, data):
        t = lib.torch
        E, ids, c = lib.arr(data, "E", "ids", "c")
        E = E.clone()
        lr = float(self.LR)

        def step(E, ids, c):
            rows = E[ids]
            r = t.tanh(rows)
            E.index_add_(0, ids, c * (1 - r * r), alpha=-lr)
            return (r * c).sum()

        f = lib.compile(step)
        return (lambda: f(E, ids, c)), (lambda: [E])

    def jax(self, lib, case, data):
        E, ids, c = lib.arr(data, "E", "ids", "c")

        def step(st, ids, c):
            E = st[0]
            v, g = lib.jax.value_and_grad(lambda rows: (lib.jnp.tanh(rows) * c).sum())(E[ids])
            return E.at[ids].add(-self.LR * g), v

        call, box = lib.stepper(step, (E, lib.jnp.zeros((), F)), ids, c)
        return call, (lambda: [box[0][0]])


class AdvBase(Workload):
    variants = ({"dtype": F},)

    def make(self, case, rs):
        n = 100000
        flat = (
            rs.permutation(2048 * 2048)[:n] if self.op == "set" else rs.randint(0, 2048 * 2048, n)
        )
        return {
            "x": rs.randn(2048, 2048).astype(F),
            "i": flat // 2048,
            "j": flat % 2048,
            "v": rs.randn(n).astype(F),
        }

    def bytes(self, case):
        return 2 * 2048 * 2048 * 4

    def ref(self, case, data):
        x = data["x"].copy()
        if self.op == "set":
            x[data["i"], data["j"]] = data["v"]
        else:
            np.add.at(x, (data["i"], data["j"]), data["v"])
        return [x]

    def numpy(self, lib, case, data):
        return lambda: self.ref(case, data)

    def sym(self, lib, case, data):
        x, i, j, v = [lib.var(k, data[k]) for k in "xijv"]
        op = lib.T.set_subtensor if self.op == "set" else lib.T.inc_subtensor
        return lib.caller([x, i, j, v], [data[k] for k in "xijv"], op(x[i, j], v))

    def torch(self, lib, case, data):
        a = lib.arr(data, "x", "i", "j", "v")
        acc = self.op == "inc"
        f = lib.compile(lambda x, i, j, v: x.index_put((i, j), v, accumulate=acc))
        return lambda: f(*a)

    def jax(self, lib, case, data):
        a = lib.arr(data, "x", "i", "j", "v")
        if self.op == "set":
            return lib.caller(lambda x, i, j, v: x.at[i, j].set(v), *a)
        return lib.caller(lambda x, i, j, v: x.at[i, j].add(v), *a)


@workload
class AdvSet(AdvBase):
    """A copy of a matrix of 2048x2048 with 1e5 elements set."""

    name, op = "adv_set", "set"


@workload
class AdvInc(AdvBase):
    """The same, with numbers added; indices occur more than once."""

    name, op = "adv_inc", "inc"
