"""Messages about index arrays, labels and values that do not fit."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.graph.variable import Apply
from symtheano.tensor.messages import call_message, label


def label_message(node: Apply, values: Sequence[int]) -> str:
    """Return the message for a label that is not a class."""
    array = node.inputs[0]
    return call_message(
        f"indexing: an index in {label(array)} is outside its axis of length {values[0]}",
        node,
        array,
    )


def labels_message(node: Apply, values: Sequence[int]) -> str:
    """Return the message for a number of labels that differs from the number of rows."""
    array = node.inputs[0]
    return call_message(
        f"indexing: {label(array)} holds {values[0]} indices for {values[1]} rows", node, array
    )


def index_message(node: Apply, axis: int, lengths: Sequence[int]) -> str:
    """Return the message for index arrays of different shapes."""
    return call_message(
        f"indexing: index arrays of different length along axis {axis}: "
        f"{', '.join(map(str, lengths))}",
        node,
        *node.inputs,
    )


def value_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for a value that does not fit the selected elements."""
    return call_message(
        f"set_subtensor or inc_subtensor: a value of length {values[0]} along axis {axis} does not "
        f"fit a selection of length {values[1]}",
        node,
        *node.inputs[:2],
    )
