/* The words of some blocks: at most 16, and a multiple of 4. From one to the next, the numbers of the
   block and of the stream grow by what is given last. */
enum { ST_PHILOX_WORDS = 32 };

#if defined __AVX2__ && !defined __clang__
/* Vectors hold four words of 64 bits, of which the products read the low halves; high halves are
   cleared at the end. gcc alone would multiply all 64 bits, in three times as long. */
typedef uint64_t st_philox_lanes __attribute__((vector_size(32), may_alias));
typedef int32_t st_philox_halves __attribute__((vector_size(32)));

ST_NUMBER st_philox_lanes st_philox_product(st_philox_lanes x, uint32_t factor) {
    const st_philox_lanes factors = (st_philox_lanes){0} + factor;
    return (st_philox_lanes)__builtin_ia32_pmuludq256((st_philox_halves)x,
                                                      (st_philox_halves)factors);
}

ST_NUMBER st_philox_lanes st_philox_four(uint64_t first, uint64_t by) {
    return (st_philox_lanes){first, first + by, first + 2 * by, first + 3 * by};
}

ST_NUMBER void st_philox_fill(uint64_t *words, int count, uint64_t key, uint64_t stream,
                              uint64_t block, uint64_t blocks, uint64_t streams) {
    const int groups = count / 8;
    st_philox_lanes c0[4], c1[4], c2[4], c3[4];
    _Pragma("GCC unroll 4") for (int g = 0; g < groups; g++) {
        c0[g] = st_philox_four(block + 4 * g * blocks, blocks), c1[g] = c0[g] >> 32;
        c2[g] = st_philox_four(stream + 4 * g * streams, streams), c3[g] = c2[g] >> 32;
    }
    uint32_t k0 = (uint32_t)key, k1 = key >> 32;
    _Pragma("GCC unroll 10") for (int round = 0; round < 10; round++) {
        _Pragma("GCC unroll 4") for (int g = 0; g < groups; g++) {
            const st_philox_lanes a = st_philox_product(c0[g], 0xd2511f53u);
            const st_philox_lanes b = st_philox_product(c2[g], 0xcd9e8d57u);
            c0[g] = b >> 32 ^ (c1[g] ^ k0), c1[g] = b;
            c2[g] = a >> 32 ^ (c3[g] ^ k1), c3[g] = a;
        }
        k0 += 0x9e3779b9u, k1 += 0xbb67ae85u;
    }
    _Pragma("GCC unroll 4") for (int g = 0; g < groups; g++) {
        const st_philox_lanes x = (c0[g] & 0xffffffff) | c1[g] << 32;
        const st_philox_lanes y = (c2[g] & 0xffffffff) | c3[g] << 32;
        st_philox_lanes *const to = (st_philox_lanes *)(words + 8 * g);
        to[0] = (st_philox_lanes){x[0], y[0], x[1], y[1]};
        to[1] = (st_philox_lanes){x[2], y[2], x[3], y[3]};
    }
}
#else
static inline void st_philox_fill(uint64_t *words, int count, uint64_t key, uint64_t stream,
                                  uint64_t block, uint64_t blocks, uint64_t streams) {
    for (int i = 0; i < count / 2; i++) {
        const st_philox_block bits = st_philox(key, stream + i * streams, block + i * blocks);
        words[2 * i] = bits.first;
        words[2 * i + 1] = bits.second;
    }
}
#endif
