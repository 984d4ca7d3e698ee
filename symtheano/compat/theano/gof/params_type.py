"""Parameters of ops: named values, which C code gets as a struct."""

from __future__ import annotations

import hashlib
import keyword
import re
from typing import Any

from symtheano.compat.ccode.values import code_of
from symtheano.graph.type import Type as _Type

from .enums import EnumType
from .interfaces import Sub
from .typeclass import Type
from .utils import MethodNotDefined

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_C_WORDS = frozenset(
    """
    alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor
    bool break case catch char char16_t char32_t class compl concept const const_cast constexpr
    continue decltype default delete do double dynamic_cast else enum explicit export extern false
    float for
    friend goto if import inline int long module mutable namespace new noexcept not not_eq nullptr
    operator or or_eq private protected public register reinterpret_cast requires restrict return
    short signed sizeof static static_assert static_cast struct switch synchronized template this
    thread_local throw true try typedef typeid typename typeof union unsigned using virtual void
    volatile wchar_t while xor xor_eq
    """.split()
)


class Params(dict[str, Any]):
    """The values of an op's parameters, which are also attributes. They can't be changed.

    Parameters
    ----------
    params_type
        Their types.
    **values
        The values by their names.

    Raises
    ------
    TypeError
        If one is missing.
    """

    def __init__(self, params_type: ParamsType, **values: Any) -> None:
        if not isinstance(params_type, ParamsType):
            raise TypeError("Params: 1st constructor argument should be a ParamsType.")
        missing = [name for name in params_type.fields if name not in values]
        if missing:
            raise TypeError(f'Params: ParamsType attribute "{missing[0]}" not in Params args.')
        super().__init__(values)
        self.__dict__["__params_type__"] = params_type

    def _kind(self) -> ParamsType:
        kind: ParamsType = self.__dict__["__params_type__"]
        return kind

    def __getattr__(self, key: str) -> Any:
        if key not in self:
            raise AttributeError(f'Params: attribute "{key}" does not exist.')
        return self[key]

    def __setattr__(self, key: str, value: Any) -> None:
        raise NotImplementedError("Params is immutable")

    def __setitem__(self, key: str, value: Any) -> None:
        raise NotImplementedError("Params is immutable")

    def __delitem__(self, key: str) -> None:
        raise NotImplementedError("Params is immutable")

    def __hash__(self) -> int:
        return hash(
            (type(self), self._kind(), tuple(_hashable(self[k]) for k in self._kind().fields))
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Params) or self._kind() != other._kind():
            return False
        return bool(self._kind().values_eq(self, other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self._kind(), dict(self))

    def __repr__(self) -> str:
        inner = ", ".join(f"{k}:{type(self[k]).__name__}:{self[k]}" for k in sorted(self))
        return f"Params({inner})"


def _made(kind: ParamsType, values: dict[str, Any]) -> Params:
    return Params(kind, **values)


def _hashable(value: Any) -> Any:
    """Return what equal values have in common."""
    if hasattr(value, "tobytes"):
        return str(value.dtype), value.shape, value.tobytes()
    return value


class ParamsType(Type):
    """The types of an op's parameters.

    Parameters
    ----------
    **types
        Types by names of attributes of the op.

    Attributes
    ----------
    fields, types
        Names in alphabetical order, and their types.
    name
        The name of the C struct.

    Raises
    ------
    ValueError
        If there is none.
    AttributeError
        If a name is no identifier, or several enumerations share a constant or an alias.
    SyntaxError
        If C has a word of this name.
    TypeError
        If something is not a type.
    """

    def __init__(self, **types: Any) -> None:
        if not types:
            raise ValueError("Cannot create ParamsType from empty data.")
        for field, kind in types.items():
            if not _WORD.fullmatch(field):
                raise AttributeError(f'ParamsType: attribute "{field}" should be an identifier')
            if field in _C_WORDS and not keyword.issoftkeyword(field):
                raise SyntaxError(f'ParamsType: "{field}" is a keyword of C or C++')
            if not isinstance(kind, _Type):
                raise TypeError(f'ParamsType: attribute "{field}" should be a Type, got {kind!r}')
        self.fields = tuple(sorted(types))
        self.types = tuple(types[field] for field in self.fields)
        self.length = len(self.fields)
        self.name = self.generate_struct_name()
        self._check_enums()

    def _enums(self) -> list[EnumType]:
        return [kind for kind in self.types if isinstance(kind, EnumType)]

    def _check_enums(self) -> None:
        constants = [name for kind in self._enums() for name in kind]
        aliases = [alias for kind in self._enums() for alias in kind.aliases]
        if len(set(constants)) < len(constants) or len(set(aliases)) < len(aliases):
            raise AttributeError("ParamsType: enumerations share a constant or an alias")
        if set(constants) & set(aliases):
            raise AttributeError("ParamsType: an alias has the name of a constant")

    def generate_struct_name(self) -> str:
        """Return the name of the C struct, which depends on names and types."""
        text = ",".join(f"{k}:{t}" for k, t in zip(self.fields, self.types, strict=True))
        return f"_Params_{hashlib.sha256(text.encode()).hexdigest()[:32]}"

    def __getattr__(self, key: str) -> Any:
        if not key.startswith("__") and "types" in self.__dict__:
            for kind in self._enums():
                if key in kind:
                    return kind[key]
        raise AttributeError(f"ParamsType has no attribute {key!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ParamsType) and (self.fields, self.types) == (
            other.fields,
            other.types,
        )

    def __hash__(self) -> int:
        return hash((type(self), self.fields, self.types))

    def __repr__(self) -> str:
        inner = ", ".join(f"{k}:{t}" for k, t in zip(self.fields, self.types, strict=True))
        return f"ParamsType<{inner}>"

    __str__ = __repr__

    def has_type(self, theano_type: Any) -> bool:
        """Return whether a parameter has a type."""
        return theano_type in self.types

    def get_type(self, field_name: str) -> Any:
        """Return the type of a parameter."""
        return self.types[self.fields.index(field_name)]

    def get_field(self, theano_type: Any) -> str:
        """Return the first parameter of a type."""
        return self.fields[self.types.index(theano_type)]

    def get_enum(self, key: str) -> Any:
        """Return the number of a constant of one of the enumerations."""
        return next(kind for kind in self._enums() if key in kind)[key]

    def enum_from_alias(self, alias: str) -> Any:
        """Return the number of a constant, given its alias or its name."""
        for kind in self._enums():
            if kind.has_alias(alias) or alias in kind:
                return kind.fromalias(alias)
        raise KeyError(alias)

    def get_params(self, *objects: Any, **kwargs: Any) -> Params:
        """Return the values that objects have as attributes, or that are given by name."""
        values = {
            field: getattr(thing, field)
            for thing in objects
            for field in self.fields
            if hasattr(thing, field)
        }
        values.update((field, kwargs[field]) for field in self.fields if field in kwargs)
        missing = [field for field in self.fields if field not in values]
        if missing:
            raise TypeError(f"ParamsType: no value for {', '.join(missing)}")
        return Params(
            self,
            **{
                field: kind.filter(values[field], strict=False, allow_downcast=True)
                for field, kind in zip(self.fields, self.types, strict=True)
            },
        )

    def extended(self, **types: Any) -> ParamsType:
        """Return this type with more parameters."""
        return ParamsType(**{**dict(zip(self.fields, self.types, strict=True)), **types})

    def filter(self, data: Any, strict: bool = False, allow_downcast: bool | None = None) -> Params:
        """Return parameters whose values have the types.

        Raises
        ------
        TypeError
            If one can't be converted, or if ``data`` are no parameters.
        """
        if strict and not isinstance(data, Params):
            raise TypeError(f"{self}: strict mode: data should be an instance of Params.")
        values = {
            field: kind.filter(data[field], strict, allow_downcast)
            for field, kind in zip(self.fields, self.types, strict=True)
        }
        return (
            data
            if strict or (isinstance(data, Params) and _same(data, values))
            else Params(self, **values)
        )

    def values_eq(self, a: Any, b: Any) -> bool:
        """Return whether all values are equal."""
        return self._compare("values_eq", a, b)

    def values_eq_approx(self, a: Any, b: Any) -> bool:
        """Return whether all values are equal, but for rounding."""
        return self._compare("values_eq_approx", a, b)

    def _compare(self, method: str, a: Any, b: Any) -> bool:
        return all(
            getattr(kind, method, _equal)(a[field], b[field])
            for field, kind in zip(self.fields, self.types, strict=True)
        )

    # -- C code -----------------------------------------------------------------------------------

    def c_params_macros(self) -> list[tuple[str, object]]:
        """Return macros for the files of ops: the struct, and C types of elements."""
        macros: list[tuple[str, object]] = [("PARAMS_TYPE", self.name)]
        for field, kind in zip(self.fields, self.types, strict=True):
            element = getattr(code_of(kind), "c_element_type", None)
            try:
                if element is not None:
                    macros.append((f"DTYPE_PARAM_{field}", element()))
            except MethodNotDefined:
                continue
        return macros

    def _parts(self, method: str) -> list[str]:
        """Return what a method of the types returns, each item once."""
        found: dict[str, None] = {}
        for kind in self.types:
            function = getattr(code_of(kind), method, None)
            try:
                result = () if function is None else function()
            except MethodNotDefined:
                continue
            found.update(dict.fromkeys([result] if isinstance(result, str) else result))
        return list(found)

    def c_headers(self) -> list[str]:
        """Return the headers of the types."""
        return self._parts("c_headers")

    def c_header_dirs(self) -> list[str]:
        """Return the directories of headers of the types."""
        return self._parts("c_header_dirs")

    def c_libraries(self) -> list[str]:
        """Return the libraries of the types."""
        return self._parts("c_libraries")

    def c_lib_dirs(self) -> list[str]:
        """Return the directories of libraries of the types."""
        return self._parts("c_lib_dirs")

    def c_compile_args(self) -> list[str]:
        """Return the arguments of the compiler of the types."""
        return self._parts("c_compile_args")

    def c_no_compile_args(self) -> list[str]:
        """Return the arguments that the compiler must not get."""
        return self._parts("c_no_compile_args")

    def c_init_code(self) -> list[str]:
        """Return the code of the types that runs when the file is loaded."""
        return self._parts("c_init_code")

    def c_support_code(self) -> list[str]:
        """Return the struct, after what the types need."""
        fail = {"fail": "{return 1;}"}
        declared, started, stopped, extracted, cases = [], [], [], [], []
        for number, (field, kind) in enumerate(zip(self.fields, self.types, strict=True)):
            code = code_of(kind)
            declared.append(code.c_declare(field, fail))
            started.append(code.c_init(field, fail))
            stopped.append(code.c_cleanup(field, fail))
            extracted.append(
                f"int extract_{field}(PyObject *py_{field})\n"
                f"{{\n{code.c_extract(field, fail)}\nreturn 0;\n}}"
            )
            cases.append(f"case {number}: return extract_{field}(value);")
        lines = [
            f"#ifndef {self.name.upper()}",
            f"#define {self.name.upper()}",
            f"struct {self.name} {{",
            *declared,
            f"{self.name}()\n{{",
            *started,
            f"}}\n~{self.name}()\n{{",
            *stopped,
            "}",
            *extracted,
            "int extract(PyObject *value, int number)\n{\nswitch (number) {",
            *cases,
            "}\nreturn 1;\n}",
            "};\n#endif",
        ]
        return [*self._parts("c_support_code"), "\n".join(lines)]

    def c_declare(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return the declaration of a pointer to the struct."""
        return f"{self.name} *{name};"

    def c_init(self, name: str, sub: Sub) -> str:
        """Return code that makes the pointer NULL."""
        return f"{name} = NULL;"

    def c_cleanup(self, name: str, sub: Sub) -> str:
        """Return code that frees the struct."""
        return f"delete {name};\n{name} = NULL;"

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that makes the struct from the dict of values."""
        names = ", ".join(f'"{field}"' for field in self.fields)
        return f"""{name} = new {self.name};
        const char *fields[] = {{{names}}};
        for (int k = 0; k < {self.length}; k++) {{
            PyObject *value = PyDict_GetItemString(py_{name}, fields[k]);
            if (value == NULL)
                PyErr_Format(PyExc_TypeError, "the parameter %s is missing", fields[k]);
            if (value == NULL || {name}->extract(value, k)) {sub["fail"]}
        }}"""


def _equal(a: Any, b: Any) -> bool:
    return bool(a == b)


def _same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(a[key] is value for key, value in b.items())
