// Bytes of a file in pieces to records: lines of CSV, of logs and metrics, objects of JSON.
#include <math.h>
#include <string.h>

#include "src/traffic/parts.h"
#include "src/traffic/reader.h"

enum { RECORD_BYTES_MAX = 192 * 1024 * 1024, HEAD_BYTES = 4096 };

typedef enum Kind { KIND_UNKNOWN, KIND_JSON, KIND_CSV, KIND_LOG, KIND_METRICS } Kind;

struct TrafficReader {
    Arena *arena;
    const ColumnMap *map;
    TrafficScan *scan;
    Kind kind;
    Buf buffer;
    size_t looked;  // bytes of the buffer that were looked at for the end of the record
    size_t line;    // of the record that str_starts the buffer
    bool ended;     // no more bytes come
    // CSV
    char separator;
    bool has_header;
    Columns columns;
    int role_of[COLUMNS_MAX];  // of each column, -1: none
    size_t n_columns;
    DayMemo memo;
    bool quoted;  // the end of the record is looked for inside quotes
    // JSON
    JsonReader json;
    bool documents;  // each value str_has many requests
    bool in_array;   // of the top level
    int depth;
    bool in_text, escaped;
    Metrics *metrics;
};

TrafficReader *traffic_reader_open(Arena *a, const ColumnMap *map, TrafficScan *scan) {
    TrafficReader *r = arena_alloc(a, 1, sizeof *r);
    r->arena = a;
    r->map = map;
    r->scan = scan;
    r->line = 1;
    r->json = (JsonReader){.map = map, .scan = scan, .arena = a};
    buf_init(&r->buffer, RECORD_BYTES_MAX);
    return r;
}

void traffic_reader_free(TrafficReader *r) {
    if (r != NULL) buf_free(&r->buffer);
}

// ---------------------------------------------------------------- which kind

static void find_kind(TrafficReader *r, Str text) {
    Str head = str_trim(text);
    if (head.length > HEAD_BYTES) head.length = HEAD_BYTES;
    bool log = str_has(head, "throughput: ") || str_has(head, "KV cache size: ") || str_has(head, "INFO ");
    if (head.length > 0 && (head.data[0] == '{' || (head.data[0] == '[' && !log)))
        r->kind = KIND_JSON;
    else if (str_has(head, "vllm:") || str_has(head, "sglang:") || str_starts(head, "# HELP") ||
             str_starts(head, "# TYPE"))
        r->kind = KIND_METRICS;
    else
        r->kind = log ? KIND_LOG : KIND_CSV;
    if (r->kind == KIND_LOG) traffic_scan_format(r->scan, "log of vLLM");
    if (r->kind == KIND_METRICS) r->metrics = metrics_open(r->arena);
}

// ---------------------------------------------------------------- CSV

// The next cell of a line, without its quotes; a doubled quote inside stays doubled, which no number and no
// time has. False: the line is over.
static bool next_cell(Str *rest, char separator, Str *ret_cell) {
    if (rest->data == NULL) return false;
    if (rest->length == 0 || rest->data[0] != '"') return str_next(rest, separator, ret_cell);
    size_t i = 1;
    for (; i < rest->length; i++) {
        if (rest->data[i] != '"') continue;
        if (i + 1 < rest->length && rest->data[i + 1] == '"')
            i++;
        else
            break;
    }
    *ret_cell = (Str){rest->data + 1, i - 1};
    Str ignored;
    Str tail = i < rest->length ? (Str){rest->data + i + 1, rest->length - i - 1} : (Str){"", 0};
    str_next(&tail, separator, &ignored);
    *rest = tail;
    return true;
}

