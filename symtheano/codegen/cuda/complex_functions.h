/* Functions of complex numbers that CUDA lacks, under their names in C, and with C's values where a
   part is infinite, not a number, or zero (ISO C, annex G). */

#define ST_OF_BOTH(name) \
    ST_DEVICE float st_##name(float x) { return name##f(x); } \
    ST_DEVICE double st_##name(double x) { return name(x); }
#define ST_OF_PAIRS(name) \
    ST_DEVICE float st_##name(float x, float y) { return name##f(x, y); } \
    ST_DEVICE double st_##name(double x, double y) { return name(x, y); }
ST_OF_BOTH(exp) ST_OF_BOTH(log) ST_OF_BOTH(log1p) ST_OF_BOTH(sqrt) ST_OF_BOTH(fabs)
ST_OF_BOTH(sin) ST_OF_BOTH(cos) ST_OF_BOTH(sinh) ST_OF_BOTH(cosh)
ST_OF_PAIRS(atan2) ST_OF_PAIRS(hypot) ST_OF_PAIRS(copysign)
ST_DEVICE float st_fused(float a, float b, float c) { return fmaf(a, b, c); }
ST_DEVICE double st_fused(double a, double b, double c) { return fma(a, b, c); }
template <typename P> ST_DEVICE bool st_is_finite(P x) { return !(isnan(x) || isinf(x)); }

/* Squares of what is below tiny underflow. Beyond far, 1 is nothing beside a number; beyond flat,
   tanh is 1; within whole, exp neither overflows nor underflows. */
template <typename P> struct st_limits;
template <> struct st_limits<float> {
    static constexpr float tiny = 1e-18f, far = 1e9f, flat = 10, whole = 80;
};
template <> struct st_limits<double> {
    static constexpr double tiny = 1e-150, far = 1e17, flat = 20, whole = 700;
};

#define ST_COMPLEX template <typename P> static st_complex<P>

ST_COMPLEX st_exp_of(st_complex<P> z) {
    const P a = z.re, b = z.im, size = st_exp(a);
    if (b == 0) return st_complex<P>(size, b);
    if (!st_is_finite(b)) {
        if (isinf(a)) return a < 0 ? st_complex<P>(0, st_copysign(P(0), b)) : st_complex<P>(a, b - b);
        return st_complex<P>(b - b, b - b);
    }
    if (!(st_fabs(a) > st_limits<P>::whole)) return st_complex<P>(size * st_cos(b), size * st_sin(b));
    const P root = st_exp(a / 2);  /* exp(a) may overflow, or underflow, where the product does not */
    return st_complex<P>(st_cos(b) * root * root, st_sin(b) * root * root);
}

/* The logarithm of a number's size: near 1, the square of the size less 1 is added up exactly. */
template <typename P> static P st_log_size(st_complex<P> z) {
    P a = st_fabs(z.re), b = st_fabs(z.im);
    if (a < b) { const P other = a; a = b; b = other; }
    const P size = st_hypot(a, b);
    if (size > P(0.7) && size < P(1.4)) {
        const P first = a * a, rest = st_fused(a, a, -first), second = b * b;
        const P less = st_fused(b, b, -second), one = first - 1, kept = one + 1;
        const P lost = (first - kept) + ((kept - one) - 1), sum = one + second, part = sum - one;
        return st_log1p(sum + ((one - (sum - part)) + (second - part) + lost + rest + less)) / 2;
    }
    const P up = 1152921504606846976, ln = P(41.58883083359672);  /* 2**60 and its logarithm */
    if (a > P(1e30) && !isinf(a)) return st_log(st_hypot(a / up, b / up)) + ln;
    if (a < P(1e-30) && a > 0) return st_log(st_hypot(a * up, b * up)) - ln;
    return st_log(size);
}

ST_COMPLEX st_log_of(st_complex<P> z) { return st_complex<P>(st_log_size(z), st_atan2(z.im, z.re)); }

ST_COMPLEX st_sqrt_of(st_complex<P> z) {
    const P a = z.re, b = z.im, infinity = P(__builtin_inf());
    if (a == 0 && b == 0) return st_complex<P>(0, b);
    if (isinf(b)) return st_complex<P>(infinity, b);
    if (isinf(a)) {
        if (a > 0) return st_complex<P>(a, isnan(b) ? b : st_copysign(P(0), b));
        return st_complex<P>(isnan(b) ? b : P(0), st_copysign(infinity, b));
    }
    if (isnan(a) || isnan(b)) return st_complex<P>(a + b, a + b);
    const P size = st_fabs(a) > st_fabs(b) ? st_fabs(a) : st_fabs(b);
    const bool large = size > P(1e30), small = size < P(1e-30);
    const P two_30 = P(1073741824), up = large ? two_30 : small ? 1 / two_30 : 1, down = 1 / up / up;
    const P x = st_fabs(a) * down, root = st_sqrt((x + st_hypot(x, b * down)) / 2) * up;
    const P other = st_fabs(b) / root / 2;
    return a < 0 ? st_complex<P>(other, st_copysign(root, b)) : st_complex<P>(root, st_copysign(other, b));
}

