"""Types of users."""

from __future__ import annotations

from typing import Any

from symtheano.graph.type import Type as _Type
from symtheano.graph.variable import Constant as _Constant, Variable as _Variable

from .interfaces import CLinkerType
from .utils import MetaObject, MethodNotDefined


class _TypeMeta(MetaObject):
    """Makes all types of symtheano instances of Theano's class, which is a subclass of theirs."""

    def __instancecheck__(cls, instance: object) -> bool:
        general = cls in _GENERAL
        return isinstance(instance, _Type) if general else super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        general = cls in _GENERAL
        return issubclass(subclass, _Type) if general else super().__subclasscheck__(subclass)


class Type(_Type, CLinkerType, metaclass=_TypeMeta):
    """The base class of types: subclasses have ``filter``.

    Attributes
    ----------
    Variable, Constant
        The classes of variables and constants of the type.
    """

    Variable: Any = _Variable
    Constant: Any = _Constant

    def filter(self, data: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Return a value of the type, or raise ``TypeError``."""
        raise MethodNotDefined("filter", type(self), type(self).__name__)

    def make_variable(self, name: str | None = None) -> Any:
        """Return a new variable."""
        return self.Variable(self, name=name)

    def make_constant(self, value: Any, name: str | None = None) -> Any:
        """Return a constant."""
        return self.Constant(type=self, data=value, name=name)

    def filter_variable(self, other: Any, allow_convert: bool = True) -> Any:
        """Return a variable, or a value as a constant, as a variable of this type.

        Raises
        ------
        TypeError
            If it can't be converted.
        """
        if not isinstance(other, _Variable):
            other = self.Constant(type=self, data=other)
        if other.type != self and allow_convert:
            converted = self.convert_variable(other)
            if converted is not None:
                return converted
        if other.type != self:
            raise TypeError(f"Cannot convert Type {other.type} (of Variable {other}) into {self}")
        return other

    def convert_variable(self, var: Any) -> Any:
        """Return a variable as one of this type; None if that is not possible."""
        return None

    def value_validity_msg(self, a: object) -> str:
        """Return why a value is not one of this type."""
        return "none"

    def values_eq(self, a: Any, b: Any) -> bool:
        """Return whether values are equal."""
        return bool(a == b)

    def values_eq_approx(self, a: Any, b: Any) -> bool:
        """Return whether values are equal, but for rounding."""
        return self.values_eq(a, b)


class PureType(Type):
    """The base class of types without C code; :class:`Type` is the same."""


_GENERAL: tuple[type, ...] = (Type, PureType)


class SingletonType(Type):
    """A type of which there is one object."""

    _instance: Any = None

    def __new__(cls) -> Any:
        if cls.__dict__.get("_instance") is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __eq__(self, other: object) -> bool:
        return self is other or type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return type(self).__name__
