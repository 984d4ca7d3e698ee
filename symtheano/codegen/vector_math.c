/* Functions of the C library for loops that the compiler vectorizes: no branches, no tables.

   A generated file gets those it uses. st_f stands for f of the C library; errors in units in the
   last place are in docs/accuracy.md, and the polynomials come from benchmarks/polynomials.py.
   NaN, infinities, signed zeros and subnormal numbers are as the C library has them. */

ST_PART uint64_t st_bits(double x) { uint64_t b; __builtin_memcpy(&b, &x, 8); return b; }

ST_PART uint32_t st_bitsf(float x) { uint32_t b; __builtin_memcpy(&b, &x, 4); return b; }

ST_PART double st_double(uint64_t b) { double x; __builtin_memcpy(&x, &b, 8); return x; }

ST_PART float st_float(uint32_t b) { float x; __builtin_memcpy(&x, &b, 4); return x; }

/* x = n log 2 + r; the addend of t rounds to n, which its last bits then hold, plus a bias.
   2^n is the product of two powers, so that subnormal results are rounded once. */
ST_MATH double st_exp(double x) {
    const double t = __builtin_fma(x, 0x1.71547652b82fep0, 0x1.80000000007fep52);
    const double n = t - 0x1.80000000007fep52;
    const double near = __builtin_fma(n, -0x1.62e42fefa39efp-1, x);
    const double r = __builtin_fma(n, -0x1.abc9e3b39803fp-56, near), r2 = r * r, r4 = r2 * r2;
    const double c0 = __builtin_fma(0x1.55555555554f5p-3, r, 0x1.000000000000ap-1);
    const double c2 = __builtin_fma(0x1.1111111128bc0p-7, r, 0x1.55555555505b7p-5);
    const double c4 = __builtin_fma(0x1.a01a012628b99p-13, r, 0x1.6c16c184d103fp-10);
    const double c6 = __builtin_fma(0x1.71df2be8330a9p-19, r, 0x1.a019982e211aep-16);
    const double c8 = __builtin_fma(0x1.ad79802052763p-26, r, 0x1.28af4081d7b3cp-22);
    const double high = __builtin_fma(__builtin_fma(c8, r2, c6), r4, __builtin_fma(c4, r2, c2));
    const double y = __builtin_fma(__builtin_fma(high, r2, c0), r2, r);
    const uint64_t k = st_bits(t), half = k >> 1;
    const double scale = st_double(half << 52), rest = st_double((k - half) << 52);
    const double e = __builtin_fma(scale, y, scale) * rest;
    const double capped = x > 709.8 ? __builtin_inf() : e;
    return x < -746 ? 0 : capped;
}

/* As st_exp. Where n is cut off at its largest, r is large, and the result infinite. */
ST_MATH float st_expf(float x) {
    const int32_t most = 0x4b40019c, rounded = (int32_t)st_bitsf(
        __builtin_fmaf(x, 0x1.715476p0f, 0x1.8001fcp23f));
    const uint32_t k = (uint32_t)(rounded < most ? rounded : most), half = k >> 1;
    const float n = st_float(k) - 0x1.8001fcp23f;
    const float near = __builtin_fmaf(n, -0x1.62e430p-1f, x);
    const float r = __builtin_fmaf(n, 0x1.05c610p-29f, near), r2 = r * r;
    const float c1 = __builtin_fmaf(0x1.55585ap-5f, r, 0x1.55548cp-3f);
    const float c3 = __builtin_fmaf(0x1.6aba9ep-10f, r, 0x1.123d8ap-7f);
    const float c = __builtin_fmaf(__builtin_fmaf(c3, r2, c1), r, 0x1.fffffcp-2f);
    const float y = __builtin_fmaf(c, r2, r);
    const float scale = st_float(half << 23), rest = st_float((k - half) << 23);
    const float e = __builtin_fmaf(scale, y, scale) * rest;
    return x < -105 ? 0 : e;
}

/* As st_exp, but e^x - 1 = 2 (p 2^(n-1) + (2^(n-1) - 1/2)), where p = e^r - 1. */
ST_MATH double st_expm1(double x) {
    const double capped = 710 < x ? 710 : x, a = x < -40 ? -40 : capped;
    const double t = __builtin_fma(a, 0x1.71547652b82fep0, 0x1.80000000003fep52);
    const double n = t - 0x1.80000000003fep52, rest = n * -0x1.abc9e3b39803fp-56;
    const double near = __builtin_fma(n, -0x1.62e42fefa39efp-1, a), r = near + rest;
    const double r2 = r * r, r4 = r2 * r2;
    const double c0 = __builtin_fma(0x1.5555555555559p-3, r, 0.5);
    const double c2 = __builtin_fma(0x1.111111110f773p-7, r, 0x1.5555555555559p-5);
    const double c4 = __builtin_fma(0x1.a01a01afa9213p-13, r, 0x1.6c16c16c15d4dp-10);
    const double c6 = __builtin_fma(0x1.71ddf87304addp-19, r, 0x1.a01a01aa18061p-16);
    const double c8 = __builtin_fma(0x1.af5f68c26fe2bp-26, r, 0x1.27e4cb095d577p-22);
    const double top = __builtin_fma(__builtin_fma(0x1.1f9e9da58efe6p-29, r2, c8), r2, c6);
    const double high = __builtin_fma(top, r4, __builtin_fma(c4, r2, c2));
    const double p = __builtin_fma(high, r4, __builtin_fma(c0, r2, rest));
    const double scale = st_double(st_bits(t) << 52);
    const double y = 2 * __builtin_fma(scale, p, __builtin_fma(scale, near, scale - 0.5));
    return __builtin_fabs(x) < 0x1p-55 ? x : y;
}

