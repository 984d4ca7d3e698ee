"""Backends: how the functions of models and sessions run."""

from __future__ import annotations

import re
from typing import Any, NamedTuple


class Backend(NamedTuple):
    """How functions run.

    Attributes
    ----------
    name
        Its name.
    mode, device
        Options of :func:`symtheano.function`.
    """

    name: str
    mode: str | None = None
    device: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of :func:`symtheano.function`."""
        return {"mode": self.mode, "device": self.device}

    @property
    def compiles(self) -> bool:
        """Whether functions are compiled for the processor."""
        return self.mode is None and self.device is None


def backend_of(name: Any) -> Backend:
    """Return a backend by its name.

    Parameters
    ----------
    name
        ``"c"``: functions are compiled; ``"numpy"``: they are interpreted with NumPy; ``"cuda"``,
        ``"cuda:1"``, ``"emulated"``: they run on this device.

    Raises
    ------
    ValueError
        If there is none of this name.

    Examples
    --------
    >>> backend_of("cuda:1")
    Backend(name='cuda:1', mode=None, device='cuda:1')
    """
    if name == "c":
        return Backend("c")
    if name == "numpy":
        return Backend("numpy", mode="INTERPRET")
    if isinstance(name, str) and (name == "emulated" or re.fullmatch(r"cuda(:?\d+)?", name)):
        return Backend(name, device=name)
    hint = "; GPUs of NVIDIA are 'cuda'" if name in ("gpu", "GPU", "mps") else ""
    raise ValueError(f"backend must be one of c, numpy, cuda, cuda:1, ..., not {name!r}{hint}")
