"""What all layers share: parameters, calls, names, and what is needed to make one again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

import symtheano
from symtheano.nn import constraints, initializers, regularizers
from symtheano.nn.values import Shape, Value, shown

LAYERS: dict[str, type[Layer]] = {}


@dataclass(eq=False)
class Parameter:
    """A shared variable of a layer.

    Attributes
    ----------
    name
        The name within the layer.
    variable
        The shared variable.
    layer
        The layer.
    trainable
        Whether training changes it by the gradient; running statistics are not trainable.
    regularizer, constraint
        Functions of the variable: a term of the loss, and what an update is replaced by.
    """

    name: str
    variable: Any
    layer: Layer
    trainable: bool = True
    regularizer: Callable[[Any], Any] | None = None
    constraint: Callable[[Any], Any] | None = None

    @property
    def trains(self) -> bool:
        """Whether it changes now: it is trainable, and its layer is not frozen."""
        return self.trainable and self.layer.trainable

    @property
    def count(self) -> int:
        """The number of elements."""
        return int(self.variable.get_value(borrow=True).size)

    @property
    def bytes(self) -> int:
        """The number of bytes."""
        return int(self.variable.get_value(borrow=True).nbytes)


@dataclass(eq=False)
class Layer:
    """A function of arrays with parameters of its own.

    A layer is called with values and returns one. The first call makes its parameters, from the
    shapes; further calls share them. Subclasses are dataclasses, whose fields are the arguments,
    and define :meth:`build`, :meth:`output_shape` and :meth:`apply`.

    Parameters
    ----------
    name
        The name, which parameters are saved under. A network numbers layers of the same name.
    trainable
        Whether training changes the parameters. A layer that is frozen must be so when the model
        is compiled.
    """

    name: str = field(default="", kw_only=True)
    trainable: bool = field(default=True, kw_only=True)

    # Whether training differs from test even where the inputs are the same.
    differs: ClassVar[bool] = False
    # Whether a frozen layer computes in training what it does at test.
    frozen_is_test: ClassVar[bool] = False
    # The number of values that a call takes; None: one or more.
    arity: ClassVar[int | None] = 1

    def __init_subclass__(cls) -> None:
        """Register the layer by the name of its class."""
        super().__init_subclass__()
        LAYERS[cls.__name__] = cls

    def __post_init__(self) -> None:
        self.name = self.name or snake_case(type(self).__name__)
        self.parameters: list[Parameter] = []
        self._built: tuple[Shape, ...] | None = None
        self._updates: list[tuple[Any, Any]] = []
        self._penalties: list[Any] = []

    # What subclasses define.

    def build(self, *shapes: Shape) -> None:
        """Make the parameters for inputs of these shapes, without the axis of samples."""

    def output_shape(self, *shapes: Shape) -> Shape:
        """Return the shape of the output, without the axis of samples."""
        return shapes[0]

    def apply(self, *inputs: Any, training: bool) -> Any:
        """Return the symbolic output of symbolic inputs."""
        raise NotImplementedError(f"{type(self).__name__} does not define apply")

    # What they call.

    def parameter(
        self,
        name: str,
        shape: tuple[int, ...],
        initializer: Any,
        *,
        regularizer: Any = None,
        constraint: Any = None,
        trainable: bool = True,
        dtype: str | None = None,
    ) -> Any:
        """Make a shared variable and return it; to be called in :meth:`build`."""
        dtype = dtype or self._dtype
        value = initializers.get(initializer)(shape, dtype, self._randomness.generator())
        variable = symtheano.shared(value, name=f"{self.name}/{name}")
        self.parameters.append(
            Parameter(
                name,
                variable,
                self,
                trainable,
                regularizers.get(regularizer),
                constraints.get(constraint),
            )
        )
        return variable

    def update(self, variable: Any, value: Any) -> None:
        """Let training set a shared variable of this layer; to be called in :meth:`apply`."""
        self._updates.append((variable, symtheano.tensor.cast(value, variable.dtype)))

    def penalty(self, term: Any) -> None:
        """Add a term to the loss; to be called in :meth:`apply`."""
        self._penalties.append(term)

    def regularize(self, output: Any, regularizer: Any) -> None:
        """Add a regularizer's term of an output, divided by the number of samples, to the loss."""
        term = regularizers.get(regularizer)
        if term is not None:
            samples = symtheano.tensor.cast(
                symtheano.tensor.maximum(output.shape[0], 1), output.dtype
            )
            self.penalty(term(output) / samples)

    def error(self, text: str) -> ValueError:
        """Return an error that names the layer."""
        return ValueError(f"{type(self).__name__} '{self.name}': {text}")

    # What users call.

    def __call__(self, *values: Value) -> Value:
        """Return the output for values, which the layer is built for by its first call."""
        values = self._checked(values)
        shapes = tuple(value.shape for value in values)
        self._randomness = values[0].randomness
        if self._built is None:
            self._dtype = values[0].dtype if values[0].dtype.startswith("float") else "float32"
            self.output_shape(*shapes)
            self.build(*shapes)
            self._built = shapes
        elif any(map(differ, self._built, shapes)) or len(shapes) != len(self._built):
            built, now = (", ".join(map(shown, s)) for s in (self._built, shapes))
            raise self.error(f"was built for inputs of shape {built}, and is called with {now}")
        shape = self.output_shape(*shapes)
        self._updates, self._penalties = [], []
        trains = self.trainable or not self.frozen_is_test
        train = self.apply(*(value.train for value in values), training=trains)
        updates, penalties = tuple(self._updates), tuple(self._penalties)
        test = train
        if (self.differs and trains) or any(value.train is not value.test for value in values):
            test = self.apply(*(value.test for value in values), training=False)
        return Value(train, test, shape, self._randomness, self, values, updates, penalties)

    def config(self) -> dict[str, Any]:
        """Return the class and the arguments as data for JSON.

        Raises
        ------
        TypeError
            If an argument cannot be written as data, such as a function.
        """
        described = {"class": type(self).__name__}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.default is MISSING or value != item.default:
                described[item.name] = self._data(item.name, value)
        return described

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Layer:
        """Return the layer that :meth:`config` described, without parameters."""
        makers = {
            "initializer": initializers,
            "regularizer": regularizers,
            "constraint": constraints,
        }
        values = {}
        for name, value in config.items():
            if name != "class":
                maker = makers.get(name.rpartition("_")[2])
                described = maker is not None and isinstance(value, Mapping)
                values[name] = maker.from_config(value) if maker and described else tuples(value)
        return cls(**values)

    def rename(self, name: str) -> None:
        """Change the name, also of the parameters' variables."""
        self.name = name
        for item in self.parameters:
            item.variable.name = f"{name}/{item.name}"

    def _data(self, name: str, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, list | tuple):
            return [self._data(name, item) for item in value]
        if hasattr(value, "config"):
            return value.config()
        if isinstance(value, np.ndarray | np.generic):
            return value.tolist()
        raise TypeError(
            f"{type(self).__name__} '{self.name}' cannot be saved: {name} is {value!r}, which is "
            "no data; use a name, or a layer of your own"
        )

    @property
    def built(self) -> bool:
        """Whether the parameters exist."""
        return self._built is not None

    def _checked(self, values: tuple[Any, ...]) -> tuple[Value, ...]:
        if len(values) == 1 and isinstance(values[0], list | tuple):
            values = tuple(values[0])
        for value in values:
            if not isinstance(value, Value):
                raise TypeError(
                    f"{type(self).__name__} '{self.name}' takes outputs of layers and inputs made "
                    f"by nn.Input, not {type(value).__name__}"
                )
        if not values or (self.arity is not None and len(values) != self.arity):
            expected = "one or more values" if self.arity is None else f"{self.arity}"
            raise TypeError(
                f"{type(self).__name__} '{self.name}' takes {expected}, not {len(values)}"
            )
        return values


def snake_case(name: str) -> str:
    """Return the name of a class as that of a function.

    Examples
    --------
    >>> snake_case("BatchNorm"), snake_case("Conv2D"), snake_case("LSTM")
    ('batch_norm', 'conv2d', 'lstm')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def differ(left: Shape, right: Shape) -> bool:
    """Return whether two shapes cannot be those of inputs of one layer."""
    return len(left) != len(right) or any(
        a != b and a is not None and b is not None for a, b in zip(left, right, strict=True)
    )


def tuples(value: Any) -> Any:
    """Return lists of JSON as tuples.

    Examples
    --------
    >>> tuples([1, [2, 3]])
    (1, (2, 3))
    """
    return tuple(map(tuples, value)) if isinstance(value, list) else value
