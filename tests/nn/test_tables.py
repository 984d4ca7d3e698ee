"""Tables as text and for notebooks."""

from __future__ import annotations

from symtheano.nn.tables import html_table, text_table

ROWS = [("layer", "parameters"), ("dense", "16"), ("a longer name", "4,160")]


def test_columns_are_aligned() -> None:
    assert text_table(ROWS, [1]).splitlines() == [
        "layer          parameters",
        "dense                  16",
        "a longer name       4,160",
    ]
    assert text_table(ROWS).splitlines()[1] == "dense          16"


def test_a_table_for_notebooks_escapes_what_it_shows() -> None:
    text = html_table("<model>", [*ROWS, ("<script>", "\x1b[2J")], "<foot>", [1])
    assert text.count("<tr>") == 4
    assert text.count("<th ") == 2
    assert text.count("text-align:right") == 4
    for hidden in ("<script>", "<model>", "<foot>", "\x1b"):
        assert hidden not in text
    assert "<div></div>" not in html_table("model", ROWS)
