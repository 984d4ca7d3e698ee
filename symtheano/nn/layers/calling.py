"""What a call of a layer makes besides its output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from symtheano.nn.values import Shape


@dataclass(eq=False)
class Call:
    """A call of a layer, in training or at test.

    Attributes
    ----------
    masks
        The mask of each input, or None.
    updates, carried
        Pairs of shared variables and their next values: those of training steps, and those of all
        calls.
    penalties
        0-d expressions to add to the loss.
    final_states
        The final states of the output, and their shapes without the axis of samples.

    Examples
    --------
    >>> with Call(("mask",)).active():
    ...     current_call().masks
    ('mask',)
    >>> current_call().masks
    ()
    """

    masks: tuple[Any, ...] = ()
    updates: list[tuple[Any, Any]] = field(default_factory=list)
    carried: list[tuple[Any, Any]] = field(default_factory=list)
    penalties: list[Any] = field(default_factory=list)
    final_states: list[tuple[Any, Shape]] = field(default_factory=list)

    def of_part(self, masks: tuple[Any, ...]) -> Call:
        """Return the call of an inner layer, whose updates and penalties are those of this call."""
        return replace(self, masks=masks, final_states=[])

    @contextmanager
    def active(self) -> Iterator[None]:
        """Make this the current call, of this thread."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)


_CURRENT: ContextVar[Call] = ContextVar("call of a layer")


def current_call() -> Call:
    """Return the call in progress; where there is none, a call that nobody reads."""
    return _CURRENT.get(None) or Call()
