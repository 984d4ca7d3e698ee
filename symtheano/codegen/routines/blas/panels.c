/* Minimum rows of all products, for which copying takes less time than it saves; measured. */
#define ST_PANELS_ROWS 150

/* Copy op(b) to panels, for products by one thread, of m rows in all. */
ST_ONCE void st_panels_@SUFFIX@(const st_runtime *runtime, int transb, int64_t m, int64_t n,
                    int64_t k, const @TYPE@ *b, int64_t ldb, @TYPE@ *packed) {
    const st_products *products = (const st_products *)runtime->blas;
    packed[0] = 0; /* our kernels may only be there later */
    if (products && products->own[@KERNEL_SLOT@] && m >= ST_PANELS_ROWS && n > 0 && k > 0) {
        @OWN_FUNCTION@
        ((function)products->own[@KERNEL_SLOT@])(@PANELS@ /* panels */, 1, ST_NO_TRANS, transb, 1, n, k, 1,
                                               b, ldb, b, ldb, 0, packed, n);
    }
}

/* c = alpha op(a) op(b) + beta c, for an op(b) that st_panels has copied */
ST_ONCE void st_panels_gemm_@SUFFIX@(const st_runtime *runtime, int transa, int transb, int64_t m,
                    int64_t n, int64_t k, @TYPE@ alpha, const @TYPE@ *a, int64_t lda, const @TYPE@ *b,
                    int64_t ldb, const @TYPE@ *packed, @TYPE@ beta, @TYPE@ *c, int64_t ldc) {
    if (packed[0] != 0 && m > 0) {
        const st_products *products = (const st_products *)runtime->blas;
        @OWN_FUNCTION@
        if (((function)products->own[@KERNEL_SLOT@])(@PACKED@ /* packed */, 1, transa, ST_NO_TRANS, m, n, k,
                                                   alpha, a, lda, packed, n, beta, c, ldc)) return;
    }
    const st_gemm product = {.transa = transa, .transb = transb, .m = m, .n = n, .k = k,
                             .lda = lda, .ldb = ldb, .ldc = ldc};
    st_gemm_@SUFFIX@(runtime, &product, alpha, a, b, beta, c);
}
