"""Types of parameters that are one of some named numbers."""

from __future__ import annotations

import re
from typing import Any

from .interfaces import Sub
from .typeclass import Type

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")


class EnumType(Type, dict[str, Any]):
    """Named numbers, which C code knows as macros.

    Parameters
    ----------
    ctype
        The C type of a value.
    cname
        A name for C functions; by default that of the type.
    **constants
        Numbers, or pairs (alias, number), by their names in capital letters.

    Raises
    ------
    AttributeError
        If a name has anything but capital letters, digits and underscores.
    TypeError
        If a number, an alias or a C type is none.

    Examples
    --------
    >>> from symtheano import compat
    >>> compat.install()
    True
    >>> from theano.gof import EnumType
    >>> colors = EnumType(RED=("red", 1), BLUE=2)
    >>> colors.RED, colors.filter("red"), colors.filter("BLUE")
    (1, 1, 2)
    >>> compat.uninstall()
    """

    def __init__(
        self, *, ctype: str = "double", cname: str | None = None, **constants: Any
    ) -> None:
        words = ctype.split()
        if not words or not all(map(_WORD.fullmatch, words)):
            raise TypeError(f"{type(self).__name__}: invalid C type {ctype!r}")
        name = cname or "_".join(words)
        if not _WORD.fullmatch(name):
            raise TypeError(f"{type(self).__name__}: invalid C name {name!r}")
        aliases: dict[str, str] = {}
        values = {key: self._value(key, value, aliases) for key, value in constants.items()}
        both = aliases.keys() & values.keys()
        if both:
            raise TypeError(f"{type(self).__name__}: {min(both)} is an alias and a constant")
        dict.__init__(self, values)
        self.__dict__.update(ctype=" ".join(words), cname=name, aliases=aliases)

    def _value(self, key: str, value: Any, aliases: dict[str, str]) -> Any:
        """Return the number of a constant, and add its alias if it has one."""
        where = f"{type(self).__name__}: constant {key!r}"
        if not _CONSTANT.fullmatch(key):
            raise AttributeError(
                f"{where}: only capital letters, underscores and digits are allowed"
            )
        if isinstance(value, list | tuple):
            if len(value) != 2 or not isinstance(value[0], str):
                raise TypeError(f"{where}: a tuple has the alias, a string, and the number")
            alias, value = value
            if alias == key or alias in aliases:
                raise TypeError(f"{where}: the alias {alias!r} is used already")
            aliases[alias] = key
        if not isinstance(value, int | float):
            raise TypeError(f"{where}: expected a number, got {value!r}")
        return int(value) if isinstance(value, bool) else value

    def fromalias(self, alias: str) -> Any:
        """Return the number with an alias, or with a name."""
        return self[self.aliases.get(alias, alias)]

    def has_alias(self, alias: str) -> bool:
        """Return whether there is an alias."""
        return alias in self.aliases

    def get_aliases(self) -> tuple[str, ...]:
        """Return the aliases in alphabetical order."""
        return tuple(sorted(self.aliases))

    def __getattr__(self, key: str) -> Any:
        if key in self:
            return self[key]
        raise AttributeError(f"{type(self).__name__} has no constant {key!r}")

    def __setattr__(self, key: str, value: Any) -> None:
        if key in self:
            raise NotImplementedError("constant values are immutable.")
        self.__dict__[key] = value

    def __setitem__(self, key: str, value: Any) -> None:
        raise NotImplementedError("constant values are immutable.")

    def __delitem__(self, key: str) -> None:
        raise NotImplementedError("constant values are immutable.")

    def _key(self) -> tuple[Any, ...]:
        return type(self), self.ctype, frozenset(self.items()), frozenset(self.aliases.items())

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnumType) and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce_ex__(self, protocol: Any) -> Any:
        named = {name: alias for alias, name in self.aliases.items()}
        constants = {
            key: (named[key], value) if key in named else value for key, value in self.items()
        }
        return _made, (type(self), self.ctype, self.cname, constants)

    def __repr__(self) -> str:
        named = {name: f"({alias})" for alias, name in self.aliases.items()}
        inner = ", ".join(f"{key}{named.get(key, '')}:{self[key]}" for key in sorted(self))
        return f"{type(self).__name__}<{self.ctype}>({inner})"

    __str__ = __repr__

    def filter(self, data: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Return a number; an alias or name stands for its number.

        Raises
        ------
        TypeError
            If it is none of these.
        """
        if not strict and isinstance(data, bool):
            data = int(data)
        if not strict and isinstance(data, str) and (data in self.aliases or data in self):
            return self.fromalias(data)
        if data not in self.values():
            raise TypeError(f"{type(self).__name__}: {data!r} is none of {sorted(self)}")
        return data

    def values_eq(self, a: Any, b: Any) -> bool:
        """Return whether numbers are equal."""
        return bool(a == b)

    # -- C code -----------------------------------------------------------------------------------

    def c_support_code(self) -> str:
        """Return the macros."""
        return "".join(f"#define {key} {self[key]}\n" for key in sorted(self)) + self.c_to_string()

    def c_to_string(self) -> str:
        """Return a C function that writes the name of a number."""
        cases = "".join(f'case {key}: sprintf(out, "{key}"); break;\n' for key in self)
        return f"""
        #ifdef DEBUG
        static int theano_enum_to_string_{self.cname}({self.ctype} in, char *out)
        {{
            switch ((long long)in) {{
            {cases}
            default:
                PyErr_SetString(PyExc_ValueError, "{type(self).__name__}: unknown enum value");
                return -1;
            }}
            return 0;
        }}
        #endif
        """

    def c_declare(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return the declaration of a number."""
        return f"{self.ctype} {name};"

    def c_init(self, name: str, sub: Sub) -> str:
        """Return code that makes it zero."""
        return f"{name} = ({self.ctype})0;"

    def c_cleanup(self, name: str, sub: Sub) -> str:
        """Return no code."""
        return ""

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that takes the number."""
        return f"""{name} = PyLong_Check(py_{name}) ? ({self.ctype})PyLong_AsLongLong(py_{name})
            : ({self.ctype})PyFloat_AsDouble(py_{name});
        if (PyErr_Occurred()) {sub["fail"]}"""


def _made(cls: Any, ctype: str, cname: str, constants: dict[str, Any]) -> Any:
    """Return an object from a pickle."""
    made = cls.__new__(cls)
    EnumType.__init__(made, ctype=ctype, cname=cname, **constants)
    return made


class EnumList(EnumType):
    """Named numbers 0, 1, 2 and so on.

    Parameters
    ----------
    *names
        Names, or pairs (name, alias).
    ctype, cname
        As for :class:`EnumType`.
    """

    def __init__(self, *names: Any, ctype: str = "int", cname: str | None = None) -> None:
        constants: dict[str, Any] = {}
        for number, item in enumerate(names):
            name, value = item, number
            if isinstance(item, list | tuple):
                if len(item) != 2 or not isinstance(item[1], str):
                    raise TypeError(
                        f"{type(self).__name__}: a tuple has a name and an alias, got {item!r}"
                    )
                name, value = item[0], (item[1], number)
            if not isinstance(name, str) or name in constants:
                raise TypeError(f"{type(self).__name__}: {name!r} is no name, or is used twice")
            constants[name] = value
        super().__init__(ctype=ctype, cname=cname, **constants)


class CEnumType(EnumList):
    """Names of constants that C headers define; in Python, they are numbers in order."""

    def c_support_code(self) -> str:
        """Return no macros, since headers define them."""
        return self.c_to_string()

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that takes the number, and finds the constant of C."""
        cases = "".join(f"case {self[key]}: {name} = {key}; break;\n" for key in self)
        return f"""switch (PyLong_AsLong(py_{name})) {{
        {cases}
        default:
            PyErr_SetString(PyExc_ValueError, "{type(self).__name__}: a value without a constant");
            {sub["fail"]}
        }}"""
