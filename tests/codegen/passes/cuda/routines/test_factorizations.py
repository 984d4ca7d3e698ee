"""Which calls of libraries factorizations become; test_decompositions.py has their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen import cuda
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.codegen.passes.cuda.routines import factorizations
from symtheano.codegen.passes.cuda.routines.factorizations import (
    CHOLESKY,
    EIGEN,
    LONG_LU,
    QR,
    SVD,
    Q,
)
from symtheano.codegen.template import file_text
from symtheano.dataclass import replace
from symtheano.loopir import Call, LibraryCall
from symtheano.loopir.verify import verify
from symtheano.tensor.linalg import matrices

A = T.dtensor3("A")
linalg = T.linalg


@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        (lambda: linalg.cholesky(A), [CHOLESKY]),
        (lambda: linalg.lu(A), [LONG_LU]),
        (lambda: linalg.qr(A), [QR, Q]),
        (lambda: linalg.qr(A, mode="r"), [QR]),
        (lambda: linalg.eigh(A), [EIGEN]),
        (lambda: linalg.svd(A, compute_uv=False), [SVD, SVD]),  # of wide and of tall matrices
        (lambda: linalg.pinv(A, hermitian=True), [EIGEN]),
    ],
)
def test_calls(make: Callable[[], Any], kinds: list[int]) -> None:
    with config.change_flags(mode="INTERPRET"):
        f = function([A], make())
    there = replace(CUDA, device=replace(CUDA.device, libraries=frozenset(["cusolver"])))
    program = lower(f.stages.final, target=there).program
    verify(program, there.dialect)
    statements = [*program.statements()]
    calls = [s for s in statements if isinstance(s, LibraryCall)]
    assert [dict(s.numbers)["kind"].constant for s in calls] == kinds
    assert not any(isinstance(s, Call) for s in statements)


def test_numbers_of_the_driver() -> None:
    (kinds,) = re.findall(r"enum \{ (ST_CHOLESKY[^}]*) \};", file_text(cuda.__file__, "driver.h"))
    for number, name in enumerate(kinds.split(", ")):
        assert getattr(factorizations, name.removeprefix("ST_")) == number


def test_statuses_of_the_routines() -> None:
    assert (factorizations.FIRST, factorizations.DIVERGED) == (matrices.FIRST, matrices.DIVERGED)
