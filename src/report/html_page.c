// Pages of HTML that stand alone: frame, tables, figures, links.
#include "src/report/html_page.h"

#include <string.h>

#include "page_policy.h"
#include "src/base/embedded.h"

static const EmbeddedFile *part(const char *name) {
    size_t i = 0;
    while (strcmp(embedded_page[i].name, name) != 0) i++;  // linked in: it is there
    return &embedded_page[i];
}

static void add_script(Buf *out, const char *name) {
    const EmbeddedFile *file = part(name);
    buf_puts(out, "<script>");
    buf_add(out, file->data, file->length);
    buf_puts(out, "</script>\n");
}

void html_open(Buf *out, const char *title) {
    const EmbeddedFile *style = part("html_style");
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"" PAGE_POLICY "\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                  "name=\"color-scheme\" content=\"light dark\">\n"
                  "<meta name=\"referrer\" content=\"no-referrer\">\n");
    html_element(out, "title", "", title);
    buf_puts(out, "<style>");
    buf_add(out, style->data, style->length);
    buf_puts(out, "</style>\n</head>\n<body>\n<main>\n");
}

// JSON that cannot end the element which holds it, nor a line of the script that reads it.
static void add_json(Buf *out, const Json *json) {
    Buf text;
    buf_init(&text, BUF_LIMIT);
    json_print(json, &text);
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        bool line_end =
            strncmp(text.data + i, "\xe2\x80\xa8", 3) == 0 || strncmp(text.data + i, "\xe2\x80\xa9", 3) == 0;
        if (line_end) {
            buf_printf(out, "\\u%04x", 0x2028 + (text.data[i + 2] == '\xa9'));
            i += 2;
        } else if (c == '<' || c == '>' || c == '&') {
            buf_printf(out, "\\u%04x", (unsigned)c);
        } else {
            buf_add(out, &c, 1);
        }
    }
    buf_free(&text);
}

void html_close(Buf *out, const Json *figures, const char *footer) {
    buf_puts(out, "</main>\n");
    html_element(out, "footer", "", footer);
    buf_puts(out, "<script type=\"application/json\" id=\"figures\">");
    add_json(out, figures);
    buf_puts(out, "</script>\n");
    add_script(out, "chart.min");
    add_script(out, "html_script");
    buf_puts(out, "</body>\n</html>\n");
}

void html_element(Buf *out, const char *tag, const char *class, const char *text) {
    buf_printf(out, "<%s", tag);
    if (class[0] != '\0') buf_printf(out, " class=\"%s\"", class);
    buf_puts(out, ">");
    html_text(out, text);
    buf_printf(out, "</%s>\n", tag);
}

void html_section(Buf *out, const char *class, const char *title) {
    buf_printf(out, "<section class=\"%s\">\n", class);
    html_element(out, "h2", "", title);
}

void html_end(Buf *out, const char *tag) { buf_printf(out, "</%s>\n", tag); }

// ---------------------------------------------------------------- tables and figures

// A word that the style knows colours its cell: statuses of support. Ranges stay on one line, sentences get
// room.
static const char *class_of(const Column *column, const char *text) {
    enum { SENTENCE = 60 };
    static const char *const known[] = {"full",        "partial",  "experimental", "none",  "native",
                                        "weight-only", "emulated", "works",        "loses", "blocked",
                                        NULL};
    if (column->number) return "n";
    Str rest = str_of(text), word = {"", 0};
    str_next(&rest, ' ', &word);
    for (size_t i = 0; known[i] != NULL; i++) {
        if (str_is(word, known[i])) return known[i];
    }
    if (text[0] != '\0' && text[strspn(text, "0123456789.,-() ")] == '\0') return "range";
    return strlen(text) > SENTENCE ? "wide" : "";
}

// A cell of the body has its title with it: on a narrow screen rows stand alone, without the head.
static void cell(Buf *out, const char *tag, const Column *column, const char *text) {
    const char *class = class_of(column, text);
    buf_printf(out, "<%s%s%s%s", tag, class[0] != '\0' ? " class=\"" : "", class,
               class[0] != '\0' ? "\"" : "");
    if (strcmp(tag, "td") == 0 && column->title[0] != '\0') {
        buf_puts(out, " data-title=\"");
        html_text(out, column->title);
        buf_puts(out, "\"");
    }
    buf_puts(out, ">");
    html_text(out, text);
    buf_printf(out, "</%.2s>", tag);
}

