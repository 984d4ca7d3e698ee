/* acc = one strip of A times one panel of B, both packed. */
static void tile_@LETTER@(int64_t k, const @TYPE@ *restrict a, const @TYPE@ *restrict b,
                      @TYPE@ acc[restrict ROWS][@LANES@]) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < @LANES@; j++) acc[i][j] = 0;
    for (int64_t p = 0; p < k; p++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < @LANES@; j++) acc[i][j] += a[p * ROWS + i] * b[p * @LANES@ + j];
}

