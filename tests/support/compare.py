"""The comparison that all conformance tests make: compiled code, interpreter, NumPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from numpy.lib.array_utils import byte_bounds

from symtheano import Function, Mode, function
from symtheano.codegen.native import parts
from symtheano.loopir.verify import verify

Array = np.ndarray[Any, Any]

ORACLE = Mode("interpret", "none")
PLAIN = Mode("c", "none")

# Relative to the largest number of an output; sums of a few hundred terms stay well below.
TOLERANCE = {
    "float16": 2e-3,
    "float32": 3e-6,
    "float64": 1e-13,
    "complex64": 3e-6,
    "complex128": 1e-13,
}

COMPARED: Counter[str] = Counter()
"""How many ``cases`` and ``values`` were compared, by kind; the run's summary prints it."""


def count(kind: str, values: int) -> None:
    """Count one case of a kind."""
    COMPARED[f"{kind}: cases"] += 1
    COMPARED[f"{kind}: values"] += values


@contextmanager
def one_text() -> Iterator[None]:
    """Compile each function as one text, and not long ones in parts.

    Parts are for processors that are idle, and take an eighth more time in all. A run of the tests
    has a process for each processor.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "_SMALL", 1 << 40)
        yield


def compiled(inputs: Sequence[Any], outputs: Any, **options: Any) -> Function:
    """Return a function in C whose LoopIR is in order; it is compiled as one text."""
    with one_text():
        f = function(list(inputs), outputs, on_unused_input="ignore", **options)
    assert f.c_source is not None, "no C was made"
    verify(f.lowered.program, f.mode.target(f.stages.options.device).dialect)
    return f


def oracle(inputs: Sequence[Any], outputs: Any, **options: Any) -> Function:
    """Return the same as the interpreter runs it, without any rewriting."""
    return function(list(inputs), outputs, mode=ORACLE, on_unused_input="ignore", **options)


def outcome(f: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Return the result of a call, or the type and first line of its error.

    Further lines describe operands, which rewriting may have replaced.
    """
    try:
        return f(*args)
    except (ValueError, IndexError, TypeError, ZeroDivisionError) as error:
        return type(error), str(error).partition("\n")[0]


def check(
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    calls: Sequence[Sequence[Array]],
    reference: Callable[..., Sequence[Any]] | None = None,
    *,
    kind: str = "structure ops",
    tolerance: float | None = None,
    mode: Any = None,
) -> Function:
    """Compile, and compare every call's results with the interpreter's and with NumPy's.

    Parameters
    ----------
    inputs, outputs
        Variables.
    calls
        For each call the values of the inputs.
    reference
        Computes the outputs with NumPy.
    tolerance
        Maximum error of a result, relative to the largest number in it; by dtype by default.
    """
    f, g = compiled(inputs, list(outputs), mode=mode), oracle(inputs, list(outputs))
    for args in calls:
        compare_call(f, g, args, reference, kind=kind, tolerance=tolerance)
    return f


def compare_call(
    f: Callable[..., Any],
    g: Callable[..., Any],
    args: Sequence[Array],
    reference: Callable[..., Sequence[Any]] | None = None,
    *,
    kind: str,
    tolerance: float | None = None,
) -> None:
    """Compare what two functions do with the same arguments: results, or errors."""
    before = [np.array(value) for value in args]
    got, want = outcome(f, args), outcome(g, args)
    described = f"for {', '.join(f'{value.dtype}{value.shape}' for value in before):.300}"
    for value, copy in zip(args, before, strict=True):
        np.testing.assert_array_equal(value, copy, "an input was changed")
    if isinstance(want, tuple) or isinstance(got, tuple):
        assert got == want, described
        count(kind, 1)
        return
    if isinstance(got, np.ndarray):
        got, want = [got], [want]
    assert_fresh(got, args)
    for number, (mine, its) in enumerate(zip(got, want, strict=True)):
        assert_same(mine, its, tolerance, f"output {number} against the interpreter, {described}")
    if reference is not None:
        expected = reference(*before)
        for number, (mine, its) in enumerate(zip(got, expected, strict=True)):
            what = f"output {number} against NumPy, {described}"
            assert_same(mine, np.asarray(its), tolerance, what)
    count(kind, sum(mine.size for mine in got))


def assert_fresh(results: Sequence[Array], args: Sequence[Array]) -> None:
    """Fail unless each result is a separate, writeable array."""
    for result in results:
        assert type(result) is np.ndarray
        assert result.flags.writeable
        assert result.flags.c_contiguous
    parts = [
        (*byte_bounds(item), number < len(results))
        for number, item in enumerate((*results, *args))
        if item.size
    ]
    # In the order of addresses, each has to be compared with the largest end before it.
    end, end_of_results = 0, 0
    for start, stop, is_result in sorted(parts):
        overlaps = start < (end if is_result else end_of_results)
        assert not overlaps, "a result shows other memory"
        end = max(end, stop)
        end_of_results = max(end_of_results, stop if is_result else 0)


def assert_same(
    got: Array,
    want: Array,
    tolerance: float | None = None,
    what: str = "",
    rounding: float = 0.0,
) -> None:
    """Fail unless dtype and shape are equal and the numbers agree.

    NaN and infinities must be at the same positions; integers must be equal. Floating-point numbers
    may differ by the tolerance times the largest one, and by ``rounding``.
    """
    assert (got.dtype, got.shape) == (want.dtype, want.shape), what
    if want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want, what)
        return
    allowed = TOLERANCE[want.dtype.name] if tolerance is None else tolerance
    with np.errstate(all="ignore"):
        finite = np.abs(want[np.isfinite(want)])
        scale = float(finite.max()) if finite.size else 0.0
        close = (got == want) | (
            np.abs(np.asarray(got - want, "c16")) <= allowed * scale + rounding
        )
        close |= np.isnan(got) & np.isnan(want)
        close &= np.isnan(got) == np.isnan(want)
        if want.dtype.kind == "f":
            close &= np.isinf(want) <= (got == want)
    if not close.all():
        wrong = [tuple(map(int, at)) for at in np.argwhere(~close)[:8]]
        shown = "\n".join(f"{at}: {got[at]!r} and not {want[at]!r}" for at in wrong)
        raise AssertionError(f"{what}\n{(~close).sum()} of {close.size} differ:\n{shown}")
