/* Prepare op(b) for `steps` products with op(a) of m rows, unless this takes longer than it saves. */
ST_ONCE void st_pack_@SUFFIX@(const st_runtime *runtime, const st_pack *args, const @TYPE@ *b,
                    @TYPE@ *packed) {
    const int transb = (int)args->transb;
    const int64_t steps = args->steps, m = args->m, n = args->n, k = args->k, ldb = args->ldb;
    const st_products *products = (const st_products *)runtime->blas;
    packed[0] = 0; /* our kernels may only be there later */
    if (products && products->own[@KERNEL_SLOT@] && steps > 1 && (double)steps * m >= ST_PACK_ROWS
        && ldb >= (transb == ST_NO_TRANS ? n : k)) {
        @OWN_FUNCTION@
        ((function)products->own[@KERNEL_SLOT@])(@PACK@ /* pack */, 1, ST_NO_TRANS, transb, m, n, k, 1, b,
                                               ldb, b, ldb, 0, packed, n);
    }
}
