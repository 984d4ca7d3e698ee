/* Functions of SciPy's that CUDA has no text for, under the names by which rows call them: each takes
   an integer besides, as those of SciPy's do. Polynomials interpolate at Chebyshev's points. */

template <int n> ST_DEVICE double st_polynomial(const double (&terms)[n], double t) {
    double sum = terms[n - 1];
    for (int k = n - 2; k >= 0; k--) sum = sum * t + terms[k];
    return sum;
}

/* psi(x) / (x - r) between 1 and 2, of t = 2x - 3; r is its root. */
ST_TABLE double st_psi_terms[21] = {
    0.9510558760318328, -0.21181371064072865, 0.060135621060196195, -0.01855061538185726,
    0.005936795278346364, -0.001935066662210221, 0.0006368880294427922, -0.00021074843772854427,
    6.995019751413975e-05, -2.3258098660110816e-05, 7.741184312154647e-06, -2.5785659502395533e-06,
    8.590699307116732e-07, -2.8534578211707985e-07, 9.509734580818946e-08, -3.288837880625679e-08,
    1.0962078810190396e-08, -2.7066308634469587e-09, 9.021824538932729e-10, -7.217231554506031e-10,
    2.4057297773026326e-10};
/* Abramowitz and Stegun, 6.3.5 (recurrence), 6.3.7 (reflection) and 6.3.18 (asymptotic series). */
ST_CALLED double st_special_psi(double x, int) {
    if (x == 0) return -copysign(__builtin_inf(), x);
    double total = 0;
    if (x < 0) {
        const double part = x - floor(x);
        if (part == 0 || isinf(x)) return __builtin_nan("");
        const double turn = (part > 0.5 ? part - 1 : part) * 3.141592653589793;
        total = -3.141592653589793 * cos(turn) / sin(turn);
        x = 1 - x;
    }
    if (x >= 10) {
        const double z = 1 / (x * x);
        double series = -0.08333333333333333;
        series = series * z + 0.021092796092796094;
        series = series * z - 0.007575757575757576;
        series = series * z + 0.004166666666666667;
        series = series * z - 0.003968253968253968;
        series = series * z + 0.008333333333333333;
        series = series * z - 0.08333333333333333;
        return total + (log(x) - 0.5 / x + series * z);
    }
    for (; x > 2; x -= 1) total += 1 / (x - 1);
    for (; x < 1; x += 1) total -= 1 / x;
    const double root = (x - 1.4616321449683622) - 9.549995429965697e-17;
    return total + root * st_polynomial(st_psi_terms, 2 * x - 3);
}

/* (1 + 2x) erfcx(x), of t = (x - 3.75) / (x + 3.75): M. M. Shepherd and J. G. Laframboise, Mathematics
   of Computation 36 (153), 1981. */
ST_TABLE double st_erfcx_terms[27] = {
    1.2375126308378275, -0.14024059858554702, 0.003585415485463656, 0.08227673849015103,
    -0.10880393014170556, 0.09230432116019804, -0.05869339859058929, 0.028362277421519668,
    -0.009746579547145438, 0.0017556258323895534, 0.000293713591593492, -0.0002901539791322486,
    5.1649421745236465e-05, 2.2383911531916976e-05, -1.144508983794941e-05, -9.728484952656482e-07,
    1.7535246298697825e-06, -5.826439766695699e-08, -2.6125820988901525e-07, 2.429131177189471e-08,
    4.107398937332565e-08, -4.390251943140879e-09, -6.606829477916605e-09, 5.460657473630792e-10,
    9.234867707529155e-10, -3.7587308035623257e-11, -7.666209795998097e-11};
ST_CALLED double st_special_erfcx(double x, int) {
    const double size = fabs(x);
    if (size > 1e9) return x > 0 ? 0.5641895835477563 / x : __builtin_inf();
    if (isnan(x)) return x;
    const double right = st_polynomial(st_erfcx_terms, (size - 3.75) / (size + 3.75)) / (1 + 2 * size);
    if (x >= 0) return right;
    const double square = x * x, rest = fma(x, x, -square), grown = exp(square);
    return isinf(grown) ? grown : 2 * (grown + grown * rest) - right;
}
ST_DEVICE double st_special___pyx_fuse_1erfcx(double x, int) { return st_special_erfcx(x, 0); }

