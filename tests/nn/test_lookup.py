"""Names are found in any spelling, and errors suggest others."""

from __future__ import annotations

import pytest

from symtheano.nn.lookup import look_up, snake_case


@pytest.mark.parametrize("name", ["very_large", "VeryLarge", "very-large", "Very Large"])
def test_spellings(name: str) -> None:
    assert look_up("size", name, {"very_large": 1, "small": 2}) == 1


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match=r"unknown size 'smal'; did you mean 'small'"):
        look_up("size", "smal", {"large": 1, "small": 2})
    with pytest.raises(ValueError, match="unknown size 'zzz'; known: large, small"):
        look_up("size", "zzz", {"small": 2, "large": 1})
    with pytest.raises(ValueError, match="unknown layer 'lineAR': it is"):
        look_up("layer", "lineAR", {"conv2d": 1})


def test_snake_case() -> None:
    assert snake_case("GlobalMaxPool1D") == "global_max_pool1d"
