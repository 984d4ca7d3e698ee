"""Labels of classes: numbers from 0, which are checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from symtheano import dtypes
from symtheano.errors import BoundsError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import SAME_AXES
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.indexing.index_facts import known_elements, without_checks
from symtheano.tensor.messages import build_message, call_message, label
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import as_dim, dim_value, shape_of


class ClassLabels(Op):
    """Integer labels, after a check that each is one of the classes; a view.

    Unlike indices, labels are not negative. The second input is the number of classes.

    Parameters
    ----------
    name
        The function that takes the labels, for the message.

    Raises
    ------
    BoundsError
        In a call, if a label is negative or not less than the number of classes.

    Examples
    --------
    >>> ClassLabels("loss")(T.lvector("y"), 3).type
    TensorType(int64, vector)
    """

    __call__: Callable[..., Tensor]
    __props__ = ("name",)
    takes = "i* l0"
    differentiable_inputs = 0
    lowering = SAME_AXES

    def __init__(self, name: str) -> None:
        self.name = name

    def make_node(self, *inputs: Any) -> Apply:
        """Convert the number of classes to int64."""
        labels, classes = inputs
        operands = [as_tensor_variable(labels), as_dim(classes)]
        return Apply(self, operands, self.infer(*operands))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The labels' type."""
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def positions_below(self, node: Apply, number: int) -> Any:
        """The number of classes."""
        return dim_value(node.inputs[1])

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Every label is one of the classes."""
        labels, classes = node.inputs[0], dim_value(node.inputs[1])
        known = known_elements(without_checks(labels))
        if known is not None and isinstance(classes, int):
            inside: Any = bool(((known >= 0) & (known < classes)).all())
        else:
            inside = _are_inside(labels, node.inputs[1])
        return [Requirement(inside, (classes,), partial(self.message, node), code="index")]

    def message(self, node: Apply, values: Sequence[int]) -> str:
        """Return the error message."""
        labels = node.inputs[0]
        what = f"{self.name}: a label in {label(labels)} is outside the {values[0]} classes"
        return call_message(f"{what}, which are counted from 0", node, labels)

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        labels, classes = inputs[0], int(inputs[1])
        if not ((labels >= 0) & (labels < classes)).all():
            raise BoundsError(self.message(node, [classes]))
        output_storage[0][0] = labels

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Check the labels of all batch items together."""
        batch.needs_plain(node, 1)
        return [self(batch.full(0), *batch.inputs[1:])]


def _are_inside(labels: Any, classes: Any) -> Any:
    """Return whether all labels are classes, by their extrema, which take few operations."""
    labels = without_checks(labels)
    if labels.dtype not in dtypes.SIGNED:  # zero, the largest of no labels, is beyond no classes
        inside = scalar.lt(labels, classes)
        return inside.all() if labels.ndim else inside
    axes, dtype = tuple(range(labels.ndim)), labels.dtype
    least, largest = (
        CAReduce(row, axes, dtype, dtype, True)(labels) if axes else labels
        for row in ("minimum", "maximum")
    )
    return scalar.and_(scalar.ge(least, 0), scalar.lt(largest, classes))


def class_labels(name: str, labels: Any, p: Any) -> Any:
    """Return labels of the classes along the last axis of ``p``; others are errors.

    Parameters
    ----------
    name
        The function that takes them.
    labels
        A symbolic array of integers.
    p
        A symbolic array with an axis.

    Raises
    ------
    BoundsError
        If known labels are not among the known classes. Others are checked in a call.
    """
    classes = shape_of(p)[-1]
    known = known_elements(without_checks(labels))
    limit = classes if isinstance(classes, int) else None
    if known is not None and ((known < 0).any() or (limit is not None and (known >= limit).any())):
        many = "" if limit is None else f"{limit} "
        what = f"{name}: a label in {label(labels)} is outside the {many}classes"
        raise BoundsError(build_message(f"{what}, which are counted from 0", labels))
    return ClassLabels(name)(labels, classes)
