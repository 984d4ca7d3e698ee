"""Streams of the caller: what is one, and the statement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, on_stream
from symtheano.function.streams import _address_of


class Named:
    """An object with one attribute."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


def test_what_is_a_stream() -> None:
    """Those of CuPy, PyTorch, pycuda and cuda.core, and addresses."""
    protocol = type("Stream", (), {"__cuda_stream__": lambda self: (0, 48)})()
    for stream in (Named(ptr=48), Named(cuda_stream=48), Named(handle=np.int64(48)), protocol, 48):
        assert _address_of(stream) == 48
    assert _address_of(Named(ptr=0)) == _address_of(0) == 1
    with pytest.raises(TypeError, match="on_stream: str is not a stream"):
        on_stream("stream", "emulated")
    with pytest.raises(TypeError, match="on_stream: Named is not a stream"):
        on_stream(Named(), "emulated")
    with pytest.raises(ValueError, match="-1 is not the address"):
        on_stream(-1, "emulated")
    with pytest.raises(ValueError, match="device=None is not a device"):
        on_stream(0)


@pytest.mark.needs_cxx
def test_the_emulated_device_has_none() -> None:
    x = T.fvector("x")
    f = function([x], x * 2, device="emulated")
    context = on_stream(0, "emulated")
    with context, context:
        np.testing.assert_array_equal(f(np.ones(3, "float32")), [2, 2, 2])
