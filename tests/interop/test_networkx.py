"""to_networkx: nodes, edges and their attributes."""

from __future__ import annotations

import networkx as nx
import numpy as np

import symtheano.tensor as T
from symtheano import FunctionGraph, function, shared
from symtheano.interop import to_networkx


def test_nodes_and_edges() -> None:
    x, s = T.dvector("x"), shared(np.ones(3), name="s")
    y = T.exp(x)
    graph = to_networkx([y - s, y / 2.0])
    assert nx.is_directed_acyclic_graph(graph)
    kinds = [data["kind"] for _, data in graph.nodes(data=True)]
    assert sorted(set(kinds)) == ["constant", "input", "op", "shared"]
    sub = next(k for k, data in graph.nodes(data=True) if "sub" in data["label"])
    edges = sorted((data["input"], graph.nodes[a]["label"]) for a, _, data in
                   graph.in_edges(sub, data=True))  # fmt: skip
    assert [label for _, label in edges] == ["Elemwise{exp,no_inplace}", "s"]
    assert graph.nodes[sub]["origin"].startswith("test_networkx.py:")
    assert graph.nodes[sub]["outputs"] == [0]
    assert graph.graph["outputs"][0] == (sub, 0)
    assert all(a < b for a, b in graph.edges())


def test_functions_and_graphs() -> None:
    x, s = T.dvector("x"), shared(0.0, name="s")
    f = function([x], x.sum(), updates=[(s, s + 1)], mode="INTERPRET")
    assert to_networkx(f).graph["updates"] == {1: "s"}
    y = x * x
    assert len(to_networkx(FunctionGraph([x], [y]))) == 2
    double = to_networkx(y)
    assert double.number_of_edges() == 2  # both operands are x


def test_several_results_and_long_chains() -> None:
    A = T.dmatrix("A")
    values, vectors = T.nlinalg.eigh(A)
    graph = to_networkx(T.dot(vectors, values))
    assert sorted(data["output"] for _, _, data in graph.edges(data=True)) == [0, 0, 1]
    y = T.dscalar("x")
    for _ in range(3000):
        y = T.exp(y)
    assert len(to_networkx(y)) == 3001
