// The answer of What-if beside the one before: what a change brings stands in one line.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/advise/sizing.h"
#include "src/report/sizing.h"
#include "tui/option_box.h"
#include "tui/view_parts.h"

static const char *usd_range(const Estimate *x, Arena *a) {
    char text[3][64];
    const double figures[] = {x->value, x->low, x->high};
    if (!is_known(x->value)) return "not known";
    for (size_t i = 0; i < COUNT_OF(figures); i++)
        format_number(text[i], sizeof text[i], fabs(figures[i]), 3);
    return arena_printf(a, "%s$%s (%s$%s to %s$%s)", x->value < 0 ? "-" : "", text[0], x->low < 0 ? "-" : "",
                        text[1], x->high < 0 ? "-" : "", text[2]);
}

// What a move costs and brings.
static void transition_text(const Transition *l, Arena *a, Buf *b) {
    if (l == NULL) return;
    buf_printf(b, "%s %s:\n", l->id == TRANSITION_VENDOR ? "moving to" : "staying with the vendor, moving to",
               l->id == TRANSITION_VENDOR ? vendor_titles[l->to->gpu->vendor] : l->to->offer->provider);
    if (is_known(l->once.value)) buf_printf(b, "  once %s\n", usd_range(&l->once, a));
    if (is_known(l->saving.value)) buf_printf(b, "  saves %s a month\n", usd_range(&l->saving, a));
    buf_printf(b, "  break-even: %s\n", l->text);
    if (is_known(l->npv.value))
        buf_printf(b, "  worth %s today,\n  above nothing with probability %.2f\n", usd_range(&l->npv, a),
                   l->pays);
    buf_puts(b, "\n");
}

// In one unit whatever the lengths, so that answers can be compared: of output where tokens are served.
static double compared_usd(const Option *o) {
    return is_known(o->output_usd_mtok.value) ? o->output_usd_mtok.value : o->cost;
}

// What of an option stays for later ones to be compared with.
static void pin_best(const Option *o, Pinned *p, int vendor) {
    p->best[vendor].cost = o != NULL ? compared_usd(o) : (double)NAN;
    p->best[vendor].usd_gpu_h = o != NULL ? o->price_usd_gpu_h : (double)NAN;
    p->best[vendor].tpot_ms = o != NULL ? o->tpot_ms.value : (double)NAN;
    snprintf(p->best[vendor].what, sizeof p->best[vendor].what, "%s", "");
    if (o != NULL)
        snprintf(p->best[vendor].what, sizeof p->best[vendor].what, "%d x %s", o->gpu_count, o->gpu->sku_id);
}

static Pinned pinned_of(const Advice *x) {
    Pinned p = {.set = true};
    snprintf(p.workload, sizeof p.workload, "%s", x->ask->workload.workload_id);
    snprintf(p.verdict, sizeof p.verdict, "%s", x->verdict.text);
    for (int i = 0; i < VENDOR_COUNT; i++) pin_best(x->best[i], &p, i);
    return p;
}

// One that the user has chosen stays; else it is the workload's own, from when nothing was changed.
void whatif_pin(Tui *t, bool chosen) {
    const Advice *x = t->views[VIEW_ADVICE].answer.advice;
    Pinned *p = &t->before_that;
    if (x == NULL || (p->chosen && !chosen)) return;
    if (chosen || fields_changed(t) == 0) {
        *p = pinned_of(x);
        p->chosen = chosen;
    } else if (strcmp(p->workload, x->ask->workload.workload_id) != 0) {
        *p = (Pinned){0};
    }
    if (chosen) tui_say(t, false, "pinned: other answers stand beside this one");
}

static const char *with_change(double now, double before, Arena *a) {
    const char *text = field_number(a, before);
    if (!is_known(before)) return "-";
    text = number_text(a, before, 4);
    if (!is_known(now) || !(before > 0) || fabs(now / before - 1) < 0.0005) return text;
    return arena_printf(a, "%s %+.3g%%", text, (now / before - 1) * 100);
}

static const char *figure(double x, Arena *a) { return is_known(x) ? number_text(a, x, 4) : "-"; }

// Label, now, before; `all`: with what gives the figures.
static void draw_beside(const Pinned *before, const Advice *x, Grid *g, Rect at, bool all) {
    enum { LABEL = 11 };
    const Pinned now = pinned_of(x);
    int half = (at.width - LABEL) / 2;
    int y = at.y;
    grid_text(g, at.x + LABEL, y, half, STYLE_HEAD, "now");
    grid_text(g, at.x + LABEL + half, y++, half, STYLE_HEAD,
              !before->set     ? "before: p pins"
              : before->chosen ? "pinned"
                               : "unchanged");
    for (int i = 0; i < VENDOR_COUNT; i++) {
        const struct {
            const char *label, *now, *before;
        } rows[] = {{cost_title(x->ask), figure(now.best[i].cost, g->arena),
                     with_change(now.best[i].cost, before->best[i].cost, g->arena)},
                    {"GPUs", now.best[i].what[0] != '\0' ? now.best[i].what : "-",
                     before->best[i].what[0] != '\0' ? before->best[i].what : "-"},
                    {"$/GPU-h", figure(now.best[i].usd_gpu_h, g->arena),
                     with_change(now.best[i].usd_gpu_h, before->best[i].usd_gpu_h, g->arena)},
                    {"TPOT ms", figure(now.best[i].tpot_ms, g->arena),
                     with_change(now.best[i].tpot_ms, before->best[i].tpot_ms, g->arena)}};
        int style = i == VENDOR_NVIDIA ? STYLE_NVIDIA : STYLE_AMD;
        for (size_t r = 0; r < (all ? COUNT_OF(rows) : 1); r++, y++) {
            grid_printf(g, at.x, y, LABEL - 1, style, "%c %s", r == 0 ? vendor_titles[i][0] : ' ',
                        rows[r].label);
            grid_text(g, at.x + LABEL, y, half - 1, STYLE_TEXT, rows[r].now);
            if (before->set)
                grid_text(g, at.x + LABEL + half, y, half,
                          strcmp(rows[r].now, rows[r].before) == 0 ? STYLE_DIM : STYLE_CHANGED,
                          rows[r].before);
        }
    }
}

