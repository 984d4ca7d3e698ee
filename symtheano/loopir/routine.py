"""Routines: C functions on whole arrays, and what their callers have to know of them.

A routine is declared once, where its C text is. The verifier compares calls with its signature,
memory is planned by what it writes and by its workspace, the printer asks for its text, and the
linker for the libraries that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Literal as Choice, cast

from symtheano import dtypes
from symtheano.dataclass import dataclass

ALIGNMENT = 64
"""Bytes to which the workspace of a routine is aligned. If the caller allocates it, it has as many
bytes more, since arrays of the caller's are aligned to their elements only."""

Access = Choice["", "in", "out", "inout", "result"]

_NUMBERS = ("integer", "bytes", "transposed", "lengths", "T", "R")
_PARAMETER = re.compile(r"(\w+)(?:: (?:(in|out|inout|result) )?(\w+)(\?)?)?")


@dataclass(frozen=True)
class Parameter:
    """One argument of a routine.

    Attributes
    ----------
    name
        Its name in C.
    kind
        Of an array, the dtype of its elements: ``T`` for the dtype that selects the version of the
        routine, ``R`` for that of its real part, ``any``, or the name of a dtype. Of other
        arguments, ``integer``; ``bytes`` (a number of elements, which C gets in bytes);
        ``transposed`` (a truth value); ``lengths`` (several integers); ``T`` or ``R`` (a number).
    access
        What happens to an array: ``in`` (it is read), ``out``, ``inout``; ``result``: C returns the
        element, which is stored there. Empty for other arguments.
    optional
        Whether 0 may be given instead of an array.
    """

    name: str
    kind: str = "integer"
    access: Access = ""
    optional: bool = False

    def dtype(self, dtype: str) -> str | None:
        """Return the dtype for the version of a dtype; None if it does not matter."""
        if self.kind in ("T", "R"):
            return dtype if self.kind == "T" else dtypes.real_of(dtype)
        return None if self.kind == "any" else self.kind


@dataclass(frozen=True)
class Struct:
    """A C struct of integers.

    Attributes
    ----------
    name
        Its C type.
    fields
        Its fields in order, and how many integers each has; one that has more is an array.

    Examples
    --------
    >>> lengths = Struct("st_lengths", {"n": 1, "i": 2})
    >>> lengths.members
    ('n', 'i0', 'i1')
    >>> lengths.text(["x_d0", "4", "5"])
    ['&(st_lengths){.n = x_d0', '.i = {4, 5}}']
    >>> print(lengths.declaration, end="")
    typedef struct st_lengths { int64_t n, i[2]; } st_lengths;
    """

    name: str
    fields: Mapping[str, int]

    @cached_property
    def declaration(self) -> str:
        """The C text that declares it."""
        fields = (f"{name}[{count}]" if count > 1 else name for name, count in self.fields.items())
        return f"typedef struct {self.name} {{ int64_t {', '.join(fields)}; }} {self.name};\n"

    @cached_property
    def members(self) -> tuple[str, ...]:
        """Names of the integers; those of an array are numbered."""
        return tuple(
            f"{name}{i}" if count > 1 else name
            for name, count in self.fields.items()
            for i in range(count)
        )

    def text(self, values: Sequence[str]) -> list[str]:
        """Return the C text of a pointer to a struct with these values, for each field its part."""
        parts, at = [], 0
        for name, count in self.fields.items():
            value = ", ".join(values[at : at + count])
            parts.append(f".{name} = {{{value}}}" if count > 1 else f".{name} = {value}")
            at += count
        parts[0] = f"&({self.name}){{{parts[0]}"
        parts[-1] += "}"
        return parts


