/* Functions of the C library for loops that the compiler vectorizes, without branches or tables.

   A generated file contains those it uses. st_f replaces f of the C library. ST_MATH has the number
   of elements in 32 bytes. docs/accuracy.md has
   their errors in units in the last place, and benchmarks/polynomials.py computes the polynomials.
   Results for NaN, infinities, signed zeros and subnormal numbers are those of the C library. */

ST_PART uint64_t st_bits(double x) { uint64_t b; __builtin_memcpy(&b, &x, 8); return b; }

ST_PART uint32_t st_bitsf(float x) { uint32_t b; __builtin_memcpy(&b, &x, 4); return b; }

ST_PART double st_double(uint64_t b) { double x; __builtin_memcpy(&x, &b, 8); return x; }

ST_PART float st_float(uint32_t b) { float x; __builtin_memcpy(&x, &b, 4); return x; }

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

/* As st_exp. If n exceeds its limit, r is large and the result infinite. */
ST_MATH(8) float st_expf(float x) {
    const int falls = __builtin_constant_p(x > 0) && !__builtin_constant_p(x);
    const float bias = falls ? 0x1.80017ep23f : 0x1.8001fcp23f;
    const int32_t rounded = (int32_t)st_bitsf(__builtin_fmaf(x, 0x1.715476p0f, bias));
    const int32_t most = 0x4b40019c, least = rounded < most ? rounded : most;
    const uint32_t k = (uint32_t)(falls ? rounded : least);
    const float n = st_float(k) - bias, near = __builtin_fmaf(n, -0x1.62e430p-1f, x);
    const float r = __builtin_fmaf(n, 0x1.05c610p-29f, near), r2 = r * r;
    const float c1 = __builtin_fmaf(0x1.55585ap-5f, near, 0x1.55548cp-3f);
    const float c3 = __builtin_fmaf(0x1.6aba9ep-10f, near, 0x1.123d8ap-7f);
    const float low = __builtin_fmaf(0x1.fffffcp-2f, r2, r);
    const float y = __builtin_fmaf(__builtin_fmaf(c3, r2, c1), r2 * near, low);
    const uint32_t whole = k << 23, half = falls ? whole : (k << 22) & 0x7f800000;
    const float scale = st_float(half), rest = falls ? 0x1p-64f : st_float(whole - half);
    const float e = __builtin_fmaf(scale, y, scale) * rest;
    return x < -105 ? 0 : e;
}

/* As st_exp, but e^x - 1 = 2 (p 2^(n-1) + (2^(n-1) - 1/2)), where p = e^r - 1. */
ST_MATH(4) double st_expm1(double x) {
    const double capped = st_rarely(710 < x) ? 710 : x;
    const double a = st_rarely(x < -40) ? -40 : capped;
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
    return st_rarely(__builtin_fabs(x) < 0x1p-55) ? x : y;
}

/* As st_exp, but e^x - 1 = 2 (p 2^(n-1) + (2^(n-1) - 1/2)), where p = e^r - 1. */
ST_MATH(8) float st_expm1f(float x) {
    const float capped = st_rarely(89 < x) ? 89 : x;
    const float a = st_rarely(x < -18) ? -18 : capped;
    const float t = __builtin_fmaf(a, 0x1.715476p0f, 0x1.8000fcp23f), n = t - 0x1.8000fcp23f;
    const float near = __builtin_fmaf(n, -0x1.62e430p-1f, a), rest = n * 0x1.05c610p-29f;
    const float r = near + rest;
    float c = __builtin_fmaf(0x1.6ac9e4p-10f, r, 0x1.122be6p-7f);
    c = __builtin_fmaf(c, r, 0x1.55579ap-5f);
    c = __builtin_fmaf(c, r, 0x1.5554aap-3f);
    c = __builtin_fmaf(c, r, 0x1.fffffep-2f);
    const float p = __builtin_fmaf(c, r * r, rest), scale = st_float(st_bitsf(t) << 23);
    const float y = 2 * __builtin_fmaf(scale, p, __builtin_fmaf(scale, near, scale - 0.5f));
    return st_rarely(__builtin_fabsf(x) < 0x1p-26f) ? x : y;
}

/* e / (e + 2), where e = exp(2 |x|) - 1 = p 2^n + (2^n - 1) and p = e^r - 1. For large n, where the
   rest of r would matter in the powers, it does not matter in the result. */
