"""The methods by which ops and types of users say what their C code is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.variable import Apply

from symtheano.compat.ccode.values import extract_or_init
from .utils import MethodNotDefined

Sub = dict[str, str]
"""Texts for C code, such as ``fail``: what to write where an error was found."""


def _missing(thing: object, name: str) -> MethodNotDefined:
    return MethodNotDefined(name, type(thing), type(thing).__name__)


class CLinkerObject:
    """What a file of C code needs for an op or a type."""

    def c_headers(self) -> Sequence[str]:
        """Return the headers that are included."""
        raise _missing(self, "c_headers")

    def c_header_dirs(self) -> Sequence[str]:
        """Return directories of headers."""
        raise _missing(self, "c_header_dirs")

    def c_libraries(self) -> Sequence[str]:
        """Return names of libraries."""
        raise _missing(self, "c_libraries")

    def c_lib_dirs(self) -> Sequence[str]:
        """Return directories of libraries."""
        raise _missing(self, "c_lib_dirs")

    def c_support_code(self) -> str | Sequence[str]:
        """Return code before the functions."""
        raise _missing(self, "c_support_code")

    def c_compile_args(self) -> Sequence[str]:
        """Return arguments of the compiler."""
        raise _missing(self, "c_compile_args")

    def c_no_compile_args(self) -> Sequence[str]:
        """Return arguments that the compiler must not get."""
        raise _missing(self, "c_no_compile_args")

    def c_init_code(self) -> Sequence[str]:
        """Return code that runs when the file is loaded."""
        raise _missing(self, "c_init_code")

    def c_code_cache_version(self) -> tuple[Any, ...]:
        """Accepted; compiled code is found by its text."""
        return ()


class CLinkerOp(CLinkerObject):
    """The C code of an op."""

    def c_code(
        self, node: Apply, name: str, inputs: Sequence[str], outputs: Sequence[str], sub: Sub
    ) -> str:
        """Return the code that computes a node, given the names of C variables.

        Parameters
        ----------
        node
            The node.
        name
            A text for names that no other node of the file may have.
        inputs, outputs
            Names of C variables.
        sub
            ``fail``: what to write after an exception was set; ``params``: the C variable of the
            parameters.
        """
        raise _missing(self, "c_code")

    def c_code_cache_version_apply(self, node: Apply) -> tuple[Any, ...]:
        """Accepted; compiled code is found by its text."""
        return self.c_code_cache_version()

    def c_code_cleanup(
        self, node: Apply, name: str, inputs: Sequence[str], outputs: Sequence[str], sub: Sub
    ) -> str:
        """Return code that runs after that of :meth:`c_code`, whether that failed or not."""
        raise _missing(self, "c_code_cleanup")

    def c_support_code_apply(self, node: Apply, name: str) -> str:
        """Return code before the functions, for a node."""
        raise _missing(self, "c_support_code_apply")

    def c_init_code_apply(self, node: Apply, name: str) -> str:
        """Return code that runs when the file is loaded, for a node."""
        raise _missing(self, "c_init_code_apply")

    def c_init_code_struct(self, node: Apply, name: str, sub: Sub) -> str:
        """Return code that runs before the first call of a node."""
        raise _missing(self, "c_init_code_struct")

    def c_support_code_struct(self, node: Apply, name: str) -> str:
        """Return declarations of what a node keeps from call to call."""
        raise _missing(self, "c_support_code_struct")

    def c_cleanup_code_struct(self, node: Apply, name: str) -> str:
        """Return code that runs after the last call of a node."""
        raise _missing(self, "c_cleanup_code_struct")


class CLinkerType(CLinkerObject):
    """The C code that converts values of a type from Python and to Python."""

    def c_element_type(self) -> str:
        """Return the C type of an element."""
        raise _missing(self, "c_element_type")

    def c_is_simple(self) -> bool:
        """Return whether values are small."""
        return False

    def c_literal(self, data: Any) -> str:
        """Return a value as C text."""
        raise _missing(self, "c_literal")

    def c_declare(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return the declarations of a variable's C variables."""
        raise _missing(self, "c_declare")

    def c_init(self, name: str, sub: Sub) -> str:
        """Return code that gives them values for a variable without a value."""
        raise _missing(self, "c_init")

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that gives them the value of the object ``py_<name>``."""
        raise _missing(self, "c_extract")

    def c_extract_out(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that does so for an output, whose object may be None."""
        return extract_or_init(self, name, sub, check_input)

    def c_cleanup(self, name: str, sub: Sub) -> str:
        """Return code that frees what :meth:`c_extract` or the op have allocated."""
        raise _missing(self, "c_cleanup")

    def c_sync(self, name: str, sub: Sub) -> str:
        """Return code that makes ``py_<name>`` the object with the value of the C variables."""
        raise _missing(self, "c_sync")
