/* Products of a small matrix and a vector, without copying them; see __init__.py. */

/* Rows of a matrix that are multiplied at once, and vectors of a row. Each is a chain of additions;
   there must be enough of them to hide the latency. */
enum { BAND = 8, CHAINS = 8 };
/* Bytes of a small matrix, which is in the L1 cache or soon will be, and elements of a vector with
   gaps that is copied. */
enum { LITTLE = 49152, GATHERED = 2048 };

/* The products of up to BAND rows with x, both contiguous along k. */
INLINE void multiply_rows(int64_t rows, int64_t k, const TYPE *a, int64_t lda, const TYPE *x,
                          TYPE *sums) {
    vector s[MAX(BAND, LANES)];
    const TYPE *row[BAND];
    UNROLL for (int i = 0; i < MAX(BAND, LANES); i++) s[i] = (vector){0};
    UNROLL for (int i = 0; i < BAND; i++) row[i] = a + MIN(i, rows - 1) * lda;
    int64_t p = 0;
    for (; p + LANES <= k; p += LANES) {
        vector e = load(x + p);
        KEEP(e);
        UNROLL for (int i = 0; i < BAND; i++) s[i] += e * load(row[i] + p);
    }
    if (p < k) {
        const int64_t done = LANES - (k - p);
        const vector e = load_from(x + k - LANES, done);
        UNROLL for (int i = 0; i < BAND; i++) s[i] += e * load_from(row[i] + k - LANES, done);
    }
    UNROLL for (int i = 0; i < BAND; i += LANES) *(loose_vector *)(sums + i) = totals(s + i);
}

/* The sum of rows multiplied by elements of x, for the columns of some vectors. The last one begins
   at `last`. The rows are added in `ways` chains. */
INLINE void add_rows(const int vectors, const int ways, int64_t k, const TYPE *a, int64_t lda,
                     const TYPE *x, int64_t incx, int64_t last, TYPE *sums) {
    vector s[CHAINS][CHAINS];
    UNROLL for (int w = 0; w < ways; w++)
        UNROLL for (int v = 0; v < vectors; v++) s[w][v] = (vector){0};
    int64_t p = 0;
    for (; p + ways <= k; p += ways, a += ways * lda, x += ways * incx)
        UNROLL for (int w = 0; w < ways; w++) {
            vector e = (vector){0} + x[w * incx];
            KEEP(e);
            UNROLL for (int v = 0; v < vectors; v++)
                s[w][v] += e * load(a + w * lda + (v < vectors - 1 ? v * LANES : last));
        }
    for (; p < k; p++, a += lda, x += incx)
        UNROLL for (int v = 0; v < vectors; v++)
            s[0][v] += *x * load(a + (v < vectors - 1 ? v * LANES : last));
    UNROLL for (int v = 0; v < vectors; v++) {
        UNROLL for (int w = 1; w < ways; w++) s[0][v] += s[w][v];
        *(loose_vector *)(sums + (v < vectors - 1 ? v * LANES : last)) = s[0][v];
    }
}

#define ADD_ROWS(vectors, ways) \
    case vectors: add_rows(vectors, ways, k, a, lda, x, incx, last, sums); break;

/* y = alpha sums + beta y */
INLINE void put_sums(int64_t count, const TYPE *sums, TYPE alpha, TYPE beta, TYPE *y,
                     int64_t incy) {
    int64_t i = 0;
    if (incy == 1)
        for (; i + LANES <= count; i += LANES) {
            vector sum = alpha * load(sums + i);
            if (beta != 0) sum += beta * load(y + i);
            *(loose_vector *)(y + i) = sum;
        }
    for (; i < count; i++) {
        const TYPE sum = alpha * sums[i];
        y[i * incy] = beta == 0 ? sum : sum + beta * y[i * incy];
    }
}

/* y = alpha op(a) x + beta y, where op(a) has m rows and k columns. Returns 0, and does nothing, if
   the library is faster. */
static __attribute__((noinline)) int32_t vector_product(int straight, int64_t m, int64_t k,
                                                        TYPE alpha, const TYPE *a, int64_t lda,
                                                        const TYPE *x, int64_t incx, TYPE beta,
                                                        TYPE *y, int64_t incy) {
    if ((double)m * k * sizeof(TYPE) > LITTLE) return 0;
    if (straight) {
        TYPE copy[GATHERED], sums[BAND + LANES];
        if (k < LANES || (incx != 1 && k > GATHERED)) return 0;
        if (incx != 1) {
            for (int64_t p = 0; p < k; p++) copy[p] = x[p * incx];
            x = copy;
        }
        for (int64_t i = 0; i < m; i += BAND) {
            multiply_rows(MIN(BAND, m - i), k, a + i * lda, lda, x, sums);
            put_sums(MIN(BAND, m - i), sums, alpha, beta, y + i * incy, incy);
        }
        return 1;
    }
    TYPE sums[CHAINS * LANES];
    if (m < LANES) return 0;
    for (int64_t j = 0, width; j < m; j += width, a += width, y += width * incy) {
        /* At least LANES columns are left, or none. */
        const int64_t left = m - j, all = CHAINS * LANES;
        width = left <= all ? left : left < all + LANES ? all - LANES : all;
        const int64_t vectors = VECTORS(width), last = width - LANES;
        switch (vectors) {
            ADD_ROWS(1, 8) ADD_ROWS(2, 4) ADD_ROWS(3, 2) ADD_ROWS(4, 2)
            ADD_ROWS(5, 1) ADD_ROWS(6, 1) ADD_ROWS(7, 1) ADD_ROWS(8, 1)
        }
        put_sums(width, sums, alpha, beta, y, incy);
    }
    return 1;
}
