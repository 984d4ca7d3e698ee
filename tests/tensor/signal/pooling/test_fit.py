"""Conditions on the shapes of pooling, and what they say."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.tensor.signal.pooling.fit import conditions
from symtheano.tensor.signal.pooling.windows import Windows
from tests.support.compare import ORACLE

AT = Windows((2, 2), True, (2, 2), (0, 0))


def test_shapes_that_fit_have_no_conditions() -> None:
    known = [("result", (3, 4, 2), True), ("image", (3, 8, 5), False)]
    assert conditions(AT, (3, 8, 5), known) == []
    assert conditions(AT, (None, None, None), known) == []


def test_shapes_that_do_not_fit() -> None:
    found = conditions(AT, (3, 8, 5), [("gradient", (3, 4, 3), True)])
    (text,) = (item.form.format(*item.values) for item in found)
    assert text == (
        "axis 2 of the gradient has 3 elements, and 2 are needed: "
        "max((length + 2 * 0 - 2) // 2 + 1, 0), for an image with 5"
    )
    (image,) = conditions(AT, (3, 8, 5), [("image", (3, 7, 5), False)])
    assert (
        image.form.format(*image.values) == "axis 1 of the image has 7 elements, and 8 are needed"
    )


def test_axes_without_elements() -> None:
    padded = Windows((2, 2), True, (1, 1), (1, 0))
    (condition,) = conditions(padded, (3, 0, 5), [])
    assert condition.holds is False
    assert condition.form == "axis 1 of the image has no elements"


def test_lengths_that_a_call_decides() -> None:
    n = T.lscalar("n")
    (condition,) = conditions(AT, (n, 8, 5), [("gradient", (3, 4, 2), True)])
    assert condition.equal == (3, n)
    assert [bool(condition.holds.eval({n: value}, mode=ORACLE)) for value in (3, 4)] == [
        True,
        False,
    ]
