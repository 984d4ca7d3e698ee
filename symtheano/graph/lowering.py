"""Lowering: how the code of a function computes an op, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import dataclass_transform  # in typing from Python 3.11 on

    from symtheano.loopir import Index, View
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

    is_view = False
    """Whether the result only shows the memory of the first input."""
    reads_elements = True
    """Whether it takes elements of its inputs, and not only a length."""
    overwrites: int | None = None
    """The input whose content is the initial value of the first output; see :meth:`starts`."""
    alternative: int | None = None
    """An array that a view may show instead of the first input."""
    may_fail = False
    """Whether it can end the call with an error: nothing is updated before it."""
    workspace = False
    """Whether it calls routines that need a workspace."""
    epilogue = False
    """Whether it calls a routine that takes an epilogue for rows."""

    __match_args__: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        cls.__match_args__ = tuple(cls.__annotations__)  # type: ignore[misc]
        cls._defaults = {k: v for k, v in vars(cls).items() if k in cls.__match_args__}

    if not TYPE_CHECKING:

        def __init__(self, *values, **named):
            fields = dict(zip(self.__match_args__, values, strict=False), **named)
            vars(self).update(self._defaults | fields)

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

    def axis_map(self, node: Any) -> tuple[int | None, ...] | None:
        """Return for each axis of the result the first input's axis, or None if it is broadcast.

        None instead of a tuple means that the op does more than rearrange axes.
        """
        return None

    def accepts(self, op: Any, number: int, view: View, /) -> bool:
        """Return whether the code supports this layout of an input, which is copied otherwise."""
        return True

    def scalars(self, op: Any, node: Any, shapes: list[Any], /) -> Sequence[Any]:
        """Return ints and 0-d int64 variables that the code of a node needs."""
        return ()

    def starts(self, op: Any, /) -> Mapping[int, int]:
        """Return for outputs that start from an input's content the index of this input."""
        return {} if self.overwrites is None else {0: self.overwrites}

    def reserves(self, op: Any, scalars: Sequence[Index], /) -> Mapping[int, tuple[Index, bool]]:
        """Return the number of reserved rows for results whose number of rows the op determines.

        Each comes with whether there may be more rows; the code then takes larger memory.
        ``scalars`` are those of the node.
        """
        return {}


class Python(Lowering):
    """A call of ``perform``, which takes contiguous arrays and may do anything."""

    may_fail = True

    def accepts(self, op: Any, number: int, view: View, /) -> bool:
        """Return whether an array is contiguous."""
        return view.is_contiguous()
