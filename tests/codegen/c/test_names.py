"""C names: those that C or the file would misunderstand are others."""

from __future__ import annotations

from tests.codegen.c.programs import (
    tables,
)


def test_names_that_c_or_the_file_would_misunderstand() -> None:
    text = tables().text()
    assert "int32_t main_(" in text
    assert "const int64_t *double_" in text
    assert "double *exp_" in text
    assert "const int64_t status_" in text
