"""The first functions of a machine, and functions that are compiled in the background."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, shared
from symtheano.codegen.runtime import dispatch
from symtheano.errors import CompileError
from symtheano.function.making import FunctionRecipe
from symtheano.function.modes import get_mode
from symtheano.function.request import Request
from symtheano.function.stages import Stages
from tests.support.caches import new_cache

pytestmark = pytest.mark.needs_cc


class Gate:
    """Holds a function of the package back until it is opened."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def open(self) -> None:
        self._event.set()

    def before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def late(*args: Any) -> Any:
            assert self._event.wait(60)
            return work(*args)

        return late


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open()


@pytest.fixture
def interpreter_first(
    gate: Gate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Gate]:
    """Compile in the background, into a cache without programs, once the gate is open."""
    monkeypatch.setattr(Stages, "link", gate.before(Stages.link))
    with config.change_flags(
        first_tier="interpreter", cache_dir=str(new_cache(tmp_path / "cache"))
    ):
        yield gate


def is_compiled(f: Any) -> bool:
    """Whether calls run C."""
    return f._linked is not None


def is_dispatched(f: Any) -> bool:
    """Whether calls go through a dispatcher that came later than the function."""
    return f._quick is not None


# -- without a dispatcher, yet --------------------------------------------------------------------


@pytest.fixture
def no_dispatcher_yet(
    gate: Gate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Gate]:
    monkeypatch.setattr(dispatch, "_load_extension", gate.before(dispatch._load_extension))
    with config.change_flags(cache_dir=str(tmp_path)):
        yield gate


def test_first_call_does_not_wait_for_the_dispatcher(no_dispatcher_yet: Gate) -> None:
    x = T.vector("x")
    total = shared(0.0, "total")
    f = function([x], x + 1, updates={total: total + x.sum()})
    assert not is_dispatched(f)
    np.testing.assert_array_equal(f([1.0, 2.0]), [2.0, 3.0])
    assert total.get_value() == 3.0
    no_dispatcher_yet.open()
    f.wait()
    assert is_dispatched(f)
    np.testing.assert_array_equal(f([1.0, 2.0]), [2.0, 3.0])
    assert total.get_value() == 6.0
    with pytest.raises(TypeError, match="1 input"):
        f()
    f.free()


def test_later_functions_are_called_by_the_dispatcher(no_dispatcher_yet: Gate) -> None:
    x = T.vector("x")
    first = function([x], x * 2)
    no_dispatcher_yet.open()
    first.wait()
    assert isinstance(function([x], x * 3), type(first._quick))


def test_times_of_steps_wait_for_the_dispatcher(no_dispatcher_yet: Gate) -> None:
    no_dispatcher_yet.open()
    x = T.vector("x")
    f = function([x], T.exp(x).sum(), profile=True)
    f([1.0])
    assert sum(step.calls for step in f.profile.steps) > 0


def test_dispatcher_that_can_not_be_compiled_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(path: str) -> None:
        raise ImportError("no")

    monkeypatch.setattr(dispatch, "_load_extension", refuse)
    x = T.vector("x")
    with config.change_flags(cache_dir=str(new_cache(tmp_path / "cache"))):
        f = function([x], x + 1)
    f.wait()
    assert not is_dispatched(f)
    np.testing.assert_array_equal(f([1.0]), [2.0])


# -- first in the interpreter ----------------------------------------------------------------------


def test_calls_before_and_after_agree(interpreter_first: Gate) -> None:
    x = T.matrix("x")
    f = function([x], [T.tanh(x).sum(axis=0), x.T])
    value = np.arange(6.0).reshape(2, 3)
    before = f(value)
    assert not is_compiled(f)
    interpreter_first.open()
    f.wait()
    assert is_compiled(f)
    for old, new in zip(before, f(value), strict=True):
        np.testing.assert_allclose(new, old, rtol=1e-12)


def test_updates_go_on_where_they_were(interpreter_first: Gate) -> None:
    count = shared(np.zeros(3), "count")
    f = function([], count.sum(), updates={count: count + 1})
    totals = [float(f()) for _ in range(3)]
    interpreter_first.open()
    f.wait()
    totals += [float(f()) for _ in range(3)]
    assert totals == [0.0, 3.0, 6.0, 9.0, 12.0, 15.0]
    np.testing.assert_array_equal(count.get_value(), [6.0, 6.0, 6.0])


def test_no_update_is_lost_when_threads_call_across_the_change(interpreter_first: Gate) -> None:
    count = shared(0, "count")
    f = function([], count, updates={count: count + 1})
    started = threading.Barrier(5)

    def call() -> None:
        started.wait(60)
        for _ in range(200):
            f()

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    started.wait(60)
    interpreter_first.open()
    for thread in threads:
        thread.join()
    f.wait()
    assert is_compiled(f)
    assert int(count.get_value()) == 800


