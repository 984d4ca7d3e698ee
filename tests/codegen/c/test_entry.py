"""Entry points that are cut into pieces compute what whole ones compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, config, function, shared
from symtheano.codegen.c import cuts, entry as c_entry, program as c
from symtheano.function import Function
from symtheano.graph.shared import SharedVariable
from tests.codegen.models import MODELS, halvings
from tests.codegen.test_models import arguments
from tests.support.caches import new_cache

pytestmark = pytest.mark.needs_cc


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Cut after every second statement, and find nothing that was compiled whole.

    Frames of more than a few values are not on the stack.
    """
    monkeypatch.setattr(cuts, "PIECE", 2)
    monkeypatch.setattr(c_entry, "_STACK_BYTES", 1 << 9)
    monkeypatch.setattr(c, "is_long", lambda program: True)
    place = new_cache(tmp_path / "cache", "product_f32", "product_f64")
    with config.change_flags(cache_dir=str(place)):
        yield


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    "model",
    [model for model in MODELS if model is not halvings],  # its loop reassigns values
    ids=lambda model: model.__name__,
)
def test_pieces_agree_with_interpreter(model: Callable[[], Function]) -> None:
    made = model()
    source = str(made.c_source)
    assert "_piece(runtime, inputs, error, frame)" in source
    opened, closed = "st_arena_open(runtime, sizeof(st_frame)", "st_arena_close(runtime, (char *)"
    assert (opened in source) == (closed in source) == ("st_frame own" not in source)
    rng = np.random.default_rng(3)
    for variable in made.shared:
        variable.set_value(rng.normal(size=variable.get_value().shape).astype(variable.dtype) / 8)
    request = made.stages.request
    oracle = function(request.inputs, request.all_outputs, mode=Mode("interpret", "none"))
    values = arguments(made, 3)
    expected = oracle(*values)
    results = made(*values)
    got = results if isinstance(results, list) else [results]
    got = [*got, *(variable.get_value() for variable, _ in request.updates)]
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)


@pytest.mark.usefixtures("small_pieces")
def test_errors_leave_from_any_piece() -> None:
    x, y, i = T.vector("x"), T.vector("y"), T.iscalar("i")
    z = T.tanh(x).sum() * T.exp(x)
    made = function([x, y, i], [z[i], T.dot(z, z) + y])
    got = made([0.0, 0.0], [1.0], 1)
    np.testing.assert_allclose(got[1], [1.0])
    with pytest.raises(IndexError, match="5"):
        made([0.0, 0.0], [1.0], 5)


def test_only_long_programs_are_cut() -> None:
    weights: list[SharedVariable] = [shared(np.full(3 + k % 5, 0.5), f"w{k}") for k in range(700)]
    x = T.scalar("x")
    updates = [(w, w * x + T.sum(T.sqr(w))) for w in weights]
    made = function([x], [], updates=updates)
    text = str(made.c_source)
    assert text.count("_piece") >= 4
    made(2.0)
    for k, w in enumerate(weights):
        length = 3 + k % 5
        np.testing.assert_allclose(w.get_value(), np.full(length, 1.0 + 0.25 * length))
    few = function([x], [], updates=updates[:5])
    assert "_piece" not in str(few.c_source)


def test_pieces_with_arithmetic_are_optimized(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c, "is_long", lambda program: True)
    x = T.tensor("x", "float64", shape=(4, 4))
    made = function([x], T.dot(T.dot(x, T.cos(x)), T.dot(x, x)))
    text = str(made.c_source)
    assert text.count("ST_KERNEL int32_t function_piece") >= 2
    assert "ST_STRAIGHT int32_t" not in text
    value = np.random.default_rng(0).normal(size=(4, 4))
    np.testing.assert_allclose(made(value), value @ np.cos(value) @ value @ value)
