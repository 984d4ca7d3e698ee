"""Graphs that are pickled and copied: identity, depth, size; nothing that belongs at home."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import symtheano.tensor as T
from symtheano import shared
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.shared import SharedVariable, generic_shared
from symtheano.graph.type import DisconnectedType, NullType, generic
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import leaves, toposort
from symtheano.interpret import interpret
from tests.test_programs import COMMON, Program, programs

DEPTH = 20_000

Travel = Callable[[Any], Any]


def by_pickle(protocol: int) -> Travel:
    return lambda thing: pickle.loads(pickle.dumps(thing, protocol))


def by_python_pickler(thing: Any) -> Any:
    file = io.BytesIO()
    pickle._Pickler(file).dump(thing)  # type: ignore[attr-defined]
    return pickle.loads(file.getvalue())


WAYS: dict[str, Travel] = {
    **{f"protocol {number}": by_pickle(number) for number in (2, 3, 4, 5)},
    "python": by_python_pickler,
    "deepcopy": copy.deepcopy,
}

every_way = pytest.mark.parametrize("travel", WAYS.values(), ids=WAYS.keys())


class Doubled(Op):
    """A user's op without props."""

    def infer(self, *inputs: Any) -> Any:
        return [inputs[0].type]

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = 2 * inputs[0]


@dataclass(frozen=True)
class Halves(Op):
    """A user's op with two outputs and a field."""

    fraction: float

    def infer(self, *inputs: Any) -> Any:
        return [inputs[0].type, inputs[0].type]

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = self.fraction * inputs[0]
        output_storage[1][0] = (1 - self.fraction) * inputs[0]


def chain(start: Any, length: int) -> Any:
    for _ in range(length):
        start = T.tanh(start)
    return start


def structure(roots: list[Any]) -> list[Any]:
    """Return all there is to say of the graphs of ``roots``, as plain values."""
    number: dict[Any, int] = {}
    said: list[Any] = []
    for leaf in leaves(roots):
        number[leaf] = len(number)
        data = leaf.data.tobytes() if hasattr(leaf, "data") else None
        said.append((type(leaf), leaf.type, leaf.name, leaf.origin, data))
    for node in toposort(roots):
        inputs = [number[item] for item in node.inputs]
        said.append((str(node.op), type(node.op), node.origin, inputs))
        for item in node.outputs:
            number[item] = len(number)
            said.append((type(item), item.type, item.name, item.index, item.origin))
    return [*said, [number[root] for root in roots]]


@every_way
def test_identity_is_kept_within_one_pickle(travel: Travel) -> None:
    x, y = T.vectors("x", "y")
    total = x + y
    a, b, c, again, node = travel([x, y, total, total, total.owner])
    assert c.owner.inputs[0] is a
    assert c.owner.inputs[1] is b
    assert again is c
    assert node is c.owner
    assert a is not x


@every_way
def test_all_that_is_said_of_a_graph_survives(travel: Travel) -> None:
    x, w = T.fmatrix("x"), shared(np.eye(3, dtype="float32"), "w")
    first, second = Halves(0.25)(T.dot(x, w) * 2.5 + np.arange(3))
    second.name = "rest"
    roots = [T.nnet.softmax(second, axis=0)[1:, ::-1].sum(axis=1), first]
    copied = travel(roots)
    assert structure(copied) == structure(roots)
    assert copied[0].owner.origin.filename == __file__


@every_way
def test_copies_compute_the_same(travel: Travel) -> None:
    x = T.matrix("x")
    y = T.log(1 + T.exp(Doubled()(x))).sum(axis=0)
    a, b = travel([x, y])
    value = np.linspace(-3, 3, 6).reshape(2, 3)
    (expected,) = interpret(FunctionGraph([x], [y]), [value])
    (got,) = interpret(FunctionGraph([a], [b]), [value])
    np.testing.assert_array_equal(got, expected)


@settings(max_examples=40, **COMMON)
@given(programs())
def test_programs_travel(program: Program) -> None:
    roots = [variable for variable, _ in program.known]
    assert structure(pickle.loads(pickle.dumps(roots))) == structure(roots)
    assert structure(copy.deepcopy(roots)) == structure(roots)


