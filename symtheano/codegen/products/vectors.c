/* Vectors of TYPE; see __init__.py. */

enum { LANES = BYTES / sizeof(TYPE), HALF = LANES / 2 };
typedef TYPE vector __attribute__((vector_size(BYTES)));
typedef TYPE loose_vector __attribute__((vector_size(BYTES), aligned(sizeof(TYPE)), may_alias));
typedef TYPE half_vector __attribute__((vector_size(BYTES / 2), aligned(sizeof(TYPE)), may_alias));
typedef WORD mask_vector __attribute__((vector_size(BYTES), aligned(sizeof(WORD)), may_alias));

#define VECTORS(length) (((length) + LANES - 1) / LANES)

INLINE vector load(const TYPE *x) { return *(const loose_vector *)x; }

/* Load a vector, with zeros in the first lanes. */
INLINE vector load_from(const TYPE *x, int64_t first) {
    static const WORD lanes[2 * LANES] = {[LANES ... 2 * LANES - 1] = -1};
    return (vector)(*(const mask_vector *)x & *(const mask_vector *)(lanes + LANES - first));
}

/* -- exchanges between vectors ----------------------------------------------------------------- */

#if SHUFFLES
/* The even blocks, and the odd blocks, of `half` lanes each of x and y. */
#define EVEN(half, lane) ((lane) & (half) ? LANES + (lane) - (half) : (lane))
#define ODD(half, lane) ((lane) & (half) ? LANES + (lane) : (lane) + (half))
#define PICK_2(which, h) which(h, 0), which(h, 1)
#define PICK_4(which, h) PICK_2(which, h), which(h, 2), which(h, 3)
#define PICK_8(which, h) PICK_4(which, h), which(h, 4), which(h, 5), which(h, 6), which(h, 7)
#define PICK_16(which, h) PICK_8(which, h), which(h, 8), which(h, 9), which(h, 10), \
    which(h, 11), which(h, 12), which(h, 13), which(h, 14), which(h, 15)
#if BYTES == WIDTH * 16
#define PICK PICK_16
#elif BYTES == WIDTH * 8
#define PICK PICK_8
#elif BYTES == WIDTH * 4
#define PICK PICK_4
#else
#define PICK PICK_2
#endif
#define SHUFFLE(which, half, x, y) \
    __builtin_shufflevector(x, y, PICK(which, (half) < LANES ? (half) : 1))
#define TRANSPOSE_BLOCKS(half) \
    UNROLL for (int i = 0; i < LANES; i++) \
        if (half < LANES && !(i & half)) { \
            const vector even = SHUFFLE(EVEN, half, x[i], x[i + half]); \
            x[i + half] = SHUFFLE(ODD, half, x[i], x[i + half]); \
            x[i] = even; \
        }
#define ADD_BLOCKS(half) \
    UNROLL for (int i = 0; i < half; i++) \
        if (half < LANES) \
            x[i] = SHUFFLE(EVEN, half, x[i], x[i + half]) + SHUFFLE(ODD, half, x[i], x[i + half]);

/* The first, or the second, halves of x and y, lane by lane. */
#define FIRST_HALF(half, lane) ((lane) / 2 + (lane) % 2 * LANES)
#define SECOND_HALF(half, lane) (HALF + FIRST_HALF(half, lane))
INLINE void interleave(vector x, vector y, vector *to) {
    to[0] = __builtin_shufflevector(x, y, PICK(FIRST_HALF, 0));
    to[1] = __builtin_shufflevector(x, y, PICK(SECOND_HALF, 0));
}

#define EVEN_LANE(half, lane) (2 * (lane) + (half))
/* The even, or the odd, lanes of x and then of y. */
INLINE vector evens(vector x, vector y) {
    return __builtin_shufflevector(x, y, PICK(EVEN_LANE, 0));
}
INLINE vector odds(vector x, vector y) {
    return __builtin_shufflevector(x, y, PICK(EVEN_LANE, 1));
}

/* Transpose a square of vectors by exchanging smaller and smaller blocks. */
INLINE void transpose(vector *x) {
    TRANSPOSE_BLOCKS(8) TRANSPOSE_BLOCKS(4) TRANSPOSE_BLOCKS(2) TRANSPOSE_BLOCKS(1)
}

/* Return the sums of the lanes of LANES vectors. */
INLINE vector totals(const vector *from) {
    vector x[LANES];
    UNROLL for (int i = 0; i < LANES; i++) x[i] = from[i];
    ADD_BLOCKS(8) ADD_BLOCKS(4) ADD_BLOCKS(2) ADD_BLOCKS(1)
    return x[0];
}
#else
INLINE void transpose(vector *x) {
    TYPE from[LANES][LANES], to[LANES][LANES];
    __builtin_memcpy(from, x, sizeof from);
    for (int i = 0; i < LANES; i++)
        for (int j = 0; j < LANES; j++) to[j][i] = from[i][j];
    __builtin_memcpy(x, to, sizeof to);
}

INLINE void interleave(vector x, vector y, vector *to) {
    for (int l = 0; l < LANES; l++)
        to[2 * l / LANES][2 * l % LANES] = x[l], to[(2 * l + 1) / LANES][(2 * l + 1) % LANES] = y[l];
}

INLINE vector evens(vector x, vector y) {
    vector z;
    for (int l = 0; l < LANES; l++) z[l] = 2 * l < LANES ? x[2 * l] : y[2 * l - LANES];
    return z;
}
INLINE vector odds(vector x, vector y) {
    vector z;
    for (int l = 0; l < LANES; l++) z[l] = 2 * l < LANES ? x[2 * l + 1] : y[2 * l + 1 - LANES];
    return z;
}

INLINE vector totals(const vector *x) {
    vector y = {0};
    for (int i = 0; i < LANES; i++)
        for (int l = 0; l < LANES; l++) y[i] += x[i][l];
    return y;
}
#endif