/* The x with erf(x) = y, for a y of at most a half: two of Halley's steps. */
ST_CALLED double st_erfinv_near(double y) {
    const double l = log1p(-y * y), m = 4.330746750799873 + l / 2;
    double x = copysign(sqrt(sqrt(m * m - l / 0.147) - m), y);
    if (fabs(y) < 1e-3) x = 0.8862269254527580 * y;
    for (int k = 0; k < 2; k++) {
        const double step = (erf(x) - y) * 0.8862269254527580 * exp(x * x);
        x -= step / (1 + x * step);
    }
    return x;
}

/* The x with erfc(x) = q, for a q of at most a half: Newton's steps for the logarithms. */
ST_CALLED double st_erfcinv_far(double q) {
    const double l = log(q) + log1p((1 - q)), m = 4.330746750799873 + l / 2;
    double x = sqrt(sqrt(m * m - l / 0.147) - m);
    for (int k = 0; k < 4; k++) {
        const double scaled = st_special_erfcx(x, 0);
        x += (log(scaled) - log(q) - x * x) * 0.8862269254527580 * scaled;
    }
    return x;
}
ST_CALLED double st_special_erfinv(double y, int) {
    if (!(fabs(y) < 1)) return fabs(y) == 1 ? y * __builtin_inf() : __builtin_nan("");
    if (y == 0 || fabs(y) <= 0.5) return y == 0 ? y : st_erfinv_near(y);
    return copysign(st_erfcinv_far(1 - fabs(y)), y);
}
ST_CALLED double st_special_erfcinv(double q, int) {
    if (!(q > 0 && q < 2)) return q == 0 ? __builtin_inf() : q == 2 ? -__builtin_inf() : __builtin_nan("");
    if (q > 0.5 && q < 1.5) return q == 1 ? 0 : st_erfinv_near(1 - q);
    return q > 1 ? -st_erfcinv_far(2 - q) : st_erfcinv_far(q);
}

ST_CALLED double st_special_ndtr(double x, int) {
    const double z = x * 0.7071067811865476, size = fabs(z);
    if (isnan(x)) return x;
    if (size < 1) return 0.5 + 0.5 * erf(z);
    return z > 0 ? 1 - 0.5 * erfc(size) : 0.5 * erfc(size);
}
ST_CALLED double st_special_log_ndtr(double x, int) {
    const double t = x * 0.7071067811865476;
    return x < -1 ? log(st_special_erfcx(-t, 0) / 2) - t * t : log1p(-erfc(t) / 2);
}
ST_CALLED double st_special_ndtri(double p, int) {
    if (!(p > 0 && p < 1)) return p == 0 ? -__builtin_inf() : p == 1 ? __builtin_inf() : __builtin_nan("");
    const double root = 1.4142135623730951;
    if (p >= 0.25 && p <= 0.75) return p == 0.5 ? 0 : root * st_erfinv_near(2 * p - 1);
    return p < 0.5 ? -root * st_special_erfcinv(2 * p, 0) : root * st_special_erfcinv(2 * (1 - p), 0);
}

/* exp(-x) I(x) up to 8, of t = x/4 - 1, and its product with sqrt(x) beyond, of t = 16/x - 1; where
   I(x) is small, divided by x. */
ST_TABLE double st_i0_near[30] = {
    0.2070019212239867, -0.11300432688620549, 0.09451562853995103, -0.08904344136075991,
    0.08734341617552291, -0.08496338091615124, 0.07927522590716898, -0.06954119561742342,
    0.056777032019843215, -0.04298594945226738, 0.03017791202356886, -0.019682654708082413,
    0.011960077903963348, -0.006792399792271578, 0.0036171264596770616, -0.0018118870527295522,
    0.0008563152483951447, -0.0003829015089457559, 0.0001624054672701359, -6.550956130635514e-05,
    2.5202271984440893e-05, -9.25059710625537e-06, 3.2293850630678377e-06, -1.0891964284507317e-06,
    3.675592893288293e-07, -1.1339523685907105e-07, 2.6273368345256394e-08, -7.860369707508212e-09,
    4.469372581856615e-09, -1.1662904878442954e-09};
