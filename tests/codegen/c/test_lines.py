"""Lines of a function: indentation, paragraphs, comments with the user's lines."""

from __future__ import annotations

from types import SimpleNamespace

from symtheano.codegen.c.lines import Lines, origin_comment


def test_blocks_are_indented() -> None:
    out = Lines("f")
    with out.block("if (x)"):
        out.add("y = 1;")
    with out.block("", "};"):
        out.add("z = 1;")
    assert "".join(out.lines) == "    if (x) {        y = 1;    }    {        z = 1;    };"


def test_a_paragraph_ends_once() -> None:
    out = Lines("f")
    out.end_paragraph()
    out.add("y = 1;")
    out.end_paragraph()
    out.end_paragraph()
    assert out.lines == ["    y = 1;", ""]


def test_a_line_of_the_user_is_written_where_it_changes() -> None:
    out, place = Lines("f"), SimpleNamespace(place="rows.py:3", text="y = x + 1")
    for origin in (place, place, None):
        out.at(origin)
    assert out.lines == ["    " + origin_comment(place)]
    assert "rows.py:3: y = x + 1" in origin_comment(place)
