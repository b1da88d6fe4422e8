// Small files of /proc and /sys, whatever they hold.
#ifndef GPUADVISE_KERNELS_SYSFS_H
#define GPUADVISE_KERNELS_SYSFS_H

#include "src/base/base.h"

enum { SYSFS_BYTES_MAX = 1 << 20 };

// The text of a file without blanks at its end; "" when it cannot be read, has NUL bytes or is larger than a
// MiB.
const char *sysfs_text(Arena *a, const char *format, ...) PRINTF_LIKE(2, 3);
// The file as one decimal or 0x-hexadecimal whole number, NaN otherwise.
double sysfs_number(Arena *a, const char *format, ...) PRINTF_LIKE(2, 3);
// Names in a folder, sorted; "." and ".." left out. 0 when it cannot be read.
size_t sysfs_list(Arena *a, const char *folder, const char *const **ret_names);

// Where the line after this one begins; NULL: it is the last.
const char *next_line(const char *line);

#endif
