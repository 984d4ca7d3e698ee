"""Which rules may apply to a node."""

import subprocess
import sys

import symtheano.tensor as T
from symtheano.rewrites.candidates import Candidates, names_of
from symtheano.rewrites.rule import Rule, name_of
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise

x = T.vector("x")


def _rule(name: str, tracks: tuple[str, ...], operands: tuple[str, ...] = ()) -> Rule:
    return Rule(name, "canonicalize", __name__, tracks, operands)


def test_rules_are_chosen_by_node_and_operands() -> None:
    every = _rule("every", ())
    elementwise = _rule("elementwise", (name_of(Elemwise),))
    of_exp = _rule("of_exp", ("log", "exp"), ("exp",))
    of_computed = _rule("of_computed", ("log",), (name_of(Elemwise),))
    candidates = Candidates([of_computed, every, of_exp, elementwise])
    assert candidates.of(T.log(x).owner) == [every, elementwise]
    assert candidates.of(T.log(T.sin(x)).owner) == [of_computed, every, elementwise]
    assert candidates.of(T.log(T.exp(x)).owner) == [of_computed, every, of_exp, elementwise]
    assert candidates.of(x.sum().owner) == [every]


def test_a_row_with_the_name_of_another_one_is_another_kind() -> None:
    own = scalar.exp
    other = ScalarOp(own.name, own.nin, own.numpy, own.signature, own.c, own.doc)
    assert name_of(other) != name_of(own)
    of_exp = _rule("of_exp", ("exp",))
    assert Candidates([of_exp]).of(T.exp(x).owner) == [of_exp]
    assert Candidates([of_exp]).of(Elemwise(other)(x).owner) == []
    assert "exp" in names_of(T.exp(x).owner.op)


def test_modules_with_rules_are_imported_for_nodes_that_they_are_about() -> None:
    program = """
import sys
import symtheano.tensor as T
from symtheano.graph.intern import FunctionGraph
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules

def imported(output):
    Rewriter(default_rules()).rewrite(FunctionGraph([x], [output]))
    return [part for part in ("algebra", "vanishing", "choices", "attention", "scans")
            if f"symtheano.rewrites.{part}" in sys.modules]

x = T.matrix("x")
print(*imported(x + 1))
print(*imported(T.nnet.softmax(x)))
print(*imported(T.switch(x > 0, x, 1 - x)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "algebra", "algebra attention", "algebra choices attention"
    ], done.stderr  # fmt: skip
