// Results as text, JSON, CSV, Markdown. The only place for layout and for escaping of each format.
//
// Level 3; includes everything in src.
#ifndef GPUADVISE_REPORT_H
#define GPUADVISE_REPORT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/advise/advise.h"
#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/perf/known.h"

typedef enum Format {
    FORMAT_TABLE,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_MD,
    FORMAT_HTML,
    FORMAT_SARIF,
    FORMAT_SLURM,
    FORMAT_K8S,
    FORMAT_COUNT
} Format;
extern const char *const format_names[];  // table, json, csv, md, html, sarif, slurm, k8s

// ---------------------------------------------------------------- listings

// One column of a listing. `key` names it in JSON and CSV (with its unit), `title` in text and Markdown.
typedef struct Column {
    const char *key, *title;
    bool number;  // cells are numbers: right-aligned, JSON number or null
    int digits;   // significant digits in text
    bool detail;  // left out of the text listing (in JSON, CSV and `show` always)
} Column;

// A cell: text ("" = unknown) or number (NaN = unknown), as its column says.
typedef struct Cell {
    const char *text;
    double number;
} Cell;

typedef struct Listing {
    const char *name;  // key of the array in JSON: "gpus"
    Column *columns;
    size_t n_columns;
    Cell *cells;  // row by row
    size_t n_rows;
    const char *note;  // a line under the text table; NULL or "" = none
    bool continued;    // CSV and Markdown: rows that follow those of another listing, without a head
} Listing;

// Without rows, with room for `rows_max`; the columns are copied.
Listing listing_new(Arena *a, const char *name, const Column *columns, size_t n_columns, size_t rows_max);
void listing_text(Listing *l, size_t column, const char *text);  // sets a cell of the row being filled
void listing_number(Listing *l, size_t column, double x);
void listing_row_done(Listing *l);

// A listing whose columns and cells are told in one place: a macro with a line X(key, title, kind, cell) a
// column, where kind is TEXT, NUMBER(digits), or, left out of the text listing, MORE_TEXT, MORE_NUMBER(digits),
// and `cell` is what the row at hand has there:
//     Listing l = LISTING(a, "runs", RUN_COLUMNS, n);
//     listing_row(&l, RUN_COLUMNS(LISTING_CELL));
#define LISTING(arena, name, COLUMNS, rows_max)                                                              \
    listing_new((arena), (name), (const Column[]){COLUMNS(LISTING_COLUMN)},                                  \
                COUNT_OF(((const Column[]){COLUMNS(LISTING_COLUMN)})), (rows_max))
#define LISTING_COLUMN(key, title, kind, cell) {key, title, LISTING_KIND_##kind},
#define LISTING_KIND_TEXT false, 0, false
#define LISTING_KIND_MORE_TEXT false, 0, true
#define LISTING_KIND_NUMBER(digits) true, digits, false
#define LISTING_KIND_MORE_NUMBER(digits) true, digits, true
#define LISTING_CELL(key, title, kind, cell) LISTING_CELL_##kind(cell),
#define LISTING_CELL_TEXT(x)                                                                                 \
    { .text = (x), .number = (double)NAN }
#define LISTING_CELL_NUMBER(digits) LISTING_CELL_FIGURE
#define LISTING_CELL_FIGURE(x)                                                                               \
    { .text = "", .number = (double)(x) }
#define LISTING_CELL_MORE_TEXT LISTING_CELL_TEXT
#define LISTING_CELL_MORE_NUMBER(digits) LISTING_CELL_FIGURE
#define listing_row(l, ...) (listing_part(l, 0, __VA_ARGS__), listing_row_done(l))
// Cells of the columns from `first` on, of the row being filled.
#define listing_part(l, first, ...)                                                                          \
    listing_cells_from((l), (first), (const Cell[]){__VA_ARGS__}, COUNT_OF(((const Cell[]){__VA_ARGS__})))
void listing_cells_from(Listing *l, size_t first, const Cell *cells, size_t n);
// Are the columns of these keys (separated by blanks) left out of the text?
void listing_hide(Listing *l, const char *keys, bool hidden);
static inline const Cell *listing_cell(const Listing *l, size_t row, size_t column) {
    return &l->cells[row * l->n_columns + column];
}

// Several cells of that row, by their columns: listing_set(&l, L_TEXT(C_NAME, x->name), L_NUMBER(C_ROWS, x->n)).
// listing_add then begins the next row.
typedef struct ListingCell {
    size_t column;
    Cell cell;
} ListingCell;
#define L_TEXT(at, x)                                                                                        \
    {                                                                                                        \
        (at), { .text = (x), .number = (double)NAN }                                                         \
    }
