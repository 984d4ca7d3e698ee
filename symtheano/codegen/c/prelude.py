"""The text before the functions of a generated file: the required declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from symtheano import dtypes
from symtheano.codegen.abi import ABI
from symtheano.codegen.c.text import computed_literal_text
from symtheano.codegen.c.vector_math import math_declarations
from symtheano.codegen.record import BLAS
from symtheano.codegen.rows import neutral_element
from symtheano.codegen.targets import MEASURED, Costs, Target
from symtheano.codegen.template import fill
from symtheano.dataclass import dataclass, field
from symtheano.dtypes import short_name
from symtheano.loopir.host import Interrupt, Poll
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import (
    Allocate,
    Assign,
    Call,
    Check,
    For,
    Leave,
    Let,
    Load,
    Partition,
    PythonCall,
)
from symtheano.loopir.operands import Expression, element_of, lanes_of
from symtheano.loopir.program import Program
from symtheano.loopir.routine import Routine
from symtheano.loopir.run import Run
from symtheano.scalar.lanes import HALVES, VECTORS
from symtheano.scalar.render import (
    render_expression,
    render_helpers,
    render_prototypes,
    stored_type,
)
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import scalar_op

_ANNOUNCE = """\
/* Work of more than this number of additions is announced to the host. */
#define ST_LONG_WORK @WORK@

