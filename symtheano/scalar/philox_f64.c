/* Numbers in double precision, made of words of 64 bits. The functions have no branches, so they
   are vectorized. The bits of a number do not depend on where it is computed, nor on the processor:
   products and sums are rounded one by one, as by NumPy in words.py. */
typedef struct { double first, second; } st_normals_f64;

ST_NUMBER double st_of_bits_f64(uint64_t bits) {
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

ST_NUMBER uint64_t st_bits_of_f64(double x) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof x);
    return bits;
}

/* An integer of at most 53 bits: its halves become the low bits of 2^84 and of 2^52, because
   processors before AVX-512 convert no vectors of integers of 64 bits. */
ST_NUMBER double st_whole_f64(uint64_t x) {
    const double high = st_of_bits_f64(x >> 32 | 0x4530000000000000u);
    return high - (0x1p84 + 0x1p52) + st_of_bits_f64((x & 0xffffffff) | 0x4330000000000000u);
}

/* From [0, 1). */
ST_NUMBER double st_word_random_f64(uint64_t word) { return st_whole_f64(word >> 11) * 0x1p-53; }

/* The logarithm of a number from (0, 1]: x = 2^n (1 + f), k = -n and s = f / (2 + f), as in
   st_log_sum of vector_math.c. */
ST_NUMBER double st_log_of_unit_f64(double x) {
    const uint64_t b = st_bits_of_f64(x), turned = 0x7ff6a09e667f3bcc - b;
    const uint64_t e = turned & 0xfff0000000000000;
    const double k = st_of_bits_f64((turned >> 52) | 0x4330000000000000) - (0x1p52 + 1024);
    const double f = st_of_bits_f64(b - 0x4000000000000000 + e) - 1;
    const double s = f / (2 + f), half = 0.5 * f * f, z = s * s, z2 = z * z;
    const double c1 = 0x1.999999997f9f4p-2 * z + 0x1.5555555555593p-1;
    const double c3 = 0x1.c71c51d7900acp-3 * z + 0x1.249249422a8d8p-2;
    const double c5 = 0x1.39a093f521a2fp-3 * z + 0x1.746649bd98902p-3;
    const double high = (0x1.2f1191c469366p-3 * z2 + c5) * z2 + c3;
    const double q = (high * z2 + c1) * z + half;
    return s * q + (f - k * 0x1.62e42fefa39efp-1 - half);
}

ST_NUMBER double st_word_exponential_f64(uint64_t word) {
    return 0 - st_log_of_unit_f64(st_whole_f64((word >> 11) + 1) * 0x1p-53);
}

/* A pair of normal numbers (Box and Muller 1958). The angle is q + r quarters of a turn, where q
   is an integer and |r| <= 1/2. For odd q, sine and cosine change places. */
ST_NUMBER st_normals_f64 st_word_normal_f64(uint64_t first, uint64_t second) {
    const double radius = __builtin_sqrt(2 * st_word_exponential_f64(first));
    const double u = 4 * st_word_random_f64(second), t = u + 0x1.8p52;
    const double r = u - (t - 0x1.8p52), z = r * r, z2 = z * z;
    const double s0 = -0x1.4abbce625bdaep-1 * z + 0x1.921fb54442d18p+0;
    const double s2 = -0x1.32d2ccd46940dp-8 * z + 0x1.466bc6774afc5p-4;
    const double s4 = -0x1.e2f3efbcbf806p-19 * z + 0x1.507821d3aa23ap-13;
    const double sine = r * (((0x1.dfc54ad232b94p-25 * z2 + s4) * z2 + s2) * z2 + s0);
    const double c0 = 0x1.03c1f081b5a52p-2 * z - 0x1.3bd3cc9be45dep+0;
    const double c2 = 0x1.e1f50675b163cp-11 * z - 0x1.55d3c7e3bfe53p-6;
    const double c4 = 0x1.f9c4acf1c9d94p-22 * z - 0x1.a6d1e238223d6p-16;
    const double cosine = (((-0x1.b03413c143356p-28 * z2 + c4) * z2 + c2) * z2 + c0) * z + 1;
    const uint64_t q = st_bits_of_f64(t);
    const uint64_t a = st_bits_of_f64(radius * cosine), b = st_bits_of_f64(radius * sine);
    const uint64_t exchanged = (a ^ b) & -(q & 1);
    const st_normals_f64 pair = {st_of_bits_f64(a ^ exchanged ^ ((q + 1) >> 1) << 63),
                               st_of_bits_f64(b ^ exchanged ^ (q >> 1) << 63)};
    return pair;
}

ST_NUMBER double st_philox_one_normal_f64(uint64_t key, uint64_t stream, uint64_t number) {
    const st_philox_block block = st_philox(key, stream, number >> 1);
    const st_normals_f64 pair = st_word_normal_f64(block.first, block.second);
    return number & 1 ? pair.second : pair.first;
}
