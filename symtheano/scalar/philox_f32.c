/* As for double precision, of words of 32 bits. */
typedef struct { float first, second; } st_normals_f32;

ST_NUMBER float st_of_bits_f32(uint32_t bits) {
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

ST_NUMBER uint32_t st_bits_of_f32(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof x);
    return bits;
}

/* From [0, 1). */
ST_NUMBER float st_word_random_f32(uint32_t word) {
    return (float)(int32_t)(word >> 8) * 0x1p-24f;
}

/* The logarithm of a number from (0, 1]: x = 2^n (1 + f) and k = -n 2^23, as in st_log_sumf of
   vector_math.c. */
ST_NUMBER float st_log_of_unit_f32(float x) {
    const uint32_t b = st_bits_of_f32(x), e = (0x3fb504f2 - b) & 0xff800000;
    const float k = (float)(int32_t)e, f = st_of_bits_f32(b + e) - 1, f2 = f * f;
    const float c0 = 0x1.5556f6p-2f * f - 0x1.fffffap-2f;
    const float c2 = 0x1.98d22cp-3f * f - 0x1.0004c8p-2f;
    const float c4 = 0x1.318042p-3f * f - 0x1.535322p-3f;
    const float c6 = 0x1.66a978p-4f * f - 0x1.25502ep-3f;
    const float sum = ((c6 * f2 + c4) * f2 + c2) * f2 + c0;
    return sum * f2 + (f - k * 0x1.62e430p-24f);
}

/* Of 31 bits, because those of 24 bits would be at most 16.6. */
ST_NUMBER float st_word_exponential_f32(uint32_t word) {
    return 0 - st_log_of_unit_f32(((float)(int32_t)(word >> 1) + 0.5f) * 0x1p-31f);
}

ST_NUMBER st_normals_f32 st_word_normal_f32(uint32_t first, uint32_t second) {
    const float radius = __builtin_sqrtf(2 * st_word_exponential_f32(first));
    const float r = (float)(int32_t)(second << 2) * 0x1p-32f, z = r * r, z2 = z * z;
    const float s0 = -0x1.4abc24p-1f * z + 0x1.921fb6p+0f;
    const float s2 = -0x1.331a0ep-8f * z + 0x1.4680a6p-4f;
    const float sine = r * (s2 * z2 + s0);
    const float c0 = 0x1.03c1aep-2f * z - 0x1.3bd3ccp+0f;
    const float c2 = 0x1.d46d74p-11f * z - 0x1.55b132p-6f;
    const float cosine = (c2 * z2 + c0) * z + 1;
    const uint32_t q = (second + 0x20000000u) >> 30;
    const uint32_t a = st_bits_of_f32(radius * cosine), b = st_bits_of_f32(radius * sine);
    const uint32_t exchanged = (a ^ b) & -(q & 1);
    const st_normals_f32 pair = {st_of_bits_f32(a ^ exchanged ^ ((q + 1) >> 1) << 31),
                               st_of_bits_f32(b ^ exchanged ^ (q >> 1) << 31)};
    return pair;
}

ST_NUMBER float st_philox_one_normal_f32(uint64_t key, uint64_t stream, uint64_t number) {
    const uint64_t word = st_philox_u64(key, stream, number >> 1);
    const st_normals_f32 pair = st_word_normal_f32((uint32_t)word, (uint32_t)(word >> 32));
    return number & 1 ? pair.second : pair.first;
}
