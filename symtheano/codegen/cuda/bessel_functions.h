/* Bessel functions of any real order, under SciPy's names. */

/* The logarithm of a factor of K(v, x) exp(x), and what is left: the trapezoidal rule for the integral
   of exp(v t - x (cosh(t) - 1)) / 2, of t, around its largest value, where sinh(t) = v/x. It is exact to
   all digits where the step is a part of the width of the peak, and of the strip without poles. */
ST_CALLED double st_k_integral(double v, double x, double *log_factor) {
    const double size = hypot(v, x), width = 1 / sqrt(size);
    const double step = width * 0.6 < 0.2 ? width * 0.6 : 0.2;
    *log_factor = v * asinh(v / x) - v * (v / (size + x));
    if (isinf(v / x)) *log_factor = v * (log(2 * v) - log(x)) - v;
    double sum = 0.5;
    for (int side = -1; side < 2; side += 2) {
        for (double k = 1; k < 1e5; k += 1) {
            const double s = side * step * k, half = sinh(s / 2), even = 2 * half * half, square = s * s;
            double fall = 0; /* size (cosh(s) - 1) + v (sinh(s) - s) */
            if (fabs(s) < 0.5) {
                double odd = 1 / 362880.0 + square / 39916800.0;
                odd = 1 / 6.0 + square * (1 / 120.0 + square * (1 / 5040.0 + square * odd));
                fall = size * even + v * s * square * odd;
            } else if (s > 0) fall = size * even + v * (sinh(s) - s);
            else fall = x / (size + v) * x * even + v * (expm1(s) - s);
            const double term = exp(-fall);
            sum += term / 2;
            if (term < 1e-18 * sum) break;
        }
    }
    return sum * step;
}
ST_CALLED double st_k(double v, double x, bool scaled) {
    if (x == 0) return __builtin_inf();
    if (isnan(v) || isinf(v) || !(x > 0)) return __builtin_nan("");
    if (isinf(x)) return 0;
    v = fabs(v);
    double log_factor;
    const double rest = st_k_integral(v, x, &log_factor);
    return exp(scaled ? log_factor : log_factor - x) * rest;
}
ST_CALLED double st_special_kv(double v, double x, int) { return st_k(v, x, false); }
ST_CALLED double st_special_kve(double v, double x, int) { return st_k(v, x, true); }

/* I(v + 1, x) / I(v, x), whose continued fraction has positive terms (Digital Library of Mathematical
   Functions, 10.33.1), by Lentz's algorithm. */
ST_CALLED double st_i_ratio(double v, double x) {
    double b = 2 * (v + 1) / x, c = b, d = 0, product = b;
    for (double n = 2; n < 1e5; n += 1) {
        b = 2 * (v + n) / x;
        d = 1 / (b + d);
        c = b + 1 / c;
        product *= c * d;
        if (fabs(c * d - 1) < 2e-16) break;
    }
    return 1 / product;
}
/* 10.40.1, where x is large. */
ST_CALLED double st_i_of_large(double v, double x) {
    double term = 1, sum = 1;
    for (double k = 1; k < 50 && fabs(term) > 1e-17 * fabs(sum); k += 1) {
        term *= -(2 * v - 2 * k + 1) * (2 * v + 2 * k - 1) / (8 * k * x);
        sum += term;
    }
    return sum / sqrt(6.283185307179586 * x);
}
/* I(v, x), or that times exp(-x), of orders that are not negative: its Wronskian with K is 1/x
   (10.28.2). */
