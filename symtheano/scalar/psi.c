/* The digamma function. Up to 8, that of 1 + t, where 0 <= t < 1, is the distance from its zero
   times a polynomial in t - 1/2; the inverses of x - 1, x - 2, ..., 1 + t are added as a fraction,
   or, if x < 1, that of x is subtracted. From 8 on, the asymptotic series; for negative numbers,
   reflection. There are no branches, also none around the logarithm, so that loops are vectorized.
   The bits are the same with and without fused multiply-add. benchmarks/polynomials.py computes the
   polynomials. (Abramowitz and Stegun, Handbook of Mathematical Functions, 6.3.5, 6.3.7, 6.3.18.) */
static inline __attribute__((always_inline)) double st_psi_{d}(double x) {
    const double a = __builtin_fabs(x), whole = __builtin_floor(a);
    const int large = a >= 8, small = a < 1;
    const double t = small ? a : a - whole, s = t - 0.5, s2 = s * s, s4 = s2 * s2;
    double n = 0, d = 1;
    const double f1 = a >= 2 ? a - 1 : 1, g1 = a >= 2 ? d : 0;
    n = n * f1 + g1;
    d *= f1;
    const double f2 = a >= 3 ? a - 2 : 1, g2 = a >= 3 ? d : 0;
    n = n * f2 + g2;
    d *= f2;
    const double f3 = a >= 4 ? a - 3 : 1, g3 = a >= 4 ? d : 0;
    n = n * f3 + g3;
    d *= f3;
    const double f4 = a >= 5 ? a - 4 : 1, g4 = a >= 5 ? d : 0;
    n = n * f4 + g4;
    d *= f4;
    const double f5 = a >= 6 ? a - 5 : 1, g5 = a >= 6 ? d : 0;
    n = n * f5 + g5;
    d *= f5;
    const double f6 = a >= 7 ? a - 6 : 1, g6 = a >= 7 ? d : 0;
    n = n * f6 + g6;
    d *= f6;
    const double c0 = -0x1.b1cb63005ee98p-2 * s + 0x1.e6f0cbb873617p-1;
    const double c2 = -0x1.2feeeb98a7a34p-3 * s + 0x1.eca189b8e6d99p-3;
    const double c4 = -0x1.fb44202a0717ep-5 * s + 0x1.8512e5905da7bp-4;
    const double c6 = -0x1.b9f8b124a6806p-6 * s + 0x1.4de9aa0599ab3p-5;
    const double c8 = -0x1.8635627a7a3dfp-7 * s + 0x1.256475f162ccap-6;
    const double c10 = -0x1.5a06cc887bd1bp-8 * s + 0x1.03c006a39f03ap-7;
    const double c12 = -0x1.336b42998fcfap-9 * s + 0x1.cd3e7494e9032p-9;
    const double c14 = -0x1.0fcd50ae62719p-10 * s + 0x1.980d998bcec0ep-10;
    const double c16 = -0x1.fc46a043596bap-12 * s + 0x1.7b4a248d0d120p-11;
    const double c18 = -0x1.343c92abd7547p-13 * s + 0x1.dc1ac54480c37p-13;
    const double c20 = -0x1.72473636b2658p-13 * s + 0x1.107975f6e304ep-12;
    double top = c20;
    top = top * s4 + c18 * s2 + c16;
    top = top * s4 + c14 * s2 + c12;
    top = top * s4 + c10 * s2 + c8;
    top = top * s4 + c6 * s2 + c4;
    top = top * s4 + c2 * s2 + c0;
    const double near = top * (t - 0x1.d8b618d5af8fep-2 - -0x1.1e563779a1f5bp-56);
    const double of_small = small ? -1 : n, of_large = large ? 1 : of_small;
    const double q = of_large / (large | small ? a : d), u = q * q;
    double f = 0x1.052e90685e3e1p-4 * u + -0x1.533b4474aa4dfp-6;
    f = f * u + 0x1.f03a182571884p-8;
    f = f * u + -0x1.1110b84f3eea5p-8;
    f = f * u + 0x1.041040cba86c7p-8;
    f = f * u + -0x1.111111110a9b2p-7;
    f = f * u + 0x1.5555555555555p-4;
    const double l = log(large ? a : 1), far = -0.5 * q - f * u, close = near + q;
    const double y = l + (large ? far : close);
    const double r = a - __builtin_rint(a), w = r * r;
    double g = -0x1.015b41024bd7ap+4 * w + 0x1.c4418341b0f22p+3;
    g = g * w + -0x1.6d2738f9f280bp+3;
    g = g * w + 0x1.6c31e14aaffaep+0;
    g = g * w + -0x1.6ba91b33ff7e5p+1;
    g = g * w + -0x1.dae54957f2920p+0;
    g = g * w + -0x1.024766d1609b0p+1;
    g = g * w + -0x1.ffa27e133911ep+0;
    g = g * w + -0x1.00133a484c712p+1;
    g = g * w + -0x1.00410d42c0e7cp+1;
    g = g * w + -0x1.010b37917adb6p+1;
    g = g * w + -0x1.0470984873f32p+1;
    g = g * w + -0x1.151322ac84db7p+1;
    g = g * w + -0x1.a51a66253077fp+1;
    g = g * w + 0x1.0000000000000p+0;
    const double turned = g * a + r, scaled = r * a;
    const double above = small ? g : turned, below = small ? r : scaled;
    const double base = small ? near : y, reflected = base + above / below;
    const double defined = below == 0 ? __builtin_nan("") : reflected;
    const double value = x < 0 ? defined : y, pole = __builtin_copysign(__builtin_inf(), -x);
    return x == 0 ? pole : value;
}
