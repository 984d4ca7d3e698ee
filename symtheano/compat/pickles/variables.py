"""Variables, nodes and containers of pickles, which become symtheano's when their state is read.

The objects themselves become variables, since others of the pickle refer to them: their classes
have no slots of their own, so that the class can be exchanged.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from symtheano.compat.finder import loaded
from symtheano.compat.pickles.ops import converted
from symtheano.compat.pickles.records import Record, type_of, value_of
from symtheano.errors import format_error
from symtheano.graph.shared import Container, SharedVariable
from symtheano.graph.type import Generic
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.tensor import tensor_copy
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant, TensorSharedVariable, TensorVariable


def _restore(variable: Any, state: dict[str, Any], kind: Any) -> None:
    """Set what all variables have."""
    variable.owner, variable.index = state.get("owner"), state.get("index")
    variable.type, variable.origin = kind, None
    variable.name = state.get("name")
    variable._tag = None
    for name, value in getattr(state.get("tag"), "__dict__", {}).items():
        setattr(variable.tag, name, value)


class OldVariable(TensorVariable):
    """A variable that is computed, or an input."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        kind = type_of(state["type"])
        _restore(self, state, kind)
        self.__class__ = _class_of(kind)


def _class_of(kind: Any) -> Any:
    """Return the class of variables of a type that have the layout of arrays' variables."""
    return TensorVariable if isinstance(kind, TensorType) else _Plain


class _Plain(TensorVariable):
    """A variable that is not an array."""

    __slots__ = ()


class OldConstant(TensorConstant):
    """A constant."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        declared = type_of(state["type"])
        data = value_of(declared, state["data"])
        # Types of symtheano's constants tell all lengths.
        kind = TensorType(declared.dtype, shape=data.shape)  # type: ignore[attr-defined]
        _restore(self, {**state, "owner": None, "index": None}, kind)
        self.data, self._signature = data, None
        self.__class__ = TensorConstant  # type: ignore[assignment]


class OldPlainConstant(Constant):
    """A constant that is not an array, such as a slice or None."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        _restore(self, {**state, "owner": None, "index": None}, Generic())
        self.data = state.get("data")
        self.__class__ = Constant  # type: ignore[assignment]


class OldShared(TensorSharedVariable):
    """A shared variable with an array."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        _restore_shared(self, state)
        self.__class__ = TensorSharedVariable  # type: ignore[assignment]


def _restore_shared(variable: Any, state: dict[str, Any]) -> None:
    """Set what all shared variables with arrays have."""
    kind = type_of(state["type"])
    _restore(variable, state, kind)
    variable.container = state["container"]
    variable.strict, variable.allow_downcast = False, None
    update = state.get("default_update")
    if update is not None:
        variable.default_update = update
    if not isinstance(kind, TensorType):
        raise TypeError(f"a pickle has the shared variable {variable.name} of type {kind}")


class OldPlainShared(SharedVariable):
    """A shared variable with any object."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        _restore(self, state, type_of(state["type"]))
        self.container = state["container"]
        self.strict, self.allow_downcast = False, None
        self.__class__ = SharedVariable  # type: ignore[assignment]


class OldRandomState(TensorSharedVariable):
    """A shared generator of random numbers, which programs of Theano alone can use."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        module = loaded().get("theano.tensor.shared_randomstreams")
        if module is None:
            raise NotImplementedError(
                format_error(
                    "the pickle has a RandomState of Theano's RandomStreams",
                    hint="call symtheano.compat.install() and import theano before",
                )
            )
        _restore_shared(self, state)
        self.__class__ = module.RandomStateSharedVariable


class OldContainer(Container):
    """The container of a shared variable's value, or of an input's default."""

    __slots__ = ()

    def __setstate__(self, state: Any) -> None:
        self.type = type_of(state["type"])
        self.storage = [value_of(self.type, state["storage"][0])]
        self.__class__ = Container  # type: ignore[assignment]


class OldApply(Apply):
    """A node, whose op is converted when all of the pickle was read (:func:`finish`)."""

    __slots__ = ()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.op, self.inputs, self.outputs = state["op"], state["inputs"], state["outputs"]
        self.origin, self._tag = None, None
        _nodes.read.append(self)


class _Nodes(threading.local):
    """The nodes that a thread has read, and not converted yet."""

    def __init__(self) -> None:
        self.read: list[OldApply] = []


_nodes = _Nodes()


def finish(first: int) -> None:
    """Convert the nodes that were read, but for some that others have to convert.

    Parameters
    ----------
    first
        The number of nodes that were there before.
    """
    nodes = _nodes.read[first:]
    del _nodes.read[first:]
    for root in nodes:
        stack: list[Any] = [root]
        while stack:
            node = stack[-1]
            if node.__class__ is not OldApply:
                stack.pop()
                continue
            waiting = [
                item.owner
                for item in [*node.inputs, *_inner_outputs(node.op)]
                if isinstance(getattr(item, "owner", None), OldApply)
            ]
            if waiting:
                stack.extend(waiting)
            else:
                stack.pop()
                _convert(node)


def _inner_outputs(op: Any) -> list[Any]:
    """Return the outputs of the graph that an op contains: of a loop, or of a ``Composite``."""
    records = [each for each in (op, getattr(op, "scalar_op", None)) if isinstance(each, Record)]
    return [item for each in records for item in each.get("outputs", ())]


def discard(first: int) -> None:
    """Forget nodes of a pickle that could not be read."""
    del _nodes.read[first:]


def nodes_read() -> int:
    """Return how many nodes this thread has read, and not converted yet."""
    return len(_nodes.read)


def _convert(node: Any) -> None:
    """Make a node one of symtheano, with the outputs that the pickle has."""
    outputs = node.outputs
    new = converted(node.op, node.inputs, [item.type for item in outputs])
    for old, result in zip(outputs, new, strict=True):
        _graft(old, result)
    owner = outputs[0].owner
    node.op, node.inputs, node.outputs = owner.op, owner.inputs, owner.outputs
    node.__class__ = Apply


def _graft(old: Any, new: Variable) -> None:
    """Make an object of the pickle the output of a new node."""
    node: Any = new.owner
    if node is None or node.outputs[new.index] is not new:
        new = tensor_copy(new)
        node = new.owner
    old.owner, old.index, old.type = node, new.index, new.type
    old.__class__ = _class_of(new.type)
    node.outputs[old.index] = old


class OldFunctionGraph(Record):
    """The graph of a function after optimization, which is not needed: it is made again."""


def input_of(record: Any) -> Any:
    """Return symtheano's specification of an input of a pickled function."""
    from symtheano import In

    if not isinstance(record, Record):
        return record
    return In(
        record.get("variable"),
        name=record.get("name"),
        value=record.get("value"),
        update=record.get("update"),
        strict=bool(record.get("strict", False)),
        allow_downcast=record.get("allow_downcast"),
        implicit=record.get("implicit"),
    )


