/* c = op(a) op(b), for an op(b) that st_pack may have prepared */
ST_ONCE void st_packed_gemm_@SUFFIX@(const st_runtime *runtime, const st_gemm *args, const @TYPE@ *a,
                    const @TYPE@ *b, const @TYPE@ *packed, @TYPE@ *c) {
    const int transa = (int)args->transa;
    const int64_t m = args->m, n = args->n, k = args->k, lda = args->lda, ldc = args->ldc;
    if (packed[0] != 0 && lda >= (transa == ST_NO_TRANS ? k : m) && ldc >= n) {
        const st_products *products = (const st_products *)runtime->blas;
        @OWN_FUNCTION@
        st_announce(runtime, (double)m * n * k);
        if (((function)products->own[@KERNEL_SLOT@])(@PACKED@ /* packed */, runtime->threads, transa,
                                                   ST_NO_TRANS, m, n, k, 1, a, lda, packed, n, 0,
                                                   c, ldc)) return;
    }
    st_gemm_@SUFFIX@(runtime, args, 1, a, b, 0, c);
}
