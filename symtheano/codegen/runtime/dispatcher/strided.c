/* Copies of arrays with any strides into C order.

   Axes of length one are dropped, and axes that are contiguous with each other are merged. The
   rest is copied by rows. If an axis other than the last has the smallest stride, it is copied in
   square tiles with sides of one cache line, so each line is read once and written once. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LINE 64
#define MOST_AXES 64

typedef struct { ptrdiff_t length, from, to; } copied_axis; /* strides in bytes */

/* Elements by width in bytes. Complex numbers have the alignment of their parts. */
typedef uint8_t width_1;
typedef uint16_t width_2;
typedef uint32_t width_4;
typedef uint64_t __attribute__((aligned(4))) width_8;
typedef struct { width_8 parts[2]; } width_16;

#define ROW_COPY(WIDTH)                                                                           \
    static void copy_row_##WIDTH(char *to, const char *from, ptrdiff_t length, ptrdiff_t step)    \
    {                                                                                             \
        width_##WIDTH *row = (width_##WIDTH *)to;                                                 \
        _Pragma("GCC unroll 8") for (ptrdiff_t i = 0; i < length; i++) {                          \
            row[i] = *(const width_##WIDTH *)(from + i * step);                                   \
        }                                                                                         \
    }

/* Small vectors, which may be unaligned. LOW and HIGH interleave the elements of the lower or upper
   halves of two vectors. */
#define VECTOR 16
typedef uint8_t vector_1 __attribute__((vector_size(VECTOR), aligned(1), may_alias));
typedef uint16_t vector_2 __attribute__((vector_size(VECTOR), aligned(1), may_alias));
typedef uint32_t vector_4 __attribute__((vector_size(VECTOR), aligned(1), may_alias));
typedef uint64_t vector_8 __attribute__((vector_size(VECTOR), aligned(1), may_alias));
#ifdef __clang__
#define MIXED(WIDTH, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MIXED(WIDTH, a, b, ...) __builtin_shuffle(a, b, (vector_##WIDTH){__VA_ARGS__})
#endif
#define LOW_1(a, b) MIXED(1, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_1(a, b) MIXED(1, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_2(a, b) MIXED(2, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_2(a, b) MIXED(2, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_4(a, b) MIXED(4, a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) MIXED(4, a, b, 2, 6, 3, 7)
#define LOW_8(a, b) MIXED(8, a, b, 0, 2)
#define HIGH_8(a, b) MIXED(8, a, b, 1, 3)

/* Transpose a square of vectors: each round interleaves the rows of the two halves. The loops are
   unrolled so that the vectors stay in registers. */
#define EACH(i, count) _Pragma("GCC unroll 16") for (int i = 0; i < (count); i++)
#define SQUARE_COPY(WIDTH)                                                                        \
    static inline void copy_square_##WIDTH(                                                       \
        char *to, ptrdiff_t row, const char *from, ptrdiff_t line)                                \
    {                                                                                             \
        enum { LANES = VECTOR / WIDTH };                                                          \
        vector_##WIDTH rows[LANES], dealt[LANES];                                                 \
        EACH(i, LANES) rows[i] = *(const vector_##WIDTH *)(from + i * line);                      \
        _Pragma("GCC unroll 4") for (int round = 1; round < LANES; round *= 2) {                  \
            EACH(i, LANES / 2) {                                                                  \
                dealt[2 * i] = LOW_##WIDTH(rows[i], rows[i + LANES / 2]);                         \
                dealt[2 * i + 1] = HIGH_##WIDTH(rows[i], rows[i + LANES / 2]);                    \
            }                                                                                     \
            EACH(i, LANES) rows[i] = dealt[i];                                                    \
        }                                                                                         \
        EACH(i, LANES) *(vector_##WIDTH *)(to + i * row) = rows[i];                               \
    }

SQUARE_COPY(1) SQUARE_COPY(2) SQUARE_COPY(4) SQUARE_COPY(8)

static inline void copy_square_16(char *to, ptrdiff_t row, const char *from, ptrdiff_t line)
{
    *(width_16 *)to = *(const width_16 *)from;
}

/* Copy one tile: rows along `near` in the source become columns. */
#define TILE_COPY(WIDTH)                                                                          \
    static void copy_tile_##WIDTH(char *to, const char *from, copied_axis near, copied_axis last) \
    {                                                                                             \
        enum { SIDE = LINE / WIDTH, SQUARE = VECTOR / WIDTH };                                    \
        width_##WIDTH tile[SIDE][SIDE];                                                           \
        const int lines = near.from == WIDTH ? (int)last.length / SQUARE * SQUARE : 0;            \
        const int whole = (int)near.length / SQUARE * SQUARE;                                     \
        for (int i = 0; i < lines; i += SQUARE) {                                                 \
            const char *line = from + i * last.from;                                              \
            for (int k = 0; k < whole; k += SQUARE, line += VECTOR) {                             \
                copy_square_##WIDTH((char *)&tile[k][i], LINE, line, last.from);                  \
            }                                                                                     \
        }                                                                                         \
        for (int i = whole < near.length ? 0 : lines; i < last.length; i++) {                     \
            const char *line = from + i * last.from;                                              \
            for (int k = i < lines ? whole : 0; k < near.length; k++) {                           \
                tile[k][i] = *(const width_##WIDTH *)(line + k * near.from);                      \
            }                                                                                     \
        }                                                                                         \
        if (last.length == SIDE) {                                                                \
            for (int k = 0; k < near.length; k++) memcpy(to + k * near.to, tile[k], LINE);        \
        } else {                                                                                  \
            const size_t bytes = (size_t)last.length * WIDTH;                                     \
            for (int k = 0; k < near.length; k++) memcpy(to + k * near.to, tile[k], bytes);       \
        }                                                                                         \
    }

ROW_COPY(1) ROW_COPY(2) ROW_COPY(4) ROW_COPY(8) ROW_COPY(16)
TILE_COPY(1) TILE_COPY(2) TILE_COPY(4) TILE_COPY(8) TILE_COPY(16)

typedef void (*row_copy)(char *, const char *, ptrdiff_t, ptrdiff_t);
typedef void (*tile_copy)(char *, const char *, copied_axis, copied_axis);

static row_copy row_copy_of(ptrdiff_t width)
{
    switch (width) {
    case 1: return copy_row_1;
    case 2: return copy_row_2;
    case 4: return copy_row_4;
    case 8: return copy_row_8;
    case 16: return copy_row_16;
    default: return NULL;
    }
}

static tile_copy tile_copy_of(ptrdiff_t width)
{
    switch (width) {
    case 1: return copy_tile_1;
    case 2: return copy_tile_2;
    case 4: return copy_tile_4;
    case 8: return copy_tile_8;
    default: return copy_tile_16;
    }
}

/* Return whether `copy_strided` can copy elements of this width. */
static int is_copied_width(ptrdiff_t width)
{
    return row_copy_of(width) != NULL;
}

static void copy_row(
    char *to, const char *from, const copied_axis *last, ptrdiff_t width, row_copy copy)
{
    if (last->from == width) memcpy(to, from, (size_t)(last->length * width));
    else copy(to, from, last->length, last->from);
}

/* The source is read in order, which the processor predicts. Writes go to a strip of tiles at a time,
   so that the pages of all its rows stay in the processor's table of pages. The processor does not
   predict the next lines of so many rows; if they are not in the cache, they are prefetched. */
#define STRIP 64
#define NEAR (1 << 20)
static void copy_tiles(
    char *to, const char *from, const copied_axis *near, const copied_axis *last,
    ptrdiff_t width, tile_copy copy)
{
    const ptrdiff_t side = LINE / width, strip = STRIP * side;
    const int ahead = near->length * last->length > NEAR / width;
    copied_axis rows = *near, columns = *last;
    for (ptrdiff_t start = 0; start < near->length; start += strip) {
        const ptrdiff_t stop = near->length - start < strip ? near->length : start + strip;
        for (ptrdiff_t i = 0; i < last->length; i += side) {
            columns.length = last->length - i < side ? last->length - i : side;
            for (ptrdiff_t k = start; k < stop; k += side) {
                rows.length = stop - k < side ? stop - k : side;
                char *const next = to + k * near->to + (i + side) * width;
                for (ptrdiff_t row = 0; row < rows.length && ahead; row++) {
                    __builtin_prefetch(next + row * near->to, 1);
                }
                copy(to + k * near->to + i * width, from + k * near->from + i * last->from, rows,
                     columns);
            }
        }
    }
}

/* Merge an array's axes where possible. Return the number of axes left. */
static int merged_axes(
    copied_axis *axes, int ndim, const ptrdiff_t *shape, const ptrdiff_t *strides,
    ptrdiff_t width)
{
    int first = ndim;
    ptrdiff_t to = width;
    for (int axis = ndim - 1; axis >= 0; to *= shape[axis--]) {
        if (shape[axis] == 1) continue;
        if (first < ndim && strides[axis] == axes[first].from * axes[first].length) {
            axes[first].length *= shape[axis];
        } else {
            axes[--first] = (copied_axis){shape[axis], strides[axis], to};
        }
    }
    const int count = ndim - first;
    memmove(axes, axes + first, (size_t)count * sizeof *axes);
    if (count > 0) return count;
    axes[0] = (copied_axis){1, width, width};
    return 1;
}

/* Return the axis with the smallest stride. */
static int nearest_axis(const copied_axis *axes, int count)
{
    int found = count - 1;
    for (int axis = 0; axis < count - 1; axis++) {
        if (axes[axis].from != 0 && llabs(axes[axis].from) < llabs(axes[found].from)) found = axis;
    }
    return found;
}

/* Copy a nonempty array of at most MOST_AXES axes and aligned elements into C order. */
static void copy_strided(
    char *to, const char *from, int ndim, const ptrdiff_t *shape, const ptrdiff_t *strides,
    ptrdiff_t width)
{
    copied_axis axes[MOST_AXES + 1];
    ptrdiff_t index[MOST_AXES] = {0};
    int count = merged_axes(axes, ndim, shape, strides, width) - 1;
    const copied_axis last = axes[count];
    const int found = nearest_axis(axes, count + 1);
    const copied_axis near = axes[found];
    const int tiled = found < count;
    if (tiled) memmove(axes + found, axes + found + 1, (size_t)(--count - found) * sizeof *axes);
    const row_copy row = row_copy_of(width);
    const tile_copy tile = tile_copy_of(width);
    for (;;) {
        if (tiled) copy_tiles(to, from, &near, &last, width, tile);
        else copy_row(to, from, &last, width, row);
        int axis = count - 1;
        for (; axis >= 0; axis--) {
            from += axes[axis].from, to += axes[axis].to;
            if (++index[axis] < axes[axis].length) break;
            from -= axes[axis].from * axes[axis].length, to -= axes[axis].to * axes[axis].length;
            index[axis] = 0;
        }
        if (axis < 0) return;
    }
}
