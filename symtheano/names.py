"""Public names of modules, and error messages for names that do not exist."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from symtheano.errors import format_error

_PLACES = (
    "symtheano", "symtheano.tensor", "symtheano.tensor.nnet", "symtheano.gradient",
    "symtheano.tensor.nlinalg", "symtheano.tensor.slinalg", "symtheano.tensor.linalg",
    "symtheano.tensor.fft", "symtheano.tensor.special", "symtheano.tensor.random",
    "symtheano.sparse", "symtheano.printing",
)  # fmt: skip
"""Modules in which a missing name is searched, in order of use."""


class MissingName(AttributeError):
    """A missing attribute of a module or a variable.

    Missing attributes are common (``hasattr``), so the message is only created when it is shown.

    Parameters
    ----------
    owner
        The module's name, or the variable's class.
    name
        The missing name.

    Examples
    --------
    >>> print(MissingName("symtheano.tensor", "relu"))
    module 'symtheano.tensor' has no attribute 'relu'
      hint: it is symtheano.tensor.nnet.relu
    """

    def __init__(self, owner: str | type, name: str) -> None:
        super().__init__(owner, name)
        self.owner, self.asked = owner, name
        self.name = name  # with it, Python adds no suggestion of its own

    def __str__(self) -> str:
        owner = self.owner
        whose = f"module {owner!r}" if isinstance(owner, str) else f"{owner.__name__!r} object"
        what = f"{whose} has no attribute {self.asked!r}"
        return format_error(what, hint=self._where() or self._meant())

    def _where(self) -> str | None:
        """Return what the name is called here, or the module in which it exists."""
        if self.asked.startswith("_"):
            return None
        if not isinstance(self.owner, str):
            if self.asked in ELSEWHERE_OF_VARIABLES:
                return ELSEWHERE_OF_VARIABLES[self.asked]
            places = places_of(self.asked)
            return f"it is a function: {places[0]}.{self.asked}(x)" if places else None
        if self.owner == "symtheano" and f"symtheano.tensor.{self.asked}" in _PLACES:
            return f"it is symtheano.tensor.{self.asked}"
        if self.asked in ELSEWHERE:
            return ELSEWHERE[self.asked]
        if places := places_of(self.asked):
            return f"it is {places[0]}.{self.asked}"
        ours = MissingName.of_networks(self.asked) if self.owner == "symtheano" else None
        return ours or self._absent()

    @staticmethod
    def of_networks(name: str) -> str | None:
        """Return a hint for a name of another library of networks; a later layer sets this."""
        return None

    def _absent(self) -> str | None:
        """Return that a function of NumPy or SciPy has no counterpart."""
        library = library_of(self.asked)
        remedy = "symtheano.as_op makes an op of a function of arrays, without a gradient"
        return library and f"{library}.{self.asked} has no counterpart here; {remedy}"

    def _meant(self) -> str | None:
        """Return the names that are spelled almost alike, preferring the owner's own."""
        if not isinstance(self.owner, str):
            names = close(self.asked, [n for n in dir(self.owner) if not n.startswith("_")])
        else:
            names = close(self.asked, _names_of(self.owner))
        if not names and isinstance(self.owner, str) and not self.owner.startswith("symtheano.nn"):
            names = [f"{p}.{n}" for p in _PLACES for n in close(self.asked, _names_of(p))[:1]][:1]
        return asked_for(names)