static const char *result_text(const Advice *x, Arena *a) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (int i = 0; i < VENDOR_COUNT; i++) {
        const Option *o = x->best[i];
        char cost[64];
        if (o == NULL) {
            buf_printf(&b, "%s\n\n", vendor_absent(x, i, a));
            continue;
        }
        format_number(cost, sizeof cost, compared_usd(o), 4);
        buf_printf(&b, "%c %s: $%s\n", vendor_titles[i][0], vendor_titles[i], cost);
        buf_printf(&b, "  %d x %s, %s%s%s\n", o->gpu_count, o->gpu->sku_id, o->offer->provider,
                   o->offer->region[0] != '\0' ? ", " : "", o->offer->region);
        format_number(cost, sizeof cost, o->price_usd_gpu_h, 4);
        buf_printf(&b, "  $%s/GPU-h, %s%s%s\n\n", cost, o->engine, o->engine[0] != '\0' ? ", " : "",
                   dtype_names[o->weights]);
    }
    sizing_brief(x, &b);
    for (int i = TRANSITION_COUNT - 1; i >= 0; i--) transition_text(x->transitions[i], a, &b);
    for (size_t i = 0; i < x->n_sensitivities; i++)
        buf_printf(&b, "%s: %s\n\n", x->sensitivities[i].what, x->sensitivities[i].text);
    return buf_take(&b, a);
}

// What does not fit is a page further on; after the last comes the first.
static void draw_pages(Tui *t, ViewState *v, Grid *g, Rect box, Rect in, const char *text) {
    int lines = grid_wrapped(g, (Rect){0, 0, in.width, 0}, 0, 0, text);
    int page = in.height > 0 ? in.height : 1;
    int pages = (lines + page - 1) / page;
    if (pages > 0) v->list.shift = (v->list.shift % pages + pages) % pages;
    grid_wrapped(g, in, STYLE_TEXT, v->list.shift * page, text);
    if (pages > 1)
        grid_right(g, box.x, box.y + box.height - 1, box.width - 3, STYLE_DIM,
                   arena_printf(g->arena, " page %d of %d, %s ", v->list.shift + 1, pages,
                                keys_first(&t->keys, ACT_PANEL, g->arena)));
}

void whatif_draw_answer(Tui *t, ViewState *v, Grid *g, Rect box) {
    enum { ROOMY = 24, LINES = 2 + VENDOR_COUNT, ALL_LINES = 2 + 4 * VENDOR_COUNT };
    const ViewState *report = &t->views[VIEW_ADVICE];
    const Advice *x = report->answer.advice;
    bool current = report->loaded && !report->asking && report->error.kind == ERR_NONE;
    grid_box(g, box,
             current                       ? "answer"
             : report->answer.line == NULL ? "answer: being worked out"
                                           : "answer before the last change");
    Rect in = rect_inside(box);
    if (report->error.kind != ERR_NONE) {
        Rect top = rect_top(&in, 4);
        grid_wrapped(g, top, STYLE_BAD, 0, report->error.text);
    }
    if (x == NULL) return;
    Winner w = x->verdict.winner;
    int style = w == WINNER_NVIDIA ? STYLE_NVIDIA : w == WINNER_AMD ? STYLE_AMD : STYLE_WARN;
    int lines = grid_wrapped(g, (Rect){0, 0, in.width, 0}, 0, 0, x->verdict.text);
    Rect verdict = rect_top(&in, lines < 7 ? lines : 7);
    grid_wrapped(g, verdict, style, 0, x->verdict.text);
    rect_top(&in, 1);
    if (is_known(x->verdict.cost_ratio.value)) {
        char ratio[160];
        Rect row = rect_top(&in, 2);
        estimate_text(ratio, sizeof ratio, &x->verdict.cost_ratio, 3);
        grid_printf(g, row.x, row.y, row.width, STYLE_DIM, "AMD / NVIDIA %s", ratio);
    }
    bool all = in.height >= ROOMY;
    draw_beside(&t->before_that, x, g, rect_top(&in, all ? ALL_LINES : LINES), all);
    draw_pages(t, v, g, box, in, result_text(x, g->arena));
}
