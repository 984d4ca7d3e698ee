"""The text before the functions of a generated file: the required declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from symtheano import dtypes
from symtheano.codegen.abi import ABI
from symtheano.codegen.c.needs import Needs, library_functions
from symtheano.codegen.c.text import computed_literal_text
from symtheano.codegen.c.vector_math import math_declarations
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import MEASURED, Costs, Target
from symtheano.codegen.template import fill
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine
from symtheano.scalar.lanes import HALVES, VECTORS
from symtheano.scalar.render import (
    render_expression,
    render_helpers,
    stored_type,
)
from symtheano.scalar.table import scalar_op

_ANNOUNCE = """\
/* Work of more than this number of additions is announced to the host. */
#define ST_LONG_WORK @WORK@

static inline void st_announce(const st_runtime *runtime, double work) {
    if (work > ST_LONG_WORK && runtime->busy) runtime->busy(runtime->context);
}
"""

_PROGRESSING = """\
/* Work of more than this number of additions is announced to the host. What goes on beside it makes
   progress there. */
#define ST_LONG_WORK @WORK@

static void @PROGRESS@(const st_runtime *runtime);

static inline void st_announce(const st_runtime *runtime, double work) {
    if (work <= ST_LONG_WORK) return;
    if (runtime->busy) runtime->busy(runtime->context);
    @PROGRESS@(runtime);
}
"""

_PARALLEL = """\
/* Loops with less work than this number of additions run in one thread. */
#define ST_PARALLEL_WORK @WORK@

static __attribute__((cold, noinline)) bool st_long_loop(const st_runtime *runtime, int64_t work) {
    st_announce(runtime, (double)work);
#ifdef _OPENMP
    return runtime->threads > 1 && work > ST_PARALLEL_WORK;
#else
    return false;
#endif
}

static inline bool st_parallel(const st_runtime *runtime, int64_t work) {
    return work > ST_LONG_WORK && st_long_loop(runtime, work);
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

/* A loop, of which each thread runs a range. The only parallel regions of loops are here: compilers
   make a function of each. */
typedef void st_loop_part(int64_t begin, int64_t end, int64_t thread, const void *given);

static __attribute__((noinline)) void st_share_out(const st_runtime *runtime, st_loop_part *part,
                                                   const void *given, int64_t count,
                                                   int64_t block) {
#pragma omp parallel num_threads(runtime->threads)
    {
        const st_share share = st_my_share(count, block);
        part(share.begin, share.end, share.thread, given);
    }
}
"""

_THREADS = """\
#ifdef _OPENMP
int omp_get_thread_num(void);
int omp_get_num_threads(void);
#else
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif
"""

_POLL = """\
/* In loops that may take long: counts the work of an iteration, and leaves the function if the host
   wants to end the call. Of several threads, the first one asks the host. */
#define ST_POLL(work, leave) \\
    do { \\
        st_left -= (work); \\
        if (__builtin_expect(st_left < 0, 0)) { \\
            if (st_poll(runtime)) leave; \\
            st_left = ST_LONG_WORK; \\
        } \\
    } while (0)

static __attribute__((cold, noinline)) bool st_poll(const st_runtime *runtime) {
    if (runtime->poll && omp_get_thread_num() == 0) runtime->poll(runtime->context);
    return __atomic_load_n(&runtime->ended, __ATOMIC_RELAXED);
}
"""

_WAIT = """\
int sched_yield(void);

/* The first thread goes on asking the host while others work. */
static void st_wait_for_others(const st_runtime *runtime, int32_t *finished) {
    const int32_t threads = omp_get_num_threads();
    __atomic_add_fetch(finished, 1, __ATOMIC_RELAXED);
    if (omp_get_thread_num() != 0) return;
    for (int32_t turn = 1; __atomic_load_n(finished, __ATOMIC_RELAXED) < threads; turn++) {
        sched_yield();
        if ((turn & 1023) == 0) st_poll(runtime);
    }
}

/* Loops that ask the host whether the call is to end. */
static __attribute__((noinline)) void st_share_polled(const st_runtime *runtime, st_loop_part *part,
                                                      const void *given, int64_t count,
                                                      int64_t block) {
    int32_t finished = 0;
#pragma omp parallel num_threads(runtime->threads)
    {
        const st_share share = st_my_share(count, block);
        part(share.begin, share.end, share.thread, given);
        st_wait_for_others(runtime, &finished);
    }
}
"""

_KERNEL = """\
/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))
"""

_FAIL = """\
/* Leaves the function with an error unless a condition holds. `kind` is the kind of the error,
   `site` the number of its message, and the integers after it are for the message. */
