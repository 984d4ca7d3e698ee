"""The functions of a C file; functions with the same text are printed once.

A deep network has the same kernels in every layer, each of which takes time to compile. Two
functions are equal if their texts are the same except for the names of parameters and local values.
Every name of a program has one meaning, so one function can replace both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from symtheano.codegen.c.text import filled

_COMMENT = re.compile(r"/\*.*?\*/")
_WORD = re.compile(r"(\w+)")
# Maximum number of the user's lines in the comment above a function.
_MOST_ORIGINS = 3


class _Written:
    """A function's text, and the functions that it replaces."""

    def __init__(self, name: str, text: str, title: str, origins: Iterable[str]) -> None:
        self.name, self.text, self.title = name, text, title
        self.origins = dict.fromkeys(origins)

    def whole(self) -> str:
        """Return the text with its comments."""
        shown = [self.title] if self.title else []
        shown += list(self.origins)[:_MOST_ORIGINS]
        if len(self.origins) > _MOST_ORIGINS:
            shown.append(f"/* and {len(self.origins) - _MOST_ORIGINS} lines more */")
        return "".join(f"{line}\n" for line in shown) + self.text


class Functions:
    """The functions of a file before its entry point.

    Parameters
    ----------
    names
        C names of the values and buffers that a function is given or makes itself.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._structs: list[str] = []
        self._written: list[_Written] = []
        self._alike: dict[str, _Written] = {}
        self._named: dict[str, _Written] = {}

    def add(
        self,
        kind: str,
        name: str,
        parameters: Sequence[str],
        lines: Sequence[str],
        title: str = "",
        origins: Iterable[str] = (),
        alone: bool = False,
        given: Sequence[str] = (),
    ) -> str:
        """Add a function; return its name, or that of an equal one.

        Parameters
        ----------
        kind
            The text before its name: attributes and result type.
        name
            Its name.
        parameters, lines
            Its parameters and its body.
        title, origins
            Comments above it.
        alone
            Whether it is excluded from the comparison, because it uses non-local names.
        given
            What else it is given, in a struct to which its last parameter ``given`` points.

        Examples
        --------
        >>> functions = Functions(["x", "y", "k"])
        >>> functions.add("static void", "f", ["double *x"], ["    x[0] = 1.0;"])
        'f'
        >>> functions.add("static void", "g", ["double *y"], ["    y[0] = 1.0;"])
        'f'
        >>> functions.add("static void", "h", ["float *y"], ["    y[0] = 1.0;"])
        'h'
        """
        key = name
        if not alone:
            declared = ", ".join([*parameters, *given])
            key = self._nameless(f"{kind} {declared} {' '.join(lines)}")
        written = self._alike.get(key)
        if written is None:
            if given:
                struct = given_name(name)
                self._structs.append(_struct(struct, given))
                taken = [f"    {item} = st_given->{_declared(item)};" for item in given]
                lines = [f"    const {struct} *const st_given = given;", *taken, *lines]
            signature = filled(f"{kind} {name}(", parameters or ["void"], ") {", "")
            text = "\n".join([*signature, *lines, "}"]) + "\n"
            written = _Written(name, text, title, origins)
            self._alike[key] = self._named[name] = written
            self._written.append(written)
        else:
            written.origins.update(dict.fromkeys(origins))
        return written.name

    def add_user(self, name: str, origins: Iterable[str]) -> None:
        """Show further lines of the user's program above a function that was added."""
        self._named[name].origins.update(dict.fromkeys(origins))

    def add_first(self, text: str) -> None:
        """Put a text before all functions."""
        self._structs.append(text)

    def texts(self) -> Iterator[str]:
        """Yield the structs, and the functions in the order in which they were added."""
        yield from self._structs
        for written in self._written:
            yield written.whole()

    def _nameless(self, text: str) -> str:
        """Return a text in which names are numbers, and comments and line breaks are gone."""
        # With spaces between words only: where a long line is broken depends on its names.
        parts = _WORD.split(_COMMENT.sub("", text))
        words = parts[1::2]
        numbers: dict[str, str] = {}
        for word in words:
            if word in self._names and word not in numbers:
                numbers[word] = f"${len(numbers)}"
        parts[1::2] = [numbers.get(word, word) for word in words]
        between = parts[::2]  # few different ones
        spaced = {part: "".join(part.split()) or " " for part in {*between}}
        parts[::2] = [spaced[part] for part in between]
        return "".join(parts)


def given_name(function: str) -> str:
    """Return the name of the struct with what a function is given."""
    return f"{function}_given"


def _struct(name: str, fields: Iterable[str]) -> str:
    lines = "".join(f"    {item};\n" for item in fields)
    return f"typedef struct {name} {{\n{lines}}} {name};\n"


def _declared(declaration: str) -> str:
    """Return the name that a declaration declares."""
    return declaration.split()[-1].lstrip("*")
