"""The definition of a row of the scalar table, and common dtype signatures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from symtheano import dtypes
from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Variable
from symtheano.scalar.operand import Tensor

T = TypeVar("T")
Pullback = Callable[..., Sequence[Any]]
Derivative = Callable[[Any, Any], Any]


class Signature(NamedTuple):
    """The dtypes of a scalar op.

    Attributes
    ----------
    compute
        For each operand, the dtype to which it is converted before the operation.
    result
        Dtype of the result.
    """

    compute: tuple[str, ...]
    result: str


SignatureRule = Callable[[tuple[str, ...]], Signature]


@dataclass(frozen=True, eq=False)
class ScalarOp:
    """The complete definition of one elementwise operation.

    Attributes
    ----------
    name
        Name of the tensor function; unique in the table.
    nin
        Number of operands.
    numpy
        Function of NumPy arrays that already have the ``compute`` dtypes.
    signature
        Function of the operand dtypes that returns the :class:`Signature`, or raises ``TypeError``.
    c
        C expressions by kind of the first compute dtype (``b i u f c`` for bool, signed,
        unsigned, float, complex; a key may join several letters). ``{0}``, ``{1}`` … are the
        operands, ``{f}`` is ``f`` for single precision and empty for double, ``{t}`` the C type
        and ``{d}`` the short dtype name (``f32``) of the first operand's compute dtype, ``{p}``
        the C type of its real part, ``{r}`` the C type of the result. float16 is computed as
        float32 and rounded after each op. The value is assigned to a variable of type ``{r}``,
        which makes small integers wrap around.
    helpers
        C texts of ``static inline`` functions which the expressions call, by kind as in ``c``,
        with the same placeholders: one text, or several in their order. A file has each text once,
        whether rows or routines need it.
    libm
        Names of C library functions (without suffix) that the expressions call. The printer
        declares them, and vectorizes those that exist in the machine's vector library.
    external
        For a function that the C library lacks: name of the C function in
        ``scipy.special.cython_special`` that takes and returns doubles. The expression in ``c``
        calls it as ``{x}(..., 0)``: the last argument is Cython's own.
    external_nin
        How many doubles the external function takes, where it is not ``nin``.
    derivative
        For a holomorphic function of one operand: ``derivative(x, y)`` returns the expression of
        dy/dx, where ``y`` is the result.
    pullback
        In general: ``pullback(g, y, *operands)`` returns the gradient for each operand, or None if
        the derivative is zero because the result is a step function of this operand.
    whole_as_floatX
        Whether operands that are all discrete become floatX when the graph is built.
    symbol
        Infix form for printing, such as ``+``.
    identity
        Neutral element for reductions: a number, or ``"max"``/``"min"`` for the largest and
        smallest value of the dtype.
    commutative, associative
        Algebraic properties; associativity of floats is up to rounding.
    cost
        Approximate cost in units of one addition, used to decide about recomputation.
    domain
        Interval of real operands for tests; one pair for all operands or one per operand.
    doc
        One sentence for the documentation.
    aliases
        Other names of the tensor function.
    """

    name: str
    nin: int
    numpy: Callable[..., Any]
    signature: SignatureRule
    c: Mapping[str, str]
    doc: str
    helpers: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    libm: tuple[str, ...] = ()
    external: str | None = None
    external_nin: int | None = None
    derivative: Derivative | None = None
    pullback: Pullback | None = None
    symbol: str | None = None
    identity: float | str | None = None
    commutative: bool = False
    associative: bool = False
    cost: int = 1
    domain: tuple[Any, ...] = (-10.0, 10.0)
    aliases: tuple[str, ...] = ()
    whole_as_floatX: bool = False

    by_name: ClassVar[Callable[[str], ScalarOp]]
    """Function that returns the row of a name; set by the table, which has all rows."""

    def __call__(self, *operands: Any) -> Tensor:
        """Apply the op to symbolic operands, using the method of their class."""
        for operand in operands:
            if isinstance(operand, Variable):
                result: Tensor = operand.apply_scalar(self, operands)  # type: ignore[attr-defined]
                return result
        raise TypeError(f"{self.name}: no operand is symbolic; use NumPy for numbers")

    def evaluate(self, values: Sequence[Any], operands: tuple[str, ...]) -> np.ndarray[Any, Any]:
        """Compute with NumPy, for values of operands that have these dtypes."""
        signature = self.signature(operands)
        pairs = zip(values, signature.compute, strict=True)
        converted = [np.asarray(value).astype(dtype, copy=False) for value, dtype in pairs]
        with np.errstate(all="ignore"):
            return np.asarray(self.numpy(*converted)).astype(signature.result, copy=False)

    def c_expression(self, kind: str) -> str:
        """Return the C template for compute dtypes of a kind, or raise ``KeyError``."""
        return _by_kind(self.c, kind)

    def c_helpers(self, kind: str) -> tuple[str, ...]:
        """Return the C templates of the helpers that the expression of a kind needs, in order."""
        try:
            templates = _by_kind(self.helpers, kind)
        except KeyError:
            return ()
        return (templates,) if isinstance(templates, str) else templates

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<scalar op {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (ScalarOp.by_name, (self.name,))


def _by_kind(texts: Mapping[str, T], kind: str) -> T:
    for kinds, text in texts.items():
        if kind in kinds:
            return text
    raise KeyError(kind)


def kind_of(dtype: str) -> str:
    """Return the kind letter of a dtype: ``b i u f c``."""
    if dtype == "bool":
        return "b"
    return {"i": "i", "u": "u", "f": "f", "c": "c"}[dtype[0]]


# -- signatures ------------------------------------------------------------------------------


def arithmetic(operands: tuple[str, ...]) -> Signature:
    """All operands and the result have the promoted dtype."""
    common = dtypes.upcast(*operands)
    return Signature((common,) * len(operands), common)


def arithmetic_not_bool(operands: tuple[str, ...]) -> Signature:
    """As :func:`arithmetic`, but without bool, as in NumPy."""
    signature = arithmetic(operands)
    if signature.result == "bool":
        raise TypeError("not defined for bool operands; use bitwise or logical functions, or cast")
    return signature


def floating(operands: tuple[str, ...]) -> Signature:
    """Everything in the promoted dtype of the operands, integers counting as the floats they fit.

    Two integers of 16 bits fit float32, also where an integer that holds both has 32 bits.
    """
    common = dtypes.upcast(*(dtypes.upgrade_to_float(operand) for operand in operands))
    return Signature((common,) * len(operands), common)


def quotient(operands: tuple[str, ...]) -> Signature:
    """The promoted dtype; discrete operands alone as floats."""
    common = dtypes.upcast(*operands)
    if dtypes.is_discrete(common):
        return floating(operands)
    return Signature((common,) * len(operands), common)


def floating_real(operands: tuple[str, ...]) -> Signature:
    """As :func:`floating`, for functions that are not defined for complex operands."""
    signature = floating(operands)
    if dtypes.is_complex(signature.result):
        raise TypeError("not defined for complex operands")
    return signature


def real(operands: tuple[str, ...]) -> Signature:
    """As :func:`arithmetic`, for functions that are not defined for complex operands."""
    signature = arithmetic(operands)
    if dtypes.is_complex(signature.result):
        raise TypeError("not defined for complex operands")
    return signature


def comparison(operands: tuple[str, ...]) -> Signature:
    """Operands in the promoted dtype, the result bool."""
    return Signature(arithmetic(operands).compute, "bool")


def logical(operands: tuple[str, ...]) -> Signature:
    """Operands as truth values, the result bool."""
    return Signature(("bool",) * len(operands), "bool")


def bitwise(operands: tuple[str, ...]) -> Signature:
    """Integers and bools only, in the promoted dtype."""
    signature = arithmetic(operands)
    if not dtypes.is_discrete(signature.result):
        raise TypeError(f"defined for integers and bool only, not for {', '.join(operands)}")
    return signature


def arithmetic_of_numbers(operands: tuple[str, ...]) -> Signature:
    """As :func:`arithmetic`, with bools computed as int8, as NumPy does for division."""
    signature = arithmetic(operands)
    if signature.result == "bool":
        return Signature(("int8",) * len(operands), "int8")
    return signature


def real_of_numbers(operands: tuple[str, ...]) -> Signature:
    """As :func:`arithmetic_of_numbers`, for functions not defined for complex operands."""
    real(operands)
    return arithmetic_of_numbers(operands)


def integers(operands: tuple[str, ...]) -> Signature:
    """Integers only, in the promoted dtype, bools as int8."""
    bitwise(operands)
    return arithmetic_of_numbers(operands)


def magnitude(operands: tuple[str, ...]) -> Signature:
    """Compute in the operand's dtype; the result has the dtype of its real part."""
    (operand,) = operands
    return Signature((operand,), dtypes.real_of(operand))


def predicate_of_reals(operands: tuple[str, ...]) -> Signature:
    """As :func:`comparison`, for functions that are not defined for complex operands."""
    return Signature(real(operands).compute, "bool")
