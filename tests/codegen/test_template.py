"""Marked names in C text, and the files that have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtheano.codegen import template
from symtheano.codegen.template import file_text, fill


def test_names_are_replaced() -> None:
    text = "@TYPE@ f_@SUFFIX@(@TYPE@ x); /* TYPE */"
    filled = fill(text, {"TYPE": "double", "SUFFIX": "f64"})
    assert filled == "double f_f64(double x); /* TYPE */"


def test_what_is_filled_in_is_not_searched_for_names() -> None:
    assert fill("@A@ @B@", {"A": "@B@", "B": "x"}) == "@B@ x"


def test_a_name_without_a_meaning_is_an_error() -> None:
    with pytest.raises(ValueError, match="@SUFFIX@, for which no value is given"):
        fill("@TYPE@ f_@SUFFIX@;", {"TYPE": "double"})


def test_a_meaning_without_a_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="no @A@, @SUFFIX@"):
        fill("@TYPE@ x;", {"TYPE": "double", "A": "", "SUFFIX": "f64"})


def test_shared_meanings_need_not_be_in_the_text() -> None:
    shared = {"TYPE": "double", "SUFFIX": "f64"}
    assert fill("@TYPE@ @NAME@;", {"NAME": "x"}, shared) == "double x;"
    assert fill("@TYPE@", {"TYPE": "float"}, shared) == "float"


def test_files_are_those_beside_a_module(tmp_path: Path) -> None:
    assert "st_size_plus" in file_text(template.__file__, "sizes.c")
    (tmp_path / "some.c").write_text("int größe;\n", encoding="utf-8")
    assert file_text(str(tmp_path / "module.py"), "some.c") == "int größe;\n"
    with pytest.raises(OSError, match=r"missing\.c"):
        file_text(str(tmp_path / "module.py"), "missing.c")
