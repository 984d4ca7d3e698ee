"""Ready: the first step before which a value is there."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.fusion.ready import Ready
from symtheano.codegen.plan.needs import Needs
from tests.support.plans import placed, viewed

x, y, v = T.matrix("x"), T.matrix("y"), T.vector("v")


def test_inputs_are_there_and_results_after_their_step() -> None:
    placing = placed([x, y], [T.tanh(T.dot(T.exp(x), y))])
    exp, dot, tanh = (node.outputs[0] for node in placing.views.graph.nodes)
    at = placing.ready.at
    assert [at(item) for item in (x, exp, dot, tanh)] == [0, 1, 2, 3]
    assert placing.ready.of_all([x, dot, exp]) == 2
    assert placing.ready.of_all([]) == 0


def test_a_question_places_nothing() -> None:
    ready = Ready(Needs(viewed([x], [x.shape[0] * 2])))
    assert ready.at(x) == 0
    with pytest.raises(KeyError):
        ready.at(ready.needs.views.graph.outputs[0])
    assert ready.first == {}
