"""Sequences: numbers move, and places can be compared."""

from __future__ import annotations

import random

from symtheano.codegen.plan.fusion.sequence import Sequence


def test_numbers_are_removed_and_take_the_place_of_others() -> None:
    numbers = Sequence(4)
    numbers.remove(1)
    assert list(numbers) == [0, 2, 3]
    numbers.replace(3, 0)
    assert list(numbers) == [2, 0]
    assert numbers.label(2) < numbers.label(0)


def test_any_moves_keep_labels_in_order() -> None:
    """Also where labels are used up between two neighbours."""
    generator, numbers, expected = random.Random(0), Sequence(6), [*range(6)]
    for _ in range(500):
        number, other = generator.sample(expected[-3:], 2)
        numbers.move_before(number, other)
        expected.remove(number)
        expected.insert(expected.index(other), number)
        assert list(numbers) == expected
        labels = [numbers.label(k) for k in expected]
        assert labels == sorted(set(labels))
