"""The texts of C files beside the tables."""

import pytest

from symtheano.scalar.texts import text_of


def test_texts() -> None:
    assert text_of("psi.c").startswith("/* The digamma function.")
    with pytest.raises(FileNotFoundError):
        text_of("nothing.c")
