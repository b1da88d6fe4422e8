// Errors, string views, arenas, buffers, numbers, TSV/CSV, JSON, formatting: what every other file stands on.
//
// Level 0: includes only the C library. The only place for malloc, vsnprintf, strtod and cJSON.
// Conventions for the whole program:
//   - a function that can fail returns bool and fills an Err; outputs are named ret_x and untouched on
//     failure
//   - out of memory ends the program with a message (there is nothing sensible left to do for a short-lived
//     tool)
#ifndef GPUADVISE_BASE_H
#define GPUADVISE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/calendar.h"

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

// ---------------------------------------------------------------- errors

// What the caller should do about a failure; the command line turns it into an exit code.
typedef enum ErrKind {
    ERR_NONE,
    ERR_FAILED,    // failed while running
    ERR_USAGE,     // the user's words are off
    ERR_MISSING,   // data stale or missing and refused
    ERR_FULL,      // failed while running: no space left on the device
    ERR_DATABASE,  // failed while running: the program's own database cannot be read or written
} ErrKind;

// One line, built from the outside in: "load 'gpus.tsv': line 3: column 'vendor': unknown value 'intel'".
typedef struct Err {
    ErrKind kind;
    char text[1000];
} Err;

// Sets the text. Control characters in the result are replaced, so that it can go to a terminal. Returns
// false.
bool err_set(Err *e, ErrKind kind, const char *format, ...) PRINTF_LIKE(3, 4);

// Puts "context: " before the text. Returns false.
bool err_wrap(Err *e, const char *format, ...) PRINTF_LIKE(2, 3);

// ---------------------------------------------------------------- memory

// Ends the program, which says so.
_Noreturn void out_of_memory(void);

// A region that is freed whole. Borrowed pointers into it live until arena_free.
typedef struct Arena {
    struct ArenaBlock *head;
} Arena;

// zeroed, aligned for any type; checked multiplication
void *arena_alloc(Arena *a, size_t count, size_t size);
char *arena_copy(Arena *a, const char *bytes, size_t length);  // NUL added
// A list of n elements with room for one more: the same, or a larger copy with *capacity doubled. NULL and 0
// at first.
void *arena_grow(Arena *a, void *list, size_t n, size_t *capacity, size_t size);
char *arena_printf(Arena *a, const char *format, ...) PRINTF_LIKE(2, 3);
void arena_free(Arena *a);  // also a zeroed or freed one

// A growing array of bytes with a limit given at birth. Always NUL-terminated once something was added.
typedef struct Buf {
    char *data;
    size_t length, capacity, limit;
    bool overflow;  // an addition went over the limit: it and later ones were refused
} Buf;

enum { BUF_LIMIT = 256 * 1024 * 1024 };