/* As st_exp, but e^x - 1 = 2 (p 2^(n-1) + (2^(n-1) - 1/2)), where p = e^r - 1. */
ST_MATH float st_expm1f(float x) {
    const float capped = 89 < x ? 89 : x, a = x < -18 ? -18 : capped;
    const float t = __builtin_fmaf(a, 0x1.715476p0f, 0x1.8000fcp23f), n = t - 0x1.8000fcp23f;
    const float near = __builtin_fmaf(n, -0x1.62e430p-1f, a), rest = n * 0x1.05c610p-29f;
    const float r = near + rest;
    float c = __builtin_fmaf(0x1.6ac9e4p-10f, r, 0x1.122be6p-7f);
    c = __builtin_fmaf(c, r, 0x1.55579ap-5f);
    c = __builtin_fmaf(c, r, 0x1.5554aap-3f);
    c = __builtin_fmaf(c, r, 0x1.fffffep-2f);
    const float p = __builtin_fmaf(c, r * r, rest), scale = st_float(st_bitsf(t) << 23);
    const float y = 2 * __builtin_fmaf(scale, p, __builtin_fmaf(scale, near, scale - 0.5f));
    return __builtin_fabsf(x) < 0x1p-26f ? x : y;
}

/* e / (e + 2), where e = exp(2 |x|) - 1 = p 2^n + (2^n - 1) and p = e^r - 1. */
ST_MATH double st_tanh(double x) {
    const double size = __builtin_fabs(x), a = 2 * (20 < size ? 20 : size);
    const double t = __builtin_fma(a, 0x1.71547652b82fep0, 0x1.80000000003ffp52);
    const double n = t - 0x1.80000000003ffp52;
    const double near = __builtin_fma(n, -0x1.62e42fefa39efp-1, a);
    const double rest = n * -0x1.abc9e3b39803fp-56, r = near + rest, r2 = r * r, r4 = r2 * r2;
    const double c0 = __builtin_fma(0x1.5555555555559p-3, r, 0.5);
    const double c2 = __builtin_fma(0x1.111111110f773p-7, r, 0x1.5555555555559p-5);
    const double c4 = __builtin_fma(0x1.a01a01afa9213p-13, r, 0x1.6c16c16c15d4dp-10);
    const double c6 = __builtin_fma(0x1.71ddf87304addp-19, r, 0x1.a01a01aa18061p-16);
    const double c8 = __builtin_fma(0x1.af5f68c26fe2bp-26, r, 0x1.27e4cb095d577p-22);
    const double top = __builtin_fma(__builtin_fma(0x1.1f9e9da58efe6p-29, r2, c8), r2, c6);
    const double high = __builtin_fma(top, r4, __builtin_fma(c4, r2, c2));
    const double p = __builtin_fma(high, r4, __builtin_fma(c0, r2, rest));
    const double scale = st_double(st_bits(t) << 52);
    const double e = __builtin_fma(scale, p, __builtin_fma(scale, near, scale - 1));
    return __builtin_copysign(e / (e + 2), x);
}

/* As st_tanh. */
ST_MATH float st_tanhf(float x) {
    const float size = __builtin_fabsf(x), a = 2 * (10 < size ? 10 : size);
    const float t = __builtin_fmaf(a, 0x1.715476p0f, 0x1.8000fep23f), n = t - 0x1.8000fep23f;
    const float near = __builtin_fmaf(n, -0x1.62e430p-1f, a), rest = n * 0x1.05c610p-29f;
    const float r = near + rest;
    float c = __builtin_fmaf(0x1.6ac9e4p-10f, r, 0x1.122be6p-7f);
    c = __builtin_fmaf(c, r, 0x1.55579ap-5f);
    c = __builtin_fmaf(c, r, 0x1.5554aap-3f);
    c = __builtin_fmaf(c, r, 0x1.fffffep-2f);
    const float p = __builtin_fmaf(c, r * r, rest), scale = st_float(st_bitsf(t) << 23);
    const float e = __builtin_fmaf(scale, p, __builtin_fmaf(scale, near, scale - 1));
    return __builtin_copysignf(e / (e + 2), x);
}