@dataclass(frozen=True, eq=False)
class Routine:
    """A C function on whole arrays.

    Attributes
    ----------
    name
        Its name.
    parameters
        What it takes, in order.
    sections
        Function that returns the C text for a dtype: pieces, of which a file has equal ones once.
        Each piece is after those that it needs.
    dtypes
        The dtypes for which there is a version.
    status
        Whether it returns an integer: 0 for success.
    workspace
        Whether a call uses memory while it runs. The C text then has a function ``NAME_bytes`` of
        the runtime and the integer parameters that returns how many bytes, in which no sum or
        product of lengths overflows. The routine gets the memory and its size as further arguments.
    epilogue
        Whether it takes an epilogue: a function ``void (const void *context, int64_t begin, int64_t
        end)`` that it calls for each row of its result once, when the row is complete, and its
        context. They are its last arguments; the function is NULL if there is nothing to do.
    links
        What a program that calls it is linked with: ``blas``, ``lapack``, and kernels of its dtype,
        whose short name replaces ``*``.
    prelude
        Parts of the prelude that its text uses.
    functions
        Scalar ops of the dtype whose functions in C its text calls.
    symbols
        Names of the C library that its text declares.
    typed
        Whether the versions have different names.
    struct
        What C gets instead of the parameters that are its members, in place of the first of them: a
        pointer to it.
    progress
        The name of a function of its text that takes the runtime, and is called where a program
        that calls the routine tells the host of long work; empty for none.
    """

    name: str
    parameters: tuple[Parameter, ...]
    sections: Callable[[str], tuple[str, ...]]
    dtypes: tuple[str, ...] = dtypes.ALL
    status: bool = False
    workspace: bool = False
    epilogue: bool = False
    links: tuple[str, ...] = ()
    prelude: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    typed: bool = True
    struct: Struct | None = None
    progress: str = ""

    @cached_property
    def written(self) -> tuple[int, ...]:
        """Positions of the arrays that a call writes to."""
        writing = ("out", "inout", "result")
        return tuple(k for k, p in enumerate(self.parameters) if p.access in writing)

    @cached_property
    def integers(self) -> tuple[int, ...]:
        """Positions of the integers."""
        return tuple(k for k, p in enumerate(self.parameters) if p.kind == "integer")

    def grouped(self, arguments: Mapping[str, str]) -> list[str]:
        """Return the C text of arguments by name, with those that are members of a struct in one.

        Examples
        --------
        >>> sort = Routine(
        ...     "sort",
        ...     signature("n, m, x: inout T"),
        ...     lambda _: (),
        ...     struct=Struct("st_lengths", {"n": 1, "m": 1}),
        ... )
        >>> sort.grouped({"n": "2", "m": "3", "x": "x"})
        ['&(st_lengths){.n = 2', '.m = 3}', 'x']
        """
        if self.struct is None:
            return list(arguments.values())
        members = self.struct.members
        grouped: list[str] = []
        for name, text in arguments.items():
            if name not in members:
                grouped.append(text)
            elif name == members[0]:
                grouped += self.struct.text([arguments[member] for member in members])
        return grouped

    def links_of(self, dtype: str) -> tuple[str, ...]:
        """Return what the version of a dtype is linked with."""
        return tuple(link.replace("*", dtypes.short_name(dtype)) for link in self.links)

    def __repr__(self) -> str:
        return f"<routine {self.name}>"


def struct_of(name: str, members: Sequence[str]) -> Struct:
    """Return a struct of integers, given the names of these.

    Examples
    --------
    >>> struct_of("st_rows", ["rows", "n"]).members
    ('rows', 'n')
    """
    return Struct(name, dict.fromkeys(members, 1))


def signature(text: str) -> tuple[Parameter, ...]:
    """Return the parameters that a text describes.

    A name is an integer. ``name: kind`` is another number, and ``name: access kind`` an array; a
    question mark is after optional ones. See :class:`Parameter`.

    Examples
    --------
    >>> n, x = signature("n, x: inout T")
    >>> n.kind, n.access, x.kind, x.access
    ('integer', '', 'T', 'inout')

    Raises
    ------
    ValueError
        If a part of the text is not a parameter.
    """
    parameters = []
    for part in text.split(", "):
        match = _PARAMETER.fullmatch(part)
        if match is None:
            raise ValueError(f"LoopIR: {part!r} does not describe a parameter")
        name, access, kind, optional = match.groups()
        kind = kind or "integer"
        kinds = _NUMBERS if access is None else (*dtypes.ALL, "T", "R", "any")
        if kind not in kinds:
            raise ValueError(f"LoopIR: {part!r}: {kind} is not one of {', '.join(kinds)}")
        parameters.append(Parameter(name, kind, cast(Access, access or ""), optional is not None))
    return tuple(parameters)
