// What the best of each vendor, today's fleet and owned servers cost a month, a year and over the term.
#include <math.h>

#include "src/report/page.h"

typedef enum TotalColumn { WHAT, FROM, MONTH, YEAR, TERM_IN_ALL, TOTAL_COLUMNS } TotalColumn;

// What is given has no range.
static const char *sum_text(Page *p, const Estimate *x, bool range) {
    return range && x->high > x->low ? page_range(p, x, 3) : page_number(p, x->value, 3);
}

// A terminal of 80 columns has room for one range.
static void total_row(Page *p, Listing *l, const char *how, const Option *o, const char *from,
                      const Estimate *month) {
    if (o == NULL || !is_known(month->value)) return;
    Estimate year = usd_over(month, MONTHS_A_YEAR);
    Estimate term = usd_over(month, p->advice->term_months);
    bool narrow = room_columns(p->room) > 0;
    listing_add(l,
                L_TEXT(WHAT, arena_printf(p->arena, "%s %c %d x %s", how, vendor_titles[o->gpu->vendor][0],
                                          o->gpu_count, o->gpu->sku_id)),
                L_TEXT(FROM, from), L_TEXT(MONTH, sum_text(p, month, true)),
                L_TEXT(YEAR, sum_text(p, &year, !narrow)), L_TEXT(TERM_IN_ALL, sum_text(p, &term, !narrow)));
}

void totals_text(Page *p) {
    const Advice *x = p->advice;
    const Column columns[TOTAL_COLUMNS] = {
        [WHAT] = {.key = "what", .title = "WHAT"},
        [FROM] = {.key = "from", .title = "FROM", .detail = room_columns(p->room) > 0},
        [MONTH] = {.key = "usd_per_month", .title = "$ A MONTH"},
        [YEAR] = {.key = "usd_per_year", .title = "$ A YEAR"},
        [TERM_IN_ALL] = {.key = "usd_over_term",
                         .title =
                             arena_printf(p->arena, "$ IN %s MONTHS", page_number(p, x->term_months, 3))},
    };
    Listing l = listing_new(p->arena, "totals", columns, TOTAL_COLUMNS, 2 * VENDOR_COUNT + 1);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Costs *c = &x->costs[v];
        if (c->option != NULL && !c->option->today)
            total_row(p, &l, "rent ", c->option, c->option->offer->provider, &c->usd_month);
    }
    total_row(p, &l, "today", x->costs[VENDOR_COUNT].option, "as given", &x->costs[VENDOR_COUNT].usd_month);
    for (int v = 0; x->verdict.own != NULL && v < VENDOR_COUNT; v++) {
        const OwnChoice *own = &x->verdict.own->of[v][OWN_OWN];
        total_row(p, &l, "own  ", own->option, own->owning != NULL ? own->owning->source : "",
                  &own->usd_month);
    }
    if (l.n_rows == 0) return;
    page_heading(p, "What it costs in all");
    listing_print(&l, p->format, p->room, p->out);
    page_bullet(p, "*",
                "as billed: whole instances every hour, or the jobs of a month; at prices that stay as they "
                "are, not discounted, without tax, traffic and storage; ranges are 80 % intervals");
}