ST_TABLE double st_i0_far[25] = {
    0.4021765094450081, 0.003360551983667854, 0.00013621607439232746, 1.1143033791556743e-05,
    1.4838475473607391e-06, 2.973598432479169e-07, 8.87225351128584e-08, 3.932602459703109e-08,
    2.1545177650836005e-08, 7.553516470355896e-09, -6.729724111923548e-09, -1.3404241991980871e-08,
    -5.4685974495866e-09, 7.540601378890834e-09, 7.58022133915272e-09, -3.4857887470034955e-09,
    -6.188265090497361e-09, 1.497880830187091e-09, 3.881151253996067e-09, -5.562201990080394e-10,
    -1.7789375042917173e-09, 1.4672236659214398e-10, 5.181936971288284e-10, -1.9216763724933513e-11,
    -7.06893851181878e-11};
ST_TABLE double st_i1_near[30] = {
    0.044687709875608835, -0.06112433802966629, 0.0680575999095116, -0.0684826062058255,
    0.0637674037134072, -0.05528003922705058, 0.044674572621255064, -0.03367135551994034,
    0.023686016957724227, -0.01557130925657511, 0.00958396215077406, -0.005534567760544582,
    0.003005762419557192, -0.0015388749636515487, 0.000744512345281566, -0.0003411747437353928,
    0.00014842124144631648, -6.142651349494123e-05, 2.4233756432468166e-05, -9.131846315273642e-06,
    3.2938951625746042e-06, -1.1380759138279984e-06, 3.759400376008922e-07, -1.2000364861910367e-07,
    3.8028049651067336e-08, -1.1191257727176943e-08, 2.6037822441041467e-09, -7.379291130374042e-10,
    3.727630409237771e-10, -9.365751909742237e-11};
ST_TABLE double st_i1_far[25] = {
    0.38939845902587233, -0.009749577193235728, -0.00021923576383430274, -1.5038547201176271e-05,
    -1.8349101134666435e-06, -3.483855609009937e-07, -1.0001323461066435e-07,
    -4.312935369971356e-08, -2.337059627111857e-08, -8.426622829598154e-09, 6.715795128085017e-09,
    1.4029693589852716e-08, 6.040877342160988e-09, -7.630751970065577e-09, -8.044231276166508e-09,
    3.406636130196794e-09, 6.4870195719816896e-09, -1.4171698018664596e-09, -4.047785403711858e-09,
    5.146498826087142e-10, 1.8513716745511988e-09, -1.342266320082222e-10, -5.388285995923524e-10,
    1.7502497778701306e-11, 7.347992441734663e-11};
ST_CALLED double st_special_i0e(double x, int) {
    x = fabs(x);
    if (x <= 8) return st_polynomial(st_i0_near, x / 4 - 1);
    return st_polynomial(st_i0_far, 16 / x - 1) / sqrt(x);
}
ST_CALLED double st_special_i1e(double x, int) {
    const double size = fabs(x);
    if (size <= 8) return x * st_polynomial(st_i1_near, size / 4 - 1);
    return copysign(st_polynomial(st_i1_far, 16 / size - 1) / sqrt(size), x);
}
ST_DEVICE double st_unscaled(double scaled, double x) {
    const double root = exp(fabs(x) / 2);
    return scaled * root * root;
}
ST_CALLED double st_special_i0(double x, int) { return st_unscaled(st_special_i0e(x, 0), x); }
ST_CALLED double st_special_i1(double x, int) { return st_unscaled(st_special_i1e(x, 0), x); }

ST_CALLED double st_special_rel_entr(double x, double y, int) {
    if (isnan(x) || isnan(y)) return __builtin_nan("");
    if (x > 0 && y > 0) {
        const double ratio = x / y;
        if (ratio > 0.5 && ratio < 2) return x * log1p((x - y) / y);
        return x * (isinf(ratio) || ratio < 1e-300 ? log(x) - log(y) : log(ratio));
    }
    return x == 0 && y >= 0 ? 0 : __builtin_inf();
}
ST_CALLED double st_special_kl_div(double x, double y, int) {
    if (isnan(x) || isnan(y)) return __builtin_nan("");
    if (x > 0 && y > 0) return x * log(x / y) - x + y;
    return x == 0 && y >= 0 ? y : __builtin_inf();
}

