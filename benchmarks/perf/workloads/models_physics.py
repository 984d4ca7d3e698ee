"""Simulations and images, as their users write them."""

from __future__ import annotations

import numpy as np

from benchmarks.perf.expression import Expression
from benchmarks.perf.workload import workload

F, D = "float32", "float64"


def rolled(m, x, rows, columns):
    """Move an image whose borders meet, by one axis at a time."""
    if rows:
        x = m.roll(x, rows, 0)
    return m.roll(x, columns, 1) if columns else x


@workload
class NBody(Expression):
    """Bodies that attract each other in space: positions and velocities after ten steps."""

    name = "nbody"
    family = "models"
    variants = ({"n": 300, "dtype": D},)
    inputs = ("x", "v", "mass")
    STEPS, DT, SOFT = 10, 0.01, 0.05

    def make(self, case, rs):
        n = case["n"]
        return {"x": rs.randn(n, 3), "v": rs.randn(n, 3) * 0.1, "mass": rs.rand(n) / n}

    def expression(self, lib, case, x, v, mass):
        def step(x, v, mass):
            apart = x[None, :] - x[:, None]
            cubed = ((apart**2).sum(2) + self.SOFT) ** 1.5
            v = v + self.DT * (apart * (mass / cubed)[:, :, None]).sum(1)
            return [x + self.DT * v, v]

        return list(lib.last_states(step, [x, v], (), [mass], self.STEPS))

    def numba(self, lib, case, data):
        steps, dt, soft = self.STEPS, self.DT, self.SOFT

        def run(x, v, mass):
            n = len(x)
            x, v = x.copy(), v.copy()
            for _ in range(steps):
                for i in range(n):
                    a = b = c = 0.0
                    for j in range(n):
                        p, q, r = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                        square = p * p + q * q + r * r + soft
                        w = mass[j] / (square * np.sqrt(square))
                        a += w * p
                        b += w * q
                        c += w * r
                    v[i, 0] += dt * a
                    v[i, 1] += dt * b
                    v[i, 2] += dt * c
                x += dt * v
            return x, v

        f = lib.jit(run, parallel=False)
        return lambda: f(data["x"], data["v"], data["mass"])


@workload
class LatticeBoltzmann(Expression):
    """Flow on a periodic grid with nine velocities, twenty steps."""

    name = "lattice_boltzmann"
    family = "models"
    variants = ({"rows": 64, "columns": 128, "dtype": D},)
    inputs = ("f",)
    STEPS = 20
    VELOCITIES = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))
    WEIGHTS = (4 / 9, *[1 / 9] * 4, *[1 / 36] * 4)

    def make(self, case, rs):
        rows, columns = case["rows"], case["columns"]
        weights = np.array(self.WEIGHTS)[:, None, None]
        return {"f": weights * (1 + 0.05 * rs.rand(9, rows, columns))}

    def expression(self, lib, case, f):
        m = lib.m

        def step(f):
            parts = [rolled(m, f[k], *self.VELOCITIES[k]) for k in range(9)]
            density = sum(parts[1:], parts[0])
            right = (parts[1] - parts[2] + parts[5] - parts[6] + parts[7] - parts[8]) / density
            up = (parts[3] - parts[4] + parts[5] - parts[6] - parts[7] + parts[8]) / density
            square = right**2 + up**2
            after = []
            for part, (i, j), weight in zip(parts, self.VELOCITIES, self.WEIGHTS, strict=True):
                along = i * right + j * up
                rest = weight * density * (1 + 3 * along + 4.5 * along**2 - 1.5 * square)
                after.append(part + (rest - part) / 0.8)
            return [m.stack(after, 0)]

        return list(lib.last_states(step, [f], (), (), self.STEPS))


@workload
class OpticalFlow(Expression):
    """The motion between two images by Horn and Schunck's iteration, fifty times."""

    name = "optical_flow"
    family = "models"
    variants = ({"n": 128, "dtype": F},)
    inputs = ("a", "b")
    STEPS, SMOOTH = 50, 0.1

    def make(self, case, rs):
        n = case["n"]
        y, x = np.mgrid[0 : 2 * np.pi : n * 1j, 0 : 2 * np.pi : n * 1j]
        images = (np.sin(3 * x + 2 * y + shift) + 0.1 * rs.rand(n, n) for shift in (0, 0.3))
        return {name: image.astype(F) for name, image in zip("ab", images, strict=True)}

    def expression(self, lib, case, a, b):
        m = lib.m

        def average(x):
            cross = rolled(m, x, 1, 0) + rolled(m, x, -1, 0) + rolled(m, x, 0, 1)
            return 0.25 * (cross + rolled(m, x, 0, -1))

        across = 0.5 * (rolled(m, a, 0, -1) - rolled(m, a, 0, 1))
        down = 0.5 * (rolled(m, a, -1, 0) - rolled(m, a, 1, 0))

        def step(u, v, across, down, change):
            u, v = average(u), average(v)
            error = (across * u + down * v + change) / (self.SMOOTH + across**2 + down**2)
            return [u - across * error, v - down * error]

        zero = m.zeros_like(a)
        return list(lib.last_states(step, [zero, zero], (), [across, down, b - a], self.STEPS))


@workload
class Bilateral(Expression):
    """An image, smoothed by the 25 neighbours of each pixel that look like it."""

    name = "bilateral"
    family = "models"
    variants = ({"n": 256, "dtype": F},)
    inputs = ("x",)

    def make(self, case, rs):
        n = case["n"]
        return {"x": (rs.rand(n, n) * 0.2 + (np.arange(n) > n // 2)).astype(F)}

    def expression(self, lib, case, x):
        above = below = 0.0
        for i in range(-2, 3):
            for j in range(-2, 3):
                other = rolled(lib.m, x, i, j)
                weight = lib.m.exp(-(i * i + j * j) / 8 - (other - x) ** 2 / 0.02)
                above = above + weight * other
                below = below + weight
        return above / below

    def numba(self, lib, case, data):
        def run(x):
            n, columns = x.shape
            out = np.empty_like(x)
            for r in range(n):
                for c in range(columns):
                    above = below = np.float32(0)
                    for i in range(-2, 3):
                        for j in range(-2, 3):
                            other = x[(r - i) % n, (c - j) % columns]
                            far = np.float32((i * i + j * j) / 8)
                            apart = other - x[r, c]
                            weight = np.exp(-far - apart * apart / np.float32(0.02))
                            above += weight * other
                            below += weight
                    out[r, c] = above / below
            return out

        f = lib.jit(run, parallel=False)
        return lambda: f(data["x"])


@workload
class Welch(Expression):
    """The power spectrum of a long signal: the mean over windows of 1,024 samples."""

    name = "welch"
    family = "models"
    variants = ({"windows": 256, "dtype": D},)
    inputs = ("x",)

    def make(self, case, rs):
        n = case["windows"] * 1024
        return {"x": np.sin(np.arange(n) * 0.3) + rs.randn(n)}

    def expression(self, lib, case, x):
        parts = x.reshape((case["windows"], 1024))
        parts = parts - parts.mean(1)[:, None]
        hann = 0.5 - 0.5 * lib.m.cos(2 * np.pi / 1024 * lib.cast(lib.m.arange(1024), D))
        return lib.powers(parts * hann).mean(0)
