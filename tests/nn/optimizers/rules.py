"""Optimizers, and a problem for them."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import Mode, shared

INTERPRET = Mode("interpret", "fast_run")


CLIPPING: list[dict[str, Any]] = [
    {},
    {"clipvalue": 0.1},
    {"clipnorm": 0.1},
    {"global_clipnorm": 0.1},
]


def quadratic(*shapes: tuple[int, ...], dtype: str = "float32") -> tuple[Any, list[Any]]:
    rng = np.random.default_rng(2)
    parameters = [
        shared(rng.normal(size=shape).astype(dtype), f"p{n}") for n, shape in enumerate(shapes)
    ]
    return sum(T.sqr(p).sum() for p in parameters), parameters