@every_way
def test_shared_variables_keep_value_container_and_update(travel: Travel) -> None:
    s = shared(np.arange(3.0), "s", strict=True)
    twin = s.clone("twin")
    s.default_update = s + 1
    a, b = travel([s, twin])
    assert a.container is b.container
    assert a.container is not s.container
    assert a.strict
    assert a.default_update.owner.inputs[0] is a
    a.set_value(np.ones(2))
    np.testing.assert_array_equal(b.get_value(), [1.0, 1.0])
    np.testing.assert_array_equal(s.get_value(), [0.0, 1.0, 2.0])
    assert travel(generic_shared({"any": "thing"})).get_value() == {"any": "thing"}


def test_an_update_that_leads_through_the_whole_graph() -> None:
    s = shared(0.0, "s")
    last = chain(s, 20_000)
    s.default_update = last
    copied = pickle.loads(pickle.dumps(last))
    nodes = toposort([copied])
    assert len(nodes) == 20_000
    assert nodes[0].inputs[0].default_update is copied


@every_way
def test_tags_survive_without_what_can_be_made_again(travel: Travel) -> None:
    x = T.vector("x")
    y = T.exp(x)
    x.tag.test_value = np.ones(2)
    y.tag.note, y.tag.compiled = "mine", lambda: None
    y.owner.tag.number = 3
    a, b = travel([x, y])
    np.testing.assert_array_equal(a.tag.test_value, [1.0, 1.0])
    assert vars(b.tag) == {"note": "mine"}
    assert b.owner.tag.number == 3
    assert a.tag is not x.tag


def test_tags_may_lead_back() -> None:
    x = T.vector("x")
    y = T.exp(x)
    y.tag.partner = T.sin(y)
    copied = pickle.loads(pickle.dumps(y))
    assert copied.tag.partner.owner.inputs[0] is copied


@every_way
def test_constants_keep_every_bit_and_stay_read_only(travel: Travel) -> None:
    values = [-0.0, np.nan, np.float32(0.1), 3, True, np.arange(12.0).reshape(3, 4), 1 + 2j]
    for constant in map(T.constant, values):
        copied = travel(constant)
        assert copied.signature() == constant.signature()
        assert copied.data.dtype == constant.data.dtype
        assert not copied.data.flags.writeable


@every_way
def test_types_and_nodes_travel_alone(travel: Travel) -> None:
    label = T.TensorType("float32", (None, 3), name="weights")
    for kind in [label, T.dvector, generic, DisconnectedType(), NullType("because")]:
        copied = travel(kind)
        assert copied == kind
        assert repr(copied) == repr(kind)
    assert travel(label).name == "weights"
    node = chain(T.vector("x"), 5000).owner
    assert structure([travel(node).out]) == structure([node.out])


@every_way
def test_frozen_graphs_travel(travel: Travel) -> None:
    x = T.vector("x")
    graph = FunctionGraph([x], [T.exp(x) * 2, T.exp(x) + 3])
    copied, output = travel([graph, graph.outputs[0]])
    assert isinstance(copied, FunctionGraph)
    assert copied.outputs[0] is output
    assert structure([*copied.inputs, *copied.outputs]) == structure([x, *graph.outputs])
    assert len(copied.nodes) == len(graph.nodes) == len(copied.interner)
    assert copied.with_outputs([T.exp(copied.inputs[0])]).outputs[0] in copied.interner
    assert len(copied.interner) == len(graph.nodes)
    assert copy.copy(graph) is graph


@every_way
def test_depth_is_no_limit(travel: Travel) -> None:
    depth = DEPTH if travel in (WAYS["protocol 5"], copy.deepcopy) else 10_000
    x = T.vector("x")
    a, b = travel([x, chain(x, depth)])
    nodes = toposort([b])
    assert len(nodes) == depth
    assert nodes[0].inputs[0] is a


