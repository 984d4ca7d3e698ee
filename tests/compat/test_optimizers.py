"""Optimizers of users, on graphs by themselves and in functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano import explain


def test_an_optimizer_of_nodes_runs_in_its_phase(theano: Any) -> None:
    T = theano.tensor

    @T.opt.register_specialize
    @theano.gof.local_optimizer([T.sin])
    def cosine_instead(node: Any) -> Any:
        """A test."""
        return [T.cos(node.inputs[0])]

    x = T.dvector("x")
    f = theano.function([x], T.sin(x) * 2)
    np.testing.assert_allclose(f([0.0]), [2.0])
    assert "cosine_instead (specialize)" in explain(f, file="str")
    default = theano.compile.get_default_mode()
    without = theano.function([x], T.sin(x) * 2, mode=default.excluding("cosine_instead"))
    np.testing.assert_allclose(without([0.0]), [0.0])
    np.testing.assert_allclose(theano.function([x], T.sin(x), mode="FAST_COMPILE")([0.0]), [0.0])


def test_what_is_uninstalled_is_gone(theano: Any) -> None:
    from symtheano import compat, function, tensor

    @theano.tensor.opt.register_canonicalize
    @theano.gof.local_optimizer([theano.tensor.sin])
    def zero(node: Any) -> Any:
        return [theano.tensor.zeros_like(node.inputs[0])]

    x = tensor.dvector("x")
    assert function([x], tensor.sin(x))([1.0]) == [0.0]
    compat.uninstall()
    assert function([x], tensor.sin(x))([1.0]) == np.sin([1.0])


def test_patterns_are_included_by_tags(theano: Any) -> None:
    T, gof = theano.tensor, theano.gof
    pattern = gof.PatternSub((T.sub, (T.tanh, "x"), (T.tanh, "x")), (T.mul, "x", 7.0), True)
    theano.compile.optdb.register("seven", gof.TopoOptimizer(pattern), 0.3, "mine")
    x = T.dscalar("x")
    y = T.tanh(x) - T.tanh(x)
    mode = theano.compile.get_default_mode()
    assert float(theano.function([x], y, mode=mode)(2.0)) == 0.0
    assert float(theano.function([x], y, mode=mode.including("mine"))(2.0)) == 14.0


def test_an_optimizer_of_graphs_sees_the_whole_graph(theano: Any) -> None:
    T = theano.tensor
    seen = []

    class Halve(theano.gof.Optimizer):
        def apply(self, fgraph: Any) -> None:
            for node in fgraph.toposort():
                if node.op == T.exp:
                    seen.append([type(item) for item in fgraph.inputs])
                    fgraph.replace_validate(node.outputs[0], node.inputs[0] * 0.5)

    theano.compile.optdb.register("halve", Halve(), 60, "fast_run")
    w = theano.shared(np.array([4.0]), name="w")
    x = T.dvector("x")
    f = theano.function([x], [T.exp(x) + w, x], updates=[(w, T.exp(w))])
    assert [value.tolist() for value in f([1.0])] == [[4.5], [1.0]]
    assert w.get_value().tolist() == [2.0]
    assert seen


def test_a_mode_may_have_one_optimizer_only(theano: Any) -> None:
    T, gof = theano.tensor, theano.gof
    only = gof.TopoOptimizer(gof.OpSub(T.exp, T.log))
    x = T.dvector("x")
    f = theano.function([x], T.exp(x), mode=theano.compile.Mode("py", only))
    assert f([1.0]).tolist() == [0.0]
    with pytest.raises(TypeError, match="has no tags"):
        theano.compile.Mode("py", only).including("blas")


def test_errors_of_optimizers_are_logged_or_raised(theano: Any, caplog: Any) -> None:
    T = theano.tensor

    @T.opt.register_canonicalize
    @theano.gof.local_optimizer([T.sinh])
    def broken(node: Any) -> Any:
        raise ValueError("a defect")

    @T.opt.register_canonicalize
    @theano.gof.local_optimizer([T.cosh])
    def wrong(node: Any) -> Any:
        return [node.inputs[0].astype("int8")]

    @T.opt.register_canonicalize
    @theano.gof.local_optimizer([T.arctan])
    def elsewhere(node: Any) -> Any:
        return {node.inputs[0].owner.outputs[0]: T.zeros_like(node.inputs[0])}

    x = T.dvector("x")
    assert theano.function([x], T.arctan(T.tan(x)))([0.5]).tolist() == [0.5]
    assert "elsewhere replaces" in caplog.text
    assert theano.function([x], T.sinh(x))([0.0]).tolist() == [0.0]
    assert "Optimization failure due to: broken" in caplog.text
    with theano.change_flags(on_opt_error="raise"), pytest.raises(TypeError, match="wrong: "):
        theano.function([x], T.cosh(x))


def test_graphs_change_in_place(theano: Any) -> None:
    T, gof = theano.tensor, theano.gof
    x, y = T.dvectors("x", "y")
    graph = gof.FunctionGraph([x, y], [T.exp(x) + T.exp(x) * y])
    assert len(graph.apply_nodes) == 4
    gof.MergeOptimizer().optimize(graph)
    assert len(graph.apply_nodes) == 3
    (total,) = graph.outputs
    product = total.owner.inputs[1]
    before = str(graph)
    check = graph.checkpoint()
    graph.replace(product, graph.inputs[1])
    assert str(graph) != before
    graph.revert(check)
    assert str(graph) == before
    graph.check_integrity()
    with pytest.raises(gof.toolbox.BadOptimization):
        graph.replace(product, T.lvector())
    with pytest.raises(theano.gof.MissingInputError):
        graph.replace(product, T.dvector("unknown"))
    assert str(graph) == before


def test_replacements_that_can_not_be_computed_are_undone(theano: Any) -> None:
    gof, T = theano.gof, theano.tensor

    class AddInPlace(theano.Op):
        __props__ = ()
        destroy_map = {0: [0]}  # noqa: RUF012

        def make_node(self, x: Any, y: Any) -> Any:
            return theano.Apply(self, [x, y], [x.type()])

        def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
            inputs[0][...] += inputs[1]
            outputs[0][0] = inputs[0]

    x, y = T.dvectors("x", "y")
    first, second = x + y, T.exp(x)
    graph = gof.FunctionGraph([x, y], [first, second], clone=False)
    graph.attach_feature(gof.DestroyHandler())
    graph.replace_validate(first, AddInPlace()(x, y))
    with pytest.raises(gof.InconsistencyError):
        graph.replace_validate(second, AddInPlace()(x, y) * 1)
    assert graph.consistent()
    order = [type(node.op) for node in graph.toposort()]
    assert order.index(AddInPlace) > 0  # after exp(x), which reads what it writes into
    # A call leaves the argument as it is.
    a, b = T.dvectors("a", "b")
    value = np.array([1.0])
    assert theano.function([a, b], AddInPlace()(a, b) + a)(value, [1.0]).tolist() == [3.0]
    assert value.tolist() == [1.0]


def test_equilibrium_ends(theano: Any) -> None:
    T, gof = theano.tensor, theano.gof
    back_and_forth = [gof.OpSub(T.exp, T.log), gof.OpSub(T.log, T.exp)]
    x = T.dvector("x")
    graph = gof.FunctionGraph([x], [T.exp(x)])
    optimizer = gof.EquilibriumOptimizer(back_and_forth, max_use_ratio=3)
    with theano.change_flags(on_opt_error="raise"), pytest.raises(AssertionError, match="max'ed"):
        optimizer.optimize(graph)
    assert len(graph.apply_nodes) == 1


def test_databases_choose_by_names_and_tags(theano: Any) -> None:
    gof = theano.gof
    base = gof.SequenceDB()
    for position, name in enumerate("abc"):
        base.register(
            name, gof.OpKeyOptimizer(gof.OpRemove(theano.tensor.exp)), position, "all", name * 2
        )
    assert [item.name for item in base.query("+all", "-b")] == ["a", "c"]
    assert [item.name for item in base.query(gof.Query(["all"], require=["bb"]))] == ["b"]
    assert [item.name for item in base.query("+all", position_cutoff=1.5)] == ["a", "b"]
    with pytest.raises(ValueError, match="existing"):
        base.register("aa", gof.OpKeyOptimizer(gof.OpRemove(theano.tensor.exp)), 9)
    with pytest.raises(ValueError, match="collides"):
        base.add_tags("a", "b")


def test_our_rules_are_in_the_database(theano: Any) -> None:
    T = theano.tensor
    x = T.dvector("x")
    graph = theano.gof.FunctionGraph([x], [T.log(T.exp(x) + 1)])
    theano.compile.optdb.query(theano.gof.Query(["canonicalize", "stabilize"])).optimize(graph)
    assert str(graph) == "[Elemwise{softplus,no_inplace}(x)]"


def test_variables_of_functions_know_their_users(theano: Any) -> None:
    x = theano.tensor.dvector("x")
    f = theano.function([x], [theano.tensor.exp(x) * x])
    graph = f.maker.fgraph
    (source,) = graph.inputs
    assert {node.op for node, _ in source.clients} == {node.op for node in graph.toposort()}
    (output,) = graph.outputs
    assert output.clients == [("output", 0)]


def test_classes_are_those_of_their_module(theano: Any) -> None:
    assert theano.gof.TopoOptimizer.__module__ == "theano.gof.opt"
    graph = theano.gof.FunctionGraph(
        [], [theano.tensor.constant(1.0) + theano.tensor.constant(1.0)]
    )
    assert theano.gof.MergeOptimizer().optimize(graph)[-1] in (0, 1)