/* What Stirling's formula leaves of lgamma(x), for an x of at least 10. */
ST_CALLED double st_stirling_rest(double x) {
    const double z = 1 / (x * x);
    double series = -0.029550653594771242;
    series = series * z + 0.00641025641025641;
    series = series * z - 0.0019175269175269176;
    series = series * z + 0.0008417508417508417;
    series = series * z - 0.0005952380952380953;
    series = series * z + 0.0007936507936507937;
    series = series * z - 0.002777777777777778;
    series = series * z + 0.08333333333333333;
    return series / x;
}

/* The logarithm of gamma(1 + a), divided by a, of t = 2a - 1. */
ST_TABLE double st_log_gamma_terms[23] = {
    -0.24156447527049044, 0.27805444924906697, -0.04435389911289714, 0.009820705603133417,
    -0.0024816898010376533, 0.0006721846829919744, -0.00018982580267111246, 5.509761615462434e-05,
    -1.6302859912073135e-05, 4.892819890688809e-06, -1.4845467422386974e-06, 4.5435217666362336e-07,
    -1.4004625528094898e-07, 4.343163415453668e-08, -1.3534519558575234e-08, 4.221363666837412e-09,
    -1.326145662955733e-09, 4.34472544152063e-10, -1.374350116095214e-10, 3.203625114685401e-11,
    -1.0151332447842754e-11, 7.845475192168032e-12, -2.508922202001311e-12};

/* mu - log(1 + mu), of mu = x/a - 1. */
ST_CALLED double st_log_rest(double a, double x) {
    const double mu = (x - a) / a;
    if (!(fabs(mu) < 0.5)) return mu - log(x / a);
    const double t = mu / (2 + mu), square = t * t;
    double sum = 0, power = 2 * t * square;
    for (int n = 3; n < 40 && fabs(power) > 1e-18 * fabs(sum); n += 2, power *= square) sum += power / n;
    return mu * t - sum;
}

/* N. M. Temme's expansion for large orders, Digital Library of Mathematical Functions, 8.12: powers of
   eta in the coefficients of 1, 1/a and 1/a**2. */
ST_TABLE double st_temme_0[16] = {
    -0.3333333333333333, 0.08333333333333333, -0.014814814814814815, 0.0011574074074074073,
    0.0003527336860670194, -0.0001787551440329218, 3.919263178522438e-05, -2.185448510679992e-06,
    -1.85406221071516e-06, 8.296711340953087e-07, -1.7665952736826078e-07, 6.707853543401498e-09,
    1.0261809784240309e-08, -4.382036018453353e-09, 9.14769958223679e-10, -2.5514193994946248e-11};
ST_TABLE double st_temme_1[12] = {
    -0.001851851851851852, -0.003472222222222222, 0.0026455026455026454, -0.0009902263374485596,
    0.00020576131687242798, -4.018775720164609e-07, -1.8098550334489977e-05, 7.64916091608111e-06,
    -1.6120900894563446e-06, 4.647127802807434e-09, 1.378633446915721e-07, -5.752545603517705e-08};
ST_TABLE double st_temme_2[6] = {
    0.004133597883597883, -0.0026813271604938273, 0.0007716049382716049, 2.0093878600823047e-06,
    -0.0001073665322636516, 5.2923448829120125e-05};
ST_CALLED double st_gamma_of_large(double a, double x, bool upper) {
    const double mu = (x - a) / a, half = st_log_rest(a, x), eta = copysign(sqrt(2 * half), mu);
    const double z = upper ? eta * sqrt(a / 2) : -eta * sqrt(a / 2);
    if (!(fabs(z) < 40)) return z > 0 ? 0 : 1;
    const double far = st_polynomial(st_temme_2, eta), middle = st_polynomial(st_temme_1, eta) + far / a;
    const double near = st_polynomial(st_temme_0, eta) + middle / a;
    const double rest = exp(-a * half) / sqrt(6.283185307179586 * a) * near;
    return 0.5 * erfc(z) + (upper ? rest : -rest);
}

/* x**a exp(-x) / gamma(a + 1) */
ST_CALLED double st_gamma_factor(double a, double x) {
    const double root = exp(-x / 2);
    if (a < 10) return root == 0 ? 0 : pow(x, a) * root / tgamma(a + 1) * root;
    return exp(-a * st_log_rest(a, x) - st_stirling_rest(a)) / sqrt(6.283185307179586 * a);
}

