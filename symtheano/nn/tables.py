"""Tables of layers, variables and shapes, as text and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from symtheano.errors import printable

Row = Sequence[str]


def text_table(rows: Sequence[Row], right: Sequence[int] = ()) -> str:
    """Return rows as lines with aligned columns.

    Parameters
    ----------
    rows
        The rows. All have the same number of cells.
    right
        The numbers of the columns that are aligned to the right.

    Examples
    --------
    >>> print(text_table([("layer", "units"), ("dense", "5")], [1]))
    layer  units
    dense      5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def html_table(head: str, rows: Sequence[Row], foot: str = "", right: Sequence[int] = ()) -> str:
    """Return rows as an HTML table for notebooks, without scripts or colors.

    Parameters
    ----------
    head, foot
        The lines above and below the table.
    rows
        The rows. The first row has the names of the columns.
    right
        The numbers of the columns that are aligned to the right.

    Examples
    --------
    >>> html_table("net", [("layer",), ("<b>",)]).count("&lt;b&gt;")
    1
    """
    lines = []
    for number, row in enumerate(rows):
        tag = "td" if number else "th"
        cells = [
            f'<{tag} style="text-align:{"right" if k in right else "left"}">{escape(cell)}</{tag}>'
            for k, cell in enumerate(row)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    below = f"<div>{escape(foot)}</div>" if foot else ""
    return printable(f"<div><b>{escape(head)}</b><table>{''.join(lines)}</table>{below}</div>")
