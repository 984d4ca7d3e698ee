
EXPORT @TYPE@ cblas_@LETTER@dot(int64_t n, const @TYPE@ *x, int64_t incx, const @TYPE@ *y, int64_t incy) {
    return dot_@LETTER@(n, x, incx, y, incy);
}
