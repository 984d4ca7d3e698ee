"""Graphs as JSON: what is written comes back, and nothing else is let in."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import symtheano.tensor as T
from symtheano import Function, config, grad, shared
from symtheano.gradient import grad_scale
from symtheano.graph.fields import can_be_made_from, declared_fields, fields, is_own
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.plain import from_plain, to_plain
from symtheano.graph.shared import SharedVariable
from symtheano.graph.type import Type, generic
from symtheano.graph.variable import Constant
from symtheano.graph.walk import leaves
from symtheano.interpret import interpret
from symtheano.printing.value import Print
from tests.codegen.models import MODELS
from tests.support.modules import all_modules
from tests.test_programs import COMMON, Program, programs


def structure(graph: FunctionGraph) -> list[Any]:
    """Return all there is to say of a graph, as plain values."""
    number: dict[Any, int] = {item: k for k, item in enumerate(graph.inputs)}
    said: list[Any] = [(item.type, item.name, item.origin) for item in graph.inputs]
    for leaf in leaves(graph.outputs, graph.inputs):
        if leaf not in number:
            number[leaf] = len(number)
            data = (leaf.data.dtype, leaf.data.tobytes()) if isinstance(leaf, Constant) else None
            said.append((type(leaf), leaf.type, leaf.name, leaf.origin, data))
    for node in graph.nodes:
        said.append((_said_of(node.op), node.origin, [number[item] for item in node.inputs]))
        for item in node.outputs:
            number[item] = len(number)
            said.append((type(item), item.type, item.name, item.origin, item.index))
    return [*said, [number[item] for item in graph.outputs]]


def _said_of(op: Op) -> Any:
    """Return an op, or, if it has a graph of its own, all there is to say of it."""
    if op.region is None:
        return op
    values = fields(op).items()
    return type(op), [
        (name, structure(value) if isinstance(value, FunctionGraph) else value)
        for name, value in values
    ]


def round_trip(graph: FunctionGraph, **options: Any) -> FunctionGraph:
    text = graph.to_json(**options)
    back = FunctionGraph.from_json(text)
    assert structure(back) == structure(graph.with_required())
    if not any(isinstance(item, SharedVariable) for item in graph.inputs):
        assert back.to_json(**options) == text
    return back


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_models(model: Callable[[], Function]) -> None:
    with config.change_flags(mode="INTERPRET"):
        f = model()
    for graph in (f.user_graph, f.graph):
        back = round_trip(graph)
        assert len(back.nodes) == len(graph.with_required().nodes)


@settings(max_examples=60, **COMMON)
@given(programs())
def test_programs(program: Program) -> None:
    outputs = [variable for variable, _ in program.known]
    graph = FunctionGraph(program.inputs, outputs)
    back = round_trip(graph)
    for got, expected in zip(
        interpret(back, program.values), interpret(graph, program.values), strict=True
    ):
        np.testing.assert_array_equal(got, expected)


@settings(max_examples=30, **COMMON)
@given(programs())
def test_gradients_of_programs(program: Program) -> None:
    cost = sum(((y * y).sum() for y, _ in program.known[5:][-2:]), T.constant(0.0))
    slopes = grad(cost, program.inputs, disconnected_inputs="ignore")
    round_trip(FunctionGraph(program.inputs, [cost, *slopes]))


CONSTANTS = [
    0.0, -0.0, 0.1, np.inf, -np.inf, np.nan, -np.float64(np.nan), 1e-320,
    np.array([0x7FF8000000000001]).view("float64")[0], np.float32(0.1), np.float16(65504),
    np.float32(np.nan), 3, -(2**63), np.uint64(2**64 - 1), True, 1 + 2j, np.complex64(1j),
    np.arange(6.0).reshape(2, 3), np.zeros((0, 3)), np.array([True, False]),
]  # fmt: skip


@pytest.mark.parametrize("value", CONSTANTS, ids=repr)
def test_constants_keep_every_bit(value: Any) -> None:
    constant = T.constant(value, name="c")
    back = round_trip(FunctionGraph([], [constant])).outputs[0]
    assert back.signature() == constant.signature()
    assert not back.data.flags.writeable


def test_numbers_are_written_as_numbers() -> None:
    graph = FunctionGraph([], [T.constant(np.float32(0.5)), T.constant(-0.0), T.constant(np.inf)])
    rows = json.loads(graph.to_json())["constants"]
    assert [row["data"]["value"] for row in rows] == [0.5, 0.0, {"float": "inf"}]
    assert str(rows[1]["data"]["value"]) == "-0.0"


def test_one_node_is_one_line() -> None:
    x = T.vector("x")
    text = FunctionGraph([x], [T.tanh(T.exp(x))]).to_json(origins=False)
    lines = [line for line in text.splitlines() if '"inputs": ["' in line]
    assert [json.loads(line.rstrip(","))["inputs"] for line in lines] == [["i0"], ["n0"]]
    assert __file__ not in text


def test_origins_may_be_left_out() -> None:
    x = T.vector("x")
    graph = FunctionGraph([x], [T.exp(x)])
    back = FunctionGraph.from_json(graph.to_json(origins=False))
    assert back.nodes[0].origin is None
    assert back.inputs[0].origin is None
    assert FunctionGraph.from_json(graph.to_json()).nodes[0].origin is graph.nodes[0].origin


def test_shared_variables_come_back_as_inputs() -> None:
    w = shared(np.eye(2), "w")
    graph = FunctionGraph([w], [w + 1])
    (back,) = FunctionGraph.from_json(graph.to_json()).inputs
    assert not isinstance(back, SharedVariable)
    assert (back.name, back.type) == ("w", w.type)


def test_or_with_their_values() -> None:
    w = shared(np.eye(2), "w", strict=True)
    twin, other = w.clone("twin"), shared(3.0, "other")
    graph = FunctionGraph([w, twin, other], [w + twin * other])
    back = round_trip(graph, values=True)
    one, two, three = back.inputs
    np.testing.assert_array_equal(one.get_value(), np.eye(2))
    assert one.strict
    assert one.container is two.container
    assert one.container is not three.container
    assert back.outputs[0].owner.inputs[0] is one


def test_free_variables_stay_free() -> None:
    x, y = T.vectors("x", "y")
    back = round_trip(FunctionGraph([x], [x + y]))
    assert [item.name for item in back.missing()] == ["y"]


def test_ops_of_one_name_are_told_apart() -> None:
    x = T.vector("x")
    y = grad_scale(grad_scale(x, 0.0), -0.0)
    back = FunctionGraph.from_json(FunctionGraph([x], [y]).to_json())
    assert [str(node.op.multiplier) for node in back.nodes] == ["0.0", "-0.0"]


@pytest.mark.slow
def test_depth_is_no_limit() -> None:
    x = y = T.vector("x")
    for _ in range(20_000):
        y = T.tanh(y)
    back = FunctionGraph.from_json(FunctionGraph([x], [y]).to_json())
    assert len(back.nodes) == 20_000


PLAIN = [
    None, True, 3, "text", 0.5, float("inf"), 1j, b"\0\xff", (1, (2, ())), slice(None, 3, -1),
    np.dtype("float32"), np.float32(0.25), np.int8(3), T.exp(T.vector()).owner.op.scalar_op,
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values(value: Any) -> None:
    back = from_plain(json.loads(json.dumps(to_plain(value))))
    assert back == value
    assert type(back) is type(value)


# -- ops from outside --------------------------------------------------------------------------


@dataclass(frozen=True)
class Halves(Op):
    """A user's op."""

    fraction: float

    def infer(self, *inputs: Any) -> Any:
        return [inputs[0].type, inputs[0].type]


