"""Errors for attributes that modules, models, layers and optimizers do not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NoReturn

from symtheano.names import MissingName, asked_for, close
from symtheano.nn.foreign import NAMES, key, where
from symtheano.nn.lookup import snake_case


def by_name(tables: Mapping[str, str]) -> dict[str, str]:
    """Return what stands for several names, separated by spaces, for each of them."""
    return {name: ours for names, ours in tables.items() for name in names.split()}


METHODS = by_name(
    {
        "get_layer": "layers, a list; each has a name",
        "input_shape": "inputs[0].shape, without the axis of samples",
        "output_shape": "outputs[0].shape, without the axis of samples",
        "requires_grad requires_grad_": "trainable",
        "copy clone": "copy.deepcopy of the model",
        "tabulate": "summary()",
        "params": "parameters",
        "train fit_generator partial_fit learn": "fit(x, y)",
        "forward apply call": "a call: model(x) of values and symbolic arrays",
        "eval predict_proba transform": "predict(x)",
        "predict_classes": "predict(x), and numpy.argmax along axis 1 of it",
        "score test evaluate_generator": "evaluate(x, y)",
        "accuracy": 'evaluate(x, y)["accuracy"], with metrics=["accuracy"] in compile',
        "state_dict weights variables trainable_weights trainable_variables coefs_": (
            "get_weights(), or parameters"
        ),
        "named_parameters": "parameters, a list; each has a name",
        "load_state_dict": "set_weights(arrays)",
        "load_weights": "restore(path)",
        "save_weights export to_json": "save(path), or to_bytes()",
        "count_params info": "summary()",
        "zero_grad backward step": "fit(x, y), or train_on_batch(x, y)",
        "to cuda cpu": 'compile(..., device="cuda"), or backend="c" for the processor',
        "init": "build(shape)",
        "freeze": "trainable = False",
        "metrics_names": "history.history, by name",
    }
)
"""Methods of models by the names of others."""

OF_LAYERS = by_name(
    {
        "requires_grad requires_grad_": "trainable",
        "weights variables trainable_weights trainable_variables": "parameters, a list",
        "state_dict": "get_weights()",
        "load_state_dict": "set_weights(arrays)",
        "get_config": "config()",
        "param add_variable register_parameter register_buffer": (
            "add_weight(shape, initializer), in build"
        ),
        "input_shape": "the shape of the value that the layer is called with",
        "output": "what a call of the layer returns",
        "input": "the value that the layer is called with",
        "count_params": "summary() of the model",
    }
)
"""Methods of layers by the names of others."""

OF_OPTIMIZERS = by_name(
    {
        "update apply_gradients": "updates(cost, parameters), for symtheano.function",
        "zero_grad": "not needed: gradients are expressions and need no reset",
        "lr": "learning_rate",
        "param_groups state_dict": "learning_rate and state",
        "get_config": "config()",
    }
)
"""Methods of optimizers by the names of others."""


OF_GRAPHS: dict[str, str] = {
    "get_operations": "operations, a list",
    "get_operation_by_name": 'graph["name"]',
    "get_tensor_by_name": 'graph["name"]',
    "get_collection": "variables, trainable or values",
    "finalize": "not needed: a graph can grow at any time",
}
"""Methods of graphs by the names of others."""


class MissingNetworkName(MissingName):
    """A name that a module of :mod:`symtheano.nn` does not have; the message has ours.

    Parameters
    ----------
    owner, name
        The module's name, and the missing one.
    candidates
        The names of the module.
    functions
        The names of activation functions.

    Examples
    --------
    >>> print(MissingNetworkName("symtheano.nn", "BatchNorm2d"))
    module 'symtheano.nn' has no attribute 'BatchNorm2d'
      hint: it is nn.BatchNorm()
    """

    def __init__(
        self, owner: str, name: str, candidates: Iterable[str] = (), functions: Iterable[str] = ()
    ) -> None:
        super().__init__(owner, name)
        self.args = owner, name, candidates, functions
        self._candidates, self._functions = tuple(candidates), tuple(functions)

    def _where(self) -> str | None:
        if self.asked.startswith("_"):
            return None
        if self.owner != "symtheano.nn":
            for own in self._candidates:
                if key(own) == key(self.asked):
                    return f"it is {str(self.owner).removeprefix('symtheano.')}.{own}"
        return where(self.asked, self._functions) or super()._where()

    def _meant(self) -> str | None:
        return asked_for(close(self.asked, self._candidates))


class MissingMethod(MissingName):
    """An attribute that a model, a layer or an optimizer does not have; the message has ours.

    Parameters
    ----------
    owner
        The class.
    name
        The missing attribute.
    theirs
        Ours by the names of others.
    candidates
        What the object has, besides the names of its class.
    remark
        What to do, if nothing else is known.

    Examples
    --------
    >>> print(MissingMethod(dict, "load_state_dict"))
    'dict' object has no attribute 'load_state_dict'
      hint: it is set_weights(arrays)
    """

    def __init__(
        self,
        owner: type,
        name: str,
        theirs: Mapping[str, str] = METHODS,
        candidates: Iterable[str] = (),
        remark: str | None = None,
    ) -> None:
        super().__init__(owner, name)
        self.args = owner, name, theirs, candidates, remark
        self._theirs, self._candidates, self._remark = theirs, tuple(candidates), remark

    def _where(self) -> str | None:
        ours = self._theirs.get(self.asked)
        return f"it is {ours}" if ours else self._as_layer()

    def _as_layer(self) -> str | None:
        """Return the method that adds the layer that another library calls by this name."""
        for own in self._candidates:
            if key(own) == key(self.asked):
                return f"it is {own}"
        cls, _, rest = re.sub(r"^nn\.", "", NAMES.get(key(self.asked), "")).partition("(")
        method = snake_case(cls)
        return f"it is {method}({rest}" if method in self._candidates else None

    def _meant(self) -> str | None:
        candidates = [*self._candidates, *dir(self.owner)]
        public = dict.fromkeys(name for name in candidates if not name.startswith("_"))
        return asked_for(close(self.asked, public)) or self._remark


def missing_in(module: str, candidates: Iterable[str]) -> Callable[[str], NoReturn]:
    """Return ``__getattr__`` for a module of :mod:`symtheano.nn`: an error with a hint.

    Examples
    --------
    >>> missing_in("symtheano.nn.losses", ["dice", "hinge"])("hing")
    Traceback (most recent call last):
    ...
    symtheano.nn.missing.MissingNetworkName: module 'symtheano.nn.losses' has no attribute 'hing'
      hint: did you mean hinge?
    """
    names = tuple(candidates)

    def missing(name: str) -> NoReturn:
        raise MissingNetworkName(module, name, names)

    return missing