OF_NUMPY: dict[str, str] = {
    name: remedy
    for names, remedy in {
        "apply_along_axis apply_over_axes frompyfunc": "it is T.vectorize(function)",
        "around": "it is T.round(x, decimals)",
        "block bmat": "T.concatenate([T.concatenate([a, b], 1), T.concatenate([c, d], 1)])",
        "copy": "it is x.copy()",
        "insert delete": "T.concatenate([x[:k], x[k + 1:]]), or T.set_subtensor",
        "ediff1d": "it is T.diff(x)",
        "union1d": "T.unique(T.concatenate([x, y]))",
        "in1d": "it is T.isin(x, y)",
        "intersect1d": "T.unique(x[T.isin(x, y)])",
        "setdiff1d": "T.unique(x[~T.isin(x, y)])",
        "polyadd polysub": "polynomials are vectors: p + q",
        "polymul": "it is T.convolve(p, q)",
        "polyder": "it is p[:-1] * T.arange(n, 0, -1) for a polynomial of degree n",
        "roots": "T.linalg.eigvals(T.linalg.companion(p)), if they are real",
        "piecewise": "it is T.select(conditions, values), or T.switch",
        "histogram": "it is T.histogram_counts(x, edges)",
        "modf": "x - T.trunc(x) and T.trunc(x)",
        "trapz": "it is T.trapezoid(y, x)",
        "row_stack": "it is T.vstack",
        "product": "it is T.prod",
        "cho_factor": "T.linalg.cholesky(a), and T.linalg.cho_solve((c, True), b)",
        "lu_factor lu_solve solve_banded solveh_banded": "it is T.linalg.solve(a, b)",
        "solve_toeplitz": "T.linalg.solve(T.linalg.toeplitz(c, r), b)",
        "solve_circulant": "T.fft.ifft(T.fft.fft(b) / T.fft.fft(c))",
        "matmul_toeplitz": "it is T.linalg.toeplitz(c, r) @ x",
        "pinvh": "it is T.linalg.pinv(a)",
        "polar orth null_space": "T.linalg.svd(a) has its parts",
        "issymmetric ishermitian": "T.allclose(a, a.T)",
        "hilbert invhilbert hadamard pascal invpascal helmert dft": (
            "SciPy returns an array of numbers, and expressions take it as it is"
        ),
        "next_fast_len": "scipy.fft.next_fast_len(n) of an integer",
        "lognormal": "T.exp(T.random.normal(mean, sigma, size))",
        "standard_exponential": "T.random.exponential(size=size)",
        "standard_gamma": "T.random.gamma(shape, size=size)",
        "chisquare": "it is 2 * T.random.gamma(df / 2, size=size)",
        "gumbel": "it is -T.log(T.random.exponential(size=size))",
        "rayleigh": "T.sqrt(2 * T.random.exponential(size=size))",
        "weibull": "it is T.random.exponential(size=size) ** (1 / a)",
        "multivariate_normal": "it is mean + T.linalg.cholesky(cov) @ T.random.normal(size=n)",
        "max_pool2d max_pool avg_pool2d avg_pool": (
            "it is symtheano.tensor.signal.pool.pool_2d(x, ws, ignore_border=True)"
        ),
        "btdtr": "it is T.special.betainc(a, b, x)",
        "gdtr": "it is T.special.gammainc(b, a * x)",
        "gdtrc": "it is T.special.gammaincc(b, a * x)",
        "zetac": "it is T.special.zeta(x) - 1",
        "betainccinv": "it is 1 - T.special.betaincinv(b, a, y)",
    }.items()
    for name in names.split()
}
"""What to write for functions of NumPy and SciPy that have no counterpart of the same name."""

ELSEWHERE: dict[str, str] = {
    **OF_NUMPY,
    **dict.fromkeys(("randint", "random_integers"), "it is T.random.integers(low, high, size)"),
    **dict.fromkeys(
        ("array", "asarray", "asanyarray", "from_numpy"),
        "it is T.as_tensor_variable(x), or T.constant(x)",
    ),
    **dict.fromkeys(("randn", "rand"), "it is T.random.standard_normal(size), or uniform"),
    **dict.fromkeys(("RandomState", "RandomStream"), "it is T.random.RandomStreams(seed)"),
    "bool": 'dtypes are strings: "bool", or symtheano.bool_',
    "clamp": "it is symtheano.tensor.clip(x, low, high)",
    "device": "symtheano.function(inputs, outputs, device=...) and config.device name one",
    "cat": "it is symtheano.tensor.concatenate",
    "jit": "symtheano.function(inputs, outputs) compiles expressions",
    "no_grad": (
        "derivatives are computed only where symtheano.grad asks for them; "
        "symtheano.gradient.disconnected_grad(x) is a constant to them"
    ),
    **{name: f"it is numpy.{name}" for name in ("pi", "e", "inf", "nan", "newaxis")},
    "nn": "layers are in symtheano.nn, their functions in symtheano.tensor.nnet",
    "value_and_grad": "write symtheano.function([x], [y, symtheano.grad(y, x)])",
    "vmap": "it is symtheano.tensor.vectorize(function), or symtheano.scan",
}
"""What names of NumPy and others are here, if it is not a name that only differs in its place."""