ST_CALLED double st_i_of_positive(double v, double x, bool scaled) {
    if (x == 0 || isinf(x)) return x == 0 && v == 0;
    if (x > 1e4 && v * v < x) return st_i_of_large(v, x) * (scaled ? 1 : exp(x));
    double low, high;
    const double near = st_k_integral(v, x, &low), next = st_k_integral(v + 1, x, &high);
    return exp((scaled ? 0 : x) - high) / (x * (next + st_i_ratio(v, x) * exp(low - high) * near));
}
ST_CALLED double st_i(double v, double x, bool scaled) {
    const double size = fabs(x);
    if (isnan(v) || isnan(x) || (x < 0 && v != floor(v))) return __builtin_nan("");
    if (isinf(v)) return scaled ? __builtin_nan("") : 0;
    if (isinf(x) && !scaled) return __builtin_nan("");
    double value = st_i_of_positive(fabs(v), size, scaled);
    if (v < 0 && v != floor(v)) { /* 10.27.2 */
        const double turn = 0.6366197723675814 * sin((-v - 2 * floor(-v / 2)) * 3.141592653589793);
        value += turn * st_k(v, x, false) * (scaled ? exp(-x) : 1);
    }
    return x < 0 && fmod(v, 2) != 0 ? -value : value;
}
ST_CALLED double st_special_iv(double v, double x, int) { return st_i(v, x, false); }
ST_CALLED double st_special_ive(double v, double x, int) { return st_i(v, x, true); }

/* J(v, x) by 10.17.3, where x is large. */
ST_CALLED double st_j_of_large(double v, double x) {
    double term = 1, even = 1, odd = 0;
    for (double k = 1; k < 60 && fabs(term) > 1e-17; k += 1) {
        term *= (2 * v - 2 * k + 1) * (2 * v + 2 * k - 1) / (8 * k * x);
        const double sign = fmod(k, 4) < 2 ? 1 : -1; /* of k = 1, 2 ...: +, -, -, + */
        if (fmod(k, 2) == 1) odd += sign * term;
        else even += sign * term;
    }
    const double turn = (v / 2 + 0.25 - 2 * floor((v / 2 + 0.25) / 2)) * 3.141592653589793;
    const double c = cos(x) * cos(turn) + sin(x) * sin(turn), s = sin(x) * cos(turn) - cos(x) * sin(turn);
    return sqrt(0.6366197723675814 / x) * (even * c - odd * s);
}
/* J. C. P. Miller's recurrence from large orders down to v, whose sum is known (10.23.15); it is stable
   for negative orders, too. */
ST_CALLED double st_j_by_recurrence(double v, double x) {
    const double whole = floor(v), part = v - whole, larger = whole > x ? whole : x;
    double m = 2 * ceil((larger + 16 * cbrt(x / 2) + 20) / 2), after = 0, now = 1e-290;
    double sum = 0, weight = 1, wanted = 0;
    for (; m > 0; m -= 1) {
        if (m == whole) wanted = now;
        if (fmod(m, 2) == 0) {
            sum += (part + m) * weight * now;
            if (m > 2) weight *= m / 2 / (part + m / 2 - 1);
        }
        const double before = 2 * (part + m) / x * now - after;
        after = now, now = before;
        if (fabs(now) > 1e200) now *= 1e-200, after *= 1e-200, sum *= 1e-200, wanted *= 1e-200;
    }
    const double scale = pow(x / 2, part) / tgamma(1 + part) / (sum / weight + now);
    if (whole > 0) return wanted * scale;
    for (; m > whole; m -= 1) {
        const double before = 2 * (part + m) / x * now - after;
        after = now, now = before;
    }
    return now * scale;
}
ST_CALLED double st_special_jv(double v, double x, int) {
    const bool is_whole = v == floor(v);
    if (isnan(v) || isnan(x) || (x < 0 && !is_whole)) return __builtin_nan("");
    if (isinf(v)) return 0;
    const double size = fabs(x), order = is_whole ? fabs(v) : v;
    const bool turns = is_whole && (v < 0) != (x < 0) && fmod(v, 2) != 0;
    if (size == 0 && order < 0) return __builtin_inf();
    if (isinf(x)) return __builtin_nan(""); /* as SciPy */
    if (size == 0) return v == 0;
    const bool is_large = size > 30 && size > order * order / 2;
    const double most = 1e6; /* steps of the recurrence */
    if (!is_large && (fabs(order) > most || size > most)) return order > 2 * size ? 0 : __builtin_nan("");
    const double value = is_large ? st_j_of_large(order, size) : st_j_by_recurrence(order, size);
    return turns ? -value : value;
}
