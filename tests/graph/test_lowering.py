"""Lowering: classes that are like frozen dataclasses."""

from __future__ import annotations

from typing import Any

import pytest

from symtheano.graph.lowering import Lowering


class Shown(Lowering):
    axis: int
    name: str = "shown"


def test_annotations_are_fields() -> None:
    assert Shown(1) == Shown(axis=1, name="shown") != Shown(2)
    assert len({Shown(1), Shown(1, "shown"), Shown(1, "other")}) == 2
    assert repr(Shown(1)) == "Shown(axis=1, name='shown')"
    match Shown(3, "other"):
        case Shown(axis, name):
            assert (axis, name) == (3, "other")


def test_fields_are_not_set_again() -> None:
    shown: Any = Shown(1)
    with pytest.raises(AttributeError, match="Shown: fields such as 'axis'"):
        shown.axis = 2
