"""Messages as formats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symtheano.formats import Format


def test_places_of_numbers() -> None:
    found = Format.of(lambda v: f"{v[1]} and {v[0]!s}, {v[1]!r}", 2)
    assert found.parts == ("", 1, " and ", 0, ", ", 1, "")
    assert found.filled([5, -7]) == "-7 and 5, -7"


def test_a_message_without_numbers() -> None:
    assert Format.of(lambda v: "no {braces} are places, %d", 0).filled([]) == (
        "no {braces} are places, %d"
    )


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("100 %", '"100 %%"'),
        ('a "b"\n\\', '"a \\"b\\"\\n\\\\"'),
        ("what??!", '"what?""?!"'),
        ("äöü", '"äöü"'),
    ],
)
def test_text_of_c(text: str, literal: str) -> None:
    assert Format.of(lambda v: text, 0).printf() == (literal, ())


def test_a_hint_for_one_value() -> None:
    found = Format.of(lambda v: f"length {v[0]}" + (", declare it" if v[0] == 1 else ""), 1)
    assert found.parts == ("length ", 0, "")


@pytest.mark.parametrize(
    "message",
    [
        lambda v: f"{v[0] + 1}",
        lambda v: "positive" if v[0] > 0 else "negative",
        lambda v: f"{v[0]:5d}",
        lambda v: f"{-v[0]}",
        lambda v: "some" if v[0] else "none",
    ],
)
def test_what_c_could_not_do(message: Callable[..., str]) -> None:
    with pytest.raises(TypeError, match="C could not do"):
        Format.of(message, 1)
