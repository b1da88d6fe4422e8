// Lines, headings and numbers of a report for people: text for a terminal, or Markdown.
#include "src/report/page.h"

#include <string.h>

enum { LABEL = 13 };

void page_heading(Page *p, const char *title) { buf_printf(p->out, p->format == FORMAT_MD ? "\n## %s\n\n" : "\n%s\n", title); }

// "label       text", the text wrapped beside the label.
void page_line(Page *p, const char *label, const char *text) {
    if (p->format == FORMAT_MD) {
        buf_printf(p->out, "- **%s**: ", label);
        md_cell(p->out, text);
        buf_puts(p->out, "\n");
        return;
    }
    buf_printf(p->out, "%-*s", LABEL, label);
    text_wrapped(p->out, text, LABEL, p->width);
}

void page_bullet(Page *p, const char *mark, const char *text) {
    buf_printf(p->out, p->format == FORMAT_MD ? "- %s " : "  %s ", mark);
    if (p->format == FORMAT_MD) {
        md_cell(p->out, text);
        buf_puts(p->out, "\n");
    } else {
        text_wrapped(p->out, text, 2 + strlen(mark) + 1, p->width);
    }
}

const char *page_number(Page *p, double x, int digits) {
    char text[64];
    format_number(text, sizeof text, x, digits);
    return arena_copy(p->arena, text, strlen(text));
}

const char *page_range(Page *p, const Estimate *x, int digits) {
    char text[160];
    estimate_text(text, sizeof text, x, digits);
    return arena_copy(p->arena, text, strlen(text));
}
