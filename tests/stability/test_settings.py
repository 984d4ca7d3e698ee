"""Every delicate form alone, with its gradient, with one element read, and behind products."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from tests.stability.forms import FORMS
from tests.stability.settings import SETTINGS, programs
from tests.support.compare import one_text

RULES = default_rules()
GROUPS = 48


def check(program, found):
    """Assert that a program's errors are below the bounds of its form."""
    form, sizes = program.form, program.errors(found)
    assert sizes.value <= form.within, (program.setting, form.name, "value", sizes)
    assert sizes.gradient <= form.gradient, (program.setting, form.name, "gradient", sizes)


def computed(program):
    graph = Rewriter(RULES).rewrite(FunctionGraph(program.inputs, program.outputs))
    return [interpret(graph, call) for call in program.calls]


@pytest.mark.one_in(8)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_interpreted(form):
    """Each program for itself: what is computed beside it could help."""
    dtype = "float32" if FORMS.index(form) % 5 == 0 else "float64"
    with np.errstate(all="ignore"):
        for program in programs(form, dtype):
            check(program, computed(program))


def compiled_programs(form, dtype):
    """Return some programs of a form, each with inputs of its own.

    The interpreter runs all. Rewritten, most of a form's programs are the same expressions, so one
    element and one product are compiled, others for the next forms. ``test_forms.py`` compiles the
    value together with its gradient.
    """
    turn = FORMS.index(form) // 2
    made = list(programs(form, dtype))
    places = {
        setting: [k for k, program in enumerate(made) if program.setting == setting]
        for setting in ("element", "product")
    }
    chosen = [some[turn % len(some)] for some in places.values()]
    return [list(programs(form, dtype))[k] for k in chosen]


@pytest.mark.needs_cc
@pytest.mark.one_in(24)
@pytest.mark.parametrize("group", range(GROUPS))
def test_compiled(group):
    """Programs of a few forms in one function, those of every second group in single precision."""
    dtype = "float64" if group % 2 == 0 else "float32"
    some = [program for form in FORMS[group::GROUPS] for program in compiled_programs(form, dtype)]
    inputs = [item for program in some for item in program.inputs]
    outputs = [item for program in some for item in program.outputs]
    with one_text():
        compiled = function(inputs, outputs)
    results = [[] for _ in some]
    for turn in range(max(len(program.calls) for program in some)):
        calls = [program.calls[min(turn, len(program.calls) - 1)] for program in some]
        found = iter(compiled(*(item for call in calls for item in call)))
        for program, kept in zip(some, results, strict=True):
            mine = [next(found) for _ in program.outputs]
            if turn < len(program.calls):
                kept.append(mine)
    for program, kept in zip(some, results, strict=True):
        check(program, kept)


def test_all_settings_are_tried():
    for form in FORMS[::40]:
        assert {program.setting for program in programs(form, "float64")} == set(SETTINGS)


# -- what was wrong --------------------------------------------------------------------------------

ROW = np.array([1000.0, 999.0])
SHARE = 1 / (1 + np.exp(-1.0))


def results(inputs, outputs, *values):
    graph = Rewriter(RULES).rewrite(FunctionGraph(inputs, outputs))
    with np.errstate(all="ignore"):
        return interpret(graph, values)


def test_element_of_the_gradient_of_a_logarithm_of_exponentials():
    v = T.dvector("v")
    slope = grad(T.log(T.exp(v).sum()), v)
    for outputs in ([slope[0]], [slope[0], slope], [slope[0], slope[1]]):
        np.testing.assert_allclose(results([v], outputs, ROW)[0], SHARE)


@pytest.mark.parametrize("read", [lambda p: p[0], lambda p: p[-2], lambda p: p[:1].sum()])
def test_gradient_of_an_element_of_a_softmax_written_out(read):
    v = T.dvector("v")
    slope = grad(read(T.exp(v) / T.exp(v).sum()), v)
    wanted = SHARE * (1 - SHARE)
    np.testing.assert_allclose(results([v], [slope], ROW)[0], [wanted, -wanted])


@pytest.mark.parametrize(
    ("shape", "axis"),
    [((1, None), 1), ((1, None), None), ((None, 1), 0), ((1, None, 1), 1), ((1, 1, None), 2)],
)
@pytest.mark.parametrize("keepdims", [True, False])
def test_product_of_a_softmax_whose_batch_has_length_one(shape, axis, keepdims):
    x, w = T.TensorType("float64", shape)("x"), T.dmatrix("w")
    total = T.exp(x).sum(axis=axis, keepdims=keepdims)
    if not keepdims and axis is not None:
        total = T.shape_padaxis(total, axis)
    p = T.exp(x) / total
    values = ROW.reshape([1 if length == 1 else 2 for length in shape])
    for wide in (T.dot(p.reshape((1, p.size)), w), T.dot(p.flatten(), w), T.dot(w, p.flatten())):
        found = results([x, w], [wide], values, np.eye(2))[0]
        np.testing.assert_allclose(np.ravel(found), [SHARE, 1 - SHARE])


def test_axes_inserted_into_a_softmax_written_out():
    v, w = T.dvector("v"), T.dmatrix("w")
    p = T.exp(v) / T.exp(v).sum()
    for wide in (T.dot(p.dimshuffle("x", 0), w), T.dot(w, p.dimshuffle(0, "x"))):
        found = results([v, w], [wide], ROW, np.eye(2))[0]
        np.testing.assert_allclose(np.ravel(found), [SHARE, 1 - SHARE])


def test_complement_of_a_square_of_tanh_beside_what_shares_it():
    x = T.dvector("x")
    y = 1 - T.tanh(x) ** 2
    sech = 1 / np.cosh(20.0) ** 2
    cases = {"log": (T.log(y), np.log(sech)), "root": (T.sqrt(y), np.sqrt(sech)),
             "itself": (y, sech), "quotient": (1 / y, 1 / sech)}  # fmt: skip
    for value, wanted in cases.values():
        for others in ([], [grad(value.sum(), x)], [T.tanh(x)], [T.tanh(x) ** 2]):
            found = results([x], [value, *others], np.array([20.0]))
            np.testing.assert_allclose(found[0], wanted, rtol=1e-13)


def test_sum_of_means_of_nothing():
    x = T.dmatrix("x")
    for shape, wanted in (((0, 0), 0.0), ((0, 3), 0.0), ((2, 3), 2.0)):
        assert results([x], [x.mean(axis=1).sum()], np.ones(shape))[0] == wanted
