"""The generated check: it finds rules that change values, and proves those that do not."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.rewrites.check import Report, check_rewriting, differs, prove
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import REGISTRY, pattern
from symtheano.scalar import table as scalar

PATTERNS = [rule.name for rule in default_rules() if rule.pattern is not None]


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_say_which_nodes_they_match(name):
    rule = REGISTRY[name]
    root = rule.pattern.before.owner
    assert rule.tracks == (root.op.scalar_op.name,)
    computed = [item.owner.op.scalar_op.name for item in root.inputs if item.owner is not None]
    assert rule.operands == tuple(computed[:1])


# SymPy agrees in numbers, and does not simplify the difference.
UNDECIDED = {"log_of_sinh", "log_of_square"}


@pytest.mark.parametrize("name", PATTERNS)
def test_sympy_proves_every_pattern(name):
    pytest.importorskip("sympy")
    assert prove(REGISTRY[name]) is (None if name in UNDECIDED else True)


@pytest.fixture
def wrong_rule():
    @pattern("canonicalize", scalar.sin, None)
    def sine_is_its_operand(x):
        """For a test: right near zero only."""
        return scalar.sin(x), x

    yield sine_is_its_operand
    del REGISTRY["sine_is_its_operand"]


def test_wrong_rule_is_found_by_value(wrong_rule):
    report = Report()
    check_rewriting([T.sin(T.dvector("x"))], [wrong_rule], ["canonicalize"], report)
    assert report.failures
    assert "sine_is_its_operand" in report.failures[0]


def test_wrong_rule_is_not_proved(wrong_rule):
    pytest.importorskip("sympy")
    assert not prove(wrong_rule)


@pytest.mark.parametrize(
    ("numerics", "before", "after", "same"),
    [
        ("exact", [0.0], [-0.0], False),
        ("sign of zero", [0.0], [-0.0], True),
        ("exact", [np.nan], [np.nan], True),
        ("exact", [1.0], [1.0 + 1e-15], False),
        ("reassociates", [1.0], [1.0 + 1e-15], True),
        ("reassociates", [1.0], [1.1], False),
        ("more accurate", [np.inf], [3.0], True),
    ],
)
def test_classes_allow_what_they_say(numerics, before, after, same):
    assert (differs(np.array(before), np.array(after), numerics, "moderate") is None) == same
