"""Arrays whose expressions are only known when a session runs.

An expression has a fixed number of axes. A placeholder without a shape, however, gets its axes from
the array that is fed. A layer such as dropout has one expression for training and another one for
tests. Calls with such arrays are recorded. They become expressions when a session runs them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import symtheano
import symtheano.tensor as T
from symtheano.keywords import OF_REDUCTIONS, check_keywords, hint_of

if TYPE_CHECKING:
    Array = T.TensorVariable  # whose methods and operators they have
else:
    Array = object

HINT = hint_of(OF_REDUCTIONS)
F = TypeVar("F", bound=Callable[..., Any])


class Deferred(Array):
    """Base class of arrays whose expressions are only known when a session runs.

    They have the operators and methods of symbolic arrays, and NumPy functions take them. The
    results are arrays of the same kind.
    """

    __iter__: Any = None  # subscripts would make it an endless sequence
    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise TypeError("the value of a symbolic array is only known in a run; use nn.where")

    @property
    def sources(self) -> list[Deferred]:
        """The arrays from which this one is computed."""
        return []

    def expression(self, conditions: Conditions) -> Any:
        """Return the expression for the conditions of a run, which know those of the sources."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'expression'")

    def differs_in_training(self) -> bool:
        """Return whether the expressions in training and at test differ."""
        return any(source.differs_in_training() for source in self.sources)

    def known_expression(self) -> Any:
        """Return the expression if it is the same in all runs, None if it depends on the run."""
        return None

    def stand_in(self, array: Any) -> Any:
        """Return the symbolic array that takes the place of this one where ``array`` is given."""
        return self._as_TensorVariable()

    def eval(  # type: ignore[override] # whose declaration has another name for the first argument
        self, inputs_to_values: Mapping[Any, Any] | None = None, **options: Any
    ) -> Any:
        """Return the value as a NumPy array, as the method of symbolic arrays does.

        Parameters
        ----------
        inputs_to_values
            Arrays by inputs of networks, placeholders and other symbolic arrays.
        options
            The other arguments of the method of symbolic arrays.

        Raises
        ------
        TypeError
            If it depends on whether a network is trained.
        ValueError
            If a placeholder has no value.

        Examples
        --------
        >>> x = nn.Input((2,))
        >>> nn.reduce_sum(x * 2.0).eval({x: np.ones((3, 2), "float32")})
        array(12., dtype=float32)
        """
        stand_ins: dict[Deferred, Any] = {}
        values: dict[Any, Any] = {}
        for key, value in (inputs_to_values or {}).items():
            if isinstance(key, Deferred):
                stand_ins[key] = key.stand_in(value)
            values[stand_ins.get(key, key)] = value
        if self.differs_in_training():
            return self._as_TensorVariable()  # which raises an error
        return Conditions(False, stand_ins)(self).eval(values, **options)

    def _as_TensorVariable(self) -> Any:
        """Return the symbolic array, for functions that take symbolic arrays.

        Raises
        ------
        TypeError
            If the expressions in training and at test differ.
        """
        if self.differs_in_training():
            raise TypeError(
                f"{self!r} has different expressions in training and at test: use the attribute "
                "train or test of a layer's output, or run it in a session"
            )
        expression = self.known_expression()
        return Conditions(False, {})(self) if expression is None else expression

    def __getitem__(self, key: Any) -> Recorded:
        return Recorded(operator.getitem, (self, key))

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name: str) -> Any:
            """Return a method or an attribute of symbolic arrays whose use is recorded."""
            if name in ATTRIBUTES:
                return Recorded(getattr, (self, name), name=name)
            if name in METHODS:
                return lambda *args, **options: Recorded(method, (self, name, *args), options, name)
            expression = None if name.startswith("_") else self.known_expression()
            if expression is not None and name in TYPE_ATTRIBUTES:
                return getattr(expression, name)
            hint = ""
            if name in TYPE_ATTRIBUTES:
                hint = ": it is only known when arrays are fed; give the placeholder a shape"
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'{hint}")

    def __dir__(self) -> list[str]:
        """Return the names of attributes and methods, including those of symbolic arrays."""
        return sorted({*super().__dir__(), *ATTRIBUTES, *METHODS})

    def __array_ufunc__(self, ufunc: Any, how: str, *operands: Any, **options: Any) -> Recorded:
        return Recorded(getattr(ufunc, how), operands, options, ufunc.__name__)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Recorded:
        return Recorded(function, args, options)


