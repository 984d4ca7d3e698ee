"""Lengths of results, inferred from those of the operands."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.ifelse import ifelse
from symtheano.tensor.shapes.inferred import has_known_lengths, output_dims

x, y, n = T.dvector("x"), T.dvector("y"), T.lscalar("n")


def test_lengths_in_those_of_the_operands() -> None:
    assert output_dims(T.exp(T.TensorType("float64", (3,))("three")).owner) == (3,)
    (length,) = output_dims(T.exp(x).owner)
    assert length.eval({x: [1.0, 2.0]}) == 2


def test_which_lengths_follow_from_lengths() -> None:
    assert has_known_lengths(T.exp(x).owner)
    assert has_known_lengths(x.sum().owner)
    assert not has_known_lengths(T.nonzero(x)[0].owner)
    assert not has_known_lengths(T.arange(n).owner)
    assert not has_known_lengths(ifelse(n > 0, x, y).owner)
