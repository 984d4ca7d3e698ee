"""Long entry points are cut where few values live, and compute what whole ones compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, config, function, shared
from symtheano.codegen.passes import pieces as pieces_pass
from symtheano.codegen.passes.pieces import computes, cut
from symtheano.function import Function
from symtheano.graph.shared import SharedVariable
from symtheano.loopir import Index, Let, LetIndex, Literal, Run, Statement, Value
from symtheano.loopir.names import definitions, operands
from symtheano.loopir.verify import verify
from tests.codegen.models import MODELS, halvings
from tests.codegen.test_models import arguments
from tests.support.caches import new_cache
from tests.support.programs import ProgramMachine

ONE = Literal(1.0, "float64")


def let(name: str, *arguments: str) -> Let:
    values = [Value(word, "float64") for word in arguments]
    return Let(Value(name, "float64"), "add", (*values, ONE, ONE)[:2])


def bundles(count: int, width: int) -> tuple[Statement, ...]:
    """Return statements of which one value after each ``width`` statements is used later."""
    made: list[Statement] = []
    before: list[str] = []
    for k in range(count):
        parts = [f"a{k}_{j}" for j in range(width)]
        made += [let(parts[0], *before), *(let(b, a) for a, b in pairwise(parts))]
        made += [let(f"b{k}_1", *parts[:2])]
        made += [let(f"b{k}_{j}", f"b{k}_{j - 1}", parts[j]) for j in range(2, width)]
        before = [f"b{k}_{width - 1}"]
    return tuple(made)


def crossing(pieces: Sequence[Sequence[Statement]]) -> int:
    """Return how many values pieces need of earlier ones."""
    seen: set[str] = set()
    total = 0
    for piece in pieces:
        needed = {v.name for s in piece for v in operands(s) if isinstance(v, Value)}
        total += len(needed & seen)
        seen |= {v.name for s in piece for v in definitions(s)}
    return total


def test_arithmetic_is_cut_where_few_values_live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_pass, "PIECE", 30)
    made = bundles(12, 13)
    found = cut(made)
    assert tuple(s for piece in found for s in piece) == made
    assert all(20 <= len(piece) <= 40 for piece in found[:-1])
    assert crossing(found) == len(found) - 1
    assert crossing([made[k : k + 30] for k in range(0, len(made), 30)]) > 3 * len(found)


def test_other_statements_are_cut_at_equal_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_pass, "PIECE", 4)
    numbers = tuple(LetIndex(Value(f"n{k}", "int64"), Index.of(k)) for k in range(10))
    assert not computes(numbers)
    assert [len(piece) for piece in cut(numbers)] == [4, 4, 2]
    assert cut(()) == []


def test_pieces_may_be_as_small_as_one_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_pass, "PIECE", 1)
    assert [len(piece) for piece in cut(bundles(1, 3))] == [1] * 5


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Cut after every second statement, and find nothing that was compiled whole.

    Frames of more than a few values are not on the stack.
    """
    monkeypatch.setattr(pieces_pass, "PIECE", 2)
    monkeypatch.setattr(pieces_pass, "_STACK_BYTES", 1 << 9)
    monkeypatch.setattr(pieces_pass, "LONG", 0)
    place = new_cache(tmp_path / "cache", "product_f32", "product_f64")
    with config.change_flags(cache_dir=str(place)):
        yield


@pytest.mark.needs_cc
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


@pytest.mark.needs_cc
@pytest.mark.usefixtures("small_pieces")
def test_errors_leave_from_any_piece() -> None:
    x, y, i = T.vector("x"), T.vector("y"), T.iscalar("i")
    z = T.tanh(x).sum() * T.exp(x)
    made = function([x, y, i], [z[i], T.dot(z, z) + y])
    got = made([0.0, 0.0], [1.0], 1)
    np.testing.assert_allclose(got[1], [1.0])
    with pytest.raises(IndexError, match="5"):
        made([0.0, 0.0], [1.0], 5)


@pytest.mark.needs_cc
def test_only_long_programs_are_cut() -> None:
    weights: list[SharedVariable] = [shared(np.full(3 + k % 5, 0.5), f"w{k}") for k in range(700)]
    x = T.scalar("x")
    updates = [(w, w * x + T.sum(T.sqr(w))) for w in weights]
    made = function([x], [], updates=updates)
    text = str(made.c_source)
    assert text.count("function_piece") >= 4
    made(2.0)
    for k, w in enumerate(weights):
        length = 3 + k % 5
        np.testing.assert_allclose(w.get_value(), np.full(length, 1.0 + 0.25 * length))
    few = function([x], [], updates=updates[:5])
    assert "function_piece" not in str(few.c_source)


@pytest.mark.needs_cc
def test_pieces_with_arithmetic_are_optimized(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_pass, "LONG", 0)
    x = T.tensor("x", "float64", shape=(4, 4))
    made = function([x], T.dot(T.dot(x, T.cos(x)), T.dot(x, x)))
    text = str(made.c_source)
    assert text.count("ST_KERNEL int32_t function_piece") >= 2
    assert "ST_STRAIGHT int32_t" not in text
    value = np.random.default_rng(0).normal(size=(4, 4))
    np.testing.assert_allclose(made(value), value @ np.cos(value) @ value @ value)


def test_pieces_are_valid_and_have_the_values_of_whole_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = T.matrix("x")
    y = T.nnet.softmax(x - x.mean(0)) * x.sum()
    outputs = [y, (y[1:] + y[:-1]).max(0)]
    values = np.random.default_rng(0).normal(size=(5, 4))
    whole = function([x], outputs, mode="INTERPRET")
    monkeypatch.setattr(pieces_pass, "PIECE", 2)
    monkeypatch.setattr(pieces_pass, "LONG", 0)
    program = function([x], outputs, mode="INTERPRET").lowered.program
    verify(program)
    assert len(program.body) > 2
    assert all(isinstance(s, Run) for s in program.body)
    assert program.frame is not None
    results = ProgramMachine(program, [values.copy()]).outputs()
    for one, other in zip(results, whole(values), strict=True):
        np.testing.assert_allclose(one, np.ravel(other), 1e-12)
