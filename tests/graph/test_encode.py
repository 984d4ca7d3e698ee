"""The digest of a user graph: the same for the same program, another for any other."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import symtheano.tensor as T
from symtheano import grad, scan, shared
from symtheano.gradient import grad_clip, grad_scale
from symtheano.graph import encode
from symtheano.graph.encode import graph_digest
from symtheano.graph.op import Op
from symtheano.graph.origin import Origin, origin_scope
from symtheano.graph.type import generic
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.printing.value import Print
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.type import TensorType
from tests.test_programs import COMMON, Program, programs

HERE = Origin("program.py", 1, "f")


def digest(make: Callable[[], tuple[list[Any], list[Any]]], origin: Origin | None = HERE) -> str:
    """Return the digest of what ``make`` makes, all of it at one line."""
    with origin_scope(origin):
        inputs, outputs = make()
    result = graph_digest(inputs, outputs)
    assert result is not None
    assert len(result) == 64
    return result


PROGRAM = """
import numpy as np
import symtheano.tensor as T
from symtheano import grad, shared
from symtheano.graph import encode
from symtheano.graph.encode import graph_digest

def program():
    x, y = T.matrix("x"), T.ivector("y")
    w, b = shared(np.zeros((4, 3)), "w"), shared(np.zeros(3), "b")
    p = T.nnet.softmax(T.dot(x, w) + b)
    loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y]) + 0.5 * (w ** 2).sum() + p[1:, ::2].max()
    return [x, y], [loss, *grad(loss, [w, b])]

