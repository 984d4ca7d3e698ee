typedef @TYPE@ vector_@LETTER@ __attribute__((vector_size(32), aligned(sizeof(@TYPE@))));

/* acc = one strip of A times one panel of B, both packed. The sums are separate variables, which
   stay in registers; this is twice as fast. */
static void tile_@LETTER@(int64_t k, const @TYPE@ *restrict a, const @TYPE@ *restrict b,
                      @TYPE@ acc[restrict ROWS][@LANES@]) {
    vector_@LETTER@ s00 = {0}, s01 = {0}, s10 = {0}, s11 = {0};
    vector_@LETTER@ s20 = {0}, s21 = {0}, s30 = {0}, s31 = {0};
    for (int64_t p = 0; p < k; p++, a += ROWS, b += @LANES@) {
        const vector_@LETTER@ b0 = *(const vector_@LETTER@ *)b;
        const vector_@LETTER@ b1 = *(const vector_@LETTER@ *)(b + @LANES@ / 2);
        s00 += a[0] * b0, s01 += a[0] * b1, s10 += a[1] * b0, s11 += a[1] * b1;
        s20 += a[2] * b0, s21 += a[2] * b1, s30 += a[3] * b0, s31 += a[3] * b1;
    }
    vector_@LETTER@ *out = (vector_@LETTER@ *)acc;
    out[0] = s00, out[1] = s01, out[2] = s10, out[3] = s11;
    out[4] = s20, out[5] = s21, out[6] = s30, out[7] = s31;
}

