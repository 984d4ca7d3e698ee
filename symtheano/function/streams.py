"""Streams of the caller, on which functions for a device run."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from symtheano.config import config
from symtheano.dataclass import replace
from symtheano.function.devices import memory_of

# By what other libraries tell the address of a stream: CuPy, PyTorch, pycuda.
_NAMES = ("ptr", "cuda_stream", "handle")
_DEFAULT = 1


class on_stream:
    """Run the calls of this thread on a stream, in a ``with`` statement.

    A call begins when the work on the stream has been done, and work that follows on the stream
    begins when the call has ended. The device sees to that: the host waits only for what it reads,
    which are results that are NumPy arrays, numbers on which lengths depend, and checks of
    elements. Without a stream, a call has ended when it returns.

    Parameters
    ----------
    stream
        A stream of CuPy, PyTorch, pycuda or cuda.core, any object with ``__cuda_stream__``, or its
        address; 0 is the default stream. It must exist until the end of the statement.
    device
        Name of the device, such as ``cuda:1``. By default that of ``config.device``.

    Raises
    ------
    TypeError
        If it is not a stream.
    ValueError
        If no device is named.
    DeviceError
        If the device is not there, or the driver refuses.

    Notes
    -----
    What fails in a kernel of such a call is told when the host next waits for the device, and
    shared variables may have been updated by then. On the emulated device, this does nothing.

    Examples
    --------
    >>> from symtheano import function, on_stream
    >>> x = T.fvector("x")
    >>> f = function([x], x + 1, device="emulated")
    >>> with on_stream(0, "emulated"):
    ...     f(np.ones(2, "float32"))
    array([2., 2.], dtype=float32)
    """

    def __init__(self, stream: Any, device: str | None = None) -> None:
        options = config.snapshot()
        if device is not None:
            options = replace(options, device=device)
        if options.device == "cpu":
            raise ValueError(f"on_stream: device={device!r} is not a device, such as 'cuda'")
        self._stream = _address_of(stream)
        self._memory = memory_of(options)
        self._before: list[int | None] = []

    def __enter__(self) -> None:
        self._before.append(self._memory.name_stream(self._stream))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._memory.name_stream(self._before.pop())


def _address_of(stream: Any) -> int:
    """Return the address of a stream."""
    told = getattr(stream, "__cuda_stream__", None)
    if told is not None:
        _, address = told() if callable(told) else told
    else:
        names = [name for name in _NAMES if hasattr(stream, name)]
        address = getattr(stream, names[0]) if names else stream
    try:
        address = int(address)
    except (TypeError, ValueError):
        raise TypeError(f"on_stream: {type(stream).__name__} is not a stream") from None
    if address < 0:
        raise ValueError(f"on_stream: {address} is not the address of a stream")
    return address or _DEFAULT
