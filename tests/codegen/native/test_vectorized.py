"""Functions of a text whose results depend on the optimizer."""

from __future__ import annotations

from symtheano.codegen.native.vectorized import fixed_functions

PRELUDE = """\
__attribute__((simd("notinbranch"), const)) float expf(float);
__attribute__((const)) float tanf(float);

#if defined __FMA__ || defined __ARM_FEATURE_FMA
#ifdef __clang__
static inline float st_logf(float x) { return x; }
#else
__attribute__((simd("notinbranch"), const)) float st_logf(float);
#endif
#define logf(x) st_logf(x)
#else
__attribute__((simd("notinbranch"), const)) float logf(float);
#endif

static inline float st_logistic(float x) {
    return 1 / (1 + expf(-x));
}

#define twice(x) (2 * st_logistic(x))

static float st_total(const float *x) {
    float sum = 0;
    #pragma omp simd reduction(+:sum)
    for (int i = 0; i < 8; i++) sum += x[i];
    return sum;
}
"""


def loop(value: str) -> str:
    return f"void f(float *x) {{\n    for (int i = 0; i < 8; i++) x[i] = {value};\n}}\n"


def test_calls_of_functions_with_vectorized_forms_are_found() -> None:
    values = ["x[i] + 1", "expf(x[i])", "tanf(x[i])", "logf(x[i])", "st_logistic(x[i])"]
    values += ["twice(x[i])", "st_total(x)", "myexpf(x[i])"]
    assert fixed_functions(PRELUDE, list(map(loop, values)), "") == {1, 4, 5, 6}


def test_sums_that_may_be_reordered_are_found() -> None:
    body = "void f(void) {\n    #pragma omp simd\n    for (;;) x++;\n}\n"
    clauses = ["", " simdlen(8) reduction(+ : x)", " reduction(& : x)"]
    clauses += [f" reduction(st_reduce_minimum_{kind} : x)" for kind in ("i32", "f32")]
    bodies = [body.replace("omp simd", f"omp simd{clause}") for clause in clauses]
    assert fixed_functions("", bodies, "") == {1, 4}


def test_an_entry_point_may_call_them_outside_of_loops() -> None:
    entry = (
        "int entry(float *x) {\n    x[0] = expf(x[1]);\n    for (;;) {\n        x++;\n    }\n}\n"
    )
    assert fixed_functions(PRELUDE, [], entry) == set()
    assert fixed_functions(PRELUDE, [], entry.replace("x++", "x[0] = expf(x[1])")) is None
    assert (
        fixed_functions("", [], loop("1").replace("for", "#pragma omp simd reduction(+:x)\nfor"))
        is None
    )