#define L_NUMBER(at, x)                                                                                      \
    {                                                                                                        \
        (at), { .text = "", .number = (double)(x) }                                                          \
    }
#define listing_set(l, ...)                                                                                  \
    listing_cells((l), (const ListingCell[]){__VA_ARGS__}, COUNT_OF(((const ListingCell[]){__VA_ARGS__})))
#define listing_add(l, ...) (listing_set(l, __VA_ARGS__), listing_row_done(l))
void listing_cells(Listing *l, const ListingCell *cells, size_t n);

// The room that text has: sentences wrap at `width` columns (0 = never), and `tables` says what becomes of a table
// that is wider. {0}: no limit at all.
typedef enum TablesFit {
    TABLES_CUT,     // on a terminal: the widest text cells are cut, with '~' in place of what is missing
    TABLES_WHOLE,   // as wide as they need, with every column that a wide terminal has
    TABLES_RECORDS  // nothing cut: "TITLE: text" lines that wrap, a record a row
} TablesFit;

typedef struct Room {
    size_t width;
    TablesFit tables;
} Room;

size_t room_columns(Room room);  // those that tables may choose theirs for; 0 = unlimited

void listing_print(const Listing *l, Format format, Room room, Buf *out);  // not FORMAT_JSON
void listing_json(const Listing *l, Json *parent);                         // adds parent[name] = [ {..} ]
void listing_row_json(const Listing *l, size_t row, Json *object);         // the members of one row
// One row as "key: value" lines, every column.
void listing_show(const Listing *l, size_t row, Format format, size_t width, Buf *out);

// Clean `text` broken at blanks to fit `width` columns (0 = one line), further lines indented; ends with a
// newline.
void text_wrapped(Buf *out, const char *text, size_t indent, size_t width);
void wrapped_printf(Buf *out, size_t indent, size_t width, const char *format, ...) PRINTF_LIKE(4, 5);
// "    what: text", broken likewise; nothing where there is no text.
void text_labelled(Buf *out, const char *what, const char *text, size_t width);

// ---------------------------------------------------------------- charts

// A band over time, plain ASCII: '*' the lower figure, ':' from there to the higher one, blank where there is
// none (NaN).
typedef struct Chart {
    const double *low, *high;
    size_t n;                  // columns
    size_t rows;               // at least 2
    const char *first, *last;  // under the ends of the axis
} Chart;
void chart_text(const Chart *c, Buf *out);

// Points under lines y = min(slope x, ceiling) on logarithmic axes, plain ASCII; where several points fall
// together stands '*'.
typedef struct LogLine {
    double slope, ceiling;
    double x_from;      // drawn from there on
    const char *label;  // at the right end; "" = none
} LogLine;
typedef struct LogPoint {
    double x, y;
    char mark;
} LogPoint;
typedef struct LogPlot {
    size_t columns, rows;               // of the plane, without labels
    double x_from, x_to, y_from, y_to;  // above 0; what lies outside is not drawn
    const char *x_name, *y_name;
    const LogLine *lines;
    size_t n_lines;
    const LogPoint *points;
    size_t n_points;
} LogPlot;
void logplot_text(const LogPlot *p, Buf *out);

// ---------------------------------------------------------------- escaping

// quoted as needed; a leading = + - @ of foreign text is defused with '
void csv_cell(Buf *out, const char *text);
void md_cell(Buf *out, const char *text);
void html_text(Buf *out, const char *text);

// ---------------------------------------------------------------- envelope and estimates

// What every JSON answer begins with. `inputs` may be filled by the caller.
typedef struct Envelope {
    const char *tool_version, *command;
    int64_t generated_at;  // seconds since 1970, UTC
} Envelope;

enum { SCHEMA_VERSION = 1 };

// A new root object with schema_version, tool_version, generated_at, command and an empty `inputs` object
// (returned).
Json *envelope_json(const Envelope *env, Json **ret_inputs);
void warnings_json(Json *root, const char *const *warnings, size_t n);

// What an `Available` says: true, false, or null where nobody knows. For json_add.
#define J_AVAILABLE(name, x) J_BOOL_OR_NULL(name, (x) != AVAILABLE_UNKNOWN, (x) == AVAILABLE_YES)

