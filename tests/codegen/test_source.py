"""From a rewritten graph to C: the text, the messages, and the times of both steps."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.source import Built, build
from symtheano.graph.origin import Origin, origin_scope
from tests.support.crossings import ORDER, PROGRAMS, crossings

x = T.dvector("x")


def built(output: Any = None, **options: Any) -> Built:
    output = T.exp(x) if output is None else output
    stages = function([x], output, mode="INTERPRET").stages
    functions = options.pop("functions", frozenset)
    return build(stages.final, functions, **options)


def test_the_text_is_that_of_the_program() -> None:
    found = built(name="powers", title="of e")
    assert found.source.entry == found.lowered.program.name == "powers"
    assert found.source.text.startswith("/* of e */")
    assert "ST_EXPORT int32_t powers(" in found.source.text
    assert set(found.times) == {"lower", "print"}
    assert min(found.times.values()) > 0


def test_links_are_those_of_the_text() -> None:
    m = T.dmatrix("m")
    assert built().source.links == ()
    assert built(T.i0(x)).source.links == ("i0",)
    assert built(T.dot(T.outer(x, x), T.outer(x, x)).sum()).source.links in ((), ("blas",))
    stages = function([m], T.dot(m, m), mode="INTERPRET").stages
    assert build(stages.final, frozenset).source.links == ("blas",)


def test_functions_that_can_be_vectorized_are_declared_so() -> None:
    y = T.dvector("y")
    stages = function([y], T.erf(y), mode="INTERPRET").stages
    for functions in (frozenset[str](), frozenset(["erf"])):
        text = build(stages.final, lambda given=functions: given).source.text
        assert ("notinbranch" in text) == bool(functions)


def test_the_text_does_not_depend_on_who_asks() -> None:
    texts = set()
    for line in (1, 99):
        stages = function([x], T.exp(x)[1:].sum() + T.arange(x.shape[0]), mode="INTERPRET").stages
        _ = stages.graph
        with origin_scope(Origin("elsewhere.py", line, "f")):
            made = build(stages.final, frozenset)
        texts.add(made.source.text + str(made.lowered.program))
    (text,) = texts
    assert "elsewhere" not in text


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_stage_is_visited_once_in_order(name: str) -> None:
    calls = crossings(PROGRAMS[name])
    stages = [each.after for each in calls if each.before is None]
    assert tuple(stage for stage, _ in groupby(stages)) == ORDER
    inside = [each for each in calls if each.before is not None]
    assert {(each.before, each.after) for each in inside} == {("write", "plan")}
    # What writes reads the tables of the plan, and calls nothing that decides.
    deciding = ("codegen/plan/fusion", "codegen/plan/regions", "codegen/plan/naming")
    assert not [each.module for each in inside if each.module.startswith(deciding)]
