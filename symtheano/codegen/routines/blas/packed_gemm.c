/* c = op(a) op(b), for an op(b) that st_pack may have prepared */
ST_ONCE void st_packed_gemm_@SUFFIX@(const st_runtime *runtime, int transa, int transb, int64_t m,
                    int64_t n, int64_t k, const @TYPE@ *a, int64_t lda, const @TYPE@ *b, int64_t ldb,
                    const @TYPE@ *packed, @TYPE@ *c, int64_t ldc) {
    if (packed[0] != 0 && lda >= (transa == ST_NO_TRANS ? k : m) && ldc >= n) {
        const st_products *products = (const st_products *)runtime->blas;
        @OWN_FUNCTION@
        st_announce(runtime, (double)m * n * k);
        if (((function)products->own[@KERNEL_SLOT@])(@PACKED@ /* packed */, runtime->threads, transa,
                                                   ST_NO_TRANS, m, n, k, 1, a, lda, packed, n, 0,
                                                   c, ldc)) return;
    }
    st_gemm_@SUFFIX@(runtime, transa, transb, m, n, k, 1, a, lda, b, ldb, 0, c, ldc);
}
