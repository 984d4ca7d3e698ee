"""The inputs of random programs: dtypes, lengths, special numbers, layouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from hypothesis import strategies as st

from tests.language.program import Array, Draw, Program
from tests.support.layouts import LAYOUTS

LENGTHS = st.sampled_from([3, 2, 4, 5, 1, 0])
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324, -1e-310, 1.0]
NARROW = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64", "int64", "bool",
          "float16", "float32", "float64"]  # fmt: skip


FIXED: dict[str, tuple[int | None, ...]] = {"row": (1, None), "column": (None, 1)}
"""Inputs of which lengths are static."""


def values(n: int, m: int, seed: int, special: bool = False) -> dict[str, Any]:
    """Return values for inputs of all kinds of dtypes, whose lengths are n and m.

    Parameters
    ----------
    n, m
        Lengths.
    seed
        Chooses the numbers.
    special
        Whether there are NaN, infinities and the like among them, instead of complex numbers and
        sparse matrices.
    """
    random = np.random.default_rng(seed)

    def uniform(*shape: int) -> Array:
        value = np.asarray(random.uniform(-1, 1, shape))
        if special:
            chosen = random.choice(SPECIAL, shape)
            return np.where(random.uniform(size=shape) < 0.3, chosen, value)
        return value

    made = {
        "x": uniform(n, m),
        "y": uniform(n, m),
        "v": uniform(m),
        "w": uniform(n),
        "s": uniform(),
        "row": uniform(1, m),
        "column": uniform(n, 1),
        "t": uniform(2, m, n),
        "k": np.asarray(random.integers(-3, 4, m)),
        "j": np.asarray(random.integers(0, 4)),
        "a": random.integers(-100, 100, (n, m), "int8"),
        "u": random.integers(0, 256, m, "uint8"),
        "b": random.integers(0, 2, (n, m)).astype("bool"),
        "f": uniform(n, m).astype("float32"),
    }
    if not special:
        made["z"] = uniform(n, m) + 1j * uniform(n, m)
        for name, format in (("A", "csr"), ("B", "csc")):
            stored = np.where(random.uniform(size=(n, m)) < 0.4, uniform(n, m), 0)
            made[name] = scipy.sparse.csr_matrix(stored).asformat(format)
    return made


def start(
    draw: Draw, smooth: bool = False, special: bool = False, layouts: bool = False
) -> Program:
    """Return a program without steps.

    Parameters
    ----------
    draw
        Draws from a strategy of hypothesis.
    smooth, special
        As for :class:`Program`.
    layouts
        Whether inputs have all memory layouts that NumPy has.
    """
    program = Program(draw, smooth, special)
    made = values(draw(LENGTHS), draw(LENGTHS), draw(st.integers(0, 5)), special)
    for name, value in made.items():
        if scipy.sparse.issparse(value):
            program.sparse_input(name, value)
        elif not (smooth and name == "f"):
            layout = draw(st.sampled_from(LAYOUTS)) if layouts else "contiguous"
            program.input(name, value, FIXED.get(name), layout)
    return program


def start_narrow(draw: Draw) -> Program:
    """Return a program without steps: its inputs are numbers of all widths, large ones too."""
    program = Program(draw)
    n, m = draw(LENGTHS), draw(LENGTHS)
    random = np.random.default_rng(draw(st.integers(0, 5)))
    shapes: list[tuple[str, tuple[int, ...], Any]] = [
        ("x", (n, m), None), ("y", (n, m), None), ("v", (m,), None), ("w", (m,), None),
        ("s", (), None), ("column", (n, 1), (None, 1)),
    ]  # fmt: skip
    for name, shape, fixed in shapes:
        dtype = draw(st.sampled_from(NARROW))
        if dtype[0] in "iu":
            limits = np.iinfo(dtype)
            values = random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
            small = random.integers(0, 5, shape).astype(dtype)
            value = np.where(random.uniform(size=shape) < 0.5, values, small)
        else:
            value = (random.uniform(-2, 2, shape) if dtype[0] == "f"
                     else random.integers(0, 2, shape)).astype(dtype)  # fmt: skip
        program.input(name, np.asarray(value), fixed)
    program.input("j", np.asarray(random.integers(0, 4)))
    return program
