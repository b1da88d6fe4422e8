// Migration: findings of a porting scan as a tree, days as bars, dependencies; the rules, and ports that
// happened.
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/view_parts.h"
#include "tui/porttree.h"

enum { P_FINDINGS, P_EFFORT, P_DEPENDENCIES, P_RULES };

static const Panel panels[] = {
    {"findings", {NULL}, {NULL}, NULL},
    {"effort", {NULL}, {NULL}, NULL},
    {"dependencies", {NULL}, {NULL}, NULL},
    {"rules", {"migrate", "explain"}, {"migrate", "explain"}, "rule"},
    {"ports", {"migrate", "ports"}, {NULL}, NULL},
};

void scan_free_view(Tui *t) {
    if (t->scan != NULL) porttree_free(t->scan);
    t->scan = NULL;
}

bool scan_take(Tui *t, Str json, Err *e) {
    PortTree s;
    if (!porttree_read(json, &s, e)) return false;
    if (t->scan == NULL) t->scan = arena_alloc(&t->arena, 1, sizeof *t->scan);
    porttree_free(t->scan);
    *t->scan = s;
    view_forget(&t->views[VIEW_MIGRATE]);
    return true;
}

static bool load(Tui *t, ViewState *v, Err *e) {
    const Panel *p = panel_now(v);
    if (p->words[0] != NULL) {
        if (!view_ask(t, v, p->words, words_of(p->words), e)) return false;
        if (v->answer.n_listings > 0) list_open(&v->list, &v->answer.listings[0], &v->arena);
        return true;
    }
    v->answer = (TuiAnswer){0};
    if (t->scan == NULL) return true;
    Listing *l = arena_alloc(&v->arena, 1, sizeof *l);
    size_t *nodes = NULL;
    porttree_list(t->scan, &v->arena, l, &nodes);
    t->scan_nodes = nodes;
    v->answer.line = arena_printf(&v->arena, "gpuadvise migrate scan %s", t->scan_path);
    if (v->panel == P_FINDINGS) list_open(&v->list, l, &v->arena);
    if (v->panel == P_DEPENDENCIES) list_open(&v->list, &t->scan->dependencies, &v->arena);
    return true;
}

// ---------------------------------------------------------------- drawing

static int style_of_class(const char *name) {
    static const int styles[] = {[PORT_AUTOMATIC] = STYLE_GOOD,
                                 [PORT_REVIEW] = STYLE_TEXT,
                                 [PORT_MANUAL] = STYLE_WARN,
                                 [PORT_BLOCKER] = STYLE_BAD};
    int i = name_index(port_class_names, name);
    return i >= 0 ? styles[i] : STYLE_TEXT;
}

// The lines it takes: what it rests on has one of its own where the width is small.
static int draw_total(const PortTree *s, Grid *g, Rect at) {
    char text[3][160];
    estimate_text(text[0], sizeof text[0], &s->first_port, 2);
    estimate_text(text[1], sizeof text[1], &s->tests_and_ci, 2);
    estimate_text(text[2], sizeof text[2], &s->maintenance_a_year, 2);
    int y = at.y;
    int x = at.x + grid_printf(g, at.x, y, at.width, STYLE_TITLE, "first port %s days", text[0]);
    x += grid_printf(g, x, y, at.x + at.width - x, STYLE_DIM, ", tests and CI %s", text[1]);
    const char *kept = arena_printf(g->arena, "maintenance a year %s", text[2]);
    if ((int)text_width(kept) + 2 <= at.x + at.width - x) {
        grid_printf(g, x, y++, at.x + at.width - x, STYLE_DIM, ", %s", kept);
        x = at.x;
    } else {
        x = at.x + grid_printf(g, at.x, ++y, at.width, STYLE_DIM, "%s  ", kept);
    }
    for (int c = PORT_CLASS_COUNT - 1; c >= 0; c--)
        x += grid_printf(g, x, y, at.width - (x - at.x), style_of_class(port_class_names[c]), "%s %zu  ",
                         port_class_names[c], s->by_class[c]);
    bool fits = (int)text_width(s->confidence) <= at.width - (x - at.x);
    if (fits) {
        grid_text(g, x, y++, at.width - (x - at.x), STYLE_DIM, s->confidence);
    } else {
        y++;
        y += grid_wrapped(g, (Rect){at.x, y, at.width, at.y + at.height - y}, STYLE_DIM, 0, s->confidence);
    }
    return y - at.y;
}

// A line a part: its likely days as a bar against the largest, the range in figures.
static int draw_bars(const PortTree *s, Grid *g, Rect at, size_t which, const char *title) {
    enum { NAME = 24, FIGURES = 26 };
    static const double least = 1e-9;
    double most = least;
    for (size_t i = 0; i < s->n_parts[which]; i++)
        most = s->parts[which][i].likely > most ? s->parts[which][i].likely : most;
    int y = 0;
    if (at.height < 2) return 0;
    grid_text(g, at.x, at.y + y++, at.width, STYLE_HEAD, title);
    for (size_t i = 0; i < s->n_parts[which] && y < at.height; i++, y++) {
        const ScanPart *p = &s->parts[which][i];
        const char *low = number_text(g->arena, p->low, 2), *likely = number_text(g->arena, p->likely, 2),
                   *high = number_text(g->arena, p->high, 2);
        grid_text(g, at.x, at.y + y, NAME - 1, style_of_class(p->name), p->name);
        grid_meter(g, at.x + NAME, at.y + y, at.width - NAME - FIGURES, STYLE_AMD, p->likely / most);
        grid_right(g, at.x + at.width - FIGURES, at.y + y, FIGURES, STYLE_TEXT,
                   arena_printf(g->arena, "%s days (%s-%s)", likely, low, high));
    }
    return y + 1;
}

