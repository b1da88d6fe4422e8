// C = A B without matrix units, for one type of numbers: included once for each, with
//
//     NUMBER, VECTOR, GROUP   the type, 16 bytes of it, how many those are
//     MULTIPLY_ADD            x y + z, rounded once
//     COLUMN_GROUPS           groups of columns of a thread; of rows there are 8 / GROUP
//     LANES(name)             names of this type's own; ENTRY the kernel's
//
// A block of 256 threads makes 128 x (16 GROUP COLUMN_GROUPS) of C: 8 rows a thread, in groups that stand 16 GROUP apart,
// so that threads beside each other read words beside each other. Eight of k at a time go to shared memory, A turned; the
// next ones are on their way in registers meanwhile. What lies past an edge are zeros, so that any size is right.

#define ROWS 8u
#define COLUMNS (GROUP * COLUMN_GROUPS)
#define DEPTH 8u
#define HIGH 128u
#define WIDE (16u * COLUMNS)
#define LEFT_PITCH (HIGH + GROUP)  // numbers
#define HALF (DEPTH * (LEFT_PITCH + WIDE))

GK_FN void LANES(load)(const NUMBER *from, NUMBER *to) {
    VECTOR some = *(const VECTOR *)(const void *)from;
    GK_UNROLL for (gk_u32 i = 0; i < GROUP; i++) to[i] = some[i];
}

// `n` numbers of a row from `column` on: 16 bytes at a time where every row starts at a multiple of them.
GK_FN void LANES(fetch)(const NUMBER *from, gk_size rows, gk_size columns, gk_size row, gk_size column,
                        gk_u32 n, NUMBER *moved) {
    GK_UNROLL for (gk_u32 i = 0; i < n; i++) moved[i] = 0;
    if (row >= rows || column >= columns) return;
    const NUMBER *numbers = from + row * columns + column;
    if (columns % n == 0) {
        GK_UNROLL for (gk_u32 i = 0; i < n; i += GROUP) LANES(load)(numbers + i, moved + i);
        return;
    }
    GK_UNROLL for (gk_u32 i = 0; i < n; i++) {
        if (column + i < columns) moved[i] = numbers[i];
    }
}

// What a thread adds for the eight of k in shared memory.
GK_FN void LANES(steps)(const NUMBER *left, const NUMBER *right, NUMBER (*sums)[COLUMNS]) {
    GK_UNROLL for (gk_u32 p = 0; p < DEPTH; p++) {
        NUMBER x[ROWS], y[COLUMNS];
        GK_UNROLL for (gk_u32 i = 0; i < ROWS; i += GROUP) LANES(load)(left + p * LEFT_PITCH + i * 16, x + i);
        GK_UNROLL for (gk_u32 j = 0; j < COLUMNS; j += GROUP) LANES(load)(right + p * WIDE + j * 16, y + j);
        GK_UNROLL for (gk_u32 i = 0; i < ROWS; i++) {
            GK_UNROLL for (gk_u32 j = 0; j < COLUMNS; j++) sums[i][j] = MULTIPLY_ADD(x[i], y[j], sums[i][j]);
        }
    }
}

GK_KERNEL_OF(256)
ENTRY(gk_size m, gk_size n, gk_size k, const NUMBER *a, const NUMBER *b, NUMBER *c) {
    GK_SHARED_ARRAY(VECTOR, shared, 2 * HALF / GROUP);
    gk_size across = (n + WIDE - 1) / WIDE, tiles = (m + HIGH - 1) / HIGH * across;
    gk_u32 x = GK_THREAD % 16 * GROUP, y = GK_THREAD / 16 * GROUP;
    gk_u32 from_row = GK_THREAD / 2, from_k = GK_THREAD % 2 * 4, to_k = GK_THREAD / 32,
           to_column = GK_THREAD % 32 * (COLUMNS / 2);
    for (gk_size t = GK_BLOCK; t < tiles; t += GK_BLOCKS) {
        gk_size row = t / across * HIGH, column = t % across * WIDE;
        NUMBER sums[ROWS][COLUMNS], moved_a[4], moved_b[COLUMNS / 2];
        GK_UNROLL for (gk_u32 i = 0; i < ROWS; i++) {
            GK_UNROLL for (gk_u32 j = 0; j < COLUMNS; j++) sums[i][j] = 0;
        }
        LANES(fetch)(a, m, k, row + from_row, from_k, 4, moved_a);
        LANES(fetch)(b, k, n, to_k, column + to_column, COLUMNS / 2, moved_b);
        for (gk_size at = 0; at < k; at += DEPTH) {
            NUMBER *left = (NUMBER *)(void *)shared + at / DEPTH % 2 * HALF,
                   *right = left + DEPTH * LEFT_PITCH;
            GK_UNROLL for (gk_u32 i = 0; i < 4; i++) left[(from_k + i) * LEFT_PITCH + from_row] = moved_a[i];
            GK_UNROLL for (gk_u32 j = 0; j < COLUMNS / 2; j++) right[to_k * WIDE + to_column + j] =
                moved_b[j];
            gk_barrier();  // one is enough: the other half is free once all are here
            LANES(fetch)(a, m, k, row + from_row, at + DEPTH + from_k, 4, moved_a);
            LANES(fetch)(b, k, n, at + DEPTH + to_k, column + to_column, COLUMNS / 2, moved_b);
            LANES(steps)(left + y, right + x, sums);
        }
        gk_barrier();  // the next tile starts with the first half again
        GK_UNROLL for (gk_u32 i = 0; i < ROWS; i++) {
            gk_size at = row + y + i / GROUP * 16 * GROUP + i % GROUP;
            GK_UNROLL for (gk_u32 j = 0; j < COLUMNS; j++) {
                gk_size place = column + x + j / GROUP * 16 * GROUP + j % GROUP;
                if (at < m && place < n) c[at * n + place] = sums[i][j];
            }
        }
    }
}

#undef ROWS
#undef COLUMNS
#undef DEPTH
#undef HIGH
#undef WIDE
#undef LEFT_PITCH
#undef HALF
#undef NUMBER
#undef VECTOR
#undef GROUP
#undef MULTIPLY_ADD
#undef COLUMN_GROUPS
#undef LANES
#undef ENTRY
