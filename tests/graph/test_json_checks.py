"""Ops that rely on checks of other nodes: in graphs from JSON they have these checks themselves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.operands import check_operands
from symtheano.sparse.checked import CheckedIndices, CheckedStarts, SameLength
from symtheano.sparse.compressed import ColumnsDot, RowsDot, SampledDot
from symtheano.sparse.csm import CSM
from symtheano.sparse.places import Collected, Gathered, Scattered
from symtheano.sparse.segments import Filled, Grouped, Positions, Runs, SegmentOf
from symtheano.sparse.starts import AreStarts
from symtheano.tensor.indexing.call_broadcast import Either, Repeated
from symtheano.tensor.sorting.ordering import ArgTop
from tests.support.compare import compiled, oracle

FAR, DATA, EYE = 10**6, [1.0, 2.0, 3.0], np.eye(3).tolist()
KINDS = {
    "m": T.dmatrix, "d": T.dvector, "i": T.lvector, "s": T.ivector, "n": T.lscalar, "b": T.bscalar,
}  # fmt: skip


class Case(NamedTuple):
    """An op, letters of its inputs' types, consistent values, their results, and wrong values."""

    op: Op
    letters: str
    values: list[Any]
    results: list[Any]
    wrong: list[list[Any]]


CASES = [
    Case(Gathered(0), "di", [DATA, [0, 2]], [[1, 3]], [[DATA, [FAR]], [DATA, [-4]]]),
    Case(
        Scattered(0, False), "mmi", [EYE, EYE, [0, 1, 2]], [np.eye(3) * 2],
        [[EYE, EYE, [0, 1, FAR]], [EYE, EYE, [0, 1]]],
    ),
    Case(
        Collected(True), "idn", [[0, 0, 2], DATA, 4], [[3, 0, 3, 0]],
        [[[0, 0, 4], DATA, 4], [[-1, 0, 2], DATA, 4], [[0, 0], DATA, 4], [[], [], -4]],
    ),
    Case(
        SegmentOf(), "sn", [[0, 2, 3], 3], [[0, 0, 1]],
        [[[0, 2, 3], 2], [[0, 4, 3], 3], [[1, 2, 3], 3], [[], 0], [[0, 3], -1], [[0, FAR], 1]],
    ),
    Case(
        Grouped(), "is", [[1, 0, 1], [0, 1, 3]], [[1, 0, 2], [1, 3]],
        [[[1, 0, 2], [0, 1, 3]], [[1, 0, 1], [0, 2, 3]], [[1, 0, -1], [0, 1, 3]], [[1], []]],
    ),
    Case(Runs(), "is", [[1, 1, 2], [0, 0, 0]], [[0, 0, 1], 2], [[[1, 2], [0]], [[1], [0, 0]]]),
    Case(Runs(), "is", [[-1, -1, 0], [-1, -1, 0]], [[0, 0, 1], 2], [[[1], [0, 0]]]),
    Case(
        Positions(), "isn", [[4, 7], [0, 2, 3], 3], [[4, 5, 7]],
        [[[4], [0, 2, 3], 3], [[4, 7, 8], [0, 2, 3], 3], [[4, 7], [0, 2, 9], 3]],
    ),
    Case(Filled(3, "int8"), "n", [2], [[3, 3]], [[-1], [-(2**63)]]),
    Case(
        RowsDot(), "dmisn", [DATA, EYE, [0, 2, 1], [0, 2, 3], 3], [[[1, 0, 2], [0, 3, 0]]],
        [[DATA, EYE, [0, 3, 1], [0, 2, 3], 3], [DATA, EYE, [0, 2, 1], [0, 2, 4], 3],
         [DATA, EYE, [0, 2, 1], [], 3], [DATA[:1], EYE, [0, 2, 1], [0, 2, 3], 3]],
    ),
    Case(
        ColumnsDot(), "dmisn", [DATA, EYE, [0, 1, 1], [0, 1, 2, 3], 2], [[[1, 0, 0], [0, 2, 3]]],
        [[DATA, EYE, [0, 2, 1], [0, 1, 2, 3], 2], [DATA, EYE, [0, 1, 1], [0, 5, 2, 3], 2],
         [[], [[]], [], [0, 0], -5]],
    ),
    Case(
        SampledDot(), "mmisn", [EYE, EYE, [0, 2, 2], [0, 1, 2, 3], 3], [[1, 0, 1]],
        [[EYE, EYE, [0, 2, FAR], [0, 1, 2, 3], 3], [EYE, EYE, [0, 2, 1], [0, 1, 2, 9], 3]],
    ),
    Case(
        CheckedIndices(), "sdn", [[0, 1, 2], DATA, 3], [[0, 1, 2]],
        [[[0, 1, 3], DATA, 3], [[0, -1, 2], DATA, 3], [[0, 1], DATA, 3]],
    ),
]  # fmt: skip
NAMES = [type(case.op).__name__ for case in CASES]


