// Snapshots of the market: written, read back.
#include "catalog/feeds/snapshot.h"

#include <math.h>
#include <string.h>

#include "catalog/feeds/feed_table.h"
#include "catalog/market/market_store.h"

static const char magic[] = "gpuadvise-snapshot";
enum { VERSION = 3, FEEDS_MAX = 1000, C_FEED = MARKET_COLUMNS };

// The cells of an offer, in their order in the file.
typedef enum SnapshotCell {
    S_TAG,
    S_PROVIDER,
    S_INSTANCE,
    S_REGION,
    S_COUNTRY,
    S_GPU,
    S_SKU,
    S_COUNT,
    S_VCPUS,
    S_RAM,
    S_PRICING,
    S_PRICE,
    S_AVAILABLE,
    S_STANDING,
    S_AS_OF,
    S_SOURCE,
    S_CELLS_1,  // so many in form 1, which knew nothing of sellers
    S_CLASS = S_CELLS_1,
    S_MACHINES,
    S_BY_GPU,
    S_CELLS_2,  // in form 2, which knew nothing of hosts
    S_HOSTS = S_CELLS_2,
    S_CELLS
} SnapshotCell;

static const char header[] =
    "#\tprovider\tinstance\tregion\tcountry\tgpu\tsku_id\tgpu_count\tvcpus\tram_gb\tpricing_model\tprice_usd_"
    "per_hour\t"
    "available\tstanding\tas_of\tsource\tseller_class\tmachines_seen\tsold_by_gpu\thosts_seen\n";

// ---------------------------------------------------------------- writing

static const char *number(Arena *a, double x) { return is_known(x) ? arena_printf(a, "%.10g", x) : ""; }

static void row_cells(const MarketRow *row, Arena *a, const char *cells[S_CELLS]) {
    const Offer *o = &row->offer;
    const char *all[S_CELLS] = {[S_TAG] = "+",
                                [S_PROVIDER] = o->provider,
                                [S_INSTANCE] = o->instance,
                                [S_REGION] = o->region,
                                [S_COUNTRY] = row->country,
                                [S_GPU] = o->listed_name,
                                [S_SKU] = o->sku_id,
                                [S_COUNT] = number(a, o->gpu_count),
                                [S_VCPUS] = number(a, o->vcpus),
                                [S_RAM] = number(a, o->ram_gb),
                                [S_PRICING] = pricing_names[o->pricing_model],
                                [S_PRICE] = arena_printf(a, "%.6f", (double)o->price_micro_usd_h / 1e6),
                                [S_AVAILABLE] = available_names[o->available],
                                [S_STANDING] = standing_names[o->standing],
                                [S_AS_OF] = row->dated ? o->as_of : "",
                                [S_SOURCE] = o->source,
                                [S_CLASS] = seller_class_names[o->seller_class],
                                [S_MACHINES] = number(a, o->machines_seen),
                                [S_BY_GPU] = available_names[o->sold_by_gpu],
                                [S_HOSTS] = number(a, o->hosts_seen)};
    memcpy(cells, all, sizeof all);
}

// Cells of one row; "^" repeats the one above, and a text that begins so gets another '^' before it.
static void write_row(Buf *out, const char *const cells[S_CELLS], const char *const above[S_CELLS]) {
    for (size_t i = 0; i < S_CELLS; i++) {
        if (i > 0) buf_puts(out, "\t");
        if (i > 0 && cells[i][0] != '\0' && above[i] != NULL && strcmp(cells[i], above[i]) == 0) {
            buf_puts(out, "^");
            continue;
        }
        if (cells[i][0] == '^') buf_puts(out, "^");
        buf_puts(out, cells[i]);
    }
    buf_puts(out, "\n");
}