ST_COMPLEX st_sinh_of(st_complex<P> z) {
    const P a = z.re, b = z.im;
    if (b == 0) return st_complex<P>(st_sinh(a), b);
    if (!st_is_finite(b)) return st_complex<P>(a == 0 ? a : isinf(a) ? st_fabs(a) : b - b, b - b);
    if (!(st_fabs(a) > st_limits<P>::whole)) {
        return st_complex<P>(st_sinh(a) * st_cos(b), st_cosh(a) * st_sin(b));
    }
    const P root = st_exp(st_fabs(a) / 2);
    return st_complex<P>(st_copysign(root, a) * st_cos(b) * (root / 2), root * st_sin(b) * (root / 2));
}

ST_COMPLEX st_cosh_of(st_complex<P> z) {
    const P a = z.re, b = z.im;
    if (a == 0 || b == 0) {
        const P zero = st_copysign(P(0), a) * st_copysign(P(1), b);
        return st_complex<P>(a == 0 ? (st_is_finite(b) ? st_cos(b) : b - b) : st_cosh(a),
                             a == 0 && st_is_finite(b) ? a * st_sin(b) : zero);
    }
    if (!st_is_finite(b)) return st_complex<P>(isinf(a) ? st_fabs(a) : b - b, b - b);
    if (!(st_fabs(a) > st_limits<P>::whole)) {
        return st_complex<P>(st_cosh(a) * st_cos(b), st_sinh(a) * st_sin(b));
    }
    const P root = st_exp(st_fabs(a) / 2);
    return st_complex<P>(root * st_cos(b) * (root / 2), st_copysign(root, a) * st_sin(b) * (root / 2));
}

ST_COMPLEX st_tanh_of(st_complex<P> z) {
    const P a = z.re, b = z.im;
    if (!st_is_finite(b)) {
        if (isinf(a)) return st_complex<P>(st_copysign(P(1), a), st_copysign(P(0), b));
        return st_complex<P>(a == 0 ? a : b - b, b - b);
    }
    if (isnan(a)) return st_complex<P>(a, b == 0 ? b : a);
    const P s = st_sin(b), c = st_cos(b);
    if (st_fabs(a) > st_limits<P>::flat) {
        const P fall = st_exp(-st_fabs(a));
        return st_complex<P>(st_copysign(P(1), a), 4 * s * c * fall * fall);
    }
    const P sh = st_sinh(a), below = sh * sh + c * c;
    return st_complex<P>(sh * st_cosh(a) / below, s * c / below);
}

/* Hull, Fairgrieve and Tang, Implementing the complex arcsine and arccosine functions using
   exception handling, ACM TOMS 23 (3), 1997. Of x and y, which are not negative, the result has d,
   so that the arcsine has the real part atan2(x, d) and the arccosine atan2(d, x), and the size of
   the imaginary part of both. */
ST_COMPLEX st_arc_of(P x, P y) {
    const P size = st_hypot(x, y);
    if (!(size < P(1e10))) {
        return st_complex<P>(y, st_log_size(st_complex<P>(x, y)) + P(0.6931471805599453));
    }
    if (size < P(1e-10)) return st_complex<P>(1, y);
    if (y < st_limits<P>::tiny) {
        const P root = st_sqrt(st_fabs(x - 1) * (x + 1));
        if (x == 1) return st_complex<P>(st_sqrt(y), st_sqrt(y));
        if (x < 1) return st_complex<P>(root, y / root);
        return st_complex<P>(x * y / root, st_log1p((x - 1) + root));
    }
    const P r = st_hypot(x + 1, y), s = st_hypot(x - 1, y), mean = (r + s) / 2;
    const P right = r + (x + 1), outer = x < 1 ? s + (1 - x) : s + (x - 1);
    const P part = x < 1 ? y / outer * y : outer, more = (y * y / right + part) / 2;
    const P d = x <= 1 ? st_sqrt((mean + x) / 2 * (y * y / right + (s + (1 - x))))
                       : y * st_sqrt((mean + x) / 2 / right + (mean + x) / 2 / outer);
    const P angle = mean <= P(1.5) ? st_log1p(more + st_sqrt(more * (mean + 1)))
                                   : st_log(mean + st_sqrt((mean - 1) * (mean + 1)));
    return st_complex<P>(d, angle);
}

