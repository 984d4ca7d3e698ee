"""Initial values of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, prod, sqrt
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from symtheano.nn.configuration import build, describe
from symtheano.nn.lookup import look_up

Array = npt.NDArray[Any]


class Initializer:
    """Initial values of an array: an object that is called with a shape, a dtype and a generator.

    A subclass has the method ``values(shape, rng)``, which returns floats. Numbers are drawn in
    float64 and then rounded, so one seed gives the same values in every dtype.

    Examples
    --------
    >>> class Alternating(Initializer):
    ...     def values(self, shape, rng):
    ...         return np.resize([1.0, -1.0], shape)
    >>> Alternating()((2, 3), "float32")
    array([[ 1., -1.,  1.], [-1.,  1., -1.]], dtype=float32)
    """

    def __call__(
        self,
        shape: Sequence[int],
        dtype: Any = "float32",
        rng: np.random.Generator | int | None = None,
    ) -> Array:
        """Return an array.

        Parameters
        ----------
        shape
            Lengths; any number of them, unless the class says otherwise.
        dtype
            Dtype of the result, a float dtype.
        rng
            NumPy's generator, or a seed.

        Raises
        ------
        TypeError
            If the dtype holds integers.
        ValueError
            If the shape is none that the initializer can fill.
        """
        shape = tuple(int(length) for length in shape)
        if np.dtype(dtype).kind not in "fc":
            raise TypeError(f"{self!r}: the dtype of parameters is a float, not {dtype}")
        if any(length < 0 for length in shape):
            raise ValueError(f"{self!r}: the shape {shape} has a negative length")
        made = self.values(shape, np.random.default_rng(rng))
        return np.array(np.broadcast_to(made, shape), dtype, order="C")

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return the values, which are broadcast to the shape and rounded to the dtype."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'values'")

    def config(self) -> dict[str, Any]:
        """Return the class and its fields as data for JSON; :func:`from_config` reads it."""
        return describe(self)


@dataclass(frozen=True)
class Constant(Initializer):
    """All elements are ``value``.

    Examples
    --------
    >>> Constant(0.5)((2,), "float64")
    array([0.5, 0.5])
    """

    value: float = 0.0

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return the number."""
        return self.value


@dataclass(frozen=True)
class Zeros(Initializer):
    """All elements are 0: what biases begin with.

    Examples
    --------
    >>> Zeros()((2,), "float64")
    array([0., 0.])
    """

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return 0."""
        return 0.0


@dataclass(frozen=True)
class Ones(Initializer):
    """All elements are 1: what the scales of normalizations begin with.

    Examples
    --------
    >>> Ones()((2,), "float64")
    array([1., 1.])
    """

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return 1."""
        return 1.0


@dataclass(frozen=True, eq=False)
class Given(Initializer):
    """The elements of an array that has the shape of the parameter.

    Examples
    --------
    >>> Given(np.array([1.0, 2.0]))((2,), "float64")
    array([1., 2.])
    """

    value: Any

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return the array, if its shape is that of the parameter."""
        array = np.asarray(self.value)
        if array.shape != shape:
            raise ValueError(
                f"the initial value has shape {array.shape}, and the parameter has shape {shape}"
            )
        return array


@dataclass(frozen=True)
class Uniform(Initializer):
    """Uniform between ``low`` and ``high``.

    Examples
    --------
    >>> bool((abs(Uniform(-0.1, 0.1)((100,), "float64", 0)) < 0.1).all())
    True
    """

    low: float = -0.05
    high: float = 0.05

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        return rng.uniform(self.low, self.high, shape)


@dataclass(frozen=True)
class Normal(Initializer):
    """Normal with mean ``mean`` and standard deviation ``std``.

    Examples
    --------
    >>> float(Normal(std=2.0)((10_000,), "float64", 0).std().round(1))
    2.0
    """

    mean: float = 0.0
    std: float = 0.05

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        return rng.normal(self.mean, self.std, shape)


@dataclass(frozen=True)
class TruncatedNormal(Initializer):
    """Normal, where numbers more than two ``std`` from the mean are drawn again.

    The standard deviation of the result is smaller, by the factor 0.8796.

    Examples
    --------
    >>> float(abs(TruncatedNormal(std=1.0)((10_000,), "float64", 0)).max().round(1))
    2.0
    """

    mean: float = 0.0
    std: float = 0.05

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        return self.mean + self.std * truncated_normal(shape, rng)


def truncated_normal(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Return standard normal numbers, where those beyond -2 and 2 are drawn again.

    Examples
    --------
    >>> truncated_normal((3,), np.random.default_rng(0)).shape
    (3,)
    """
    drawn = rng.standard_normal(shape).reshape(-1)
    outside = np.flatnonzero(np.abs(drawn) > 2)
    while outside.size:
        drawn[outside] = rng.standard_normal(outside.size)
        outside = outside[np.abs(drawn[outside]) > 2]
    return drawn.reshape(shape)


