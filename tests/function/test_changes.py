"""Updates, default updates and givens: what is read of them, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, function, shared
from symtheano.function.changes import (
    add_default_updates,
    check_targets,
    fit_update,
    read_givens,
    read_updates,
    replaced,
)


def test_default_updates() -> None:
    a, b = shared(1.0, "a"), shared(1.0, "b")
    a.default_update = a + 1
    b.default_update = b * 2 + a
    f = function([], b, mode="INTERPRET")
    assert [float(f()) for _ in range(2)] == [1, 3]
    assert float(a.get_value()) == 3
    still = function([], a + b, no_default_updates=True, mode="INTERPRET")
    assert still() == still()
    only_b = function([], b, no_default_updates=[a], mode="INTERPRET")
    only_b()
    assert float(a.get_value()) == 3
    mine = function([], b, updates={b: b * 0}, mode="INTERPRET")
    mine()
    assert float(b.get_value()) == 0


def test_updates_that_are_refused() -> None:
    w, v = shared(np.zeros(3), "w"), shared(np.zeros(3, "float32"), "v")
    with pytest.raises(TypeError, match="is updated but is not a shared variable"):
        function([], updates={T.vector("x"): w})
    with pytest.raises(ValueError, match="w is updated twice"):
        function([], updates=[(w, w + 1), (w, w + 2)])
    with pytest.raises(TypeError, match=r"cast it: update.astype\('float32'\)"):
        function([], updates={v: v + w})
    with pytest.raises(TypeError, match="another type than the variable"):
        function([], updates={w: w.dimshuffle(0, "x")})
    with pytest.raises(ValueError, match="updates must be pairs"):
        function([], updates=[w])
    f = function([], updates={v: [1, 2, 3]}, mode="INTERPRET")
    f()
    assert v.get_value().tolist() == [1, 2, 3]


def test_givens_that_are_refused() -> None:
    x, y = T.vector("x"), T.fvector("y")
    with pytest.raises(TypeError, match="givens replace x by a value of another type"):
        function([y], x.sum(), givens={x: y})
    with pytest.raises(TypeError, match="givens replace x by a value of another type"):
        function([], x.sum(), givens={x: T.scalar("s")})


def test_default_updates_of_whatever_is_used() -> None:
    a, b, c = shared(1.0, "a"), shared(2.0, "b"), shared(3.0, "c")
    a.default_update, b.default_update, c.default_update = a + b, b + c, c + 1
    function([], a * 1, mode="INTERPRET")()  # one leads to the next
    assert [v.get_value() for v in (a, b, c)] == [3.0, 5.0, 4.0]
    del a.default_update, b.default_update
    x, y = T.dscalars("x", "y")
    function([], x * 2, givens={x: c * 1.0}, mode="INTERPRET")()  # used by givens
    assert c.get_value() == 5
    function([], [], updates=[(a, b + c)], mode="INTERPRET")()  # by an update
    assert c.get_value() == 6
    function([In(y, value=1.0, update=y + c)], y, mode="INTERPRET")()  # by an input's update
    assert c.get_value() == 7
    function([], c * 2.0, givens={c: T.constant(1.0)}, mode="INTERPRET")()  # replaced: not used
    assert c.get_value() == 7
    c.default_update = 0.5
    function([], c * 1.0, mode="INTERPRET")()
    assert c.get_value() == 0.5


W, V, X = shared(np.zeros(3), "w"), shared(np.zeros(3, "float32"), "v"), T.vector("x")


def test_updates_are_pairs_in_order() -> None:
    new = W + 1
    assert read_updates(None) == []
    assert read_updates({W: new}) == [(W, new)]
    assert read_updates([(V, V * 2), [W, new]])[1] == (W, new)
    ((target, value),) = read_updates([(W, 1.0)])
    assert target is W
    assert value.data == 1.0


@pytest.mark.parametrize(
    ("updates", "error", "words"),
    [
        (W, TypeError, "function: updates must be .*give updates="),
        (3, TypeError, "updates must be a dict or a list of pairs, got int 3"),
        ([W], ValueError, "updates must be pairs"),
        ([(W, W, W)], ValueError, "updates must be pairs"),
        ([(X, W)], TypeError, "is updated but is not a shared variable"),
        ([(3, W)], TypeError, "3 is updated but is not a shared variable"),
        ([(W, W + 1), (W, W + 2)], ValueError, "w is updated twice"),
    ],
)
def test_mistakes_in_updates(updates: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=f"(?s){words}"):
        check_targets(read_updates(updates))


def test_an_update_is_made_to_fit() -> None:
    new = W + 1
    assert fit_update(W, new) is new
    assert fit_update(V, T.constant(np.ones(3))).dtype == "float32"
    row = shared(np.zeros((1, 3)), "row", shape=(1, None))
    fitted = fit_update(row, T.matrix("m"))
    assert fitted.type.shape[0] == 1
    with pytest.raises(TypeError, match=r"cast it: update\.astype\('float32'\)"):
        fit_update(V, W + V)
    with pytest.raises(TypeError, match="convert it from 2 to 1 dims"):
        fit_update(W, T.matrix("m"))


def test_default_updates_lead_to_others() -> None:
    a, b, c = shared(1.0, "a"), shared(2.0, "b"), shared(3.0, "c")
    a.default_update, b.default_update = a + b, b + c

    def targets(excluded: Any, *given: Any, replacements: Any = None) -> list[str]:
        pairs = list(given)
        add_default_updates([a * 2], pairs, excluded, replacements or {})
        return [target.name for target, _ in pairs]

    assert targets(False) == ["a", "b"]
    assert targets(True) == []
    assert targets([b]) == ["a"]
    assert targets([a]) == []
    assert targets(False, (b, c)) == ["b", "a"]  # the given one counts
    assert targets(False, replacements={a: c}) == []


def test_givens_fit_the_variables_that_they_replace() -> None:
    x, y = T.vector("x"), T.vector("y")
    assert read_givens({x: y}, True) == {x: y}
    assert read_givens([(x, y)], True) == {x: y}
    assert read_givens(None, True) == {}
    narrow = T.fvector("f")
    (constant,) = read_givens({narrow: np.ones(2, "int8")}, True).values()
    assert constant.dtype == "float32"
    wide = read_givens({narrow: y}, False)  # the user wants another type
    assert wide[narrow] is y
    (total,) = replaced([x.sum()], {x: y})
    assert total.owner.inputs[0] is y
    outputs = [x.sum()]
    assert replaced(outputs, {})[0] is outputs[0]


@pytest.mark.parametrize(
    ("givens", "error", "words"),
    [
        ([(3, X)], TypeError, "givens can only replace variables, got int 3"),
        ([(X, X + 1), (X, X + 2)], ValueError, "givens replace x twice"),
        ({X: T.matrix("m")}, TypeError, "givens replace x by a value of another type"),
        ({T.lvector("k"): X}, TypeError, r"cast it: given\.astype\('int64'\)"),
        ({X: "words"}, TypeError, "(?s).*"),
        (X, TypeError, "function: givens must be"),
        ([X], ValueError, "givens must be pairs"),
        ({T.lvector("k"): np.array([0.5])}, TypeError, "bad value for k in givens"),
    ],
)
def test_mistakes_in_givens(givens: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        read_givens(givens, True)
