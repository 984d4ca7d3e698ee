    const st_products *products = (const st_products *)runtime->blas;
    if (products && products->own[@KERNEL_SLOT@] && k > 0 && lda >= a_width && ldb >= b_width
        && ldc >= n) {
        @OWN_FUNCTION@
        st_announce(runtime, (double)m * n * k);
        if (((function)products->own[@KERNEL_SLOT@])(@CHOOSE@, runtime->threads, transa, transb, m, n, k,
                                                   alpha, a, lda, b, ldb, beta, c, ldc)) return;
    }
