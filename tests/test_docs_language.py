"""docs/language.md says which functions of NumPy are missing."""

from __future__ import annotations

import re

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.names import OF_NUMPY
from tests.support.pages import ROOT

PAGE = (ROOT / "docs" / "language.md").read_text("utf-8")
(SECTION,) = re.findall(r"## Functions of NumPy that are missing\n(.*?)\n## ", PAGE, re.DOTALL)
MISSING = [
    name
    for line in re.findall(r"^- .*?[;.]$", SECTION, re.MULTILINE | re.DOTALL)
    for name in re.findall(r"`(\w+)`", line)
]


def test_the_list_has_the_functions_that_users_have_asked_for() -> None:
    asked = "histogram block setdiff1d union1d intersect1d insert delete resize unwrap roots"
    assert set(asked.split()) <= set(MISSING)
    assert len(MISSING) == len(set(MISSING))


@pytest.mark.parametrize("name", MISSING)
def test_what_is_listed_is_missing_and_the_error_says_so(name: str) -> None:
    hint = OF_NUMPY.get(name, f"numpy.{name} has no counterpart here")
    with pytest.raises(AttributeError, match=re.escape(hint)):
        getattr(T, name)


def test_modules_of_numpy_are_complete() -> None:
    for ours, theirs in ((T.linalg, np.linalg), (T.fft, np.fft)):
        for name in theirs.__all__:
            assert hasattr(ours, name) or name == "LinAlgError", name
