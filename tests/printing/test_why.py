"""Why nodes share loops, as text."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.memory import COPIED, FAILS, READ, TAKEN
from symtheano.codegen.plan.regions import RegionPlan
from symtheano.loops.scan_op import Scan
from symtheano.printing.schedule import schedule_text
from symtheano.printing.why import reasons
from tests.support.plans import planned

x, y, a, b = T.dmatrix("x"), T.dmatrix("y"), T.dvector("a"), T.dvector("b")


def why(*outputs: Any) -> list[str]:
    """Return the lines of what was decided, without indentation."""
    text = schedule_text(list(outputs), why=True)
    return [line.strip() for line in text.partition("\nwhy\n")[2].splitlines()]


def lines_of(plan: RegionPlan) -> list[str]:
    """Return reasons, with the names of variables or ops."""
    found = reasons(plan.schedule, plan.memory, lambda v: v.name or str(v.owner.op))
    return [line.strip() for line in found]


def test_bytes_that_are_passed_on() -> None:
    found = why(T.exp(x).sum(1))
    assert "points of loops: exp" in found
    (joined,) = [line for line in found if " gets the group of " in line]
    assert joined.endswith("(passes on exp: x_d0*x_d1*16 bytes)"), "no store and no load"


def test_a_value_that_is_stored_anyway_saves_a_load_only() -> None:
    value = T.exp(x)
    (joined,) = [line for line in why(value, value.sum(1)) if " gets the group of " in line]
    assert joined.endswith(": x_d0*x_d1*8 bytes)")


def test_refusals_say_which_groups_how_much_and_why() -> None:
    row = T.exp(T.dot(y, y).sum(0))
    found = why(T.sqrt(x), row, T.sqrt(x) * row)
    assert "2  does not get 3 (passes on out: x_d1*8 bytes): its axes are others" in found
    assert not any("x_d0*x_d1" in line for line in found if "does not" in line)


def test_numbers_and_elements_that_need_no_loop() -> None:
    i = T.lvector("i")
    found = why(T.exp(2 * a[i]) * a.shape[0])
    assert any(line.startswith("computed wherever they are read: ") for line in found)
    assert any(line.startswith("numbers between steps: ") for line in found)


def test_factors_of_an_epilogue() -> None:
    images, filters, scale = T.ftensor4("images"), T.ftensor4("filters"), T.fvector("scale")
    factor = T.exp(scale)[None, :, None, None]
    found = why(T.nnet.conv2d(images, filters) * factor)
    assert "order: factors of an epilogue come before its routine" in found


def test_siblings() -> None:
    c, d = (T.TensorType("float64", (40,))(name) for name in "cd")
    found = why(T.sin(c), T.exp(d) + c)
    (line,) = [line for line in found if "reads c once" in line]
    assert line.startswith("0  gets the group of ")
    assert line.endswith("(reads c once: 320 bytes)")


def test_known_lengths_are_numbers() -> None:
    z = T.TensorType("float64", (3, 5))("z")
    assert any(": 240 bytes)" in line for line in why(T.exp(z).sum(1)))


def test_what_is_computed_again() -> None:
    cheap = x * 2
    plan = planned([x, y], [T.exp(cheap).sum(0) * (cheap + y)])
    assert any(line.startswith("compute again") for line in lines_of(plan))
    assert not any(line.startswith("compute again") for line in lines_of(planned([x], [cheap])))


def test_epilogues_of_routines() -> None:
    images = T.TensorType("float32", (2, 3, 8, 8))("images")
    filters = T.TensorType("float32", (4, 3, 3, 3))("filters")
    out = T.nnet.relu(T.nnet.conv2d(images, filters))
    found = lines_of(planned([images, filters], [out]))
    (line,) = [line for line in found if "is not stored" in line]
    assert f"({2 * 4 * 6 * 6 * 4 * 2} bytes)" in line


def test_refused_epilogues() -> None:
    images = T.TensorType("float32", (2, 3, 8, 8))("images")
    filters = T.TensorType("float32", (4, 3, 3, 3))("filters")
    out = T.nnet.conv2d(images, filters)
    found = lines_of(planned([images, filters], [out, T.nnet.relu(out)]))
    assert "0  has no epilogue: not 1: others read its result as well" in found
    found = lines_of(planned([images, filters], [T.exp(out).sum(3)]))
    assert "0  has no epilogue: not 1: its axes are others, or it reduces" in found
    assert not [line for line in lines_of(planned([images, filters], [out])) if "epi" in line]


@pytest.mark.parametrize(
    ("outputs", "donors", "lines"),
    [
        ([x * 2], [0], ["output 0 is in x"]),
        ([x * 2, y * 2], [None, 1], ["output 1 is in y"]),
        ([x[::-1] * 2], [0], [f"output 0 is not in x: {READ}"]),
        ([x * 2, x * 3], [0, 0], ["output 0 is in x", f"output 1 is not in x: {TAKEN}"]),
        ([x * 2, x * 2], [0, 1], ["output 0 is in x", f"output 1 is not in y: {COPIED}"]),
        ([x * 2, x], [0, None], ["output 0 is in x"]),
        ([x * 2, T.nlinalg.inv(y)], [0, None], [f"output 0 is not in x: {FAILS}"]),
        ([x * 2], [None], []),
    ],
)
def test_what_is_in_place(outputs: list[Any], donors: list[int | None], lines: list[str]) -> None:
    found = lines_of(planned([x, y], outputs, donors))
    assert [line for line in found if line.startswith("output")] == lines
    assert any(line.startswith("in place: ") for line in found) == bool(lines)


def test_loops_inside() -> None:
    i, n, v = T.lscalar("i"), T.lscalar("n"), T.dvector("v")
    loop = Scan(i, [T.exp(T.sin(v))], states=[v])
    found = why(loop(n, T.dvector("v0")))
    assert any(line.startswith("inside ") for line in found)
    assert any("passes on sin" in line for line in found)
