// Lines, headings and numbers of a report for people: text for a terminal, Markdown, or HTML.
#include "src/report/page.h"

#include <string.h>

#include "src/report/html_page.h"

enum { LABEL = 13 };

void page_end_section(Page *p) {
    if (p->section) html_end(p->out, "section");
    p->section = false;
}

void page_heading(Page *p, const char *title) {
    if (p->format == FORMAT_HTML) {
        page_end_section(p);
        html_section(p->out, "long", title);
        p->section = true;
        return;
    }
    buf_printf(p->out, p->format == FORMAT_MD ? "\n## %s\n\n" : "\n%s\n", title);
}

// "label       text", the text wrapped beside the label. No label: it belongs to the line above.
void page_line(Page *p, const char *label, const char *text) {
    if (p->format == FORMAT_HTML) {
        buf_puts(p->out, "<p class=\"line\">");
        html_element(p->out, label[0] != '\0' ? "b" : "span", "", label);
        html_element(p->out, "bdi", "", text);
        html_end(p->out, "p");
        return;
    }
    if (p->format == FORMAT_MD) {
        if (label[0] != '\0') {
            buf_printf(p->out, "- **%s**: ", label);
        } else {
            buf_puts(p->out, "  - ");  // goes on with the line above
        }
        md_cell(p->out, text);
        buf_puts(p->out, "\n");
        return;
    }
    buf_puts(p->out, label);
    for (size_t used = text_width(label); used < LABEL; used++) buf_puts(p->out, " ");
    text_wrapped(p->out, text, LABEL, p->room.width);
}

// A bullet of HTML, with what its mark means for those who do not see it.
static void html_bullet(Page *p, const char *mark, const char *text) {
    static const struct {
        const char *mark, *shown, *class, *meaning;
    } marks[] = {{"+", "+", "point for", "for: "},
                 {"-", "\xe2\x88\x92", "point against", "against: "},
                 {"!", "!", "point risk", "risk: "},
                 {"*", "\xe2\x80\xa2", "point", ""}};
    size_t i = 0;
    while (i < COUNT_OF(marks) && strcmp(marks[i].mark, mark) != 0) i++;
    bool known = i < COUNT_OF(marks);
    if (strcmp(mark, "$") == 0) {
        html_element(p->out, "pre", "", text);
        return;
    }
    buf_printf(p->out, "<p class=\"%s\"><span aria-hidden=\"true\">",
               known ? marks[i].class : "point counted");
    html_text(p->out, known ? marks[i].shown : mark);
    buf_printf(p->out, "</span><bdi><span class=\"unseen\">%s</span>", known ? marks[i].meaning : "");
    html_text(p->out, text);
    buf_puts(p->out, "</bdi></p>\n");
}

void page_bullet(Page *p, const char *mark, const char *text) {
    if (p->format == FORMAT_HTML) {
        html_bullet(p, mark, text);
        return;
    }
    buf_printf(p->out, p->format == FORMAT_MD ? "- %s " : "  %s ", mark);
    if (p->format == FORMAT_MD) {
        md_cell(p->out, text);
        buf_puts(p->out, "\n");
    } else {
        text_wrapped(p->out, text, 2 + strlen(mark) + 1, p->room.width);
    }
}

const char *page_number(Page *p, double x, int digits) { return number_text(p->arena, x, digits); }

const char *page_range(Page *p, const Estimate *x, int digits) {
    char text[160];
    estimate_text(text, sizeof text, x, digits);
    return arena_copy(p->arena, text, strlen(text));
}