class Scaled(Op):
    """A user's op whose constructor takes other names than its props have."""

    __props__ = ("by",)

    def __init__(self, factor: float) -> None:
        self.by = factor

    def infer(self, *inputs: Any) -> Any:
        return [inputs[0].type]


class Secretive(Op):
    """A user's op that does not say what it is made of."""

    def __init__(self, number: int) -> None:
        self.number = number

    def infer(self, *inputs: Any) -> Any:
        return [inputs[0].type]


class Foreign(Type):
    """A user's type."""


def test_ops_from_outside_have_to_be_let_in() -> None:
    x = T.vector("x")
    graph = FunctionGraph([x], [Halves(0.25)(x)[1]])
    text = graph.to_json()
    with pytest.raises(ValueError, match=r"Halves is not one of symtheano's.*ops="):
        FunctionGraph.from_json(text)
    back = FunctionGraph.from_json(text, ops=[Scaled, Halves])
    assert back.nodes[0].op == Halves(0.25)
    assert back.outputs[0].index == 1
    with pytest.raises(TypeError, match="ops must be Op classes"):
        FunctionGraph.from_json(text, ops=[len])  # type: ignore[list-item]
    scaled = FunctionGraph([x], [Scaled(2.0)(x)]).to_json()
    with pytest.raises(ValueError, match="unexpected keyword argument 'by'"):
        FunctionGraph.from_json(scaled, ops=[Scaled])


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: Secretive(3)(T.vector("x")), "__props__"),
    (lambda: Print("x")(T.vector("x")), "not plain data"),
    (lambda: grad_scale(T.vector("x"), (1, object())), "not plain data"),
    (lambda: Foreign()("x"), "not one of this package's types"),
    (lambda: Constant(generic, object()), "can't be written"),
]


