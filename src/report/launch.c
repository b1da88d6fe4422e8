// The commands that would serve the best option of each vendor, as text and JSON.
#include "src/advise/launch.h"

#include <string.h>

#include "src/report/figures.h"
#include "src/report/html_page.h"
#include "src/report/page.h"

enum { FIRST = 2, FURTHER = 6 };  // columns before the first line of a command and before those that go on

static const char *servers_words(Page *p, const Option *o, const Launch *l) {
    const Offer *offer = o->offer;
    const char *each = o->instances > 1 && l->servers_per_instance > 1
                           ? arena_printf(p->arena, ", up to %d on each", l->servers_per_instance)
                           : "";
    return arena_printf(p->arena, "%s of %s on %d x %s (%s%s%s)%s",
                        counted(p->arena, (size_t)l->servers, "server"),
                        counted(p->arena, (size_t)l->gpus, "GPU"), o->instances,
                        offer->instance[0] != '\0' ? offer->instance : offer->listed_name, offer->provider,
                        offer->region[0] != '\0' ? ", " : "", offer->region, each);
}

// Lines that a shell takes as one, broken between options only.
static void command_lines(Page *p, const Launch *l) {
    size_t right = p->room.width > FURTHER ? p->room.width - strlen(" \\") : SIZE_MAX, at = FIRST;
    buf_printf(p->out, "%*s", FIRST, "");
    for (size_t i = 0; i < l->n_words; i++) {
        size_t width = text_width(l->words[i]);
        bool fits = i == 0 || at + 1 + width <= right;
        if (!fits) buf_printf(p->out, " \\\n%*s", FURTHER, "");
        if (fits && i > 0) buf_puts(p->out, " ");
        buf_add_clean(p->out, l->words[i]);
        at = fits ? at + (i > 0) + width : FURTHER + width;
    }
    buf_puts(p->out, "\n");
}

static void command_text(Page *p, const Launch *l) {
    if (l->command == NULL) return;
    if (p->format == FORMAT_HTML) {
        page_bullet(p, "$", l->command);
    } else if (p->format == FORMAT_MD) {
        buf_puts(p->out, "\n```sh\n");
        buf_add_clean(p->out, l->command);
        buf_puts(p->out, "\n```\n\n");
    } else {
        command_lines(p, l);
    }
}

void launch_text(Page *p) {
    bool headed = false;
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = p->advice->best[v];
        Launch l;
        if (o == NULL || !launch_of(p->advice, o, p->arena, &l)) continue;
        if (!headed) page_heading(p, "Commands that serve them");
        headed = true;
        page_line(p, vendor_titles[v], servers_words(p, o, &l));
        command_text(p, &l);
        for (size_t i = 0; i < l.n_notes; i++) page_bullet(p, "*", l.notes[i]);
    }
}

void launch_json(const Advice *advice, const Option *o, Arena *a, Json *parent) {
    Launch l;
    Json *j = json_object_if(parent, "serve_command", !(!launch_of(advice, o, a, &l)));
    if (j == NULL) return;
    json_add(j, J_TEXT_OR_NULL("command", l.command != NULL ? l.command : ""),
             J_INTEGER("replicas", l.servers), J_INTEGER("replicas_per_instance", l.servers_per_instance),
             J_INTEGER("gpus_per_replica", l.gpus));
    json_add_texts(j, "notes", l.notes, l.n_notes);
    json_add(j, J_TEXT_OR_NULL("source", l.source), J_TEXT_OR_NULL("as_of", l.as_of));
}
