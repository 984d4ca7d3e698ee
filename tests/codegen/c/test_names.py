"""C names: those that C or the file would misunderstand are others."""

from __future__ import annotations

from symtheano.codegen.c.names import RESERVED, c_names
from symtheano.codegen.c.needs import find_needs
from symtheano.loopir import Let, Literal, Value
from symtheano.loopir.program import Program, all_names
from tests.codegen.c.programs import (
    tables,
)


def test_names_that_c_or_the_file_would_misunderstand() -> None:
    text = tables().text()
    assert "int32_t main_(" in text
    assert "const int64_t *double_" in text
    assert "double *exp_" in text
    assert "const int64_t status_" in text


def renamed(*names: str, name: str = "entry") -> dict[str, str]:
    """Return the C names of values that are computed with exp, where they are others."""
    one = Literal(1.0, "float64")
    body = tuple(Let(Value(each, "float64"), "exp", (one,)) for each in names)
    program = Program(name, (), (), (), body)
    return c_names(program, find_needs(program), frozenset(all_names(program)))


def test_words_of_c_and_functions_in_use_are_taken() -> None:
    assert renamed("x", "log") == {}
    assert renamed("x", "exp", "int", "runtime") == {
        "exp": "exp_", "int": "int_", "runtime": "runtime_"
    }  # fmt: skip
    assert renamed("x", name="main") == {"main": "main_"}


def test_a_new_name_is_not_one_of_the_others() -> None:
    assert renamed("int", "int_", "int__") == {"int": "int___"}
    assert all(f"{word}_" not in RESERVED for word in RESERVED)
