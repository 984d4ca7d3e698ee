"""``theano.tensor.utils``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def hash_from_ndarray(data: np.ndarray[Any, Any]) -> str:
    """Return a text that differs for arrays of other values, dtypes or shapes."""
    from hashlib import sha256

    digest = sha256(np.ascontiguousarray(data).tobytes())
    digest.update(f"{data.dtype}{data.shape}".encode())
    return digest.hexdigest()


def shape_of_variables(fgraph: Any, input_shapes: Mapping[Any, tuple[int, ...]]) -> dict[Any, Any]:
    """Return the shapes of all variables of a graph for inputs of given shapes.

    Parameters
    ----------
    fgraph
        The graph.
    input_shapes
        The shape of each of its inputs.

    Raises
    ------
    ValueError
        If the shape of an input is missing.
    """
    from symtheano import function

    if missing := [item for item in fgraph.inputs if item not in input_shapes]:
        raise ValueError(f"shape_of_variables: the shape of {missing[0]} is missing")

    inputs = list(fgraph.inputs)
    found = [v for node in fgraph.toposort() for v in node.outputs if hasattr(v, "ndim")]
    shapes = function(inputs, [v.shape for v in found], on_unused_input="ignore", mode="INTERPRET")(
        *[np.zeros(input_shapes[item], item.dtype) for item in inputs]
    )
    every = {item: tuple(input_shapes[item]) for item in inputs}
    return {**every, **{v: tuple(map(int, s)) for v, s in zip(found, shapes, strict=True)}}
