#include <stdbool.h>

#if defined __FMA__ || defined __ARM_FEATURE_FMA
#define ST_PART static inline __attribute__((always_inline))
#define ST_MATH(lanes) ST_PART

ST_PART uint64_t st_bits(double x) { uint64_t b; __builtin_memcpy(&b, &x, 8); return b; }

ST_PART double st_double(uint64_t b) { double x; __builtin_memcpy(&x, &b, 8); return x; }

/* A condition that is rarely true. A single value need not wait for the choice, which becomes a
   branch; loops in vectors do not change. */
ST_PART int st_rarely(int condition) {
    return __builtin_expect_with_probability(condition, 0, 0.999);
}

/* x = n log 2 + r. Adding the constant in t rounds to n, which is then in the last bits of t, plus
   a bias. 2^n is the product of two powers, so that subnormal results are rounded once. If the
   compiler knows that x is not positive, as in exp(-fabs(x)), the second power is a constant. */
ST_MATH(4) double st_exp(double x) {
    const int falls = __builtin_constant_p(x > 0) && !__builtin_constant_p(x);
    const double bias = falls ? 0x1.800000000043fp52 : 0x1.80000000007fep52;
    const double t = __builtin_fma(x, 0x1.71547652b82fep0, bias), n = t - bias;
    const double near = __builtin_fma(n, -0x1.62e42fefa39efp-1, x);
    const double r = __builtin_fma(n, -0x1.abc9e3b39803fp-56, near), r2 = r * r, r4 = r2 * r2;
    const double c0 = __builtin_fma(0x1.55555555554f5p-3, r, 0x1.000000000000ap-1);
    const double c2 = __builtin_fma(0x1.1111111128bc0p-7, r, 0x1.55555555505b7p-5);
    const double c4 = __builtin_fma(0x1.a01a012628b99p-13, r, 0x1.6c16c184d103fp-10);
    const double c6 = __builtin_fma(0x1.71df2be8330a9p-19, r, 0x1.a019982e211aep-16);
    const double c8 = __builtin_fma(0x1.ad79802052763p-26, r, 0x1.28af4081d7b3cp-22);
    const double high = __builtin_fma(__builtin_fma(c8, r2, c6), r4, __builtin_fma(c4, r2, c2));
    const double y = __builtin_fma(high, r4, __builtin_fma(c0, r2, r));
    const uint64_t k = st_bits(t), half = falls ? k : k >> 1;
    const double scale = st_double(half << 52);
    const double rest = falls ? 0x1p-64 : st_double((k - half) << 52);
    const double e = __builtin_fma(scale, y, scale) * rest;
    const double capped = !falls && st_rarely(x > 709.8) ? __builtin_inf() : e;
    return st_rarely(x < -746) ? 0 : capped;
}

#define exp(x) st_exp(x)
#else
__attribute__((const)) double exp(double);
#endif

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

#ifdef _OPENMP
int omp_get_thread_num(void);
int omp_get_num_threads(void);
#else
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif

/* Loops with less work than this number of additions run in one thread. */
#define ST_PARALLEL_WORK 524288

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

/* Not inlined, so that one thread and many threads run the same code. */
#define ST_KERNEL static __attribute__((noinline))

static const double table[4] = {0.0, -0.0, 1.0, -__builtin_inf()};

typedef struct main_part_given {
    const int64_t *double_;
    double *exp_;
} main_part_given;

ST_KERNEL void main_part(const int64_t begin, const int64_t end, const int64_t status_,
        const void *given) {
    const main_part_given *const st_given = given;
    const int64_t *double_ = st_given->double_;
    double *exp_ = st_given->exp_;
    _Alignas(64) double recent[2];
    for (int64_t i = begin; i < end; i++) {
        const int64_t double_i = double_[i];
        const double table_i = table[double_i];
        recent[0] = table_i;
        const double recent_i = recent[0];
        const double v = exp(recent_i);
        recent[1] = v;
        const double recent_i_2 = recent[1];
        exp_[i] = recent_i_2;
    }
}

/* main_
   inputs: int64 double_[n]
   outputs: float64 exp_[n] */
ST_EXPORT int32_t main_(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
        st_error *error) {
    int32_t status = ST_OK;
    const int64_t *double_ = inputs[0].data;
    const int64_t n = inputs[0].shape[0];

    double *exp_ = ST_ALLOCATE(0, n);
    ST_REQUIRE(exp_, MEMORY, -1, n*8, 0);

    const main_part_given st_given_1 = {double_, exp_};
    if (st_parallel(runtime, n*1000000)) {
        st_share_out(runtime, main_part, &st_given_1, n, 1);
    } else {
        main_part(0, n, 0, &st_given_1);
    }
done:
    return status;
}