def test_many_outputs_of_one_graph_take_no_more_than_one() -> None:
    x = T.vector("x")
    variables = [x]
    for _ in range(4000):
        variables.append(T.tanh(variables[-1]))
    one = len(pickle.dumps(variables[-1]))
    for listed in (variables, variables[::-1], variables[::7]):
        text = pickle.dumps(listed)
        assert len(text) < 4 * one
        copied = pickle.loads(text)
        assert len(toposort(copied)) == len(toposort(listed))


def test_a_pickle_is_small() -> None:
    x = T.vector("x")
    small, large = (len(pickle.dumps(chain(x, length))) for length in (1000, 11_000))
    assert (large - small) / 10_000 < 24


def test_a_pickler_of_several_dumps_and_others_beside_it() -> None:
    x = T.vector("x")
    y = chain(x, 3000)
    z = chain(y, 3000)
    file, other = io.BytesIO(), io.BytesIO()
    first, second = pickle.Pickler(file), pickle.Pickler(other)
    first.dump(y)
    second.dump(chain(y, 2))
    first.dump(z)
    assert len(toposort([pickle.loads(pickle.dumps(y)).owner.out])) == 3000
    assert len(toposort([pickle.loads(pickle.dumps(z))])) == 6000
    second.dump(z)
    for text, count in ((file, 3000), (other, 3002)):
        text.seek(0)
        reader = pickle.Unpickler(text)
        early, late = reader.load(), reader.load()
        assert len(toposort([early])) == count
        assert len(toposort([late])) == 6000
        assert len(toposort([early, late])) == (6000 if count == 3000 else 6002)


def test_a_failed_dump_leaves_nothing_behind() -> None:
    x = T.vector("x")
    good = chain(x, 2000)
    bad = chain(good, 2000)
    bad.tag.note = lambda: None
    with pytest.raises((pickle.PicklingError, AttributeError)) as caught:
        pickle.dumps(chain(bad, 2))
    assert len(toposort([pickle.loads(pickle.dumps(good))])) == 2000
    assert caught.value is not None


def test_threads_pickle_side_by_side() -> None:
    x = T.vector("x")
    y = chain(x, 2000)
    found: list[int] = []

    def work() -> None:
        found.extend(len(toposort([pickle.loads(pickle.dumps(y))])) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2000] * 15


class Marked(Variable):
    """A user's variable with its own attribute."""

    mark: Any = None


class Marking(Op):
    """A user's op whose output is such a variable."""

    def make_node(self, *inputs: Any) -> Apply:
        return Apply(self, inputs, [Marked(inputs[0].type)])


@every_way
def test_users_variables_keep_their_attributes(travel: Travel) -> None:
    leaf = Marked(generic, name="leaf")
    output = Marking()(leaf)
    leaf.mark, output.mark = "a", {"b": 1}
    copied = travel(output)
    assert type(copied) is type(copied.owner.inputs[0]) is Marked
    assert copied.mark == {"b": 1}
    assert copied.owner.inputs[0].mark == "a"


def test_a_shallow_copy_computes_the_same_from_the_same() -> None:
    x = T.vector("x")
    x.tag.note = [1]
    y = T.exp(x)
    twin, other = copy.copy(x), copy.copy(y)
    assert (twin.name, twin.type, twin.origin) == ("x", x.type, x.origin)
    assert twin is not x
    assert twin.tag.note is x.tag.note
    assert twin.tag is not x.tag
    assert other is not y
    assert other.owner is not y.owner
    assert other.owner.inputs[0] is x
    assert copy.copy(y.owner).op is y.owner.op
    s = shared(1.0, "s")
    assert isinstance(copy.copy(s), SharedVariable)
    assert copy.copy(s).container is s.container


def test_another_process_reads_it() -> None:
    x = T.fvector("x")
    text = pickle.dumps([x, (T.exp(x) * 2).sum(), x.type])
    code = (
        "import pickle, sys, symtheano, symtheano.tensor as T\n"
        "x, y, kind = pickle.loads(sys.stdin.buffer.read())\n"
        "assert kind == T.fvector and hash(kind) == hash(T.fvector)\n"
        "print(symtheano.function([x], y, mode='INTERPRET')([0.0, 0.0]))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, check=True)
    assert float(done.stdout) == 4.0
