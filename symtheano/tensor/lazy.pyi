"""Names of symtheano.tensor that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from collections.abc import Sequence
from typing import Any, Protocol, overload

from symtheano.tensor.type import TensorType
from symtheano.scalar.operand import TensorLike, Tensor
from symtheano.errors import (
    AsTensorError as AsTensorError, EmptyConstantError as EmptyConstantError,
    NotScalarConstantError as NotScalarConstantError, ShapeError as ShapeError,
)
from symtheano.function.verify import numeric_grad as numeric_grad, verify_grad as verify_grad
from symtheano.gradient import (
    Lop as Lop, Rop as Rop, consider_constant as consider_constant, grad as grad,
    grad_not_implemented as grad_not_implemented, grad_undefined as grad_undefined,
    hessian as hessian, jacobian as jacobian,
)
from symtheano.graph.op import Op as Op
from symtheano.graph.type import (
    DisconnectedType as DisconnectedType, Generic as Generic, Type as Type,
)
from symtheano.graph.variable import Apply as Apply, Constant as Constant, Variable as Variable
from symtheano.tensor import (
    blas as blas, extra_ops as extra_ops, fft as fft, inplace as inplace, linalg as linalg,
    nlinalg as nlinalg, opt as opt, random as random, raw_random as raw_random,
    shared_randomstreams as shared_randomstreams, signal as signal, slinalg as slinalg,
    special as special, subtensor as subtensor, xlogx as xlogx,
)
from symtheano.tensor.assertion import Assert as Assert, assert_op as assert_op
from symtheano.tensor.basic import (
    scalar_from_tensor as scalar_from_tensor, tensor_from_scalar as tensor_from_scalar,
    transfer as transfer,
)
from symtheano.tensor.comparison import (
    allclose as allclose, array_equal as array_equal, ceil_intdiv as ceil_intdiv, divmod as divmod,
    isclose as isclose, isin as isin, largest as largest, smallest as smallest,
)
from symtheano.tensor.constant_values import (
    default as default, extract_constant as extract_constant,
    get_scalar_constant_value as get_scalar_constant_value, get_vector_length as get_vector_length,
    is_flat as is_flat, setdefault as setdefault,
)
from symtheano.tensor.creation.diagonals import (
    AllocDiag as AllocDiag, ExtractDiag as ExtractDiag, alloc_diag as alloc_diag, diag as diag,
    diag_indices as diag_indices, diag_indices_from as diag_indices_from, diagflat as diagflat,
    diagonal as diagonal, extract_diag as extract_diag, fill_diagonal as fill_diagonal,
    fill_diagonal_offset as fill_diagonal_offset, set_diagonal as set_diagonal, trace as trace,
)
from symtheano.tensor.creation.filled import (
    Alloc as Alloc, AllocEmpty as AllocEmpty, empty as empty, empty_like as empty_like,
    full as full,
)
from symtheano.tensor.creation.grids import (
    bartlett as bartlett, blackman as blackman, geomspace as geomspace, hamming as hamming,
    hanning as hanning, indices as indices, ix_ as ix_, linspace as linspace, logspace as logspace,
    meshgrid as meshgrid, mgrid as mgrid, ogrid as ogrid,
)
from symtheano.tensor.creation.identity import Eye as Eye
from symtheano.tensor.creation.ranges import ARange as ARange
from symtheano.tensor.creation.triangle import (
    tri as tri, tril as tril, tril_indices as tril_indices, tril_indices_from as tril_indices_from,
    triu as triu, triu_indices as triu_indices, triu_indices_from as triu_indices_from,
)
from symtheano.tensor.elemwise import DimShuffle as DimShuffle, Elemwise as Elemwise
from symtheano.tensor.indexing.advanced import (
    AdvancedIncSubtensor as AdvancedIncSubtensor, AdvancedSubtensor as AdvancedSubtensor,
)
from symtheano.tensor.indexing.nonzeros import (
    Nonzero as Nonzero, flatnonzero as flatnonzero, nonzero as nonzero,
    nonzero_values as nonzero_values,
)
from symtheano.tensor.indexing.positions import (
    choose as choose, inverse_permutation as inverse_permutation,
    permute_row_elements as permute_row_elements, put_along_axis as put_along_axis,
    ravel_multi_index as ravel_multi_index, take_along_axis as take_along_axis,
    unravel_index as unravel_index,
)
from symtheano.tensor.indexing.selection import (
    argwhere as argwhere, compress as compress, count_nonzero as count_nonzero, extract as extract,
    select as select, where as where,
)
from symtheano.tensor.indexing.slices import IncSubtensor as IncSubtensor, Subtensor as Subtensor
from symtheano.tensor.linalg.batched import batched_tensordot as batched_tensordot
from symtheano.tensor.linalg.dot import Dot as Dot
from symtheano.tensor.linalg.einsum import einsum as einsum
from symtheano.tensor.linalg.matmul import matmul as matmul
from symtheano.tensor.linalg.products import inner as inner, kron as kron, vdot as vdot
from symtheano.tensor.linalg.standard import matrix_transpose as matrix_transpose
from symtheano.tensor.numerical import (
    convolve as convolve, correlate as correlate, cross as cross,
    cumulative_prod as cumulative_prod, cumulative_sum as cumulative_sum, gradient as gradient,
    iscomplex as iscomplex, isneginf as isneginf, isposinf as isposinf, isreal as isreal,
    matvec as matvec, polyfit as polyfit, polyval as polyval, sinc as sinc, trapezoid as trapezoid,
    vander as vander, vecdot as vecdot, vecmat as vecmat,
)
from symtheano.tensor.reductions.cumulative import (
    CumOp as CumOp, cumprod as cumprod, cumsum as cumsum, diff as diff,
)
from symtheano.tensor.reductions.reduce import (
    CAReduce as CAReduce, amax as amax, amin as amin, makeKeepDims as makeKeepDims,
)
from symtheano.tensor.reductions.statistics import (
    average as average, corrcoef as corrcoef, cov as cov, median as median,
    nan_to_num as nan_to_num, nanargmax as nanargmax, nanargmin as nanargmin,
    nancumprod as nancumprod, nancumsum as nancumsum, nanmax as nanmax, nanmean as nanmean,
    nanmin as nanmin, nanprod as nanprod, nanstd as nanstd, nansum as nansum, nanvar as nanvar,
    percentile as percentile, quantile as quantile,
)
from symtheano.tensor.shapes.arrangement import (
    append as append, array_split as array_split, atleast_1d as atleast_1d,
    atleast_2d as atleast_2d, atleast_3d as atleast_3d, column_stack as column_stack,
    dsplit as dsplit, dstack as dstack, flip as flip, fliplr as fliplr, flipud as flipud,
    hsplit as hsplit, hstack as hstack, moveaxis as moveaxis, ravel as ravel, roll as roll,
    rollaxis as rollaxis, rot90 as rot90, unstack as unstack, vsplit as vsplit, vstack as vstack,
)
from symtheano.tensor.shapes.axes import permute_dims as permute_dims
from symtheano.tensor.shapes.join import (
    Join as Join, Split as Split, concat as concat, horizontal_stack as horizontal_stack,
    split as split, stacklists as stacklists, vertical_stack as vertical_stack,
)
from symtheano.tensor.shapes.padding import pad as pad
from symtheano.tensor.shapes.repetition import (
    RepeatOp as RepeatOp, Tile as Tile, broadcast_arrays as broadcast_arrays,
    broadcast_to as broadcast_to, repeat as repeat, tile as tile,
)
from symtheano.tensor.shapes.reshape import Reshape as Reshape
from symtheano.tensor.shapes.static_shape import (
    SpecifyShape as SpecifyShape, addbroadcast as addbroadcast,
    patternbroadcast as patternbroadcast, specify_shape as specify_shape,
    unbroadcast as unbroadcast,
)
from symtheano.tensor.sorting.counting import (
    bincount as bincount, digitize as digitize, histogram_counts as histogram_counts,
    interp as interp, searchsorted as searchsorted, to_one_hot as to_one_hot,
)
from symtheano.tensor.sorting.distinct import Unique as Unique, unique as unique
from symtheano.tensor.sorting.quantiles import (
    nanmedian as nanmedian, nanpercentile as nanpercentile, nanquantile as nanquantile,
)
from symtheano.tensor.sorting.sort import (
    argpartition as argpartition, argsort as argsort, argtopk as argtopk, lexsort as lexsort,
    partition as partition, sort as sort, topk as topk, topk_and_argtopk as topk_and_argtopk,
)
from symtheano.tensor.special.exponentials import log_expit as log_expit, logdiffexp as logdiffexp
from symtheano.tensor.special.gamma_functions import (
    factorial as factorial, multigammaln as multigammaln, poch as poch,
)
from symtheano.tensor.vectorize import vectorize as vectorize, vectorize_graph as vectorize_graph

class Several(Protocol):
    @overload
    def __call__(
        self, first: str | int, second: str, /, *more: str, dtype: Any = ..., shape: Any = ...
    ) -> list[Tensor]: ...
    @overload
    def __call__(
        self, names: str | int | Sequence[str], /, *, dtype: Any = ..., shape: Any = ...
    ) -> Any: ...

def scalar(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic scalar; dtype floatX by default."""
scalars: Several
bscalar: TensorType
bscalars: Several
wscalar: TensorType
wscalars: Several
iscalar: TensorType
iscalars: Several
lscalar: TensorType
lscalars: Several
fscalar: TensorType
fscalars: Several
dscalar: TensorType
dscalars: Several
cscalar: TensorType
cscalars: Several
zscalar: TensorType
zscalars: Several
def vector(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic vector; dtype floatX by default."""
vectors: Several
bvector: TensorType
bvectors: Several
wvector: TensorType
wvectors: Several
ivector: TensorType
ivectors: Several
lvector: TensorType
lvectors: Several
fvector: TensorType
fvectors: Several
dvector: TensorType
dvectors: Several
cvector: TensorType
cvectors: Several
zvector: TensorType
zvectors: Several
def row(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic row; dtype floatX by default."""
rows: Several
brow: TensorType
brows: Several
wrow: TensorType
wrows: Several
irow: TensorType
irows: Several
lrow: TensorType
lrows: Several
frow: TensorType
frows: Several
drow: TensorType
drows: Several
crow: TensorType
crows: Several
zrow: TensorType
zrows: Several
def col(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic col; dtype floatX by default."""
cols: Several
bcol: TensorType
bcols: Several
wcol: TensorType
wcols: Several
icol: TensorType
icols: Several
lcol: TensorType
lcols: Several
fcol: TensorType
fcols: Several
dcol: TensorType
dcols: Several
ccol: TensorType
ccols: Several
zcol: TensorType
zcols: Several
def matrix(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic matrix; dtype floatX by default."""
matrices: Several
bmatrix: TensorType
bmatrices: Several
wmatrix: TensorType
wmatrices: Several
imatrix: TensorType
imatrices: Several
lmatrix: TensorType
lmatrices: Several
fmatrix: TensorType
fmatrices: Several
dmatrix: TensorType
dmatrices: Several
cmatrix: TensorType
cmatrices: Several
zmatrix: TensorType
zmatrices: Several
def tensor3(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic tensor3; dtype floatX by default."""
tensor3s: Several
btensor3: TensorType
btensor3s: Several
wtensor3: TensorType
wtensor3s: Several
itensor3: TensorType
itensor3s: Several
ltensor3: TensorType
ltensor3s: Several
ftensor3: TensorType
ftensor3s: Several
dtensor3: TensorType
dtensor3s: Several
ctensor3: TensorType
ctensor3s: Several
ztensor3: TensorType
ztensor3s: Several
def tensor4(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic tensor4; dtype floatX by default."""
tensor4s: Several
btensor4: TensorType
btensor4s: Several
wtensor4: TensorType
wtensor4s: Several
itensor4: TensorType
itensor4s: Several
ltensor4: TensorType
ltensor4s: Several
ftensor4: TensorType
ftensor4s: Several
dtensor4: TensorType
dtensor4s: Several
ctensor4: TensorType
ctensor4s: Several
ztensor4: TensorType
ztensor4s: Several
def tensor5(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic tensor5; dtype floatX by default."""
tensor5s: Several
btensor5: TensorType
btensor5s: Several
wtensor5: TensorType
wtensor5s: Several
itensor5: TensorType
itensor5s: Several
ltensor5: TensorType
ltensor5s: Several
ftensor5: TensorType
ftensor5s: Several
dtensor5: TensorType
dtensor5s: Several
ctensor5: TensorType
ctensor5s: Several
ztensor5: TensorType
ztensor5s: Several
def tensor6(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic tensor6; dtype floatX by default."""
tensor6s: Several
btensor6: TensorType
btensor6s: Several
wtensor6: TensorType
wtensor6s: Several
itensor6: TensorType
itensor6s: Several
ltensor6: TensorType
ltensor6s: Several
ftensor6: TensorType
ftensor6s: Several
dtensor6: TensorType
dtensor6s: Several
ctensor6: TensorType
ctensor6s: Several
ztensor6: TensorType
ztensor6s: Several
def tensor7(name: str | None = None, dtype: Any = None, shape: Any = None) -> Tensor:
    """Return a symbolic tensor7; dtype floatX by default."""
tensor7s: Several
btensor7: TensorType
btensor7s: Several
wtensor7: TensorType
wtensor7s: Several
itensor7: TensorType
itensor7s: Several
ltensor7: TensorType
ltensor7s: Several
ftensor7: TensorType
ftensor7s: Several
dtensor7: TensorType
dtensor7s: Several
ctensor7: TensorType
ctensor7s: Several
ztensor7: TensorType
ztensor7s: Several
def abs(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The absolute value; the smallest signed integer stays negative, as in NumPy."""
def add(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The sum; for booleans, logical or."""
def and_(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """Bitwise and; for bools, and."""
def angle(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The angle of a complex number, between -π and π."""
def arccos(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of the cosine."""
def arccosh(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of the hyperbolic cosine."""
def arcsin(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of the sine."""
def arcsinh(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of the hyperbolic sine."""
def arctan(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of the tangent."""
def arctan2(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The angle of the point (x, y), between -π and π; the first operand is y."""
def arctanh(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of the hyperbolic tangent."""
def beta(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The beta function, gamma(a) * gamma(b) / gamma(a + b)."""
def betainc(a: TensorLike, b: TensorLike, c: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The regularized incomplete beta function of a, b and x."""
def betaincc(a: TensorLike, b: TensorLike, c: TensorLike, /, *, name: str | None = None) -> Tensor:
    """1 - betainc(a, b, x), accurate where it is small."""
def betaincinv(
    a: TensorLike, b: TensorLike, c: TensorLike, /, *, name: str | None = None
) -> Tensor:
    """The x at which betainc(a, b, x) has the given value."""
def betaln(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of beta(a, b)."""
def binom(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The binomial coefficient n over k, of real n and k."""
def bitwise_count(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The number of bits that are set in the absolute value."""
def cbrt(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The cube root, also of negative operands."""
def ceil(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Rounded up."""
def chi2sf(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The probability that a chi-squared variable of k degrees of freedom exceeds x."""
def clip(a: TensorLike, b: TensorLike, c: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The first operand, limited to the interval from the second to the third; nan propagates."""
def complex(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The complex number with these real and imaginary parts."""
def complex_from_polar(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The complex number with this absolute value and angle."""
def conj(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The complex conjugate; real operands are unchanged."""
def copysign(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The first operand's absolute value with the second's sign."""
def cos(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The cosine."""
def cosh(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The hyperbolic cosine."""
def deg2rad(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """An angle in degrees, converted to radians."""
def entr(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """-x log(x), one term of an entropy; 0 at 0, -inf below."""
def eq(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the operands are equal."""
def erf(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The error function."""
def erfc(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """1 - erf(x), accurate for large x."""
def erfcinv(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of erfc."""
def erfcx(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """exp(x*x) * erfc(x), computed without overflow."""
def erfinv(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of erf."""
def exp(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The exponential: e to the power of the operand."""
def exp2(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Two to the power of the operand."""
def expm1(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """exp(x) - 1, accurate for small x."""
def fabs(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The absolute value as a float."""
def float_power(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The power, computed in double precision."""
def floor(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Rounded down."""
def fmax(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The larger operand; nan is ignored; complex numbers are compared lexicographically."""
def fmin(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The smaller operand; nan is ignored; complex numbers are compared lexicographically."""
def fmod(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The remainder of division towards zero, with the sign of the dividend."""
def gamma(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The gamma function; nan at negative integers."""
def gammainc(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The regularized lower incomplete gamma function of order and operand."""
def gammaincc(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The regularized upper incomplete gamma function of order and operand."""
def gammainccinv(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand at which gammaincc of the order has the given value."""
def gammaincinv(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand at which gammainc of the order has the given value."""
def gammal(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The lower incomplete gamma function of order and operand."""
def gammaln(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function; inf at -inf, where SciPy has
    -inf."""
def gammau(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The upper incomplete gamma function of order and operand."""
def gcd(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The greatest common divisor, not negative."""
def ge(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the first operand is greater than or equal to the second; complex numbers
    lexicographically."""
def gt(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the first operand is greater than the second; complex numbers lexicographically."""
def heaviside(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """0 for negative first operands, 1 for positive ones; at zero the second operand."""
def hyp2f1(
    a: TensorLike, b: TensorLike, c: TensorLike, d: TensorLike, /, *, name: str | None = None
) -> Tensor:
    """Gauss' hypergeometric function of a, b, c and z."""
def hypot(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The length sqrt(a*a + b*b), computed without overflow."""
def i0(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0."""
def i0e(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """i0(x) times exp(-abs(x))."""
def i1(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1."""
def i1e(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """i1(x) times exp(-abs(x))."""
def identity(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand itself."""
def imag(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The imaginary part; zero for real operands."""
def int_div(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The quotient rounded down; an integer divided by zero gives zero, as in NumPy."""
def invert(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Bitwise not; for booleans, logical not."""
def iround(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand rounded to the nearest integer, halves to the even one, as int64."""
def isfinite(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the operand is neither infinite nor nan."""
def isinf(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the operand is infinite."""
def isnan(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the operand is nan."""
def iv(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The modified Bessel function of the order that is the first operand."""
def ive(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The modified Bessel function of the order that is the first operand, times exp(-abs(x))."""
def j0(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The Bessel function of order 0; 0 at infinity, where SciPy has nan."""
def j1(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The Bessel function of order 1; 0 at infinity, where SciPy has nan."""
def jv(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The Bessel function of the order that is the first operand."""
def kl_div(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """a log(a / b) - a + b; b if a is 0, inf if one is negative."""
def kv(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind, of the order that is the first operand."""
def kve(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """kv(v, x) times exp(x)."""
def lcm(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The least common multiple, not negative; zero if an operand is."""
def ldexp(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The first operand times two to the power of the second, an integer."""
def le(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the first operand is less than or equal to the second; complex numbers
    lexicographically."""
def left_shift(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The first operand shifted left by the second; 0 if the second is negative or at least the
    width."""
def log(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The natural logarithm; nan for negative real operands."""
def log10(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The logarithm to base ten."""
def log1mexp(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """log(1 - exp(x)) for negative x, accurate near 0 and far from it (Maechler, 2012)."""
def log1p(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """log(1 + x), accurate for small x."""
def log2(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The logarithm to base two."""
def log_erfc(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """log(erfc(x)), accurate where erfc is too small for a float and near zero."""
def log_ndtr(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The logarithm of ndtr(x), accurate for large negative x."""
def logaddexp(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """log(exp(a) + exp(b)), computed without overflow."""
def logaddexp2(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """log2(2**a + 2**b), computed without overflow."""
def logcosh(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """log(cosh(x)), without overflow and accurate near zero."""
def logical_and(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """Whether both operands are true."""
def logical_not(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the operand is false (zero)."""
def logical_or(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """Whether at least one operand is true."""
def logical_xor(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """Whether exactly one operand is true."""
def logit(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """log(x / (1 - x)), the inverse of sigmoid."""
def lt(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the first operand is less than the second; complex numbers lexicographically."""
def maximum(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The larger operand; nan propagates; complex numbers are compared lexicographically."""
def minimum(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The smaller operand; nan propagates; complex numbers are compared lexicographically."""
def mod(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The remainder of int_div, with the sign of the divisor; integers modulo zero give zero."""
def mul(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """The product; for booleans, logical and."""
def ndtr(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The probability that a standard normal variable is smaller."""
def ndtri(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The inverse of ndtr."""
def neg(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The negative; unsigned integers wrap around."""
def neq(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the operands differ."""
def nextafter(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The float next to the first operand in the direction of the second."""
def or_(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """Bitwise or; for bools, or."""
def owens_t(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Owen's T function: the probability that x > h and 0 < y < a x for normal x and y."""
def polygamma(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The derivative of order n of psi(x); nan where n is negative or not an integer."""
def positive(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand itself; not defined for bool."""
def pow(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The power. Of integers an integer, which wraps around; with a negative exponent it is rounded
    towards zero (0 for a base of 0), where NumPy raises an error."""
def psi(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The digamma function, the derivative of gammaln."""
def rad2deg(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """An angle in radians, converted to degrees."""
def real(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The real part."""
def reciprocal(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """One divided by the operand; a float, also for integers."""
def rel_entr(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """a log(a / b), one term of a relative entropy; b if a is 0, inf if one is negative."""
def right_shift(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The first operand shifted right by the second, keeping its sign; by all bits if the second is
    negative or large."""
def round_half_away_from_zero(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand rounded to the nearest integer, halves away from zero."""
def round_half_to_even(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand rounded to the nearest integer, halves to the even one."""
def second(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The second operand, broadcast to the common shape of both."""
def sgn(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The sign: -1, 0 or 1, or nan for nan; for complex z, z/|z|, and 0 at 0."""
def sigmoid(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The logistic function 1 / (1 + exp(-x))."""
def signbit(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Whether the operand's sign bit is set: negative numbers, -0, and nan with a sign."""
def sin(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The sine."""
def sinh(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The hyperbolic sine."""
def softplus(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """log(1 + exp(x)), computed without overflow."""
def softsign(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """x / (1 + abs(x)); 1 or -1 at infinity."""
def spacing(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The distance to the next float away from zero, with the operand's sign."""
def sqr(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The square."""
def sqrt(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The square root; nan for negative real operands."""
def sub(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The difference."""
def switch(a: TensorLike, b: TensorLike, c: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The second operand where the first is true (not zero), else the third."""
def tan(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The tangent."""
def tanh(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The hyperbolic tangent."""
def tri_gamma(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The trigamma function, the derivative of psi."""
def true_div(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The quotient; floatX for integers."""
def trunc(a: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The operand rounded towards zero."""
def xlog1py(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The first operand times log(1 + second); 0 where the first is 0."""
def xlogy(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """The first operand times the logarithm of the second; 0 where the first is 0."""
def xor(a: TensorLike, /, *more: TensorLike, name: str | None = None) -> Tensor:
    """Bitwise exclusive or."""
def zeta(a: TensorLike, b: TensorLike, /, *, name: str | None = None) -> Tensor:
    """Hurwitz' zeta function, the sum of (q + n)**-s over n from 0; nan for s below 1."""
abs_ = abs
absolute = abs
acos = arccos
acosh = arccosh
asin = arcsin
asinh = arcsinh
atan = arctan
atan2 = arctan2
atanh = arctanh
bitwise_and = and_
bitwise_invert = invert
bitwise_left_shift = left_shift
bitwise_not = invert
bitwise_or = or_
bitwise_right_shift = right_shift
bitwise_xor = xor
conjugate = conj
degrees = rad2deg
digamma = psi
divide = true_div
equal = eq
expit = sigmoid
fix = trunc
floor_div = int_div
floor_divide = int_div
greater = gt
greater_equal = ge
inv = reciprocal
isinf_ = isinf
isnan_ = isnan
less = lt
less_equal = le
log1pexp = softplus
multiply = mul
negative = neg
not_equal = neq
power = pow
radians = deg2rad
remainder = mod
rint = round_half_to_even
sign = sgn
square = sqr
subtract = sub
tensor_copy = identity
trigamma = tri_gamma
true_divide = true_div

__all__: list[str] = [
    "ARange", "AdvancedIncSubtensor", "AdvancedSubtensor", "Alloc", "AllocDiag", "AllocEmpty",
    "Apply", "AsTensorError", "Assert", "CAReduce", "Constant", "CumOp", "DimShuffle",
    "DisconnectedType", "Dot", "Elemwise", "EmptyConstantError", "ExtractDiag", "Eye", "Generic",
    "IncSubtensor", "Join", "Lop", "Nonzero", "NotScalarConstantError", "Op", "RepeatOp", "Reshape",
    "Rop", "ShapeError", "SpecifyShape", "Split", "Subtensor", "Tile", "Type", "Unique", "Variable",
    "abs", "abs_", "absolute", "acos", "acosh", "add", "addbroadcast", "allclose", "alloc_diag",
    "amax", "amin", "and_", "angle", "append", "arccos", "arccosh", "arcsin", "arcsinh", "arctan",
    "arctan2", "arctanh", "argpartition", "argsort", "argtopk", "argwhere", "array_equal",
    "array_split", "asin", "asinh", "assert_op", "atan", "atan2", "atanh", "atleast_1d",
    "atleast_2d", "atleast_3d", "average", "bartlett", "batched_tensordot", "bcol", "bcols", "beta",
    "betainc", "betaincc", "betaincinv", "betaln", "bincount", "binom", "bitwise_and",
    "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "blackman", "blas", "bmatrices", "bmatrix",
    "broadcast_arrays", "broadcast_to", "brow", "brows", "bscalar", "bscalars", "btensor3",
    "btensor3s", "btensor4", "btensor4s", "btensor5", "btensor5s", "btensor6", "btensor6s",
    "btensor7", "btensor7s", "bvector", "bvectors", "cbrt", "ccol", "ccols", "ceil", "ceil_intdiv",
    "chi2sf", "choose", "clip", "cmatrices", "cmatrix", "col", "cols", "column_stack", "complex",
    "complex_from_polar", "compress", "concat", "conj", "conjugate", "consider_constant",
    "convolve", "copysign", "corrcoef", "correlate", "cos", "cosh", "count_nonzero", "cov", "cross",
    "crow", "crows", "cscalar", "cscalars", "ctensor3", "ctensor3s", "ctensor4", "ctensor4s",
    "ctensor5", "ctensor5s", "ctensor6", "ctensor6s", "ctensor7", "ctensor7s", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "cvector", "cvectors", "dcol", "dcols", "default",
    "deg2rad", "degrees", "diag", "diag_indices", "diag_indices_from", "diagflat", "diagonal",
    "diff", "digamma", "digitize", "divide", "divmod", "dmatrices", "dmatrix", "drow", "drows",
    "dscalar", "dscalars", "dsplit", "dstack", "dtensor3", "dtensor3s", "dtensor4", "dtensor4s",
    "dtensor5", "dtensor5s", "dtensor6", "dtensor6s", "dtensor7", "dtensor7s", "dvector",
    "dvectors", "einsum", "empty", "empty_like", "entr", "eq", "equal", "erf", "erfc", "erfcinv",
    "erfcx", "erfinv", "exp", "exp2", "expit", "expm1", "extra_ops", "extract", "extract_constant",
    "extract_diag", "fabs", "factorial", "fcol", "fcols", "fft", "fill_diagonal",
    "fill_diagonal_offset", "fix", "flatnonzero", "flip", "fliplr", "flipud", "float_power",
    "floor", "floor_div", "floor_divide", "fmatrices", "fmatrix", "fmax", "fmin", "fmod", "frow",
    "frows", "fscalar", "fscalars", "ftensor3", "ftensor3s", "ftensor4", "ftensor4s", "ftensor5",
    "ftensor5s", "ftensor6", "ftensor6s", "ftensor7", "ftensor7s", "full", "fvector", "fvectors",
    "gamma", "gammainc", "gammaincc", "gammainccinv", "gammaincinv", "gammal", "gammaln", "gammau",
    "gcd", "ge", "geomspace", "get_scalar_constant_value", "get_vector_length", "grad",
    "grad_not_implemented", "grad_undefined", "gradient", "greater", "greater_equal", "gt",
    "hamming", "hanning", "heaviside", "hessian", "histogram_counts", "horizontal_stack", "hsplit",
    "hstack", "hyp2f1", "hypot", "i0", "i0e", "i1", "i1e", "icol", "icols", "identity", "imag",
    "imatrices", "imatrix", "indices", "inner", "inplace", "int_div", "interp", "inv",
    "inverse_permutation", "invert", "iround", "irow", "irows", "is_flat", "iscalar", "iscalars",
    "isclose", "iscomplex", "isfinite", "isin", "isinf", "isinf_", "isnan", "isnan_", "isneginf",
    "isposinf", "isreal", "itensor3", "itensor3s", "itensor4", "itensor4s", "itensor5", "itensor5s",
    "itensor6", "itensor6s", "itensor7", "itensor7s", "iv", "ive", "ivector", "ivectors", "ix_",
    "j0", "j1", "jacobian", "jv", "kl_div", "kron", "kv", "kve", "largest", "lcm", "lcol", "lcols",
    "ldexp", "le", "left_shift", "less", "less_equal", "lexsort", "linalg", "linspace", "lmatrices",
    "lmatrix", "log", "log10", "log1mexp", "log1p", "log1pexp", "log2", "log_erfc", "log_expit",
    "log_ndtr", "logaddexp", "logaddexp2", "logcosh", "logdiffexp", "logical_and", "logical_not",
    "logical_or", "logical_xor", "logit", "logspace", "lrow", "lrows", "lscalar", "lscalars", "lt",
    "ltensor3", "ltensor3s", "ltensor4", "ltensor4s", "ltensor5", "ltensor5s", "ltensor6",
    "ltensor6s", "ltensor7", "ltensor7s", "lvector", "lvectors", "makeKeepDims", "matmul",
    "matrices", "matrix", "matrix_transpose", "matvec", "maximum", "median", "meshgrid", "mgrid",
    "minimum", "mod", "moveaxis", "mul", "multigammaln", "multiply", "nan_to_num", "nanargmax",
    "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin",
    "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "ndtr", "ndtri", "neg",
    "negative", "neq", "nextafter", "nlinalg", "nonzero", "nonzero_values", "not_equal",
    "numeric_grad", "ogrid", "opt", "or_", "owens_t", "pad", "partition", "patternbroadcast",
    "percentile", "permute_dims", "permute_row_elements", "poch", "polyfit", "polygamma", "polyval",
    "positive", "pow", "power", "psi", "put_along_axis", "quantile", "rad2deg", "radians", "random",
    "ravel", "ravel_multi_index", "raw_random", "real", "reciprocal", "rel_entr", "remainder",
    "repeat", "right_shift", "rint", "roll", "rollaxis", "rot90", "round_half_away_from_zero",
    "round_half_to_even", "row", "rows", "scalar", "scalar_from_tensor", "scalars", "searchsorted",
    "second", "select", "set_diagonal", "setdefault", "sgn", "shared_randomstreams", "sigmoid",
    "sign", "signal", "signbit", "sin", "sinc", "sinh", "slinalg", "smallest", "softplus",
    "softsign", "sort", "spacing", "special", "specify_shape", "split", "sqr", "sqrt", "square",
    "stacklists", "sub", "subtensor", "subtract", "switch", "take_along_axis", "tan", "tanh",
    "tensor3", "tensor3s", "tensor4", "tensor4s", "tensor5", "tensor5s", "tensor6", "tensor6s",
    "tensor7", "tensor7s", "tensor_copy", "tensor_from_scalar", "tile", "to_one_hot", "topk",
    "topk_and_argtopk", "trace", "transfer", "trapezoid", "tri", "tri_gamma", "trigamma", "tril",
    "tril_indices", "tril_indices_from", "triu", "triu_indices", "triu_indices_from", "true_div",
    "true_divide", "trunc", "unbroadcast", "unique", "unravel_index", "unstack", "vander", "vdot",
    "vecdot", "vecmat", "vector", "vectorize", "vectorize_graph", "vectors", "verify_grad",
    "vertical_stack", "vsplit", "vstack", "wcol", "wcols", "where", "wmatrices", "wmatrix", "wrow",
    "wrows", "wscalar", "wscalars", "wtensor3", "wtensor3s", "wtensor4", "wtensor4s", "wtensor5",
    "wtensor5s", "wtensor6", "wtensor6s", "wtensor7", "wtensor7s", "wvector", "wvectors", "xlog1py",
    "xlogx", "xlogy", "xor", "zcol", "zcols", "zeta", "zmatrices", "zmatrix", "zrow", "zrows",
    "zscalar", "zscalars", "ztensor3", "ztensor3s", "ztensor4", "ztensor4s", "ztensor5",
    "ztensor5s", "ztensor6", "ztensor6s", "ztensor7", "ztensor7s", "zvector", "zvectors",
]
