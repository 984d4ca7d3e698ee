"""The text before the functions of a generated file: the required declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symtheano.codegen.abi import ABI
from symtheano.codegen.blas_calls import blas_helpers
from symtheano.codegen.c_text import computed_literal_text
from symtheano.codegen.halves import HALF_HELPERS, widens_halves
from symtheano.codegen.neutral import neutral_element
from symtheano.codegen.record import LAPACK
from symtheano.codegen.vector_math import math_declarations
from symtheano.dataclass import dataclass, field
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import (
    Address,
    Call,
    Check,
    For,
    Kernel,
    Let,
    Load,
    Partition,
    PythonCall,
)
from symtheano.loopir.program import Program
from symtheano.scalar.render import (
    render_expression,
    render_helper,
    render_prototypes,
    short_name,
    stored_type,
)
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op

# Starting threads costs a few microseconds, as much as about ten thousand additions.
_PARALLEL = """\
/* Loops with less work than this number of additions run in one thread. */
#define ST_PARALLEL_WORK 1048576

#ifdef _OPENMP
int omp_get_thread_num(void);
int omp_get_num_threads(void);
#else
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif

static inline bool st_parallel(const st_runtime *runtime, int64_t work) {
    st_announce(runtime, (double)work);
#ifdef _OPENMP
    return runtime->threads > 1 && work > ST_PARALLEL_WORK;
#else
    return false;
#endif
}

/* The iterations of this thread: whole blocks, so that vectors begin at the same positions as
   with one thread, and results are bitwise the same. The rest belongs to the last block. */
typedef struct st_share { int64_t begin, end, thread; } st_share;

static inline st_share st_my_share(int64_t count, int64_t block) {
    const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const int64_t blocks = count < block ? 1 : count / block;
    const int64_t each = blocks / threads, more = blocks % threads;
    st_share share = {(thread * each + (thread < more ? thread : more)) * block, 0, thread};
    share.end = share.begin + (each + (thread < more)) * block;
    if (share.end >= blocks * block && share.end > share.begin) share.end = count;
    return share;
}
"""

_MEMORY = """\
/* Larger arrays are copied and cleared by all threads. */
#define ST_PARALLEL_BYTES 4194304
"""

_COPY = """\
static void st_copy(const st_runtime *runtime, void *to, const void *from, int64_t bytes) {
    if (to == from) return;  /* it already uses this memory */
    st_announce(runtime, (double)bytes / 8);
#ifdef _OPENMP
    if (runtime->threads > 1 && bytes > ST_PARALLEL_BYTES) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(bytes, 4096);
            __builtin_memcpy((char *)to + share.begin, (const char *)from + share.begin,
                             (size_t)(share.end - share.begin));
        }
        return;
    }
#endif
    __builtin_memcpy(to, from, (size_t)bytes);
}
"""

_REPEAT = """\
/* Copies an array with any strides, in elements; those of repeated axes are 0. */
static __attribute__((noinline)) char *st_repeat(char *to, const char *from, int64_t itemsize,
        int64_t ndim, const int64_t *lengths, const int64_t *strides) {
    if (ndim == 1 && strides[0] == 1) {
        __builtin_memcpy(to, from, (size_t)(lengths[0] * itemsize));
        return to + lengths[0] * itemsize;
    }
    for (int64_t i = 0; i < lengths[0]; i++, from += strides[0] * itemsize) {
        if (ndim > 1) {
            to = st_repeat(to, from, itemsize, ndim - 1, lengths + 1, strides + 1);
        } else {
            __builtin_memcpy(to, from, (size_t)itemsize);
            to += itemsize;
        }
    }
    return to;
}
"""

_ZERO = """\
static void st_zero(const st_runtime *runtime, void *to, int64_t bytes) {
    st_announce(runtime, (double)bytes / 8);
#ifdef _OPENMP
    if (runtime->threads > 1 && bytes > ST_PARALLEL_BYTES) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(bytes, 4096);
            __builtin_memset((char *)to + share.begin, 0, (size_t)(share.end - share.begin));
        }
        return;
    }
#endif
    __builtin_memset(to, 0, (size_t)bytes);
}
"""

_KERNEL = """\
/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))
"""

_FAIL = """\
static __attribute__((cold, noinline)) int32_t st_fail(st_error *error, int32_t code, int32_t site,
                                                       int32_t count, const int64_t *values) {
    error->code = code;
    error->site = site;
    for (int32_t i = 0; i < count; i++) error->values[i] = values[i];
    return code;
}
"""

_ARENA = """\
void *aligned_alloc(size_t, size_t);
void free(void *);

/* Slots of the workspace are aligned to cache lines. */
static inline int64_t st_padded(int64_t bytes) { return (bytes + 63) & -64; }