ST_COMPLEX st_asin_of(st_complex<P> z) {
    if (z.re == 0 && isnan(z.im)) return z;
    const st_complex<P> arc = st_arc_of(st_fabs(z.re), st_fabs(z.im));
    const P angle = st_atan2(st_fabs(z.re), arc.re);
    return st_complex<P>(st_copysign(angle, z.re), st_copysign(arc.im, z.im));
}

ST_COMPLEX st_acos_of(st_complex<P> z) {
    if (z.re == 0 && isnan(z.im)) return st_complex<P>(P(1.5707963267948966), z.im);
    const st_complex<P> arc = st_arc_of(st_fabs(z.re), st_fabs(z.im));
    return st_complex<P>(st_atan2(arc.re, z.re), -st_copysign(arc.im, z.im));
}

ST_COMPLEX st_acosh_of(st_complex<P> z) {
    const st_complex<P> arc = st_acos_of(z);
    return st_complex<P>(st_fabs(arc.im), st_copysign(arc.re, z.im));
}

ST_COMPLEX st_atanh_of(st_complex<P> z) {
    const P x = st_fabs(z.re), y = st_fabs(z.im), size = st_hypot(x, y);
    if (!(size < st_limits<P>::far)) {
        const P angle = isnan(x + y) && !isinf(y) ? x + y : P(1.5707963267948966);
        const P real = isinf(size) || (x == 0 && isnan(y)) ? 0 : x / size / size;
        return st_complex<P>(st_copysign(real, z.re), st_copysign(angle, z.im));
    }
    P real = st_log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
    if (x == 1 && y < st_limits<P>::tiny) real = (P(0.6931471805599453) - st_log(y)) / 2;
    const P angle = st_atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2;
    return st_complex<P>(st_copysign(real, z.re), st_copysign(angle, z.im));
}

/* sin(z) = sinh(iz) / i, and so on. */
ST_COMPLEX st_turned(st_complex<P> z) { return st_complex<P>(-z.im, z.re); }
ST_COMPLEX st_turned_back(st_complex<P> z) { return st_complex<P>(z.im, -z.re); }

ST_COMPLEX st_sin_of(st_complex<P> z) { return st_turned_back(st_sinh_of(st_turned(z))); }
ST_COMPLEX st_cos_of(st_complex<P> z) { return st_cosh_of(st_turned(z)); }
ST_COMPLEX st_tan_of(st_complex<P> z) { return st_turned_back(st_tanh_of(st_turned(z))); }
ST_COMPLEX st_asinh_of(st_complex<P> z) { return st_turned_back(st_asin_of(st_turned(z))); }
ST_COMPLEX st_atan_of(st_complex<P> z) { return st_turned_back(st_atanh_of(st_turned(z))); }

#define ST_COMPLEX_FUNCTION(name) \
    static st_complex64 c##name##f(st_complex64 z) { return st_##name##_of(z); } \
    static st_complex128 c##name(st_complex128 z) { return st_##name##_of(z); }
ST_COMPLEX_FUNCTION(exp) ST_COMPLEX_FUNCTION(log) ST_COMPLEX_FUNCTION(sqrt)
ST_COMPLEX_FUNCTION(sin) ST_COMPLEX_FUNCTION(cos) ST_COMPLEX_FUNCTION(tan)
ST_COMPLEX_FUNCTION(sinh) ST_COMPLEX_FUNCTION(cosh) ST_COMPLEX_FUNCTION(tanh)
ST_COMPLEX_FUNCTION(asin) ST_COMPLEX_FUNCTION(acos) ST_COMPLEX_FUNCTION(atan)
ST_COMPLEX_FUNCTION(asinh) ST_COMPLEX_FUNCTION(acosh) ST_COMPLEX_FUNCTION(atanh)

static st_complex64 cpowf(st_complex64 z, st_complex64 w) { return cexpf(w * clogf(z)); }
static st_complex128 cpow(st_complex128 z, st_complex128 w) { return cexp(w * clog(z)); }

/* The quotient of a whole number and a complex one. */
template <typename P> static st_complex<P> st_inverse_times(int number, st_complex<P> z) {
    const P c = z.re, d = z.im, infinity = P(__builtin_inf());
    if (isinf(c) || isinf(d)) return st_complex<P>(number * st_boxed(c) * 0, -number * st_boxed(d) * 0);
    if (c == 0 && d == 0) return st_complex<P>(st_copysign(infinity, c) * number, infinity * 0);
    const bool wide = st_fabs(c) >= st_fabs(d);
    const P ratio = wide ? d / c : c / d, below = wide ? c + d * ratio : d + c * ratio;
    return wide ? st_complex<P>(number / below, -number * ratio / below)
                : st_complex<P>(number * ratio / below, -number / below);
}
ST_DEVICE st_complex64 operator/(int n, st_complex64 z) { return st_inverse_times(n, z); }
ST_DEVICE st_complex128 operator/(int n, st_complex128 z) { return st_inverse_times(n, z); }