static inline void st_announce(const st_runtime *runtime, double work) {
    if (work > ST_LONG_WORK && runtime->busy) runtime->busy(runtime->context);
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

/* Slots of the workspace are aligned to cache lines. */
#ifndef st_guarded
#define st_guarded(arena, bytes) (arena)
static inline int64_t st_padded(int64_t bytes) { return (bytes + 63) & -64; }
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
/* Number of indices per chunk: at least `least` units of work, and at most `most` chunks. It
   depends only on the shape, so results do not depend on the number of threads. */
static __attribute__((noinline)) int64_t st_chunk_rows(int64_t length, int64_t unit, int64_t least,
                                                       int64_t most) {
    const int64_t enough = unit > 1 ? least / unit : least;
    const int64_t even = (length + most - 1) / most;
    const int64_t rows = even > enough ? even : enough;
    return rows > 1 ? rows : 1;
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
    routines
        The routines that are called, by name and dtype.
    externals
        Names of the host's functions, sorted; LAPACK's table is one of them.
    math_calls
        Number of statements that call functions of the C library.
    halves, vectors
        Whether halves are loaded as floats, and elements as vectors.
    scalars
        Whether loops are not to run in vectors.
    parallel, functions, fails, allocates, partitions, may_end, polls, waits, workspace
        Whether there are parallel loops, functions besides the entry point, statements that can
        fail, outputs, ranges divided into chunks, places where the host may end the call, loops in
        which it is asked for that, also in threads, temporary memory.
    """

    rows: dict[tuple[str, tuple[str, ...], str], tuple[ScalarOp, Signature]] = field(
        default_factory=dict
    )
    reductions: set[tuple[str, str]] = field(default_factory=set)
    routines: dict[tuple[str, str], Routine] = field(default_factory=dict)
    externals: tuple[str, ...] = ()
    math_calls: int = 0
    parallel: bool = False
    halves: bool = False
    vectors: bool = False
    scalars: bool = False
    functions: bool = False
    fails: bool = False
    allocates: bool = False
    partitions: bool = False
    may_end: bool = False
    polls: bool = False
    waits: bool = False
    workspace: bool = False

    @property
    def links(self) -> tuple[str, ...]:
        """What the file is linked with; see :class:`symtheano.codegen.record.Record`."""
        uses_blas = any(BLAS in routine.links for routine in self.routines.values())
        return (*[BLAS] * uses_blas, *self.externals)

    def add_row(self, op: str, compute: tuple[str, ...], result: str) -> None:
        """Count a use of a scalar op."""
        key = (op, compute, result)
        if key not in self.rows:
            self.rows[key] = (scalar_op(op), Signature(compute, result))
        self.math_calls += bool(self.rows[key][0].libm)

    def add_routine(self, routine: Routine, dtype: str) -> None:
        """Count a call of a routine's version for a dtype."""
        self.routines[routine.name, dtype] = routine
        for op in routine.functions:
            self.add_row(op, (dtype,), dtype)
        self.parallel |= "parallel" in routine.prelude


def _math_calls(loop: For) -> int:
    """Return how many functions of the C library a loop calls."""
    ops = [s.op for s in walk(loop.body) if isinstance(s, Let)]
    return sum(bool(scalar_op(op).libm) for op in ops if op != "cast")


def row_name(op: str, result: str) -> str:
    """Return the name of the scalar table's row for ``op``: casts have one for each dtype."""
    return f"cast{{{result}}}" if op == "cast" else op


def find_needs(program: Program) -> Needs:
    """Collect the requirements of a program's statements."""
    needs = Needs()
    kinds: set[type] = set()
    for statement in program.statements():
        if isinstance(statement, Let):
            compute = tuple(element_of(operand.dtype) for operand in statement.arguments)
            result = element_of(statement.target.dtype)
            needs.add_row(row_name(statement.op, result), compute, result)
        elif isinstance(statement, Load):
            stored, made = statement.buffer.dtype, statement.target.dtype
            needs.vectors |= lanes_of(made) > 1
            needs.halves |= stored == "float16" != made
        elif isinstance(statement, For):
            if statement.kind == "scalar":
                needs.scalars = True
                needs.math_calls -= _math_calls(statement)
            for value, op in statement.reductions:
                needs.reductions.add((op, value.dtype))
                needs.add_row(op, (value.dtype, value.dtype), value.dtype)
        elif isinstance(statement, Assign | Check | Leave):
            read = statement.value if isinstance(statement, Assign) else statement.condition
            for op, compute, result in _rows_of(read):
                needs.add_row(row_name(op, result), compute, result)
        elif isinstance(statement, Run):
            needs.parallel |= statement.threads is not None
            needs.waits |= statement.threads is not None and statement.threads.polled
        elif isinstance(statement, Call):
            needs.add_routine(statement.routine, statement.dtype)
        kinds.add(type(statement))
    needs.partitions = Partition in kinds
    needs.allocates = Allocate in kinds
    needs.polls = Poll in kinds
    needs.fails = not kinds.isdisjoint((Check, PythonCall))
    needs.functions |= bool(program.functions)
    found = {row.external for row, _ in needs.rows.values() if row.external}
    needs.functions |= needs.parallel
    for (_, dtype), routine in needs.routines.items():
        found.update(routine.links_of(dtype))
    needs.externals = tuple(sorted(found - {BLAS}))
    needs.workspace = bool(program.arena) or (program.frame is not None and program.frame.large)
    needs.fails |= needs.workspace or needs.allocates
    needs.may_end = needs.polls or Interrupt in kinds
    return needs


def routine_needs(routines: Mapping[tuple[str, str], Routine]) -> Needs:
    """Return what a file requires that has these routines, by name and dtype, and nothing else."""
    needs = Needs()
    for (_, dtype), routine in routines.items():
        needs.add_routine(routine, dtype)
    return needs


def _rows_of(item: object) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield the rows of an expression, with the dtypes of their operands and results."""
    if isinstance(item, Expression):
        yield item.op, tuple(map(element_of, item.dtypes)), element_of(item.dtype)
        for argument in item.arguments:
            yield from _rows_of(argument)


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
    if dtype in dtypes.DISCRETE and scalar_op(op).c_expression(dtype[0]) in _BITWISE:
        return _BITWISE[scalar_op(op).c_expression(dtype[0])]
    return f"st_reduce_{op}_{short_name(dtype)}"


def announcing(costs: Costs) -> str:
    """Return the text that tells the host of work which takes long."""
    return fill(_ANNOUNCE, {"WORK": str(costs.alone)})


def prelude(
    needs: Needs,
    vector_functions: frozenset[str],
    accuracy: str = "default",
    target: Target = MEASURED,
) -> str:
    """Return the text before the functions."""
    sections = [ABI, announcing(target.costs), "#include <stdbool.h>"]
    sections.append(math_section(needs, vector_functions, accuracy, target))
    sections += _helpers(needs)
    sections += _reductions(needs)
    sections += [_FAIL] * needs.fails + [_ALLOCATE] * needs.allocates
    sections += [_ENDED] * needs.may_end + [_ARENA] * needs.workspace
    sections += [HALVES] * needs.halves + [VECTORS] * needs.vectors
    sections += [_SCALAR] * needs.scalars + [_PARTITION] * needs.partitions
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
