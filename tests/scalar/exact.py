"""Exact values of special functions."""

from __future__ import annotations

from typing import Any

import mpmath as mp

from symtheano.tensor.type import TensorType


def vectors(count: int) -> list[Any]:
    return [TensorType("float64", (None,))(f"x{number}") for number in range(count)]


def gammainc(k: Any, x: Any) -> Any:
    return mp.gammainc(k, 0, x, regularized=True)


def betainc(a: Any, b: Any, x: Any) -> Any:
    return mp.betainc(a, b, 0, x, regularized=True)


def kve(v: Any, x: Any) -> Any:
    return mp.besselk(v, x) * mp.exp(x)
