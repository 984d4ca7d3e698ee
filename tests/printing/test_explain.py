from __future__ import annotations

import re

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import Mode
from symtheano.printing import explain
from symtheano.rewrites.rule import REGISTRY


def text(given: object) -> str:
    shown = explain(given, file="str")
    assert shown is not None
    return shown


def test_names_rule_line_and_change() -> None:
    x = T.dvector("x")
    y = (x * 2) * 4
    shown = text(y)
    lines = shown.splitlines()
    assert lines[:4] == [
        "output 1",
        "  written  x * 2 * 4",
        "  runs     x * 8.0",
        "  cost     2 -> 1",
    ]
    assert re.search(r"^  test_explain\.py:\d+  y = \(x \* 2\) \* 4$", shown, re.M)
    steps = re.findall(r"^ +\d+  (\w+) \((\w+)\), cost (\d+) -> (\d+)$", shown, re.M)
    assert steps
    assert {name for name, *_ in steps} <= set(REGISTRY)
    assert lines[lines.index("         -> x * 8.0") - 1].strip() == "x * 2.0 * 4.0"


def test_every_step_of_a_rebuilt_node_is_found() -> None:
    x = T.dvector("x")
    inner = T.log(1 + T.exp(x))
    shown = text(T.sin(inner * 1).sum() * 2)
    assert "softplus" in shown
    assert "log_of_one_plus" in shown


def test_table_counts_all_firings() -> None:
    x = T.dvector("x")
    f = symtheano.function([x], T.log(1 + T.exp(x)).sum(), mode="INTERPRET")
    table = text(f).split("times  rule\n")[1]
    counted = {name: int(n) for n, name in re.findall(r"^ +(\d+)  (\w+) \(", table, re.M)}
    assert counted == dict(f.trace.counts())


def test_updates_are_told_by_name() -> None:
    w = symtheano.shared(np.ones(3), name="w")
    x = T.dvector("x")
    f = symtheano.function([x], updates=[(w, w - 0.1 * 2 * x)], mode="INTERPRET")
    assert text(f).startswith("new value of w\n")


def test_a_step_is_told_once() -> None:
    x = T.dvector("x")
    y = (x * 2) * 4
    shown = text([y, T.exp(y)])
    numbers = re.findall(r"^ +(\d+)  \w+ \(\w+\), cost", shown, re.M)
    assert len(numbers) == len(set(numbers))


def test_lines_fit_eighty_columns() -> None:
    x, y = T.dmatrix("x"), T.lvector("y")
    w = symtheano.shared(np.ones((3, 2)), name="w")
    p = T.nnet.softmax(T.dot(x, w))
    cost = T.nnet.categorical_crossentropy(p, y).mean()
    shown = text([cost, T.grad(cost, w)])
    assert max(map(len, shown.splitlines())) <= 80


def test_loops_after_each_pass() -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    total = x * 2 + y.T
    f = symtheano.function([x, y], total, mode=Mode("interpret").excluding("tile"))
    usual, brief, without, changes = (
        explain(given, file="str", loops=True, show=show) or ""
        for given, show in ((total, "all"), ([total], "reasons"), (f, "reasons"), (f, "changes"))
    )
    reason = "i: y is contiguous along it, not along j: tiles of 32 x 32"
    assert f"* tile              {reason}\n\n      for tile = 0 .. x_d0 step 32, indep" in usual
    assert re.search(rf"^\* tile +{reason}\n[* ] \w+ ", brief, re.M)
    assert usual.startswith("kernel_0_mul_add: mul, add over x_d0 x x_d1\n\n  naive  ")
    assert "\n      for i = 0 .. x_d0, independent:\n        for j = 0 .. x_d1, indep" in usual
    assert "for i" not in brief
    assert "tile" not in without
    assert (
        "\n      -for i = 0 .. x_d0, independent:\n      +for i = 0 .. x_d0, parallel, " in changes
    )
    assert changes.count("mul(x_i, 2.0:float64)") == 1
    with pytest.raises(ValueError, match="show must be one of all, changes, reasons, not 'none'"):
        explain(total, loops=True, show="none")
    assert max(map(len, brief.splitlines())) <= 100


def test_programs_after_each_pass() -> None:
    x = T.dmatrix("x")
    whole, changes = (
        explain(x * 2, "str", program=True, show=show) or "" for show in ("all", "changes")
    )
    assert whole.count("  program function\n") > changes.count("  program function\n") == 1
    assert "reserve the workspace" in whole
    assert "outline:" in changes
    assert changes.endswith("pieces: no change")
    with pytest.raises(ValueError, match="show of a program must be all or changes, not 'reasons'"):
        explain(x, program=True, show="reasons")


def test_loops_of_sparse_operands() -> None:
    a, w = symtheano.sparse.csr_matrix("a", dtype="float64"), symtheano.shared(np.ones((3, 3)))
    shown = explain(symtheano.sparse.dot(a, w), "str", loops=True, show="reasons") or ""
    assert "kernel_" in shown


def test_no_loops_to_tell() -> None:
    x = T.dmatrix("x")
    assert explain(T.dot(x, x), "str", loops=True) == "no kernel has loops on which passes run"


def test_nothing_to_tell() -> None:
    x = T.dvector("x")
    assert text(T.exp(x)).endswith("no rule fired")


def test_excluded_rules_do_not_appear() -> None:
    x = T.dvector("x")
    mode = symtheano.Mode("interpret").excluding("log_of_one_plus")
    f = symtheano.function([x], T.log(1 + T.exp(x)), mode=mode)
    assert "log_of_one_plus" not in text(f)


def test_deep_graph() -> None:
    y = T.dvector("x")
    for _ in range(2000):
        y = T.sin(y) * 1
    assert "sin(" in text(y)


def test_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    explain(T.exp(T.dvector("x")))
    assert capsys.readouterr().out.startswith("output 1\n")


def test_outputs_together_tell_every_step_once() -> None:
    x, y = T.dmatrix("x"), T.lvector("y")
    w = symtheano.shared(np.ones((3, 2)), name="w")
    p = T.nnet.softmax(T.dot(x, w))
    cost = T.nnet.categorical_crossentropy(p, y).mean()
    f = symtheano.function([x, y], cost, updates=[(w, w - T.grad(cost, w))], mode="INTERPRET")
    shown = text(f)
    told = len(re.findall(r"^ +\d+  \w+ \(\w+\), cost", shown, re.M))
    unseen = sum(int(n) for n in re.findall(r"and (\d+) steps? that a formula", shown))
    assert told + unseen == len(f.trace)


def test_steps_of_one_output_are_not_told_of_another() -> None:
    x = T.dvector("x")
    shown = text([T.exp(x), T.log(x * 1 * 1)])
    assert "multiply_by_one" not in shown.split("output 2")[0]
    assert "multiply_by_one" in shown.split("output 2")[1]
