"""The trace: what fired, where, and what led to a node."""

import symtheano.tensor as T
from symtheano.graph.intern import FunctionGraph
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules


def traced(output, inputs):
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph(inputs, [output]))
    return graph.outputs[0], rewriter.trace


def test_history_of_a_node_is_its_rules_in_order():
    x = T.vector("x")
    output, trace = traced(T.log(1 + T.exp(x)), [x])
    history = [step.rule for step in trace.history(output)]
    assert history[-2:] == ["log_of_one_plus", "softplus_spelled_out"]
    assert trace.counts()["softplus_spelled_out"] == 1


def test_every_step_knows_its_line():
    x = T.vector("x")
    y = T.log(1 + T.exp(x))
    _, trace = traced(y, [x])
    assert {step.origin.text for step in trace.steps} == {"y = T.log(1 + T.exp(x))"}
    assert "softplus_spelled_out" in str(trace)


def test_nothing_to_do_leaves_no_trace():
    x = T.vector("x")
    output, trace = traced(T.exp(x), [x])
    assert len(trace) == 0
    assert trace.history(output) == []
