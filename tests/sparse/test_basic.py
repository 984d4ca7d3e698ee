"""Theano's names."""

from __future__ import annotations

import pytest

from symtheano import sparse as S

pytestmark = pytest.mark.needs_cc


def test_every_name_is_there() -> None:
    for name in S.__all__:
        assert getattr(S, name) is not None, name
    assert set(S.__all__) <= set(dir(S))
    assert S.as_sparse is S.as_sparse_variable
    assert S.as_sparse_or_tensor_variable(1).ndim == 0
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        S.nothing  # noqa: B018
