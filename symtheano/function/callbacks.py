"""Which functions can be C functions that other libraries call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.function.request import Request

if TYPE_CHECKING:
    from symtheano.codegen.runtime.link import Linked


def callback_trouble(request: Request, linked: Linked | None, device: str = "cpu") -> str | None:
    """Return why C can't call a function without Python; None if it can."""
    if device != "cpu":
        return f"it runs on a device, {device}"
    if linked is None:
        return "it runs in the interpreter"
    if request.updates:
        return "it updates shared variables"
    if linked.python:
        return "it runs Python ops"
    return None


def number_trouble(request: Request, linked: Linked) -> str | None:
    """Return why the result is not one number; None if it is."""
    if len(request.outputs) != 1 or linked.record.hidden:
        return f"it has {len(request.outputs)} outputs, or needs memory for others"
    output = request.outputs[0]
    if output.ndim or output.dtype.startswith("complex"):
        return f"its output is {output.type}, not a real number"
    return None
