"""Our own convolutions: a library.

Zeros are written around each image first, so that each element of a filter is a constant distance
in memory (``planes.c``). Then

- *gather*: the result is a product of the filters, packed, and of panels of the image, in which the
  elements that a filter's element meets are neighbours. A tile of the result is held in registers.
  The gradient of an image is the same with panels of the result; with a stride, it is one product
  for each phase of the image. For few filters, or small planes, there are no panels
  (``direct.c``).
- *scatter*: the gradient of an image as products that are added where they belong.
- *strips*: the same for two or three channels and stride 2, without adding to memory.
- *winograd*: fewer products, for filters of 3 x 3 elements.
- *depthwise*: groups of one channel and one filter.
- *overlap*: for large filters, tiles of the image (``tiling.c``) are transformed (``fourier.c``),
  multiplied by transformed filters, frequency by frequency, and transformed back.
- *correlation*: the gradient of large filters by such transforms, whose products are added tile by
  tile.
- *across* and *sums*: the gradient of a filter is held in registers, for several filters, or as
  vectors of partial sums over pixels.

Each has three functions in C (``calls.c``): ``fits_NAME`` says whether it is for the shapes of a
call, ``plan_NAME`` divides the memory, or measures it, and ``run_NAME`` computes; ``is_safe_NAME``
says whether it is for the elements, too, if it is not for all. One function asks the table of
algorithms (``choose`` in ``algorithms.c``), for the size of the memory and before a call computes,
so these cannot differ.

The library exports, for shapes in ``windows.c``::

    int64_t st_convolution_memory(wanted, windows, threads)
    int32_t st_convolve(wanted, windows, threads, first, second, made, memory, bytes, finish,
                        context, list, call)

Sizes of memory do not overflow (``sizes.c``). There is no kernel for arrays that can't exist, nor
where most of the memory would be zeros, as for filters whose elements are millions apart.

The result is bitwise the same with any number of threads. A file that calls it has plain loops as
well, for when there is no library, or no kernel.
"""

from __future__ import annotations

from symtheano.codegen import products
from symtheano.codegen.fourier import fourier_texts
from symtheano.codegen.library import Algorithm, Cost, Library
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text

WINDOWS = file_text(__file__, "windows.c")
"""C text of the type of shapes that kernels and generated code share."""

_RESULTS = ("result", "image")
_ALL = (*_RESULTS, "filter")
# For each value of the option ``convolution`` but ``direct``: m of Winograd's F(m, 3).
_TILES = {"default": {"EDGE": "2"}, "fast": {"EDGE": "4"}}
_TRANSFORMS: dict[str, dict[str, str]] = {"default": {}, "fast": {}}


def _head(dtype: str) -> str:
    return "\n".join((products.vectors_text(dtype), file_text(__file__, "threads.c"), SIZES))


def _fourier(dtype: str) -> str:
    return "\n".join(("#define ST_FOURIER_BYTES BYTES", *fourier_texts(dtype, "t", largest=3)))


def _row(algorithm: Algorithm) -> str:
    name = algorithm.name
    wanted = " | ".join(f"1 << {wanted.upper()}" for wanted in algorithm.wanted)
    safe = f"is_safe_{name}" if algorithm.by_elements else "0"
    return f"{{{wanted}, fits_{name}, plan_{name}, {safe}, run_{name}}},"


# Where costs come from. `python -m benchmarks.convolution_costs` measures them again.
_FITTED = (
    "fitted to times of convolutions in float32 by least squares of relative errors: one thread of "
    "an AMD EPYC with AVX2, vectors of eight numbers, tiles of 64 x 64 numbers"
)
_COMPARED = (
    "not fitted, but compared with times of 36 shapes of strides 1 and 2 in float32: one thread of "
    "an AMD EPYC with AVX2; nine of ten choices were right, others took up to 1.25 of the time"
)
_MARGIN = "not measured: a margin for errors of the estimates"


def _costs(source: str, **numbers: tuple[float, str]) -> dict[str, Cost]:
    return {name: Cost(value, what, source) for name, (value, what) in numbers.items()}


_OVERLAP_COSTS = {
    **_costs(
        _FITTED,
        transform=(8.1, "ns to read or store, and transform, a number of a tile in all lanes"),
        pair=(0.36, "ns to multiply it for a channel and a filter: four products, four sums"),
        filter=(8.5, "ns to transform a number of a vector of filters"),
    ),
    **_costs(
        _MARGIN,
        least_gain=(20000, "ns that transforms must save"),
        most_time=(0.85, "largest part of the time of other products that they may take"),
    ),
}
_CORRELATION_COSTS = _costs(
    _FITTED,
    transform=(13, "ns to transform a number of a vector of channels, far apart in memory"),
    add=(0.4, "ns to add the product of a row and a vector of lanes"),
    restore=(11, "ns to transform a sum back"),
)
_SCATTER_COSTS = _costs(
    _COMPARED,
    run=(3, "products of vectors for a run of neighbours that is copied to a panel"),
    store=(14, "products to store what is made with a stride, for each vector of it"),
    direct=(2, "products to load a vector without a panel"),
    copy=(4, "products to copy a vector to a panel"),
    add=(20, "products to add a sum to memory, for each vector"),
)
_GATHER_COSTS = _costs(
    _FITTED,
    multiply=(0.145, "ns to multiply and add a vector"),
    load=(1.5, "products to load a vector for the rows of a tile"),
    copy=(1, "ns to copy a vector to a panel"),
)
_ACROSS_COSTS = _costs(_FITTED, multiply=(0.22, "ns to multiply and add a vector"))

LIBRARY = Library(
    name="convolution",
    module=__file__,
    dtypes=products.LIBRARY.dtypes,
    wanted=_ALL,
    algorithms=(
        Algorithm("depthwise", _ALL),
        Algorithm("winograd", _RESULTS, variants=_TILES),
        Algorithm(
            "overlap", _RESULTS, ("fourier", "tiling", "overlap"), by_elements=True,
            variants=_TRANSFORMS, head=_fourier, costs=_OVERLAP_COSTS,
        ),
        Algorithm(
            "correlation", ("filter",), by_elements=True, variants=_TRANSFORMS,
            costs=_CORRELATION_COSTS,
        ),
        Algorithm("strips", ("image",)),
        Algorithm("scatter", ("image",), costs=_SCATTER_COSTS),
        Algorithm("gather", _RESULTS, files=(), costs=_GATHER_COSTS),
        Algorithm("sums", ("filter",)),
        Algorithm("across", ("filter",), costs=_ACROSS_COSTS),
    ),
    exports={"memory": "st_convolution_memory", "run": "st_convolve"},
    head=_head,
    files=("windows", "memory", "calls", "planes", "gather", "direct", "drive"),
    table="algorithms",
    row=_row,
    flags=products.FLAGS,
    variants=("default", "direct", "fast"),
)  # fmt: skip
"""The declaration; its variants are the values of the option ``convolution``."""