TRUNCATED_STD = 0.8796256610342398
"""Standard deviation of the standard normal distribution between -2 and 2."""


def fans(shape: Sequence[int], axes: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return how many inputs a unit has, and how many outputs an input has: fan-in and fan-out.

    Parameters
    ----------
    shape
        Shape of the weights.
    axes
        The axis of inputs and the axis of outputs. By default, those of a dense layer for matrices
        (inputs, outputs), and those of a convolution for more axes (outputs, inputs, *window).
        Where a convolution has groups, its inputs are those of one group.

    Returns
    -------
    The two numbers. Each axis that is neither of the two is part of the window, and multiplies
    both. A vector has as many inputs as outputs; an array without axes has one.

    Raises
    ------
    ValueError
        If there is no such axis, or both are one.

    Examples
    --------
    >>> fans((784, 100)), fans((16, 3, 5, 5)), fans((100, 784), axes=(1, 0))
    ((784, 100), (75, 400), (784, 100))
    """
    shape = tuple(shape)
    if len(shape) < 2:
        length = shape[0] if shape else 1
        return length, length
    inputs, outputs = axes if axes is not None else (0, 1) if len(shape) == 2 else (1, 0)
    n = len(shape)
    if not (-n <= inputs < n and -n <= outputs < n) or inputs % n == outputs % n:
        raise ValueError(
            f"axes ({inputs}, {outputs}) of inputs and outputs are not two axes of shape {shape}"
        )
    window = prod(size for axis, size in enumerate(shape) if axis not in (inputs % n, outputs % n))
    return shape[inputs] * window, shape[outputs] * window


@dataclass(frozen=True)
class VarianceScaling(Initializer):
    """Random numbers whose variance is ``scale / fan``: the base of Glorot, He and LeCun.

    Parameters
    ----------
    gain
        Factor of all numbers.
    axes
        Axes of inputs and outputs, see :func:`fans`.

    Examples
    --------
    >>> class Narrow(VarianceScaling):
    ...     scale, fan, distribution = 0.1, "in", "uniform"
    >>> float((12 * Narrow()((1000, 10), "float64", 0).std() ** 2 * 1000).round(1))
    1.2
    """

    gain: float = 1.0
    axes: tuple[int, int] | None = None

    scale: ClassVar[float] = 1.0
    fan: ClassVar[str] = "average"
    distribution: ClassVar[str] = "uniform"

    def __post_init__(self) -> None:
        """Take a list of axes, as JSON has it."""
        if self.axes is not None:
            object.__setattr__(self, "axes", tuple(self.axes))

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        inputs, outputs = fans(shape, self.axes)
        fan = {"in": inputs, "out": outputs, "average": (inputs + outputs) / 2}[self.fan]
        std = self.gain * sqrt(self.scale / max(fan, 1))
        if self.distribution == "uniform":
            return std * sqrt(3.0) * rng.uniform(-1.0, 1.0, shape)
        return std / TRUNCATED_STD * truncated_normal(shape, rng)


class GlorotUniform(VarianceScaling):
    """Uniform within ``±gain * sqrt(6 / (fan_in + fan_out))``.

    See Glorot and Bengio, 2010, Understanding the difficulty of training deep feedforward neural
    networks.

    Examples
    --------
    >>> float(abs(GlorotUniform()((100, 50), "float64", 0)).max().round(2))
    0.2
    """


class GlorotNormal(VarianceScaling):
    """Truncated normal with standard deviation ``gain * sqrt(2 / (fan_in + fan_out))``.

    See Glorot and Bengio, 2010. As in Keras, no number is larger than two standard deviations of
    the distribution before it is cut off, which is so wide that the result has the variance above.

    Examples
    --------
    >>> float(GlorotNormal()((100, 100), "float64", 0).std().round(2))
    0.1
    """

    distribution = "normal"


class HeUniform(VarianceScaling):
    """Uniform within ``±gain * sqrt(6 / fan_in)``: for layers with relu.

    See He et al., 2015, Delving deep into rectifiers.

    Examples
    --------
    >>> float(abs(HeUniform()((150, 50), "float64", 0)).max().round(2))
    0.2
    """

    scale, fan = 2.0, "in"


class HeNormal(VarianceScaling):
    """Truncated normal with standard deviation ``gain * sqrt(2 / fan_in)``: for layers with relu.

    See He et al., 2015; and :class:`GlorotNormal` about where it is cut off.

    Examples
    --------
    >>> float(HeNormal()((200, 100), "float64", 0).std().round(2))
    0.1
    """

    scale, fan, distribution = 2.0, "in", "normal"


class LeCunUniform(VarianceScaling):
    """Uniform within ``±gain * sqrt(3 / fan_in)``.

    See LeCun et al., 1998, Efficient backprop.

    Examples
    --------
    >>> float(abs(LeCunUniform()((75, 50), "float64", 0)).max().round(2))
    0.2
    """

    fan = "in"


class LeCunNormal(VarianceScaling):
    """Truncated normal with standard deviation ``gain * sqrt(1 / fan_in)``: for layers with selu.

    See LeCun et al., 1998, and Klambauer et al., 2017, Self-normalizing neural networks.

    Examples
    --------
    >>> float(LeCunNormal()((100, 100), "float64", 0).std().round(2))
    0.1
    """

    fan, distribution = "in", "normal"


@dataclass(frozen=True)
class Orthogonal(Initializer):
    """Rows or columns, whichever are fewer, are orthogonal and have length ``gain``.

    Arrays with more than two axes are matrices whose columns are all axes but the first. The matrix
    is Q of the QR decomposition of normal numbers, with the signs that make it uniformly
    distributed. See Saxe et al., 2014, Exact solutions to the nonlinear dynamics of learning in
    deep linear neural networks.

    Raises
    ------
    ValueError
        For fewer than two axes.

    Examples
    --------
    >>> q = Orthogonal(2.0)((3, 3), "float64", 0)
    >>> bool(np.allclose(q @ q.T, 4 * np.eye(3)))
    True
    """

    gain: float = 1.0

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw a matrix and decompose it."""
        _at_least_two(self, shape)
        rows, columns = shape[0], prod(shape[1:])
        drawn = rng.standard_normal((max(rows, columns), min(rows, columns)))
        q, r = np.linalg.qr(drawn)
        q *= np.where(np.diagonal(r) < 0, -1.0, 1.0)
        return self.gain * (q if rows >= columns else q.T).reshape(shape)


@dataclass(frozen=True)
class Identity(Initializer):
    """The matrix with ``gain`` on its diagonal, or filters that give back the image.

    A matrix need not be square. In filters (outputs, inputs, *window) the middle of the window is
    ``gain`` where the output is the input.

    Raises
    ------
    ValueError
        For fewer than two axes.

    Examples
    --------
    >>> Identity(2.0)((2, 3), "float64")
    array([[2., 0., 0.], [0., 2., 0.]])
    """

    gain: float = 1.0

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return zeros and the diagonal."""
        _at_least_two(self, shape)
        made = np.zeros(shape)
        if made.size:
            middle = np.ravel_multi_index([length // 2 for length in shape[2:]], shape[2:])
            np.fill_diagonal(made.reshape(*shape[:2], -1)[:, :, middle], self.gain)
        return made


@dataclass(frozen=True)
class Sparse(Initializer):
    """Normal numbers, of which each unit has only some: ``sparsity`` of its inputs are 0.

    In each column, ``ceil(sparsity * rows)`` elements at random are 0. See Martens, 2010, Deep
    learning via Hessian-free optimization.

    Raises
    ------
    ValueError
        If the array is no matrix, or the sparsity is not between 0 and 1.

    Examples
    --------
    >>> (Sparse(0.75)((8, 3), "float64", 0) != 0).sum(0)
    array([2, 2, 2])
    """

    sparsity: float = 0.9
    std: float = 0.01

    def __post_init__(self) -> None:
        """Check the share."""
        if not 0 <= self.sparsity <= 1:
            raise ValueError(f"{self!r}: the sparsity is a share between 0 and 1")

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers and clear some of them."""
        if len(shape) != 2:
            raise ValueError(f"{self!r} fills matrices, not an array of shape {shape}")
        made = rng.normal(0.0, self.std, shape)
        order = rng.random(shape).argsort(axis=0)
        np.put_along_axis(made, order[: ceil(self.sparsity * shape[0])], 0.0, axis=0)
        return made


def _at_least_two(item: Initializer, shape: tuple[int, ...]) -> None:
    if len(shape) < 2:
        raise ValueError(f"{item!r} needs at least two axes, and the shape is {shape}")


INITIALIZERS: dict[str, type[Initializer]] = {
    "constant": Constant,
    "zeros": Zeros,
    "ones": Ones,
    "given": Given,
    "uniform": Uniform,
    "random_uniform": Uniform,
    "normal": Normal,
    "random_normal": Normal,
    "truncated_normal": TruncatedNormal,
    "glorot_uniform": GlorotUniform,
    "xavier_uniform": GlorotUniform,
    "glorot_normal": GlorotNormal,
    "xavier_normal": GlorotNormal,
    "he_uniform": HeUniform,
    "kaiming_uniform": HeUniform,
    "he_normal": HeNormal,
    "kaiming_normal": HeNormal,
    "lecun_uniform": LeCunUniform,
    "lecun_normal": LeCunNormal,
    "orthogonal": Orthogonal,
    "identity": Identity,
    "sparse": Sparse,
}
"""Initializers by name."""


def get(what: Any) -> Initializer:
    """Return an initializer.

    Parameters
    ----------
    what
        A name (``"glorot_uniform"``), an initializer or another function of shape, dtype and
        generator, a number, an array of the parameter's shape, or what ``config`` returned.

    Raises
    ------
    ValueError
        For a name that does not exist.
    TypeError
        For anything else.

    Examples
    --------
    >>> get("he_normal"), get(0.5)
    (HeNormal(gain=1.0, axes=None), Constant(value=0.5))
    """
    if isinstance(what, str):
        known = {name: kind for name, kind in INITIALIZERS.items() if kind is not Given}
        return look_up("initializer", what, known)()
    if isinstance(what, Mapping):
        return from_config(what)
    if isinstance(what, type) and issubclass(what, Initializer):
        return what()
    if callable(what):
        made: Initializer = what
        return made
    if isinstance(what, list | tuple | np.ndarray) and np.ndim(what):
        return Given(np.asarray(what))
    if isinstance(what, int | float | np.number | np.ndarray):
        return Constant(float(what))
    raise TypeError(f"an initializer is a name, an Initializer, a number or an array, not {what!r}")


def from_config(config: Mapping[str, Any]) -> Initializer:
    """Return the initializer that ``config`` described.

    Examples
    --------
    >>> from_config(Uniform(-1.0, 1.0).config())
    Uniform(low=-1.0, high=1.0)
    """
    return build("initializer", config, INITIALIZERS)
