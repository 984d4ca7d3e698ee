"""The roles of inputs of a loop's graph."""

from __future__ import annotations

from symtheano.loops.layout import InputSource, Layout, fixed_inputs


def test_only_what_no_iteration_changes_is_fixed() -> None:
    layout = Layout(((-1,),), 1, 2, 2, False)
    carried = [None, 3, 4]  # a history, and the states
    assert layout.sources()[:3] == [InputSource(0), InputSource(1, True), InputSource(2, True)]
    assert fixed_inputs(layout.sources(), carried) == [None] * 5 + [5, 6]


def test_a_state_that_is_not_carried_is_fixed() -> None:
    assert fixed_inputs([InputSource(0), InputSource(1), InputSource(2)], [1]) == [None, None, 2]


def test_where_inputs_of_each_kind_are() -> None:
    layout = Layout(((-2, -1), (), (-1,)), 2, 1, 1, True)
    inner = ["step", "row", "row", "a-2", "a-1", "c-1", "state", "other"]
    assert layout.tapped(inner) == [[(-2, "a-2"), (-1, "a-1")], [], [(-1, "c-1")]]
    assert inner[layout.rows] == ["row", "row"]
    assert inner[layout.states_before] == ["state"]
    outside = ["steps", "x", "y", "a", "c", "start", "same"]
    assert outside[layout.initial_states] == ["start"]
