"""Inputs with a value and an update, in all combinations with the other options of In."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, function, shared

MODES = [pytest.param(None, marks=pytest.mark.needs_cc), "INTERPRET"]
OPTIONS: dict[str, tuple[Any, ...]] = {
    "name": (None, "other"),
    "mutable": (None, True, False),
    "strict": (False, True),
    "allow_downcast": (None, True, False),
    "autoname": (True, False),
    "implicit": (None, True, False),
    "borrow": (None, True, False),
    "shared": (False, True),
}
COMBINATIONS = [
    dict(zip(OPTIONS, chosen, strict=True)) for chosen in itertools.product(*OPTIONS.values())
]


@pytest.mark.parametrize("mode", MODES)
def test_every_combination(mode: Any) -> None:
    x = T.dvector("x")
    assert len(COMBINATIONS) == 1296
    for options in COMBINATIONS[:: 1 if mode else 7]:
        start, given = np.array([1.0, 2.0]), np.array([10.0, 20.0])
        f = function([In(x, value=start, update=x * 2, **options)], x.sum(), mode=mode)
        assert [float(f()), float(f())] == [3.0, 6.0], options
        if options["implicit"]:
            with pytest.raises(TypeError, match=r"0 inputs|no inputs|too many|takes"):
                f(given)
        else:
            assert float(f(given)) == 30.0, options
            assert f[x].tolist() == [20.0, 40.0], "the update of the value that was given"
            if options["name"]:
                assert float(f(other=given)) == 30.0
            elif options["autoname"]:
                assert float(f(x=given)) == 30.0
        f[x] = given
        assert float(f()) == 30.0, options
        assert (start.tolist(), given.tolist()) == ([1.0, 2.0], [10.0, 20.0]), "nobody wrote there"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("owner", ["shared", "container", "function"])
@pytest.mark.parametrize("update", [False, True])
def test_values_of_others_are_implicit(mode: Any, owner: str, update: bool) -> None:
    x, n = T.dscalar("x"), T.dscalar("n")
    w = shared(2.0, "w")
    g = function([In(x, value=w.container, implicit=False)], x, mode=mode)
    value = {"shared": w, "container": w.container, "function": g.container[x]}[owner]
    new = x * n if update else None
    f = function([In(x, value=value, update=new), n], x + n, mode=mode)
    assert float(f(10.0)) == 12.0, "the only argument is n"
    assert float(w.get_value()) == (20.0 if update else 2.0)
    with pytest.raises(TypeError):
        f(10.0, x=1.0)
    with pytest.raises(TypeError):
        f(1.0, 10.0)
    asked = function([In(x, value=value, update=new, implicit=False), n], x + n, mode=mode)
    assert float(asked(1.0, 10.0)) == 11.0
    assert float(w.get_value()) == (10.0 if update else 2.0)


@pytest.mark.parametrize("mode", MODES)
def test_an_update_uses_the_value_of_the_call(mode: Any) -> None:
    x, y = T.dvector("x"), T.dvector("y")
    f = function([In(x, value=[1.0], update=y), In(y, value=[2.0], update=x)], [x, y], mode=mode)
    assert [np.concatenate(f()).tolist() for _ in range(3)] == [[1, 2], [2, 1], [1, 2]]
    assert np.concatenate(f([5.0])).tolist() == [5, 1]
    assert np.concatenate(f(None)).tolist() == [1, 5]


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_fails_updates_nothing(mode: Any) -> None:
    x, y = T.dvector("x"), T.dvector("y")
    f = function([In(x, value=[1.0, 2.0], update=x * 2), y], x + y, mode=mode)
    with pytest.raises(ValueError, match="length"):
        f(y=[1.0, 2.0, 3.0])
    assert f[x].tolist() == [1.0, 2.0]
    f(y=[0.0, 0.0])
    assert f[x].tolist() == [2.0, 4.0]


@pytest.mark.parametrize("mode", MODES)
def test_copies_begin_anew_and_pickles_go_on(mode: Any) -> None:
    x = T.dscalar("x")
    f = function([In(x, value=1.0, update=x * 2)], x, mode=mode)
    f()
    assert [float(made()) for made in (f.copy(), pickle.loads(pickle.dumps(f)), f)] == [1, 2, 2]


@pytest.mark.parametrize("same", ["container", "shared"])
def test_two_updates_of_one_value(same: str) -> None:
    x, y, w = T.dscalar("x"), T.dscalar("y"), shared(1.0, "w")
    value = w if same == "shared" else w.container
    one, other = In(x, value=value, update=x + 1), In(y, value=value, update=y * 10)
    with pytest.raises(ValueError, match="x is updated twice: w has the same container"):
        function([one], x, updates=[(w, w + 5)])
    with pytest.raises(ValueError, match="y is updated twice: x has the same container"):
        function([one, other], [x, y])
    f = function([one, In(y, value=value)], [x, y], mode="INTERPRET")
    assert [float(value) for value in f()] == [1.0, 1.0]
    assert float(w.get_value()) == 2.0
    v = shared(1.0, "v")
    g = function([one], x, updates=[(v, v + 5)], mode="INTERPRET")
    with pytest.raises(ValueError, match="updated twice"):
        g.copy(swap={v: w})


def test_equal_values_are_not_one_container() -> None:
    x, y, start = T.dvector("x"), T.dvector("y"), np.ones(1)
    inputs = [In(x, value=start, update=x + 1), In(y, value=start, update=y * 10)]
    f = function(inputs, [x, y], mode="INTERPRET")
    f()
    assert np.concatenate(f()).tolist() == [2.0, 10.0]
