"""Functions that the cache finds by their graph, copies, and pickled functions."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Constant, Mode, Op, config, function, grad, nn, shared
from symtheano.errors import ShapeError
from symtheano.graph.type import generic
from symtheano.rewrites.engine import Rewriter
from tests.support.caches import new_cache

pytestmark = pytest.mark.needs_cc


@pytest.fixture
def own_cache(tmp_path: Path) -> Any:
    place = new_cache(tmp_path / "cache", "product_f64")
    with config.change_flags(cache_dir=str(place)):
        yield place


@pytest.fixture
def no_rewriting(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a context in which nothing may be rewritten."""

    def refuse(*_: Any) -> Any:
        raise AssertionError("something was rewritten")

    @contextmanager
    def refusing() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr(Rewriter, "rewrite", refuse)
            yield

    return refusing()


def step(name: str | None = None, rate: float = 0.1, **options: Any) -> Any:
    x, w = T.matrix("x"), shared(np.ones((3, 2)), "w")
    loss = T.tanh(T.dot(x, w)).sum()
    return function([x], loss, updates={w: w - rate * grad(loss, w)}, name=name, **options)


def test_a_known_graph_is_not_rewritten(own_cache: Path, no_rewriting: Any) -> None:
    value = np.arange(6.0).reshape(2, 3)
    first = step()
    wanted = [first(value), first(value)]
    with no_rewriting:
        second = step()
        assert [second(value), second(value)] == wanted
    assert "rewrite" not in second.times
    assert second.c_source == first.c_source


def test_another_graph_or_mode_is_another_function(own_cache: Path, no_rewriting: Any) -> None:
    step()
    changes: list[dict[str, Any]] = [
        {"name": "other"}, {"rate": 0.2}, {"mode": "FAST_COMPILE"}, {"mode": Mode("c", "none")},
        {"profile": True},
    ]  # fmt: skip
    with no_rewriting:
        for change in changes:
            with pytest.raises(AssertionError, match="something was rewritten"):
                step(**change)
        assert "rewrite" not in step().times


def test_what_a_known_function_was_made_of_is_there_when_asked_for(own_cache: Path) -> None:
    first, second = step("a"), step("a")
    assert "rewrite" not in second.times
    assert [str(n) for n in second.graph.nodes] == [str(n) for n in first.graph.nodes]
    assert len(second.trace.steps) == len(first.trace.steps) > 0
    assert second.lowered.donors == first.lowered.donors
    assert "rewrite" in second.times


def test_errors_of_a_known_function_have_their_words(own_cache: Path) -> None:
    texts = []
    for made in (step("a"), step("a")):
        with pytest.raises(ShapeError) as raised:
            made(np.ones((2, 4)))
        texts.append(str(raised.value))
    assert texts[0] == texts[1]
    assert "loss = T.tanh(T.dot(x, w)).sum()" in texts[0]


PROGRAM = """
def product(double, **options):
    x, y = T.matrix("x"), T.matrix("y")
    z = double(x + y[:2])
    return function([x, y], [z, T.dot(z, y)], name="product", **options)
"""


def written(tmp_path: Path, name: str, above: int, text: str = PROGRAM) -> Callable[..., Any]:
    """Return the function of a program in a file of its own, below some lines."""
    path = tmp_path / str(above) / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n" * above + text)
    found: dict[str, Any] = {"T": T, "function": function}
    exec(compile(path.read_text(), str(path), "exec"), found)
    made: Callable[..., Any] = found["product"]
    return made


@pytest.mark.parametrize("first_tier", ["none", "interpreter"])
def test_a_text_names_the_same_lines_whenever_it_is_made(own_cache: Path, first_tier: str) -> None:
    x = nn.Input((None, 3), seed=0)
    y = nn.LSTM(4)(x)
    slopes = grad(T.sum(y.train), y.parameters)  # their rewriting makes nodes of no line

    def made() -> Any:
        f = function([x.train], slopes)
        f.wait()
        return f

    with config.change_flags(first_tier=first_tier):
        text = made().c_source
        known = made()
        assert "rewrite" not in known.times
        assert known.c_source == text


