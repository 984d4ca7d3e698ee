"""Conditions on the shapes of a convolution, and what they say."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from symtheano.tensor.nnet.convolution import fit

PLAIN = fit.Slide("valid", (1, 1), (1, 1), 1, False)


def texts(at: fit.Slide, wanted: fit.Role = "result", **shapes: tuple[object, ...]) -> list[str]:
    """Return the messages of all conditions that do not hold."""
    nothing = {"image": (None,) * 4, "filter": (None,) * (6 if at.unshared else 4),
               "result": (None,) * 4}  # fmt: skip
    found = fit.conditions(at, fit.Shapes(**{**nothing, **shapes}), wanted)
    assert all(item.holds is False for item in found)
    return [item.form.format(*item.values) for item in found]


def test_shapes_that_fit_have_no_conditions() -> None:
    assert texts(PLAIN, image=(2, 3, 8, 9), filter=(4, 3, 3, 3), result=(2, 4, 6, 7)) == []
    assert texts(PLAIN) == []


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ({"image": (2, 3, 8, 9), "filter": (4, 2, 3, 3)}, "the image has 3 channels, the filter 2"),
        ({"image": (2, 3, 8, 9), "result": (5, 4, 6, 7)}, "there are 2 images, and results for 5"),
        ({"filter": (4, 3, 3, 3), "result": (2, 5, 6, 7)}, "there are 4 filters, and results of 5"),
        ({"image": (2, 3, 2, 9), "filter": (4, 3, 3, 3)}, "the filter is larger than the image"),
        ({"filter": (4, 3, 0, 3)}, "the filter has 0 elements along axis 2"),
        (
            {"image": (2, 3, 8, 9), "filter": (4, 3, 3, 3), "result": (2, 4, 6, 8)},
            "along axis 3, the result of this image has",
        ),
    ],
)
def test_shapes_that_do_not_fit(shapes: dict[str, tuple[object, ...]], said: str) -> None:
    assert any(text.startswith(said) for text in texts(PLAIN, **shapes))


def test_groups() -> None:
    at = PLAIN._replace(groups=2)
    assert texts(at, image=(1, 6, 5, 5), filter=(4, 3, 3, 3)) == []
    (text,) = texts(at, image=(1, 6, 5, 5), filter=(5, 3, 3, 3))
    assert text == "5 filters can't be divided among 2 groups"


def test_lengths_that_a_call_decides() -> None:
    n = T.lscalar("n")
    shapes = fit.Shapes((n, 3, 8, 8), (4, 3, 3, 3), (2, 4, 6, 6))
    (condition,) = fit.conditions(PLAIN, shapes, "result")
    assert condition.equal == (n, 2)
    assert condition.error is ShapeError
    assert condition.holds.eval({n: 2})
    assert not condition.holds.eval({n: 3})
    x, w = T.tensor4("x"), T.tensor4("w")
    message = condition.message(None, [x, w], "conv2d", [3])
    assert message.startswith("conv2d: there are 3 images, and results for 2")
    assert "image of shape (3, 3, 8, 8)" in message


def test_filters_whose_reach_would_overflow() -> None:
    huge = 1 << 62
    (condition,) = (
        item
        for item in fit.conditions(
            PLAIN, fit.Shapes((1, 1, None, None), (1, 1, huge, 3), (None,) * 4), "filter"
        )
        if item.error is MemoryError
    )
    assert "too large" in condition.form


def test_names_of_axes() -> None:
    assert PLAIN.axes("image") == "(items, channels, rows, columns)"
    assert PLAIN.axes("result") == "(items, filters, rows, columns)"
    grouped = PLAIN._replace(groups=2, unshared=True)
    assert grouped.axes("filter").startswith("(filters, rows of the result, columns of the result")
    assert "channels of a group" in grouped.axes("filter")