ST_MATH(4) double st_tanh(double x) {
    const double size = __builtin_fabs(x), a = st_rarely(20 < size) ? 20 : size;
    const double t = __builtin_fma(a, 0x1.71547652b82fep1, 0x1.80000000003ffp52);
    const double n = t - 0x1.80000000003ffp52, rest = n * -0x1.abc9e3b39803fp-56;
    const double r = __builtin_fma(n, -0x1.62e42fefa39efp-1, 2 * a), r2 = r * r, r4 = r2 * r2;
    const double c0 = __builtin_fma(0x1.5555555555559p-3, r, 0.5);
    const double c2 = __builtin_fma(0x1.111111110f773p-7, r, 0x1.5555555555559p-5);
    const double c4 = __builtin_fma(0x1.a01a01afa9213p-13, r, 0x1.6c16c16c15d4dp-10);
    const double c6 = __builtin_fma(0x1.71ddf87304addp-19, r, 0x1.a01a01aa18061p-16);
    const double c8 = __builtin_fma(0x1.af5f68c26fe2bp-26, r, 0x1.27e4cb095d577p-22);
    const double top = __builtin_fma(__builtin_fma(0x1.1f9e9da58efe6p-29, r2, c8), r2, c6);
    const double high = __builtin_fma(top, r4, __builtin_fma(c4, r2, c2));
    const double p = __builtin_fma(high, r4, __builtin_fma(c0, r2, rest));
    const double scale = st_double(st_bits(t) << 52);
    const double e = __builtin_fma(scale, p, __builtin_fma(scale, r, scale - 1));
    return __builtin_copysign(e / (e + 2), x);
}

/* As st_tanh. */
ST_MATH(8) float st_tanhf(float x) {
    const float size = __builtin_fabsf(x), a = st_rarely(10 < size) ? 10 : size;
    const float t = __builtin_fmaf(a, 0x1.715476p1f, 0x1.8000fep23f), n = t - 0x1.8000fep23f;
    const float r = __builtin_fmaf(n, -0x1.62e430p-1f, 2 * a), rest = n * 0x1.05c610p-29f;
    const float r2 = r * r, c0 = __builtin_fmaf(0x1.5554aap-3f, r, 0x1.fffffep-2f);
    const float c3 = __builtin_fmaf(0x1.6ac9e4p-10f, r, 0x1.122be6p-7f);
    const float high = __builtin_fmaf(c3, r, 0x1.55579ap-5f);
    const float p = __builtin_fmaf(__builtin_fmaf(high, r2, c0), r2, rest);
    const float scale = st_float(st_bitsf(t) << 23);
    const float e = __builtin_fmaf(scale, p, __builtin_fmaf(scale, r, scale - 1));
    return __builtin_copysignf(e / (e + 2), x);
}

/* log(1 + f) - k log 2, where sqrt(1/2) <= 1 + f <= sqrt(2), with s = f / (2 + f) and
   log(1 + f) = f - f^2/2 + s (f^2/2 + s^2 q(s^2)). */
ST_PART double st_log_sum(double f, double k) {
    const double s = f / (2 + f), half = 0.5 * f * f, z = s * s, z2 = z * z;
    const double c1 = __builtin_fma(0x1.999999997f9f4p-2, z, 0x1.5555555555593p-1);
    const double c3 = __builtin_fma(0x1.c71c51d7900acp-3, z, 0x1.249249422a8d8p-2);
    const double c5 = __builtin_fma(0x1.39a093f521a2fp-3, z, 0x1.746649bd98902p-3);
    const double high = __builtin_fma(__builtin_fma(0x1.2f1191c469366p-3, z2, c5), z2, c3);
    const double q = __builtin_fma(__builtin_fma(high, z2, c1), z, half);
    return __builtin_fma(s, q, __builtin_fma(k, -0x1.62e42fefa39efp-1, f) - half);
}

/* log(1 + f) - k 2^-23 log 2, where sqrt(1/2) <= 1 + f <= sqrt(2). */
ST_PART float st_log_sumf(float f, float k) {
    const float f2 = f * f;
    const float c0 = __builtin_fmaf(0x1.5556f6p-2f, f, -0x1.fffffap-2f);
    const float c2 = __builtin_fmaf(0x1.98d22cp-3f, f, -0x1.0004c8p-2f);
    const float c4 = __builtin_fmaf(0x1.318042p-3f, f, -0x1.535322p-3f);
    const float c6 = __builtin_fmaf(0x1.66a978p-4f, f, -0x1.25502ep-3f);
    const float low = __builtin_fmaf(c2, f2, c0), high = __builtin_fmaf(c6, f2, c4);
    const float c = __builtin_fmaf(high, f2 * f2, low);
    return __builtin_fmaf(c, f2, __builtin_fmaf(k, -0x1.62e430p-24f, f));
}

/* x = 2^n (1 + f); the exponent of e is 1024 - n, and k = -n. Subnormal x are scaled. Infinity and
   NaN are passed on by the comparison with x minus the largest number. */