void buf_init(Buf *b, size_t limit);
void buf_add(Buf *b, const char *bytes, size_t length);
void buf_puts(Buf *b, const char *text);
void buf_printf(Buf *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(Buf *b, const char *format, va_list args) PRINTF_LIKE(2, 0);
void buf_free(Buf *b);
const char *buf_take(Buf *b, Arena *a);  // its text in the arena; the buffer is freed

// ---------------------------------------------------------------- text

// A view: pointer and length, not NUL-terminated, owned by somebody else.
typedef struct Str {
    const char *data;
    size_t length;
} Str;

Str str_of(const char *text);
bool str_is(Str s, const char *text);
bool str_starts(Str s, const char *start);
size_t str_find(Str s, const char *part, size_t from);  // where it stands; SIZE_MAX: nowhere
bool str_has(Str s, const char *part);
bool str_in(Str s, const char *const *words, size_t n);   // is it one of them?
Str str_trim(Str s);                                      // blanks at both ends
bool str_next(Str *rest, char separator, Str *ret_part);  // splits; false at the end

// Is this word one of the blank-separated words of `list`?
bool word_in(const char *list, const char *word);
bool word_same_in(const char *list, const char *word);  // the same, of whatever case

char char_lower(char c);  // ASCII only, as the next
static inline bool char_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool char_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool char_is_alnum(char c) { return char_is_letter(c) || char_is_digit(c); }
static inline bool char_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static inline bool char_is_word(char c) { return char_is_alnum(c) || c == '_'; }
bool text_same(const char *a, const char *b);  // ASCII case ignored

bool text_ends(const char *text, const char *end);
bool text_ends_same(const char *text, const char *end);  // the same, ASCII case ignored

// True when `haystack` contains `needle`, ASCII case ignored.
bool text_contains(const char *haystack, const char *needle);

// Bytes of `text` with control characters (C0, DEL, C1, bidirectional overrides, tags, joiners, variation
// selectors and all else that Unicode ignores by default or calls a format character) and invalid UTF-8
// replaced by '?'. For everything that comes from outside and goes to a terminal or a document.
void buf_add_clean(Buf *b, const char *text);
const char *text_clean(Arena *a, const char *text);

// The name of a file for people and machines to read: each byte that is no UTF-8 and each control character as
// \xHH, so that two names stay two (a backslash before an x is \x5c). May return `path` itself.
const char *path_shown(Arena *a, const char *path);
const char *path_name(const char *path);  // what follows its last '/'; borrowed
const char *path_folder(Arena *a,
                        const char *path);  // what leads to that: "a/b" of "a/b/c", "." of "c", "/" of "/c"
void text_scrub(char *text);                // the same in place; never grows
// A word of a POSIX shell that means exactly `text`: as it is where it can be, else in single quotes.
const char *text_shell_word(Arena *a, const char *text);

// Valid UTF-8 (RFC 3629: no overlong forms, no surrogates) without NUL bytes?
bool str_is_utf8(Str s);

// Code points of what should be UTF-8: bytes that start one, and a byte-order mark at the very start is none.
size_t str_points(Str s);

// The first character of `text`, which is not "": its bytes (returned), its code point and the columns that
// it takes: 0 for a combining mark, 2 for a wide East Asian one. A byte that is no UTF-8 is one character,
// U+FFFD.
size_t text_point(const char *text, uint32_t *ret_point, size_t *ret_width);

// Columns that UTF-8 `text` takes on a terminal: code points, combining marks 0, wide East Asian 2.
size_t text_width(const char *text);

// Edit distance (insert, delete, replace, swap of neighbours) of two short words; at most `limit` + 1.
size_t edit_distance(const char *a, const char *b, size_t limit);

// ---------------------------------------------------------------- numbers

// The whole of `s` as a decimal number: no locale, no hex, no infinity, no NaN, no blanks, no thousands
// separators. Fails (naming what is wrong) on anything else and outside min..max.
bool parse_number(Str s, double min, double max, double *ret_value, Err *e);
bool parse_integer(Str s, int64_t min, int64_t max, int64_t *ret_value, Err *e);

// Decimal dollars -> millionths, exactly; more than six decimals are rounded half up. Refuses negatives.
bool parse_micros(Str s, int64_t max_micros, int64_t *ret_micros, Err *e);

// YYYY, YYYY-MM or YYYY-MM-DD (a time after 'T' or a blank is ignored); ret_days: days since 1970-01-01 of
// its LAST day, so that a coarse date is never taken for older than it may be.
bool parse_date(Str s, int64_t *ret_days, Err *e);

// Is a date, however coarse, later than the day after `today`? A day's grace: somewhere else it is tomorrow
// already. What was seen then, was seen by another clock than this one.
bool date_is_ahead(const char *date, int64_t today);

// Of a clock that only goes forward.
double seconds_now(void);
int64_t ms_now(void);

bool is_known(double x);  // not NaN
static inline double known_or(double x, double otherwise) { return is_known(x) ? x : otherwise; }
static inline double or_zero(double x) { return known_or(x, 0); }
static inline void fill_unknown(double *x, double value) { *x = known_or(*x, value); }

// Which comes first, as strcmp says it: an unknown number before a known one.
int number_order(double a, double b);
// For qsort and bsearch: arrays of texts and of known numbers.
int order_texts(const void *left, const void *right);
int order_doubles(const void *left, const void *right);

// Arrays of rows that begin with their name: structs whose first member is a `const char *`, or such texts
// themselves. The first row of that name; NULL: none has it.
const void *row_named(const char *name, const void *rows, size_t n, size_t size);
#define TABLE_ROW(name, table)                                                                               \
    row_named((name), (table), COUNT_OF(table), sizeof *(table))  // of a whole array
// What stands beside a name in a table of pairs; NULL: it is not there.
const char *paired(const char *name, const char *const pairs[][2], size_t n);
// How a key lies to a row, as bsearch asks for it: below 0 before it, 0 the row is the key's.
typedef int KeyOrder(const void *key, const void *row);
int order_name(const void *key, const void *row);      // key: const char *, rows: as above
int order_name_str(const void *key, const void *row);  // the same, key: const Str *
// Of rows in that order: the first that does not come before the key, `n` where all do; one that is the key's, NULL
// where none is.
size_t rows_from(const void *key, const void *rows, size_t n, size_t size, KeyOrder *order);
const void *row_find(const void *key, const void *rows, size_t n, size_t size, KeyOrder *order);

// ---------------------------------------------------------------- formatting

// Shortest decimal form with `digits` significant digits (more where the whole part has more) and a thousands
// comma from 10,000 on; "-" when unknown.
void format_number(char *out, size_t size, double x, int digits);

const char *number_text(Arena *a, double x, int digits);  // the same as a text of the arena

// "1 row", "12 rows"; of a number as format_number prints it: "1 day", "0.5 days".
const char *counted(Arena *a, size_t n, const char *noun);
const char *counted_number(Arena *a, double x, int digits, const char *noun);
// As format_date and format_time write them.
const char *date_text(Arena *a, int64_t days);
const char *time_text(Arena *a, int64_t seconds);
// Seconds since 1970 of a time as format_time writes it; 0 when it is none.
int64_t time_seconds(const char *time);
const char *plural(double n);  // "" for one, else "s": where the number stands elsewhere in the text

// As format_number, but always `decimals` places and no comma.
void format_fixed(char *out, size_t size, double x, int decimals);

// Days since 1970-01-01 -> "YYYY-MM-DD"; seconds since 1970 -> RFC 3339 in UTC.
void format_date(char out[11], int64_t days);
void format_time(char out[32], int64_t seconds);

// ---------------------------------------------------------------- tables of text

// Reads delimited text row by row. separator '\t': cells as they stand (no quoting). ',': RFC 4180 quoting.
// Refuses: NUL bytes, more than `columns_max` cells, an unterminated quote, a cell over `cell_max` bytes,
// invalid UTF-8.
typedef struct TableReader {
    Str text;
    size_t position;
    char separator;
    size_t line;       // first one of the row returned last, from 1
    size_t next_line;  // the same of the row to come
    Str *cells;        // borrowed until the next call
    size_t n_cells;
    Arena *arena;  // cells that needed unquoting live here
} TableReader;

enum { TABLE_CELLS_MAX = 400, TABLE_CELL_BYTES_MAX = 65536 };

void table_open(TableReader *r, Arena *a, Str text, char separator);
// ret_more false: end of text. Blank lines are skipped. A byte-order mark before the first row is skipped.
bool table_next(TableReader *r, bool *ret_more, Err *e);

// Reads a whole file of at most `limit` bytes into the arena.
bool file_read(Arena *a, const char *path, size_t limit, Str *ret_text, Err *e);

// Gives a file's bytes piece by piece to `piece`, until it returns false or the file ends; "-" is standard
// input.
bool file_pieces(const char *path, bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e);

// The first `limit` bytes of a regular file, or all when it is shorter: for files whose beginning tells all.
typedef struct FileFacts {
    int64_t bytes;  // of the whole file
    int64_t days;   // of its last change, since 1970-01-01; kept within 1970..2999
} FileFacts;
bool file_head(Arena *a, const char *path, size_t limit, Str *ret_head, FileFacts *ret_facts, Err *e);

// Writes a file whole or not at all (temporary file in the same folder, then rename). A link keeps pointing at
// what it points at; one of another user in a folder like /tmp is not followed, and a read-only file is kept.
bool file_write(const char *path, const char *bytes, size_t length, Err *e);

// The same piece by piece, for what is too large to be held. After file_out_open: file_out_add as often as
// wanted, then file_out_close, which makes it appear, or file_out_drop, which leaves nothing behind. False:
// errno says why.
typedef struct FileOut {
    int fd;                              // -1: not open
    char target[4096], temporary[4096];  // temporary "": a pipe or device, written as it is
} FileOut;
bool file_out_open(const char *path, FileOut *ret_file, Err *e);
bool file_out_add(FileOut *f, const char *bytes, size_t length);
bool file_out_close(FileOut *f);
void file_out_drop(FileOut *f);

// ---------------------------------------------------------------- JSON

// A tree of values; objects keep the order of insertion. A child belongs to its parent; the root is freed by
// json_free.
typedef struct cJSON Json;

Json *json_object(void);
Json *json_array(void);
void json_free(Json *root);  // NULL is fine

// Adders return the value added. Text goes in with invalid UTF-8 and control characters replaced. NaN and
// infinities become null. Numbers are written with up to 10 significant digits: more than any figure here can
// mean.
Json *json_add_object(Json *parent, const char *key);             // key NULL: parent is an array
Json *json_object_if(Json *parent, const char *key, bool known);  // NULL where it is not: null was added
Json *json_add_array(Json *parent, const char *key);
void json_add_text(Json *parent, const char *key, const char *text);
void json_add_text_or_null(Json *parent, const char *key, const char *text);  // "" -> null
void json_add_path(Json *parent, const char *key, const char *path);  // as path_shown shows it; "" -> null
void json_add_number(Json *parent, const char *key, double x);
void json_add_integer(Json *parent, const char *key, int64_t x);  // exact up to 2^53
void json_add_bool(Json *parent, const char *key, bool x);
void json_add_null(Json *parent, const char *key);
void json_add_texts(Json *parent, const char *key, const char *const *texts, size_t n);  // an array

// Several members of an object in their order: json_add(j, J_TEXT("name", x->name), J_INTEGER("rows", x->n)).
typedef struct JsonMember {
    const char *key;
    enum { MEMBER_NUMBER, MEMBER_INTEGER, MEMBER_BOOL, MEMBER_TEXT, MEMBER_TEXT_OR_NULL, MEMBER_NULL } kind;
    union {
        double number;
        int64_t integer;
        bool yes;
        const char *text;
    };
} JsonMember;
#define J_NUMBER(name, x)                                                                                    \
    { .key = (name), .kind = MEMBER_NUMBER, .number = (x) }
#define J_INTEGER(name, x)                                                                                   \
    { .key = (name), .kind = MEMBER_INTEGER, .integer = (int64_t)(x) }
#define J_BOOL(name, x)                                                                                      \
    { .key = (name), .kind = MEMBER_BOOL, .yes = (x) }
#define J_BOOL_OR_NULL(name, known, x)                                                                       \
    { .key = (name), .kind = (known) ? MEMBER_BOOL : MEMBER_NULL, .yes = (x) }
#define J_TEXT(name, x)                                                                                      \
    { .key = (name), .kind = MEMBER_TEXT, .text = (x) }
#define J_TEXT_OR_NULL(name, x)                                                                              \
    { .key = (name), .kind = MEMBER_TEXT_OR_NULL, .text = (x) }
#define json_add(parent, ...)                                                                                \
    json_add_members((parent), (const JsonMember[]){__VA_ARGS__},                                            \
                     COUNT_OF(((const JsonMember[]){__VA_ARGS__})))
void json_add_members(Json *parent, const JsonMember *members, size_t n);

// Appends the tree as indented text with a final newline.
void json_print(const Json *root, Buf *out);

// A tree too large to be held: `root` without the elements of its last member, an empty array (of it, or of
// what stands last in it); then the elements, each on a line; then `more`'s members after that array (an
// object; NULL: none), and what closes.
typedef struct JsonRows {
    Buf *out;
    char *rest;  // owned until json_rows_close
    bool any;
} JsonRows;
void json_rows_open(const Json *root, Buf *out, JsonRows *ret_rows);
void json_rows_add(JsonRows *r, const Json *element);
// Ends the array, a member of `root` itself, and begins another beside it. json_rows_close then needs a
// `more` with members.
void json_rows_next(JsonRows *r, const char *key);
void json_rows_close(JsonRows *r, const Json *more);

// Parses foreign text: UTF-8, at most `values_max` values, nested at most JSON_DEPTH_MAX deep; the error
// names the byte and, in a text of several, the line. NaN and infinities (which Python writes) become null; a
// number too large for a double is refused. ret_root: owned.
enum { JSON_DEPTH_MAX = 64 };
bool json_parse(Str text, size_t values_max, Json **ret_root, Err *e);
// The same, but NaN and infinities stay as texts ("NaN"): for rows that are turned away one by one, with the
// reason.
bool json_parse_rows(Str text, size_t values_max, Json **ret_root, Err *e);

// Readers take any value and NULL, and give the "not there" of their kind when it is of another one.
// Borrowed. NULL: no such member, or null; the last one where it stands twice
const Json *json_get(const Json *object, const char *key);
const char *json_text(const Json *j);  // NULL
double json_number(const Json *j);     // NaN
int json_truth(const Json *j);         // 1, 0; -1: no boolean
bool json_is_object(const Json *j);
bool json_is_array(const Json *j);
bool json_is_number(const Json *j);
// Members and elements in the order of the text; nulls are among them.
const Json *json_first(const Json *parent);
const Json *json_next(const Json *child);
const char *json_key(const Json *member);  // "" for an element of an array

#endif
