"""Lowering: how the code of a function computes an op, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform  # in typing from Python 3.11 on
else:

    def dataclass_transform(**options):
        """Return the class as it is: this is for type checkers."""
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Lowering:
    """How the code of a function computes an op: ``symtheano/lowering.py`` has the kinds.

    The annotations of a class are its fields, as in frozen dataclasses. Those take longer to
    create, and all of these classes are needed to import the package.
    """

    reads_elements = True
    """Whether it takes elements of its inputs, and not only a length."""

    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = tuple(cls.__annotations__)  # type: ignore[misc]

    if not TYPE_CHECKING:

        def __init__(self, *values, **named):
            vars(self).update(zip(self.__match_args__, values, strict=False), **named)

    def _values(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        pairs = zip(self.__match_args__, self._values(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}: fields such as {name!r} can't be set")