ST_MATH(4) double st_log(double x) {
    const double scale = x < 0x1p-1022 ? 0x1p54 : 1;
    const double bias = x < 0x1p-1022 ? 0x1p52 + 970 : 0x1p52 + 1024;
    const uint64_t b = st_bits(x * scale), turned = 0x7ff6a09e667f3bcc - b;
    const uint64_t e = turned & 0xfff0000000000000;
    const double k = st_double((turned >> 52) | 0x4330000000000000) - bias;
    const double f = st_double(b - 0x4000000000000000 + e) - 1;
    const double y = st_log_sum(f, k), past = x - 0x1.fffffffffffffp1023;
    const double larger = y > past ? y : past;
    const uint64_t quiet = st_bits(x) << 1 == 0 ? 0 : 0x0008000000000000;
    return x > 0 ? larger : st_double(0xfff0000000000000 | quiet);
}

/* As st_log, but e = -n 2^23. */
ST_MATH(8) float st_logf(float x) {
    const float scale = x < 0x1p-126f ? 0x1p23f : 1;
    const uint32_t more = x < 0x1p-126f ? 23 << 23 : 0;
    const uint32_t b = st_bitsf(x * scale), e = (0x3fb504f2 - b) & 0xff800000;
    const float k = (float)(int32_t)(e + more), f = st_float(b + e) - 1;
    const float y = st_log_sumf(f, k), past = x - 0x1.fffffep127f;
    const float larger = y > past ? y : past;
    const uint32_t quiet = st_bitsf(x) << 1 == 0 ? 0 : 0x00400000;
    return x > 0 ? larger : st_float(0xff800000 | quiet);
}

/* As st_log of u = 1 + x, but the rounding error of u is added to f. The result has the sign of x.
   Subnormal numbers, half of which may be no number, are their own results. If the compiler knows
   that x is not negative, as in log1p(x*x), there is no check for x < -1. */
ST_MATH(4) double st_log1p(double x) {
    const int rises = __builtin_constant_p(x < 0) && !__builtin_constant_p(x);
    const double u = 1 + x, lacks = 0.5 * (x - (u - 1));
    const uint64_t b = st_bits(u), turned = 0x7ff6a09e667f3bcc - b;
    const uint64_t e = turned & 0xfff0000000000000;
    const double k = st_double((turned >> 52) | 0x4330000000000000) - (0x1p52 + 1024);
    const double m = st_double(b - 0x4000000000000000 + e) - 1;
    const double f = __builtin_fma(lacks, st_double(e), m);
    const double y = st_log_sum(f, k), past = x - 0x1.fffffffffffffp1023;
    const double larger = y > past ? y : past;
    const uint64_t quiet = b == 0 ? 0 : 0x0008000000000000, sign = 0x8000000000000000;
    const double signed_y = st_double(st_bits(larger) | (st_bits(x) & sign));
    const double whole = st_rarely(__builtin_fabs(x) < 0x1p-1021) ? x : signed_y;
    return rises || x > -1 ? whole : st_double(0xfff0000000000000 | quiet);
}

/* As st_log1p. If n exceeds its limit of 126, u has no rounding error. */
ST_MATH(8) float st_log1pf(float x) {
    const int rises = __builtin_constant_p(x < 0) && !__builtin_constant_p(x);
    const float u = 1 + x, lacks = x - (u - 1);
    const uint32_t b = st_bitsf(u), e = (0x3fb504f2 - b) & 0xff800000;
    const int32_t minus = (int32_t)e, least = -126 * (1 << 23), cut = minus < least ? least : minus;
    const float power = st_float((uint32_t)cut + 0x3f800000);
    const float f = __builtin_fmaf(lacks, power, st_float(b + e) - 1);
    const float y = st_log_sumf(f, (float)minus), past = x - 0x1.fffffep127f;
    const float larger = y > past ? y : past;
    const uint32_t quiet = b == 0 ? 0 : 0x00400000;
    const float signed_y = st_float(st_bitsf(larger) | (st_bitsf(x) & 0x80000000));
    return rises || x > -1 ? signed_y : st_float(0xff800000 | quiet);
}

/* The logarithm of gamma(x). Up to 8, that of gamma(1 + t), where 0 <= t < 1.375, is t (t - 1)
   times a polynomial in t - 11/16; the logarithm of (x - 1) (x - 2) ... (1 + t) is added, or, if x < 1,
   that of x subtracted. From 8 on, Stirling's formula; for negative numbers, Euler's reflection,
   with the sine of the distance from the nearest integer. Both logarithms are used in any case:
   compilers would move them into branches. */
