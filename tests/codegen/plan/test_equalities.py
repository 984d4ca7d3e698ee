"""Equal lengths: which name stands for which."""

from __future__ import annotations

import pytest

from symtheano.codegen.plan.equalities import Equalities
from symtheano.loopir import Index

A, B, C, LATE = (Index.symbol(name) for name in ("a", "b", "c", "late"))


def test_the_left_name_stands_for_the_right_one() -> None:
    equal = Equalities()
    equal.add(A, B)
    assert equal.canonical(B * 2 + C) == A * 2 + C
    assert dict(equal.items()) == {"b": A}


def test_names_are_replaced_through_chains() -> None:
    equal = Equalities()
    equal.add(B, C)
    equal.add(A, B)
    assert equal.canonical(C) == equal.canonical(B) == A
    equal.add(C, A)  # known already
    assert len(dict(equal.items())) == 2


def test_a_number_stands_for_a_name() -> None:
    equal = Equalities()
    equal.add(A, Index.of(3))
    assert equal.canonical(A * A) == Index.of(9)


def test_a_name_is_not_replaced_by_what_contains_it() -> None:
    equal = Equalities()
    equal.add(A, A * 2)
    assert equal.canonical(A) == A
    equal.add(A + B, B + C)
    assert equal.canonical(A + B) == A + B, "neither side is a name"


@pytest.mark.parametrize("turned", [False, True])
def test_a_late_length_never_replaces_one_that_is_known(turned: bool) -> None:
    equal = Equalities(lambda name: name == "late")
    equal.add(*((A, LATE) if turned else (LATE, A)))
    assert equal.canonical(LATE) == A
    assert equal.canonical(A) == A


def test_very_long_sums_replace_nothing() -> None:
    total = Index.of(0)
    for k in range(17):
        total = total + Index.symbol(f"n{k}")
    equal = Equalities()
    equal.add(A, total)
    assert equal.canonical(A) == A
