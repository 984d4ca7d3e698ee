#include <stdbool.h>

static inline int64_t st_int_div_i64(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int64_t)-a;
    return (int64_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

static inline int64_t st_mod_i64(int64_t a, int64_t b) {
    if (!__builtin_constant_p(b) && a >= 0 && a < b) return a;
    if (b == 0 || b == -1) return 0;
    int64_t r = (int64_t)(a % b);
    return (int64_t)(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}

/* Leaves the function with an error unless a condition holds. `kind` is the kind of the error,
   `site` the number of its message, and the integers after it are for the message. */
#define ST_REQUIRE(condition, kind, site, ...) \
    do { \
        if (!(condition)) { \
            status = st_fail(error, ST_ERROR_##kind, site, ST_INTEGERS(__VA_ARGS__)); \
            goto done; \
        } \
    } while (0)
#define ST_INTEGERS(...) \
    sizeof (int64_t[]){__VA_ARGS__} / sizeof(int64_t), (const int64_t[]){__VA_ARGS__}

static __attribute__((cold, noinline)) int32_t st_fail(st_error *error, int32_t code, int32_t site,
                                                       int32_t count, const int64_t *values) {
    error->code = code;
    error->site = site;
    for (int32_t i = 0; i < count; i++) error->values[i] = values[i];
    return code;
}

/* Memory for an output: its number, and its lengths; NULL if there is none. */
#define ST_ALLOCATE(output, ...) \
    runtime->allocate(runtime->context, output, (const int64_t[]){__VA_ARGS__})

/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

/* steps to one */
ST_KERNEL int32_t collatz(st_error *error, const int64_t *x, int64_t *steps, const int64_t n,
        int64_t *st_highest, int64_t *st_checked) {
    int32_t status = ST_OK;
    int64_t highest = 0;
    int64_t checked = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t x_i = x[i];
        const bool v = x_i > 0LL;
        ST_REQUIRE(v, VALUE, 3, i);
        int64_t current = x_i;
        int64_t steps_i = 0;
        for (;;) {
            const bool go = current != 1LL;
            if (!go) break;
            const int64_t v_2 = st_mod_i64(current, 2LL);
            const bool odd = v_2 == 1LL;
            if (odd) {
                const int64_t v_3 = current * 3LL;
                const int64_t v_4 = v_3 + 1LL;
                current = v_4;
            } else {
                const int64_t v_5 = st_int_div_i64(current, 2LL);
                current = v_5;
            }
            const int64_t v_6 = steps_i + 1LL;
            steps_i = v_6;
            const int64_t v_7 = highest > current ? highest : current;
            highest = v_7;
        }
        steps[i] = steps_i;
        const int64_t v_8 = checked + 1LL;
        checked = v_8;
    }
    *st_highest = highest;
    *st_checked = checked;
done:
    return status;
}

/* entry
   inputs: int64 x[n]
   outputs: int64 steps[n], int64 top[1]
   1. steps, highest, checked = collatz(x): steps to one; reads n*8, writes n*8 bytes */
ST_EXPORT int32_t entry(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const int64_t *x = inputs[0].data;
    const int64_t n = inputs[0].shape[0];

    int64_t *steps = ST_ALLOCATE(0, n);
    ST_REQUIRE(steps, MEMORY, -1, n*8, 0);
    int64_t *top = ST_ALLOCATE(1, 1);
    ST_REQUIRE(top, MEMORY, -1, 8, 1);

    int64_t highest;
    int64_t checked;
    status = collatz(error, x, steps, n, &highest, &checked);
    if (status != ST_OK) goto done;
    const int64_t v_9 = highest - checked;
    top[0] = v_9;
done:
    return status;
}
