"""The values of a map's inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, function, shared
from symtheano.errors import ShapeError
from symtheano.function.mapping.arguments import Arguments

x, y, s = T.dmatrix("x"), T.dvector("y"), T.dscalar("s")
A, B = np.ones((6, 2)), np.ones(6)


def read(arrays: Any, whole: Any = (), axis: int = 0) -> Arguments:
    w = shared(1.0, "w")
    given = [x, In(y, value=B), s]
    f: Any = function(given, x.sum(axis=1) * y * s * w, mode="INTERPRET", name="f")
    return Arguments.read(f, arrays, whole, axis)


def test_numbers_are_passed_whole() -> None:
    arguments = read([A, B, 2.0])
    assert sorted(arguments.sources) == [0, 1]
    assert arguments.whole == {2: 2.0}
    assert arguments.rows == 6
    assert list(arguments.order) == [None] * 3
    assert [part.load().shape for part in arguments.parts(1, 3).values()] == [(2, 2), (2,)]


def test_inputs_by_name() -> None:
    arguments = read({s: 1.0, "x": A})
    assert list(arguments.order) == ["x", "s"]
    args, named = arguments.samples(4)
    assert args == []
    assert named["x"].shape == (4, 2)
    assert named["x"].strides == (0, 0)


def test_the_bytes_of_arguments() -> None:
    assert read([A, B, 2.0]).bytes_of(10) == 10 * (16 + 8)
    # Other dtypes are converted, which takes memory, too.
    assert read([A.astype("float32"), B, 2.0]).bytes_of(10) == 10 * (8 + 16 + 8)


@pytest.mark.parametrize(
    ("arrays", "whole", "error", "message"),
    [
        ([A], (), TypeError, "no value for input s"),
        ([A, B, 1.0, 2.0], (), TypeError, "takes 3 inputs, and map got 4"),
        ({"z": A}, (), TypeError, "there is no input z"),
        ({"x": A, x: A, "s": 1.0}, (), TypeError, "two values for input x"),
        ([A, B, 1.0], ["q"], TypeError, "whole: there is no input q"),
        ([B, B, 1.0], (), TypeError, "input x has the wrong number of dimensions"),
        ([A, 1.0, 1.0], (), ShapeError, "input y has no axis 0"),
        ([A, B[1:], 1.0], (), ShapeError, r"(?s)different numbers of rows.*\(6, 2\).*\(5,\)"),
        ([A, B, 1.0], ["x", y], ValueError, "nothing to cut"),
    ],
)
def test_unsuitable_values(arrays: Any, whole: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        read(arrays, whole)


def test_inputs_without_names_are_passed_in_order() -> None:
    u, v = T.dvector(), T.dvector()
    f: Any = function([In(u, value=B), v], u + v, mode="INTERPRET")
    with pytest.raises(TypeError, match="must be passed in order"):
        Arguments.read(f, {v: B}, (), 0)
    assert Arguments.read(f, {u: B, v: B}, (), 0).rows == 6
