"""Arrays whose lengths depend on data, where these agree and where they do not.

One function is called by turns with few and many elements, so that memory of one size serves
another. Lengths that disagree are an error, the same one in C and in the interpreter; NumPy tells
the numbers where they agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given

from symtheano import shared
from symtheano.errors import BoundsError, ShapeError
from tests.language.check import agree, rewritten
from tests.language.forms import SETS, WORDS_OF_GRAPHS, by_numpy, calls, forms, inputs_of, values_of
from tests.language.program import largest
from tests.language.strategies import budget
from tests.support.compare import compiled, count, oracle, outcome

# Beyond the number of elements from which loops run in chunks and on several threads. What makes
# a matrix of them, or decomposes one, is called with fewer.
LONG, WIDE = 40_000, 300
# Where two requirements are not met, either may be reported.
EITHER = {ShapeError, BoundsError}
SQUARE = ("outer", "diag", "solve", ", 1))")


def check_form(text: str, make: Callable[..., Any], long: int) -> None:
    """Call a function of a form with lengths that agree and with others."""
    inputs = inputs_of(text)
    try:
        made = eval(text, {**WORDS_OF_GRAPHS, **inputs})
    except TypeError:
        event("refused: a value of another dtype")
        return
    f, g = make(list(inputs.values()), made), oracle(list(inputs.values()), made)
    for values in calls(WIDE if any(word in text for word in SQUARE) else long):
        args = [values[name] for name in inputs]
        mine, its = outcome(f, args), outcome(g, args)
        sizes = {name: value.shape for name, value in zip(inputs, args, strict=True)}
        what = f"{text} for {sizes}"
        if isinstance(its, tuple) or isinstance(mine, tuple):
            assert type(mine) is type(its), f"{mine} and not {its}: {what}"
            both = {mine[0], its[0]}
            assert len(both) == 1 or both <= EITHER, f"{mine} and not {its}: {what}"
            count("forms of lengths that disagree", 1)
            continue
        scale = max(1.0, largest(its))
        agree(mine, its, 1e-9, scale, f"{what}, against the interpreter")
        try:
            want = by_numpy(text, values)
        except (ValueError, IndexError):
            event("an error of NumPy's alone")
            continue
        if want.shape == its.shape:  # NumPy repeats what happens to have one element
            agree(mine, want.astype(its.dtype), 1e-9, scale, f"{what}, against NumPy")
        count("forms of lengths that agree", mine.size)


@pytest.mark.needs_cc
@budget(14)
@given(forms())
def test_lengths_that_depend_on_data_in_c(text: str) -> None:
    check_form(text, compiled, LONG)


@budget(20)
@given(forms())
def test_lengths_that_depend_on_data_rewritten(text: str) -> None:
    check_form(text, rewritten, 40)


@pytest.mark.needs_cc
@budget(3)
@given(forms(), forms())
def test_an_error_of_lengths_updates_nothing_in_c(first: str, second: str) -> None:
    """Shared variables are updated by forms; one of them keeps the shape of its array."""
    inputs = {**inputs_of(first), **inputs_of(second)}
    try:
        one, two = (eval(text, {**WORDS_OF_GRAPHS, **inputs}) for text in (first, second))
    except TypeError:
        return
    state = [shared(np.zeros((4,) * item.ndim, item.dtype)) for item in (one, two)]
    updates = [(state[0], one), (state[1], state[1] + two)]
    f = compiled(list(inputs.values()), [one.sum()], updates=updates)
    for lengths in ([(4, 4)] * 3, [(4, 4), (9, 9), (4, 3)], [(300, 4), (4, 4), (4, 4)],
                    [(9, 9)] * 3, [(4, 4)] * 3):  # fmt: skip
        values = values_of(dict(zip(SETS, lengths, strict=True)))
        before = [item.get_value() for item in state]
        found = outcome(f, [values[name] for name in inputs])
        for item, value in zip(state, before, strict=True):
            if isinstance(found, tuple):
                np.testing.assert_array_equal(item.get_value(), value, f"{first}, {second}")
            count("shared variables beside forms of lengths", value.size)
