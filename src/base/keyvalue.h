// Lines of "key = value".
#ifndef GPUADVISE_KEYVALUE_H
#define GPUADVISE_KEYVALUE_H

#include "src/base/base.h"

typedef struct KeyValues {
    Str rest;       // the text; a byte order mark at its beginning is skipped
    bool comments;  // '#' at the beginning of a line or after a blank begins one
    size_t line;    // of what was read last, from 1
} KeyValues;

// The next line that has more than blanks and a comment, both parts trimmed. A line without '=' has a value of NULL. False:
// there is none. Keys and values borrow the text.
bool keyvalue_next(KeyValues *r, Str *ret_key, Str *ret_value);

#endif