/* `estimate` is the size in floating point, used to detect an overflow of `bytes`. */
static char *st_arena_open(const st_runtime *runtime, int64_t bytes, double estimate) {
    if (estimate >= 4e18) return NULL;
    if (runtime->workspace) return runtime->workspace(runtime->context, bytes);
    return aligned_alloc(64, (size_t)(bytes / 64 + 1) * 64);
}

static void st_arena_close(const st_runtime *runtime, char *arena) {
    if (!runtime->workspace) free(arena);
}
"""

_PARTITION = """\
/* Number of indices per chunk: at least `least` units of work, and at most `most` chunks. It
   depends only on the shape, so results do not depend on the number of threads. */
static inline int64_t st_chunk_rows(int64_t length, int64_t unit, int64_t least, int64_t most) {
    const int64_t enough = unit > 1 ? least / unit : least;
    const int64_t even = (length + most - 1) / most;
    const int64_t rows = even > enough ? even : enough;
    return rows > 1 ? rows : 1;
}
"""

_MASK = """\
/* Return whether a byte is true, in loops over elements of 8 bytes. With AVX-512, gcc 12 cannot
   widen a comparison of bytes to 8 bytes, but it can widen a sign. */
static inline bool st_true(uint8_t byte) { return -(int64_t)byte < 0; }
"""

_EIGHT_BYTES = ("float64", "int64", "uint64")
_OPERATORS = {"add": "+", "mul": "*"}
_BITWISE = {f"{{0}} {operator} {{1}}": operator for operator in "|&^"}


@dataclass
class Needs:
    """The parts of the prelude that a program's statements require.

    Attributes
    ----------
    rows
        Scalar ops by (name, compute dtypes, result dtype).
    reductions
        Pairs of (op, dtype) of simd loops.
    blas
        Names of BLAS helpers.
    routines
        Pairs of (name, dtype) of our own routines.
    lapack
        Pairs of (name, dtype) of the helpers that call LAPACK.
    externals
        Names of the host's functions, sorted; LAPACK's table is one of them.
    math_calls
        Number of statements that call functions of the C library.
    memory
        Which of copy, zero and repeat are called.
    masks
        Whether loops over elements of 8 bytes load bytes that are true or false.
    halves
        Whether loops compute with halves as floats.
    parallel, functions, fails, partitions, workspace
        Whether there are parallel loops, functions besides the entry point, statements that can
        fail, ranges divided into chunks, temporary memory.
    """

    rows: dict[tuple[str, tuple[str, ...], str], tuple[ScalarOp, Signature]] = field(
        default_factory=dict
    )
    reductions: set[tuple[str, str]] = field(default_factory=set)
    blas: set[str] = field(default_factory=set)
    routines: set[tuple[str, str]] = field(default_factory=set)
    lapack: set[tuple[str, str]] = field(default_factory=set)
    externals: tuple[str, ...] = ()
    math_calls: int = 0
    parallel: bool = False
    memory: set[str] = field(default_factory=set)
    masks: bool = False
    halves: bool = False
    functions: bool = False
    fails: bool = False
    partitions: bool = False
    workspace: bool = False

    def add_row(self, op: str, compute: tuple[str, ...], result: str) -> None:
        """Count a use of a scalar op."""
        key = (op, compute, result)
        if key not in self.rows:
            self.rows[key] = (scalar_op(op), Signature(compute, result))
        self.math_calls += bool(self.rows[key][0].libm)


def row_name(op: str, result: str) -> str:
    """Return the name of the scalar table's row for ``op``: casts have one for each dtype."""
    return f"cast{{{result}}}" if op == "cast" else op


def find_needs(program: Program) -> Needs:
    """Collect the requirements of a program's statements."""
    needs = Needs()
    for statement in walk(program.body):
        if isinstance(statement, Let):
            compute = tuple(operand.dtype for operand in statement.arguments)
            result = statement.target.dtype
            needs.add_row(row_name(statement.op, result), compute, result)
        elif isinstance(statement, For):
            needs.parallel |= "parallel" in statement.kind
            needs.masks = needs.masks or widens_masks(statement)
            needs.halves = needs.halves or widens_halves(statement)
            for value, op in statement.reductions:
                needs.reductions.add((op, value.dtype))
                needs.add_row(op, (value.dtype, value.dtype), value.dtype)
        elif isinstance(statement, Call) and statement.routine in ("copy", "zero", "repeat"):
            needs.memory.add(statement.routine)
        elif isinstance(statement, Call) and statement.target is not None:
            needs.routines.add((statement.routine, _array_dtype(statement)))
        elif isinstance(statement, Call):
            needs.blas.add(blas_helper(statement))
        needs.partitions |= isinstance(statement, Partition)
        needs.fails |= isinstance(statement, Check | PythonCall)
        needs.functions |= isinstance(statement, Kernel)
    found = {row.external for row, _ in needs.rows.values() if row.external}
    needs.parallel |= bool(needs.memory)
    needs.functions |= needs.parallel
    _part_lapack(needs)
    if needs.lapack:
        found.add(LAPACK)
    needs.externals = tuple(sorted(found))
    needs.workspace = bool(program.arena)
    needs.fails |= needs.workspace or any(b.space == "output" for b in program.outputs)
    return needs


