/* Philox 4x32-10 (Salmon et al. 2011): a block of 128 bits for a key, a stream and the number of
   the block, on words of 32 bits. */
#define ST_NUMBER static inline __attribute__((always_inline))

typedef struct { uint64_t first, second; } st_philox_block;

ST_NUMBER st_philox_block st_philox(uint64_t key, uint64_t stream, uint64_t block) {
    uint32_t c0 = (uint32_t)block, c1 = block >> 32, c2 = (uint32_t)stream, c3 = stream >> 32;
    uint32_t k0 = (uint32_t)key, k1 = key >> 32;
    _Pragma("GCC unroll 10") for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)c0 * 0xd2511f53u, b = (uint64_t)c2 * 0xcd9e8d57u;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0, c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1, c3 = (uint32_t)a;
        k0 += 0x9e3779b9u, k1 += 0xbb67ae85u;
    }
    const st_philox_block words = {c0 | (uint64_t)c1 << 32, c2 | (uint64_t)c3 << 32};
    return words;
}

/* A word of 64 bits, or of 32 bits, of a stream. */
ST_NUMBER uint64_t st_philox_u64(uint64_t key, uint64_t stream, uint64_t number) {
    const st_philox_block block = st_philox(key, stream, number >> 1);
    return number & 1 ? block.second : block.first;
}

ST_NUMBER uint32_t st_philox_u32(uint64_t key, uint64_t stream, uint64_t number) {
    return (uint32_t)(st_philox_u64(key, stream, number >> 1) >> 32 * (number & 1));
}