class Recorded(Deferred):
    """The record of a function call with deferred arguments.

    If the arguments are the same arrays in all runs, such as outputs of layers that do the same in
    training and at test, the function is called at once: its errors are at the user's line.

    Parameters
    ----------
    function
        A function of expressions.
    args, options
        The positional and keyword arguments. At least one is deferred, or is a list, tuple, dict or
        slice with deferred items.
    name
        The name of the call, by default that of the function.

    Attributes
    ----------
    value
        The value of a layer that computes the call, if layers have taken it as an input, else None.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        args: Any,
        options: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        self.name: str = name or name_of(function)
        self._call = function, tuple(args), dict(options or {})
        self.place = place(T.scalar())
        self._expression: Any = None
        self.value: Any = None  # its output as one of a layer, if layers have taken it
        expressions = {source: source.known_expression() for source in self.sources}
        if all(expression is not None for expression in expressions.values()):
            arguments, keywords = replaced(list(self._call[1:]), expressions)
            self._expression = function(*arguments, **keywords)

    def known_expression(self) -> Any:
        """Return the result of the call, if it is the same in all runs."""
        return self._expression

    def differs_in_training(self) -> bool:
        return self._expression is None and super().differs_in_training()

    @property
    def sources(self) -> list[Deferred]:
        """The deferred arguments."""
        return list(deferred_in(self._call[1:]))

    def expression(self, conditions: Conditions) -> Any:
        """Return the result of the call."""
        function, *arguments = self._call
        args, options = replaced(arguments, conditions.expressions)
        try:
            return function(*args, **options)
        except Exception as error:
            if self.place and hasattr(error, "add_note"):
                error.add_note(f"  recorded at {self.place}")
            raise

    def __repr__(self) -> str:
        kind = "" if self._expression is None else f", {getattr(self._expression, 'type', '?')}"
        return f"<recorded {self.name}{kind}>"


class Conditions:
    """The conditions of a run, on which the expressions of deferred arrays depend.

    Parameters
    ----------
    training
        Whether layers use their expressions for training, or those for tests.
    fed
        A mapping from the deferred arrays that are fed to the symbolic inputs in their places.

    Attributes
    ----------
    expressions
        A mapping from deferred arrays to their expressions, as far as these were made.
    """

    def __init__(self, training: bool, fed: Mapping[Deferred, Any]) -> None:
        self.training, self._fed = training, fed
        self.expressions = dict(fed)

    def __call__(self, item: Any) -> Any:
        """Return the expression of a deferred array. Other objects are returned unchanged."""
        stack = [item] if isinstance(item, Deferred) else []
        while stack:
            top = stack[-1]
            missing = [s for s in top.sources if s not in self.expressions]
            if top not in self.expressions and missing:
                stack += missing
                continue
            if top not in self.expressions:
                self.expressions[top] = top.expression(self)
            stack.pop()
        return self.expressions[item] if isinstance(item, Deferred) else item

    def in_training(self) -> Conditions:
        """Return the conditions of training, with the same arrays fed."""
        return self if self.training else Conditions(True, self._fed)


def record(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return the result of a function call, or a record of the call if an argument is deferred.

    Examples
    --------
    >>> record(abs, -2), record(abs, nn.placeholder("float32"))
    (2, <recorded abs>)
    """
    return record_as(name_of(function), function, args, options)