/* The same library, 8.11.4. */
ST_CALLED double st_gamma_series(double a, double x) {
    double term = 1, sum = 1;
    for (double n = 1; n < 1e5 && term > 1e-17 * sum; n += 1) {
        term *= x / (a + n);
        sum += term;
    }
    return st_gamma_factor(a, x) * sum;
}

/* 8.9.2, contracted, by Lentz's algorithm. */
ST_CALLED double st_gamma_fraction(double a, double x) {
    const double factor = st_gamma_factor(a, x) * a;
    if (factor == 0) return 0;
    double b = x + 1 - a, c = 1e300, d = 1 / b, product = d;
    for (double n = 1; n < 1e5; n += 1) {
        const double step = -n * (n - a);
        b += 2;
        d = step * d + b;
        if (d == 0) d = 1e-300;
        c = b + step / c;
        if (c == 0) c = 1e-300;
        d = 1 / d;
        product *= c * d;
        if (fabs(c * d - 1) < 2e-16) break;
    }
    return factor * product;
}

/* 8.7.1, for small orders and x, without the difference of 1 and what is nearly 1. */
ST_CALLED double st_gamma_upper_of_small(double a, double x) {
    const double scale = a * (log(x) - st_polynomial(st_log_gamma_terms, 2 * a - 1));
    double term = 1, sum = 0;
    for (double n = 1; n < 100; n += 1) {
        term *= -x / n;
        sum += term / (a + n);
        if (fabs(term) <= 1e-17 * fabs(sum)) break;
    }
    return -expm1(scale) - exp(scale) * a * sum;
}

ST_CALLED double st_incomplete_gamma(double a, double x, bool upper) {
    if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (isinf(a) && isinf(x))) return __builtin_nan("");
    if (a == 0 || isinf(x)) return upper ? 0 : 1;
    if (x == 0 || isinf(a)) return upper ? 1 : 0;
    if (a > 1e5) return st_gamma_of_large(a, x, upper);
    if (a < 1 && x < 1.1) {
        const double other = upper ? 0 : st_gamma_series(a, x);
        return upper ? st_gamma_upper_of_small(a, x) : other;
    }
    if (x < a + 1) {
        const double lower = st_gamma_series(a, x);
        return upper ? 1 - lower : lower;
    }
    const double above = st_gamma_fraction(a, x);
    return upper ? above : 1 - above;
}
ST_CALLED double st_special_gammainc(double a, double x, int) { return st_incomplete_gamma(a, x, false); }
ST_CALLED double st_special_gammaincc(double a, double x, int) { return st_incomplete_gamma(a, x, true); }

/* Where gamma has its poles; beta has a limit at one if the poles of two gammas cancel. */
ST_DEVICE bool st_is_pole(double x) { return x <= 0 && x == floor(x); }
ST_DEVICE bool st_is_limit(double a, double b) {
    return st_is_pole(a) && !isinf(a) && b > 0 && b == floor(b) && a + b <= 0;
}
/* Whether gamma is negative. */
ST_DEVICE bool st_is_odd(double x) { return x < 0 && 2 * floor(floor(x) / 2) != floor(x); }

/* The logarithm of |beta(a, b)| for a at most b, by Stirling's formula where lgamma has large values
   that cancel. */
