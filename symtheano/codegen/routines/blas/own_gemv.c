    const st_products *products = (const st_products *)runtime->blas;
    if (products && products->own[@KERNEL_SLOT@] && m > 0 && n > 0 && lda >= n && incx > 0
        && incy > 0) {
        @OWN_FUNCTION@
        if (((function)products->own[@KERNEL_SLOT@])(@VECTOR@ /* vector */, 1, trans, ST_NO_TRANS, outputs,
                                                   1, terms, alpha, a, lda, x, incx, beta, y, incy))
            return;
    }