static void draw_effort(const PortTree *s, Grid *g, Rect at) {
    int used = draw_bars(s, g, at, 0, "by class");
    Rect rest = {at.x, at.y + used, at.width, at.height - used};
    Rect rules = rest;
    rules.height = rest.height / 2;
    draw_bars(s, g, rules, 1, "by rule, the costliest first");
    Rect files = {rest.x, rest.y + rules.height, rest.width, rest.height - rules.height};
    draw_bars(s, g, files, 2, "by file");
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    if (v->panel >= P_RULES) {
        view_table_fill(v, g, at);
        return;
    }
    if (t->scan == NULL) {
        v->list.of = NULL;
        v->answer.text =
            arena_printf(g->arena,
                         "Nothing was scanned yet.\n\n%s scans a folder of sources beside the screen: what "
                         "in it is tied to CUDA, file and line, and how many days a port takes.",
                         keys_first(&t->keys, ACT_RUN, g->arena));
        view_table_fill(v, g, at);
        v->answer.text = NULL;
        return;
    }
    enum { TOTAL_MAX = 6 };
    rect_top(&at, draw_total(t->scan, g, (Rect){1, at.y, at.width - 2, TOTAL_MAX}));
    view_table_fill(v, g, at);
    if (v->panel == P_EFFORT) draw_effort(t->scan, g, rect_inside(at));
}

// ---------------------------------------------------------------- keys

static const ScanNode *node_now(Tui *t, const ViewState *v) {
    size_t row = list_row(&v->list);
    return t->scan != NULL && v->panel == P_FINDINGS && row != SIZE_MAX ? &t->scan->nodes[t->scan_nodes[row]]
                                                                        : NULL;
}

static void start(Tui *t) {
    const char *const words[] = {"migrate", "scan", t->scan_path, "--json"};
    tui_start(t, JOB_SCAN, words, COUNT_OF(words));
}

static void run(Tui *t) {
    if (t->scan_asked) {
        t->scan_asked = false;
        start(t);
        return;
    }
    prompt_open(t, PROMPT_PATH, t->scan_path[0] != '\0' ? t->scan_path : ".");
}

// Opens or closes what is below the row; a finding: the line in the editor.
static bool turn(Tui *t, ViewState *v, int open) {
    size_t row = list_row(&v->list);
    if (node_now(t, v) == NULL) return false;
    ScanNode *n = &t->scan->nodes[t->scan_nodes[row]];
    if (n->level == LEVEL_FINDING) return false;
    size_t cursor = v->list.cursor;
    n->open = open < 0 ? !n->open : open != 0;
    view_forget(v);
    v->list.cursor = cursor;
    return true;
}

static void edit(Tui *t, const ViewState *v) {
    const ScanNode *n = node_now(t, v);
    if (n == NULL || n->level < LEVEL_FILE) {
        tui_say(t, false, "a file, a rule or a finding can be opened");
        return;
    }
    const ScanRow *r = &t->scan->rows[n->first];
    const char *path = arena_printf(&t->arena, "%s/%s", t->scan_path, r->file);
    struct stat st;
    // a single file was scanned
    if (stat(t->scan_path, &st) == 0 && S_ISREG(st.st_mode)) path = t->scan_path;
    if (access(path, R_OK) != 0) {
        tui_say(t, true, "'%s' cannot be read any more", r->file);
        return;
    }
    t->edit_file = path;
    t->edit_line = r->line > 0 ? r->line : 1;
}

static const char *basis(Tui *t, ViewState *v, Arena *a) {
    const ScanNode *n = node_now(t, v);
    if (n == NULL) return NULL;
    const ScanRow *r = &t->scan->rows[n->first];
    if (n->level == LEVEL_STEP) return arena_printf(a, "%s: %zu findings", port_steps[r->step].title, n->n);
    if (n->level == LEVEL_CLASS)
        return arena_printf(a, "%zu findings of class %s", n->n, port_class_names[r->port_class]);
    return arena_printf(
        a, "%s:%d:%d: %s\nrule %s, %s\n\n%s\n\nwhy: %s\n\nfix: %s\n\non AMD: %s %s\n\nsource: %s", r->file,
        r->line, r->column, r->name, r->rule, port_class_names[r->port_class], r->what, r->why, r->fix,
        r->amd[0] != '\0' ? r->amd : "-", r->since[0] != '\0' ? arena_printf(a, "(since %s)", r->since) : "",
        r->source);
}

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    switch (action) {
    case ACT_RUN: run(t); return true;
    case ACT_EDITOR: edit(t, v); return true;
    case ACT_OPEN: return turn(t, v, -1);
    case ACT_RIGHT: return turn(t, v, 1);
    case ACT_LEFT: return turn(t, v, 0);
    case ACT_ROW:
        if (v->list.cursor != (size_t)argument) return false;
        return turn(t, v, -1);
    default: return false;
    }
}

static const Action keys[] = {ACT_RUN, ACT_OPEN, ACT_BASIS, ACT_EDITOR, ACT_PANEL, ACT_FILTER, ACT_EXPORT};

const View view_migrate = {
    .panels = panels,
    .n_panels = COUNT_OF(panels),
    .load = load,
    .fill = fill,
    .act = act,
    .basis = basis,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
};
