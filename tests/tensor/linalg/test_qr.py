"""Gradients of orthogonal factors."""

from __future__ import annotations

from symtheano.function.verify import verify_grad
from symtheano.tensor.linalg.qr import qr
from tests.tensor.linalg.matrices import real


def test_gradient_of_r_in_mode_complete() -> None:
    verify_grad(lambda a: qr(a, "complete")[1], [real(4, 3)], n_tests=1, mode="INTERPRET")
