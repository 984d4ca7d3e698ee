"""What mapping needs to know of a function."""

from __future__ import annotations

from typing import Any, Protocol


class MappedFunction(Protocol):
    """A function, as far as mapping needs to know it."""

    @property
    def memory(self) -> Any:
        """The memory that calls need."""

    request: Any
    stages: Any
    origin: Any
    updates: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def _label(self) -> str: ...