static bool read_header(TrafficReader *r, Str line, Err *e) {
    Str names[COLUMNS_MAX];
    Str rest = line;
    size_t n = 0;
    r->separator = str_has(line, "\t") && !str_has(line, ",")  ? '\t'
                   : str_has(line, ",") || !str_has(line, ";") ? ','
                                                               : ';';
    for (Str cell; next_cell(&rest, r->separator, &cell); n++) {
        if (n == COLUMNS_MAX) return err_set(e, ERR_FAILED, "more than %d columns", COLUMNS_MAX);
        cell = str_trim(cell);
        names[n] = (Str){arena_copy(r->arena, cell.data, cell.length), cell.length};
    }
    // Of a time in a column of one's own the unit is asked for, and a date says itself what it is.
    if (!columns_find(r->map, names, n, false, &r->columns, e)) return false;
    for (size_t i = 0; i < n; i++) {
        r->role_of[i] = -1;
        for (int role = 0; role < ROLE_COUNT; role++) {
            Str wanted = r->columns.path[role];
            if (wanted.length > 0 && wanted.length == names[i].length &&
                memcmp(wanted.data, names[i].data, wanted.length) == 0)
                r->role_of[i] = role;
        }
    }
    r->n_columns = n;
    r->has_header = true;
    traffic_scan_format(r->scan, r->columns.name);
    traffic_scan_block(r->scan, r->columns.block_tokens);
    if (r->columns.unit == TIME_IN_ISO || r->columns.calendar) traffic_scan_calendar(r->scan);
    return true;
}

static bool csv_record(TrafficReader *r, Str line, Err *e) {
    Cells cells = {.blocks = NULL};
    Str rest = line, cell;
    size_t n = 0;
    if (str_trim(line).length == 0) return true;
    if (!r->has_header) return read_header(r, line, e);
    for (; next_cell(&rest, r->separator, &cell); n++) {
        if (n < r->n_columns && r->role_of[n] >= 0) cells.text[r->role_of[n]] = cell;
    }
    if (n < r->n_columns)
        return err_set(e, ERR_FAILED, "%zu columns where the header has %zu%s", n, r->n_columns,
                       r->ended ? ": the file ends too soon" : "");
    return record_take(&r->columns, &cells, &r->memo, r->scan, e);
}

// The end of the line that str_starts the buffer, line breaks inside quotes apart; the buffer's length: not there
// yet.
static size_t line_end(TrafficReader *r, size_t start) {
    const char *data = r->buffer.data;
    size_t i = r->looked > start ? r->looked : start;
    while (i < r->buffer.length) {
        const char *newline = memchr(data + i, '\n', r->buffer.length - i);
        size_t end = newline != NULL ? (size_t)(newline - data) : r->buffer.length;
        for (const char *q = data + i; r->kind == KIND_CSV; q++) {
            q = memchr(q, '"', (size_t)(data + end - q));
            if (q == NULL) break;
            r->quoted = !r->quoted;
        }
        if (newline != NULL && !r->quoted) return end;
        i = end + (newline != NULL);
    }
    r->looked = r->buffer.length;
    return r->buffer.length;
}

// ---------------------------------------------------------------- JSON

// The end of the value that str_starts at `start`, behind its closing bracket; the buffer's length: not there
// yet.
static size_t value_end(TrafficReader *r, size_t start) {
    const char *data = r->buffer.data;
    size_t i = r->looked > start ? r->looked : start;
    for (; i < r->buffer.length; i++) {
        char c = data[i];
        if (r->in_text) {
            if (r->escaped)
                r->escaped = false;
            else if (c == '\\')
                r->escaped = true;
            else
                r->in_text = c != '"';
        } else if (c == '"') {
            r->in_text = true;
        } else if (c == '{' || c == '[') {
            r->depth++;
        } else if ((c == '}' || c == ']') && --r->depth <= 0) {
            r->depth = 0;
            return i + 1;
        }
    }
    r->looked = i;
    return r->buffer.length;
}

static bool take_json(TrafficReader *r, Str text, Err *e) {
    bool taken = false;
    if (!r->json.known && !json_document(&r->json, text, &taken, e)) return false;
    bool ok = taken || json_record(&r->json, text, e);
    if (r->json.format != NULL) traffic_scan_format(r->scan, r->json.format);
    return ok;
}

static bool is_between(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ','; }

static size_t lines_in(const char *data, size_t from, size_t to) {
    size_t n = 0;
    const char *at = data + from;
    while (at < data + to && (at = memchr(at, '\n', (size_t)(data + to - at))) != NULL) n++, at++;
    return n;
}

static bool in_line(const TrafficReader *r, Err *e) { return err_wrap(e, "line %zu", r->line); }

