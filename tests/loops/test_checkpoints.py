"""scan_checkpoints: values and gradients of scan, with less memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function, grad, scan, scan_checkpoints, shared
from symtheano.scan_module import until

x, h0, w = T.dmatrix("x"), T.dvector("h0"), T.dmatrix("w")


def step(row: Any, h: Any, w: Any) -> Any:
    return T.tanh(T.dot(h, w) + row)


def slopes(values: Any) -> Any:
    return grad(T.sqr(values[-1]).sum(), [x, h0, w])


PLAIN = scan(step, x, h0, w)[0]
KEPT = scan_checkpoints(step, x, h0, w, save_every_N=4)[0]


@pytest.fixture(scope="module")
def both() -> Any:
    return [function([x, h0, w], [values, *slopes(values)]) for values in (PLAIN, KEPT)]


@pytest.mark.parametrize("rows", [1, 3, 4, 5, 8, 11])
def test_values_and_gradients_are_those_of_scan(rows: int, both: Any) -> None:
    rng = np.random.default_rng(rows)
    given = rng.normal(size=(rows, 3)), rng.normal(size=3), rng.normal(size=(3, 3))
    (values, *expected), (kept, *found) = (f(*given) for f in both)
    np.testing.assert_array_equal(kept, values[[*range(3, rows - 1, 4), rows - 1]])
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-12, atol=1e-13)


def test_the_gradient_keeps_fewer_values() -> None:
    """With T steps and N between kept values, it keeps T / N of them, and three times N."""
    width, steps, every = 50, 10_000, 100

    def peak(values: Any) -> int:
        f = function([x, h0, w], grad(T.sqr(values[-1]).sum(), [h0, w]))
        given = np.zeros((steps, width)), np.zeros(width), np.zeros((width, width))
        return f.memory.peak(*given)

    plain = peak(PLAIN)
    kept = peak(scan_checkpoints(step, x, h0, w, save_every_N=every)[0])
    assert plain >= steps * width * 8
    assert kept <= (steps / every + 4 * every) * width * 8 < plain / 15


def test_without_sequences_and_with_updates() -> None:
    count = shared(np.int64(0), "count")
    start = T.dscalar("start")
    values, updates = scan_checkpoints(
        lambda a, b: ([b, a + b], {count: count + 1}), outputs_info=[start, start], n_steps=7,
        save_every_N=3,
    )  # fmt: skip
    run = function([start], values, updates=updates)
    np.testing.assert_array_equal(run(1.0)[1], [5, 21, 34])
    assert count.get_value() == 9  # of whole pieces


def test_without_padding_iterations_are_left_out() -> None:
    values, _ = scan_checkpoints(
        lambda a: a + 1, outputs_info=T.constant(0.0), n_steps=7, save_every_N=3, padding=False
    )
    np.testing.assert_array_equal(values.eval(), [3, 6])


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"sequences": {"input": x, "taps": [-1]}}, NotImplementedError, "taps"),
        ({"outputs_info": {"initial": x, "taps": [-2]}}, NotImplementedError, "taps"),
        ({"outputs_info": [None]}, NotImplementedError, "initial"),
        ({"save_every_N": 0}, ValueError, "save_every_N is 0"),
        ({"sequences": None}, ValueError, "number of iterations"),
        ({"n_steps": h0}, TypeError, "n_steps"),
        ({"n_steps": T.dscalar("n")}, TypeError, "not an integer"),
        ({"n_steps": -3}, NotImplementedError, "negative n_steps"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], error: type, words: str) -> None:
    given = {"sequences": x, "outputs_info": h0, **arguments}
    with pytest.raises(error, match=words):
        scan_checkpoints(lambda *a: a[-1], **given)


def test_a_condition_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="condition"):
        scan_checkpoints(lambda row, h: (h + row, until(h.sum() > 1)), x, h0)


def test_names_of_the_api() -> None:
    assert symtheano.scan_module.scan_checkpoints is scan_checkpoints
