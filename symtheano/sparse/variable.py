"""SparseVariable: a symbolic sparse matrix, with SciPy's operators and methods."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from symtheano import dtypes
from symtheano.errors import MisfitError, format_misfit, printable_name
from symtheano.graph.origin import current_origin
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.sparse.container import SparseContainer
from symtheano.sparse.type import SparseType, is_sparse
from symtheano.tensor.messages import label
from symtheano.tensor.operators import NumPyProtocols, methods_of


def _call(module: str, name: str, *args: Any) -> Any:
    """Call a function of a module that is loaded when it is first needed."""
    return getattr(import_module(f"symtheano.sparse.{module}"), name)(*args)


def _is_operand(value: object) -> bool:
    from symtheano.tensor.operators import is_operand

    return is_operand(value) or is_sparse(value)


def _binary(name: str, module: str, function: str) -> Any:
    return methods_of(name, partial(_call, module, function), _is_operand)


class SparseMixin(NumPyProtocols):
    """Attributes, operators and methods of symbolic sparse matrices."""

    __slots__ = ()
    __array_priority__ = 1001
    __array_ufunc__ = None  # type: ignore[assignment]

    type: SparseType

    # -- attributes ---------------------------------------------------------------------------

    @property
    def dtype(self) -> str:
        """Dtype of the elements."""
        return self.type.dtype

    @property
    def format(self) -> str:
        """``csr`` or ``csc``."""
        return self.type.format

    @property
    def ndim(self) -> int:
        """Number of dims: two."""
        return 2

    @property
    def broadcastable(self) -> tuple[bool, bool]:
        """Sparse matrices are never broadcast."""
        return (False, False)

    @property
    def shape(self) -> Any:
        """The shape as a symbolic int64 vector."""
        return _call("csm", "csm_shape", self)

    @property
    def real(self) -> Any:
        """The matrix of the real parts."""
        from symtheano.sparse.linear import Converted

        kind = dtypes.real_of(self.dtype)
        return self if kind == self.dtype else Converted(self.format, kind)(self)

    @property
    def T(self) -> Any:
        """The transpose, in the other format."""
        return self.transpose()

    # -- operators ----------------------------------------------------------------------------

    def __neg__(self) -> Any:
        return _call("linear", "neg", self)

    def __abs__(self) -> Any:
        return _call("elementwise", "structured_abs", self)

    __add__, __radd__ = _binary("add", "arithmetic", "add")
    __sub__, __rsub__ = _binary("sub", "arithmetic", "sub")
    __mul__, __rmul__ = _binary("mul", "arithmetic", "mul")
    __matmul__, __rmatmul__ = _binary("matmul", "dense", "dot")
    __lt__ = _binary("lt", "comparison", "lt")[0]
    __le__ = _binary("le", "comparison", "le")[0]
    __gt__ = _binary("gt", "comparison", "gt")[0]
    __ge__ = _binary("ge", "comparison", "ge")[0]

    def __dot__(self, other: Any) -> Any:
        return _call("product", "structured_dot", self, other)

    def __rdot__(self, other: Any) -> Any:
        return _call("product", "structured_dot", other, self)

    def __getitem__(self, key: Any) -> Any:
        return _call("indexing", "getitem", self, key)

    def __iter__(self) -> Any:
        raise TypeError("a symbolic sparse matrix can't be iterated over; index its rows")

    def __bool__(self) -> bool:
        raise TypeError(
            "bool(): the truth value of a sparse matrix is not known while the graph is built"
        )

    def densified(self) -> Any:
        """Return a gradient that was made from a dense matrix as this matrix, others themselves."""
        from symtheano.sparse.linear import densified, is_full

        return densified(self) if is_full(self) else self

    # -- methods ------------------------------------------------------------------------------

    def eval(self, inputs: Any = None, **options: Any) -> Any:
        """Return the value for given values of the inputs, as a SciPy matrix."""
        from symtheano.tensor.variable import TensorMixin

        return TensorMixin.eval(self, inputs, **options)  # type: ignore[attr-defined]

    def open_graph(self, outputs: Any, leaves: Any) -> Any:
        """Return expressions in terms of components; sparse are only inputs and outputs."""
        return _call("boundary", "open_graph", outputs, leaves)

    def transpose(self) -> Any:
        """Return the transpose, in the other format, without a copy."""
        return _call("convert", "transpose", self)

    def toarray(self) -> Any:
        """Return the matrix as a dense one."""
        return _call("dense", "dense_from_sparse", self)

    def astype(self, dtype: Any) -> Any:
        """Return the matrix converted to another dtype."""
        return _call("linear", "cast", self, dtype)

    def dot(self, other: Any) -> Any:
        """Return the product with a dense or sparse matrix; its gradient is structured."""
        return _call("product", "structured_dot", self, other)

    def sum(self, axis: int | None = None, sparse_grad: bool = False) -> Any:
        """Return the sum over an axis (of all elements by default), dense."""
        return _call("dense", "sp_sum", self, axis, sparse_grad)

    def zeros_like(self, dtype: Any = None) -> Any:
        """Return the sparse matrix of this shape without stored elements."""
        return _call("elementwise", "sp_zeros_like", self, dtype)

    def conj(self) -> Any:
        """Return the complex conjugate."""
        return _call("elementwise", "conj", self)


class SparseVariable(SparseMixin, Variable):
    """A symbolic sparse matrix."""

    __slots__ = ("_opened",)

    def __init__(
        self,
        type: Any,
        owner: Apply | None = None,
        index: int | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(type, owner, index, name)
        self._opened: Apply | None = None


class SparseConstant(SparseMixin, Constant):
    """A sparse matrix whose value is known when the graph is built."""

    __slots__ = ("_opened", "_signature")

    def __init__(self, type: Any, data: Any, name: str | None = None) -> None:
        super().__init__(type, data, name)
        self._opened: Any = None
        self._signature: tuple[Any, ...] | None = None

    def signature(self) -> tuple[Any, ...]:
        """Return type, shape and the components' bytes."""
        if self._signature is None:
            parts = (self.data.data, self.data.indices, self.data.indptr)
            content = tuple(part.tobytes() for part in parts)
            self._signature = (self.type, self.data.shape, *content)
        return self._signature

    def __repr__(self) -> str:
        if self.name is not None:
            return printable_name(self.name)
        return f"SparseConstant{{{self.format} {self.data.shape}, {self.data.nnz} stored}}"