// When each provider's rows of a feed were seen last: the earliest of them, so that nothing looks newer than
// it is.
static bool confirmed(Market *m, const char *feed, Arena *a, const char **ret_time, Err *e) {
    Stmt *s = NULL;
    const char *earliest = "";
    bool ok = stmt_query(m->db, "market_providers", &s, e) && stmt_bind_text(s, "feed", feed, e);
    while (stmt_next(s, &ok, e)) {
        if (earliest[0] == '\0' || strcmp(stmt_text(s, 2), earliest) < 0)
            earliest = arena_printf(a, "%s", stmt_text(s, 2));
    }
    stmt_free(s);
    if (ok) *ret_time = earliest;
    return ok;
}

static bool write_feed(Market *m, const char *feed, size_t n, const Buf *rows, Arena *a, Buf *out, Err *e) {
    const char *time = "";
    if (n == 0) return true;
    if (!confirmed(m, feed, a, &time, e)) return false;
    buf_printf(out, "feed\t%s\t%s\t%zu\n", feed, time, n);
    buf_add(out, rows->data, rows->length);
    return true;
}

static bool write_feeds(Market *m, Stmt *s, Arena *a, Buf *out, size_t *ret_rows, Err *e) {
    Buf rows;
    const char *feed = "";
    const char *above[S_CELLS] = {NULL};
    size_t n = 0;
    bool ok = true;
    buf_init(&rows, SNAPSHOT_BYTES_MAX);
    while (stmt_next(s, &ok, e)) {
        if (strcmp(feed, stmt_text(s, C_FEED)) != 0) {
            const char *next = arena_printf(a, "%s", stmt_text(s, C_FEED));
            ok = write_feed(m, feed, n, &rows, a, out, e);
            buf_free(&rows);
            buf_init(&rows, SNAPSHOT_BYTES_MAX);
            memset(above, 0, sizeof above);
            feed = next;
            n = 0;
        }
        MarketRow row;
        const char *cells[S_CELLS];
        market_row_read(s, a, NULL, &row);
        row_cells(&row, a, cells);
        write_row(&rows, cells, above);
        memcpy(above, cells, sizeof above);
        n++;
        *ret_rows += 1;
    }
    ok = ok && write_feed(m, feed, n, &rows, a, out, e);
    if (ok && (rows.overflow || out->overflow))
        ok = err_set(e, ERR_FAILED, "the snapshot is over %d bytes", SNAPSHOT_BYTES_MAX);
    buf_free(&rows);
    return ok;
}

bool snapshot_write(Market *m, bool imports, Buf *out, size_t *ret_rows, Err *e) {
    Arena a = {0};
    Stmt *s = NULL;
    size_t n = 0;
    char now[32];
    format_time(now, m->now);
    buf_printf(out, "%s %d %s\n%s", magic, VERSION, now, header);
    if (!db_begin_read(m->db, e)) return false;
    bool ok = stmt_query(m->db, "market_snapshot", &s, e) && stmt_bind_integer(s, "private", imports, e) &&
              write_feeds(m, s, &a, out, &n, e);
    stmt_free(s);
    db_rollback(m->db);
    arena_free(&a);
    if (ok) *ret_rows = n;
    return ok;
}

// ---------------------------------------------------------------- reading

bool snapshot_is(Str text) {
    return text.length > strlen(magic) && memcmp(text.data, magic, strlen(magic)) == 0 &&
           text.data[strlen(magic)] == ' ';
}

typedef struct SnapshotRows {
    SnapshotFeed feed;
    FeedRow *rows;
    size_t n, capacity;
} SnapshotRows;

typedef struct Reading {
    Arena *a;
    SnapshotRows *feeds;
    size_t n;
    size_t n_cells;  // of an offer in the snapshot's form
    const char *above[S_CELLS];
} Reading;

