"""Every delicate form, its gradients among them, against mpmath: compiled, and interpreted."""

import numpy as np
import pytest

from symtheano import function
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from tests.stability.forms import FORMS
from tests.stability.losses import LOSSES
from tests.stability.measure import errors, operands
from tests.stability.symbolic import expression
from tests.stability.truth import compute, truth
from tests.support.compare import one_text

GROUPS = 4
RULES = default_rules()


def allowed(form, found):
    """Assert that a form's errors are below its bounds."""
    assert found.value <= form.within, (form.name, "value", found)
    assert found.gradient <= form.gradient, (form.name, "gradient", found)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_interpreted(form, dtype):
    inputs, value, gradients = expression(form, dtype)
    graph = Rewriter(RULES).rewrite(FunctionGraph(inputs, [value, *gradients]))
    found = interpret(graph, operands(form, dtype))
    allowed(form, errors(form, dtype, found[0], found[1:]))


@pytest.mark.needs_cc
@pytest.mark.parametrize("group", range(GROUPS))
def test_compiled(group):
    """A few functions of many forms each, every second form in single precision."""
    dtype = "float64" if group % 2 == 0 else "float32"
    forms = FORMS[group::GROUPS]
    expressions = [expression(form, dtype) for form in forms]
    inputs = [item for mine, _, _ in expressions for item in mine]
    outputs = [item for _, value, slopes in expressions for item in (value, *slopes)]
    values = [item for form in forms for item in operands(form, dtype)]
    with one_text():
        compiled = function(inputs, outputs)
    found = iter(compiled(*values))
    for form, (_, _, slopes) in zip(forms, expressions, strict=True):
        value = next(found)
        allowed(form, errors(form, dtype, value, [next(found) for _ in slopes]))


@pytest.mark.parametrize("form", FORMS[::12], ids=lambda form: form.name)
def test_references_are_what_mpmath_computes(form):
    for point in form.points[::7]:
        kept, new = truth(form, point), compute(form, point)
        pairs = [(kept[0], new[0])]
        pairs += [
            pair for a, b in zip(kept[1], new[1], strict=True) for pair in zip(a, b, strict=True)
        ]
        for one, other in pairs:
            assert abs(one - other) <= 1e-20 * abs(other), point


def test_there_are_enough_of_them():
    strict = [form for form in FORMS if form.within <= 16 and form.gradient <= 16]
    assert len(strict) >= 120
    assert len({form.name for form in FORMS}) == len(FORMS)
    assert set(LOSSES) == {form.name for form in FORMS} - {form.name for form in strict}
    assert all(form.reason for form in FORMS if form not in strict)
    assert all(np.isfinite(np.ravel(item)).all() for f in FORMS for p in f.points for item in p)