@pytest.mark.parametrize(("make", "words"), REFUSED)
def test_what_is_not_plain_is_not_written(make: Callable[[], Any], words: str) -> None:
    output = make()
    with pytest.raises(TypeError, match=words):
        FunctionGraph([], [output]).to_json()


# -- bad texts ---------------------------------------------------------------------------------


def good() -> dict[str, Any]:
    x, w = T.vector("x"), shared(np.ones(2), "w")
    graph = FunctionGraph([x, w], [(T.exp(x) * 2 + w).sum()])
    return dict(json.loads(graph.to_json(values=True)))


def nested(depth: int) -> list[Any]:
    """Return lists in lists."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


SYSTEM = {"op": "system", "module": "os", "props": {"command": "true"}}
EXP = "Elemwise{exp,no_inplace}"

CORRUPTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "format": lambda form: form.update(format="other"),
    "version": lambda form: form.update(version=2),
    "no nodes": lambda form: form.pop("nodes"),
    "sections": lambda form: form.update(nodes={}),
    "outputs": lambda form: form.update(outputs=["n77"]),
    "no outputs": lambda form: form.pop("outputs"),
    "a class of another package": lambda form: form["ops"].update({EXP: SYSTEM}),
    "a function for an op": lambda form: form["ops"].update(
        {EXP: {"op": "format_error", "module": "symtheano.errors", "props": {"what": "x"}}}
    ),
    "a type for an op": lambda form: form["ops"].update(
        {EXP: {"op": "TensorType", "module": "symtheano.tensor.type", "props": {}}}
    ),
    "a module that leads out": lambda form: form["ops"][EXP].update(module="symtheano.errors.os"),
    "a module elsewhere": lambda form: form["ops"][EXP].update(module="symtheanos"),
    "a module of another kind": lambda form: form["ops"][EXP].update(module=["symtheano"]),
    "a private module": lambda form: form["ops"][EXP].update(module="symtheano.__main__"),
    "props": lambda form: form["ops"][EXP].update(props={"scalar_op": "exp"}),
    "more props": lambda form: form["ops"][EXP]["props"].update(other=1),
    "a row that is none": lambda form: form["ops"][EXP]["props"].update(
        scalar_op={"scalar_op": "os.system"}
    ),
    "a value of no kind": lambda form: form["ops"][EXP]["props"].update(scalar_op={"eval": "1"}),
    "no op": lambda form: form["nodes"][0].pop("op"),
    "an unknown op": lambda form: form["nodes"][0].update(op="nothing"),
    "a later node": lambda form: form["nodes"][0].update(inputs=["n1"]),
    "too few inputs": lambda form: form["nodes"][0].update(inputs=[]),
    "inputs that are none": lambda form: form["nodes"][0].update(inputs=[["i0"]]),
    "another type": lambda form: form["nodes"][0].update(types=["TensorType(float64, scalar)"]),
    "too many types": lambda form: form["nodes"][0]["types"].append(form["nodes"][0]["types"][0]),
    "a name that is none": lambda form: form["nodes"][0].update(names=[3]),
    "an origin": lambda form: form["nodes"][0].update(origin=99),
    "origins": lambda form: form["origins"].append(["file", "line", "f"]),
    "bytes": lambda form: form["inputs"][1]["shared"]["value"].update(bytes="%%%"),
    "few bytes": lambda form: form["inputs"][1]["shared"]["value"].update(bytes="AAAA"),
    "a dtype": lambda form: form["inputs"][1]["shared"]["value"].update(dtype="object"),
    "another dtype": lambda form: form["inputs"][1]["shared"]["value"].update(dtype="int64"),
    "a class of values": lambda form: form["inputs"][1]["shared"].update({"class": "Container"}),
    "a constant's data": lambda form: form["constants"][0].update(data=3),
    "a narrower type": lambda form: form["types"]["TensorType(float64, vector)"]["fields"].update(
        shape=[4000]
    ),
    "a length without end": lambda form: form["types"]["TensorType(float64, vector)"][
        "fields"
    ].update(shape=[2**70]),
    "a dtype of no letters": lambda form: form["inputs"][1]["shared"]["value"].update(dtype="\0"),
    "nesting": lambda form: form["ops"][EXP]["props"].update(scalar_op=nested(900)),
    "a constant that overflows": lambda form: form["constants"][0]["data"].update(value=300),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_bad_texts_are_refused(name: str) -> None:
    form = good()
    FunctionGraph.from_json(json.dumps(form))
    broken = copy.deepcopy(form)
    CORRUPTIONS[name](broken)
    with pytest.raises(ValueError, match=r"^from_json: ") as caught:
        FunctionGraph.from_json(json.dumps(broken))
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[1, 2]", "{}", "nan", "[" * 100_000, '{"format": 1}'])
def test_what_is_no_graph_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^from_json: "):
        FunctionGraph.from_json(text)


def narrowed() -> str:
    """Return a graph whose output claims a length that its op does not infer."""
    form = good()
    form["types"]["long"] = copy.deepcopy(form["types"]["TensorType(float64, vector)"])
    form["types"]["long"]["fields"]["shape"] = [4000]
    form["nodes"][0]["types"] = ["long"]
    return json.dumps(form)


def test_outputs_have_the_lengths_that_the_op_infers() -> None:
    with pytest.raises(ValueError, match=r"the output has type .*vector.*, not .*4000"):
        FunctionGraph.from_json(narrowed())


HOSTILE = [
    None, True, -1, -2, 3, 2**31, 2**63, -(2**63), 2**70, 1.5, {"float": "nan"}, "a", "", "int8",
    "object", "\0", [], [-1], [0, 0], [1, 0], [5], [[0]], [None], {"slice": [0, None, 1]},
    {"bytes": "AAE="}, {"dtype": "<f4"}, {"scalar_op": "no"}, {"complex": [0, 1]},
]  # fmt: skip
"""Values that no field of the nodes below has."""


def nodes_with_fields() -> dict[str, list[Any]]:
    """Return expressions whose ops have fields, with their input."""
    x = T.dmatrix("x")
    i = T.lvector("i")
    made = [
        x.sum(axis=1), x.max(axis=0), x.argmax(axis=1), T.nnet.softmax(x), T.nnet.logsoftmax(x),
        T.logsumexp(x, axis=0), T.cumsum(x, axis=1), T.join(0, x, x), x.T, x[i], x[:, i],
        T.inc_subtensor(x[i], 1.0), x[1:], x[0], T.set_subtensor(x[:, 0], 0.0), x.shape[0],
        T.fft.theano_rfft(x), T.searchsorted(x[0], x[1]), T.sort(x), T.slinalg.cholesky(x),
        T.nlinalg.qr(x), T.slinalg.solve(x, x), T.nlinalg.eigh(x), T.nlinalg.svd(x), T.arange(i[0]),
        T.specify_shape(x, (2, 2)), T.stack([x[0, 0], x[1, 1]]),
    ]  # fmt: skip
    found = {}
    for item in made:
        output = item[0] if isinstance(item, list | tuple) else item
        for node in FunctionGraph([x, i], [output]).nodes:
            if fields(node.op):
                found[str(node.op)] = [FunctionGraph([x, i], list(node.outputs))]
    return found


def test_fields_of_ops_are_checked() -> None:
    """What is read in spite of a changed field computes values of the types that it declares."""
    values = [np.array([[2.0, 0.5], [0.5, 2.0]]), np.array([1, 0])]
    read = refused = 0
    for (graph,) in nodes_with_fields().values():
        form = json.loads(graph.to_json(origins=False))
        for label, row in form["ops"].items():
            for name, value in itertools.product(row["props"], HOSTILE):
                broken = copy.deepcopy(form)
                broken["ops"][label]["props"][name] = value
                if broken == form:
                    continue
                try:
                    back = FunctionGraph.from_json(json.dumps(broken))
                except ValueError:
                    refused += 1
                    continue
                read += 1
                with contextlib.suppress(ValueError, IndexError, np.linalg.LinAlgError):
                    for output, got in zip(back.outputs, interpret(back, values), strict=True):
                        assert output.type.is_valid_value(got), (label, name, value)
    assert refused > 500
    assert read < refused / 20


def test_every_op_of_the_package_can_be_made_from_its_fields() -> None:
    assert len(list(all_modules())) > 300
    waiting, ops = [Op], set()
    while waiting:
        ops.update(found := waiting.pop().__subclasses__())
        waiting.extend(found)
    declared = [(op, declared_fields(op)) for op in ops if is_own(op)]
    refused = [op for op, names in declared
               if names is not None and not can_be_made_from(op, frozenset(names))]  # fmt: skip
    assert len(declared) > 60
    assert refused == []