static bool read_feed(Reading *r, const TableReader *t, Err *e) {
    int64_t rows = 0;
    if (t->n_cells != 4 || !parse_integer(t->cells[3], 0, MARKET_ROWS_MAX, &rows, NULL))
        return err_set(e, ERR_FAILED, "line %zu: a feed is 'feed', name, time, rows", t->line);
    if (r->n == FEEDS_MAX) return err_set(e, ERR_FAILED, "more than %d feeds", FEEDS_MAX);
    int64_t at = time_seconds(arena_copy(r->a, t->cells[2].data, t->cells[2].length));
    if (at <= 0) return err_set(e, ERR_FAILED, "line %zu: no time", t->line);
    SnapshotRows *feed = &r->feeds[r->n++];
    *feed = (SnapshotRows){.feed = {.name = arena_copy(r->a, t->cells[1].data, t->cells[1].length),
                                    .confirmed_at = at,
                                    .rows = (size_t)rows,
                                    .skipped = ""}};
    memset(r->above, 0, sizeof r->above);
    return true;
}

static bool read_number(const char *text, double low, double high, double *ret_x) {
    *ret_x = (double)NAN;
    return text[0] == '\0' || parse_number(str_of(text), low, high, ret_x, NULL);
}

static bool read_names(const char *const *c, FeedRow *row) {
    int pricing = name_index(pricing_names, c[S_PRICING]);
    int available = name_index(available_names, c[S_AVAILABLE]);
    int standing = name_index(standing_names, c[S_STANDING]);
    int class = c[S_CLASS][0] == '\0' ? SELLER_UNKNOWN : name_index(seller_class_names, c[S_CLASS]);
    int by_gpu = c[S_BY_GPU][0] == '\0' ? AVAILABLE_UNKNOWN : name_index(available_names, c[S_BY_GPU]);
    if (pricing < 0 || available < 0 || standing < 0 || class < 0 || by_gpu < 0) return false;
    row->seller_class = (SellerClass) class;
    row->sold_by_gpu = (Available)by_gpu;
    row->pricing_model = (PricingModel)pricing;
    row->available = (Available)available;
    row->standing = (Standing)standing;
    return true;
}

static bool read_offer(Reading *r, const TableReader *t, Err *e) {
    const char *c[S_CELLS];
    FeedRow row = FEED_ROW;
    if (r->n == 0 || t->n_cells != r->n_cells)
        return err_set(e, ERR_FAILED, "line %zu: %zu cells, not %zu, or no feed", t->line, t->n_cells,
                       r->n_cells);
    for (size_t i = r->n_cells; i < S_CELLS; i++) c[i] = "";
    for (size_t i = 0; i < r->n_cells; i++) {
        Str cell = t->cells[i];
        bool marked = cell.length > 0 && cell.data[0] == '^';
        if (marked && cell.length == 1 && r->above[i] == NULL)
            return err_set(e, ERR_FAILED, "line %zu: nothing above to repeat", t->line);
        c[i] = marked && cell.length == 1 ? r->above[i]
                                          : arena_copy(r->a, cell.data + marked, cell.length - marked);
    }
    memcpy(r->above, c, sizeof c);
    bool ok = read_number(c[S_COUNT], 0, 1e9, &row.gpu_count) &&
              read_number(c[S_VCPUS], 0, 1e9, &row.vcpus) && read_number(c[S_RAM], 0, 1e12, &row.ram_gb) &&
              read_number(c[S_MACHINES], 0, 1e9, &row.machines_seen) &&
              read_number(c[S_HOSTS], 0, 1e9, &row.hosts_seen) && read_names(c, &row);
    if (!ok) return err_set(e, ERR_FAILED, "line %zu: a cell is not what its column says", t->line);
    row.provider = c[S_PROVIDER];
    row.instance = c[S_INSTANCE];
    row.region = c[S_REGION];
    row.country = c[S_COUNTRY];
    row.gpu = c[S_GPU];
    row.sku_id = c[S_SKU];
    row.price_text = c[S_PRICE];
    row.as_of = c[S_AS_OF];
    row.source = c[S_SOURCE];
    SnapshotRows *feed = &r->feeds[r->n - 1];
    feed->rows = arena_grow(r->a, feed->rows, feed->n, &feed->capacity, sizeof *feed->rows);
    feed->rows[feed->n++] = row;
    return true;
}