class Doubled(Op):
    """An op of a user, which has no description."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
        outputs[0][0] = inputs[0] * 2


@pytest.mark.parametrize("double", [lambda x: x * 2, Doubled()], ids=["described", "op of a user"])
def test_equal_graphs_of_several_lines_are_compiled_once(
    own_cache: Path, tmp_path: Path, double: Any
) -> None:
    places = [("cell.py", 0), ("other.py", 0), ("cell.py", 7)]  # the last: lines written above
    made = [written(tmp_path, *place)(double) for place in places]
    assert len({f._linked.record.library for f in made}) == 1
    for f, (name, above) in zip(made, places, strict=True):
        assert f"/* {name}:{above + 4}: z = double(x + y[:2]) */" in f.c_source
        lines = {f"{name}:{above + 4}", f"{name}:{above + 5}"}
        assert {*re.findall(r"(?:cell|other)\.py:\d+", f.c_source)} == lines
        with pytest.raises(ShapeError) as raised:
            f(np.ones((2, 3)), np.ones((2, 4)))
        assert f"{name}:{above + 4}" in str(raised.value)
        with pytest.raises(ShapeError) as raised:
            f(np.ones((2, 3)), np.ones((4, 3)))
        assert f"{name}:{above + 5}" in str(raised.value)


def test_steps_that_are_measured_have_their_lines(own_cache: Path, tmp_path: Path) -> None:
    places = [("cell.py", 0), ("cell.py", 7)]
    made = [written(tmp_path, *place)(lambda x: x * 2, profile=True) for place in places]
    assert len({f._linked.record.library for f in made}) == 1
    for f, (name, above) in zip(made, places, strict=True):
        f(np.ones((2, 2)), np.ones((2, 2)))
        lines = {step.place for step in f.profile.steps}
        assert lines == {f"{name}:{above + 4}", f"{name}:{above + 5}"}


def test_large_constants_come_with_a_known_function(own_cache: Path, no_rewriting: Any) -> None:
    table = np.random.default_rng(0).normal(size=(20, 20))

    def make() -> Any:
        x = T.vector("x")
        return function([x], T.dot(T.constant(table), x))

    value = np.arange(20.0)
    wanted = make()(value)
    np.testing.assert_allclose(wanted, table @ value)
    with no_rewriting:
        np.testing.assert_array_equal(make()(value), wanted)


def test_a_damaged_record_is_made_anew(own_cache: Path) -> None:
    value = np.ones((2, 3))
    wanted = step()(value)
    for path in own_cache.rglob("*.graph"):
        path.write_bytes(path.read_bytes()[:-3])
    assert step()(value) == wanted
    for path in own_cache.rglob("*.so"):
        path.unlink()
    assert step()(value) == wanted


def test_a_known_function_is_known_to_other_processes(own_cache: Path) -> None:
    program = (
        "import symtheano.tensor as T\n"
        "from symtheano import function\n"
        "x = T.vector('x')\n"
        "f = function([x], (x * 2).sum(), name='f')\n"
        "print(float(f([1.0, 2.0])), 'rewrite' in f.times)\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                **__import__("os").environ,
                "SYMTHEANO_CACHE_DIR": str(own_cache),
                "PYTHONHASHSEED": seed,
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert outputs == ["6.0 True", "6.0 False"]


def test_values_that_are_no_arrays_are_refused_by_the_compiler_only() -> None:
    class Scaled(Op):
        __props__ = ()

        def make_node(self, x: Any, factors: Any) -> Apply:
            return Apply(self, [x, factors], [x.type()])

        def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
            output_storage[0][0] = np.asarray(inputs[0] * inputs[1]["a"])

    x, factors = T.dscalar("x"), shared({"a": 2}, "factors")
    y = Scaled()(x, factors)
    assert function([x], y, mode="INTERPRET")(3.0) == 6
    with pytest.raises(NotImplementedError, match="factors is not an array") as raised:
        function([x], y)
    assert "use mode='INTERPRET'" in str(raised.value)
    z = Scaled()(x, Constant(generic, {"a": 3}, name="threes"))
    assert function([x], z, mode="INTERPRET")(3.0) == 9
    with pytest.raises(NotImplementedError, match="threes is not an array"):
        function([x], z)


# -- copies --------------------------------------------------------------------------------------


# -- kept values, profiles, addresses ------------------------------------------------------------


@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_profiles_count_calls_and_steps(mode: str) -> None:
    f = step("train", profile=True, mode=mode)
    assert f.profile.calls == 0
    for _ in range(5):
        f(np.ones((4, 3)))
    with pytest.raises(ShapeError):
        f(np.ones((4, 2)))
    assert f.profile.calls == 5
    assert f.profile.seconds > 0
    assert f.profile.name == "train"
    if mode == "FAST_RUN":
        assert {item.calls for item in f.profile.steps} == {5}
        assert sum(item.seconds for item in f.profile.steps) <= f.profile.seconds
        assert any(item.label == "dot" for item in f.profile.steps)
        assert all(item.place.startswith("test_stages.py:") for item in f.profile.steps)
    assert step().profile is None
