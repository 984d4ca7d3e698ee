"""The table of a network's layers."""

from __future__ import annotations

from symtheano.errors import printable_name
from symtheano.nn.network import Network
from symtheano.nn.values import shown


def summary(name: str, network: Network) -> str:
    """Return a table: layer, output shape, number of parameters, memory.

    Examples
    --------
    >>> from symtheano import nn
    >>> x = nn.Input((3,))
    >>> print(summary("small", Network([x], [nn.Dense(2)(nn.Dense(4)(x))])))
    small
    layer            output shape  parameters  memory
    dense (Dense)    (n, 4)                16    64 B
    dense_1 (Dense)  (n, 2)                10    40 B
    26 parameters, 104 B; 26 trained
    """
    rows = [("layer", "output shape", "parameters", "memory")]
    seen = set()
    for value in network.values:
        layer = value.layer
        if layer is not None and layer not in seen:
            seen.add(layer)
            label = f"{printable_name(layer.name)} ({type(layer).__name__})"
            count = sum(p.count for p in layer.parameters)
            size = sum(p.bytes for p in layer.parameters)
            rows.append((label, shown(value.shape), f"{count:,}", memory(size)))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = [
        "  ".join(
            cell.rjust(width) if k > 1 else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    everything = network.parameters
    trained = sum(p.count for p in everything if p.trains)
    total, size = sum(p.count for p in everything), sum(p.bytes for p in everything)
    head = printable_name(name)
    return "\n".join([head, *lines, f"{total:,} parameters, {memory(size)}; {trained:,} trained"])


def memory(size: float) -> str:
    """Return a number of bytes as people read it.

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
