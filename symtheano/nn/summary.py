"""The table of a network's layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.errors import printable_name
from symtheano.nn.network import Network
from symtheano.nn.tables import html_table, text_table
from symtheano.nn.values import shown

RIGHT = (2, 3)
UNBUILT = "parameters are created when the shape of the input is known"


def summary(name: str, network: Network) -> str:
    """Return a table of the layers: output shapes, numbers of parameters, memory.

    Examples
    --------
    >>> x = nn.Input((3,))
    >>> print(summary("small", Network([x], [nn.Dense(2)(nn.Dense(4)(x))])))
    small
    layer            output shape  parameters  memory
    dense (Dense)    (n, 4)                16    64 B
    dense_1 (Dense)  (n, 2)                10    40 B
    26 parameters, 104 B; 26 trained
    """
    return "\n".join([printable_name(name), text_table(rows_of(network), RIGHT), total(network)])


def outline(name: str, layers: Sequence[Any]) -> str:
    """Return a table of layers whose shapes are not known yet.

    Examples
    --------
    >>> print(outline("small", [nn.Dense(4)]))
    small
    layer
    dense (Dense)
    parameters are created when the shape of the input is known
    """
    return "\n".join([printable_name(name), text_table(labels_of(layers)), UNBUILT])


def as_html(name: str, network: Network | None, layers: Sequence[Any]) -> str:
    """Return the table of a network, or of layers without shapes, as HTML for notebooks.

    Examples
    --------
    >>> "dense (Dense)" in as_html("small", None, [nn.Dense(4)])
    True
    """
    head = printable_name(name)
    if network is None:
        return html_table(head, labels_of(layers), UNBUILT)
    return html_table(head, rows_of(network), total(network), RIGHT)


def rows_of(network: Network) -> list[tuple[str, ...]]:
    """Return the rows of the table. The first row has the headings."""
    rows: list[tuple[str, ...]] = [("layer", "output shape", "parameters", "memory")]
    seen = set()
    for value in network.values:
        layer: Any = value.layer
        if layer is not None and layer not in seen:
            seen.add(layer)
            count = sum(p.count for p in layer.parameters)
            size = sum(p.bytes for p in layer.parameters)
            rows.append((label(layer), shown(value.shape), f"{count:,}", memory(size)))
    return rows


def labels_of(layers: Sequence[Any]) -> list[tuple[str, ...]]:
    """Return the rows of a table that has only the names of layers."""
    return [("layer",), *((label(layer),) for layer in layers)]


def label(layer: Any) -> str:
    """Return the name of a layer, and its class if it is known before the layer is called."""
    if not hasattr(layer, "parameters"):
        return printable_name(layer.name)
    return f"{printable_name(layer.name)} ({type(layer).__name__})"


def total(network: Network) -> str:
    """Return the line below the table, with the numbers of all and of trained parameters."""
    parameters = network.parameters
    trained = sum(p.count for p in parameters if p.trains)
    count, size = sum(p.count for p in parameters), sum(p.bytes for p in parameters)
    return f"{count:,} parameters, {memory(size)}; {trained:,} trained"


def memory(size: float) -> str:
    """Return a number of bytes as text, with a unit.

    Examples
    --------
    >>> memory(64), memory(2_500_000)
    ('64 B', '2.4 MiB')
    """
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    raise AssertionError