static bool read_head(Str line, int64_t *ret_version, Err *e) {
    Str word;
    int64_t version = 0;
    str_next(&line, ' ', &word);
    if (!str_is(word, magic) || !str_next(&line, ' ', &word) ||
        !parse_integer(word, 0, 1000000, &version, NULL))
        return err_set(e, ERR_FAILED, "not a snapshot");
    *ret_version = version;
    return (version >= 1 && version <= VERSION) ||
           err_set(e, ERR_FAILED, "a snapshot of form %lld, where this program knows 1 to %d",
                   (long long)version, VERSION);
}

static bool read_all(Reading *r, Str text, Err *e) {
    TableReader t;
    bool more = false;
    table_open(&t, r->a, text, '\t');
    if (!table_next(&t, &more, e)) return false;
    if (!more || t.n_cells != 1) return err_set(e, ERR_FAILED, "not a snapshot");
    int64_t version = 0;
    bool ok = read_head(t.cells[0], &version, e);
    r->n_cells = version == 1 ? S_CELLS_1 : version == 2 ? S_CELLS_2 : S_CELLS;
    while (ok && (ok = table_next(&t, &more, e)) && more) {
        Str tag = t.cells[0];
        if (str_is(tag, "#")) continue;
        ok = str_is(tag, "feed") ? read_feed(r, &t, e)
             : str_is(tag, "+")  ? read_offer(r, &t, e)
                                 : err_set(e, ERR_FAILED, "line %zu: neither feed nor offer", t.line);
    }
    for (size_t i = 0; ok && i < r->n; i++) {
        if (r->feeds[i].n != r->feeds[i].feed.rows)
            ok = err_set(e, ERR_FAILED, "feed '%s' has %zu row%s where %zu are announced",
                         r->feeds[i].feed.name, r->feeds[i].n, plural((double)r->feeds[i].n),
                         r->feeds[i].feed.rows);
    }
    return ok;
}

static bool take_feed(Catalog *c, SnapshotRows *feed, int64_t now, const char *source, Arena *a, Err *e) {
    Market *m = NULL;
    Err why = {0};
    feed->feed.ahead = feed->feed.confirmed_at > now;
    if (!market_open(c, feed->feed.confirmed_at, &m, e)) return false;
    m->clock = feed->feed.ahead ? feed->feed.confirmed_at : now;
    FeedState state = {0};
    bool ok = market_feed(m, feed->feed.name, a, &state, e);
    // What a clock ahead of this one dated is no newer than what this one could have.
    bool told = state.confirmed_at <= now || feed->feed.ahead;
    if (ok && told && state.confirmed_at >= feed->feed.confirmed_at) {
        feed->feed.skipped = "this database knows it as new or newer";
    } else if (ok) {
        MarketRefresh *r = market_begin(m, feed->feed.name, source);
        // some user's own list: not to be handed on unasked
        if (feed_find(feed->feed.name) == NULL) market_private(r);
        bool added = true;
        for (size_t i = 0; added && i < feed->n; i++) added = market_add(r, &feed->rows[i], &why);
        if (!added) market_abandon(r);
        if (!added || !market_finish(r, a, &feed->feed.outcome, &why)) {
            if (db_at_fault(&why)) ok = err_set(e, why.kind, "%s", why.text);
            feed->feed.skipped = arena_printf(a, "%s", why.text);
        }
    }
    market_close(m);
    return ok;
}

bool snapshot_read(Catalog *c, Str text, int64_t now, const char *source, Arena *a, SnapshotFeed **ret_feeds,
                   size_t *ret_n, Err *e) {
    Reading r = {.a = a, .feeds = arena_alloc(a, FEEDS_MAX, sizeof(SnapshotRows))};
    if (!read_all(&r, text, e)) return false;
    SnapshotFeed *feeds = arena_alloc(a, r.n + 1, sizeof *feeds);
    for (size_t i = 0; i < r.n; i++) {
        if (!take_feed(c, &r.feeds[i], now, source, a, e)) return false;
        feeds[i] = r.feeds[i].feed;
    }
    *ret_feeds = feeds;
    *ret_n = r.n;
    return true;
}