#define ST_REQUIRE(condition, kind, site, ...) \\
    do { \\
        if (!(condition)) { \\
            status = st_fail(error, ST_ERROR_##kind, site, ST_INTEGERS(__VA_ARGS__)); \\
            goto done; \\
        } \\
    } while (0)
#define ST_INTEGERS(...) \\
    sizeof (int64_t[]){__VA_ARGS__} / sizeof(int64_t), (const int64_t[]){__VA_ARGS__}

static __attribute__((cold, noinline)) int32_t st_fail(st_error *error, int32_t code, int32_t site,
                                                       int32_t count, const int64_t *values) {
    error->code = code;
    error->site = site;
    for (int32_t i = 0; i < count; i++) error->values[i] = values[i];
    return code;
}
"""

_ALLOCATE = """\
/* Memory for an output: its number, and its lengths; NULL if there is none. */
#define ST_ALLOCATE(output, ...) \\
    runtime->allocate(runtime->context, output, (const int64_t[]){__VA_ARGS__})
"""

_ENDED = """\
/* Leaves the function because the host wants to end the call. */
#define ST_LEAVE do { status = ST_ERROR_PYTHON; goto done; } while (0)
#define ST_LEAVE_IF_ENDED do { if (runtime->ended) ST_LEAVE; } while (0)
"""

_ARENA = """\
void *aligned_alloc(size_t, size_t);
void free(void *);

/* Slots of the workspace are aligned to cache lines, and begin at different places of a page: a
   cache has few lines for each place, and arrays of equal length are read together. */
#ifndef st_guarded
#define st_guarded(arena, bytes) (arena)
static inline int64_t st_padded(int64_t bytes) {
    return ((bytes + 63) & -64) + (bytes < 4096 ? 0 : 11 * 64);
}
#endif

/* `estimate` is the size in floating point, used to detect an overflow of `bytes`. */
static char *st_arena_open(const st_runtime *runtime, int64_t bytes, double estimate) {
    if (estimate >= 4e18) return NULL;
    if (runtime->workspace) return st_guarded(runtime->workspace(runtime->context, bytes), bytes);
    return st_guarded(aligned_alloc(64, (size_t)(bytes / 64 + 1) * 64), bytes);
}

static void st_arena_close(const st_runtime *runtime, char *arena) {
    if (!runtime->workspace) free(arena);
}
"""

_PARTITION = """\
/* Number of indices per chunk: of at least about `least` units of work, and at most `most` chunks.
   Their number is even, and their lengths are about the same, so that threads have as much to do.
   It depends only on the shape, so results do not depend on the number of threads. */
static __attribute__((noinline)) int64_t st_chunk_rows(int64_t length, int64_t unit, int64_t least,
                                                       int64_t most) {
    const int64_t enough = unit > 1 ? least / unit : least;
    int64_t rows = (length + most - 1) / most;
    if (rows < enough) rows = enough;
    if (rows < 1) rows = 1;
    if (length <= rows) return rows;
    const int64_t chunks = ((length + rows - 1) / rows + 1) & -2;
    rows = (length + chunks - 1) / chunks;
    /* Vectors begin at cache lines. */
    return rows < 128 ? rows : (rows + 15) & -16;
}
"""

_SCALAR = """\
/* Before loops that vectors would only make longer; older compilers do not know the clause. */
#if defined(__clang__) || __GNUC__ >= 10
#define ST_SCALAR _Pragma("omp simd if(0)")
#else
#define ST_SCALAR
#endif
"""

_STREAM = """\
/* Asks for what is read once, in order. AMD's Zen 3 and Zen 4 see it themselves: asking takes
   longer there than waiting. */
#if (defined __znver3__ || defined __znver4__) && !defined __AVXVNNI__
#define ST_PREFETCH_STREAM(place)
#else
#define ST_PREFETCH_STREAM(place) __builtin_prefetch(place)
#endif
"""

_OPERATORS = {"add": "+", "mul": "*"}
_BITWISE = {f"{{0}} {operator} {{1}}": operator for operator in "|&^"}


def reduction_operator(op: str, dtype: str) -> str:
    """Return the operator of a reduction clause: OpenMP's, or one that we declare."""
    if op in _OPERATORS and dtype not in ("bool", "float16"):
        return _OPERATORS[op]
    if dtype in dtypes.DISCRETE and scalar_op(op).c_expression(dtype[0]) in _BITWISE:
        return _BITWISE[scalar_op(op).c_expression(dtype[0])]
    return f"st_reduce_{op}_{short_name(dtype)}"


def announcing(costs: Costs, routines: Iterable[Routine] = ()) -> str:
    """Return the text that tells the host of work which takes long, and lets routines progress."""
    functions = {routine.progress for routine in routines if routine.progress}
    if not functions:
        return fill(_ANNOUNCE, {"WORK": str(costs.alone)})
    (progress,) = functions
    return fill(_PROGRESSING, {"WORK": str(costs.alone), "PROGRESS": progress})


def prelude(
    needs: Needs,
    vector_functions: frozenset[str],
    accuracy: str = "default",
    target: Target = MEASURED,
) -> str:
    """Return the text before the functions."""
    sections = [ABI, announcing(target.costs, needs.routines.values()), "#include <stdbool.h>"]
    sections.append(math_section(needs, vector_functions, accuracy, target))
    sections += _helpers(needs)
    sections += _reductions(needs)
    sections += [_FAIL] * needs.fails + [_ALLOCATE] * needs.allocates
    sections += [_ENDED] * needs.may_end + [_ARENA] * needs.workspace
    sections += [HALVES] * needs.halves + [VECTORS] * needs.vectors
    sections += [_SCALAR] * needs.scalars + [_PARTITION] * needs.partitions
    sections += [_STREAM] * needs.streams
    sections += [_THREADS] * (needs.parallel or needs.polls) + (
        [fill(_PARALLEL, {"WORK": str(target.costs.threads)})] * needs.parallel
    )
    sections += [_POLL] * needs.polls + [_WAIT] * needs.waits
    sections += routine_sections(needs.routines, needs.externals)
    sections += [_KERNEL] * needs.functions
    return "\n\n".join(dict.fromkeys(text.strip("\n") for text in sections if text)) + "\n"


def math_section(
    needs: Needs,
    vector_functions: frozenset[str],
    accuracy: str,
    target: Target,
    separate: bool = False,
) -> str:
    """Return the text of the C library's functions; see :func:`.math_declarations`."""
    functions, uses, inlining = library_functions(needs), needs.math_calls, target.functions
    return "\n".join(
        math_declarations(functions, uses, vector_functions, accuracy, inlining, separate)
    )


def routine_sections(
    routines: Mapping[tuple[str, str], Routine], externals: Sequence[str]
) -> list[str]:
    """Return the C text of routines, given by name and dtype; each piece once.

    Parameters
    ----------
    routines
        The routines.
    externals
        The host's functions, in their order: texts refer to tables among them by macros.
    """
    pieces: dict[str, None] = {}
    for (_, dtype), routine in sorted(routines.items()):
        for link in routine.links_of(dtype):
            if link in externals:
                pieces[f"#define ST_{link.upper()} {externals.index(link)}"] = None
        pieces.update(dict.fromkeys(routine.sections(dtype)))
    return list(pieces)


def _helpers(needs: Needs) -> Iterable[str]:
    texts: dict[str, None] = {}
    for _, (row, signature) in sorted(needs.rows.items()):
        texts.update(dict.fromkeys(render_helpers(row, signature)))
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