ST_MATH(4) double st_lgamma(double x) {
    const double size = __builtin_fabs(x), most = 0x1.fffffffffffffp1023;
    const double a = size > most ? most : size, whole = __builtin_floor(a - 0.375);
    const int large = a >= 8, small = a < 1;
    const double t = small ? a : a < 1.375 ? a - 1 : a - whole;
    const double s = t - 0.6875, s2 = s * s, s4 = s2 * s2;
    double p = small ? a : 1;
    p *= a >= 2.375 ? a - 1 : 1;
    p *= a >= 3.375 ? a - 2 : 1;
    p *= a >= 4.375 ? a - 3 : 1;
    p *= a >= 5.375 ? a - 4 : 1;
    p *= a >= 6.375 ? a - 5 : 1;
    p *= a >= 7.375 ? a - 6 : 1;
    const double l = st_log(large ? a : p);
    const double c0 = __builtin_fma(-0x1.009230d25df4fp-3, s, 0x1.d4c5c0303a8f4p-2);
    const double c2 = __builtin_fma(-0x1.5f029f8242804p-6, s, 0x1.8bc0885a5b110p-5);
    const double c4 = __builtin_fma(-0x1.4eb219774b726p-8, s, 0x1.4f3372a6ce159p-7);
    const double c6 = __builtin_fma(-0x1.692267212ab6fp-10, s, 0x1.581f7d58afad6p-9);
    const double c8 = __builtin_fma(-0x1.9e95a8ea19959p-12, s, 0x1.80b971c01341fp-11);
    const double c10 = __builtin_fma(-0x1.edd7a876bee40p-14, s, 0x1.c2d3000abfb29p-13);
    const double c12 = __builtin_fma(-0x1.2d7ad6cc2d71cp-15, s, 0x1.1023f0faa4e9bp-14);
    const double c14 = __builtin_fma(-0x1.76734fe483b83p-17, s, 0x1.4f4dc089b6b44p-16);
    const double c16 = __builtin_fma(-0x1.dba6a90470d0fp-19, s, 0x1.a6414cbbb67b9p-18);
    const double c18 = __builtin_fma(-0x1.19de7cabbb2fdp-20, s, 0x1.fa21f6d4d24f3p-20);
    const double c20 = __builtin_fma(-0x1.029e7628d2af5p-21, s, 0x1.b4c66c541d4fap-21);
    const double c22 = __builtin_fma(0x1.286dfacd40c51p-26, s, -0x1.a21578a15a61cp-29);
    const double c24 = __builtin_fma(-0x1.f209a13f70420p-24, s, 0x1.a05480fb9c6e4p-23);
    double top = c24;
    top = __builtin_fma(top, s4, __builtin_fma(c22, s2, c20));
    top = __builtin_fma(top, s4, __builtin_fma(c18, s2, c16));
    top = __builtin_fma(top, s4, __builtin_fma(c14, s2, c12));
    top = __builtin_fma(top, s4, __builtin_fma(c10, s2, c8));
    top = __builtin_fma(top, s4, __builtin_fma(c6, s2, c4));
    top = __builtin_fma(top, s4, __builtin_fma(c2, s2, c0));
    const double near = top * (t * (t - 1)), v = 1 / a, u = v * v;
    double f = __builtin_fma(-0x1.b17ca8e59519dp-10, u, 0x1.b6ffd37d7be47p-11);
    f = __builtin_fma(f, u, -0x1.380ed1e5be649p-11);
    f = __builtin_fma(f, u, 0x1.a019fd53f0032p-11);
    f = __builtin_fma(f, u, -0x1.6c16c16bbaf69p-9);
    f = __builtin_fma(f, u, 0x1.5555555555553p-4);
    const double main = __builtin_fma(a - 0.5, l, 0x1.d67f1c864beb5p-1 - a);
    const double far = __builtin_fma(f, v, main), close = near + (small ? -l : l);
    const double y = large ? far : close;
    const double r = a - __builtin_rint(a), w = r * r;
    double g = __builtin_fma(-0x1.6207d6c912d39p-16, w, 0x1.e89812fb2c140p-12);
    g = __builtin_fma(g, w, -0x1.e30609de56441p-8);
    g = __builtin_fma(g, w, 0x1.5078320577450p-4);
    g = __builtin_fma(g, w, -0x1.32d2cce0c5036p-1);
    g = __builtin_fma(g, w, 0x1.466bc6774f2f7p+1);
    g = __builtin_fma(g, w, -0x1.4abbce625bd26p+2);
    g = __builtin_fma(g, w, 0x1.921fb54442d17p+1);
    const double sine = __builtin_fabs(r) * g, area = small ? sine : a * sine;
    const int turned = x < -0x1p-60;
    const double rest = st_log(turned ? area : 1), base = small ? near : y;
    const double capped = base > most ? most : base;
    return (turned ? 0x1.250d048e7a1bdp0 - capped : y) - rest;
}