def record_as(name: str, function: Callable[..., Any], args: Any, options: Any) -> Any:
    """Return what :func:`record` does, for a function that users know by another name."""
    if next(deferred_in((args, options)), None) is None:
        return function(*args, **options)
    check_call(name, function, args, options)
    return Recorded(function, args, options, name)


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function, ``"call"`` if it has none."""
    return str(getattr(function, "__name__", "call"))


def check_call(
    name: str, function: Callable[..., Any], args: Any, options: Mapping[str, Any]
) -> None:
    """Raise an error for arguments that a function does not have.

    Raises
    ------
    TypeError
        If it cannot be called with them.

    Examples
    --------
    >>> check_call("first", lambda x, axis=None: x, (1,), {"axis": 0})
    """
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # some functions in C have none
        return
    try:
        parameters.bind(*args, **options)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def recorded(function: F) -> F:
    """Return a function that also takes deferred arguments, and records calls with them.

    Examples
    --------
    >>> recorded(nn.losses.reduced)(nn.placeholder("float32"))
    <recorded reduced>
    """

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if options:
            check_keywords(function, name_of(function), options, HINT)
        if next(deferred_in((args, options)), None) is None:
            return function(*args, **options)
        return record_as(name_of(function), call, args, options)  # pickle finds it by its name

    # Messages name the function that the user has called, by its frame.
    wrapper: Any = call
    wrapper.__code__ = wrapper.__code__.replace(co_name=name_of(function))
    return cast(F, call)


def deferred_in(tree: Any) -> Iterator[Deferred]:
    """Yield the deferred arrays among arguments, also those in lists, tuples, dicts and slices."""
    if isinstance(tree, Deferred):
        yield tree
    elif isinstance(tree, list | tuple | dict | slice):
        for item in parts(tree):
            yield from deferred_in(item)


def replaced(tree: Any, expressions: Mapping[Deferred, Any]) -> Any:
    """Return arguments with expressions in the places of deferred arrays."""
    if isinstance(tree, Deferred):
        return expressions[tree]
    if isinstance(tree, slice):
        return slice(*(replaced(item, expressions) for item in parts(tree)))
    if isinstance(tree, dict):
        return {key: replaced(item, expressions) for key, item in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(replaced(item, expressions) for item in tree)
    return tree


def parts(tree: Any) -> list[Any]:
    """Return the items of a list, tuple, dict or slice."""
    if isinstance(tree, slice):
        return [tree.start, tree.stop, tree.step]
    return list(tree.values() if isinstance(tree, dict) else tree)


def place(variable: Any) -> str:
    """Return the line of the user's program that made a variable, or "" if it is unknown."""
    origin = getattr(variable, "origin", None)
    return "" if origin is None else str(origin.describe())


def method(array: Any, name: str, *args: Any, **options: Any) -> Any:
    """Call a method of an array."""
    return getattr(array, name)(*args, **options)


ARRAY = type(T.scalar())
ATTRIBUTES = "T real imag shape size".split()
# What types of arrays say.
TYPE_ATTRIBUTES = "broadcastable dtype ndim static_shape".split()
# Methods of graphs are left out, since their results are no arrays, as are those for the package.
OF_GRAPHS = "apply_scalar get_scalar_constant_value numpy_calls requiring stack_with with_lengths"
METHODS = {
    name for name in {*dir(ARRAY)} - {*dir(symtheano.Variable), *OF_GRAPHS.split()}
    if not name.startswith("_") and callable(getattr(ARRAY, name))
}  # fmt: skip
BOTH_SIDES = "add sub mul truediv floordiv mod pow matmul and or xor".split()
ONE_SIDE = "lt le gt ge neg pos abs invert".split()


def _define_operators() -> None:
    """Give :class:`Deferred` Python's operators."""

    def define(name: str, function: Callable[..., Any], swapped: bool = False) -> None:
        def call(*operands: Any) -> Recorded:
            return Recorded(function, operands[::-1] if swapped else operands)

        setattr(Deferred, name, call)

    for name in BOTH_SIDES + ONE_SIDE:
        function = getattr(operator, f"__{name}__")
        define(f"__{name}__", function)
        if name in BOTH_SIDES:
            define(f"__r{name}__", function, swapped=True)


_define_operators()
