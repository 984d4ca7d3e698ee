"""A step that takes other arguments than it gets: the error says their order and names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import foldl, map, reduce, scan, scan_checkpoints

x, y, W, start = T.dvector("x"), T.dmatrix("y"), T.dmatrix("W"), T.dscalar("start")


def refused(make: Callable[[], Any]) -> str:
    with pytest.raises(TypeError) as caught:
        make()
    return str(caught.value)


def test_the_error_has_the_order_the_names_and_both_lines() -> None:
    def step(row: Any, total: Any) -> Any:
        return row + total

    text = refused(
        lambda: scan(
            step,
            sequences=[{"input": x, "taps": [-1, 0, 1]}, y],
            outputs_info=[{"initial": x[:2], "taps": [-2, -1]}, None],
            non_sequences=[W, T.constant(2.0)],
        )
    )
    head, *lines = text.split("\n")
    lines = [" ".join(line.split()) for line in lines]
    assert head.startswith("scan: the step takes (row: 'Any', total: 'Any')")
    assert "but gets 8 arguments: too many positional arguments" in head
    assert "sequences: x_tm1, x_t, x_tp1, y_t" in lines
    assert "outputs so far: output0_tm2, output0_tm1" in lines
    assert "non-sequences: W, fixed1" in lines
    assert "sequences with their taps, the outputs so far with their taps, and the non-s" in text
    assert "(x_tm1, x_t, x_tp1, y_t, output0_tm2, output0_tm1, W, fixed1)" in text
    assert "test_arguments.py" in lines[0]
    assert "def step(row: Any, total: Any) -> Any:" in text


def test_too_few_arguments() -> None:
    text = refused(lambda: scan(lambda row, total, weight: row, x, start))
    assert "missing a required argument: 'weight'" in text
    assert "non-sequences:  none" in text
    assert "(x_t, output0_tm1)" in text


@pytest.mark.parametrize(
    "make",
    [
        lambda: map(lambda: x, x),
        lambda: reduce(lambda row: row, x, start),
        lambda: foldl(lambda row: row, x, start),
        lambda: scan_checkpoints(lambda row: row, x, start, save_every_N=2),
        lambda: scan(lambda: x, x),
        lambda: scan(lambda total, row: total, None, start, n_steps=3),
    ],
)
def test_all_forms(make: Callable[[], Any]) -> None:
    assert "arguments are, in this order" in refused(make)


def test_errors_of_the_step_itself_are_its_own() -> None:
    def step(row: Any) -> Any:
        return row + W.shape[0](3)

    assert "this order" not in refused(lambda: scan(step, x))


def test_steps_with_defaults_any_arguments_or_no_signature() -> None:
    for step in (
        lambda row, scale=2.0: row * scale,
        lambda *rows: 2 * rows[0],
        type("Step", (), {"__call__": lambda self, row: 2 * row})(),
    ):
        doubled, _ = scan(step, x)
        assert doubled.eval({x: [1.0, 2.0]}).tolist() == [2.0, 4.0]


def test_until_is_a_name_of_the_package() -> None:
    values, _ = symtheano.scan(
        lambda value: (2 * value, symtheano.until(2 * value > 20)),
        outputs_info=T.constant(np.float64(1)),
        n_steps=100,
    )
    assert values.eval().tolist() == [2.0, 4.0, 8.0, 16.0, 32.0]
    assert symtheano.until is symtheano.scan_module.until
