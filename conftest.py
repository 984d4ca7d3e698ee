"""What examples in docstrings use: names, as in NumPy's documentation, and a folder for files."""

from __future__ import annotations

from typing import Any

import pytest

# These modules have their meaning under the name theano only, for the whole process.
collect_ignore = ["symtheano/compat/theano"]


@pytest.fixture(autouse=True)
def _examples(
    request: pytest.FixtureRequest,
    doctest_namespace: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not isinstance(request.node, pytest.DoctestItem):
        return
    import numpy as np

    import symtheano
    import symtheano.tensor as T
    from symtheano import nn

    doctest_namespace.update(np=np, T=T, nn=nn, symtheano=symtheano)
    monkeypatch.chdir(tmp_path_factory.mktemp("example"))
