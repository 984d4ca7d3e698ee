"""Routines with huge lengths: the sizes of their memory do not overflow, and errors name a line.

Each routine that uses memory while it runs is called where lengths are numbers of a call, at the
limits of integers, in arrays that are made in the graph: their sizes are computed before there is
an array. A call returns what the interpreter returns, or raises MemoryError or ValueError; one of a
workspace, or of an array that is made in between, tells a line of the program. Run it under
sanitizers, too: ``.ci/sanitize python tests/language/test_routine_sizes.py``.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import clone, function
from symtheano.codegen.routines import ROUTINES
from symtheano.gradient import grad
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from symtheano.tensor import nnet
from symtheano.tensor.nnet.attention import Attention, AttentionGradient
from symtheano.tensor.shapes.intervals import MOST_ALONG_AXIS
from symtheano.tensor.shared_randomstreams import RandomStreams
from symtheano.tensor.signal import pool
from tests.support.extent import TIMES, is_taken
from tests.support.memory import little_memory

HOSTILE = (
    *(2**31 - 1, 2**31, 2**32 + 5, 2**40, 2**53, 2**59, 2**60, 2**61 - 1, 2**61, 2**62 - 1),
    *(2**62, 2**62 + 1, 2**63 - 1),
)
SMALL = (0, 1, 2, 3, 5)
_RAISED = (MemoryError, ValueError, IndexError)

n, k, l = T.lscalars("n", "k", "l")  # noqa: E741  lengths are called so in this file


def ones(*shape: Any) -> Any:
    """Return an array of numbers of a call's shape, which has no memory."""
    return T.alloc(np.float64(1.0), *shape)


def turned(*shape: Any) -> Any:
    """Return an array whose elements are not all equal, where there is more than one."""
    rows = T.cast(T.arange(shape[-1]), "float64")
    return T.cos(rows) + ones(*shape)


def rising(length: Any) -> Any:
    """Return a vector in ascending order."""
    return T.cast(T.arange(length), "float64") + ones(length)


def square(*shape: Any) -> Any:
    """Return matrices that have an inverse, of a shape without its last length."""
    return ones(*shape, shape[-1]) + T.eye(shape[-1])


def attention(gradient: bool) -> Any:
    """Rows differ: equal ones would need no memory, and 2**40 keys would take hours."""
    one = np.float64(1.0)
    arrays = [turned(l, *x).dimshuffle(0, 2, 1) for x in ((4, n), (4, k), (3, k))]
    made = Attention(keeps=True)(*arrays, one)
    if not gradient:
        return made[0]
    return AttentionGradient()(*arrays, one, *made, turned(l, n, 3), one, one)[1]


def convolved(wanted: str) -> Any:
    image, kernel = turned(l, 2, n, 4), turned(3, 2, k, 2)
    result = nnet.conv2d(image, kernel)
    if wanted == "result":
        return result
    return grad((result * result).sum(), image if wanted == "image" else kernel)


def pooled(mode: str, gradient: bool) -> Any:
    image = turned(l, 2, n, k)
    result = pool.pool_2d(image, (2, 2), ignore_border=True, mode=mode)
    return grad((result * result).sum(), image) if gradient else result


def tangent() -> Any:
    image = turned(l, 2, n, k)
    result = pool.pool_2d(image, (2, 2), ignore_border=True, mode="max")
    return T.Rop(result, image, turned(l, 2, n, k) * 2)


def drawn(weighted: bool) -> Any:
    streams = RandomStreams(3)
    if not weighted:
        return streams.choice((l,), a=n, replace=False)
    items = T.minimum(n, 9)  # a sum of probabilities without memory would take hours
    return streams.choice((l,), a=items, replace=False, p=ones(items) / items)


def labelled() -> Any:
    items = T.minimum(l, 7)  # labels are checked, without memory: more of them would take hours
    labels = T.alloc(np.int64(1), items, 3)
    return nnet.ctc.ctc(turned(n, items, 3), labels, T.alloc(n, items))