ELSEWHERE_OF_VARIABLES: dict[str, str] = {
    "assign": "it is set_value(value) of a shared variable, or in a session nn.assign(w, value)",
    "assign_add": "in a session it is nn.assign_add(w, value)",
    "assign_sub": "in a session it is nn.assign_sub(w, value)",
    **dict.fromkeys(
        ("value", "values", "numpy", "item", "tolist", "data"),
        "it is get_value() of a shared variable, and eval() of an expression",
    ),
    **dict.fromkeys(
        ("requires_grad", "requires_grad_"),
        "derivatives are symtheano.grad(cost, wrt), with respect to any expression",
    ),
    **dict.fromkeys(("backward", "grad"), "it is a function: symtheano.grad(cost, wrt)"),
    **dict.fromkeys(
        ("add_", "sub_", "mul_", "div_", "copy_", "fill_", "zero_"),
        "expressions do not change: write x = x + y; updates of a function change shared variables",
    ),
    **dict.fromkeys(("compute", "run"), "it is eval({x: value}), or symtheano.function([x], y)"),
    **dict.fromkeys(("append", "extend"), "it is x = symtheano.tensor.append(x, values)"),
    "insert": "it is symtheano.tensor.concatenate([x[:k], value, x[k:]])",
    "count": "it is symtheano.tensor.eq(x, value).sum()",
    "numel": "it is size, an expression without parentheses",
    "dim": "it is ndim, a number",
    "as_list": "it is static_shape of the array, a tuple",
    "head": "it is x[:5]",
    **dict.fromkeys(
        ("flags", "strides", "nbytes", "itemsize"), "it belongs to values: eval() or get_value()"
    ),
    "detach": "it is a function: symtheano.gradient.disconnected_grad(x)",
    **dict.fromkeys(("view", "resize"), "it is reshape"),
    **dict.fromkeys(("permute", "movedim"), "it is transpose, or dimshuffle"),
    **dict.fromkeys(
        ("to", "float", "double", "half", "type_as"),
        'it is astype("float32"), or "float64"; function(..., device=...) names a device',
    ),
    **dict.fromkeys(("long", "int"), 'it is astype("int64")'),
    **dict.fromkeys(
        ("cuda", "cpu", "device", "contiguous"),
        "leave it out: function(..., device=...) names a device",
    ),
    "at": "it is a function: symtheano.tensor.set_subtensor(x[key], value), or inc_subtensor",
    "get_shape": "it is shape, an expression, or static_shape, a tuple",
    "load": "it is set_value(value) of a shared variable",
    "clamp": "it is clip(low, high)",
    "unsqueeze": "it is dimshuffle, or a function: symtheano.tensor.expand_dims(x, axis)",
}
"""What attributes of other libraries' arrays are here."""

_OF_SCIPY = ("scipy.linalg", "scipy.fft", "scipy.special")


def library_of(name: str) -> str | None:
    """Return the module of NumPy or SciPy that has a function of this name, if there is one.

    Examples
    --------
    >>> library_of("sinc"), library_of("sqrtm"), library_of("sink")
    ('numpy', 'scipy.linalg', None)
    """
    for library in ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", *_OF_SCIPY):
        if callable(vars(import_module(library)).get(name)):
            return library
    return None


def places_of(name: str) -> list[str]:
    """Return the modules that have a function, a class or a constant of this name.

    Examples
    --------
    >>> places_of("relu"), places_of("where_is_it")
    (['symtheano.tensor.nnet'], [])
    """
    return [
        place for place in _PLACES
        if name in _names_of(place)
        and not isinstance(getattr(import_module(place), name), ModuleType)
    ]  # fmt: skip


def asked_for(names: Sequence[str]) -> str | None:
    """Return the question whether one of at most three names was meant, None if there are none.

    Examples
    --------
    >>> asked_for(["fit"]), asked_for(["fit", "bit"]), asked_for([])
    ('did you mean fit?', 'did you mean fit or bit?', None)
    """
    *others, last = names[:3] or [""]
    return f"did you mean {' or '.join(filter(None, [', '.join(others), last]))}?" if last else None


def _names_of(module: str) -> list[str]:
    imported = import_module(module)
    return list(getattr(imported, "__all__", None) or dir(imported))


