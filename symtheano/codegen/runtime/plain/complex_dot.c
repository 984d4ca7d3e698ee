
EXPORT void cblas_@LETTER@dotu_sub(int64_t n, const @TYPE@ *x, int64_t incx, const @TYPE@ *y,
                            int64_t incy, @TYPE@ *result) {
    *result = dot_@LETTER@(n, x, incx, y, incy);
}