// {"value","low","high","basis","sources"}; sources is an array of texts.
void estimate_json(Json *parent, const char *key, const Estimate *x);
// Adds "effort_days" and "effort_usd", an estimate for each of the three totals.
void effort_json(const Effort *x, Json *parent);
// Adds "sources": the texts of a list separated by "; ".
void sources_json(Json *parent, const char *sources);
// "1,234 (1,010-1,500)"; "-" when unknown.
void estimate_text(char *out, size_t size, const Estimate *x, int digits);

// A listing as a file that stands alone: JSON in an envelope, HTML as a page, else as listing_print without a
// limit of width. `title`: the command that it answers.
void listing_file(const Listing *l, Format format, const Envelope *env, const char *title, Buf *out);

// ---------------------------------------------------------------- answers

// What a page shows besides the advice; gathered by the caller for FORMAT_HTML.
typedef struct PriceSeries {
    const Gpu *gpu;
    const double *usd_gpu_h;  // n_days lowest prices, NaN where nothing stood
    const bool *seen;         // n_days: somebody looked and saw one
} PriceSeries;

typedef struct ReportPage {
    const Facts *facts;
    const Advice *pareto;     // the same question with Ask.pareto; NULL: not asked
    const char *const *days;  // n_days, of every series
    size_t n_days;
    PriceSeries prices[VENDOR_COUNT];
    size_t n_prices;
    const char *made;  // by which version, when
} ReportPage;

// `report`. Text in the order of cli.md; warnings and the command to repeat it are the caller's.
typedef struct ReportFrame {
    const ReportPage *page;  // FORMAT_HTML only
    const char *const *warnings;
    size_t n_warnings;
    const char *command_line;
    const char *made;       // "2026-11-29, gpuadvise 1.0"
    int64_t generated_at;   // seconds since 1970, UTC
    const char *data_ages;  // one line on the age of the facts
    const Facts *facts;
    bool explain;
} ReportFrame;
void advice_json(const Advice *advice, Arena *a, Json *root, Json *inputs);
// table, md, csv, html
void advice_text(const Advice *advice, const ReportFrame *frame, Format format, Room room, Arena *a,
                 Buf *out);

// A stack as judged: for `report` and `stack show`.
void stack_json(const StackView *view, Json *parent, const char *key);
void stack_text(const StackView *view, Format format, Room room, Arena *a, Buf *out);  // table, md
// an entry a row
void stack_listing(const StackView *view, Arena *a, Listing *ret_listing);
// The assumptions of the decision as it took them.
void terms_json(const Facts *facts, const Ask *ask, Json *root);

// Parts of that text. The best of each vendor, label by label; the ranked options as a text of `width`
// columns shows them (rows as advice->options); how the figures of one option came about.
void advice_best(const Advice *advice, Arena *a, Listing *ret_listing);
void advice_ranked(const Advice *advice, size_t width, Arena *a, Listing *ret_listing);
void advice_explain(const Advice *advice, const Option *o, size_t width, Arena *a, Buf *out);

// `estimate`: one configuration, `replicas` of it, each under `point`.
typedef struct ServingAnswer {
    ServeStatus status;
    const char *reason;  // of a status that is not SERVE_OK, in words
    Serving serving;
    const char *sources;
    Point point;  // valid when status is SERVE_OK
    int replicas;
    int prefill_replicas;  // of them, in disaggregated serving, those that only read prompts; else 0
    double asked;          // concurrency asked for in all, NaN = the most that fits
    double sigma_ttft, sigma_tail;
    KvCapacity kv;                  // of one replica; NaN where memory is not known
    double sessions;                // asked for on all replicas; 0: another load
    SessionPoint session;           // of one replica
    double random_output_tokens_s;  // of one replica, if any got any request of a session
    Published published;            // n 0: this configuration was not measured in public
} ServingAnswer;
void serving_json(const ServingAnswer *answer, Arena *a, Json *root);
// table, md, csv
void serving_text(const ServingAnswer *answer, Format format, Room room, bool explain, Arena *a, Buf *out);

// `estimate` of a model that gives embeddings: texts of one length, on GPUs that each have the model.
typedef struct EmbeddingAnswer {
    ServeStatus status;
    const Gpu *gpu;
    const Model *model;
    int gpus;
    double tokens, texts;  // of a text; texts a batch, each GPU
    TaskPoint point;
} EmbeddingAnswer;
void embedding_json(const EmbeddingAnswer *answer, Json *root);
// table, md, csv
void embedding_text(const EmbeddingAnswer *answer, Format format, Room room, bool explain, Arena *a,
                    Buf *out);

#endif
