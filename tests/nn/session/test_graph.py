"""Graphs: defaults, names, what belongs to them."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from symtheano import nn


def test_default_graphs_nest() -> None:
    outer, inner = nn.Graph(), nn.Graph()
    before = nn.get_default_graph()
    with outer.as_default() as entered:
        assert entered is outer
        with inner.as_default():
            assert nn.get_default_graph() is inner
        assert nn.get_default_graph() is outer
        with pytest.raises(RuntimeError, match="with block"):
            nn.reset_default_graph()
    assert nn.get_default_graph() is before
    nn.reset_default_graph()
    assert nn.get_default_graph() is not before


def test_default_graph_belongs_to_its_thread() -> None:
    found = []
    with nn.Graph().as_default() as graph:
        thread = threading.Thread(target=lambda: found.append(nn.get_default_graph()))
        thread.start()
        thread.join()
    assert found[0] is not graph


def test_session_makes_its_graph_the_default() -> None:
    graph = nn.Graph()
    with nn.Session(graph) as session:
        x = nn.placeholder("float32", name="x")
        assert session.run(x, {x: 1}) == 1
    assert graph["x"] is x
    with pytest.raises(RuntimeError, match="closed"):
        session.run(x, {x: 1})


def test_names_differ() -> None:
    with nn.Graph().as_default():
        names = [nn.placeholder(name="x").name for _ in range(3)]
        assert [*names, nn.Variable(1, "x").name] == ["x", "x_1", "x_2", "x_3"]
        assert nn.placeholder(shape=()).name == "placeholder"


def test_things_are_found_by_name() -> None:
    with nn.Graph(seed=0).as_default() as graph, nn.Session() as session:
        x = nn.placeholder("float32", (None, 2), "x")
        w = nn.Variable(2.0, "w")
        y = nn.dense(x, 3, name="scores")
        assert (graph["x:0"], graph["w"], graph["scores"]) == (x, w, y)
        assert session.run(["w", "scores:0"], {"x": np.ones((1, 2))})[1].shape == (1, 3)
        with pytest.raises(ValueError, match=r"'v'; it has \['x', 'w'"):
            session.run("v")


def test_layers_register_parameters() -> None:
    with nn.Graph(seed=0).as_default() as graph:
        x = nn.placeholder("float32", (None, 2), "x")
        first = nn.Dense(3, kernel_constraint="max_norm")
        y = nn.batch_norm(first(x))
        first(x + 1)
        assert len(graph.values) == 3
        assert nn.trainable_variables() == y.parameters
        assert len(nn.global_variables()) == 6
        assert list(graph.constraints) == [first.kernel]


def test_seed_determines_initial_values() -> None:
    kernels = []
    for seed in (3, 3, 4):
        with nn.Graph(seed).as_default():
            y = nn.dense(nn.placeholder("float32", (None, 2)), 3)
            kernels.append(y.parameters[0].get_value())
    np.testing.assert_array_equal(kernels[0], kernels[1])
    assert (kernels[0] != kernels[2]).any()


def test_a_graph_shows_what_it_has() -> None:
    graph = nn.Graph(seed=0)
    with graph.as_default():
        x = nn.placeholder("float32", (None, 3), "x")
        nn.placeholder("int32", name="<any>")
        nn.Variable([1.0, 2.0], "w", trainable=False)
        nn.dense(x, 2)
    rows = [line.split(maxsplit=2) for line in repr(graph).splitlines()]
    assert rows[:2] == [["graph"], ["kind", "name", "type"]]
    assert ["placeholder", "x", "TensorType(float32, (?, 3))"] in rows
    assert ["placeholder", "<any>", "int32"] in rows
    assert ["variable", "w", "float32 (2,), not trained"] in rows
    assert ["variable", "dense/kernel", "float32 (3, 2)"] in rows
    assert ["output", "dense", "Value(float32, (n, 2) of dense)"] in rows
    assert "&lt;any&gt;" in graph._repr_html_()
    assert repr(nn.Graph()).splitlines() == ["graph", "kind  name  type"]


def test_operations_belong_to_a_graph() -> None:
    with nn.Graph().as_default() as graph, nn.Session() as session:
        w = nn.Variable(1.0, "w")
        first, second = nn.assign_add(w, 1.0), nn.assign(w, 5.0)
        step = nn.SGD(0.5).minimize(w**2)
        both = nn.group(step, nn.no_op())
        assert graph.operations[:3] == [first, second, step]
        assert graph.operations[-1] is both
        assert [one.name for one in graph.operations[:3]] == ["assign w", "assign w_1", "minimize"]
        assert graph["minimize"] is step
        session.run("assign w_1")
        assert w.get_value() == 5.0
    assert nn.Graph().operations == []
    with pytest.raises(ValueError, match="'minimize', 'no_op', 'group'"):
        graph["other"]


def test_operations_are_listed_and_layers_have_different_names() -> None:
    with nn.Graph().as_default() as graph:
        x = nn.placeholder("float32", (None, 3))
        first = nn.dense(x, 3)
        second = nn.dense(first, 1)
        step = nn.SGD().minimize(nn.reduce_mean(second**2))
    lines = repr(graph).splitlines()
    assert [line.split()[1] for line in lines if line.startswith("output")] == ["dense", "dense_1"]
    assert lines[-1].split() == ["operation", "minimize"]
    assert graph["dense"] is first
    assert graph["dense_1"] is second
    assert graph["dense_1/kernel"] is second.layer.kernel
    assert graph["minimize"] is step


def test_methods_of_other_graphs() -> None:
    graph = nn.Graph()
    with pytest.raises(AttributeError, match="hint: it is operations, a list"):
        graph.get_operations()  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="did you mean as_default"):
        graph.as_defaul()  # type: ignore[attr-defined]