LINES: dict[str, Any] = {
    "sort": lambda: T.sort(turned(n, k)),
    "sort of columns": lambda: T.sort(turned(n, k), axis=0),
    "argsort": lambda: T.argsort(turned(n, k)),
    "argtop": lambda: T.argtopk(turned(n, k), l),
    "roworder": lambda: T.unique(turned(n, k), axis=0),
    "unique": lambda: T.unique(turned(n)),
    "searchsorted": lambda: T.searchsorted(rising(n), turned(k)),
    "cumsum": lambda: T.cumsum(turned(n, k), axis=0),
    "median": lambda: T.median(turned(n, k), axis=0),
    "fft": lambda: T.fft.fft(turned(n, k)),
    "fft of columns": lambda: T.fft.fft(turned(n, k), axis=0),
    "fft of a length": lambda: T.fft.fft(turned(k), n),
    "rfft": lambda: T.fft.rfft1(turned(n)),
    "irfft": lambda: T.fft.irfft1(turned(n, k), n),
    "cholesky": lambda: T.slinalg.cholesky(square(l, n)),
    "qr": lambda: T.nlinalg.qr(turned(n, k))[1],
    "qr, complete": lambda: T.nlinalg.qr(turned(n, k), mode="complete")[0],
    "lu": lambda: T.slinalg.lu(turned(n, k))[2],
    "inverse": lambda: T.nlinalg.matrix_inverse(square(l, n)),
    "solve": lambda: T.slinalg.solve(square(n), turned(n, k)),
    "solve_triangular": lambda: T.slinalg.solve_triangular(square(n), turned(n, k)),
    "solve_symmetric": lambda: T.slinalg.solve_symmetric(square(n), turned(n, k)),
    "slogdet": lambda: T.nlinalg.slogdet(square(l, n))[1],
    "det": lambda: T.nlinalg.det(square(l, n)),
    "cofactors": lambda: grad(T.nlinalg.det(m := square(n)) * 2.0, m),
    "cofactors_tangent": lambda: T.Rop(grad(T.nlinalg.det(m := square(n)), m), m, ones(n, n)),
    "schur": lambda: T.linalg.schur(square(n))[0],
    "qz": lambda: T.linalg.qz(square(n), square(n))[0],
    "reflectors": lambda: T.linalg.qr(turned(n, k), mode="raw")[0],
    "eigh": lambda: T.nlinalg.eigh(square(n))[0],
    "eig": lambda: T.nlinalg.eig(square(n))[0],
    "svd": lambda: T.nlinalg.svd(turned(n, k), compute_uv=False),
    "svd, full": lambda: T.nlinalg.svd(turned(n, k), full_matrices=True)[2],
    "lstsq": lambda: T.nlinalg.lstsq(turned(n, k), turned(n, l), -1)[0],
    "pinv": lambda: T.nlinalg.pinv(turned(n, k)),
    "matrix product": lambda: T.dot(turned(n, k), turned(k, l)),
    "einsum": lambda: T.einsum("ij,kj->ik", turned(n, k), turned(l, k)),
    "batched_dot": lambda: T.batched_dot(turned(l, n, k), turned(l, k, n)),
    "attention": lambda: attention(False),
    "attention_gradient": lambda: attention(True),
    "convolution": lambda: convolved("result"),
    "convolution_inputs": lambda: convolved("image"),
    "convolution_weights": lambda: convolved("filter"),
    "pool_max": lambda: pooled("max", False),
    "pool_max_image": lambda: pooled("max", True),
    "pool_max_tangent": tangent,
    "pool_sum": lambda: pooled("sum", False),
    "pool_sum_image": lambda: pooled("sum", True),
    "pcg64_different": lambda: drawn(False),
    "pcg64_weighted": lambda: drawn(True),
    "ctc": labelled,
}
"""Expressions with the lengths n, k and l, by the routines that they call."""


FORMS = ("numbers", "late", "lengths")
"""Numbers of a call; sums, which are only known after some of the work; lengths of an axis beside
an empty one."""