def close(name: str, names: Iterable[str], shortest: int = 4) -> list[str]:
    """Return the closest names that a misspelled one may stand for.

    They differ from it in one letter of ``shortest`` to seven, in two of up to eleven, in three of
    more, or have up to three letters after those of five or more. Names of functions of NumPy and
    SciPy are not misspelled. Case and underscores make no difference.

    Examples
    --------
    >>> close("fitt", ["fit", "summary"]), close("csr_mat", ["csr_matrix", "matrix"])
    (['fit'], ['csr_matrix'])
    >>> close("Normalization", ["UnitNormalization"]), close("sqrtm", ["sqrt"])
    ([], [])
    """
    plain = _plain(name)
    if library_of(name):
        return [other for other in names if _plain(other) == plain]
    letters = max(min(3, len(plain) // 4), int(len(plain) >= shortest))
    ranked = []
    for other in names:
        target = _plain(other)
        distance = edits(plain, target)
        begins = len(plain) >= 5 and target.startswith(plain) and len(target) <= len(plain) + 3
        if distance <= letters or begins:
            ranked.append((distance, other.islower() != name.islower(), other))
    ranked.sort()
    return [other for *rank, other in ranked if rank == [*ranked[0][:2]]]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def edits(one: str, other: str) -> int:
    """Return how many letters are to be inserted, deleted, replaced or exchanged with the next one.

    See Damerau, 1964; this is the optimal string alignment distance.

    Examples
    --------
    >>> edits("jacobain", "jacobian"), edits("utils", "until"), edits("", "abc")
    (1, 2, 3)
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def public(
    module: str, modules: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a module with ``__all__``.

    ``modules`` are submodules that are imported when they are first used.

    Examples
    --------
    >>> "pinv" in public("symtheano.tensor.nlinalg")[1]()
    True
    """

    def missing(name: str) -> Any:
        if name in modules:
            return import_module(f"{module}.{name}")
        raise MissingName(module, name)

    def names() -> list[str]:
        return sorted(import_module(module).__all__)

    return missing, names


class PublicModule(ModuleType):
    """The class of a module whose functions keep their names when a submodule is imported.

    Python sets an imported submodule as an attribute of its package, which would hide a function of
    the same name: ``symtheano.tensor.linalg.solve`` is both.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in vars(self)["__all__"]):
            super().__setattr__(name, value)


class _Package(ModuleType):
    """The class of a package some of whose submodules are no attributes."""

    hidden: frozenset[str]

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in vars(self)["hidden"]):
            super().__setattr__(name, value)


def hide_submodules(module: str, names: Iterable[str]) -> None:
    """Take submodules from the attributes of a package; imports find them all the same.

    Python would answer ``optimizers.adam`` with a module, where the class ``optimizers.Adam`` is
    meant; now the package's ``__getattr__`` can say so.
    """
    package = sys.modules[module]
    vars(package)["hidden"] = frozenset(names)
    for name in names:
        if isinstance(vars(package).get(name), ModuleType):
            delattr(package, name)
    package.__class__ = _Package


def late(
    module: str, names: Mapping[str, str], own: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package with names from elsewhere.

    Parameters
    ----------
    module
        The package, whose ``__all__`` is to be the third result. No submodule can replace them.
    names
        Names, separated by spaces, by the module of this package in which they are; they are
        imported on first access. ``shown=other`` is the name ``other``, shown as ``shown``.
    own
        Names that the package itself defines.

    Examples
    --------
    >>> sorted(late("symtheano.tensor.linalg", {"tensor.linalg.svd": "SVD svd"})[2])
    ['SVD', 'svd']
    """
    pairs = [
        (item.partition("=")[0], place, item.rpartition("=")[2])
        for place, items in names.items()
        for item in items.split()
    ]
    places = {shown: (place, own) for shown, place, own in pairs}
    package = sys.modules[module]

    def missing(name: str) -> Any:
        if name not in places:
            raise MissingName(module, name)
        place, own = places[name]
        value = vars(package)[name] = getattr(import_module(f"symtheano.{place}"), own)
        return value

    package.__class__ = PublicModule
    vars(package)["_PLACES"] = places
    public_names = sorted({*places, *own})
    return missing, lambda: sorted(public_names), public_names
