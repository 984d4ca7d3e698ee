"""Own libraries: kernels in C that are compiled once per machine, and shared by all programs.

A library is one declaration. From it follow the C text for each dtype and variant, the symbols that
are looked up, the units that are compiled ahead, and the digests by which compiled files are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from symtheano.codegen.template import file_text, fill
from symtheano.dataclass import dataclass, field
from symtheano.dtypes import short_name


@dataclass(frozen=True)
class Cost:
    """A number of an estimate by which algorithms are chosen.

    Attributes
    ----------
    value
        The number.
    what
        What it is of, with its unit.
    source
        How, and on what processor, it was measured.
    """

    value: float
    what: str
    source: str


@dataclass(frozen=True)
class Algorithm:
    """One way to compute something, in C.

    Attributes
    ----------
    name
        Its name in C. Its row of the library's table names its C functions.
    wanted
        What it computes, of :attr:`Library.wanted`.
    files
        The files that it has for itself, without ``.c``; one of its name if it is None.
    by_elements
        Whether it is for some elements only, so that there must be another one for the others.
    variants
        The variants of the library that have it, with the names in its files that depend on them;
        None for all.
    words
        Function that returns the names in its files that depend on the dtype.
    head
        Function that returns what its files begin with, for a dtype: texts from elsewhere.
    costs
        The measured numbers of its estimates by name; ``@NAME.COST@`` is one of them in the files
        of any algorithm, since estimates are compared.
    """

    name: str
    wanted: tuple[str, ...]
    files: tuple[str, ...] | None = None
    by_elements: bool = False
    variants: Mapping[str, Mapping[str, str]] | None = None
    words: Callable[[str], Mapping[str, str]] | None = None
    head: Callable[[str], str] | None = None
    costs: Mapping[str, Cost] = field(default_factory=dict)

    def text(self, module: str, dtype: str, variant: str, shared: Mapping[str, str]) -> str:
        """Return its C text, from files beside a module; they may have words of ``shared``."""
        words = {**shared, **(self.words(dtype) if self.words is not None else {})}
        if self.variants is not None:
            words.update(self.variants[variant])
        files = (self.name,) if self.files is None else self.files
        head = [] if self.head is None else [self.head(dtype)]
        texts = (fill(file_text(module, f"{name}.c"), {}, words) for name in files)
        return "\n".join((*head, *texts))


@dataclass(frozen=True)
class Library:
    """Kernels of one kind.

    Attributes
    ----------
    name
        Such as ``convolution``; with a dtype's short name, that of a unit: ``convolution_f32``.
    module
        ``__file__`` of the module beside which its files are.
    dtypes
        The dtypes of elements for which there are kernels.
    wanted
        What they compute: C gets the number of one of them.
    algorithms
        How they compute it, in the order in which they are tried.
    exports
        The C functions by what they do.
    head
        Function that returns the first C text for a dtype.
    files
        The files that follow, without ``.c``, which all algorithms use.
    table
        The file that ends the text: it has the table of algorithms, and what is exported.
    row
        Function that returns the row of an algorithm in the table; None if there is no table.
    words
        Further names in its files.
    flags
        Flags of the compiler in addition to those of generated code.
    variants
        The variants of a text, the first of which is the usual one.
    """

    name: str
    module: str
    dtypes: tuple[str, ...]
    wanted: tuple[str, ...]
    algorithms: tuple[Algorithm, ...]
    exports: Mapping[str, str]
    head: Callable[[str], str]
    files: tuple[str, ...]
    table: str
    row: Callable[[Algorithm], str] | None = None
    words: Mapping[str, str] | None = None
    flags: tuple[str, ...] = ()
    variants: tuple[str, ...] = ("default",)

    @cached_property
    def suffixes(self) -> dict[str, str]:
        """The dtypes by their short names, as names in C end."""
        return {short_name(dtype): dtype for dtype in self.dtypes}

    @cached_property
    def costs(self) -> dict[str, str]:
        """The costs of all algorithms, as words of C text."""
        return {
            f"{each.name}.{name}": f"{cost.value:g}"
            for each in self.algorithms
            for name, cost in each.costs.items()
        }

    def chosen(self, variant: str) -> Iterator[Algorithm]:
        """Yield the algorithms that a variant has."""
        for algorithm in self.algorithms:
            if algorithm.variants is None or variant in algorithm.variants:
                yield algorithm

    def text(self, suffix: str, variant: str | None = None) -> str:
        """Return the C text.

        Parameters
        ----------
        suffix
            The short name of a dtype.
        variant
            One of :attr:`variants`; the first one if it is None, or if there is no other.

        Raises
        ------
        ValueError
            If there is no such variant.
        """
        if variant is None or len(self.variants) == 1:
            variant = self.variants[0]
        if variant not in self.variants:
            names = ", ".join(self.variants)
            raise ValueError(f"{self.name} has no variant {variant!r}: {names}")
        algorithms = tuple(self.chosen(variant))
        words = {
            "WANTED": ", ".join(wanted.upper() for wanted in self.wanted),
            "PLANS": " ".join(f"{each.name} {each.name};" for each in algorithms),
            **{name.upper(): symbol for name, symbol in self.exports.items()},
            **(self.words or {}),
        }
        if self.row is not None:
            words["ALGORITHMS"] = "\n    ".join(map(self.row, algorithms))
        dtype = self.suffixes[suffix]
        shared = (fill(file_text(self.module, f"{name}.c"), {}, words) for name in self.files)
        costs = {**self.costs, **(self.words or {})}
        own = (each.text(self.module, dtype, variant, costs) for each in algorithms)
        table = fill(file_text(self.module, f"{self.table}.c"), {}, words)
        return "\n".join((self.head(dtype), *shared, *(text for text in own if text), table))