// Takes the whole values that the buffer str_has; *ret_used: bytes that are done with.
static bool take_values(TrafficReader *r, size_t *ret_used, Err *e) {
    const char *data = r->buffer.data;
    size_t at = 0;
    for (;;) {
        while (at < r->buffer.length && (is_between(data[at]) || (data[at] == '[' && !r->in_array) ||
                                         (data[at] == ']' && r->in_array))) {
            r->line += data[at] == '\n';
            if (data[at] == '[' || data[at] == ']') r->in_array = data[at] == '[';
            at++;
            r->looked = 0;
        }
        *ret_used = at;
        if (at == r->buffer.length) return true;
        if (data[at] != '{') {
            err_set(e, ERR_FAILED, "no JSON object where one should begin");
            return in_line(r, e);
        }
        size_t end = value_end(r, at);
        if (r->depth > 0 || r->in_text || end <= at) return true;
        if (!take_json(r, (Str){data + at, end - at}, e)) return in_line(r, e);
        r->line += lines_in(data, at, end);
        at = end;
        r->looked = 0;
    }
}

// ---------------------------------------------------------------- pieces

static bool take_line(TrafficReader *r, Str line, Err *e) {
    if (line.length > 0 && line.data[line.length - 1] == '\r') line.length--;
    if (r->kind == KIND_CSV) return csv_record(r, line, e);
    if (r->kind == KIND_LOG) return log_line(line, &r->memo, r->scan, e);
    return metrics_line(r->metrics, line, e);
}

static bool take_lines(TrafficReader *r, size_t *ret_used, Err *e) {
    size_t at = 0;
    while (at < r->buffer.length) {
        size_t end = line_end(r, at);
        if (end == r->buffer.length && !r->ended) break;
        if (r->quoted) {
            err_set(e, ERR_FAILED, "a quote without its end");
            return in_line(r, e);
        }
        if (!take_line(r, (Str){r->buffer.data + at, end - at}, e)) return in_line(r, e);
        r->line += lines_in(r->buffer.data, at, end) + 1;
        at = end < r->buffer.length ? end + 1 : end;
        r->looked = 0;
    }
    *ret_used = at;
    return true;
}

static bool take_buffer(TrafficReader *r, Err *e) {
    size_t used = 0;
    if (r->kind == KIND_UNKNOWN) {
        if (r->buffer.length < HEAD_BYTES && !r->ended) return true;
        if (str_starts((Str){r->buffer.data, r->buffer.length}, "\xef\xbb\xbf")) {
            r->buffer.length -= 3;
            memmove(r->buffer.data, r->buffer.data + 3, r->buffer.length);
        }
        find_kind(r, (Str){r->buffer.data, r->buffer.length});
    }
    if (!(r->kind == KIND_JSON ? take_values(r, &used, e) : take_lines(r, &used, e))) return false;
    r->buffer.length -= used;
    r->looked -= used < r->looked ? used : r->looked;
    memmove(r->buffer.data, r->buffer.data + used, r->buffer.length);
    return true;
}

bool traffic_reader_feed(TrafficReader *r, Str piece, Err *e) {
    buf_add(&r->buffer, piece.data, piece.length);
    if (r->buffer.overflow) {
        err_set(e, ERR_FAILED, "a record of over %d bytes", RECORD_BYTES_MAX);
        return in_line(r, e);
    }
    return take_buffer(r, e);
}

bool traffic_reader_end(TrafficReader *r, Err *e) {
    r->ended = true;
    if (r->buffer.length > 0 && !take_buffer(r, e)) return false;
    if (r->kind == KIND_JSON && r->buffer.length > 0) {
        err_set(e, ERR_FAILED, "the file ends inside a JSON value");
        return in_line(r, e);
    }
    if (r->kind == KIND_METRICS) {
        traffic_scan_format(r->scan, metrics_format(r->metrics));
        return traffic_scan_metrics(r->scan, r->metrics, e);
    }
    if (r->kind == KIND_UNKNOWN || (r->kind == KIND_CSV && !r->has_header))
        return err_set(e, ERR_FAILED, "the file is empty");
    return true;
}