DUE = [name for name in LINES if is_taken(f"huge lengths {name}", 20)]
"""Expressions that a run takes."""


def functions(name: str) -> tuple[Any, dict[str, Any]]:
    """Return a function in C of an expression in all forms, and the interpreter's of each form."""
    inputs, outputs, python = [], [], {}
    for form in FORMS:
        given: list[Any] = [item.type() for item in (n, k, l)]
        if form != "numbers":
            given = [T.lvector() if form == "late" else T.bmatrix() for _ in range(3)]
        lengths = [
            x.sum() if form == "late" else x.shape[1] if form == "lengths" else x for x in given
        ]
        output = clone(LINES[name](), replace=dict(zip((n, k, l), lengths, strict=True)))
        python[form] = made(given, output, "INTERPRET")
        inputs += given
        outputs.append(output)
    return made(inputs, outputs, "FAST_RUN"), python


def made(inputs: list[Any], outputs: Any, mode: str) -> Any:
    """Return a function of some lengths."""
    return function(inputs, outputs, mode=mode, on_unused_input="ignore", no_default_updates=True)


def arguments(form: str, lengths: tuple[int, ...]) -> list[Any]:
    """Return the arguments of a form."""
    if form == "late":
        return [np.array([length]) for length in lengths]
    if form == "lengths":
        return [np.empty((0, min(length, MOST_ALONG_AXIS)), "int8") for length in lengths]
    return [*lengths]


def part(c: Any, chosen: str) -> Callable[..., Any]:
    """Return a form's result of the function in C, where the lengths of other forms are 1."""

    def call(*given: Any) -> Any:
        values = [given if form == chosen else arguments(form, (1, 1, 1)) for form in FORMS]
        return c(*(value for group in values for value in group))[FORMS.index(chosen)]

    return call


def called(f: Any, given: list[Any]) -> Any:
    """Return a result, or the error."""
    try:
        with little_memory(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(f(*given))
    except _RAISED as error:
        return error


def lengths_of(pick: random.Random) -> tuple[int, ...]:
    """Return three lengths, most of which are hostile, or small ones beside a hostile one."""
    many = pick.choice((0.3, 0.6, 1.0))
    return tuple(pick.choice(HOSTILE if pick.random() < many else SMALL) for _ in range(3))


@pytest.mark.needs_cc
@pytest.mark.one_in(1)
@pytest.mark.parametrize("name", DUE)
def test_huge_lengths(name: str) -> None:
    c, python = functions(name)
    routine = name.partition(",")[0]
    calls = {s.routine.name for s in walk(c.lowered.program.body) if isinstance(s, Call)}
    assert routine in calls or routine not in ROUTINES
    for form in FORMS:
        check(part(c, form), python[form], name, form)


def check(c: Any, python: Any, name: str, form: str) -> None:
    """Compare C with the interpreter at many lengths."""
    pick = random.Random(f"{TIMES} {name} {form}")
    for _ in range(60):
        lengths = lengths_of(pick)
        mine = called(c, arguments(form, lengths))
        what = f"{name} of {lengths}, {form}: {mine!r}"
        if isinstance(mine, Exception):
            assert str(mine), what
            assert not isinstance(mine, MemoryError) or "test_routine_sizes.py" in str(mine), what
        # NumPy visits each matrix of a batch, also if there are 2**53 without elements.
        if isinstance(mine, MemoryError) or np.size(mine) == 0:
            continue
        its = called(python, arguments(form, lengths))
        if isinstance(its, MemoryError):
            continue
        assert isinstance(mine, Exception) == isinstance(its, Exception), f"{what}, not {its!r}"
        if not isinstance(mine, Exception):
            np.testing.assert_allclose(mine, its, rtol=1e-6, atol=1e-8, err_msg=what)


def test_each_routine_with_a_workspace_has_a_line() -> None:
    assert {name for name, routine in ROUTINES.items() if routine.workspace} <= set(LINES)