def widens_masks(loop: For) -> bool:
    """Return whether bool elements are loaded in a loop over elements of 8 bytes."""
    if "simd" not in loop.kind:
        return False
    made = [s for s in walk(loop.body) if isinstance(s, Let | Load)]
    return any(s.target.dtype in _EIGHT_BYTES for s in made) and any(map(is_mask, made))


def is_mask(statement: Let | Load) -> bool:
    """Return whether a byte becomes a bool."""
    if statement.target.dtype != "bool":
        return False
    if isinstance(statement, Load):
        return True
    return statement.op == "cast" and statement.arguments[0].dtype in ("int8", "uint8")


def _part_lapack(needs: Needs) -> None:
    """Separate the helpers that call LAPACK from other routines."""
    if needs.routines:
        from symtheano.codegen.lapack import HELPERS

        needs.lapack = {item for item in needs.routines if item[0] in HELPERS}
        needs.routines -= needs.lapack


def blas_helper(call: Call) -> str:
    """Return the name of the helper through which a routine is called."""
    return f"st_{call.routine}_{short_name(_array_dtype(call))}"


def _array_dtype(call: Call) -> str:
    return next(a.buffer.dtype for a in call.arguments if isinstance(a, Address))


def library_functions(needs: Needs) -> dict[str, str]:
    """Return the C library functions that are needed, with their prototypes, sorted."""
    found: dict[str, str] = {}
    for row, signature in needs.rows.values():
        found.update(render_prototypes(row, signature))
    return dict(sorted(found.items()))


def reduction_operator(op: str, dtype: str) -> str:
    """Return the operator of a reduction clause: OpenMP's, or one that we declare."""
    if op in _OPERATORS and dtype not in ("bool", "float16"):
        return _OPERATORS[op]
    if dtype == "bool" and scalar_op(op).c_expression("b") in _BITWISE:
        return _BITWISE[scalar_op(op).c_expression("b")]
    return f"st_reduce_{op}_{short_name(dtype)}"


def prelude(needs: Needs, vector_functions: frozenset[str], accuracy: str = "default") -> str:
    """Return the text before the functions."""
    sections = [ABI.rstrip("\n"), "#include <stdbool.h>"]
    functions = library_functions(needs)
    sections.append(
        "\n".join(math_declarations(functions, needs.math_calls, vector_functions, accuracy))
    )
    sections.append(blas_helpers(needs.blas))
    sections += _helpers(needs)
    sections += _reductions(needs)
    sections += [_FAIL] * needs.fails + [_ARENA] * needs.workspace
    sections += [HALF_HELPERS] * needs.halves
    sections += [_MASK] * needs.masks + [_PARTITION] * needs.partitions
    sections += [_PARALLEL] * needs.parallel + [_MEMORY] * bool(needs.memory)
    texts = {"copy": _COPY, "zero": _ZERO, "repeat": _REPEAT}
    sections += [text for name, text in texts.items() if name in needs.memory]
    if needs.routines:
        from symtheano.codegen.routines import routine_texts

        sections.append(routine_texts(frozenset(needs.routines)))
    if needs.lapack:
        from symtheano.codegen.lapack import lapack_texts

        sections.append(lapack_texts(sorted(needs.lapack), needs.externals.index(LAPACK)))
    sections += [_KERNEL] * needs.functions
    return "\n\n".join(text.strip("\n") for text in sections if text) + "\n"


def _helpers(needs: Needs) -> Iterable[str]:
    texts: dict[str, None] = {}
    for _, (row, signature) in sorted(needs.rows.items()):
        text = render_helper(row, signature)
        if text is not None:
            texts[text] = None
    return texts


def _reductions(needs: Needs) -> Iterator[str]:
    """Declare reductions that OpenMP does not have."""
    for op, dtype in sorted(needs.reductions):
        name = reduction_operator(op, dtype)
        if name.startswith("st_"):
            row, signature = needs.rows[op, (dtype, dtype), dtype]
            combined = render_expression(row, signature, ("omp_out", "omp_in"))
            neutral = computed_literal_text(neutral_element(row, dtype))
            yield (
                f"#pragma omp declare reduction({name} : {stored_type(dtype)} : \\\n"
                f"    omp_out = {combined}) \\\n"
                f"    initializer(omp_priv = {neutral})"
            )