ST_CALLED double st_log_beta(double a, double b) {
    const double whole = a + b;
    if (isinf(b)) return a > 0 ? -b : b;
    if (b < 10 || whole < 10) return lgamma(a) + lgamma(b) - lgamma(whole);
    const double rest = st_stirling_rest(b) - st_stirling_rest(whole), turn = log1p(a / b);
    if (a < 10) return lgamma(a) + a - a * log(whole) - (b - 0.5) * turn + rest;
    return 0.9189385332046728 - 0.5 * log(b) + (a - 0.5) * log(a / whole) - b * turn
           + st_stirling_rest(a) + rest;
}
ST_CALLED double st_special_betaln(double a, double b, int) {
    const double low = a < b ? a : b, high = a < b ? b : a;
    if (st_is_limit(low, high)) return st_special_betaln(1 - low - high, high, 0);
    if (st_is_pole(a) || st_is_pole(b)) return __builtin_inf();
    return isnan(a) || isnan(b) ? __builtin_nan("") : st_log_beta(low, high);
}
ST_CALLED double st_special_beta(double a, double b, int) {
    const double low = a < b ? a : b, high = a < b ? b : a, whole = a + b;
    if (st_is_limit(low, high)) {
        const double size = st_special_beta(1 - whole, high, 0);
        return 2 * floor(high / 2) == high ? size : -size;
    }
    if (st_is_pole(a) || st_is_pole(b)) return __builtin_inf();
    if (fabs(a) < 1e-30 && fabs(b) < 1e-30) return 1 / a + 1 / b;
    if (fabs(a) < 80 && fabs(b) < 80) {
        return st_is_pole(whole) ? 0 : tgamma(low) / tgamma(whole) * tgamma(high);
    }
    const double size = exp(st_special_betaln(a, b, 0));
    return st_is_odd(a) ^ st_is_odd(b) ^ st_is_odd(whole) ? -size : size;
}

/* x**a y**b / beta(a, b), of y = 1 - x; by Stirling's formula, around the largest value, if both are
   large. */
ST_CALLED double st_beta_factor(double a, double b, double x, double y) {
    const double whole = a + b;
    if (a >= 10 && b >= 10) {
        const double far = a * st_log_rest(a, whole * x) + b * st_log_rest(b, whole * y);
        const double rest = st_stirling_rest(whole) - st_stirling_rest(a) - st_stirling_rest(b);
        return sqrt(a / whole * b / 6.283185307179586) * exp(rest - far);
    }
    if (whole < 30 && x > 1e-6 && y > 1e-6) return pow(x, a) * pow(y, b) / st_special_beta(a, b, 0);
    const double log_x = x > 0.5 ? log1p(-y) : log(x), log_y = y > 0.5 ? log1p(-x) : log(y);
    return exp(a * log_x + b * log_y - st_special_betaln(a, b, 0));
}

/* Digital Library of Mathematical Functions, 8.17.22, contracted, by Lentz's algorithm; NaN without a
   result. The difference of a y and b x tells on which side of the largest value x is. */
ST_CALLED double st_beta_fraction(double a, double b, double x, double y) {
    const double factor = st_beta_factor(a, b, x, y), whole = a + b, side = a * y - b * x;
    if (factor == 0) return 0;
    double product = a / (a + 1) * (side + 1), c = product, d = 0;
    for (double m = 1; m < 1e5; m += 1) {
        const double place = a + (2 * m - 1), turn = m * (b - m) * x / place;
        const double top = (a + (m - 1)) / place * (whole + (m - 1)) * x * turn;
        const double bottom = m + turn + (a + m) / (place + 2) * (side + 1 + m * (1 + y));
        d = bottom + top * d;
        c = bottom + top / c;
        if (d == 0) d = 1e-300;
        if (c == 0) c = 1e-300;
        d = 1 / d;
        product *= c * d;
        if (fabs(c * d - 1) < 3e-16) return factor / product;
    }
    return __builtin_nan("");
}

ST_CALLED double st_incomplete_beta(double a, double b, double x, bool upper) {
    if (!(a >= 0 && b >= 0 && x >= 0 && x <= 1)) return __builtin_nan("");
    if ((a == 0 && b == 0) || (isinf(a) && isinf(b))) return __builtin_nan("");
    if (x == 0 || x == 1) return (x == 1) ^ upper;
    if (b == 0 || isinf(a)) return upper;
    if (a == 0 || isinf(b)) return !upper;
    if (a < 1e-300 || b < 1e-300) return (a < b) ^ upper;
    const double y = 1 - x;
    const bool above = x > (a + 1) / (a + b + 2); /* the fraction of the other side converges fast */
    const double near = above ? st_beta_fraction(b, a, y, x) : st_beta_fraction(a, b, x, y);
    if (above == upper) return near;
    return near < 1 ? 1 - near : 0;
}
ST_CALLED double st_special_betainc(double a, double b, double x, int) {
    return st_incomplete_beta(a, b, x, false);
}
ST_CALLED double st_special_betaincc(double a, double b, double x, int) {
    return st_incomplete_beta(a, b, x, true);
}
