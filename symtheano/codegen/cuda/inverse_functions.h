/* Inverses of SciPy's incomplete functions, and what else is computed by those of special_functions.h.
   The density of the logarithm of a gamma variable, and of the logit of a beta variable, is
   log-concave, and so are both of its tails: Newton's steps for the logarithm of a tail go beyond the
   result at most once. */
enum { ST_MOST_STEPS = 100 };

/* The x of which a tail of the gamma distribution has a probability of at most a half. */
ST_CALLED double st_gamma_quantile(double a, double tail, bool upper) {
    const double least = -744, most = 709;
    double u = log(a), last = u;
    for (int k = 0; k < ST_MOST_STEPS; k++) {
        const double x = exp(u), now = st_incomplete_gamma(a, x, upper), slope = a * st_gamma_factor(a, x);
        if (now == 0 || slope == 0) { /* the step was too long */
            if (u == last) break;
            u = (u + last) / 2;
            continue;
        }
        const double step = log(tail / now) * now / slope, next = upper ? u - step : u + step;
        last = u, u = fmin(fmax(next, least), most);
        if (!(fabs(u - last) > 1e-15 * fabs(u) + 1e-16)) break;
    }
    return u > least ? exp(u) : 0;
}
ST_CALLED double st_gamma_inverse(double a, double p, bool upper) {
    if (!(a >= 0 && p >= 0 && p <= 1)) return __builtin_nan("");
    if (p == 0 || p == 1) return (p == 1) ^ upper ? __builtin_inf() : 0;
    if (a == 0 || isinf(a)) return __builtin_nan("");
    return p <= 0.5 ? st_gamma_quantile(a, p, upper) : st_gamma_quantile(a, 1 - p, !upper);
}
ST_CALLED double st_special_gammaincinv(double a, double p, int) { return st_gamma_inverse(a, p, false); }
ST_CALLED double st_special_gammainccinv(double a, double q, int) { return st_gamma_inverse(a, q, true); }

/* The same of the beta distribution; u is the logarithm of x / (1 - x). */
ST_CALLED double st_beta_quantile(double a, double b, double tail, bool upper) {
    const double most = 744;
    double u = log(a) - log(b), last = u;
    for (int k = 0; k < ST_MOST_STEPS; k++) {
        const double x = 1 / (1 + exp(-u)), y = 1 / (1 + exp(u));
        const double now = x <= 0.5 ? st_incomplete_beta(a, b, x, upper) : st_incomplete_beta(b, a, y, !upper);
        const double slope = st_beta_factor(a, b, x, y);
        if (now == 0 || slope == 0) { /* the step was too long */
            if (u == last) break;
            u = (u + last) / 2;
            continue;
        }
        const double step = log(tail / now) * now / slope, next = upper ? u - step : u + step;
        last = u, u = fmin(fmax(next, -most), most);
        if (!(fabs(u - last) > 1e-15 * fabs(u) + 1e-16)) break;
    }
    return 1 / (1 + exp(-u));
}
ST_CALLED double st_special_betaincinv(double a, double b, double p, int) {
    if (!(a > 0 && b > 0 && p >= 0 && p <= 1)) return __builtin_nan("");
    if (p == 0 || p == 1) return p;
    if (isinf(a) || isinf(b)) return isinf(a) && isinf(b) ? __builtin_nan("") : isinf(a);
    return p <= 0.5 ? st_beta_quantile(a, b, p, false) : st_beta_quantile(a, b, 1 - p, true);
}

/* Positive nodes and weights of Gauss and Legendre's rule with 20 points. */
ST_TABLE double st_legendre_nodes[10] = {
    0.07652652113349734, 0.22778585114164507, 0.37370608871541955, 0.5108670019508271,
    0.636053680726515, 0.7463319064601508, 0.8391169718222188, 0.912234428251326,
    0.9639719272779138, 0.993128599185095};
ST_TABLE double st_legendre_weights[10] = {
    0.15275338713072628, 0.14917298647260424, 0.1420961093183824, 0.1316886384491769,
    0.1181945319615186, 0.1019301198172407, 0.08327674157670471, 0.06267204833410879,
    0.040601429800386446, 0.017614007139150893};
/* The integral of exp(-h**2 (1 + x**2) / 2) / (1 + x**2) from 0 to an a of at most 1, over 2 pi; beyond
   x = 9/h there is nothing. */
ST_CALLED double st_owens_integral(double h, double a) {
    const double end = a * h > 9 ? 9 / h : a, half = end / 4, square = h * h / -2;
    double sum = 0;
    for (int part = 1; part < 4; part += 2) {
        for (int k = 0; k < 10; k++) {
            for (int side = -1; side < 2; side += 2) {
                const double x = half * (part + side * st_legendre_nodes[k]), slope = 1 + x * x;
                sum += st_legendre_weights[k] * exp(square * x * x) / slope;
            }
        }
    }
    return exp(square) * sum * half / 6.283185307179586;
}
/* D. B. Owen, Annals of Mathematical Statistics 27 (1956), 2.3: slopes beyond 1 by their inverses. */
ST_CALLED double st_special_owens_t(double h, double a, int) {
    if (isnan(h) || isnan(a)) return __builtin_nan("");
    const double size = fabs(a);
    h = fabs(h);
    if (isinf(h) || a == 0 || h * h > 1e5) return copysign(0.0, a);
    double value = 0;
    if (isinf(a)) value = st_special_ndtr(-h, 0) / 2;
    else if (h == 0) value = atan(size) / 6.283185307179586;
    else if (size <= 1) value = st_owens_integral(h, size);
    else {
        const double left = st_special_ndtr(-h, 0), right = st_special_ndtr(-size * h, 0);
        value = left / 2 + (right / 2 - st_owens_integral(size * h, 1 / size)) - left * right;
    }
    return copysign(value, a);
}

/* sin(pi x) / pi */
ST_DEVICE double st_sine(double x) {
    return x == rint(x) ? 0 : sin((x - 2 * rint(x / 2)) * 3.141592653589793) / 3.141592653589793;
}
/* Binomial coefficients: products for small whole k; otherwise by beta, whose operands are positive
   after a reflection of gamma where the coefficient's are not. */
ST_CALLED double st_special_binom(double n, double k, int) {
    if (n < 0 && n == floor(n)) return __builtin_nan("");
    if (k == floor(k) && (fabs(n) > 1e-8 || n == 0)) {
        const double count = n == floor(n) && n > 0 && k > n / 2 ? n - k : k;
        if (count >= 0 && count < 20) {
            double value = 1;
            for (double i = 1; i <= count; i += 1) value = value * (n - count + i) / i;
            return value;
        }
    }
    if (n >= 1e10 * k && k > 0) return exp(-st_special_betaln(1 + n - k, 1 + k, 0) - log(n + 1));
    if (n > -1 && k < 0) return k == floor(k) ? 0 : -st_sine(k) * st_special_beta(n + 1, -k, 0);
    if (n > -1 && k > n + 10) return st_sine(k - n) * st_special_beta(n + 1, k - n, 0);
    return 1 / ((n + 1) * st_special_beta(1 + n - k, 1 + k, 0));
}
