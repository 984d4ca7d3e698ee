"""``theano.sparse.sandbox.sp2``: random sparse matrices.

They are drawn from NumPy's global generator, so two calls return different numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from symtheano.sparse import SparseType, as_sparse_variable, sampling_dot as sampling_dot
from symtheano.tensor import as_tensor_variable, discrete_dtypes, float_dtypes

from ...gof.graph import Apply
from ...gof.op import Op


class _Draw(Op):
    differentiable_inputs = 0


class Poisson(_Draw):
    """Numbers of a Poisson distribution, for the elements that a matrix of means stores."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        """Return the node of a sparse matrix."""
        x = as_sparse_variable(x)
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        """Draw them; zeros are not stored."""
        drawn = inputs[0].copy()
        drawn.data = np.random.poisson(drawn.data).astype(drawn.dtype)  # noqa: NPY002
        drawn.eliminate_zeros()
        outputs[0][0] = drawn


class Binomial(_Draw):
    """Numbers of a binomial distribution, as a matrix of a format and dtype.

    Parameters
    ----------
    format
        ``csr`` or ``csc``.
    dtype
        The dtype.
    """

    __props__ = ("format", "dtype")

    def __init__(self, format: str, dtype: str) -> None:
        self.format, self.dtype = format, dtype

    def make_node(self, n: Any, p: Any, shape: Any) -> Apply:
        """Return the node of a number of trials, a probability and a vector of two lengths."""
        operands = [as_tensor_variable(item) for item in (n, p, shape)]
        for item, fitting in zip(
            operands, (discrete_dtypes, float_dtypes, discrete_dtypes), strict=True
        ):
            if item.dtype not in fitting:
                raise TypeError(f"Binomial: {item.dtype} is not one of {sorted(fitting)}")
        return Apply(self, operands, [SparseType(self.format, self.dtype)()])

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        """Draw them."""
        n, p, shape = inputs
        drawn = np.random.binomial(n, p, size=tuple(shape))  # noqa: NPY002
        kind = getattr(scipy.sparse, f"{self.format}_matrix")
        outputs[0][0] = kind(drawn.astype(self.dtype))


class Multinomial(_Draw):
    """Counts of a multinomial distribution, for each row of a csr matrix of probabilities."""

    __props__ = ()

    def make_node(self, n: Any, p: Any) -> Apply:
        """Return the node of the trials, one number or one for each row, and a sparse matrix."""
        n, p = as_tensor_variable(n), as_sparse_variable(p)
        if p.format != "csr":
            raise NotImplementedError("Multinomial takes probabilities in the format csr")
        return Apply(self, [n, p], [p.type()])

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        """Draw them among the elements that each row stores."""
        trials, p = inputs
        if trials.ndim and len(trials) != p.shape[0]:
            raise ValueError(f"Multinomial: {len(trials)} numbers of trials for {p.shape[0]} rows")
        drawn = p.copy()
        for row, count in enumerate(np.broadcast_to(trials, p.shape[:1])):
            stored = slice(*p.indptr[row : row + 2])
            drawn.data[stored] = np.random.multinomial(count, p.data[stored])  # noqa: NPY002
        outputs[0][0] = drawn


poisson, multinomial = Poisson(), Multinomial()
csr_fbinomial, csc_fbinomial = Binomial("csr", "float32"), Binomial("csc", "float32")
csr_dbinomial, csc_dbinomial = Binomial("csr", "float64"), Binomial("csc", "float64")