def make_maker(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a pickle says of what made a function."""
    return arguments


class OldFunction:
    """A function of a pickle, which is compiled again when it is first used.

    Parameters
    ----------
    maker
        What the pickle says of what made it.
    storage, values
        Cells and values of its inputs, shared variables among them.
    """

    def __init__(self, maker: Any, storage: Any, values: Any, *more: Any) -> None:
        self._parts = (maker, values)
        self._made: Any = None

    def _function(self) -> Any:
        if self._made is None:
            self._made = _made_again(*self._parts)
        return self._made

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._function(), name)


def _made_again(maker: Any, values: Sequence[Any]) -> Any:
    """Return a function of a pickle, with its shared variables and default values."""
    from symtheano import function

    known: dict[str, Any] = maker if isinstance(maker, dict) else maker.__dict__
    given, updates = [], []
    for record, value in zip(known["inputs"], values, strict=True):
        variable = record.get("variable")
        if isinstance(variable, SharedVariable):
            if value is not None:
                variable.container.value = value_of(variable.type, value)
            if record.get("update") is not None:
                updates.append((variable, record.get("update")))
            continue
        made = input_of(record)
        if made.value is not None and value is not None:
            made.value = value
        given.append(made)
    listed = known["outputs"]
    outputs = [
        item.get("variable") if isinstance(item, Record) else item
        for item in (listed if isinstance(listed, list | tuple) else [listed])
    ]
    keys = known.get("output_keys")
    single = known.get("unpack_single", not isinstance(listed, list | tuple))
    asked: Any = outputs[0] if single and len(outputs) == 1 else outputs
    if keys is not None:
        asked = dict(zip(keys, outputs, strict=False))
    return function(
        given, asked, updates=updates, on_unused_input="ignore", no_default_updates=True
    )


CLASSES: dict[str, Any] = {
    "theano.tensor.var.TensorVariable": OldVariable,
    "theano.tensor.basic.TensorVariable": OldVariable,
    "theano.scalar.basic.ScalarVariable": OldVariable,
    "theano.sandbox.cuda.var.CudaNdarrayVariable": OldVariable,
    "theano.gpuarray.type.GpuArrayVariable": OldVariable,
    "theano.gof.graph.Variable": OldVariable,
    "theano.tensor.type_other.NoneTypeVariable": OldVariable,
    "theano.tensor.var.TensorConstant": OldConstant,
    "theano.tensor.basic.TensorConstant": OldConstant,
    "theano.scalar.basic.ScalarConstant": OldConstant,
    "theano.sandbox.cuda.var.CudaNdarrayConstant": OldConstant,
    "theano.gpuarray.type.GpuArrayConstant": OldConstant,
    "theano.gof.graph.Constant": OldPlainConstant,
    "theano.tensor.type_other.SliceConstant": OldPlainConstant,
    "theano.tensor.type_other.NoneConst": OldPlainConstant,
    "theano.tensor.sharedvar.TensorSharedVariable": OldShared,
    "theano.tensor.sharedvar.ScalarSharedVariable": OldShared,
    "theano.sandbox.cuda.var.CudaNdarraySharedVariable": OldShared,
    "theano.gpuarray.type.GpuArraySharedVariable": OldShared,
    "theano.compile.sharedvalue.SharedVariable": OldPlainShared,
    "theano.tensor.raw_random.RandomStateSharedVariable": OldRandomState,
    "theano.tensor.shared_randomstreams.RandomStateSharedVariable": OldRandomState,
    "theano.gof.link.Container": OldContainer,
    "theano.gof.graph.Apply": OldApply,
    "theano.gof.fg.FunctionGraph": OldFunctionGraph,
    "theano.gof.type.Generic": Generic,
    "theano.compile.function_module._constructor_Function": OldFunction,
    "theano.compile.function_module._constructor_FunctionMaker": make_maker,
}
"""What objects of Theano's classes become, by the names of these."""
