"""Models of PyMC for the sampler nutpie, which calls compiled code without Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symtheano.codegen.abi import ABI
from symtheano.codegen.runtime.library import LoadedLibrary, symbol_address
from symtheano.config import config
from symtheano.function.stages import open_cache


class _Address(NamedTuple):
    """A C function, and what must live as long as it may be called."""

    address: int
    alive: Any


def compile_pymc_model(
    model: Any,
    *,
    initial_points: Any = None,
    jitter_rvs: Any = None,
    default_initialization_strategy: str = "support_point",
    var_names: Iterable[str] | None = None,
) -> Any:
    """Compile a model of PyMC for nutpie, as ``nutpie.compile_pymc_model`` does.

    Parameters
    ----------
    model
        A model of PyMC whose free variables are all continuous.
    initial_points, jitter_rvs, default_initialization_strategy, var_names
        As for ``nutpie.compile_pymc_model``.

    Returns
    -------
    A compiled model, for ``nutpie.sample``. Its method ``with_data`` replaces shared data.

    Raises
    ------
    NotImplementedError
        If a part of the model runs in Python, such as an op without a converter.
    """
    from nutpie import compile_pymc

    import symtheano_pytensor  # noqa: F401 (registers the mode)

    strategy = default_initialization_strategy
    if strategy == "support_point" and jitter_rvs is None:
        jitter_rvs = set(model.free_RVs)
    from pymc.initial_point import make_initial_point_fn

    start = make_initial_point_fn(
        model=model,
        overrides=initial_points,
        default_strategy=strategy,
        jitter_rvs=jitter_rvs,
        return_transformed=True,
    )
    length, size, density, expanded, first, shapes, transformed = compile_pymc._make_functions(
        model,
        mode="SYMTHEANO",
        compute_grad=True,
        join_expanded=True,
        pymc_initial_point_fn=compile_pymc._wrap_with_lock(start),
        var_names=var_names,
    )
    dims, coords = compile_pymc._prepare_dims_and_coords(model, shapes, transformed)
    stored = {item: item.get_value() for item in (*density.get_shared(), *expanded.get_shared())}
    data, alive = _described(density, expanded, length, size, stored)
    return _model_class()(
        _n_dim=length,
        dims=dims,
        _coords=coords,
        _shapes={name: tuple(shape) for name, _, shape in zip(*shapes, strict=True)},
        compiled_logp_func=_Address(_adapter("st_nutpie_density"), alive),
        compiled_expand_func=_Address(_adapter("st_nutpie_expanded"), alive),
        initial_point_func=first,
        shared_data=stored,
        shared_var_keys={item: item.name for item in stored},
        user_data=data,
        n_expanded=size,
        shape_info=shapes,
        logp_func=density,
        expand_func=expanded,
        reparameterized_names=transformed,
    )


def _described(
    density: Any, expanded: Any, length: int, size: int, stored: dict[Any, Any]
) -> tuple[np.ndarray, list[Any]]:
    """Return the structure that nutpie passes as data, and what it points to."""
    calls = [
        function.compiled.vector_callable(
            length, sizes, [stored[item] for item in function.get_shared()]
        )
        for function, sizes in ((density, [1, length]), (expanded, [size]))
    ]
    fields = [
        number
        for call, count in zip(calls, (length, size), strict=True)
        for number in (call.address, call.data, length, count)
    ]
    return np.array(fields, np.uint64), calls


@cache
def _library() -> LoadedLibrary:
    from symtheano import function, tensor as T

    toolchain = function([], T.constant(0.0)).stages.toolchain
    text = ABI + Path(__file__).with_name("nutpie.c").read_text("utf-8")
    return open_cache(config.snapshot()).load(text, toolchain, LoadedLibrary)


def _adapter(name: str) -> int:
    return symbol_address(_library(), name)


@cache
def _model_class() -> type:
    """Return nutpie's class of models with other code for new data."""
    from nutpie.compile_pymc import CompiledPyMCModel

    @dataclasses.dataclass(frozen=True)
    class SymtheanoModel(CompiledPyMCModel):  # type: ignore[misc]
        """A model whose functions symtheano has compiled."""

        def with_data(self, **updates: Any) -> Any:
            """Return the model with other values of shared data, which have the same dtypes."""
            named = {item.name: item for item in self.shared_data}
            stored = dict(self.shared_data)
            for name, value in updates.items():
                if name not in named:
                    raise KeyError(f"Unknown shared variable: {name}")
                stored[named[name]] = named[name].type.filter(np.asarray(value))
            data, alive = _described(
                self.logp_func, self.expand_func, self.n_dim, self.n_expanded, stored
            )
            model: Any = self
            return dataclasses.replace(
                model,
                shared_data=stored,
                user_data=data,
                compiled_logp_func=_Address(self.compiled_logp_func.address, alive),
            )

    return SymtheanoModel