class SparseSharedVariable(SparseMixin, SharedVariable):
    """A symbolic sparse matrix that keeps its value between calls."""

    __slots__ = ("_opened",)

    def __init__(
        self,
        type: Any,
        value: Any,
        name: str | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
        container: Any = None,
    ) -> None:
        kept = SparseContainer(type, value) if container is None else container
        super().__init__(type, None, name, strict, allow_downcast, kept)
        self._opened: Any = None

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Any:
        """Return the value, a SciPy matrix. It is a copy, unless ``borrow`` is true."""
        if borrow:
            return self.container.value
        kept: Any = self.container.read()
        return kept.copy()

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Set the value; it is copied, unless ``borrow`` is true.

        Raises
        ------
        MisfitError
            If it is not a matrix, or its dtype or structure does not fit. The old value is kept.
        """
        try:
            value = self.type.filter(
                new_value, strict=self.strict, allow_downcast=self.allow_downcast
            )
            self.container.put(value if borrow else value.copy())
        except MisfitError as error:
            name = label(self)
            raise MisfitError(
                format_misfit(
                    f"set_value: bad value for {name}",
                    error,
                    new_value,
                    wanted=(name, str(self.type)),
                    places=[current_origin(), self.origin],
                )
            ) from None


# Types are defined before their variables, whose methods call functions of all other modules.
SparseType.variable_class = SparseVariable
SparseType.constant_class = SparseConstant