first = graph_digest(*program())
junk = [grad((T.exp(v) + k).sum(), v) for k in range({junk}) for v in [T.vector()]]
second = graph_digest(*program())
assert first == second
print(first)
"""


def test_processes_agree(tmp_path: Any) -> None:
    found = set()
    for seed, junk in (("0", 0), ("1", 50), ("12345", 3)):
        path = tmp_path / seed / "program.py"
        path.parent.mkdir()
        path.write_text(PROGRAM.replace("{junk}", str(junk)))
        done = subprocess.run(
            [sys.executable, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1


def of(**changes: Any) -> Callable[[], tuple[list[Any], list[Any]]]:
    """Return a program with some parts changed."""
    has: dict[str, Any] = {
        "dtype": "float64", "shape": (None, None), "names": ("x", "y"), "number": 2.0,
        "axis": 0, "label": None, "state": "w", "state_shape": (None,), "fraction": 0.5,
        "swap": False, "outputs": 1, "bound": 1.0, "order": ("x", 0), "kind": None,
    }  # fmt: skip
    assert changes.keys() <= has.keys()
    has.update(changes)

    def make() -> tuple[list[Any], list[Any]]:
        kind = TensorType(has["dtype"], has["shape"], has["kind"])
        x, y = kind(has["names"][0]), kind(has["names"][1])
        w = shared(np.zeros(3), has["state"], shape=has["state_shape"])
        total = (x * T.constant(has["number"])).sum(axis=has["axis"]) + w.dimshuffle(*has["order"])
        total = grad_clip(grad_scale(total, has["fraction"]), -1.0, has["bound"])
        total.name = has["label"]
        return ([y, x] if has["swap"] else [x, y]), [total, y, total][: has["outputs"]]

    return make


CHANGES: list[dict[str, Any]] = [
    {},
    {"dtype": "float32"},
    {"shape": (None, 3)},
    {"shape": (3, None)},
    {"kind": "table"},
    {"names": ("x", "z")},
    {"names": ("y", "x")},
    {"names": (None, "y")},
    {"names": ("None", "y")},
    {"names": ("", "y")},
    {"number": 3.0},
    {"number": 2},
    {"number": True},
    {"number": 0.0},
    {"number": -0.0},
    {"number": np.nan},
    {"number": -np.float64(np.nan)},
    {"number": np.array([0x7FF8000000000001]).view("float64")[0]},
    {"number": np.float64(2.0)},
    {"number": np.float16(2.0)},
    {"number": np.array([2.0])},
    {"number": np.array([[2.0]])},
    {"number": np.full((1, 500), 2.0)},
    {"number": np.full((1, 501), 2.0)},
    {"number": np.array([[2.0, 3.0]])},
    {"axis": 1},
    {"label": "total"},
    {"label": "tota"},
    {"state": "v"},
    {"state": None},
    {"state_shape": (3,)},
    {"fraction": 0},
    {"fraction": False},
    {"fraction": 0.0},
    {"fraction": -0.0},
    {"fraction": np.float32(0.0)},
    {"fraction": "0"},
    {"fraction": b"0"},
    {"fraction": (0,)},
    {"fraction": ((0,), ())},
    {"fraction": ((0, ()),)},
    {"fraction": None},
    {"fraction": slice(0, 1)},
    {"fraction": 0j},
    {"fraction": np.dtype("int8")},
    {"fraction": TensorType("int8", ())},
    {"fraction": TensorType("int8", (1,))},
    {"bound": 1},
    {"swap": True},
    {"outputs": 2},
    {"outputs": 3},
    {"order": (0,)},
]


def test_every_change_shows() -> None:
    found = [digest(of(**change)) for change in CHANGES]
    assert len(set(found)) == len(CHANGES)
    assert [digest(of(**change)) for change in CHANGES] == found


def test_sharing_shows() -> None:
    def of_pair(make: Callable[[Any, Any], Any]) -> str:
        def program() -> tuple[list[Any], list[Any]]:
            x, y = TensorType("float64", (None,))("x"), TensorType("float64", (None,))("x")
            return [x, y], [make(x, y)]

        return digest(program)

    def common(x: Any, y: Any) -> Any:
        z = T.exp(x)
        return z * z

    found = [
        of_pair(lambda x, y: x + x),
        of_pair(lambda x, y: x + y),
        of_pair(lambda x, y: y + x),
        of_pair(lambda x, y: T.exp(x) * T.exp(x)),
        of_pair(common),
    ]
    assert len(set(found)) == len(found)


def test_shared_containers_show() -> None:
    def two(one_container: bool) -> tuple[list[Any], list[Any]]:
        s = shared(0.0, "s")
        return [], [s + (s.clone() if one_container else shared(0.0, "s"))]

    assert digest(lambda: two(True)) != digest(lambda: two(False))


def test_values_of_shared_variables_do_not_show() -> None:
    one, two = shared(np.zeros(3), "s"), shared(np.ones(4), "s")
    two.origin = one.origin
    assert graph_digest([], [one]) == graph_digest([], [two])


def test_what_ops_have_cached_does_not_show() -> None:
    x, y, image = T.dmatrix("x"), T.dmatrix("y"), T.dtensor4("image")
    filters = T.dtensor4("filters")
    results = [T.exp(x).sum(), T.argmax(x), x.shape[0], *T.nlinalg.qr(y),
               T.nnet.conv2d(image, filters).max()]  # fmt: skip

    def made() -> tuple[list[Any], list[Any]]:
        return [x, y, image, filters], results

    before = digest(made)
    lowerings = [node.op.lowering for node in toposort(results)]
    assert any("lowering" in vars(node.op) for node in toposort(results))
    assert len(lowerings) > 5
    assert digest(made) == before


def test_places_do_not_show() -> None:
    places = [None, Origin("a/program.py", 1, "f"), Origin("a/program.py", 2, "f")]
    assert len({digest(of(), place) for place in places}) == 1

    def step_of_a_loop(place: Origin) -> tuple[list[Any], list[Any]]:
        def step(a: Any) -> Any:
            with origin_scope(place):
                return T.tanh(a)

        x = T.vector("x")
        return [x], [scan(step, outputs_info=x, n_steps=3)[0]]

    assert len({digest(partial(step_of_a_loop, place)) for place in places[1:]}) == 1


def test_what_computes_an_input_does_not_show() -> None:
    def cut(inner: Callable[[Any], Any]) -> tuple[list[Any], list[Any]]:
        h = inner(T.vector("x"))
        return [h], [T.tanh(h)]

    assert digest(lambda: cut(T.exp)) == digest(lambda: cut(T.sin))


class Plain(Op):
    """A user's op that declares everything."""

    __props__ = ()

    def infer(self, *inputs: Any) -> Any:
        return [inputs[0].type]


class Derived(CAReduce):
    """A class from outside, derived from one of the package's."""


class Own(Variable):
    """A variable class from outside."""


def marked(attribute: str) -> Any:
    y = T.vector("x").sum()
    y.owner.op.__dict__[attribute] = lambda: None
    return y


