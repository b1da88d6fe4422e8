// What moved a verdict, as JSON and text.
#include <string.h>

#include "src/report/moved.h"

static double share_pct(const Moved *m, const Mover *x) {
    double all = log(m->ratio_to / m->ratio_from);
    return fabs(all) >= MOVED_NOTICED ? 100 * x->ln_ratio / all : (double)NAN;
}

static void side_json(Json *j, const char *key, double number, const char *text) {
    if (is_known(number)) {
        json_add_number(j, key, number);
    } else {
        json_add_text_or_null(j, key, text != NULL ? text : "");
    }
}

void moved_json(const Moved *m, Json *root) {
    Json *j = json_add_object(root, "moved");
    Json *r = json_add_object(j, "cost_ratio_amd_to_nvidia");
    json_add(r, J_NUMBER("from", m->ratio_from), J_NUMBER("to", m->ratio_to),
             J_NUMBER("ln_change", log(m->ratio_to / m->ratio_from)));
    Json *list = json_add_array(j, "by");
    for (size_t i = 0; i < m->n; i++) {
        const Mover *x = &m->list[i];
        Json *one = json_add_object(list, NULL);
        bool words = x->kind == MOVER_OPTION;
        json_add(one, J_TEXT("kind", mover_names[x->kind]),
                 J_TEXT_OR_NULL("vendor", x->vendor >= 0 ? vendor_names[x->vendor] : ""),
                 J_TEXT("what", x->what));
        side_json(one, "from", words ? (double)NAN : x->from, x->from_text);
        side_json(one, "to", words ? (double)NAN : x->to, x->to_text);
        json_add(one, J_TEXT_OR_NULL("unit", words ? "" : x->unit),
                 J_NUMBER("change_pct", x->from != 0 ? 100 * (x->to / x->from - 1) : (double)NAN),
                 J_NUMBER("ln_cost_ratio", x->ln_ratio), J_NUMBER("share_pct", share_pct(m, x)));
        json_add_texts(one, "why", x->whys, x->n_whys);
    }
}

static const char *mover_text(const Moved *m, const Mover *x, Arena *a) {
    bool numbers = is_known(x->from) && is_known(x->to) && (x->from_text == NULL || x->kind == MOVER_PRICE);
    const char *change = numbers ? arena_printf(a, "%.4g -> %.4g %s", x->from, x->to, x->unit)
                                 : arena_printf(a, "%s -> %s", x->from_text != NULL ? x->from_text : "none",
                                                x->to_text != NULL ? x->to_text : "none");
    const char *percent =
        numbers && x->from != 0 ? arena_printf(a, " (%+.3g %%)", 100 * (x->to / x->from - 1)) : "";
    double share = share_pct(m, x);
    const char *part = is_known(share) ? arena_printf(a, "; %.0f %% of the change of the ratio", share) : "";
    const char *text =
        arena_printf(a, "%s%s%s: %s: %s%s%s", x->vendor >= 0 ? vendor_titles[x->vendor] : "",
                     x->vendor >= 0 ? " " : "", mover_names[x->kind], x->what, change, percent, part);
    for (size_t i = 0; i < x->n_whys; i++) text = arena_printf(a, "%s; %s", text, x->whys[i]);
    return text;
}

static void line(const char *text, bool md, size_t width, Buf *out) {
    buf_puts(out, md ? "- " : "  * ");
    if (md) {
        md_cell(out, text);
        buf_puts(out, "\n");
    } else {
        text_wrapped(out, text, strlen("  * "), width);
    }
}

void moved_text(const Moved *m, Format format, Room room, Arena *a, Buf *out) {
    bool md = format == FORMAT_MD;
    if (m->n == 0) return;
    buf_puts(out, md ? "## What moved it\n\n" : "\nWhat moved it\n");
    if (is_known(m->ratio_from) && is_known(m->ratio_to))
        line(arena_printf(a, "cost ratio AMD / NVIDIA %.4g -> %.4g", m->ratio_from, m->ratio_to), md,
             room.width, out);
    for (size_t i = 0; i < m->n; i++) line(mover_text(m, &m->list[i], a), md, room.width, out);
    if (md) buf_puts(out, "\n");
}