def test_large_constants_and_keyword_arguments(interpreter_first: Gate) -> None:
    x = T.vector("x")
    table = np.arange(500.0)
    f = function([x], {"sum": (x + table).sum()})
    value = np.ones(500)
    before = f(x=value)
    interpreter_first.open()
    f.wait()
    assert before.keys() == f(x=value).keys() == {"sum"}
    np.testing.assert_allclose(f(x=value)["sum"], before["sum"], rtol=1e-12)


def test_what_shows_the_code_waits_for_it(interpreter_first: Gate) -> None:
    x = T.vector("x")
    f = function([x], x + 1)
    interpreter_first.open()
    assert "ST_EXPORT" in str(f.c_source)
    assert f.address != 0


def test_text_is_that_of_a_function_compiled_at_once(interpreter_first: Gate) -> None:
    x = T.vector("x")
    texts = []
    interpreter_first.open()
    for option in ("interpreter", "none"):
        with config.change_flags(first_tier=option):
            f = function([x], T.log(1 + T.exp(x[1:])).sum())
        texts.append(f.stages.built.source.text)
    assert texts[0] == texts[1]


def test_known_functions_are_compiled_from_the_start(interpreter_first: Gate) -> None:
    x = T.vector("x")
    interpreter_first.open()
    makers: list[Any] = []
    for _ in range(2):
        makers.append(function([x], x + 5))
        makers[0].wait()
    assert is_compiled(makers[1])


def test_compiler_that_refuses_is_told_at_the_next_call(
    interpreter_first: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(stages: Stages) -> None:
        raise CompileError("the C compiler failed: no reason")

    monkeypatch.setattr(Stages, "link", refuse)
    x = T.vector("x")
    f = function([x], x + 1)
    for _ in range(2):
        with pytest.raises(CompileError, match="no reason"):
            f.wait()
        with pytest.raises(CompileError, match="no reason"):
            f([1.0])


def test_without_a_compiler_the_interpreter_stays(interpreter_first: Gate, tmp_path: Path) -> None:
    x = T.vector("x")
    interpreter_first.open()
    with config.change_flags(cc="no-such-compiler-here"):
        f = function([x], x + 1)
    with pytest.warns(UserWarning, match="no-such-compiler-here"):
        f.wait()
    np.testing.assert_array_equal(f([1.0]), [2.0])


def test_copies_and_pickles(interpreter_first: Gate) -> None:
    count = shared(0, "count")
    f = function([], count, updates={count: count + 1})
    twin = pickle.loads(pickle.dumps(f))
    other = f.copy(swap={count: shared(10, "other")})
    assert [int(g()) for g in (f, f, twin, other)] == [0, 1, 0, 10]
    interpreter_first.open()
    for g in (f, twin, other):
        g.wait()
    assert [int(g()) for g in (f, f, twin, other)] == [2, 3, 1, 11]


def test_process_ends_when_the_compiler_has(tmp_path: Path) -> None:
    program = (
        "import symtheano, symtheano.tensor as T\n"
        f"symtheano.config.cache_dir = {str(tmp_path)!r}\n"
        "symtheano.config.first_tier = 'interpreter'\n"
        "x = T.vector('x')\n"
        "print(symtheano.function([x], x + 1)([1.0]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[2.]\n"
    assert list(tmp_path.glob("*/*.graph"))


PROGRAM_WITHOUT_DOCSTRINGS = """
import numpy as np, symtheano.tensor as T
from symtheano import function, grad, shared
x, w = T.dmatrix("x"), shared(np.eye(3), "w")
cost = T.log(1 + T.exp(x.dot(w))).sum()
f = function([x], [cost, T.sort(x)], updates=[(w, w - grad(cost, w))])
print(round(float(f(np.zeros((2, 3)))[0]), 6), __doc__ is f.__doc__ is None)
"""


def test_python_without_docstrings_and_assertions(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-OO", "-c", PROGRAM_WITHOUT_DOCSTRINGS],
        env={**os.environ, "SYMTHEANO_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout.split(), done.stderr) == ([f"{6 * np.log(2):.6f}", "True"], "")


# -- recipes ---------------------------------------------------------------------------------------


def test_a_restored_function_uses_the_options_of_this_machine() -> None:
    x = T.vector("x")
    here = config.snapshot()
    with config.change_flags(threads=3, floatX="float32"):
        there = config.snapshot()
    recipe = FunctionRecipe(get_mode("INTERPRET", here), there, None)
    request = Request.read([x], x * 2, None, None, False, True)
    made = recipe.restore(request, "doubled", False)
    assert made(np.ones(2)).tolist() == [2, 2]
    assert made.name == "doubled"
    options = made._recipe.options
    assert (options.threads, options.floatX) == (here.threads, "float32")
