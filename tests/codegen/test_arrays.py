"""Arrays of a region: views of buffers, tables, and numbers that stand for arrays."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.frame import Frame
from symtheano.codegen.plan.regions import PlanContext, plan_region
from symtheano.codegen.processors import CPU
from symtheano.codegen.region import Region
from symtheano.loopir.builder import Names

x = T.dmatrix("x")


def region(outputs: list[Any]) -> Region:
    """Return a region that has written itself."""
    stages = function([x], outputs, mode="INTERPRET").stages
    names, positions = Names(), count(len(outputs))
    plan = plan_region(stages.final, PlanContext(names, positions), [None] * len(outputs))
    made = Region(Frame(False, names, CPU.routines), plan)
    made.write()
    return made


def test_an_input_is_contiguous() -> None:
    made = region([x * 2])
    (given,) = made.graph.inputs
    view = made.arrays.view(given)
    assert view.buffer.name == "x"
    assert view.buffer.space == "input"
    assert view.is_contiguous()


def test_views_of_views_are_one_view_of_the_buffer() -> None:
    made = region([x[::-1].T * x[:1, :1]])
    (node,) = (output.owner for output in made.graph.outputs)
    view, whole = (made.arrays.view(v) for v in (node.inputs[0], made.graph.inputs[0]))
    assert view.buffer == whole.buffer
    assert view.strides == (whole.strides[1], -whole.strides[0])


def test_a_constant_is_a_table_once() -> None:
    table = T.constant(np.arange(5.0))
    made = region([x + table, x * table])
    ((buffer, values),) = made.frame.constants
    assert (buffer.space, buffer.dtype) == ("constant", "float64")
    assert list(values) == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_a_number_stands_for_an_array_of_one_element() -> None:
    made = region([T.sqr(x.sum()) + x])
    arrays = made.arrays
    number = next(v for v in made.schedule.entry if v.ndim == 0)
    view = arrays.view(number)
    assert view.buffer.space == "stack"
    assert view.buffer.size == 1
    assert made.b.registers[view.buffer.name] == made.scalar(number)
    assert arrays.view(number) == view