def read(inputs: Sequence[Any], op: Op, operands: Sequence[Any]) -> FunctionGraph:
    """Return the graph of a node, read from its text."""
    graph = FunctionGraph(inputs, op.make_node(*operands).outputs)
    back = FunctionGraph.from_json(graph.to_json())
    again = back.to_json()
    assert FunctionGraph.from_json(again).to_json() == again
    return back


@cache
def functions() -> tuple[Any, Any]:
    """Return one function of all cases, compiled and interpreted."""
    inputs, outputs = [], []
    for case in CASES:
        variables = [KINDS[letter]() for letter in case.letters]
        back = read(variables, case.op, variables)
        inputs += back.inputs
        outputs += back.outputs
    return compiled(inputs, outputs), oracle(inputs, outputs)


def arguments(changed: int | None = None, values: Sequence[Any] = ()) -> list[Any]:
    """Return the arguments of all cases, those of one changed."""
    given = []
    for number, case in enumerate(CASES):
        for letter, value in zip(
            case.letters, values if number == changed else case.values, strict=True
        ):
            given.append(np.array(value, KINDS[letter]().dtype))
    return given


def test_consistent_values_are_computed() -> None:
    expected = [result for case in CASES for result in case.results]
    for f in functions():
        for got, wanted in zip(f(*arguments()), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("number", range(len(CASES)), ids=NAMES)
def test_wrong_values_are_errors(number: int) -> None:
    for values in CASES[number].wrong:
        for f in functions():
            with pytest.raises((ValueError, IndexError, MemoryError)):
                f(*arguments(number, values))


def test_sparse_matrices_have_consistent_components() -> None:
    given = [kind() for kind in (T.dvector, T.ivector, T.ivector, T.lscalar)]
    back = read(given, CSM("csr"), given)
    values = [np.array(DATA), np.array([0, 2, 1], "i"), np.array([0, 2, 3], "i"), np.array(3)]
    (matrix,) = back.outputs
    for f in (compiled(back.inputs, matrix), oracle(back.inputs, matrix)):
        np.testing.assert_array_equal(f(*values).toarray(), [[1, 0, 2], [0, 3, 0]])
        for position, wrong in [(1, [0, 3, 1]), (1, [0, -1, 1]), (2, [0, 4, 3]), (2, []), (3, 2)]:
            bad = list(values)
            bad[position] = np.array(wrong, values[position].dtype)
            with pytest.raises(ValueError, match="sparse: "):
                f(*bad)


def test_starts_are_checked_themselves() -> None:
    """The inputs that tell whether starts are valid could be those of other starts."""
    s, d, other = T.ivector(), T.dvector(), T.ivector()
    back = read([s, d, other], CheckedStarts(), [s, d, *AreStarts()(other)])
    f = oracle(back.inputs, back.outputs[0])
    good = np.array([0, 1, 3], "i")
    np.testing.assert_array_equal(f(good, DATA, good * 0), good)
    with pytest.raises(ValueError, match="does not rise"):
        f(np.array([0, 9, 3], "i"), DATA, good)


def test_a_choice_is_between_an_array_and_its_copy() -> None:
    x, y, n = T.dvector("x"), T.dvector("y"), T.lscalar("n")
    copied = Repeated("choose")(x, n)
    assert len(read([x, n], Either("choose"), [x, copied, n]).nodes) == 2
    # Others are compared with the result in each call, where they are shown.
    back = read([x, y, n], Either("choose"), [x, y, n])
    for f in (oracle(back.inputs, back.outputs[0]), compiled(back.inputs, back.outputs)):
        assert np.ravel(f(np.ones(3), np.zeros(2), 3)).tolist() == [1.0] * 3
        assert np.ravel(f(np.ones(1), np.zeros(2), 2)).tolist() == [0.0] * 2
        with pytest.raises(ShapeError, match="operand 1 has length 2, the result has 3"):
            f(np.ones(1), np.zeros(2), 3)
    for operand in (T.fvector(), T.dmatrix()):
        with pytest.raises(ValueError, match="different types"):
            read([x, operand, n], Either("choose"), [x, operand, n])


def test_checks_are_not_repeated() -> None:
    given = [T.dvector(), T.dmatrix(), T.lvector(), T.ivector(), T.lscalar()]
    once = read(given, RowsDot(), given)
    twice = FunctionGraph.from_json(once.to_json())
    assert len(twice.nodes) == len(once.nodes)


@pytest.mark.parametrize("what", ["{0.__class__}", "{:9}", "{!r}", "{} {} {}", "{"])
def test_a_message_only_has_lengths(what: str) -> None:
    with pytest.raises(ValueError, match=r"SameLength|'\{'"):
        SameLength(what)


def test_operands_have_the_kinds_that_an_op_takes() -> None:
    x, k = T.vector("x"), T.lscalar("k")
    check_operands(ArgTop(), [x, k])
    for operands in ([x], [x, k, k], [k, k], [x, x], [x, T.iscalar()], [x, T.scalar()]):
        with pytest.raises(TypeError, match=r"ArgTop.*it takes: \*1\+ l0"):
            check_operands(ArgTop(), operands)
    form = json.loads(FunctionGraph([x, k], [ArgTop()(x, k)]).to_json())
    form["nodes"][0]["inputs"] = ["i1", "i1"]
    with pytest.raises(ValueError, match=r"from_json: nodes, 0: ArgTop: operand 0"):
        FunctionGraph.from_json(json.dumps(form))


def test_ops_that_others_replace_are_in_no_graph() -> None:
    x = T.dvector("x")
    form = json.loads(FunctionGraph([x], [T.exp(x)]).to_json())
    (label,) = form["ops"]
    form["ops"][label] = {"op": "ToDense", "module": "symtheano.sparse.dense", "props": {}}
    with pytest.raises(ValueError, match="from_json"):
        FunctionGraph.from_json(json.dumps(form))


def test_conditions_are_read_as_they_are() -> None:
    x = T.dvector("x")
    graph = FunctionGraph([x], [T.assert_op(x, x.shape[0] > 2, x > 0)])
    text = graph.to_json()
    back = FunctionGraph.from_json(text)
    assert back.to_json() == text
    f = oracle(back.inputs, back.outputs[0])
    np.testing.assert_array_equal(f(DATA), DATA)
    for wrong in (DATA[:1], [1.0, -1.0, 1.0]):
        with pytest.raises(AssertionError):
            f(wrong)


def test_types_that_are_wider_than_inferred_are_not_kept() -> None:
    """Code for a wider type would not write the only element of the sum."""
    x, y = T.TensorType("float64", (1, None))("x"), T.TensorType("float64", (1, 1))("y")
    made = [x.sum(axis=1), x.argmax(axis=1), x.max(axis=1) * 2, T.exp(x), x + y, x[0], x.T]
    made += [T.cumsum(x, axis=1), T.join(0, x, y), x.reshape((x.shape[1], 1)), y.sum(axis=0)]
    form = json.loads(FunctionGraph([x, y], made).to_json())
    for node in form["nodes"]:
        for number, label in enumerate(node["types"]):
            row = json.loads(json.dumps(form["types"][label]))
            row["fields"]["shape"] = [None] * len(row["fields"]["shape"])
            node["types"][number] = f"wide {label}"
            form["types"][f"wide {label}"] = row
    back = FunctionGraph.from_json(json.dumps(form))
    assert [item.type for item in back.outputs] == [item.type for item in made]
    values = [np.array([[0.5]]), np.array([[2.0]])]
    expected = [[0.5], [0], [1.0], [[np.exp(0.5)]], [[2.5]], [0.5], [[0.5]], [[0.5]]]
    expected += [[[0.5], [2.0]], [[0.5]], [2.0]]
    for f in (compiled(back.inputs, back.outputs), oracle(back.inputs, back.outputs)):
        for got, wanted in zip(f(*values), expected, strict=True):
            np.testing.assert_allclose(got, wanted)