void html_table(Buf *out, const char *caption, const Listing *l) {
    bool named = false;
    buf_puts(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    html_text(out, caption);
    buf_puts(out, "\"><table><thead><tr>");
    for (size_t c = 0; c < l->n_columns; c++) {
        if (!l->columns[c].detail) cell(out, "th scope=\"col\"", &l->columns[c], l->columns[c].title);
    }
    buf_puts(out, "</tr></thead>\n<tbody>\n");
    for (size_t r = 0; r < l->n_rows; r++, named = false) {
        buf_puts(out, "<tr>");
        for (size_t c = 0; c < l->n_columns; c++) {
            const Column *column = &l->columns[c];
            const Cell *x = &l->cells[r * l->n_columns + c];
            char number[64] = "";
            if (column->detail) continue;
            if (column->number) format_number(number, sizeof number, x->number, column->digits);
            cell(out, named || column->number ? "td" : "th scope=\"row\"", column,
                 column->number       ? number
                 : x->text[0] != '\0' ? x->text
                                      : "-");
            named = named || !column->number;
        }
        buf_puts(out, "</tr>\n");
    }
    buf_puts(out, "</tbody></table></div>\n");
}

void html_figure(Buf *out, const char *id, const char *title, const char *about, const char *alt,
                 const Listing *table) {
    buf_printf(out, "<figure id=\"%s\"><figcaption>", id);
    html_element(out, "h3", "", title);
    html_element(out, "p", "", about);
    buf_puts(out,
             "</figcaption>\n<div class=\"plot\" hidden><canvas role=\"img\" tabindex=\"0\" aria-label=\"");
    html_text(out, alt);
    buf_puts(out, "\"></canvas></div>\n<details open><summary>The same as a table</summary>\n");
    html_table(out, title, table);
    buf_puts(out, "</details></figure>\n");
}

// ---------------------------------------------------------------- links

static bool is_name_char(char c) { return char_is_word(c) || c == '-' || c == '.'; }

static size_t name_length(const char *text) {
    size_t n = 0;
    while (is_name_char(text[n])) n++;
    return n;
}

// "owner/name#12", "owner/name:path@...", "owner/name@..." at the start of a source: the repository, or its
// issue, on GitHub.
static bool github_link(const char *text, Arena *a, const char **ret_url) {
    size_t owner = name_length(text);
    if (owner == 0 || text[owner] != '/') return false;
    size_t name = name_length(text + owner + 1);
    size_t end = owner + 1 + name;
    if (name == 0 || strchr(":@#", text[end]) == NULL || text[end] == '\0') return false;
    size_t digits = strspn(text + end + 1, "0123456789");
    const char *issue =
        text[end] == '#' && digits > 0 ? arena_printf(a, "/issues/%.*s", (int)digits, text + end + 1) : "";
    *ret_url = arena_printf(a, "https://github.com/%.*s%s", (int)end, text, issue);
    return true;
}

static bool plain_link(const char *text, Arena *a, const char **ret_url) {
    if (strncmp(text, "https://", 8) != 0 && strncmp(text, "http://", 7) != 0) return false;
    *ret_url = arena_copy(a, text, strcspn(text, " \"'<>`\\"));
    return true;
}

static void add_source(Buf *out, const char *text, Arena *a) {
    const char *url = NULL;
    buf_puts(out, "<li>");
    bool linked = plain_link(text, a, &url) || github_link(text, a, &url);
    if (linked) {
        buf_puts(out, "<a rel=\"noopener noreferrer\" href=\"");
        html_text(out, url);
        buf_puts(out, "\">");
    }
    html_text(out, text);
    buf_puts(out, linked ? "</a></li>\n" : "</li>\n");
}

void html_sources(Buf *out, const char *sources) {
    Arena a = {0};
    Str rest = str_of(sources);
    Str one;
    if (str_trim(rest).length == 0) return;
    buf_puts(out, "<ul class=\"sources\">\n");
    while (str_next(&rest, ';', &one)) {
        one = str_trim(one);
        if (one.length > 0) add_source(out, arena_copy(&a, one.data, one.length), &a);
    }
    buf_puts(out, "</ul>\n");
    arena_free(&a);
}