UNDESCRIBED: list[Callable[[], Any]] = [
    lambda: Plain()(T.vector("x")),
    lambda: Derived("add", (0,), "float64", "float64")(T.vector("x")),
    lambda: Print("x")(T.vector("x")),
    lambda: grad_scale(T.vector("x"), object()),
    lambda: grad_scale(T.vector("x"), [1]),
    lambda: grad_scale(T.vector("x"), (1, (lambda: None,))),
    lambda: Own(T.dvector),
    lambda: Constant(generic, object()),
    lambda: marked("perform"),
]


@pytest.mark.parametrize("make", UNDESCRIBED)
def test_what_is_not_certain_has_no_digest(make: Callable[[], Any]) -> None:
    output = make()
    assert graph_digest([], [output]) is None


def test_the_identity_of_equal_ops_and_types_does_not_show() -> None:
    def program(fresh: bool) -> tuple[list[Any], list[Any]]:
        x = TensorType("float64", (None,))("x")
        reduce = CAReduce("add", (0,), "float64", "float64")
        other = CAReduce("add", (0,), "float64", "float64") if fresh else reduce
        kind = TensorType("float64", ())
        twin = TensorType("float64", ()) if fresh else kind
        return [x], [Apply(reduce, [x], [kind]).out, Apply(other, [x], [twin]).out]

    assert digest(lambda: program(True)) == digest(lambda: program(False))


def test_depth_is_no_limit() -> None:
    def program() -> tuple[list[Any], list[Any]]:
        x = y = T.vector("x")
        for _ in range(20_000):
            y = T.tanh(y)
        return [x], [y]

    assert digest(program) == digest(program)


def text_of(program: Program) -> str:
    """Return all there is to say of a program's graph, independently of the digest's own walk."""
    from symtheano.graph.walk import leaves, toposort

    roots = [variable for variable, _ in program.known]
    number = {leaf: k for k, leaf in enumerate([*program.inputs, *leaves(roots)])}
    said: list[Any] = [number[item] for item in program.inputs]
    for leaf in leaves(roots):
        data = leaf.data.tobytes() if isinstance(leaf, Constant) else None
        said.append((number[leaf], str(leaf.type), leaf.type.shape, leaf.name, data))
    for node in toposort(roots):
        op = sorted((name, repr(value)) for name, value in vars(node.op).items())
        said.append((type(node.op).__name__, op, [number[item] for item in node.inputs]))
        for item in node.outputs:
            number[item] = len(number)
            said.append((item.type.dtype, item.type.shape, item.name))
    return repr([*said, [number[item] for item in roots]])


@settings(max_examples=100, **COMMON)
@given(st.lists(programs(), min_size=2, max_size=3))
def test_digests_differ_where_programs_do(made: list[Program]) -> None:
    texts = [text_of(program) for program in made]
    found = [graph_digest(p.inputs, [v for v, _ in p.known]) for p in made]
    assert None not in found
    for a in range(len(made)):
        for b in range(a):
            assert (found[a] == found[b]) == (texts[a] == texts[b])


@settings(max_examples=40, **COMMON)
@given(programs())
def test_gradients_have_digests(program: Program) -> None:
    outputs = [variable for variable, _ in program.known[5:]][-2:]
    cost = sum(((y * y).sum() for y in outputs), T.constant(0.0))
    slopes = grad(cost, program.inputs, disconnected_inputs="ignore")
    assert graph_digest(program.inputs, [cost, *slopes]) is not None


def test_loops_are_described_by_their_steps() -> None:
    x, w = T.dvector("x"), T.dscalar("w")

    def described(step: Callable[..., Any], **options: Any) -> str | None:
        values, _ = scan(step, x, T.constant(0.0), **options)
        return graph_digest([x, w], [values[-1], grad(values[-1], x)])

    def step(row: Any, total: Any) -> Any:
        return T.tanh(total) + w * row

    def other(row: Any, total: Any) -> Any:
        return T.tanh(total) - w * row

    first = described(step)
    assert first is not None
    assert described(step) == first
    changed = {described(other), described(step, truncate_gradient=2), described(step, name="s")}
    assert len(changed | {first, None}) == 5


def test_ops_may_outlive_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a process names of modules are None; what is still freed must not fail."""
    x = T.dscalar("x")
    op = scan(lambda total: total * x, outputs_info=[x], n_steps=3)[0].owner.op
    assert encode._describe_op_once(op)
    entries, before = encode._remembered, len(encode._remembered)
    monkeypatch.setattr(encode, "_remembered", None)
    failures: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", failures.append)
    del op
    gc.collect()
    assert failures == []
    assert len(entries) < before
