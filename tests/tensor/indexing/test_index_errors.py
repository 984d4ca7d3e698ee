"""Messages about index arrays."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.tensor.indexing import index_errors

ROWS = T.lvector("rows")
NODE = T.matrix("x")[ROWS, T.lvector("columns")].owner


def test_messages_name_the_array_and_the_numbers() -> None:
    first = NODE.inputs[0].name
    found = [
        index_errors.label_message(NODE, [4]),
        index_errors.labels_message(NODE, [3, 5]),
        index_errors.index_message(NODE, 0, [2, 3]),
        index_errors.value_message(NODE, 1, [4, 6]),
    ]
    expected = [
        f"indexing: an index in {first} is outside its axis of length 4",
        f"indexing: {first} holds 3 indices for 5 rows",
        "indexing: index arrays of different length along axis 0: 2, 3",
        "set_subtensor or inc_subtensor: a value of length 4 along axis 1 does not fit a selection",
    ]
    for text, start in zip(found, expected, strict=True):
        assert text.startswith(start)
        assert "NODE = T.matrix" in text  # the user's line
